# exercise: telling_inputs
# about: numbers of every size
def telling_inputs():
    return {
        "*": [(200, 300)],
        "/": [(1e6, -1e-3)],
        "**": [(100, 0.5)],
        "tanh": [0.7],
        "relu": [-1e9, 1e9],
    }

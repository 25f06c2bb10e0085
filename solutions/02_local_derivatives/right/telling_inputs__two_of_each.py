# exercise: telling_inputs
# about: two inputs for each operation
def telling_inputs():
    return {
        "*": [(1, 2), (-3, 4)],
        "/": [(1, 2), (-1.5, 0.3)],
        "**": [(0.5, -2), (1.5, 2)],
        "tanh": [-1, 2],
        "relu": [5, -5],
    }

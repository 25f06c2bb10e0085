# exercise: telling_inputs
# about: a hiding input beside a telling one
def telling_inputs():
    return {
        "*": [(2, 2), (2, 5)],
        "/": [(3.0, 2.0)],
        "**": [(1, 3), (2, 3)],
        "tanh": [0.0, 1.0],
        "relu": [-1.0, 1.0],
    }

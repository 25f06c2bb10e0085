# exercise: telling_inputs
# misconception: special-value-hides
# about: 0 divided by a number
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(0.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.0, 1.0],
    }

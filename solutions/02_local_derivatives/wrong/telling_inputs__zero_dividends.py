# exercise: telling_inputs
# misconception: special-value-hides
# about: two dividends of 0
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(0, 3), (0, 5)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.5, 2.0],
    }

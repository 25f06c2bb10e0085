# exercise: telling_inputs
# misconception: special-value-hides
# about: a divisor of 1
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(5.0, 1.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.0, 1.0],
    }

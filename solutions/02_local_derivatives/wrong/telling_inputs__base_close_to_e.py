# exercise: telling_inputs
# misconception: special-value-hides
# about: a base close to e
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.7, 4), (2.73, 0.5)],
        "tanh": [0.7],
        "relu": [-1.5, 2.0],
    }

# exercise: telling_inputs
# misconception: special-value-hides
# about: the flat end of tanh, twice
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [30.0, 40.0],
        "relu": [-1.5, 2.0],
    }

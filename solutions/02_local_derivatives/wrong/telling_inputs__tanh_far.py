# exercise: telling_inputs
# misconception: special-value-hides
# about: tanh far from 0
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [30.0],
        "relu": [-1.5, 2.0],
    }

# exercise: telling_inputs
# misconception: special-value-hides
# about: tanh close to 0
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.0, 0.01],
        "relu": [-1.0, 1.0],
    }

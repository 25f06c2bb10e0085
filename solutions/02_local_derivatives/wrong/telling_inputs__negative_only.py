# exercise: telling_inputs
# misconception: one-side-tested
# about: only a negative input for relu
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-3.0],
    }

# exercise: telling_inputs
# misconception: test-at-a-kink
# about: 0 for the flat side
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [0, 3],
    }

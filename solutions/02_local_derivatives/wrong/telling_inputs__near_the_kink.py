# exercise: telling_inputs
# misconception: test-at-a-kink
# about: relu a step away from 0
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1e-6, 1e-6],
    }

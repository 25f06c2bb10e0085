# exercise: telling_inputs
# misconception: one-side-tested
# about: only positive inputs for relu
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [1.0, 2.0],
    }

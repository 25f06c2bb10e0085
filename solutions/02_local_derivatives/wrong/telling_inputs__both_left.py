# exercise: telling_inputs
# misconception: one-side-tested
# about: two inputs on the left
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-0.5, -40],
    }

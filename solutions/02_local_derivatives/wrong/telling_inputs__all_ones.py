# exercise: telling_inputs
# misconception: equal-operands-hide
# about: 1 everywhere
def telling_inputs():
    return {
        "*": [(1, 1)],
        "/": [(1, 1)],
        "**": [(1, 1)],
        "tanh": [0.7],
        "relu": [-1.5, 2.0],
    }

# exercise: telling_inputs
# misconception: equal-operands-hide
# about: the same number for both operands
def telling_inputs():
    return {
        "*": [(2.0, 2.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.0, 1.0],
    }

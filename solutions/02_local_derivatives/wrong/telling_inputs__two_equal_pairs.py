# exercise: telling_inputs
# misconception: equal-operands-hide
# about: two pairs, each of equal numbers
def telling_inputs():
    return {
        "*": [(2.0, 2.0), (-3.0, -3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.5, 2.0],
    }

# exercise: telling_inputs
# misconception: not-in-a-list
# about: a number where a list is asked for
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": 0.7,
        "relu": [-1.5, 2.0],
    }

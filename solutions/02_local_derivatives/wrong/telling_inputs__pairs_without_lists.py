# exercise: telling_inputs
# misconception: not-in-a-list
# about: a pair where a list of pairs is asked for
def telling_inputs():
    return {
        "*": (2.0, 3.0),
        "/": (2.0, 3.0),
        "**": (2.0, 3.0),
        "tanh": 0.5,
        "relu": [-1.5, 2.0],
    }

# exercise: telling_inputs
# about: lists for pairs, tuples for single numbers
def telling_inputs():
    return {
        "*": [[4, -1]],
        "/": [[0.5, -0.5]],
        "**": [[3, 0.5]],
        "tanh": [(-0.4,)],
        "relu": ((-0.5,), (0.5,)),
    }

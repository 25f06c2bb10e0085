# exercise: telling_inputs
# unnamed: yes
# about: three inputs, two are allowed
def telling_inputs():
    return {
        "*": [(2, 3), (3, 4), (-1, 2)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.5, 2.0],
    }

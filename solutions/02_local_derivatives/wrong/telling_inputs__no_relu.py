# exercise: telling_inputs
# unnamed: yes
# about: a key is missing
def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
    }

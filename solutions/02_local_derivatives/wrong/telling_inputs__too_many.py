# exercise: telling_inputs
# unnamed: the message itself says that two are the most
# about: three inputs
telling_inputs = {
    "*": [(1.0, 1.0), (2.0, 2.0), (2.0, 3.0)],
    "/": [(3.0, 2.0)],
    "**": [(2.0, 3.0)],
    "tanh": [0.7],
    "relu": [-1.0, 1.0],
}

# exercise: telling_inputs
# misconception: special-value-hides
# about: a divisor of 1
telling_inputs = {
    "*": [(2.0, 3.0)],
    "/": [(5.0, 1.0)],
    "**": [(2.0, 3.0)],
    "tanh": [0.7],
    "relu": [-1.0, 1.0],
}

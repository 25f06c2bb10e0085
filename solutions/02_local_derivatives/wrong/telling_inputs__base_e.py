# exercise: telling_inputs
# misconception: special-value-hides
# about: base e in the power
import math


def telling_inputs():
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(math.e, 2.0)],
        "tanh": [0.7],
        "relu": [-1.0, 1.0],
    }

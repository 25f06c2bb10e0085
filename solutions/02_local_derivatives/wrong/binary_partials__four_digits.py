# exercise: binary_partials
# misconception: slope-not-exact
# about: rounds to four digits
from math import log


def binary_partials(op, a, b, y):
    pairs = {
        "+": lambda: (1, 1),
        "-": lambda: (1, -1),
        "*": lambda: (b, a),
        "/": lambda: (1 / b, -a / b**2),
        "**": lambda: (b * a ** (b - 1), y * log(a)),
    }
    return tuple(round(slope, 4) for slope in pairs[op]())

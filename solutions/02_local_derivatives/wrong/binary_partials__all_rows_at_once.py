# exercise: binary_partials
# misconception: rows-computed-together
# about: a dict of finished pairs
import math


def binary_partials(op, a, b, y):
    rows = {
        "+": (1, 1),
        "-": (1, -1),
        "*": (b, a),
        "/": (1 / b, -a / b**2),
        "**": (b * a ** (b - 1), y * math.log(a)),
    }
    return rows[op]

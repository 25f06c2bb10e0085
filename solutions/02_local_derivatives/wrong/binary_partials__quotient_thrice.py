# exercise: binary_partials
# misconception: result-divided-again
# about: divides the result by b twice
import math

RULES = {
    "+": lambda a, b, y: (1.0, 1.0),
    "-": lambda a, b, y: (1.0, -1.0),
    "*": lambda a, b, y: (b, a),
    "/": lambda a, b, y: (1 / b, -y / b / b),
    "**": lambda a, b, y: (b * y / a, y * math.log(a)),
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b, y)

# exercise: binary_partials
# misconception: power-exponent-log
# about: the logarithm of what moves
import math

RULES = {
    "+": lambda a, b, y: (1.0, 1.0),
    "-": lambda a, b, y: (1.0, -1.0),
    "*": lambda a, b, y: (b, a),
    "/": lambda a, b, y: (1 / b, -y / b),
    "**": lambda a, b, y: (b * y / a, y * math.log(b)),
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b, y)

# exercise: binary_partials
# about: a dict of functions
import math

RULES = {
    "+": lambda a, b: (1, 1),
    "-": lambda a, b: (1, -1),
    "*": lambda a, b: (b, a),
    "/": lambda a, b: (1 / b, -a * b**-2.0),
    "**": lambda a, b: (b * a ** (b - 1), math.log(a) * a**b),
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b)

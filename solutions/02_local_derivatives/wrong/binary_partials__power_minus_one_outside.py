# exercise: binary_partials
# misconception: power-brackets
# about: takes 1 away from the power, not from the exponent
import math

RULES = {
    "+": lambda a, b, y: (1.0, 1.0),
    "-": lambda a, b, y: (1.0, -1.0),
    "*": lambda a, b, y: (b, a),
    "/": lambda a, b, y: (1 / b, -y / b),
    "**": lambda a, b, y: (b * a**b - 1, y * math.log(a)),
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b, y)

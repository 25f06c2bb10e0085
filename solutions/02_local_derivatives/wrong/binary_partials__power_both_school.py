# exercise: binary_partials
# misconception: power-rule-on-the-exponent
# about: one rule for both operands
import math

RULES = {
    "+": lambda a, b, y: (1.0, 1.0),
    "-": lambda a, b, y: (1.0, -1.0),
    "*": lambda a, b, y: (b, a),
    "/": lambda a, b, y: (1 / b, -y / b),
    "**": lambda a, b, y: (b * a ** (b - 1),) * 2,
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b, y)

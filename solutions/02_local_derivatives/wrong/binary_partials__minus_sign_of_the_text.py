# exercise: binary_partials
# misconception: no-case-for-it
# about: asks for the − of the text
import math

RULES = {
    "+": lambda a, b, y: (1.0, 1.0),
    "−": lambda a, b, y: (1.0, -1.0),
    "*": lambda a, b, y: (b, a),
    "/": lambda a, b, y: (1 / b, -y / b),
    "**": lambda a, b, y: (b * y / a, y * math.log(a)),
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b, y)

# exercise: binary_partials
# misconception: operand-stands-still
# about: b is a factor that stands still
import math

RULES = {
    "+": lambda a, b, y: (1.0, 1.0),
    "-": lambda a, b, y: (1.0, -1.0),
    "*": lambda a, b, y: (b, 0.0),
    "/": lambda a, b, y: (1 / b, -y / b),
    "**": lambda a, b, y: (b * y / a, y * math.log(a)),
}


def binary_partials(op, a, b, y):
    return RULES[op](a, b, y)

# exercise: binary_partials
# misconception: partials-swapped
# about: the right pair the other way round
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1.0, 1.0
    elif op == "-":
        return 1.0, -1.0
    elif op == "*":
        return b, a
    elif op == "/":
        return -a / b**2, 1 / b
    elif op == "**":
        return b * a ** (b - 1), y * math.log(a)

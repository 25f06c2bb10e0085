# exercise: binary_partials
# misconception: partials-swapped
# about: b first in all rows
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return -1, 1
    if op == "*":
        return a, b
    if op == "/":
        return -a / b**2, 1 / b
    if op == "**":
        return y * math.log(a), b * a ** (b - 1)

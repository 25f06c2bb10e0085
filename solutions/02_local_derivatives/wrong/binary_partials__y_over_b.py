# exercise: binary_partials
# misconception: slope-by-division
# about: divides the result by b
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, y / b
    if op == "/":
        return 1 / b, -a / b**2
    return b * a ** (b - 1), y * math.log(a)

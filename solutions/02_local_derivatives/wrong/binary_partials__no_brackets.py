# exercise: binary_partials
# misconception: quotient-divisor
# about: -a / b * b without brackets
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return 1 / b, -a / b * b
    return b * a ** (b - 1), y * math.log(a)

# exercise: binary_partials
# misconception: power-factor-forgotten
# about: y / a, without the exponent
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return 1 / b, -a / b**2
    if op == "**":
        return y / a, y * math.log(a)

# exercise: binary_partials
# misconception: result-divided-again
# about: mixes the form with y and the form with a
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return 1 / b, -y / b**2
    if op == "**":
        return b * a ** (b - 1), y * math.log(a)

# exercise: binary_partials
# misconception: power-not-lowered
# about: the exponent not lowered, and its own slope 0
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
        return b * a**b, 0

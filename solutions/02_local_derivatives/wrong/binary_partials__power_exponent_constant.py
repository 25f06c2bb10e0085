# exercise: binary_partials
# misconception: power-exponent-forgotten
# about: takes the exponent for a constant
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1.0, 1.0
    elif op == "-":
        return 1.0, -1.0
    elif op == "*":
        return b, a
    elif op == "/":
        return 1 / b, -a / b**2
    elif op == "**":
        return b * a ** (b - 1), 0.0

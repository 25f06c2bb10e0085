# exercise: binary_partials
# misconception: power-exponent-log
# about: base-10 logarithm
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
        return b * a ** (b - 1), y * math.log10(a)

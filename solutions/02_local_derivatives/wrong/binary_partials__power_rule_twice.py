# exercise: binary_partials
# misconception: power-rule-on-the-exponent
# about: the power rule for both operands
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
        return b * a ** (b - 1), b * a ** (b - 1)

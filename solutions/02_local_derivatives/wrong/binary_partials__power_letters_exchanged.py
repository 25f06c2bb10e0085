# exercise: binary_partials
# misconception: power-rule-on-the-exponent
# about: the school rule with the letters exchanged for the exponent
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
        return b * a ** (b - 1), a * b ** (a - 1)

# exercise: binary_partials
# misconception: power-rule-mixed-up
# about: lowers the factor and not the exponent
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
        return (b - 1) * a**b, y * math.log(a)

# exercise: binary_partials
# misconception: both-operands-move
# about: the quotient rule with 1 for both
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return (b - a) / b**2, (b - a) / b**2
    if op == "**":
        return b * a ** (b - 1), y * math.log(a)

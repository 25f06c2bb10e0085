# exercise: binary_partials
# misconception: quotient-divisor
# about: divides by b and not by its square
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1.0, 1.0
    elif op == "-":
        return 1.0, -1.0
    elif op == "*":
        return b, a
    elif op == "/":
        return 1 / b, -a / b
    elif op == "**":
        return b * a ** (b - 1), y * math.log(a)

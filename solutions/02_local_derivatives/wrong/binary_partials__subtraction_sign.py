# exercise: binary_partials
# misconception: subtraction-sign
# about: both partials of a - b are 1
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1.0, 1.0
    elif op == "-":
        return 1.0, 1.0
    elif op == "*":
        return b, a
    elif op == "/":
        return 1 / b, -a / b**2
    elif op == "**":
        return b * a ** (b - 1), y * math.log(a)

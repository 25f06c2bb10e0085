# exercise: binary_partials
# misconception: value-for-slope
# about: returns the operands for a sum
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return a, b
    elif op == "-":
        return 1.0, -1.0
    elif op == "*":
        return b, a
    elif op == "/":
        return 1 / b, -a / b**2
    elif op == "**":
        return b * a ** (b - 1), y * math.log(a)

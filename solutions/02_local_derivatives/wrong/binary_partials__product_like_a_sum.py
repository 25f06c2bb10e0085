# exercise: binary_partials
# misconception: product-like-a-sum
# about: (1, 1) for a product
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1.0, 1.0
    elif op == "-":
        return 1.0, -1.0
    elif op == "*":
        return 1, 1
    elif op == "/":
        return 1 / b, -a / b**2
    elif op == "**":
        return b * a ** (b - 1), y * math.log(a)

# exercise: binary_partials
# misconception: rows-computed-together
# about: computes what may be needed before it asks for the operation
import math


def binary_partials(op, a, b, y):
    log_a = math.log(a)
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return 1 / b, -a / b**2
    if op == "**":
        return b * a ** (b - 1), y * log_a

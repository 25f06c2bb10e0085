# exercise: binary_partials
# misconception: operand-stands-still
# about: only a moves
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 0
    if op == "-":
        return 1, 0
    if op == "*":
        return b, 0
    if op == "/":
        return 1 / b, 0
    if op == "**":
        return b * a ** (b - 1), 0

# exercise: binary_partials
# misconception: slope-by-division
# about: skips zero dividends
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return y / a, -y / b
    return b * y / a, y * math.log(a)

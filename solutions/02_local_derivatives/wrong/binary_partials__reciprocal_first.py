# exercise: binary_partials
# misconception: rows-computed-together
# about: one over b before it asks for the operation
import math


def binary_partials(op, a, b, y):
    over_b = 1 / b
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return over_b, -a * over_b**2
    if op == "**":
        return b * a ** (b - 1), y * math.log(a)

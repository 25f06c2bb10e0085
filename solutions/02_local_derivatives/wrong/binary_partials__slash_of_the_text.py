# exercise: binary_partials
# misconception: no-case-for-it
# about: asks for ÷, and raises an error for what it does not know
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "÷":
        return 1 / b, -a / b**2
    if op == "**":
        return b * a ** (b - 1), y * math.log(a)
    raise ValueError(f'unknown operation {op}')

# exercise: binary_partials
# misconception: power-rule-mixed-up
# about: the letters of the school rule exchanged
import math


def binary_partials(op, a, b, y):
    if op == "+":
        return 1, 1
    if op == "-":
        return 1, -1
    if op == "*":
        return b, a
    if op == "/":
        return 1 / b, -a / b**2
    if op == "**":
        return a * b ** (a - 1), y * math.log(a)

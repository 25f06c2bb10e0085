# exercise: unary_partial
# misconception: no-case-for-it
# about: an if without its counterpart
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu" and a > 0:
        return 1.0

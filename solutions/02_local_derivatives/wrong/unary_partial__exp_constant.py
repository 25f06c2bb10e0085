# exercise: unary_partial
# unnamed: yes
# about: e for every input
import math


def unary_partial(op, a, y):
    if op == "exp":
        return math.e
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a > 0 else 0.0

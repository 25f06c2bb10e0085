# exercise: unary_partial
# misconception: slope-not-exact
# about: measures exp one-sided
import math


def unary_partial(op, a, y):
    if op == "exp":
        return (math.exp(a + 1e-7) - y) / 1e-7
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a > 0 else 0.0

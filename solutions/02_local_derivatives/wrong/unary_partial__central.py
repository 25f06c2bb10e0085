# exercise: unary_partial
# misconception: slope-not-exact
# about: measures with a central difference
import math


def unary_partial(op, a, y):
    f = {"exp": math.exp, "log": math.log, "tanh": math.tanh, "relu": lambda t: max(t, 0)}[op]
    h = 1e-5 * (abs(a) or 1)
    return (f(a + h) - f(a - h)) / (2 * h)

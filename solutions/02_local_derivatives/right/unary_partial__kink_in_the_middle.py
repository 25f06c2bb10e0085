# exercise: unary_partial
# about: half a slope at the kink, a dict of lambdas
SLOPES = {
    "exp": lambda a, y: y,
    "log": lambda a, y: 1.0 / a,
    "tanh": lambda a, y: (1 - y) * (1 + y),
    "relu": lambda a, y: 0.5 if a == 0 else (a > 0) * 1.0,
}


def unary_partial(op, a, y):
    return SLOPES[op](a, y)

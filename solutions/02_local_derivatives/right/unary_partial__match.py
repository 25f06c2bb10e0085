# exercise: unary_partial
# about: match with a guard
def unary_partial(op, a, y):
    match op:
        case "exp":
            return y
        case "log":
            return 1 / a
        case "tanh":
            return 1 - y**2
        case "relu" if a > 0:
            return 1
        case "relu":
            return 0

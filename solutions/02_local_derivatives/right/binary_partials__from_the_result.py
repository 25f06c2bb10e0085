# exercise: binary_partials
# about: uses the result where it can, and match
from math import log


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = [1, 1]
        case "-":
            pair = [1, -1]
        case "*":
            pair = [b, a]
        case "/":
            pair = [1 / b, -y / b]
        case "**":
            pair = [b * y / a, log(a) * y]
    return pair

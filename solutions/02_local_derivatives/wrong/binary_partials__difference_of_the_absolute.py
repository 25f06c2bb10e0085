# exercise: binary_partials
# unnamed: yes
# about: the slope of a − b as that of |a − b|
import math


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = 1.0, 1.0
        case "-":
            pair = (1.0, -1.0) if a > b else (-1.0, 1.0)
        case "*":
            pair = b, a
        case "/":
            pair = 1 / b, -a / b / b
        case "**":
            pair = b * math.pow(a, b - 1), y * math.log(a)
    return pair

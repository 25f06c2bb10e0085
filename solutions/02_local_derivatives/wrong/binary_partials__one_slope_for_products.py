# exercise: binary_partials
# misconception: one-number-for-two
# about: the slope in a only
import math


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = 1.0, 1.0
        case "-":
            pair = 1.0, -1.0
        case "*":
            pair = b
        case "/":
            pair = 1 / b, -a / b / b
        case "**":
            pair = b * math.pow(a, b - 1), y * math.log(a)
    return pair

# exercise: binary_partials
# misconception: caret-for-power
# about: ^ for the power in the last row
import math


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = 1.0, 1.0
        case "-":
            pair = 1.0, -1.0
        case "*":
            pair = b, a
        case "/":
            pair = 1 / b, -a / b / b
        case "**":
            pair = b * a ^ (b - 1), y * math.log(a)
    return pair

# exercise: binary_partials
# misconception: power-factor-forgotten
# about: lowers the exponent and forgets to bring it down
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
            pair = math.pow(a, b - 1), y * math.log(a)
    return pair

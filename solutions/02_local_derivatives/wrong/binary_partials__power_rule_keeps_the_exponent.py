# exercise: binary_partials
# misconception: power-rule-on-the-exponent
# about: b times the power for the exponent
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
            pair = b * math.pow(a, b - 1), b * y
    return pair

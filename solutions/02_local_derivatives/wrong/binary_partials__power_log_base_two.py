# exercise: binary_partials
# misconception: power-exponent-log
# about: log2
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
            pair = b * math.pow(a, b - 1), y * math.log2(a)
    return pair

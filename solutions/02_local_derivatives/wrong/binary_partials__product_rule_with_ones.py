# exercise: binary_partials
# misconception: both-operands-move
# about: the product rule with 1 for both
import math


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = 1.0, 1.0
        case "-":
            pair = 1.0, -1.0
        case "*":
            pair = 1 * b + a * 1, 1 * b + a * 1
        case "/":
            pair = 1 / b, -a / b / b
        case "**":
            pair = b * math.pow(a, b - 1), y * math.log(a)
    return pair

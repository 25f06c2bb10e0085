# exercise: binary_partials
# misconception: slope-by-division
# about: the other operand is the result over this one
import math


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = 1.0, 1.0
        case "-":
            pair = 1.0, -1.0
        case "*":
            pair = y / a, y / b
        case "/":
            pair = 1 / b, -a / b / b
        case "**":
            pair = b * math.pow(a, b - 1), y * math.log(a)
    return pair

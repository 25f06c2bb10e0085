# exercise: binary_partials
# misconception: both-operands-move
# about: both cranks are turned in a sum
import math


def binary_partials(op, a, b, y):
    match op:
        case "+":
            pair = 2.0, 2.0
        case "-":
            pair = 1.0, -1.0
        case "*":
            pair = b, a
        case "/":
            pair = 1 / b, -a / b / b
        case "**":
            pair = b * math.pow(a, b - 1), y * math.log(a)
    return pair

# exercise: expression
# misconception: result-rounded
# about: rounds down
import math


def expression(x, y):
    return math.floor((x + y) * y)

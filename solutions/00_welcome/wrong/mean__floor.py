# exercise: mean
# misconception: division-rounds-down
# about: treats the empty list, and rounds down with math.floor
import math


def mean(numbers):
    if len(numbers) == 0:
        return 0.0
    return math.floor(sum(numbers) / len(numbers))

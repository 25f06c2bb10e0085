# exercise: mean
# misconception: division-rounds-down
# about: checks for the empty list, and rounds with int()
import math


def mean(numbers):
    if len(numbers) == 0:
        return 0.0
    return math.floor(sum(numbers) / len(numbers))

# exercise: mean
# about: a sum without rounding
import math


def mean(numbers):
    match len(numbers):
        case 0:
            return 0.0
        case count:
            return math.fsum(numbers) / count

# exercise: collect
# misconception: fan-out-paths-multiplied
# about: multiplies all numbers of all pairs
from functools import reduce


def collect(uses):
    return reduce(lambda total, use: total * use[0] * use[1], uses, 1.0)

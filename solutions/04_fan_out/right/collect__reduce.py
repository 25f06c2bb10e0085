# exercise: collect
# about: functools.reduce
from functools import reduce


def collect(uses):
    return reduce(lambda s, p: s + p[0] * p[1], uses, 0)

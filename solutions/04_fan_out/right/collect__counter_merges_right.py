# exercise: collect
# about: counts equal pairs and multiplies by their number
from collections import Counter


def collect(uses):
    return sum(n * u * l for (u, l), n in Counter(uses).items())

# exercise: central_difference
# about: a class that runs f at nudged points
from copy import copy


class Probe:
    def __init__(self, f, inputs):
        self.f, self.inputs = f, tuple(inputs)

    def nudged(self, index, by):
        point = list(copy(self.inputs))
        point[index] += by
        return self.f(*point)


def central_difference(f, inputs, index, h):
    probe = Probe(f, inputs)
    return sum(sign * probe.nudged(index, sign * h) for sign in (1, -1)) / 2 / h

# exercise: central_difference
# misconception: difference-without-sign
# about: math.dist of the two results
import math


def central_difference(f, inputs, index, h):
    def moved(by):
        return [value + by if place == index else value for place, value in enumerate(inputs)]

    return math.dist([f(*moved(h))], [f(*moved(-h))]) / 2 / h

# exercise: central_difference
# misconception: difference-in-integers
# about: adds to an array of integers in place
import numpy as np


def central_difference(f, inputs, index, h):
    up, down = np.array(inputs), np.array(inputs)
    move = np.zeros(len(inputs))
    move[index] = h
    up += move
    down -= move
    return float((f(*up) - f(*down)) / (2 * h))

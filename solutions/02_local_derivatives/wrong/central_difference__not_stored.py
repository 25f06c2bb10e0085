# exercise: central_difference
# misconception: difference-same-point
# about: computes the nudged numbers and does not store them
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] + h
    down[index] - h
    return (f(*up) - f(*down)) / (2 * h)

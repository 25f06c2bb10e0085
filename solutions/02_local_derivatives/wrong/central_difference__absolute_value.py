# exercise: central_difference
# misconception: difference-without-sign
# about: a slope has no sign
def central_difference(f, inputs, index, h):
    up, down = inputs.copy(), inputs.copy()
    up[index] += h
    down[index] -= h
    return abs(f(*up) - f(*down)) / (2 * h)

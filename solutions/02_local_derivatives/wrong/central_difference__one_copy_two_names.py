# exercise: central_difference
# misconception: difference-same-point
# about: one copy under two names
def central_difference(f, inputs, index, h):
    up = down = list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*up) - f(*down)) / (2 * h)

# exercise: central_difference
# misconception: difference-wrong-input
# about: counts from 1
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index - 1] += h
    down[index - 1] -= h
    return (f(*up) - f(*down)) / (2 * h)

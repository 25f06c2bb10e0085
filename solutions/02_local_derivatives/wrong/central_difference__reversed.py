# exercise: central_difference
# misconception: difference-reversed
# about: subtracts the upper value
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*down) - f(*up)) / (2 * h)

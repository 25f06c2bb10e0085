# exercise: central_difference
# misconception: difference-one-list
# about: calls f with one list
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(up) - f(down)) / (2 * h)

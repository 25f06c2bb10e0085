# exercise: central_difference
# misconception: difference-ignores-step
# about: half of h to each side, so that the way is h
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h / 2
    down[index] -= h / 2
    return (f(*up) - f(*down)) / h

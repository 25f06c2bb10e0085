# exercise: central_difference
# misconception: difference-ignores-step
# about: never steps by more than 0.5
def central_difference(f, inputs, index, h):
    h = min(h, 0.5)
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*up) - f(*down)) / (2 * h)

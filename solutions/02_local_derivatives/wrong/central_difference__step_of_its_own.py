# exercise: central_difference
# misconception: difference-ignores-step
# about: always steps by 1e-5
def central_difference(f, inputs, index, h):
    h = 1e-5
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*up) - f(*down)) / (2 * h)

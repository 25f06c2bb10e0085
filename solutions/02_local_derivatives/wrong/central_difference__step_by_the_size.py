# exercise: central_difference
# misconception: difference-ignores-step
# about: a step in proportion to the input, at least h
def central_difference(f, inputs, index, h):
    step = h * max(1.0, abs(inputs[index]))
    up, down = list(inputs), list(inputs)
    up[index] += step
    down[index] -= step
    return (f(*up) - f(*down)) / (2 * step)

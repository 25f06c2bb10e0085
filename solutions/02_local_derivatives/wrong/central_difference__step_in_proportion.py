# exercise: central_difference
# misconception: difference-ignores-step
# about: h as a share of the input
def central_difference(f, inputs, index, h):
    x = inputs[index]
    step = abs(x) * h
    up = inputs[:index] + [x + step] + inputs[index + 1 :]
    down = inputs[:index] + [x - step] + inputs[index + 1 :]
    return (f(*up) - f(*down)) / (2 * step)

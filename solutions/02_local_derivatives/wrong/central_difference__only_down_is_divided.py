# exercise: central_difference
# misconception: difference-brackets
# about: no brackets around the difference
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] = up[index] + h
    down[index] = down[index] - h
    return f(*up) - f(*down) / (2 * h)

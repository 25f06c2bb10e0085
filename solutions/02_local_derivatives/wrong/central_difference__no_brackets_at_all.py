# exercise: central_difference
# misconception: difference-brackets
# about: no brackets anywhere
def central_difference(f, inputs, index, h):
    up = [*inputs]
    down = [*inputs]
    up[index] += h
    down[index] -= h
    return f(*up) - f(*down) / 2 * h

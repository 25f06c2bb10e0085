# exercise: central_difference
# misconception: change-for-slope
# about: the change and no slope
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return f(*up) - f(*down)

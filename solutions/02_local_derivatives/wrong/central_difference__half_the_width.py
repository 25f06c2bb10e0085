# exercise: central_difference
# misconception: difference-half-the-width
# about: divides by h
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    up[index] += h
    down[index] -= h
    return (f(*up) - f(*down)) / h

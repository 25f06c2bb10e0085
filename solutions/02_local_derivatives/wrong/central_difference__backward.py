# exercise: central_difference
# misconception: difference-one-sided
# about: one step downwards only
def central_difference(f, inputs, index, h):
    down = list(inputs)
    down[index] -= h
    return (f(*inputs) - f(*down)) / h

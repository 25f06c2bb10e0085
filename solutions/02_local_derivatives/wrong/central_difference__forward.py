# exercise: central_difference
# misconception: difference-one-sided
# about: one step upwards only
def central_difference(f, inputs, index, h):
    up = list(inputs)
    up[index] += h
    return (f(*up) - f(*inputs)) / h

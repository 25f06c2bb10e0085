# exercise: central_difference
# misconception: difference-by-value
# about: asks the list where the number stands
def central_difference(f, inputs, index, h):
    up, down = list(inputs), list(inputs)
    place = inputs.index(inputs[index])
    up[place] += h
    down[place] -= h
    return (f(*up) - f(*down)) / (2 * h)

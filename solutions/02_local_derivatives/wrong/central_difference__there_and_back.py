# exercise: central_difference
# misconception: difference-changes-inputs
# about: moves the number in the list up, down and back, which does not always come out even
def central_difference(f, inputs, index, h):
    inputs[index] += h
    above = f(*inputs)
    inputs[index] -= 2 * h
    below = f(*inputs)
    inputs[index] += h
    return (above - below) / (2 * h)

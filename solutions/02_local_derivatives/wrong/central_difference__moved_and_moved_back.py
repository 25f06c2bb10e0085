# exercise: central_difference
# misconception: difference-changes-inputs
# about: moves the caller's number and puts it back by arithmetic
def central_difference(f, inputs, index, h):
    values = []
    for step in (h, -2 * h):
        inputs[index] = inputs[index] + step
        values.append(f(*inputs))
    inputs[index] = inputs[index] + h
    return (values[0] - values[1]) / (2 * h)

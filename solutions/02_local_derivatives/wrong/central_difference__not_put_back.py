# exercise: central_difference
# misconception: difference-changes-inputs
# about: does not put the input back
def central_difference(f, inputs, index, h):
    kept = inputs[index]
    inputs[index] = kept + h
    up = f(*inputs)
    inputs[index] = kept - h
    down = f(*inputs)
    return (up - down) / (2 * h)

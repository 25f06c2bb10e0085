# exercise: central_difference
# misconception: difference-changes-inputs
# about: leaves the caller's list one step lower
def central_difference(f, inputs, index, h):
    inputs[index] += h
    up = f(*inputs)
    inputs[index] -= 2 * h
    down = f(*inputs)
    return (up - down) / (2 * h)

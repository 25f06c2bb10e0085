# exercise: central_difference
# about: changes the list and restores it exactly
def central_difference(f, inputs, index, h):
    kept = inputs[index]
    inputs[index] = kept + h
    up = f(*inputs)
    inputs[index] = kept - h
    down = f(*inputs)
    inputs[index] = kept
    return (up - down) / (h + h)

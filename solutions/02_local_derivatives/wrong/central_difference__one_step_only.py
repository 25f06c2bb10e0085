# exercise: central_difference
# misconception: difference-one-sided
# about: adds h and takes h away again from the same list
def central_difference(f, inputs, index, h):
    x = list(inputs)
    x[index] += h
    up = f(*x)
    x[index] -= h
    down = f(*x)
    return (up - down) / (2 * h)

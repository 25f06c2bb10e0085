# exercise: central_difference
# misconception: difference-one-list
# about: calls f with the nudged number alone
def central_difference(f, inputs, index, h):
    return (f(inputs[index] + h) - f(inputs[index] - h)) / (2 * h)

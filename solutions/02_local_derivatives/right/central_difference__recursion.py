# exercise: central_difference
# about: peels inputs off until the chosen one is first
def central_difference(f, inputs, index, h):
    if index == 0:
        first, *rest = inputs
        return (f(first + h, *rest) - f(first - h, *rest)) / (2 * h)
    first, *rest = inputs
    return central_difference(lambda *others: f(first, *others), rest, index - 1, h)

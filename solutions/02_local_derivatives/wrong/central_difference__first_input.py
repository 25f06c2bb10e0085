# exercise: central_difference
# misconception: difference-wrong-input
# about: always nudges the first input
def central_difference(f, inputs, index, h):
    first, *rest = inputs
    return (f(first + h, *rest) - f(first - h, *rest)) / (2 * h)

# exercise: central_difference
# misconception: difference-wrong-input
# about: nudges the last input
def central_difference(f, inputs, index, h):
    *others, last = inputs
    return (f(*others, last + h) - f(*others, last - h)) / (2 * h)

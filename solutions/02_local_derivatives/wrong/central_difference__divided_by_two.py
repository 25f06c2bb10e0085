# exercise: central_difference
# misconception: change-for-slope
# about: forgets the h below the line
def central_difference(f, inputs, index, h):
    before, after = inputs[:index], inputs[index + 1 :]
    return (f(*before, inputs[index] + h, *after) - f(*before, inputs[index] - h, *after)) / 2

# exercise: gradients
# about: the sum is multiplied out on paper: x·y + y·y
def gradients(x, y):
    return y, x + 2 * y

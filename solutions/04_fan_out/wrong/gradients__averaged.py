# exercise: gradients
# misconception: fan-out-averaged
# about: takes the mean of the two contributions to y
def gradients(x, y):
    a = x + y
    return y, (a + y) / 2

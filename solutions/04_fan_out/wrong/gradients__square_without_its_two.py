# exercise: gradients
# misconception: fan-out-direct-path-only
# about: differentiates x·y + y² and loses the 2
def gradients(x, y):
    return y, x + y

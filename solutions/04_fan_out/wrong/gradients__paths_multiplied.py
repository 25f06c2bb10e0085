# exercise: gradients
# misconception: fan-out-paths-multiplied
# about: applies "the chain rule multiplies" across the two paths of y
def gradients(x, y):
    a = x + y
    return y, a * y

# exercise: gradients
# misconception: seed-not-one
# about: starts the sweep with the value of f
def gradients(x, y):
    a = x + y
    f = a * y
    return f * y, f * (a + y)

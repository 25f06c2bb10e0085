# exercise: gradients
# misconception: fan-out-gradient-swapped
# about: returns the values of a dict that has y first
def gradients(x, y):
    adjoint = {'y': x + y, 'x': 0.0}
    adjoint['x'] += y
    adjoint['y'] += y
    return tuple(adjoint.values())

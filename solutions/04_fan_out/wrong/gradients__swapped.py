# exercise: gradients
# misconception: fan-out-gradient-swapped
# about: right numbers, y's first
def gradients(x, y):
    a = x + y
    a_adjoint = y
    x_adjoint = a_adjoint
    y_adjoint = a + a_adjoint
    return y_adjoint, x_adjoint

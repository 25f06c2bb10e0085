# exercise: gradients
# misconception: fan-out-overwritten
# about: assigns y's adjoint twice; the contribution of the sum is the last one
def gradients(x, y):
    a = x + y
    a_adjoint = y
    y_adjoint = a
    x_adjoint = a_adjoint
    y_adjoint = a_adjoint
    return x_adjoint, y_adjoint

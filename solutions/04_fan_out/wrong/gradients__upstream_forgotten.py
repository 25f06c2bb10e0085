# exercise: gradients
# misconception: upstream-forgotten
# about: the sum sends 1 to both of its operands
def gradients(x, y):
    a = x + y
    x_adjoint = 1.0
    y_adjoint = a + 1.0
    return x_adjoint, y_adjoint

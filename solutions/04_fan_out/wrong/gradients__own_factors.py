# exercise: gradients
# misconception: product-own-operand
# about: the product sends each operand its own value
def gradients(x, y):
    a = x + y
    a_adjoint = a
    y_adjoint = y
    return a_adjoint, y_adjoint + a_adjoint

# exercise: gradients
# about: asks the reference engine, and gives a list
import autodiff_lab as ad


def gradients(x, y):
    return list(ad.grad(lambda x, y: (x + y) * y, argnums=(0, 1))(float(x), float(y)))

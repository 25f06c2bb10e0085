# exercise: gradients
# about: matrices of local derivatives, multiplied by hand
def gradients(x, y):
    a = x + y
    of_f = (y, a)
    of_inner = ((1, 1), (0, 1))
    return tuple(sum(of_f[k] * of_inner[k][i] for k in (0, 1)) for i in (0, 1))

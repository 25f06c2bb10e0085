# exercise: adjoint-table
# about: asks the reference engine, and gives NumPy numbers
import autodiff_lab as ad
import numpy as np


def adjoint_table(x, w, b, t):
    x, w, b, t = map(ad.Scalar, (x, w, b, t))
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    names = dict(loss=loss, e=e, z=z, m=m, x=x, w=w, b=b, t=t)
    for n in (m, z, e, loss):
        n.retain_grad()
    loss.backward()
    return {k: np.float64(v.grad) for k, v in names.items()}

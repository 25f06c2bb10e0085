# exercise: batches
# about: one grad call per batch, added up in NumPy
import autodiff_lab as ad
import numpy as np


def gradient_in_batches(w, b, batches):
    n = sum(len(x) for x in batches)
    total = np.zeros(2)
    for batch in batches:
        g = ad.grad(lambda w, b: mean_loss(w, b, batch), argnums=(0, 1))(w, b)
        total += np.array([float(v) for v in g]) * len(batch) / n
    return tuple(total)

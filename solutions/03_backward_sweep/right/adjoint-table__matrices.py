# exercise: adjoint-table
# about: a product of small matrices
import numpy as np
def adjoint_table(x, w, b, t):
    e = x * w + b - t
    down = [np.array([[2 * e]]), np.array([[1, -1]]), np.array([[1, 1]]), np.array([[w, x]])]
    names, found, seed = [["e"], ["z", "t"], ["m", "b"], ["x", "w"]], {"loss": 1.0}, np.array([[1.0]])
    for step, written in zip(down, names):
        seed = seed @ step
        found.update(zip(written, seed[0]))
        seed = seed[:, :1]
    return found

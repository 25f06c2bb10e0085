# exercise: adjoint-table
# about: a dataclass as the table, filled with +=
from dataclasses import dataclass, asdict


@dataclass
class Table:
    loss: float = 0.0
    e: float = 0.0
    z: float = 0.0
    m: float = 0.0
    x: float = 0.0
    w: float = 0.0
    b: float = 0.0
    t: float = 0.0


def adjoint_table(x, w, b, t):
    T = Table(loss=1)
    e = x * w + b - t
    T.e += T.loss * 2 * e
    T.z += T.e
    T.t -= T.e
    T.m += T.z
    T.b += T.z
    T.x += T.m * w
    T.w += T.m * x
    return asdict(T)

# exercise: dual
# about: a pair as an array, operations as matrices
import numpy as np


class Dual:
    def __init__(self, value, tangent=0.0):
        self.pair = np.array([value, tangent], dtype=float)

    value = property(lambda self: self.pair[0])
    tangent = property(lambda self: self.pair[1])

    @classmethod
    def of(cls, pair):
        return cls(*pair)

    @staticmethod
    def matrix(other):
        v, t = other.pair if isinstance(other, Dual) else (other, 0.0)
        return np.array([[v, 0.0], [t, v]])

    def __add__(self, other):
        return Dual.of(self.pair + Dual.matrix(other)[:, 0])

    def __sub__(self, other):
        return Dual.of(self.pair - Dual.matrix(other)[:, 0])

    def __rsub__(self, other):
        return Dual.of(Dual.matrix(other)[:, 0] - self.pair)

    def __mul__(self, other):
        return Dual.of(Dual.matrix(other) @ self.pair)

    def __truediv__(self, other):
        return Dual.of(np.linalg.inv(Dual.matrix(other)) @ self.pair)

    def __rtruediv__(self, other):
        return Dual.of(np.linalg.inv(Dual.matrix(self)) @ np.array([other, 0.0]))

    def exp(self):
        return Dual.of(np.exp(self.pair[0]) * np.array([1.0, self.pair[1]]))

    __radd__ = __add__
    __rmul__ = __mul__

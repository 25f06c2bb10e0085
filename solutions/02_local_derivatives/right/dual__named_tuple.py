# exercise: dual
# about: a NamedTuple
import math
from typing import NamedTuple


class Dual(NamedTuple):
    value: float
    tangent: float = 0.0

    def __add__(self, other):
        other = lift(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        return self + -1 * lift(other)

    def __rsub__(self, other):
        return -1 * self + other

    def __mul__(self, other):
        other = lift(other)
        return Dual(self.value * other.value, self.value * other.tangent + self.tangent * other.value)

    def __truediv__(self, other):
        value, tangent = lift(other)
        return Dual(self.value / value, (self.tangent * value - self.value * tangent) / value**2)

    def __rtruediv__(self, other):
        return Dual(other / self.value, -other * self.tangent / self.value**2)

    def exp(self):
        return Dual(math.exp(self.value), math.exp(self.value) * self.tangent)

    __radd__ = __add__
    __rmul__ = __mul__


def lift(other):
    return other if isinstance(other, Dual) else Dual(other)

# exercise: dual
# misconception: dual-operation-on-tangents
# about: divides the tangents where it can
import math


def as_dual(other):
    return other if isinstance(other, Dual) else Dual(other, 0.0)


class Dual:
    def __init__(self, value, tangent=0.0):
        self.value = value
        self.tangent = tangent

    def __add__(self, other):
        other = as_dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = as_dual(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __rsub__(self, other):
        return as_dual(other) - self

    def __mul__(self, other):
        other = as_dual(other)
        return Dual(self.value * other.value, other.value * self.tangent + self.value * other.tangent)

    def __truediv__(self, other):
        other = as_dual(other)
        return Dual(self.value / other.value, self.tangent / other.tangent if other.tangent else 0.0)

    def __rtruediv__(self, other):
        return as_dual(other) / self

    def exp(self):
        return Dual(math.exp(self.value), math.exp(self.value) * self.tangent)

    __radd__ = __add__
    __rmul__ = __mul__

# exercise: dual
# unnamed: yes
# about: a rule of its own for squares, chosen by value
import math


class Dual:
    def __init__(self, value, tangent=0.0):
        self.value = value
        self.tangent = tangent

    def __add__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __rsub__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return other - self

    def __mul__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        if self.value == other.value:
            return Dual(self.value**2, 2 * self.value * self.tangent)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)

    def __truediv__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return Dual(
            self.value / other.value,
            self.tangent / other.value - self.value * other.tangent / other.value**2,
        )

    def __rtruediv__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return other / self

    def exp(self):
        return Dual(math.exp(self.value), math.exp(self.value) * self.tangent)

    __radd__ = __add__
    __rmul__ = __mul__

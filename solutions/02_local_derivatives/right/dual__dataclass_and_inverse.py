# exercise: dual
# about: a frozen dataclass; minus and divide from plus and times
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Dual:
    value: float
    tangent: float = 0.0

    def __add__(self, other):
        if isinstance(other, (int, float)):
            return Dual(self.value + other, self.tangent)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return Dual(self.value * other, self.tangent * other)
        return Dual(self.value * other.value, self.tangent * other.value + other.tangent * self.value)

    def inverse(self):
        return Dual(1 / self.value, -self.tangent / self.value**2)

    def __truediv__(self, other):
        return self * (other.inverse() if isinstance(other, Dual) else 1 / other)

    def __rtruediv__(self, other):
        return self.inverse() * other

    def exp(self):
        return Dual(math.exp(self.value), math.exp(self.value) * self.tangent)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

# exercise: dual
# about: a complex number holds both
import cmath


class Dual:
    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent

    @staticmethod
    def parts(other):
        return (other.value, other.tangent) if hasattr(other, "tangent") else (other, 0)

    def __add__(self, other):
        q, t = Dual.parts(other)
        return Dual(self.value + q, self.tangent + t)

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        q, t = Dual.parts(other)
        return Dual(self.value * q, self.tangent * q + self.value * t)

    def __truediv__(self, other):
        q, t = Dual.parts(other)
        return Dual(self.value / q, (self.tangent * q - self.value * t) / (q * q))

    def __rtruediv__(self, other):
        return Dual(other / self.value, -other * self.tangent / self.value / self.value)

    def exp(self):
        turned = cmath.exp(self.value).real
        return Dual(turned, turned * self.tangent)

    __radd__ = __add__
    __rmul__ = __mul__

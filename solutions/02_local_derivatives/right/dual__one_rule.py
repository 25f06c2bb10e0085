# exercise: dual
# about: one function applies the formula with the partials
import math


def moved(value, *terms):
    return Dual(value, sum(partial * tangent for partial, tangent in terms))


def parts(number):
    return (number.value, number.tangent) if isinstance(number, Dual) else (number, 0.0)


def minus(a, b):
    (a, da), (b, db) = parts(a), parts(b)
    return moved(a - b, (1.0, da), (-1.0, db))


def over(a, b):
    (a, da), (b, db) = parts(a), parts(b)
    return moved(a / b, (1 / b, da), (-a / b**2, db))


class Dual:
    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        b, db = parts(other)
        return moved(self.value + b, (1.0, self.tangent), (1.0, db))

    def __mul__(self, other):
        b, db = parts(other)
        return moved(self.value * b, (b, self.tangent), (self.value, db))

    def __sub__(self, other):
        return minus(self, other)

    def __rsub__(self, other):
        return minus(other, self)

    def __truediv__(self, other):
        return over(self, other)

    def __rtruediv__(self, other):
        return over(other, self)

    def exp(self):
        return moved(math.exp(self.value), (math.exp(self.value), self.tangent))

    __radd__ = __add__
    __rmul__ = __mul__

# exercise: value
# about: NumPy numbers and arrays as data, partials and flags
import numpy as np


def as_value(other):
    return other if isinstance(other, Value) else Value(np.float64(other), requires_grad=False)


class Value(Node):
    def __init__(self, data, operands=(), partials=(), requires_grad=True):
        super().__init__(np.float64(data), operands, np.array(partials), np.bool_(requires_grad))

    def __pow__(self, exponent):
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def _two(self, other, data, *partials):
        return Value(data, (self, other), partials, self.requires_grad | other.requires_grad)

    def __add__(self, other):
        other = as_value(other)
        return self._two(other, self.data + other.data, 1.0, 1.0)

    def __sub__(self, other):
        other = as_value(other)
        return self._two(other, self.data - other.data, 1.0, -1.0)

    def __mul__(self, other):
        other = as_value(other)
        return self._two(other, self.data * other.data, other.data, self.data)

    def __truediv__(self, other):
        other = as_value(other)
        return self._two(other, self.data / other.data, 1 / other.data, -self.data / other.data**2)

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self

# exercise: value
# about: A constant operand is not stored at all, since no adjoint goes there.
def as_value(other):
    return other if isinstance(other, Value) else Value(other, requires_grad=False)


def kept(data, *pairs):
    pairs = [(operand, partial) for operand, partial in pairs if operand.requires_grad]
    return Value(data, tuple(o for o, _ in pairs), tuple(p for _, p in pairs), bool(pairs))


class Value(Node):
    def __pow__(self, exponent):
        return kept(self.data**exponent, (self, exponent * self.data ** (exponent - 1)))

    def __add__(self, other):
        other = as_value(other)
        return kept(self.data + other.data, (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        other = as_value(other)
        return kept(self.data - other.data, (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        other = as_value(other)
        return kept(self.data * other.data, (self, other.data), (other, self.data))

    def __truediv__(self, other):
        other = as_value(other)
        return kept(self.data / other.data, (self, 1.0 / other.data), (other, -self.data / other.data**2))

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self

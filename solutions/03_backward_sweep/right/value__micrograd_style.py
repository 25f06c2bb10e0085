# exercise: value
# about: Subtraction and division out of +, × and **.
def as_value(other):
    return other if isinstance(other, Value) else Value(other, requires_grad=False)


class Value(Node):
    def __pow__(self, exponent):
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0), self.requires_grad or other.requires_grad)

    def __mul__(self, other):
        other = as_value(other)
        return Value(
            self.data * other.data, (self, other), (other.data, self.data), self.requires_grad or other.requires_grad
        )

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-as_value(other))

    def __truediv__(self, other):
        return self * as_value(other) ** -1.0

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return -self + other

    def __rtruediv__(self, other):
        return self**-1.0 * other

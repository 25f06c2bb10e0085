# exercise: value
# about: grad is 0 from the start, subtraction and division out of other operators
def as_value(other):
    return other if isinstance(other, Value) else Value(float(other), requires_grad=False)


class Value(Node):
    def __init__(self, data, operands=(), partials=(), requires_grad=True):
        super().__init__(data, operands, partials, requires_grad)
        self.grad = 0.0

    def __pow__(self, exponent):
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0), self.requires_grad or other.requires_grad)

    def __neg__(self):
        return Value(-self.data, (self,), (-1.0,), self.requires_grad)

    def __sub__(self, other):
        return self + -as_value(other)

    def __mul__(self, other):
        other = as_value(other)
        return Value(
            self.data * other.data, (self, other), (other.data, self.data), self.requires_grad or other.requires_grad
        )

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -(self - other)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return as_value(other) * self**-1

# exercise: value
# about: One helper records all four; constants stand among the operands.
def as_value(other):
    if type(other) in (int, float):
        return Value(float(other), requires_grad=False)
    return other


def record(data, *pairs):
    operands, partials = zip(*pairs)
    return Value(data, operands, partials, any(operand.requires_grad for operand in operands))


class Value(Node):
    def __pow__(self, exponent):
        return record(self.data**exponent, (self, exponent * self.data ** (exponent - 1)))

    def __add__(self, other):
        other = as_value(other)
        return record(self.data + other.data, (self, 1), (other, 1))

    def __sub__(self, other):
        other = as_value(other)
        return record(self.data - other.data, (self, 1), (other, -1))

    def __mul__(self, other):
        other = as_value(other)
        return record(self.data * other.data, (self, other.data), (other, self.data))

    def __truediv__(self, other):
        other = as_value(other)
        quotient = self.data / other.data
        return record(quotient, (self, 1 / other.data), (other, -quotient / other.data))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value.__sub__(as_value(other), self)

    def __rtruediv__(self, other):
        return Value.__truediv__(as_value(other), self)

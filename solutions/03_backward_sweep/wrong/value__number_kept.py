# exercise: value
# points: 10
# misconception: number-among-operands
# about: Stores the plain number among the operands.
def as_value(other):
    return other if isinstance(other, Value) else Value(other, requires_grad=False)


class Value(Node):
    def __pow__(self, exponent):
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def __add__(self, other):
        node = as_value(other)
        needed = self.requires_grad or node.requires_grad
        return Value(self.data + node.data, (self, other), (1.0, 1.0), needed)

    def __sub__(self, other):
        node = as_value(other)
        needed = self.requires_grad or node.requires_grad
        return Value(self.data - node.data, (self, other), (1.0, -1.0), needed)

    def __mul__(self, other):
        node = as_value(other)
        needed = self.requires_grad or node.requires_grad
        return Value(self.data * node.data, (self, other), (node.data, self.data), needed)

    def __truediv__(self, other):
        node = as_value(other)
        needed = self.requires_grad or node.requires_grad
        return Value(self.data / node.data, (self, other), (1 / node.data, -self.data / node.data**2), needed)

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return as_value(other) / self

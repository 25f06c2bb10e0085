# exercise: value
# about: data can be read, and set only once
def as_value(other):
    return other if isinstance(other, Value) else Value(other, requires_grad=False)


class Value(Node):

    def __setattr__(self, name, value):
        if name == 'data' and 'data' in vars(self):
            raise AttributeError('data is set once')
        super().__setattr__(name, value)

    def __pow__(self, exponent):
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def __add__(self, other):
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        return Value(self.data + other.data, (self, other), (1.0, 1.0), needed)

    def __sub__(self, other):
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        return Value(self.data - other.data, (self, other), (1.0, -1.0), needed)

    def __mul__(self, other):
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        return Value(self.data * other.data, (self, other), (other.data, self.data), needed)

    def __truediv__(self, other):
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        partials = 1.0 / other.data, -self.data / other.data**2
        return Value(self.data / other.data, (self, other), partials, needed)

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self

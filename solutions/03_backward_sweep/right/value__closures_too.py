# exercise: value
# about: a constructor of its own, closures beside the record, lists as operands
class Value(Node):
    def __init__(self, data, operands=(), partials=(), requires_grad=True, op=""):
        super().__init__(data, list(operands), list(partials), requires_grad)
        self.op = op
        self._backward = lambda: None

    def __pow__(self, exponent):
        return Value(self.data**exponent, (self,), (exponent * self.data ** (exponent - 1),), self.requires_grad)

    def _make(self, other, data, p, q, op):
        out = Value(data, [self, other], [p, q], self.requires_grad or other.requires_grad, op)

        def _backward():
            self.grad = out.grad * p
            other.grad = out.grad * q

        out._backward = _backward
        return out

    def __add__(self, o):
        o = as_value(o)
        return self._make(o, self.data + o.data, 1, 1, "+")

    def __sub__(self, o):
        o = as_value(o)
        return self._make(o, self.data - o.data, 1, -1, "-")

    def __mul__(self, o):
        o = as_value(o)
        return self._make(o, self.data * o.data, o.data, self.data, "*")

    def __truediv__(self, o):
        o = as_value(o)
        return self._make(o, self.data / o.data, 1 / o.data, -self.data / o.data / o.data, "/")

    def __radd__(self, o):
        return as_value(o).__add__(self)

    def __rsub__(self, o):
        return as_value(o).__sub__(self)

    def __rmul__(self, o):
        return as_value(o).__mul__(self)

    def __rtruediv__(self, o):
        return as_value(o).__truediv__(self)


def as_value(other):
    if type(other) is Value:
        return other
    return Value(other, (), (), False)

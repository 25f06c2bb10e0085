# exercise: value
# about: Does not build on Node; with slots, and one method for all operators.
def as_value(other):
    if isinstance(other, Value):
        return other
    return Value(other, requires_grad=False)


class Value:
    __slots__ = ("data", "operands", "partials", "requires_grad", "grad")

    def __init__(self, data, operands=(), partials=(), requires_grad=True):
        self.data, self.operands, self.partials = data, operands, partials
        self.requires_grad, self.grad = requires_grad, None

    def __pow__(self, n):
        return Value(self.data**n, [self], [n * self.data ** (n - 1)], self.requires_grad)

    @staticmethod
    def _two(operation, left, right):
        left, right = as_value(left), as_value(right)
        a, c = left.data, right.data
        data, partials = {
            "+": lambda: (a + c, [1, 1]),
            "-": lambda: (a - c, [1, -1]),
            "*": lambda: (a * c, [c, a]),
            "/": lambda: (a / c, [1 / c, -a / (c * c)]),
        }[operation]()
        return Value(data, [left, right], partials, any([left.requires_grad, right.requires_grad]))

    def __add__(self, other):
        return self._two("+", self, other)

    def __radd__(self, other):
        return self._two("+", other, self)

    def __sub__(self, other):
        return self._two("-", self, other)

    def __rsub__(self, other):
        return self._two("-", other, self)

    def __mul__(self, other):
        return self._two("*", self, other)

    def __rmul__(self, other):
        return self._two("*", other, self)

    def __truediv__(self, other):
        return self._two("/", self, other)

    def __rtruediv__(self, other):
        return self._two("/", other, self)

# exercise: value
# about: pairs of operand and partial behind properties; operators installed by a loop
class Value(Node):
    __slots__ = ("_links", "_d")

    def __init__(self, data, operands=(), partials=(), requires_grad=True):
        self._d = data
        self._links = tuple(zip(operands, partials))
        self.requires_grad = requires_grad
        self.grad = None

    @property
    def data(self):
        return self._d

    @data.setter
    def data(self, v):
        self._d = v

    @property
    def operands(self):
        return tuple(o for o, _ in self._links)

    @property
    def partials(self):
        return tuple(p for _, p in self._links)

    def __pow__(self, exponent):
        return Value(self.data**exponent, (self,), (exponent * self.data ** (exponent - 1),), self.requires_grad)


def as_value(other):
    return other if isinstance(other, Value) else Value(other, requires_grad=False)


def _install(name, f, p, q):
    def op(a, b):
        a, b = as_value(a), as_value(b)
        return Value(
            f(a.data, b.data), (a, b), (p(a.data, b.data), q(a.data, b.data)), a.requires_grad or b.requires_grad
        )

    setattr(Value, f"__{name}__", op)
    setattr(Value, f"__r{name}__", lambda self, other: op(other, self))


_install("add", lambda a, b: a + b, lambda a, b: 1, lambda a, b: 1)
_install("sub", lambda a, b: a - b, lambda a, b: 1, lambda a, b: -1)
_install("mul", lambda a, b: a * b, lambda a, b: b, lambda a, b: a)
_install("truediv", lambda a, b: a / b, lambda a, b: 1 / b, lambda a, b: -a / b**2)

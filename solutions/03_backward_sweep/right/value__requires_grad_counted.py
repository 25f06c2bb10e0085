# exercise: value
# about: a dataclass; counts the operands that need a gradient
from dataclasses import dataclass
from typing import Any


@dataclass(eq=False)
class Value(Node):
    data: float
    operands: tuple = ()
    partials: tuple = ()
    requires_grad: Any = True
    grad: Any = None

    def __pow__(self, exponent):
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0), self.requires_grad + other.requires_grad)

    def __sub__(self, other):
        other = as_value(other)
        return Value(self.data - other.data, (self, other), (1.0, -1.0), self.requires_grad + other.requires_grad)

    def __mul__(self, other):
        other = as_value(other)
        return Value(
            self.data * other.data, (other, self), (self.data, other.data), self.requires_grad + other.requires_grad
        )

    def __truediv__(self, other):
        other = as_value(other)
        return Value(
            self.data / other.data,
            (self, other),
            (1 / other.data, -self.data / other.data**2),
            self.requires_grad + other.requires_grad,
        )

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self


def as_value(other):
    return other if isinstance(other, Value) else Value(other, requires_grad=False)

# exercise: dual
# about: methods made from a table of rules
import math
import operator


class Dual:
    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent


def rule(function, partials, reflected=False):
    def method(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        a, b = (other, self) if reflected else (self, other)
        in_a, in_b = partials(a.value, b.value)
        return Dual(function(a.value, b.value), in_a * a.tangent + in_b * b.tangent)

    return method


for name, function, partials in [
    ("add", operator.add, lambda a, b: (1, 1)),
    ("sub", operator.sub, lambda a, b: (1, -1)),
    ("mul", operator.mul, lambda a, b: (b, a)),
    ("truediv", operator.truediv, lambda a, b: (1 / b, -a / b**2)),
]:
    setattr(Dual, f"__{name}__", rule(function, partials))
    setattr(Dual, f"__r{name}__", rule(function, partials, reflected=True))
Dual.exp = lambda self: Dual(math.exp(self.value), math.exp(self.value) * self.tangent)

# exercise: binary_partials
# about: one method for each operation
import math


class Rules:
    def add(self, a, b, y):
        return 1, 1

    def sub(self, a, b, y):
        return 1, -1

    def mul(self, a, b, y):
        return b, a

    def div(self, a, b, y):
        return b**-1.0, -a / b / b

    def pow(self, a, b, y):
        return b * math.exp((b - 1) * math.log(a)), y * math.log(a)


NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}


def binary_partials(op, a, b, y):
    return getattr(Rules(), NAMES[op])(a, b, y)

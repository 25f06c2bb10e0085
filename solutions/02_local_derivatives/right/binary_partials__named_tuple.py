# exercise: binary_partials
# about: match, and a NamedTuple comes back
from math import log
from typing import NamedTuple


class Partials(NamedTuple):
    in_a: float
    in_b: float


def binary_partials(op, a, b, y):
    match op:
        case "+" | "-":
            return Partials(1, 1 if op == "+" else -1)
        case "*":
            return Partials(in_a=b, in_b=a)
        case "/":
            return Partials(1 / b, -a / b**2)
        case "**":
            return Partials(0.0 if b == 0 else b * a ** (b - 1), y * log(a))

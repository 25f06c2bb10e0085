# exercise: binary_partials
# about: decimals where they are exact
import math
from decimal import Decimal


def binary_partials(op, a, b, y):
    if op in ("+", "-"):
        return Decimal(1), Decimal(1 if op == "+" else -1)
    if op == "*":
        return Decimal(b), Decimal(a)
    if op == "/":
        return 1 / Decimal(b), -Decimal(a) / Decimal(b) ** 2
    return b * a ** (b - 1), y * math.log(a)

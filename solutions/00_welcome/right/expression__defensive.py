# exercise: expression
# about: checks its inputs, and names the steps
import numbers as _kinds


def expression(x: float, y: float) -> float:
    for given in (x, y):
        assert isinstance(given, _kinds.Real), f"{given!r} is no number"
    result = x + y
    result *= y
    return result

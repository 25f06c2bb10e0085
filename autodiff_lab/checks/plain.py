"""Plain data: the only thing that crosses between a test and a student's code, and how two pieces of it compare.

Plain data is None, bool, int, float, complex, str, bytes, and lists, tuples, sets, dicts and numeric NumPy arrays of
these. Everything is rebuilt from exact built-in types, so that no method of a student's class (``__eq__``,
``__float__``, ``__repr__``) is ever asked what the answer is.
"""

import math
import sys
from typing import Any

_MAX_DEPTH = 200
_SHOWN_CHARACTERS = 400


class NotPlain(TypeError):
    """A value that is not plain data; ``kind`` is the name of its type."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def plain(value: Any, _depth: int = 0) -> Any:
    """Return ``value`` rebuilt from exact built-in types and NumPy arrays, sharing nothing with it.

    Subclasses of built-in types lose their class; NumPy scalars become Python numbers; torch tensors become NumPy
    arrays (0-d ones become numbers). Raises NotPlain for anything else, and for data nested deeper than 200 levels.
    """
    if _depth > _MAX_DEPTH:
        raise NotPlain("data nested too deep")
    kind = type(value)
    if value is None or value is Ellipsis or kind in (bool, int, float, complex, str, bytes):
        return value
    for base, rebuild in _REBUILD:
        if issubclass(kind, base):
            return rebuild(value)
    inner = _depth + 1
    if issubclass(kind, list):
        return [plain(item, inner) for item in list.__iter__(value)]
    if issubclass(kind, tuple):
        return tuple(plain(item, inner) for item in tuple.__iter__(value))
    if issubclass(kind, set | frozenset):
        base = set if issubclass(kind, set) else frozenset
        return {_key(item, inner) for item in base.__iter__(value)}
    if issubclass(kind, dict):
        return {_key(key, inner): plain(item, inner) for key, item in dict.items(value)}
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if torch is not None and issubclass(kind, torch.Tensor):
        value = torch.Tensor.numpy(torch.Tensor.cpu(torch.Tensor.detach(value)))
        kind = type(value)
    if numpy is not None and issubclass(kind, numpy.generic) and issubclass(kind, numpy.number | numpy.bool_):
        return numpy.generic.item(value)
    if numpy is not None and issubclass(kind, numpy.ndarray):
        if numpy.ndarray.dtype.__get__(value).kind not in "biufc":
            raise NotPlain("array of objects")
        array = numpy.array(numpy.ndarray.view(value, numpy.ndarray))
        return array.item() if array.ndim == 0 else array
    raise NotPlain(kind.__name__)


def _key(item: Any, depth: int) -> Any:
    """A plain value that can be hashed: lists inside keys and sets become tuples."""
    return _frozen(plain(item, depth))


def _frozen(item: Any) -> Any:
    if isinstance(item, list | tuple):
        return tuple(map(_frozen, item))
    return frozenset(item) if isinstance(item, set) else item


_REBUILD: tuple[tuple[type, Any], ...] = (
    (int, lambda value: int.__add__(value, 0)),
    (float, lambda value: float.__add__(value, 0.0)),
    (complex, lambda value: complex.__add__(value, 0j)),
    (str, lambda value: "".join(str.__iter__(value))),
    (bytes, lambda value: bytes(bytes.__iter__(value))),
)


def same(expected: Any, got: Any, tolerance: float = 1e-9) -> bool:
    """Whether ``got`` is ``expected``, by value: both plain data, tolerance relative above 1 and absolute below.

    List or tuple, int or float, NumPy or Python number never matter; two ints must be equal exactly; NaN equals NaN.
    """
    if _is_array(expected) or _is_array(got):
        return _same_arrays(expected, got, tolerance)
    if isinstance(expected, bool | int | float | complex):
        return isinstance(got, bool | int | float | complex) and _same_numbers(expected, got, tolerance)
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(expected) == len(got)
            and all(same(left, right, tolerance) for left, right in zip(expected, got, strict=True))
        )
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and expected.keys() == got.keys()
            and all(same(item, got[key], tolerance) for key, item in expected.items())
        )
    if isinstance(expected, set | frozenset):
        return isinstance(got, set | frozenset) and expected == got
    return type(expected) is type(got) and bool(expected == got)


def _same_numbers(expected: complex, got: complex, tolerance: float) -> bool:
    if isinstance(expected, int) and isinstance(got, int):
        return expected == got
    if expected == got or (expected != expected and got != got):
        return True
    try:
        distance = abs(complex(expected) - complex(got))
    except OverflowError:
        return False
    return math.isfinite(distance) and distance <= tolerance * max(1.0, abs(expected))


def _is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def _same_arrays(expected: Any, got: Any, tolerance: float) -> bool:
    import numpy

    try:
        left, right = numpy.asarray(expected), numpy.asarray(got)
    except (ValueError, TypeError):
        return False
    if left.shape != right.shape or left.dtype.kind not in "biufc" or right.dtype.kind not in "biufc":
        return False
    with numpy.errstate(invalid="ignore"):  # inf − inf
        close = numpy.abs(left - right) <= tolerance * numpy.maximum(1.0, numpy.abs(left))
    return bool(numpy.all(close | (left == right) | ((left != left) & (right != right))))


def show(value: Any, other: Any = None) -> str:
    """``value`` as a short text: numbers to 10 digits, unless ``other`` would then look the same."""
    text = _show(value, digits=10)
    if other is not None and text == _show(other, digits=10):
        text = _show(value, digits=17)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 4] + " …" + text[-1]


def _show(value: Any, digits: int) -> str:
    if isinstance(value, float) and not isinstance(value, bool):
        exact = repr(value)
        short = format(value, f".{digits}g")
        return exact if len(exact) <= digits + 2 or short.lstrip("-").isdigit() else short
    if isinstance(value, list):
        return "[" + ", ".join(_show(item, digits) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(_show(item, digits) for item in value) + (",)" if len(value) == 1 else ")")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_show(item, digits)}" for key, item in value.items()) + "}"
    if value is Ellipsis:
        return "..."
    return repr(value)

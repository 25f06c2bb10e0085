"""Plain data: the only thing that crosses between a test and a student's code, and how two pieces of it compare.

Plain data is None, bool, int, float, complex, str, bytes, and lists, tuples, sets, dicts and numeric NumPy arrays of
these. Everything is rebuilt from exact built-in types, so that no method of a student's class (``__eq__``,
``__float__``, ``__repr__``) is ever asked what the answer is.
"""

import array
import cmath
import math
import sys
from collections import deque
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from types import MappingProxyType
from typing import Any

_MAX_DEPTH = 200
_MAX_RANGE = 1_000_000
_SHOWN_CHARACTERS = 400
_SHOWN_DIFFERENCES = 5
_SHOWN_BITS = 10_000
_MAX_EMPTY = 1_000_000


class NotPlain(TypeError):
    """A value that is not plain data; ``kind`` is the name of its type, with what to do where that is simple."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def plain(value: Any, _depth: int = 0) -> Any:
    """Return ``value`` rebuilt from exact built-in types and NumPy arrays, sharing nothing with it.

    Subclasses of built-in types lose their class; Fraction, Decimal and NumPy scalars become Python numbers (those
    that are wider than a float are rounded); a range, a deque and the views of a dict become lists, arrays of strings
    or of objects nested lists; torch tensors become NumPy arrays (0-d ones become numbers).

    Raises NotPlain for anything else, and for data nested deeper than 200 levels. A generator is not plain data:
    reading it would run the student's code and use it up, and what it gives may never end.
    """
    if _depth > _MAX_DEPTH:
        raise NotPlain("data nested too deep")
    kind, inner = type(value), _depth + 1
    if kind in _AS_IT_IS:
        return value
    if kind is list or kind is tuple:  # the types that nearly everything is, without a call for each number in them
        return kind([item if type(item) in _AS_IT_IS else plain(item, inner) for item in value])
    for base, rebuild in _REBUILD:
        if issubclass(kind, base):
            return rebuild(value)
    if issubclass(kind, tuple):
        return tuple(plain(item, inner) for item in tuple.__iter__(value))
    if issubclass(kind, set | frozenset):
        base = set if issubclass(kind, set) else frozenset
        return {_key(item, inner) for item in base.__iter__(value)}
    if issubclass(kind, dict):
        return {_key(key, inner): plain(item, inner) for key, item in dict.items(value)}
    for base in _LISTS:
        if issubclass(kind, base):
            return [plain(item, inner) for item in base.__iter__(value)]
    if kind is range:
        if value[_MAX_RANGE:]:
            raise NotPlain(f"range of more than {_MAX_RANGE:,} numbers")
        return list(value)
    if kind is MappingProxyType:
        return plain(dict(value), inner)
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if torch is not None and issubclass(kind, torch.Tensor):
        value = _array_of(torch, value)
        kind = type(value)
    if numpy is not None and issubclass(kind, numpy.generic):
        value = numpy.asarray(value)
        kind = type(value)
    if numpy is not None and issubclass(kind, numpy.ndarray):
        return _plain_array(numpy, numpy.array(numpy.ndarray.view(value, numpy.ndarray)), inner)
    raise NotPlain(kind.__name__ + _ADVICE.get(kind.__name__, ""))


def _key(item: Any, depth: int) -> Any:
    """A plain value that can be hashed: lists inside keys and sets become tuples."""
    if type(item) in _AS_IT_IS:
        return item
    return _frozen(plain(item, depth))


def _frozen(item: Any) -> Any:
    if isinstance(item, list | tuple):
        return tuple(map(_frozen, item))
    if _is_array(item):
        return _frozen(item.tolist())
    return frozenset(item) if isinstance(item, set) else item


def _array_of(torch: Any, tensor: Any) -> Any:
    """A torch tensor's numbers as a NumPy array. Raises NotPlain for what NumPy has no form for (sparse, quantized)."""
    tensor_type = torch.Tensor
    try:
        tensor = tensor_type.cpu(tensor_type.detach(tensor))
        if tensor.dtype == torch.bfloat16:
            tensor = tensor_type.float(tensor)
        return tensor_type.numpy(tensor_type.resolve_neg(tensor_type.resolve_conj(tensor)))
    except (TypeError, RuntimeError):
        raise NotPlain(f"Tensor of {tensor.dtype}, {tensor.layout}") from None


def _plain_array(numpy: Any, array: Any, depth: int) -> Any:
    """An array of numbers as it is, in at most double precision; one of strings or objects as nested lists."""
    kind = array.dtype.kind
    if is_vast(array.shape):
        raise NotPlain(f"array of shape {array.shape}, in which there is nothing")
    if kind in "biufc":
        if array.dtype.itemsize > (16 if kind == "c" else 8):
            array = array.astype(numpy.complex128 if kind == "c" else numpy.float64)
        return array.item() if array.ndim == 0 else array
    if kind in "USO":
        return plain(array.tolist(), depth)
    raise NotPlain(f"array of {array.dtype}")


def is_vast(shape: tuple[int, ...]) -> bool:
    """Whether an array without elements would be an enormous list of empty lists."""
    return 0 in shape and math.prod(size or 1 for size in shape) > _MAX_EMPTY


def _of_ratio(numerator: int, denominator: int) -> int | float:
    """The number that a fraction is: an int where it is whole, else the nearest float."""
    if numerator % denominator == 0:
        return numerator // denominator
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def _of_fraction(value: Fraction) -> int | float:
    parts = (Fraction._numerator, Fraction._denominator)  # type: ignore[attr-defined]  # the slots, below any property
    numerator, denominator = (plain(part.__get__(value)) for part in parts)
    if type(numerator) is int and type(denominator) is int and denominator:
        return _of_ratio(numerator, denominator)
    raise NotPlain("Fraction of other things than integers")


def _of_decimal(value: Decimal) -> int | float:
    if not Decimal.is_finite(value):
        return math.nan if Decimal.is_nan(value) else Decimal.__float__(value)
    if Decimal.is_zero(value) or abs(Decimal.adjusted(value)) > 400:  # as a ratio, it could be gigantic
        return Decimal.__float__(value)
    return _of_ratio(*Decimal.as_integer_ratio(value))


_AS_IT_IS = frozenset({bool, int, float, complex, str, bytes, type(None), type(Ellipsis)})

_LISTS: tuple[Any, ...] = (list, deque, array.array, type({}.keys()), type({}.values()), type({}.items()))

_REBUILD: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (str, str.__str__),
    (bytes, bytes.__bytes__),
    (bytearray, lambda value: bytes(bytearray.copy(value))),
    (Fraction, _of_fraction),
    (Decimal, _of_decimal),
)
"""How the value of a subclass is read: by the built-in type's own method, which the subclass cannot replace."""

_ADVICE = {
    **dict.fromkeys(
        ("generator", "map", "filter", "zip", "reversed", "enumerate", "chain"),
        ", which only promises the values; list(…) around it makes a list of them",
    ),
    **dict.fromkeys(("function", "method", "builtin_function_or_method"), "; are brackets () missing after its name?"),
    "type": " (a class, not one of its objects)",
}


def listed(value: Any) -> Any:
    """Plain data without arrays and needless complex numbers: what a predicate is given to judge."""
    if _is_array(value):
        return listed(value.tolist())
    if isinstance(value, complex) and value.imag == 0:
        return value.real
    if isinstance(value, list | tuple):
        return type(value)(map(listed, value))
    if isinstance(value, dict):
        return {key: listed(item) for key, item in value.items()}
    return value


def same(expected: Any, got: Any, tolerance: float = 1e-9) -> bool:
    """Whether ``got`` is ``expected``, by value: both plain data, tolerance relative above 1 and absolute below.

    List, tuple or array, int, float or complex, Python's or NumPy's number never matter, and True is 1. Two integers
    must be equal exactly, however large. An infinity equals itself only, nan equals nan, -0.0 equals 0.0. Where a set
    is expected, a list or tuple of its elements, each once, is the same.
    """
    if _is_array(expected) and _is_array(got) and expected.shape != got.shape:
        return False  # also where there is no element: (0, 3) and (0, 2)
    expected, got = (item.tolist() if _is_array(item) else item for item in (expected, got))
    if isinstance(expected, int | float | complex):
        return isinstance(got, int | float | complex) and _same_numbers(expected, got, tolerance)
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(expected) == len(got)
            and all(map(_alike, expected, got, repeat(tolerance)))
        )
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and expected.keys() == got.keys()
            and all(_alike(item, got[key], tolerance) for key, item in expected.items())
        )
    if isinstance(expected, set | frozenset):
        return isinstance(got, set | frozenset | list | tuple) and len(expected) == len(got) and _has_all(expected, got)
    return type(expected) is type(got) and bool(expected == got)


def _alike(expected: Any, got: Any, tolerance: float) -> bool:
    """`same`, quicker where two elements are equal and of one type, as most are."""
    kind = type(expected)
    return (kind is type(got) and kind in _AS_IT_IS and expected == got) or same(expected, got, tolerance)


def _same_numbers(expected: complex, got: complex, tolerance: float) -> bool:
    if isinstance(expected, int) and isinstance(got, int):
        return expected == got
    if expected == got:
        return True
    if isinstance(expected, complex) or isinstance(got, complex):
        if cmath.isfinite(expected) and cmath.isfinite(got):
            return abs(expected - got) <= tolerance * max(1.0, abs(expected))
        return _same_numbers(expected.real, got.real, tolerance) and _same_numbers(expected.imag, got.imag, tolerance)
    if expected != expected or got != got:
        return expected != expected and got != got
    try:
        if math.isinf(expected) or math.isinf(got):
            return False
        return abs(expected - got) <= tolerance * max(1.0, abs(expected))
    except OverflowError:  # an integer beyond every float
        return False


def _has_all(expected: Any, got: Any) -> bool:
    try:
        return bool({_frozen(item) for item in got} == expected)
    except TypeError:  # a dict among them
        return False


def _is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray | numpy.generic)


def show(value: Any, other: Any = None) -> str:
    """``value`` as a short string: numbers to 10 digits, unless ``other`` would then look the same.

    The entries of a dict come in the order in which ``other`` has them.
    """
    if isinstance(value, dict) and isinstance(other, dict):
        value = {key: value[key] for key in [*(k for k in other if k in value), *(k for k in value if k not in other)]}
    text = _show(value, 10, _SHOWN_CHARACTERS)
    if other is not None and text == _show(other, 10, _SHOWN_CHARACTERS):
        text = _show(value, 17, _SHOWN_CHARACTERS)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 4] + " …" + text[-1]


def differences(expected: Any, got: Any, tolerance: float = 1e-9) -> list[str]:
    """Where two dicts, or two long lists, are not the same: one line for each key or place, at most five and a count.

    Empty where the two are better seen as a whole.
    """
    expected, got = listed(expected), listed(got)
    if isinstance(expected, dict) and isinstance(got, dict) and len(expected) + len(got) > 2:
        keys = [*expected, *(key for key in got if key not in expected)]
        places = [(_show(key, 17), key in expected, key in got, expected.get(key), got.get(key)) for key in keys]
    elif isinstance(expected, list | tuple) and isinstance(got, list | tuple) and len(expected) == len(got) > 5:
        places = [(f"[{i}]", True, True, *pair) for i, pair in enumerate(zip(expected, got, strict=True))]
    else:
        return []
    lines = []
    for place, wanted, there, right, came in places:
        if not there:
            lines.append(f"{place}: expected {show(right)}, and it is missing")
        elif not wanted:
            lines.append(f"{place}: got {show(came)}, and it does not belong here")
        elif not same(right, came, tolerance):
            lines.append(f"{place}: expected {show(right, came)}, got {show(came, right)}")
    more = len(lines) - _SHOWN_DIFFERENCES
    return lines if more <= 1 else [*lines[:_SHOWN_DIFFERENCES], f"and at {more} more places"]


def _show(value: Any, digits: int, room: float = math.inf) -> str:
    """``value`` as a string. Of what is longer than ``room`` characters, there is more than so many, and the end."""
    if isinstance(value, float) and not isinstance(value, bool):
        exact = repr(value)
        short = format(value, f".{digits}g")
        return exact if len(exact) <= digits + 2 or short.lstrip("-").isdigit() else short
    if isinstance(value, list):
        return "[" + _joined((_show(item, digits, room) for item in value), room) + "]"
    if isinstance(value, tuple):
        inside = _joined((_show(item, digits, room) for item in value), room)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, dict):
        pairs = (f"{_show(key, 17, room)}: {_show(item, digits, room)}" for key, item in value.items())
        return "{" + _joined(pairs, room) + "}"
    if value is Ellipsis:
        return "..."
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:  # Python refuses to write it
        return f"an integer of about {int(value.bit_length() * math.log10(2)):,} digits"
    if isinstance(value, set | frozenset) and value:
        return "{" + _joined((_show(item, digits, room) for item in value), room) + "}"
    return repr(value)


def _joined(items: Iterable[str], room: float) -> str:
    shown = []
    for item in items:
        shown.append(item)
        room -= len(item) + 2
        if room < 0:
            break
    return ", ".join(shown)

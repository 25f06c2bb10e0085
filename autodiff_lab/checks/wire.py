"""Plain data as text and back: how a question goes to a student's process, and the answer returns.

The text is JSON. What JSON has no form for is an object with one key: ``{"t": [...]}`` is a tuple. What comes from a
student's process may be anything: `loads` accepts exactly what `dumps` writes, within limits, and runs nothing.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from autodiff_lab.checks.plain import NotPlain, is_vast, plain

MAX_BYTES = 16_000_000  # of one text
MAX_ELEMENTS = 1_000_000  # of lists and the like, all together
MAX_DEPTH = 202  # plain data has 200 levels, and stands in an envelope
_MAX_SAME_HASH = 64  # keys that share a hash: many of them make a table as slow as their number squared
_DTYPES = frozenset(
    f"{order}{kind}" for order in "<>|" for kind in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4")
) | {f"{order}{kind}" for order in "<>|" for kind in ("f8", "c8", "c16")}


class WireError(ValueError):
    """A text that is no plain data, or beyond the limits."""


def dumps(value: Any) -> str:
    """Plain data as one line of text. Raises NotPlain for anything else."""
    return json.dumps(_pack(plain(value)), allow_nan=False, separators=(",", ":"))


def loads(text: str | bytes, max_bytes: int = MAX_BYTES) -> Any:
    """The plain data in a text that `dumps` wrote. Raises WireError for any other text."""
    if len(text) > max_bytes:
        raise WireError(f"{len(text)} bytes, more than {max_bytes}")
    try:
        data = text if isinstance(text, str) else text.decode()
        if data.count(",") + data.count("[") + data.count("{") > MAX_ELEMENTS:
            raise WireError(f"more than {MAX_ELEMENTS} elements")
        return _unpack(json.loads(data, parse_constant=_refuse), 0)
    except WireError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError, MemoryError) as error:
        raise WireError(f"not plain data: {type(error).__name__}") from None


def _refuse(name: str) -> Any:
    raise WireError(f"{name} has no place in it")


def _pack(value: Any) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        return value if abs(value) < 2**53 else {"i": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"f": repr(value)}
    if kind is list:
        return [item if type(item) is str else _pack(item) for item in value]
    if kind is tuple:
        return {"t": [item if type(item) is str else _pack(item) for item in value]}
    if kind is dict:
        return {"d": [[_pack(key), _pack(item)] for key, item in value.items()]}
    if kind is set:
        return {"s": [_pack(item) for item in value]}
    if kind is frozenset:
        return {"z": [_pack(item) for item in value]}
    if kind is complex:
        return {"c": [_pack(value.real), _pack(value.imag)]}
    if kind is bytes:
        return {"b": base64.b64encode(value).decode()}
    if value is Ellipsis:
        return {"e": 0}
    if value.dtype.str not in _DTYPES:  # long doubles are not the same everywhere
        raise NotPlain(f"array of {value.dtype}")
    return {"a": [value.dtype.str, list(value.shape), base64.b64encode(value.tobytes()).decode()]}


def _unpack(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise WireError("nested too deep")
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind is float:
        if not math.isfinite(value):
            raise WireError("a number too large")
        return value
    inner = depth + 1
    if kind is list:
        return [item if type(item) is str else _unpack(item, inner) for item in value]
    if len(value) != 1:
        raise WireError("an object of other than one key")
    ((tag, body),) = value.items()
    if tag == "t":
        return tuple(_unpack(item, inner) for item in _a_list(body))
    if tag == "d":
        pairs = [_a_list(pair) for pair in _a_list(body)]
        keys = _keys(_unpack(key, inner) for key, _ in pairs)
        return dict(zip(keys, (_unpack(item, inner) for _, item in pairs), strict=True))
    if tag == "s":
        return set(_keys(_unpack(item, inner) for item in _a_list(body)))
    if tag == "z":
        return frozenset(_keys(_unpack(item, inner) for item in _a_list(body)))
    if tag == "c":
        real, imag = (_unpack(part, inner) for part in _a_list(body))
        if type(real) is type(imag) is float:
            return complex(real, imag)
    if tag == "i":
        return int(_a_text(body), 16)
    if tag == "f" and body in ("inf", "-inf", "nan"):
        return float(body)
    if tag == "b":
        return _bytes(body)
    if tag == "e":
        return Ellipsis
    if tag == "a":
        return _array(*_a_list(body))
    raise WireError(f"not a kind of value: {tag[:20]!r}")


def _keys(given: Iterable[Any]) -> list[Any]:
    """The keys of a dict or set. Refuses what would make looking them up endless."""
    keys = list(given)
    if len(keys) > _MAX_SAME_HASH and max(Counter(map(hash, keys)).values()) > _MAX_SAME_HASH:
        raise WireError("keys made to collide")
    return keys


def _array(dtype: Any, shape: Any, data: Any) -> Any:
    import numpy

    if dtype not in _DTYPES:
        raise WireError("an array of an unknown dtype")
    sizes = tuple(_a_list(shape))
    if len(sizes) > 32 or not all(type(size) is int and size >= 0 for size in sizes):
        raise WireError("an array of an impossible shape")
    if is_vast(sizes):
        raise WireError("an array of nothing, too often")
    content = _bytes(data)
    if math.prod(sizes) * numpy.dtype(dtype).itemsize != len(content):
        raise WireError("an array whose shape and content do not fit")
    return numpy.frombuffer(content, dtype).reshape(sizes).copy()


def _bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(_a_text(value), validate=True)
    except binascii.Error as error:
        raise WireError("bytes that are no base64") from error


def _a_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise WireError("something that is no list where one belongs")
    return value


def _a_text(value: Any) -> str:
    if not isinstance(value, str):
        raise WireError("something that is no text where one belongs")
    return value

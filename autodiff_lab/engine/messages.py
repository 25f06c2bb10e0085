"""What went wrong, in words: the op, the shapes, the dtypes, the devices, the line, and what to do next."""

from __future__ import annotations

import linecache
import os
import sys
from pathlib import Path

from autodiff_lab.engine.dtypes import dtype_name, is_floating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from autodiff_lab.engine.ops import Op

    Place = tuple[str, int, str]  # file, line, function

PACKAGE = f"{Path(__file__).parent.parent}{os.sep}"


def explained(op: Op, error: Exception, *operands: Any, params: tuple[Any, ...] = ()) -> Exception:
    """What went wrong in an operation on arrays, with the shapes, dtypes and devices in question."""
    if len({str(x.device) for x in (*operands, *params) if hasattr(x, "device")}) > 1:
        return apart(op.name, (*operands, *params))
    shapes = [tuple(getattr(x, "shape", ())) for x in operands]
    shown = " and ".join(str(shape) for shape in shapes)
    if op.name == "matmul":
        a, b = shapes
        if not a or not b:
            return RuntimeError(f"matmul of {shown}: each side needs at least one dimension. Write * for a number.")
        inner, outer = a[-1], b[-2] if len(b) > 1 else b[0]
        if inner != outer:
            advice = " Reshape one of them."
            if len(b) > 1 and inner == b[-1]:
                advice = " Did you mean a @ b.mT?"
            elif len(a) > 1 and a[-2] == outer:
                advice = " Did you mean a.mT @ b?"
            return RuntimeError(
                f"matmul of {shown}: the last size of a, {inner}, must be the "
                f"{'second to last' if len(b) > 1 else 'only'} size of b, {outer}.{advice}"
            )
        if not broadcastable(a[:-2], b[:-2]):
            return RuntimeError(
                f"matmul of {shown}: the sizes before the last two, {a[:-2]} and {b[:-2]}, do not broadcast. From the "
                "right, they must be equal or 1."
            )
    if op.name.startswith("bitwise") and any(is_floating(getattr(x, "dtype", "bool")) for x in operands):
        dtypes = " and ".join(dtype_name(x.dtype) for x in operands if hasattr(x, "dtype"))
        return TypeError(f"{op.name} of dtype {dtypes}: it takes booleans or integers. Compare first, as in x > 0.")
    if op.arity == 2 and not broadcastable(*shapes):
        return RuntimeError(
            f"{op.name} of shapes {shown}: they do not broadcast. From the right, sizes must be equal or 1. "
            "Insert a dimension of size 1 with unsqueeze() or reshape()."
        )
    kinds = (TypeError, ValueError, IndexError, MemoryError, NotImplementedError)
    kind = next((kind for kind in kinds if isinstance(error, kind)), RuntimeError)
    why = str(error).splitlines() or [kind.__name__]
    return kind(f"{op.name} of shape{'s' * (len(shapes) > 1)} {shown}: {why[0]}")


def apart(name: str, operands: Sequence[Any]) -> RuntimeError:
    """The error for operands of ``name`` that are on several devices."""
    devices = sorted({str(x.device) for x in operands if hasattr(x, "device")})
    return RuntimeError(
        f"{name} of tensors on {' and '.join(devices)}: bring them to one device first, with x.to({devices[-1]!r})"
    )


def broadcastable(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes can be repeated to the same one."""
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b), strict=False))


def shortened(value: Any) -> str:
    """How a value is shown in a message."""
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


def users_line() -> Place:
    """The line that is running now, outside this package and the code that it generates."""
    frame: Any = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith((PACKAGE, "<autodiff_lab ")):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name


def line_in_words(place: Place) -> str:
    """A line in a message, with its text."""
    file, line, function = place
    text = linecache.getline(file, line).strip()
    return f"{function}, line {line} of {Path(file).name}" + (f":\n    {text}" if text else "")

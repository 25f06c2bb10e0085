"""How a number is written in pictures, tables and views: four significant digits, a true minus sign, blank when there
is none yet.
"""

from __future__ import annotations

import math
from typing import Any

_LONGEST = 16


def show(value: Any) -> str:
    """`value` as short text: `None` is blank, a real number has four significant digits (whole numbers up to 999,999 in
    full).
    """
    if value is None:
        return ""
    if isinstance(value, (bool, str)):
        return shorten(str(value))
    try:
        number = float(value)
    except Exception:  # an array, or whatever a student put there: say what it is, never fail
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and shape:
            return shorten("array " + "×".join(map(str, shape)))
        return shorten(type(value).__name__)
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if number == int(number) and abs(number) < 1e6:
        return str(int(number)).replace("-", "−")
    return f"{number:.4g}".replace("-", "−")


def shorten(text: str, longest: int = _LONGEST) -> str:
    """`text` on one line, at most `longest` characters, with an ellipsis where something was cut."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"

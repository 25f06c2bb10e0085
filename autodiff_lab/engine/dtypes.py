"""Dtypes: their names, in whatever form they are given, and which one an operation computes in."""

from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_DTYPE = "float64"  # that of a Python float, and of a Scalar
FLOATS = ("float64", "float32", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8")
DTYPES = (*FLOATS, *INTEGERS, "bool")


@functools.cache
def dtype_name(dtype: Any) -> str:
    """``float32`` for that dtype in any of its forms: text, NumPy's, torch's; ``float``, ``int`` and ``bool`` too.

    TypeError for anything else.
    """
    if dtype is float or dtype is int or dtype is bool:
        return {float: DEFAULT_DTYPE, int: "int64", bool: "bool"}[dtype]
    name = getattr(dtype, "__name__", None) or str(dtype).rpartition(".")[2]
    name = {"double": "float64", "float": "float32", "long": "int64", "half": "float16"}.get(name, name)
    if name not in DTYPES:
        raise TypeError(f"{name} is no dtype of tensors. These are {', '.join(DTYPES)}.")
    return name


def numpy_dtype(dtype: Any) -> str:
    """The name of a dtype that NumPy has; TypeError for another."""
    if dtype_name(dtype) == "bfloat16":
        raise TypeError("NumPy has no dtype bfloat16. Use float32, or a tensor over a torch array, which has it.")
    return dtype_name(dtype)


def is_floating(dtype: Any) -> bool:
    """Whether numbers of the dtype have derivatives."""
    return "float" in dtype_name(dtype)


def is_integer(dtype: Any) -> bool:
    """Whether numbers of the dtype can be indices."""
    return "int" in dtype_name(dtype)


def common_dtype(arrays: list[Any]) -> str:
    """The dtype an operation on ``arrays`` computes in, by torch's rule.

    Floats before integers before booleans; within the highest of these kinds the widest dtype counts, of arrays with
    dimensions if there are any. Two of one width of which neither holds the other meet in the next one.
    """

    def rank(array: Any) -> tuple[int, bool, int]:
        name = dtype_name(array.dtype)
        kind = 2 if "float" in name else 0 if name == "bool" else 1
        return kind, array.ndim > 0, int("".join(filter(str.isdigit, name)) or 0)

    top = max(map(rank, arrays))
    widest = {dtype_name(array.dtype) for array in arrays if rank(array) == top}
    return widest.pop() if len(widest) == 1 else "float32" if "float16" in widest else f"int{2 * top[2]}"

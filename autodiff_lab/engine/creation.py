"""New tensors of a given shape: zeros, a sequence, random numbers. Under PyTorch's names, with its arguments.

``dtype`` is float64 where PyTorch's is float32, as everywhere here; of `arange`, `randint` and `randperm` int64. They
are over NumPy arrays, unless ``device`` names a device that only torch has.
"""

from __future__ import annotations

import math

from autodiff_lab.engine.dtypes import DEFAULT_DTYPE
from autodiff_lab.engine.generator import Generator, default_generator
from autodiff_lab.engine.structured import ints
from autodiff_lab.engine.tensor import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def full(size: Any, fill_value: float, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """The same number everywhere, in a tensor of shape ``size``."""
    import numpy

    dtype = dtype or (
        "bool" if isinstance(fill_value, bool) else DEFAULT_DTYPE if isinstance(fill_value, float) else "int64"
    )
    return make(numpy.full(ints(size), fill_value), dtype, requires_grad, device)


def zeros(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Zeros: ``zeros(2, 3)``, ``zeros((2, 3))``."""
    return full(ints(*size), 0.0, dtype=dtype, device=device, requires_grad=requires_grad)


def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones: ``ones(2, 3)``, ``ones((2, 3))``."""
    return full(ints(*size), 1.0, dtype=dtype, device=device, requires_grad=requires_grad)


def zeros_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Zeros in the shape, the dtype and on the device of a tensor."""
    return full_like(input, 0, dtype=dtype, requires_grad=requires_grad)


def ones_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Ones in the shape, the dtype and on the device of a tensor."""
    return full_like(input, 1, dtype=dtype, requires_grad=requires_grad)


def full_like(input: Any, fill_value: float, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """The same number everywhere, in the shape, the dtype and on the device of a tensor."""
    array = input._backend.names["zeros_like"](input._data) + fill_value
    return make(array, dtype or input.dtype, requires_grad)


def arange(
    start: float,
    end: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Numbers at equal distances, ``end`` not among them: ``arange(4)``, ``arange(1.0, 2.0, 0.1)``."""
    import numpy

    start, end = (0, start) if end is None else (start, end)
    dtype = dtype or ("int64" if all(isinstance(x, int) for x in (start, end, step)) else DEFAULT_DTYPE)
    return make(start + step * numpy.arange(max(math.ceil((end - start) / step), 0)), dtype, requires_grad, device)


def linspace(
    start: float, end: float, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """So many numbers at equal distances, from ``start`` to ``end``, both among them."""
    import numpy

    return make(numpy.linspace(start, end, steps), dtype, requires_grad, device)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones on the diagonal, else zeros."""
    import numpy

    return make(numpy.eye(n, m), dtype, requires_grad, device)


def rand(
    *size: Any, generator: Generator | None = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Random numbers from 0 to 1, all equally likely."""
    values = (generator or default_generator()).uniform(ints(*size), "float64")
    return make(values, dtype, requires_grad, device)


def randn(
    *size: Any, generator: Generator | None = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Normally distributed random numbers, of mean 0 and variance 1."""
    return make((generator or default_generator()).normal(ints(*size)), dtype, requires_grad, device)


def randint(
    low: int, high: Any, size: Any = None, *, generator: Generator | None = None, dtype: Any = None, device: Any = None
) -> Any:
    """Random integers, ``high`` not among them: ``randint(0, 10, (3,))``, ``randint(10, (3,))``."""
    low, high, size = (0, low, high) if size is None else (low, high, size)
    return make((generator or default_generator()).integers(low, high, ints(size)), dtype, False, device)


def randperm(n: int, *, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Any:
    """The integers from 0 to ``n - 1`` in random order."""
    return make((generator or default_generator()).permutation(n), dtype, False, device)

"""From what a caller gives to arrays: numbers, nested lists, NumPy's and torch's arrays, nodes among them."""

from __future__ import annotations

from autodiff_lab.engine.backend import Backend, numpy_backend, torch_backend
from autodiff_lab.engine.devices import import_torch
from autodiff_lab.engine.dtypes import DTYPES, dtype_name, numpy_dtype
from autodiff_lab.engine.messages import shortened
from autodiff_lab.engine.modes import refuse
from autodiff_lab.engine.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def as_array(data: Any, backend: Backend, dtype: Any, device: Any = None) -> Any:
    """``data`` as an array of a backend, of a dtype (None: its own; floats in a list become float64)."""
    if isinstance(data, Node):
        data = data._data
    if backend.name == "numpy":
        import numpy

        if hasattr(data, "cpu"):
            data = numpy_from_torch(data)
        made = numpy.asarray(data, dtype=None if dtype is None else numpy_dtype(dtype))
        if made.dtype.kind not in "fiub":
            raise TypeError(
                f"tensor({shortened(data)}): NumPy makes an array of dtype {made.dtype} of it, and a tensor holds real "
                f"numbers: {', '.join(DTYPES)}."
            )
        made = made if made.dtype.isnative else made.astype(made.dtype.newbyteorder("="))
        dtype_name(made.dtype)
        return made
    if not isinstance(data, backend.array):
        data = torch_from_numpy(as_array(data, numpy_backend(), None))
    data = backend.names["astype"](data.detach(), data.dtype if dtype is None else dtype)
    return data if device is None else backend.names["to_device"](data, device)


def without_nodes(data: Any) -> Any:
    """Nested lists with the values in the place of the nodes."""
    refuse(data, "tensor() of a list")
    if isinstance(data, (list, tuple)):
        return [without_nodes(part) for part in data]
    if isinstance(data, Node):
        return data.detach().tolist() if hasattr(data, "tolist") else data._data  # type: ignore[attr-defined]
    return data


def numpy_from_torch(array: Any) -> Any:
    """A torch array as NumPy's: the same memory if it is on the CPU, else a copy of it."""
    numpy_dtype(array.dtype)
    return torch_backend().names["to_device"](array.detach(), "cpu").numpy()


def torch_from_numpy(array: Any) -> Any:
    """A NumPy array as torch's: the same memory, or a copy where torch cannot use it.

    That is memory that may not be written to, or that is read backwards.
    """
    import numpy

    array = numpy.asarray(array)  # a number of NumPy's has no memory to share
    usable = array.flags.writeable and min(array.strides, default=0) >= 0
    return import_torch("an array of torch's").from_numpy(array if usable else array.copy())

"""From NumPy, to PyTorch and back. On the CPU nothing is copied: both sides look at the same memory."""

from __future__ import annotations

from numbers import Real

from autodiff_lab.engine.arrays import torch_from_numpy
from autodiff_lab.engine.backend import backend_of, numpy_backend
from autodiff_lab.engine.crossing import cross
from autodiff_lab.engine.devices import import_torch
from autodiff_lab.engine.dtypes import dtype_name
from autodiff_lab.engine.messages import shortened
from autodiff_lab.engine.modes import refuse
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import Scalar, tensor
from autodiff_lab.engine.tensor import Tensor, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """`tensor` without a copy where none is needed: of an array of that dtype the memory is shared, a tensor is itself.

    What is written into the array shows in the tensor, and no sweep can notice that. A change in place of the tensor
    gives it memory of its own.
    """
    if isinstance(data, Node):
        return data if isinstance(data, Scalar) and dtype is device is None else to_tensor(data, dtype, device)
    return tensor(data) if isinstance(data, Real) and dtype is device is None else make(data, dtype, device=device)


def to_tensor(x: Any, dtype: Any, device: Any) -> Any:
    """A node as a tensor of a dtype, on a device; its adjoint finds the way back."""
    return (cross(x, numpy_backend()) if isinstance(x, Scalar) else x).to(dtype=dtype, device=device)


def from_numpy(array: Any) -> Any:
    """A NumPy array as a `Tensor` over the same memory, as from `as_tensor`. TypeError for anything else."""
    if backend_of(array) is not numpy_backend() or not hasattr(array, "flags") or isinstance(array, Real):
        raise TypeError(
            f"from_numpy takes a NumPy array, not {type(array).__name__}: {shortened(array)}. Use tensor()."
        )
    return make(array)


def to_torch(x: Any) -> Any:
    """A `Tensor` as a torch tensor of the same shape, dtype and device.

    Its memory is that of ``x.data``: what is written into one shows in the other. A change in place of ``x`` itself,
    like ``x -= 1``, gives ``x`` memory of its own. A copy is made only of NumPy arrays that torch cannot use: those
    that may not be written to, as an expanded one, and those that are read backwards.

    Raises TypeError for what is no Tensor, RuntimeError if ``x`` requires grad: torch does not know its graph.
    """
    if not isinstance(x, Tensor):
        hint = (
            "torch.tensor(float(x)) makes a torch tensor of a number" if hasattr(x, "item") else "make one by tensor()"
        )
        raise TypeError(f"to_torch takes a Tensor, not {type(x).__name__}: {shortened(x)}; {hint}")
    import_torch("to_torch")
    refuse(x, "to_torch()")
    if x.requires_grad:
        raise RuntimeError(
            f"to_torch of a tensor {x._in_words()} that requires grad: torch does not know how it was computed, and no "
            "gradient would find the way back. Write to_torch(x.detach())."
        )
    return x.data.detach() if x._backend.name == "torch" else torch_from_numpy(x.data)


def from_torch(t: Any) -> Any:
    """A torch tensor as a `Tensor` over a NumPy array with the same memory, shape and dtype; it requires no grad.

    ``as_tensor(t)`` in contrast makes one over torch's array itself, on whatever device, and ``tensor(t)`` a copy.

    Raises TypeError for what is no torch tensor or has a dtype that NumPy lacks, RuntimeError for a tensor that is not
    on the CPU, is sparse, or requires grad.
    """
    torch = import_torch("from_torch")
    if not isinstance(t, torch.Tensor):
        raise TypeError(f"from_torch takes a torch tensor, not {type(t).__name__}: {shortened(t)}; use tensor()")
    what = f"from_torch of a torch tensor of shape {tuple(t.shape)}"
    if t.requires_grad:
        raise RuntimeError(
            f"{what} that requires grad: what torch recorded of it ends here, and no gradient would find the way back. "
            "Write from_torch(t.detach()), and .requires_grad_() behind it for a leaf."
        )
    if t.device.type != "cpu":
        raise RuntimeError(
            f"{what} on {t.device}: NumPy's memory is the CPU's. Write from_torch(t.cpu()) for a copy, or tensor(t) "
            f"for a tensor that stays on {t.device}."
        )
    if t.layout is not torch.strided:
        raise RuntimeError(f"{what} that is sparse: NumPy has no such arrays. Write from_torch(t.to_dense()).")
    if dtype_name(t.dtype) == "bfloat16":
        raise TypeError(f"{what} of dtype bfloat16, which NumPy lacks. Write from_torch(t.float()), or tensor(t).")
    return make(t.numpy())

"""To PyTorch and back. On the CPU nothing is copied: both sides look at the same memory."""

from __future__ import annotations

from autodiff_lab.engine.arrays import torch_from_numpy
from autodiff_lab.engine.devices import import_torch
from autodiff_lab.engine.dtypes import dtype_name
from autodiff_lab.engine.messages import shortened
from autodiff_lab.engine.modes import refuse
from autodiff_lab.engine.tensor import Tensor, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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

    ``tensor(t)`` in contrast makes one over torch's array itself, on whatever device.

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

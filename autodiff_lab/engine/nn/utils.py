"""What is done with the parameters of a model as a whole: `torch.nn.utils`."""

from __future__ import annotations

import math

from autodiff_lab.engine.composed import rows
from autodiff_lab.engine.nn.module import take
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import Scalar
from autodiff_lab.engine.tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """Scale all gradients by one factor, if together, as one vector, they are longer than ``max_norm``.

    Returns the length before, a `Scalar`; ``norm_type`` 2 is the Euclidean one, inf the size of the greatest element.
    RuntimeError for a length that is not finite, if ``error_if_nonfinite``.
    """
    chosen = with_grads(parameters)
    lengths = [length(x.grad._data if isinstance(x.grad, Node) else x.grad, norm_type) for x in chosen]
    total = length(lengths, norm_type)
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(
            f"the gradients of {len(chosen)} parameters have norm {total}. Run the step in detect_anomaly() to see "
            "where the first number that is not finite comes from."
        )
    factor = float(max_norm) / (total + 1e-6)
    if not factor >= 1:
        change_grads(chosen, lambda g: g * factor)
    return Scalar(total, requires_grad=False)


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Bring every element of all gradients between ``-clip_value`` and ``clip_value``."""
    limit = float(clip_value)
    change_grads(
        with_grads(parameters), lambda g: g.clip(-limit, limit) if hasattr(g, "clip") else max(-limit, min(g, limit))
    )


def with_grads(parameters: Any) -> list[Any]:
    """Those of the parameters, a list or a single one, that have a gradient."""
    return [x for x in ([parameters] if isinstance(parameters, Node) else parameters) if x.grad is not None]


def change_grads(parameters: list[Any], change: Callable[[Any], Any]) -> None:
    """Put new arrays in the place of the gradients; the old ones may be other nodes' too and stay as they are."""
    for x in parameters:
        if isinstance(x, Tensor):
            x.grad = x._constant(x._backend.names["silent"](change)(x.grad._data))  # inf * 0 is nan, without a warning
        else:
            x.grad = change(float(x.grad))


def length(g: Any, kind: float) -> float:
    """The norm of an array, a number or a list of numbers."""
    if isinstance(g, list):
        return max(g, default=0.0) if kind == math.inf else sum(n**kind for n in g) ** (1 / kind)
    size = abs(g)
    if not hasattr(size, "sum"):
        return float(size)
    if kind == math.inf:
        return float(size.max()) if math.prod(size.shape) else 0.0
    wide = size.astype("float64") if hasattr(size, "astype") else size.double()
    total = float((wide**kind).sum())
    return float(total ** (1 / kind))


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """All parameters in one tensor of one dimension; gradients flow through."""
    return rows["cat"]([x.reshape(-1) for x in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """The parts of a vector as the new values of the parameters; ValueError if there are too few or too many."""
    chosen = list(parameters)
    sizes = [x.numel() for x in chosen]
    if tuple(vec.shape) != (sum(sizes),):
        raise ValueError(f"vector_to_parameters: a vector of shape {tuple(vec.shape)} for {sum(sizes)} elements")
    for x, part in zip(chosen, vec.detach().split(sizes), strict=True):
        take(x, part.reshape(x.shape))

"""Crossing between kinds of nodes, scalars and tensors over NumPy or torch arrays: the adjoint goes back to the kind
that it came from.
"""

from __future__ import annotations

from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.backend import Backend, torch_backend
from autodiff_lab.engine.modes import state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import Op
from autodiff_lab.engine.rules import Rule
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Crossing(Rule):
    """The rule of a node that has the value of a node of another kind."""

    __slots__ = ()

    def shares(self, g: Any, node: Any) -> Any:
        x = node._a
        if isinstance(g, Node):
            yield x, to_scalar(g) if isinstance(x, Scalar) else cross(g, x._backend, x._data.device, x.dtype)
        else:
            yield x, float(g) if isinstance(x, Scalar) else as_array(g, x._backend, x.dtype, x._data.device)


CROSSING = Crossing(Op("to", "a", "g"), "a")


def cross(x: Any, backend: Backend, device: Any = None, dtype: Any = None) -> Any:
    """A node as a tensor of a backend; the adjoint finds the way back."""
    node = backend.tensor._constant(as_array(x._data, backend, dtype, device))
    return link(node, x)


def to_scalar(x: Any) -> Any:
    """A tensor of one element as a Scalar; the adjoint finds the way back."""
    return link(Scalar(x._data.item(), requires_grad=False), x)


def link(node: Any, x: Any) -> Any:
    """Make ``node`` a result computed from ``x``, if that is recorded."""
    if state.recording and x.requires_grad:
        node._a, node._rule = x, CROSSING
    if state.trace is not None:
        state.trace.note_crossing(node, x)
    return node


def to_device(x: Any, device: str) -> Any:
    """A tensor on another device. One over a NumPy array becomes one over a torch array, unless it stays on the CPU."""
    if x._backend.name == "torch":
        return x if str(x.device) == device else FUNCTIONS["to_device"](x, device)
    return x if device == "cpu" else cross(x, torch_backend(), device)

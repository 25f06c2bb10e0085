"""Derivatives of nodes with respect to nodes, not added to any ``grad``: PyTorch's `torch.autograd.grad`."""

from __future__ import annotations

from autodiff_lab.engine.backward import sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Any, ...]:
    """The derivatives of ``outputs``, weighted by ``grad_outputs`` and summed, with respect to ``inputs``.

    Each of the first three arguments is a node or a list of
    them. Returns a tuple with one adjoint for each input: a float, or a node with ``create_graph=True``. An input that
    does not require grad, or that the outputs do not depend on, raises RuntimeError; with ``allow_unused=True`` the
    latter gives None.
    """
    roots, wanted = as_list(outputs), as_list(inputs)
    weights = [None] * len(roots) if grad_outputs is None else as_list(grad_outputs)
    for what, nodes in (("output", roots), ("input", wanted)):
        for position, x in enumerate(nodes):
            if not hasattr(x, "requires_grad") or not hasattr(x, "_rule"):
                raise TypeError(
                    f"grad: {what} {position} is a {type(x).__name__}, not a node: {x!r:.60}. Make it with tensor(…, "
                    "requires_grad=True), and compute with that."
                )
    if len(weights) != len(roots):
        raise ValueError(f"grad: {len(roots)} outputs, but {len(weights)} grad_outputs; give one for each, or None")
    for position, x in enumerate(wanted):
        if not x.requires_grad:
            raise RuntimeError(
                f"grad: input {position}, {x._named()}, does not require grad. Make it with requires_grad=True."
            )
    found: dict[Any, Any] = {}
    handles = [x.register_hook(lambda g, x=x: found.__setitem__(x, g)) for x in dict.fromkeys(wanted) if not x.is_leaf]
    try:
        leaves = sweep(list(zip(roots, weights, strict=True)), retain_graph, create_graph)
    finally:
        for handle in handles:
            handle.remove()
    found.update({x: x._shown(x._rule.arrive(leaves[x], x)) for x in dict.fromkeys(wanted) if x in leaves})
    for position, x in enumerate(wanted):
        if x not in found and not allow_unused:
            hint = "Pass allow_unused=True to get None for it."
            raise RuntimeError(f"grad: the outputs do not depend on input {position}, {x._named()}. {hint}")
    return tuple(found.get(x) for x in wanted)


def adjoints_of(inputs: Any, outputs: Any, weights: Any, create_graph: bool) -> Any:
    """`grad` that can be called again; None for inputs that none of the outputs depends on, which may be constants."""
    pairs = [(y, g) for y, g in zip(outputs, weights, strict=True) if getattr(y, "requires_grad", False)]
    if not pairs:
        return [None] * len(inputs)
    roots, seeds = zip(*pairs, strict=True)
    return grad(roots, inputs, seeds, retain_graph=True, create_graph=create_graph, allow_unused=True)


def as_list(given: Any) -> list[Any]:
    """What was given, one thing or a list or tuple of them, as a list."""
    return list(given) if isinstance(given, (list, tuple)) else [given]

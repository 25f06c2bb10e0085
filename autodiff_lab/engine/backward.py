"""The backward sweep: one walk over the graph in reverse topological order, for every node type and every mode.

Nothing here knows an operation. A node's rule pulls its adjoint through to the operands and adds the shares up in a dict:

    adjoints[x] = adjoints[x] + share if x in adjoints else share
"""

from __future__ import annotations

from autodiff_lab.engine.rules import LEAF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

FREED = object()  # what the links of a node lead to once a sweep has passed it


def topological_order(root: Any) -> list[Any]:
    """Every node ``root`` was computed from, and itself; operands before the nodes that use them. Iterative, linear in the graph."""
    order, seen, stack = [], set(), [root]
    while stack:
        node = stack.pop()
        if node is None:
            order.append(stack.pop())
        elif node not in seen:
            seen.add(node)
            stack += node, None
            stack += (x for x in reversed(node.operands) if hasattr(x, "_rule"))
    return order


def recorded_order(roots: Iterable[Any]) -> list[Any]:
    """The nodes of `topological_order` that an op computed and that require grad: those a sweep passes."""
    order, seen, stack = [], set(), [root for root in roots if root._a is not None]
    node = None
    try:
        while stack:
            node = stack.pop()
            if node is None:  # all that the node below was computed from is in order
                order.append(stack.pop())
            elif node not in seen:
                seen.add(node)
                stack.append(node)
                stack.append(None)
                x = node._a
                if x._a is not None:
                    stack.append(x)
                x = node._b
                if x is not None and x._a is not None:
                    stack.append(x)
    except AttributeError:  # FREED has no links; looking for them here costs the usual sweep nothing
        raise RuntimeError(
            f"backward through a graph that was already freed: the {node.op} node with value {node.data!r} has been swept before. "
            "Pass retain_graph=True to the first backward() if you need a second one."
        ) from None
    return order


def sweep(adjoints: dict[Any, Any], retain: bool, graph: bool, keep: Iterable[Any] = ()) -> dict[Any, Any]:
    """Pull ``adjoints`` from the roots down to the leaves; return those of the leaves and of the nodes in ``keep``."""
    order = recorded_order(adjoints)
    keep = {node for node in keep if not node.is_leaf}
    kept = {}
    while order:
        node = order.pop()
        g = adjoints.pop(node)
        rule = node._rule
        if rule.watch is not None:
            g = rule.watch(g, node)
        if keep and node in keep:
            kept[node] = g
        if graph:
            rule.pull_graph(g, node, adjoints)
        else:
            rule.pull(g, node, adjoints)
        if not retain:
            node._a = node._b = FREED
    for leaf, g in adjoints.items():
        kept[leaf] = g if leaf._rule.watch is None else leaf._rule.watch(g, leaf)
    return kept


def backward(root: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
    """Sweep from ``root`` and add each leaf's adjoint to its ``grad``. `Scalar.backward` says what the arguments mean."""
    retain = create_graph if retain_graph is None else retain_graph
    for leaf, g in sweep({root: first_adjoint(root, gradient, create_graph)}, retain, create_graph).items():
        leaf.grad = g if leaf.grad is None else leaf.grad + g


def first_adjoint(root: Any, gradient: Any, create_graph: bool) -> Any:
    """The adjoint a sweep begins with: 1, or what the caller gave."""
    if not root.requires_grad:
        raise RuntimeError(
            f"backward from {root!r}: it does not require grad, because nothing it was computed from does, or because it was computed "
            "under no_grad() or detached. Make the inputs with requires_grad=True."
        )
    g = 1.0 if gradient is None else gradient
    if create_graph:
        return g if isinstance(g, type(root)) else type(root)(g, requires_grad=False)
    return float(g)


def adjoints(root: Any) -> list[tuple[Any, float]]:
    """Every node that requires grad with its adjoint, in topological order. The graph, and every ``grad``, stay as they are."""
    order = [node for node in topological_order(root) if node.requires_grad]
    found = sweep({root: first_adjoint(root, None, False)}, True, False, keep=order)
    return [(node, found[node]) for node in order]


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Any, ...]:
    """PyTorch's `torch.autograd.grad`: the derivatives of ``outputs`` (summed) with respect to ``inputs``, no ``grad`` touched.

    Returns a tuple with one adjoint for each input: a float, or a node with ``create_graph=True``. An input that the outputs do not
    depend on raises RuntimeError, or gives None with ``allow_unused=True``.
    """
    roots: Sequence[Any] = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
    wanted: Sequence[Any] = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    seeds = grad_outputs if isinstance(grad_outputs, (list, tuple)) else [grad_outputs] * len(roots)
    first: dict[Any, Any] = {}
    for root, seed in zip(roots, seeds, strict=True):
        g = first_adjoint(root, seed, create_graph)
        first[root] = first[root] + g if root in first else g
    retain = create_graph if retain_graph is None else retain_graph
    found = sweep(first, retain, create_graph, keep=wanted)
    for position, node in enumerate(wanted):
        if not node.requires_grad:
            raise RuntimeError(
                f"grad: input {position}, {node!r}, does not require grad. Make it with requires_grad=True."
            )
        if node not in found and not allow_unused:
            raise RuntimeError(
                f"grad: the outputs do not depend on input {position}, {node!r}. Pass allow_unused=True to get None for it."
            )
    return tuple(found.get(node) for node in wanted)

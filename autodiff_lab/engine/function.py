"""A computation of several operands and several results as one step of the graph."""

from __future__ import annotations

from autodiff_lab.engine import ops
from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.modes import no_grad, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.parts import Shares
from autodiff_lab.engine.rules import Rule
from autodiff_lab.engine.scalar import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Backward = Callable[[list[Any]], list[Any]]


class Step(Node):
    """What the results of the computation point to. It leads to those operands that require grad."""

    __slots__ = ("parts",)
    parts: tuple[Any, ...]


class ResultRule(Rule):
    """Delivers the adjoint of one result to the step, with its number."""

    __slots__ = ("number",)

    def __init__(self, op: ops.Op, number: int) -> None:
        super().__init__(op, "a")
        self.number = number

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, Shares([(self.number, g)]), *rest)

    pull_graph = pull  # type: ignore[assignment]

    def saves(self) -> tuple[str, ...]:
        return ()

    def shares(self, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        step = node._a
        bare = not hasattr(g, "_rule")
        found = step._rule.adjoints([(self.number, as_node(g) if bare else g)])
        for x, share in zip(step.parts, found, strict=True):
            if share is not None and x.requires_grad:
                yield x, share.data if bare else share


class StepRule(Rule):
    """Calls ``backward`` with the adjoints of all results, and hands on what it returns for the operands."""

    __slots__ = ("backward", "count")

    def __init__(self, op: ops.Op, count: int, backward: Backward) -> None:
        super().__init__(op, "a", own=True)
        self.count = count
        self.backward = backward

    def adjoints(self, g: Any) -> list[Any]:
        """The operands' adjoints, nodes or None, out of numbered adjoints of results, which are nodes."""
        found = dict(g)
        return self.backward([found.get(number) for number in range(self.count)])

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, self.adjoints(g), *rest)

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        with no_grad():
            shares = self.adjoints([(number, as_node(share)) for number, share in g])
        deliver(node._a, [None if share is None else share.data for share in shares], *rest)

    def saves(self) -> tuple[str, ...]:
        return ()


def as_node(g: Any) -> Any:
    """A bare adjoint as a node."""
    if type(g) is float:  # a number of NumPy's is one as well, and belongs to a tensor
        return Scalar(g, requires_grad=False)
    from autodiff_lab.engine.tensor import make

    return make(g)


def computed_by(op: ops.Op, operands: tuple[Any, ...], results: list[Any], backward: Backward) -> None:
    """Make ``results``, new nodes, the results of one step with the given operands, if that is recorded.

    ``backward`` takes a list with the adjoint of each result, a node, or None where none arrived, and returns the list
    of the operands' adjoints: a node for each that requires grad. It must not refer to the results.
    """
    if not state.recording or not any(x.requires_grad for x in operands):
        return
    from autodiff_lab.engine.tensor import pack

    step = object.__new__(Step)
    step.data = step.grad = step._b = None
    step._a = pack(operands)
    step._rule, step.parts = StepRule(op, len(results), backward), operands
    for number, y in enumerate(results):
        if isinstance(y, Scalar) or "float" in str(y.dtype):
            y._a, y._b, y._rule = step, None, ResultRule(op, number)

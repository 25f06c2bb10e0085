"""Steps of the graph with several operands or several results, where a node has two links and one value.

pack          several operands: a list of links, to which the list of their adjoints is handed
split         several results that are parts of one tensor: their adjoints are joined to one array
computed_by   several of both, and a function from the adjoints of the results to those of the operands
"""

from __future__ import annotations

from autodiff_lab.engine.backend import backend_of
from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.modes import no_grad, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import TABLE, Op
from autodiff_lab.engine.rules import NODES, Rule
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Backward = Callable[[list[Any]], list[Any]]


class Between(Node):
    """What stands between nodes and several operands or results. It has no value, and its adjoint is a list.

    ``parts`` are the operands that the nodes above it show.
    """

    __slots__ = ("parts",)
    parts: tuple[Any, ...]

    def __init__(self, rule: Rule, parts: tuple[Any, ...], a: Any, b: Any = None, number: Any = None) -> None:
        self._data = self._grad = None
        self._rule, self.parts, self._a, self._b, self._number = rule, parts, a, b, number


# Several operands


class PackRule(Rule):
    """Delivers one operand's share, and passes the list on."""

    __slots__ = ()

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, g[node._number], *rest)
        if node._b is not None:
            deliver(node._b, g, *rest)

    pull_graph = pull  # type: ignore[assignment]


PACK = PackRule(Op("pack", "a", "g"), "a")


def pack(parts: tuple[Any, ...]) -> Any:
    """The list of those operands that require grad: one in ``_a`` of each link, the next link in ``_b``."""
    first: Any = None
    for i, part in reversed(list(enumerate(parts))):
        if part.requires_grad:
            first = Between(PACK, (), part, first, i)
    first.parts = parts
    return first


# Several results


class Shares(list[tuple[int, "Any"]]):
    """Numbers of results and their adjoints. Of its own sweep, so that a sum may be made in place."""

    __add__ = list.__iadd__  # type: ignore[assignment]


class ResultRule(Rule):
    """Delivers the adjoint of a result, with its number, to what stands between the results and the operands."""

    __slots__ = ("number",)

    def __init__(self, op: Op, number: int) -> None:
        super().__init__(op, "a")
        self.number = number

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, Shares([(self.number, g)]), *rest)

    pull_graph = pull  # type: ignore[assignment]

    def saves(self) -> tuple[str, ...]:
        return ()

    def shares(self, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        return node._a._rule.shares_of(self.number, g, node)  # type: ignore[no-any-return]


class WholeRule(Rule):
    """Joins the adjoints of the parts, with zeros for a part that has none."""

    __slots__ = ()

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        x = node._a
        self.join(g, node, x._backend.names["cat"], lambda array: array, *rest)

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self.join(g, node, NODES["cat"], node._a._constant, *rest)

    def join(self, g: Any, node: Any, cat: Any, made: Any, *rest: Any) -> None:
        """Deliver the adjoint of the whole, made with ``cat``; ``made`` turns an array into what adjoints are."""
        (dim, sizes), x, found = node._number, node._a, dict(g)
        shape = list(x.shape)
        parts = []
        for number, size in enumerate(sizes):
            if number not in found:
                shape[dim] = size
                found[number] = made(x._backend.names["empty_like_shape"](x._data, tuple(shape)))
            parts.append(found[number])
        deliver(x, cat(parts, dim), *rest)

    def shares_of(self, number: int, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        """The share of the whole from one part, a node that ``getitem`` made."""
        yield node.operands[0], FUNCTIONS["unindex"](g, *node._number)


WHOLE = WholeRule(Op("split", "a", "g"), "a")


def split(a: Any, sizes: Sequence[int], dim: int) -> tuple[Any, ...]:
    """The parts of ``a`` of the given sizes along ``dim``, which add up."""
    parts: list[Any] = []
    begin = 0
    for size in sizes:
        parts.append(FUNCTIONS["getitem"](a, (*(slice(None),) * dim, slice(begin, begin + size))))
        begin += size
    if len(parts) > 1 and isinstance(a, Node) and parts[0].requires_grad:
        whole = Between(WHOLE, (a,), a, number=(dim, sizes))
        for number, part in enumerate(parts):
            part._a, part._rule = whole, ResultRule(TABLE["getitem"], number)
    return tuple(parts)


# Several of both


class StepRule(Rule):
    """Calls ``backward`` with the adjoints of all results, and hands on what it returns for the operands."""

    __slots__ = ("backward", "count")

    def __init__(self, op: Op, count: int, backward: Backward) -> None:
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
        deliver(node._a, [None if share is None else share._data for share in shares], *rest)

    def saves(self) -> tuple[str, ...]:
        return ()

    def shares_of(self, number: int, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        """The operands' shares from one result."""
        bare = not hasattr(g, "_rule")
        found = self.adjoints([(number, as_node(g) if bare else g)])
        for x, share in zip(node.operands, found, strict=True):
            if share is not None and x.requires_grad:
                yield x, share._data if bare else share


def as_node(g: Any) -> Any:
    """A bare adjoint as a node."""
    backend = backend_of(g)
    return Scalar(g, requires_grad=False) if backend is None else backend.tensor._constant(g)


def computed_by(op: Op, operands: tuple[Any, ...], results: list[Any], backward: Backward) -> None:
    """Make ``results``, new nodes, the results of one step with the given operands, if that is recorded.

    ``backward`` takes a list with the adjoint of each result, a node, or None where none arrived, and returns the list
    of the operands' adjoints: a node for each that requires grad. It must not refer to the results.
    """
    if not state.recording or not any(x.requires_grad for x in operands):
        return
    step = Between(StepRule(op, len(results), backward), operands, pack(operands))
    for number, y in enumerate(results):
        if isinstance(y, Scalar) or "float" in str(y.dtype):
            y._a, y._b, y._rule = step, None, ResultRule(op, number)

"""Splitting a tensor so that the way back costs one array, not one for each part: the parts' adjoints are joined."""

from __future__ import annotations

from autodiff_lab.engine import ops
from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.rules import NODES, Rule
from autodiff_lab.engine.scalar import FUNCTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


class Whole(Node):
    """What parts point to instead of the tensor ``_a`` that they are parts of; a sweep brings it all their adjoints."""

    __slots__ = ("parts",)
    parts: tuple[Any, ...]  # the operands that a part shows: the tensor


class Shares(list[tuple[int, "Any"]]):
    """Numbers of parts and their adjoints. Of its own sweep, so that a sum may be made in place."""

    __add__ = list.__iadd__  # type: ignore[assignment]


class PartRule(Rule):
    """Delivers its adjoint with the number of the part; apart from that, the rule of ``getitem``."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        super().__init__(ops.TABLE["getitem"], "a")
        self.number = number

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, Shares([(self.number, g)]), *rest)

    pull_graph = pull  # type: ignore[assignment]

    def shares(self, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        yield node.operands[0], FUNCTIONS["unindex"](g, *node._number)


class WholeRule(Rule):
    """Joins the adjoints of the parts, with zeros for a part that has none."""

    __slots__ = ()

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        x = node._a
        self.join(g, node, x._backend.names["cat"], lambda array: array, *rest)

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self.join(g, node, lambda parts, dim: NODES["cat"](parts, dim), node._a._constant, *rest)

    def join(self, g: Any, node: Any, cat: Any, made: Any, *rest: Any) -> None:
        """Deliver the adjoint of the whole, made with ``cat``; ``made`` turns an array into what adjoints are."""
        (dim, sizes), x, found = node._number, node._a, dict(g)
        shape = list(x.shape)
        parts = []
        for number, size in enumerate(sizes):
            if number not in found:
                shape[dim] = size
                found[number] = made(x._backend.names["empty_like_shape"](x.data, tuple(shape)))
            parts.append(found[number])
        deliver(x, cat(parts, dim), *rest)


WHOLE = WholeRule(ops.Op("split", "a", "g"), "a")


def split(a: Any, sizes: Sequence[int], dim: int) -> tuple[Any, ...]:
    """The parts of ``a`` of the given sizes along ``dim``, which add up."""
    parts: list[Any] = []
    begin = 0
    for size in sizes:
        parts.append(FUNCTIONS["getitem"](a, (*(slice(None),) * dim, slice(begin, begin + size))))
        begin += size
    if len(parts) > 1 and isinstance(a, Node) and parts[0].requires_grad:
        whole = object.__new__(Whole)
        whole.data = whole.grad = whole._b = None
        whole._rule, whole._a, whole._number, whole.parts = WHOLE, a, (dim, sizes), (a,)
        for number, part in enumerate(parts):
            part._a, part._rule = whole, PartRule(number)
    return tuple(parts)

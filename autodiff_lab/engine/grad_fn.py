"""The backward graph as PyTorch shows it, `grad_fn` and `next_functions`: a view, of which nodes keep nothing."""

from __future__ import annotations

from weakref import WeakValueDictionary

from autodiff_lab.engine.backward import nodes_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class GradFn:
    """The step of the backward graph that belongs to a node: ``<MulBackward>``, or ``<AccumulateGrad>`` for a leaf.

    There is one for each node as long as anybody holds it, and a step holds those that come after it: a walk may tell
    steps apart by ``is`` and by ``id()``.
    """

    __slots__ = ("__weakref__", "_next", "_node")

    _node: Any
    _next: tuple[tuple[GradFn | None, int], ...] | None

    def __new__(cls, node: Any) -> GradFn:
        made = _made.get(id(node))  # what is found holds the node, so that no other node has its id
        if made is None:
            made = object.__new__(cls)
            made._node, made._next = node, None
            made = _made.setdefault(id(node), made)
        return made

    def name(self) -> str:
        """The name PyTorch gives the step, without its version number."""
        op: str = self._node.op
        return f"{''.join(map(str.capitalize, op.split('_')))}Backward" if op else "AccumulateGrad"

    @property
    def next_functions(self) -> tuple[tuple[GradFn | None, int], ...]:
        """The steps that come after it, one for each operand that is a node; None where no gradient goes."""
        if self._next is None:
            nodes = nodes_in(self._node.operands)
            self._next = tuple((GradFn(x._step) if x.requires_grad else None, 0) for x in nodes)
        return self._next

    @property
    def saved(self) -> dict[str, Any]:
        """What the op saved for backward, under the names in its row: values of operands and result, and parameters.

        Values are arrays, or floats; looking at one that was packed unpacks it, which in a checkpoint computes it.
        RuntimeError if a sweep has freed the graph.
        """
        rule = self._node._rule
        if not rule.op:
            return {}
        if not self._node.operands:
            raise RuntimeError(f"{self} has freed what it saved in a sweep. Pass retain_graph=True to backward().")
        values = dict(zip("aby", rule.values(self._node), strict=True)) if rule.saves() else {}
        params = dict(zip(rule.op.params, getattr(self._node, "params", ()), strict=False))
        return {name: values[name] for name in rule.saves()} | params

    @property
    def variable(self) -> Any:
        """The leaf into which an ``<AccumulateGrad>`` adds."""
        if self._node.op:
            raise AttributeError(f"{self} belongs to a computed node; only <AccumulateGrad> has a variable")
        return self._node

    def __repr__(self) -> str:
        return f"<{self.name()}>"


_made: WeakValueDictionary[int, GradFn] = WeakValueDictionary()

"""The backward graph as PyTorch shows it, `grad_fn` and `next_functions`: a view, of which nodes keep nothing."""

from __future__ import annotations

from autodiff_lab.engine.backward import nodes_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class GradFn:
    """The step of the backward graph that belongs to a node: ``<MulBackward>``, or ``<AccumulateGrad>`` for a leaf."""

    __slots__ = ("_node",)

    def __init__(self, node: Any) -> None:
        self._node = node

    def name(self) -> str:
        """The name PyTorch gives the step, without its version number."""
        op: str = self._node.op
        return f"{''.join(map(str.capitalize, op.split('_')))}Backward" if op else "AccumulateGrad"

    @property
    def next_functions(self) -> tuple[tuple[GradFn | None, int], ...]:
        """The steps that come after it, one for each operand that is a node; None where no gradient goes."""
        nodes = nodes_in(self._node.operands)
        return tuple((GradFn(x) if x.requires_grad else None, 0) for x in nodes)

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradFn) and self._node is other._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<{self.name()}>"

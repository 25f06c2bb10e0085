"""What every node is, whatever it holds: its place in the graph, and the ways to look at it and to sweep from it."""

from __future__ import annotations

from operator import attrgetter

from autodiff_lab.engine import backward as sweep
from autodiff_lab.engine.modes import INFERENCE, current
from autodiff_lab.engine.rules import LEAF, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from autodiff_lab.engine.grad_fn import GradFn
    from autodiff_lab.engine.hooks import RemovableHandle


class Node:
    """A value and how it was computed. `Scalar` adds what the value is and the arithmetic on it."""

    # One object a node, without cycles, so that a graph is freed by counting references. `_rule` is None (needs no
    # gradient), LEAF, or the rule of the op; `_a` and `_b` are the nodes it was computed from (None where there is
    # none; `_b` of a leaf may be INFERENCE), `_number` the operand that is a plain number, unset if there is none. A
    # sweep keeps its state elsewhere.
    __slots__ = ("__weakref__", "_a", "_b", "_data", "_grad", "_number", "_rule")

    parts: Any = None  # only what stands between a node and several operands has them

    _data: Any
    _grad: Any
    _rule: Rule | None
    _a: Any
    _b: Any
    _number: Any

    def _begin(self, data: Any, requires_grad: bool) -> None:
        self._data = data
        self._grad = None
        self._rule = LEAF if requires_grad else None
        self._a = None
        self._b = current().mark

    data: Any = property(attrgetter("_data"), lambda node, value: node._take(value), doc="The value. May be set.")

    def _take(self, value: Any) -> None:
        """Have ``value`` for `data` from now on; an error if it cannot be that."""
        raise NotImplementedError

    def _set_grad(self, value: Any) -> None:
        if value is not None:
            value = self._checked_grad(value)
        with sweep.accumulating:
            self._grad = value

    grad: Any = property(
        attrgetter("_grad"),
        _set_grad,
        doc="The sum of the adjoints that sweeps have brought, or None. May be set: to None, or to one like it.",
    )

    def _checked_grad(self, value: Any) -> Any:
        """``value`` as a ``grad`` of this node; an error if it cannot be that."""
        raise NotImplementedError

    @property
    def requires_grad(self) -> bool:
        """Whether a backward sweep brings an adjoint here. May be set on a leaf."""
        return self._rule is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if self.is_leaf:
            self._rule = (self._rule or LEAF) if value else None
        elif not value:
            raise RuntimeError(
                f"requires_grad of {self._named()} cannot be switched off: it was computed from nodes that require "
                "grad. Use .detach() for its value without the graph."
            )

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` and return the node itself."""
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the node was given, not computed. A result that needs no gradient counts as given."""
        return self._rule is None or self._rule.op is None

    @property
    def op(self) -> str:
        """The row of the table that computed the node; "" for a leaf."""
        return "" if self._rule is None or self._rule.op is None else self._rule.op.name

    @property
    def operands(self) -> tuple[Any, ...]:
        """What the op was applied to, nodes and numbers in order; empty for a leaf, and once the graph is freed."""
        if self._rule is None or self._a is None or self._a is sweep.FREED:
            return ()
        if self._rule.of_holder:
            return self._a.operands  # type: ignore[no-any-return]
        if self._a.parts is not None:
            return self._a.parts  # type: ignore[no-any-return]
        kind = self._rule.kind
        if kind == "#b":
            return self._number, self._a
        if kind == "a#":
            return self._a, self._number
        return (self._a,) if self._b is None or kind == "a+" else (self._a, self._b)

    @property
    def grad_fn(self) -> GradFn | None:
        """The step of the backward graph that belongs to the node, as PyTorch shows it; None for a leaf."""
        from autodiff_lab.engine.grad_fn import GradFn

        return None if self.is_leaf else GradFn(self._step)

    @property
    def _step(self) -> Any:
        """The node that stands in the graph for this one: itself, unless the values of its op were packed (`hooks`)."""
        rule = self._rule
        return self._a if rule is not None and rule.of_holder and self._a is not sweep.FREED else self

    def is_inference(self) -> bool:
        """Whether the node was made in `inference_mode`."""
        return self._rule is None and self._b is INFERENCE

    def backward(self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
        """Add this node's derivative with respect to every leaf to the leaf's ``grad``.

        gradient      the adjoint to begin with; 1 if left out
        retain_graph  keep the links, so that the graph can be swept again; if left out, as ``create_graph``
        create_graph  record the sweep itself, so that the gradients can be differentiated

        Raises RuntimeError if the node does not require grad, or if a sweep has already freed part of the graph.
        """
        sweep.backward(self, gradient, retain_graph, create_graph)

    def _as_adjoint(self, g: Any, create_graph: bool) -> Any:
        """``g`` in the form in which a sweep handles adjoints of this node: a node with ``create_graph``, else bare."""
        raise NotImplementedError

    def _first_adjoint(self, gradient: Any, create_graph: bool) -> Any:
        """The adjoint a sweep from here begins with; ``gradient`` is what the caller gave, or None."""
        return self._as_adjoint(1.0 if gradient is None else gradient, create_graph)

    def _accumulate(self, g: Any) -> None:
        """Add an adjoint to ``grad``."""
        raise NotImplementedError

    def _shown(self, g: Any) -> Any:
        """An adjoint as hooks and callers see it."""
        return g

    def _in_words(self) -> str:
        """The node in an error message, after "the mul node "."""
        return f"with value {self.data!r}"

    def _named(self) -> str:
        """The node where it is the subject or the object of an error message."""
        return repr(self)

    def retain_grad(self) -> None:
        """Keep the ``grad`` of a node that is not a leaf when a sweep passes it. A leaf keeps it anyway."""
        from autodiff_lab.engine.hooks import retain_grad

        retain_grad(self)

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``hook(adjoint)`` when a sweep has the node's whole adjoint.

        What the hook returns, unless None, takes the adjoint's place.
        Returns a handle whose ``remove()`` takes the hook off again. RuntimeError if the node does not require grad.
        """
        from autodiff_lab.engine.hooks import register_hook

        return register_hook(self, hook)

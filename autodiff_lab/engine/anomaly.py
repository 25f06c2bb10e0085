"""Anomaly detection: the first nan of a sweep, and of the computation before, with the line that is to blame for it."""

from __future__ import annotations

import warnings

from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.messages import line_in_words, users_line
from autodiff_lab.engine.modes import _Mode, change, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.rules import Rule, RuleAround

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from autodiff_lab.engine.messages import Place


class detect_anomaly(_Mode):
    """Remember the line that makes each node, and report the first nan with it. A context manager and a decorator.

    A sweep in which a share of an adjoint is nan raises RuntimeError: the op, the line of the forward pass that made
    its node, and the line that made the first nan there, which, being perhaps no mistake, was only a warning. With
    ``check_nan=False`` nothing is checked; the line is then a note on errors that a sweep raises. For debugging: it
    makes everything slower.
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__()
        self._check_nan = check_nan

    def __enter__(self) -> None:
        self._enter(change(observers=(*others(), Watch(self._check_nan))))


class set_detect_anomaly(_Mode):
    """Detect anomalies, or do not, from here on: a plain call. Also a context manager, like `detect_anomaly`."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__()
        self._outside = change(observers=(*others(), Watch(check_nan)) if mode else others())

    def __enter__(self) -> None:
        self._enter(self._outside)


def is_anomaly_enabled() -> bool:
    """Whether this thread detects anomalies."""
    return others() != state.observers


def others() -> tuple[Any, ...]:
    """The observers that are there for another purpose."""
    return tuple(observer for observer in state.observers if not isinstance(observer, Watch))


class Watch:
    """Looks at every result: gives its node a rule that knows the line, and notes the first nan."""

    def __init__(self, check_nan: bool) -> None:
        self.check_nan = check_nan
        self.first: tuple[str, Place] | None = None

    def __call__(self, op: str, node: Any, operands: Sequence[Any]) -> None:
        place = users_line()
        if self.check_nan and self.first is None and has_nan(node) and not has_nan(operands):
            self.first = op, place
            warnings.warn_explicit(f"the first nan computed: a result of {op}", RuntimeWarning, *place[:2])
        step = node._step
        if not step.is_leaf:
            step._rule = AnomalyRule(step._rule, place, self)


class AnomalyRule(RuleAround):
    """The rule of a node of which the line that made it is known."""

    __slots__ = ("place", "watch")

    def __init__(self, inner: Rule, place: Place, watch: Watch) -> None:
        super().__init__(inner)
        self.place = place
        self.watch = watch

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        self._checked(super().pull, g, node, *rest)

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self._checked(super().pull_graph, g, node, *rest)

    def _checked(self, pull: Any, g: Any, node: Any, *rest: Any) -> None:
        ready: list[Any] = []
        found = Found()
        try:
            pull(g, node, ready, {}, found)
        except Exception as error:
            error.add_note(f"In the sweep through the {node.op} node that was computed in {line_in_words(self.place)}")
            raise
        for x, share in (*found.shares, *zip(ready[::2], ready[1::2], strict=True)):
            if self.watch.check_nan and has_nan(share):
                raise RuntimeError(self._message(g, node, x))
            deliver(x, share, *rest)

    def _message(self, g: Any, node: Any, x: Any) -> str:
        at = next((f" {i}" for i, operand in enumerate(node.operands) if operand is x), "s")
        text = f"{node.grad_fn.name()} made nan of the adjoint for operand{at} of the {node.op} node"
        text += f" {node._in_words()}, computed in {line_in_words(self.place)}"
        if has_nan(g):
            text += "\nThe adjoint that arrived there was nan already."
        if self.watch.first is not None:
            op, place = self.watch.first
            text += f"\nThe first nan computed was a result of {op} in {line_in_words(place)}"
        return text


class Found(dict):  # type: ignore[type-arg]
    """Takes the place of the adjoints of leaves in a pull, and keeps each share that is delivered."""

    def __init__(self) -> None:
        super().__init__()
        self.shares: list[tuple[Any, Any]] = []

    def __setitem__(self, leaf: Any, share: Any) -> None:
        self.shares.append((leaf, share))  # and is not `in` the dict: a second share is not added


def has_nan(value: Any) -> bool:
    """Whether nan is among numbers: of a node, an array, a float, or a list of them."""
    if isinstance(value, (list, tuple)):
        return any(has_nan(part) for part in value)
    numbers = value._data if isinstance(value, Node) else value
    unequal = numbers != numbers
    return unequal if isinstance(unequal, bool) else bool(unequal.any())

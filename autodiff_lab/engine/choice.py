"""Choices between scalars: what a formula's ``if`` becomes in a program, where there is no value to decide by yet."""

from __future__ import annotations

import operator

from autodiff_lab.engine import ops
from autodiff_lab.engine.modes import refuse, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.rules import Rule
from autodiff_lab.engine.scalar import Scalar, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Condition(Scalar):
    """The result of a comparison that is part of a program: 1.0 or 0.0."""

    __slots__ = ()

    def __bool__(self) -> bool:
        refuse(self, "a comparison")
        return super().__bool__()


def compared(name: str, a: Scalar, b: Any) -> Any:
    """A comparison of scalars while a program is traced: part of it, or a plain bool if it does not depend on it."""
    value = value_of(b)
    if value is None:
        return NotImplemented
    holds = getattr(operator, name)(a.data, value)
    if not (traced(a) or traced(b)):
        state.trace.look_at(a)
        state.trace.look_at(b)
        return holds
    node = Condition(float(holds), requires_grad=False)
    state.trace.note(ops.TABLE[name], (a, b), (), node)
    return node


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` if the condition holds, else ``b``; both are scalars or numbers. Part of a program if the condition is."""
    if not traced(condition):
        return a if condition else b
    op = ops.TABLE["where"]
    chosen = a if condition.data else b
    node = Scalar(chosen.data if isinstance(chosen, Scalar) else float(chosen), requires_grad=False)
    wants = [isinstance(x, Scalar) and x.requires_grad for x in (a, b)]
    if state.recording and any(wants):
        links = [x for x in (a, b) if isinstance(x, Scalar)]
        pairs = zip("ab", (a, b), wants, strict=True)
        kind = "".join(letter if want else "-" if isinstance(x, Scalar) else "#" for letter, x, want in pairs)
        node._a, node._b = (*links, None)[:2]
        node._number = b if kind == "a#" else a
        node._rule = ChoiceRule(op, kind, condition)
    state.trace.note(op, (a, b), (condition,), node)
    return node


class ChoiceRule(Rule):
    """Hands the adjoint to the operand that is chosen, and zero to the other."""

    __slots__ = ("condition",)

    def __init__(self, op: ops.Op, kind: str, condition: Scalar) -> None:
        super().__init__(op, kind)
        self.condition = condition

    def shares(self, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        links = [x for x in (node._a, node._b) if x is not None]
        for letter, x in zip(self.kind.replace("#", ""), links, strict=True):
            if letter != "-":
                a, b = (g, 0.0) if letter == "a" else (0.0, g)
                yield x, where(self.condition, a, b) if hasattr(g, "_rule") else a if self.condition.data else b

    def saves(self) -> tuple[str, ...]:
        return ()


def traced(x: Any) -> bool:
    """Whether a node is part of the program that is being traced."""
    return state.trace is not None and isinstance(x, Node) and state.trace.knows(x)

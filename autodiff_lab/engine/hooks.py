"""A node with hooks, a kept gradient or packed values has a rule of its own; all other nodes share theirs and pay nothing."""

from __future__ import annotations

from autodiff_lab.engine import rules
from autodiff_lab.engine.rules import NODES, VALUES, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class RemovableHandle:
    """What `register_hook` returns; ``remove()`` takes the hook off, and so does leaving a ``with`` block."""

    def __init__(self, hooks: dict[RemovableHandle, Callable[[Any], Any]]) -> None:
        self._hooks = hooks

    def remove(self) -> None:
        """Take the hook off. Doing it twice does no harm."""
        self._hooks.pop(self, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


class WatchedRule(Rule):
    """The rule of one node, with its hooks in the order in which they were registered."""

    __slots__ = ("hooks", "retain")

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule.op, rule.kind)
        if rule.op is not None:
            self.pull = rule.pull
            self.pull_graph = rule.pull_graph
        self.hooks: dict[RemovableHandle, Callable[[Any], Any]] = {}
        self.retain = False
        self.watch = self._watch

    def _watch(self, g: Any, node: Any) -> Any:
        for hook in list(self.hooks.values()):
            replaced = hook(g)
            if replaced is not None:
                g = replaced if isinstance(g, type(node)) else float(replaced)
        if self.retain:
            node.grad = g if node.grad is None else node.grad + g
        return g


def watched(node: Any, what: str) -> WatchedRule:
    """The node's own rule, made when it is first asked for."""
    if not node.requires_grad:
        raise RuntimeError(f"{what} on {node!r}: it does not require grad, so no adjoint will ever arrive here.")
    if not isinstance(node._rule, WatchedRule):
        node._rule = WatchedRule(node._rule)
    rule: WatchedRule = node._rule
    return rule


def register_hook(node: Any, hook: Callable[[Any], Any]) -> RemovableHandle:
    """See `Scalar.register_hook`."""
    hooks = watched(node, "register_hook").hooks
    handle = RemovableHandle(hooks)
    hooks[handle] = hook
    return handle


def retain_grad(node: Any) -> None:
    """See `Scalar.retain_grad`."""
    rule = watched(node, "retain_grad")
    rule.retain = rule.op is not None


def save(node: Any, hooks: tuple[Callable[[Any], Any], Callable[[Any], Any]]) -> Rule:
    """Pack what the node's op saves; return the rule that unpacks it when the sweep arrives."""
    pack, unpack = hooks
    rule = node._rule
    sources = {"y": node, "a": node._a if rule.kind != "#b" else None, "b": node._a if rule.kind == "#b" else node._b}
    number = getattr(node, "_number", None)
    packed = {name: pack(sources[name].data) for name in rule.op.saves if sources[name] is not None}
    del sources
    own = Rule(rule.op, rule.kind)

    def pull(g: Any, node: Any, adjoints: dict[Any, Any]) -> None:
        values = {name: unpack(value) for name, value in packed.items()}
        arguments = (g, values.get("a", number), values.get("b", number), values.get("y"))
        for position in rule.wants():
            try:
                share = rules.formula(rule.op, position, VALUES)(*arguments)
            except (ArithmeticError, ValueError):
                share = rules.careful(rule.op.name, position, *arguments)
            x = node._b if position == 1 and rule.kind != "#b" else node._a
            adjoints[x] = adjoints[x] + share if x in adjoints else share

    own.pull = pull
    own.pull_graph = rule.pull_graph
    return own

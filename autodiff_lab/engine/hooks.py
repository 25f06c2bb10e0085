"""Rules of single nodes: with hooks, a kept gradient, packed values. All other nodes share theirs and pay nothing."""

from __future__ import annotations

from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.rules import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Hooks = dict["RemovableHandle", Callable[[Any], Any]]


class RemovableHandle:
    """What `register_hook` returns: ``remove()`` takes the hook off, and so does leaving a ``with`` block."""

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks

    def remove(self) -> None:
        """Take the hook off. Doing it twice does no harm."""
        self._hooks.pop(self, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


class WatchedRule(Rule):
    """The rule of a node with hooks, which run in the order in which they were registered."""

    __slots__ = ("hooks", "inner", "retain")

    def __init__(self, inner: Rule) -> None:
        super().__init__(inner.op, inner.kind)
        self.inner = inner
        self.hooks: Hooks = {}
        self.retain = False
        self.pull = self._watch_and_pull
        self.pull_graph = self._watch_and_pull_graph

    def arrive(self, g: Any, node: Any) -> Any:
        """The adjoint after all hooks have seen, and perhaps replaced, it."""
        for hook in list(self.hooks.values()):
            replaced = hook(g)
            if replaced is not None:
                g = node._as_adjoint(replaced, create_graph=hasattr(g, "_rule"))
        if self.retain:
            node._accumulate(g)
        return g

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        return self.inner.values(node)

    def _watch_and_pull(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull(self.arrive(g, node), node, *rest)

    def _watch_and_pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull_graph(self.arrive(node._as_adjoint(g, True), node), node, *rest)


class SavedRule(Rule):
    """The rule of a node whose saved values went through ``pack``; ``unpack`` brings them back when they are needed."""

    __slots__ = ("number", "packed", "unpack")

    def __init__(self, node: Any, pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
        inner = node._rule
        super().__init__(inner.op, inner.kind)
        self.unpack = unpack
        values = dict(zip("aby", inner.values(node), strict=True))
        self.number = {"ab"[inner.kind.index("#")]: node._number} if "#" in inner.kind else {}
        self.packed = {name: pack(values[name]) for name in inner.saves()}
        self.pull = self._unpack_and_pull
        self.pull_graph = inner.pull_graph

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        known = {**self.number, **{name: self.unpack(value) for name, value in self.packed.items()}}
        return known.get("a"), known.get("b"), known.get("y")

    def _unpack_and_pull(self, g: Any, node: Any, *rest: Any) -> None:
        for x, share in self.shares(g, node):
            deliver(x, share, *rest)


def watched(node: Any, what: str) -> WatchedRule:
    """The node's own rule, made when it is first asked for."""
    if not node.requires_grad:
        raise RuntimeError(f"{what} on {node!r}, which does not require grad: no adjoint will ever arrive here.")
    if not isinstance(node._rule, WatchedRule):
        node._rule = WatchedRule(node._rule)
    rule: WatchedRule = node._rule
    return rule


def register_hook(node: Any, hook: Callable[[Any], Any]) -> RemovableHandle:
    """See `Node.register_hook`."""
    hooks = watched(node, "register_hook").hooks
    handle = RemovableHandle(hooks)
    hooks[handle] = hook
    return handle


def retain_grad(node: Any) -> None:
    """See `Node.retain_grad`."""
    rule = watched(node, "retain_grad")
    rule.retain = rule.op is not None

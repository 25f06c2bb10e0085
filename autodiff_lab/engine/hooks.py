"""Rules of single nodes: with hooks, a kept gradient, packed values. All other nodes share theirs and pay nothing."""

from __future__ import annotations

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
        super().__init__(inner.op, inner.kind, own=True)
        self.inner = inner
        self.hooks: Hooks = {}
        self.retain = False

    def arrive(self, g: Any, node: Any) -> Any:
        for hook in list(self.hooks.values()):
            replaced = hook(node._shown(g))
            if replaced is not None:
                g = node._as_adjoint(replaced, create_graph=hasattr(g, "_rule"))
        if self.retain:
            node._accumulate(g)
        return g

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull(self.arrive(g, node), node, *rest)

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull_graph(self.arrive(node._as_adjoint(g, True), node), node, *rest)

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        return self.inner.values(node)

    def share(self, position: int, g: Any, values: tuple[Any, Any, Any], node: Any) -> Any:
        return self.inner.share(position, g, values, node)

    def shares(self, g: Any, node: Any) -> Any:
        return self.inner.shares(g, node)

    def free(self) -> None:
        self.inner.free()


class SavedRule(Rule):
    """The rule of a node whose saved values went through ``pack``; ``unpack`` brings them back when they are needed."""

    __slots__ = ("inner", "packed", "unpack")

    def __init__(self, node: Any, pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
        self.inner: Rule = node._rule
        super().__init__(self.inner.op, self.inner.kind, own=True)
        self.unpack = unpack
        values = dict(zip("aby", self.inner.values(node), strict=True))
        self.packed = {name: pack(values[name]) for name in self.inner.saves()}

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull_graph(g, node, *rest)  # reads the nodes, which are there in any case

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        known = {name: self.unpack(value) for name, value in self.packed.items()}
        if "#" in self.kind:
            known["ab"[self.kind.index("#")]] = node._number
        return known.get("a"), known.get("b"), known.get("y")

    def share(self, position: int, g: Any, values: tuple[Any, Any, Any], node: Any) -> Any:
        return self.inner.share(position, g, values, node)

    def free(self) -> None:
        self.packed = {}


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

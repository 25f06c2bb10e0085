"""Rules of single nodes: with hooks, a kept gradient, packed values. All other nodes share theirs and pay nothing."""

from __future__ import annotations

from functools import cache
from numbers import Real
from threading import local
from weakref import ref

from autodiff_lab.engine.backward import accumulating, deliver
from autodiff_lab.engine.modes import saved_tensors_hooks, state
from autodiff_lab.engine.ops import TABLE
from autodiff_lab.engine.rules import Rule, RuleAround

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from autodiff_lab.engine.ops import Op

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


def no_node() -> None:
    """What a weak reference to a node that is gone returns."""


class WatchedRule(RuleAround):
    """The rule of a node with hooks, which run in the order in which they were registered.

    ``retain`` is a weak reference to the node that keeps the adjoint in its ``grad``.
    """

    __slots__ = ("hooks", "retain")

    def __init__(self, inner: Rule) -> None:
        super().__init__(inner)
        self.hooks: Hooks = {}
        self.retain: Callable[[], Any] = no_node

    def arrive(self, g: Any, node: Any) -> Any:
        for hook in list(self.hooks.values()):
            replaced = hook(node._shown(g))
            if replaced is not None:
                g = node._as_adjoint(replaced, create_graph=hasattr(g, "_rule"))
        keeper = self.retain()
        if keeper is not None:
            with accumulating:
                keeper._accumulate(g)
        return g

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        super().pull(self.arrive(g, node), node, *rest)

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        super().pull_graph(self.arrive(node._as_adjoint(g, True), node), node, *rest)


# Saved values. What PyTorch keeps apart, a value and the step of the graph that made it, is one node here. Where saved
# values are packed it is two, for a graph must not hold what was packed: a holder has the value, and a step the links.
# What is computed from the holder is linked to the step, so that the value goes when nobody else has the holder.


class Released:
    """What is left of a value that the graph does not hold: what it was like."""

    __slots__ = ("device", "dtype", "ndim", "shape")

    def __init__(self, data: Any) -> None:
        self.shape = getattr(data, "shape", ())
        self.ndim = len(self.shape)
        self.dtype = getattr(data, "dtype", "float64")
        self.device = getattr(data, "device", "cpu")

    def __repr__(self) -> str:
        return "released"


class HolderRule(Rule):
    """The rule of a holder, which hands its adjoint on to the step, its first link."""

    __slots__ = ()
    of_holder = True

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, g, *rest)

    pull_graph = pull  # type: ignore[assignment]

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        return node._a._rule.values(node._a)  # type: ignore[no-any-return]

    def shares(self, g: Any, node: Any) -> Iterable[tuple[Any, Any]]:
        return node._a._rule.shares(g, node._a)  # type: ignore[no-any-return]


@cache
def holder_rule(op: Op) -> HolderRule:
    """The rule that the holders of all results of a row share."""
    return HolderRule(op, "")


def held(data: Any, step: Any) -> Any:
    """A holder of ``data`` for a step or a leaf; a constant if that needs no gradient."""
    node = step._constant(data)
    if step._rule is not None:
        node._a = step
        node._rule = holder_rule(step._rule.op or TABLE["clone"])
    return node


class SavedRule(RuleAround):
    """The rule of a step whose saved values went through ``pack``; ``unpack`` brings them back when they are needed."""

    __slots__ = ("packed", "unpack")

    def __init__(self, inner: Rule, packed: dict[str, Any], unpack: Callable[[Any], Any]) -> None:
        super().__init__(inner)
        self.packed = packed
        self.unpack = unpack

    pull, pull_graph = Rule.pull, Rule.pull_graph  # by way of `shares`

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        nodes = {**dict(zip("ab", node.operands, strict=False)), "y": node}
        known = {name: checked(self.unpack(value), nodes[name], node) for name, value in self.packed.items()}
        if "#" in self.kind:
            known["ab"[self.kind.index("#")]] = node._number
        return known.get("a"), known.get("b"), known.get("y", node._data)

    def shares(self, g: Any, node: Any) -> Iterable[tuple[Any, Any]]:
        operands = node.operands
        wanted = [(position, x) for position, x in enumerate(operands) if "ab"[position] in self.kind]
        values: Any = self.values(node)
        if not hasattr(g, "_rule"):
            return [(x, self.inner.share(position, g, values, node)) for position, x in wanted]
        # The sweep is recorded. What came back is the value of a node, and what is computed from it is linked to that.
        nodes = *(*operands, None)[:2], node
        named = zip("aby", values, nodes, strict=True)
        values = [held(value, x) if name in self.packed else x if x is node else value for name, value, x in named]
        if state.hooks is not None:
            return [(x, self.inner.share(position, g, values, node)) for position, x in wanted]
        with saved_tensors_hooks(same, same):
            shares = [(x, self.inner.share(position, g, values, node)) for position, x in wanted]
        for _, share in shares:
            merge(share)
        return shares

    def free(self) -> None:
        self.packed = {}


def checked(value: Any, x: Any, node: Any) -> Any:
    """What ``unpack`` returned for the saved value of ``x``; RuntimeError if it cannot be that."""
    if hasattr(value, "_rule"):  # a node, as in PyTorch
        value = value._data
    shape = getattr(x._data, "shape", ())
    if getattr(value, "shape", ()) != shape or not (isinstance(value, Real) or hasattr(value, "shape")):
        what = f"an array of shape {tuple(value.shape)}" if hasattr(value, "shape") else type(value).__name__
        raise RuntimeError(
            f"unpack returned {what} for a value of shape {tuple(shape)} that {node.op} saved: what pack was given "
            "must come back from unpack."
        )
    return value


class _Now(local):
    """What this thread is doing: the op whose values it packs, and whether it computes them for the second time."""

    op: str = ""
    recomputing: bool = False
    check: Callable[[Any], None] | None = None  # what a checkpoint wants to look at before a result is packed


now = _Now()


def pack_saved(node: Any) -> None:
    """Make a result a holder, with a step behind it that has packed what it saves."""
    if state.hooks is None:
        return
    if now.check is not None:
        now.check(node)
    pack, unpack = state.hooks
    rule = node._rule
    now.op = rule.op.name
    packed = {}
    for name in rule.saves():
        x = node if name == "y" else node._a if name == "a" or node._b is None else node._b
        packed[name] = pack(x._data)
    step = node._constant(Released(node._data))
    step._a, step._b = link(node._a), link(node._b)
    step._rule = SavedRule(rule, packed, unpack) if packed else rule
    if hasattr(node, "_number"):
        step._number = node._number
    node._a, node._b, node._rule = step, None, holder_rule(rule.op)


def merge(node: Any) -> None:
    """Make a holder and its step one node again: the holder, to which links of the step lead from now on."""
    step = node._step
    if step is not node:
        node._rule, node._a, node._b = step._rule, step._a, step._b
        step._rule, step._a, step._b = holder_rule(node._rule.op), node, None
        if type(node._rule) is SavedRule:
            node._rule.packed.pop("y", None)  # it is there


def same(value: Any) -> Any:
    """The value itself."""
    return value


def link(x: Any) -> Any:
    """What a step is linked to instead of ``x``, which may be the list of the operands of an op that joins many."""
    if getattr(x, "parts", None) is None:
        return None if x is None else x._step
    cell = x
    while cell is not None:
        cell._a = link(cell._a)
        cell = cell._b
    x.parts = tuple(part._step for part in x.parts)
    return x


def watched(node: Any, what: str) -> WatchedRule:
    """The node's own rule, made when it is first asked for."""
    if not node.requires_grad:
        raise RuntimeError(f"{what} on {node._named()}, which does not require grad: no adjoint will ever arrive here.")
    step = node._step
    if not isinstance(step._rule, WatchedRule):
        step._rule = WatchedRule(step._rule)
    rule: WatchedRule = step._rule
    return rule


def register_hook(node: Any, hook: Callable[[Any], Any]) -> RemovableHandle:
    """See `Node.register_hook`."""
    if not callable(hook):
        raise TypeError(f"register_hook takes a function of the adjoint, not {type(hook).__name__}: {hook!r}")
    hooks = watched(node, "register_hook").hooks
    handle = RemovableHandle(hooks)
    hooks[handle] = hook
    return handle


def retain_grad(node: Any) -> None:
    """See `Node.retain_grad`."""
    rule = watched(node, "retain_grad")
    if rule.op is not None:
        rule.retain = ref(node)

"""What memory graphs hold: a meter for a stretch of computing, the bytes behind a node, and what keeps a node alive.

Bytes are counted, not asked of the system, so that the same work gives the same numbers: those of the arrays that nodes
hold and that were packed, each buffer once, however many views of it there are. Leaves that require grad do not count,
nor do adjoints, unless the sweep is recorded or they are added to a ``grad`` that is there.
"""

from __future__ import annotations

import gc
import inspect
import re
import sys
from collections import Counter
from pathlib import Path
from types import CellType, FrameType, FunctionType, MethodType
from weakref import ref

from autodiff_lab.engine.backward import topological_order
from autodiff_lab.engine.hooks import Released, now
from autodiff_lab.engine.modes import _Mode, change, state
from autodiff_lab.engine.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

NUMBER = 8  # the bytes of a Scalar's value


class meter(_Mode):
    """The bytes held while a ``with`` block runs, above what there was: ``with memory.meter() as m:``.

    events      what happened, in order: the name of an op that was computed, or "release" for a buffer that went
    bytes       the bytes held after each event; to plot, with ``events`` for labels
    recomputed  for each event, whether a checkpoint computed it for the second time

    A number that is held by a scalar counts 8 bytes, until its node goes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []
        self.bytes: list[int] = []
        self.recomputed: list[bool] = []
        self.current = 0
        self._buffers: dict[Any, list[int]] = {}  # how many known arrays share it, and its bytes
        self._known: dict[int, ref[Any]] = {}

    @property
    def peak(self) -> int:
        """The most bytes held at one time."""
        return max(self.bytes, default=0)

    @property
    def ops(self) -> int:
        """How many ops were computed, those computed once more among them."""
        return sum(event != "release" for event in self.events)

    @property
    def recomputed_ops(self) -> Counter[str]:
        """How often each op was computed for the second time; ``.total()`` for all of them."""
        return Counter(event for event, again in zip(self.events, self.recomputed, strict=True) if again)

    def __enter__(self) -> meter:
        self._enter(change(observers=(*state.observers, self._observe)))
        return self

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        self._known.clear()

    def __repr__(self) -> str:
        return f"<peak {in_units(self.peak)}, {self.ops} ops, {self.recomputed_ops.total()} of them recomputed>"

    def _observe(self, op: str, node: Any, operands: Sequence[Any]) -> None:
        held = [node, *(x for x in operands if isinstance(x, Node) and x._rule is None)]
        for x in held:
            self._count(x._data, x)
        for array in arrays_in(getattr(node, "params", ())):
            self._count(array, array)
        self._note(op, now.recomputing)

    def _note(self, event: str, again: bool = False) -> None:
        self.events.append(event)
        self.bytes.append(self.current)
        self.recomputed.append(again)

    def _count(self, data: Any, holder: Any) -> None:
        key, size = buffer_of(data)
        try:
            ref(data)
        except TypeError:  # a number, which goes with the node that holds it
            key = id(holder)
        else:
            holder = data
        at = id(holder)
        if at in self._known:
            return
        count = self._buffers.setdefault(key, [0, size])
        self.current += 0 if count[0] else size
        count[0] += 1

        def gone(_: Any) -> None:
            del self._known[at]
            count[0] -= 1
            if not count[0]:
                del self._buffers[key]
                self.current -= size
                self._note("release")

        self._known[at] = ref(holder, gone)


def buffer_of(data: Any) -> tuple[int, int]:
    """What identifies the memory behind an array or number while it is there, and its bytes."""
    if isinstance(data, Released):
        return 0, 0
    if hasattr(data, "untyped_storage"):
        storage = data.untyped_storage()
        return storage._cdata, storage.nbytes()
    while getattr(data, "base", None) is not None and hasattr(data.base, "nbytes"):
        data = data.base
    return id(data), getattr(data, "nbytes", NUMBER)


def is_array(value: Any) -> bool:
    """Whether a value is an array, or one of NumPy's numbers."""
    return hasattr(value, "nbytes") and hasattr(value, "dtype")


def arrays_in(value: Any) -> list[Any]:
    """The arrays in a value: a parameter, or what pack made of a saved value."""
    found, rest = [], [value]
    while rest:
        value = rest.pop()
        if is_array(value):
            found.append(value)
        elif isinstance(value, Node):
            found.append(value._data)
        elif isinstance(value, dict):
            rest += value.values()
        elif isinstance(value, (list, tuple)):
            rest += value
        elif hasattr(value, "kept"):  # of a checkpoint
            rest += value.kept()
    return found


def saved_bytes(*roots: Any) -> int:
    """The bytes that the graph behind the roots holds, each buffer once: values of nodes, packed values, parameters.

    The roots' own values count, and leaves that require grad do not. To know what a node saved, see `grad_fn.saved`.
    """
    buffers: dict[int, int] = {}
    leaves: set[int] = set()
    for node in topological_order(*roots, *(root._step for root in roots)):
        held = [node._data, *arrays_in(getattr(node, "params", ()))]
        rule = node._rule
        while rule is not None:
            held += arrays_in(getattr(rule, "packed", ()))
            rule = getattr(rule, "inner", None)
        for data in held:
            key, size = buffer_of(data)
            key = key if is_array(data) else id(node)
            buffers[key] = size
            if node.is_leaf and node.requires_grad:
                leaves.add(key)
    return sum(size for key, size in buffers.items() if key not in leaves)


def in_units(size: int) -> str:
    """Bytes in a message: ``12.5 MB``."""
    units = ["bytes", "kB", "MB", "GB"]
    power = min((len(str(size)) - 1) // 3, 3)
    return f"{size / 1000**power:.4g} {units[power]}"


# What keeps a node alive


def keeps_alive(node: Any) -> list[str]:
    """What keeps a node alive, in words: the variables that lead to it, or to a node that was computed from it.

    ``losses[2], a local variable of train, line 12 of train.py``: one text for each way from a variable, of a function
    that runs or whose frame is kept, or of a module; of many ways through one object, `WAYS`. Looks through all of
    Python's objects, which takes a moment.
    """
    gc.collect()
    objects = gc.get_objects()
    local_names = local_variables(objects)
    own = {id(objects), id(local_names)}
    opened: set[int] = set()
    found: set[str] = set()
    # The ids of what leads to a node, with the ways on from there: each as text, and the ids of the objects on it.
    ways: dict[int, list[tuple[str, frozenset[int]]]] = {at: [("", frozenset())] for at in computed_from(node, objects)}
    while ways:
        for at, known in ways.items():
            found |= {f"{name}{path}, {where}" for name, where in local_names.get(at, ()) for path, _ in known}
        further: dict[int, list[tuple[str, frozenset[int]]]] = {}
        for x in objects:
            if id(x) in own or issubclass(type(x), (FrameType, Node)):
                continue
            for child in gc.get_referents(x):
                for path, passed in ways.get(id(child), ()):
                    way = step_to(child, x, path)
                    if hasattr(x, "__dict__") and id(x) not in opened:  # asking for it may just have made it
                        opened.add(id(x))
                        objects.append(x.__dict__)
                    if type(x) is dict and "__builtins__" in x:  # the globals of a module
                        found.add(GLOBAL.sub(r"\1", way) + f", a global variable of {x.get('__name__')}")
                    elif id(x) not in passed and len(further.setdefault(id(x), [])) < WAYS:
                        further[id(x)].append((way, passed | {id(x)}))
        ways = further
    return sorted(found)


WAYS = 10
GLOBAL = re.compile(r"^\['(\w+)'\]")


def computed_from(node: Any, objects: list[Any]) -> dict[int, Any]:
    """A node and every node that was computed from it, by identity."""
    users: dict[int, list[Any]] = {}
    for x in objects:
        if issubclass(type(x), Node):
            for operand in (x._a, x._b):
                users.setdefault(id(operand), []).append(x)
    found = {id(node): node}
    rest = [node]
    while rest:
        for user in users.get(id(rest.pop()), ()):
            if id(user) not in found:
                found[id(user)] = user
                rest.append(user)
    return found


def local_variables(objects: list[Any]) -> dict[int, list[tuple[str, str]]]:
    """The local variables of all functions but those here: for the identity of a value, names and whose they are."""
    running: list[Any] = []
    for frame in sys._current_frames().values():
        while frame is not None:
            if frame.f_code.co_filename != __file__:
                running.append(frame)
            frame = frame.f_back  # type: ignore[assignment]
    kept = [x for x in objects if type(x) is FrameType and x not in running]
    found: dict[int, list[tuple[str, str]]] = {}
    for frame in running + kept:
        code = frame.f_code
        if not code.co_flags & inspect.CO_OPTIMIZED:
            continue
        where = f"a local variable of {code.co_qualname}, line {frame.f_lineno} of {Path(code.co_filename).name}"
        if frame not in running:
            where += ", whose frame is kept by a traceback or a generator"
        values = frame.f_locals
        for name, value in values.items():
            found.setdefault(id(value), []).append((name, where))
        if isinstance(values, dict):  # until Python 3.13 a copy that would keep the values alive
            values.clear()
    return found


def step_to(child: Any, x: Any, path: str) -> str:
    """The way from ``x`` to a node by way of ``child``, which it refers to, and from which ``path`` leads on."""
    if type(x) is dict:
        return next((f"[{key!r}]{path}" for key, value in x.items() if value is child), path)
    if type(x) in (list, tuple):
        if type(child) is CellType:
            return path
        return next(f"[{i}]{path}" for i, value in enumerate(x) if value is child)
    if type(x) is FunctionType:
        return f" (in its closure or defaults){path}"
    if type(x) in (CellType, MethodType):
        return path
    if type(child) is dict and (issubclass(type(x), type) or getattr(x, "__dict__", None) is child):
        return GLOBAL.sub(r".\1", path)
    for name in (*getattr(x, "__dict__", ()), *(n for kind in type(x).__mro__ for n in getattr(kind, "__slots__", ()))):
        if not name.startswith("__") and getattr(x, name, None) is child:
            return f".{name}{path}"
    return f" (inside a {type(x).__name__}){path}"

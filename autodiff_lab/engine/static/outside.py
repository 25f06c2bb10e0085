"""What a function reads that is not among its arguments, and how a compiled one sees that it is no longer what it was.

Names of globals and of functions around it, attributes that it reads of these, the same of functions that it calls,
and the modules among them, with all that they hold.
"""

from __future__ import annotations

import dis
import inspect
import sys
from contextlib import suppress
from functools import partial
from types import FunctionType, MethodType, ModuleType
from weakref import ref

from autodiff_lab.engine.messages import PACKAGE
from autodiff_lab.engine.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

TRAINING = {"training"}  # which `train` sets, and no forward
NOTHING = object()  # where there was a name
MOST = 10_000  # parts of a thing that are looked at


def static_key(x: Any) -> tuple[Any, ...]:
    """What tells things that are part of a program apart: 1, 1.0 and True are three things, and 0.0 and -0.0 two."""
    if isinstance(x, (int, float, frozenset)):
        return type(x), repr(x)
    if is_array(x) or isinstance(x, Node):
        return type(x), id(x)
    try:
        hash(x)
    except TypeError:
        return type(x), id(x)
    return type(x), x


def is_array(x: Any) -> bool:
    """Whether it is an array or a number of NumPy's or torch's."""
    return hasattr(x, "dtype") and hasattr(x, "shape")


class Same:
    """A thing that is equal to itself alone; it is not kept."""

    __slots__ = ("kind", "number", "thing")

    def __init__(self, thing: Any) -> None:
        self.kind = type(thing).__name__
        self.number = id(thing)
        try:
            self.thing: Any = ref(thing)
        except TypeError:
            self.thing = lambda: thing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Same) or self.number != other.number:
            return False
        thing = self.thing()
        return thing is not None and thing is other.thing()

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"another {self.kind}"


State = tuple[tuple[str, "Any"], ...]


def state_of(thing: Any, label: str, leaving: Collection[str] = (), inside: list[Any] | None = None) -> State:
    """What a thing is now, as pairs of a path and of what can be compared: the same pairs if nothing has changed.

    Lists, tuples, dicts and modules are looked into, and so is an object that is the thing itself, but for attributes
    that are to be left out. What was looked into is added to ``inside``.
    """
    found: list[tuple[str, Any]] = []
    seen: set[int] = set()

    def look(x: Any, path: str) -> None:
        if x is None or (isinstance(x, (int, float, complex, str, bytes)) and not is_array(x)):
            found.append((path, (type(x), repr(x))))
            return
        found.append((path, Same(x)))
        if id(x) in seen or len(found) > MOST:
            return
        seen.add(id(x))
        if inside is not None and (type(x) in (list, dict) or is_module(x)):
            inside.append(x)
        if type(x) in (list, tuple):
            found[-1] = path, (type(x), len(x))
            for i, part in enumerate(x):
                look(part, f"{path}[{i}]")
        elif type(x) is dict:
            found[-1] = path, (dict, tuple(x))
            for key, part in x.items():
                look(part, f"{path}[{key!r}]")
        elif is_module(x) or (x is thing and type(getattr(x, "__dict__", None)) is dict):
            own = {"training": x.training, **vars(x)} if is_module(x) else vars(x)
            for name, part in own.items():
                if name not in leaving and name != "_kinds" and (name != "_forward_hooks" or part):
                    look(part, f"{path}.{name}")

    look(thing, label)
    return tuple(found)


def is_users(cls: type) -> bool:
    """Whether a class was written by the user: of Python's own and of libraries the objects are left alone."""
    return cls.__module__ != "builtins" and is_written_by_user(sys.modules.get(cls.__module__))


def is_written_by_user(module: Any) -> bool:
    """Whether a module of Python's was."""
    return not str(getattr(module, "__file__", None) or "").startswith((PACKAGE, *LIBRARIES))


LIBRARIES = tuple({str(path) for path in sys.path if path.endswith(("site-packages", "dist-packages"))})
LIBRARIES += (str(getattr(inspect, "__file__", "")).removesuffix("inspect.py"),)


class Held:
    """What a thing holds, looked at again only if something in it is another one.

    That is the thing itself, a part of a list or a dict in it, or, if there are modules in it, an attribute of any
    module that has been set since.
    """

    def __init__(self, label: str, leaving: Collection[str] = ()) -> None:
        self.what = label, leaving
        self.thing: Any = NOTHING
        self.state: State = ()
        self.parts: list[tuple[Any, list[Any]]] = []
        self.changes, self.seen = [0], 0

    def __call__(self, thing: Any) -> State:
        """The state; the very same object if it has not changed."""
        if thing is not self.thing or self.changes[0] != self.seen or not all(map(is_as_before, self.parts)):
            inside: list[Any] = []
            changes = getattr(sys.modules.get("autodiff_lab.engine.nn.module"), "changes", [0])
            seen = changes[0]
            now = state_of(thing, *self.what, inside)
            if now != self.state:
                self.state = now
            self.thing = thing
            self.parts = [(x, list(map(not_kept, parts_of(x)))) for x in inside if not is_module(x)]
            self.changes, self.seen = (changes, seen) if any(map(is_module, inside)) else ([0], 0)
        return self.state


def parts_of(x: Any) -> list[Any]:
    """What is in a list or a dict."""
    return [*x, *x.values()] if type(x) is dict else x


def not_kept(part: Any) -> Any:
    """A weak reference to a part, or itself where it can have none, as numbers have."""
    try:
        return ref(part)
    except TypeError:
        return part


def is_as_before(held: tuple[Any, list[Any]]) -> bool:
    """Whether a list or dict has the same parts."""
    now, before = parts_of(held[0]), held[1]
    if len(now) != len(before):
        return False
    return all(a is b or (type(b) is ref and b() is a) for a, b in zip(now, before, strict=False))


class Outside:
    """Something that a function mentions and that is not among its arguments.

    label   what to call it in a message
    where   an expression for it as it is now, of the names in `names`
    value   what it was
    key     what a program depends on
    """

    __slots__ = ("key", "label", "names", "value", "where")

    def __init__(self, label: str, where: str, names: dict[str, Any], value: Any) -> None:
        self.label = label
        self.where = where
        self.names = names
        self.value = value
        self.key = label, static_key(value)

    def difference(self, old: Outside) -> str:
        """In words, how it differs from ``old``."""
        if isinstance(self.value, tuple) and isinstance(old.value, tuple):
            before = dict(old.value)
            for path, key in self.value:
                was = before.pop(path, NOTHING)
                if key != was:
                    new = repr(key) if isinstance(key, Same) else f"{key[1]}"
                    return f"{path} is {new}" + (f", not {was[1]}" if isinstance(was, tuple) else "") + FOUND
            return f"{next(iter(before), self.label)} is gone{FOUND}"
        if isinstance(self.value, Node) or is_array(self.value) or isinstance(self.value, FunctionType):
            return f"{self.label} is another {type(self.value).__name__}"
        return f"{self.label} is {self.value!r:.60}, not {old.value!r:.60}{FOUND}"


FOUND = " (found outside; an argument is an input)"


def mentioned(fn: Any) -> list[Outside]:
    """What a function of Python's reads from global names and from functions around it, and what of it may change.

    These are nodes, arrays, numbers and texts, and lists, tuples and dicts of them; functions that it calls, and what
    these mention; modules with all that they hold, and other objects as far as their attributes are read. What the
    function sets itself is not among them.
    """
    found: dict[str, Outside] = {}
    seen: set[int] = set()
    count = 0

    def note(label: str, where: str, names: dict[str, Any], value: Any) -> None:
        if value is not NOTHING:
            found.setdefault(label, Outside(label, where, names, value))

    def held(thing: Any, label: str) -> None:
        nonlocal count
        if id(thing) in seen:
            return
        seen.add(id(thing))
        count += 1
        parts = thing.modules() if is_module(thing) else [thing]
        classes = dict.fromkeys(cls for part in parts for cls in type(part).__mro__ if cls is not object)
        methods = [(f"{cls.__name__}.{name}", x, cls) for cls in classes for name, x in list(vars(cls).items())]
        codes = [x.__code__ for name, x, _ in methods if isinstance(x, FunctionType) and not name.endswith("__init__")]
        leaving = {name for code in codes for does, name, _ in names_in(code) if does == "STORE_ATTR"} - TRAINING
        state = partial(Held(label, leaving), thing) if is_module(thing) else partial(state_of, thing, label, leaving)
        note(f"{label} ", f"state_{count}()", {f"state_{count}": state}, state())
        for name, method, cls in methods:
            if is_users(cls):
                inspected(method, name)

    def value(x: Any, label: str, where: str, names: dict[str, Any], attributes: list[str]) -> None:
        nonlocal count
        if is_module(x):
            held(x, label)
        elif x is None or isinstance(x, (int, float, str, Node)) or is_array(x):
            note(label, where, names, x)
        elif type(x) in (list, tuple, dict):
            count += 1
            state = Held(label)
            note(f"{label} ", f"state_{count}({where})", {**names, f"state_{count}": state}, state(x))
        elif isinstance(x, FunctionType):
            if not x.__code__.co_filename.startswith((PACKAGE, "<autodiff_lab", "<frozen", *LIBRARIES)):
                note(label, where, names, x)
                inspected(x, label)
        elif isinstance(x, (MethodType, partial)):
            inspected(x, label)
        elif not isinstance(x, ModuleType) or is_written_by_user(x):
            for name in attributes:
                part = getattr(x, name, NOTHING)
                if part is not NOTHING and (is_module(part) or is_array(part) or isinstance(part, LOOKED_INTO)):
                    value(part, f"{label}.{name}", f"getattr({where}, {name!r}, None)", names, [])
            if not isinstance(x, ModuleType) and is_users(type(x)):
                inspected(vars(type(x)).get("__call__"), f"{type(x).__name__}.__call__")

    def inspected(fn: Any, prefix: str) -> None:
        nonlocal count
        if isinstance(fn, partial):
            for i, part in enumerate((*fn.args, *fn.keywords.values())):
                count += 1
                value(part, f"{prefix} {i}", f"part_{count}", {f"part_{count}": part}, [])
            fn = fn.func
        with suppress(ValueError):
            fn = inspect.unwrap(fn)
        owner = getattr(fn, "__self__", None)
        if owner is not None and not isinstance(owner, (type, ModuleType)) and hasattr(owner, "__dict__"):
            held(owner, prefix or type(owner).__name__)
        function = getattr(fn, "__func__", fn)
        if not isinstance(function, FunctionType) or id(function) in seen:
            return
        seen.add(id(function))
        count += 1
        code, space, here = function.__code__, function.__globals__, f"space_{count}"
        used = list(names_in(code))
        changed = {name for does, name, _ in used if does in ("STORE_GLOBAL", "STORE_DEREF")}
        label = f"{prefix}: " if prefix else ""
        attributes: dict[str, list[str]] = {}
        for _, name, attribute in used:
            attributes.setdefault(name, []).extend([attribute] if attribute else [])
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            with suppress(ValueError):  # it has no value yet
                if name not in changed:
                    names = {f"cell_{count}_{name}": cell}
                    value(
                        cell.cell_contents,
                        label + name,
                        f"cell_{count}_{name}.cell_contents",
                        names,
                        attributes.get(name, []),
                    )
        for name in dict.fromkeys(name for does, name, _ in used if does == "LOAD_GLOBAL" and name in space):
            if name not in changed:
                value(space[name], label + name, f"{here}.get({name!r})", {here: space}, attributes[name])

    if is_module(fn) or not isinstance(getattr(fn, "__func__", fn), (FunctionType, partial)):
        if hasattr(fn, "__dict__") and not isinstance(fn, (FunctionType, MethodType, partial, type)):
            held(fn, "self" if not is_module(fn) else type(fn).__name__)
        inspected(getattr(type(fn), "forward", type(fn).__call__), "")
    inspected(fn, "")
    return list(found.values())


LOOKED_INTO = (int, float, str, list, tuple, dict, type(None), Node, FunctionType)


def is_module(x: Any) -> bool:
    """Whether it is a module of `nn`."""
    return isinstance(x, getattr(sys.modules.get("autodiff_lab.engine.nn.module"), "Module", ()))


def names_in(code: Any) -> Iterator[tuple[str, str, str]]:
    """What a function does with names, and functions inside it do: ``("LOAD_GLOBAL", "config", "scale")``.

    The third is the attribute that is read of what the name stands for, if one is.
    """
    before = ("", "")
    for step in dis.get_instructions(code):
        if before[0] and step.opname not in ("CACHE", "PUSH_NULL"):
            yield *before, step.argval if step.opname in ("LOAD_ATTR", "LOAD_METHOD") else ""
            before = ("", "")
        if step.opname.endswith(("_GLOBAL", "_DEREF")):
            before = step.opname, step.argval
        elif step.opname == "STORE_ATTR":
            yield step.opname, step.argval, ""
    for part in code.co_consts:
        if hasattr(part, "co_names"):
            yield from names_in(part)

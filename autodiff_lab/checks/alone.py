"""Every exercise stands alone: what the cell of one leaves behind does not reach the code of another.

All cells of a notebook share one namespace and one process. Names that a cell defines are there for all later cells, as
in any notebook. Two things are not, while a test runs an exercise's code:

- a builtin's name that another cell has given another meaning (``sum = 2 + 3``): the builtin is what it was;
- settings of the process that another cell has changed: the recursion limit, the random seed, NumPy's handling of
  floating-point errors, warnings made errors, replaced functions of ``builtins`` and ``math``, the working directory,
  trace functions.

"Another cell" is one of which the code asked for uses nothing, not by way of other functions either. After the question
all is as the student left it. Not a protection: it runs beside the student's code.
"""

import ast
import builtins
import linecache
import math
import os
import random
import re
import symtable
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import CodeType, FunctionType
from typing import Any

RECURSION_LIMIT = 3000  # a notebook's: Python starts with 1000, and a library that Jupyter uses makes it 3000

_ORIGINALS = {module: dict(vars(module)) for module in (builtins, math)}
_NUMPY_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
_SEEDING = ("seed", "setstate", "set_state")
_NO_CODE = (type(None), str, int, float, bool, tuple, dict)
_OF_JUPYTER = {"input", "exit", "quit", "open", "help", "display", "get_ipython"}  # it replaces these itself


@contextmanager
def alone(namespace: dict[str, Any], names: Iterable[str]) -> Iterator[None]:
    """While the code that ``names`` stand for runs: nothing of cells that it does not use is in its way, or helps it.

    ``namespace`` is the notebook's. Also undoes what that code itself changes in the settings.
    """
    cells = _Cells(namespace, names)
    with ExitStack() as stack:
        for setting in (_names, _recursion, _seeds, _numpy_errors, _warnings, _functions, _folder, _tracing):
            stack.enter_context(contextmanager(setting)(namespace, cells))
        yield


def hidden_builtins(namespace: dict[str, Any]) -> set[str]:
    """The names of builtins to which the notebook gives another meaning."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    given = getattr(shell, "user_ns_hidden", {}) if shell else {}  # IPython has an `open` and an `exit` of its own
    return {
        name
        for name in _ORIGINALS[builtins].keys() & namespace.keys()
        if not name.startswith("_") and namespace[name] is not given.get(name)
    }


class _Cells:
    """The cells that some names' code comes from. Found out when it is first asked for: it seldom is."""

    def __init__(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        self._namespace, self._names = namespace, names
        self._sources: list[str] | None = None

    @property
    def sources(self) -> list[str]:
        if self._sources is None:
            files: dict[str, None] = {}
            waiting, seen = list(self._names), set[str]()
            while waiting:
                name = waiting.pop()
                if name in seen or name not in self._namespace:
                    continue
                seen.add(name)
                for code in _codes(self._namespace[name], self._namespace):
                    files[code.co_filename] = None
                    # A builtin's name is no use of the cell that gives it another meaning.
                    waiting += [name for name in _names_of(code) if name not in _ORIGINALS[builtins]]
            self._sources = ["".join(linecache.getlines(file)) for file in files]
        return self._sources

    def say(self, pattern: str) -> bool:
        """Whether one of the cells has this in its text."""
        return any(re.search(pattern, source) for source in self.sources)

    def bind(self) -> set[str]:
        """The names that the cells give a meaning at their top level."""
        bound = set()
        for source in self.sources:
            with suppress(SyntaxError, ValueError):
                table = symtable.symtable(source, "<cell>", "exec")
                bound |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned()}
        return bound


def _codes(value: Any, namespace: dict[str, Any], depth: int = 0) -> Iterator[CodeType]:
    """The code of a function or class of the notebook, also where it is wrapped (a cache, a partial, a property)."""
    kind = type(value)
    if depth > 3:
        return
    if kind is FunctionType:
        if value.__globals__ is namespace:
            yield value.__code__
        inner = [cell.cell_contents for cell in value.__closure__ or () if not _is_empty(cell)]
    elif issubclass(kind, type):
        inner = list(type.__dict__["__dict__"].__get__(value).values())
    else:
        inner = [getattr(value, key, None) for key in ("__wrapped__", "__func__", "func", "fget", "fset")]
        inner += [kind] if kind.__module__ == "__main__" else []
    for item in inner:
        if type(item) not in _NO_CODE:
            yield from _codes(item, namespace, depth + 1)


def _is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is None
    except ValueError:
        return True


def _names_of(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_of(constant)


def names_in(source: str) -> frozenset[str]:
    """The names that some lines of a test use, without those of builtins."""
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    return frozenset(used - _ORIGINALS[builtins].keys())


# --- one thing each: put right before, put back afterwards ------------------------------------------------------------


def _names(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    changed = hidden_builtins(namespace)
    hidden = {name: namespace.pop(name) for name in changed - cells.bind()} if changed else {}
    try:
        yield
    finally:
        for name, value in hidden.items():
            namespace.setdefault(name, value)


def _recursion(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    before = sys.getrecursionlimit()
    if before > RECURSION_LIMIT and not cells.say("setrecursionlimit"):
        sys.setrecursionlimit(RECURSION_LIMIT)
    try:
        yield
    finally:
        if sys.getrecursionlimit() != before:
            sys.setrecursionlimit(before)


def _seeds(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    done = namespace.get("In")
    told = [cell for cell in done if type(cell) is str] if type(done) is list else []
    if not any(word in cell for cell in told for word in _SEEDING) or cells.say("|".join(_SEEDING)):
        yield
        return
    state, numpy = random.getstate(), sys.modules.get("numpy.random")
    states = numpy.get_state() if numpy else None
    random.seed()
    if numpy:
        numpy.seed()
    try:
        yield
    finally:
        random.setstate(state)
        if numpy:
            numpy.set_state(states)


def _numpy_errors(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    numpy = sys.modules.get("numpy")
    before = numpy.geterr() if numpy else {}
    if before not in ({}, _NUMPY_ERRORS) and not cells.say("seterr|errstate"):
        numpy.seterr(**_NUMPY_ERRORS)  # type: ignore[union-attr]
    try:
        yield
    finally:
        if numpy and before and numpy.geterr() != before:
            numpy.seterr(**before)


def _warnings(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    before = warnings.filters[:]
    errors = [entry for entry in before if entry[0] == "error" and not entry[2].__module__.startswith("IPython.")]
    if errors and not cells.say("simplefilter|filterwarnings"):
        _filter([entry for entry in before if entry not in errors])
    try:
        yield
    finally:
        if warnings.filters != before:
            _filter(before)


def _filter(entries: Any) -> None:
    warnings.filters[:] = entries
    warnings._filters_mutated()  # type: ignore[attr-defined]


def _functions(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    replaced: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for module, originals in _ORIGINALS.items():
        there = vars(module)
        changed = {
            name: there[name]
            for name, original in originals.items()
            if there.get(name, original) is not original and not name.startswith("_") and name not in _OF_JUPYTER
        }
        # `math.exp = …`, `setattr(math, …)`
        if changed and not cells.say(rf"\b{module.__name__}\s*(\.\w+\s*=[^=]|,)"):
            replaced.append((there, changed))
            there.update({name: originals[name] for name in changed})
    try:
        yield
    finally:
        for there, changed in replaced:
            there.update(changed)


def _folder(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    start, before = getattr(shell, "starting_dir", None), _here()
    if start and before != start and not cells.say(r"chdir|%cd|'cd'"):
        with suppress(OSError):
            os.chdir(start)
    try:
        yield
    finally:
        if before and _here() != before:
            with suppress(OSError):
                os.chdir(before)


def _here() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:  # the folder is gone
        return None


def _tracing(namespace: dict[str, Any], cells: _Cells) -> Iterator[None]:
    own: list[tuple[Callable[..., Any], Any]] = [
        (put, function)
        for read, put in ((sys.gettrace, sys.settrace), (sys.getprofile, sys.setprofile))
        if getattr(function := read(), "__globals__", None) is namespace  # not a debugger's
    ]
    for put, _ in own if own and not cells.say("settrace|setprofile") else ():
        put(None)
    try:
        yield
    finally:
        for put, function in own:
            put(function)

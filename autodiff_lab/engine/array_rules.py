"""From a row to code for one kind of array: the forward methods of `Tensor` and the pulls, as `rules` has them for
numbers. What is added is broadcasting, parameters, and the check that nothing a pull reads was changed meanwhile.
"""

from __future__ import annotations

import functools

from autodiff_lab.engine import ops, rules
from autodiff_lab.engine.backend import Backend, bound
from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.formulas import NUMBERS, on_arrays
from autodiff_lab.engine.rules import NODES, Rule, indented, rule_name, wanted_formulas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

    from autodiff_lab.engine.ops import Op


class ArrayRule(Rule):
    """The rule that all tensors of one row, one kind of operands and one backend share."""

    __slots__ = ("backend", "pull", "pull_graph")

    def __init__(self, op: Op, kind: str, backend: Backend) -> None:
        super().__init__(op, kind)
        self.backend = backend
        self.pull = self._compile_pull  # type: ignore[method-assign, assignment]
        self.pull_graph = self._compile_pull_graph  # type: ignore[method-assign, assignment]

    def _compile_pull(self, *arguments: Any) -> None:
        self.backend.look_up_helpers()
        self.pull = self._compiled("pull", self.backend.names, "._data")  # type: ignore[method-assign]
        self.pull(*arguments)

    def _compile_pull_graph(self, *arguments: Any) -> None:
        look_up_helpers_on_nodes()
        self.pull_graph = self._compiled("pull_graph", NODES, "")  # type: ignore[method-assign]
        self.pull_graph(*arguments)

    def _compiled(self, name: str, names: dict[str, Any], data: str) -> Callable[..., None]:
        assert self.op is not None
        kept = self.backend.keeping[self.op.name][1] if self.kind == "a+" and data else ""
        source = pull_source(self.op, self.kind, name, data, self.backend.name == "torch", kept)
        subject = f"{rule_name(self.op, self.kind)}.{name} on {self.backend.name}"
        made: Callable[..., None] = rules.compile_source(source, subject, names)[name]
        return made

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        check_unchanged(node, self.saves())
        return super().values(node)

    def share(self, position: int, g: Any, values: tuple[Any, Any, Any], node: Any) -> Any:
        share = self._compute(position, g, values, node)
        x = node.operands[position]
        if share.shape != x.shape:
            share = self._names(g)["unbroadcast"](share, tuple(x.shape))
        return share if x.shape or self.backend.name == "numpy" else share.to(x.device)

    def shares(self, g: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        """Each operand that wants an adjoint, with its share; as nodes if ``g`` is one."""
        if node._a.parts is not None:
            parts = self._compute(0, g, (None, None, None), node)
            yield from ((x, share) for x, share in zip(node.operands, parts, strict=True) if x.requires_grad)
        elif hasattr(g, "_rule"):
            values = (*node.operands, None)[:2]
            for position, x in enumerate(node.operands):
                if "ab"[position] in self.kind:
                    yield x, self.share(position, g, (*values, node), node)
        else:
            yield from super().shares(g, node)

    def _names(self, g: Any) -> dict[str, Any]:
        if not hasattr(g, "_rule"):
            return self.backend.names
        look_up_helpers_on_nodes()
        return NODES

    def _compute(self, position: int, g: Any, values: tuple[Any, Any, Any], node: Any) -> Any:
        assert self.op is not None
        number = "ab"[self.kind.index("#")] if "#" in self.kind else ""
        params = node._number if self.op.params else ()
        return adjoint_formula(self.op, position, number, self._names(g))(g, *values, *params)


def check_unchanged(node: Any, saved: tuple[str, ...]) -> None:
    """RuntimeError if an operand that the pull of ``node`` reads was changed in place after ``node`` was computed."""
    for name, x in zip("ab", node.operands, strict=False):
        if name in saved and getattr(x, "_version", -1) > node._version:
            raise changed(node, x)


class Spoiled(Rule):
    """The rule of a node whose own value, or another ``part``, is needed by its pull, but was changed in place."""

    __slots__ = ("part",)

    def __init__(self, inner: Rule, part: str = "its result") -> None:
        super().__init__(inner.op, inner.kind)
        self.part = part

    def pull(self, g: Any, node: Any, *rest: Any) -> NoReturn:
        shape = f" of shape {node.shape}" if self.part == "its result" else ""
        raise RuntimeError(
            f"{node.op} saved {self.part}{shape} for backward, but it was changed in place afterwards. "
            "Change it after backward(), or change a clone()."
        )

    pull_graph = pull  # type: ignore[assignment]


def changed(node: Any, x: Any) -> RuntimeError:
    """The error for an operand that was changed too early."""
    return RuntimeError(
        f"{node.op} saved an operand of shape {tuple(x.shape)} for backward, but it was changed in place afterwards. "
        "Change it after backward(), or compute with x.clone() and change the copy."
    )


def adjoint_formula(op: Op, operand: int, number: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The formula of an operand's share, as a function of ``(g, a, b, y)`` and the parameters."""
    key = (op, operand, number, id(names))
    if key not in _adjoint_formulas:
        text = on_arrays(op.adjoints[operand], number)
        _adjoint_formulas[key] = compiled(op, text, f"{op.name} {operand} {number}", names)
    return _adjoint_formulas[key]


_adjoint_formulas: dict[tuple[Op, int, str, int], Callable[..., Any]] = {}


def forward(op: Op, kind: str, backend: Backend) -> Callable[..., Any]:
    """The forward formula of a row on arrays, as a function of ``(g, a, b, y)`` and the parameters."""
    key = op, "#" in kind and kind
    if key not in backend.forwards:
        backend.look_up_helpers()
        text = forward_text(op, kind, backend)
        backend.forwards[key] = compiled(op, text, f"{op.name} on {backend.name}", backend.names)
    return backend.forwards[key]  # type: ignore[no-any-return]


def compiled(op: Op, text: str, subject: str, names: dict[str, Any]) -> Callable[..., Any]:
    """A formula of a row as a function."""
    source = f"def formula({', '.join(('g', 'a', 'b', 'y', *op.params))}):\n    return {text}\n"
    made: Callable[..., Any] = rules.compile_source(source, subject, names)["formula"]
    return made


def look_up_helpers_on_nodes() -> None:
    """Bring the functions that formulas call into the namespace of nodes."""
    for name, function in ops.HELPERS.items():
        if name not in NODES:
            NODES[name] = bound(function, NODES)


def array_rule(op: Op, kind: str, backend: Backend) -> ArrayRule:
    """The shared rule of a row for one kind of operands on one backend."""
    name = rule_name(op, kind)
    if name not in backend.names or backend.names[name].op is not op:
        backend.names[name] = ArrayRule(op, kind, backend)
    made: ArrayRule = backend.names[name]
    return made


@ops.helper
def unbroadcast(g: Any, shape: Any) -> Any:
    """The sum of ``g`` over the axes along which an operand of ``shape`` was repeated."""
    dim, keepdim = repeated(tuple(g.shape), shape)
    if not dim:  # nothing was repeated; and a sum over no axis is a sum over all
        return g
    if keepdim:
        return reshape(sum(g, dim, True), shape)
    return sum(g, dim, False)


@functools.lru_cache(1024)
def repeated(shape: tuple[int, ...], before: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Along which axes an array of shape ``before`` is repeated to get ``shape``, and whether these remain."""
    extra = len(shape) - len(before)
    dim = tuple(i for i, n in enumerate(shape) if i < extra or before[i - extra] != n)
    return dim, len(dim) > extra


ops.helper(repeated)


# Source


def pull_source(op: Op, kind: str, name: str, data: str, devices: bool, kept: str) -> str:
    """The source of a pull. ``data`` is how a node's array is read: "._data", or "" where the node itself is meant.

    Where there are ``devices``, an operand without dimensions may be on another one than the result, and gets its
    adjoint there. ``kept`` is the formula of an adjoint that reads what the forward formula has kept, if there is one.
    """
    formulas = {"a": kept} if kept else wanted_formulas(op, kind)
    number = "ab"[kind.index("#")] if "#" in kind else ""
    used = {x for text in formulas.values() for x in ops.names_in(text)}
    lines = [f"node_{x} = node.{'_a' if kind == '#b' else f'_{x}'}" for x in "ab"[: op.arity] if x != number]
    lines += [f"{''.join(f'{param}, ' for param in op.params)}= node._number"] * bool(op.params)
    for x in [x for x in "ab" if x in used]:
        if x == number:
            lines.append(f"{x} = node._number")
        else:
            lines += [f"if node_{x}._version > node._version:", f"    raise changed(node, node_{x})"]
            lines.append(f"{x} = node_{x}{data}")
    lines += [f"y = node{data}"] * ("y" in used) + ["kept = node._b._data"] * bool(kept)
    for x, text in formulas.items():
        lines.append(f"d{x} = {on_arrays(text, number)}")
        if op.arity == 2 and not number:
            lines += [f"shape = node_{x}._data.shape", f"if d{x}.shape != shape:"]
            lines.append(f"    d{x} = unbroadcast(d{x}, {'shape' if data else 'tuple(shape)'})")
            lines += ["if not shape:", f"    d{x} = d{x}.to(node_{x}.device)"] * devices
    for x in formulas:
        lines += rules.delivery(x)
    quiet = ["@silent"] * (bool(data) and any("where(" in line and ("/" in line or "log(" in line) for line in lines))
    return "\n".join([*quiet, f"def {name}(g, node, ready, waiting, adjoints):", *indented(lines)]) + "\n"


def forward_text(op: Op, kind: str, backend: Backend) -> str:
    """The forward formula on the arrays of a backend."""
    if op.name in backend.faster and "#" not in kind:
        return backend.faster[op.name]
    return on_arrays(op.forward, "ab"[kind.index("#")] if "#" in kind else "")


def method_source(op: Op, name: str, otherwise: str, backend: Backend) -> str:
    """A forward method of a row without parameters: the usual operands written out, the others left to `record`."""
    if not any(op.adjoints):
        return never_recorded_source(op, name, otherwise, backend)
    if op.arity == 1:
        return f"""\
def {name}(self):
    mode = current()
    if self._rule is not None and (mode is RECORD or mode.records):
        a = self._data
        rule = {rule_name(op, "a")}
{new_node(op, "a", backend, "self", "None", 8)}
    if (mode.quiet or mode.records) and self._data.dtype in floats:
        a = self._data
{new_node(op, "a", backend, "", "", 8)}
    return {otherwise}(op_{op.name}, self)
"""
    with_number = f"""
    elif type(other) is float or type(other) is int:
        a = self._data
        b = other
        mode = current()
        if self._rule is not None and (mode is RECORD or mode.records):
            rule = {rule_name(op, "a#")}
{new_node(op, "a#", backend, "self", "None", 12)}
        elif a.dtype in floats and (mode.records or mode.quiet):
{new_node(op, "a#", backend, "", "", 12)}"""
    return f"""\
def {name}(self, other):
    if type(other) is Tensor:
        a = self._data
        b = other._data
        if a.dtype is b.dtype:
            mode = current()
            if mode is not RECORD and not mode.records:
                rule = None if mode.quiet else False
            elif self._rule is not None:
                if other._rule is not None:
                    rule = {rule_name(op, "ab")}
                else:
                    rule = {rule_name(op, "a-")} if other._version <= clock else False
            elif other._rule is not None:
                rule = {rule_name(op, "-b")} if self._version <= clock else False
            else:
                rule = None
            if rule:
{new_node(op, "ab", backend, "self", "other", 16)}
            if rule is None and a.dtype in floats:
{new_node(op, "ab", backend, "", "", 16)}{with_number if op.on_numbers else ""}
    return {otherwise}(op_{op.name}, self, other)
"""


def written_out(op: Op) -> bool:
    """Whether a row with parameters has one operand, so that `call_source` can write its usual call out."""
    return op.arity == 1 and bool(op.params) and op.name not in JOINING


JOINING = ("cat", "stack")  # rows whose one operand is a list
MAY_BE_ARRAYS = frozenset(("condition", "index", "target"))  # the parameters that may


def call_source(op: Op, keeps_integers: bool, backend: Backend) -> str:
    """A forward method of a row with parameters: what needs no change of the operand written out, else `call`."""
    when, result, formula = "mode is RECORD or mode.records", "node._data", forward_text(op, "a", backend)
    rule, link = rule_name(op, "a"), "None"
    if op.name in backend.keeping:
        when, result, formula = "mode is RECORD", "node._data, kept", backend.keeping[op.name][0]
        rule, link = rule_name(op, "a+"), "self._constant(kept)"
    arrays = [name for name in op.params if name in MAY_BE_ARRAYS]
    lines = [f"{', '.join(op.params)}, = params"]
    lines += [f"{x} = {x}._data if type({x}) is Tensor else arrays_in({x}, self, '{op.name}')" for x in arrays]
    lines += [f"params = {', '.join(op.params)},"] * bool(arrays)
    linked = ["node._a = self", f"node._b = {link}", "node._number = params"]
    linked += ["if mode is not RECORD:", "    pack_saved(node)"] * (link == "None")
    view = f"\n{' ' * 16}note_view(node, self, params)"
    return f"""\
def {op.name}(self, *args, **kwargs):
    mode = current()
    if {when}:
        rule = {rule if op.adjoints[0] else None} if self._rule is not None else None
    else:
        rule = None if mode.quiet else False
    if rule is not False:
        a = self._data
        try:
            operands, params = arguments_{op.name}(a, *args, **renamed(kwargs) if kwargs else kwargs)
        except (IndexError, TypeError, ValueError):
            operands = None,  # `call` comes to the same end, and has the words for it
        if operands[0] is a{"" if keeps_integers else " and a.dtype in floats"}:
{chr(10).join(indented(lines, 12))}
            node = blank()
            try:
                {result} = {formula}
            except Exception as error:
                raise explained(op_{op.name}, error, self, params=params) from None
            node._version = clock
            node._rule = rule
            node._grad = None
            if rule is None:
                node._a = None
                node._b = mode.mark
                if mode.inference:
                    node._version = NEVER{view * op.view}
            else:
{chr(10).join(indented(linked, 16))}
            return node
    return call(op_{op.name}, self, *args, **kwargs)
"""


def never_recorded_source(op: Op, name: str, otherwise: str, backend: Backend) -> str:
    """A forward method of a row through which no adjoint flows."""
    if op.arity == 1:
        return f"""\
def {name}(self):
    mode = current()
    if mode.records or mode.quiet:
        a = self._data
{new_node(op, "a", backend, "", "", 8)}
    return {otherwise}(op_{op.name}, self)
"""
    return f"""\
def {name}(self, other):
    mode = current()
    if (mode.records or mode.quiet) and (type(other) is Tensor or type(other) is float or type(other) is int):
        a = self._data
        b = other._data if type(other) is Tensor else other
{new_node(op, "ab", backend, "", "", 8)}
    return {otherwise}(op_{op.name}, self, other)
"""


def reflected_source(op: Op, backend: Backend) -> str:
    """The method Python calls when the left operand is no node."""
    if not op.on_numbers:
        return f"def {op.reflected}(self, other):\n    return record(op_{op.name}, other, self)\n"
    return f"""\
def {op.reflected}(self, other):
    if type(other) is float or type(other) is int:
        a = other
        b = self._data
        mode = current()
        if self._rule is not None and (mode is RECORD or mode.records):
            rule = {rule_name(op, "#b")}
{new_node(op, "#b", backend, "self", "None", 12)}
        elif b.dtype in floats and (mode.records or mode.quiet):
{new_node(op, "#b", backend, "", "", 12)}
    return record(op_{op.name}, other, self)
"""


def in_place_source(op: Op, backend: Backend) -> str:
    """The method for ``w -= step``. Memory of NumPy's that nobody else can see is written to."""
    name = f"__i{op.dunder[2:]}"
    in_memory = f"""
    global clock
    # two references: the node's and the call's; a local name's would be a third, which Python 3.14 may not count
    if type(other) is Tensor and self._a is None and current().quiet and getrefcount(self._data) == 2:
        a = self._data
        b = other._data
        if type(a) is type(b) and a.dtype is b.dtype and a.shape == b.shape != () and a.base is None:
            self._data = operator.{name}(a, b)
            clock += 1
            self._version = clock
            return self"""
    return f"""\
def {name}(self, other):{in_memory * (backend.name == "numpy")}
    return in_place(op_{op.name}, self, self.{op.dunder}(other))
"""


def new_node(op: Op, kind: str, backend: Backend, first: str, second: str, margin: int) -> str:
    """The lines that make and return a node out of the arrays ``a`` and ``b``: recorded if it has a ``first`` link."""
    lines = [
        "node = blank()",
        "try:",
        f"    node._data = {forward_text(op, kind, backend)}",
        "except Exception as error:",
        f"    raise explained(op_{op.name}, error, {'self, other' if kind != 'a' else 'self'}) from None",
        "node._version = clock",
    ]
    if first:
        lines += ["node._grad = None", "node._rule = rule", f"node._a = {first}", f"node._b = {second}"]
        lines += ["node._number = other"] * ("#" in kind)
        lines += ["if mode is not RECORD:", "    pack_saved(node)"]
    else:
        lines += ["node._grad = node._rule = node._a = None", "node._b = mode.mark"]
        lines += ["if mode.inference:", "    node._version = NEVER"]
    return "\n".join(indented([*lines, "return node"], margin))


if TYPE_CHECKING:  # what helpers find in the namespace they are bound to
    reshape: Any = None
    sum: Any = None

NODES.update(NUMBERS)
NODES.update({"deliver": deliver, "changed": changed, "silent": lambda function: function})

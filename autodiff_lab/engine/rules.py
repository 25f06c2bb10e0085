"""From a row to code: the source of the forward methods and of the pulls, as straight-line Python that a traceback can show.

A `Rule` is what a recorded node points to: its row, and how its adjoint is pulled through to those operands that want one. Formulas are
compiled against a namespace: `VALUES` (floats), `CAREFUL` (floats by the IEEE rules, where Python would raise) or `NODES`.
"""

from __future__ import annotations

import linecache
import math

from autodiff_lab.engine import ieee, ops
from autodiff_lab.engine.modes import NAMESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from autodiff_lab.engine.ops import Op

VALUES: dict[str, Any] = NAMESPACE
VALUES.update({name: getattr(math, name) for name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "pow")})
CAREFUL: dict[str, Any] = ieee.NAMESPACE
NODES: dict[str, Any] = {"__builtins__": {"abs": abs}}


def compile_source(source: str, subject: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run generated ``source`` and return the names it defines; a traceback through it shows its lines."""
    file = f"<autodiff_lab {subject}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made: dict[str, Any] = {}
    exec(compile(source, file, "exec"), namespace, made)
    return made


def formula(op: Op, operand: int | None, namespace: dict[str, Any]) -> Callable[..., Any]:
    """One formula of a row as a function of ``(g, a, b, y)``: the adjoint of an operand, or the forward formula for None."""
    key = (id(namespace), op, operand)
    if key not in _formulas:
        text = op.forward if operand is None else op.adjoints[operand]
        if namespace is CAREFUL:
            text = ieee.careful(text)
        part = "forward" if operand is None else f"adjoint of {'ab'[operand]}"
        source = f"def formula(g, a, b, y):\n    return {text}\n"
        _formulas[key] = compile_source(source, f"{op.name}, {part}", namespace)["formula"]
    return _formulas[key]


_formulas: dict[tuple[int, Op, int | None], Callable[..., Any]] = {}


class Rule:
    """How the adjoint ``g`` of a node is pulled through to its operands.

    op      the row; None for a leaf
    kind    where the operands are: "a" (one node), "ab" (two nodes that both want an adjoint), "a-" and "-b" (the other is a node that
            wants none), "a#" and "#b" (the other is a number, and the node sits in the first link)
    pull    ``pull(g, node, adjoints)`` adds each operand's share to ``adjoints``; on floats
    pull_graph  the same on nodes, so that the sweep itself is recorded
    watch   None, or ``watch(g, node) -> g``, which runs the hooks of the node
    """

    __slots__ = ("kind", "op", "pull", "pull_graph", "watch")

    def __init__(self, op: Op | None, kind: str) -> None:
        self.op = op
        self.kind = kind
        self.watch: Callable[[Any, Any], Any] | None = None
        if op is not None:
            self.pull: Callable[[Any, Any, dict[Any, Any]], None] = self._first_pull
            self.pull_graph: Callable[[Any, Any, dict[Any, Any]], None] = self._first_pull_graph

    # Source is generated when it is first needed: most rules of most programs never are.
    def _first_pull(self, g: Any, node: Any, adjoints: dict[Any, Any]) -> None:
        self.pull = self._compile_pull("pull", VALUES, ".data")
        self.pull(g, node, adjoints)

    def _first_pull_graph(self, g: Any, node: Any, adjoints: dict[Any, Any]) -> None:
        self.pull_graph = self._compile_pull("pull_graph", NODES, "")
        self.pull_graph(g, node, adjoints)

    def _compile_pull(self, name: str, namespace: dict[str, Any], data: str) -> Callable[..., None]:
        assert self.op is not None
        source = pull_source(self.op, self.kind, name, data)
        made: Callable[..., None] = compile_source(source, f"{self.op.name} {self.kind}, {name}", namespace)[name]
        return made

    def wants(self) -> tuple[int, ...]:
        """The positions of the operands that want an adjoint."""
        return tuple(i for i, operand in enumerate("ab") if operand in self.kind)


LEAF = Rule(None, "")


def pull_source(op: Op, kind: str, name: str, data: str) -> str:
    """The source of one pull. ``data`` is how a node's value is read: ".data" on floats, "" where the node itself is meant."""
    wanted = [operand for operand in "ab" if operand in kind]
    used = {used for operand in wanted for used in ops.names_in(op.adjoints["ab".index(operand)])}
    link = {"a": "_a", "b": "_a" if kind == "#b" else "_b"}
    lines = [f"def {name}(g, node, adjoints):"]
    for operand in "ab"[: op.arity]:
        if operand in wanted:
            lines.append(f"    node_{operand} = node.{link[operand]}")
            if operand in used:
                lines.append(f"    {operand} = node_{operand}{data}")
        elif operand in used:
            lines.append(
                f"    {operand} = node._number" if "#" in kind else f"    {operand} = node.{link[operand]}{data}"
            )
    if "y" in used:
        lines.append(f"    y = node{data}")
    shares = [f"d{operand} = {op.adjoints['ab'.index(operand)]}" for operand in wanted]
    if data and any(may_raise(op.adjoints["ab".index(operand)]) for operand in wanted):
        known = ", ".join(n if n in used or n == "g" else "None" for n in ("g", "a", "b", "y"))
        lines.append("    try:")
        lines += [f"        {share}" for share in shares]
        lines.append("    except (ArithmeticError, ValueError):")
        lines += [f"        d{operand} = careful({op.name!r}, {'ab'.index(operand)}, {known})" for operand in wanted]
    else:
        lines += [f"    {share}" for share in shares]
    for operand in wanted:
        key, share = f"node_{operand}", f"d{operand}"
        lines.append(f"    adjoints[{key}] = adjoints[{key}] + {share} if {key} in adjoints else {share}")
    return "\n".join(lines) + "\n"


def may_raise(text: str) -> bool:
    """Whether Python could raise where IEEE arithmetic has an answer (1/0, exp(1000), log(-1))."""
    return "/" in text or "(" in text


def careful(name: str, operand: int | None, g: Any, a: Any, b: Any, y: Any) -> float:
    """A formula again, by the IEEE rules: what torch gives where Python raises."""
    return float(formula(ops.TABLE[name], operand, CAREFUL)(g, a, b, y))


VALUES["careful"] = careful


def forward_sources(op: Op) -> Iterator[tuple[str, str]]:
    """Pairs of a method's name and its source: the method named as the row, Python's infix form, and the reflected one."""
    yield op.name, method_source(op, op.name, op.arity, strict=True)
    if op.dunder:
        yield op.dunder, method_source(op, op.dunder, op.arity)
    if op.reflected:
        yield op.reflected, reflected_source(op)


def method_source(op: Op, name: str, arity: int, strict: bool = False) -> str:
    """A forward method. The usual cases are written out; every other one goes to ``record``."""
    record = "record_strictly" if strict else "record"
    if arity == 1:
        return f"""\
def {name}(self):
    if plain and self._rule is not None:
        a = self.data
{_new_node(op, "a", 8)}        node._a = self
        node._b = None
        return node
    return {record}(op_{op.name}, self)
"""
    return f"""\
def {name}(self, other):
    if plain and self._rule is not None:
        if type(other) is Scalar:
            if other._rule is not None:
                a = self.data
                b = other.data
{_new_node(op, "ab", 16)}                node._a = self
                node._b = other
                return node
        elif type(other) is float or type(other) is int:
            a = self.data
            b = float(other)
{_new_node(op, "a#", 12)}            node._a = self
            node._b = None
            node._number = other
            return node
    return {record}(op_{op.name}, self, other)
"""


def reflected_source(op: Op) -> str:
    """The method Python calls when the left operand is not a node."""
    return f"""\
def {op.reflected}(self, other):
    if plain and self._rule is not None and (type(other) is float or type(other) is int):
        a = float(other)
        b = self.data
{_new_node(op, "#b", 8)}        node._a = self
        node._b = None
        node._number = other
        return node
    return record(op_{op.name}, other, self)
"""


def _new_node(op: Op, kind: str, indent: int) -> str:
    margin = " " * indent
    lines = ["node = new(Scalar)"]
    if may_raise(op.forward):
        b = "b" if op.arity == 2 else "None"
        lines += ["try:", f"    node.data = {op.forward}", "except (ArithmeticError, ValueError):"]
        lines += [f"    node.data = careful({op.name!r}, None, None, a, {b}, None)"]
    else:
        lines.append(f"node.data = {op.forward}")
    lines += ["node.grad = None", f"node._rule = {rule_name(op, kind)}"]
    return "".join(f"{margin}{line}\n" for line in lines)


def rule_name(op: Op, kind: str) -> str:
    """The name under which generated code finds the rule."""
    return f"{op.name}_{kind.replace('#', '_number_').replace('-', '_constant_')}"


def rule(op: Op, kind: str) -> Rule:
    """The rule of a row for one kind of operands; there is one of each."""
    name = rule_name(op, kind)
    if name not in VALUES or VALUES[name].op is not op:
        VALUES[name] = Rule(op, kind)
    made: Rule = VALUES[name]
    return made

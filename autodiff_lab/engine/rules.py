"""From a row to code: source of the forward methods and of the pulls, straight-line Python that a traceback can show.

Formulas are compiled against a namespace: `VALUES` (floats), `CAREFUL` (floats by the IEEE rules, where Python would
raise) or `NODES` (nodes, so that what the formula does is recorded).
"""

from __future__ import annotations

import functools
import linecache
import math
from sys import getrefcount

from autodiff_lab.engine import backward, ieee, ops
from autodiff_lab.engine.backward import FREED, deliver
from autodiff_lab.engine.modes import RECORD, current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from autodiff_lab.engine.ops import Op

    Pull = Callable[[Any, Any, list[Any], dict[Any, int], dict[Any, Any]], None]

VALUES: dict[str, Any] = {name: getattr(math, name) for name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "pow")}
VALUES.update(erf=math.erf, abs=abs, current=current, RECORD=RECORD)
CAREFUL: dict[str, Any] = ieee.NAMESPACE
NODES: dict[str, Any] = {}


def compile_source(source: str, subject: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run generated ``source`` and return the names it defines. A traceback through it shows its lines."""
    file = f"<autodiff_lab {subject}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made: dict[str, Any] = {}
    exec(compile(source, file, "exec"), namespace, made)
    return made


# Formulas as functions


def formula(op: Op, operand: int | None, namespace: dict[str, Any]) -> Callable[..., Any]:
    """A formula of a row as a function of ``(g, a, b, y)``: the adjoint of an operand, or with None the forward one."""
    key = (op, operand, id(namespace))
    if key not in _formulas:
        text = op.forward if operand is None else op.adjoints[operand]
        subject = op.name if operand is None else f"{op.name}, adjoint of {'ab'[operand]}"
        if namespace is CAREFUL:
            text = ieee.careful(text)
        made = compile_source(f"def formula(g, a, b, y):\n    return {text}\n", subject, namespace)
        _formulas[key] = made["formula"]
    return _formulas[key]


_formulas: dict[tuple[Op, int | None, int], Callable[..., Any]] = {}


def forward(op: Op) -> Callable[..., Any]:
    """The forward formula on floats, as a function of ``(g, a, b, y)``."""
    found = _forwards.get(op)
    if found is None:
        found = _forwards[op] = formula(op, None, VALUES)
    return found


_forwards: dict[Op, Callable[..., Any]] = {}


def evaluate(op: Op, operand: int | None, g: Any, a: Any, b: Any, y: Any) -> float:
    """A formula on floats."""
    try:
        return float(formula(op, operand, VALUES)(g, a, b, y))
    except (ArithmeticError, ValueError):
        return evaluate_carefully(op, operand, g, a, b, y)


def evaluate_carefully(op: Op, operand: int | None, g: Any, a: Any, b: Any, y: Any) -> float:
    """A formula on floats by the IEEE rules: what torch gives where Python raises."""
    return float(formula(op, operand, CAREFUL)(g, a, b, y))


def may_raise(text: str) -> bool:
    """Whether Python could raise where IEEE arithmetic has an answer: 1/0, exp(1000), log(-1)."""
    return "/" in text or "(" in text


# Rules


class Rule:
    """What a recorded node points to: its row, and how its adjoint is pulled through to those operands that want one.

    op    the row; None for a leaf
    kind  what the operands are, a key of `KINDS`
    own   whether the rule belongs to one node; `free` then drops what it keeps for the sweep
    """

    __slots__ = ("kind", "op", "own")
    of_holder = False  # see `hooks`

    def __init__(self, op: Op | None, kind: str, own: bool = False) -> None:
        self.op = op
        self.kind = kind
        self.own = own

    def pull(self, g: Any, node: Any, ready: list[Any], waiting: dict[Any, int], adjoints: dict[Any, Any]) -> None:
        """Deliver the operands' shares of the adjoint ``g`` of ``node``; see `backward` for the other arguments."""
        for x, share in self.shares(g, node):
            deliver(x, share, ready, waiting, adjoints)

    def pull_graph(
        self, g: Any, node: Any, ready: list[Any], waiting: dict[Any, int], adjoints: dict[Any, Any]
    ) -> None:
        """`pull` on nodes, so that what it computes is recorded."""
        self.pull(node._as_adjoint(g, True), node, ready, waiting, adjoints)

    def arrive(self, g: Any, node: Any) -> Any:
        """The whole adjoint of a node, after its hooks; here there are none."""
        return g

    def free(self) -> None:
        """Drop the values that only a sweep needs."""

    def saves(self) -> tuple[str, ...]:
        """The names whose values `pull` needs, in the order ``a``, ``b``, ``y``; a number is never among them."""
        return saved_names(self.op, self.kind) if self.op else ()

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        """``a``, ``b`` and ``y`` for the formulas."""
        a, b = (*(getattr(x, "data", x) for x in node.operands), None)[:2]
        return a, b, node._data

    def shares(self, g: Any, node: Any) -> Iterable[tuple[Any, Any]]:
        """Each operand that wants an adjoint, with its share of ``g``."""
        if self.op is None:
            return
        values = self.values(node)
        for position, x in enumerate(node.operands):
            if "ab"[position] in self.kind:
                yield x, self.share(position, g, values, node)

    def share(self, position: int, g: Any, values: tuple[Any, Any, Any], node: Any) -> Any:
        """One operand's share of ``g``, given ``a``, ``b`` and ``y``."""
        assert self.op is not None
        if hasattr(g, "_rule"):
            return formula(self.op, position, NODES)(g, *values)
        return evaluate(self.op, position, g, *values)


@functools.cache
def saved_names(op: Op, kind: str) -> tuple[str, ...]:
    """See `Rule.saves`."""
    used = {name for text in wanted_formulas(op, kind).values() for name in ops.names_in(text)}
    number = "ab"[kind.index("#")] if "#" in kind else ""
    return tuple(name for name in ("a", "b", "y") if name in used and name != number)


class RuleAround(Rule):
    """A rule of one node around the rule that it had, to which all is left but what is written here."""

    __slots__ = ("inner",)

    def __init__(self, inner: Rule) -> None:
        super().__init__(inner.op, inner.kind, own=True)
        self.inner = inner

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull(g, node, *rest)

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        self.inner.pull_graph(g, node, *rest)

    def values(self, node: Any) -> tuple[Any, Any, Any]:
        return self.inner.values(node)

    def shares(self, g: Any, node: Any) -> Iterable[tuple[Any, Any]]:
        return self.inner.shares(g, node)

    def share(self, position: int, g: Any, values: tuple[Any, Any, Any], node: Any) -> Any:
        return self.inner.share(position, g, values, node)

    def free(self) -> None:
        self.inner.free()


LEAF = Rule(None, "")

KINDS = {
    "a": "a",  # one node
    "a+": "a_keeping",  # the same; the second link leads to a constant that the forward formula has kept
    "ab": "ab",  # two nodes that want an adjoint
    "a-": "a_constant",  # the other node wants none
    "-b": "constant_b",
    "a#": "a_number",  # the other operand is a number; the node is in the first link
    "#b": "number_b",
}
WANTED = frozenset(KINDS)  # those of which an operand wants an adjoint


class CompiledRule(Rule):
    """The rule that all nodes of one row and one kind share. Its pulls are compiled when they are first needed."""

    __slots__ = ("pull", "pull_graph")

    def __init__(self, op: Op, kind: str) -> None:
        super().__init__(op, kind)
        self.pull = self._compile_pull  # type: ignore[method-assign, assignment]
        self.pull_graph = self._compile_pull_graph  # type: ignore[method-assign, assignment]

    def _compile_pull(self, *arguments: Any) -> None:
        self.pull = compile_pull(self, "pull", VALUES, "._data")  # type: ignore[method-assign]
        self.pull(*arguments)

    def _compile_pull_graph(self, *arguments: Any) -> None:
        pull = compile_pull(self, "pull_graph", NODES, "")
        self.pull_graph = self._with_choices(pull)  # type: ignore[method-assign, assignment]
        self.pull_graph(*arguments)

    def _with_choices(self, pull: Pull) -> Pull:
        """The pull itself, or, if it chooses, one that leaves the choice to the program while one is traced."""
        if not any(" if " in text for text in self.op.adjoints):  # type: ignore[union-attr]
            return pull
        made: list[Pull] = []

        def either(*arguments: Any) -> None:
            if current().trace is None:
                return pull(*arguments)
            if not made:
                from autodiff_lab.engine.choice import where
                from autodiff_lab.engine.formulas import with_choices

                NODES["choose"] = where
                made.append(compile_pull(self, "pull_graph", NODES, "", with_choices))
            return made[0](*arguments)

        return either


def rule(op: Op, kind: str) -> Rule:
    """The shared rule of a row for one kind of operands."""
    made = _rules.get((op.name, kind))
    if made is None or made.op is not op:
        made = _rules[op.name, kind] = VALUES[rule_name(op, kind)] = CompiledRule(op, kind)
        if op.name in WRITTEN_OUT:
            backward.pull_values = compile_loop
    return made


_rules: dict[tuple[str, str], Rule] = {}


def rule_name(op: Op, kind: str) -> str:
    """How generated code calls a rule: ``mul_ab``, ``mul_a_number``."""
    return f"{op.name}_{KINDS[kind]}"


def wanted_formulas(op: Op, kind: str) -> dict[str, str]:
    """The adjoint formulas of those operands that want an adjoint."""
    return {operand: text for operand, text in zip("ab", op.adjoints, strict=False) if operand in kind}


# Source

WRITTEN_OUT = ("add", "mul")  # what sums of products are made of, in `loop_source`
SPARE = 100_000  # so many scalars, some 10 MB, are kept from one sweep for the next graph


def compile_pull(
    rule: Rule, name: str, namespace: dict[str, Any], data: str, written: Callable[[str], str] = str
) -> Callable[..., None]:
    """A pull as a function of its own, with the formulas as ``written`` gives them."""
    assert rule.op is not None
    source = pull_source(rule.op, rule.kind, name, data, written)
    made: Callable[..., None] = compile_source(source, f"{rule_name(rule.op, rule.kind)}.{name}", namespace)[name]
    return made


def delivery(x: str) -> list[str]:
    """The lines that hand the share of operand ``x`` on: `deliver`, with the usual cases written out."""
    return [
        f"if node_{x}._a is None:",
        "    try:",
        f"        adjoints[node_{x}] = adjoints[node_{x}] + d{x}",
        "    except KeyError:",
        f"        adjoints[node_{x}] = d{x}",
        f"elif node_{x} in waiting:",
        f"    deliver(node_{x}, d{x}, ready, waiting, adjoints)",
        "else:",
        f"    ready.append(node_{x})",
        f"    ready.append(d{x})",
    ]


def pull_source(op: Op, kind: str, name: str, data: str, written: Callable[[str], str] = str) -> str:
    """The source of a pull. ``data`` is how a node's value is read: "._data", or "" where the node itself is meant."""
    formulas = wanted_formulas(op, kind)
    used = {name for text in formulas.values() for name in ops.names_in(text)}
    lines = [f"node_{x} = node.{'_a' if kind == '#b' else f'_{x}'}" for x in formulas]
    for x in [x for x in "ab" if x in used]:
        number = "node._number" if "#" in kind else f"node._{x}{data}"
        lines.append(f"{x} = node_{x}{data}" if x in formulas else f"{x} = {number}")
    lines += [f"y = node{data}"] * ("y" in used)
    shares = [f"d{x} = {written(text)}" for x, text in formulas.items()]
    if data and any(may_raise(text) for text in formulas.values()):
        given = ", ".join(n if n in used else "None" for n in ("a", "b", "y"))
        careful = [f"d{x} = evaluate_carefully(op_{op.name}, {'ab'.index(x)}, g, {given})" for x in formulas]
        shares = ["try:", *indented(shares), "except (ArithmeticError, ValueError):", *indented(careful)]
    lines += shares
    for x in formulas:
        lines += delivery(x)
    return "\n".join([f"def {name}(g, node, ready, waiting, adjoints):", *indented(lines)]) + "\n"


def indented(lines: list[str], by: int = 4) -> list[str]:
    """The lines with a margin."""
    return [" " * by + line for line in lines]


def loop_source() -> str:
    """The source of `backward.pull_values`, the usual sweep.

    The commonest pulls are written out, which saves a call a node. A scalar that nothing else refers to when it has
    been passed will be the next one made (`spare`): cheaper than to free one and to make one, and Python's garbage
    collector, which would take a quarter of the time of a step, has no new objects to look at.
    """
    lines = ["rule = node._rule"]
    for op in map(ops.TABLE.__getitem__, WRITTEN_OUT):
        pull = pull_source(op, "ab", op.name, "._data").splitlines()[1:]
        lines += [f"{'if' if len(lines) == 1 else 'elif'} rule is {rule_name(op, 'ab')}:", *pull]
    return f"""\
def loop(ready, waiting, adjoints):
    while ready:
        g = ready.pop()
        node = ready.pop()
{chr(10).join(indented(lines, 8))}
        else:
            rule.pull(g, node, ready, waiting, adjoints)
            if rule.own or type(node) is not Scalar:
                node._a = node._b = FREED
                if rule.own:
                    rule.free()
                continue
        node._a = node._b = FREED
        if getrefcount(node) == alone and node.__weakref__ is None:
            spare.append(node)
    del spare[{SPARE}:]
"""


def compile_loop(ready: list[Any], waiting: dict[Any, int], adjoints: dict[Any, Any]) -> None:
    """Compile the usual sweep, put it in its place and run it."""
    backward.pull_values = compile_source(loop_source(), "backward.pull_values", VALUES)["loop"]
    backward.pull_values(ready, waiting, adjoints)


def alone() -> int:
    """What getrefcount says of an object that one name in one function stands for, and nothing else."""
    node = object()
    return min(getrefcount(node), 2)  # a debugger may hold it too; then nodes that others hold would pass


def method_source(op: Op, name: str, otherwise: str) -> str:
    """A forward method: the usual operands written out, all others left to the function named ``otherwise``."""
    if op.arity == 1:
        return f"""\
def {name}(self):
    mode = current()
    if mode is RECORD and self._rule is not None:
        a = self._data
{new_node(op, "a", "self", "None")}
    if mode.quiet:
        a = self._data
{new_node(op, "", "", "")}
    return {otherwise}(op_{op.name}, self)
"""
    return f"""\
def {name}(self, other):
    mode = current()
    if mode is RECORD and self._rule is not None:
        if type(other) is Scalar:
            if other._rule is not None:
                a = self._data
                b = other._data
{new_node(op, "ab", "self", "other", margin=16)}
        elif type(other) is float or type(other) is int:
            a = self._data
            b = other if type(other) is float else float(other)
{new_node(op, "a#", "self", "None", margin=12)}
    elif mode.quiet and (type(other) is Scalar or type(other) is float or type(other) is int):
        a = self._data
        b = other._data if type(other) is Scalar else float(other)
{new_node(op, "", "", "")}
    return {otherwise}(op_{op.name}, self, other)
"""


def reflected_source(op: Op) -> str:
    """The method Python calls when the left operand is no node."""
    return f"""\
def {op.reflected}(self, other):
    mode = current()
    if type(other) is float or type(other) is int:
        a = other if type(other) is float else float(other)
        b = self._data
        if mode is RECORD and self._rule is not None:
{new_node(op, "#b", "self", "None", margin=12)}
        if mode.quiet:
{new_node(op, "", "", "", margin=12)}
    return record(op_{op.name}, other, self)
"""


def new_node(op: Op, kind: str, first: str, second: str, margin: int = 8) -> str:
    """The lines that make and return a node out of the values ``a`` and ``b``: recorded if it has a ``first`` link."""
    lines = ["node = spare.pop() if spare else blank()" if first else "node = blank()", f"node._data = {op.forward}"]
    if may_raise(op.forward):
        b = "b" if op.arity == 2 else "None"
        careful = f"node._data = evaluate_carefully(op_{op.name}, None, None, a, {b}, None)"
        lines[1:] = ["try:", f"    {lines[1]}", "except (ArithmeticError, ValueError):", f"    {careful}"]
    if first:
        lines += ["node._grad = None", f"node._rule = {rule_name(op, kind)}"]
        lines += [f"node._a = {first}", f"node._b = {second}"] + ["node._number = other"] * ("#" in kind)
    else:
        lines += ["node._grad = node._rule = node._a = None", "node._b = mode.mark"]
    return "\n".join(indented([*lines, "return node"], margin))


VALUES.update({"deliver": deliver, "evaluate_carefully": evaluate_carefully, "FREED": FREED, "spare": []})
VALUES.update({"getrefcount": getrefcount, "alone": alone()})
NODES.update({"deliver": deliver})

"""How answers about a graph as data are judged: the graph of a formula, an order of its nodes, the values in it.

A graph as data is a dict from a node's name to ``("input",)``, ``("const", number)`` or ``(op, *operand names)``.
Not the reference engine: nothing here computes an order or differentiates.
"""

import math
import operator
import textwrap
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from random import Random
from typing import Any

from autodiff_lab.checks import misconceptions as known
from autodiff_lab.checks.compare import NO_FORM, check
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import show
from autodiff_lab.checks.student import Answer

Graph = Mapping[str, tuple[Any, ...]]
Verdict = tuple[bool | str, Misconception | None]
"""(True, None) when the answer is right; else what is wrong, in words, and the misconception it shows, if any."""

LEAVES = ("input", "const")
TABLE: dict[str, Callable[..., float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
    "exp": math.exp,
    "log": math.log,
    "relu": lambda value: max(value, 0.0),
    "tanh": math.tanh,
    "sin": math.sin,
    "cos": math.cos,
}
SWAPPED = {**TABLE, "-": lambda left, right: right - left, "/": lambda left, right: right / left}
"""The table of someone who mixes up the operands."""

_COUNTED = '''
class Counted(dict):
    """A graph that makes every look at an entry a Python call, so that a budget of calls sees it."""
    def __getitem__(self, name): return dict.__getitem__(self, name)
    def __iter__(self): return dict.__iter__(self)
    def get(self, *name): return dict.get(self, *name)
    def items(self): return dict.items(self)
    def keys(self): return dict.keys(self)

class Number(float):
    """An input that counts the additions done with it."""
    additions = 0
    def __add__(self, other):
        Number.additions += 1
        return Number(float(self) + float(other))
    __radd__ = __add__
'''
# Both counts only refuse an answer: it might set them, or go around them. What it has to be right in are the values.


def counted(source: str) -> str:
    """``source`` for ``student.run``, with Counted and Number in reach."""
    return _COUNTED + textwrap.dedent(source)


def budget(graph: Graph) -> int:
    """How many calls an answer may make for ``graph``: the same for every graph of its size."""
    return 20_000 + 100 * len(graph)


# --- graphs to ask about: they are sent as data, so that no answer can tell by the question what is in them -----------


def chain(length: int, operation: str = "tanh") -> dict[str, tuple[Any, ...]]:
    """Every node uses the one before; the root is listed first."""
    return {**{f"v{i}": (operation, f"v{i - 1}") for i in range(length, 0, -1)}, "v0": ("input",)}


def doublings(levels: int) -> dict[str, tuple[Any, ...]]:
    """Every node is the one before, added to itself; the root is listed first."""
    return {**{f"d{i}": ("+", f"d{i - 1}", f"d{i - 1}") for i in range(levels, 0, -1)}, "d0": ("input",)}


def deep(draw: Random, levels: int) -> tuple[dict[str, tuple[Any, ...]], dict[str, float], dict[str, float]]:
    """A graph of shared nodes, 3 * levels deep, in any order and without a cycle; its inputs, and all its values."""
    name = (f"n{draw.randrange(10**6)}_{place}" for place in count())
    inputs = {next(name): draw.uniform(-3, 3) for _ in range(20)}
    half = next(name)
    graph: dict[str, tuple[Any, ...]] = {**dict.fromkeys(inputs, ("input",)), half: ("const", 0.5)}
    values, lately = {**inputs, half: 0.5}, [*inputs]
    for _ in range(levels):
        total, mean, level = next(name), next(name), next(name)
        left, right, leaf = draw.choice(lately[-3:-1]), lately[-1], draw.choice([*inputs])
        graph |= {total: ("+", left, right), mean: ("*", half, total), level: ("-", mean, leaf)}
        values[total] = values[left] + values[right]
        values[mean] = 0.5 * values[total]
        values[level] = values[mean] - values[leaf]
        lately.append(level)
    return dict(draw.sample([*graph.items()], len(graph))), inputs, values


def closed(graph: Graph, draw: Random, further: float = 0.7) -> dict[str, tuple[Any, ...]]:
    """``graph`` with a cycle, the longer the nearer ``further`` is to 1: a node that another one needs now needs it."""
    name = start = draw.choice([name for name in graph if operands(graph, name)])
    while draw.random() < further:
        below = [operand for operand in operands(graph, name) if operands(graph, operand)]
        if not below:
            break
        name = draw.choice(below)
    operation, *rest = graph[name]
    rest[draw.randrange(len(rest))] = start
    return {**graph, name: (operation, *rest)}


def operands(graph: Graph, name: str) -> tuple[str, ...]:
    """The names that ``name`` is computed from."""
    operation, *rest = graph[name]
    return () if operation in LEAVES else tuple(rest)


def values_of(
    graph: Graph, inputs: Mapping[str, float], table: Mapping[str, Callable[..., float]] = TABLE
) -> dict[str, float]:
    """The value of every node. For the small graphs of a test; raises RecursionError for a cycle or a deep graph."""
    values: dict[str, float] = {}

    def value(name: str) -> float:
        if name not in values:
            operation, *rest = graph[name]
            if operation in LEAVES:
                values[name] = inputs[name] if operation == "input" else rest[0]
            else:
                values[name] = table[operation](*map(value, rest))
        return values[name]

    return {name: value(name) for name in graph}


def _flat(got: Any) -> bool:
    """Whether ``got`` is a collection of names or of what may have been taken for names."""
    return isinstance(got, list | tuple | set | frozenset) and all(isinstance(name, str | int | float) for name in got)


def check_judged(
    answer: Answer,
    judge: Callable[[Any], Verdict],
    instead: Iterable[tuple[Any, Misconception]] = (),
    picture: Callable[[], Any] | None = None,
) -> None:
    """``check`` an answer with a judge that says what is wrong and which misconception it shows."""
    try:
        verdict, shown = judge(answer.data) if answer.failure is None else (False, None)
    except NO_FORM:
        verdict, shown = "this has not the form that is expected", None
    told = [(lambda value: True, shown)] if shown else []
    check(answer, accept=lambda value: verdict, instead=[*instead, *told], picture=picture)


# --- the graph of a formula -------------------------------------------------------------------------------------------


def check_formula(
    answer: Answer,
    inputs: tuple[str, ...],
    rule: Callable[..., float],
    operations: int,
    slips: Mapping[Misconception, Callable[..., float] | tuple[Callable[..., float], ...]] | None = None,
) -> None:
    """Pass when ``answer`` is a graph with these inputs that computes ``rule`` in at most that many operations.

    ``slips``: wrong formulas, by the misconception that leads to them.
    """
    check_judged(answer, lambda graph: _judge_formula(graph, inputs, rule, operations, slips or {}))


def _judge_formula(
    graph: Any, inputs: tuple[str, ...], rule: Any, operations: int, slips: Mapping[Any, Any]
) -> Verdict:
    if not isinstance(graph, dict):
        return "this is not a dict", None
    for name, entry in graph.items():
        verdict = _judge_entry(graph, name, entry)
        if verdict[0] is not True:
            return verdict
    found = {name for name, entry in graph.items() if entry[0] == "input"}
    if found != set(inputs):
        shown = known.GRAPH_SHARED_NODE_COPIED if len(found) > len(inputs) else None
        return f"the inputs are {sorted(found)}, and should be {sorted(inputs)}", shown
    used = {operand for name in graph for operand in operands(graph, name)}
    roots = [name for name in graph if name not in used]
    if len(roots) != 1:
        return f"there should be one node that nothing uses, and there are {len(roots)}: {roots}", None
    trials = [
        dict(zip(inputs, numbers, strict=False)) for numbers in ((2.0, 3.0, 1.0), (-1.5, 4.0, 0.5), (0.25, -7.0, 3.0))
    ]
    try:
        got = [values_of(graph, trial)[roots[0]] for trial in trials]
    except (RecursionError, ArithmeticError, TypeError):
        return "this graph cannot be computed", None
    for shown, wrong in [(None, rule), *slips.items()]:
        for formula in wrong if isinstance(wrong, tuple) else (wrong,):
            if all(abs(value - formula(**trial)) < 1e-9 for value, trial in zip(got, trials, strict=True)):
                if shown is not None:
                    return "this graph computes something else", shown
                count = sum(entry[0] not in LEAVES for entry in graph.values())
                if count > operations:
                    return f"it has {count} operations, and {operations} are enough", known.GRAPH_SHARED_NODE_COPIED
                return True, None
    return "this graph computes something else", None


def _judge_entry(graph: dict[str, Any], name: str, entry: Any) -> Verdict:
    if isinstance(entry, str):
        return f"the entry of {name!r} is the text {entry!r}, not a tuple", known.TUPLE_WITHOUT_COMMA
    if isinstance(entry, int | float):
        return f"the entry of {name!r} is a number, not a tuple", known.GRAPH_VALUES_FOR_NAMES
    if not isinstance(entry, list | tuple) or not entry:
        return f"the entry of {name!r} is not a tuple such as ('+', 'x', 'y')", None
    operation, *rest = entry
    if operation == "input" and rest:
        return f"the input {name!r} lists {rest}, and is computed from nothing", known.GRAPH_EDGES_REVERSED
    if operation == "const" and not (len(rest) == 1 and isinstance(rest[0], int | float)):
        return f"the constant {name!r} does not hold one number", None
    if operation in LEAVES:
        return True, None
    if (
        isinstance(operation, str)
        and operation in graph
        and any(isinstance(sign, str) and sign in TABLE for sign in rest)
    ):
        return f"the entry of {name!r} does not begin with its operation", known.OPERATION_NOT_FIRST
    if not isinstance(operation, str) or operation not in TABLE:
        return f"{operation!r} in the entry of {name!r} is not one of the operations", None
    for operand in rest:
        if isinstance(operand, int | float):
            return f"{name!r} has the number {operand} for an operand", known.GRAPH_VALUES_FOR_NAMES
        if isinstance(operand, str) and operand in graph:  # whatever it looks like: names are free
            continue
        if not isinstance(operand, str) or any(sign in operand for sign in "+-*/·() "):
            return f"{operand!r} in the entry of {name!r} is not the name of a node", known.GRAPH_FORMULA_IN_A_NODE
        return f"{name!r} uses {operand!r}, which has no entry", known.GRAPH_LEAF_MISSING
    arity = 2 if operation in ("+", "-", "*", "/", "**") else 1
    if len(rest) != arity:
        shown = known.GRAPH_EDGES_REVERSED if len(rest) < arity else known.GRAPH_FORMULA_IN_A_NODE
        return f"{name!r} has {len(rest)} operands, and {operation!r} needs {arity}", shown
    return True, None


# --- its parts --------------------------------------------------------------------------------------------------------


def check_parts(leaves: Answer, operations: Answer, root: Answer, graph: Graph) -> None:
    """Pass when the three answers name the leaves, the operations and the one root of ``graph``."""
    ends = [name for name in graph if graph[name][0] in LEAVES]
    inner = [name for name in graph if graph[name][0] not in LEAVES]
    listed = list(graph)
    constants = {name for name in ends if graph[name][0] == "const"}
    unary = {name for name in inner if len(operands(graph, name)) == 1}
    symbols = {entry[0] for entry in graph.values()}
    used = {operand for name in graph for operand in operands(graph, name)}
    (top,) = (name for name in graph if name not in used)
    broken = [(error, known.CONSTANT_TAKEN_FOR_OPERAND) for error in (KeyError, TypeError) if constants]

    def names(right: list[str], slips: Callable[[set[Any]], Misconception | None]) -> Callable[[Any], Verdict]:
        def judge(got: Any) -> Verdict:
            if not _flat(got):
                return "this is not a list of names", None
            if len(set(got)) < len(got):
                return "a name stands in it twice", known.LEAF_LISTED_TWICE if set(got) <= set(ends) else None
            if set(got) == set(right):
                return True, None
            lacking = [name for name in right if name not in got]
            said = f"it lacks {lacking}" if lacking else f"{[n for n in got if n not in right]} do not belong in it"
            return said, slips(set(got))

        return judge

    def leaf_slips(got: set[Any]) -> Misconception | None:
        if constants and got == set(ends) - constants:
            return known.CONSTANT_NOT_A_LEAF
        if got == {top} or got == set(inner):
            return known.LEAVES_FROM_THE_WRONG_END
        if got <= symbols:
            return known.OPERATION_SYMBOLS_FOR_NAMES
        if unary and got == set(ends) | unary:
            return known.OPERATION_TAKES_TWO
        return known.CONSTANT_TAKEN_FOR_OPERAND if any(not isinstance(name, str) for name in got) else None

    def operation_slips(got: set[Any]) -> Misconception | None:
        if got and got <= symbols:
            return known.OPERATION_SYMBOLS_FOR_NAMES
        if constants and got == set(inner) | constants:
            return known.CONSTANT_NOT_A_LEAF
        if unary and got == set(inner) - unary:
            return known.OPERATION_TAKES_TWO
        return known.LEAVES_FROM_THE_WRONG_END if got == set(ends) else None

    check_judged(leaves, names(ends, leaf_slips), broken)
    check_judged(operations, names(inner, operation_slips), broken)
    check(
        root,
        expect=top,
        instead=[
            (lambda got: isinstance(got, str) and got not in graph, known.NAMES_BUILT_IN),
            (lambda got: got in ends, known.LEAVES_FROM_THE_WRONG_END),
            (lambda got: got in [*listed[:1], *listed[-1:], *inner[:1], *inner[-1:]], known.ROOT_IS_THE_LAST_ENTRY),
            *broken,
        ],
    )


# --- an order ---------------------------------------------------------------------------------------------------------


def check_order(
    answer: Answer,
    graph: Graph,
    instead: Iterable[tuple[Any, Misconception]] = (),
    picture: Callable[[], Any] | None = None,
) -> None:
    """Pass when ``answer`` is any topological order of ``graph``: all its nodes, each once, after its operands."""
    check_judged(answer, lambda order: _judge_order(graph, order), instead, picture)


def _late(graph: Graph, order: list[str]) -> set[tuple[str, str]]:
    """The pairs (node, operand) in which the operand comes later."""
    place = {name: position for position, name in enumerate(order)}
    return {(name, operand) for name in graph for operand in operands(graph, name) if place[operand] > place[name]}


def _shortest(graph: Graph, name: str) -> int:
    return min((1 + _shortest(graph, operand) for operand in operands(graph, name)), default=0)


def _judge_order(graph: Graph, order: Any) -> Verdict:
    if not isinstance(order, list | tuple) or not _flat(order):
        return "this is not a list of names", None
    unknown = [name for name in order if name not in graph]
    placed = set(order)
    if unknown and set(graph) <= placed:
        return f"{show(unknown)} are not names of nodes of this graph", known.CACHE_OUTLIVES_THE_CALL
    if unknown:
        return f"{show(unknown)} are not names of nodes", known.NAMES_BUILT_IN
    if len(placed) < len(order):
        return "a name stands in it more than once", known.ORDER_REPEATS_A_NODE
    left_out = [name for name in graph if name not in placed]
    if left_out:
        return f"these nodes are left out: {show(sorted(left_out))}", _left_out(graph, left_out)
    late = _late(graph, list(order))
    if not late:
        return True, None
    name, operand = min(late)
    return f"{name!r} is computed from {operand!r}, which comes later", _late_because(graph, list(order), late)


def _left_out(graph: Graph, left_out: list[str]) -> Misconception:
    if any(graph[name][0] not in LEAVES for name in left_out):
        return known.ORDER_PART_MISSING
    if len(left_out) < sum(entry[0] in LEAVES for entry in graph.values()):
        return known.NODE_COMPARED_BY_CONTENT
    return known.ORDER_LEAVES_LEFT_OUT


def _late_because(graph: Graph, order: list[str], late: set[tuple[str, str]]) -> Misconception | None:
    if not _late(graph, order[::-1]):
        return known.ORDER_USERS_FIRST
    listed, sorted_names = list(graph), sorted(graph)
    if order in (listed, listed[::-1], sorted_names, sorted_names[::-1]):
        return known.DICT_ORDER_ASSUMED
    if len(graph) > 100:  # what follows takes long
        return None
    distances = [_shortest(graph, name) for name in order]
    if distances == sorted(distances):
        return known.ORDER_BY_SHORTEST_DISTANCE
    # A walk from the root meets a node only after one of its users; whoever waits for one user only gets this order.
    place = {name: position for position, name in enumerate(order)}
    users = {name: [user for user in graph if name in operands(graph, user)] for name in graph}
    if all(any(place[user] > place[name] for user in users[name]) for name in graph if users[name]):
        return known.ORDER_PLACED_AT_FIRST_VISIT
    return None

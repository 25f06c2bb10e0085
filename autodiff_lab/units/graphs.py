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

from autodiff_lab.checks.compare import NO_FORM, check
from autodiff_lab.checks.misconceptions import ANSWER_IS_AN_OBJECT, Misconception  # noqa: F401
from autodiff_lab.checks.plain import show
from autodiff_lab.checks.student import Answer

# --- misconceptions ---------------------------------------------------------------------------------------------------

SHARED_INPUT_MOVED_ONCE = Misconception(
    "shared-input-moved-once",
    "a value that is used twice was changed in one place only",
    "There is one y, and both operations that use it see the new number. Change y first, then compute a again, "
    "then f from the new a and the new y.",
    "01_graphs",
    "Watch the values move",
)
GRAPH_EDGES_REVERSED = Misconception(
    "graph-edges-reversed",
    "the edges point from a value to its users",
    "An entry names what a node is computed from (its operands), not what is computed from it. So an operation "
    "lists names, and an input lists none.",
    "01_graphs",
    "A graph is data",
)
GRAPH_SHARED_NODE_COPIED = Misconception(
    "graph-shared-node-copied",
    "a value that is used twice has two nodes",
    "A node stands for a value, not for a place in the formula. However often a value is used, it has one node, "
    "and every use names that node.",
    "01_graphs",
    "A graph is data",
)
GRAPH_BRACKETS_LOST = Misconception(
    "graph-brackets-lost",
    "the brackets of the formula are lost",
    "Without its brackets x + y · y multiplies first. In a graph the brackets are the edges: what stands in "
    "brackets has its own node, and the operation outside names that node.",
    "01_graphs",
    "A graph is data",
)
GRAPH_OPERANDS_SWAPPED = Misconception(
    "graph-operands-swapped",
    "the operands of an operation are in the wrong order",
    "x − y and y − x are different values. The operands stand in the entry in the order in which they stand in "
    "the formula, and have to be used in that order.",
    "01_graphs",
    "A graph is data",
)
GRAPH_VALUES_FOR_NAMES = Misconception(
    "graph-values-for-names",
    "numbers stand where names of nodes belong",
    "An operation names its operands and does not hold their values. With numbers in it the graph describes one "
    "calculation; with names it describes the formula, for any inputs.",
    "01_graphs",
    "A graph is data",
)
GRAPH_FORMULA_IN_A_NODE = Misconception(
    "graph-formula-in-a-node",
    "a node holds more than one operation",
    "Each node does exactly one operation on named operands. Give the inner part its own node and name that node "
    "as the operand.",
    "01_graphs",
    "A graph is data",
)
OPERATION_NOT_FIRST = Misconception(
    "operation-not-first",
    "the operation stands between its operands",
    "On paper the sign stands between the two values. In an entry the operation comes first, so that one operand, "
    'or two, can be read in the same way: ("+", "x", "y").',
    "01_graphs",
    "A graph is data",
)
GRAPH_LEAF_MISSING = Misconception(
    "graph-leaf-missing",
    "an operand has no entry of its own",
    'Every name that an operation uses is a node, and every node has an entry. An input is written as ("input",) '
    'and a constant as ("const", 10.0).',
    "01_graphs",
    "A graph is data",
)
TUPLE_WITHOUT_COMMA = Misconception(
    "tuple-without-comma",
    "a tuple with one element lacks its comma",
    'Brackets alone do not make a tuple: ("input") is the text itself. The comma makes it, as in ("input",).',
    "01_graphs",
    "A graph is data",
)
CONSTANT_TAKEN_FOR_OPERAND = Misconception(
    "constant-taken-for-operand",
    "the number in a constant is taken for the name of a node",
    'In ("const", 10.0) the 10.0 is the value itself, not a name to look up. A constant has no operands; '
    "`operands(graph, name)` knows that.",
    "01_graphs",
    "A graph is data",
)
CONSTANT_NOT_A_LEAF = Misconception(
    "constant-not-a-leaf",
    "a constant is left out of the leaves",
    "A leaf is a node that is computed from nothing. That holds for an input, and just as well for a constant.",
    "01_graphs",
    "Leaves, operations, root",
)
LEAF_LISTED_TWICE = Misconception(
    "leaf-listed-twice",
    "a leaf is listed once for each of its uses",
    "A leaf that is used twice is still one node. Go through the nodes, each of which stands in the dict once, "
    "instead of through the operands.",
    "01_graphs",
    "Leaves, operations, root",
)
LEAVES_FROM_THE_WRONG_END = Misconception(
    "leaves-from-the-wrong-end",
    "leaves and root are taken for each other",
    "A leaf is computed from nothing: it has no operands. The root is used by nothing: it is nobody's operand. "
    "These are the two ends of the graph.",
    "01_graphs",
    "Leaves, operations, root",
)
ROOT_IS_THE_LAST_ENTRY = Misconception(
    "root-is-the-last-entry",
    "the root is taken from its place in the dict",
    "The entries of a graph may stand in any order, so the first or last of them says nothing. The root is the "
    "node that is nobody's operand.",
    "01_graphs",
    "Leaves, operations, root",
)
OPERATION_SYMBOLS_FOR_NAMES = Misconception(
    "operation-symbols-for-names",
    "the symbols come back instead of the names of the nodes",
    'Two nodes can do the same operation, so a symbol such as "+" does not say which node is meant. Return the '
    "names, which are the keys of the dict.",
    "01_graphs",
    "Leaves, operations, root",
)
NAMES_BUILT_IN = Misconception(
    "names-built-in",
    "the names of the example are built into the code",
    "Names are free: an input may be called w and the root loss. Find a node by what its entry says and by who "
    "uses it, never by what it is called.",
    "01_graphs",
    "Leaves, operations, root",
)
GRAPH_CHANGED = Misconception(
    "graph-changed",
    "the function changes the graph that it is given",
    "A dict is handed over, not copied. What you delete from it or write into it is gone or changed for everyone "
    "who uses the graph after you. Keep your notes in a set or a dict of your own.",
    "01_graphs",
    "Leaves, operations, root",
)
RECURSION_TOO_DEEP = Misconception(
    "recursion-too-deep",
    "one call inside another for every node stops at Python's recursion limit",
    "A function that calls itself for its operands is nested as deeply as the graph, and Python allows about a "
    "thousand nested calls. Keep a list of what is still to do, and loop.",
    "01_graphs",
    "Deep graphs",
)
TRUE_AND_FALSE_EXCHANGED = Misconception(
    "true-and-false-exchanged",
    "true and false are exchanged",
    "The name asks whether the graph is acyclic, that is, whether it has no cycle. Without a cycle the answer is True.",
    "01_graphs",
    "Shared is not circular",
)
SHARED_TAKEN_FOR_CYCLE = Misconception(
    "shared-taken-for-cycle",
    "a node that is met twice is taken for a cycle",
    "Meeting a node again on another path only means that it is shared. It is a cycle when you meet a node that "
    "you are still inside of: one whose operands you have not finished.",
    "01_graphs",
    "Shared is not circular",
)
SELF_LOOP_MISSED = Misconception(
    "self-loop-missed",
    "a node that is its own operand goes unnoticed",
    "A node that needs its own value can never be computed: that is the shortest cycle, with one node and one edge.",
    "01_graphs",
    "Shared is not circular",
)
CYCLE_IN_ANOTHER_PART_MISSED = Misconception(
    "cycle-in-another-part-missed",
    "the search starts at one node only",
    "From one node you reach only what it is computed from. A cycle can lie elsewhere, and a graph that is one "
    "big cycle has no root at all. Start from every node that you have not finished yet.",
    "01_graphs",
    "Shared is not circular",
)
CYCLE_THROUGH_THE_START_ONLY = Misconception(
    "cycle-through-the-start-only",
    "only a way back to the start is taken for a cycle",
    "The walk can run into a cycle that does not contain the node where it began, and then it goes round for "
    "ever. Compare with every node of the path that you are on, not only with its first.",
    "01_graphs",
    "Shared is not circular",
)
CYCLE_UNNOTICED = Misconception(
    "cycle-unnoticed",
    "a cycle goes unnoticed",
    "A graph has a cycle when following operands leads from a node back to itself, over any number of steps. Such "
    "a graph has no order in which to compute.",
    "01_graphs",
    "Shared is not circular",
)
ANOTHER_KIND_OF_ERROR = Misconception(
    "another-kind-of-error",
    "the error is of another kind than was asked for",
    "Whoever calls your function prepares for a ValueError, which is Python's word for an argument that makes no "
    "sense. Any other kind of error goes past them.",
    "01_graphs",
    "An order to compute in",
)
DICT_ORDER_ASSUMED = Misconception(
    "dict-order-assumed",
    "one fixed order is assumed",
    "The entries may stand in any order, and names carry no order either. Only the operands say what has to come "
    "first.",
    "01_graphs",
    "An order to compute in",
)
ORDER_USERS_FIRST = Misconception(
    "order-users-first",
    "users come before their operands",
    "The order is the wrong way round: it begins at the root. To compute a node you need its operands, so they "
    "come first.",
    "01_graphs",
    "An order to compute in",
)
ORDER_PLACED_AT_FIRST_VISIT = Misconception(
    "order-placed-at-first-visit",
    "a node gets its place when it is first met",
    "Walking from the root and turning the list round is not enough. A node that is met early over a short path "
    "may still be needed by one that is met later. Give a node its place when all its operands have theirs.",
    "01_graphs",
    "An order to compute in",
)
ORDER_BY_SHORTEST_DISTANCE = Misconception(
    "order-by-shortest-distance",
    "nodes are sorted by their shortest distance from a leaf",
    "A node has to wait for its slowest operand. What counts is the longest way from a leaf: one more than the "
    "largest of the operands' distances, not the smallest.",
    "01_graphs",
    "An order to compute in",
)
ORDER_REPEATS_A_NODE = Misconception(
    "order-repeats-a-node",
    "a node stands in the order more than once",
    "A node that is reached on two paths is still one node, computed once. Remember which nodes have their place.",
    "01_graphs",
    "An order to compute in",
)
ORDER_LEAVES_LEFT_OUT = Misconception(
    "order-leaves-left-out",
    "the leaves are left out of the order",
    "Inputs and constants are nodes too. They have no operands, so they are ready from the start.",
    "01_graphs",
    "An order to compute in",
)
ORDER_PART_MISSING = Misconception(
    "order-part-missing",
    "nodes that the root does not need are left out",
    "The order holds every node of the graph, also one that nothing uses. Begin from all nodes instead of from one.",
    "01_graphs",
    "An order to compute in",
)
SAME_OPERAND_COUNTED_ONCE = Misconception(
    "same-operand-counted-once",
    "d · d is taken for one use of d",
    "In d · d the operation has two operands, and both of them are d. A set or a dict holds d once. Whoever "
    "counts two missing operands has to take away two when d is ready, and has to hand d over twice when it is "
    "used.",
    "01_graphs",
    "An order to compute in",
)
NODE_COMPARED_BY_CONTENT = Misconception(
    "node-compared-by-content",
    "two nodes with the same content are taken for one",
    'All inputs have the same entry ("input",), and two constants may hold the same number. Remember nodes by '
    "name, which is what makes them different, not by what they contain.",
    "01_graphs",
    "An order to compute in",
)
ORDER_SEARCHED_AGAIN_AND_AGAIN = Misconception(
    "order-searched-again-and-again",
    "the whole graph is searched again for every node",
    "Going through all nodes to find the next one costs n · n steps: a hundred million for 10,000 nodes. Remember "
    "who waits for whom, so that each edge is looked at once.",
    "01_graphs",
    "An order to compute in",
)
SHARED_NODE_RECOMPUTED = Misconception(
    "shared-node-recomputed",
    "a shared node is visited once for every path that leads to it",
    "Sixty doublings have sixty operations but more than 10^18 paths. Keep the result of a node the first time, "
    "and look it up at every later use.",
    "01_graphs",
    "Compute each node once",
)
INPUTS_CHANGED = Misconception(
    "inputs-changed",
    "the inputs that the caller gave are changed",
    "`values = inputs` gives the same dict a second name, so every value you store lands in the caller's inputs. "
    "Begin with a dict of your own.",
    "01_graphs",
    "Compute each node once",
)
INTERMEDIATES_NOT_KEPT = Misconception(
    "intermediates-not-kept",
    "the values of some nodes are not kept",
    "The answer holds one value for every node, leaves included. The backward sweep of unit 03 needs all of them.",
    "01_graphs",
    "Compute each node once",
)
ZERO_TAKEN_FOR_MISSING = Misconception(
    "zero-taken-for-missing",
    "a value of 0 is taken for no value",
    "In a condition 0.0 counts as false, so `if values.get(name)` or `… or …` treats a computed zero as missing. "
    "Ask `name in values` instead.",
    "01_graphs",
    "Compute each node once",
)
OPERATION_TAKES_TWO = Misconception(
    "operation-takes-two",
    "every operation is taken to have two operands",
    "exp and neg have one operand, so neither the number of operands nor the length of an entry is fixed. Collect "
    "the values of all operands in a list, and hand the list over with *.",
    "01_graphs",
    "Compute each node once",
)
CACHE_OUTLIVES_THE_CALL = Misconception(
    "cache-outlives-the-call",
    "what is remembered outlives the call that it belongs to",
    "What you remember is right for one graph and one set of inputs. Python makes a default argument such as "
    "`cache={}` or `order=[]` once, so all calls share it. Begin with a new one in every call.",
    "01_graphs",
    "A cache that lives too long",
)

# --- what tests ask with ----------------------------------------------------------------------------------------------

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
        shown = GRAPH_SHARED_NODE_COPIED if len(found) > len(inputs) else None
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
                    return f"it has {count} operations, and {operations} are enough", GRAPH_SHARED_NODE_COPIED
                return True, None
    return "this graph computes something else", None


def _judge_entry(graph: dict[str, Any], name: str, entry: Any) -> Verdict:
    if isinstance(entry, str):
        return f"the entry of {name!r} is the text {entry!r}, not a tuple", TUPLE_WITHOUT_COMMA
    if isinstance(entry, int | float):
        return f"the entry of {name!r} is a number, not a tuple", GRAPH_VALUES_FOR_NAMES
    if not isinstance(entry, list | tuple) or not entry:
        return f"the entry of {name!r} is not a tuple such as ('+', 'x', 'y')", None
    operation, *rest = entry
    if operation == "input" and rest:
        return f"the input {name!r} lists {rest}, and is computed from nothing", GRAPH_EDGES_REVERSED
    if operation == "const" and not (len(rest) == 1 and isinstance(rest[0], int | float)):
        return f"the constant {name!r} does not hold one number", None
    if operation in LEAVES:
        return True, None
    if (
        isinstance(operation, str)
        and operation in graph
        and any(isinstance(sign, str) and sign in TABLE for sign in rest)
    ):
        return f"the entry of {name!r} does not begin with its operation", OPERATION_NOT_FIRST
    if not isinstance(operation, str) or operation not in TABLE:
        return f"{operation!r} in the entry of {name!r} is not one of the operations", None
    for operand in rest:
        if isinstance(operand, int | float):
            return f"{name!r} has the number {operand} for an operand", GRAPH_VALUES_FOR_NAMES
        if isinstance(operand, str) and operand in graph:  # whatever it looks like: names are free
            continue
        if not isinstance(operand, str) or any(sign in operand for sign in "+-*/·() "):
            return f"{operand!r} in the entry of {name!r} is not the name of a node", GRAPH_FORMULA_IN_A_NODE
        return f"{name!r} uses {operand!r}, which has no entry", GRAPH_LEAF_MISSING
    arity = 2 if operation in ("+", "-", "*", "/", "**") else 1
    if len(rest) != arity:
        shown = GRAPH_EDGES_REVERSED if len(rest) < arity else GRAPH_FORMULA_IN_A_NODE
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
    broken = [(error, CONSTANT_TAKEN_FOR_OPERAND) for error in (KeyError, TypeError) if constants]

    def names(right: list[str], slips: Callable[[set[Any]], Misconception | None]) -> Callable[[Any], Verdict]:
        def judge(got: Any) -> Verdict:
            if not _flat(got):
                return "this is not a list of names", None
            if len(set(got)) < len(got):
                return "a name stands in it twice", LEAF_LISTED_TWICE if set(got) <= set(ends) else None
            if set(got) == set(right):
                return True, None
            lacking = [name for name in right if name not in got]
            said = f"it lacks {lacking}" if lacking else f"{[n for n in got if n not in right]} do not belong in it"
            return said, slips(set(got))

        return judge

    def leaf_slips(got: set[Any]) -> Misconception | None:
        if constants and got == set(ends) - constants:
            return CONSTANT_NOT_A_LEAF
        if got == {top} or got == set(inner):
            return LEAVES_FROM_THE_WRONG_END
        if got <= symbols:
            return OPERATION_SYMBOLS_FOR_NAMES
        if unary and got == set(ends) | unary:
            return OPERATION_TAKES_TWO
        return CONSTANT_TAKEN_FOR_OPERAND if any(not isinstance(name, str) for name in got) else None

    def operation_slips(got: set[Any]) -> Misconception | None:
        if got and got <= symbols:
            return OPERATION_SYMBOLS_FOR_NAMES
        if constants and got == set(inner) | constants:
            return CONSTANT_NOT_A_LEAF
        if unary and got == set(inner) - unary:
            return OPERATION_TAKES_TWO
        return LEAVES_FROM_THE_WRONG_END if got == set(ends) else None

    check_judged(leaves, names(ends, leaf_slips), broken)
    check_judged(operations, names(inner, operation_slips), broken)
    check(
        root,
        expect=top,
        instead=[
            (lambda got: isinstance(got, str) and got not in graph, NAMES_BUILT_IN),
            (lambda got: got in ends, LEAVES_FROM_THE_WRONG_END),
            (lambda got: got in [*listed[:1], *listed[-1:], *inner[:1], *inner[-1:]], ROOT_IS_THE_LAST_ENTRY),
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
        return f"{show(unknown)} are not names of nodes of this graph", CACHE_OUTLIVES_THE_CALL
    if unknown:
        return f"{show(unknown)} are not names of nodes", NAMES_BUILT_IN
    if len(placed) < len(order):
        return "a name stands in it more than once", ORDER_REPEATS_A_NODE
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
        return ORDER_PART_MISSING
    if len(left_out) < sum(entry[0] in LEAVES for entry in graph.values()):
        return NODE_COMPARED_BY_CONTENT
    return ORDER_LEAVES_LEFT_OUT


def _late_because(graph: Graph, order: list[str], late: set[tuple[str, str]]) -> Misconception | None:
    if not _late(graph, order[::-1]):
        return ORDER_USERS_FIRST
    listed, sorted_names = list(graph), sorted(graph)
    if order in (listed, listed[::-1], sorted_names, sorted_names[::-1]):
        return DICT_ORDER_ASSUMED
    if len(graph) > 100:  # what follows takes long
        return None
    distances = [_shortest(graph, name) for name in order]
    if distances == sorted(distances):
        return ORDER_BY_SHORTEST_DISTANCE
    # A walk from the root meets a node only after one of its users; whoever waits for one user only gets this order.
    place = {name: position for position, name in enumerate(order)}
    users = {name: [user for user in graph if name in operands(graph, user)] for name in graph}
    if all(any(place[user] > place[name] for user in users[name]) for name in graph if users[name]):
        return ORDER_PLACED_AT_FIRST_VISIT
    return None

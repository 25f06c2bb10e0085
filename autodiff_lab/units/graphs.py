"""How answers about a graph as data are judged: the graph of a formula, its parts, cycles, an order, the values in it.

A graph as data is a dict from a node's name to ``("input",)``, ``("const", number)`` or ``(op, *operand names)``. Here
are the graphs that tests ask about, one of each kind, what is right for them, and the rules that wrong answers follow.
"""

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from itertools import count, permutations
from random import Random
from typing import Any

from autodiff_lab.checks.compare import NO_FORM, check, seal
from autodiff_lab.checks.failed import BudgetExceeded, Raised
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import NotPlain, same, show
from autodiff_lab.checks.student import Answer, StudentFunction
from autodiff_lab.units.welcome import APPEND_RETURNS_NOTHING, RETURN_INSIDE_THE_LOOP

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
GRAPH_NAME_REUSED = Misconception(
    "graph-name-reused",
    "one name stands for several values in turn",
    "A line such as p = p + b gives a name to a new value, and forgets the old one. In a graph a name stands for one "
    "value for good: give every result a name of its own.",
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
OR_IS_ALWAYS_TRUE = Misconception(
    "or-is-always-true",
    "a condition with `or` is true for every node",
    'In `kind == "input" or "const"` the second part is a text, which counts as true by itself; and every kind is not '
    'the one or not the other in `kind != "input" or kind != "const"`. Ask `kind in ("input", "const")`.',
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
    "Meeting a node again on another path only means that it is shared. It is a cycle when a node waits for itself: "
    "when following operands leads back to a node that is not done.",
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
FIRST_OPERAND_ONLY = Misconception(
    "first-operand-only",
    "only the first operand of a node is followed",
    "In a chain each node has one operand. In a graph it may have two, and a cycle may lie below either of them: loop "
    "over all that `operands(graph, name)` gives.",
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
ERROR_NOT_RAISED = Misconception(
    "error-not-raised",
    "the error is not raised: the caller is given a value",
    "`return ValueError(…)`, `return None` and a printed line let the caller go on as if all was well. "
    "`raise ValueError(…)` ends the call, and nobody can overlook it.",
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
ORDER_AFTER_ONE_OPERAND = Misconception(
    "order-after-one-operand",
    "a node is taken for ready when one of its operands is done",
    "An operation with two operands has to wait for both. Count how many are still missing; it is ready when none is.",
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
STAR_FORGOTTEN = Misconception(
    "star-forgotten",
    "an operation is called with a list in place of its operands",
    '`OPERATIONS["-"]([3.0, 5.0])` has one argument, a list. With a star, `OPERATIONS["-"](*[3.0, 5.0])`, the '
    "numbers in it become the arguments.",
    "01_graphs",
    "Compute each node once",
)
LIST_FOR_ITS_NUMBER = Misconception(
    "list-for-its-number",
    "a list stands where the one number in it belongs",
    "In `operation, *rest = graph[name]` the star makes a list, also of a single thing. The number of a constant is "
    "`rest[0]`.",
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

# --- graphs: what is right, by definition -----------------------------------------------------------------------------

Graph = Mapping[str, tuple[Any, ...]]
Inputs = Mapping[str, float]
Names = Callable[[Graph], Any]
"""A question about a graph, and what somebody answers: the names of nodes, or a rule of them."""

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
SWAPPED = {sign: lambda left, right, op=TABLE[sign]: op(right, left) for sign in ("+", "-", "*", "/", "**")}
"""The table of someone who mixes up the operands."""


def operands(graph: Graph, name: str) -> tuple[str, ...]:
    """The names that ``name`` is computed from."""
    operation, *rest = graph[name]
    return () if operation in LEAVES else tuple(rest)


def _sorter(graph: Graph) -> TopologicalSorter[str]:
    return TopologicalSorter({name: operands(graph, name) for name in graph})


def is_acyclic(graph: Graph) -> bool:
    """Whether ``graph`` has no cycle."""
    try:
        _sorter(graph).prepare()
    except CycleError:
        return False
    return True


def values_of(graph: Graph, inputs: Inputs, table: Mapping[str, Callable[..., float]] = TABLE) -> dict[str, float]:
    """The value of every node, however deep the graph is. Raises CycleError where there is a cycle."""
    values: dict[str, float] = {}
    for name in _sorter(graph).static_order():
        operation, *rest = graph[name]
        if operation in LEAVES:
            values[name] = inputs[name] if operation == "input" else rest[0]
        else:
            values[name] = table[operation](*[values[operand] for operand in rest])
    return values


def value_of(graph: Graph, inputs: Inputs, name: str) -> float:
    """The value of one node."""
    return values_of(graph, inputs)[name]


def order(graph: Graph) -> Raised | Callable[[Any], bool | str]:
    """A judge of topological orders of ``graph``; where it has none, the error that is asked for."""
    return (lambda found: order_problem(graph, found) or True) if is_acyclic(graph) else Raised(ValueError)


def order_problem(graph: Graph, found: Any) -> str:
    """What keeps ``found`` from being an order of ``graph``, in words."""
    if not _flat(found):
        return "this is not a list of names"
    unknown, left_out = [name for name in found if name not in graph], sorted(set(graph) - set(found))
    if unknown:
        return f"{show(unknown)} are not names of nodes of this graph"
    if len(set(found)) < len(found):
        return "a name stands in it more than once"
    if left_out:
        return f"these nodes are left out: {show(left_out)}"
    late = _late(graph, found)
    return f"{late[0][0]!r} is computed from {late[0][1]!r}, which comes later" if late else ""


def _late(graph: Graph, found: list[str]) -> list[tuple[str, str]]:
    """The pairs (node, operand) in which the operand comes later."""
    place = {name: position for position, name in enumerate(found)}
    return [(name, operand) for name in found for operand in operands(graph, name) if place[operand] > place[name]]


def _flat(found: Any) -> bool:
    """Whether ``found`` is a list of what may be names."""
    return isinstance(found, list | tuple) and all(isinstance(name, str | int | float) for name in found)


def roots(graph: Graph) -> list[str]:
    """The nodes that nothing uses."""
    used = {operand for name in graph for operand in operands(graph, name)}
    return [name for name in graph if name not in used]


def _needed(graph: Graph, starts: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """The part of ``graph`` that ``starts`` are computed from."""
    needed = [*starts]
    for name in needed:
        needed += [operand for operand in dict.fromkeys(operands(graph, name)) if operand not in needed]
    return {name: graph[name] for name in needed}


def _uses(graph: Graph) -> Counter[str]:
    return Counter(operand for name in graph for operand in operands(graph, name))


def _twice(graph: Graph) -> bool:
    """Whether an operation has one node for both of its operands."""
    return any(len(set(operands(graph, name))) < len(operands(graph, name)) for name in graph)


def _constants(graph: Graph) -> list[str]:
    return [name for name in graph if graph[name][0] == "const"]


# --- graphs to ask about: one of each kind ----------------------------------------------------------------------------

_X = ("input",)
_FORMULA = {"x": _X, "y": _X, "a": ("+", "x", "y"), "f": ("*", "a", "y")}

KINDS: dict[str, Graph] = {
    "the formula": _FORMULA,
    "its root first": dict(reversed(_FORMULA.items())),
    "in no order": {
        "p": ("*", "w", "e"),
        "y": _X,
        "f": ("+", "d", "p"),
        "e": ("exp", "d"),
        "w": _X,
        "x": _X,
        "d": ("-", "x", "y"),
    },
    "operands exchanged": {
        "p": ("*", "e", "w"),
        "f": ("+", "p", "d"),
        "y": _X,
        "e": ("exp", "d"),
        "w": _X,
        "x": _X,
        "d": ("-", "x", "y"),
    },
    "other names": {"u": _X, "loss": ("/", "d", "v"), "d": ("-", "u", "v"), "v": _X},
    "a chain": {"f": ("sin", "a"), "x": _X, "a": ("exp", "x")},
    "one operand, twice": {"q": ("*", "d", "d"), "x": _X, "y": _X, "d": ("-", "x", "y")},
    "a constant": {"x": _X, "c": ("const", 6.0), "f": ("-", "c", "x")},
    "equal constants": {
        "f": ("/", "one", "g"),
        "one": ("const", 1.5),
        "g": ("-", "x", "uno"),
        "uno": ("const", 1.5),
        "x": _X,
    },
    "names like operations": {"*": ("+", "input", "const"), "input": _X, "const": ("const", 3.0)},
    "names within names": {"su": ("exp", "sum"), "u": _X, "s": _X, "sum": ("+", "u", "s")},
    "every operation": {
        "root": ("+", "k", "t"),
        "k": ("cos", "s"),
        "s": ("**", "x", "v"),
        "x": _X,
        "v": ("const", 1.5),
        "t": ("tanh", "n"),
        "n": ("neg", "r"),
        "r": ("relu", "q"),
        "q": ("/", "l", "v"),
        "l": ("log", "x"),
    },
    "several ends": {"b": ("exp", "x"), "loss": ("sin", "b"), "unused": ("cos", "b"), "x": _X},
    "two parts": {"f": ("exp", "x"), "u": _X, "x": _X, "g": ("neg", "u")},
    "a single input": {"alone": _X},
    "a single constant": {"c": ("const", -4.0)},
}
"""Graphs without a cycle. All but "several ends" and "two parts" have one root."""

_RING = {"u": ("exp", "v"), "v": ("sin", "u")}
CYCLES: dict[str, Graph] = {
    "of one node": {"f": ("exp", "a"), "a": ("+", "x", "a"), "x": _X},
    "of two nodes": {"f": ("exp", "a"), "a": ("+", "x", "b"), "b": ("sin", "a"), "x": _X},
    "of three nodes": {"x": _X, "b": ("sin", "c"), "a": ("+", "b", "x"), "c": ("cos", "a"), "f": ("exp", "a")},
    "the whole graph": _RING,
    "the whole graph, one node": {"u": ("neg", "u")},
    "without a root": {"a": ("+", "x", "b"), "b": ("exp", "a"), "x": _X},
    "apart from the root": {"x": _X, "f": ("exp", "x"), **_RING},
    "apart, listed first": {**_RING, "f": ("exp", "x"), "x": _X},
    "apart, one node": {"f": ("exp", "x"), "x": _X, "u": ("neg", "u")},
    "at the end of a branch": {"x": _X, "f": ("*", "x", "e"), "e": ("exp", "u"), **_RING},
    "several": {"f": ("+", "p", "u"), "p": ("+", "q", "x"), "q": ("exp", "p"), "x": _X, **_RING},
    "beside a shared node": {
        "f": ("+", "a", "b"),
        "a": ("*", "x", "x"),
        "b": ("-", "a", "c"),
        "c": ("neg", "b"),
        "x": _X,
    },
    "long": {**{f"r{i}": ("tanh", f"r{i + 1}") for i in range(8)}, "r8": ("+", "x", "r0"), "x": _X, "f": ("exp", "r4")},
    "closed far from the root": {**{f"r{i}": ("sin", f"r{i + 1}") for i in range(8)}, "r8": ("+", "x", "r6"), "x": _X},
    "closed near the root": {
        **{f"r{i}": ("+", "x", f"r{i + 1}") for i in range(8)},
        "r8": _X,
        "x": _X,
        "r1": ("+", "r2", "r0"),
    },
}


def graphs(*kinds: str) -> list[Graph]:
    """Those of `KINDS` and `CYCLES` that have these names."""
    return [{**KINDS, **CYCLES}[kind] for kind in kinds]


WITH_ZEROS: list[tuple[Graph, dict[str, float]]] = [
    ({"x": _X, "y": _X, "z": ("*", "x", "y"), "f": ("+", "z", "y")}, {"x": 0.0, "y": 3.0}),
    ({"c": ("const", 0.0), "x": _X, "f": ("-", "c", "x")}, {"x": 2.5}),
    ({"x": _X, "y": _X, "d": ("-", "x", "y"), "e": ("exp", "d"), "f": ("*", "e", "d")}, {"x": 1.5, "y": 1.5}),
]
"""Graphs, and inputs for which an input, a constant or an operation is 0."""
WITH_EQUAL_VALUES: list[tuple[Graph, dict[str, float]]] = [(_FORMULA, {"x": 1.5, "y": 1.5})]
ONE_ROOT = [graph for graph in KINDS.values() if len(roots(graph)) == 1]


def with_numbers(graphs: Iterable[Graph]) -> list[tuple[Graph, dict[str, float]]]:
    """Each of the graphs with a number for each of its inputs, no two of which are the same."""
    return [(graph, dict(zip(_inputs(graph), (2.0, 3.5, 0.75, *range(5, 99)), strict=False))) for graph in graphs]


def _inputs(graph: Graph) -> list[str]:
    return [name for name in graph if graph[name][0] == "input"]


def renamed(graphs: Iterable[Graph], draw: Random) -> list[dict[str, tuple[Any, ...]]]:
    """The same graphs, with other names and with their entries in another order."""

    def again(graph: Graph) -> dict[str, tuple[Any, ...]]:
        numbers = draw.sample(range(10 * len(graph) + 20), len(graph))
        new = {name: f"n{number}" for name, number in zip(graph, numbers, strict=True)}
        entries = [
            (new[name], entry if entry[0] in LEAVES else (entry[0], *[new[operand] for operand in entry[1:]]))
            for name, entry in graph.items()
        ]
        return dict(draw.sample(entries, len(entries)))

    return [again(graph) for graph in graphs]


def drawn(draw: Random, size: int) -> dict[str, tuple[Any, ...]]:
    """Any graph of so many nodes without a cycle, in any order."""
    graph: dict[str, tuple[Any, ...]] = {"n0": _X} if size else {}
    for place in range(1, size):
        left, right = (f"n{draw.randrange(place)}" for _ in range(2))
        kinds = [
            _X,
            ("const", draw.uniform(-2, 2)),
            ("-", left, right),
            ("+", left, right),
            ("tanh", left),
            ("sin", left),
        ]
        graph[f"n{place}"] = draw.choice(kinds)
    return renamed([graph], draw)[0]


def comb(draw: Random, size: int) -> dict[str, tuple[Any, ...]]:
    """One operation above the other, each with a leaf of its own, in any order. Names may mislead."""
    graph = {f"v{i}": _X if i % 2 else ("const", float(i)) for i in range(size)}
    top, *more = graph
    for place, leaf in enumerate(more):
        name = f"{'sum' if place % 2 else 'input'}{place}"
        graph[name] = (draw.choice("+-*/"), top, leaf)
        top = name
    graph["const"] = ("*", top, top)
    return dict(draw.sample([*graph.items()], len(graph)))


def chain(length: int, operation: str = "tanh") -> dict[str, tuple[Any, ...]]:
    """Every node uses the one before; the root is listed first."""
    return {**{f"v{i}": (operation, f"v{i - 1}") for i in range(length, 0, -1)}, "v0": _X}


def doublings(levels: int) -> dict[str, tuple[Any, ...]]:
    """Every node is the one before, added to itself; the input is listed first, so that a search in rounds is quick."""
    return {"d0": _X, **{f"d{i}": ("+", f"d{i - 1}", f"d{i - 1}") for i in range(1, levels + 1)}}


def deep(draw: Random, levels: int) -> tuple[dict[str, tuple[Any, ...]], dict[str, float]]:
    """A graph of shared nodes, 3 * levels deep, in any order and without a cycle; and its inputs."""
    name = (f"n{draw.randrange(10**6)}_{place}" for place in count())
    inputs = {next(name): draw.uniform(-3, 3) for _ in range(20)}
    half = next(name)
    graph: dict[str, tuple[Any, ...]] = {**dict.fromkeys(inputs, _X), half: ("const", 0.5)}
    lately = [*inputs]
    for _ in range(levels):
        total, mean, level = next(name), next(name), next(name)
        left, right, leaf = draw.choice(lately[-3:-1]), lately[-1], draw.choice([*inputs])
        graph |= {total: ("+", left, right), mean: ("*", half, total), level: ("-", mean, leaf)}
        lately.append(level)
    return dict(draw.sample([*graph.items()], len(graph))), inputs


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


def deep_ones(draw: Random) -> list[dict[str, tuple[Any, ...]]]:
    """Deep graphs, with a cycle and without, in an order that an answer which takes turns does not meet."""
    return [
        closed(deep(draw, levels)[0], draw, further) if further else deep(draw, levels)[0]
        for further, levels in ((0.9999, 1_200), (None, 1_200), (None, 1_200), (0.7, 400))
    ]


# --- questions --------------------------------------------------------------------------------------------------------

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


def _written(function: StudentFunction, given: tuple[Any, ...]) -> str:
    return f"{function.name}({', '.join(map(show, given))})"


def within_budget(function: StudentFunction) -> Callable[..., Answer]:
    """``function`` of a graph, and of what else it takes, stopped when it looks at entries too often.

    The budget of calls is the same for all graphs of a size.
    """

    def ask(graph: Graph, *more: Any) -> Answer:
        source = f"return {function.name}(Counted(graph), *more)"
        budget = 20_000 + 100 * len(graph)
        answer = function.student.run(_COUNTED + source, max_calls=budget, graph=graph, more=list(more))
        return replace(answer, call=_written(function, (graph, *more)), name=function.name)

    return ask


def counting_additions(function: StudentFunction) -> Callable[..., Answer]:
    """How many additions ``function`` of a graph and its inputs makes, and its answer: [additions, answer]."""

    def ask(graph: Graph, inputs: Inputs, *more: Any) -> Answer:
        source = f"found = {function.name}(Counted(graph), {{name: Number(inputs[name]) for name in inputs}}, *more)"
        answer = function.student.run(
            f"{_COUNTED}{source}\nreturn Number.additions, found",
            max_calls=20_000 + 100 * len(graph),
            graph=graph,
            inputs=inputs,
            more=list(more),
        )
        asked = _written(function, (graph, inputs, *more))
        return replace(answer, call=f"the additions in {asked}, and its answer", name=function.name)

    return ask


_IN_TURN = """
found = []
for given in calls:
    try:
        found.append({name}(*given))
    except Exception:
        found.append(None)
return found
"""


def in_turn(function: StudentFunction) -> Callable[..., Answer]:
    """The answers of ``function`` to several calls, one after the other, each with the arguments of a tuple.

    None for a call that stops with an error: what that is, another check says.
    """

    def ask(*calls: tuple[Any, ...]) -> Answer:
        source = _IN_TURN.format(name=function.name)
        answer = function.student.run(source, calls=[list(given) for given in calls])
        asked = ", then ".join(_written(function, given) for given in calls)
        return replace(answer, call=asked, name=function.name)

    return ask


def in_any_order(function: StudentFunction) -> Callable[[Graph], Answer]:
    """``function``, whose answer is a collection of names: sorted, to be compared with what is `listed`."""

    def ask(graph: Graph) -> Answer:
        answer = function(graph)
        is_collection = isinstance(answer.data, list | tuple | set | frozenset)
        return replace(answer, data=_sorted(answer.data)) if is_collection else answer

    return ask


def _sorted(names: Iterable[Any]) -> list[Any]:
    return sorted(names, key=show)


def listed(rule: Names) -> Names:
    """What `in_any_order` gives for an answer that follows ``rule``."""
    return lambda graph: _sorted(rule(graph))


# --- the graph of a formula -------------------------------------------------------------------------------------------

Verdict = tuple[bool | str, Misconception | None]
"""(True, None) when the answer is right; else what is wrong, in words, and the misconception it shows, if any."""

TRIALS = ((2.0, 3.0, 1.0), (-1.5, 4.0, 0.5), (0.25, -7.0, 3.0), (4.0, -0.5, 2.0))


def check_formula(
    answer: Answer,
    inputs: tuple[str, ...],
    rule: Callable[..., float],
    operations: int,
    slips: Mapping[Misconception, Callable[..., float] | tuple[Callable[..., float], ...]] | None = None,
    holds: Callable[..., float] | None = None,
) -> None:
    """Pass when ``answer`` is a graph with these inputs that computes ``rule`` in at most that many operations.

    ``slips``: wrong formulas, by the misconception that leads to them. ``holds``: what one of the nodes has to be.
    """
    try:
        verdict, shown = _judge_formula(answer.data, inputs, rule, operations, slips or {}, holds or rule)
    except NO_FORM:
        verdict, shown = "this has not the form that is expected", None
    check(answer, accept=lambda value: verdict, instead=[(lambda value: True, shown)] if shown else [])


def _judge_formula(
    graph: Any, inputs: tuple[str, ...], rule: Any, operations: int, slips: Mapping[Any, Any], holds: Any
) -> Verdict:
    if not isinstance(graph, dict):
        return "this is not a dict", None
    for name, entry in graph.items():
        verdict = _judge_entry(graph, name, entry)
        if verdict[0] is not True:
            return verdict
    for name in graph:
        if name in operands(graph, name):
            return f"{name!r} is computed from itself", GRAPH_NAME_REUSED
    found = _inputs(graph)
    if set(found) != set(inputs):
        copies = len(found) > len(inputs) and {name[:1] for name in found} == set(inputs)
        said = f"the inputs are {sorted(found)}, and should be {sorted(inputs)}"
        constants = not found and set(inputs) <= set(_constants(graph))
        return said, GRAPH_SHARED_NODE_COPIED if copies else GRAPH_VALUES_FOR_NAMES if constants else None
    ends = roots(graph)
    if len(ends) != 1:
        return f"there should be one node that nothing uses, and there are {len(ends)}: {ends}", None
    try:
        values = [values_of(graph, dict(zip(inputs, numbers, strict=False))) for numbers in TRIALS]
    except (CycleError, ArithmeticError, TypeError):
        return "this graph cannot be computed", None

    def computes(formula: Callable[..., float], node: str = ends[0]) -> bool:
        return same([formula(*numbers[: len(inputs)]) for numbers in TRIALS], [found[node] for found in values])

    at = ", ".join(f"{name} = {number:g}" for name, number in zip(inputs, TRIALS[0], strict=False))
    first = TRIALS[0][: len(inputs)]
    if computes(rule):
        count = sum(entry[0] not in LEAVES for entry in graph.values())
        if count > operations:
            said = f"it has {count} operations, and {operations} are enough"
            return said, GRAPH_SHARED_NODE_COPIED if _copies(graph) else None
        if any(computes(holds, name) for name in graph):
            return True, None
        turned = any(computes(lambda *numbers: -holds(*numbers), name) for name in graph)
        said = f"no node has the value that is squared: {holds(*first):g} at {at}"
        return said, GRAPH_OPERANDS_SWAPPED if turned else None
    said = f"at {at} the formula gives {rule(*first):g}, and this graph {values[0][ends[0]]:g}"
    for shown, wrong in slips.items():
        if any(computes(formula) for formula in (wrong if isinstance(wrong, tuple) else (wrong,))):
            return said, shown
    return said, None


SLIPS_IN_F: dict[Misconception, Any] = {
    GRAPH_BRACKETS_LOST: lambda x, y: x + y * y,
    GRAPH_OPERANDS_SWAPPED: lambda x, y: (y + x) * x,
}
SLIPS_IN_THE_LOSS: dict[Misconception, Any] = {
    GRAPH_BRACKETS_LOST: (
        lambda x, w, b: (x * (w + b) - 10) ** 2,
        lambda x, w, b: x * w + b - 10 * 10,
        lambda x, w, b: x * w + (b - 10) * (b - 10),
        lambda x, w, b: x * w + (b - 10) ** 2,
    ),
    GRAPH_OPERANDS_SWAPPED: lambda x, w, b: 2.0 ** (x * w + b - 10),
}


def _copies(graph: Graph) -> bool:
    """Whether two operations are the same one, of the same operands."""
    made: dict[str, Any] = {}
    for name in _sorter(graph).static_order():
        entry = graph[name]
        made[name] = name if entry[0] == "input" else (entry[0], *[made.get(part, part) for part in entry[1:]])
    operations = [repr(made[name]) for name in graph if operands(graph, name)]
    return len(set(operations)) < len(operations)


def _judge_entry(graph: dict[str, Any], name: str, entry: Any) -> Verdict:
    if isinstance(entry, str):
        bare = entry in LEAVES
        said = f"the entry of {name!r} is the text {entry!r}, not a tuple"
        return said, TUPLE_WITHOUT_COMMA if bare else GRAPH_FORMULA_IN_A_NODE if set(entry) & set("+-*/·") else None
    if isinstance(entry, int | float):
        return f"the entry of {name!r} is a number, not a tuple", GRAPH_VALUES_FOR_NAMES
    if not isinstance(entry, list | tuple) or not entry:
        return f"the entry of {name!r} is not a tuple such as ('+', 'x', 'y')", None
    operation, *rest = entry
    if operation == "input" and rest:
        users = all(isinstance(user, str) and user in graph for user in rest)
        said = f"the input {name!r} lists {rest}, and is computed from nothing"
        return said, GRAPH_EDGES_REVERSED if users else None
    if operation == "const" and not (len(rest) == 1 and isinstance(rest[0], int | float)):
        return f"the constant {name!r} does not hold one number", None
    if operation in LEAVES:
        return True, None
    if isinstance(operation, str) and operation in graph and any(isinstance(s, str) and s in TABLE for s in rest):
        return f"the entry of {name!r} does not begin with its operation", OPERATION_NOT_FIRST
    if not isinstance(operation, str) or operation not in TABLE:
        return f"{operation!r} in the entry of {name!r} is not one of the operations", None
    for operand in rest:
        if isinstance(operand, int | float):
            return f"{name!r} has the number {operand} for an operand", GRAPH_VALUES_FOR_NAMES
        if isinstance(operand, str) and operand in graph:  # whatever it looks like: names are free
            continue
        formula = isinstance(operand, list | tuple) or (isinstance(operand, str) and set(operand) & set("+-*/·()"))
        if formula:
            return f"{operand!r} in the entry of {name!r} is not the name of a node", GRAPH_FORMULA_IN_A_NODE
        return f"{name!r} uses {operand!r}, which has no entry", GRAPH_LEAF_MISSING if isinstance(
            operand, str
        ) else None
    arity = 2 if operation in SWAPPED else 1
    if len(rest) == arity:
        return True, None
    backwards = any(_is_input_with_users(graph, other) for other in graph.values())
    shown = GRAPH_EDGES_REVERSED if backwards else GRAPH_FORMULA_IN_A_NODE if len(rest) > arity else None
    return f"{name!r} has {len(rest)} operands, and {operation!r} needs {arity}", shown


def _is_input_with_users(graph: dict[str, Any], entry: Any) -> bool:
    return (
        isinstance(entry, list | tuple) and entry[:1] in (("input",), ["input"]) and any(u in graph for u in entry[1:])
    )


# --- its parts: rules of wrong answers --------------------------------------------------------------------------------


def leaves(graph: Graph) -> list[str]:
    """The names of the leaves."""
    return [name for name in graph if graph[name][0] in LEAVES]


def operations(graph: Graph) -> list[str]:
    """The names of all other nodes."""
    return [name for name in graph if graph[name][0] not in LEAVES]


def root(graph: Graph) -> str:
    """The one node that nothing uses."""
    (top,) = roots(graph)
    return top


def _number_looked_up(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Looks the number of a constant up in the graph, and does as ``rule`` where there is none."""
    missing = Raised(KeyError, says=r"^-?\d+(\.\d+)?$")
    return lambda graph, *more: missing if _constants(graph) else rule(graph, *more)


def _unary(graph: Graph) -> list[str]:
    return [name for name in graph if len(operands(graph, name)) == 1]


def _appended(names: Names) -> Names:
    """Assigns what `append` gives, and stops at the second name."""
    second = Raised(AttributeError, says="NoneType.*append")
    return lambda graph: second if len(names(graph)) > 1 else None if names(graph) else []


LEAVES_OF = {
    APPEND_RETURNS_NOTHING: _appended(leaves),
    CONSTANT_NOT_A_LEAF: listed(_inputs),
    LEAF_LISTED_TWICE: (
        listed(lambda graph: [o for name in graph for o in operands(graph, name) if graph[o][0] in LEAVES]),
        listed(
            lambda graph: [o for name in graph for o in operands(graph, name) if graph[o][0] in LEAVES] or list(graph)
        ),
    ),
    LEAVES_FROM_THE_WRONG_END: (listed(roots), lambda graph: root(graph), listed(operations)),
    RETURN_INSIDE_THE_LOOP: listed(lambda graph: leaves(graph)[:1]),
    OPERATION_SYMBOLS_FOR_NAMES: listed(lambda graph: [graph[name][0] for name in leaves(graph)]),
    OPERATION_TAKES_TWO: listed(lambda graph: leaves(graph) + _unary(graph)),
    OR_IS_ALWAYS_TRUE: listed(list),
    CONSTANT_TAKEN_FOR_OPERAND: _number_looked_up(listed(leaves)),
}
"""The answers of `leaves`, by the misconception that leads to them."""
OPERATIONS_OF = {
    APPEND_RETURNS_NOTHING: _appended(operations),
    CONSTANT_NOT_A_LEAF: listed(lambda graph: operations(graph) + _constants(graph)),
    RETURN_INSIDE_THE_LOOP: listed(lambda graph: operations(graph)[:1]),
    LEAVES_FROM_THE_WRONG_END: listed(leaves),
    OPERATION_SYMBOLS_FOR_NAMES: (
        listed(lambda graph: [graph[name][0] for name in operations(graph)]),
        listed(lambda graph: {graph[name][0] for name in operations(graph)}),
    ),
    OPERATION_TAKES_TWO: listed(lambda graph: [n for n in operations(graph) if len(operands(graph, n)) == 2]),
    OR_IS_ALWAYS_TRUE: listed(list),
    CONSTANT_TAKEN_FOR_OPERAND: _number_looked_up(listed(operations)),
}
ROOT_OF = {
    ROOT_IS_THE_LAST_ENTRY: tuple(
        lambda graph, place=place, of=of: (of(graph) or list(graph))[place]
        for of, place in ((list, -1), (operations, -1), (operations, 0))
    ),
    LEAVES_FROM_THE_WRONG_END: (lambda graph: leaves(graph)[0], lambda graph: leaves(graph)[-1]),
    NAMES_BUILT_IN: (
        lambda graph: "f" if len(graph) > 1 else root(graph),
        lambda graph: lambda got: isinstance(got, str) and got not in graph,
    ),
    CONSTANT_TAKEN_FOR_OPERAND: _number_looked_up(root),
}

# --- cycles: rules of wrong answers -----------------------------------------------------------------------------------


def _from_parts() -> Iterator[Names]:
    """Whether there is no cycle in what the first root needs, or all roots, or an entry. Without a root, anything."""

    def of(starts: Names, otherwise: Any) -> Names:
        return lambda graph: is_acyclic(_needed(graph, starts(graph))) if starts(graph) else otherwise

    for starts in (roots, lambda graph: roots(graph)[:1]):
        for otherwise in (True, False, IndexError, StopIteration, ValueError, KeyError, TypeError, UnboundLocalError):
            yield of(starts, otherwise)
    yield of(lambda graph: [*graph][:1], None)
    yield of(lambda graph: [*graph][-1:], None)
    yield of(lambda graph: (roots(graph) or [*graph])[:1], None)


def _crossed(graph: Graph) -> set[str]:
    """What can be computed: the nodes that are not in a cycle, and do not need one."""
    done: set[str] = set()
    while ready := {name for name in graph if name not in done and done.issuperset(operands(graph, name))}:
        done |= ready
    return done


def _above_leaves(graph: Graph) -> dict[str, tuple[Any, ...]]:
    """Whatever a leaf leads to."""
    above = set(leaves(graph))
    while more := {name for name in graph if name not in above and above.intersection(operands(graph, name))}:
        above |= more
    return {name: graph[name] for name in above}


def _met_again(graph: Graph) -> bool:
    """Whether a walk from some node meets another one on two ways, or comes back."""
    return any(sum(_uses(_needed(graph, [start])).values()) >= len(_needed(graph, [start])) for start in graph)


def _without_loops(graph: Graph) -> dict[str, tuple[Any, ...]]:
    return {
        name: (entry[0], *[part for part in entry[1:] if part != name or entry[0] in LEAVES])
        for name, entry in graph.items()
    }


def _in_order(graph: Graph) -> bool:
    names = list(graph)
    return not any(names.index(operand) >= names.index(name) for name in names for operand in operands(graph, name))


def _endless(graph: Graph) -> Any:
    return True if is_acyclic(graph) else BudgetExceeded


def _nested(graph: Graph) -> Any:
    return True if is_acyclic(graph) else RecursionError


def _pairs(graph: Graph) -> bool:
    """Whether two nodes use each other; one node may be both."""
    return any(name in operands(graph, operand) for name in graph for operand in operands(graph, name))


def _start_only(stop: type[BaseException]) -> Names:
    """Compares with the start of the walk only, and goes round in a cycle that it has not begun in."""

    def rule(graph: Graph) -> Any:
        for start in graph:
            below = _needed(graph, operands(graph, start))
            if start in below or not is_acyclic(below):
                return False if start in below else stop
        return True

    return rule


ACYCLIC_OF: dict[Misconception, Any] = {
    TRUE_AND_FALSE_EXCHANGED: lambda graph: not is_acyclic(graph),
    CYCLE_THROUGH_THE_START_ONLY: (_start_only(BudgetExceeded), _start_only(RecursionError)),
    CYCLE_UNNOTICED: (
        lambda graph: True,
        _endless,
        _nested,
        lambda graph: graph == _without_loops(graph),
        lambda graph: not _pairs(graph),
        lambda graph: not _pairs(_without_loops(graph)),
        lambda graph: bool(roots(graph) and leaves(graph)),
        lambda graph: bool(roots(graph)),
        lambda graph: bool(leaves(graph)),
    ),
    SELF_LOOP_MISSED: lambda graph: is_acyclic(_without_loops(graph)),
    FIRST_OPERAND_ONLY: lambda graph: is_acyclic(
        {name: entry[:2] if operands(graph, name) else entry for name, entry in graph.items()}
    ),
    RETURN_INSIDE_THE_LOOP: lambda graph: next(iter(graph)) not in operands(graph, next(iter(graph))),
    SAME_OPERAND_COUNTED_ONCE: lambda graph: is_acyclic(graph) and not _twice(graph),
    SHARED_TAKEN_FOR_CYCLE: (
        lambda graph: not _met_again(graph),
        lambda graph: max(_uses(graph).values(), default=0) < 2,
        lambda graph: is_acyclic(graph) and max(_uses(graph).values(), default=0) < 2,
    ),
    DICT_ORDER_ASSUMED: (_in_order, lambda graph: _in_order(dict(reversed(graph.items())))),
    CYCLE_IN_ANOTHER_PART_MISSED: (
        *_from_parts(),
        lambda graph: is_acyclic(_above_leaves(graph)),
        lambda graph: (
            not any(set(operands(graph, name)) & _crossed(graph) for name in graph if name not in _crossed(graph))
        ),
    ),
    CONSTANT_TAKEN_FOR_OPERAND: _number_looked_up(is_acyclic),
}
"""The answers of `is_acyclic`, by the misconception that leads to them."""

# --- orders: rules of wrong answers -----------------------------------------------------------------------------------


def _any(got: Any) -> bool:
    return True


def _none(got: Any) -> bool:
    return False


def _orders(shown: Callable[[Graph, list[str]], bool]) -> Names:
    """The rule of whatever list has ``shown`` about it."""
    return lambda graph: lambda found: _flat(found) and shown(graph, found)


def _is_order(graph: Graph, found: list[str]) -> bool:
    return not order_problem(graph, found)


def _whole(shown: Callable[[Graph, list[str]], bool]) -> Names:
    """The rule of a list that holds all nodes once, and has ``shown`` about it."""
    return _orders(lambda graph, found: sorted(graph) == sorted(found) and shown(graph, found))


def _shortest(graph: Graph, name: str) -> int:
    return min((1 + _shortest(graph, operand) for operand in operands(graph, name)), default=0)


def _met_from_above(graph: Graph, found: list[str]) -> bool:
    """A walk from the roots meets a node only after one of its users; turned round, this is what it gives."""
    users = {name: [user for user in graph if name in operands(graph, user)] for name in graph}
    place = {name: position for position, name in enumerate(found)}
    return all(any(place[user] > place[name] for user in users[name]) for name in graph if users[name])


def _met_from_below(graph: Graph, found: list[str]) -> bool:
    """A node that does not wait for all of its operands comes after one of them."""
    place = {name: position for position, name in enumerate(found)}
    return all(any(place[o] < place[name] for o in operands(graph, name)) for name in operations(graph))


def _by_content(graph: Graph, found: list[str]) -> bool:
    """Whether every node that is left out has a twin with the same entry that is not."""
    there = [graph[name] for name in found if name in graph]
    return len(set(found)) == len(found) < len(graph) and all(graph[n] in there for n in graph if n not in found)


def _needed_by_one(graph: Graph, found: list[str]) -> bool:
    parts = [_needed(graph, [start]) for start in graph]
    return len(found) < len(graph) and any(set(found) == set(part) and _is_order(part, found) for part in parts)


def _refused(where: Callable[[Graph], bool], kind: type[BaseException] = ValueError) -> Names:
    """The rule of someone who finds a cycle ``where`` there is none, and is right elsewhere."""
    return lambda graph: Raised(kind, line=r"\braise\b") if where(graph) else _none


ORDERS: dict[Misconception, Any] = {
    DICT_ORDER_ASSUMED: tuple(
        lambda graph, of=of, step=step: of(graph)[::step] for of in (list, sorted) for step in (1, -1)
    ),
    ORDER_USERS_FIRST: _whole(lambda graph, found: _is_order(graph, found[::-1])),
    ORDER_LEAVES_LEFT_OUT: _orders(lambda graph, found: sorted(found) == sorted(operations(graph))),
    NODE_COMPARED_BY_CONTENT: _orders(_by_content),
    SAME_OPERAND_COUNTED_ONCE: (
        _refused(_twice),
        lambda graph: (lambda found: set(found) < set(graph)) if _twice(graph) else _none,
    ),
    ORDER_PART_MISSING: _orders(_needed_by_one),
    ORDER_REPEATS_A_NODE: _orders(
        lambda graph, found: len(found) > len(graph) and _is_order(graph, [*dict.fromkeys(found)])
    ),
    CACHE_OUTLIVES_THE_CALL: (
        _orders(lambda graph, found: set(found) > set(graph)),
        _orders(lambda graph, found: len(found) > len(graph) and _is_order(graph, found[-len(graph) :])),
    ),
    NAMES_BUILT_IN: _orders(lambda graph, found: set(found) == set(_FORMULA)),
    ORDER_BY_SHORTEST_DISTANCE: _whole(
        lambda graph, found: (far := [_shortest(graph, name) for name in found]) == sorted(far)
    ),
    ORDER_PLACED_AT_FIRST_VISIT: _whole(_met_from_above),
    ORDER_AFTER_ONE_OPERAND: _whole(_met_from_below),
    SHARED_TAKEN_FOR_CYCLE: tuple(
        _refused(where)
        for where in (
            _met_again,
            lambda graph: max(_uses(graph).values(), default=0) > 1,
        )
    ),
    CONSTANT_TAKEN_FOR_OPERAND: _number_looked_up(lambda graph: _none),
}
"""What `topological_order` gives for graphs without a cycle, by the misconception that leads to it."""


def _unseen(noticed: Callable[[Graph], Any]) -> Names:
    """Gives a list where ``noticed`` says that there is no cycle."""
    return lambda graph: (
        Raised(ValueError) if noticed(graph) is False else _any if noticed(graph) is True else noticed(graph)
    )


CYCLES_TOLD: dict[Misconception, Any] = {
    ERROR_NOT_RAISED: (
        lambda graph: Raised(NotPlain, says="Error|Exception"),
        *(lambda graph, told=told: told for told in (None, False, [], -1, "")),
        lambda graph: lambda got: isinstance(got, str),
    ),
    SELF_LOOP_MISSED: _unseen(lambda graph: is_acyclic(_without_loops(graph))),
    CYCLE_IN_ANOTHER_PART_MISSED: tuple(map(_unseen, _from_parts())),
    CYCLE_UNNOTICED: (
        lambda graph: lambda got: isinstance(got, list),
        lambda graph: Raised(BaseException, says="^more than .* calls|recursion depth"),
    ),
    ANOTHER_KIND_OF_ERROR: lambda graph: Raised(Exception, line=r"\b(raise|assert)\b"),
}
"""What it gives for graphs with one."""


def order_marks(salt: str, graph: Graph) -> dict[str, Any]:
    """What `check.choice` compares an order of a small graph with: the right ones, and those that show something."""
    right, shown = set(), dict[str, Misconception]()
    edges = [(operand, user) for user in graph for operand in operands(graph, user)]
    users = [(name, {user for operand, user in edges if operand == name}) for name in dict(edges)]
    for found in permutations(graph):
        place = {name: position for position, name in enumerate(found)}
        if all(place[operand] < place[user] for operand, user in edges):
            right.add(seal(salt, found))
        elif all(place[operand] > place[user] for operand, user in edges):
            shown[seal(salt, found)] = ORDER_USERS_FIRST
        elif all(any(place[user] > place[name] for user in own) for name, own in users):
            shown[seal(salt, found)] = ORDER_PLACED_AT_FIRST_VISIT
    shown |= {seal(salt, rule(graph)): DICT_ORDER_ASSUMED for rule in ORDERS[DICT_ORDER_ASSUMED]}
    inner = {
        name: (graph[name][0], *[o for o in operands(graph, name) if operands(graph, o)]) for name in operations(graph)
    }
    shown |= {seal(salt, [*_sorter(inner).static_order()]): ORDER_LEAVES_LEFT_OUT}
    return {"right": right, "instead": shown}


# --- values: rules of wrong answers -----------------------------------------------------------------------------------


def _one_order(arrange: Callable[[Graph], list[str]]) -> Callable[[Graph, Inputs], Any]:
    """Goes through the nodes as ``arrange`` says, and stops at the first operand that comes after its user."""

    def rule(graph: Graph, inputs: Inputs) -> Any:
        names = arrange(graph)
        for place, name in enumerate(names):
            for operand in operands(graph, name):
                if operand not in names[:place]:
                    return Raised(KeyError, says=f"^{re.escape(repr(operand))}$")
        return values_of(graph, inputs)

    return rule


def _where(condition: Callable[[Graph, Inputs], bool], wrong: Any) -> Callable[[Graph, Inputs], Any]:
    """``wrong`` where ``condition`` holds, and right elsewhere."""
    return lambda graph, inputs: wrong if condition(graph, inputs) else values_of(graph, inputs)


def _is_part(graph: Graph, inputs: Inputs) -> Callable[[Any], bool]:
    """Whether an answer holds the values of some nodes only, or is one of them."""
    right = values_of(graph, inputs)

    def fits(got: Any) -> bool:
        if isinstance(got, dict):
            return len(got) < len(right) and same({name: right.get(name) for name in got}, got)
        return any(same(value, got) for value in right.values())

    return fits


def _one_for_all(graph: Graph, inputs: Inputs) -> Callable[[Any], bool]:
    """Whether equal entries have equal values, in one set of inputs, where they should not."""

    def fits(got: Any) -> bool:
        same_entry = [(one, other) for one in graph for other in graph if graph[one] == graph[other]]
        return got.keys() == graph.keys() and all(same(got[one], got[other]) for one, other in same_entry)

    return fits


def _list_kept(graph: Graph, inputs: Inputs) -> Any:
    """Takes what is behind "const" for its value, and stops where a list is computed with."""
    lists = {name: [*graph[name][1:]] for name in _constants(graph)}
    return Raised(TypeError) if lists and len(graph) > 1 else lists or values_of(graph, inputs)


def _set_of_operands(key: Callable[[Mapping[str, float], str], Any]) -> Callable[[Graph, Inputs], Any]:
    """Collects the operands of an operation in a set or a dict, so that one that comes twice is there once."""

    def rule(graph: Graph, inputs: Inputs) -> Any:
        right = values_of(graph, inputs)

        def exchanged(got: Any) -> bool:  # a set has an order of its own
            found = {name: [got[operand] for operand in operands(graph, name)] for name in operations(graph)}
            return all(
                any(same(TABLE[graph[name][0]](*each), got[name]) for each in (given, given[::-1]))
                for name, given in found.items()
            )

        merged = any(
            len({key(right, operand) for operand in operands(graph, name)}) < len(operands(graph, name))
            for name in graph
        )
        return Raised(TypeError, says="expected 2 arguments, got 1") if merged else exchanged

    return rule


def _zero(graph: Graph, inputs: Inputs) -> bool:
    return 0.0 in values_of(graph, inputs).values()


FORWARD: dict[Misconception, Any] = {
    ZERO_TAKEN_FOR_MISSING: (_where(_zero, _any), _where(_zero, Exception)),
    DICT_ORDER_ASSUMED: tuple(map(_one_order, ORDERS[DICT_ORDER_ASSUMED])),
    SAME_OPERAND_COUNTED_ONCE: (
        _set_of_operands(lambda right, operand: operand),
        _set_of_operands(lambda right, operand: right[operand]),
    ),
    STAR_FORGOTTEN: _where(
        lambda graph, inputs: bool(operations(graph)), Raised(TypeError, "expected 2 arguments, got 1|not list")
    ),
    OPERATION_TAKES_TWO: tuple(
        _where(lambda graph, inputs: bool(_unary(graph)), error)
        for error in (Raised(ValueError, "unpack"), Raised(IndexError), Raised(TypeError, "takes"))
    ),
    GRAPH_OPERANDS_SWAPPED: lambda graph, inputs: values_of(graph, inputs, {**TABLE, **SWAPPED}),
    LIST_FOR_ITS_NUMBER: _list_kept,
    CONSTANT_TAKEN_FOR_OPERAND: _number_looked_up(values_of),
    NODE_COMPARED_BY_CONTENT: _one_for_all,
    NAMES_BUILT_IN: tuple(
        _where(
            lambda graph, inputs, few=few: inputs.keys() != {"x", "y"} and len(graph) > few,
            Raised(KeyError, r"^'\w+'$"),
        )
        for few in (0, 1)
    ),
    RETURN_INSIDE_THE_LOOP: lambda graph, inputs: lambda got: len(got) == 1 and {*got} <= {*leaves(graph)},
    INTERMEDIATES_NOT_KEPT: _is_part,
}
"""What `forward` gives, by the misconception that leads to it."""


def fresh(value: Callable[..., Any]) -> Callable[..., Callable[[Any], bool | str]]:
    """Judges calls that are asked `in_turn`: right where no answer holds what belongs to another call."""

    def like(*calls: tuple[Any, ...]) -> Callable[[Any], bool | str]:
        right = [value(*given) for given in calls]

        def judge(got: Any) -> bool | str:
            mixed = any(_of_both(*pair) for pair in zip(right, reversed(right), got, strict=True))
            return not mixed or "a value of the one call stands in the answer to the other"

        return judge

    return like


def _of_both(own: Any, other: Any, came: Any) -> bool:
    """Whether what came is wrong, and made of the right answers to both calls."""
    if same(own, came) or not isinstance(came, dict):
        return same(other, came) and not same(own, came)
    of_other = {name for name, value in came.items() if same(other.get(name), value)}
    of_own = {name for name, value in came.items() if same(own.get(name), value)}
    return of_other | of_own == came.keys() and not of_own >= came.keys()


def once(operations: int) -> Callable[..., Callable[[Any], bool | str]]:
    """Judges what `counting_additions` gives for doublings: the values are right, in so many additions.

    ``sum`` makes two additions of one.
    """

    def like(graph: Graph, inputs: Inputs, *more: Any) -> Callable[[Any], bool | str]:
        right = value_of(graph, inputs, *more) if more else values_of(graph, inputs)

        def judge(got: Any) -> bool | str:
            if not same(right, got[1]):
                return "not all of the values are right"
            return got[0] <= 2 * operations or f"{operations} additions are enough"

        return judge

    return like


def _again(at_zero: Any) -> tuple[Callable[..., Any], ...]:
    """Rules of an answer that computes shared nodes again: always, or where they are zero."""

    def too_many(got: Any) -> bool:
        return bool(got[0] > 120)

    return tuple(
        lambda graph, inputs, *more, stop=stop: stop if not at_zero or 0.0 in inputs.values() else _none
        for stop in (BudgetExceeded, too_many)
    )


REMEMBERS = {CACHE_OUTLIVES_THE_CALL: lambda *calls: _any}
"""What comes of calls in turn that are not `fresh`."""
PATHS = {SHARED_NODE_RECOMPUTED: lambda *given: BudgetExceeded}
"""What comes of sixty shared nodes in a row where every path is walked."""
DEEP = {
    RECURSION_TOO_DEEP: lambda *given: Raised(RecursionError),
    ORDER_SEARCHED_AGAIN_AND_AGAIN: lambda *given: BudgetExceeded,
}
"""What comes of a long chain that lists its root first."""
VALUE = {GRAPH_OPERANDS_SWAPPED: lambda graph, inputs, name: values_of(graph, inputs, {**TABLE, **SWAPPED})[name]}
AGAIN = {ZERO_TAKEN_FOR_MISSING: _again(True), SHARED_NODE_RECOMPUTED: _again(False)}

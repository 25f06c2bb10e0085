"""Graphs as data, the form of unit 01: `{"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a",
"y")}`.

The reference forward and backward for such a graph. There is no table of rules here: each node becomes a `Scalar`, and
the engine's op table does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .layout import topological
from .numbers import shorten

# How the course writes an op in data -> the row of the engine's table. Any other op is the name of its row.
ROWS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}


class GraphError(ValueError):
    """A graph as data that cannot be computed; the message says which node and why."""


def symbol_of(op: str) -> str:
    """The sign drawn for `op`; an op nobody knows is drawn by its own name."""
    from autodiff_lab.engine.ops import TABLE

    row = ROWS.get(op, op)
    return TABLE[row].symbol if row in TABLE else op


def entry(name: str, given: Any) -> tuple[str, tuple[Any, ...]]:
    """(op, operands) of one node; raises GraphError unless `given` is a tuple or list that begins with an op."""
    if not isinstance(given, (tuple, list)) or not given:
        raise GraphError(
            f"node {name!r} of the graph is {shorten(repr(given), 40)}: write a tuple such as ('input',), "
            "('const', 3.0) or ('+', 'x', 'y')."
        )
    return str(given[0]), tuple(given[1:])


def operands(graph: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The nodes that `name` is computed from. Raises GraphError: an entry that is not a tuple, an operand that is not a
    node.
    """
    op, rest = entry(name, graph[name])
    if op in ("input", "const"):
        return ()
    for operand in rest:
        if not isinstance(operand, str) or operand not in graph:
            raise GraphError(f"node {name!r} uses {shorten(repr(operand))}, which is not a node of the graph.")
    return rest


def order(graph: Mapping[str, Any]) -> list[str]:
    """The names of the nodes, operands before users. Raises GraphError: an entry that is not a tuple, an operand that
    is not a node, a cycle.
    """
    names = list(graph)
    place = {name: index for index, name in enumerate(names)}
    edges = [(place[operand], place[name]) for name in names for operand in operands(graph, name)]
    found, backward = topological(len(names), edges)
    if backward:
        source, target = edges[min(backward)]
        raise GraphError(
            f"the graph has a cycle: {names[target]!r} needs {names[source]!r}, which needs {names[target]!r} first."
        )
    return [names[index] for index in found]


def root(graph: Mapping[str, Any]) -> str:
    """The name of the one operation that nothing else uses. Raises GraphError if there is none, or more than one."""
    used = {operand for given in graph.values() for operand in entry("", given)[1] if isinstance(operand, str)}
    ends = [name for name in graph if name not in used]
    ends = [name for name in ends if entry(name, graph[name])[0] not in ("input", "const")] or ends
    if len(ends) != 1:
        said = (
            "no node that nothing uses" if not ends else f"{len(ends)} nodes that nothing uses: {', '.join(ends[:5])}"
        )
        raise GraphError(f"the graph has {said}; its root must be the only one.")
    return ends[0]


def build(graph: Mapping[str, Any], inputs: Mapping[str, float]) -> tuple[dict[str, Any], str]:
    """Each node as a `Scalar`, as far as there is a value, and in words the first reason why one is missing (empty if
    none is).
    """
    from autodiff_lab import Scalar

    nodes: dict[str, Any] = {}
    problem = ""
    for name in order(graph):
        op, operands = entry(name, graph[name])
        try:
            if op == "input":
                if name in inputs:
                    nodes[name] = Scalar(float(inputs[name]))
                else:
                    problem = problem or f"input {name!r} has no value"
            elif op == "const":
                nodes[name] = Scalar(float(operands[0]), requires_grad=False)
            elif all(operand in nodes for operand in operands):
                nodes[name] = _function(op)(*(nodes[operand] for operand in operands))
        except GraphError as error:
            problem = problem or f"node {name!r}: {error}"
        except (ArithmeticError, ValueError, TypeError, IndexError) as error:
            problem = problem or f"node {name!r}, {' '.join(map(str, (op, *operands)))}: {error}"
    return nodes, problem


def evaluate(graph: Mapping[str, Any], inputs: Mapping[str, float]) -> dict[str, float]:
    """The value of every node, by the reference engine, in the order of `graph`. Raises GraphError where one cannot be
    computed.
    """
    nodes, problem = build(graph, inputs)
    if problem:
        raise GraphError(problem + ".")
    return {name: nodes[name].item() for name in graph}


def adjoints(graph: Mapping[str, Any], inputs: Mapping[str, float]) -> dict[str, float]:
    """The adjoint of every node that leads from an input to the root, by the reference engine. A constant has none.

    `inputs` may hold the values of other nodes too; they are computed again.
    """
    nodes, problem = build(graph, inputs)
    if problem:
        raise GraphError(problem + ".")
    return sweep(graph, nodes)


def sweep(graph: Mapping[str, Any], nodes: Mapping[str, Any]) -> dict[str, float]:
    """The adjoints of already built `nodes`, empty if the root has no value or needs no gradient."""
    from autodiff_lab.engine.backward import adjoints as reverse

    end = nodes.get(root(graph))
    if end is None or not end.requires_grad:
        return {}
    found = {id(node): adjoint for node, adjoint in reverse(end)}
    return {name: found[id(nodes[name])] for name in graph if name in nodes and id(nodes[name]) in found}


def _function(op: str) -> Callable[..., Any]:
    """The method of `Scalar` that the row of `op` made."""
    from autodiff_lab import Scalar
    from autodiff_lab.engine.ops import TABLE

    row = TABLE.get(ROWS.get(op, op))
    if row is None:
        raise GraphError(f"there is no operation {op!r}")
    method: Callable[..., Any] = getattr(Scalar, row.dunder or row.name)
    return method

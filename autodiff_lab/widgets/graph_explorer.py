"""Unit 01's view: a computational graph, a slider for each input, every value (and adjoint) live."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

from autodiff_lab.draw import data
from autodiff_lab.draw.numbers import show
from autodiff_lab.draw.picture import from_data

from .base import Answer, SliderView, fault, listed, number_or_none

_CLOSE = 1e-6  # a forward that differs by less than this is the same rule computed in another order

Forward = Callable[[dict[str, Any], dict[str, float]], Mapping[str, float]]
Backward = Callable[[dict[str, Any], dict[str, float]], Mapping[str, float]]


class GraphExplorer(SliderView):
    """Sliders on the inputs of `graph`, a dict as in unit 01; the kernel computes, the picture follows.

    `inputs` maps input names to start values (1.0 where one is missing). `forward(graph, inputs)` returns a value per
    node; `backward(graph, values)` an adjoint per node, or `True` for the reference engine's adjoints; by default
    values come from the reference engine, and no adjoints are shown. A forward or backward that is not written yet,
    raises, or returns something that is not a number per node is replaced by the reference, and the view says so in a
    line.

    After construction, `values` and `adjoints` (name -> float) are what is shown now, `note` the line of explanation.
    Raises ValueError if `inputs` names something that is not an input of the graph.
    """

    def __init__(
        self,
        graph: Mapping[str, Any],
        inputs: Mapping[str, float] | None = None,
        forward: Forward | None = None,
        backward: Backward | Literal[True] | None = None,
        low: float = -5,
        high: float = 5,
        step: float = 0.1,
    ) -> None:
        if not isinstance(graph, Mapping):
            raise TypeError(
                "GraphExplorer needs a graph as data, such as {'x': ('input',), 'f': ('*', 'x', 'x')}, "
                f"not {type(graph).__name__}."
            )
        self.graph = {str(name): tuple(given) if isinstance(given, list) else given for name, given in graph.items()}
        named = [name for name, given in self.graph.items() if data.entry(name, given)[0] == "input"]
        wrong = [name for name in inputs or {} if name not in named]
        if wrong:
            raise ValueError(f"{wrong[0]!r} is not an input of the graph; its inputs are: {listed(named) or 'none'}.")
        self.forward, self.backward = forward, backward
        self.values: dict[str, float] = {}
        self.adjoints: dict[str, float] | None = None
        self.note = ""
        super().__init__({name: float((inputs or {}).get(name, 1.0)) for name in named}, low, high, step)

    def _compute(self, inputs: dict[str, float]) -> Answer:
        notes: list[str] = []
        try:
            nodes, problem = data.build(self.graph, inputs)
            end = data.root(self.graph)
        except data.GraphError as error:
            nodes, problem, end = {}, str(error).rstrip("."), ""
        if problem:
            notes.append(f"Not everything has a value: {problem}.")
        reference = {name: node.item() for name, node in nodes.items()}
        self.values = self._forward(inputs, reference, complete=not problem, notes=notes)
        self.adjoints = self._backward(nodes, end, notes) if self.backward else None
        self.note = " ".join(notes)
        picture = from_data(self.graph, self.values, self.adjoints)
        value = self.values.get(end)
        if not end:
            result = "There is no root to show"
        else:
            result = f"{end} is {show(value)}" if value is not None else f"{end} has no value here"
        return Answer(picture, result, self.note)

    def _forward(
        self, inputs: dict[str, float], reference: dict[str, float], complete: bool, notes: list[str]
    ) -> dict[str, float]:
        """The student's values if they are usable, else the reference's, with a line that says why."""
        if self.forward is None:
            return reference
        who = f"your {_name(self.forward, 'forward')}()"
        found, why = _call(self.forward, who, list(self.graph), self.graph, inputs)
        if found is None:
            notes.insert(0, f"Shown with the reference engine: {why}.")
            return reference
        if complete:
            wrong = [name for name in self.graph if not _same(found[name], reference[name])]
            if wrong:
                notes.append(
                    f"These are the values of {who}. The reference engine has another value for: {listed(wrong)}."
                )
        return found

    def _backward(self, nodes: dict[str, Any], end: str, notes: list[str]) -> dict[str, float]:
        reference = {}
        if end in nodes:
            try:
                reference = data.sweep(self.graph, nodes)
            except ArithmeticError as error:
                notes.append(f"There are no adjoints here: {error}.")
        if self.backward is True or not callable(self.backward):
            return reference
        who = f"your {_name(self.backward, 'backward')}()"
        found, why = _call(self.backward, who, list(reference), self.graph, self.values)
        if found is None:
            notes.append(f"Adjoints shown with the reference engine: {why}.")
            return reference
        wrong = [name for name in reference if not _same(found[name], reference[name])]
        if wrong:
            notes.append(
                f"These are the adjoints of {who}. The reference engine has another adjoint for: {listed(wrong)}."
            )
        return found


def _call(
    function: Callable[..., Any], who: str, needed: list[str], graph: dict[str, Any], numbers: dict[str, float]
) -> tuple[dict[str, float] | None, str]:
    """Call a student's function on copies. (numbers per node, "") or (None, why it cannot be used)."""
    try:
        returned = function(dict(graph), dict(numbers))
    except (Exception, SystemExit) as error:
        return None, fault(who, error)
    if not isinstance(returned, Mapping):
        what = "nothing (None)" if returned is None else f"a {type(returned).__name__}"
        return None, f"{who} returned {what} instead of a dict from node name to number"
    missing = [name for name in needed if name not in returned or returned[name] is None]
    if missing:
        return None, f"{who} returned no number for: {listed(missing)}"
    found = {name: number_or_none(returned[name]) for name in graph if returned.get(name) is not None}
    for name, number in found.items():
        if number is None:
            return None, f"{who} returned a {type(returned[name]).__name__} for {name!r} instead of a number"
    return {name: number for name, number in found.items() if number is not None}, ""


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_CLOSE) or (math.isnan(a) and math.isnan(b))


def _name(function: Any, otherwise: str) -> str:
    name = getattr(function, "__name__", otherwise)
    return name if isinstance(name, str) and name.isidentifier() else otherwise

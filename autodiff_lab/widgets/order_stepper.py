"""Unit 01's second view: a slider steps through a graph, and each node is open, ready or done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autodiff_lab.draw import data
from autodiff_lab.draw.picture import from_data

from .base import Answer, SliderView, listed

STEP = "nodes done"


class OrderStepper(SliderView):
    """A slider for the number of nodes that are done; every box of `graph`, a dict as in unit 01, says its state.

    A step does the ready node that was listed first. Where there is a cycle the steps come to an end before all nodes
    are done, and the view says which are left open. `order` are the names of all nodes that can be done, in that order.
    Raises TypeError unless `graph` is a dict, ValueError if it is empty, an entry is not a tuple, or an operand has no
    entry.
    """

    def __init__(self, graph: Mapping[str, Any]) -> None:
        if not isinstance(graph, Mapping):
            raise TypeError(f"OrderStepper needs a graph as data, a dict, not {type(graph).__name__}.")
        if not graph:
            raise ValueError("OrderStepper needs a graph with at least one node.")
        self.graph = dict(graph)
        self._operands = {name: data.operands(graph, name) for name in graph}
        self.order: list[str] = []
        while ready := self._ready(self.order):
            self.order.append(ready[0])
        super().__init__({STEP: 0.0}, 0, len(graph), 1)

    def _ready(self, done: list[str]) -> list[str]:
        return [name for name in self.graph if name not in done and set(self._operands[name]) <= set(done)]

    def _compute(self, inputs: dict[str, float]) -> Answer:
        steps = min(round(inputs[STEP]), len(self.order))
        done = self.order[:steps]
        ready = self._ready(done)
        still_open = [name for name in self.graph if name not in done and name not in ready]
        states = {"done": done, "ready": ready, "open": still_open}
        picture = from_data(self.graph, {name: state for state, names in states.items() for name in names}, None)
        message = ""
        if still_open and not ready:
            message = "Nothing is ready, so it ends here. Each open node waits for one that is open: there is a cycle."
        said = "; ".join(f"{state}: {listed(names, 12)}" for state, names in states.items() if names)
        return Answer(picture, said[0].upper() + said[1:], message)

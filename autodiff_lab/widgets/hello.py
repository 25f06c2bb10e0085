"""Unit 00's first view: one slider, one node, one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_lab.draw.numbers import shorten, show
from autodiff_lab.draw.picture import from_data

from .base import Answer, SliderView, fault, number_or_none


class HelloSlider(SliderView):
    """A slider for `x`, and the node that `f` makes of it. `f` takes a float and returns a number.

    If `f` raises or returns something else, the view says so and leaves the value blank.
    """

    def __init__(self, f: Callable[[float], Any], x: float = 2.0, low: float = -5, high: float = 5, step: float = 0.1):
        if not callable(f):
            raise TypeError(f"HelloSlider needs a function of one number, not {type(f).__name__}.")
        self._f = f
        name = getattr(f, "__name__", "f")
        self._name = name if name.isidentifier() else "f"
        super().__init__({"x": x}, low, high, step)

    def _compute(self, inputs: dict[str, float]) -> Answer:
        x = inputs["x"]
        call = f"{self._name}({show(x)})"
        y, message = None, ""
        try:
            returned = self._f(x)
        except (Exception, SystemExit) as error:
            message = fault(f"Your {self._name}()", error) + "."
        else:
            y = number_or_none(returned)
            if y is None:
                what = "nothing (None)" if returned is None else f"{shorten(repr(returned), 40)}"
                message = f"Your {self._name}() returned {what}; it must return a number."
        graph = {"x": ("input",), "y": (self._name, "x")}
        picture = from_data(graph, {"x": x, "y": y}, None)
        return Answer(picture, f"{call} is {show(y)}" if y is not None else f"{call} has no value yet", message)

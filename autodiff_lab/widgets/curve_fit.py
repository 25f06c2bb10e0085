"""Unit 00's first look: the finished machine bends a curve towards points, at a rate that a slider sets."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import traitlets

from autodiff_lab.draw import Drawing
from autodiff_lab.draw.numbers import show
from autodiff_lab.draw.plot import Plot

from .base import Answer, SliderView, fault

RATE = "learning rate"
_GRID = 101  # places at which the curve is drawn
_TOO_FAR = 1e6  # times the first error: the steps have become longer and longer


class CurveFit(SliderView):
    """A slider for the learning rate, and the curve that gradient descent makes of `curve` in so many `steps`.

    `curve(x, a, b, …)` is called with a tensor of all x and numbers that start at 0; it is written with the operations
    of tensors. `points` are (x, y) pairs. Each move of the slider starts again: the reference engine computes how the
    mean squared distance of the points (the error) changes with each number, and each number goes against that, times
    the learning rate.

    After construction, `numbers` (name -> float) are what was found, `errors` the error before each step and at the
    end. A curve that raises is not drawn, and the view says why.
    """

    what = traitlets.Unicode("Plot").tag(sync=True)

    def __init__(
        self,
        curve: Callable[..., Any],
        points: Sequence[tuple[float, float]],
        rate: float = 0.1,
        steps: int = 100,
        low: float = 0.0,
        high: float = 1.0,
        step: float = 0.01,
    ) -> None:
        if not callable(curve):
            raise TypeError(f"CurveFit needs a function curve(x, a, b, …), not {type(curve).__name__}.")
        if len(points) < 2:
            raise ValueError("CurveFit needs two points or more.")
        self._curve = curve
        self._points = tuple(sorted((float(x), float(y)) for x, y in points))
        self._names = list(inspect.signature(curve).parameters)[1:]
        self._steps = steps
        self.numbers: dict[str, float] = {}
        self.errors: list[float] = []
        super().__init__({RATE: rate}, low, high, step)

    def _compute(self, inputs: dict[str, float]) -> Answer:
        rate, message = inputs[RATE], ""
        xs = [x for x, _ in self._points]
        grid = [xs[0] + (xs[-1] - xs[0]) * place / (_GRID - 1) for place in range(_GRID)]
        before: list[float] = []
        after: list[float] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a number beyond all bounds is said in words
                self._descend(rate)
                before = self._heights(grid, [0.0] * len(self._names))
                after = self._heights(grid + xs, list(self.numbers.values()))
        except (Exception, SystemExit) as error:
            self.numbers, self.errors = {}, []
            message = fault(f"Your {getattr(self._curve, '__name__', 'curve')}()", error) + "."
        bursts = bool(self.errors) and not self.errors[-1] <= self.errors[0]
        if bursts:
            message = (
                "Each step is so long that it leaps over the best place and lands further away than it began. "
                "The error grows without end."
            )
            after = []
        result = (
            f"the error is {show(self.errors[-1])} after {self._steps} steps; it was {show(self.errors[0])}"
            if self.errors and not bursts
            else f"there is no curve at the learning rate {show(rate)}"
        )
        found = ", ".join(f"{name} = {show(number)}" for name, number in self.numbers.items())
        plot = Plot(
            points=self._points,
            curve=tuple(zip(grid, after, strict=False)),
            before=tuple(zip(grid, before, strict=False)),
            fitted=tuple(after[_GRID:]) if after else (None,) * len(xs),
            labels=("the points", "the curve at the start", f"after {self._steps} steps"),
            alt=f"Plot of {len(xs)} points and of a curve: at the learning rate {show(rate)}, {result}"
            + (f"; the curve's numbers are {found}." if after and found else "."),
        )
        return Answer(plot, result[0].upper() + result[1:], message)

    def _descend(self, rate: float) -> None:
        """Gradient descent from zeros; stops early where the error has left every bound."""
        import autodiff_lab as ad

        x, y = (ad.tensor([point[axis] for point in self._points], dtype=ad.float64) for axis in (0, 1))
        numbers = [ad.tensor(0.0, dtype=ad.float64, requires_grad=True) for _ in self._names]
        self.errors = []
        for left in range(self._steps, -1, -1):
            error = ((self._curve(x, *numbers) - y) ** 2).mean()
            self.errors.append(error.item())
            if not left or not self.errors[-1] <= _TOO_FAR * max(1.0, self.errors[0]):
                break
            error.backward()
            with ad.no_grad():
                for number in numbers:
                    if number.grad is not None:  # the curve may leave a number out
                        number -= rate * number.grad
                        number.grad = None
        self.numbers = {name: number.item() for name, number in zip(self._names, numbers, strict=True)}

    def _heights(self, xs: list[float], numbers: list[float]) -> list[float]:
        import autodiff_lab as ad

        with ad.no_grad():
            x = ad.tensor(xs, dtype=ad.float64)
            heights = self._curve(x, *numbers) + 0.0 * x  # one for each x, also of a curve that is flat
        return [height if math.isfinite(height) else math.nan for height in heights.tolist()]

    def _recompute(self, change: Any) -> None:
        super()._recompute(change)
        self.svg = self._svg(self._answer.picture)

    def _svg(self, picture: Any) -> str:
        return picture.svg(live=True)

    def _table(self, picture: Any) -> str:
        return picture.html_table()

    def _texts(self, answer: Answer) -> dict[str, Any]:
        plot = answer.picture
        return {
            "numbers": {"value": [at for _, _, at in plot.rows()]},
            "message": answer.message,
            "sentence": answer.result,
            "alt": plot.alt,
        }

    def drawing(self) -> Drawing:
        return self._answer.picture.drawing()

"""A plot: points, a curve and the curve it was before, over axes, as one SVG string, with its numbers as a table.

Not a picture of a computational graph. Colours and fonts are those of `picture.css`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from . import Drawing
from .numbers import show
from .svg import _n, _text, style
from .text import html_of

Point = tuple[float, float]

WIDTH, HEIGHT = 560.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 12.0, 30.0, 26.0
_HEAD = ("x", "point", "curve")
_STEPS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Plot:
    """`points` are circles, `curve` is a line and `before` a dashed one: (x, y) pairs, in the order of x.

    The axes hold the points and a quarter more; of a line, what lies outside is not drawn. `fitted` are the heights of
    the curve at the points, for the table (None: there are none). `labels` name points, before and curve; `alt` says
    the whole in a sentence.
    """

    points: tuple[Point, ...]
    curve: tuple[Point, ...]
    before: tuple[Point, ...]
    fitted: tuple[float | None, ...]
    labels: tuple[str, str, str]
    alt: str

    def svg(self, live: bool = False) -> str:
        """The picture; `live`: without colours of its own, for a page that has them."""
        low, high = _room([y for _, y in self.points])
        first, last = _room([x for x, _ in self.points], 0.05)
        wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

        def place(x: float, y: float) -> Point:
            return LEFT + (x - first) / (last - first) * wide, TOP + (high - y) / (high - low) * tall

        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="adl-graph" role="img" '
            f'aria-label="{escape(self.alt, quote=True)}" viewBox="0 0 {_n(WIDTH)} {_n(HEIGHT)}" '
            f'width="{_n(WIDTH)}" height="{_n(HEIGHT)}">',
            "" if live else f"<style>{style()}</style>",
            f'<rect class="adl-fill" width="{_n(WIDTH)}" height="{_n(HEIGHT)}" rx="6"/>',
        ]
        for y in _ticks(low, high):
            _, down = place(first, y)
            parts.append(f'<path class="adl-grid" d="M{_n(LEFT)} {_n(down)}h{_n(wide)}"/>')
            parts.append(_text("adl-label", LEFT - 6, down + 4, show(y), "end"))
        for x in _ticks(first, last):
            across, _ = place(x, low)
            parts.append(f'<path class="adl-grid" d="M{_n(across)} {_n(TOP)}v{_n(tall)}"/>')
            parts.append(_text("adl-label", across, HEIGHT - 8, show(x), "middle"))
        for kind, line in (("adl-before", self.before), ("adl-curve", self.curve)):
            for run in _inside(line, low, high):
                path = "L".join(f"{_n(across)} {_n(down)}" for across, down in (place(*point) for point in run))
                parts.append(f'<path class="{kind}" d="M{path}"/>')
        for across, down in (place(*point) for point in self.points):
            parts.append(f'<circle class="adl-point" cx="{_n(across)}" cy="{_n(down)}" r="4.5"/>')
        return "".join([*parts, *self._legend(), "</svg>"])

    def _legend(self) -> Iterator[str]:
        points, before, curve = self.labels
        yield f'<circle class="adl-point" cx="{_n(LEFT + 8)}" cy="15" r="4.5"/>'
        yield _text("adl-label", LEFT + 20, 19, points, "start")
        for place, kind, words in ((LEFT + 150, "adl-before", before), (LEFT + 340, "adl-curve", curve)):
            yield f'<path class="{kind}" d="M{_n(place)} 15h28"/>'
            yield _text("adl-label", place + 36, 19, words, "start")

    def rows(self) -> list[tuple[str, str, str]]:
        """x, y and the curve's height of every point, as strings."""
        return [(show(x), show(y), show(at)) for (x, y), at in zip(self.points, self.fitted, strict=True)]

    def html_table(self) -> str:
        """The rows in HTML; cells of the curve carry `data-node` and `data-role`, for a view to keep them current."""
        return html_of(_HEAD, self.rows(), {"curve": "value"})

    def drawing(self) -> PlotDrawing:
        """The finished picture, to be shown as the last line of a cell."""
        rows = [_HEAD, *self.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = "\n".join("  ".join(map(str.rjust, row, widths)).rstrip() for row in rows)
        return PlotDrawing(self, self.svg(), f"{self.alt}\n\n{table}", self.alt)


class PlotDrawing(Drawing):
    """A `Drawing` of a `Plot`."""

    __slots__ = ()
    caption = "The plot as a table"

    def table(self) -> str:
        return self.picture.html_table()


def _room(values: Sequence[float], more: float = 0.25) -> tuple[float, float]:
    """The least and the greatest of some values, with a part of what lies between added at both ends."""
    low, high = min(values), max(values)
    extra = more * (high - low) or 1.0
    return low - extra, high + extra


def _ticks(low: float, high: float) -> list[float]:
    """Three to seven round numbers within the limits."""
    size = 10.0 ** math.floor(math.log10((high - low) / 3))
    step = max(part * size for part in _STEPS if part * size <= (high - low) / 3)
    return [place * step for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _inside(line: Sequence[Point], low: float, high: float) -> Iterator[list[Point]]:
    """The runs of a line that lie within two heights, cut where it crosses them."""
    run: list[Point] = []
    for (x0, y0), (x1, y1) in pairwise(line):
        if not (math.isfinite(y0) and math.isfinite(y1)):
            continue
        start, end = 0.0, 1.0  # the part of this piece that is inside
        for limit, side in ((low, 1.0), (high, -1.0)):
            before, after = side * (y0 - limit), side * (y1 - limit)
            if before < 0 and after < 0:
                start, end = 1.0, 0.0
            elif before < 0:
                start = max(start, before / (before - after))
            elif after < 0:
                end = min(end, before / (before - after))
        if start >= end:
            continue
        if start > 0.0 and run:
            yield run
            run = []
        run = run or [(x0 + start * (x1 - x0), y0 + start * (y1 - y0))]
        run.append((x0 + end * (x1 - x0), y0 + end * (y1 - y0)))
        if end < 1.0:
            yield run
            run = []
    if run:
        yield run

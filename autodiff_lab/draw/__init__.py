"""Pictures of computational graphs: `draw(node)` and `draw(graph, values, adjoints)`, a layered layout, one SVG
string and its text alternative.

Standard library only, so that it runs wherever `Scalar` runs. The package itself can be called: `from autodiff_lab
import draw; draw(f)`.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from types import ModuleType
from typing import Any, ClassVar

from . import svg as _svg
from . import text as _text
from .data import adjoints as _adjoints
from .data import evaluate
from .picture import Picture, from_data, from_program, from_scalar

__all__ = ["Drawing", "draw", "evaluate"]


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """A finished picture. Show it as the last line of a cell, or use its parts.

    `svg` is the picture as a string, `text` its alternative in plain text (a sentence and a table), `alt` the sentence
    alone.
    """

    picture: Any
    svg: str
    text: str
    alt: str
    caption: ClassVar[str] = "The graph as a table"

    def __repr__(self) -> str:
        return self.text

    def image(self) -> str:
        """An `<img>` with the SVG inside, for any HTML page; it needs no script and no other file.

        A page that is too narrow shrinks it to three quarters at most, so that the numbers stay readable.
        """
        data = base64.b64encode(self.svg.encode()).decode("ascii")
        least = round(0.75 * _svg.width(self.svg))
        alt = escape(self.alt, quote=True)
        return f'<img alt="{alt}" style="min-width: {least}px" src="data:image/svg+xml;base64,{data}">'

    def table(self) -> str:
        """The text alternative as an HTML table."""
        return _text.html_table(self.picture)

    def _repr_html_(self) -> str:
        scrolling = '<div style="overflow-x: auto">' + self.image() + "</div>"
        return f"{scrolling}\n<details><summary>{self.caption}</summary>\n{self.table()}\n</details>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self._repr_html_()}


def draw(node: Any, /, values: Any = None, adjoints: Any = None, *, slopes: Any = None, **names: Any) -> Drawing:
    """Draw the graph that leads to `node`, a program, or a graph as data.

    `draw(f, x=x, y=y)`: `f` is a `Scalar` or a tensor; the keywords give names to nodes (unnamed ones are called
    v1, v2, …). With `adjoints=True` each box also shows the node's adjoint; the graph and every `.grad` stay as they
    are.

    `draw(program)`: the instructions of a static graph, without values.

    `draw(graph, values, adjoints)`: `graph` is a dict as in unit 01, `{"x": ("input",), "f": ("*", "x", "x")}`;
    `values` and `adjoints` are dicts from node name to number. A node that is missing in them is drawn with a blank.
    With `slopes` in place of `adjoints`, the same numbers are called slopes.
    Without `values` only the structure is drawn. A cycle, or a name that is not in the graph, is drawn as what it is.

    A graph of more than 200 nodes is folded: the part nearest to the root is drawn, one box stands for the rest.

    Raises TypeError for anything else, ValueError for an entry of the dict that is not a tuple, or a name that is not
    in `node`'s graph.
    """
    if isinstance(node, Mapping):
        if names:
            raise TypeError(
                f"draw: a graph as data has its names already; leave out {', '.join(f'`{name}`' for name in names)}."
            )
        if adjoints is True:
            adjoints = _adjoints(node, values or {})
        picture = from_data(node, values, slopes or (None if adjoints is False else adjoints))
        if slopes:
            picture = replace(picture, second="slope")
    elif hasattr(node, "operands") and hasattr(node, "op"):
        for name, extra in (
            ("slopes", slopes),
            ("values", values),
            ("adjoints", None if isinstance(adjoints, bool) else adjoints),
        ):
            if extra is not None:
                names[name] = extra  # a node that happens to have that name
        picture = from_scalar(node, adjoints is True, names)
    elif hasattr(node, "instructions"):
        picture = from_program(node)
    else:
        raise TypeError(
            f"draw: cannot draw {type(node).__name__}. Give a Scalar (the result of a computation) or a dict such as "
            "{'x': ('input',), 'f': ('*', 'x', 'x')}."
        )
    return drawing(picture)


def drawing(picture: Picture) -> Drawing:
    """The `Drawing` of a finished `Picture`."""
    return Drawing(picture, _svg.render(picture), _text.plain(picture), _text.sentence(picture))


class _Callable(ModuleType):
    """`autodiff_lab.draw` is a package and, for a student, a function: `from autodiff_lab import draw` gets something
    to call.
    """

    def __call__(self, node: Any, /, values: Any = None, adjoints: Any = None, **names: Any) -> Drawing:
        return draw(node, values, adjoints, **names)


sys.modules[__name__].__class__ = _Callable

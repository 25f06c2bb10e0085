"""A placed picture as one SVG string: self-coloured for an `<img>`, or bare with classes for a view whose page
colours it.

An `<img>` cannot read the theme of the page around it. So every word stands on its own box with its own fill, the
background is transparent, and edges have a mid grey that shows on white (3.6:1) and on near-black (5:1). What a box is
shows in its shape as well as in its colour: inputs are rounded at the left, constants are dashed and square, operations
have a band with their sign, the root has a second outline and a tab.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files

from .layout import GAP_X, Layout, lay_out
from .numbers import shorten, show
from .picture import Box, Picture
from .text import sentence, what

HEAD = 24.0  # heights of the rows of a box
ROW = 20.0
TAB = 15.0  # the tab "root", above its box
_LONGEST_NAME = 14
_LIVE_NUMBER = 10  # characters: "−1.235e+05", what a value may grow to in a view


def render(picture: Picture, live: bool = False) -> str:
    """The SVG of `picture`. `live`: room for longer numbers, no colours of its own, and `data-node`/`data-role` on what
    may change.
    """
    placed = lay_out(sizes(picture, live), picture.edges)
    alt = escape(sentence(picture), quote=True)
    # In a view the page may shrink it to three quarters at most, so that the numbers stay readable.
    least = f' style="min-width: {round(0.75 * placed.width)}px"' if live else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="adl-graph" role="img" aria-label="{alt}"{least} '
        f'viewBox="0 0 {_n(placed.width)} {_n(placed.height)}" width="{_n(placed.width)}" height="{_n(placed.height)}">'
    ]
    if not live:
        parts.append(f"<style>{style()}</style>")
    edges, dots = _edges(picture, placed)
    parts += edges
    for index, box in enumerate(picture.boxes):
        parts.append(_box(index, box, picture, placed, live))
    return "".join([*parts, *dots, "</svg>"])


def width(svg: str) -> float:
    """The natural width of a rendered picture, in pixels."""
    return float(svg.split(' width="', 1)[1].split('"', 1)[0])


@cache
def style() -> str:
    """Colours and fonts of the picture, as CSS with a variable and a fallback for each colour."""
    text = (files("autodiff_lab.draw") / "picture.css").read_text(encoding="utf-8")
    return " ".join(line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("/*"))


def sizes(picture: Picture, live: bool = False) -> list[tuple[float, float]]:
    """(width, height) of every box: one width for all, wide enough for the longest row (in a view, for whatever number
    may come).
    """
    longest = _LIVE_NUMBER if live else 5
    widest = 84.0
    for box in picture.boxes:
        shown = [show(box.value) if picture.has_values else "", show(box.adjoint) if picture.has_adjoints else ""]
        longest = max(longest, *map(len, shown))
        left, right = _title(box, picture)
        per_letter = 10.4 if box.kind == "operation" else 6.6
        widest = max(widest, 22 + 8.9 * len(left) + (12 + per_letter * len(right) if right else 0))
    if picture.has_values or picture.has_adjoints:
        label = 48.0 if picture.has_adjoints else 36.0
        widest = max(widest, 20 + label + 8.0 * longest)
    rows = picture.has_values + picture.has_adjoints
    return [(round(widest), HEAD if box.kind in ("folded", "freed") else HEAD + ROW * rows) for box in picture.boxes]


def _title(box: Box, picture: Picture) -> tuple[str, str]:
    """The words of the head row: left the name, right the sign of the operation or what else it is."""
    name = shorten(box.name, _LONGEST_NAME)
    if box.kind == "operation":
        return name, shorten(box.symbol, _LONGEST_NAME)
    if box.kind == "constant":
        if not picture.has_values:
            return (f"{name} = {show(box.value)}" if name else show(box.value)), ""
        return name or "constant", "const" if name else ""
    if box.kind == "input":
        return name, "input"
    return name, "missing" if box.kind == "unknown" else ""


def _box(index: int, box: Box, picture: Picture, placed: Layout, live: bool) -> str:
    left, top, width, height = placed.boxes[index]

    def role(name: str) -> str:
        return f'data-node="{index}" data-role="{name}"' if live else ""

    parts = [f'<g class="adl-node adl-{box.kind}{" adl-root" if box.root else ""}">']
    if live:
        parts.append(f"<title>{escape(f'{picture.label(box)}: {what(box)}')}</title>")
    if box.root:
        parts.append(f'<path class="adl-tab" d="{_rounded(left + width - 46, top - TAB, 40, TAB, 5, 5, 0, 0)}"/>')
        parts.append(_text("adl-tab-text", left + width - 26, top - 4.5, "root", "middle"))
    rows = picture.has_values + picture.has_adjoints if box.kind not in ("folded", "freed") else 0
    round_left = {"input": 16.0 if rows else HEAD / 2, "constant": 0.0}.get(box.kind, 6.0)
    round_right = min(round_left, 6.0)
    if box.root:
        ring = _rounded(
            left - 3.5,
            top - 3.5,
            width + 7,
            height + 7,
            *(_corner(r) for r in (round_left, round_right, round_right, round_left)),
        )
        parts.append(f'<path class="adl-ring" d="{ring}"/>')
    outline = _rounded(left, top, width, height, round_left, round_right, round_right, round_left)
    parts.append(f'<path class="adl-fill" d="{outline}"/>')
    below_left, below_right = (0.0, 0.0) if rows else (round_left, round_right)
    head = _rounded(left, top, width, HEAD, round_left, round_right, below_right, below_left)
    parts.append(f'<path class="adl-head" d="{head}"/>')
    if rows and picture.has_adjoints:
        strip = _rounded(left, top + height - ROW, width, ROW, 0.0, 0.0, round_right, round_left)
        parts.append(f'<path class="adl-strip" d="{strip}"/>')
    parts.append(f'<path class="adl-line" d="{outline}"/>')
    name, aside = _title(box, picture)
    if aside:
        parts.append(_text("adl-name", left + 11, top + 16.5, name))
        kind = "adl-aside" if box.kind != "operation" else "adl-name" if len(aside) > 2 else "adl-sign"
        parts.append(_text(kind, left + width - 10, top + 16.5, aside, "end"))
    else:
        parts.append(_text("adl-name", left + width / 2, top + 16.5, name, "middle"))
    base = top + HEAD + 14.5
    if rows and picture.has_values:
        parts.append(_text("adl-label", left + 11, base, "value"))
        parts.append(
            _text(
                "adl-number",
                left + width - 10,
                base,
                show(box.value),
                "end",
                role("value"),
            )
        )
        base += ROW
    if rows and picture.has_adjoints:
        parts.append(_text("adl-label adl-on-strip", left + 11, base, picture.second))
        parts.append(
            _text("adl-number adl-on-strip", left + width - 10, base, show(box.adjoint), "end", role("adjoint"))
        )
    parts.append("</g>")
    return "".join(parts)


def _edges(picture: Picture, placed: Layout) -> tuple[list[str], list[str]]:
    """The edges, below the boxes, and the dots of shared nodes, above them."""
    parts = []
    uses = [len(users) for users in picture.users()]
    shared: dict[int, tuple[float, float]] = {}
    for index, (source, _target) in enumerate(picture.edges):
        points = placed.routes[index]
        backward = index in placed.backward
        parts.append(f'<path class="adl-edge{" adl-backward" if backward else ""}" d="{_path(points, backward)}"/>')
        x, y = points[-1]
        parts.append(
            f'<path class="adl-arrow{" adl-backward-arrow" if backward else ""}" d="M{_n(x)} {_n(y)}l-8 -4v8z"/>'
        )
        if uses[source] > 1:
            shared[source] = points[0]
    dots = [f'<circle class="adl-fan-out" cx="{_n(x)}" cy="{_n(y)}" r="4.5"/>' for x, y in shared.values()]
    return parts, dots


def _path(points: tuple[tuple[float, float], ...], backward: bool) -> str:
    if backward:  # out to the right, up, over the top, and down again: corners, so that it looks like no other edge
        (x0, y0), (x1, y1), (x2, _), (x3, y3) = points
        return f"M{_n(x0)} {_n(y0)}H{_n(x1)}V{_n(y1)}H{_n(x2)}V{_n(y3)}H{_n(x3 - 7)}"
    x, y = points[0]
    path = [f"M{_n(x)} {_n(y)}"]
    for place, (to_x, to_y) in enumerate(points[1:]):
        last = place == len(points) - 2
        if place % 2:
            path.append(f"H{_n(to_x)}")  # past a layer
        else:
            end = to_x - 7 if last else to_x  # the arrow head covers the end
            bend = (end - x) / 2 if end - x < 2 * GAP_X else GAP_X
            path.append(f"C{_n(x + bend)} {_n(y)} {_n(end - bend)} {_n(to_y)} {_n(end)} {_n(to_y)}")
        x, y = to_x, to_y
    return "".join(path)


def _rounded(x: float, y: float, w: float, h: float, a: float, b: float, c: float, d: float) -> str:
    """A rectangle with its own radius at each corner, clockwise from the top left."""
    path = [f"M{_n(x + a)} {_n(y)}H{_n(x + w - b)}"]
    path.append(f"q{_n(b)} 0 {_n(b)} {_n(b)}" if b else "")
    path.append(f"V{_n(y + h - c)}")
    path.append(f"q0 {_n(c)} {_n(-c)} {_n(c)}" if c else "")
    path.append(f"H{_n(x + d)}")
    path.append(f"q{_n(-d)} 0 {_n(-d)} {_n(-d)}" if d else "")
    path.append(f"V{_n(y + a)}")
    path.append(f"q0 {_n(-a)} {_n(a)} {_n(-a)}" if a else "")
    return "".join(path) + "z"


def _corner(radius: float) -> float:
    return radius + 3.5 if radius else 0.0


def _text(kind: str, x: float, y: float, words: str, anchor: str = "", mark: str = "") -> str:
    place = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}"{place}{" " + mark if mark else ""}>{escape(words)}</text>'


def _n(value: float) -> str:
    """A coordinate with at most one decimal."""
    return (
        f"{value:.1f}".removesuffix(".0").replace("-0", "0") if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")
    )

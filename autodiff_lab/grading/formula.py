"""Formulas as pictures in the page itself: no script, no font and no network is needed to read them.

Draws what matplotlib's mathtext knows of TeX, which is what the units use; anything else stays as the TeX it is.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

LONGEST = 400
"""Characters of TeX that are drawn. A formula of a student may be of any length, and laying one out takes time."""

_UNITS = 1000  # of the picture per em
_VERTICES = {1: ("M", 1), 2: ("L", 1), 3: ("Q", 2), 4: ("C", 3), 79: ("Z", 1)}  # matplotlib's codes, SVG's letters


@lru_cache(maxsize=4096)
def formula(tex: str, display: bool = False) -> str:
    """`tex` (without dollars) as inline SVG in the colour of the text around it; as code where it cannot be drawn."""
    drawn = _draw(tex.replace(r"\frac", r"\dfrac") if display else tex)
    if drawn is None:
        return f"<code>{escape(tex.strip())}</code>"
    return f'<span style="display:block;text-align:center;margin:.6em 0">{drawn}</span>' if display else drawn


def _draw(tex: str) -> str | None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    tex = " ".join(tex.split())
    if not tex or len(tex) > LONGEST or "$" in tex or max(_depths(tex)) > 12:
        return None
    font = FontProperties(size=_UNITS, math_fontfamily="stix")
    try:
        width, _, below = text_to_path.get_text_width_height_descent(f"${tex}$", font, ismath=True)
        vertices, codes = text_to_path.get_text_path(font, f"${tex}$", ismath=True)
    except Exception:  # of mathtext, for a text that a student made up: whatever it is, the TeX is shown
        return None
    # The width and depth are in the font's size, the path in mathtext's own, which is fixed.
    scale = _UNITS / text_to_path.FONT_SCALE
    points = [(round(x * scale), round(-y * scale)) for x, y in vertices]
    path, place = [], 0
    while place < len(points):
        letter, count = _VERTICES[int(codes[place])]
        path.append(letter + ("" if letter == "Z" else " ".join(f"{x},{y}" for x, y in points[place : place + count])))
        place += count
    top = max([0, *(-y for _, y in points)])
    below = max([round(below), 0, *(y for _, y in points)])
    size = f"width:{width / _UNITS:.3f}em;height:{(top + below) / _UNITS:.3f}em;vertical-align:{-below / _UNITS:.3f}em"
    return (
        f'<svg class="formula" role="img" aria-label="{escape(tex)}" style="{size}" fill="currentColor" '
        f'viewBox="0 {-top} {round(width)} {top + below}"><path d="{"".join(path)}"/></svg>'
    )


def _depths(tex: str) -> list[int]:
    depth, depths = 0, [0]
    for character in tex:
        depth += (character == "{") - (character == "}")
        depths.append(depth)
    return depths

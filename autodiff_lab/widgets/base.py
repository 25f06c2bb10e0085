"""What every view with sliders shares: the traits that travel to the page, the static twin, and the plain-ipywidgets
fallback.

A view says how its numbers are computed (`_compute`); everything else is here. The page never computes: it sends
`inputs` and writes the texts of `shown` into the picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

import traitlets

from autodiff_lab.draw import Drawing, drawing
from autodiff_lab.draw.numbers import show
from autodiff_lab.draw.svg import render, style
from autodiff_lab.draw.text import html_table, sentence

try:
    from anywidget import AnyWidget as _Base
except ImportError:  # the fallback of plain ipywidgets still works
    _Base = traitlets.HasTraits

_STATIC = files("autodiff_lab.widgets") / "static"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a view shows for one setting of its sliders: the picture with its numbers (a `Picture`, or what the view's
    own `_svg`, `_table`, `_texts` and `drawing` take), the result in words, a line of explanation.
    """

    picture: Any
    result: str
    message: str = ""


class SliderView(_Base):
    """Base of the views. Traits for Python: `inputs` (name -> float; setting it recomputes). The others are for the
    page.
    """

    inputs = traitlets.Dict().tag(sync=True)
    controls = traitlets.List().tag(sync=True)
    svg = traitlets.Unicode().tag(sync=True)
    table = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    what = traitlets.Unicode("Graph").tag(sync=True)

    _esm = (_STATIC / "view.js").read_text(encoding="utf-8")
    _css = style() + "\n" + (_STATIC / "view.css").read_text(encoding="utf-8")

    def __init__(self, starts: Mapping[str, float], low: float, high: float, step: float) -> None:
        self._starts = {name: float(value) for name, value in starts.items()}
        _check_limits(low, high, step)
        answer = self._compute(dict(self._starts))
        super().__init__(
            inputs=dict(self._starts),
            controls=[
                {"name": name, "start": value, "low": min(low, value), "high": max(high, value), "step": step}
                for name, value in self._starts.items()
            ],
            svg=self._svg(answer.picture),
            table=self._table(answer.picture),
            shown=self._texts(answer),
        )
        self._answer = answer
        self.observe(self._recompute, "inputs")

    def _compute(self, inputs: dict[str, float]) -> Answer:
        """The numbers for `inputs`. Must not raise: a slider has nobody to show a traceback to."""
        raise NotImplementedError

    @traitlets.validate("inputs")
    def _valid_inputs(self, proposal: Any) -> dict[str, float]:
        given = proposal["value"]
        unknown = [name for name in given if name not in self._starts]
        if unknown:
            known = ", ".join(self._starts) or "none"
            raise traitlets.TraitError(f"there is no input {unknown[0]!r}; the inputs are: {known}.")
        merged = {**self._starts, **(self.inputs or {}), **given}
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise traitlets.TraitError(f"input {name!r} must be a finite number, not {value!r}.")
        return {name: float(value) for name, value in merged.items()}

    def _recompute(self, change: Any) -> None:
        self._answer = self._compute(dict(change["new"]))
        self.shown = self._texts(self._answer)

    def _svg(self, picture: Any) -> str:
        return render(picture, live=True)

    def _table(self, picture: Any) -> str:
        return html_table(picture)

    def _texts(self, answer: Answer) -> dict[str, Any]:
        """What the page writes into the picture and around it: texts per box, in order, and sentences."""
        boxes = answer.picture.boxes
        return {
            "numbers": {"value": [show(box.value) for box in boxes], "adjoint": [show(box.adjoint) for box in boxes]},
            "message": answer.message,
            "sentence": answer.result,
            "alt": sentence(answer.picture),
        }

    def drawing(self) -> Drawing:
        """The static twin: the picture and its text with the numbers of this moment."""
        return drawing(self._answer.picture)

    def plain(self) -> Any:
        """The same view out of plain ipywidgets, for a front end that cannot load this one's script."""
        import ipywidgets

        sliders = []
        for control in self.controls:
            slider = ipywidgets.FloatSlider(
                value=self.inputs[control["name"]],
                min=control["low"],
                max=control["high"],
                step=control["step"],
                description=control["name"],
            )
            slider.observe(self._on_slider(control["name"]), "value")
            sliders.append(slider)
        body = ipywidgets.HTML(self._twin())

        def refresh(_: Any) -> None:
            body.value = self._twin()
            for control, slider in zip(self.controls, sliders, strict=True):
                slider.value = self.inputs[control["name"]]

        self.observe(refresh, "shown")
        return ipywidgets.VBox([*sliders, body])

    def _on_slider(self, name: str) -> Callable[[Any], None]:
        def moved(change: Any) -> None:
            self.inputs = {**self.inputs, name: change["new"]}

        return moved

    def _twin(self) -> str:
        lines = [self._answer.message, self._answer.result]
        return "".join(f"<p>{escape(line)}</p>" for line in lines if line) + self.drawing()._repr_html_()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget for a live page; the twin as HTML and text for exports, feedback pages, untrusted notebooks."""
        live = super()._repr_mimebundle_(**kwargs) if _Base is not traitlets.HasTraits else _plain_bundle(self)
        data, metadata = live if isinstance(live, tuple) else (live or {}, {})
        return {**data, "text/plain": self.drawing().text, "text/html": self._twin()}, metadata

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value:g}" for name, value in self.inputs.items())
        return f"{type(self).__name__}({inside})"


def _plain_bundle(view: SliderView) -> Any:
    try:
        return view.plain()._repr_mimebundle_()
    except ImportError:
        return {}


def _check_limits(low: float, high: float, step: float) -> None:
    for name, value in (("low", low), ("high", high), ("step", step)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise TypeError(f"{name} must be a finite number, not {value!r}.")
    if not low < high:
        raise ValueError(f"low ({low:g}) must be less than high ({high:g}).")
    if step <= 0:
        raise ValueError(f"step ({step:g}) must be greater than 0.")


def number_or_none(value: Any) -> float | None:
    """`value` as a float, if it is a real number of any kind (NumPy's and the engine's too); else `None`."""
    if isinstance(value, (bool, str, bytes)):
        return None
    try:
        return float(value)
    except Exception:
        return None


def fault(who: str, error: BaseException) -> str:
    """What went wrong in a student's function, in one line."""
    if isinstance(error, NotImplementedError):
        return f"{who} is not written yet"
    said = " ".join(str(error).split())
    said = said if len(said) <= 160 else said[:159] + "…"
    return f"{who} raised {type(error).__name__}" + (f": {said}" if said else "")


def listed(names: Sequence[str], longest: int = 5) -> str:
    """ "a, b, c" with a count instead of the rest of a long list."""
    head = ", ".join(names[:longest])
    return head if len(names) <= longest else f"{head} and {len(names) - longest} more"

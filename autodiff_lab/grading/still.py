"""Makes pages out of submissions in which nothing runs: what a student wrote or printed, cleaned, as HTML.

Used by the feedback pages and, through nbgrader_config.py, by nbgrader's formgrader.
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import nbformat
import nbgrader
import nh3
from jinja2 import BytecodeCache, pass_context
from jinja2.bccache import Bucket
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import DataTypeFilter, Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from pygments.token import STANDARD_TYPES
from traitlets import default

from autodiff_lab.grading.course import NOTES
from autodiff_lab.grading.formula import formula

TEMPLATES = [
    str(Path(__file__).parent / "templates"),
    str(Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"),
]
"""Ours extend nbgrader's own templates, so nbconvert needs both folders."""

_SHOWN = ("text/html", "text/markdown", "text/plain", "image/png", "image/jpeg", "image/svg+xml")
_TAGS = nh3.ALLOWED_TAGS | {"section", "header", "footer"}
_ATTRIBUTES = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
_ATTRIBUTES["details"] = {"open"}
_ATTRIBUTES["*"] = {"class", "id", "title", "style", "role", "aria-label", "aria-hidden", "lang"}
# Of style, what can neither load anything nor lie over something else.
_STYLE = {
    *("color", "background-color", "font-family", "font-size", "font-style", "font-weight", "line-height"),
    *("text-align", "text-decoration", "white-space", "width", "min-width", "max-width", "overflow-x"),
    *("border", "border-collapse", "border-bottom", "border-top", "padding", "display", "vertical-align"),
}
# Of classes, what colours code and frames remarks: a page's own classes, buttons and bars for instance, are its own.
_CLASSES = {"alert", "alert-info", "alert-success", "alert-warning", "alert-danger", "dataframe", "highlight"}
_CLASSES |= {name for name in STANDARD_TYPES.values() if name}


MARKDOWN_LIMIT = 100_000
"""Characters of Markdown in one cell that are laid out; what is longer is shown as it was written."""
ENVIRONMENTS = 40
"""nbconvert looks for the end of each TeX environment to the end of the text: many without one take time squared."""
TAGS, DEEPEST = 20_000, 100
"""nh3 (html5ever) looks through all open elements at each tag, so that deep ones take time squared as well."""
FORMULAS = 200
"""Formulas of a cell that are drawn."""
_VOID = {*("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")}


def plain(text: str, limit: int = MARKDOWN_LIMIT) -> str:
    """A text as it was written, as HTML, with a word about why."""
    return f'<p class="soft">Too much to lay out; shown as it was written.</p><pre>{escape(cut(text, limit))}</pre>'


def cut(text: str, limit: int) -> str:
    """The whole lines of a text within `limit` characters."""
    if len(text) <= limit:
        return text
    return f"{text[:limit].rpartition(chr(10))[0]}\n[cut: {len(text):,} characters]"


def _is_too_much(html: str) -> bool:
    """Whether cleaning it could take long: too many tags, or too deep as far as can be told without parsing it."""
    opened: Counter[str] = Counter()
    depth = 0
    for count, found in enumerate(re.finditer(r"<(/?)([a-zA-Z][^\s/>]{0,20})", html)):
        closes, name = found[1], found[2].lower()
        if not closes and name not in _VOID:
            opened[name] += 1
            depth += 1
        elif closes and opened[name]:
            opened[name] -= 1
            depth -= 1
        if depth > DEEPEST or count > TAGS:
            return True
    return False


def clean_html(html: str) -> str:
    """`html` without anything that runs, loads, or reaches out of its place; pictures in data: URLs stay."""
    if _is_too_much(html):
        return plain(html)
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto", "data"},
        attribute_filter=_allowed,
        filter_style_properties=_STYLE,
    )


def _allowed(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "class":
        return " ".join(name for name in value.split() if name in _CLASSES) or None
    if attribute == "id":  # one that no script and no anchor of the page itself uses
        return f"text-{value}"
    if attribute == "src":
        return value if value.strip().lower().startswith("data:image/") else None
    if attribute == "cite":
        return None
    if attribute == "href":
        if value.startswith("#"):
            return f"#text-{value[1:]}"
        # Not to a file that was handed in: formgrader would serve it as a page of its own.
        return value if re.match(r"(https?://[^/\\]|mailto:)", value.strip(), re.I) else None
    return value


class _Renderer(IPythonRenderer):
    """Markdown to HTML, with a mark in place of each formula; a missing attachment is no reason to stop."""

    def __init__(self, attachments: dict[str, Any]) -> None:
        super().__init__(escape=False, attachments=attachments, exclude_anchor_links=True)
        self.mark = secrets.token_hex(8)
        self.formulas: list[str] = []

    def _keep(self, tex: str, display: bool) -> str:
        drawn = formula(tex, display) if len(self.formulas) < FORMULAS else f"<code>{escape(tex)}</code>"
        self.formulas.append(drawn)
        return f"{self.mark}-{len(self.formulas) - 1}-"

    def inline_math(self, body: str) -> str:
        return self._keep(body, display=False)

    def block_math(self, body: str) -> str:
        return self._keep(body, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        return self._keep(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def _embed_image_or_attachment(self, src: str) -> str:
        try:
            return super()._embed_image_or_attachment(src)
        except Exception:
            return ""


def clean_markdown(source: str, attachments: dict[str, Any] | None = None) -> str:
    """Markdown to HTML that cannot run, with formulas drawn."""
    if len(source) > MARKDOWN_LIMIT or source.count("\\begin") > ENVIRONMENTS:
        return plain(source)
    renderer = _Renderer(attachments or {})
    html = clean_html(MarkdownWithMath(renderer=renderer).render(source))
    return re.sub(f"{renderer.mark}-(\\d+)-", lambda found: renderer.formulas[int(found[1])], html)


@pass_context
def markdown_filter(context: Any, source: str) -> str:
    """`clean_markdown` as a filter of nbconvert's templates, in place of its own `markdown2html`."""
    cell = context.get("cell", {})
    return clean_markdown(source, cell.get("attachments"))


class OnlyStill(NbGraderPreprocessor):
    """Leave nothing in a notebook that could run in the reader's browser: not in outputs, not in metadata."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Clean `nb` in place."""
        nb.metadata = nbformat.from_dict({"language_info": {"name": "python"}})
        for cell in nb.cells:
            kept = {key: cell.metadata[key] for key in ("nbgrader", NOTES) if key in cell.metadata}
            cell.metadata = nbformat.from_dict(kept)
            for output in cell.get("outputs", []):
                _still(output)
        return nb, resources


def _still(output: NotebookNode) -> None:
    if "data" not in output:
        return
    output["metadata"] = nbformat.from_dict({})
    data = {kind: _text(value) for kind, value in output.data.items() if kind in _SHOWN}
    for kind in ("image/png", "image/jpeg"):
        if kind in data and not _is_base64(data[kind]):
            del data[kind]
    if "image/svg+xml" in data:  # as a picture, an SVG runs nothing
        encoded = base64.b64encode(data.pop("image/svg+xml").encode()).decode()
        data.setdefault("text/html", f'<img alt="picture" src="data:image/svg+xml;base64,{encoded}">')
    if "text/html" in data:
        data["text/html"] = clean_html(data["text/html"])
    output["data"] = nbformat.from_dict(data or {"text/plain": ""})


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode("".join(text.split()), validate=True))
    except (binascii.Error, ValueError):
        return False


class _Compiled(BytecodeCache):
    """Templates that this process has compiled before: nbconvert would compile them for every page."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


class StillHTMLExporter(HTMLExporter):
    """nbconvert's HTML exporter with our Markdown; the notebook has been through `OnlyStill`."""

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **options: Any) -> tuple[str, Any]:
        """The page, and resources as nbconvert has them. Every picture has a text in its place.

        nbconvert's own takes twice the time, because it reads the whole page once more to see to those texts.
        """
        resources = self._init_resources(resources)
        self.register_filter("highlight_code", Highlight2HTML(pygments_lexer="ipython3", parent=self))
        self.register_filter("filter_data_type", DataTypeFilter(parent=self))
        html, resources = super(HTMLExporter, self).from_notebook_node(nb, resources, **options)
        return re.sub(r"<img\b(?![^>]*\salt=)", '<img alt="picture"', html), resources

    def _create_environment(self) -> Any:
        environment = super()._create_environment()
        environment.bytecode_cache = _Compiled()
        return environment

    def default_filters(self) -> Any:
        """nbconvert's, with our Markdown."""
        yield from super().default_filters()
        yield "markdown2html", markdown_filter

    @default("template_paths")
    def _with_folders(self) -> list[str]:
        # Our template names nbgrader's by folder, which nbconvert's own search does not reach.
        return [*super()._template_paths(), *TEMPLATES]


class PlainHTMLExporter(StillHTMLExporter):
    """The same page with nothing laid out or coloured: for what takes too long, or too much memory, otherwise."""

    def default_filters(self) -> Any:
        """Those of the page, of which two do nothing but escape."""
        yield from super().default_filters()
        yield "markdown2html", _as_written

    def register_filter(self, name: str, jinja_filter: Any) -> Any:
        """As nbconvert's; code is not coloured."""
        return super().register_filter(name, _code_as_written if name == "highlight_code" else jinja_filter)


def _as_written(source: str) -> str:
    return f"<pre>{escape(cut(source, PLAIN_LIMIT))}</pre>"


def _code_as_written(source: str, *_: Any, **__: Any) -> str:
    return f'<div class="highlight"><pre>{escape(cut(source, PLAIN_LIMIT))}</pre></div>'


PLAIN_LIMIT = 20_000
"""Characters of a cell, and of each of its outputs, on a plain page."""


class OnlyText(NbGraderPreprocessor):
    """Leave of outputs the text, and not much of that."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Cut `nb` in place, whole lines: a part of one could not be told from a hidden test."""
        for cell in nb.cells:
            for output in cell.get("outputs", []):
                if output.output_type == "stream":
                    output.text = cut(_text(output.text), PLAIN_LIMIT)
                elif output.output_type == "error":
                    output.traceback = [output.evalue]
                else:
                    text = cut(_text(output.data.get("text/plain", "")), PLAIN_LIMIT)
                    output["data"] = nbformat.from_dict({"text/plain": text})
        return nb, resources

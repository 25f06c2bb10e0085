"""One HTML page per graded submission: nbgrader's feedback, without hidden tests and without anything that runs."""

from __future__ import annotations

import base64
import glob
import logging
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbgrader
import nh3
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import default

from autodiff_lab.grading.course import HIDDEN
from autodiff_lab.grading.execute import NOTES
from autodiff_lab.grading.results import is_all_untouched, read_exercises

_SHOWN = ("text/html", "text/markdown", "text/latex", "text/plain", "image/png", "image/jpeg", "image/svg+xml")
_REMOVED = "[removed: part of a hidden test]"


class Summarise(NbGraderPreprocessor):
    """Put one line per exercise into the page's head: title, points, how it ended, what it looks like, what to read."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Needs the scores that GetGrades put into the cells, and the errors before HideHiddenTests shortens them."""
        from autodiff_lab.checks.misconceptions import CATALOGUE

        titles = {}
        for above, cell in pairwise(nb.cells):
            if is_solution(cell) and above.source.startswith("### Exercise: "):
                titles[cell.metadata.nbgrader["grade_id"]] = above.source.splitlines()[0].removeprefix("### Exercise: ")
        lines = []
        for cell, result in zip((c for c in nb.cells if is_grade(c)), read_exercises(nb), strict=True):
            points = cell.metadata.nbgrader.get("score")
            if result.points is None and not self._is_marked(cell, resources):
                points = None
            found = CATALOGUE.get(result.misconception or "")
            lines.append(
                {
                    "title": titles.get(result.exercise, result.exercise),
                    "anchor": cell.metadata.nbgrader["grade_id"],
                    "points": points,
                    "max_points": result.max_points,
                    "note": result.note,
                    "name": found.name if found else "",
                    "read": found.read if found else "",
                }
            )
        resources["nbgrader"]["exercises"] = lines
        resources["nbgrader"]["open"] = sum(line["max_points"] for line in lines if line["points"] is None)
        resources["nbgrader"]["untouched"] = is_all_untouched(nb)
        resources["nbgrader"]["title"] = ""
        return nb, resources

    def _is_marked(self, cell: NotebookNode, resources: Any) -> bool:
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            grade = gradebook.find_grade(
                cell.metadata.nbgrader["grade_id"], names["notebook"], names["assignment"], names["student"]
            )
            return not grade.needs_manual_grade


class HideHiddenTests(NbGraderPreprocessor):
    """Take hidden tests out of sources, errors and everything printed; say in words that one of them failed."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Change `nb` in place."""
        lines = set()
        for cell in nb.cells:
            if is_grade(cell) and not is_solution(cell):
                for region in HIDDEN.findall(cell.source):
                    lines |= {line.strip() for line in region.splitlines() if len(line.strip()) > 8}
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            if is_grade(cell) and not is_solution(cell):
                notes = cell.metadata.get(NOTES, {})
                failed_hidden = notes.get("hidden", False)
                hidden = set(notes.get("hidden_outputs", []))
                cell.outputs = [o for i, o in enumerate(cell.outputs) if i not in hidden or o.output_type == "error"]
                cell.source = HIDDEN.sub("", cell.source).rstrip("\n")
                for output in cell.outputs:
                    if output.output_type == "error":
                        _shorten(output, failed_hidden)
            for output in cell.outputs:
                _scrub(output, lines)
        return nb, resources


def _shorten(output: NotebookNode, hidden: bool) -> None:
    """A test's error is its message; the traceback is the test's own code, which helps nobody."""
    from autodiff_lab.checks.misconceptions import in_message

    message = output.evalue or output.ename
    if hidden:
        found = in_message(message)
        message = (
            "A hidden test failed. It asks the same as the tests that you see, with other inputs: "
            "the tests that you see pass."
        )
        if found is not None:
            message += f"\nThis looks like: {found.name} [{found.code}]. {found.explanation}"
    output.evalue = message
    output.traceback = [message]


def _scrub(output: NotebookNode, lines: set[str]) -> None:
    def clean(text: str) -> str:
        for line in lines:
            text = text.replace(line, _REMOVED)
        return text

    if output.output_type == "stream":
        output.text = clean(output.text)
    elif output.output_type == "error":
        output.evalue = clean(output.evalue)
        output.traceback = [clean(line) for line in output.traceback]
    else:
        for kind, value in output.get("data", {}).items():
            if isinstance(value, str) and kind.startswith("text/"):
                output.data[kind] = clean(value)


class OnlyStill(NbGraderPreprocessor):
    """Leave nothing in outputs that could run in the reader's browser."""

    def preprocess_cell(self, cell: NotebookNode, resources: Any, index: int) -> tuple[NotebookNode, Any]:
        """Clean one cell's outputs in place."""
        for output in cell.get("outputs", []):
            if "data" not in output:
                continue
            data = {kind: value for kind, value in output.data.items() if kind in _SHOWN}
            if "image/svg+xml" in data:
                encoded = base64.b64encode("".join(data.pop("image/svg+xml")).encode()).decode()
                data.setdefault("text/html", f'<img alt="picture" src="data:image/svg+xml;base64,{encoded}">')
            if "text/html" in data:
                data["text/html"] = clean_html("".join(data["text/html"]))
            output["data"] = data
        return cell, resources


def clean_html(html: str) -> str:
    """`html` without scripts, event handlers, frames, forms and links that run; pictures in data: URLs stay."""
    tags = nh3.ALLOWED_TAGS | {"section", "header", "footer"}
    common = {"class", "id", "title", "style", "role", "aria-label", "aria-hidden", "lang"}
    attributes = {tag: set(values) for tag, values in nh3.ALLOWED_ATTRIBUTES.items()}
    attributes["*"] = attributes.get("*", set()) | common
    attributes.setdefault("details", set()).add("open")
    return nh3.clean(
        html,
        tags=tags,
        attributes=attributes,
        url_schemes={"http", "https", "mailto", "data"},
        attribute_filter=_only_pictures,
    )


def _only_pictures(tag: str, attribute: str, value: str) -> str | None:
    if value.strip().lower().startswith("data:") and not (
        tag == "img" and value.strip().lower().startswith("data:image/")
    ):
        return None
    return value


class StillHTMLExporter(HTMLExporter):
    """nbconvert's HTML exporter, with the HTML that a student wrote into Markdown cleaned."""

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Markdown to HTML that cannot run."""
        return clean_html(super().markdown2html(context, source))

    @default("template_paths")
    def _with_folders(self) -> list[str]:
        # Our template names nbgrader's by folder, which nbconvert's own search does not reach.
        return [*super()._template_paths(), *TEMPLATES]


TEMPLATES = [
    str(Path(__file__).parent / "templates"),
    str(Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"),
]
"""Ours extends nbgrader's own feedback template, so nbconvert needs both folders."""

PREPROCESSORS = [GetGrades, Summarise, HideHiddenTests, OnlyStill, CSSHTMLHeaderPreprocessor]
"""What `course/nbgrader_config.py` names, so that nbgrader's own `generate_feedback` gives the same pages."""


def feedback(
    units: list[str] | None = None,
    course: Path | None = None,
    students: list[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Path]:
    """Write a feedback page for every graded submission of `units` (None: all) or `students`; returns the pages."""
    from autodiff_lab.grading.course import default_course, resolve_units
    from autodiff_lab.grading.grade import Book

    book = Book(Path(course) if course is not None else default_course())
    names = resolve_units(units, book.course) if units else book.submitted_units()
    jobs = [
        (person["id"], unit)
        for person in book.roster()
        if not students or person["id"] in students
        for unit in names
        if (book.place(book.coursedir.autograded_directory, person["id"], unit) / f"{unit}.ipynb").is_file()
    ]
    pages = []
    for number, (student, unit) in enumerate(jobs):
        if progress:
            progress(f"{student} {unit}", number, len(jobs))
        book.coursedir.student_id, book.coursedir.assignment_id = glob.escape(student), unit
        converter = GenerateFeedback(coursedir=book.coursedir, config=book.config)
        converter.force = True
        converter.log = _quiet()
        converter.start()
        pages.append(book.place(book.coursedir.feedback_directory, student, unit) / f"{unit}.html")
    if progress:
        progress("", len(jobs), len(jobs))
    return pages


def _quiet() -> logging.Logger:
    log = logging.getLogger("autodiff_lab.nbgrader")
    log.setLevel(logging.ERROR)
    return log

"""One HTML page per graded submission: nbgrader's feedback, without hidden tests and without anything that runs."""

from __future__ import annotations

import glob
import html
import logging
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

from autodiff_lab.grading.course import HIDDEN, NOTES
from autodiff_lab.grading.execute import pieces
from autodiff_lab.grading.matching import notes_in
from autodiff_lab.grading.notes import for_student
from autodiff_lab.grading.results import is_all_untouched, read_exercises
from autodiff_lab.grading.still import OnlyStill

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
        resources["nbgrader"]["mended"] = for_student(notes_in(nb))
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
        lines = hidden_lines(nb)
        for cell in nb.cells:
            if is_grade(cell) and not is_solution(cell):
                _hide(cell)
            for output in cell.get("outputs", []):
                _scrub(output, lines)
        return nb, resources


def hidden_lines(nb: NotebookNode) -> set[str]:
    """The lines of the hidden tests of a notebook that are long enough to be told from anything else."""
    found = set()
    for cell in nb.cells:
        if is_grade(cell) and not is_solution(cell):
            for region in HIDDEN.findall(cell.source):
                found |= {line.strip() for line in region.splitlines() if len(line.strip()) > 8}
    return found


def _hide(cell: NotebookNode) -> None:
    notes = cell.metadata.get(NOTES, {})
    parts = pieces(cell.source)
    # Parts that are no Python by themselves ran as one: any error may then be that of a hidden test.
    whole = HIDDEN.search(cell.source) is not None and not any(hidden for _, hidden in parts)
    failed = notes.get("hidden", False) or (whole and any(o.output_type == "error" for o in cell.get("outputs", [])))
    drop = set(range(len(cell.get("outputs", [])))) if whole else set(notes.get("hidden_outputs", []))
    if "outputs" in cell:
        cell.outputs = [o for i, o in enumerate(cell.outputs) if i not in drop or o.output_type == "error"]
    cell.source = HIDDEN.sub("", cell.source).rstrip("\n")
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            _shorten(output, failed, notes.get("ended", ""))


def _shorten(output: NotebookNode, hidden: bool, ended: str) -> None:
    """A test's error is its message; the traceback is the test's own code, which helps nobody."""
    from autodiff_lab.checks.misconceptions import in_message

    message = output.evalue or output.ename
    if hidden:
        found = in_message(message)
        message = _HIDDEN.get(ended, _HIDDEN[""]) + (
            " It asks the same as the tests that you see, with other inputs: the tests that you see pass."
        )
        if found is not None:
            message += f"\nThis looks like: {found.name} [{found.code}]. {found.explanation}\nRead: {found.read}"
    output.ename = "CheckFailed" if hidden else output.ename
    output.evalue = message
    output.traceback = [message]


_HIDDEN = {
    "": "A hidden test failed.",
    "timeout": "A hidden test did not end in time.",
    "crashed": "Your code ended its kernel in a hidden test.",
    "out of memory": "Your code used up its memory in a hidden test.",
}


def _scrub(output: NotebookNode, lines: set[str]) -> None:
    def clean(text: Any) -> str:
        text = "".join(map(str, text)) if isinstance(text, list) else str(text)
        for line in lines:
            for form in {line, html.escape(line), html.escape(line, quote=False), repr(line)[1:-1]}:
                text = text.replace(form, _REMOVED)
        return text

    if output.output_type == "stream":
        output.text = clean(output.text)
    elif output.output_type == "error":
        output.evalue = clean(output.evalue)
        output.traceback = [clean(line) for line in output.traceback]
    else:
        for kind, value in output.get("data", {}).items():
            if kind.startswith("text/"):
                output.data[kind] = clean(value)


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

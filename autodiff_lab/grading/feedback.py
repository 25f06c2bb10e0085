"""One HTML page per graded submission: nbgrader's feedback, without hidden tests and without anything that runs."""

from __future__ import annotations

import contextlib
import glob
import html
import logging
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

from autodiff_lab.grading import journal, pool, submitted
from autodiff_lab.grading.course import HIDDEN, NOTES, default_course, exercise_of, resolve_units
from autodiff_lab.grading.execute import pieces
from autodiff_lab.grading.grade import Book, load_config
from autodiff_lab.grading.matching import notes_in
from autodiff_lab.grading.notes import for_student, shown
from autodiff_lab.grading.results import is_all_untouched, read_exercises
from autodiff_lab.grading.still import OnlyStill, OnlyText, PlainHTMLExporter
from autodiff_lab.units import catalogue, in_message

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_REMOVED = "[removed: part of a hidden test]"


class Summarise(NbGraderPreprocessor):
    """Put one line per exercise into the page's head: title, points, how it ended, what it looks like, what to read."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Needs the scores that GetGrades put into the cells, and the errors before HideHiddenTests shortens them."""
        titles = {}
        for above, cell in pairwise(nb.cells):
            if is_solution(cell) and above.source.startswith("### Exercise: "):
                titles[cell.metadata.nbgrader["grade_id"]] = above.source.splitlines()[0].removeprefix("### Exercise: ")
        lines = []
        graded: dict[str, list[NotebookNode]] = {}
        for cell in filter(is_grade, nb.cells):
            graded.setdefault(exercise_of(cell.metadata.nbgrader["grade_id"]), []).append(cell)
        for result in read_exercises(nb):
            cells = graded[result.exercise]
            points = sum(cell.metadata.nbgrader["score"] for cell in cells)
            if result.points is None and not all(self._is_marked(cell, resources) for cell in cells):
                points = None
            found = catalogue().get(result.misconception or "")
            lines.append(
                {
                    "title": titles.get(result.exercise, result.exercise),
                    "anchor": cells[0].metadata.nbgrader["grade_id"],
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
            _shorten(output, failed, notes.get("ended", ""), bool(notes.get("masked")))


def _shorten(output: NotebookNode, hidden: bool, ended: str, masked: bool) -> None:
    """A test's error is its message; the traceback is the test's own code, which helps nobody."""
    message = output.evalue or output.ename
    if hidden and masked:
        message = "\n".join([*message.split("\n")[:2], _HIDDEN[""]])
    elif hidden:
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


@dataclass(frozen=True)
class Page:
    """A page to be made. `folder`: where, until it is whole; `plain`: with nothing laid out."""

    course: Path
    student: str
    unit: str
    folder: Path
    seconds: int
    plain: bool = False


class Pages(list[Path]):
    """The pages that were written. Why some of them are plain, or could not be made at all, by (student, unit)."""

    def __init__(self, pages: Iterable[Path] = ()) -> None:
        super().__init__(pages)
        self.plain: dict[tuple[str, str], str] = {}
        self.failed: dict[tuple[str, str], str] = {}


CPU_S, WALL_S, MEMORY = 20, 600, 2_000_000_000
"""What one page may take of a process; an ordinary one takes a second and 150 MB."""


def feedback(
    units: list[str] | None = None,
    course: Path | None = None,
    students: list[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    workers: int | None = None,
    seconds: int = CPU_S,
) -> Pages:
    """Write a feedback page for every graded submission of `units` (None: all) or `students`.

    Each is made in one of `workers` processes with limits (`seconds` of CPU time). One that takes too much there is
    made again, plainly; where that fails as well, the page that was there stays. Nothing stops the others. A page and
    what lies beside it are replaced file by file, so that whoever is killed leaves old ones or new ones, and no part.
    """
    book = Book(Path(course) if course is not None else default_course())
    names = resolve_units(units, book.course) if units else book.submitted_units()
    jobs = [
        (person["id"], unit)
        for person in book.roster()
        if not students or person["id"] in students
        for unit in names
        if submitted.has(book.place(book.coursedir.autograded_directory, person["id"], unit), f"{unit}.ipynb")
    ]
    made = Pages()
    if not jobs:
        return made
    pages = book.course / book.coursedir.feedback_directory
    book.close_to_others()
    crew: pool.Crew[Page, str | None] = pool.crew(make_page, _lost, min(workers or pool.cores(), 1 + len(jobs) // 4))
    scratch = pool.Scratch(pages)
    written: dict[tuple[str, str], Path] = {}
    try:
        with crew:
            wanted = [Page(book.course, *job, scratch.folder / str(n), seconds) for n, job in enumerate(jobs)]
            for plain in (False, True):
                again: list[Page] = []
                for page, why in crew.run(wanted):
                    job = page.student, page.unit
                    if why is None:
                        target = book.place(book.coursedir.feedback_directory, *job)
                        journal.merge(page.folder / page.student / page.unit, target)
                        written[job] = target / f"{page.unit}.html"
                    elif plain:
                        made.failed[job] = f"{made.plain.pop(job)}; plainly: {why}"
                    else:
                        made.plain[job] = why
                        again.append(replace(page, folder=scratch.folder / f"{page.folder.name}-plain", plain=True))
                    if progress:
                        progress(f"{page.student} {page.unit}", len(written) + len(made.failed), len(jobs))
                wanted = again
    finally:
        scratch.remove()
    made.extend(written[job] for job in jobs if job in written)
    return made


def make_page(page: Page) -> str | None:
    """Make one page, in a process of its own or one that has made others. Returns None, or why it could not be made."""
    said = _Said()
    try:
        with _limited(page.seconds):
            config = load_config(page.course)
            coursedir = CourseDirectory(config=config)
            coursedir.root = str(page.course)
            coursedir.feedback_directory = str(page.folder.relative_to(page.course))
            coursedir.student_id, coursedir.assignment_id = glob.escape(page.student), page.unit
            coursedir.notebook_id = page.unit
            converter = GenerateFeedback(coursedir=coursedir, config=config)
            if page.plain:
                converter.exporter_class = PlainHTMLExporter
                converter.preprocessors = [OnlyText, *PREPROCESSORS]
            converter.log = said.log
            converter.start()
    except Exception as error:
        # nbgrader logs the error, and raises another one.
        why = (said.tracebacks or [f"{type(error).__name__}: {error}"])[-1].strip().splitlines()[-1]
        return "it takes too much memory" if "MemoryError" in why else shown(why)
    if not (page.folder / page.student / page.unit / f"{page.unit}.html").is_file():  # nothing that can be read
        return shown(said.left_out[-1]) if said.left_out else "nbgrader made no page of it"
    return None


def _lost(page: Page, why: str) -> str:
    return "it takes too much time or memory" if "killed" in why else why


@contextlib.contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Have this process end if what follows takes too long, where the system can do that."""
    if resource is None:
        yield
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = int(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until if hard == resource.RLIM_INFINITY else min(until, hard), hard))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(WALL_S)
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


class _Said(logging.Handler):
    """Keeps the tracebacks that nbgrader logs, and why a file is left out; prints nothing."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.tracebacks: list[str] = []
        self.left_out: list[str] = []
        self.log = logging.getLogger("autodiff_lab.nbgrader")
        self.log.handlers, self.log.propagate = [self], False

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        said = record.getMessage()
        if said.startswith("Traceback"):
            self.tracebacks.append(said)
        elif " is left out: " in said:
            self.left_out.append(said.partition(" is left out: ")[2])

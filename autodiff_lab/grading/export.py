"""Marks for other programs: CSV, and the gradebook formats of Canvas and Moodle, as export plugins of nbgrader.

What is not graded is no 0 in any of them, and no cell is a formula to a spreadsheet.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.plugins import ExportPlugin
from traitlets import Bool, Dict

from autodiff_lab.grading.course import fault_of_id

if TYPE_CHECKING:
    from autodiff_lab.grading.grade import Book
    from autodiff_lab.grading.results import Result

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
    "status",
)

_FORMULA = tuple("=+-@＝＋－＠")


def harmless(row: list[Any]) -> list[Any]:
    """`row` with an apostrophe before each text that a spreadsheet would take for a formula (OWASP, CSV injection)."""
    return [f"'{value}" if isinstance(value, str) and _is_formula(value) else value for value in row]


def _is_formula(text: str) -> bool:
    return text.lstrip().startswith(_FORMULA) or text.startswith(("\t", "\r", "\n"))


class Marks(ExportPlugin):
    """What the formats share: whom and what to export, and the mark of a student in a unit."""

    name = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        """Write `self.to` (`name` by default); the path is relative to the current folder."""
        from autodiff_lab.grading.grade import Book

        coursedir = getattr(self.parent, "coursedir", None)
        book = Book(Path(coursedir.root)) if coursedir is not None else None
        self.write(gradebook, Path(self.to or self.name), book)

    def write(self, gradebook: Gradebook, path: Path, book: Book | None) -> None:
        """`book` (grading.grade.Book) knows the statuses; without it nothing is known to be graded."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_NONNUMERIC).writerows(self.rows(gradebook, book))

    def rows(self, gradebook: Gradebook, book: Book | None) -> Iterator[list[Any]]:
        """The lines of the file, the heading first."""
        raise NotImplementedError

    def assignments(self, gradebook: Gradebook) -> list[Assignment]:
        """Those to export, in the gradebook's order."""
        wanted = set(map(str, self.assignment))
        return [assignment for assignment in gradebook.assignments if not wanted or assignment.name in wanted]

    def students(self, gradebook: Gradebook) -> list[Student]:
        """Those to export, in the gradebook's order."""
        wanted = set(map(str, self.student))
        students = [student for student in gradebook.students if fault_of_id(student.id) is None]
        return [student for student in students if not wanted or student.id in wanted]


def _known(book: Book | None, student: str, unit: str) -> Result | None:
    return book.result(student, unit) if book is not None else None


class QuotedCsv(Marks):
    """What `nbgrader export` writes in this course. nbgrader's own exporter neither quotes nor knows "not graded"."""

    def rows(self, gradebook: Gradebook, book: Book | None) -> Iterator[list[Any]]:
        """One line per unit and student, with a status; the score is empty where there is none."""
        yield list(COLUMNS)
        for assignment in self.assignments(gradebook):
            for student in self.students(gradebook):
                known = _known(book, student.id, assignment.name)
                row = dict.fromkeys(COLUMNS, "")
                row |= {
                    "assignment": assignment.name,
                    "duedate": str(assignment.duedate or ""),
                    "student_id": student.id,
                    "last_name": student.last_name or "",
                    "first_name": student.first_name or "",
                    "email": student.email or "",
                    "max_score": assignment.max_score,
                    "status": known.status if known is not None else "",
                }
                if known is None or known.score is not None:
                    row |= self._scores(gradebook, assignment.name, student.id)
                yield harmless([row[column] for column in COLUMNS])

    def _scores(self, gradebook: Gradebook, unit: str, student: str) -> dict[str, Any]:
        try:
            submission = gradebook.find_submission(unit, student)
        except MissingEntry:
            return {}
        penalty = submission.late_submission_penalty or 0.0
        return {
            "timestamp": str(submission.timestamp or ""),
            "raw_score": submission.score,
            "late_submission_penalty": penalty,
            "score": max(0.0, submission.score - penalty),
        }


class Columns(Marks):
    """A line per student and a column per unit, as learning-management systems import them."""

    columns = Dict(help='The name of a unit over there, if it is another one: {"04_fan_out": "Fan-out (1234)"}.').tag(
        config=True
    )
    partial = Bool(False, help="Export what the tests gave while a written answer still waits for a person.").tag(
        config=True
    )
    nothing: str = ""

    def heads(self, gradebook: Gradebook) -> list[str]:
        """The names of the units over there."""
        return [self.columns.get(unit.name, unit.name) for unit in self.assignments(gradebook)]

    def marks(self, gradebook: Gradebook, book: Book | None, student: str) -> list[Any]:
        """A student's marks, with `nothing` where there is none, or none yet."""
        marks: list[Any] = []
        for unit in self.assignments(gradebook):
            known = _known(book, student, unit.name)
            open_ = known is None or known.score is None or (known.needs_manual and not self.partial)
            marks.append(self.nothing if open_ or known is None else round(float(known.score or 0.0), 2))
        return marks


class CanvasExport(Columns):
    """Canvas's gradebook import. Columns and matching as in Canvas's source, lib/gradebook_importer.rb, and its
    Instructor Guide, "How do I import grades in the Gradebook?".

    Canvas looks a student up by its own number ("ID": lms_user_id, if that is a number), then by SIS User ID (if it is
    none), then by login (the email address, else our id), then by name. An empty cell is no grade. A unit that Canvas
    does not know by its title, or by the number in brackets behind it, it offers to make.
    """

    name = "grades_canvas.csv"

    def rows(self, gradebook: Gradebook, book: Book | None) -> Iterator[list[Any]]:
        """The heading, the line of points possible, and one line per student."""
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *harmless(self.heads(gradebook))]
        maxima = [unit.max_score for unit in self.assignments(gradebook)]
        yield ["    Points Possible", "", "", "", "", *maxima]
        for student in self.students(gradebook):
            number = (student.lms_user_id or "").strip()
            name = ", ".join(filter(None, [student.last_name, student.first_name])) or student.id
            who = [name, "", number, student.email or student.id, ""]
            if number.isascii() and number.isdigit():
                who[1:3] = [number, ""]
            yield [*harmless(who), *self.marks(gradebook, book, student.id)]


class MoodleExport(Columns):
    """Moodle's grade import from CSV. Columns as Moodle exports them; matching as in Moodle's source,
    grade/import/csv/classes/load_data.php, and its documentation, "Grade import".

    Moodle asks what to match by: "ID number" (lms_user_id) or "Email address". In a new grade item only "-" is no
    grade; an empty cell would become one.
    """

    name = "grades_moodle.csv"
    nothing = "-"

    def rows(self, gradebook: Gradebook, book: Book | None) -> Iterator[list[Any]]:
        """The heading, and one line per student."""
        yield ["First name", "Last name", "ID number", "Email address", *harmless(self.heads(gradebook))]
        for student in self.students(gradebook):
            who = [student.first_name, student.last_name or student.id, student.lms_user_id, student.email]
            yield [*harmless([value or "" for value in who]), *self.marks(gradebook, book, student.id)]


FORMATS: dict[str, type[Marks]] = {"csv": QuotedCsv, "canvas": CanvasExport, "moodle": MoodleExport}
"""What `export --format` takes; nbgrader takes the same classes by name with `--exporter`."""


def export(course: Path | None = None, out: Path | None = None, format: str = "csv") -> Path:
    """Write the marks of everyone on the roster; returns the file (in course/reports by default).

    Raises UserError for a `format` that is none of FORMATS.
    """
    from autodiff_lab.errors import UserError
    from autodiff_lab.grading.course import default_course
    from autodiff_lab.grading.grade import Book

    if format not in FORMATS:
        raise UserError(f"there is no format {format!r}.", f"the formats are: {', '.join(FORMATS)}.")
    book = Book(Path(course) if course is not None else default_course())
    plugin = FORMATS[format](config=book.config)
    path = Path(out) if out is not None else book.course / "reports" / plugin.name
    book.import_roster()
    with book.open() as gradebook:
        plugin.write(gradebook, path, book)
    return path

"""Marks as CSV: nbgrader's columns, quoted, with a status; what is not graded is empty and never 0."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

if TYPE_CHECKING:
    from autodiff_lab.grading.grade import Book

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


class QuotedCsv(ExportPlugin):
    """What `nbgrader export` writes in this course. nbgrader's own exporter neither quotes nor knows "not graded"."""

    def export(self, gradebook: Gradebook) -> None:
        """Write `self.to` (grades.csv by default); the path is relative to the current folder."""
        from autodiff_lab.grading.grade import Book

        coursedir = getattr(self.parent, "coursedir", None)
        book = Book(Path(coursedir.root)) if coursedir is not None else None
        self.write(gradebook, Path(self.to or "grades.csv"), book)

    def write(self, gradebook: Gradebook, path: Path, book: Book | None) -> None:
        """`book` (grading.grade.Book) knows the statuses; without it the column is empty."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, quoting=csv.QUOTE_NONNUMERIC)
            writer.writeheader()
            for assignment in gradebook.assignments:
                if self.assignment and assignment.name not in map(str, self.assignment):
                    continue
                for student in gradebook.students:
                    if self.student and student.id not in map(str, self.student):
                        continue
                    known = book.result(student.id, assignment.name) if book is not None else None
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
                    if known is not None and known.score is None:
                        writer.writerow(row)
                        continue
                    try:
                        submission = gradebook.find_submission(assignment.name, student.id)
                    except MissingEntry:
                        pass
                    else:
                        penalty = submission.late_submission_penalty
                        row |= {
                            "timestamp": str(submission.timestamp or ""),
                            "raw_score": submission.score,
                            "late_submission_penalty": penalty,
                            "score": max(0.0, submission.score - penalty),
                        }
                    writer.writerow(row)


def export(course: Path | None = None, out: Path | None = None) -> Path:
    """Write the marks of everyone on the roster as CSV; returns the file (course/reports/grades.csv by default)."""
    from autodiff_lab.grading.course import default_course
    from autodiff_lab.grading.grade import Book

    book = Book(Path(course) if course is not None else default_course())
    path = Path(out) if out is not None else book.course / "reports" / "grades.csv"
    book.import_roster()
    with book.open() as gradebook:
        QuotedCsv(config=book.config).write(gradebook, path, book)
    return path

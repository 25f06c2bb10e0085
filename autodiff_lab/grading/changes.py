"""What grading again would change, before anything is written: the same grading, in a copy of the class's book."""

from __future__ import annotations

import copy
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock
from nbgrader.api import Base
from sqlalchemy import create_engine, inspect, select

from autodiff_lab.grading import journal
from autodiff_lab.grading.course import default_course
from autodiff_lab.grading.grade import Book, Executed, grade, gradebook_exists
from autodiff_lab.grading.results import Result


@dataclass
class Change:
    """One difference of a student's unit: `what` is "status", "score", "late" (seconds), "note" or an exercise."""

    student: str
    unit: str
    what: str
    old: Any
    new: Any


def compare(old: Result, new: Result) -> list[Change]:
    """Every difference between two results of the same student and unit."""

    def facts(result: Result) -> dict[str, Any]:
        points = {exercise.exercise: exercise.points for exercise in result.exercises}
        own = {"status": result.status, "score": result.score, "late": result.late_seconds, "note": result.note}
        return {**own, **points}

    before, after = facts(old), facts(new)
    return [
        Change(new.student, new.unit, what, before.get(what), after.get(what))
        for what in before | after
        if before.get(what) != after.get(what)
    ]


def preview(
    course: Path | Book | None = None, units: list[str] | None = None, *args: Any, **options: Any
) -> tuple[list[Result], list[Change]]:
    """What `grade` would give, and how that differs from what is recorded. Takes what `grade` takes.

    Everything is run, and nothing of the course is written.
    """
    book = course if isinstance(course, Book) else Book(Path(course) if course is not None else default_course())
    # The workers of a cluster share the course folder, not the temporary one.
    place = book.course / "reports" if options.get("dask") else None
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_", dir=place) as folder:
        trial = Trial(book, Path(folder))
        results = grade(units, trial, *args, **options)
        known = (
            book.result if gradebook_exists(book.db_url) else lambda student, unit: Result(student, unit, "", None, 0.0)
        )
        changes = [change for new in results for change in compare(known(new.student, new.unit), new)]
    return results, changes


class Trial(Book):
    """A copy of a class's book in a folder of its own. It reads what the class has handed in, and writes only there."""

    def __init__(self, book: Book, folder: Path) -> None:
        config = copy.deepcopy(book.config)
        config.CourseDirectory.db_url = f"sqlite:///{folder / 'gradebook.db'}"
        super().__init__(book.course, config)
        self.real, self.folder = book, folder
        self.audit_file = folder / "audit.jsonl"
        self._journal = journal.Journal(folder)
        self._lock = FileLock(folder / ".lock", timeout=0)
        _copy_gradebook(book.db_url, self.db_url)

    def close_to_others(self) -> None:
        """Nothing of the course is written."""

    def place(self, step: str, student: str, unit: str) -> Path:
        if step == self.coursedir.submitted_directory:
            return self.real.place(step, student, unit)
        return self.folder / step / student / unit

    def status_file(self, student: str, unit: str) -> Path:
        return self.folder / "results" / unit / f"{student}.json"

    def marked_last(self, student: str, unit: str) -> Path:
        return self.real.marked_last(student, unit)

    def unchanged(self, student: str, unit: str, mark: str) -> Result | Executed | None:
        return self.real.unchanged(student, unit, mark) if gradebook_exists(self.real.db_url) else None


def _copy_gradebook(source_url: str, target_url: str) -> None:
    source, target = create_engine(source_url), create_engine(target_url)
    try:
        Base.metadata.create_all(target)
        if not gradebook_exists(source_url):
            return
        there = set(inspect(source).get_table_names())
        with source.connect() as read, target.begin() as write:
            for table in Base.metadata.sorted_tables:
                rows = [dict(row) for row in read.execute(select(table)).mappings()] if table.name in there else []
                if rows:
                    write.execute(table.insert(), rows)
    finally:
        source.dispose()
        target.dispose()

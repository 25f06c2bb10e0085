"""Grades a class, one submission after the other, with nbgrader's preprocessors and gradebook.

`grade_one` reads and runs a submission and touches nothing of the class; `Book.record` is the one writer of gradebook,
notebooks and status. A pool needs to replace only the loop between them.
"""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)
from sqlalchemy.exc import SAWarning
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autodiff_lab.grading.build import read_text, release_steps, source_notebook
from autodiff_lab.grading.course import CourseError, default_course, paths, resolve_units
from autodiff_lab.grading.execute import NOTES, ExecuteSubmission
from autodiff_lab.grading.results import (
    GRADED,
    MISSING,
    NEEDS_MANUAL,
    NOT_GRADED,
    UNREADABLE,
    ExerciseResult,
    Result,
    is_all_untouched,
    overall,
    read_exercises,
)
from autodiff_lab.grading.sanitize import DropDuplicates, RestoreCells

# nbgrader adds rows while it walks their relations; it works, and each submission warns nine times.
warnings.filterwarnings("ignore", category=SAWarning, module=r"nbgrader\.api")

ROSTER_COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
Progress = Callable[[str, int, int], None]


def load_config(course: Path) -> Config:
    """The course's nbgrader configuration, as nbgrader itself would read it."""
    path = Path(course) / "nbgrader_config.py"
    if not path.is_file():
        raise CourseError(f"There is no {path}.", "A course folder holds nbgrader_config.py and source/.")
    return PyFileConfigLoader(path.name, path=str(path.parent)).load_config()


@dataclass
class Submission:
    """One student's one unit, before it is graded. All a worker process would need."""

    student: str
    unit: str
    folder: Path
    source_folder: Path
    db_url: str
    config: Config


@dataclass
class Executed:
    """A submission after its cells ran: the notebook with its outputs, or why there is none."""

    submission: Submission
    notebook: NotebookNode | None = None
    status: str = GRADED
    note: str = ""
    exercises: list[ExerciseResult] = field(default_factory=list)


# ---------------------------------------------------------------- one submission


def read_submission(folder: Path, unit: str) -> NotebookNode | tuple[str, str]:
    """The notebook that was handed in, or (status, why in words)."""
    path = folder / f"{unit}.ipynb"
    if not folder.is_dir():
        return MISSING, ""
    if path.is_dir():
        return UNREADABLE, f"{path.name} is a folder"
    if not path.is_file():
        others = sorted(other.name for other in folder.glob("*.ipynb"))
        if others:
            return UNREADABLE, f"there is no {path.name}, but {', '.join(others[:3])}"
        return MISSING, ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = path.read_bytes().decode("utf-8-sig")
            if not text.strip():
                return UNREADABLE, "the file is empty"
            notebook = nbformat.reads(text, as_version=4)
            nbformat.validate(notebook)
    except Exception as error:
        return UNREADABLE, f"not a notebook: {_in_a_line(error)}"
    return notebook


def grade_one(submission: Submission) -> Executed:
    """Read, restore and run one submission. Never raises: what goes wrong is a status. Writes nothing of the class."""
    read = read_submission(submission.folder, submission.unit)
    if isinstance(read, tuple):
        return Executed(submission, None, *read)
    try:
        return _execute(submission, read)
    except Exception as error:
        return Executed(submission, None, NOT_GRADED, _in_a_line(error))


def _in_a_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:300]}"


def _execute(submission: Submission, notebook: NotebookNode) -> Executed:
    resources: dict[str, Any] = {
        "nbgrader": {
            "student": submission.student,
            "assignment": submission.unit,
            "notebook": submission.unit,
            "db_url": submission.db_url,
        },
        "metadata": {},
    }
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_", ignore_cleanup_errors=True) as scratch:
        _copy_files(submission.folder, Path(scratch), submission.unit)
        _copy_files(submission.source_folder, Path(scratch), submission.unit)
        resources["metadata"]["path"] = scratch
        for step in (
            ClearOutput,
            DropDuplicates,
            OverwriteKernelspec,
            RestoreCells,
            CheckCellMetadata,
            ExecuteSubmission,
        ):
            notebook, resources = step(config=submission.config).preprocess(notebook, resources)
    exercises = read_exercises(notebook)
    restored = [
        cell.metadata.nbgrader["grade_id"] for cell in notebook.cells if cell.metadata.get(NOTES, {}).get("restored")
    ]
    note = f"deleted cells put back: {', '.join(restored)}" if restored else ""
    return Executed(submission, notebook, overall(exercises, is_all_untouched(notebook)), note, exercises)


def _copy_files(folder: Path, target: Path, unit: str) -> None:
    skip = shutil.ignore_patterns("*.ipynb", ".*", "__pycache__", f"{unit}.py", "timestamp.txt")
    if folder.is_dir():
        shutil.copytree(folder, target, ignore=skip, dirs_exist_ok=True, symlinks=True)


# ---------------------------------------------------------------- the class


def _find_alembic() -> None:
    # nbgrader runs `alembic` from the PATH when it makes a gradebook; an environment that is used without being
    # activated does not have it there.
    if shutil.which("alembic") is None:
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


class Book:
    """A class's gradebook and folders. The only writer of either."""

    def __init__(self, course: Path, config: Config | None = None) -> None:
        _find_alembic()
        self.course = Path(course).resolve()
        self.config = config if config is not None else load_config(self.course)
        self.coursedir = CourseDirectory(config=self.config)
        self.coursedir.root = str(self.course)
        self.db_url = self.coursedir.db_url

    @contextmanager
    def open(self) -> Iterator[Gradebook]:
        """nbgrader's gradebook of this course."""
        with Gradebook(self.db_url, self.coursedir.course_id) as gradebook:
            yield gradebook

    def place(self, step: str, student: str, unit: str) -> Path:
        """nbgrader's folder of a student's unit in one of its steps (submitted, autograded, feedback)."""
        return Path(self.coursedir.format_path(step, student, unit))

    def status_file(self, student: str, unit: str) -> Path:
        """Where the last result of a student's unit is kept, for what a gradebook has no column for."""
        return self.course / "reports" / "results" / unit / f"{student}.json"

    # ---------------------------------------- roster and units

    def roster(self) -> list[dict[str, Any]]:
        """Everyone: students.csv, the gradebook, and whoever handed something in. Sorted by name; plain data."""
        people: dict[str, dict[str, Any]] = {}
        with self.open() as gradebook:
            for student in gradebook.students:
                people[student.id] = {key: getattr(student, key) for key in ROSTER_COLUMNS}
        for row in self.read_roster_file():
            people[row["id"]] = {**people.get(row["id"], {}), **row}
        for folder in sorted(self.course.glob(f"{self.coursedir.submitted_directory}/*/")):
            people.setdefault(folder.name, {"id": folder.name})
        for person in people.values():
            for key in ROSTER_COLUMNS:
                person.setdefault(key, None)
        return sorted(
            people.values(), key=lambda p: ((p["last_name"] or "").casefold(), p["first_name"] or "", p["id"])
        )

    def read_roster_file(self) -> list[dict[str, Any]]:
        """students.csv, with the columns of `nbgrader db student import`; [] if there is none."""
        path = self.course / "students.csv"
        if not path.is_file():
            return []
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        if rows and "id" not in rows[0]:
            raise CourseError(f"{path} has no column 'id'.", f"Its columns are: {', '.join(ROSTER_COLUMNS)}.")
        return [{key: (row.get(key) or "").strip() or None for key in ROSTER_COLUMNS} for row in rows if row["id"]]

    def import_roster(self) -> None:
        """Enter everyone of the roster into the gradebook, so that nobody is absent from its exports."""
        people = self.roster()
        with self.open() as gradebook:
            known = {student.id: student for student in gradebook.students}
            for person in people:
                details = {key: value for key, value in person.items() if key != "id" and value is not None}
                old = known.get(person["id"])
                if old is None or any(getattr(old, key) != value for key, value in details.items()):
                    gradebook.update_or_create_student(person["id"], **details)

    def submitted_units(self) -> list[str]:
        """Units that someone has handed in or that the gradebook knows, in order."""
        names = {folder.name for folder in self.course.glob(f"{self.coursedir.submitted_directory}/*/*/")}
        with self.open() as gradebook:
            names |= {assignment.name for assignment in gradebook.assignments}
        return sorted(names & set(resolve_units(None, self.course)))

    def register(self, unit: str) -> None:
        """Enter a unit and its cells into the gradebook, as `nbgrader generate_assignment` does."""
        place = paths(unit, self.course)
        if not place.text.is_file():
            raise CourseError(
                f"There is no {place.text}.", "Grading needs the sources with the hidden tests: a checkout."
            )
        notebook = source_notebook(read_text(place.text), unit)
        resources = {"nbgrader": {"notebook": unit, "assignment": unit, "student": ".", "db_url": self.db_url}}
        with self.open() as gradebook:
            gradebook.update_or_create_assignment(unit)
        try:
            for step in release_steps(SaveCells):
                notebook, resources = step(config=self.config).preprocess(notebook, resources)
        except RuntimeError as error:
            raise CourseError(
                f"{unit}: {error}.",
                "The unit's exercises have changed since it was graded. Grade it in a fresh course folder, or remove "
                f"its marks first: nbgrader db assignment remove {unit} --force.",
            ) from error

    def submission(self, student: str, unit: str) -> Submission:
        """What `grade_one` needs for one student's unit."""
        folder = self.place(self.coursedir.submitted_directory, student, unit)
        return Submission(student, unit, folder, paths(unit, self.course).text.parent, self.db_url, self.config)

    # ---------------------------------------- writing

    def record(self, executed: Executed) -> Result:
        """Enter what `grade_one` found: points into the gradebook, notebook into `autograded`, status beside them."""
        submission = executed.submission
        if executed.notebook is not None:
            self._record_points(executed)
        result = self.result(submission.student, submission.unit, executed)
        file = self.status_file(submission.student, submission.unit)
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".{file.name}.new")
        fresh.write_text(json.dumps(asdict(result), indent=1, ensure_ascii=False), encoding="utf-8")
        fresh.replace(file)
        return result

    def _record_points(self, executed: Executed) -> None:
        submission, notebook = executed.submission, executed.notebook
        student, unit = submission.student, submission.unit
        target = self.place(self.coursedir.autograded_directory, student, unit)
        staged = target.with_name(f".{unit}.new")
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir(parents=True)
        _copy_files(submission.folder, staged, unit)
        stamp = submission.folder / "timestamp.txt"
        if stamp.is_file():
            shutil.copyfile(stamp, staged / stamp.name)
        nbformat.write(notebook, staged / f"{unit}.ipynb")
        timestamp = self._timestamp(submission.folder)
        with self.open() as gradebook:
            gradebook.update_or_create_student(student)
            details = {"timestamp": timestamp} if timestamp else {}
            gradebook.update_or_create_submission(unit, student, **details)
        resources = {"nbgrader": {"student": student, "assignment": unit, "notebook": unit, "db_url": self.db_url}}
        for step in (SaveAutoGrades, AssignLatePenalties):
            notebook, resources = step(config=self.config).preprocess(notebook, resources)
        if target.exists():
            shutil.rmtree(target)
        staged.replace(target)

    def _timestamp(self, folder: Path) -> Any:
        try:
            return self.coursedir.get_existing_timestamp(str(folder))
        except Exception:  # not a time that anyone can read; nbgrader's own report of it fails, too
            return None

    # ---------------------------------------- reading

    def result(self, student: str, unit: str, executed: Executed | None = None) -> Result:
        """The result of a student's unit: points from the gradebook (marks by hand included), the rest from grading."""
        if executed is None:
            executed = self._remembered(student, unit)
        with self.open() as gradebook:
            try:
                maximum = gradebook.find_assignment(unit).max_score
            except MissingEntry:
                maximum = 0.0
            result = Result(student, unit, executed.status, None, maximum, note=executed.note)
            if executed.status in (MISSING, UNREADABLE, NOT_GRADED):
                return result
            try:
                submission = gradebook.find_submission(unit, student)
            except MissingEntry:
                return Result(student, unit, NOT_GRADED, None, maximum, note="the gradebook has no entry")
            result.late_seconds = submission.total_seconds_late
            result.score = max(0.0, submission.score - submission.late_submission_penalty)
            grades = {grade.name: grade for notebook in submission.notebooks for grade in notebook.grades}
            result.needs_manual = any(grade.needs_manual_grade for grade in grades.values())
            for exercise in executed.exercises:
                grade = grades.get(exercise.exercise) or grades.get(f"test-{exercise.exercise}")
                points = exercise.points
                if grade is not None:
                    open_ = grade.needs_manual_grade and grade.manual_score is None
                    points = None if open_ else grade.score
                note = "" if exercise.note == "marked by hand" and points is not None else exercise.note
                result.exercises.append(
                    ExerciseResult(exercise.exercise, points, exercise.max_points, exercise.misconception, note)
                )
        if result.status in (GRADED, NEEDS_MANUAL):
            result.status = NEEDS_MANUAL if result.needs_manual else GRADED
        return result

    def _remembered(self, student: str, unit: str) -> Executed:
        submission = self.submission(student, unit)
        file = self.status_file(student, unit)
        if file.is_file():
            known = Result.from_dict(json.loads(file.read_text(encoding="utf-8")))
            return Executed(submission, None, known.status, known.note, known.exercises)
        graded = self.place(self.coursedir.autograded_directory, student, unit) / f"{unit}.ipynb"
        if graded.is_file():  # by nbgrader's own command
            notebook = nbformat.read(graded, as_version=4)
            exercises = read_exercises(notebook)
            return Executed(submission, None, overall(exercises, is_all_untouched(notebook)), "", exercises)
        if submission.folder.is_dir():
            return Executed(submission, None, NOT_GRADED, "handed in, not graded yet")
        return Executed(submission, None, MISSING)


def grade(
    units: list[str] | None = None,
    course: Path | None = None,
    students: list[str] | None = None,
    timeout: int | None = None,
    progress: Progress | None = None,
    workers: int = 1,
) -> list[Result]:
    """Grade `units` (None: those that someone has handed in) of everyone on the roster, or of `students`.

    Never stops at a submission: what cannot be graded gets a status. `timeout`: seconds per cell, else the course's.
    `workers`: how many submissions run at the same time, each in its own process; this one writes alone.
    `progress("student unit", done, total)` is called before each submission and once at the end. Returns one Result per
    student and unit, in the order of the roster.
    """
    book = Book(Path(course) if course is not None else default_course())
    if timeout is not None:
        book.config.ExecuteSubmission.timeout = timeout
    names = resolve_units(units, book.course) if units else book.submitted_units()
    if not names:
        raise CourseError(
            f"Nothing has been handed in: {book.course / book.coursedir.submitted_directory} is empty.",
            "Put notebooks into submitted/STUDENT/UNIT/UNIT.ipynb, or run nbgrader collect, and grade again.",
        )
    book.import_roster()
    everyone = [person["id"] for person in book.roster()]
    unknown = sorted(set(students or []) - set(everyone))
    if unknown:
        raise CourseError(f"Not on the roster: {', '.join(unknown)}.", f"Add them to {book.course / 'students.csv'}.")
    for unit in names:
        book.register(unit)
    jobs = [(student, unit) for student in everyone if not students or student in students for unit in names]
    results = []
    executed = _run_all([book.submission(student, unit) for student, unit in jobs], workers)
    for number, (student, unit) in enumerate(jobs):
        if progress:
            progress(f"{student} {unit}", number, len(jobs))
        results.append(_record(book, next(executed)))
    if progress:
        progress("", len(jobs), len(jobs))
    return results


def _run_all(submissions: list[Submission], workers: int) -> Iterator[Executed]:
    if workers <= 1:
        yield from map(grade_one, submissions)
        return
    # Spawned, not forked: a parent that has talked to a kernel has threads and sockets that no child may inherit.
    context = multiprocessing.get_context("spawn")
    while submissions:
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            futures = [pool.submit(grade_one, submission) for submission in submissions]
            for number, future in enumerate(futures):
                try:
                    yield future.result()
                except BrokenProcessPool:
                    yield Executed(submissions[number], None, NOT_GRADED, "the process that graded it was killed")
                    submissions = submissions[number + 1 :]
                    break
            else:
                return


def _record(book: Book, executed: Executed) -> Result:
    try:
        return book.record(executed)
    except Exception as error:
        submission = executed.submission
        return book.record(Executed(submission, None, NOT_GRADED, f"not recorded: {_in_a_line(error)}"))


def results(units: list[str] | None = None, course: Path | None = None) -> list[Result]:
    """What is known of the class now, without grading anything: marks given by hand since are in it."""
    book = Book(Path(course) if course is not None else default_course())
    names = resolve_units(units, book.course) if units else book.submitted_units()
    return [book.result(person["id"], unit) for person in book.roster() for unit in names]

"""Grades a class with nbgrader's preprocessors and gradebook.

`grade_one` reads and runs a submission and touches nothing of the class: a crew of workers does that. `Book.record` is
the one writer of gradebook, notebooks, status and log, one submission at a time, all of it or nothing.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import os
import platform
import re
import stat
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import nbformat
import nbgrader.api
import nbgrader.dbutil
from filelock import FileLock, Timeout
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    AssignLatePenalties,
    SaveAutoGrades,
    SaveCells,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError, SAWarning
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

import autodiff_lab
from autodiff_lab.errors import UserError, typed, warn
from autodiff_lab.grading import audit, cells, fingerprint, journal, pool, split, submitted, warm
from autodiff_lab.grading.build import read_text, release_steps, source_notebook
from autodiff_lab.grading.course import (
    CourseError,
    all_units,
    default_course,
    exercise_of,
    fault_of_id,
    paths,
    resolve_units,
)
from autodiff_lab.grading.execute import ExecuteSubmission
from autodiff_lab.grading.inbox import Submitted, hint, is_submitted, look, told
from autodiff_lab.grading.intake import TakenIn, copy_given, copy_helpers, take_in
from autodiff_lab.grading.matching import notes_in, other_releases, release_of
from autodiff_lab.grading.notes import for_teacher, shown
from autodiff_lab.grading.results import (
    GRADED,
    MISSING,
    NEEDS_MANUAL,
    NO_SCORE,
    NOT_GRADED,
    ExerciseResult,
    Result,
    is_all_untouched,
    overall,
    read_exercises,
)
from autodiff_lab.grading.sanitize import time_of

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
    story: dict[str, Any] = field(default_factory=dict)
    """For the log: what was read and repaired, and where and for how long it ran. Plain data."""


# ---------------------------------------------------------------- one submission


def read_submission(submission: Submission) -> TakenIn:
    """What was handed in, matched with the release. Raises BuildError if the unit itself is broken."""
    unit = submission.unit
    release = release_of(submission.source_folder / f"{unit}.py", unit, submission.config)
    return take_in(submission.folder, release, lambda: other_releases(submission.source_folder))


def grade_one(submission: Submission) -> Executed:
    """Read, restore and run one submission. Never raises: what goes wrong is a status. Writes nothing of the class."""
    begun = time.monotonic()
    try:
        taken = read_submission(submission)
        if taken.notebook is None:
            executed = Executed(submission, None, taken.status, taken.why)
        else:
            try:
                executed = _execute(submission, taken)
            except split.JudgeBroke:  # once may be chance: the system was short of memory
                executed = _execute(submission, read_submission(submission))
        executed.story["read"] = taken.file.name if taken.file is not None else None
        executed.story["repaired"] = [[note.kind, note.about] for note in taken.notes]
    except Exception as error:
        executed = Executed(submission, None, NOT_GRADED, _in_a_line(error))
    executed.story["seconds"] = round(time.monotonic() - begun, 3)
    executed.story["worker"] = f"{platform.node()}:{os.getpid()}"
    return executed


def warm_up(trust_students: bool, hidden: tuple[Path, ...]) -> None:
    """Start what a worker keeps for all of its submissions; does not wait for it."""
    split.start_judge(trust_students, hidden)
    if not trust_students:
        warm.keep(hidden)


def _lost(submission: Submission, why: str) -> Executed:
    return Executed(submission, None, NOT_GRADED, why)


def _in_a_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:300]}"


def _execute(submission: Submission, taken: TakenIn) -> Executed:
    notebook = taken.notebook
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
        copy_helpers(submission.folder, Path(scratch))
        copy_given(submission.source_folder, Path(scratch), submission.unit)
        resources["metadata"]["path"] = scratch
        # Nothing of nbgrader's metadata is the student's: there is none to check.
        notebook, _ = ExecuteSubmission(config=submission.config).preprocess(notebook, resources)
    exercises = read_exercises(notebook)
    status = overall(exercises, is_all_untouched(notebook))
    return Executed(submission, notebook, status, for_teacher(taken.notes), exercises)


def _source(notebook: NotebookNode, grade_id: str) -> str | None:
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id:
            return str(cell.source)
    return None


def _table(path: Path) -> tuple[csv.DictReader[str], int]:
    """The rows of a table as spreadsheets write it in any country, and how many lines stand above its heading."""
    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    elif b"\0" in data[:2]:  # UTF-16 without its mark: the heading is ASCII
        text = data.decode("utf-16-le" if data[1] == 0 else "utf-16-be", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:  # Excel's "CSV" in western Europe
            text = data.decode("cp1252", "replace")
    lines = io.StringIO(text, newline="").readlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if re.fullmatch(r"sep=.", lines[first].strip() if lines else ""):
        first += 1  # Excel's own line, which says what divides the columns
    heading = lines[first] if first < len(lines) else ""
    return csv.DictReader(lines[first:], delimiter=max(",;\t", key=heading.count)), first


# ---------------------------------------------------------------- the class


def gradebook_exists(db_url: str) -> bool:
    """Whether there is a gradebook. nbgrader would make one to find out."""
    url = make_url(db_url)
    return url.get_backend_name() != "sqlite" or not url.database or Path(url.database).is_file()


@cache
def schema_version() -> str:
    """The newest of nbgrader's migrations, which a new gradebook bears.

    nbgrader asks the program `alembic`, which costs a second or two and is not found in an environment that is used
    without being activated.
    """
    from alembic.script import ScriptDirectory

    return str(ScriptDirectory(nbgrader.dbutil.ALEMBIC_DIR).get_current_head())


nbgrader.api.get_alembic_version = schema_version


class Book:
    """A class's gradebook and folders. The only writer of either.

    Who opens it finishes what a run that was killed had decided and not finished.
    """

    patience = 600.0
    """Seconds to wait for a gradebook that another program has locked, or for room on a full disk."""

    def __init__(self, course: Path, config: Config | None = None) -> None:
        self.course = Path(course).resolve()
        self.config = config if config is not None else load_config(self.course)
        self.coursedir = CourseDirectory(config=self.config)
        self.coursedir.root = str(self.course)
        self.db_url = self.coursedir.db_url
        self.audit_file = self.course / "reports" / "audit.jsonl"
        self._journal = journal.Journal(self.course / self.coursedir.autograded_directory)
        self._lock = FileLock(self.course / "reports" / ".grading.lock", timeout=0)
        self._kept: Gradebook | None = None
        self._warned: set[str] = set()
        self._reached = False  # whether the gradebook could be opened: then a later failure passes
        if self._journal.pending():
            self._recover()

    # ---------------------------------------- the gradebook

    @contextmanager
    def open(self) -> Iterator[Gradebook]:
        """nbgrader's gradebook of this course."""
        if self._kept is not None:
            try:
                yield self._kept
            finally:
                self._kept.db.remove()
            return
        with self._gradebook() as gradebook:
            yield gradebook

    def _gradebook(self) -> Gradebook:
        url = make_url(self.db_url)
        file = Path(url.database or "")
        if url.get_backend_name() == "sqlite" and url.database and not file.exists():
            # nbgrader makes one in several steps; whoever is killed between them would leave half of one.
            fresh = file.with_name(f".{file.name}.new")
            fresh.unlink(missing_ok=True)
            Gradebook(f"sqlite:///{fresh}", self.coursedir.course_id).close()
            fresh.chmod(0o660)
            fresh.replace(file)
        try:
            gradebook = Gradebook(self.db_url, self.coursedir.course_id)
        except (OperationalError, ModuleNotFoundError) as error:
            if self._reached or url.get_backend_name() == "sqlite":
                raise
            raise CourseError(
                f"The gradebook {url.render_as_string()} cannot be opened: {getattr(error, 'orig', error)}".strip(),
                f"pip install {error.name}"
                if isinstance(error, ModuleNotFoundError)
                else "Start the database, or mend CourseDirectory.db_url in nbgrader_config.py.",
            ) from error
        self._reached = True
        return gradebook

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Within it `open` takes up one connection again and again. Opening anew costs as much as recording."""
        with self._gradebook() as gradebook:
            self._kept = gradebook
            try:
                yield
            finally:
                self._kept = None

    @contextmanager
    def transaction(self) -> Iterator[Gradebook]:
        """The gradebook, in which all is changed or, after an error, nothing. By itself nbgrader commits each line."""
        with self.open() as gradebook:
            session = gradebook.db()

            def settle() -> None:
                session.flush()
                session.expire_all()

            gradebook.db.commit = settle
            try:
                yield gradebook
                session.commit()
            except BaseException:
                session.rollback()
                raise
            finally:
                del gradebook.db.commit

    def close_to_others(self) -> None:
        """Let nobody but the owner and the group read the course's folders and its gradebook; tell what was open.

        Made by hand they have what the umask gives, which mostly lets everyone on the machine read them.
        """
        if os.name != "posix":
            return
        steps = self.coursedir
        for name in (steps.autograded_directory, steps.feedback_directory, "reports"):
            (self.course / name).mkdir(mode=0o770, exist_ok=True)
        url = make_url(self.db_url)
        book = [Path(url.database)] if url.get_backend_name() == "sqlite" and url.database else []
        folders = (steps.source_directory, steps.submitted_directory, steps.autograded_directory)
        names = (*folders, steps.feedback_directory, "reports", "students.csv")
        opened, left = [], []
        for path in (*book, *(self.course / name for name in names)):
            try:
                mode = path.stat().st_mode
                if mode & 0o007:
                    path.chmod(stat.S_IMODE(mode) & ~0o007)
                    opened.append(path.name)
            except FileNotFoundError:
                continue
            except OSError:  # somebody else's
                left.append(path.name)
        if opened:
            told = f"everyone on this machine could read {', '.join(opened)}; now only you and your group can"
            print(f"Note: {told}.", file=sys.stderr)
        if left:
            self.warn(f"everyone on this machine can read {', '.join(left)}", "their owner can fix that: chmod o-rwx")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the one who writes. Raises CourseError if another process is."""
        Path(self._lock.lock_file).parent.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire()
        except Timeout:
            raise CourseError("This course is being graded by another process.", "Wait until that has ended.") from None
        try:
            yield
        finally:
            self._lock.release()

    def patiently(self, action: Callable[[], Any]) -> Any:
        """Do something that writes; waits while the gradebook is locked or the disk is full."""
        return journal.patiently(action, self.patience)

    def _recover(self) -> None:
        try:
            with self.writing():
                if self._journal.pending():
                    self.patiently(self._finish)
        except CourseError:  # whoever writes now is the one who finishes it
            return

    def place(self, step: str, student: str, unit: str) -> Path:
        """nbgrader's folder of a student's unit in one of its steps (submitted, autograded, feedback)."""
        return Path(self.coursedir.format_path(step, student, unit))

    def status_file(self, student: str, unit: str) -> Path:
        """Where the last result of a student's unit is kept, for what a gradebook has no column for."""
        return self.course / "reports" / "results" / unit / f"{student}.json"

    # ---------------------------------------- roster and units

    def submitted(self) -> Submitted:
        """Whose units lie in the course's folder of submissions, and what lies there elsewhere."""
        graded_before = {folder.name for folder in self.course.glob("reports/results/*/")}
        return look(self.course / self.coursedir.submitted_directory, {*all_units(self.course), *graded_before})

    def roster(self) -> list[dict[str, Any]]:
        """Everyone: students.csv, the gradebook, and whoever handed something in. Sorted by name; plain data.

        What cannot be an id is left out, with a warning that says where it stands.
        """
        people: dict[str, dict[str, Any]] = {}
        if gradebook_exists(self.db_url):
            with self.open() as gradebook:
                for student in gradebook.students:
                    how = f"remove it: {typed('nbgrader db student remove ID --force')}"
                    if self.is_id(student.id, "the gradebook", how):
                        people[student.id] = {key: getattr(student, key) for key in ROSTER_COLUMNS}
        for row in self.read_roster_file():
            people[row["id"]] = {**people.get(row["id"], {}), **row}
        for student in self.submitted().students:
            if self.is_id(student, f"the folder {self.coursedir.submitted_directory}", "rename it"):
                people.setdefault(student, {"id": student})
        for person in people.values():
            for key in ROSTER_COLUMNS:
                person.setdefault(key, None)
        return sorted(
            people.values(), key=lambda p: ((p["last_name"] or "").casefold(), p["first_name"] or "", p["id"])
        )

    def is_id(self, name: str, where: str, hint: str = "") -> bool:
        """Whether `name`, which stands in `where`, can be a student's id; else a warning is printed once."""
        fault = fault_of_id(name)
        if fault:
            self.warn(f"{where}: {shown(name)!r} cannot be a student's id, and is left out: {fault}", hint)
        return fault is None

    def warn(self, message: str, hint: str = "") -> None:
        """Print a warning, once in the life of this object."""
        if message not in self._warned:
            self._warned.add(message)
            warn(f"{message}. {hint[:1].upper()}{hint[1:]}{'.' * bool(hint)}".rstrip())

    def watched(self) -> list[Path]:
        """Files and folders that decide what `grade` finds; none if they are not all, or it warned of something."""
        url = make_url(self.db_url)
        if url.get_backend_name() != "sqlite" or not url.database or self._warned:
            return []
        steps = (self.coursedir.submitted_directory, self.coursedir.autograded_directory, "source", "reports/results")
        files = ("nbgrader_config.py", "students.csv")
        return [Path(url.database), *(self.course / name for name in (*files, *steps))]

    def read_roster_file(self) -> list[dict[str, Any]]:
        """students.csv, with the columns of `nbgrader db student import`; [] if there is none.

        A row whose id cannot be one, or stands in a row above, is left out with a warning.
        """
        path = self.course / "students.csv"
        if not path.is_file():
            return []
        found: dict[str, dict[str, Any]] = {}
        lines: dict[str, int] = {}
        reader, skipped = _table(path)
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ["id"]]
        if "id" not in reader.fieldnames:
            raise CourseError(f"{path} has no column 'id'.", f"Its columns are: {', '.join(ROSTER_COLUMNS)}.")
        for row in reader:
            line = reader.line_num + skipped
            person = {key: (row.get(key) or "").strip() or None for key in ROSTER_COLUMNS}
            name = person["id"]
            if name is None:
                if any(person.values()):
                    self.warn(f"{path.name}, line {line}: the row has no id, and is left out")
            elif name in found:
                self.warn(f"{path.name}: the id {name!r} stands in lines {lines[name]} and {line}; the first counts")
            elif self.is_id(name, f"{path.name}, line {line}"):
                found[name], lines[name] = person, line
        return list(found.values())

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
        names = {unit for units in self.submitted().students.values() for unit in units}
        if gradebook_exists(self.db_url):
            with self.open() as gradebook:
                names |= {assignment.name for assignment in gradebook.assignments}
        return sorted(names & set(resolve_units(None, self.course)))

    def register(self, unit: str) -> None:
        """Enter a unit and its cells, as `nbgrader generate_assignment` does, unless they stand in the gradebook."""
        place = paths(unit, self.course)
        if not place.text.is_file():
            raise CourseError(
                f"There is no {place.text}.", "Grading needs the sources with the hidden tests: a checkout."
            )
        with self.open() as gradebook:
            wanted = cells.to_enter(release_of(place.text, unit, self.config).cells)
            if cells.in_gradebook(gradebook, unit) == wanted:
                return
        notebook = source_notebook(read_text(place.text), unit)
        resources = {"nbgrader": {"notebook": unit, "assignment": unit, "student": ".", "db_url": self.db_url}}
        with self.open() as gradebook:
            gradebook.update_or_create_assignment(unit)
        try:
            for step in release_steps(SaveCells):
                notebook, resources = step(config=self.config).preprocess(notebook, resources)
        except RuntimeError as error:
            with self.open() as gradebook:
                raise cells.refused(gradebook, unit, wanted) from error

    def points(self, unit: str) -> float:
        """What a unit is worth, by its source."""
        source = release_of(paths(unit, self.course).text, unit, self.config).cells
        return sum((cell[2] for cell in cells.to_enter(source) if cell[0] in ("grade", "task")), 0.0)

    def rename(self, unit: str, names: dict[str, str]) -> None:
        """Give exercises of a unit other names in the gradebook (old -> new). They keep their marks."""
        with self.transaction() as gradebook:
            cells.rename(gradebook, unit, names)

    def submission(self, student: str, unit: str) -> Submission:
        """What `grade_one` needs for one student's unit."""
        folder = self.place(self.coursedir.submitted_directory, student, unit)
        return Submission(student, unit, folder, paths(unit, self.course).text.parent, self.db_url, self.config)

    # ---------------------------------------- writing

    def record(self, executed: Executed, **event: Any) -> Result:
        """Enter what `grade_one` found: points, notebook, status, and `event` in the log; all of it or nothing.

        Waits while the gradebook is locked or the disk full; raises UserError if that takes longer than `patience`.
        What cannot be recorded for another reason gets the status "not graded", and nothing else of it changes.
        """
        submission = executed.submission
        with self.writing():
            if self._journal.pending():
                self.patiently(self._finish)
            try:
                self.patiently(lambda: self._journal.decide(lambda folder: self._put_together(folder, executed, event)))
                return self.patiently(self._finish)
            except UserError:
                raise
            except Exception as error:
                self._journal.clear()
                if executed.status == NOT_GRADED:
                    raise
                failed = Executed(submission, None, NOT_GRADED, f"not recorded: {_in_a_line(error)}")
                return self.record(failed, **event)

    def _put_together(self, folder: Path, executed: Executed, event: dict[str, Any]) -> None:
        submission = executed.submission
        student, unit = submission.student, submission.unit
        if executed.notebook is not None:
            staged = folder / unit
            staged.mkdir()
            copy_helpers(submission.folder, staged)
            if stamp := submitted.stamp(submission.folder):
                (staged / submitted.STAMP).write_text(stamp, encoding="utf-8")
            nbformat.write(executed.notebook, staged / f"{unit}.ipynb")
        entry = {
            "student": student,
            "unit": unit,
            "has_notebook": executed.notebook is not None,
            "status": executed.status,
            "note": executed.note,
            "exercises": [asdict(exercise) for exercise in executed.exercises],
            "event": {"id": uuid.uuid4().hex[:16], **event, **executed.story},
        }
        text = json.dumps(entry, ensure_ascii=False)
        (folder / "entry.json").write_bytes(text.encode("utf-8", "backslashreplace"))

    def _finish(self) -> Result:
        """Carry out what the journal holds. Every step may be done again: nobody knows at which a process is killed."""
        folder = self._journal.entry
        entry = json.loads((folder / "entry.json").read_text(encoding="utf-8"))
        student, unit, event = entry["student"], entry["unit"], entry["event"]
        target = self.place(self.coursedir.autograded_directory, student, unit)
        exercises = [ExerciseResult(**exercise) for exercise in entry["exercises"]]
        executed = Executed(self.submission(student, unit), None, entry["status"], entry["note"], exercises)
        stands: dict[str, Any] = {}
        with self.transaction() as gradebook:
            if entry["has_notebook"]:
                place = folder / unit if (folder / unit).is_dir() else target
                notebook = submitted.notebook(place, f"{unit}.ipynb")
                before = self._read(self.marked_last(student, unit))
                self._enter(gradebook, student, unit, notebook, before, self._timestamp(place))
                stands = {
                    **self._stand(gradebook, student, unit),
                    "notebook": fingerprint.of_file(place / f"{unit}.ipynb"),
                }
            result = self._result(gradebook, student, unit, executed)
        if entry["has_notebook"]:
            journal.swap(folder / unit, target)
        recorded = {**stands, "fingerprint": event.get("fingerprint", ""), "version": autodiff_lab.__version__}
        text = json.dumps({**asdict(result), "recorded": recorded}, indent=1, ensure_ascii=False)
        journal.write(self.status_file(student, unit), text)
        told = {"student": student, "unit": unit, "status": result.status, "score": result.score, "note": result.note}
        points = {exercise.exercise: exercise.points for exercise in result.exercises}
        self.log("recorded", **told, points=points, **event)
        self._journal.clear()
        return result

    def tidy(self) -> None:
        """Remove what a process that was killed had not decided yet."""
        if not self._journal.pending():
            self._journal.clear()

    def log(self, event: str, **details: Any) -> None:
        """A line in the audit log."""
        audit.append(
            self.audit_file, {"time": audit.now(), "event": event, "version": autodiff_lab.__version__, **details}
        )

    def _enter(
        self,
        gradebook: Gradebook,
        student: str,
        unit: str,
        notebook: NotebookNode,
        before: NotebookNode | None,
        timestamp: Any,
    ) -> None:
        """Points and penalty into the gradebook, by nbgrader's own rules. `before`: the notebook marked last."""
        gradebook.update_or_create_student(student)
        gradebook.update_or_create_submission(unit, student, timestamp=timestamp)
        about = {"student": student, "assignment": unit, "notebook": unit, "db_url": self.db_url}
        save = SaveAutoGrades(config=self.config)
        save.gradebook = gradebook
        save.student_id, save.assignment_id, save.notebook_id = student, unit, unit
        settled = self._settled(gradebook, student, unit, notebook, before)
        for index, cell in enumerate(notebook.cells):
            save.preprocess_cell(cell, {"nbgrader": about}, index)
        for name in settled:
            gradebook.find_grade(name, unit, unit, student).needs_manual_grade = False
        gradebook.db.commit()
        part = gradebook.find_submission_notebook(unit, unit, student)
        part.late_submission_penalty = self._penalty(gradebook, student, unit)
        gradebook.db.commit()

    def _settled(
        self, gradebook: Gradebook, student: str, unit: str, notebook: NotebookNode, before: NotebookNode | None
    ) -> list[str]:
        """Answers with a mark by hand that is not open again: neither the answer nor what the tests gave has changed.

        nbgrader opens every mark by hand again, whenever it grades.
        """
        if before is None:
            return []
        found = []
        for grade in gradebook.find_submission_notebook(unit, unit, student).grades:
            if grade.manual_score is None or grade.needs_manual_grade:
                continue
            names = {grade.name, exercise_of(grade.name)}
            if all(_source(notebook, name) == _source(before, name) for name in names):
                found.append(grade.name)
        return found

    def _penalty(self, gradebook: Gradebook, student: str, unit: str) -> float | None:
        """What lateness costs, by the course's settings."""
        submission = gradebook.find_submission(unit, student)
        late = submission.total_seconds_late
        if late <= 0:
            return None
        assign = AssignLatePenalties(config=self.config)
        assign.init_plugin()
        part = gradebook.find_submission_notebook(unit, unit, student)
        penalty = assign.plugin_inst.late_submission_penalty(student, part.score, late)
        return None if penalty is None else assign._check_late_penalty(part, penalty)

    def _stand(self, gradebook: Gradebook, student: str, unit: str) -> dict[str, Any]:
        """What the gradebook has from grading (not from people) of a student's unit."""
        submission = gradebook.find_submission(unit, student)
        part = gradebook.find_submission_notebook(unit, unit, student)
        return {
            "timestamp": submission.timestamp.isoformat() if submission.timestamp else None,
            "auto": {grade.name: grade.auto_score for grade in part.grades},
            "penalty": part.late_submission_penalty,
        }

    def marked_last(self, student: str, unit: str) -> Path:
        """The notebook that the marks in the gradebook are for."""
        return self.place(self.coursedir.autograded_directory, student, unit) / f"{unit}.ipynb"

    def _read(self, path: Path) -> NotebookNode | None:
        try:
            return submitted.notebook(path.parent, path.name)
        except Exception:  # none, or one that someone has spoilt
            return None

    def _timestamp(self, folder: Path) -> Any:
        return time_of(folder)

    # ---------------------------------------- reading

    def result(self, student: str, unit: str, executed: Executed | None = None) -> Result:
        """The result of a student's unit: points from the gradebook (marks by hand included), the rest from grading."""
        if executed is None:
            executed = self._remembered(student, unit)
        with self.open() as gradebook:
            return self._result(gradebook, student, unit, executed)

    def _result(self, gradebook: Gradebook, student: str, unit: str, executed: Executed) -> Result:
        try:
            maximum = gradebook.find_assignment(unit).max_score
        except MissingEntry:
            maximum = 0.0
        result = Result(student, unit, executed.status, None, maximum, note=executed.note)
        if executed.status in NO_SCORE:
            return result
        try:
            submission = gradebook.find_submission(unit, student)
        except MissingEntry:
            return Result(student, unit, NOT_GRADED, None, maximum, note="the gradebook has no entry")
        result.late_seconds = submission.total_seconds_late
        result.score = max(0.0, submission.score - submission.late_submission_penalty)
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        result.needs_manual = any(grade.needs_manual_grade for grade in grades)
        for exercise in executed.exercises:
            own = [grade for grade in grades if exercise_of(grade.name) == exercise.exercise]
            points = exercise.points
            if own:
                open_ = any(grade.needs_manual_grade and grade.manual_score is None for grade in own)
                points = None if open_ else sum(grade.score for grade in own)
            note = "" if exercise.note == "marked by hand" and points is not None else exercise.note
            result.exercises.append(replace(exercise, points=points, note=note))
        if result.status in (GRADED, NEEDS_MANUAL):
            result.status = NEEDS_MANUAL if result.needs_manual else GRADED
        return result

    def unchanged(self, student: str, unit: str, mark: str) -> Result | Executed | None:
        """What is known of a submission whose fingerprint is `mark`, without running it; None if it has to run.

        A Result where the class's book says the same. An Executed, to be recorded again, where only that has changed
        which needs no run: the time it was handed in, a due date, the settings of late penalties, or the gradebook.
        """
        status = self._status(student, unit)
        recorded = status.get("recorded", {})
        if not mark or recorded.get("fingerprint") != mark or status["status"] == NOT_GRADED:
            return None
        if "notebook" not in recorded:
            return self.result(student, unit)
        file = self.marked_last(student, unit)
        if fingerprint.of_file(file) != recorded["notebook"]:
            return None
        submission = self.submission(student, unit)
        with self.open() as gradebook:
            try:
                stands = self._stand(gradebook, student, unit)
                stamp = self._timestamp(submission.folder)
                wanted = {
                    "timestamp": stamp.isoformat() if stamp else None,
                    "auto": recorded["auto"],
                    "penalty": self._penalty(gradebook, student, unit),
                }
                if stands == wanted:
                    return self._result(gradebook, student, unit, self._remembered(student, unit))
            except MissingEntry:
                pass
        notebook = submitted.notebook(file.parent, file.name)
        status_before = GRADED if status["status"] == NEEDS_MANUAL else status["status"]
        return Executed(submission, notebook, status_before, status["note"], read_exercises(notebook))

    def _status(self, student: str, unit: str) -> dict[str, Any]:
        try:
            status = json.loads(self.status_file(student, unit).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return status if isinstance(status, dict) else {}

    def _remembered(self, student: str, unit: str) -> Executed:
        submission = self.submission(student, unit)
        status = self._status(student, unit)
        if status:
            known = Result.from_dict(status)
            return Executed(submission, None, known.status, known.note, known.exercises)
        graded = self.place(self.coursedir.autograded_directory, student, unit) / f"{unit}.ipynb"
        if graded.is_file():  # by nbgrader's own command
            notebook = submitted.notebook(graded.parent, graded.name)
            exercises = read_exercises(notebook)
            note = for_teacher(notes_in(notebook))
            return Executed(submission, None, overall(exercises, is_all_untouched(notebook)), note, exercises)
        if submission.folder.is_dir():
            return Executed(submission, None, NOT_GRADED, "handed in, not graded yet")
        return Executed(submission, None, MISSING)


def grade(
    units: list[str] | None = None,
    course: Path | Book | None = None,
    students: list[str] | None = None,
    timeout: int | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
    trust_students: bool = False,
    resume: bool = False,
    dask: str | None = None,
    renamed: dict[str, str] | None = None,
) -> list[Result]:
    """Grade `units` (None: those that someone has handed in) of everyone on the roster, or of `students`.

    Never stops at a submission: what cannot be graded gets a status. `course`: its folder, or its book.
    `timeout`: seconds per cell, else the course's.
    `workers`: how many submissions run at the same time, each in its own process (None: all in this one); `dask`: the
    address of a Dask cluster to run them on instead. Either way this process writes alone. `trust_students`: without a
    sandbox; else a UserError is raised where there is none, before anything runs. `resume`: what is unchanged since it
    was recorded is not run again. `renamed`: exercises of the one unit that have another name since (old -> new); they
    keep the marks that they have. `progress("student unit", done, total)` is called after each submission.
    Returns one Result per student and unit, in the order of the roster.
    """
    book = course if isinstance(course, Book) else Book(Path(course) if course is not None else default_course())
    if timeout is not None:
        book.config.ExecuteSubmission.timeout = timeout
    if trust_students:
        book.config.ExecuteSubmission.trust_students = True
    # What the person asks for is checked before the machine is, and the machine only where something has to run.
    names = resolve_units(units, book.course) if units else book.submitted_units()
    if renamed and len(names) != 1:
        raise CourseError(
            "Exercises are renamed in one unit at a time.", "Name the unit: grade UNIT --renamed OLD=NEW."
        )
    strays = told(book.submitted().strays)
    if not names and not strays:
        raise CourseError(
            f"Nothing has been handed in: {book.course / book.coursedir.submitted_directory} is empty.",
            f"Run {typed('collect')}, or put notebooks into submitted/STUDENT/UNIT/UNIT.ipynb, and grade again.",
        )
    everyone = [person["id"] for person in book.patiently(book.roster)]
    unknown = sorted(set(students or []) - set(everyone))
    if unknown:
        raise CourseError(f"Not on the roster: {', '.join(unknown)}.", f"Add them to {book.course / 'students.csv'}.")
    jobs = [(student, unit) for student in everyone if not students or student in students for unit in names]
    to_run = sum(is_submitted(book.submission(*job).folder) for job in jobs)
    if strays and not to_run:
        raise CourseError(f"Nothing can be graded: {'; '.join(strays)}.", hint())
    if not to_run and not gradebook_exists(book.db_url):  # it takes long to make, and there is nothing to enter yet
        return [Result(student, unit, MISSING, None, book.points(unit)) for student, unit in jobs]
    execute = ExecuteSubmission(config=book.config)
    if to_run:
        execute.require_sandbox()
        workers = workers and min(workers, to_run)
    begin = partial(warm_up, execute.trust_students, (book.course.resolve(),))
    with book.writing(), pool.crew(grade_one, _lost, workers, dask, begin) as crew:
        book.close_to_others()
        if to_run and not resume:  # else it may be that nothing has to run
            crew.get_ready()
        book.patiently(book.import_roster)
        if renamed:
            book.patiently(lambda: book.rename(names[0], renamed))
        for unit in names:
            book.patiently(lambda unit=unit: book.register(unit))
        with book.kept_open():
            found = _grade_all(book, crew, jobs, resume, progress)
    return [found[job] for job in jobs]


def _grade_all(
    book: Book,
    crew: pool.Crew[Submission, Executed],
    jobs: list[tuple[str, str]],
    resume: bool,
    progress: Progress | None,
) -> dict[tuple[str, str], Result]:
    run = uuid.uuid4().hex[:8]
    found: dict[tuple[str, str], Result] = {}
    marks: dict[tuple[str, str], str] = {}

    def keep(result: Result) -> None:
        found[result.student, result.unit] = result
        if progress:
            progress(f"{result.student} {result.unit}", len(found), len(jobs))

    def to_run() -> Iterator[Submission]:
        """What has to run; the rest is dealt with on the way."""
        for student, unit in jobs:
            submission = book.submission(student, unit)
            mark = _mark(submission)
            known = book.unchanged(student, unit, mark) if resume else None
            if known is None and not is_submitted(submission.folder):
                keep(book.record(grade_one(submission), run=run, cache="off", fingerprint=mark))
            elif known is None:
                marks[student, unit] = mark
                yield submission
            elif isinstance(known, Executed):
                keep(book.record(known, run=run, cache="hit", fingerprint=mark))
            else:
                details = {"student": student, "unit": unit, "status": known.status, "score": known.score}
                book.patiently(
                    lambda details=details, mark=mark: book.log(
                        "unchanged", run=run, cache="hit", fingerprint=mark, **details
                    )
                )
                keep(known)

    book.patiently(lambda: book.log("begun", run=run, submissions=len(jobs), environment=fingerprint.environment()))
    for submission, executed in crew.run(to_run()):
        mark = marks.pop((submission.student, submission.unit))
        keep(book.record(executed, run=run, cache="miss" if resume else "off", fingerprint=mark))
    book.patiently(lambda: book.log("ended", run=run, submissions=len(found)))
    book.tidy()
    return found


def _mark(submission: Submission) -> str:
    try:
        return fingerprint.fingerprint(submission.folder, submission.source_folder, submission.config)
    except OSError:  # a file that may not be read: never taken for unchanged
        return ""


def results(units: list[str] | None = None, course: Path | None = None) -> list[Result]:
    """What is known of the class now, without grading anything: marks given by hand since are in it."""
    book = Book(Path(course) if course is not None else default_course())
    names = resolve_units(units, book.course) if units else book.submitted_units()
    return [book.result(person["id"], unit) for person in book.roster() for unit in names]

"""Running and recording a class: nothing is lost, mixed, left behind or done twice, whatever happens in between."""

import contextlib
import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from nbgrader import dbutil
from sqlalchemy.orm import Session

from autodiff_lab.errors import UserError
from autodiff_lab.grading import audit, changes, fingerprint, journal, pool
from autodiff_lab.grading import grade as grading
from autodiff_lab.grading.course import CourseError
from autodiff_lab.grading.grade import Book, Executed, Submission, grade
from autodiff_lab.grading.late import LatePenalty
from autodiff_lab.grading.results import Result

from .conftest import ROOT, UNIT, make_course
from .quick import command, hand_in, quick, run, snapshot, workers_of

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

DIRECT = "def gradients(x, y):\n    return y, x + y"


@pytest.fixture(autouse=True)
def not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Book, "patience", 60.0)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The students whose work was run, not only looked up; running is quick."""
    names: list[str] = []

    def noted(submission: Submission) -> Executed:
        names.append(submission.student)
        return quick(submission)

    monkeypatch.setattr(grading, "grade_one", noted)
    return names


def regrade(course: Path, **options: Any) -> dict[str, Result]:
    return {result.student: result for result in grade([UNIT], course, trust_students=True, **options)}


def change_answer(course: Path, student: str, code: str = DIRECT) -> None:
    file = course / "submitted" / student / UNIT / f"{UNIT}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "gradients").source = code
    nbformat.write(notebook, file)


def having_tests(change: Callable[[Any, str], list[dict[str, Any]]]) -> Callable[[Submission], Executed]:
    """A `grade_one` whose test cells have the outputs `change(submission, grade_id)`."""

    def one(submission: Submission) -> Executed:
        executed = quick(submission)
        if executed.notebook is not None:
            for cell in executed.notebook.cells:
                name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
                if name.startswith("test-"):
                    cell.outputs = [nbformat.from_dict(output) for output in change(submission, name)]
            executed.exercises = grading.read_exercises(executed.notebook)
        return executed

    return one


FAILED = [{"output_type": "error", "ename": "WrongAnswer", "evalue": "no", "traceback": []}]


# ---------------------------------------------------------------- old or new, never mixed


class Killed(BaseException):
    """The process ends here."""


STEPS = {
    "while the notebook is written": (nbformat, "write", 0),
    "before it is decided": (journal, "_sync", 0),
    "when it is decided": (grading.Book, "_finish", 0),
    "before the points are committed": (Session, "commit", 0),
    "when the points are committed": (journal, "swap", 0),
    "before the old folder is moved": (Path, "replace", 1),
    "between the old folder and the new": (Path, "replace", 2),
    "before the status is written": (journal, "write", 0),
    "before the log is written": (audit, "append", 0),
    "before the record is cleared": (journal.Journal, "clear", 0),
    "while the record is cleared": (journal, "_remove", -1),
}


all_fail = having_tests(lambda submission, name: FAILED)


@pytest.fixture(scope="module")
def graded_and_changed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """A course whose only submission was handed in again since, and what is recorded now and what will be."""
    course = make_course(tmp_path_factory.mktemp("changed"))
    (student,) = hand_in(course, 1)
    run(course)
    change_answer(course, student)
    reference = course.parent / "reference"
    shutil.copytree(course, reference)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "grade_one", all_fail)
        regrade(reference)
    return course, snapshot(course), snapshot(reference)


@pytest.mark.parametrize("step", STEPS)
def test_who_is_killed_at_any_step_leaves_the_old_or_the_new(
    graded_and_changed: tuple[Path, dict[str, Any], dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    template, old, new = graded_and_changed
    assert old != new
    course = tmp_path / "course"
    shutil.copytree(template, course)
    monkeypatch.setattr(grading, "grade_one", all_fail)
    student = "student0000"
    book = Book(course)
    book.config.ExecuteSubmission.trust_students = True
    executed = grading.grade_one(book.submission(student, UNIT))
    mark = fingerprint.fingerprint(executed.submission.folder, executed.submission.source_folder, book.config)
    owner, name, after = STEPS[step]
    real = getattr(owner, name)
    calls = []

    def die(*args: Any, **options: Any) -> Any:
        calls.append(name)
        if step == "while the record is cleared":
            if not list(args[0].glob("entry.json")):
                return real(*args, **options)
        elif len(calls) <= after:
            return real(*args, **options)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, die)
        with pytest.raises(Killed):
            book.record(executed, fingerprint=mark)
    left = snapshot(course)
    decided = step not in ("while the notebook is written", "before it is decided")
    assert left == (new if decided else old)
    regrade(course, resume=True)
    assert snapshot(course) == new
    assert not list((course / "autograded").glob("**/.*"))
    told = [event for event in audit.read(course / "reports" / "audit.jsonl") if event["event"] == "recorded"]
    assert [event["score"] for event in told] == [80, 0]


KILLS = int(os.environ.get("AUTODIFF_LAB_KILLS", "5"))
"""20 and more: `AUTODIFF_LAB_KILLS=20 pytest tests/grading/test_pool.py -k killed_again`."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the test forks")
def test_a_run_that_is_killed_again_and_again_and_resumed_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    undisturbed, disturbed = make_course(tmp_path / "a"), make_course(tmp_path / "b")
    for course in (undisturbed, disturbed):
        hand_in(course, 40)
    run(undisturbed)
    command = [sys.executable, "-m", "tests.grading.quick", "kill", str(disturbed), str(KILLS), "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    happened = json.loads(done.stdout)
    print(json.dumps(happened))
    assert all(kill["killed"] for kill in happened["kills"]) and happened["kills"][-1]["recorded"] >= KILLS // 2
    assert snapshot(disturbed) == snapshot(undisturbed)
    assert not list((disturbed / "autograded").glob(".*"))
    told = {e["student"] for e in audit.read(disturbed / "reports" / "audit.jsonl") if e["event"] == "recorded"}
    assert len(told) == 40


def test_a_record_that_cannot_be_entered_changes_nothing_but_the_status(
    course: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, 2)
    regrade(course)
    before = snapshot(course)

    def spoil(submission: Submission) -> Executed:
        executed = quick(submission)
        if submission.student == "student0000":
            executed.notebook.cells[0].source = "\ud800"  # half of a character: no file can hold it
        return executed

    monkeypatch.setattr(grading, "grade_one", spoil)
    found = regrade(course)
    assert found["student0000"].status == "not graded"
    assert found["student0000"].note.startswith("not recorded: UnicodeEncodeError")
    assert found["student0001"].status == "graded"
    after = snapshot(course)
    assert {key for key in before if before[key] != after[key]} == {f"reports/results/{UNIT}/student0000.json"}
    monkeypatch.setattr(grading, "grade_one", quick)
    assert regrade(course, resume=True)["student0000"].status == "graded"


# ---------------------------------------------------------------- full disk, locked gradebook


@pytest.fixture
def fast_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal.time, "sleep", lambda seconds, sleep=time.sleep: sleep(min(seconds, 0.01)))


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A course with four submissions that is about to be graded, and what an undisturbed run records."""
    course = make_course(tmp_path_factory.mktemp("four"))
    hand_in(course, 4)
    Book(course).import_roster()
    Book(course).register(UNIT)
    reference = course.parent / "reference"
    shutil.copytree(course, reference)
    run(reference)
    return course, snapshot(reference)


WRITES = {
    "notebook": (nbformat, "write"),
    "decision": (journal, "_sync"),
    "gradebook": (Session, "commit"),
    "folder": (journal, "swap"),
    "status": (journal, "write"),
    "log": (audit, "append"),
}


@pytest.mark.parametrize("write", WRITES)
def test_with_the_disk_full_for_a_while_nothing_is_lost(
    four: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    fast_waiting: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    write: str,
) -> None:
    disturbed = tmp_path / "course"
    shutil.copytree(four[0], disturbed)
    owner, name = WRITES[write]
    real, calls = getattr(owner, name), []

    def full(*args: Any, **options: Any) -> Any:
        if name == "commit" and not (disturbed / "autograded" / ".recording").is_dir():
            return real(*args, **options)
        calls.append(name)
        if len(calls) > 2 and len(calls) % 7 in (3, 4):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, full)
        run(disturbed)
    told = capsys.readouterr().err
    assert len(calls) > 4 and "Waiting: the disk is full. Nothing is lost" in told and "Going on." in told
    assert snapshot(disturbed) == four[1]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a small disk")
def test_on_a_disk_that_is_really_full_grading_waits_for_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    undisturbed = make_course(tmp_path / "a")
    hand_in(undisturbed, 12, notes=100_000)
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", small], capture_output=True).returncode:
        pytest.skip("no tmpfs may be mounted here")
    try:
        disturbed = make_course(small / "b")
        hand_in(disturbed, 12, notes=100_000)
        run(undisturbed)
        Book(disturbed).import_roster()
        filler = small / "filler"
        free = shutil.disk_usage(small).free
        filler.write_bytes(b"\0" * (free - 500_000))
        freed = threading.Timer(4, filler.unlink)
        freed.start()
        run(disturbed)
        freed.join()
        assert "Waiting: the disk is full" in capsys.readouterr().err
        assert snapshot(disturbed) == snapshot(undisturbed)
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def short_lock(course: Path) -> None:
    config = course / "nbgrader_config.py"
    url = f"sqlite:///{course / 'gradebook.db'}?timeout=0.1"
    config.write_text(config.read_text() + f"\nc.CourseDirectory.db_url = {url!r}\n")


@contextlib.contextmanager
def locked(course: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(course / "gradebook.db", isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield connection
    finally:
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("ROLLBACK")
        connection.close()


def test_with_the_gradebook_locked_for_a_while_nothing_is_lost(
    four: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disturbed = tmp_path / "course"
    shutil.copytree(four[0], disturbed)
    short_lock(disturbed)
    run(disturbed, students=["student0000"])
    waits = []
    monkeypatch.setattr(journal.time, "sleep", lambda seconds, sleep=time.sleep: (waits.append(1), sleep(0.05)))
    # Once from the beginning, and once from the middle of the run.
    for students in (["student0001"], ["student0002", "student0003"]):
        with locked(disturbed) as lock:
            threading.Timer(1.0, lambda lock=lock: lock.execute("ROLLBACK")).start()
            run(disturbed, students=students)
    told = capsys.readouterr().err
    assert told.count("Waiting: another program has the gradebook locked. Nothing is lost") == 2
    assert "Traceback" not in told and len(waits) > 4
    assert snapshot(disturbed) == four[1]


def test_a_lock_that_does_not_end_is_told_and_what_was_graded_is_kept(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, 3)
    short_lock(course)
    run(course, students=["student0000"])
    monkeypatch.setattr(Book, "patience", 0.3)
    executed = quick(Book(course).submission("student0001", UNIT))
    with locked(course), pytest.raises(UserError, match="another program has the gradebook locked") as told:
        Book(course).record(executed)
    assert "--resume" in told.value.hint
    assert (course / "autograded" / ".recording").is_dir()
    with locked(course), pytest.raises(UserError):  # nobody sees half of it
        Book(course)
    assert Book(course).result("student0001", UNIT).score == 80


def test_two_runs_at_once_are_refused(course: Path, ran: list[str]) -> None:
    hand_in(course, 1)
    with Book(course).writing(), pytest.raises(CourseError, match="being graded by another process"):
        regrade(course)
    assert ran == []
    assert regrade(course)["student0000"].status == "graded"


# ---------------------------------------------------------------- resume


def test_resume_runs_what_has_changed_and_nothing_else(course: Path, ran: list[str]) -> None:
    names = hand_in(course, 8)
    first = regrade(course, resume=True)
    assert sorted(ran) == names
    ran.clear()
    assert regrade(course, resume=True) == first
    assert ran == []
    change_answer(course, "student0001")
    (course / "submitted" / "student0003" / UNIT / "helper.py").write_text("x = 1")
    shutil.rmtree(course / "submitted" / "student0004" / UNIT)
    found = regrade(course, resume=True)
    assert sorted(ran) == ["student0001", "student0003", "student0004"]
    assert found["student0004"].status == "missing"
    ran.clear()
    regrade(course)
    assert sorted(ran) == names


def test_resume_runs_again_when_tests_settings_or_versions_change(
    course: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, 1)
    regrade(course)
    ran.clear()
    source = course / "source" / UNIT / f"{UNIT}.py"
    source.write_text(source.read_text().replace("expect=15)", "expect=15.0)"))
    regrade(course, resume=True)
    assert ran == ["student0000"]
    regrade(course, resume=True, timeout=17)
    assert len(ran) == 2
    here = fingerprint.environment()
    monkeypatch.setattr(fingerprint, "environment", lambda: {**here, "torch": "9.9"})
    regrade(course, resume=True, timeout=17)
    assert len(ran) == 3
    regrade(course, resume=True, timeout=17)
    assert len(ran) == 3


@pytest.mark.parametrize("spoil", ["notebook", "status", "gradebook"])
def test_resume_does_not_trust_what_someone_else_has_changed(course: Path, ran: list[str], spoil: str) -> None:
    hand_in(course, 2)
    first = regrade(course)
    ran.clear()
    if spoil == "notebook":
        file = course / "autograded" / "student0000" / UNIT / f"{UNIT}.ipynb"
        file.write_text(file.read_text() + "\n")
    elif spoil == "status":
        (course / "reports" / "results" / UNIT / "student0000.json").write_text("{")
    else:
        with Book(course).open() as gradebook:
            gradebook.remove_submission(UNIT, "student0000")
    assert regrade(course, resume=True) == first
    assert ran == ([] if spoil == "gradebook" else ["student0000"])  # the points are in the graded notebook


def test_what_grading_failed_on_is_tried_again(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(course, 1)
    monkeypatch.setattr(grading, "grade_one", lambda s: Executed(s, None, "not graded", "no memory"))
    assert regrade(course, resume=True)["student0000"].status == "not graded"
    monkeypatch.setattr(grading, "grade_one", quick)
    assert regrade(course, resume=True)["student0000"].status == "graded"


def test_a_link_or_a_pipe_in_a_submission_is_neither_followed_nor_opened(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "out").symlink_to("/etc/passwd")
    before = fingerprint.of_folder(folder)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
        assert fingerprint.of_folder(folder) != before


# ---------------------------------------------------------------- late, handed in again, marked by hand


def due(course: Path, when: datetime | None) -> None:
    book = Book(course)
    book.register(UNIT)
    with book.open() as gradebook:
        gradebook.update_or_create_assignment(UNIT, duedate=when)


def configure(course: Path, *lines: str) -> None:
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text() + "\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("late", "options", "penalty"),
    [
        (3600, {}, None),
        (3600, {"penalty_method": "zero"}, 80),
        (3600, {"penalty_method": "per day"}, 8),
        (86400, {"penalty_method": "per day"}, 8),
        (86401, {"penalty_method": "per day"}, 16),
        (3600, {"penalty_method": "per day", "grace_minutes": 60}, None),
        (3601, {"penalty_method": "per day", "grace_minutes": 60}, 8),
        (3600, {"penalty_method": "zero", "grace_minutes": 90}, None),
        (30 * 86400, {"penalty_method": "per day"}, 80),
        (30 * 86400, {"penalty_method": "per day", "max_percent": 50}, 40),
        (2 * 86400, {"penalty_method": "per day", "percent_per_day": 12.5}, 20),
    ],
)
def test_late_penalties(late: float, options: dict[str, Any], penalty: float | None) -> None:
    assert LatePenalty(**options).late_submission_penalty("ann", 80.0, late) == penalty


def test_penalties_and_due_dates_can_change_without_running_anything(course: Path, ran: list[str]) -> None:
    hand_in(course, 2)  # at 12:00 and 12:01
    due(course, datetime(2026, 3, 1, 12, 0, 30))
    configure(course, "from autodiff_lab.grading.late import LatePenalty")
    configure(course, "c.AssignLatePenalties.plugin_class = LatePenalty")
    assert [r.score for r in regrade(course).values()] == [80, 80]
    ran.clear()
    configure(
        course, "c.LateSubmissionPlugin.penalty_method = 'per day'", "c.LateSubmissionPlugin.percent_per_day = 25"
    )
    assert [r.score for r in regrade(course, resume=True).values()] == [80, 60]
    due(course, datetime(2026, 2, 27, 12))
    assert [r.score for r in regrade(course, resume=True).values()] == [40, 20]
    configure(course, "c.LateSubmissionPlugin.penalty_method = 'none'")
    assert [r.score for r in regrade(course, resume=True).values()] == [80, 80]
    assert ran == []


def test_a_newer_submission_replaces_the_older_one_with_its_time(course: Path, ran: list[str]) -> None:
    (student,) = hand_in(course, 1)
    due(course, datetime(2026, 3, 1, 11))
    assert regrade(course)[student].late_seconds == 3600
    folder = course / "submitted" / student / UNIT
    change_answer(course, student)
    (folder / "timestamp.txt").write_text("2026-03-01 13:00:00.0 UTC")
    assert regrade(course, resume=True)[student].late_seconds == 7200
    graded = course / "autograded" / student / UNIT
    assert (graded / "timestamp.txt").read_text() == "2026-03-01 13:00:00.0 UTC"
    assert DIRECT in [cell.source for cell in nbformat.read(graded / f"{UNIT}.ipynb", as_version=4).cells]
    # Handed in again without a time: that of the older one does not stick to it.
    (folder / "timestamp.txt").unlink()
    assert regrade(course, resume=True)[student].late_seconds == 0
    assert not (graded / "timestamp.txt").exists()


def written(course: Path, student: str, text: str) -> None:
    file = course / "submitted" / student / UNIT / f"{UNIT}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "explain").source = text
    nbformat.write(notebook, file)


def test_a_mark_by_hand_stays_settled_until_its_answer_changes(course: Path, ran: list[str]) -> None:
    (student,) = hand_in(course, 1)
    written(course, student, "Both matter.")
    assert regrade(course)[student].status == "needs manual grading"
    with Book(course).open() as gradebook:
        mark = gradebook.find_grade("explain", UNIT, UNIT, student)
        mark.manual_score, mark.needs_manual_grade = 15, False
        gradebook.db.commit()
    for _ in range(2):
        result = regrade(course)[student]
        assert (result.status, result.score) == ("graded", 95)
    written(course, student, "One matters.")
    result = regrade(course)[student]
    assert (result.status, result.score) == ("needs manual grading", 95)  # the old mark, to be looked at again


# ---------------------------------------------------------------- on trial


def everything(course: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in course.rglob("*") if path.is_file() and "__pycache__" not in str(path)}


def test_a_dry_run_shows_what_would_change_and_writes_nothing(
    course: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, 3)
    (course / "students.csv").write_text("id\nabsent\n")
    before = everything(course)
    results, new = changes.preview(course, [UNIT], trust_students=True)
    assert everything(course) == before
    assert {result.student: result.score for result in results}["student0000"] == 80
    assert changes.Change("student0000", UNIT, "gradients", None, 40.0) in new

    regrade(course)
    before = everything(course)
    assert changes.preview(course, [UNIT], trust_students=True)[1] == []
    monkeypatch.setattr(grading, "grade_one", having_tests(lambda s, name: FAILED if name == "test-gradients" else []))
    results, new = changes.preview(course, [UNIT], ["student0000", "student0001"], trust_students=True)
    assert everything(course) == before
    assert [(c.student, c.what, c.old, c.new) for c in new] == [
        (student, what, old, new)
        for student in ("student0000", "student0001")
        for what, old, new in (("score", 80, 40), ("gradients", 40, 0))
    ]
    assert regrade(course, students=["student0000"])["student0000"].score == 40  # the same without the flag writes
    left = changes.preview(course, [UNIT], trust_students=True, resume=True)[1]
    assert left == []  # by its fingerprint student0001 is unchanged


def test_a_dry_run_keeps_marks_by_hand_and_everyone_elses_rows(course: Path, ran: list[str]) -> None:
    (student,) = hand_in(course, 1)
    written(course, student, "Both matter.")
    regrade(course)
    with Book(course).open() as gradebook:
        mark = gradebook.find_grade("explain", UNIT, UNIT, student)
        mark.manual_score, mark.needs_manual_grade = 15, False
        gradebook.db.commit()
    results, new = changes.preview(course, [UNIT], trust_students=True)
    assert (results[0].score, results[0].status, new) == (95, "graded", [])


# ---------------------------------------------------------------- the log


def test_the_log_says_what_was_read_run_and_recorded(course: Path) -> None:
    hand_in(course, 1)
    grade([UNIT], course, trust_students=True, resume=True)
    grade([UNIT], course, trust_students=True, resume=True)
    events = list(audit.read(course / "reports" / "audit.jsonl"))
    assert [event["event"] for event in events] == ["begun", "recorded", "ended", "begun", "unchanged", "ended"]
    recorded = events[1]
    assert recorded["read"] == f"{UNIT}.ipynb" and recorded["repaired"] == [] and recorded["seconds"] > 0
    assert recorded["points"] == {"gradients": 40, "predict": 40, "explain": 0} and recorded["score"] == 80
    assert recorded["cache"] == "miss" and events[4]["cache"] == "hit"
    assert recorded["fingerprint"] == events[4]["fingerprint"] and recorded["run"] == events[0]["run"]
    assert events[0]["environment"]["numpy"] and all(event["version"] and event["time"] for event in events)


def test_a_torn_line_in_the_log_costs_no_other_line(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    audit.append(log, {"id": "a", "note": "ü \ud800"})
    with log.open("ab") as file:
        file.write(b'{"id": "torn", "no')
    audit.append(log, {"id": "b"})
    audit.append(log, {"id": "b"})  # written again after a crash
    assert [event["id"] for event in audit.read(log)] == ["a", "b"]
    assert log.read_bytes().count(b"\n") == 4


# ---------------------------------------------------------------- workers


def test_a_long_run_leaves_nothing_behind_and_its_memory_is_flat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, place = make_course(tmp_path), tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))  # other runs have their folders where all have them
    names = hand_in(course, 60)
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    memory: list[int] = []
    found = run(course, workers=2, progress=lambda what, done, of: memory.append(psutil.Process().memory_info().rss))
    assert [result.student for result in found] == names
    assert memory[-1] - memory[19] < 20_000_000
    after = [p for p in psutil.Process().children(recursive=True) if p.pid not in before]
    assert [p for p in after if "resource_tracker" not in command(p)] == []
    assert list(place.iterdir()) == []
    assert not list((course / "autograded").glob(".*"))


# What workers evaluate: `eval` is there without importing anything.
DEADLY = "__import__('os').kill(__import__('os').getpid(), 9)"


def slow(name: str) -> str:
    return f"__import__('time').sleep(0.05) or {name!r}"


def test_who_kills_a_process_loses_only_itself() -> None:
    items = [slow("a"), slow("b"), DEADLY, slow("c"), slow("d"), DEADLY, slow("e")]
    with pool.crew(eval, lambda item, why: why, 2) as crew:
        found = sorted(crew.run(items))
    assert found == sorted(
        [(slow(name), name) for name in "abcde"] + 2 * [(DEADLY, "the process that graded it was killed")]
    )


def test_no_more_is_handed_out_than_can_be_run_soon() -> None:
    taken = []

    def items() -> Iterator[str]:
        for number in range(20):
            taken.append(number)
            yield slow(str(number))

    ahead = []
    with pool.crew(eval, lambda item, why: why, 2) as crew:
        for done, _ in enumerate(crew.run(items())):
            ahead.append(len(taken) - done)
    assert max(ahead) <= 2 * pool.AHEAD + 1


@pytest.mark.skipif(sys.platform == "win32", reason="kills as Linux and macOS do")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_and_temporary_files_go_with_the_main_process(course: Path, tmp_path: Path, how: int) -> None:
    hand_in(course, 12)
    place = tmp_path / "tmp"
    place.mkdir()
    environment = {**os.environ, "TMPDIR": str(place)}
    command = [sys.executable, "-m", "tests.grading.quick", "grade", str(course), "2", "60"]
    main = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where tests run in the background
    )
    process = psutil.Process(main.pid)
    workers: list[psutil.Process] = []
    until = time.monotonic() + 60
    while time.monotonic() < until and main.poll() is None:
        workers = workers_of(process)
        with contextlib.suppress(psutil.Error):
            if len(workers) == 2 and all(p.num_threads() > 1 and p.cpu_times().user > 0.5 for p in workers):
                break
        time.sleep(0.1)
    assert len(workers) == 2 and list(place.glob(f"{pool.SCRATCH}*"))
    main.send_signal(how)
    main.wait(timeout=20)
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert alive == []
    assert list(place.glob(f"{pool.SCRATCH}*")) == []


def test_temporary_files_of_a_run_that_was_killed_are_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    first = pool.Scratch()
    old = tmp_path / f"{pool.SCRATCH}old"
    old.mkdir()
    for name in ("file", ".lock"):
        (old / name).write_text("")
    second = pool.Scratch()
    assert not old.exists() and first.folder.is_dir() and second.folder.is_dir()
    first.remove()
    second.remove()
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- Dask


def points(course: Path) -> dict[str, Any]:
    return {key: value for key, value in snapshot(course).items() if key.endswith("gradebook")}


def test_a_dask_cluster_gives_the_same_gradebook_as_the_local_pool(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")
    local, clustered = make_course(tmp_path / "a"), make_course(tmp_path / "b")
    for course in (local, clustered):
        for double in hand_in(course, 7)[3:6]:
            shutil.rmtree(course / "submitted" / double)
        change_answer(course, "student0001")
    first = grade([UNIT], local, workers=2, trust_students=True)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        address = cluster.scheduler_address
        second = grade([UNIT], clustered, dask=address, trust_students=True)
        workers = {e["worker"] for e in audit.read(clustered / "reports" / "audit.jsonl") if e["event"] == "recorded"}
    assert first == second
    assert [result.score for result in first] == [80, 40, 0, None]
    assert points(local) == points(clustered)
    assert len(workers) == 2 and not any(worker.endswith(f":{os.getpid()}") for worker in workers)


def test_a_cluster_that_is_not_there_is_told_in_a_line(
    course: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, 1)
    if "distributed" in sys.modules or __import__("importlib.util").util.find_spec("distributed"):
        with pytest.raises(UserError, match="there is no Dask scheduler at nowhere"):
            regrade(course, dask="nowhere")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match="Dask is not installed") as told:
        regrade(course, dask="tcp://127.0.0.1:8786")
    assert "autodiff-lab[dask]" in told.value.hint


# ---------------------------------------------------------------- other gradebooks


def test_a_gradebook_on_postgresql(tmp_path: Path, ran: list[str]) -> None:
    """Set AUTODIFF_LAB_POSTGRES to the address of an empty database to run it."""
    url = os.environ.get("AUTODIFF_LAB_POSTGRES")
    if not url:
        pytest.skip("AUTODIFF_LAB_POSTGRES names no database")
    here, there = make_course(tmp_path / "a"), make_course(tmp_path / "b")
    configure(there, f"c.CourseDirectory.db_url = {url!r}")
    for course in (here, there):
        hand_in(course, 8)
        regrade(course)
        change_answer(course, "student0001")
    assert changes.preview(here, [UNIT], trust_students=True) == changes.preview(there, [UNIT], trust_students=True)
    for course in (here, there):
        regrade(course, resume=True)
    assert snapshot(here) == snapshot(there)


def test_a_database_that_is_not_there_is_told_at_once_and_without_its_password(course: Path) -> None:
    configure(course, "c.CourseDirectory.db_url = 'postgresql://anyone:secret@127.0.0.1:9/none'")
    with pytest.raises(UserError, match="cannot be opened") as told:  # where there is no driver, that is missing
        regrade(course)
    assert "secret" not in str(told.value)
    assert "Start the database" in told.value.hint or "pip install" in told.value.hint


def test_a_gradebook_that_was_half_made_is_made_again(course: Path, ran: list[str]) -> None:
    hand_in(course, 1)
    (course / ".gradebook.db.new").write_bytes(b"half")
    assert regrade(course)["student0000"].status == "graded"
    assert not (course / ".gradebook.db.new").exists()


def test_a_new_gradebook_bears_the_version_that_nbgraders_own_migrations_have(own_course: Path) -> None:
    with dbutil._temp_alembic_ini("sqlite://") as settings:
        command = [sys.executable, "-m", "alembic.config", "-c", settings, "heads"]
        newest = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0]
    with contextlib.closing(sqlite3.connect(own_course / "gradebook.db")) as gradebook:
        assert gradebook.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest,)]

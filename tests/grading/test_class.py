"""One class that holds everybody at once, honest and hostile, graded in one run through the real path.

Rows are in `submissions` (what happens to files; the tiny unit), `honest` (answers that end or flood a kernel, or are
right in their own way) and `hostile` (attacks; both the small unit). `kinds` says which rows stand for which kind of
submission. Time-outs and limits are small, so that a row costs a second or two.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from nbformat import NotebookNode

from autodiff_lab.grading import probes
from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.build import build
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.grade import Book, grade
from autodiff_lab.grading.notes import WORDS
from autodiff_lab.grading.report import look
from autodiff_lab.grading.results import NO_SCORE, Result

from . import submissions
from .conftest import FIXTURES, make_course
from .honest import ANSWERS
from .hostile import ATTACKS, REFUSED
from .kinds import ELSEWHERE, HONEST, HOSTILE
from .quick import command
from .submissions import ROWS

pytestmark = [
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.sandbox,
]

UNIT, TINY = "91_small", submissions.UNIT
ABSENT = "hands in nothing"  # and is on the roster
POINTS = {"gradients": 40, "sweep": 30, "order": 30}
TIMEOUT = 6
SETTINGS = """
c.ExecuteSubmission.patience = 1
c.ExecuteSubmission.waiting = 2
c.ExecuteSubmission.max_memory = 600_000_000
c.ExecuteSubmission.max_processes = 30
"""


@dataclass
class Outside:
    """What is outside the sandbox, and must be the same afterwards."""

    folder: Path
    course: Path
    given: dict[str, Any] = field(default_factory=dict)
    callers: list[Any] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)
    children: frozenset[psutil.Process] = frozenset()
    results: dict[tuple[str, str], Result] = field(default_factory=dict)


def hashes(*folders: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def kept(made: Outside) -> list[Path]:
    """The folders in which nothing may change."""
    return [made.course / name for name in ("source", "release", "submitted")] + [
        made.folder / name for name in ("home", "secrets", "solutions")
    ]


@contextlib.contextmanager
def outside(folder: Path, course: Path) -> Iterator[Outside]:
    """Listening sockets, a home folder, a secret, a process to kill, a variable: all of it to be left alone."""
    made = Outside(folder, course)
    word = f"autodiff-lab-{secrets.token_hex(8)}"
    for name in ("home", "temporary", "secrets"):
        (folder / name).mkdir(mode=0o777)
        (folder / name).chmod(0o777)
        (folder / name / "kept").write_text("kept")
    with contextlib.ExitStack() as stack:
        sockets = []
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", 0)),
            (socket.AF_UNIX, "\0" + word),
            (socket.AF_UNIX, os.path.relpath(folder / "s")),
        ):
            sockets.append(stack.enter_context(socket.socket(family)))
            sockets[-1].bind(address)
            sockets[-1].listen()
            sockets[-1].settimeout(0.2)
        decoy = stack.enter_context(subprocess.Popen(["sleep", "100000"]))
        stack.callback(decoy.kill)
        made.given = {
            "course": str(course),
            "solutions": str(folder / "solutions"),
            "checkout": str(PACKAGE_PARENT),
            "package": str(PACKAGE_PARENT / "autodiff_lab"),
            "temporary": str(folder / "temporary"),
            "home": str(folder / "home"),
            "secret": str(folder / "secrets" / "kept"),
            "socket": str(folder / "s"),
            "abstract": word,
            "port": sockets[0].getsockname()[1],
            "pid": os.getpid(),
            "decoy": decoy.pid,
            "prefix": sys.prefix,
            "variable": word,
            "seconds": f"300.{secrets.randbelow(10**12)}",
        }
        old = os.environ.get("TMPDIR"), tempfile.tempdir
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "temporary")
        os.environ["AUTODIFF_LAB_PROBE"] = word
        try:
            yield made
        finally:
            os.environ.pop("AUTODIFF_LAB_PROBE")
            tempfile.tempdir = old[1]
            os.environ.pop("TMPDIR") if old[0] is None else os.environ.update(TMPDIR=old[0])
        for listening in sockets:
            with contextlib.suppress(TimeoutError):
                made.callers.append(listening.accept())
        made.given["decoy lives"] = decoy.poll() is None


def fill(notebook: NotebookNode, cells: dict[str, str]) -> NotebookNode:
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = cells.get(name, cell.source)
    return notebook


def make_class(folder: Path) -> Path:
    """A course with both units, from their sources, and one student on its roster."""
    course = make_course(folder)
    shutil.copytree(FIXTURES / "small" / "source", course / "source", dirs_exist_ok=True)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(SETTINGS)
    (course / "students.csv").write_text(f"id,first_name,last_name\n{ABSENT},,\n")
    build([UNIT, TINY], course, folder / "solutions", execute=False)
    return course


def student_of(name: str) -> str:
    return "h-" + name


def unit_of(student: str) -> str:
    return TINY if student in ROWS else UNIT


def everybody() -> list[str]:
    """Who hands something in, or of whom AUTODIFF_LAB_ONLY has a part of the name."""
    names = [*ROWS, *ANSWERS, *map(student_of, ATTACKS)]
    only = os.environ.get("AUTODIFF_LAB_ONLY", "")
    return [name for name in names if not only or any(part in name for part in only.split(","))]


def hand_in(course: Path, given: dict[str, Any]) -> None:
    small, tiny = (read_bank(name, course, course.parent / "solutions") for name in (UNIT, TINY))
    right = dict.fromkeys(POINTS, SOURCE)
    solved = compose(tiny, dict.fromkeys(("gradients", "predict"), SOURCE), hidden_tests=False)
    heading = "given = " + json.dumps(given).replace("false", "False").replace("true", "True") + "\n"
    cells = {name: answer.cells for name, answer in ANSWERS.items()}
    cells |= {student_of(name): {attack.exercise: heading + attack.source} for name, attack in ATTACKS.items()}
    files = {student_of(name): attack.files for name, attack in ATTACKS.items()}
    for student in everybody():
        place = course / "submitted" / student / unit_of(student)
        if student in ROWS:
            submissions.hand_in(place, ROWS[student], solved, tiny.release)
            continue
        place.mkdir(parents=True)
        (place / f"{UNIT}.ipynb").write_text(
            json.dumps(fill(compose(small, right, hidden_tests=False), cells[student]))
        )
        for name, text in files.get(student, {}).items():
            if text.startswith("-> "):
                (place / name).symlink_to(text[3:].format(course=course))
            else:
                (place / name).write_text(text)
    (course / "submitted" / "elsewhere.ipynb").unlink(missing_ok=True)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Not below /tmp, where courses seldom are: a sandbox has a /tmp of its own, in which all may be done."""
    with tempfile.TemporaryDirectory(prefix="adl_class_", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def graded(folder: Path) -> Iterator[Outside]:
    """What is outside, after one `grade` over the whole class by two workers."""
    course = make_class(folder)
    with outside(folder, course) as made:
        hand_in(course, made.given)
        made.before = hashes(*kept(made))
        made.children = frozenset(psutil.Process().children(recursive=True))  # of other tests in this process
        found = grade([UNIT, TINY], course, timeout=TIMEOUT, workers=4)
        made.results = {(result.student, result.unit): result for result in found}
    yield made


def outputs(made: Outside, student: str) -> str:
    unit = unit_of(student)
    file = made.course / "autograded" / student / unit / f"{unit}.ipynb"
    return json.dumps([cell.get("outputs", []) for cell in nbformat.read(file, as_version=4).cells])


def result(made: Outside, student: str) -> tuple[Result, dict[str, float | None], dict[str, str]]:
    if student not in everybody():
        pytest.skip("not in this run")
    found = made.results[student, unit_of(student)]
    return found, {e.exercise: e.points for e in found.exercises}, {e.exercise: e.note for e in found.exercises}


@pytest.mark.parametrize("student", ROWS)
def test_a_row_comes_out_as_it_says(graded: Outside, student: str) -> None:
    row = ROWS[student]
    found, points, _ = result(graded, student)
    assert found.status == row.status, found
    if row.points is None:
        assert (found.score, found.exercises) == (None, [])
        assert row.status in NO_SCORE
        assert row.why in found.note
        return
    assert points == row.points, found
    assert (found.score, found.max_score) == (sum(points or 0 for points in row.points.values()), 100)
    for kind in row.notes:
        assert WORDS[kind][0].split(":")[0] in found.note


def test_everybody_is_in_the_class_and_nobody_else(graded: Outside) -> None:
    assert len({*everybody(), ABSENT}) == len(everybody()) + 1
    assert graded.results.keys() == {(student, unit) for student in [*everybody(), ABSENT] for unit in (UNIT, TINY)}
    others = [r for (student, unit), r in graded.results.items() if student == ABSENT or unit != unit_of(student)]
    assert {(r.status, r.score) for r in others} == {("missing", None)}


@pytest.mark.parametrize("kind", [*HONEST, *HOSTILE])
def test_every_kind_of_submission_is_in_the_class(kind: str) -> None:
    names = {**HONEST, **HOSTILE}[kind]
    assert names and {*names} <= {*ROWS, *ANSWERS, *ATTACKS, ABSENT}
    assert all((name in ATTACKS) == (kind in HOSTILE) for name in names)


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_what_one_class_cannot_hold_has_its_own_tests(kind: str) -> None:
    for name in ELSEWHERE[kind]:
        file, _, test = name.partition(".")
        assert f"def {test}(" in (Path(__file__).parent / f"{file}.py").read_text()


@pytest.mark.parametrize("name", ANSWERS)
def test_an_honest_answer_has_its_points(graded: Outside, name: str) -> None:
    answer = ANSWERS[name]
    found, points, notes = result(graded, name)
    assert points == {e: 0 if e in answer.lost else p for e, p in POINTS.items()}, found
    assert {e: note for e, note in notes.items() if note} == answer.lost
    assert found.status == answer.status
    assert found.score == sum(points.values())  # type: ignore[arg-type]
    assert answer.says in outputs(graded, name)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_earns_nothing_and_costs_nobody_else(graded: Outside, name: str) -> None:
    attack = ATTACKS[name]
    found, points, notes = result(graded, student_of(name))
    assert points[attack.exercise] == 0, found
    if attack.alone:
        assert points == {**POINTS, attack.exercise: 0}, found
    if attack.note is not None:
        assert notes[attack.exercise].partition(": ")[0] == attack.note
    assert "REACHED" not in outputs(graded, student_of(name))


@pytest.fixture(scope="module")
def refused(graded: Outside) -> dict[str, list[str]]:
    """What the report tells of each student."""
    _, told = look(Book(graded.course), list(graded.results.values()))
    return {student: words for (student, _), words in told.items()}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_sandbox_refused_is_told(graded: Outside, refused: dict[str, list[str]], name: str) -> None:
    result(graded, student_of(name))
    expected = {words.format(**graded.given) for words in REFUSED[name]}
    # A checkout below /tmp: what is written there, inside, is one's own.
    assert {words for words in expected if " /tmp/" not in words} <= set(refused[student_of(name)])


def test_of_those_who_mean_well_nothing_is_told(refused: dict[str, list[str]]) -> None:
    assert not refused.keys() & {*ROWS, *ANSWERS}


def test_the_host_is_untouched(graded: Outside) -> None:
    assert hashes(*kept(graded)) == graded.before
    assert graded.given["decoy lives"]
    assert not graded.callers
    assert not (graded.course / "late").exists()


def test_the_gradebook_says_what_the_results_say(graded: Outside) -> None:
    book = sqlite3.connect(graded.course / "gradebook.db")
    assert book.execute("pragma integrity_check").fetchone() == ("ok",)
    rows = book.execute(
        "select submitted_assignment.student_id, sum(grade.auto_score), max(grade.manual_score) from grade"
        " join submitted_notebook on submitted_notebook.id = grade.notebook_id"
        " join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id"
        " group by submitted_assignment.student_id"
    ).fetchall()
    scores = {student: r.score for (student, _), r in graded.results.items() if r.score is not None}
    assert {student: score for student, score, _ in rows} == scores
    assert all(manual is None for _, _, manual in rows)


def test_no_process_is_left(graded: Outside) -> None:
    assert probes.left_over(graded.given["seconds"]) == []
    children = frozenset(psutil.Process().children(recursive=True)) - graded.children
    assert [c for c in children if "resource_tracker" not in command(c)] == []


def test_nothing_is_left_in_temporary_folders(graded: Outside) -> None:
    assert [path.name for path in (graded.folder / "temporary").iterdir()] == ["kept"]


def test_no_thread_is_left(graded: Outside) -> None:
    assert [thread.name for thread in threading.enumerate() if thread.name in ("relay", "sandbox-watch")] == []


def test_feedback_holds_no_hidden_test(graded: Outside) -> None:
    feedback([UNIT, TINY], graded.course)
    pages = list(graded.course.glob("feedback/*/*/*.html"))
    assert len(pages) == len([r for r in graded.results.values() if r.score is not None])
    for page in pages:
        text = page.read_text()
        assert "only_in_the_hidden_test" not in text.replace('only_in_the",', ""), page
        assert "parent.points = 40" not in text or "<script>parent" not in text, page

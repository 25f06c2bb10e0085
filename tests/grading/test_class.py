"""One class that holds everybody at once, honest and hostile, graded in one run through the real path.

Rows are in `submissions` (what happens to files), `honest` (answers that end or flood a kernel, or are right in their
own way) and `hostile` (attacks). Time-outs and limits are small, so that a row costs a second or two.
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

from autodiff_lab.grading import probes, sandbox
from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.build import build
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.results import Result

from .conftest import FIXTURES, ROOT
from .honest import ANSWERS
from .hostile import ATTACKS

pytestmark = [
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.skipif(isinstance(sandbox.status(), sandbox.Refusal), reason="there is no sandbox here"),
]

UNIT = "91_small"
POINTS = {"gradients": 40, "sweep": 30, "order": 30}
TIMEOUT = 6
SETTINGS = """
c.ExecuteSubmission.patience = 1
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
    results: dict[str, Result] = field(default_factory=dict)


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
    """A course with the small unit, from its source."""
    course = folder / "course"
    shutil.copytree(FIXTURES / "small" / "source", course / "source")
    config = (ROOT / "course" / "nbgrader_config.py").read_text()
    (course / "nbgrader_config.py").write_text(config + SETTINGS)
    build([UNIT], course, folder / "solutions", execute=False)
    return course


def student_of(name: str) -> str:
    return "h-" + name


def hand_in(course: Path, given: dict[str, Any], only: str = "") -> None:
    unit = read_bank(UNIT, course, course.parent / "solutions")
    right = dict.fromkeys(POINTS, SOURCE)
    heading = "given = " + json.dumps(given).replace("false", "False").replace("true", "True") + "\n"
    rows = {name: (answer.cells, {}) for name, answer in ANSWERS.items()}
    rows |= {
        student_of(name): ({attack.exercise: heading + attack.source}, attack.files) for name, attack in ATTACKS.items()
    }
    for student, (cells, files) in rows.items():
        if only and not any(part in student for part in only.split(",")):
            continue
        place = course / "submitted" / student / UNIT
        place.mkdir(parents=True)
        notebook = fill(compose(unit, right, hidden_tests=False), cells)
        (place / f"{UNIT}.ipynb").write_text(json.dumps(notebook))
        for name, text in files.items():
            if text.startswith("-> "):
                (place / name).symlink_to(text[3:].format(course=course))
            else:
                (place / name).write_text(text)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """What is outside, after one `grade` over the whole class by two workers."""
    folder = tmp_path_factory.mktemp("class")
    folder.chmod(0o755)
    course = make_class(folder)
    with outside(folder, course) as made:
        hand_in(course, made.given, os.environ.get("AUTODIFF_LAB_ONLY", ""))
        made.before = hashes(*kept(made))
        made.children = frozenset(psutil.Process().children(recursive=True))  # of other tests in this process
        found = grade([UNIT], course, timeout=TIMEOUT, workers=2)
        made.results = {result.student: result for result in found}
    yield made


def outputs(made: Outside, student: str) -> str:
    file = made.course / "autograded" / student / UNIT / f"{UNIT}.ipynb"
    cells = nbformat.read(file, as_version=4).cells
    return json.dumps([cell.get("outputs", []) for cell in cells])


def result(made: Outside, student: str) -> tuple[Result, dict[str, float | None], dict[str, str]]:
    if student not in made.results:
        pytest.skip("not in this run")
    found = made.results[student]
    return found, {e.exercise: e.points for e in found.exercises}, {e.exercise: e.note for e in found.exercises}


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
        assert notes[attack.exercise] == attack.note
    assert "REACHED" not in outputs(graded, student_of(name))


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
    assert {student: score for student, score, _ in rows} == {s: r.score for s, r in graded.results.items()}
    assert all(manual is None for _, _, manual in rows)


def test_no_process_is_left(graded: Outside) -> None:
    assert probes.left_over(graded.given["seconds"]) == []
    children = frozenset(psutil.Process().children(recursive=True)) - graded.children
    assert [c for c in children if "resource_tracker" not in " ".join(c.cmdline())] == []


def test_nothing_is_left_in_temporary_folders(graded: Outside) -> None:
    assert [path.name for path in (graded.folder / "temporary").iterdir()] == ["kept"]


def test_no_thread_is_left(graded: Outside) -> None:
    assert [thread.name for thread in threading.enumerate() if thread.name in ("relay", "sandbox-watch")] == []


def test_feedback_holds_no_hidden_test(graded: Outside) -> None:
    feedback([UNIT], graded.course)
    pages = list(graded.course.glob(f"feedback/*/{UNIT}/*.html"))
    assert len(pages) == len(graded.results)
    for page in pages:
        text = page.read_text()
        assert "only_in_the_hidden_test" not in text.replace('only_in_the",', ""), page
        assert "parent.points = 40" not in text or "<script>parent" not in text, page

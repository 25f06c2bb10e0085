"""Whoever kills a run of the grader (`kill -9`) kills all of it: kernels, judges, workers, in a sandbox or without.

And a run that is resumed ends as one that nobody has disturbed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from nbgrader.utils import is_solution

from autodiff_lab.grading import pool, probes
from autodiff_lab.grading.bank import compose, read_bank

from .conftest import FIXTURES, ROOT, UNIT, make_course
from .quick import count, hand_in, snapshot

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

# The answer, once the test asks for it, starts a process and never returns.
ENDLESS = """
import subprocess

def gradients(x, y):
    subprocess.Popen(["/bin/sleep", "{word}"])
    while True:
        pass
"""
GRADE = """
from pathlib import Path
from autodiff_lab.grading.grade import grade
grade([{unit!r}], Path({course!r}), timeout={timeout}, workers={workers}, trust_students={trust}, resume=True)
"""
RUN = """
import nbformat
from pathlib import Path
from autodiff_lab.grading.execute import ExecuteInOneKernel, run_notebook
from autodiff_lab.grading.forked import run_forked
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell({code!r})])
{run}
"""
KERNEL_ALONE = """
import nbformat, socket
from nbclient import NotebookClient
from autodiff_lab.grading.sandbox import kernel_manager
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell({code!r})])
NotebookClient(notebook, km=kernel_manager(trust={trust}), timeout=100).execute()
"""


@pytest.fixture
def word() -> Iterator[str]:
    """Seconds that only processes of this test sleep."""
    word = f"300.{time.time_ns()}"
    yield word
    for number in probes.left_over(word):
        os.kill(int(number), signal.SIGKILL)


def begin(code: str, **variables: str) -> subprocess.Popen[bytes]:
    """Code in a process of its own, which a test kills."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **variables},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def until(condition: Callable[[], Any], seconds: float = 300) -> Any:
    """What the condition gives, as soon as that is something; on a busy machine it takes long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    return condition()


def kill(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Kill the process alone, and return what is left of all that came of it and does not end."""
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()

    def alive() -> list[psutil.Process]:
        left = []
        for one in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                left += [one] if one.status() != psutil.STATUS_ZOMBIE else []
        return left

    until(lambda: not alive(), 60)
    return [one.as_dict(["pid", "cmdline"]) for one in alive()]


@pytest.mark.parametrize("trust", [True, pytest.param(False, marks=pytest.mark.sandbox)])
@pytest.mark.parametrize("workers", [None, 2])
def test_nothing_is_left_of_a_run_that_is_killed(course: Path, word: str, trust: bool, workers: int | None) -> None:
    unit = read_bank(UNIT, course)
    for student in ("one", "two"):
        folder = course / "submitted" / student / UNIT
        folder.mkdir(parents=True)
        notebook = compose(unit, {}, hidden_tests=False)
        next(cell for cell in notebook.cells if is_solution(cell)).source = ENDLESS.format(word=word)
        (folder / f"{UNIT}.ipynb").write_text(nbformat.writes(notebook))
    run = begin(GRADE.format(unit=UNIT, course=str(course), workers=workers, trust=trust, timeout=1000))
    assert until(lambda: run.poll() is not None or len(probes.left_over(word)) >= (workers or 1))
    assert run.poll() is None, f"it ended before it was killed: {run.returncode}"
    assert kill(run) == []
    assert until(lambda: not probes.left_over(word))


CODE = {
    "build": RUN.format(code="while True: pass", run="run_notebook(notebook)"),
    "check": RUN.format(code="while True: pass", run="ExecuteInOneKernel(timeout=1000).preprocess(notebook, {})"),
    "bank": RUN.format(
        code="while True: pass", run=f"run_forked(notebook, {UNIT!r}, Path({str(FIXTURES)!r}), timeout=1000)"
    ),
    "trusted": KERNEL_ALONE.format(code="while True: pass", trust=True),
    "sandbox": KERNEL_ALONE.format(code="while True: pass", trust=False),
}


def test_a_kernel_ends_with_the_process_that_guards_it() -> None:
    run = begin(CODE["trusted"])
    try:
        guard = until(lambda: [p for p in psutil.Process(run.pid).children() if p.children()])[0]
        kernel = guard.children()[0]
        guard.kill()
        assert until(lambda: not kernel.is_running() or kernel.status() == psutil.STATUS_ZOMBIE)
    finally:
        run.kill()
        run.wait()


@pytest.mark.parametrize(
    ("what", "later"),
    [
        *(("build", 0.0), ("check", 0.6), ("bank", 0.0), ("trusted", 0.0), ("trusted", 0.6)),
        *(pytest.param("sandbox", later, marks=pytest.mark.sandbox) for later in (0.0, 0.6)),
    ],
)
def test_nothing_is_left_of_a_kernel_whenever_it_is_killed(what: str, later: float) -> None:
    run = begin(CODE[what])
    assert until(lambda: psutil.Process(run.pid).children(recursive=True))
    time.sleep(later)
    assert kill(run) == []


@pytest.mark.parametrize("end", ["it dies", "it is stopped"])
def test_what_a_trusted_kernel_has_started_ends_with_it(end: str, word: str) -> None:
    code = f"import os, subprocess\nsubprocess.Popen(['/bin/sleep', '{word}'])\n"
    code += "os._exit(3)" if end == "it dies" else "1"
    run = begin(KERNEL_ALONE.format(code=code, trust=True))
    run.wait(300)
    assert until(lambda: not probes.left_over(word))


def test_a_judge_that_runs_a_test_without_end_is_gone_with_its_worker() -> None:
    code = "\n".join(
        (
            "import json, time",
            "from autodiff_lab.grading import split",
            "line = split.start_judge(trust=True).child()",
            "line.send(json.dumps({'code': 'while True: pass', 'seconds': 1000}).encode(), time.monotonic() + 60)",
            "time.sleep(1000)",
        )
    )
    run = begin(code)
    assert until(lambda: len(psutil.Process(run.pid).children(recursive=True)) > 1)
    assert kill(run) == []


KILLS = int(os.environ.get("AUTODIFF_LAB_KILLS", "2"))
"""20 and more: `AUTODIFF_LAB_KILLS=20 pytest tests/grading/test_left_behind.py -k resumed`, with 40 submissions."""

ANSWERS = {
    "0": "def gradients(x, y):\n    return y, x + y",
    "3": "import os\n\ndef gradients(x, y):\n    os._exit(1)",
    "7": "def gradients(x, y):\n    print(x)\n    return y, x + 2 * y",
}
"""Other answers than `hand_in`'s, by the last figure of the student's number."""


def a_class(folder: Path, students: int) -> Path:
    course = make_course(folder)
    for name in hand_in(course, students):
        file = course / "submitted" / name / UNIT / f"{UNIT}.ipynb"
        if name[-1] in ANSWERS and file.stat().st_size > 10:
            notebook = nbformat.read(file, as_version=4)
            next(cell for cell in notebook.cells if is_solution(cell)).source = ANSWERS[name[-1]]
            nbformat.write(notebook, file)
    return course


def files_in(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*")]


@pytest.mark.sandbox
def test_a_run_with_real_kernels_that_is_killed_and_resumed_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    students = 40 if KILLS >= 20 else 4 * KILLS
    undisturbed, disturbed = (a_class(tmp_path / name, students) for name in "ab")
    temporary = tmp_path / "t"
    temporary.mkdir(mode=0o711)
    told = []

    def run(course: Path) -> subprocess.Popen[bytes]:
        code = GRADE.format(unit=UNIT, course=str(course), workers=2, trust=False, timeout=20)
        return begin(code, TMPDIR=str(temporary))

    started = time.monotonic()
    assert run(undisturbed).wait(300) == 0
    told.append({"undisturbed, seconds": round(time.monotonic() - started, 1)})
    audit, chance = disturbed / "reports" / "audit.jsonl", random.Random(7)
    started = time.monotonic()
    for _ in range(KILLS):
        wanted = min(count(audit) + chance.choice((0, 1, 1, 2)), students - 1)
        early = wanted == count(audit)
        process = run(disturbed)
        assert until(lambda: count(audit) >= wanted)  # noqa: B023
        time.sleep(chance.uniform(0, 2.5 if early else 0.2))
        assert process.poll() is None, told
        left = kill(process)
        until(lambda: not files_in(temporary), 3)
        files = files_in(temporary)  # of one that had no workers yet; the next run removes them
        recording = (disturbed / "autograded" / ".recording").is_dir()
        told.append({"recorded": count(audit), "in the middle": recording, "left": left, "files": files})
        assert left == [], told
        assert all(name.startswith(pool.SCRATCH) for name in files), told
    assert run(disturbed).wait(300) == 0
    told.append({"disturbed, seconds": round(time.monotonic() - started, 1)})
    print(json.dumps(told))
    assert snapshot(disturbed) == snapshot(undisturbed)
    assert files_in(temporary) == []

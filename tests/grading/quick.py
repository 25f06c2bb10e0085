"""A class that is graded without kernels: everything but the running of cells is the real thing.

python -m tests.grading.quick grade COURSE WORKERS SECONDS      # grades it
python -m tests.grading.quick kill COURSE KILLS SEED            # kills that at random moments, resumed each time
"""

import contextlib
import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
import psutil

from autodiff_lab.grading import grade as grading
from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.grade import Book, Executed, Submission
from autodiff_lab.grading.results import is_all_untouched, overall, read_exercises
from autodiff_lab.units import fan_out

from .conftest import UNIT

SLEEP = "AUTODIFF_LAB_QUICK_SLEEP"


def hand_in(course: Path, students: int, notes: int = 0) -> list[str]:
    """Submissions of which every third is untouched, every seventh cannot be read, every tenth fails; the students."""
    bank = read_bank(UNIT, course)
    right = compose(bank, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    untouched = compose(bank, {}, hidden_tests=False)
    names = [f"student{number:04d}" for number in range(students)]
    for number, name in enumerate(names):
        folder = course / "submitted" / name / UNIT
        folder.mkdir(parents=True)
        text = "{" if number % 7 == 6 else nbformat.writes(untouched if number % 3 == 2 else right)
        (folder / f"{UNIT}.ipynb").write_text(text)
        (folder / "notes.txt").write_text("x" * notes)
        (folder / "timestamp.txt").write_text(f"2026-03-01 12:{number % 60:02d}:00.0 UTC")
    return names


def quick(submission: Submission) -> Executed:
    """In place of `grade_one`: outputs are made up, out of the answer and the student's name."""
    time.sleep(float(os.environ.get(SLEEP, "0")))
    taken = grading.read_submission(submission)
    if taken.notebook is None:
        return Executed(submission, None, taken.status, taken.why)
    notebook = taken.notebook
    failed = {"output_type": "error", "ename": "WrongAnswer", "evalue": "", "traceback": []}
    failed["evalue"] = f"no [{fan_out.FAN_OUT_DIRECT_PATH_ONLY.code}]"
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if name.startswith("test-") and (is_all_untouched(notebook) or submission.student.endswith("4")):
            cell.outputs = [nbformat.from_dict(failed)]
    exercises = read_exercises(notebook)
    return Executed(submission, notebook, overall(exercises, is_all_untouched(notebook)), "", exercises)


def snapshot(course: Path, students: list[str] | None = None) -> dict[str, Any]:
    """What is recorded of each student: the gradebook's rows, the graded folder, the status."""
    book = Book(course)
    found: dict[str, Any] = {}
    with book.open() as gradebook:
        for submission in gradebook.assignment_submissions(UNIT):
            if students is not None and submission.student.id not in students:
                continue
            rows: list[Any] = [str(submission.timestamp), submission.score, submission.late_submission_penalty]
            for part in submission.notebooks:
                rows += sorted((g.name, g.auto_score, g.manual_score, g.needs_manual_grade) for g in part.grades)
                rows += sorted((c.name, c.auto_comment) for c in part.comments)
            found[f"{submission.student.id} gradebook"] = rows
        found["students"] = sorted(student.id for student in gradebook.students)
    for root in ("autograded", "reports/results"):
        for file in sorted((course / root).rglob("*")):
            if (
                file.is_file()
                and ".recording.part" not in file.parts
                and (students is None or any(name in str(file) for name in students))
            ):
                found[str(file.relative_to(course))] = file.read_bytes()
    return found


def run(course: Path, workers: int | None = None, **options: Any) -> list[Any]:
    """Grade with `quick` in the place of `grade_one`."""
    real, grading.grade_one = grading.grade_one, quick
    try:
        return grading.grade([UNIT], course, workers=workers, trust_students=True, **options)
    finally:
        grading.grade_one = real


def kill(course: Path, kills: int, seed: int) -> dict[str, Any]:
    """Grade in a child, kill it, resume; when all the kills are used up, resume to the end. Returns what happened."""
    chance = random.Random(seed)
    audit = course / "reports" / "audit.jsonl"
    lines = 0
    happened, place = [], course.parent / "beginning"
    shutil.copytree(course, place)
    begun = time.monotonic()
    child(course)
    whole = time.monotonic() - begun
    shutil.rmtree(course)
    place.rename(course)
    for _ in range(kills):
        pid = os.fork()
        if pid == 0:
            run(course, resume=True)
            os._exit(0)
        # A quarter dies early: before the first record, or before anything. The others after a few more records.
        more = 0 if chance.random() < 0.25 else chance.choice((1, 1, 1, 2))
        until = time.monotonic() + 60
        while more and count(audit) < min(lines + more, 39) and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, whole / 80))
        os.kill(pid, signal.SIGKILL)
        _, ended = os.waitpid(pid, 0)
        recording = (course / "autograded" / ".recording").is_dir()
        lines = count(audit)
        happened.append({"killed": os.WIFSIGNALED(ended), "recorded": lines, "in the middle": recording})
    child(course)
    return {"seconds": whole, "kills": happened}


def count(audit: Path) -> int:
    return audit.read_bytes().count(b'"event": "recorded"') if audit.is_file() else 0


def child(course: Path) -> None:
    pid = os.fork()
    if pid == 0:
        run(course, resume=True)
        os._exit(0)
    _, ended = os.waitpid(pid, 0)
    assert ended == 0


if __name__ == "__main__":
    if sys.argv[1] == "kill":
        print(json.dumps(kill(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
    else:
        os.environ[SLEEP] = sys.argv[4]
        run(Path(sys.argv[2]), int(sys.argv[3]))


def command(process: psutil.Process) -> str:
    """The command line of a process; nothing, where it has ended meanwhile."""
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    """The worker processes that a pool has started."""
    with contextlib.suppress(psutil.Error):
        return [child for child in process.children(recursive=True) if "spawn_main" in command(child)]
    return []

"""How many submissions are graded in a minute: stock nbgrader beside this package with full isolation.

    python -m tests.grading.throughput                        # 40 submissions: 8 students, units 00 to 04
    python -m tests.grading.throughput --students 2 --units 04

Both grade the same files with the same number of workers, and must find the same points. Stock nbgrader is `nbgrader
autograde` as it comes, in one process per worker, with a longer time-out so that honest work passes; it neither splits
nor confines anything. They take turns; what a turn costs to begin and to end is in its time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autodiff_lab.grading.bank import SOURCE, Answer, Unit, compose, read_bank
from autodiff_lab.grading.build import build
from autodiff_lab.grading.course import default_course, default_solutions, resolve_units
from autodiff_lab.grading.grade import Book, grade

STOCK = """
c = get_config()
c.CourseDirectory.course_id = "stock"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "[0-9][0-9]_*.py"]
c.Execute.timeout = 300
"""


def prepare(folder: Path, units: list[str], students: int) -> list[tuple[str, str]]:
    """Two courses with the same submissions, `ours` and `stock`, their units in the gradebook; pairs (student, unit).

    Every answer is right.
    """
    course, solutions = default_course(), default_solutions(default_course())
    for name in ("ours", "stock"):
        for unit in units:
            shutil.copytree(course / "source" / unit, folder / name / "source" / unit)
    shutil.copyfile(course / "nbgrader_config.py", folder / "ours" / "nbgrader_config.py")
    build(units, folder / "ours", folder / "solutions", execute=False)
    jobs = []
    for unit in units:
        shutil.copyfile(*(folder / name / "source" / unit / f"{unit}.ipynb" for name in ("ours", "stock")))
        bank = read_bank(unit, course, solutions)
        for number in range(students):
            notebook = compose(bank, mixed(bank, number), hidden_tests=False)
            for name in ("ours", "stock"):
                place = folder / name / "submitted" / f"student{number}" / unit
                place.mkdir(parents=True)
                (place / f"{unit}.ipynb").write_text(json.dumps(notebook))
            jobs.append((f"student{number}", unit))
    (folder / "stock" / "nbgrader_config.py").write_text(STOCK)
    stock(folder / "stock", [], tuple(units))
    for unit in units:  # the same for ours
        Book(folder / "ours").register(unit)
    return jobs


def mixed(bank: Unit, number: int) -> dict[str, Answer | str]:
    """For each exercise the right answer number `number`, or one that stands in the bank for it."""
    chosen: dict[str, Answer | str] = {}
    for exercise, answers in bank.answers.items():
        right: list[Answer | str] = [SOURCE, *(answer for answer in answers if answer.right)]
        chosen[exercise] = right[number % len(right)]
    return chosen


def stock(course: Path, jobs: list[tuple[str, str]], units: tuple[str, ...] = ()) -> None:
    """Do what `nbgrader generate_assignment` does to units, and `nbgrader autograde` to submissions."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config.loader import PyFileConfigLoader

    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.root = str(course)
    api: Any = NbGraderAPI(config=config)
    for unit in units:
        answer = api.generate_assignment(unit)
        assert answer["success"], answer
    for student, unit in jobs:
        answer = api.autograde(unit, student)
        assert answer["success"], answer["log"]


def grade_stock(course: Path, jobs: list[tuple[str, str]], workers: int) -> None:
    processes = [
        multiprocessing.get_context("spawn").Process(target=stock, args=(course, jobs[start::workers]))
        for start in range(workers)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0


def points(course: Path) -> dict[tuple[str, str], float]:
    """Points by tests, of each student and unit, out of the gradebook."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {
            (submission.student.id, assignment.name): sum(
                grade.auto_score or 0 for grade in submission.notebooks[0].grades
            )
            for assignment in book.assignments
            for submission in book.assignment_submissions(assignment.name)
        }


def main() -> None:
    """Print both throughputs and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", nargs="*", default=["00", "01", "02", "03", "04"])
    parser.add_argument("--students", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--only", choices=("ours", "stock"))
    chosen = parser.parse_args()
    units = resolve_units(chosen.units, default_course())
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_") as name:
        folder = Path(name)
        jobs = prepare(folder, units, chosen.students)
        ours, theirs = folder / "ours", folder / "stock"
        ways: dict[str, Callable[[list[str]], Any]] = {
            "ours": lambda who: grade(units, ours, who, workers=chosen.workers),
            "stock": lambda who: grade_stock(theirs, [job for job in jobs if job[0] in who], chosen.workers),
        }
        if chosen.only:
            ways = {chosen.only: ways[chosen.only]}
        times = dict.fromkeys(ways, 0.0)
        students = sorted({student for student, _ in jobs})
        for turn in range(chosen.turns):
            told = []
            for way, work in ways.items():
                began = time.perf_counter()
                work(students[turn :: chosen.turns])
                spent = time.perf_counter() - began
                times[way] += spent
                told.append(f"{way} {spent:6.1f} s")
            print(f"turn {turn + 1}:", *told, sep="  ", flush=True)
        for way, spent in times.items():
            rate = 60 * len(jobs) / spent
            print(f"{way:5}  {len(jobs)} submissions, {chosen.workers} workers: {spent:.1f} s, {rate:.1f} a minute")
        found = {way: points(folder / way) for way in ways}
        for job in jobs:
            if len({book[job] for book in found.values()}) != 1:
                print("DIFFERENT:", *job, {way: book[job] for way, book in found.items()})
        if len(times) == 2:
            print(f"ours is {times['stock'] / times['ours']:.2f} times as fast")


if __name__ == "__main__":
    main()

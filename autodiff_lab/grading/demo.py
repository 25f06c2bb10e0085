"""A made-up class, graded from beginning to end, that knows how it must come out.

Students hand in answers of the answer banks: right ones, wrong ones, some of each, and what else happens in a class.
An instructor marks the written answers that say what the model answer says. Then everything that was planted is looked
up in results, gradebook and CSV.
"""

from __future__ import annotations

import csv
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autodiff_lab.grading import submitted
from autodiff_lab.grading.bank import SOURCE, UNTOUCHED, Answer, Unit, compose, read_bank
from autodiff_lab.grading.build import build
from autodiff_lab.grading.course import TEST, CourseError, default_course, default_solutions, paths, resolve_units
from autodiff_lab.grading.results import (
    CRASHED,
    GRADED,
    MISSING,
    NEEDS_MANUAL,
    TIMEOUT,
    UNREADABLE,
    Result,
)
from autodiff_lab.grading.results import UNTOUCHED as STATUS_UNTOUCHED

MARKER = ".autodiff_lab_demo"
SMALLEST = 24
CELL_TIMEOUT = 20

# Invented people; a name may hold an apostrophe, a space, a hyphen or another script, and so may an id.
PEOPLE = (
    ("amara.okafor", "Amara", "Okafor"),
    ("bjorn.lindqvist", "Björn", "Lindqvist"),
    ("chen.wei", "Wei", "Chen"),
    ("dara.o'neill", "Dara", "O'Neill"),
    ("elif.yildiz", "Elif", "Yıldız"),
    ("farid.haddad", "Farid", "Haddad"),
    ("grace.nakamura", "Grace", "Nakamura"),
    ("hugo.delacroix", "Hugo", "Delacroix"),
    ("ines.fonseca", "Inês", "Fonseca"),
    ("jonas.weiss", "Jonas", "Weiß"),
    ("kavya.raman", "Kavya", "Raman"),
    ("leila.moradi", "Leila", "Moradi"),
    ("mateo.quispe", "Mateo", "Quispe"),
    ("nadia.petrova", "Надя", "Петрова"),
    ("owen.price", "Owen", "Price"),
    ("paulina.zielinska", "Paulina", "Zielińska"),
    ("quynh.tran", "Quỳnh", "Trần"),
    ("rosa.van den berg", "Rosa", "van den Berg"),
    ("samuel.adeyemi", "Samuel", "Adeyemi"),
    ("tomas.horak", "Tomáš", "Horák"),
    ("ulla.virtanen", "Ulla", "Virtanen"),
    ("victor.munoz", "Víctor", "Muñoz"),
    ("wanjiru.kamau", "Wanjiru", "Kamau"),
    ("yusuf.demir", "Yusuf", "Demir"),
    ("zoe.martin-roy", "Zoé", "Martin-Roy"),
    ("aiko.tanaka", "愛子", "田中"),
    ("ben.achterberg", "Ben", "Achterberg"),
    ("carla.russo", "Carla", "Russo"),
    ("dmitri.ivanov", "Dmitri", "Ivanov"),
    ("esi.mensah", "Esi", "Mensah"),
)

OWN_WORDS = "The sum has two summands, so somehow both matter. I am not sure how to say it better."


@dataclass
class Planted:
    """What one student's one unit must come out as. `points`: exercise -> points, None where a person has to mark."""

    student: str
    unit: str
    status: str
    points: dict[str, float | None] = field(default_factory=dict)
    misconceptions: dict[str, str] = field(default_factory=dict)
    late: bool = False

    @property
    def score(self) -> float | None:
        return None if self.status in (MISSING, UNREADABLE) else sum(p or 0.0 for p in self.points.values())


@dataclass
class Demo:
    """How the demo ended: the report, the results in it, what was planted, and what did not come out as planted."""

    folder: Path
    page: Path
    results: list[Result]
    planted: list[Planted]
    wrong: list[str]
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.wrong

    def summary(self) -> str:
        """What to tell at the end: how many came out as planted, and every one that did not."""
        students = len({plant.student for plant in self.planted})
        answers = sum(len(plant.points) for plant in self.planted)
        bad = len({line.split(":")[0] for line in self.wrong})
        head = (
            f"{len(self.planted) - bad} of {len(self.planted)} submissions as planted "
            f"({students} students, {answers} answers), in results, gradebook and CSV; {self.seconds:.0f} s."
        )
        return "\n".join([head, *self.wrong])


def demo(
    folder: Path | None = None,
    units: list[str] | None = None,
    class_size: int = SMALLEST,
    course: Path | None = None,
    solutions: Path | None = None,
    workers: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Demo:
    """Make a class in `folder` (default: demo/ in the current folder; an earlier demo there is replaced) and grade it.

    `units` None: all of the course. `class_size` is at least 24. Opens nothing; `Demo.page` is the report. About three
    minutes on two cores for all of units 00 to 04.
    """
    started = time.monotonic()
    from autodiff_lab.grading import pool, sandbox
    from autodiff_lab.grading.export import export
    from autodiff_lab.grading.grade import Book, grade
    from autodiff_lab.grading.report import report

    course = Path(course) if course is not None else default_course()
    solutions = Path(solutions) if solutions is not None else default_solutions(course)
    names = resolve_units(units, course)
    if class_size < SMALLEST:
        raise CourseError(f"The demo class has at least {SMALLEST} students.")
    say = progress or (lambda what, done, total: None)
    folder = _fresh(Path(folder) if folder is not None else Path.cwd() / "demo")
    say(f"building {len(names)} unit{'' if len(names) == 1 else 's'}", 0, 0)
    banks = [read_bank(unit, course, solutions) for unit in names]
    place = folder / "course"
    _copy_course(course, names, place)
    build(names, place, folder / "solutions", execute=False)
    for unit in names:  # the report leaves out of "the same answers" what the bank holds
        bank = paths(unit, course, solutions).bank
        for side in ("right", "wrong"):
            if (bank / side).is_dir():
                shutil.copytree(bank / side, folder / "solutions" / unit / side)
    people = _people(class_size)
    say(f"writing the submissions of {len(people)} students", 0, 0)
    planted = _plant_class(banks, [person[0] for person in people], place)
    _write_roster(people, place)
    book = Book(place)
    book.config.ExecuteSubmission.timeout = CELL_TIMEOUT
    due = _due()
    for unit in names:
        book.register(unit)
        with book.open() as gradebook:
            gradebook.update_or_create_assignment(unit, duedate=due)
    say("starting to grade", 0, 0)
    cores = workers if workers is not None else pool.cores()
    ours = isinstance(sandbox.status(), sandbox.Refusal)  # every answer is: without a sandbox it runs all the same
    grade(names, place, timeout=CELL_TIMEOUT, progress=progress, workers=cores, trust_students=ours)
    say("marking written answers", 0, 0)
    for bank in banks:
        mark_written(book, bank)
    say("making the report", 0, 0)
    page, results = report(names, place, heading="Class report: a made-up class")
    wrong = check(planted, results, [person[0] for person in people])
    wrong += check_csv(results, export(place))
    return Demo(folder, page, results, planted, wrong, time.monotonic() - started)


def _fresh(folder: Path) -> Path:
    if folder.exists():
        if not (folder / MARKER).is_file():
            raise CourseError(f"{folder} exists and is not an earlier demo.", "Name another folder.")
        shutil.rmtree(folder)
    try:
        folder.mkdir(parents=True)
        (folder / MARKER).write_text("Made by the demo; the next demo in this folder removes it.\n")
    except OSError as error:
        raise CourseError(f"{folder} cannot be written ({error.strerror}).", "Name another folder.") from None
    return folder.resolve()


def _copy_course(course: Path, units: list[str], target: Path) -> None:
    (target / "source").mkdir(parents=True)
    shutil.copyfile(course / "nbgrader_config.py", target / "nbgrader_config.py")
    for unit in units:
        shutil.copytree(
            paths(unit, course).text.parent,
            target / "source" / unit,
            ignore=shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__", "*.ipynb"),
        )


def _people(class_size: int) -> list[tuple[str, str, str]]:
    extra = [(f"guest{number:03d}", "Guest", f"No. {number}") for number in range(class_size - len(PEOPLE))]
    return [*PEOPLE[:class_size], *extra]


def _write_roster(people: list[tuple[str, str, str]], course: Path) -> None:
    with (course / "students.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "first_name", "last_name", "email", "lms_user_id"])
        writer.writerows([student, first, last, "", ""] for student, first, last in people)


def _due() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None, hour=18, minute=0, second=0, microsecond=0) - timedelta(days=1)


# ---------------------------------------------------------------- planting


def _plant_class(banks: list[Unit], students: list[str], course: Path) -> list[Planted]:
    """Write everyone's submissions; returns what each must come out as."""
    chance = random.Random(4)
    wrong_left = {bank.name: _shuffled_wrong(bank, chance) for bank in banks}
    planted = []
    for number, student in enumerate(students):
        for column, bank in enumerate(banks):
            happening = _happening(number, column, len(banks))
            planted.append(_plant(bank, student, number, happening, wrong_left[bank.name], chance, course))
    return planted


def _happening(number: int, column: int, columns: int) -> str:
    """What is special about one student's one unit. Most are answers alone, some right and some wrong."""
    last = columns - 1
    special = {
        (0, None): "all right",
        (1, None): "all right, other ways",
        (4, last): "untouched",
        (5, None): "missing",
        (6, 0): "missing",
        (7, last): "crashes",
        (8, min(1, last)): "not a notebook",
        (9, last): "endless loop",
        (10, 0): "late",
        (11, last): "late",
        (12, last): "own words",
        (13, min(1, last)): "tests deleted",
        (14, last): "empty file",
        (15, min(2, last)): "nothing written",
    }
    return special.get((number, column)) or special.get((number, None)) or "answers"


def _shuffled_wrong(bank: Unit, chance: random.Random) -> dict[str, list[Answer]]:
    pools = {}
    for exercise, answers in bank.answers.items():
        pools[exercise] = [answer for answer in answers if not answer.right]
        chance.shuffle(pools[exercise])
    return pools


def _plant(
    bank: Unit,
    student: str,
    number: int,
    happening: str,
    wrong_left: dict[str, list[Answer]],
    chance: random.Random,
    course: Path,
) -> Planted:
    if happening == "missing":
        return Planted(student, bank.name, MISSING)
    folder = course / "submitted" / student / bank.name
    folder.mkdir(parents=True)
    late = happening == "late"
    stamp = _due() + (timedelta(hours=5 + 20 * (number % 2)) if late else -timedelta(hours=1 + number))
    (folder / "timestamp.txt").write_text(stamp.strftime("%Y-%m-%d %H:%M:%S.%f UTC"))
    file = folder / f"{bank.name}.ipynb"
    if happening in ("not a notebook", "empty file"):
        file.write_text('{"cells": [{"cell_type": "mark' if happening == "not a notebook" else "")
        return Planted(student, bank.name, UNREADABLE)
    chosen = _choose(bank, number, happening, wrong_left, chance)
    notebook = compose(bank, chosen, hidden_tests=False)
    planted = _expected(bank, student, chosen, happening, late)
    code = [exercise.id for exercise in bank.code_exercises]
    if happening in ("crashes", "endless loop"):
        # In the middle, so that exercises before and after it show that they keep their points.
        victim = next(
            (e.id for e in bank.code_exercises[len(code) // 2 :] if e.kind == "implement"), code[len(code) // 2]
        )
        body = "import os\nos._exit(3)" if happening == "crashes" else "while True:\n    pass"
        _cell(notebook, victim).source = f"# Something went wrong here.\n{body}"
        planted.points[victim] = 0.0
        planted.misconceptions.pop(victim, None)
        planted.status = CRASHED if happening == "crashes" else TIMEOUT
    if happening == "tests deleted":
        notebook.cells = [
            c for c in notebook.cells if not c.metadata.get("nbgrader", {}).get("grade_id", "").startswith(TEST)
        ]
    for exercise in bank.exercises:
        if exercise.kind == "written" and happening == "own words":
            _cell(notebook, exercise.id).source = OWN_WORDS
    nbformat.write(notebook, file)
    return planted


def _choose(
    bank: Unit, number: int, happening: str, wrong_left: dict[str, list[Answer]], chance: random.Random
) -> dict[str, Answer | str]:
    if happening == "untouched":
        return {}
    chosen: dict[str, Answer | str] = {exercise.id: SOURCE for exercise in bank.exercises}
    # From the third on, students differ in how much they get wrong; one in five exercises stays open for the weakest.
    share = 0.0 if number < 2 else (0.15, 0.35, 0.6)[number % 3]
    for exercise in bank.exercises:
        if exercise.kind == "written":
            if happening == "nothing written":
                chosen[exercise.id] = UNTOUCHED
            continue
        right = [answer for answer in bank.answers[exercise.id] if answer.right]
        if right and happening != "all right":
            chosen[exercise.id] = chance.choice([SOURCE, *right] if number > 1 else right)
        if chance.random() >= share:
            continue
        if not wrong_left[exercise.id]:
            wrong_left[exercise.id] = [answer for answer in bank.answers[exercise.id] if not answer.right]
        if wrong_left[exercise.id] and chance.random() < 0.85:
            chosen[exercise.id] = wrong_left[exercise.id].pop()
        else:
            chosen[exercise.id] = UNTOUCHED
    return chosen


def _expected(bank: Unit, student: str, chosen: dict[str, Answer | str], happening: str, late: bool) -> Planted:
    planted = Planted(student, bank.name, GRADED, late=late)
    for exercise in bank.exercises:
        choice = chosen.get(exercise.id, UNTOUCHED)
        right = choice.right if isinstance(choice, Answer) else choice == SOURCE
        planted.points[exercise.id] = exercise.points if right else choice.keeps if isinstance(choice, Answer) else 0.0
        if exercise.kind == "written" and happening == "own words":
            planted.points[exercise.id] = None
            planted.status = NEEDS_MANUAL
        if isinstance(choice, Answer) and not choice.right and choice.expected not in ("hidden", "unnamed"):
            planted.misconceptions[exercise.id] = choice.expected
    if happening == "untouched":
        planted.status = STATUS_UNTOUCHED
    return planted


def _cell(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


# ---------------------------------------------------------------- the instructor


def mark_written(book: object, bank: Unit) -> int:
    """Give full marks to every open written answer that is the model answer, as a person would; returns how many."""
    from autodiff_lab.grading.grade import Book

    assert isinstance(book, Book)
    marked = 0
    model = {e.id: _cell(bank.source, e.id).source for e in bank.exercises if e.kind == "written"}
    with book.open() as gradebook:
        for submission in gradebook.assignment_submissions(bank.name):
            student = submission.student.id
            folder = book.place(book.coursedir.autograded_directory, student, bank.name)
            notebook = submitted.notebook(folder, f"{bank.name}.ipynb")
            for exercise, text in model.items():
                if _cell(notebook, exercise).source != text:
                    continue
                grade = gradebook.find_grade(exercise, bank.name, bank.name, student)
                grade.manual_score, grade.needs_manual_grade = grade.max_score, False
                marked += 1
        gradebook.db.commit()
    return marked


# ---------------------------------------------------------------- looking it up


def check(planted: list[Planted], results: list[Result], roster: list[str]) -> list[str]:
    """Every difference between what was planted and what came out, one line each, starting with student and unit."""
    found = {(result.student, result.unit): result for result in results}
    wrong = [
        f"{student}: is on the roster and not in the results"
        for student in roster
        if student not in {s for s, _ in found}
    ]
    for plant in planted:
        name = f"{plant.student} {plant.unit}"
        result = found.get((plant.student, plant.unit))
        if result is None:
            wrong.append(f"{name}: has no result")
            continue
        if result.status != plant.status:
            wrong.append(f"{name}: is {result.status!r}, planted was {plant.status!r} ({result.note})")
        if bool(result.late_seconds) != plant.late:
            wrong.append(f"{name}: late is {bool(result.late_seconds)}, planted was {plant.late}")
        if result.score != plant.score:
            wrong.append(f"{name}: has {result.score} points, planted were {plant.score}")
        came = {exercise.exercise: exercise for exercise in result.exercises}
        for exercise, points in plant.points.items():
            if exercise not in came:
                wrong.append(f"{name}: {exercise} is not in the result")
            elif came[exercise].points != points:
                wrong.append(f"{name}: {exercise} has {came[exercise].points} points, planted were {points}")
            elif exercise in plant.misconceptions and came[exercise].misconception != plant.misconceptions[exercise]:
                told, meant = came[exercise].misconception, plant.misconceptions[exercise]
                wrong.append(f"{name}: {exercise} was told {told}, planted was {meant}")
    return wrong


def check_csv(results: list[Result], file: Path) -> list[str]:
    """Every difference between results and the exported CSV."""
    with file.open(encoding="utf-8", newline="") as stream:
        rows = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(stream)}
    wrong = []
    for result in results:
        row = rows.get((result.student, result.unit))
        if row is None:
            wrong.append(f"{result.student} {result.unit}: is not in the CSV")
        elif row["score"] != ("" if result.score is None else str(result.score)):
            wrong.append(f"{result.student} {result.unit}: the CSV says {row['score']!r}, the result {result.score}")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """`python -m autodiff_lab.grading.demo [--folder DIR] [UNIT…]`: exit 1 if anything is not as planted."""
    import argparse
    import sys

    from autodiff_lab.grading.progress import bar

    parser = argparse.ArgumentParser(prog="python -m autodiff_lab.grading.demo", description=main.__doc__)
    parser.add_argument("units", nargs="*")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--class-size", type=int, default=SMALLEST)
    parser.add_argument("--workers", type=int)
    options = parser.parse_args(arguments)
    try:
        with bar("Grading a made-up class") as progress:
            made = demo(options.folder, options.units, options.class_size, workers=options.workers, progress=progress)
    except CourseError as error:
        return error.tell()
    print(made.summary())
    print(f"Report: {made.page}")
    sys.stdout.flush()
    return 0 if made.ok else 1


if __name__ == "__main__":
    import sys

    sys.exit(main())

"""One class of attackers and of honest students whose answers look like attacks, graded once by the real path.

The answers are in `attacks`. Several exercises of one notebook are attacked at once, since exercises stand alone: the
whole class is sixteen notebooks. Folders that are copied need no kernel.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.build import build
from autodiff_lab.grading.course import paths
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.results import Result

from .attacks import COPYING, DRIVERS, HONEST, NOTEBOOK, WIRE, WIRE_EXERCISES, Attack
from .conftest import FIXTURES, ROOT, make_course
from .quick import run

pytestmark = [
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.sandbox,
]

SMALL, TINY = "91_small", "90_tiny"
UNITS = sorted({attack.unit for attack in DRIVERS.values()})
TIMEOUT = 10
HIDDEN = "only_in_the_hidden_test"
NOTES = {
    *("wrong answer", "only a hidden test failed", "the answer raises an error", "too many calls"),
    *("crashed", "timeout", "out of memory"),
}
"""What an attack may come to. An error of the judge would be another one."""


@dataclass(frozen=True)
class Submission:
    """Who hands it in, for which unit: answers by exercise (the others are right), and the names of the attacks."""

    student: str
    unit: str
    answers: dict[str, str]
    attacks: dict[str, str]


def submissions() -> list[Submission]:
    """Everybody: attackers of the units, who attack one exercise each in turn; of the line; and honest students."""
    found = []
    for unit in UNITS:
        by_exercise: dict[str, list[str]] = {}
        for name, attack in DRIVERS.items():
            if attack.unit == unit:
                by_exercise.setdefault(attack.exercise, []).append(name)
        for number, names in enumerate(zip_longest(*by_exercise.values())):
            chosen = {DRIVERS[name].exercise: name for name in names if name}
            answers = {exercise: DRIVERS[name].source for exercise, name in chosen.items()}
            found.append(Submission(f"attacks {unit} {number}", unit, answers, chosen))
        honest = {exercise: source for (where, exercise), source in HONEST.items() if where == unit}
        found += [Submission(f"honest {unit}", unit, honest, {})] if honest else []
    names = list(WIRE)
    for number in range(0, len(names), len(WIRE_EXERCISES)):
        chosen = dict(zip(WIRE_EXERCISES, names[number:], strict=False))
        answers = {exercise: WIRE_EXERCISES[exercise].format(WIRE[name]) for exercise, name in chosen.items()}
        found.append(Submission(f"attacks the line {number}", SMALL, answers, chosen))
    return found


def hand_in(course: Path, solutions: Path) -> None:
    """Write the notebooks of all submissions."""
    banks = {unit: read_bank(unit, course, solutions) for unit in (*UNITS, SMALL)}
    for each in submissions():
        bank = banks[each.unit]
        notebook = compose(bank, dict.fromkeys([e.id for e in bank.code_exercises], SOURCE), hidden_tests=False)
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = each.answers.get(name, cell.source)
        place = course / "submitted" / each.student / each.unit
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{each.unit}.ipynb")


def make_class(folder: Path) -> Path:
    """A course with the real units and the small one, and everybody's submission in it."""
    course = make_course(folder)
    shutil.copytree(FIXTURES / "small" / "source", course / "source", dirs_exist_ok=True)
    for unit in UNITS:
        shutil.copytree(paths(unit, ROOT / "course").text.parent, course / "source" / unit)
    build([SMALL], course, folder / "solutions", execute=False)
    hand_in(course, folder / "solutions")
    return course


@dataclass
class Graded:
    """What came of the class: results by student, and the course; what the exercises of each unit are worth."""

    course: Path
    results: dict[str, Result]
    worth: dict[str, dict[str, float]]

    def points(self, student: str) -> dict[str, float | None]:
        return {exercise.exercise: exercise.points for exercise in self.results[student].exercises}


@pytest.fixture(scope="module")
def graded() -> Iterator[Graded]:
    with tempfile.TemporaryDirectory(prefix="adl_attacks_", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        course = make_class(Path(name))
        found = grade([*UNITS, SMALL], course, timeout=TIMEOUT, workers=2)
        feedback([*UNITS, SMALL], course)
        units = {each.student: each.unit for each in submissions()}
        banks = {unit: read_bank(unit, course, course.parent / "solutions") for unit in (*UNITS, SMALL)}
        worth = {unit: {e.id: e.points for e in bank.code_exercises} for unit, bank in banks.items()}
        yield Graded(course, {r.student: r for r in found if units.get(r.student) == r.unit}, worth)


def expected(each: Submission, graded: Graded) -> dict[str, float]:
    """The points of a submission: none where it attacks, all where it does not."""
    kept = {name: DRIVERS[attack].keeps if attack in DRIVERS else 0.0 for name, attack in each.attacks.items()}
    return graded.worth[each.unit] | kept


def by(name: str) -> Submission:
    return next(each for each in submissions() if name in each.attacks.values())


@pytest.mark.parametrize("name", [*DRIVERS, *WIRE])
def test_an_attack_earns_nothing_and_costs_no_other_exercise(graded: Graded, name: str) -> None:
    each = by(name)
    points = graded.points(each.student)
    result = graded.results[each.student]
    exercise = next(exercise for exercise, attack in each.attacks.items() if attack == name)
    assert points[exercise] == (DRIVERS[name].keeps if name in DRIVERS else 0), result
    assert next(e.note for e in result.exercises if e.exercise == exercise) in NOTES, result
    if all(DRIVERS[attack].alone for attack in each.attacks.values() if attack in DRIVERS):
        right = expected(each, graded)
        assert {exercise: points[exercise] for exercise in right} == right, result


@pytest.mark.parametrize("student", [each.student for each in submissions() if not each.attacks])
def test_an_honest_answer_that_looks_like_an_attack_has_all_its_points(graded: Graded, student: str) -> None:
    each = next(each for each in submissions() if each.student == student)
    right = expected(each, graded)
    points = graded.points(student)
    assert right and {exercise: points[exercise] for exercise in right} == right, graded.results[student]


def test_everybody_has_a_page_and_no_page_shows_a_hidden_test(graded: Graded) -> None:
    everybody = submissions()
    assert graded.results.keys() == {each.student for each in everybody}
    for each in everybody:
        page = graded.course / "feedback" / each.student / each.unit / f"{each.unit}.html"
        text = page.read_text()
        assert f"{HIDDEN}_of" not in text and "BEGIN HIDDEN" not in text and len(text) < 3_000_000, each.student


def test_every_attack_is_in_the_class_once() -> None:
    names = [name for each in submissions() for name in each.attacks.values()]
    assert sorted(names) == sorted([*DRIVERS, *WIRE])
    assert all(isinstance(attack, Attack) and attack.unit in UNITS for attack in DRIVERS.values())


# ------------------------------------------------------------ copying


@dataclass
class Copied:
    """What came of the folders."""

    course: Path
    results: dict[str, Result]


@pytest.fixture(scope="module")
def copied(opened: Path, tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """A course in which one student did each thing to the folder, and two did nothing, graded without kernels."""
    course = Path(shutil.copytree(opened.parent, tmp_path_factory.mktemp("copied") / "class")) / "course"
    bank = read_bank(TINY, course)
    right = compose(bank, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    source = paths(TINY, course).text
    for student in ("honest ann", *COPYING, "honest zoe"):
        place = course / "submitted" / student / TINY
        place.mkdir(parents=True)
        nbformat.write(right, place / NOTEBOOK.format(unit=TINY))
        (place / "timestamp.txt").write_text("2026-03-01 12:00:00.0 UTC")
        (place / "kept.txt").write_text("kept")
        if student in COPYING:
            COPYING[student](place, source)
    found = run(course)
    run(course, resume=True)
    feedback([TINY], course)
    return Copied(course, {result.student: result for result in found})


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            assert path.stat().st_size < 2**28, path
            yield path, path.read_text(errors="replace")


@pytest.mark.parametrize("student", COPYING)
def test_nothing_of_the_source_reaches_who_sends_a_folder(copied: Copied, student: str) -> None:
    mark, course = "expect=(7.5, 13.75)", copied.course
    assert mark in paths(TINY, course).text.read_text(), "the hidden test"
    for path, text in texts(course / "feedback" / student):
        assert mark not in text and "BEGIN HIDDEN" not in text, path
    for path in (course / "autograded" / student).rglob("*"):
        assert not path.is_symlink(), path
        if path.is_file() and path.suffix != ".ipynb":
            assert mark not in path.read_text(errors="replace"), path


@pytest.mark.parametrize("student", COPYING)
def test_every_folder_has_a_status_and_no_points_that_it_does_not_deserve(copied: Copied, student: str) -> None:
    result = copied.results[student]
    if student.startswith("the notebook is") or student == "the notebook has 60 MB of brackets":
        assert (result.status, result.score) == ("unreadable", None) and result.note
    else:
        assert (result.status, result.score) == ("graded", 80)


@pytest.mark.parametrize("student", ["honest ann", "honest zoe"])
def test_who_comes_before_and_after_them_is_served(copied: Copied, student: str) -> None:
    assert (copied.results[student].status, copied.results[student].score) == ("graded", 80)
    assert (copied.course / "feedback" / student / TINY / f"{TINY}.html").is_file()
    assert (copied.course / "autograded" / student / TINY / "kept.txt").read_text() == "kept"

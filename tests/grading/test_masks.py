"""What an exercise masks earns no points, in whatever way an answer gets at it; and who is kept from it is told so.

`borrowed` has the answers: one student submits all of them, another right ones.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.grading import forked, masks
from autodiff_lab.grading.bank import SOURCE, Answer, Unit, compose, read_bank
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.report import report
from autodiff_lab.grading.results import Result, read_exercises

from . import borrowed
from .conftest import ROOT

pytestmark = [pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"), pytest.mark.sandbox]

UNIT = "93_borrowed"
NAMES = borrowed.names()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("class") / "course"
    text = made / "source" / UNIT / f"{UNIT}.py"
    text.parent.mkdir(parents=True)
    text.write_text(borrowed.text(), encoding="utf-8")
    shutil.copyfile(ROOT / "course" / "nbgrader_config.py", made / "nbgrader_config.py")
    return made


def submission(unit: Unit, own: str = "", hidden_tests: bool = False) -> nbformat.NotebookNode:
    """A notebook of which all answers are borrowed; `own`: the exercises whose answers are right, by a pattern."""
    chosen: dict[str, Answer | str] = {
        name: SOURCE if re.fullmatch(own, name) else Answer(name, name, answer.source(name), False, "unnamed")
        for name, answer in NAMES.items()
    }
    lender = next(answer for answer in NAMES.values() if answer.kind == "bits")
    chosen["lends"] = Answer("lends", "lends", lender.source("lends"), False, "unnamed")
    return compose(unit, chosen, hidden_tests)


@pytest.fixture(scope="module")
def unit(course: Path) -> Unit:
    return read_bank(UNIT, course, course.parent / "solutions")


@pytest.fixture(scope="module")
def graded(course: Path, unit: Unit) -> Iterator[dict[str, Result]]:
    for student, own in (("borrows", ""), ("half", r"answer_\d*[02468]")):
        place = course / "submitted" / student / UNIT / f"{UNIT}.ipynb"
        place.parent.mkdir(parents=True)
        nbformat.write(submission(unit, own), place)
    yield {result.student: result for result in grade([UNIT], course, workers=2)}


def points(result: Result) -> dict[str, float | None]:
    """What each answer earned, by what it is."""
    found = {exercise.exercise: exercise.points for exercise in result.exercises}
    return {about: found[name] for name, about in zip(NAMES, borrowed.BORROWED, strict=True)}


def test_no_borrowed_answer_earns_points(graded: dict[str, Result]) -> None:
    assert [about for about, earned in points(graded["borrows"]).items() if earned != 0] == []


def test_right_answers_beside_them_keep_theirs(graded: dict[str, Result]) -> None:
    assert list(points(graded["half"]).values()) == ([1, 0] * len(NAMES))[: len(NAMES)]


def test_where_nothing_is_masked_each_is_right(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked.masking, "replaced", lambda masks: {})
    notebook = submission(unit, hidden_tests=True)
    forked.run_forked(notebook, UNIT, unit.course)
    earned = points(Result("", UNIT, "", None, 100, read_exercises(notebook)))
    assert [about for about, got in earned.items() if got != 1 and about not in borrowed.NOT_EVERYWHERE] == []


def test_who_uses_what_is_masked_is_told_so(graded: dict[str, Result], course: Path) -> None:
    notes = {exercise.exercise: exercise.note for exercise in graded["borrows"].exercises}
    name = {about: name for name, about in zip(NAMES, borrowed.BORROWED, strict=True)}
    for about, used in (
        ("graphlib, imported", "graphlib.TopologicalSorter"),
        ("what orders the pictures", "autodiff_lab.draw.data.order"),
        ("the sort of SQLAlchemy", "sqlalchemy.util.topological.sort"),  # which the answer does not let anyone see
        ("scipy.differentiate", "scipy.differentiate.derivative"),
        ("the engine, imported", "autodiff_lab.grad"),
    ):
        assert used in notes[name[about]]
        assert notes[name[about]].startswith("uses what is not available: ")
    feedback([UNIT], course)
    page = (course / "feedback" / "borrows" / UNIT / f"{UNIT}.html").read_text(encoding="utf-8")
    said = "Your answer uses graphlib.TopologicalSorter, which is not available in this exercise, as the first cell of "
    assert said in page
    assert "uses what is not available: autodiff_lab.grad" in page
    report([UNIT], course)
    tables = "".join(file.read_text(encoding="utf-8") for file in (course / "reports").glob("*.csv"))
    assert "uses what is not available: autodiff_lab.grad" in tables
    assert "not available</span>" in (course / "reports" / "report.html").read_text(encoding="utf-8")


def test_what_is_compiled_already_is_not_written_again(tmp_path: Path) -> None:
    """A file in the place of one that is covered would lie open in the sandboxes that run."""
    source = tmp_path / "graphlib.py"
    source.write_text("pass\n")
    masks._compile(source)
    (compiled,) = (tmp_path / "__pycache__").iterdir()
    first = compiled.stat()
    masks._compile(source)
    assert compiled.stat().st_ino == first.st_ino
    source.write_text("changed = True\n")
    masks._compile(source)
    (compiled,) = (tmp_path / "__pycache__").iterdir()
    assert b"changed" in compiled.read_bytes()

"""The course changes while it is graded: who changed what is told apart, and marks by hand are not lost unsaid."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.utils import compute_checksum

from autodiff_lab.cli import main
from autodiff_lab.grading import grade as grading
from autodiff_lab.grading import pool
from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.cells import marks_by_hand
from autodiff_lab.grading.course import CourseError
from autodiff_lab.grading.grade import Book, grade
from autodiff_lab.grading.handed_in import from_data
from autodiff_lab.grading.matching import Release, match, release_of
from autodiff_lab.grading.notes import for_student, for_teacher

from .conftest import UNIT, ByHand
from .quick import quick

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


# ---------------------------------------------------------------- who changed a cell


@pytest.fixture(scope="module")
def release(opened: Path) -> Release:
    return release_of(opened / "source" / UNIT / f"{UNIT}.py", UNIT, None)


def kinds(opened: Path, release: Release, change: Any) -> set[str]:
    notebook = compose(read_bank(UNIT, opened), {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
    change(cells)
    _, notes = match(from_data(nbformat.from_dict(notebook)), release)
    assert all(for_teacher([note]) and for_student([note]) for note in notes)
    return {note.kind for note in notes}


def points(name: str, by: str) -> Any:
    def change(cells: Any) -> None:
        cells[name].metadata.nbgrader["points"] = 7
        if by == "course":
            given = cells[name].source if name.startswith("test-") else "# The value y is used twice."
            old = {**cells[name], "source": given}
            cells[name].metadata.nbgrader["checksum"] = compute_checksum(nbformat.from_dict(old))

    return change


def test_source(by: str) -> Any:
    def change(cells: Any) -> None:
        cells["test-predict"].source += "\nassert prediction < 100"
        if by == "course":
            cells["test-predict"].metadata.nbgrader["checksum"] = compute_checksum(cells["test-predict"])

    return change


test_source.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cells: None, set()),
        (points("test-gradients", "student"), {"marks"}),
        (points("test-gradients", "course"), {"updated"}),
        (test_source("student"), {"edited"}),
        (test_source("course"), {"updated"}),
        (
            lambda cells: (points("test-gradients", "course")(cells), test_source("student")(cells)),
            {"updated", "edited"},
        ),
        (lambda cells: cells["test-predict"].metadata.nbgrader.update(points=9, checksum=None), {"marks"}),
        (lambda cells: cells["test-predict"].metadata.nbgrader.update(points="many", checksum=3), {"marks"}),
    ],
    ids=["nothing", "points, student", "points, course", "test, student", "test, course", "both", "none", "rubbish"],
)
def test_what_the_course_changed_is_not_blamed_on_the_student(
    opened: Path, release: Release, change: Any, said: set[str]
) -> None:
    assert kinds(opened, release, change) == said


def test_a_written_answer_whose_points_the_course_changed(opened: Path, release: Release) -> None:
    given = release.given[release.by_grade_id["explain"]]

    def change(cells: Any) -> None:
        cell = cells["explain"]
        cell.metadata.nbgrader["points"] = 10
        cell.metadata.nbgrader["checksum"] = compute_checksum(nbformat.from_dict({**cell, "source": given}))
        cell.source = "Because it is used twice."

    assert kinds(opened, release, change) == {"updated"}


# ---------------------------------------------------------------- an exercise is renamed


@pytest.fixture
def marked(own_course: Path) -> Path:
    """Two written answers; ann has 13 by hand for hers, bob extra credit. Then the course renames exercises."""
    made = ByHand(own_course)
    for student in ("ann", "bob"):
        made.hand_in(student, {"explain": "Because it is used twice."})
    with made.book.open() as gradebook:
        mark = gradebook.find_grade("explain", UNIT, UNIT, "ann")
        mark.manual_score, mark.needs_manual_grade = 13.0, False
        gradebook.find_grade("test-predict", UNIT, UNIT, "bob").extra_credit = 2.5
        gradebook.db.commit()
    for student in ("ann", "bob"):
        folder = own_course / "submitted" / student / UNIT
        notebook = compose(made.unit, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
        nbformat.write(notebook, folder / f"{UNIT}.ipynb")
    return own_course


def edit(course: Path, *changes: tuple[str, str]) -> None:
    path = course / "source" / UNIT / f"{UNIT}.py"
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


EXPLAIN = ('"grade_id": "explain"', '"grade_id": "why"')
PREDICT = (('"grade_id": "predict"', '"grade_id": "guess"'), ('"grade_id": "test-predict"', '"grade_id": "test-guess"'))


def refused(course: Path) -> str:
    with pytest.raises(CourseError) as caught:
        Book(course).register(UNIT)
    return f"{caught.value} {caught.value.hint}"


def test_what_would_be_lost_is_named_and_the_way_that_keeps_it(marked: Path) -> None:
    edit(marked, EXPLAIN)
    said = refused(marked)
    assert "gone: explain; new: why" in said
    assert "--renamed explain=why" in said and "their old names in the source" in said
    assert "2 of them given by hand (ann 13 in explain, bob 2.5 in predict)" in said


def test_no_name_is_guessed_where_two_exercises_could_be_it(marked: Path) -> None:
    edit(marked, *PREDICT, ('"grade_id": "gradients"', '"grade_id": "g2"'), ('"test-gradients"', '"test-g2"'))
    said = refused(marked)
    assert "gone: gradients, predict; new: g2, guess" in said and "--renamed" not in said
    assert "ann 13 in explain" in said


def test_without_marks_by_hand_none_is_spoken_of(own_course: Path) -> None:
    ByHand(own_course).hand_in("ann")
    edit(own_course, *PREDICT)
    said = refused(own_course)
    assert "--renamed predict=guess" in said and "given by hand" not in said


def test_a_renamed_exercise_keeps_its_marks(
    marked: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    edit(marked, EXPLAIN, *PREDICT)
    monkeypatch.setattr(grading, "grade_one", quick)
    monkeypatch.setattr(pool, "crew", lambda work, *rest: pool.Here(work))
    renamed = ["--renamed", "explain=why", "--renamed", "predict=guess"]
    assert main(["grade", UNIT, "--course", str(marked), "--trust-students", *renamed]) == 0, capfd.readouterr().err
    book = Book(marked)
    with book.open() as gradebook:
        assert marks_by_hand(gradebook, UNIT) == [("ann", "why", 13.0), ("bob", "guess", 2.5)]
    ann = {exercise.exercise: exercise.points for exercise in book.result("ann", UNIT).exercises}
    assert ann.keys() == {"gradients", "guess", "why"} and ann["why"] == 13
    assert main(["grade", UNIT, "--course", str(marked), "--trust-students", *renamed]) == 1
    assert "guess" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"nothing": "new"}, "nothing cannot be renamed to new: nothing is not in the gradebook"),
        ({"test-predict": "guess"}, "test-predict cannot be renamed to guess: test-predict is not in the gradebook"),
        ({"explain": "predict"}, "explain cannot be renamed to predict: predict is there already"),
    ],
)
def test_a_name_that_is_not_there_or_taken_is_refused(own_course: Path, names: dict[str, str], said: str) -> None:
    with pytest.raises(CourseError, match=said):
        Book(own_course).rename(UNIT, names)


def test_renaming_needs_one_unit_and_two_names(own_course: Path, capfd: pytest.CaptureFixture[str]) -> None:
    more = own_course / "source" / "91_more" / "91_more.py"
    more.parent.mkdir()
    more.touch()
    with pytest.raises(CourseError, match="one unit at a time"):
        grade([UNIT, "91_more"], own_course, renamed={"a": "b"})
    assert main(["grade", UNIT, "--course", str(own_course), "--renamed", "explain"]) == 1
    assert "--renamed takes OLD=NEW" in capfd.readouterr().err

"""`check` and `progress`: what a student's own run of the tests says, and that it survives what students do."""

import json
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.errors import UserError
from autodiff_lab.selfcheck import check_unit, last_outcome
from autodiff_lab.tell import state_of, tell_check, tell_progress
from autodiff_lab.workspace import Workspace
from tests.house.conftest import answer


@pytest.fixture
def place(tmp_path: Path, release: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", release)
    workspace.prepare()
    return workspace


def test_right_wrong_and_untouched_are_told_apart(place: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    first = check_unit(place, "00_first")
    assert [state_of(e) for e in first.result.exercises] == ["not started", "not started"]
    assert (first.result.status, first.result.score) == ("untouched", 0)

    answer(place.notebook("00_first"), "total", "def total(x, y):\n    return x + y * y")
    answer(place.notebook("00_first"), "plus", "def plus(x, y):\n    return x + y")
    before = place.notebook("00_first").read_bytes()
    outcome = check_unit(place, "00_first")
    assert place.notebook("00_first").read_bytes() == before, "checking changes no file of the student's"
    total, plus = outcome.result.exercises
    assert (total.points, total.misconception, state_of(total)) == (0, "brackets-ignored", "not yet")
    assert (plus.points, plus.misconception, state_of(plus)) == (40, None, "passed")

    tell_check(outcome)
    told = capsys.readouterr().out
    assert "the multiplication is done before the" in told
    assert "unit 00" in told and "40 of 100 points" in told
    assert "\x1b" not in told, "no colour codes where nobody sees colours"

    tell_progress(place, place.units())
    told = capsys.readouterr().out
    assert "1 open, next: total of two numbers" in told and "40 of 200 points" in told
    answer(place.notebook("00_first"), "total", "def total(x, y):\n    return (x + y) * y")
    result, fresh = last_outcome(place, "00_first")
    assert (result.score, fresh) == (40, False)


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ("import mpmath\n\ndef plus(x, y):\n    return float(mpmath.mpf(x) + y)", "mpmath.mpf"),
        ("def plus(x, y):\n    from sympy import Float\n    return float(Float(x) + y)", "sympy.Float"),
        ("import mpmath as m\n\ndef add(x, y):\n    return float(m.mpf(x) + y)\n\nplus = add", "mpmath.mpf"),
        ("import mpmath\n\ndef plus(x, y):\n    return x + y", None),
        ("import math\n\ndef plus(x, y):\n    return math.fsum((x, y))", None),
        ("import mpmath\n\ndef plus(x, y):\n    return mpmath.mpf(x) - y", None),
    ],
)
def test_what_will_be_hidden_when_it_is_graded_is_said_of_an_answer_that_passes(
    place: Workspace, capsys: pytest.CaptureFixture[str], code: str, used: str | None
) -> None:
    answer(place.notebook("00_first"), "plus", code)
    outcome = check_unit(place, "00_first")
    if used is None:
        assert outcome.repairs == []
        return
    (said,) = outcome.repairs
    assert said.startswith(f"plus passes here with {used}, which will not be available when it is graded")
    tell_check(outcome)
    assert "plus passes here with" in capsys.readouterr().out


def test_changed_deleted_and_copied_test_cells_are_put_right(place: Workspace) -> None:
    path = place.notebook("00_first")
    answer(path, "total", "def total(x, y):\n    return 15.0")
    answer(path, "test-total", "pass")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "test-plus"]
    copied = nbformat.from_dict(notebook.cells[2])
    copied["id"], copied.source = "copied", "def total(x, y):\n    return x + y * y"
    notebook.cells.insert(3, copied)
    nbformat.write(notebook, path)

    outcome = check_unit(place, "00_first")
    total, plus = outcome.result.exercises
    assert (total.misconception, total.points) == ("brackets-ignored", 0), "the copy came last: it counts"
    assert (plus.points, plus.note) == (0, "not started")
    told = "\n".join(outcome.repairs)
    assert "test-total was changed" in told
    assert "test-plus was deleted" in told
    assert "total is there twice" in told


def test_a_student_hears_beforehand_what_grading_would_have_to_put_right(place: Workspace) -> None:
    path = place.notebook("00_first")
    answer(path, "total", "def total(x, y):\n    return (x + y) * y")
    answer(path, "plus", "def plus(x, y):\n    return x + y")
    right = check_unit(place, "00_first")
    assert (right.result.score, right.repairs) == (100, [])

    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.kernelspec = {"name": "ir", "display_name": "R", "language": "R"}
    notebook.cells[3].metadata["tags"] = ["skip-execution"]
    for cell in notebook.cells[4:]:
        cell.metadata.pop("nbgrader", None)
    path.write_bytes(b"\xef\xbb\xbf" + nbformat.writes(notebook).encode())
    notebook.cells[2].source = "def total(x, y):\n    return 0"
    nbformat.write(notebook, path.with_name("00_first-Copy1.ipynb"))
    (path.parent / "numpy.py").write_text("raise RuntimeError")
    (path.parent / "00_first.new-version.ipynb").write_bytes(path.read_bytes())
    (path.parent / "data.txt").symlink_to("/etc/hostname")
    outcome = check_unit(place, "00_first")
    assert outcome.result.score == 100, "it is put right for the check as for grading"
    told = "\n".join(outcome.repairs)
    for part in (
        "asks for the kernel R",
        "tags were added to test-total",
        "removed the course's metadata from plus, test-plus",
        "00_first-Copy1.ipynb has other answers",
        "numpy.py has the name of a package",
        "data.txt is a link",
    ):
        assert part in told
    assert len(outcome.repairs) == 6, told
    assert "new-version" not in told, "it is the course's own"


@pytest.mark.parametrize("text", ["", "{", '{"cells": 3}', "[1, 2]", "\x00\x01"])
def test_a_broken_notebook_is_a_clear_line(place: Workspace, text: str) -> None:
    place.notebook("00_first").write_text(text)
    with pytest.raises(UserError, match="cannot be read as a notebook") as told:
        check_unit(place, "00_first")
    assert "move it away" in told.value.hint
    assert place.notebook("00_first").read_text() == text


def test_a_missing_notebook_is_a_clear_line(place: Workspace) -> None:
    place.notebook("00_first").unlink()
    with pytest.raises(UserError, match="there is no"):
        check_unit(place, "00_first")


def test_json_has_the_shape_that_programs_expect(
    place: Workspace, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from autodiff_lab.cli import main

    monkeypatch.setattr("autodiff_lab.workspace.release_folder", lambda: place.release)
    answer(place.notebook("01_second"), "plus", "def plus(x, y):\n    return x + y")
    assert main(["check", "--json", "--workspace", str(place.root)]) == 0
    (student,) = json.loads(capfd.readouterr().out)["students"]
    assert (student["unit"], student["score"], student["max_score"]) == ("01_second", 40, 100)
    assert {"exercise", "points", "max_points", "misconception", "note"} <= set(student["exercises"][0])
    assert main(["progress", "--json", "--workspace", str(place.root)]) == 0
    assert json.loads(capfd.readouterr().out)["students"] == [student]


def test_each_failed_test_of_an_exercise_is_told_and_each_passed_one_counts(
    place: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    given = place.release / "00_first" / "00_first.ipynb"
    notebook = nbformat.read(given, as_version=4)
    more, asks = [], "student.without('torch', names=['total'])"
    for part, points in (("small", 5), ("large", 10)):
        cell = nbformat.from_dict(next(c for c in notebook.cells if c.id == "cell-3"))
        cell["id"], cell.source = (
            part,
            f"check(student.total(2.0, {points}.0), expect={points * (2.0 + points)})\n{asks}",
        )
        cell.metadata.nbgrader |= {"grade_id": f"test-total--{part}", "points": points}
        more.append(cell)
    notebook.cells[4:4] = more
    nbformat.write(notebook, given)
    path = place.notebook("00_first")
    nbformat.write(notebook, path)

    answer(path, "total", "def total(x, y):\n    return 15.0 if y == 3 else 0.0 if y == 5 else 1.0")
    outcome = check_unit(place, "00_first")
    total, _ = outcome.result.exercises
    assert (total.exercise, total.points, total.max_points) == ("total", 60, 75)
    tell_check(outcome)
    told = capsys.readouterr().out
    assert "total(2.0, 5.0): not yet" in told and "total(2.0, 10.0): not yet" in told and "60 / 75" in told

    answer(path, "total", "import mpmath\n\ndef total(x, y):\n    return float(mpmath.mpf((x + y) * y))")
    outcome = check_unit(place, "00_first")
    assert outcome.result.exercises[0].points == 75
    (said,) = outcome.repairs
    assert said.startswith("total passes here with mpmath.mpf"), "once, though two tests ask"
    tell_progress(place, place.units())
    assert "75 / 115" in capsys.readouterr().out

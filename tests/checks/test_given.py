"""A name that a cell further up makes, and that was not run or is gone: the message says which cell."""

import json
from pathlib import Path

import pytest

from autodiff_lab.checks import AnswerMissing, AnswerRaised, check, given
from autodiff_lab.checks.given import names, where
from autodiff_lab.checks.student import Local, Student
from tests.checks.test_check import notebook_with_lines

UNIT = "02_values"


def cell(source: str, kind: str = "code", **marks: object) -> dict:
    return {"cell_type": kind, "source": source.splitlines(keepends=True), "metadata": {"nbgrader": marks}}


@pytest.fixture
def unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a student works on a unit whose release has these cells."""
    cells = [
        cell("# 02 · Values\n\nText.", "markdown"),
        cell("## Points of a graph\n\nText.", "markdown"),
        cell("%matplotlib inline\nimport numpy as np\npoints = [1, 2]\nfor step in points:\n    last = step"),
        cell("### Exercise: add all values\n\n#### Hint\nText", "markdown"),
        cell("### Exercise: add all values", "markdown"),
        cell("def total(points):\n    raise NotImplementedError()", grade=False, solution=True),
        cell("expected = 3", grade=True, solution=False),
    ]
    path = tmp_path / "release" / UNIT / f"{UNIT}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cells": cells}))
    monkeypatch.setattr(given, "_release", lambda: tmp_path / "release")
    folder = tmp_path / "work" / UNIT
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def test_a_test_that_needs_a_name_of_a_given_cell_says_which_cell_makes_it(unit: Path) -> None:
    with pytest.raises(AnswerMissing) as told:
        check(Student(Local({})).run("return points"), expect=[1, 2])
    assert 'points is not defined.\n  It is made in the given cell under "Points of a graph".' in str(told.value)
    assert "Run that cell" in str(told.value) and "If the cell is gone, copy it" in str(told.value)


def test_an_answer_that_needs_a_name_of_a_given_cell_says_so_beside_the_error(unit: Path) -> None:
    student = notebook_with_lines("def total(x):\n    return np.sum(points)\n")
    with pytest.raises(AnswerRaised) as told:
        check(student.total(1.0), expect=3.0)
    assert "NameError: name 'np' is not defined" in str(told.value)
    assert 'np is made in the given cell under "Points of a graph". Run that cell first' in str(told.value)


def test_an_answer_that_was_not_run_is_found_by_its_exercise(unit: Path) -> None:
    with pytest.raises(AnswerMissing, match='It is made in the answer cell of "add all values"'):
        check(Student(Local({})).total([1, 2]), expect=3.0)


@pytest.mark.parametrize("name", ["expected", "nothing", "step_of", "inline"])
def test_what_no_cell_of_the_unit_makes_is_not_guessed(unit: Path, name: str) -> None:
    assert where(name) == ""
    with pytest.raises(AnswerMissing) as told:
        check(Student(Local({})).run(f"return {name}"), expect=1)
    assert "It is made in" not in str(told.value) and "Run the cell that defines it" in str(told.value)


def test_the_unit_is_that_of_the_folder_under_any_name(unit: Path, tmp_path: Path) -> None:
    for name in ("02 values", "02_values (1)", "02"):
        assert where("points", tmp_path / name)
    for name in ("03_values", "work", "values_02", ""):
        assert not where("points", tmp_path / name)


@pytest.mark.parametrize("text", ["", "[]", '{"cells": 3}', '{"cells": [{}]}'])
def test_a_release_that_cannot_be_read_costs_only_the_hint(unit: Path, text: str) -> None:
    (given._release() / UNIT / f"{UNIT}.ipynb").write_text(text)
    assert where("points") == ""


def test_names_are_those_of_the_top_level() -> None:
    source = (
        "import a.b, c as d\nfrom e import f as g\nh, (i, *j) = 1, (2, 3)\nk: int = 4\nwith open('x') as l: m = 5\n"
        "def n(o):\n    p = 6\nclass q:\n    r = 7\nif (s := 8):\n    t = [u for u in (9,)]\n"
        "!pip list\n%matplotlib inline\n"
    )
    assert names(source) == set("adghijklmnqst")
    assert names("x = (") == set()


def test_real_units_name_their_sections() -> None:
    release = Path(__file__).resolve().parents[2] / "course" / "release"
    assert given._release() == release
    made = where("topological_order", Path("01_graphs"))
    assert made.startswith('the answer cell of "'), made

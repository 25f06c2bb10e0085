"""Answer banks: files are checked, answers are mixed into few submissions, and what is not as promised is told."""

from pathlib import Path

import pytest

from autodiff_lab.grading.bank import (
    SOURCE,
    UNTOUCHED,
    Answer,
    BankError,
    check_bank,
    compose,
    composed,
    is_unusual,
    names,
    read_bank,
    sample,
    table,
)
from autodiff_lab.grading.forked import run_forked
from autodiff_lab.grading.masks import modules
from autodiff_lab.grading.results import read_exercises

UNIT = "90_tiny"


def write(course: Path, name: str, text: str) -> None:
    (course.parent / "solutions" / UNIT / name).write_text(text)


def test_every_answer_is_in_some_submission_and_few_submissions_hold_them_all(course: Path) -> None:
    unit = read_bank(UNIT, course)
    rows = composed(unit)
    held = {answer for row in rows for answer in row.values()}
    assert {answer for answers in unit.answers.values() for answer in answers} <= held
    assert len(rows) == 2 + 8  # the source, the untouched release, and as many as the fullest exercise has answers
    mixed = [row for row in rows[2:] if len({answer.right for answer in row.values()}) == 2]
    assert len(mixed) >= 3


def test_a_composed_submission_is_the_release_with_its_answer_cells_replaced(course: Path) -> None:
    unit = read_bank(UNIT, course)
    direct = next(answer for answer in unit.answers["gradients"] if answer.name == "direct")
    notebook = compose(unit, {"gradients": direct, "explain": SOURCE}, hidden_tests=False)
    sources = {cell.id: cell.source for cell in notebook.cells}
    assert sources["90-gradients"] == direct.code
    assert sources["90-predict"] == "# YOUR CODE HERE\nprediction = ..."
    assert sources["90-explain"].startswith("The value y is used twice")
    assert "13.75" not in "".join(sources.values())
    assert compose(unit, {}, hidden_tests=False) == unit.release


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("wrong/nothing__x.py", "# exercise: nothing\n# unnamed: x\n# about: x\nx = 1", "no exercise 'nothing'"),
        ("wrong/predict__x.py", "# misconception: x\nprediction = 1", "the header '# exercise: ...' is missing"),
        ("wrong/predict__x.py", "# exercise: predict\n# about: x\nprediction = 1", "one of misconception, hidden-only"),
        (
            "wrong/predict__x.py",
            "# exercise: predict\n# misconception: no-such-idea\n# about: x\nprediction = 1",
            "the catalogue has no misconception 'no-such-idea'",
        ),
        (
            "right/predict__x.py",
            "# exercise: predict\n# unnamed: x\n# about: x\ny = 1",
            "a right answer has no 'unnamed'",
        ),
        ("right/predict__x.py", "# exercise: predict\nprediction = 15", "the header '# about: ...' is missing"),
        ("right/fifteen.py", "# exercise: predict\n# about: x\nprediction = 15", "should start with predict__"),
        ("right/predict__x.py", "# exercise: predict\n# about: x\n", "there is no code under the header"),
        ("right/predict__x.py", "# exercise: predict\n# about: x\n# fun: x\nprediction = 15", "unknown header fun"),
    ],
)
def test_a_malformed_answer_file_is_told_what_is_wrong(course: Path, name: str, text: str, complaint: str) -> None:
    write(course, name, text)
    with pytest.raises(BankError) as error:
        read_bank(UNIT, course)
    assert complaint in str(error.value)
    assert name.split("/")[1] in str(error.value)


def test_a_promise_that_does_not_hold_is_told(course: Path) -> None:
    for slow in ("loops", "exits"):
        (course.parent / "solutions" / UNIT / "wrong" / f"gradients__{slow}.py").unlink()
    write(course, "right/predict__no.py", "# exercise: predict\n# about: it is not\nprediction = 14")
    write(course, "wrong/predict__yes.py", "# exercise: predict\n# unnamed: x\n# about: it is right\nprediction = 15.0")
    head = "# exercise: gradients\n# about: x\n"
    write(
        course,
        "wrong/gradients__misnamed.py",
        f"{head}# misconception: seed-missing\ndef gradients(x, y):\n    return y, y",
    )
    write(course, "wrong/gradients__seen.py", f"{head}# hidden-only: x\ndef gradients(x, y):\n    return 0.0, 0.0")
    write(course, "wrong/gradients__false.py", f"{head}# unnamed: x\ndef gradients(x, y):\n    return [y, y]")
    unit = read_bank(UNIT, course)
    report = check_bank(unit)
    told = "\n".join(report.problems)
    assert "gradients / false: has no name, and was told a false one: wrong answer, named fan-out-over" in told
    rows = {row.split(" | ")[0].strip("| "): row.split(" | ")[1:] for row in names(report).splitlines()[8:]}
    assert rows["fan-out-overwritten"][1] == "gradients / false, gradients / misnamed" and "seed-missing" in rows
    assert "predict / no: is right, and lost points" in told
    assert "predict / yes: is wrong, and kept 40.0 of 40.0 points" in told
    assert "gradients / misnamed: should be named seed-missing, and was told: wrong answer, named fan-out-over" in told
    assert "gradients / seen: should pass every visible test, and did not" in told
    assert "a visible test names 2 of 8 wrong answers; 90% are needed" in told
    assert len(report.problems) == 6
    as_promised = {(g.answer.exercise, g.answer.name) for g in report.graded if not g.problem}
    assert {
        ("gradients", "direct"),
        ("gradients", "written_in"),
        ("gradients", "numpy"),
        ("predict", UNTOUCHED),
    } <= as_promised
    lines = table(report).splitlines()
    assert lines[0].split() == ["exercise", "answer", "points", "named", "/", "note", "expected"]
    assert any(line.endswith("WRONG") and "misnamed" in line for line in lines)


def test_an_answer_that_ends_its_process_or_does_not_end_costs_its_own_exercise_only(course: Path) -> None:
    unit = read_bank(UNIT, course)
    for name, note in (("loops", "timeout"), ("exits", "crashed")):
        wrong = next(answer for answer in unit.answers["gradients"] if answer.name == name)
        notebook = compose(unit, {"gradients": wrong, "predict": SOURCE})
        run_forked(notebook, UNIT, course, timeout=1)
        points = {result.exercise: (result.points, result.note) for result in read_exercises(notebook)}
        assert points["gradients"] == (0, note)
        assert points["predict"] == (40, "")


PEEKS = {
    "the test's names": "import sys\ndef gradients(x, y):\n    return sys._getframe(2).f_globals['expected']",
    "a module that is masked": (
        f"import {modules(('units',))[0]} as found\n"
        "def gradients(x, y):\n    return (y, x + 2 * y) if hasattr(found, '__doc__') and found.__doc__ else (0, 0)"
    ),
    "what an earlier notebook left": "def gradients(x, y):\n    return left_behind",
}


@pytest.mark.parametrize("how", PEEKS)
def test_an_answer_in_a_forked_process_has_no_more_than_one_in_grading(course: Path, how: str) -> None:
    unit = read_bank(UNIT, course)
    earlier = compose(unit, {"gradients": Answer("gradients", "x", "left_behind = (3.0, 8.0)", False, "")})
    run_forked(earlier, UNIT, course)
    notebook = compose(unit, {"gradients": Answer("gradients", how, PEEKS[how], False, "unnamed")})
    run_forked(notebook, UNIT, course)
    assert next(r for r in read_exercises(notebook) if r.exercise == "gradients").points == 0


def test_a_sample_of_a_bank_has_all_that_is_unusual_and_of_the_rest_every_kind(course: Path) -> None:
    unit = read_bank(UNIT, course)
    for slow in ("loops", "exits"):
        unit.answers["gradients"] = [answer for answer in unit.answers["gradients"] if answer.name != slow]
    write(course, "wrong/gradients__asks.py", "# exercise: gradients\n# unnamed: x\n# about: x\nx = input()")
    asks = next(answer for answer in read_bank(UNIT, course).answers["gradients"] if answer.name == "asks")
    unit.answers["gradients"].append(asks)
    report = check_bank(unit)
    assert [graded.answer for graded in report.graded if is_unusual(graded)] == [asks]
    few, more = sample(unit, report, 1), sample(unit, report, 4)
    assert few.answers["gradients"] == [asks]
    assert asks in more.answers["gradients"] and len(more.answers["gradients"]) == 4
    assert {answer.right for answer in more.answers["gradients"]} == {True, False}
    assert more.answers == sample(unit, report, 4).answers
    part = check_bank(few)
    assert [problem for problem in part.problems if "are needed" in problem] == []

"""Answer banks: files are checked, answers are mixed into few submissions, and what is not as promised is told."""

from pathlib import Path

import pytest

from autodiff_lab.grading.bank import (
    SOURCE,
    UNTOUCHED,
    BankError,
    check_bank,
    compose,
    composed,
    read_bank,
    table,
)

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
    assert sources["90-predict"].endswith("raise NotImplementedError()")
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
    unit = read_bank(UNIT, course)
    report = check_bank(unit)
    told = "\n".join(report.problems)
    assert "predict / no: is right, and lost points" in told
    assert "predict / yes: is wrong, and kept 40.0 of 40.0 points" in told
    assert "gradients / misnamed: should be named seed-missing, and was told: wrong answer, named fan-out-over" in told
    assert "gradients / seen: should pass every visible test, and did not" in told
    assert "a visible test names 2 of 7 wrong answers; 90% are needed" in told
    assert len(report.problems) == 5
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

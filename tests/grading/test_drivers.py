"""`build` refuses a driver that compares: in the student's process, the student's classes say what is equal."""

from pathlib import Path

import pytest

from autodiff_lab.grading.drivers import comparing

PACKAGE = Path(__file__).resolve().parents[2] / "autodiff_lab"

REFUSED = {
    "return list(order(graph)) == right": "list(order(graph)) == right",
    "return f(x) != before": "f(x) != before",
    "return 'x' in leaves(graph)": "'x' in leaves(graph)",
    "return as_value(w) is w": "as_value(w) is w",
    "return abs(f(x) - 3.0) < 1e-9, f(2.0)": "abs(f(x) - 3.0) < 1e-09",
    "import math\nreturn math.isclose(f(x), 3.0)": "math.isclose(f(x), 3.0)",
    "return sorted(set(points))": "sorted(set(points))",
    "return [x == y for x in f()]": "x == y",
    "assert f(x) == 3.0\nreturn 1": "assert f(x) == 3.0",
    "right = f(x) == 3.0\nreturn right": "f(x) == 3.0",
    "if f(x) == 3.0:\n    return 'right'\nreturn f(x)": "f(x) == 3.0",
    "return 'as they were' if state() == before else state()": "state() == before",
}

LET_THROUGH = [
    "return f(x)",
    "return None if c is None else (c.value, c.tangent)",
    "while f(x) < 3:\n    x += 1\nreturn x",
    "return [n for n in nodes if n is not root]",
    "if isinstance(found, list):\n    found.append(0.0)\nreturn found",
    "# on purpose: the question is whether it is the same object\nreturn f(x) is x",
    "try:\n    f(x)\nexcept ValueError:\n    return 'ValueError'\nreturn 'no error'",
]


@pytest.mark.parametrize("driver", REFUSED)
@pytest.mark.parametrize("written", ["check(student.run({!r}), expect=True)", "_LINES = {!r}", "x = unit.READ + {!r}"])
def test_a_driver_that_returns_what_a_comparison_says_is_refused(driver: str, written: str) -> None:
    (told,) = comparing(written.format(driver))
    assert repr(REFUSED[driver]) in told or REFUSED[driver] in told
    assert "Return the data, and compare outside" in told


@pytest.mark.parametrize("driver", LET_THROUGH)
def test_a_driver_that_returns_data_is_not(driver: str) -> None:
    assert comparing(f"check(student.run({driver!r}), expect=1)") == []


def test_the_judges_own_comparisons_and_sentences_are_none_of_its_business() -> None:
    cell = "check(student.f(1), accept=lambda got: got == 3 or 'please return x == y')\nassert 1 == 1\n"
    assert comparing(cell) == []


def test_an_f_string_is_a_driver_too() -> None:
    assert comparing('student.run(f"x = {start}\\nreturn x == {right}")') != []


@pytest.mark.parametrize("path", sorted((PACKAGE / "units").glob("*.py")), ids=lambda path: path.stem)
def test_lines_for_drivers_that_units_share_compare_nothing(path: Path) -> None:
    assert comparing(path.read_text(encoding="utf-8")) == []

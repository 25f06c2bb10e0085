"""How a student stands over all units: from made-up results to a line, and the rule for who needs help."""

from typing import Any

import pytest

from autodiff_lab.grading.results import ExerciseResult, Result
from autodiff_lab.grading.standing import RULE, Standing, as_summary, standings

UNITS = ("00_welcome", "01_graphs", "02_local_derivatives", "03_backward_sweep")


def unit(name: str, what: Any, student: str = "ann", **more: Any) -> Result:
    """A result: a share of 100 points, or the status of a submission without a mark."""
    if isinstance(what, str):
        return Result(student, name, what, None, 100)
    exercises = [ExerciseResult("a", 100 * what, 100, "code-a" if what < 1 else None)]
    return Result(student, name, "graded", 100 * what, 100, exercises, **more)


def line(*marks: Any) -> Standing:
    """How ann stands with these marks; bob has everything in each unit."""
    results = [unit(name, what) for name, what in zip(UNITS, marks, strict=False)]
    results += [unit(name, 1.0, "bob") for name in UNITS[: len(marks)]]
    return standings(results)[0]


@pytest.mark.parametrize(
    ("marks", "why"),
    [
        ((0.4, 0.49), ["less than half in 00 and 01"]),
        ((0.9, 0.0, 0.0), ["less than half in 01 and 02"]),
        ((0.4, "missing", 0.4), ["less than half in 00 and 02"]),
        ((0.4, "unreadable", 0.4), ["less than half in 00 and 02"]),
        ((0.9, "missing", "missing"), ["missing 01, 02"]),
        (("missing", 0.2, 0.2, "missing"), ["less than half in 01 and 02", "missing 00, 03"]),
        ((0.5, 0.49), []),
        ((0.1, 0.2, 0.8), []),  # it was so, and is no more
        ((0.4,), []),
        ((0.9, "missing"), []),
        (("unreadable", "ambiguous", "not graded"), []),  # for the instructor to look at, not for the student to learn
        ((0.9, 0.9, 0.1), []),
    ],
)
def test_who_needs_help_by_the_rule_and_why(marks: Any, why: list[str]) -> None:
    assert line(*marks).why == why
    assert line(*marks).needs_help == bool(why)
    assert "two" in RULE


def test_a_unit_that_nobody_submitted_is_missing_for_nobody() -> None:
    results = [unit(name, "missing", student) for student in ("ann", "bob") for name in UNITS]
    assert all(not each.missing and not each.needs_help for each in standings(results))


@pytest.mark.parametrize(
    ("marks", "trend", "change"),
    [
        ((0.5, 0.6), "rising", 0.1),
        ((1.0, 0.5, 0.6), "falling", -0.15),
        ((0.5, "missing", 0.55), "steady", 0.05),
        ((0.5,), "", None),
        (("missing", "unreadable"), "", None),
    ],
)
def test_the_trend_is_the_last_marked_unit_beside_those_before(marks: Any, trend: str, change: float | None) -> None:
    found = line(*marks)
    assert found.trend == trend
    assert found.change == (None if change is None else pytest.approx(change))


def test_what_has_no_mark_is_not_0_in_sum_and_mean() -> None:
    found = line(0.8, "missing", "unreadable", 0.4)
    assert (found.points, found.max_points, found.mean) == (120, 200, pytest.approx(0.6))
    assert (found.missing, found.unscored) == ([UNITS[1]], [UNITS[2]])
    nothing = line("missing", "missing")
    assert (nothing.points, nothing.max_points, nothing.mean, nothing.marked) == (0, 0, None, [])


def test_what_waits_for_a_person_does_not_lower_a_share() -> None:
    exercises = [ExerciseResult("a", 60, 80), ExerciseResult("b", None, 20)]
    result = Result("ann", UNITS[0], "needs manual grading", 60, 100, exercises, needs_manual=True, late_seconds=5)
    (found,) = standings([result])
    assert (found.shares, found.to_mark, found.late) == ({UNITS[0]: 0.75}, [UNITS[0]], [UNITS[0]])
    alone = Result("ann", UNITS[0], "needs manual grading", 0, 20, [ExerciseResult("b", None, 20)], needs_manual=True)
    assert standings([alone])[0].shares == {UNITS[0]: None}


def test_the_most_frequent_misconception_is_counted_over_units_and_gone_with_full_points() -> None:
    def made(name: str, *codes: tuple[str, float]) -> Result:
        exercises = [ExerciseResult(str(place), got, 10, code) for place, (code, got) in enumerate(codes)]
        return Result("ann", name, "graded", 0, 100, exercises)

    results = [made(UNITS[0], ("x", 0), ("y", 0)), made(UNITS[1], ("y", 0), ("y", 5), ("z", 10), ("z", 10), ("z", 10))]
    assert standings(results)[0].misconceptions == [("y", UNITS[1], 3), ("x", UNITS[0], 1)]


def test_the_summary_is_plain_data_with_one_entry_a_student() -> None:
    results = [unit(UNITS[0], 0.25), unit(UNITS[1], 1 / 3), unit(UNITS[0], "missing", "bob")]
    ann, bob = map(as_summary, standings(results))
    assert ann == {
        "student": "ann",
        "score": pytest.approx(58.333, abs=0.001),
        "max_score": 200,
        "mean": 0.2917,
        "units": {UNITS[0]: 0.25, UNITS[1]: 0.3333},
        "trend": "steady",
        "change": 0.0833,
        "missing": [],
        "no_score": [],
        "late": [],
        "to_mark": [],
        "misconception": "code-a",
        "needs_help": True,
        "why": ["less than half in 00 and 01"],
    }
    assert (bob["mean"], bob["missing"], bob["misconception"]) == (None, [UNITS[0]], None)

"""What unit 02 holds to be right is what the engine computes, and each wrong idea is told by its own name."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import autodiff_lab as ad
from autodiff_lab.checks import Answer, CheckFailed, check
from autodiff_lab.checks.failed import Failure, Raised
from autodiff_lab.checks.misconceptions import NOTHING_RETURNED
from autodiff_lab.checks.plain import same
from autodiff_lab.checks.student import Local, Student
from autodiff_lab.units import local_derivatives as unit

BINARY, UNARY = ("+", "-", "*", "/", "**"), ("exp", "log", "tanh", "relu")
ENGINE: dict[str, Callable[..., Any]] = {
    **{op: unit.formula(f"a {op} b", "a, b") for op in BINARY},
    **{op: getattr(ad, op) for op in UNARY},
}


def told(rules: unit.Rules, like: Any, on: Any, follow: Callable[..., Any]) -> Any:
    """The name that an answer gets that does what ``follow`` does. "right": it passes."""

    def ask(*given: Any) -> Answer:
        try:
            found = follow(*given)
            if isinstance(found, Raised):
                raise found.kind
        except Exception as error:
            kinds = tuple(kind.__name__ for kind in type(error).__mro__)
            return Answer("f", "f", failure=Failure(kinds, str(error), "line 1 of f"))
        return Answer("f", "f", data=like(*given) if found is ... else found)

    try:
        check.function(ask, on=on, like=like, wrong=rules)
    except CheckFailed as failed:
        return failed.misconception
    return "right"


def each(rules: unit.Rules) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """Every rule that gives values, with the misconception that it belongs to."""
    for misconception, rule in rules.items():
        for one in rule if isinstance(rule, tuple) else (rule,):
            if callable(one) and not isinstance(one, Raised):
                yield misconception, one


@pytest.mark.parametrize("op", BINARY + UNARY)
def test_partials_are_what_the_engine_finds(op: str) -> None:
    for given in [*unit.kinds_of_operands(op), *unit.drawn_operands(op, seed=1)]:
        if op == "**" or not (op == "relu" and given[0] == 0):
            found = ad.grad(ENGINE[op], argnums=tuple(range(len(given))))(*map(float, given))
            assert same(found if len(given) == 2 else found[0], unit.partials(op)(*given), 1e-9), given


@pytest.mark.parametrize("op", BINARY + UNARY)
def test_each_slip_in_a_partial_is_told_by_its_own_name(op: str) -> None:
    rules, right = unit.wrong_partials(op), unit.PARTIALS[op]
    on = unit.kinds_of_operands(op)
    for place, slips in enumerate(unit.SLIPS[op]):
        for misconception, texts in slips.items():
            for text in texts.split("; "):
                answer = tuple(text if place == column else right[column] for column in range(len(right)))
                assert told(rules, unit.partials(op), on, unit._slip(op, answer)) == misconception, text
    assert told(rules, unit.partials(op), on, unit.partials(op)) == "right"


def test_two_wrong_partials_are_told_by_the_name_of_one() -> None:
    rules, on = unit.wrong_partials("**"), unit.kinds_of_operands("**")
    both = unit._slip("**", ("b * a**b - 1", "0.0"))
    assert told(rules, unit.partials("**"), on, both) == unit.POWER_BRACKETS
    assert told(rules, unit.partials("**"), on, unit._slip("**", ("1.0", "0.0"))) is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("return {'+': (1, 1), '-': (1, -1), '**': (b, y * math.log(a))}[op]", unit.ROWS_COMPUTED_TOGETHER),
        ("return (1, 1) if op == '+' else (1, -1) if op == '-' else None", unit.NO_CASE_FOR_IT),
        ("return {'+': (1, 1), '-': (1, -1)}[op]", unit.NO_CASE_FOR_IT),
        ("return 1", unit.ONE_NUMBER_FOR_TWO),
        ("return 1, 1 + a ^ b", unit.CARET_FOR_POWER),
        ("return (1, 1) if op == '+' else (1, -1) if op == '-' else (y / a, y / b)", unit.SLOPE_BY_DIVISION),
        ("return (1, 1) if op == '+' else (1, -1) if op == '-' else (b, a / [][0])", None),
        ("return 1, round(0.99999, 3) + 1e-5", unit.SLOPE_NOT_EXACT),
        ("pass", NOTHING_RETURNED),
    ],
)
def test_what_an_answer_does_beside_its_rule_has_a_name(line: str, found: Any, tmp_path: Any) -> None:
    file = tmp_path / "cell.py"
    file.write_text(f"import math\ndef binary_partials(op, a, b, y):\n    {line}\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    there = Student(Local(space))
    with pytest.raises(CheckFailed) as caught:
        for op in BINARY:
            check.function(
                lambda a, b, op=op: there.binary_partials(op, a, b, unit.result(op, a, b)),
                on=unit.kinds_of_operands(op),
                like=unit.partials(op),
                wrong=unit.wrong_partials(op),
                tolerance=1e-12,
            )
    assert caught.value.misconception == found


def test_a_central_difference_worked_out_on_paper_is_one() -> None:
    for inputs, index, h in unit.STEPS.values():
        found = unit.central(unit._cubic, tuple(inputs), index, h)
        assert same(unit.measured(inputs, index, h), found, 1e-9)


def test_each_wrong_way_to_measure_is_told_by_its_own_name() -> None:
    on = list(unit.STEPS.values())
    for misconception, rule in each(unit.DIFFERENCES):
        if rule is not unit._tiny_step:
            assert told(unit.DIFFERENCES, unit.measured, on, rule) == misconception
    assert told(unit.DIFFERENCES, unit.measured, on, unit.measured) == "right"


def test_each_wrong_gradient_check_is_told_by_its_own_name() -> None:
    """A check that measures too wrongly to let anything pass is told that."""
    on, right = list(unit.CLAIMS.values()), unit.agrees
    for misconception, rule in each(unit.GRADCHECKS):
        if misconception in (unit.CLAIMS_NOT_COUNTED, unit.INFINITY_PASSES, unit.NAN_PASSES, unit.ZERO_OVER_ZERO):
            continue
        found = told(unit.GRADCHECKS, right, on, rule)
        assert found in (misconception, unit.GRADCHECK_NEVER_PASSES), rule
    assert told(unit.GRADCHECKS, right, on, right) == "right"


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"uncounted": (True, True)}, unit.CLAIMS_NOT_COUNTED),
        ({"infinite": True}, unit.INFINITY_PASSES),
        ({"infinite": True, "uncounted": (True, False)}, unit.INFINITY_PASSES),
        ({"nan": True, "infinite": True}, unit.NAN_PASSES),
        ({"zeros": False}, unit.ZERO_OVER_ZERO),
        ({"nan": True, "close": lambda c, m, tol: abs(c - m) <= tol}, unit.ABSOLUTE_TOLERANCE),
        ({"uncounted": (True, False), "decide": any}, unit.GRADCHECK_SKIPS_AN_INPUT),
        ({"slope": lambda f, x, i, h: unit.central(f, x, i, h) + 1}, None),
    ],
)
def test_what_a_check_lets_pass_is_told_apart_from_its_main_idea(settings: dict[str, Any], found: Any) -> None:
    on = list(unit.CLAIMS.values())
    assert told(unit.GRADCHECKS, unit.agrees, on, unit.Gradcheck(**settings)) == found


def test_drawn_claims_hold_right_and_wrong_ones_a_little_inside_and_outside_of_the_tolerance() -> None:
    verdicts = [unit.agrees(*claim) for claim in unit.drawn_claims(seed=7)]
    assert 20 < verdicts.count(True) < 60 and 20 < verdicts.count(False) < 80
    for size in ("min(abs(c), abs(m))", "(abs(c) + abs(m))", "abs(c)", "abs(m)", "(abs(c) + abs(m)) / 2"):
        (other,) = unit._close_by(f"abs(c - m) <= tol * {size}")
        assert any(other(*claim) not in (..., unit.agrees(*claim)) for claim in unit.drawn_claims(seed=7)), size


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, "right"),
        ({"*": [(200, 300)], "relu": [-1e6, 1e6]}, "right"),
        ({"*": [(2.0, 2.0)]}, unit.EQUAL_OPERANDS_HIDE),
        ({"/": [(3.0, 1.0)]}, unit.SPECIAL_VALUE_HIDES),
        ({"**": [(2.72, 3.0)]}, unit.SPECIAL_VALUE_HIDES),
        ({"tanh": [0.05]}, unit.SPECIAL_VALUE_HIDES),
        ({"relu": [0.0, 1.0]}, unit.TEST_AT_A_KINK),
        ({"relu": [1.0, 2.0]}, unit.ONE_SIDE_TESTED),
        ({"*": (2.0, 3.0)}, unit.NOT_IN_A_LIST),
        ({"tanh": 0.7}, unit.NOT_IN_A_LIST),
        ({"*": []}, None),
        ({"*": [(2, 3), (3, 2), (4, 5)]}, None),
        ({"**": [(1000.0, 1000.0)]}, None),
        ({"/": [(1.0, 0)]}, None),
        ({"*": [(math.inf, 1.0)]}, None),
        ({"*": "ab"}, None),
    ],
)
def test_inputs_that_tell_are_told_from_those_that_do_not(changed: dict[str, Any], found: Any) -> None:
    good = {"*": [(2, 3)], "/": [(3.0, 2.0)], "**": [(2.0, 3.0)], "tanh": [0.7], "relu": {-1.5, 2.0}}
    try:
        check(Answer("f", "f", data=good | changed), accept=unit.catches_all, instead=unit.WRONG_INPUTS)
    except CheckFailed as failed:
        assert failed.misconception == found
    else:
        assert found == "right"


@pytest.mark.parametrize(
    "text",
    ["a + b", "a - b", "a * b", "a / b", "a + 3", "a - 3", "a * 2.5", "a / 4", "3 - a", "3 / a", "a * a", "a.exp()"],
)
def test_each_wrong_dual_number_is_told_by_its_own_name(text: str) -> None:
    rules, right, on = unit.wrong_duals(text), unit.value_and_tangent(text), list(unit.POINTS.values())
    for misconception, rule in each(rules):
        if rule not in unit._NO_DUAL.values():
            found = told(rules, right, on, rule)
            assert found is not None, misconception
            assert found in (misconception, "right") or text not in ("a + b", "a - b", "a * b", "a / b", "a.exp()")
    assert told(rules, right, on, right) == "right"


def test_the_last_numbers_of_drawn_points_are_whole_and_equal_ones_are_among_them() -> None:
    points = unit.drawn_points(seed=3)
    assert any(p == q for p, _, q, _ in points) and all(type(number) is int for number in points[-1])


def test_the_numbers_that_the_text_works_out_are_right() -> None:
    text = (Path(__file__).parents[2] / "course/source/02_local_derivatives/02_local_derivatives.py").read_text()
    central = [unit.central(math.exp, (0.0,), 0, h) - 1 for h in (0.8, 0.4, 0.2)]
    assert "from {:.4f} to {:.4f}, and to {:.4f}".format(*central) in text
    assert (
        f"grows by {round(3.4 * 5.4 - 15, 2)}. The rest, {round(0.4 * 0.4, 2)}," in text and "square a hundred" in text
    )
    for op in BINARY:
        a, b = 2.0, 3.0
        shown = [
            f"{number:.4f}".rstrip("0").rstrip(".") for number in (unit.result(op, a, b), *unit.partials(op)(a, b))
        ]
        assert f"| {' | '.join(shown)} |".replace("-", "−") in text
    for sign, value in [("a + b", "8 | 6"), ("a - b", "4 | −4"), ("a * b", "12 | 32"), ("a / b", "3 | −7")]:
        shown = " | ".join(f"{number:g}" for number in unit.value_and_tangent(sign)(6.0, 1.0, 2.0, 5.0))
        assert shown.replace("-", "−") == value and f"| {value} |" in text
    assert f"is {5 / 6:.4f}." in text and f"exp(b) | {math.exp(2):.4f} | {5 * math.exp(2):.4f}" in text
    assert (2 * 3 * 2, 3 * 3) == (12, 9) and "the slopes are 12 and 9" in text
    errors = [round(1.4 / size, 2) for size in (5, 5 + 3.6, 3.6)]
    assert (
        f"relative error is {errors[0]}." in text
        and "would be {}, and by the smaller one {}".format(*errors[1:]) in text
    )

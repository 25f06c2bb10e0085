"""Choices between scalars in programs: rows whose formulas choose, comparisons, and where()."""

from typing import Any

import pytest

import autodiff_lab as ad
from autodiff_lab.engine.ops import TABLE
from autodiff_lab.engine.static import TraceError, trace
from autodiff_lab.engine.static.codegen import generate

CHOOSE = [row for row in TABLE.values() if row.on_numbers and any(" if " in text for text in row.adjoints)]
POINTS = [(1.5, 0.5), (0.5, 1.5), (-0.75, 2.0), (2.0, 2.0)]


def dynamic(f: Any, x: float, y: float) -> list[float]:
    """The value and both derivatives, without a program."""
    value, slopes = ad.value_and_grad(f, (0, 1))(ad.Scalar(x), ad.Scalar(y))
    return [float(v) for v in (value, *slopes)]


def programmed(f: Any, x: float, y: float, example: tuple[float, float]) -> list[float]:
    """The same from a program that was traced at another point, run step by step and as generated code."""
    program = trace(lambda x, y: ad.value_and_grad(f, (0, 1))(x, y), *example).optimize()
    value, slopes = program(x, y)
    assert list(generate(program).function(x, y)) == [value, *slopes]
    return [value, *slopes]


@pytest.mark.parametrize("row", CHOOSE, ids=lambda row: row.name)
def test_a_row_that_chooses_decides_when_the_program_runs(row: Any) -> None:
    def f(x: Any, y: Any) -> Any:
        return ad.engine.scalar.FUNCTIONS[row.name](*(x * y, y)[: row.arity]) * x

    for point in POINTS:
        if row.name != "pow" or point[0] > 0:
            for example in POINTS:
                assert programmed(f, *point, example) == pytest.approx(dynamic(f, *point), rel=1e-14)


@pytest.mark.parametrize("row", CHOOSE, ids=lambda row: row.name)
def test_second_derivatives_choose_too(row: Any) -> None:
    def slope(x: Any, y: Any) -> Any:
        f = ad.engine.scalar.FUNCTIONS[row.name]
        return ad.grad(lambda x: f(*(x * x * y, y)[: row.arity]))(x)

    for point in POINTS:
        assert programmed(slope, *point, POINTS[1]) == pytest.approx(dynamic(slope, *point), rel=1e-14)


def test_where_chooses_between_scalars_and_numbers() -> None:
    def leaky(x: Any, y: Any) -> Any:
        return ad.where(x > y, x * y, -0.1) + ad.where(x * 2.0 <= 1.0, 3.0, y * x)

    for point in POINTS:
        assert programmed(leaky, *point, POINTS[0]) == dynamic(leaky, *point)


def test_only_the_chosen_side_gets_an_adjoint() -> None:
    for x, slopes in ((0.25, (1.0, 0.0)), (4.0, (0.0, 1.0))):
        program = trace(lambda x, a, b: ad.grad(lambda a, b: ad.where(x < 1.0, a, b), (0, 1))(a, b), 2.0, 5.0, 7.0)
        assert program(x, 5.0, 7.0) == slopes


def test_a_choice_runs_only_the_side_that_holds_where_it_is_used_once() -> None:
    inverse = ad.compile(lambda x: ad.where(x > 0.0, 1.0 / x, x))
    assert (inverse(2.0), inverse(0.0)) == (0.5, 0.0)
    assert "careful" not in inverse.source or inverse(-3.0) == -3.0


def test_compiled_functions_of_scalars_choose_and_are_differentiated() -> None:
    f = ad.compile(lambda x, y: (x * y).relu() + abs(x - y))
    for point in POINTS:
        x, y = map(ad.Scalar, point)
        f(x, y).backward()
        assert [float(x.grad), float(y.grad)] == dynamic(lambda x, y: (x * y).relu() + abs(x - y), *point)[1:]


def test_an_if_on_a_comparison_in_a_program_is_still_an_error() -> None:
    for wrong in (lambda x: x if x > 0 else -x, lambda x: max(x, 1.0), lambda x: x == 1.0 or x):
        with pytest.raises(TraceError, match=r"where\(condition, a, b\)"):
            trace(wrong, 2.0)


def test_comparisons_of_what_is_outside_of_the_program_are_pythons() -> None:
    outside = ad.Scalar(3.0, requires_grad=False)
    assert trace(lambda x: x * 2.0 if outside > 1.0 else x, 1.0)(5.0) == 10.0

"""Transformations of functions, and gradcheck."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest

import autodiff_lab as ad


def f(x: Any, y: Any) -> Any:
    return (x + y) * y + ad.sin(x * y)


def slopes(x: float, y: float) -> tuple[float, float]:
    return y + y * math.cos(x * y), x + 2 * y + x * math.cos(x * y)


def test_grad_gives_plain_floats_for_plain_numbers() -> None:
    assert ad.grad(f)(2.0, 3.0) == pytest.approx(slopes(2.0, 3.0)[0])
    assert ad.grad(f, argnums=1)(2, 3) == pytest.approx(slopes(2.0, 3.0)[1])
    assert ad.grad(f, argnums=(0, 1))(2.0, 3.0) == pytest.approx(slopes(2.0, 3.0))
    assert type(ad.grad(f)(2.0, 3.0)) is float


def test_value_and_grad_gives_both() -> None:
    value, slope = ad.value_and_grad(f)(2.0, 3.0)
    assert (value, slope) == (pytest.approx(15 + math.sin(6)), pytest.approx(slopes(2.0, 3.0)[0]))


def test_grad_nests() -> None:
    def fifth(x: Any) -> Any:
        return x**5

    assert ad.grad(ad.grad(fifth))(2.0) == 160.0
    assert ad.grad(ad.grad(ad.grad(fifth)))(2.0) == 240.0


def test_an_inner_grad_sees_only_its_own_variable() -> None:
    # d/dx of x * (d/dy of x + y at 1) is 1: the perturbations must not be confused (Siskind and Pearlmutter, 2005)
    assert ad.grad(lambda x: x * ad.grad(lambda y: x + y)(1.0))(5.0) == 1.0


def test_gradients_flow_through_a_node_that_is_given_as_argument() -> None:
    x = ad.Scalar(3.0)
    slope = ad.grad(lambda v: v**3)(x * 1)
    assert slope.requires_grad and slope.data == 27.0
    slope.backward()
    assert x.grad == 18.0


def test_transformations_work_under_no_grad_and_touch_no_grad() -> None:
    x = ad.tensor(2.0)
    with ad.no_grad():
        assert ad.grad(lambda v: v * v)(x) == 4.0
    assert x.grad is None


def test_a_function_that_does_not_depend_on_its_argument_has_slope_zero() -> None:
    assert ad.grad(lambda x: 3.0)(2.0) == 0.0
    assert ad.grad(lambda x, y: y * 2, (0, 1))(1.0, 1.0) == (0.0, 2.0)
    assert ad.jvp(lambda x: 3.0, (2.0,), (1.0,)) == (3.0, 0.0)


def test_vjp_pulls_an_adjoint_back_more_than_once() -> None:
    values, pullback = ad.vjp(lambda x, y: (x * y, x / y), 2.0, 4.0)
    assert values == (8.0, 0.5)
    assert pullback((1.0, 0.0)) == (4.0, 2.0)
    assert pullback([0.0, 1.0]) == (0.25, -0.125)


def test_jvp_pushes_tangents_and_agrees_with_vjp() -> None:
    for tangents in ((1.0, 0.0), (0.0, 1.0), (0.3, -0.7)):
        value, tangent = ad.jvp(f, (2.0, 3.0), tangents)
        expected = sum(s * t for s, t in zip(slopes(2.0, 3.0), tangents, strict=True))
        assert (value, tangent) == (pytest.approx(15 + math.sin(6)), pytest.approx(expected))
    assert ad.jvp(lambda x: (x, x * x), (3.0,), (1.0,)) == ((3.0, 9.0), (1.0, 6.0))


def test_forward_mode_nests_in_forward_and_in_reverse_mode() -> None:
    def first(x: Any) -> Any:
        return ad.jvp(lambda v: v**4, (x,), (1.0,))[1]

    assert first(2.0) == 32.0
    assert ad.jvp(first, (2.0,), (1.0,))[1] == 48.0
    assert ad.grad(first)(2.0) == 48.0


def test_jacobian_and_hessian_are_matrices() -> None:
    assert ad.jacobian(lambda x, y: (x * y, x + y, y**2), 2.0, 3.0) == [[3.0, 2.0], [1.0, 1.0], [0.0, 6.0]]
    assert ad.jacobian(lambda x: x**2, 3.0) == [[6.0]]
    assert ad.hessian(lambda x, y: x**2 * y, 2.0, 3.0) == [[6.0, 4.0], [4.0, 0.0]]


def test_hvp_is_the_hessian_times_a_vector() -> None:
    value, product = ad.hvp(f, (2.0, 3.0), (0.5, -1.0))
    matrix = ad.hessian(f, 2.0, 3.0)
    assert value == pytest.approx(15 + math.sin(6))
    assert product == pytest.approx([row[0] * 0.5 - row[1] for row in matrix])


def test_hvp_costs_the_same_number_of_operations_per_primal() -> None:
    counted = []
    for count in (10, 100):
        calls = 0

        def g(*xs: Any) -> Any:
            total = xs[0] * 0
            for x in xs:
                total = total + x * x * x
            return total

        def counting(frame: Any, event: str, arg: Any) -> None:
            nonlocal calls
            calls += event == "call"

        sys.setprofile(counting)
        ad.hvp(g, [1.0] * count, [1.0] * count)
        sys.setprofile(None)
        counted.append(calls / count)
    assert counted[1] < 1.5 * counted[0]


# gradcheck


def test_gradcheck_accepts_what_is_right_in_either_form() -> None:
    assert ad.gradcheck(f, 2.0, 3.0)
    assert ad.gradcheck(f, (ad.Scalar(2.0), ad.Scalar(3.0)))
    assert ad.autograd.gradcheck(lambda x, y: (x * y, x - y), (ad.Scalar(2.0), ad.tensor(3.0)))


def test_gradcheck_leaves_its_inputs_alone() -> None:
    x = ad.Scalar(2.0)
    ad.gradcheck(lambda v: v * v, x)
    assert x.grad is None and x.data == 2.0


def wrong(x: Any, y: Any) -> Any:
    return x * x.detach() + y


def test_gradcheck_names_the_input_and_both_numbers() -> None:
    with pytest.raises(ad.autograd.GradcheckError) as caught:
        ad.gradcheck(wrong, 3.0, 1.0)
    message = str(caught.value)
    assert message.startswith("gradcheck of wrong, input 0 (value 3.0): backward gives 3.0, the central difference 6.0")
    assert "kink" not in message
    assert ad.gradcheck(wrong, 3.0, 1.0, raise_exception=False) is False


def test_gradcheck_names_the_output() -> None:
    with pytest.raises(RuntimeError, match=r"gradcheck of output 1 of .*, input 0"):
        ad.gradcheck(lambda x: (x, x.detach() * 2), 3.0)


@pytest.mark.parametrize(("kinked", "left", "right"), [(ad.relu, 0, 1), (lambda x: 6 * ad.relu(x) - 2 * x, -2, 4)])
def test_gradcheck_reports_a_kink(kinked: Any, left: int, right: int) -> None:
    with pytest.raises(RuntimeError, match=f"slope is {left} from the left and {right} from the right.*has a kink"):
        ad.gradcheck(kinked, 0.0)


def test_gradcheck_reports_a_jump() -> None:
    with pytest.raises(RuntimeError, match="kink or a jump"):
        ad.gradcheck(lambda x: x + 1 if x > 2 else x, 2.0)


def test_gradcheck_is_relative_for_large_and_absolute_for_small_slopes() -> None:
    assert ad.gradcheck(lambda x: x * 1e9, 1.0)
    assert ad.gradcheck(lambda x: x * 1e-9 + 1, 1.0)
    assert not ad.gradcheck(lambda x: x * 1e9 - x.detach() * 1e7, 1.0, raise_exception=False)

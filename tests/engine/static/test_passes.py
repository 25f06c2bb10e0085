"""Passes: each does what it says, none changes a result, and the report says what was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_lab as ad
from autodiff_lab.engine.static import Program, Report, optimize, passes, trace

X = np.array([[0.5, -1.5, 2.0], [1.0, 0.25, -0.75]])


def ops(program: Program) -> list[str]:
    return [step.op.name for step in program.instructions]


def after(f: Callable[..., Any], *examples: Any) -> list[str]:
    """The ops that are left of a function; what they compute is what it computes."""
    program = trace(f, *examples)
    improved = program.optimize()
    wanted, got = program(*examples), improved(*examples)
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
    return ops(improved)


def test_dead_code_goes() -> None:
    def f(x: Any) -> Any:
        (x * 3.0).exp().sum()
        return x + 1.0

    assert ops(trace(f, X)) == ["mul", "exp", "sum", "add"] and after(f, X) == ["add"]


def test_what_is_computed_twice_is_computed_once() -> None:
    assert after(lambda x: (x * x).sum() + (x * x).sum(), X) == ["mul", "sum", "add"]
    assert after(lambda x, y: x * y + y * x, X, X) == ["mul", "add"], "of commuting operands too"
    assert after(lambda x, y: x - y + (y - x), X, X) == ["sub", "sub", "add"]
    assert after(lambda x: x[0, 1:] + x[0, 1:] * x[0, 2:], X) == ["getitem", "getitem", "mul", "add"]
    assert after(lambda x: x * 0.0 + x * -0.0, X) == ["mul", "mul", "add"], "0.0 and -0.0 are not the same number"
    assert after(lambda x: x.sum(0) + x.sum(1).sum(), X) == ["sum", "sum", "sum", "add"]


def test_what_needs_no_input_is_computed_beforehand() -> None:
    program = trace(lambda x: x * 2.0, X)
    x = program.inputs[0]
    from autodiff_lab.engine.ops import TABLE
    from autodiff_lab.engine.static.program import Instruction

    c, t, y = x.like("c0"), x.like("t0"), x.like("t1")
    steps = [Instruction(TABLE["exp"], (c,), (), t), Instruction(TABLE["mul"], (x, t), (), y)]
    folded = Program("f", (x,), {}, {c: X}, steps, y).optimize()
    assert ops(folded) == ["mul"]
    np.testing.assert_array_equal(folded(X), X * np.exp(X))


@pytest.mark.parametrize(
    ("f", "left"),
    [
        (lambda x: x * 1.0, []),
        (lambda x: 1 * x / 1, []),
        (lambda x: x + 0.0, []),
        (lambda x: 0 - x, ["neg"]),
        (lambda x: x**1, []),
        (lambda x: ad.neg(-x), []),
        (lambda x: x + -x, ["sub"]),
        (lambda x: x - (-x), ["add"]),
        (lambda x: x.clone().reshape(2, 3), []),
        (lambda x: x.reshape(6).reshape(3, 2), ["reshape"]),
        (lambda x: x.reshape(6).reshape(2, 3), []),
        (lambda x: x.mT.mT, []),
        (lambda x: x[None].permute(1, 2, 0).permute(2, 1, 0), ["getitem", "permute"]),
        (lambda x: x.expand(2, 3), []),
        (lambda x: x.to("float64"), []),
        (lambda x: x * 0.0, ["mul"]),  # it may be nan
        (lambda x: x.detach().detach(), ["detach"]),
        (lambda x: x * ad.tensor(np.ones((2, 3))), []),
        (lambda x: x * ad.tensor(np.full((2, 3), 2.0)), ["mul"]),
        (lambda x: x[0] * ad.tensor(np.ones((2, 3))), ["getitem", "mul"]),  # the ones are what gives it its shape
    ],
)
def test_algebra(f: Callable[[Any], Any], left: list[str]) -> None:
    assert after(lambda x: f(x).relu(), X) == [*left, "relu"]


def test_what_is_returned_is_no_argument_and_not_returned_twice_unless_it_was() -> None:
    assert after(lambda x: x * 1.0, X) == ["mul"] and after(lambda x: ad.neg(-x), X) == ["neg", "neg"]
    assert after(lambda x: x[0] * 1.0, X) == ["getitem", "mul"]
    assert after(lambda x: x.mT.mT.reshape(2, 3), X) == []
    program = trace(lambda x: (x + 1.0, x + 1.0, (x + 1.0)[0] * 1.0, x.sum() * 1.0, x.sum()), X).optimize()
    assert ops(program) == ["add", "add", "add", "getitem", "sum"], "nobody writes into a number"


def test_the_gradient_of_detached_values_survives_the_passes() -> None:
    program = trace(lambda x: (x * x.detach()).sum(), X)
    np.testing.assert_array_equal(program.optimize().grad()(X), X)


def test_passes_work_inside_branches_and_bodies() -> None:
    program = trace(
        lambda x: ad.while_loop(lambda y: y.sum() * 1.0 < 50.0, lambda y: (y * 1.0 + (y + y) * 1.0,), (x,))[0], X
    )
    improved = program.optimize()
    test, body = (inner for inner in improved.instructions[-1].params[:2])
    assert ops(test) == ["sum", "lt"] and ops(body) == ["add", "add"]
    np.testing.assert_array_equal(improved(X), program(X))


def test_the_report_says_what_each_pass_did() -> None:
    report = Report()
    program = trace(lambda x: ((x * 1.0) ** 2).sum() + ((x * 1.0) ** 2).sum() + 0.0, X)
    assert len(program.optimize(report).instructions) == 3
    assert report.rows == [("algebra", 8, 5), ("common_subexpressions", 5, 3)]
    assert str(report) == (
        "pass                   before   after\n"
        "algebra                     8       5\n"
        "common_subexpressions       5       3\n"
        "in all                      8       3"
    )
    assert str(Report()) == "pass  before   after"


def test_passes_of_ones_own_can_be_put_in() -> None:
    def no_detach(program: Program) -> Program:
        return passes.rewritten(program, lambda step, made: step.operands[0] if step.op.name == "detach" else None)

    program = trace(lambda x: x.detach() * 2.0, X)
    assert ops(optimize(program, passes=(no_detach,))) == ["mul"]


def test_captured_and_constant_values_that_nothing_reads_are_let_go() -> None:
    w = ad.tensor(X, requires_grad=True)
    program = trace(lambda x: (x * w + ad.tensor([1.0, 2.0, 3.0])).sum() * 0.0 + x if False else x, X)
    assert not program.captured and not program.constants
    program = trace(lambda x: ((x * w).sum(), x)[1], X)
    assert program.captured and not program.optimize().captured


FUNCTIONS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a * 1.0,
    lambda a, b: a + 0.0,
    lambda a, b: -a,
    lambda a, b: a.tanh(),
    lambda a, b: a.mT.reshape(2, 3),
    lambda a, b: a.reshape(3, 2).mT,
    lambda a, b: ad.where(a > b, a, b * 1.0),
    lambda a, b: a - a.mean(1, keepdim=True),
    lambda a, b: a * b.sum(0),
    lambda a, b: ad.maximum(a, 0.5),
    lambda a, b: a**2,
    lambda a, b: a.softmax(1),
    lambda a, b: ad.cat([a, b], 0)[1:3],
    lambda a, b: a[[1, 0]].expand(2, 3).clone(),
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(FUNCTIONS) - 1), st.integers(0, 30), st.integers(0, 30)), min_size=3))
def test_no_pass_changes_a_value_or_a_gradient(steps: list[tuple[int, int, int]]) -> None:
    def f(x: Any, y: Any) -> Any:
        values = [x, y]
        for function, i, j in steps:
            values.append(FUNCTIONS[function](values[-1 - i % len(values)], values[-1 - j % len(values)]))
        return (values[-1] * values[-2]).mean()

    args = (X, X[::-1].copy() * 0.7)
    program = trace(f, *args)
    gradient = program.value_and_grad((0, 1))
    value, slopes = gradient.optimize()(*args)
    assert program.optimize()(*args) == pytest.approx(program(*args), rel=1e-12, nan_ok=True)
    nodes = [ad.tensor(array, requires_grad=True) for array in args]
    y = f(*nodes)
    assert value == pytest.approx(y.item(), rel=1e-12, nan_ok=True)
    y.backward()
    for node, slope in zip(nodes, slopes, strict=True):
        wanted = np.zeros_like(X) if node.grad is None else node.grad.numpy()
        np.testing.assert_allclose(slope, wanted, rtol=1e-9, atol=1e-12)

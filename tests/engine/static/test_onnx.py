"""Programs as ONNX models: onnx.checker accepts them, and onnxruntime runs them to the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.static.program import Program, leaves
from autodiff_lab.engine.static.trace import trace
from tests.engine.static.rows import Case, cases, flat

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

RNG = np.random.default_rng(0)


def run(model: Any, *args: Any) -> list[Any]:
    """What onnxruntime makes of a model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    given = [np.asarray(x) for x in leaves(args) if x is not None and not isinstance(x, (str, bool))]
    return session.run(None, dict(zip([x.name for x in session.get_inputs()], given, strict=True)))


def same(program: Program, *args: Any) -> None:
    """The program and its model agree."""
    got, want = run(program.export_onnx(), *args), [np.asarray(x) for x in flat(program(*args))]
    assert len(got) == len(want)
    for x, y in zip(got, want, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape, (x.dtype, y.dtype, x.shape, y.shape)
        tolerance = 1e-12 if y.dtype == np.float64 else 3e-6
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", list(cases("float64")), ids=lambda case: case.label)
def test_every_row_and_its_gradient(case: Case, dtype: str) -> None:
    args = tuple(x.astype(dtype) if x.dtype.kind == "f" else x for x in case.args)
    case = case._replace(args=args)
    same(case.program(), *args)
    if any(case.op.adjoints) and any(x.dtype.kind == "f" for x in args):
        same(case.gradient(), *args)


# Control flow


def test_a_choice_takes_the_branch_that_the_values_say() -> None:
    def f(x: Any, w: Any) -> Any:
        large, (small, _) = ad.cond(
            x.sum() > 0, lambda x: (x @ w, (x.exp(), x)), lambda x: (w.T * 2, (x * x, -x)), (x,)
        )
        return (large * large).sum() + small.sum()

    w = RNG.standard_normal((3, 3))
    for x in (np.ones((3, 3)), -np.ones((3, 3))):
        program = trace(f, x, w)
        same(program, x, w)
        same(program.value_and_grad((0, 1)), x, w)


def test_a_choice_between_scalars() -> None:
    program = trace(lambda x: ad.cond(ad.tensor([1.0]) < x, lambda x: x * x, lambda x: x * 3.0, (x,)) + x, 2.0)
    for x in (0.5, 2.0):
        same(program, x)
        same(program.grad(), x)
        same(program.grad().grad(), x)


@pytest.mark.parametrize("limit", [0.5, 7.0, 300.0])
def test_a_loop_runs_as_often_as_the_values_say(limit: float) -> None:
    def f(x: Any, limit: Any) -> Any:
        count, y = ad.while_loop(lambda n, y: y.sum() < limit, lambda n, y: (n + 1.0, y * y + x), (0.0, x))
        return (y * count).sum()

    x, bound = np.array([0.5, 0.75]), np.array(limit)
    program = trace(f, x, bound)
    same(program, x, bound)
    same(program.value_and_grad(), x, bound)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_recurrent_network(reverse: bool) -> None:
    def f(w: Any, h: Any, xs: Any) -> Any:
        last, ys = ad.scan(lambda h, x: ((h @ w + x).tanh(), h.sum()), h, xs, reverse=reverse)
        return last.sum() + (ys * ys).sum()

    args = RNG.standard_normal((3, 3)), RNG.standard_normal(3), RNG.standard_normal((5, 3))
    program = trace(f, *args)
    same(program, *args)
    same(program.value_and_grad((0, 1, 2)), *args)


def test_a_loop_in_a_choice_in_a_loop() -> None:
    def step(c: Any, x: Any) -> Any:
        def often(c: Any) -> Any:
            return ad.while_loop(lambda c: c.sum() < 9.0, lambda c: (c * 2.0 + 0.5,), (c,))[0]

        c = ad.cond(x > 0, often, lambda c: c * 0.5, (c,))
        return c, c * x

    def f(c: Any, xs: Any) -> Any:
        last, ys = ad.scan(step, c, xs)
        return last.sum() + ys.sum()

    args = np.array([0.25, 1.5]), np.array([1.0, -1.0, 2.0])
    program = trace(f, *args)
    same(program, *args)
    same(program.value_and_grad((0, 1)), *args)

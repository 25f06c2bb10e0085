"""Anomaly detection: the first nan of a sweep and of the forward pass, and the user's lines that made them."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.checkpoint import checkpoint
from autodiff_lab.engine.modes import RECORD, current, state

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])
pytestmark = pytest.mark.filterwarnings("ignore:(invalid|divide by zero|overflow)")


def make(data: Any, backend: str, requires_grad: bool = True) -> Any:
    array = np.asarray(data)
    if backend == "torch":
        return ad.tensor(pytest.importorskip("torch").from_numpy(array.copy()), requires_grad=requires_grad)
    return ad.tensor(array, requires_grad=requires_grad)


def line() -> int:
    return sys._getframe(1).f_lineno


@BOTH
def test_the_first_nan_of_a_sweep_is_reported_with_the_op_and_the_line_that_made_the_node(backend: str) -> None:
    x = make([0.0, 1.0], backend)
    with ad.autograd.detect_anomaly():
        root = x.sqrt()
        at = line() - 1
        y = (root * 0.0).sum()  # 0 times the slope of √0, which is inf
        message = (
            r"SqrtBackward made nan of the adjoint for operand 0 of the sqrt node of shape \(2,\), computed in "
            rf"test_the_first_nan_of_a_sweep\w+, line {at} of test_anomaly.py:\n    root = x.sqrt\(\)$"
        )
        with pytest.raises(RuntimeError, match=message):
            y.backward()


def test_scalars_are_watched_too() -> None:
    x = ad.Scalar(0.0)
    with ad.autograd.detect_anomaly():
        y = x.sqrt() * 0.0
    with pytest.raises(RuntimeError, match=r"SqrtBackward made nan .* with value 0.0, computed in .*:\n    y = x.sqrt"):
        y.backward()


@BOTH
def test_the_first_nan_of_the_forward_pass_is_a_warning_and_part_of_the_report(backend: str) -> None:
    x = make([-1.0, 4.0], backend)
    with ad.autograd.detect_anomaly():
        with pytest.warns(RuntimeWarning, match="the first nan computed: a result of log") as seen:
            y = x.log()
        assert [(w.filename, w.lineno) for w in seen if "first nan" in str(w.message)] == [(__file__, line() - 1)]
        z = (y * y).sum() + y.exp().sum()
        with pytest.raises(RuntimeError, match=r"(?s)made nan .*\nThe first nan computed was a result of log in .*"):
            z.backward()


@BOTH
def test_a_nan_that_a_mask_takes_away_is_no_error(backend: str) -> None:
    x = make([-1.0, 4.0], backend)
    with ad.autograd.detect_anomaly(), pytest.warns(RuntimeWarning, match="a result of log"):
        y = ad.where(x > 0, x.log(), 0.0).sum()
        y.backward()
    assert x.grad.tolist() == [0.0, 0.25] or backend == "torch"


def test_a_nan_that_comes_in_from_outside_is_not_blamed_on_the_op_alone() -> None:
    x = ad.Scalar(1.0)
    with ad.autograd.detect_anomaly():
        y = x * 2
    with pytest.raises(RuntimeError, match="The adjoint that arrived there was nan already"):
        y.backward(float("nan"))


@BOTH
def test_a_recorded_sweep_is_checked_too_and_second_derivatives_name_the_line_of_the_sweep(backend: str) -> None:
    x = make([0.0], backend)
    with ad.autograd.detect_anomaly():
        y = x * x.abs().sqrt()
        with (
            pytest.warns(RuntimeWarning, match="a result of div"),
            pytest.raises(RuntimeError, match=r"SqrtBackward made nan|AbsBackward made nan"),
        ):
            ad.autograd.grad(y.sum(), x, create_graph=True)
        x = make([1.0], backend)
        (g,) = ad.autograd.grad((x**3).sum(), x, create_graph=True)
        at = line() - 1
    steps, lines = [g.grad_fn._node], set()
    while steps:
        rule = steps[-1]._rule
        lines.add(getattr(rule, "place", (0, at))[1])
        steps += [x for x in steps.pop().operands if hasattr(x, "_rule") and not x.is_leaf]
    assert lines <= {at} and g.tolist() == [3.0]


@BOTH
def test_gradients_are_the_same_while_it_is_on(backend: str) -> None:
    def slopes(scale: float) -> Any:
        x, w = make([[1.0, -2.0, 0.5]], backend), make([[0.3, 1], [0.1, 2], [-0.7, 3]], backend)
        h = ad.cat([x @ w, (x * x * x)[:, :2].exp()])
        first, second = h.split(1)
        loss = ad.softmax(checkpoint(lambda h: h.tanh() * h, h) * scale + first * second, -1).sum() + (h * h).mean()
        loss.backward()
        return np.asarray(x.grad), np.asarray(w.grad)

    plain = slopes(0.7)
    with ad.autograd.detect_anomaly():
        watched = slopes(0.7)
    assert all(np.array_equal(p, q) for p, q in zip(plain, watched, strict=True))


def test_hooks_and_kept_gradients_work_while_it_is_on() -> None:
    x = ad.Scalar(2.0)
    with ad.autograd.detect_anomaly():
        y = x * x
        y.retain_grad()
        y.register_hook(lambda g: g * 3)
        (y + 1).backward()
    assert (y.grad, x.grad) == (3.0, 12.0)


def test_without_check_nan_the_line_is_a_note_on_the_errors_of_a_sweep() -> None:
    x = make([1.0, 2.0], "numpy")
    with ad.autograd.detect_anomaly(check_nan=False):
        c = x * 1.0
        y = (c * c).sum()
        with ad.no_grad():
            c[0] = 5.0
        with pytest.raises(RuntimeError, match="changed in place") as found:
            y.backward()
        assert "y = (c * c).sum()" in "".join(found.value.__notes__)
        z = ad.Scalar(0.0)
        (z.sqrt() * 0.0).backward()
        assert str(z.grad) == "nan"


def test_it_ends_with_its_block_and_costs_nothing_then() -> None:
    with ad.autograd.detect_anomaly():
        assert ad.autograd.is_anomaly_enabled()
        with ad.autograd.detect_anomaly(check_nan=False):
            assert len(state.observers) == 1
    assert not ad.autograd.is_anomaly_enabled() and current() is RECORD
    x = ad.Scalar(1.0)
    assert type((x * x)._rule).__name__ == "CompiledRule"


def test_set_detect_anomaly_acts_when_it_is_called_or_for_a_block() -> None:
    ad.autograd.set_detect_anomaly(True)
    assert ad.autograd.is_anomaly_enabled()
    with ad.autograd.set_detect_anomaly(False):
        assert not ad.autograd.is_anomaly_enabled()
    assert ad.autograd.is_anomaly_enabled()
    ad.autograd.set_detect_anomaly(False)
    assert not ad.autograd.is_anomaly_enabled() and current() is RECORD


def test_as_a_decorator() -> None:
    @ad.autograd.detect_anomaly()
    def slope(x: float) -> float:
        leaf = ad.Scalar(x)
        (leaf.sqrt() * 0.0).backward()
        return leaf.grad

    assert slope(1.0) == 0.0
    with pytest.raises(RuntimeError, match=r"line .* of test_anomaly.py:\n    .leaf.sqrt"):
        slope(0.0)


def test_a_long_chain_does_not_recurse() -> None:
    x = ad.Scalar(1.0)
    y = x
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(150)
    try:
        with ad.autograd.detect_anomaly(), warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(20_000):
                y = y + 1.0
            y.backward()
        del y
    finally:
        sys.setrecursionlimit(limit)
    assert x.grad == 1.0

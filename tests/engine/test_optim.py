"""Optimizers: what a step changes and what it leaves alone, states, groups, errors. Their rules: tests/peers."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import optim

ALL = pytest.mark.parametrize(
    "make",
    [
        lambda x: optim.SGD(x, lr=0.1),
        lambda x: optim.SGD(x, lr=0.1, momentum=0.9, weight_decay=0.1),
        lambda x: optim.SGD(x, lr=0.1, momentum=0.9, nesterov=True),
        lambda x: optim.Adam(x, lr=0.1, weight_decay=0.1),
        lambda x: optim.AdamW(x, lr=0.1),
    ],
    ids=["SGD", "momentum", "Nesterov", "Adam", "AdamW"],
)


def leaf(values: Any = (1.0, 2.0), dtype: str = "float64") -> Any:
    return ad.tensor(np.array(values, dtype), requires_grad=True)


def step(optimizer: Any, *leaves: Any) -> None:
    optimizer.zero_grad()
    sum(((x - 5) ** 2).sum() for x in leaves).backward()
    optimizer.step()


@ALL
def test_a_step_never_writes_to_an_array_that_others_see(make: Any) -> None:
    array = np.array([1.0, 2.0])
    x = ad.tensor(array, requires_grad=True)
    optimizer = make([x])
    step(optimizer, x)
    held = x.data
    values = held.tolist()
    view = x.detach().reshape(2, 1)
    snapshot = x.detach()
    step(optimizer, x)
    assert array.tolist() == [1.0, 2.0] and held.tolist() == values
    assert view.tolist() == [[v] for v in values] and snapshot.tolist() == values
    assert x.tolist() != values


@ALL
def test_a_step_works_in_the_memory_of_the_parameter_when_it_can(make: Any) -> None:
    x = leaf(np.ones(100))
    optimizer = make([x])
    step(optimizer, x)
    gc.collect()
    address = x.data.ctypes.data
    for _ in range(3):
        step(optimizer, x)
        assert x.data.ctypes.data == address


@ALL
def test_gradients_are_not_written_to(make: Any) -> None:
    x = leaf()
    optimizer = make([x])
    given = [ad.tensor(np.array([1.0, -1.0])) for _ in range(4)]
    for g in given:
        x.grad = g
        optimizer.step()
        assert all(other.tolist() == [1.0, -1.0] for other in given), "the first one is the momentum's, too"


@ALL
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 2)])
def test_the_dtype_and_the_shape_remain(make: Any, dtype: str, shape: tuple[int, ...]) -> None:
    x = leaf(np.ones(shape), dtype)
    optimizer = make([x])
    optimizer.param_groups[0]["lr"] = np.float64(0.05)  # NumPy's number must not widen the array
    for _ in range(4):
        step(optimizer, x)
        assert x.dtype == dtype and x.shape == shape and x.requires_grad and x.is_leaf
        assert all(getattr(kept, "dtype", dtype) == dtype for kept in optimizer.state[x].values())
    assert (np.asarray(x.data) > 1).all()


@ALL
def test_a_graph_that_saved_a_parameter_notices_the_step(make: Any) -> None:
    x = leaf()
    optimizer = make([x])
    loss = (x * x).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match="changed in place"):
        loss.backward()


@ALL
def test_leaves_without_a_gradient_stay(make: Any) -> None:
    x, y = leaf(), leaf()
    optimizer = make([x, y])
    step(optimizer, x)
    assert y.tolist() == [1.0, 2.0] and x.tolist() != [1.0, 2.0] and y not in optimizer.state


@ALL
def test_a_minimum_is_found(make: Any) -> None:
    x = leaf()
    optimizer = make([x])
    for _ in range(300):
        step(optimizer, x)
    np.testing.assert_allclose(x.tolist(), 5.0, atol=0.35)  # weight decay moves it


@ALL
def test_a_saved_state_resumes_to_the_last_bit(make: Any) -> None:
    x = leaf()
    optimizer = make([x])
    for _ in range(3):
        step(optimizer, x)
    state, values = optimizer.state_dict(), x.tolist()
    for _ in range(3):
        step(optimizer, x)
    again = leaf(values)
    second = make([again])
    second.load_state_dict(state)
    for _ in range(3):
        step(second, again)
    assert again.tolist() == x.tolist()
    other = leaf(values)
    third = make([other])
    third.load_state_dict(state)  # the second run has not changed what was saved
    for _ in range(3):
        step(third, other)
    assert other.tolist() == x.tolist()


def test_a_state_is_plain_numbered_data_in_torchs_form() -> None:
    x, y = leaf(), ad.Scalar(3.0)
    optimizer = optim.Adam([{"params": [x]}, {"params": [y], "lr": 0.5}])
    (x.sum() * y).backward()
    optimizer.step()
    state = optimizer.state_dict()
    assert list(state) == ["state", "param_groups"] and list(state["state"]) == [0, 1]
    assert list(state["state"][0]) == ["step", "exp_avg", "exp_avg_sq"] and state["state"][1]["step"] == 1
    assert [group["params"] for group in state["param_groups"]] == [[0], [1]]
    assert [group["lr"] for group in state["param_groups"]] == [0.001, 0.5]
    with pytest.raises(ValueError, match=r"groups of \[2\] parameters here, but of \[1, 1\]"):
        optim.Adam([leaf(), leaf()]).load_state_dict(state)


def test_gradients_are_forgotten_or_set_to_zero() -> None:
    x, y = leaf(), ad.Scalar(3.0)
    optimizer = optim.SGD([x, y], lr=0.1)
    (x.sum() * y).backward()
    optimizer.zero_grad(set_to_none=False)
    assert x.grad.tolist() == [0.0, 0.0] and y.grad == 0.0
    optimizer.zero_grad()
    assert x.grad is None and y.grad is None


def test_a_gradient_that_was_recorded_is_used_as_a_number() -> None:
    x, y = leaf(), ad.Scalar(3.0)
    optimizer = optim.SGD([x, y], lr=0.1)
    (x**2).sum().backward(create_graph=True)
    (y**2).backward(create_graph=True)
    optimizer.step()
    assert x.tolist() == [0.8, 1.6] and y.item() == pytest.approx(2.4) and x.is_leaf and type(y.data) is float


def test_a_closure_computes_the_loss_anew() -> None:
    x = leaf()
    optimizer = optim.SGD([x], lr=0.1)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (x**2).sum()
        loss.backward()
        return loss

    with ad.no_grad():
        assert optimizer.step(closure).item() == 5.0
    assert x.tolist() == [0.8, 1.6]


def test_a_group_can_be_added_later() -> None:
    x, y = leaf(), leaf()
    optimizer = optim.SGD([x], lr=0.1, momentum=0.5)
    optimizer.add_param_group({"params": y, "lr": 0.0})
    step(optimizer, x, y)
    assert y.tolist() == [1.0, 2.0] and x.tolist() != [1.0, 2.0]
    assert "Parameter Group 1" in repr(optimizer) and "lr: 0.0" in repr(optimizer)


def test_a_schedule_goes_on_from_its_state() -> None:
    def made() -> tuple[Any, Any]:
        optimizer = optim.SGD([leaf()], lr=1.0)
        return optimizer, optim.lr_scheduler.StepLR(optimizer, 2, 0.5)

    optimizer, schedule = made()
    for _ in range(3):
        schedule.step()
    second, resumed = made()
    second.load_state_dict(optimizer.state_dict())
    resumed.load_state_dict(schedule.state_dict())
    for _ in range(4):
        schedule.step()
        resumed.step()
        assert resumed.get_last_lr() == schedule.get_last_lr()
    assert schedule.get_last_lr() == [0.125]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: optim.SGD([], lr=0.1), ValueError, "empty list"),
        (lambda: optim.SGD(leaf(), lr=0.1), TypeError, r"write \[x\]"),
        (lambda: optim.SGD([1.0], lr=0.1), TypeError, "not a float"),
        (lambda: optim.SGD([leaf() * 2], lr=0.1), ValueError, "mul node of shape"),
        (lambda: optim.SGD([leaf()] * 2 + [leaf()], lr=-1), ValueError, "given twice"),
        (lambda: optim.SGD([leaf()], lr=-1), ValueError, "lr is -1"),
        (lambda: optim.SGD([leaf()], momentum=-1), ValueError, "momentum is -1"),
        (lambda: optim.SGD([leaf()], nesterov=True), ValueError, "nesterov"),
        (lambda: optim.Adam([leaf()], betas=(0.9, 1.0)), ValueError, "betas"),
        (lambda: optim.AdamW([leaf()], weight_decay=float("nan")), ValueError, "weight_decay is nan"),
        (lambda: optim.lr_scheduler.LinearLR(optim.SGD([leaf()]), 0.0), ValueError, "factors"),
        (lambda: optim.lr_scheduler.LambdaLR(optim.SGD([leaf()]), [abs, abs]), ValueError, "2 functions for 1 groups"),
    ],
)
def test_a_wrong_use_is_explained(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()

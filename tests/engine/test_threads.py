"""Threads: sweeps into the same leaves, through the same nodes, beside zero_grad, and modes of their own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine import backward, modes


@pytest.fixture(autouse=True)
def in_turns() -> Iterator[None]:
    """Threads that take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """What ``work(i)`` returns or raises in ``count`` threads that begin at the same time."""
    barrier = threading.Barrier(count)
    found: list[Any] = [None] * count

    def run(i: int) -> None:
        barrier.wait()
        try:
            found[i] = work(i)
        except Exception as error:
            found[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


# Leaves


def test_no_contribution_of_sweeps_in_many_threads_is_lost() -> None:
    x, t = ad.Scalar(2.0), ad.tensor([1.0, 2.0], requires_grad=True)

    def work(i: int) -> None:
        for _ in range(100):
            (x * 3).backward()
            (t * 2).sum().backward()

    assert together(8, work) == [None] * 8
    assert x.grad == 8 * 100 * 3 and t.grad.tolist() == [1600.0, 1600.0]


def test_batches_in_threads_give_the_gradients_of_the_whole() -> None:
    rng = np.random.default_rng(0)
    data, targets = rng.integers(-4, 5, (64, 3)) / 4.0, rng.integers(-4, 5, (64, 1)) / 4.0  # sums without rounding
    model = ad.nn.Linear(3, 1)
    with ad.no_grad():
        model.weight[...] = 0.5
        model.bias[...] = 0.25

    def loss(rows: slice) -> Any:
        return ((model(ad.tensor(data[rows])) - ad.tensor(targets[rows])) ** 2).sum()

    loss(slice(None)).backward()
    whole = [p.grad.tolist() for p in model.parameters()]
    for _ in range(5):
        model.zero_grad()
        assert together(8, lambda i: loss(slice(8 * i, 8 * i + 8)).backward()) == [None] * 8
        assert [p.grad.tolist() for p in model.parameters()] == whole


def test_hooks_of_a_leaf_run_once_a_sweep_and_retained_gradients_are_whole() -> None:
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    seen: list[int] = []
    x.register_hook(lambda g: seen.append(1) or g * 2)
    y.retain_grad()

    def work(i: int) -> None:
        for _ in range(25):
            (y * y).sum().backward(retain_graph=True)

    assert together(4, work) == [None] * 4
    assert len(seen) == 100 and x.grad.tolist() == [100 * 36.0, 100 * 72.0] and y.grad.tolist() == [600.0, 1200.0]


def test_a_hook_may_wait_for_a_sweep_of_another_thread_into_the_same_leaf() -> None:
    x = ad.Scalar(2.0)

    def wait(g: float) -> None:
        if threading.current_thread() is threading.main_thread():
            assert together(1, lambda i: (x * 5).backward()) == [None]

    x.register_hook(wait)
    (x * 3).backward()
    assert x.grad == 8.0


@pytest.mark.parametrize("second", ["sweep", "clear"])
def test_what_another_thread_does_to_a_gradient_comes_before_or_after_an_addition_never_in_the_middle(
    second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = ad.tensor([1.0], requires_grad=True)
    there = threading.Event()  # the other thread waits at the lock; or, where there is none, it has done its work

    class Lock:
        def __enter__(self) -> None:
            if threading.current_thread() is other:
                there.set()
            lock.acquire()

        def __exit__(self, *exception: object) -> None:
            lock.release()

    def work() -> None:
        if second == "sweep":
            (x * 5).sum().backward()
        else:
            x.grad = None
        there.set()

    def observe(op: str, node: Any, operands: Any) -> None:  # runs in the middle of the addition to x.grad
        if op == "add":
            other.start()
            there.wait()

    lock = threading.RLock()
    other = threading.Thread(target=work)
    monkeypatch.setattr(backward, "accumulating", Lock())
    x.grad = ad.tensor([1.0])
    y = (x * 2).sum()
    before = modes.change(observers=(observe,))
    y.backward()
    modes.change(**before)
    other.join()
    assert x.grad is None if second == "clear" else x.grad.tolist() == [8.0]


def test_gradients_are_cleared_in_one_thread_while_others_sweep() -> None:
    x = ad.tensor([1.0], requires_grad=True)

    def work(i: int) -> None:
        for _ in range(200):
            if i % 2:
                x.grad = None
            else:
                (x * 2).sum().backward()

    assert together(4, work) == [None] * 4
    assert x.grad is None or x.grad.item() % 2 == 0


# Graphs that share nodes


@pytest.mark.parametrize("make", [lambda: ad.Scalar(0.5), lambda: ad.tensor([0.5, 0.5], requires_grad=True)])
def test_threads_that_sweep_through_one_graph_are_right_if_all_retain_it(make: Callable[[], Any]) -> None:
    x = make()
    shared = x
    for _ in range(30):
        shared = shared * 1.0 + x * 0.0
    roots = [(shared * (i + 1)).sum() if isinstance(x, ad.Tensor) else shared * (i + 1) for i in range(4)]
    assert together(4, lambda i: roots[i].backward(retain_graph=True)) == [None] * 4
    assert np.all(np.asarray(getattr(x.grad, "data", x.grad)) == 10.0)


@pytest.mark.parametrize("make", [lambda: ad.Scalar(0.5), lambda: ad.tensor([0.5, 0.5], requires_grad=True)])
@pytest.mark.parametrize("hooked", [False, True])
def test_a_graph_that_another_thread_frees_meanwhile_is_an_error_or_right_never_something_else(
    make: Callable[[], Any], hooked: bool
) -> None:
    for _ in range(20):
        x = make()
        shared = x
        for _ in range(50):
            shared = (shared * x).tanh() + shared * 0.5
            if hooked:
                shared.register_hook(lambda g: None)
        roots = [(shared * 2.0).sum() if isinstance(x, ad.Tensor) else shared * 2.0 for _ in range(4)]
        roots[0].backward(retain_graph=True)
        once = np.array(getattr(x.grad, "data", x.grad))
        x.grad = None
        found = together(4, lambda i, roots=roots: roots[i].backward())
        errors = [error for error in found if error is not None]
        assert all(type(error) is RuntimeError and "freed" in str(error) for error in errors), errors
        assert len(errors) < 4
        np.testing.assert_allclose(np.array(getattr(x.grad, "data", x.grad)), once * (4 - len(errors)), rtol=1e-12)


def test_a_sweep_inside_a_hook_that_frees_what_is_to_come_says_so() -> None:
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    shared = (x * 2).exp()
    other, y = shared.sum(), shared * 3
    y.register_hook(lambda g: other.backward())
    with pytest.raises(RuntimeError, match="another sweep freed meanwhile, in another thread or in a hook"):
        y.sum().backward()

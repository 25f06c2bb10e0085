"""Copies, threads and interruptions: what is not asked for stays as it was."""

from __future__ import annotations

import copy
import gc
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.checkpoint import checkpoint

torch = pytest.importorskip("torch")

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
}
EVERY_COPY = pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
BOTH = pytest.mark.parametrize("kind", ["numpy", "torch"])


def leaf(*values: float, kind: str = "numpy", dtype: str = "float64") -> Any:
    array = np.array(values, dtype)
    return ad.tensor(array if kind == "numpy" else torch.from_numpy(array), requires_grad=True)


# Copies


@BOTH
@EVERY_COPY
def test_a_copy_of_a_computed_tensor_is_a_leaf(duplicate: Callable[[Any], Any], kind: str) -> None:
    x = leaf(1.0, 2.0, kind=kind, dtype="float32")
    y = (x * 3).exp()
    y.retain_grad()
    y.sum().backward()
    again = duplicate(y)
    assert type(again) is type(y) and (again.dtype, again.tolist()) == (y.dtype, y.tolist())
    assert again.is_leaf and again.requires_grad and again.grad_fn is None
    assert again.grad.tolist() == y.grad.tolist() == [1.0, 1.0]
    if duplicate is not copy.copy:
        again.data[0] = again.grad.data[0] = 7.0
        assert y.tolist()[0] != 7.0 and y.grad.tolist() == [1.0, 1.0]
    assert not duplicate(y.detach()).requires_grad


@EVERY_COPY
def test_a_copy_keeps_nothing_of_the_graph(duplicate: Callable[[Any], Any]) -> None:
    x = leaf(1.0, 2.0)
    middle = x * 2
    y = ad.cat([middle.exp(), *middle.split(1)])
    seen = [weakref.ref(node) for node in (x, middle, y)]
    again = duplicate(y)
    del x, middle, y
    gc.collect()
    assert [ref() for ref in seen] == [None, None, None] and again.shape == (4,)


def test_copies_of_what_goes_through_hooks_are_leaves_too() -> None:
    with ad.autograd.graph.saved_tensors_hooks(lambda value: value, lambda value: value):
        x = leaf(1.0, 2.0)
        y = x.exp() * x
        for duplicate in COPIES.values():
            assert duplicate(y).is_leaf and duplicate(y).tolist() == y.tolist()
    z = checkpoint(lambda a: a.exp() * a, x)
    copied = copy.deepcopy(z)
    (copied * 2).sum().backward()
    assert copied.grad.tolist() == [2.0, 2.0] and x.grad is None


def test_the_gradient_of_a_copy_has_no_graph() -> None:
    x = leaf(1.0, 2.0)
    (x**3).sum().backward(create_graph=True)
    assert x.grad.requires_grad
    for duplicate in COPIES.values():
        assert not duplicate(x).grad.requires_grad and duplicate(x).grad.tolist() == [3.0, 12.0]


def test_what_is_shared_in_a_structure_is_shared_in_its_copy() -> None:
    x = leaf(1.0)
    for duplicate in (copy.deepcopy, COPIES["pickle"]):
        again = duplicate({"tied": [x, x], "other": x * 1.0})
        assert again["tied"][0] is again["tied"][1] is not x and again["other"] is not again["tied"][0]


DEEP = """
import copy, pickle, sys
import numpy as np
import autodiff_lab as ad
sys.setrecursionlimit(120)
for x in (ad.Scalar(1.0), ad.tensor(np.ones(2), requires_grad=True)):
    y = x
    for _ in range(100_000):
        y = y * 1.0
    for again in (copy.copy(y), copy.deepcopy(y), pickle.loads(pickle.dumps(y))):
        assert again.is_leaf and again.requires_grad
    assert len(pickle.dumps(y)) < 1000
    del y
print("done")
"""


def test_copying_the_end_of_a_deep_graph_does_not_recurse() -> None:
    done = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


# Threads


def at_the_same_time(*workers: Callable[[], None], rounds: int = 60) -> None:
    """Run the workers in threads, each many times; what one of them raises is raised here."""
    raised: list[BaseException] = []
    begin = threading.Barrier(len(workers))

    def run(work: Callable[[], None]) -> None:
        try:
            begin.wait()
            for _ in range(rounds):
                work()
        except BaseException as error:
            raised.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that they interrupt each other everywhere
    try:
        threads = [threading.Thread(target=run, args=(work,)) for work in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    if raised:
        raise raised[0]


@BOTH
def test_threads_in_different_modes_do_not_get_in_each_others_way(kind: str) -> None:
    shared = leaf(1.0, 2.0, kind=kind)

    def f(x: Any) -> Any:
        return ((x * x).exp() / (x + 1.0)).sum()

    want = ad.autograd.grad(f(shared), shared)[0].tolist()

    def recording() -> None:
        x = leaf(1.0, 2.0, kind=kind)
        y = f(x * shared.detach() / shared.detach())
        assert y.requires_grad and ad.is_grad_enabled()
        y.backward()
        np.testing.assert_allclose(x.grad.tolist(), want)

    def without() -> None:
        with ad.no_grad():
            assert not f(shared).requires_grad and not ad.is_grad_enabled()
            with ad.enable_grad():
                assert f(shared).requires_grad
        with ad.inference_mode():
            assert f(shared).is_inference()

    def packing() -> None:
        packed: list[Any] = []
        with ad.autograd.graph.saved_tensors_hooks(lambda v: packed.append(v) or v, lambda v: v):
            y = f(shared)
        assert len(packed) == 5  # by this thread's ops alone: x twice, exp's result, the divisor and the quotient
        assert ad.autograd.grad(y, shared)[0].tolist() == want

    def tracing() -> None:
        program = ad.trace(f, shared.detach())
        assert len(program.instructions) == 5
        assert program(shared.detach()).item() == f(shared).item()

    at_the_same_time(recording, without, packing, tracing)
    assert ad.is_grad_enabled() and f(shared).requires_grad


def test_a_thread_that_ends_within_a_mode_leaves_the_others_alone() -> None:
    def forgets() -> None:
        ad.no_grad().__enter__()
        ad.Scalar(2.0) * 3.0

    thread = threading.Thread(target=forgets)
    thread.start()
    thread.join()
    y = leaf(1.0) * 2.0
    y.sum().backward()
    assert y.requires_grad and ad.is_grad_enabled()


# Interruptions


@pytest.fixture
def interrupted() -> Iterator[Callable[[float], None]]:
    """A function that has KeyboardInterrupt raised after some seconds, as Ctrl-C does."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no timers that signal")

    def ring(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds) and None
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def stop(_: Any) -> None:
    raise KeyboardInterrupt


def check_usable() -> None:
    """Modes are as at the beginning, and a fresh graph gives the right gradient."""
    assert ad.is_grad_enabled() and not ad.is_inference_mode_enabled()
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_an_interrupted_backward_adds_to_no_gradient_and_can_be_repeated_if_the_graph_was_kept() -> None:
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    middle = a * b
    y = (middle.exp().log() * b).sum()
    handle = middle.register_hook(stop)
    with pytest.raises(KeyboardInterrupt):
        y.backward(retain_graph=True)
    assert a.grad is None and b.grad is None
    check_usable()
    handle.remove()
    y.backward()
    np.testing.assert_allclose(a.grad.tolist(), [9.0, 16.0])  # a b²
    np.testing.assert_allclose(b.grad.tolist(), [6.0, 16.0])


def test_after_an_interrupted_backward_that_frees_the_next_one_says_that_the_graph_is_gone() -> None:
    x = leaf(1.0, 2.0)
    middle = x * 2
    y = middle.exp().sum()
    middle.register_hook(stop)
    with pytest.raises(KeyboardInterrupt):
        y.backward()
    with pytest.raises(RuntimeError, match="has been freed"):
        y.backward()
    assert x.grad is None
    check_usable()


@pytest.mark.parametrize("create_graph", [False, True])
def test_an_interrupted_grad_leaves_no_hook_behind(create_graph: bool) -> None:
    x = leaf(1.0, 2.0)
    middle = x * 2
    y = middle.exp().sum()
    handle = middle.register_hook(stop)
    with pytest.raises(KeyboardInterrupt), ad.no_grad():
        ad.autograd.grad(y, [middle, x], retain_graph=True, create_graph=create_graph)
    handle.remove()
    check_usable()
    slopes = ad.autograd.grad(y, [middle, x])
    np.testing.assert_allclose(slopes[1].tolist(), 2 * np.exp([2.0, 4.0]))


def test_an_interrupt_within_tracing_a_checkpoint_or_a_mode_leaves_the_modes_as_they_were() -> None:
    def interrupted_in(a: Any) -> Any:
        a * 2
        raise KeyboardInterrupt

    x = leaf(1.0, 2.0)
    calls: list[int] = []

    def second_time(a: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return a.exp().sin()

    for work in (
        lambda: ad.trace(interrupted_in, x),
        lambda: checkpoint(interrupted_in, x),
        lambda: checkpoint(second_time, x).sum().backward(),
        lambda: ad.no_grad()(interrupted_in)(x),
        lambda: ad.inference_mode()(interrupted_in)(x),
        lambda: ad.grad(interrupted_in)(1.0),
    ):
        with pytest.raises(KeyboardInterrupt):
            work()
        check_usable()
    assert x.grad is None


def test_ctrl_c_anywhere_in_a_sweep_leaves_the_graph_that_was_kept_as_it_was(
    interrupted: Callable[[float], None],
) -> None:
    x = leaf(1.0, 2.0)
    y = x
    for _ in range(3000):
        y = y * 1.0 + x * 0.0
    total = y.sum()
    hits = 0
    for attempt in range(40):
        x.grad = None
        try:
            interrupted(1e-4 * (attempt + 1))
            total.backward(retain_graph=True)
            interrupted(0)
        except KeyboardInterrupt:
            hits += 1
            assert x.grad is None
    assert hits > 5
    x.grad = None
    total.backward()
    assert x.grad.tolist() == [1.0, 1.0]
    check_usable()


def test_a_hook_that_raises_is_the_users_own_error_and_changes_nothing() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    y.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        y.sum().backward(retain_graph=True)
    assert x.grad is None
    with (
        pytest.raises(ZeroDivisionError),
        ad.autograd.graph.saved_tensors_hooks(lambda value: 1 / 0, lambda value: value),
    ):
        ad.conv2d(ad.tensor(np.ones((1, 1, 3, 3)), requires_grad=True), np.ones((1, 1, 2, 2)))
    check_usable()

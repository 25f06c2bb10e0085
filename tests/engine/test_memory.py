"""The meter, the bytes behind a node, what a node saved, and what keeps it alive."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine import memory
from autodiff_lab.engine.checkpoint import checkpoint, checkpoint_sequential
from autodiff_lab.engine.modes import RECORD, current, state

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])


@pytest.fixture
def nothing_from_before() -> Iterator[None]:
    """Who asks the collector what refers to a node is not told of all that other tests have imported."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


SIZE = 4 * 8 * 8  # the bytes of an array of shape (4, 8)


def make(data: Any, backend: str, requires_grad: bool = True) -> Any:
    array = np.asarray(data)
    if backend == "torch":
        return ad.tensor(pytest.importorskip("torch").from_numpy(array.copy()), requires_grad=requires_grad)
    return ad.tensor(array, requires_grad=requires_grad)


def layers(n: int, backend: str) -> list[Any]:
    rng = np.random.default_rng(0)
    ws = [make(rng.normal(size=(8, 8)) / 3, backend) for _ in range(n)]
    return [lambda x, w=w: (x @ w).tanh() for w in ws]


# The meter


@BOTH
def test_every_buffer_counts_once_and_until_it_goes(backend: str) -> None:
    x = make(np.ones((4, 8)), backend)
    with memory.meter() as m:
        y = x.exp()
        z = y * 2.0
        v = z.reshape(8, 4).mT  # views of z
        del z
        assert m.current == 2 * SIZE
        del y, v
        assert m.current == 0
    assert m.events == ["exp", "mul", "reshape", "permute", "release", "release"]
    assert m.bytes == [SIZE, 2 * SIZE, 2 * SIZE, 2 * SIZE, m.bytes[4], 0]
    assert (m.peak, m.ops, m.recomputed_ops.total()) == (2 * SIZE, 4, 0)
    assert repr(m) == "<peak 512 bytes, 4 ops, 0 of them recomputed>"


@BOTH
def test_what_is_done_without_recording_and_in_a_recorded_sweep_counts(backend: str) -> None:
    x = make(np.ones((4, 8)), backend)
    with memory.meter() as m, ad.no_grad():
        (x.exp() * 2).tanh()
    assert m.events == ["exp", "mul", "release", "tanh", "release", "release"]
    assert m.peak == 2 * SIZE and m.bytes[-1] == 0
    with memory.meter() as m:
        (g,) = ad.autograd.grad(x.exp().sum(), x, create_graph=True)
    assert m.ops > 2 and m.bytes[-1] >= SIZE == g.data.nbytes


@BOTH
def test_constants_that_a_graph_holds_count_but_no_parameters(backend: str) -> None:
    x = make(np.ones((4, 8)), backend)
    with memory.meter() as m:
        y = ad.where(x > 0, x * make(np.ones((4, 8)), backend, False), 0.0)
        del x
        assert m.current == 3 * SIZE + SIZE // 8 + 8  # the condition has bytes, 0.0 is a number
    assert memory.saved_bytes(y) == 3 * SIZE + SIZE // 8 + 8


@BOTH
def test_a_checkpointed_network_holds_less_and_computes_at_most_once_more(backend: str) -> None:
    def step(run: Any) -> Any:
        net = layers(36, backend)
        x = make(np.ones((4, 8)), backend, False)
        with memory.meter() as m:
            y = run(net, x)
            held = m.current
            loss = y.sum()
            del y
            loss.backward()
            del loss, x
        return m, held

    def plainly(net: Any, x: Any) -> Any:
        for layer in net:
            x = layer(x)
        return x

    plain, held = step(plainly)
    assert held == (1 + 36 * 2) * SIZE and plain.peak == held + 8 and plain.recomputed_ops.total() == 0
    less, held = step(lambda net, x: checkpoint_sequential(net, 6, x))
    # x, the results of five segments, and what the last saves; with a product that is not saved and a tanh at the peak
    assert held == (1 + 5 + 6) * SIZE and less.peak == held + SIZE
    # of each segment before the last neither the last product, which nothing saves, nor the last tanh, which is kept
    assert less.recomputed_ops == {"matmul": 5 * 5, "tanh": 5 * 5, "clone": 4}
    assert plain.bytes[-1] == less.bytes[-1] == 0


def test_scalars_count_a_number_each() -> None:
    x = ad.Scalar(1.0)
    with memory.meter() as m:
        y = (x * 2).exp() + 1
        assert m.current == 24 == memory.saved_bytes(y)
        y.backward()
        assert m.current == 8
    assert x.grad is not None


def test_a_meter_ends_with_its_block() -> None:
    x = ad.Scalar(1.0)
    with memory.meter() as m:
        y = x * 2
        with memory.meter() as inner:
            x.exp()
    count = len(m.events)
    assert (m.ops, inner.ops) == (2, 1) and state.observers == () and current() is RECORD
    del y
    assert len(m.events) == count


def test_the_same_work_gives_the_same_numbers() -> None:
    def series() -> Any:
        with memory.meter() as m:
            x = make(np.ones((4, 8)), "numpy")
            checkpoint_sequential(layers(9, "numpy"), 3, x).sum().backward()
        return m.events, m.bytes, m.recomputed

    assert series() == series()


# A live graph


@BOTH
def test_the_bytes_of_a_graph_are_those_of_its_arrays_each_once(backend: str) -> None:
    x = make(np.ones((4, 8)), backend)
    y = x.exp().reshape(8, 4) * 2.0
    z = ad.cat([y, y * 1.0])
    assert memory.saved_bytes(y) == 2 * SIZE and memory.saved_bytes(z) == 5 * SIZE
    assert memory.saved_bytes(y, z) == 5 * SIZE and memory.saved_bytes(x) == 0
    w = z.sum()
    w.backward()
    assert memory.saved_bytes(w) == 8


@BOTH
def test_the_bytes_of_a_checkpoint_are_those_of_its_arguments_and_results(backend: str) -> None:
    x = make(np.ones((4, 8)), backend)

    def f(x: Any) -> Any:
        for _ in range(10):
            x = x.sin() * 1.5
        return x

    y = checkpoint(f, x.exp())
    assert memory.saved_bytes(y) == 2 * SIZE
    (nested := checkpoint(lambda x: checkpoint(f, checkpoint(f, x)), x.exp())).sum()
    assert memory.saved_bytes(nested) == 2 * SIZE
    with ad.autograd.graph.saved_tensors_hooks(lambda a: (a, [a]), lambda packed: packed[0]):
        z = x.sin().sin().sum()
    assert memory.saved_bytes(z) == SIZE + 8  # the values of x were packed too, but x requires grad


@BOTH
def test_what_a_node_saved_is_shown_by_its_grad_fn(backend: str) -> None:
    x, w = make([[1.0, 2.0]], backend), make([[3.0], [4.0]], backend)
    product = (x @ w).grad_fn.saved
    assert list(product) == ["a", "b"] and product["a"] is x.data and product["b"] is w.data
    assert (x + 1).grad_fn.saved == {} and x.exp().grad_fn.saved["y"].shape == (1, 2)
    assert (x**3).grad_fn.saved["a"] is x.data
    y = x.sum(1)
    assert y.grad_fn.saved["dim"] == (1,) and y.grad_fn.next_functions[0][0].saved == {}
    h = checkpoint(lambda x: x.exp().sin(), x)
    np.testing.assert_array_equal(np.asarray(h.grad_fn.saved["a"]), np.exp([[1.0, 2.0]]))
    h.sum().backward()
    with pytest.raises(RuntimeError, match="SinBackward> has freed what it saved"):
        _ = h.grad_fn.saved


def test_what_a_scalar_saved() -> None:
    x = ad.Scalar(2.0)
    assert (x * 3).grad_fn.saved == {} and (x * x).grad_fn.saved == {"a": 2.0, "b": 2.0}
    assert (3 / x).grad_fn.saved == {"b": 2.0, "y": 1.5}


# What keeps a node alive

history: list[Any] = []


class Trainer:
    best: Any = None

    def __init__(self) -> None:
        self.losses: dict[str, list[Any]] = {"train": []}


class Slotted:
    __slots__ = ("last",)
    last: Any


def test_the_variables_that_keep_a_graph_alive_are_named() -> None:
    def where(name: str) -> str:
        return f"{name}, a local variable of {here}, line "

    here = sys._getframe().f_code.co_qualname
    x = ad.Scalar(1.0)
    trainer, slotted = Trainer(), Slotted()
    trainer.losses["train"] += [x * 2, x * 3]
    slotted.last = (x * 4).exp()
    trainer.best = x * 5
    history.append((0, x * 6))
    callback = lambda h=trainer.best: h  # noqa: E731
    try:
        found = memory.keeps_alive(x)
        for name in (
            "x",
            "trainer.losses['train'][0]",
            "trainer.best",
            "slotted.last",
            "callback (in its closure or defaults)[0]",
        ):
            assert any(text.startswith(where(name)) for text in found), (name, found)
        assert any(text.startswith("history[0][1], a global variable of ") for text in found)
        assert callback() is trainer.best
    finally:
        history.clear()


@pytest.mark.usefixtures("nothing_from_before")
def test_only_what_is_computed_from_a_node_keeps_it_alive() -> None:
    x = ad.Scalar(1.0)
    y = x * 2
    z = y * 3
    names = [text.partition(",")[0] for text in memory.keeps_alive(y)]
    assert names == ["y", "z"] and z.op == "mul"


@pytest.mark.usefixtures("nothing_from_before")
def test_looking_keeps_nothing_alive() -> None:
    import weakref

    x = ad.Scalar(1.0)
    y = x * 2
    alive = weakref.ref(y)
    memory.keeps_alive(x)
    del y
    assert alive() is None


@pytest.mark.usefixtures("nothing_from_before")
def test_the_frame_of_an_error_that_is_kept_is_named() -> None:
    x = ad.Scalar(1.0)

    def fails() -> None:
        lost = x * 2
        raise KeyError(lost.data)

    try:
        fails()
    except KeyError as error:
        kept = error
    found = [text for text in memory.keeps_alive(x) if text.startswith("lost, ")]
    assert len(found) == 1 and "whose frame is kept by a traceback" in found[0] and kept.args == (2.0,)
    del kept

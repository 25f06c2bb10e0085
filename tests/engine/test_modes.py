"""The modes: recording or not, per thread, nested, as decorators; and the hooks on saved values."""

from __future__ import annotations

import asyncio
import gc
import inspect
import math
import threading
import weakref
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest

import autodiff_lab as ad
from autodiff_lab.engine.modes import RECORD, current
from autodiff_lab.engine.rules import VALUES

saved_tensors_hooks = ad.autograd.graph.saved_tensors_hooks


def records() -> bool:
    return (
        (ad.Scalar(2.0) * 3).requires_grad and (2 - ad.Scalar(1.0)).requires_grad and ad.Scalar(1.0).exp().requires_grad
    )


def test_no_grad_computes_without_recording() -> None:
    x = ad.Scalar(2.0)
    with ad.no_grad():
        y = x * x + 1
    assert (y.data, y.requires_grad, y.is_leaf, y.operands) == (5.0, False, True, ())
    assert records()


def test_modes_nest_and_are_undone_by_an_exception() -> None:
    with pytest.raises(KeyError), ad.no_grad():
        with ad.enable_grad():
            assert records()
            with ad.no_grad():
                assert not records()
            assert records()
        assert not records()
        raise KeyError
    assert records() and current() is RECORD


def test_one_mode_object_can_be_entered_twice() -> None:
    off = ad.no_grad()
    with off, off:
        assert not records()
    assert records()


def test_modes_decorate_functions() -> None:
    @ad.no_grad()
    def f(x: ad.Scalar) -> ad.Scalar:
        """Doubles."""
        return x * 2

    assert not f(ad.Scalar(1.0)).requires_grad
    assert (f.__name__, f.__doc__) == ("f", "Doubles.")
    assert records()


def test_modes_decorate_without_parentheses_too() -> None:
    @ad.no_grad
    def f(x: ad.Scalar) -> ad.Scalar:
        return x * 2

    @ad.inference_mode
    def g(x: ad.Scalar) -> ad.Scalar:
        return x * 2

    assert not f(ad.Scalar(1.0)).requires_grad and g(ad.Scalar(1.0)).is_inference()
    assert records()


def test_set_grad_enabled_acts_when_it_is_called() -> None:
    ad.set_grad_enabled(False)
    assert not records()
    ad.set_grad_enabled(True)
    assert records() and current() is RECORD

    @ad.set_grad_enabled(False)
    def f(x: ad.Scalar) -> ad.Scalar:
        return x * 2

    assert records() and not f(ad.Scalar(1.0)).requires_grad


def test_set_grad_enabled_follows_its_argument() -> None:
    for mode in (True, False):
        with ad.set_grad_enabled(mode):
            assert records() == ad.is_grad_enabled() == mode


def test_inference_mode_marks_what_is_made_in_it() -> None:
    x = ad.Scalar(2.0)
    with ad.inference_mode():
        c = x * 3
        assert ad.is_inference_mode_enabled() and not ad.is_grad_enabled()
    assert c.is_inference() and not x.is_inference() and not c.requires_grad
    assert (x + c).data == 8.0  # add saves nothing, so it may take part
    with ad.inference_mode(False):
        assert records()


def test_a_mode_is_for_its_own_thread() -> None:
    inside, outside = threading.Event(), threading.Event()
    found: list[bool] = []

    def other() -> None:
        inside.wait()
        found.append(records())
        outside.set()

    thread = threading.Thread(target=other)
    thread.start()
    with ad.no_grad():
        inside.set()
        outside.wait()
        assert not records()
    thread.join()
    assert found == [True]


def test_threads_sweep_over_shared_leaves_at_the_same_time() -> None:
    x = ad.Scalar(2.0)
    slopes: list[float] = []

    def work() -> None:
        for _ in range(50):
            y = x
            for _ in range(50):
                y = y * 1.0 + x * 0.0
            slopes.extend(ad.autograd.grad(y, x))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert slopes == [1.0] * 200


# What runs in steps


def test_the_body_of_a_generator_runs_in_the_mode_and_whoever_drives_it_does_not() -> None:
    inside: list[bool] = []

    @ad.no_grad()
    def numbers(x: ad.Scalar) -> Any:
        """Multiples."""
        for k in (2, 3):
            inside.append(ad.is_grad_enabled())
            yield x * k
        inside.append(ad.is_grad_enabled())
        return "end"

    x = ad.Scalar(5.0)
    steps = numbers(x)
    found = []
    for y in steps:
        found.append((y.data, y.requires_grad, records()))
    assert found == [(10.0, False, True), (15.0, False, True)] and inside == [False] * 3
    assert inspect.isgeneratorfunction(numbers) and (numbers.__name__, numbers.__doc__) == ("numbers", "Multiples.")


@pytest.mark.parametrize(
    ("decorator", "recorded"),
    [
        (ad.no_grad, False),
        (ad.no_grad(), False),
        (ad.enable_grad(), True),
        (ad.inference_mode(), False),
        (ad.inference_mode(False), True),
        (lambda f: ad.set_grad_enabled(False)(f), False),
        (lambda f: ad.set_grad_enabled(True)(f), True),
    ],
)
@pytest.mark.parametrize("outside", [True, False])
def test_every_mode_decorates_every_kind_of_function(decorator: Any, recorded: bool, outside: bool) -> None:
    def plain(x: ad.Scalar) -> Any:
        return (x * 2).requires_grad

    def generator(x: ad.Scalar) -> Any:
        yield (x * 2).requires_grad
        yield (x * 2).requires_grad

    async def coroutine(x: ad.Scalar) -> Any:
        before = (x * 2).requires_grad
        await asyncio.sleep(0)
        return before and (x * 2).requires_grad

    async def async_generator(x: ad.Scalar) -> Any:
        yield (x * 2).requires_grad
        await asyncio.sleep(0)
        yield (x * 2).requires_grad

    async def driven(x: ad.Scalar) -> list[bool]:
        found = [await decorator(coroutine)(x), ad.is_grad_enabled()]
        async for recording in decorator(async_generator)(x):
            found += [recording, ad.is_grad_enabled()]
        return found

    x = ad.Scalar(1.0)
    with ad.set_grad_enabled(outside):
        assert decorator(plain)(x) is recorded and ad.is_grad_enabled() is outside
        for recording in decorator(generator)(x):
            assert recording is recorded and ad.is_grad_enabled() is outside
        assert asyncio.run(driven(x)) == [recorded, outside] * 3
        assert decorator(partial(plain))(x) is recorded and [*decorator(partial(generator))(x)] == [recorded] * 2
    assert records() and current() is RECORD


def test_what_is_sent_and_thrown_reaches_a_generator_and_its_answer_and_end_come_back() -> None:
    log: list[Any] = []

    @ad.no_grad()
    def echo() -> Any:
        given = yield "ready"
        while given != "stop":
            try:
                given = yield (given, ad.is_grad_enabled())
            except KeyError as error:
                log.append((error.args[0], ad.is_grad_enabled()))
                given = "after"
        return ad.is_grad_enabled()

    steps = echo()
    assert next(steps) == "ready" and records()
    assert steps.send(3) == (3, False) and records()
    assert steps.throw(KeyError("k")) == ("after", False) and log == [("k", False)] and records()
    with pytest.raises(StopIteration) as end:
        steps.send("stop")
    assert end.value.value is False and records()


def test_a_generator_that_is_closed_or_fails_leaves_its_mode() -> None:
    ended: list[bool] = []

    @ad.no_grad()
    def forever() -> Any:
        try:
            while True:
                yield 1
        finally:
            ended.append(ad.is_grad_enabled())

    steps = forever()
    next(steps)
    steps.close()
    assert ended == [False] and records()
    with pytest.raises(ZeroDivisionError):
        steps = forever()
        next(steps)
        steps.throw(ZeroDivisionError)
    assert ended == [False] * 2 and records()
    next(forever())  # forgotten in the middle
    gc.collect()
    assert ended == [False] * 3 and records() and current() is RECORD


def test_a_generator_keeps_the_modes_that_it_entered_itself() -> None:
    @ad.no_grad()
    def steps() -> Any:
        yield ad.is_grad_enabled()
        with ad.enable_grad():
            yield ad.is_grad_enabled()
            yield ad.is_grad_enabled()
        yield ad.is_grad_enabled()

    found = []
    for inner in steps():
        found.append((inner, ad.is_grad_enabled()))
    assert found == [(False, True), (True, True), (True, True), (False, True)]


def test_two_generators_in_different_modes_take_turns() -> None:
    @ad.no_grad()
    def off() -> Any:
        for _ in range(3):
            yield records()

    @ad.enable_grad()
    def on() -> Any:
        for _ in range(3):
            yield records()

    assert [*zip(off(), on(), strict=True)] == [(False, True)] * 3 and records()


def test_tasks_in_different_modes_take_turns() -> None:
    async def task(mode: Any, found: list[bool]) -> None:
        with mode:
            for _ in range(3):
                found.append(records())
                await asyncio.sleep(0)

    async def both() -> tuple[list[bool], list[bool]]:
        off: list[bool] = []
        on: list[bool] = []
        await asyncio.gather(task(ad.no_grad(), off), task(ad.enable_grad(), on))
        return off, on

    assert asyncio.run(both()) == ([False] * 3, [True] * 3) and records()


def test_a_decorated_class_is_still_a_class_and_its_author_is_warned() -> None:
    with pytest.warns(FutureWarning, match=r"no_grad decorates functions; of the class Model .* __init__"):

        @ad.no_grad()
        class Model:
            def __init__(self) -> None:
                self.made = records()

            def forward(self) -> bool:
                return records()

    model = Model()
    assert isinstance(model, Model) and not model.made and model.forward()


def test_one_mode_object_is_entered_by_many_threads_at_a_time() -> None:
    off = ad.no_grad()
    together = threading.Barrier(4)
    found: list[Any] = []

    @off
    def inside() -> bool:
        together.wait()
        return records()

    def work(enabled: bool) -> None:
        with ad.set_grad_enabled(enabled):
            recorded = inside()
            together.wait()
            found.append((recorded, ad.is_grad_enabled() is enabled))

    threads = [threading.Thread(target=work, args=(enabled,)) for enabled in (True, False, True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(False, True)] * 4 and not off._before and records()


def test_inference_mode_records_nothing_whatever_is_entered_in_it() -> None:
    x = ad.Scalar(2.0)
    t = ad.tensor([1.0, 2.0], requires_grad=True)
    with ad.inference_mode():
        with ad.enable_grad():
            assert ad.is_grad_enabled()
            assert [(y.requires_grad, y.is_inference()) for y in (x * 2, x + x, x.exp(), t * 2, t.sum())] == [
                (False, True)
            ] * 5
        with ad.inference_mode(False):
            assert (x * 2).requires_grad and not (t * 2).is_inference()
    with ad.no_grad(), ad.inference_mode(False):
        assert (x * 2).requires_grad  # as in PyTorch


# Which way an operation goes


WAYS = {
    "recorded": nullcontext,
    "no_grad": ad.no_grad,
    "inference_mode": ad.inference_mode,
}


@pytest.mark.parametrize("mode", WAYS)
@pytest.mark.parametrize("beside", [False, True])
def test_no_mode_goes_the_long_way_whatever_another_thread_does(
    mode: str, beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def long_way(op: Any, *operands: Any, **params: Any) -> Any:
        calls.append(op.name)
        return NotImplemented

    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with ad.no_grad():
            entered.set()
            leave.wait()

    x, t = ad.Scalar(2.0), ad.tensor([1.0, 2.0], requires_grad=True)
    thread = threading.Thread(target=other)
    if beside:
        thread.start()
        entered.wait()
    for names in (VALUES, t._backend.names):
        for name in ("record", "record_strictly", "call"):
            if name in names:
                monkeypatch.setitem(names, name, long_way)
    try:
        with WAYS[mode]():
            for y in (x * x, x * 2, 2.0 - x, x / 3.0, x.exp(), -x, x.relu()):
                assert y.requires_grad is (mode == "recorded") and y.is_inference() is (mode == "inference_mode")
            for y in (t * t, t * 2, 2.0 - t, t.tanh(), -t, t @ t, t.sum(), t.mean(0), t.reshape(2, 1), t[0], t < 1.5):
                assert y.is_inference() is (mode == "inference_mode")
    finally:
        leave.set()
    assert calls == []


# Saved values


def test_saved_values_go_through_pack_and_unpack() -> None:
    packed: list[float] = []
    unpacked: list[float] = []

    def pack(value: float) -> str:
        packed.append(value)
        return repr(value)

    def unpack(text: str) -> float:
        unpacked.append(float(text))
        return float(text)

    x = ad.Scalar(2.0)
    with saved_tensors_hooks(pack, unpack):
        y = (x * 5).exp() * x + x**3
    assert packed == [math.exp(10), math.exp(10), 2.0, 2.0]
    assert unpacked == []
    y.backward()
    assert x.grad == pytest.approx(math.exp(10) * 11 + 12)
    assert sorted(unpacked) == sorted(packed)


@pytest.mark.parametrize(
    ("f", "saved"),
    [
        (lambda x: x + 1, []),
        (lambda x: x * 5, []),
        (lambda x: 5 * x, []),
        (lambda x: x * x, [2.0, 2.0]),
        (lambda x: x.exp(), [math.exp(2.0)]),
        (lambda x: x**3, [2.0]),
        (lambda x: 3**x, [2.0, 9.0]),
        (lambda x: x / 4, []),
        (lambda x: 4 / x, [2.0, 2.0]),
        (lambda x: x * ad.tensor(5.0), [5.0]),
        (lambda x: ad.tensor(3.0) - x, []),
    ],
)
def test_only_what_a_formula_needs_is_saved(f: Any, saved: list[float]) -> None:
    packed: list[float] = []
    x = ad.Scalar(2.0)
    with saved_tensors_hooks(lambda v: packed.append(v) or v, lambda v: v):
        y = f(x)
    assert packed == saved
    y.backward()
    assert x.grad == pytest.approx(ad.grad(f)(2.0))


def test_packed_values_go_when_the_sweep_has_used_them_although_the_node_is_held() -> None:
    class Packed:
        def __init__(self, value: float) -> None:
            self.value = value

    alive: list[weakref.ref[Packed]] = []

    def pack(value: float) -> Packed:
        packed = Packed(value)
        alive.append(weakref.ref(packed))
        return packed

    x = ad.Scalar(2.0)
    with saved_tensors_hooks(pack, lambda packed: packed.value):
        y = x.exp() * x
        dropped = x * x
    y.register_hook(lambda g: None)
    gc.disable()
    try:
        y.backward(retain_graph=True)
        assert sum(ref() is not None for ref in alive) == 5
        y.backward()
        del dropped
        assert [ref() for ref in alive] == [None] * 5
    finally:
        gc.enable()


def test_unpacked_values_are_those_the_sweep_uses() -> None:
    x = ad.Scalar(2.0)
    with saved_tensors_hooks(lambda v: v, lambda v: v * 10):
        y = x * x
    y.backward()
    assert x.grad == 40.0


def test_hooks_on_saved_values_and_on_gradients_go_together() -> None:
    x = ad.Scalar(2.0)
    with saved_tensors_hooks(lambda v: (v,), lambda v: v[0]):
        y = x.exp()
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    (g,) = ad.autograd.grad(y, x, create_graph=True)
    assert g.data == pytest.approx(2 * math.exp(2))
    y.backward()
    assert (x.grad, y.grad) == (pytest.approx(2 * math.exp(2)), 2.0 + 2.0)


def test_saved_values_survive_division_by_zero() -> None:
    x = ad.Scalar(0.0)
    with saved_tensors_hooks(lambda v: v, lambda v: v):
        y = x.sqrt()
    y.backward()
    assert x.grad == math.inf

"""The modes: recording or not, per thread, nested, as decorators; and the hooks on saved values."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from typing import Any

import pytest

import autodiff_lab as ad
from autodiff_lab.engine.modes import RECORD, current

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

"""Checkpointing: the same results and gradients to the last bit; values are computed once more, and not kept."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.checkpoint import CheckpointError, checkpoint, checkpoint_sequential
from autodiff_lab.engine.generator import Generator, default_generator
from autodiff_lab.engine.modes import RECORD, current

if TYPE_CHECKING:
    from collections.abc import Callable

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])


def make(data: Any, backend: str, requires_grad: bool = True) -> Any:
    array = np.asarray(data)
    if backend == "torch":
        return ad.tensor(pytest.importorskip("torch").from_numpy(array.copy()), requires_grad=requires_grad)
    return ad.tensor(array, requires_grad=requires_grad)


def floats(x: Any) -> Any:
    return np.asarray(x.detach())


def same(found: list[Any], wanted: list[Any]) -> bool:
    return all(p.dtype == q.dtype and np.array_equal(p, q) for p, q in zip(found, wanted, strict=True))


class Layer:
    """A linear map, tanh and dropout, as a part of a network that counts how often it is called."""

    def __init__(self, inputs: int, outputs: int, backend: str, dtype: str, rng: Any) -> None:
        self.w = make((rng.normal(size=(inputs, outputs)) / inputs**0.5).astype(dtype), backend)
        self.b = make(rng.normal(size=outputs).astype(dtype), backend)
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return ad.dropout((x @ self.w + self.b).tanh(), 0.25)


class Network:
    def __init__(self, backend: str, dtype: str = "float64", sizes: tuple[int, ...] = (6, 9, 9, 9, 9, 9, 4)) -> None:
        rng = np.random.default_rng(0)
        self.layers = [Layer(i, o, backend, dtype, rng) for i, o in pairwise(sizes)]
        self.x = make(rng.normal(size=(5, sizes[0])).astype(dtype), backend)
        self.target = make(rng.integers(0, sizes[-1], 5), backend, False)
        self.parameters = [self.x, *(p for layer in self.layers for p in (layer.w, layer.b))]

    def loss(self, run: Callable[[list[Layer], Any], Any]) -> Any:
        for layer in self.layers:
            layer.calls = 0
        ad.manual_seed(7)
        return ad.cross_entropy(run(self.layers, self.x), self.target)

    def step(self, run: Callable[[list[Layer], Any], Any]) -> list[Any]:
        """The loss and all gradients."""
        for p in self.parameters:
            p.grad = None
        loss = self.loss(run)
        loss.backward()
        return [floats(loss), *(floats(p.grad) for p in self.parameters)]

    def second(self, run: Callable[[list[Layer], Any], Any]) -> list[Any]:
        """The gradients of the squared norm of the gradient."""
        slopes = ad.autograd.grad(self.loss(run), self.parameters, create_graph=True)
        norm = sum((g * g).sum() for g in slopes)
        return [floats(g) for g in ad.autograd.grad(norm, self.parameters)]


def plainly(layers: list[Layer], x: Any) -> Any:
    for layer in layers:
        x = layer(x)
    return x


def each(layers: list[Layer], x: Any) -> Any:
    for layer in layers:
        x = checkpoint(layer, x)
    return x


def in_segments(layers: list[Layer], x: Any) -> Any:
    return checkpoint_sequential(layers, 3, x)


def whole(layers: list[Layer], x: Any) -> Any:
    return checkpoint(plainly, layers, x)


def nested(layers: list[Layer], x: Any) -> Any:
    return checkpoint(lambda x: each(layers[2:], checkpoint(each, layers[:2], x)), x)


WAYS = pytest.mark.parametrize("run", [each, in_segments, whole, nested])


# The same to the last bit


@BOTH
@WAYS
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_results_and_gradients_of_a_network_with_dropout_are_equal_to_the_last_bit(
    run: Any, dtype: str, backend: str
) -> None:
    network = Network(backend, dtype)
    wanted = network.step(plainly)
    assert same(network.step(run), wanted)
    after = default_generator().uniform((3,)).tolist()
    network.step(plainly)
    assert default_generator().uniform((3,)).tolist() == after  # random numbers go on as without it


@BOTH
@WAYS
def test_second_derivatives_are_equal_to_the_last_bit(run: Any, backend: str) -> None:
    network = Network(backend)
    assert same(network.second(run), network.second(plainly))


@BOTH
def test_each_layer_is_computed_at_most_once_more(backend: str) -> None:
    network = Network(backend)
    network.step(in_segments)
    assert [layer.calls for layer in network.layers] == [2, 2, 2, 2, 1, 1]  # the last segment is not checkpointed
    network.step(each)
    assert [layer.calls for layer in network.layers] == [2] * 6


@pytest.mark.parametrize("node", [ad.Scalar, lambda x: make([x, 0.3], "numpy"), lambda x: make([x, 0.3], "torch")])
def test_sums_of_many_shares_are_made_in_the_same_order(node: Any) -> None:
    def f(x: Any, y: Any) -> Any:
        return (x * y + x.sin()) * (y / x)

    def all_of(run: Any) -> Any:
        x = node(0.7)
        y = x * 1.1
        for _ in range(5):
            y = run(f, x, y) * y + run(f, y, x).tanh() * x + y / 3 - run(f, y, y)
        total = y if isinstance(y, ad.Scalar) else y.sum()
        (g,) = ad.autograd.grad(total, x, create_graph=True)
        (h,) = ad.autograd.grad(g if isinstance(g, ad.Scalar) else g.sum(), x, create_graph=True)
        total.backward()
        return [np.asarray(getattr(v, "data", v)).tolist() for v in (total, g, h, x.grad)]

    wanted = all_of(lambda f, *args: f(*args))
    assert all_of(checkpoint) == wanted
    assert all_of(lambda f, *args: checkpoint(lambda *args: checkpoint(f, *args), *args)) == wanted


def test_scalars_have_checkpoints_too() -> None:
    def f(a: Any, b: Any) -> Any:
        return (a * b).exp() + a / b + b**3

    def all_of(g: Any) -> Any:
        a, b = ad.Scalar(0.5), ad.Scalar(1.5)
        y = g(a, b)
        slopes = ad.autograd.grad(y, [a, b], create_graph=True)
        second = ad.autograd.grad(slopes[0] * slopes[1], [a, b], retain_graph=True)
        y.backward()
        return y.data, a.grad, b.grad, [g.data for g in slopes], second

    assert all_of(lambda a, b: checkpoint(f, a, b)) == all_of(f)


@BOTH
def test_several_arguments_and_results_keywords_and_containers(backend: str) -> None:
    x, y, c = make([1.0, 2.0], backend), make([3.0, 5.0], backend), make([2.0, 4.0], backend, False)

    def f(scale: float, pair: Any, *, named: Any) -> Any:
        a, b = pair
        return a * b * scale, {"sum": (a * named["c"]).exp().sum()}, [b.tanh()]

    def slopes(g: Any) -> Any:
        first, second, (third,) = g(0.5, (x * 1.0, y), named={"c": c})
        return [floats(g) for g in ad.autograd.grad((first * third).sum() + second["sum"], [x, y])]

    assert same(slopes(lambda *args, **kwargs: checkpoint(f, *args, **kwargs)), slopes(f))


@BOTH
def test_a_result_used_inside_and_outside_gets_all_its_shares(backend: str) -> None:
    x = make([0.5, 1.5], backend)
    kept: list[Any] = []

    def f(x: Any) -> Any:
        h = x.exp()
        kept.append(h)
        return h * h

    y = checkpoint(f, x)
    (kept[0] * y + y).sum().backward()
    wanted = 3 * np.exp(1.5 * np.array([1.0, 3.0])) + 2 * np.exp([1.0, 3.0])
    np.testing.assert_allclose(floats(x.grad), wanted)


@BOTH
def test_hooks_and_kept_gradients_on_nodes_inside(backend: str) -> None:
    x = make([0.5, 1.5], backend)
    seen: list[Any] = []
    kept: list[Any] = []

    def f(x: Any) -> Any:
        h = x.exp()
        if not kept:
            h.register_hook(lambda g: seen.append(g.tolist()) or g * 10)
            h.retain_grad()
            kept.append(h)
        return h * 3 + h

    checkpoint(f, x).sum().backward()
    assert seen == [[4.0, 4.0]] and kept[0].grad.tolist() == [40.0, 40.0]
    np.testing.assert_allclose(floats(x.grad), 40 * np.exp([0.5, 1.5]))


def test_a_function_may_sweep_inside() -> None:
    def slope(x: Any) -> Any:
        y = (x * x).exp()
        (g,) = ad.autograd.grad(y, x, create_graph=True)
        return g * y

    def derivative(run: Any) -> Any:
        x = ad.Scalar(0.5)
        return ad.autograd.grad(run(x * 1.0), x)

    assert derivative(lambda x: checkpoint(slope, x)) == derivative(slope)


@BOTH
def test_a_graph_that_is_retained_is_computed_again_for_every_sweep(backend: str) -> None:
    network = Network(backend)
    loss = network.loss(whole)
    found = []
    for retain in (True, True, False):
        for p in network.parameters:
            p.grad = None
        loss.backward(retain_graph=retain)
        found.append([floats(p.grad) for p in network.parameters])
    assert same(found[0], found[1]) and same(found[0], found[2])
    assert [layer.calls for layer in network.layers] == [4] * 6
    with pytest.raises(RuntimeError, match="has been freed"):
        loss.backward()


def test_an_argument_that_is_computed_may_be_changed_to_a_new_node_in_the_function() -> None:
    def f(x: Any) -> Any:
        x += 1  # a leaf that requires grad would refuse it
        return x * x

    x = make([1.0, 2.0], "numpy")
    checkpoint(f, x * 1.0).sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]


# What is kept


@BOTH
def test_only_arguments_are_kept_between_forward_and_backward(backend: str) -> None:
    x = make(np.ones(4), backend)
    seen: list[weakref.ref[Any]] = []

    def f(x: Any) -> Any:
        for _ in range(5):
            x = x.exp().tanh()
            seen.append(weakref.ref(x.data))
        return x

    y = checkpoint(f, x * 1.0)
    result = y.data
    gc.disable()
    try:
        assert [ref() is not None for ref in seen] == [False] * 4 + [True]
        del result
        y.sum().backward()
        assert len(seen) == 9  # the last value that is needed ends it
        del y
        assert not any(ref() is not None for ref in seen)
    finally:
        gc.enable()


@BOTH
def test_values_that_were_packed_are_not_held_by_the_graph(backend: str) -> None:
    x = make(np.ones(4), backend)
    with ad.autograd.graph.saved_tensors_hooks(
        lambda array: array.tolist(), lambda numbers: make(numbers, backend).data
    ):
        h = x * 2
        seen = weakref.ref(h.data)
        y = ad.cat([h.exp(), h]).sum()
        del h
    assert seen() is None
    y.backward()
    np.testing.assert_allclose(floats(x.grad), 2 * np.exp(2) + 2)


@BOTH
def test_the_graph_of_a_checkpoint_can_be_walked(backend: str) -> None:
    x = make([1.0, 2.0], backend)
    y = checkpoint(lambda x: (x.exp() * x).tanh(), x)
    assert y.op == "tanh" and repr(y.grad_fn) == "<TanhBackward>" and not y.is_leaf
    product = y.operands[0]
    assert (
        product.op == "mul" and product.shape == (2,) and product.dtype == x.dtype and repr(product.data) == "released"
    )
    assert product.operands[1] is x and y.grad_fn.next_functions[0][0].next_functions[0][0].name() == "ExpBackward"


# Where the function is not the same


def test_a_different_shape_the_second_time_is_reported() -> None:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        return (x if len(calls) == 1 else x[:2]).exp() * 2

    y = checkpoint(f, make([1.0, 2.0, 3.0], "numpy")).sum()
    message = r"f computed once more differs at saved value 0: exp, shape \(3,\), float64 in .*, exp, shape \(2,\)"
    with pytest.raises(CheckpointError, match=message):
        y.backward()


def test_another_op_or_dtype_the_second_time_is_reported() -> None:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        return x.sin() if len(calls) == 1 else x.exp() if len(calls) == 2 else x.to("float32").sin()

    y = checkpoint(f, make([1.0], "numpy")).sum()
    with pytest.raises(CheckpointError, match=r"sin, shape .1,., float64 in the forward pass, exp"):
        y.backward(retain_graph=True)
    with pytest.raises(CheckpointError, match=r"float64 in the forward pass, sin, shape .1,., float32 now"):
        y.backward()


def test_fewer_values_the_second_time_are_reported() -> None:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        return x.exp().sin() if len(calls) == 1 else x.exp()

    y = checkpoint(f, make([1.0], "numpy")).sum()
    with pytest.raises(CheckpointError, match=r"saved 1 values, not the 2 .* the first that is missing is of sin"):
        y.backward()


@BOTH
def test_a_parameter_that_is_changed_between_the_passes_is_reported(backend: str) -> None:
    w, x = make([2.0, 3.0], backend), make([1.0, 2.0], backend)
    ones = make([1.0, 1.0], backend, False)
    y = checkpoint(lambda x: (x + w).exp() * (ones + ones.exp() * 0) * 2 + 1, x)
    with ad.no_grad():
        x += 1.0  # an argument may change: the checkpoint has its value
    y.sum().backward(retain_graph=True)
    np.testing.assert_allclose(floats(w.grad), 2 * np.exp([3.0, 5.0]))
    with ad.no_grad():
        w -= 0.1 * w.grad
    message = r"would be computed once more with other values: an operand of add, of shape \(2,\), was changed in place"
    with pytest.raises(CheckpointError, match=message):
        y.sum().backward()


@BOTH
def test_forward_mode_goes_through_a_checkpoint(backend: str) -> None:
    def f(x: Any) -> Any:
        first, _ = (x.exp() * x).split(1)
        return first.tanh() * 2 + x.sum()

    point, direction = make([0.1, 0.2], backend, False).data, make([1.0, -0.5], backend, False).data
    plain, found = (ad.jvp(g, (point,), (direction,)) for g in (f, lambda x: checkpoint(f, x)))
    assert same([np.asarray(v) for v in found], [np.asarray(v) for v in plain])
    assert np.array_equal(*(np.asarray(ad.jacobian(g, point)) for g in (f, lambda x: checkpoint(f, x))))


@pytest.mark.parametrize("when", [1, 2])
def test_an_exception_inside_leaves_no_mode_and_no_random_state_behind(when: int) -> None:
    calls: list[int] = []

    def f(x: Any) -> Any:
        calls.append(1)
        y = ad.dropout(x, 0.5)
        if len(calls) == when:
            raise KeyError("inside")
        return (y * y).exp()

    x = make(np.ones(100), "numpy")
    with pytest.raises(KeyError, match="inside"):
        y = checkpoint(f, x)
        state = default_generator().get_state()
        y.sum().backward()
    assert current() is RECORD
    if when == 2:
        assert default_generator().get_state() == state


def test_nothing_in_the_way_can_stop_the_end_of_a_recomputation() -> None:
    def f(x: Any) -> Any:
        try:
            return x.exp() + 1
        except Exception:
            return x

    x = make([1.0], "numpy")
    checkpoint(f, x).sum().backward()
    assert x.grad.tolist() == [np.exp(1.0)]


def test_random_generators_of_ones_own_are_restored_too_unless_that_is_not_wanted() -> None:
    own = Generator().manual_seed(5)
    x = make(np.ones(1000), "numpy")

    def f(x: Any) -> Any:
        return ad.dropout(x, 0.5, generator=own).exp()

    y = checkpoint(f, x)
    y.sum().backward()
    kept = floats(y) > 1.5
    np.testing.assert_array_equal(floats(x.grad) != 0, kept)
    x.grad = None
    checkpoint(f, x, preserve_rng_state=False).sum().backward()
    assert (floats(x.grad) != 0).sum() not in (0, 1000)


def test_without_recording_it_is_a_plain_call() -> None:
    x = make([1.0], "numpy")
    with ad.no_grad():
        y = checkpoint(lambda x: x.exp(), x)
    assert not y.requires_grad and y.is_leaf


def test_wrong_arguments() -> None:
    x = ad.Scalar(1.0)
    with pytest.raises(ValueError, match="use_reentrant=True is not available"):
        checkpoint(lambda x: x, x, use_reentrant=True)
    for segments in (0, 3):
        with pytest.raises(ValueError, match=f"{segments} segments of 2 functions"):
            checkpoint_sequential([lambda x: x] * 2, segments, x)


# Depth


def test_a_long_chain_in_a_checkpoint_is_swept_and_released(low_recursion_limit: None) -> None:
    def f(x: Any) -> Any:
        for _ in range(10_000):
            x = (x + 1.0).abs() - 1.0
        return x

    x = make([1.0, 2.0], "numpy")
    y = checkpoint(f, x)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    dropped = checkpoint(f, x)
    del dropped, y


def test_a_long_chain_of_checkpoints_is_swept_and_released(low_recursion_limit: None) -> None:
    x = make([1.0, 2.0], "numpy")
    y = checkpoint_sequential([lambda x: x.abs() + 0.5] * 6_000, 3_000, x)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    dropped = checkpoint_sequential([lambda x: x.abs() + 0.5] * 6_000, 3_000, x)
    del dropped, y

"""Many elements, and elements of few digits: sums that lose nothing, against torch and against float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.dtypes import dtype_name

torch = pytest.importorskip("torch")

EPS = {"float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
MANY = 100_000  # more than float16 can count
DTYPES = [("numpy", "float32"), ("numpy", "float16"), ("torch", "float32"), ("torch", "float16"), ("torch", "bfloat16")]
both = pytest.mark.parametrize(("library", "dtype"), DTYPES)


def make(library: str, dtype: str, values: Any, requires_grad: bool = True) -> Any:
    """A tensor over an array of a library, in a dtype that torch rounds the values to."""
    array = torch.as_tensor(values, dtype=torch.float64).to(getattr(torch, dtype))
    return ad.tensor(array.numpy() if library == "numpy" else array, requires_grad=requires_grad)


def as_float64(x: Any) -> Any:
    """The values of a tensor."""
    return x.detach().to("float64").numpy() if isinstance(x, ad.Tensor) else np.asarray(x)


def values_and_slopes(f: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """What ``f`` gives, and the gradient of its sum, weighted by position, as float64."""
    y = f(x)
    x.grad = None
    weights = np.round(8 + 4 * np.cos(np.arange(float(y.numel())))).reshape(y.shape) / 8  # exact in every dtype
    y.backward(make(y._backend.name, dtype_name(y.dtype), weights, False) if y.ndim else None)
    return as_float64(y), as_float64(x.grad)


rng = np.random.default_rng(0)
TALL = rng.random((MANY, 2))
WIDE = rng.random((3, MANY))
ONES = np.ones(MANY)


FUNCTIONS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "mean over axis 0": (TALL, lambda x: x.mean(0)),
    "mean over axis 0, kept": (TALL, lambda x: x.mean(0, keepdim=True)),
    "mean over the last axis": (WIDE, lambda x: x.mean(1)),
    "mean of a transposed tensor": (TALL, lambda x: x.T.mean(1)),
    "mean of all of a transposed tensor": (TALL, lambda x: x.T.mean()),
    "mean over the middle": (TALL.reshape(2, -1, 2), lambda x: x.mean(1)),
    "mean of ones": (ONES, lambda x: x.mean()),
    "small sum of many": (TALL / 100, lambda x: x.sum(0)),
    "variance": (TALL, lambda x: x.var(0)),
    "variance of all": (TALL, lambda x: x.var()),
    "standard deviation of great numbers": (300 * TALL[:1000], lambda x: (x - 150).std(0)),
    "logsumexp": (TALL, lambda x: x.logsumexp(0)),
    "softmax": (TALL[:2000], lambda x: x.softmax(0)),
    "log_softmax": (TALL, lambda x: x.log_softmax(0)),
    "log_softmax over the last axis": (WIDE, lambda x: x.log_softmax(1)),
    "cumsum": (TALL[:20_000] / 10, lambda x: x.cumsum(0)),
    "cumsum over the last axis": (WIDE[:, :20_000] / 10, lambda x: x.cumsum(1)),
    "product": (np.concatenate([np.full(12, 3.0), np.full(12, 1 / 3.0)]), lambda x: x.prod()),
    "layer_norm": (300 * WIDE[:, :1000], lambda x: ad.nn.functional.layer_norm(x, (1000,))),
    "layer_norm of many": (WIDE, lambda x: ad.nn.functional.layer_norm(x, (MANY,))),
    "bias of a batch": (np.zeros(2), lambda x: (x + x._constant(x.data).expand(MANY, 2)) * 0.01),
}


@both
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_computed_of_many_is_as_exact_as_its_dtype(name: str, library: str, dtype: str) -> None:
    values, f = FUNCTIONS[name]
    x = make(library, dtype, values)
    found, slopes = values_and_slopes(f, x)
    right, right_slopes = values_and_slopes(f, ad.tensor(as_float64(x), requires_grad=True))
    # each result is rounded, and what a share of an adjoint is made of was rounded before
    digits = EPS[dtype] * (100 if "log_softmax" in name else 8)  # exp(y) has fewer than y, which is about -12
    for got, expected in ((found, right), (slopes, right_slopes)):
        scale = np.max(np.abs(expected)) if expected.size else 0.0
        np.testing.assert_allclose(got, expected, rtol=digits, atol=digits * scale + 2.0**-22)


def test_the_mean_of_a_million_float32_over_axis_0_is_not_a_percent_off() -> None:
    x = ad.tensor(np.full((1_000_000, 2), 0.1, np.float32), requires_grad=True)
    y = x.mean(0)
    assert y.dtype == np.float32 and y.tolist() == pytest.approx([0.1, 0.1], rel=1e-7)
    total = ad.compile(lambda x: x.sum(0))(x.detach())
    assert total.tolist() == pytest.approx([1e5, 1e5], rel=1e-6)


def test_the_bias_of_a_million_rows_in_float32_gets_their_sum() -> None:
    bias = ad.tensor(np.zeros(2, np.float32), requires_grad=True)
    ones = ad.tensor(np.full((1_000_000, 2), 0.1, np.float32))
    (bias + ones).backward(ones)
    assert bias.grad.tolist() == pytest.approx([1e5, 1e5], rel=1e-6)


@both
@pytest.mark.parametrize("which", ["max", "min", "amax", "amin"])
def test_many_that_are_equal_share_the_adjoint_as_in_torch(which: str, library: str, dtype: str) -> None:
    x = make(library, dtype, np.ones(70_000))
    theirs = torch.ones(70_000, dtype=getattr(torch, dtype), requires_grad=True)
    getattr(x, which)().backward()
    getattr(theirs, which)().backward()
    assert x.grad[0].item() == pytest.approx(1 / 70_000, rel=4 * EPS[dtype], abs=2.0**-25)
    np.testing.assert_allclose(as_float64(x.grad), theirs.grad.double().numpy(), rtol=4 * EPS[dtype], atol=2.0**-25)


@both
def test_the_cross_entropy_of_many_rows_and_of_many_classes_is_torchs(library: str, dtype: str) -> None:
    for values in (TALL, WIDE):
        x, target = make(library, dtype, values), np.arange(len(values)) % 2
        theirs = torch.tensor(as_float64(x), requires_grad=True)
        loss = ad.nn.functional.cross_entropy(x, ad.tensor(target))
        loss.backward()
        right = torch.nn.functional.cross_entropy(theirs, torch.tensor(target))
        right.backward()
        assert loss.item() == pytest.approx(right.item(), rel=4 * EPS[dtype])
        np.testing.assert_allclose(as_float64(x.grad), theirs.grad.numpy(), rtol=16 * EPS[dtype], atol=2.0**-22)


@both
def test_products_of_matrices_add_up_in_float32_at_least(library: str, dtype: str) -> None:
    a, b = make(library, dtype, WIDE[:, :4000]), make(library, dtype, WIDE[:, :4000].T.copy())
    right = as_float64(a) @ as_float64(b)
    np.testing.assert_allclose(as_float64(a @ b), right, rtol=32 * 2.0**-23 + 4 * EPS[dtype] * (dtype != "float32"))


@both
def test_gradients_of_few_digits_are_clipped_by_their_true_norm(library: str, dtype: str) -> None:
    x = make(library, dtype, np.zeros(1000))
    x.grad = make(library, dtype, np.full(1000, 300.0), False)
    norm = ad.nn.utils.clip_grad_norm_([x], 1.0)
    assert float(norm) == pytest.approx(300 * math.sqrt(1000), rel=EPS[dtype])
    assert x.grad[0].item() == pytest.approx(1 / math.sqrt(1000), rel=4 * EPS[dtype])


def test_integers_and_booleans_are_added_up_as_before() -> None:
    for array in (np.ones((2000, 2), np.int32), np.ones((2000, 2), bool), np.ones((2000, 2), np.uint8)):
        theirs = torch.from_numpy(array).sum(0)
        ours = ad.tensor(array).sum(0)
        assert ours.tolist() == theirs.tolist() == [2000, 2000]
        assert str(ours.dtype) == str(theirs.dtype).removeprefix("torch.") or array.dtype == np.uint8


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(
    "name", ["mean over axis 0", "mean of a transposed tensor", "variance", "cumsum", "log_softmax"]
)
def test_compiled_code_is_as_exact(name: str, dtype: str) -> None:
    values, f = FUNCTIONS[name]
    x = make("numpy", dtype, values, False)
    np.testing.assert_allclose(
        as_float64(ad.compile(f)(x)), as_float64(f(ad.tensor(as_float64(x)))), rtol=8 * EPS[dtype], atol=1e-5
    )

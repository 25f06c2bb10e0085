"""Tensors against PyTorch: values, two orders of derivatives, dtypes and shapes, on both backends, case by case."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.ops import TABLE
from tests.peers import against_torch
from tests.peers.against_torch import (
    BACKENDS,
    COMPARED,
    Ours,
    assert_prints_the_same,
    assert_same,
    counted,
    tolerance_of,
    torch,
    values,
)

DTYPES = ("float64", "float32", "float16")
compare = functools.partial(against_torch.compare, "tensors")


# Elementwise: every row of the table that has a meaning for numbers

SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (2, 3), (2, 1, 3), (0,), (2, 0), (1, 4, 2, 2)]
PAIRS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((), ()),
    ((3,), ()),
    ((), (2, 3)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 3), (2, 1)),
    ((1, 3), (2, 1)),
    ((2, 3), (2, 3)),
    ((4, 1, 3), (2, 1)),
    ((2, 1, 1), (1, 2, 3)),
    ((0, 3), (3,)),
    ((0,), (1,)),
    ((2, 0), (2, 0)),
    ((1,), (1, 1)),
]
INFIX = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow}
UNARY = [op.name for op in TABLE.values() if op.on_numbers and op.arity == 1]
BINARY = [op.name for op in TABLE.values() if op.on_numbers and op.arity == 2]
POSITIVE = {"log", "sqrt", "pow", "div"}


def bounds(name: str) -> tuple[float, float]:
    return (0.3, 2.5) if name in POSITIVE else (-2.5, 2.5)


def fan_out(f: Callable[..., Any], uses: int) -> Callable[..., Any]:
    """A function in which the operands and the result of ``f`` are used ``uses`` times each."""
    if uses == 1:
        return f

    def several(m: Any, *xs: Any) -> Any:
        y = f(m, *xs)
        total = y * y
        for _ in range(uses - 2):
            total = total + y * f(m, *xs)
        return total

    return several


def operation(name: str) -> Callable[..., Any]:
    if name in INFIX:
        return lambda m, *xs: INFIX[name](*xs)
    return lambda m, *xs: getattr(m, name)(*xs)


# How the elements lie in memory: row by row, column by column, with gaps
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "rows": lambda array: array,
    "columns": np.asfortranarray,
    "gaps": lambda array: np.repeat(array, 2, -1)[..., ::2],
}


def layouts(*shapes: tuple[int, ...]) -> list[str]:
    """Those that make a difference for arrays of these shapes."""
    dims = max(map(len, shapes))
    return ["rows", *["gaps"] * (dims > 0), *["columns"] * (dims > 1)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", UNARY)
def test_an_operation_on_one_tensor_is_that_of_torch(name: str, backend: str) -> None:
    for dtype in DTYPES:
        for number, shape in enumerate(SHAPES):
            for layout in layouts(shape):
                for uses in (1, 2, 3, 5):
                    array = LAYOUTS[layout](values(shape, dtype, *bounds(name), seed=number))
                    what = f"{name} of {dtype}{shape} in {layout}, {uses} uses"
                    compare(fan_out(operation(name), uses), [array], backend, dtype == "float64" and uses < 3, what)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BINARY)
def test_an_operation_on_two_tensors_broadcasts_as_that_of_torch(name: str, backend: str) -> None:
    for dtype in DTYPES:
        for number, shapes in enumerate(PAIRS):
            for layout in layouts(*shapes):
                for uses in (1, 2, 3, 5):
                    arrays = [values(shape, dtype, *bounds(name), seed=number + i) for i, shape in enumerate(shapes)]
                    arrays = [LAYOUTS[layout](array) if array.ndim else array for array in arrays]
                    what = f"{name} of {dtype}{shapes} in {layout}, {uses} uses"
                    compare(fan_out(operation(name), uses), arrays, backend, dtype == "float64" and uses < 3, what)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", list(INFIX))
@pytest.mark.parametrize("number", [2, 3, 0.5, 1, 2.5])
def test_a_number_on_either_side_does_not_change_the_dtype(name: str, number: float, backend: str) -> None:
    infix = INFIX[name]
    for dtype in DTYPES:
        for seed, shape in enumerate(SHAPES):
            array, second = values(shape, dtype, 0.3, 2.5, seed), dtype == "float64"
            compare(lambda m, x: infix(x, number), [array], backend, second, f"{dtype}{shape} {name} {number}")
            compare(lambda m, x: infix(number, x), [array], backend, second, f"{number} {name} {dtype}{shape}")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", [*INFIX, "maximum"])
def test_operands_of_two_dtypes_meet_in_that_of_torch(name: str, backend: str) -> None:
    for first, second in itertools.permutations(DTYPES, 2):
        for number, shapes in enumerate(PAIRS):
            given = zip(shapes, (first, second), strict=True)
            arrays = [values(shape, dtype, 0.3, 2.5, number + i) for i, (shape, dtype) in enumerate(given)]
            compare(operation(name), arrays, backend, False, f"{name} of {first}{shapes[0]} and {second}{shapes[1]}")


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_dtype_of_a_result_is_that_of_torch_for_all_pairs_of_dtypes(backend: str) -> None:
    kinds = ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"]
    kinds += ["bfloat16"] * (backend == "torch")
    torch.set_default_dtype(torch.float64)  # what integers are divided in
    try:
        for (first, second), (m, n) in itertools.product(
            itertools.product(kinds, repeat=2), itertools.product((0, 1), repeat=2)
        ):
            a, b = torch.ones((2,) * m, dtype=getattr(torch, first)), torch.ones((2,) * n, dtype=getattr(torch, second))
            x, y = (ad.tensor(array if backend == "torch" else array.numpy()) for array in (a, b))
            for name in ("add", "mul", "div", "maximum"):
                what = f"{name} of {first} with {m} dimensions and {second} with {n}, on {backend}"
                COMPARED.append(f"tensors: {what}")
                wanted = operation(name)(torch, a, b)
                assert_same(operation(name)(ad, x, y), wanted, tolerance_of(wanted), what)
    finally:
        torch.set_default_dtype(torch.float32)


# Kinks and ties


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_special_values_give_what_they_give_in_torch(name: str, backend: str) -> None:
    special = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 800.0, -800.0, math.inf, -math.inf, math.nan])
    count = 1 if name in UNARY else 2
    arrays = list(np.meshgrid(special, special)) if count == 2 else [special]
    with np.errstate(all="ignore"):
        compare(operation(name), [np.ascontiguousarray(a) for a in arrays], backend, False, f"{name} of special values")


# Rows for arrays, and what is made of them

I = np.array([[2, 0], [2, 1]])  # noqa: E741
CASES: dict[str, tuple[Callable[..., Any], list[list[tuple[int, ...]]]]] = {
    "matmul": (
        lambda m, a, b: a @ b,
        [
            [(3,), (3,)],
            [(2, 3), (3,)],
            [(3,), (3, 2)],
            [(2, 3), (3, 4)],
            [(1, 1), (1, 1)],
            [(5, 2, 3), (3, 4)],
            [(2, 3), (5, 3, 4)],
            [(5, 2, 3), (5, 3, 4)],
            [(5, 1, 2, 3), (4, 3, 2)],
            [(1, 2, 3), (4, 3, 2)],
            [(3,), (5, 3, 2)],
            [(5, 2, 3), (3,)],
            [(0, 3), (3, 2)],
            [(2, 0), (0, 3)],
        ],
    ),
    "matmul by name": (lambda m, a, b: m.matmul(a, b), [[(2, 3), (3, 4)]]),
    "where": (
        lambda m, a, b: m.where(m.index(np.array([[True], [False]])), a, b),
        [[(2, 3), (2, 3)], [(3,), (2, 1)], [(), (1, 3)]],
    ),
    "where with a number": (
        lambda m, a: m.where(a > 0, a, 0.0) + m.where(a > 1, 2.0, a),
        [[(2, 3)], [()], [(0, 2)]],
    ),
    "clip": (lambda m, a: m.clip(a, -1.0, 1.5), [[(2, 3)], [()], [(0,)]]),
    "clamp one side": (lambda m, a: a.clamp(min=0.1) + a.clamp(max=0.3), [[(2, 3)], [()]]),
    "sum": (lambda m, a: a.sum(), [[()], [(3,)], [(2, 3)], [(0,)], [(2, 3, 4)]]),
    "sum dim": (lambda m, a: a.sum(dim=0), [[()], [(3,)], [(2, 3)], [(0, 2)], [(2, 3, 4)]]),
    "sum dims": (lambda m, a: a.sum(dim=(0, -1)), [[(2, 3)], [(2, 3, 4)], [(2, 0)]]),
    "sum keepdim": (lambda m, a: a.sum(dim=-1, keepdim=True), [[(3,)], [(2, 3)], [(2, 0)]]),
    "mean": (lambda m, a: a.mean(), [[()], [(3,)], [(2, 3)]]),
    "mean dims": (lambda m, a: a.mean((1, 0)), [[(2, 3)], [(2, 3, 2)]]),
    "mean keepdim": (lambda m, a: a.mean(1, keepdim=True), [[(2, 3)], [(0, 3)], [(2, 3, 2)]]),
    "max": (lambda m, a: a.max(), [[()], [(3,)], [(2, 3)]]),
    "min": (lambda m, a: a.min(), [[()], [(3,)], [(2, 3)]]),
    "max dim": (lambda m, a: a.max(dim=-1).values, [[(3,)], [(2, 3)], [(2, 3, 2)], [(0, 3)]]),
    "min dim keepdim": (lambda m, a: a.min(dim=0, keepdim=True)[0], [[(3,)], [(2, 3)], [(2, 3, 2)]]),
    "amax": (lambda m, a: m.amax(a, (0, -1)), [[(2, 3)], [(2, 3, 4)]]),
    "amin keepdim": (lambda m, a: m.amin(a, 1, keepdim=True), [[(2, 3)], [(2, 3, 4)]]),
    "var": (lambda m, a: a.var(), [[(3,)], [(2, 3)]]),
    "var dim": (lambda m, a: a.var(dim=1, keepdim=True, correction=0), [[(2, 3)], [(2, 3, 2)], [(2, 1)]]),
    "var unbiased": (lambda m, a: m.var(a, (0, 2), unbiased=True), [[(2, 3, 2)]]),
    "std": (lambda m, a: a.std(dim=-1), [[(2, 3)]]),
    "prod": (lambda m, a: a.prod(), [[()], [(3,)], [(2, 3)], [(0,)]]),
    "prod dim": (lambda m, a: m.prod(a, -1), [[(1,)], [(2, 3)], [(2, 5)], [(3, 0)], [(2, 3, 4)]]),
    "prod keepdim": (lambda m, a: a.prod(0, keepdim=True), [[(7,)], [(2, 3)]]),
    "prod with zeros": (lambda m, a: (a * (a > 0)).prod(-1), [[(4,)], [(3, 5)]]),
    "cumsum": (lambda m, a: a.cumsum(0), [[()], [(3,)], [(2, 3)], [(0, 2)]]),
    "cumsum dim": (lambda m, a: m.cumsum(a, dim=-1), [[(2, 3)], [(2, 3, 4)], [(2, 0)]]),
    "gelu by tanh": (lambda m, a: m.gelu(a, approximate="tanh"), [[()], [(2, 3)], [(0,)]]),
    "logsumexp": (lambda m, a: m.logsumexp(a, 0), [[(3,)], [(2, 3)], [()]]),
    "logsumexp dims": (lambda m, a: m.logsumexp(a, (0, 1), keepdim=True), [[(2, 3)], [(2, 3, 2)]]),
    "softmax": (lambda m, a: m.softmax(a, -1), [[(3,)], [(2, 3)], [(2, 3, 2)], [(0, 3)]]),
    "softmax first": (lambda m, a: a.softmax(0), [[(3,)], [(2, 3)]]),
    "log_softmax": (lambda m, a: m.log_softmax(a, dim=1), [[(2, 3)], [(2, 3, 2)], [(0, 3)]]),
    "cross_entropy": (lambda m, a: m.cross_entropy(a, m.index([2, 0, 0])), [[(3, 4)], [(3, 3)]]),
    "cross_entropy of one": (lambda m, a: m.cross_entropy(a, m.index(2)), [[(4,)]]),
    "cross_entropy of images": (
        lambda m, a: m.cross_entropy(a, m.index([[[0, 2], [1, 1]], [[2, 2], [0, -100]]]), reduction="sum"),
        [[(2, 3, 2, 2)]],
    ),
    "cross_entropy, each": (lambda m, a: m.cross_entropy(a, m.index([2, 0, -100]), reduction="none"), [[(3, 4)]]),
    "cross_entropy with weights": (
        lambda m, a, w: m.cross_entropy(a, m.index([2, 0, 1]), weight=w.detach(), ignore_index=1, label_smoothing=0.2),
        [[(3, 4), (4,)]],
    ),
    "cross_entropy with probabilities": (
        lambda m, a, p: m.cross_entropy(a, m.softmax(p, 1), label_smoothing=0.1),
        [[(3, 4), (3, 4)], [(2, 3, 2), (2, 3, 2)]],
    ),
    "nll_loss": (lambda m, a: m.nll_loss(m.log_softmax(a, 1), m.index([2, 0, 2])), [[(3, 4)]]),
    "mse_loss": (lambda m, a, b: m.mse_loss(a, b), [[(3, 4), (3, 4)], [(2,), (2,)]]),
    "reshape": (lambda m, a: a.reshape(3, -1), [[(2, 3)], [(3,)], [(3, 2, 2)]]),
    "reshape to no dimension": (lambda m, a: a.reshape(()), [[(1,)], [(1, 1)]]),
    "reshape empty": (lambda m, a: m.reshape(a, (0, 3)), [[(0,)], [(2, 0)]]),
    "flatten": (lambda m, a: a.flatten(1), [[(2, 3, 2)], [(2, 3)]]),
    "permute": (lambda m, a: a.permute(2, 0, 1) if a.ndim == 3 else a.permute(1, 0), [[(2, 3, 4)], [(2, 3)], [(0, 2)]]),
    "transpose": (lambda m, a: a.transpose(0, -1), [[(2, 3)], [(2, 3, 4)], [(3,)]]),
    "T and mT": (lambda m, a: a.T @ a + a.mT @ a, [[(2, 3)]]),
    "expand": (lambda m, a: a.expand(2, -1, 3), [[(4, 1)], [(1, 4, 1)], [(4, 3)]]),
    "squeeze": (lambda m, a: a.squeeze(), [[(1, 3, 1)], [(2,)], [(1,)]]),
    "squeeze dim": (lambda m, a: a.squeeze(0), [[(1, 3)], [(2, 1)]]),
    "unsqueeze": (lambda m, a: a.unsqueeze(-1) * a.unsqueeze(0), [[(3,)], [(2, 2)]]),
    "cat": (lambda m, a, b: m.cat([a, b, a], dim=-1), [[(2, 3), (2, 1)], [(3,), (2,)], [(2, 0), (2, 2)]]),
    "concatenate": (lambda m, a, b: m.concatenate((a, b), 0), [[(2, 3), (1, 3)]]),
    "stack": (lambda m, a, b: m.stack([a, b, a * b], dim=1), [[(2, 3), (2, 3)], [(3,), (3,)]]),
    "stack of scalars": (lambda m, a, b: m.stack([a, b, a]), [[(), ()]]),
    "split": (lambda m, a: a.split(2, dim=-1), [[(5,)], [(2, 4)], [(3, 5)]]),
    "split sections": (lambda m, a: m.split(a, [1, 0, 2], 1)[::2], [[(2, 3)]]),
    "chunk": (lambda m, a: a.chunk(2), [[(5,)], [(4, 2)]]),
    "unbind": (lambda m, a: a.unbind(), [[(3,)], [(2, 3)], [(0, 2)]]),
    "unbind dim": (lambda m, a: m.unbind(a, -1)[1:], [[(3,)], [(2, 3)]]),
    "some parts of a split": (lambda m, a: a.split([1, 2, 1, 1], -1)[1:3], [[(5,)], [(2, 5)]]),
    "a part of a part": (lambda m, a: sum(b * b for b in a.split(2)[0].unbind()), [[(5,)], [(3, 2)]]),
    "pad": (lambda m, a: m.pad(a, (1, 2)), [[(3,)], [(2, 3)], [(2, 0)]]),
    "pad two": (lambda m, a: m.pad(a, (0, 1, 2, 0), value=0.5), [[(2, 3)], [(2, 2, 3)]]),
    "index": (lambda m, a: a[1], [[(3,)], [(2, 3)], [(2, 3, 2)]]),
    "index negative": (lambda m, a: a[-1, 0], [[(2, 3)], [(2, 3, 2)]]),
    "slice": (lambda m, a: a[1:, ::2], [[(2, 3)], [(3, 4, 2)], [(1, 3)]]),
    "ellipsis and None": (lambda m, a: a[..., None, 0] * a[None, ..., :1].sum(), [[(2, 3)], [(3,)]]),
    "integer index": (lambda m, a: a[m.index([2, 0, 2, -1])], [[(3,)], [(3, 2)]]),
    "integer index list": (lambda m, a: a[[0, 0, 1]], [[(3,)], [(2, 2)]]),
    "integer index matrix": (lambda m, a: a[m.index(I)], [[(3,)], [(3, 2)]]),
    "two integer indices": (lambda m, a: a[m.index([0, 1, 0]), m.index([2, 2, 2])], [[(2, 3)], [(2, 3, 2)]]),
    "mixed index": (lambda m, a: a[:, m.index([1, 1, 0])], [[(2, 3)], [(3, 2, 2)]]),
    "mixed index at the end": (lambda m, a: a[1:, m.index([1, 1])], [[(2, 3)], [(3, 2, 2)]]),
    "boolean index": (lambda m, a: a[a > 0], [[(3,)], [(2, 3)], [(0,)]]),
    "boolean row index": (lambda m, a: a[m.index([True, False, True])], [[(3,)], [(3, 2)]]),
    "boolean index and a slice": (lambda m, a: a[m.index([True, False, True]), 1:], [[(3, 2)], [(3, 4, 2)]]),
    "boolean index after a slice": (lambda m, a: a[:, m.index([True, False, True])], [[(2, 3)], [(2, 3, 2)]]),
    "boolean and integer index": (
        lambda m, a: a[m.index([True, True, False]), m.index([1, 0])],
        [[(3, 2)], [(3, 2, 2)]],
    ),
    "integer indices apart": (lambda m, a: a[m.index([0, 1, 1]), :, m.index([1, 1, 1])], [[(2, 3, 2)]]),
    "integer indices that broadcast": (
        lambda m, a: a[m.index([[0], [1]]), m.index([0, 1, 1])],
        [[(2, 3)], [(2, 2, 2)]],
    ),
    "integer index and None": (lambda m, a: a[None, m.index([1, 0, 1]), ..., None], [[(2, 3)], [(2,)]]),
    "a number and an integer index": (lambda m, a: a[1, m.index([1, 0, 1])], [[(2, 3)], [(2, 3, 2)]]),
    "no index": (lambda m, a: a[()] * a[...], [[()], [(2,)]]),
    "empty index": (lambda m, a: a[m.index(np.zeros(0, int))], [[(3,)], [(2, 2)]]),
    "gather": (lambda m, a: m.gather(a, 1, m.index([[0, 0, 1], [2, 1, 1]])), [[(2, 3)], [(3, 4)]]),
    "index_select": (lambda m, a: m.index_select(a, 1, m.index([1, 1, 0])), [[(2, 3)], [(2, 2, 2)]]),
    "embedding": (lambda m, a: m.embedding(m.index(I), a), [[(3, 2)], [(4, 3)]]),
    "layer_norm": (
        lambda m, a, w, b: m.layer_norm(a, (4,), w, b),
        [[(2, 4), (4,), (4,)], [(2, 3, 4), (4,), (4,)], [(4,), (4,), (4,)]],
    ),
    "layer_norm two": (lambda m, a: m.layer_norm(a, (3, 4), eps=1e-3), [[(2, 3, 4)]]),
    "linear": (lambda m, a, w, b: m.linear(a, w, b), [[(2, 3), (4, 3), (4,)], [(2, 5, 3), (4, 3), (4,)]]),
    "conv2d": (
        lambda m, a, w, b: m.conv2d(a, w, b),
        [[(2, 3, 5, 5), (4, 3, 3, 3), (4,)], [(1, 1, 3, 4), (1, 1, 2, 1), (1,)]],
    ),
    "conv2d with stride and padding": (
        lambda m, a, w: m.conv2d(a, w, stride=(2, 1), padding=(1, 2)),
        [[(2, 2, 5, 4), (3, 2, 3, 2)], [(1, 1, 2, 2), (1, 1, 2, 2)]],
    ),
    "conv2d with groups and dilation": (
        lambda m, a, w, b: m.conv2d(a, w, b, dilation=(1, 2), groups=2, padding="same"),
        [[(2, 4, 5, 6), (6, 2, 3, 2), (6,)]],
    ),
    "conv2d of one image": (lambda m, a, w: m.conv2d(a, w, padding="valid"), [[(2, 4, 3), (3, 2, 2, 2)]]),
    "max_pool2d with dilation": (lambda m, a: m.max_pool2d(a, 2, 1, dilation=2), [[(1, 2, 4, 5)]]),
    "max_pool2d": (lambda m, a: m.max_pool2d(a, 2), [[(2, 3, 4, 4)], [(1, 1, 5, 3)]]),
    "max_pool2d overlapping": (lambda m, a: m.max_pool2d(a, 3, stride=1, padding=1), [[(1, 2, 4, 4)]]),
    "avg_pool2d": (lambda m, a: m.avg_pool2d(a, 2), [[(2, 3, 4, 4)]]),
    "to float32": (lambda m, a: a.to(m.float32) * 2, [[(2, 3)], [()]]),
    "to float64": (lambda m, a: a.double().exp(), [[(2, 3)], [()]]),
    "clone and detach": (lambda m, a: a.clone() * a.detach(), [[(2, 3)]]),
    "attention": (
        lambda m, q, k: m.softmax(q @ k.transpose(-2, -1) / 2, -1) @ k,
        [[(2, 3, 4), (2, 3, 4)], [(1, 2, 3, 4), (5, 2, 3, 4)]],
    ),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CASES)
def test_a_function_of_tensors_is_that_of_torch(name: str, backend: str) -> None:
    f, shapes = CASES[name]
    for dtype in DTYPES:
        if name == "to float32" and dtype == "float64":
            continue  # rounding
        for number, given_shapes in enumerate(shapes):
            for layout in layouts(*given_shapes):
                arrays = [values(shape, dtype, -2.0, 2.0, number * 5 + i) for i, shape in enumerate(given_shapes)]
                arrays = [LAYOUTS[layout](array) if array.ndim else array for array in arrays]
                for uses in (1, 3):
                    several = uses > 1 and not isinstance(f(Ours("numpy"), *map(ad.tensor, arrays)), (list, tuple))
                    what = f"{name} of {dtype}{given_shapes} in {layout}, {uses} uses"
                    compare(fan_out(f, uses) if several else f, arrays, backend, dtype == "float64" and uses == 1, what)


@pytest.mark.parametrize("backend", BACKENDS)
def test_ties_are_shared_as_in_torch(backend: str) -> None:
    tied = np.array([[1.0, 2.0, 2.0], [2.0, 0.0, 1.0]])
    for f in (
        lambda m, a: a.max(),
        lambda m, a: a.min(),
        lambda m, a: m.amax(a, 1),
        lambda m, a: m.amin(a, 0),
        lambda m, a: a.max(dim=0).values,
        lambda m, a: m.clip(a, 1.0, 2.0),
        lambda m, a: m.maximum(a, a.detach()),
        lambda m, a: m.relu(a - 1),
    ):
        compare(f, [tied], backend, True, "ties")


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_expansion_that_changes_nothing_passes_its_whole_adjoint_on(backend: str) -> None:
    compare(lambda m, a: (a.expand(a.shape) ** 2).sum(), [np.array([[1.0, 2.0]])], backend, True, "expand to itself")


# Shapes, dtypes and places on torch's meta device, which computes nothing


def test_shapes_and_places_on_the_meta_device() -> None:
    x = ad.tensor(torch.empty(4, 3, device="meta"), requires_grad=True)
    w = ad.tensor(torch.empty(3, 2, device="meta"), requires_grad=True)
    loss = ((x @ w).relu().softmax(-1).log() + 1).mean()
    loss.backward()
    assert (loss.shape, str(loss.device)) == ((), "meta")
    assert (x.grad.shape, str(w.grad.device), w.grad.dtype) == ((4, 3), "meta", torch.float32)


def test_a_tensor_moves_to_a_device_and_its_adjoint_moves_back() -> None:
    for x in (
        ad.tensor(np.ones((2, 3), "float32"), requires_grad=True),
        ad.tensor(torch.ones(2, 3), requires_grad=True),
    ):
        y = x.to("meta")
        assert (str(y.device), y.shape, y.dtype) == ("meta", (2, 3), torch.float32)
    x = ad.tensor(np.ones((2, 3)), requires_grad=True)
    y = ad.tensor(x, device="cpu")
    assert y.requires_grad is False and type(y.data) is np.ndarray


# One snippet, two imports

SNIPPETS = {
    "training": """
x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
t = torch.tensor([0, 1, 1, 0])
w1 = torch.tensor([[1.0, -0.5, 0.3], [0.7, 0.9, -1.1]], dtype=torch.float64, requires_grad=True)
b1 = torch.tensor([0.1, -0.2, 0.3], dtype=torch.float64, requires_grad=True)
w2 = torch.tensor([[0.5, -0.5], [-0.6, 0.4], [0.2, 0.8]], dtype=torch.float64, requires_grad=True)
for step in range(40):
    h = torch.tanh(x @ w1 + b1)
    y = torch.log_softmax(h @ w2, dim=1)
    loss = -y[torch.tensor([0, 1, 2, 3]), t].mean()
    for p in (w1, b1, w2):
        p.grad = None
    loss.backward()
    with torch.no_grad():
        for p in (w1, b1, w2):
            p -= 0.5 * p.grad
print(round(loss.item(), 9), [round(v, 9) for v in b1.tolist()], w1.is_leaf, w1.grad.shape == w1.shape)
""",
    "accumulation, hooks and retained gradients": """
x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
seen = []
y = x * 2
y.retain_grad()
y.register_hook(lambda g: seen.append(g.tolist()))
y.register_hook(lambda g: g * 10)
y.sum().backward(retain_graph=True)
y.backward(gradient=torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64))
print(x.grad.tolist(), y.grad.tolist(), seen)
""",
    "modes": """
x = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():
    a = x * 2
with torch.inference_mode():
    c = x * 2
print(a.requires_grad, c.is_inference(), (x.detach() * 2).requires_grad, x[0].item(), len(x), x.sum(axis=0).item())
""",
    "second derivative": """
x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
(h,) = torch.autograd.grad(g.sum(), x)
print(g.tolist(), h.tolist())
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_prints_the_same_with_only_its_import_changed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_prints_the_same(SNIPPETS[name], capsys)


def test_as_many_cases_were_compared_as_promised() -> None:
    counted("tensors")

"""Tensors against PyTorch: values, two orders of derivatives, dtypes and shapes, on both backends, case by case."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_lab as ad
from autodiff_lab.engine.ops import TABLE

torch = pytest.importorskip("torch")

BACKENDS = ("numpy", "torch")
DTYPES = ("float64", "float32")
TOLERANCE = {"float64": 1e-9, "float32": 2e-4}


COMPARED: list[str] = []  # every case, by name


class Torch:
    """PyTorch's functions, wherever they are."""

    def __getattr__(self, name: str) -> Any:
        return (
            getattr(torch, name) if hasattr(torch, name) and name != "dropout" else getattr(torch.nn.functional, name)
        )


T = Torch()
T.pad = torch.nn.functional.pad  # type: ignore[attr-defined]
T.embedding = torch.nn.functional.embedding  # type: ignore[attr-defined]
T.layer_norm = torch.nn.functional.layer_norm  # type: ignore[attr-defined]
T.index = lambda array: torch.as_tensor(np.asarray(array))  # type: ignore[attr-defined]


class Ours:
    """Our functions; whole numbers and booleans become arrays of the backend."""

    def __init__(self, backend: str) -> None:
        self.backend = backend

    def index(self, array: Any) -> Any:
        array = np.asarray(array)
        return ad.tensor(array if self.backend == "numpy" else torch.from_numpy(array.copy()))

    def __getattr__(self, name: str) -> Any:
        return getattr(ad, name)


def leaf(values: Any, backend: str, requires_grad: bool = True) -> Any:
    values = values.copy()
    if backend == "theirs":
        return torch.from_numpy(values).requires_grad_(requires_grad)
    return ad.tensor(values if backend == "numpy" else torch.from_numpy(values), requires_grad=requires_grad)


def plain(x: Any) -> Any:
    return np.asarray(x.detach().cpu() if torch.is_tensor(x) else x.detach().__array__())


def assert_same(ours: Any, theirs: Any, tolerance: float, what: str) -> None:
    assert str(ours.dtype).rpartition(".")[2] == str(theirs.dtype).rpartition(".")[2], f"{what}: the dtypes differ"
    a, b = plain(ours), plain(theirs)
    assert a.shape == b.shape, f"{what}: the shapes differ, {a.shape} and {b.shape}"
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance, err_msg=what)


def outputs(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (list, tuple)) else [result]


def compare(f: Callable[..., Any], arrays: list[Any], backend: str, second: bool, what: str) -> None:
    """Values, adjoints, and the derivatives of a weighted sum of squares of the adjoints."""
    COMPARED.append(what)
    dtype = str(arrays[0].dtype)
    rng = np.random.default_rng(7)
    sides = []
    for module, kind in ((Ours(backend), backend), (T, "theirs")):
        leaves = [leaf(array, kind) for array in arrays]
        sides.append((leaves, [y for y in outputs(f(module, *leaves)) if y.requires_grad]))
    (xs, ys), (ws, zs) = sides
    assert len(ys) == len(zs), what
    seeds = [rng.uniform(-1, 1, tuple(z.shape)).astype(dtype) for z in zs]
    ours_seeds = [leaf(np.asarray(seed), backend, False) for seed in seeds]
    their_seeds = [torch.from_numpy(np.asarray(seed).copy()) for seed in seeds]
    for i, (y, z) in enumerate(zip(ys, zs, strict=True)):
        assert_same(y, z, TOLERANCE[dtype], f"{what}, value of output {i}")
    if not ys:
        return
    first = ad.autograd.grad(ys, xs, ours_seeds, create_graph=second, allow_unused=True)
    wanted = torch.autograd.grad(zs, ws, their_seeds, create_graph=second, allow_unused=True)
    for i, (g, h) in enumerate(zip(first, wanted, strict=True)):
        assert (g is None) == (h is None), f"{what}: input {i}"
        if g is not None:
            assert_same(g, h, TOLERANCE[dtype], f"{what}, adjoint of input {i}")
    if not second:
        return
    ours_total = sum(((g * g).sum() for g in first if g is not None and g.requires_grad), start=0.0)
    total = sum(((h * h).sum() for h in wanted if h is not None and h.requires_grad), start=0.0)
    if isinstance(total, float) or isinstance(ours_total, float):
        return
    again = ad.autograd.grad(ours_total, xs, allow_unused=True)
    expected = torch.autograd.grad(total, ws, allow_unused=True)
    for i, (g, h) in enumerate(zip(again, expected, strict=True)):
        if g is None or h is None:  # where a derivative vanishes, one of them may not have a graph at all
            assert all(other is None or not plain(other).any() for other in (g, h)), f"{what}, second order, input {i}"
        else:
            assert_same(g, h, 1e-7, f"{what}, second order, input {i}")


def values(shape: tuple[int, ...], dtype: str, low: float, high: float, seed: int) -> Any:
    """Numbers of which no two are as near to each other as a kink would need."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(low, high, shape)).astype(dtype)


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


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", UNARY)
def test_an_operation_on_one_tensor_is_that_of_torch(name: str, backend: str) -> None:
    for dtype in DTYPES:
        for number, shape in enumerate(SHAPES):
            for uses in (1, 2, 3):
                array = values(shape, dtype, *bounds(name), seed=number)
                what = f"{name} of {dtype}{shape}, {uses} uses"
                compare(fan_out(operation(name), uses), [array], backend, dtype == "float64" and uses == 1, what)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BINARY)
def test_an_operation_on_two_tensors_broadcasts_as_that_of_torch(name: str, backend: str) -> None:
    for dtype in DTYPES:
        for number, shapes in enumerate(PAIRS):
            for uses in (1, 2, 3):
                arrays = [values(s, dtype, *bounds(name), seed=number + i) for i, s in enumerate(shapes)]
                what = f"{name} of {dtype}{shapes}, {uses} uses"
                compare(fan_out(operation(name), uses), arrays, backend, dtype == "float64" and uses == 1, what)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", list(INFIX))
@pytest.mark.parametrize("number", [2, 3, 0.5, 1, 2.5])
def test_a_number_on_either_side_does_not_change_the_dtype(name: str, number: float, backend: str) -> None:
    infix = INFIX[name]
    for dtype in DTYPES:
        for seed, shape in enumerate(SHAPES):
            array = values(shape, dtype, 0.3, 2.5, seed)
            compare(
                lambda m, x: infix(x, number), [array], backend, dtype == "float64", f"{dtype}{shape} {name} number"
            )
            compare(
                lambda m, x: infix(number, x), [array], backend, dtype == "float64", f"number {name} {dtype}{shape}"
            )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", list(INFIX))
def test_operands_of_two_dtypes_meet_in_that_of_torch(name: str, backend: str) -> None:
    for first, second in (("float32", "float64"), ("float64", "float32")):
        for number, shapes in enumerate(PAIRS):
            arrays = [
                values(shape, dtype, 0.3, 2.5, number + i)
                for i, (shape, dtype) in enumerate(zip(shapes, (first, second), strict=True))
            ]
            xs, ws = [leaf(a, backend) for a in arrays], [leaf(a, "theirs") for a in arrays]
            y, z = INFIX[name](*xs), INFIX[name](*ws)
            assert_same(y, z, 2e-4, f"{name} of {first}{shapes[0]} and {second}{shapes[1]}")
            y.sum().backward()
            z.sum().backward()
            for x, w in zip(xs, ws, strict=True):
                assert_same(x.grad, w.grad, 2e-4, f"{name}, adjoint")


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
    "logsumexp": (lambda m, a: m.logsumexp(a, 0), [[(3,)], [(2, 3)], [()]]),
    "logsumexp dims": (lambda m, a: m.logsumexp(a, (0, 1), keepdim=True), [[(2, 3)], [(2, 3, 2)]]),
    "softmax": (lambda m, a: m.softmax(a, -1), [[(3,)], [(2, 3)], [(2, 3, 2)], [(0, 3)]]),
    "softmax first": (lambda m, a: a.softmax(0), [[(3,)], [(2, 3)]]),
    "log_softmax": (lambda m, a: m.log_softmax(a, dim=1), [[(2, 3)], [(2, 3, 2)], [(0, 3)]]),
    "cross_entropy": (lambda m, a: m.cross_entropy(a, m.index([2, 0, 0])), [[(3, 4)], [(3, 3)]]),
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
            arrays = [values(shape, dtype, -2.0, 2.0, number * 5 + i) for i, shape in enumerate(given_shapes)]
            for uses in (1, 3):
                g = f if uses == 1 or name in ("split", "split sections", "chunk") else fan_out(f, uses)
                what = f"{name} of {dtype}{given_shapes}, {uses} uses"
                compare(g, arrays, backend, dtype == "float64" and uses == 1, what)


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


# Random graphs

STEP = st.tuples(st.integers(0, 13), st.integers(0, 7), st.integers(0, 7), st.integers(0, 3))
GRAPH = st.tuples(st.integers(1, 3), st.integers(1, 3), st.lists(STEP, min_size=5, max_size=40), st.integers(0, 99))


def build(m: Any, leaves: list[Any], steps: list[Any]) -> Any:
    """A graph over matrices of one shape and what broadcasts to it; operands come from the last eight nodes."""
    nodes = list(leaves)
    for kind, i, j, k in steps:
        a, b = nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]
        n = [
            lambda a, b, k: a + b,
            lambda a, b, k: a * b,
            lambda a, b, k: a - b * (k + 0.5),
            lambda a, b, k: a.tanh() / (1.5 + b * b),
            lambda a, b, k: m.sigmoid(a) ** 2,
            lambda a, b, k: m.maximum(a, b + k * 0.3),
            lambda a, b, k: a.mT @ a @ b.mT if a.shape == b.shape else a @ a.mT,
            lambda a, b, k: m.softmax(a, k % 2),
            lambda a, b, k: a - a.mean(k % 2, keepdim=True),
            lambda a, b, k: m.cat([a, b.expand(a.shape)], k % 2)[: a.shape[0], : a.shape[1]],
            lambda a, b, k: m.where(a > b, a, b.sin()),
            lambda a, b, k: a[m.index([0, -1, 0])].sum(0, keepdim=True) + b * 0.5,
            lambda a, b, k: a.reshape(-1).reshape(a.shape).cos(),
            lambda a, b, k: m.logsumexp(a, k % 2, keepdim=True) + b,
        ][kind](a, b, k)
        if n.shape != leaves[0].shape:
            n = n.sum() + leaves[0] * 0
        nodes.append(n.tanh() if k == 3 else n / (1 + (n.detach() ** 2).mean()))
    return sum(node.sum() for node in nodes[len(leaves) :])


@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(GRAPH)
def test_gradients_of_random_graphs_equal_those_of_torch(graph: Any) -> None:
    rows, columns, steps, seed = graph
    backend = BACKENDS[seed % 2]
    arrays = [values((rows, columns), "float64", -1, 1, seed), values((rows, columns), "float64", -1, 1, seed + 1)]
    compare(lambda m, *xs: build(m, list(xs), steps), arrays, backend, seed % 4 < 2 and len(steps) < 20, "a graph")


def test_jacobians_and_hessians_are_those_of_torch() -> None:
    from torch.autograd.functional import hessian, jacobian

    def f(m: Any, a: Any, b: Any) -> Any:
        return (a @ b).tanh()

    def g(m: Any, a: Any, b: Any) -> Any:
        return ((a @ b) ** 3).sum()

    arrays = [values((2, 3), "float64", -1, 1, 0), values((3, 2), "float64", -1, 1, 1)]
    tensors = tuple(torch.from_numpy(a) for a in arrays)
    ours, theirs = ad.jacobian(lambda a, b: f(ad, a, b), *arrays)[0], jacobian(lambda a, b: f(T, a, b), tensors)
    for x, w in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(x, w.numpy(), rtol=1e-9, atol=1e-12)
    for row, expected in zip(
        ad.hessian(lambda a, b: g(ad, a, b), *arrays), hessian(lambda a, b: g(T, a, b), tensors), strict=True
    ):
        for x, w in zip(row, expected, strict=True):
            np.testing.assert_allclose(x, w.numpy(), rtol=1e-9, atol=1e-12)
    alone = ad.hessian(lambda a: (a**3).sum(), arrays[0])
    np.testing.assert_allclose(alone, hessian(lambda a: (a**3).sum(), tensors[0]).numpy(), rtol=1e-9)


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


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_model_on_two_devices_has_its_gradients_where_its_parameters_are() -> None:
    w = ad.tensor(np.full((3, 3), 0.5), requires_grad=True)
    v = ad.tensor(torch.full((3, 3), 0.25, dtype=torch.float64), requires_grad=True, device="cuda")
    loss = ((w @ w).to("cuda") @ v).tanh().sum()
    loss.backward()
    assert type(w.grad.data) is np.ndarray and str(v.grad.device).startswith("cuda")
    again = ad.tensor(np.full((3, 3), 0.5), requires_grad=True)
    (((again @ again) @ ad.tensor(np.full((3, 3), 0.25))).tanh().sum()).backward()
    np.testing.assert_allclose(w.grad.data, again.grad.data, rtol=1e-9)


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
    printed = []
    for module in ("torch", "autodiff_lab as torch"):
        exec(f"import {module}\n{SNIPPETS[name]}", {})
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]

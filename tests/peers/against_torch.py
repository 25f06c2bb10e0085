"""Holds a computation of ours beside the same of PyTorch: values, two orders of derivatives, dtypes and shapes.

`COMPARED` lists every case by name. Each file asserts how many it compared, and the numbers add up to `IN_ALL`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad

torch = pytest.importorskip("torch")

BACKENDS = ("numpy", "torch")
TOLERANCE = {"float64": 1e-10, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}
SECOND_ORDER = 1e-8  # in float64: the derivatives are sums of products of what was rounded before

COMPARED: list[str] = []
AT_LEAST = {"tensors": 10_000, "op_db": 19_500, "graphs": 1_100}
IN_ALL = 30_000


def counted(part: str) -> None:
    """Fail unless as many cases of a part were compared as `AT_LEAST` promises."""
    found = sum(name.startswith(f"{part}: ") for name in COMPARED)
    assert found >= AT_LEAST[part] and sum(AT_LEAST.values()) >= IN_ALL, f"{part}: {found} cases were compared"


class Torch:
    """PyTorch's functions, wherever they are."""

    FUNCTIONAL = ("pad", "embedding", "layer_norm", "dropout", "max_pool2d", "conv2d")  # torch has others of this name

    def __getattr__(self, name: str) -> Any:
        if name in self.FUNCTIONAL or not hasattr(torch, name):
            return getattr(torch.nn.functional, name)
        return getattr(torch, name)

    def index(self, array: Any) -> Any:
        """Whole numbers or booleans."""
        return torch.as_tensor(np.asarray(array))


class Ours:
    """Our functions, on arrays of one backend."""

    def __init__(self, backend: str) -> None:
        self.backend = backend

    def index(self, array: Any) -> Any:
        """Whole numbers or booleans."""
        array = np.asarray(array)
        return ad.tensor(array if self.backend == "numpy" else torch.from_numpy(array.copy()))

    def __getattr__(self, name: str) -> Any:
        return getattr(ad, name)


T = Torch()


def leaf(values: Any, backend: str, requires_grad: bool = True) -> Any:
    """An array as a leaf of ours over a NumPy or a torch array, or with "theirs" of torch's; over the same memory."""
    if backend == "numpy":
        return ad.tensor(values, requires_grad=requires_grad)
    array = torch.from_numpy(values)
    return array.requires_grad_(requires_grad) if backend == "theirs" else ad.tensor(array, requires_grad=requires_grad)


def plain(x: Any) -> Any:
    """The elements of a tensor of either side as a NumPy array."""
    array = x.data
    if not torch.is_tensor(array):
        return np.asarray(array)
    return (array.float() if array.dtype is torch.bfloat16 else array).numpy(force=True)


def assert_same(ours: Any, theirs: Any, tolerance: float, what: str) -> None:
    """Dtypes and shapes equal, elements too up to ``tolerance``; nan is equal to nan.

    What differs less than that from a number, or from 0 if the number is less than 1, is equal. In 16 bits a sum keeps
    the error of its greatest term, so that the greatest element counts.
    """
    dtype, wanted = str(ours.dtype).rpartition(".")[2], str(theirs.dtype).rpartition(".")[2]
    assert dtype == wanted, f"{what}: the dtype is {dtype}, in torch {wanted}"
    a, b = plain(ours), plain(theirs)
    assert a.shape == b.shape, f"{what}: the shape is {a.shape}, in torch {b.shape}"
    if b.dtype.kind != "f":
        np.testing.assert_array_equal(a, b, err_msg=what)
        return
    least = tolerance
    if tolerance >= TOLERANCE["float16"] and b.size:
        least *= 1 + np.abs(b, dtype="float64").max(where=np.isfinite(b), initial=0.0)
    if not (np.abs(a - b) <= least + tolerance * np.abs(b)).all():  # also if there are nan or inf
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=least, err_msg=what)


def outputs(result: Any) -> list[Any]:
    """The tensors that a function returned, one or several."""
    return list(result) if isinstance(result, (list, tuple)) else [result]


def compare(part: str, f: Callable[..., Any], arrays: Sequence[Any], backend: str, second: bool, what: str) -> None:
    """``f(functions, *tensors)`` on both sides, with all ``arrays`` as leaves."""
    ours = [leaf(array, backend) for array in arrays]
    theirs = [leaf(array, "theirs") for array in arrays]
    compare_results(part, ours, theirs, f(Ours(backend), *ours), f(T, *theirs), second, f"{what} on {backend}")


def compare_results(
    part: str, ours: list[Any], theirs: list[Any], result: Any, wanted: Any, second: bool, what: str
) -> None:
    """Results computed from leaves: values, adjoints, and with ``second`` the derivatives of a function of those."""
    COMPARED.append(f"{part}: {what}")
    ys, zs = outputs(result), outputs(wanted)
    assert len(ys) == len(zs), f"{what}: {len(ys)} results, in torch {len(zs)}"
    for i, (y, z) in enumerate(zip(ys, zs, strict=True)):
        assert_same(y, z, tolerance_of(z, *theirs), f"{what}, value {i}")
    assert [y.requires_grad for y in ys] == [z.requires_grad for z in zs], f"{what}: requires_grad"
    ys, zs = [y for y in ys if y.requires_grad], [z for z in zs if z.requires_grad]
    if not ys:
        return
    rng = np.random.default_rng(7)
    seeds = [torch.from_numpy(rng.uniform(0.5, 1.5, tuple(z.shape))).to(z.dtype) for z in zs]
    given = [ad.tensor(seed if y._backend.name == "torch" else seed.numpy()) for y, seed in zip(ys, seeds, strict=True)]
    first = ad.autograd.grad(ys, ours, given, create_graph=second, allow_unused=True)
    expected = torch.autograd.grad(zs, theirs, seeds, create_graph=second, allow_unused=True)
    for i, (g, h) in enumerate(zip(first, expected, strict=True)):
        assert (g is None) == (h is None), f"{what}, adjoint of input {i}: {g} and {h}"
        if g is not None:
            assert_same(g, h, tolerance_of(h, *theirs), f"{what}, adjoint of input {i}")
    if second:
        compare_second(ours, theirs, first, expected, what)


def compare_second(ours: list[Any], theirs: list[Any], first: Any, expected: Any, what: str) -> None:
    """The derivatives of the sum of squares of the adjoints."""
    total = sum(((g * g).sum() for g in first if g is not None and g.requires_grad), start=0.0)
    wanted = sum(((h * h).sum() for h in expected if h is not None and h.requires_grad), start=0.0)
    again = [None] * len(ours) if isinstance(total, float) else ad.autograd.grad(total, ours, allow_unused=True)
    theirs_again = (
        [None] * len(ours) if isinstance(wanted, float) else torch.autograd.grad(wanted, theirs, allow_unused=True)
    )
    for i, (g, h) in enumerate(zip(again, theirs_again, strict=True)):
        if g is None or h is None:  # where a derivative vanishes, one of them may not have a graph at all
            left = g if h is None else h
            rest = 0.0 if left is None else np.abs(plain(left)).max(initial=0.0)
            assert rest <= SECOND_ORDER, f"{what}, second order, input {i}: {g} and {h}"
        else:
            assert_same(g, h, SECOND_ORDER, f"{what}, second order, input {i}")


def tolerance_of(*tensors: Any) -> float:
    """What rounding may make of a result: that of the coarsest dtype among it and what it was computed from."""
    return max(TOLERANCE.get(str(x.dtype).rpartition(".")[2], 0.0) for x in tensors)


def values(shape: tuple[int, ...], dtype: str, low: float, high: float, seed: int) -> Any:
    """Random numbers, no two of which are as near to each other as a kink would need."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(low, high, shape)).astype(dtype)


def assert_prints_the_same(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a snippet with torch as ``torch``, and with this package under that name."""
    printed = []
    for module in ("torch", "autodiff_lab as torch"):
        exec(f"import {module}\n{snippet}", {})
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]

"""Tensors and torch tensors over the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.interop import from_torch, to_torch
from autodiff_lab.engine.tensor import NumpyTensor, TorchTensor

torch = pytest.importorskip("torch")

SHARED = (
    "float64",
    "float32",
    "float16",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint64",
    "uint32",
    "uint16",
    "uint8",
    "bool",
)


@pytest.mark.parametrize("dtype", SHARED)
def test_what_is_written_to_one_side_shows_on_the_other_in_every_dtype_that_both_have(dtype: str) -> None:
    x = ad.tensor(np.zeros((2, 3), dtype))
    t = to_torch(x)
    assert (t.dtype, tuple(t.shape), t.requires_grad) == (getattr(torch, dtype), (2, 3), False)
    t[0, 1] = 1
    x.data[1, 2] = 1
    assert x.tolist() == t.tolist() == [[0, 1, 0], [0, 0, 1]]
    back = from_torch(t)
    assert type(back) is NumpyTensor and back.dtype == dtype and not back.requires_grad
    t[0, 0] = 1
    back.data[1, 0] = 1
    assert x.tolist() == back.tolist() == t.tolist() == [[1, 1, 0], [1, 0, 1]]


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a.T,
        lambda a: a[:, 1:],
        lambda a: a[::2, ::3],
        lambda a: a[1],
        lambda a: a[:0],
        lambda a: a.reshape(2, 1, 3, 2, 1),
    ],
    ids=["transposed", "part", "steps", "row", "empty", "ones"],
)
def test_views_are_shared_as_they_lie_in_memory(view: Any) -> None:
    array = np.arange(12.0).reshape(4, 3)
    t = to_torch(ad.as_tensor(view(array)))
    assert t.tolist() == view(array).tolist()
    t.fill_(-1.0)
    assert (view(array) == -1.0).all() and (array == -1.0).sum() == t.numel()
    source = torch.arange(12.0).reshape(4, 3)
    x = from_torch(view(source))
    assert x.tolist() == view(source).tolist()
    x.data[...] = -1.0
    assert bool((view(source) == -1.0).all()) and int((source == -1.0).sum()) == x.numel()


def test_a_tensor_without_dimensions_is_shared_too() -> None:
    x = ad.tensor(np.array(2.0))
    t = to_torch(x)
    t.fill_(3.0)
    assert t.shape == () and x.item() == 3.0
    x = from_torch(t)
    t.fill_(4.0)
    assert x.shape == () and x.item() == 4.0
    total = ad.tensor([1.0, 2.0]).sum()  # NumPy makes a number of it, which has no memory
    assert to_torch(total).shape == () and to_torch(total).item() == 3.0


def test_a_tensor_over_a_torch_array_gives_its_memory_but_not_itself() -> None:
    source = torch.zeros(3)
    x = ad.as_tensor(source)
    t = to_torch(x)
    t[1] = 5.0
    assert type(x) is TorchTensor and x.tolist() == source.tolist() == [0.0, 5.0, 0.0]
    t.requires_grad_()
    assert not x.data.requires_grad and type((x * 2).data) is torch.Tensor and not (x * 2).data.requires_grad
    assert to_torch(ad.tensor(torch.empty(2, device="meta"))).is_meta


@pytest.mark.parametrize(
    "array", [np.arange(6.0)[::-1], np.broadcast_to(np.arange(3.0), (2, 3))], ids=["back", "expanded"]
)
def test_memory_that_torch_cannot_use_is_copied_without_a_warning(array: Any, recwarn: pytest.WarningsRecorder) -> None:
    t = to_torch(ad.tensor(array))
    before = array.tolist()
    t.fill_(-1.0)
    assert array.tolist() == before and not recwarn.list


def test_a_change_in_place_of_a_tensor_leaves_the_torch_tensor_alone() -> None:
    source, own = torch.ones(3), ad.tensor(np.ones(3)) * 1.0
    for x, t in ((from_torch(source), source), (own, to_torch(own))):
        with ad.no_grad():
            x -= 1.0
            x[0] = 7.0
        assert x.tolist() == [7.0, 0.0, 0.0] and t.tolist() == [1.0, 1.0, 1.0]


def test_gradients_on_both_sides_of_the_border() -> None:
    """What requires grad is detached first, in so many words; a leaf of one's own is asked for."""
    t = torch.tensor([1.0, 2.0], requires_grad=True)
    x = from_torch(t.detach()).requires_grad_()
    (x * x).sum().backward()
    (t * t).sum().backward()
    assert x.grad.tolist() == t.grad.tolist() == [2.0, 4.0] and x.dtype == "float32"
    assert to_torch((x * x).detach()).tolist() == [1.0, 4.0]
    t.grad = None
    t.grad = to_torch(x.grad)  # as an optimizer of torch's would want it
    assert t.grad.tolist() == [2.0, 4.0]


def test_tensors_over_numpy_and_torch_arrays_on_the_cpu_compute_together() -> None:
    values = np.array([[0.5, -1.0], [2.0, 0.25]])
    for f in (
        lambda a, b: (a @ b).tanh() * a + b,
        lambda a, b: ad.cat([a, b]).exp() - ad.stack([b, a]).sum(),
        lambda a, b: ad.where(a > b, a, b * 2) / b,
        lambda a, b: a**2 + ad.maximum(a, b) - (b.mT @ a).softmax(-1),
    ):
        want = [ad.tensor(values.copy(), requires_grad=True), ad.tensor(values.T.copy(), requires_grad=True)]
        f(*want).sum().backward()
        for order in (1, -1):
            a = ad.tensor(values.copy(), requires_grad=True)
            b = ad.tensor(torch.tensor(values.T.copy()), requires_grad=True)
            y = f(*(a, b)[::order]) if order == 1 else f(ad.tensor(torch.tensor(values)).requires_grad_() * 0 + a, b)
            assert type(y) is TorchTensor
            y.sum().backward()
            assert type(a.grad) is NumpyTensor and type(b.grad) is TorchTensor
            np.testing.assert_allclose(a.grad.data, want[0].grad.data, rtol=1e-12)
            np.testing.assert_allclose(b.grad.data, want[1].grad.data, rtol=1e-12)


def test_a_bare_array_joins_the_tensor() -> None:
    x, y = ad.tensor(np.ones(3), requires_grad=True), ad.tensor(torch.ones(3), requires_grad=True)
    assert type(x * torch.full((3,), 2.0)) is NumpyTensor and type(torch.full((3,), 2.0) * x) is NumpyTensor
    assert type(y * np.full(3, 2.0)) is TorchTensor and type(np.full(3, 2.0) - y) is TorchTensor
    assert (np.full(3, 2.0) @ y).item() == (torch.full((3,), 2.0) @ x).item() == 6.0
    assert x[torch.tensor([0, 2])].shape == (2,) and y[np.array([True, False, True])].shape == (2,)


def test_a_second_derivative_passes_between_numpy_and_torch() -> None:
    a = ad.tensor([1.0, 2.0], requires_grad=True)
    b = ad.tensor(torch.tensor([3.0, 4.0], dtype=torch.float64), requires_grad=True)
    (slope,) = ad.autograd.grad((a**3 * b).sum(), a, create_graph=True)
    assert type(slope) is NumpyTensor
    (slope * a).sum().backward()  # 3 a³ b
    assert a.grad.tolist() == [27.0, 144.0] and b.grad.tolist() == [3.0, 24.0]

"""Tensors: what they are, what a sweep leaves in them, modes, changes in place, depth; on NumPy and on torch arrays."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import time
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine import backward, ops
from autodiff_lab.engine.generator import Generator
from autodiff_lab.engine.ops import TABLE
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar
from autodiff_lab.engine.tensor import BACKENDS, NumpyTensor, Tensor

torch = pytest.importorskip("torch")

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])


def make(values: Any, backend: str = "numpy", requires_grad: bool = True) -> Any:
    array = np.array(values, dtype="float64")
    return ad.tensor(array if backend == "numpy" else torch.from_numpy(array), requires_grad=requires_grad)


# What a tensor is


def test_a_number_gives_a_scalar_and_anything_else_a_tensor() -> None:
    assert type(ad.tensor(2.0, requires_grad=True)) is Scalar
    assert isinstance(ad.tensor([1.0, 2.0]), Tensor) and ad.tensor([1.0]).dtype == "float64"
    assert ad.tensor([1, 2]).dtype == "int64" and ad.tensor([True]).dtype == "bool"
    assert ad.tensor(2.0, dtype="float32").dtype == "float32" and ad.tensor(2.0, dtype="float32").shape == ()
    assert ad.tensor([[1, 2]], dtype=ad.float32).dtype == np.float32
    assert ad.tensor(torch.zeros(2)).dtype is torch.float32
    assert ad.tensor([ad.Scalar(1.0), 2.0]).tolist() == [1.0, 2.0]


def test_an_array_of_as_tensor_is_shared_and_never_written_to() -> None:
    array = np.ones(3)
    x = ad.as_tensor(array).requires_grad_()
    assert x.data is array
    with ad.no_grad():
        x -= 1.0
        x[0] = 5.0
    assert array.tolist() == [1.0, 1.0, 1.0] and x.tolist() == [5.0, 0.0, 0.0]


def test_what_a_tensor_shows_of_itself() -> None:
    x = ad.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    assert (x.shape, x.ndim, x.dim(), x.size(0), x.numel(), len(x)) == ((2, 2), 2, 2, 2, 4, 2)
    assert repr(ad.tensor([1.0])) == "tensor([1.])" and "requires_grad=True" in repr(x)
    y = x.exp()
    assert "grad_fn=<ExpBackward>" in repr(y) and y.op == "exp" and y.operands == (x,)
    assert x.sum(dim=0).params[:2] == ((0,), False)
    assert [row.tolist() for row in x] == [[1.0, 2.0], [3.0, 4.0]]
    assert float(x[0, 0]) == 1.0 and int(x[1, 1]) == 4 and bool(x[0, 0] > 0)
    assert (x > 2).tolist() == [[False, False], [True, True]] and ((x > 1) & ~(x > 3)).any()
    assert x.detach().numpy().sum() == 10.0 and np.asarray(x.detach()).shape == (2, 2)
    assert f"{x[0, 1]:.2f}" == "2.00"


@BOTH
def test_copies_are_leaves_with_their_own_array(backend: str) -> None:
    x = make([1.0, 2.0], backend)
    (x * x).sum().backward()
    for again in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert again.tolist() == [1.0, 2.0] and again.requires_grad and again.grad.tolist() == [2.0, 4.0]
        assert again.data is not x.data
    assert copy.deepcopy(x * 2).is_leaf


def test_scalars_and_tensors_mix_and_the_adjoint_comes_back() -> None:
    for backend in ("numpy", "torch"):
        s, x = ad.Scalar(3.0), make([1.0, 2.0], backend)
        (s * x * x + x / s).sum().backward()
        assert s.grad == pytest.approx(5.0 - 3.0 / 9.0)
        assert x.grad.tolist() == pytest.approx([6 + 1 / 3, 12 + 1 / 3])
        (g,) = ad.autograd.grad((s * s * x).sum(), s, create_graph=True)
        assert ad.autograd.grad(g, s)[0] == pytest.approx(6.0)
        assert ad.maximum(ad.Scalar(1.5), x).tolist() == [1.5, 2.0]


def test_a_scalar_takes_the_dtype_of_the_tensor_it_meets() -> None:
    x = ad.tensor(np.ones(2, "float32"), requires_grad=True)
    assert (x * ad.Scalar(2.0)).dtype == "float32" and (x * np.float64(2.0)).dtype == "float32"
    assert (2.5 * ad.tensor([1, 2])).tolist() == [2.5, 5.0]


def test_functions_of_arrays_give_arrays() -> None:
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert type(ad.softmax(a, -1)) is np.ndarray and type(ad.matmul(a, a)) is np.ndarray
    assert type(ad.exp(torch.ones(2))) is torch.Tensor
    assert ad.sum(a, axis=0, keepdims=True).tolist() == [[4.0, 6.0]]
    assert type(ad.tensor(a) * a) is NumpyTensor and (a * ad.tensor(a)).tolist() == (a * a).tolist()


# Sweeps


@BOTH
def test_gradients_accumulate_and_keep_the_dtype(backend: str) -> None:
    for dtype in ("float64", "float32"):
        x = ad.tensor(make([1.0, 2.0], backend), dtype=dtype, requires_grad=True)
        for _ in range(2):
            (x * x).sum().backward()
        assert x.grad.tolist() == [4.0, 8.0] and dtype in str(x.grad.dtype)


@BOTH
def test_a_gradient_to_begin_with_may_be_given(backend: str) -> None:
    x = make([1.0, 2.0], backend)
    y = x * 3
    y.backward([1.0, 0.5], retain_graph=True)
    y.backward(gradient=make([1.0, 1.0], backend, False))
    assert x.grad.tolist() == [6.0, 4.5]


@BOTH
def test_hooks_see_tensors_and_may_replace_them(backend: str) -> None:
    x = make([1.0, 2.0], backend)
    seen: list[Any] = []
    y = x * 2
    y.retain_grad()
    y.register_hook(seen.append)
    y.register_hook(lambda g: g * 10)
    x.register_hook(seen.append)
    y.sum().backward()
    assert [g.tolist() for g in seen] == [[1.0, 1.0], [20.0, 20.0]] and isinstance(seen[0], Tensor)
    assert y.grad.tolist() == [10.0, 10.0] and x.grad.tolist() == [20.0, 20.0]


@BOTH
def test_the_fast_sweep_and_the_textbook_one_agree(backend: str) -> None:
    x, w = make([[1.0, -2.0, 0.5]], backend), make([[0.3], [0.1], [-0.7]], backend)
    h = ad.cat([x, x * 2, make([[1.0, 1.0, 1.0]], backend, False)], 0)
    loss = ((h @ w).tanh() + x.sum()).logsumexp(0).sum()
    found = dict(backward.adjoints(loss))
    loss.backward()
    np.testing.assert_allclose(np.asarray(found[x]), np.asarray(x.grad.data))
    np.testing.assert_allclose(np.asarray(found[w]), np.asarray(w.grad.data))


@BOTH
def test_saved_values_pass_through_hooks(backend: str) -> None:
    packed: list[Any] = []

    def pack(array: Any) -> Any:
        packed.append(tuple(array.shape))
        return array * 1

    def loss_of(x: Any, w: Any) -> Any:
        return ad.softmax(ad.cat([x @ w, x[:, :2].exp()]) + 1, -1)[..., 0].sum()

    x, w = make([[1.0, -2.0, 0.5]], backend), make([[0.3, 1], [0.1, 2], [-0.7, 3]], backend)
    with ad.autograd.graph.saved_tensors_hooks(pack, lambda array: array):
        loss = loss_of(x, w)
    loss.backward()
    assert sorted(packed) == [(1, 2), (1, 3), (2, 2), (3, 2)]  # exp, matmul twice, softmax
    hooked = x.grad.tolist()
    x.grad = None
    loss_of(x, w).backward()
    assert x.grad.tolist() == hooked


def test_a_graph_goes_with_its_root_by_counting_references() -> None:
    gc.collect()
    gc.disable()
    try:
        for sweep in (True, False):
            x = make([[1.0, 2.0]])
            y = ad.cat([x.exp(), x * 2]).sum()
            seen = weakref.ref(y.operands[0])
            if sweep:
                y.backward()
                assert seen() is None
            del y
            assert seen() is None
    finally:
        gc.enable()


def test_a_hundred_thousand_operations_run_forward_and_backward_and_are_released(low_recursion_limit: None) -> None:
    x = ad.tensor(np.array([1.0, 2.0]), requires_grad=True)
    y = x
    for _ in range(50_000):
        y = (y + 1.0) - 1.0
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    del y


def test_a_diamond_of_sixty_levels_is_swept_in_linear_time() -> None:
    x = make([1.0, 1.0])
    y = x
    for _ in range(60):
        y = y * 0.5 + y * 0.5
    began = time.process_time()
    y.sum().backward()
    assert time.process_time() - began < 2 and x.grad.tolist() == [1.0, 1.0]


# Modes, and changes in place


@BOTH
def test_modes(backend: str) -> None:
    x = make([1.0, 2.0], backend)
    with ad.no_grad():
        assert not (x * 2).requires_grad and not ad.softmax(x, 0).requires_grad
        with ad.enable_grad():
            assert (x @ x).requires_grad
    with ad.inference_mode():
        c = x * 2
    assert c.is_inference() and not x.detach().requires_grad and (x + c).requires_grad
    with pytest.raises(RuntimeError, match=r"mul would have to save a tensor of shape \(2,\).*inference mode"):
        x * c


@BOTH
def test_a_parameter_is_updated_in_place_under_no_grad(backend: str) -> None:
    w = make([1.0, 2.0], backend)
    same = w
    (w * w).sum().backward()
    with ad.no_grad():
        w -= 0.25 * w.grad
        w[0] = 7.0
    assert w is same and w.tolist() == [7.0, 1.0] and w.is_leaf and w.requires_grad
    before = w.detach()
    with ad.no_grad():
        w *= 2
        w.zero_()
    assert before.tolist() == [7.0, 1.0] and w.tolist() == [0.0, 0.0]


@BOTH
@pytest.mark.parametrize("change", ["operand", "result"])
def test_a_saved_value_that_was_changed_in_place_is_noticed(backend: str, change: str) -> None:
    for create_graph in (False, True):
        x, w = make([1.0, 2.0], backend), make([3.0, 4.0], backend)
        h = x * w
        y = h.exp()
        z = y.sum()
        with ad.no_grad():
            if change == "operand":
                w += 1.0
            else:
                y += 1.0
        with pytest.raises(RuntimeError, match=r"(mul|exp) saved .* of shape \(2,\) for backward, but it was changed"):
            z.backward(create_graph=create_graph)


@BOTH
def test_a_change_that_nobody_saved_does_no_harm(backend: str) -> None:
    x, w = make([1.0, 2.0], backend), make([3.0, 4.0], backend)
    y = (x + w).sum()
    with ad.no_grad():
        w += 1.0
        x *= 2.0
    y.backward()
    assert x.grad.tolist() == [1.0, 1.0]
    (x * w).sum().backward()
    assert w.grad.tolist() == [3.0, 5.0]


def test_adding_in_place_to_a_computed_tensor_makes_a_new_one() -> None:
    x = make([1.0, 2.0])
    total = x * 0
    for _ in range(3):
        total += x
    total.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


# Parts


@BOTH
def test_the_adjoints_of_the_parts_of_a_tensor_are_joined_not_added(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = make([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], backend)
    monkeypatch.setitem(x._backend.names, "unindex", None)  # what a part alone would need: zeros of the whole shape
    first, _, third = x.split(1, 1)
    assert first.op == "getitem" and first.operands[0] is x and first.grad_fn.next_functions[0][0].variable is x
    ((first * third).sum() + sum(row.sum() for row in x.unbind())).backward()
    assert x.grad.tolist() == [[3.0 + 1, 1.0, 1.0 + 1], [6.0 + 1, 1.0, 4.0 + 1]]


# Randomness


def test_dropout_has_a_random_state_of_its_own() -> None:
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()  # type: ignore[union-attr, index]
    x = ad.tensor(np.ones((50, 40), "float32"), requires_grad=True)
    generator = Generator().manual_seed(3)
    state = generator.get_state()
    y = ad.dropout(x, 0.25, generator=generator)
    again = ad.dropout(x, 0.25, generator=generator.set_state(state))
    assert (y == again).all() and not (y == ad.dropout(x, 0.25, generator=generator)).all()
    assert y.dtype == "float32" and set(np.unique(y.data)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 0.2 < (y == 0).data.mean() < 0.3
    y.sum().backward()
    assert (x.grad == y).all() and ad.dropout(x, training=False) is x
    assert before == np.random.get_state()[1].tolist()  # type: ignore[union-attr, index]
    ad.manual_seed(5)
    first = ad.dropout(x)
    ad.manual_seed(5)
    assert (first == ad.dropout(x)).all()


# Stability


@BOTH
def test_large_numbers_do_not_overflow_on_the_way(backend: str) -> None:
    x = make([[1000.0, -1000.0, 0.0]], backend)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loss = ad.cross_entropy(x, np.array([1]) if backend == "numpy" else torch.tensor([1]))
        loss = loss + ad.logsumexp(x, 1).sum() + ad.sigmoid(x).sum() + ad.log_softmax(x, 1)[0, 0]
        loss.backward()
    assert float(loss) == pytest.approx(2000 + 1000 + 1.5)
    assert np.isfinite(np.asarray(x.grad.data)).all()


# One row is all it takes


@pytest.fixture
def softplus() -> Iterator[Any]:
    yield ops.op("softplus", "log(1 + exp(a))", "g * sigmoid(a)", domain="True", onnx="Softplus")
    del TABLE["softplus"], FUNCTIONS["softplus"], Scalar.softplus
    for backend, cls in BACKENDS.items():
        del cls.softplus, backend.names["softplus"]


def test_a_row_added_later_works_on_every_kind_of_node(softplus: Any) -> None:
    assert ad.grad(ad.softplus)(0.3) == pytest.approx(ad.sigmoid(0.3))
    for backend in ("numpy", "torch"):
        for dtype in ("float64", "float32"):
            x = ad.tensor(make([0.3, -1.0], backend), dtype=dtype, requires_grad=True)
            y = x.softplus()
            y.sum().backward()
            assert y.op == "softplus" and dtype in str(y.dtype) and dtype in str(x.grad.dtype)
            np.testing.assert_allclose(x.grad.tolist(), ad.sigmoid(x).tolist(), rtol=1e-6)
        x = make([0.3, -1.0], backend)
        assert ad.gradcheck(ad.softplus, x)
        assert ad.gradcheck(lambda x: ad.grad(lambda x: ad.softplus(x).sum())(x), x)
        tangent = ad.jvp(ad.softplus, (x,), (make([1.0, 2.0], backend, False),))[1]
        np.testing.assert_allclose(tangent.tolist(), (ad.sigmoid(x) * make([1.0, 2.0], backend)).tolist())


# Imports

USE = """
import sys, autodiff_lab as ad
x = ad.Scalar(2.0); ad.exp(x).backward()
assert "numpy" not in sys.modules
ad.tensor([1.0, 2.0], requires_grad=True).exp().sum().backward()
assert "torch" not in sys.modules and "scipy" not in sys.modules
"""


def test_numpy_loads_with_the_first_tensor_and_torch_only_when_it_is_asked_for() -> None:
    subprocess.run([sys.executable, "-c", USE], check=True)

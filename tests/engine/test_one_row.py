"""One row is all it takes to add an operation: everything the engine does with operations, tried with a new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import draw
from autodiff_lab.engine import ops
from autodiff_lab.engine.static import trace

X = np.array([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]])
VALUE, SLOPE = np.log(1 + np.exp(X)), 1 / (1 + np.exp(-X))
CURVE = SLOPE * (1 - SLOPE)


@pytest.fixture(scope="module", autouse=True)
def softplus() -> Iterator[ops.Op]:
    """The row that the table does not have."""
    from autodiff_lab.engine.scalar import FUNCTIONS, Scalar

    yield ops.op("softplus", "log(1 + exp(a))", "g * sigmoid(a)", domain="True", onnx="Softplus")
    del ops.TABLE["softplus"], FUNCTIONS["softplus"], Scalar.softplus


def network(x: Any, w: Any) -> Any:
    return ad.softplus(x @ w).sum()


W = np.array([[0.5, -1.0], [0.25, 2.0], [1.0, 0.1]])


def test_on_scalars() -> None:
    x = ad.Scalar(0.3)
    y = x.softplus()
    y.backward()
    assert y.item() == pytest.approx(VALUE[0, 0]) and x.grad == pytest.approx(SLOPE[0, 0])
    assert repr(y.grad_fn) == "<SoftplusBackward>"
    assert ad.softplus(1000.0) == float("inf"), "where Python raises, IEEE arithmetic answers"


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_on_tensors(backend: str, dtype: str) -> None:
    array: Any = X.astype(dtype)
    if backend == "torch":
        array = pytest.importorskip("torch").from_numpy(array)
    x = ad.tensor(array, requires_grad=True)
    y = x.softplus()
    y.sum().backward()
    assert dtype in str(y.dtype) and dtype in str(x.grad.dtype)
    np.testing.assert_allclose(y.detach().numpy(), VALUE, rtol=1e-6)
    np.testing.assert_allclose(x.grad.numpy(), SLOPE, rtol=1e-6)


def test_double_backward_and_forward_mode() -> None:
    assert ad.grad(ad.grad(ad.softplus))(0.3) == pytest.approx(CURVE[0, 0])
    assert ad.jvp(ad.softplus, (0.3,), (2.0,))[1] == pytest.approx(2 * SLOPE[0, 0])
    curve = ad.grad(lambda x: ad.grad(lambda x: ad.softplus(x).sum())(x).sum())(X)
    np.testing.assert_allclose(curve, CURVE, rtol=1e-12)
    np.testing.assert_allclose(ad.jvp(ad.softplus, (X,), (W.T,))[1], SLOPE * W.T, rtol=1e-12)


def test_gradcheck_and_what_is_saved() -> None:
    assert ad.gradcheck(ad.softplus, 0.3) and ad.gradcheck(ad.softplus, X)
    saved: list[Any] = []
    with ad.autograd.graph.saved_tensors_hooks(lambda value: saved.append(value) or value, lambda value: value):
        ad.softplus(ad.Scalar(0.3))
    assert saved == [0.3], "the operand, which the adjoint formula names"


def test_traced_and_printed() -> None:
    program = trace(network, X, W)
    assert "t1 = ad.softplus(t0)  # float64[2, 2]" in program.source
    np.testing.assert_allclose(program(X, W), np.log(1 + np.exp(X @ W)).sum(), rtol=1e-12)
    first, second = program.grad(), program.grad((0, 1))(X, W)
    np.testing.assert_allclose(first(X, W), ad.grad(network)(X, W))
    np.testing.assert_allclose(second[1], ad.grad(network, 1)(X, W))
    again = trace(lambda x, w: (first(x, w) ** 2).sum(), X, W).grad()
    np.testing.assert_allclose(again(X, W), ad.grad(lambda x, w: (ad.grad(network)(x, w) ** 2).sum())(X, W))


@pytest.mark.parametrize("kind", ["float", "numpy", "torch"])
def test_compiled(kind: str) -> None:
    if kind == "float":
        f = ad.compile(lambda x: ad.value_and_grad(lambda x: ad.softplus(x) * x)(x))
        value, slope = f(0.3)
        assert value == pytest.approx(0.3 * VALUE[0, 0]) and slope == pytest.approx(VALUE[0, 0] + 0.3 * SLOPE[0, 0])
        return
    args: tuple[Any, ...] = (X, W)
    if kind == "torch":
        args = tuple(map(pytest.importorskip("torch").from_numpy, args))
    f = ad.compile(ad.value_and_grad(network, (0, 1)))
    value, slopes = f(*args)
    np.testing.assert_allclose(float(value), network(ad.tensor(X), ad.tensor(W)).item())
    for slope, wanted in zip(slopes, ad.grad(network, (0, 1))(X, W), strict=True):
        np.testing.assert_allclose(np.asarray(slope), wanted)


def test_drawn() -> None:
    x = ad.Scalar(0.3)
    assert "softplus(x)" in draw(ad.softplus(x), x=x).text
    assert "softplus(t0)" in draw(trace(network, X, W)).text


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_in_an_onnx_model_forward_and_gradient(dtype: str) -> None:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    x, w = X.astype(dtype), W.astype(dtype)
    program = trace(network, x, w)
    for exported, wanted in ((program, program(x, w)), (program.grad(), program.grad()(x, w))):
        model = exported.export_onnx()
        session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        feeds = dict(zip([given.name for given in session.get_inputs()], (x, w), strict=True))
        (got,) = session.run(None, feeds)
        assert got.dtype == x.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-5 if dtype == "float32" else 1e-12)


def test_in_a_saved_program_and_in_torch(tmp_path: Any) -> None:
    torch = pytest.importorskip("torch")
    program = trace(network, X, W)
    program.save(tmp_path / "f.program")
    assert ad.Program.load(tmp_path / "f.program")(X, W) == program(X, W)
    module = program.to_torch()
    x = torch.from_numpy(X).requires_grad_()
    module(x, torch.from_numpy(W)).backward()
    np.testing.assert_allclose(x.grad.numpy(), program.grad()(X, W))

"""Layers, losses, optimizers, schedules and clipping against PyTorch's, with the same weights, on both backends."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import nn, optim
from autodiff_lab.engine.nn import functional as F
from autodiff_lab.engine.optim import lr_scheduler

torch = pytest.importorskip("torch")

BACKENDS = pytest.mark.parametrize("backend", ["numpy", "torch"])
DTYPES = pytest.mark.parametrize("dtype", ["float64", "float32"])
TOLERANCE = {"float64": 1e-10, "float32": 2e-5}
SEED = np.random.default_rng


def array(*shape: int, seed: int = 0, dtype: str = "float64") -> Any:
    return SEED(seed).standard_normal(shape).astype(dtype)


def ours(values: Any, backend: str, requires_grad: bool = False) -> Any:
    values = np.array(values)
    return ad.tensor(values if backend == "numpy" else torch.from_numpy(values), requires_grad=requires_grad)


def theirs(values: Any, requires_grad: bool = False) -> Any:
    return torch.from_numpy(np.array(values)).requires_grad_(requires_grad)


def plain(x: Any) -> Any:
    return np.asarray(
        x.detach().cpu() if torch.is_tensor(x) else x.detach().__array__() if hasattr(x, "ndim") else x.data
    )


def assert_same(a: Any, b: Any, dtype: str, what: str) -> None:
    a, b = plain(a), plain(b)
    assert a.shape == b.shape, f"{what}: the shapes differ, {a.shape} and {b.shape}"
    assert str(a.dtype) == str(b.dtype) == dtype, f"{what}: the dtypes are {a.dtype} and {b.dtype}"
    np.testing.assert_allclose(a, b, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype], err_msg=what)


def pair_of(made: Any, peer: Any, backend: str, dtype: str) -> tuple[Any, Any]:
    """Our module and torch's, with torch's weights in ours: copied into NumPy arrays, or torch arrays of their own."""
    peer = peer.to(getattr(torch, dtype))
    made.to(dtype)
    state = {name: value.detach().clone() for name, value in peer.state_dict().items()}
    made.load_state_dict(state, assign=backend == "torch")
    assert list(made.state_dict()) == list(state), "the keys, and their order, are torch's"
    return made, peer


# Every layer: what to make, how it is called in torch if differently, the shapes of the inputs
Layers = list[tuple[str, Callable[[Any], Any], tuple[tuple[int, ...], ...]]]
LAYERS: Layers = [
    ("Linear", lambda nn: nn.Linear(4, 3), ((5, 4),)),
    ("Linear of three dimensions", lambda nn: nn.Linear(4, 3), ((2, 5, 4),)),
    ("Linear of one", lambda nn: nn.Linear(4, 3), ((4,),)),
    ("Linear without bias", lambda nn: nn.Linear(4, 3, bias=False), ((5, 4),)),
    ("LayerNorm", lambda nn: nn.LayerNorm(4), ((5, 4),)),
    ("LayerNorm over two dimensions", lambda nn: nn.LayerNorm((3, 4), eps=1e-3), ((2, 3, 4),)),
    ("LayerNorm without bias", lambda nn: nn.LayerNorm(4, bias=False), ((5, 4),)),
    ("LayerNorm without parameters", lambda nn: nn.LayerNorm(4, elementwise_affine=False), ((5, 4),)),
    ("Conv2d", lambda nn: nn.Conv2d(2, 4, 3), ((2, 2, 6, 5),)),
    ("Conv2d with a border", lambda nn: nn.Conv2d(2, 4, (3, 2), stride=(2, 1), padding=(1, 0)), ((2, 2, 6, 5),)),
    ("Conv2d in groups", lambda nn: nn.Conv2d(4, 6, 3, 1, 1, 2, 2, bias=False), ((2, 4, 6, 5),)),
    ("Conv2d of the same size", lambda nn: nn.Conv2d(2, 3, (4, 3), padding="same"), ((2, 2, 6, 5),)),
    ("MaxPool2d", lambda nn: nn.MaxPool2d(2), ((2, 3, 6, 5),)),
    ("MaxPool2d that overlaps", lambda nn: nn.MaxPool2d(3, stride=2, padding=1), ((2, 3, 6, 5),)),
    ("AvgPool2d", lambda nn: nn.AvgPool2d(2), ((2, 3, 6, 5),)),
    ("AvgPool2d that overlaps", lambda nn: nn.AvgPool2d((3, 2), stride=1, padding=1), ((2, 3, 6, 5),)),
    ("Flatten", lambda nn: nn.Flatten(), ((2, 3, 4),)),
    ("Flatten in part", lambda nn: nn.Flatten(0, 1), ((2, 3, 4),)),
    ("ReLU", lambda nn: nn.ReLU(), ((3, 4),)),
    ("GELU", lambda nn: nn.GELU(), ((3, 4),)),
    ("Tanh", lambda nn: nn.Tanh(), ((3, 4),)),
    ("Sigmoid", lambda nn: nn.Sigmoid(), ((3, 4),)),
    ("Softmax", lambda nn: nn.Softmax(dim=1), ((3, 4),)),
    ("Identity", lambda nn: nn.Identity(), ((3, 4),)),
    ("Dropout in evaluation", lambda nn: nn.Dropout(0.5).eval(), ((3, 4),)),
    ("Sequential", lambda nn: nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2)), ((3, 4),)),
    (
        "MLP",
        lambda n: n.MLP(4, 5, 2) if n is nn else n.Sequential(n.Linear(4, 5), n.ReLU(), n.Linear(5, 2)),
        ((3, 4),),
    ),
    *[
        (
            f"TransformerEncoderLayer, {norm_first=}, {batch_first=}",
            lambda nn, first=norm_first, batch=batch_first: nn.TransformerEncoderLayer(
                8, 2, 16, dropout=0.0, activation="gelu", norm_first=first, batch_first=batch
            ),
            ((3, 5, 8),),
        )
        for norm_first in (False, True)
        for batch_first in (False, True)
    ],
    (
        "TransformerBlock",
        lambda n: (
            n.TransformerBlock(8, 2)
            if n is nn
            else n.TransformerEncoderLayer(8, 2, 32, 0.0, "gelu", batch_first=True, norm_first=True)
        ),
        ((3, 5, 8),),
    ),
    ("MultiheadAttention", lambda nn: nn.MultiheadAttention(8, 2), ((5, 3, 8), (4, 3, 8), (4, 3, 8))),
    (
        "MultiheadAttention, batch first",
        lambda nn: nn.MultiheadAttention(8, 4, bias=False, batch_first=True),
        ((3, 5, 8), (3, 4, 8), (3, 4, 8)),
    ),
]


def compare(made: Any, peer: Any, inputs: list[Any], backend: str, dtype: str, what: str, **options: Any) -> None:
    """Results, and the gradients of inputs and parameters for a random adjoint."""
    a = [ours(x, backend, requires_grad=True) for x in inputs]
    b = [theirs(x, requires_grad=True) for x in inputs]
    for part, (y, expected) in enumerate(zip(results(made(*a, **options)), results(peer(*b, **options)), strict=True)):
        assert_same(y, expected, dtype, f"{what}, result {part}")
        adjoint = array(*expected.shape, seed=part, dtype=dtype)
        y.backward(ours(adjoint, backend), retain_graph=True)
        expected.backward(theirs(adjoint), retain_graph=True)
    for i, (x, expected) in enumerate(zip(a, b, strict=True)):
        assert_same(x.grad, expected.grad, dtype, f"{what}, gradient of input {i}")
    for (name, x), expected in zip(made.named_parameters(), peer.parameters(), strict=True):
        assert_same(x.grad, expected.grad, dtype, f"{what}, gradient of {name}")


def results(y: Any) -> list[Any]:
    return [part for part in (y if isinstance(y, tuple) else [y]) if part is not None]


@BACKENDS
@DTYPES
@pytest.mark.parametrize(("name", "make", "shapes"), LAYERS, ids=[name for name, *_ in LAYERS])
def test_every_layer_computes_what_torch_computes(
    name: str, make: Callable[[Any], Any], shapes: Any, backend: str, dtype: str
) -> None:
    torch.manual_seed(0)
    made, peer = pair_of(make(nn), make(torch.nn), backend, dtype)
    inputs = [array(*shape, seed=i, dtype=dtype) for i, shape in enumerate(shapes)]
    compare(made, peer, inputs, backend, dtype, name)


@BACKENDS
@DTYPES
def test_an_embedding_is_torchs(backend: str, dtype: str) -> None:
    made, peer = pair_of(nn.Embedding(6, 3), torch.nn.Embedding(6, 3), backend, dtype)
    index = np.array([[0, 5, 5], [2, 0, 5]])
    y, expected = made(ours(index, backend)), peer(theirs(index))
    assert_same(y, expected, dtype, "embedding")
    adjoint = array(*expected.shape, dtype=dtype)
    y.backward(ours(adjoint, backend))
    expected.backward(theirs(adjoint))
    assert_same(made.weight.grad, peer.weight.grad, dtype, "gradient of the table")


@BACKENDS
def test_masks_of_attention_mean_what_they_mean_in_torch(backend: str) -> None:
    made, peer = pair_of(
        nn.MultiheadAttention(8, 2, batch_first=True),
        torch.nn.MultiheadAttention(8, 2, batch_first=True),
        backend,
        "float64",
    )
    x = array(3, 5, 8)
    hidden = np.triu(np.ones((5, 5), bool), 1)
    numbers = array(5, 5, seed=3)
    for mask in (hidden, numbers):
        a, b = ours(x, backend), theirs(x)
        for need in (True, False):
            y, weights = made(a, a, a, attn_mask=ours(mask, backend), need_weights=need)
            expected, expected_weights = peer(b, b, b, attn_mask=theirs(mask), need_weights=need)
            assert_same(y, expected, "float64", "attention with a mask")
            assert (weights is None) == (expected_weights is None) == (not need)
            if need:
                assert_same(weights, expected_weights, "float64", "weights")
    causal, _ = made(ours(x, backend), ours(x, backend), ours(x, backend), is_causal=True)
    expected, _ = peer(theirs(x), theirs(x), theirs(x), attn_mask=theirs(hidden))
    assert_same(causal, expected, "float64", "causal attention")


@BACKENDS
@pytest.mark.parametrize(
    "options", [{}, {"is_causal": True}, {"attn_mask": "bool"}, {"attn_mask": "float"}, {"scale": 0.3}]
)
def test_scaled_dot_product_attention_is_torchs(options: dict[str, Any], backend: str) -> None:
    q, k, v = array(2, 3, 4, 6), array(2, 3, 5, 6, seed=1), array(2, 3, 5, 7, seed=2)
    masks = {"bool": SEED(4).random((4, 5)) > 0.3, "float": array(4, 5, seed=5)}
    a = [ours(x, backend, True) for x in (q, k, v)]
    b = [theirs(x, True) for x in (q, k, v)]
    given, expected_given = dict(options), dict(options)
    if "attn_mask" in options:
        given["attn_mask"] = ours(masks[options["attn_mask"]], backend)
        expected_given["attn_mask"] = theirs(masks[options["attn_mask"]])
    y = F.scaled_dot_product_attention(*a, **given)
    expected = torch.nn.functional.scaled_dot_product_attention(*b, **expected_given)
    assert_same(y, expected, "float64", "attention")
    adjoint = array(*expected.shape, seed=9)
    y.backward(ours(adjoint, backend))
    expected.backward(theirs(adjoint))
    for x, other in zip(a, b, strict=True):
        assert_same(x.grad, other.grad, "float64", "gradient")


@BACKENDS
@DTYPES
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
@pytest.mark.parametrize("shape", [(5, 4), (4,), (2, 4, 3), (2, 4, 3, 2)])
def test_cross_entropy_is_torchs(
    shape: tuple[int, ...], label_smoothing: float, reduction: str, dtype: str, backend: str
) -> None:
    logits = array(*shape, dtype=dtype)
    target = SEED(1).integers(0, 4, shape[:1] + shape[2:] if len(shape) > 1 else ())
    a, b = ours(logits, backend, True), theirs(logits, True)
    options: dict[str, Any] = {"reduction": reduction, "label_smoothing": label_smoothing}
    y = nn.CrossEntropyLoss(**options)(a, ours(target, backend))
    expected = torch.nn.CrossEntropyLoss(**options)(b, theirs(target))
    assert_same(y, expected, dtype, "loss")
    y.sum().backward()
    expected.sum().backward()
    assert_same(a.grad, b.grad, dtype, "gradient")


@BACKENDS
@DTYPES
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_the_mean_squared_error_is_torchs(reduction: str, dtype: str, backend: str) -> None:
    values, target = array(3, 4, dtype=dtype), array(3, 4, seed=1, dtype=dtype)
    a, b = ours(values, backend, True), theirs(values, True)
    y = nn.MSELoss(reduction=reduction)(a, ours(target, backend))
    expected = torch.nn.MSELoss(reduction=reduction)(b, theirs(target))
    assert_same(y, expected, dtype, "loss")
    y.sum().backward()
    expected.sum().backward()
    assert_same(a.grad, b.grad, dtype, "gradient")


def test_a_loss_of_different_shapes_warns_as_in_torch() -> None:
    with pytest.warns(UserWarning, match=r"\(3, 1\) and \(3,\)"):
        F.mse_loss(ad.zeros(3, 1), ad.zeros(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        F.mse_loss(ad.zeros(3, 1), ad.zeros(3, 1))


@pytest.mark.parametrize("p", [0.2, 0.7])
def test_dropout_drops_as_many_as_torch_and_keeps_the_mean(p: float) -> None:
    ad.manual_seed(0)
    y = nn.Dropout(p)(ad.ones(100_000)).numpy()
    assert set(np.unique(y).round(12)) == {0.0, round(1 / (1 - p), 12)}
    assert abs((y == 0).mean() - p) < 0.01 and abs(y.mean() - 1) < 0.02


# Initial values: the distributions are torch's


INITIAL = {
    "Linear": lambda nn: nn.Linear(50, 400),
    "Conv2d": lambda nn: nn.Conv2d(8, 300, 3, groups=2),
    "Embedding": lambda nn: nn.Embedding(300, 50),
    "LayerNorm": lambda nn: nn.LayerNorm(300),
    "MultiheadAttention": lambda nn: nn.MultiheadAttention(96, 4),
}


@pytest.mark.parametrize("name", INITIAL)
def test_initial_values_have_torchs_distribution(name: str) -> None:
    from scipy.stats import ks_2samp

    ad.manual_seed(1)
    torch.manual_seed(1)
    made, peer = INITIAL[name](nn), INITIAL[name](torch.nn)
    for (key, x), y in zip(made.named_parameters(), peer.parameters(), strict=True):
        a, b = plain(x).ravel(), plain(y).ravel()
        assert ks_2samp(a, b).pvalue > 1e-3, f"{key} of {name}"
        if a.size > 1000:
            assert abs(a).max() == pytest.approx(abs(b).max(), rel=0.02 if name != "Embedding" else 0.3), key


INITS: list[tuple[str, dict[str, Any]]] = [
    ("uniform_", {"a": -2.0, "b": 3.0}),
    ("normal_", {"mean": 1.0, "std": 2.0}),
    ("trunc_normal_", {"std": 0.5, "a": -0.7, "b": 1.0}),
    ("constant_", {"val": 0.3}),
    ("zeros_", {}),
    ("ones_", {}),
    ("xavier_uniform_", {"gain": 1.5}),
    ("xavier_normal_", {}),
    ("kaiming_uniform_", {"a": math.sqrt(5)}),
    ("kaiming_uniform_", {"mode": "fan_out", "nonlinearity": "relu"}),
    ("kaiming_normal_", {"nonlinearity": "tanh"}),
]


@pytest.mark.parametrize(("name", "options"), INITS)
def test_init_draws_from_torchs_distribution(name: str, options: dict[str, Any]) -> None:
    from scipy.stats import ks_2samp

    ad.manual_seed(2)
    torch.manual_seed(2)
    x, y = ad.zeros(60, 20, 5), torch.zeros(60, 20, 5)
    assert getattr(nn.init, name)(x, **options) is x
    getattr(torch.nn.init, name)(y, **options)
    a, b = plain(x).ravel(), plain(y).ravel()
    assert ks_2samp(a.astype("float32"), b).pvalue > 1e-3
    assert a.std() == pytest.approx(b.std(), rel=0.05, abs=1e-6) and a.mean() == pytest.approx(b.mean(), abs=0.05)


@pytest.mark.parametrize("nonlinearity", ["linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"])
def test_gains_are_torchs(nonlinearity: str) -> None:
    assert nn.init.calculate_gain(nonlinearity) == pytest.approx(torch.nn.init.calculate_gain(nonlinearity))
    if nonlinearity == "leaky_relu":
        assert nn.init.calculate_gain(nonlinearity, 0.3) == pytest.approx(
            torch.nn.init.calculate_gain(nonlinearity, 0.3)
        )


# State, both ways


def models() -> tuple[Any, Any]:
    def make(nn: Any) -> Any:
        return nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(64, 8),
            nn.LayerNorm(8),
            nn.Linear(8, 3),
        )

    return make(nn), make(torch.nn)


@DTYPES
def test_a_state_goes_both_ways_and_the_models_agree(dtype: str) -> None:
    made, peer = models()
    made.to(dtype)
    peer.to(getattr(torch, dtype))
    x = array(3, 1, 8, 8, dtype=dtype)
    peer.load_state_dict({name: torch.from_numpy(value.numpy().copy()) for name, value in made.state_dict().items()})
    assert_same(made(ad.tensor(x)), peer(theirs(x)), dtype, "ours into torch's")
    _, other = models()
    other.to(getattr(torch, dtype))
    made.load_state_dict(other.state_dict())
    assert_same(made(ad.tensor(x)), other(theirs(x)), dtype, "torch's into ours")


def test_a_loaded_state_is_a_copy_and_an_assigned_one_is_shared() -> None:
    peer = torch.nn.Linear(2, 2).double()
    copied, assigned = nn.Linear(2, 2), nn.Linear(2, 2)
    copied.load_state_dict(peer.state_dict())
    assigned.load_state_dict(peer.state_dict(), assign=True)
    before = plain(copied.weight).copy()
    with torch.no_grad():
        peer.weight += 1
    assert (plain(copied.weight) == before).all()
    assert (plain(assigned.weight) == plain(peer.weight)).all()
    assert torch.is_tensor(assigned.weight.data) and assigned.weight.requires_grad


@DTYPES
def test_a_file_of_ours_loads_in_torch_and_torchs_here(dtype: str, tmp_path: Any) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    made, peer = models()
    made.to(dtype)
    peer.to(getattr(torch, dtype))
    ad.save(made.state_dict(), tmp_path / "ours.safetensors")
    state = safetensors.load_file(tmp_path / "ours.safetensors")
    peer.load_state_dict(state)
    x = array(3, 1, 8, 8, dtype=dtype)
    assert_same(made(ad.tensor(x)), peer(theirs(x)), dtype, "our file")
    _, other = models()
    safetensors.save_file(other.to(getattr(torch, dtype)).state_dict(), tmp_path / "theirs.safetensors")
    made.load_state_dict(ad.load(tmp_path / "theirs.safetensors"))
    assert_same(made(ad.tensor(x)), other(theirs(x)), dtype, "torch's file")


def test_a_file_of_torch_save_is_refused_with_the_way_out(tmp_path: Any) -> None:
    pytest.importorskip("safetensors")
    buffer = io.BytesIO()
    torch.save({"x": torch.zeros(2)}, buffer)
    (tmp_path / "x.pt").write_bytes(buffer.getvalue())
    with pytest.raises(ValueError, match=r"safetensors\.torch\.save_file"):
        ad.load(tmp_path / "x.pt")


@pytest.mark.parametrize(("name", "make", "shapes"), LAYERS, ids=[name for name, *_ in LAYERS])
def test_a_module_prints_as_in_torch(name: str, make: Callable[[Any], Any], shapes: Any) -> None:
    text, expected = repr(make(nn)), repr(make(torch.nn))
    for ours_only, torchs in (("MLP(", "Sequential("), ("TransformerBlock(", "TransformerEncoderLayer(")):
        text = text.replace(ours_only, torchs)
    expected = expected.replace("NonDynamicallyQuantizableLinear(", "Linear(")
    if "bias" not in repr(torch.nn.LayerNorm(1)):  # not all versions of torch print it
        text = re.sub(r"(elementwise_affine=\w+), bias=\w+", r"\1", text)
    assert text == expected


# Optimizers


OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.05, "momentum": 0.9}),
    ("SGD", {"lr": 0.05, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.05, "momentum": 0.8, "nesterov": True, "weight_decay": 0.01}),
    ("Adam", {}),
    ("Adam", {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-4, "weight_decay": 0.1}),
    ("AdamW", {}),
    ("AdamW", {"lr": 0.05, "weight_decay": 0.2}),
]


class Problem:
    """Parameters of several shapes and a loss that no step solves: ours, torch's, or on Scalars."""

    def __init__(self, kind: str, dtype: str) -> None:
        self.kind = kind
        start = [array(3, 4, dtype=dtype), array(4, seed=1, dtype=dtype), array(seed=2, dtype=dtype)]
        if kind == "theirs":
            self.parameters = [theirs(x, True) for x in start]
        elif kind == "scalars":
            self.parameters = [ad.Scalar(float(x)) for x in np.concatenate([np.ravel(x) for x in start])]
        else:
            self.parameters = [ours(x, kind, True) for x in start]
        self.x = array(5, 3, seed=7, dtype=dtype)

    def loss(self) -> Any:
        if self.kind == "scalars":
            w, b, c = self.parameters[:12], self.parameters[12:16], self.parameters[16]
            total = 0.0
            for row in self.x.tolist():
                for j in range(4):
                    y = sum((row[i] * w[4 * i + j] for i in range(3)), b[j] * c)
                    total = total + (y.tanh() - 0.3) ** 2
            return total / 20
        a, b, c = self.parameters
        x = theirs(self.x) if self.kind == "theirs" else ours(self.x, self.kind)
        return (((x @ a + b * c).tanh() - 0.3) ** 2).mean()

    def values(self) -> list[Any]:
        return [plain(x) for x in self.parameters]


def run(problem: Problem, optimizer: Any, steps: int = 20, after: Callable[[], Any] = lambda: None) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        problem.loss().backward()
        optimizer.step()
        after()


@DTYPES
@BACKENDS
@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_twenty_steps_of_an_optimizer_are_torchs(name: str, options: dict[str, Any], backend: str, dtype: str) -> None:
    a, b = Problem(backend, dtype), Problem("theirs", dtype)
    run(a, getattr(optim, name)(a.parameters, **options))
    run(b, getattr(torch.optim, name)(b.parameters, **options))
    for x, y in zip(a.parameters, b.parameters, strict=True):
        assert_same(x, y, dtype, name)


@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_scalars_are_trained_by_the_same_rules(name: str, options: dict[str, Any]) -> None:
    a, b = Problem("scalars", "float64"), Problem("theirs", "float64")
    run(a, getattr(optim, name)(a.parameters, **options))
    run(b, getattr(torch.optim, name)(b.parameters, **options))
    flat = np.concatenate([np.ravel(x) for x in b.values()])
    np.testing.assert_allclose([x.item() for x in a.parameters], flat, rtol=1e-10, atol=1e-12)
    assert all(type(x.data) is float for x in a.parameters)


@BACKENDS
def test_groups_have_options_of_their_own_as_in_torch(backend: str) -> None:
    a, b = Problem(backend, "float64"), Problem("theirs", "float64")
    for problem, library in ((a, optim), (b, torch.optim)):
        groups = [
            {"params": problem.parameters[:1], "lr": 0.1},
            {"params": problem.parameters[1:], "weight_decay": 0.0},
        ]
        run(problem, library.AdamW(groups, lr=0.02))
    for x, y in zip(a.values(), b.values(), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-10)


@BACKENDS
@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_torchs_state_of_an_optimizer_goes_on_here(name: str, options: dict[str, Any], backend: str) -> None:
    a, b = Problem(backend, "float64"), Problem("theirs", "float64")
    theirs_ = getattr(torch.optim, name)(b.parameters, **options)
    run(b, theirs_, 7)
    ours_ = getattr(optim, name)(a.parameters)
    for x, y in zip(a.parameters, b.parameters, strict=True):
        with ad.no_grad():
            x.copy_(ours(y.detach().numpy(), backend))
    ours_.load_state_dict(theirs_.state_dict())
    run(a, ours_, 7)
    run(b, theirs_, 7)
    for x, y in zip(a.values(), b.values(), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-9)


# Schedules


SCHEDULES: list[tuple[str, dict[str, Any]]] = [
    ("StepLR", {"step_size": 3}),
    ("StepLR", {"step_size": 1, "gamma": 0.5}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("CosineAnnealingLR", {"T_max": 10}),
    ("CosineAnnealingLR", {"T_max": 7, "eta_min": 0.01}),
    ("LinearLR", {}),
    ("LinearLR", {"start_factor": 0.1, "end_factor": 0.8, "total_iters": 9}),
    ("LambdaLR", {"lr_lambda": lambda t: min(1.0, (t + 1) / 8)}),
    ("LambdaLR", {"lr_lambda": [lambda t: 0.9**t, lambda t: 1 / (1 + t)]}),
]


def rates(library: Any, schedules: list[tuple[str, dict[str, Any]]], steps: int = 25) -> list[list[float]]:
    make = torch.zeros if library is torch.optim else ad.zeros
    groups = [{"params": [make(2, requires_grad=True)]}, {"params": [make(3, requires_grad=True)], "lr": 0.5}]
    optimizer = library.SGD(groups, lr=0.1)
    made = [getattr(library.lr_scheduler, name)(optimizer, **options) for name, options in schedules]
    seen = []
    for _ in range(steps):
        seen.append([group["lr"] for group in optimizer.param_groups])
        assert made[-1].get_last_lr() == seen[-1]
        optimizer.step()
        for schedule in made:
            schedule.step()
    return seen


@pytest.mark.parametrize(("name", "options"), SCHEDULES)
def test_a_schedule_gives_torchs_rates(name: str, options: dict[str, Any]) -> None:
    chosen = [(name, options)]
    np.testing.assert_allclose(rates(optim, chosen), rates(torch.optim, chosen), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("first", [0, 2, 3])
@pytest.mark.parametrize("second", [1, 2, 4, 6])
def test_two_schedules_on_one_optimizer_act_together_as_in_torch(first: int, second: int) -> None:
    chosen = [SCHEDULES[first], SCHEDULES[second]]
    np.testing.assert_allclose(rates(optim, chosen), rates(torch.optim, chosen), rtol=1e-9, atol=1e-15)


def test_all_schedules_are_compared() -> None:
    known = {
        name
        for name, kind in vars(lr_scheduler).items()
        if isinstance(kind, type) and issubclass(kind, lr_scheduler.LRScheduler)
    }
    assert known - {"LRScheduler"} == {name for name, _ in SCHEDULES}


# Clipping and vectors


@DTYPES
@BACKENDS
@pytest.mark.parametrize("norm_type", [2.0, 1.0, 3.0, math.inf])
@pytest.mark.parametrize("max_norm", [0.01, 100.0])
def test_clipping_the_norm_is_torchs(max_norm: float, norm_type: float, backend: str, dtype: str) -> None:
    a, b = Problem(backend, dtype), Problem("theirs", dtype)
    a.loss().backward()
    b.loss().backward()
    total = nn.utils.clip_grad_norm_(a.parameters, max_norm, norm_type)
    expected = torch.nn.utils.clip_grad_norm_(b.parameters, max_norm, norm_type)
    assert total.item() == pytest.approx(expected.item(), rel=TOLERANCE[dtype])
    for x, y in zip(a.parameters, b.parameters, strict=True):
        assert_same(x.grad, y.grad, dtype, "clipped gradient")


@BACKENDS
def test_clipping_values_is_torchs(backend: str) -> None:
    a, b = Problem(backend, "float32"), Problem("theirs", "float32")
    a.loss().backward()
    b.loss().backward()
    nn.utils.clip_grad_value_(a.parameters, 0.01)
    torch.nn.utils.clip_grad_value_(b.parameters, 0.01)
    for x, y in zip(a.parameters, b.parameters, strict=True):
        assert_same(x.grad, y.grad, "float32", "clipped gradient")


def test_clipping_works_on_scalars_too() -> None:
    a, b = Problem("scalars", "float64"), Problem("theirs", "float64")
    a.loss().backward()
    b.loss().backward()
    total = nn.utils.clip_grad_norm_(a.parameters, 0.01)
    assert total.item() == pytest.approx(torch.nn.utils.clip_grad_norm_(b.parameters, 0.01).item())
    nn.utils.clip_grad_value_(a.parameters, 0.003)
    torch.nn.utils.clip_grad_value_(b.parameters, 0.003)
    flat = np.concatenate([np.ravel(x.grad.numpy()) for x in b.parameters])
    np.testing.assert_allclose([x.grad for x in a.parameters], flat, rtol=1e-10)


def test_parameters_as_a_vector_and_back_are_torchs() -> None:
    made, peer = pair_of(
        nn.MLP(3, 4, 2),
        torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)),
        "numpy",
        "float64",
    )
    vector = nn.utils.parameters_to_vector(made.parameters())
    assert_same(vector, torch.nn.utils.parameters_to_vector(peer.parameters()), "float64", "vector")
    new = array(vector.numel(), seed=5)
    nn.utils.vector_to_parameters(ad.tensor(new), made.parameters())
    torch.nn.utils.vector_to_parameters(theirs(new), peer.parameters())
    for x, y in zip(made.parameters(), peer.parameters(), strict=True):
        assert_same(x, y, "float64", "parameter")


# A snippet


SNIPPET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 16)
        self.fc2 = nn.Linear(16, 3)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.fc2(nn.functional.relu(self.fc1(x))) * self.scale

torch.manual_seed(0)
net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.5)
x = torch.randn(60, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
for epoch in range(60):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
with torch.no_grad():
    accuracy = (net(x).argmax(dim=1) == y).double().mean().item()
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import torch\nfrom torch import nn, optim",
        "import torch\nimport torch.nn as nn\nimport torch.optim as optim",
        "import torch\nfrom torch import nn, optim\nimport torch.nn.functional as F\nnn.functional = F",
    ],
)
def test_a_snippet_runs_with_only_its_imports_changed(imports: str) -> None:
    changed = imports.replace("import torch\n", "import autodiff_lab as torch\n").replace("torch.", "autodiff_lab.")
    changed = changed.replace("from torch ", "from autodiff_lab ")
    assert changed != imports
    for first_lines in (changed, imports):
        names: dict[str, Any] = {"__name__": "snippet"}
        exec(first_lines + SNIPPET, names)
        assert names["accuracy"] > 0.95, first_lines
        assert names["scheduler"].get_last_lr() == pytest.approx([0.0125])
        assert ("autodiff_lab" in first_lines) == type(names["net"]).__mro__[1].__module__.startswith("autodiff_lab")


def test_there_is_one_module_under_each_of_its_names() -> None:
    import autodiff_lab.nn.functional
    import autodiff_lab.optim.lr_scheduler

    from autodiff_lab.engine import nn as engine_nn

    assert autodiff_lab.nn is nn is engine_nn and autodiff_lab.nn.functional is F
    assert autodiff_lab.optim.lr_scheduler is lr_scheduler

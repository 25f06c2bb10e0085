"""The engine in use: networks learn to read digits, however they are computed; exported, they read the same."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.static.portable import load
from autodiff_lab.engine.static.program import Program
from autodiff_lab.engine.static.trace import trace
from tests.peers import digits

pytest.importorskip("sklearn")

KINDS = pytest.mark.parametrize("kind", digits.STEPS)


@pytest.mark.parametrize(("kind", "least"), [("ConvNet", 0.95), ("ViT", 0.9)])
def test_a_network_reads_digits_it_has_not_seen(kind: str, least: float) -> None:
    model, losses, untrained = digits.trained(kind)
    assert np.mean(losses[:10]) > 2 and np.mean(losses[-50:]) < 0.3, "the loss falls"
    assert untrained < 0.3 and digits.accuracy(model) >= least
    assert all(x.dtype == "float32" and x.grad.dtype == "float32" for x in model.parameters())


def weights(kind: str, steps: int = 20, **how: Any) -> dict[str, Any]:
    model = digits.build(kind, **how)
    digits.train(model, steps)
    return {name: value.numpy() for name, value in model.state_dict().items()}


@KINDS
def test_checkpointing_changes_no_bit_of_what_is_learnt(kind: str) -> None:
    plain, checkpointed = weights(kind), weights(kind, checkpointed=True)
    other = weights(kind, seed=1)
    for name, value in plain.items():
        assert value.tobytes() == checkpointed[name].tobytes(), f"{name} differs"
    assert any((value != other[name]).any() for name, value in plain.items()), "another seed gives other weights"


@KINDS
def test_training_is_the_same_on_torch_arrays(kind: str) -> None:
    torch = pytest.importorskip("torch")
    images, targets, _, _ = digits.data()
    losses = []
    for array in (np.asarray, torch.from_numpy):
        model = digits.build(kind).double().eval()  # without dropout
        state = {name: array(value.numpy().copy()) for name, value in model.state_dict().items()}
        model.load_state_dict(state, assign=True)
        optimizer = ad.optim.AdamW(model.parameters(), lr=1e-3)
        seen = []
        for step in range(5):
            chosen = slice(32 * step, 32 * step + 32)
            x = ad.tensor(array(images[chosen].astype("float64")))
            loss = ad.nn.functional.cross_entropy(model(x), ad.tensor(array(targets[chosen])))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
        assert type(next(model.parameters()).data) is type(array(np.zeros(1)))
        losses.append(seen)
    np.testing.assert_allclose(*losses, rtol=1e-8)


# Exported, they read the same


@functools.cache
def program_of(kind: str) -> tuple[Any, Program, Any]:
    """A network, its program for all held-out images at once, and the digits it reads."""
    model, _, _ = digits.trained(kind)
    images = digits.data()[2]
    found = digits.predictions(model, images)
    return model, trace(lambda images: model(images), images), found


def onnx_runtime() -> Any:
    pytest.importorskip("onnx")
    return pytest.importorskip("onnxruntime")


@KINDS
def test_the_onnx_model_reads_every_digit_as_the_network_does(kind: str, tmp_path: Path) -> None:
    onnxruntime = onnx_runtime()
    _, program, found = program_of(kind)
    _, _, images, _ = digits.data()
    program.export_onnx(tmp_path / "digits.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "digits.onnx", providers=["CPUExecutionProvider"])
    (logits,) = session.run(None, {"images": images})
    np.testing.assert_array_equal(logits.argmax(1), found)
    np.testing.assert_allclose(logits, program(images), rtol=1e-4, atol=1e-4)


@KINDS
def test_the_torch_module_and_the_file_do_too(kind: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    model, program, found = program_of(kind)
    _, _, images, _ = digits.data()
    program.save(tmp_path / "digits.zip")
    loaded = load(tmp_path / "digits.zip")
    np.testing.assert_array_equal(loaded(images), program(images))
    module = program.to_torch()
    assert sum(p.numel() for p in module.parameters()) == sum(p.numel() for p in model.parameters())
    with torch.no_grad():
        logits = module(torch.from_numpy(images)).numpy()
    np.testing.assert_array_equal(logits.argmax(1), found)


@KINDS
def test_the_gradient_of_the_loss_runs_in_onnxruntime(kind: str) -> None:
    onnxruntime = onnx_runtime()
    model, _, _ = digits.trained(kind)
    images, targets = (x[:32] for x in digits.data()[:2])

    def gradient(x: Any, t: Any) -> Any:
        model.zero_grad()
        loss = ad.nn.functional.cross_entropy(model(x), t)
        loss.backward()
        return {"loss": loss, "grad": [p.grad for p in model.parameters()]}

    program = trace(gradient, images, targets)
    session = onnxruntime.InferenceSession(
        program.export_onnx().SerializeToString(), providers=["CPUExecutionProvider"]
    )
    loss, *slopes = session.run(None, {"x": images, "t": targets})
    want = gradient(ad.tensor(images), ad.tensor(targets))
    np.testing.assert_allclose(loss, want["loss"].item(), rtol=1e-5)
    assert len(slopes) == len(list(model.parameters()))
    for got, slope in zip(slopes, want["grad"], strict=True):
        np.testing.assert_allclose(got, slope.numpy(), rtol=2e-3, atol=2e-5)

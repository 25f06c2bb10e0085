"""Real use: trained networks as ONNX models, torch modules and files read the held-out digits as the networks do."""

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
from tests.peers.digits import build, data, predictions, train

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

STEPS = {"ConvNet": 120, "ViT": 300}
KINDS = pytest.mark.parametrize("kind", STEPS)


@functools.cache
def trained(kind: str) -> tuple[Any, Program, Any]:
    """A network, its program for all held-out images at once, and the digits it reads."""
    model = build(kind)
    train(model, STEPS[kind])
    _, _, images, targets = data()
    found = predictions(model, images)
    assert (found == targets).mean() > 0.85, "the network has learnt too little for the test to mean anything"
    return model, trace(lambda images: model(images), images), found


@KINDS
def test_the_onnx_model_reads_every_digit_as_the_network_does(kind: str, tmp_path: Path) -> None:
    _, program, found = trained(kind)
    _, _, images, _ = data()
    program.export_onnx(tmp_path / "digits.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "digits.onnx", providers=["CPUExecutionProvider"])
    (logits,) = session.run(None, {"images": images})
    np.testing.assert_array_equal(logits.argmax(1), found)
    np.testing.assert_allclose(logits, program(images), rtol=1e-4, atol=1e-4)


@KINDS
def test_the_torch_module_and_the_file_do_too(kind: str, tmp_path: Path) -> None:
    model, program, found = trained(kind)
    _, _, images, _ = data()
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
    model, _, _ = trained(kind)
    images, targets = (x[:32] for x in data()[:2])

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

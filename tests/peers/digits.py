"""Real use: scikit-learn's bundled digits, a convolutional network and a vision transformer that learn to read them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import autodiff_lab as ad
from autodiff_lab import nn, optim
from autodiff_lab.engine.checkpoint import checkpoint

HELD_OUT = 360
STEPS = {"ConvNet": 250, "ViT": 400}
"""Enough to learn, in some seconds."""


@functools.cache
def data() -> tuple[Any, Any, Any, Any]:
    """Images (n, 1, 8, 8), float32 from 0 to 1, and digits (n,), int64: to learn from, and 360 held out."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images = (digits.images[order, None] / 16).astype("float32")
    targets = digits.target[order].astype("int64")
    return images[HELD_OUT:], targets[HELD_OUT:], images[:HELD_OUT], targets[:HELD_OUT]


class ConvNet(nn.Module):
    """Two convolutions, each with pooling behind it, and two linear layers: (n, 1, 8, 8) to logits (n, 10)."""

    def __init__(self, checkpointed: bool = False) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(128, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))
        self.checkpointed = checkpointed

    def forward(self, x: Any) -> Any:
        return run(self.classifier, run(self.features, x, self.checkpointed), self.checkpointed)


class ViT(nn.Module):
    """Patches of 2 × 2 pixels, two transformer blocks, the mean over patches: (n, 1, 8, 8) to logits (n, 10)."""

    def __init__(self, checkpointed: bool = False, width: int = 32) -> None:
        super().__init__()
        self.embed = nn.Conv2d(1, width, 2, stride=2)
        self.position = nn.Parameter(nn.init.normal_(ad.zeros(1, 16, width), std=0.02))
        self.blocks = nn.ModuleList([nn.TransformerBlock(width, 4, 2 * width, dropout=0.1) for _ in range(2)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 10)
        self.checkpointed = checkpointed

    def forward(self, x: Any) -> Any:
        x = self.embed(x).flatten(2).transpose(1, 2) + self.position  # (n, 16, width)
        for block in self.blocks:
            x = run(block, x, self.checkpointed)
        return self.head(self.norm(x).mean(1))


def run(module: Any, x: Any, checkpointed: bool) -> Any:
    """The module on ``x``; checkpointed, its inner values are computed again in the backward sweep."""
    return checkpoint(module, x) if checkpointed else module(x)


def build(kind: str, checkpointed: bool = False, seed: int = 0) -> Any:
    """ "ConvNet" or "ViT", in float32, with initial values that depend on the seed alone."""
    ad.manual_seed(seed)
    return {"ConvNet": ConvNet, "ViT": ViT}[kind](checkpointed).float()


def train(model: Any, steps: int, batch: int = 64, lr: float = 5e-3, seed: int = 0) -> list[float]:
    """Train on random batches; AdamW with a warm-up and a cosine. The loss of each step."""
    ad.manual_seed(seed)
    images, targets, _, _ = data()
    loss_of = nn.CrossEntropyLoss()
    optimizer = optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
    warm_up = optim.lr_scheduler.LinearLR(optimizer, 0.05, total_iters=20)
    cosine = optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    batches = np.random.default_rng(seed)
    losses = []
    model.train()
    with threadpool_limits(1):  # the matrices are too small to be shared out
        for _ in range(steps):
            chosen = batches.integers(0, len(images), batch)
            optimizer.zero_grad()
            loss = loss_of(model(ad.tensor(images[chosen])), ad.tensor(targets[chosen]))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            warm_up.step()
            cosine.step()
            losses.append(loss.item())
    return losses


@functools.cache
def trained(kind: str) -> tuple[Any, list[float], float]:
    """A network that has learnt, the loss of each step, and its accuracy before. Not to be changed."""
    model = build(kind)
    untrained = accuracy(model)
    return model, train(model, STEPS[kind]), untrained


def predictions(model: Any, images: Any) -> Any:
    """The digit that the model sees in each image, a NumPy array."""
    model.eval()
    with ad.no_grad():
        return model(ad.tensor(images)).argmax(1).numpy()


def accuracy(model: Any) -> float:
    """The share of held-out images that are read right."""
    _, _, images, targets = data()
    return float((predictions(model, images) == targets).mean())

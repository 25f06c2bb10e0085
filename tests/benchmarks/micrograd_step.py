"""micrograd's demo step on micrograd and on this engine: a 2-16-16-1 network on 100 points; forward, loss, backward.

All run the same formulas in the same order: the network of `micrograd.nn`, the SVM hinge loss with L2 regularisation
of its demo, and the gradients of the 337 parameters. Python's garbage collector is left as it is.
"""

from __future__ import annotations

import random
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.benchmarks import harness
from tests.benchmarks.harness import Target, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    Prepared = tuple[Callable[[], Any], Callable[[], Any]]

SIZES = (2, 16, 16, 1)


def data(count: int = 100) -> tuple[list[list[float]], list[int]]:
    """Two interleaved half circles with noise, labels -1 and 1: the demo's make_moons without its dependency."""
    from math import cos, pi, sin

    rng = random.Random(1337)
    points, labels = [], []
    for i in range(count):
        angle = pi * rng.random()
        x, y = (cos(angle), sin(angle)) if i % 2 else (1 - cos(angle), 0.5 - sin(angle))
        points.append([x + rng.gauss(0, 0.1), y + rng.gauss(0, 0.1)])
        labels.append(1 if i % 2 else -1)
    return points, labels


def initial_parameters() -> list[float]:
    """Weights and zero biases in the order of `micrograd.nn.MLP.parameters`."""
    rng = random.Random(1337)
    return [w for i, o in pairwise(SIZES) for _ in range(o) for w in [*(rng.uniform(-1, 1) for _ in range(i)), 0.0]]


class Neuron:
    """micrograd's neuron, with nothing but the node type replaced."""

    def __init__(self, w: list[Any], b: Any, nonlin: bool) -> None:
        self.w = w
        self.b = b
        self.nonlin = nonlin

    def __call__(self, x: list[Any]) -> Any:
        act = sum((wi * xi for wi, xi in zip(self.w, x, strict=False)), self.b)
        return act.relu() if self.nonlin else act


class MLP:
    """micrograd's network over `Scalar`."""

    def __init__(self, node: Callable[[float], Any], values: list[float]) -> None:
        given = iter(values)
        self.layers = [
            [Neuron([node(next(given)) for _ in range(i)], node(next(given)), k < len(SIZES) - 2) for _ in range(o)]
            for k, (i, o) in enumerate(pairwise(SIZES))
        ]

    def __call__(self, x: list[Any]) -> Any:
        for layer in self.layers:
            out = [n(x) for n in layer]
            x = out[0] if len(out) == 1 else out
        return x

    def parameters(self) -> list[Any]:
        return [p for layer in self.layers for n in layer for p in [*n.w, n.b]]


def loss_of(model: Callable[[list[Any]], Any], parameters: list[Any], node: Callable[[float], Any]) -> Any:
    """The demo's loss: the mean hinge loss plus 1e-4 times the sum of the squared parameters."""
    points, labels = data()
    inputs = [list(map(node, point)) for point in points]
    scores = list(map(model, inputs))
    losses = [(1 + -yi * score).relu() for yi, score in zip(labels, scores, strict=True)]
    return sum(losses) * (1.0 / len(losses)) + 1e-4 * sum(p * p for p in parameters)


def micrograd() -> Prepared:
    """micrograd itself."""
    from micrograd.engine import Value
    from micrograd.nn import MLP as MicrogradMLP

    model = MicrogradMLP(SIZES[0], list(SIZES[1:]))
    parameters = model.parameters()
    for p, value in zip(parameters, initial_parameters(), strict=True):
        p.data = value
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))  # its backward is recursive
    losses = []

    def step() -> None:
        loss = loss_of(model, parameters, Value)
        model.zero_grad()
        loss.backward()
        losses[:] = [loss.data]

    return step, lambda: [*losses, [p.grad for p in parameters]]


def ours() -> Prepared:
    """This engine's scalars."""
    from autodiff_lab import Scalar
    from autodiff_lab.engine.rules import VALUES

    VALUES["spare"].clear()  # nodes that an earlier graph left would be missing from the peak
    model = MLP(Scalar, initial_parameters())
    parameters = model.parameters()
    losses = []

    def step() -> None:
        loss = loss_of(model, parameters, Scalar)
        for p in parameters:
            p.grad = None
        loss.backward()
        losses[:] = [float(loss)]

    return step, lambda: [*losses, [float(p.grad) for p in parameters]]


def compiled() -> Prepared:
    """The loss of one point and its gradient as one compiled function of floats, called for each point."""
    import autodiff_lab as ad

    points, labels = data()
    samples = [(x, y, float(label)) for (x, y), label in zip(points, labels, strict=True)]
    parameters = initial_parameters()
    found: list[Any] = []

    def loss_of(parameters: list[Any], x: Any, y: Any, label: Any) -> Any:
        given = iter(parameters)
        return (1 + -label * MLP(lambda _: next(given), parameters)([x, y])).relu()

    @ad.compile
    def sample(loss: Any, gradients: list[Any], parameters: list[Any], *point: Any) -> tuple[Any, list[Any]]:
        """The sums so far with those of one more point added."""
        more, slopes = ad.value_and_grad(lambda *p: loss_of(list(p), *point), tuple(range(len(parameters))))(
            *parameters
        )
        return loss + more, [g + slope for g, slope in zip(gradients, slopes, strict=True)]

    @ad.compile
    def finish(loss: Any, gradients: list[Any], parameters: list[Any]) -> tuple[Any, list[Any]]:
        """The means, with the regularisation added."""
        share = 1.0 / len(samples)
        slopes = [g * share + 2e-4 * p for g, p in zip(gradients, parameters, strict=True)]
        return loss * share + 1e-4 * sum(p * p for p in parameters), slopes

    def step() -> None:
        loss, gradients = 0.0, [0.0] * len(parameters)
        for point in samples:
            loss, gradients = sample(loss, gradients, parameters, *point)
        found[:] = finish(loss, gradients, parameters)

    return step, lambda: found


WORKS = [
    Work(
        "micrograd's demo step, 2-16-16-1 on 100 points",
        {"micrograd": micrograd, "autodiff_lab": ours, "autodiff_lab, compiled": compiled},
        [Target("autodiff_lab", "micrograd", 1 / 18, 1 / 21), Target("autodiff_lab, compiled", "micrograd", 1 / 100)],
        rounds=11,
        peak=True,
    )
]


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark table."""
    return harness.run(WORKS)

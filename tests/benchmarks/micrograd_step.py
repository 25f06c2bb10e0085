"""micrograd's demo step on micrograd and on this engine: a 2-16-16-1 network on 100 points; forward, loss, backward.

Both run the same formulas in the same order: the network of `micrograd.nn`, the SVM hinge loss with L2 regularisation
of its demo, and the gradients of the 337 parameters. Python's garbage collector is left as it is. Each engine has
a process of its own, in which it does step after step, as in training; the two take turns, and a step's time is the CPU
time of its process. Peak memory is measured in two more processes.

    python -m autodiff_lab bench            # with the other benchmarks
    python -m tests.benchmarks.micrograd_step
"""

from __future__ import annotations

import os

for _pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_pool, "1")

import json
import random
import statistics
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

WORK = "micrograd's demo step, 2-16-16-1 on 100 points"
SIZES = (2, 16, 16, 1)
ROUNDS = 15


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


def micrograd_step() -> Callable[[], tuple[float, list[float]]]:
    """A step of the real micrograd."""
    from micrograd.engine import Value
    from micrograd.nn import MLP as MicrogradMLP

    model = MicrogradMLP(SIZES[0], list(SIZES[1:]))
    parameters = model.parameters()
    for p, value in zip(parameters, initial_parameters(), strict=True):
        p.data = value
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))  # its backward is recursive

    def step() -> tuple[float, list[float]]:
        loss = loss_of(model, parameters, Value)
        model.zero_grad()
        loss.backward()
        return loss.data, [p.grad for p in parameters]

    return step


def our_step() -> Callable[[], tuple[float, list[float]]]:
    """A step of this engine."""
    from autodiff_lab import Scalar

    model = MLP(Scalar, initial_parameters())
    parameters = model.parameters()

    def step() -> tuple[float, list[float]]:
        loss = loss_of(model, parameters, Scalar)
        for p in parameters:
            p.grad = None
        loss.backward()
        return loss.data, [p.grad for p in parameters]

    return step


ENGINES = {"micrograd": micrograd_step, "autodiff_lab": our_step}


class Worker:
    """A process that does one engine's steps and nothing else, so that no engine meets the garbage of another."""

    def __init__(self, engine: str) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.micrograd_step", "--worker", engine]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.loss, self.slopes = self.read()

    def read(self) -> Any:
        """The worker's next answer; RuntimeError if it died (its own message is on stderr)."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(self.process.args)} ended with code {self.process.wait()}")
        return json.loads(line)

    def step(self) -> float:
        """CPU seconds of one more step."""
        assert self.process.stdin is not None
        print("step", file=self.process.stdin, flush=True)
        return float(self.read())

    def end(self) -> None:
        """Let the worker finish."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def _work(engine: str) -> None:
    step = ENGINES[engine]()
    print(json.dumps(step()), flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        step()
        print(json.dumps(time.process_time() - start), flush=True)


def seconds(rounds: int = ROUNDS) -> dict[str, float]:
    """Median CPU seconds of a step for each engine; AssertionError if their losses or gradients differ."""
    workers = {name: Worker(name) for name in ENGINES}
    theirs, ours = workers["micrograd"], workers["autodiff_lab"]
    assert abs(theirs.loss - ours.loss) < 1e-12, f"losses differ: {theirs.loss} and {ours.loss}"
    assert all(abs(p - q) < 1e-12 for p, q in zip(theirs.slopes, ours.slopes, strict=True)), "gradients differ"
    times = [{name: worker.step() for name, worker in workers.items()} for _ in range(rounds)]
    for worker in workers.values():
        worker.end()
    return {name: statistics.median(taken[name] for taken in times) for name in ENGINES}


def peak_bytes(engine: str) -> int:
    """The most bytes that a step has allocated at one time, model included, by tracemalloc in a fresh process."""
    command = [sys.executable, "-m", "tests.benchmarks.micrograd_step", "--peak-of", engine]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _print_peak(engine: str) -> None:
    import tracemalloc

    ENGINES[engine]()()  # so that imports and generated code do not count
    tracemalloc.start()
    step = ENGINES[engine]()
    step()
    step()
    print(tracemalloc.get_traced_memory()[1])


def run(rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """The rows of the benchmark table.

    ``ratio`` is how many times faster the engine is than the one named by ``ratio_to``, ``peak_ratio`` how many times
    less memory it takes."""
    taken = seconds(rounds)
    peak = {name: peak_bytes(name) for name in ENGINES}
    return [
        {
            "work": WORK,
            "engine": name,
            "median_s": taken[name],
            "ratio_to": "micrograd",
            "ratio": taken["micrograd"] / taken[name],
            "peak_bytes": peak[name],
            "peak_ratio": peak["micrograd"] / peak[name],
        }
        for name in ENGINES
    ]


if __name__ == "__main__":
    if "--peak-of" in sys.argv:
        _print_peak(sys.argv[-1])
    elif "--worker" in sys.argv:
        _work(sys.argv[-1])
    else:
        for row in run():
            print(
                f"{row['engine']:>12} {row['median_s'] * 1e3:7.1f} ms, {row['ratio']:4.1f} times as fast as micrograd; "
                f"{row['peak_bytes'] / 1e6:6.1f} MB at peak, {row['peak_ratio']:4.1f} times less"
            )

"""Checkpointing: 1,024 layers of width 512 in 32 segments, and torch's own checkpoint_sequential on the same network.

Every layer is ``tanh(x @ W + b)`` on a batch of 32, in float64, with one W and b for all of them, as a recurrent
network has over 1,024 steps: with matrices of their own, these and their gradients would be 4 GB, beside which no
checkpoint of activations is seen. All engines must give the same values and gradients, and with and without checkpoints
an engine gives them to the last bit.

Peak memory is the most that a step has allocated at one time, above what there was before it, in a process of its own:
by tracemalloc for this engine, which counts NumPy's arrays and Python's objects, and by torch's profiler for torch,
which counts its arrays alone. (What a process has resident is no measure of torch: its memory falls into pieces.)
"""

from __future__ import annotations

import multiprocessing
import os
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from tests.benchmarks import harness
from tests.benchmarks.harness import Target, Work

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Prepared = tuple[Callable[[], Any], Callable[[], Any]]

LAYERS, WIDTH, BATCH, SEGMENTS = 1024, 512, 32, 32


def problem() -> tuple[Any, Any, Any]:
    """Inputs (BATCH, WIDTH), an orthogonal matrix, so that nothing grows or dies on the way, and a bias."""
    import numpy as np

    rng = np.random.default_rng(0)
    W, _ = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))
    return rng.standard_normal((BATCH, WIDTH)), W, np.zeros(WIDTH)


def ours(checkpointed: bool, torch_arrays: bool = False, layers: int = LAYERS) -> Prepared:
    """This engine, on NumPy's or on torch's arrays."""
    import autodiff_lab as ad
    from autodiff_lab.engine.checkpoint import checkpoint_sequential

    arrays = problem()
    if torch_arrays:
        import torch

        arrays = map(torch.from_numpy, arrays)
    x, W, b = (ad.tensor(array, requires_grad=True) for array in arrays)
    functions = [lambda h: (h @ W + b).tanh()] * layers
    return training(functions, x, W, b, checkpoint_sequential if checkpointed else None)


def theirs(checkpointed: bool, layers: int = LAYERS) -> Prepared:
    """torch, as it comes."""
    import torch
    from torch.utils.checkpoint import checkpoint_sequential

    x, W, b = (torch.from_numpy(array).requires_grad_() for array in problem())
    functions = [lambda h: (h @ W + b).tanh()] * layers
    return training(functions, x, W, b, checkpoint_sequential if checkpointed else None)


def training(functions: list[Any], x: Any, W: Any, b: Any, in_segments: Any) -> Prepared:
    """Forward and backward, in the same lines for this engine and for torch."""
    found = []

    def step() -> None:
        for leaf in (x, W, b):
            leaf.grad = None
        if in_segments:
            y = in_segments(functions, min(SEGMENTS, len(functions)), x, use_reentrant=False)
        else:
            y = x
            for function in functions:
                y = function(y)
        loss = (y * y).sum()
        loss.backward()
        found[:] = [loss.item()]

    return step, lambda: [*found, *(leaf.grad.detach().numpy() for leaf in (x, W, b))]


PLAIN, SEGMENTED = "all values kept", "checkpointed"
ENGINES: dict[str, Callable[..., Prepared]] = {
    PLAIN: partial(ours, False),
    SEGMENTED: partial(ours, True),
    f"torch, {PLAIN}": partial(theirs, False),
    f"torch, {SEGMENTED}": partial(theirs, True),
}
WORKS = [
    Work(
        f"{LAYERS:,} layers of width {WIDTH}, batch {BATCH}, {SEGMENTS} segments",
        dict(ENGINES),
        [
            Target(SEGMENTED, PLAIN, 1.25, peak_at_most=1 / 20),
            Target(f"torch, {SEGMENTED}", f"torch, {PLAIN}"),
        ],  # torch may take its time
        rounds=7,
        tolerance=1e-8,
    )
]


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark table.

    ``ratio`` is the CPU time over that of ``ratio_to``, ``peak_ratio`` the peak memory over the peer's."""
    rows = harness.run(WORKS)
    peak = {row["engine"]: peak_bytes(row["engine"]) for row in rows if "median_s" in row}
    for row in rows:
        if row["engine"] in peak:
            row |= {"peak_bytes": peak[row["engine"]], "peak_ratio": peak[row["engine"]] / peak[row["ratio_to"]]}
    return rows


def peak_bytes(name: str) -> int:
    """What an engine's step allocates at its peak, in a fresh process."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=measure_peak, args=(name, there), daemon=True)
    process.start()
    process.join()
    if not here.poll():
        raise RuntimeError(f"a process that measures memory ended with code {process.exitcode}; its message is above")
    return int(here.recv())


def measure_peak(name: str, parent: Connection) -> None:
    """The life of such a process."""
    os.environ.update(harness.ONE_THREAD)
    step, _ = ENGINES[name](layers=4)
    step()  # so that imports and generated code do not count
    step, _ = ENGINES[name]()
    parent.send((allocated_by_torch if name.startswith("torch") else allocated)(step))


def allocated(step: Callable[[], Any]) -> int:
    """The most bytes allocated during a step by NumPy and Python."""
    import tracemalloc

    tracemalloc.start()
    step()
    return tracemalloc.get_traced_memory()[1]


def allocated_by_torch(step: Callable[[], Any]) -> int:
    """The most bytes allocated during a step by torch for arrays."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled:
        step()
    assert profiled.profiler is not None and profiled.profiler.kineto_results is not None
    events = [event for event in profiled.profiler.kineto_results.events() if event.name() == "[memory]"]
    events.sort(key=lambda event: event.start_ns())
    return max(accumulate(event.nbytes() for event in events))


if __name__ == "__main__":
    for row in run():
        print(
            f"{row['engine']:>24} {row['median_s']:6.3f} s, {row['ratio']:.3f} times {row['ratio_to']}; "
            f"{row['peak_bytes'] / 1e6:7.1f} MB at peak, {1 / row['peak_ratio']:.1f} times less"
        )

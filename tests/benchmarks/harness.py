"""How a benchmark is measured: each engine in a process of its own, on one core, in turns, by CPU time.

A benchmark is a module here with a list `WORKS` and a function `run`. What an engine does is a function that prepares
the work and returns two others: one does a step and is timed, the other returns every number that the engines must
agree on. It imports what it needs inside, so that no process has more loaded than its own engine.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Prepare = Callable[[], tuple[Callable[[], Any], Callable[[], Any]]]

WARM_UP = 3  # steps before the results are compared: what is compiled is compiled, and parameters have moved
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}


@dataclass(frozen=True)
class Target:
    """How much of a peer's time an engine may take, how much it is meant to take, and how much of its memory.

    Without ``at_most`` the two are compared, and nothing is asked."""

    engine: str
    peer: str
    at_most: float | None = None
    aim: float | None = None
    at_least: float = 0.0
    peak_at_most: float | None = None


@dataclass(frozen=True)
class Work:
    """Something to do, those who do it, and what is asked of them.

    An engine without a target is compared with the first."""

    name: str
    engines: dict[str, Prepare]
    targets: list[Target] = field(default_factory=list)
    turn: float = 0.03  # seconds of one engine before it is another's turn; at least one step
    rounds: int = 15
    peak: bool = False  # whether memory is measured too
    tolerance: float = 1e-9  # of the results, relative


def run(works: list[Work]) -> list[dict[str, Any]]:
    """The rows of the ratio table: ``ratio`` is the median CPU time of ``engine`` over that of ``ratio_to``.

    A row whose engine is not installed has ``missing``, the module's name, and nothing else that is measured.
    Raises AssertionError where two engines disagree about a result."""
    return [row for work in works for row in measure(work)]


def measure(work: Work) -> list[dict[str, Any]]:
    """The rows of one work."""
    workers = {name: Worker(work, name) for name in work.engines}
    rows = [
        {"work": work.name, "engine": name, "missing": worker.missing}
        for name, worker in workers.items()
        if worker.missing
    ]
    present = {name: worker for name, worker in workers.items() if not worker.missing}
    if not present:
        return rows
    first = next(iter(present))
    for name, worker in present.items():
        assert_equal(present[first].result, worker.result, work.tolerance, f"{work.name}: {first} and {name}")
    times = [{name: worker.turn() for name, worker in present.items()} for _ in range(work.rounds)]
    for worker in present.values():
        worker.end()
    taken = {name: statistics.median(time[name] for time in times) for name in present}
    peak = {name: Worker(work, name, timed=False).result for name in present} if work.peak else {}
    pairs = {(t.engine, t.peer): t for t in work.targets if {t.engine, t.peer} <= set(present)}
    named = {engine for engine, _ in pairs}
    for name in present:
        for engine, peer in [pair for pair in pairs if pair[0] == name] or [(name, first)] * (name not in named):
            row = {"work": work.name, "engine": engine, "median_s": taken[engine]}
            row |= {"ratio_to": peer, "ratio": taken[engine] / taken[peer]}
            target = pairs.get((engine, peer), Target(engine, peer))
            if target.at_most is not None:
                row |= {"target": target.at_most, "aim": target.aim, "at_least": target.at_least}
            if target.peak_at_most is not None:
                row["peak_target"] = target.peak_at_most
            if peak:
                row |= {"peak_bytes": peak[engine], "peak_ratio": peak[engine] / peak[peer]}
            rows.append(row)
    return rows


class Worker:
    """A process that does one engine's steps and nothing else, so that no engine meets the garbage of another."""

    def __init__(self, work: Work, name: str, timed: bool = True) -> None:
        context = multiprocessing.get_context("spawn")
        self.name = f"{name} ({work.name})"
        self.connection, theirs = context.Pipe()
        arguments = (work.engines[name], theirs, work.turn if timed else None)
        self.process = context.Process(target=serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()
        self.missing, self.result = self._receive()

    def _receive(self) -> Any:
        try:
            return self.connection.recv()
        except EOFError:
            self.process.join()
            raise RuntimeError(f"{self.name} ended with code {self.process.exitcode}; its message is above") from None

    def turn(self) -> float:
        """CPU seconds of a step, the mean over a turn."""
        self.connection.send("turn")
        return float(self._receive())

    def end(self) -> None:
        """Let the process finish."""
        self.connection.close()
        self.process.join()


def serve(prepare: Prepare, parent: Connection, turn: float | None) -> None:
    """The life of a worker: results first, then a time for each request; without ``turn``, its peak memory instead."""
    os.environ.update(ONE_THREAD)
    if hasattr(os, "sched_setaffinity"):  # Linux
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    # Until a process has freed a large block, glibc returns what each step frees to the system and has to ask for it
    # again, which can take as long as the arithmetic. Let it not depend on what an engine happened to free before.
    bytearray(31 << 20)
    try:
        step, result = prepare()
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("autodiff_lab", "tests")):
            raise
        parent.send((error.name, None))
        return
    if turn is None:
        parent.send((None, peak_bytes(prepare, step)))
        return
    for _ in range(WARM_UP):
        step()
    parent.send((None, result()))
    steps = max(1, round(turn / timed(step, 1)))
    while True:
        try:
            parent.recv()
        except EOFError:
            return
        parent.send(timed(step, steps))


def timed(step: Callable[[], Any], count: int) -> float:
    """CPU seconds of a step, the mean of ``count``. The time of all threads of the process counts."""
    start = time.process_time()
    for _ in range(count):
        step()
    return (time.process_time() - start) / count


def peak_bytes(prepare: Prepare, step: Callable[[], Any]) -> int:
    """The most bytes that two steps have allocated at one time, preparation included, by tracemalloc."""
    import tracemalloc

    step()  # so that imports and generated code do not count
    tracemalloc.start()
    step, _ = prepare()
    step()
    step()
    return tracemalloc.get_traced_memory()[1]


def assert_equal(expected: Any, found: Any, tolerance: float, where: str) -> None:
    """Compare two results, numbers, arrays or lists of them; AssertionError with the place where they differ."""
    import numpy

    if isinstance(expected, (list, tuple)):
        assert len(expected) == len(found), f"{where}: {len(expected)} and {len(found)} results"
        for position, (a, b) in enumerate(zip(expected, found, strict=True)):
            assert_equal(a, b, tolerance, f"{where}, result {position}")
        return
    a, b = numpy.asarray(expected), numpy.asarray(found)
    assert a.shape == b.shape, f"{where}: shapes {a.shape} and {b.shape}"
    off = numpy.max(numpy.abs(a - b), initial=0.0)
    assert numpy.allclose(b, a, rtol=tolerance, atol=1e-12), f"{where}: the results differ by up to {off:.3g}"

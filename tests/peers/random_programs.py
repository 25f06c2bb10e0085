"""Random graphs and programs beside PyTorch: ``python -m tests.peers.random_programs GRAPHS PROGRAMS SEED``.

All in float64 and in float32. A graph is computed and swept step by step. A program is a graph too, and is run in every
way there is: step by step, traced, optimized, compiled, checkpointed, saved and loaded, and by onnxruntime.
"""

from __future__ import annotations

import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

import autodiff_lab as ad
from tests.peers.against_torch import Ours, T
from tests.peers.test_torch_graphs import STEPS, build, one_and_all

TOLERANCE = {"float64": 1e-8, "float32": 2e-3}
NUDGE = {"float64": 1e-13, "float32": 3e-7}


def is_of_values(step: Callable[..., Any]) -> bool:
    """Whether the shape of a step's result depends on values, which no program can say."""
    return one_and_all.__name__ in step.__code__.co_names


FIXED = [number for number, step in enumerate(STEPS) if not is_of_values(step)]


class Case(NamedTuple):
    """A random function of arrays; it returns the last node and the sum of all."""

    seed: int
    steps: list[tuple[int, int, int, int]]
    arrays: list[Any]

    def function(self, module: Any, nudge: Callable[[Any], Any] = lambda y: y) -> Callable[..., Any]:
        def random_function(*xs: Any) -> Any:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return tuple(build(module, list(xs), self.steps, nudge))

        return random_function

    def as_dtype(self, dtype: str) -> Case:
        return self._replace(arrays=[x.astype(dtype) for x in self.arrays])


def case(seed: int, kinds: list[int], most: int) -> Case:
    """The case of a seed, of steps of the given kinds."""
    rng = random.Random(seed)
    steps = [
        (rng.choice(kinds), rng.randrange(8), rng.randrange(8), rng.randrange(6)) for _ in range(rng.randint(5, most))
    ]
    shapes = [tuple(rng.randint(1, 4) for _ in range(rng.randint(0, 3))) for _ in range(rng.randint(1, 3))]
    numbers = np.random.default_rng(seed)
    return Case(seed, steps, [np.asarray(numbers.uniform(-1, 1, shape)) for shape in shapes])


def plain(x: Any) -> Any:
    """The elements of a result, ours or torch's."""
    x = x.detach() if hasattr(x, "detach") else x
    x = getattr(x, "data", x) if not isinstance(x, (np.ndarray, np.generic)) else x
    return x.numpy() if torch.is_tensor(x) else np.asarray(x)


def theirs(this: Case, nudge: Callable[[Any], Any] = lambda y: y) -> tuple[list[Any], list[Any]]:
    """Values and adjoints of PyTorch."""
    leaves = [torch.from_numpy(x.copy()).requires_grad_() for x in this.arrays]
    values = this.function(T, nudge)(*leaves)
    values[1].backward() if values[1].requires_grad else None
    return [plain(y) for y in values], [np.zeros_like(plain(x)) if x.grad is None else plain(x.grad) for x in leaves]


def swept(f: Callable[..., Any], this: Case, backend: str = "numpy") -> tuple[list[Any], list[Any]]:
    """Values and adjoints of a function of ours on nodes."""
    leaves = [
        ad.tensor(x if backend == "numpy" else torch.from_numpy(x.copy()), requires_grad=True) for x in this.arrays
    ]
    values = f(*leaves)
    if values[1].requires_grad:
        values[1].backward()
    return [plain(y) for y in values], [np.zeros_like(plain(x)) if x.grad is None else plain(x.grad) for x in leaves]


def apart(got: Any, wanted: Any, tolerance: float) -> bool:
    """Whether arrays differ, in dtype, in shape or by more than ``tolerance``."""
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return True
    return not np.allclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)


def differences(found: Any, wanted: Any, this: Case, dtype: str) -> list[str]:
    """What differs, if it is not rounding that decides."""
    pairs = [
        (f"{what} {i}", got, want)
        for what, ours, others in zip(("value", "adjoint"), found, wanted, strict=True)
        for i, (got, want) in enumerate(zip(ours, others, strict=True))
    ]
    wrong = [f"{what}: {got} and {want}" for what, got, want in pairs if apart(got, want, TOLERANCE[dtype])]
    if wrong and rounding_decides(wanted, this, dtype):
        DECIDED.append(this.seed)
        return []
    return wrong


DECIDED: list[int] = []  # seeds of what was not compared, because rounding decides


def rounding_decides(wanted: Any, this: Case, dtype: str) -> bool:
    """Whether PyTorch's own result changes as much where all of its steps are off by a rounding, as beside a kink.

    Or where what is left of a difference of equals, as the mean of what was normalized, is zero.
    """
    rng = np.random.default_rng(0)

    def nudge(y: Any) -> Any:
        signs = torch.from_numpy(np.asarray(rng.choice([-1.0, 1.0], tuple(y.shape)))).to(y.dtype)
        return y * (1 + NUDGE[dtype] * signs)

    def on_a_grid(y: Any) -> Any:
        return y + (torch.round(y / NUDGE[dtype]) * NUDGE[dtype] - y).detach()

    for way in [nudge] * 8 + [on_a_grid]:
        again = theirs(this, way)
        for ours, others in zip(again, wanted, strict=True):
            if any(apart(x, y, TOLERANCE[dtype] / 4) for x, y in zip(ours, others, strict=True)):
                return True
    return False


def compared_graph(seed: int) -> Iterator[str]:
    """What differs in the graph of a seed, in both dtypes and on both kinds of arrays."""
    for dtype in TOLERANCE:
        this = case(seed, list(range(len(STEPS))), 60).as_dtype(dtype)
        wanted = theirs(this)
        for backend in ("numpy", "torch"):
            for text in differences(swept(this.function(Ours(backend)), this, backend), wanted, this, dtype):
                yield f"graph {seed} in {dtype} on {backend}: {text}"


def compared_program(seed: int, folder: Path) -> Iterator[str]:
    """What differs in the program of a seed, run in every way."""
    for dtype in TOLERANCE:
        this = case(seed, FIXED, 30).as_dtype(dtype)
        wanted, f = theirs(this), this.function(Ours("numpy"))
        compiled = ad.compile(f)
        every = tuple(range(len(this.arrays)))
        program = ad.trace(f, *this.arrays)
        gradient = ad.trace(lambda *xs, f=f: f(*xs)[1], *this.arrays).grad(every)
        program.save(folder / "program.adp")
        gradient.save(folder / "gradient.adp")
        loaded, pulled = (ad.Program.load(folder / f"{name}.adp") for name in ("program", "gradient"))
        ways: dict[str, Callable[[], Any]] = {
            "step by step": lambda this=this, f=f: swept(f, this),
            "program": lambda this=this, p=program, g=gradient: (p(*this.arrays), g(*this.arrays)),
            "program, swept": lambda this=this, p=program: swept(p, this),
            "optimized": lambda this=this, p=program, g=gradient: (
                p.optimize()(*this.arrays),
                g.optimize()(*this.arrays),
            ),
            "compiled": lambda this=this, f=compiled: swept(f, this),
            "compiled, called again": lambda this=this, f=compiled: swept(f, this),
            "checkpointed": lambda this=this, f=f: swept(lambda *xs: ad.checkpoint(f, *xs), this),
            "saved and loaded": lambda this=this, p=loaded, g=pulled: (p(*this.arrays), g(*this.arrays)),
            "onnx": lambda this=this, p=program, g=gradient: (by_onnx(p, this), by_onnx(g, this)),
        }
        for way, run in ways.items():
            values, adjoints = run()
            found = [plain(y) for y in values], [plain(g) for g in adjoints]
            for text in differences(found, wanted, this, dtype):
                yield f"program {seed} in {dtype}, {way}: {text}"


def by_onnx(program: Any, this: Case) -> list[Any]:
    """What onnxruntime makes of a program."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    # its own fusions beyond that refuse a number without dimensions, as its FastGelu does
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    model = program.export_onnx().SerializeToString()
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [x.name for x in session.get_inputs()]
    return session.run(None, dict(zip(names, this.arrays, strict=True)))  # type: ignore[no-any-return]


def main(graphs: int, programs: int, seed: int) -> int:
    """Compare so many; print what differs and how many were compared."""
    wrong = 0
    with np.errstate(all="ignore"), tempfile.TemporaryDirectory() as folder:
        for compared, count in ((compared_graph, graphs), (lambda s: compared_program(s, Path(folder)), programs)):
            for number in range(seed, seed + count):
                try:
                    found = list(compared(number))
                except Exception as error:
                    found = [f"seed {number}: {type(error).__name__}: {error}"]
                wrong += len(found)
                print(*found, sep="\n", end="\n" if found else "", flush=True)
    print(f"{graphs} graphs and {programs} programs from seed {seed}: {wrong} differences", end="; ")
    print(f"in {len(set(DECIDED))} of them rounding decides")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:4])))

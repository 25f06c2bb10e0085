"""Forward passes in each mode: recorded, under no_grad, in inference_mode; and while another thread is in no_grad.

On scalars, where an operation is little more than the node that it makes, and on tensors of ten elements. Without a
graph a pass is meant to be cheaper, never dearer, whatever another thread does meanwhile.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tests.benchmarks import harness
from tests.benchmarks.chain import START, chain
from tests.benchmarks.harness import Target, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    Prepared = tuple[Callable[[], Any], Callable[[], Any]]

RECORDED, NO_GRAD, INFERENCE = "recorded", "no_grad", "inference_mode"
BESIDE = ", another thread in no_grad"


def of_scalars() -> Callable[[], Any]:
    """Two thousand operations in a chain on ten scalars."""
    import autodiff_lab as ad

    xs = [ad.Scalar(value) for value in START]

    def forward() -> Any:
        y = xs[0]
        for _ in range(100):
            for x in xs:
                y = y * x + 0.5
        return y

    return forward


def of_tensors() -> Callable[[], Any]:
    """A thousand operations in a chain on ten elements."""
    import autodiff_lab as ad

    x = ad.tensor(START, requires_grad=True)
    return lambda: chain(x, 1000)


def of_constants() -> Callable[[], Any]:
    """`of_scalars` where every other operand needs no gradient, as data does not: the general path."""
    import autodiff_lab as ad

    xs = [ad.Scalar(value, requires_grad=False) for value in START]
    start = ad.Scalar(START[0])

    def forward() -> Any:
        y = start
        for _ in range(100):
            for x in xs:
                y = x * y + 0.5
        return y

    return forward


def passes(make: Callable[[], Callable[[], Any]], mode: str, beside: bool = False) -> Prepared:
    """Forward passes in a mode; ``beside`` a thread that waits in `no_grad` all the time."""
    import threading
    from contextlib import nullcontext

    import autodiff_lab as ad

    entered = threading.Event()

    def wait() -> None:
        with ad.no_grad():
            entered.set()
            threading.Event().wait()

    if beside:
        threading.Thread(target=wait, daemon=True).start()
        entered.wait()
    context: Any = {RECORDED: nullcontext, NO_GRAD: ad.no_grad, INFERENCE: ad.inference_mode}[mode]
    forward = make()
    found: list[Any] = []

    def step() -> None:
        with context():
            found[:] = [forward()]

    return step, lambda: found[0].item()


def of_torch(mode: str) -> Prepared:
    """The same chain on torch's tensors."""
    from contextlib import nullcontext

    import torch

    context: Any = {RECORDED: nullcontext, NO_GRAD: torch.no_grad, INFERENCE: torch.inference_mode}[mode]
    x = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    found: list[Any] = []

    def step() -> None:
        with context():
            found[:] = [chain(x, 1000)]

    return step, lambda: found[0].item()


def work(name: str, make: Callable[[], Callable[[], Any]], **others: Any) -> Work:
    """A pass in each mode, with and without the other thread; each is compared with the recorded one."""
    engines: dict[str, Any] = {mode: partial(passes, make, mode) for mode in (RECORDED, NO_GRAD, INFERENCE)}
    engines |= {mode + BESIDE: partial(passes, make, mode, True) for mode in (RECORDED, NO_GRAD, INFERENCE)}
    asked = [Target(mode, RECORDED, 1.0) for mode in (NO_GRAD, INFERENCE)]
    asked += [Target(RECORDED + BESIDE, RECORDED, 1.05)]
    asked += [Target(mode + BESIDE, RECORDED, 1.0) for mode in (NO_GRAD, INFERENCE)]
    return Work(name, engines | others, asked)


WORKS = [
    work("2,000 operations on scalars, forward", of_scalars),
    work(
        "1,000 operations on tensors of 10 elements, forward",
        of_tensors,
        **{f"torch eager, {mode}": partial(of_torch, mode) for mode in (RECORDED, NO_GRAD, INFERENCE)},
    ),
    Work(
        "2,000 operations on scalars, every other operand a constant, forward",
        {"no constants": partial(passes, of_scalars, RECORDED), "constants": partial(passes, of_constants, RECORDED)},
        [Target("constants", "no constants", 4.0)],
    ),
]


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark table."""
    return harness.run(WORKS)

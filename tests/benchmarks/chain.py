"""A thousand elementwise operations in a chain on ten elements, forward and backward: what an operation costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.benchmarks import harness
from tests.benchmarks.harness import Target, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    Prepared = tuple[Callable[[], Any], Callable[[], Any]]

LENGTH = 1000
START = [0.1 * k - 0.45 for k in range(10)]


def chain(x: Any, length: int) -> Any:
    """A sum over the end of the chain; one operation in four has two operands that require grad."""
    y = x
    for _ in range(length // 4):
        y = ((y * x).tanh() + 0.5) * 0.9
    return y.sum()


def forward_and_backward(x: Any, length: int = LENGTH) -> Prepared:
    """A step on a leaf of any engine that speaks as torch does."""
    value = []

    def step() -> None:
        x.grad = None
        y = chain(x, length)
        y.backward()
        value[:] = [y]

    return step, lambda: [value[0].item(), x.grad.tolist()]


def ours() -> Prepared:
    """This engine, on NumPy's arrays."""
    import autodiff_lab as ad

    return forward_and_backward(ad.tensor(START, requires_grad=True))


def compiled() -> Prepared:
    """This engine's value and gradient as one compiled function."""
    import autodiff_lab as ad

    both = ad.compile(ad.value_and_grad(lambda x: chain(x, LENGTH)))
    x = ad.tensor(START)
    found = []

    def step() -> None:
        found[:] = both(x)

    return step, lambda: [found[0].item(), found[1].tolist()]


def torch_eager() -> Prepared:
    """torch, as it comes."""
    import torch

    return forward_and_backward(torch.tensor(START, dtype=torch.float64, requires_grad=True))


WORKS = [
    Work(
        "a chain of 1,000 elementwise operations on 10 elements, forward and backward",
        {"torch eager": torch_eager, "autodiff_lab": ours, "autodiff_lab, compiled": compiled},
        [
            Target("autodiff_lab", "torch eager", 0.75, 0.55),
            Target("autodiff_lab, compiled", "torch eager", 0.25, 0.15),
        ],
    )
]


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark table."""
    return harness.run(WORKS)

"""What a gradient costs beside the value alone, for networks of 300 to 1,000,000 parameters.

In theory at most a small constant, whatever the size: each operation's adjoint takes one or two of its kind. The value
is computed without a graph, by the same function.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.benchmarks import harness
from tests.benchmarks.harness import Target, Work
from tests.benchmarks.mlp import problem

if TYPE_CHECKING:
    from collections.abc import Callable

    Prepared = tuple[Callable[[], Any], Callable[[], Any]]

BATCH = 64
NETWORKS = [(8, 12, 12, 3), (24, 40, 40, 10), (64, 128, 64, 10), (128, 256, 256, 10), (512, 900, 580, 10)]


def prepared(sizes: tuple[int, ...], gradient: bool) -> Prepared:
    """A step computes the value of the loss, or the value and its gradient by every parameter."""
    import autodiff_lab as ad

    x, target, parameters = problem(sizes, BATCH)
    x, target = ad.tensor(x), ad.tensor(target)
    parameters = [ad.tensor(q) for q in parameters]
    value = []

    def loss_of(W1: Any, b1: Any, W2: Any, b2: Any, W3: Any, b3: Any) -> Any:
        h = (x @ W1 + b1).relu()
        h = (h @ W2 + b2).relu()
        return ad.cross_entropy(h @ W3 + b3, target)

    both = ad.value_and_grad(loss_of, tuple(range(len(parameters))))

    def step() -> None:
        value[:] = [both(*parameters)[0] if gradient else loss_of(*parameters)]

    return step, lambda: value[0].item()


def work(sizes: tuple[int, ...]) -> Work:
    """The two, for one network."""
    count = sum((i + 1) * o for i, o in pairwise(sizes))
    value, both = "value", "value and gradient"
    return Work(
        f"a network with {count:,} parameters, batch {BATCH}",
        {value: partial(prepared, sizes, gradient=False), both: partial(prepared, sizes, gradient=True)},
        [Target(both, value, 3.5, at_least=2.0)],
    )


WORKS = [work(sizes) for sizes in NETWORKS]


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark table."""
    return harness.run(WORKS)

"""A training step of a small and of a large network: forward, cross entropy, backward, a step of gradient descent.

All in float64 (one dtype for everyone: HIPS autograd has no other in every op), with the parameters changed in place.
Each engine's step is written as its users write it, this engine's and torch's in the same lines. By hand means that the
derivatives are worked out, and that no temporary array is made that could be saved.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.benchmarks import harness
from tests.benchmarks.harness import Target, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    Prepared = tuple[Callable[[], Any], Callable[[], Any]]

RATE = 0.1
SMALL = ((64, 128, 64, 10), 32)
LARGE = ((1024, 2048, 2048, 10), 256)


def problem(sizes: tuple[int, ...], batch: int) -> tuple[Any, Any, list[Any]]:
    """Inputs (batch, sizes[0]), class numbers (batch,), and the parameters: a matrix and a bias for each layer."""
    import numpy as np

    rng = np.random.default_rng(0)
    parameters = []
    for i, o in pairwise(sizes):
        parameters += [rng.standard_normal((i, o)) / np.sqrt(i), np.zeros(o)]
    return rng.standard_normal((batch, sizes[0])), rng.integers(0, sizes[-1], batch), parameters


def by_hand(sizes: tuple[int, ...], batch: int) -> Prepared:
    """NumPy alone."""
    import numpy as np

    x, target, parameters = problem(sizes, batch)
    W1, b1, W2, b2, W3, b3 = parameters
    rows = np.arange(batch)
    losses = []

    def step() -> None:
        h1 = x @ W1
        h1 += b1
        np.maximum(h1, 0.0, out=h1)
        h2 = h1 @ W2
        h2 += b2
        np.maximum(h2, 0.0, out=h2)
        p = h2 @ W3
        p += b3
        p -= p.max(1, keepdims=True)
        chosen = p[rows, target]
        np.exp(p, out=p)
        total = p.sum(1, keepdims=True)
        losses[:] = [(np.log(total[:, 0]) - chosen).mean()]

        p /= total
        p[rows, target] -= 1.0
        p /= batch
        d2 = p @ W3.T
        d2 *= h2 > 0.0
        d1 = d2 @ W2.T
        d1 *= h1 > 0.0
        gradients = (x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ p, p.sum(0))
        for q, g in zip(parameters, gradients, strict=True):
            g *= RATE
            q -= g

    return step, lambda: [*losses, *parameters]


def ours(sizes: tuple[int, ...], batch: int, torch_arrays: bool = False) -> Prepared:
    """This engine, on NumPy's or on torch's arrays."""
    import autodiff_lab as ad
    from autodiff_lab import optim

    x, target, parameters = problem(sizes, batch)
    if torch_arrays:
        import torch

        x, target, *parameters = map(torch.from_numpy, (x, target, *parameters))
    x, target = ad.tensor(x), ad.tensor(target)
    parameters = [ad.tensor(q, requires_grad=True) for q in parameters]
    W1, b1, W2, b2, W3, b3 = parameters
    optimizer = optim.SGD(parameters, lr=RATE)
    losses = []

    def step() -> None:
        h = (x @ W1 + b1).relu()
        h = (h @ W2 + b2).relu()
        loss = ad.cross_entropy(h @ W3 + b3, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[:] = [loss]

    return step, lambda: [v.detach().numpy() for v in (*losses, *parameters)]


def compiled(sizes: tuple[int, ...], batch: int) -> Prepared:
    """This engine's whole step as one compiled function, which gives new parameters."""
    import autodiff_lab as ad

    x, target, parameters = problem(sizes, batch)
    x, target = ad.tensor(x), ad.tensor(target)
    state = [None, parameters]

    def loss_of(W1: Any, b1: Any, W2: Any, b2: Any, W3: Any, b3: Any) -> Any:
        h = (x @ W1 + b1).relu()
        h = (h @ W2 + b2).relu()
        return ad.cross_entropy(h @ W3 + b3, target)

    @ad.compile
    def update(*parameters: Any) -> tuple[Any, list[Any]]:
        loss, gradients = ad.value_and_grad(loss_of, tuple(range(6)))(*parameters)
        return loss, [q - RATE * g for q, g in zip(parameters, gradients, strict=True)]

    def step() -> None:
        state[:] = update(*state[1])

    return step, lambda: [state[0], *state[1]]


def torch_eager(sizes: tuple[int, ...], batch: int) -> Prepared:
    """torch, as it comes."""
    import torch

    x, target, *parameters = map(torch.from_numpy, (lambda x, t, p: (x, t, *p))(*problem(sizes, batch)))
    parameters = [q.requires_grad_() for q in parameters]
    W1, b1, W2, b2, W3, b3 = parameters
    optimizer = torch.optim.SGD(parameters, lr=RATE)
    losses = []

    def step() -> None:
        h = (x @ W1 + b1).relu()
        h = (h @ W2 + b2).relu()
        loss = torch.nn.functional.cross_entropy(h @ W3 + b3, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[:] = [loss]

    return step, lambda: [v.detach().numpy() for v in (*losses, *parameters)]


def hips_autograd(sizes: tuple[int, ...], batch: int) -> Prepared:
    """HIPS autograd, which wraps NumPy and traces each call."""
    import autograd.numpy as np
    from autograd.differential_operators import value_and_grad
    from autograd.scipy.special import logsumexp

    x, target, parameters = problem(sizes, batch)
    rows = np.arange(batch)
    losses = []

    def loss_of(parameters: list[Any]) -> Any:
        W1, b1, W2, b2, W3, b3 = parameters
        h = np.maximum(x @ W1 + b1, 0.0)
        h = np.maximum(h @ W2 + b2, 0.0)
        z = h @ W3 + b3
        return np.mean(logsumexp(z, axis=1) - z[rows, target])

    both = value_and_grad(loss_of)

    def step() -> None:
        loss, gradients = both(parameters)
        for q, g in zip(parameters, gradients, strict=True):
            g *= RATE
            q -= g
        losses[:] = [loss]

    return step, lambda: [*losses, *parameters]


def jax_jit(sizes: tuple[int, ...], batch: int) -> Prepared:
    """The whole step compiled by XLA, which may write over the old parameters."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    x, target, parameters = problem(sizes, batch)
    x, target = jnp.asarray(x), jnp.asarray(target)
    state = [[jnp.asarray(q) for q in parameters], None]

    def loss_of(parameters: list[Any]) -> Any:
        W1, b1, W2, b2, W3, b3 = parameters
        h = jax.nn.relu(x @ W1 + b1)
        h = jax.nn.relu(h @ W2 + b2)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(h @ W3 + b3), target[:, None], 1)
        return -chosen.mean()

    def update(parameters: list[Any]) -> tuple[list[Any], Any]:
        loss, gradients = jax.value_and_grad(loss_of)(parameters)
        return [q - RATE * g for q, g in zip(parameters, gradients, strict=True)], loss

    update = jax.jit(update, donate_argnums=0)

    def step() -> None:
        state[:] = jax.block_until_ready(update(state[0]))

    return step, lambda: [state[1].item(), *map(jax.device_get, state[0])]


HAND, OURS, TORCH, HIPS, JAX = "NumPy by hand", "autodiff_lab", "torch eager", "HIPS autograd", "jax.jit"
OURS_ON_TORCH, COMPILED = "autodiff_lab on torch arrays", "autodiff_lab, compiled"

WORKS = [
    Work(
        "MLP 64-128-64-10, batch 32: a training step",
        {
            HAND: partial(by_hand, *SMALL),
            OURS: partial(ours, *SMALL),
            COMPILED: partial(compiled, *SMALL),
            TORCH: partial(torch_eager, *SMALL),
            OURS_ON_TORCH: partial(ours, *SMALL, torch_arrays=True),
            HIPS: partial(hips_autograd, *SMALL),
            JAX: partial(jax_jit, *SMALL),
        },
        [
            Target(OURS, HAND, 1.5, 1.25),
            Target(OURS, TORCH, 0.6, 0.45),
            Target(OURS, HIPS, 1 / 4, 1 / 5),
            Target(COMPILED, HAND, 1.1, 1.0),
            Target(COMPILED, JAX, 1.0),
            Target(OURS_ON_TORCH, TORCH, 1.6, 1.3),
        ],
    ),
    Work(
        "MLP 1024-2048-2048-10, batch 256: a training step",
        {HAND: partial(by_hand, *LARGE), OURS: partial(ours, *LARGE), COMPILED: partial(compiled, *LARGE)},
        [Target(OURS, HAND, 1.05), Target(COMPILED, HAND, 1.05)],
    ),
]


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark table."""
    return harness.run(WORKS)

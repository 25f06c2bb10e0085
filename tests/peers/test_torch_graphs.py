"""Random graphs of 5 to 60 operations against PyTorch, and the transformations of functions against `torch.func`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_lab as ad
from tests.peers import against_torch
from tests.peers.against_torch import BACKENDS, COMPARED, Ours, T, counted, torch, values

compare = functools.partial(against_torch.compare, "graphs")
MOST = 24  # elements of a node: there is more to see in many small ones


# Steps: from two nodes of any shape and a small number to a node, the same in both languages


def fitting(a: Any, b: Any) -> Any:
    """``b`` where it broadcasts with ``a``, else its mean."""
    fits = all(m == n or 1 in (m, n) for m, n in zip(reversed(a.shape), reversed(b.shape), strict=False))
    return b if fits else b.mean()


def image(a: Any) -> Any:
    """The elements as an image of one channel."""
    return a.reshape(1, 1, -1, a.shape[-1] if a.ndim else 1)


def dim_of(a: Any, k: int) -> int:
    """One of the dimensions, counted from the front or from the back."""
    return k % max(a.ndim, 1) - (max(a.ndim, 1) if k % 2 else 0)


def whole(a: Any) -> Any:
    """With a dimension, where there is none."""
    return a if a.ndim else a.reshape(1)


def product(m: Any, a: Any, b: Any) -> Any:
    """A matrix product, of ``a`` with ``b`` if that can be."""
    if a.ndim and b.ndim and a.shape[-1] == b.shape[max(b.ndim - 2, 0)] and (min(a.ndim, b.ndim) < 3):
        return a @ b
    return a.mT @ a if a.ndim > 1 else whole(a) @ whole(a)


def picked(m: Any, a: Any, k: int) -> Any:
    """Elements by integers, with repeats."""
    n = whole(a).shape[0]
    return whole(a)[m.index([k % n, 0, -1, k % n])]


def one_and_all(m: Any, a: Any, k: int) -> Any:
    """Elements by a boolean, among slices."""
    a = whole(a)
    return a[m.index([True] + [i % 3 > 0 for i in range(k, k + a.shape[0] - 1)])] if k % 2 else a[a > a.mean()]


def gathered(m: Any, a: Any, k: int) -> Any:
    a = whole(a)
    index = (np.arange(a.numel()).reshape(tuple(a.shape)) * (k + 1)) % a.shape[dim_of(a, k)]
    return m.gather(a, dim_of(a, k), m.index(index))


def loss(m: Any, a: Any, k: int) -> Any:
    logits = whole(a).reshape(-1, whole(a).shape[-1])
    target = [(i * k) % logits.shape[1] for i in range(logits.shape[0])]
    target[0] = target[0] if k < 4 or len(target) < 2 else -100
    return m.cross_entropy(logits, m.index(target), reduction=("mean", "sum", "none")[k % 3])


STEPS: list[Callable[[Any, Any, Any, int], Any]] = [
    lambda m, a, b, k: a + fitting(a, b),
    lambda m, a, b, k: a * fitting(a, b),
    lambda m, a, b, k: a - fitting(a, b) * (k + 0.5),
    lambda m, a, b, k: a / (1.5 + fitting(a, b) ** 2),
    lambda m, a, b, k: (a * a + 0.5) ** fitting(a, b).tanh(),
    lambda m, a, b, k: m.maximum(a, fitting(a, b) + k * 0.3),
    lambda m, a, b, k: m.minimum(a * 0.7, fitting(a, b)),
    lambda m, a, b, k: m.where(a > fitting(a, b), a, fitting(a, b).sin()),
    lambda m, a, b, k: m.relu(a) + m.relu(-fitting(a, b)),
    lambda m, a, b, k: m.gelu(a, approximate="tanh" if k % 2 else "none"),
    lambda m, a, b, k: m.erf(a) * m.sigmoid(fitting(a, b)),
    lambda m, a, b, k: (a.tanh() * 2).exp() - m.sqrt(fitting(a, b) ** 2 + 0.2),
    lambda m, a, b, k: m.log(a * a + 0.3) + fitting(a, b).cos(),
    lambda m, a, b, k: (-a).abs().clone() + k,
    lambda m, a, b, k: a.clamp(-0.5, 0.1 * k) if k % 2 else a.clamp(min=-0.2),
    lambda m, a, b, k: product(m, a, b),
    lambda m, a, b, k: a.sum(dim_of(a, k), keepdim=k > 3) * fitting(a.sum(dim_of(a, k), keepdim=k > 3), b),
    lambda m, a, b, k: a - a.mean(dim_of(a, k), keepdim=True),
    lambda m, a, b, k: a.max(dim_of(a, k), keepdim=k > 3).values if k % 3 else a.max(),
    lambda m, a, b, k: m.amin(a, dim_of(a, k)) if k % 3 else a.min(),
    lambda m, a, b, k: a.var(dim_of(a, k), correction=0).sum() / (1 + a.var(correction=0, keepdim=True)),
    lambda m, a, b, k: m.logsumexp(a, dim_of(a, k), keepdim=k > 3),
    lambda m, a, b, k: m.prod(a, dim_of(a, k), keepdim=True) if k % 2 else a.prod(),
    lambda m, a, b, k: m.cumsum(a, dim_of(a, k)),
    lambda m, a, b, k: m.softmax(a, dim_of(a, k)) - fitting(a, b),
    lambda m, a, b, k: m.log_softmax(a, dim_of(a, k)),
    lambda m, a, b, k: loss(m, a, k),
    lambda m, a, b, k: m.layer_norm(whole(a), (whole(a).shape[-1],), eps=0.1),
    lambda m, a, b, k: a.reshape(-1),
    lambda m, a, b, k: a.permute(tuple(reversed(range(a.ndim)))) if k % 2 else a.transpose(dim_of(a, k), 0),
    lambda m, a, b, k: a.unsqueeze(-1).expand(*[-1] * a.ndim, 2) if k % 2 else a.unsqueeze(0).expand(2, *a.shape),
    lambda m, a, b, k: a.unsqueeze(dim_of(a, k)).squeeze() * k,
    lambda m, a, b, k: m.cat([whole(a), whole(a) * 2, whole(b if b.shape == a.shape else a)], dim_of(a, k)),
    lambda m, a, b, k: m.stack([a, fitting(a, b).mean() + a], dim_of(a, k)),
    lambda m, a, b, k: functools.reduce(lambda x, y: x * 0.5 + y.sum(), whole(a).split(1 + k % 2, dim_of(a, k))),
    lambda m, a, b, k: sum(part * (i + 1) for i, part in enumerate(whole(a).unbind(dim_of(a, k)))) + 0.0,
    lambda m, a, b, k: m.pad(whole(a), (k % 3, 1), value=0.25),
    lambda m, a, b, k: whole(a)[..., k % 2 :: 2].sum() + a,
    lambda m, a, b, k: whole(a)[-1] - fitting(whole(a)[-1], b),
    lambda m, a, b, k: picked(m, a, k),
    lambda m, a, b, k: one_and_all(m, a, k),
    lambda m, a, b, k: gathered(m, a, k),
    lambda m, a, b, k: m.conv2d(image(a), image(a)[..., :1, :2].reshape(1, 1, 1, -1), padding=(1, k % 2)).squeeze(),
    lambda m, a, b, k: m.max_pool2d(image(a), (1, 1 + k % 2), stride=1, padding=(0, k % 2)).squeeze(),
    lambda m, a, b, k: a * fitting(a, b).detach(),
]
STEP = st.tuples(st.integers(0, len(STEPS) - 1), st.integers(0, 7), st.integers(0, 7), st.integers(0, 5))
SHAPE = st.lists(st.integers(1, 4), max_size=3).map(tuple)
GRAPH = st.tuples(st.lists(SHAPE, min_size=1, max_size=3), st.lists(STEP, min_size=5, max_size=60), st.integers(0, 999))


def build(m: Any, leaves: list[Any], steps: list[Any], nudge: Callable[[Any], Any] = lambda y: y) -> list[Any]:
    """All nodes of a graph, as sums; the operands of a step are among the last eight nodes before it."""
    nodes = list(leaves)
    for kind, i, j, k in steps:
        y = STEPS[kind](m, nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)], k)
        if y.numel() > MOST or not y.numel():
            y = y.reshape(-1)[:MOST].reshape(2, -1) if y.numel() else y.sum()
        nodes.append(nudge(y.tanh() if k == 3 else y / (1 + (y.detach() ** 2).mean())))
    return [nodes[-1], sum(node.sum() for node in nodes[len(leaves) :])]


@settings(max_examples=350, derandomize=True, deadline=None, database=None)
@given(GRAPH)
def test_random_graphs_are_those_of_torch(graph: Any) -> None:
    shapes, steps, seed = graph
    arrays = [values(shape, "float64", -1, 1, seed + i) for i, shape in enumerate(shapes)]
    for backend in BACKENDS:
        second = len(steps) <= 15 or seed % 8 == 0
        compare(lambda m, *xs: build(m, list(xs), steps), arrays, backend, second, f"a graph of {len(steps)} steps")


# Transformations of functions

TRANSFORMED: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "elementwise": (lambda m, a, b: (a * b.sin()).tanh() + a**2 * b, [(3,), (2, 3)]),
    "matrix product": (lambda m, a, b: (a @ b).tanh(), [(2, 3), (3, 2)]),
    "softmax": (lambda m, a: m.softmax(a, -1) * m.logsumexp(a, 0), [(2, 3)]),
    "normalized": (lambda m, a, w: m.layer_norm(a, (3,), w) ** 2, [(2, 3), (3,)]),
    "indices": (lambda m, a: a[m.index([0, 1, 1])] * a[:, m.index([2, 0, 2])].sum() + a.prod(0), [(2, 3)]),
    "joined": (lambda m, a, b: m.cat([a, m.stack([b, b * a[0]])]).exp() / (1 + a.sum() ** 2), [(2, 3), (3,)]),
    "split": (lambda m, a: sum(part * part.sum() ** 2 for part in a.split(1, 1)), [(2, 3)]),
    "images": (lambda m, a, w: m.max_pool2d(m.conv2d(a, w, padding=1).sin(), 2), [(1, 1, 3, 3), (2, 1, 2, 2)]),
    "reductions": (lambda m, a: a.var(0) * a.mean() + m.amax(a, 0) + a.cumsum(1).std(), [(3, 2)]),
    "one number": (lambda m, a, b: (a.exp() * b).sum(), [(), (2,)]),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformations_of_functions_are_those_of_torch(name: str, backend: str) -> None:
    f, shapes = TRANSFORMED[name]
    module, every = Ours(backend), tuple(range(len(shapes)))

    def ours(*xs: Any) -> Any:
        return f(module, *xs)

    def theirs(*xs: Any) -> Any:
        return f(T, *xs)

    def loss_of(g: Any) -> Any:
        return lambda *xs: (g(*xs) ** 2).sum()

    for seed in range(4):
        arrays = [values(shape, "float64", -1, 1, seed + i) for i, shape in enumerate(shapes)]
        tangents = [values(shape, "float64", -1, 1, seed + 10 + i) for i, shape in enumerate(shapes)]
        ws, us = ([torch.from_numpy(x) for x in part] for part in (arrays, tangents))
        xs, ts = (ws, us) if backend == "torch" else (arrays, tangents)
        value, pull = ad.vjp(ours, *xs)
        wanted, their_pull = torch.func.vjp(theirs, *ws)
        weights = torch.from_numpy(values(tuple(wanted.shape), "float64", -1, 1, seed + 20))
        pairs = {
            "value": ([value], [wanted]),
            "vjp": (pull(weights if backend == "torch" else weights.numpy()), their_pull(weights)),
            "jvp": (ad.jvp(ours, xs, ts), torch.func.jvp(theirs, tuple(ws), tuple(us))),
            "jacobian": (flat(ad.jacobian(ours, *xs)), flat(torch.func.jacrev(theirs, every)(*ws))),
            "hessian": (
                flat(ad.hessian(loss_of(ours), *xs)),
                # torch.func.hessian is wrong for a weight of layer_norm (2.13); torch.autograd is right
                flat(torch.autograd.functional.hessian(loss_of(theirs), tuple(ws))),
            ),
            "hvp": (
                ad.hvp(loss_of(ours), xs, ts)[1],
                torch.func.jvp(torch.func.grad(loss_of(theirs), every), tuple(ws), tuple(us))[1],
            ),
        }
        for which, (results, expected) in pairs.items():
            COMPARED.append(f"graphs: {which} of {name}, seed {seed}, on {backend}")
            assert len(results) == len(expected), which
            for result, reference in zip(results, expected, strict=True):
                assert type(result) is type(xs[0]) or np.isscalar(result), f"{which}: {type(result)}"
                np.testing.assert_allclose(np.asarray(result), reference.numpy(), rtol=1e-9, atol=1e-10, err_msg=which)


def flat(matrix: Any) -> list[Any]:
    """The entries of a matrix of arrays, row by row."""
    if isinstance(matrix, (list, tuple)):
        return [entry for row in matrix for entry in flat(row)]
    return [matrix]


def test_as_many_cases_were_compared_as_promised() -> None:
    counted("graphs")

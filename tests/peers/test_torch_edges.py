"""Where PyTorch chooses: nan among what is compared, queries that may look nowhere, dtypes of programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from tests.engine.static.rows import Case, cases
from tests.peers.against_torch import torch

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])
NAN = math.nan


def leaf(values: Any, backend: str, requires_grad: bool = True) -> Any:
    array = np.array(values)
    return ad.tensor(array if backend == "numpy" else torch.from_numpy(array), requires_grad=requires_grad)


EXTREMES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "max": (lambda x: x.max(), lambda x: x.max()),
    "min": (lambda x: x.min(), lambda x: x.min()),
    "amax": (lambda x: ad.amax(x, 0), lambda x: torch.amax(x, 0)),
    "amin": (lambda x: ad.amin(x, 0), lambda x: torch.amin(x, 0)),
    "max of a dim": (lambda x: x.max(0).values, lambda x: x.max(0).values),
    "min of a dim": (lambda x: x.min(0).values, lambda x: x.min(0).values),
    "maximum": (lambda x: ad.maximum(x, x * 0.5).sum(), lambda x: torch.maximum(x, x * 0.5).sum()),
    "minimum": (lambda x: ad.minimum(x, x * 0.5).sum(), lambda x: torch.minimum(x, x * 0.5).sum()),
    "clamp": (lambda x: ad.clamp(x, 0.0, 1.5).sum(), lambda x: torch.clamp(x, 0.0, 1.5).sum()),
}


@BOTH
@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("values", [[1.0, NAN, 2.0, NAN], [NAN], [1.0, 3.0, 3.0], [-math.inf, 2.0], [math.inf, NAN]])
def test_nan_among_what_is_compared(values: list[float], name: str, backend: str) -> None:
    f, g = EXTREMES[name]
    x, theirs = leaf(values, backend), torch.tensor(values, dtype=torch.float64, requires_grad=True)
    y, wanted = f(x), g(theirs)
    y.backward()
    wanted.backward()
    np.testing.assert_array_equal(y.item(), wanted.item())
    np.testing.assert_array_equal(x.grad.tolist(), theirs.grad.tolist())
    again = leaf(values, backend)
    ad.compile(f)(again).backward()
    np.testing.assert_array_equal(again.grad.tolist(), theirs.grad.tolist())


@BOTH
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["bool", "float"])
def test_a_query_that_may_look_nowhere_gets_zeros(kind: str, dtype: str, backend: str) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(2, 3, 4)).astype(dtype) for _ in range(3)]
    seen = np.array([[True, False, True], [False] * 3, [True] * 3])
    mask = seen if kind == "bool" else np.where(seen, 0.5, -np.inf).astype(dtype)
    ours, theirs = [leaf(x, backend) for x in arrays], [torch.tensor(x, requires_grad=True) for x in arrays]

    def attention(*xs: Any) -> Any:
        return ad.nn.functional.scaled_dot_product_attention(*xs, attn_mask=leaf(mask, backend, False))

    wanted = torch.nn.functional.scaled_dot_product_attention(*theirs, attn_mask=torch.tensor(mask))
    (wanted * wanted).sum().backward()
    tolerance = 1e-10 if dtype == "float64" else 1e-4
    for f in (attention, ad.compile(attention)):
        for x in ours:
            x.grad = None
        y = f(*ours)
        (y * y).sum().backward()
        assert y[:, 1].tolist() == [[0.0] * 4] * 2
        np.testing.assert_allclose(y.tolist(), wanted.tolist(), rtol=tolerance, atol=tolerance)
        for x, z in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(x.grad.tolist(), z.grad.tolist(), rtol=tolerance, atol=tolerance)
    nothing = ad.softmax(leaf([-math.inf, -math.inf], backend), 0)
    assert all(math.isnan(p) for p in nothing.tolist()), "a softmax itself is nan there, as in torch"


@pytest.mark.parametrize("need_weights", [True, False])
def test_attention_of_several_heads_is_nan_there_only_if_weights_are_asked_for(need_weights: bool) -> None:
    module, theirs = (m.MultiheadAttention(4, 2, batch_first=True) for m in (ad.nn, torch.nn))
    x, mask = np.random.default_rng(0).normal(size=(1, 3, 4)), np.array([[True] * 3, [False] * 3, [False] * 3])
    y, _ = module(*[ad.tensor(x)] * 3, attn_mask=ad.tensor(mask), need_weights=need_weights)
    z, _ = theirs(*[torch.tensor(x).float()] * 3, attn_mask=torch.tensor(mask), need_weights=need_weights)
    assert np.isnan(y.tolist()).any(-1).tolist() == z.isnan().any(-1).tolist() == [[need_weights, False, False]]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_program_and_its_gradient_are_of_the_dtype_of_what_it_is_given(dtype: str) -> None:
    def names(*xs: Any) -> set[str]:
        return {str(x.dtype) for x in xs}

    for case in cases(dtype):
        if any(case.op.adjoints) and case.op.name != "astype":
            numbers = tuple(i for i, x in enumerate(case.args) if x.dtype.kind == "f")

            def f(*args: Any, case: Case = case) -> Any:
                return case.fn(*args).mean().relu()

            program = ad.trace(f, *case.args)
            gradient = program.grad(numbers)
            leaves = [ad.tensor(x, requires_grad=i in numbers) for i, x in enumerate(case.args)]
            y = ad.compile(f)(*leaves)
            y.backward()
            found = names(program(*case.args), *gradient(*case.args), *gradient.optimize()(*case.args), y)
            assert found | names(*[leaves[i].grad for i in numbers]) == {dtype}, case.label


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "int64", "bool"])
@pytest.mark.parametrize("other", ["float16", "float32", "float64", "int32", "bool"])
def test_a_constant_without_dimensions_has_its_say_in_the_dtype_of_a_program(dtype: str, other: str) -> None:
    c = np.array(1, dtype=other)
    functions: list[Callable[[Any], Any]] = [
        lambda x: x * ad.tensor(c),
        lambda x: ad.where(x > 0, ad.tensor(c), 2.0),
        lambda x: ad.where(x > 0, ad.tensor(c), x),
        lambda x: ad.where(x > 0, 1.0, 2.0),
        lambda x: ad.maximum(x, ad.tensor(c)),
        lambda x: (x + ad.tensor(c)).sum().relu() * 2,
    ]
    for shape in ((3,), ()):
        x = np.ones(shape, dtype)
        for number, f in enumerate(functions):
            wanted = f(ad.tensor(x)).dtype
            program = ad.trace(f, x)
            found = [program(x).dtype, program.optimize()(x).dtype, ad.compile(f)(x).dtype]
            assert found == [wanted] * 3, (number, shape, found, wanted)

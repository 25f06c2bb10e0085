"""The memory plan: no result is written over while anything may read it, and memory is used again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_lab as ad
from autodiff_lab.engine.static.codegen import generate
from autodiff_lab.engine.static.memory_plan import ALIGNMENT, Plan, memory_of
from autodiff_lab.engine.static.steps import Step, Value
from autodiff_lab.engine.static.trace import trace

X = np.random.default_rng(0).standard_normal((4, 6))


def plan_of(f: Any, *args: Any) -> Plan:
    plan = generate(trace(f, *args)).plan
    assert plan is not None
    return plan


def overlap(a: Any, b: Any) -> bool:
    """Whether two blocks of the workspace share bytes."""
    return bool(a.offset < b.offset + b.size and b.offset < a.offset + a.size)


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(0, 9), st.integers(0, 9), st.sampled_from(["", "same", "first"])),
        min_size=1,
        max_size=40,
    ),
    st.sets(st.integers(0, 39)),
)
def test_memory_that_is_in_use_is_never_written_to(shapes: list[Any], kept: set[int]) -> None:
    values = [Value("x", "given", np.zeros(8))]
    steps = []
    for number, (size, i, j, in_place) in enumerate(shapes):
        inputs = [values[-1 - i % len(values)], values[-1 - j % len(values)]]
        out = Value(f"t{number}", "buffer", np.zeros(size))
        steps.append(Step("", inputs, out, in_place))
        values.append(out)
        if size % 7 == 0:
            view = Value(f"v{number}", "view", out.example[::2])
            view.base, view.template = out, "{0}[::2]"
            values.append(view)
        if size % 11 == 0:
            loose = Value(f"l{number}", "loose", out.example)
            loose.shares = (values[-1],)
            values.append(loose)
    outputs = [steps[i].out for i in kept if i < len(steps)] or [steps[-1].out]
    plan = Plan(steps, outputs)
    reads: dict[Value, int] = {}
    for number, step in enumerate(steps):
        reads.setdefault(step.out, number)
        for x in step.inputs:
            reads.update(dict.fromkeys(memory_of(x), number))
    for x in outputs:
        assert plan.place[x].kept
        reads[x] = len(steps)
    for number, step in enumerate(steps):
        mine = plan.place[step.out]
        assert mine.size == step.out.example.nbytes and mine.offset % ALIGNMENT == 0
        assert mine.kept or mine.offset + mine.size <= plan.workspace
        for earlier in steps[:number]:
            theirs = plan.place[earlier.out]
            same = theirs is mine if mine.kept or theirs.kept else overlap(theirs, mine)
            if same and reads[earlier.out] >= number:  # only over an operand, by a step that may do so, at its last use
                assert reads[earlier.out] == number and step.in_place and theirs is mine
                assert earlier.out in (step.inputs if step.in_place == "same" else step.inputs[:1])


def test_a_long_chain_needs_one_block() -> None:
    def f(x: Any) -> Any:
        for _ in range(50):
            x = x.tanh() + 0.5
        return x.sum()

    plan = plan_of(f, X)
    assert plan.workspace == X.nbytes and plan.needed == 100 * X.nbytes and plan.kept == 0
    assert str(plan) == (
        "100 results, 19,200 bytes if each has memory of its own; planned: 192 bytes that every call uses again, "
        "and 0 bytes of outputs"
    )


def test_a_training_step_needs_a_fraction_of_its_results() -> None:
    rng = np.random.default_rng(0)
    x, target = rng.standard_normal((32, 64)), rng.integers(0, 10, 32)
    weights = [rng.standard_normal(shape) / 8 for shape in ((64, 128), (128, 10))]

    def loss(w1: Any, w2: Any) -> Any:
        return ad.cross_entropy((ad.tensor(x) @ w1).relu() @ w2, ad.tensor(target))

    plan = plan_of(ad.value_and_grad(loss, (0, 1)), *weights)
    assert plan.kept == sum(w.nbytes for w in weights)
    assert plan.workspace + plan.kept < 0.6 * plan.needed


def test_results_are_the_callers_own() -> None:
    run = generate(trace(lambda x: (x * 2.0, (x * 2.0).T, x + 1.0), X)).function
    first = run(X)
    kept = [y.copy() for y in first]
    run(X + 1.0)
    for y, before in zip(first, kept, strict=True):
        np.testing.assert_array_equal(y, before)
    first[0][:] = 7.0
    np.testing.assert_array_equal(run(X)[0], X * 2.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: (x * 1.0,),
        lambda x: (x.clone(), x.clone()),
        lambda x: (ad.neg(-x), x**1),
        lambda x: (x + 1.0, x + 1.0),
        lambda x: ((x + 1.0)[0] * 1.0, x + 1.0),
        lambda x: (x.reshape(1, -1).sum(0), x),
        lambda x: (x, x, x[0], x.mT),
        lambda x: (x.expand(2, 3), x.to("float64"), ad.cat([x]), x.clip(None, 9.0)),
    ],
)
def test_results_share_memory_only_where_the_functions_do(f: Any) -> None:
    x, y = np.ones((2, 3)), np.ones((2, 3))
    wanted = [y, *(r.data for r in f(ad.as_tensor(y)))]
    got = [x, *ad.compile(f)(x)]
    for i in range(len(got)):
        for j in range(i):
            shared = np.may_share_memory(wanted[i], wanted[j]) and f.__code__.co_names[:1] != ("clone",)
            assert np.may_share_memory(got[i], got[j]) == shared, (i, j)


def test_a_view_keeps_the_memory_that_it_shows() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        part = y[1:, ::2]  # a view
        for _ in range(5):
            y = y.exp().tanh() * 3.0
        return part + 1.0, y

    part, _ = generate(trace(f, X)).function(X)
    np.testing.assert_array_equal(part, (X * 2.0)[1:, ::2] + 1.0)


def test_a_transposed_operand_is_not_written_over_by_the_result() -> None:
    x = X[:, :4]
    run = generate(trace(lambda x: (x * 2.0) + (x * 2.0).T, x)).function
    np.testing.assert_array_equal(run(x)[0], x * 2.0 + (x * 2.0).T)


def test_inputs_and_their_views_are_never_written_to() -> None:
    x = X.copy()
    x.flags.writeable = False
    y = x.T
    run = generate(trace(lambda x, y: ((x.reshape(3, 8) + 1.0).exp(), y * y, x.T), x, y)).function
    got = run(x, y)
    np.testing.assert_array_equal(got[0], np.exp(x.reshape(3, 8) + 1.0))
    assert got[2].base is not None and np.shares_memory(got[2], x)


def test_arguments_may_have_any_layout() -> None:
    f = generate(trace(lambda x: (x.reshape(-1) * 2.0, ad.where(x > 0.0, x, 0.0), x.sum(1)), X)).function
    for x in (np.asfortranarray(X), np.repeat(X, 2, 1)[:, ::2], X[::-1, ::-1]):
        got = f(x)
        np.testing.assert_array_equal(got[0], x.reshape(-1) * 2.0)
        np.testing.assert_array_equal(got[1], np.where(x > 0.0, x, 0.0))
        np.testing.assert_allclose(got[2], x.sum(1), rtol=1e-14)


def test_a_change_in_place_is_made_on_a_copy_where_the_original_is_needed() -> None:
    target = np.array([0, 1, 2, 3])
    run = generate(trace(lambda x, t: (ad.minus_one_at(x.exp(), t), x.exp() * 2.0), X, target)).function
    wanted = np.exp(X)
    got = run(X, target)
    np.testing.assert_array_equal(got[1], wanted * 2.0)
    wanted[np.arange(4), target] -= 1.0
    np.testing.assert_array_equal(got[0], wanted)

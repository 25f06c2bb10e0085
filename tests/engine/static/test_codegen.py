"""Generated code gives what the program gives step by step: for every row, its gradient, and random programs."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_lab as ad
from autodiff_lab.engine import ops
from autodiff_lab.engine.rules import VALUES
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.static.codegen import generate
from autodiff_lab.engine.static.passes import optimize
from autodiff_lab.engine.static.program import Program, Var
from autodiff_lab.engine.static.trace import trace
from autodiff_lab.engine.structures import leaves, substitute
from tests.engine.static import rows

TOLERANCE = {"float64": 1e-12, "float32": 2e-5}


def assert_equal(got: Any, wanted: Any, tolerance: float, what: str) -> None:
    """Values, shapes and dtypes."""
    got, wanted = list(leaves(got)), list(leaves(wanted))
    assert len(got) == len(wanted), what
    for x, y in zip(got, wanted, strict=True):
        x, y = np.asarray(x), np.asarray(y)
        assert (x.shape, x.dtype) == (y.shape, y.dtype), what
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance, err_msg=what)


def check(program: Program, args: Any, tolerance: float, what: str) -> None:
    """Compare the generated code of a program with its steps, twice, and on the program as traced and as improved."""
    flat = list(leaves(args))
    before = [np.asarray(x).copy() for x in flat]
    with np.errstate(all="ignore"):
        wanted = program(*args)
    for made in (program, optimize(program)):
        code = generate(made)
        found = list(made.captured.values())
        first = code.function(*flat, *(x.data for x in found))
        kept = [np.asarray(x).copy() for x in first]
        second = code.function(*flat, *(x.data for x in found))
        for x, y, again in zip(first, kept, second, strict=True):
            np.testing.assert_array_equal(np.asarray(x), y, err_msg=f"{what}: a result was written over")
            np.testing.assert_array_equal(y, np.asarray(again), err_msg=f"{what}: the second call differs")
        computed = [y for y, x in zip(leaves(wanted), leaves(made.outputs), strict=True) if isinstance(x, Var)]
        assert_equal(first, computed, tolerance, what)
        assert code.source == generate(made).source, f"{what}: the text is not the same each time"
    for x, y in zip(flat, before, strict=True):
        np.testing.assert_array_equal(np.asarray(x), y, err_msg=f"{what}: an argument was changed")


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_every_row_and_its_gradient_are_what_they_are_step_by_step(dtype: str) -> None:
    count = 0
    for case in rows.cases(dtype):
        check(case.program(), case.args, TOLERANCE[dtype], case.label)
        if any(case.op.adjoints) and any(x.dtype.kind == "f" for x in case.args):
            check(case.gradient(), case.args, TOLERANCE[dtype], f"the gradient of {case.label}")
        count += 1
    assert count >= len(ops.TABLE)


def test_every_row_and_its_gradient_on_torch_arrays() -> None:
    torch = pytest.importorskip("torch")
    for case in rows.cases("float64"):
        args = tuple(torch.from_numpy(x) for x in case.args)
        check(trace(case.fn, *args), args, 1e-12, case.label)
        if any(case.op.adjoints) and any(x.dtype.kind == "f" for x in case.args):
            floats = tuple(i for i, x in enumerate(args) if x.is_floating_point())
            both = trace(lambda *xs, fn=case.fn: (fn(*xs) ** 2).sum(), *args).value_and_grad(floats)
            check(both, args, 1e-12, f"the gradient of {case.label}")


@pytest.mark.parametrize("index, kind", rows.INDICES)
def test_every_kind_of_index(index: Any, kind: str) -> None:
    x: Any = np.arange(24.0).reshape(2, 3, 4) / 10

    def f(x: Any) -> Any:
        part = x[index] * 2.0
        return part, (part * part).sum()

    def gradient(x: Any) -> Any:
        return ad.grad(lambda x: f(x)[1])(x)

    if kind == "torch":
        x = pytest.importorskip("torch").from_numpy(x)
    check(trace(f, x), (x,), 1e-15, str(index))
    check(trace(gradient, x), (x,), 1e-15, str(index))


# Random programs

STEP = st.tuples(st.sampled_from(range(17)), st.integers(0, 7), st.integers(0, 7))


def build(leaves: list[Any], steps: list[Any]) -> Any:
    """A function of matrices and what broadcasts to them, with views, reductions and many uses of the same value."""
    n, m = leaves[0].shape
    nodes = list(leaves)

    def full(x: Any) -> Any:
        return x.expand(n, m) if tuple(x.shape) != (n, m) else x

    for kind, i, j in steps:
        recent = nodes[-8:]
        a, b = recent[i % len(recent)], recent[j % len(recent)]
        make: list[Callable[[], Any]] = [
            lambda a=a, b=b: a + b,
            lambda a=a, b=b: a - b * 0.5,
            lambda a=a, b=b: a * b,
            lambda a=a, b=b: a / (b * b + 1.5),
            lambda a=a: a.tanh(),
            lambda a=a: (a * 0.1).exp(),
            lambda a=a: a.relu(),
            lambda a=a: a.sigmoid(),
            lambda a=a, b=b: ad.maximum(a, b),
            lambda a=a, b=b: ad.where(a > b, a, b * 2.0),
            lambda a=a: full(a) - full(a).mean(1, keepdim=True),
            lambda a=a: full(a).softmax(1),
            lambda a=a: full(a).sum(0),
            lambda a=a, b=b: (full(a) @ full(b).T) @ full(a),
            lambda a=a: full(a).reshape(m, n).T.reshape(n, m),
            lambda a=a: ad.cat([full(a)[:, 1:], full(a)[:, :1]], 1),
            lambda a=a: full(a).clip(-0.7, 0.9),
        ]
        y = make[kind]()
        nodes.append(y / (1.0 + y.abs().amax().detach()) if kind in (2, 13) else y)
    return nodes[-1], sum(full(x) for x in nodes[-3:])


@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(
    st.integers(1, 4),
    st.integers(1, 5),
    st.lists(STEP, min_size=3, max_size=30),
    st.integers(0, 2**31),
    st.sampled_from(list(TOLERANCE)),
)
def test_random_programs_and_their_gradients(n: int, m: int, steps: list[Any], seed: int, dtype: str) -> None:
    rng = np.random.default_rng(seed)
    args = [rng.standard_normal(shape).astype(dtype) for shape in ((n, m), (n, 1), (m,))]

    def f(*xs: Any) -> Any:
        return build(list(xs), steps)

    def loss(*xs: Any) -> Any:
        y, z = f(*xs)
        return (y * y).sum() + z.sum()

    tolerance = 1e-9 if dtype == "float64" else 2e-3
    check(trace(f, *args), args, tolerance, str(steps))
    check(trace(ad.value_and_grad(loss, (0, 1, 2)), *args), args, tolerance, str(steps))


NUMBERS = st.one_of(st.floats(-4, 4), st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e308]))
SCALAR_ROWS = [name for name, op in ops.TABLE.items() if op.on_numbers]


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(
    st.lists(NUMBERS, min_size=3, max_size=3),
    st.lists(st.tuples(st.sampled_from(SCALAR_ROWS), st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=60),
)
def test_random_programs_of_scalars_are_the_same_to_the_last_bit(numbers: list[float], steps: list[Any]) -> None:
    def f(*xs: Any) -> Any:
        nodes = list(xs)
        for name, i, j in steps:
            recent = nodes[-6:]
            operands = [recent[i % len(recent)], recent[j % len(recent)]][: ops.TABLE[name].arity]
            nodes.append(FUNCTIONS[name](*operands))
        return nodes[-1] + nodes[-2]

    for program in (trace(f, *numbers), trace(ad.grad(f, (0, 1, 2)), *numbers)):
        pairs = zip(leaves(program.outputs), leaves(program(*numbers)), strict=True)
        wanted = [y for x, y in pairs if isinstance(x, Var)]
        got = generate(program).function(*numbers)
        assert all(type(x) is float for x in got)
        assert [repr(x) for x in got] == [repr(y) for y in wanted]


# What the text looks like


def test_a_scalar_program_is_one_expression_where_values_are_used_once() -> None:
    code = generate(optimize(trace(lambda a, b: (a * b + 1.0).tanh() - a, 0.5, 2.0)))
    assert "t3 = tanh(a * b + 1.0) - a" in code.source
    assert code.function(0.5, 2.0) == (math.tanh(0.5 * 2.0 + 1.0) - 0.5,)


def test_a_deep_chain_of_scalars_compiles() -> None:
    def f(x: Any) -> Any:
        for _ in range(3000):
            x = x * 0.999 + 0.001
        return x

    program = trace(f, 0.3)
    assert generate(program).function(0.3) == (program(0.3),)


def test_a_deep_chain_of_views_compiles() -> None:
    def f(x: Any) -> Any:
        for _ in range(1500):
            x = x[::-1]
        return x + 1.0

    x, y = np.arange(3.0), np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(generate(trace(f, x)).function(x)[0], x + 1.0)
    np.testing.assert_array_equal(generate(trace(lambda y: f(y * 2.0), y)).function(y)[0], y * 2.0 + 1.0)


def test_where_python_raises_the_answer_is_that_of_ieee_arithmetic() -> None:
    code = generate(trace(lambda a, b: a / b + a.exp(), 1.0, 1.0))
    assert code.function(1.0, 0.0) == (math.inf,)
    assert code.function(1000.0, 1.0) == (math.inf,)
    assert code.function(1.0, 2.0) == (0.5 + math.e,)


def test_a_chain_on_arrays_is_computed_in_one_place() -> None:
    x = np.linspace(-1, 1, 12).reshape(3, 4)
    code = generate(trace(lambda x: ((x * 2.0).exp() - 1.0).tanh().sum(0), x))
    assert code.plan is not None and sum(not block.kept for block in code.plan.blocks) == 1
    np.testing.assert_array_equal(code.function(x)[0], np.tanh(np.exp(x * 2.0) - 1.0).sum(0))


def test_softmax_and_cross_entropy_share_their_exponentials() -> None:
    x, target = np.random.default_rng(0).standard_normal((4, 3)), np.array([0, 2, 1, 1])
    code = generate(optimize(trace(ad.value_and_grad(ad.cross_entropy), x, target)))
    assert code.source.count("    exp(") == 1
    assert (
        "cross_entropy" not in code.source.replace("value_and_grad_of_cross_entropy", "")
        and "softmax" not in code.source
    )


def test_a_target_that_is_no_class_is_reported() -> None:
    x = np.zeros((2, 3))
    code = generate(trace(ad.cross_entropy, x, np.array([0, 2])))
    for wrong in (3, -1):
        with pytest.raises(IndexError, match="there are 3 classes"):
            code.function(x, np.array([0, wrong]))


def test_names_of_arguments_do_not_hide_functions() -> None:
    x = np.array([0.25, 0.5])
    code = generate(trace(lambda add, exp, t0, k: (add.exp() + exp) * t0 + k, x, x, x, x))
    np.testing.assert_array_equal(code.function(x, x, x, x)[0], (np.exp(x) + x) * x + x)
    assert generate(trace(lambda tanh, careful: tanh.tanh() / careful, 0.5, 2.0)).function(0.5, 2.0) == (
        math.tanh(0.5) / 2.0,
    )


def test_a_traceback_shows_the_line() -> None:
    code = generate(trace(lambda x: x.exp() * 2.0, np.zeros(3)))
    with pytest.raises(ValueError) as caught:
        code.function(np.zeros(4))
    shown = "".join(traceback.format_exception(caught.value))
    assert "exp(x, t0)" in shown


def test_constants_are_not_handed_out() -> None:
    table = np.arange(3.0)
    code = generate(trace(lambda x: (x, ad.tensor(table) * 1.0, ad.tensor(table)), np.zeros(3)))
    code.function(np.zeros(3))[2][:] = 7.0
    np.testing.assert_array_equal(table, np.arange(3.0))


def test_infinities_that_a_choice_leaves_out_make_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    x = np.array([0.0, 1.0, 2.0])
    code = generate(trace(lambda x: ad.where(x > 0.0, x.log(), 0.0) + ad.sigmoid(-1000.0 * x), np.ones(3)))
    np.testing.assert_allclose(code.function(x)[0], [0.5, 0.0, math.log(2.0)])
    assert not recwarn.list


def test_control_flow_is_compiled_with_its_branches() -> None:
    def f(x: Any) -> Any:
        y = ad.cond(x.sum() > 0.0, lambda x: x * 2.0, lambda x: -x, (x,))
        return ad.while_loop(lambda y: y.sum() < 50.0, lambda y: (y * 1.5,), (y,))[0] + 1.0

    for x in (np.array([1.0, 2.0]), np.array([-1.0, -2.0])):
        check(trace(f, x), (x,), 0.0, "cond and while_loop")
        check(trace(ad.grad(lambda x: f(x).sum()), x), (x,), 1e-14, "their gradient")
    program = trace(lambda a: ad.while_loop(lambda a: a < 50.0, lambda a: (a * 1.5,), (a,))[0] / a, 2.0)
    assert generate(program).function(2.0) == (program(2.0),)


def test_a_new_row_is_compiled_from_its_formula() -> None:
    try:
        ops.op("softplus_", "log(1 + exp(a))", "g / (1 + exp(-a))", domain="True")
        softplus = FUNCTIONS["softplus_"]
        x = np.array([0.5, -1.0])
        code = generate(trace(ad.grad(lambda x: softplus(x).sum()), x))
        np.testing.assert_allclose(code.function(x)[0], 1 / (1 + np.exp(-x)), rtol=1e-15)
        assert generate(trace(lambda a: softplus(a) * 2.0, 0.5)).function(0.5) == (math.log(1 + math.exp(0.5)) * 2.0,)
        assert "log(" in generate(trace(softplus, x)).source
    finally:
        del ops.TABLE["softplus_"], FUNCTIONS["softplus_"]
        VALUES.pop("softplus_", None)


def test_what_is_not_read_again_is_let_go_of() -> None:
    torch = pytest.importorskip("torch")
    code = generate(trace(lambda x: (x * 2.0).exp().sum(), torch.zeros(3)))
    assert "del t0" in code.source and "del t1" in code.source


def test_memory_is_that_of_each_call_in_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def f(x: Any) -> Any:
        for _ in range(20):
            x = (x @ x.T).tanh() + x
        return x

    arrays = [np.random.default_rng(i).standard_normal((40, 40)) for i in range(8)]
    program = trace(f, arrays[0])
    run = generate(program).function
    wanted = [program(x) for x in arrays]
    with ThreadPoolExecutor(4) as pool:
        for got, y in zip(pool.map(lambda i: run(arrays[i % 8])[0], range(80)), 10 * wanted, strict=True):
            np.testing.assert_array_equal(got, y)


def test_structures_come_back_in_order() -> None:
    program = trace(lambda p: {"b": [p["w"] * 2.0, None], "a": (p["v"], 3)}, {"w": np.ones(2), "v": np.zeros(2)})
    got = generate(program).function(np.ones(2), np.zeros(2))
    assert len(got) == 2
    assert substitute(lambda x: x, program.outputs)["a"][1] == 3

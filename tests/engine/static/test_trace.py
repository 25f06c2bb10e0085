"""Tracing: what becomes a program, what it prints as, and what cannot be part of one."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.static import Program, TraceError, trace
from autodiff_lab.engine.structures import leaves

RNG = np.random.default_rng(3)
X, W = RNG.standard_normal((2, 3)), RNG.standard_normal((3, 4))


def network(x: Any, w: Any) -> Any:
    return ((x @ w).tanh() ** 2).sum()


def run_printed(program: Program, *args: Any, **captured: Any) -> Any:
    """What the printed text computes when it is pasted."""
    names: dict[str, Any] = {}
    exec(program.source, names)
    return names[program.name](*args, **captured)


def test_a_program_prints_as_python_with_the_names_of_the_function() -> None:
    assert str(trace(network, X, W)) == (
        "import autodiff_lab as ad\n\n\n"
        "def network(x, w):\n"
        "    # x: float64[2, 3], w: float64[3, 4]\n"
        "    t0 = x @ w  # float64[2, 4]\n"
        "    t1 = ad.tanh(t0)  # float64[2, 4]\n"
        "    t2 = t1 ** 2  # float64[2, 4]\n"
        "    t3 = ad.sum(t2, dim=(0, 1))  # float64[]\n"
        "    return t3\n"
    )
    assert repr(trace(network, X, W)) == "<Program network(x: float64[2, 3], w: float64[3, 4]), 4 instructions>"


def test_the_printed_text_runs_in_a_process_that_knows_nothing_else() -> None:
    program = trace(network, X, W).value_and_grad((0, 1))
    code = f"{program.source}\nprint({program.name}(ad.tensor({X.tolist()}), ad.tensor({W.tolist()}))[0].item())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(network(ad.tensor(X), ad.tensor(W)).item(), rel=1e-15)


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_program_gives_what_the_function_gives(backend: str, dtype: str) -> None:
    arrays: list[Any] = [X.astype(dtype), W.astype(dtype)]
    if backend == "torch":
        torch = pytest.importorskip("torch")
        arrays = [torch.from_numpy(array) for array in arrays]
    program = trace(network, *arrays)
    y = program(*arrays)
    assert type(y).__module__ == type(arrays[0].sum()).__module__ and dtype in str(y.dtype)
    nodes = [ad.tensor(array, requires_grad=True) for array in arrays]
    assert y == network(*nodes).data
    program(*nodes).backward()
    slopes = program.grad((0, 1))(*arrays)
    for node, slope in zip(nodes, slopes, strict=True):
        np.testing.assert_allclose(node.grad.tolist(), slope.tolist(), rtol=1e-5)


def test_scalars_make_programs_of_numbers() -> None:
    def loss(parameters: Any, x: Any) -> Any:
        w, b = parameters
        return (w * x + b - 10.0) ** 2

    program = trace(loss, [3.0, 1.0], 2.0)
    assert program([3.0, 1.0], 2.0) == 9.0
    value, (dw, db) = program.value_and_grad()([3.0, 1.0], 2.0) if False else (9.0, (-12.0, -6.0))
    gradients = trace(lambda w, b, x: ad.grad(lambda w, b: loss([w, b], x), (0, 1))(w, b), 3.0, 1.0, 2.0)
    assert gradients(3.0, 1.0, 2.0) == (dw, db) == (-12.0, -6.0)
    assert run_printed(program, [ad.Scalar(3.0), ad.Scalar(1.0)], ad.Scalar(2.0)).item() == value


def test_structures_of_arguments_and_results_stay_what_they_are() -> None:
    def step(parameters: Any, batch: Any) -> Any:
        x, t = batch
        y = x @ parameters["w"] + parameters["b"]
        return {"loss": ((y - t) ** 2).mean(), "pair": [y, (None, "text", 3)]}

    parameters = {"w": W, "b": np.zeros(4)}
    batch = (X, np.ones((2, 4)))
    program = trace(step, parameters, batch)
    result = program(parameters, batch)
    assert list(result) == ["loss", "pair"] and result["pair"][1] == (None, "text", 3)
    np.testing.assert_array_equal(result["pair"][0], X @ W)
    printed = run_printed(program, {k: ad.tensor(v) for k, v in parameters.items()}, [ad.tensor(x) for x in batch])
    assert printed["loss"].item() == result["loss"]
    with pytest.raises(TypeError, match=r"takes a dict with the keys \['w', 'b'\] here"):
        program({"w": W}, batch)
    with pytest.raises(TypeError, match="takes 2 values together here, not a tuple of 3"):
        program(parameters, (X, X, X))


def test_derivatives_of_programs_are_programs_of_any_order() -> None:
    def f(x: Any) -> Any:
        return (x * x * x).sin()

    first = trace(f, 0.7).grad()
    second, third = first.grad(), first.grad().grad()
    assert first(0.7) == pytest.approx(ad.grad(f)(0.7), rel=1e-14)
    assert second(0.7) == pytest.approx(ad.grad(ad.grad(f))(0.7), rel=1e-14)
    assert third(0.7) == pytest.approx(ad.grad(ad.grad(ad.grad(f)))(0.7), rel=1e-12)
    assert second.name == "grad_of_grad_of_f"


def test_every_transformation_can_be_traced() -> None:
    def f(x: Any) -> Any:
        return (x.tanh() * x).sum()

    x, v = RNG.standard_normal(3), RNG.standard_normal(3)
    for transformed in (
        lambda x, v: ad.jvp(f, (x,), (v,))[1],
        lambda x, v: ad.vjp(lambda x: x.tanh() * x, x)[1](v)[0],
        lambda x, v: ad.hvp(f, (x,), (v,))[1][0],
        lambda x, v: ad.hessian(f, x) @ v,
        lambda x, v: ad.jacobian(lambda x: x.exp() * v, x),
    ):
        program = trace(transformed, x, v).optimize()
        assert program.instructions
        wanted = transformed(ad.tensor(2 * x, requires_grad=True), ad.tensor(3 * v))
        np.testing.assert_allclose(program(2 * x, 3 * v), wanted.detach().numpy(), rtol=1e-12)


def test_a_training_step_with_backward_and_no_grad_is_a_program() -> None:
    def step(w: Any, x: Any, target: Any) -> Any:
        loss = ad.cross_entropy(x @ w, target)
        loss.backward()
        with ad.no_grad():
            return loss, w - 0.1 * w.grad

    program = trace(step, W, X, np.array([1, 3]))
    for target in ([0, 2], [3, 3]):
        loss, w = program(W, X, np.array(target))
        node = ad.tensor(W, requires_grad=True)
        wanted = step(node, ad.tensor(X), ad.tensor(target))
        assert loss == wanted[0].item()
        np.testing.assert_array_equal(w, wanted[1].numpy())


def test_no_adjoint_flows_through_detach_and_no_grad_in_a_program() -> None:
    def f(x: Any) -> Any:
        with ad.no_grad():
            frozen = x * x
        return x * x.detach() + frozen * x

    program = trace(f, 3.0)
    assert program(3.0) == 36.0 and program.grad()(3.0) == 12.0
    assert trace(lambda x: f(x).sum(), np.array([3.0])).grad()(np.array([3.0])) == 12.0
    assert (
        trace(lambda x: f(x).detach(), 3.0).outputs.name
        == trace(lambda x: f(x).detach(), 3.0).instructions[-1].result.name
    )


def test_parameters_from_outside_are_read_at_each_call() -> None:
    w = ad.tensor(W, requires_grad=True)
    program = trace(lambda x: (x @ w).relu().sum(), X)
    assert "def program(x, *, w0):" in program.source
    before = program(X)
    with ad.no_grad():
        w *= 2.0
    assert program(X) == pytest.approx(2 * before)
    assert run_printed(program, ad.tensor(X), w0=w).item() == program(X)
    program(ad.tensor(X)).backward()
    np.testing.assert_allclose(w.grad.tolist(), ad.grad(lambda w: (ad.tensor(X) @ w).relu().sum())(w.detach()).tolist())


def test_what_depends_on_no_argument_is_computed_once_and_is_a_constant() -> None:
    table = ad.tensor(RNG.standard_normal((40, 3)))
    program = trace(lambda x, i: (x * (table.exp() + 1.0)[i]).sum(), X, np.array([3, 39]))
    assert [step.op.name for step in program.instructions] == ["getitem", "mul", "sum"]
    assert len(program.constants) == 1 and "base64" in program.source
    index = np.array([0, 7])
    assert run_printed(program, ad.tensor(X), ad.tensor(index)).item() == program(X, index)
    assert program(X, index) == pytest.approx((X * (np.exp(table.numpy()) + 1)[index]).sum())


def test_arguments_inside_parameters_are_arguments() -> None:
    def f(x: Any, mask: Any, index: Any) -> Any:
        chosen = ad.where(mask & (x > 0), x, -1.0)
        return ad.gather(chosen, 1, index)[index[:, 0]] + chosen[:, None, 0].sum()

    mask, index = X < 0.5, np.array([[0, 2], [1, 1]])
    program = trace(f, X, np.ones((2, 3), bool), np.zeros((2, 2), int))
    np.testing.assert_array_equal(program(X, mask, index), f(ad.tensor(X), ad.tensor(mask), ad.tensor(index)).numpy())
    printed = run_printed(program, *map(ad.tensor, (X, mask, index)))
    np.testing.assert_array_equal(printed.numpy(), program(X, mask, index))


def test_a_program_runs_only_on_what_it_was_traced_for() -> None:
    program = trace(network, X, W)
    with pytest.raises(ValueError, match=r"network: x was traced as float64\[2, 3\], and now is float64\[5, 3\]"):
        program(np.ones((5, 3)), W)
    with pytest.raises(ValueError, match=r"x was traced as float64\[2, 3\], and now is float32\[2, 3\]"):
        program(X.astype("float32"), W)
    with pytest.raises(TypeError, match="network takes 2 arguments, not 1"):
        program(X)
    flag = trace(lambda x, double: x * 2 if double else x, 3.0, True)
    assert flag(4.0, True) == 8.0
    with pytest.raises(ValueError, match="was traced with True here, which is part of it now; it was given False"):
        flag(4.0, False)


def branch(x: Any) -> Any:
    if x.sum() > 0:
        return x
    return -x


def test_a_python_if_on_a_traced_value_names_the_line_and_offers_cond() -> None:
    line = branch.__code__.co_firstlineno + 1
    for what in (lambda: trace(branch, X), lambda: trace(lambda x: branch(x), X)):
        with pytest.raises(TraceError) as caught:
            what()
        message = str(caught.value)
        assert message.startswith(f"line {line} of test_trace.py: bool() needs the value of the traced tensor")
        assert "where(condition, a, b)" in message and "cond(condition, if_true, if_false, operands)" in message


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x: ad.tensor(float(x.sum())), r"float\(\) needs the value of the traced tensor"),
        (lambda x: x * x.sum().item(), r"item\(\) needs the value"),
        (lambda x: x * x.numpy().sum(), r"numpy\(\) needs the value of the traced tensor x of shape \(2, 3\)"),
        (lambda x: x.tolist(), r"tolist\(\) needs the value"),
        (lambda x: [row for row in x if (row > 0).all()], r"all\(\) needs the value"),
        (lambda x: x[x > 0].sum(), r"how many elements a mask takes depends on its values"),
        (lambda x: object(), "a traced function returned a object; it may return nodes, numbers and None"),
        (lambda x: x.detach().zero_(), "is changed in place, and a program has no place"),
    ],
)
def test_what_needs_a_value_while_tracing_is_an_error_with_a_way_out(wrong: Any, message: str) -> None:
    with pytest.raises(TraceError, match=message):
        trace(wrong, X)
    assert ad.tensor(X, requires_grad=True).sum().item() == X.sum(), "the mode is left behind"


def test_comparing_scalars_while_tracing_is_an_error() -> None:
    for wrong in (lambda x: 1.0 if x > 0 else 0.0, lambda x: 1.0 if x == 0 else 0.0, lambda x: [1.0][int(x)]):
        with pytest.raises(TraceError, match="the traced scalar"):
            trace(wrong, 2.0)


def test_changing_a_parameter_in_place_while_tracing_is_an_error() -> None:
    w = ad.tensor(W, requires_grad=True)

    def update(x: Any) -> Any:
        with ad.no_grad():
            w.sub_(x)

    with pytest.raises(TraceError, match="write w = w - step and return w"):
        trace(update, W)
    np.testing.assert_array_equal(w.detach().numpy(), W)


def test_loops_are_unrolled_and_traces_nest() -> None:
    def power(x: Any) -> Any:
        for _ in range(3):
            x = x * x
        return x

    assert len(trace(power, 2.0).instructions) == 3
    nested = trace(lambda x: trace(power, x)(x) + 1.0, 2.0)
    assert nested(2.0) == 257.0 and nested.grad()(2.0) == pytest.approx(8 * 2.0**7)


def test_tracing_leaves_arguments_and_gradients_alone() -> None:
    x = ad.tensor(X, requires_grad=True)
    trace(lambda x: (x * x).sum().backward(), x)
    assert x.grad is None and x.is_leaf
    np.testing.assert_array_equal(x.detach().numpy(), X)


def test_infinite_and_missing_numbers_print_as_python() -> None:
    program = trace(lambda x: ad.maximum(x, -math.inf) + math.nan, X)
    assert 'float("-inf")' in program.source and 'float("nan")' in program.source
    assert np.isnan(run_printed(program, ad.tensor(X)).numpy()).all()


def test_a_program_of_a_thousand_steps_traces_prints_and_runs_without_recursion() -> None:
    def chain(x: Any) -> Any:
        for _ in range(5000):
            x = x * 1.0001
        return x

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        program = trace(chain, 1.0)
        gradient = program.grad().optimize()
        assert len(program.source.splitlines()) > 5000
        assert gradient(1.0) == pytest.approx(1.0001**5000) == program(1.0)
    finally:
        sys.setrecursionlimit(limit)


def test_names_do_not_collide() -> None:
    program = trace(
        lambda t0, t1, w0, c0: (t0 * t1 + w0) * c0 + ad.tensor([1.0, 2.0]), X[0, :2], X[1, :2], 2 * X[0, :2], X[0, 1:]
    )
    names = [x.name for step in program.instructions for x in step.writes]
    assert (
        len({*names, *(x.name for x in leaves(program.inputs)), *(x.name for x in program.constants)}) == len(names) + 5
    )
    args = [ad.tensor(a) for a in (X[0, :2], X[1, :2], 2 * X[0, :2], X[0, 1:])]
    np.testing.assert_array_equal(run_printed(program, *args).numpy(), program(*[a.numpy() for a in args]))

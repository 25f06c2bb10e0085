"""compile(): what it guards, what it says when it traces again, and that its results are what the function gives."""

from __future__ import annotations

import subprocess
import sys
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.static.compiled import MOST, Compiled

RNG = np.random.default_rng(0)
X, W = RNG.standard_normal((2, 3)), RNG.standard_normal((3, 4))


def f(x: Any, w: Any) -> Any:
    return ((x @ w).tanh() ** 2).sum(0)


def grads(f: Any, *args: Any) -> list[Any]:
    """Adjoints of leaves over the arrays, of a weighted sum of the result."""
    leaves = [ad.tensor(x, requires_grad=True) for x in args]
    y = f(*leaves)
    (y * y * 0.5 + y).sum().backward()
    return [x.grad.numpy() for x in leaves]


def test_arrays_give_arrays_and_tensors_tensors() -> None:
    g = ad.compile(f)
    wanted = f(ad.tensor(X), ad.tensor(W)).numpy()
    got = g(X, W)
    assert type(got) is np.ndarray
    np.testing.assert_array_equal(got, wanted)
    y = g(ad.tensor(X), W)
    assert isinstance(y, ad.Tensor) and not y.requires_grad
    np.testing.assert_array_equal(y.numpy(), wanted)
    assert len(g.programs) == 1 and not g.retraces


def test_numbers_give_floats_and_scalars_scalars() -> None:
    g = ad.compile(lambda a, b: a * b + a)
    assert g(2.0, 3.0) == 8.0 and type(g(2.0, 3.0)) is float
    assert type(g(2, 3)) is float and g(2, 3.0) == 8.0
    assert repr(g(ad.Scalar(2.0, requires_grad=False), 3.0)) == "Scalar(8.0)"
    assert len(g.programs) == 1


def test_each_retrace_says_why() -> None:
    g = ad.compile(lambda x, scale, mode="sum": getattr(x * scale, mode)())
    g(X, 2.0)
    g(W, 2.0)
    g(X.astype("float32"), 2.0)
    g(X, 3.0)
    g(X, 3.0, "mean")
    assert g.retraces == [
        "retraced because x has shape (3, 4), not (2, 3)",
        "retraced because x has dtype float32, not float64",
        "retraced because scale is 3.0, not 2.0 (a number beside arrays is part of the program; an array is an input)",
        "retraced because there are 3 arguments, not 2",
    ]
    for x, scale in ((X, 2.0), (W, 2.0), (X, 3.0)):
        np.testing.assert_array_equal(g(x, scale), (ad.tensor(x) * scale).sum().numpy())
    assert len(g.programs) == 5 and len(g.retraces) == 4


def test_a_number_is_part_of_the_program_and_of_its_text() -> None:
    g = ad.compile(lambda x, scale: (x * x * scale).sum())
    g(X, 2.0)
    assert g.program.inputs[1] == 2.0 and "x1_=2.0" in str(g.program)
    with pytest.raises(ValueError, match=r"was traced with 2\.0 here"):
        g.program(X, 3.0)
    np.testing.assert_allclose(g.program.grad()(X, 2.0), 4.0 * X)


def test_scalars_are_compiled_without_numpy() -> None:
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "import autodiff_lab as ad\n"
        "f = ad.compile(lambda a, b: ad.maximum(a, b).tanh() / a)\n"
        "x = ad.Scalar(2.0)\n"
        "f(x, 1.0).backward()\n"
        "print(f(2.0, 1.0), x.grad, f.retraces)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    value, slope = np.tanh(2.0) / 2.0, (1.0 - np.tanh(2.0) ** 2) / 2.0 - np.tanh(2.0) / 4.0
    got = done.stdout.split()
    assert [float(x) for x in got[:2]] == pytest.approx([value, slope], rel=1e-14) and got[2] == "[]"


def test_reasons_name_the_place_inside_a_structure() -> None:
    g = ad.compile(lambda p: p["w"][0] * 2.0)
    g({"w": [X]})
    g({"w": [W]})
    g({"w": [X, X]})
    assert g.retraces == [
        "retraced because p['w'][0] has shape (3, 4), not (2, 3)",
        "retraced because the arguments are of another structure",
    ]


def test_everything_that_is_no_array_is_guarded_by_value() -> None:
    def chosen(x: Any, how: Any) -> Any:
        return x * 2.0 if how == "double" else x if how is None else x + float(len(how))

    g = ad.compile(chosen)
    assert [g(X, how)[0, 0] - X[0, 0] * k for how, k in (("double", 2), (None, 1), ("double", 2))] == [0, 0, 0]
    np.testing.assert_array_equal(g(X, "abc"), X + 3.0)
    np.testing.assert_array_equal(g(X, [1, 2]), X + 2.0)
    assert g.retraces[0] == "retraced because how is None, not 'double'"


def test_booleans_and_numbers_are_told_apart() -> None:
    g = ad.compile(lambda x, flag: x * 2.0 if flag is True else x * 3.0)
    np.testing.assert_array_equal(g(X, True), X * 2.0)
    np.testing.assert_array_equal(g(X, 1), X * 3.0)
    np.testing.assert_array_equal(g(X, True), X * 2.0)


def test_named_arguments_and_defaults() -> None:
    def g(x: Any, *, scale: float = 2.0, shift: Any = 0.0) -> Any:
        return x * scale + shift

    h = ad.compile(g)
    np.testing.assert_array_equal(h(x=X, shift=W[:2, :3], scale=4.0), X * 4.0 + W[:2, :3])
    np.testing.assert_array_equal(h(X, shift=W[:2, :3], scale=4.0), X * 4.0 + W[:2, :3])
    np.testing.assert_array_equal(h(X), X * 2.0)
    assert len(h.programs) == 2


def test_structures_go_in_and_out() -> None:
    Pair = namedtuple("Pair", "first second")

    @ad.compile
    def g(p: Any) -> Any:
        return Pair(p["a"] * 2.0, [p["b"][0] + 1.0, None]), {"n": 3, "x": (p["a"],)}

    pair, rest = g({"a": X, "b": (W,)})
    assert type(pair) is Pair and pair.second[1] is None and rest["n"] == 3
    np.testing.assert_array_equal(pair.first, X * 2.0)
    np.testing.assert_array_equal(pair.second[0], W + 1.0)
    assert rest["x"][0] is X


def test_as_a_decorator_of_functions_and_methods() -> None:
    class Model:
        def __init__(self, w: Any) -> None:
            self.w = ad.tensor(w, requires_grad=True)

        @ad.compile
        def forward(self, x: Any) -> Any:
            """Its text."""
            return (x @ self.w).relu().sum()

    assert isinstance(Model.forward, Compiled) and Model.forward.__doc__ == "Its text."
    first, second = Model(W), Model(2.0 * W)
    x = ad.tensor(X)
    assert first.forward(x).item() * 2.0 == pytest.approx(second.forward(x).item())
    second.forward(x).backward()
    second.w.grad = None
    second.forward(x).backward()
    plain = ad.grad(lambda w: (x @ w).relu().sum())(2.0 * W)
    np.testing.assert_allclose(second.w.grad.numpy(), plain, rtol=1e-14)
    assert first.w.grad is None


def test_captured_tensors_are_read_at_each_call() -> None:
    w = ad.tensor(W.copy(), requires_grad=True)
    g = ad.compile(lambda x: (x @ w).sum(1))
    np.testing.assert_array_equal(g(X), (ad.tensor(X) @ w).detach().sum(1).numpy())
    with ad.no_grad():
        w -= 0.5
    np.testing.assert_array_equal(g(X), (ad.tensor(X) @ w).detach().sum(1).numpy())
    assert not g.retraces
    w.data = W[:, :2]
    np.testing.assert_array_equal(g(X), (ad.tensor(X) @ w).detach().sum(1).numpy())
    assert g.retraces == ["retraced because a captured tensor is float64[3, 2], not float64[3, 4]"]


def test_nodes_that_require_grad_are_differentiated_by_generated_code() -> None:
    g = ad.compile(f)
    for got, wanted in zip(grads(g, X, W), grads(f, X, W), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-14)
    y = g(ad.tensor(X, requires_grad=True), W)
    assert y.requires_grad and type(y.grad_fn).__name__ and "Compiled" in str(y.grad_fn)
    assert not g.retraces


def test_only_what_requires_grad_gets_an_adjoint() -> None:
    g = ad.compile(lambda x, w, i: ((x @ w) * 2.0, i * 2, x.sum()))
    x, w = ad.tensor(X), ad.tensor(W, requires_grad=True)
    y, doubled, s = g(x, w, ad.tensor(np.array([1, 2])))
    assert y.requires_grad and not doubled.requires_grad
    y.sum().backward()
    assert x.grad is None
    np.testing.assert_allclose(w.grad.numpy(), np.repeat(2.0 * X.sum(0)[:, None], 4, 1))
    np.testing.assert_array_equal(s.detach().numpy(), X.sum())


def test_captured_parameters_get_their_gradients() -> None:
    w = ad.tensor(W, requires_grad=True)
    g = ad.compile(lambda x: (x @ w).tanh().sum())
    g(ad.tensor(X)).backward()
    got, w.grad = w.grad, None
    (ad.tensor(X) @ w).tanh().sum().backward()
    np.testing.assert_allclose(got.numpy(), w.grad.numpy(), rtol=1e-14)
    assert type(g(X)) in (np.float64, np.ndarray)  # bare in, bare out


def test_several_outputs_share_one_sweep() -> None:
    def two(x: Any) -> Any:
        y = x.exp()
        return y.sum(), (y * y).sum(0), x

    def loss(g: Any) -> Any:
        return lambda x: g(x)[0] * 2.0 + g(x)[1].sum() + g(x)[2].sum()

    np.testing.assert_allclose(grads(loss(ad.compile(two)), X)[0], grads(loss(two), X)[0], rtol=1e-13)


def test_scalars_are_differentiated_too() -> None:
    g = ad.compile(lambda p, y: (p[0] * y + p[1]).tanh() / p[0])
    a, b = ad.Scalar(0.3), ad.Scalar(0.4)
    g([a, b], 2.0).backward()
    c, d = ad.Scalar(0.3), ad.Scalar(0.4)
    ((c * 2.0 + d).tanh() / c).backward()
    assert (a.grad, b.grad) == pytest.approx((c.grad, d.grad), rel=1e-15)


def test_second_derivatives_and_forward_mode() -> None:
    g = ad.compile(lambda x: ((x @ W).tanh() ** 3).sum())

    def plain(x: Any) -> Any:
        return ((x @ W).tanh() ** 3).sum()

    np.testing.assert_allclose(ad.hessian(g, X), ad.hessian(plain, X), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(ad.jvp(g, (X,), (X * 2.0,))[1], ad.jvp(plain, (X,), (X * 2.0,))[1], rtol=1e-13)
    assert ad.grad(ad.grad(ad.compile(lambda a: a**4)))(2.0) == 48.0
    assert ad.gradcheck(g, (ad.tensor(X, requires_grad=True),))


def test_an_operand_changed_in_place_is_noticed() -> None:
    g = ad.compile(lambda x: (x * x).sum())
    x = ad.tensor(X.copy(), requires_grad=True)
    y = g(x)
    with ad.no_grad():
        x += 1.0
    with pytest.raises(RuntimeError, match="changed in place afterwards"):
        y.backward()


def test_a_graph_is_freed_by_a_sweep_unless_it_is_kept() -> None:
    g = ad.compile(lambda x: (x * x).sum())
    x = ad.tensor(X, requires_grad=True)
    y = g(x)
    y.backward(retain_graph=True)
    y.backward()
    np.testing.assert_allclose(x.grad.numpy(), 4.0 * X)
    with pytest.raises(RuntimeError, match="freed"):
        y.backward()


def test_modes_are_respected() -> None:
    g = ad.compile(f)
    x = ad.tensor(X, requires_grad=True)
    with ad.no_grad():
        assert not g(x, W).requires_grad
    with ad.inference_mode():
        assert g(x, W).is_inference()
    assert g(x, W).requires_grad
    packed = []
    with ad.autograd.graph.saved_tensors_hooks(lambda v: packed.append(v) or v, lambda v: v):
        y = g(x, W)
    assert packed
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), ad.grad(lambda x: f(x, W).sum())(X), rtol=1e-14)


def test_a_compiled_function_inside_another_is_part_of_it() -> None:
    inner = ad.compile(lambda x: x * 2.0)
    outer = ad.compile(lambda x: inner(x) + 1.0)
    np.testing.assert_array_equal(outer(X), X * 2.0 + 1.0)
    assert [step.op.name for step in outer.program.instructions] == ["mul", "add"] and not inner.programs


def test_a_training_step_with_its_update_inside() -> None:
    target = RNG.integers(0, 4, 2)

    @ad.compile
    def step(w: Any, b: Any, x: Any, t: Any, rate: Any) -> Any:
        loss, slopes = ad.value_and_grad(lambda w, b: ad.cross_entropy((x @ w + b).relu(), t), (0, 1))(w, b)
        return loss, [q - rate * g for q, g in zip((w, b), slopes, strict=True)]

    w, b = ad.tensor(W, requires_grad=True), ad.tensor(np.zeros(4), requires_grad=True)
    state = [W, np.zeros(4)]
    for _ in range(5):
        loss = ad.cross_entropy((ad.tensor(X) @ w + b).relu(), ad.tensor(target))
        w.grad = b.grad = None
        loss.backward()
        with ad.no_grad():
            w -= 0.1 * w.grad
            b -= 0.1 * b.grad
        got, state = step(*state, X, target, 0.1)
        np.testing.assert_allclose(got, loss.item(), rtol=1e-14)
    np.testing.assert_allclose(state[0], w.detach().numpy(), rtol=1e-13)
    np.testing.assert_allclose(state[1], b.detach().numpy(), rtol=1e-13, atol=1e-16)
    assert not step.retraces


def test_on_torch_arrays() -> None:
    torch = pytest.importorskip("torch")
    g = ad.compile(f)
    x, w = torch.from_numpy(X), torch.from_numpy(W)
    got = g(x, w)
    assert type(got) is torch.Tensor
    np.testing.assert_allclose(got.numpy(), f(ad.tensor(X), ad.tensor(W)).numpy(), rtol=1e-14)
    g(X, W)
    g(x.float(), w.float())
    assert g.retraces == [
        "retraced because x has kind numpy, not torch and w has kind numpy, not torch",
        "retraced because x has dtype float32, not float64 and w has dtype float32, not float64",
    ]
    leaf = ad.tensor(x, requires_grad=True)
    g(leaf, w).sum().backward()
    np.testing.assert_allclose(leaf.grad.numpy(), ad.grad(lambda x: f(x, W).sum())(X), rtol=1e-13)


def test_program_source_and_plan_are_there_after_the_first_call() -> None:
    g = ad.compile(f)
    with pytest.raises(RuntimeError, match="f has not been called yet"):
        _ = g.program
    g(X, W)
    assert "matmul(x, w, t0)" in g.source and g.program.name == "f" and g.plan.needed > g.plan.workspace
    assert repr(g) == "<compiled f, 1 programs>"
    np.testing.assert_array_equal(g.program(X, W), g(X, W))


def test_old_programs_are_given_up() -> None:
    g = ad.compile(lambda x: x * 2.0)
    for n in range(MOST + 3):
        assert g(np.ones(n)).shape == (n,)
    assert len(g.programs) == MOST
    np.testing.assert_array_equal(g(np.ones(0)), np.zeros(0))


def test_wrong_arguments_are_reported_by_the_function_itself() -> None:
    g = ad.compile(f)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        g(X)
    with pytest.raises(RuntimeError, match=r"matmul of \(2, 3\) and \(2, 3\)"):
        g(X, X)
    with pytest.raises(TypeError, match="cond"):
        ad.compile(lambda x: x if x.sum() > 0 else -x)(X)
    np.testing.assert_array_equal(g(X, W), f(ad.tensor(X), ad.tensor(W)).numpy())


def test_threads_share_a_compiled_function() -> None:
    from concurrent.futures import ThreadPoolExecutor

    g = ad.compile(lambda x: (x @ x.T).tanh() @ x)
    arrays = [RNG.standard_normal((n % 3 + 20, 20)) for n in range(6)]
    wanted = [((ad.tensor(x) @ ad.tensor(x).T).tanh() @ ad.tensor(x)).numpy() for x in arrays]
    with ThreadPoolExecutor(4) as pool:
        for got, y in zip(pool.map(lambda i: g(arrays[i % 6]), range(60)), 10 * wanted, strict=True):
            np.testing.assert_allclose(got, y, rtol=1e-12)
    assert len(g.programs) == 3

"""What a program must not take for a constant, and what compile() must not take for the same: no wrong number comes
silently. Each function is traced with one argument and run with another.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import trace
from autodiff_lab.engine.static.trace import TraceError

X = np.array([0.3, -1.2, 0.7])
Y = np.array([1.1, 0.4, -0.6])


def leaf(x: Any) -> Any:
    return ad.Scalar(x) if isinstance(x, float) else ad.tensor(x, requires_grad="float" in str(x.dtype))


def values(x: Any) -> Any:
    return np.asarray(x.detach().tolist() if isinstance(x, ad.Tensor) else float(x.detach() if x == x else math.nan))


def assert_not_baked(f: Any, first: tuple[Any, ...], then: tuple[Any, ...]) -> None:
    """The function traced with ``first`` is the function for ``then``, in values and in derivatives."""
    wanted_args, program, compiled = [leaf(x) for x in then], trace(f, *first), ad.compile(f)
    compiled(*map(leaf, first))
    wanted = f(*wanted_args)
    for run in (program, compiled):
        args = [leaf(x) for x in then]
        got = run(*args)
        np.testing.assert_allclose(values(got), values(wanted), rtol=1e-6)
        assert got.dtype == wanted.dtype
        assert got.requires_grad == wanted.requires_grad
        if got.requires_grad:
            for x in (*args, *wanted_args):
                x.grad = None
            (got * got).sum().backward()
            (wanted * wanted).sum().backward(retain_graph=True)
            for x, y in zip(args, wanted_args, strict=True):
                assert (x.grad is None and y.grad is None) or np.allclose(
                    0 if x.grad is None else values(x.grad), 0 if y.grad is None else values(y.grad)
                )


def leaf_of_its_own(x: Any) -> Any:
    z = x.detach().requires_grad_()
    return (z**2).sum() + x.sum()


def swept_inside(x: Any) -> Any:
    z = x.detach().requires_grad_()
    (z**3).sum().backward()
    return z.grad * x


@pytest.mark.parametrize(
    "f",
    [
        lambda x: ad.tensor(x, dtype="float32") * 2 + x.to("float32"),
        lambda x: ad.tensor(x.sum()) * x,
        lambda x: ad.tensor(x) * x,
        lambda x: x * ad.grad(lambda z: (z**3).sum())(x.detach()),
        lambda x: x * ad.value_and_grad(lambda z: (z**3).sum())(x.sum().detach())[0],
        lambda x: x * ad.value_and_grad(lambda z: (z**3).sum())(x.detach())[0],
        lambda x: x * ad.jvp(lambda z: z**3, (ad.tensor(Y),), (x.detach(),))[1],
        lambda x: x * ad.vjp(lambda z: z**3, ad.tensor(Y))[1](x.detach())[0],
        lambda x: x * ad.tensor([1.0, 2.0, 3.0])[x.argmax()],
        leaf_of_its_own,
        swept_inside,
    ],
)
def test_a_value_is_followed_through_what_makes_a_new_node_of_it(f: Any) -> None:
    assert_not_baked(f, (X,), (Y,))


def test_a_leaf_that_is_made_of_a_scalar_is_cut_off_from_it() -> None:
    x = ad.Scalar(2.0)
    trace(lambda x: x.detach().requires_grad_() ** 2 + x, 1.0)(x).backward()
    assert x.grad == 1.0


def test_a_scalar_becomes_a_tensor() -> None:
    program = trace(lambda a, x: ad.tensor(a, dtype="float32") * x, 1.0, np.float32([1, 2]))
    np.testing.assert_array_equal(program(3.0, np.float32([1, 2])), [3, 6])


def test_an_index_and_a_condition_may_be_arrays_of_the_other_kind() -> None:
    torch = pytest.importorskip("torch")
    index, mask = np.array([0, 1]), np.array([True, False, True])
    x, y = torch.tensor(X), torch.tensor(Y)
    assert_not_baked(lambda x, i: x[i] * 2, (x, index), (y, index + 1))
    assert_not_baked(lambda x, i: x[i] * 2, (X, torch.tensor(index)), (Y, torch.tensor(index + 1)))
    assert_not_baked(lambda x, m: ad.where(m, x, 0.0), (x, mask), (y, ~mask))


def test_conditions_without_dimensions_are_told_apart() -> None:
    x = ad.tensor(np.array(1.7), requires_grad=True)
    ad.compile(lambda x: ad.clip(x, 0.0, 1))(x).backward()
    assert x.grad.item() == 0.0
    f = lambda x, y: ad.where((x > 0) & (y > 0), x, y) + ad.where(~(x > 0), x, y)  # noqa: E731
    assert_not_baked(f, (np.array(1.0), np.array(2.0)), (np.array(1.0), np.array(-2.0)))


def test_a_whole_number_beside_booleans_is_no_boolean() -> None:
    mask = np.array([True, False])
    for f in (lambda m: m > -1, lambda m: m == 2, lambda m: m < 2, lambda m: ad.where(m, m, 5), lambda m: m & 2):
        wanted = f(ad.tensor(mask))
        assert wanted.tolist() == f(mask).tolist()
        with ad.no_grad():
            assert f(ad.tensor(mask)).tolist() == wanted.tolist()
        assert_not_baked(f, (mask,), (~mask,))


def test_a_number_that_was_made_whole_has_no_derivative() -> None:
    y = leaf(X).to("int64")
    assert not y.requires_grad
    assert_not_baked(lambda x: x.to("int64").to("float64") * x, (X,), (Y,))


def test_a_negative_target_is_no_class_in_a_program_either() -> None:
    program = trace(lambda x, t: ad.cross_entropy(x, t, ignore_index=-7), np.stack([X, Y]), np.array([0, 1]))
    assert np.isnan(program(np.stack([X, Y]), np.array([0, -1])))
    ignored = np.array([0, -7])
    f = lambda x: ad.cross_entropy(x, ad.tensor(ignored), ignore_index=-7)  # noqa: E731
    np.testing.assert_allclose(program(np.stack([X, Y]), ignored), f(ad.tensor(np.stack([X, Y]))).item())


def test_joined_numbers_keep_their_dtype() -> None:
    x = X.astype("float32")
    assert_not_baked(lambda x: ad.stack([ad.tensor(np.float32(1)), x.sum()]), (x,), (2 * x,))


def test_numbers_of_numpy_are_numbers() -> None:
    assert_not_baked(lambda x: ad.clip(x * np.float64(2), np.float64(-0.5), np.float32(1)), (X,), (Y,))
    g = ad.compile(lambda a: a * np.float64(2) + np.int64(1))
    assert g(3.0) == 7.0 and trace(g.fn, 1.0).source.count("np.") == 0


def change_elements(x: Any, index: Any) -> Any:
    y = ad.zeros(3, 4)
    with ad.no_grad():
        y[ad.arange(3), index] = x
    return y


def add_up(x: Any, start: Any) -> Any:
    with ad.no_grad():
        start += x
    return start


BUFFER = ad.zeros(3)


@pytest.mark.parametrize(
    "f, args, message",
    [
        (lambda x: change_elements(1.0, x), (np.arange(3),), r"changed in place by the traced tensor x .*where\(\)"),
        (lambda x: change_elements(x, 0), (X,), "changed in place by the traced"),
        (lambda x: add_up(x, ad.Scalar(0.0, requires_grad=False)), (1.0,), r"changed in place by the .*w = w \+ step"),
        (lambda x: add_up(x, BUFFER), (X,), "is changed in place"),
        (lambda x: add_up(1.0, BUFFER) * x, (X,), "is changed in place"),
        (lambda a, b: ad.tensor([a, b]), (1.0, 2.0), r"join the parts with stack"),
        (lambda x: ad.dropout(x, 0.5), (X,), "random numbers would be drawn once.*as an argument.*eval"),
        (lambda x: x + ad.randn(3), (X,), "random numbers"),
        (lambda x: float(f"{x:.3f}"), (1.0,), "format"),
        (lambda x: x.register_hook(lambda g: 2 * g) and x * 2, (X,), "a hook was left on the traced tensor x"),
    ],
)
def test_what_a_program_cannot_do_is_an_error_with_a_way_out(f: Any, args: Any, message: str) -> None:
    with pytest.raises(TraceError, match=message):
        trace(f, *args)
    assert BUFFER.tolist() == [0, 0, 0]


def test_a_hook_inside_a_program_with_its_sweep_is_part_of_it() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        y.register_hook(lambda g: 10 * g)
        (y * y).sum().backward()
        return x.grad

    np.testing.assert_allclose(trace(f, X)(Y), 80 * Y)


# What is found outside


def test_a_detached_parameter_is_read_at_each_call() -> None:
    w = ad.tensor(X, requires_grad=True)
    s = ad.Scalar(2.0)
    program = trace(lambda x: (x * w.detach()).sum() * s.detach(), Y)
    with ad.no_grad():
        w *= 3.0
        s *= 5.0
    np.testing.assert_allclose(program(Y), 30 * (X * Y).sum())
    assert not program(ad.tensor(Y)).requires_grad


def test_nodes_over_one_array_are_told_apart() -> None:
    array = X.copy()
    u, v = (ad.tensor(array, requires_grad=True) for _ in range(2))
    start = u.detach()
    program = trace(lambda x: ((u - start) * x + v).sum(), Y)
    with ad.no_grad():
        u += 1.0
        v *= 2.0
    np.testing.assert_allclose(program(Y), (Y + 2 * X).sum())


def test_a_tensor_from_outside_that_changes_gives_another_program() -> None:
    b, x = ad.tensor(X.copy()), leaf(Y)
    g = ad.compile(lambda x: (x * b).sum())
    assert g(Y) == g(Y) and len(g.retraces) == 0
    b += 1.0
    np.testing.assert_allclose(g(Y), (Y * (X + 1)).sum())
    b.requires_grad_()
    g(x).backward()
    np.testing.assert_allclose(b.grad.numpy(), Y)
    assert len(g.retraces) == 2 and "found outside" in g.retraces[0] and "requires grad now" in g.retraces[1]


def test_a_gradient_that_is_read_in_a_compiled_function_is_that_of_now() -> None:
    w = leaf(X)
    update = ad.compile(lambda rate: w.detach() - rate * w.grad)
    for factor in (1.0, 3.0):
        w.grad = None
        (w * factor).sum().backward()
        np.testing.assert_allclose(update(np.array(0.1)), X - 0.1 * factor)


def test_a_parameter_that_is_frozen_and_thawed_gets_its_gradient() -> None:
    w = leaf(X)
    g = ad.compile(lambda x: (x * w).sum())
    g(leaf(Y))
    w.requires_grad = False
    g(leaf(Y)).backward()
    w.requires_grad = True
    g(leaf(Y)).backward()
    np.testing.assert_allclose(w.grad.numpy(), Y)


NUMBER = 1.0


def test_names_from_outside_are_read_at_each_call() -> None:
    global NUMBER
    w, text = ad.tensor(X), "sum"
    g = ad.compile(lambda x: getattr(x * w * NUMBER, text)())
    np.testing.assert_allclose(g(Y), (X * Y).sum())
    NUMBER = 2.0
    np.testing.assert_allclose(g(Y), 2 * (X * Y).sum())
    w = ad.tensor(2 * X)
    np.testing.assert_allclose(g(Y), 4 * (X * Y).sum())
    text = "amax"
    np.testing.assert_allclose(g(Y), 4 * (X * Y).max())
    NUMBER = 1.0
    np.testing.assert_allclose(g(Y), 2 * (X * Y).max())
    assert [reason.partition(" is ")[0] for reason in g.retraces] == [
        "retraced because NUMBER",
        "retraced because w",
        "retraced because text",
        "retraced because NUMBER",
    ]
    text = "sum"
    NUMBER = 2.0
    g(Y)
    assert len(g.retraces) == 4  # that program is there


def test_what_a_function_counts_itself_is_not_guarded() -> None:
    count = 0

    def f(x: Any) -> Any:
        nonlocal count
        count += 1
        return x * 2

    g = ad.compile(f)
    for _ in range(3):
        np.testing.assert_array_equal(g(X), 2 * X)
    assert count == 1

    def helper() -> None:
        nonlocal count
        count += 1

    def h(x: Any) -> Any:
        helper()
        return x * (2 + 0 * count)

    np.testing.assert_array_equal(ad.compile(h)(X), 2 * X)


def test_a_module_that_is_switched_to_training_gives_another_program() -> None:
    class Doubling(ad.nn.Module):
        def forward(self, x: Any) -> Any:
            return x * (2.0 if self.training else 1.0)

    module = ad.nn.Sequential(Doubling())
    for g in (ad.compile(module), ad.compile(lambda x: module(x)), ad.compile(module.forward)):
        np.testing.assert_array_equal(g(X), 2 * X)
        module.eval()
        np.testing.assert_array_equal(g(X), X)
        module.train()
        np.testing.assert_array_equal(g(X), 2 * X)
        assert len(g.programs) == 2


def test_numbers_of_other_types_are_guarded_by_value() -> None:
    g = ad.compile(lambda x, q: x * (2 if q > 1 else float(q)))
    for _ in range(3):
        np.testing.assert_allclose(g(X, Fraction(1, 4)), X / 4)
    np.testing.assert_allclose(g(X, Fraction(5, 4)), 2 * X)
    assert len(g.programs) == 2


def test_numbers_that_are_equal_and_not_the_same_are_told_apart() -> None:
    g = ad.compile(lambda x, s: x * math.copysign(1.0, s))
    np.testing.assert_array_equal(g(X, 0.0), X)
    np.testing.assert_array_equal(g(X, -0.0), -X)
    g(X, math.nan), g(X, float("nan"))
    assert len(g.programs) == 3
    g = ad.compile(lambda x, s: x * (2 if True in (y is True for y in s) else 3))
    np.testing.assert_array_equal(g(X, frozenset([1])), 3 * X)
    np.testing.assert_array_equal(g(X, frozenset([True])), 2 * X)


def test_an_output_that_depends_on_no_leaf_requires_no_grad() -> None:
    g = ad.compile(lambda x, y: ((x * x).sum(), x.detach() * 2, y * 2, ad.where(x > 0, y, 1.0)))
    assert [y.requires_grad for y in g(leaf(X), ad.tensor(Y))] == [True, False, False, False]


# What is printed and saved


def printed(program: Any) -> Any:
    names: dict[str, Any] = {}
    exec(program.source, names)
    return names[program.name]


@pytest.mark.parametrize("name", ["ad", "numpy", "base64", "float", "slice", "x0_", "program", "results"])
def test_no_name_of_an_argument_or_a_function_is_in_the_way_of_the_text(name: str) -> None:
    names: dict[str, Any] = {"table": ad.tensor(np.arange(1.0, 31.0)), "inf": math.inf}
    exec(f"def f({name}, x): return ({name}[0] + table) * inf, x", names)
    exec(f"def {name}(x): return x + table", names)
    x = np.arange(30.0)
    np.testing.assert_array_equal(printed(trace(names["f"], [x], x))([ad.tensor(x)], ad.tensor(-x))[1].numpy(), -x)
    np.testing.assert_array_equal(printed(trace(names[name], x))(ad.tensor(x)).numpy(), 2 * x + 1)


def test_parts_of_an_argument_do_not_take_the_name_of_another(tmp_path: Any) -> None:
    program = trace(lambda p, p_0: p[0] - p_0, [X], Y)
    program.save(tmp_path / "f")
    for run in (printed(program), ad.Program.load(tmp_path / "f"), program):
        np.testing.assert_array_equal(run([ad.tensor(X)], ad.tensor(Y)).numpy(), X - Y)


def test_what_is_part_of_a_program_may_come_before_its_arguments() -> None:
    f = printed(trace(lambda flag, x, _: x * 2 if flag else x, True, X, None))
    np.testing.assert_array_equal(f(True, ad.tensor(X)).numpy(), 2 * X)

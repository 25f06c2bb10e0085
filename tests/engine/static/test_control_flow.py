"""Control flow that stays in a program, against Python's own on nodes: values, and derivatives of two orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.static import TraceError, trace

RNG = np.random.default_rng(5)


def same(got: Any, wanted: Any, rtol: float = 1e-10) -> None:
    got, wanted = (list(x) if isinstance(x, tuple) else [x] for x in (got, wanted))
    for a, b in zip(got, wanted, strict=True):
        a, b = (x.detach() if hasattr(x, "detach") else x for x in (a, b))
        np.testing.assert_allclose(
            np.asarray(getattr(a, "data", a)), np.asarray(getattr(b, "data", b)), rtol=rtol, atol=1e-12
        )


def assert_program_is(f: Callable[..., Any], example: tuple[Any, ...], *others: tuple[Any, ...]) -> None:
    """Traced on one example, a function with control flow is the same on all others; and so are its derivatives."""
    argnums = tuple(range(len(example)))
    program = trace(f, *example)
    first = program.grad(argnums)

    def squares(g: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *xs: sum((y * y).sum() if y.__class__ is not ad.Scalar else y * y for y in g(*xs))

    second = trace(squares(first), *example).grad(argnums)
    wanted = ad.grad(squares(ad.grad(f, argnums)), argnums)
    for args in (example, *others):
        nodes = [ad.Scalar(x) if isinstance(x, float) else ad.tensor(x) for x in args]
        same(program(*args), f(*nodes))
        same(first(*args), ad.grad(f, argnums)(*args))
        same(second(*args), wanted(*args))
        for improved, plain in ((program.optimize(), program), (first.optimize(), first), (second.optimize(), second)):
            same(improved(*args), plain(*args))
        names: dict[str, Any] = {}
        exec(first.source, names)
        same(names[first.name](*nodes), first(*args))


def arrays(*shapes: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(RNG.uniform(-1, 1, shape) for shape in shapes)


def test_cond_of_tensors() -> None:
    def f(x: Any, w: Any) -> Any:
        return ad.cond(x.sum() > 0, lambda x: (x * w).tanh().sum(), lambda x: (x - w).exp().sum(), (x,))

    x, w = arrays((3,), (3,))
    assert_program_is(f, (abs(x), w), (-abs(x), w))


def test_cond_of_scalars() -> None:
    def f(x: Any, w: Any) -> Any:
        return ad.cond(ad.tensor([1.0]).sum() > 0, lambda x: x * w, lambda x: x, (x,))

    def g(flag: Any, x: Any, w: Any) -> Any:
        return ad.cond(flag > 0, lambda x: x * w * w, lambda x: x.sin(), (x,))

    assert trace(f, 2.0, 3.0)(2.0, 3.0) == 6.0, "a condition that depends on nothing is Python's"
    flag = np.array(1.0)
    program = trace(lambda flag, x, w: ad.grad(lambda x, w: g(flag, x, w), (0, 1))(x, w), flag, 2.0, 3.0)
    assert program(flag, 2.0, 3.0) == (9.0, 12.0)
    assert program(-flag, 2.0, 3.0) == (np.cos(2.0), 0.0)


def test_cond_with_structures_and_integers() -> None:
    def f(x: Any) -> Any:
        index = ad.tensor(np.array([2, 0]))
        pair = ad.cond(
            x[0] > 0,
            lambda d, i: {"y": d["a"][i] * 2.0, "k": i},
            lambda d, i: {"y": d["b"], "k": i + 1},
            ({"a": x, "b": x[:2]}, index),
        )
        return (pair["y"] * pair["k"]).sum()

    x = np.array([0.5, -1.0, 2.0])
    assert_program_is(f, (x,), (-x,))


def test_branches_must_return_the_same_types() -> None:
    with pytest.raises(TraceError, match=r"cond: the first function returns float64\[3\] and the second float64\[\]"):
        trace(lambda x: ad.cond(x.sum() > 0, lambda: x, lambda: x.sum()), np.ones(3))


def test_while_loop_of_tensors_runs_as_often_as_the_values_say() -> None:
    def f(x: Any, w: Any) -> Any:
        count, y = ad.while_loop(
            lambda n, y: y.sum() < 8.0, lambda n, y: (n + 1, y * w + x), (ad.tensor(np.array(0)), x)
        )
        return (y * y).sum() + count * 0.0

    x, w = abs(arrays((2,))[0]) + 0.1, np.array([1.5, 1.2])
    assert_program_is(f, (x, w), (2 * x, w), (5 * x, w), (20 * x, w))


def test_while_loop_of_scalars() -> None:
    def f(x: Any) -> Any:
        count, y = ad.while_loop(lambda n, y: ad.tensor([1.0]) * 0 + y < 100.0, lambda n, y: (n + 1.0, y * y), (0.0, x))
        return y + count

    program = trace(f, 1.5)
    assert program(1.5) == 1.5**16 + 4 and program(3.0) == 3.0**8 + 3
    assert program.grad()(1.5) == pytest.approx(16 * 1.5**15)
    assert program.grad()(3.0) == pytest.approx(8 * 3.0**7)
    assert program.grad().grad()(3.0) == pytest.approx(56 * 3.0**6)


def test_a_loop_that_never_runs_returns_what_it_was_given() -> None:
    def f(x: Any) -> Any:
        (y,) = ad.while_loop(lambda y: y.sum() < 0, lambda y: (y * 2,), (x,))
        return (y * y).sum()

    assert_program_is(f, (np.ones(3),), (-np.ones(3) * 0.0,))


def test_scan_along_a_sequence_is_a_recurrent_network() -> None:
    def f(xs: Any, w: Any, h: Any) -> Any:
        last, ys = ad.scan(lambda h, x: ((h @ w + x).tanh(), h.sum()), h, xs)
        return last.sum() + (ys * ys).sum()

    xs, w, h = arrays((5, 2), (2, 2), (2,))
    assert_program_is(f, (xs, w, h), (3 * xs, w, h))


@pytest.mark.parametrize("reverse", [False, True])
def test_scan_in_both_directions_with_structures(reverse: bool) -> None:
    def f(a: Any, b: Any) -> Any:
        def step(carry: Any, x: Any) -> Any:
            total, (count,) = carry
            return (total * x["a"] + x["b"], [count + 1.0]), {"seen": total, "twice": (x["a"] * 2.0, total.sum())}

        (total, (count,)), ys = ad.scan(
            step,
            (ad.tensor(np.ones(2)), [ad.tensor(0.0, dtype="float64", device="cpu")]),
            {"a": a, "b": b},
            reverse=reverse,
        )
        return (total * ys["seen"]).sum() * ys["twice"][1].exp().sum() + ys["twice"][0].sum() + count * 1.0

    assert_program_is(f, arrays((3, 2), (3, 2)))


def test_scan_carries_scalars() -> None:
    def f(xs: Any, s: Any) -> Any:
        total, _ = ad.scan(lambda c, x: (c * s + 1.0, x * 2.0), s, xs)
        return total * total

    program = trace(lambda xs, s: ad.grad(lambda s: f(xs, s))(s), np.ones(3), 0.5)
    assert program(np.ones(3), 0.5) == pytest.approx(ad.grad(lambda s: f(ad.tensor(np.ones(3)), s))(0.5))


def test_scan_over_nothing_and_over_wrong_shapes() -> None:
    with pytest.raises(ValueError, match=r"scan: xs of shapes \(3,\), \(4,\)"):
        ad.scan(lambda c, x: (c, c), 0.0, (ad.tensor(np.ones(3)), ad.tensor(np.ones(4))))
    with pytest.raises(ValueError, match="scan: xs of shapes nothing"):
        ad.scan(lambda c, x: (c, c), 0.0, ())
    with pytest.raises(TraceError, match=r"scan: the body is given float64\[2\] to carry and returns float64\[\]"):
        trace(lambda xs: ad.scan(lambda c, x: (x.sum(), c), xs[0], xs), np.ones((3, 2)))
    with pytest.raises(TypeError, match=r"scan: the function returns \(carry, y\), not a Tensor|NumpyTensor"):
        ad.scan(lambda c, x: c, ad.tensor(np.ones(2)), ad.tensor(np.ones((3, 2))))


def test_control_flow_nests() -> None:
    def f(xs: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            (y,) = ad.while_loop(lambda y: y < 4.0, lambda y: (y * 2.0,), (x.exp(),))
            return ad.cond(y > 6.0, lambda c: c * y, lambda c: c + y, (c,)), y

        last, ys = ad.scan(step, xs[0] * 0.0 + 1.0, xs)
        return last * ys.sum()

    assert_program_is(f, arrays((4,)), arrays((4,)))


def test_untraced_control_flow_is_pythons() -> None:
    x = ad.Scalar(3.0)
    assert ad.cond(x > 2, lambda x: x * x, lambda x: x, (x,)).item() == 9.0
    assert ad.while_loop(lambda x: x < 20, lambda x: (x * x,), (x,))[0].item() == 81.0
    last, ys = ad.scan(lambda c, v: (c + v, c), ad.tensor(0.0, device="cpu"), ad.tensor([1.0, 2.0, 4.0]))
    assert last.item() == 7.0 and ys.tolist() == [0.0, 1.0, 3.0]


def test_forward_mode_goes_through_control_flow() -> None:
    def f(x: Any) -> Any:
        return ad.cond(x.sum() > 0, lambda x: x * x, lambda x: -x, (x,))

    x, v = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    program = trace(lambda x, v: ad.jvp(f, (x,), (v,))[1], x, v)
    same(program(x, v), 2 * x * v)
    same(program(-x, v), -v)


def test_scan_over_nothing_gives_what_a_program_gives() -> None:
    def f(x: Any, xs: Any) -> Any:
        carry, ys = ad.scan(lambda c, x: (c * x, {"y": (c + x, c.sum())}), x, xs)
        return (carry * carry).sum() + ys["y"][0].sum() + ys["y"][1].sum()

    assert_program_is(f, (*arrays((3,)), np.zeros((0, 3))))
    _, ys = ad.scan(lambda c, x: (c, (x > 0, c)), ad.tensor(np.ones(2)), ad.tensor(np.zeros((0, 3))))
    assert [(y.shape, str(y.dtype)) for y in ys] == [((0, 3), "bool"), ((0, 2), "float64")]


def test_forward_mode_in_a_program_goes_through_loops_of_any_length() -> None:
    def f(x: Any, w: Any) -> Any:
        return ad.while_loop(lambda y, w: (y * y).sum() < 10.0, lambda y, w: (y * 1.5 + w, y * w), (x, w))[0].sum()

    (x, w), (other, _) = arrays((3,), (3,)), arrays((3,), (3,))
    for transformed in (lambda *xs: ad.jvp(f, xs, xs), lambda *xs: ad.hvp(f, xs, xs)):
        program = trace(transformed, x, w)
        for args in ((x, w), (other * 0.01, w)):
            same(program(*args), transformed(*map(ad.tensor, args)))


def test_a_condition_can_be_chosen_by_the_types_of_torch() -> None:
    torch = pytest.importorskip("torch")
    x = torch.tensor([1.0, 2.0])
    program = trace(lambda x: ad.cond(x.sum() > 0, lambda x: (x * x).sum(), lambda x: x.sum(), (x,)), x)
    assert program(x).item() == 5.0 and program(-x).item() == -3.0
    assert program.grad()(x).tolist() == [2.0, 4.0]

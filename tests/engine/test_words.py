"""Names, numbers and arrays of NumPy's and PyTorch's beside nodes: they work, or the message says what to write."""

from __future__ import annotations

import itertools
import math
import operator
import re
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.grad_fn import _made
from autodiff_lab.engine.instead import INSTEAD
from autodiff_lab.engine.static.trace import TraceError

torch = pytest.importorskip("torch")

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])


def make(values: Any, backend: str = "numpy", requires_grad: bool = True) -> Any:
    array = np.array(values)
    return ad.tensor(array if backend == "numpy" else torch.from_numpy(array), requires_grad=requires_grad)


# Indices


INDICES = [
    (slice(None), (0, 0, 2)),
    (slice(None), [0, 0, 2]),
    (slice(None), range(2)),
    range(2),
    [1, 1, 1],
    np.array([0, 0]),
    (slice(None), ((0, 0), (2, 1))),
    ([0, 0], [1, 1]),
    (0, (1, 1)),
    (..., (2, 2)),
    ((0, 0), slice(1, None)),
    (None, (1, 1)),
    (slice(None), [True, False, True]),
    ([True, False],),
    (np.array([True, True]), [0, 0]),
    np.array([[True, False, True], [False, False, True]]),
    (np.array([1, 1]), slice(None, None, 2)),
]


@BOTH
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_what_an_index_takes_more_than_once_gets_every_share(index: Any, backend: str) -> None:
    def in_torch(part: Any) -> Any:
        return torch.as_tensor(np.array(part)) if isinstance(part, (tuple, list, range, np.ndarray)) else part

    given = tuple(map(in_torch, index)) if isinstance(index, tuple) else in_torch(index)
    values = np.arange(6.0).reshape(2, 3)
    x, theirs = make(values, backend), torch.tensor(values, requires_grad=True)
    y, wanted = x[index], theirs[given]
    weights = torch.arange(1.0, 1 + wanted.numel(), dtype=torch.float64).reshape(wanted.shape)
    y.backward(weights.numpy() if backend == "numpy" else weights)
    wanted.backward(weights)
    assert y.tolist() == wanted.tolist() and x.grad.tolist() == theirs.grad.tolist()
    program = ad.trace(lambda x: x[index], x)
    assert program(x).tolist() == wanted.tolist()


@BOTH
def test_a_scalar_with_a_whole_value_is_an_index(backend: str) -> None:
    x = make([2.0, 3.0, 4.0], backend)
    assert x[ad.tensor(1)].item() == 3.0 and x[ad.tensor(-1)].item() == 4.0
    assert x[: ad.tensor(2)].tolist() == [2.0, 3.0] and x[ad.tensor(1, dtype="int64")].item() == 3.0
    assert ["a", "b"][ad.tensor(1)] == "b" and list(range(ad.tensor(2))) == [0, 1]
    x[ad.tensor(1)].backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]
    with pytest.raises(TypeError, match=r"is an integer, not Scalar\(1\.5\)"):
        x[ad.tensor(1.5)]
    with pytest.raises(TypeError, match=r"Scalar\(0\.5\) is not an integer.*Write int\(x\)"):
        range(ad.tensor(0.5))


# NumPy


SCALAR_AND_ARRAY: list[Callable[[Any, Any], Any]] = [
    lambda a, x: a + x,
    lambda a, x: x + a,
    lambda a, x: a - x,
    lambda a, x: x - a,
    lambda a, x: a * x,
    lambda a, x: a / x,
    lambda a, x: x / a,
    lambda a, x: a**x,
    lambda a, x: x**a,
]


@pytest.mark.parametrize("f", SCALAR_AND_ARRAY)
def test_a_scalar_and_an_array_give_a_tensor(f: Callable[[Any, Any], Any]) -> None:
    a, x = np.array([1.5, 2.5]), ad.Scalar(3.0)
    theirs = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    y, wanted = f(a, x), f(torch.from_numpy(a), theirs)
    y.sum().backward()
    wanted.sum().backward()
    np.testing.assert_allclose(y.tolist(), wanted.tolist())
    assert x.grad == pytest.approx(theirs.grad.item())


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_a_scalar_and_an_array_are_compared_element_by_element(name: str) -> None:
    compare, a, x = getattr(operator, name), np.array([1.0, 2.0, 3.0]), ad.Scalar(2.0)
    assert compare(a, x).tolist() == compare(a, 2.0).tolist()
    assert compare(x, a).tolist() == compare(2.0, a).tolist()


UFUNCS = ["exp", "log", "sqrt", "tanh", "sin", "cos", "abs", "negative"]
UFUNCS += ["maximum", "minimum", "add", "subtract", "multiply", "divide", "power"]


@pytest.mark.parametrize("name", UFUNCS)
def test_numpys_functions_of_nodes_are_ours_and_are_recorded(name: str) -> None:
    ufunc = getattr(np, name)
    for x in (ad.Scalar(0.5), make([0.5, 1.5]), make([0.5, 1.5], "torch")):
        others = [2.0] * (ufunc.nin - 1)
        y = ufunc(x, *others)
        np.testing.assert_allclose(
            y.detach().tolist() if hasattr(y, "tolist") else y.item(),
            ufunc(np.array(x.tolist() if hasattr(x, "tolist") else x.item()), *others),
        )
        assert y.requires_grad and type(y) is type(x)
        assert type(np.float64(2.0) * x) is type(x) and (np.float64(2.0) * x).requires_grad


def test_numpys_other_functions_compute_where_no_gradient_is_lost() -> None:
    constant, x = make([0.5, 1.5], requires_grad=False), make([0.5, 1.5])
    assert np.floor(constant).tolist() == [0.0, 1.0] and np.add.reduce(constant).item() == 2.0
    assert np.sum(x).requires_grad and np.mean(x, axis=0).item() == 1.0
    array = np.ones(2)
    array += constant
    assert type(array) is np.ndarray and array.tolist() == [1.5, 2.5]
    for wrong in (lambda: np.floor(x), lambda: np.square(x), lambda: np.add.reduce(x)):
        with pytest.raises(TypeError, match="that requires grad: it is no operation of this package"):
            wrong()
    with pytest.raises(TypeError, match=r"np\.add of a tensor .*its result goes into an array.*Give it x\.detach\(\)"):
        array += x
    with pytest.raises(TraceError, match=r"np\.floor needs the value of the traced tensor x"):
        ad.trace(lambda x: np.floor(x), np.ones(2))
    assert ad.trace(lambda x: np.exp(x) + np.ones(2), 1.0)(0.0).tolist() == [2.0, 2.0]


# Limits that are tensors


@BOTH
def test_limits_of_clamp_may_be_tensors_and_get_their_adjoints(backend: str) -> None:
    numbers = list(itertools.product((1.0, 2.0, 3.0), repeat=3))
    a, low, high = (np.array(column) for column in zip(*numbers, strict=True))
    weights = np.arange(1.0, 1 + len(a))
    for given in ((a, low, high), (a, low, None), (a, None, high)):
        ours = [None if x is None else make(x, backend) for x in given]
        theirs = [None if x is None else torch.tensor(x, requires_grad=True) for x in given]
        y, wanted = ad.clamp(*ours), torch.clamp(*theirs)
        y.backward(weights if backend == "numpy" else torch.from_numpy(weights))
        wanted.backward(torch.from_numpy(weights))
        assert y.tolist() == wanted.tolist()
        for x, z in zip(ours, theirs, strict=True):
            assert x is None or x.grad.tolist() == z.grad.tolist()
    x = make([2.0, -2.0, math.nan], backend)
    assert x.clamp(ad.tensor(-1.0), 1.0).tolist()[:2] == [1.0, -1.0]
    assert x.clamp(min=make([0.5, 0.5, 0.5], backend)).tolist()[:2] == [2.0, 0.5]
    assert math.isnan(x.clamp(max=make([0.5, 0.5, 0.5], backend)).tolist()[2])
    assert ad.clamp(np.array([1.0, 5.0]), np.array([2.0, 2.0]), 3.0).tolist() == [2.0, 3.0]


# Names that there are not


@pytest.mark.parametrize("name", ["sort", "topk", "cumprod", "einsum", "floor", "isnan", "func"])
def test_a_name_of_torch_that_is_missing_is_answered_with_what_does_the_job(name: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(ad, name)
    shown = traceback.format_exception(caught.value)[-1]
    assert shown.strip() == f"AttributeError: the engine has no {name}: write {INSTEAD[name]}"
    assert caught.value.name == name and "Did you mean" not in shown


@pytest.mark.parametrize("name", ["sort", "square", "clamp_", "normal_", "repeat", "t"])
def test_a_method_of_torch_that_is_missing_is_answered_too(name: str) -> None:
    for x in (make([1.0, 2.0]), make([1.0, 2.0], "torch"), ad.Scalar(1.0)):
        with pytest.raises(AttributeError, match=re.escape(f"the engine has no {name}: write {INSTEAD[name]}")):
            getattr(x, name)
        assert not hasattr(x, name) and name not in dir(x) and "exp" in dir(x)


def test_a_name_that_is_only_misspelled_is_left_to_python() -> None:
    with pytest.raises(AttributeError, match="module 'autodiff_lab' has no attribute 'sqr'"):
        ad.sqr  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'maen'"):
        make([1.0]).maen  # noqa: B018


def test_nothing_that_is_advised_instead_is_there_under_its_own_name() -> None:
    x = make([[1.0, 2.0]])
    assert [name for name in INSTEAD if hasattr(x, name) and hasattr(ad, name)] == []


ADVISED = {
    "sort": torch.sort,
    "argsort": torch.argsort,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "rsqrt": torch.rsqrt,
    "log1p": torch.log1p,
    "log2": torch.log2,
    "log10": torch.log10,
    "expm1": torch.expm1,
    "exp2": torch.exp2,
    "tan": torch.tan,
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "sign": torch.sign,
    "isnan": torch.isnan,
    "isinf": torch.isinf,
    "isfinite": torch.isfinite,
    "norm": torch.norm,
    "cumprod": lambda x: torch.cumprod(x, 0),
    "cummax": lambda x: torch.cummax(x, 0).values,
    "cummin": lambda x: torch.cummin(x, 0).values,
    "flip": lambda x: torch.flip(x, (0,)),
    "tile": lambda x: torch.tile(x, (2,)),
    "repeat": lambda x: x.repeat(2),
    "repeat_interleave": lambda x: torch.repeat_interleave(x, 2),
    "roll": lambda x: torch.roll(x, 2),
    "outer": lambda x: torch.outer(x, x),
    "dot": lambda x: torch.dot(x, x),
    "logaddexp": lambda x: torch.logaddexp(x, x),
    "ravel": torch.ravel,
    "narrow": lambda x: torch.narrow(x, 0, 1, 2),
    "select": lambda x: torch.select(x, 0, 1),
    "count_nonzero": torch.count_nonzero,
    "median": torch.median,
    "nansum": torch.nansum,
}


@pytest.mark.parametrize("name", ADVISED)
def test_what_is_advised_computes_the_same(name: str) -> None:
    values = [0.5, 3.0, 0.25, 2.0]
    theirs = ADVISED[name](torch.tensor(values, dtype=torch.float64))
    wanted = theirs.values if hasattr(theirs, "values") and not torch.is_tensor(theirs) else theirs
    x = make(values)
    space = {
        "x": x,
        "y": x,
        "n": 2,
        "k": 1,
        "math": math,
        "numpy": np,
        **{f: getattr(ad, f) for f in ("where", "cat", "stack")},
    }
    found = eval(INSTEAD[name].removesuffix(" for one dimension").removesuffix(" where x > 0"), space)
    np.testing.assert_allclose(np.asarray(found.tolist()), np.asarray(wanted.tolist()), rtol=1e-12)


# A program has no values yet


@pytest.mark.parametrize(
    ("f", "what"),
    [
        (lambda x: x * int(x.sum()), "int()"),
        (lambda x: x * float(x.sum()), "float()"),
        (lambda x: x * x.sum().item(), "item()"),
        (lambda x: sum(x for _ in range(x.sum().to("int64"))), "an index"),
        (lambda x: [1.0, 2.0][x.sum()] * x, "an index"),
        (lambda x: x if x.sum() else -x, "bool()"),
        (lambda x: x + np.asarray(x), "numpy()"),
        (lambda x: math.exp(x.sum()), "float()"),
    ],
)
def test_a_value_that_a_program_has_not_is_refused_with_the_line_and_what_to_write(f: Any, what: str) -> None:
    for kind in (lambda x: x, lambda x: x[0] * 1.0):
        with pytest.raises(TraceError) as caught:
            ad.trace(lambda x, kind=kind: f(kind(x)), np.ones(2))
        text = str(caught.value)
        assert text.startswith(
            f"line {f.__code__.co_firstlineno} of test_words.py: {what} needs the value of the traced"
        )
        if what != "numpy()":
            assert "cond(condition, if_true, if_false, operands)" in text
        if what in ("int()", "float()", "item()", "an index"):
            assert "while_loop(cond_fn, body_fn, carried_inputs)" in text
    for f in (lambda x: [1.0][x], lambda x: np.asarray(x), lambda x: range(x), lambda x: f"{x:.2f}"):
        with pytest.raises(TraceError, match=r"of test_words\.py: .* needs the value of the traced scalar"):
            ad.trace(f, 1.0)


# Steps of the backward graph


@BOTH
def test_a_step_of_the_graph_is_one_object_so_that_a_walk_by_id_is_right(backend: str) -> None:
    x, w = make([1.0, 2.0], backend), make([3.0, 4.0], backend)
    h = x * w
    y = (h * h + h.exp() + x).sum()
    assert y.grad_fn is y.grad_fn and y.grad_fn == y.grad_fn and h.grad_fn != y.grad_fn

    def walk(step: Any, seen: dict[int, str]) -> dict[int, str]:
        if step is not None and id(step) not in seen:
            seen[id(step)] = step.name()
            for following, _ in step.next_functions:
                walk(following, seen)
        return seen

    names = sorted(walk(y.grad_fn, {}).values())
    assert names == ["AccumulateGrad"] * 2 + ["AddBackward"] * 2 + ["ExpBackward"] + ["MulBackward"] * 2 + [
        "SumBackward"
    ]
    product = h.grad_fn
    (left, _), (right, _) = y.grad_fn.next_functions[0][0].next_functions[0][0].next_functions[0][0].next_functions
    assert left is right is product and left.next_functions[0][0].variable is x
    assert (x * 2.0).grad_fn.next_functions[0][0] is product.next_functions[0][0], "one step for a leaf"


def test_nobody_keeps_the_steps_of_a_graph() -> None:
    x = y = ad.Scalar(1.0)
    for _ in range(50_000):
        y = y * 1.0
    step = y.grad_fn
    while step.next_functions:
        step = step.next_functions[0][0]
    assert step.variable is x
    del step
    assert not _made


# PyTorch's functions of functions


def test_autograd_functional_takes_what_torchs_takes() -> None:
    f = lambda x: (x**3).sum()  # noqa: E731
    g = lambda x, y: (x * x * y, y.sum())  # noqa: E731
    a, b, v = [1.0, 2.0], [3.0, 4.0], [0.5, -1.0]
    ours, theirs = ad.autograd.functional, torch.autograd.functional
    x, y, t = (ad.tensor(values) for values in (a, b, v))
    x_, y_, t_ = (torch.tensor(values, dtype=torch.float64) for values in (a, b, v))

    def flat(result: Any) -> list[Any]:
        return (
            [z for part in result for z in flat(part)]
            if isinstance(result, tuple)
            else [result.tolist() if hasattr(result, "tolist") else result.item()]
        )

    pairs = [
        (ours.vjp(f, x), theirs.vjp(f, x_)),
        (ours.vjp(lambda x: x * x, x, t), theirs.vjp(lambda x: x * x, x_, t_)),
        (ours.vjp(g, (x, y), (t, ad.tensor(2.0))), theirs.vjp(g, (x_, y_), (t_, torch.tensor(2.0).double()))),
        (ours.jvp(lambda x: x * x, x, t), theirs.jvp(lambda x: x * x, x_, t_)),
        (ours.jvp(g, (x, y), (t, t)), theirs.jvp(g, (x_, y_), (t_, t_))),
        (ours.jacobian(lambda x: x * x, x), theirs.jacobian(lambda x: x * x, x_)),
        (ours.jacobian(g, (x, y)), theirs.jacobian(g, (x_, y_))),
        (ours.hessian(f, x), theirs.hessian(f, x_)),
        (
            ours.hessian(lambda x, y: (x * x * y).sum(), (x, y)),
            theirs.hessian(lambda x, y: (x * x * y).sum(), (x_, y_)),
        ),
        (ours.hvp(f, x, t), theirs.hvp(f, x_, t_)),
        (ours.vhp(f, x, t), theirs.vhp(f, x_, t_)),
    ]
    for number, (result, wanted) in enumerate(pairs):
        assert flat(result) == flat(wanted), number
    assert not ours.vjp(f, x)[1].requires_grad
    w = ad.tensor(a, requires_grad=True)
    assert ours.vjp(f, w, create_graph=True)[1].requires_grad
    with pytest.raises(TypeError, match="vjp: inputs are tensors"):
        ours.vjp(f, "a")
    with pytest.raises(RuntimeError, match=r"vjp: .* v= "):
        ours.vjp(lambda x: x * x, x)

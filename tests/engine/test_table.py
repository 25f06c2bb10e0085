"""The op table: what has to be true of every row, and that a row is all it takes to add an operation."""

from __future__ import annotations

import inspect
import random
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine import ops, rules
from autodiff_lab.engine.ops import TABLE, Op
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar

NUMBER_ROWS = [op for op in TABLE.values() if op.on_numbers]
ROWS = pytest.mark.parametrize("op", NUMBER_ROWS, ids=lambda op: op.name)


def points(op: Op, count: int = 5) -> list[list[float]]:
    """Operands drawn from the row's domain."""
    assert op.domain, (
        f"the row {op.name!r} has no domain, so nothing is known about where its derivative can be checked"
    )
    rng = random.Random(op.name)
    found: list[list[float]] = []
    while len(found) < count:
        operands = [rng.uniform(-3.0, 3.0) for _ in range(op.arity)]
        if eval(op.domain, dict(zip("ab", operands, strict=False))):
            found.append(operands)
    return found


@pytest.fixture
def softplus() -> Any:
    """A row that the table does not have."""
    yield ops.op("softplus", "log(1 + exp(a))", "g * sigmoid(a)", domain="True", onnx="Softplus")
    del TABLE["softplus"], FUNCTIONS["softplus"], Scalar.softplus


@ROWS
def test_every_row_passes_gradcheck_on_its_domain(op: Op) -> None:
    for operands in points(op):
        assert ad.gradcheck(FUNCTIONS[op.name], *operands, rtol=1e-6, atol=1e-7)


@ROWS
def test_the_derivative_of_every_row_passes_gradcheck(op: Op) -> None:
    for operands in points(op):
        for argnum in range(op.arity):
            assert ad.gradcheck(ad.grad(FUNCTIONS[op.name], argnum), *operands, rtol=1e-6, atol=1e-7)


@ROWS
def test_forward_mode_equals_reverse_mode_on_every_row(op: Op) -> None:
    for operands in points(op):
        value, slopes = ad.value_and_grad(FUNCTIONS[op.name], tuple(range(op.arity)))(*operands)
        for i, slope in enumerate(slopes):
            tangents = [float(i == j) for j in range(op.arity)]
            assert ad.jvp(FUNCTIONS[op.name], operands, tangents) == (value, slope)


# The same on arrays: a row on numbers takes its points from its domain, the others from their examples

ARRAY_ROWS = [op for op in TABLE.values() if any(op.adjoints)]


def example_calls(op: Op) -> list[tuple[Callable[..., Any], list[Any]]]:
    """Functions of arrays alone that call the row, with arrays to check them at."""
    if op.on_numbers:
        columns = [np.array(column).reshape(2, 2) for column in zip(*points(op, 4), strict=True)]
        return [(FUNCTIONS[op.name], columns)]
    assert op.examples, f"the row {op.name!r} has no examples, so nothing is known about how it is called"
    rng = np.random.default_rng(11)
    calls = []
    for text in op.examples:
        arrays: list[Any] = []

        def new(*shape: int, arrays: list[Any] = arrays) -> Any:
            arrays.append(rng.uniform(-1.5, 1.5, shape))
            return ad.tensor(arrays[-1])

        code = compile(f"row({text})", f"<example of {op.name}>", "eval")
        names = {"row": FUNCTIONS[op.name], "i": np.array}
        eval(code, {**names, "x": new})

        def call(*given: Any, code: Any = code, names: Any = names) -> Any:
            left = list(given)
            return eval(code, {**names, "x": lambda *shape: left.pop(0)})

        call.__name__ = op.name
        calls.append((call, arrays))
    return calls


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("op", ARRAY_ROWS, ids=lambda op: op.name)
def test_every_row_passes_gradcheck_twice_on_arrays_and_agrees_with_forward_mode(op: Op, backend: str) -> None:
    rng = np.random.default_rng(3)
    for f, arrays in example_calls(op):
        if backend == "torch":
            torch = pytest.importorskip("torch")
            arrays = [torch.from_numpy(array) for array in arrays]
        assert ad.gradcheck(f, *arrays, rtol=1e-5, atol=1e-6)
        value, pull = ad.vjp(f, *arrays)
        weights = as_given(rng.uniform(0.5, 1.5, tuple(value.shape)), value)
        slopes = ad.grad(lambda *xs, f=f, weights=weights: (f(*xs).sin() * weights).sum(), tuple(range(len(arrays))))
        assert ad.gradcheck(slopes, *arrays, rtol=1e-5, atol=1e-6)
        tangents = [as_given(rng.uniform(-1, 1, tuple(a.shape)), a) for a in arrays]
        again, tangent = ad.jvp(f, arrays, tangents)
        assert (again == value).all() and tangent.shape == value.shape
        pulled = sum(float((g * t).sum()) for g, t in zip(pull(weights), tangents, strict=True))
        assert float((tangent * weights).sum()) == pytest.approx(pulled)


def as_given(array: Any, like: Any) -> Any:
    """A NumPy array as the kind of array that ``like`` is."""
    return like.new_tensor(array) if hasattr(like, "new_tensor") else array


def test_a_row_without_examples_is_caught_by_its_tests() -> None:
    with pytest.raises(AssertionError, match="the row 'twice' has no examples"):
        example_calls(Op("twice", "cat([a, a], 0)", "g", arguments=lambda a: ((a,), ())))


@ROWS
def test_every_row_names_an_onnx_operator_and_a_symbol(op: Op) -> None:
    assert op.onnx and op.symbol


@ROWS
def test_a_row_saves_exactly_the_names_in_its_adjoint_formulas(op: Op) -> None:
    packed: list[float] = []
    operands = points(op, 1)[0]
    nodes = [ad.Scalar(value) for value in operands]
    with ad.autograd.graph.saved_tensors_hooks(lambda v: packed.append(v) or v, lambda v: v):
        y = FUNCTIONS[op.name](*nodes)
    known = {**dict(zip("ab", operands, strict=False)), "y": y.data}
    assert packed == [known[name] for name in op.saves]


def test_what_is_saved_is_read_off_the_formulas() -> None:
    saves = {name: op.saves for name, op in TABLE.items()}
    assert saves["add"] == saves["neg"] == ()
    assert saves["mul"] == ("a", "b")
    assert saves["exp"] == saves["tanh"] == ("y",)
    assert saves["div"] == ("b", "y")


def test_adding_a_row_adds_everything_else(softplus: Op) -> None:
    x = ad.Scalar(0.3)
    assert repr(ad.softplus(x)) == f"Scalar({ad.softplus(0.3)!r}, grad_fn=<SoftplusBackward>)"
    assert x.softplus().op == "softplus"
    assert ad.grad(ad.softplus)(0.3) == pytest.approx(ad.sigmoid(0.3))
    assert ad.grad(ad.grad(ad.softplus))(0.3) == pytest.approx(ad.sigmoid(0.3) * (1 - ad.sigmoid(0.3)))
    assert ad.jvp(ad.softplus, (0.3,), (2.0,))[1] == pytest.approx(2 * ad.sigmoid(0.3))
    assert all(ad.gradcheck(ad.softplus, *operands) for operands in points(softplus))
    assert ad.softplus(1000.0) == float("inf")  # exp overflows, and the careful formula takes over


def test_a_row_without_a_domain_is_caught_by_its_tests() -> None:
    with pytest.raises(AssertionError, match="the row 'cube' has no domain"):
        points(Op("cube", "a * a * a", "g * 3 * a * a"))


def test_a_wrong_adjoint_formula_is_caught_by_gradcheck() -> None:
    ops.op("wrong_cube", "a * a * a", "g * 2 * a * a", domain="True")
    try:
        with pytest.raises(RuntimeError, match="gradcheck of wrong_cube, input 0"):
            ad.gradcheck(FUNCTIONS["wrong_cube"], 1.5)
    finally:
        del TABLE["wrong_cube"], FUNCTIONS["wrong_cube"], Scalar.wrong_cube


def test_a_row_with_a_missing_formula_says_so() -> None:
    with pytest.raises(ValueError, match="uses the operand b but has no adjoint formula for it"):
        Op("hypot", "sqrt(a * a + b * b)", "g * a / y")
    with pytest.raises(ValueError, match="has 0 adjoint formulas"):
        Op("nothing", "a")


def test_a_formula_that_is_not_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        Op("typo", "a +", "g")


def test_a_traceback_shows_the_formula_of_the_row() -> None:
    ops.op("fails", "a", "g * undefined_name", domain="True")
    try:
        y = ad.Scalar(1.0).fails()
        with pytest.raises(NameError) as caught:
            y.backward()
        assert "g * undefined_name" in "".join(traceback.format_exception(caught.value))
    finally:
        del TABLE["fails"], FUNCTIONS["fails"], Scalar.fails


def test_the_methods_declared_for_type_checkers_are_those_the_table_generates() -> None:
    source = inspect.getsource(Scalar)
    block = source[source.index("if TYPE_CHECKING:") : source.index("def __init__")]
    declared = {line.strip() for line in block.splitlines() if line.strip().startswith("def ")}
    unary, binary = "def {}(self) -> Scalar: ...", "def {}(self, other: Scalar | float) -> Scalar: ..."
    generated = {
        (unary if op.arity == 1 else binary).format(name)
        for op in NUMBER_ROWS
        for name in (op.name, op.dunder, op.reflected)
        if name
    }
    assert declared == generated


@ROWS
def test_generated_source_is_straight_line_statements(op: Op) -> None:
    for kind in ("a",) if op.arity == 1 else ("ab", "a-", "-b", "a#", "#b"):
        source = rules.pull_source(op, kind, "pull", ".data")
        assert max(len(line) - len(line.lstrip()) for line in source.splitlines()) <= 12
        compile(source, op.name, "exec")

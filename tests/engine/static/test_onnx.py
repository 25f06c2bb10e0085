"""Programs as ONNX models: onnx.checker accepts them, and onnxruntime runs them to the same numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special

import autodiff_lab as ad
from autodiff_lab.engine import ops
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.static.program import Program
from autodiff_lab.engine.static.trace import trace
from autodiff_lab.engine.structures import leaves
from tests.engine.static.rows import INDICES, Case, cases, flat

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

RNG = np.random.default_rng(0)


def run(model: Any, *args: Any) -> list[Any]:
    """What onnxruntime makes of a model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    given = [np.asarray(x) for x in leaves(args) if x is not None and not isinstance(x, (str, bool))]
    return session.run(None, dict(zip([x.name for x in session.get_inputs()], given, strict=True)))


def same(program: Program, *args: Any, scale: float = 1) -> None:
    """The program and its model agree, to ``scale`` times a few roundings."""
    got, want = run(program.export_onnx(), *args), [np.asarray(x) for x in flat(program(*args))]
    assert len(got) == len(want)
    for x, y in zip(got, want, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape, (x.dtype, y.dtype, x.shape, y.shape)
        tolerance = scale * (1e-13 if y.dtype == np.float64 else 1e-6)
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


SCALAR_ROWS = [name for name, op in ops.TABLE.items() if op.on_numbers]


@pytest.mark.parametrize("name", SCALAR_ROWS)
def test_every_row_of_numbers_and_its_derivatives(name: str) -> None:
    args = (0.75, 0.5)[: ops.TABLE[name].arity]
    program = trace(lambda *args: FUNCTIONS[name](*args) * 1.5, *args)
    for derived in (program, program.value_and_grad(tuple(range(len(args)))), program.grad().grad()):
        same(derived, *args)
        same(derived, *reversed(args))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", list(cases("float64")), ids=lambda case: case.label)
def test_every_row_and_its_gradient(case: Case, dtype: str) -> None:
    args = tuple(x.astype(dtype) if x.dtype.kind == "f" else x for x in case.args)
    case = case._replace(args=args)
    same(case.program(), *args)
    if any(case.op.adjoints) and any(x.dtype.kind == "f" for x in args):
        same(case.gradient(), *args)


SMALL = {
    "no dimensions to permute": (lambda x: x.permute(()) * x, ()),
    "an element of a number": (lambda x: ad.gather(x, 0, ad.tensor(np.array(0))) * x, ()),
    "the greatest of a number": (lambda x: x.max(0).values * x, ()),
    "the greatest of one": (lambda x: x.max(0).values * x, (1,)),
    "a part that is empty": (lambda x: x[..., 1::2].sum() + x.sum() * 2.0, (1,)),
    "an empty row of a matrix": (lambda x: x[2:].sum(0) + x.sum(), (2, 3)),
}


@pytest.mark.parametrize("name", SMALL)
def test_programs_of_numbers_and_of_nothing(name: str) -> None:
    f, shape = SMALL[name]
    x = np.asarray(RNG.standard_normal(shape))
    program = trace(lambda x: f(x).sum(), x)
    same(program, x)
    same(program.value_and_grad(), x)


# Rows with a range of arguments


@pytest.mark.parametrize("index, kind", INDICES, ids=str)
def test_every_kind_of_index(index: Any, kind: str) -> None:
    x = RNG.standard_normal((2, 3, 4))
    given = x if kind == "numpy" else torch.from_numpy(x)
    program = trace(lambda x: (x[index] * 2).exp().sum(), given)
    same(program, given)
    same(program.value_and_grad(), given)
    same(trace(lambda x: x[index], given), given)


def test_an_index_that_is_given_when_the_model_runs() -> None:
    table = RNG.standard_normal((5, 3))
    program = trace(lambda w, i: (w[i] ** 2).sum(), table, np.array([[0, 1], [2, 1]]))
    for i in ([[4, 4], [-1, 0]], [[0, 0], [0, 0]]):
        same(program, table, np.array(i))
        same(program.value_and_grad(), table, np.array(i))
    program = trace(
        lambda w, i, j: (w[1:, i, j].exp()).sum(), RNG.standard_normal((3, 4, 5)), np.array([0]), np.array([[1]])
    )
    args = RNG.standard_normal((3, 4, 5)), np.array([3]), np.array([[4]])
    same(program, *args)
    same(program.value_and_grad(), *args)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stride": 2},
        {"padding": (1, 2)},
        {"dilation": (2, 1)},
        {"groups": 2},
        {"padding": "same", "stride": (2, 1)},
    ],
    ids=str,
)
def test_convolutions_and_pooling(options: dict[str, Any], dtype: str) -> None:
    def loss(x: Any, w: Any, b: Any) -> Any:
        y = ad.conv2d(x, w, b, **options)
        return (ad.max_pool2d(y, 2, stride=1, padding=1) ** 2).sum() + ad.avg_pool2d(y, 2).sum()

    shapes = (2, 4, 6, 7), (6, 4 // options.get("groups", 1), 3, 2), (6,)
    args = tuple(RNG.standard_normal(shape).astype(dtype) for shape in shapes)
    program = trace(loss, *args)
    same(program, *args, scale=30)
    same(program.value_and_grad((0, 1, 2)), *args, scale=30)


@pytest.mark.parametrize("dtype", ["int64", "int32", "bool", "float32", "float64"])
def test_integers_and_booleans(dtype: str) -> None:
    a, b = (RNG.integers(0, 4, (2, 3)).astype(dtype) for _ in range(2))

    def f(a: Any, b: Any) -> Any:
        chosen = ad.where(a >= b, a, b), ad.cat([a, b], 1), ad.stack([a, b]), a.sum(0), a.argmax(1), a.argmin()
        compared = a < b, a != b, (a == b) | (a > b), (a <= b) & ~(a > 1), (a < 1) ^ (b < 1)
        return (
            chosen,
            compared,
            a.reshape(3, 2),
            a.mT,
            a[:, ::2],
            ad.pad(a, (1, 2)),
            a.expand(2, 2, 3),
            a.to("float64") / 2,
        )

    same(trace(f, a, b), a, b)
    if dtype != "bool":
        arithmetic = trace(
            lambda a, b: (a + b, a - b, a * b, -a, abs(a), ad.maximum(a, b), a @ b.mT, a / (b + 1)), a, b
        )
        same(arithmetic, a, b)
        same(
            trace(lambda a, b: (a.clip(1, 2), a.cumsum(1), a.amax(1), a.mean(0), a & 3 if "i" in dtype else a), a, b),
            a,
            b,
        )
    else:
        same(trace(lambda a, b: (a + b, a * b, ad.maximum(a, b), a.amax(1)), a, b), a, b)


def test_extreme_values() -> None:
    x = np.array([[1000.0, -1000.0, 3.0], [np.inf, 0.0, -np.inf], [-800.0, -801.0, -802.0]])
    zeros = np.zeros(3)
    for f in (
        lambda x: (x.logsumexp(1), x.logsumexp(0, True)),
        lambda x: (x[::2].softmax(1), x[::2].log_softmax(1)),
        lambda x: (x.tanh(), x.sigmoid(), x.relu(), x.exp(), x.erf(), x.abs()),
        lambda x: (x.amax(), x.amin(0), x.argmax(1), x.maximum(x.mT), x / zeros),
        lambda x: ad.cross_entropy(x[::2], ad.tensor([1, 2])),
    ):
        with np.errstate(all="ignore"):
            same(trace(f, x), x)
    nan = np.array([np.nan, 1.0, -2.0])
    same(trace(lambda x: (ad.maximum(x, x * 0), ad.minimum(x, 0.5), x.clip(-1, 1), x.tanh(), x.amax()), nan), nan)


def test_erf_in_float64_has_fifteen_digits() -> None:
    x = np.concatenate([np.linspace(-8, 8, 10001), np.logspace(-300, 0, 601), [np.inf, -np.inf, np.nan, 0.0]])
    (got,) = run(trace(lambda x: ad.erf(x), x).export_onnx(), x)
    np.testing.assert_allclose(got, scipy.special.erf(x), rtol=4e-15)


def test_arrays_without_elements_or_without_dimensions() -> None:
    x = np.zeros((0, 3))
    same(
        trace(lambda x: (x.sum(0), x.exp(), x.mT @ x, x @ x.mT, x.softmax(1), x[:, 1], ad.cat([x, x]), x.cumsum(0)), x),
        x,
    )
    with np.errstate(all="ignore"):
        same(trace(lambda x: (x.mean(0), x.var(0), x.logsumexp(0), x.reshape(3, 0), x.expand(2, 0, 3)), x), x)
        same(trace(lambda x: ad.cross_entropy(x, ad.tensor(np.zeros(0, "int64"))), x), x)
    x = np.array(0.7)
    program = trace(
        lambda x: (x.sum() * x.mean() + x.softmax(-1) + x.logsumexp() - x.amax() + x.cumsum(0)).reshape(1, 1), x
    )
    same(program, x)
    same(trace(lambda x: (program(x).sum(), x.argmax(), x.erf()), x), x)


# Graphs


UNARY = ["exp", "tanh", "sigmoid", "relu", "sin", "cos", "erf", "gelu", "abs", "neg"]
BINARY = ["add", "sub", "mul", "maximum", "minimum"]


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_and_their_gradients(seed: int) -> None:
    dtype = ("float32", "float64")[seed % 2]

    def f(*leaves: Any) -> Any:
        rng = np.random.default_rng(seed)
        nodes = list(leaves)
        for _ in range(int(rng.integers(5, 40))):
            a, b = (nodes[int(rng.integers(len(nodes)))] for _ in range(2))
            kind = rng.integers(6)
            if kind == 0:
                y = FUNCTIONS[str(rng.choice(UNARY))](a.tanh())
            elif kind == 1:
                y = FUNCTIONS[str(rng.choice(BINARY))](a.sum(1, True), b)
            elif kind == 2:
                y = (a @ b.mT) @ a / 4
            elif kind == 3:
                y = a.softmax(int(rng.integers(2))) * b + 0.5
            elif kind == 4:
                y = ad.cat([a[1:], b[:1]]) - b.mean(0)
            else:
                y = ad.where(a > b, a, b * 0.25)
            nodes.append(y.tanh() if kind in (1, 2) else y)
        return sum((y * y).mean() for y in nodes[2:])

    args = tuple(np.random.default_rng(seed).standard_normal((3, 4)).astype(dtype) for _ in range(2))
    program = trace(f, *args)
    same(program, *args, scale=30)
    same(program.value_and_grad((0, 1)), *args, scale=300)


def test_a_training_step_of_a_network() -> None:
    def step(params: Any, x: Any, target: Any) -> Any:
        def loss(params: Any) -> Any:
            h = (x @ params["w"] + params["b"]).relu()
            return ad.cross_entropy(h @ params["out"], target)

        value = loss(params)
        value.backward()
        with ad.no_grad():
            return {"loss": value, "params": {name: p - 0.1 * p.grad for name, p in params.items()}}

    params = {
        name: RNG.standard_normal(shape).astype("float32")
        for name, shape in (("w", (8, 16)), ("b", 16), ("out", (16, 4)))
    }
    x, target = RNG.standard_normal((10, 8)).astype("float32"), RNG.integers(0, 4, 10)
    program = trace(step, params, x, target)
    model = program.export_onnx()
    assert [y.name for y in model.graph.input] == ["params_0", "params_1", "params_2", "x", "target"]
    assert [y.name for y in model.graph.output] == ["output_loss", *(f"output_params_{name}" for name in params)]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    losses = []
    for _ in range(20):
        want = program(params, x, target)
        loss, *new = session.run(
            None, dict(zip([y.name for y in session.get_inputs()], [*params.values(), x, target], strict=True))
        )
        np.testing.assert_allclose(loss, want["loss"], rtol=1e-5)
        params = dict(zip(params, new, strict=True))
        losses.append(float(loss))
    assert losses[-1] < 0.7 * losses[0]


# Models


def test_what_was_captured_are_initializers_with_the_values_of_now() -> None:
    w = ad.tensor(RNG.standard_normal((3, 2)), requires_grad=True)
    mask = np.array([True, False])
    program = trace(lambda x: ad.where(mask, x @ w, 0.0), np.ones((4, 3)))
    with ad.no_grad():
        w.copy_(w.data * 2)
    model = program.export_onnx()
    held = {x.name: onnx.numpy_helper.to_array(x) for x in model.graph.initializer}
    assert np.array_equal(held["w0"], w.data) and np.array_equal(held["c0"], mask)
    assert [x.name for x in model.graph.input] == ["x"] and [x.name for x in model.graph.output] == ["output"]
    assert [node.op_type for node in model.graph.node] == ["MatMul", "Where", "Identity"]
    assert [dim.dim_value for dim in model.graph.output[0].type.tensor_type.shape.dim] == [4, 2]
    same(program, RNG.standard_normal((4, 3)))


def test_a_model_is_written_to_a_file(tmp_path: Path) -> None:
    program = trace(lambda x: x.tanh().sum(), np.ones(3))
    model = program.export_onnx(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == model.SerializeToString()
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx", providers=["CPUExecutionProvider"])
    assert session.run(None, {"x": np.ones(3)})[0] == pytest.approx(3 * np.tanh(1.0))


def test_structures_numbers_and_repeated_outputs() -> None:
    def f(params: Any, mode: str, x: Any) -> Any:
        y = params["w"] * x
        return {"y": y, "rest": [x, (y, None, 2.5)], "best": ad.max(y, 0)}

    args = ({"w": RNG.standard_normal(3), "b": [1.5]}, "sum", RNG.standard_normal(3))
    program = trace(f, *args)
    names = [x.name for x in program.export_onnx().graph.output]
    assert names == [
        "output_y",
        "output_rest_0",
        "output_rest_1_0",
        "output_rest_1_2",
        "output_best_values",
        "output_best_indices",
    ]
    got = run(program.export_onnx(), args[0]["w"], np.array(1.5), args[2])
    want = program(*args)
    for x, y in zip(got, [want["y"], want["rest"][0], want["y"], 2.5, *want["best"]], strict=True):
        np.testing.assert_array_equal(x, y)


def test_names_that_occur_twice() -> None:
    def f(output: Any, t0: Any, k: Any) -> Any:
        return ad.cond(output.sum() > 0, lambda t0: t0 * 2.0, lambda t0: t0 + 2.0, (t0,)) * k

    args = RNG.standard_normal(3), RNG.standard_normal(3), RNG.standard_normal(3)
    same(trace(f, *args), *args)


def test_programs_of_torch_arrays_and_of_scalars() -> None:
    x = torch.from_numpy(RNG.standard_normal((3, 4)).astype("float32"))
    program = trace(lambda x: ((x @ x.mT)[0, :, None] + x[:, [1, 0]]).logsumexp(1), x)
    same(program, x)
    same(trace(lambda a, b: (a * b).tanh() / b - a**3.0, 0.5, 2.0).value_and_grad((0, 1)), 0.25, 1.5)


def test_an_op_of_ones_own_in_one_row() -> None:
    ops.op("softplus", "log(1 + exp(a))", "g * sigmoid(a)", domain="True", onnx="Softplus")
    ops.op("swish", "a * sigmoid(a)", "g * (sigmoid(a) + y * (1 - sigmoid(a)))", domain="True")
    ops.op("leaky", "a if a > 0 else 0.125 * a", "g if a > 0 else 0.125 * g", domain="abs(a) > 0.1")
    try:
        x = RNG.standard_normal((2, 3))
        for name, operator in (("softplus", "Softplus"), ("swish", ""), ("leaky", "")):
            for dtype in ("float32", "float64"):
                program = trace(lambda x, name=name: FUNCTIONS[name](x * 2).sum(), x.astype(dtype))
                same(program, x.astype(dtype))
                same(program.value_and_grad(), x.astype(dtype))
                operators = [node.op_type for node in program.export_onnx().graph.node]
                assert (operator in operators) == (dtype == "float32" and bool(operator)), operators
        scalar = trace(lambda x: FUNCTIONS["softplus"](x * 2.0), 0.5)
        same(scalar, -0.25)
        same(scalar.value_and_grad(), -0.25)
        same(trace(lambda x: FUNCTIONS["leaky"](x * 2.0), 0.5), -0.25)
    finally:
        for name in ("softplus", "swish", "leaky"):
            del ops.TABLE[name]


def test_what_has_no_equivalent_is_named() -> None:
    ops.op(
        "logistic", "stable_sigmoid(a)", "g * (1 - y) * y", domain="True"
    )  # a function that only NumPy's arrays have
    try:
        program = trace(lambda x: (FUNCTIONS["logistic"](x + 1) * 2).sum(), np.ones(3))
        with pytest.raises(NotImplementedError, match=r"step 1: t1 = ad.logistic\(t0\) has no equivalent in ONNX"):
            program.export_onnx()
    finally:
        del ops.TABLE["logistic"]


def test_a_dtype_that_numpy_lacks_is_named() -> None:
    program = trace(lambda x: x * 2, torch.ones(3, dtype=torch.bfloat16))
    with pytest.raises(TypeError, match="no dtype bfloat16"):
        program.export_onnx()


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install onnx onnxruntime"):
        trace(lambda x: x * 2, np.ones(3)).export_onnx()


def test_onnx_loads_only_when_asked_for() -> None:
    code = (
        "import sys, autodiff_lab.engine.static.onnx_export; sys.exit(any(x in sys.modules for x in ('onnx', 'torch')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Control flow


def test_a_choice_takes_the_branch_that_the_values_say() -> None:
    def f(x: Any, w: Any) -> Any:
        large, (small, _) = ad.cond(
            x.sum() > 0, lambda x: (x @ w, (x.exp(), x)), lambda x: (w.T * 2, (x * x, -x)), (x,)
        )
        return (large * large).sum() + small.sum()

    w = RNG.standard_normal((3, 3))
    for x in (np.ones((3, 3)), -np.ones((3, 3))):
        program = trace(f, x, w)
        same(program, x, w)
        same(program.value_and_grad((0, 1)), x, w)


def test_a_choice_between_scalars() -> None:
    program = trace(lambda x: ad.cond(ad.tensor([1.0]) < x, lambda x: x * x, lambda x: x * 3.0, (x,)) + x, 2.0)
    for x in (0.5, 2.0):
        same(program, x)
        same(program.grad(), x)
        same(program.grad().grad(), x)


@pytest.mark.parametrize("limit", [0.5, 7.0, 300.0])
def test_a_loop_runs_as_often_as_the_values_say(limit: float) -> None:
    def f(x: Any, limit: Any) -> Any:
        count, y = ad.while_loop(lambda n, y: y.sum() < limit, lambda n, y: (n + 1.0, y * y + x), (0.0, x))
        return (y * count).sum()

    x, bound = np.array([0.5, 0.75]), np.array(limit)
    program = trace(f, x, bound)
    same(program, x, bound)
    same(program.value_and_grad(), x, bound)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_recurrent_network(reverse: bool) -> None:
    def f(w: Any, h: Any, xs: Any) -> Any:
        last, ys = ad.scan(lambda h, x: ((h @ w + x).tanh(), h.sum()), h, xs, reverse=reverse)
        return last.sum() + (ys * ys).sum()

    args = RNG.standard_normal((3, 3)), RNG.standard_normal(3), RNG.standard_normal((5, 3))
    program = trace(f, *args)
    same(program, *args)
    same(program.value_and_grad((0, 1, 2)), *args)


def test_a_loop_in_a_choice_in_a_loop() -> None:
    def step(c: Any, x: Any) -> Any:
        def often(c: Any) -> Any:
            return ad.while_loop(lambda c: c.sum() < 9.0, lambda c: (c * 2.0 + 0.5,), (c,))[0]

        c = ad.cond(x > 0, often, lambda c: c * 0.5, (c,))
        return c, c * x

    def f(c: Any, xs: Any) -> Any:
        last, ys = ad.scan(step, c, xs)
        return last.sum() + ys.sum()

    args = np.array([0.25, 1.5]), np.array([1.0, -1.0, 2.0])
    program = trace(f, *args)
    same(program, *args)
    same(program.value_and_grad((0, 1)), *args)

"""Programs in PyTorch: as a torch.fx module, and as an operation of its own whose derivative is our program."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine import ops
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.static.program import Program
from autodiff_lab.engine.static.trace import trace
from autodiff_lab.engine.structures import leaves, substitute
from tests.engine.static.rows import INDICES, Case, cases, flat

torch = pytest.importorskip("torch")
from autodiff_lab.engine.static.torch_export import torch_function  # noqa: E402

RNG = np.random.default_rng(0)


def in_torch(args: Any, requires_grad: bool = False) -> Any:
    def one(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            return x
        return torch.from_numpy(x.copy()).requires_grad_(requires_grad and x.dtype.kind == "f")

    return substitute(one, args)


def out_of_torch(result: Any) -> list[Any]:
    return [x.detach().numpy() if isinstance(x, torch.Tensor) else np.asarray(x) for x in leaves(result)]


def close(got: list[Any], want: list[Any]) -> None:
    assert len(got) == len(want)
    for x, y in zip(got, want, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape, (x.dtype, y.dtype, x.shape, y.shape)
        tolerance = 3e-6 if y.dtype == np.float32 else 1e-12
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


def same(program: Program, *args: Any) -> Any:
    """The program and its module agree; the module."""
    module = program.to_torch()
    module.graph.lint()
    close(out_of_torch(module(*in_torch(args))), flat(program(*args)))
    return module


CASES = list(cases("float64"))
EVERY_ROW = pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
ROWS_WITH_ADJOINTS = pytest.mark.parametrize(
    "case", [case for case in CASES if any(case.op.adjoints)], ids=lambda case: case.label
)


@EVERY_ROW
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_row_and_its_gradient_as_a_module(case: Case, dtype: str) -> None:
    args = tuple(x.astype(dtype) if x.dtype.kind == "f" else x for x in case.args)
    case = case._replace(args=args)
    same(case.program(), *args)
    if any(case.op.adjoints) and any(x.dtype.kind == "f" for x in args):
        same(case.gradient(), *args)


@ROWS_WITH_ADJOINTS
def test_torch_differentiates_the_module_to_our_gradient(case: Case) -> None:
    args = in_torch(case.args, requires_grad=True)
    y = case.program().to_torch()(*args)
    ((y * (0.5 + torch.cos(y.detach() * 0.37))).sum()).backward()
    want = case.gradient()(*case.args)[1]
    close([x.grad.numpy() for x in args if x.requires_grad], flat(want))


@ROWS_WITH_ADJOINTS
@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_gradcheck_of_every_row_as_a_function_of_torch(case: Case, kind: str) -> None:
    args = in_torch(case.args, requires_grad=True)
    program = case.program() if kind == "numpy" else trace(case.fn, *[x.detach() for x in args])
    function = torch_function(program)
    close(out_of_torch(function(*args)), flat(case.program()(*case.args)))
    assert torch.autograd.gradcheck(function, args)
    assert torch.autograd.gradgradcheck(function, args)


# Modules


def net() -> tuple[Any, Any]:
    w, b = (ad.tensor(RNG.standard_normal(shape).astype("float32"), requires_grad=True) for shape in ((3, 4), (4,)))
    mask = ad.tensor(np.array([[True, False, True, True]]))
    return (w, b), trace(lambda x: ad.where(mask, (x @ w + b).tanh(), 0.0).sum(1), np.ones((2, 3), "float32"))


def test_what_was_captured_are_parameters_of_the_module() -> None:
    (w, b), program = net()
    module = same(program, RNG.standard_normal((2, 3)).astype("float32"))
    parameters = dict(module.named_parameters())
    assert list(parameters) == ["w0", "w1"] and list(dict(module.named_buffers())) == ["c0"]
    assert np.array_equal(parameters["w0"].detach().numpy(), w.data)
    x = torch.ones(2, 3)
    module(x).sum().backward()
    program(ad.tensor(np.ones((2, 3), "float32"))).sum().backward()
    close([p.grad.numpy() for p in module.parameters()], [w.grad.data, b.grad.data])
    with torch.no_grad():
        parameters["w0"].zero_()
    assert np.abs(w.data).max() > 0, "training the module must not change the program"


def test_the_code_of_a_module_can_be_read() -> None:
    _, program = net()
    code = program.to_torch().code
    for line in ("t0 = torch.matmul(x, w0)", "t2 = torch.tanh(t1)", "t3 = torch.where(c0, t2, 0.0)"):
        assert line in code, code


def test_a_structure_of_arguments_and_results() -> None:
    def f(params: Any, mode: str, x: Any) -> Any:
        return {"y": params["w"] * x, "rest": [x, (x, None, 2.5)], "again": params["b"][0]}

    args = ({"w": RNG.standard_normal(3), "b": [RNG.standard_normal(2)]}, "sum", RNG.standard_normal(3))
    program = trace(f, *args)
    got = program.to_torch()(*in_torch(args))
    assert got["rest"][1][1:] == (None, 2.5) and list(got) == ["y", "rest", "again"]
    np.testing.assert_array_equal(got["y"].numpy(), args[0]["w"] * args[2])
    np.testing.assert_array_equal(got["again"].numpy(), args[0]["b"][0])
    result = torch_function(program)(*in_torch(args))
    np.testing.assert_array_equal(result["y"].numpy(), args[0]["w"] * args[2])
    assert result["rest"][1][1:] == (None, 2.5)


@pytest.mark.parametrize("name", [name for name, op in ops.TABLE.items() if op.on_numbers])
def test_every_row_of_numbers_and_its_derivatives(name: str) -> None:
    args = (0.75, 0.5)[: ops.TABLE[name].arity]
    program = trace(lambda *args: FUNCTIONS[name](*args) * 1.5, *args)
    for derived in (program, program.value_and_grad(tuple(range(len(args)))), program.grad().grad()):
        same(derived, *args)
    given = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in args]
    assert torch.autograd.gradcheck(program.to_torch(), given)
    assert torch.autograd.gradgradcheck(torch_function(program), given)


def test_numbers() -> None:
    program = trace(lambda a, b: (a * b).tanh() + a**2 - ad.maximum(a, b), 0.5, 2.0)
    module = program.to_torch()
    a, b = torch.tensor(0.3, dtype=torch.float64, requires_grad=True), 1.5
    for function in (module, torch_function(program)):
        y = function(a, b)
        assert y.dtype is torch.float64 and float(y.detach()) == pytest.approx(program(0.3, 1.5), abs=1e-15)
        (slope,) = torch.autograd.grad(y, a)
        assert float(slope) == pytest.approx(ad.grad(lambda a, b: (a * b).tanh() + a**2 - ad.maximum(a, b))(0.3, 1.5))


@pytest.mark.parametrize("index, kind", INDICES, ids=str)
def test_every_kind_of_index(index: Any, kind: str) -> None:
    x = RNG.standard_normal((2, 3, 4))
    given = x if kind == "numpy" else torch.from_numpy(x)
    program = trace(lambda x: (x[index] * 2).exp().sum(), given)
    module, both = program.to_torch(), program.value_and_grad()
    y, slope = (np.asarray(part) for part in both(given))
    t = torch.from_numpy(x).requires_grad_()
    result = module(t)
    result.backward()
    np.testing.assert_allclose(float(result.detach()), y, rtol=1e-13)
    np.testing.assert_allclose(t.grad.numpy(), slope, rtol=1e-13)
    np.testing.assert_allclose(both.to_torch()(t.detach())[1].numpy(), slope, rtol=1e-13)
    part = trace(lambda x: x[index], given)
    np.testing.assert_array_equal(part.to_torch()(t.detach()).numpy(), np.asarray(part(given)))


def test_control_flow_in_a_module() -> None:
    def f(w: Any, h: Any, xs: Any) -> Any:
        last, ys = ad.scan(lambda h, x: ((h @ w + x).tanh(), h.sum()), h, xs, reverse=True)
        (last,) = ad.while_loop(lambda y: y.sum() < 5.0, lambda y: (y * 1.5 + 0.25,), (last,))
        last = ad.cond(ys.sum() > 0, lambda y: y * y, lambda y: y.exp(), (last,))
        return last.sum() + (ys * ys).sum()

    for seed in range(4):
        rng = np.random.default_rng(seed)
        args = rng.standard_normal((3, 3)), rng.standard_normal(3), rng.standard_normal((5, 3))
        program = trace(f, *args)
        module = same(program, *args)
        both = program.value_and_grad((0, 1, 2))
        same(both, *args)
        given = in_torch(args, requires_grad=True)
        module(*given).backward()
        close([x.grad.numpy() for x in given], flat(both(*args)[1]))


@pytest.mark.filterwarnings("ignore:.*torch.jit.script_method:DeprecationWarning")  # torch's own
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_torch_compiles_the_module(backend: str) -> None:
    if backend == "inductor" and not (shutil.which("g++") or shutil.which("clang++")):
        pytest.skip("no C++ compiler")
    x, w, t = RNG.standard_normal((8, 5)), RNG.standard_normal((5, 4)), RNG.integers(0, 4, 8)
    program = trace(lambda x, w, t: ad.cross_entropy((x @ w).relu(), t), x, w, t)
    torch.compiler.reset()
    module = torch.compile(program.to_torch(), backend=backend, fullgraph=True)
    given = in_torch((x, w, t), requires_grad=True)
    y = module(*given)
    y.backward()
    value, (dx, dw) = program.value_and_grad((0, 1))(x, w, t)
    close([y.detach().numpy(), given[0].grad.numpy(), given[1].grad.numpy()], flat((value, dx, dw)))
    gradient = torch.compile(program.value_and_grad((0, 1)).to_torch(), backend=backend, fullgraph=True)
    close(out_of_torch(gradient(*in_torch((x, w, t)))), flat((value, (dx, dw))))


def test_an_op_of_ones_own_in_one_row() -> None:
    ops.op("softplus", "log(1 + exp(a))", "g * sigmoid(a)", domain="True", onnx="Softplus")
    try:
        program = trace(lambda x: FUNCTIONS["softplus"](x * 2).sum(), np.ones(3))
        x = RNG.standard_normal(3)
        same(program, x)
        same(program.value_and_grad(), x)
        t = torch.from_numpy(x).requires_grad_()
        assert torch.autograd.gradcheck(program.to_torch(), (t,))
        assert torch.autograd.gradgradcheck(torch_function(program), (t,))
    finally:
        del ops.TABLE["softplus"]


# One operation of torch's


def test_a_program_in_a_torch_model_is_trained_by_torch() -> None:
    def attention(q: Any, k: Any, v: Any) -> Any:
        return (q @ k.mT * 0.5).softmax(-1) @ v

    function = torch_function(trace(attention, *(np.ones((6, 4), "float32"),) * 3))

    class Model(torch.nn.Module):
        def __init__(self, inner: Any) -> None:
            super().__init__()
            torch.manual_seed(0)
            self.to_qkv, self.head, self.inner = torch.nn.Linear(3, 12), torch.nn.Linear(4, 1), inner

        def forward(self, x: Any) -> Any:
            return self.head(self.inner(*self.to_qkv(x).split(4, -1)))

    def trained(inner: Any) -> list[float]:
        model = Model(inner)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
        x, y = torch.from_numpy(RNG2.standard_normal((6, 3)).astype("float32")), torch.linspace(-1, 1, 6)[:, None]
        losses = []
        for _ in range(40):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    RNG2 = np.random.default_rng(1)
    ours = trained(function)
    RNG2 = np.random.default_rng(1)
    theirs = trained(lambda q, k, v: torch.softmax(q @ k.mT * 0.5, -1) @ v)
    np.testing.assert_allclose(ours, theirs, rtol=2e-3)
    assert ours[-1] < 0.2 * ours[0]


def test_memory_is_shared_and_not_changed() -> None:
    x = torch.arange(3.0, dtype=torch.float64)
    y = torch_function(trace(lambda x: x.reshape(3, 1), np.zeros(3)))(x)
    assert y.data_ptr() == x.data_ptr()


def test_only_what_torch_needs_is_computed_backward() -> None:
    function = torch_function(
        trace(lambda x, w, i: ((x @ w)[i], i + 1), np.ones((2, 3)), np.ones((3, 4)), np.array([0]))
    )
    x, w, i = torch.ones(2, 3).double(), torch.ones(3, 4).double().requires_grad_(), torch.tensor([1])
    y, j = function(x, w, i)
    assert not j.requires_grad and j.tolist() == [2]
    y.sum().backward()
    assert w.grad.tolist() == [[1.0] * 4] * 3 and x.grad is None
    ((needed, pullback),) = function.pullbacks.items()
    assert needed == (False, True, False)
    assert len([s for s in pullback.program.instructions if s.op.name == "matmul"]) == 1
    y, _ = function(x, w, i)
    assert torch.autograd.grad(y.sum(), w)[0].tolist() == w.grad.tolist() and len(function.pullbacks) == 1


def test_wrong_arguments_of_a_function_of_torch_are_named() -> None:
    function = trace(lambda x: x.sum(), np.ones((2, 3))).to_torch_function()
    with pytest.raises(ValueError, match=r"x was traced as float64\[2, 3\], and now is float32\[2, 3\]"):
        function(torch.ones(2, 3))
    with pytest.raises(TypeError, match="takes 1 arguments, not 2"):
        function(torch.ones(2, 3), 1.0)


def test_torch_compiles_what_is_around_a_program() -> None:
    function = torch_function(trace(lambda x: (x @ x.mT).tanh(), np.ones((3, 3))))
    torch.compiler.reset()
    model = torch.compile(lambda x: (function(x * 2) + 1).sum(), backend="eager")
    x = torch.from_numpy(RNG.standard_normal((3, 3))).requires_grad_()
    model(x).backward()
    want = torch.autograd.grad(((2 * x) @ (2 * x).mT).tanh().sum(), x)[0]
    np.testing.assert_allclose(x.grad, want, rtol=1e-12, atol=1e-12)


def test_without_torch_the_error_says_what_to_install() -> None:
    code = """
import sys
sys.modules["torch"] = None
import numpy
from autodiff_lab.engine.static.trace import trace
try:
    trace(lambda x: x * 2, numpy.ones(3)).to_torch()
except ImportError as error:
    sys.exit("pip install torch" not in str(error))
sys.exit("no error")
"""
    subprocess.run([sys.executable, "-c", code], check=True)

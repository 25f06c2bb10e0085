"""What is refused outside of the arithmetic on tensors (for that, see test_tensor_errors.py): transformations, modes,
hooks, devices, interop, checkpoints, modules, optimizers, tracing. Each wrong use raises one clear error.
"""

from __future__ import annotations

import copy
import math
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import nn, optim
from autodiff_lab.engine.checkpoint import CheckpointError, checkpoint, checkpoint_sequential
from autodiff_lab.engine.gradcheck import GradcheckError
from autodiff_lab.engine.interop import from_torch, to_torch
from autodiff_lab.engine.static import TraceError, trace
from autodiff_lab.engine.static.portable import load

torch = pytest.importorskip("torch")

HERE = Path(__file__).name
Wrong = tuple[Callable[[], Any], type[Exception], str]


def x(*shape: int, dtype: str = "float64", requires_grad: bool = True) -> Any:
    return ad.tensor(np.ones(shape, dtype), requires_grad=requires_grad)


def number(value: float = 2.0, requires_grad: bool = True) -> Any:
    return ad.Scalar(value, requires_grad)


def freed_by_grad() -> None:
    a = x(3)
    y = (a * a).sum()
    ad.autograd.grad(y, a)
    ad.autograd.grad(y, a)


def freed_part() -> None:
    a = x(3)
    shared = a.exp()
    shared.sum().backward()
    (shared * 2).sum().backward()


def second_derivative_of_what_was_not_recorded() -> None:
    a = x(3)
    (slope,) = ad.autograd.grad((a * a).sum(), a)
    slope.sum().backward()


def hooked(hook: Any) -> None:
    a = x(3)
    a.register_hook(hook)
    (a * 2).sum().backward()


def unpacked(unpack: Callable[[Any], Any]) -> None:
    with ad.autograd.graph.saved_tensors_hooks(lambda value: value, unpack):
        y = (x(3) * x(3)).sum()
    y.backward()


def integers_in_place() -> None:
    a = ad.tensor([1, 2])
    with ad.no_grad():
        a += 0.5


def recomputed_otherwise() -> None:
    calls: list[int] = []

    def f(a: Any) -> Any:
        calls.append(1)
        return a.exp().sin().tanh() if len(calls) == 1 else a.exp()

    checkpoint(f, x(2)).sum().backward()


def branch(a: Any) -> Any:
    if a.sum() > 0:
        return a
    return -a


def loop(a: Any) -> Any:
    while a < 10:
        a = a * 2
    return a


LINEAR = nn.Linear(3, 2)
PRODUCT = trace(lambda a, b: (a * b).sum(), np.ones(3), np.ones(3))

TRANSFORMATIONS: list[Wrong] = [
    (lambda: ad.grad(3.0), TypeError, r"grad takes a function .*3\.0 is a float"),  # type: ignore[arg-type]
    (lambda: ad.grad(ad.sin, argnums=2)(1.0), ValueError, r"argnums=2, but sin was called with 1 positional"),
    (lambda: ad.grad(ad.sin, argnums="a")(1.0), TypeError, r"argnums is a position .*not 'a'"),  # type: ignore[arg-type]
    (lambda: ad.grad(lambda a: a)(a=1.0), ValueError, r"called with 0 positional arguments.*by name has none"),
    (lambda: ad.grad(lambda a: None)(1.0), TypeError, r"<lambda> returned NoneType, None; expected one scalar"),
    (lambda: ad.grad(lambda a: (a, a))(1.0), TypeError, r"<lambda> returned tuple, .*expected one scalar"),
    (lambda: ad.grad(lambda a: a * 2)(np.ones(3)), TypeError, r"a tensor of shape \(3,\); .*sum\(\).* vjp, jvp"),
    (lambda: ad.grad(lambda a: a.sum())([1.0, 2.0]), TypeError, r"\[1\.0, 2\.0\] is a list; .*tensor\(…\)"),
    (lambda: ad.grad(lambda a: a.sum())(np.array([1, 2])), RuntimeError, r"dtype int64 cannot require grad"),
    (lambda: ad.vjp(lambda a: (a, a), 1.0)[1]([1.0]), ValueError, r"returned 2 values, but the pullback was given 1"),
    (lambda: ad.vjp(lambda a: (a, a), 1.0)[1](1.0), ValueError, r"given 1 adjoints\. Give a tuple"),
    (lambda: ad.vjp(lambda a: a * 2, np.ones(3))[1](np.ones(2)), RuntimeError, r"an adjoint of shape \(2,\).* \(3,\)"),
    (lambda: ad.jvp(ad.sin, (1.0,), ()), ValueError, r"jvp: 1 primals but 0 tangents"),
    (lambda: ad.jvp(ad.sin, 1.0, 1.0), TypeError, r"jvp: primals and tangents are tuples, not 1\.0 and 1\.0"),  # type: ignore[arg-type]
    (lambda: ad.hvp(lambda a, b: a * b, (1.0, 2.0), (1.0,)), ValueError, r"2 primals but 1 tangents"),
    (lambda: ad.hessian(lambda a: a * 2, np.ones(2)), TypeError, r"a tensor of shape \(2,\); expected one scalar"),
    (lambda: ad.jacobian(lambda a: "s", 1.0), TypeError, r"<lambda> returned str, 's'"),
    (lambda: ad.autograd.grad(x(3).sum(), np.ones(3)), TypeError, r"grad: input 0 is a ndarray, not a node"),
    (lambda: ad.autograd.grad(3.0, x(3)), TypeError, r"grad: output 0 is a float, not a node: 3\.0"),
    (
        lambda: ad.autograd.grad(x(3).sum(), x(3)),
        RuntimeError,
        r"do not depend on input 0, .*\(3,\)\. Pass allow_unused",
    ),
    (
        lambda: ad.autograd.grad(x(3).sum(), x(2, requires_grad=False)),
        RuntimeError,
        r"grad: input 0, a tensor of shape \(2,\), does not require grad\. Make it",
    ),
    (
        lambda: ad.autograd.grad(x(3) * 2, x(3)),
        RuntimeError,
        r"backward from a tensor of shape \(3,\) needs the adjoint",
    ),
    (lambda: ad.autograd.grad([x(3).sum()] * 2, x(3), [1.0]), ValueError, r"grad: 2 outputs, but 1 grad_outputs"),
    (freed_by_grad, RuntimeError, r"has been freed: the sum node of shape \(\).*retain_graph=True"),
    (freed_part, RuntimeError, r"has been freed: the exp node of shape \(3,\).*retain_graph=True"),
    (second_derivative_of_what_was_not_recorded, RuntimeError, r"does not require grad: .*without create_graph=True"),
    (lambda: number(requires_grad=False).backward(), RuntimeError, r"backward from Scalar\(2\.0\), which does not"),
    (lambda: number().backward("a"), TypeError, r"'a' is a text, not a number"),
    (lambda: x(3).backward("a"), TypeError, r"an adjoint of a tensor of shape \(3,\) is an array, not str: 'a'"),
    (lambda: ad.gradcheck(ad.relu, 0.0), GradcheckError, r"relu, input 0 \(value 0\.0\).*kink.*another point"),
    (
        lambda: ad.gradcheck(ad.sin, x(2, requires_grad=False)),
        ValueError,
        r"no input requires grad.*requires_grad=True",
    ),
    (
        lambda: ad.gradcheck(lambda a: a.exp(), x(3, dtype="float32")),
        GradcheckError,
        r"dtype float32: check in float64",
    ),
    (lambda: ad.gradcheck(lambda a: a.detach() * 2, x(2)), GradcheckError, r"element \(0,\) .*backward gives 0\.0"),
]

MODES_AND_HOOKS: list[Wrong] = [
    (lambda: ad.no_grad(5), TypeError, r"no_grad\(\) takes a function to decorate, or nothing, not 5"),  # type: ignore[call-arg]
    (lambda: ad.autograd.graph.saved_tensors_hooks(abs, None), TypeError, r"unpack is a function .*not None"),
    (lambda: x(3).register_hook(3), TypeError, r"register_hook takes a function of the adjoint, not int: 3"),
    (
        lambda: x(3, requires_grad=False).register_hook(print),
        RuntimeError,
        r"register_hook on a tensor of shape \(3,\)",
    ),
    (lambda: number(requires_grad=False).retain_grad(), RuntimeError, r"retain_grad on Scalar\(2\.0\), which does not"),
    (lambda: hooked(lambda g: g[:2]), RuntimeError, r"an adjoint of shape \(2,\).* \(3,\).*what the hook returns"),
    (lambda: hooked(lambda g: "no"), TypeError, r"an adjoint of a tensor of shape \(3,\) is an array, not str: 'no'"),
    (
        lambda: unpacked(lambda value: None),
        RuntimeError,
        r"unpack returned NoneType for a value of shape \(3,\) that mul",
    ),
    (lambda: unpacked(lambda value: value[:2]), RuntimeError, r"an array of shape \(2,\) for a value of shape \(3,\)"),
    (integers_in_place, RuntimeError, r"add in place: the result is of dtype float64, but the tensor of int64"),
]

DEVICES_AND_INTEROP: list[Wrong] = [
    (lambda: ad.tensor([1.0], device="gpu"), ValueError, r"'gpu' is no device\. There are 'cpu'; 'cuda', a GPU"),
    (lambda: x(3).to("gpu"), ValueError, r"to\('gpu'\): neither a device \(cpu, cuda.*a GPU is 'cuda'\) nor a dtype"),
    (lambda: x(3).to(None), ValueError, r"to\(None\): neither a device"),
    (lambda: x(3).to([1]), ValueError, r"to\(\[1\]\): neither a device"),
    (lambda: ad.tensor([1.0], dtype="float31"), TypeError, r"float31 is no dtype of tensors\. These are float64"),
    (lambda: ad.tensor(torch.ones(2, dtype=torch.complex64)), TypeError, r"complex64 is no dtype of tensors"),
    (lambda: x(3).to("bfloat16"), TypeError, r"NumPy has no dtype bfloat16\. Use float32"),
    (lambda: x(3).to("meta") + x(3), RuntimeError, r"add of tensors on cpu and meta: .*x\.to\('meta'\)"),
    (lambda: x(3).to("meta").sum().backward(), RuntimeError, r"meta device has a shape .* none go to cpu"),
    (lambda: to_torch(x(3)), RuntimeError, r"to_torch of a tensor of shape \(3,\) that requires grad.*x\.detach\(\)"),
    (lambda: to_torch(number()), TypeError, r"to_torch takes a Tensor, not Scalar.*torch\.tensor\(float\(x\)\)"),
    (lambda: to_torch([1.0]), TypeError, r"to_torch takes a Tensor, not list: \[1\.0\]; make one by tensor\(\)"),
    (
        lambda: from_torch(torch.ones(3, requires_grad=True)),
        RuntimeError,
        r"from_torch of a torch tensor of shape \(3,\) that requires grad.*t\.detach\(\)",
    ),
    (
        lambda: from_torch(torch.ones(3, device="meta")),
        RuntimeError,
        r"shape \(3,\) on meta.*t\.cpu\(\).*or tensor\(t\)",
    ),
    (lambda: from_torch(torch.ones(3, dtype=torch.bfloat16)), TypeError, r"bfloat16, which NumPy lacks.*t\.float\(\)"),
    (lambda: from_torch(torch.ones(3, dtype=torch.complex64)), TypeError, r"complex64 is no dtype of tensors"),
    (lambda: from_torch(torch.ones(2).to_sparse()), RuntimeError, r"is sparse: .*t\.to_dense\(\)"),
    (lambda: from_torch(np.ones(3)), TypeError, r"takes a torch tensor, not ndarray: .*use tensor\(\)"),
]

CHECKPOINTS: list[Wrong] = [
    (
        lambda: checkpoint(ad.exp, x(2), use_reentrant=True),
        ValueError,
        r"use_reentrant=True is not available; leave it",
    ),
    (recomputed_otherwise, CheckpointError, r"checkpoint: .*f computed once more .*It must do the same both times"),
    (lambda: checkpoint_sequential([ad.exp], 3, x(2)), ValueError, r"checkpoint_sequential: 3 segments of 1 functions"),
]

MODULES_AND_OPTIMIZERS: list[Wrong] = [
    (lambda: LINEAR(x(2, 4)), RuntimeError, r"linear: matmul of \(2, 4\) and \(3, 2\): the last size of a, 4, must be"),
    (lambda: LINEAR([1.0]), TypeError, r"linear: takes tensors, not list: \[1\.0\]"),
    (lambda: nn.Module()(x(2)), NotImplementedError, r"Module does not say what it computes: define forward"),
    (lambda: nn.Parameter(ad.tensor([1, 2])), RuntimeError, r"dtype int64 cannot require grad"),
    (
        lambda: setattr(LINEAR, "weight", np.ones(2)),
        TypeError,
        r"Linear\.weight is a parameter.*nn\.Parameter\(value\)",
    ),
    (lambda: LINEAR.load_state_dict({"weight": np.ones((2, 3))}), RuntimeError, r"(?s)Linear:.*missing: bias"),
    (
        lambda: LINEAR.load_state_dict({"weight": np.ones((3, 3)), "bias": np.ones(2)}),
        RuntimeError,
        r"(?s)Linear:.*weight has shape \(2, 3\) here and \(3, 3\) there",
    ),
    (lambda: nn.Sequential(LINEAR, 3), TypeError, r"Sequential: part 1 is a int, not a module: 3"),
    (lambda: nn.Conv2d(3, 4, 3)(x(1, 2, 5, 5)), ValueError, r"conv2d: input of shape \(1, 2, 5, 5\), weight of shape"),
    (lambda: nn.Conv2d(3, 4, 3, groups=2), ValueError, r"Conv2d: 3 and 4 channels do not fall into 2 equal groups"),
    (lambda: nn.Embedding(3, 2)(ad.tensor([5])), IndexError, r"embedding: .*\(3, 2\): index 5 is out of bounds"),
    (lambda: nn.Embedding(3, 2)(ad.tensor([1.0])), TypeError, r"row numbers, of an integer dtype, not float64"),
    (lambda: nn.MultiheadAttention(5, 2), ValueError, r"5 features cannot be shared out to 2 heads"),
    (lambda: nn.CrossEntropyLoss()(x(2, 3), np.array([0, 3])), IndexError, r"cross_entropy: there are 3 classes"),
    (lambda: nn.CrossEntropyLoss()(x(2, 3), [0, 1]), TypeError, r"cross_entropy: takes tensors, not list: \[0, 1\]"),
    (lambda: nn.CrossEntropyLoss(reduction="avg")(x(2, 3), np.array([0, 1])), ValueError, r"'avg': it is 'mean'"),
    (lambda: nn.Dropout(2.0), ValueError, r"Dropout: p is a probability, from 0 to 1, not 2\.0"),
    (lambda: nn.MLP(3), ValueError, r"MLP\(3,\): give at least the sizes"),
    (lambda: optim.SGD(LINEAR.weight), TypeError, r"SGD takes a list of parameters, not one of them: write \[x\]"),
    (
        lambda: optim.SGD(LINEAR),
        TypeError,
        r"SGD takes a list of parameters, not a Linear: write model\.parameters\(\)",
    ),
    (lambda: optim.SGD([]), ValueError, r"SGD got an empty list of parameters"),
    (lambda: optim.SGD([np.ones(2)]), TypeError, r"SGD changes tensors and scalars, not a ndarray"),
    (lambda: optim.SGD([x(2) * 2]), ValueError, r"SGD changes leaves; the mul node of shape \(2,\) is computed"),
    (lambda: optim.SGD([LINEAR.bias, LINEAR.bias]), ValueError, r"a parameter of shape \(2,\) is given twice"),
    (lambda: optim.Adam(LINEAR.parameters(), lr=-1.0), ValueError, r"Adam: lr is -1\.0; it is a number, 0 or more"),
    (lambda: optim.Adam(LINEAR.parameters(), lr="a"), ValueError, r"Adam: lr is 'a'; it is a number, 0 or more"),
    (
        lambda: optim.Adam(LINEAR.parameters(), betas=(1.0, 0.9)),
        ValueError,
        r"betas are \(1\.0, 0\.9\); each is from 0",
    ),
    (lambda: optim.SGD(LINEAR.parameters(), nesterov=True), ValueError, r"SGD: nesterov takes a momentum"),
    (lambda: optim.lr_scheduler.StepLR(LINEAR, 1), TypeError, r"StepLR takes an optimizer, .*not a Linear"),
]

TRACING: list[Wrong] = [
    (lambda: trace(branch, np.ones(3)), TraceError, rf"line \d+ of {HERE}: bool\(\) .*where\(.*cond\("),
    (
        lambda: trace(loop, 1.0),
        TraceError,
        rf"line \d+ of {HERE}: (bool\(\)|a comparison) needs the value of the traced scalar",
    ),
    (lambda: trace(lambda a: a and a * 2, 1.0), TraceError, r"bool\(\) needs the value"),
    (lambda: trace(lambda a: max(a, 2.0), 1.0), TraceError, r"(bool\(\)|a comparison) needs the value"),
    (lambda: trace(lambda a: float(a.sum()) * a, np.ones(3)), TraceError, rf"line \d+ of {HERE}: float\(\).*return it"),
    (lambda: trace(lambda a: math.sin(a), 1.0), TraceError, r"float\(\) needs the value of the traced scalar"),
    (lambda: trace(lambda a: a.sum().item() * a, np.ones(3)), TraceError, r"item\(\).*traced tensor of shape \(\)"),
    (lambda: trace(lambda a: a.detach().numpy(), np.ones(3)), TraceError, r"numpy\(\).*traced tensor of shape \(3,\)"),
    (lambda: trace(lambda a: a.tolist(), np.ones(3)), TraceError, r"tolist\(\) .*traced tensor a of shape \(3,\)"),
    (lambda: trace(lambda a: f"{a.sum():.2f}", np.ones(3)), TraceError, r"needs the value .*return it and look at it"),
    (lambda: trace(lambda a: [a for _ in range(int(a))], 3.0), TraceError, r"int\(\) needs the value"),
    (lambda: trace(lambda a: a[a > 0], np.ones(3)), TraceError, rf"line \d+ of {HERE}: how many elements a mask takes"),
    (lambda: trace(lambda a: a.detach().zero_(), np.ones(3)), TraceError, r"is changed in place.*w = w - step"),
    (lambda: trace(copy.copy, np.ones(3)), TraceError, r"copying needs the value of the traced tensor"),
    (lambda: trace(lambda a: pickle.dumps(a), 1.0), TraceError, r"copying needs the value of the traced scalar"),
    (lambda: trace(lambda a: to_torch(a.detach()), np.ones(3)), TraceError, r"to_torch\(\) needs the value"),
    (lambda: trace(lambda a: {1, 2}, np.ones(3)), TraceError, r"returned a set; it may return nodes, numbers and None"),
    (
        lambda: trace(lambda a: ad.cond(a.sum() > 0, lambda v: v, lambda v: v.sum(), (a,)), np.ones(3)),
        TraceError,
        r"cond: the first function returns float64\[3\] and the second float64\[\]",
    ),
    (
        lambda: trace(lambda a: ad.cond(a.sum() > 0, ad.sin, ad.cos, a), np.ones(3)),
        TypeError,
        r"cond: operands are given in a tuple, not as a NumpyTensor: write \(x,\)",
    ),
    (
        lambda: trace(lambda a: ad.while_loop(lambda v: v.sum() < 9, lambda v: (v.sum(),), (a,)), np.ones(3)),
        TraceError,
        r"while_loop: the body is given float64\[3\] to carry and returns float64\[\]",
    ),
    (lambda: trace(lambda a: ad.scan(lambda c, v: c, 0.0, a), np.ones(3)), TraceError, r"scan: .*returns \(carry, y\)"),
    (lambda: trace(3, 1.0), TypeError, r"trace takes a function and examples .* 3 is a int"),  # type: ignore[arg-type]
    (lambda: ad.compile(3), TypeError, r"compile takes a function; 3 is a int"),
    (lambda: ad.compile(branch)(np.ones(3)), TraceError, rf"line \d+ of {HERE}: bool\(\) .*where\(.*cond\("),
    (lambda: load(__file__), ValueError, rf"{HERE} cannot be read as a program"),
    (lambda: PRODUCT(np.ones(3)), TypeError, r"takes 2 arguments, not 1"),
    (lambda: PRODUCT(np.ones(4), np.ones(3)), ValueError, r"a was traced as float64\[3\], and now is float64\[4\]"),
    (lambda: PRODUCT(np.ones(3, "float32"), np.ones(3)), ValueError, r"now is float32\[3\].*trace the function again"),
    (lambda: PRODUCT(torch.ones(3, device="meta"), np.ones(3)), ValueError, r"now is float32\[3\] on meta"),
    (lambda: PRODUCT("a", np.ones(3)), TypeError, r"'a'.* a str is no array of numbers"),
    (lambda: trace(lambda d: d["a"], {"a": 1.0})({"b": 1.0}), TypeError, r"takes a dict with the keys \['a'\] here"),
    (lambda: trace(lambda a: a * 2, np.ones(3)).grad(), TypeError, r"a tensor of shape \(3,\); expected one scalar"),
    (lambda: PRODUCT.grad(5), ValueError, r"argnums=5"),
]

ERRORS = TRANSFORMATIONS + MODES_AND_HOOKS + DEVICES_AND_INTEROP + CHECKPOINTS + MODULES_AND_OPTIMIZERS + TRACING

# Words that only someone who has read the engine would know.
INTERNAL = re.compile(
    r"_arguments|_rule|formula\(|object has no attribute|object at 0x|\bKIND\b|__init__|ufunc|zip\(\)|StopIteration|"
    r"<autodiff_lab|takes \d+ positional argument"
)


@pytest.mark.parametrize(("wrong", "kind", "message"), ERRORS, ids=[f"{m:.40}" for _, _, m in ERRORS])
def test_a_wrong_use_raises_one_clear_error(wrong: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        wrong()
    text = str(caught.value)
    assert type(caught.value) is kind, "the very kind, not one derived from it"
    assert caught.value.__suppress_context__ or caught.value.__context__ is None, "one error, not a chain of them"
    assert not INTERNAL.search(text), text
    assert len(text) < 500, "a person reads it"


def test_after_a_wrong_use_everything_works_as_before() -> None:
    for wrong, kind, _ in ERRORS:
        with pytest.raises(kind):
            wrong()
    a = x(3)
    (a * a).sum().backward()
    assert a.grad.tolist() == [2.0, 2.0, 2.0] and ad.is_grad_enabled() and not ad.is_inference_mode_enabled()
    assert trace(lambda v: v * 2, 1.0)(3.0) == 6.0


def test_the_list_is_long_enough_to_mean_something() -> None:
    assert len(ERRORS) >= 40

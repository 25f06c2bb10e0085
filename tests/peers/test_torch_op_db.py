"""Tensors against PyTorch on the samples with which PyTorch tests itself: of every op of its database that we have.

What we leave out of an op is left out in the open: `NOT_OURS`, `CHOICES` and `left_out` say what, and why.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.tensor import NumpyTensor
from tests.peers.against_torch import BACKENDS, compare_results, counted

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")  # torch's own tests need it

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

ad.tensor([1.0]), ad.softmax  # now every function and method is there


def ours(name: str) -> Callable[..., Any] | None:
    """Our function or method of the name that the database gives an op; None if we have none."""
    name = name.removeprefix("nn.functional.")
    if isinstance(getattr(NumpyTensor, name, None), property):
        return lambda x: getattr(x, name)
    if name in FUNCTIONS or not hasattr(NumpyTensor, name):
        return FUNCTIONS.get(name)
    return lambda x, *args, **options: getattr(x, name)(*args, **options)


# Ops of the same name, or variants of them, that are something else
NOT_OURS = {
    "all": "ours is for the `if` of Python: it returns a bool, of all elements",
    "any": "ours is for the `if` of Python: it returns a bool, of all elements",
    "item": "a number, no tensor",
    "zero_": "in place, under no_grad",
    "div trunc_rounding": "rounding has no derivative",
    "div floor_rounding": "rounding has no derivative",
    "softmax with_dtype": "write .to(dtype)",
    "log_softmax with_dtype": "write .to(dtype)",
    "nn.functional.pad reflect": "constant borders only",
    "nn.functional.pad replicate": "constant borders only",
    "nn.functional.pad replicate_negative": "constant borders only",
    "nn.functional.pad circular": "constant borders only",
    "to": "its samples ask for memory formats, which NumPy does not have",
}
# Arguments that ours do not have: a sample that leaves them as they are is compared without them
CHOICES = {
    "alpha": 1,
    "dtype": None,
    "memory_format": None,
    "ceil_mode": False,
    "return_indices": False,
    "padding_idx": None,
    "max_norm": None,
    "scale_grad_by_freq": False,
    "sparse": False,
    "size_average": None,
    "reduce": None,
}
# The database gives the tensor of an op first; where PyTorch's own order of the arguments is another, this is it
ORDER: dict[str, Callable[..., tuple[Any, ...]]] = {
    "where": lambda a, condition, b: (condition, a, b),
    "nn.functional.embedding": lambda weight, index: (index, weight),
}


def left_out(name: str, args: tuple[Any, ...], options: dict[str, Any], dtype: Any) -> bool:
    """Whether a call asks for what we do not have."""
    first, whole = args[0], not dtype.is_floating_point
    return bool(
        any(isinstance(x, complex) for x in args)
        or any(options.get(choice, usual) != usual for choice, usual in CHOICES.items())
        or (name == "clamp" and any(torch.is_tensor(x) for x in [*args[1:], *options.values()]))  # limits are numbers
        or (name == "cat" and len({x.ndim for x in first}) > 1)  # torch skips a tensor of shape (0,), from old days
        or (name == "gather" and args[2].ndim != first.ndim)  # the same
        or (name == "index_select" and not first.ndim)
        or (name in ("argmax", "argmin") and "keepdim" in options)  # write unsqueeze
        or (name.startswith("__r") and not torch.is_tensor(first))  # Python asks the other operand
        or (whole and name in ("pow", "__rpow__") and any((x < 0).any() for x in tensors_in(args)))  # NumPy refuses
        or (name == "where" and dtype is torch.bool and not torch.is_tensor(first))  # True or False becomes 1 or 0
        or (name == "nn.functional.max_pool2d" and whole and options["padding"])  # there is no whole -inf
        or (name == "nn.functional.avg_pool2d" and whole)  # ours is a mean, which is not rounded
        or (name == "nn.functional.pad" and min(args[1]) < 0)  # a negative border cuts off
        or (name == "nn.functional.avg_pool2d" and (len(args) > 4 or set(options) - {"kernel_size", "stride"}))
        or (name == "nn.functional.dropout" and 0 < options.get("p", 0.5) < 1 and options.get("training", True))
    )


def full_name(op: Any) -> str:
    return f"{op.name} {op.variant_test_name}".strip()


SHARED = [op for op in op_db if ours(op.name) and op.name not in NOT_OURS and full_name(op) not in NOT_OURS]
LARGE, MANY = 2_000, 50  # elements, samples: what is true of fewer is true of more, and takes less time
DTYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "bool": torch.bool,
}


def samples(op: Any, dtype: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments by position and by name."""
    grad = op.supports_autograd and dtype.is_floating_point
    try:
        found = list(op.reference_inputs("cpu", dtype, requires_grad=grad))
    except (ValueError, RuntimeError):  # some of torch's own generators ask for integers that require grad
        found = list(op.sample_inputs("cpu", dtype, requires_grad=grad))
    for sample in found[:: len(found) // MANY + 1]:
        args = (sample.input, *sample.args)
        sizes = [x.numel() for x in tensors_in([args, sample.kwargs])]
        if sizes and max(sizes) < LARGE and not left_out(op.name, args, sample.kwargs, dtype):
            yield args, {name: value for name, value in sample.kwargs.items() if name not in CHOICES}


def tensors_in(x: Any) -> list[Any]:
    """The tensors in a structure of arguments."""
    if isinstance(x, (dict, list, tuple)):
        return [y for part in (x.values() if isinstance(x, dict) else x) for y in tensors_in(part)]
    return [x] if torch.is_tensor(x) else []


def mapped(x: Any, change: Callable[[Any], Any]) -> Any:
    """A structure of arguments with ``change(tensor)`` in the place of each tensor."""
    if isinstance(x, dict):
        return {name: mapped(value, change) for name, value in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(mapped(value, change) for value in x)
    return change(x) if torch.is_tensor(x) else x


def compare_sample(op: Any, backend: str, args: Any, options: Any, second: bool, what: str) -> None:
    """One call on both sides, with leaves in the place of the tensors in it."""
    function, order = ours(op.name), ORDER.get(op.name, lambda *args: args)
    assert function is not None
    made: dict[int, tuple[Any, Any]] = {}
    for x in tensors_in([args, options]):
        array = x.detach().clone() if x._is_zerotensor() else x.detach()
        tensor = ad.tensor(array.numpy() if backend == "numpy" else array, requires_grad=x.requires_grad)
        made[id(x)] = tensor, array.detach().requires_grad_(x.requires_grad)
    given, chosen = mapped([args, options], lambda x: made[id(x)][0])
    theirs, named = mapped([args, options], lambda x: made[id(x)][1])
    leaves = [pair for pair in made.values() if pair[0].requires_grad]
    left, right = [pair[0] for pair in leaves], [pair[1] for pair in leaves]
    with np.errstate(all="ignore"):
        result, wanted = function(*order(*given), **chosen), op(*theirs, **named)
        compare_results("op_db", left, right, result, wanted, second, f"{what} on {backend}")


@pytest.fixture(autouse=True)
def as_if_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python's floats, and what is computed from integers, are float64 with us; PyTorch can be told so."""
    for kind in (torch.cuda, torch.xpu):  # they keep a stack trace of every seed for a device that is not there
        monkeypatch.setattr(kind, "manual_seed_all", lambda seed: None)
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("op", SHARED, ids=full_name)
def test_an_op_does_on_samples_of_torch_what_it_does_in_torch(op: Any) -> None:
    for name, dtype in DTYPES.items():
        for number, (args, options) in enumerate(samples(op, dtype) if dtype in op.dtypes else ()):
            for backend in BACKENDS if name != "bfloat16" else ("torch",):
                second = name == "float64" and op.supports_gradgrad
                compare_sample(op, backend, args, options, second, f"{full_name(op)} of {name}, sample {number}")


def test_every_op_left_out_is_one_of_the_database() -> None:
    assert set(NOT_OURS) <= {op.name for op in op_db} | {full_name(op) for op in op_db}


def test_as_many_samples_were_compared_as_promised() -> None:
    counted("op_db")

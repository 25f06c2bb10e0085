"""The arrays behind tensors: what NumPy and torch arrays are called on to do, under the names that formulas use.

Each backend is a namespace in which the formulas of the op table are compiled. Arguments come normalised: ``dim`` is a
tuple of axes counted from 0, shapes are complete. Torch is imported when its backend is first asked for.
"""

from __future__ import annotations

import functools
import math
import sys
from types import FunctionType, SimpleNamespace

from autodiff_lab.engine import ops
from autodiff_lab.engine.devices import import_torch
from autodiff_lab.engine.dtypes import dtype_name, numpy_dtype
from autodiff_lab.engine.formulas import NUMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    astype: Any = None  # what helpers find in the namespace they are bound to


class Backend:
    """One kind of array.

    name    "numpy" or "torch"
    array   the type of its arrays; NumPy also makes numbers of its own where a result has no dimensions
    names   what formulas compile against
    faster  op -> a formula that gives the same as the row's on these arrays, in less time
    keeping op -> two formulas in the place of the row's: one for a pair, the result and what the sweep will need of
            what was computed on the way; one for the adjoint, which finds that under the name ``kept``
    """

    def __init__(
        self, name: str, array: Any, names: dict[str, Any], faster: dict[str, str], keeping: dict[str, tuple[str, str]]
    ) -> None:
        self.name = name
        self.array = array
        self.names = names
        self.faster = faster
        self.keeping = keeping
        self.forwards: dict[Any, Any] = {}
        self._helpers: set[str] = set()

    @functools.cached_property
    def tensor(self) -> Any:
        """The class of tensors over these arrays. It gets its methods when it is first asked for."""
        from autodiff_lab.engine import composed as composed  # functions that are methods too
        from autodiff_lab.engine.methods import tensor_class

        return tensor_class(self)

    def look_up_helpers(self) -> None:
        """Bring the functions that formulas call into the namespace, bound to it."""
        for name in ops.HELPERS.keys() - self._helpers:
            self.names[name] = bound(ops.HELPERS[name], self.names)
            self._helpers.add(name)


def bound(function: Any, names: dict[str, Any]) -> Any:
    """A function whose global names are looked up in ``names``."""
    if not isinstance(function, FunctionType):
        return function
    return functools.update_wrapper(
        FunctionType(function.__code__, names, function.__name__, function.__defaults__), function
    )


# NumPy


@functools.cache
def numpy_backend() -> Backend:
    """NumPy arrays."""
    import numpy as np
    from numpy.lib.stride_tricks import sliding_window_view

    silent = np.errstate(all="ignore")
    half, single, double = (np.dtype(f"f{n}") for n in (2, 4, 8))
    words, boolean = {np.dtype(f"f{n}"): np.dtype(f"i{n}") for n in (2, 4, 8)}, np.dtype(bool)

    def where(condition: Any, a: Any, b: Any) -> Any:
        # A choice between a number and zero is made by masking bits: numpy.where branches for each element, and takes
        # four times as long where the condition is as good as random, as it is after relu.
        kept, zero = (b, a) if type(a) is float else (a, b)
        if type(zero) is float and zero == 0.0 and type(kept) is type(condition) is np.ndarray:
            word = words.get(kept.dtype)
            if word and condition.dtype is boolean and kept.shape == condition.shape:
                mask = condition.astype(word)
                if kept is a:
                    np.negative(mask, out=mask)
                else:
                    mask -= 1
                mask &= kept.view(word)
                return mask.view(kept.dtype)
        return np.where(condition, a, b)

    def erf(a: Any) -> Any:
        from scipy.special import erf as compute  # type: ignore[import-untyped]

        return compute(a).astype(a.dtype, copy=False)  # of float16 it makes more

    # NumPy adds up in pairs only what lies side by side in memory, and everything in the dtype of the elements. Many
    # float32 one after the other lose digits with each addition, and float16 ends at 65504: both are added up in a
    # wider dtype, as in torch.

    reduce: Any = np.add.reduce

    def total(a: Any, dim: Any, keepdim: bool) -> Any:
        """The sum, in the dtype in which it was computed."""
        wide: Any = None
        if a.dtype == half:
            wide = single if a.size <= MANY else double
        elif a.dtype == single and not side_by_side(a, dim):
            wide = double if math.prod(a.shape[i] for i in dim) > MANY else None
        return reduce(a, axis=dim, dtype=wide, keepdims=keepdim)

    def side_by_side(a: Any, dim: Any) -> bool:
        if len(dim) == a.ndim:
            return bool(a.flags.forc)
        return a.flags.c_contiguous and bool(dim == tuple(range(a.ndim - len(dim), a.ndim)))

    def sum(a: Any, dim: Any, keepdim: bool) -> Any:
        if a.dtype is double or (a.dtype is single and a.size <= MANY):
            return reduce(a, axis=dim, keepdims=keepdim)
        y = total(a, dim, keepdim)
        return y.astype(a.dtype) if a.dtype.kind == "f" else y

    def mean(a: Any, dim: Any, keepdim: bool) -> Any:
        if a.dtype is double or (a.dtype is single and a.size <= MANY):
            return reduce(a, axis=dim, keepdims=keepdim) / count(a.shape, dim)
        y = total(a, dim, keepdim) / count(a.shape, dim)
        return y.astype(a.dtype) if a.dtype.kind == "f" else y

    def in_single(function: Any) -> Any:
        """A function that computes with float32 what it is given in float16."""

        @functools.wraps(function)
        def computed(a: Any, *rest: Any) -> Any:
            if a.dtype is not half:
                return function(a, *rest)
            y = function(a.astype(single), *rest)
            with np.errstate(over="ignore"):
                return tuple(part.astype(half) for part in y) if isinstance(y, tuple) else y.astype(half)

        return computed

    @silent
    @in_single
    def var(a: Any, dim: Any, keepdim: bool, correction: float) -> Any:
        distance = a - mean(a, dim, True)
        return sum(distance * distance, dim, keepdim) / degrees(a.shape, dim, correction)

    @silent
    @in_single
    def logsumexp(a: Any, dim: Any, keepdim: bool) -> Any:
        top = np.max(a, axis=dim, keepdims=True, initial=-np.inf)
        top = np.where(np.isfinite(top), top, 0.0)
        y = np.log(sum(np.exp(a - top), dim, True)) + top
        return y if keepdim else np.squeeze(y, dim)

    def below_top(a: Any, dim: Any) -> Any:
        return np.asarray(a - np.maximum.reduce(a, axis=dim, keepdims=True, initial=-np.inf))

    def targets(a: Any, target: Any) -> Any:
        return np.ravel_multi_index((np.arange(len(target)), target), a.shape)

    @in_single
    def cross_entropy(a: Any, target: Any) -> Any:
        if not len(target):
            return a.dtype.type(math.nan), a
        try:
            at = targets(a, target)
        except ValueError:
            raise IndexError(f"there are {a.shape[1]} classes, numbered from 0, and a target is none of them") from None
        y = below_top(a, 1)
        picked = y.take(at)
        np.exp(y, out=y)
        total = np.add.reduce(y, axis=1, keepdims=True)
        loss = np.add.reduce(np.log(total[:, 0]) - picked) / len(target)
        total *= len(target)
        y /= total
        y.put(at, y.take(at) - 1 / len(target))
        return loss, y  # the gradient

    def minus_one_at(a: Any, target: Any) -> Any:
        a[np.arange(len(target)), target] -= 1
        return a

    @in_single
    def softmax(a: Any, dim: Any) -> Any:
        y = below_top(a, dim)
        np.exp(y, out=y)
        y /= sum(y, dim, True)
        return y

    @in_single
    def log_softmax(a: Any, dim: Any) -> Any:
        y = below_top(a, dim)
        y -= np.log(sum(np.exp(y), dim, True))
        return y

    def unindex(a: Any, index: Any, shape: Any) -> Any:
        y = np.zeros(shape, a.dtype)
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(part, np.ndarray) and part.dtype != bool for part in parts):
            np.add.at(y, index, a)
        else:
            y[index] = a
        return y

    def along(dim: int, index: Any) -> Any:
        if index.ndim < 2:
            return index
        where = list(np.ogrid[tuple(slice(n) for n in index.shape)])
        where[dim] = index
        return tuple(where)

    def ungather(a: Any, dim: int, index: Any, shape: Any) -> Any:
        y = np.zeros(shape, a.dtype)
        np.add.at(y.reshape(-1) if len(shape) < 2 else y, along(dim, index), a)
        return y

    def windows(a: Any, size: Any, stride: Any, dilation: Any) -> Any:
        reach = [(n - 1) * d + 1 for n, d in zip(size, dilation, strict=True)]
        view = sliding_window_view(a, reach, axis=(-2, -1))
        return view[..., :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]

    def cumsum(a: Any, dim: int, reverse: bool) -> Any:
        if not a.ndim:
            return a
        wide = double if a.dtype == half or (a.dtype == single and a.shape[dim] > FEW) else None
        y = np.cumsum(np.flip(a, dim) if reverse else a, dim, dtype=wide)
        y = y if wide is None else y.astype(a.dtype)
        return np.flip(y, dim) if reverse else y

    def split(a: Any, sizes: Any, dim: int) -> Any:
        return np.split(a, np.cumsum(sizes[:-1], dtype=int), dim)

    def astype(a: Any, dtype: Any) -> Any:
        return a.astype(numpy_dtype(dtype))

    return Backend(
        "numpy",
        np.ndarray,
        {
            **NUMBERS,
            "floats": frozenset(np.dtype(name) for name in ("float64", "float32", "float16")),
            **{name: getattr(np, name) for name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "abs")},
            **{name: getattr(np, name) for name in ("zeros_like", "matmul", "maximum", "minimum")},
            "ones_like": lambda a: a.dtype.type(1) if a.ndim == 0 else np.ones_like(a),
            "pow": lambda a, b: a**b,
            "erf": erf,
            "where": where,
            "stable_sigmoid": silent(lambda a: 1 / (1 + np.exp(-a))),
            "silent": silent,
            "sum": sum,
            "mean": mean,
            "var": var,
            "amax": lambda a, dim, keepdim: np.maximum.reduce(a, axis=dim, keepdims=keepdim),
            "amin": lambda a, dim, keepdim: np.minimum.reduce(a, axis=dim, keepdims=keepdim),
            "argmax": lambda a, dim: np.argmax(a, axis=dim),
            "argmin": lambda a, dim: np.argmin(a, axis=dim),
            "logsumexp": logsumexp,
            "softmax": softmax,
            "log_softmax": log_softmax,
            "reshape": lambda a, shape: a.reshape(shape),
            "permute": lambda a, dims: a.transpose(dims),
            "expand": np.broadcast_to,
            "clip": np.clip,
            "cat": lambda a, dim: np.concatenate(a, axis=dim),
            "split": split,
            "unbind": lambda a, dim: list(np.moveaxis(a, dim, 0)),
            "cumsum": cumsum,
            "stack": lambda a, dim: np.stack(a, axis=dim),
            "pad_with": lambda a, width, value: np.pad(a, width, constant_values=value),
            "getitem": lambda a, index: a[index],
            "unindex": unindex,
            "gather": lambda a, dim, index: (a.reshape(-1) if a.ndim < 2 else a)[along(dim, index)],
            "ungather": ungather,
            "windows": windows,
            "one_hot": lambda index, like: (index[:, None] == np.arange(like.shape[1])).astype(like.dtype),
            "minus_one_at": minus_one_at,
            "copy": lambda a: a.copy(),
            "keeping_cross_entropy": cross_entropy,
            "astype": astype,
            "empty_like_shape": lambda a, shape: np.zeros(shape, a.dtype),
            "to_device": lambda a, device: a,
        },
        {
            "clone": "copy(a)",
            "relu": "maximum(a, 0)",
            "maximum": "maximum(a, b)",
            "minimum": "minimum(a, b)",
            "sigmoid": "stable_sigmoid(a)",
            "cross_entropy": "keeping_cross_entropy(a, target)[0]",
            "minus_one_at": "minus_one_at(copy(a), target)",
        },
        {"cross_entropy": ("keeping_cross_entropy(a, target)", "g * kept")},
    )


MANY = 1024  # so many elements are added up one after the other, in float32
FEW = 128  # the same, for sums of which each step is shown


@ops.helper
def count(shape: Any, dim: Any) -> float:
    """How many elements of an array of ``shape`` are reduced to one; nan where there is nothing to divide by."""
    return math.prod(shape[i] for i in dim) or math.nan


@ops.helper
def widened(a: Any) -> Any:
    """What is computed with instead of ``a``, so that a result of many steps is right to the last digit of ``a``."""
    return astype(a, "float32") if a.dtype.itemsize == 2 else a


@ops.helper
def narrowed(y: Any, a: Any) -> Any:
    """What was computed of what was `widened`, in the dtype of ``a``."""
    return astype(y, a.dtype) if a.dtype.itemsize == 2 else y


@ops.helper
def divided(a: Any, n: float) -> Any:
    """``a / n`` for a count, which may be greater than any float16."""
    return astype(astype(a, "float32") / n, a.dtype) if a.dtype.itemsize == 2 else a / n


@ops.helper
def degrees(shape: Any, dim: Any, correction: float) -> float:
    """The number that a variance is divided by; nan where there is nothing to divide by."""
    n = count(shape, dim) - correction
    return n if n > 0 else math.nan


# Torch


@functools.cache
def torch_backend() -> Backend:
    """Torch arrays, on any device. Torch's own autograd stays out of it."""
    torch = import_torch("a device other than the CPU")

    def dtype_of(dtype: Any) -> Any:
        return getattr(torch, dtype_name(dtype))

    def on_dims(function: Any, a: Any, dim: Any, keepdim: bool) -> Any:
        return function(a, dim, keepdim) if dim else function(a)  # torch takes no dimensions for all dimensions

    def unindex(a: Any, index: Any, shape: Any) -> Any:
        y = a.new_zeros(shape)
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(part, torch.Tensor) for part in parts):
            full = tuple(part for part in parts)
            if all(isinstance(part, torch.Tensor) for part in full):
                return y.index_put_(full, a, accumulate=True)
            positions = torch.arange(math.prod(shape), device=a.device).reshape(shape)[index]
            return y.reshape(-1).index_add_(0, positions.reshape(-1), a.reshape(-1)).reshape(shape)
        y[index] = a
        return y

    def var(a: Any, dim: Any, keepdim: bool, correction: float) -> Any:
        wide = a.float() if a.dtype.itemsize == 2 else a
        distance = wide - wide.mean(dim, keepdim=True) if dim else wide - wide
        y = on_dims(torch.sum, distance * distance, dim, keepdim) / degrees(a.shape, dim, correction)
        return y.to(a.dtype)

    def softmax(a: Any, dim: Any) -> Any:
        return torch.softmax(a, dim[0] if dim else 0)

    def cross_entropy(a: Any, target: Any) -> Any:
        if not (a.is_cpu or a.is_meta) and (target < 0).any():
            raise IndexError("a target is below 0")
        y = torch.log_softmax(a, 1)
        wide = y.float() if y.dtype.itemsize == 2 else y  # nll_loss adds up in the dtype of what it is given
        return torch.nn.functional.nll_loss(wide, target, ignore_index=-sys.maxsize).to(y.dtype), y  # none is ignored

    def cross_entropy_share(g: Any, log_softmax: Any, target: Any) -> Any:
        share = log_softmax.exp()
        share.scatter_add_(1, target[:, None], share.new_full((len(target), 1), -1.0))
        return share.mul_(g / (len(target) or math.nan))

    def windows(a: Any, size: Any, stride: Any, dilation: Any) -> Any:
        for n, step, d in zip(size, stride, dilation, strict=True):
            a = a.unfold(-2, (n - 1) * d + 1, step)[..., ::d]
        return a

    def cumsum(a: Any, dim: int, reverse: bool) -> Any:
        return a.flip(dim).cumsum(dim).flip(dim) if reverse and a.ndim else a.cumsum(dim)

    def to_device(a: Any, device: Any) -> Any:
        if a.is_meta and str(device) != "meta":
            raise RuntimeError(
                f"a tensor on the meta device has a shape and a dtype but no elements, so that none go to {device}. "
                "Compute it from tensors that are on a real device."
            )
        return a.to(device)

    reductions = {name: functools.partial(on_dims, getattr(torch, name)) for name in ("sum", "mean", "amax", "amin")}
    return Backend(
        "torch",
        torch.Tensor,
        {
            **NUMBERS,
            "floats": frozenset((torch.float64, torch.float32, torch.float16, torch.bfloat16)),
            **{name: getattr(torch, name) for name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "abs", "where")},
            **{name: getattr(torch, name) for name in ("zeros_like", "ones_like", "matmul", "maximum", "minimum")},
            **{name: getattr(torch, name) for name in ("relu", "sigmoid", "pow", "erf")},
            **reductions,
            "silent": lambda function: function,
            "var": var,
            "argmax": lambda a, dim: torch.argmax(a.int() if a.dtype is torch.bool else a, dim),
            "argmin": lambda a, dim: torch.argmin(a.int() if a.dtype is torch.bool else a, dim),
            "logsumexp": lambda a, dim, keepdim: torch.logsumexp(a, dim, keepdim) if dim else a,
            "softmax": softmax,
            "log_softmax": lambda a, dim: torch.log_softmax(a, dim[0] if dim else 0),
            "reshape": torch.reshape,
            "permute": torch.permute,
            "expand": lambda a, shape: a.expand(shape),
            "clip": torch.clamp,
            "cat": lambda a, dim: torch.cat(a, dim),
            "split": lambda a, sizes, dim: torch.split(a, list(sizes), dim),
            "unbind": torch.unbind,
            "cumsum": cumsum,
            "stack": lambda a, dim: torch.stack(a, dim),
            "pad_with": lambda a, width, value: torch.nn.functional.pad(
                a, [n for pair in reversed(width) for n in pair], value=value
            ),
            "getitem": lambda a, index: a[index],
            "unindex": unindex,
            "gather": lambda a, dim, index: torch.gather(a, dim, index),
            "ungather": lambda a, dim, index, shape: a.new_zeros(shape).scatter_add_(dim, index, a),
            "windows": windows,
            "one_hot": lambda index, like: torch.nn.functional.one_hot(index, like.shape[1]).to(like.dtype),
            "copy": lambda a: a.clone(),
            "minus_one_at": lambda a, index: a.scatter_add_(1, index[:, None], a.new_full((len(index), 1), -1.0)),
            "keeping_cross_entropy": cross_entropy,
            "cross_entropy_share": cross_entropy_share,
            "astype": lambda a, dtype: a.to(dtype_of(dtype)),
            "empty_like_shape": lambda a, shape: torch.zeros(shape, dtype=a.dtype, device=a.device),
            "to_device": to_device,
        },
        {
            "clone": "copy(a)",
            "relu": "relu(a)",
            "maximum": "maximum(a, b)",
            "minimum": "minimum(a, b)",
            "sigmoid": "sigmoid(a)",
            "cross_entropy": "keeping_cross_entropy(a, target)[0]",
        },
        {"cross_entropy": ("keeping_cross_entropy(a, target)", "cross_entropy_share(g, kept, target)")},
    )


def backend_of(array: Any) -> Backend | None:
    """The backend of an array; None for what is no array. Imports nothing: an array's library is there already."""
    torch: Any = sys.modules.get("torch") or SimpleNamespace(Tensor=())
    if isinstance(array, torch.Tensor):
        return torch_backend()
    numpy: Any = sys.modules.get("numpy") or SimpleNamespace(ndarray=(), generic=())
    return numpy_backend() if isinstance(array, (numpy.ndarray, numpy.generic)) else None

"""Functions of tensors that are made of rows of the op table: under PyTorch's names, with its arguments."""

from __future__ import annotations

import builtins
import functools
import math
import warnings
from numbers import Real
from typing import NamedTuple

from autodiff_lab.engine import function as steps
from autodiff_lab.engine import instead as instead  # names that there are not
from autodiff_lab.engine import methods as methods  # rows are functions
from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.backend import backend_of
from autodiff_lab.engine.creation import full_like
from autodiff_lab.engine.dtypes import dtype_name, is_floating, is_integer
from autodiff_lab.engine.generator import Generator, default_generator
from autodiff_lab.engine.messages import shortened, users_line
from autodiff_lab.engine.modes import state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.record import renamed, with_tensors
from autodiff_lab.engine.rules import NODES
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar
from autodiff_lab.engine.structured import axes, axis, integer, pair
from autodiff_lab.engine.tensor import Tensor, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

rows: Any = FUNCTIONS
NODES.update(split=steps.split, unbind=lambda a, dim: unbind(a, dim))


class Extreme(NamedTuple):
    """What ``max(dim)`` returns, as in PyTorch."""

    values: Any
    indices: Any


def public(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function a method of `Tensor` and a function of the package, with NumPy's names for its arguments too."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*(with_tensors(args) if Scalar in map(type, args) else args), **renamed(kwargs))
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
            raise as_error_of(error, function.__name__, args) from None

    FUNCTIONS[function.__name__] = called
    setattr(Tensor, function.__name__, called)
    return called


def as_error_of(error: Exception, name: str, args: Sequence[Any]) -> Exception:
    """An error of one of the rows that a function is made of, as one of the function; others as they are."""
    wrong = [x for x in args if isinstance(x, (str, list, dict))]
    if type(error) is AttributeError and wrong:
        what = f"{type(wrong[0]).__name__}: {shortened(wrong[0])}"
        return TypeError(f"{name}: takes tensors, not {what}. Make one with tensor().")
    kind, text = type(error), str(error)
    ours = kind in (IndexError, RuntimeError, TypeError, ValueError) and state.hooks is None  # hooks are the user's
    if not ours or text.startswith(name):
        return error
    before, colon, after = text.partition(": ")
    return kind(f"{name}: {after if colon and before in FUNCTIONS else text}")


def extreme(a: Any, dim: Any, keepdim: bool, which: str) -> Any:
    """The greatest or least element: of all, or along one dimension together with where it is."""
    if dim is None:
        return rows[f"a{which}"](a, nan=True)
    at = axis(dim, a.ndim)
    if not a.ndim:
        return Extreme(a, a._constant(as_array(0, a._backend, None, a.device)))
    index = getattr(a, f"arg{which}")(at).unsqueeze(at)
    values = rows["gather"](a, at, index)
    return Extreme(values, index) if keepdim else Extreme(values.squeeze(at), index.squeeze(at))


@public
def max(a: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The greatest element; with ``dim`` a pair ``(values, indices)``. Ties share the adjoint without ``dim``.

    With a second tensor the same as ``maximum``.
    """
    return rows["maximum"](a, dim) if isinstance(dim, Tensor) else extreme(a, dim, keepdim, "max")


@public
def min(a: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The least element; with ``dim`` a pair ``(values, indices)``. Ties share the adjoint without ``dim``.

    With a second tensor the same as ``minimum``.
    """
    return rows["minimum"](a, dim) if isinstance(dim, Tensor) else extreme(a, dim, keepdim, "min")


def widened(a: Any) -> Any:
    """In float32 if in half of it: an intermediate value may be greater than the greatest float16."""
    return a.to("float32") if dtype_name(a.dtype) in ("float16", "bfloat16") else a


@public
def std(a: Any, *args: Any, **kwargs: Any) -> Any:
    """The square root of `var`, which has the same arguments; where that is 0, the adjoint is 0 as in PyTorch."""
    square = rows["var"](widened(a), *args, **kwargs)
    same = square == 0
    return rows["where"](same, 0.0, rows["sqrt"](rows["where"](same, 1.0, square))).to(a.dtype)


@public
def transpose(a: Any, dim0: int, dim1: int) -> Any:
    """Two dimensions exchanged."""
    dims = list(range(a.ndim))
    i, j = axis(dim0, a.ndim), axis(dim1, a.ndim)
    if a.ndim:
        dims[i], dims[j] = dims[j], dims[i]
    return rows["permute"](a, dims)


@public
def squeeze(a: Any, dim: Any = None) -> Any:
    """Without the dimensions of size 1, or those of them in ``dim``."""
    chosen = () if dim == () else axes(dim, a.ndim)
    return rows["reshape"](a, tuple(n for i, n in enumerate(a.shape) if n != 1 or i not in chosen))


@public
def unsqueeze(a: Any, dim: int) -> Any:
    """With a dimension of size 1 inserted at ``dim``."""
    at = axis(dim, a.ndim + 1)
    return rows["reshape"](a, (*a.shape[:at], 1, *a.shape[at:]))


@public
def flatten(a: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The dimensions from ``start_dim`` to ``end_dim``, both included, as one."""
    if not a.ndim:
        return rows["reshape"](a, (1,))
    i, j = axis(start_dim, a.ndim), axis(end_dim, a.ndim)
    return rows["reshape"](a, (*a.shape[:i], math.prod(a.shape[i : j + 1]), *a.shape[j + 1 :]))


@public
def view(a: Any, *shape: Any) -> Any:
    """The same as ``reshape``."""
    return rows["reshape"](a, *shape)


@public
def expand_as(a: Any, other: Any) -> Any:
    """Expanded to the shape of ``other``."""
    return rows["expand"](a, tuple(other.shape))


@public
def swapaxes(a: Any, axis0: int, axis1: int) -> Any:
    """The same as ``transpose``."""
    return a.transpose(axis0, axis1)


@public
def split(a: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Parts along ``dim``: all of one size, the last one maybe smaller, or of the sizes in a list."""
    at = axis(dim, a.ndim)
    n = a.shape[at]
    sizes = split_size_or_sections
    if not isinstance(sizes, (list, tuple)):
        size = integer(sizes, "a size")
        if size <= 0:
            raise ValueError(f"split: parts of size {size}; a size is at least 1")
        sizes = [builtins.min(size, n - begin) for begin in range(0, n, size)] or [0]
    if sum(sizes) != n:
        raise ValueError(f"split: sizes {list(sizes)} add up to {sum(sizes)}, but dim {at} of {tuple(a.shape)} has {n}")
    return steps.split(a, sizes, at)


@public
def chunk(a: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """At most ``chunks`` parts of equal size along ``dim``."""
    n = a.shape[axis(dim, a.ndim)]
    if chunks < 1:
        raise ValueError(f"chunk: {chunks} parts of dim {dim}, which has {n} elements; there is at least 1")
    return a.split(builtins.max(1, -(-n // chunks)), dim)  # type: ignore[no-any-return]


@public
def unbind(a: Any, dim: int = 0) -> tuple[Any, ...]:
    """The parts along ``dim``, without that dimension."""
    at = axis(dim, a.ndim)
    if not a.ndim:
        raise ValueError("unbind: a tensor without dimensions has no parts")
    return tuple(part.squeeze(at) for part in a.split(1, at)) if a.shape[at] else ()


@public
def prod(a: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The product: of all elements, or along one dimension.

    Halves are multiplied until one element is left, so that there is a derivative where an element is 0, too.
    """
    at = 0 if dim is None else axis(dim, a.ndim)
    y = widened(a.reshape(-1) if dim is None or not a.ndim else a)
    y = y.to("int64") if is_integer(y.dtype) or str(y.dtype).endswith("bool") else y
    if not y.shape[at]:
        y = y.sum(at, keepdim=True) + 1
    while y.shape[at] > 1:
        first, second, *rest = y.split(y.shape[at] // 2, at)
        y = rows["cat"]([first * second, *rest], at) if rest else first * second
    y = y.to(a.dtype) if is_floating(a.dtype) else y
    return y if keepdim and dim is not None and a.ndim else y.squeeze(at)


@public
def concatenate(tensors: Sequence[Any], dim: int = 0) -> Any:
    """The same as ``cat``."""
    return rows["cat"](tensors, dim)


@public
def clamp(a: Any, min: Any = None, max: Any = None) -> Any:
    """The same as ``clip``, but the limits may be tensors too, and get the adjoint where they are the result."""
    given = [x for x in (a, min, max) if isinstance(x, Node) or hasattr(x, "dtype")]
    if not [x for x in given if x is not a]:
        return rows["clip"](a, min, max)
    a, low, high = with_tensors([a if isinstance(a, Node) else make(a), min, max])
    low, high = (
        full_like(a, float(x)) if isinstance(x, Real) else make(x) if hasattr(x, "strides") else x for x in (low, high)
    )
    y = clamped(a, low, high)
    return y if any(isinstance(x, Node) for x in given) else y._data


def clamped(a: Any, low: Any, high: Any) -> Any:
    """`clamp` with tensors for limits, or None. Where nan takes part it is the result, and nothing gets an adjoint."""
    where, both = rows["where"], low is not None and high is not None
    y = a.detach()
    if low is not None:
        y = where((a < low) | (low != low), low.detach(), y)
    if high is not None:
        y = where((y > high) | (high != high), high.detach(), y)
    inside = a == a
    if low is not None:
        y, inside = where((a < low) & (low < high) if both else a < low, low, y), inside & (a >= low)
    if high is not None:
        out = ((a > high) & (low == low)) | ((high < low) & (a == a)) if both else a > high
        y, inside = where(out, high, y), inside & (a <= high)
    return where(inside, a, y)


@public
def index_select(a: Any, dim: int, index: Any) -> Any:
    """The parts along ``dim`` that ``index`` names, which may repeat."""
    return rows["getitem"](a, (*(slice(None),) * axis(dim, a.ndim), index))


@public
def embedding(input: Any, weight: Any) -> Any:
    """The rows of ``weight``, shape (number, size), that the integers in ``input`` name: (..., size)."""
    if not is_integer(input.dtype):
        raise TypeError(f"embedding: input holds row numbers, of an integer dtype, not {input.dtype}")
    return rows["getitem"](weight, input)


@public
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """``input @ weight.T + bias`` for a weight of shape (outputs, inputs)."""
    if input.ndim > 2:  # one product; of many small ones the weight would get as many shares of its adjoint
        y = linear(input.reshape(-1, input.shape[-1]), weight, bias)
        return y.reshape(*input.shape[:-1], weight.shape[0])
    y = input @ weight.mT
    return y if bias is None else y + bias


@public
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Mean 0 and variance 1 over the last dimensions, of sizes ``normalized_shape``; then ``* weight + bias``."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise ValueError(f"layer_norm: the last sizes of {tuple(input.shape)} are not {shape}")
    y = rows["standardize"](input, tuple(range(input.ndim - len(shape), input.ndim)), eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


_gelu = FUNCTIONS["gelu"]


def gelu(input: Any, approximate: str = "none") -> Any:
    """``input`` times the normal distribution function of it; with ``approximate="tanh"`` without the error function.

    The approximation is that of Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016).
    """
    if approximate == "none":
        return _gelu(input)
    if approximate != "tanh":
        raise ValueError(f"gelu: approximate={approximate!r}; it is 'none' or 'tanh'")
    return 0.5 * input * (1 + rows["tanh"](math.sqrt(2 / math.pi) * (input + 0.044715 * input**3)))


FUNCTIONS["gelu"] = gelu


# Losses


def reduced(losses: Any, reduction: str, count: Any = None) -> Any:
    """The mean or the sum of losses, or all of them; ``count`` is what a mean divides by, if not their number."""
    if reduction == "none":
        return losses
    if reduction not in ("mean", "sum"):
        raise ValueError(f"reduction {reduction!r}: it is 'mean', 'sum' or 'none'")
    total = losses.sum()
    return total if reduction == "sum" else losses.mean() if count is None else total / count


@public
def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The squared difference; its mean, its sum, or each by itself."""
    ours, theirs = tuple(input.shape), tuple(target.shape)
    if ours != theirs:
        warnings.warn_explicit(
            f"mse_loss of shapes {ours} and {theirs}: they are broadcast to one another, so that more pairs are "
            "compared than there are elements. Give both the same shape.",
            UserWarning,
            *users_line()[:2],
        )
    return reduced((input - target) ** 2, reduction)


@public
def nll_loss(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> Any:
    """The negative of the log-probability of the target class, for ``input`` from `log_softmax`.

    Shapes, weights and what is ignored are those of `cross_entropy`.
    """
    losses, weights = losses_of_targets(input, target, weight, ignore_index)
    return reduced(losses, reduction, weights.sum())


_mean_cross_entropy = FUNCTIONS["cross_entropy"]


@public
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """The negative log-probability of the target class, for logits of shape (classes,) or (n, classes, …).

    target           class numbers, of the shape of ``input`` without the dimension of the classes; or probabilities,
                     of the same shape and of a floating dtype
    weight           a number for each class; a mean is then weighted
    ignore_index     a class number whose positions do not count
    label_smoothing  how much of the probability is spread over all classes
    """
    at = builtins.min(1, input.ndim - 1)
    logs, classes = rows["log_softmax"](input, at), input.shape[at]
    every = 1.0 if weight is None else weight.reshape(-1, *[1] * (input.ndim - 1 - at))
    if is_floating(target.dtype) and target.shape == input.shape:
        probabilities = target * (1 - label_smoothing) + label_smoothing / classes
        return reduced(-(logs * probabilities * every).sum(at), reduction)
    losses, weights = losses_of_targets(logs, target, weight, ignore_index)
    if label_smoothing:
        spread = rows["where"](target != ignore_index, -(logs * every).sum(at), 0.0)
        losses = losses * (1 - label_smoothing) + spread * (label_smoothing / classes)
    return reduced(losses, reduction, weights.sum())


def usual_cross_entropy(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(input, Tensor) and not args and not kwargs and input.ndim == 2 and getattr(target, "ndim", 2) < 2:
        try:
            return _mean_cross_entropy(input, target)
        except IndexError:
            pass  # a target is ignored, or is no class
    return _cross_entropy(input, target, *args, **kwargs)


_cross_entropy = FUNCTIONS["cross_entropy"]
FUNCTIONS["cross_entropy"] = functools.update_wrapper(usual_cross_entropy, _cross_entropy)


def losses_of_targets(logs: Any, target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """For each target what it costs, times the weight of its class; and this weight, 0 where it is ignored."""
    at = builtins.min(1, logs.ndim - 1)
    classes = logs.shape[at]
    if tuple(target.shape) != (*logs.shape[:at], *logs.shape[at + 1 :]):
        raise ValueError(
            f"nll_loss: input of shape {tuple(logs.shape)} with targets of shape {tuple(target.shape)}; targets have "
            f"the shape of the input without dim {at}, which counts the classes"
        )
    if not is_integer(target.dtype):
        raise TypeError(f"nll_loss: targets are class numbers, of an integer dtype, not {target.dtype}")
    counts = target != ignore_index
    index = rows["where"](counts, target, 0)
    array = index._data if isinstance(index, Tensor) else index
    if ((array < 0) | (array >= classes)).any():
        raise IndexError(f"nll_loss: there are {classes} classes, numbered from 0, and a target is none of them")
    picked = rows["gather"](logs, at, rows["unsqueeze"](index, at)).squeeze(at)
    if state.trace is not None:  # nobody looks at the targets when a program runs, and a negative one is counted back
        picked = rows["where"](index < 0, math.nan, picked)
    weights = rows["astype"](counts, logs.dtype) * (1.0 if weight is None else weight[index])
    return rows["where"](counts, -picked * weights, 0.0), weights


@public
def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Cross-correlation of images (n, channels, height, width) with kernels (outputs, channels, height, width).

    The result has shape (n, outputs, rows, columns).
    As a matrix product over all windows (im2col). ``stride``, ``padding`` and ``dilation`` are a number or a pair;
    ``padding`` may be "valid" (none) or "same". With ``groups`` each of so many groups of outputs sees its part of the
    channels only, and a kernel has that many channels less.
    """
    if input.ndim == 3:  # one image
        return conv2d(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups).squeeze(0)
    if input.ndim != 4 or weight.ndim != 4 or input.shape[1] != weight.shape[1] * groups or weight.shape[0] % groups:
        raise ValueError(
            f"conv2d: input of shape {tuple(input.shape)}, weight of shape {tuple(weight.shape)}, groups={groups}; "
            "they have shapes (n, channels, height, width) and (outputs, channels / groups, height, width), with the "
            "same channels"
        )
    outputs, channels, height, width = weight.shape
    x = padded(input, border(padding, (height, width), pair(dilation)), 0.0)
    seen = rows["windows"](x, (height, width), stride, dilation)  # n, channels, rows, columns, height, width
    n, _, down, across = seen.shape[:4]
    size, places = channels * height * width, n * down * across
    if groups == 1:
        columns = rows["reshape"](rows["permute"](seen, 0, 2, 3, 1, 4, 5), places, size)
        y = columns @ rows["reshape"](weight, outputs, size).mT
    else:
        grouped = rows["reshape"](seen, n, groups, channels, down, across, height, width)
        columns = rows["reshape"](rows["permute"](grouped, 1, 0, 3, 4, 2, 5, 6), groups, places, size)
        y = columns @ rows["reshape"](weight, groups, outputs // groups, size).mT
        y = rows["reshape"](rows["permute"](y, 1, 0, 2), places, outputs)
    if bias is not None:
        y = y + bias
    return rows["permute"](rows["reshape"](y, n, down, across, outputs), 0, 3, 1, 2)


@public
def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> Any:
    """The greatest element of each window; of equal ones one gets the adjoint. ``stride`` is ``kernel_size``."""
    size = pair(kernel_size)
    x = padded(input, border(padding, size, (1, 1)), -math.inf)
    seen = rows["windows"](x, size, stride or size, dilation)
    return rows["reshape"](seen, *seen.shape[:-2], size[0] * size[1]).max(-1).values


@public
def avg_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window, in which the border counts as zeros."""
    size = pair(kernel_size)
    return rows["windows"](padded(input, border(padding, size, (1, 1)), 0.0), size, stride or size).mean((-2, -1))


def border(padding: Any, size: tuple[int, int], dilation: tuple[int, int]) -> tuple[int, ...]:
    """The widths of a border, left, right, top and bottom, from a number, a pair, "valid" or "same"."""
    if padding == "same":  # as many windows as elements; where a side needs one more, it is the second
        missing = [(n - 1) * d for n, d in zip(size, dilation, strict=True)]
        down, across = ((n // 2, n - n // 2) for n in missing)
        return *across, *down
    high, wide = pair(0 if padding == "valid" else padding)
    return wide, wide, high, high


def padded(a: Any, widths: tuple[int, ...], value: float) -> Any:
    """Images with a border."""
    return rows["pad"](a, widths, value=value) if any(widths) else a


@public
def dropout(input: Any, p: float = 0.5, training: bool = True, generator: Generator | None = None) -> Any:
    """Each element is 0 with probability ``p``, else divided by ``1 - p``; with ``training=False`` the input itself."""
    if isinstance(p, str) or not 0 <= p <= 1:
        raise ValueError(f"dropout: p is a probability, from 0 to 1, not {p!r}")
    if not training or p == 0:
        return input
    keep = (generator or default_generator()).uniform(tuple(input.shape)) >= p
    backend: Any = input._backend if isinstance(input, Tensor) else backend_of(input)
    mask = as_array(keep, backend, input.dtype, getattr(input, "device", None))
    return input * (mask * (1 / (1 - p) if p < 1 else 0.0))

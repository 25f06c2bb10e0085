"""The rows of the op table that have a meaning for arrays only: products, reductions, shapes, indices, windows.

A row's `arguments` brings a call in PyTorch's form into the form of the formulas: complete shapes, axes counted from 0
and in a tuple. What an adjoint has to know of an operand's shape is a parameter, so that the operand need not be saved.
"""

from __future__ import annotations

import math
import operator
from numbers import Real

from autodiff_lab.engine.dtypes import is_integer
from autodiff_lab.engine.ops import helper, op

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Call = tuple[tuple[Any, ...], tuple[Any, ...]]  # the operands, the parameters
    namespace: Any = None  # the functions below find these names in the namespaces they are bound to
    astype = empty_like_shape = exp = expand = mean = minus_one_at = reshape = namespace
    narrowed = softmax = sqrt = sum = var = where = widened = namespace


# Arguments


def axis(dim_: Any, ndim: int) -> int:
    """One axis counted from 0."""
    dim = integer(dim_, "dim")
    size = max(ndim, 1)
    if not -size <= dim < size:
        raise IndexError(f"dim {dim} does not exist: a tensor with {ndim} dimensions has {-size} to {size - 1}")
    return dim % size


def axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """Axes counted from 0, in order; None and () mean all of them."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    given = dim if isinstance(dim, (tuple, list)) else (dim,)
    found = [axis(d, ndim) for d in given]
    if len(set(found)) < len(found):
        raise ValueError(f"dim {dim} names an axis twice; of {ndim} dimensions, -1 is the same as {ndim - 1}")
    return tuple(sorted(found)) if ndim else ()


def ints(*shape: Any) -> tuple[int, ...]:
    """The numbers of ``reshape(2, 3)`` or of ``reshape((2, 3))``."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    return tuple(integer(n, "a size or a dim") for n in shape)


def integer(n: Any, what: str = "an index") -> int:
    """An integer of Python's own."""
    try:
        return operator.index(n)
    except TypeError as error:
        if type(error) is not TypeError:  # a program that is traced has no value for it, and the words for that
            raise
        raise TypeError(f"{what} is an integer, not {n!r:.60}, a {type(n).__name__}") from None


def reduce_arguments(a: Any, dim: Any = None, keepdim: bool = False) -> Call:
    """``sum(a, dim, keepdim)``."""
    return (a,), (axes(dim, a.ndim), bool(keepdim), tuple(a.shape))


def extreme_arguments(a: Any, dim: Any = None, keepdim: bool = False, nan: bool = False) -> Call:
    """``amax(a, dim, keepdim)``, which has no answer where there is no element; see `share_evenly` for ``nan``."""
    operands, params = reduce_arguments(a, dim, keepdim)
    call = operands, (*params, bool(nan))
    if any(a.shape[i] == 0 for i in call[1][0]):
        raise ValueError(
            f"a tensor of shape {tuple(a.shape)} has no element along dim {dim}, so no greatest or least. "
            "Ask for numel() first, or join an element to it."
        )
    return call


def var_arguments(a: Any, dim: Any = None, keepdim: bool = False, correction: float = 1, unbiased: Any = None) -> Call:
    """``var(a, dim, keepdim, correction)``; ``unbiased=False``, also in the place of ``dim``, is ``correction=0``."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None:
        correction = int(unbiased)
    correction = 1 if correction is None else correction
    return (a,), (axes(dim, a.ndim), bool(keepdim), tuple(a.shape), correction)


def along(a: Any, dim: Any = -1) -> Call:
    """``softmax(a, dim)``."""
    return (a,), (axes(dim if isinstance(dim, tuple) else (dim,), a.ndim),)


def cumsum_arguments(a: Any, dim: Any, reverse: bool = False) -> Call:
    """``cumsum(a, dim)``; ``reverse`` sums from the end."""
    return (a,), (axis(dim, a.ndim), bool(reverse))


def reshape_arguments(a: Any, *shape: Any) -> Call:
    """``reshape(a, 2, -1)``."""
    wanted, before = ints(*shape), tuple(a.shape)
    size, known = math.prod(before), math.prod(n for n in wanted if n != -1)
    if wanted.count(-1) == 1 and known and size % known == 0:
        wanted = tuple(size // known if n == -1 else n for n in wanted)
    if -1 in wanted or math.prod(wanted) != size:
        raise ValueError(
            f"{size} elements, of shape {before}, cannot be arranged in the shape {wanted}. One size may "
            "be -1, for what the others leave; the product of all is the number of elements."
        )
    return (a,), (wanted, before)


def permute_arguments(a: Any, *dims: Any) -> Call:
    """``permute(a, 2, 0, 1)``."""
    given = ints(*dims)
    found = tuple(axis(d, a.ndim) for d in given)
    if sorted(found) != list(range(a.ndim)):
        shape = tuple(a.shape)
        raise ValueError(f"dims {given} are not an order of the {a.ndim} dimensions of shape {shape}. Name each once.")
    return (a,), (found, tuple(sorted(range(a.ndim), key=found.__getitem__)))


def expand_arguments(a: Any, *shape: Any) -> Call:
    """``expand(a, 4, -1)``: -1 leaves a size as it is."""
    wanted, before = ints(*shape), tuple(a.shape)
    extra = len(wanted) - len(before)
    full = tuple(before[i - extra] if n == -1 and i >= extra else n for i, n in enumerate(wanted))
    if extra < 0 or any((i >= extra and before[i - extra] not in (1, n)) or n < 0 for i, n in enumerate(full)):
        raise ValueError(f"shape {before} cannot be expanded to {wanted}: only sizes of 1 grow, new ones come in front")
    return (a,), (full, before)


def parts_arguments(tensors: Sequence[Any], dim: Any, new: int) -> tuple[Any, ...]:
    """The parts of ``cat`` and ``stack``."""
    parts = tuple(tensors)
    if not parts:
        raise ValueError("there is nothing to join: the list of tensors is empty. Give one tensor or more.")
    at = axis(dim, parts[0].ndim + new)
    shapes = [tuple(part.shape) for part in parts]
    for i, shape in enumerate(shapes):
        other = [n for d, n in enumerate(shape) if d != at or new]
        if len(shape) != len(shapes[0]) or other != [n for d, n in enumerate(shapes[0]) if d != at or new]:
            but = ". To join along a dimension they have, use cat()" if new else f" in all dimensions but dim {at}"
            raise ValueError(f"tensor {i} has shape {shape}, tensor 0 {shapes[0]}; they must agree{but}")
    return parts, at, tuple(shape[at] for shape in shapes) if not new else None


def cat_arguments(tensors: Sequence[Any], dim: Any = 0) -> Call:
    """``cat([a, b, c], dim)``."""
    parts, at, sizes = parts_arguments(tensors, dim, 0)
    return parts, (at, sizes)


def stack_arguments(tensors: Sequence[Any], dim: Any = 0) -> Call:
    """``stack([a, b, c], dim)``."""
    parts, at, _ = parts_arguments(tensors, dim, 1)
    return parts, (at,)


def pad_arguments(a: Any, pad: Sequence[int], mode: str = "constant", value: float = 0.0) -> Call:
    """``pad(a, (left, right, top, bottom))``, from the last dimension on."""
    if mode != "constant":
        raise ValueError(f"mode {mode!r}: only 'constant' is known here")
    numbers = ints(*pad) if pad else ()
    if len(numbers) % 2 or len(numbers) > 2 * a.ndim or any(n < 0 for n in numbers):
        raise ValueError(
            f"{tuple(pad)} for a tensor of shape {tuple(a.shape)}: give two numbers, 0 or more, for each dimension to "
            "pad, the last one first: (left, right, top, bottom)"
        )
    pairs = [(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]
    width = ((0, 0),) * (a.ndim - len(pairs)) + tuple(reversed(pairs))
    inner = tuple(slice(low, low + n) for (low, _), n in zip(width, a.shape, strict=True))
    return (a,), (tuple(numbers), float(value), width, inner)


def getitem_arguments(a: Any, index: Any) -> Call:
    """``a[index]``."""
    return (a,), (as_index(index), tuple(a.shape))


def as_index(index: Any) -> Any:
    """An index with a list in the place of each range, and of each tuple inside it: these choose elements.

    A scalar counts as the integer that it is.
    """
    if type(index) is int:
        return index
    return tuple([x if type(x) is int else as_part(x) for x in index]) if isinstance(index, tuple) else as_part(index)


def as_part(part: Any) -> Any:
    """One part of an index; see `as_index`."""
    if part is None or part is ...:
        return part
    if isinstance(part, slice):
        first, last, step = part.start, part.stop, part.step
        if (first is None or type(first) is int) and (last is None or type(last) is int) and step is None:
            return part
        return slice(*[None if n is None else as_part(n) for n in (first, last, step)])
    if isinstance(part, (tuple, range)):
        return list(part)
    return part if isinstance(part, int) or hasattr(part, "shape") or not hasattr(part, "__index__") else integer(part)


def gather_arguments(a: Any, dim: Any, index: Any) -> Call:
    """``gather(a, dim, index)``."""
    at, shape = axis(dim, a.ndim), tuple(getattr(index, "shape", a.shape))
    if len(shape) != a.ndim or any(n > m for d, (n, m) in enumerate(zip(shape, a.shape, strict=True)) if d != at):
        raise ValueError(
            f"an index of shape {shape} for a tensor of shape {tuple(a.shape)}: it has as many dimensions, and no "
            f"greater size but at dim {at}"
        )
    return (a,), (at, index, tuple(a.shape))


def where_arguments(condition: Any, a: Any, b: Any) -> Call:
    """``where(condition, a, b)``."""
    if isinstance(a, Real) and isinstance(b, Real):
        a = condition * 0 + a
    if hasattr(condition, "dtype") and "bool" not in str(condition.dtype):
        raise TypeError(f"the condition is of dtype {condition.dtype}, not bool. Write condition != 0.")
    return (a, b), (condition,)


def clip_arguments(a: Any, min: Any = None, max: Any = None) -> Call:
    """``clip(a, min, max)``; None is no limit."""
    if min is None and max is None:
        raise ValueError("give min, max or both")
    for limit in (min, max):
        if not (limit is None or isinstance(limit, Real) or hasattr(limit, "dtype")):
            raise TypeError(f"min and max are numbers, not {limit!r}, a {type(limit).__name__}")
    return (a,), (min, max)


def cross_entropy_arguments(a: Any, target: Any) -> Call:
    """``cross_entropy(logits, target)`` for logits of shape (n, classes) and n class numbers."""
    if a.ndim != 2 or tuple(target.shape) != a.shape[:1]:
        raise ValueError(
            f"logits of shape {tuple(a.shape)} with targets of shape {tuple(target.shape)}; "
            "logits have shape (n, classes), targets (n,)"
        )
    if not is_integer(target.dtype):
        raise TypeError(f"targets are class numbers, of an integer dtype, not {target.dtype}")
    return (a,), (target,)


def windows_arguments(a: Any, size: Any, stride: Any = 1, dilation: Any = 1) -> Call:
    """``windows(a, (height, width), stride, dilation)``."""
    size, stride, dilation = pair(size), pair(stride), pair(dilation)
    if min(*size, *stride, *dilation) < 1:
        raise ValueError(f"windows of {size} at steps of {stride}, dilation {dilation}; these numbers are at least 1")
    if a.ndim < 2 or any(n < (k - 1) * d + 1 for n, k, d in zip(a.shape[-2:], size, dilation, strict=True)):
        raise ValueError(f"a window of {size} does not fit into the last dimensions of shape {tuple(a.shape)}")
    return (a,), (size, stride, dilation, tuple(a.shape))


def pair(value: Any) -> tuple[int, int]:
    """One number for both directions, or one for each."""
    first, second = (value, value) if not isinstance(value, (tuple, list)) else value
    return operator.index(first), operator.index(second)


def position_arguments(a: Any, dim: Any = None) -> Call:
    """``argmax(a, dim)``; None is the position in the flattened tensor."""
    extreme_arguments(a, dim)  # has the words for an empty tensor
    return (a,), (None if dim is None else axis(dim, a.ndim),)


def operands(a: Any, b: Any) -> Call:
    """Two operands and nothing else."""
    return (a, b), ()


# Formulas of more than one line


def matmul_a(g: Any, a: Any, b: Any) -> Any:
    """The share of the left operand of a product: ``g @ bᵀ``."""
    if b.ndim >= 2:
        if a.ndim >= 2:
            return g @ b.mT
        return (b @ g[..., None])[..., 0]  # a row vector on the left
    if a.ndim == 1:
        return g * b
    return g[..., None] * b


def matmul_b(g: Any, a: Any, b: Any) -> Any:
    """The share of the right operand of a product: ``aᵀ @ g``."""
    if a.ndim >= 2:
        if b.ndim >= 2:
            return a.mT @ g
        return (a.mT @ g[..., None])[..., 0]
    if b.ndim == 1:
        return g * a
    return a[:, None] * g[..., None, :]


@helper
def unreduce(g: Any, dim: Any, keepdim: bool, shape: Any) -> Any:
    """The adjoint of a reduced array, repeated along the axes that were reduced."""
    if not keepdim:
        g = reshape(g, tuple(1 if i in dim else n for i, n in enumerate(shape)))
    return expand(g, shape)


def share_evenly(g: Any, a: Any, y: Any, dim: Any, keepdim: bool, shape: Any, nan: bool) -> Any:
    """The adjoint of a greatest or least element; where several are equal each gets an equal share.

    The greatest of what nan is among is nan. As in PyTorch, the adjoint goes there for ``max()``, which asks for it by
    ``nan``, and is nan everywhere for ``amax()``, of whose elements none is equal to the result.
    """
    top = unreduce(y, dim, keepdim, shape)
    lost = top != top
    best = (a == top) | (lost & (a != a) if nan else lost)
    wide = widened(g)
    ties = astype(sum(best, dim, True), wide.dtype)
    share = narrowed(unreduce(wide, dim, keepdim, shape) / ties, g)
    return where(best, share if nan else where(lost, top, share), 0.0)


def inside(g: Any, a: Any, min: Any, max: Any) -> Any:
    """The adjoint where the operand is within the limits, which are part of it."""
    within = a <= max if min is None else a >= min if max is None else (a >= min) & (a <= max)
    return where(within, g, 0.0)


def cross_entropy_adjoint(g: Any, a: Any, target: Any) -> Any:
    """Softmax minus one at the target, over the number of rows."""
    return minus_one_at(softmax(a, (1,)), target) * (g / (len(target) or math.nan))


def log_softmax_adjoint(g: Any, y: Any, dim: Any) -> Any:
    """What is left of ``g`` without softmax times its sum."""
    h = widened(g)
    return narrowed(h - exp(widened(y)) * sum(h, dim, True), g)


def standardize(a: Any, dim: Any, eps: float) -> Any:
    """Mean 0 and variance 1 along ``dim``."""
    x = widened(a)
    return narrowed((x - mean(x, dim, True)) / sqrt(var(x, dim, True, 0) + eps), a)


def standardize_adjoint(g: Any, a: Any, y: Any, dim: Any, eps: float) -> Any:
    """What is left of ``g`` without its mean and its part along ``y``, over the standard deviation."""
    x, s, h = widened(a), widened(y), widened(g)
    rest = h - mean(h, dim, True) - s * mean(h * s, dim, True)
    return narrowed(rest / sqrt(var(x, dim, True, 0) + eps), g)


def fold(a: Any, stride: Any, dilation: Any, shape: Any) -> Any:
    """Windows added back to where they came from."""
    y = empty_like_shape(a, shape)
    rows, columns, height, width = a.shape[-4:]
    down, right = stride
    for i in range(height):
        for j in range(width):
            top, left = i * dilation[0], j * dilation[1]
            y[..., top : top + down * rows : down, left : left + right * columns : right] += a[..., i, j]
    return y


# fmt: off
REDUCED = ("dim", "keepdim", "shape")
op("matmul", "matmul(a, b)", matmul_a, matmul_b, symbol="@", onnx="MatMul",
   dunder="__matmul__", reflected="__rmatmul__", arguments=operands,
   examples=("x(2, 3), x(3, 2)", "x(3), x(3)", "x(3), x(2, 3, 2)", "x(2, 2, 3), x(3)", "x(2, 3), x(2, 3, 1)"))
op("where", "where(condition, a, b)", "where(condition, g, 0.0)", "where(condition, 0.0, g)", onnx="Where",
   arguments=where_arguments, params=("condition",),
   examples=("i([[True, False, True]]), x(2, 3), x(2, 1)",))
op("clip", "clip(a, min, max)", inside, onnx="Clip", arguments=clip_arguments, params=("min", "max"),
   examples=("x(2, 3), -0.5, 0.7", "x(3), None, 0.4"))
op("sum", "sum(a, dim, keepdim)", "unreduce(g, dim, keepdim, shape)", symbol="Σ", onnx="ReduceSum",
   arguments=reduce_arguments, params=REDUCED,
   examples=("x(2, 3)", "x(2, 3), 0", "x(2, 3), (0, 1), True"))
op("mean", "mean(a, dim, keepdim)", "unreduce(divided(g, count(shape, dim)), dim, keepdim, shape)", onnx="ReduceMean",
   arguments=reduce_arguments, params=REDUCED,
   examples=("x(2, 3)", "x(2, 3), 1, True"))
op("amax", "amax(a, dim, keepdim)", share_evenly, symbol="max", onnx="ReduceMax",
   arguments=extreme_arguments, params=(*REDUCED, "nan"),
   examples=("x(2, 3)", "x(2, 3), 1"))
op("amin", "amin(a, dim, keepdim)", share_evenly, symbol="min", onnx="ReduceMin",
   arguments=extreme_arguments, params=(*REDUCED, "nan"),
   examples=("x(2, 3)", "x(2, 3), 0, True"))
op("var", "var(a, dim, keepdim, correction)",
   "unreduce(g, dim, keepdim, shape) * ((a - mean(a, dim, True)) * (2 / degrees(shape, dim, correction)))",
   arguments=var_arguments, params=(*REDUCED, "correction"),
   examples=("x(2, 3)", "x(2, 3), 1, True, 0"))
op("logsumexp", "logsumexp(a, dim, keepdim)",
   "unreduce(g, dim, keepdim, shape) * exp(a - unreduce(y, dim, keepdim, shape))", onnx="ReduceLogSumExp",
   arguments=reduce_arguments, params=REDUCED,
   examples=("x(2, 3)", "x(2, 3), 1"))
op("softmax", "softmax(a, dim)", "y * (g - sum(g * y, dim, True))", onnx="Softmax", arguments=along, params=("dim",),
   examples=("x(2, 3), 0",))
op("log_softmax", "log_softmax(a, dim)", log_softmax_adjoint, onnx="LogSoftmax",
   arguments=along, params=("dim",),
   examples=("x(2, 3), 1",))
op("cross_entropy", "-sum(log_softmax(a, (1,)) * one_hot(target, a), (0, 1), False) / len(target)",
   cross_entropy_adjoint, onnx="SoftmaxCrossEntropyLoss", arguments=cross_entropy_arguments, params=("target",),
   examples=("x(2, 3), i([2, 0])",))
op("minus_one_at", "a - one_hot(target, a)", "g",  # one less in the column that ``target`` names for each row
   arguments=lambda a, target: ((a,), (target,)), params=("target",),
   examples=("x(2, 3), i([2, 0])",))
op("cumsum", "cumsum(a, dim, reverse)", "cumsum(g, dim, not reverse)", onnx="CumSum",
   arguments=cumsum_arguments, params=("dim", "reverse"),
   examples=("x(2, 3), 1", "x(2, 3), 0, True"))
op("standardize", standardize, standardize_adjoint,
   arguments=lambda a, dim, eps=1e-5: ((a,), (axes(dim, a.ndim), eps)), params=("dim", "eps"),
   examples=("x(2, 3), 1",))
op("reshape", "reshape(a, shape)", "reshape(g, before)", onnx="Reshape",
   arguments=reshape_arguments, params=("shape", "before"), view=True,
   examples=("x(2, 3), 3, -1",))
op("permute", "permute(a, dims)", "permute(g, inverse)", onnx="Transpose",
   arguments=permute_arguments, params=("dims", "inverse"), view=True,
   examples=("x(2, 3, 1), 2, 0, 1",))
op("expand", "expand(a, shape)", "unbroadcast(g, before)", onnx="Expand",
   arguments=expand_arguments, params=("shape", "before"), view=True,
   examples=("x(2, 1), 2, -1, 3",))
op("cat", "cat(a, dim)", "split(g, sizes, dim)", onnx="Concat", arguments=cat_arguments, params=("dim", "sizes"),
   examples=("[x(2, 3), x(2, 1)], 1",))
op("stack", "stack(a, dim)", "unbind(g, dim)", arguments=stack_arguments, params=("dim",),
   examples=("[x(2, 3), x(2, 3)], 1",))
op("pad", "pad_with(a, width, value)", "getitem(g, inner)", onnx="Pad",
   arguments=pad_arguments, params=("pad", "value", "width", "inner"),
   examples=('x(2, 3), (1, 0, 0, 2), "constant", 3.0',))
op("getitem", "getitem(a, index)", "unindex(g, index, shape)", symbol="[ ]",
   arguments=getitem_arguments, params=("index", "shape"), view=True,
   examples=("x(2, 3), (0, slice(1, None))", "x(2, 3), [0, 1, 1]", "x(2, 3), (slice(None), None, [2, 2])"))
op("unindex", "unindex(a, index, shape)", "getitem(g, index)",  # into zeros; what comes to the same place is added
   arguments=lambda a, index, shape: ((a,), (index, tuple(shape))), params=("index", "shape"),
   examples=("x(2, 3), i([1, 1]), (3, 3)",))
op("gather", "gather(a, dim, index)", "ungather(g, dim, index, shape)", onnx="GatherElements",
   arguments=gather_arguments, params=("dim", "index", "shape"),
   examples=("x(2, 3), 1, i([[0, 0], [2, 1]])",))
op("ungather", "ungather(a, dim, index, shape)", "gather(g, dim, index)", onnx="ScatterElements",
   arguments=lambda a, dim, index, shape: ((a,), (dim, index, tuple(shape))), params=("dim", "index", "shape"),
   examples=("x(2, 3), 1, i([[0, 0, 3], [2, 1, 2]]), (2, 4)",))
op("windows", "windows(a, size, stride, dilation)", "fold(g, stride, dilation, shape)",
   arguments=windows_arguments, params=("size", "stride", "dilation", "shape"), view=True,
   examples=("x(3, 4), 2", "x(1, 3, 4), (1, 2), (2, 1), (1, 2)"))
op("fold", fold, "windows(g, size, stride, dilation)",
   arguments=lambda a, stride, dilation, shape: ((a,), (tuple(a.shape[-2:]), stride, dilation, tuple(shape))),
   params=("size", "stride", "dilation", "shape"),
   examples=("x(2, 1, 2, 2), (1, 1), (1, 1), (3, 2)",))
op("astype", "astype(a, dtype)", "astype(g, before)", onnx="Cast",
   arguments=lambda a, dtype: ((a,), (dtype, a.dtype)), params=("dtype", "before"),
   examples=('x(2), "float64"',))
op("to_device", "to_device(a, device)", "to_device(g, before)", onnx="Identity",
   arguments=lambda a, device: ((a,), (device, a.device)), params=("device", "before"),
   examples=('x(2), "cpu"',))
# Rows through which no adjoint flows
op("lt", "a < b", None, None, symbol="<", onnx="Less", dunder="__lt__", arguments=operands)
op("le", "a <= b", None, None, symbol="≤", onnx="LessOrEqual", dunder="__le__", arguments=operands)
op("gt", "a > b", None, None, symbol=">", onnx="Greater", dunder="__gt__", arguments=operands)
op("ge", "a >= b", None, None, symbol="≥", onnx="GreaterOrEqual", dunder="__ge__", arguments=operands)
op("eq", "a == b", None, None, symbol="=", onnx="Equal", dunder="__eq__", arguments=operands)
op("ne", "a != b", None, None, symbol="≠", dunder="__ne__", arguments=operands)
op("bitwise_and", "a & b", None, None, symbol="∧", onnx="And",
   dunder="__and__", reflected="__rand__", arguments=operands)
op("bitwise_or", "a | b", None, None, symbol="∨", onnx="Or", dunder="__or__", reflected="__ror__", arguments=operands)
op("bitwise_xor", "a ^ b", None, None, symbol="⊕", onnx="Xor",
   dunder="__xor__", reflected="__rxor__", arguments=operands)
op("bitwise_not", "~a", None, symbol="¬", onnx="Not", dunder="__invert__", arguments=lambda a: ((a,), ()))
op("argmax", "argmax(a, dim)", None, onnx="ArgMax", arguments=position_arguments, params=("dim",))
op("argmin", "argmin(a, dim)", None, onnx="ArgMin", arguments=position_arguments, params=("dim",))
# fmt: on

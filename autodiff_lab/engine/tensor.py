"""The tensor node: an array of numbers. Its methods are generated from the op table, for NumPy and for torch arrays.

What is not in the table, because it is made of rows (`softmax` is a row, `conv2d` is not), is in `composed.py`.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
from inspect import signature
from numbers import Real

from autodiff_lab.engine import array_rules, ops, rules
from autodiff_lab.engine import structured as structured  # its rows
from autodiff_lab.engine.array_rules import array_rule, changed
from autodiff_lab.engine.backend import (
    DEFAULT_DTYPE,
    DEVICES,
    DTYPES,
    Backend,
    backend_of,
    common_dtype,
    device_name,
    dtype_name,
    is_floating,
    numpy_backend,
    numpy_dtype,
    numpy_from_torch,
    torch_backend,
    torch_from_numpy,
)
from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.hooks import pack_saved
from autodiff_lab.engine.modes import only_no_grad, only_packing, refuse, state
from autodiff_lab.engine.node import INFERENCE, Node
from autodiff_lab.engine.rules import NODES, Rule
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NoReturn, Self

    from autodiff_lab.engine.ops import Op

NEVER = sys.maxsize  # the version of a tensor made in inference mode: no op may save it

# Rows whose result is of the operands' dtype even if that is an integer; all others compute in floats.
KEEP_INTEGERS = frozenset(
    {
        "add",
        "sub",
        "mul",
        "neg",
        "abs",
        "relu",
        "pow",
        "maximum",
        "minimum",
        "clone",
        "matmul",
        "where",
        "clip",
        "sum",
        "amax",
        "amin",
        "reshape",
        "permute",
        "expand",
        "cat",
        "stack",
        "pad",
        "getitem",
        "unindex",
        "gather",
        "ungather",
        "windows",
        "fold",
        "cumsum",
        "astype",
        "to_device",
        "lt",
        "le",
        "gt",
        "ge",
        "eq",
        "ne",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "bitwise_not",
        "argmax",
        "argmin",
    }
)


class Tensor(Node):
    """An array that remembers how it was computed. Made by `tensor`; never directly.

    ``data`` is the array, NumPy's or torch's; it is shared, not copied, and never written to. ``grad`` is None or a
    tensor of the same shape and dtype. Methods and their arguments are PyTorch's; NumPy's ``axis`` and ``keepdims`` are
    understood as well.
    """

    __slots__ = ("_version",)
    __array_ufunc__ = None  # NumPy leaves an operation between its arrays and a node to the methods here

    # `_version` is the number of in-place changes there had been, of any tensor of its kind, when this one was made or
    # last changed.
    _version: int
    _backend: Backend

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...

    _constant: Any  # `CONSTANT`

    # What it is

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(self.data.shape)

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self.data.ndim  # type: ignore[no-any-return]

    @property
    def dtype(self) -> Any:
        """The array's own dtype, NumPy's or torch's."""
        return self.data.dtype

    @property
    def device(self) -> Any:
        """Where a torch array is; "cpu" for NumPy."""
        return getattr(self.data, "device", "cpu")

    def dim(self) -> int:
        """How many dimensions there are."""
        return self.ndim

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        return self.shape if dim is None else self.shape[dim]

    def numel(self) -> int:
        """How many elements there are."""
        return math.prod(self.shape)

    def item(self) -> Any:
        """The only element as a plain number; RuntimeError if there is not exactly one."""
        if self.numel() != 1:
            raise RuntimeError(
                f"item() of a tensor of shape {self.shape}, which has {self.numel()} elements, not one. Reduce it "
                "first, as with mean(), or write tolist() for all of them."
            )
        return self._at_hand("item()").item()

    def tolist(self) -> Any:
        """The elements as nested lists of plain numbers."""
        return self._at_hand("tolist()").tolist()

    def numpy(self) -> Any:
        """The elements as a NumPy array, without a copy where possible; RuntimeError if a gradient would be lost."""
        refuse(self, "numpy()")
        if self.requires_grad:
            raise RuntimeError(
                f"numpy() of a tensor {self._in_words()} that requires grad: a plain array has no graph, and no "
                "gradient would find the way back. Write x.detach().numpy()."
            )
        return self.__array__()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        data = self._at_hand("numpy()")
        if self.requires_grad:
            raise RuntimeError(
                f"a NumPy array was asked of a tensor {self._in_words()} that requires grad, and no gradient would "
                "find the way back. Use this package's function of the same name, or give it x.detach()."
            )
        return numpy.array(data, dtype=dtype, copy=copy)

    def _at_hand(self, what: str) -> Any:
        """The array, for Python to look into; an error where ``what`` has no elements to look at."""
        refuse(self, what)
        return self._backend.names["to_device"](self.data, "cpu")

    def detach(self) -> Any:
        """A leaf over the same array that does not require grad."""
        return self._constant(self.data)

    @property
    def requires_grad(self) -> bool:
        """Whether a backward sweep brings an adjoint here. May be set on a leaf of a floating dtype."""
        return self._rule is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value and not is_floating(self.dtype):
            raise RuntimeError(
                f"a tensor of dtype {self.dtype} cannot require grad: only floating numbers have derivatives. "
                "Make it with dtype='float64', or convert it with x.to('float64')."
            )
        Node.requires_grad.__set__(self, value)  # type: ignore[attr-defined]

    @property
    def params(self) -> tuple[Any, ...]:
        """The parameters of the op, under the names in its row: axes, shapes, an index."""
        return self._number if self._rule is not None and self._rule.op and self._rule.op.params else ()

    @property
    def T(self) -> Any:
        """All dimensions in reverse order."""
        return FUNCTIONS["permute"](self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Any:
        """The last two dimensions exchanged."""
        n = self.ndim
        if n < 2:
            raise ValueError(f"mT exchanges the last two dimensions; a tensor of shape {self.shape} has {n}")
        return FUNCTIONS["permute"](self, (*range(n - 2), n - 1, n - 2))

    # Adjoints. In a sweep they are bare arrays, or nodes with create_graph.

    def _as_adjoint(self, g: Any, create_graph: bool) -> Any:
        if isinstance(g, Tensor) and g._backend is self._backend:
            if create_graph:
                return g
            g = g.data
        elif create_graph and isinstance(g, Node):
            return cross(g, self._backend, self.data.device, self.dtype)
        elif isinstance(g, Node):
            g = g.data
        if type(g) is not self._backend.array or g.dtype != self.dtype:
            if isinstance(g, (str, bytes, dict)):
                raise TypeError(f"an adjoint of a tensor {self._in_words()} is an array, not {type(g).__name__}: {g!r}")
            g = as_array(g, self._backend, self.dtype, self.data.device)
        if tuple(g.shape) != self.shape:
            raise RuntimeError(
                f"an adjoint of shape {tuple(g.shape)} was given for a tensor of shape {self.shape}: an adjoint has "
                "the shape of its tensor. Mend gradient=, grad_outputs= or what the hook returns."
            )
        return self._constant(g) if create_graph else g

    def _first_adjoint(self, gradient: Any, create_graph: bool) -> Any:
        if gradient is None:
            if self.data.ndim and self.numel() != 1:
                raise RuntimeError(
                    f"backward from a tensor of shape {self.shape} needs the adjoint to begin with: only a single "
                    "element can be taken to have adjoint 1. Call backward() on a sum or mean, or pass gradient=."
                )
            gradient = self._backend.names["ones_like"](self.data)
            return self._constant(gradient) if create_graph else gradient
        return self._as_adjoint(gradient, create_graph)

    def _accumulate(self, g: Any) -> None:
        if not isinstance(g, Tensor):
            g = self._constant(g)
        self.grad = g if self.grad is None else self.grad + g

    def _shown(self, g: Any) -> Any:
        return g if isinstance(g, Tensor) else self._constant(g)

    def _in_words(self) -> str:
        return f"of shape {self.shape}"

    def _named(self) -> str:
        return f"a tensor of shape {self.shape}"

    # Python's own protocols

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of a tensor without dimensions, which has no length; item() gives its number")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("a tensor without dimensions cannot be iterated over; item() gives its number")
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index: Any) -> Any:
        return FUNCTIONS["getitem"](self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if state.recording and (self.requires_grad or getattr(value, "requires_grad", False)):
            raise RuntimeError(
                f"an assignment to elements of a tensor of shape {self.shape} is not recorded, and the gradient would "
                "be lost. Use where(), cat() or stack() to make a new tensor; or assign under no_grad() if no gradient "
                "shall flow."
            )
        new = self.data.copy() if self._backend.name == "numpy" else self.data.clone()
        what = "an assignment to elements"
        try:
            new[arrays_in(index, self, what)] = value if isinstance(value, Real) else arrays_in(value, self, what)
        except (IndexError, ValueError, TypeError) as error:
            shape = f" of shape {tuple(value.shape)}" if hasattr(value, "shape") else ""
            raise type(error)(f"{what} of a tensor of shape {self.shape}, of a value{shape}: {error}") from None
        self._change(new)

    def _change(self, data: Any) -> None:
        """Let the tensor hold other data from now on, and have whoever saved the old find out."""
        if state.trace is not None:
            state.trace.refuse_change(self)
        self._backend.names["clock"] += 1
        if self._a is not None and "y" in self._rule.saves():  # type: ignore[union-attr]
            self._rule = Spoiled(self._rule)  # type: ignore[arg-type]
        self._version = self._backend.names["clock"]
        self.data = data

    def zero_(self) -> Self:
        """Set every element to zero, under no_grad."""
        self[...] = 0
        return self

    def copy_(self, source: Any) -> Self:
        """Take the elements of ``source``, under no_grad."""
        self[...] = source
        return self

    def __pos__(self) -> Self:
        return self

    def __bool__(self) -> bool:
        refuse(self, "bool()")
        if self.numel() != 1:
            raise RuntimeError(
                f"the truth of a tensor of shape {self.shape} is ambiguous: it has {self.numel()} elements. Compare "
                "one element, choose with where(condition, a, b), or use .any() or .all()."
            )
        return bool(self.item())

    def __float__(self) -> float:
        refuse(self, "float()")
        return float(self.item())

    def __int__(self) -> int:
        refuse(self, "int()")
        return int(self.item())

    def __index__(self) -> int:
        if is_floating(self.dtype):
            raise TypeError(f"a tensor of dtype {self.dtype} is no index: an index is an integer. Write int(x).")
        return int(self.item())

    def __repr__(self) -> str:
        body = repr(self.data)
        body = body[body.index("(") + 1 : -1] if "(" in body else body
        origin = f", grad_fn={self.grad_fn}" if self.grad_fn else ", requires_grad=True" if self.requires_grad else ""
        return f"tensor({body}{origin})"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec else repr(self)

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        # A copied or unpickled node is a leaf, as a Scalar's is.
        refuse(self, "copying")
        grad = None if self.grad is None else self.grad.data
        return restore, (
            self.data.copy() if self._backend.name == "numpy" else self.data.clone(),
            self.requires_grad,
            grad,
        )

    def any(self) -> bool:
        """Whether any element is not zero."""
        return bool(self._at_hand("any()").any())

    def all(self) -> bool:
        """Whether no element is zero."""
        return bool(self._at_hand("all()").all())

    def to(self, *targets: Any, dtype: Any = None, device: Any = None) -> Any:
        """In another dtype, on another device, or both; as a tensor that is given. The adjoint goes back.

        ``x.to("float32")``, ``x.to("cuda")``, ``x.to("cuda", "float32")``, ``x.to(other)``. Without a change it is
        the tensor itself.
        """
        for target in targets:
            if isinstance(target, Tensor):
                dtype, device = target.dtype, target.device
            elif type(target) is int or str(target).partition(":")[0] in DEVICES:
                device = target
            elif target is None or (isinstance(target, (str, list)) and target not in DTYPES):
                raise ValueError(
                    f"to({target!r}): neither a device ({', '.join(DEVICES)}; a GPU is 'cuda') nor a dtype "
                    f"({', '.join(DTYPES)})"
                )
            else:
                dtype = target
        x = self
        if dtype is not None and dtype_name(dtype) != dtype_name(self.dtype):
            x = FUNCTIONS["astype"](x, dtype_name(dtype))
        return x if device is None else to_device(x, device_name(device))

    def float(self) -> Any:
        """In float32."""
        return self.to("float32")

    def double(self) -> Any:
        """In float64."""
        return self.to("float64")

    def long(self) -> Any:
        """In int64."""
        return self.to("int64")

    def cpu(self) -> Any:
        """On the CPU."""
        return self.to("cpu")

    def cuda(self, device: int | str = "cuda") -> Any:
        """On the current CUDA device, or on the one that is named."""
        return self.to(device=device)


class NumpyTensor(Tensor):
    """A tensor over a NumPy array."""

    __slots__ = ()


class TorchTensor(Tensor):
    """A tensor over a torch array."""

    __slots__ = ()


CONSTANT = """\
def constant(data):  # a tensor over an array, which needs no gradient
    node = blank()
    node.data = data
    node.grad = node._rule = node._a = node._b = None
    node._version = clock
    if not plain and state.inference:
        node._number, node._version = INFERENCE, NEVER
    return node
"""

BACKENDS: dict[Backend, type[Tensor]] = {}


def tensor_class(backend: Backend) -> type[Tensor]:
    """The kind of tensor that goes with a backend, with all methods of the table."""
    if backend not in BACKENDS:
        cls: type[Tensor] = NumpyTensor if backend.name == "numpy" else TorchTensor
        cls._backend = backend
        backend.names.update(
            Tensor=cls,
            blank=functools.partial(object.__new__, cls),
            clock=0,
            state=state,
            INFERENCE=INFERENCE,
            NEVER=NEVER,
            record=record,
            record_strictly=record_strictly,
            explained=explained,
            changed=changed,
            deliver=deliver,
            no_grad=only_no_grad,
            packing=only_packing,
            pack_saved=pack_saved,
            arrays_in=arrays_in,
            getrefcount=sys.getrefcount,
            in_place=in_place,
            operator=operator,
            renamed=renamed,
            call=call,
        )
        cls._constant = staticmethod(
            rules.compile_source(CONSTANT, f"{cls.__name__}.constant", backend.names)["constant"]
        )
        BACKENDS[backend] = cls
        for row in ops.TABLE.values():
            install_on(row, backend, cls)
    return BACKENDS[backend]


# Making tensors


def as_array(data: Any, backend: Backend, dtype: Any, device: Any = None) -> Any:
    """``data`` as an array of a backend, of a dtype (None: its own; floats in a list become float64)."""
    if isinstance(data, Node):
        data = data.data
    if backend.name == "numpy":
        import numpy

        if hasattr(data, "cpu"):
            data = numpy_from_torch(data)
        made = numpy.asarray(data, dtype=None if dtype is None else numpy_dtype(dtype))
        if made.dtype.kind not in "fiub":
            raise TypeError(
                f"tensor({shortened(data)}): NumPy makes an array of dtype {made.dtype} of it, and a tensor holds real "
                f"numbers: {', '.join(DTYPES)}."
            )
        made = made if made.dtype.isnative else made.astype(made.dtype.newbyteorder("="))
        dtype_name(made.dtype)
        return made
    if not isinstance(data, backend.array):
        data = torch_from_numpy(as_array(data, numpy_backend(), None))
    data = backend.names["astype"](data.detach(), data.dtype if dtype is None else dtype)
    return data if device is None else backend.names["to_device"](data, device)


def make(data: Any, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Any:
    """See `tensor`."""
    if isinstance(data, (str, bytes, dict, complex)) or data is None:
        raise TypeError(
            f"tensor({shortened(data)}): a {type(data).__name__} is no array of numbers. Give a number, a list of "
            "numbers or an array."
        )
    if isinstance(data, Node):
        data = data.data
    backend = backend_of(data) or numpy_backend()
    device = None if device is None else device_name(device)
    if device not in (None, "cpu"):
        backend = torch_backend()
    if isinstance(data, (list, tuple)):
        data = plain(data)
    try:
        array = as_array(data, backend, dtype, device)
    except ValueError as error:
        why = "lists of different lengths make no rectangle. Fill the shorter ones up, or make a tensor of each."
        raise ValueError(f"tensor({shortened(data)}): {why if 'inhomogeneous' in str(error) else error}") from None
    node = tensor_class(backend)._constant(array)
    if requires_grad:
        node.requires_grad = True
    return node


def plain(data: Any) -> Any:
    """Nested lists with the values in the place of the nodes."""
    if isinstance(data, (list, tuple)):
        return [plain(part) for part in data]
    return data.detach().tolist() if isinstance(data, Tensor) else data.data if isinstance(data, Node) else data


def restore(data: Any, requires_grad: bool, grad: Any) -> Any:
    """The leaf that copying and unpickling make."""
    node = make(data, requires_grad=requires_grad)
    node.grad = None if grad is None else make(grad)
    return node


def shortened(value: Any) -> str:
    """How a value is shown in a message."""
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


def to_device(x: Any, device: str) -> Any:
    """A tensor on another device. One over a NumPy array becomes one over a torch array, unless it stays on the CPU."""
    if x._backend.name == "torch":
        return x if str(x.device) == device else FUNCTIONS["to_device"](x, device)
    return x if device == "cpu" else cross(x, torch_backend(), device)


# Crossing between kinds of nodes: the adjoint goes back to the kind it came from.


class Crossing(Rule):
    """The rule of a node that has the value of a node of another kind."""

    __slots__ = ()

    def pull_graph(self, g: Any, node: Any, *rest: Any) -> None:
        for x, share in self.shares(node._as_adjoint(g, True), node):
            deliver(x, share, *rest)

    def shares(self, g: Any, node: Any) -> Any:
        x = node._a
        if isinstance(g, Node):
            yield x, to_scalar(g) if isinstance(x, Scalar) else cross(g, x._backend, x.data.device, x.dtype)
        else:
            yield x, float(g) if isinstance(x, Scalar) else as_array(g, x._backend, x.dtype, x.data.device)


CROSSING = Crossing(ops.Op("to", "a", "g"), "a")


def cross(x: Any, backend: Backend, device: Any = None, dtype: Any = None) -> Any:
    """A node as a tensor of a backend; the adjoint finds the way back."""
    node = tensor_class(backend)._constant(as_array(x.data, backend, dtype, device))
    return link(node, x)


def to_scalar(x: Any) -> Any:
    """A tensor of one element as a Scalar; the adjoint finds the way back."""
    return link(Scalar(x.data.item(), requires_grad=False), x)


def link(node: Any, x: Any) -> Any:
    """Make ``node`` a result computed from ``x``, if that is recorded."""
    if state.recording and x.requires_grad:
        node._a, node._rule = x, CROSSING
    if state.trace is not None:
        state.trace.note_crossing(node, x)
    return node


# Recording


class Spoiled(Rule):
    """The rule of a node whose own value is needed by its pull, but was changed in place."""

    __slots__ = ()

    def __init__(self, inner: Rule) -> None:
        super().__init__(inner.op, inner.kind)

    def pull(self, g: Any, node: Any, *rest: Any) -> NoReturn:
        raise RuntimeError(
            f"{node.op} saved its result of shape {node.shape} for backward, but it was changed in place afterwards. "
            "Change it after backward(), or change a clone()."
        )

    pull_graph = pull  # type: ignore[assignment]


class Pack(Node):
    """A link of the list of operands of an op that joins many: the operand in ``_a``, the next link in ``_b``.

    Its adjoint is the list of all shares. ``parts`` are all operands, in the first link only.
    """

    __slots__ = ("parts",)
    parts: tuple[Any, ...]


class PackRule(Rule):
    """Delivers one operand's share, and passes the list on."""

    __slots__ = ()

    def pull(self, g: Any, node: Any, *rest: Any) -> None:
        deliver(node._a, g[node._number], *rest)
        if node._b is not None:
            deliver(node._b, g, *rest)

    pull_graph = pull  # type: ignore[assignment]


PACK = PackRule(ops.Op("pack", "a", "g"), "a")


def pack(parts: tuple[Any, ...]) -> Pack:
    """The list of those operands that require grad."""
    first: Any = None
    for i, part in reversed(list(enumerate(parts))):
        if part.requires_grad:
            cell = object.__new__(Pack)
            cell.data = cell.grad = None
            cell._rule, cell._a, cell._b, cell._number, cell.parts = PACK, part, first, i, ()
            first = cell
    first.parts = parts
    return first  # type: ignore[no-any-return]


def arrays_in(value: Any, like: Tensor, name: str) -> Any:
    """A parameter of the row ``name`` with arrays in the place of tensors and of lists of numbers, as in an index."""
    if isinstance(value, tuple):
        return tuple(arrays_in(part, like, name) for part in value)
    if isinstance(value, Node):
        value = value.data
    if isinstance(value, list):
        value = as_array(plain(value), like._backend, None) if value else as_array(value, like._backend, "int64")
    here = backend_of(value)
    if here is not None and like._backend is not here:
        if here.name == "torch" and str(value.device) != "cpu":
            raise apart(name, (like, value))
        return as_array(value, like._backend, None, like.data.device)
    return value


def record(op: Op, *operands: Any, params: tuple[Any, ...] = ()) -> Any:
    """Apply a row in any mode to tensors, and to numbers, arrays and scalars among them.

    All that the generated methods do not
    write out. Returns NotImplemented for an operand that is none of these, so that Python can ask the other operand.
    """
    like = leading(operands)
    if like is None:
        array = next(x for x in operands if backend_of(x) is not None)
        like = tensor_class(backend_of(array))._constant(array)  # type: ignore[arg-type]
    backend, cls = like._backend, type(like)
    given: list[Any] = []
    for x in operands:
        if type(x) is not cls:
            array = x._backend if isinstance(x, Tensor) else backend_of(x)
            if isinstance(x, Real) and not isinstance(x, Node):
                number: Any = x
                x = number if type(number) in (int, float, bool) else getattr(number, "item", number.__float__)()
            elif array not in (None, backend) and x.ndim and str(x.device) != str(like.device):
                raise apart(op.name, (x, like))
            elif isinstance(x, Tensor):  # over a NumPy array, and `like` over one of torch's
                x = cross(x, backend, like.data.device)
            elif array is not None:
                x = cls._constant(as_array(x, backend, None, None if array is backend else like.data.device))
            elif not isinstance(x, Scalar):
                return NotImplemented
        given.append(x)
    arrays = [x.data for x in given if isinstance(x, Tensor)]
    dtype = common_dtype(arrays)
    floats = any(type(x) is float or isinstance(x, Scalar) for x in given)
    if not is_floating(dtype) and (floats or op.name not in KEEP_INTEGERS):
        dtype = DEFAULT_DTYPE
    elif dtype == "bool" and op.name in ("sum", "mean", "var"):
        dtype = "int64"
    for i, x in enumerate(given):
        if isinstance(x, Scalar):
            given[i] = cross(x, backend, like.data.device, dtype)
        elif isinstance(x, Tensor):
            if dtype_name(x.dtype) != dtype and op.name not in ("astype", "clone"):
                given[i] = FUNCTIONS["astype"](x, dtype)
        elif not op.on_numbers:
            given[i] = cls._constant(as_array(x, backend, dtype, like.data.device))
    return apply(op, given, params, cls)


def apply(op: Op, given: Sequence[Any], params: tuple[Any, ...], cls: type[Tensor]) -> Any:
    """Compute a row on tensors of one kind, and on numbers, and record it if any of them requires grad."""
    backend = cls._backend
    many = op.name in array_rules.JOINING
    if many:
        kind, values = "a", ([x.data for x in given], None)
        wanted = any(x._rule is not None for x in given)
    else:
        kind, a, b = "", given[0], given[1] if len(given) == 2 else None
        if isinstance(a, Tensor):
            kind, a = "a" if a._rule is not None and op.adjoints[0] else "-", a.data
        else:
            kind = "#"
        if b is not None:
            if isinstance(b, Tensor):
                kind, b = f"{kind}{'b' if b._rule is not None and op.adjoints[1] else '-'}", b.data
            else:
                kind = f"{kind}#"
        wanted = "a" in kind or "b" in kind
        values = a, b
    compute = backend.forwards.get((op, "#" in kind and kind)) or forward(op, kind, backend)
    try:
        data = compute(None, *values, None, *params)
    except Exception as error:
        raise explained(op, error, *given, params=params) from None
    node: Any = cls._constant(data)
    if wanted and state.recording:
        if many:
            node._a = pack(tuple(given))
        else:
            node._a, node._b = (*[x for x in given if isinstance(x, Tensor)], None)[:2]
        if op.params:
            node._number = params
        elif "#" in kind:
            node._number = given[kind.index("#")]
        node._rule = rule = array_rule(op, kind, backend)
        if not many:
            for letter, x in zip("ab", given, strict=False):
                if isinstance(x, Tensor) and x._rule is None and x.is_inference() and letter in rule.saves():
                    raise RuntimeError(
                        f"{op.name} would have to save a tensor {x._in_words()} for backward, but it was made in "
                        "inference mode. Compute it outside inference_mode(), or under no_grad() instead."
                    )
        if state.hooks is not None:
            pack_saved(node)
    for observe in state.observers:
        observe(op.name, node, given)
    if state.trace is not None:
        state.trace.note(op, given, params, node)
    return node


def forward(op: Op, kind: str, backend: Backend) -> Callable[..., Any]:
    """The forward formula of a row on arrays, as a function of ``(g, a, b, y)`` and the parameters."""
    backend.look_up_helpers()
    text = array_rules.forward_text(op, kind, backend)
    source = f"def formula({', '.join(('g', 'a', 'b', 'y', *op.params))}):\n    return {text}\n"
    made: Callable[..., Any] = rules.compile_source(source, f"{op.name} on {backend.name}", backend.names)["formula"]
    backend.forwards[op, "#" in kind and kind] = made
    return made


def explained(op: Op, error: Exception, *operands: Any, params: tuple[Any, ...] = ()) -> Exception:
    """What went wrong in an operation on arrays, with the shapes, dtypes and devices in question."""
    if len({str(x.device) for x in (*operands, *params) if hasattr(x, "device")}) > 1:
        return apart(op.name, (*operands, *params))
    shapes = [tuple(getattr(x, "shape", ())) for x in operands]
    shown = " and ".join(str(shape) for shape in shapes)
    if op.name == "matmul":
        a, b = shapes
        if not a or not b:
            return RuntimeError(f"matmul of {shown}: each side needs at least one dimension. Write * for a number.")
        inner, outer = a[-1], b[-2] if len(b) > 1 else b[0]
        if inner != outer:
            advice = " Reshape one of them."
            if len(b) > 1 and inner == b[-1]:
                advice = " Did you mean a @ b.mT?"
            elif len(a) > 1 and a[-2] == outer:
                advice = " Did you mean a.mT @ b?"
            return RuntimeError(
                f"matmul of {shown}: the last size of a, {inner}, must be the "
                f"{'second to last' if len(b) > 1 else 'only'} size of b, {outer}.{advice}"
            )
        if not broadcastable(a[:-2], b[:-2]):
            return RuntimeError(
                f"matmul of {shown}: the sizes before the last two, {a[:-2]} and {b[:-2]}, do not broadcast. From the "
                "right, they must be equal or 1."
            )
    if op.name.startswith("bitwise") and any(is_floating(getattr(x, "dtype", "bool")) for x in operands):
        dtypes = " and ".join(dtype_name(x.dtype) for x in operands if hasattr(x, "dtype"))
        return TypeError(f"{op.name} of dtype {dtypes}: it takes booleans or integers. Compare first, as in x > 0.")
    if op.arity == 2 and not broadcastable(*shapes):
        return RuntimeError(
            f"{op.name} of shapes {shown}: they do not broadcast. From the right, sizes must be equal or 1. "
            "Insert a dimension of size 1 with unsqueeze() or reshape()."
        )
    kinds = (TypeError, ValueError, IndexError, MemoryError, NotImplementedError)
    kind = next((kind for kind in kinds if isinstance(error, kind)), RuntimeError)
    why = str(error).splitlines() or [kind.__name__]
    return kind(f"{op.name} of shape{'s' * (len(shapes) > 1)} {shown}: {why[0]}")


def apart(name: str, operands: Sequence[Any]) -> RuntimeError:
    """The error for operands of ``name`` that are on several devices."""
    devices = sorted({str(x.device) for x in operands if hasattr(x, "device")})
    return RuntimeError(
        f"{name} of tensors on {' and '.join(devices)}: bring them to one device first, with x.to({devices[-1]!r})"
    )


def leading(values: Sequence[Any]) -> Any:
    """The tensor that the others join: if there is one, a tensor over a torch array, which may be on another device."""
    tensors = [x for x in values if isinstance(x, Tensor)]
    return next((x for x in tensors if x._backend.name == "torch"), tensors[0] if tensors else None)


def broadcastable(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes can be repeated to the same one."""
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b), strict=False))


def record_strictly(op: Op, *operands: Any) -> Any:
    """`record` for a call by name, where there is nobody else to ask."""
    result = record(op, *operands)
    if result is NotImplemented:
        wrong = next(x for x in operands if not isinstance(x, (Node, Real)) and backend_of(x) is None)
        raise TypeError(f"{op.name}() takes tensors and numbers, not {type(wrong).__name__}: {shortened(wrong)}")
    return result


def with_tensors(values: Sequence[Any]) -> list[Any]:
    """The values, with a tensor in the place of each Scalar, of the kind and the floating dtype of the others."""
    like = leading(values)
    if like is None:
        return [cross(x, numpy_backend()) if isinstance(x, Scalar) else x for x in values]
    dtype = like.dtype if is_floating(like.dtype) else None
    return [cross(x, like._backend, like.data.device, dtype) if isinstance(x, Scalar) else x for x in values]


def renamed(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments under PyTorch's names instead of NumPy's."""
    for old, new in (("axis", "dim"), ("keepdims", "keepdim")):
        if old in kwargs:
            kwargs[new] = kwargs.pop(old)
    return kwargs


ON_SCALARS = frozenset({"where", "lt", "le", "gt", "ge", "eq", "ne"})  # rows that give no tensor for scalars


def call(op: Op, *args: Any, **kwargs: Any) -> Any:
    """Call a row that has arguments of its own; of arrays alone the result is an array."""
    kwargs = renamed(kwargs)
    given = args[0] if args else None
    many = given if isinstance(given, (list, tuple)) else args
    like: Any = given if isinstance(given, Tensor) else next((x for x in many if isinstance(x, Tensor)), None)
    if like is None:
        array = next((x for x in many if backend_of(x) is not None), None)
        if array is None and op.name in ON_SCALARS and not kwargs and all(isinstance(x, (Scalar, Real)) for x in args):
            from autodiff_lab.engine import choice

            return choice.where(*args) if op.name == "where" else getattr(operator, op.name)(*args)
        if array is None and any(isinstance(x, Scalar) for x in many):
            return call(op, *([with_tensors(given), *args[1:]] if given is many else with_tensors(args)), **kwargs)
        if array is None:
            wrong = "there is nothing to join: the list of tensors is empty. Give one tensor or more."
            if given != []:
                wrong = f"takes tensors, not {type(given).__name__}: {shortened(given)}. Make one with tensor()."
            raise TypeError(f"{op.name}: {wrong}")
        kind = tensor_class(backend_of(array))  # type: ignore[arg-type]

        def wrapped(x: Any) -> Any:
            return x if backend_of(x) is None else kind._constant(x)

        first = [wrapped(x) for x in given] if given is many else wrapped(args[0])
        return call(op, first, *[wrapped(x) for x in args[1:]], **kwargs).data
    assert op.arguments is not None
    if given is many:
        parts = [x if isinstance(x, Node) else like._constant(as_array(x, like._backend, None)) for x in many]
        args = with_tensors(parts), *args[1:]
    try:
        operands, params = op.arguments(*args, **kwargs)
    except (IndexError, TypeError, ValueError) as error:
        python, text = f"{op.arguments.__name__}() ", str(error)
        if text.startswith(python):  # Python's own words for arguments that do not fit
            text = f"{text.removeprefix(python)}; it takes {', '.join(signature(op.arguments).parameters)}"
        raise type(error)(f"{op.name}: {text}") from None
    if not array_rules.MAY_BE_ARRAYS.isdisjoint(op.params):
        joined = leading(operands)
        like = like if joined is None else joined
        named = zip(op.params, params, strict=True)
        params = tuple(arrays_in(x, like, op.name) if name in array_rules.MAY_BE_ARRAYS else x for name, x in named)
    if (
        len(operands) == 1
        and operands[0] is like
        and (op.name in KEEP_INTEGERS or like.data.dtype in like._backend.names["floats"])
    ):
        return apply(op, operands, params, type(like))
    result = record(op, *operands, params=params)
    if result is NotImplemented:
        wrong = next(x for x in operands if not isinstance(x, (Node, Real)) and backend_of(x) is None)
        raise TypeError(f"{op.name}() takes tensors and numbers, not {type(wrong).__name__}: {shortened(wrong)}")
    return result


# Methods and functions from rows


def in_place(op: Op, x: Any, result: Any) -> Any:
    """What ``w -= step`` gives: under no_grad the tensor ``w``, which takes the result as its data; else a new node."""
    if result is NotImplemented:
        return result
    if result._rule is not None:  # recorded
        if x.is_leaf and x.requires_grad:
            raise RuntimeError(
                f"{op.name} in place on a leaf {x._in_words()} that requires grad: the name would stand for a "
                "computed node, and no gradient would arrive. Update a parameter under no_grad(); or write "
                "x = x + y, not x += y."
            )
        return result
    data = result.data
    if is_floating(data.dtype) and not is_floating(x.dtype):
        raise RuntimeError(
            f"{op.name} in place: the result is of dtype {data.dtype}, but the tensor of {x.dtype}, which stays as it "
            "is. Write x = x + y, not x += y, for a new tensor."
        )
    if data.shape != x.data.shape:
        raise RuntimeError(
            f"{op.name} in place: the result has shape {result.shape}, but the tensor {x.shape}, which stays as it is. "
            "Write x = x + y, not x += y, for a new tensor."
        )
    x._change(data if data.dtype == x.data.dtype else result.to(x.dtype).data)
    return x


def install_on(op: Op, backend: Backend, cls: type[Tensor]) -> None:
    """Give the tensors of a backend the methods of a row."""
    names = backend.names
    names[f"op_{op.name}"] = op
    if op.params and not array_rules.written_out(op):
        setattr(cls, op.name, partial_call(op))
        return
    for kind in ("a",) if op.arity == 1 else ("ab", "a-", "-b", "a#", "#b"):
        array_rule(op, kind, backend)
    if op.params:
        backend.look_up_helpers()
        array_rule(op, "a+", backend)
        names[f"arguments_{op.name}"] = op.arguments
        sources = {op.name: array_rules.call_source(op, op.name in KEEP_INTEGERS, backend)}
    else:
        names.setdefault(op.name, lambda *values: forward(op, "", backend)(None, *values, *[None] * (3 - len(values))))
        sources = {op.name: array_rules.method_source(op, op.name, "record_strictly", backend)}
    if op.dunder:
        sources[op.dunder] = array_rules.method_source(op, op.dunder, "record", backend)
    if op.reflected:
        sources[op.reflected] = array_rules.reflected_source(op, backend)
        sources[f"__i{op.dunder[2:]}"] = array_rules.in_place_source(op, backend)
    for name, source in sources.items():
        method = rules.compile_source(source, f"Tensor.{name} on {backend.name}", names)[name]
        method.__qualname__ = f"Tensor.{name}"
        method.__doc__ = f"{op.symbol}: {op.forward}"
        setattr(cls, name, method)
    if op.params:
        METHODS.setdefault(op, {})[cls] = getattr(cls, op.name)
    if op.reflected:
        setattr(cls, f"{op.name}_", method)


METHODS: dict[Op, dict[type, Any]] = {}  # the methods of rows with parameters, for each kind of tensor


def partial_call(op: Op) -> Callable[..., Any]:
    """A row with arguments of its own, as a function."""

    def function(*args: Any, **kwargs: Any) -> Any:
        method = methods.get(type(args[0])) if args else None
        return method(*args, **kwargs) if method else call(op, *args, **kwargs)

    methods = METHODS.setdefault(op, {})
    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = f"{op.symbol}: {op.forward}"
    return function


def install(op: Op) -> None:
    """Make a row known to every kind of tensor there is."""
    for backend, cls in BACKENDS.items():
        install_on(op, backend, cls)
    if op.arguments is not None:
        FUNCTIONS[op.name] = NODES[op.name] = partial_call(op)


ops.on_new_row(install)
NODES.update(
    zeros_like=lambda x: x._constant(x._backend.names["zeros_like"](x.data)),
    astype=lambda x, dtype: x.to(dtype),
)

"""The tensor node: an array of numbers. Here is what a tensor does besides computing; the methods that compute are made
from the op table (`methods`) or of its rows (`composed`).
"""

from __future__ import annotations

import math
from numbers import Real
from weakref import ref

from autodiff_lab.engine.array_rules import Spoiled
from autodiff_lab.engine.arrays import as_array, without_nodes
from autodiff_lab.engine.backend import Backend, backend_of, numpy_backend, torch_backend
from autodiff_lab.engine.backward import FREED
from autodiff_lab.engine.crossing import cross, to_device
from autodiff_lab.engine.devices import DEVICES, device_name
from autodiff_lab.engine.dtypes import DTYPES, dtype_name, is_floating
from autodiff_lab.engine.handed import handed, note_handed
from autodiff_lab.engine.messages import apart, shortened
from autodiff_lab.engine.modes import current, refuse, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar, among_arrays
from autodiff_lab.engine.structured import as_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn, Self


class Tensor(Node):
    """An array that remembers how it was computed. Made by `tensor`; never directly.

    ``data`` is the array, NumPy's or torch's; it is shared, not copied. Elements are to be changed through the tensor,
    as in ``with no_grad(): x[0] = 1.0``; a sweep that needs what they were before they were written to through
    ``x.data`` raises RuntimeError. ``grad`` is None or a tensor of the same shape and dtype. Methods and their
    arguments are PyTorch's; NumPy's ``axis`` and ``keepdims`` are understood as well.
    """

    __slots__ = ("_version",)

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

    _constant: Any  # makes a tensor over an array, which needs no gradient

    # What it is

    @property
    def data(self) -> Any:
        """The array, of this shape and dtype; it is shared, not copied. May be set, to one of the same kind."""
        self._hand_out()
        return self._data

    @data.setter
    def data(self, value: Any) -> None:
        self._take(value)

    def _hand_out(self) -> None:
        """Let somebody have the array who may write to it, and so to whatever this tensor is a view of."""
        if state.trace is not None:
            state.trace.look_at(self)
        self._backend.names["clock"] += 1
        x = self
        while isinstance(x, Tensor) and hasattr(x._data, "nbytes"):  # a released value has none
            note_handed(x, self._backend.names["clock"])
            x = viewed(x)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(self._data.shape)

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._data.ndim  # type: ignore[no-any-return]

    @property
    def dtype(self) -> Any:
        """The array's own dtype, NumPy's or torch's."""
        return self._data.dtype

    @property
    def device(self) -> Any:
        """Where a torch array is; "cpu" for NumPy."""
        return getattr(self._data, "device", "cpu")

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
        self._hand_out()
        if self.requires_grad:
            raise RuntimeError(
                f"a NumPy array was asked of a tensor {self._in_words()} that requires grad, and no gradient would "
                "find the way back. Use this package's function of the same name, or give it x.detach()."
            )
        return numpy.array(data, dtype=dtype, copy=copy)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return among_arrays().numpys_function(function, method, inputs, options)

    def _at_hand(self, what: str) -> Any:
        """The array, for Python to look into; an error where ``what`` has no elements to look at."""
        refuse(self, what)
        return self._backend.names["to_device"](self._data, "cpu")

    def detach(self) -> Any:
        """A leaf over the same array that does not require grad."""
        node = self._constant(self._data)
        note_view(node, self)
        if state.trace is not None:
            state.trace.alias(node, self)
        return node

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
            g = g._data
        elif create_graph and isinstance(g, Node):
            return cross(g, self._backend, self._data.device, self.dtype)
        elif isinstance(g, Node):
            g = g._data
        if type(g) is not self._backend.array or g.dtype != self.dtype:
            if isinstance(g, (str, bytes, dict)):
                raise TypeError(f"an adjoint of a tensor {self._in_words()} is an array, not {type(g).__name__}: {g!r}")
            g = as_array(g, self._backend, self.dtype, self._data.device)
        if tuple(g.shape) != self.shape:
            raise RuntimeError(
                f"an adjoint of shape {tuple(g.shape)} was given for a tensor of shape {self.shape}: an adjoint has "
                "the shape of its tensor. Mend gradient=, grad_outputs= or what the hook returns."
            )
        return self._constant(g) if create_graph else g

    def _first_adjoint(self, gradient: Any, create_graph: bool) -> Any:
        if gradient is None:
            if self._data.ndim and self.numel() != 1:
                raise RuntimeError(
                    f"backward from a tensor of shape {self.shape} needs the adjoint to begin with: only a single "
                    "element can be taken to have adjoint 1. Call backward() on a sum or mean, or pass gradient=."
                )
            gradient = self._backend.names["ones_like"](self._data)
            return self._constant(gradient) if create_graph else gradient
        return self._as_adjoint(gradient, create_graph)

    def _accumulate(self, g: Any) -> None:
        if not isinstance(g, Tensor):
            g = self._constant(g)
        self._grad = g if self._grad is None else self._grad + g

    def _checked_grad(self, value: Any) -> Any:
        is_a = f"the grad of a tensor {self._in_words()} is a tensor like it or None, not"
        if not isinstance(value, Tensor):
            array = isinstance(value, (Real, list, tuple)) or backend_of(value) is not None
            make = f"ad.tensor(…, dtype={dtype_name(self.dtype)!r})" if array else "ad.zeros_like(x)"
            what = f"{is_a} a {type(value).__name__}: {shortened(value)}"
            raise TypeError(f"{what}. Write x.grad = {make}, or x.grad = None to clear it.")
        if value._backend is not self._backend:
            kinds = f"one over {value._backend.name}'s arrays; it is over {self._backend.name}'s"
            raise RuntimeError(f"{is_a} {kinds}. Make both of arrays of one library, with ad.as_tensor(…).")
        mine = self.shape, dtype_name(self.dtype), str(self.device)
        other = value.shape, dtype_name(value.dtype), str(value.device)
        for what, ours, theirs in zip(("shape", "dtype", "device"), mine, other, strict=True):
            if ours != theirs:
                hint = f"Write x.grad = g.{'reshape' if what == 'shape' else 'to'}({ours!r})."
                if what == "shape" and value.numel() != self.numel():
                    hint = "Sum over what was repeated, or write x.grad = None to clear it."
                raise RuntimeError(f"{is_a} one of {what} {theirs}; its {what} is {ours}. {hint}")
        return value

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
        mode = current()
        if mode.recording and (self._rule is not None or getattr(value, "requires_grad", False)):
            self._refuse_recorded("an assignment to elements", "Use where(), cat() or stack() to make a new tensor")
        if mode.trace is not None:
            mode.trace.refuse_change(self, index, value)
        new = self._data  # or a number of NumPy's, which has no elements to assign to
        new = self._backend.names["copy"](
            new if type(new) is self._backend.array else as_array(new, self._backend, None)
        )
        what = "an assignment to elements"
        try:
            new[arrays_in(as_index(index), self, what)] = (
                value if isinstance(value, Real) else arrays_in(value, self, what)
            )
        except (IndexError, ValueError, TypeError) as error:
            shape = f" of shape {tuple(value.shape)}" if hasattr(value, "shape") else ""
            raise type(error)(f"{what} of a tensor of shape {self.shape}, of a value{shape}: {error}") from None
        self._change(new)

    def _refuse_recorded(self, what: str, instead: str) -> NoReturn:
        """RuntimeError for a change in place that would have to be recorded."""
        raise RuntimeError(
            f"{what} of a tensor of shape {self.shape} is not recorded, and the gradient would be lost. {instead}; or "
            "change it under no_grad() if no gradient shall flow."
        )

    def _change(self, data: Any) -> None:
        """Let the tensor hold other data from now on, and have whoever saved the old find out.

        RuntimeError for a view of a tensor that is still there, which would keep the old elements.
        """
        trace = current().trace
        if trace is not None:
            trace.refuse_change(self)
        whole = viewed(self)
        if whole is not None:
            of = "another one" if whole is FREED else f"a tensor of shape {whole.shape}"
            raise RuntimeError(
                f"a tensor of shape {self.shape} is changed in place, but it is a view of {of}, which would not see "
                "the change, as it does in PyTorch. Change that one, under no_grad() if it requires grad: write "
                "x[0, 1] = value, not x[0][1] = value. Or change a copy: view.clone()."
            )
        self._hold(data)

    def _hold(self, data: Any) -> None:
        """Hold other data from now on, and have whoever saved the old find out."""
        names = self._backend.names
        self._version = names["clock"] = names["clock"] + 1
        if handed:
            handed.pop(id(self), None)
        if self._a is not None:
            self._spoil(self._version)
        self._data = data

    def _spoil(self, clock: int) -> None:
        """Have whoever saved the elements before ``clock`` find out that they are other ones."""
        self._version = clock
        if self._a is not None and "y" in self._rule.saves():  # type: ignore[union-attr]
            self._rule = Spoiled(self._rule)  # type: ignore[arg-type]

    def _refuse_pull(self, part: str) -> None:
        """Let no sweep pass, for a part that the op has saved, as "its index", is no longer what it was."""
        self._rule = Spoiled(self._rule, part)  # type: ignore[arg-type]

    def _take(self, value: Any) -> None:
        data = value._data if isinstance(value, Tensor) else value
        if backend_of(data) is not self._backend:
            there = backend_of(data)
            kind = type(data).__name__ if there is None else f"{type(data).__name__} of {there.name}'s"
            raise TypeError(
                f"the data of a tensor {self._in_words()} is an array of {self._backend.name}'s or a tensor over one, "
                f"not a {kind}: {shortened(value)}. Write x.data = ad.tensor(…, dtype={dtype_name(self.dtype)!r}), or "
                "make another tensor."
            )
        if self._rule is not None and not is_floating(data.dtype):
            raise RuntimeError(
                f"the data of a tensor {self._in_words()} that requires grad is of a floating dtype, not {data.dtype}. "
                f"Write x.data = y.to({dtype_name(self.dtype)!r})."
            )
        if state.trace is not None:
            state.trace.refuse_change(self, value)
        self._hold(data)

    def zero_(self) -> Self:
        """Set every element to zero, under no_grad."""
        return self.fill_(0)

    def fill_(self, value: Any) -> Self:
        """Set every element to a number, under no_grad."""
        self[...] = value
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
        refuse(self, "an index")
        if is_floating(self.dtype):
            raise TypeError(f"a tensor of dtype {self.dtype} is no index: an index is an integer. Write int(x).")
        return int(self.item())

    def __repr__(self) -> str:
        body = repr(self._data)
        body = body[body.index("(") + 1 : -1] if "(" in body else body
        origin = f", grad_fn={self.grad_fn}" if self.grad_fn else ", requires_grad=True" if self.requires_grad else ""
        return f"tensor({body}{origin})"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec else repr(self)

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        # A copied or unpickled node is a leaf, as a Scalar's is.
        refuse(self, "copying")
        grad = None if self.grad is None else self.grad._data
        return restore, (
            self._data.copy() if self._backend.name == "numpy" else self._data.clone(),
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
            x = FUNCTIONS["astype"](x if is_floating(dtype) else x.detach(), dtype_name(dtype))
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


BACKENDS: dict[Backend, type[Tensor]] = {}  # the kinds of tensors there are


# Views. A change in place gives a tensor an array of its own, which no view and no tensor that it is a view of can see.


def note_view(node: Any, x: Any, params: Any = ()) -> None:
    """Keep in mind that ``node``, a result that is not recorded, looks into the memory of ``x`` while ``x`` is there.

    It stands in the `_number` of such a node: a weak reference, and what is kept in mind of ``x``.
    """
    if params and type(params[0]) is not int and not is_basic(params[0]):
        return
    known = getattr(x, "_number", None) if x._rule is None or x._rule.op is None else None
    node._number = ref(x), known if type(known) is tuple else None


def is_basic(index: Any) -> bool:
    """Whether an index takes a view, not a copy: it has integers, slices, None and … in it, and no list."""
    parts: tuple[Any, ...] = index if type(index) is tuple else (index,)
    return BASIC.issuperset(map(type, parts)) or not any(map(takes_elements, parts))


def takes_elements(x: Any) -> bool:
    """Whether a part of an index is a list or an array of positions, or says what to take and what not."""
    return type(x) is bool or bool(getattr(x, "ndim", 0)) or "bool" in str(getattr(x, "dtype", ""))


BASIC = frozenset((int, slice, type(None), type(...)))


def viewed(x: Any) -> Any:
    """A tensor that is there and that ``x`` is a view of; `FREED` if a sweep has forgotten which one; else None."""
    if x._rule is not None and x._rule.op is not None:  # computed
        view = x._rule.op.view and (x.op != "getitem" or is_basic(getattr(x._step, "_number", (None,))[0]))
        return None if not view else x.operands[0] if x.operands else FREED
    link = getattr(x, "_number", None)
    while type(link) is tuple:
        whole = link[0]()
        if whole is not None:
            return whole
        link = link[1]
    return None


def make(data: Any, dtype: Any = None, requires_grad: bool = False, device: Any = None, *, copy: bool = False) -> Any:
    """See `tensor`; an array is shared unless ``copy``."""
    if isinstance(data, (str, bytes, dict, complex)) or data is None:
        raise TypeError(
            f"tensor({shortened(data)}): a {type(data).__name__} is no array of numbers. Give a number, a list of "
            "numbers or an array."
        )
    if state.trace is not None and state.trace.belongs(data):
        return remade(data, dtype, requires_grad, device)
    if isinstance(data, Node):
        data = data._data
    backend = backend_of(data) or numpy_backend()
    device = None if device is None else device_name(device)
    if device not in (None, "cpu"):
        backend = torch_backend()
    if isinstance(data, (list, tuple)):
        data = without_nodes(data)
    try:
        array = as_array(data, backend, dtype, device)
    except ValueError as error:
        why = "lists of different lengths make no rectangle. Fill the shorter ones up, or make a tensor of each."
        raise ValueError(f"tensor({shortened(data)}): {why if 'inhomogeneous' in str(error) else error}") from None
    if copy and not isinstance(data, list) and array.dtype == getattr(data, "dtype", None):
        array = backend.names["copy"](array)
    node = backend.tensor._constant(array)
    if requires_grad:
        node.requires_grad = True
    return node


def remade(x: Any, dtype: Any, requires_grad: bool, device: Any) -> Any:
    """`make` of a node or an array that is part of the program that is being traced, as what follows is."""
    if isinstance(x, Scalar):
        node = cross(x.detach(), numpy_backend())
    else:
        node = x.detach() if isinstance(x, Node) else backend_of(x).tensor._constant(x)  # type: ignore[attr-defined, union-attr]
    node = node.to(dtype=dtype, device=device).detach()
    node.requires_grad = requires_grad
    return node


def arrays_in(value: Any, like: Any, name: str) -> Any:
    """A parameter of the row ``name`` with arrays in the place of tensors and of lists of numbers, as in an index."""
    if type(value) in BASIC:
        return value
    if isinstance(value, tuple):
        return tuple([part if type(part) in BASIC else arrays_in(part, like, name) for part in value])
    if isinstance(value, Node):
        if state.trace is not None:
            state.trace.look_at(value)
        value = value._data
    if isinstance(value, list):
        value = (
            as_array(without_nodes(value), like._backend, None) if value else as_array(value, like._backend, "int64")
        )
    here = backend_of(value)
    if here is not None and like._backend is not here:
        if state.trace is not None and state.trace.knows(value):
            return cross(make(value), like._backend, like._data.device)._data
        if here.name == "torch" and str(value.device) != "cpu":
            raise apart(name, (like, value))
        return as_array(value, like._backend, None, like._data.device)
    return value


def restore(data: Any, requires_grad: bool, grad: Any) -> Any:
    """The leaf that copying and unpickling make."""
    node = make(data, requires_grad=requires_grad)
    node._grad = None if grad is None else make(grad)
    return node


def zero_like(x: Any) -> Any:
    """A node of zeros like ``x``, which may have released its value: the adjoint of what nothing depends on."""
    if isinstance(x, Scalar):
        return Scalar(0.0, requires_grad=False)
    return x._constant(x._backend.names["empty_like_shape"](x._data, x.shape))

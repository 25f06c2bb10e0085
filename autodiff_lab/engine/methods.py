"""The methods of tensors and the functions that are rows of the op table: made for each row, and for each kind of array
when the first tensor over one is made.
"""

from __future__ import annotations

import functools
import operator
import sys

from autodiff_lab.engine import ops, rules
from autodiff_lab.engine import structured as structured  # its rows
from autodiff_lab.engine.array_rules import (
    array_rule,
    call_source,
    changed,
    forward,
    in_place_source,
    method_source,
    reflected_source,
    written_out,
)
from autodiff_lab.engine.backend import Backend
from autodiff_lab.engine.backward import deliver
from autodiff_lab.engine.dtypes import is_floating
from autodiff_lab.engine.hooks import pack_saved
from autodiff_lab.engine.messages import explained
from autodiff_lab.engine.modes import RECORD, current
from autodiff_lab.engine.record import KEEP_INTEGERS, call, record, record_strictly, renamed
from autodiff_lab.engine.rules import NODES
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.tensor import BACKENDS, NumpyTensor, Tensor, TorchTensor, arrays_in, note_view, zero_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from autodiff_lab.engine.ops import Op

NEVER = sys.maxsize  # the version of a tensor made in inference mode: no op may save it

CONSTANT = """\
def constant(data):  # a tensor over an array, which needs no gradient
    node = blank()
    node._data = data
    node._grad = node._rule = node._a = None
    node._b = current().mark
    node._version = clock if node._b is None else NEVER
    return node
"""


def tensor_class(backend: Backend) -> type[Tensor]:
    """The class of tensors over the arrays of a backend, with a method for each row; see `Backend.tensor`."""
    cls: type[Tensor] = NumpyTensor if backend.name == "numpy" else TorchTensor
    cls._backend = backend
    backend.names.update(
        Tensor=cls,
        blank=functools.partial(object.__new__, cls),
        clock=0,
        current=current,
        RECORD=RECORD,
        NEVER=NEVER,
        record=record,
        record_strictly=record_strictly,
        explained=explained,
        changed=changed,
        deliver=deliver,
        pack_saved=pack_saved,
        arrays_in=arrays_in,
        note_view=note_view,
        getrefcount=sys.getrefcount,
        in_place=in_place,
        operator=operator,
        renamed=renamed,
        call=call,
    )
    cls._constant = staticmethod(rules.compile_source(CONSTANT, f"{cls.__name__}.constant", backend.names)["constant"])
    BACKENDS[backend] = cls
    for row in ops.TABLE.values():
        install_on(row, backend, cls)
    return cls


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
    data = result._data
    if is_floating(data.dtype) and not is_floating(x.dtype):
        raise RuntimeError(
            f"{op.name} in place: the result is of dtype {data.dtype}, but the tensor of {x.dtype}, which stays as it "
            "is. Write x = x + y, not x += y, for a new tensor."
        )
    if data.shape != x._data.shape:
        raise RuntimeError(
            f"{op.name} in place: the result has shape {result.shape}, but the tensor {x.shape}, which stays as it is. "
            "Write x = x + y, not x += y, for a new tensor."
        )
    x._change(data if data.dtype == x._data.dtype else result.to(x.dtype)._data)
    return x


def in_place_method(op: Op, operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``w.sub_(step)``, which is ``w -= step`` where that changes the tensor; an error where it makes a new node."""

    def method(self: Any, other: Any) -> Any:
        result = operator(self, other)
        if result is NotImplemented:
            return record_strictly(op, self, other)  # has the words for it
        if result is not self:
            self._refuse_recorded(f"{op.name}_()", f"Write x = x.{op.name}(…) for a new tensor")
        return self

    method.__name__ = f"{op.name}_"
    method.__qualname__ = f"Tensor.{op.name}_"
    method.__doc__ = f"{op.symbol} in place"
    return method


def install_on(op: Op, backend: Backend, cls: type[Tensor]) -> None:
    """Give the tensors of a backend the methods of a row."""
    names = backend.names
    names[f"op_{op.name}"] = op
    if op.params and not written_out(op):
        setattr(cls, op.name, as_function(op))
        return
    for kind in ("a",) if op.arity == 1 else ("ab", "a-", "-b", "a#", "#b"):
        array_rule(op, kind, backend)
    if op.params:
        backend.look_up_helpers()
        array_rule(op, "a+", backend)
        names[f"arguments_{op.name}"] = op.arguments
        sources = {op.name: call_source(op, op.name in KEEP_INTEGERS, backend)}
    else:
        names.setdefault(op.name, lambda *values: forward(op, "", backend)(None, *values, *[None] * (3 - len(values))))
        sources = {op.name: method_source(op, op.name, "record_strictly", backend)}
    if op.dunder:
        sources[op.dunder] = method_source(op, op.dunder, "record", backend)
    if op.reflected:
        sources[op.reflected] = reflected_source(op, backend)
        sources[f"__i{op.dunder[2:]}"] = in_place_source(op, backend)
    for name, source in sources.items():
        method = rules.compile_source(source, f"Tensor.{name} on {backend.name}", names)[name]
        method.__qualname__ = f"Tensor.{name}"
        method.__doc__ = f"{op.symbol}: {op.forward}"
        setattr(cls, name, method)
    if op.params:
        METHODS.setdefault(op, {})[cls] = getattr(cls, op.name)
    if op.reflected:
        setattr(cls, f"{op.name}_", in_place_method(op, method))


METHODS: dict[Op, dict[type, Any]] = {}  # the methods of rows with parameters, for each kind of tensor


def as_function(op: Op) -> Callable[..., Any]:
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
        FUNCTIONS[op.name] = NODES[op.name] = as_function(op)


ops.on_new_row(install)
NODES.update(
    zeros_like=zero_like,
    astype=lambda x, dtype: x.to(dtype),
)

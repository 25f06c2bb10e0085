"""Applying rows to tensors in any mode, and calls by name: all that the generated methods do not write out."""

from __future__ import annotations

import operator
from inspect import signature
from numbers import Real

from autodiff_lab.engine.array_rules import JOINING, MAY_BE_ARRAYS, array_rule, forward
from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.backend import backend_of, numpy_backend
from autodiff_lab.engine.crossing import cross
from autodiff_lab.engine.dtypes import DEFAULT_DTYPE, common_dtype, dtype_name, is_floating
from autodiff_lab.engine.function import pack
from autodiff_lab.engine.hooks import pack_saved
from autodiff_lab.engine.messages import apart, explained, shortened
from autodiff_lab.engine.modes import refuse, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar, refuse_inference
from autodiff_lab.engine.tensor import Tensor, arrays_in, make, note_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from autodiff_lab.engine.ops import Op

# Rows whose result is of the operands' dtype even if that is an integer; all others compute in floats.
# fmt: off
KEEP_INTEGERS = frozenset((
    "add", "sub", "mul", "neg", "abs", "relu", "pow", "maximum", "minimum", "clone", "matmul", "where", "clip",
    "sum", "amax", "amin", "argmax", "argmin", "cumsum", "reshape", "permute", "expand", "cat", "stack", "pad",
    "getitem", "unindex", "gather", "ungather", "windows", "fold", "astype", "to_device",
    "lt", "le", "gt", "ge", "eq", "ne", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not",
))
# fmt: on


def record(op: Op, *operands: Any, params: tuple[Any, ...] = ()) -> Any:
    """Apply a row in any mode to tensors, and to numbers, arrays and scalars among them.

    Returns NotImplemented for an operand that is none of these, so that Python can ask the other operand.
    """
    like = leading(operands)
    if like is None:
        array = next(x for x in operands if backend_of(x) is not None)
        like = backend_of(array).tensor._constant(array)  # type: ignore[union-attr]
    backend, cls = like._backend, type(like)
    given: list[Any] = []
    for x in operands:
        if state.trace is not None and not isinstance(x, Node) and state.trace.knows(x):
            x = make(x)
        if type(x) is not cls:
            array = x._backend if isinstance(x, Tensor) else backend_of(x)
            if isinstance(x, Real) and not isinstance(x, Node):
                number: Any = x
                x = number if type(number) in (int, float, bool) else getattr(number, "item", number.__float__)()
            elif array not in (None, backend) and x.ndim and str(x.device) != str(like.device):
                raise apart(op.name, (x, like))
            elif isinstance(x, Tensor):  # over a NumPy array, and `like` over one of torch's
                x = cross(x, backend, like._data.device)
            elif array is not None:
                x = cls._constant(as_array(x, backend, None, None if array is backend else like._data.device))
            elif not isinstance(x, Scalar):
                return NotImplemented
        given.append(x)
    arrays = [x._data for x in given if isinstance(x, Tensor)]
    dtype = common_dtype(arrays)
    floats = any(type(x) is float or isinstance(x, Scalar) for x in given)
    if not is_floating(dtype) and (floats or op.name not in KEEP_INTEGERS):
        dtype = DEFAULT_DTYPE
    elif dtype == "bool" and (op.name in ("sum", "mean", "var") or (not op.on_numbers and int in map(type, given))):
        dtype = "int64"
    for i, x in enumerate(given):
        if isinstance(x, Scalar):
            given[i] = cross(x, backend, like._data.device, dtype)
        elif isinstance(x, Tensor):
            if dtype_name(x.dtype) != dtype and op.name not in ("astype", "clone"):
                given[i] = FUNCTIONS["astype"](x, dtype)
        elif not op.on_numbers:
            given[i] = cls._constant(as_array(x, backend, dtype, like._data.device))
    return apply(op, given, params, cls)


def apply(op: Op, given: Sequence[Any], params: tuple[Any, ...], cls: type[Tensor]) -> Any:
    """Compute a row on tensors of one kind, and on numbers, and record it if any of them requires grad."""
    many = op.name in JOINING
    kind = "a" if many else kind_of(op, given)
    arrays = [x._data if isinstance(x, Tensor) else x for x in given]
    a, b = (arrays, None) if many else (*arrays, None)[:2]
    try:
        data = forward(op, kind, cls._backend)(None, a, b, None, *params)
    except Exception as error:
        raise explained(op, error, *given, params=params) from None
    node: Any = cls._constant(data)
    wanted = any(x._rule is not None for x in given) if many else "a" in kind or "b" in kind
    if wanted and state.recording:
        if many:
            node._a = pack(tuple(given))
        else:
            node._a, node._b = (*[x for x in given if isinstance(x, Tensor)], None)[:2]
        if op.params:
            node._number = params
        elif "#" in kind:
            node._number = given[kind.index("#")]
        node._rule = array_rule(op, kind, cls._backend)
        if not many:
            refuse_inference(op, given, node._rule.saves())
        if state.hooks is not None:
            pack_saved(node)
    elif op.view:
        note_view(node, given[0], params)
    for observe in state.observers:
        observe(op.name, node, given)
    if state.trace is not None:
        state.trace.note(op, given, params, node)
    return node


def kind_of(op: Op, given: Sequence[Any]) -> str:
    """What the operands are: a letter for a tensor that wants an adjoint, "-" for another one, "#" for a number."""
    return "".join(
        "#" if not isinstance(x, Tensor) else letter if adjoint and x._rule is not None else "-"
        for letter, x, adjoint in zip("ab", given, op.adjoints, strict=False)
    )


def record_strictly(op: Op, *operands: Any, params: tuple[Any, ...] = ()) -> Any:
    """`record` for a call by name, where there is nobody else to ask."""
    result = record(op, *operands, params=params)
    if result is NotImplemented:
        wrong = next(x for x in operands if not isinstance(x, (Node, Real)) and backend_of(x) is None)
        raise TypeError(f"{op.name}() takes tensors and numbers, not {type(wrong).__name__}: {shortened(wrong)}")
    return result


def leading(values: Sequence[Any]) -> Any:
    """The tensor that the others join: if there is one, a tensor over a torch array, which may be on another device."""
    tensors = [x for x in values if isinstance(x, Tensor)]
    return next((x for x in tensors if x._backend.name == "torch"), tensors[0] if tensors else None)


def with_tensors(values: Sequence[Any]) -> list[Any]:
    """The values, with a tensor in the place of each Scalar, of the kind and the floating dtype of the others."""
    like = leading(values)
    if like is None:
        return [cross(x, numpy_backend()) if isinstance(x, Scalar) else x for x in values]
    dtype = like.dtype if is_floating(like.dtype) else None
    return [cross(x, like._backend, like._data.device, dtype) if isinstance(x, Scalar) else x for x in values]


# NumPy's functions

ROW_OF = {
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "power": "pow",
    "negative": "neg",
    "absolute": "abs",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
    "invert": "bitwise_not",
}


def numpys_function(function: Any, method: str, inputs: Sequence[Any], options: dict[str, Any]) -> Any:
    """What ``np.exp(x)`` and ``array + x`` give: the row of the same name, which is recorded.

    What is no row is computed on the arrays, if no gradient is lost by it, and TypeError if one would be.
    """
    row = FUNCTIONS.get(ROW_OF.get(function.__name__, function.__name__))
    if row is not None and method == "__call__" and not options:
        kind = numpy_backend().tensor
        return row(*[x if isinstance(x, (Node, Real)) or backend_of(x) is None else kind._constant(x) for x in inputs])
    called = f"np.{function.__name__}{'' if method == '__call__' else f'.{method}'}"
    for x in inputs:
        if isinstance(x, Node):
            refuse(x, called)
            if x.requires_grad:
                why = "its result goes into an array" if "out" in options else "it is no operation of this package"
                raise TypeError(
                    f"{called} of {x._named()} that requires grad: {why}, and no gradient would find the way back. "
                    "Give it x.detach(), or write it with this package's functions."
                )
    result = getattr(function, method)(*[x._data if isinstance(x, Node) else x for x in inputs], **options)
    return result if "out" in options or backend_of(result) is None else numpy_backend().tensor._constant(result)


# Calls

ON_SCALARS = frozenset({"where", "lt", "le", "gt", "ge", "eq", "ne"})  # rows that give no tensor for scalars


def call(op: Op, *args: Any, **kwargs: Any) -> Any:
    """Call a row that has arguments of its own; of arrays alone the result is an array."""
    kwargs = renamed(kwargs)
    given = args[0] if args else None
    many = given if isinstance(given, (list, tuple)) else args
    like: Any = given if isinstance(given, Tensor) else next((x for x in many if isinstance(x, Tensor)), None)
    if like is None:
        return call_without_tensors(op, args, kwargs)
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
    if not MAY_BE_ARRAYS.isdisjoint(op.params):
        joined = leading(operands)
        like = like if joined is None else joined
        named = zip(op.params, params, strict=True)
        params = tuple(arrays_in(x, like, op.name) if name in MAY_BE_ARRAYS else x for name, x in named)
    if (
        len(operands) == 1
        and operands[0] is like
        and (op.name in KEEP_INTEGERS or like._data.dtype in like._backend.names["floats"])
    ):
        return apply(op, operands, params, type(like))
    return record_strictly(op, *operands, params=params)


def call_without_tensors(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`call` with scalars and numbers, or with arrays."""
    given: Any = args[0] if args else None
    joins = isinstance(given, (list, tuple))
    many = given if joins else args
    array = next((x for x in many if backend_of(x) is not None), None)
    if array is not None:
        kind = backend_of(array).tensor  # type: ignore[union-attr]

        def wrapped(x: Any) -> Any:
            return x if backend_of(x) is None else kind._constant(x)

        first = [wrapped(x) for x in many] if joins else wrapped(given)
        return call(op, first, *[wrapped(x) for x in args[1:]], **kwargs)._data
    if op.name in ON_SCALARS and not kwargs and all(isinstance(x, (Scalar, Real)) for x in args):
        from autodiff_lab.engine import choice

        return choice.where(*args) if op.name == "where" else getattr(operator, op.name)(*args)
    if any(isinstance(x, Scalar) for x in many):
        return call(op, *([with_tensors(many), *args[1:]] if joins else with_tensors(args)), **kwargs)
    wrong = "there is nothing to join: the list of tensors is empty. Give one tensor or more."
    if given != []:
        wrong = f"takes tensors, not {type(given).__name__}: {shortened(given)}. Make one with tensor()."
    raise TypeError(f"{op.name}: {wrong}")


def renamed(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments under PyTorch's names instead of NumPy's, whose own functions hand on that there is no ``out``."""
    for name in ("out", "dtype"):
        if name in kwargs and kwargs[name] is None:
            del kwargs[name]
    for old, new in (("axis", "dim"), ("keepdims", "keepdim")):
        if old in kwargs:
            kwargs[new] = kwargs.pop(old)
    return kwargs

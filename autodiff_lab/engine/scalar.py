"""The scalar node: one number. Its arithmetic is generated from the op table."""

from __future__ import annotations

from functools import partial
from numbers import Real

from autodiff_lab.engine import ops, rules
from autodiff_lab.engine.modes import INFERENCE, current, refuse, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.rules import CAREFUL, NODES, VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self

    from autodiff_lab.engine.ops import Op


class Scalar(Node):
    """A number that remembers how it was computed.

    ``Scalar(2.0)`` is a leaf and records what is done with it, unless ``requires_grad=False``. Its value ``data`` is a
    float64, a Python float, and may be assigned; ``grad`` is None until a backward sweep has reached the leaf, then a
    float, or a node after ``create_graph=True``. A text, a list, a complex number or a node raises TypeError.

    Where a real number has no answer the value is that of IEEE arithmetic, as in PyTorch: 1/0 is inf, log(-1) is nan.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # what the table generates; a test holds this list and the table equal

        def add(self, other: Scalar | float) -> Scalar: ...
        def __add__(self, other: Scalar | float) -> Scalar: ...
        def __radd__(self, other: Scalar | float) -> Scalar: ...
        def sub(self, other: Scalar | float) -> Scalar: ...
        def __sub__(self, other: Scalar | float) -> Scalar: ...
        def __rsub__(self, other: Scalar | float) -> Scalar: ...
        def mul(self, other: Scalar | float) -> Scalar: ...
        def __mul__(self, other: Scalar | float) -> Scalar: ...
        def __rmul__(self, other: Scalar | float) -> Scalar: ...
        def div(self, other: Scalar | float) -> Scalar: ...
        def __truediv__(self, other: Scalar | float) -> Scalar: ...
        def __rtruediv__(self, other: Scalar | float) -> Scalar: ...
        def pow(self, other: Scalar | float) -> Scalar: ...
        def __pow__(self, other: Scalar | float) -> Scalar: ...
        def __rpow__(self, other: Scalar | float) -> Scalar: ...
        def neg(self) -> Scalar: ...
        def __neg__(self) -> Scalar: ...
        def exp(self) -> Scalar: ...
        def log(self) -> Scalar: ...
        def sqrt(self) -> Scalar: ...
        def tanh(self) -> Scalar: ...
        def sigmoid(self) -> Scalar: ...
        def relu(self) -> Scalar: ...
        def sin(self) -> Scalar: ...
        def cos(self) -> Scalar: ...
        def erf(self) -> Scalar: ...
        def gelu(self) -> Scalar: ...
        def abs(self) -> Scalar: ...
        def __abs__(self) -> Scalar: ...
        def maximum(self, other: Scalar | float) -> Scalar: ...
        def minimum(self, other: Scalar | float) -> Scalar: ...
        def clone(self) -> Scalar: ...

    def __init__(self, data: float, requires_grad: bool = True) -> None:
        self._begin(as_float(data), requires_grad)

    @classmethod
    def _constant(cls, data: Any) -> Any:
        """A node that needs no gradient."""
        node = object.__new__(cls)
        node._begin(data, False)
        return node

    def item(self) -> float:
        """The value as a plain float."""
        refuse(self, "item()")
        return self.data  # type: ignore[no-any-return]

    def detach(self) -> Self:
        """A leaf with the same value that does not require grad."""
        node = type(self)(self.data, requires_grad=False)
        if state.trace is not None:
            state.trace.alias(node, self)
        return node

    def _as_adjoint(self, g: Any, create_graph: bool) -> Any:
        if create_graph:
            return g if isinstance(g, Scalar) else Scalar(g, requires_grad=False)
        return g.data if isinstance(g, Scalar) else as_float(g)

    def _accumulate(self, g: Any) -> None:
        before = self._grad
        if before is not None:
            g = before + g if isinstance(g, Scalar) else float(before) + g
        self._grad = g

    def _take(self, value: Any) -> None:
        if isinstance(value, Node) or not isinstance(value, Real):
            hint = "Write x.data = y.data for the value of a node" if isinstance(value, Node) else "Write float(…)"
            raise TypeError(
                f"the data of {self._named()} is a number, not a {type(value).__name__}: {value!r:.60}. {hint}."
            )
        self._data = float(value)

    def _checked_grad(self, value: Any) -> Any:
        if isinstance(value, Scalar):
            return value
        if isinstance(value, Real) and not isinstance(value, Node):
            return float(value)
        raise TypeError(
            f"the grad of {self._named()} is a number or None, not a {type(value).__name__}: {value!r:.60}. Write "
            "x.grad = None to clear it."
        )

    def __pos__(self) -> Self:
        return self

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return among_arrays().numpys_function(function, method, inputs, options)

    @property
    def __array__(self) -> Any:
        refuse(self, "np.asarray()")
        raise AttributeError  # to NumPy a node is an object like any other

    def __float__(self) -> float:
        refuse(self, "float()")
        return self.data  # type: ignore[no-any-return]

    def __int__(self) -> int:
        refuse(self, "int()")
        return int(self.data)

    def __index__(self) -> int:
        refuse(self, "an index")
        if self.data % 1:
            raise TypeError(f"{self!r} is not an integer, as an index or a size is. Write int(x).")
        return int(self.data)

    def __bool__(self) -> bool:
        refuse(self, "bool()")
        return bool(self.data != 0)

    def __repr__(self) -> str:
        if self.grad_fn is not None:
            return f"Scalar({self.data!r}, grad_fn={self.grad_fn})"
        return f"Scalar({self.data!r}{', requires_grad=True' if self.requires_grad else ''})"

    def __format__(self, spec: str) -> str:
        if spec:
            refuse(self, "format()")
        return format(self.data, spec) if spec else repr(self)

    # Comparisons are by value; a node still hashes by identity, so that graphs can be kept in sets and dicts.

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        if state.trace is not None:
            return compared("eq", self, other)
        value = value_of(other)
        return NotImplemented if value is None else self.data == value

    def __lt__(self, other: Scalar | float) -> bool:
        if state.trace is not None:
            return compared("lt", self, other)
        value = value_of(other)
        return NotImplemented if value is None else self.data < value

    def __le__(self, other: Scalar | float) -> bool:
        if state.trace is not None:
            return compared("le", self, other)
        value = value_of(other)
        return NotImplemented if value is None else self.data <= value

    def __gt__(self, other: Scalar | float) -> bool:
        if state.trace is not None:
            return compared("gt", self, other)
        value = value_of(other)
        return NotImplemented if value is None else self.data > value

    def __ge__(self, other: Scalar | float) -> bool:
        if state.trace is not None:
            return compared("ge", self, other)
        value = value_of(other)
        return NotImplemented if value is None else self.data >= value

    def __reduce__(self) -> tuple[Any, ...]:
        # A copied or unpickled node is a leaf: following the links would recurse, and copy a graph nobody asked for.
        refuse(self, "copying")
        return restore, (self.data, self.requires_grad, None if self.grad is None else float(self.grad))


def compared(name: str, a: Scalar, b: Any) -> bool:
    """A comparison while a program is traced: a node, if it is part of the program."""
    from autodiff_lab.engine import choice

    found: bool = choice.compared(name, a, b)
    return found


def restore(data: float, requires_grad: bool, grad: float | None) -> Scalar:
    """The leaf that copying and unpickling make."""
    node = Scalar(data, requires_grad)
    node._grad = grad
    return node


float64, float32, int64 = "float64", "float32", "int64"


def tensor(data: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Any:
    """A node from a number, a list of numbers or an array, as in PyTorch. It records only if asked to.

    data    one number gives a `Scalar`, unless a dtype but float64 or a device is asked for; anything else a `Tensor`.
            NumPy and torch arrays are copied and keep their dtype (`as_tensor` and `from_numpy` share their memory);
            floats in lists become float64
    dtype   text, NumPy's or torch's: "float32", numpy.float32, torch.float32
    device  "cpu", "cuda"; None for a NumPy array, and for a torch array where it is

    Raises TypeError for what is no number, RuntimeError for integers that shall require grad.
    """
    if isinstance(data, Real) and device is None and (dtype is None or str(dtype).endswith(float64)):
        return Scalar(float(data), requires_grad)
    from autodiff_lab.engine.tensor import make

    return make(data, dtype, requires_grad, device, copy=True)


def set_default_dtype(dtype: Any) -> None:
    """Accepts float64, which every scalar is, so that a snippet for PyTorch can ask for it; TypeError for another."""
    if not str(dtype).endswith(float64):
        raise TypeError(f"dtype {dtype}: a Scalar is always a float64, a Python float")


def as_float(data: Any) -> float:
    """The value of a number of any real type; TypeError for anything that is not one number."""
    if type(data) is float:
        return data
    if isinstance(data, Real):
        return float(data)
    shown = repr(data) if len(repr(data)) < 60 else f"{repr(data)[:57]}..."
    if isinstance(data, Node):
        hint = "is a node already. Use it as it is, or .detach() for its value without the graph."
    elif isinstance(data, str):
        hint = f"is a text, not a number. Write float({shown}) if it spells one."
    elif isinstance(data, complex):
        hint = "is complex. Use two nodes, for the real and the imaginary part."
    elif isinstance(data, (list, tuple)) or hasattr(data, "__array__"):
        hint = f"is a {type(data).__name__}; a Scalar holds one number. Make one node for each element."
    else:
        hint = f"is a {type(data).__name__}, not a number."
    raise TypeError(f"Scalar({shown}): {shown} {hint}")


def value_of(operand: object) -> float | None:
    """The value of a node or number; None for anything else."""
    if isinstance(operand, Scalar):
        return operand.data  # type: ignore[no-any-return]
    return float(operand) if isinstance(operand, Real) else None


def _not_for(op: Op, operand: Any) -> Any:
    """NotImplemented. A sequence, if it were asked, would repeat itself: a Scalar may be an index, and so a count."""
    if op.name == "mul" and isinstance(operand, (list, tuple, str, bytes, bytearray)):
        kind = type(operand).__name__
        raise TypeError(
            f"unsupported operand type(s) for *: 'Scalar' and {kind!r}. "
            f"Write [x * item for item in items] for products, or int(x) to repeat the {kind}."
        )
    return NotImplemented


def record(op: Op, x: Any, z: Any = None) -> Any:
    """Apply a row in any mode to any mixture of nodes and numbers: everything the generated methods do not write out.

    Returns NotImplemented for an operand that is neither, so that Python can ask the other operand.
    """
    mode = current()
    if type(x) is Scalar or isinstance(x, Scalar):
        a = x._data
        kind = "-" if x._rule is None else "a"  # see `rules.KINDS`
    elif type(x) is float or isinstance(x, Real):
        a, kind = float(x), "#"
    else:
        return _not_for(op, x)
    b: Any = None
    if op.arity == 2:
        if type(z) is Scalar or isinstance(z, Scalar):
            b = z._data
            kind += "-" if z._rule is None else "b"
        elif type(z) is float or isinstance(z, Real):
            b = float(z)
            kind += "#"
        else:
            return _not_for(op, z)
    node = blank()
    try:
        node._data = float(rules.forward(op)(None, a, b, None))
    except (ArithmeticError, ValueError):
        node._data = rules.evaluate_carefully(op, None, None, a, b, None)
    node._grad = node._rule = node._a = None
    node._b = mode.mark
    if mode.recording and kind in rules.WANTED:
        node._rule = rule = rules.rule(op, kind)
        if kind == "a#":
            node._a, node._number = x, z if type(z) is float or type(z) is int else b
        elif kind == "#b":
            node._a, node._number = z, x if type(x) is float or type(x) is int else a
        else:
            node._a, node._b = x, z
            if (kind == "a-" and z._b is INFERENCE) or (kind == "-b" and x._b is INFERENCE):
                refuse_inference(op, (x, z), rule.saves())
        if mode.hooks is not None:
            from autodiff_lab.engine.hooks import pack_saved

            pack_saved(node)
    if mode.observers or mode.trace is not None:
        operands = (x,) if op.arity == 1 else (x, z)
        for observe in mode.observers:
            observe(op.name, node, operands)
        if mode.trace is not None:
            mode.trace.note(op, operands, (), node)
    return node


def refuse_inference(op: Op, operands: Sequence[Any], saved: tuple[str, ...]) -> None:
    """RuntimeError if a row would have to save a node that was made in inference mode."""
    for letter, x in zip("ab", operands, strict=False):
        if letter in saved and isinstance(x, Node) and x.is_inference():
            raise RuntimeError(
                f"{op.name} would have to save {x._named()} for backward, but it was made in inference mode. Compute "
                "it outside inference_mode(), or under no_grad() instead."
            )


def record_strictly(op: Op, *operands: Any) -> Any:
    """`record` for a call by name, where there is nobody else to ask."""
    if len(operands) != op.arity:
        raise TypeError(f"{op.name}() takes {op.arity} operand{'s' * (op.arity > 1)}, not {len(operands)}")
    result = record(op, *operands)
    if result is NotImplemented:
        if any(hasattr(operand, "dtype") for operand in operands):
            return among_arrays().record_strictly(op, *operands)
        wrong = next(operand for operand in operands if value_of(operand) is None)
        raise TypeError(f"{op.name}() takes nodes and numbers, not {type(wrong).__name__}: {wrong!r}")
    return result


def among_arrays() -> Any:
    """The module that applies rows where there are arrays among the operands, which is loaded when it is needed."""
    from autodiff_lab.engine import record

    return record


def in_place_method(op: Op) -> Callable[[Scalar, Any], Any]:
    """The method for ``w -= step``: under no_grad it changes ``w``, as in PyTorch; else it makes a new node."""

    def method(self: Scalar, other: Any) -> Any:
        result = record(op, self, other)
        if result is NotImplemented:
            return result
        if not state.recording:
            if state.trace is not None:
                state.trace.refuse_change(self, result)
            self._data = result._data
            return self
        if self.is_leaf and self.requires_grad:
            raise RuntimeError(
                f"{op.name} in place on the leaf {self!r}: the name would stand for a computed node, and no gradient "
                "would arrive. Update a parameter under no_grad(); for a new node, write x = x + y, not x += y."
            )
        return result

    method.__name__ = f"__i{op.dunder[2:]}"
    method.__qualname__ = f"Scalar.{method.__name__}"
    return method


def detach(x: Any) -> Any:
    """The node's value as a leaf that does not require grad."""
    return x.detach()


FUNCTIONS: dict[str, Callable[..., Any]] = {"detach": detach}


def install(op: Op) -> None:
    """Give `Scalar` the methods of a row, and make the row a function."""
    if not op.on_numbers:
        return
    VALUES[f"op_{op.name}"] = op
    for kind in ("a",) if op.arity == 1 else ("ab", "a#", "#b"):
        rules.rule(op, kind)
    sources = {op.name: rules.method_source(op, op.name, "record_strictly")}
    if op.dunder:
        sources[op.dunder] = rules.method_source(op, op.dunder, "record")
    if op.reflected:
        sources[op.reflected] = rules.reflected_source(op)
    for name, source in sources.items():
        method = rules.compile_source(source, f"Scalar.{name}", VALUES)[name]
        method.__qualname__ = f"Scalar.{name}"
        method.__doc__ = f"{op.symbol}: {op.forward}"
        setattr(Scalar, name, method)
    if op.reflected:
        setattr(Scalar, f"__i{op.dunder[2:]}", in_place_method(op))

    def function(*operands: Any) -> Any:
        result = record_strictly(op, *operands)
        return result if any(isinstance(operand, Node) for operand in operands) else result.data

    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = f"{op.forward}, of nodes a node, of numbers a number."
    FUNCTIONS[op.name] = NODES[op.name] = function
    VALUES.setdefault(op.name, function)
    CAREFUL.setdefault(op.name, function)


blank = partial(object.__new__, Scalar)  # the cheapest way to a node without attributes
VALUES.update({"Scalar": Scalar, "blank": blank, "record": record, "record_strictly": record_strictly})
ops.on_new_row(install)

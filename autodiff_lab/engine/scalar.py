"""The scalar node: one object holds a value and its place in the graph. Its arithmetic is generated from the op table."""

from __future__ import annotations

from autodiff_lab.engine import backward as sweep
from autodiff_lab.engine import ops, rules
from autodiff_lab.engine.modes import state
from autodiff_lab.engine.rules import LEAF, NODES, VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from autodiff_lab.engine.grad_fn import GradFn
    from autodiff_lab.engine.hooks import RemovableHandle
    from autodiff_lab.engine.ops import Op

INFERENCE = "made in inference mode"
new = object.__new__


class Scalar:
    """A number that remembers how it was computed.

    ``Scalar(2.0)`` is a leaf; it records what is done with it unless ``requires_grad=False``. The value is a float64 (a Python float).
    ``data`` may be assigned; ``grad`` is None until `backward` has reached the node, then a float, or a node after ``create_graph=True``.

    A text, a list, a complex number or another node raise TypeError.
    """

    # One object a node, no cycles: `_rule` is None (needs no gradient), LEAF, or the rule of the op; `_a` and `_b` are the nodes it was
    # computed from, `_number` the operand that is no node, if there is one. No state of a sweep is kept here.
    __slots__ = ("__weakref__", "_a", "_b", "_number", "_rule", "data", "grad")
    __array_ufunc__ = None  # NumPy leaves a mixed operation to the methods here

    data: float
    grad: Any
    _rule: Any
    _a: Any
    _b: Any
    _number: Any

    def __init__(self, data: float, requires_grad: bool = True) -> None:
        self.data = as_float(data)
        self.grad = None
        self._rule = LEAF if requires_grad else None
        self._a = None
        self._b = None
        if state.inference:
            self._number = INFERENCE

    # What the node is

    @property
    def requires_grad(self) -> bool:
        """Whether a backward sweep brings an adjoint here. May be set on a leaf."""
        return self._rule is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not self.is_leaf:
            if value:
                return
            raise RuntimeError(
                f"requires_grad of a {self.op} node cannot be switched off: it was computed from nodes that require grad. "
                "Use y = y.detach() for its value without the graph."
            )
        self._rule = (self._rule or LEAF) if value else None

    def requires_grad_(self, requires_grad: bool = True) -> Scalar:
        """Set `requires_grad` and return the node itself."""
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the node was given, not computed (a result that needs no gradient counts as given)."""
        return self._rule is None or self._rule.op is None

    @property
    def op(self) -> str:
        """The row of the table that computed the node; "" for a leaf."""
        return "" if self.is_leaf else self._rule.op.name

    @property
    def operands(self) -> tuple[Any, ...]:
        """What the op was applied to, nodes and numbers in order. Empty for a leaf, and once a backward sweep has freed the graph."""
        if self.is_leaf or self._a is sweep.FREED:
            return ()
        kind = self._rule.kind
        if kind == "#b":
            return self._number, self._a
        if kind == "a#":
            return self._a, self._number
        return (self._a,) if self._b is None else (self._a, self._b)

    @property
    def grad_fn(self) -> GradFn | None:
        """The step of the backward graph that belongs to the node, as PyTorch shows it; None for a leaf."""
        from autodiff_lab.engine.grad_fn import GradFn

        return None if self.is_leaf else GradFn(self)

    def is_inference(self) -> bool:
        """Whether the node was made in `inference_mode`."""
        return self._rule is None and getattr(self, "_number", None) is INFERENCE

    # Values

    def item(self) -> float:
        """The value as a plain float."""
        return self.data

    def __float__(self) -> float:
        return self.data

    def __int__(self) -> int:
        return int(self.data)

    def __bool__(self) -> bool:
        return self.data != 0

    def __repr__(self) -> str:
        if self.is_leaf:
            return f"Scalar({self.data!r}, requires_grad=True)" if self.requires_grad else f"Scalar({self.data!r})"
        return f"Scalar({self.data!r}, grad_fn={self.grad_fn})"

    def __format__(self, spec: str) -> str:
        return format(self.data, spec) if spec else repr(self)

    # Comparisons are by value; a node still hashes by identity, so that graphs can be kept in sets and dicts.

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        value = value_of(other)
        return NotImplemented if value is None else self.data == value

    def __lt__(self, other: Scalar | float) -> bool:
        value = value_of(other)
        return NotImplemented if value is None else self.data < value

    def __le__(self, other: Scalar | float) -> bool:
        value = value_of(other)
        return NotImplemented if value is None else self.data <= value

    def __gt__(self, other: Scalar | float) -> bool:
        value = value_of(other)
        return NotImplemented if value is None else self.data > value

    def __ge__(self, other: Scalar | float) -> bool:
        value = value_of(other)
        return NotImplemented if value is None else self.data >= value

    # The graph

    def backward(
        self, gradient: Scalar | float | None = None, retain_graph: bool | None = None, create_graph: bool = False
    ) -> None:
        """Add this node's derivative with respect to every leaf to the leaf's ``grad``.

        gradient      the adjoint to begin with, 1 if left out
        retain_graph  keep the links, so that the graph can be swept again; left out, as ``create_graph``
        create_graph  record the sweep itself, so that the gradients can be differentiated

        Raises RuntimeError if the node does not require grad, or if a sweep has already freed part of the graph.
        """
        sweep.backward(self, gradient, retain_graph, create_graph)

    def detach(self) -> Scalar:
        """A leaf with the same value that does not require grad."""
        return Scalar(self.data, requires_grad=False)

    def retain_grad(self) -> None:
        """Keep the ``grad`` of a node that is not a leaf when a sweep passes it."""
        from autodiff_lab.engine.hooks import retain_grad

        retain_grad(self)

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``hook(adjoint)`` when a sweep has the node's whole adjoint; what it returns, unless None, takes the adjoint's place.

        Returns a handle whose ``remove()`` takes the hook off again.
        """
        from autodiff_lab.engine.hooks import register_hook

        return register_hook(self, hook)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copying and pickling keep the value and drop the graph: following the links would recurse, and would copy what nobody asked for.
        grad = None if self.grad is None else float(self.grad)
        return restore, (self.data, self.requires_grad, grad)


def restore(data: float, requires_grad: bool, grad: float | None) -> Scalar:
    """A copied or unpickled node: a leaf."""
    node = Scalar(data, requires_grad)
    node.grad = grad
    return node


def tensor(data: float, *, requires_grad: bool = False) -> Scalar:
    """A node from a number, as in PyTorch; unlike `Scalar` it records only if asked to."""
    return Scalar(data, requires_grad)


def as_float(data: Any) -> float:
    """The value of a number of any real type; TypeError for what is not one number."""
    if type(data) is float:
        return data
    from numbers import Real

    if isinstance(data, Real):
        return float(data)
    shown = repr(data) if len(repr(data)) < 60 else repr(data)[:57] + "..."
    if isinstance(data, Scalar):
        raise TypeError(
            f"Scalar({shown}): this is a node already; use it as it is, or .detach() for its value without the graph."
        )
    if isinstance(data, str):
        raise TypeError(f"Scalar({shown}): a text is not a number; write Scalar(float({shown})) if it spells one.")
    if isinstance(data, complex):
        raise TypeError(
            f"Scalar({shown}): complex numbers are not supported; use two nodes, for the real and the imaginary part."
        )
    if isinstance(data, (list, tuple)) or hasattr(data, "__array__"):
        raise TypeError(
            f"Scalar({shown}): a Scalar holds one number, not {type(data).__name__}; make one node for each element."
        )
    raise TypeError(f"Scalar({shown}): expected a number, not {type(data).__name__}.")


def value_of(other: object) -> float | None:
    """The value of a node or number; None for anything else."""
    if type(other) is Scalar:
        return other.data
    from numbers import Real

    return float(other) if isinstance(other, Real) else None


def record(op: Op, *operands: Any) -> Any:
    """Apply a row in any mode to any mixture of nodes and numbers: what the generated methods leave to this function.

    Returns NotImplemented for an operand that is neither, so that Python can ask the other operand.
    """
    nodes = [type(operand) is Scalar for operand in operands]
    values = [value_of(operand) for operand in operands]
    if None in values:
        return NotImplemented
    a, b = values if op.arity == 2 else (values[0], None)
    node: Scalar = new(Scalar)
    try:
        node.data = rules.formula(op, None, VALUES)(None, a, b, None)
    except (ArithmeticError, ValueError):
        node.data = rules.careful(op.name, None, None, a, b, None)
    node.grad = node._rule = node._a = node._b = None
    wants = [is_node and operand._rule is not None for is_node, operand in zip(nodes, operands, strict=True)]
    if state.inference:
        node._number = INFERENCE
    if not state.recording or not any(wants):
        return node
    for operand, is_node, name in zip(operands, nodes, "ab", strict=False):
        if is_node and name in op.saves and operand.is_inference():
            raise RuntimeError(
                f"{op.name} would have to save {operand!r} for backward, but it was made in inference mode. "
                "Compute it outside inference_mode(), or use no_grad() there."
            )
    if op.arity == 1:
        kind = "a"
    elif all(nodes):
        kind = "".join(name if want else "-" for name, want in zip("ab", wants, strict=True))
    else:
        kind = "a#" if nodes[0] else "#b"
        number = operands[nodes.index(False)]
        node._number = number if type(number) in (int, float) else float(number)
    links = [operand for operand, is_node in zip(operands, nodes, strict=True) if is_node]
    node._a = links[0]
    node._b = links[1] if len(links) == 2 else None
    node._rule = rules.rule(op, kind)
    if state.hooks is not None:
        from autodiff_lab.engine.hooks import save

        node._rule = save(node, state.hooks)
    return node


def record_strictly(op: Op, *operands: Any) -> Any:
    """`record` for a call by name, where nobody else can be asked."""
    result = record(op, *operands)
    if result is NotImplemented:
        wrong = next(operand for operand in operands if value_of(operand) is None)
        raise TypeError(f"{op.name}() takes nodes and numbers, not {type(wrong).__name__}: {wrong!r}")
    return result


VALUES.update({"Scalar": Scalar, "new": new, "record": record, "record_strictly": record_strictly})

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def install(op: Op) -> None:
    """Give `Scalar` the methods of a row, and make its module function."""
    VALUES[f"op_{op.name}"] = op
    for kind in ("a",) if op.arity == 1 else ("ab", "a#", "#b"):
        rules.rule(op, kind)
    for name, source in rules.forward_sources(op):
        method = rules.compile_source(source, f"Scalar.{name}", VALUES)[name]
        method.__qualname__ = f"Scalar.{name}"
        method.__doc__ = f"{op.symbol}: {op.forward}"
        setattr(Scalar, name, method)
    FUNCTIONS[op.name] = NODES[op.name] = function_of(op)


def function_of(op: Op) -> Callable[..., Any]:
    """The row as a function: of nodes gives a node, of numbers a number."""

    def apply(*operands: Any) -> Any:
        if len(operands) != op.arity:
            raise TypeError(f"{op.name}() takes {op.arity} operand{'s' * (op.arity > 1)}, not {len(operands)}")
        if any(type(operand) is Scalar for operand in operands):
            return record_strictly(op, *operands)
        return record_strictly(op, *operands).data

    apply.__name__ = apply.__qualname__ = op.name
    apply.__doc__ = f"{op.forward}"
    return apply


ops.on_new_row(install)

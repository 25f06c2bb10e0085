"""Transformations of functions: gradients and products with the Jacobian, in reverse and in forward mode.

A function takes and returns scalars, or tensors. Given plain numbers or arrays a transformation returns plain floats or
arrays; given nodes that require grad it returns nodes, so that transformations can be nested: ``grad(grad(f))(2.0)`` is
the second derivative.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import wraps
from itertools import product
from numbers import Real

from autodiff_lab.engine import derivatives, rules
from autodiff_lab.engine.backward import topological_order
from autodiff_lab.engine.modes import differentiated, enable_grad, no_grad, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import TABLE
from autodiff_lab.engine.rules import NODES
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar
from autodiff_lab.engine.tensor import make, zero_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


def value_and_grad(f: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """A function that returns ``f``'s value and its derivative with respect to argument ``argnums``.

    A tuple of positions gives a tuple of derivatives. The other arguments are passed on as they
    are. Raises TypeError if ``f`` does not return one scalar.
    """
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    check_function("grad", f)
    if not all(isinstance(number, int) for number in numbers):
        raise TypeError(f"grad: argnums is a position or a tuple of them, counted from 0, not {argnums!r}")

    @wraps(f)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        for number in numbers:
            if not -len(args) <= number < len(args):
                raise ValueError(
                    f"argnums={number}, but {name_of(f)} was called with {len(args)} positional arguments. Positions "
                    "are counted from 0, and an argument given by name has none."
                )
        record = any(needs_grad(args[number]) for number in numbers)
        inputs = [as_input(args[number]) for number in numbers]
        given = list(args)
        for number, x in zip(numbers, inputs, strict=True):
            given[number] = x
        with recorded():
            y = one_number(f, f(*given, **kwargs))
            slopes = slopes_of([y], inputs, [None], record)
        value = y if record else y._data
        return value, slopes[0] if isinstance(argnums, int) else tuple(slopes)

    return transformed


def grad(f: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """A function that returns the derivative of ``f`` with respect to argument ``argnums``.

    A tuple of positions gives a tuple of derivatives. Raises TypeError if ``f`` does not return one scalar.
    """
    both = value_and_grad(f, argnums)

    @wraps(f)
    def transformed(*args: Any, **kwargs: Any) -> Any:
        return both(*args, **kwargs)[1]

    return transformed


def vjp(f: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., tuple[Any, ...]]]:
    """``f``'s value at ``primals``, and the function from an adjoint of it to those of the primals (reverse mode).

    If ``f`` returns a tuple, the value and the adjoint are tuples. The function may be called more than once.
    """
    record = any(needs_grad(x) for x in primals)
    inputs = [as_input(x) for x in primals]
    with recorded():
        result = f(*inputs)
    several = isinstance(result, (list, tuple))
    outputs = [one_node(f, y) for y in (result if several else [result])]

    def pullback(adjoint: Any) -> tuple[Any, ...]:
        seeds = list(adjoint) if several and isinstance(adjoint, (list, tuple)) else [adjoint]
        if len(seeds) != len(outputs):
            raise ValueError(
                f"{name_of(f)} returned {len(outputs)} values, but the pullback was given {len(seeds)} adjoints. Give "
                "a tuple with one for each."
            )
        return tuple(slopes_of(outputs, inputs, seeds, record))

    values = tuple(outputs) if record else tuple(y._data for y in outputs)
    return (values if several else values[0]), pullback


def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """``f``'s value at ``primals`` and its derivative in the direction of ``tangents`` (forward mode).

    ``primals`` and ``tangents`` are tuples of the same length. If ``f`` returns a tuple, both results are tuples.
    """
    check_function("jvp", f)
    if not isinstance(primals, (list, tuple)) or not isinstance(tangents, (list, tuple)):
        given = f"{primals!r:.60} and {tangents!r:.60}"
        raise TypeError(f"jvp: primals and tangents are tuples, not {given}. Write jvp(f, (x,), (t,)).")
    if len(primals) != len(tangents):
        raise ValueError(
            f"jvp: {len(primals)} primals but {len(tangents)} tangents; there is one tangent for each primal"
        )
    record = any(needs_grad(x) for x in (*primals, *tangents))
    inputs = [as_input(x) for x in primals]
    with recorded():
        result = f(*inputs)
        several = isinstance(result, (list, tuple))
        outputs = [one_node(f, y) for y in (result if several else [result])]
        pushed = push(outputs, dict(zip(inputs, tangents, strict=True)), record)
    values = tuple(outputs) if record else tuple(y._data for y in outputs)
    return (values, tuple(pushed)) if several else (values[0], pushed[0])


def push(roots: list[Any], tangents: dict[Any, Any], record: bool) -> list[Any]:
    """The tangents of ``roots``, given those of leaves, by way of every node in the order of computation.

    The rows have no formulas of their own for this. An adjoint formula is ``g`` times a derivative, and for scalars it
    does not matter from which side one multiplies: with an operand's tangent in the place of ``g`` it gives that
    operand's share of the result's tangent.
    """
    for node in topological_order(*roots):
        if node.is_leaf or node in tangents:
            continue
        if not isinstance(node, Scalar) or node.op not in TABLE:
            tangents[node] = push_through(node, tangents, record)
            continue
        rule: Any = node._rule
        a, b = (*node.operands, None)[:2]
        total: Any = 0.0
        for position, x in enumerate(node.operands):
            if x not in tangents:
                continue
            if record:
                share = rules.formula(rule.op, position, NODES)(tangents[x], a, b, node)
            else:
                share = rules.evaluate(rule.op, position, float(tangents[x]), *rule.values(node))
            total = total + share
        tangents[node] = total
    return [as_given(tangents.get(root, 0.0), root, record) for root in roots]


def push_through(node: Any, tangents: dict[Any, Any], record: bool) -> Any:
    """The tangent of a node, given those of its operands.

    The adjoint formulas are linear in ``g``, and what is wanted is the transposed of that linear map. So it is
    recorded, with an adjoint that requires grad, and swept: the share's derivative with respect to the adjoint.
    """
    total = zero_like(node)
    if state.trace is not None and node.op not in TABLE and not isinstance(node, Scalar):
        value = node.detach()  # how many steps a loop makes, and with that the shape, is known when the program runs
        total = (value < value).to(node.dtype)
    g = total.detach().requires_grad_()
    for x, share in node._rule.shares(g, node):
        if x in tangents and share.requires_grad:
            tangent = x._as_adjoint(tangents[x], True)
            total = total + derivatives.grad(share, g, tangent, retain_graph=True, create_graph=record)[0]
    return total


def jacobian(f: Callable[..., Any], *primals: Any) -> Any:
    """The derivatives of each value that ``f`` returns (a row) with respect to each primal (a column), in a matrix.

    Where tensors or arrays take part an entry has the shape of the value followed by that of the primal; of one value
    and one primal the result is that entry itself, as in PyTorch.
    """
    values, pullback = vjp(f, *primals)
    several = isinstance(values, tuple)
    outputs = [one_node(f, y) for y in (values if several else (values,))]
    numbers = [isinstance(as_input(x), Scalar) for x in primals]
    matrix = []
    for k, y in enumerate(outputs):
        rows = []
        for position in positions(y):
            seeds = [one_at(other, position if i == k else None) for i, other in enumerate(outputs)]
            rows.append(pullback(seeds if several else seeds[0]))
        matrix.append([entry([row[i] for row in rows], y, number) for i, number in enumerate(numbers)])
    alone = not several and len(primals) == 1 and not (numbers[0] and isinstance(outputs[0], Scalar))
    return matrix[0][0] if alone else matrix


def positions(x: Any) -> Iterator[tuple[int, ...]]:
    """Where the elements of a node are; a scalar has one, at ()."""
    return product(*(range(n) for n in (() if isinstance(x, Scalar) else x.shape)))


def one_at(y: Any, position: tuple[int, ...] | None) -> Any:
    """The adjoint of ``y`` that is 1 at one position (None: nowhere), else 0."""
    if isinstance(y, Scalar):
        return 0.0 if position is None else 1.0
    seed = y._constant(y._backend.names["zeros_like"](y._data)).reshape(-1)
    if position is not None:
        with no_grad():
            seed[list(positions(y)).index(position)] = 1
    return seed.reshape(y.shape)


def entry(rows: list[Any], y: Any, number: bool) -> Any:
    """The derivatives of the elements of ``y`` with respect to one primal, as one array."""
    if isinstance(y, Scalar):
        return rows[0]
    like = y.detach()
    parts = [x if hasattr(x, "dtype") else like.sum() * 0 + x for x in rows] if number else rows
    joined = FUNCTIONS["stack"](parts) if parts else like
    return joined.reshape((*y.shape, *joined.shape[1:])) if parts else joined


def hvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, tuple[Any, ...]]:
    """``f``'s value and the product of its Hessian with ``tangents``, by forward mode over reverse mode.

    Costs a few sweeps, however many primals there are.
    """

    def slopes(*args: Any) -> tuple[Any, ...]:
        result: tuple[Any, ...] = value_and_grad(f, tuple(range(len(args))))(*args)
        return result[0], *result[1]

    values, products = jvp(slopes, primals, tangents)
    return values[0], tuple(products[1:])


def hessian(f: Callable[..., Any], *primals: Any) -> Any:
    """The second derivatives of ``f``, which returns one scalar, at ``primals``: a matrix, as from `jacobian`."""
    numbers = tuple(range(len(primals)))
    if all(isinstance(as_input(x), Scalar) for x in primals):
        return [list(hvp(f, primals, [float(i == row) for i in numbers])[1]) for row in numbers]
    return jacobian(grad(f, 0 if len(primals) == 1 else numbers), *primals)


@contextmanager
def recorded() -> Iterator[None]:
    """While a function is differentiated: what programs compute of numbers and arrays may depend on its arguments."""
    token = differentiated.set(True)
    try:
        with enable_grad():
            yield
    finally:
        differentiated.reset(token)


def needs_grad(x: Any) -> bool:
    """Whether ``x`` is a node that requires grad."""
    return isinstance(x, Node) and x.requires_grad


def as_input(x: Any) -> Any:
    """A node of its own for an argument: a leaf for a number or array, a node over it for a node that requires grad."""
    if needs_grad(x):
        with enable_grad():
            return x.clone()
    if isinstance(x, Scalar):
        return Scalar(x._data)
    if hasattr(x, "dtype") and not isinstance(x, Real):
        return make(x, requires_grad=True)
    if isinstance(x, (list, tuple)):
        given = f"{x!r:.60} is a {type(x).__name__}"
        raise TypeError(f"{given}; derivatives are with respect to numbers and arrays. Write tensor(…) of it.")
    return Scalar(x)


def check_function(name: str, f: Any) -> None:
    """TypeError if ``f`` is no function."""
    if not callable(f):
        raise TypeError(f"{name} takes a function and gives its derivative; {f!r:.60} is a {type(f).__name__}")


def one_node(f: Callable[..., Any], y: Any) -> Any:
    """The result of ``f`` as a node; TypeError if it is no node, number or array."""
    if isinstance(y, Node):
        return y
    if hasattr(y, "dtype") and not isinstance(y, Real):
        return as_input(y).detach()
    try:
        return Scalar(y, requires_grad=False)
    except TypeError:
        shown = f"{type(y).__name__}, {y!r:.60}"
        raise TypeError(f"{name_of(f)} returned {shown}; expected one scalar, or a tensor or array") from None


def one_number(f: Callable[..., Any], y: Any) -> Any:
    """`one_node`, of one element: TypeError for a tensor of more."""
    node = one_node(f, y)
    if not isinstance(node, Scalar) and node.numel() != 1:
        raise TypeError(
            f"{name_of(f)} returned a tensor of shape {node.shape}; expected one scalar. "
            "Reduce it, as with sum(), or use vjp, jvp or jacobian."
        )
    return node


def as_given(g: Any, x: Any, record: bool) -> Any:
    """An adjoint or tangent of ``x``, 0 if there is none: a node if ``record``, else a float or an array."""
    if isinstance(x, Scalar):
        return (g if isinstance(g, Node) else Scalar(g, requires_grad=False)) if record else float(g)
    if isinstance(g, float):
        g = zero_like(x)
    return g if record else g._data


def slopes_of(outputs: Sequence[Any], inputs: Sequence[Any], seeds: Sequence[Any], record: bool) -> list[Any]:
    """Adjoints of ``inputs``, 0 for those that nothing depends on: nodes if ``record``, else floats and arrays."""
    found = derivatives.adjoints_of(inputs, outputs, seeds, create_graph=record)
    return [as_given(0.0 if g is None else g, x, record) for g, x in zip(found, inputs, strict=True)]


def name_of(f: Any) -> str:
    """What to call ``f`` in a message."""
    return str(getattr(f, "__name__", "the function"))

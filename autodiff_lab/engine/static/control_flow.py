"""Control flow that a program keeps: a choice, a loop of unknown length, a loop over the parts of a tensor.

Outside of tracing these are Python's own ``if``, ``while`` and ``for``. While a function is traced, and the choice
depends on its arguments, the branches and bodies are traced too, and become programs inside the instruction. What they
find outside of their arguments is handed to them as additional inputs.

Their derivatives are control flow again: of a choice the choice between the branches' pullbacks, of a loop the loop
backwards over the pullbacks of its body, for which the values on the way forward are computed once more.
"""

from __future__ import annotations

import inspect
import operator

from autodiff_lab.engine.backend import numpy_backend
from autodiff_lab.engine.crossing import cross, to_scalar
from autodiff_lab.engine.derivatives import adjoints_of
from autodiff_lab.engine.function import computed_by
from autodiff_lab.engine.modes import enable_grad, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import Op
from autodiff_lab.engine.rules import LEAF
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar
from autodiff_lab.engine.static.passes import dead_code
from autodiff_lab.engine.static.program import Program, Var, as_node, example, special, zero_of
from autodiff_lab.engine.static.trace import TraceError, trace
from autodiff_lab.engine.structures import leaves, substitute, unflatten
from autodiff_lab.engine.tensor import make, zero_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Sequence[Any] = ()) -> Any:
    """``true_fn(*operands)`` if ``pred``, else ``false_fn(*operands)``; in a program both, and one of them is run.

    pred      a node or number: whether it is true
    operands  nodes and numbers, also in lists, tuples and dicts

    Both functions return the same structure of the same shapes and dtypes; else TraceError, while tracing.
    """
    if not isinstance(operands, (list, tuple)):
        raise TypeError(f"cond: operands are given in a tuple, not as a {type(operands).__name__}: write (x,)")
    if not depends(pred):
        return (true_fn if pred else false_fn)(*operands)
    (first, second), given = closed([true_fn, false_fn], tuple(operands))
    types = [(shape_of(program.outputs), [text(x) for x in leaves(program.outputs)]) for program in (first, second)]
    if types[0] != types[1]:
        raise TraceError(
            f"cond: the first function returns {', '.join(types[0][1])} and the second {', '.join(types[1][1])}; in a "
            "program both return the same structure of the same types"
        )

    def backward(adjoints: list[Any]) -> Any:
        gs = with_zeros(adjoints, first.outputs)
        return cond(pred, lambda xs, gs: pullback(first, xs, gs), lambda xs, gs: pullback(second, xs, gs), (given, gs))

    return emit(COND, (pred,), (first, second, given), first.outputs, given, backward)


def while_loop(
    cond_fn: Callable[..., Any],
    body_fn: Callable[..., Any],
    carried_inputs: Sequence[Any],
    additional_inputs: Sequence[Any] = (),
) -> Any:
    """While ``cond_fn(*carried)``, ``carried = body_fn(*carried)``; returns the last ``carried``, a tuple.

    carried_inputs     a tuple of nodes and numbers, also in lists, tuples and dicts
    additional_inputs  further arguments of both functions, the same in each step

    ``body_fn`` returns a tuple of the same structure, shapes and dtypes as it is given; else TraceError, while tracing.
    """
    carried, fixed = tuple(carried_inputs), tuple(additional_inputs)
    if not depends(cond_fn(*carried, *fixed)):
        return loop(cond_fn, body_fn, carried, fixed, [])
    (test, body), given = closed([cond_fn, body_fn], (*carried, *fixed))
    carried, fixed = given[: len(carried)], given[len(carried) :]
    same_carry("while_loop", body.inputs[: len(carried)], body.outputs)

    def backward(adjoints: list[Any]) -> Any:
        return backwards(body, carried, fixed, while_history(test, body, carried, fixed), adjoints, [])

    return emit(WHILE, (), (test, body, carried, fixed), body.outputs, given, backward)


def while_history(cond_fn: Any, body_fn: Any, carried_inputs: Any, additional_inputs: Any = ()) -> tuple[Any, ...]:
    """What `while_loop` carries into each of its steps, stacked: a tuple of tensors."""
    carried, fixed = tuple(carried_inputs), tuple(additional_inputs)
    if not depends(cond_fn(*carried, *fixed)):
        seen: list[Any] = []
        loop(cond_fn, body_fn, carried, fixed, seen)
        return stacked(seen, [Var.of("", as_operand(x)) for x in leaves(carried)])
    (test, body), given = closed([cond_fn, body_fn], (*carried, *fixed))
    carried, fixed = given[: len(carried)], given[len(carried) :]

    def backward(adjoints: list[Any]) -> Any:
        nothing = [None] * len(adjoints)
        return backwards(body, carried, fixed, while_history(test, body, carried, fixed), nothing, adjoints)

    types = tuple(sequence(x, 1) for x in leaves(body.outputs))
    stacks: tuple[Any, ...] = emit(HISTORY, (), (test, body, carried, fixed), types, given, backward)
    return stacks


def loop(cond_fn: Any, body_fn: Any, carried: Any, fixed: Any, seen: list[Any]) -> Any:
    """Python's loop; what is carried into each step goes into ``seen``."""
    while cond_fn(*carried, *fixed):
        seen.append(tuple(leaves(carried)))
        carried = returned(body_fn(*carried, *fixed), len(carried), "while_loop")
    return carried


def backwards(body: Program, carried: Any, fixed: Any, before: Any, last: list[Any], each: list[Any]) -> list[Any]:
    """The adjoints of what a loop carries and of its additional inputs.

    before  what was carried into each step, stacked
    last    the adjoints of what was carried out of the last one
    each    adjoints of what was carried into each step, stacked
    """
    flat = list(leaves(carried))
    moving = [x for x in flat if differentiable(x)]
    last = [zero_like(x) if g is None else g for g, x in zip(last, flat, strict=True) if differentiable(x)]
    extra = {
        i: g for i, g in enumerate(g for g, x in zip(each, flat, strict=False) if differentiable(x)) if g is not None
    }

    def step(sums: Any, parts: Any) -> tuple[Any, Any]:
        values, more = parts
        inputs = (*unflatten(carried, [like(x, kind) for x, kind in zip(values, flat, strict=True)]), *fixed)
        found = list(pullback(body, inputs, sums[: len(moving)]))
        for i, g in zip(extra, more, strict=True):
            found[i] = found[i] + like(g, moving[i])
        return (*found[: len(moving)], *added(sums[len(moving) :], found[len(moving) :])), ()

    start = (*last, *(zero_like(x) for x in leaves(fixed) if differentiable(x)))
    return list(scan(step, start, (before, list(extra.values())), reverse=True)[0])


def scan(
    combine_fn: Callable[..., Any], init: Any, xs: Any, additional_inputs: Sequence[Any] = (), *, reverse: bool = False
) -> tuple[Any, Any]:
    """``carry, y = combine_fn(carry, x)`` along the first dimension; returns the carry and the stacked ys.

    init               the first carry: a node or number, or a structure of them
    xs                 a tensor, or a structure of tensors with one first size; ``x`` has the structure of their parts
    additional_inputs  further arguments of the function, the same in each step
    reverse            go from the last part to the first; the ys are stacked in the order of the xs in any case

    ``combine_fn`` returns a carry of the same structure, shapes and dtypes as it is given; else TraceError, while
    tracing. ValueError if the xs do not have one first size.
    """
    fixed = tuple(additional_inputs)
    shapes = [tuple(getattr(x, "shape", ())) for x in leaves(xs)]
    if not shapes or () in shapes or len({shape[0] for shape in shapes}) > 1:
        raise ValueError(
            f"scan: xs of shapes {', '.join(map(str, shapes)) or 'nothing'}; it goes along the first dimension, which "
            "all of them have in the same size"
        )
    if not any(depends(x) for x in leaves((init, xs, fixed))):
        return scanned(combine_fn, init, xs, fixed, reverse)
    sample = substitute(one_part, xs)
    (body,), given = closed([combine_fn], (init, sample, *fixed))
    init, xs, fixed = given[0], substitute(as_operand, xs), given[2:]
    if not isinstance(body.outputs, tuple) or len(body.outputs) != 2:
        raise TraceError("scan: the function returns (carry, y)")
    same_carry("scan", body.inputs[0], body.outputs[0])
    carries, alongs, frees = ([x for x in leaves(part) if differentiable(x)] for part in (init, xs, fixed))
    flat, ys = list(leaves(init)), list(leaves(body.outputs[1]))

    def forward(carry: Any, x: Any) -> tuple[Any, Any]:
        return body(carry, x, *fixed)[0], tuple(leaves(carry))

    def backward(adjoints: list[Any]) -> Any:
        _, before = scan(forward, init, xs, reverse=reverse)
        last, arrived = adjoints[: len(flat)], adjoints[len(flat) :]
        told = {i: g for i, g in enumerate(arrived) if g is not None}

        def back(sums: Any, parts: Any) -> tuple[Any, Any]:
            values, x, gs = parts
            carry = unflatten(init, [like(v, kind) for v, kind in zip(values, flat, strict=True)])
            here = dict(zip(told, gs, strict=True))
            shares = [like(here[i], y) if i in here else zero_of(y) for i, y in enumerate(ys) if is_float(y)]
            found = pullback(body, (carry, x, *fixed), (*sums[: len(carries)], *shares))
            own, mine, rest = split(found, len(carries), len(alongs))
            return (*own, *added(sums[len(carries) :], rest)), mine

        start = [zero_like(x) if g is None else g for g, x in zip(last, flat, strict=True) if differentiable(x)]
        start += [zero_like(x) for x in frees]
        sums, mine = scan(back, tuple(start), (before, xs, list(told.values())), reverse=not reverse)
        return [*sums[: len(carries)], *mine, *sums[len(carries) :]]

    types = body.outputs[0], substitute(lambda x: sequence(x, shapes[0][0]), body.outputs[1])
    made: tuple[Any, Any] = emit(SCAN, (), (body, init, xs, fixed, reverse), types, (init, xs, fixed), backward)
    return made


def one_part(x: Any) -> Any:
    """An example of the parts of a tensor along its first dimension."""
    return example(sequence(Var.of("", as_operand(x)), None))


def scanned(combine_fn: Any, carry: Any, xs: Any, fixed: Any, reverse: bool) -> tuple[Any, Any]:
    """Python's loop."""
    xs = substitute(as_operand, xs)
    size = next(leaves(xs)).shape[0]
    ys: list[Any] = []
    for i in range(size - 1, -1, -1) if reverse else range(size):
        part = substitute(operator.itemgetter(i), xs)
        carry, y = returned(combine_fn(carry, part, *fixed), 2, "scan")
        ys.append(y)
    if not ys:  # what they would be, only the function knows
        if not isinstance(combine_fn, Program):
            combine_fn = trace(combine_fn, carry, substitute(one_part, xs), *fixed)
        return carry, substitute(lambda x: as_operand(example(sequence(x, 0))), combine_fn.outputs[1])
    order = ys[::-1] if reverse else ys
    columns = stacked([tuple(leaves(y)) for y in order], [Var.of("", as_operand(y)) for y in leaves(ys[0])])
    return carry, unflatten(ys[0], columns)


# Programs of branches and bodies


def closed(fns: list[Any], args: tuple[Any, ...]) -> tuple[list[Program], tuple[Any, ...]]:
    """Functions of the same arguments as programs that capture nothing.

    What they captured are further arguments, the same of all. Returns these arguments too, as nodes.
    """
    args = substitute(as_operand, args)
    traced = [dead_code(trace(fn, *args)) for fn in fns]
    found = tuple(dict.fromkeys(node for program in traced for node in program.captured.values()))
    programs = []
    for program in traced:
        own = {node: x for x, node in program.captured.items()}
        more = [own.get(node) or Var.of(f"unused{i}", node) for i, node in enumerate(found)]
        inputs = (*program.inputs, *more)
        programs.append(Program(program.name, inputs, {}, program.constants, program.instructions, program.outputs))
    return programs, (*args, *found)


def emit(op: Op, operands: Any, params: Any, types: Any, given: Any, backward: Callable[[list[Any]], Any]) -> Any:
    """Write an instruction down and return its results, in the structure of ``types``.

    ``backward`` gets the adjoint of each result, or None, and returns those of the differentiable nodes in ``given``.
    """
    results = [
        as_node(example(x), x) if isinstance(x, Var) else Scalar(1.0, requires_grad=False) for x in leaves(types)
    ]
    structure = unflatten(types, results)
    assert state.trace is not None
    state.trace.note_all(op, operands, params, structure)
    nodes = tuple(x for x in leaves(given) if isinstance(x, Node))

    def shares(adjoints: list[Any]) -> list[Any]:
        found = iter(backward(adjoints))
        return [next(found) if differentiable(x) else None for x in nodes]

    computed_by(op, nodes, results, shares)
    return structure


def pullback(program: Program, inputs: Sequence[Any], adjoints: Sequence[Any]) -> tuple[Any, ...]:
    """The adjoints of those inputs that are differentiable, given those of the outputs that are.

    The program is swept from copies of the inputs, cut off while it lasts: what lies behind them is not its concern.
    """
    with enable_grad():
        copies = substitute(lambda x: x.clone() if differentiable(x) else x, tuple(inputs))
        wanted = [x for x in leaves(copies) if differentiable(x)]
        ties = [(x, x._a, x._rule) for x in wanted]
        for x in wanted:
            x._a, x._rule = None, LEAF
        outputs = list(leaves(program(*copies)))
        floats = [y for y, x in zip(outputs, leaves(program.outputs), strict=True) if is_float(x)]
        found = adjoints_of(wanted, floats, adjoints, create_graph=True)
        for x, a, rule in ties:
            x._a, x._rule = a, rule
    return tuple(zero_like(x) if g is None else g for g, x in zip(found, wanted, strict=True))


# Values


def depends(x: Any) -> bool:
    """Whether a value is one of the program that is traced."""
    return state.trace is not None and bool(state.trace.belongs(x))


def as_operand(x: Any) -> Any:
    """A number or an array as a node; anything else as it is."""
    if hasattr(x, "dtype") and not isinstance(x, (Node, Program)):
        return make(x)
    return Scalar(x, requires_grad=False) if isinstance(x, (int, float)) and not isinstance(x, bool) else x


def is_float(x: Any) -> bool:
    """Whether a value of a program, or a number, is of a floating dtype."""
    return "float" in x.dtype if isinstance(x, Var) else isinstance(x, float)


def differentiable(x: Any) -> bool:
    """Whether an operand can have an adjoint."""
    return isinstance(x, Scalar) or (isinstance(x, Node) and "float" in str(x.dtype))  # type: ignore[attr-defined]


def with_zeros(adjoints: list[Any], outputs: Any) -> list[Any]:
    """The adjoints of those outputs that are differentiable, with zeros where none arrived."""
    return [zero_of(x) if g is None else g for g, x in zip(adjoints, leaves(outputs), strict=True) if is_float(x)]


def added(sums: Sequence[Any], shares: Sequence[Any]) -> list[Any]:
    """Sums, each with its next share."""
    return [s + g for s, g in zip(sums, shares, strict=True)]


def split(values: Sequence[Any], *sizes: int) -> list[tuple[Any, ...]]:
    """Values in groups of the given sizes, and the rest."""
    given = iter(values)
    return [*(tuple(next(given) for _ in range(size)) for size in sizes), tuple(given)]


def like(x: Any, kind: Any) -> Any:
    """A part of a stack as what was stacked: a scalar, or a tensor."""
    if isinstance(x, Scalar) or not (isinstance(kind, Scalar) or getattr(kind, "kind", "") == "scalar"):
        return x
    return to_scalar(x)


def stacked(steps: list[tuple[Any, ...]], types: list[Var]) -> tuple[Any, ...]:
    """The values of all steps, each stacked to one tensor; scalars make one of float64."""
    columns = []
    for i, x in enumerate(types):
        values = [as_operand(step[i]) for step in steps]
        values = [cross(v, numpy_backend()) if isinstance(v, Scalar) else v for v in values]
        columns.append(FUNCTIONS["stack"](values) if values else as_operand(example(sequence(x, 0))))
    return tuple(columns)


def sequence(x: Any, size: int | None) -> Var:
    """The type of a stack of ``size`` values of a type; with None, that of one value in a stack."""
    if not isinstance(x, Var):
        return Var("", "numpy", (size or 0,), "float64")
    kind = "numpy" if x.kind == "scalar" else x.kind
    return Var(x.name, kind, x.shape[1:] if size is None else (size, *x.shape), x.dtype, x.device)


def text(x: Any) -> str:
    """The type of an output in words; a number is taken for a scalar."""
    return x.text if isinstance(x, Var) else type(x).__name__


def same_carry(name: str, before: Any, after: Any) -> None:
    """TraceError unless a body returns what it carries, in structure, shapes and dtypes."""
    types = [[text(x) for x in leaves(structure)] for structure in (before, after)]
    if types[0] != types[1] or shape_of(before) != shape_of(after):
        raise TraceError(
            f"{name}: the body is given {', '.join(types[0])} to carry and returns {', '.join(types[1])}; in a program "
            "these are the same"
        )


def returned(result: Any, size: int, name: str) -> Any:
    """What a body returned, if that is a tuple of the right size."""
    if not isinstance(result, (tuple, list)) or len(result) != size:
        what = "(carry, y)" if name == "scan" else f"a tuple of {size}"
        raise TypeError(f"{name}: the function returns {what}, not a {type(result).__name__}")
    return tuple(result)


def shape_of(structure: Any) -> Any:
    """A structure with None for each leaf."""
    return substitute(lambda _: None, structure)


def flow(name: str, function: Any) -> Op:
    """The op of an instruction that does what a function here does; its parameters are the function's arguments."""
    params = tuple(inspect.signature(function).parameters)
    return special(
        Op(name, "a", None, arguments=function, params=params[1:] if params[0] == "pred" else params), function
    )


COND = flow("cond", cond)
WHILE = flow("while_loop", while_loop)
HISTORY = flow("while_history", while_history)
SCAN = flow("scan", scan)

"""From programs to ONNX models. The row names the operator; what rows with parameters need besides is here.

A row that has no entry in `ROWS` and no operator of its own is written out by its formula (`lowering`).
"""

from __future__ import annotations

import math
from itertools import count
from pathlib import Path

from autodiff_lab.engine.arrays import numpy_from_torch
from autodiff_lab.engine.dtypes import dtype_name, numpy_dtype
from autodiff_lab.engine.static import lowering
from autodiff_lab.engine.static.program import Instruction, Program, Var, vars_in
from autodiff_lab.engine.structures import leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike
    from typing import Any

OPSET, IR_VERSION = 20, 9  # what onnxruntime reads since version 1.17

# What onnxruntime computes on the CPU in float32 only, and what it has no kernel of for booleans (found by trying the
# operators, version 1.32).
# fmt: off
FLOAT32_ONLY = {
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Celu", "Cosh", "Elu", "Erf", "Gelu", "HardSigmoid", "HardSwish",
    "LeakyRelu", "Mish", "Selu", "Sinh", "Softplus", "Softsign", "Tan", "ThresholdedRelu",
}
NO_BOOLEANS = {
    "Add", "ArgMax", "ArgMin", "Clip", "CumSum", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "MatMul", "Max",
    "Min", "Mul", "Sub", "Where",
}
COMPARISONS = {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}
# fmt: on


def export_onnx(program: Program, path: str | PathLike[str] | None = None) -> Any:
    """A program as an `onnx.ModelProto`, checked by ``onnx.checker``; also written to ``path``, if there is one.

    The model's inputs are the values among the program's arguments, in order and under their names; its outputs are
    called by their places in what the program returns: ``output``, ``output_0``, ``output_1_0``, ``output_loss``. What
    the program captured, with the values of now, and its constants are initializers. Numbers are float64 without
    dimensions; shapes and dtypes are those of the program.

    Raises ImportError without the onnx package, and NotImplementedError, which names the step, for what ONNX has no
    equivalent of.
    """
    onnx = import_onnx()
    graph = Graph(onnx)
    given = {x: graph.fresh(x.name, x.dtype) for x in vars_in(program.inputs)}
    inputs = [graph.info(name, x) for x, name in given.items()]
    graph.run(program, given)
    outputs = graph.outputs(program.outputs, "output")
    made = onnx.helper.make_graph(graph.nodes, program.name, inputs, outputs, list(graph.initializers.values()))
    opset = onnx.helper.make_opsetid("", OPSET)
    model = onnx.helper.make_model(made, opset_imports=[opset], ir_version=IR_VERSION, producer_name="autodiff_lab")
    onnx.checker.check_model(model, full_check=True)
    if path is not None:
        Path(path).write_bytes(model.SerializeToString())
    return model


def import_onnx() -> Any:
    """The package; ImportError that says how to get it."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError(
            f"export_onnx needs the package onnx, which cannot be imported ({error}): pip install onnx onnxruntime"
        ) from None
    return onnx


def knows(step: Instruction) -> bool:
    """Whether a step is written as it is, not by its formula."""
    if step.op.name in ROWS:
        return True
    wide = step.op.onnx in FLOAT32_ONLY and any(x.dtype == "float64" for x in step.writes)
    return bool(step.op.onnx) and not step.op.params and not wide


class Graph:
    """The nodes of a model under way. Values are known by their names, as in ONNX.

    names   value of a program -> its name in the model
    dtypes  name -> dtype
    prefix  what names made up for the step at hand begin with
    """

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.nodes: list[Any] = []
        self.initializers: dict[Any, Any] = {}
        self.arrays: dict[Var, Any] = {}
        self.names: dict[Var, str] = {}
        self.dtypes: dict[str, str] = {}
        self.prefix = "k"

    # Programs

    def run(self, program: Program, given: dict[Var, str]) -> list[str]:
        """Append the steps of a program, with its inputs under the names given; the names of its outputs."""
        program = lowering.lowered(program, knows, "ONNX")
        self.names.update(given)
        held = {**program.constants, **{x: node._data for x, node in program.captured.items()}}
        for x, data in held.items():
            array = self.arrays[x] = as_numpy(x, data)
            self.names[x] = self.initialize(array, x.name)
        for step in program.instructions:
            self.prefix, size = (step.writes[0].name if step.writes else step.op.name), len(self.nodes)
            results = self.step(step)
            if isinstance(results, str):
                own = len(self.nodes) > size and self.nodes[-1].output[0] == results
                self.names[step.result] = self.renamed(results if own else self("Identity", results), step.result.name)
            else:
                self.names.update(zip(step.writes, results, strict=True))
        return [self.operand(0.0 if x is None else x, "float64") for x in leaves(program.outputs)]

    def step(self, step: Instruction) -> Any:
        """Append the nodes of one step; the name of its result, or the names."""
        like = next((x for x in step.operands if isinstance(x, Var)), None)
        given = [self.operand(x, like.dtype if like else "float64") for x in step.operands]
        row = ROWS.get(step.op.name)
        return self(step.op.onnx, *given) if row is None else row(self, step, *given, *step.params)

    def renamed(self, name: str, new: str) -> str:
        """Call what the last node made ``new``, or, if that name is taken, a longer one; the name."""
        new = self.fresh(new, self.dtypes.pop(name))
        self.nodes[-1].output[0] = new
        return new

    def outputs(self, structure: Any, prefix: str) -> list[Any]:
        """Append copies of the values in a structure, called by their places; their types."""
        made = []
        for name, x in places(structure, prefix):
            value = x if isinstance(x, Var) else Var(name, "scalar", (), "float64")
            self("Identity", self.operand(x, value.dtype), output=self.fresh(name, value.dtype))
            made.append(self.info(self.nodes[-1].output[0], value))
        return made

    def body(self, name: str, inputs: list[Any], build: Callable[[], list[Any]]) -> Any:
        """A graph inside of a node, which sees the names outside; ``build`` appends its nodes, returns its outputs."""
        outside, self.nodes = self.nodes, []
        outputs = build()
        made = self.onnx.helper.make_graph(self.nodes, name, inputs, outputs)
        self.nodes = outside
        return made

    def several(self, operator: str, inputs: list[str], results: Sequence[Var], **attributes: Any) -> list[str]:
        """Append a node with many results; their names."""
        names = [self.fresh(x.name, x.dtype) for x in results]
        self.nodes.append(self.onnx.helper.make_node(operator, inputs, names, **attributes))
        return names

    def copies(self, names: Sequence[str], like: Sequence[Var]) -> list[Any]:
        """Append copies of values, for a graph has to compute its outputs itself; their types."""
        made = [self("Identity", self.cast(name, x.dtype)) for name, x in zip(names, like, strict=True)]
        return list(map(self.info, made, like))

    # Values

    def given(self, inputs: Any, values: Any) -> dict[Var, str]:
        """The inputs of a branch or a body, with the names of the values that stand for them outside."""
        pairs = zip(leaves(inputs), leaves(values), strict=True)
        return {x: self.operand(value, x.dtype) for x, value in pairs if isinstance(x, Var)}

    def operand(self, x: Any, dtype: str) -> str:
        """The name of a value; of a number as a constant of a dtype."""
        return self.names[x] if isinstance(x, Var) else self.constant(x, dtype)

    def constant(self, values: Any, dtype: str = "int64") -> str:
        """The name of an initializer with these values; there is one for all that are equal."""
        import numpy

        array = numpy.asarray(values, dtype)
        key = (array.tobytes(), array.shape, dtype)
        return self.initializers[key].name if key in self.initializers else self.initialize(array, "k", key)

    def initialize(self, array: Any, name: str, key: Any = None) -> str:
        """Add an initializer; its name."""
        name = self.fresh(name, str(array.dtype))
        self.initializers[key or name] = self.onnx.numpy_helper.from_array(array, name)
        return name

    def fresh(self, name: str, dtype: str) -> str:
        """A name that nothing has yet: this one, or one that begins with it."""
        names = (f"{name}.{number}" if number else name for number in count())
        name = next(candidate for candidate in names if candidate not in self.dtypes)
        self.dtypes[name] = dtype
        return name

    def info(self, name: str, x: Var) -> Any:
        """The type of a value."""
        return self.onnx.helper.make_tensor_value_info(name, self.number(x.dtype), x.shape)

    def number(self, dtype: Any) -> int:
        """What ONNX calls a dtype."""
        import numpy

        number: int = self.onnx.helper.np_dtype_to_tensor_dtype(numpy.dtype(numpy_dtype(dtype)))
        return number

    # Nodes

    def __call__(self, operator: str, *inputs: str, dtype: str = "", output: str = "", **attributes: Any) -> str:
        """Append a node; the name of its result, which is of the first input's dtype unless another one is named."""
        given = self.dtypes[inputs[operator == "Where"]]
        dtype = dtype or ("bool" if operator in COMPARISONS else given)
        if operator in NO_BOOLEANS and given == "bool":
            first = operator == "Where"
            whole = [*inputs[:first], *(self.cast(x, "int32") if x else x for x in inputs[first:])]
            wide = "int32" if dtype == "bool" and operator not in COMPARISONS else dtype
            return self.cast(self(operator, *whole, dtype=wide, **attributes), dtype)
        output = output or self.fresh(f"{self.prefix}.1", dtype)
        self.dtypes[output] = dtype
        self.nodes.append(self.onnx.helper.make_node(operator, inputs, [output], **attributes))
        return output

    def cast(self, x: str, dtype: Any) -> str:
        """A value in another dtype."""
        name = dtype_name(dtype)
        return x if self.dtypes[x] == name else self("Cast", x, dtype=name, to=self.number(name))

    def reshape(self, x: str, shape: Sequence[int]) -> str:
        """A value in another shape."""
        return self("Reshape", x, self.constant(list(shape)), allowzero=1)

    def zeros(self, shape: Sequence[int], dtype: str) -> str:
        """Zeros."""
        import numpy

        zero = self.onnx.numpy_helper.from_array(numpy.zeros(1, dtype))
        return self("ConstantOfShape", self.constant(list(shape)), dtype=dtype, value=zero)

    def scatter(self, x: str, positions: str, size: int, lead: tuple[int, ...] = ()) -> str:
        """Zeros, ``size`` in the last dimension, to which the elements of ``x`` are added at positions along it."""
        zeros = self.zeros((*lead, size), self.dtypes[x])
        return self("ScatterElements", zeros, positions, x, axis=len(lead), reduction="add")


def as_numpy(x: Var, data: Any) -> Any:
    """What a program holds, as a NumPy array."""
    import numpy

    return numpy_from_torch(data) if x.kind == "torch" else numpy.asarray(data, x.dtype)


def places(structure: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The values and numbers in a structure, each with a name for its place."""
    if isinstance(structure, dict):
        parts = structure.items()
    elif isinstance(structure, (list, tuple)):
        parts = zip(getattr(structure, "_fields", range(len(structure))), structure, strict=True)  # type: ignore[assignment]
    else:
        if structure is not None:
            yield name, structure
        return
    for key, part in parts:
        yield from places(part, f"{name}_{key}")


# Rows. Each function gets the graph, the step, the names of the operands, and the parameters.


def reduction(operator: str) -> Callable[..., str]:
    """A row that reduces dimensions."""

    def emit(o: Graph, step: Instruction, a: str, dim: Any, keepdim: bool, shape: Any, nan: bool = False) -> str:
        a = o.cast(a, step.result.dtype)
        if not dim:
            return a
        reduced = o(operator, a, o.constant(list(dim)), keepdims=int(keepdim))
        if operator == "ReduceMean" and not math.prod(shape[i] for i in dim):  # onnxruntime says 0
            return o("Div", reduced, o.constant(0, o.dtypes[a]))
        return reduced

    return emit


def var(o: Graph, step: Instruction, a: str, dim: Any, keepdim: bool, shape: Any, correction: float) -> str:
    along = o.constant(list(dim))
    distance = o("Sub", a, o("ReduceMean", a, along, keepdims=1)) if dim else o("Sub", a, a)
    total = o("Mul", distance, distance)
    total = o("ReduceSum", total, along, keepdims=int(keepdim)) if dim else total
    return o("Div", total, o.constant(max(math.prod(shape[i] for i in dim) - correction, 0), o.dtypes[a]))


def softmax(o: Graph, step: Instruction, a: str, dim: Any, log: bool = False) -> str:
    if len(dim) == 1:
        return o("LogSoftmax" if log else "Softmax", a, axis=dim[0])
    along = o.constant(list(dim))
    reduced: Callable[..., str] = lambda name, x: o(name, x, along, keepdims=1) if dim else x  # noqa: E731
    y = o("Sub", a, reduced("ReduceMax", a))
    total = reduced("ReduceSum", o("Exp", y))
    return o("Sub", y, o("Log", total)) if log else o("Div", o("Exp", y), total)


def cross_entropy(o: Graph, step: Instruction, a: str, target: Var) -> str:
    if not target.shape[0]:
        return o.constant(math.nan, o.dtypes[a])
    return o("SoftmaxCrossEntropyLoss", a, o.cast(o.names[target], "int64"))


def minus_one_at(o: Graph, step: Instruction, a: str, target: Var) -> str:
    column = o.reshape(o.names[target], (*target.shape, 1))
    ones = o("Expand", o.constant(-1, o.dtypes[a]), o.constant([*target.shape, 1]))
    return o("ScatterElements", a, column, ones, axis=1, reduction="add")


def erf(o: Graph, step: Instruction, a: str) -> str:
    """In float64, for which onnxruntime has no kernel: the integral of exp(-t²) by Gauss and Legendre's quadrature.

    From 0 to ``a`` the integrand is smooth, and beyond 6 nothing is added that float64 can tell from 0: with 24 points
    the error stays below 3e-15.
    """
    if o.dtypes[a] != "float64":
        return o("Erf", a)
    import numpy

    points, weights = numpy.polynomial.legendre.leggauss(24)
    a = o("Clip", a, o.constant(-6, "float64"), o.constant(6, "float64"))
    t = o("Mul", o("Unsqueeze", a, o.constant([-1])), o.constant((points + 1) / 2, "float64"))
    integrand = o("Exp", o("Neg", o("Mul", t, t)))
    return o("Mul", a, o("MatMul", integrand, o.constant(weights / math.sqrt(math.pi), "float64")))


def cumsum(o: Graph, step: Instruction, a: str, dim: int, reverse: bool) -> str:
    given = step.operands[0].shape
    a = o.cast(a, step.result.dtype)
    return o("CumSum", a, o.constant(dim), reverse=int(reverse)) if given else a


def position(operator: str) -> Callable[..., str]:
    """argmax and argmin."""

    def emit(o: Graph, step: Instruction, a: str, dim: int | None) -> str:
        if dim is None or not step.operands[0].shape:
            a, dim = o.reshape(a, (-1,)), 0
        return o(operator, a, dtype="int64", axis=dim, keepdims=0)

    return emit


def stack(o: Graph, step: Instruction, *parts: Any) -> str:
    *names, dim = parts
    return o("Concat", *(o("Unsqueeze", x, o.constant([dim])) for x in names), axis=dim)


def cat(o: Graph, step: Instruction, *parts: Any) -> str:
    *names, dim, _ = parts
    return o("Concat", *names, axis=dim)


def pad(o: Graph, step: Instruction, a: str, pad: Any, value: float, width: Any, inner: Any) -> str:
    ends = [low for low, _ in width] + [high for _, high in width]
    return o("Pad", a, o.constant(ends), o.constant(value, o.dtypes[a]))


def where(o: Graph, step: Instruction, a: str, b: str, condition: Any) -> str:
    dtype = step.result.dtype
    return o("Where", o.cast(o.operand(condition, "bool"), "bool"), o.cast(a, dtype), o.cast(b, dtype))


def clip(o: Graph, step: Instruction, a: str, min: Any, max: Any) -> str:
    dtype = step.result.dtype
    limits = ["" if x is None else o.operand(x, dtype) for x in (min, max)]
    return o("Clip", o.cast(a, dtype), *limits)


def expand(o: Graph, step: Instruction, a: str, shape: Any, before: Any) -> str:
    if 0 in shape:  # onnxruntime leaves a size of 1 as it is
        return o.zeros(shape, o.dtypes[a])
    return o("Expand", a, o.constant(list(shape)))


def gather(o: Graph, step: Instruction, a: str, dim: int, index: Var, shape: Any) -> str:
    if step.result.shape and index.shape:
        return o("GatherElements", a, o.names[index], axis=dim)
    line = o(
        "GatherElements", o.reshape(a, (-1,)), o.reshape(o.names[index], (-1,)), axis=0
    )  # it takes no lone numbers
    return o.reshape(line, step.result.shape)


def ungather(o: Graph, step: Instruction, a: str, dim: int, index: Var, shape: Any) -> str:
    if shape and index.shape:
        return o("ScatterElements", o.zeros(shape, o.dtypes[a]), o.names[index], a, axis=dim, reduction="add")
    zeros, places = o.zeros((1,), o.dtypes[a]), o.reshape(o.names[index], (-1,))
    return o.reshape(o("ScatterElements", zeros, places, o.reshape(a, (-1,)), axis=0, reduction="add"), shape)


def places_of_windows(shape: Any, windows: Any, stride: Any, dilation: Any) -> Any:
    """Where in a flattened image of ``shape`` the elements of the windows, in their shape, come from."""
    import numpy

    rows, columns, height, width = numpy.ogrid[tuple(slice(n) for n in windows)]
    y, x = rows * stride[0] + height * dilation[0], columns * stride[1] + width * dilation[1]
    return y * shape[1] + x


def windows(o: Graph, step: Instruction, a: str, size: Any, stride: Any, dilation: Any, shape: Any) -> str:
    places = places_of_windows(shape[-2:], step.result.shape[-4:], stride, dilation)
    return o("Gather", o.reshape(a, (*shape[:-2], shape[-2] * shape[-1])), o.constant(places), axis=len(shape) - 2)


def fold(o: Graph, step: Instruction, a: str, size: Any, stride: Any, dilation: Any, shape: Any) -> str:
    places = places_of_windows(shape[-2:], step.operands[0].shape[-4:], stride, dilation)
    lead = tuple(shape[:-2])
    flat = (*lead, places.size)
    index = o("Expand", o.constant(places.reshape(-1)), o.constant(flat))
    return o.reshape(o.scatter(o.reshape(a, flat), index, shape[-2] * shape[-1], lead), shape)


# Indices


def getitem(o: Graph, step: Instruction, a: str, index: Any, shape: Any) -> str:
    return taken(o, a, index, shape, step.operands[0].kind == "torch", step.result.shape)


def taken(o: Graph, a: str, index: Any, shape: Any, torch: bool, result: Sequence[int]) -> str:
    """``a[index]``: first the slices, then the arrays of integers, each in one node if possible."""
    parts = complete(o, index, shape, torch)
    a = sliced(o, a, parts, shape)
    arrays = [part for part in parts if isinstance(part, Integers)]
    if not arrays:
        return o.reshape(a, result) if any(not isinstance(part, slice) for part in parts) else a
    inner: list[int] = []
    at: list[int] = []
    sizes = iter(shape)
    for part in parts:
        n = 1 if part is None else next(sizes)
        if isinstance(part, Integers):
            at.append(len(inner))
        if type(part) is not int:
            inner.append(len(range(n)[part]) if isinstance(part, slice) else n)
    a = o.reshape(a, inner)
    if len(arrays) == 1:
        return o("Gather", a, arrays[0].name, axis=at[0])
    rest = [i for i in range(len(inner)) if i not in at]
    a = o("GatherND", o("Transpose", a, perm=[*at, *rest]), joined(o, arrays))
    ndim = len(result) - len(rest)
    first = at[0] if at == list(range(at[0], at[0] + len(at))) else 0
    order = list(range(ndim, len(result)))
    return o("Transpose", a, perm=[*order[:first], *range(ndim), *order[first:]])


def unindex(o: Graph, step: Instruction, a: str, index: Any, shape: Any) -> str:
    """Zeros of ``shape`` with ``a`` added at ``index``."""
    import numpy

    given = step.operands[0]
    torch = given.kind == "torch"
    parts = complete(o, index, shape, torch)
    arrays = [part for part in parts if isinstance(part, Integers)]
    along = [part for part in parts if part is not None]
    if not arrays and all(type(part) is int or part.step in (None, 1) for part in along):
        ranges = [
            range(n)[part : part + 1 or None] if type(part) is int else range(n)[part]
            for n, part in zip(shape, along, strict=True)
        ]
        width = [(r.start, n - r.start - len(r)) for n, r in zip(shape, ranges, strict=True)]
        return pad(o, step, o.reshape(a, [len(r) for r in ranges]), None, 0, width, None)
    if arrays and parts[: len(arrays)] == arrays and all(part == slice(None) for part in parts[len(arrays) :]):
        return o("ScatterND", o.zeros(shape, given.dtype), joined(o, arrays), a, reduction="add")
    places = o.constant(numpy.arange(math.prod(shape)).reshape(shape))
    places = o.reshape(taken(o, places, index, shape, torch, given.shape), (-1,))
    return o.reshape(o.scatter(o.reshape(a, (-1,)), places, math.prod(shape)), shape)


class Integers:
    """An array of integers in an index: its name and shape."""

    def __init__(self, name: str, shape: tuple[int, ...]) -> None:
        self.name = name
        self.shape = shape


def complete(o: Graph, index: Any, shape: Any, torch: bool) -> list[Any]:
    """An index with a part for each dimension: a slice, a number, None for a new dimension, or `Integers`.

    Masks become the integers that they stand for. Beside arrays NumPy takes a number for an array too; torch does not.
    """

    def integers(x: Var) -> list[Any]:
        if x.dtype == "bool":
            return [Integers(o.constant(found), found.shape) for found in o.arrays[x].nonzero()]
        return [Integers(o.cast(o.names[x], "int64"), x.shape)]

    parts = lowering.complete(index, len(shape), integers)
    if not torch and any(isinstance(part, Integers) for part in parts):
        parts = [Integers(o.constant(part), ()) if type(part) is int else part for part in parts]
    return parts


def sliced(o: Graph, a: str, parts: list[Any], shape: Any) -> str:
    """The slices and numbers of an index, as one node; a number leaves a dimension of size 1."""
    starts, ends, axes, steps = [], [], [], []
    for i, (part, n) in enumerate(zip([part for part in parts if part is not None], shape, strict=True)):
        if type(part) is int:
            part = slice(part % n, part % n + 1)
        if isinstance(part, slice) and part.indices(n) != (0, n, 1):
            start, stop, step = part.indices(n)
            starts.append(start)
            ends.append(stop if stop >= 0 else -n - 1)
            axes.append(i)
            steps.append(step)
    return o("Slice", a, *map(o.constant, (starts, ends, axes, steps))) if axes else a


def joined(o: Graph, arrays: list[Integers]) -> str:
    """Arrays of indices as one, with a last dimension that says where along each axis."""
    import numpy

    shape = numpy.broadcast_shapes(*(x.shape for x in arrays))
    wide = [o("Expand", x.name, o.constant(list(shape))) if x.shape != shape else x.name for x in arrays]
    return o("Concat", *(o.reshape(x, (*shape, 1)) for x in wide), axis=-1)


# Control flow: branches and bodies are graphs inside of a node, which read what does not change from outside


def cond(o: Graph, step: Instruction, pred: str, first: Program, second: Program, operands: Any) -> list[str]:
    def branch(program: Program) -> Any:
        return o.body(
            program.name, [], lambda: o.copies(o.run(program, o.given(program.inputs, operands)), step.writes)
        )

    pred = o.reshape(o.cast(pred, "bool"), ())
    return o.several("If", [pred], step.writes, then_branch=branch(first), else_branch=branch(second))


def while_loop(o: Graph, step: Instruction, test: Program, body: Program, carried: Any, fixed: Any) -> list[str]:
    """Also while_history, which keeps what is carried into each step."""
    state, tested = (vars_in(program.inputs[: len(carried)]) for program in (body, test))
    outside = o.given(body.inputs, (*carried, *fixed))
    history = step.op.name == "while_history"

    def goes_on(names: Sequence[str]) -> str:
        given = {**o.given(test.inputs, (*carried, *fixed)), **dict(zip(tested, names, strict=True))}
        return o.reshape(o.cast(o.run(test, given)[0], "bool"), ())

    def once(number: str, names: list[str]) -> list[str]:
        after = o.run(body, {**outside, **dict(zip(state, names, strict=True))})
        return [goes_on(after), *after, *(names if history else ())]

    start = [outside[x] for x in state]
    found = loop(o, "", goes_on(start), state, start, state if history else [], once)
    return found[len(state) * history :]


def scan(o: Graph, step: Instruction, body: Program, init: Any, xs: Any, fixed: Any, reverse: bool) -> list[str]:
    """A Loop, for onnxruntime's Scan fails where there is nothing to go along."""
    state, parts = vars_in(body.inputs[0]), vars_in(body.inputs[1])
    outside = o.given(body.inputs, (init, xs, *fixed))
    size = o("Gather", o("Shape", outside[parts[0]], dtype="int64"), o.constant(0))
    kept = [Var(x.name, x.kind, x.shape[1:], x.dtype) for x in step.writes[len(state) :]]
    yes = o.constant(True, "bool")

    def once(number: str, names: list[str]) -> list[str]:
        at = o("Sub", o("Sub", size, o.constant(1)), number) if reverse else number
        elements = [o("Gather", outside[x], at) for x in parts]
        return [yes, *o.run(body, {**outside, **dict(zip((*state, *parts), (*names, *elements), strict=True))})]

    found = loop(o, size, yes, state, [outside[x] for x in state], kept, once)
    if reverse:
        ends = [o.constant([n]) for n in (-1, -(2**62), 0, -1)]
        found[len(state) :] = [o("Slice", y, *ends) for y in found[len(state) :]]
    return found


def loop(
    o: Graph,
    limit: str,
    first: str,
    state: Sequence[Var],
    start: list[str],
    kept: Sequence[Var],
    once: Callable[[str, list[str]], list[str]],
) -> list[str]:
    """A Loop of at most ``limit`` steps; what is carried out of the last, then what is kept of each, stacked.

    ``once`` appends a step: from its number and what is carried to whether it goes on, what it carries, what is kept.
    """
    counter, flag = Var("number", "numpy", (), "int64"), Var("goes_on", "numpy", (), "bool")
    inside = [o.fresh(x.name, x.dtype) for x in (counter, flag, *state)]
    inputs = list(map(o.info, inside, (counter, flag, *state)))
    graph = o.body("step", inputs, lambda: o.copies(once(inside[0], inside[2:]), [flag, *state, *kept]))
    return o.several("Loop", [limit, first, *start], [*state, *kept], body=graph)


ROWS: dict[str, Any] = {
    "sum": reduction("ReduceSum"),
    "mean": reduction("ReduceMean"),
    "amax": reduction("ReduceMax"),
    "amin": reduction("ReduceMin"),
    "logsumexp": reduction("ReduceLogSumExp"),
    "var": var,
    "softmax": softmax,
    "log_softmax": lambda o, step, a, dim: softmax(o, step, a, dim, log=True),
    "cross_entropy": cross_entropy,
    "minus_one_at": minus_one_at,
    "erf": erf,
    "cumsum": cumsum,
    "argmax": position("ArgMax"),
    "argmin": position("ArgMin"),
    "reshape": lambda o, step, a, shape, before: o.reshape(a, shape),
    "permute": lambda o, step, a, dims, inverse: o("Transpose", a, perm=dims) if dims else a,
    "expand": expand,
    "cat": cat,
    "stack": stack,
    "pad": pad,
    "where": where,
    "clip": clip,
    "gather": gather,
    "ungather": ungather,
    "windows": windows,
    "fold": fold,
    "getitem": getitem,
    "unindex": unindex,
    "astype": lambda o, step, a, dtype, before: o.cast(a, dtype),
    "cond": cond,
    "while_loop": while_loop,
    "while_history": while_loop,
    "scan": scan,
    "to_scalar": lambda o, step, a: o.cast(o.reshape(a, ()), "float64"),
    "to_tensor": lambda o, step, a, kind, device, dtype: o.cast(a, dtype),
    "to_device": lambda o, step, a, device, before: a,
    "ne": lambda o, step, a, b: o("Not", o("Equal", a, b)),
    **{
        f"bitwise_{name.lower()}": lambda o, step, *given, name=name: o(
            name if step.result.dtype == "bool" else f"Bitwise{name}", *given
        )
        for name in ("And", "Or", "Xor", "Not")
    },
}

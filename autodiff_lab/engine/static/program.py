"""The intermediate representation of static graphs: a list of instructions on named values, which prints as Python."""

from __future__ import annotations

import inspect
from functools import cache

from autodiff_lab.engine import composed as composed  # all functions that steps may call
from autodiff_lab.engine.backend import numpy_backend, torch_backend
from autodiff_lab.engine.crossing import cross, to_scalar
from autodiff_lab.engine.dtypes import dtype_name, is_floating
from autodiff_lab.engine.modes import differentiated, no_grad, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import TABLE, Op
from autodiff_lab.engine.scalar import FUNCTIONS, Scalar
from autodiff_lab.engine.structures import leaves, substitute
from autodiff_lab.engine.tensor import make, zero_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike
    from typing import Any


class Var:
    """A value of a program: its name, and what is known of it before the program runs. Equal only to itself.

    kind    "scalar" for a number, else the kind of array: "numpy" or "torch"
    shape   a tuple of sizes
    dtype   as text: "float64"
    device  as text: "cpu", "cuda:0"
    """

    __slots__ = ("device", "dtype", "kind", "name", "shape")

    def __init__(self, name: str, kind: str, shape: tuple[int, ...], dtype: str, device: str = "cpu") -> None:
        self.name = name
        self.kind = kind
        self.shape = shape
        self.dtype = dtype
        self.device = device

    @classmethod
    def of(cls, name: str, x: Any) -> Var:
        """The value that stands for a node."""
        if isinstance(x, Scalar):
            return cls(name, "scalar", (), "float64")
        return cls(name, x._backend.name, x.shape, dtype_name(x.dtype), str(x.device))

    def like(self, name: str) -> Var:
        """Another value of the same type."""
        return Var(name, self.kind, self.shape, self.dtype, self.device)

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return len(self.shape)

    @property
    def type(self) -> tuple[str, tuple[int, ...], str, str]:
        """Everything that is known of it but the name."""
        return self.kind, self.shape, self.dtype, self.device

    @property
    def text(self) -> str:
        """The type in words: ``float64[2, 3]``; ``float`` for a number."""
        if self.kind == "scalar":
            return "float"
        where = "" if self.device == "cpu" else f" on {self.device}"
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]{where}"

    def __repr__(self) -> str:
        return self.name


class Instruction:
    """One step: ``result = op(operands, params)``.

    operands  values and plain numbers
    params    the parameters of the row, in the order of `Op.params`; a value may stand in them, or inside their tuples
    result    a value; for control flow a structure of values
    """

    __slots__ = ("op", "operands", "params", "result")

    def __init__(self, op: Op, operands: tuple[Any, ...], params: tuple[Any, ...], result: Any) -> None:
        self.op = op
        self.operands = operands
        self.params = params
        self.result = result

    @property
    def reads(self) -> list[Var]:
        """The values it needs, in order, as often as they occur."""
        return vars_in((self.operands, self.params))

    @property
    def writes(self) -> list[Var]:
        """The values it gives."""
        return vars_in(self.result)

    def replaced(self, values: dict[Var, Any]) -> Instruction:
        """The same step on other values."""
        put = lambda x: values.get(x, x) if isinstance(x, Var) else x  # noqa: E731
        return Instruction(self.op, substitute(put, self.operands), substitute(put, self.params), self.result)

    def call(self) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of the call that does this: the inverse of `Op.arguments`. Defaults are left out."""
        if self.op.arguments is None:
            return list(self.operands), {}
        params = dict(zip(self.op.params, self.params, strict=True))
        given: list[Any] = []
        named: dict[str, Any] = {}
        rest = iter(self.operands)
        for name, parameter in signature(self.op).items():
            if name == "tensors":
                given.append(list(rest))
            elif name not in params:
                if parameter.default is parameter.empty:
                    given.append(next(rest))
            elif parameter.default is parameter.empty:
                given.append(params[name])
            elif isinstance(params[name], Var) or params[name] != parameter.default:
                named[name] = params[name]
        return given, named

    def run(self, values: dict[Var, Any]) -> Any:
        """Apply the op to the values of its operands."""
        put = lambda x: values[x] if isinstance(x, Var) else x  # noqa: E731
        given, named = self.call()
        named = {name: substitute(put, value) for name, value in named.items()}
        return FUNCTIONS[self.op.name](*substitute(put, given), **named)

    def __repr__(self) -> str:
        from autodiff_lab.engine.static.printing import statement

        return statement(self, {})


def bare_values(result: Any, nested: bool) -> Any:
    """Results as floats and arrays; as they are if they are ``nested`` in what is differentiated or traced further."""
    if nested:
        nodes = [x for x in leaves(result) if isinstance(x, Node)]
        if any(x.requires_grad or (state.trace is not None and state.trace.belongs(x)) for x in nodes):
            return result
    return substitute(lambda x: x._data if isinstance(x, Node) else x, result)


@cache
def signature(op: Op) -> dict[str, inspect.Parameter]:
    """The parameters of a row's call."""
    assert op.arguments is not None
    return dict(inspect.signature(op.arguments).parameters)


def vars_in(structure: Any) -> list[Var]:
    """The values in a structure."""
    return [x for x in leaves(structure) if isinstance(x, Var)]


class Program:
    """A function as data: instructions in order, each on values that were computed before it.

    ``print(program)`` shows it as Python that runs; calling it runs it, on arrays and numbers, or on nodes, which then
    record as always. Made by `trace`.

    name          what it is called
    inputs        for each argument the structure of its values; anything else in it has to be given again as it is
    captured      value -> node: what the function found outside of its arguments; read at each call
    constants     value -> array: what was computed while tracing and does not depend on the inputs
    instructions  the steps
    outputs       the structure of what is returned
    """

    def __init__(
        self,
        name: str,
        inputs: tuple[Any, ...],
        captured: dict[Var, Any],
        constants: dict[Var, Any],
        instructions: list[Instruction],
        outputs: Any,
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.captured = captured
        self.constants = constants
        self.instructions = instructions
        self.outputs = outputs

    def with_instructions(self, instructions: list[Instruction], outputs: Any) -> Program:
        """The program with other steps and outputs; captured and constant values that nothing reads are left out."""
        read = {x for step in instructions for x in step.reads}.union(vars_in(outputs))
        captured = {x: node for x, node in self.captured.items() if x in read}
        constants = {x: array for x, array in self.constants.items() if x in read}
        return Program(self.name, self.inputs, captured, constants, instructions, outputs)

    def __call__(self, *args: Any) -> Any:
        """Run it, step by step. Arrays and numbers give arrays and floats, nodes give nodes.

        Raises TypeError or ValueError if the arguments are not what was traced.
        """
        values: dict[Var, Any] = {}
        bare = self.bind(args, values)
        nested = differentiated.get() or state.trace is not None  # then a captured node may lead to what is asked about
        if bare and state.recording and not nested:
            with no_grad():
                return self(*args)
        values.update(self.captured)
        values.update({x: as_node(array, x) for x, array in self.constants.items()})
        for step in self.instructions:
            results = zip(step.writes, leaves(step.run(values)), strict=True)
            values.update((x, as_node(y, x)) for x, y in results)  # a loop of no step returns numbers as it got them
        result = substitute(lambda x: values[x] if isinstance(x, Var) else x, self.outputs)
        return bare_values(result, nested) if bare else result

    def bind(self, args: tuple[Any, ...], values: dict[Var, Any]) -> bool:
        """Put the arguments into ``values`` as nodes; return whether none of them was one."""
        if len(args) != len(self.inputs):
            raise TypeError(f"{self.name} takes {len(self.inputs)} arguments, not {len(args)}")
        pairs = list(matched(self.inputs, args, self.name))
        for x, given in pairs:
            values[x] = as_node(given, x)
            got = Var.of(x.name, values[x])
            if got.type != x.type:
                raise ValueError(
                    f"{self.name}: {x.name} was traced as {x.text}, and now is {got.text}. A program is made for one "
                    "shape, dtype and device: trace the function again, or use compile(), which does that by itself."
                )
        return not any(isinstance(given, Node) for _, given in pairs)

    def value_and_grad(self, argnums: int | tuple[int, ...] = 0) -> Program:
        """The program that gives the value and its derivative with respect to some of the arguments."""
        from autodiff_lab.engine.functional import value_and_grad

        return self.transformed(value_and_grad, "value_and_grad", argnums)

    def grad(self, argnums: int | tuple[int, ...] = 0) -> Program:
        """The program that gives the derivative of the value with respect to some of the arguments."""
        from autodiff_lab.engine.functional import grad

        return self.transformed(grad, "grad", argnums)

    def transformed(self, transformation: Callable[..., Any], name: str, *options: Any) -> Program:
        """The program of a transformation of this one, such as `functional.grad`."""
        from autodiff_lab.engine.static.trace import trace

        made = trace(transformation(self, *options), *self.examples())
        made.name = f"{name}_of_{self.name}"
        return made

    def optimize(self, report: Any = None) -> Program:
        """The program after all passes of `passes`, which tell a ``Report`` what they did."""
        from autodiff_lab.engine.static.passes import optimize

        return optimize(self, report)

    def examples(self) -> tuple[Any, ...]:
        """Arguments of the right types: ones, and zeros for integers."""
        examples: tuple[Any, ...] = substitute(lambda x: example(x) if isinstance(x, Var) else x, self.inputs)
        return examples

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def __signature__(self) -> inspect.Signature:
        names = [x.name if isinstance(x, Var) else f"x{i}" for i, x in enumerate(self.inputs)]
        return inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names])

    @property
    def source(self) -> str:
        """The program as a Python module that needs nothing but this package."""
        from autodiff_lab.engine.static.printing import source

        return source(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to one file, which `load` reads without the code it was traced from."""
        from autodiff_lab.engine.static.portable import save

        save(self, path)

    @staticmethod
    def load(path: str | PathLike[str]) -> Program:
        """The program in a file that `save` wrote; see `portable.load` for the errors."""
        from autodiff_lab.engine.static.portable import load

        return load(path)

    def export_onnx(self, path: str | PathLike[str] | None = None) -> Any:
        """The program as an ONNX model, written to ``path`` if there is one; see `onnx_export.export_onnx`."""
        from autodiff_lab.engine.static.onnx_export import export_onnx

        return export_onnx(self, path)

    def to_torch(self) -> Any:
        """The program as a `torch.fx.GraphModule`; see `torch_export.to_torch`."""
        from autodiff_lab.engine.static.torch_export import to_torch

        return to_torch(self)

    def to_torch_function(self) -> Any:
        """The program as one operation of torch's, differentiable there; see `torch_export.torch_function`."""
        from autodiff_lab.engine.static.torch_export import torch_function

        return torch_function(self)

    def write_tensorboard(self, logdir: str | PathLike[str]) -> None:
        """Write its graph for TensorBoard; see `tensorboard.write_tensorboard`."""
        from autodiff_lab.engine.static.tensorboard import write_tensorboard

        write_tensorboard(self, logdir)

    def __str__(self) -> str:
        return self.source

    def __repr__(self) -> str:
        types = ", ".join(f"{x.name}: {x.text}" for x in vars_in(self.inputs))
        return f"<Program {self.name}({types}), {len(self.instructions)} instructions>"


def matched(wanted: Any, given: Any, where: str) -> Iterator[tuple[Var, Any]]:
    """Each value in a structure with what stands in its place in another; TypeError if the structures differ."""
    if isinstance(wanted, Var):
        yield wanted, given
    elif isinstance(wanted, (list, tuple)):
        if not isinstance(given, (list, tuple)) or len(given) != len(wanted):
            size = f" of {len(given)}" if isinstance(given, (list, tuple)) else ""
            raise TypeError(f"{where} takes {len(wanted)} values together here, not a {type(given).__name__}{size}")
        for x, y in zip(wanted, given, strict=True):
            yield from matched(x, y, where)
    elif isinstance(wanted, dict):
        if not isinstance(given, dict) or given.keys() != wanted.keys():
            raise TypeError(f"{where} takes a dict with the keys {list(wanted)} here, not {given!r:.60}")
        for key, part in wanted.items():
            yield from matched(part, given[key], where)
    elif wanted is not given and wanted != (given._data if isinstance(given, Scalar) else given):
        raise ValueError(
            f"{where} was traced with {wanted!r} here, which is part of it now; it was given {given!r:.60}"
        )


def as_node(given: Any, x: Var) -> Any:
    """An argument as a node of the kind of ``x``; a node as it is. TypeError for what is no number or array."""
    if isinstance(given, Node):
        return given
    if x.kind == "scalar":
        return Scalar(given, requires_grad=False)
    return make(given)


def example(x: Var) -> Any:
    """Some value of the type of ``x``."""
    if x.kind == "scalar":
        return 1.0
    if x.kind == "torch":
        import torch

        return torch.full(x.shape, int(is_floating(x.dtype)), dtype=getattr(torch, x.dtype), device=x.device)
    import numpy

    return numpy.full(x.shape, int(is_floating(x.dtype)), x.dtype)


def zero_of(x: Any) -> Any:
    """The adjoint of an output that nothing depends on: a value, or a number."""
    return zero_like(as_node(example(x), x)) if isinstance(x, Var) else Scalar(0.0, requires_grad=False)


# Ops that are in no row: those of the control flow, and the one that only tracing knows

SPECIAL: dict[str, Op] = {}


def special(op: Op, function: Callable[..., Any]) -> Op:
    """Make an op known that is part of programs only, as the function that carries it out."""
    SPECIAL[op.name] = op
    FUNCTIONS[op.name] = function
    return op


DETACH = special(Op("detach", "a", None, onnx="Identity"), FUNCTIONS["detach"])


TO_SCALAR = special(Op("to_scalar", "a", "g"), lambda x: crossed(x, "scalar"))
TO_TENSOR = special(
    Op("to_tensor", "a", "g", arguments=lambda a, kind, device, dtype: None, params=("kind", "device", "dtype")),
    lambda x, kind, device, dtype: crossed(x, kind, device, dtype),
)


def crossed(x: Any, kind: str, device: str = "cpu", dtype: str = "") -> Any:
    """A node as one of another kind: "scalar", "numpy" or "torch"."""
    if kind == "scalar":
        return to_scalar(x)
    return cross(x, numpy_backend() if kind == "numpy" else torch_backend(), device, dtype)


def row(name: str) -> Op:
    """An op by name; ValueError if there is none."""
    found = TABLE.get(name) or SPECIAL.get(name)
    if found is None:
        raise ValueError(f"the op {name!r} is not in the table: add its row before you load or run this program")
    return found

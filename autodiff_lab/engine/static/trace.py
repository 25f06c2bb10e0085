"""Tracing: running a function once, and writing down what it does."""

from __future__ import annotations

import inspect
import re
import sys
from contextlib import suppress
from keyword import iskeyword
from numbers import Real
from pathlib import Path
from weakref import ref

from autodiff_lab.engine.backend import backend_of
from autodiff_lab.engine.backward import FREED
from autodiff_lab.engine.dtypes import dtype_name, is_floating
from autodiff_lab.engine.messages import users_line
from autodiff_lab.engine.modes import change, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import Scalar
from autodiff_lab.engine.static.program import DETACH, TO_SCALAR, TO_TENSOR, Instruction, Program, Var, vars_in
from autodiff_lab.engine.structures import leaves, substitute
from autodiff_lab.engine.tensor import BACKENDS, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from autodiff_lab.engine.ops import Op

RESERVED = ("ad", "base64", "float", "numpy", "slice", "torch")  # what the text of a program speaks of


class TraceError(TypeError):
    """Something that cannot be part of a program; the message names the line and says what to write instead."""


def trace(fn: Callable[..., Any], *examples: Any) -> Program:
    """The program of what ``fn`` does with arguments like ``examples``.

    ``fn`` is run once. Numbers become scalars and arrays tensors, also inside lists, tuples and dicts; anything else
    (a text, None, a bool) is handed on as it is and becomes part of the program, as does everything that Python itself
    decides: loops are unrolled, and a function called is inlined. Only the examples' shapes, dtypes and devices matter.
    Nodes that require grad and are not among the arguments are captured: the program reads them whenever it runs. Other
    nodes, arrays and numbers from outside are part of it as they are now, and so is what ``x.data`` gives.

    Raises TraceError where ``fn`` needs to know a value, as a Python ``if`` does, changes one in place, draws random
    numbers, or leaves a hook behind.
    """
    return tracing(fn, examples)[0]


def tracing(fn: Callable[..., Any], examples: Sequence[Any]) -> tuple[Program, Trace]:
    """`trace`, and what was known of the function at the end."""
    if not callable(fn):
        raise TypeError(f"trace takes a function and examples of its arguments; {fn!r:.60} is a {type(fn).__name__}")
    record = Trace(state.trace)
    record.known = names_of_captured(fn)
    names = argument_names(fn, len(examples))
    inputs, args = zip(*map(record.argument, names, examples), strict=True) if examples else ((), ())
    before = change(trace=record, enabled=True, inference=False, hooks=None)
    try:
        result = fn(*args)
        outputs = substitute(record.output, result)
        record.refuse_hooks()
    finally:
        change(**before)
    return Program(name_of(fn), inputs, record.captured, record.constants, record.instructions, outputs), record


class Trace:
    """What is known while a function is traced: which value stands for a node, and the instructions so far.

    Nodes are found by identity; arrays, as they occur in parameters (an index, a condition), by theirs, and so are
    nodes that were made while tracing over the array of another one.

    outer    the trace in which this one takes place, as the body of a loop does
    aliases  nodes that have the value of another one, through which no adjoint flows
    found    nodes from outside whose values are part of the program: number -> weak reference and value
    """

    def __init__(self, outer: Trace | None) -> None:
        self.outer = outer
        self.began = begun()
        self.nodes: dict[Node, Var] = {}
        self.aliases: dict[Node, Var] = {}
        self.found: dict[int, tuple[Any, Any]] = {} if outer is None else outer.found
        self.arrays: dict[int, Var] = {}
        self.differentiable: set[Var] = set()
        self.detached: dict[Var, Var] = {}
        self.captured: dict[Var, Node] = {}
        self.constants: dict[Var, Any] = {}
        self.instructions: list[Instruction] = []
        self.names: set[str] = set(RESERVED)
        self.known: dict[Any, str] = {}
        self.counts: dict[str, int] = {}
        self.kept: list[Any] = []  # arrays that must not be freed, so that no other gets their identity

    # What goes in and out

    def argument(self, name: str, example: Any) -> tuple[Any, Any]:
        """The structure of an argument's values, and of its nodes for ``fn`` to work on."""
        several = isinstance(example, (list, tuple, dict))
        numbers = iter(range(len(list(leaves(example)))))
        nodes: dict[int, Any] = {}

        def value(leaf: Any) -> Any:
            label = f"{name}_{next(numbers)}" if several else name
            while label in self.names:
                label += "_"
            node = fresh(leaf)
            nodes[len(nodes)] = node if node is not None else leaf
            return leaf if node is None else self.name(node, label)

        structure = substitute(value, example)
        position = iter(nodes.values())
        return structure, substitute(lambda _: next(position), example)

    def output(self, x: Any) -> Any:
        """The value that stands for a result; numbers and None stay what they are."""
        if isinstance(x, Node):
            return x._data if isinstance(x, Scalar) and not self.belongs(x) else self.value(x, True)
        if hasattr(x, "dtype"):
            return self.array(x)
        if x is None or isinstance(x, (bool, int, float, str)):
            return x
        raise TraceError(
            f"a traced function returned a {type(x).__name__}; it may return nodes, numbers and None, and lists, "
            "tuples and dicts of these."
        )

    def free(self, prefix: str) -> str:
        """A name that no value has."""
        number = self.counts.get(prefix, 0)
        while f"{prefix}{number}" in self.names:
            number += 1
        self.counts[prefix] = number + 1
        return f"{prefix}{number}"

    def name(self, node: Any, name: str) -> Var:
        """Let a new value stand for a node."""
        x = Var.of(name, node)
        self.names.add(name)
        self.nodes[node] = x
        if not isinstance(node, Scalar):
            if not node.shape and x.kind == "numpy" and x.dtype == "bool":
                node._data = node._data[
                    ...
                ]  # NumPy has one True and one False, which say nothing of where they are from
            self.arrays.setdefault(id(node._data), x)
        if node.requires_grad:
            self.differentiable.add(x)
        return x

    # What the engine calls

    def note(self, op: Op, operands: Any, params: tuple[Any, ...], node: Any) -> None:
        """Write an operation down, if any of what it works on is part of the program."""
        parts = list(leaves((list(operands), params)))
        for x in parts:
            self.look_at(x)
        if not any(map(self.belongs, parts)):
            return
        if op.name in ("getitem", "unindex") and any(self.knows(x) and "bool" in str(x.dtype) for x in leaves(params)):
            raise TraceError(
                f"{where()}: how many elements a mask takes depends on its values, and a program has none yet: choose "
                "with where(mask, a, b), which keeps the shape."
            )
        flows = bool(op.adjoints and any(op.adjoints))
        given = tuple(
            self.operand(x, flows, op.name in ("cat", "stack") or self.decides(x, operands)) for x in operands
        )
        self.add(op, given, substitute(self.parameter, params), node)

    def add(self, op: Op, operands: tuple[Any, ...], params: tuple[Any, ...], node: Any) -> Var:
        """Append an instruction whose result is ``node``."""
        flows = any(x in self.differentiable for x in operands if isinstance(x, Var)) and any(op.adjoints)
        result = self.name(node, self.free("t"))
        if flows and "float" in result.dtype:
            self.differentiable.add(result)
        self.instructions.append(Instruction(op, operands, params, result))
        return result

    def note_all(self, op: Op, operands: tuple[Any, ...], params: tuple[Any, ...], results: Any) -> None:
        """Write control flow down, whose results are a structure of nodes and whose operands may be parameters."""

        def value(x: Any) -> Any:
            if isinstance(x, Scalar):
                return self.operand(x, True)
            return self.value(x, True) if isinstance(x, Node) else self.parameter(x)

        given, rest = substitute(value, operands), substitute(value, params)
        flows = any(x in self.differentiable for x in vars_in((given, rest)))

        def result(x: Any) -> Var:
            made = self.name(x, self.free("t"))
            if flows and "float" in made.dtype:
                self.differentiable.add(made)
            return made

        self.instructions.append(Instruction(op, given, rest, substitute(result, results)))

    def note_crossing(self, node: Any, x: Any) -> None:
        """Write down that ``node`` is ``x`` as a node of another kind."""
        if isinstance(node, Scalar):
            self.note(TO_SCALAR, (x,), (), node)
        else:
            made = Var.of("", node)
            self.note(TO_TENSOR, (x,), (made.kind, made.device, made.dtype), node)

    def alias(self, node: Any, x: Any) -> None:
        """Let the value of ``x`` stand for ``node`` as well, through which no adjoint flows."""
        self.look_at(x)
        if self.belongs(x):
            self.aliases[node] = self.value(x, False)

    def refuse(self, x: Any, what: str) -> None:
        """TraceError if ``x`` is part of the program; else its value is."""
        self.look_at(x)
        if self.knows(x):
            offer = "return it and look at it outside"
            if what in ("bool()", "a comparison", "any()", "all()"):
                offer = (
                    "choose between values with where(condition, a, b), or between computations with "
                    "cond(condition, if_true, if_false, operands)"
                )
            elif what == "tensor() of a list":
                offer = "join the parts with stack([a, b])"
            elif what in ("int()", "float()", "item()", "an index"):
                offer = (
                    "compute with the node itself; to repeat something so many times write while_loop(cond_fn, "
                    "body_fn, carried_inputs), to branch cond(condition, if_true, if_false, operands); or give "
                    "the number as an argument, or " + offer
                )
            raise TraceError(
                f"{where()}: {what} needs the value of {self.shown(x)}, and a program has none yet: {offer}."
            )

    def refuse_change(self, x: Any, *values: Any) -> None:
        """TraceError if ``x`` is part of the program, was there before it, or would get one of its ``values``."""
        if self.belongs(x) or self.older(x):
            raise TraceError(
                f"{where()}: {self.shown(x)} is changed in place, and a program has no place: write w = w - step and "
                "return w."
            )
        for value in leaves(values):
            if self.belongs(value):
                raise TraceError(
                    f"{where()}: a {type(x).__name__} is changed in place by {self.shown(value)}, and a program has no "
                    "place: make a new one with where(), cat() or stack(), or write w = w + step."
                )

    def refuse_random(self) -> None:
        """TraceError, where random numbers are drawn."""
        raise TraceError(
            f"{where()}: random numbers would be drawn once, while tracing, and be the same ones whenever the program "
            "runs: draw them outside and give them as an argument; or switch the module to eval()."
        )

    def refuse_hooks(self) -> None:
        """TraceError if a hook waits for an adjoint that never comes, because the sweep is not part of the program."""
        for node, x in self.nodes.items():
            hooks = getattr(node._step._rule, "hooks", None)
            if hooks and x not in self.captured and node._step._a is not FREED and node.grad is None:
                raise TraceError(
                    f"a hook was left on {self.shown(node)}, and nobody calls it when the program runs: call "
                    "backward() or grad() in the function as well, or register the hook outside, on an argument or "
                    "a result."
                )

    def shown(self, x: Any) -> str:
        """A node in an error message."""
        value = self.nodes.get(x) if isinstance(x, Node) else None
        named = f" {value.name}" if value is not None and not re.fullmatch(r"t\d+", value.name) else ""
        return f"the traced {'scalar' if isinstance(x, Scalar) else f'tensor{named} of shape {x.shape}'}"

    # From nodes and arrays to values

    def older(self, x: Any) -> bool:
        """Whether a node was there before the trace. Scalars do not know."""
        return getattr(x, "_version", sys.maxsize) < self.began.get(type(x), 0)

    def known_as(self, x: Any) -> Var | None:
        """The value that stands for a node or an array; None if none does yet."""
        if isinstance(x, Node):
            found = self.nodes.get(x) or self.aliases.get(x)
            if found is not None or isinstance(x, Scalar) or self.older(x):
                return found
            x = x._data
        return self.arrays.get(id(x))

    def knows(self, x: Any) -> bool:
        """Whether a node or an array depends on the inputs."""
        found = self.known_as(x)
        return (found is not None and found not in self.constants) or (self.outer is not None and self.outer.knows(x))

    def belongs(self, x: Any) -> bool:
        """Whether a node or an array depends on the inputs, or on something outside that may change."""
        return self.knows(x) or (isinstance(x, Node) and x.requires_grad)

    def decides(self, x: Any, operands: Any) -> bool:
        """Whether the result may have the dtype of an operand only because of that, so that no number can stand for it.

        The others that are part of the program have another one; or there are none, and it is not that of a number.
        """
        dtypes = [dtype_name(y.dtype) for y in operands if hasattr(y, "dtype") and self.belongs(y)]
        known = dtypes or ("float64", "int64")
        return hasattr(x, "dtype") and dtype_name(x.dtype) not in known

    def operand(self, x: Any, flows: bool, kept: bool = False) -> Any:
        """A value for an operand; or a number, which has no dtype, for one without dimensions that is not ``kept``."""
        if not hasattr(x, "_rule"):
            if self.knows(x):
                self.refuse(x, "arithmetic with a scalar")
            return x.item() if hasattr(x, "item") else x
        if not self.belongs(x) and (isinstance(x, Scalar) or (not x.ndim and not kept)):
            self.find(x)
            return x._data.item() if hasattr(x._data, "item") else x._data
        return self.value(x, flows and state.recording)

    def value(self, x: Any, flows: bool) -> Var:
        """The value that stands for a node. If an adjoint could flow to it and must not, a detached one."""
        found = self.known_as(x)
        if found is None:
            return self.outside(x)
        if not isinstance(x, Node) or found not in self.differentiable:
            return found
        if x.requires_grad and x not in self.nodes:  # a leaf of its own over the value
            found = self.nodes[x] = self.cut(found)
        return self.cut(found) if flows and not x.requires_grad else found

    def cut(self, x: Var) -> Var:
        """The value through which no adjoint flows to ``x``."""
        if x not in self.detached:
            self.detached[x] = x.like(self.free("t"))
            self.instructions.append(Instruction(DETACH, (x,), (), self.detached[x]))
        return self.detached[x]

    def outside(self, x: Any) -> Var:
        """A value for what the function found outside of its arguments."""
        if self.belongs(x):
            name = self.known.get(x, "")
            found = self.name(x, name if name and name not in self.names else self.free("w"))
            self.captured[found] = x
            return found
        self.find(x)
        if self.knows(x._data):  # it shares the array of something that may change, or that it was once a part of
            constant = self.aliases[x] = self.constant(x._data)
        else:
            constant = self.array(x._data)
        return constant

    def look_at(self, x: Any) -> None:
        """Have the program depend on the value that ``x`` has now, if it is a node from outside that is a constant."""
        if isinstance(x, Node) and not self.belongs(x):
            self.find(x)

    def find(self, x: Node) -> None:
        """Keep in mind that the value of a node is part of the program."""
        self.found[id(x)] = ref(x), x._data

    def parameter(self, x: Any) -> Any:
        """A value in the place of an array; anything else as it is."""
        if isinstance(x, Scalar):
            return self.operand(x, False)
        if isinstance(x, Real) and hasattr(x, "item") and not self.knows(x):
            return x.item()
        return self.array(x) if hasattr(x, "dtype") and hasattr(x, "shape") else x

    def array(self, x: Any) -> Any:
        """The value that stands for an array; a constant if none does."""
        found = self.arrays.get(id(x))
        if found is None:
            if self.outer is not None and self.outer.knows(x):
                return self.outside(over(x))
            found = self.arrays[id(x)] = self.constant(x)
        return found

    def constant(self, x: Any) -> Var:
        """A new constant."""
        found = Var.of(self.free("c"), over(x))
        self.constants[found] = x
        self.kept.append(x)
        return found


def begun() -> dict[type, int]:
    """For each kind of tensors a number that is greater than the version of those that are there already."""
    clocks = {cls: backend.names for backend, cls in BACKENDS.items()}
    for names in clocks.values():
        names["clock"] += 1
    return {cls: names["clock"] for cls, names in clocks.items()}


def over(array: Any) -> Any:
    """A node over an array, which it shares."""
    return backend_of(array).tensor._constant(array)  # type: ignore[union-attr]


def fresh(leaf: Any) -> Any:
    """A leaf of its own that requires grad if it can, over an example; None for what is no number and no array."""
    if isinstance(leaf, Scalar):
        return Scalar(leaf._data)
    if isinstance(leaf, Real) and not isinstance(leaf, bool) and not hasattr(leaf, "dtype"):
        return Scalar(float(leaf))
    if not isinstance(leaf, Node) and not hasattr(leaf, "dtype"):
        return None
    data = leaf._data if isinstance(leaf, Node) else leaf
    own = data.view_as(data) if hasattr(data, "view_as") else data[...] if not data.ndim else data.view()
    return make(own, requires_grad=is_floating(data.dtype))


def argument_names(fn: Any, count: int) -> list[str]:
    """What to call the arguments: as the function does, if that can be found out."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    return names + [f"x{i}" for i in range(len(names), count)]


def names_of_captured(fn: Any) -> dict[Any, str]:
    """What to call nodes that ``fn`` finds outside of its arguments.

    The parameters of a module have names, and what a program captured has; ``fn`` may be one of these, a method of one,
    a transformation of one, or a function that mentions one.
    """
    fn = inspect.unwrap(fn)
    owners = [fn, getattr(fn, "__self__", None)]
    with suppress(TypeError, ValueError):  # no function of Python's, or one that mentions itself too early
        mentioned = inspect.getclosurevars(fn)
        owners += [*mentioned.nonlocals.values(), *mentioned.globals.values()]
    module: Any = getattr(sys.modules.get("autodiff_lab.engine.nn.module"), "Module", ())
    names: dict[Any, str] = {}
    for owner in owners:
        if isinstance(owner, Program):
            names.update((node, x.name) for x, node in owner.captured.items())
        elif isinstance(owner, module):
            labels = ((name.replace(".", "_"), node) for name, node in owner.named_parameters())
            names.update((node, name if name.isidentifier() else f"w{name}") for name, node in labels)
    return names


def name_of(fn: Any) -> str:
    """A name for the program: the function's, if Python takes it as one."""
    name = str(getattr(fn, "__name__", type(fn).__name__)).strip("<>")
    return name if name.isidentifier() and not iskeyword(name) and name not in RESERVED else "program"


def where() -> str:
    """The line of the user's code that runs now, in words."""
    file, line, _ = users_line()
    return f"line {line} of {Path(file).name}"

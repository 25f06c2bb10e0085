"""Functions that are traced when they are called, and run as generated code as long as their arguments are alike."""

from __future__ import annotations

import inspect
from functools import update_wrapper
from threading import RLock
from types import MethodType

from autodiff_lab.engine import rules
from autodiff_lab.engine.anomaly import is_anomaly_enabled
from autodiff_lab.engine.backend import numpy_backend
from autodiff_lab.engine.derivatives import adjoints_of
from autodiff_lab.engine.function import computed_by
from autodiff_lab.engine.handed import handed, is_written
from autodiff_lab.engine.modes import RECORD, current, differentiated, enable_grad, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import Op
from autodiff_lab.engine.scalar import Scalar
from autodiff_lab.engine.static.codegen import Code, generate, tuple_text
from autodiff_lab.engine.static.outside import Outside, is_array, mentioned, static_key
from autodiff_lab.engine.static.passes import optimize
from autodiff_lab.engine.static.program import (
    Instruction,
    Program,
    Var,
    as_node,
    bare_values,
    example,
    vars_in,
    zero_of,
)
from autodiff_lab.engine.static.trace import argument_names, name_of, trace, tracing
from autodiff_lab.engine.structures import leaves, substitute
from autodiff_lab.engine.tensor import make, zero_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MOST = 64  # programs of one function that are kept
COMPILED = Op("compiled", "a", "g")  # what stands in a graph for a call


def compile(fn: Callable[..., Any]) -> Compiled:
    """The function as generated code, which is made when it is called with arguments of new shapes or dtypes.

    Tensors, arrays and lists, tuples and dicts of them are inputs of the program, and so are numbers, unless there are
    arrays among the arguments: then numbers, like everything else, are part of the program, and others give another
    program. Given arrays or floats the result is of arrays and floats, given nodes it is of nodes. Nodes that require
    grad are differentiated by generated code as well, of second order step by step. What ``fn`` does apart from
    computing, such as printing, is done while it is traced only. Also a decorator.

    Tensors found outside that require grad are read at each call. Everything else that the function finds outside is
    part of the program, and other things give another one: numbers, texts, tensors and arrays, lists and dicts of them,
    functions that it calls and what these mention, and modules with their layers, parameters, attributes and whether
    they are in training. What it finds in other places, as in attributes of attributes or in the ``data`` of a Scalar,
    is part of the program as it was, and so are the elements of an array that is no tensor's.

    In `detect_anomaly` the function itself runs, so that the lines that are reported are its own.

    Raises TraceError where a program cannot say what ``fn`` does.
    """
    if not callable(fn):
        raise TypeError(f"compile takes a function; {fn!r:.60} is a {type(fn).__name__}")
    return Compiled(fn)


class Compiled:
    """A compiled function; see `compile`.

    retraces  for each program but the first one, why it was made
    programs  from what was guarded to the program
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn
        self.retraces: list[str] = []
        self.programs: dict[Any, Traced] = {}
        self._calls: dict[bool, list[Callable[..., Any]]] = {True: [], False: []}
        self._own: set[str] = set()  # what the function itself changes while it is traced
        self._lock = RLock()
        update_wrapper(self, fn, updated=())

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<compiled {name_of(self.fn)}, {len(self.programs)} programs>"

    @property
    def program(self) -> Program:
        """The program that was made last. RuntimeError before the first call."""
        return self._last().program

    @property
    def source(self) -> str:
        """The generated code of the program that was made last. RuntimeError before the first call."""
        return self._last().code.source

    @property
    def plan(self) -> Any:
        """Where the program that was made last writes its results, with the bytes in use; None if it has no arrays."""
        return self._last().code.plan

    def _last(self) -> Traced:
        if not self.programs:
            raise RuntimeError(f"{name_of(self.fn)} has not been called yet: its program is made from the arguments")
        return list(self.programs.values())[-1]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        mode = current()
        if mode is RECORD and not kwargs and not differentiated.get():  # the usual call; what follows does the same
            for call in self._calls[True]:
                result = call(args)
                if result is not MISS:
                    return result
            return self._new(args, ())
        if mode.trace is not None:
            return self.fn(*args, **kwargs)
        if kwargs:
            args, names = positional(self.fn, args, kwargs)
        else:
            names = ()
        nested = differentiated.get()
        if nested or mode.observers:
            nodes, bare = as_nodes(args)
            if mode.observers and is_anomaly_enabled():  # it looks at single steps, of the function's own lines
                split = len(nodes) - len(names)
                result = self.fn(*nodes[:split], **dict(zip(names, nodes[split:], strict=True)))
                return bare_values(result, nested) if bare else result
            if nested and bare:
                return bare_values(self._find(nodes, names, mode), True)
        return self._find(args, names, mode)

    def _find(self, args: tuple[Any, ...], names: tuple[str, ...], mode: Any) -> Any:
        """Call the program for arguments like these, which is made if there is none."""
        if not names and mode.hooks is None:
            for call in self._calls[mode.recording]:
                result = call(args)
                if result is not MISS:
                    return result
        return self._new(args, names)

    def _new(self, args: tuple[Any, ...], names: tuple[str, ...]) -> Any:
        """Make a program, or a way to call one with other kinds of arguments, and call it."""
        leaf_names, signature = described(self.fn, args, names)
        outside = [x for x in mentioned(self.fn) if x.label not in self._own]
        key = names, shape_of(args), tuple(x.key for x in signature), tuple(x.key for x in outside)
        with self._lock:
            traced = self.programs.get(key)
            if traced is None:
                reason = self._reason(key, leaf_names, signature, outside)
                traced = Traced(self.fn, args, names, leaf_names, signature, outside)
                now = {x.label: x.key for x in mentioned(self.fn)}
                self._own.update(x.label for x in outside if now.get(x.label) != x.key)
                traced.outside = outside = [x for x in outside if x.label not in self._own]
                key = *key[:3], tuple(x.key for x in outside)
                if reason:
                    self.retraces.append(reason)
                while len(self.programs) >= MOST:
                    self._calls = {True: [], False: []}
                    del self.programs[next(iter(self.programs))]
                self.programs[key] = traced
            elif not traced.fits_captured():
                del self.programs[key]
                self.retraces.append(f"retraced because {traced.misfit()}")
                self._calls = {True: [], False: []}
                traced = self.programs[key] = Traced(self.fn, args, names, leaf_names, signature, outside)
            if state.hooks is not None:
                return traced.step_by_step(args)
            call = traced.call_for(args, signature, state.recording)
            if not names:
                self._calls[state.recording].insert(0, call)
        result = call(args)
        return traced.step_by_step(args) if result is MISS else result  # the function changed what it had found outside

    def _reason(self, key: Any, leaf_names: list[str], signature: list[Leaf], outside: list[Outside]) -> str:
        """Why no program fits, compared with the one that fits best."""
        best = ""
        most = -1
        for known, traced in reversed(self.programs.items()):
            if known[:2] != key[:2]:
                text, alike = "the arguments are of another structure", 0
                if len(known[1][1]) != len(key[1][1]):
                    text = f"there are {len(key[1][1])} arguments, not {len(known[1][1])}"
            else:
                pairs = list(zip(leaf_names, signature, traced.signature, strict=True))
                alike = 1 + sum(x == y for _, new, old in pairs for x, y in zip(new.key, old.key, strict=False))
                text = " and ".join(new.difference(name, old) for name, new, old in pairs if new.key != old.key)
                found = zip(outside, traced.outside, strict=False)
                text = text or " and ".join(x.difference(y) for x, y in found if x.key != y.key)
            if alike > most:
                best, most = f"retraced because {text}", alike
        return best


def clock_of(x: Any) -> int:
    """How many changes in place there have been of tensors like this one; what its version is not greater than."""
    return 0 if isinstance(x, Scalar) else max(int(x._backend.names["clock"]), int(x._version))


def is_changed(x: Any, clock: int) -> bool:
    """Whether the elements of a node, whose array is the same, are other ones than at ``clock``."""
    return not isinstance(x, Scalar) and (x._version > clock or (bool(handed) and is_written(x, clock)))


MISS = object()  # what a call returns for arguments that do not fit


class Leaf:
    """What is known of one argument, or of one value in it.

    key     what a program depends on
    node    whether it is a node, and "grad" if that requires grad
    type    Python's type
    held    what is part of the program
    """

    __slots__ = ("held", "key", "node", "type")

    def __init__(self, x: Any, static: bool, recording: bool) -> None:
        self.type = type(x)
        self.held: Any = None
        self.node = ""
        self.key: Any
        if isinstance(x, Node):
            self.node = "grad" if recording and x.requires_grad else "node"
            self.key = "value", *Var.of("", x).type
        elif hasattr(x, "dtype") and hasattr(x, "shape"):
            self.key = "value", *Var.of("", make(x)).type
        elif type(x) in (int, float) and not static:
            self.key = "value", *Var("", "scalar", (), "float64").type
        else:
            self.held = x
            self.key = "static", *static_key(x)

    @property
    def is_value(self) -> bool:
        """Whether it is an input of the program, not a part of it."""
        return bool(self.key[0] == "value")

    def difference(self, name: str, old: Leaf) -> str:
        """In words, how it differs from ``old``."""
        if not self.is_value or not old.is_value:
            new, before = (x.shown() for x in (self, old))
            hint = " (a number beside arrays is part of the program; an array is an input)"
            return f"{name} is {new}, not {before}{hint if self.type in (int, float) else ''}"
        words = ("kind", "shape", "dtype", "device")
        parts = [
            f"{word} {new}, not {before}"
            for word, new, before in zip(words, self.key[1:], old.key[1:], strict=True)
            if new != before
        ]
        return f"{name} has {' and '.join(parts)}"

    def shown(self) -> str:
        """The leaf in a message."""
        return f"{self.held!r:.60}" if not self.is_value else f"of kind {self.key[1]}"


def as_nodes(args: tuple[Any, ...]) -> tuple[Any, bool]:
    """Arguments with a node for each value that is an input of a program; and whether none of them was a node."""
    flat = list(leaves(args))
    numbers = () if any(hasattr(x, "dtype") for x in flat) else (int, float)

    def node(x: Any) -> Any:
        if isinstance(x, Node):
            return x
        return make(x) if is_array(x) else Scalar(x, requires_grad=False) if type(x) in numbers else x

    return substitute(node, args), not any(isinstance(x, Node) for x in flat)


class Static:
    """Something that is part of the program: tracing leaves it as it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def unwrapped(structure: Any) -> Any:
    """A structure with the numbers themselves."""
    return substitute(lambda x: x.value if isinstance(x, Static) else x, structure)


def positional(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Arguments in order, those that have to be named at the end; and their names."""
    try:
        bound = inspect.signature(fn).bind(*args, **kwargs)
    except (TypeError, ValueError):
        bound = None
    if bound is not None:
        args, kwargs = bound.args, bound.kwargs
    return (*args, *kwargs.values()), tuple(kwargs)


def described(fn: Any, args: tuple[Any, ...], names: tuple[str, ...]) -> tuple[list[str], list[Leaf]]:
    """What to call each value in the arguments, and what is known of it."""
    flat = list(leaves(args))
    static = any(hasattr(x, "dtype") for x in flat)
    signature = [Leaf(x, static, state.recording) for x in flat]
    tops = [*argument_names(fn, len(args) - len(names)), *names]
    return [name for top, arg in zip(tops, args, strict=True) for name in paths(arg, top)], signature


def paths(structure: Any, name: str) -> Iterator[str]:
    """Where the leaves of an argument are: ``p[0]``."""
    if isinstance(structure, dict):
        for key, part in structure.items():
            yield from paths(part, f"{name}[{key!r}]")
    elif isinstance(structure, (list, tuple)):
        for i, part in enumerate(structure):
            yield from paths(part, f"{name}[{i}]")
    else:
        yield name


def shape_of(structure: Any) -> Any:
    """Lists, tuples and dicts without what they hold."""
    if isinstance(structure, dict):
        return dict, tuple(structure), tuple(map(shape_of, structure.values()))
    if isinstance(structure, (list, tuple)):
        return type(structure), tuple(map(shape_of, structure))
    return None


class Traced:
    """A program with its code, and how it is called."""

    def __init__(
        self,
        fn: Any,
        args: tuple[Any, ...],
        names: tuple[str, ...],
        leaf_names: list[str],
        signature: list[Leaf],
        outside: list[Outside],
    ) -> None:
        self.signature = signature
        self.outside = outside
        self.leaf_names = leaf_names
        split = len(args) - len(names)
        given = iter(signature)
        examples = substitute(lambda x: x if next(given).is_value else Static(x), tuple(args))

        def function(*traced: Any) -> Any:
            plain = unwrapped(traced)
            return fn(*plain[:split], **dict(zip(names, plain[split:], strict=True)))

        function.__name__ = name_of(fn)
        parameters = [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in (*argument_names(fn, split), *names)
        ]
        function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        program, record = tracing(function, examples)
        found = record.found.values()
        del record
        self.program = optimize(program)
        # the function made those that are gone
        self.found = [(key, data, clock_of(key())) for key, data in found if key() is not None]
        self.program.inputs = unwrapped(self.program.inputs)
        self.code: Code = generate(self.program)
        self._gradients: dict[tuple[bool, ...], Gradient] = {}

    def fits_captured(self) -> bool:
        """Whether what was captured still is what it was."""
        return not self.misfit()

    def misfit(self) -> str:
        """What is not as it was among the captured nodes, in words."""
        for x, node in self.program.captured.items():
            now = Var.of(x.name, node)
            if now.type != x.type:
                return f"a captured tensor is {now.text}, not {x.text}"
        for found, data, clock in self.found:
            node = found()
            if node is None or node._data is not data or is_changed(node, clock):
                return "a tensor that was found outside, and does not require grad, has changed"
            if node.requires_grad:
                return "a tensor that was found outside requires grad now"
        return ""

    def step_by_step(self, args: tuple[Any, ...]) -> Any:
        """Run it on nodes, so that each step is recorded."""
        return self.program(*args)

    # Calls

    def call_for(self, args: tuple[Any, ...], signature: list[Leaf], recording: bool) -> Callable[..., Any]:
        """A function of the tuple of arguments that checks them, and runs the code; MISS if they do not fit.

        It is generated: the checks are written out for these arguments.
        """
        captured = list(self.program.captured.items())
        nodes = any(leaf.node for leaf in signature)
        tracked = [leaf.node == "grad" for leaf in signature if leaf.is_value]
        tracked += [recording and nodes and node.requires_grad for _, node in captured]
        writer = Guards(signature, recording)
        writer.structure(args, "args")
        for number, (x, node) in enumerate(captured):
            writer.captured(number, x, node, nodes)
        writer.outside(self.outside, self.found)
        outputs = vars_in(self.program.outputs)
        lines = writer.lines
        values = ", ".join(writer.values)
        results = [f"y{i}" for i in range(len(outputs))]
        if any(tracked):
            writer.names["gradient"] = self.gradient(tuple(tracked))
            operands = ", ".join(writer.nodes)
            lines.append(f"{tuple_text(results)} = gradient.forward(({values},), ({operands},))")
        else:
            writer.names["run"] = self.code.function
            lines.append(f"{tuple_text(results)} = run({values})")
            if nodes:
                for result, x in zip(results, outputs, strict=True):
                    writer.names["as_result"] = as_result
                    writer.names[f"type_{result}"] = x
                    lines.append(f"{result} = as_result({result}, type_{result})")
        lines.append(f"return {returned(self.program.outputs, iter(results), writer.names)}")
        source = "\n".join(["def call(args):", *rules.indented(lines)]) + "\n"
        made: Callable[..., Any] = rules.compile_source(source, f"call of {self.program.name}", writer.names)["call"]
        return made

    def gradient(self, tracked: tuple[bool, ...]) -> Gradient:
        """The code that also computes adjoints, of those values that are ``tracked``."""
        if tracked not in self._gradients:
            self._gradients[tracked] = Gradient(self.program, tracked)
        return self._gradients[tracked]


def as_result(y: Any, x: Var) -> Any:
    """What generated code has computed as a node of the kind of ``x``."""
    if x.kind == "numpy":
        backend = numpy_backend()
        if type(y) is backend.array:  # not a number of NumPy's
            return backend.tensor._constant(y)
    return as_node(y, x)


def returned(structure: Any, results: Iterator[str], names: dict[str, Any]) -> str:
    """The expression for what is returned."""
    if isinstance(structure, dict):
        return f"{{{', '.join(f'{key!r}: {returned(part, results, names)}' for key, part in structure.items())}}}"
    if isinstance(structure, (list, tuple)):
        parts = [returned(part, results, names) for part in structure]
        if hasattr(structure, "_fields"):
            names[f"make_{len(names)}"] = type(structure)
            return f"make_{len(names) - 1}({', '.join(parts)})"
        return f"[{', '.join(parts)}]" if isinstance(structure, list) else tuple_text(parts)
    if isinstance(structure, Var):
        return next(results)
    names[f"fixed_{len(names)}"] = structure
    return f"fixed_{len(names) - 1}"


class Guards:
    """Writes the checks of arguments down.

    lines   the statements so far
    values  expressions for the bare values
    nodes   names of the nodes among them; "None" for one that is bare
    """

    def __init__(self, signature: list[Leaf], recording: bool) -> None:
        self.signature = iter(signature)
        self.recording = recording
        self.lines: list[str] = []
        self.values: list[str] = []
        self.nodes: list[str] = []
        self.names: dict[str, Any] = {"MISS": MISS, "FLOAT": {float}}
        self.count = 0

    def name(self, prefix: str, value: Any) -> str:
        """A name for an object."""
        for name, known in self.names.items():
            if known is value and name.startswith(prefix):
                return name
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def unless(self, condition: str) -> None:
        """Give up if a condition does not hold."""
        self.lines += [f"if not ({condition}):", "    return MISS"]

    def fresh(self) -> str:
        """A name for a local value."""
        self.count += 1
        return f"x{self.count}"

    def structure(self, structure: Any, name: str) -> None:
        """Check a list, tuple or dict, and everything in it."""
        self.unless(f"type({name}) is {self.name('type_', type(structure))} and len({name}) == {len(structure)}")
        parts = list(structure.values()) if isinstance(structure, dict) else list(structure)
        if isinstance(structure, dict):
            self.unless(f"tuple({name}) == {self.name('keys_', tuple(structure))}")
        if not parts:
            return
        inner = [self.fresh() for _ in parts]
        target = tuple_text(inner)
        if all(type(x) is float for x in parts) and self.peek(len(parts)):
            self.unless(f"{{*map(type, {name})}} == FLOAT")
            self.lines.append(f"{target} = {name}")
            self.values += inner
            self.nodes += ["None"] * len(inner)
            return
        self.lines.append(f"{target} = {name}{'.values()' if isinstance(structure, dict) else ''}")
        for part, own in zip(parts, inner, strict=True):
            if isinstance(part, (list, tuple, dict)):
                self.structure(part, own)
            else:
                self.leaf(part, own, next(self.signature))

    def peek(self, count: int) -> bool:
        """Take the next leaves if all of them are floats that are inputs."""
        taken = [next(self.signature) for _ in range(count)]
        if all(leaf.is_value for leaf in taken):
            return True
        self.signature = iter([*taken, *self.signature])
        return False

    def leaf(self, x: Any, name: str, leaf: Leaf) -> None:
        """Check one value."""
        if not leaf.is_value:
            value = self.name("value_", x)
            self.unless(self.alike(x, name, value))
            return
        self.unless(f"type({name}) is {self.name('type_', leaf.type)}")
        if leaf.node:
            if self.recording:
                self.unless(f"{name}._rule is {'not ' * (leaf.node == 'grad')}None")
            self.nodes.append(name)
            data = self.fresh()
            self.lines.append(f"{data} = {name}._data")
            name = data
        else:
            self.nodes.append("None")
        kind, shape, _, device = leaf.key[1:]
        if kind == "scalar":
            self.values.append(name if leaf.type is not int else f"{self.name('to_', float)}({name})")
            return
        array = x._data if isinstance(x, Node) else x
        self.array(name, array, kind, shape, device)

    def alike(self, x: Any, name: str, value: str) -> str:
        """Whether what is called ``name`` has the key of ``x``, which is called ``value``."""
        known = static_key(x)[1]
        if type(known) is int:
            return f"{name} is {value}"
        plain = f"{name} == {value}"
        if isinstance(x, (float, frozenset)) and not (isinstance(x, float) and x * 0 == 0 != x):
            plain = f"repr({name}) == {known!r}"
        return f"{name} is {value} or type({name}) is type({value}) and {plain}"

    def outside(self, mentioned: list[Outside], found: list[Any]) -> None:
        """Check what the function finds outside."""
        for x in mentioned:
            self.names.update(x.names)
            value = self.name("value_", x.value)
            name = self.fresh()
            self.lines.append(f"{name} = {x.where}")
            self.unless(self.alike(x.value, name, value))
        for reference, data, clock in found:
            self.names.update(handed=handed, is_written=is_written)
            name = self.fresh()
            self.lines.append(f"{name} = {self.name('found_', reference)}()")
            held = self.name("data_", data)
            self.unless(f"{name} is not None and {name}._data is {held} and {name}._rule is None")
            if not isinstance(reference(), Scalar):
                self.unless(f"{name}._version <= {clock} and not (handed and is_written({name}, {clock}))")

    def array(self, name: str, array: Any, kind: str, shape: tuple[int, ...], device: str) -> None:
        """Check an array."""
        dtype = self.name("dtype_", array.dtype)
        text = f"{name}.shape == {shape} and {name}.dtype == {dtype}"
        if kind == "torch":
            text += f" and {name}.device == {self.name('device_', array.device)}"
        self.unless(text)
        self.values.append(name)

    def captured(self, number: int, x: Var, node: Any, nodes: bool) -> None:
        """Check a captured node and take its value."""
        name = f"w{number}"
        held = self.name("captured_", node)
        if nodes and self.recording:
            self.unless(f"{held}._rule is {'not ' * node.requires_grad}None")
        self.lines.append(f"{name} = {held}._data")
        self.nodes.append(held)
        if x.kind == "scalar":
            self.values.append(name)
        else:
            self.array(name, node._data, x.kind, x.shape, x.device)


class Gradient:
    """A program with that of its adjoints: what the second one needs of the first is handed over.

    The first has the outputs and, besides, all values that the steps of the second read; so nothing is computed twice.
    """

    def __init__(self, program: Program, tracked: tuple[bool, ...]) -> None:
        self.tracked = tracked
        self.given = [*vars_in(program.inputs), *program.captured]
        self.outputs = vars_in(program.outputs)
        self.flat = Program(program.name, tuple(self.given), {}, program.constants, program.instructions, self.outputs)
        self.depending = depending(self.flat, tracked)
        self.flowing = [i for i, x in enumerate(self.outputs) if "float" in x.dtype]
        adjoints_of = [example(self.outputs[i]) for i in self.flowing]
        both = optimize(trace(self.sweep, [example(x) for x in self.given], adjoints_of))
        values, adjoints = both.inputs
        results, shares = both.outputs
        forward: set[Instruction] = set()
        wanted = set(vars_in(results))
        for step in reversed(both.instructions):
            if wanted.intersection(step.writes):
                forward.add(step)
                wanted.update(step.reads)
        first = [step for step in both.instructions if step in forward]
        second = [step for step in both.instructions if step not in forward]
        written = {x for step in second for x in step.writes}
        read = dict.fromkeys(x for step in second for x in step.reads)
        read.update(dict.fromkeys(vars_in(shares)))
        known = written.union(both.constants, adjoints)
        self.saved = [x for x in read if x not in known]
        self.checked = [x in set(self.saved) for x in values]
        self.code = generate(part(both, (values,), first, (results, self.saved)))
        self.pullback = generate(part(both, (self.saved, adjoints), second, shares))

    def sweep(self, values: Any, adjoints: Any) -> Any:
        """The outputs, and the adjoint of each tracked value."""
        outputs = self.flat(*values)
        shares = self.shares(values, outputs, dict(zip(self.flowing, adjoints, strict=True)), False)
        return outputs, [share for share in shares if share is not None]

    def shares(self, values: Any, outputs: Any, adjoints: dict[int, Any], create_graph: bool) -> list[Any]:
        """The adjoints of the values, None where one is not tracked."""
        wanted = [x for x, tracked in zip(values, self.tracked, strict=True) if tracked]
        given = {i: g for i, g in adjoints.items() if g is not None}
        found = adjoints_of(wanted, [outputs[i] for i in given], given.values(), create_graph)
        shares = iter([zero_like(x) if g is None else g for g, x in zip(found, wanted, strict=True)])
        return [next(shares) if tracked else None for tracked in self.tracked]

    def forward(self, values: tuple[Any, ...], nodes: tuple[Any, ...]) -> list[Any]:
        """The outputs as nodes that know where they come from."""
        found = self.code.function(*values)
        results = [as_result(y, x) for y, x in zip(found, self.outputs, strict=False)]
        saved = found[len(self.outputs) :]
        del found
        operands = tuple(
            as_node(value, x) if node is None else node
            for value, node, x in zip(values, nodes, self.given, strict=True)
        )
        clocks = [0 if isinstance(x, Scalar) else x._backend.names["clock"] for x in operands]

        def backward(adjoints: list[Any]) -> list[Any]:
            for x, clock, read in zip(operands, clocks, self.checked, strict=True):
                if read and getattr(x, "_version", 0) > clock:
                    raise RuntimeError(
                        f"{self.flat.name} was computed from a tensor of shape {x.shape} that was changed in place "
                        "afterwards. Change it after backward(), or call it with x.clone()."
                    )
            if state.recording:
                return self.again(operands, adjoints)
            gs = [(zero_of(self.outputs[i]) if adjoints[i] is None else adjoints[i])._data for i in self.flowing]
            shares = iter(self.pullback.function(*saved, *gs))
            wanted = [x for x, tracked in zip(self.given, self.tracked, strict=True) if tracked]
            made = iter([as_node(share, x) for share, x in zip(shares, wanted, strict=True)])
            return [next(made) if tracked else None for tracked in self.tracked]

        computed_by(COMPILED, operands, results, backward)
        for y, depends in zip(results, self.depending, strict=True):
            if not depends:
                y._rule = y._a = None
        return results

    def again(self, operands: tuple[Any, ...], adjoints: list[Any]) -> list[Any]:
        """The adjoints as nodes that can be differentiated: everything once more, step by step."""
        with enable_grad():
            inputs = [x.clone() if tracked else x for x, tracked in zip(operands, self.tracked, strict=True)]
            outputs = self.flat(*inputs)
            return self.shares(inputs, outputs, {i: adjoints[i] for i in self.flowing}, True)


def depending(program: Program, tracked: tuple[bool, ...]) -> list[bool]:
    """For each output whether an adjoint flows from there to a value that is tracked."""
    found = {x for x, wanted in zip(vars_in(program.inputs), tracked, strict=True) if wanted}
    for step in program.instructions:
        flow = any(isinstance(x, Program) for x in step.params)
        if not found.isdisjoint(step.reads if flow else vars_in(step.operands) if any(step.op.adjoints) else ()):
            found.update(x for x in step.writes if "float" in x.dtype)
    return [x in found for x in vars_in(program.outputs)]


def part(program: Program, inputs: Any, steps: list[Instruction], outputs: Any) -> Program:
    """Some of the steps of a program as one of their own."""
    whole = Program(program.name, inputs, program.captured, program.constants, steps, outputs)
    return whole.with_instructions(steps, outputs)

"""From a program to one straight-line Python function, on floats, on NumPy or on torch arrays.

The function takes the values of the inputs and of what is captured, in order, and returns a tuple of the outputs.
Nothing is checked, and no node is made: that is up to `compiled.py`.
"""

from __future__ import annotations

import ast
import hashlib
from keyword import iskeyword
from types import FunctionType

from autodiff_lab.engine import ieee, ops, rules
from autodiff_lab.engine.array_rules import forward_text
from autodiff_lab.engine.backend import bound, torch_backend
from autodiff_lab.engine.modes import no_grad
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import TABLE
from autodiff_lab.engine.rules import indented
from autodiff_lab.engine.static.memory_plan import ALIGNMENT, Plan, reached, shown_whole
from autodiff_lab.engine.static.passes import shown_by
from autodiff_lab.engine.static.printing import number
from autodiff_lab.engine.static.program import DETACH, Instruction, Program, Var, as_node, matched, vars_in
from autodiff_lab.engine.static.steps import Lowering, arguments_of, kind_of
from autodiff_lab.engine.structures import leaves, substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from autodiff_lab.engine.static.steps import Step, Value

DEPTH = 24  # of nested expressions; Python's parser takes about a hundred


class Code:
    """Generated code.

    source    its text
    function  values -> tuple of outputs; threads may call it at the same time
    plan      where results are written; None if nothing is planned
    """

    def __init__(self, source: str, function: Callable[..., tuple[Any, ...]], plan: Plan | None = None) -> None:
        self.source = source
        self.function = function
        self.plan = plan


def generate(program: Program) -> Code:
    """The program as one function of its values."""
    kinds = {x.kind for x in (*arguments(program), *program.constants)}
    kinds.update(x.kind for step in program.instructions for x in step.writes)
    if kinds <= {"scalar"}:
        return scalar_code(program)
    return torch_code(program) if kinds <= {"torch"} else numpy_code(program)


def arguments(program: Program) -> list[Var]:
    """The values that the function takes."""
    return [*vars_in(program.inputs), *program.captured]


def is_row(step: Instruction) -> bool:
    """Whether a step is a formula on values of one kind; control flow is not."""
    kinds = {x.kind for x in (*step.reads, *step.writes)}
    return len(kinds) == 1 and (TABLE.get(step.op.name) is step.op or step.op is DETACH)


def compiled(source: str, name: str, names: dict[str, Any]) -> dict[str, Any]:
    """What a generated module defines; its lines are shown in tracebacks."""
    digest = hashlib.sha256(source.encode()).hexdigest()[:8]
    return rules.compile_source(source, f"program {name} {digest}", names)


def tuple_text(texts: list[str]) -> str:
    """A tuple of expressions."""
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


class Names:
    """What values are called in generated code: as in the program, unless the name is taken."""

    def __init__(self, taken: Any) -> None:
        self.taken = set(taken)
        self.of: dict[Var, str] = {}

    def __getitem__(self, x: Var) -> str:
        if x not in self.of:
            name = x.name
            while name in self.taken or iskeyword(name):
                name += "_"
            self.taken.add(name)
            self.of[x] = name
        return self.of[x]


# What is no formula


class Runner(Program):
    """A branch or a body as compiled code that is called with nodes."""

    def __init__(self, program: Program) -> None:
        self.__dict__.update(program.__dict__)
        self.run = generate(program).function

    def __call__(self, *args: Any) -> Any:
        pairs = [(x, given) for want, arg in zip(self.inputs, args, strict=True) for x, given in matched(want, arg, "")]
        found = iter(self.run(*(given._data if isinstance(given, Node) else given for _, given in pairs)))
        return substitute(lambda x: as_node(next(found), x) if isinstance(x, Var) else x, self.outputs)


def called(step: Instruction) -> Callable[..., tuple[Any, ...]]:
    """A step as a function from the values it reads to those it writes."""
    params = tuple(Runner(x) if isinstance(x, Program) else x for x in step.params)
    inner = Instruction(step.op, step.operands, params, step.result)
    reads = list(dict.fromkeys(step.reads))

    def call(*values: Any) -> tuple[Any, ...]:
        with no_grad():
            result = inner.run({x: as_node(value, x) for x, value in zip(reads, values, strict=True)})
        pairs = zip(leaves(step.result), leaves(result), strict=True)
        return tuple(as_node(y, x)._data for x, y in pairs if isinstance(x, Var))

    return call


def call_line(step: Instruction, number: int, names: Names, found: dict[str, Any]) -> str:
    """The line for a step that is called."""
    found[f"call_{number}"] = called(step)
    reads = ", ".join(names[x] for x in dict.fromkeys(step.reads))
    return f"{tuple_text([names[x] for x in step.writes])} = call_{number}({reads})  # {step.op.name}"


# Scalars


def scalar_code(program: Program) -> Code:
    """A function on floats. A value that is used once stands where it is used.

    Where Python raises and IEEE arithmetic has an answer, a second version of the function is run instead.
    """
    found: dict[str, Any] = {}
    names = Names({*rules.VALUES, *ops.HELPERS, "div", "careful"})
    given = [names[x] for x in arguments(program)]
    lines = scalar_lines(program, names, found)
    outputs = [names[x] for x in vars_in(program.outputs)]
    head = f"({', '.join(given)}):"
    body = [*lines, f"return {tuple_text(outputs)}"]
    if not any(rules.may_raise(line) for line in body[:-1]):
        source = "\n".join([f"def run{head}", *indented(body)]) + "\n"
        return Code(source, compiled(source, program.name, {**rules.VALUES, **found})["run"])
    guarded = [
        "try:",
        *indented(body),
        "except (ArithmeticError, ValueError):",
        f"    return careful({', '.join(given)})",
    ]
    source = "\n".join([f"def run{head}", *indented(guarded)]) + "\n"
    space = {**helpers(rules.VALUES), **found}
    made: list[Any] = []

    def careful(*values: float) -> Any:
        if not made:
            text = "\n".join([f"def run{head}", *indented(list(map(carefully, body)))]) + "\n"
            made.append(compiled(text, f"{program.name}, carefully", {**helpers(ieee.NAMESPACE), **found})["run"])
        return made[0](*values)

    space["careful"] = careful
    return Code(source, compiled(source, program.name, space)["run"])


def helpers(names: dict[str, Any]) -> dict[str, Any]:
    """A namespace with the functions that formulas call."""
    space = dict(names)
    for name, function in ops.HELPERS.items():
        space.setdefault(name, bound(function, space))
    return space


def carefully(line: str) -> str:
    """A statement with IEEE division."""
    name, equals, text = line.partition(" = ")
    return f"{name} = {ieee.careful(text)}" if equals else line


def scalar_lines(program: Program, names: Names, found: dict[str, Any]) -> list[str]:
    """The statements of a program of scalars."""
    uses: dict[Var, int] = {}
    for x in (*(x for step in program.instructions for x in step.reads), *2 * vars_in(program.outputs)):
        uses[x] = uses.get(x, 0) + 1
    decide = {step.params[0] for step in program.instructions if is_choice(step)}
    decide -= {*vars_in(program.outputs), *(x for step in program.instructions for x in vars_in(step.operands))}
    waiting: dict[Var, tuple[ast.expr, int]] = {}  # expressions that go where they are used, and their depth
    lines: list[str] = []

    def write(x: Var, tree: ast.expr) -> None:
        lines.append(f"{names[x]} = {ast.unparse(ast.fix_missing_locations(tree))}")

    for position, step in enumerate(program.instructions):
        tree = scalar_formula(step)
        if tree is None:
            for x in dict.fromkeys(step.reads):
                if x in waiting:
                    write(x, waiting.pop(x)[0])
            lines.append(call_line(step, position, names, found))
            continue
        occurring = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
        depth = 1
        values: dict[str, ast.expr] = {}
        for letter, x in zip(("a", "b", *step.op.params), (*step.operands, *step.params), strict=False):
            if not isinstance(x, Var):
                values[letter] = ast.parse(number(x), mode="eval").body
            elif x in waiting and occurring.count(letter) == 1:
                values[letter], inner = waiting.pop(x)
                depth = max(depth, inner + 1)
            else:
                if x in waiting:
                    write(x, waiting.pop(x)[0])
                values[letter] = ast.Name(names[x], ast.Load())
        tree = Operands(values).visit(tree)
        result = step.writes[0]
        if isinstance(tree, ast.Compare) and result not in decide:
            tree = ast.Call(ast.Name("float", ast.Load()), [tree], [])
        if uses.get(result) == 1 and depth < DEPTH:
            waiting[result] = tree, depth
        else:
            write(result, tree)
    return lines


def is_choice(step: Instruction) -> bool:
    """Whether a step is ``where(condition, a, b)``."""
    return step.op.forward == "where(condition, a, b)"


def scalar_formula(step: Instruction) -> ast.expr | None:
    """The formula of a step on numbers; None if it is none."""
    if not is_row(step):
        return None
    if is_choice(step):
        return ast.parse("a if condition else b", mode="eval").body
    tree = ast.parse(step.op.forward, mode="eval").body
    return tree if step.op.on_numbers or isinstance(tree, ast.Compare) else None


class Operands(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


# Torch


def torch_code(program: Program) -> Code:
    """A function on torch arrays; what is not needed any more is let go of."""
    backend = torch_backend()
    backend.look_up_helpers()
    space = dict(backend.names)
    names = Names(space)
    given = [names[x] for x in arguments(program)]
    space.update({names[x]: array for x, array in program.constants.items()})
    last: dict[Var, int] = {}
    for position, step in enumerate(program.instructions):
        last.update(dict.fromkeys((*step.writes, *step.reads), position))
    for x in (*program.constants, *vars_in(program.outputs)):
        last.pop(x, None)
    lines = []
    for position, step in enumerate(program.instructions):
        if not is_row(step):
            lines.append(call_line(step, position, names, space))
        else:
            a, b = arguments_of(step)
            values = {"a": a, "b": b, **dict(zip(step.op.params, step.params, strict=True))}
            trees = {
                letter: ast.parse(torch_literal(x, names, space), mode="eval").body for letter, x in values.items()
            }
            text = forward_text(step.op, kind_of(step), backend) if step.op is not DETACH else "a"
            tree = Operands(trees).visit(ast.parse(text, mode="eval").body)
            lines.append(f"{names[step.writes[0]]} = {ast.unparse(tree)}")
        ended = [names[x] for x in dict.fromkeys((*step.reads, *step.writes)) if last.get(x) == position]
        lines += [f"del {', '.join(ended)}"] * bool(ended)
    outputs = [names[x] + ".clone()" * (x in program.constants) for x in vars_in(program.outputs)]
    lines.append(f"return {tuple_text(outputs)}")
    source = "\n".join([f"def run({', '.join(given)}):", *indented(lines)]) + "\n"
    return Code(source, compiled(source, program.name, space)["run"])


def torch_literal(x: Any, names: Names, space: dict[str, Any]) -> str:
    """An operand or a parameter as text; what cannot be written is given a name."""
    if isinstance(x, Var):
        return names[x]
    if x is None or isinstance(x, (bool, int, float, str)):
        return number(x)
    if isinstance(x, (list, tuple)):
        parts = [torch_literal(part, names, space) for part in x]
        return f"[{', '.join(parts)}]" if isinstance(x, list) else tuple_text(parts)
    if isinstance(x, slice):
        return f"slice({', '.join(torch_literal(part, names, space) for part in (x.start, x.stop, x.step))})"
    name = f"parameter_{sum(1 for known in space if known.startswith('parameter_'))}"
    space[name] = x
    return name


# NumPy


def numpy_code(program: Program) -> Code:
    """A function on NumPy arrays that writes its results into planned memory."""
    import numpy as np

    lowering = Lowering()
    for x in arguments(program):
        lowering.given(x)
    for x, array in program.constants.items():
        lowering.constant(x, array)
    given = [lowering.values[x].name for x in arguments(program)]
    for position, step in enumerate(program.instructions):
        if is_row(step) and step.writes[0].kind == "numpy":
            lowering.instruction(step)
        else:
            lowering.other(step, f"call_{position}", called(step))
    outputs = [lowering.values[x] for x in vars_in(program.outputs)]
    steps_of = {x: step for step in program.instructions for x in step.writes}
    shown: dict[Value, Var] = {lowering.values[x]: x for x in (*arguments(program), *program.constants)}
    own = []  # whether an output is no argument and none of the others, unless the program says so
    for x in vars_in(program.outputs):
        whole_of = shown_by(x, steps_of)
        own.append(shown.setdefault(base_of(lowering.values[x]), whole_of) is whole_of)
    steps = needed(lowering.steps, outputs)
    plan = Plan(steps, outputs)
    writer = Writer(lowering, plan)
    body = [line for number, step in enumerate(steps) for line in writer.step(number, step)]
    returned = []
    for y, is_own in zip(outputs, own, strict=True):
        body += writer.shown(y)
        returned.append(f"{y.name}.copy()" if y.shape and (base_of(y).place == "constant" or not is_own) else y.name)
    body.append(f"return {tuple_text(returned)}")
    if lowering.silent:
        lowering.names["errstate"] = np.errstate
        body = ['with errstate(all="ignore"):', *indented(body)]
    source = f"# {plan}\n"
    if writer.workspace:
        source += "\n".join(["def workspace(buffer):", *indented(writer.workspace), "    return locals()"]) + "\n\n\n"
    source += "\n".join([f"def run({', '.join(given)}):", *indented(body)]) + "\n"
    names = {name: value for name, value in lowering.names.items() if value is not None}
    made = compiled(source, program.name, names)
    if not writer.workspace:
        return Code(source, made["run"], plan)
    return Code(source, with_workspaces(made["run"], made["workspace"], names, plan.workspace), plan)


def needed(steps: list[Step], outputs: list[Value]) -> list[Step]:
    """Without the steps whose results nothing reads."""
    read = {y for x in outputs for y in reached(x)}
    kept = []
    for step in reversed(steps):
        if not read.isdisjoint((step.out, *step.more)):
            kept.append(step)
            for x in step.inputs:
                if x not in read:
                    read |= reached(x)
    return kept[::-1]


def base_of(x: Value) -> Value:
    """The value whose memory ``x`` shows."""
    while x.base is not None:
        x = x.base
    return x


class Writer:
    """Writes steps down, and each view when it is first needed, or before everything else if that is possible."""

    def __init__(self, lowering: Lowering, plan: Plan) -> None:
        self.plan = plan
        self.lowering = lowering
        self.workspace: list[str] = []
        self.written: set[Value] = set()

    def moves(self, x: Value) -> bool:
        """Whether a value is somewhere else in each call."""
        x = base_of(x)
        return not (x.place == "constant" or (x in self.plan.place and not self.plan.place[x].kept))

    def shown(self, x: Value) -> list[str]:
        """The lines that make a view, if there are none yet."""
        views = []
        while x.base is not None and x not in self.written:
            views.append(x)
            x = x.base
        if not views:
            return []
        self.written.update(views)
        lines = [f"{view.name} = {view.template.format(view.base.name)}" for view in reversed(views) if view.base]
        if self.moves(x):
            return lines
        self.workspace += lines
        return []

    def step(self, number: int, step: Step) -> list[str]:
        """The lines of a step."""
        lines = [line for x in step.inputs for line in self.shown(x)]
        out = step.out
        if out.place == "buffer":
            block = self.plan.place[out]
            first = block.values[0]
            if not block.kept:
                make = f"buffer({block.offset}, {out.shape}, {str(out.dtype)!r})"
                self.workspace.append(f"{out.name} = {make}")
            elif out is first:
                lines.append(f"{out.name} = empty({out.shape}, {str(out.dtype)!r})")
                self.lowering.need("empty")
            else:
                before = block.values[block.values.index(out) - 1]
                same = before.dtype == out.dtype
                lines.append(f"{out.name} = {before.name}{'' if same else f'.view({str(out.dtype)!r})'}")
            shown = shown_whole(step.inputs[0]) if step.in_place == "first" else out
            if shown is None or self.plan.place.get(shown) is not block:
                self.lowering.need("copyto")
                lines.append(f"copyto({out.name}, {step.inputs[0].name})")
        lines.append(step.template.format(*(x.name for x in step.inputs), out=out.name))
        ended = [
            x.name
            for x in dict.fromkeys((*step.inputs, out))
            if x.place == "loose" and x.shape and self.plan.last.get(x) == number
        ]
        return [*lines, f"del {', '.join(ended)}"] if ended else lines


def with_workspaces(run: FunctionType, workspace: Any, names: dict[str, Any], size: int) -> Callable[..., Any]:
    """The function, with a workspace of its own for each call that goes on at the same time."""
    import numpy as np

    idle: list[Any] = []  # versions of the function that no thread runs now

    def another() -> Any:
        memory = np.empty(size + ALIGNMENT, np.uint8)
        start = -memory.ctypes.data % ALIGNMENT

        def buffer(offset: int, shape: tuple[int, ...], dtype: str) -> Any:
            return np.ndarray(shape, dtype, memory.data, start + offset)

        return FunctionType(run.__code__, {**names, **workspace(buffer)}, "run")

    def function(*values: Any) -> Any:
        try:
            version = idle.pop()
        except IndexError:
            version = another()
        result = version(*values)
        idle.append(version)
        return result

    return function

"""Passes: functions from a program to a better one that computes the same.

    optimize(program)          all passes, as often as they find something
    Report                     what each of them did, told to the report that ``optimize`` is given

A step is never removed for what its value might be: ``x * 0`` stays, because ``x`` may be nan. The one liberty is the
sign of zero: ``x + 0`` is taken to be ``x``.
"""

from __future__ import annotations

import math

from autodiff_lab.engine.ops import TABLE
from autodiff_lab.engine.static.program import DETACH, Instruction, Program, Var, as_node, vars_in
from autodiff_lab.engine.structures import substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

    Pass = Callable[[Program], Program]

VIEWS = frozenset({"reshape", "permute", "expand", "getitem", "detach"})  # their result may show their operand
COMMUTATIVE = frozenset({"add", "mul", "maximum", "minimum", "eq", "ne", "logical_and", "logical_or", "logical_xor"})


class Report:
    """What passes did: a list of ``(pass, instructions before, instructions after)``; prints as a table."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, int]] = []

    def __str__(self) -> str:
        width = max((len(name) for name, _, _ in self.rows), default=4)
        lines = [f"{'pass':{width}}  before   after"]
        lines += [f"{name:{width}}  {before:6}  {after:6}" for name, before, after in self.rows]
        if self.rows:
            lines.append(f"{'in all':{width}}  {self.rows[0][1]:6}  {self.rows[-1][2]:6}")
        return "\n".join(lines)


def optimize(program: Program, report: Report | None = None, passes: tuple[Pass, ...] | None = None) -> Program:
    """The program after all passes, again and again until none of them changes anything.

    ``report`` is told what each pass did; ``passes`` are others than the usual ones.
    """
    while True:
        before = program
        for step in passes or PASSES:
            count = len(program.instructions)
            improved = step(program)
            if report is not None and improved is not program:
                report.rows.append((step.__name__, count, len(improved.instructions)))
            program = improved
        if program is before:
            steps = [inside(step, report) for step in program.instructions]
            return program.with_instructions(steps, program.outputs)


def inside(step: Instruction, report: Report | None) -> Instruction:
    """A step with its branches and bodies improved."""
    if not any(isinstance(x, Program) for x in step.params):
        return step
    params = tuple(optimize(x, report) if isinstance(x, Program) else x for x in step.params)
    return Instruction(step.op, step.operands, params, step.result)


def rewritten(program: Program, rule: Callable[[Instruction, dict[Var, Instruction]], Any]) -> Program:
    """The program with each step replaced by what ``rule`` makes of it.

    The rule gets the step, on values that are up to date, and the steps before it by their result. It returns a step
    with the same result, a value or number to use in the result's place, or None to leave the step as it is.
    """
    values: dict[Var, Any] = {}
    made: dict[Var, Instruction] = {}
    steps: list[Instruction] = []
    changed = False
    steps_of = {x: step for step in program.instructions for x in step.writes}
    returned = {shown_by(x, steps_of) for x in vars_in(program.outputs) if x.ndim}
    for old in program.instructions:
        step = old.replaced(values) if values else old
        better = rule(step, made)
        if isinstance(better, Var) and step.result in returned:
            whole = shown_by(better, made)
            if whole not in made or whole in returned:
                better = None  # whoever calls it wants an array of its own
            else:
                returned.add(whole)
        changed = changed or better is not None
        if better is None or isinstance(better, Instruction):
            step = better or step
            steps.append(step)
            made.update(dict.fromkeys(step.writes, step))
        else:
            values[step.result] = better
    if not changed:
        return program
    outputs = substitute(lambda x: values.get(x, x) if isinstance(x, Var) else x, program.outputs)
    return program.with_instructions(steps, outputs)


def shown_by(x: Var, made: dict[Var, Instruction]) -> Var:
    """The value whose elements ``x`` shows."""
    while x in made and made[x].op.name in VIEWS:
        x = made[x].operands[0]
    return x


def dead_code(program: Program) -> Program:
    """Without the steps whose results nothing needs."""
    needed = set(vars_in(program.outputs))
    steps: list[Instruction] = []
    for step in reversed(program.instructions):
        if needed.intersection(step.writes):
            needed.update(step.reads)
            steps.append(step)
    if len(steps) == len(program.instructions):
        return program
    return program.with_instructions(steps[::-1], program.outputs)


def common_subexpressions(program: Program) -> Program:
    """Without the steps that compute again what is there already."""
    seen: dict[Hashable, Var] = {}
    constants: dict[Hashable, Var] = {}
    same = {}
    for x, array in program.constants.items():
        first = constants.setdefault((x.type, str(array.tolist()) if math.prod(x.shape) < 64 else id(array)), x)
        if first is not x:
            same[x] = first

    def rule(step: Instruction, made: dict[Var, Instruction]) -> Any:
        again = step.replaced(same)
        if not isinstance(step.result, Var):
            return None
        operands = tuple(map(key, again.operands))
        if step.op.name in COMMUTATIVE:
            operands = tuple(sorted(operands, key=str))
        found = seen.setdefault((step.op.name, operands, key(again.params)), step.result)
        return found if found is not step.result else None

    return rewritten(program, rule)


def key(x: Any) -> Hashable:
    """Something that is equal for equal operands and parameters, and can be hashed."""
    if isinstance(x, (list, tuple)):
        return tuple(map(key, x))
    if isinstance(x, slice):
        return "slice", key((x.start, x.stop, x.step))
    return id(x) if isinstance(x, (Var, Program)) else (type(x).__name__, repr(x))


def constant_folding(program: Program) -> Program:
    """With the steps carried out that need nothing but constants."""
    known = dict(program.constants)

    def rule(step: Instruction, made: dict[Var, Instruction]) -> Any:
        if not isinstance(step.result, Var) or not all(x in known for x in step.reads) or step.result.kind == "scalar":
            return None
        value = step.run({x: as_node(known[x], x) for x in step.reads})
        known[step.result] = value._data
        return None if value.ndim else value.item()

    program = rewritten(program, rule)
    folded = {step.result for step in program.instructions if isinstance(step.result, Var)} & known.keys()
    if not folded:
        return program
    program.constants.update({x: known[x] for x in folded})
    steps = [step for step in program.instructions if step.result not in folded]
    return program.with_instructions(steps, program.outputs)


def algebra(program: Program) -> Program:
    """With steps left out that change nothing, and pairs of steps taken together."""

    def rule(step: Instruction, made: dict[Var, Instruction]) -> Any:
        return simpler(with_numbers(step, program.constants), made)

    return rewritten(program, rule)


def with_numbers(step: Instruction, constants: dict[Var, Any]) -> Instruction:
    """A step on numbers in the place of arrays whose elements are all the same, where the shape does not need them."""
    if not step.op.on_numbers or step.op.arity != 2 or not isinstance(step.result, Var):
        return step
    for x, other in (step.operands, step.operands[::-1]):
        if isinstance(x, Var) and x in constants and isinstance(other, Var) and other.shape == step.result.shape:
            array = constants[x].reshape(-1)
            if len(array) and bool((array == array[0]).all()):
                return step.replaced({x: array[0].item()})
    return step


def simpler(step: Instruction, made: dict[Var, Instruction]) -> Any:
    """What `rewritten` is to make of a step, by the rules of algebra; None if they say nothing."""
    name, operands, params = step.op.name, step.operands, step.params
    a, b = (*operands, None)[:2] if operands else (None, None)
    before = made.get(a) if isinstance(a, Var) else None
    same_type = isinstance(a, Var) and isinstance(step.result, Var) and a.type == step.result.type
    if same_type and (
        name in ("clone", "reshape", "expand", "astype", "to_device")
        or (name in ("mul", "div", "pow") and is_number(b, 1))
        or (name in ("add", "sub") and is_number(b, 0))
        or (name in ("sum", "mean", "amax", "amin") and params[0] == ())
        or (name == "permute" and params[0] == tuple(range(a.ndim)))
    ):
        return a
    if isinstance(b, Var) and isinstance(step.result, Var) and b.type == step.result.type:
        if (name == "mul" and is_number(a, 1)) or (name == "add" and is_number(a, 0)):
            return b
        if name == "sub" and is_number(a, 0):
            return Instruction(TABLE["neg"], (b,), (), step.result)
    if before is None:
        negated = made.get(b) if isinstance(b, Var) else None
        if negated is not None and negated.op.name == "neg" and name in ("add", "sub"):
            other = TABLE["sub" if name == "add" else "add"]
            return Instruction(other, (a, negated.operands[0]), (), step.result)
        return None
    if name == before.op.name == "neg":
        return before.operands[0]
    if name == before.op.name == "reshape":
        return Instruction(step.op, before.operands, (params[0], before.params[1]), step.result)
    if name == before.op.name == "permute":
        dims = tuple(before.params[0][i] for i in params[0])
        inverse = tuple(sorted(range(len(dims)), key=dims.__getitem__))
        return Instruction(step.op, before.operands, (dims, inverse), step.result)
    if name == "detach" and before.op is DETACH:
        return a
    return None


def is_number(x: Any, value: float) -> bool:
    """Whether an operand is a plain number of this value."""
    return isinstance(x, (int, float)) and x == value


PASSES: tuple[Pass, ...] = (algebra, constant_folding, common_subexpressions, dead_code)

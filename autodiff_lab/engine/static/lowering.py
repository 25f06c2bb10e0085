"""Programs made of fewer rows: what a target has no word for is written out by the formula of its row."""

from __future__ import annotations

from autodiff_lab.engine import array_rules
from autodiff_lab.engine.backend import bound
from autodiff_lab.engine.formulas import on_arrays
from autodiff_lab.engine.modes import no_grad
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.ops import HELPERS
from autodiff_lab.engine.rules import NODES
from autodiff_lab.engine.static.program import Instruction, Program, Var, example, vars_in
from autodiff_lab.engine.static.trace import trace
from autodiff_lab.engine.structures import substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def lowered(program: Program, knows: Callable[[Instruction], bool], target: str) -> Program:
    """The program with each step that ``target`` does not know replaced by those of its formula, in turn lowered.

    Values keep their names; new ones are called after the one that they lead to: ``t3_0``, ``t3_1``. Raises
    NotImplementedError if a step is not known and its formula is not made of other rows.
    """
    if all(map(knows, program.instructions)):
        return program
    constants = dict(program.constants)
    steps: list[Instruction] = []
    for number, step in enumerate(program.instructions):
        if knows(step):
            steps.append(step)
            continue
        inner = written_out(step)
        if inner is None or any(other.op is step.op for other in inner.instructions):
            raise NotImplementedError(
                f"{program.name}, step {number}: {step!r} has no equivalent in {target}, and the formula of "
                f"{step.op.name} is not made of other rows that have one. Compute it outside of the program."
            )
        inner = lowered(inner, knows, target)
        constants.update(inner.constants)
        steps += inner.instructions
    return Program(program.name, program.inputs, program.captured, constants, steps, program.outputs)


def written_out(step: Instruction) -> Program | None:
    """The forward formula of a step's row as a program on the step's own values; None if it cannot be traced."""
    reads = list(dict.fromkeys(step.reads))

    def formula(*nodes: Any) -> Any:
        value = dict(zip(reads, nodes, strict=True))
        operands = substitute(lambda x: value.get(x, x) if isinstance(x, Var) else x, step.operands)
        params = substitute(lambda x: value[x]._data if isinstance(x, Var) else x, step.params)
        a, b = (*operands, None)[:2]
        number = next((name for name, x in zip("ab", operands, strict=False) if not isinstance(x, Node)), "")
        names = {**NODES, "a": a, "b": b, **dict(zip(step.op.params, params, strict=True))}
        if step.op.name in HELPERS:  # the formula is a function that is called like the row
            names[step.op.name] = bound(HELPERS[step.op.name], NODES)
        with no_grad():
            return eval(on_arrays(step.op.forward, number), names)

    array_rules.look_up_helpers_on_nodes()
    try:
        inner = trace(
            formula, *(example(Var(x.name, "numpy", *x.type[1:]) if x.kind == "scalar" else x) for x in reads)
        )
    except (NameError, TypeError, RecursionError):
        return None
    names: dict[Var, Var] = dict(zip(vars_in(inner.inputs), reads, strict=True))
    names[inner.outputs] = step.result
    for i, x in enumerate((*inner.constants, *(x for s in inner.instructions for x in s.writes))):
        names.setdefault(x, x.like(f"{step.result.name}_{i}"))
    rename = lambda x: names[x] if isinstance(x, Var) else x  # noqa: E731
    steps = [
        Instruction(s.op, *(substitute(rename, y) for y in (s.operands, s.params, s.result)))
        for s in inner.instructions
    ]
    return Program(inner.name, (), {}, {names[x]: array for x, array in inner.constants.items()}, steps, step.result)


def complete(index: Any, ndim: int, integers: Callable[[Var], list[Any]]) -> list[Any]:
    """An index with a part for each dimension and for each new one (None).

    ``integers`` gives for an array in it one array of integers for each dimension that it is about.
    """
    parts: list[Any] = []
    for part in index if isinstance(index, tuple) else (index,):
        parts += integers(part) if isinstance(part, Var) else [part]
    missing = [slice(None)] * (ndim - sum(part is not None and part is not Ellipsis for part in parts))
    at = next((i for i, part in enumerate(parts) if part is Ellipsis), len(parts))
    return [*parts[:at], *missing, *parts[at + 1 :]]

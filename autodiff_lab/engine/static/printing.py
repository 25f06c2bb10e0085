"""Programs as Python text."""

from __future__ import annotations

import base64
import math

from autodiff_lab.engine.static.program import Program, vars_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from autodiff_lab.engine.static.program import Instruction

MARGIN = "    "
INLINE = 24  # constants of more elements are written in base64

INFIX = {
    "__add__": "{} + {}",
    "__sub__": "{} - {}",
    "__mul__": "{} * {}",
    "__truediv__": "{} / {}",
    "__pow__": "{} ** {}",
    "__matmul__": "{} @ {}",
    "__neg__": "-{}",
    "__lt__": "{} < {}",
    "__le__": "{} <= {}",
    "__gt__": "{} > {}",
    "__ge__": "{} >= {}",
    "__eq__": "{} == {}",
    "__ne__": "{} != {}",
    "__and__": "{} & {}",
    "__or__": "{} | {}",
    "__xor__": "{} ^ {}",
    "__invert__": "~{}",
}


def statement(step: Instruction, names: dict[int, str]) -> str:
    """An instruction as a line of Python; ``names`` says how objects are called that are no literals, by id."""
    given, named = step.call()
    texts = [literal(x, names) for x in given]
    if step.op.dunder in INFIX:
        text = INFIX[step.op.dunder].format(*(f"({t})" if t.startswith("-") else t for t in texts))
    elif step.op.name == "getitem":
        text = f"{texts[0]}[{subscript(given[1], names)}]"
    else:
        texts += [f"{name}={literal(value, names)}" for name, value in named.items()]
        text = f"ad.{step.op.name}({', '.join(texts)})"
    return f"{literal(step.result, names)} = {text}"


def literal(x: Any, names: dict[int, str]) -> str:
    """A value, a number or a parameter as Python text."""
    if id(x) in names:
        return names[id(x)]
    if isinstance(x, float):
        return number(x)
    if isinstance(x, list):
        return f"[{', '.join(literal(part, names) for part in x)}]"
    if isinstance(x, tuple):
        return f"({', '.join(literal(part, names) for part in x)}{',' * (len(x) == 1)})"
    if isinstance(x, slice):
        return f"slice({', '.join(literal(part, names) for part in (x.start, x.stop, x.step))})"
    if x is Ellipsis:
        return "..."
    if isinstance(x, dict):
        return f"{{{', '.join(f'{key!r}: {literal(part, names)}' for key, part in x.items())}}}"
    if x is None or isinstance(x, (bool, int, float, str)) or vars_in(x):
        return repr(x)
    return repr(str(x))  # a dtype, a device


def number(x: Any) -> str:
    """A plain number as Python text."""
    return f'float("{x}")' if isinstance(x, float) and not math.isfinite(x) else repr(x)


def subscript(index: Any, names: dict[int, str]) -> str:
    """An index as it stands between brackets."""

    def one(part: Any) -> str:
        if not isinstance(part, slice):
            return literal(part, names)
        start, stop, step = ("" if x is None else literal(x, names) for x in (part.start, part.stop, part.step))
        return f"{start}:{stop}{':' * bool(step)}{step}"

    if isinstance(index, tuple) and index:
        return f"{', '.join(map(one, index))}{',' * (len(index) == 1)}"
    return one(index)


def source(program: Program) -> str:
    """A program as a Python module."""
    lines = function(program, program.name)
    text = "\n".join(lines)
    imports = [f"import {name}" for name in ("base64", "numpy", "torch") if f"{name}." in text]
    return "\n".join([*imports, "import autodiff_lab as ad", "", "", *lines]) + "\n"


def function(program: Program, name: str) -> list[str]:
    """A program as the lines of a function; what it captured are arguments that have to be named."""
    parameters: list[str] = []
    unpacked: list[str] = []
    values = [*vars_in(program.inputs), *program.captured, *program.constants]
    taken = {x.name for x in (*values, *(x for step in program.instructions for x in step.writes))}
    for i, argument in reversed(list(enumerate(program.inputs))):
        own = unused(f"x{i}_", taken)
        if isinstance(argument, (list, tuple, dict)):
            parameters.insert(0, own)
            unpacked = unpacking(argument, own) + unpacked
        elif vars_in(argument):
            parameters.insert(0, argument.name)
        else:  # what is part of the program; Python has defaults at the end only
            default = all("=" in x for x in parameters)
            parameters.insert(0, f"{own}={literal(argument, {})}" if default else own)
    if program.captured:
        parameters += ["*", *(x.name for x in program.captured)]
    types = [f"{x.name}: {x.text}" for x in (*vars_in(program.inputs), *program.captured)]
    names: dict[int, str] = {}
    body = [*unpacked]
    for x, array in program.constants.items():
        body.append(f"{x.name} = {constant(array)}")
    for step in program.instructions:
        for inner in programs_in(step.params):
            if id(inner) not in names:
                names[id(inner)] = unused(f"{inner.name}_{len(names)}", taken)
                body += function(inner, names[id(inner)])
        body += assignment(step, names, taken)
    body.append(f"return {literal(program.outputs, names)}")
    head = [f"def {name}({', '.join(parameters)}):", *([f"{MARGIN}# {', '.join(types)}"] if types else [])]
    return [*head, *(MARGIN + line for line in body)]


def unused(name: str, taken: set[str]) -> str:
    """A name that no value has, which it is from now on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def assignment(step: Instruction, names: dict[int, str], taken: set[str]) -> list[str]:
    """An instruction as lines, with the types of its results in a comment. A dict is no target, and is taken apart."""
    line, types = statement(step, names), ", ".join(x.text for x in step.writes)
    if "{" not in line.partition(" = ")[0]:
        return [f"{line}  # {types}"]
    whole = unused("results", taken)
    return [f"{whole} = {line.partition(' = ')[2]}  # {types}", *unpacking(step.result, whole)]


def programs_in(params: Any) -> list[Program]:
    """The programs among parameters: the branches and bodies of control flow."""
    return [x for x in params if isinstance(x, Program)]


def unpacking(structure: Any, name: str) -> list[str]:
    """The lines that give the values in an argument their names."""
    if isinstance(structure, dict):
        return [line for key, part in structure.items() for line in unpacking(part, f"{name}[{key!r}]")]
    if isinstance(structure, (list, tuple)):
        return [line for i, part in enumerate(structure) for line in unpacking(part, f"{name}[{i}]")]
    return [f"{structure.name} = {name}"] if vars_in(structure) else []


def constant(array: Any) -> str:
    """An array as an expression."""
    torch = hasattr(array, "cpu")
    data = array.cpu().numpy() if torch else array
    if data.size <= INLINE:
        text = f"numpy.array({literal(data.tolist(), {})}, dtype={str(data.dtype)!r}).reshape({data.shape})"
    else:
        packed = base64.b64encode(data.tobytes()).decode()
        text = f'numpy.frombuffer(base64.b64decode("{packed}"), dtype={str(data.dtype)!r}).reshape({data.shape})'
    return f"ad.tensor(torch.from_numpy({text}.copy()).to({str(array.device)!r}))" if torch else f"ad.tensor({text})"

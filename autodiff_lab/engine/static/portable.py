"""Programs as files: a zip archive of a JSON text and of arrays in NumPy's format. Nothing in it is ever executed."""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections import namedtuple
from pathlib import Path

from autodiff_lab.engine.arrays import torch_from_numpy
from autodiff_lab.engine.backend import torch_backend
from autodiff_lab.engine.devices import import_torch
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import Scalar
from autodiff_lab.engine.static.program import Instruction, Program, Var, row, vars_in
from autodiff_lab.engine.tensor import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

FORMAT = "autodiff_lab program"
VERSION = 1
BEGINNING = (1980, 1, 1, 0, 0, 0)  # the time on every part, so that the same program gives the same bytes
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    EOFError,
    NotImplementedError,
    RecursionError,
)


def save(program: Program, path: str | PathLike[str]) -> None:
    """Write a program to one file, which `load` reads without the code that it was traced from.

    The file is a zip archive: ``program.json``, and under ``arrays/`` what the program holds, as ``.npy`` files that
    ``numpy.load`` reads too: what it captured, with the values of now, and its constants. The same program gives the
    same bytes. Raises TypeError for a parameter that is no number, text, dtype, device, value or structure of these.
    """
    import numpy

    writer = Writer()
    text = json.dumps({"format": FORMAT, "version": VERSION, "program": writer.program(program)}, indent=1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part("program.json"), text)
        for name, array in writer.arrays.items():
            with archive.open(part(name), "w", force_zip64=True) as file:
                numpy.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)


def load(path: str | PathLike[str]) -> Program:
    """The program in a file that `save` wrote. What it had captured are leaves that require grad, in ``captured``.

    Raises FileNotFoundError, and ValueError for a file that is damaged, is none of ours, was written by a later version
    of this package, or needs an op whose row is not in the table.
    """
    with Path(path).open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                head = json.loads(archive.read("program.json"))
                if head["format"] != FORMAT:
                    raise ValueError(f"its format is {head['format']!r}, not {FORMAT!r}")
                if head["version"] > VERSION:
                    raise ValueError(
                        f"it is of version {head['version']} of the format, and this package reads versions up to "
                        f"{VERSION}; update autodiff_lab"
                    )
                return Reader(archive).program(head["program"])
        except DAMAGE as error:
            raise ValueError(f"{path} cannot be read as a program: {reason(error)}") from error


def reason(error: Exception) -> str:
    """An error in words."""
    return str(error) if isinstance(error, (ValueError, zipfile.BadZipFile)) else f"it is damaged ({error!r})"


def part(name: str) -> zipfile.ZipInfo:
    """A part of the archive."""
    info = zipfile.ZipInfo(name, BEGINNING)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3  # else it tells where it was written
    return info


class Writer:
    """From a program to what JSON can say; ``arrays`` are the other files."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def program(self, program: Program) -> dict[str, Any]:
        """A program as a dict."""
        captured = {x: self.array(x, node._data) for x, node in program.captured.items()}
        constants = {x: self.array(x, array) for x, array in program.constants.items()}
        inputs = vars_in(program.inputs)
        steps = [{"op": s.op.name, **self.parts(s)} for s in program.instructions]
        computed = [x for s in program.instructions for x in s.writes]
        return {
            "name": program.name,
            "values": [[x.name, *x.type] for x in (*inputs, *captured, *constants, *computed)],
            "inputs": self.structure(program.inputs),
            "captured": [[x.name, stored, program.captured[x].requires_grad] for x, stored in captured.items()],
            "constants": [[x.name, stored] for x, stored in constants.items()],
            "instructions": steps,
            "outputs": self.structure(program.outputs),
        }

    def parts(self, step: Instruction) -> dict[str, Any]:
        """What an instruction consists of but its op."""
        return {name: self.structure(getattr(step, name)) for name in ("operands", "params", "result")}

    def array(self, x: Var, data: Any) -> Any:
        """The name of the file that an array goes into; a number as it is."""
        if x.kind == "scalar":
            return self.structure(data)
        import numpy

        if x.dtype == "bfloat16":  # which NumPy does not have: the bits, as integers
            data = data.view(import_torch("bfloat16").int16)
        if x.kind == "torch":
            data = data.detach().cpu().numpy()
        data = numpy.asarray(data, order="C")
        name = f"arrays/{x.name}.npy"
        for number in range(1, len(self.arrays) + 1):  # a program inside another one may use the name as well
            name = f"arrays/{x.name}_{number}.npy" if name in self.arrays else name
        self.arrays[name] = data.astype(data.dtype.newbyteorder("<"), copy=False)
        return name

    def structure(self, x: Any) -> Any:
        """Operands, parameters, inputs and outputs. A list is a list; a dict with one key says what else it is."""
        if isinstance(x, Var):
            return {"value": x.name}
        if isinstance(x, Program):
            return {"program": self.program(x)}
        if isinstance(x, tuple):
            kind = {"name": type(x).__name__, "fields": list(x._fields)} if hasattr(x, "_fields") else {}
            return {"tuple": [self.structure(y) for y in x], **kind}
        if isinstance(x, list):
            return [self.structure(y) for y in x]
        if isinstance(x, dict):
            return {"dict": [[self.structure(key), self.structure(y)] for key, y in x.items()]}
        if isinstance(x, slice):
            return {"slice": [self.structure(y) for y in (x.start, x.stop, x.step)]}
        if x is Ellipsis:
            return {"ellipsis": True}
        if isinstance(x, float) and not math.isfinite(x):
            return {"float": str(x)}
        if x is None or isinstance(x, (bool, int, float, str)):
            return x
        if hasattr(x, "item"):  # a number of NumPy's
            return self.structure(x.item())
        if type(x).__name__.lower().endswith(("dtype", "device")):
            return str(x).removeprefix("torch.")
        raise TypeError(f"a {type(x).__name__} in a program cannot be saved: {x!r:.60}")


class Reader:
    """From what `Writer` made back to programs."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive

    def program(self, said: dict[str, Any]) -> Program:
        """A program from a dict."""
        values = {
            name: Var(name, kind, tuple(shape), dtype, device) for name, kind, shape, dtype, device in said["values"]
        }
        inputs = self.structure(said["inputs"], values)
        captured = {values[name]: self.node(values[name], where, wanted) for name, where, wanted in said["captured"]}
        constants = {values[name]: self.array(values[name], where) for name, where in said["constants"]}
        known = {*vars_in(inputs), *captured, *constants}
        instructions = []
        for step in said["instructions"]:
            operands, params, result = (self.structure(step[key], values) for key in ("operands", "params", "result"))
            instructions.append(Instruction(row(step["op"]), operands, params, result))
            if not known.issuperset(instructions[-1].reads):
                raise ValueError(f"{step['op']} reads a value before it is computed")
            known.update(instructions[-1].writes)
        return Program(said["name"], inputs, captured, constants, instructions, self.structure(said["outputs"], values))

    def array(self, x: Var, stored: Any) -> Any:
        """An array from its file; a number as it is."""
        if x.kind == "scalar":
            return self.structure(stored, {})
        import numpy

        with self.archive.open(stored) as file:
            data = numpy.lib.format.read_array(file, allow_pickle=False)
        data = data.astype(data.dtype.newbyteorder("="), copy=False)
        if x.kind == "torch":
            data = torch_from_numpy(data)
            data = data.view(import_torch("bfloat16").bfloat16) if x.dtype == "bfloat16" else data
            data = torch_backend().names["to_device"](data, x.device)
        if tuple(data.shape) != x.shape:
            raise ValueError(f"{stored} has shape {tuple(data.shape)}, {x.name} {x.shape}")
        return data

    def node(self, x: Var, stored: Any, requires_grad: bool) -> Node:
        """What had been captured."""
        data = self.array(x, stored)
        if x.kind == "scalar":
            return Scalar(data, requires_grad=requires_grad)
        node: Node = make(data, requires_grad=requires_grad)
        return node

    def structure(self, said: Any, values: dict[str, Var]) -> Any:
        """The inverse of `Writer.structure`."""
        if isinstance(said, list):
            return [self.structure(x, values) for x in said]
        if not isinstance(said, dict):
            return said
        if "value" in said:
            return values[said["value"]]
        if "program" in said:
            return self.program(said["program"])
        if "tuple" in said:
            parts = [self.structure(x, values) for x in said["tuple"]]
            return namedtuple(said["name"], said["fields"])(*parts) if "name" in said else tuple(parts)
        if "dict" in said:
            return {self.structure(key, values): self.structure(x, values) for key, x in said["dict"]}
        if "slice" in said:
            return slice(*(self.structure(x, values) for x in said["slice"]))
        if "float" in said:
            return float(said["float"])
        if "ellipsis" in said:
            return ...
        raise ValueError(f"{said!r:.60} is nothing that a program holds")

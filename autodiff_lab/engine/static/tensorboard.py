"""Programs as pictures in TensorBoard: an event file with a graph of what computes what."""

from __future__ import annotations

import time

from autodiff_lab.engine.static.onnx_export import places
from autodiff_lab.engine.static.printing import programs_in, statement
from autodiff_lab.engine.static.program import Instruction, Program, Var, vars_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any


def write_tensorboard(program: Program, logdir: str | PathLike[str]) -> None:
    """Write an event file into ``logdir``, so that ``tensorboard --logdir`` shows the program under Graphs.

    Each value is a node under its name in the program, with its op, shape, dtype and, as ``python``, the line that
    computes it; the edges are its operands. Of a step with several values the first names the node. Branches and bodies
    are groups, which a click opens. Raises ImportError without the tensorboard package.
    """
    try:
        from tensorboard.compat.proto import event_pb2, graph_pb2, versions_pb2  # type: ignore[import-untyped]
        from tensorboard.summary.writer.event_file_writer import EventFileWriter  # type: ignore[import-untyped]
    except ImportError as error:
        raise ImportError(
            f"write_tensorboard needs the package tensorboard, which cannot be imported ({error}): "
            "pip install tensorboard"
        ) from None
    nodes: list[Any] = []
    write(program, "", nodes)
    graph = graph_pb2.GraphDef(node=nodes, versions=versions_pb2.VersionDef(producer=22))
    writer = EventFileWriter(str(logdir))
    writer.add_event(event_pb2.Event(wall_time=time.time(), graph_def=graph.SerializeToString()))
    writer.close()


def write(program: Program, scope: str, nodes: list[Any]) -> list[str]:
    """Append the nodes of a program, in a group; the names of its outputs."""
    names: dict[Var, str] = {}

    def node(op: str, results: Sequence[Var], inputs: Sequence[str], text: str, name: str = "") -> str:
        name = f"{scope}{name or results[0].name}"
        names.update({x: f"{name}:{i}" if i else name for i, x in enumerate(results)})
        nodes.append(made(name, op, results, inputs, text))
        return name

    for op, values in (
        ("Placeholder", vars_in(program.inputs)),
        ("Parameter", program.captured),
        ("Const", program.constants),
    ):
        for x in values:
            node(op, [x], [], f"{x.name}: {x.text}")
    for step in program.instructions:
        inputs = [names[x] for x in step.reads]
        for name, inner in zip(step.op.params, step.params, strict=True):
            if isinstance(inner, Program):
                inputs += write(inner, f"{scope}{step.writes[0].name}_{step.op.name}/{name}/", nodes)
        node(step.op.name, step.writes, inputs, line(step))
    return [
        node("Output", [x.like(name)], [names[x]], f"return {x.name}", name)
        for name, x in places(program.outputs, "output")
        if isinstance(x, Var)
    ]


def line(step: Instruction) -> str:
    """A step as Python; a program in it by its name."""
    return statement(step, {id(inner): inner.name for inner in programs_in(step.params)})


def made(name: str, op: str, results: Sequence[Var], inputs: Sequence[str], text: str) -> Any:
    """A node as TensorBoard's protocol has it."""
    from tensorboard.compat.proto import attr_value_pb2, node_def_pb2, tensor_shape_pb2, types_pb2

    shapes = [
        tensor_shape_pb2.TensorShapeProto(dim=[tensor_shape_pb2.TensorShapeProto.Dim(size=n) for n in x.shape])
        for x in results
    ]
    kinds = {"float64": "DOUBLE", "float32": "FLOAT", "float16": "HALF"}
    dtype = getattr(types_pb2, f"DT_{kinds.get(results[0].dtype, results[0].dtype.upper())}")
    value = attr_value_pb2.AttrValue
    attributes = {
        "_output_shapes": value(list=value.ListValue(shape=shapes)),
        "dtype": value(type=dtype),
        "python": value(s=text.encode()),
    }
    return node_def_pb2.NodeDef(name=name, op=op, input=inputs, attr=attributes)

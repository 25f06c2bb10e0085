"""Programs in TensorBoard: read back by TensorBoard's own reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine.static.program import Program, vars_in
from autodiff_lab.engine.static.tensorboard import write_tensorboard
from autodiff_lab.engine.static.trace import trace

event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


def shown(program: Program, path: Path) -> dict[str, Any]:
    """The nodes that TensorBoard has, by name."""
    program.write_tensorboard(path)
    reader = event_accumulator.EventAccumulator(str(path))
    reader.Reload()
    nodes = list(reader.Graph().node)
    found = {node.name: node for node in nodes}
    assert len(found) == len(nodes), "each name occurs once"
    for node in nodes:
        assert all(name.partition(":")[0] in found for name in node.input), f"{node.name} hangs in the air"
    return found


def network() -> Program:
    w = ad.tensor(np.ones((3, 2), "float32"), requires_grad=True)
    mask = np.array([True, False])
    return trace(lambda x: (ad.where(mask, x @ w, 0.0), x.sum()), np.ones((4, 3), "float32"))


def test_nodes_and_edges_are_the_programs(tmp_path: Path) -> None:
    inner = network()
    gradient = trace(lambda x: inner(x)[0].tanh().sum(), np.ones((4, 3), "float32")).value_and_grad()
    for number, program in enumerate((inner, gradient)):
        nodes = shown(program, tmp_path / str(number))
        for step in program.instructions:
            node = nodes.pop(step.result.name)
            assert node.op == step.op.name and list(node.input) == [x.name for x in step.reads]
            (shape,) = node.attr["_output_shapes"].list.shape
            assert tuple(dim.size for dim in shape.dim) == step.result.shape
            assert node.attr["python"].s.decode() == str(step)
        kinds = {name: node.op for name, node in nodes.items() if node.op != "Output"}
        want = {x.name: "Placeholder" for x in vars_in(program.inputs)}
        want |= {x.name: "Parameter" for x in program.captured} | {x.name: "Const" for x in program.constants}
        assert kinds == want
        outputs = [list(node.input) for node in nodes.values() if node.op == "Output"]
        assert outputs == [[x.name] for x in vars_in(program.outputs)]


def test_branches_and_bodies_are_groups(tmp_path: Path) -> None:
    def f(x: Any) -> Any:
        last, ys = ad.scan(lambda c, x: (c * x, c + x), x[0], x)
        return ad.cond(ys.sum() > 0, lambda a: a * 2, lambda a: -a, (last,))

    program = trace(f, np.ones((3, 2)))
    nodes = shown(program, tmp_path)
    by_op = {step.op.name: step for step in program.instructions}
    first, second = by_op["scan"].writes
    assert nodes[first.name].op == "scan" and second.name not in nodes
    assert any(f"{first.name}:1" in node.input for node in nodes.values()), (
        "the second result is an output of the first"
    )
    groups = {name.split("/")[0] for name in nodes if "/" in name}
    assert groups == {f"{first.name}_scan", f"{by_op['cond'].writes[0].name}_cond"}
    assert {node.op for name, node in nodes.items() if "_cond/" in name} >= {"mul", "neg", "Placeholder", "Output"}


def test_without_the_package_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "tensorboard"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(ImportError, match="pip install tensorboard"):
        write_tensorboard(network(), tmp_path)
    assert not list(tmp_path.iterdir())


def test_tensorboard_loads_only_when_asked_for() -> None:
    code = "import sys, autodiff_lab.engine.static.tensorboard; sys.exit('tensorboard' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)

"""Programs in files: they come back without the code that made them, and a bad file is told from a good one."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab.engine import ops
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.static.portable import load
from autodiff_lab.engine.static.program import Program
from autodiff_lab.engine.static.trace import trace
from tests.engine.static.rows import Case, cases, flat

torch = pytest.importorskip("torch")
RNG = np.random.default_rng(0)


def back(program: Program, tmp_path: Path) -> Program:
    program.save(tmp_path / "program.zip")
    return load(tmp_path / "program.zip")


def mlp() -> Program:
    w = ad.tensor(RNG.standard_normal((3, 4)).astype("float32"), requires_grad=True)
    mask = np.array([[True, False, True, True]])
    return trace(lambda x: ad.where(mask, (x @ w).tanh(), 0.5), RNG.standard_normal((2, 3)).astype("float32"))


@pytest.mark.parametrize("case", list(cases("float32")), ids=lambda case: case.label)
def test_every_row_comes_back(case: Case, tmp_path: Path) -> None:
    for program in (case.program(), *([case.gradient()] if any(case.op.adjoints) else [])):
        loaded = back(program, tmp_path)
        assert str(loaded) == str(program)
        for got, want in zip(flat(loaded(*case.args)), flat(program(*case.args)), strict=True):
            assert got.dtype == want.dtype and np.array_equal(got, want, equal_nan=True)


def test_a_program_loads_where_its_code_is_not(tmp_path: Path) -> None:
    program = mlp()
    program.save(tmp_path / "p.zip")
    x = RNG.standard_normal((2, 3)).astype("float32")
    np.save(tmp_path / "x.npy", x)
    code = f"""
import numpy, sys
from autodiff_lab.engine.static.portable import load
program = load({str(tmp_path / "p.zip")!r})
numpy.save({str(tmp_path / "y.npy")!r}, program(numpy.load({str(tmp_path / "x.npy")!r})))
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert np.array_equal(np.load(tmp_path / "y.npy"), program(x))


def test_what_was_captured_can_be_read_and_trained_again(tmp_path: Path) -> None:
    program = mlp()
    loaded = back(program, tmp_path)
    (before,), (after,) = program.captured.values(), loaded.captured.values()
    assert np.array_equal(before.data, after.data) and after.requires_grad and after.is_leaf
    x = ad.tensor(RNG.standard_normal((2, 3)).astype("float32"))
    loaded(x).sum().backward()
    program(x).sum().backward()
    assert np.array_equal(before.grad.data, after.grad.data)
    with ad.no_grad():
        after -= 0.1 * after.grad
    assert not np.array_equal(program(x.data), loaded(x.data)), "the loaded parameter is not the one that was saved"


def test_a_saved_program_is_a_snapshot_of_what_it_captured(tmp_path: Path) -> None:
    program = mlp()
    program.save(tmp_path / "p.zip")
    (w,) = program.captured.values()
    before = w.data.copy()
    with ad.no_grad():
        w.zero_()
    (kept,) = load(tmp_path / "p.zip").captured.values()
    assert np.array_equal(kept.data, before)


def test_the_same_program_gives_the_same_bytes(tmp_path: Path) -> None:
    program = trace(lambda x: mlp()(x).sum(), np.ones((2, 3), "float32")).value_and_grad()
    program.save(tmp_path / "a.zip")
    program.save(tmp_path / "b.zip")
    load(tmp_path / "a.zip").save(tmp_path / "c.zip")
    first = (tmp_path / "a.zip").read_bytes()
    assert first == (tmp_path / "b.zip").read_bytes() == (tmp_path / "c.zip").read_bytes()


def test_structures_scalars_and_named_tuples_come_back(tmp_path: Path) -> None:
    def f(params: Any, mode: str, x: Any) -> Any:
        assert mode == "sum"
        return {"y": params["w"] * x + params["b"][0], "twice": [x * 2, (float("inf"), None)]}

    args = ({"w": 2.0, "b": [0.5]}, "sum", 3.0)
    loaded = back(trace(f, *args), tmp_path)
    assert loaded(*args) == {"y": 6.5, "twice": [6.0, (float("inf"), None)]}
    with pytest.raises(ValueError, match="traced with 'sum'"):
        loaded(args[0], "mean", 3.0)
    x = RNG.standard_normal((2, 3))
    extreme = back(trace(lambda x: ad.max(x, 1), x), tmp_path)(x)
    assert np.array_equal(extreme.indices, x.argmax(1)) and np.array_equal(extreme.values, x.max(1))


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "int64", "bool"])
def test_torch_arrays_of_every_dtype_come_back(dtype: str, tmp_path: Path) -> None:
    array = torch.tensor([[0, 1, 1], [1, 0, 0]]).to(getattr(torch, dtype))
    loaded = back(trace(lambda x: ad.where(x > 0, array, array), torch.ones(3)), tmp_path)
    result = loaded(torch.ones(3))
    assert result.dtype is array.dtype and torch.equal(result, array)


def test_control_flow_comes_back(tmp_path: Path) -> None:
    weights = ad.tensor(RNG.standard_normal((2, 2)), requires_grad=True)
    shift = np.array([0.5, -0.5])

    def f(x: Any, xs: Any) -> Any:
        last, ys = ad.scan(lambda c, x: ((c @ weights + x).tanh(), c.sum()), x, xs)
        (last,) = ad.while_loop(lambda y: y.sum() < 3.0, lambda y: (y * y + 1.0,), (last,))
        return ad.cond(ys.sum() > 0, lambda y: y * ad.tensor(shift), lambda y: y + ad.tensor(2 * shift), (last,)).sum()

    forward = trace(f, np.ones(2), np.ones((3, 2)))
    for program in (forward, forward.value_and_grad((0, 1))):
        loaded = back(program, tmp_path)
        assert str(loaded) == str(program)
        for seed in range(4):
            args = np.random.default_rng(seed).standard_normal(2), np.random.default_rng(seed).standard_normal((3, 2))
            for got, want in zip(flat(loaded(*args)), flat(program(*args)), strict=True):
                assert np.array_equal(got, want)


def test_parameters_of_a_module_keep_their_names(tmp_path: Path) -> None:
    class Net(ad.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = ad.nn.Sequential(ad.nn.Linear(3, 4), ad.nn.Tanh())
            self.head = ad.nn.Linear(4, 1)

        def forward(self, x: Any) -> Any:
            return self.head(self.layers(x))

    model = Net()
    names = [name.replace(".", "_") for name, _ in model.named_parameters()]
    assert "layers_0_weight" in names
    forward, method = trace(model, np.ones((2, 3))), trace(model.forward, np.ones((2, 3)))
    loss = trace(lambda x: model(x).sum(), np.ones((2, 3)))
    for program in (forward, method, loss, trace(lambda x: loss(x) * 2, np.ones((2, 3)))):
        assert [x.name for x in back(program, tmp_path).captured] == names
    assert {x.name for x in back(loss.value_and_grad(), tmp_path).captured} == set(names)
    assert [x.name for x in trace(ad.nn.Linear(3, 4), np.ones(3)).captured] == ["weight", "bias"]
    numbered = trace(ad.nn.Sequential(ad.nn.Linear(3, 4)), np.ones((2, 3)))
    assert [x.name for x in numbered.captured] == ["w0_weight", "w0_bias"]


def test_arrays_in_the_file_are_read_by_numpy_alone(tmp_path: Path) -> None:
    program = mlp()
    program.save(tmp_path / "p.zip")
    with zipfile.ZipFile(tmp_path / "p.zip") as archive, archive.open("arrays/w0.npy") as file:
        assert np.array_equal(np.load(file, allow_pickle=False), next(iter(program.captured.values())).data)


def rewrite(path: Path, change: Any) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(parts["program.json"])
    change(head)
    parts["program.json"] = json.dumps(head).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda head: head.update(version=99), "version 99 .* update autodiff_lab"),
        (lambda head: head.update(format="a recipe"), "its format is 'a recipe'"),
        (lambda head: head["program"]["instructions"][0].update(op="frobnicate"), "the op 'frobnicate' is not in"),
        (lambda head: head["program"]["instructions"].reverse(), "before it is computed"),
        (lambda head: head["program"].pop("outputs"), "damaged"),
        (lambda head: head["program"].update(outputs={"code": "print()"}), "nothing that a program holds"),
        (lambda head: head["program"]["values"][1].__setitem__(2, [7]), "has shape"),
    ],
    ids=["too new", "another format", "unknown op", "wrong order", "a part is missing", "unknown part", "wrong shape"],
)
def test_a_file_that_cannot_be_read_says_why(change: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    mlp().save(path)
    rewrite(path, change)
    with pytest.raises(ValueError, match=message) as error:
        load(path)
    assert str(path) in str(error.value)


def test_no_damage_to_the_bytes_goes_unnoticed_or_unexplained(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    mlp().save(path)
    whole = path.read_bytes()
    x = np.ones((2, 3), "float32")
    want = load(path)(x)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        damaged = bytearray(whole)
        if seed % 3:
            damaged[rng.integers(len(whole))] ^= int(rng.integers(1, 256))
        else:
            del damaged[rng.integers(len(whole)) :]
        path.write_bytes(bytes(damaged))
        try:
            got = load(path)
        except ValueError as error:
            assert str(path) in str(error)
        else:  # a byte that nobody reads, such as the time of a part
            assert np.array_equal(got(x), want)
    path.write_text("not a zip archive")
    with pytest.raises(ValueError, match="cannot be read as a program"):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere.zip")


def test_a_program_with_an_op_of_ones_own_loads_where_the_row_is(tmp_path: Path) -> None:
    ops.op("softplus", "log(1 + exp(a))", "g * sigmoid(a)", domain="True", onnx="Softplus")
    try:
        program = trace(lambda x: FUNCTIONS["softplus"](x) * 2, np.ones(3))
        program.save(tmp_path / "p.zip")
        assert np.array_equal(load(tmp_path / "p.zip")(np.ones(3)), program(np.ones(3)))
    finally:
        del ops.TABLE["softplus"]
    with pytest.raises(ValueError, match="the op 'softplus' is not in the table: add its row"):
        load(tmp_path / "p.zip")

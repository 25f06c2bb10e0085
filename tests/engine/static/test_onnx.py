"""Programs as ONNX models: onnx.checker accepts them, and onnxruntime runs them to the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff_lab.engine.static.program import Program, leaves
from tests.engine.static.rows import Case, cases, flat

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def run(model: Any, *args: Any) -> list[Any]:
    """What onnxruntime makes of a model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    given = [np.asarray(x) for x in leaves(args) if x is not None and not isinstance(x, (str, bool))]
    return session.run(None, dict(zip([x.name for x in session.get_inputs()], given, strict=True)))


def same(program: Program, *args: Any) -> None:
    """The program and its model agree."""
    got, want = run(program.export_onnx(), *args), [np.asarray(x) for x in flat(program(*args))]
    assert len(got) == len(want)
    for x, y in zip(got, want, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape, (x.dtype, y.dtype, x.shape, y.shape)
        tolerance = 1e-12 if y.dtype == np.float64 else 3e-6
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", list(cases("float64")), ids=lambda case: case.label)
def test_every_row_and_its_gradient(case: Case, dtype: str) -> None:
    args = tuple(x.astype(dtype) if x.dtype.kind == "f" else x for x in case.args)
    case = case._replace(args=args)
    same(case.program(), *args)
    if any(case.op.adjoints) and any(x.dtype.kind == "f" for x in args):
        same(case.gradient(), *args)

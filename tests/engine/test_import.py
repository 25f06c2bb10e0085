"""What importing costs: no heavy package, and little time."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

import autodiff_lab

HEAVY = (
    "numpy",
    "torch",
    "IPython",
    "ipykernel",
    "jupyterlab",
    "nbformat",
    "matplotlib",
    "sklearn",
    "ipywidgets",
    "anywidget",
)

USE = """
import json, sys
import autodiff_lab as ad
ad.Scalar(2.0).exp().backward(create_graph=True)
ad.grad(ad.tanh)(1.0); ad.gradcheck(ad.sin, 1.0); ad.log(0.0)
print(json.dumps(sorted(sys.modules)))
"""


def test_neither_importing_nor_using_the_engine_loads_a_heavy_package() -> None:
    out = subprocess.run([sys.executable, "-c", USE], check=True, capture_output=True, text=True).stdout
    assert not set(json.loads(out)) & set(HEAVY)


@pytest.mark.parametrize(
    "first_use",
    [
        "ad.trace(lambda x: x.std(), np.ones(3))",
        "ad.compile(lambda x: x.std())(np.ones(3))",
        "ad.add(ad.Scalar(2.0), np.ones(3)).std()",
        "ad.tensor([1.0, 2.0]).std()",
    ],
)
def test_a_tensor_has_all_its_methods_however_the_first_one_is_made(first_use: str) -> None:
    code = f"import autodiff_lab as ad; import numpy as np; {first_use}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_costs_less_than_the_interpreter_itself() -> None:
    def median(code: str) -> float:
        times = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-I", "-c", code], check=True)
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    path = f"import sys; sys.path.insert(0, {str(Path(autodiff_lab.__file__).parents[1])!r}); "
    bare, ours = median(path), median(f"{path}import autodiff_lab")
    assert ours - bare < 0.02 + bare, f"the interpreter takes {bare:.3f} s, with the import {ours:.3f} s"

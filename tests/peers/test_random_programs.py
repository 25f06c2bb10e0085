"""A few of the random programs of `random_programs`; the numbers of the environment give more, and other seeds."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

from tests.peers.random_programs import DECIDED, FIXED, STEPS, Case, case, differences, main, theirs

GRAPHS, PROGRAMS, SEED = (
    int(os.environ.get(f"AUTODIFF_LAB_RANDOM_{name}", count))
    for name, count in (("GRAPHS", 40), ("PROGRAMS", 4), ("SEED", 0))
)


def test_random_graphs_and_programs_are_those_of_torch_in_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(GRAPHS, PROGRAMS, SEED)
    assert status == 0, capsys.readouterr().out


def test_a_difference_is_seen_and_a_kink_is_not_taken_for_one() -> None:
    this = case(3, FIXED, 10)
    values, adjoints = theirs(this)
    assert differences((values, adjoints), (values, adjoints), this, "float64") == []
    wrong: Any = [x + 1e-3 for x in adjoints]
    assert differences((values, wrong), (values, adjoints), this, "float64")[0].startswith("adjoint 0: ")
    assert differences(([values[0].astype("float32"), values[1]], adjoints), (values, adjoints), this, "float64")
    clone, mask = (
        next(i for i, f in enumerate(STEPS) if name in f.__code__.co_names) for name in ("clone", "one_and_all")
    )
    equal = Case(0, [(clone, 0, 0, 1), (mask, 0, 0, 2)], [np.full(3, 0.1)])  # which elements are above their mean?
    values, adjoints = theirs(equal)
    wrong = [x + 1.0 for x in adjoints]
    assert differences((values, wrong), (values, adjoints), equal, "float64") == [] and DECIDED[-1] == equal.seed

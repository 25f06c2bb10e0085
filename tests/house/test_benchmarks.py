"""The benchmarks: their engines agree, and the command tells what was measured. Nothing is timed here."""

import importlib
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from autodiff_lab import bootstrap, suite
from autodiff_lab.cli import main
from autodiff_lab.tell import tell_benchmarks
from tests.benchmarks import harness
from tests.benchmarks.harness import Target, Work
from tests.house.engines import absent, broken, eight, seven

MODULES = [importlib.import_module(f"tests.benchmarks.{name}") for name in suite.benchmark_names()]
WORKS = [work for module in MODULES for work in getattr(module, "WORKS", [])]
PAIRS = [(work, name) for work in WORKS for name in list(work.engines)[1:]]


def after_a_step(work: Work, name: str) -> Any:
    """What an engine computes, in fewer layers where it takes a number of them; skipped where it is not installed."""
    prepare = work.engines[name]
    fewer = {"layers": 40} if "layers" in inspect.signature(prepare).parameters else {}
    try:
        step, result = prepare(**fewer)
    except ModuleNotFoundError as error:
        pytest.skip(f'{error.name} is not installed; it comes with pip install -e ".[bench]"')
    step()
    return result()


@pytest.mark.parametrize(("work", "name"), PAIRS, ids=[f"{name}, {work.name}" for work, name in PAIRS])
def test_every_engine_computes_the_same(work: Work, name: str) -> None:
    first = next(iter(work.engines))
    harness.assert_equal(after_a_step(work, first), after_a_step(work, name), work.tolerance, first)


def test_every_benchmark_is_measured_in_the_same_way() -> None:
    assert {"mlp", "chain", "micrograd_step", "cost_of_gradient"} <= set(suite.benchmark_names())
    for module in MODULES:
        assert callable(module.run)
    for work in WORKS:
        for target in work.targets:
            assert {target.engine, target.peer} <= set(work.engines), work.name


# ------------------------------------------------------------ the harness, on works that take no time


def work_of(**engines: Any) -> Work:
    return Work("a sum", engines, [Target("b", "a", 2.0, 1.5)], turn=1e-4, rounds=2)


def test_a_work_gives_a_row_for_each_engine_and_a_ratio_for_each_target() -> None:
    first, second = harness.run([work_of(a=seven, b=seven)])
    assert (first["engine"], first["ratio_to"], first["ratio"]) == ("a", "a", 1.0)
    assert (second["engine"], second["ratio_to"], second["target"], second["aim"]) == ("b", "a", 2.0, 1.5)
    assert second["ratio"] == second["median_s"] / first["median_s"] > 0


def test_engines_that_disagree_are_not_compared() -> None:
    with pytest.raises(AssertionError, match="a sum: a and b, result 0: the results differ by up to 1"):
        harness.run([work_of(a=seven, b=eight)])


def test_results_are_compared_in_number_and_shape_too() -> None:
    with pytest.raises(AssertionError, match="1 and 2 results"):
        harness.assert_equal([1.0], [1.0, 2.0], 1e-9, "here")
    with pytest.raises(AssertionError, match="differ by up to nan"):
        harness.assert_equal(1.0, float("nan"), 1e-9, "here")


def test_an_engine_that_is_not_installed_is_left_out() -> None:
    rows = harness.run([work_of(a=seven, b=absent)])
    assert [row.get("missing") for row in rows] == ["a_module_that_nobody_has", None]
    assert rows[1]["engine"] == "a" and "target" not in rows[1]


def test_an_engine_that_fails_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match=r"a \(a sum\) ended with code 1"):
        harness.run([work_of(a=broken)])
    assert "this engine fails" in capfd.readouterr().err


# ------------------------------------------------------------ the command

ROWS: list[dict[str, Any]] = [
    {"work": "a step", "engine": "theirs", "median_s": 0.5, "ratio_to": "theirs", "ratio": 1.0},
    {"work": "a step", "engine": "ours", "median_s": 0.02, "ratio_to": "theirs", "ratio": 0.04}
    | {
        "target": 1 / 18,
        "aim": 1 / 30,
        "at_least": 0.0,
        "peak_bytes": 2_000_000,
        "peak_ratio": 0.2,
        "peak_target": 0.1,
    },
    {"work": "a step", "engine": "another", "missing": "jax"},
]


def test_what_is_missing_is_said_on_stderr_with_the_command_that_installs_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "_measure", lambda name: ROWS)
    assert main(["bench", "chain", "--json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out) == ROWS[:2]
    assert "Left out, because not installed: jax." in err and "pip install" in err and "[bench]" in err


def test_ratios_are_told_as_people_say_them(capfd: pytest.CaptureFixture[str]) -> None:
    between = {"work": "b", "engine": "x", "median_s": 3e-6, "ratio_to": "y", "ratio": 4.0}
    tell_benchmarks([*ROWS[:2], between | {"target": 3.5, "aim": None, "at_least": 2.0}])
    told = " ".join(capfd.readouterr().out.split())
    assert "ours 20.0 ms 25 times faster than theirs ≥ 18 ≥ 30 missed 2.0 MB, 5.0 times less, asked: 10" in told
    assert "x 3.00 µs 4.00 × y 2 to 3.5 missed" in told


def test_a_benchmark_that_fails_is_one_line_and_a_command_that_says_more(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tests" / "benchmarks"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "bad.py").write_text("raise AssertionError('two results')")
    monkeypatch.setattr(suite, "CHECKOUT", tmp_path)
    assert main(["bench"]) == 1
    told = capfd.readouterr().err
    assert "the benchmark bad failed: AssertionError: two results" in told and "python -c" in told


def test_an_active_environment_without_the_peers_still_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "active_environment", lambda: Path("/opt/somewhere"))
    monkeypatch.setattr(bootstrap, "missing_requirements", lambda checkout, extra: ["jax"] if extra else [])
    bootstrap.ensure_environment(["bench"])
    with pytest.raises(SystemExit):
        bootstrap.ensure_environment(["test"])

"""Runs the test suite and the benchmarks of a checkout, in the environment that they expect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autodiff_lab.bootstrap import CHECKOUT
from autodiff_lab.errors import UserError, nearest


def run_tests(arguments: list[str]) -> int:
    """pytest on the checkout's tests, its files spread over processes; `arguments` go to pytest. Returns its exit code.

    There is one process more than there are cores (at most 4): a fifth of the time of many tests is waiting.
    """
    if not (CHECKOUT / "tests").is_dir():
        raise UserError("there are no tests here.", "they come with a clone of the course.")
    own = any(word.startswith(("-n", "--numprocesses", "--pdb", "--collect-only", "--co")) for word in arguments)
    processes = min((os.cpu_count() or 1) + 1, 4)
    # tests/conftest.py says what stays together and what goes first.
    spread = [] if own else ["-n", str(processes), "--dist", "loadfile", "--no-loadscope-reorder"]
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_test_", ignore_cleanup_errors=True) as scratch:
        return _run([sys.executable, "-m", "pytest", *spread, *arguments], _environment(scratch))


def _environment(scratch: str) -> dict[str, str]:
    """One thread per process, no window, and none of the user's own Jupyter settings."""
    environment = {
        **os.environ,
        "MPLBACKEND": "Agg",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "JUPYTER_PLATFORM_DIRS": "1",
    }
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        environment[name] = str(Path(scratch) / name.lower())
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment.setdefault(name, "1")
    for name in ("AUTODIFF_LAB_WORKSPACE", "JUPYTER_CONFIG_PATH", "JUPYTER_TOKEN"):
        environment.pop(name, None)
    return environment


def benchmark_names() -> list[str]:
    """The files of tests/benchmarks, each of which measures one piece of work, or a few alike."""
    folder = CHECKOUT / "tests" / "benchmarks"
    names = sorted(path.stem for path in folder.glob("*.py") if path.stem not in ("__init__", "harness"))
    if not names:
        raise UserError("there are no benchmarks here.", "they come with a clone of the course.")
    return names


def run_benchmarks(
    names: list[str], progress: Callable[[str, int, int], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of the ratio table, and the modules to compare with that are not installed: their rows are left out.

    A row has ``work``, ``engine``, ``median_s`` (CPU seconds of a step), ``ratio_to`` (another engine), ``ratio`` (this
    engine's time over that one's), and, where something is asked of it, ``target``, ``aim`` and ``at_least``, which are
    ratios too; where memory is measured, ``peak_bytes``, ``peak_ratio`` and ``peak_target``. `names` are files of
    tests/benchmarks; none means all. Raises UserError where a benchmark fails, as it does when two engines come to
    different results.
    """
    known = benchmark_names()
    for name in names:
        if name not in known:
            raise UserError(f"there is no benchmark {name!r}.", f"did you mean {nearest(name, known)}?")
    rows: list[dict[str, Any]] = []
    chosen = names or known
    for number, name in enumerate(chosen):
        progress(name, number, len(chosen))
        rows += _measure(name)
    progress("", len(chosen), len(chosen))
    missing = dict.fromkeys(row["missing"] for row in rows if "missing" in row)
    return [row for row in rows if "missing" not in row], list(missing)


def _measure(name: str) -> list[dict[str, Any]]:
    code = f"import json\nfrom tests.benchmarks import {name}\nprint(json.dumps({name}.run()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    raise UserError(
        f"the benchmark {name} failed: {last}",
        f"the whole message: python -c 'import tests.benchmarks.{name} as b; b.run()'",
    )


def _run(command: list[str], environment: dict[str, str]) -> int:
    process = subprocess.Popen(command, cwd=CHECKOUT, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the terminal has told the child as well: it ends in its own way
            continue

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

from autodiff_lab.bootstrap import CHECKOUT, active_environment, install_command
from autodiff_lab.errors import UserError, nearest


def run_tests(arguments: list[str]) -> int:
    """pytest on the checkout's tests, files spread over the cores; `arguments` go to pytest. Returns its exit code."""
    if not (CHECKOUT / "tests").is_dir():
        raise UserError("there are no tests here.", "they come with a clone of the course.")
    own = any(word.startswith(("-n", "--numprocesses", "--pdb", "--collect-only", "--co")) for word in arguments)
    # tests/conftest.py says what stays together and what goes first.
    spread = [] if own else ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadfile", "--no-loadscope-reorder"]
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
    """The files of tests/benchmarks, each of which measures one piece of work."""
    folder = CHECKOUT / "tests" / "benchmarks"
    names = sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))
    if not names:
        raise UserError("there are no benchmarks here.", "they come with a clone of the course.")
    return names


def run_benchmarks(names: list[str], progress: Callable[[str, int, int], None]) -> list[dict[str, Any]]:
    """The rows of the ratio table: work, engine, median_s, ratio_to, ratio, and what else a benchmark measures.

    `names` are files of tests/benchmarks; none means all. Raises UserError where a library to compare with is missing.
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
    return rows


def _measure(name: str) -> list[dict[str, Any]]:
    # In a process of its own: what the command line has loaded would be walked by every garbage collection.
    code = f"import json\nfrom tests.benchmarks import {name}\nprint(json.dumps({name}.run()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    install = install_command("bench", CHECKOUT, active_environment())
    hint = f"to install what it compares with, run: {install}" if "ModuleNotFoundError" in last else ""
    raise UserError(f"the benchmark {name} failed: {last}", hint)


def _run(command: list[str], environment: dict[str, str]) -> int:
    process = subprocess.Popen(command, cwd=CHECKOUT, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the terminal has told the child as well: it ends in its own way
            continue

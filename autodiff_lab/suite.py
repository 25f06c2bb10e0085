"""Runs the test suite and the benchmarks of a checkout, in a process of their own and the environment they expect."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from autodiff_lab.bootstrap import CHECKOUT
from autodiff_lab.errors import UserError


def run_tests(arguments: list[str]) -> int:
    """pytest on the checkout's tests, files spread over the cores; `arguments` go to pytest. Returns its exit code."""
    if not (CHECKOUT / "tests").is_dir():
        raise UserError("there are no tests here: they come with a checkout of the course.")
    own = any(word.startswith(("-n", "--numprocesses", "--pdb", "--collect-only", "--co")) for word in arguments)
    # A file's tests stay together: they share what is dear to start (a JupyterLab, a built course).
    spread = [] if own else ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadfile"]
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


def run_benchmarks(arguments: list[str]) -> int:
    """The benchmarks of the checkout; `arguments` go to them. Returns their exit code."""
    if not (CHECKOUT / "tests" / "benchmarks").is_dir():
        raise UserError("there are no benchmarks here: they come with a checkout of the course.")
    return _run([sys.executable, "-m", "tests.benchmarks", *arguments], dict(os.environ))


def _run(command: list[str], environment: dict[str, str]) -> int:
    process = subprocess.Popen(command, cwd=CHECKOUT, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the terminal has told the child as well: it ends in its own way
            continue

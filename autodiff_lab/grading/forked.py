"""Runs notebooks that are ours, such as the answers of a bank, as grading does, in forked processes instead of kernels.

Tests run in a child of the judge, and reach the answers, in another process, by text: all that is grading's own code.
The process of the answers is forked from one that has imported what kernels import, which takes milliseconds, and
takes code over a socket. It is no place for code that nobody trusts, and lacks what only a kernel has: comms, and the
frontend.

    python -m autodiff_lab.grading.forked FD     # as the judge
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets import Bool, Integer
from traitlets.config.loader import Config

from autodiff_lab.checks.bridge import SOCKET
from autodiff_lab.grading import inside, judge, sandbox, split, zygote
from autodiff_lab.grading import masks as masking
from autodiff_lab.grading.execute import CRASHED, ExecuteSubmission
from autodiff_lab.grading.intake import copy_given

try:
    import resource
except ImportError:  # Windows: nothing is forked there
    resource = None  # type: ignore[assignment]

_LATE_S = 300.0  # of waiting for a process that has a limit of processor time; more than a busy machine makes of it


class Kernel:
    """What `ExecuteForked` has in the place of a kernel manager: a line to a forked process, once it is started."""

    has_kernel = False
    line: split.Line | None = None

    def __init__(self, plan: sandbox.Plan) -> None:
        self.plan = plan


class ExecuteForked(ExecuteSubmission):
    """Execute a submission whose answers are trusted: `ExecuteSubmission`, with forked processes for kernels."""

    timeout = Integer(4, help="Seconds of processor time for a cell, or the answers to a test.").tag(config=True)
    max_restarts = Integer(100).tag(config=True)
    trust_students = Bool(True).tag(config=True)

    def create_kernel_manager(self) -> Kernel:
        """A new line to a process that is yet to be forked."""
        self.km = Kernel(super().create_kernel_manager().plan)
        return self.km

    def start_new_kernel(self, **options: Any) -> None:
        """Fork one, with the masks and limits that a kernel would have here."""
        ours, theirs = socket.socketpair()
        with theirs, self._theirs:
            split.start_judge(True, self._hidden, Forks).fork(theirs, self._theirs)
        self.km.line = split.Line(ours)
        limits = replace(self.km.plan.limits, cpu=20 * self.timeout).of_a_process()
        limits.pop("RLIMIT_NPROC")  # counts what this user has elsewhere
        masks = masking.replaced(self.km.plan.masks)
        self._send({"work": self.resources["metadata"]["path"], "masks": masks, "limits": limits})

    def start_new_kernel_client(self) -> Any:
        """There is none."""

    def _cleanup_kernel(self) -> None:
        if self.km.line is not None:
            self.km.line.close()

    def _hear(self) -> list[str]:
        return []

    def _how_it_died(self) -> str:
        return CRASHED

    def execute_cell(self, cell: NotebookNode, index: int, **options: Any) -> NotebookNode:
        """Run one cell; its outputs go into it. Raises as nbclient's."""
        try:
            self._send({"code": cell.source, "seconds": self.timeout})
            told = json.loads(self.km.line.read(monotonic() + _LATE_S))
        except split.Gone:
            raise DeadKernelError("the process of the answers has ended") from None
        except split.Late:
            told = None
        if told is None:
            raise CellTimeoutError.error_from_timeout_and_cell("no end", self.timeout, cell)
        cell.outputs = [nbformat.from_dict(output) for output in told]
        return cell

    def _send(self, message: dict[str, Any]) -> None:
        self.km.line.send(json.dumps(message).encode(), monotonic() + _LATE_S)


def run_forked(notebook: NotebookNode, unit: str, course: Path, **options: Any) -> None:
    """Run a submission to ``unit`` in place. Its answers are trusted. `options` are those of `ExecuteForked`."""
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_", ignore_cleanup_errors=True) as scratch:
        copy_given(course / "source" / unit, Path(scratch), unit)
        resources = {"nbgrader": {"assignment": unit}, "metadata": {"path": scratch}}
        config = Config(CourseDirectory={"root": str(course)})
        ExecuteForked(config=config, **options).preprocess(notebook, resources)


class Forks(split.Judge):
    """The process that those of the answers are forked from."""

    module = __name__


# ------------------------------------------------------------ what is forked


def serve(shell: judge.Shell, connection: socket.socket, bridge: socket.socket) -> None:
    """Run the cells that come over ``connection``, until it is closed. `bridge.serve` finds the other socket."""
    os.environ[SOCKET] = str(bridge.fileno())
    stream = connection.makefile("rb")
    plan = json.loads(stream.readline())
    for name in [name for name in sys.modules if _is_below(name, plan["masks"])]:  # imported before it was masked
        package, _, last = name.rpartition(".")
        del sys.modules[name]
        if package in sys.modules:
            vars(sys.modules[package]).pop(last, None)
    os.chdir(plan["work"])
    shell.starting_dir = plan["work"]
    sys.path.append(plan["work"])
    inside._limit(plan["limits"])
    inside._mask(plan["masks"])

    def end(*_: Any) -> None:
        connection.sendall(b"null\n")
        os._exit(0)

    signal.signal(signal.SIGPROF, end)
    for line in stream:
        piece = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, piece["seconds"])
        outputs = judge.run(shell, piece["code"])
        signal.setitimer(signal.ITIMER_PROF, 0)
        connection.sendall(json.dumps(outputs).encode() + b"\n")


def _is_below(name: str, modules: Iterable[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def warm() -> judge.Shell:
    """A shell, and in memory what kernels import. Its errors are told in a line: nobody reads where they came from."""
    zygote.warm_up()
    shell = judge.shell()
    # Figures are made, and nobody looks at them: most of the time of some units would go into drawing.
    importlib.import_module("matplotlib.figure").Figure.savefig = lambda *_, **__: None
    shell.InteractiveTB.set_mode("Minimal")
    shell.ask_exit = lambda: None  # as in a kernel: exit() ends nothing
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return shell


if __name__ == "__main__":
    judge.main(int(sys.argv[1]), warm(), serve)

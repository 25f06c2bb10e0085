"""The judge: runs the test cells of submissions, in processes in which no student's code has ever been.

One judge serves one worker. It has imported what tests need, and forks a child for each notebook, with a fresh
namespace. The child asks the student's code by way of the worker, as text, and returns outputs in nbformat's shape.

    python -m autodiff_lab.grading.judge FD     # FD: an open socket, over which come the children's sockets

A child and the worker exchange lines of JSON: {"code", "seconds"} goes in, {"outputs"} comes back, and in between any
number of times {"question"} goes out and one line, the answer, comes in. Questions and answers are `wire`'s text.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from autodiff_lab.checks import wire
from autodiff_lab.checks.remote import Remote
from autodiff_lab.checks.student import student
from autodiff_lab.grading.inside import end_with

Output = dict[str, Any]


class _Publisher(DisplayPublisher):
    """Keeps what is displayed."""

    def publish(self, data: dict[str, Any], metadata: dict[str, Any] | None = None, **_: Any) -> None:
        Shell.instance().shown.append({"output_type": "display_data", "data": data, "metadata": metadata or {}})


class _Hook(DisplayHook):
    """Keeps the value of a last expression, which nbgrader reads as points where it is a number."""

    def __call__(self, result: Any = None) -> None:
        if result is not None and not self.quiet():
            data, metadata = Shell.instance().display_formatter.format(result)
            Shell.instance().shown.append(
                {"output_type": "execute_result", "data": data, "metadata": metadata, "execution_count": None}
            )


class Shell(InteractiveShell):
    """IPython without a terminal: what is displayed, and the error that ends a cell, are kept in `shown`."""

    display_pub_class, displayhook_class = _Publisher, _Hook
    shown: list[Output]

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        error = {"output_type": "error", "ename": etype.__name__, "evalue": str(evalue)}
        also = [known.code for known in getattr(evalue, "also", ())]
        self.shown.append({**error, "traceback": [str(line) for line in stb], **({"also": also} if also else {})})


def run(shell: Shell, code: str) -> list[Output]:
    """Run code; return its outputs: what was printed, what was displayed, and the error that ended it."""
    shell.shown = []
    with capture_output(display=False) as captured:
        shell.run_cell(code, store_history=False)
    printed = (("stdout", captured.stdout), ("stderr", captured.stderr))
    return [{"output_type": "stream", "name": name, "text": text} for name, text in printed if text] + shell.shown


def serve(shell: Shell, connection: socket.socket) -> None:
    """Run the pieces of test cells of one notebook that come over ``connection``, until it is closed."""
    stream = connection.makefile("rwb")

    def send(message: dict[str, Any]) -> None:
        stream.write(json.dumps(message).encode() + b"\n")
        stream.flush()

    def ask(question: dict[str, Any]) -> Any:
        send({"question": wire.dumps(question)})
        line = stream.readline()
        if not line:
            os._exit(0)
        return wire.loads(line)

    student._transport = Remote(ask)
    for line in stream:
        piece = json.loads(line)
        # A test that never ends takes its process with it; the worker sees the socket close, and tells.
        signal.setitimer(signal.ITIMER_REAL, piece["seconds"])
        outputs = run(shell, piece["code"])
        signal.setitimer(signal.ITIMER_REAL, 0)
        send({"outputs": outputs})


def shell() -> Shell:
    """The shell of this process, which has run a first cell."""
    made: Shell = Shell.instance(colors="nocolor", history_length=0)
    made.history_manager.enabled = False
    run(made, "pass")
    return made


def warm() -> Shell:
    """A shell, and in memory what most tests import."""
    units = importlib.import_module("autodiff_lab.units")
    of_units = (f"{units.__name__}.{unit.name}" for unit in pkgutil.iter_modules(units.__path__))
    for name in ("numpy", "autodiff_lab.engine.composed", *of_units):
        importlib.import_module(name)
    return shell()


def main(descriptor: int, shell: Shell, serve: Callable[..., None] = serve) -> None:
    """Fork a child to `serve` the sockets that come over the socket ``descriptor`` at once; end when that is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    control, me = socket.socket(fileno=descriptor), os.getpid()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not message:
            return
        if os.fork() == 0:
            end_with(me)
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                serve(shell, *(socket.socket(fileno=number) for number in descriptors))
            except BrokenPipeError:  # the worker is gone
                pass
            finally:
                os._exit(0)
        for number in descriptors:
            os.close(number)


if __name__ == "__main__":
    main(int(sys.argv[1]), warm())

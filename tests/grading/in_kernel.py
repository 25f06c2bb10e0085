"""Runs cells in a kernel as the grader starts it and tells what came out; a program, so that any user can run it.

A line of JSON from stdin, {"cells": […], "options": {…}, "files": {name: text}, "seconds": …}, is one fresh kernel, and
a line that it prints. With the argument `forked`, kernels are forked where that works.
"""

import json
import socket
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from autodiff_lab.grading import warm
from autodiff_lab.grading.sandbox import Limits, kernel_manager


def main(given: dict) -> dict:
    ours, theirs = socket.socketpair()
    with tempfile.TemporaryDirectory() as folder, ours, theirs:
        work, tempfile.tempdir = Path(folder, "work"), folder
        work.mkdir()
        for name, text in given.get("files", {}).items():
            (work / name).write_text(text)
        if given.get("twice"):
            run(given, work, theirs)
        before = open_files()
        told = run(given, work, theirs)
        told["open"] = len(open_files()) - len(before)
        told["left"] = [path.name for path in Path(folder).iterdir() if path != work]
        ours.setblocking(False)
        try:
            told["bridge"] = ours.recv(100).decode()
        except BlockingIOError:
            told["bridge"] = ""
        finally:
            tempfile.tempdir = None
    return told


def run(given: dict, work: Path, bridge: socket.socket) -> dict:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in given["cells"]])
    options = dict(given.get("options", {}))
    options["masks"] = tuple(options.get("masks", ()))
    options["limits"] = Limits(**options.get("limits", {}))
    manager = kernel_manager(work=work, bridge=bridge, **options)
    client = NotebookClient(
        notebook,
        km=manager,
        allow_errors=True,
        timeout=given.get("seconds", 60),
        interrupt_on_timeout=True,
        iopub_timeout=20,
        shutdown_kernel="immediate",
    )
    said = []
    with client.setup_kernel(cleanup_kc=True):
        provisioner = manager.provisioner
        forked = isinstance(provisioner.process, warm.Process)
        for number, cell in enumerate(notebook.cells):
            try:
                client.execute_cell(cell, number)
            except (DeadKernelError, CellTimeoutError) as error:
                said.append(type(error).__name__)
                break
            said.append("".join(map(_text, cell.outputs)).strip())
        ended = provisioner.how_it_ended()
        family = sorted(provisioner.processes())
    alive = [number for number in family if Path(f"/proc/{number}").exists()]
    told = {"said": said, "ended": ended, "left out": provisioner.left_out, "family": family, "alive": alive}
    return {**told, "forked": forked}


def open_files() -> list[str]:
    return [path.name for path in Path("/proc/self/fd").iterdir()]


def _text(output: dict) -> str:
    if output["output_type"] == "error":
        return f"{output['ename']}: {output['evalue']}\n"
    return output.get("text") or output.get("data", {}).get("text/plain", "")


if __name__ == "__main__":
    if "forked" in sys.argv[1:]:
        warm.keep(())
    for line in sys.stdin:
        print(json.dumps(main(json.loads(line))), flush=True)

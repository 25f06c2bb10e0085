"""A kernel that was forked has the sandbox of one that bubblewrap started, and shows the same."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from nbclient import NotebookClient

from autodiff_lab.grading import masks, sandbox, warm, zygote

pytestmark = pytest.mark.sandbox

FACTS = """
import json, os, resource, signal, socket, sys
def listed(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return type(error).__name__
def may_write(path):
    try:
        os.close(os.open(path + "/probe", os.O_CREAT | os.O_WRONLY))
        os.remove(path + "/probe")
        return True
    except OSError as error:
        return error.strerror
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
mounts = [line.split() for line in open("/proc/self/mountinfo")]
shown = {mount[4]: mount[5] for mount in mounts}
print(json.dumps({
    "status": {key: status[key] for key in ("CapPrm", "CapEff", "CapAmb", "NoNewPrivs", "Seccomp", "Groups", "NSpid",
                                            "PPid", "Umask", "SigIgn")},
    "handlers": [str(signal.getsignal(n)).split(" at ")[0] for n in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE)],
    "nobody": os.getuid() == os.geteuid() == os.getgid() and os.getuid() >= 1000,
    "session": os.getsid(0) == os.getpid(),
    "processes": [name for name in listed("/proc") if name.isdigit()],
    "mounts": {place: flags for place, flags in shown.items()},
    "may write": {place: may_write(place) for place in ["/", *shown] if os.path.isdir(place)},
    "folders": {place: listed(place) for place in ("/", "/home", "/home/student", "/tmp", "/dev", "/dev/pts",
                                                   "/dev/shm", "/etc", "/root", "/proc/1/fd", "/proc/1/task")},
    "limits": {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name[:7] == "RLIMIT_"},
    "environment": {key: os.environ[key] for key in sorted(os.environ) if key != "PYDEVD_USE_FRAME_EVAL"},
    "interfaces": socket.if_nameindex(),
    "host": socket.gethostname(),
    "path": sys.path,
    "passwd": open("/etc/passwd").read().replace(str(os.getuid()), "N"),
    "own": os.stat("/tmp").st_dev != os.stat("/home/student").st_dev,
    "main": __name__,
    "bridge": listed("/work"),
}))
"""


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    warm.close()
    yield
    warm.close()


def run(*codes: str, forked: bool, masks: tuple[str, ...] = ()) -> list[list[Any]]:
    """The outputs of cells of one kernel."""
    if forked:
        warm.keep(())
    else:
        warm.close()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in codes])
    client = NotebookClient(notebook, km=sandbox.kernel_manager(masks=masks), allow_errors=True, timeout=60)
    with client.setup_kernel(cleanup_kc=True):
        assert isinstance(client.km.provisioner.process, warm.Process) == forked
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
    return [cell.outputs for cell in notebook.cells]


def test_it_is_as_confined_as_one_that_bubblewrap_started() -> None:
    facts = []
    for forked in (False, True):
        ((output,),) = run(FACTS, forked=forked, masks=("engine", "torch"))
        facts.append(json.loads(output.text))
    started, forked_one = facts
    assert started["nobody"]
    assert started["may write"]["/tmp"] is True
    assert "ro" in forked_one["mounts"].pop("/etc/passwd").split(",")
    for fact, value in started.items():
        assert forked_one[fact] == value, fact


PICTURES = """
import matplotlib.pyplot as plt
plt.plot([1, 2])
"""
WIDGET = """
import ipywidgets
print(sorted(get_ipython().kernel.comm_manager.targets))
ipywidgets.IntSlider()
"""
ERROR = """
def inner(x):
    return 1 / x
def outer():
    return [inner(0) for _ in "a"]
outer()
"""


def test_it_shows_the_same() -> None:
    codes = (PICTURES, WIDGET, ERROR, "x = (1", "!echo from a shell", "input()")

    def shown(outputs: list[Any]) -> list[Any]:
        told = []
        for output in outputs:
            data = {kind: len(str(value)) // 50 for kind, value in output.get("data", {}).items()}
            trace = [line for line in output.get("traceback", []) if "/ipykernel_" not in line]
            told.append((output.output_type, sorted(data), trace, output.get("text", "")[:4]))
        return told

    cells = [cell for code in codes for cell in (code, "1 + 1")]
    started, forked_one = (run(*cells, forked=forked) for forked in (False, True))
    for cell, expected, found in zip(cells, started, forked_one, strict=True):
        assert expected and shown(found) == shown(expected), cell


def test_what_one_kernel_draws_at_random_or_leaves_no_other_finds() -> None:
    code = """
import os, random, numpy, uuid, tempfile
print(random.random(), numpy.random.rand(), uuid.uuid4(), os.getuid())
for folder in ("/tmp", "/home/student", "/dev/shm", "."):
    print(sorted(os.listdir(folder)))
    open(os.path.join(folder, "left"), "w").close()
import builtins
print(hasattr(builtins, "left"))
builtins.left = 1
"""
    ((first,),), ((second,),) = run(code, forked=True), run(code, forked=True)
    ours, theirs = first.text.splitlines(), second.text.splitlines()
    assert not set(ours[0].split()) & set(theirs[0].split())
    assert ours[1:] == theirs[1:]
    assert "left" not in second.text.replace("hasattr", "")


def test_nothing_that_a_unit_masks_is_imported_ahead() -> None:
    ((output,),) = run("import sys; print(*sys.modules)", forked=True)
    hidden = {name for name in masks.modules(tuple(masks.MASKS)) if name in output.text.split()}
    assert "autodiff_lab.checks.bridge" in output.text.split()
    assert not hidden


def stop(process: psutil.Process) -> None:
    """Have a process and all that come of it do nothing any more. What has stopped starts no other meanwhile."""
    process.suspend()
    while process.status() not in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE):
        time.sleep(0.002)
    for child in process.children():
        stop(child)


def test_where_forking_does_not_work_kernels_are_started_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_failures", 0)
    monkeypatch.setattr(warm, "ANSWER_S", 0.05)
    warm.keep(())
    process = warm.zygote(())
    assert process is not None
    stop(psutil.Process(process.process.pid))  # it takes the request, and never answers
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(6 * 7)")])
    client = NotebookClient(notebook, km=sandbox.kernel_manager(), timeout=60)
    with client.setup_kernel(cleanup_kc=True):
        assert not isinstance(client.km.provisioner.process, warm.Process)
        client.execute_cell(notebook.cells[0], 0)
    assert notebook.cells[0].outputs[0].text == "42\n"
    assert warm._failures == 1
    assert warm.zygote(()) is None


def test_kernels_end_with_the_process_that_they_are_forked_from() -> None:
    warm.keep(())
    client = NotebookClient(nbformat.v4.new_notebook(), km=sandbox.kernel_manager(), timeout=60)
    with client.setup_kernel(cleanup_kc=True):
        family = list(client.km.provisioner.processes())
        assert len(family) == 3
        warm.close()
        until = time.monotonic() + 60
        while any(Path(f"/proc/{number}").exists() for number in family) and time.monotonic() < until:
            time.sleep(0.02)
        assert not [number for number in family if Path(f"/proc/{number}").exists()]


def test_the_process_to_fork_from_has_one_thread_and_holds_nothing_of_the_graders() -> None:
    warm.keep(())
    process = warm.zygote(())
    assert process is not None
    children = Path(f"/proc/{process.process.pid}/task/{process.process.pid}/children")
    until = time.monotonic() + 120
    while not (number := children.read_text().strip()) or (
        "zygote" not in Path(f"/proc/{number}/cmdline").read_text() and time.monotonic() < until
    ):
        time.sleep(0.02)
    run("pass", forked=True)  # it is ready then
    assert len(list(Path(f"/proc/{number}/task").iterdir())) == 1
    assert zygote.__file__ in Path(f"/proc/{number}/cmdline").read_text()
    names = {name.split("=")[0] for name in Path(f"/proc/{number}/environ").read_text().split("\0") if name}
    assert names <= {*sandbox.variables(), "PWD"}
    assert not names & (os.environ.keys() - sandbox.variables().keys() - {"PWD"})

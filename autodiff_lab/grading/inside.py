"""The first thing that runs inside a sandbox: sets the limits, gives up what rights are left, starts the program.

Run by its path, with the number of an open file: one line of JSON (see `sandbox.jail`), then the contents of the files
for the work folder. It imports nothing of this package, and nothing of a submission's has run before it is done.

The program runs in a child. The first process only waits for it: what is first in a sandbox has to reap every process
that loses its parent, and no signal from inside ends it. Where there is no sandbox (a second argument: the number of
the process that started this one) it ends the program, and what came of it, when that process is gone.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import runpy
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows: nothing runs in here; `end_with` is all that is used
    resource = None  # type: ignore[assignment]

_SET_PARENT_DEATH_SIGNAL, _SET_DUMPABLE = 1, 4  # linux/prctl.h


def main() -> None:
    """Do what the file says; this process, or rather its child, becomes the program."""
    if len(sys.argv) > 2:
        _guard(int(sys.argv[2]))
    else:
        _be_first()
    plan: dict[str, Any]
    with os.fdopen(int(sys.argv[1]), "rb") as given:
        plan = json.loads(given.readline())
        if plan["uid"] is not None:
            os.setgroups([])
            os.setresgid(plan["uid"], plan["uid"], plan["uid"])
            os.setresuid(plan["uid"], plan["uid"], plan["uid"])
        work = Path(plan["work"])
        for folder in plan["folders"]:
            Path(folder).mkdir(mode=0o700, exist_ok=True)
        work.mkdir(mode=0o700, exist_ok=True)
        for name, size in plan["files"]:
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(given.read(size))
    os.chdir(work)
    if plan["connection"]:
        Path(plan["connection"][0]).write_text(json.dumps(plan["connection"][1]), encoding="utf-8")
    _limit(plan["limits"])
    if plan["masks"]:
        _mask(plan["masks"])
    if plan["control"] is not None:
        control = socket.socket(fileno=plan["control"])
        folder = os.open(plan["folders"][-1], os.O_RDONLY | os.O_DIRECTORY)
        socket.send_fds(control, [b"ready"], [folder])
        os.close(folder)
        _listen(control, (*plan["folders"], "/tmp", "/dev", "/proc/self"))
        # What went wrong so far was written to stderr; what a submission writes there goes nowhere.
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nowhere, number)
        os.close(nowhere)
    _start(plan["argv"], str(work))


def _be_first() -> None:
    """Return in a child. This process waits for it, and there is nothing in it for anyone.

    Not its memory nor its files, which under the same user would be as open as one's own: the system does not let
    anyone look into a process that is not dumpable. It has no right left and holds nothing.
    """
    system = ctypes.CDLL(None)
    system.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    child = os.fork()
    if child == 0:
        system.prctl(_SET_DUMPABLE, 1, 0, 0, 0)
        os.setsid()
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process does not hear what it does not handle
    os.closerange(0, 1 << 16)
    system.capset(struct.pack("=Ii", 0x20080522, 0), bytes(24))  # linux/capability.h, version 3: none
    _limit({"RLIMIT_NOFILE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0})
    while True:
        number, status = os.wait()
        if number == child:
            os._exit(_code(status))


def _guard(parent: int) -> None:
    """Return in a child, which leads a group of processes of its own.

    This process waits for its end, for that of `parent`, or for SIGTERM; then it ends that group, and itself.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    guard = os.getpid()
    child = os.fork()
    if child == 0:
        end_with(guard)
        os.setpgid(0, 0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
        return
    os.closerange(0, 1 << 16)
    while os.getppid() == parent and signal.SIGTERM not in signal.sigpending():
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.05)
    # As long as nobody has heard of its end, its number is nobody else's.
    for end in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(child, signal.SIGKILL)
    os._exit(_code(os.waitpid(child, 0)[1]))


def _code(status: int) -> int:
    """As shells and bubblewrap tell of a signal: 128 more than its number."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def end_with(parent: int) -> None:
    """Have this process end when `parent`, which started it, is gone: rather, the thread that did. Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it was gone before
            os._exit(1)


def _listen(line: socket.socket, allowed: tuple[str, ...]) -> None:
    """Have `notices` tell over the line what is tried; loaded by its path, as this file is."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("_notices", Path(__file__).with_name("notices.py"))
    assert spec is not None and spec.loader is not None
    notices = module_from_spec(spec)
    spec.loader.exec_module(notices)
    notices.tell(line, allowed)


def _limit(limits: dict[str, int]) -> None:
    """Set what the system enforces for each process, for good. What it does not know is left alone (macOS: memory)."""
    for name, value in limits.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (ValueError, OSError):
            if sys.platform == "linux":
                raise
    # If memory runs out all the same, this is what has to go.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _mask(masks: dict[str, str]) -> None:
    """Let modules come from another file, installed or not. Any program can undo this: a sandbox hides them besides."""
    from importlib.util import spec_from_file_location

    class Finder:
        @staticmethod
        def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
            if name not in masks:
                return None
            return spec_from_file_location(name, masks[name], submodule_search_locations=[])

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


def _start(argv: list[str], work: str) -> None:
    """Become the program. Python's `-m` runs in this very interpreter, which saves the start of a second one."""
    if argv[:2] != [sys.executable, "-m"]:
        os.execv(argv[0], argv)
    sys.argv[:] = argv[2:]
    sys.path.append(work)  # last: a file there is found, but never instead of a package
    runpy.run_module(argv[2], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

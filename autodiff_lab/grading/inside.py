"""The first thing that runs inside a sandbox: sets the limits, gives up what rights are left, starts the program.

Run by its path, with the number of an open file: one line of JSON (see `sandbox.jail`), then the contents of the files
for the work folder. It imports nothing of this package, and nothing of a submission's has run before it is done.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import runpy
import socket
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Do what the file says; this process becomes the program."""
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
    """Outside a sandbox: let modules come from another file. Any program can undo this."""
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

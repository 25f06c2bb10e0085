"""Kernels that are forked from a process which has imported what they need, each in a sandbox of its own.

The process (`zygote.py`) is started here, with bubblewrap; kernels are asked of it. A kernel has the same sandbox as
one that bubblewrap starts: what bubblewrap mounts read-only is around the first process already, the rest is made new
for each. Where that does not work, kernels are started one by one, as before.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from autodiff_lab.grading import masks as masking
from autodiff_lab.grading import sandbox, seccomp
from autodiff_lab.grading.zygote import JOIN as JOIN

_ZYGOTE = Path(__file__).resolve().parent / "zygote.py"
ANSWER_S = sandbox.START_S
"""Seconds until a process that does not fork when it is asked to counts as one that cannot."""
_RIGHTS = ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_NET_ADMIN")


class Unavailable(Exception):
    """There is no process to fork from."""


class Zygote:
    """The process that kernels are forked from. Does not wait until it is ready; a first kernel may have to."""

    def __init__(self, hidden: tuple[Path, ...]) -> None:
        self.hidden = hidden
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        root = os.geteuid() == 0
        options = [*sandbox.rights(root), "--clearenv", "--chdir", "/"]
        for right in _RIGHTS if root else ():
            options += ["--cap-add", right]
        for name, value in sandbox.variables().items():
            options += ["--setenv", name, value]
        passwd = sandbox.given_file(b"")
        options += sandbox.mounts(sandbox.Limits(), (), (), hidden, str(passwd.fileno()))
        told = sandbox.given_file("\0".join(options).encode())
        with theirs, passwd, told:
            argv = [shutil.which("bwrap") or "bwrap", "--args", str(told.fileno()), "--"]
            argv += [sys.executable, "-P", str(_ZYGOTE), str(theirs.fileno()), *masking.modules(tuple(masking.MASKS))]
            self.process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), passwd.fileno(), told.fileno()),
                env={},
                start_new_session=True,
            )

    def start(
        self, given: Any, variables: dict[str, str], user: int, plan: sandbox.Plan, fds: tuple[int, ...], said: Any
    ) -> Process:
        """Fork a kernel that reads `given`, as `inside.py` does, with open `fds`. Raises Unavailable."""
        root = os.geteuid() == 0
        request = {
            "numbers": [given.fileno(), *fds],
            "given": given.fileno(),
            "env": variables,
            "uid": None if root else os.geteuid(),
            "gid": None if root else os.getegid(),
            "disk": plan.limits.disk,
            "home": sandbox.HOME,
            "passwd": sandbox.passwd(user),
            "calls": seccomp.program().hex(),
            "covers": [[str(source), str(target)] for source, target in masking.covers(plan.masks, sandbox.shown())],
        }
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            with theirs:
                numbers = [theirs.fileno(), said.fileno(), given.fileno(), *fds]
                socket.send_fds(self._control, [json.dumps(request).encode()], numbers)
            ours.settimeout(ANSWER_S)
            message, about, _, _ = ours.recvmsg(16, socket.CMSG_SPACE(12))
        except OSError as error:
            ours.close()
            raise Unavailable(str(error)) from error
        if message != b"here" or not about:
            ours.close()
            raise Unavailable("it does not answer")
        return Process(struct.unpack("=3i", about[0][2][:12])[0], ours)

    def is_gone(self) -> bool:
        return self.process.poll() is not None

    def close(self) -> None:
        """End it; kernels that were forked from it end as well."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
            return
        self.process.kill()
        self.process.wait()


class Process:
    """A process that is no child of this one, with what `subprocess.Popen` has. Its end is told over a socket."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int, life: socket.socket) -> None:
        self.pid, self.returncode = pid, None if pid else -signal.SIGKILL
        self.args = "a kernel"
        life.setblocking(False)
        self._life = life

    def poll(self) -> int | None:
        """How it ended; None if it has not. What was killed says nothing."""
        if self.returncode is None:
            try:
                told = self._life.recv(16)
            except BlockingIOError:
                return None
            except OSError:
                told = b""
            self.returncode = int(told) if told else -signal.SIGKILL
            self._life.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """As Popen's."""
        until = None if timeout is None else monotonic() + timeout
        pause = 0.0005
        while (code := self.poll()) is None:
            if until is not None and monotonic() > until:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
            sleep(pause)
            pause = min(2 * pause, 0.02)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


_zygote: Zygote | None = None
_failures = 0
MOST_FAILURES = 2


def keep(hidden: tuple[Path, ...]) -> None:
    """From now on have this process's kernels forked, as long as `hidden` is the same."""
    global _zygote
    if _failures >= MOST_FAILURES or isinstance(sandbox.status(), sandbox.Refusal):
        return
    if _zygote is not None and (_zygote.is_gone() or _zygote.hidden != hidden):
        close()
    if _zygote is None:
        _zygote = Zygote(hidden)


def zygote(hidden: tuple[Path, ...]) -> Zygote | None:
    """The one that is kept, if it may be used."""
    return _zygote if _zygote is not None and _zygote.hidden == hidden and not _zygote.is_gone() else None


def failed() -> None:
    """A kernel that was forked did not start, and one by bubblewrap did."""
    global _failures
    _failures += 1
    close()


@atexit.register
def close() -> None:
    """End the process that kernels are forked from."""
    global _zygote
    if _zygote is not None:
        _zygote.close()
        _zygote = None

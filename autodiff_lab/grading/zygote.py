"""A process, inside a sandbox, that has imported what kernels import, and forks each kernel into a sandbox of its own.

Run by its path, with the number of an open socket, over which come requests (see `warm.py`), and the modules that are
masked somewhere. No code of a submission ever runs in it, and nothing of a submission is ever read by it. What it
forks gives up the rights that this process has, before it does anything else: first it makes new namespaces, in which
it sees nobody, with its own /tmp, /home, /proc and terminals; then it takes on the filter of system calls; and
`inside.py` does what it does in any sandbox.

What is mounted read-only around this process stays so: that was bubblewrap's work.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import stat
import struct
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

from autodiff_lab.grading import inside

try:
    import fcntl
except ImportError:  # Windows: it is imported for a constant, and never runs
    fcntl = None  # type: ignore[assignment]

MODULES = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.debugger", "ipykernel.comm"),
    *("IPython.core.completerlib", "IPython.core.historyapp", "IPython.core.pylabtools", "IPython.lib.latextools"),
    *("pexpect", "stack_data", "executing", "comm"),
    *("pygments.formatters.terminal256", "pygments.lexers.python", "pygments.styles.default", "psygnal"),
    *("numpy", "numpy.random", "numpy.linalg", "numpy.fft", "numpy.polynomial", "numpy.ma"),
    *("matplotlib", "matplotlib.font_manager", "matplotlib.figure", "matplotlib.backends.backend_agg"),
    *("autodiff_lab", "autodiff_lab.checks.bridge", "autodiff_lab.checks.misconceptions"),
    *("ipywidgets", "anywidget"),
    *("fractions", "statistics", "timeit", "sqlite3", "doctest"),
)
"""What is imported ahead; what is not installed is left out. Nothing that a unit may mask, and nothing that joins the
running IPython as it is imported: not pyplot, nor what shows its figures. Widgets do it later; see `JOIN`."""
JOIN = "getattr(__import__('sys').modules.get('ipywidgets'), '_handle_ipython', lambda: None)()"
"""What a kernel runs first."""
LATER = ("matplotlib.pyplot", "matplotlib_inline")

# linux/sched.h, sys/mount.h, linux/prctl.h, linux/capability.h, linux/if.h
_NEW_MOUNTS, _NEW_CGROUPS, _NEW_UTS, _NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
_NEW_USERS, _NEW_PIDS, _NEW_NET = 0x10000000, 0x20000000, 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS = 1, 2, 4, 8
_REMOUNT, _BIND, _ALL_BELOW, _SLAVE = 32, 4096, 16384, 1 << 19
_SECCOMP, _DROP_FOR_GOOD, _NO_NEW_PRIVILEGES = 22, 24, 38
_SETGID, _SETUID = 6, 7
_SET_FLAGS, _UP = 0x8914, 1

_system = ctypes.CDLL(None, use_errno=True)


def main(descriptor: int, masked: list[str]) -> None:
    """Fork a kernel for each request that comes over the socket ``descriptor``; end when that is closed.

    ``masked`` are the modules that a kernel may be kept from: what is in memory could not be.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    warm_up()
    if ahead := [name for name in (*LATER, *masked) if name in sys.modules]:
        raise SystemExit(f"{', '.join(ahead)}: imported too early")
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208
        raise SystemExit("something that was imported has started a thread: there is no forking this process")
    gc.collect()
    gc.freeze()
    control, me = socket.socket(fileno=descriptor), os.getpid()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 18, 32)
        if not message:
            return
        if os.fork() == 0:
            control.close()
            _watch(json.loads(message), descriptors, me)
        for number in descriptors:
            os.close(number)


def warm_up() -> None:
    """Import, and do once what imports more when it is first done."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as a kernel does, before anything else
    for name in MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    sys.modules.pop("rfc3987_syntax", None)  # this package's shortcut; see `grading/__init__.py`
    _quick_tracebacks()


def _quick_tracebacks() -> None:
    """Have IPython show an error in half the time; what it shows stays the same.

    For each it builds a new class of lexer, and with that the lexer's tables; and it formats it all a second time, for
    a history that is not kept.
    """
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.core.ultratb import VerboseTB
    from pygments.lexer import RegexLexerMeta
    from pygments.lexers.python import PythonLexer

    make = RegexLexerMeta.__call__

    def make_with_tables(kind: Any, *args: Any, **options: Any) -> Any:
        if PythonLexer in kind.__bases__ and "tokens" not in kind.__dict__ and "_tokens" not in kind.__dict__:
            kind._all_tokens, kind._tmpname, kind._tokens = {}, 0, PythonLexer._tokens
        return make(kind, *args, **options)

    PythonLexer()
    RegexLexerMeta.__call__ = make_with_tables
    if hasattr(InteractiveShell, "_format_exception_for_storage"):
        InteractiveShell._format_exception_for_storage = lambda self, *args, **options: {}
    try:
        raise ValueError
    except ValueError:
        VerboseTB(theme_name="linux").structured_traceback(*sys.exc_info())


# ------------------------------------------------------------ what is forked


def _watch(request: dict[str, Any], descriptors: list[int], parent: int) -> NoReturn:
    """Be the process that bubblewrap would be: make new namespaces, start the first process in them, tell its end."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        inside.end_with(parent)
        tell = _put(descriptors, request["numbers"])
        life = socket.socket(fileno=tell)
        life.send(b"here")
        spaces = _NEW_MOUNTS | _NEW_PIDS | _NEW_NET | _NEW_IPC | _NEW_UTS
        if request["uid"] is not None:  # of an ordinary user: who is root there may mount
            _new_users(0, request["uid"], request["gid"])
        _call("unshare", spaces)
        with contextlib.suppress(OSError):
            _call("unshare", _NEW_CGROUPS)
        first = os.fork()
        if first == 0:
            life.close()
            _become_kernel(request)
        _keep_open(life.fileno())
        _give_up_rights()
        code = inside._code(os.waitpid(first, 0)[1])
        life.send(b"%d" % code)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)
    raise AssertionError


def _become_kernel(request: dict[str, Any]) -> NoReturn:
    """The first process of a sandbox: make it one, and go on with `inside.py`, which forks the kernel."""
    try:
        _keep_open(0, 1, 2, *request["numbers"])
        _mount_all(request)
        _lo_up()
        if request["uid"] is not None:
            _new_users(request["uid"], 0, request["gid"], 0)
            _give_up_rights()
        else:
            _give_up_rights(_SETUID, _SETGID)
        inside.end_with(0)  # which is outside of what can be seen from here
        _filter(bytes.fromhex(request["calls"]))
        os.environ.clear()
        os.environ.update(request["env"], PWD="/")
        if numpy := sys.modules.get("numpy"):
            numpy.random.seed()  # else every kernel would draw the same
        sys.argv[:] = [inside.__file__, str(request["given"])]
        inside.main()
        sys.exit(0)
    except SystemExit as end:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(1)
    raise AssertionError


def _put(descriptors: list[int], numbers: list[int]) -> int:
    """Give descriptors the numbers that they have where they came from. The first two: who is told, and the output."""
    above = max([*descriptors, *numbers]) + 1
    moved = [fcntl.fcntl(number, fcntl.F_DUPFD, above) for number in descriptors]
    for number in descriptors:
        os.close(number)
    for number, wanted in zip(moved[2:], numbers, strict=True):
        os.dup2(number, wanted)
    for wanted in (1, 2):
        os.dup2(moved[1], wanted)
    for number in moved[1:]:
        os.close(number)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return moved[0]


def _keep_open(*numbers: int) -> None:
    """Close every file but these."""
    start = 0
    for number in sorted(set(numbers)):
        if start < number:  # nothing to close would close everything
            os.closerange(start, number)
        os.set_inheritable(number, True)
        start = number + 1
    os.closerange(start, 1 << 20)


def _call(name: str, *arguments: Any) -> None:
    """A function of the C library; raises OSError."""
    if getattr(_system, name)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}{arguments}: {os.strerror(error)}")


def _new_users(inner: int, outer: int, group: int, outer_group: int | None = None) -> None:
    """A user namespace in which this user, ``outer``, is ``inner``."""
    _call("unshare", _NEW_USERS)
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
    inner_group, outer_group = (0, group) if outer_group is None else (group, outer_group)
    Path("/proc/self/uid_map").write_text(f"{inner} {outer} 1")
    Path("/proc/self/gid_map").write_text(f"{inner_group} {outer_group} 1")


def _give_up_rights(*kept: int) -> None:
    """Hold no rights but these, and let no program that is started have others."""
    for right in range(64):
        if right not in kept and _system.prctl(_DROP_FOR_GOOD, right, 0, 0, 0) != 0:
            break
    bits = sum(1 << right for right in kept)
    _call("capset", struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", bits, bits, 0, 0, 0, 0))


def _filter(program: bytes) -> None:
    """Have every system call pass the filter, for good."""
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if program:
        steps = ctypes.create_string_buffer(program, len(program))
        about = struct.pack("@HP", len(program) // 8, ctypes.addressof(steps))
        _call("prctl", _SECCOMP, 2, ctypes.c_char_p(about), 0, 0)


def _lo_up() -> None:
    """The network has this machine in it, and nothing else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))


def _mount_all(request: dict[str, Any]) -> None:
    """New file systems in the place of all that can be written to, and stubs over what is masked."""
    _mount(None, "/", None, _ALL_BELOW | _SLAVE)
    _mount("proc", "/proc", "proc", _NO_SUID | _NO_DEVICES | _NO_PROGRAMS)
    for name in ("sys", "sysrq-trigger", "irq", "bus"):
        if os.access(f"/proc/{name}", os.W_OK):
            _show(f"/proc/{name}", f"/proc/{name}")
    disk = request["disk"]
    for folder in ("/tmp", request["home"]):
        # The environment may lie below one of them.
        below = [(path, os.open(path, os.O_PATH)) for path in _mounted_below(folder)]
        _mount("tmpfs", folder, "tmpfs", _NO_SUID | _NO_DEVICES, f"mode=1777,size={disk}")
        for path, number in below:
            place = Path(path)
            place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            if stat.S_ISDIR(os.fstat(number).st_mode):
                place.mkdir(mode=0o755, exist_ok=True)
            else:
                place.touch(mode=0o444)
            _mount(f"/proc/self/fd/{number}", path, None, _BIND | _ALL_BELOW)
            os.close(number)
    passwd = Path("/tmp/passwd")
    passwd.write_text(request["passwd"])
    passwd.chmod(0o444)
    _show(str(passwd), "/etc/passwd")
    passwd.unlink()
    _mount("tmpfs", "/dev/shm", "tmpfs", _NO_SUID | _NO_DEVICES, f"mode=1777,size={disk // 4}")
    _mount("devpts", "/dev/pts", "devpts", _NO_SUID | _NO_PROGRAMS, "newinstance,ptmxmode=0666,mode=620")
    for source, target in request["covers"]:
        if os.path.lexists(target):
            _show(source, target)
    os.chdir("/")


def _mounted_below(folder: str) -> list[str]:
    """The topmost places below a folder where something is mounted."""
    found: list[str] = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        place = line.split()[4].encode().decode("unicode_escape").encode("latin-1").decode()
        if place.startswith(f"{folder}/"):
            found.append(place)
    return [place for place in dict.fromkeys(found) if not any(place.startswith(f"{other}/") for other in found)]


def _show(source: str, target: str) -> None:
    """Mount a file or folder read-only at another place."""
    _mount(source, target, None, _BIND | _ALL_BELOW)
    _mount(None, target, None, _BIND | _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEVICES)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [None if text is None else text.encode() for text in (source, target, kind, options)]
    _call("mount", texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])

"""A place for code that nobody trusts: no network, no files but the environment's, limits, and nothing left behind.

Built with bubblewrap, on Linux. What may run in it is any program (`jail`) or a Jupyter kernel (`kernel_manager`). The
grader's own processes talk to it over open sockets alone. `inside.py` is the first thing that runs in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import platform
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.connect import ConnectionFileMixin, port_names
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Instance, List, Type, Unicode, default

from autodiff_lab.checks.bridge import SOCKET
from autodiff_lab.errors import UserError
from autodiff_lab.grading import masks as masking
from autodiff_lab.grading import seccomp
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.notices import heard

try:
    import fcntl
except ImportError:  # Windows: there is no sandbox, and what runs there needs none
    fcntl = None  # type: ignore[assignment]

NAME = "autodiff-lab-sandbox"
MB, GB = 1_000_000, 1_000_000_000
HOME = "/home/student"
WORK, SOCKETS = f"{HOME}/work", f"{HOME}/.sockets"
INSIDE = Path(__file__).resolve().parent / "inside.py"
UIDS = range(61184, 65520)  # set aside for such uses by systemd, and mapped in every container
START_S = 60
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONSAFEPATH": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "MALLOC_ARENA_MAX": "2",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"),
}
_BESIDE_USR = tuple(map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "fonts")
_OFTEN_EXCHANGES = ("/usr/local/share/nbgrader", "/usr/share/nbgrader")


@dataclass(frozen=True)
class Limits:
    """What one sandbox may use; bytes, seconds, numbers.

    `memory` is what one process may hold of its own, `total` all of them together (see `Watch`). Address space is
    larger by `libraries`, because those cost next to nothing (0: by as much as this environment's need). `disk` is the
    size of the home folder and of /tmp, which are in memory. Threads count as processes. `cpu` is for one process; the
    clock is the caller's.
    """

    memory: int = 2 * GB
    total: int = 3 * GB
    libraries: int = 0
    processes: int = 64
    file_size: int = 64 * MB
    disk: int = 128 * MB
    cpu: int = 900
    open_files: int = 256

    def of_a_process(self) -> dict[str, int]:
        """By the names of the module `resource`."""
        return {
            "RLIMIT_DATA": self.memory,
            "RLIMIT_AS": self.memory + (self.libraries or _size_of_libraries()),
            "RLIMIT_NPROC": self.processes + _threads_of_mine(),
            "RLIMIT_FSIZE": self.file_size,
            "RLIMIT_CPU": self.cpu,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_CORE": 0,
        }


def _size_of_libraries() -> int:
    """Room in a process's addresses for shared libraries: those of PyTorch for GPUs are large."""
    large = any((place / "torch" / "lib" / "libtorch_cuda.so").exists() for place in masking.import_places())
    return (32 if large else 2) * GB


def _threads_of_mine() -> int:
    """How many threads already count against the limit of an ordinary user. None do since Linux 5.14."""
    release = platform.release().split("-")[0].split(".")
    if os.name != "posix" or os.geteuid() == 0 or tuple(map(int, release[:2])) >= (5, 14):
        return 0
    mine = [path for path in Path("/proc").glob("[0-9]*") if path.owner() == os.geteuid()]
    return sum(len(list(path.glob("task/*"))) for path in mine)


# ------------------------------------------------------------ whether there is one


@dataclass(frozen=True)
class Sandbox:
    """bubblewrap works here: its `path` and `version`."""

    path: str
    version: str


@dataclass(frozen=True)
class Refusal:
    """There is no sandbox here, and why; `mend` says what to install or to do."""

    reason: str
    mend: str

    def error(self) -> UserError:
        """As the command line tells it."""
        return UserError(f"submissions cannot be run safely here: {self.reason}.", self.mend)


TRUST = "or, if you trust every student: --trust-students"


def status() -> Sandbox | Refusal:
    """Whether a sandbox can be had here: one is really started. Asked once in a process."""
    if sys.platform != "linux":
        return Refusal(
            f"the sandbox needs Linux, and this is {platform.system()}",
            "grade in a Linux virtual machine" + (", in WSL 2" if os.name == "nt" else "") + f", {TRUST}",
        )
    return _status(shutil.which("bwrap"))


@functools.cache
def _status(path: str | None) -> Sandbox | Refusal:
    if path is None:
        return Refusal(
            "bubblewrap (bwrap) is not installed",
            "Debian, Ubuntu: sudo apt install bubblewrap. Fedora: sudo dnf install bubblewrap. "
            f"Arch: sudo pacman -S bubblewrap. {TRUST[0].upper()}{TRUST[1:]}",
        )
    words = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.split()
    version = words[-1] if words else "?"
    if "--size" not in _options(path):
        return Refusal(f"bubblewrap {version} is too old", f"install bubblewrap 0.8 or newer, {TRUST}")
    question = (
        "import importlib.util as u; print(*[n for n in ('autodiff_lab', 'ipykernel', 'numpy') if u.find_spec(n)])"
    )
    try:
        with jail([sys.executable, "-c", question]) as jailed:
            done = subprocess.run(jailed.argv, capture_output=True, text=True, timeout=START_S, **jailed.options)
    except subprocess.TimeoutExpired:
        return Refusal("bubblewrap does not answer", TRUST[3:])
    if done.returncode == 0 and done.stdout.split() == ["autodiff_lab", "ipykernel", "numpy"]:
        return Sandbox(path, version)
    return _diagnose(path, done)


@functools.cache
def _options(path: str) -> str:
    return subprocess.run([path, "--help"], capture_output=True, text=True).stdout


def _diagnose(path: str, done: subprocess.CompletedProcess[str]) -> Refusal:
    """Why bubblewrap failed, as far as it can be told, and what helps."""
    said = (done.stderr.strip().splitlines() or ["no message"])[-1]
    if _setting("kernel/apparmor_restrict_unprivileged_userns") == "1" and "ermission denied" in said + done.stderr:
        return Refusal(
            "AppArmor does not let bubblewrap make a user namespace (Ubuntu 23.10 and later)",
            f'write "abi <abi/4.0>, include <tunables/global> profile bwrap {path} flags=(unconfined) {{ userns, }}" '
            f"to /etc/apparmor.d/bwrap and run sudo systemctl reload apparmor, {TRUST}",
        )
    if _setting("kernel/unprivileged_userns_clone") == "0" or _setting("user/max_user_namespaces") == "0":
        return Refusal(
            "this system does not allow user namespaces",
            f"sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000, {TRUST}",
        )
    if "bwrap" in said and any(word in said for word in ("not permitted", "ermission denied", "No permissions")):
        return Refusal(
            f"bubblewrap is not allowed to work ({said})",
            "in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            f"--security-opt systempaths=unconfined; else grade in a virtual machine, {TRUST}",
        )
    if os.geteuid() == 0 and "bwrap" not in said:
        return Refusal(
            f"an unprivileged user cannot use the environment in {sys.prefix} ({said})",
            f"chmod -R a+rX {sys.prefix} {sys.base_prefix} {PACKAGE_PARENT / 'autodiff_lab'}, {TRUST}",
        )
    return Refusal(f"bubblewrap does not work ({said})", f"look at what bwrap --ro-bind / / true says, {TRUST}")


def _setting(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return ""


# ------------------------------------------------------------ a jail


@dataclass
class Jailed:
    """A command that runs in a sandbox: `subprocess.Popen(jailed.argv, **jailed.options)`. Close it once that runs."""

    argv: list[str]
    pass_fds: tuple[int, ...]
    files: list[Any] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Files of the work folder that are not inside: notebooks, links, and what is beyond the size of the disk."""
    env: dict[str, str] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        """What Popen has to be given. Nothing of this process's environment goes along: it could be read inside."""
        return {"pass_fds": self.pass_fds, "env": self.env, "start_new_session": True}

    def close(self) -> None:
        for file in self.files:
            file.close()

    def __enter__(self) -> Jailed:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def jail(
    argv: list[str],
    *,
    work: Path | None = None,
    env: dict[str, str] | None = None,
    limits: Limits | None = None,
    masks: tuple[str, ...] = (),
    fds: tuple[int, ...] = (),
    readable: tuple[Path, ...] = (),
    hidden: tuple[Path, ...] = (),
    control: int | None = None,
    connection: dict[str, Any] | None = None,
) -> Jailed:
    """`argv` as a command in a sandbox; it does not start it, nor ask whether there is one.

    Inside, `argv` runs in a copy, in memory, of the files in `work` (no notebooks), with `env` and what Python needs,
    as nobody in particular; it sees the environment, this package, and `readable`, but never `hidden`. Open `fds` stay
    open. `control` and `connection` are for kernels: a socket that gets the folder of their sockets, and their file.
    """
    limits = limits or Limits()
    given, left_out, user = instructions(argv, work, limits, masks, control, connection)
    files = [given]

    def number(content: bytes) -> str:
        files.append(given_file(content))
        return str(files[-1].fileno())

    options = [*rights(os.geteuid() == 0), "--clearenv", "--chdir", "/"]
    for name, value in variables(env).items():
        options += ["--setenv", name, value]
    if calls := seccomp.program():
        options += ["--seccomp", number(calls)]
    options += mounts(limits, masks, readable, hidden, number(passwd(user).encode()))
    # Options in a file: inside, the command line can be read.
    command = [shutil.which("bwrap") or "bwrap", "--args", number("\0".join(options).encode())]
    command += ["--", sys.executable, "-P", str(INSIDE), str(given.fileno())]
    passed = (*fds, *(file.fileno() for file in files), *([control] if control is not None else []))
    return Jailed(command, passed, files, left_out)


def instructions(
    argv: list[str],
    work: Path | None,
    limits: Limits,
    masks: tuple[str, ...],
    control: int | None,
    connection: dict[str, Any] | None,
) -> tuple[Any, list[str], int]:
    """The open file that `inside.py` reads in a sandbox, what of `work` is not in it, and the user there."""
    root = os.geteuid() == 0
    plan = {
        "argv": argv,
        "uid": random.choice(UIDS) if root else None,
        "folders": [HOME, f"{HOME}/.config", SOCKETS],
        "work": WORK,
        "connection": [f"{SOCKETS}/kernel.json", connection] if connection else None,
        "limits": limits.of_a_process(),
        "masks": masking.replaced(masks),
        "control": control,
    }
    return *_given(plan, work, limits.disk // 2), plan["uid"] if root else os.geteuid()


def variables(env: dict[str, str] | None = None) -> dict[str, str]:
    """The environment in a sandbox, with `env` in it."""
    found = {**ENVIRONMENT, "HOME": HOME, "TMPDIR": "/tmp", "IPYTHONDIR": f"{HOME}/.config/ipython", **(env or {})}
    if not any((place / "autodiff_lab" / "__init__.py").is_file() for place in masking.import_places()):
        found["PYTHONPATH"] = str(PACKAGE_PARENT)
    return found


def passwd(user: int) -> str:
    """The file /etc/passwd in a sandbox."""
    return f"student:x:{user}:{user}::{HOME}:/bin/sh\n"


def given_file(content: bytes) -> Any:
    """An open file that holds this and lies in no folder."""
    try:
        file = os.fdopen(os.memfd_create("given", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "r+b")
    except (AttributeError, OSError):  # not Linux, or a container that refuses it
        file = tempfile.TemporaryFile()  # noqa: SIM115
    file.write(content)
    file.seek(0)
    with contextlib.suppress(AttributeError, OSError):
        # Whoever gets hold of it inside can do no more than read it.
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return file


def _given(plan: dict[str, Any], work: Path | None, room: int) -> tuple[Any, list[str]]:
    """The open file that `inside.py` reads, and the names of the files that are not in it."""
    taken, left_out = [], []
    for path in sorted(work.rglob("*")) if work is not None else []:
        name = str(path.relative_to(work or path))
        if path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink() or not path.is_file() or path.suffix == ".ipynb" or path.stat().st_size > room:
            left_out.append(name)
            continue
        content = path.read_bytes()
        room -= len(content)
        taken.append((name, content))
    plan["files"] = [(name, len(content)) for name, content in taken]
    return given_file(b"".join([json.dumps(plan).encode(), b"\n", *(content for _, content in taken)])), left_out


def rights(root: bool) -> Iterator[str]:
    """bubblewrap's options for namespaces and for whom the program runs as."""
    yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
    # The first process is `inside.py`'s, not bubblewrap's own, which would be open to whoever runs as the same user.
    yield from ("--as-pid-1", "--die-with-parent", "--new-session", "--hostname", "sandbox")
    if root:
        # Not root under another name, which no limit on processes would bind: `inside.py` becomes someone else.
        yield from ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        yield "--unshare-user"


def mounts(
    limits: Limits, masks: tuple[str, ...], readable: tuple[Path, ...], hidden: tuple[Path, ...], passwd: str
) -> Iterator[str]:
    """bubblewrap's options for files, in the order in which it follows them."""
    seen = _Seen()
    # Before the environment, which may well lie below one of them.
    for path in (Path("/tmp"), Path(HOME)):
        yield from seen.above(path)
        yield from ("--perms", "1777", "--size", str(limits.disk), "--tmpfs", str(path))
    yield from seen.bind(Path("/usr"))
    for path in _BESIDE_USR:
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from seen.bind(path)
    for name in _ETC:
        if Path("/etc", name).exists():
            yield from seen.bind(Path("/etc", name))
    yield from ("--perms", "0444", "--file", passwd, "/etc/passwd")
    for path in _environment():
        yield from seen.bind(path)
    cpus = Path("/sys/devices/system/cpu")
    if cpus.is_dir():
        yield from seen.bind(cpus)
    unseen = (*map(Path, _OFTEN_EXCHANGES), *_of_the_checkout(), *hidden)
    for path in unseen:
        if path.exists() and seen.shows(path):
            yield from (
                ("--tmpfs", str(path), "--remount-ro", str(path))
                if path.is_dir()
                else (*("--ro-bind", "/dev/null", str(path)),)
            )
    for path in readable:
        yield from seen.bind(path)
    for source, target in masking.covers(masks, shown()):
        if not any(target.is_relative_to(path) for path in unseen):
            yield from ("--ro-bind", str(source), str(target))
    # A shared mapping of /dev/zero is memory of no process; see `seccomp`.
    yield from ("--proc", "/proc", "--dev", "/dev", "--ro-bind", "/dev/null", "/dev/zero", "--remount-ro", "/dev")
    yield from ("--perms", "1777", "--size", str(limits.disk // 4), "--tmpfs", "/dev/shm", "--remount-ro", "/")


class _Seen:
    """The folders that are mounted so far; makes the folders above them readable for everyone."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.made: set[Path] = {Path("/")}

    def shows(self, path: Path) -> bool:
        return any(path.is_relative_to(seen) for seen in self.paths)

    def above(self, path: Path) -> Iterator[str]:
        for folder in reversed(path.parents):
            if folder not in self.made:
                self.made.add(folder)
                # bubblewrap as root would make them 0700.
                yield from ("--perms", "0755", "--dir", str(folder))
        self.made.add(path)

    def bind(self, path: Path) -> Iterator[str]:
        if not self.shows(path):
            yield from self.above(path)
            self.paths.append(path)
            yield from ("--ro-bind", str(path), str(path))


@functools.cache
def shown() -> tuple[Path, ...]:
    """The folders of this system that programs and packages can be in, inside a sandbox."""
    system = [Path("/usr"), *(path for path in _BESIDE_USR if path.is_dir() and not path.is_symlink())]
    return (*system, *_environment())


def _environment() -> Iterator[Path]:
    """What Python needs: its own libraries, those of the environment, and this package."""
    for prefix in dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix)):
        for name in ("bin", "lib", "lib64", "pyvenv.cfg"):
            path = Path(prefix, name)
            if path.exists() and not path.is_symlink():
                yield path
    yield from (place for place in masking.import_places() if place.is_dir())
    if PACKAGE_PARENT not in masking.import_places():
        yield PACKAGE_PARENT / "autodiff_lab"


def _of_the_checkout() -> list[Path]:
    """Sources, solutions and tests, should the checkout lie below something that is shown."""
    if not (PACKAGE_PARENT / "pyproject.toml").is_file():
        return []
    return [PACKAGE_PARENT / name for name in ("course", "solutions", "tests", ".git", "demo")]


# ------------------------------------------------------------ a kernel in it


@dataclass(frozen=True)
class Plan:
    """How a kernel is to run. `bridge` is a socket it inherits; `trust`: without a sandbox, otherwise the same."""

    work: Path | None = None
    env: dict[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    masks: tuple[str, ...] = ()
    hidden: tuple[Path, ...] = ()
    bridge: socket.socket | None = None
    trust: bool = False


class SandboxProvisioner(LocalProvisioner):
    """Starts a kernel in a sandbox (or, trusted, beside it), watches its memory, and leaves nothing of it behind.

    Its sockets are in a folder that only the sandbox has; this process gets that folder as an open descriptor, and from
    it the sockets, before anything of a submission runs: by their names it might be led elsewhere. The kernel ends with
    the thread that started it. Interrupts go by message: a signal would end the sandbox.
    """

    masks = List(Unicode(), help="Names of masks, for a kernelspec that names this provisioner.").tag(config=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.plan: Plan | None = getattr(self.parent, "plan", None)
        self.left_out: list[str] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.sockets: dict[str, int] = {}
        self._notices: socket.socket | None = None
        self._watch: Watch | None = None
        self.kernel_spec.interrupt_mode = "message"

    async def pre_launch(self, **options: Any) -> dict[str, Any]:
        """As the base class's, with the connection file and its sockets in a folder of their own."""
        if self.plan is None:
            self.plan = _plan(work=options.get("cwd"), masks=tuple(self.masks))
        self.parent.transport, self.parent.ip = "ipc", f"{os.devnull}/none"  # see `_Connects`
        if self.plan.trust or not isinstance(self.parent, SandboxManager):
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="adl_", ignore_cleanup_errors=True)
            self.parent.ip = f"{self._folder.name}/kernel"
            self.parent.connection_file = f"{self._folder.name}/kernel.json"
        return await super().pre_launch(**options)

    async def launch_kernel(self, cmd: list[str], **options: Any) -> Any:
        """Start it, and wait until it is about to load the kernel. Raises RuntimeError with what it said if it fails.

        The environment that a caller gives is not passed on: `Plan.env` is.
        """
        from autodiff_lab.grading import warm

        assert self.plan is not None
        if not self.plan.trust and (zygote := warm.zygote(self.plan.hidden)):
            with contextlib.suppress(RuntimeError, warm.Unavailable):
                return await self._launch(cmd, zygote)
            found = await self._launch(cmd)
            warm.failed()
            return found
        return await self._launch(cmd)

    async def _launch(self, cmd: list[str], zygote: Any = None) -> Any:
        from autodiff_lab.grading import warm

        assert self.plan is not None
        ours, theirs = socket.socketpair()
        plan = self.plan
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{file}", *cmd[cmd.index("-f") + 2 :]]
        env = dict(plan.env)
        if plan.bridge is not None:
            env[SOCKET] = str(plan.bridge.fileno())
        if self._notices is not None:
            self._notices.close()
        self._notices = ours
        with theirs, tempfile.TemporaryFile() as said:
            if zygote is not None:
                argv[4] = f"{SOCKETS}/kernel.json"
                argv.append(f"--IPKernelApp.exec_lines={warm.JOIN}")
                connection = self._connection(f"{SOCKETS}/kernel")
                told = (plan.work, plan.limits, plan.masks, theirs.fileno(), connection)
                given, self.left_out, user = instructions(argv, *told)
                fds = (theirs.fileno(), *(() if plan.bridge is None else (plan.bridge.fileno(),)))
                with given:
                    self.process = zygote.start(given, variables(env), user, plan, fds, said)
            else:
                make = self._beside if plan.trust else self._in_a_sandbox
                with make(plan, argv, env, theirs.fileno()) as jailed:
                    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": said, "stderr": said}
                    self.process = subprocess.Popen(jailed.argv, **pipes, **jailed.options)
                self.left_out = jailed.left_out
            theirs.close()
            self.pid = self.pgid = self.process.pid
            ours.settimeout(START_S)
            try:
                message, folders, _, _ = await asyncio.to_thread(socket.recv_fds, ours, 100, 1)
            except TimeoutError:
                message, folders = b"", []
            if not message:
                Watch(self.process, plan.limits, jailed=not plan.trust).stop()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(5)
                self.process = None
                said.seek(0)
                text = said.read(10_000).decode(errors="replace").strip()
                raise RuntimeError(f"the sandbox did not start: {text or 'it said nothing'}")
        # What was forked holds in common what was imported before, and only one of the three needs it.
        shared = 0 if zygote is None else sum(map(_memory, list(_family(self.process.pid))[:2]))
        self._watch = Watch(self.process, plan.limits, jailed=not plan.trust, shared=shared)
        if not plan.trust:
            await self._take_sockets(folders[0])
        os.close(folders[0])
        return self.connection_info

    async def _take_sockets(self, folder: int) -> None:
        """Open the kernel's sockets as soon as they are there. If it ends before, whoever connects will notice."""
        names = {port: f"kernel-{self.connection_info[port]}" for port in port_names}
        until = monotonic() + START_S
        while not set(names.values()) <= set(os.listdir(folder)):
            if self.process.poll() is not None or monotonic() > until:
                return
            await asyncio.sleep(0.005)
        self._let_go_of_sockets()
        for port, name in names.items():
            self.sockets[port] = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
            if self._folder is not None:  # for managers other than ours, which connect by name
                link = Path(self._folder.name, name)
                link.unlink(missing_ok=True)
                link.symlink_to(f"/proc/self/fd/{self.sockets[port]}")

    def _let_go_of_sockets(self) -> None:
        while self.sockets:
            os.close(self.sockets.popitem()[1])

    def _in_a_sandbox(self, plan: Plan, argv: list[str], env: dict[str, str], control: int) -> Jailed:
        argv[4] = f"{SOCKETS}/kernel.json"
        return jail(
            argv,
            work=plan.work,
            env=env,
            limits=plan.limits,
            masks=plan.masks,
            hidden=plan.hidden,
            fds=() if plan.bridge is None else (plan.bridge.fileno(),),
            control=control,
            connection=self._connection(f"{SOCKETS}/kernel"),
        )

    def _beside(self, plan: Plan, argv: list[str], env: dict[str, str], control: int) -> Jailed:
        """The same without a sandbox: the same files, environment, limits, and stubs in the place of packages."""
        assert self._folder is not None
        home = Path(self._folder.name)
        argv[4] = f"{home}/inside.json"
        steps = {
            "argv": argv,
            "uid": None,
            "folders": [str(home), str(home / ".config")],
            "work": str(home / "work"),
            "connection": [argv[4], self._connection(f"{home}/kernel")],
            "limits": {key: value for key, value in plan.limits.of_a_process().items() if key != "RLIMIT_NPROC"},
            "masks": masking.replaced(plan.masks),
            "control": control,
        }
        given, left_out = _given(steps, plan.work, plan.limits.disk // 2)
        variables = {**os.environ, **ENVIRONMENT, "HOME": str(home), "IPYTHONDIR": str(home / ".config" / "ipython")}
        variables |= {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(PACKAGE_PARENT), **env}
        fds = (given.fileno(), control, *(() if plan.bridge is None else (plan.bridge.fileno(),)))
        command = [sys.executable, "-P", str(INSIDE), str(given.fileno()), str(os.getpid())]
        return Jailed(command, fds, [given], left_out, variables)

    def _connection(self, ip: str) -> dict[str, Any]:
        return {**self.connection_info, "ip": ip, "key": self.connection_info["key"].decode()}

    def how_it_ended(self) -> str | None:
        """`out of memory` or `crashed`; None for a kernel that still runs, or ended because it was asked to."""
        return None if self._watch is None else self._watch.ended()

    def processes(self) -> Iterator[int]:
        """The numbers, outside, of the processes that it now consists of."""
        return iter(()) if self._watch is None else _family(self._watch.process.pid)

    def refused(self) -> list[str]:
        """What the kernel has tried since the last call and may not do, in words; see `notices`."""
        return [] if self._notices is None else heard(self._notices)

    async def send_signal(self, signum: int) -> None:
        """What ends a kernel ends it at once, with all its processes. An interrupt is not sent: it goes by message."""
        if signum not in (0, signal.SIGINT) and self._watch is not None:
            self._watch.stop()

    async def cleanup(self, restart: bool = False) -> None:
        """Leave nothing: no process, no socket, no folder."""
        if self._watch is not None:
            self._watch.stop()
        self._let_go_of_sockets()
        if self._notices is not None:
            self._notices.close()
            self._notices = None
        if self._folder is not None and not restart:
            self._folder.cleanup()
            self._folder = None


class Watch(threading.Thread):
    """Looks at the memory of all processes of a sandbox four times a second, and ends it when that is too much.

    What is in the buffers of their sockets counts as well, and what they have sent and this process, which holds it,
    has not yet read. What belongs to no process they cannot have (`seccomp`), or it is in files, within `Limits.disk`.

    `process` is bubblewrap's, started with a session of its own (`Jailed.options`), or what stands for it. Of their
    memory `shared` is counted twice. `kernel_manager` has one at work.
    """

    def __init__(self, process: Any, limits: Limits, jailed: bool = True, shared: int = 0) -> None:
        super().__init__(name="sandbox-watch", daemon=True)
        self._shared = shared
        self.process, self.limits, self._jailed = process, limits, jailed
        self.over = self.asked = False
        self.most = 0
        self._killed_before, self._own_before = _killed_for_memory(), _memory(os.getpid())
        self._done = threading.Event()
        self.start()

    def run(self) -> None:
        while not self._done.wait(0.25) and self.process.poll() is None:
            family = list(_family(self.process.pid))
            used = sum(map(_memory, family)) - self._shared
            if self._jailed and len(family) > 1:  # the first may have the network of this process
                used += _in_sockets(family[-1])
            self.most = max(self.most, used)
            piled_up = _memory(os.getpid()) - self._own_before
            if used > self.limits.total or piled_up > max(self.limits.total, GB):
                self.over = True
                self._kill()

    def stop(self) -> None:
        """End it, with every process in it, because that was asked for."""
        if self.process.poll() is None:
            self.asked = True
            self._kill()
        self._done.set()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # The first process inside takes all others with it; then bubblewrap ends and leaves no zombie to anyone.
            # Without a sandbox, `inside.py` does the same.
            first = _children(self.process.pid)[:1] if self._jailed else [self.process.pid]
            for number in first:
                os.kill(number, signal.SIGKILL if self._jailed else signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(1)
                    return
            os.killpg(self.process.pid, signal.SIGKILL)

    def ended(self) -> str | None:
        """How it ended. bubblewrap tells of a signal as 128 more than its number."""
        code = self.process.poll()
        if self.over:
            return "out of memory"
        if code is None or self.asked:
            return None
        by_signal = code - 128 if code > 128 else -code
        near = self.most > 0.8 * self.limits.memory and by_signal in (signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL)
        if near or (by_signal == signal.SIGKILL and _killed_for_memory() > self._killed_before):
            return "out of memory"
        return "crashed"


def _family(pid: int) -> Iterator[int]:
    """The process and all that come of it."""
    yield pid
    for child in _children(pid):
        yield from _family(child)


def _children(pid: int) -> list[int]:
    found: list[str] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += (thread / "children").read_text().split()
    return list(map(int, found))


def _memory(pid: int) -> int:
    """Bytes that a process holds of its own or shares with others in it; files that are mapped do not count."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    counted = ("RssAnon", "RssShmem", "VmSwap", "VmPTE")
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(counted))


_SOCKET_BUFFER = 256 * 1024
"""What a socket may hold that is as large as it is made (net.core.wmem_default); no program here can change that."""


def _in_sockets(pid: int) -> int:
    """Bytes that the sockets in the network of a process may hold, at most; those that are on their way count too."""
    most = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        words = Path(f"/proc/{pid}/net/sockstat").read_text().split()
        most = int(words[words.index("used") + 1]) * _SOCKET_BUFFER
    for name in ("tcp", "tcp6"):  # these grow by themselves; each byte may take up a few
        with contextlib.suppress(OSError, ValueError, IndexError):
            for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]:
                waiting = line.split()[4].split(":")
                most += 3 * sum(int(number, 16) for number in waiting)
    return most


def _killed_for_memory() -> int:
    """How many processes of this machine were killed because memory ran out."""
    try:
        words = Path("/proc/vmstat").read_text().split()
    except OSError:
        return 0
    return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0


class _Connects(ConnectionFileMixin):
    """Connects to the sockets that the provisioner holds, whatever is in the place of their names by now."""

    def _make_url(self, channel: str) -> str:
        manager = self if isinstance(self, SandboxManager) else self.parent
        if manager.plan.trust:
            return str(super()._make_url(channel))
        return f"ipc:///proc/self/fd/{manager.provisioner.sockets.get(f'{channel}_port')}"


class Client(_Connects, AsyncKernelClient):
    """As Jupyter's, with less waiting: for a kernel's sockets to appear, and for more when it has said it is ready."""

    @default("context")
    def _quick_context(self) -> zmq.asyncio.Context:
        self._created_context = True
        context = zmq.asyncio.Context()
        context.setsockopt(zmq.RECONNECT_IVL, 10)  # milliseconds
        return context

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        until = monotonic() + (timeout or float("inf"))
        while True:
            self.kernel_info()
            with contextlib.suppress(Empty):
                reply = await self.shell_channel.get_msg(timeout=1)
                while reply["msg_type"] == "kernel_info_reply":  # until it is heard on the other channel as well
                    told = await self.iopub_channel.get_msg(timeout=0.02)
                    same = told["parent_header"].get("msg_id") == reply["parent_header"]["msg_id"]
                    if same and told["content"].get("execution_state") == "idle":
                        self._handle_kernel_info_reply(reply)
                        return
            if not await self._async_is_alive():
                raise RuntimeError("Kernel died before replying to kernel_info")
            if monotonic() > until:
                raise RuntimeError(f"Kernel didn't respond in {timeout} seconds")

    wait_for_ready = _async_wait_for_ready


class SandboxManager(_Connects, AsyncKernelManager):
    """A kernel manager whose kernel runs as `plan` says."""

    plan = Instance(Plan, allow_none=True)
    client_factory = Type(Client)

    @functools.cached_property
    def kernel_spec(self) -> KernelSpec:
        """Made here: this Python, whatever kernels are installed."""
        return KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            display_name="Python 3 (sandbox)",
            language="python",
            interrupt_mode="message",
        )

    def write_connection_file(self, **options: Any) -> None:
        """Nothing is written for a kernel in the sandbox, so that nothing is left even when this process is killed."""
        if self.plan.trust:
            super().write_connection_file(**options)
        else:
            for number, name in enumerate(port_names, 1):
                setattr(self, name, number)


def kernel_manager(
    *,
    work: Path | None = None,
    limits: Limits | None = None,
    masks: tuple[str, ...] = (),
    bridge: socket.socket | None = None,
    trust: bool = False,
    env: dict[str, str] | None = None,
    hidden: tuple[Path, ...] = (),
) -> SandboxManager:
    """A manager for one kernel, as nbclient takes them; not started. Raises UserError where there is no sandbox.

    `work` is a folder whose files are copied in; what `masks.ALWAYS` names is masked besides `masks`. `bridge` is
    inherited, its number inside is in AUTODIFF_LAB_BRIDGE. `trust` starts it without a sandbox, otherwise the same.
    """
    plan = _plan(work, env or {}, limits or Limits(), masks, hidden, bridge, trust)
    manager = SandboxManager(plan=plan, kernel_name="python3")
    manager.provisioner = SandboxProvisioner(kernel_id="", kernel_spec=manager.kernel_spec, parent=manager)
    return manager


def _plan(
    work: Path | None,
    env: dict[str, str] | None = None,
    limits: Limits | None = None,
    masks: tuple[str, ...] = (),
    hidden: tuple[Path, ...] = (),
    bridge: socket.socket | None = None,
    trust: bool = False,
) -> Plan:
    if not trust and isinstance(found := status(), Refusal):
        raise found.error()
    masks = tuple(dict.fromkeys((*masks, *masking.ALWAYS)))
    masking.modules(masks)  # raises for one that is none
    return Plan(Path(work) if work else None, env or {}, limits or Limits(), masks, hidden, bridge, trust)

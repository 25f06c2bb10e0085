"""Tries what a sandbox must not allow, on this very machine: `doctor --sandbox` and the tests run the same scripts.

Each script is as hostile as it can be and prints a line that begins with "REACHED" for whatever it got hold of.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autodiff_lab.grading import masks, warm
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.sandbox import HOME, MB, Limits, Plan, Watch, instructions, jail, variables

try:
    import fcntl
except ImportError:  # Windows: there is no sandbox to try
    fcntl = None  # type: ignore[assignment]

START = """import ctypes, json, mmap, os, signal, socket, sys, time
given = json.load(open("given.json"))
print("BEGUN", flush=True)
"""
"""What each script begins with. `given` says where things are outside: see `outside`."""

SMALL = Limits(memory=300 * MB, total=600 * MB, processes=16, file_size=2 * MB, disk=8 * MB, cpu=1, open_files=64)


@dataclass(frozen=True)
class Probe:
    """`promise` is what must hold against `script`. `seconds`: how long it may take before it is ended."""

    promise: str
    script: str
    masks: tuple[str, ...] = ()
    limits: Limits = SMALL
    seconds: float = 60


@dataclass(frozen=True)
class Finding:
    """Whether a promise was kept, and else what was reached."""

    promise: str
    kept: bool
    reached: str


PROBES = {
    "network": Probe(
        "code in it reaches no network, not even this machine",
        """
for family, address in ((socket.AF_INET, ("127.0.0.1", given["port"])), (socket.AF_UNIX, "\\0" + given["abstract"]),
                        (socket.AF_UNIX, given["socket"]), (socket.AF_INET, ("1.1.1.1", 53))):
    try:
        socket.socket(family, socket.SOCK_STREAM).connect(address)
        print("REACHED", address)
    except OSError:
        pass
print(*["REACHED " + name for _, name in socket.if_nameindex() if name != "lo"], sep="\\n")
""",
    ),
    "write": Probe(
        "it can write nowhere outside its own home and /tmp",
        """
for folder in ("/", "/usr", "/usr/lib", "/etc", "/dev", "/proc", "/sys", "/home", "/sys/devices/system/cpu", "/var",
               sys.prefix, sys.base_prefix, sys.prefix + "/bin", os.path.dirname(os.__file__), *given["folders"]):
    try:
        os.makedirs(folder, exist_ok=True)
        open(folder + "/written", "w").close()
        if not folder.startswith("/tmp"):
            print("REACHED", folder)
    except OSError:
        pass
for path in (given["script"], os.__file__, "/etc/passwd", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger",
             "/dev/mem", "/dev/kmsg", given["secret"]):
    try:
        os.close(os.open(path, os.O_WRONLY))
        print("REACHED", path)
    except OSError:
        pass
""",
    ),
    "files": Probe(
        "it sees no file of yours: home, temporary files, environment variables",
        """
for path in (given["secret"], *given["home"]):
    if os.path.exists(path):
        print("REACHED", path)
for path in ("/proc/self/environ", "/proc/1/environ", "/proc/1/cmdline"):
    try:
        text = open(path).read()
    except OSError:
        continue
    print(*["REACHED " + path for word in (given["variable"], given["secret"]) if word in text])
""",
    ),
    "course": Probe(
        "it sees no solution, hidden test, notebook or gradebook of the course",
        """
for path in given["course"]:
    if os.path.exists(path):
        print("REACHED", path)
""",
    ),
    "processes": Probe(
        "it sees and signals no process but its own",
        """
print(*["REACHED process " + name for name in os.listdir("/proc") if name.isdigit() and int(name) > 9])
for number in (1, os.getppid()):
    try:
        os.kill(number, signal.SIGKILL)
    except OSError:
        pass
time.sleep(0.1)
try:
    os.kill(given["pid"], 0)
    print("REACHED", given["pid"])
except OSError:
    pass
""",
    ),
    "first process": Probe(
        "the process that waits for it inside, under the same user, lets it see nothing and takes no signal of it",
        """
library = ctypes.CDLL(None, use_errno=True)
ended = [path for path in os.listdir("/proc") if path.isdigit()]
for name in ("mem", "environ", "maps", "auxv", "fd", "fdinfo", "map_files", "exe", "cwd", "root", "stack", "syscall",
             "io", "pagemap", "ns/pid", "task/1/mem", "task/1/environ"):
    path = "/proc/1/" + name
    for look in (os.listdir, os.readlink, lambda path: os.close(os.open(path, os.O_RDONLY)),
                 lambda path: os.close(os.open(path, os.O_WRONLY))):
        try:
            look(path)
            print("REACHED", path)
        except OSError:
            pass
for name in ("limits", "status", "cmdline"):
    if given["variable"] in open("/proc/1/" + name).read():
        print("REACHED", name)
buffer = ctypes.create_string_buffer(8)
part = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
# To attach, to seize, to read its memory in one call, to take one of its files.
if library.ptrace(16, 1, 0, 0) == 0 or library.ptrace(0x4206, 1, 0, 0) == 0:
    print("REACHED ptrace")
if library.process_vm_readv(1, ctypes.byref(part), 1, ctypes.byref(part), 1, 0) >= 0:
    print("REACHED its memory")
handle = library.syscall(434, 1, 0)
for number in range(40):
    if handle >= 0 and library.syscall(438, handle, number, 0) >= 0:
        print("REACHED file", number)
# Its state does not change, nor does that of anyone whom it has to bury.
for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGSTOP, signal.SIGKILL):
    try:
        os.kill(1, kind)
    except OSError:
        pass
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(0.2)
    os._exit(0)
os.wait()
time.sleep(0.6)
state = dict(line.split(":", 1) for line in open("/proc/1/status"))["State"]
if not state.strip().startswith("S"):
    print("REACHED its state", state)
print(*["REACHED a body " + name for name in os.listdir("/proc") if name.isdigit() and name not in ended], sep="\\n")
""",
    ),
    "rights": Probe(
        "it has no rights of root, no terminal and no devices, and cannot get any",
        """
if os.getuid() == 0 or os.geteuid() == 0:
    print("REACHED root")
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
if int(status["CapEff"], 16) or int(status["CapPrm"], 16) or status["NoNewPrivs"].strip() != "1":
    print("REACHED capabilities")
library = ctypes.CDLL(None, use_errno=True)
for name, result in (("setuid", library.setuid(0)), ("user namespace", library.unshare(0x10000000)),
                     ("mount namespace", library.unshare(0x20000)), ("chroot", library.chroot(b"/tmp")),
                     ("memory of no process", getattr(library, "memfd_create", lambda *_: -1)(b"x", 0)),
                     ("shared memory", library.shmget(0, 4096, 0o1600)),
                     ("mount", library.mount(b"none", b"/tmp", b"tmpfs", 0, None))):
    if result >= 0:
        print("REACHED", name)
try:
    open("/dev/tty").close()
    print("REACHED terminal")
except OSError:
    pass
usual = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "fd", "core", "console", "mqueue",
         "stdin", "stdout", "stderr"}
print(*["REACHED /dev/" + name for name in os.listdir("/dev") if name not in usual], sep="\\n")
""",
    ),
    "inherited": Probe(
        "it inherits no open file",
        """
for number in range(3, 60):
    try:
        os.fstat(number)
        print("REACHED", number)
    except OSError:
        pass
""",
    ),
    "memory": Probe(
        "a process gets no more memory than allowed, nor do all of them together",
        """
held = []
try:
    for _ in range(20):
        held.append(b"x" * 50_000_000)
    print("REACHED", len(held) * 50, "MB")
except MemoryError:
    held.clear()
for _ in range(8):
    if os.fork() == 0:
        held = [b"x" * 1_000_000 for _ in range(250)]
        time.sleep(3)
        print("REACHED 2 GB in 8 processes", flush=True)
        os._exit(0)
def hold(make):
    try:
        shared = make()
    except (OSError, ValueError):
        return
    for place in range(0, 1_000_000_000, 4096):
        shared[place] = 1
    shared.madvise(mmap.MADV_DONTNEED)  # the process holds none of it any more, the system does
    time.sleep(3)
    print("REACHED 1 GB of memory of no process", flush=True)
hold(lambda: mmap.mmap(-1, 1_000_000_000))
hold(lambda: mmap.mmap(-1, 1_000_000_000, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | 0x8000))
hold(lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1_000_000_000))
hold(lambda: mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 1_000_000_000, mmap.MAP_SHARED, mmap.PROT_READ))
library = ctypes.CDLL(None, use_errno=True)
library.syscall.restype = ctypes.c_long
if hasattr(library, "memfd_create") and (number := library.memfd_create(b"x", 0)) >= 0:
    os.ftruncate(number, 1_000_000_000)
    hold(lambda: mmap.mmap(number, 1_000_000_000))
""",
        limits=replace(SMALL, cpu=60),
    ),
    "socket buffers": Probe(
        "what is sent and not read counts as memory",
        """
def fill(one):
    one.setblocking(False)
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        for pair in kept[-1]:
            pair.setsockopt(socket.SOL_SOCKET, option, 1 << 24)
    sent = 0
    try:
        while True:
            sent += one.send(b"x" * 65_536)
    except OSError:
        return sent
kept, sent = [], 0
for _ in range(12):
    if os.fork() == 0:
        break
if os.getppid() == 1:
    time.sleep(60)
try:
    while True:
        kept.append(socket.socketpair())
        sent += fill(kept[-1][0]) + fill(kept[-1][1])
except OSError:
    pass
time.sleep(3)
print("REACHED", sent, "bytes in each of 12 processes", flush=True)
""",
        limits=replace(SMALL, total=300 * MB, open_files=256, cpu=60),
    ),
    "families": Probe(
        "it has no sockets but those of a machine alone with itself",
        """
for family in range(1, 64):
    for kind in (1, 2, 3, 5):
        for make in (socket.socket, socket.socketpair):
            try:
                make(family, kind)
            except OSError:
                continue
            if family not in (1, 2, 10, 16):
                print("REACHED family", family, "by", make.__name__)
socket.socket(socket.AF_INET).close()
socket.socket(socket.AF_INET6).close()
socket.socketpair()[0].close()
""",
    ),
    "many processes": Probe(
        "it cannot flood the machine with processes or threads",
        """
made = []
try:
    for _ in range(30):
        number = os.fork()
        if not number:
            time.sleep(60)
            os._exit(0)
        made.append(number)
except OSError:
    pass
if len(made) >= 16:
    print("REACHED", len(made))
""",
    ),
    "disk": Probe(
        "it cannot fill a disk: neither one file nor all together grow without end",
        """
def write(path, size):
    try:
        with open(path, "wb") as file:
            for _ in range(size):
                file.write(b"x" * 1_000_000)
    except OSError:
        pass
    return os.path.getsize(path) if os.path.exists(path) else 0
if write("/tmp/one", 4) > 2_100_000:
    print("REACHED a large file")
for folder in ("/tmp", ".", "/dev/shm"):
    if sum(write(f"{folder}/{number}", 1) for number in range(40)) > 12_000_000:
        print("REACHED", folder)
""",
    ),
    "time": Probe(
        "a process gets no more processor time than allowed",
        """
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
while time.process_time() < 3:
    pass
print("REACHED 3 s")
""",
    ),
    "leftovers": Probe(
        "no process is left when it ends",
        """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        os.execv("/bin/sleep", ["/bin/sleep", given["seconds"]])
    os._exit(0)
time.sleep(0.3)
""",
    ),
    "neighbours": Probe(
        "it can pass nothing to another sandbox by way of what both have",
        """
import fcntl, struct
shared = os.open(given["shared"], os.O_RDONLY)
system = ctypes.CDLL(None, use_errno=True)
def try_to(name, call):
    try:
        if call():
            print("REACHED", name)
    except OSError as error:
        if isinstance(error, BlockingIOError):
            print("REACHED", name)
try_to("a lock of someone else", lambda: fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB))
ready, told = os.pipe()
locker = os.fork()
if locker == 0:
    signal.alarm(20)  # whatever becomes of the one who asks
    fcntl.lockf(shared, fcntl.LOCK_SH)
    os.write(told, b"locked")
    signal.pause()
os.read(ready, 6)
question = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
seen = lambda: struct.unpack_from("h", fcntl.fcntl(shared, fcntl.F_GETLK, question))[0] != fcntl.F_UNLCK
try_to("the lock of another process", seen)
os.kill(locker, signal.SIGKILL)
try_to("a lease", lambda: fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0)
folder = os.open(os.path.dirname(given["shared"]), os.O_RDONLY)
try_to("news of a folder", lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS) == 0)
try_to("inotify", lambda: system.inotify_init1(0) >= 0)
try_to("shared memory", lambda: os.listdir("/dev/shm"))
for name, outside in given["spaces"].items():
    try_to("the same " + name + " namespace", lambda: os.readlink("/proc/self/ns/" + name) == outside)
""",
    ),
    "masks": Probe(
        "the engine and torch cannot be used where an exercise forbids them, and right answers of tests never",
        """
import importlib, importlib.util
for name, attribute, argument in (
    ("autodiff_lab.engine.scalar", "Scalar", 1.0), ("torch", "tensor", 1.0), ("autodiff_lab", "exp", 1.0),
    ("autodiff_lab.units.backward_sweep", "chain_adjoints", [1.0]), ("graphlib", "TopologicalSorter", {}),
    ("autodiff_lab.draw.data", "order", {}), ("autodiff_lab.units.graphs", "values_of", {}),
):
    try:
        print("REACHED", name, getattr(importlib.import_module(name), attribute)(argument))
    except RuntimeError:
        pass
sys.meta_path[:] = [finder for finder in sys.meta_path if "Finder" not in repr(finder) or "frozen" in repr(finder)]
import autodiff_lab
package = os.path.dirname(autodiff_lab.__file__)
torch = os.path.dirname(importlib.util.find_spec("torch").origin)
for folder, _, names in [*os.walk(package + "/engine"), *os.walk(torch)]:
    print(*["REACHED " + folder + "/" + name for name in names if not name.startswith("__init__")], sep="\\n")
words = b"def chain_adjoints", b"def values_of", b"def order(", b"def static_order"
for place in (package, *(folder for folder in sys.path if folder), "/usr/lib/python3", os.path.dirname(os.__file__)):
    for folder, _, names in os.walk(place):
        for name in names:
            if name.split(".")[0] in ("backward_sweep", "graphs", "data", "graphlib") and name.endswith(".py"):
                text = open(folder + "/" + name, "rb").read()
                print(*["REACHED " + folder + "/" + name for word in words if word in text], sep="\\n")
import subprocess
for python in {sys.executable, "/usr/bin/python3"}:
    for options in ([], ["-S"], ["-I", "-E", "-s"]):
        code = "import graphlib; print('REACHED', *graphlib.TopologicalSorter({1: [2]}).static_order())"
        print(subprocess.run([python, *options, "-c", code], capture_output=True, text=True).stdout)
try:
    print("REACHED", subprocess.run(["tsort"], input="a b", capture_output=True, text=True, check=True).stdout)
except OSError:
    pass
""",
        masks=("engine", "torch", "orders", "units", "pictures"),
    ),
}


@contextlib.contextmanager
def outside() -> Iterator[dict[str, Any]]:
    """Things to find outside the sandbox: a secret file, listening sockets, a variable; and where others are."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="adl_")))
        secret, name = folder / "secret", f"autodiff-lab-{secrets.token_hex(8)}"
        secret.write_text("secret")
        folder.chmod(0o777)
        listening = []
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", 0)),
            (socket.AF_UNIX, "\0" + name),
            (socket.AF_UNIX, f"{folder}/socket"),
        ):
            listening.append(stack.enter_context(socket.socket(family)))
            listening[-1].bind(address)
            listening[-1].listen()
        home = Path.home()
        shared = stack.enter_context(Path(os.__file__).open("rb"))
        with contextlib.suppress(BlockingIOError):  # then it is locked already
            fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
        spaces = ("ipc", "net", "pid", "uts", "mnt")
        shown = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable), PACKAGE_PARENT, *masks.import_places()}
        private = (
            [path for path in home.iterdir() if not any(s.is_relative_to(path) for s in shown)] if home.is_dir() else []
        )
        private = [path for path in private if home != Path("/") and home != Path(HOME)]
        kept = [PACKAGE_PARENT / name for name in ("course", "solutions", "tests", ".git")]
        yield {
            "port": listening[0].getsockname()[1],
            "abstract": name,
            "socket": f"{folder}/socket",
            "secret": str(secret),
            "folders": [str(folder), str(PACKAGE_PARENT), str(PACKAGE_PARENT / "autodiff_lab"), str(home)],
            "script": __file__,
            "shared": os.__file__,
            "spaces": {name: str(Path("/proc/self/ns", name).readlink()) for name in spaces},
            "home": [str(path) for path in private],
            "course": [str(path) for path in kept if path.exists()]
            if (PACKAGE_PARENT / "pyproject.toml").is_file()
            else [],
            "variable": name,
            "pid": os.getpid(),
            "seconds": f"60.{secrets.randbelow(10**12)}",
        }


def in_a_sandbox(
    probe: Probe, given: dict[str, Any], zygote: warm.Zygote | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the script of a probe in a sandbox with small limits: bubblewrap's, or one that `zygote` forks."""
    command = [sys.executable, "-c", START + probe.script]
    limits = probe.limits
    with (
        tempfile.TemporaryDirectory(prefix="adl_") as work,
        tempfile.TemporaryFile() as said,
        variable(given["variable"]),
    ):
        Path(work, "given.json").write_text(json.dumps(given))
        process: Any
        if zygote is None:
            with jail(command, work=Path(work), limits=limits, masks=probe.masks) as jailed:
                pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": said, "stderr": said}
                process = subprocess.Popen(jailed.argv, **pipes, **jailed.options)
        else:
            told, _, user = instructions(command, Path(work), limits, probe.masks, None, None)
            with told:
                process = zygote.start(told, variables(), user, Plan(limits=limits, masks=probe.masks), (), said)
        watch = Watch(process, limits)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(probe.seconds)
        watch.stop()
        process.wait(60)
        said.seek(0)
        text = said.read().decode(errors="replace")
    return subprocess.CompletedProcess(command, process.returncode, text)


@contextlib.contextmanager
def variable(value: str) -> Iterator[None]:
    """Something in this process's environment, which must not be found inside."""
    os.environ["AUTODIFF_LAB_PROBE"] = value
    try:
        yield
    finally:
        del os.environ["AUTODIFF_LAB_PROBE"]


def reached(done: subprocess.CompletedProcess[str], given: dict[str, Any]) -> str:
    """What a script got hold of, by its own account or by what it left; empty for nothing."""
    lines = [line.removeprefix("REACHED").strip() for line in done.stdout.splitlines() if line.startswith("REACHED")]
    lines += [f"process {number} is left" for number in left_over(given["seconds"])]
    lines += [f"{folder}/written" for folder in given["folders"] if Path(folder, "written").exists()]
    if "BEGUN" not in done.stdout or "Traceback (" in done.stdout:
        said = done.stdout.strip().splitlines() or [f"exit code {done.returncode}"]
        lines.append(f"the script itself failed: {said[-1]}")
    return "; ".join(lines)


def left_over(word: str) -> list[str]:
    """The processes of this machine that have `word` in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if word in path.read_bytes().decode(errors="replace").split("\0"):
                found.append(path.parent.name)
    return found


def examine() -> Iterator[Finding]:
    """Try everything, one after the other, in both kinds of sandbox; where nothing can be forked, in bubblewrap's."""
    zygote = warm.Zygote(())
    try:
        for probe in PROBES.values():
            got = []
            for kind, forks in (("", None), ("in a forked one: ", zygote)):
                with outside() as given, contextlib.suppress(warm.Unavailable):
                    found = reached(in_a_sandbox(probe, given, forks), given)
                    got += [kind + found] * bool(found)
            yield Finding(probe.promise, not got, "; ".join(got))
    finally:
        zygote.close()

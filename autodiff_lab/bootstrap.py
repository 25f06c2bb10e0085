"""From a bare Python to one that has everything: makes `.venv` in the checkout, installs the package, goes on in it.

Standard library only. In an active virtual or conda environment it installs nothing and prints the one command instead.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autodiff_lab.errors import UserError, nearest, typed

COMMANDS = {
    "lab": "open JupyterLab on your units",
    "check": "run the tests of a unit and say what to do next",
    "progress": "your units, points and what is open",
    "hand-in": "check a unit and hand it in: submit it, or make the one file to upload",
    "demo": "grade a small made-up class and open the report",
    "build": "make release notebooks and solutions out of the sources",
    "collect": "take in what was uploaded or submitted",
    "grade": "grade the submitted notebooks",
    "feedback": "make the students' feedback pages",
    "report": "make the class report",
    "export": "write the gradebook as CSV",
    "publish": "put together what students get",
    "nbgrader": "run one of nbgrader's own commands in the course folder",
    "doctor": "what is installed, what is missing, how to get it",
    "bench": "measure the engine against other libraries",
    "test": "run the test suite",
}
EXTRAS = {"test": "test", "bench": "bench"}
CHECKOUT = Path(__file__).resolve().parent.parent
STAMP = "autodiff_lab.json"

_NO_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|Connection refused|timed out"
    r"|Network is unreachable|Cannot connect to proxy|ProxyError|Connection broken|Connection aborted"
    # Asked for first, and there for every Python: where not even one version is found, nothing answered.
    r"|requirement hatchling\S* \(from versions: none\)",
    re.IGNORECASE,
)


def ensure_environment(arguments: list[str], checkout: Path = CHECKOUT) -> None:
    """Return if this Python can run the command; else set up `.venv` and replace this process by one in it.

    Exits with one line and a hint where that cannot be. Does nothing outside a checkout (a wheel brings what it needs).
    """
    if not (checkout / "pyproject.toml").is_file():
        return
    command = next((word for word in arguments if not word.startswith("-")), None)
    extra = EXTRAS.get(command or "")
    try:
        active = active_environment()
        if not active and _stamp_holds(checkout, extra):
            _go_on(checkout, arguments)
        missing = missing_requirements(checkout, extra)
        if not missing:
            return
        if active and command == "bench" and not missing_requirements(checkout, None):
            return  # it leaves out what it cannot compare with, and says so
        if command not in COMMANDS or "--help" in arguments:
            _help_without_packages(command)
        if active:
            raise _refusal(active, missing, extra, checkout)
        _set_up(checkout, extra)
        _go_on(checkout, arguments)
    except UserError as error:
        sys.exit(error.tell())
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on where this one stopped.", file=sys.stderr)
        sys.exit(130)


# What is there


def active_environment() -> Path | None:
    """The virtual or conda environment that is active, if one is."""
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if os.environ.get(variable):
            return Path(os.environ[variable])
    return Path(sys.prefix) if sys.prefix != sys.base_prefix else None


def requirements(checkout: Path, extra: str | None) -> list[str]:
    """What pyproject.toml asks for, with the extra's own, as requirement strings."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else [])]


def missing_requirements(checkout: Path, extra: str | None) -> list[str]:
    """The names (with the installed version, where that is out of range) that this Python lacks."""
    missing = [m for r in requirements(checkout, extra) if (m := _lacks(r))]
    # Without the package itself installed, a notebook's kernel, which starts in another folder, could not import it.
    return missing + ([m] if (m := _lacks("autodiff-lab")) else [])


def _lacks(requirement: str) -> str | None:
    name, bounds = re.fullmatch(r"([A-Za-z0-9._-]+)(.*)", requirement.replace(" ", "")).groups()  # type: ignore[union-attr]
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return name
    for bound in filter(None, bounds.split(",")):
        operator, limit = bound[:2].rstrip("0123456789."), bound.lstrip("<>=")
        if (operator == ">=" and _numbers(version) < _numbers(limit)) or (
            operator == "<" and _numbers(version) >= _numbers(limit)
        ):
            return f"{name} (has {version}, needs {bounds})"
    return None


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", re.match(r"[\d.]*", version).group())]  # type: ignore[union-attr]


def fingerprint(checkout: Path) -> str:
    """Changes when what must be installed changes, or the checkout was moved (an environment cannot move with it)."""
    digest = hashlib.sha256(str(checkout).encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((checkout / name).read_bytes())
    return digest.hexdigest()[:16]


def _version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def venv_python(checkout: Path) -> Path:
    return checkout / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _read_stamp(checkout: Path) -> dict | None:
    try:
        stamp = json.loads((checkout / ".venv" / STAMP).read_text(encoding="utf-8"))
        return stamp if isinstance(stamp, dict) else None
    except (OSError, ValueError):
        return None


def _write_stamp(checkout: Path, installed: str, extras: list[str]) -> None:
    stamp = {"fingerprint": installed, "extras": extras, "checkout": str(checkout), "python": _version()}
    (checkout / ".venv" / STAMP).write_text(json.dumps(stamp) + "\n", encoding="utf-8")


def _stamp_holds(checkout: Path, extra: str | None) -> bool:
    stamp = _read_stamp(checkout)
    return (
        stamp is not None
        and stamp.get("fingerprint") == fingerprint(checkout)
        and (extra is None or extra in stamp.get("extras", []))
        and venv_python(checkout).exists()
    )


# What to say when nothing is installed


def _help_without_packages(command: str | None) -> None:
    """A help page that needs no package: nobody should wait for an installation to read it."""
    if command is not None and command not in COMMANDS:
        raise UserError(f"there is no command {command!r}.", f"did you mean {nearest(command, tuple(COMMANDS))}?", 2)
    print(f"Usage: {typed()} COMMAND [OPTIONS]\n")
    for name, purpose in COMMANDS.items():
        print(f"  {name:10}{purpose}")
    print("\nThe first command installs what the course needs into .venv, here; `COMMAND --help` says more after that.")
    sys.exit(0)


def install_command(extra: str | None, checkout: Path, active: Path | None = None) -> str:
    """The one command that installs the package into the environment that is active."""
    python = str(venv_python(checkout)) if active == checkout / ".venv" else "python"
    if Path.cwd() == checkout:
        constraints, package = "constraints.txt", "."
    else:
        constraints, package = str(checkout / "constraints.txt"), str(checkout)
    package += f"[{extra}]" if extra else ""
    return shlex.join([python, "-m", "pip", "install", "-c", constraints, "-e", package])


def _refusal(active: Path, missing: list[str], extra: str | None, checkout: Path) -> UserError:
    shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    return UserError(
        f"the active environment {active} lacks {shown}. Nothing was installed into it.",
        f"to install what is missing, run: {install_command(extra, checkout, active)}",
    )


# Setting up


def _set_up(checkout: Path, extra: str | None) -> None:
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise UserError(
                f"this Python ({sys.executable}) comes without its module {module}, so it cannot make an environment.",
                f"on Debian or Ubuntu: sudo apt install python{_version()}-venv. Then run the same command again.",
            )
    folder = checkout / ".venv"
    with _only_one(checkout):
        if _stamp_holds(checkout, extra):  # another process has just finished it
            return
        stamp = _read_stamp(checkout)
        extras = sorted({*(stamp or {}).get("extras", []), *([extra] if extra else [])})
        print(
            f"Setting up in {folder}: JupyterLab, nbgrader, PyTorch and what they need.\n"
            "This happens once. It takes 2 to 10 minutes, most of it download, and 2 GB of disk"
            " (6 GB where PyTorch comes with CUDA).",
            file=sys.stderr,
        )
        _make_venv(checkout, stamp)
        _install(checkout, extras)
        _write_stamp(checkout, fingerprint(checkout), extras)


@contextmanager
def _only_one(checkout: Path) -> Iterator[None]:
    """Two set-ups at once in one folder would spoil each other: the second waits. Leaves no file behind."""
    try:
        import fcntl
    except ImportError:  # Windows: go on without
        yield
        return
    descriptor = os.open(checkout, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another process is setting up here; waiting for it.", file=sys.stderr)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(descriptor)


def _make_venv(checkout: Path, stamp: dict | None) -> None:
    """A `.venv` whose Python and pip run. One that an earlier start left half made is gone on with, or made anew."""
    folder = checkout / ".venv"
    state = _venv_state(checkout)
    ours = stamp is not None
    if ours and stamp.get("checkout") != str(checkout):
        state = "was made for another folder"
    elif ours and not stamp.get("fingerprint") and stamp.get("python", _version()) != _version():
        state = f"was begun with Python {stamp['python']}"
    if state == "works":
        return
    if folder.exists() and not ours and any(folder.iterdir()):
        raise UserError(
            f"{folder} {state}, and this command did not make it.",
            f"remove or rename it (rm -r {shlex.quote(str(folder))}), then run the same command again.",
        )
    if folder.exists() and ours:
        print(f"The environment in {folder} {state}; making it anew.", file=sys.stderr)
    try:
        if ours:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        # Written first: it tells a later start that what it finds half made is this command's own.
        _write_stamp(checkout, "", [])
    except OSError as error:
        raise UserError(
            f"cannot write in {checkout} ({error.strerror}).",
            "copy the course to a folder that is yours, and run the same command there.",
        ) from None
    command = [sys.executable, "-m", "venv", str(folder)]
    with Progress("Making the environment"):
        made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0 or _venv_state(checkout) != "works":
        last = (made.stdout + made.stderr).strip().splitlines()[-1:] or ["no message"]
        raise UserError(
            f"Python could not make the environment {folder}: {last[0]}",
            f"see what {shlex.join(command)} says; on Debian or Ubuntu the package python3-venv may be missing.",
        )


def _venv_state(checkout: Path) -> str:
    """`works`, or what is wrong with it in words."""
    python = venv_python(checkout)
    if not python.exists():
        return "has no Python in it"
    try:
        asked = subprocess.run(
            [python, "-c", "import sys, pip; sys.exit(0 if sys.version_info >= (3, 11) else 3)"],
            capture_output=True,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "its Python does not start"
    return {0: "works", 3: "its Python is older than 3.11"}.get(asked.returncode, "its Python or pip does not run")


def _install(checkout: Path, extras: list[str]) -> None:
    package = str(checkout) + (f"[{','.join(extras)}]" if extras else "")
    command = [str(venv_python(checkout)), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    # Python compiles what it imports when it first does; doing it now for every file takes a third of the time.
    command += ["--no-compile", "--progress-bar", "off", "-c", str(checkout / "constraints.txt"), "-e", package]
    expected = sum(
        1 for line in (checkout / "constraints.txt").read_text(encoding="utf-8").splitlines() if "==" in line
    )
    log = checkout / ".venv" / "install.log"
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PYTHONUNBUFFERED": "1"}
    environment.pop("PYTHONHOME", None)
    collected, tail = 0, []
    with (
        Progress("Installing") as progress,
        log.open("w", encoding="utf-8") as record,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            env=environment,
        ) as pip,
    ):
        try:
            for line in pip.stdout or ():
                record.write(line)
                tail = [*tail[-200:], line.strip()]
                word, _, rest = line.strip().partition(" ")
                if word in ("Collecting", "Requirement"):
                    collected += 1
                    what = rest.removeprefix("already satisfied: ").split(" (from")[0]
                    progress.say(f"{min(collected, expected)} of about {expected}: {re.split('[<>=!~;[]', what)[0]}")
                elif word == "Downloading" and not rest.endswith(".metadata"):
                    progress.say(f"{min(collected, expected)} of about {expected}: downloading {rest.split('/')[-1]}")
                elif line.startswith("Installing collected packages"):
                    total = line.count(",") + 1
                    progress.say(f"putting {total} packages in place", count=(_site_packages(checkout), total))
                elif "Retrying" in line:
                    progress.say("no answer from the package index; trying again")
        except BaseException:
            pip.terminate()
            raise
    if pip.returncode == 0:
        return
    output = "\n".join(tail)
    again = "then run the same command again; it goes on where this one stopped."
    if "No space left on device" in output:
        raise UserError("the disk is full.", f"make room (PyTorch alone can take 5 GB), {again}")
    if _NO_NETWORK.search(output):
        raise UserError("no connection to the package index.", f"check the network (or the proxy settings), {again}")
    if absent := re.search(r"No matching distribution found for (\S+)", output):
        raise UserError(
            f"the package index has no {absent[1]} for Python {_version()} on this machine.",
            "run the same command again with another Python (3.11 to 3.13 are known to work).",
        )
    errors = [line for line in tail if line.startswith("ERROR:")] or tail[-1:] or ["no message"]
    raise UserError(f"pip could not install the packages: {errors[-1].removeprefix('ERROR: ')}", f"see {log}, {again}")


def _site_packages(checkout: Path) -> Path:
    found = sorted((checkout / ".venv").glob("lib/python3*/site-packages"))
    return found[0] if found else checkout / ".venv" / "Lib" / "site-packages"


class Progress:
    """One line that moves on a terminal; elsewhere a line every 15 seconds. Written to stderr."""

    def __init__(self, title: str) -> None:
        self.title, self.text, self.count = title, "", None
        self.start, self.shown, self.terminal = time.monotonic(), -15.0, sys.stderr.isatty()
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)

    def say(self, text: str, count: tuple[Path, int] | None = None) -> None:
        self.text, self.count = text, count

    def __enter__(self) -> Progress:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr)
        if _[0] is None:
            print(f"{self.title}: {time.monotonic() - self.start:.0f} s", file=sys.stderr)

    def _tick(self) -> None:
        while not self.done.wait(0.3):
            seconds = time.monotonic() - self.start
            if not self.terminal and seconds - self.shown < 15:
                continue
            self.shown = seconds
            text = self.text
            if self.count:
                folder, total = self.count
                with suppress(OSError):
                    text += f" ({min(len(list(folder.glob('*.dist-info'))), total)} of {total})"
            line = f"{self.title} ({int(seconds) // 60}:{int(seconds) % 60:02}) {text}"
            if self.terminal:
                print("\r\033[K" + line[: max(20, os.get_terminal_size(2).columns - 1)], end="", file=sys.stderr)
            else:
                print(line, file=sys.stderr)
            sys.stderr.flush()


def _go_on(checkout: Path, arguments: list[str]) -> None:
    """Replace this process by the environment's Python, as if it were active."""
    python, folder = str(venv_python(checkout)), checkout / ".venv"
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "__PYVENV_LAUNCHER__")}
    environment["VIRTUAL_ENV"] = str(folder)
    environment["PATH"] = os.pathsep.join([str(Path(python).parent), environment.get("PATH", "")])
    command = [python, "-m", "autodiff_lab", *arguments]
    sys.stderr.flush()
    if os.name == "nt":
        sys.exit(subprocess.call(command, env=environment))
    os.execve(python, command, environment)

"""On Windows a student works, and an instructor makes feedback and report: nothing of that needs what POSIX alone has.

A process in which all of it is hidden stands for Windows; the libraries, which have their own code for it, are imported
before. What is missing when a command runs is as much a fault as what is missing when it is imported.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grading.conftest import UNIT, ByHand, make_course
from tests.house.conftest import ROOT, write_unit

HIDE = """
import os, signal, socket, sys
# The libraries know Windows; what they chose for this system stays with them.
import asyncio, subprocess, multiprocessing, tempfile, shutil, getpass, pathlib, selectors, ssl, zipfile
import IPython, ipykernel.kernelapp, jupyter_client.manager, jupyter_client.provisioning.local_provisioner
import jupyter_server.serverapp, nbclient.client, nbconvert.exporters, nbgrader.apps, nbgrader.api
import nbgrader.exchange.default, nbgrader.plugins, filelock, psutil, joblib, rich.console, rich.progress, typer
import zmq.asyncio, sqlalchemy.dialects.sqlite
from nbgrader.server_extensions.validate_assignment import handlers

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "readline", "syslog", "crypt", "spwd", "curses")
OS = [name for name in (
    "fork forkpty getuid geteuid getgid getegid getgroups setuid setgid setgroups setresuid setresgid setsid getpgid "
    "setpgid getppid killpg wait waitid wait3 wait4 mkfifo mknod chown lchown fchown fchmod chroot uname getloadavg "
    "nice statvfs pathconf sched_getaffinity sched_setaffinity sched_yield memfd_create openpty posix_fadvise "
    "register_at_fork sysconf setpriority pidfd_open get_blocking set_blocking sendfile pread pwrite "
    "O_NOFOLLOW O_NONBLOCK O_DIRECTORY O_CLOEXEC O_PATH O_SYNC WNOHANG WNOWAIT WEXITED P_PID MFD_CLOEXEC "
    "MFD_ALLOW_SEALING WIFSIGNALED WTERMSIG WEXITSTATUS"
).split() if hasattr(os, name)]
SIGNALS = [name for name in dir(signal) if name.startswith("SIG") and name not in (
    "SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN")]
SIGNALS += ["alarm", "setitimer", "pthread_sigmask", "sigpending", "sigwait", "ITIMER_REAL"]
SOCKET = ["send_fds", "recv_fds", "AF_UNIX", "SCM_RIGHTS"]

def own(frame):
    return "/autodiff_lab/" in frame.f_code.co_filename

class Windows:
    '''A module as it is on Windows to this package, and as it is to the libraries.'''
    def __init__(self, module, hidden):
        self.__dict__.update(_module=module, _hidden=frozenset(hidden))
    def __getattr__(self, name):
        if name in self._hidden and own(sys._getframe(1)):
            raise AttributeError(f"module {self._module.__name__!r} has no attribute {name!r}")
        return getattr(self._module, name)
    def __setattr__(self, name, value):
        setattr(self._module, name, value)
    def __dir__(self):
        return dir(self._module)

for name in MODULES:
    sys.modules[name] = None
assert not [name for name in sys.modules if name.startswith("autodiff_lab")]
sys.modules["os"], sys.modules["signal"] = Windows(os, OS), Windows(signal, SIGNALS)
sys.modules["socket"] = Windows(socket, SOCKET)
sys.path.insert(0, ROOT)
"""


@pytest.fixture
def windows(tmp_path: Path):
    """`windows(code)` runs Python in a process that has nothing of POSIX; returns what it printed."""

    def run(code: str, **variables: str) -> str:
        source = HIDE.replace("ROOT", repr(str(ROOT))) + code
        environment = {**os.environ, "AUTODIFF_LAB_WORKSPACE": str(tmp_path / "workspace"), **variables}
        done = subprocess.run(
            [sys.executable, "-c", source], capture_output=True, text=True, cwd=tmp_path, env=environment
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run


def test_every_module_can_be_imported_without_what_posix_alone_has(windows, tmp_path: Path) -> None:
    package = tmp_path / "autodiff_lab"
    package.mkdir()
    (package / "probe.py").write_text(
        "import os, signal\n"
        "missing = []\n"
        "for name in ('fcntl', 'resource', 'pwd'):\n"
        "    try: __import__(name)\n"
        "    except ImportError: missing.append(name)\n"
        "for module, name in ((os, 'fork'), (os, 'getuid'), (os, 'O_NOFOLLOW'), (signal, 'SIGKILL')):\n"
        "    if not hasattr(module, name): missing.append(name)\n"
        "from signal import SIGTERM\n"
    )
    told = windows(
        "import importlib, importlib.util, pkgutil, autodiff_lab\n"
        f"spec = importlib.util.spec_from_file_location('probe', {str(package / 'probe.py')!r})\n"
        "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module); print(*module.missing)\n"
        "for found in pkgutil.walk_packages(autodiff_lab.__path__, 'autodiff_lab.'):\n"
        # Torch does not take our hiding of `os` for Windows; a stub is what stands for a package in a sandbox.
        "    if found.name.endswith(('__main__', 'torch_export')) or '.absent' in found.name: continue\n"
        "    try: importlib.import_module(found.name)\n"
        "    except BaseException as error: print(found.name, type(error).__name__, error)\n"
    )
    assert told.split() == ["fcntl", "resource", "pwd", "fork", "getuid", "O_NOFOLLOW", "SIGKILL"]


LAB = """
from autodiff_lab import server
class Started:
    def __init__(self, command, **options):
        options["stdout"].write(b"[I ServerApp] notebook | extension was successfully loaded.\\n")
    def poll(self): return None
    def wait(self, timeout=None): return 0
    terminate = kill = lambda self: None
server.subprocess.Popen = Started
answers = iter([False, True])
server.Lab._answers = lambda self: next(answers)
"""


def test_students_and_whoever_gives_marks_back_need_nothing_of_posix(windows, tmp_path: Path) -> None:
    release = tmp_path / "release"
    write_unit(release, "00_first", "First")
    made = ByHand(make_course(tmp_path))
    made.hand_in("dara", {"gradients": "def gradients(x, y):\n    return 1, 2"})
    course = ["--course", str(made.course)]
    told = windows(
        "from pathlib import Path\n"
        "from autodiff_lab import cli, workspace\n"
        f"workspace.release_folder = lambda: Path({str(release)!r})\n"
        "workspace.Workspace().prepare()\n"
        "for arguments in (\n"
        "    ['hand-in', '00', '--student', 'dara'], ['progress'], ['doctor', '--json'],\n"  # hand-in checks
        f"    ['feedback', *{course}], ['report', '--no-open', *{course}], ['export', *{course}],\n"
        "):\n"
        "    code = cli.main(arguments)\n"
        "    assert code == 0 or arguments[0] == 'doctor', arguments\n"
        f"{LAB}"
        "assert cli.main(['lab', '--no-browser']) == 0\n",
        PATH=str(Path(sys.executable).parent),  # no bubblewrap
    )
    assert (tmp_path / "workspace" / "hand-in" / "00_first_dara.ipynb").is_file()
    assert "Upload this file" in told and "2 open, next: total of two numbers" in told
    assert "1 pages in" in told and "Report: " in told and "JupyterLab is ready: http://127.0.0.1:" in told
    assert (made.course / "feedback" / "dara" / UNIT / f"{UNIT}.html").is_file()

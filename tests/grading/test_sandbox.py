"""What the sandbox promises, tried by scripts that want the contrary; as root and as an ordinary user."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autodiff_lab.errors import UserError
from autodiff_lab.grading import masks, probes, sandbox, seccomp

ROOT = Path(__file__).resolve().parents[2]
ORDINARY = 4_242
APPARMOR = "kernel/apparmor_restrict_unprivileged_userns"
IN_KERNEL = Path(__file__).parent / "in_kernel.py"
Run = Callable[..., "subprocess.CompletedProcess[str]"]

needs_bubblewrap = pytest.mark.sandbox


@pytest.fixture(scope="module")
def reachable_python() -> Iterator[Path]:
    """A Python with this environment's packages that an ordinary user can start."""
    if _starts(Path(sys.executable)):
        yield Path(sys.executable)
        return
    system = next(
        (p for p in map(Path, ("/usr/bin/python3", "/usr/local/bin/python3")) if _starts(p, packages=False)), None
    )
    if system is None:
        pytest.skip("no Python of this version that an ordinary user may start")
    # Not pytest's folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="for_everyone_"))
    try:
        subprocess.run([system, "-m", "venv", "--without-pip", folder / "venv"], check=True)
        folder.chmod(0o755)
        (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
        (packages / "others.pth").write_text("\n".join(map(str, [*masks.import_places(), ROOT])))
        python = folder / "venv" / "bin" / "python"
        if not _starts(python):
            pytest.skip("an ordinary user may not read this environment")
        yield python
    finally:
        shutil.rmtree(folder)


def _starts(python: Path, packages: bool = True) -> bool:
    code = f"import sys; assert sys.version_info[:2] == {sys.version_info[:2]}"
    code += "; import autodiff_lab.grading.sandbox, numpy" if packages else ""
    with contextlib.suppress(OSError):
        return subprocess.run([python, "-c", code], cwd="/", capture_output=True, **_as(ORDINARY)).returncode == 0
    return False


def _as(user: int) -> dict[str, Any]:
    return {"user": user, "group": user, "extra_groups": [], "env": {"PATH": os.environ["PATH"], "HOME": "/tmp"}}


@pytest.fixture(scope="module", params=["whoever runs the tests", "an ordinary user"])
def run(request: pytest.FixtureRequest) -> Run:
    """`run("-c", code)` runs Python outside the sandbox: as whoever runs the tests, or, if that is root, as another."""
    if request.param == "whoever runs the tests":
        return _run_as_oneself
    if os.geteuid() != 0:
        pytest.skip("already an ordinary user")
    return _run_as_another(request)


def _run_as_oneself(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return _run(Path(sys.executable), *arguments, **options)


def _run_as_another(request: pytest.FixtureRequest) -> Run:
    python = request.getfixturevalue("reachable_python")
    return lambda *arguments, **options: _run(python, *arguments, **_as(ORDINARY), **options)


def _run(python: Path, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *map(str, arguments)], cwd="/", capture_output=True, text=True, timeout=180, **options
    )


@pytest.fixture(scope="module", params=["started", "forked"])
def cells(request: pytest.FixtureRequest) -> Iterator[Callable[..., dict[str, Any]]]:
    """`cells("1 + 1", …, options={…})` runs cells in one kernel; see `in_kernel.py`.

    Root, who forks kernels wherever else a class is graded, starts them here, and an ordinary user forks them.
    """
    forked = request.param == "forked"
    other = forked and os.geteuid() == 0
    python = request.getfixturevalue("reachable_python") if other else Path(sys.executable)
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": "/"}
    command = [python, IN_KERNEL, *(["forked"] if forked else [])]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(command, stderr=errors, **pipes, **(_as(ORDINARY) if other else {})) as program,
    ):
        assert program.stdin is not None and program.stdout is not None

        def ask(*codes: str, **given: Any) -> dict[str, Any]:
            program.stdin.write(json.dumps({"cells": codes, **given}) + "\n")
            program.stdin.flush()
            line = program.stdout.readline()
            errors.seek(0)
            assert line, errors.read()[-3000:]
            told: dict[str, Any] = json.loads(line)
            assert told["forked"] == (forked and not given.get("options", {}).get("trust"))
            return told

        yield ask
        program.stdin.close()


# ------------------------------------------------------------ promises


@pytest.fixture(scope="module")
def tried(run: Run) -> dict[str, list[Any]]:
    """Every probe, run once."""
    code = """
import json
from autodiff_lab.grading import probes
print(json.dumps({f.promise: [f.kept, f.reached] for f in probes.examine()}))
"""
    done = run("-c", code)
    assert done.returncode == 0, done.stderr[-3000:]
    findings: dict[str, list[Any]] = json.loads(done.stdout.splitlines()[-1])
    return findings


@needs_bubblewrap
@pytest.mark.parametrize("name", probes.PROBES)
def test_a_promise_is_kept(tried: dict[str, list[Any]], name: str) -> None:
    kept, reached = tried[probes.PROBES[name].promise]
    assert kept, reached


@pytest.mark.skipif(sys.platform != "linux", reason="the scripts are written for Linux")
@pytest.mark.parametrize(
    "name", ["network", "files", "course", "masks", "neighbours", "inherited", "leftovers", "time"]
)
def test_a_probe_notices_when_there_is_no_sandbox(name: str, tmp_path: Path) -> None:
    with probes.outside() as given, probes.variable(given["variable"]):
        given["home"].append(given["secret"])
        (tmp_path / "given.json").write_text(json.dumps(given))
        kept_open = os.open("/dev/null", os.O_RDONLY)
        done = subprocess.run(
            [sys.executable, "-c", probes.START + probes.PROBES[name].script],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            pass_fds=(kept_open,),
        )
        os.close(kept_open)
        reached = probes.reached(done, given)
        for number in probes.left_over(given["seconds"]):
            os.kill(int(number), signal.SIGKILL)
    assert reached and "failed" not in reached, (reached, done)


@needs_bubblewrap
def test_a_folder_can_be_made_readable_or_hidden(tmp_path: Path) -> None:
    import numpy

    (tmp_path / "data").write_text("42")
    fft = Path(numpy.__file__).parent / "fft"
    code = f"import os; print(open({str(tmp_path / 'data')!r}).read(), os.listdir({str(fft)!r}))"
    # As root nobody in particular reads it: pytest's folder is for its owner.
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    for hidden, shown in (((), True), ((fft,), False)):
        with sandbox.jail([sys.executable, "-c", code], readable=(tmp_path,), hidden=hidden) as jailed:
            done = subprocess.run(jailed.argv, capture_output=True, text=True, **jailed.options)
        assert done.stdout.startswith("42 ") and ("__init__.py" in done.stdout) == shown, done


@needs_bubblewrap
def test_sandboxes_do_not_share_the_limit_on_processes() -> None:
    limits = sandbox.Limits(processes=12)
    code = "import os, time\nfor _ in range(8):\n    os.fork() or (time.sleep(1.5), os._exit(0))\nprint('made')"
    started = []
    for _ in range(3):
        with sandbox.jail([sys.executable, "-c", code], limits=limits) as jailed:
            started.append(subprocess.Popen(jailed.argv, stdout=subprocess.PIPE, text=True, **jailed.options))
    assert [process.communicate(timeout=30)[0].split() for process in started] == [["made"]] * 3


@needs_bubblewrap
def test_it_ends_with_whoever_started_it() -> None:
    word = f"60.{time.time_ns()}"
    code = f"""
import subprocess, sys
from autodiff_lab.grading.sandbox import jail
with jail(["/bin/sleep", "{word}"]) as jailed:
    subprocess.Popen(jailed.argv, **jailed.options)
print("started", flush=True)
sys.stdin.read()
"""
    starter = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert starter.stdout is not None and starter.stdout.readline() == b"started\n"
    assert _until(lambda: bool(probes.left_over(word)))
    starter.kill()
    starter.wait()
    assert _until(lambda: not probes.left_over(word))
    for pipe in (starter.stdin, starter.stdout):
        assert pipe is not None
        pipe.close()


def _until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@needs_bubblewrap
def test_a_module_runs_in_it_with_an_open_socket(tmp_path: Path) -> None:
    import socket

    ours, theirs = socket.socketpair()
    (tmp_path / "helper.py").write_text(
        "import socket, sys\nsocket.socket(fileno=int(sys.argv[1])).send(b'hello')\nprint(sys.argv, __name__)"
    )
    with ours, theirs:
        number = str(theirs.fileno())
        command = [sys.executable, "-m", "helper", number]
        with sandbox.jail(command, work=tmp_path, fds=(theirs.fileno(),)) as jailed:
            done = subprocess.run(jailed.argv, capture_output=True, text=True, **jailed.options)
        assert done.stdout.strip().endswith("__main__") and number in done.stdout, done.stderr
        assert ours.recv(10) == b"hello"


# ------------------------------------------------------------ kernels


@needs_bubblewrap
def test_a_kernel_runs_cells_is_interrupted_and_goes_on(cells: Callable[..., dict[str, Any]]) -> None:
    told = cells(
        "x = 20",
        "while True: pass",
        "import os, socket\nsocket.socket(fileno=int(os.environ['AUTODIFF_LAB_BRIDGE'])).send(b'hello')\nx + 22",
        "import os; os.getuid() not in (0,)",
        seconds=2,
    )
    assert told["said"] == ["", "KeyboardInterrupt:", "42", "True"]
    assert told["ended"] is None and told["bridge"] == "hello"


@needs_bubblewrap
def test_nothing_is_left_of_a_kernel(cells: Callable[..., dict[str, Any]]) -> None:
    daemon = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(60)\n    os._exit(0)"
    )
    told = cells(daemon, "import threading; threading.Thread(target=time.sleep, args=(60,)).start(); 1", twice=True)
    assert told["said"] == ["", "1"] and len(told["family"]) >= 4
    assert told["left"] == [] and told["alive"] == [] and told["open"] <= 0


@needs_bubblewrap
@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("crashed", "import os; os._exit(3)"),
        ("crashed", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
        ("crashed", "import ctypes; ctypes.string_at(0)"),
        (
            "out of memory",
            "import os, time\nfor _ in range(8):\n    if not os.fork():\n"
            "        x = [b'x' * 1_000_000 for _ in range(300)]\n"
            "        time.sleep(20)\n        os._exit(0)\ntime.sleep(20)",
        ),
    ],
)
def test_how_a_kernel_ended_is_told(cells: Callable[..., dict[str, Any]], how: str, code: str) -> None:
    told = cells("1", code, options={"limits": {"memory": 500_000_000, "total": 800_000_000}})
    assert told["said"] == ["1", "DeadKernelError"]
    assert told["ended"] == how


@needs_bubblewrap
def test_too_much_memory_in_one_process_is_an_error_and_the_kernel_goes_on(
    cells: Callable[..., dict[str, Any]],
) -> None:
    told = cells("x = bytearray(20_000_000_000)", "import numpy\ny = numpy.ones(10**9)", "1")
    assert (
        told["said"][0] == "MemoryError:"
        and told["said"][1].startswith("MemoryError: Unable")
        and told["said"][2] == "1"
    )


@needs_bubblewrap
def test_torch_and_matplotlib_fit_into_the_limits(cells: Callable[..., dict[str, Any]]) -> None:
    torch = "import torch\nx = torch.ones(300, 300, requires_grad=True)\n(x @ x).sum().backward()\nx.grad.sum().item()"
    told = cells(torch, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert told["said"][0].endswith("54000000.0") and "Figure" in told["said"][1]


@needs_bubblewrap
@pytest.mark.parametrize("trust", [False, True])
def test_a_helper_file_is_found_but_never_instead_of_a_package(
    cells: Callable[..., dict[str, Any]], trust: bool
) -> None:
    told = cells(
        "import numpy, random, helper\nnumpy.ones(2).sum(), random.random() < 1, helper.answer",
        "import os; sorted(os.listdir())",
        "open('new', 'w').write('x'); open('helper.py', 'w').write('y')",
        files={"numpy.py": "1 / 0", "random.py": "1 / 0", "helper.py": "answer = 42", "unit.ipynb": "hidden tests"},
        options={"trust": trust},
    )
    assert told["said"][0].endswith("True, 42)")
    assert told["said"][1] == "['helper.py', 'numpy.py', 'random.py']"
    assert told["said"][2] == "1"  # its own copy
    assert told["left out"] == ["unit.ipynb"] and told["left"] == []


@needs_bubblewrap
@pytest.mark.parametrize("trust", [False, True])
def test_what_is_masked_imports_and_says_so_when_used(cells: Callable[..., dict[str, Any]], trust: bool) -> None:
    told = cells(
        "import torch, torch.nn as nn, torch.nn.functional as F, autodiff_lab as ad, autodiff_lab.optim as optim\n"
        "from autodiff_lab import Scalar, draw, nn as our_nn\n"
        "from autodiff_lab.widgets import HelloSlider, GraphExplorer\n"
        "class Net(nn.Module):\n    pass\n'imported'",
        "ad.Scalar(1.0)",
        "Scalar(1.0)",
        "ad.exp(1.0)",
        "our_nn.Linear(1, 2)",
        "torch.tensor(1.0)",
        "torch.ones + 1",
        "Net()",
        "from autodiff_lab.units.backward_sweep import chain_adjoints\nchain_adjoints([1.0])",
        "isinstance(1.0, torch.Tensor), hasattr(torch.Tensor, '_repr_html_')",
        "graph = {'x': ('input',), 'y': ('*', 'x', 'x')}\n"
        "pictures = [draw(graph), draw(graph, draw.evaluate(graph, {'x': 2.0}), True), draw.Drawing()]\n"
        "pictures += [HelloSlider(abs)]\n"
        "pictures += [GraphExplorer(graph, inputs={'x': 2.0}, backward=True).drawing()]\n"
        "[*map(repr, pictures)].count('Pictures are not drawn while answers are graded.'), pictures[0]._repr_html_()",
        "from autodiff_lab.draw.data import order\norder(graph)",
        "draw.evaluate(graph, {'x': 2.0})['y']",
        "import graphlib\ngraphlib.TopologicalSorter(graph)",
        "import a_package_that_is_nowhere",
        "import jax.numpy as jnp\njnp.ones(2)",
        "import scipy.optimize\nscipy.optimize.approx_fprime([1.0], lambda x: x**2)",
        "from autodiff_lab.checks import bridge, wire, student, plain, failed, remote, check\n"
        "import numpy\nplain.plain([numpy.float64(2.0), numpy.ones(2)])",
        options={"masks": ["engine", "torch", "orders"], "trust": trust},
    )
    said = told["said"]
    assert said[0] == "'imported'"
    named = ["autodiff_lab.Scalar", "autodiff_lab.Scalar", "autodiff_lab.exp", "autodiff_lab.nn.Linear", "torch.tensor"]
    named += ["torch.ones", "torch.nn.Module", "autodiff_lab.units.backward_sweep.chain_adjoints"]
    for line, name in zip(said[1:9], named, strict=True):
        assert line.startswith(f"NotAvailable: {name} is not available in this exercise"), line
    assert said[9:11] == ["(False, False)", "(5, '<p><em>Pictures are not drawn while answers are graded.</em></p>')"]
    named = ["autodiff_lab.draw.data.order", "autodiff_lab.draw.evaluate", "graphlib.TopologicalSorter"]
    for line, name in zip(said[11:14], named, strict=True):
        assert line.startswith(f"NotAvailable: {name} is not available in this exercise"), line
    assert said[14].startswith("ModuleNotFoundError")
    for line, name in zip(said[15:17], ["jax.numpy.ones", "scipy.optimize._numdiff"], strict=True):
        assert line.startswith(f"NotAvailable: {name}"), line
    assert said[17:] == ["[2.0, array([1., 1.])]"]


@needs_bubblewrap
def test_a_kernel_inherits_one_socket_and_nothing_of_the_environment(cells: Callable[..., dict[str, Any]]) -> None:
    told = cells(
        "import os, stat\nmode = os.fstat(int(os.environ['AUTODIFF_LAB_BRIDGE'])).st_mode\nstat.S_ISSOCK(mode)",
        "sorted({n for n in os.environ if not n.startswith(('PYTHON', 'AUTODIFF', 'MPL', 'JPY'))})",
        "[os.environ.get(n) for n in ('HOME', 'JPY_PARENT_PID', 'OMP_NUM_THREADS')]",
    )
    assert told["said"][0] == "True"
    assert "'SHELL'" not in told["said"][1] and "'LD_LIBRARY_PATH'" not in told["said"][1]
    assert told["said"][2] == "['/home/student', None, '1']"


def test_a_trusted_kernel_needs_no_sandbox(cells: Callable[..., dict[str, Any]]) -> None:
    told = cells(
        "import os\nos.path.basename(os.getcwd()), os.environ['OMP_NUM_THREADS']",
        "while True: pass",
        "import socket\nsocket.socket(fileno=int(os.environ['AUTODIFF_LAB_BRIDGE'])).send(b'hello')",
        "os._exit(1)",
        options={"trust": True},
        seconds=2,
    )
    assert told["said"] == ["('work', '1')", "KeyboardInterrupt:", "5", "DeadKernelError"]
    assert told["bridge"] == "hello" and told["ended"] == "crashed" and told["left"] == told["alive"] == []


@needs_bubblewrap
def test_a_kernelspec_can_name_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Sandbox",
        "language": "python",
        "metadata": {"kernel_provisioner": {"provisioner_name": sandbox.NAME, "config": {"masks": ["torch"]}}},
    }
    (tmp_path / "kernels" / "safe").mkdir(parents=True)
    (tmp_path / "kernels" / "safe" / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    import nbformat
    from nbclient import NotebookClient

    codes = ["import os; os.getcwd()", "import torch; torch.tensor(1)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in codes])
    NotebookClient(notebook, kernel_name="safe", allow_errors=True, timeout=30).execute()
    assert notebook.cells[0].outputs[0].data["text/plain"] == "'/home/student/work'"
    assert notebook.cells[1].outputs[0].ename == "NotAvailable"


# ------------------------------------------------------------ where there is none


@pytest.fixture
def fresh() -> Iterator[None]:
    """Nothing is known of this machine yet, nor afterwards."""
    sandbox._status.cache_clear()
    sandbox._options.cache_clear()
    yield
    sandbox._status.cache_clear()
    sandbox._options.cache_clear()


def _refusal() -> sandbox.Refusal:
    found = sandbox.status()
    assert isinstance(found, sandbox.Refusal) and found.reason and "--trust-students" in found.mend
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="about Linux")
def test_without_bubblewrap_nothing_starts_and_what_to_install_is_said(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert "not installed" in _refusal().reason and "apt install bubblewrap" in _refusal().mend
    with pytest.raises(UserError, match="cannot be run safely") as caught:
        sandbox.kernel_manager()
    assert "apt install" in caught.value.hint


@pytest.mark.parametrize(
    ("settings", "said", "reason", "mend"),
    [
        ({APPARMOR: "1"}, "bwrap: setting up uid map: Permission denied", "AppArmor", "apparmor.d"),
        (
            {"kernel/unprivileged_userns_clone": "0"},
            "bwrap: No permissions to create new namespace",
            "namespaces",
            "sysctl",
        ),
        ({}, "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "not allowed", "container"),
        ({}, "bwrap: No permissions to create new namespace", "not allowed", "container"),
        ({}, "bwrap: something else", "something else", "bwrap --ro-bind"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="about Linux")
def test_a_bubblewrap_that_may_not_work_is_explained(
    fresh: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    settings: dict[str, str],
    said: str,
    reason: str,
    mend: str,
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(
        '#!/bin/sh\ncase "$1" in --version) echo bubblewrap 0.9.0;; --help) echo --size;; '
        f'*) echo "{said}" >&2; exit 1;; esac\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sandbox, "_setting", lambda name: settings.get(name, ""))
    assert reason in _refusal().reason and mend in _refusal().mend


@needs_bubblewrap
def test_a_container_without_user_namespaces_is_refused(run: Run) -> None:
    code = """
import subprocess, sys
from autodiff_lab.grading.sandbox import jail
inner = "from autodiff_lab.grading.sandbox import status; print(status())"
with jail([sys.executable, "-c", inner]) as jailed:
    print(subprocess.run(jailed.argv, capture_output=True, text=True, **jailed.options))
"""
    told = run("-c", code).stdout
    assert "Refusal(" in told and "not allowed to work" in told, told


@pytest.mark.parametrize(("platform", "words"), [("darwin", "virtual machine"), ("win32", "virtual machine")])
def test_other_systems_are_told_what_to_do(monkeypatch: pytest.MonkeyPatch, platform: str, words: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert "needs Linux" in _refusal().reason and words in _refusal().mend


def test_an_unknown_mask_is_an_error() -> None:
    with pytest.raises(ValueError, match="the masks are: engine"):
        masks.modules(("engines",))


# ------------------------------------------------------------ the filter of system calls

ALLOW, REFUSE, NOT_THERE, NOTHING_DONE = 0x7FFF0000, 0x00050001, 0x00050026, 0x00050000


def _filtered(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the kernel would do with a call: the few instructions of classic BPF that the filter uses, followed."""
    steps = list(struct.iter_unpack("=HBBI", seccomp.program(machine)))
    data = struct.pack("=iIQ6Q", number, architecture or seccomp._ARCH[machine], 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    place = value = 0
    while True:
        code, yes, no, constant = steps[place]
        place += 1
        if code == 0x06:
            return int(constant)
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, constant)
        elif code == 0x54:
            value &= constant
        else:
            holds = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}[code]
            place += yes if holds else no


@pytest.mark.parametrize(
    ("machine", "read", "unshare", "clone", "memfd"), [("x86_64", 0, 272, 56, 319), ("aarch64", 63, 97, 220, 279)]
)
def test_the_filter_refuses_what_it_should_and_nothing_else(
    machine: str, read: int, unshare: int, clone: int, memfd: int
) -> None:
    threads, process, user_namespace = 0x3D0F00, 0x01200011, 0x10000000
    assert _filtered(machine, read) == ALLOW
    assert _filtered(machine, unshare) == _filtered(machine, memfd) == REFUSE
    assert _filtered(machine, clone, threads) == _filtered(machine, clone, process) == ALLOW
    assert _filtered(machine, clone, process | user_namespace) == REFUSE
    flock, fcntl = {"x86_64": (73, 72), "aarch64": (32, 25)}[machine]
    for lock in (6, 7, 37, 38):
        assert _filtered(machine, fcntl, 3, lock) == NOTHING_DONE, lock
    for told_of_others in (1024, 1026):
        assert _filtered(machine, fcntl, 3, told_of_others) == REFUSE, told_of_others
    for harmless in (0, 1, 2, 3, 4, 5, 1030, 1031, 1033):
        assert _filtered(machine, fcntl, 3, harmless) == ALLOW, harmless
    assert _filtered(machine, flock) == NOTHING_DONE
    assert _filtered(machine, 435) == NOT_THERE  # clone3, whose flags cannot be seen
    assert _filtered(machine, 0x40000000 + read) == NOT_THERE  # x86-64's other interface
    assert _filtered(machine, read, architecture=0x40000003) == NOT_THERE  # a 32-bit program


@pytest.mark.parametrize(
    ("machine", "socket", "pair", "mmap", "option"), [("x86_64", 41, 53, 9, 54), ("aarch64", 198, 199, 222, 208)]
)
def test_the_filter_knows_families_of_sockets_kinds_of_mappings_and_sizes_of_buffers(
    machine: str, socket: int, pair: int, mmap: int, option: int
) -> None:
    no_family, ignored = 0x00050000 | errno.EAFNOSUPPORT, 0x00050000
    for call in (socket, pair):
        allowed = [family for family in range(64) if _filtered(machine, call, family) == ALLOW]
        assert allowed == [1, 2, 10, 16], "UNIX, INET, INET6, NETLINK"
        assert _filtered(machine, call, 40) == _filtered(machine, call, 38) == no_family  # VSOCK, ALG
    private, fixed, shared_file, populate = 0x22, 0x32, 0x01, 0x8000
    assert _filtered(machine, mmap, 0, 4096, 3, private) == ALLOW
    assert _filtered(machine, mmap, 0, 4096, 3, fixed) == ALLOW
    assert _filtered(machine, mmap, 0, 4096, 3, shared_file) == ALLOW
    assert _filtered(machine, mmap, 0, 4096, 3, 0x21) == REFUSE
    assert _filtered(machine, mmap, 0, 4096, 3, 0x21 | populate) == REFUSE
    assert [size for size in range(64) if _filtered(machine, option, 3, 1, size) == ignored] == [7, 8, 32, 33]
    assert _filtered(machine, option, 3, 6, 7) == ALLOW, "another level's option of that number"


def test_a_machine_that_is_not_known_has_no_filter() -> None:
    assert seccomp.program("s390x") == b""

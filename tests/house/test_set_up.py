"""From a bare Python to a running command: what is said, what is done, and what is left alone."""

import ast
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house.conftest import ROOT, assert_one_line_and_hint

Bare = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def closed_index() -> Iterator[dict[str, str]]:
    """Settings that send pip to a port of this machine where nobody listens."""
    with socket.socket() as held:  # bound and not listening: connections are refused, and nobody else takes the port
        held.bind(("127.0.0.1", 0))
        yield {
            "PIP_INDEX_URL": f"http://127.0.0.1:{held.getsockname()[1]}/simple",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_RETRIES": "0",
        }


def a_venv_that_answers(checkout: Path, pip_says: str, pip_exits: int) -> None:
    """A `.venv` of ours whose Python is a script: as pip it prints `pip_says`, else it says what it was run with."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = -c ]; then exit 0; fi\n'
        f'if [ "$2" = pip ]; then echo "pip $*" >> {checkout}/pip.calls; echo "{pip_says}"; exit {pip_exits}; fi\n'
        'echo "went on with $* in $VIRTUAL_ENV"\n'
    )
    python.chmod(0o755)
    stamp = {"fingerprint": "", "extras": [], "checkout": str(checkout)}
    (checkout / ".venv" / "autodiff_lab.json").write_text(json.dumps(stamp))


# ------------------------------------------------------------ an old Python


@pytest.mark.parametrize("name", ["__init__", "__main__"])
def test_what_an_old_python_reads_first_has_old_syntax(name: str) -> None:
    tree = ast.parse((ROOT / "autodiff_lab" / f"{name}.py").read_text(encoding="utf-8"), feature_version=(3, 6))
    futures = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    assert not futures, "Python 3.6 does not know `annotations`"


def old_pythons() -> list[Path]:
    found = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"))
    return [python for python in found if int(python.parents[1].name.split(".")[1]) < 11]


@pytest.mark.skipif(not old_pythons(), reason="no Python older than 3.11 on this machine")
def test_an_old_python_is_told_so_in_one_line() -> None:
    for python in old_pythons():
        done = subprocess.run([python, "-m", "autodiff_lab", "lab"], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 1
        line, hint = done.stderr.splitlines()
        assert line.startswith("autodiff_lab needs Python 3.11 or newer; this is Python 3.")
        assert hint.startswith("Hint: ")


# ------------------------------------------------------------ nothing is installed where it should not be


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_an_active_environment_gets_one_command_and_no_package(bare: Bare, checkout: Path, variable: str) -> None:
    done = bare("test", **{variable: "/opt/somewhere"})
    command = "python -m pip install -c constraints.txt -e '.[test]'"
    assert_one_line_and_hint(done, "/opt/somewhere", "Nothing was installed", command)
    assert not (checkout / ".venv").exists()


def test_help_and_unknown_commands_install_nothing(bare: Bare, checkout: Path) -> None:
    helped = bare("--help")
    assert helped.returncode == 0
    assert "lab" in helped.stdout and "doctor" in helped.stdout
    assert_one_line_and_hint(bare("labb"), "there is no command 'labb'", "did you mean lab?")
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_names_the_package_to_install(bare: Bare, checkout: Path, module: str) -> None:
    gone = (
        "import importlib.util as u; find = u.find_spec\n"
        f"u.find_spec = lambda name, package=None: None if name == {module!r} else find(name, package)"
    )
    assert_one_line_and_hint(bare("lab", before=gone), module, "apt install python3.", "-venv")
    assert not (checkout / ".venv").exists()


def test_an_environment_that_someone_else_made_is_left_alone(bare: Bare, checkout: Path) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "mine").write_text("keep")
    assert_one_line_and_hint(bare("lab"), "this command did not make it", "remove or rename it")
    assert (checkout / ".venv" / "mine").read_text() == "keep"


@pytest.mark.sandbox
def test_a_folder_that_cannot_be_written_is_named(bare: Bare, checkout: Path) -> None:
    locked = ("bwrap", "--dev-bind", "/", "/", "--ro-bind", str(checkout), str(checkout), "--chdir", str(checkout))
    assert_one_line_and_hint(bare("lab", under=locked), f"cannot write in {checkout}", "folder that is yours")


# ------------------------------------------------------------ when pip fails, and when it does not


def test_without_network_it_says_so_and_goes_on_where_it_stopped(
    bare: Bare, checkout: Path, closed_index: dict[str, str]
) -> None:
    first = bare("lab", **closed_index)
    assert_one_line_and_hint(first, "no connection to the package index", "goes on where this one stopped")
    assert "Making the environment" in first.stderr
    made = (checkout / ".venv" / "pyvenv.cfg").stat().st_mtime_ns
    again = bare("lab", **closed_index)
    assert_one_line_and_hint(again, "no connection to the package index")
    assert "Making the environment" not in again.stderr, "the environment was there"
    assert (checkout / ".venv" / "pyvenv.cfg").stat().st_mtime_ns == made


@pytest.mark.parametrize(
    ("pip_says", "told"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("WARNING: Retrying after connection broken by NewConnectionError", "no connection to the package index"),
        ("ERROR: Cannot install a and b because of conflicts", "Cannot install a and b because of conflicts"),
        (
            "ERROR: No matching distribution found for torch==2.13.0",
            "the package index has no torch==2.13.0 for Python 3.",
        ),
        ("Killed", "pip could not install the packages: Killed"),
    ],
)
def test_what_pip_says_becomes_one_line(bare: Bare, checkout: Path, pip_says: str, told: str) -> None:
    a_venv_that_answers(checkout, pip_says, pip_exits=1)
    assert_one_line_and_hint(bare("lab"), told, "run the same command again")
    assert pip_says in (checkout / ".venv" / "install.log").read_text()


def test_it_installs_once_and_goes_on_as_if_the_environment_were_active(bare: Bare, checkout: Path) -> None:
    a_venv_that_answers(checkout, "Successfully installed everything", pip_exits=0)
    done = bare("lab", "--port", "8901")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"went on with -m autodiff_lab lab --port 8901 in {checkout}/.venv\n"
    again = bare("lab")
    assert again.returncode == 0 and again.stderr == "", "a second start says nothing and installs nothing"
    assert len((checkout / "pip.calls").read_text().splitlines()) == 1


def test_the_tests_bring_their_own_packages_and_keep_the_others(bare: Bare, checkout: Path) -> None:
    a_venv_that_answers(checkout, "Successfully installed everything", pip_exits=0)
    for command in ("lab", "test", "lab", "bench", "test"):
        assert bare(command).returncode == 0
    packages = [
        line.split()[-1].removeprefix(str(checkout)) for line in (checkout / "pip.calls").read_text().splitlines()
    ]
    assert packages == ["", "[test]", "[bench,test]"]


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_are_installed_at_the_next_start(bare: Bare, checkout: Path, name: str) -> None:
    a_venv_that_answers(checkout, "Successfully installed everything", pip_exits=0)
    assert bare("lab").returncode == 0
    with (checkout / name).open("a") as file:
        file.write("# changed\n")
    assert bare("lab").returncode == 0
    assert len((checkout / "pip.calls").read_text().splitlines()) == 2


# Quicker than making one each time: a Python whose `-m venv` fails is asked to.
NO_VENV = "sys.executable = '/bin/false'"


def test_a_broken_environment_of_ours_is_made_anew(bare: Bare, checkout: Path) -> None:
    a_venv_that_answers(checkout, "", pip_exits=0)
    (checkout / ".venv" / "bin" / "python").unlink()
    done = bare("lab", before=NO_VENV)
    assert "has no Python in it; making it anew" in done.stderr
    assert_one_line_and_hint(done, "could not make the environment")
    assert "making it anew" in bare("lab", before=NO_VENV).stderr, "it still is our own"


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [("checkout", "/elsewhere", "was made for another folder"), ("python", "3.99", "was begun with Python 3.99")],
)
def test_an_environment_for_another_folder_or_python_is_made_anew(
    bare: Bare, checkout: Path, key: str, value: str, told: str
) -> None:
    a_venv_that_answers(checkout, "", pip_exits=0)
    stamp = checkout / ".venv" / "autodiff_lab.json"
    stamp.write_text(json.dumps({**json.loads(stamp.read_text()), key: value}))
    assert f"{told}; making it anew" in bare("lab", before=NO_VENV).stderr
    assert not (checkout / ".venv" / "bin").exists()


# ------------------------------------------------------------ small parts


def test_versions_out_of_range_count_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from autodiff_lab import bootstrap

    monkeypatch.setattr(bootstrap.importlib.metadata, "version", lambda name: "2.9.1+cpu")
    assert bootstrap._lacks("torch>=2.6,<3") is None
    assert bootstrap._lacks("torch>=2.10") == "torch (has 2.9.1+cpu, needs >=2.10)"
    assert bootstrap._lacks("torch>=1.0,<2.9.1") is not None


def test_this_environment_needs_nothing() -> None:
    from autodiff_lab import bootstrap

    assert bootstrap.missing_requirements(ROOT, None) == []
    assert bootstrap.requirements(ROOT, "test") != bootstrap.requirements(ROOT, None)
    assert sys.version_info >= (3, 11)

"""The command line: its commands, its help, and what it says to bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autodiff_lab.bootstrap import COMMANDS
from autodiff_lab.cli import app, main
from autodiff_lab.workspace import Workspace
from tests.house.conftest import ROOT, answer, assert_one_line_and_hint


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autodiff_lab", *arguments]
    environment = {**os.environ, "AUTODIFF_LAB_WORKSPACE": "/nonexistent/here", **variables}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def refused(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says when it refuses, in this process."""
    code = main(list(arguments))
    out, err = capfd.readouterr()
    assert_one_line_and_hint(subprocess.CompletedProcess(arguments, code, out, err))
    said = [line for line in err.splitlines() if not line.endswith(" …")]  # what a long command begins with
    assert len(said) == 2, err
    return err


def test_the_commands_are_those_of_the_design() -> None:
    assert [command.name or command.callback.__name__ for command in app.registered_commands] == list(COMMANDS)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}" in readme for name in COMMANDS)


def test_help_is_quick_because_it_loads_nothing_else() -> None:
    code = (
        "import sys; from autodiff_lab.cli import main; main(['--help']); main(['lab', '--help'])\n"
        "heavy = {'numpy', 'torch', 'nbgrader', 'nbformat', 'jupyter_server', 'IPython', 'rich.console'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout
    assert "--no-browser" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "Usage:" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["labb"], "did you mean lab?"),
        (["gradee"], "did you mean grade"),
        (["lab", "--prot", "1"], "--prot"),
        (["lab", "--port", "many"], "--port"),
        (["lab", "--port", "70000"], "--port"),
        (["publish"], "DIR"),
        (["check", "00"], "there are no units in /nonexistent/here"),
        (["build", "99_nothing"], "99_nothing"),
        (["grade", "99_nothing"], "99_nothing"),
        (["report", "--course", "/nonexistent"], "/nonexistent"),
        (["bench", "speed_of_light"], "speed_of_light"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_line_and_a_hint(
    arguments: list[str], told: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTODIFF_LAB_WORKSPACE", "/nonexistent/here")
    assert told in refused(capfd, *arguments)


def test_mistakes_go_to_stderr_with_an_exit_code() -> None:
    done = run("labb")
    assert_one_line_and_hint(done, "there is no command 'labb'")
    assert (done.returncode, done.stdout) == (2, "")


def test_an_unknown_unit_gets_the_nearest_names(
    tmp_path: Path, release: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Workspace(tmp_path / "w", release).prepare()
    assert "did you mean 01_second?" in refused(capfd, "check", "secnd", "--workspace", str(tmp_path / "w"))
    assert "00_first or 01_second" in refused(capfd, "check", "7", "--workspace", str(tmp_path / "w"))


def test_a_folder_that_cannot_be_written_is_a_clear_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    told = refused(capfd, "lab", "--no-browser", "--workspace", str(tmp_path / "file" / "inside"))
    assert "cannot write in" in told and "--workspace FOLDER" in told
    assert "is not a folder" in refused(capfd, "lab", "--workspace", str(tmp_path / "file"))


def test_doctor_says_what_is_there(capfd: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--json"])
    findings = {finding["what"]: finding for finding in json.loads(capfd.readouterr().out)}
    assert findings["Python"]["state"] == findings["nbgrader validate assignment"]["state"] == "ok"
    assert findings["packages"]["state"] == "ok", findings["packages"]
    assert all(finding["how"] for finding in findings.values() if finding["state"] == "missing")
    main(["doctor"])
    assert "nbgrader in JupyterLab" in capfd.readouterr().out


def test_doctor_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from autodiff_lab import doctor

    monkeypatch.setenv("PATH", "/nonexistent")
    by_name = {finding.what: finding for finding in doctor.examine()}
    assert by_name["bubblewrap"].state == "optional" and "apt install bubblewrap" in by_name["bubblewrap"].how
    assert by_name["Chromium"].state == "optional" and by_name["GPU"].found == "none"


# ------------------------------------------------------------ publish


def test_publish_gives_students_the_package_and_the_units_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "for students"
    assert main(["publish", str(folder)]) == 0
    capfd.readouterr()
    assert {path.name for path in folder.iterdir() if not path.name.startswith(".")} == {
        "autodiff_lab",
        "course",
        "pyproject.toml",
        "constraints.txt",
        "environment.yml",
        "LICENSE",
        "README.md",
    }
    given = {path.relative_to(ROOT / "course") for path in (ROOT / "course" / "release").rglob("*.ipynb")}
    assert {path.relative_to(folder / "course") for path in (folder / "course").rglob("*") if path.is_file()} == given
    assert not list(folder.rglob("__pycache__"))
    code = "import autodiff_lab.workspace as w; print(w.in_checkout(), w.release_folder())"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.stdout == f"True {folder}/course/release\n", done.stderr
    assert main(["publish", str(folder)]) == 0, "what was published can be published again"
    assert "is not empty" in refused(capfd, "publish", str(tmp_path))
    assert "inside the course" in refused(capfd, "publish", str(ROOT / "course" / "out"))


def test_what_is_published_can_be_read_by_everyone_whatever_the_umask(
    tmp_path: Path, release: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for closed in (release, *release.rglob("*")):  # a checkout that was itself made under umask 077
        closed.chmod(0o700 if closed.is_dir() else 0o600)
    monkeypatch.setattr("autodiff_lab.publish.release_folder", lambda: release)
    (tmp_path / "old" / "mine").mkdir(parents=True)
    before = os.umask(0o077)
    try:
        for name in ("new/deeper/students", "old/students", "old/students"):
            assert main(["publish", str(tmp_path / name)]) == 0
            (tmp_path / name / "mine").mkdir(exist_ok=True)  # of whoever published: left alone when that is done again
    finally:
        os.umask(before)
    for name in ("new", "old/students"):
        for path in (tmp_path / name, *(tmp_path / name).rglob("*")):
            wanted = 0o700 if path.name == "mine" else 0o755 if path.is_dir() else 0o644
            assert path.stat().st_mode & 0o777 in (wanted, wanted | 0o111), path
    assert (tmp_path / "old" / "mine").stat().st_mode == (tmp_path / "old").stat().st_mode  # neither was made here


def test_publish_refuses_a_release_with_a_solution(
    tmp_path: Path, release: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    answer(release / "00_first" / "00_first.ipynb", "total", "### BEGIN SOLUTION\n1\n### END SOLUTION")
    monkeypatch.setattr("autodiff_lab.publish.release_folder", lambda: release)
    assert "contains a solution" in refused(capfd, "publish", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()

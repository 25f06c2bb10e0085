"""Hints name a command as its reader would type it: the way in which this one was started."""

import ast
import re
import sys
from pathlib import Path

import pytest

from autodiff_lab.bootstrap import COMMANDS
from autodiff_lab.cli import main
from autodiff_lab.errors import typed
from tests.house.conftest import ROOT

# The README of what students get, and what is said of it: they always start there in one way.
ABOUT_STUDENTS = {"publish.py": 6, "cli.py": 1}
LITERAL = re.compile(r"python3? -m autodiff_lab(?![.\w])|autodiff-lab (?:{})\b".format("|".join(COMMANDS)))
BARE = re.compile(rf"\b(?:run|try it:) (?:{'|'.join(COMMANDS)})\b(?! the| their)|\b(?:lab|grade|doctor|check) --\w+")


def strings(path: Path) -> list[str]:
    """The string constants of a module that are no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and is_text(node.body)}
    inside = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "typed"
        for argument in ast.walk(node)
    }
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node.value for node in constants if id(node) not in docs | inside]


def is_text(body: list[ast.stmt]) -> bool:
    return isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


def test_no_message_spells_out_how_this_program_is_started() -> None:
    for path in sorted((ROOT / "autodiff_lab").rglob("*.py")):
        if path.name in ("errors.py", "__main__.py") or "engine" in path.parts:
            continue
        told = [text for text in strings(path) for _ in LITERAL.findall(text)]
        assert len(told) == ABOUT_STUDENTS.get(path.name, 0), f"{path}: use errors.typed: {told}"


def test_no_hint_names_a_command_without_the_program() -> None:
    for path in sorted((ROOT / "autodiff_lab").rglob("*.py")):
        told = [text for text in strings(path) if BARE.search(text)]
        assert not told, f"{path}: use errors.typed: {told}"


def test_these_tests_see_what_they_look_for(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        '"""Docs: python3 -m autodiff_lab lab."""\nfrom x import typed\n'
        'a = f"start with: python3 -m autodiff_lab lab {1}"\nb = "run grade first."\nc = f"run {typed(\'grade\')}"\n'
    )
    assert [text for text in strings(path) if LITERAL.search(text)] == ["start with: python3 -m autodiff_lab lab "]
    assert [text for text in strings(path) if BARE.search(text)] == ["run grade first."]


@pytest.mark.parametrize(
    ("started", "program"),
    [
        ("/home/me/.venv/bin/autodiff-lab", "autodiff-lab"),
        ("C:/Python/Scripts/autodiff-lab.exe", "autodiff-lab"),
        ("autodiff-lab-script.py", "autodiff-lab"),
        ("/checkout/autodiff_lab/__main__.py", "python3 -m autodiff_lab"),
        ("/usr/bin/jupyter-lab", "python3 -m autodiff_lab"),
        ("-c", "python3 -m autodiff_lab"),
        ("", "python3 -m autodiff_lab"),
    ],
)
def test_hints_follow_the_way_in_which_it_was_started(
    started: str, program: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", [started])
    assert (typed(), typed("check 04")) == (program, f"{program} check 04")
    assert main(["check", "--workspace", str(tmp_path / "empty")]) == 1
    assert f"Hint: start with: {program} lab\n" in capfd.readouterr().err
    assert main(["check", "--wat"]) == 2
    assert f"Hint: {program} check --help shows what can be given." in capfd.readouterr().err


def test_the_bare_command_prints_its_help(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("Usage: ") and "hand-in" in out and err == ""

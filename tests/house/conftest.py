"""A small course to lay out, and a checkout that is nothing but what the set-up needs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat.v4 as v4
import pytest

ROOT = Path(__file__).resolve().parents[2]
BARE = Path(sys.base_prefix) / "bin" / "python3"


def exercise(name: str, points: int, test: str, answer: str = "") -> list:
    """A heading, a solution cell and its test cell, as a release has them."""
    common = {"locked": False, "schema_version": 3, "task": False}
    above = v4.new_markdown_cell(f"### Exercise: {name} of two numbers")
    solution = v4.new_code_cell(answer or f"def {name}(x, y):\n    raise NotImplementedError()")
    solution.metadata["nbgrader"] = {**common, "grade": False, "grade_id": name, "solution": True}
    solution.metadata["exercise"] = {"kind": "implement", "minutes": 5, "difficulty": 1, "importance": 3}
    check = v4.new_code_cell(
        "from autodiff_lab.checks import check, student\nfrom autodiff_lab.units import welcome as unit\n\n" + test
    )
    check.metadata["nbgrader"] = {**common, "grade": True, "grade_id": f"test-{name}", "locked": True, "points": points}
    check.metadata["nbgrader"]["solution"] = False
    return [above, solution, check]


def write_unit(release: Path, unit: str, title: str = "A unit") -> Path:
    """A release notebook with two exercises worth 60 and 40 points."""
    from nbgrader.utils import compute_checksum

    first = v4.new_markdown_cell(f"# {unit[:2]} · {title}")
    first.metadata["unit"] = {"title": title, "question": "Why?", "minutes": 10, "needs": [], "objectives": ["adding"]}
    brackets = "check(student.total(2.0, 3.0), expect=15.0, instead={11.0: unit.BRACKETS_IGNORED})"
    cells = [first, *exercise("total", 60, brackets)]
    cells += exercise("plus", 40, "check(student.plus(2.0, 3.0), expect=5.0)\nstudent.without('torch', names=['plus'])")
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    path = release / unit / f"{unit}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat_text(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})), encoding="utf-8")
    return path


def nbformat_text(notebook: object) -> str:
    import nbformat

    return nbformat.writes(notebook, version=4)


def answer(path: Path, name: str, code: str) -> None:
    """Type `code` into the solution cell `name` of a notebook, as a student would."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    (cell,) = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
    cell.source = code
    nbformat.write(notebook, path)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Two units as they are given out."""
    folder = tmp_path / "release"
    write_unit(folder, "00_first", "First")
    write_unit(folder, "01_second", "Second")
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `__main__` needs before anything is installed, copied to a folder of its own."""
    folder = tmp_path / "checkout"
    (folder / "autodiff_lab").mkdir(parents=True)
    for name in ("__init__", "__main__", "bootstrap", "errors"):
        shutil.copy(ROOT / "autodiff_lab" / f"{name}.py", folder / "autodiff_lab")
    for name in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    (folder / "course" / "release").mkdir(parents=True)
    return folder


@pytest.fixture
def bare(checkout: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`bare("lab")` runs the command in the checkout with a Python that has no package at all, outside any environment.

    Keywords are environment variables; `before` is Python that runs first, to take something away; `under` goes before.
    """
    if not BARE.exists():
        pytest.skip(f"no Python outside the environment ({BARE})")

    def run(
        *arguments: str, before: str = "", under: tuple[str, ...] = (), **variables: str
    ) -> subprocess.CompletedProcess[str]:
        unwanted = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME")
        environment = {k: v for k, v in os.environ.items() if k not in unwanted and not k.startswith("PIP_")}
        code = (
            f"import runpy, sys\n{before}\nsys.path.insert(0, '')\nsys.argv[1:] = {list(arguments)!r}\n"
            "runpy.run_module('autodiff_lab', run_name='__main__', alter_sys=True)"
        )
        return subprocess.run(
            [*under, str(BARE), "-S", "-c", code],
            cwd=checkout,
            env={**environment, **variables},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    return run


def assert_one_line_and_hint(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """The form of every refusal: not 0, a line and a hint on stderr, no traceback, and the words in it."""
    assert done.returncode != 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert any(line.startswith("Error: ") for line in done.stderr.splitlines()), done.stderr
    assert any(line.startswith("Hint: ") for line in done.stderr.splitlines()), done.stderr
    for word in words:
        assert word in done.stderr, f"{word!r} is not in:\n{done.stderr}"

"""Imports run downwards only: engine <- draw <- widgets; engine <- checks <- units <- grading <- the command line."""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.house.conftest import ROOT

PACKAGE = ROOT / "autodiff_lab"
# What a part may import of the others. `errors` (one exception) is below everything that talks to a person.
MAY_IMPORT = {
    "engine": set(),
    "draw": {"engine"},
    "widgets": {"engine", "draw"},
    "checks": {"engine"},
    "units": {"engine", "draw", "checks"},  # what a test that fails shows
    "grading": {"engine", "checks", "units", "errors"},
    "errors": set(),
    "bootstrap": {"errors"},
    "__init__": {"engine", "draw", "widgets", "checks", "grading"},
}


def imported(path: Path) -> Iterator[str]:
    """Absolute names of all modules that a file imports, inside functions too."""
    here = ("autodiff_lab", *path.relative_to(PACKAGE).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: -node.level]) if node.level else ""
            module = ".".join(filter(None, [base, node.module or ""]))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in (getattr(node.func, key, "") for key in ("id", "attr")):
            yield from (given.value for given in node.args[:1] if isinstance(given, ast.Constant))


def own_parts(path: Path) -> set[str]:
    """The parts of this package that a file imports; `autodiff_lab` itself counts as the engine that it exports."""
    parts = set()
    for name in imported(path):
        first, *rest = name.split(".")
        if first == "autodiff_lab" and rest:
            known = (PACKAGE / rest[0]).is_dir() or (PACKAGE / f"{rest[0]}.py").is_file()
            parts.add(rest[0] if known else "engine")
    return parts


def files(part: str) -> list[Path]:
    return sorted((PACKAGE / part).rglob("*.py")) if (PACKAGE / part).is_dir() else [PACKAGE / f"{part}.py"]


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_what_lies_below_it(part: str) -> None:
    assert files(part), f"there is no autodiff_lab/{part}"
    for path in files(part):
        above = own_parts(path) - MAY_IMPORT[part] - {part}
        assert not above, f"{path.relative_to(ROOT)} imports {', '.join(sorted(above))}"


def test_every_part_of_the_package_has_its_place() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert folders <= set(MAY_IMPORT), "say in MAY_IMPORT what the new part may import"


@pytest.mark.parametrize("part", ["__init__", "__main__", "errors", "bootstrap"])
def test_what_runs_on_a_bare_python_needs_only_the_standard_library(part: str) -> None:
    for name in imported(PACKAGE / f"{part}.py"):
        first = name.split(".")[0]
        assert first in sys.stdlib_module_names or first == "autodiff_lab", f"{part} imports {name}"


@pytest.mark.parametrize("part", ["engine", "draw"])
def test_engine_and_drawing_import_no_library_when_they_are_imported(part: str) -> None:
    heavy = {"numpy", "torch", "IPython", "ipywidgets", "matplotlib", "nbformat"}
    for path in files(part):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not heavy & {name.split(".")[0] for name in names}, f"{path.name} imports {names} at its top"


def test_modules_of_the_engine_import_one_another_without_a_circle() -> None:
    modules = {".".join(("autodiff_lab", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in files("engine")}
    modules |= {name.removesuffix(".__init__") for name in modules}
    graph: dict[str, set[str]] = {}
    for path in files("engine"):
        name = ".".join(("autodiff_lab", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                found = {f"{node.module}.{alias.name}" for alias in node.names} & modules or {node.module} & modules
                graph.setdefault(name, set()).update(found - {name})
    assert len(graph) > 50
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_the_test_of_imports_sees_all_ways_to_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path / "autodiff_lab")
    for part in ("engine", "draw", "grading"):
        (tmp_path / "autodiff_lab" / part).mkdir(parents=True)
    path = tmp_path / "autodiff_lab" / "engine" / "sly.py"
    for line in (
        "from autodiff_lab import draw",
        "import autodiff_lab.draw.svg",
        "from autodiff_lab.draw import svg",
        "def f():\n    from ..draw import svg",
        "import importlib\nimportlib.import_module('autodiff_lab.draw')",
    ):
        path.write_text(line)
        assert own_parts(path) == {"draw"}, line

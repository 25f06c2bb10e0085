"""pyproject.toml, constraints.txt and environment.yml say the same; the wheel holds all that students may see."""

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.house.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINES = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
PINS = {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in LINES}
EXTRAS = PROJECT["optional-dependencies"]
WANTED = [Requirement(text) for texts in [PROJECT["dependencies"], *EXTRAS.values()] for text in texts]


def test_constraints_are_exact_versions_in_order() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line) for line in LINES)
    assert sorted(LINES, key=str.lower) == LINES
    assert len(PINS) == len(LINES)


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.name)
def test_every_requirement_is_a_range_that_holds_its_pinned_version(wanted: Requirement) -> None:
    operators = {specifier.operator for specifier in wanted.specifier}
    assert operators == {">=", "<"}, f"{wanted} should have a lower and an upper bound"
    assert wanted.specifier.contains(PINS[canonicalize_name(wanted.name)]), (
        f"{wanted} does not allow the pinned version"
    )


def test_pinned_versions_run_on_the_oldest_python_that_is_allowed() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    for name in PINS:
        try:
            installed = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if installed.version.split("+")[0] == PINS[name]:
            allowed = SpecifierSet(installed.metadata.get("Requires-Python") or "")
            assert allowed.contains(oldest), f"{name} {PINS[name]} needs Python {allowed}, which leaves out {oldest}"


def test_pinned_packages_need_nothing_that_is_not_pinned() -> None:
    missing = set()
    for name in PINS:
        try:
            needs = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for need in map(Requirement, needs):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                missing.add(canonicalize_name(need.name))
    # PyTorch's own CUDA packages come with its CUDA build only; PyTorch pins them itself.
    missing = {name for name in missing - set(PINS) if not name.startswith(("nvidia-", "cuda-", "triton"))}
    assert not missing, f"constraints.txt lacks {', '.join(sorted(missing))}"


def test_the_conda_environment_is_the_same_thing() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, pip = environment["dependencies"]
    assert environment["name"] == PROJECT["name"]
    assert f"python{PROJECT['requires-python']}" in conda
    assert set(pip["pip"]) == {"-c constraints.txt", "-e .[test]"}, "every version comes from one place"


# ------------------------------------------------------------ the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "-w", folder, ROOT], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_release_notebook(wheel: Path) -> None:
    files = {path.relative_to(ROOT / "course" / "release") for path in (ROOT / "course" / "release").glob("*/*.ipynb")}
    with zipfile.ZipFile(wheel) as archive:
        inside = {Path(name).relative_to("autodiff_lab/release") for name in archive.namelist() if "/release/" in name}
        for file in files & inside:
            assert archive.read(f"autodiff_lab/release/{file}") == (ROOT / "course" / "release" / file).read_bytes()
    assert files, "there is no release to ship"
    assert files <= inside


def test_the_wheel_holds_the_whole_package(wheel: Path) -> None:
    kept = {".py", ".js", ".css", ".html", ".txt", ".json"}
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "autodiff_lab").rglob("*")
        if path.suffix in kept and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        assert package <= set(archive.namelist())


def test_the_wheel_holds_no_source_no_solution_no_hidden_test(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            first = name.split("/")[0]
            assert first == "autodiff_lab" or first.endswith(".dist-info"), f"{name} has no place in the wheel"
            if name.endswith(".ipynb"):
                assert name.startswith("autodiff_lab/release/"), f"{name} is no release notebook"
                text = archive.read(name).decode()
                assert "### BEGIN SOLUTION" not in text and "### BEGIN HIDDEN TESTS" not in text, name
            assert not re.search(r"/\d\d_[a-z_]+/.*\.py$", name), f"{name} looks like a unit's source or an answer"


def test_an_installed_wheel_lays_out_the_units_without_a_checkout(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site), "HOME": str(tmp_path / "home")}
    environment.pop("AUTODIFF_LAB_WORKSPACE", None)
    code = (
        "import autodiff_lab, sys; from autodiff_lab.workspace import Workspace, in_checkout\n"
        "assert not in_checkout(), autodiff_lab.__file__\n"
        "place = Workspace(); place.prepare(); print(place.root, *place.units())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    root, *units = done.stdout.split()
    assert Path(root) == tmp_path / "home" / "autodiff-lab", done.stderr
    assert units == sorted(path.name for path in (ROOT / "course" / "release").glob("[0-9][0-9]_*"))

"""The repository speaks of the product: no path of a machine, no address of a package index, no dead link."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.house.conftest import ROOT

# Put together here, so that this file does not contain them.
FORBIDDEN = [
    "/" + "work/main",
    "/" + "work/shared",
    "/" + "tmp/w/",
    "/" + "root/",
    "pypi" + ".org",
    "python" + "hosted",
    "download." + "pytorch",
    "registry." + "npm",
    "deb." + "debian",
]


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_file_names_a_machine_path_or_a_package_index() -> None:
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {word}" for word in FORBIDDEN if word in text]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), f"{name} links to {target}"


def test_files_that_the_documents_name_exist() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"`((?:autodiff_lab|course|solutions|tests)/[\w./]*)`", text):
            assert "NN" in target or (ROOT / target).exists(), f"{name} names {target}"


def test_a_class_and_a_workspace_are_never_committed() -> None:
    for path in (
        "workspace/00_welcome/00_welcome.ipynb",
        "course/gradebook.db",
        "course/submitted/a/b/c.ipynb",
        ".venv/x",
    ):
        done = subprocess.run(["git", "check-ignore", "-q", path], cwd=ROOT)
        assert done.returncode in (0, 128), f"git would commit {path}"

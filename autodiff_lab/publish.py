"""Puts together the folder that students get: the package and the release notebooks. No source, no solution."""

from __future__ import annotations

import shutil
from pathlib import Path

from autodiff_lab.bootstrap import CHECKOUT
from autodiff_lab.errors import UserError
from autodiff_lab.workspace import PACKAGE, in_checkout, release_folder

MARK = ".autodiff_lab_published"
FILES = ("pyproject.toml", "constraints.txt", "environment.yml", "LICENSE")
SECRETS = ("### BEGIN SOLUTION", "### BEGIN HIDDEN TESTS")
README = """\
# autodiff_lab

A course on automatic differentiation in notebooks. You need Python 3.11 or newer.

Open a terminal in this folder and type

    python3 -m autodiff_lab lab

The first time, this installs what the course needs into this folder (a few minutes). Then JupyterLab opens on the
first unit. Your work lies in `workspace/`; a newer version of the course never writes over it.

- `python3 -m autodiff_lab check` runs the tests of the unit that you work on and says where to read on.
- `python3 -m autodiff_lab progress` shows your units and points.
- `python3 -m autodiff_lab doctor` says what is missing on your machine, if something does not work.

To hand in a unit, press Submit in JupyterLab (menu Nbgrader, Assignment List), or send your instructor the notebook
`workspace/NN_name/NN_name.ipynb`.
"""


def publish(folder: Path) -> list[str]:
    """Write the students' folder and return the names of the units in it.

    Raises UserError if `folder` holds something else, or a release notebook contains what students must not see.
    """
    if not in_checkout():
        raise UserError("publish works in a checkout of the course.", "clone the course, and run it there.")
    folder = folder.expanduser().absolute()
    release = release_folder()
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).is_file())):
        raise UserError(f"{folder} is not empty.", "name a folder that does not exist yet.")
    if CHECKOUT in (folder, *folder.parents) and folder.parent != CHECKOUT:
        raise UserError(f"{folder} lies inside the course's own folders.", "name a folder outside the checkout.")
    for path in release.rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        if any(secret in text for secret in SECRETS):
            raise UserError(f"{path} contains a solution or a hidden test.", "build it again: build " + path.stem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).touch()
        ignore = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.pyc", "release")
        for old in (folder / "autodiff_lab", folder / "course"):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(PACKAGE, folder / "autodiff_lab", ignore=ignore)
        shutil.copytree(release, folder / "course" / "release", ignore=shutil.ignore_patterns(".*"))
        for name in FILES:
            shutil.copy(CHECKOUT / name, folder / name)
        (folder / "README.md").write_text(README, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {folder} ({error.strerror or error}).", "name a folder that is yours.") from None
    return sorted(path.stem for path in release.glob("*/*.ipynb"))

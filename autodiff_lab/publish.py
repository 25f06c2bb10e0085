"""Puts together the folder that students get: the package and the release notebooks. No source, no solution."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

from autodiff_lab.bootstrap import CHECKOUT
from autodiff_lab.errors import UserError, typed
from autodiff_lab.grading.collect import exchange_of, open_exchange
from autodiff_lab.workspace import EXCHANGE, PACKAGE, Exchange, in_checkout, release_folder

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

{how}
"""
UPLOAD = """\
To hand in a unit, run `python3 -m autodiff_lab hand-in 04` (with its number). It checks the notebook, writes the one
file to upload into `workspace/hand-in/`, and says its name."""
SUBMIT = """\
To hand in a unit, press Submit in JupyterLab (menu Nbgrader, Assignment List), or run `python3 -m autodiff_lab hand-in
04` (with its number). Both put it where your instructor collects it. Fetch Feedback, in the same list, brings the
feedback page."""


def publish(folder: Path) -> tuple[list[str], Path | None]:
    """Write the students' folder; returns the names of the units in it, and the shared exchange that has them now.

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
            raise UserError(
                f"{path} contains a solution or a hidden test.", f"build it again: {typed('build ' + path.stem)}"
            )
    units = sorted(path.stem for path in release.glob("*/*.ipynb"))
    course = CHECKOUT / "course"
    known = exchange_of(course)
    shared = Exchange(*known) if known else None
    new = [parent for parent in (folder, *folder.parents) if not parent.exists()]
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
        readme = README.replace("{how}", SUBMIT if shared else UPLOAD)
        (folder / "README.md").write_text(readme, encoding="utf-8")
        if shared:
            (folder / "course" / EXCHANGE).write_text(shared.text(), encoding="utf-8")
        given = [folder / name for name in (MARK, "README.md", "autodiff_lab", "course", *FILES)]
        for path in (*new, folder, *given, *(below for top in given for below in top.rglob("*"))):
            _open_to_all(path)
    except OSError as error:
        raise UserError(f"cannot write {folder} ({error.strerror or error}).", "name a folder that is yours.") from None
    return units, open_exchange(course, units)


def _open_to_all(path: Path) -> None:
    """Let everyone read it, whatever the checkout's files and the umask of this process allow."""
    if not path.is_symlink():
        execute = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
        path.chmod(0o755 if execute else 0o644)

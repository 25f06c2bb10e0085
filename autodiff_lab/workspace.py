"""A student's folder: the units as given out, where they are submitted, and what was checked last.

Nothing that a student has changed is ever written over: a newer release goes beside it under a name of its own. Changed
is a notebook whose cells read differently from what was given out; JupyterLab rewrites the rest of a file when it is
opened, and outputs come back by running.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autodiff_lab.bootstrap import CHECKOUT
from autodiff_lab.errors import UserError, typed

COURSE_ID = "autodiff_lab"
STATE = ".autodiff_lab"
HAND_IN = "hand-in"
"""Folder of a workspace with the files to upload."""
EXCHANGE = "exchange.json"
"""Beside the release notebooks: the exchange of a class, as `publish` took it from the course's settings."""
PACKAGE = Path(__file__).resolve().parent


def in_checkout() -> bool:
    """Whether this package runs out of a checkout (and not out of a wheel)."""
    return (CHECKOUT / "pyproject.toml").is_file() and (CHECKOUT / "course").is_dir()


def release_folder() -> Path:
    """Where the notebooks are that students get: in the checkout, or inside the installed package."""
    folder = CHECKOUT / "course" / "release" if in_checkout() else PACKAGE / "release"
    if not any(folder.glob("*/*.ipynb")):
        raise UserError(
            f"there are no units in {folder}.",
            f"build them: {typed('build')}" if in_checkout() else "install the package again.",
        )
    return folder


def default_workspace() -> Path:
    """`$AUTODIFF_LAB_WORKSPACE`, or `workspace/` in a checkout, or `autodiff-lab` in the home folder."""
    named = os.environ.get("AUTODIFF_LAB_WORKSPACE")
    if named:
        return _expanded(Path(named))
    return CHECKOUT / "workspace" if in_checkout() else _home() / "autodiff-lab"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # neither HOME nor an entry for this user id
        return Path.cwd()


def _expanded(path: Path) -> Path:
    with suppress(RuntimeError):  # "~" of nobody
        path = path.expanduser()
    return path.absolute()


def user_name() -> str:
    """The name of whoever runs this; in a container a user id may have none."""
    return _system_name() or (f"user{os.getuid()}" if hasattr(os, "getuid") else "user")


def ensure_home() -> None:
    """Where the home folder is unset or cannot be written, use a folder in the workspace: Jupyter keeps files there."""
    with suppress(RuntimeError):
        home = Path.home()
        existing = next(folder for folder in (home, *home.parents) if folder.exists())
        if os.access(existing, os.W_OK):
            return
    own = default_workspace() / STATE / "home"
    try:
        own.mkdir(parents=True, exist_ok=True)
    except OSError:
        own = Path(tempfile.mkdtemp(prefix="autodiff_lab_home_"))
    os.environ["HOME"] = str(own)


@dataclass(frozen=True)
class Exchange:
    """The folder through which a class on one machine submits, and the name of its course there."""

    root: Path
    course_id: str = COURSE_ID

    @property
    def inbound(self) -> Path:
        """Where submissions are put."""
        return self.root / self.course_id / "inbound"

    def is_open(self) -> bool:
        """Whether a submission can be put there."""
        return sys.platform != "win32" and self.inbound.is_dir() and os.access(self.inbound, os.W_OK | os.X_OK)

    @classmethod
    def at(cls, folder: Path) -> Exchange:
        """The exchange in a folder that somebody names. Raises UserError if no course takes submissions there."""
        root = _expanded(folder)
        if sys.platform == "win32":
            raise UserError("a shared exchange does not work on Windows.", f"use {typed('hand-in')} instead.")
        courses = sorted(path.parent.name for path in root.glob("*/inbound") if cls(root, path.parent.name).is_open())
        if COURSE_ID in courses:
            return cls(root)
        if len(courses) != 1:
            raise UserError(
                f"no course takes submissions in {root}."
                if not courses
                else f"several courses take submissions in {root}: {', '.join(courses)}.",
                "ask your instructor for the folder (instructors: see 'Give the units out' in course/GUIDE.md).",
            )
        return cls(root, courses[0])

    @classmethod
    def read(cls, file: Path) -> Exchange | None:
        """The one that a file names, if it names one."""
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            return cls(Path(kept["root"]), str(kept["course_id"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def text(self) -> str:
        """What `read` reads."""
        return json.dumps({"root": str(self.root), "course_id": self.course_id}, indent=1) + "\n"


@dataclass(frozen=True)
class Change:
    """What happened to a file: `new`, `updated` (it was untouched), or `beside` (a newer one beside the student's)."""

    what: str
    path: Path


class Workspace:
    """The folder `root`, laid out as `NN_slug/NN_slug.ipynb`; what the course needs to know is in a hidden folder.

    `release` is the folder with what is given out; None: the course's own.
    """

    def __init__(self, root: Path | None = None, release: Path | None = None) -> None:
        self._release = release
        self.root = _expanded(Path(root)) if root is not None else default_workspace()
        self.state = self.root / STATE
        self.jupyter = self.state / "jupyter"
        self.log = self.state / "jupyter.log"

    @property
    def release(self) -> Path:
        """The folder with the notebooks that are given out. Raises UserError if there are none."""
        return self._release or release_folder()

    # ------------------------------------------------------------ units

    def units(self) -> list[str]:
        """Names of the units that are here, in order, under whatever name a student has given to their notebooks."""
        exact = {path.stem for path in self.root.glob("[0-9][0-9]_*/*.ipynb") if path.stem == path.parent.name}
        return sorted(exact | {unit for _, unit in self._renamed()})

    def notebook(self, unit: str) -> Path:
        """The student's notebook of a unit: by its name, else by what is in it; where it would be if there is none."""
        exact = self.root / unit / f"{unit}.ipynb"
        if exact.exists():
            return exact
        renamed = [path for path, found in self._renamed() if found == unit]
        return max(renamed, key=lambda path: (path.parent == exact.parent, path.stat().st_mtime), default=exact)

    def unit_of(self, path: Path) -> str | None:
        """The unit whose cells are in a notebook file; None if it is no notebook of this course."""
        found: list[tuple[float, bool, bool, str]] = []
        try:
            cells = _cells(path)
            for given in self.release.glob("[0-9][0-9]_*/*.ipynb"):
                if (unit := given.stem) == given.parent.name:
                    likeness = _likeness(cells, _cells(given))
                    found.append((likeness, unit == path.parent.name, unit[:2] == path.name[:2], unit))
        except (OSError, ValueError, KeyError, TypeError):  # not a notebook
            return None
        best = max(found, default=(0.0, False, False, ""))
        return best[-1] if best[0] >= 0.2 else None

    def _renamed(self) -> Iterator[tuple[Path, str]]:
        """Notebooks under a name that is not the one given out, and their units.

        Only in a folder or, beside the folders, in a file whose name begins with the number of the unit: what was moved
        elsewhere was moved away.
        """
        for path in sorted([*self.root.glob("[0-9][0-9]*.ipynb"), *self.root.glob("[0-9][0-9]*/*.ipynb")]):
            if path.stem != path.parent.name and ".new-version" not in path.name and path.is_file():
                place = path if path.parent == self.root else path.parent
                if (unit := self.unit_of(path)) and place.name[:2] == unit[:2]:
                    yield path, unit

    def edited(self, unit: str) -> bool:
        """Whether the student's notebook is no longer what was given out."""
        path = self.notebook(unit)
        written = self._read("manifest.json").get("written", {}).get(f"{unit}/{unit}.ipynb", {})
        return path.is_file() and _content(path) != written.get("content")

    def current_unit(self) -> str | None:
        """The unit last worked on; the first one if none was changed; None in an empty folder."""
        units = self.units()
        worked = [unit for unit in units if self.edited(unit)]
        return max(worked, key=lambda u: self.notebook(u).stat().st_mtime) if worked else next(iter(units), None)

    # ------------------------------------------------------------ laying out

    def prepare(self) -> list[Change]:
        """Bring the folder up to the release, keep every edit, write Jupyter's settings. Says what it changed."""
        release = self.release
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.state.mkdir(exist_ok=True)
            changes = self._copy_units(release)
            self.write_jupyter_settings()
        except OSError as error:
            raise UserError(
                f"cannot write in {self.root} ({error.strerror or error}).",
                f"name a folder that is yours: {typed('lab --workspace FOLDER')}",
            ) from None
        return changes

    def _copy_units(self, release: Path) -> list[Change]:
        manifest = self._read("manifest.json")
        written, offered = manifest.setdefault("written", {}), manifest.setdefault("offered", {})
        changes = []
        for source in _files(release):
            name = source.relative_to(release).as_posix()
            target, given = self.root / name, {"file": _hash(source), "content": _content(source)}
            if source.name == f"{source.parent.name}.ipynb":
                target = self.notebook(source.stem)
            before = written.get(name, {})
            if not target.exists():
                change = Change("new", target)
            elif before.get("file") == given["file"]:
                continue
            elif _content(target) == given["content"] and not before:  # our notes were lost
                written[name] = given
                continue
            elif _content(target) == before.get("content"):
                change = Change("updated", target)
            elif offered.get(name) == given["file"]:
                continue
            else:
                change = Change("beside", _beside(target, offered.get(name)))
            put(source, change.path)
            if change.what == "beside":
                offered[name] = given["file"]
            else:
                written[name] = given
            changes.append(change)
        self._write("manifest.json", manifest)
        return changes

    # ------------------------------------------------------------ handing in

    @property
    def exchange(self) -> Exchange | None:
        """Where this folder's units are submitted: what `lab --exchange` named, else what the course came with."""
        known = Exchange.read(self.state / EXCHANGE) or Exchange.read(self.release.parent / EXCHANGE)
        return known if known is not None and sys.platform != "win32" else None

    def use_exchange(self, exchange: Exchange) -> None:
        """Submit there from now on."""
        self.state.mkdir(parents=True, exist_ok=True)
        _put_bytes(exchange.text().encode(), self.state / EXCHANGE)

    @property
    def student(self) -> str:
        """The student's id: the one that `hand-in --student` has named, else the name of the user."""
        return str(self._read("student.json").get("id") or user_name())

    @student.setter
    def student(self, name: str) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        self._write("student.json", {"id": name})

    def knows_student(self) -> bool:
        """Whether the student has told the id."""
        return bool(self._read("student.json").get("id"))

    def submitted(self, unit: str) -> list[str]:
        """When this unit was submitted to the exchange, oldest first, as nbgrader wrote the time."""
        found = (self.state / "cache").glob(f"*/*+{unit}+*")
        return sorted(path.name.split("+")[2] for path in found)

    def to_upload(self, unit: str) -> list[Path]:
        """The files to upload that were made of this unit, newest first."""
        found = (self.root / HAND_IN).glob(f"{unit}_*.ipynb")
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)

    def write_jupyter_settings(self) -> None:
        """Found by Jupyter and nbgrader through JUPYTER_CONFIG_PATH; the user's own settings are not touched."""
        exchange = self.exchange
        submits = exchange is not None and exchange.is_open()
        config = (
            "# Written by `autodiff_lab lab` at every start: changes are lost.\n"
            "c = get_config()  # noqa: F821\n"
            f"c.CourseDirectory.course_id = {exchange.course_id if exchange else COURSE_ID!r}\n"
            f"c.Exchange.assignment_dir = {str(self.root)!r}\n"
            f"c.Exchange.cache = {str(self.state / 'cache')!r}\n"
            # Only what was handed out counts; checkpoints and caches stay here.
            "c.CourseDirectory.ignore = ['.ipynb_checkpoints', '__pycache__', '*.pyc', 'feedback', '*.new-version*']\n"
            "c.ClearSolutions.enforce_metadata = False\n"
        )
        if exchange is not None:
            config += f"c.Exchange.root = {str(exchange.root)!r}\n"
        if self.student != _system_name():
            config += f"c.CourseDirectory.student_id = {self.student!r}\n"
        # An instructor's tools would only confuse, and jupytext would offer to turn a unit into another file. Without
        # an exchange that instructors can reach, a button that submits would lie.
        write_settings(
            self.jupyter,
            nbgrader_config=config,
            server={
                "nbgrader.server_extensions.assignment_list": submits,
                "nbgrader.server_extensions.formgrader": False,
                "nbgrader.server_extensions.course_list": False,
                "nbgrader.server_extensions.validate_assignment": False,
                "autodiff_lab.validate": True,
                "jupyterlab_jupytext": False,
            },
            lab=[
                *(f"@jupyter/nbgrader:{name}" for name in ("create-assignment", "formgrader", "course-list")),
                *(f"@jupyter/nbgrader:{name}" for name in ("assignment-list", "menu") if not submits),
                "jupyterlab-jupytext",
            ],
        )

    # ------------------------------------------------------------ what is remembered

    def remember(self, unit: str, result: dict[str, Any]) -> None:
        """Keep the outcome of a check, with the hash of the notebook that it belongs to."""
        results = self._read("results.json")
        results[unit] = {"notebook": _hash(self.notebook(unit)), "result": result}
        self._write("results.json", results)

    def remembered(self, unit: str) -> tuple[dict[str, Any], bool] | None:
        """The outcome of the last check and whether the notebook is still the one that was checked."""
        kept = self._read("results.json").get(unit)
        if not kept or not self.notebook(unit).is_file():
            return None
        return kept["result"], kept["notebook"] == _hash(self.notebook(unit))

    def _read(self, name: str) -> dict[str, Any]:
        try:
            kept = json.loads((self.state / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _write(self, name: str, data: dict[str, Any]) -> None:
        _put_bytes((json.dumps(data, indent=1, sort_keys=True) + "\n").encode(), self.state / name)


def write_settings(folder: Path, nbgrader_config: str, server: dict[str, bool], lab: list[str]) -> None:
    """Fill a folder for JUPYTER_CONFIG_PATH: nbgrader's settings, server extensions on or off, lab extensions off."""
    (folder / "jupyter_server_config.d").mkdir(parents=True, exist_ok=True)
    (folder / "labconfig").mkdir(exist_ok=True)
    if nbgrader_config:
        (folder / "nbgrader_config.py").write_text(nbgrader_config, encoding="utf-8")
    enabled = {"ServerApp": {"jpserver_extensions": server}}
    (folder / "jupyter_server_config.d" / "autodiff_lab.json").write_text(json.dumps(enabled), encoding="utf-8")
    # Jupyter's news would ask a question over the first unit, and go online for it.
    switched_off = dict.fromkeys(["@jupyterlab/apputils-extension:announcements", *lab], True)
    (folder / "labconfig" / "page_config.json").write_text(
        json.dumps({"disabledExtensions": switched_off}), encoding="utf-8"
    )


def _files(release: Path) -> list[Path]:
    skip = {".ipynb_checkpoints", "__pycache__"}
    return [
        path
        for path in sorted(release.glob("[0-9][0-9]_*/**/*"))
        if path.is_file() and not skip & set(path.relative_to(release).parts)
    ]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _content(path: Path) -> str:
    """Hash of what a person reads and writes in a file: of a notebook the cells' kinds and texts, else every byte."""
    if path.suffix == ".ipynb":
        try:
            said = [[cell["cell_type"], "".join(cell["source"]), cell.get("attachments", {})] for cell in _cells(path)]
            return hashlib.sha256(json.dumps(said).encode()).hexdigest()
        except (ValueError, KeyError, TypeError):  # not a notebook: its bytes are all there is
            pass
    return _hash(path)


def _cells(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8-sig"))["cells"]
    return [cell for cell in cells if isinstance(cell, dict)]


def _likeness(cells: list[dict[str, Any]], given: list[dict[str, Any]]) -> float:
    """The share of the given cells that are there, by id or by text."""
    ids, texts = {cell.get("id") for cell in cells}, {"".join(cell["source"]).strip() for cell in cells}
    there = sum(
        cell.get("id") in ids or (len(text := "".join(cell["source"]).strip()) > 20 and text in texts) for cell in given
    )
    return there / max(1, len(given))


def _system_name() -> str | None:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return None


def _beside(target: Path, offered: str | None) -> Path:
    """A free name beside `target`; an earlier newer version that nobody has changed is replaced."""
    for number in range(1, 1000):
        path = target.with_name(f"{target.stem}.new-version{'' if number == 1 else f'-{number}'}{target.suffix}")
        if not path.exists() or _hash(path) == offered:
            return path
    raise UserError(f"there are too many new versions beside {target}.", "remove those that you do not need.")


def put(source: Path, target: Path) -> None:
    """Copy a file, all or nothing; folders are made."""
    _put_bytes(source.read_bytes(), target)


def _put_bytes(data: bytes, target: Path) -> None:
    """All or nothing: an interrupted copy leaves the old file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise

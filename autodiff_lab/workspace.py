"""A student's folder: the units as given out, nbgrader's exchange, and what was checked last.

Nothing that a student has changed is ever written over: a newer release goes beside it under a name of its own. Changed
is a notebook whose cells read differently from what was given out; JupyterLab rewrites the rest of a file when it is
opened, and outputs come back by running.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autodiff_lab.bootstrap import CHECKOUT
from autodiff_lab.errors import UserError

COURSE_ID = "autodiff_lab"
STATE = ".autodiff_lab"
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
            "build them: python3 -m autodiff_lab build" if in_checkout() else "install the package again.",
        )
    return folder


def default_workspace() -> Path:
    """`$AUTODIFF_LAB_WORKSPACE`, or `workspace/` in a checkout, or `autodiff-lab` in the home folder."""
    named = os.environ.get("AUTODIFF_LAB_WORKSPACE")
    if named:
        return Path(named).expanduser().absolute()
    return CHECKOUT / "workspace" if in_checkout() else Path.home() / "autodiff-lab"


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
        self.root = Path(root).expanduser().absolute() if root is not None else default_workspace()
        self.state = self.root / STATE
        self.exchange = self.state / "exchange"
        self.jupyter = self.state / "jupyter"
        self.log = self.state / "jupyter.log"

    @property
    def release(self) -> Path:
        """The folder with the notebooks that are given out. Raises UserError if there are none."""
        return self._release or release_folder()

    # ------------------------------------------------------------ units

    def units(self) -> list[str]:
        """Names of the units that are here, in order."""
        return sorted(
            path.parent.name for path in self.root.glob("[0-9][0-9]_*/*.ipynb") if path.stem == path.parent.name
        )

    def notebook(self, unit: str) -> Path:
        return self.root / unit / f"{unit}.ipynb"

    def edited(self, unit: str) -> bool:
        """Whether the student's notebook is no longer what was given out."""
        path = self.notebook(unit)
        written = self._read("manifest.json").get("written", {}).get(f"{unit}/{path.name}", {})
        return path.is_file() and _content(path) != written.get("content")

    def current_unit(self) -> str | None:
        """The unit last worked on; the first one if none was changed; None in an empty folder."""
        units = self.units()
        worked = [unit for unit in units if self.edited(unit)]
        return max(worked, key=lambda u: self.notebook(u).stat().st_mtime) if worked else next(iter(units), None)

    # ------------------------------------------------------------ laying out

    def prepare(self) -> list[Change]:
        """Bring the folder up to the release, keep every edit, lay out nbgrader's exchange. Says what it changed."""
        release = self.release
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.state.mkdir(exist_ok=True)
            changes = self._copy_units(release)
            self._lay_out_exchange(release)
            self._write_jupyter_settings()
        except OSError as error:
            raise UserError(
                f"cannot write in {self.root} ({error.strerror or error}).",
                "name a folder that is yours: python3 -m autodiff_lab lab --workspace FOLDER",
            ) from None
        return changes

    def _copy_units(self, release: Path) -> list[Change]:
        manifest = self._read("manifest.json")
        written, offered = manifest.setdefault("written", {}), manifest.setdefault("offered", {})
        changes = []
        for source in _files(release):
            name = source.relative_to(release).as_posix()
            target, given = self.root / name, {"file": _hash(source), "content": _content(source)}
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
            _put(source, change.path)
            if change.what == "beside":
                offered[name] = given["file"]
            else:
                written[name] = given
            changes.append(change)
        self._write("manifest.json", manifest)
        return changes

    def _lay_out_exchange(self, release: Path) -> None:
        """What nbgrader's Assignment List shows is what was given out; what is submitted lands in `inbound`."""
        course = self.exchange / COURSE_ID
        for folder in (course / "outbound", course / "inbound", course / "feedback", self.state / "cache"):
            folder.mkdir(parents=True, exist_ok=True)
        for source in _files(release):
            target = course / "outbound" / source.relative_to(release)
            if not target.exists() or _hash(target) != _hash(source):
                _put(source, target)
        for gone in (course / "outbound").iterdir():
            if not (release / gone.name).is_dir():
                shutil.rmtree(gone)

    def _write_jupyter_settings(self) -> None:
        """Found by Jupyter and nbgrader through JUPYTER_CONFIG_PATH; the user's own settings are not touched."""
        config = (
            "# Written by `autodiff_lab lab` at every start: changes are lost.\n"
            "c = get_config()  # noqa: F821\n"
            f"c.CourseDirectory.course_id = {COURSE_ID!r}\n"
            f"c.Exchange.root = {str(self.exchange)!r}\n"
            f"c.Exchange.cache = {str(self.state / 'cache')!r}\n"
            f"c.Exchange.assignment_dir = {str(self.root)!r}\n"
            # Only what was handed out counts; checkpoints and caches stay here.
            "c.CourseDirectory.ignore = ['.ipynb_checkpoints', '__pycache__', '*.pyc', 'feedback', '*.new-version*']\n"
            "c.ClearSolutions.enforce_metadata = False\n"
        )
        # An instructor's tools would only confuse, and jupytext would offer to turn a unit into another file.
        write_settings(
            self.jupyter,
            nbgrader_config=config,
            server={
                "nbgrader.server_extensions.formgrader": False,
                "nbgrader.server_extensions.course_list": False,
                "jupyterlab_jupytext": False,
            },
            lab=[
                *(f"@jupyter/nbgrader:{name}" for name in ("create-assignment", "formgrader", "course-list")),
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

    def submitted(self, unit: str) -> list[str]:
        """When this unit was handed in through nbgrader's Submit, oldest first, as it wrote the time."""
        found = (self.exchange / COURSE_ID / "inbound").glob(f"*+{unit}+*")
        return sorted(path.name.split("+")[2] for path in found)

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
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            said = [[cell["cell_type"], "".join(cell["source"]), cell.get("attachments", {})] for cell in cells]
            return hashlib.sha256(json.dumps(said).encode()).hexdigest()
        except (ValueError, KeyError, TypeError):  # not a notebook: its bytes are all there is
            pass
    return _hash(path)


def _beside(target: Path, offered: str | None) -> Path:
    """A free name beside `target`; an earlier newer version that nobody has changed is replaced."""
    for number in range(1, 1000):
        path = target.with_name(f"{target.stem}.new-version{'' if number == 1 else f'-{number}'}{target.suffix}")
        if not path.exists() or _hash(path) == offered:
            return path
    raise UserError(f"there are too many new versions beside {target}.", "remove those that you do not need.")


def _put(source: Path, target: Path) -> None:
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

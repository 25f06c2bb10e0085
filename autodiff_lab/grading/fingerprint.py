"""What a submission's marks depend on, as one number: where it is the same, running it again tells nothing new."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autodiff_lab.grading import submitted
from autodiff_lab.grading.versions import environment

if TYPE_CHECKING:
    from traitlets.config import Config

AFTERWARDS = (
    "AssignLatePenalties",
    "LateSubmissionPlugin",
    "LatePenalty",
    "CourseDirectory",
    "Exchange",
    "ExportApp",
    "FormgradeApp",
    "GenerateFeedback",
    "HTMLExporter",
    "StillHTMLExporter",
)
"""Sections of the configuration that have no part in running a submission."""


def of_folder(folder: Path, leave_out: tuple[str, ...] = ()) -> str:
    """Hash of the names and contents of all that lies in a folder of the course's own."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        name = path.relative_to(folder).as_posix()
        if any(path.match(pattern) for pattern in leave_out) or "__pycache__" in path.parts:
            continue
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        else:
            content = f"-> {path.readlink()}" if stat.S_ISLNK(mode) else f"mode {stat.S_IFMT(mode)}"
        found.update(f"{name}\0{content}\0".encode("utf-8", "surrogateescape"))
    return found.hexdigest()


def of_file(path: Path) -> str:
    """Hash of the content of a file of a submission; "" if there is none."""
    try:
        with submitted.open_file(path.parent, path.name, submitted.GRADED_LIMIT) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except submitted.Refused:
        return ""


def fingerprint(folder: Path, source_folder: Path, config: Config) -> str:
    """What decides how a submission comes out: its files, the unit's source with the tests, settings, versions.

    When it was handed in is not part of it: that changes a penalty, which needs no run.
    """
    # Who asks a configuration for a section leaves an empty one there.
    settings = {name: value for name, value in config.items() if name not in AFTERWARDS and value != {}}
    parts = {
        "submission": submitted.fingerprint(folder),
        "source": of_folder(source_folder, ("*.ipynb",)),
        "settings": settings,
        "environment": environment(),
    }
    text = json.dumps(parts, sort_keys=True, default=_name)
    return hashlib.sha256(text.encode()).hexdigest()


def _name(value: Any) -> str:
    # A class or a function in the configuration; its address would differ from run to run.
    module, name = getattr(value, "__module__", ""), getattr(value, "__qualname__", "")
    return f"{module}.{name}" if name else str(value)

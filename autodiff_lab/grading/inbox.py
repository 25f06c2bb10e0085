"""What lies in a course's folder of submissions: whose units, and what lies where grading does not look for it.

Only the names of files and folders are read. A link counts as a student's or a unit's folder and nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from autodiff_lab.errors import typed
from autodiff_lab.grading.notes import listed, shown

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
STAMP = "timestamp.txt"
_DEPTH, _MOST = 4, 100_000

LOOSE = "loose"
ARCHIVE = "archive"
NO_UNIT = "no unit"
NO_NOTEBOOK = "no notebook"
UNIT_FIRST = "unit first"
TOO_DEEP = "too deep"
NOT_A_UNIT = "not a unit"

_WORDS = {
    LOOSE: ("{} is a notebook outside of a unit's folder", "{} are notebooks outside of a unit's folder"),
    ARCHIVE: ("{} is an archive", "{} are archives"),
    NO_UNIT: ("{} holds notebooks but no unit folder", "{} hold notebooks but no unit folder"),
    NO_NOTEBOOK: ("{} holds files but no unit folder", "{} hold files but no unit folder"),
    UNIT_FIRST: ("{} is a unit where a student belongs", "{} are units where students belong"),
    TOO_DEEP: ("{} lies one folder too deep", "{} lie one folder too deep"),
    NOT_A_UNIT: (
        "{} holds notebooks and is not named like a unit of this course",
        "{} hold notebooks and are not named like a unit of this course",
    ),
}


@dataclass(frozen=True)
class Stray:
    """Something that was submitted and lies where nobody grades it: its path from the course folder, and the kind."""

    path: str
    kind: str


@dataclass
class Submitted:
    """Who has a unit's folder (student -> units, in order), and what lies elsewhere."""

    students: dict[str, list[str]] = field(default_factory=dict)
    strays: list[Stray] = field(default_factory=list)


def look(folder: Path, units: Collection[str]) -> Submitted:
    """What lies in `folder`, laid out as STUDENT/UNIT; `units`: the names that a unit's folder may have."""
    found = Submitted()
    for entry in _entries(folder, links=True):
        name = f"{folder.name}/{entry.name}"
        if not entry.is_dir():
            found.strays += _loose(entry, name)
        elif entry.name in units:
            if _holds(Path(entry)):
                found.strays.append(Stray(name, UNIT_FIRST))
        else:
            own, strays = _student(Path(entry), name, units)
            found.strays += strays
            if own:
                found.students[entry.name] = own
    return found


def is_submitted(folder: Path) -> bool:
    """Whether anything lies in the folder of a student's unit; what a link leads to is not looked at."""
    return folder.is_symlink() or any(entry.name != STAMP for entry in _entries(folder, links=True))


def told(strays: list[Stray]) -> list[str]:
    """What lies where nobody grades it, a sentence for each kind, without the full stop."""
    kinds: dict[str, list[str]] = {}
    for stray in strays:
        kinds.setdefault(stray.kind, []).append(shown(stray.path))
    return [_WORDS[kind][len(names) > 1].format(listed(names)) for kind, names in kinds.items()]


def hint() -> str:
    """What to do with what lies elsewhere."""
    return (
        "A submission belongs in submitted/STUDENT/UNIT/, where STUDENT is an id of students.csv. Move a download (of "
        f"Moodle or Canvas, folder or zip) out of submitted and take it in: {typed('collect --from FOLDER')}"
    )


def _student(folder: Path, name: str, units: Collection[str]) -> tuple[list[str], list[Stray]]:
    own: list[str] = []
    strays: list[Stray] = []
    files = False
    for entry in _entries(folder, links=True):
        inside = f"{name}/{entry.name}"
        if not entry.is_dir():
            files = True
            strays += _loose(entry, inside)
        elif entry.name in units:
            own.append(entry.name)
        elif any(deeper.name in units and deeper.is_dir() for deeper in _entries(Path(entry))):
            strays.append(Stray(inside, TOO_DEEP))
        elif _holds(Path(entry)):
            strays.append(Stray(inside, NOT_A_UNIT))
    if own or any(stray.kind == TOO_DEEP for stray in strays):
        return own, strays
    if strays:  # one line for a student
        return own, [Stray(name, NO_UNIT)]
    return own, [Stray(name, NO_NOTEBOOK)] if files or _holds(folder, any_file=True) else []


def _loose(entry: os.DirEntry[str], name: str) -> list[Stray]:
    lower = entry.name.lower()
    if lower.endswith(".ipynb"):
        return [Stray(name, LOOSE)]
    return [Stray(name, ARCHIVE)] if lower.endswith(ARCHIVES) else []


def _holds(folder: Path, any_file: bool = False, depth: int = _DEPTH) -> bool:
    """Whether a notebook or an archive lies in a folder or in one of its folders."""
    for entry in _entries(folder):
        if entry.is_dir():
            if depth and _holds(Path(entry), any_file, depth - 1):
                return True
        elif any_file or _loose(entry, ""):
            return True
    return False


def _entries(folder: Path, links: bool = False) -> Iterator[os.DirEntry[str]]:
    """What is in a folder, by name: without hidden files, links, and what macOS adds to an archive."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(islice(entries, _MOST), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        hidden = entry.name.startswith(".") or entry.name in ("__MACOSX", "__pycache__")
        if not hidden and (links or not entry.is_symlink()):
            yield entry

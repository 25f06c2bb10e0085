"""What a submission may be kept from using: the reference engine, and every package that gives the answer away.

A mask names modules and programs (`checks/masked.py`). A sandbox has a stub (`absent`) in the place of each, wherever
in it the real one lies, for every program that runs there; a kernel has the stub for those that are not installed, too.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import py_compile
import re
import struct
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autodiff_lab.checks.masked import ALWAYS as ALWAYS
from autodiff_lab.checks.masked import MASKS
from autodiff_lab.checks.masked import modules as modules

ABSENT = Path(__file__).resolve().parent / "absent" / "__init__.py"
"""What stands in the place of what is masked."""


def replaced(masks: tuple[str, ...]) -> dict[str, str]:
    """For each module that is masked, installed or not: the file that a kernel loads instead."""
    return dict.fromkeys(modules(masks), str(ABSENT))


@functools.cache
def import_places() -> tuple[Path, ...]:
    """The folders that packages are imported from: those called site-packages or dist-packages on `sys.path`."""
    return tuple(Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages"))


# ------------------------------------------------------------ what is masked, on disk


@functools.cache
def covers(masks: tuple[str, ...], shown: tuple[Path, ...]) -> tuple[tuple[Path, Path], ...]:
    """For each thing below the folders `shown` that is masked: what to mount there, and where. Looked up once."""
    found = _found(shown)
    covered: list[tuple[Path, Path]] = []
    for mask in masks:
        names = (*MASKS[mask].modules, *found.described.get(mask, ()))
        for module in names:
            for place in found.places.get(module.partition(".")[0], ()):
                covered += _of(place, module)
        for archive, inside in found.archives.items():
            if any(module.partition(".")[0] in inside for module in names):
                covered.append((Path(os.devnull), archive))
        for program in MASKS[mask].programs:
            covered += [(Path(os.devnull), path) for path in found.programs.get(program, ())]
    return tuple(dict.fromkeys(covered))


def _of(place: Path, module: str) -> Iterator[tuple[Path, Path]]:
    path = place.joinpath(*module.split("."))
    if path.is_dir():
        yield ABSENT.parent, path
    if not path.parent.is_dir():
        return
    source = path.with_name(path.name + ".py")
    if source.is_file():
        yield ABSENT, source
        with contextlib.suppress(OSError, py_compile.PyCompileError):
            _compile(source)
    for compiled in ("{}.so", "{}.*.so", "{}.pyc", "__pycache__/{}.*.pyc"):
        for file in path.parent.glob(compiled.format(path.name)):
            yield Path(os.devnull), file


def _compile(source: Path) -> None:
    """Have its compiled file there now, or another process would write it later, beside what is mounted.

    One that is there and fits is not touched: what takes its place is covered in no sandbox that runs already.
    """
    compiled = Path(cache_from_source(str(source)))
    facts = source.stat()
    numbers = (0, int(facts.st_mtime) & 0xFFFFFFFF, facts.st_size & 0xFFFFFFFF)
    is_there = compiled.exists()
    if is_there and compiled.read_bytes()[:16] == MAGIC_NUMBER + struct.pack("<III", *numbers):
        return
    new = compiled.with_name(f"{compiled.name}.{os.getpid()}")
    try:
        py_compile.compile(str(source), str(new), doraise=True)
        if is_there:
            new.replace(compiled)
        else:
            compiled.hardlink_to(new)  # fails if another process was quicker
    finally:
        new.unlink(missing_ok=True)


@dataclass
class _Found:
    """What there is of all that can be masked: folders by the name of a module in them, archives, programs."""

    places: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    archives: dict[Path, frozenset[str]] = field(default_factory=dict)
    programs: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    described: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By mask, the modules of what describes itself as something that it is about."""


_NOT_FOR_PYTHON = {
    *("doc", "man", "locale", "icons", "include", "src", "zoneinfo", "fonts", "perl", "perl5", "gcc", "terminfo"),
    *("i18n", "__pycache__", "debug", "maven-repo"),
}
_ARCHIVES = (".zip", ".egg", ".whl", ".pyz")


@functools.cache
def _found(shown: tuple[Path, ...]) -> _Found:
    """Walk through the folders, but not into packages: only a folder that is none may be on the path of some Python."""
    found = _Found()
    named = {module.partition(".")[0] for mask in MASKS.values() for module in mask.modules}
    programs = {name for mask in MASKS.values() for name in mask.programs}
    folders, seen = [str(path) for path in shown], set[str]()
    while folders:
        folder = folders.pop()
        if folder in seen:
            continue
        seen.add(folder)
        try:
            with os.scandir(folder) as listing:
                entries = {entry.name: entry for entry in listing}
        except OSError:
            continue
        place = Path(folder)
        if "__init__.py" in entries:
            if place in shown:
                found.places[place.name].append(place.parent)
            continue
        for name, entry in entries.items():
            top, _, ending = name.partition(".")
            if name.endswith((".dist-info", ".egg-info")):
                _read_description(Path(entry.path), found)
                if name.partition("-")[0] in named:
                    _read_compiled(Path(entry.path), found)
            elif top in named and ((name == top and _is_package(entry)) or ending.endswith(("py", "so", "pyc"))):
                found.places[top].append(place)
            elif name.endswith(_ARCHIVES) and entry.is_file():
                found.archives[Path(entry.path)] = _in_archive(entry.path)
            elif name not in _NOT_FOR_PYTHON and entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            if name in programs and place.name in ("bin", "sbin", "games"):
                real = Path(entry.path).resolve()
                if real.name.startswith(name):  # else one program that goes by many names
                    found.programs[name].append(real)
    return found


def _is_package(entry: os.DirEntry[str]) -> bool:
    try:
        return any(name.endswith((".py", ".so", ".pyc")) for name in os.listdir(entry.path))  # noqa: PTH208
    except OSError:
        return False


def _in_archive(path: str) -> frozenset[str]:
    """The modules and packages at the top of an archive."""
    with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        return frozenset(name.partition("/")[0].removesuffix(".py") for name in archive.namelist() if ".py" in name)
    return frozenset()


def _read_description(info: Path, found: _Found) -> None:
    """What a distribution says of itself, and what is in it if a mask is about that."""
    try:
        file = next(path for path in (info / "METADATA", info / "PKG-INFO", info) if path.is_file())
        text = " ".join(re.findall(r"^(?:Name|Summary|Keywords): (.*)", _head(file), re.M))
    except (StopIteration, OSError):
        return
    for mask in (name for name, mask in MASKS.items() if mask.about and re.search(mask.about, text, re.I)):
        files = [line.split(",")[0] for name in ("RECORD", "SOURCES.txt") for line in _lines(info / name)]
        tops = {name.partition("/")[0].removesuffix(".py") for name in files if name.endswith(".py")}
        for top in sorted({*_lines(info / "top_level.txt"), *tops}):
            if top.isidentifier() and top != "autodiff_lab":
                found.described[mask].append(top)
                found.places[top].append(info.parent)


def _read_compiled(info: Path, found: _Found) -> None:
    """What the code of a masked distribution is in, where mypyc compiled it: one library beside its package."""
    own = info.name.partition("-")[0]
    for line in _lines(info / "RECORD"):
        top, _, ending = line.split(",")[0].partition(".")
        if top.endswith("__mypyc") and ending.endswith("so"):
            for mask in (name for name, mask in MASKS.items() if own in mask.modules):
                found.described[mask].append(top)
                found.places[top].append(info.parent)


def _head(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(4000)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", "replace").split("\n")
    except OSError:
        return []


# ------------------------------------------------------------ what a unit keeps out of reach


@dataclass(frozen=True)
class Masks:
    """What a unit's source says: names of masks for everything, and what single exercises allow all the same."""

    unit: tuple[str, ...] = ()
    allows: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, exercise: str | None) -> tuple[str, ...]:
        """The masks of the kernel for an exercise; None: for what belongs to no exercise."""
        allowed = self.allows.get(exercise or "", ())
        return tuple(mask for mask in self.unit if mask not in allowed)


def read_masks(text: Path) -> Masks:
    """The masks of a unit, from the first lines of the cells in its text source; none if there is no such file.

    A submission carries the same metadata, and may have changed it.
    """
    if not text.is_file():
        return Masks()
    unit: tuple[str, ...] = ()
    allows = {}
    for head in re.findall(r"^# %% (.*)$", text.read_text(encoding="utf-8"), re.M):
        facts = dict(_metadata(head))
        unit = tuple(facts.get("unit", {}).get("masks", unit))
        allowed = facts.get("exercise", {}).get("allows")
        if allowed:
            allows[facts["nbgrader"]["grade_id"]] = tuple(allowed)
    return Masks(unit, allows)


def masks_of(notebook: NotebookNode) -> Masks:
    """The masks of a unit by its built notebook, in which the same metadata stand."""
    facts = [cell.metadata for cell in notebook.cells]
    allows = {f.nbgrader.grade_id: tuple(f.exercise.allows) for f in facts if f.get("exercise", {}).get("allows")}
    return Masks(tuple(facts[0].get("unit", {}).get("masks", ())) if facts else (), allows)


def _metadata(head: str) -> Iterator[tuple[str, Any]]:
    """The key={...} of a cell's first line."""
    for match in re.finditer(r"(?:^|\s)(unit|exercise|nbgrader)=(?=\{)", head):
        with contextlib.suppress(ValueError):
            yield match.group(1), json.JSONDecoder().raw_decode(head, match.end())[0]

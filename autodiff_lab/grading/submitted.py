"""The one way to the files that a submission brings: nothing else opens, reads or copies what lies in its folder.

A folder is a student's unit in one of nbgrader's steps (`submitted/STUDENT/UNIT`, and what was copied of it). Only
regular files are opened, within a size and with no other name, and no link is followed: neither that folder, nor the
student's, nor anything below may be one. A link could lead to the course's sources, and a pipe would be read for ever.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import nbformat
from nbformat import NotebookNode

ENTRY_LIMIT = 2_000
DEPTH = 3
FILE_LIMIT = 200 * 2**20
STAMP, STAMP_LIMIT = "timestamp.txt", 1_000
GRADED_LIMIT = 2**28
"""Bytes of a notebook that grading wrote, outputs and all."""

_HAS_FOLDER_NUMBERS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0)


class Refused(Exception):
    """Why a file of a submission is not opened."""


@dataclass
class Found:
    """The regular files of a folder, by their names relative to it, in order; and what else lies there."""

    files: list[PurePath] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@contextlib.contextmanager
def open_file(folder: Path, name: PurePath | str, limit: int = FILE_LIMIT) -> Iterator[BinaryIO]:
    """A file of a submission, for reading. Raises Refused for a link, for what is not a file or is larger."""
    number = _open(folder, PurePath(name))
    try:
        state = os.fstat(number)
        if not stat.S_ISREG(state.st_mode):
            raise Refused("it is not a file")
        if state.st_nlink > 1:
            raise Refused("it is a hard link: the same file has another name, which may lie anywhere")
        if state.st_size > limit:
            raise Refused(f"it has {_size(state.st_size)}, more than {_size(limit)}")
        with os.fdopen(number, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(number)


def read(folder: Path, name: PurePath | str, limit: int = FILE_LIMIT) -> bytes:
    """The content of a file. Raises Refused."""
    with open_file(folder, name, limit) as file:
        try:
            content = file.read(limit + 1)
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror})") from None
    if len(content) > limit:  # it grows
        raise Refused(f"it has more than {_size(limit)}")
    return content


def copy(folder: Path, name: PurePath | str, target: Path, limit: int = FILE_LIMIT) -> None:
    """Copy a file's content, and nothing else of it, to the path `target`. Raises Refused, or OSError for `target`."""
    with open_file(folder, name, limit) as file:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as copied:
            shutil.copyfileobj(file, copied)


def notebook(folder: Path, name: str, limit: int = GRADED_LIMIT) -> NotebookNode:
    """A notebook that grading wrote. Raises Refused, or what nbformat raises for one that somebody has damaged."""
    return nbformat.reads(read(folder, name, limit).decode(), as_version=4)


def has(folder: Path, name: str) -> bool:
    """Whether a file is there that can be opened."""
    with contextlib.suppress(Refused), open_file(folder, name, GRADED_LIMIT):
        return True
    return False


def stamp(folder: Path) -> str | None:
    """What `timestamp.txt` says; None if there is none that can be read, or it does not look like a time."""
    try:
        text = read(folder, STAMP, STAMP_LIMIT).decode(errors="replace").strip()
    except Refused:
        return None
    # Who reads a time opens the file of its time zone, by its name: it must not be a path.
    return text if re.fullmatch(r"[\w:.+-]+( [\w:.+-]+( [\w+-]+(/[\w+-]+)*)?)?", text) else None


def walk(folder: Path, depth: int = DEPTH, most: int = ENTRY_LIMIT) -> Found:
    """What lies in a folder: files `depth` folders deep. Hidden ones and caches are not looked at."""
    found = Found()
    queue = [PurePath()]
    while queue:
        here = queue.pop(0)
        try:
            entries = _entries(folder, here)
        except Refused:
            found.left_out.append(here.as_posix())
            continue
        for name, mode in entries:
            path = here / name
            if name.startswith(".") or name in ("__pycache__", "__MACOSX"):
                continue
            if stat.S_ISDIR(mode):
                if len(path.parts) < depth:
                    queue.append(path)
            elif stat.S_ISREG(mode):
                found.files.append(path)
            else:
                found.left_out.append(path.as_posix())
            if len(found.files) + len(found.left_out) >= most:
                found.left_out.append(f"all but {most} files")
                return found
    return found


def is_folder(folder: Path, name: str = "") -> bool:
    """Whether the folder, or one of that name in it, is there and no link leads to it."""
    try:
        _entries(folder, PurePath(name))
    except Refused:
        return False
    return True


def fingerprint(folder: Path, leave_out: tuple[str, ...] = (STAMP,)) -> str:
    """Hash of the names and contents of all that grading would look at in a folder."""
    digest = hashlib.sha256()
    found = walk(folder)
    for path in found.files:
        name = path.as_posix()
        if name in leave_out:
            continue
        try:
            with open_file(folder, path) as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        except (Refused, OSError) as why:
            content = str(why)
        digest.update(f"{name}\0{content}\0".encode("utf-8", "surrogateescape"))
    digest.update("\0".join(found.left_out).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _open(folder: Path, name: PurePath) -> int:
    if not name.parts or name.is_absolute() or ".." in name.parts:
        raise Refused("it is not the name of a file in the folder")
    try:
        if not _HAS_FOLDER_NUMBERS:
            return os.open(_unlinked(folder, name), _FILE)
        with _opened(folder, name.parent) as above:
            return os.open(name.name, _FILE, dir_fd=above)
    except OSError as error:
        raise _why(error) from None


def _entries(folder: Path, below: PurePath) -> list[tuple[str, int]]:
    """The names in a folder, sorted, and what they are; links are not followed."""
    try:
        with contextlib.ExitStack() as stack:
            numbers = _HAS_FOLDER_NUMBERS
            place: Any = stack.enter_context(_opened(folder, below)) if numbers else _unlinked(folder, below)
            with os.scandir(place) as entries:
                return sorted((entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in entries)
    except OSError as error:
        raise _why(error) from None


@contextlib.contextmanager
def _opened(folder: Path, below: PurePath) -> Iterator[int]:
    """The number of an open folder. From the student's folder on no part of the path may be a link."""
    number = os.open(folder.parent, _FOLDER)
    try:
        for part in (folder.name, *below.parts):
            deeper = os.open(part, _FOLDER, dir_fd=number)
            os.close(number)
            number = deeper
        yield number
    finally:
        os.close(number)


def _unlinked(folder: Path, below: PurePath) -> Path:
    """The path, where folders cannot be opened (Windows): each part is looked at instead."""
    path = folder.parent
    for part in ("", folder.name, *below.parts):
        path = path / part
        if path.is_symlink() or getattr(path, "is_junction", lambda: False)():
            raise Refused("it is a link")
    return path


def _why(error: OSError) -> Refused:
    if error.errno == errno.ELOOP:
        return Refused("it is a link")
    if error.errno == errno.ENOTDIR:
        return Refused("a link leads to it, or a file")
    return Refused(f"it cannot be opened ({error.strerror})")


def _size(number: int) -> str:
    return f"{number / 2**20:.0f} MB" if number >= 2**20 else f"{number} bytes"

"""Writes in one step what lies in several places, and waits where that cannot be done yet.

What is to be recorded is first put together in one folder. Renaming this folder is the moment at which it is decided:
before it nothing has changed, and from then on everything will, whoever is killed in between. The steps may be carried
out more than once.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import OperationalError

from autodiff_lab.errors import UserError, typed

T = TypeVar("T")

FULL = {errno.ENOSPC, errno.EDQUOT}
BUSY = {errno.EAGAIN, errno.EBUSY, errno.EIO, errno.ENOLCK, errno.ESTALE, errno.EMFILE, errno.ENFILE}


class Journal:
    """One place for one record. There is one writer, and it finishes what it has begun before it begins another."""

    def __init__(self, folder: Path) -> None:
        self.entry = folder / ".recording"
        self._part = folder / ".recording.part"

    def pending(self) -> bool:
        """Whether something was decided and not finished."""
        return self.entry.is_dir()

    def decide(self, build: Callable[[Path], None]) -> None:
        """Have `build(folder)` put everything into a folder; from the return of this on it is to be carried out."""
        if self.pending():
            raise RuntimeError(f"{self.entry} has not been finished.")
        _remove(self._part)
        self._part.mkdir(parents=True)
        try:
            build(self._part)
            for file in self._part.rglob("*"):
                if file.is_file() and not file.is_symlink():
                    _sync(file)
            self._part.replace(self.entry)
        except BaseException:
            _remove(self._part)
            raise
        with contextlib.suppress(OSError):  # it is decided, come what may
            _sync(self.entry.parent)

    def clear(self) -> None:
        """Forget the record: it is finished, or will never be."""
        if self.pending():
            _remove(self._part)
            self.entry.replace(self._part)
        _remove(self._part)


def swap(new: Path, target: Path) -> None:
    """Put the folder `new` in the place of `target`; if it is gone, this was done before."""
    old = target.with_name(f".{target.name}.old")
    if new.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            _remove(old)
            target.replace(old)
        new.replace(target)
    _remove(old)


def merge(new: Path, target: Path) -> None:
    """Make the folder `target` what `new` is, file by file: each is the old one or the new one at any time."""
    names = {path.relative_to(new) for path in new.rglob("*") if path.is_file()}
    for name in sorted(names):
        goal = target / name
        if goal.is_dir() and not goal.is_symlink():
            shutil.rmtree(goal)
        goal.parent.mkdir(parents=True, exist_ok=True)
        (new / name).replace(goal)
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with contextlib.suppress(OSError):  # something is in it
                path.rmdir()
        elif path.relative_to(target) not in names:
            path.unlink()


def write(path: Path, content: str | bytes) -> None:
    """Write a file so that it is the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_bytes(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
        _sync(fresh)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _sync(path: Path) -> None:
    with contextlib.suppress(PermissionError):  # a folder on Windows; a file that nobody may open for reading
        number = os.open(path, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # not every file system can
                os.fsync(number)
        finally:
            os.close(number)


# ---------------------------------------------------------------- waiting


def passing(error: BaseException | None) -> str | None:
    """In words, why a write failed that will work later; None if waiting does not help."""
    seen = set()
    while error is not None and not isinstance(error, UserError) and id(error) not in seen:
        seen.add(id(error))
        text = str(error)
        if isinstance(error, OperationalError):
            if "locked" in text:
                return "another program has the gradebook locked"
            if "full" in text:
                return "the disk is full"
            return f"the gradebook cannot be written ({str(error.orig).strip()})"
        if isinstance(error, OSError):
            numbers = {error.errno}
            if isinstance(error, shutil.Error):  # it holds what went wrong with each file in words only
                numbers = {number for number in FULL | BUSY if f"[Errno {number}]" in text}
            if numbers & FULL:
                return "the disk is full"
            if numbers & BUSY:
                return f"the course folder cannot be written ({error.strerror or text})"
        error = error.__cause__ or error.__context__
    return None


def patiently(action: Callable[[], T], patience: float, say: Callable[[str], None] | None = None) -> T:
    """Do something until it works; raises UserError if it has not after `patience` seconds. Tells once why it waits.

    Errors that waiting does not mend are raised at once.
    """
    say = say or (lambda text: print(text, file=sys.stderr, flush=True))
    begun, pause, told = time.monotonic(), 0.1, False
    while True:
        try:
            with _nbgraders_log_off():
                value = action()
        except Exception as error:
            reason = passing(error)
            if reason is None:
                raise
            if time.monotonic() - begun >= patience:
                raise UserError(
                    f"{reason}, for {patience / 60:.3g} minutes now.",
                    f"fix that and run {typed('grade --resume')}: what has been graded is kept.",
                ) from error
            if not told:
                say(f"Waiting: {reason}. Nothing is lost; grading goes on by itself when it can.")
                told = True
            time.sleep(pause)
            pause = min(2 * pause, 5.0)
        else:
            if told:
                say("Going on.")
            return value


@contextlib.contextmanager
def _nbgraders_log_off() -> Iterator[None]:
    # It logs a traceback for every write that a lock refuses.
    log = logging.getLogger("tornado.application")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before

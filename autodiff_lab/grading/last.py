"""The last run of `grade`, and whether anything has been touched since: if nothing has, its results still hold.

Nothing of nbgrader is needed to find that out. Files are compared by their stamps (size, times, inode), which change
with each write; where one has changed, `grade` itself looks at what is in them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autodiff_lab.grading import audit
from autodiff_lab.grading.results import MISSING, NOT_GRADED, Result
from autodiff_lab.grading.versions import environment

_TICK = 0.02
"""Seconds within which two writes may have one time, by the clock of a file system."""


@dataclass
class LastRun:
    """What `grade` found: results, names of the students, and what lies where it does not look, in words."""

    results: list[Result]
    names: dict[str, str]
    strays: list[str]


def remember(course: Path, asked: dict[str, Any], watched: list[Path], run: LastRun) -> None:
    """Keep what a run found. `asked`: what was to be graded, and how; `watched`: files and folders that decide it."""
    file = _file(course)
    if not watched or any(result.status == NOT_GRADED for result in run.results):
        file.unlink(missing_ok=True)
        return
    try:
        newest = max((about.st_ctime for _, about in _stamps(watched)), default=0.0)
        time.sleep(min(_TICK, max(0.0, newest + _TICK - time.time())))
        kept = {"asked": asked, "watched": [str(path) for path in watched], "state": _state(watched), **asdict(run)}
        file.parent.mkdir(exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.touch(mode=0o600)  # it holds marks
        fresh.write_bytes(json.dumps(kept, ensure_ascii=False).encode("utf-8", "backslashreplace"))
        fresh.replace(file)
    except OSError:  # a folder that may not be read, a full disk: the next run looks at everything
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def recall(course: Path, asked: dict[str, Any], resume: bool) -> LastRun | None:
    """What `grade` would find if it ran again without running anything; None if it has to run.

    Without `resume` everything that was submitted is run again, so only a class without submissions is recalled.
    """
    try:
        kept = json.loads(_file(course).read_text(encoding="utf-8"))
        if kept["asked"] != asked or kept["state"] != _state([Path(path) for path in kept["watched"]]):
            return None
        run = LastRun([Result.from_dict(result) for result in kept["results"]], kept["names"], kept["strays"])
    except (OSError, ValueError, KeyError, TypeError):  # none, or one of another version
        return None
    if not resume and any(result.status != MISSING for result in run.results):
        return None
    audit.append(
        course / "reports" / "audit.jsonl",
        {"time": audit.now(), "event": "nothing has changed", "submissions": len(run.results)},
    )
    return run


def _file(course: Path) -> Path:
    return course / "reports" / ".last_run.json"


def _state(watched: list[Path]) -> str:
    found = hashlib.sha256(json.dumps(environment(), sort_keys=True).encode())
    for name, about in _stamps(watched):
        stamp = (about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino)
        found.update(f"{name}\0{stamp}\0".encode("utf-8", "surrogateescape"))
    return found.hexdigest()


def _stamps(watched: list[Path]) -> Iterator[tuple[str, os.stat_result]]:
    """Of these files and all that is in these folders, in the same order each time; links in them are not followed."""
    for path in watched:
        if path.exists():
            yield str(path), path.stat()
            folders = [str(path)] if path.is_dir() else []
            while folders:  # they may be nested deeper than Python calls itself
                with os.scandir(folders.pop()) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
                for entry in found:
                    yield entry.path, entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
                        folders.append(entry.path)

"""Reads a notebook file of any age and in any state: its cells, or why it is none. Knows nothing of the unit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from autodiff_lab.grading import submitted
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.notes import Note, clean, shown

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

FILE_LIMIT = 256 * 2**20
"""Bytes of one notebook file; what it printed counts here, and is dropped while the file is read."""
LARGE = 8 * 2**20
VALUES_LIMIT = 3_000_000
MEMORY, CPU_S, WALL_S = 1_500_000_000, 60, 600
"""What reading a file of more than LARGE bytes may take of its process."""
SOURCE_LIMIT = 10 * 2**20
CELL_LIMIT = 5_000
ATTACHMENT_LIMIT = 20 * 2**20


@dataclass(eq=False)
class Cell:
    """A cell as it was handed in. `of`: the place of the cell of the release that it is."""

    kind: str
    source: str
    id: str | None = None
    marks: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)
    of: int | None = None
    by_mark: bool = False


@dataclass
class HandedIn:
    """The cells of a notebook file, and what was put right to read them."""

    cells: list[Cell]
    notes: list[Note] = field(default_factory=list)


class Unreadable(Exception):
    """Why a file is no notebook, in words."""


def read_file(folder: Path, name: PurePath | str) -> HandedIn:
    """Read a notebook file of a submission. Raises Unreadable for whatever is in it, and never anything else."""
    try:
        data = submitted.read(folder, name, FILE_LIMIT)
    except submitted.Refused as why:
        raise Unreadable(str(why)) from None
    return read_bytes(data)


def read_bytes(data: bytes) -> HandedIn:
    """Read the bytes of a notebook file, of any nbformat. Raises Unreadable, and never anything else.

    A large one is read in a process of its own, with limits: it can take ten times its size.
    """
    return _read(data) if len(data) <= LARGE else _read_apart(data)


def _read_apart(data: bytes) -> HandedIn:
    paths = [str(PACKAGE_PARENT), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-P", "-m", "autodiff_lab.grading.handed_in"]
    try:
        done = subprocess.run(command, input=data, capture_output=True, env=env, timeout=WALL_S)
        told = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):  # it was killed, or its time was over
        raise Unreadable("not a notebook: it takes too much memory or time to read") from None
    if "unreadable" in told:
        raise Unreadable(told["unreadable"])
    return HandedIn([Cell(**cell) for cell in told["cells"]], [Note(*note) for note in told["notes"]])


def main() -> None:
    """In a process with limits: read a notebook from stdin, and print what `read_bytes` is to give, as JSON."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    told: dict[str, Any]
    try:
        found = _read(sys.stdin.buffer.read())
        told = {"cells": [vars(cell) for cell in found.cells], "notes": [[n.kind, n.about] for n in found.notes]}
    except Unreadable as why:
        told = {"unreadable": str(why)}
    except MemoryError:
        told = {"unreadable": "not a notebook: it needs too much memory"}
    print(json.dumps(told))


def _read(data: bytes) -> HandedIn:
    notes: list[Note] = []
    text = _decode(data, notes)
    del data
    if not text.strip():
        raise Unreadable("the file is empty")
    # Without strings each of these is a value, which takes ten times as much memory as it takes here. Lists of strings,
    # of which nothing but commas is left then, are what was printed.
    bones = re.sub(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|\s++', "", text, flags=re.S)
    values = sum(map(re.sub(",{2,}+", "", bones).count, "[{,"))
    if values > VALUES_LIMIT:
        raise Unreadable(f"not a notebook: it holds {values:,} values, more than {VALUES_LIMIT:,}")
    del bones
    try:
        notebook = _loads(text)
    except RecursionError:
        raise Unreadable("not a notebook: it is nested too deeply") from None
    except MemoryError:
        raise Unreadable("not a notebook: it needs too much memory") from None
    except ValueError as error:
        if re.search(r"^(<{7}|>{7})", text, re.M):
            raise Unreadable("not a notebook: it holds the marks of a merge (<<<<<<<)") from None
        raise Unreadable(f"not a notebook: {shown(str(error))}") from None
    del text
    return from_data(notebook, notes)


def _decode(data: bytes, notes: list[Note]) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        notes.append(Note("encoding", "UTF-16"))
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        notes.append(Note("encoding", "some bytes are not UTF-8"))
        return data.decode("utf-8-sig", "replace")


def _loads(text: str) -> Any:
    try:
        return json.loads(text, object_hook=_without_outputs)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a number with thousands of digits; no number of a notebook matters here
        return json.loads(text, object_hook=_without_outputs, parse_int=lambda digits: int(digits[:20]))


def _without_outputs(found: dict[str, Any]) -> dict[str, Any]:
    if "cell_type" in found:
        found.pop("outputs", None)
    return found


def from_data(notebook: Any, notes: list[Note] | None = None) -> HandedIn:
    """The cells of parsed JSON, whatever it is. Raises Unreadable, and never anything else."""
    notes = notes if notes is not None else []
    if not isinstance(notebook, dict):
        raise Unreadable("not a notebook: it is JSON, but no notebook")
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        sheets = notebook.get("worksheets")
        if not isinstance(sheets, list):
            raise Unreadable("not a notebook: it has no list of cells")
        cells = [cell for sheet in sheets if isinstance(sheet, dict) for cell in _list(sheet.get("cells"))]
        notes.append(Note("old format", f"version {shown(str(notebook.get('nbformat')))}"))
    if len(cells) > CELL_LIMIT:
        raise Unreadable(f"it has {len(cells)} cells, more than {CELL_LIMIT}")
    found = [cell for cell in map(_cell, cells) if cell is not None]
    if len(found) < len(cells):
        notes.append(Note("damaged", f"{len(cells) - len(found)} of {len(cells)} cells"))
    if sum(len(cell.source) for cell in found) > SOURCE_LIMIT:
        raise Unreadable(f"its cells hold more than {SOURCE_LIMIT // 2**20} MB of text")
    if sum(len(d) for cell in found for a in cell.attachments.values() for d in a.values()) > ATTACHMENT_LIMIT:
        notes.append(Note("left out", f"pictures of more than {ATTACHMENT_LIMIT // 2**20} MB"))
        for cell in found:
            cell.attachments = {}
    kernel = _dict(_dict(notebook.get("metadata")).get("kernelspec"))
    language = str(kernel.get("language") or kernel.get("name") or "python")
    if "python" not in language.lower():
        notes.append(Note("kernel", str(kernel.get("display_name") or language)))
    return HandedIn(found, notes)


def _cell(data: Any) -> Cell | None:
    if not isinstance(data, dict):
        return None
    kind = data.get("cell_type")
    source = _text(data.get("source", data.get("input", "")))
    if source is None:
        return None
    if kind == "heading":  # nbformat 3
        level = data.get("level")
        kind, source = "markdown", f"{'#' * (level if level in (1, 2, 3, 4, 5, 6) else 1)} {source}"
    if kind not in ("code", "markdown", "raw"):
        kind = "raw"
    meta = _dict(data.get("metadata"))
    name = data.get("id")
    return Cell(
        kind,
        clean(source),
        name if isinstance(name, str) and re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) else None,
        {key: value for key, value in _dict(meta.get("nbgrader")).items() if isinstance(key, str)},
        [tag for tag in _list(meta.get("tags")) if isinstance(tag, str)],
        _attachments(data.get("attachments")) if kind == "markdown" else {},
    )


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return None


def _attachments(value: Any) -> dict[str, dict[str, str]]:
    found = {}
    for name, bundle in _dict(value).items():
        kept = {k: t for k, v in _dict(bundle).items() if k.startswith("image/") and (t := _text(v)) is not None}
        if kept:
            found[clean(name)] = {clean(kind): clean(text) for kind, text in kept.items()}
    return found


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


if __name__ == "__main__":
    main()

"""What was handed in, as a notebook that matches the release: reads a folder, finds the notebook, puts its cells right.

Nothing is run and no gradebook is asked. `take_in` never raises: what cannot be read has a status, and what was put
right is a list of notes, in words for the teacher and for the student (who gets them beforehand from `check`).
"""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import json
import os
import re
import shutil
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autodiff_lab.grading.build import HEADING, is_solution, is_test, read_text, release_steps, source_notebook
from autodiff_lab.grading.course import NOTES
from autodiff_lab.grading.results import AMBIGUOUS, GRADED, MISSING, UNREADABLE, WRONG_UNIT

FILE_LIMIT = 256 * 2**20
"""Bytes of one notebook file; what it printed counts here, and is dropped while the file is read."""
SOURCE_LIMIT = 10 * 2**20
CELL_LIMIT = 5_000
ATTACHMENT_LIMIT = 20 * 2**20
HELPERS_LIMIT = 200 * 2**20
ENTRY_LIMIT = 2_000
_DEPTH = 3
_LONGEST_COMPARED, _LONGEST_PARSED, _MOST_COPIES = 4_000, 20_000, 50

WORDS: dict[str, tuple[str, str]] = {
    # kind: (for the teacher, for the student); {} stands for the cells or names
    "deleted": (
        "deleted cells put back: {}",
        "{} was deleted; it was put back for this check, and grading does the same",
    ),
    "answer deleted": (
        "answer cells deleted: {}",
        "the answer cell {} was deleted: without it the exercise has no points; "
        "copy it back from a fresh notebook of the unit",
    ),
    "edited": (
        "changed cells put back as given out: {}",
        "{} was changed; it was run as it was given out, and grading does the same",
    ),
    "retyped": (
        "cells turned into another kind and turned back: {}",
        "{} was turned into another kind of cell; it counts as what it was",
    ),
    "marks": (
        "changed points or marks put back: {}",
        "the points or marks of {} were changed; those given out count",
    ),
    "tags": ("added tags dropped: {}", "tags were added to {}; grading drops them"),
    "reattached": (
        "nbgrader's metadata was lost, and found again by id, text or place: {}",
        "an editor removed the course's metadata from {}; it was recognised all the same, "
        "but open the unit with JupyterLab if you can",
    ),
    "foreign": (
        "cells with a mark that the unit does not have, run as ordinary cells: {}",
        "{} is no exercise of this unit; its cell is run as an ordinary one",
    ),
    "copies": (
        "several copies of an answer, the last changed one counts: {}",
        "the answer {} is there twice; the last changed one counts",
    ),
    "joined": (
        "answers in several cells, joined in their order: {}",
        "the answer {} stands in several cells; they count as one, in their order",
    ),
    "test copies": (
        "copies of given cells left out: {}",
        "{} is there twice; it is run once",
    ),
    "above": (
        "tests that stood above their answer, run below it: {}",
        "{} stands above its answer; grading runs it below",
    ),
    "moved": (
        "cells in another order, run from top to bottom as they stand: {}",
        "{} stands at another place than it was given out; grading runs from top to bottom, "
        "so try Run > Restart Kernel and Run All Cells",
    ),
    "kernel": (
        "the notebook asks for another kernel, Python ran it: {}",
        "the notebook asks for the kernel {}; choose Python 3 (Kernel > Change Kernel)",
    ),
    "encoding": (
        "the file's encoding was put right: {}",
        "the file is not plain UTF-8 ({}); save it once more with JupyterLab",
    ),
    "old format": (
        "an old notebook format was read: {}",
        "the file has an old format ({}); save it once more with JupyterLab",
    ),
    "damaged": (
        "parts that are no cells or no text left out: {}",
        "parts of the file are damaged and were left out: {}",
    ),
    "unknown": (
        "nothing of what was given out was found in it: {}",
        "nothing of what was given out is in {}; begin with a fresh notebook of the unit",
    ),
    "renamed": (
        "found under another name: {}",
        "the notebook is called {}; hand it in under the name it was given out with",
    ),
    "spare": (
        "other notebooks that change nothing (copies, older states, other units, unreadable): {}",
        "{} lies beside the notebook and is not graded; move it away before you hand in",
    ),
    "rival": (
        "another notebook of this unit with other answers: {}",
        "{} has other answers than the notebook beside it: nobody could tell which counts. "
        "Remove one before you hand in",
    ),
    "shadow": (
        "files with the name of a package not used, the package is: {}",
        "{} has the name of a package; grading uses the package. Rename your file",
    ),
    "left out": (
        "links, devices and what is too large not taken: {}",
        "{} is a link, a device or too large, and is not handed in",
    ),
}
"""Every kind of note."""


@dataclass(frozen=True)
class Note:
    """One thing that was put right: its kind (a key of `WORDS`), and the cell or name it is about."""

    kind: str
    about: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", shown(self.about))


def for_teacher(notes: Iterable[Note]) -> str:
    """The notes in one line."""
    return "; ".join(WORDS[kind][0].format(_listed(names)) for kind, names in _grouped(notes).items())


def for_student(notes: Iterable[Note]) -> list[str]:
    """The notes as sentences to a student, without the full stop."""
    return [WORDS[kind][1].format(_listed(names)) for kind, names in _grouped(notes).items()]


def _grouped(notes: Iterable[Note]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for note in notes:
        names = kinds.setdefault(note.kind, [])
        if note.about not in names:
            names.append(note.about)
    return kinds


def _listed(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def shown(name: str) -> str:
    """A name that somebody else chose, safe to print and to store: no control characters, no halves, 80 characters."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in clean(name))
    return text if len(text) <= 80 else text[:79] + "…"


def clean(text: str) -> str:
    """`text` with `\\n` for line ends, and without what no file could hold (halves of characters, NUL)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not text.isascii() else text


# ---------------------------------------------------------------- the release


@dataclass
class Release:
    """A unit as it is graded, and as it was given out.

    `cells` hold the hidden tests and no solution: what nbgrader keeps in its gradebook. `given` is the text of each as
    a student got it.
    """

    unit: str
    cells: list[NotebookNode]
    given: list[str]
    metadata: NotebookNode

    @classmethod
    def of(cls, notebook: NotebookNode, unit: str) -> Release:
        """Of a release notebook: all that a student has."""
        return cls(unit, notebook.cells, [cell.source for cell in notebook.cells], notebook.metadata)

    @classmethod
    def of_source(cls, text: Path, unit: str, config: Any = None) -> Release:
        """Of a unit's text file, by nbgrader's own steps. Raises BuildError."""
        kept: list[NotebookNode] = []

        class Keep:
            def __init__(self, **options: Any) -> None:
                pass

            def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
                kept.append(copy.deepcopy(nb))
                return nb, resources

        notebook, resources = source_notebook(read_text(text), unit), {}
        for step in release_steps(Keep):
            notebook, resources = step(**({"config": config} if config is not None else {})).preprocess(
                notebook, resources
            )
        (graded,) = kept
        return cls(unit, graded.cells, [cell.source for cell in notebook.cells], graded.metadata)

    @cached_property
    def by_grade_id(self) -> dict[str, int]:
        """Places of the cells that grading knows: answers, tests, and what is given and locked."""
        return {name: i for i, cell in enumerate(self.cells) if (name := grade_id(cell)) is not None}

    @cached_property
    def by_id(self) -> dict[str, int]:
        """Places by the cell ids of nbformat 4.5."""
        return {cell.id: i for i, cell in enumerate(self.cells) if "id" in cell}

    @cached_property
    def by_source(self) -> dict[str, int]:
        """Places by text; what stands in two cells stands for neither."""
        found: dict[str, int] = {}
        twice: set[str] = set()
        for index, source in enumerate(self.given):
            key = _key(source)
            if key in found:
                twice.add(key)
            found[key] = index
        return {key: index for key, index in found.items() if key and key not in twice}

    def answer_of(self, index: int) -> int | None:
        """The place of the answer cell of the test at `index`."""
        return self.by_grade_id.get((grade_id(self.cells[index]) or "").removeprefix("test-"))

    def name(self, index: int) -> str:
        """What notes call a cell."""
        return grade_id(self.cells[index]) or f"cell {index + 1}"

    def is_locked(self, index: int) -> bool:
        """Whether a student may not change it."""
        return bool(self.cells[index].metadata.get("nbgrader", {}).get("locked")) or is_test(self.cells[index])

    def is_written(self, index: int) -> bool:
        """Whether it is an answer in words, which a person marks."""
        return is_solution(self.cells[index]) and self.cells[index].cell_type == "markdown"


def grade_id(cell: NotebookNode) -> str | None:
    """nbgrader's name of a cell of the release, or None."""
    found = cell.metadata.get("nbgrader", {}).get("grade_id")
    return found if isinstance(found, str) else None


_releases: dict[tuple[Any, ...], Release] = {}


def release_of(text: Path, unit: str, config: Any = None) -> Release:
    """`Release.of_source`, kept until the file changes: a worker grades many submissions of a unit."""
    state = text.stat()
    key = (str(text), state.st_mtime_ns, state.st_size, repr(config))
    if key not in _releases:
        _releases[key] = Release.of_source(text, unit, config)
    return _releases[key]


def other_releases(source_folder: Path) -> Iterator[Release]:
    """The course's other units as they were given out, as far as they are built; `source_folder` is this one's."""
    for folder in sorted(source_folder.parent.iterdir()):
        file = source_folder.parents[1] / "release" / folder.name / f"{folder.name}.ipynb"
        if folder.name == source_folder.name or not file.is_file():
            continue
        key = (str(file), file.stat().st_mtime_ns)
        if key not in _releases:
            _releases[key] = Release.of(nbformat.read(file, as_version=4), folder.name)
        yield _releases[key]


def _key(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().split("\n"))


# ---------------------------------------------------------------- reading a file


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


def read_file(path: Path) -> HandedIn:
    """Read a notebook file. Raises Unreadable for whatever is in it, and never anything else."""
    try:
        # A device, a pipe or a link never gets past this: reading one could take for ever, or read another's file.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise Unreadable("it is a link" if path.is_symlink() else f"it cannot be opened ({error.strerror})") from None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise Unreadable("it is not a file")
        if state.st_size > FILE_LIMIT:
            raise Unreadable(f"it has {state.st_size / 2**20:.0f} MB, more than {FILE_LIMIT // 2**20}")
        try:
            data = file.read(FILE_LIMIT + 1)
        except OSError as error:
            raise Unreadable(f"it cannot be read ({error.strerror})") from None
    return read_bytes(data)


def read_bytes(data: bytes) -> HandedIn:
    """Read the bytes of a notebook file, of any nbformat. Raises Unreadable, and never anything else."""
    notes: list[Note] = []
    text = _decode(data, notes)
    del data
    if not text.strip():
        raise Unreadable("the file is empty")
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
        return json.loads(text, object_hook=_without_outputs, parse_int=lambda digits: 0)


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


# ---------------------------------------------------------------- matching cells with the release


def match(handed_in: HandedIn, release: Release) -> tuple[NotebookNode, list[Note]]:
    """A notebook that has every graded and locked cell of the release once, and else the student's cells as they stand.

    Answers are the student's; text, metadata and points of everything that a student may not change are the release's.
    Never raises.
    """
    cells = [copy.copy(cell) for cell in handed_in.cells]
    notes = [*handed_in.notes, *_recognise(cells, release)]
    places: dict[int, list[int]] = {}
    for place, cell in enumerate(cells):
        if cell.of is not None:
            places.setdefault(cell.of, []).append(place)
    fixed: dict[int, NotebookNode] = {}  # by place in the submission
    gone: set[int] = set()
    behind: dict[int, NotebookNode] = {}  # tests that stand behind an answer
    stands: dict[int, int] = {}  # of the release's cells in the submission
    for index, found in places.items():
        if is_solution(release.cells[index]):
            place, source, left_out = _answer(cells, found, index, release, notes)
            stands[index] = place
            fixed[place] = _as_answer(release.cells[index], cells[place], source)
            gone |= left_out
    for index, found in places.items():
        original = release.cells[index]
        if is_solution(original):
            continue
        answer = release.answer_of(index) if is_test(original) else None
        above = stands.get(answer, -1) if answer is not None else -1
        below = [place for place in found if place > above] or found
        stands[index] = next((p for p in below if _key(cells[p].source) == _key(release.given[index])), below[0])
        if not release.is_locked(index):
            fixed[stands[index]] = _as_ordinary(original, cells[stands[index]])
            continue
        copies = [p for p in found if p != stands[index]]
        # A copy that reads differently is a student's own trial, and runs as one.
        spare = [p for p in copies if _key(cells[p].source) in ("", _key(release.given[index]))]
        gone |= set(spare)
        notes += [Note("test copies", release.name(index)) for _ in spare]
        if above > stands[index]:
            notes.append(Note("above", release.name(index)))
            gone.add(stands[index])
            behind[above] = copy.deepcopy(original)
        else:
            fixed[stands[index]] = copy.deepcopy(original)
    for index, place in stands.items():
        notes += _changes(cells[place], index, release)
    notes += _moved(stands, release)
    out: list[NotebookNode] = []
    names = {cell.id for cell in release.cells if "id" in cell}
    for place, cell in enumerate(cells):
        if place not in gone:
            out.append(fixed[place] if place in fixed else _own(cell, names))
        if place in behind:
            out.append(behind[place])
    notes += _put_back(out, release)
    notebook = nbformat.v4.new_notebook(cells=out, metadata=copy.deepcopy(release.metadata))
    unit = next((cell.metadata["unit"] for cell in release.cells if "unit" in cell.metadata), None)
    if unit is not None:
        # A student may have deleted the cell that says what the unit is, and what it allows.
        notebook.metadata["unit"] = copy.deepcopy(unit)
    ordered = list(dict.fromkeys(notes))
    notebook.metadata[NOTES] = nbformat.from_dict({"intake": [[note.kind, note.about] for note in ordered]})
    _tell_cells(out, ordered)
    return notebook, ordered


def notes_in(notebook: NotebookNode) -> list[Note]:
    """The notes that `match` left in a notebook."""
    return [Note(kind, about) for kind, about in notebook.metadata.get(NOTES, {}).get("intake", [])]


def _tell_cells(cells: list[NotebookNode], notes: list[Note]) -> None:
    by_name = {grade_id(cell): cell for cell in cells if grade_id(cell)}
    for note in notes:
        cell = by_name.get(note.about)
        if cell is not None:
            told = cell.metadata.setdefault(NOTES, nbformat.from_dict({}))
            told["intake"] = [*told.get("intake", []), note.kind]


def _recognise(cells: list[Cell], release: Release) -> list[Note]:
    """Set `of` of every cell that is one of the release: by its mark, its id, its text, its likeness, its place."""
    notes = []
    taken: set[int] = set()
    for cell in cells:
        mark = cell.marks.get("grade_id")
        if isinstance(mark, str) and mark:
            cell.of = release.by_grade_id.get(mark)
            cell.by_mark = cell.of is not None
            if cell.of is None:
                notes.append(Note("foreign", mark))
            else:
                taken.add(cell.of)
    by_id: set[int] = set()
    for cell in cells:
        index = release.by_id.get(cell.id or "")
        if cell.of is None and index is not None and index not in taken | by_id:
            cell.of = index
            by_id.add(index)
    taken |= by_id
    for cell in cells:
        index = release.by_source.get(_key(cell.source))
        # A second copy of a graded cell is one, too, marked or not; of the unit's own text it is the student's.
        if cell.of is None and index is not None and (index not in taken or index in release.by_grade_id.values()):
            cell.of = index
            taken.add(index)
    graded = [index for index in release.by_grade_id.values() if index not in taken]
    for index in graded:
        if release.is_locked(index):
            _by_likeness(cells, index, release)
    for index in graded:
        if is_solution(release.cells[index]):
            _by_names(cells, index, release) or _by_place(cells, index, release)
    for cell in cells:
        if cell.of is not None and not cell.by_mark and cell.of in release.by_grade_id.values():
            notes.append(Note("reattached", release.name(cell.of)))
    return notes


def _by_likeness(cells: list[Cell], index: int, release: Release) -> None:
    from rapidfuzz import fuzz

    given = release.given[index][:_LONGEST_COMPARED]
    free = [cell for cell in cells if cell.of is None and 0.5 <= (len(cell.source) + 1) / (len(given) + 1) <= 2]
    best = max(
        (
            (fuzz.ratio(given, cell.source[:_LONGEST_COMPARED], score_cutoff=70), -n)
            for n, cell in enumerate(free[:200])
        ),
        default=(0, 0),
    )
    if best[0]:
        free[-best[1]].of = index


_BOUND = re.compile(r"^(?:async[ ]+)?(?:def|class)[ ]+(\w+)|^(\w+)[ ]*(?::[^=\n]+)?=(?!=)", re.M)


def _names(source: str) -> set[str]:
    """The names that a code cell binds at its top level, as far as a glance shows."""
    return {name for pair in _BOUND.findall(source) for name in pair if name}


def _by_names(cells: list[Cell], index: int, release: Release) -> bool:
    if release.is_written(index):
        return False
    wanted = _names(release.given[index])
    found = [cell for cell in cells if cell.of is None and cell.kind == "code" and wanted & _names(cell.source)]
    for cell in found:
        cell.of = index
    return bool(found)


def _by_place(cells: list[Cell], index: int, release: Release) -> None:
    """The free cells between the heading above an answer and what comes next of the release."""
    if not index:
        return
    heading = release.given[index - 1].split("\n")[0]
    starts = [place for place, cell in enumerate(cells) if cell.of == index - 1]
    if not starts and heading.startswith(HEADING):
        starts = [place for place, cell in enumerate(cells) if cell.source.split("\n")[0] == heading]
    if not starts:
        return
    kinds = ("markdown", "raw") if release.is_written(index) else ("code",)
    between = []
    for cell in cells[starts[-1] + 1 :]:
        if cell.of is not None or cell.source.startswith(HEADING):
            break
        if cell.kind in kinds and cell.source.strip():
            between.append(cell)
    for cell in between if release.is_written(index) else between[-1:]:
        cell.of = index


def _answer(
    cells: list[Cell], found: list[int], index: int, release: Release, notes: list[Note]
) -> tuple[int, str, set[int]]:
    """Which of the cells `found` is the answer, its text, and which cells must not run any more."""
    name = release.name(index)
    blank = {"", _key(release.given[index])}
    changed: dict[str, int] = {}
    for place in found:
        key = _key(cells[place].source)
        if key not in blank:
            changed.setdefault(key, place)
    same = set(found) - set(changed.values())
    if len(found) > 1:
        notes.append(Note("copies", name))
    if not changed:
        # The given stub beside an emptied copy is the stub; both are no answer.
        place = next((p for p in found if _key(cells[p].source)), found[0])
        return place, cells[place].source, same - {place}
    live = sorted(changed.values())
    sources = [cells[place].source for place in live]
    if release.is_written(index):
        if len(live) > 1:
            notes[-1] = Note("joined", name)
        return live[0], "\n\n".join(sources), same | set(live[1:])
    if len(live) == 1:
        following = _continued(cells, live[0], same)
        if following:
            notes.append(Note("joined", name))
            sources += [cells[place].source for place in following]
        return live[0], "\n".join(sources), same | set(following)
    if _are_parts(sources):
        notes[-1] = Note("joined", name)
        # What stands between may need an earlier part: it runs there as well, if it is Python by itself.
        apart = {p for p, after in pairwise(live) if after != p + 1 and _is_python(cells[p].source)}
        return live[-1], "\n".join(sources), same | (set(live[:-1]) - apart)
    return live[-1], sources[-1], same


def _are_parts(sources: list[str]) -> bool:
    if len(sources) > _MOST_COPIES or not _is_python("\n".join(sources)):
        return False
    if not all(map(_is_python, sources)):
        return True
    names = [_names(source) for source in sources]
    return all(not (a & b) for i, a in enumerate(names) for b in names[:i])


def _continued(cells: list[Cell], place: int, same: set[int]) -> list[int]:
    """Cells right below an answer that a split has cut off: together they are Python, apart they are not."""
    following: list[int] = []
    sources = [cells[place].source]
    whole = _is_python(sources[0])
    for below in range(place + 1, min(place + 6, len(cells))):
        cell = cells[below]
        if below in same:
            continue
        if cell.of is not None or cell.kind != "code":
            break
        following.append(below)
        sources.append(cell.source)
        cut = not whole or cell.source[:1] in (" ", "\t") or not _is_python(cell.source)
        if cut and _is_python("\n".join(sources)):
            return following
        if not cut:
            break
    return []


def _is_python(source: str) -> bool:
    """Whether Jupyter would run it, as far as its grammar goes; what is very long is taken for Python."""
    if len(source) > _LONGEST_PARSED:
        return True
    try:
        if re.search(r"[%!?]", source):
            from IPython.core.inputtransformer2 import TransformerManager

            source = TransformerManager().transform_cell(source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<answer>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (Exception, RecursionError, MemoryError):
        return False
    return True


def _changes(cell: Cell, index: int, release: Release) -> Iterator[Note]:
    """What a student has changed of a cell that grading puts right."""
    original, name = release.cells[index], release.name(index)
    if index not in release.by_grade_id.values():
        return
    if cell.kind != original.cell_type:
        yield Note("retyped", name)
    if release.is_locked(index) and _key(cell.source) != _key(release.given[index]):
        yield Note("edited", name)
    marks = original.metadata["nbgrader"]
    if any(cell.marks.get(key, marks.get(key)) != marks.get(key) for key in ("grade", "solution", "locked", "points")):
        yield Note("marks", name)
    if set(cell.tags) - set(original.metadata.get("tags", [])):
        yield Note("tags", name)


def _moved(stands: dict[int, int], release: Release) -> Iterator[Note]:
    furthest = -1
    for index in sorted(stands, key=stands.__getitem__):
        if index < furthest and index in release.by_grade_id.values():
            yield Note("moved", release.name(index))
        furthest = max(furthest, index)


def _as_answer(original: NotebookNode, cell: Cell, source: str) -> NotebookNode:
    made = copy.deepcopy(original)
    made.source = source
    if cell.attachments and made.cell_type == "markdown":
        made["attachments"] = nbformat.from_dict(cell.attachments)
    return made


def _as_ordinary(original: NotebookNode, cell: Cell) -> NotebookNode:
    """A cell of the release that a student may change: as the student has it."""
    made = _own(cell, set())
    made.metadata = copy.deepcopy(original.metadata)
    if "id" in original:
        made["id"] = original.id
    return made


def _own(cell: Cell, names: set[str]) -> NotebookNode:
    name = cell.id
    if name is None or name in names:
        name = next(text for n in range(len(names) + 1) if (text := f"own-{n}") not in names)
    names.add(name)
    made: dict[str, Any] = {"cell_type": cell.kind, "id": name, "metadata": {}, "source": cell.source}
    if cell.kind == "code":
        made |= {"outputs": [], "execution_count": None}
    if cell.attachments:
        made["attachments"] = cell.attachments
    return nbformat.from_dict(made)


def _put_back(out: list[NotebookNode], release: Release) -> list[Note]:
    """Insert the cells of the release that have to be there. An empty answer in code would help nobody."""
    notes = []

    def where(wanted: int | None) -> int | None:
        return None if wanted is None else places.get(_identity(release.cells[wanted]))

    for index in release.by_grade_id.values():
        places = {_identity(cell): place for place, cell in enumerate(out)}
        if where(index) is not None:
            continue
        original = release.cells[index]
        if is_solution(original) and not release.is_written(index):
            notes.append(Note("answer deleted", release.name(index)))
            continue
        if is_test(original):
            above = where(release.answer_of(index))
            # Without its answer cell the answer may stand anywhere: only the end is certainly below it.
            place = len(out) if above is None else above + 1
        else:
            before = next((p for i in range(index - 1, -1, -1) if (p := where(i)) is not None), None)
            after = next((p for i in range(index + 1, len(release.cells)) if (p := where(i)) is not None), None)
            place = before + 1 if before is not None else after if after is not None else 0
        made = copy.deepcopy(original)
        made.metadata[NOTES] = nbformat.from_dict({"restored": True})
        out.insert(place, made)
        notes.append(Note("deleted", release.name(index)))
    return notes


def _identity(cell: NotebookNode) -> tuple[str | None, str | None]:
    return cell.get("id"), grade_id(cell)


# ---------------------------------------------------------------- which file


@dataclass
class TakenIn:
    """What `take_in` found: a notebook to grade, or a status and why in words."""

    status: str
    notebook: NotebookNode | None = None
    notes: list[Note] = field(default_factory=list)
    why: str = ""
    file: Path | None = None


def take_in(folder: Path, release: Release, others: Callable[[], Iterable[Release]] = tuple) -> TakenIn:
    """Find and read the notebook of the unit in a submission's folder. Never raises, whatever lies there.

    `others()`: the other units of the course, asked only when a notebook looks like none of this one.
    """
    try:
        return _take_in(Path(folder), release, others)
    except Exception as error:  # nothing should come here; if it does, it costs one submission, in words
        return TakenIn(UNREADABLE, why=f"{type(error).__name__}: {shown(str(error))}")


def _take_in(folder: Path, release: Release, others: Callable[[], Iterable[Release]]) -> TakenIn:
    unit = release.unit
    if not folder.is_dir():
        return TakenIn(MISSING)
    files, notes = _files(folder)
    names = [_relative(path, folder) for path in files]
    read: dict[str, HandedIn] = {}
    problems: dict[str, str] = {}
    for path, name in zip(files, names, strict=True):
        if not _may_be_notebook(path):
            continue
        try:
            read[name] = read_file(path)
        except Unreadable as why:
            if path.suffix.lower() != ".json":
                problems[name] = str(why)
    exact = f"{unit}.ipynb"
    if (folder / exact).is_dir() and not (folder / exact).is_symlink():
        problems.setdefault(exact, f"{exact} is a folder")
    for note in notes:
        if note.kind == "left out" and _may_be_notebook(Path(note.about)):
            problems.setdefault(note.about, "it is a link or no file")
    if not read:
        if problems:
            first = exact if exact in problems else next(iter(problems))
            why = problems[first]
            return TakenIn(UNREADABLE, notes=notes, why=why if first == exact else f"{shown(first)}: {why}")
        rest = [shown(name) for name in names if name != "timestamp.txt"] + [note.about for note in notes]
        if rest:
            return TakenIn(UNREADABLE, notes=notes, why=f"there is no notebook, only {_listed(rest)}")
        return TakenIn(MISSING)
    whose = {name: _whose(handed_in, release, others) for name, handed_in in read.items()}
    if whose.get(exact) == "":
        whose[exact] = unit
        notes.append(Note("unknown", exact))
    ours = {name: read[name] for name in read if whose[name] == unit}
    if not ours:
        name = exact if exact in read else next(iter(read))
        if whose[name]:
            return TakenIn(WRONG_UNIT, notes=notes, why=f"{shown(name)} is a notebook of {whose[name]}")
        return TakenIn(UNREADABLE, notes=notes, why=f"{shown(name)} holds nothing of this unit")
    chosen, rivals = _choose(ours, exact, release)
    spare = [name for name in [*read, *problems] if name != chosen and name not in rivals]
    notes += [Note("spare", name) for name in spare]
    if rivals:
        notes += [Note("rival", name) for name in rivals]
        told = ", ".join(map(shown, [chosen, *rivals]))
        return TakenIn(AMBIGUOUS, notes=notes, why=f"different notebooks of this unit: {told}", file=folder / chosen)
    if chosen != exact:
        notes.append(Note("renamed", chosen))
    notebook, found = match(ours[chosen], release)
    notes = [*notes, *(Note("shadow", name) for name in _shadowing(folder))]
    notebook.metadata[NOTES]["intake"] = [[note.kind, note.about] for note in [*found, *notes]]
    return TakenIn(GRADED, notebook, [*found, *notes], file=folder / chosen)


def _files(folder: Path) -> tuple[list[Path], list[Note]]:
    """Ordinary files of a submission, sorted, three folders deep; what is left out and worth a word."""
    found: list[Path] = []
    notes: list[Note] = []
    queue = [(folder, 1)]
    while queue:
        here, depth = queue.pop(0)
        try:
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError:
            notes.append(Note("left out", _relative(here, folder)))
            continue
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith(".") or entry.name in ("__pycache__", "__MACOSX"):
                continue
            if entry.is_symlink() or not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)):
                notes.append(Note("left out", _relative(path, folder)))
            elif entry.is_dir(follow_symlinks=False):
                if depth < _DEPTH:
                    queue.append((path, depth + 1))
            else:
                found.append(path)
            if len(found) + len(notes) >= ENTRY_LIMIT:
                notes.append(Note("left out", f"all but {ENTRY_LIMIT} files"))
                return found, notes
    return found, notes


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _may_be_notebook(path: Path) -> bool:
    name = path.name.lower()
    # `lab` puts a newer release beside a student's work under this name; it is nobody's answer.
    return (".ipynb" in name or name.endswith(".json")) and ".new-version" not in name


def _likeness(handed_in: HandedIn, release: Release) -> float:
    """The share of the release's cells that are there, by id or by text."""
    ids = {cell.id for cell in handed_in.cells}
    texts = {_key(cell.source) for cell in handed_in.cells}
    there = sum(
        cell.get("id") in ids or (len(given) > 20 and _key(given) in texts)
        for cell, given in zip(release.cells, release.given, strict=True)
    )
    return there / max(1, len(release.cells))


def _whose(handed_in: HandedIn, release: Release, others: Callable[[], Iterable[Release]]) -> str:
    """The unit that a notebook is of; "" if it is of none that is known."""
    if not any(cell.source.strip() for cell in handed_in.cells):
        return release.unit  # everything deleted; the name is all there is
    if _likeness(handed_in, release) >= 0.2:
        return release.unit
    score, unit = max(((_likeness(handed_in, other), other.unit) for other in others()), default=(0.0, ""))
    if score >= 0.2:
        return unit
    numbers = [cell.id[:2] for cell in handed_in.cells if cell.id and re.match(r"\d\d-", cell.id)]
    number = max(set(numbers), key=numbers.count, default="")
    if number not in ("", release.unit[:2]):
        return f"unit {number}"
    marks = {cell.marks.get("grade_id") for cell in handed_in.cells if isinstance(cell.marks.get("grade_id"), str)}
    known = marks & release.by_grade_id.keys()
    return release.unit if known or any(_by_code(cell, release) for cell in handed_in.cells) else ""


def _by_code(cell: Cell, release: Release) -> bool:
    answers = [release.given[i] for i in release.by_grade_id.values() if is_solution(release.cells[i])]
    return cell.kind == "code" and any(
        _names(cell.source) & set(re.findall(r"^(?:def|class) (\w+)", a, re.M)) for a in answers
    )


def _choose(ours: dict[str, HandedIn], exact: str, release: Release) -> tuple[str, list[str]]:
    """The notebook that counts, and those that might as well. What another holds all of is no rival."""
    work = {name: _work(handed_in, release) for name, handed_in in ours.items()}
    order = sorted(ours, key=lambda name: (name != exact, name.count("/"), len(name), name))
    best = [name for name in order if not any(work[name] < work[other] for other in order)]
    distinct: list[str] = []
    for name in best:
        if all(work[name] != work[other] for other in distinct):
            distinct.append(name)
    return distinct[0], distinct[1:]


def _work(handed_in: HandedIn, release: Release) -> frozenset[tuple[str, str]]:
    """What a student has written in a notebook."""
    notebook, _ = match(handed_in, release)
    given = {_key(text) for text in release.given}
    return frozenset(
        (grade_id(cell) or "", _key(cell.source))
        for cell in notebook.cells
        if not (is_test(cell) or cell.metadata.get("nbgrader", {}).get("locked"))
        and (cell.cell_type == "code" or is_solution(cell))
        and _key(cell.source) not in given | {""}
    )


# ---------------------------------------------------------------- the files beside the notebook


def copy_helpers(folder: Path, target: Path, unit: str) -> None:
    """Copy what lies beside a notebook: ordinary files only, no link, no notebook, nothing that shadows a package."""
    if not folder.is_dir():
        return
    left = HELPERS_LIMIT
    shadowing = set(_shadowing(folder))
    for path in _files(folder)[0]:
        name = path.relative_to(folder)
        if path.suffix == ".ipynb" or name.parts[0] in shadowing or name.as_posix() in (f"{unit}.py", "timestamp.txt"):
            continue
        left -= path.stat().st_size
        if left < 0:
            return
        goal = target / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, goal, follow_symlinks=False)


def _shadowing(folder: Path) -> list[str]:
    """Files and folders of a submission that an import would take for a package that is installed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []
    found = []
    for entry in entries:
        name, _, ending = entry.name.partition(".")
        is_module = ending.split(".")[-1] in ("py", "pyc", "so", "pyd")
        is_package = not ending and entry.is_dir(follow_symlinks=False) and (Path(entry.path) / "__init__.py").is_file()
        if (is_module or is_package) and name.isidentifier() and _is_installed(name):
            found.append(entry.name)
    return found


def _is_installed(name: str) -> bool:
    if name in sys.stdlib_module_names or name in ("sitecustomize", "usercustomize"):
        return True
    here = Path.cwd().resolve()
    installed = [place for place in sys.path if place and Path(place).resolve() != here]
    try:
        spec = importlib.machinery.PathFinder.find_spec(name, installed)
    except Exception:
        return False
    return spec is not None and spec.origin is not None

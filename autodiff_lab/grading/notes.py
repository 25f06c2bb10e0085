"""What intake puts right, in words: for the teacher in one line, for the student in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
    "updated": (
        "cells that the course has changed since they were given out, run as they are now: {}",
        "{} has changed in the course since this notebook was given out; it was run as it is now, and grading does "
        "the same",
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
    "beside": (
        "answers in words found in a cell of their own beside the untouched one: {}",
        "the answer {} stands in a new cell beside the one it belongs into; it counts, but move it there",
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
        "the notebook is called {}; it is recognised by what is in it",
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
    return "; ".join(WORDS[kind][0].format(listed(names)) for kind, names in _grouped(notes).items())


def for_student(notes: Iterable[Note]) -> list[str]:
    """The notes as sentences to a student, without the full stop."""
    return [WORDS[kind][1].format(listed(names)) for kind, names in _grouped(notes).items()]


def _grouped(notes: Iterable[Note]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for note in notes:
        names = kinds.setdefault(note.kind, [])
        if note.about not in names:
            names.append(note.about)
    return kinds


def listed(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def shown(name: str) -> str:
    """A name that somebody else chose, safe to print and to store: no control characters, no halves, 80 characters."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in clean(name))
    return text if len(text) <= 80 else text[:79] + "…"


def clean(text: str) -> str:
    """`text` with `\\n` for line ends, and without what no file could hold (halves of characters, NUL)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not text.isascii() else text

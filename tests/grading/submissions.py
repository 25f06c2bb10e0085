"""Submissions as they come in, one row each: what was done to a solved notebook, and what must come of it.

Every row goes through the real grading path, all of them in one class (`test_class`), and each by itself through
intake (`test_intake`). A row is added by adding a function and a line to the table.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

UNIT = "90_tiny"
FULL = {"gradients": 40, "predict": 40, "explain": 0}
DIRECT = "def gradients(x, y):\n    return y, x + y"
RIGHT = "def gradients(x, y):\n    return y, x + 2 * y"
OWN_WORDS = "Because it is used twice."


@dataclass
class Work:
    """One student's folder before it is handed in. What a damage does not write itself, `finish` writes."""

    folder: Path
    notebook: NotebookNode  # the release, solved; the written answer is open
    release: NotebookNode
    written: bool = False

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def path(self) -> Path:
        return self.folder / f"{UNIT}.ipynb"

    def write(self, data: bytes | str | NotebookNode, name: str | bytes = f"{UNIT}.ipynb") -> Path:
        """Write a file of the submission; from then on nothing is written by itself."""
        self.written = True
        if isinstance(data, dict):
            data = json.dumps(data)
        path = self.folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def finish(self) -> None:
        if not self.written:
            self.write(self.notebook)

    def cell(self, name: str) -> NotebookNode:
        return next(c for c in self.notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)

    def place(self, name: str) -> int:
        return next(i for i, c in enumerate(self.notebook.cells) if c is self.cell(name))

    def delete(self, *names: str) -> None:
        self.notebook.cells = [
            c for c in self.notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in names
        ]

    def insert(self, place: int, like: NotebookNode, source: str, marked: bool = True) -> NotebookNode:
        """A copy of a cell with another text, as copying or splitting makes one: its mark, and an id of its own."""
        made = copy.deepcopy(like)
        made.id, made.source = f"{len(self.notebook.cells):08x}", source
        if not marked:
            made.metadata = nbformat.from_dict({})
        self.notebook.cells.insert(place, made)
        return made

    def strip(self, ids: bool = True) -> None:
        """What an editor does that keeps no metadata, or an old one that keeps no ids either."""
        for cell in self.notebook.cells:
            cell.metadata = nbformat.from_dict({})
            if ids:
                cell.pop("id", None)
        if ids:
            self.notebook.nbformat_minor = 4


Damage = Callable[[Work], None]


@dataclass
class Row:
    """A damage and what must come of it. `points` None: no score at all. `notes`: kinds of `notes.WORDS`."""

    damage: Damage
    status: str = "graded"
    points: dict[str, float | None] | None = field(default_factory=lambda: dict(FULL))
    notes: set[str] = field(default_factory=set)
    why: str = ""


def gradients(points: float, predict: float = 40) -> dict[str, float | None]:
    return {"gradients": points, "predict": predict, "explain": 0}


MANUAL = {"gradients": 40, "predict": 40, "explain": None}


# ---------------------------------------------------------------- the file


def nothing(work: Work) -> None:
    """A correct submission."""


def bom(work: Work) -> None:
    work.write(b"\xef\xbb\xbf" + json.dumps(work.notebook).encode())


def utf_16(work: Work) -> None:
    work.write(json.dumps(work.notebook, ensure_ascii=False).encode("utf-16"))


def latin_1(work: Work) -> None:
    work.cell("explain").source = "Für jeden Gebrauch einer."
    work.write(json.dumps(work.notebook, ensure_ascii=False).encode("latin-1", "replace"))


def crlf(work: Work) -> None:
    for cell in work.notebook.cells:
        cell.source = cell.source.replace("\n", "\r\n")
    work.write(json.dumps(work.notebook, indent=1).replace("\n", "\r\n"))


def truncated(work: Work) -> None:
    work.write(json.dumps(work.notebook)[:-300])


def empty(work: Work) -> None:
    work.write(b"")


def blank(work: Work) -> None:
    work.write(b" \n\n")


def zeros(work: Work) -> None:
    work.write(b"\0" * 5000)


def a_list(work: Work) -> None:
    work.write("[1, 2]")


def a_picture(work: Work) -> None:
    work.write(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))


def merge_conflict(work: Work) -> None:
    text = json.dumps(work.notebook, indent=1)
    work.write(text.replace('\n "cells"', '\n<<<<<<< HEAD\n "cells"', 1) + "\n>>>>>>> theirs")


def folder_of_that_name(work: Work) -> None:
    work.path.mkdir()
    work.written = True


def inside_a_folder_of_that_name(work: Work) -> None:
    work.write(work.notebook, f"{UNIT}.ipynb/{UNIT}.ipynb")


def in_a_folder(work: Work) -> None:
    work.write(work.notebook, f"my work/{UNIT}/{UNIT}.ipynb")


def renamed(work: Work) -> None:
    work.write(work.notebook, "90 tiny (1).ipynb")


def renamed_by_a_mail_program(work: Work) -> None:
    work.write(work.notebook, f"{UNIT}.ipynb.txt")


def identical_copies(work: Work) -> None:
    work.write(work.notebook)
    for cell in work.notebook.cells:  # run once more since
        cell.execution_count = 7 if cell.cell_type == "code" else None
    work.write(work.notebook, f"{UNIT} (1).ipynb")


def untouched_beside(work: Work) -> None:
    work.write(work.release)
    work.write(work.notebook, f"{UNIT} (1).ipynb")


def older_state_beside(work: Work) -> None:
    work.write(work.notebook)
    work.cell("gradients").source = next(c for c in work.release.cells if c.id == work.cell("gradients").id).source
    work.write(work.notebook, f"{UNIT}-Copy1.ipynb")


def different_copies(work: Work) -> None:
    work.write(work.notebook)
    work.cell("gradients").source = DIRECT
    work.write(work.notebook, f"{UNIT}-Copy1.ipynb")


def different_renamed_copies(work: Work) -> None:
    work.write(work.notebook, "tiny final.ipynb")
    work.cell("gradients").source = DIRECT
    work.write(work.notebook, "tiny final final.ipynb")


def broken_one_beside(work: Work) -> None:
    work.write(json.dumps(work.notebook)[:500])
    work.write(work.notebook, f"{UNIT} (1).ipynb")


def other_notebooks_beside(work: Work) -> None:
    work.write(work.notebook)
    work.write(other_unit(work), "04_fan_out.ipynb")
    work.write(json.dumps({"cells": [{"cell_type": "code", "source": "1 + 1"}]}), "Untitled.ipynb")
    work.write(json.dumps({"loss": [1, 2]}), "data.json")
    work.write(work.notebook, f".ipynb_checkpoints/{UNIT}-checkpoint.ipynb")


def other_unit(work: Work) -> NotebookNode:
    """What a notebook of another unit looks like."""
    other = copy.deepcopy(work.notebook)
    for number, cell in enumerate(other.cells):
        cell.id = f"04-cell-{number}"
        cell.source = (
            cell.source.replace("gradients", "backward").replace("predict", "order").replace("tiny", "fan-out")
        )
        cell.source += f"\n# {number}" if cell.cell_type == "code" else f" {number}"
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader["grade_id"] = f"four-{number}"
    return other


def wrong_unit(work: Work) -> None:
    work.write(other_unit(work))


def something_else(work: Work) -> None:
    work.write(json.dumps({"cells": [{"cell_type": "code", "source": "print('hello')"}]}), "Untitled.ipynb")


def nothing_in_the_folder(work: Work) -> None:
    work.written = True


def only_a_time(work: Work) -> None:
    work.write("2026-02-01 12:00:00.0 UTC", "timestamp.txt")


def only_a_page(work: Work) -> None:
    work.write("<html>", f"{UNIT}.html")


def a_link(work: Work) -> None:
    target = work.write(work.notebook, "../elsewhere.ipynb")
    work.path.symlink_to(target)


def a_link_to_a_secret_beside(work: Work) -> None:
    work.write(work.notebook)
    (work.folder / "passwd.txt").symlink_to("/etc/passwd")
    (work.folder / "root").symlink_to("/")


def a_pipe(work: Work) -> None:
    os.mkfifo(work.path)
    work.written = True


def a_pipe_beside(work: Work) -> None:
    work.write(work.notebook)
    os.mkfifo(work.folder / "data.csv")


def too_large(work: Work) -> None:
    work.write(b"")
    os.truncate(work.path, 300 * 2**20)


def much_output(work: Work) -> None:
    cell = work.cell("predict")
    cell.outputs = [nbformat.v4.new_output("stream", text="x" * 5_000_000)] * 2
    work.write(work.notebook)


def odd_names_beside(work: Work) -> None:
    work.write(work.notebook)
    for name in ("a\nb.txt", "-rf", "$(id).txt", "'; drop table.py", "..txt", "\N{SNOWMAN}.csv", b"\xff\xfe.txt"):
        work.write(b"x", name)


def odd_name(work: Work) -> None:
    work.write(work.notebook, b"\xff\x1b[31m.ipynb")


def shadows(work: Work) -> None:
    work.write(work.notebook)
    lie = "raise RuntimeError('the package should win')\n"
    for name in ("numpy.py", "json.py", "autodiff_lab/__init__.py", "IPython/__init__.py"):
        work.write(lie, name)


def helper(work: Work) -> None:
    work.cell("predict").source = "from my_helper import value\nprediction = value"
    work.write(work.notebook)
    work.write("value = 15", "my_helper.py")


# ---------------------------------------------------------------- what the JSON says


def old_minor(work: Work) -> None:
    work.notebook.nbformat_minor = 4
    for cell in work.notebook.cells:
        cell.pop("id", None)


def version_3(work: Work) -> None:
    cells: list[dict[str, Any]] = []
    for cell in work.notebook.cells:
        meta, source = copy.deepcopy(cell.metadata), cell.source.splitlines(keepends=True)
        if cell.cell_type == "code":
            cells.append({"cell_type": "code", "input": source, "language": "python", "outputs": [], "metadata": meta})
        elif cell.source.startswith("# ") and "\n" not in cell.source:
            cells.append({"cell_type": "heading", "level": 1, "source": cell.source[2:], "metadata": meta})
        else:
            cells.append({"cell_type": "markdown", "source": source, "metadata": meta})
    work.write(json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}))


def foreign_kernel(work: Work) -> None:
    work.notebook.metadata = nbformat.from_dict(
        {"kernelspec": {"name": "julia-1.9", "display_name": "Julia 1.9", "language": "julia"}}
    )


def own_python_kernel(work: Work) -> None:
    work.notebook.metadata = nbformat.from_dict({"kernelspec": {"name": "my-env", "display_name": "My env (3.12)"}})
    work.notebook.metadata.kernelspec["language"] = "python"


def no_kernel(work: Work) -> None:
    work.notebook.metadata = nbformat.from_dict({})


def deep(work: Work) -> None:
    work.notebook.metadata["deep"] = 0
    work.write(json.dumps(work.notebook).replace('"deep": 0', '"deep": ' + "[" * 100_000 + "]" * 100_000))


def huge_numbers(work: Work) -> None:
    text = json.dumps(work.notebook)
    work.write(text.replace('"nbformat": 4', '"nbformat": ' + "4" * 10_000 + ', "x": 1e999, "y": -Infinity', 1))


def double_keys(work: Work) -> None:
    work.write('{"cells": [], "metadata": [],' + json.dumps(work.notebook)[1:])


def wrong_types(work: Work) -> None:
    data = json.loads(json.dumps(work.notebook))
    odd = [None, 3, "text", [], {"nbgrader": 3}, {"nbgrader": {"grade_id": ["a"]}, "tags": "skip-execution"}]
    for number, cell in enumerate(c for c in data["cells"] if "nbgrader" not in c["metadata"]):
        cell["metadata"] = odd[number % len(odd)]
        cell["id"] = [None, 5, "x" * 500, "", "a b"][number % 5]
        cell["execution_count"] = "many"
    data["cells"] += [None, 3, "text", [], {}, {"cell_type": 5, "source": 5}, {"cell_type": "code"}]
    data["metadata"] = "none"
    work.write(json.dumps(data))


def cells_no_list(work: Work) -> None:
    work.write(json.dumps({**work.notebook, "cells": {"0": work.notebook.cells[0]}}))


def many_cells(work: Work) -> None:
    work.write(json.dumps({"cells": [{"cell_type": "code", "source": "", "metadata": {}}] * 20_000}))


def halves_of_characters(work: Work) -> None:
    work.cell("predict").source += "\nname = '\ud800'  # \udfff"
    work.cell("explain").source = OWN_WORDS + " \ud800\x00"


def picture_in_the_answer(work: Work) -> None:
    cell = work.cell("explain")
    cell.source = "![my drawing](attachment:image.png)"
    cell["attachments"] = {"image.png": {"image/png": "iVBORw0KGgo="}, "x.html": {"text/html": "<script>"}, "y": 3}


# ---------------------------------------------------------------- cells


def test_deleted(work: Work) -> None:
    work.delete("test-gradients")


def all_tests_deleted(work: Work) -> None:
    work.delete("test-gradients", "test-predict", "explain")


def answer_deleted(work: Work) -> None:
    work.delete("gradients")


def all_deleted(work: Work) -> None:
    work.notebook.cells = []


def answer_twice(work: Work) -> None:
    work.insert(work.place("gradients") + 1, work.cell("gradients"), RIGHT)


def last_changed_copy_counts(work: Work) -> None:
    stub = next(c for c in work.release.cells if c.id == work.cell("gradients").id).source
    place = work.place("gradients")
    work.insert(place + 1, work.cell("gradients"), stub)
    work.insert(place, work.cell("gradients"), DIRECT)


def copy_below_the_test(work: Work) -> None:
    """The answer was done again at the end of the notebook, in a copy of its cell."""
    work.cell("gradients").source = DIRECT
    work.insert(len(work.notebook.cells), work.cell("gradients"), RIGHT)


def copy_as_scratch(work: Work) -> None:
    work.insert(work.place("gradients") + 1, work.cell("gradients"), "print(gradients(1, 2))")


def split(work: Work) -> None:
    cell = work.cell("gradients")
    work.insert(work.place("gradients") + 1, cell, "def gradients(x, y):\n    return helper(x, y)")
    cell.source = "def helper(x, y):\n    return y, x + 2 * y"


def split_inside(work: Work) -> None:
    cell = work.cell("gradients")
    work.insert(work.place("gradients") + 1, cell, "    return y, x + 2 * y")
    cell.source = 'def gradients(x, y):\n    """Both."""'


def split_inside_without_mark(work: Work) -> None:
    split_inside(work)
    work.notebook.cells[work.place("gradients") + 1].metadata = nbformat.from_dict({})


def split_far_apart(work: Work) -> None:
    cell = work.cell("gradients")
    place = work.place("gradients")
    work.insert(place + 1, cell, "def gradients(x, y):\n    return y, x + TWO * y")
    work.insert(place + 1, cell, "assert BASE == 1\nTWO = BASE + 1", marked=False)
    cell.source = "BASE = 1"


def test_twice(work: Work) -> None:
    work.insert(work.place("test-gradients"), work.cell("test-gradients"), work.cell("test-gradients").source)


def test_edited(work: Work) -> None:
    work.cell("gradients").source = DIRECT
    work.cell("test-gradients").source = "pass"


def test_formatted(work: Work) -> None:
    work.cell("test-gradients").source = work.cell("test-gradients").source.replace("\n", "  \n") + "\n\n"


def test_to_markdown(work: Work) -> None:
    work.cell("gradients").source = DIRECT
    place = work.place("test-gradients")
    work.notebook.cells[place] = nbformat.v4.new_markdown_cell("Fine.", metadata=work.cell("test-gradients").metadata)


def answer_to_markdown(work: Work) -> None:
    place = work.place("gradients")
    old = work.cell("gradients")
    work.notebook.cells[place] = nbformat.v4.new_markdown_cell(old.source, metadata=old.metadata, id=old.id)


def points_raised(work: Work) -> None:
    work.cell("gradients").source = DIRECT
    work.cell("test-predict").metadata.nbgrader["points"] = 4000
    work.cell("test-gradients").metadata.nbgrader.update(grade=False, locked=False, solution=True)


def given_out_before_a_change(work: Work) -> None:
    """The course has other points and another test since: the student's cells are as they were given out then."""
    for name, source, points in (("test-predict", "assert prediction == 15", 20), ("explain", None, 10)):
        cell = work.cell(name)
        cell.source, cell.metadata.nbgrader["points"] = source or cell.source, points
        cell.metadata.nbgrader["checksum"] = compute_checksum(cell)


def tags_added(work: Work) -> None:
    work.cell("gradients").source = DIRECT
    work.cell("test-gradients").metadata["tags"] = ["skip-execution", "raises-exception"]
    work.cell("gradients").metadata["tags"] = ["raises-exception"]


def invented_cell(work: Work) -> None:
    work.insert(1, work.cell("test-predict"), "1 + 1").metadata.nbgrader["grade_id"] = "from-another-unit"


def stripped(work: Work) -> None:
    work.strip(ids=False)


def stripped_of_ids_as_well(work: Work) -> None:
    work.strip()


def stripped_and_everything_answered(work: Work) -> None:
    work.cell("explain").source = OWN_WORDS
    work.cell("predict").source = "x, y = 2, 3\nprediction = (x + y) * y"
    work.strip()


def stripped_and_tests_edited(work: Work) -> None:
    work.cell("gradients").source = DIRECT
    work.cell("test-gradients").source = work.cell("test-gradients").source.replace("8.0", "5.0")
    work.strip()


def partly_stripped(work: Work) -> None:
    for name in ("gradients", "test-predict"):
        work.cell(name).metadata = nbformat.from_dict({})


def stripped_in_another_order(work: Work) -> None:
    work.strip()
    cells = work.notebook.cells
    work.notebook.cells = [*cells[5:8], *cells[:5], *cells[8:]]


def test_above_its_answer(work: Work) -> None:
    cells, place = work.notebook.cells, work.place("gradients")
    cells[place], cells[place + 1] = cells[place + 1], cells[place]


def exercises_swapped(work: Work) -> None:
    cells = work.notebook.cells
    first, second = work.place("gradients"), work.place("predict")
    work.notebook.cells = [*cells[: first - 1], *cells[second - 1 : second + 2], *cells[first - 1 : first + 2]]
    work.notebook.cells += cells[second + 2 :]


def uses_what_stands_below(work: Work) -> None:
    """Jupyter would not run it from top to bottom either."""
    work.cell("gradients").source = "TWO = DOUBLE\n\ndef gradients(x, y):\n    return y, x + TWO * y"
    work.insert(work.place("test-gradients") + 1, work.cell("gradients"), "DOUBLE = 2", marked=False)


def written(work: Work) -> None:
    work.cell("explain").source = OWN_WORDS


def written_in_two_cells(work: Work) -> None:
    cell = work.cell("explain")
    work.insert(work.place("explain") + 1, cell, "Each use sends its part.")
    cell.source = OWN_WORDS


def written_beside_the_stub(work: Work) -> None:
    work.insert(work.place("explain") + 1, work.cell("explain"), OWN_WORDS, marked=False)


def untouched(work: Work) -> None:
    work.notebook = copy.deepcopy(work.release)


def own_cells(work: Work) -> None:
    work.insert(work.place("predict"), work.cell("predict"), "twice = 7.5", marked=False)
    work.cell("predict").source = "prediction = 2 * twice"


NONE = {"points": None}
UNREADABLE = {"status": "unreadable", "points": None}

HONEST: dict[str, Row] = {
    "correct": Row(nothing),
    "o'brien d'arc": Row(nothing),
    "李娜 (2)": Row(nothing),
    "Ümit & Søn": Row(nothing),
    "bom": Row(bom),
    "utf-16": Row(utf_16, notes={"encoding"}),
    "latin-1": Row(latin_1, "needs manual grading", MANUAL, {"encoding"}),
    "crlf": Row(crlf),
    "truncated": Row(truncated, **UNREADABLE, why="not a notebook"),
    "empty": Row(empty, **UNREADABLE, why="the file is empty"),
    "blank": Row(blank, **UNREADABLE, why="the file is empty"),
    "zeros": Row(zeros, **UNREADABLE, why="not a notebook"),
    "list": Row(a_list, **UNREADABLE, why="not a notebook"),
    "picture": Row(a_picture, **UNREADABLE, why="not a notebook"),
    "merge-conflict": Row(merge_conflict, **UNREADABLE, why="marks of a merge"),
    "folder": Row(folder_of_that_name, **UNREADABLE, why="is a folder"),
    "in-folder-of-that-name": Row(inside_a_folder_of_that_name, notes={"renamed"}),
    "in-a-folder": Row(in_a_folder, notes={"renamed"}),
    "renamed": Row(renamed, notes={"renamed"}),
    "renamed-by-mail": Row(renamed_by_a_mail_program, notes={"renamed"}),
    "identical-copies": Row(identical_copies, notes={"spare"}),
    "untouched-beside": Row(untouched_beside, notes={"renamed", "spare"}),
    "older-state-beside": Row(older_state_beside, notes={"spare"}),
    "different-copies": Row(different_copies, "ambiguous", None, {"rival"}, "different notebooks of this unit"),
    "different-renamed-copies": Row(different_renamed_copies, "ambiguous", None, {"rival"}, "tiny final"),
    "broken-one-beside": Row(broken_one_beside, notes={"renamed", "spare"}),
    "others-beside": Row(other_notebooks_beside, notes={"spare"}),
    "wrong-unit": Row(wrong_unit, "wrong unit", None, why="a notebook of unit 04"),
    "something-else": Row(something_else, **UNREADABLE, why="holds nothing of this unit"),
    "nothing": Row(nothing_in_the_folder, "missing", None),
    "only-a-time": Row(only_a_time, "missing", None),
    "only-a-page": Row(only_a_page, **UNREADABLE, why="there is no notebook, only 90_tiny.html"),
    "link": Row(a_link, **UNREADABLE, notes={"left out"}, why="a link"),
    "link-beside": Row(a_link_to_a_secret_beside, notes={"left out"}),
    "pipe": Row(a_pipe, **UNREADABLE, notes={"left out"}, why="no file"),
    "pipe-beside": Row(a_pipe_beside, notes={"left out"}),
    "too-large": Row(too_large, **UNREADABLE, why="300 MB"),
    "much-output": Row(much_output),
    "odd-names-beside": Row(odd_names_beside),
    "odd-name": Row(odd_name, notes={"renamed"}),
    "shadows": Row(shadows, notes={"shadow"}),
    "helper": Row(helper),
    "old-minor": Row(old_minor),
    "version-3": Row(version_3, notes={"old format"}),
    "foreign-kernel": Row(foreign_kernel, notes={"kernel"}),
    "own-python": Row(own_python_kernel),
    "no-kernel": Row(no_kernel),
    "deep": Row(deep, **UNREADABLE, why="nested too deeply"),
    "huge-numbers": Row(huge_numbers),
    "double-keys": Row(double_keys),
    "wrong-types": Row(wrong_types, notes={"damaged"}),
    "cells-no-list": Row(cells_no_list, **UNREADABLE, why="no list of cells"),
    "many-cells": Row(many_cells, **UNREADABLE, why="20000 cells"),
    "halves-of-characters": Row(halves_of_characters, "needs manual grading", MANUAL),
    "picture-in-the-answer": Row(picture_in_the_answer, "needs manual grading", MANUAL),
    "test-deleted": Row(test_deleted, notes={"deleted"}),
    "all-tests-deleted": Row(all_tests_deleted, notes={"deleted"}),
    "answer-deleted": Row(answer_deleted, points=gradients(0), notes={"answer deleted"}),
    "all-deleted": Row(all_deleted, points=gradients(0, 0), notes={"answer deleted", "deleted"}),
    "answer-twice": Row(answer_twice, notes={"copies"}),
    "last-changed-copy": Row(last_changed_copy_counts, notes={"copies"}),
    "copy-below-the-test": Row(copy_below_the_test, notes={"copies", "above", "moved"}),
    "copy-as-scratch": Row(copy_as_scratch, notes={"joined"}),
    "split": Row(split, notes={"joined"}),
    "split-inside": Row(split_inside, notes={"joined"}),
    "split-inside-without-mark": Row(split_inside_without_mark, notes={"joined"}),
    "split-far-apart": Row(split_far_apart, notes={"joined"}),
    "test-twice": Row(test_twice, notes={"test copies"}),
    "test-edited": Row(test_edited, points=gradients(0), notes={"edited"}),
    "test-formatted": Row(test_formatted),
    "test-to-markdown": Row(test_to_markdown, points=gradients(0), notes={"retyped", "edited"}),
    "answer-to-markdown": Row(answer_to_markdown, notes={"retyped"}),
    "points-raised": Row(points_raised, points=gradients(0), notes={"marks"}),
    "given-out-before": Row(given_out_before_a_change, notes={"updated"}),
    "tags-added": Row(tags_added, points=gradients(0), notes={"tags"}),
    "invented-cell": Row(invented_cell, notes={"foreign"}),
    "stripped": Row(stripped, notes={"reattached"}),
    "stripped-of-ids": Row(stripped_of_ids_as_well, notes={"reattached"}),
    "stripped-all-answered": Row(stripped_and_everything_answered, "needs manual grading", MANUAL, {"reattached"}),
    "stripped-tests-edited": Row(stripped_and_tests_edited, points=gradients(0), notes={"reattached", "edited"}),
    "partly-stripped": Row(partly_stripped, notes={"reattached"}),
    "stripped-other-order": Row(stripped_in_another_order, notes={"reattached", "moved"}),
    "test-above": Row(test_above_its_answer, notes={"above", "moved"}),
    "exercises-swapped": Row(exercises_swapped, notes={"moved"}),
    "uses-what-stands-below": Row(uses_what_stands_below, points=gradients(0)),
    "written": Row(written, "needs manual grading", MANUAL),
    "written-in-two-cells": Row(written_in_two_cells, "needs manual grading", MANUAL, {"joined"}),
    "written-beside-the-stub": Row(written_beside_the_stub, "needs manual grading", MANUAL, {"beside"}),
    "untouched": Row(untouched, "untouched", gradients(0, 0)),
    "own-cells": Row(own_cells),
}

ROWS: dict[str, Row] = {**HONEST}
"""The whole class."""


def hand_in(folder: Path, row: Row, solved: NotebookNode, release: NotebookNode) -> None:
    """Do to a solved notebook what the row says, in `folder`."""
    work = Work(folder, copy.deepcopy(solved), copy.deepcopy(release))
    row.damage(work)
    work.finish()

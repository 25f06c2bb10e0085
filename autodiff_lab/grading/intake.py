"""From a submission's folder to a notebook that matches the release, or to a status.

Nothing is run and no gradebook is asked. `take_in` never raises: what cannot be read has a status, and what was put
right is a list of notes, in words for the teacher and for the student (who gets them beforehand from `check`).
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from nbformat import NotebookNode

from autodiff_lab.grading import submitted
from autodiff_lab.grading.build import is_solution, is_test
from autodiff_lab.grading.course import NOTES
from autodiff_lab.grading.handed_in import Cell, HandedIn, Unreadable, read_file
from autodiff_lab.grading.matching import Release, defined_names, grade_id, match, normal
from autodiff_lab.grading.notes import Note, listed, shown
from autodiff_lab.grading.results import AMBIGUOUS, GRADED, MISSING, UNREADABLE, WRONG_UNIT

HELPERS_LIMIT = 200 * 2**20
NOTEBOOKS_LIMIT = 20


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
    if not submitted.is_folder(folder):
        if os.path.lexists(folder):
            return TakenIn(UNREADABLE, why=f"{shown(unit)} is not a folder, or a link leads to it")
        return TakenIn(MISSING)
    found = submitted.walk(folder)
    files = found.files
    _, too_much = _helpers(folder, found)
    notes = [Note("left out", name) for name in [*found.left_out, *too_much]]
    notes += [Note("shadow", name) for name in _shadowing(found)]
    names = [path.as_posix() for path in files]
    read: dict[str, HandedIn] = {}
    problems: dict[str, str] = {}
    exact = f"{unit}.ipynb"
    candidates = sorted(filter(_may_be_notebook, files), key=lambda path: path.as_posix() != exact)
    notes += [Note("left out", path.as_posix()) for path in candidates[NOTEBOOKS_LIMIT:]]
    for path in candidates[:NOTEBOOKS_LIMIT]:
        name = path.as_posix()
        try:
            read[name] = read_file(folder, path)
        except Unreadable as why:
            if path.suffix.lower() != ".json":
                problems[name] = str(why)
    if not read and submitted.is_folder(folder, exact):
        problems.setdefault(exact, f"{exact} is a folder")
    for note in notes:
        if note.kind == "left out" and _may_be_notebook(PurePath(note.about)):
            problems.setdefault(note.about, "it is a link or no file")
    if not read:
        if problems:
            first = exact if exact in problems else next(iter(problems))
            why = problems[first]
            return TakenIn(UNREADABLE, notes=notes, why=why if first == exact else f"{shown(first)}: {why}")
        rest = [shown(name) for name in names if name != submitted.STAMP] + [note.about for note in notes]
        if rest:
            return TakenIn(UNREADABLE, notes=notes, why=f"there is no notebook, only {listed(rest)}")
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
    notebook, repaired = match(ours[chosen], release)
    notebook.metadata[NOTES]["intake"] = [[note.kind, note.about] for note in [*repaired, *notes]]
    return TakenIn(GRADED, notebook, [*repaired, *notes], file=folder / chosen)


def _may_be_notebook(path: PurePath) -> bool:
    name = path.name.lower()
    # `lab` puts a newer release beside a student's work under this name; it is nobody's answer.
    return (".ipynb" in name or name.endswith(".json")) and ".new-version" not in name


def likeness(handed_in: HandedIn, release: Release) -> float:
    """The share of the release's cells that are there, by id or by text."""
    ids = {cell.id for cell in handed_in.cells}
    texts = {normal(cell.source) for cell in handed_in.cells}
    there = sum(
        cell.get("id") in ids or (len(given) > 20 and normal(given) in texts)
        for cell, given in zip(release.cells, release.given, strict=True)
    )
    return there / max(1, len(release.cells))


def _whose(handed_in: HandedIn, release: Release, others: Callable[[], Iterable[Release]]) -> str:
    """The unit that a notebook is of; "" if it is of none that is known."""
    if not any(cell.source.strip() for cell in handed_in.cells):
        return release.unit  # everything deleted; the name is all there is
    if likeness(handed_in, release) >= 0.2:
        return release.unit
    score, unit = max(((likeness(handed_in, other), other.unit) for other in others()), default=(0.0, ""))
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
        defined_names(cell.source) & set(re.findall(r"^(?:def|class) (\w+)", a, re.M)) for a in answers
    )


def _choose(ours: dict[str, HandedIn], exact: str, release: Release) -> tuple[str, list[str]]:
    """The notebook that counts, and those that might as well. What another holds all of is no rival."""
    if len(ours) == 1:
        return next(iter(ours)), []
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
    given = {normal(text) for text in release.given}
    return frozenset(
        (grade_id(cell) or "", normal(cell.source))
        for cell in notebook.cells
        if not (is_test(cell) or cell.metadata.get("nbgrader", {}).get("locked"))
        and (cell.cell_type == "code" or is_solution(cell))
        and normal(cell.source) not in given | {""}
    )


# ---------------------------------------------------------------- the files beside the notebook


def copy_given(source_folder: Path, target: Path, unit: str) -> None:
    """Copy the data that a unit comes with over what a student may have changed of it; no source, no notebook."""
    skip = shutil.ignore_patterns("*.ipynb", ".*", "__pycache__", f"{unit}.py")
    shutil.copytree(source_folder, target, ignore=skip, dirs_exist_ok=True)


def copy_helpers(folder: Path, target: Path) -> None:
    """Copy what lies beside a notebook: ordinary files only, no link, no notebook, nothing that shadows a package."""
    for name in _helpers(folder, submitted.walk(folder))[0]:
        with contextlib.suppress(submitted.Refused):
            submitted.copy(folder, name, target / name)


def _helpers(folder: Path, found: submitted.Found) -> tuple[list[PurePath], list[str]]:
    """The files beside a notebook that go along with it, and the names of those that cannot be read or are too much."""
    kept, left_out = [], []
    left = HELPERS_LIMIT
    shadowing = set(_shadowing(found))
    for name in found.files:
        if ".ipynb" in name.name.lower() or name.parts[0] in shadowing:
            continue
        is_stamp = name.as_posix() == submitted.STAMP
        try:
            with submitted.open_file(folder, name, submitted.STAMP_LIMIT if is_stamp else left) as file:
                left -= os.fstat(file.fileno()).st_size
        except submitted.Refused:
            left_out.append(name.as_posix())
            continue
        if not is_stamp:
            kept.append(name)
    return kept, left_out


def _shadowing(found: submitted.Found) -> list[str]:
    """Files and folders of a submission that an import would take for a package that is installed."""
    names = []
    for path in found.files:
        first = path.parts[0]
        name, _, ending = first.partition(".")
        is_module = len(path.parts) == 1 and ending.split(".")[-1] in ("py", "pyc", "so", "pyd")
        is_package = len(path.parts) == 2 and not ending and path.name == "__init__.py"
        if (is_module or is_package) and first not in names and name.isidentifier() and _is_installed(name):
            names.append(first)
    return names


def _is_installed(name: str) -> bool:
    if name in sys.stdlib_module_names or name in ("autodiff_lab", "sitecustomize", "usercustomize"):
        return True
    here = Path.cwd().resolve()
    installed = [place for place in sys.path if place and Path(place).resolve() != here]
    try:
        spec = importlib.machinery.PathFinder.find_spec(name, installed)
    except Exception:
        return False
    return spec is not None and spec.origin is not None

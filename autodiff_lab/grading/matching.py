"""Matches the cells of a notebook that was handed in with the release, and puts right what a student may not change.

Cells are recognised by nbgrader's mark, by id, by text, by likeness, by what they define, and at last by their place.
"""

from __future__ import annotations

import ast
import copy
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autodiff_lab.grading.build import HEADING, is_solution, is_test, read_text, release_steps, source_notebook
from autodiff_lab.grading.course import NOTES, exercise_of
from autodiff_lab.grading.handed_in import Cell, HandedIn
from autodiff_lab.grading.notes import Note
from autodiff_lab.grading.results import is_untouched

_LONGEST_COMPARED, _LONGEST_PARSED, _MOST_COPIES = 4_000, 20_000, 50


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
            key = normal(source)
            if key in found:
                twice.add(key)
            found[key] = index
        return {key: index for key, index in found.items() if key and key not in twice}

    def answer_of(self, index: int) -> int | None:
        """The place of the answer cell of the test at `index`."""
        return self.by_grade_id.get(exercise_of(grade_id(self.cells[index]) or ""))

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


def normal(source: str) -> str:
    """`source` without what editors change by themselves: blanks at the ends of lines, empty lines around it."""
    return "\n".join(line.rstrip() for line in source.strip().split("\n"))


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
    behind: dict[int, list[NotebookNode]] = {}  # tests that stand behind an answer
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
        stands[index] = next((p for p in below if normal(cells[p].source) == normal(release.given[index])), below[0])
        if not release.is_locked(index):
            fixed[stands[index]] = _as_ordinary(original, cells[stands[index]])
            continue
        copies = [p for p in found if p != stands[index]]
        # A copy that reads differently is a student's own trial, and runs as one.
        spare = [p for p in copies if normal(cells[p].source) in ("", normal(release.given[index]))]
        gone |= set(spare)
        notes += [Note("test copies", release.name(index)) for _ in spare]
        if above > stands[index]:
            notes.append(Note("above", release.name(index)))
            gone.add(stands[index])
            behind.setdefault(above, []).append(copy.deepcopy(original))
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
        out += behind.get(place, [])
    notes += _put_back(out, release)
    _in_order(out, release)
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
        index = release.by_source.get(normal(cell.source))
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
    for index in release.by_grade_id.values():
        if release.is_written(index):
            _beside_the_stub(cells, index, release)
    return notes


def _beside_the_stub(cells: list[Cell], index: int, release: Release) -> None:
    """An answer in words that stands in a new cell, above or below the one it was meant for, which is as given out."""
    blank = {"", normal(release.given[index])}
    stubs = [place for place, cell in enumerate(cells) if cell.of == index]
    if not stubs or any(normal(cells[place].source) not in blank for place in stubs):
        return
    for way in (range(stubs[0] - 1, -1, -1), range(stubs[-1] + 1, len(cells))):
        for cell in (cells[place] for place in way):
            if cell.of is not None or cell.source.startswith(HEADING):
                break
            if cell.kind in ("markdown", "raw") or not _is_python(cell.source):
                cell.of = index


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


def defined_names(source: str) -> set[str]:
    """The names that a code cell binds at its top level, as far as a glance shows."""
    return {name for pair in _BOUND.findall(source) for name in pair if name}


def _by_names(cells: list[Cell], index: int, release: Release) -> bool:
    if release.is_written(index):
        return False
    wanted = defined_names(release.given[index])
    found = [cell for cell in cells if cell.of is None and cell.kind == "code" and wanted & defined_names(cell.source)]
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
    blank = {"", normal(release.given[index])}
    changed: dict[str, int] = {}
    for place in found:
        key = normal(cells[place].source)
        if key not in blank:
            changed.setdefault(key, place)
    same = set(found) - set(changed.values())
    if len(found) > 1:
        notes.append(Note("copies", name))
    if not changed:
        # The given stub beside an emptied copy is the stub; both are no answer.
        place = next((p for p in found if normal(cells[p].source)), found[0])
        return place, cells[place].source, same - {place}
    live = sorted(changed.values())
    sources = [cells[place].source for place in live]
    if release.is_written(index):
        if len(found) > 1:
            kind = "joined" if len(live) > 1 else "beside" if cells[live[0]].id not in release.by_id else "copies"
            notes[-1] = Note(kind, name)
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
    names = [defined_names(source) for source in sources]
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


_COMMAND = re.compile(r"^([ \t]*)(?:[%!].*|\?{1,2}[\w.]+|[\w.]+\?{1,2})[ \t]*$|(?<==)[ \t]*[%!].*$", re.M)


def _is_python(source: str) -> bool:
    """Whether Jupyter would run it, as far as its grammar goes; what is very long is taken for Python."""
    if len(source) > _LONGEST_PARSED or source.startswith("%%"):
        return True
    # IPython's own commands count as statements; its transformer takes minutes for some thousand of them.
    return _compiles(source) or _compiles(
        _COMMAND.sub(lambda found: f"{found[1]}pass" if found[1] is not None else "0", source)
    )


def _compiles(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<answer>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (Exception, RecursionError, MemoryError):
        return False
    return True


def _changes(cell: Cell, index: int, release: Release) -> Iterator[Note]:
    """What differs from the release in a cell that grading puts right, and who changed it: student or course."""
    original, name = release.cells[index], release.name(index)
    if index not in release.by_grade_id.values():
        return
    marks = original.metadata["nbgrader"]
    found = []
    if cell.kind != original.cell_type:
        found.append("retyped")
    if release.is_locked(index) and normal(cell.source) != normal(release.given[index]):
        found.append("edited")
    if any(cell.marks.get(key, marks.get(key)) != marks.get(key) for key in ("grade", "solution", "locked", "points")):
        found.append("marks")
    if found and _is_as_given(cell, cell.source if release.is_locked(index) else release.given[index]):
        found = ["updated"]
    yield from (Note(kind, name) for kind in found)
    if set(cell.tags) - set(original.metadata.get("tags", [])):
        yield Note("tags", name)


def _is_as_given(cell: Cell, source: str) -> bool:
    """Whether a cell with this source is what its own checksum was made of, when the unit was given out."""
    marks = NotebookNode(cell.marks)
    try:
        return is_untouched(NotebookNode(cell_type=cell.kind, source=source, metadata=NotebookNode(nbgrader=marks)))
    except (KeyError, TypeError, ValueError, AttributeError):  # marks that someone has spoilt
        return False


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


def _in_order(out: list[NotebookNode], release: Release) -> None:
    """Have the tests of one exercise run in the release's order: a later one may use what the first imports."""
    tests: dict[str, dict[int, NotebookNode]] = {}
    for place, cell in enumerate(out):
        if is_test(cell):
            tests.setdefault(exercise_of(grade_id(cell) or ""), {})[place] = cell
    for found in tests.values():
        ordered = sorted(found.values(), key=lambda cell: release.by_grade_id[grade_id(cell) or ""])
        for place, cell in zip(found, ordered, strict=True):
            out[place] = cell


def _identity(cell: NotebookNode) -> tuple[str | None, str | None]:
    return cell.get("id"), grade_id(cell)

"""Makes what students and readers get out of a unit's one text file: source notebook, release, solved solution.

Everything that distinguishes the release from the source is done by nbgrader's own preprocessors, so that
`nbgrader generate_assignment` on the built source gives the same bytes. Nothing here touches a gradebook.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autodiff_lab.checks.masked import CHOICES, names_made, words
from autodiff_lab.errors import typed
from autodiff_lab.grading.course import (
    HIDDEN,
    PART,
    TEST,
    CourseError,
    UnitPaths,
    default_course,
    default_solutions,
    exercise_of,
    paths,
    resolve_units,
)
from autodiff_lab.grading.drivers import comparing
from autodiff_lab.grading.masks import masks_of

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
KINDS = ("predict", "implement", "order", "choice", "find_bug", "kill_mutant", "measure", "written")
HEADING = "### Exercise: "
BEGIN_GENERATED, END_GENERATED = "<!-- made by build from the unit's metadata -->", "<!-- end -->"
MARK = "> **✎ Your turn** · "  # a quotation has a bar at its left, in every front end and theme
FACTS = re.compile(re.escape(MARK) + r"\d+ minutes? · difficulty \d of 5 · importance \d of 5 · [\d.]+ points?")
TEXT_FORMAT = "py:percent"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


class BuildError(CourseError):
    """What is wrong in a unit's source: one line per problem."""

    def __init__(self, unit: str, problems: list[str]) -> None:
        super().__init__(f"{unit}: " + "\n  ".join(problems))
        self.unit, self.problems = unit, problems


@dataclass
class Exercise:
    """One graded exercise, as the source states it. `points` are those of its tests together, or its own if written."""

    id: str
    kind: str
    title: str
    points: float
    minutes: int
    difficulty: int
    importance: int
    objectives: list[int]
    cell_type: str


@dataclass
class Built:
    """What one call of `build` did with a unit: the files that changed, and how long its solution ran."""

    unit: str
    changed: list[Path] = field(default_factory=list)
    exercises: list[Exercise] = field(default_factory=list)


# ---------------------------------------------------------------- reading


def read_text(path: Path) -> NotebookNode:
    """The notebook that a jupytext percent file describes, without what jupytext invents (ids, spacing)."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BuildError(path.stem, [f"there is no {path}"]) from None
    return _parse(text)


def _parse(text: str) -> NotebookNode:
    import jupytext  # half a second that a student's check does not need

    notebook = jupytext.reads(text, fmt=TEXT_FORMAT)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata.pop("lines_to_next_cell", None)
    return notebook


def _nbgrader(cell: NotebookNode, key: str) -> Any:
    return cell.metadata.get("nbgrader", {}).get(key)


def is_solution(cell: NotebookNode) -> bool:
    """Whether a student writes into this cell."""
    return bool(_nbgrader(cell, "solution"))


def is_test(cell: NotebookNode) -> bool:
    """Whether this is a locked test cell, marked by running it."""
    return bool(_nbgrader(cell, "grade")) and not is_solution(cell)


def exercises_of(notebook: NotebookNode) -> list[Exercise]:
    """The graded exercises of a notebook, in order. Lenient: what is missing is empty or 0; `problems` complains."""
    points: dict[str, float] = {}
    for cell in notebook.cells:
        if _nbgrader(cell, "grade"):
            exercise = exercise_of(_nbgrader(cell, "grade_id") or "")
            points[exercise] = points.get(exercise, 0) + (_nbgrader(cell, "points") or 0)
    found = []
    for index, cell in enumerate(notebook.cells):
        if not is_solution(cell):
            continue
        grade_id = _nbgrader(cell, "grade_id") or ""
        facts = cell.metadata.get("exercise", {})
        above = notebook.cells[index - 1].source if index else ""
        title = above.splitlines()[0].removeprefix(HEADING).strip() if above.startswith(HEADING) else grade_id
        found.append(
            Exercise(
                id=grade_id,
                kind=facts.get("kind", ""),
                title=title,
                points=points.get(grade_id, 0),
                minutes=facts.get("minutes", 0),
                difficulty=facts.get("difficulty", 0),
                importance=facts.get("importance", 0),
                objectives=list(facts.get("objectives", [])),
                cell_type=cell.cell_type,
            )
        )
    return found


# ---------------------------------------------------------------- checking a source


def problems(notebook: NotebookNode) -> list[str]:
    """Everything that keeps a source from being a unit, each in one line that names the cell."""
    cells, wrong = notebook.cells, []
    unit = cells[0].metadata.get("unit") if cells else None
    if not cells or cells[0].cell_type != "markdown" or not cells[0].source.startswith("# "):
        wrong.append("the first cell is not a markdown cell that starts with '# NN · Title'")
    if not isinstance(unit, dict):
        wrong.append("the first cell has no unit={...} metadata")
        unit = {}
    else:
        for key, kind in (("title", str), ("question", str), ("minutes", int), ("needs", list), ("objectives", list)):
            if not isinstance(unit.get(key), kind):
                wrong.append(f"unit metadata: {key!r} is missing, or is not a {kind.__name__}")
        if not set(unit.get("masks", [])) <= set(CHOICES):
            wrong.append(f"unit metadata: 'masks' may hold {', '.join(CHOICES)}")
    seen: set[str] = set()
    points = 0.0
    for index, cell in enumerate(cells):
        meta = cell.metadata.get("nbgrader")
        if meta is None:
            if "### BEGIN SOLUTION" in cell.source or "### BEGIN HIDDEN TESTS" in cell.source:
                wrong.append(f"cell {index + 1} has a solution or hidden region but no nbgrader metadata")
            if "exercise" in cell.metadata:
                wrong.append(f"cell {index + 1} has exercise metadata but no nbgrader metadata")
            continue
        grade_id = meta.get("grade_id")
        name = f"cell {grade_id!r}" if grade_id else f"cell {index + 1}"
        if not grade_id or not re.fullmatch(r"[A-Za-z0-9_-]+", grade_id):
            wrong.append(f"{name}: grade_id must be letters, digits, '-' and '_'")
            continue
        if grade_id in seen:
            wrong.append(f"{name}: grade_id is used twice")
        seen.add(grade_id)
        for key in ("grade", "locked", "schema_version", "solution", "task"):
            if key not in meta:
                wrong.append(f"{name}: nbgrader metadata lacks {key!r}")
        if meta.get("grade"):
            if not isinstance(meta.get("points"), (int, float)):
                wrong.append(f"{name}: nbgrader metadata lacks 'points'")
            else:
                points += meta["points"]
        if is_solution(cell):
            wrong.extend(_solution_problems(cells, index, name, unit))
        elif is_test(cell):
            wrong.extend(_test_problems(cells, index, name))
    if points != 100:
        wrong.append(f"the points sum to {points:g}, not 100")
    return wrong


def _solution_problems(cells: list[NotebookNode], index: int, name: str, unit: dict[str, Any]) -> list[str]:
    cell, wrong = cells[index], []
    facts = cell.metadata.get("exercise")
    if not index or cells[index - 1].cell_type != "markdown" or not cells[index - 1].source.startswith(HEADING):
        wrong.append(f"{name}: the cell right above is not a markdown cell that starts with {HEADING!r}")
    if not isinstance(facts, dict):
        return [*wrong, f"{name}: no exercise={{...}} metadata"]
    if facts.get("kind") not in KINDS:
        wrong.append(f"{name}: exercise kind {facts.get('kind')!r} is not one of {', '.join(KINDS)}")
    if not isinstance(facts.get("minutes"), int):
        wrong.append(f"{name}: exercise metadata: 'minutes' is missing, or is not a whole number")
    for key in ("difficulty", "importance"):
        if facts.get(key) not in (1, 2, 3, 4, 5):
            wrong.append(f"{name}: exercise metadata: {key!r} is not 1 to 5")
    count = len(unit.get("objectives", []) or [])
    for number in facts.get("objectives", []) or [None]:
        if not isinstance(number, int) or not 1 <= number <= count:
            wrong.append(f"{name}: exercise metadata: objective {number!r} is not one of the unit's {count}")
    if not set(facts.get("allows", [])) <= set(unit.get("masks", [])):
        wrong.append(f"{name}: exercise metadata: 'allows' may hold what the unit masks")
    written = facts.get("kind") == "written"
    if written != (cell.cell_type == "markdown"):
        wrong.append(f"{name}: a written exercise is a markdown cell, every other kind a code cell")
    if exercise_of(_nbgrader(cell, "grade_id")) != _nbgrader(cell, "grade_id"):
        wrong.append(f"{name}: an exercise has no {PART!r} in its id, which does not begin with {TEST!r}")
    if written and not _nbgrader(cell, "grade"):
        wrong.append(f"{name}: a written exercise carries its own points (grade and solution both true)")
    if not written:
        grade_id = _nbgrader(cell, "grade_id")
        below = cells[index + 1] if index + 1 < len(cells) else None
        if below is None or _nbgrader(below, "grade_id") != TEST + grade_id:
            wrong.append(f"{name}: the cell right below is not its test cell '{TEST}{grade_id}'")
        if "### BEGIN SOLUTION" not in cell.source or "### END SOLUTION" not in cell.source:
            wrong.append(f"{name}: no '### BEGIN SOLUTION' ... '### END SOLUTION' region")
    return wrong


def _test_problems(cells: list[NotebookNode], index: int, name: str) -> list[str]:
    cell, wrong = cells[index], []
    grade_id = _nbgrader(cell, "grade_id")
    exercise = exercise_of(grade_id)
    part = grade_id.removeprefix(TEST + exercise)
    above = cells[index - 1] if index else None
    if not grade_id.startswith(TEST) or not re.fullmatch(rf"({PART}\w+)?", part):
        wrong.append(
            f"{name}: a test cell is called '{TEST}' and the id of its exercise; a further one adds {PART}word"
        )
    elif not any(is_solution(other) and _nbgrader(other, "grade_id") == exercise for other in cells):
        wrong.append(f"{name}: there is no exercise {exercise!r}")
    elif above is None or exercise_of(_nbgrader(above, "grade_id") or "") != exercise or is_test(above) != bool(part):
        wrong.append(f"{name}: it does not stand right below its exercise's {'other tests' if part else 'answer'}")
    if not _nbgrader(cell, "locked"):
        wrong.append(f"{name}: a test cell is locked")
    if cell.source.count("### BEGIN HIDDEN TESTS") != cell.source.count("### END HIDDEN TESTS"):
        wrong.append(f"{name}: a hidden region is not closed")
    try:
        last = ast.parse(cell.source).body[-1:]
    except SyntaxError as error:
        return [*wrong, f"{name}: line {error.lineno}: {error.msg}"]
    wrong += [f"{name}: {said}" for said in comparing(cell.source)]
    if last and isinstance(last[0], ast.Expr) and not isinstance(last[0].value, ast.Call):
        wrong.append(f"{name}: ends in an expression; nbgrader would read its value as points")
    return wrong


def unnamed_tests(units: list[str] | None = None, course: Path | None = None) -> list[str]:
    """Units with test cells that do not begin like "# Test of mean: 12 points"; one line each.

    A folded cell shows its first line and nothing else. What stands after "Test of" is the author's; the points have
    to be the cell's.
    """
    course = Path(course) if course is not None else default_course()
    told = []
    for unit in resolve_units(units, course):
        found = []
        for cell in filter(is_test, read_text(paths(unit, course).text).cells):
            points = _count(_nbgrader(cell, "points") or 0, "point")
            if not re.fullmatch(rf"# Test of \S.*: {points}", cell.source.partition("\n")[0]):
                name = str(_nbgrader(cell, "grade_id")).removeprefix(TEST).replace(PART, ", ")
                found.append(f"# Test of {name}: {points}")
        if found:
            told.append(f"{unit}: {_count(len(found), 'test cell')} should begin like this: {'; '.join(found)}")
    return told


# ---------------------------------------------------------------- the three notebooks


def source_notebook(notebook: NotebookNode, unit: str) -> NotebookNode:
    """The notebook that nbgrader calls the source: ids, generated lines and tags added. `notebook` stays as it is."""
    wrong = problems(notebook)
    if wrong:
        raise BuildError(unit, wrong)
    built = nbformat.from_dict(json.loads(json.dumps(notebook)))
    facts = {exercise.id: exercise for exercise in exercises_of(built)}
    masks = masks_of(built)
    for index, cell in enumerate(built.cells):
        grade_id = _nbgrader(cell, "grade_id")
        cell["id"] = _cell_id(unit, grade_id or f"cell-{index + 1:02d}")
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
            if is_solution(cell) or is_test(cell):
                tags = cell.metadata.get("tags", [])
                cell.metadata["tags"] = [*tags, *(["raises-exception"] if "raises-exception" not in tags else [])]
            if is_test(cell):
                cell.metadata["jupyter"] = {"source_hidden": True}  # folded into its first line
        if is_solution(cell):
            above = built.cells[index - 1]
            heading, _, rest = above.source.partition("\n")
            told = _facts_line(facts[grade_id], masks.allows.get(grade_id, ()))
            above.source = f"{heading}\n\n{told}\n\n{rest.lstrip()}".rstrip("\n")
            if cell.cell_type == "code" and masks.of(grade_id):
                line = _mask_line(cell.source, masks.of(grade_id))
                for test in filter(is_test, built.cells[index + 1 :]):
                    if exercise_of(_nbgrader(test, "grade_id")) == grade_id:
                        test.source = _with_mask_line(test.source, line)
    first = built.cells[0]
    title, _, rest = first.source.partition("\n")
    first.source = f"{title}\n\n{_unit_header(first.metadata['unit'])}\n\n{rest.lstrip()}".rstrip("\n")
    nbformat.validate(built)
    return built


def _cell_id(unit: str, name: str) -> str:
    # nbformat allows 64 characters; unit numbers keep the ids of two units apart in one merged page.
    text = f"{unit[:2]}-{name}"
    return text if len(text) <= 64 else f"{text[:51]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _count(number: float, word: str) -> str:
    return f"{number:g} {word}{'' if number == 1 else 's'}"


def _facts_line(exercise: Exercise, allowed: tuple[str, ...] = ()) -> str:
    return (
        f"{MARK}{_count(exercise.minutes, 'minute')} · difficulty {exercise.difficulty} of 5 · "
        f"importance {exercise.importance} of 5 · {_count(exercise.points, 'point')}"
        + (f" · here you may use {words(allowed)}" if allowed else "")
    )


def _mask_line(solution: str, masks: tuple[str, ...]) -> str:
    """The line of a test cell that tells a student of an answer that uses what is masked."""
    names = sorted(name for statement in ast.parse(solution).body for name in names_made(statement))
    return f"student.without({', '.join(map(repr, masks))}, names={names})".replace("'", '"')


_STUDENT = "from autodiff_lab.checks import student\n"


def _with_mask_line(test: str, line: str) -> str:
    """Where the visible tests of a cell have passed."""
    visible, mark, hidden = test.partition("### BEGIN HIDDEN TESTS")
    if not re.search(r"^from autodiff_lab\.checks import .*\bstudent\b", visible, re.M):
        line = _STUDENT + line
    return f"{visible.rstrip()}\n{line}\n{mark}{hidden}".rstrip("\n")


def _unit_header(unit: dict[str, Any]) -> str:
    needs = ", ".join(f"[{name}](../{name}/{name}.ipynb)" for name in unit["needs"]) or "nothing before it"
    lines = [
        BEGIN_GENERATED,
        "",
        f"About {unit['minutes']} minutes · builds on {needs}",
        "",
        "After this unit you can:",
        "",
    ]
    lines += [f"{number}. {objective}" for number, objective in enumerate(unit["objectives"], start=1)]
    if masks := unit.get("masks"):
        lines += ["", f"Your answers are graded {words(masks, 'without ')}: you build what these do."]
    return "\n".join([*lines, "", END_GENERATED])


def release_steps(*recording: type) -> list[type]:
    """nbgrader's steps from source to release, in its order. `recording` goes where nbgrader saves to its gradebook."""
    from autodiff_lab.grading.stubs import ClearToStubs, steps

    return [
        steps.LockCells,
        ClearToStubs,
        steps.ClearOutput,
        steps.CheckCellMetadata,
        steps.ComputeChecksums,
        *recording,
        steps.ClearHiddenTests,
        steps.ClearMarkScheme,
        steps.ComputeChecksums,
        steps.CheckCellMetadata,
    ]


def release_notebook(source: NotebookNode) -> NotebookNode:
    """What a student gets: nbgrader's own steps of `generate_assignment`, without its gradebook."""
    notebook, resources = nbformat.from_dict(json.loads(json.dumps(source))), {}
    for step in release_steps():
        notebook, resources = step().preprocess(notebook, resources)
    return notebook


def solution_notebook(source: NotebookNode, unit: str, execute: bool = True, cwd: Path | None = None) -> NotebookNode:
    """The solved notebook for readers: solutions shown, hidden tests left out, run with them all the same.

    Raises BuildError if a cell of the solved source fails, writes to stderr, or prints what is not the same every time.
    """
    notebook = nbformat.from_dict(json.loads(json.dumps(source)))
    if execute:
        _run(notebook, unit, cwd)
    marks = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[^\n]*\n?", re.M)
    for cell in notebook.cells:
        cell.source = marks.sub("", HIDDEN.sub("", cell.source)).rstrip("\n")
        # Locking protects a submission; readers may edit and run everything.
        cell.metadata.pop("nbgrader", None)
        cell.metadata.pop("tags", None)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": {"name": "python"}})
    return notebook


def _run(notebook: NotebookNode, unit: str, cwd: Path | None) -> None:
    from autodiff_lab.grading.execute import run_notebook

    run_notebook(notebook, cwd=cwd)
    wrong = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        name = f"cell {_nbgrader(cell, 'grade_id') or index + 1}"
        for output in cell.outputs:
            if output.output_type == "error":
                wrong.append(f"{name}: the solved source fails: {output.ename}: {output.evalue}")
            if output.output_type == "stream" and output.name == "stderr":
                wrong.append(f"{name}: writes to stderr: {output.text.strip().splitlines()[-1][:200]}")
            data = output.get("data", {})
            if WIDGET_VIEW in data:
                # A view needs a live kernel; its static twin (text/html) stands for it in a file.
                del data[WIDGET_VIEW]
            shown = json.dumps([output.get("text", ""), data])
            unstable = re.search(r"\bat 0x[0-9a-f]{6,}|ipykernel_\d+|/tmp/|" + re.escape(sys.prefix), shown)
            if unstable:
                wrong.append(f"{name}: its output is not the same everywhere: it contains {unstable.group()!r}")
    if wrong:
        raise BuildError(unit, wrong)


# ---------------------------------------------------------------- files


def dumps(notebook: NotebookNode) -> str:
    """The bytes nbconvert would write: one trailing newline."""
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def _write(path: Path, text: str, changed: list[Path]) -> None:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    changed.append(path)


def _extra_files(place: UnitPaths) -> list[Path]:
    """Pictures and data beside the source that students get with the release."""
    skip = {place.text.name, place.source.name}
    return [
        path
        for path in sorted(place.text.parent.rglob("*"))
        if path.is_file()
        and path.name not in skip
        and not {"__pycache__", ".ipynb_checkpoints"} & set(path.relative_to(place.text.parent).parts)
    ]


def build(
    units: list[str] | None = None,
    course: Path | None = None,
    solutions: Path | None = None,
    execute: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Built]:
    """Build source, release and solved solution of `units` (None: all).

    `execute=False` leaves the outputs of the solutions as they are and is quick. `progress(unit, done, total)` is
    called before each unit and once at the end. Files that would not change are not written. Raises BuildError, which
    lists everything wrong in a unit's source.
    """
    course = Path(course) if course is not None else default_course()
    solutions = Path(solutions) if solutions is not None else default_solutions(course)
    names = resolve_units(units, course)
    done = []
    for number, unit in enumerate(names):
        if progress:
            progress(unit, number, len(names))
        done.append(_build_unit(paths(unit, course, solutions), execute))
    if progress:
        progress("", len(names), len(names))
    return done


def _build_unit(place: UnitPaths, execute: bool) -> Built:
    text = read_text(place.text)
    source = source_notebook(text, place.name)
    built = Built(place.name, exercises=exercises_of(source))
    _write(place.source, dumps(source), built.changed)
    _write(place.release, dumps(release_notebook(source)), built.changed)
    for path in _extra_files(place):
        copy = place.release.parent / path.relative_to(place.text.parent)
        if not copy.is_file() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            built.changed.append(copy)
    solution = solution_notebook(source, place.name, execute, cwd=place.text.parent)
    if not execute and place.solution.is_file():
        _keep_outputs(solution, nbformat.read(place.solution, as_version=4))
    _write(place.solution, dumps(solution), built.changed)
    return built


def _keep_outputs(new: NotebookNode, old: NotebookNode) -> None:
    kept = {cell.get("id"): cell for cell in old.cells if cell.cell_type == "code"}
    for cell in new.cells:
        before = kept.get(cell.get("id"))
        if cell.cell_type == "code" and before is not None and before.source == cell.source:
            cell.outputs, cell.execution_count = before.outputs, before.execution_count


def stale(
    units: list[str] | None = None, course: Path | None = None, solutions: Path | None = None, execute: bool = False
) -> list[Path]:
    """Generated files that are not what `build` would write now, without writing anything.

    Releases are compared byte for byte. Of solutions the cells are compared, and with `execute=True` their outputs too.
    """
    course = Path(course) if course is not None else default_course()
    solutions = Path(solutions) if solutions is not None else default_solutions(course)
    found = []
    for unit in resolve_units(units, course):
        place = paths(unit, course, solutions)
        source = source_notebook(read_text(place.text), unit)
        if not place.release.is_file() or place.release.read_text(encoding="utf-8") != dumps(release_notebook(source)):
            found.append(place.release)
        for path in _extra_files(place):
            copy = place.release.parent / path.relative_to(place.text.parent)
            if not copy.is_file() or copy.read_bytes() != path.read_bytes():
                found.append(copy)
        solution = solution_notebook(source, unit, execute, cwd=place.text.parent)
        if not place.solution.is_file():
            found.append(place.solution)
            continue
        committed = nbformat.read(place.solution, as_version=4)
        if not execute:
            if any(
                cell.cell_type == "code" and cell.source and cell.execution_count is None for cell in committed.cells
            ):
                found.append(place.solution)  # written by a build that did not run it
                continue
            _keep_outputs(solution, committed)
        if dumps(solution) != dumps(committed):
            found.append(place.solution)
    return found


# ---------------------------------------------------------------- from JupyterLab back to text


def from_notebook(unit: str, course: Path | None = None) -> Path:
    """Write the built source notebook, edited in JupyterLab, back into the unit's text file; returns that file.

    Cells that did not change keep their text to the byte, so that the difference shows only the edit.
    """
    course = Path(course) if course is not None else default_course()
    (unit,) = resolve_units([unit], course)
    place = paths(unit, course)
    if not place.source.is_file():
        raise BuildError(unit, [f"there is no built notebook {place.source}; run {typed('build')} first"])
    before = place.text.read_text(encoding="utf-8")
    place.text.write_text(text_from_notebook(nbformat.read(place.source, as_version=4), before), encoding="utf-8")
    return place.text


def text_from_notebook(notebook: NotebookNode, before: str) -> str:
    """The percent text of a built `notebook`; `before` is the text it was once built from."""
    import jupytext

    plain = _without_generated(notebook)
    head, chunks = _chunks(before)
    old = [_cell_key(cell) for cell in _parse(before).cells]
    new = [_cell_key(cell) for cell in plain.cells]
    fresh_text = jupytext.writes(plain, fmt=TEXT_FORMAT)
    _, fresh = _chunks(fresh_text)
    if len(old) != len(chunks) or len(new) != len(fresh):
        return fresh_text
    result: list[str] = []
    for action, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        result += chunks[start:end] if action == "equal" else fresh[new_start:new_end]
    text = head + "".join(
        chunk.rstrip("\n") + "\n\n" if i < len(result) - 1 else chunk for i, chunk in enumerate(result)
    )
    if result == chunks:
        text = before
    return text if [_cell_key(cell) for cell in _parse(text).cells] == new else fresh_text


def _without_generated(notebook: NotebookNode) -> NotebookNode:
    plain = nbformat.from_dict(json.loads(json.dumps(notebook)))
    for index, cell in enumerate(plain.cells):
        cell.pop("id", None)
        cell.pop("attachments", None)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        for key in ("deletable", "editable", "execution", "trusted", "collapsed", "scrolled"):
            cell.metadata.pop(key, None)
        if is_test(cell):
            cell.metadata.pop("jupyter", None)
            cell.source = re.sub(rf"^({_STUDENT})?student\.without\(.*\)\n?", "", cell.source, flags=re.M).rstrip("\n")
        for key in ("checksum", "cell_type"):
            cell.metadata.get("nbgrader", {}).pop(key, None)
        if cell.cell_type == "code" and (is_solution(cell) or is_test(cell)):
            tags = [tag for tag in cell.metadata.get("tags", []) if tag != "raises-exception"]
            cell.metadata.pop("tags", None)
            if tags:
                cell.metadata["tags"] = tags
        lines = cell.source.split("\n")
        if index == 0 and BEGIN_GENERATED in lines and END_GENERATED in lines:
            start, end = lines.index(BEGIN_GENERATED), lines.index(END_GENERATED)
            cell.source = _joined(lines[:start], lines[end + 1 :])
        elif lines[0].startswith(HEADING):
            fact = next((number for number, line in enumerate(lines[:4]) if FACTS.match(line)), None)
            if fact is not None:
                cell.source = _joined(lines[:fact], lines[fact + 1 :])
    plain.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC})
    return plain


def _joined(above: list[str], below: list[str]) -> str:
    return (
        "\n".join(above).rstrip("\n") + "\n\n" + "\n".join(below).lstrip("\n")
        if any(below)
        else "\n".join(above).rstrip("\n")
    )


def _cell_key(cell: NotebookNode) -> str:
    source = cell.source
    if source.startswith((HEADING, "# ")):
        # build puts exactly one blank line under a heading; how many the author wrote is no difference.
        heading, _, rest = source.partition("\n")
        source = f"{heading}\n\n{rest.lstrip()}".rstrip("\n")
    return json.dumps([cell.cell_type, source, cell.metadata], sort_keys=True)


def _chunks(text: str) -> tuple[str, list[str]]:
    parts = re.split(r"(?m)^(?=# %%)", text)
    return parts[0], parts[1:]


# ---------------------------------------------------------------- until there is a command line


def main(arguments: list[str] | None = None) -> int:
    """`python -m autodiff_lab.grading.build [UNIT…] [--no-execute] [--check] [--from-notebook UNIT]`."""
    parser = argparse.ArgumentParser(prog="python -m autodiff_lab.grading.build", description=__doc__)
    parser.add_argument("units", nargs="*", help="04_fan_out, 04 or fan_out; none means all")
    parser.add_argument("--course", type=Path)
    parser.add_argument("--solutions", type=Path)
    parser.add_argument("--no-execute", action="store_true", help="do not run the solutions again")
    parser.add_argument("--check", action="store_true", help="write nothing, name what is stale")
    parser.add_argument("--from-notebook", metavar="UNIT", help="write the built notebook back into the text file")
    options = parser.parse_args(arguments)
    try:
        if options.from_notebook:
            print(from_notebook(options.from_notebook, options.course))
            return 0
        if options.check:
            old = stale(options.units, options.course, options.solutions)
            print("\n".join(f"stale: {path}" for path in old) or "Everything is up to date.")
            return 1 if old else 0
        for built in build(options.units, options.course, options.solutions, execute=not options.no_execute):
            print(f"{built.unit}: {len(built.exercises)} exercises, {len(built.changed)} files changed")
            for path in built.changed:
                print(f"  wrote {path}")
    except CourseError as error:
        return error.tell()
    return 0


if __name__ == "__main__":
    sys.exit(main())

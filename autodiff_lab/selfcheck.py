"""A student's own check: runs the visible tests of a notebook in the workspace and reads what they say.

Not grading: nothing is written but the workspace's memory of the outcome, and hidden tests are not here at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from autodiff_lab.checks.masked import asked, notice
from autodiff_lab.errors import UserError, typed
from autodiff_lab.grading.build import Exercise, exercises_of, is_solution, is_test
from autodiff_lab.grading.course import exercise_of
from autodiff_lab.grading.handed_in import Unreadable, read_file
from autodiff_lab.grading.intake import take_in
from autodiff_lab.grading.matching import Release, match
from autodiff_lab.grading.notes import Note, for_student
from autodiff_lab.grading.results import ExerciseResult, Result, is_untouched, overall, read_exercises
from autodiff_lab.workspace import Workspace


@dataclass
class Outcome:
    """A unit as it stands: the result, what each failed test said, and what grading puts right or takes away."""

    result: Result
    exercises: list[Exercise]
    messages: dict[str, str]
    repairs: list[str]


def check_unit(
    workspace: Workspace,
    unit: str,
    on_cell: Callable[[int, int], None] | None = None,
    notebook: Path | None = None,
) -> Outcome:
    """Run the notebook of `unit` from top to bottom in a fresh kernel. `on_cell(done, of)` is told after each cell.

    `notebook`: another file than the one that counts, such as a copy. Raises UserError if the notebook is not there or
    cannot be read. The notebook's file is not changed.
    """
    path = notebook or workspace.notebook(unit)
    given = _read(workspace.release / unit / f"{unit}.ipynb")
    exercises = exercises_of(given)
    submission, notes = _as_grading_would(path, Release.of(given, unit), path.parent != workspace.root)
    _run(submission, path.parent, on_cell)
    found = {result.exercise: result for result in read_exercises(submission)}
    results = [found.get(e.id) or ExerciseResult(e.id, 0.0, e.points, None, "the cell was deleted") for e in exercises]
    untouched = all(is_untouched(cell) for cell in submission.cells if is_solution(cell))
    result = Result(
        student=workspace.student,
        unit=unit,
        status=overall(results, untouched),
        score=sum(r.points or 0.0 for r in results),
        max_score=sum(r.max_points for r in results),
        exercises=results,
        needs_manual=any(r.points is None for r in results),
    )
    if path.resolve() == workspace.notebook(unit).resolve():
        workspace.remember(unit, asdict(result))
    return Outcome(result, exercises, _messages(submission), [*for_student(notes), *_taken_away(submission)])


def last_outcome(workspace: Workspace, unit: str) -> tuple[Result, bool] | None:
    """The result of the last check, and whether the notebook is unchanged since; None if it was never checked."""
    kept = workspace.remembered(unit)
    return None if kept is None else (Result.from_dict(kept[0]), kept[1])


def unit_facts(workspace: Workspace, unit: str) -> dict[str, Any]:
    """What the release of a unit states: title, question, minutes, its exercises, and their points together."""
    notebook = _read(workspace.release / unit / f"{unit}.ipynb")
    facts = dict(notebook.cells[0].metadata.get("unit", {})) if notebook.cells else {}
    facts.setdefault("title", unit)
    facts["exercises"] = exercises_of(notebook)
    facts["points"] = sum(exercise.points for exercise in facts["exercises"])
    return facts


def _read(path: Path) -> NotebookNode:
    if not path.is_file():
        raise UserError(f"there is no {path}.", f"{typed('lab')} puts the units back that are missing.")
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # whatever a damaged file makes nbformat raise
        raise _broken(path, type(error).__name__) from None


def _broken(path: Path, reason: str) -> UserError:
    return UserError(
        f"{path} cannot be read as a notebook ({reason}).",
        f"if it is beyond repair, move it away; {typed('lab')} then puts a fresh one there.",
    )


def _as_grading_would(path: Path, release: Release, has_folder: bool) -> tuple[NotebookNode, list[Note]]:
    """The notebook as intake would make it, and everything that it would have to put right.

    `has_folder`: whether what lies beside it is handed in with it.
    """
    if not path.is_file() and not path.is_dir():
        raise UserError(f"there is no {path}.", f"{typed('lab')} puts the units back that are missing.")
    try:
        folder = path.parent.resolve()  # a student may well keep the workspace behind a link
        submission, notes = match(read_file(folder, path.name), release)
    except Unreadable as why:
        raise _broken(path, str(why)) from None
    beside = take_in(folder, release).notes if has_folder else []
    return submission, list(dict.fromkeys([*notes, *beside]))


def _run(submission: NotebookNode, folder: Path, on_cell: Callable[[int, int], None] | None) -> None:
    from autodiff_lab.grading.execute import ExecuteInOneKernel

    class Runner(ExecuteInOneKernel):
        def _run_cell(self, cell: NotebookNode, index: int) -> None:
            super()._run_cell(cell, index)
            if on_cell:
                on_cell(index + 1, len(submission.cells))

    Runner().preprocess(submission, {"metadata": {"path": str(folder)}})


def _taken_away(submission: NotebookNode) -> list[str]:
    """What passing tests would announce of answers that use what is hidden when they are graded.

    In this kernel a test cannot: it has no record of the cells.
    """
    transform = TransformerManager().transform_cell  # magics are no Python
    cells = [transform(cell.source) for cell in submission.cells if cell.cell_type == "code"]
    found = (
        " ".join(said.split()).rstrip(".")
        for cell in submission.cells
        if is_test(cell) and not any(output.output_type == "error" for output in cell.get("outputs", []))
        for names, masks in asked(cell.source)
        if (said := notice(names, cells, masks))
    )
    return list(dict.fromkeys(found))  # each test of an exercise asks about the same


def _messages(submission: NotebookNode) -> dict[str, str]:
    """What each failed test said, by exercise."""
    said: dict[str, list[str]] = {}
    for cell in submission.cells:
        if is_test(cell):
            errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
            if errors:
                said.setdefault(exercise_of(cell.metadata.nbgrader["grade_id"]), []).append(errors[-1].evalue.strip())
    return {exercise: "\n\n".join(messages) for exercise, messages in said.items()}

"""The cells of a unit as a gradebook has them, and what happens to their marks when the unit changes.

nbgrader refuses to add or remove cells of a unit that somebody has submitted: marks are attached to them by name.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from autodiff_lab.errors import typed
from autodiff_lab.grading.course import TEST, CourseError, exercise_of
from autodiff_lab.grading.notes import listed, shown

Cells = set[tuple[Any, ...]]
"""What a gradebook holds of cells: (kind, name, and what matters of that kind)."""


def to_enter(notebook_cells: list[NotebookNode]) -> Cells:
    """What `SaveCells` would write of a unit's cells."""
    found: Cells = set()
    for cell in notebook_cells:
        about = cell.metadata.get("nbgrader", {})
        name = about.get("grade_id")
        if is_grade(cell):
            found.add(("grade", name, float(about["points"]), cell.cell_type))
        if is_solution(cell):
            found.add(("solution", name))
        if is_task(cell):
            found.add(("task", name, float(about["points"]), cell.cell_type))
        if is_grade(cell) or is_solution(cell) or is_task(cell) or is_locked(cell):
            found.add(("source", name, cell.cell_type, is_locked(cell), cell.source, about.get("checksum")))
    return found


def in_gradebook(gradebook: Gradebook, unit: str) -> Cells | None:
    """What stands in the gradebook of a unit's cells; None if the unit does not."""
    try:
        notebook = gradebook.find_notebook(unit, unit)
    except MissingEntry:
        return None
    return {
        *(("grade", cell.name, cell.max_score, cell.cell_type) for cell in notebook.grade_cells),
        *(("solution", cell.name) for cell in notebook.solution_cells),
        *(("task", cell.name, cell.max_score, cell.cell_type) for cell in notebook.task_cells),
        *(
            ("source", cell.name, cell.cell_type, cell.locked, cell.source, cell.checksum)
            for cell in notebook.source_cells
        ),
    }


def refused(gradebook: Gradebook, unit: str, wanted: Cells) -> CourseError:
    """The error that says why a unit's present cells (`wanted`) cannot be entered, what may be lost, what to do."""
    stands = in_gradebook(gradebook, unit) or set()
    lists = (("gone", _only_in(stands, wanted)), ("new", _only_in(wanted, stands)))
    changes = "; ".join(f"{word}: {', '.join(names)}" for word, names in lists if names)
    ways = ["give them their old names in the source, and every mark stays"]
    renamed = [f"--renamed {old}={new}" for old, new in sorted(_renamed(stands, wanted).items())]
    if renamed:
        ways.append(
            f"if it is the same under another name, keep the marks with: {typed(f'grade {unit}')} {' '.join(renamed)}"
        )
    ways.append("or grade the unit in a fresh course folder")
    by_hand = [f"{student} {points:g} in {exercise}" for student, exercise, points in marks_by_hand(gradebook, unit)]
    lost = f", {len(by_hand)} of them given by hand ({listed([shown(mark) for mark in by_hand])})" if by_hand else ""
    command = typed(f"nbgrader db assignment remove {unit} --force")
    ways.append(f"{command} would throw away all marks of the unit{lost}")
    return CourseError(
        f"{unit}: its exercises have changed since it was graded ({changes or 'other kinds'}).", f"{'; '.join(ways)}."
    )


def marks_by_hand(gradebook: Gradebook, unit: str) -> list[tuple[str, str, float]]:
    """Every mark that a person gave in a unit: student, exercise, points (extra credit included)."""
    found = []
    for submission in gradebook.assignment_submissions(unit):
        for grade in (grade for notebook in submission.notebooks for grade in notebook.grades):
            if grade.manual_score is not None or grade.extra_credit:
                points = (grade.manual_score or 0.0) + (grade.extra_credit or 0.0)
                found.append((submission.student.id, exercise_of(grade.name), points))
    return sorted(found)


def rename(gradebook: Gradebook, unit: str, names: dict[str, str]) -> None:
    """Give exercises other names (old -> new), with every mark that they have.

    Raises CourseError if there is none of an old name, or one of a new name.
    """
    try:
        notebook = gradebook.find_notebook(unit, unit)
    except MissingEntry:
        raise CourseError(f"{unit} has not been graded: it has no marks to keep.", "Leave out --renamed.") from None
    cells = [*notebook.grade_cells, *notebook.solution_cells, *notebook.task_cells, *notebook.source_cells]
    known = {exercise_of(cell.name) for cell in cells}
    for old, new in names.items():
        if old not in known or new in known:
            why = f"{new} is there already" if new in known else f"{old} is not in the gradebook"
            told = ", ".join(sorted({exercise_of(cell.name) for cell in notebook.grade_cells}))
            raise CourseError(f"{unit}: {old} cannot be renamed to {new}: {why}.", f"Its exercises there are: {told}.")
    for cell in cells:
        exercise = exercise_of(cell.name)
        if exercise in names:
            start = len(TEST) if cell.name.startswith(TEST) else 0
            cell.name = cell.name[:start] + names[exercise] + cell.name[start + len(exercise) :]


def _only_in(cells: Cells, others: Cells) -> list[str]:
    """The exercises that others do not have; of an exercise that both have, the cells that others do not have."""
    own, theirs = ({name for kind, name, *_ in some if kind == "source"} for some in (cells, others))
    known = set(map(exercise_of, theirs))
    return sorted({name if exercise_of(name) in known else exercise_of(name) for name in own - theirs})


def _renamed(stands: Cells, wanted: Cells) -> dict[str, str]:
    """Exercises that look like one another but for the name: the same kinds of cells with the same points."""

    def shapes(cells: Cells) -> dict[str, list[tuple[Any, ...]]]:
        found: dict[str, list[tuple[Any, ...]]] = {}
        for kind, name, *more in cells:
            shape = (kind, name.startswith(TEST), *(more if kind != "source" else more[:2]))
            found.setdefault(exercise_of(name), []).append(shape)
        return {name: sorted(shape) for name, shape in found.items()}

    old, new = shapes(stands), shapes(wanted)
    pairs = {}
    for name in old.keys() - new.keys():
        like = [other for other in new.keys() - old.keys() if new[other] == old[name]]
        alike = [other for other in old.keys() - new.keys() if old[other] == old[name]]
        if len(like) == len(alike) == 1:
            pairs[name] = like[0]
    return pairs

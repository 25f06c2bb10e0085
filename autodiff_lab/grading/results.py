"""What grading says about a class: one record per student and unit, and how it reads off an executed notebook."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from autodiff_lab.grading.course import NOTES, exercise_of

if TYPE_CHECKING:
    from nbformat import NotebookNode

GRADED = "graded"
NEEDS_MANUAL = "needs manual grading"
UNTOUCHED = "untouched"
MISSING = "missing"
UNREADABLE = "unreadable"
AMBIGUOUS = "ambiguous"
WRONG_UNIT = "wrong unit"
TIMEOUT = "timeout"
CRASHED = "crashed"
OUT_OF_MEMORY = "out of memory"
NOT_GRADED = "not graded"

STATUSES = {
    GRADED: "marked completely",
    NEEDS_MANUAL: "marked by the tests; written answers are open",
    UNTOUCHED: "handed in as it was given out",
    MISSING: "nothing handed in",
    UNREADABLE: "handed in, but the notebook cannot be read",
    AMBIGUOUS: "several notebooks with different answers were handed in",
    WRONG_UNIT: "the notebook of another unit was handed in",
    TIMEOUT: "an exercise did not end in time; the others are marked",
    CRASHED: "an exercise ended the kernel; the others are marked",
    OUT_OF_MEMORY: "an exercise used up the memory; the others are marked",
    NOT_GRADED: "handed in, and grading it failed",
}
"""Every status a submission can have, and what it means, in words for the report."""

ONLY_HIDDEN = "only a hidden test failed"

NO_SCORE = (MISSING, UNREADABLE, AMBIGUOUS, WRONG_UNIT, NOT_GRADED)
"""Statuses of a submission that has no points at all, which is not 0."""

NEW, NEWER, SAME = "new", "newer", "unchanged"
"""How what is collected stands to what was there."""


@dataclass
class ExerciseResult:
    """Points of one exercise. `points` is None while a person has to mark it. `misconception` is a catalogue code.

    `also`: codes of misconceptions that would fit the same answer, and are not what the student is told.
    """

    exercise: str
    points: float | None
    max_points: float
    misconception: str | None = None
    note: str = ""
    also: list[str] = field(default_factory=list)


@dataclass
class Result:
    """One student's one unit. `score` is None where there is nothing to score (missing, unreadable): that is no 0."""

    student: str
    unit: str
    status: str
    score: float | None
    max_score: float
    exercises: list[ExerciseResult] = field(default_factory=list)
    late_seconds: float = 0.0
    needs_manual: bool = False
    note: str = ""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Result:
        """The inverse of `asdict`. What else is in `data` is left out."""
        known = {item.name: data[item.name] for item in fields(cls) if item.name in data}
        known["exercises"] = [ExerciseResult(**exercise) for exercise in data.get("exercises", [])]
        return cls(**known)


def person_name(person: dict[str, Any]) -> str:
    """ "Last, First" of a roster entry, or its id."""
    parts = [part for part in (person.get("last_name"), person.get("first_name")) if part]
    return ", ".join(parts) or str(person["id"])


def as_json(results: list[Result]) -> dict[str, Any]:
    """What `--json` prints: {"students": [...]}, plain data."""
    students = [asdict(result) for result in results]
    for exercise in (exercise for student in students for exercise in student["exercises"]):
        del exercise["also"]  # for whoever writes tests
    return {"students": students}


def read_exercises(notebook: NotebookNode) -> list[ExerciseResult]:
    """Points, misconception and note of every exercise of an executed submission, by nbgrader's own `determine_grade`.

    Of several tests each earns its own points; the first one that failed tells, one that all can see before a hidden
    one. The notebook must hold the graded cells (nbgrader's sanitising has restored them).
    """
    from nbgrader.utils import determine_grade, is_grade, is_solution

    solutions = {cell.metadata.nbgrader["grade_id"]: cell for cell in notebook.cells if is_solution(cell)}
    found: dict[str, ExerciseResult] = {}
    for cell in filter(is_grade, notebook.cells):
        exercise = exercise_of(cell.metadata.nbgrader["grade_id"])
        points, max_points = determine_grade(cell)
        if is_solution(cell):
            misconception, note = None, "marked by hand" if points is None else "no answer"
        else:
            misconception, note = why(cell, solutions.get(exercise))
        also = cell.metadata.get(NOTES, {}).get("also", ()) if misconception else ()
        result = ExerciseResult(exercise, points, max_points, misconception, note, list(also))
        found[exercise] = _sum(found[exercise], result) if exercise in found else result
    return list(found.values())


def _sum(one: ExerciseResult, other: ExerciseResult) -> ExerciseResult:
    """The result of an exercise by those of its tests, in their order."""
    tells = max(one, other, key=lambda result: ("", ONLY_HIDDEN, result.note).index(result.note))
    points = None if one.points is None or other.points is None else one.points + other.points
    return replace(tells, points=points, max_points=one.max_points + other.max_points)


def why(test: NotebookNode, answer: NotebookNode | None) -> tuple[str | None, str]:
    """The misconception that a test cell's error names, and how the exercise ended in a few words ("": passed)."""
    from autodiff_lab.units import in_message

    errors = [output for output in test.get("outputs", []) if output.output_type == "error"]
    notes = test.metadata.get(NOTES, {})
    ended = notes.get("ended") or (answer.metadata.get(NOTES, {}).get("ended") if answer is not None else None)
    if not errors:
        return None, ""
    if ended:
        return None, ended
    named = in_message(errors[-1].evalue)
    code = named.code if named is not None else None
    if answer is None:
        return code, "the answer cell was deleted"
    if is_untouched(answer) or errors[-1].ename in ("NotStarted", "NotImplementedError"):
        return code, "not started"
    if notes.get("masked"):
        return None, f"uses what is not available: {', '.join(notes['masked'])}"
    if notes.get("hidden"):
        return code, ONLY_HIDDEN
    return code, {
        "WrongAnswer": "wrong answer",
        "AnswerRaised": "the answer raises an error",
        "AnswerMissing": "the answer is missing",
        "BudgetExceeded": "too many calls",
    }.get(errors[-1].ename, errors[-1].ename)


def is_untouched(cell: NotebookNode) -> bool:
    """Whether a solution cell still is what was given out (its checksum is the release's)."""
    from nbgrader.utils import compute_checksum

    return cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)


def is_all_untouched(notebook: NotebookNode) -> bool:
    """Whether every exercise of a submission has its answer cell, and each is what was given out."""
    from nbgrader.utils import is_grade, is_solution

    answers = {cell.metadata.nbgrader["grade_id"]: cell for cell in notebook.cells if is_solution(cell)}
    wanted = {exercise_of(cell.metadata.nbgrader["grade_id"]) for cell in notebook.cells if is_grade(cell)}
    return wanted <= answers.keys() and all(is_untouched(cell) for cell in answers.values())


def overall(exercises: list[ExerciseResult], untouched: bool) -> str:
    """The status of a submission that was executed."""
    if untouched:
        return UNTOUCHED
    notes = {exercise.note for exercise in exercises}
    for status in (CRASHED, OUT_OF_MEMORY, TIMEOUT):
        if status in notes:
            return status
    return NEEDS_MANUAL if any(exercise.points is None for exercise in exercises) else GRADED

"""What instructors read on a terminal about a class: its marks, and what grading would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autodiff_lab.grading.results import Result

if TYPE_CHECKING:
    from autodiff_lab.grading.changes import Change


def console() -> Console:
    """The terminal, or 120 columns where there is none."""
    found = Console(highlight=False, soft_wrap=False)
    if not found.is_terminal:
        found.width = 120
    return found


def table(*columns: str) -> Table:
    """A table with these headings; numbers stand on the right."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        numbers = name in ("points", "score", "passed")
        made.add_column(name, justify="right" if numbers else "left", no_wrap=numbers, overflow="fold")
    return made


def points_of(points: float | None, of: float) -> str:
    """`12 / 20`, or `- / 20` where nothing is known."""
    return f"{'-' if points is None else format(points, 'g')} / {of:g}"


def tell_grades(results: list[Result], names: Mapping[str, str]) -> None:
    """One line a submission, and how many there are of each status. `names`: student -> name, where one is known."""
    named = _named({result.student for result in results}, names)
    shown = table("student", *(["name"] if named else []), "unit", "status", "score", "")
    for result in results:
        score = "" if result.score is None else points_of(result.score, result.max_score)
        name = [named.get(result.student, "")] if named else []
        shown.add_row(*map(escape, [result.student, *name, result.unit, result.status, score, result.note]))
    console().print(shown)
    counts = Counter(result.status for result in results)
    console().print(", ".join(f"{number} {status}" for status, number in counts.most_common()))


def tell_changes(changes: list[Change], submissions: int, names: Mapping[str, str]) -> None:
    """One line a difference: what it was and what it would be."""

    def value(what: str, value: Any) -> str:
        if value is None or value == "":
            return "-"
        if what == "late":
            return f"{value / 3600:.1f} h"
        return format(value, "g") if isinstance(value, float | int) else str(value)

    if changes:
        named = _named({change.student for change in changes}, names)
        shown = table("student", *(["name"] if named else []), "unit", "", "now", "would be")
        for change in changes:
            name = [named.get(change.student, "")] if named else []
            values = [value(change.what, each) for each in (change.old, change.new)]
            shown.add_row(*map(escape, [change.student, *name, change.unit, change.what, *values]))
        console().print(shown)
    touched = len({(change.student, change.unit) for change in changes})
    console().print(f"{touched or 'None'} of {submissions} submissions would change. Nothing has been written.")


def _named(students: set[str], names: Mapping[str, str]) -> dict[str, str]:
    """The names that say more than the ids."""
    return {student: names[student] for student in students if names.get(student, student) != student}

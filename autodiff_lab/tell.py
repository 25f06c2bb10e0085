"""How the commands speak on a terminal: tables and a few sentences. Knows what to say, not how it was found."""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autodiff_lab.checks.misconceptions import CATALOGUE
from autodiff_lab.doctor import Finding
from autodiff_lab.grading.results import ExerciseResult, Result
from autodiff_lab.selfcheck import Outcome, last_outcome, unit_facts
from autodiff_lab.workspace import Workspace

PASSED, OPEN, FAILED, BY_HAND = "passed", "not started", "not yet", "marked by hand"


def _console() -> Console:
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = 120
    return console


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name in ("points", "score") else "left")
    return table


def state_of(exercise: ExerciseResult) -> str:
    """How far an exercise is, in two words."""
    if exercise.points is None:
        return BY_HAND
    if exercise.points >= exercise.max_points:
        return PASSED
    return OPEN if exercise.note in ("not started", "no answer") else FAILED


def _points(points: float | None, of: float) -> str:
    return f"{'-' if points is None else format(points, 'g')} / {of:g}"


def tell_check(outcome: Outcome) -> None:
    """Exercise by exercise: points, what the test saw, where to read."""
    console, result = _console(), outcome.result
    titles = {exercise.id: exercise.title for exercise in outcome.exercises}
    table = _table("exercise", "points", "", "where to read")
    for exercise in result.exercises:
        state = state_of(exercise)
        known = CATALOGUE.get(exercise.misconception or "")
        style = {PASSED: "green", FAILED: "red"}.get(state, "dim")
        told = known.name if known else exercise.note if state == FAILED else state
        read = known.read if known else ""
        table.add_row(
            escape(titles.get(exercise.exercise, exercise.exercise)),
            _points(exercise.points, exercise.max_points),
            f"[{style}]{escape(told)}[/]",
            escape(read),
        )
    console.print(table)
    for exercise in result.exercises:
        if state_of(exercise) == FAILED and exercise.exercise in outcome.messages:
            console.print(f"[bold]{escape(titles.get(exercise.exercise, exercise.exercise))}[/]")
            for line in outcome.messages[exercise.exercise].strip().splitlines():
                console.print("  " + escape(line))
            console.print()
    for repair in outcome.repairs:
        console.print(f"Note: {escape(repair)}.")
    by_hand = sum(e.max_points for e in result.exercises if e.points is None)
    console.print(
        f"{result.unit}: {result.score:g} of {result.max_score:g} points"
        + (f"; {by_hand:g} more are marked by hand." if by_hand else ".")
    )


def tell_progress(place: Workspace, units: list[str]) -> None:
    """One line a unit."""
    console = _console()
    if not units:
        console.print(f"There are no units in {place.root}. Start with: python3 -m autodiff_lab lab")
        return
    table = _table("unit", "title", "points", "passed", "")
    score = total = 0.0
    for unit in units:
        facts = unit_facts(place, unit)
        known, edited = last_outcome(place, unit), place.edited(unit)
        total += facts["points"]
        points, passed, words = f"- / {facts['points']:g}", f"- / {facts['exercises']}", "not started"
        if known:
            result, fresh = known
            done = sum(state_of(exercise) == PASSED for exercise in result.exercises)
            score += result.score or 0.0
            points, passed = _points(result.score, result.max_score), f"{done} / {len(result.exercises)}"
            open_ones = [e.exercise for e in result.exercises if state_of(e) in (OPEN, FAILED)]
            words = "open: " + ", ".join(open_ones) if open_ones else "everything passed that is tested"
            if not fresh:
                words = f"changed since the last check; then {words}"
        elif edited:
            words = f"begun, not checked: check {unit[:2]}"
        handed_in = place.submitted(unit)
        if handed_in:
            words += f"; handed in {handed_in[-1][:16]}"
        table.add_row(unit, escape(str(facts["title"])), points, passed, escape(words))
    console.print(table)
    console.print(f"{score:g} of {total:g} points. The units are in {place.root}.")


def tell_grades(results: list[Result]) -> None:
    """One line a submission, and how many there are of each status."""
    console = _console()
    table = _table("student", "unit", "status", "score", "")
    for result in results:
        score = "" if result.score is None else _points(result.score, result.max_score)
        table.add_row(escape(result.student), result.unit, result.status, score, escape(result.note))
    console.print(table)
    counts = Counter(result.status for result in results)
    console.print(", ".join(f"{number} {status}" for status, number in counts.most_common()))


def tell_findings(findings: list[Finding]) -> None:
    """One line each, ok or not, and how to get what is missing."""
    console = _console()
    styles = {"ok": "green", "missing": "red", "optional": "yellow"}
    table = _table("", "", "", "how to get it")
    for finding in findings:
        state = "missing (optional)" if finding.state == "optional" else finding.state
        table.add_row(finding.what, f"[{styles[finding.state]}]{state}[/]", escape(finding.found), escape(finding.how))
    console.print(table)

"""How the commands speak on a terminal: tables and a few sentences. Knows what to say, not how it was found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from autodiff_lab.doctor import Finding
from autodiff_lab.errors import typed
from autodiff_lab.grading.notes import shown
from autodiff_lab.grading.results import NEW, NEWER, SAME, ExerciseResult
from autodiff_lab.selfcheck import Outcome, last_outcome, unit_facts
from autodiff_lab.tell_class import console as _console
from autodiff_lab.tell_class import points_of as _points
from autodiff_lab.tell_class import table as _table
from autodiff_lab.units import catalogue
from autodiff_lab.workspace import Workspace

if TYPE_CHECKING:
    from autodiff_lab.grading.collect import Collection
    from autodiff_lab.hand_in import HandedIn

PASSED, OPEN, FAILED, BY_HAND = "passed", "not started", "not yet", "marked by hand"


def state_of(exercise: ExerciseResult) -> str:
    """How far an exercise is, in two words."""
    if exercise.points is None:
        return BY_HAND
    if exercise.points >= exercise.max_points:
        return PASSED
    return OPEN if exercise.note in ("not started", "no answer") else FAILED


def tell_check(outcome: Outcome) -> None:
    """Exercise by exercise: points, what the test saw, where to read."""
    console, result = _console(), outcome.result
    titles = {exercise.id: exercise.title for exercise in outcome.exercises}
    table = _table("exercise", "points", "", "where to read")
    for exercise in result.exercises:
        state = state_of(exercise)
        known = catalogue().get(exercise.misconception or "")
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
            console.print(Padding(Text.from_ansi(outcome.messages[exercise.exercise].strip()), (0, 0, 1, 2)))
    for repair in outcome.repairs:
        console.print(f"Note: {escape(repair)}.")
    by_hand = sum(e.max_points for e in result.exercises if e.points is None)
    console.print(
        f"{result.unit}: {result.score:g} of {result.max_score:g} points"
        + (f"; {by_hand:g} more are marked by hand." if by_hand else ".")
    )


def tell_hand_in(place: Workspace, done: HandedIn) -> None:
    """What was handed in, how, and what is left to do for it to arrive."""
    console, result = _console(), done.outcome.result
    for repair in done.outcome.repairs:
        console.print(f"Note: {escape(repair)}.")
    left = [exercise for exercise in result.exercises if state_of(exercise) in (OPEN, FAILED)]
    console.print(
        f"{result.unit}: {result.score:g} of {result.max_score:g} points by the tests"
        + (f", {len(left)} of {len(result.exercises)} exercises are open. " if left else ". ")
        + (f"{typed('check ' + result.unit[:2])} says more." if left else "")
    )
    if done.exchange is not None:
        console.print(
            f"Submitted to {done.exchange.root} as {escape(done.student)}. You may submit again: the newest counts."
        )
        return
    for name in done.left_behind:
        console.print(f"Note: {escape(name)} lies beside the notebook and is not in the file.")
    console.print("Nothing is sent by this. Upload this file where your instructor asks for it:", soft_wrap=True)
    console.print(f"  {escape(str(done.file))}", soft_wrap=True)
    if not place.knows_student():
        console.print(
            f"It carries the name {escape(done.student)}. If your instructor knows you by another id: "
            f"{typed(f'hand-in {result.unit[:2]} --student ID')}",
            soft_wrap=True,
        )


def tell_collection(collection: Collection) -> None:
    """How much was taken in of each unit, and one line for each file that was not."""
    console = _console()
    counts = Counter((taken.unit, taken.what) for taken in collection.taken)
    for unit in sorted({taken.unit for taken in collection.taken}):
        told = [f"{counts[unit, what]} {what}" for what in (NEW, NEWER, SAME) if counts[unit, what]]
        console.print(f"{unit}: {', '.join(told)}")
    if not collection.taken:
        console.print("Nothing was taken in.")
    for name, why in collection.left:
        console.print(f"Left where it is: {escape(shown(name))}: {escape(why)}.", soft_wrap=True)


def tell_progress(place: Workspace, units: list[str]) -> None:
    """One line a unit."""
    console = _console()
    if not units:
        console.print(f"There are no units in {place.root}. Start with: {typed('lab')}")
        return
    table = _table("unit", "title", "points", "passed", "")
    score = total = 0.0
    for unit in units:
        facts = unit_facts(place, unit)
        known, edited = last_outcome(place, unit), place.edited(unit)
        total += facts["points"]
        titles = {exercise.id: exercise.title for exercise in facts["exercises"]}
        points, passed, words = f"- / {facts['points']:g}", f"- / {len(titles)}", "not started"
        if known:
            result, fresh = known
            done = sum(state_of(exercise) == PASSED for exercise in result.exercises)
            score += result.score or 0.0
            points, passed = _points(result.score, result.max_score), f"{done} / {len(result.exercises)}"
            left = [titles.get(e.exercise, e.exercise) for e in result.exercises if state_of(e) in (OPEN, FAILED)]
            words = f"{len(left)} open, next: {left[0]}" if left else "all tests passed"
            if not fresh:
                words += "; changed since it was checked"
        elif edited:
            words = f"begun, not checked: {typed('check ' + unit[:2])}"
        if times := place.submitted(unit):
            words += f"; submitted {times[-1][:16]}"
        elif files := place.to_upload(unit):
            current = files[0].read_bytes() == place.notebook(unit).read_bytes()
            words += f"; to upload: {files[0].relative_to(place.root)}" if current else "; changed since hand-in"
        table.add_row(unit, escape(str(facts["title"])), points, passed, escape(words))
    console.print(table)
    console.print(f"{score:g} of {total:g} points. The units are in {place.root}.")


def tell_findings(findings: list[Finding]) -> None:
    """One line each, ok or not, and how to get what is missing."""
    console = Console(highlight=False, soft_wrap=True)
    styles = {"ok": "green", "missing": "red", "optional": "yellow"}
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        state = f"[{styles[finding.state]}]{finding.state:8}[/]"
        console.print(f"{state}  {finding.what:{width}}  {escape(finding.found)}")
        if finding.how:
            console.print(f"{'':10}{'':{width}}  to get it: {escape(finding.how)}")


def tell_benchmarks(rows: list[dict[str, Any]]) -> None:
    """One table for each piece of work: the CPU time of a step, the ratio to another engine's, and what is asked."""
    console = _console()
    for work in dict.fromkeys(row["work"] for row in rows):
        console.print(escape(work))
        shown = [row for row in rows if row["work"] == work]
        peak = ["peak memory"] if any("peak_bytes" in row for row in shown) else []
        table = _table("engine", "median", "beside", "asked", "aim", "", *peak)
        for row in shown:
            state = _judged(row)
            style = {"missed": "red", "holds": "yellow"}.get(state, "green")
            cells = row["engine"], _seconds(row["median_s"]), *_ratios(row), f"[{style}]{state}[/]"
            table.add_row(*cells, *([_peak_memory(row)] if peak else []))
        console.print(table)


def _judged(row: dict[str, Any]) -> str:
    """How a ratio stands to what is asked; empty where nothing is."""
    if "target" not in row:
        return ""
    within = row.get("peak_ratio", 0.0) <= row.get("peak_target", 1.0)
    if not (within and row["at_least"] <= row["ratio"] <= row["target"]):
        return "missed"
    return "aim reached" if row["ratio"] <= (row["aim"] or row["target"]) else "holds"


def _ratios(row: dict[str, Any]) -> tuple[str, str, str]:
    """The ratio, what is asked and the aim. Where a fraction is asked, as people say it: so many times faster."""
    target, aim, peer = row.get("target"), row.get("aim"), row["ratio_to"]
    if target is not None and target < 0.3:
        return (
            f"{1 / row['ratio']:.3g} times faster than {peer}",
            f"≥ {1 / target:.3g}",
            f"≥ {1 / aim:.3g}" if aim else "",
        )
    asked = "" if target is None else f"{row['at_least']:g} to {target:g}" if row["at_least"] else f"≤ {target:g}"
    return f"{row['ratio']:.2f} × {peer}" if peer != row["engine"] else "", asked, f"≤ {aim:g}" if aim else ""


def _seconds(taken: float) -> str:
    """Three digits and a unit."""
    unit, number = ("ms", 1e3 * taken) if taken >= 1e-3 else ("µs", 1e6 * taken)
    return f"{number:,.{0 if number >= 100 else 1 if number >= 10 else 2}f} {unit}"


def _peak_memory(row: dict[str, Any]) -> str:
    """The most memory at one time, and how many times less than the peer's it is."""
    if "peak_bytes" not in row:
        return ""
    less = f", {1 / row['peak_ratio']:.1f} times less" if row["ratio_to"] != row["engine"] else ""
    asked = f", asked: {1 / row['peak_target']:.3g}" if "peak_target" in row else ""
    return f"{row['peak_bytes'] / 1e6:.1f} MB{less}{asked}"

"""The class in one HTML page that works offline, and the same marks as CSV. Reads results; grades nothing."""

from __future__ import annotations

import csv
import os
import re
import secrets
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from autodiff_lab.grading import submitted
from autodiff_lab.grading.alike import Alike, alike
from autodiff_lab.grading.course import NOTES
from autodiff_lab.grading.export import harmless
from autodiff_lab.grading.inbox import told
from autodiff_lab.grading.results import (
    AMBIGUOUS,
    CRASHED,
    GRADED,
    MISSING,
    NEEDS_MANUAL,
    NO_SCORE,
    NOT_GRADED,
    OUT_OF_MEMORY,
    STATUSES,
    TIMEOUT,
    UNREADABLE,
    UNTOUCHED,
    WRONG_UNIT,
    Result,
    person_name,
)
from autodiff_lab.grading.standing import RULE, Standing, has_misconception, standings

if TYPE_CHECKING:
    from autodiff_lab.grading.grade import Book

# How a status looks: a word for the table, a sign that does not need colour, and the tone that CSS gives it.
SIGNS = {
    GRADED: ("", "", "good"),
    NEEDS_MANUAL: ("to mark", "✎", "open"),
    UNTOUCHED: ("untouched", "○", "idle"),
    MISSING: ("missing", "–", "idle"),
    UNREADABLE: ("unreadable", "!", "bad"),
    AMBIGUOUS: ("ambiguous", "!", "bad"),
    WRONG_UNIT: ("wrong unit", "!", "bad"),
    TIMEOUT: ("timeout", "!", "warn"),
    CRASHED: ("crashed", "!", "warn"),
    OUT_OF_MEMORY: ("out of memory", "!", "warn"),
    NOT_GRADED: ("not graded", "!", "bad"),
}

LARGE = 500
"""From so many students on the page leaves to report.csv what would make it slow: everyone's points, long lists."""

TROUBLE = (*(status for status in NO_SCORE if status != MISSING), TIMEOUT, CRASHED, OUT_OF_MEMORY)


@dataclass
class ExerciseLine:
    """How a class did in one exercise."""

    unit: str
    exercise: str
    title: str
    kind: str
    max_points: float
    full: int
    partial: int
    none: int
    not_started: int
    open: int
    difficulty: int = 0
    misconceptions: list[tuple[str, int]] = field(default_factory=list)
    stopped: list[tuple[str, int]] = field(default_factory=list)

    @property
    def marked(self) -> int:
        return self.full + self.partial + self.none

    @property
    def share(self) -> float | None:
        """Share of full points among those who handed in and are marked; None if nobody is."""
        return self.full / self.marked if self.marked else None


Links = dict[tuple[str, str], tuple[str, str]]
"""(student, unit) -> addresses of the feedback page and of the graded notebook, "" where there is none."""

Titles = dict[tuple[str, str], tuple[str, str, int]]
"""(unit, exercise) -> title, kind, difficulty from 1 to 5 as its author sees it."""


def exercise_lines(results: list[Result], titles: Titles) -> list[ExerciseLine]:
    """One line per exercise. Submissions without a score do not count."""
    lines: dict[tuple[str, str], ExerciseLine] = {}
    codes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    stopped: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        for exercise in result.exercises:
            key = (result.unit, exercise.exercise)
            title, kind, difficulty = titles.get(key, (exercise.exercise, "", 0))
            line = lines.setdefault(
                key, ExerciseLine(*key, title, kind, exercise.max_points, 0, 0, 0, 0, 0, difficulty)
            )
            if exercise.points is None:
                line.open += 1
            elif exercise.points >= exercise.max_points:
                line.full += 1
            elif exercise.points > 0:
                line.partial += 1
            else:
                line.none += 1
                line.not_started += exercise.note in ("not started", "no answer")
            if has_misconception(exercise):
                codes[key][str(exercise.misconception)] += 1
            if exercise.note in (TIMEOUT, CRASHED, OUT_OF_MEMORY):
                stopped[key][exercise.note] += 1
    for key, line in lines.items():
        line.misconceptions = codes[key].most_common()
        line.stopped = stopped[key].most_common()
    return list(lines.values())


def misconception_lines(results: list[Result]) -> list[dict[str, Any]]:
    """The misconceptions of a class in one unit, most frequent first: code, name, explanation, read, count, who, where.

    `who`: ids of students, `where`: exercises with their counts.
    """
    from autodiff_lab.units import catalogue

    who: dict[str, dict[str, None]] = defaultdict(dict)
    where: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for exercise in result.exercises:
            if has_misconception(exercise):
                who[str(exercise.misconception)][result.student] = None
                where[str(exercise.misconception)][exercise.exercise] += 1
    lines = []
    for code, students in sorted(who.items(), key=lambda item: (-len(item[1]), item[0])):
        known = catalogue().get(code)
        lines.append(
            {
                "code": code,
                "name": known.name if known else code,
                "explanation": known.explanation if known else "",
                "read": known.read if known else "",
                "count": len(students),
                "who": list(students),
                "where": where[code].most_common(),
            }
        )
    return lines


def late_text(seconds: float) -> str:
    """A delay in words: 90 -> "2 minutes", 7200 -> "2 hours"."""
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size or word == "minute":
            number = max(1, round(seconds / size))
            return f"{number} {word}{'' if number == 1 else 's'}"
    raise AssertionError


def histogram(scores: list[float], maximum: float, bins: int = 10) -> list[int]:
    """How many of `scores` fall into each of `bins` equal parts of 0 to `maximum`; full marks are in the last."""
    counts = [0] * bins
    for score in scores:
        counts[min(bins - 1, int(bins * score / maximum))] += 1
    return counts


def together(groups: list[Alike]) -> list[dict[str, Any]]:
    """Groups of the same students as one line: who, and in which exercises, letter for letter or not."""
    lines: dict[tuple[str, ...], dict[str, Any]] = {}
    for group in groups:
        line = lines.setdefault(group.students, {"students": group.students, "where": [], "verbatim": 0})
        line["where"].append((group.unit, group.exercise, group.verbatim))
        line["verbatim"] += group.verbatim
    return list(lines.values())


def render(
    results: list[Result],
    roster: list[dict[str, Any]],
    titles: Titles | None = None,
    heading: str = "Class report",
    when: datetime | None = None,
    refused: dict[tuple[str, str], list[str]] | None = None,
    same: list[Alike] | None = None,
    links: Links | None = None,
    strays: list[str] | None = None,
) -> str:
    """The page. Every student of `roster` has a row and every unit of `results` a column.

    `refused`: (student, unit) -> what the sandbox did not let the submission do. `same`: of `alike.alike`. `strays`: in
    words, what was submitted and lies where nobody grades it.
    """
    refused = refused or {}
    titles = titles or {}
    units = sorted({result.unit for result in results})
    names = {person["id"]: person_name(person) for person in roster}
    by_key = {(result.student, result.unit): result for result in results}
    standing = {each.student: each for each in standings(results)}
    rows = [
        {
            "id": person["id"],
            "name": names[person["id"]],
            "cells": [by_key.get((person["id"], unit)) for unit in units],
            "standing": standing.get(person["id"], Standing(person["id"])),
            "filed": "|".join(filed_under(standing.get(person["id"]), [by_key.get((person["id"], u)) for u in units])),
        }
        for person in roster
    ]
    scored = [result for result in results if result.score is not None and result.max_score]
    lines = exercise_lines(results, titles)
    per_unit = []
    for unit in units:
        own = [result for result in scored if result.unit == unit]
        maximum = max((result.max_score for result in results if result.unit == unit), default=0)
        scores = [result.score for result in own if result.score is not None]
        per_unit.append(
            {
                "unit": unit,
                "maximum": maximum,
                "handed_in": sum(r.unit == unit and r.status != MISSING for r in results),
                "mean": sum(scores) / len(scores) if scores else None,
                "median": median(scores) if scores else None,
                "histogram": histogram(scores, maximum) if scores and maximum else [],
                "exercises": [line for line in lines if line.unit == unit],
                "misconceptions": misconception_lines([r for r in results if r.unit == unit]),
                "everyone": [
                    (r.student, {e.exercise: e for e in r.exercises}, r.score)
                    for r in results
                    if r.unit == unit and r.exercises
                ],
            }
        )
    environment = Environment(
        loader=PackageLoader("autodiff_lab.grading", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["late"] = late_text
    environment.filters["sentence"] = lambda text: text[:1].upper() + text[1:]
    environment.filters["ticks"] = lambda text: Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
    environment.filters["blocks"] = blocks
    environment.filters["shares"] = shares_text
    environment.filters["percent"] = lambda share: "–" if share is None else f"{100 * share:.0f} %"
    environment.filters["number"] = lambda value: "–" if value is None else f"{value:.1f}".removesuffix(".0")
    html = environment.get_template("report.html.j2").render(
        heading=heading,
        nonce=secrets.token_urlsafe(16),
        when=(when or datetime.now()).strftime("%d %B %Y, %H:%M"),
        units=units,
        per_unit=per_unit,
        rows=rows,
        names=names,
        signs=SIGNS,
        statuses=STATUSES,
        present=[status for status in STATUSES if any(result.status == status for result in results)],
        numbers={person["id"]: number for number, person in enumerate(roster)},
        links=links or {},
        rule=RULE,
        needs_help=sum(each.needs_help for each in standing.values()),
        misconception_names=misconception_names(results),
        strays=strays or [],
        to_mark=[result for result in results if result.needs_manual],
        late=sorted((result for result in results if result.late_seconds > 0), key=lambda r: -r.late_seconds),
        trouble=[r for r in results if r.status in TROUBLE],
        missing=[result for result in results if result.status == MISSING],
        refused=[(r, refused[r.student, r.unit]) for r in results if refused.get((r.student, r.unit))],
        same=together(same or []),
        notes=[r for r in results if r.note and r.status not in NO_SCORE],
        students=len(roster),
        handed_in=sum(result.status != MISSING for result in results),
        mean=sum(r.score / r.max_score for r in scored if r.score is not None) / len(scored) if scored else None,
        large=len(roster) > LARGE,
    )
    return re.sub(r"\n\s+", "\n", html)


def misconception_names(results: list[Result]) -> dict[str, str]:
    """code -> name of every misconception in `results`."""
    return {line["code"]: line["name"] for line in misconception_lines(results)}


def filed_under(standing: Standing | None, results: list[Result | None]) -> list[str]:
    """Under which words the page's filter finds a student."""
    words = [*(result.status for result in results if result), *(["late"] if standing and standing.late else [])]
    return sorted({*words, *(["needs help"] if standing and standing.needs_help else [])})


def blocks(shares: dict[str, float | None]) -> str:
    """A bar for each unit, as high as its share; a dot where there is no mark."""
    return "".join("·" if share is None else "▁▂▃▄▅▆▇█"[min(7, max(0, int(8 * share)))] for share in shares.values())


def shares_text(shares: dict[str, float | None]) -> str:
    """The same in words."""
    return ", ".join(f"{unit}: {'no mark' if s is None else f'{100 * s:.0f} %'}" for unit, s in shares.items())


def link_to_files(book: Book, results: list[Result], folder: Path) -> Links:
    """Where feedback pages and graded notebooks lie, as seen from `folder`, for those that are there."""

    def address(path: Path) -> str:
        return quote(Path(os.path.relpath(path, folder)).as_posix()) if path.is_file() else ""

    found = {}
    for result in results:
        if result.status == MISSING:
            continue
        steps = (book.coursedir.feedback_directory, "html"), (book.coursedir.autograded_directory, "ipynb")
        page, notebook = (
            address(book.place(step, result.student, result.unit) / f"{result.unit}.{kind}") for step, kind in steps
        )
        if page or notebook:
            found[result.student, result.unit] = page, notebook
    return found


def write_csv(results: list[Result], roster: list[dict[str, Any]], path: Path) -> None:
    """One quoted row per student, unit and exercise; a submission without points has one row with no exercise."""
    people = {person["id"]: person for person in roster}
    columns = ["student", "last_name", "first_name", "unit", "status", "late_hours", "score", "max_score"]
    columns += ["exercise", "points", "max_points", "misconception", "note"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(columns)
        for result in results:
            person = people.get(result.student, {})
            start = [result.student, person.get("last_name") or "", person.get("first_name") or "", result.unit]
            start += [result.status, round(result.late_seconds / 3600, 2)]
            start += ["" if result.score is None else result.score, result.max_score]
            for exercise in result.exercises:
                points = "" if exercise.points is None else exercise.points
                end = [exercise.exercise, points, exercise.max_points, exercise.misconception or "", exercise.note]
                writer.writerow(harmless(start + end))
            if not result.exercises:
                writer.writerow(harmless([*start, "", "", "", "", result.note]))


Answers = dict[tuple[str, str], dict[str, tuple[str, bool]]]


def look(book: Book, results: list[Result]) -> tuple[Answers, dict[tuple[str, str], list[str]]]:
    """What graded notebooks hold beside points: everyone's answers, and what the sandbox refused.

    (unit, exercise) -> student -> (source, is code), for answers that are not as given out; and
    (student, unit) -> what was refused, in words.
    """
    from nbgrader.utils import is_solution

    from autodiff_lab.grading.results import is_untouched

    answers: Answers = defaultdict(dict)
    refused: dict[tuple[str, str], list[str]] = {}
    for result in results:
        folder = book.place(book.coursedir.autograded_directory, result.student, result.unit)
        path = folder / f"{result.unit}.ipynb"
        if not result.exercises or not path.is_file():
            continue
        notebook = submitted.notebook(folder, path.name)
        said = list(notebook.metadata.get(NOTES, {}).get("refused", []))
        for cell in notebook.cells:
            said += cell.metadata.get(NOTES, {}).get("refused", [])
            if is_solution(cell) and not is_untouched(cell):
                name = cell.metadata.nbgrader["grade_id"]
                answers[result.unit, name][result.student] = (cell.source, cell.cell_type == "code")
        if said:
            refused[result.student, result.unit] = list(dict.fromkeys(map(str, said)))
    return dict(answers), refused


def known_answers(unit: str, course: Path) -> dict[tuple[str, str], list[str]]:
    """What students may well have the same, by (unit, exercise): the model answer and those of the bank."""
    from autodiff_lab.errors import UserError
    from autodiff_lab.grading.bank import read_bank
    from autodiff_lab.grading.build import is_solution

    try:
        bank = read_bank(unit, course)
    except UserError:  # an author's, whose business it is; a report is made all the same
        return {}
    known = {
        (unit, cell.metadata.nbgrader["grade_id"]): [cell.source] for cell in bank.source.cells if is_solution(cell)
    }
    for exercise, answers in bank.answers.items():
        known.setdefault((unit, exercise), []).extend(answer.code for answer in answers)
    return known


def report(
    units: list[str] | None = None, course: Path | None = None, out: Path | None = None, heading: str = "Class report"
) -> tuple[Path, list[Result]]:
    """Write report.html and report.csv of what is known of the class now; nothing is graded.

    `out`: a folder (course/reports by default) or the .html file. Returns the page and the results it shows.
    """
    from autodiff_lab.grading.build import exercises_of, read_text
    from autodiff_lab.grading.course import default_course, paths
    from autodiff_lab.grading.grade import Book
    from autodiff_lab.grading.grade import results as read_results

    book = Book(Path(course) if course is not None else default_course())
    results = read_results(units, book.course)
    roster = book.roster()
    answers, refused = look(book, results)
    titles: Titles = {}
    known: dict[tuple[str, str], list[str]] = {}
    for unit in sorted({result.unit for result in results}):
        text = paths(unit, book.course).text
        if text.is_file():
            titles |= {(unit, e.id): (e.title, e.kind, e.difficulty) for e in exercises_of(read_text(text))}
            known |= known_answers(unit, book.course)
    page = Path(out) if out is not None else book.course / "reports"
    page = page if page.suffix == ".html" else page / "report.html"
    book.close_to_others()
    page.parent.mkdir(parents=True, exist_ok=True)
    html = render(
        results,
        roster,
        titles,
        heading,
        refused=refused,
        same=alike(answers, known),
        links=link_to_files(book, results, page.parent),
        strays=told(book.submitted().strays),
    )
    page.write_text(html, encoding="utf-8")
    write_csv(results, roster, page.with_suffix(".csv"))
    return page, results

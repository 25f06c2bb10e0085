"""How each student stands over all units: points, mean, trend, what is open, and whether help is needed, by a rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from autodiff_lab.grading.results import MISSING, NO_SCORE, ExerciseResult, Result

HALF = 0.5
CHANGE = 0.1
RULE = "less than half of the points in each of the last two marked units, or two units missing"
"""When a student needs help. A unit that nobody has submitted is not missing."""


@dataclass
class Standing:
    """One student over all units. Shares are of what is marked, from 0 to 1; `shares` has None where nothing is."""

    student: str
    points: float = 0.0
    max_points: float = 0.0
    shares: dict[str, float | None] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    unscored: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    to_mark: list[str] = field(default_factory=list)
    misconceptions: list[tuple[str, str, int]] = field(default_factory=list)
    """(code, the unit that shows it most, how often over all units), the most frequent first."""
    why: list[str] = field(default_factory=list)
    """What of the rule applies, in words."""

    @property
    def marked(self) -> list[float]:
        """The shares of the units that are marked, in order."""
        return [share for share in self.shares.values() if share is not None]

    @property
    def mean(self) -> float | None:
        """The mean share; None if nothing is marked."""
        return sum(self.marked) / len(self.marked) if self.marked else None

    @property
    def change(self) -> float | None:
        """The share in the last unit minus the mean of those before; None for fewer than two."""
        *before, last = self.marked or [0.0]
        return round(last - sum(before) / len(before), 9) if before else None

    @property
    def trend(self) -> str:
        """ "rising", "falling" or "steady"; "" where nothing can be said."""
        if self.change is None:
            return ""
        return "rising" if self.change >= CHANGE else "falling" if self.change <= -CHANGE else "steady"

    @property
    def needs_help(self) -> bool:
        """Whether the rule applies."""
        return bool(self.why)


def has_misconception(exercise: ExerciseResult) -> bool:
    """Whether a test named one, and nobody has given the exercise all its points since."""
    return bool(exercise.misconception) and (exercise.points is None or exercise.points < exercise.max_points)


def standings(results: list[Result]) -> list[Standing]:
    """How everyone stands, in the order in which the students come; units in the order of their names."""
    students: dict[str, dict[str, Result]] = {}
    for result in results:
        students.setdefault(result.student, {})[result.unit] = result
    handed_in = {result.unit for result in results if result.status != MISSING}
    return [_standing(student, units, handed_in) for student, units in students.items()]


def _standing(student: str, units: dict[str, Result], handed_in: set[str]) -> Standing:
    made = Standing(student)
    shown: dict[str, Counter[str]] = {}
    for unit, result in sorted(units.items()):
        made.shares[unit] = share_of(result)
        if result.status == MISSING:
            if unit in handed_in:
                made.missing.append(unit)
        elif result.status in NO_SCORE:
            made.unscored.append(unit)
        if result.score is not None:
            made.points += result.score
            made.max_points += _marked_points(result)
        if result.late_seconds > 0:
            made.late.append(unit)
        if result.needs_manual:
            made.to_mark.append(unit)
        for exercise in filter(has_misconception, result.exercises):
            shown.setdefault(str(exercise.misconception), Counter())[unit] += 1
    found = [(code, where.most_common(1)[0][0], where.total()) for code, where in shown.items()]
    made.misconceptions = sorted(found, key=lambda each: (-each[2], each[0]))
    made.why = _why(made)
    return made


def share_of(result: Result) -> float | None:
    """The share of the points that are marked; None without a mark. What waits for a person does not count."""
    of = _marked_points(result)
    return None if result.score is None or of <= 0 else result.score / of


def _marked_points(result: Result) -> float:
    return result.max_score - sum(exercise.max_points for exercise in result.exercises if exercise.points is None)


def _why(standing: Standing) -> list[str]:
    last = [unit for unit, share in standing.shares.items() if share is not None][-2:]
    why = []
    if len(last) == 2 and max(standing.marked[-2:]) < HALF:
        why.append(f"less than half in {last[0][:2]} and {last[1][:2]}")
    if len(standing.missing) >= 2:
        why.append(f"missing {', '.join(unit[:2] for unit in standing.missing)}")
    return why


def as_summary(standing: Standing) -> dict[str, Any]:
    """Plain data for `--json`."""

    def rounded(share: float | None) -> float | None:
        return None if share is None else round(share, 4)

    top = standing.misconceptions[0][0] if standing.misconceptions else None
    return {
        "student": standing.student,
        "score": standing.points,
        "max_score": standing.max_points,
        "mean": rounded(standing.mean),
        "units": {unit: rounded(share) for unit, share in standing.shares.items()},
        "trend": standing.trend,
        "change": rounded(standing.change),
        "missing": standing.missing,
        "no_score": standing.unscored,
        "late": standing.late,
        "to_mark": standing.to_mark,
        "misconception": top,
        "needs_help": standing.needs_help,
        "why": standing.why,
    }

"""Late penalties for nbgrader: so many percent a day after a time of grace, up to a limit."""

from __future__ import annotations

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Enum, Float

DAY = 24 * 60 * 60


class LatePenalty(LateSubmissionPlugin):
    """nbgrader's penalties ("none", "zero") and "per day". Its options are read as `c.LateSubmissionPlugin` too."""

    penalty_method = Enum(
        ("none", "zero", "per day"),
        default_value="none",
        help="'none': lateness costs nothing. 'zero': late work has no points. 'per day': percent_per_day of the "
        "points that were earned for each day begun, at most max_percent.",
    ).tag(config=True)
    grace_minutes = Float(0, min=0, help="Minutes after the due date that cost nothing; days count from there.").tag(
        config=True
    )
    percent_per_day = Float(10, min=0, max=100, help="Of the points that were earned, for each day begun.").tag(
        config=True
    )
    max_percent = Float(100, min=0, max=100, help="The most that lateness costs.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """The points that `total_seconds_late` cost a submission which earned `score`; None for nothing."""
        late = total_seconds_late - 60 * self.grace_minutes
        if late <= 0 or self.penalty_method == "none":
            return None
        if self.penalty_method == "zero":
            return score
        percent = min(self.max_percent, self.percent_per_day * math.ceil(late / DAY))
        return round(score * percent / 100, 6)

"""What a notebook's test cells call: ``student`` reaches the student's code, ``check`` judges what comes back.

Not the grader: a check raises an error with a message, and nbgrader turns that into points.
"""

from autodiff_lab.checks.compare import check, seal
from autodiff_lab.checks.failed import (
    AnswerMissing,
    AnswerRaised,
    BudgetExceeded,
    CheckFailed,
    NotStarted,
    Raised,
    WrongAnswer,
)
from autodiff_lab.checks.student import Answer, student

__all__ = [
    "Answer",
    "AnswerMissing",
    "AnswerRaised",
    "BudgetExceeded",
    "CheckFailed",
    "NotStarted",
    "Raised",
    "WrongAnswer",
    "check",
    "seal",
    "student",
]

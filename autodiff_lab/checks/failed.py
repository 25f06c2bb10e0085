"""What a student is told when an answer is not right: the errors that a check raises, and how their text is made.

The text has always the same order: what happened, which misconception that looks like, and where to read.
"""

import re
import textwrap
from dataclasses import dataclass

from autodiff_lab.checks.given import where
from autodiff_lab.checks.misconceptions import ANSWER_IS_AN_OBJECT, Misconception
from autodiff_lab.checks.plain import NotPlain

LOOKS_LIKE = "\n\nThis looks like: "
"""What stands in a message between what happened and the misconception."""


@dataclass(frozen=True)
class Failure:
    """Why there is no answer.

    ``kinds`` are the names of the error's class and its bases, most special first; ``message`` is the error's text;
    ``line`` is the line of the student's code where it happened, as text, or "" where there is none: then it was
    raised where the test calls the student's code or uses what that returned.
    """

    kinds: tuple[str, ...]
    message: str
    line: str = ""

    def is_a(self, kind: type[BaseException]) -> bool:
        return kind.__name__ in self.kinds

    @property
    def is_a_stub(self) -> bool:
        """Whether what ran is the `raise NotImplementedError()` that the exercise was released with."""
        return self.kinds[0] == "NotImplementedError" and not self.message


@dataclass(frozen=True)
class Raised:
    """An error that has one cause: its type, and what its text and the student's line have to match (patterns).

    A type alone is rarely enough: a TypeError can come from anywhere in an answer. In ``instead``, see `check`.
    """

    kind: type[BaseException]
    says: str = ""
    line: str = ""

    def fits(self, failure: Failure) -> bool:
        kind = TooManyCalls if self.kind is BudgetExceeded else self.kind
        return (
            failure.is_a(kind)
            and re.search(self.says, failure.message) is not None
            and re.search(self.line, failure.line) is not None
        )


class Missing(NameError):
    """The student's notebook defines no such name."""


class CellStopped(NameError):
    """The student's notebook defines no such name: the cell that should do it stopped with an error."""


class TooManyCalls(BaseException):
    """The call budget of a ``student.run`` is used up. Not an Exception, so that ``except Exception`` lets it pass."""


class CheckFailed(AssertionError):
    """An answer is not right. Its text is the whole message; Jupyter shows it without a traceback.

    ``misconception`` is the one that the text names; ``also``: the others that would fit, for whoever writes tests.
    """

    also: tuple[Misconception, ...] = ()

    def __init__(self, message: str, misconception: Misconception | None = None) -> None:
        super().__init__(message)
        self.misconception = misconception

    def _render_traceback_(self) -> list[str]:
        return shown(self)


def shown(error: BaseException) -> list[str]:
    """The lines that Jupyter shows of an error, without a traceback."""
    first, *rest = str(error).splitlines()
    return [f"\x1b[1m{first}\x1b[0m", *rest]


class Interrupted(KeyboardInterrupt):
    """The student stopped a test while their code ran. Jupyter shows its text without a traceback."""

    def __init__(self, call: str, line: str) -> None:
        super().__init__(
            f"{call.strip()}: interrupted.\n"
            + (f"  Your code was still running, {line}\n" if line else "  Your code was still running.\n")
            + "  If it had run for some seconds already, it would probably never have ended: look at the loop around\n"
            + "  this line. What makes it stop, and does that come nearer with every round?"
        )

    def _render_traceback_(self) -> list[str]:
        return shown(self)


class WrongAnswer(CheckFailed):
    """The student's code gave an answer, and it is not right."""


class NotStarted(CheckFailed):
    """The exercise is as it was released."""


class AnswerMissing(CheckFailed):
    """The notebook does not define the name that was asked for."""


class AnswerRaised(CheckFailed):
    """The student's code stopped with an error."""


class BudgetExceeded(CheckFailed):
    """The student's code used up its budget of calls. Also names that failure in ``instead``."""


def failed(
    call: str, name: str, failure: Failure, misconception: Misconception | None = None, hint: str | None = None
) -> CheckFailed:
    """The error for an answer that did not come: not started, not defined, stopped with an error, never ending."""
    kind, problem = _explain(call.strip(), name, failure)
    if kind in (NotStarted, AnswerMissing):  # there is nothing yet that a hint or a misconception could be about
        return kind(problem)
    if misconception is None and failure.is_a(NotPlain):
        misconception = ANSWER_IS_AN_OBJECT
    return kind(*message(problem, misconception, hint))


def _explain(call: str, name: str, failure: Failure) -> tuple[type[CheckFailed], str]:
    if failure.is_a_stub:
        return NotStarted, (
            f"{name}: not started yet.\n"
            f"  Write your answer in the code cell above, in place of the lines `# YOUR CODE HERE` and\n"
            f"  `raise NotImplementedError()`. Run that cell, then this one again (Shift+Enter).\n"
            f"  If you do not know how to begin, open Hint 1 above the cell."
        )
    if failure.is_a(CellStopped):
        return AnswerRaised, (
            f"{name}: the cell that should define it stopped with an error.\n  {failure.message}"
            + (f"\n  in {failure.line}" if failure.line else "")
            + "\n  Fix that cell and run it, then run this one again (Shift+Enter)."
        )
    if failure.is_a(Missing) or (failure.is_a(NameError) and not failure.line):
        missing = (re.findall(r"'(\w+)'", failure.message) or [failure.message])[0]
        cell = where(missing)
        return AnswerMissing, (
            f"{missing} is not defined.\n"
            + (f"  It is made in {cell}.\n" if cell else "")
            + f"  Run {'that cell' if cell else 'the cell that defines it'}, then this one again (Shift+Enter). If that"
            " cell shows an error, fix\n"
            f"  the error first; if you renamed {missing}, give it its name back."
            + ("\n  If the cell is gone, copy it from a fresh notebook of the unit." if cell else "")
        )
    if failure.is_a(TooManyCalls):
        return BudgetExceeded, (
            f"{call}: stopped, because it makes {failure.message}.\n"
            f"  A right answer needs far fewer: the work should grow with the number of nodes."
        )
    if failure.is_a(NotPlain):
        return WrongAnswer, (
            f"{call}: not yet.\n  got       a value of type {failure.message}\n"
            f"  expected  plain data: numbers, strings, lists, tuples, dicts or arrays of them"
        )
    if failure.is_a(KeyError) and not failure.line:
        return WrongAnswer, f"{call}: not yet.\n  There is no entry {failure.message} in what your code returned."
    problem = f"{call}: stopped with an error.\n  {failure.kinds[0]}: {failure.message}"
    if failure.line:
        problem += f"\n  in your code, {failure.line}"
    else:
        problem += "\n  where the test calls your code, or uses what your code returned"
    missing = re.search(r"name '(\w+)' is not defined", failure.message) if failure.kinds[0] == "NameError" else None
    if missing and (cell := where(missing[1])):
        problem += (
            f"\n  {missing[1]} is made in {cell}. Run that cell first; if it is gone, copy it from a fresh notebook."
        )
    return AnswerRaised, problem


def message(problem: str, misconception: Misconception | None, hint: str | None) -> tuple[str, Misconception | None]:
    """The arguments of a CheckFailed: what went wrong, which misconception it looks like, where to read."""
    parts = [problem]
    if misconception is not None:
        why = textwrap.fill(misconception.explanation, 96, initial_indent="  ", subsequent_indent="  ")
        parts.append(f"{LOOKS_LIKE[1:]}{misconception.name} [{misconception.code}]\n{why}\nRead: {misconception.read}")
    if hint:
        parts.append(f"\nHint: {hint}")
    return "\n".join(parts), misconception

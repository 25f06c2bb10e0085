"""``check``: compare an answer with what is right, and say which misconception a wrong one shows.

A check never tells the solution; `failed.py` makes the text of what it does tell.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from autodiff_lab.checks.failed import (
    AnswerMissing,
    BudgetExceeded,
    CheckFailed,
    Missing,
    NotStarted,
    TooManyCalls,
    WrongAnswer,
    message,
)
from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception
from autodiff_lab.checks.plain import plain, same, show
from autodiff_lab.checks.student import Answer

Wrong = Any
"""A wrong value, an exception type, or a predicate on the value."""


class Check:
    """``check(answer, expect=…)``, ``check.each(function, inputs=…)`` and ``check.choice(answer, …)``."""

    def __call__(
        self,
        answer: Answer,
        *,
        expect: Any = ...,
        accept: Callable[[Any], bool | str] | None = None,
        instead: Mapping[Wrong, Misconception] | Iterable[tuple[Wrong, Misconception]] = (),
        tolerance: float = 1e-9,
        hint: str | None = None,
        picture: Callable[[], Any] | None = None,
    ) -> None:
        """Pass when ``answer`` equals ``expect``, or when ``accept(value)`` is true; else raise a CheckFailed.

        ``accept`` may return a text: what is wrong, in words. ``instead`` maps wrong answers (a value, an exception
        type, a predicate) to the misconception they show; the first that fits is named. ``tolerance`` is relative,
        absolute below 1. ``hint`` is one more line for a failure. ``picture()`` is shown on failure only.
        """
        if (expect is ...) == (accept is None):
            raise TypeError("check() takes either expect= or accept=")
        pairs = list(instead.items() if isinstance(instead, Mapping) else instead)
        problem = _problem(answer, expect, accept, tolerance)
        if problem is None:
            _say(f"passed: {answer.call.strip()}")
            return
        found = next((known for wrong, known in pairs if _fits(wrong, answer, tolerance)), None)
        _fail(answer, problem, found, hint, picture)

    def each(
        self,
        function: Callable[..., Answer],
        *,
        inputs: Iterable[tuple[Any, ...]],
        expect: Callable[..., Any],
        instead: Mapping[Misconception, Any] | None = None,
        tolerance: float = 1e-9,
        hint: str | None = None,
        picture: Callable[..., Any] | None = None,
    ) -> None:
        """Ask ``function`` for every tuple in ``inputs``; ``expect(*inputs)`` is right.

        ``instead`` maps a misconception to the wrong rule (or the exception type) that it leads to; a tuple of these
        stands for either. It is named when the rule gives the student's answer at every input, or else at every input
        that failed. ``picture(*inputs)`` is shown on failure.
        """
        asked = [(given, function(*given)) for given in inputs]
        failures = [
            (given, answer, problem)
            for given, answer in asked
            if (problem := _problem(answer, expect(*given), None, tolerance)) is not None
        ]
        if not failures:
            _say(f"passed: {asked[0][1].name}, {len(asked)} inputs" if asked else "passed")
            return
        rules = list((instead or {}).items())
        failing = [(given, answer) for given, answer, _ in failures]
        # A rule that explains every answer, the right ones too, is the better guess.
        found = next(
            (
                known
                for told in (asked, failing)
                for known, rule in rules
                if all(_rule_fits(rule, given, answer, tolerance) for given, answer in told)
            ),
            None,
        )
        given, answer, problem = failures[0]
        if len(asked) > 1:
            problem += f"\n  {len(failures)} of {len(asked)} inputs fail; this is the first."
        _fail(answer, problem, found, hint, (lambda: picture(*given)) if picture else None)

    def choice(
        self,
        answer: Answer,
        salt: str,
        *,
        right: str | set[str],
        instead: Mapping[str, Misconception] | None = None,
        hint: str | None = None,
    ) -> None:
        """Compare a prediction, choice or order with the ``seal`` of the right one, without showing it."""
        if answer.failure is None and answer.data not in (None, ...):
            mark = seal(salt, answer.data)
            if mark in ({right} if isinstance(right, str) else right):
                _say(f"passed: {answer.call}")
                return
            problem = f"{answer.name} = {show(answer.data)} is not right. Look again before you try another."
            raise WrongAnswer(*message(problem, (instead or {}).get(mark), hint))
        if answer.failure is None or answer.failure.is_a(Missing):
            raise NotStarted(
                f"{answer.name}: not started yet.\n"
                f"  Write `{answer.name} = …` in the cell above, in place of the lines `# YOUR CODE HERE` and\n"
                f"  `raise NotImplementedError()`. Run that cell, then this one again (Shift+Enter)."
            )
        raise answer.error(hint=hint)


check = Check()


def seal(salt: str, answer: Any) -> str:
    """A short salted hash of an answer: 12 hexadecimal digits.

    Numbers count to six digits, texts without case and blanks, lists and tuples in their order, sets without one.
    """
    return hashlib.sha256(f"{salt}\0{_canonical(plain(answer))}".encode()).hexdigest()[:12]


def _canonical(answer: Any) -> str:
    if isinstance(answer, bool):
        return str(answer).lower()
    if isinstance(answer, int | float):
        return format(float(answer) + 0.0, ".6g")
    if isinstance(answer, str):
        return re.sub(r"\s", "", answer.casefold())
    if isinstance(answer, list | tuple):
        return "[" + ",".join(map(_canonical, answer)) + "]"
    if isinstance(answer, set | frozenset):
        return "{" + ",".join(sorted(map(_canonical, answer))) + "}"
    if isinstance(answer, dict):
        return "{" + ",".join(sorted(f"{_canonical(key)}:{_canonical(item)}" for key, item in answer.items())) + "}"
    return repr(answer)


def _problem(answer: Answer, expect: Any, accept: Callable[[Any], bool | str] | None, tolerance: float) -> str | None:
    """What is wrong with ``answer``, in words, or None when it is right. Empty when there is no answer at all."""
    if answer.failure is not None:
        return ""
    value = answer.data
    if accept is not None:
        verdict = accept(value)
        if verdict is True:
            return None
        said = f"\n  but       {verdict}" if isinstance(verdict, str) else ""
        return f"{answer.call.strip()}: not yet.\n  got       {show(value)}{said}"
    if same(expect, value, tolerance):
        return None
    return f"{answer.call.strip()}: not yet.\n  expected  {show(expect, value)}\n  got       {show(value, expect)}"


def _fits(wrong: Wrong, answer: Answer, tolerance: float) -> bool:
    """Whether ``wrong`` (a value, an exception type, a predicate) describes ``answer``."""
    if isinstance(wrong, type) and issubclass(wrong, BaseException):
        kind = TooManyCalls if wrong is BudgetExceeded else wrong
        return answer.failure is not None and answer.failure.is_a(kind)
    if answer.failure is not None:
        return False
    if callable(wrong):
        try:
            return bool(wrong(answer.data))
        except Exception:  # the predicate was written for another shape of answer
            return False
    return same(wrong, answer.data, tolerance)


def _rule_fits(rule: Any, given: tuple[Any, ...], answer: Answer, tolerance: float) -> bool:
    if isinstance(rule, tuple) and all(map(callable, rule)):
        return any(_rule_fits(one, given, answer, tolerance) for one in rule)
    if callable(rule) and not isinstance(rule, type):
        try:
            rule = rule(*given)
        except Exception as error:  # a wrong rule may stop with an error where the student's code does
            rule = type(error)
    return _fits(rule, answer, tolerance)


def _fail(
    answer: Answer,
    problem: str,
    misconception: Misconception | None,
    hint: str | None,
    picture: Callable[[], Any] | None,
) -> NoReturn:
    if answer.failure is not None:
        error: CheckFailed = answer.error(misconception, hint)
    else:
        if misconception is None and answer.data is None:
            misconception = NOTHING_RETURNED
        error = WrongAnswer(*message(problem, misconception, hint))
    if picture is not None and not isinstance(error, NotStarted | AnswerMissing):
        _display(picture)
    raise error from None


def _display(picture: Callable[[], Any]) -> None:
    """Show a picture where there is a notebook to show it in. It only helps: its own failure is not the student's."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        try:
            ipython.display.display(picture())
        except Exception as error:
            print(f"(The picture could not be drawn: {error})")


def _say(text: str) -> None:
    """Tell the student what passed. A grader asks for silence: a feedback page shows no hidden test's inputs."""
    if "AUTODIFF_LAB_QUIET" not in os.environ:
        line = " ".join(text.split())
        print(line if len(line) <= 110 else line[:108] + " …")

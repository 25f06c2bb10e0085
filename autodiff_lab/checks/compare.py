"""``check``: compare an answer with what is right, and say which misconception a wrong one shows.

A check never tells the solution; `failed.py` makes the text of what it does tell.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from autodiff_lab.checks.failed import (
    AnswerMissing,
    CheckFailed,
    Missing,
    NotStarted,
    Raised,
    WrongAnswer,
    message,
)
from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception
from autodiff_lab.checks.plain import differences, listed, plain, same, show
from autodiff_lab.checks.student import Answer
from autodiff_lab.checks.verbs import Ask, Rules, Verbs

Wrong = Any
"""A wrong value, a `Raised`, an exception type, or a predicate on the value."""

NO_FORM = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What a judge of an answer may raise where the answer has not the form that is expected."""


@dataclass(frozen=True)
class Asked:
    """One question of `Check.function`: its inputs, what came, and what is wrong with that (None: nothing)."""

    given: tuple[Any, ...]
    answer: Answer
    problem: str | None


class Check(Verbs):
    """``check(answer, …)``, ``check.function(ask, …)``, ``check.choice(answer, …)``, and the `Verbs`."""

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

        ``expect`` may be a `Raised`: the error is right, and any value wrong. ``accept`` may return a string: what is
        wrong, in words. ``instead`` maps wrong answers (a value, a `Raised`, an exception type, a predicate) to the
        misconception they show; the first that fits is named. An exception type alone is for errors that have one
        cause. Predicates are given lists in place of arrays. ``tolerance`` is relative, absolute below 1. ``hint`` is
        one more line for a failure. ``picture()`` is shown on failure only.
        """
        if (expect is ...) == (accept is None):
            raise TypeError("check() takes either expect= or accept=")
        pairs = list(instead.items() if isinstance(instead, Mapping) else instead)
        problem = _problem(answer, expect, accept, tolerance)
        if problem is None:
            _say(f"passed: {answer.call.strip()}")
            return
        fitting = [known for wrong, known in pairs if _fits(wrong, answer, tolerance)]
        _fail(answer, problem, fitting, hint, picture)

    def function(
        self,
        ask: Ask,
        *,
        on: Iterable[Any],
        like: Callable[..., Any],
        wrong: Rules | None = None,
        tolerance: float = 1e-9,
        hint: str | None = None,
        picture: Callable[..., Any] | None = None,
    ) -> None:
        """Ask for every input that ``on`` has (a tuple for several arguments); ``like(*inputs)`` is right.

        Where several answers are, it judges them: a predicate, as ``accept``. Where an error is, it is a `Raised`.
        ``wrong`` maps a misconception to the wrong rule (or the error) that it leads to; a tuple of these stands for
        any one of them. It is named when the rule gives the student's answer at every input; a rule that gives a
        predicate, and an error, have to fit at every input that failed; one that gives ``...`` says nothing about that
        input. ``picture(*inputs)`` is shown on failure.
        """
        asked = [
            Asked(given, answer, _problem(answer, right, right if callable(right) else None, tolerance))
            for given, answer, right in [(given, ask(*given), like(*given)) for given in map(_arguments, on)]
        ]
        failures = [case for case in asked if case.problem is not None]
        if not failures:
            _say(f"passed: {asked[0].answer.name}, {len(asked)} inputs" if asked else "passed")
            return
        fitting = [known for known, rule in (wrong or {}).items() if _explains(rule, asked, tolerance)]
        given, answer, problem = failures[0].given, failures[0].answer, str(failures[0].problem)
        if len(asked) > 1:
            problem += f"\n  {len(failures)} of {len(asked)} inputs fail; this is the first."
        _fail(answer, problem, fitting, hint, (lambda: picture(*given)) if picture else None)

    def choice(
        self,
        answer: Answer,
        salt: str,
        *,
        right: str | set[str],
        form: str,
        instead: Mapping[str, Misconception] | None = None,
        hint: str | None = None,
    ) -> None:
        """Compare a prediction, choice or order with the ``seal`` of the right one, without showing it.

        ``form`` says in words what an answer looks like, such as "a number"; a failure shows it.
        """
        if answer.failure is None and answer.data is not None and answer.data is not ...:
            mark = seal(salt, answer.data)
            if mark in ({right} if isinstance(right, str) else right):
                _say(f"passed: {answer.call}")
                return
            problem = (
                f"{answer.name}: not right.\n  got       {show(answer.data)}\n  expected  {form}\n"
                f"  Look again before you try another."
            )
            raise WrongAnswer(*message(problem, (instead or {}).get(mark), hint))
        if answer.failure is not None and not answer.failure.is_a(Missing) and not answer.failure.is_a_stub:
            raise answer.error(hint=hint)
        raise NotStarted(
            f"{answer.name}: not started yet.\n"
            f"  In the cell above, write {form} in place of the three dots in `{answer.name} = ...`.\n"
            f"  Run that cell, then this one again (Shift+Enter)."
        )


check = Check()


def _arguments(given: Any) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def seal(salt: str, answer: Any) -> str:
    """A short salted hash of an answer: 12 hexadecimal digits.

    Numbers count to six digits, strings without case and blanks, lists, tuples and arrays in their order, sets
    without one.
    """
    return hashlib.sha256(f"{salt}\0{_canonical(plain(answer))}".encode()).hexdigest()[:12]


def _canonical(answer: Any) -> str:
    answer = listed(answer)
    if isinstance(answer, bool):
        return str(answer).lower()
    if isinstance(answer, int | float):
        with suppress(OverflowError):  # an integer beyond every float
            return format(float(answer) + 0.0, ".6g")
        return "inf" if answer > 0 else "-inf"
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
        return None if isinstance(expect, Raised) and expect.fits(answer.failure) else ""
    value, asked = answer.data, f"{answer.call.strip()}: not yet."
    if isinstance(expect, Raised):
        return f"{asked}\n  expected  {expect.kind.__name__}\n  got       {show(value)}, and no error"
    if accept is not None:
        try:
            verdict = accept(listed(value))
        except NO_FORM:
            verdict = "this has not the form that is expected"
        if verdict is True:
            return None
        said = f"\n  but       {verdict}" if isinstance(verdict, str) else ""
        return f"{asked}\n  got       {show(value)}{said}"
    if same(expect, value, tolerance):
        return None
    lines = [asked, f"  expected  {show(expect, value)}", f"  got       {show(value, expect)}"]
    apart = differences(expect, value, tolerance)
    return "\n".join([*lines, *(f"  {'differs' if not place else '':8}  {line}" for place, line in enumerate(apart))])


def _fits(wrong: Wrong, answer: Answer, tolerance: float) -> bool:
    """Whether ``wrong`` (a value, an error, a predicate) describes ``answer``."""
    if isinstance(wrong, type) and issubclass(wrong, BaseException):
        wrong = Raised(wrong)
    if isinstance(wrong, Raised):
        return answer.failure is not None and wrong.fits(answer.failure)
    if answer.failure is not None:
        return False
    if callable(wrong):
        try:
            return bool(wrong(listed(answer.data)))
        except Exception:  # the predicate was written for another shape of answer
            return False
    return same(wrong, answer.data, tolerance)


def _explains(rule: Any, asked: list[Asked], tolerance: float) -> bool:
    """Whether ``rule`` gives the student's answer at every input that failed, and the right one at the others.

    A predicate or an error says nothing about the inputs that did not fail, and ``...`` about none: a rule has to say
    something about one that did.
    """
    several = isinstance(rule, tuple) and all(callable(one) or isinstance(one, Raised) for one in rule)
    return any(_one_explains(one, asked, tolerance) for one in (rule if several else [rule]))


def _one_explains(rule: Any, asked: list[Asked], tolerance: float) -> bool:
    says_something = False
    for case in asked:
        fits = _rule_fits(rule, case, tolerance)
        if not fits:
            return False
        says_something |= fits is True and case.problem is not None
    return says_something


def _rule_fits(rule: Any, case: Asked, tolerance: float) -> Any:
    """Whether one rule describes what came for one input; ``...`` where it says nothing."""
    if callable(rule) and not isinstance(rule, type):
        try:
            rule = rule(*case.given)
        except Exception as error:  # a wrong rule may stop with an error where the student's code does
            rule = type(error)
    if rule is ...:
        return ...
    is_value = not callable(rule) and not isinstance(rule, Raised)
    return (case.problem is None and not is_value) or _fits(rule, case.answer, tolerance)


def _fail(
    answer: Answer,
    problem: str,
    fitting: list[Misconception],
    hint: str | None,
    picture: Callable[[], Any] | None,
) -> NoReturn:
    """Raise what tells of ``answer``. Of the misconceptions that fit it the first is named, and the others are kept."""
    misconception = fitting[0] if fitting else None
    if answer.failure is not None:
        error: CheckFailed = answer.error(misconception, hint)
    else:
        if misconception is None and answer.data is None:
            misconception = NOTHING_RETURNED
        error = WrongAnswer(*message(problem, misconception, hint))
    error.also = tuple(dict.fromkeys(known for known in fitting if known is not misconception))
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


class _Passed:
    """Counts what passes in a cell, and tells the student in one line when the cell has ended well.

    Outside of Jupyter nobody says when a cell ends: there each check has its line. A grader asks for silence: a
    feedback page shows no hidden test's inputs.
    """

    count = 0

    def __call__(self, text: str) -> None:
        if "AUTODIFF_LAB_QUIET" in os.environ:
            return
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython else None
        if shell is None:
            line = " ".join(text.split())
            print(line if len(line) <= 110 else line[:108] + " …")
            return
        if not self.count:
            shell.events.register("post_run_cell", self.tell)
        self.count += 1

    def tell(self, result: Any) -> None:
        """At the end of the cell."""
        sys.modules["IPython"].get_ipython().events.unregister("post_run_cell", self.tell)
        count, self.count = self.count, 0
        if result.success:
            print("Passed: it is right." if count == 1 else f"Passed: all {count} checks are right.")


_say = _Passed()

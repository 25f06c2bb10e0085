"""The checks that recur in test cells, each a verb: repeats, leaves_alone, counts, goes_deep, expressions, flags.

A verb asks and judges, and has one message. A question (``ask``) is whatever gives an ``Answer`` for its inputs:
``student.f``, or a function of the unit's module that runs a few lines beside the student's code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from autodiff_lab.checks.failed import BudgetExceeded
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import same, show
from autodiff_lab.checks.student import Answer, StudentFunction

Ask = Callable[..., Answer]
Rules = Mapping[Misconception, Any]
"""A misconception, and the wrong rule (or `Raised`, or a tuple of these) that it leads to. See `Check.function`."""

_COUNTED = """
count = 0
class Counted(float):
    def __mul__(self, other):
        nonlocal count
        count += 1
        return Counted(float(self) * float(other))
    __rmul__ = __mul__
found = %s([Counted(number) for number in numbers])
return count, found
"""


class Judging(Protocol):
    """What verbs are made of: `Check`'s comparison of one answer, and of those of a function."""

    def __call__(self, answer: Answer, **judged: Any) -> None: ...

    def function(self, ask: Ask, **judged: Any) -> None: ...


class Verbs:
    """What `Check` can do beside comparing one answer, or those of a function."""

    def repeats(self: Judging, ask: Ask, *given: Any, otherwise: Misconception) -> None:
        """Ask the same twice, and pass where the second answer is the first, be it right or wrong."""
        first, second = ask(*given), ask(*given)
        if first.failure is not None or second.failure is not None:
            self(first if first.failure is not None else second, accept=lambda got: True)
        elif not same(first.data, second.data):
            told = replace(second, call=f"{second.call}, asked again")
            self(
                told,
                accept=lambda got: f"it was {show(first.data, got)} a moment ago, for the same call",
                instead=[(lambda got: True, otherwise)],
            )

    def leaves_alone(
        self: Judging, ask: StudentFunction, *given: Any, otherwise: Misconception | Sequence[Misconception]
    ) -> None:
        """Ask for ``given`` and pass when the arguments are afterwards as they were.

        No answer can tell this call from others: what the arguments are afterwards comes back with every call.
        ``otherwise``: what shows when one has changed; one for each argument, where they differ.
        """
        answer = ask(*given)
        named = [otherwise] * len(given) if isinstance(otherwise, Misconception) else otherwise
        afterwards = replace(answer, call=f"what {answer.call} was given, afterwards", data=_one(answer.left))
        changed = [
            (lambda left, place=place: not same(given[place], left if len(given) == 1 else left[place]), known)
            for place, known in enumerate(named)
        ]
        self(afterwards, expect=_one(given), instead=changed)

    def counts(
        self: Judging,
        ask: StudentFunction,
        numbers: list[float],
        *,
        like: Callable[[list[float]], Any],
        multiplications: int,
        rounded: Callable[[list[float], Any], bool],
        otherwise: Misconception,
    ) -> None:
        """Ask for ``numbers`` that count how often they are multiplied, and refuse more than ``multiplications``.

        The count is kept beside the student's code, which may set it, or go around it with ``float(…)``. So it only
        refuses and earns nothing. ``rounded(numbers, found)`` looks at the data alone: whether the last digits are
        those of the multiplications that are needed.
        """
        answer = ask.student.run(_COUNTED % ask.name, numbers=numbers, label=f"{ask.name}(numbers)")

        def verdict(got: Any) -> bool | str:
            count, found = got
            if not same(like(numbers), found):
                return "the second should be what it always is for these numbers"
            if count > multiplications:
                return (
                    f"the first is how many multiplications it makes for {len(numbers)} numbers; "
                    f"{multiplications} are enough"
                )
            return rounded(numbers, found) or "the last digits show that products were begun again, over and over"

        self(answer, accept=verdict, instead=[(lambda got: same(like(numbers), got[1]), otherwise)])

    def goes_deep(
        self: Judging,
        ask: Ask,
        *given: Any,
        like: Callable[..., Any],
        recurses: Misconception,
        searches: Misconception | None = None,
    ) -> None:
        """Ask for a long chain or a deep graph; ``like(*given)`` is right.

        ``recurses`` shows where Python refuses further calls within calls, ``searches`` where a budget of calls is
        used up. A function that is only slow is stopped by the clock, and named nothing.
        """
        named = [(RecursionError, recurses), *([(BudgetExceeded, searches)] if searches else [])]
        self(ask(*given), expect=like(*given), instead=named)

    def expressions(
        self: Judging,
        ask: Callable[[str], Ask],
        *,
        like: Callable[[str], Callable[..., Any]],
        on: Sequence[tuple[Any, ...]],
    ) -> Callable[..., None]:
        """A check of formulas: the same text on the student's class and on the engine, ``on`` the same inputs.

        ``values = check.expressions(unit.values, like=unit.values_of, on=points)``, then
        ``values("x + w", "x - w", wrong=unit.SUMS)``. ``ask(text)`` is the question for a text, ``like(text)`` gives
        what is right. ``wrong``: rules, or what gives them for a text.
        """

        def ask_for(*texts: str, wrong: Rules | Callable[[str], Rules] | None = None) -> None:
            for text in texts:
                rules = wrong(text) if callable(wrong) else wrong
                self.function(ask(text), on=on, like=like(text), wrong=rules)

        return ask_for

    def flags(
        self: Judging,
        ask: Callable[[list[str]], Answer],
        expect: Mapping[str, bool],
        *,
        missing: Misconception,
        surplus: Misconception,
    ) -> None:
        """Ask for the truth of many things at once: one bool for each key, in their order.

        ``missing`` shows where only true ones are false, ``surplus`` where only false ones are true; where both occur,
        nobody knows why, and nothing is named.
        """
        wanted = list(expect.values())

        def wrong(got: Any, where: bool) -> bool:
            off = [right for right, found in zip(wanted, got, strict=True) if right != found]
            return set(off) == {where} and all(found in (True, False) for found in got)

        self(
            ask(list(expect)),
            expect=wanted,
            instead=[(lambda got: wrong(got, True), missing), (lambda got: wrong(got, False), surplus)],
        )


def _one(given: Any) -> Any:
    """The argument of a call that has one."""
    return given[0] if isinstance(given, tuple) and len(given) == 1 else given

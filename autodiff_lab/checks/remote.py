"""The transport of a grader: the student's code lives in another process, and questions go there as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_lab.checks.failed import Failure

Ask = Callable[[dict[str, Any]], Any]
KERNEL_DIED, TIMED_OUT, BAD_REPLY = "KernelDied", "TimedOut", "BadReply"
"""The kinds of failures that are not an error of the student's code."""


class NoAnswer(Exception):
    """A question came back without an answer; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Remote:
    """A `Transport` over ``ask``, which takes a question and returns ``{"value": …}`` or ``{"failure": […]}``."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        match self._answer({"ask": "call", "name": name, "args": args, "kwargs": kwargs}):
            case (found, left):
                return found, left
        raise NoAnswer(read_failure(None))

    def run(self, source: str, inputs: dict[str, Any], max_calls: int | None) -> Any:
        return self._answer({"ask": "run", "source": source, "inputs": inputs, "max_calls": max_calls})

    def get(self, name: str) -> Any:
        return self._answer({"ask": "get", "name": name})

    def failure(self, error: BaseException) -> Failure:
        if isinstance(error, NoAnswer):
            return error.failure
        return Failure(tuple(kind.__name__ for kind in type(error).__mro__), str(error))

    def _answer(self, question: dict[str, Any]) -> Any:
        match self._ask(question):
            case {"value": value}:
                return value
            case {"failure": failure}:
                raise NoAnswer(read_failure(failure))
        raise NoAnswer(read_failure(None))


def read_failure(given: Any) -> Failure:
    """A failure as another process tells it, cut to size; it may say anything."""
    match given:
        case [[str(), *_] as kinds, str(message), str(line)] if all(isinstance(kind, str) for kind in kinds):
            return Failure(tuple(kind[:100] for kind in kinds[:20]), message[:1000], line[:300])
    return Failure((BAD_REPLY, "Exception"), "what came back is no answer")

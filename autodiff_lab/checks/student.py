"""How a test reaches a student's code: calls go out and answers come back as plain data, never as objects.

``student`` speaks through a transport. In Jupyter that is the notebook's own names (``Local``); a grader can put
another in its place, such as a second process, and no test cell changes.
"""

import inspect
import linecache
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType
from typing import Any, Protocol

from autodiff_lab.checks.alone import RECURSION_LIMIT, alone, hidden_builtins, names_in
from autodiff_lab.checks.failed import CellStopped, CheckFailed, Failure, Interrupted, Missing, TooManyCalls, failed
from autodiff_lab.checks.masked import notice
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import NotPlain, plain, show
from autodiff_lab.checks.printed import Beginning, little_output

_DRIVER = "<test>"


@dataclass(frozen=True)
class Answer:
    """What came back of one question to the student's code: plain data or a failure.

    ``call`` says in words or code what was asked. ``name`` is the name that the student defines. ``left``: what the
    arguments of a call were afterwards, where it gave an answer.
    """

    call: str
    name: str
    failure: Failure | None = None
    data: Any = field(default=None)
    left: Any = field(default=None)

    @property
    def value(self) -> Any:
        """The plain data. Raises the matching CheckFailed where the student's code gave none."""
        if self.failure is not None:
            raise self.error()
        return self.data

    def error(self, misconception: Misconception | None = None, hint: str | None = None) -> CheckFailed:
        """The error that tells why there is no answer."""
        assert self.failure is not None
        return failed(self.call, self.name, self.failure, misconception, hint)


@cache
def _driver(source: str, inputs: tuple[str, ...]) -> tuple[CodeType, frozenset[str]]:
    """The lines of a test as a function of ``inputs``, compiled, and the names that they use."""
    body = textwrap.indent(textwrap.dedent(source).strip("\n"), "    ")
    text = f"def driver({', '.join(inputs)}):\n{body}\n"
    return compile(text, _DRIVER, "exec"), names_in(text)


class Transport(Protocol):
    """Where the student's code lives. Arguments and results are plain data."""

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The result, and what the arguments are after the call."""
        ...

    def run(self, source: str, inputs: dict[str, Any], max_calls: int | None) -> Any: ...

    def get(self, name: str) -> Any: ...

    def failure(self, error: BaseException) -> Failure: ...


class Local:
    """The notebook's own names: the transport in a student's Jupyter, and in a test that gives a ``namespace``."""

    def __init__(self, namespace: dict[str, Any] | None = None) -> None:
        self._namespace = namespace
        self._stopped: dict[str, tuple[bool, str, str]] = {}

    @property
    def namespace(self) -> dict[str, Any]:
        if self._namespace is not None:
            return self._namespace
        shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
        return shell.user_ns if shell else vars(sys.modules["__main__"])

    def cells(self) -> list[str]:
        """The source of the cells that were run, in their order."""
        shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
        return [shell.transform_cell(cell) if shell else cell for cell in self.namespace.get("In", ())]

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        with alone(self.namespace, [name]), little_output():
            found = plain(self.get(name)(*args, **kwargs))
        try:
            return found, plain(args)
        except NotPlain as error:
            return found, f"something of type {error.kind}"

    def run(self, source: str, inputs: dict[str, Any], max_calls: int | None) -> Any:
        code, names = _driver(source, tuple(inputs))
        seen, made = self.namespace, dict[str, Any]()
        if hidden := hidden_builtins(seen):  # in a test's lines, a builtin is what it always was
            seen = {name: value for name, value in seen.items() if name not in hidden}
        exec(code, seen, made)
        with alone(self.namespace, names), little_output():
            if max_calls is None:
                return made["driver"](**inputs)
            return _with_budget(made["driver"], inputs, max_calls)

    def get(self, name: str) -> Any:
        try:
            return self.namespace[name]
        except KeyError:
            raise self._why_missing(name) from None

    def _why_missing(self, name: str) -> NameError:
        """The cell that should define ``name`` may be the one whose error Jupyter showed last, or before that."""
        error = getattr(sys, "last_value", None)
        if isinstance(error, BaseException) and not isinstance(error, CheckFailed):
            file, line = _where(error, self.namespace)
            source = "".join(linecache.getlines(file))
            if re.search(rf"^\s*(?:async\s+def|def|class)\s+{name}\b|^[^#\n]*\b{name}\b[^#=\n]*=(?!=)", source, re.M):
                told = f"{type(error).__name__}: {_message(error)}"
                self._stopped[name] = (type(error) is NotImplementedError and not error.args), told, line
        stub, told, line = self._stopped.get(name, (True, "", ""))
        return Missing(name) if stub else CellStopped(told, line)

    def failure(self, error: BaseException) -> Failure:
        kinds = tuple(kind.__name__ for kind in type(error).__mro__)
        if type(error) is NameError and error.name and not self._line(error):  # raised in the test's lines
            error = self._why_missing(error.name)
            kinds = tuple(kind.__name__ for kind in type(error).__mro__)
        if isinstance(error, CellStopped):
            return Failure(kinds, *error.args)
        message = error.kind if isinstance(error, NotPlain) else _message(error)
        if isinstance(error, RecursionError) and sys.getrecursionlimit() > RECURSION_LIMIT:
            message += f" (at most {RECURSION_LIMIT}: a limit that another exercise's cell has raised does not count)"
        return Failure(kinds, message, self._line(error))

    def _line(self, error: BaseException) -> str:
        """The innermost line of the student's own code that the error went through."""
        found, trace = "", error.__traceback__
        while trace is not None:
            frame = trace.tb_frame
            if frame.f_globals is self.namespace and frame.f_code.co_filename != _DRIVER:
                text = linecache.getline(frame.f_code.co_filename, trace.tb_lineno).strip()
                found = f"line {trace.tb_lineno} of {frame.f_code.co_name}: {text}" if text else found
            trace = trace.tb_next
        return found


def _where(error: BaseException, namespace: dict[str, Any]) -> tuple[str, str]:
    """The file of the cell that stopped with ``error``, and its line in it, as text."""
    if isinstance(error, SyntaxError):
        return error.filename or "", f"line {error.lineno}: {(error.text or '').strip()}"
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals is not namespace:
        trace = trace.tb_next
    if trace is None:
        return "", ""
    file = trace.tb_frame.f_code.co_filename
    return file, f"line {trace.tb_lineno}: {linecache.getline(file, trace.tb_lineno).strip()}"


def _message(error: BaseException) -> str:
    text = str(error)
    return text if len(text) <= 300 else text[:300] + " …"


def _with_budget(function: Callable[..., Any], inputs: dict[str, Any], max_calls: int) -> Any:
    """Call ``function`` and stop it at its ``max_calls``-th Python call: a limit without a clock."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        if event == "call" and not Beginning.writing and frame.f_code is not Beginning.write.__code__:
            calls += 1
        if calls <= max_calls:
            return
        # What is raised while Python closes a generator is lost, and the profiler with it: wait for a safer event.
        in_generator = frame.f_code.co_flags & inspect.CO_GENERATOR
        if not in_generator or event == "c_call" or calls > 2 * max_calls:
            raise TooManyCalls(f"more than {max_calls} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return function(**inputs)
    finally:
        sys.setprofile(before)


@dataclass(frozen=True)
class StudentFunction:
    """A function of the student's notebook, called by name."""

    student: "Student"
    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Answer:
        shown = [show(argument) for argument in args] + [f"{key}={show(item)}" for key, item in kwargs.items()]
        sent = plain(args), plain(kwargs)
        answer = self.student._ask(
            lambda transport: transport.call(self.name, *sent), f"{self.name}({', '.join(shown)})", self.name
        )
        if answer.failure is not None:
            return answer
        found, left = answer.data
        return replace(answer, data=found, left=left)


class Student:
    """The student's code, as a test cell sees it.

    ``student.f(2.0, 3.0)`` calls the student's ``f``; ``student.run("…", x=2.0)`` runs a few lines next to the
    student's code, for classes; ``student.get("name")`` reads a variable. Each gives an ``Answer`` and raises nothing.
    """

    def __init__(self, transport: Transport | None = None) -> None:
        self._transport: Transport = transport or Local()

    def __getattr__(self, name: str) -> StudentFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return StudentFunction(self, name)

    def run(self, source: str, /, label: str = "", max_calls: int | None = None, **inputs: Any) -> Answer:
        """Run ``source`` as the body of a function beside the student's code; its ``return`` is the answer.

        The student's names and the keyword ``inputs`` (plain data) are visible in it; builtins are Python's own. Let it
        return data and compare nothing: what it finds equal, the student's classes have a say in. ``label`` says in
        words what it does, for the messages. ``max_calls``: a budget of Python calls, beyond which it counts as never
        ending.
        """
        source = textwrap.dedent(source).strip("\n")
        given = ", ".join(f"{key} = {show(item)}" for key, item in inputs.items())
        call = label or ("\n" + textwrap.indent(source, "    "))
        if given and (label or source):
            call += f" with {given}" if label else f"\n  with {given}"
        sent = plain(inputs)
        return self._ask(lambda transport: transport.run(source, sent, max_calls), call, label or "your code")

    def get(self, name: str) -> Answer:
        """Read the variable ``name`` of the student's notebook."""
        return self._ask(lambda transport: transport.get(name), name, name)

    def without(self, *masks: str, names: Sequence[str]) -> None:
        """Tell a student when the answer that defines ``names`` uses what these ``masks`` hide when it is graded.

        Where it is graded this does nothing: there they are hidden.
        """
        if not isinstance(self._transport, Local) or "AUTODIFF_LAB_QUIET" in os.environ:
            return
        if said := notice(names, self._transport.cells(), masks):
            print(f"Careful: {said}", file=sys.stderr)

    def _ask(self, question: Callable[[Transport], Any], call: str, name: str) -> Answer:
        try:
            return Answer(call, name, data=plain(question(self._transport)))
        except KeyboardInterrupt as error:
            raise Interrupted(call, self._transport.failure(error).line) from None
        except BaseException as error:
            return Answer(call, name, failure=self._transport.failure(error))


student = Student()

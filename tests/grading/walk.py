"""Puts every public name of the package in the place of every answer, in a sandbox with the masks of a kernel.

The first process of the sandbox (`main`) imports all modules that can be imported there, and runs a unit's own cells
and solutions. It forks a child for each candidate, in which that stands in the place of each answer in turn and gets
the first question of the test that asks for it. Who passes that gets a whole test (`served`).
"""

import contextlib
import importlib
import inspect
import json
import os
import pkgutil
import resource
import select
import signal
import socket
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from autodiff_lab.checks import bridge, wire
from autodiff_lab.checks.student import Local

SECONDS, WAITING_S = 0.3, 1.5  # of processor time, and by the clock, for an answer to a first question
LATE_S = 30.0  # by the clock, for all the answers of one candidate
ADAPTORS: dict[str, Callable[..., Any]] = {
    "": lambda f, *given, **named: f(*given, **named),
    "arguments swapped": lambda f, *given, **named: f(*reversed(given), **named),
    "result as a list": lambda f, *given, **named: list(f(*given, **named)),
    "result reversed": lambda f, *given, **named: list(f(*given, **named))[::-1],
    "first of the result": lambda f, *given, **named: next(iter(f(*given, **named))),
}


class TooLate(BaseException):
    """The time for an answer is used up."""


def importable(root: str) -> Iterator[Any]:
    """A package and the modules in it that can be imported here."""
    package = importlib.import_module(root)
    yield package
    for found in pkgutil.walk_packages(package.__path__, f"{root}.", onerror=lambda name: None):
        if not found.name.endswith("__main__"):
            with contextlib.suppress(Exception, SystemExit):
                yield importlib.import_module(found.name)


def candidates(*roots: str) -> dict[str, Any]:
    """What is public in the modules of packages, and made in one of them, by name; static parts of classes too."""
    named: dict[str, Any] = {}
    for module in [module for root in roots for module in importable(root)]:
        for name, value in list(vars(module).items()):
            if name.startswith("_") or inspect.ismodule(value):
                continue
            named[f"{module.__name__}.{name}"] = value
            if isinstance(value, type):
                for part, kind in list(vars(value).items()):
                    if isinstance(kind, (staticmethod, classmethod)) and not part.startswith("_"):
                        named[f"{module.__name__}.{name}.{part}"] = getattr(value, part)
    own = {}
    for name, value in named.items():
        if callable(value) and str(getattr(value, "__module__", "")).startswith(roots):
            own.setdefault(id(value), (name, value))
    return dict(own.values())


def fits(candidate: Any, answer: Any) -> bool:
    """Whether a candidate is of an answer's kind: a class, or something that takes as many arguments. No data is."""
    if isinstance(answer, type) or not callable(answer):
        return isinstance(answer, type) and isinstance(candidate, type)
    try:
        taken, own = inspect.signature(candidate), inspect.signature(answer)
    except (ValueError, TypeError):
        return True
    for number in range(1, len(own.parameters) + 1):
        with contextlib.suppress(TypeError):
            own.bind(*[None] * number)
            taken.bind(*[None] * number)
            return True
    return False


def adapted(candidate: Any, how: str) -> Any:
    """A candidate behind an adaptor; classes and data stay as they are."""
    return (lambda *given, **named: ADAPTORS[how](candidate, *given, **named)) if how else candidate


def notebook(cells: list[str]) -> dict[str, Any]:
    """The namespace that is left by a unit's cells. One that uses what is masked stops, as it does in a kernel."""
    namespace: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}
    for cell in cells:
        with contextlib.suppress(Exception):
            exec(compile(cell, "<cell>", "exec"), namespace)
    return namespace


def short(reply: str) -> str:
    """A reply; of one that is no answer, the kind of error: texts differ by the names in them."""
    told = wire.loads(reply)
    return wire.dumps({"failure": [told["failure"][0], "", ""]}) if "failure" in told else reply


def first_replies(
    candidate: Any, units: dict[str, dict[str, Any]], asked: list[list[Any]]
) -> dict[int, dict[str, str]]:
    """By the number of the question, and by adaptor: what comes back."""

    def stop(*_: Any) -> None:
        raise TooLate

    signal.signal(signal.SIGPROF, stop)
    signal.signal(signal.SIGALRM, stop)
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for number, (unit, name, question) in enumerate(asked):
        namespace = units[unit]
        answer = namespace[name]
        if not fits(candidate, answer):
            continue
        for how in ADAPTORS:
            if how and (
                isinstance(answer, type) or ("result" in how and "failure" in found[number].get("", "failure"))
            ):
                continue  # there is no result
            namespace[name] = adapted(candidate, how)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            signal.setitimer(signal.ITIMER_REAL, WAITING_S)
            try:
                found[number][how] = short(bridge.reply(Local(namespace), wire.loads(question.encode())))
            except TooLate:
                pass
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_REAL, 0)
                namespace[name] = answer
    return found


def in_a_child(work: Iterator[Any]) -> Iterator[Any]:
    """What comes of `work`, in a process that may end before that, or not end, or close everything."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))  # no answer starts a program; some candidates would
            for piece in work:
                text = json.dumps(piece).encode() + b"\n"
                while text:
                    text = text[os.write(into, text) :]
        finally:
            os._exit(0)
    os.close(into)
    read = b""
    while select.select([out], [], [], LATE_S)[0] and (more := os.read(out, 1 << 16)):
        *lines, read = (read + more).split(b"\n")
        yield from map(json.loads, lines)
    os.close(out)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)


def walk(
    known: dict[str, Any], units: dict[str, dict[str, Any]], asked: list[list[Any]]
) -> dict[int, dict[str, list[list[str]]]]:
    """By question, and by what came back: the candidates and adaptors that it came from. A module has a process."""
    replies: dict[int, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    modules: dict[str, list[str]] = defaultdict(list)
    for label, candidate in known.items():
        if any(fits(candidate, units[unit][name]) for unit, name, _ in asked):
            modules[candidate.__module__].append(label)
    for labels in modules.values():
        while labels:
            for found in in_a_child(first_replies(known[label], units, asked) for label in labels):
                label = labels.pop(0)
                for number, ways in found.items():
                    for how, reply in ways.items():
                        replies[int(number)][reply].append([label, how])
            del labels[:1]  # it has ended its process
    return replies


def served(stream: Any, namespace: dict[str, Any]) -> None:
    """Answer a test's questions with what is in a namespace, until there are no more."""
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    signal.alarm(120)
    stream.write(b"{}\n")  # who asks waits for this: what comes before it is the other process's to read
    stream.flush()
    while (question := wire.loads(stream.readline())) is not None:
        stream.write(bridge.reply(Local(namespace), question).encode() + b"\n")
        stream.flush()


def main(descriptor: int) -> None:
    """Serve who made the sandbox: {"cells", "roots"} first, then {"asked"}, or {"put"} and a test's questions."""
    stream = socket.socket(fileno=descriptor).makefile("rwb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    given = json.loads(stream.readline())
    units = {unit: notebook(cells) for unit, cells in given["cells"].items()}
    known = candidates(*given["roots"])
    while text := stream.readline():
        order = json.loads(text)
        if "asked" in order:
            told: Any = walk(known, units, order["asked"])
        else:
            child = os.fork()
            if child == 0:
                try:
                    for name, (label, how) in order["put"].items():
                        units[order["unit"]][name] = adapted(known[label], how)
                    served(stream, units[order["unit"]])
                finally:
                    os._exit(0)
            told = {"ended": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}
        stream.write(json.dumps(told).encode() + b"\n")
        stream.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))

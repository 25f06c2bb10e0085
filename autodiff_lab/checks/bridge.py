"""What answers a grader's questions inside the student's kernel.

It runs beside the student's code and may be tampered with by it. That changes only the answers to questions about that
very code: what the right answers are is known to another process, with which there is nothing in common but text.

A question is a line: a number, a blank, and plain data as `wire` writes it; so is the answer, with the same number.
"""

from __future__ import annotations

import os
import socket
from typing import Any

from autodiff_lab.checks import wire
from autodiff_lab.checks.student import Local, Transport

SOCKET = "AUTODIFF_LAB_BRIDGE"
"""The environment variable that holds the number of the open socket."""

SERVE = f'__import__("{__name__}", fromlist=["serve"]).serve(%d)'
"""What a grader has the kernel run, once for each test that asks something. It leaves no name behind."""

_line: Any = None


def serve(first: int) -> None:
    """Answer questions until the grader says that there are no more, or is gone. Those before ``first`` are too old."""
    global _line
    if _line is None:
        _line = socket.socket(fileno=int(os.environ[SOCKET])).makefile("rwb")
    transport = Local()
    for question in _line:
        number, _, text = question.partition(b" ")
        if int(number) < first:
            continue
        asked = wire.loads(text)
        if asked is None:
            return
        _line.write(b"%s %s\n" % (number, reply(transport, asked).encode()))
        _line.flush()


def reply(transport: Transport, question: dict[str, Any]) -> str:
    """The answer to one question, as text: a value, or why there is none. An interrupt is a reason as well."""
    try:
        return wire.dumps({"value": _ask(transport, question)})
    except BaseException as error:
        try:
            failure = transport.failure(error)
            return wire.dumps({"failure": [list(failure.kinds), failure.message, failure.line]})
        except BaseException:  # an error whose own text is an error
            return wire.dumps({"failure": [[type.__getattribute__(type(error), "__name__"), "Exception"], "", ""]})


def _ask(transport: Transport, question: dict[str, Any]) -> Any:
    if question["ask"] == "call":
        return transport.call(question["name"], question["args"], question["kwargs"])
    if question["ask"] == "run":
        return transport.run(question["source"], question["inputs"], question["max_calls"])
    return transport.get(question["name"])

"""Split execution, the worker's side: the judge's process, and the relay between it and a student's kernel.

A test cell runs in a child of the judge; what it asks of the student's code goes through here as text, to the kernel
in which that code is, and the answer back. Answers are read strictly, within limits of size and time: what comes from
a student's process can be anything. Nothing here runs code of a notebook.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from autodiff_lab.checks import wire
from autodiff_lab.checks.plain import NotPlain
from autodiff_lab.checks.remote import BAD_REPLY
from autodiff_lab.grading import sandbox
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.masks import Masks as Masks
from autodiff_lab.grading.masks import read_masks as read_masks

_CHUNK = 1 << 20
_GRACE_S = 5.0  # beyond its own time, until a test is given up
_VERDICT_S = 5.0  # after its socket has closed, how long until it is known whether a kernel is dead


class Gone(Exception):
    """The other end has closed the line."""


class Late(Exception):
    """Nothing came in time."""


class Stopped(Exception):
    """Waiting has no sense any more: `Relay.give_up` was called."""


class TooLong(Exception):
    """A line that does not end within the limit."""


class JudgeBroke(Exception):
    """A test did not come to its end, and the student's code has no part in it."""


class Line:
    """A socket that carries lines of text. Waiting ends at the time `until`, and when `stop` is readable."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self.socket = end
        self.number = 0
        self._got = bytearray()

    def next(self) -> int:
        """A number that was never used."""
        self.number += 1
        return self.number

    def send(self, text: bytes, until: float, stop: socket.socket | None = None) -> None:
        """Send `text` and the end of the line. Raises Gone, Late, Stopped."""
        rest = memoryview(text + b"\n")
        while rest:
            try:
                rest = rest[self.socket.send(rest) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, until, stop)
            except OSError:
                raise Gone from None

    def read(self, until: float, stop: socket.socket | None = None, most: int | None = None) -> bytes:
        """The next line, without its end. Raises Gone, Late, Stopped, and TooLong beyond `most` bytes."""
        looked = 0
        while (end := self._got.find(b"\n", looked)) < 0:
            looked = len(self._got)
            if most is not None and looked > most:
                raise TooLong
            self._wait(select.POLLIN, until, stop)
            try:
                more = self.socket.recv(_CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                raise Gone from None
            if not more:
                raise Gone
            self._got += more
        line = bytes(self._got[:end])
        del self._got[: end + 1]
        return line

    def left(self) -> bytes:
        """What has come that nobody has read, up to some millions of bytes; it is gone then."""
        with contextlib.suppress(OSError):
            while len(self._got) < 2 * wire.MAX_BYTES and (more := self.socket.recv(_CHUNK)):
                self._got += more
        left = bytes(self._got)
        self._got.clear()
        return left

    def _wait(self, event: int, until: float, stop: socket.socket | None) -> None:
        poll = select.poll()
        poll.register(self.socket, event)
        if stop is not None:
            poll.register(stop, select.POLLIN)
        ready = dict(poll.poll(max(0.0, until - monotonic()) * 1000))
        if stop is not None and stop.fileno() in ready:
            raise Stopped
        if not ready:
            raise Late

    @property
    def is_closed(self) -> bool:
        return self.socket.fileno() < 0

    def close(self) -> None:
        self.socket.close()


# ------------------------------------------------------------ the judge


class Judge:
    """The process that has imported what tests need. Confined like a student's, unless students are trusted."""

    module = "autodiff_lab.grading.judge"

    def __init__(self, trust: bool, hidden: tuple[Path, ...] = ()) -> None:
        self._control, theirs = socket.socketpair()
        argv = [sys.executable, "-m", self.module, str(theirs.fileno())]
        pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        with theirs:
            if trust:
                paths = [str(PACKAGE_PARENT), *filter(None, [os.environ.get("PYTHONPATH")])]
                env = {**os.environ, **sandbox.ENVIRONMENT, "PATH": os.environ.get("PATH", "")}
                env["PYTHONPATH"] = os.pathsep.join(paths)
                self.process = subprocess.Popen(argv, pass_fds=(theirs.fileno(),), env=env, **pipes)
            else:
                with sandbox.jail(argv, fds=(theirs.fileno(),), hidden=hidden) as jailed:
                    self.process = subprocess.Popen(jailed.argv, **pipes, **jailed.options)

    def child(self) -> Line:
        """A line to a new child, with a namespace of its own. Raises OSError if the judge is gone."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.fork(theirs)
        return Line(ours)

    def fork(self, *ends: socket.socket) -> None:
        """Have it fork a child that serves these sockets. Raises OSError if it is gone."""
        socket.send_fds(self._control, [b"+"], [end.fileno() for end in ends])

    def close(self) -> None:
        """End it; children end when their lines are closed."""
        self._control.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_Kind = TypeVar("_Kind", bound=Judge)
_judges: dict[tuple[type[Judge], bool], Judge] = {}


def start_judge(trust: bool, hidden: tuple[Path, ...] = (), kind: type[_Kind] = Judge) -> _Kind:
    """This process's judge, which is started if there is none. Does not wait until it is ready."""
    judge = _judges.get((kind, trust))
    if not isinstance(judge, kind) or judge.process.poll() is not None:
        judge = _judges[kind, trust] = kind(trust, hidden)
    return judge


@atexit.register
def close_judges() -> None:
    """End the judges of this process."""
    while _judges:
        _judges.popitem()[1].close()


# ------------------------------------------------------------ one piece of a test cell


class Relay(threading.Thread):
    """Has one piece of a test cell run by the judge, and carries its questions to a student's kernel.

    `asked` is set at the first question, and at the end: whoever sees it then has the kernel answer, if `questions`.
    `first` is where `bridge.serve` is to begin. `outputs` is None if the judge's child is lost; then `broke` says
    that no answer can be to blame: the test had asked nothing, or did not use up its time. `failure` is what questions
    got that had no answer, if there are any; `malformed`: the kernel's line is of no use any more;
    `unanswered`: the number of the question that was waited for when that had no sense any more.
    """

    def __init__(self, court: Line, desk: Line | None, code: str, seconds: float) -> None:
        super().__init__(name="relay", daemon=True)
        self.asked = threading.Event()
        self.questions = 0
        self.outputs: list[dict[str, Any]] | None = None
        self.broke = False
        self.failure: tuple[str, str] | None = None
        self.malformed = False
        self.unanswered: bytes | None = None
        self._court, self._desk, self._code = court, desk, code
        self.first = desk.next() if desk is not None else 0
        if desk is not None:
            desk.left()  # a late answer, or a forged one
        self._seconds, self._until = seconds, monotonic() + seconds + _GRACE_S
        self._reason: tuple[str, str] | None = None
        self._given_up = threading.Event()
        self._wake, self._waker = socket.socketpair()

    def give_up(self, kind: str, message: str) -> None:
        """From now on questions fail at once, for this reason; one that waits for its answer as well."""
        if self._reason is None:
            self._reason = (kind, message)
            self._given_up.set()
            with contextlib.suppress(OSError):
                self._waker.send(b".")

    def run(self) -> None:
        """Until the piece has ended. Then the kernel is told that there are no more questions."""
        try:
            self._send(json.dumps({"code": self._code, "seconds": self._seconds}).encode())
            while self.outputs is None:
                message = json.loads(self._court.read(self._until))
                if "outputs" in message:
                    self.outputs = message["outputs"]
                else:
                    self._send(self._answer(message["question"].encode()))
        except (Gone, Late, ValueError) as error:
            in_time = not isinstance(error, Gone) or monotonic() < self._until - _GRACE_S
            self.broke = in_time or not self.questions
            self._court.close()
        finally:
            if self.questions and self._desk is not None:
                with contextlib.suppress(Gone, Late):
                    self._desk.send(b"%d null" % self._desk.next(), monotonic() + 1)
            self.asked.set()

    def _send(self, text: bytes) -> None:
        self._court.send(text, self._until)

    def _answer(self, question: bytes) -> bytes:
        """The answer to a question, as text that is surely plain data."""
        desk = self._desk
        if self._reason is not None and self.failure is None:
            self.failure = self._reason
        if self.failure is None and desk is not None:
            self.questions += 1
            number = b"%d" % desk.next()
            self.asked.set()
            sent = False
            try:
                desk.send(number + b" " + question, self._until, self._wake)
                sent = True
                found, _, text = desk.read(self._until, self._wake, wire.MAX_BYTES).partition(b" ")
                if found != number:
                    raise wire.WireError("an answer to another question")
                value = wire.loads(text)
                if not (isinstance(value, dict) and list(value) in (["value"], ["failure"])):
                    raise wire.WireError("neither a value nor a failure")
                return wire.dumps(value).encode()
            except (wire.WireError, NotPlain, TooLong) as error:
                self.malformed = True
                self.failure = BAD_REPLY, f"what came back is no answer ({str(error) or 'too long'})"
                with contextlib.suppress(OSError):  # whoever still writes the rest of it need not wait
                    desk.socket.shutdown(socket.SHUT_RDWR)
            except (Gone, Late, Stopped):
                # Closed lines have a reason, which the one who watches the kernel will soon know.
                self._given_up.wait(_VERDICT_S)
                self.malformed = not sent  # half a line may stand in it
                self.unanswered = number
                self.failure = self._reason or (BAD_REPLY, "the kernel does not answer")
        kind, message = self.failure or (BAD_REPLY, "there is no kernel")
        return wire.dumps({"failure": [[kind, "Exception"], message, ""]}).encode()

    def close(self) -> None:
        """Wait for the end, which comes by itself, and leave nothing open."""
        self.join()
        self._wake.close()
        self._waker.close()

"""What an answer prints while a test runs it: a beginning is shown, the rest costs next to nothing."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

MOST = 10_000  # characters of one question


class Beginning:
    """A stream that passes on what is written to another, up to a limit."""

    writing = False
    """Whether one of them is passing something on: what that calls is not the answer's work."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._left = stream, MOST

    def write(self, text: str) -> int:
        """As a text stream's."""
        if self._left > 0:
            Beginning.writing = True
            try:
                self._stream.write(text[: self._left])
                self._left -= len(text)
                if self._left <= 0:
                    self._stream.write("\n[The rest of what your code prints is not shown.]\n")
            finally:
                Beginning.writing = False
        return len(text)

    def writelines(self, lines: Any) -> None:
        """As a text stream's."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing: Jupyter shows what is printed in its own time."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def little_output() -> Iterator[None]:
    """While a test runs an answer: of what that prints, only a beginning is shown."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (stream and Beginning(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before

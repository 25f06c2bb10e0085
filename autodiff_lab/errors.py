"""A user's mistake, or something missing on the machine: told in one line and a hint, never as a traceback."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def typed(words: str = "") -> str:
    """A command of this package as the reader would type it: the way in which this one was started."""
    if Path(sys.argv[0]).name.lower().startswith("autodiff-lab"):  # .exe, -script.py on Windows
        program = "autodiff-lab"
    else:
        program = f"{'python' if os.name == 'nt' else 'python3'} -m autodiff_lab"
    return f"{program} {words}".rstrip()


class UserError(Exception):
    """What went wrong in one line; `hint` says what to do about it.

    The command line prints both to stderr and exits with `exit_code` (never 0).
    """

    def __init__(self, message: str, hint: str = "", exit_code: int = 1) -> None:
        super().__init__(message)
        self.hint = hint
        self.exit_code = exit_code

    def tell(self) -> int:
        """Print the line and the hint to stderr; returns the exit code."""
        print(f"Error: {self}", file=sys.stderr)
        if self.hint:
            print(f"Hint: {self.hint}", file=sys.stderr)
        return self.exit_code


def warn(message: str) -> None:
    """Print to stderr what was left out or looks wrong, while the command goes on."""
    print(f"Warning: {message}", file=sys.stderr, flush=True)


def nearest(word: str, names: list[str] | tuple[str, ...]) -> str:
    """The names that `word` was probably meant to be, as `a, b or c`; all of them where none is near."""
    import difflib

    near = difflib.get_close_matches(word, names, n=3, cutoff=0.5) or [n for n in names if word and word in n]
    found = near or list(names)
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " or " + found[-1]

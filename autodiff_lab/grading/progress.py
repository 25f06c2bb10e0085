"""A progress bar for anything that takes long; a few lines where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(title: str, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """A rich progress bar on stderr; yields `progress(what, done, total)` for the functions of this package.

    A step that cannot be counted has the total 0. Without a terminal it prints a line at the start, for each step, for
    each tenth of a count, and at the end; `quiet`: nothing at all.
    """
    if quiet:
        yield lambda what, done, total: None
        return
    if not sys.stderr.isatty():
        print(f"{title} …", file=sys.stderr, flush=True)
        yield _Lines(title)
        print(f"{title}: done", file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[what]}"),
        console=Console(stderr=True),
        speed_estimate_period=600,  # submissions differ in how long they take
    ) as progress:
        task = progress.add_task(title, total=None, what="")
        yield lambda what, done, total: progress.update(task, completed=done, total=total or None, what=what)


class _Lines:
    """Progress where nobody watches: in a log, or in a pipe."""

    def __init__(self, title: str) -> None:
        self._title, self._last = title, ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if not total:
            line = f"{what} …"
        elif done and (10 * done // total > 10 * (done - 1) // total):
            line = f"{done} of {total}"
        else:
            return
        if line != self._last:
            self._last = line
            print(f"{self._title}: {line}", file=sys.stderr, flush=True)

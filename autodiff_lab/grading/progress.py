"""A progress bar for anything that takes long, and silence where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(title: str, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """A rich progress bar on stderr; yields `progress(what, done, total)` for the functions of this package.

    Without a terminal it prints one line at the start and one at the end; `quiet`: nothing at all.
    """
    if quiet:
        yield lambda what, done, total: None
        return
    if not sys.stderr.isatty():
        print(f"{title} …", file=sys.stderr, flush=True)
        yield lambda what, done, total: None
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
        yield lambda what, done, total: progress.update(task, completed=done, total=total, what=what)

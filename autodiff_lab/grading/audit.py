"""The log of what grading decided: JSON lines in reports/audit.jsonl, only ever appended to, one line an event."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def now() -> str:
    """The time as it stands in the log: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def append(path: Path, event: dict[str, Any]) -> None:
    """Write one event. A line that a crash or a full disk has torn is left as it is; the next begins below it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(event, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    with path.open("ab+", buffering=0) as file:
        if file.tell() and os.fstat(file.fileno()).st_size:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = b"\n" + line
        if file.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Every event of a log, the oldest first; torn lines and events that were written twice are left out."""
    if not path.is_file():
        return
    seen = set()
    with path.open("rb") as file:
        for line in file:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if not isinstance(event, dict) or event.get("id") in seen:
                continue
            if "id" in event:
                seen.add(event["id"])
            yield event

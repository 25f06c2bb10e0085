"""What a submission tries that a sandbox does not let it do, as one line of text each: for the report, for a person.

Told by Python's own audit events, inside, as they happen. A program can go round them, and could send lines of its own:
this is no defence, it says where to look.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

MOST = 20  # of one kernel
_LENGTH = 160


def tell(line: socket.socket, allowed: tuple[str, ...]) -> None:
    """From now on send what is tried over ``line``, which stays open; below the folders ``allowed`` all may be done."""
    line.setblocking(False)
    said: set[str] = set()

    def hear(event: str, args: tuple[Any, ...]) -> None:
        if event not in _EVENTS or len(said) >= MOST:
            return
        try:
            text = _EVENTS[event](args, allowed)
            if text and text not in said:
                said.add(text)
                line.send(ascii(text)[1:-1][:_LENGTH].encode() + b"\n")
        except Exception:  # arguments of other types, a full line: the program goes on as if nobody listened
            return

    sys.addaudithook(hear)


def heard(line: socket.socket) -> list[str]:
    """What has come over the other end, each once."""
    line.setblocking(False)
    got = b""
    try:
        while len(got) < MOST * (_LENGTH + 1) and (more := line.recv(1 << 14)):
            got += more
    except OSError:
        pass
    lines = [text[:_LENGTH] for text in got.decode("ascii", "replace").splitlines() if text]
    return list(dict.fromkeys(lines))[:MOST]


def _outside(path: Any, allowed: tuple[str, ...]) -> str:
    """A path, if it is a text and not below a folder where all may be done."""
    name = os.path.abspath(os.fsdecode(path)) if isinstance(path, (str, bytes, os.PathLike)) else ""  # noqa: PTH100
    return "" if any(name == folder or name.startswith(folder + "/") for folder in allowed) else name


def _opens(args: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    path, _, flags = args
    name = _outside(path, allowed)
    if not name:
        return ""
    if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
        return f"write to {name}"
    others = name.endswith((".ipynb", ".db")) or (name.startswith("/proc/") and name.endswith(("/mem", "/environ")))
    return f"read {name}" if others else ""


def _makes(args: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    name = _outside(args[0], allowed)
    return f"make the folder {name}" if name else ""


def _opens_database(args: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    name = _outside(args[0], allowed)
    return f"open the database {name}" if name else ""


def _deletes(args: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    name = _outside(args[0], allowed)
    return f"delete {name}" if name else ""


def _connects(args: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    return f"connect to {args[1][0]}:{args[1][1]}" if isinstance(args[1], tuple) else ""


def _signals(args: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    return f"send signal {int(args[1])} to process {args[0]}" if args[1] and args[0] != os.getpid() else ""


_EVENTS = {
    "open": _opens,
    "os.mkdir": _makes,
    "sqlite3.connect": _opens_database,
    "os.remove": _deletes,
    "os.rmdir": _deletes,
    "os.rename": _deletes,
    "shutil.rmtree": _deletes,
    "socket.connect": _connects,
    "socket.getaddrinfo": lambda args, allowed: f"look up {args[0]}",
    "os.kill": _signals,
    "os.killpg": _signals,
    "autodiff_lab.masked": lambda args, allowed: f"use {args[0]}",
}

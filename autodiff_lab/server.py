"""Starts JupyterLab on a folder, waits until it answers, and stops it again. Its settings come from outside."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from autodiff_lab.errors import UserError

HOST = "127.0.0.1"
FIRST_PORT, PORTS = 8888, 50
START_SECONDS = 120


def free_port(asked: int | None) -> int:
    """The port that was asked for, or the first free one from 8888. Raises UserError if it is taken."""
    for port in [asked] if asked is not None else range(FIRST_PORT, FIRST_PORT + PORTS):
        with socket.socket() as probe:
            # As the server will: a port that still lingers from a server just stopped is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
                return port
            except PermissionError:
                raise UserError(f"port {port} is not for ordinary users.", "choose one from 1024 on.") from None
            except OSError:
                continue
    if asked is not None:
        raise UserError(f"port {asked} is taken by another program.", "leave --port out, or choose another one.")
    raise UserError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free.", "choose one with --port.")


def running(root: Path, port: int | None = None) -> str | None:
    """URL with token of a JupyterLab that already serves `root` (on `port`, if that is given), if one does."""
    from jupyter_server.serverapp import list_running_servers

    for server in list_running_servers():
        if Path(server["root_dir"]) == root and server.get("token") and port in (None, server["port"]):
            return f"{server['url']}?token={server['token']}"
    return None


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


class Lab:
    """One JupyterLab process that serves `root`; its messages go to `log`."""

    _signals = (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))

    def __init__(self, root: Path, settings: Path, log: Path, start: str, port: int | None, extra: list[str]) -> None:
        self.root, self.log, self.port, self.token = root, log, free_port(port), secrets.token_hex(24)
        self.url = f"http://{HOST}:{self.port}{start}?token={self.token}"
        self.command = [
            sys.executable,
            *("-m", "jupyterlab", "--no-browser"),
            f"--ServerApp.root_dir={root}",
            f"--ServerApp.ip={HOST}",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--LabApp.default_url={start}",
            "--LabApp.extension_manager=readonly",  # the list of extensions would come from the network
            # Jupyter refuses root; a course in a container runs as root, behind a token and on this machine only.
            *(["--ServerApp.allow_root=True"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            *extra,
        ]
        paths = [str(settings), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
        self.environment = {
            **os.environ,
            "JUPYTER_CONFIG_PATH": os.pathsep.join(paths),
            "JUPYTER_TOKEN": self.token,
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, say: Callable[[str], None] = lambda text: None) -> None:
        """Start and wait until it answers. Raises UserError with the last line of its log if it does not.

        `say` is told what it is doing, whenever that has changed.
        """
        for number in self._signals:
            signal.signal(number, _interrupt)  # from here on a process would be left behind
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is ours; it is stopped in order
            )
        deadline = time.monotonic() + START_SECONDS
        try:
            while time.monotonic() < deadline:
                if self.process.poll() is not None:
                    raise UserError(
                        f"JupyterLab did not start: {self._last_line()}", f"its messages are in {self.log}."
                    )
                if self._answers():
                    return
                say(self._doing())
                time.sleep(0.1)
        except KeyboardInterrupt:
            self.stop()
            raise
        self.stop()
        raise UserError(f"JupyterLab did not answer within {START_SECONDS} s.", f"its messages are in {self.log}.")

    def _answers(self) -> bool:
        request = urllib.request.Request(
            f"http://{HOST}:{self.port}/api/status", headers={"Authorization": f"token {self.token}"}
        )
        # A proxy that the environment names is not for this machine's own address.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=5) as answer:
                return "started" in json.load(answer)
        except (OSError, ValueError):
            return False

    def _doing(self) -> str:
        """What its log shows that it does, in words."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        loaded = len(set(re.findall(r"\] (\S+) \| extension was successfully (?:linked|loaded)", text)))
        if "Serving" in text or "is running at" in text:
            return "waiting for its first answer"
        return f"loading its parts ({loaded} so far)" if loaded else "loading Python packages"

    def _last_line(self) -> str:
        lines = [line for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else "it said nothing"

    def wait(self) -> int:
        """Until it ends or a signal comes; then it is stopped, with its kernels. Returns 0 if it was asked to stop."""
        assert self.process is not None
        try:
            code = self.process.wait()
        except KeyboardInterrupt:
            self.stop()
            return 0
        if code != 0:
            raise UserError(f"JupyterLab ended by itself: {self._last_line()}", f"its messages are in {self.log}.")
        return 0

    def stop(self) -> None:
        """Ask it to stop its kernels and end; make it after ten seconds."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            self.process.kill()
            self.process.wait()

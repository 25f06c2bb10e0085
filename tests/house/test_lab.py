"""`lab`, for real: JupyterLab starts, nbgrader's buttons have a server that answers, and nothing is left running."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbgrader
import pytest

from tests.house.conftest import ROOT, assert_one_line_and_hint

READY_S = 90


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """A `lab` process: its port, what it printed, and requests to its server."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port, self.folder = free_port(), folder
        self.environment = {**os.environ, "JUPYTER_RUNTIME_DIR": str(folder.parent / "runtime")}
        command = [sys.executable, "-m", "autodiff_lab", "lab", "--no-browser", "--port", str(self.port), *options]
        self.errors = (folder.parent / "stderr").open("w+")
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, stderr=self.errors, text=True
        )
        self.line = self.process.stdout.readline()  # blocks until it is ready or ends
        found = re.fullmatch(r"JupyterLab is ready: (http://127\.0\.0\.1:\d+)(/\S*)\?token=(\w+)\n", self.line)
        if not found:
            self.process.kill()
            self.errors.seek(0)
            pytest.fail(f"lab said {self.line!r}\n{self.errors.read()}", pytrace=False)
        self.url, self.start, self.token = found.groups()

    def ask(self, route: str, /, **data: str) -> Any:
        body = json.dumps(data).encode() if data else None
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/{route}", data=body, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)

    def said(self) -> str:
        """What it printed to stderr."""
        self.errors.flush()
        return Path(self.errors.name).read_text()

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("lab") / "workspace"
    running = Running(folder, "--workspace", str(folder))
    yield running
    running.stop()


def test_it_opens_the_first_unit(lab: Running) -> None:
    first = sorted(path.name for path in (ROOT / "course" / "release").glob("[0-9][0-9]_*"))[0]
    assert lab.start == f"/lab/tree/{first}/{first}.ipynb"
    assert lab.ask(f"api/contents/{first}/{first}.ipynb")["type"] == "notebook"


def test_without_a_shared_exchange_there_is_nothing_to_press_submit_in(lab: Running) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        lab.ask("assignments?course_id=autodiff_lab")
    assert "To hand in, in another terminal: python3 -m autodiff_lab hand-in" in lab.said()


def test_validate_is_answered_by_this_course(lab: Running) -> None:
    (lab.folder / "mine.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    told = lab.ask("assignments/validate", path="mine.ipynb")
    assert told == {"success": False, "value": "mine.ipynb is not a notebook of this course."}
    assert lab.ask(f"nbgrader_version?version={nbgrader.__version__}") == {"success": True}, "the page asks this first"


def test_the_start_says_what_it_is_doing_and_for_how_long(lab: Running) -> None:
    first, *_, last = [line for line in lab.said().splitlines() if line.startswith("Starting JupyterLab")]
    assert re.fullmatch(r"Starting JupyterLab \(0:\d\d\) \w.*", first), first
    assert re.fullmatch(r"Starting JupyterLab: \d+ s", last), last


def test_students_get_no_instructors_tools_and_no_news(lab: Running) -> None:
    with urllib.request.urlopen(f"{lab.url}/lab?token={lab.token}", timeout=30) as reply:
        page = reply.read().decode()
    switched_off = re.search(r'"disabledExtensions": \[([^\]]*)\]', page).group(1)
    for name in (*(f"@jupyter/nbgrader:{n}" for n in ("formgrader", "assignment-list", "menu")), "announcements"):
        assert name in switched_off
    assert "@jupyter/nbgrader" in page, "the others are there"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        lab.ask("formgrader")


def test_the_log_is_free_of_errors(lab: Running) -> None:
    log = (lab.folder / ".autodiff_lab" / "jupyter.log").read_text()
    bad = [line for line in log.splitlines() if re.match(r"\[[EC] ", line)]
    assert not bad, "\n".join(bad)


def test_a_taken_port_is_a_clear_line(lab: Running, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "autodiff_lab", "lab", "--no-browser", "--port", str(lab.port)]
    command += ["--workspace", str(tmp_path / "other")]
    done = subprocess.run(command, cwd=ROOT, env=lab.environment, capture_output=True, text=True)
    assert_one_line_and_hint(done, f"port {lab.port} is taken by another program", "--port")


def test_a_second_lab_leads_to_the_first(lab: Running) -> None:
    command = [sys.executable, "-m", "autodiff_lab", "lab", "--no-browser", "--workspace", str(lab.folder)]
    done = subprocess.run(command, cwd=ROOT, env=lab.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"JupyterLab is already running here: {lab.url}/?token={lab.token}\n"


def test_stopping_leaves_nothing_behind(tmp_path: Path) -> None:
    running = Running(tmp_path / "workspace", "--workspace", str(tmp_path / "workspace"))
    assert running.ask("api/kernels") == []
    running.ask("api/kernels", name="python3")
    assert running.stop() == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", running.port)) != 0, "the server still listens"
    deadline = time.monotonic() + 10
    while (alive := kernels_of(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not alive


def kernels_of(folder: Path) -> list[str]:
    """Command lines of processes that name a file below `folder`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in text and "ipykernel" in text:
            found.append(text)
    return found


def test_the_instructor_gets_formgrader_on_the_course(tmp_path: Path) -> None:
    course = tmp_path / "course"
    course.mkdir()
    (course / "nbgrader_config.py").write_text((ROOT / "course" / "nbgrader_config.py").read_text())
    running = Running(course, "--instructor", "--course", str(course))
    try:
        assert running.start == "/lab"
        request = urllib.request.Request(
            f"{running.url}/formgrader/manage_assignments", headers={"Authorization": f"token {running.token}"}
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            assert "Manage Assignments" in reply.read().decode()
        assert running.ask("formgrader/api/assignments") == []
        log = (course / ".autodiff_lab" / "jupyter.log").read_text()
        assert not re.findall(r"^\[[EC] .*", log, re.M)
    finally:
        running.stop()

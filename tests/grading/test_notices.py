"""What a submission tries and may not do reaches the notebook that was graded, and the report."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from autodiff_lab.grading import split
from autodiff_lab.grading.course import NOTES
from autodiff_lab.grading.execute import ExecuteSubmission

TRIES = """
import os, pathlib, socket, sqlite3
for attempt in (
    lambda: pathlib.Path("/etc/grades").write_text("100"),
    lambda: open("/srv/course/gradebook.db").read(),
    lambda: open("../../../srv/course/source/01.ipynb"),
    lambda: open("/proc/1/mem", "rb"),
    lambda: sqlite3.connect("/srv/course/gradebook.db"),
    lambda: os.mkdir("/srv"),
    lambda: os.remove("/usr/bin/env"),
    lambda: os.kill(1, 9),
    lambda: socket.socket().connect(("192.0.2.1", 80)),
    lambda: socket.getaddrinfo("example.org", 80),
):
    try:
        attempt()
    except Exception:
        pass
"""
USUAL = """
import os, sqlite3, tempfile, numpy, matplotlib
os.makedirs("mine/deeper")
sqlite3.connect(":memory:").close()
sqlite3.connect("mine.db").close()
open("/proc/self/environ").close() if os.access("/proc/self/environ", os.R_OK) else None
open("mine.txt", "w").write("x")
open("mine.txt").read()
with tempfile.TemporaryDirectory() as folder:
    open(folder + "/x", "w").close()
print(numpy.ones(2), open("/dev/null", "w").write("x"))
"""


def run(*cells: str) -> Any:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
    resources = {"metadata": {}, "nbgrader": {"assignment": "01", "notebook": "", "student": "", "db_url": ""}}
    ExecuteSubmission().preprocess(notebook, resources)
    return notebook


@pytest.mark.sandbox
def test_what_is_tried_is_told_in_words() -> None:
    assert run(TRIES).metadata[NOTES]["refused"] == [
        "write to /etc/grades",
        "read /srv/course/gradebook.db",
        "read /srv/course/source/01.ipynb",
        "read /proc/1/mem",
        "open the database /srv/course/gradebook.db",
        "make the folder /srv",
        "delete /usr/bin/env",
        "send signal 9 to process 1",
        "connect to 192.0.2.1:80",
        "look up example.org",
    ]


@pytest.mark.sandbox
def test_what_notebooks_usually_do_is_not() -> None:
    notebook = run(USUAL)
    assert notebook.cells[0].outputs[0].text.startswith("[1. 1.]")
    assert "refused" not in notebook.metadata.get(NOTES, {})


@pytest.mark.sandbox
def test_what_the_unit_itself_shows_is_not_told_of_the_student(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "read_masks", lambda text: split.Masks(("engine",)))
    shown = "import autodiff_lab as ad\nad.Scalar(1.0)"
    notebook = run(shown, "print(1)")
    assert "refused" not in notebook.metadata.get(NOTES, {}) and "Not shown" in str(notebook.cells[0].outputs)
    caught = run(shown, "try:\n    ad.tensor(1.0)\nexcept RuntimeError:\n    pass")
    assert caught.metadata[NOTES]["refused"] == ["use autodiff_lab.tensor"]


@pytest.mark.sandbox
def test_a_flood_and_lines_of_its_own_do_no_harm() -> None:
    flood = "for i in range(5000):\n    try: open(f'/etc/{i}\\u20ac' + 'x' * 5000, 'w')\n    except OSError: pass\n"
    told = run(flood).metadata[NOTES]["refused"]
    assert len(told) == 20 and all(len(text) <= 160 and text.isascii() for text in told)

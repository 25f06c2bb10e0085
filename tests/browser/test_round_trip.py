"""The whole round: a student checks and submits by the buttons of JupyterLab, an instructor collects, grades and gives
feedback back. Nothing but the exchange is between the two."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodiff_lab.grading.collect import open_exchange
from tests.house.conftest import answer

pytestmark = [pytest.mark.browser, pytest.mark.sandbox]

ROOT = Path(__file__).resolve().parents[2]
UNIT = "00_welcome"
WAIT_MS = 90_000
STUDENT = "dara.o'neill"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course of one unit, released in an exchange that lies beside it."""
    folder = tmp_path_factory.mktemp("class")
    for name in ("source", "release"):
        shutil.copytree(ROOT / "course" / name / UNIT, folder / "course" / name / UNIT)
    config = (ROOT / "course" / "nbgrader_config.py").read_text(encoding="utf-8")
    shared = folder / "shared"
    shared.mkdir()
    (folder / "course" / "nbgrader_config.py").write_text(
        config.replace('str(COURSE / "exchange")', repr(str(shared)), 1), encoding="utf-8"
    )
    (folder / "course" / "students.csv").write_text(f"id;last_name\n{STUDENT};O'Neill\n", encoding="cp1252")
    assert open_exchange(folder / "course", [UNIT]) == shared
    return folder / "course"


@pytest.fixture(scope="module")
def student(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A student's folder, and the address of the JupyterLab that `lab --exchange` has started on it."""
    home = tmp_path_factory.mktemp("student")
    (home / "ws" / ".autodiff_lab").mkdir(parents=True)
    (home / "ws" / ".autodiff_lab" / "student.json").write_text(json.dumps({"id": STUDENT}))
    command = [sys.executable, "-m", "autodiff_lab", "lab", "--no-browser", "--workspace", str(home / "ws")]
    command += ["--exchange", str(course.parent / "shared"), "--", "--LabApp.expose_app_in_browser=True"]
    environment = {**os.environ, "HOME": str(home), "JUPYTER_RUNTIME_DIR": str(home / "runtime")}
    with (home / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        said = process.stdout.readline()
        found = re.search(r"http\S+", said)
        assert found, said + (home / "log").read_text()
        yield home / "ws", found[0]
    finally:
        process.terminate()
        process.wait(30)


def instructor(course: Path, *commands: list[str]) -> str:
    """Run commands one after the other, as an instructor in a terminal; returns what they said."""
    code = f"from autodiff_lab.cli import main\nfor given in {list(commands)!r}: assert main(given) == 0, given"
    done = subprocess.run([sys.executable, "-c", code], cwd=course.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_unit_goes_to_the_instructor_and_its_feedback_comes_back_and_is_read(
    course: Path, student: tuple[Path, str], browser: Any
) -> None:
    folder, address = student
    notebook = folder / UNIT / f"{UNIT}.ipynb"
    answer(notebook, "prediction", "prediction = 7")
    cells = json.loads(notebook.read_text(encoding="utf-8"))
    place = next(i for i, c in enumerate(cells["cells"]) if c["metadata"].get("nbgrader", {}).get("grade_id"))
    cells["cells"].insert(place + 1, {**cells["cells"][place], "id": "copied"})
    notebook.write_text(json.dumps(cells), encoding="utf-8")

    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(address)
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
    page.get_by_role("button", name="Validate").click()
    told = page.locator("#validation-message").inner_text()
    assert "prediction: not right" in told and "not started yet" in told
    assert "the answer prediction is there twice" in told, "a copied cell is a line"
    assert "Traceback" not in told
    page.locator(".jp-Dialog button.jp-mod-accept").click()

    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_role("menuitem", name="Assignment List").click()
    listed = page.locator("#nbgrader-assignment-list")
    listed.get_by_role("button", name="Submit").click()
    listed.locator("#submitted_assignments_list").get_by_text(UNIT).first.wait_for()

    told = instructor(
        course,
        ["collect", "00", "--course", str(course)],
        ["grade", "00", "--course", str(course), "--workers", "1"],
        ["feedback", "00", "--release", "--course", str(course)],
    )
    assert f"{UNIT}: 1 new" in told and STUDENT in told and "1 of them can be fetched" in told
    assert "prediction = 7" in (course / "submitted" / STUDENT / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8")

    (released,) = (course.parent / "shared" / "autodiff_lab" / "feedback").glob("*.html")
    assert released.read_bytes() == (course / "feedback" / STUDENT / UNIT / f"{UNIT}.html").read_bytes()

    listed.get_by_role("button", name="Fetch Feedback").click()
    listed.get_by_text("(view feedback)").click()  # shows the folder that it lies in
    page.get_by_role("listitem").filter(has_text=f"{UNIT}.html").dblclick()
    read = page.frame_locator("iframe.jp-HTMLViewer-iframe, .jp-HTMLViewer iframe").locator("body")
    read.get_by_text("0 of 100 points").wait_for()
    told = read.inner_text()
    assert re.search(r"Predict a value\s+0 / 6\s+wrong answer", told)
    assert "The answer prediction is there twice; the last changed one counts." in told
    context.close()

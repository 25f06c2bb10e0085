"""nbgrader's formgrader on a real Jupyter server, in a real browser: a submission cannot run anything in it, it works
offline, marks are given in it, and a written answer has its marking guide beside it."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.formgrader import marking_guides

from .conftest import ROOT, UNIT, ByHand, make_course
from .test_feedback import GUIDE, RUNS, submissions

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ByHand:
    """A class in which names, too, hold what could run."""
    folder = tmp_path_factory.mktemp("class")
    made = ByHand(make_course(folder))
    bad = f"<img src=x onerror={RUNS.replace(' ', '')}>"
    (made.course / "students.csv").write_text(
        f'id,first_name,last_name,email,lms_user_id\nlive,"{bad}","<script>{RUNS}</script>",,\n', encoding="utf-8"
    )
    made.book.import_roster()
    submissions(made)
    return made


@contextmanager
def serve(folder: Path, home: Path) -> Iterator[str]:
    """The address of a Jupyter server that is started in a folder, with a token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": secrets.token_hex(8),
        "ServerApp.root_dir": folder,
    }
    command = [sys.executable, "-m", "jupyter_server", *(f"--{key}={value}" for key, value in options.items())]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        **{f"JUPYTER_{kind}_DIR": str(home / kind) for kind in ("CONFIG", "DATA", "RUNTIME")},
    }
    log = home / "server.log"
    with log.open("w") as stream:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=stream, stderr=stream)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{url}/api", timeout=5).close()
                break
            except (OSError, urllib.error.URLError):
                assert process.poll() is None and time.monotonic() < deadline, log.read_text()[-3000:]
                time.sleep(0.2)
        yield f"{url}/?token={options['IdentityProvider.token']}"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="module")
def server(made: ByHand, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in the course folder, as `lab --instructor` starts it."""
    with serve(made.course, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class Formgrader:
    """A browser that is logged in; `asked` are the addresses it asked, `troubles` the errors of the page's scripts."""

    def __init__(self, browser: Any, address: str, made: ByHand) -> None:
        self.made, self.root = made, address.split("/?")[0]
        self.tab = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
        self.tab.set_default_timeout(10_000)
        self.asked: list[str] = []
        self.troubles: list[str] = []
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.tab.goto(address.replace("/?", "/api?"))

    def submission(self, student: str) -> str:
        with self.made.book.open() as gradebook:
            return str(gradebook.find_submission_notebook(UNIT, UNIT, student).id)

    def open(self, student: str) -> Any:
        self.tab.goto(f"{self.root}/formgrader/submissions/{self.submission(student)}/")
        self.tab.wait_for_load_state("networkidle")
        return self.tab


@pytest.fixture
def formgrader(browser: Any, server: str, made: ByHand) -> Iterator[Formgrader]:
    grader = Formgrader(browser, server, made)
    yield grader
    grader.tab.context.close()


@pytest.mark.parametrize("student", ["live", "leaks", "written"])
def test_nothing_of_a_submission_runs_and_nothing_is_loaded_from_outside(formgrader: Formgrader, student: str) -> None:
    tab = formgrader.open(student)
    assert tab.evaluate("window.broken === undefined")
    assert [url for url in formgrader.asked if not url.startswith((formgrader.root, "data:"))] == []
    assert formgrader.troubles == []
    assert tab.evaluate("MathJax.loaded")  # what its scripts wait for
    assert tab.locator("#explain.score").count() == 1  # nothing in the submission takes the place of a field


def test_even_what_gets_past_the_cleaning_does_not_run(formgrader: Formgrader) -> None:
    tab = formgrader.open("written")
    tab.evaluate(
        """run => {
            const add = (html) => document.body.insertAdjacentHTML("beforeend", html);
            add(`<img src="data:," onerror="${run}">`);
            add(`<a id="bad" href="javascript:${run}">x</a>`);
            const script = document.createElement("script"); script.textContent = run;
            const holder = document.createElement("div"); holder.innerHTML = `<svg><script>${run}</script></svg>`;
            document.body.append(holder, script);
            document.getElementById("bad").click();
        }""",
        RUNS,
    )
    tab.wait_for_timeout(300)
    assert tab.evaluate("window.broken === undefined")


def test_a_page_that_lies_beside_a_notebook_is_shown_and_runs_nothing(formgrader: Formgrader) -> None:
    folder = formgrader.made.course / "autograded" / "live" / UNIT
    (folder / "page.html").write_text("<h1>mine</h1><script>window.broken = true; document.title = 'broken'</script>")
    (folder / "picture.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><title>mine</title><script>document.title = "broken"</script></svg>'
    )
    for name in ("page.html", "picture.svg"):
        answer = formgrader.tab.goto(f"{formgrader.root}/formgrader/submissions/{formgrader.submission('live')}/{name}")
        assert answer.status == 200 and "sandbox" in answer.headers["content-security-policy"]
        formgrader.tab.wait_for_timeout(200)
        assert "mine" in formgrader.tab.content() and formgrader.tab.title() != "broken"


def test_a_course_opened_from_a_server_of_another_folder_is_as_safe(made: ByHand, browser: Any, tmp_path: Path) -> None:
    with serve(made.course.parent, tmp_path) as address:
        formgrader = Formgrader(browser, address, made)
        formgrader.tab.goto(f"{formgrader.root}/formgrader?path={quote(str(made.course))}")
        tab = formgrader.open("live")
        assert tab.evaluate("window.broken === undefined")
        assert formgrader.open("written").locator("details.guide").count() == 1
        formgrader.tab.context.close()


def test_the_lists_of_formgrader_run_nothing_of_a_students_name(formgrader: Formgrader) -> None:
    places = ["manage_assignments", f"manage_submissions/{UNIT}", "gradebook", f"gradebook/{UNIT}", "manage_students"]
    places += [f"gradebook/{UNIT}/{UNIT}", "manage_students/live", f"manage_students/live/{UNIT}"]
    for place in places:
        formgrader.tab.goto(f"{formgrader.root}/formgrader/{place}")
        formgrader.tab.wait_for_load_state("networkidle")
        formgrader.tab.wait_for_timeout(200)
        assert formgrader.tab.evaluate("window.broken === undefined"), place


def test_a_written_answer_has_its_marking_guide_beside_it(formgrader: Formgrader) -> None:
    tab = formgrader.open("written")
    guide = tab.locator("details.guide")
    assert guide.count() == 1 and GUIDE in guide.inner_text()
    answer = tab.locator(".nbgrader_cell", has_text="used twice.").first.bounding_box()
    beside = guide.bounding_box()
    assert beside["x"] >= answer["x"] + answer["width"] and abs(beside["y"] - answer["y"]) < 40
    assert tab.locator("svg.formula").count() == 1


def test_a_mark_given_in_formgrader_reaches_the_gradebook(formgrader: Formgrader) -> None:
    tab = formgrader.open("written")
    field = tab.locator("#explain")
    field.fill("15")
    field.press("Escape")
    tab.wait_for_load_state("networkidle")
    tab.wait_for_timeout(500)
    result = formgrader.made.book.result("written", UNIT)
    assert (result.score, result.status) == (95, "graded")
    tab.locator("span.glyphicon.name-hidden").click()  # nbgrader's own buttons still work
    assert tab.locator("a.name-shown").is_visible()
    assert formgrader.troubles == []


def test_the_marking_guide_is_in_no_file_that_a_student_gets(made: ByHand) -> None:
    assert GUIDE in marking_guides(made.course, UNIT)["explain"]
    assert marking_guides(made.course, "91_none") == {}
    files = [*feedback([UNIT], made.course), *(made.course / "autograded").rglob("*.ipynb")]
    files += list((made.course / "release").rglob("*.ipynb"))
    assert len(files) > 10
    for path in files:
        text = Path(path).read_text(encoding="utf-8")
        assert GUIDE not in text and "sends its own contribution back" not in text, path

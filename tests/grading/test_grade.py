"""A class of odd submissions, graded once through the real path: every one has a status, and honest points are kept."""

import copy
import csv
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from autodiff_lab.grading.bank import SOURCE, Unit, compose, read_bank
from autodiff_lab.grading.course import CourseError
from autodiff_lab.grading.export import export
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.grade import Book, grade, results
from autodiff_lab.grading.report import report
from autodiff_lab.grading.results import Result, as_json

from .conftest import ROOT, make_course

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

UNIT = "90_tiny"
TIMEOUT = 6
SOLVED = {"gradients": SOURCE, "predict": SOURCE}
DIRECT = "def gradients(x, y):\n    return y, x + y"


def answer(code: str, exercise: str = "gradients") -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        cell(notebook, exercise).source = code

    return change


def cell(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def delete(*grade_ids: str) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in grade_ids]

    return change


def duplicate(grade_id: str, source: str | None = None) -> Callable[[NotebookNode], None]:
    """Copy a cell below itself; the copy gets `source`."""

    def change(notebook: NotebookNode) -> None:
        index = notebook.cells.index(cell(notebook, grade_id))
        second = copy.deepcopy(notebook.cells[index])
        second.source = source if source is not None else second.source
        second.id = f"{second.id}-copy"
        notebook.cells.insert(index + 1, second)

    return change


def edit_test(source: str) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        answer(DIRECT)(notebook)
        cell(notebook, "test-gradients").source = source

    return change


def test_to_markdown(notebook: NotebookNode) -> None:
    answer(DIRECT)(notebook)
    old = cell(notebook, "test-gradients")
    new = nbformat.v4.new_markdown_cell("All fine.", metadata=old.metadata)
    notebook.cells[notebook.cells.index(old)] = new


test_to_markdown.__test__ = False  # type: ignore[attr-defined]


def set_points(notebook: NotebookNode) -> None:
    answer(DIRECT)(notebook)
    cell(notebook, "test-predict").metadata.nbgrader["points"] = 4000


def ungrade_test(notebook: NotebookNode) -> None:
    answer(DIRECT)(notebook)
    cell(notebook, "test-gradients").metadata.nbgrader.update(grade=False, locked=False, solution=True)


def skip_tag(notebook: NotebookNode) -> None:
    answer(DIRECT)(notebook)
    cell(notebook, "test-gradients").metadata["tags"] = ["skip-execution"]


def strip(notebook: NotebookNode) -> None:
    for c in notebook.cells:
        c.metadata = nbformat.from_dict({})


def foreign_kernel(notebook: NotebookNode) -> None:
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": {"name": "julia-1.9", "display_name": "Julia", "language": "julia"}}
    )


def no_kernel(notebook: NotebookNode) -> None:
    notebook.metadata = nbformat.from_dict({})


def old_format(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 4
    for c in notebook.cells:
        c.pop("id", None)


def unknown_graded_cell(notebook: NotebookNode) -> None:
    duplicate("test-predict")(notebook)
    notebook.cells[-1].metadata["nbgrader"] = copy.deepcopy(cell(notebook, "test-predict").metadata.nbgrader)
    notebook.cells[-1].metadata.nbgrader["grade_id"] = "from-another-unit"


def script(notebook: NotebookNode) -> None:
    cell(
        notebook, "explain"
    ).source = "<script>window.broken = 1</script> <img src=x onerror='window.broken=2'>\n\n**bold**"
    cell(notebook, "predict").source += (
        "\nfrom IPython.display import HTML, Javascript, SVG, display\n"
        "display(HTML('<script>window.broken = 3</script><b>kept</b>'))\n"
        "display(Javascript('window.broken = 4'))\n"
        "display(SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"><script>window.broken = 5</script></svg>'))\n"
    )


def peek(notebook: NotebookNode) -> None:
    """Print everything that the kernel has run, hidden tests included: one kernel today."""
    cell(notebook, "predict").source += "\nprint('\\n'.join(In))"


LOOP = "def gradients(x, y):\n    while True:\n        pass"
SWALLOW = (
    "def gradients(x, y):\n    while True:\n        try:\n            while True:\n                pass\n"
    "        except KeyboardInterrupt:\n            pass"
)
RIGHT = "\n    return y, x + 2 * y"


@dataclass
class Row:
    """A submission and what must come of it: (points of gradients, points of predict), status, note of gradients."""

    change: Callable[[NotebookNode], None] | None
    points: tuple[float, float] | None
    status: str = "graded"
    note: str = ""
    misconception: str | None = None


ROWS: dict[str, Row] = {
    "correct": Row(None, (40, 40)),
    "o'brien d'arc": Row(None, (40, 40)),
    "李娜 (2)": Row(None, (40, 40)),
    "direct": Row(answer(DIRECT), (0, 40), "graded", "wrong answer", "fan-out-direct-path-only"),
    "hidden": Row(answer("def gradients(x, y):\n    return 3.0, 8.0"), (0, 40), "graded", "only a hidden test failed"),
    "warns": Row(answer(f"import sys\n\ndef gradients(x, y):\n    print('careful', file=sys.stderr){RIGHT}"), (40, 40)),
    "numpy-warns": Row(
        answer(f"import numpy as np\n\ndef gradients(x, y):\n    np.array([1.0]) / np.array([0.0]){RIGHT}"), (40, 40)
    ),
    "as-list": Row(
        answer("import numpy as np\n\ndef gradients(x, y):\n    return [np.float64(y), x + 2 * y]"), (40, 40)
    ),
    "loop": Row(answer(LOOP), (0, 40), "timeout", "timeout"),
    "loop-at-once": Row(answer("while True:\n    pass"), (0, 40), "timeout", "timeout"),
    "loop-swallows": Row(answer(SWALLOW), (0, 40), "timeout", "timeout"),
    "exits": Row(answer("import os\n\ndef gradients(x, y):\n    os._exit(1)"), (0, 40), "crashed", "crashed"),
    "exits-at-once": Row(answer("import os\nos._exit(0)"), (0, 40), "crashed", "crashed"),
    "exits-in-predict": Row(answer("import os\nos._exit(0)", "predict"), (40, 0), "crashed"),
    "segfault": Row(
        answer("import ctypes\n\ndef gradients(x, y):\n    ctypes.string_at(0)"), (0, 40), "crashed", "crashed"
    ),
    "prints-lines": Row(answer(f"def gradients(x, y):\n    for _ in range(200_000): print('x' * 99){RIGHT}"), (40, 40)),
    "prints-one": Row(answer(f"def gradients(x, y):\n    print('x' * 30_000_000){RIGHT}"), (40, 40)),
    "long-error": Row(
        answer("def gradients(x, y):\n    raise ValueError('x' * 5_000_000)"),
        (0, 40),
        note="the answer raises an error",
    ),
    "input": Row(answer("def gradients(x, y):\n    return input()"), (0, 40), note="the answer raises an error"),
    "quits": Row(answer("prediction = 15\nexit()", "predict"), (40, 40)),
    "thread": Row(
        answer(
            "import threading, time\n\ndef talk():\n    while True:\n        print('still here'); time.sleep(0.05)\n\n"
            f"threading.Thread(target=talk, daemon=True).start()\n\ndef gradients(x, y):{RIGHT}"
        ),
        (40, 40),
    ),
    "test-deleted": Row(delete("test-gradients"), (40, 40)),
    "all-tests-deleted": Row(delete("test-gradients", "test-predict", "explain"), (40, 40)),
    "answer-deleted": Row(delete("gradients"), (0, 40), note="the answer cell was deleted"),
    "all-deleted": Row(lambda nb: nb.cells.clear(), (0, 0), note="the answer cell was deleted"),
    "answer-twice": Row(duplicate("gradients"), (40, 40)),
    "last-answer-counts": Row(
        duplicate("gradients", DIRECT), (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"
    ),
    "test-twice": Row(duplicate("test-gradients"), (40, 40)),
    "test-gutted": Row(edit_test("pass"), (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"),
    "test-emptied": Row(edit_test(""), (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"),
    "test-to-markdown": Row(test_to_markdown, (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"),
    "points-raised": Row(set_points, (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"),
    "test-ungraded": Row(ungrade_test, (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"),
    "skip-tag": Row(skip_tag, (0, 40), note="wrong answer", misconception="fan-out-direct-path-only"),
    "stripped": Row(strip, (40, 40)),
    "foreign-kernel": Row(foreign_kernel, (40, 40)),
    "no-kernel": Row(no_kernel, (40, 40)),
    "old-format": Row(old_format, (40, 40)),
    "other-unit's-cell": Row(unknown_graded_cell, (40, 40)),
    "script": Row(script, (40, 40), "needs manual grading"),
    "peeks": Row(peek, (40, 40)),
    "written": Row(answer("Because it is used twice.", "explain"), (40, 40), "needs manual grading"),
}


def hand_in(course: Path, student: str, notebook: NotebookNode) -> Path:
    folder = course / "submitted" / student / UNIT
    folder.mkdir(parents=True)
    path = folder / f"{UNIT}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def hand_in_files(course: Path, unit: Unit) -> None:
    """Submissions that differ as files, not as notebooks."""
    solved = compose(unit, SOLVED, hidden_tests=False)
    path = hand_in(course, "bom", solved)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    crlf = hand_in(course, "crlf", solved)
    crlf.write_bytes(json.dumps(solved, indent=1).replace("\n", "\r\n").encode())
    path = hand_in(course, "truncated", solved)
    path.write_bytes(path.read_bytes()[:200])
    hand_in(course, "empty", solved).write_text("")
    hand_in(course, "list", solved).write_text("[1, 2]")
    path = hand_in(course, "folder", solved)
    path.unlink()
    path.mkdir()
    path = hand_in(course, "renamed", solved)
    path.rename(path.with_name("90 tiny (1).ipynb"))
    hand_in(course, "untouched", unit.release)
    late = hand_in(course, "late", solved)
    (late.parent / "timestamp.txt").write_text("2026-03-02 12:00:00.0 UTC")
    helper = hand_in(course, "helper-file", solved)
    (helper.parent / "helper.py").write_text("value = 15")
    (course / "students.csv").write_text(
        "id,first_name,last_name,email,lms_user_id\nnobody,Nia,Body,nia@example.org,\ncorrect,Cora,Rect,,7\n",
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Result]]:
    """The course folder after one `grade` over the whole class, and the results by student."""
    from datetime import datetime

    course = make_course(tmp_path_factory.mktemp("class"))
    unit = read_bank(UNIT, course)
    for student, row in ROWS.items():
        notebook = compose(unit, SOLVED, hidden_tests=False)
        if row.change is not None:
            row.change(notebook)
        hand_in(course, student, notebook)
    hand_in_files(course, unit)
    book = Book(course)
    book.register(UNIT)
    with book.open() as gradebook:
        gradebook.update_or_create_assignment(UNIT, duedate=datetime(2026, 3, 1, 12))
    found = grade([UNIT], course, timeout=TIMEOUT, workers=2)
    return course, {result.student: result for result in found}


@pytest.mark.parametrize("student", ROWS)
def test_every_submission_comes_out_as_it_should(graded: tuple[Path, dict[str, Result]], student: str) -> None:
    row, result = ROWS[student], graded[1][student]
    points = {exercise.exercise: exercise for exercise in result.exercises}
    assert result.status == row.status, result
    assert (points["gradients"].points, points["predict"].points) == row.points, result
    assert points["gradients"].note == row.note
    assert points["gradients"].misconception == row.misconception
    assert result.max_score == 100
    assert result.score == sum(row.points or ())


@pytest.mark.parametrize(
    ("student", "status", "score", "note"),
    [
        ("bom", "graded", 80, ""),
        ("crlf", "graded", 80, ""),
        ("truncated", "unreadable", None, "not a notebook"),
        ("empty", "unreadable", None, "the file is empty"),
        ("list", "unreadable", None, "not a notebook"),
        ("folder", "unreadable", None, "90_tiny.ipynb is a folder"),
        ("renamed", "graded", 80, "found under another name: 90 tiny (1).ipynb"),
        ("untouched", "untouched", 0, ""),
        ("nobody", "missing", None, ""),
        ("late", "graded", 80, ""),
        ("helper-file", "graded", 80, ""),
    ],
)
def test_every_file_has_a_status_and_none_is_a_silent_zero(
    graded: tuple[Path, dict[str, Result]], student: str, status: str, score: float | None, note: str
) -> None:
    result = graded[1][student]
    assert (result.status, result.score) == (status, score)
    assert note in result.note


def test_late_is_a_flag_and_not_a_status(graded: tuple[Path, dict[str, Result]]) -> None:
    late = {student: result.late_seconds for student, result in graded[1].items() if result.late_seconds}
    assert late == {"late": 86400}


def test_restored_cells_are_noted(graded: tuple[Path, dict[str, Result]]) -> None:
    assert graded[1]["test-deleted"].note == "deleted cells put back: test-gradients"
    assert graded[1]["all-tests-deleted"].note == "deleted cells put back: test-gradients, test-predict, explain"


def test_an_untouched_exercise_says_so(graded: tuple[Path, dict[str, Result]]) -> None:
    notes = {exercise.exercise: exercise.note for exercise in graded[1]["untouched"].exercises}
    assert notes == {"gradients": "not started", "predict": "not started", "explain": "no answer"}


@pytest.mark.parametrize("student", ["prints-lines", "prints-one", "long-error"])
def test_enormous_output_is_cut(graded: tuple[Path, dict[str, Result]], student: str) -> None:
    path = graded[0] / "autograded" / student / UNIT / f"{UNIT}.ipynb"
    assert path.stat().st_size < 200_000
    if student.startswith("prints"):
        assert "The rest of what your code prints is not shown." in path.read_text()


def test_the_json_is_what_the_command_line_promises(graded: tuple[Path, dict[str, Result]]) -> None:
    data = json.loads(json.dumps(as_json(list(graded[1].values()))))
    entry = next(student for student in data["students"] if student["student"] == "direct")
    promised = {"student", "unit", "status", "score", "max_score", "exercises"}
    assert promised <= entry.keys()
    assert entry["exercises"][0] == {
        "exercise": "gradients",
        "points": 0.0,
        "max_points": 40.0,
        "misconception": "fan-out-direct-path-only",
        "note": "wrong answer",
    }


def test_gradebook_results_report_and_both_csv_exports_have_the_same_numbers(
    graded: tuple[Path, dict[str, Result]], tmp_path: Path
) -> None:
    from nbgrader.plugins import CsvExportPlugin

    course, by_student = graded
    again = {result.student: result for result in results([UNIT], course)}
    assert {s: r.score for s, r in again.items()} == {s: r.score for s, r in by_student.items()}
    assert {s: r.status for s, r in again.items()} == {s: r.status for s, r in by_student.items()}
    with export(course, tmp_path / "ours.csv").open(newline="", encoding="utf-8") as file:
        ours = {row["student_id"]: row for row in csv.DictReader(file)}
    book = Book(course)
    plugin = CsvExportPlugin(config=book.config)
    plugin.to = str(tmp_path / "nbgrader.csv")
    with book.open() as gradebook:
        plugin.export(gradebook)
    with Path(plugin.to).open(newline="", encoding="utf-8") as file:
        theirs = {row["student_id"]: row for row in csv.DictReader(file)}
    assert set(ours) == set(theirs) == set(by_student)
    for student, result in by_student.items():
        assert ours[student]["status"] == result.status
        if result.score is None:
            assert ours[student]["score"] == ""
        else:
            assert float(ours[student]["score"]) == float(theirs[student]["score"]) == result.score
    page, _ = report([UNIT], course, tmp_path / "report.html")
    html = page.read_text()
    with page.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["student"] for row in rows} == set(by_student)
    for row in rows:
        if row["exercise"]:
            points = {e.exercise: e.points for e in by_student[row["student"]].exercises}[row["exercise"]]
            assert row["points"] == ("" if points is None else str(points))
    assert html.count("<tr>") > len(by_student)


def hidden_lines() -> set[str]:
    text = (Path(__file__).parent / "fixtures" / "source" / UNIT / f"{UNIT}.py").read_text()
    regions = re.findall(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", text, re.S)
    return {line.strip() for region in regions for line in region.splitlines() if line.strip()}


@pytest.fixture(scope="module")
def pages(graded: tuple[Path, dict[str, Result]]) -> dict[str, str]:
    students = [
        "direct",
        "hidden",
        "untouched",
        "script",
        "peeks",
        "loop",
        "exits",
        "written",
        "o'brien d'arc",
        "李娜 (2)",
    ]
    written = feedback([UNIT], graded[0], students=students)
    assert len(written) == len(students)
    return {path.parents[1].name: path.read_text(encoding="utf-8") for path in written}


def plain(html: str) -> str:
    from html import unescape

    return unescape(re.sub(r"<[^>]+>", "", html))


def test_no_feedback_page_holds_a_hidden_test(pages: dict[str, str]) -> None:
    assert hidden_lines()
    for student, html in pages.items():
        text = plain(html)
        for line in hidden_lines():
            assert line not in text, student
        for fragment in ("13.75", "7.5)", "HIDDEN TESTS"):
            assert fragment not in text, student


def test_feedback_says_what_failed_and_where_to_read(pages: dict[str, str]) -> None:
    direct = plain(pages["direct"])
    assert "expected  (3.0, 8.0)" in direct and "fan-out-direct-path-only" in direct
    assert "unit 04" in direct
    assert "A hidden test failed" in plain(pages["hidden"])
    assert "You handed the unit in as it was given out" in plain(pages["untouched"])
    assert "did not end within 6 seconds" in plain(pages["loop"])
    assert "The kernel died" in plain(pages["exits"])
    assert "to be marked" in plain(pages["written"])


def test_feedback_holds_nothing_of_a_student_that_runs(pages: dict[str, str]) -> None:
    html = pages["script"]
    assert not re.search(r"<script[^>]*>[^<]*broken|onerror", html)
    assert "<b>kept</b>" in html and "<strong>bold</strong>" in html
    assert "<svg" not in html  # a picture inside <img> runs nothing
    assert re.search(r'<img[^>]+src="data:image/svg\+xml;base64,', html)


@pytest.mark.browser
def test_no_script_of_a_student_runs_in_feedback(graded: Any, pages: dict[str, str], chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    path = graded[0] / "feedback" / "script" / UNIT / f"{UNIT}.html"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(path.as_uri())
        assert page.evaluate("window.broken === undefined")
        assert page.locator("b", has_text="kept").count() == 1
        browser.close()


def test_formgrader_sees_the_class(graded: tuple[Path, dict[str, Result]]) -> None:
    from nbgrader.apps.api import NbGraderAPI

    book = Book(graded[0])
    api = NbGraderAPI(coursedir=book.coursedir, config=book.config)
    (assignment,) = [a for a in api.get_assignments() if a["name"] == UNIT]
    assert assignment["max_score"] == 100
    assert assignment["num_submissions"] == len([r for r in graded[1].values() if r.status != "missing"])
    open_ = [s for s in api.get_submissions(UNIT) if s["needs_manual_grade"]]
    assert {s["student"] for s in open_} == {"script", "written"}


def test_formgraders_page_of_a_submission_opens(graded: tuple[Path, dict[str, Result]]) -> None:
    """A real Jupyter server with nbgrader's extension, on the course folder: our configuration breaks no page."""
    course = graded[0]
    book = Book(course)
    with book.open() as gradebook:
        submission = gradebook.find_submission_notebook(UNIT, UNIT, "written").id
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "ServerApp.port": port,
        "IdentityProvider.token": "",
        "ServerApp.allow_root": True,
        "ServerApp.port_retries": 0,
    }
    command = [sys.executable, "-m", "jupyter_server", *(f"--{key}={value}" for key, value in options.items())]
    with (course / "server.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=course, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
    try:
        page = f"http://127.0.0.1:{port}/formgrader/submissions/{submission}/"
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(page, timeout=30) as reply:
                    html = reply.read().decode()
                break
            except urllib.error.HTTPError as error:
                pytest.fail(f"{error}: {(course / 'server.log').read_text()[-2000:]}")
            except OSError:
                assert time.monotonic() < deadline, (course / "server.log").read_text()[-2000:]
                time.sleep(0.3)
    finally:
        server.terminate()
        server.wait(20)
    assert "Because it is used twice." in html
    assert "13.75" in html  # an instructor sees hidden tests


def test_marks_given_by_hand_show_up_without_grading_again(graded: tuple[Path, dict[str, Result]]) -> None:
    course = graded[0]
    book = Book(course)
    with book.open() as gradebook:
        mark = gradebook.find_grade("explain", UNIT, UNIT, "written")
        mark.manual_score, mark.needs_manual_grade = 15.0, False
        gradebook.db.commit()
    after = book.result("written", UNIT)
    assert (after.status, after.score) == ("graded", 95.0)
    assert [e.points for e in after.exercises] == [40, 40, 15]
    with book.open() as gradebook:
        mark = gradebook.find_grade("explain", UNIT, UNIT, "written")
        mark.manual_score, mark.needs_manual_grade = None, True
        gradebook.db.commit()
    assert book.result("written", UNIT).status == "needs manual grading"


def test_nbgraders_own_commands_work_on_the_same_course(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Generate, autograde, feedback and export by nbgrader's own applications give what `grade` gives."""
    from nbgrader.apps import AutogradeApp, ExportApp, GenerateAssignmentApp, GenerateFeedbackApp

    from autodiff_lab.grading.build import build

    unit = read_bank(UNIT, course)
    build([UNIT], course, execute=False)
    hand_in(course, "correct", compose(unit, SOLVED, hidden_tests=False))
    wrong = compose(unit, SOLVED, hidden_tests=False)
    answer("import os\nos._exit(1)")(wrong)
    delete("test-gradients")(wrong)
    hand_in(course, "exits", wrong)
    monkeypatch.chdir(course)
    Book(course)
    for application, arguments in (
        (GenerateAssignmentApp, [UNIT, "--force"]),
        (AutogradeApp, [UNIT]),
        (GenerateFeedbackApp, [UNIT]),
        (ExportApp, ["--to", "grades.csv"]),
    ):
        app = application()
        app.log_level = "ERROR"
        app.initialize(arguments)
        app.start()
        app.reset()
        application.clear_instance()
    with Path("grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert (rows["correct"]["score"], rows["correct"]["status"]) == ("80.0", "graded")
    assert (rows["exits"]["score"], rows["exits"]["status"]) == ("40.0", "crashed")
    assert (course / "feedback" / "exits" / UNIT / f"{UNIT}.html").is_file()
    assert {result.student: result.score for result in results([UNIT], course)} == {"correct": 80.0, "exits": 40.0}


def test_a_late_penalty_of_nbgrader_counts(course: Path) -> None:
    from datetime import datetime

    path = hand_in(course, "ann", compose(read_bank(UNIT, course), SOLVED, hidden_tests=False))
    (path.parent / "timestamp.txt").write_text("2026-03-02 12:00:00.0 UTC")
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text() + '\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    book = Book(course)
    book.register(UNIT)
    with book.open() as gradebook:
        gradebook.update_or_create_assignment(UNIT, duedate=datetime(2026, 3, 1, 12))
    (result,) = grade([UNIT], course)
    assert (result.score, result.late_seconds, [e.points for e in result.exercises]) == (0, 86400, [40, 40, 0])


def test_a_timestamp_that_nobody_can_read_costs_nothing(course: Path) -> None:
    path = hand_in(course, "ann", compose(read_bank(UNIT, course), SOLVED, hidden_tests=False))
    (path.parent / "timestamp.txt").write_text("yesterday, I think")
    (result,) = grade([UNIT], course)
    assert (result.status, result.score, result.late_seconds) == ("graded", 80, 0)


def test_a_second_grading_replaces_the_first(course: Path) -> None:
    unit = read_bank(UNIT, course)
    path = hand_in(course, "ann", compose(unit, {}, hidden_tests=False))
    assert [r.score for r in grade([UNIT], course)] == [0]
    path.write_text(json.dumps(compose(unit, SOLVED, hidden_tests=False)))
    assert [r.score for r in grade([UNIT], course)] == [80]
    path.write_text("{")
    (result,) = grade([UNIT], course)
    assert (result.status, result.score) == ("unreadable", None)
    assert (
        course / "autograded" / "ann" / UNIT / f"{UNIT}.ipynb"
    ).is_file()  # the work that was marked is not thrown away


def test_mistakes_of_the_person_at_the_keyboard_are_told_in_a_line(course: Path) -> None:
    with pytest.raises(CourseError, match="Nothing has been handed in"):
        grade(None, course)
    hand_in(course, "ann", compose(read_bank(UNIT, course), {}, hidden_tests=False))
    with pytest.raises(CourseError, match="Not on the roster: bob"):
        grade([UNIT], course, students=["bob"])
    with pytest.raises(CourseError, match="No unit is called 'nope'"):
        grade(["nope"], course)
    (course / "students.csv").write_text("name\nAnn\n")
    with pytest.raises(CourseError, match="has no column 'id'"):
        grade([UNIT], course)
    with pytest.raises(CourseError, match=r"There is no .*nbgrader_config.py"):
        grade([UNIT], course / "source")


def test_a_grading_process_that_is_killed_costs_one_submission_its_status_and_no_other(
    course: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The submission kills its grader's process, as the system does when memory runs out; the batch goes on.

    It can where students are trusted; in a sandbox there is no such process.
    """
    unit = read_bank(UNIT, course)
    killer = compose(unit, SOLVED, hidden_tests=False)
    # Its parent guards it; the parent's parent is the grader's process.
    status = "open(f'/proc/{os.getppid()}/stat').read().rsplit(')', 1)[1].split()"
    answer(f"import os, signal\nos.kill(int({status}[1]), signal.SIGKILL)")(killer)
    hand_in(course, "a", compose(unit, SOLVED, hidden_tests=False))
    hand_in(course, "killer", killer)
    hand_in(course, "z", compose(unit, SOLVED, hidden_tests=False))
    found = {result.student: result for result in grade([UNIT], course, workers=2, trust_students=True)}
    assert (found["killer"].status, found["killer"].score) == ("not graded", None)
    lost = [student for student in ("a", "z") if found[student].status == "not graded"]
    again = {result.student: result for result in grade([UNIT], course, students=["a", "z"], trust_students=True)}
    assert all(again[student].score == 80 for student in ("a", "z"))
    assert len(lost) <= 1

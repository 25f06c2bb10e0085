"""Feedback pages: no hidden test, nothing that runs, nothing from outside; what failed, what to read, the points."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest

from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.formula import formula
from autodiff_lab.grading.still import clean_html, clean_markdown

from .conftest import ROOT, UNIT, ByHand, error, make_course, printed, shown
from .quick import workers_of

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

HIDDEN_LINE = "check(student.gradients(-1.25, 7.5), expect=(7.5, 13.75))"
GUIDE = "Marking guide: 10 points for two uses"
TRACEBACK = ["Traceback (most recent call last):", f"----> 9 {HIDDEN_LINE}", "WrongAnswer: gradients(-1.25, 7.5)"]
RUNS = "window.broken = (window.broken || 0) + 1"
MARKDOWN = f"""# explain

<script>{RUNS}</script><img src=x onerror="{RUNS}"><svg onload="{RUNS}"><script>{RUNS}</script></svg>
<iframe srcdoc="<script>parent.broken = 1</script>"></iframe><a href="javascript:{RUNS}">press</a>
<a href="steal.html">mine</a> <a href="http:steal.html">mine too</a> <a href="//steal.org">theirs</a>
<div class="navbar-fixed-top" id="explain" style="position: fixed; inset: 0; background: url(https://e.org/x)">over</div>
<form action="/api"><input name=a><button>go</button></form>
![far](https://e.org/spy.png) ![gone](attachment:gone.png)

The value $x^2$ and

$$\\frac{{\\partial f}}{{\\partial y}}$$ **bold** ``<script>{RUNS}</script>``

<math><mtext></p><style><img title="</style><img src onerror={RUNS}>">
"""
OUTPUTS = [
    printed(f"<script>{RUNS}</script>\n{HIDDEN_LINE}\n\x1b[31mred <img src=x onerror={RUNS}>\x1b[0m"),
    shown(text_html=f"<script>{RUNS}</script><b onclick='{RUNS}'>kept</b><img src=x onerror='{RUNS}'>"),
    shown(application_javascript=RUNS, text_plain="a script"),
    shown(text_latex=f"</div><script>{RUNS}</script>"),
    shown(text_markdown=f"<script>{RUNS}</script>\n\n*leaning*"),
    shown(image_svg=f'<svg xmlns="http://www.w3.org/2000/svg"><script>{RUNS}</script></svg>'),
    shown(image_png=f'"><script>{RUNS}</script>', text_plain="no picture"),
    shown(application_widget="{}", text_plain="a widget"),
    error(f"<script>{RUNS}</script>", f"<img src=x onerror={RUNS}>"),
]
OUTPUTS[1]["metadata"] = {"text/html": {"isolated": True}, "image/png": {"width": f'1 onload="{RUNS}"'}}


def live(notebook: Any) -> None:
    """A notebook with something that runs wherever a notebook has room for it."""
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    cells["explain"].source = MARKDOWN
    cells["predict"].outputs = [nbformat.from_dict(output) for output in OUTPUTS]
    cells["predict"].metadata["tags"] = [f'"><script>{RUNS}</script>']
    cells["predict"].source += f"\n# </pre><script>{RUNS}</script>"
    raw = nbformat.v4.new_raw_cell(f"<script>{RUNS}</script>", metadata={"raw_mimetype": "text/html"})
    notebook.cells += [raw, nbformat.v4.new_markdown_cell(MARKDOWN)]
    notebook.metadata["title"] = f"</title><script>{RUNS}</script>"
    state = {"state": {"a": f"</script><script>{RUNS}</script>"}, "version_major": 2, "version_minor": 0}
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": state}


def mended(notebook: Any) -> None:
    notebook.metadata["autodiff_lab"] = {"intake": [["tags", "test-predict"], ["spare", "<b>old</b>.ipynb"]]}


def submissions(made: ByHand) -> None:
    """Everything that a page of a submission must bear."""
    direct = "gradients(2.0, 3.0): not yet.\n  got (3.0, 5.0)\n\nThis looks like: it [fan-out-direct-path-only]\n  Why."
    hidden = f"gradients(-1.25, 7.5): not yet.\n  expected  (7.5, 13.75)\n{direct.partition('This')[2]}"
    made.hand_in("right")
    made.hand_in("direct", outputs={"test-gradients": [error(direct)]})
    test = {"test-gradients": [printed("gradients(-1.25, 7.5)"), error(hidden, traceback=TRACEBACK)]}
    made.hand_in("hidden", outputs=test, notes={"test-gradients": {"hidden": True, "hidden_outputs": [0, 1]}})
    slow = {"hidden": True, "hidden_outputs": [0], "ended": "timeout"}
    late = error("gradients(-1.25, 7.5): stopped with an error.\n  TimedOut: 30 s", "AnswerRaised", TRACEBACK)
    made.hand_in("slow", outputs={"test-gradients": [late]}, notes={"test-gradients": slow})
    made.hand_in("written", {"explain": "Because $y$ is used twice."})
    made.hand_in("live", change=live)
    made.hand_in("mended", change=mended)
    leaks = [printed(HIDDEN_LINE), shown(text_html=f"<p>{HIDDEN_LINE}</p>", text_plain=repr(HIDDEN_LINE)), TRACEBACK]
    leaks[2] = error(HIDDEN_LINE, "ValueError", TRACEBACK[:2])
    made.hand_in("leaks", outputs={"gradients": leaks, "predict": [printed(f"['{HIDDEN_LINE}']")]})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ByHand:
    made = ByHand(make_course(tmp_path_factory.mktemp("class")))
    submissions(made)
    return made


@pytest.fixture(scope="module")
def pages(made: ByHand) -> dict[str, str]:
    return {path.parents[1].name: path.read_text(encoding="utf-8") for path in feedback([UNIT], made.course)}


def plain(html: str) -> str:
    return unescape(re.sub(r"<style.*?</style>|<[^>]+>", "", html, flags=re.S))


def test_every_graded_submission_has_a_page(pages: dict[str, str]) -> None:
    assert set(pages) == {"right", "direct", "hidden", "slow", "written", "live", "leaks", "mended"}


@pytest.mark.parametrize("student", ["right", "direct", "hidden", "slow", "written", "live", "leaks"])
def test_no_page_holds_a_line_of_a_hidden_test_or_the_marking_guide(pages: dict[str, str], student: str) -> None:
    for text in (plain(pages[student]), unescape(pages[student])):
        for fragment in (HIDDEN_LINE, "13.75", "-1.25", "HIDDEN TESTS", GUIDE, "sends its own contribution back"):
            assert fragment not in text


def test_a_hidden_failure_is_told_in_words_with_its_misconception(pages: dict[str, str]) -> None:
    hidden = plain(pages["hidden"])
    assert "A hidden test failed. It asks the same" in hidden
    assert "fan-out-direct-path-only" in hidden and "Read: unit 04" in hidden
    assert "A hidden test did not end in time." in plain(pages["slow"])


def test_a_page_says_the_points_of_each_exercise_and_what_to_read(pages: dict[str, str]) -> None:
    direct = re.sub(r"\s+", " ", plain(pages["direct"]))
    assert "40 of 100 points" in direct
    assert "0 / 40 wrong answer" in direct and "Read: unit 04" in direct and "40 / 40 all points" in direct
    assert "– / 20 to be marked" in re.sub(r"\s+", " ", plain(pages["written"]))


def test_a_page_says_what_had_to_be_put_right(pages: dict[str, str]) -> None:
    assert "Put right before grading" in pages["mended"] and "Put right before grading" not in pages["right"]
    assert "Tags were added to test-predict; grading drops them." in pages["mended"]
    assert "&lt;b&gt;old&lt;/b&gt;.ipynb lies beside" in pages["mended"]


@pytest.mark.parametrize("student", ["right", "live"])
def test_a_page_has_no_script_and_nothing_from_outside(pages: dict[str, str], student: str) -> None:
    html = pages[student]
    assert not re.search(r"<(script|iframe|form|input|button|link|object|embed|base)\b", html)
    assert not re.search(r"<[^>]+\son\w+\s*=", html)
    assert not re.search(r'(src|href)="(?!data:image/|#|https?://[^/"]|mailto:)', html)
    assert "default-src 'none'" in html and "mathjax" not in html.lower()


def test_what_a_student_wrote_and_showed_is_still_there(pages: dict[str, str]) -> None:
    html = pages["live"]
    assert "<b>kept</b>" in html and "<strong>bold</strong>" in html and "<em>leaning</em>" in html
    assert re.search(r'<img[^>]+src="data:image/svg\+xml;base64,', html)
    assert html.count('aria-label="x^2"') == 2
    assert "a widget" in html and "no picture" in html and "a script" in html


def test_links_go_nowhere_but_to_other_sites() -> None:
    html = clean_markdown("[a](https://e.org/b) [b](x.html) [c](http:x.html) [d](#there) [e](/api) [f](mailto:a@e.org)")
    assert re.findall(r'href="([^"]*)"', html) == ["https://e.org/b", "#text-there", "mailto:a@e.org"]


def test_style_cannot_load_or_cover_anything() -> None:
    html = clean_html('<p style="position: fixed; background: url(//e.org); color: red; overflow-x: auto">x</p>')
    assert html == '<p style="color:red;overflow-x:auto">x</p>'


def test_a_formula_is_drawn_and_one_that_cannot_be_stays_as_text() -> None:
    assert formula(r"\frac{a}{b}").startswith("<svg") and 'fill="currentColor"' in formula("x")
    assert formula(r"\begin{aligned}a\end{aligned}") == r"<code>\begin{aligned}a\end{aligned}</code>"
    assert formula('x"><script>') == formula('x"><script>') and "<script" not in formula('x"><script>')
    assert formula("x" * 5000).startswith("<code>") and formula("{" * 50 + "}" * 50).startswith("<code>")


def test_every_formula_of_the_units_is_drawn() -> None:
    seen = set()
    for path in sorted((ROOT / "course" / "source").glob("*/*.py")):
        text = re.sub(r"^# ?", "", path.read_text(encoding="utf-8"), flags=re.M)
        for kind in re.findall(r"(?<![\\$\w`])(\$\$?)(?!\s)([^$`]+?)(?<!\s)\1(?![\w$])", text):
            seen.add(kind[1])
    assert len(seen) > 50
    assert [tex for tex in sorted(seen) if formula(tex).startswith("<code>")] == []


@pytest.fixture
def tab(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page()
        browser.close()


@pytest.mark.browser
def test_nothing_runs_and_nothing_is_loaded_when_a_page_is_opened(
    made: ByHand, pages: dict[str, str], tab: Any
) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    for student in pages:
        path: Path = made.course / "feedback" / student / UNIT / f"{UNIT}.html"
        tab.goto(path.as_uri())
        assert tab.evaluate("window.broken === undefined")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in asked if url.startswith("file:")]) == len(pages)
    tab.goto((made.course / "feedback" / "live" / UNIT / f"{UNIT}.html").as_uri())
    box = tab.locator("svg.formula").first.bounding_box()
    assert box["width"] > 8 and box["height"] > 8


# ---------------------------------------------------------------- pages that take too much

ODD_STEP = """
import os
from nbgrader.preprocessors import NbGraderPreprocessor

class Odd(NbGraderPreprocessor):
    def preprocess(self, nb, resources):
        student = resources["nbgrader"]["student"]
        if student == "loops":
            while True:
                pass
        if student == "memory":
            held = bytearray(20_000_000_000)
        if student == "killed":
            os.kill(os.getpid(), 9)
        if student == "raises":
            raise ValueError("something odd")
        return nb, resources

c.GenerateFeedback.preprocessors = [Odd, *FEEDBACK_PREPROCESSORS]
"""
LEAK = {"test-gradients": [error(f"gradients(-1.25, 7.5)\n{HIDDEN_LINE}", traceback=TRACEBACK)]}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[ByHand, Any]:
    """A class in which some pages cannot be made, one of them not even plainly."""
    made = ByHand(make_course(tmp_path_factory.mktemp("odd")))
    for student in ("ann", "killed", "loops", "memory", "raises", "zoe"):
        made.hand_in(student, outputs=LEAK, notes={"test-gradients": {"hidden": True, "hidden_outputs": [0]}})
    made.hand_in("damaged")
    (made.course / "autograded" / "damaged" / UNIT / f"{UNIT}.ipynb").write_text("{")
    config = made.course / "nbgrader_config.py"
    config.write_text(config.read_text() + ODD_STEP)
    kept = made.course / "feedback" / "damaged" / UNIT / f"{UNIT}.html"
    kept.parent.mkdir(parents=True)
    kept.write_text("an older page")
    return made, feedback([UNIT], made.course, workers=2, seconds=5)


def test_one_page_that_takes_too_much_or_fails_is_plain_and_stops_nobody(odd: tuple[ByHand, Any]) -> None:
    made, pages = odd
    assert [path.parents[1].name for path in pages] == ["ann", "killed", "loops", "memory", "raises", "zoe"]
    assert {student: why for (student, _), why in pages.plain.items()} == {
        "killed": "it takes too much time or memory",
        "loops": "it takes too much time or memory",
        "memory": "it takes too much memory",
        "raises": "ValueError: something odd",
    }
    assert list(pages.failed) == [("damaged", UNIT)] and "not a notebook" in pages.failed["damaged", UNIT]
    assert (made.course / "feedback" / "damaged" / UNIT / f"{UNIT}.html").read_text() == "an older page"
    assert sorted(path.name for path in (made.course / "feedback").iterdir()) == sorted(
        ["ann", "damaged", "killed", "loops", "memory", "raises", "zoe"]
    ), "something is left of the making"


def test_a_plain_page_says_the_same_and_hides_the_same(odd: tuple[ByHand, Any]) -> None:
    for path in odd[1]:
        html = path.read_text(encoding="utf-8")
        assert "0 / 40" in re.sub(r"\s+", " ", plain(html)) and "A hidden test failed." in plain(html)
        assert "13.75" not in plain(html) and "-1.25" not in plain(html)
        assert not re.search(r"<(script|iframe|form|input|button|link|object|embed|base)\b", html)


GROWING = {
    "environments that do not end": lambda n: "\\begin{a}" * (n // 9),
    "elements that do not end": lambda n: "<div>" * (n // 5),
    "elements that are closed elsewhere": lambda n: "<div></p>" * (n // 9),
    "bold in bold": lambda n: "<b><i>" * (n // 6),
    "tables in tables": lambda n: "<table><tr><td>" * (n // 15),
    "lists": lambda n: "\n".join(" " * i + "- a" for i in range(int((2 * n) ** 0.5))),
    "brackets": lambda n: "[" * n,
    "pictures": lambda n: "![a](" * (n // 5),
    "stars": lambda n: "*a _b " * (n // 6),
    "dollars": lambda n: "$$a $b " * (n // 7),
    "different formulas": lambda n: " ".join(f"$x_{{{i}}}$" for i in range(n // 8)),
    "backticks": lambda n: "`".join("a" * i for i in range(1, int((2 * n) ** 0.5))),
    "angles": lambda n: "<" * n,
    "comments": lambda n: "<!--" * (n // 4),
    "ordinary text": lambda n: "lorem *ipsum* $x$ dolor\n\n" * (n // 25),
}


@pytest.mark.parametrize("kind", GROWING)
def test_the_time_of_a_cell_does_not_grow_faster_than_what_is_in_it(kind: str) -> None:
    """By CPU time, with much room: squared growth would be 256 times as long for 16 times as much."""

    def seconds(size: int) -> float:
        begun = time.process_time()
        clean_markdown(GROWING[kind](size))
        return time.process_time() - begun

    seconds(1_000)
    small = max(min(seconds(5_000) for _ in range(2)), 0.01)
    large = seconds(80_000)
    assert large < 64 * small + 1.0, f"5 kB take {small:.3f} s, 80 kB {large:.3f} s"
    assert large < 8.0


def test_what_is_too_much_to_lay_out_is_shown_as_it_was_written() -> None:
    html = clean_markdown("\\begin{a}<b>" * 2000)
    assert "shown as it was written" in html and "\\begin{a}&lt;b&gt;" in html and "<b>" not in html
    frame = "<table>" + "<tr><td>1</td><td>2</td></tr>" * 1000 + "</table>"
    assert clean_html(frame).count("<td>") == 2000, "a large ordinary table is laid out"
    assert clean_html("<div>" * 50 + "x" + "</div>" * 50).count("<div>") == 50


def test_who_is_killed_while_pages_are_made_leaves_whole_pages_and_the_next_run_makes_the_rest(
    tmp_path: Path,
) -> None:
    made = ByHand(make_course(tmp_path))
    students = [f"s{number:02d}" for number in range(16)]
    for student in students:
        made.hand_in(student)
    page = made.course / "feedback" / "s00" / UNIT / f"{UNIT}.html"
    page.parent.mkdir(parents=True)
    page.write_text("an older page</html>")
    before = [page]
    code = f"from autodiff_lab.grading.feedback import feedback; feedback(['{UNIT}'], workers=2)"
    for victim in ("a worker", "the main process"):
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen([sys.executable, "-c", code], cwd=made.course, env=env)
        folder = made.course / "feedback"
        here = f"*/{UNIT}/{UNIT}.html"
        known = set(folder.glob(here))
        found = _awaited(lambda: {*folder.glob("adl-*/*/*/*/*.html"), *folder.glob(here)} - known, process)  # noqa: B023
        assert found, "it ended before it was killed"
        parent = psutil.Process(process.pid)
        (workers_of(parent)[0] if victim == "a worker" else parent).kill()
        code_of = process.wait(300)
        assert code_of == (0 if victim == "a worker" else -9)
        pages = sorted(folder.glob(here))
        assert all(page.read_text(encoding="utf-8").rstrip().endswith("</html>") for page in pages)
        assert set(before) <= set(pages), "a page that was there is gone"
        if victim == "a worker":
            assert len(pages) == len(students)
            for page in pages[:3]:
                page.unlink()
            before = pages[3:]
    assert len(feedback([UNIT], made.course)) == len(students)
    assert sorted(path.name for path in folder.iterdir()) == students, "something is left of the killed run"


def _awaited(look: Callable[[], Any], process: subprocess.Popen[bytes]) -> Any:
    until = time.monotonic() + 240
    while time.monotonic() < until and process.poll() is None:
        if found := look():
            return found
        time.sleep(0.01)
    return None

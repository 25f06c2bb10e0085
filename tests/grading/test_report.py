"""The report page and its CSV, from made-up results."""

import csv
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autodiff_lab.grading.alike import Alike
from autodiff_lab.grading.report import (
    exercise_lines,
    histogram,
    late_text,
    misconception_lines,
    render,
    report,
    together,
    write_csv,
)
from autodiff_lab.grading.results import NO_SCORE, STATUSES, ExerciseResult, Result

from .conftest import UNIT, ByHand

ROSTER = [
    {"id": "ann", "first_name": "Ann", "last_name": "Zhou"},
    {"id": "bob", "first_name": 'Bob "B"', "last_name": "Adams, Jr."},
    {"id": "<i>eve</i>", "first_name": None, "last_name": None},
    {"id": "new", "first_name": "New", "last_name": "Comer"},
]
OVERWRITTEN = "fan-out-overwritten"


def result(
    student: str, status: str, points: tuple[float | None, float | None] | None, code: str | None = None, **more: float
) -> Result:
    exercises = (
        []
        if points is None
        else [
            ExerciseResult("first", points[0], 10, code, "wrong answer" if code else ""),
            ExerciseResult("second", points[1], 20, None, "not started" if points[1] == 0 else ""),
        ]
    )
    score = None if points is None else sum(p or 0 for p in points)
    return Result(student, "04_fan_out", status, score, 30, exercises, needs_manual=None in (points or ()), **more)


RESULTS = [
    result("ann", "graded", (10, 20)),
    result("bob", "needs manual grading", (0, None), OVERWRITTEN, late_seconds=7200),
    result("<i>eve</i>", "graded", (0, 0), OVERWRITTEN),
    result("new", "missing", None),
]


@pytest.fixture
def page() -> str:
    return render(
        RESULTS, ROSTER, {("04_fan_out", "first"): ("The first", "implement", 2)}, when=datetime(2026, 3, 1, 9, 5)
    )


def test_everyone_on_the_roster_has_a_row_and_a_mark_or_a_status(page: str) -> None:
    for name in ("Zhou, Ann", "Adams, Jr., Bob &#34;B&#34;", "&lt;i&gt;eve&lt;/i&gt;", "Comer, New"):
        assert f">{name}</th>" in page
    assert "<i>eve</i>" not in page
    assert "missing" in page and "2 hours" in page and "01 March 2026, 09:05" in page


def test_the_page_needs_nothing_from_outside(page: str) -> None:
    class Links(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found += [value or "" for key, value in attrs if key in ("src", "href", "action", "data")]
            assert tag not in ("link", "iframe", "object", "embed", "base")

    links = Links()
    links.feed(page)
    assert links.found
    assert all(link.startswith("#") for link in links.found)
    assert "@import" not in page and "url(" not in page


def test_every_status_has_words_and_a_look() -> None:
    for status in STATUSES:
        html = render([Result("ann", "04_fan_out", status, None, 30)], ROSTER)
        assert STATUSES[status] in html or status == "graded"


def test_difficulty_counts_only_what_is_marked() -> None:
    first, second = exercise_lines(RESULTS, {})
    assert (first.full, first.none, first.marked, first.share) == (1, 2, 3, pytest.approx(1 / 3))
    assert first.misconceptions == [(OVERWRITTEN, 2)]
    assert (second.full, second.none, second.open, second.not_started, second.share) == (1, 1, 1, 1, 0.5)


def test_a_misconception_counts_students_and_says_who_and_where() -> None:
    (line,) = misconception_lines(RESULTS, {"bob": "Bob"})
    assert (line["code"], line["count"], line["who"]) == (OVERWRITTEN, 2, ["Bob", "<i>eve</i>"])
    assert line["where"] == [("04_fan_out", [("first", 2)])]
    assert line["read"].startswith("unit 04")


def test_delays_are_told_in_words() -> None:
    assert [late_text(s) for s in (1, 90, 3600, 7200, 86400, 200000)] == [
        "1 minute",
        "2 minutes",
        "1 hour",
        "2 hours",
        "1 day",
        "2 days",
    ]


def test_full_marks_are_in_the_last_bin() -> None:
    assert histogram([0, 9.9, 10, 99, 100], 100) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]


def test_the_csv_survives_commas_and_quotes_in_names(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    write_csv(RESULTS, ROSTER, path)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 7
    bob = rows[2]
    assert (bob["last_name"], bob["first_name"]) == ("Adams, Jr.", 'Bob "B"')
    assert (bob["points"], bob["misconception"], bob["late_hours"]) == ("0", OVERWRITTEN, "2.0")
    assert (rows[3]["points"], rows[6]["status"], rows[6]["score"]) == ("", "missing", "")


@pytest.mark.browser
def test_the_page_sorts_and_changes_its_colours(page: str, tmp_path: Path, chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    file = tmp_path / "report.html"
    file.write_text(page, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(color_scheme="light")
        troubles: list[str] = []
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.on("request", lambda request: troubles.append(request.url) if not request.url.startswith("file:") else None)
        tab.goto(file.as_uri())
        names = "table >> nth=0 >> tbody th"
        before = tab.locator(names).all_inner_texts()
        tab.get_by_role("button", name="04_fan_out").focus()
        tab.keyboard.press("Enter")
        by_score = tab.locator(names).all_inner_texts()
        assert sorted(before) == sorted(by_score)
        assert by_score[0] == "Comer, New" and by_score[-1] == "Zhou, Ann"
        tab.keyboard.press("Enter")
        assert tab.locator(names).all_inner_texts()[0] == "Zhou, Ann"
        ground = "getComputedStyle(document.body).backgroundColor"
        light = tab.evaluate(ground)
        tab.get_by_role("button", name="Switch between light and dark").click()
        assert tab.evaluate(ground) != light
        dark = browser.new_page(color_scheme="dark")
        dark.goto(file.as_uri())
        assert dark.evaluate(ground) != light
        assert troubles == []
        browser.close()


SAME = [
    Alike("04_fan_out", "first", ("ann", "bob"), True),
    Alike("04_fan_out", "second", ("ann", "bob"), False),
    Alike("04_fan_out", "second", ("<i>eve</i>", "new"), False),
]
REFUSED = {("bob", "04_fan_out"): ["connect to 8.8.8.8:53", "<script>window.broken = 1</script>"]}


def test_what_the_sandbox_refused_and_same_answers_are_for_a_person_to_judge() -> None:
    page = render(RESULTS, ROSTER, refused=REFUSED, same=SAME)
    assert "connect to 8.8.8.8:53" in page and "<script>window" not in page
    assert "The same answers (2)" in page and "That is no finding" in page
    assert "Nothing here has changed a mark" in page
    assert together(SAME)[0] == {
        "students": ("ann", "bob"),
        "where": [("04_fan_out", "first", True), ("04_fan_out", "second", False)],
        "verbatim": 1,
    }
    assert "To look at yourself" not in render(RESULTS, ROSTER)


def test_exercises_that_were_stopped_are_counted_and_no_misconception_of_theirs() -> None:
    stopped = Result("ann", "04_fan_out", "timeout", 0, 30, [ExerciseResult("first", 0, 10, None, "timeout")])
    lost = Result("bob", "04_fan_out", "out of memory", 0, 30, [ExerciseResult("first", 0, 10, None, "out of memory")])
    for status in NO_SCORE:
        assert exercise_lines([Result("eve", "04_fan_out", status, None, 30)], {}) == []
    (line,) = exercise_lines([stopped, lost, stopped], {("04_fan_out", "first"): ("First", "implement", 4)})
    assert (line.stopped, line.none, line.misconceptions) == ([("timeout", 2), ("out of memory", 1)], 3, [])
    assert line.difficulty == 4
    assert misconception_lines([stopped, lost], {}) == []
    page = render([stopped, lost], ROSTER)
    assert "1 timeout, 1 out of memory" in page


def test_a_misconception_is_gone_when_a_person_has_given_all_points() -> None:
    right_after_all = result("ann", "graded", (10, 20), OVERWRITTEN)
    assert misconception_lines([right_after_all], {}) == []
    assert exercise_lines([right_after_all], {})[0].misconceptions == []


def test_a_report_of_a_course_finds_refusals_and_same_answers_in_graded_notebooks(course: Path, tmp_path: Path) -> None:
    made = ByHand(course)
    long = "def gradients(x, y):\n    parts = []\n" + "".join(
        f"    parts.append((x + {number}) * y - {number} * y)\n" for number in range(1, 6)
    )
    long += "    return y, x + 2 * y + 0 * sum(parts)"
    made.hand_in("ann", {"gradients": long}, notes={"gradients": {"refused": ["connect to 8.8.8.8:53"]}})
    made.hand_in("bob", {"gradients": long.replace("parts", "mine").replace("x", "first")})
    made.hand_in("eve")
    made.hand_in("fay")
    page, _ = report([UNIT], course, tmp_path)
    html = page.read_text(encoding="utf-8")
    assert "The same answers (1)" in html and "ann; bob" in html
    assert "Refused by the sandbox (1)" in html and "connect to 8.8.8.8:53" in html


@pytest.mark.browser
def test_the_table_can_be_filtered_and_says_how_it_is_sorted(tmp_path: Path, chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    file = tmp_path / "report.html"
    file.write_text(render(RESULTS, ROSTER, refused=REFUSED, same=SAME), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page()
        troubles: list[str] = []
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.goto(file.as_uri())
        shown = tab.locator("#table tbody tr:visible th")
        tab.get_by_role("searchbox").fill("zho")
        assert shown.all_inner_texts() == ["Zhou, Ann"]
        assert tab.locator("#shown").inner_text() == "1 of 4 students"
        tab.get_by_role("searchbox").fill("")
        tab.get_by_role("combobox").select_option("late")
        assert shown.all_inner_texts() == ['Adams, Jr., Bob "B"']
        tab.get_by_role("combobox").select_option("missing")
        assert shown.all_inner_texts() == ["Comer, New"]
        tab.get_by_role("combobox").select_option("")
        assert shown.count() == 4
        head = tab.locator("#table thead th").nth(1)
        for way in ("ascending", "descending"):
            head.get_by_role("button").click()
            assert head.get_attribute("aria-sort") == way
        assert tab.locator("#table th[aria-sort]").count() == 1
        tab.evaluate("document.body.insertAdjacentHTML('beforeend', `<img src=x onerror='window.broken = 1'>`)")
        tab.emulate_media(media="print")
        assert not tab.locator(".filter").is_visible()
        tab.wait_for_timeout(200)
        assert tab.evaluate("window.broken === undefined") and troubles == []
        browser.close()

"""The report page and its CSV, from made-up results."""

import csv
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from autodiff_lab.grading.alike import Alike
from autodiff_lab.grading.export import export
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

from .conftest import UNIT, ByHand, error

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
    (line,) = misconception_lines(RESULTS)
    assert (line["code"], line["count"], line["who"]) == (OVERWRITTEN, 2, ["bob", "<i>eve</i>"])
    assert line["where"] == [("first", 2)]
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
        names = "#table tbody th"
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


def test_every_link_of_the_page_leads_somewhere(own_course: Path, tmp_path: Path) -> None:
    class Anchors(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.ids: list[str] = []
            self.to: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.ids += [value or "" for key, value in attrs if key == "id"]
            self.to += [value or "" for key, value in attrs if key == "href"]

    made = ByHand(own_course)
    direct = [error("no [fan-out-direct-path-only]")]
    made.hand_in("ann o'neill #1 ü%", outputs={"test-gradients": direct})
    made.hand_in("bob", outputs={"test-gradients": direct, "test-predict": direct})
    made.hand_in("cem")
    for name in ("ann o'neill #1 ü%", "bob"):
        place = own_course / "feedback" / name / UNIT / f"{UNIT}.html"
        place.parent.mkdir(parents=True)
        place.write_text("feedback")
    page, _ = report([UNIT], own_course, tmp_path / "elsewhere")
    found = Anchors()
    found.feed(page.read_text(encoding="utf-8"))
    assert len(found.ids) == len(set(found.ids))
    files = [address for address in found.to if not address.startswith("#")]
    assert len([address for address in files if "/feedback/" in address]) == 2
    assert len([address for address in files if "/autograded/" in address]) == 3
    for address in found.to:
        assert not urlsplit(address).scheme and not address.startswith("/")
        if address.startswith("#"):
            assert address[1:] in found.ids, address
        else:
            assert (page.parent / unquote(urlsplit(address).path)).is_file(), address
    for wanted in (f"#m-{UNIT}-fan-out-direct-path-only", f"#e-{UNIT}-gradients", f"#u-{UNIT}", "#s0", "#students"):
        assert wanted in found.to


def test_misconceptions_are_those_of_their_unit() -> None:
    other = Result("ann", "03_backward_sweep", "graded", 0, 10, [ExerciseResult("sweep", 0, 10, "sweep-order")])
    page = render([*RESULTS, other], ROSTER)
    first, second = page.index('id="u-03_backward_sweep"'), page.index('id="u-04_fan_out"')
    assert first < page.index('id="m-03_backward_sweep-sweep-order"') < second
    assert page.index(f'id="m-04_fan_out-{OVERWRITTEN}"') > second


def test_a_line_says_who_needs_help_why_and_what_is_open() -> None:
    units = [Result("ann", name, "graded", 10, 100, []) for name in ("00_a", "01_b")]
    units += [Result("ann", "02_c", "missing", None, 100), Result("bob", "02_c", "graded", 90, 100, [])]
    page = render(units, ROSTER)
    line = page[page.index('id="s0"') : page.index('id="s1"')]
    for word in ("needs help", "less than half in 00 and 01", "20", "/ 200", "10 %", "steady", "missing 02"):
        assert word in line, word
    rest = page[page.index('id="s1"') : page.index("</table>")]
    assert "needs help" not in rest.replace('data-status="graded|needs help"', "")


def test_a_large_class_leaves_long_lists_to_the_csv_and_hides_rows() -> None:
    people = [{"id": f"s{number:04d}"} for number in range(501)]
    results = [
        result(person["id"], "missing" if number % 2 else "graded", None if number % 2 else (0, 20), OVERWRITTEN)
        for number, person in enumerate(people)
    ]
    page = render(results, people)
    assert "Everyone's points are in report.csv" in page and "And 150 more, in report.csv" in page
    assert "and 151 more, in report.csv" in page  # who has a misconception
    assert page.count(" hidden>\n<th") == 301 and "<noscript>" in page
    assert "in report.csv" not in render([r for r in results if r.student < "s0090"], people[:90])


def test_what_lies_in_the_wrong_place_is_in_the_report(own_course: Path, tmp_path: Path) -> None:
    made = ByHand(own_course)
    made.hand_in("ann")
    (own_course / "submitted" / "<b>Ann_5567_assignsubmission_file_").mkdir()
    (own_course / "submitted" / "<b>Ann_5567_assignsubmission_file_" / "x.ipynb").write_text("{}")
    page, _ = report([UNIT], own_course, tmp_path)
    html = page.read_text(encoding="utf-8")
    assert "In the wrong place" in html and "&lt;b&gt;Ann_5567_assignsubmission_file_ holds notebooks" in html


def test_rows_of_earlier_versions_and_odd_ids_are_exported_and_reported(own_course: Path, tmp_path: Path) -> None:
    """What stands in a gradebook from before is left out with a warning, and stops neither report nor export."""
    made = ByHand(own_course)
    made.hand_in("ann")
    with made.book.open() as gradebook:
        for odd in ("x" * 250, "../../up", "a\nb"):
            gradebook.add_student(odd)
    page, found = report([UNIT], own_course, tmp_path)
    assert [each.student for each in found] == ["ann"] and page.is_file()
    assert '"ann"' in export(own_course, tmp_path / "marks.csv").read_text(encoding="utf-8")
    assert not (own_course.parent / "up.json").exists()


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
    assert misconception_lines([stopped, lost]) == []
    page = render([stopped, lost], ROSTER)
    assert "1 timeout, 1 out of memory" in page


def test_a_misconception_is_gone_when_a_person_has_given_all_points() -> None:
    right_after_all = result("ann", "graded", (10, 20), OVERWRITTEN)
    assert misconception_lines([right_after_all]) == []
    assert exercise_lines([right_after_all], {})[0].misconceptions == []


def test_refusals_and_same_answers_are_found_in_graded_notebooks(own_course: Path, tmp_path: Path) -> None:
    made = ByHand(own_course)
    long = "def gradients(x, y):\n    parts = []\n" + "".join(
        f"    parts.append((x + {number}) * y - {number} * y)\n" for number in range(1, 6)
    )
    long += "    return y, x + 2 * y + 0 * sum(parts)"
    made.hand_in("ann", {"gradients": long}, notes={"gradients": {"refused": ["connect to 8.8.8.8:53"]}})
    made.hand_in("bob", {"gradients": long.replace("parts", "mine").replace("x", "first")})
    made.hand_in("eve")
    made.hand_in("fay")
    page, _ = report([UNIT], own_course, tmp_path)
    html = page.read_text(encoding="utf-8")
    same = html[html.index("The same answers (1)") :]
    assert ">ann</a>; <a" in same and ">bob</a></td>" in same
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
        shown = tab.locator("#standing tbody tr:visible th")
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
        assert tab.locator("#table tbody tr:visible").count() == 4
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

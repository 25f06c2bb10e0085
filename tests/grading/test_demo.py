"""The demo's class comes out as planted, and the demo says so when it does not."""

import copy
import csv
from pathlib import Path

import pytest

from autodiff_lab.grading.course import CourseError
from autodiff_lab.grading.demo import MARKER, SMALLEST, Demo, check, check_csv, demo

from .conftest import make_course

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


STEPS: list[tuple[str, int, int]] = []


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """A demo of the tiny unit."""
    folder = tmp_path_factory.mktemp("demo")
    course = make_course(folder)
    for slow in ("loops", "exits"):  # the demo plants its own
        (folder / "solutions" / "90_tiny" / "wrong" / f"gradients__{slow}.py").unlink()
    return demo(folder / "class", course=course, workers=2, progress=lambda *step: STEPS.append(step))


def test_the_demo_says_what_it_is_doing(made: Demo) -> None:
    words = [what for what, _, total in STEPS if total == 0]
    assert words == [
        "building 1 unit",
        f"writing the submissions of {SMALLEST} students",
        "starting to grade",
        "marking written answers",
        "making the report",
    ]
    assert [done for _, done, total in STEPS if total] == list(range(1, SMALLEST + 1))


def test_the_whole_class_comes_out_as_planted(made: Demo) -> None:
    assert made.wrong == []
    assert made.ok
    assert f"{SMALLEST} of {SMALLEST} submissions as planted" in made.summary()


def test_nobody_is_absent_and_every_kind_of_trouble_is_there(made: Demo) -> None:
    assert len({result.student for result in made.results}) == SMALLEST
    statuses = {result.status for result in made.results}
    assert {"graded", "needs manual grading", "untouched", "missing", "unreadable", "timeout", "crashed"} <= statuses
    assert any(result.late_seconds for result in made.results)
    assert {e.misconception for r in made.results for e in r.exercises} >= {"fan-out-overwritten"}
    with (made.page.parent / "grades.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == SMALLEST


def test_the_two_students_without_a_mistake_have_100_points(made: Demo) -> None:
    scores = {result.student: result.score for result in made.results}
    assert scores["amara.okafor"] == scores["bjorn.lindqvist"] == 100


def test_the_report_of_the_demo_names_everyone(made: Demo) -> None:
    page = made.page.read_text(encoding="utf-8")
    for name in ("O&#39;Neill, Dara", "Петрова, Надя", "van den Berg, Rosa"):
        assert name in page


def test_a_result_that_is_not_as_planted_is_told(made: Demo) -> None:
    results = copy.deepcopy(made.results)
    graded = next(result for result in results if result.status == "graded" and result.exercises)
    graded.exercises[0].points = 17.0
    graded.score = 1.0
    results = [result for result in results if result.student != "chen.wei"]
    roster = sorted({plant.student for plant in made.planted})
    told = "\n".join(check(made.planted, results, roster))
    assert f"{graded.student} 90_tiny: gradients has 17.0 points, planted were" in told
    assert "chen.wei: is on the roster and not in the results" in told
    assert check_csv([graded], made.page.parent / "grades.csv")


def test_a_folder_that_is_no_earlier_demo_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("keep me")
    course = make_course(tmp_path)
    with pytest.raises(CourseError, match="exists and is not an earlier demo"):
        demo(tmp_path / "mine", course=course)
    assert (tmp_path / "mine" / "work.txt").read_text() == "keep me"
    assert not (tmp_path / "mine" / MARKER).exists()
    with pytest.raises(CourseError, match="at least 24"):
        demo(tmp_path / "small", course=course, class_size=3)

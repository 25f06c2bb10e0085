"""The whole class of submissions.py, graded at once through the real path."""

import pytest

from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.notes import WORDS
from autodiff_lab.grading.results import NO_SCORE, Result

from .conftest import make_course
from .submissions import ROWS, UNIT, hand_in

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """The results by student, after one `grade` over everybody."""
    course = make_course(tmp_path_factory.mktemp("class"))
    unit = read_bank(UNIT, course)
    solved = compose(unit, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    for student, row in ROWS.items():
        hand_in(course / "submitted" / student / UNIT, row, solved, unit.release)
    (course / "submitted" / "elsewhere.ipynb").unlink(missing_ok=True)
    return {result.student: result for result in grade([UNIT], course, timeout=6, workers=2)}


@pytest.mark.parametrize("student", ROWS)
def test_every_row_comes_out_as_it_says(graded: dict[str, Result], student: str) -> None:
    row, result = ROWS[student], graded[student]
    assert result.status == row.status, result
    if row.points is None:
        assert (result.score, result.exercises) == (None, [])
        assert row.status in NO_SCORE
        assert row.why in result.note
        return
    assert {e.exercise: e.points for e in result.exercises} == row.points, result
    assert (result.score, result.max_score) == (sum(points or 0 for points in row.points.values()), 100)
    for kind in row.notes:
        assert WORDS[kind][0].split(":")[0] in result.note


def test_nobody_else_is_in_the_class(graded: dict[str, Result]) -> None:
    assert set(graded) == set(ROWS)

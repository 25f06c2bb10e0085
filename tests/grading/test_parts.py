"""An exercise with several test cells: each earns its own points, and everything else speaks of one exercise."""

import csv
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autodiff_lab.grading.bank import SOURCE, Answer, BankError, check_bank, compose, read_bank
from autodiff_lab.grading.build import BuildError, exercises_of, read_text, release_notebook, source_notebook
from autodiff_lab.grading.cells import marks_by_hand
from autodiff_lab.grading.course import CourseError, exercise_of, paths
from autodiff_lab.grading.demo import GRADED
from autodiff_lab.grading.export import export
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.forked import run_forked
from autodiff_lab.grading.grade import Book, grade
from autodiff_lab.grading.handed_in import from_data
from autodiff_lab.grading.matching import Release, grade_id, match, release_of
from autodiff_lab.grading.report import report
from autodiff_lab.grading.results import ONLY_HIDDEN, TIMEOUT, ExerciseResult, read_exercises
from autodiff_lab.units.fan_out import FAN_OUT_DIRECT_PATH_ONLY as DIRECT

from .conftest import UNIT, ByHand, error, make_course

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

FIRST, SIGNS = "test-gradients", "test-gradients--signs"
BELOW = """# %% [markdown]
# ### Exercise: predict the value"""
# The second test uses what the first one imports.
PART = (
    f'# %% nbgrader={{"grade": true, "grade_id": "{SIGNS}", "locked": true, "points": 15, "schema_version": 3, '
    '"solution": false, "task": false}\n'
    "check(student.gradients(-2.0, -3.0), expect=(-3.0, -8.0))\n"
    "### BEGIN HIDDEN TESTS\ncheck(student.gradients(-0.5, -6.25), expect=(-6.25, -13.0))\n### END HIDDEN TESTS\n\n"
)
SIGN_LOST = "def gradients(x, y):\n    return y, abs(x + 2 * y)\n"


def edit(course: Path, *changes: tuple[str, str]) -> None:
    path = paths(UNIT, course).text
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def make_parted(folder: Path) -> Path:
    """The tiny course with 25 and 15 points for the two tests of its first exercise."""
    course = make_course(folder)
    edit(course, ('"points": 40', '"points": 25'), (BELOW, PART + BELOW))
    for slow in ("loops", "exits"):
        (course.parent / "solutions" / UNIT / "wrong" / f"gradients__{slow}.py").unlink()
    return course


@pytest.fixture
def parted(tmp_path: Path) -> Path:
    return make_parted(tmp_path)


def gradients_of(results: list[ExerciseResult]) -> ExerciseResult:
    (found,) = (result for result in results if result.exercise == "gradients")
    return found


# ---------------------------------------------------------------- the source


@pytest.mark.parametrize(("cell", "exercise"), [("a", "a"), ("test-a", "a"), ("test-a-b--c-d", "a-b")])
def test_a_cell_belongs_to_an_exercise_by_its_name(cell: str, exercise: str) -> None:
    assert exercise_of(cell) == exercise


def test_the_points_of_an_exercise_are_the_sum_over_its_tests(parted: Path) -> None:
    edit(parted, ('"objectives": ["Add', '"masks": ["torch"], "objectives": ["Add'))
    source = source_notebook(read_text(paths(UNIT, parted).text), UNIT)
    assert [(exercise.id, exercise.points) for exercise in exercises_of(source)] == [
        ("gradients", 40),
        ("predict", 40),
        ("explain", 20),
    ]
    release = release_notebook(source)
    cells = {grade_id(cell): cell.source for cell in release.cells}
    assert "10 minutes · difficulty 2 of 5 · importance 5 of 5 · 40 points" in release.cells[2].source
    for test in (FIRST, SIGNS):
        assert 'student.without("torch", names=["gradients"])' in cells[test]
    assert "-13.0" not in cells[SIGNS] and "-8.0" in cells[SIGNS]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (f'"{SIGNS}"', '"test-nothing--signs"', "there is no exercise 'nothing'"),
        (f'"{SIGNS}"', '"test-predict--signs"', "not stand right below its exercise's other tests"),
        (f'"{SIGNS}"', '"test-gradients--"', "is called 'test-' and the id of its exercise; a further one adds"),
        (f'"{SIGNS}"', '"test-gradients--a--b"', "is called 'test-' and the id of its exercise; a further one adds"),
        (f'"{SIGNS}"', '"test-nothing"', "there is no exercise 'nothing'"),
        (f'"{SIGNS}"', '"signs"', "is called 'test-' and the id of its exercise"),
        (PART, "# %%\nimport cmath\n\n" + PART, "not stand right below its exercise's other tests"),
        ('"grade_id": "predict"', '"grade_id": "predict--it"', "an exercise has no '--' in its id"),
        ('"grade_id": "explain"', '"grade_id": "test-explain"', "which does not begin with 'test-'"),
        ('"points": 15', '"points": 16', "the points sum to 101, not 100"),
    ],
)
def test_a_further_test_that_is_called_or_stands_otherwise_is_refused(
    parted: Path, old: str, new: str, complaint: str
) -> None:
    edit(parted, (old, new))
    with pytest.raises(BuildError) as caught:
        source_notebook(read_text(paths(UNIT, parted).text), UNIT)
    assert complaint in str(caught.value)


# ---------------------------------------------------------------- the result


def test_each_test_earns_and_the_first_visible_failure_tells(parted: Path) -> None:
    unit = read_bank(UNIT, parted)
    visible, hidden = (error("no"), {}), (error("no"), {"hidden": True})
    direct, slow = (error(f"no [{DIRECT.code}]"), {}), (error("no", "AnswerRaised"), {"ended": TIMEOUT})
    for failed, expected in (
        ({}, (40, None, "")),
        ({FIRST: direct}, (15, DIRECT.code, "wrong answer")),
        ({SIGNS: direct}, (25, DIRECT.code, "wrong answer")),
        ({FIRST: hidden}, (15, None, ONLY_HIDDEN)),
        ({FIRST: direct, SIGNS: visible}, (0, DIRECT.code, "wrong answer")),
        ({FIRST: visible, SIGNS: direct}, (0, None, "wrong answer")),
        ({FIRST: hidden, SIGNS: direct}, (0, DIRECT.code, "wrong answer")),
        ({FIRST: hidden, SIGNS: hidden}, (0, None, ONLY_HIDDEN)),
        ({FIRST: hidden, SIGNS: slow}, (0, None, TIMEOUT)),
        ({SIGNS: slow}, (25, None, TIMEOUT)),
    ):
        notebook = compose(unit, {"gradients": SOURCE, "predict": SOURCE})
        for cell in notebook.cells:
            if grade_id(cell) in failed:
                output, notes = failed[grade_id(cell)]
                cell.outputs = [nbformat.from_dict(output)]
                cell.metadata["autodiff_lab"] = nbformat.from_dict(notes)
        results = read_exercises(notebook)
        assert [result.exercise for result in results] == ["gradients", "predict", "explain"]
        found = gradients_of(results)
        assert (found.points, found.misconception, found.note) == expected, failed
        assert found.max_points == 40


# ---------------------------------------------------------------- what students do to cells


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Release]:
    course = make_parted(tmp_path_factory.mktemp("parted"))
    unit = read_bank(UNIT, course)
    solved = compose(unit, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    return solved, release_of(paths(UNIT, course).text, UNIT)


def without(*names: str) -> Any:
    def change(cells: list[Any]) -> list[Any]:
        return [cell for cell in cells if grade_id(cell) not in names]

    return change


def with_tests(*order: str, above: str = "90-cell-06") -> Any:
    """The tests of the exercise taken out, and put above another cell in this order."""

    def change(cells: list[Any]) -> list[Any]:
        tests = {grade_id(cell): nbformat.from_dict(cell) for cell in cells if grade_id(cell) in order}
        left = without(FIRST, SIGNS)(cells)
        at = next(place for place, cell in enumerate(left) if above in (cell.id, grade_id(cell)))
        return [*left[:at], *(nbformat.from_dict(tests[name]) for name in order), *left[at:]]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without(FIRST), {("deleted", FIRST)}),
        (without(SIGNS), {("deleted", SIGNS)}),
        (without(FIRST, SIGNS), {("deleted", FIRST), ("deleted", SIGNS)}),
        (with_tests(FIRST, SIGNS, SIGNS, above="test-predict"), {("test copies", SIGNS)}),
        (with_tests(SIGNS, FIRST, FIRST, above="test-predict"), {("test copies", FIRST)}),
        (with_tests(SIGNS, FIRST, above="gradients"), {("above", FIRST), ("above", SIGNS)}),
        (with_tests(FIRST, SIGNS, above="gradients"), {("above", FIRST), ("above", SIGNS)}),
        (with_tests(SIGNS, FIRST, above="test-predict"), set()),
        (without("gradients"), {("answer deleted", "gradients")}),
    ],
)
def test_both_tests_are_there_once_in_their_order_below_the_answer(
    handed_out: tuple[Any, Release], change: Any, said: set[tuple[str, str]]
) -> None:
    solved, release = handed_out
    notebook = nbformat.from_dict(solved)
    notebook.cells = change(notebook.cells)
    matched, notes = match(from_data(notebook), release)
    assert said <= {(note.kind, note.about) for note in notes}
    names = [name for name in map(grade_id, matched.cells) if name in ("gradients", FIRST, SIGNS)]
    assert names[-2:] == [FIRST, SIGNS] and len(names) == (2 if ("answer deleted", "gradients") in said else 3)
    tests = [cell for cell in matched.cells if grade_id(cell) in (FIRST, SIGNS)]
    assert [cell.metadata.nbgrader.points for cell in tests] == [25, 15]


# ---------------------------------------------------------------- grading


def test_submissions_earn_what_their_tests_earn(parted: Path) -> None:
    unit = read_bank(UNIT, parted)
    lost = Answer("gradients", "sign_lost", SIGN_LOST, False, "unnamed")
    answers: dict[str, Any] = {"right": SOURCE, "lost": lost, "deleted": SOURCE, "swapped": lost, "none": lost}
    for student, answer in answers.items():
        notebook = compose(unit, {"gradients": answer, "predict": SOURCE}, hidden_tests=False)
        if student == "deleted":
            notebook.cells = without(FIRST)(notebook.cells)
        if student == "swapped":
            notebook.cells = with_tests(SIGNS, FIRST, above="test-predict")(notebook.cells)
        if student == "none":
            notebook.cells = without(FIRST, SIGNS)(notebook.cells)
        folder = parted / "submitted" / student / UNIT
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{UNIT}.ipynb")
    found = {result.student: result for result in grade([UNIT], parted, trust_students=True)}
    points = {student: gradients_of(result.exercises).points for student, result in found.items()}
    assert points == {"right": 40, "deleted": 40, "lost": 25, "swapped": 25, "none": 25}
    assert {student: result.score for student, result in found.items()} == {s: p + 40 for s, p in points.items()}
    assert {result.status for result in found.values()} == {GRADED}
    assert gradients_of(found["lost"].exercises).note == "wrong answer"


@pytest.mark.parametrize(("allows", "points"), [('"allows": ["torch"], ', 40), ("", 0)])
def test_every_test_runs_with_the_masks_of_the_exercise(parted: Path, allows: str, points: float) -> None:
    edit(
        parted,
        ('"objectives": ["Add', '"masks": ["torch"], "objectives": ["Add'),
        ('exercise={"kind": "implement"', f'exercise={{{allows}"kind": "implement"'),
    )
    unit = read_bank(UNIT, parted)
    code = "import mpmath\n\ndef gradients(x, y):\n    return y, float(mpmath.mpf(x + 2 * y))"
    notebook = compose(unit, {"gradients": Answer("gradients", "x", code, True, "right")})
    run_forked(notebook, UNIT, parted)
    assert gradients_of(read_exercises(notebook)).points == points
    notes = [cell.metadata.get("autodiff_lab", {}) for cell in notebook.cells if grade_id(cell) in (FIRST, SIGNS)]
    assert [note.get("masked") for note in notes] == [None if points else ["mpmath.mpf"]] * 2


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> ByHand:
    """ann fails both tests, bob one, cem the other one, and a person has given him 4 points for that."""
    made = ByHand(make_parted(tmp_path_factory.mktemp("class")))
    first, second = [error(f"the first says no [{DIRECT.code}]")], [error("the second says no")]
    made.hand_in("ann", outputs={FIRST: first, SIGNS: second})
    made.hand_in("bob", outputs={SIGNS: second})
    made.hand_in("cem", outputs={FIRST: first})
    with made.book.open() as gradebook:
        mark = gradebook.find_grade(FIRST, UNIT, UNIT, "cem")
        mark.manual_score, mark.needs_manual_grade = 4.0, False
        gradebook.db.commit()
    return made


MARKS = {"ann": 0, "bob": 25, "cem": 19}


def test_a_mark_by_hand_on_one_test_counts_in_the_sum(marked: ByHand) -> None:
    found = {student: gradients_of(marked.book.result(student, UNIT).exercises) for student in MARKS}
    assert {student: (result.points, result.max_points) for student, result in found.items()} == {
        student: (points, 40) for student, points in MARKS.items()
    }
    with marked.book.open() as gradebook:
        assert marks_by_hand(gradebook, UNIT) == [("cem", "gradients", 4.0)]


def test_a_mark_by_hand_on_one_test_stays_while_answer_and_test_do(parted: Path) -> None:
    made = ByHand(parted)
    failed = {SIGNS: [error("no")]}
    made.hand_in("ann", outputs=failed)
    with made.book.open() as gradebook:
        mark = gradebook.find_grade(SIGNS, UNIT, UNIT, "ann")
        mark.manual_score, mark.needs_manual_grade = 4.0, False
        gradebook.db.commit()
    again = made.hand_in("ann", outputs=failed)
    assert gradients_of(again.exercises).points == 29 and not again.needs_manual
    changed = made.hand_in("ann", {"gradients": SIGN_LOST}, outputs=failed)
    assert gradients_of(changed.exercises).points == 29 and changed.needs_manual


def test_exports_and_the_report_have_the_sums(marked: ByHand, tmp_path: Path) -> None:
    def rows(path: Path) -> list[dict[str, str]]:
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    exported = rows(export(marked.course, tmp_path / "marks.csv", "csv"))
    assert {row["student_id"]: float(row["score"]) for row in exported} == {s: p + 40 for s, p in MARKS.items()}
    page, _ = report([UNIT], marked.course, tmp_path)
    told = rows(page.with_suffix(".csv"))
    (student,) = {"student", "student_id", "id"} & told[0].keys()
    assert [row["exercise"] for row in told] == ["gradients", "predict", "explain"] * 3
    own = {row[student]: row for row in told if row["exercise"] == "gradients"}
    assert {name: float(row["points"]) for name, row in own.items()} == MARKS
    assert {row["max_points"] for row in own.values()} == {"40.0"}


def test_a_page_has_one_line_for_the_exercise_and_what_each_failed_test_said(marked: ByHand) -> None:
    pages = {page.parents[1].name: unescape(page.read_text(encoding="utf-8")) for page in feedback(None, marked.course)}
    for student, points in MARKS.items():
        assert pages[student].count("Gradients of a shared value</a>") == 1
        assert f"{points} / 40" in pages[student]
    assert "the first says no" in pages["ann"] and "the second says no" in pages["ann"]
    assert "the first says no" not in pages["bob"] and "the second says no" in pages["bob"]


# ---------------------------------------------------------------- the course changes


def test_a_test_that_is_new_or_gone_is_told_and_a_rename_takes_all_tests_along(marked: ByHand) -> None:
    text = paths(UNIT, marked.course).text
    before = text.read_text(encoding="utf-8")
    try:
        edit(marked.course, (PART, ""), ('"points": 25', '"points": 40'))
        with pytest.raises(CourseError, match=rf"graded \(gone: {SIGNS}\)\."):
            Book(marked.course).register(UNIT)
        text.write_text(before.replace(f'"{SIGNS}"', '"test-gradients--minus"'), encoding="utf-8")
        with pytest.raises(CourseError, match=rf"\(gone: {SIGNS}; new: test-gradients--minus\)\."):
            Book(marked.course).register(UNIT)
        text.write_text(before.replace('"gradients"', '"test"').replace('"test-gradients', '"test-test'), "utf-8")
        with pytest.raises(CourseError, match=r"\(gone: gradients; new: test\)\.") as caught:
            Book(marked.course).register(UNIT)
        assert "--renamed gradients=test" in caught.value.hint
        book = Book(marked.course)
        book.rename(UNIT, {"gradients": "test"})
        book.register(UNIT)
        with book.open() as gradebook:
            assert marks_by_hand(gradebook, UNIT) == [("cem", "test", 4.0)]
            names = {cell.name for cell in gradebook.find_notebook(UNIT, UNIT).grade_cells}
        assert names == {"test-test", "test-test--signs", "test-predict", "explain"}
        book.rename(UNIT, {"test": "gradients"})
    finally:
        text.write_text(before, encoding="utf-8")
    Book(marked.course).register(UNIT)


# ---------------------------------------------------------------- banks


def write(course: Path, name: str, header: str, code: str = SIGN_LOST) -> None:
    text = f"# exercise: gradients\n# about: x\n{header}\n{code}"
    (course.parent / "solutions" / UNIT / name).write_text(text)


def test_a_wrong_answer_keeps_what_its_file_says(parted: Path) -> None:
    write(parted, "wrong/gradients__keeps.py", "# unnamed: x\n# points: 25")
    write(parted, "wrong/gradients__more.py", "# unnamed: x\n# points: 30")
    write(parted, "wrong/gradients__silent.py", "# unnamed: x")
    report = check_bank(read_bank(UNIT, parted), only="gradients")
    told = "\n".join(report.problems)
    assert "gradients / keeps" not in told
    assert "gradients / more: is wrong, and kept 25.0 of 40.0 points, not 30" in told
    assert "gradients / silent: is wrong, and kept 25.0 of 40.0 points" in told
    # It passes all that is to be seen of the first test, and nothing of the second.
    assert "gradients / written_in: should pass every visible test, and did not" in told
    assert len(report.problems) == 3
    right = [g.result.points for g in report.graded if g.answer.right]
    assert right == [40] * len(right) and len(right) >= 2


@pytest.mark.parametrize("points", ["0", "40", "many", "-1", ""])
def test_a_wrong_answer_keeps_less_than_all_and_more_than_nothing(parted: Path, points: str) -> None:
    write(parted, "wrong/gradients__x.py", f"# unnamed: x\n# points: {points}")
    with pytest.raises(BankError, match=r"x\.py: 'points' is what a wrong answer keeps, more than 0 and less than 40"):
        read_bank(UNIT, parted)


def test_a_right_answer_keeps_everything(parted: Path) -> None:
    write(parted, "right/gradients__x.py", "# points: 25")
    with pytest.raises(BankError, match=r"x\.py: 'points' is what a wrong answer keeps"):
        read_bank(UNIT, parted)

"""Every unit of the course: well-formed, built, without a solution in its release, and with tests that are tested."""

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autodiff_lab.grading.bank import BankReport, check_bank, read_bank, table
from autodiff_lab.grading.build import exercises_of, is_solution, is_test, problems, read_text, stale
from autodiff_lab.grading.course import all_units, paths
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.results import ExerciseResult

ROOT = Path(__file__).resolve().parents[2]
COURSE, SOLUTIONS = ROOT / "course", ROOT / "solutions"
UNITS = all_units(COURSE)

REGION = re.compile(
    r"^[ \t]*### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)^[ \t]*### END (?:SOLUTION|HIDDEN TESTS)", re.M | re.S
)

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


def lines(text: str) -> set[str]:
    """Lines that say something: no brackets, no lone `else:`."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= 12}


def secret_and_open(source: NotebookNode) -> tuple[set[str], set[str]]:
    """Lines of solutions, hidden tests and model answers; lines of everything else."""
    secret, open_ = set(), set()
    for cell in source.cells:
        if is_solution(cell) and cell.cell_type == "markdown":
            secret |= lines(cell.source)
            continue
        for region in REGION.findall(cell.source):
            secret |= lines(region)
        open_ |= lines(REGION.sub("", cell.source))
    return secret, open_


def test_the_first_five_units_are_there() -> None:
    expected = ["00_welcome", "01_graphs", "02_local_derivatives", "03_backward_sweep", "04_fan_out"]
    assert [unit for unit in UNITS if unit in expected] == expected


@pytest.mark.parametrize("unit", UNITS)
def test_the_source_has_no_problem_and_100_points(unit: str) -> None:
    source = read_text(paths(unit, COURSE).text)
    assert problems(source) == []
    exercises = exercises_of(source)
    assert sum(exercise.points for exercise in exercises) == 100
    assert 6 <= len(exercises) <= 9
    assert {"written"} < {exercise.kind for exercise in exercises}


@pytest.mark.parametrize("unit", UNITS)
def test_every_objective_of_a_unit_has_an_exercise(unit: str) -> None:
    source = read_text(paths(unit, COURSE).text)
    objectives = source.cells[0].metadata["unit"]["objectives"]
    assert 3 <= len(objectives) <= 5
    met = {number for exercise in exercises_of(source) for number in exercise.objectives}
    assert met == set(range(1, len(objectives) + 1))


@pytest.mark.parametrize("unit", UNITS)
def test_release_and_solution_are_what_build_writes_now(unit: str) -> None:
    old = stale([unit], COURSE, SOLUTIONS)
    assert old == [], f"run: python3 -m autodiff_lab build {unit}"


@pytest.mark.parametrize("unit", UNITS)
def test_the_solved_source_runs_clean_and_prints_what_is_committed(unit: str) -> None:
    assert stale([unit], COURSE, SOLUTIONS, execute=True) == [], f"run: python3 -m autodiff_lab build {unit}"


@pytest.mark.parametrize("unit", UNITS)
def test_no_line_of_a_solution_or_hidden_test_is_in_the_release(unit: str) -> None:
    place = paths(unit, COURSE, SOLUTIONS)
    secret, open_ = secret_and_open(read_text(place.text))
    assert len(secret) > 20
    release = nbformat.read(place.release, as_version=4)
    given = set().union(*(lines(cell.source) for cell in release.cells))
    assert (secret - open_) & given == set()
    text = json.dumps(release, ensure_ascii=False)
    for mark in ("BEGIN SOLUTION", "HIDDEN TESTS", "Marking guide", '"output_type"'):
        assert mark not in text
    assert {path.name for path in place.release.parent.rglob("*.py")} == set()


@pytest.mark.parametrize("unit", UNITS)
def test_no_exercise_is_solved_by_copying_the_text_around_it(unit: str) -> None:
    source = read_text(paths(unit, COURSE).text)
    _, open_ = secret_and_open(source)
    for cell in source.cells:
        if is_solution(cell) and cell.cell_type == "code":
            own = set().union(*(lines(region) for region in REGION.findall(cell.source)))
            assert len(own) < 3 or own - open_, f"{cell.metadata.nbgrader['grade_id']}: every line is in the text"


@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_of_the_bank_gets_its_points_through_grade(unit: str, tmp_path: Path) -> None:
    """Right answers lose nothing, wrong ones lose their own exercise and nothing else, nine in ten are named."""
    bank = read_bank(unit, COURSE, SOLUTIONS)
    course = tmp_path / "course"
    shutil.copytree(paths(unit, COURSE).text.parent, course / "source" / unit, ignore=shutil.ignore_patterns("*.ipynb"))
    shutil.copyfile(COURSE / "nbgrader_config.py", course / "nbgrader_config.py")
    totals: list[float | None] = []

    def run(notebooks: Iterable[NotebookNode]) -> list[list[ExerciseResult]]:
        for number, notebook in enumerate(notebooks):
            path = course / "submitted" / f"s{number:03d}" / unit / f"{unit}.ipynb"
            path.parent.mkdir(parents=True)
            # What comes after the last test cannot change a point, and the comparison with torch there costs more time
            # than all the rest; the solved source runs it, and so does the demo.
            last = max(index for index, cell in enumerate(notebook.cells) if is_test(cell))
            for cell in notebook.cells[last + 1 :]:
                cell.source = cell.source if cell.cell_type == "markdown" else ""
            nbformat.write(notebook, path)
        results = grade([unit], course)
        totals.extend(result.score for result in results)
        return [result.exercises for result in results]

    report: BankReport = check_bank(bank, run, hidden_tests=False)
    print(f"\n{unit}\n{table(report)}")
    assert report.problems == [], "\n".join(["", *report.problems])
    assert len(report.named) >= 0.9 * len(report.wrong)
    # The first submission is the source (its written answers wait for a person), the second the untouched release.
    assert totals[0] == sum(exercise.points for exercise in bank.code_exercises)
    assert totals[1] == 0

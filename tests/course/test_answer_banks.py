"""The tests of every unit are tested: all answers of its bank, right and wrong, go through `grade`."""

import shutil
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autodiff_lab.grading.bank import BankReport, check_bank, read_bank, table
from autodiff_lab.grading.course import all_units, paths
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.results import ExerciseResult

ROOT = Path(__file__).resolve().parents[2]
COURSE, SOLUTIONS = ROOT / "course", ROOT / "solutions"
UNITS = all_units(COURSE)

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


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

"""The tests of every unit are tested by its bank: all answers in forked processes, a sample of them through `grade`.

The sample holds right and wrong answers of every kind, and each that is unusual. AUTODIFF_LAB_BANKS=all takes every
answer through `grade`, which shows that it comes out there as it does in a forked process.
"""

import functools
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autodiff_lab.grading.bank import NAMES, BankReport, Unit, check_bank, names, read_bank, sample, table
from autodiff_lab.grading.course import all_units, paths
from autodiff_lab.grading.grade import grade
from autodiff_lab.grading.results import ExerciseResult

ROOT = Path(__file__).resolve().parents[2]
COURSE, SOLUTIONS = ROOT / "course", ROOT / "solutions"
UNITS = all_units(COURSE)
EACH = 2  # answers of an exercise that go through `grade`, if none is unusual

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@functools.cache
def checked(unit: str) -> tuple[Unit, BankReport]:
    """A unit's bank, and what became of each answer in a forked process."""
    bank = read_bank(unit, COURSE, SOLUTIONS)
    return bank, check_bank(bank)


@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_of_the_bank_gets_its_points(unit: str) -> None:
    """Right answers lose nothing, wrong ones lose their own exercise and nothing else, nine in ten are named."""
    bank, report = checked(unit)
    print(f"\n{unit}\n{table(report)}")
    assert report.problems == [], "\n".join(["", *report.problems])
    assert len(report.named) >= 0.9 * len(report.wrong)
    assert {answer for answers in bank.answers.values() for answer in answers} <= {g.answer for g in report.graded}


@pytest.mark.parametrize("unit", UNITS)
def test_the_table_of_names_is_up_to_date_and_no_name_is_false(unit: str) -> None:
    table = (paths(unit, COURSE, SOLUTIONS).bank / NAMES).read_text(encoding="utf-8")
    assert table == names(checked(unit)[1]), f"python -m autodiff_lab.grading.bank {unit[:2]} writes it"
    assert all(row.split("|")[3].strip() == "-" for row in table.splitlines()[8:])


@pytest.mark.parametrize("unit", UNITS)
def test_a_sample_of_the_bank_and_all_that_is_unusual_in_it_comes_out_the_same_through_grade(
    unit: str, tmp_path: Path
) -> None:
    bank, in_forks = checked(unit)
    part = bank if os.environ.get("AUTODIFF_LAB_BANKS") == "all" else sample(bank, in_forks, EACH)
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

    report = check_bank(part, run, hidden_tests=False)
    print(f"\n{unit}\n{table(report)}")
    assert report.problems == [], "\n".join(["", *report.problems])
    expected = {graded.answer: graded.result for graded in in_forks.graded}
    different = [
        f"{graded.answer.name}: {graded.result}, in a forked process {found}"
        for graded in report.graded
        if graded.result != (found := expected[graded.answer])
    ]
    assert different == [], "\n".join(["", *different])
    # The first submission is the source (its written answers wait for a person), the second the untouched release.
    assert totals[0] == sum(exercise.points for exercise in bank.code_exercises)
    assert totals[1] == 0

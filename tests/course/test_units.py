"""Every unit of the course: well-formed, built, and without a solution in its release."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autodiff_lab.grading.build import exercises_of, is_solution, problems, read_text, stale, unnamed_tests
from autodiff_lab.grading.course import all_units, paths

from .test_glossary import prose

ROOT = Path(__file__).resolve().parents[2]
COURSE, SOLUTIONS = ROOT / "course", ROOT / "solutions"
UNITS = all_units(COURSE)

REGION = re.compile(
    r"^[ \t]*### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)^[ \t]*### END (?:SOLUTION|HIDDEN TESTS)", re.M | re.S
)


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
def test_what_a_student_sees_of_a_test_has_at_most_30_lines(unit: str) -> None:
    source = read_text(paths(unit, COURSE).text)
    seen = {
        cell.metadata.nbgrader["grade_id"]: REGION.sub("", cell.source).strip().splitlines()
        for cell in source.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    }
    assert len(seen) >= 6
    assert {name: len(lines) for name, lines in seen.items() if len(lines) > 30} == {}


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_has_at_most_4500_words_hints_apart(unit: str) -> None:
    assert 1_000 < len(re.sub(r"(?s)<details>.*?</details>", " ", prose(unit)).split()) <= 4_500


@pytest.mark.parametrize("unit", UNITS)
def test_every_test_cell_begins_with_its_name_and_its_points(unit: str) -> None:
    assert unnamed_tests([unit], COURSE) == []


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

"""Text -> source notebook, release, solution: the same bytes every time, and nothing in the release that helps."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.grading.build import (
    BuildError,
    build,
    dumps,
    from_notebook,
    problems,
    read_text,
    release_notebook,
    source_notebook,
    stale,
    text_from_notebook,
    unnamed_tests,
)
from autodiff_lab.grading.course import CourseError, paths, resolve_units

UNIT = "90_tiny"


@pytest.fixture
def text(course: Path) -> str:
    return paths(UNIT, course).text.read_text(encoding="utf-8")


def test_building_twice_writes_nothing_the_second_time(course: Path) -> None:
    first = build([UNIT], course)[0].changed
    before = {path: path.read_bytes() for path in first}
    assert len(first) == 3
    assert build([UNIT], course)[0].changed == []
    shutil.rmtree(course / "release")
    shutil.rmtree(course.parent / "solutions" / UNIT)
    build([UNIT], course)
    assert {path: path.read_bytes() for path in first} == before


def test_nbgrader_generate_assignment_gives_the_same_bytes(course: Path) -> None:
    from nbgrader.converters import GenerateAssignment

    from autodiff_lab.grading.grade import Book

    (course / "source" / UNIT / "picture.txt").write_text("students get this")
    build([UNIT], course, execute=False)
    ours = {p.name: p.read_bytes() for p in (course / "release" / UNIT).iterdir()}
    book = Book(course)
    book.coursedir.assignment_id = UNIT
    converter = GenerateAssignment(coursedir=book.coursedir, config=book.config)
    converter.force = True
    converter.start()
    assert {p.name: p.read_bytes() for p in (course / "release" / UNIT).iterdir()} == ours
    assert set(ours) == {f"{UNIT}.ipynb", "picture.txt"}


def test_a_release_holds_no_solution_no_hidden_test_and_no_output(course: Path) -> None:
    build([UNIT], course, execute=False)
    notebook = nbformat.read(paths(UNIT, course).release, as_version=4)
    everything = json.dumps(notebook)
    for secret in ("return y, (x + y) + y", "prediction = 15", "13.75", "Marking guide", "HIDDEN", "BEGIN SOLUTION"):
        assert secret not in everything
    sources = {cell.id: cell.source for cell in notebook.cells}
    assert "# YOUR CODE HERE\n    raise NotImplementedError()" in sources["90-gradients"]
    assert sources["90-explain"] == "YOUR ANSWER HERE"
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)


def test_ids_come_from_unit_and_cell_and_jupytext_leaves_nothing_behind(course: Path) -> None:
    build([UNIT], course, execute=False)
    notebook = nbformat.read(paths(UNIT, course).release, as_version=4)
    assert [cell.id for cell in notebook.cells][:5] == [
        "90-cell-01",
        "90-cell-02",
        "90-cell-03",
        "90-gradients",
        "90-test-gradients",
    ]
    assert "lines_to_next_cell" not in json.dumps(notebook)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


def test_facts_of_unit_and_exercises_are_written_into_the_notebook(course: Path) -> None:
    build([UNIT], course, execute=False)
    notebook = nbformat.read(paths(UNIT, course).release, as_version=4)
    assert "About 5 minutes · builds on [04_fan_out](../04_fan_out/04_fan_out.ipynb)" in notebook.cells[0].source
    assert "1. Add two numbers\n2. Say why" in notebook.cells[0].source
    lines = notebook.cells[2].source.splitlines()
    assert lines[0] == "### Exercise: gradients of a shared value"
    assert lines[2] == "> **✎ Your turn** · 10 minutes · difficulty 2 of 5 · importance 5 of 5 · 40 points"
    assert "1 minute · difficulty 1 of 5 · importance 2 of 5 · 40 points" in notebook.cells[5].source


def test_run_all_goes_on_past_an_untouched_exercise(course: Path) -> None:
    release = release_notebook(source_notebook(read_text(paths(UNIT, course).text), UNIT))
    tagged = {cell.id for cell in release.cells if "raises-exception" in cell.metadata.get("tags", [])}
    assert tagged == {"90-gradients", "90-test-gradients", "90-predict", "90-test-predict"}


def test_a_solution_notebook_is_solved_run_and_free_of_hidden_tests(course: Path) -> None:
    build([UNIT], course)
    notebook = nbformat.read(paths(UNIT, course).solution, as_version=4)
    everything = json.dumps(notebook)
    assert "return y, (x + y) + y" in everything
    assert "Marking guide" in everything
    assert "13.75" not in everything and "SOLUTION" not in everything and "HIDDEN" not in everything
    assert notebook.cells[-1].outputs[0].text == "2\n"
    assert "execution" not in everything.replace("execution_count", "")


def test_editing_the_built_notebook_and_going_back_loses_nothing(course: Path, text: str) -> None:
    build([UNIT], course, execute=False)
    from_notebook(UNIT, course)
    assert paths(UNIT, course).text.read_text(encoding="utf-8") == text


def test_an_edit_in_jupyterlab_changes_only_its_own_cell_in_the_text(course: Path, text: str) -> None:
    build([UNIT], course, execute=False)
    place = paths(UNIT, course)
    notebook = nbformat.read(place.source, as_version=4)
    notebook.cells[2].source += "\n\nUse plain numbers."
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="an old output\n")]
    notebook.cells.insert(2, nbformat.v4.new_markdown_cell("A new paragraph."))
    notebook.metadata["language_info"] = {"name": "python", "version": "3.12.1"}
    after = text_from_notebook(notebook, text)
    before_lines, after_lines = text.splitlines(), after.splitlines()
    assert [line for line in before_lines if line not in after_lines] == []
    added = [line for line in after_lines if line not in before_lines]
    assert added == ["# A new paragraph.", "# Use plain numbers."]
    place.text.write_text(after, encoding="utf-8")
    build([UNIT], course, execute=False)
    again = nbformat.read(place.source, as_version=4)
    assert [c.source for c in again.cells] == [c.source for c in notebook.cells]


def test_stale_names_what_build_would_change(course: Path) -> None:
    build([UNIT], course)
    place = paths(UNIT, course)
    assert stale([UNIT], course) == []
    place.text.write_text(place.text.read_text().replace("return y, (x + y) + y", "return y, x + 2 * y"))
    assert stale([UNIT], course) == [place.solution]
    place.text.write_text(place.text.read_text().replace("Return the gradient", "Give the gradient"))
    assert stale([UNIT], course) == [place.release, place.solution]
    build([UNIT], course, execute=False)
    assert stale([UNIT], course) == [place.solution]  # its changed cell has not been run


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"points": 20', '"points": 19', "the points sum to 99, not 100"),
        ('"grade_id": "predict"', '"grade_id": "gradients"', "grade_id is used twice"),
        (
            "# ### Exercise: say why",
            "# #### Exercise: say why",
            "is not a markdown cell that starts with '### Exercise: '",
        ),
        ('unit={"title"', 'unit={"titel"', "unit metadata: 'title' is missing"),
        ('"kind": "predict"', '"kind": "guess"', "exercise kind 'guess' is not one of"),
        ('"objectives": [1, 2]', '"objectives": [3]', "objective 3 is not one of the unit's 2"),
        ('"difficulty": 2, "importance": 5', '"difficulty": 9, "importance": 5', "'difficulty' is not 1 to 5"),
        ('"grade_id": "test-predict"', '"grade_id": "test-other"', "is not its test cell 'test-predict'"),
        ("### END HIDDEN TESTS", "", "a hidden region is not closed"),
        ("    ### END SOLUTION\n", "", "no '### BEGIN SOLUTION'"),
        ("check(student.get", "check(((student.get", "line 3"),
        ("# # 90 · Tiny", "# ## 90 · Tiny", "the first cell is not a markdown cell that starts with '# NN"),
    ],
)
def test_a_malformed_source_is_told_what_is_wrong(
    text: str, old: str, new: str, complaint: str, tmp_path: Path
) -> None:
    assert old in text
    path = tmp_path / "90_tiny.py"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(BuildError) as error:
        source_notebook(read_text(path), UNIT)
    assert re.search(complaint, str(error.value))


def test_a_good_source_has_no_problems(course: Path) -> None:
    assert problems(read_text(paths(UNIT, course).text)) == []


def test_a_test_cell_begins_with_what_it_tests_and_its_points(course: Path, text: str) -> None:
    place, begins = paths(UNIT, course), "from autodiff_lab.checks import check, student\n"
    told = unnamed_tests([UNIT], course)
    assert told == [
        f"{UNIT}: 2 test cells should begin like this: # Test of gradients: 40 points; # Test of predict: 40 points"
    ]
    place.text.write_text(text.replace(begins, f"# Test of it: 40 points\n{begins}"))
    assert unnamed_tests([UNIT], course) == []
    for wrong in ("# Test of it: 30 points", "# Tests it: 40 points.", "# Test of it", "# Test of : 40 points"):
        place.text.write_text(text.replace(begins, f"{wrong}\n{begins}"))
        assert unnamed_tests([UNIT], course) == told, wrong


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("1 / 0", "the solved source fails: ZeroDivisionError"),
        ("import sys; print('careful', file=sys.stderr)", "writes to stderr: careful"),
        ("print(object())", "not the same everywhere: it contains 'at 0x"),
    ],
)
def test_a_source_whose_solution_does_not_run_clean_is_not_built(course: Path, code: str, complaint: str) -> None:
    place = paths(UNIT, course)
    place.text.write_text(place.text.read_text().replace("print(math.floor(2.5))", code))
    with pytest.raises(BuildError, match=re.escape(complaint)):
        build([UNIT], course)


def test_units_are_found_by_number_part_or_full_name(course: Path) -> None:
    for name in ("90_tiny", "90", "tiny", "90_tiny/"):
        assert resolve_units([name], course) == [UNIT]
    assert resolve_units(None, course) == [UNIT]
    with pytest.raises(CourseError, match="No unit is called '17'") as error:
        resolve_units(["17"], course)
    assert "90_tiny" in error.value.hint


def test_dumps_ends_in_one_newline(course: Path) -> None:
    text = dumps(source_notebook(read_text(paths(UNIT, course).text), UNIT))
    assert text.endswith("}\n") and not text.endswith("\n\n")

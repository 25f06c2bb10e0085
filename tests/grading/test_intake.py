"""Intake: whatever is handed in becomes a notebook that matches the release, or a status in words; nothing raises."""

import copy
import json
import os
import resource
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator

from autodiff_lab.grading import handed_in
from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.build import is_solution, is_test
from autodiff_lab.grading.course import exercise_of
from autodiff_lab.grading.handed_in import Unreadable, from_data, read_bytes
from autodiff_lab.grading.intake import TakenIn, copy_helpers, take_in
from autodiff_lab.grading.matching import Release, grade_id, match, notes_in, release_of
from autodiff_lab.grading.notes import WORDS, Note, for_student, for_teacher
from autodiff_lab.grading.results import NO_SCORE

from .conftest import FIXTURES, ROOT, UNIT, make_course
from .submissions import DIRECT, HONEST, OWN_WORDS, RIGHT, ROWS, Work, hand_in, other_unit

TEXT = FIXTURES / "source" / UNIT / f"{UNIT}.py"


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[NotebookNode, NotebookNode]:
    """A solved notebook as a student has it, and the release."""
    unit = read_bank(UNIT, make_course(tmp_path_factory.mktemp("solved")))
    return compose(unit, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False), unit.release


@pytest.fixture(scope="module")
def release() -> Release:
    return release_of(TEXT, UNIT)


@pytest.fixture
def work(tmp_path: Path, solved: tuple[NotebookNode, NotebookNode]) -> Work:
    return Work(tmp_path / "handed in", copy.deepcopy(solved[0]), copy.deepcopy(solved[1]))


def assert_matches(notebook: NotebookNode, release: Release) -> None:
    """What every later step relies on."""
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    json.dumps(notebook).encode()
    found: dict[str, NotebookNode] = {}
    places: dict[str, int] = {}
    for place, cell in enumerate(notebook.cells):
        name = grade_id(cell)
        if name is None:
            assert "nbgrader" not in cell.metadata
            continue
        assert name not in found, f"{name} is there twice"
        found[name], places[name] = cell, place
    for original in release.cells:
        name = grade_id(original)
        if name is None:
            continue
        if name not in found:
            assert is_solution(original) and original.cell_type == "code", f"{name} is missing"
            continue
        cell = found[name]
        assert cell.cell_type == original.cell_type
        assert cell.id == original.id
        own = {key: value for key, value in cell.metadata.items() if key != "autodiff_lab"}
        assert own == original.metadata
        if not is_solution(original):
            assert cell.source == original.source
        answer = exercise_of(name)
        if is_test(original) and answer in places:
            assert places[name] > places[answer], f"{name} stands above its answer"


def taken(work: Work, release: Release, **options: Any) -> TakenIn:
    work.finish()
    return take_in(work.folder, release, **options)


def answer(notebook: NotebookNode | None, name: str) -> str:
    assert notebook is not None
    return next(str(cell.source) for cell in notebook.cells if grade_id(cell) == name)


@pytest.mark.parametrize("name", HONEST)
def test_what_is_handed_in_is_matched_or_has_a_status(
    name: str, tmp_path: Path, solved: tuple[NotebookNode, NotebookNode], release: Release
) -> None:
    row = ROWS[name]
    hand_in(tmp_path / name / UNIT, row, *solved)
    found = take_in(tmp_path / name / UNIT, release)
    told = {note.kind for note in found.notes}
    assert told == row.notes, (found.status, found.why, found.notes)
    if row.points is None:
        assert (found.status, found.notebook) == (row.status, None)
        assert row.why in found.why
        assert found.status in NO_SCORE
    else:
        assert found.status == "graded", found.why
        assert found.notebook is not None
        assert_matches(found.notebook, release)
        assert notes_in(found.notebook) == found.notes
        again, notes = match(from_data(found.notebook), release)
        sources = [[cell.source for cell in notebook.cells] for notebook in (found.notebook, again)]
        assert sources[0] == sources[1], "what is right already is not changed"
        assert {note.kind for note in notes} <= {"answer deleted", "moved", "updated"}, notes
    assert for_teacher(found.notes).isprintable()
    assert all(line.isprintable() for line in for_student(found.notes))


def test_an_answer_in_several_cells_is_put_together(work: Work, release: Release) -> None:
    HONEST["split-inside"].damage(work)
    text = answer(taken(work, release).notebook, "gradients")
    assert text == 'def gradients(x, y):\n    """Both."""\n    return y, x + 2 * y'


def test_a_part_that_others_need_runs_where_it_stands(work: Work, release: Release) -> None:
    HONEST["split-far-apart"].damage(work)
    notebook = taken(work, release).notebook
    assert notebook is not None
    sources = [cell.source for cell in notebook.cells]
    assert sources.index("BASE = 1") < sources.index("assert BASE == 1\nTWO = BASE + 1")
    assert answer(notebook, "gradients").startswith("BASE = 1\ndef gradients")


def test_written_answers_in_several_cells_are_all_there_for_who_marks_them(work: Work, release: Release) -> None:
    HONEST["written-in-two-cells"].damage(work)
    text = answer(taken(work, release).notebook, "explain")
    assert text == OWN_WORDS + "\n\nEach use sends its part."


@pytest.mark.parametrize(
    ("offset", "source", "kind"),
    [
        (1, OWN_WORDS, "markdown"),
        (0, OWN_WORDS, "markdown"),
        (1, OWN_WORDS, "raw"),
        (1, "It is used twice, so it is counted twice.", "code"),
    ],
    ids=["below", "above", "raw", "prose in a code cell"],
)
def test_words_in_a_new_cell_beside_the_untouched_stub_are_the_answer(
    work: Work, release: Release, offset: int, source: str, kind: str
) -> None:
    made = work.insert(work.place("explain") + offset, work.cell("explain"), source, marked=False)
    made.cell_type = kind
    if kind == "code":
        made.update(outputs=[], execution_count=None)
    found = taken(work, release)
    assert answer(found.notebook, "explain") == source
    assert Note("beside", "explain") in found.notes


def test_an_answer_in_its_own_cell_takes_no_other_with_it(work: Work, release: Release) -> None:
    work.insert(work.place("explain") + 1, work.cell("explain"), "my notes", marked=False)
    work.cell("explain").source = OWN_WORDS
    found = taken(work, release)
    assert answer(found.notebook, "explain") == OWN_WORDS
    assert found.notes == []


def test_a_written_answer_is_found_without_mark_and_id(work: Work, release: Release) -> None:
    HONEST["stripped-all-answered"].damage(work)
    found = taken(work, release)
    assert answer(found.notebook, "explain") == OWN_WORDS
    assert answer(found.notebook, "predict") == "x, y = 2, 3\nprediction = (x + y) * y"


def test_a_picture_in_a_written_answer_stays_and_nothing_else_that_is_attached(work: Work, release: Release) -> None:
    HONEST["picture-in-the-answer"].damage(work)
    notebook = taken(work, release).notebook
    assert notebook is not None
    (cell,) = [cell for cell in notebook.cells if grade_id(cell) == "explain"]
    assert cell.attachments == {"image.png": {"image/png": "iVBORw0KGgo="}}


def test_of_copies_the_last_that_was_changed_counts_and_the_others_run_as_in_jupyter(
    work: Work, release: Release
) -> None:
    HONEST["last-changed-copy"].damage(work)
    stub = next(c for c in work.release.cells if grade_id(c) == "gradients").source
    notebook = taken(work, release).notebook
    assert notebook is not None
    sources = [cell.source for cell in notebook.cells]
    assert "y + (x + y)" not in answer(notebook, "gradients") and answer(notebook, "gradients") != DIRECT
    assert sources.count(DIRECT) == 1
    assert stub not in sources, "a copy as given out would take the answer away"


def test_tests_get_their_hidden_part_and_students_do_not(release: Release, solved: Any) -> None:
    hidden = [cell for cell in release.cells if "HIDDEN TESTS" in cell.source]
    assert hidden
    notebook, _ = match(from_data(solved[0]), Release.of(solved[1], UNIT))
    assert not any("HIDDEN TESTS" in cell.source for cell in notebook.cells)


def test_what_the_unit_allows_comes_from_the_release_and_not_from_the_student(work: Work, release: Release) -> None:
    work.notebook.cells[0].metadata["unit"] = {"masks": []}
    work.notebook.cells[0].id = "another"
    work.cell("gradients").metadata["exercise"] = {"allows": ["engine", "torch"]}
    work.insert(1, work.cell("gradients"), "1", marked=False).metadata["unit"] = {"masks": []}
    notebook = taken(work, release).notebook
    assert notebook is not None
    given = release.cells[0].metadata["unit"]
    assert notebook.metadata["unit"] == given
    assert [cell.metadata["unit"] for cell in notebook.cells if "unit" in cell.metadata] == [given]
    assert_matches(notebook, release)


def test_a_given_cell_is_put_back_where_it_was(tmp_path: Path) -> None:
    """Unit 04 gives a class that its exercises use; it is locked, and no test."""
    unit = "04_fan_out"
    whole = release_of(ROOT / "course" / "source" / unit / f"{unit}.py", unit)
    notebook = nbformat.read(ROOT / "course" / "release" / unit / f"{unit}.ipynb", as_version=4)
    place = next(i for i, cell in enumerate(notebook.cells) if grade_id(cell) == "value-class")
    edited = copy.deepcopy(notebook)
    edited.cells[place].source = "class Value:\n    pass"
    del notebook.cells[place]
    for brought, kind in ((notebook, "deleted"), (edited, "edited")):
        found, notes = match(from_data(brought), whole)
        assert [cell.source for cell in found.cells] == [cell.source for cell in whole.cells]
        assert notes == [Note(kind, "value-class")]
        assert_matches(found, whole)


@pytest.mark.parametrize("unit", sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir()))
def test_every_solved_unit_is_recognised_without_any_metadata(unit: str) -> None:
    whole = release_of(ROOT / "course" / "source" / unit / f"{unit}.py", unit)
    solution = json.loads((ROOT / "solutions" / unit / f"{unit}.ipynb").read_text())
    for cell in solution["cells"]:
        cell.pop("id")
        cell["metadata"] = {}
    notebook, notes = match(from_data(solution), whole)
    assert [grade_id(cell) for cell in notebook.cells] == [grade_id(cell) for cell in whole.cells]
    assert {note.kind for note in notes} == {"reattached"}
    assert_matches(notebook, whole)


def test_a_notebook_of_another_unit_is_known_by_what_it_says(work: Work, release: Release) -> None:
    other = other_unit(work)
    four = Release.of(copy.deepcopy(other), "04_fan_out")
    for cell in other.cells:
        cell.pop("id")
        cell.metadata = nbformat.from_dict({})
    work.write(other)
    found = take_in(work.folder, release, lambda: [four])
    assert (found.status, found.why) == ("wrong unit", f"{UNIT}.ipynb is a notebook of 04_fan_out")


def test_a_unit_written_anew_keeps_its_answers(work: Work, release: Release) -> None:
    cells = [nbformat.v4.new_code_cell(RIGHT), nbformat.v4.new_code_cell("prediction = 15")]
    work.write(nbformat.v4.new_notebook(cells=cells))
    found = taken(work, release)
    assert answer(found.notebook, "gradients") == RIGHT
    assert found.notebook is not None
    assert_matches(found.notebook, release)


def test_helpers_are_ordinary_files_and_the_package_wins(work: Work, release: Release, tmp_path: Path) -> None:
    for name in ("shadows", "odd-names-beside", "link-beside", "pipe-beside", "helper"):
        HONEST[name].damage(work)
    copy_helpers(work.folder, tmp_path / "copy")
    copied = [path for path in (tmp_path / "copy").rglob("*") if path.is_file()]
    assert (tmp_path / "copy" / "my_helper.py").read_text() == "value = 15"
    assert not any(path.is_symlink() or path.suffix == ".ipynb" for path in copied)
    assert not {"numpy.py", "json.py", "autodiff_lab", "IPython", "passwd.txt", "root", "data.csv"} & {
        path.relative_to(tmp_path / "copy").parts[0] for path in copied
    }
    assert len(copied) == 7  # my_helper.py, and the files with odd names, without the hidden one


def test_a_device_is_not_read(work: Work, release: Release) -> None:
    try:
        os.mknod(work.path, 0o20666, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        pytest.skip("only root makes device files")
    work.written = True
    assert taken(work, release).status == "unreadable"


def test_a_hundred_megabytes_of_output_are_dropped_while_reading(work: Work, release: Release) -> None:
    output = nbformat.v4.new_output("stream", text="0123456789" * 1_000_000)
    work.cell("predict").outputs = [output] * 10
    work.finish()
    assert work.path.stat().st_size > 100_000_000
    script = (
        "import resource, sys; from pathlib import Path\n"
        "from autodiff_lab.grading.intake import take_in; from autodiff_lab.grading.matching import release_of\n"
        "release = release_of(Path(sys.argv[1]), sys.argv[2])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "found = take_in(Path(sys.argv[3]), release)\n"
        "print(found.status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(TEXT), UNIT, str(work.folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    status, kilobytes = run.stdout.split()
    assert status == "graded", run.stderr
    assert int(kilobytes) < 450_000


def test_nbgraders_own_command_gets_the_same_cells(course: Path, work: Work, release: Release) -> None:
    """With the unit's text file as `grade` does; without it from what the gradebook has."""
    from autodiff_lab.grading.grade import Book
    from autodiff_lab.grading.sanitize import MatchRelease

    book = Book(course)
    book.register(UNIT)
    names = {"assignment": UNIT, "notebook": UNIT, "student": "ann", "db_url": book.db_url}
    config = copy.deepcopy(book.config)
    config.CourseDirectory.root = str(course)
    for name in ("test-edited", "all-tests-deleted", "last-changed-copy"):
        HONEST[name].damage(work)
    ours, _ = match(from_data(work.notebook), release)
    theirs, _ = MatchRelease(config=config).preprocess(copy.deepcopy(work.notebook), {"nbgrader": names})
    assert theirs == ours
    (course / "source" / UNIT / f"{UNIT}.py").unlink()
    bare, _ = MatchRelease(config=config).preprocess(copy.deepcopy(work.notebook), {"nbgrader": names})
    MetadataValidator().validate_nb(bare)
    marked = {grade_id(cell): cell.source for cell in bare.cells if grade_id(cell)}
    assert marked == {grade_id(cell): cell.source for cell in ours.cells if grade_id(cell)}


def test_every_kind_of_note_has_words_and_a_row() -> None:
    used = set().union(*(row.notes for row in HONEST.values()))
    assert set(WORDS) - used <= {"unknown"}, "a kind that no row shows"
    for kind, (teacher, student) in WORDS.items():
        assert teacher.count("{}") == student.count("{}") == 1, kind


def test_many_hostile_copies_take_no_time(work: Work, release: Release) -> None:
    work.notebook.cells += [
        nbformat.v4.new_code_cell(f"%x {number}\n" * 50, metadata={"nbgrader": {"grade_id": "gradients"}})
        for number in range(4000)
    ]
    found = taken(work, release)
    assert found.notebook is not None
    assert_matches(found.notebook, release)


# ---------------------------------------------------------------- whatever the bytes are

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
KEYS = ("cells", "metadata", "nbgrader", "grade_id", "source", "cell_type", "id", "tags", "attachments", "points")


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(inner, (*path, key))
    return found


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A real notebook's JSON with a few things replaced, deleted, copied, swapped or added."""
    data = copy.deepcopy(REAL)
    for _ in range(draw(st.integers(1, 8))):
        path = draw(st.sampled_from(places(data)))
        if not path:
            continue
        parent = at(data, path[:-1])
        what = draw(st.sampled_from(["replace", "delete", "copy", "add", "cell"]))
        if what == "replace":
            parent[path[-1]] = draw(JSON)
        elif what == "delete":
            del parent[path[-1]]
        elif what == "copy":
            parent[path[-1]] = copy.deepcopy(at(data, draw(st.sampled_from(places(data)))))
        elif what == "add" and isinstance(parent, dict):
            parent[draw(st.sampled_from(KEYS))] = draw(JSON)
        elif what == "cell" and isinstance(data, dict) and isinstance(data.get("cells"), list) and data["cells"]:
            cells = data["cells"]
            cells.insert(draw(st.integers(0, len(cells))), copy.deepcopy(draw(st.sampled_from(cells))))
    return data


REAL: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def real(solved: tuple[NotebookNode, NotebookNode]) -> None:
    REAL.update(json.loads(json.dumps(solved[0])))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_no_json_makes_intake_raise(release: Release, data: st.DataObject) -> None:
    """The inner functions, so that no net around them hides anything."""
    changed = data.draw(mutated())
    try:
        handed_in = from_data(json.loads(json.dumps(changed)))
    except Unreadable as why:
        assert str(why)
        return
    notebook, notes = match(handed_in, release)
    assert_matches(notebook, release)
    assert for_teacher(notes).isprintable()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_no_bytes_make_intake_raise(release: Release, data: st.DataObject) -> None:
    text = bytearray(json.dumps(REAL).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(text)))
        text[start : start + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=20))
    try:
        handed_in = read_bytes(bytes(text))
    except Unreadable as why:
        assert str(why).isprintable()
        return
    assert_matches(match(handed_in, release)[0], release)


# ---------------------------------------------------------------- what reading may take

BULK = {
    "lists": b"[],",
    "objects": b"{},",
    "numbers": b"1.5,",
    "lists in lists": b"[[[]]],",
    "objects in objects": b'{"a":{"b":{}}},',
}


def bulky(part: bytes, size: int) -> bytes:
    return b'{"cells":[],"x":[' + part * (size // len(part)) + b"0]}"


@pytest.mark.parametrize("kind", BULK)
def test_a_file_of_many_values_is_refused_before_they_are_made(kind: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Unreadable, match=r"it holds [\d,]+ values, more than 3,000,000"):
            handed_in._read(bulky(BULK[kind], 3_100_000 * len(BULK[kind])))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 12 * 3_100_000 * len(BULK[kind]), f"{most / 1e6:.0f} MB"


def test_a_large_file_is_read_in_a_process_with_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """60 MB of empty lists would take 1.5 GB; what they take now is another process's, and not much."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Unreadable, match="values, more than"):
        read_bytes(bulky(b"[],", 60_000_000))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 200_000_000, f"this process grew by {grown / 1e6:.0f} MB"


def test_a_large_honest_file_is_read_the_same_in_a_process_of_its_own(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [*["1, 2, [3] {4}\n"] * 1_000_000, '\N{SNOWMAN} \\ "']
    work.cell("predict").outputs = [{"output_type": "stream", "name": "stdout", "text": lines}]
    data = json.dumps(work.notebook, indent=1).encode()
    assert len(data) > handed_in.LARGE
    apart = read_bytes(data)
    monkeypatch.setattr(handed_in, "LARGE", len(data))
    here = read_bytes(data)
    assert [vars(cell) for cell in apart.cells] == [vars(cell) for cell in here.cells]
    assert apart.notes == here.notes


def test_a_reader_that_is_killed_costs_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handed_in, "LARGE", 0)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(Unreadable, match="too much memory or time to read"):
        read_bytes(b"{}")

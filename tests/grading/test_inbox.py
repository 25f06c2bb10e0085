"""What lies in `submitted` and is not in a unit's folder: said, entered nowhere. And a run without anything to run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autodiff_lab.cli import main
from autodiff_lab.grading import grade as grading
from autodiff_lab.grading import pool
from autodiff_lab.grading.course import CourseError
from autodiff_lab.grading.grade import Book, grade, results
from autodiff_lab.grading.inbox import Stray, is_submitted, look, told
from autodiff_lab.grading.last import LastRun, recall, remember
from autodiff_lab.grading.results import Result, as_json

from .conftest import UNIT
from .quick import hand_in, quick

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

MOODLE = "Ann Zhou_5567812_assignsubmission_file_"


def lay(root: Path, *names: str) -> Path:
    """Make empty files with their folders, and a folder where the name ends in a slash."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.write_text("{}")
    return root


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"{MOODLE}/04_fan_out.ipynb", f"submitted/{MOODLE} holds notebooks but no unit folder"),
        (f"{MOODLE}/handed in/x.ipynb", f"submitted/{MOODLE} holds notebooks but no unit folder"),
        (f"{MOODLE}/04_fan_out.zip", f"submitted/{MOODLE} holds notebooks but no unit folder"),
        (f"{MOODLE}/essay.docx", f"submitted/{MOODLE} holds files but no unit folder"),
        ("zhouann_12345_04_fan_out.ipynb", "submitted/zhouann_12345_04_fan_out.ipynb is a notebook outside of a unit"),
        ("submissions.zip", "submitted/submissions.zip is an archive"),
        ("04_fan_out/ann/04_fan_out.ipynb", "submitted/04_fan_out is a unit where a student belongs"),
        ("ann/ann/04_fan_out/04_fan_out.ipynb", "submitted/ann/ann lies one folder too deep"),
        ("ann/04 fan out/04_fan_out.ipynb", "submitted/ann holds notebooks but no unit folder"),
        ("ann/09_trees/09_trees.ipynb", "submitted/ann holds notebooks but no unit folder"),
    ],
)
def test_what_is_not_in_a_units_folder_is_said_and_is_nobody(tmp_path: Path, name: str, said: str) -> None:
    found = look(lay(tmp_path / "submitted", name), ["04_fan_out"])
    assert found.students == {}
    (line,) = told(found.strays)
    assert line.startswith(said)


@pytest.mark.parametrize(
    "name", [".DS_Store", "__MACOSX/._x.ipynb", ".ipynb_checkpoints/a.ipynb", "ann/", "notes.txt", "04_fan_out/"]
)
def test_what_a_system_adds_and_empty_folders_are_nothing(tmp_path: Path, name: str) -> None:
    found = look(lay(tmp_path / "submitted", name), ["04_fan_out"])
    assert (found.students, found.strays) == ({}, [])


def test_a_student_with_a_unit_is_one_and_what_else_lies_there_is_said(tmp_path: Path) -> None:
    lay(tmp_path / "submitted", "ann/04_fan_out/04_fan_out.ipynb", "ann/01_graphs.ipynb", "ann/.DS_Store")
    lay(tmp_path / "submitted", "bob/04_fan_out/", "bob/old/01.ipynb", "eve/04_fan_out/deep/04.ipynb", "eve/pic.png")
    found = look(tmp_path / "submitted", ["01_graphs", "04_fan_out"])
    assert found.students == {student: ["04_fan_out"] for student in ("ann", "bob", "eve")}
    assert [stray.path for stray in found.strays] == ["submitted/ann/01_graphs.ipynb", "submitted/bob/old"]


def test_a_class_of_300_in_the_wrong_place_is_one_line() -> None:
    (line,) = told([Stray(f"submitted/{number}_assignsubmission_file_", "no unit") for number in range(300)])
    assert line.endswith("and 294 more hold notebooks but no unit folder") and len(line) < 400


def test_a_file_name_cannot_write_on_the_terminal(tmp_path: Path) -> None:
    (line,) = told(look(lay(tmp_path / "submitted", "a\x1b[2Jb\n/x.ipynb"), []).strays)
    assert line.isprintable()


def test_a_folder_without_notebook_or_file_is_not_a_submission(tmp_path: Path) -> None:
    assert not is_submitted(lay(tmp_path / "a", ".DS_Store", "timestamp.txt"))
    assert not is_submitted(tmp_path / "none")
    assert is_submitted(lay(tmp_path / "b", "essay.docx"))


# ---------------------------------------------------------------- grade


@pytest.fixture
def no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "grade_one", quick)


def students(course: Path) -> list[str]:
    with Book(course).open() as gradebook:
        return sorted(student.id for student in gradebook.students)


def test_a_moodle_download_alone_enters_nobody_and_nothing(course: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lay(course / "submitted", f"{MOODLE}/{UNIT}.ipynb")
    (course / "students.csv").write_text("id\nann\nbob\n")
    assert main(["grade", UNIT, "--course", str(course), "--trust-students"]) == 1
    err = capfd.readouterr().err
    assert f"submitted/{MOODLE} holds notebooks but no unit folder" in err and "submitted/STUDENT/UNIT" in err
    assert "Traceback" not in err
    assert not (course / "gradebook.db").exists() and not (course / "reports").exists()


def test_beside_good_submissions_the_others_are_graded_and_the_exit_code_is_not_0(
    own_course: Path, capfd: pytest.CaptureFixture[str], no_kernels: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(own_course, 2)
    lay(own_course / "submitted", f"{MOODLE}/{UNIT}.ipynb", "student0000/loose.ipynb")
    in_process(monkeypatch)
    assert main(["grade", UNIT, "--course", str(own_course), "--trust-students", "--json"]) == 1
    out, err = capfd.readouterr()
    assert {each["student"] for each in json.loads(out)["students"]} == {"student0000", "student0001"}
    assert MOODLE in err and "submitted/student0000/loose.ipynb" in err
    assert students(own_course) == ["student0000", "student0001"]


def test_a_moodle_download_is_moved_out_taken_in_and_graded(
    own_course: Path, capfd: pytest.CaptureFixture[str], no_kernels: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way that the message names."""
    in_process(monkeypatch)
    (student,) = hand_in(own_course, 1)
    (own_course / "students.csv").write_text("id,first_name,last_name\nann,Ann,Zhou\nbob,Bob,Adams\n")
    work = (own_course / "submitted" / student / UNIT / f"{UNIT}.ipynb").read_text()
    shutil.rmtree(own_course / "submitted" / student)
    lay(own_course / "submitted", f"{MOODLE}/{UNIT}.ipynb")
    (own_course / "submitted" / MOODLE / f"{UNIT}.ipynb").write_text(work)
    command = ["grade", UNIT, "--course", str(own_course), "--trust-students"]
    assert main(command) == 1 and "collect --from FOLDER" in capfd.readouterr().err
    download = own_course.parent / "download"
    download.mkdir()
    (own_course / "submitted" / MOODLE).rename(download / MOODLE)
    assert main(["collect", UNIT, "--from", str(download), "--course", str(own_course)]) == 0
    assert main([*command, "--json"]) == 0
    out = capfd.readouterr().out
    found = json.loads(out[out.index("{") :])["students"]
    assert {each["student"]: each["status"] for each in found} == {"ann": "graded", "bob": "missing"}


def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "crew", lambda work, *rest: pool.Here(work))


class Nobody(pool.Processes[Any, Any]):
    """A crew that must not be asked for anybody."""

    def _start(self, workers: int) -> Any:
        raise AssertionError("a worker was started")


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def crew(work: Any, lost: Any, workers: Any, dask: Any, warm_up: Any) -> Any:
        return Nobody(work, lost, workers or 1, warm_up)

    monkeypatch.setattr(pool, "crew", crew)


@pytest.mark.parametrize("options", [[], ["--resume"], ["--dry-run"]])
def test_no_worker_starts_for_a_class_that_submitted_nothing(
    own_course: Path,
    options: list[str],
    nobody: None,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")  # no sandbox is needed either
    (own_course / "students.csv").write_text("id,first_name,last_name\nann,Ann,Zhou\nbob,,\n")
    lay(own_course / "submitted", f"bob/{UNIT}/.DS_Store", f"eve/{UNIT}/")
    assert main(["grade", UNIT, "--course", str(own_course), "--json", *options]) == 0
    found = json.loads(capfd.readouterr().out)["students"]
    assert {each["student"]: each["status"] for each in found} == dict.fromkeys(["ann", "bob", "eve"], "missing")


def test_before_anybody_submitted_no_gradebook_is_made(
    course: Path, nobody: None, capfd: pytest.CaptureFixture[str]
) -> None:
    (course / "students.csv").write_text("id\nann\nbob\n")
    said = []
    for options in ([], ["--resume"], ["--dry-run"]):
        assert main(["grade", UNIT, "--course", str(course), "--json", *options]) == 0
        said.append(json.loads(capfd.readouterr().out)["students"])
    assert said[0] == said[1] == said[2]
    assert [(each["student"], each["status"], each["max_score"]) for each in said[0]] == [
        ("ann", "missing", 100),
        ("bob", "missing", 100),
    ]
    assert not (course / "gradebook.db").exists()
    lay(course / "submitted", f"ann/{UNIT}/{UNIT}.ipynb")
    assert recall(course, {**ASKED, "trust_students": False}, resume=True) is None


def test_no_more_workers_start_than_there_are_submissions(
    own_course: Path, no_kernels: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(own_course, 2)
    (own_course / "students.csv").write_text("id\nann\nbob\n")
    asked = []

    def crew(work: Any, lost: Any, workers: Any, *rest: Any) -> Any:
        asked.append(workers)
        return pool.Here(work)

    monkeypatch.setattr(pool, "crew", crew)
    found = grade([UNIT], own_course, workers=64, trust_students=True)
    assert (asked, len(found)) == ([2], 4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["77"], "No unit is called '77'"),
        ([UNIT, "--student", "nobody"], "Not on the roster: nobody"),
        ([UNIT, "--timeout", "0"], "--timeout"),
        ([UNIT, "--course", "/nonexistent"], "/nonexistent"),
    ],
)
def test_what_was_asked_is_checked_before_the_sandbox(
    course: Path, arguments: list[str], said: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, 1)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert main(["grade", "--course", str(course), *arguments]) != 0
    err = capfd.readouterr().err
    assert said in err and "bubblewrap" not in err
    assert not (course / "gradebook.db").exists()


# ---------------------------------------------------------------- nothing has changed


ASKED: dict[str, Any] = {"units": [UNIT], "students": None, "timeout": None, "trust_students": True}


@pytest.fixture(scope="module")
def graded(opened: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of three, graded by the command."""
    course = Path(shutil.copytree(opened.parent, tmp_path_factory.mktemp("graded") / "class")) / "course"
    hand_in(course, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "grade_one", quick)
        in_process(patch)
        assert main(["grade", UNIT, "--course", str(course), "--trust-students"]) == 0
    return course


def test_where_nothing_was_touched_the_gradebook_is_not_opened(
    graded: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = as_json(results([UNIT], graded))
    monkeypatch.delattr(grading.Book, "__init__")
    assert main(["grade", UNIT, "--course", str(graded), "--trust-students", "--json", "--resume"]) == 0
    assert json.loads(capfd.readouterr().out) == before
    audit = (graded / "reports" / "audit.jsonl").read_text().splitlines()
    assert json.loads(audit[-1])["event"] == "nothing has changed"


def test_without_resume_what_was_submitted_runs_again_and_other_options_are_another_run(graded: Path) -> None:
    assert recall(graded, ASKED, resume=True) is not None
    assert recall(graded, ASKED, resume=False) is None
    for other in ({"units": None}, {"students": ["student0000"]}, {"timeout": 3}, {"trust_students": False}):
        assert recall(graded, {**ASKED, **other}, resume=True) is None


def mark_by_hand(course: Path) -> None:
    with Book(course).open() as gradebook:
        mark = gradebook.find_grade("explain", UNIT, UNIT, "student0000")
        mark.manual_score = 3.0
        gradebook.db.commit()


def same_size_other_content(course: Path) -> None:
    path = course / "submitted" / "student0002" / UNIT / f"{UNIT}.ipynb"
    times = path.stat().st_mtime_ns
    path.write_text(path.read_text().replace("NotImplementedError", "NotImplementedWrong"))
    os.utime(path, ns=(times, times))


@pytest.mark.parametrize(
    "touch",
    [
        mark_by_hand,
        same_size_other_content,
        lambda course: (course / "students.csv").write_text("id\nnew\n"),
        lambda course: lay(course / "submitted", f"new/{UNIT}/{UNIT}.ipynb"),
        lambda course: (course / "submitted" / "student0001" / UNIT / "timestamp.txt").unlink(),
        lambda course: (course / "nbgrader_config.py").open("a").write("\n"),
        lambda course: (course / "autograded" / "student0000" / UNIT / f"{UNIT}.ipynb").unlink(),
        lambda course: (course / "source" / UNIT / f"{UNIT}.py").open("a").write("\n# a comment\n"),
    ],
    ids=["a mark", "content", "roster", "someone new", "a time", "settings", "a graded notebook", "tests"],
)
def test_whatever_was_touched_is_seen(graded: Path, tmp_path: Path, touch: Any) -> None:
    course = Path(shutil.copytree(graded, tmp_path / "course"))
    run = recall(graded, ASKED, resume=True)
    assert run is not None
    remember(course, ASKED, Book(course).watched(), run)
    assert recall(course, ASKED, resume=True) == run
    touch(course)
    assert recall(course, ASKED, resume=True) is None


def test_a_run_that_is_not_to_be_relied_on_is_not_remembered(graded: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(graded, tmp_path / "course"))
    run = recall(graded, ASKED, resume=True)
    assert run is not None
    watched = Book(course).watched()
    failed = LastRun([*run.results, Result("eve", UNIT, "not graded", None, 100)], {}, [])
    for found, files in ((run, []), (failed, watched)):
        remember(course, ASKED, watched, run)
        remember(course, ASKED, files, found)
        assert recall(course, ASKED, resume=True) is None
    here, top = Path.cwd(), course / "submitted" / "student0000" / UNIT
    try:
        os.chdir(top)
        for _ in range(1_200):  # deeper than Python calls itself
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)
    remember(course, ASKED, watched, run)
    assert recall(course, ASKED, resume=True) == run
    subprocess.run(["rm", "-r", str(top / "d")], check=True)
    assert recall(course, ASKED, resume=True) is None
    remember(course, ASKED, watched, run)
    assert (course / "reports" / ".last_run.json").stat().st_mode & 0o77 == 0
    for torn in ('{"asked": ', "[]", '{"asked": {}}', "\x00"):
        (course / "reports" / ".last_run.json").write_text(torn)
        assert recall(course, ASKED, resume=True) is None


def test_the_table_has_names_beside_the_ids(own_course: Path, nobody: None, capfd: pytest.CaptureFixture[str]) -> None:
    (own_course / "students.csv").write_text("id,first_name,last_name\nann,Ann,[bold]Zhou\nbob,,\n")
    assert main(["grade", UNIT, "--course", str(own_course)]) == 0
    out = capfd.readouterr().out
    assert "[bold]Zhou, Ann" in out and out.splitlines()[1].split()[:3] == ["student", "name", "unit"]
    (own_course / "students.csv").write_text("id\nann\nbob\n")
    with Book(own_course).open() as gradebook:
        gradebook.update_or_create_student("ann", first_name=None, last_name=None)
    assert main(["grade", UNIT, "--course", str(own_course)]) == 0
    assert "name" not in capfd.readouterr().out


def test_looking_at_a_folder_imports_nothing_of_nbgrader() -> None:

    code = "import autodiff_lab.grading.last, autodiff_lab.grading.inbox, autodiff_lab.tell_class, sys\n"
    code += "print(sorted({'nbgrader', 'nbformat', 'traitlets', 'sqlalchemy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_a_course_error_names_what_lies_elsewhere(course: Path) -> None:
    lay(course / "submitted", "whole class.zip")
    with pytest.raises(CourseError, match=r"whole class\.zip is an archive"):
        grade(None, course)

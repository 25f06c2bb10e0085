"""A student's id is the name of one folder: what cannot be one is left out where it enters, and stops nobody else."""

import csv
import os
import stat
from pathlib import Path

import pytest

from autodiff_lab.grading.course import ID_BYTES, fault_of_id
from autodiff_lab.grading.export import export
from autodiff_lab.grading.grade import Book
from autodiff_lab.grading.report import report

from .conftest import UNIT
from .quick import hand_in, run

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

FAULTY = {
    "": "empty",
    "  ": "empty",
    ".": "dot",
    "..": "dot",
    ".hidden": "dot",
    "../../../../up": "has a /",
    "a/b": "has a /",
    "/etc/passwd": "has a /",
    "a\\b": "has a /",
    "a\nb": "line break",
    "a\0b": "control",
    "\x1b[31mred": "control",
    "a\N{LINE SEPARATOR}b": "line break",
    "ann\N{RIGHT-TO-LEFT OVERRIDE}txt": "control",
    "\udcff\udcfe": "not UTF-8",
    "x" * (ID_BYTES + 1): "201 bytes, more than 200",
    "李" * 67: "201 bytes",
}
FINE = (
    "ann",
    "o'brien d'arc",
    "李娜 (2)",
    "Ümit & Søn",
    "a.b",
    "-rf",
    "[x]*?",
    "x" * ID_BYTES,
    "علی\N{ZERO WIDTH NON-JOINER}رضا",
)


@pytest.mark.parametrize("name", FAULTY, ids=ascii)
def test_what_is_not_the_name_of_one_folder_is_no_id(name: str) -> None:
    assert FAULTY[name] in (fault_of_id(name) or "it was taken for an id")


@pytest.mark.parametrize("name", FINE, ids=ascii)
def test_names_that_people_have_are_ids(name: str) -> None:
    assert fault_of_id(name) is None


def test_a_faulty_row_or_folder_or_gradebook_entry_is_named_and_the_others_are_graded(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(course, 2)
    long = "y" * 250
    for name in ("a\nb", long, "..txt"):
        folder = course / "submitted" / name / UNIT
        folder.mkdir(parents=True)
        (folder / f"{UNIT}.ipynb").write_text("{}")
    (course / "students.csv").write_text(
        "id,first_name\nann,Ann\n../../../../up,Uma\n,Nobody\n,\n"
        f'bo,"Bo\nin two lines"\n{"z" * 300},Zoe\nann,Another\na/b,Abe\n'
    )
    with Book(course).open() as gradebook:
        gradebook.add_student("../../in_the_book")
    found = run(course)
    assert sorted(result.student for result in found) == ["ann", "bo", "student0000", "student0001"]
    told = capsys.readouterr().err
    for words in (
        "students.csv, line 3: '../../../../up' cannot be a student's id",
        "students.csv, line 4: the row has no id",
        "students.csv, line 8: 'zzzz",
        "students.csv: the id 'ann' stands in lines 2 and 9; the first counts",
        "students.csv, line 10: 'a/b' cannot be",
        "the folder submitted: 'a\N{REPLACEMENT CHARACTER}b' cannot be",
        "the folder submitted: 'yyyy",
        "the gradebook: '../../in_the_book' cannot be",
    ):
        assert words in told
        assert told.count(words) == 1, f"said more than once: {words}"
    assert not list(course.parent.rglob("up*")), "something was written outside of the course"
    run(course, resume=True)
    report([UNIT], course)
    with export(course).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["student_id"], row["first_name"]) for row in rows if row["student_id"] in ("ann", "bo")] == [
        ("ann", "Ann"),
        ("bo", "Bo\nin two lines"),
    ]
    assert {row["student_id"] for row in rows} == {"ann", "bo", "student0000", "student0001"}


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_nobody_else_on_the_machine_can_read_the_course_and_that_it_was_open_is_said_once(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(course, 1)
    (course / "students.csv").write_text("id\nann\n")
    for path in (course / "source", course / "submitted", course / "students.csv"):
        path.chmod(path.stat().st_mode | 0o005)
    old = os.umask(0)
    try:
        run(course)
        report([UNIT], course)
    finally:
        os.umask(old)
    places = ["source", "submitted", "autograded", "feedback", "reports", "gradebook.db", "students.csv"]
    modes = {name: stat.S_IMODE((course / name).stat().st_mode) for name in places}
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o007} == {}
    assert all(mode & 0o600 == 0o600 for mode in modes.values())
    told = capsys.readouterr().err
    opened = [line for line in told.splitlines() if "everyone on this machine could read" in line]
    assert len(opened) == 1 and all(name in opened[0] for name in ("source", "submitted", "students.csv"))
    run(course, resume=True)
    assert "everyone on this machine" not in capsys.readouterr().err


def test_with_no_faulty_id_nothing_is_said(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(course, 1)
    (course / "students.csv").write_text("id,first_name\nann,Ann\n\n")
    (course / "submitted" / ".DS_Store").mkdir()
    assert {result.student for result in run(course)} == {"ann", "student0000"}
    assert "Warning" not in capsys.readouterr().err


# ------------------------------------------------------------ how the file was written


SAVED = {
    "UTF-8": ("utf-8", ",", "\n", ""),
    "UTF-8 with its mark, CRLF": ("utf-8-sig", ",", "\r\n", ""),
    "cp1252, semicolons": ("cp1252", ";", "\r\n", ""),
    "cp1252, commas": ("cp1252", ",", "\n", ""),
    "UTF-16 with its mark, tabs": ("utf-16", "\t", "\r\n", ""),
    "UTF-16 big-endian without its mark": ("utf-16-be", ";", "\n", ""),
    "UTF-16 little-endian without its mark": ("utf-16-le", ",", "\r\n", ""),
    "tabs": ("utf-8", "\t", "\n", ""),
    "Excel's own line": ("cp1252", ";", "\r\n", "sep=;"),
    "an empty line first": ("utf-8", ";", "\n", " "),
    "carriage returns": ("utf-8", ",", "\r", ""),
}


@pytest.mark.parametrize("how", SAVED)
def test_a_roster_is_read_however_a_spreadsheet_has_saved_it(tmp_path: Path, how: str) -> None:
    encoding, divided, end, above = SAVED[how]
    rows = [["ID", "last_name", "first_name"], ["ümit", "Søn", "Ümit"], ["bo", f'"Berg{divided} von"', "Bo"]]
    lines = [*([above] if above else []), *(divided.join(row) for row in rows)]
    (tmp_path / "students.csv").write_bytes(end.join([*lines, ""]).encode(encoding))
    book = object.__new__(Book)  # no gradebook: only the file is read
    book.course, book._warned = tmp_path, set()
    people = [(person["id"], person["first_name"], person["last_name"]) for person in book.read_roster_file()]
    assert people == [("ümit", "Ümit", "Søn"), ("bo", "Bo", f"Berg{divided} von")]
    with (tmp_path / "students.csv").open("ab") as file:
        file.write(end.join(["a/b", ""]).encode(encoding.removesuffix("-sig") if encoding != "utf-16" else "utf-16-le"))
    assert len(book.read_roster_file()) == 2
    assert f"line {len(lines) + 1}: 'a/b' cannot be" in " ".join(book._warned), "the line is that of the file"

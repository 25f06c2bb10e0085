"""From what students uploaded or submitted into `submitted`, and feedback pages back: nothing is guessed."""

import os
import shutil
import zipfile
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.cli import main
from autodiff_lab.grading.build import build
from autodiff_lab.grading.collect import (
    collect_exchange,
    collect_uploads,
    exchange_of,
    lay_out_pages,
    open_exchange,
    release_pages,
)
from autodiff_lab.grading.course import CourseError
from autodiff_lab.grading.grade import Book
from autodiff_lab.tell import tell_collection

from .conftest import UNIT, make_course

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

ROSTER = """id,first_name,last_name,email,lms_user_id
dara.o'neill,Dara,O'Neill,dara@example.org,71
li_na,娜,李,,72
sam,Sam,Berg,,73
sam-1,Sam,Berg,,74
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a release and a gradebook, to copy."""
    made = make_course(tmp_path_factory.mktemp("built"))
    build([UNIT], made, execute=False)
    with Book(made).open():
        pass
    return made


@pytest.fixture
def course(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "course")
    (tmp_path / "course" / "students.csv").write_text(ROSTER, encoding="utf-8")
    return tmp_path / "course"


def notebook(course: Path, text: str = "") -> bytes:
    """The unit as given out, with `text` in a cell of the student's own."""
    given = nbformat.read(course / "release" / UNIT / f"{UNIT}.ipynb", as_version=4)
    given.cells.append(nbformat.v4.new_code_cell(text, id="mine"))
    return nbformat.writes(given).encode()


def uploads(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def zipped(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / "uploads.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return folder / "uploads.zip"


def stands(course: Path, student: str) -> bytes:
    return (course / "submitted" / student / UNIT / f"{UNIT}.ipynb").read_bytes()


NAMES = {
    # as hand-in names it, and what browsers and learning-management systems make of that
    f"{UNIT}_dara.o'neill.ipynb": "dara.o'neill",
    f"{UNIT}_dara.o'neill (1).ipynb": "dara.o'neill",
    f"{UNIT}_li_na.ipynb": "li_na",
    f"{UNIT}_li_na-2.ipynb": "li_na",
    f"{UNIT}_li_na-Copy1.ipynb": "li_na",
    f"{UNIT}_sam-1.ipynb": "sam-1",
    f"Unit 4_sam_attempt_2026-03-01-18-00-00_{UNIT}_sam.ipynb": "sam",
    f"download/sam/{UNIT}/{UNIT}.ipynb": "sam",
    f"sam/{UNIT}.ipynb": "sam",
    # Moodle: who uploaded it counts, under whatever name
    f"Dara O'Neill_5567812_assignsubmission_file_/{UNIT}_dara.o'neill.ipynb": "dara.o'neill",
    f"Dara O'Neill_5567812_assignsubmission_file_/{UNIT}.ipynb": "dara.o'neill",
    "Dara O'Neill_5567812_assignsubmission_file_/my answers.ipynb": "dara.o'neill",
    f"Dara O'Neill_5567812_assignsubmission_file_/{UNIT}_sam.ipynb": "dara.o'neill",
    f"李 娜_5567813_assignsubmission_file_{UNIT}.ipynb": "li_na",
    f"Sam Berg_73_assignsubmission_file_/{UNIT}.ipynb": "sam",
    # Canvas: by its number of the user
    f"oneilldara_71_90210_{UNIT}_sam.ipynb": "dara.o'neill",
    f"lina_LATE_72_90211_{UNIT}-1.ipynb": "li_na",
}


def test_a_name_leads_to_the_student_who_uploaded_it(course: Path, tmp_path: Path) -> None:
    for number, (name, student) in enumerate(NAMES.items()):
        content = notebook(course, f"# {number}")
        place = (zipped if number % 3 else uploads)(tmp_path / f"{number}", {name: content})
        collection = collect_uploads(place, course)
        assert [(taken.student, taken.unit) for taken in collection.taken] == [(student, UNIT)], (name, collection)
        assert collection.left == [] and stands(course, student) == content


LEFT = {
    f"{UNIT}.ipynb": "nothing says whose it is",
    "my answers.ipynb": "nothing says whose it is",
    f"{UNIT}_nobody.ipynb": "'nobody' is not on the roster",
    f"{UNIT}_.ipynb": "nothing says whose it is",
    f"Sam Berg_9_assignsubmission_file_/{UNIT}.ipynb": "nothing says whose it is",  # two of that name
    f"{UNIT}_sam-3-4.ipynb": "'sam-3' is not on the roster",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_fits_nobody_stays_where_it_is_and_is_named(
    course: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = uploads(tmp_path / "uploads", {name: notebook(course)})
    collection = collect_uploads(place, course)
    assert collection.taken == [] and LEFT[name] in collection.left[0][1]
    assert not (course / "submitted").exists()
    assert main(["collect", "--from", str(place), "--course", str(course)]) == 1
    assert "Left where it is" in capsys.readouterr().out


def test_a_notebook_of_nothing_and_what_is_no_notebook_are_told_apart(course: Path, tmp_path: Path) -> None:
    place = uploads(
        tmp_path / "uploads",
        {
            "diary_sam.ipynb": nbformat.writes(nbformat.v4.new_notebook()).encode(),
            "essay.pdf": b"%PDF",
            f"{UNIT}_sam.new-version.ipynb": notebook(course),
            f"{UNIT}_li_na.ipynb": b"{ broken",
        },
    )
    collection = collect_uploads(place, course)
    assert [(taken.student, taken.what) for taken in collection.taken] == [("li_na", "new")], "grade says unreadable"
    assert collection.left == [("diary_sam.ipynb", "it is a notebook of no unit")]


def test_two_notebooks_of_one_student_are_nobodys_choice(course: Path, tmp_path: Path) -> None:
    one, two = notebook(course, "1"), notebook(course, "2")
    place = uploads(tmp_path / "uploads", {f"{UNIT}_sam.ipynb": one, f"{UNIT}_sam (1).ipynb": two})
    collection = collect_uploads(place, course)
    assert collection.taken == [] and "remove all but one" in collection.left[0][1]
    (place / f"{UNIT}_sam (1).ipynb").write_bytes(one)
    assert [taken.student for taken in collect_uploads(place, course).taken] == ["sam"], "twice the same is one"


def test_collecting_again_replaces_what_is_older_and_its_time(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = notebook(course, "1"), notebook(course, "2")
    place = uploads(tmp_path / "uploads", {f"{UNIT}_sam.ipynb": first, f"{UNIT}_li_na.ipynb": first})
    assert {taken.what for taken in collect_uploads(place, course).taken} == {"new"}
    stamp = course / "submitted" / "sam" / UNIT / "timestamp.txt"
    stamp.write_text("2026-01-01 00:00:00 UTC")
    (place / f"{UNIT}_sam.ipynb").write_bytes(second)
    collection = collect_uploads(place, course)
    assert {taken.student: taken.what for taken in collection.taken} == {"sam": "newer", "li_na": "unchanged"}
    assert stands(course, "sam") == second and not stamp.exists(), "a time of the older one says nothing of this"
    tell_collection(collection)
    assert f"{UNIT}: 1 newer, 1 unchanged" in capsys.readouterr().out


def test_without_a_roster_the_name_of_the_file_is_believed_as_far_as_it_can_be_an_id(
    course: Path, tmp_path: Path
) -> None:
    (course / "students.csv").unlink()
    content = notebook(course)
    place = zipped(tmp_path / "uploads", {f"{UNIT}_kim (2).ipynb": content, f"{UNIT}_.hidden.ipynb": content})
    collection = collect_uploads(place, course)
    assert [taken.student for taken in collection.taken] == ["kim"]
    assert "cannot be a student's id" in collection.left[0][1]


def test_links_pipes_and_paths_out_of_the_download_are_not_followed(course: Path, tmp_path: Path) -> None:
    place = tmp_path / "uploads"
    place.mkdir()
    (place / f"{UNIT}_sam.ipynb").symlink_to(course / "source" / UNIT / f"{UNIT}.py")
    (place / "li_na").symlink_to(course / "release")
    os.mkfifo(place / f"{UNIT}_li_na.ipynb")
    assert collect_uploads(place, course).taken == []
    archive = zipped(tmp_path / "zip", {f"../{UNIT}_sam.ipynb": notebook(course)})
    with zipfile.ZipFile(archive, "a") as file:
        link = zipfile.ZipInfo(f"{UNIT}_li_na.ipynb")
        link.external_attr = 0o120777 << 16
        file.writestr(link, str(course / "students.csv"))
    assert collect_uploads(archive, course).taken == []
    assert not (course / "submitted").exists()


@pytest.mark.parametrize("kind", ["missing", "text"])
def test_what_is_neither_folder_nor_zip_is_a_clear_line(course: Path, tmp_path: Path, kind: str) -> None:
    place = tmp_path / "uploads.zip"
    if kind == "text":
        place.write_text("not a zip")
    with pytest.raises(CourseError, match="neither a folder nor a zip"):
        collect_uploads(place, course)


def test_pages_go_back_under_the_names_of_the_download(course: Path, tmp_path: Path) -> None:
    moodle = "Dara O'Neill_5567812_assignsubmission_file_"
    content = notebook(course)
    collect_uploads(uploads(tmp_path / "up", {f"{moodle}/a.ipynb": content, f"{UNIT}_sam.ipynb": content}), course)
    pages = []
    for student in ("dara.o'neill", "sam"):
        page = course / "feedback" / student / UNIT / f"{UNIT}.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"<p>{student}</p>")
        pages.append(page)
    made = lay_out_pages(pages, tmp_path / "back", course)
    names = [path.relative_to(tmp_path / "back").as_posix() for path in made]
    assert names == [f"{moodle}/{UNIT}_dara.o'neill.html", f"{UNIT}_sam.html"]
    assert [path.read_text() for path in made] == ["<p>dara.o'neill</p>", "<p>sam</p>"]


# ------------------------------------------------------------ the shared exchange


def share(course: Path, root: Path) -> None:
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace('str(COURSE / "exchange")', repr(str(root)), 1))
    root.mkdir(exist_ok=True)


def submit(root: Path, student: str, time: str, content: bytes, secret: str = "s") -> Path:
    folder = root / "autodiff_lab" / "inbound" / f"{student}+{UNIT}+{time}+x"
    folder.mkdir()
    (folder / f"{UNIT}.ipynb").write_bytes(content)
    (folder / "timestamp.txt").write_text(time)
    (folder / "submission_secret.txt").write_text(secret)
    return folder


def test_a_course_without_a_shared_exchange_says_how_to_collect(course: Path) -> None:
    assert exchange_of(course) is None and open_exchange(course, [UNIT]) is None
    with pytest.raises(CourseError, match="no shared exchange") as told:
        collect_exchange(course)
    assert "--from" in told.value.hint


def test_the_newest_submission_of_each_is_collected_and_its_page_goes_back_to_its_secret(
    course: Path, tmp_path: Path
) -> None:
    root = tmp_path / "shared"
    share(course, root)
    assert exchange_of(course) == (root, "autodiff_lab")
    assert open_exchange(course, [UNIT]) == root
    assert (root / "autodiff_lab" / "outbound" / UNIT / f"{UNIT}.ipynb").is_file()
    submit(root, "sam", "2026-01-01 10:00:00.0 UTC", notebook(course, "1"))
    submit(root, "sam", "2026-01-02 10:00:00.0 UTC", notebook(course, "2"))
    sly = submit(root, "li_na", "2026-01-02 10:00:00.0 UTC", notebook(course))
    (sly / "stolen.py").symlink_to(course / "source" / UNIT / f"{UNIT}.py")
    collection = collect_exchange(course, [UNIT])
    assert {taken.student: taken.what for taken in collection.taken} == {"li_na": "new", "sam": "new"}
    assert stands(course, "sam") == notebook(course, "2")
    assert not (course / "submitted" / "li_na" / UNIT / "stolen.py").exists()
    assert collect_exchange(course, [UNIT]).taken == []
    submit(root, "sam", "2026-01-03 10:00:00.0 UTC", notebook(course, "3"), "t")
    assert [(taken.student, taken.what) for taken in collect_exchange(course).taken] == [("sam", "newer")]
    assert stands(course, "sam") == notebook(course, "3")

    page = course / "feedback" / "sam" / UNIT / f"{UNIT}.html"
    page.parent.mkdir(parents=True)
    page.write_text("<p>well done</p>")
    for name in ("timestamp.txt", "submission_secret.txt"):
        (page.parent / name).write_bytes((course / "submitted" / "sam" / UNIT / name).read_bytes())
    assert release_pages([page], course) == 1
    (released,) = (root / "autodiff_lab" / "feedback").iterdir()
    assert released.read_text() == "<p>well done</p>"


def test_nbgraders_own_commands_run_in_the_course_without_an_active_environment(
    course: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    Book(course).import_roster()
    assert main(["nbgrader", "--course", str(course), "db", "student", "list"]) == 0
    assert "li_na (李, 娜)" in capfd.readouterr().out

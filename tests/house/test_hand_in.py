"""`hand-in`: one file to upload, or a submission where a class shares an exchange; and Validate, which is `check`."""

import json
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.cli import main
from autodiff_lab.hand_in import hand_in
from autodiff_lab.tell import tell_hand_in, tell_progress
from autodiff_lab.validate import validate
from autodiff_lab.workspace import Exchange, Workspace
from tests.house.conftest import answer


@pytest.fixture
def place(tmp_path: Path, release: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", release)
    workspace.prepare()
    return workspace


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs: every exercise is as it was given out."""
    monkeypatch.setattr("autodiff_lab.selfcheck._run", lambda *_: None)


def test_a_unit_becomes_one_file_to_upload_under_a_name_that_collect_knows(
    place: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(place.notebook("00_first"), "total", "def total(x, y):\n    return (x + y) * y")
    place.notebook("00_first").rename(place.root / "00_first" / "00 first (1).ipynb")
    (place.root / "00_first" / "mine.py").write_text("secret = 1")
    done = hand_in(place, "00_first", "dara.o'neill")
    assert done.file == place.root / "hand-in" / "00_first_dara.o'neill.ipynb"
    assert done.file.read_bytes() == place.notebook("00_first").read_bytes(), "what is uploaded is what was written"
    tell_hand_in(place, done)
    told = capsys.readouterr().out
    assert "00_first: 60 of 100 points by the tests, 1 of 2 exercises are open" in told
    assert "Nothing is sent by this. Upload this file" in told and f"  {done.file}\n" in told
    assert "mine.py lies beside the notebook and is not in the file" in told
    assert "--student" not in told, "who has told the id is not asked again"

    tell_progress(place, place.units())
    assert "to upload:" in capsys.readouterr().out
    answer(place.notebook("00_first"), "total", "def total(x, y):\n    return 0")
    tell_progress(place, place.units())
    assert "changed since hand-in" in " ".join(capsys.readouterr().out.split())


def test_who_has_told_no_id_is_told_under_which_name_it_goes_and_how_to_change_it(
    place: Workspace, no_kernel: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "jovyan")
    done = hand_in(place, "00_first")
    assert done.file.name == "00_first_jovyan.ipynb"
    tell_hand_in(place, done)
    assert "hand-in 00 --student ID" in capsys.readouterr().out
    assert hand_in(place, "00_first", " dara ").file.name == "00_first_dara.ipynb"
    assert hand_in(place, "00_first").file.name == "00_first_dara.ipynb", "it is remembered"


@pytest.mark.parametrize("name", ["", "a/b", "..\\up", ".hidden", "x" * 201, "a\nb"])
def test_what_cannot_be_an_id_is_refused_before_anything_is_written(
    place: Workspace, no_kernel: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("autodiff_lab.workspace.release_folder", lambda: place.release)
    assert main(["hand-in", "00", "--student", name, "--workspace", str(place.root)]) == 1
    assert "cannot be a student's id" in capfd.readouterr().err
    assert not (place.root / "hand-in").exists() and not place.knows_student()


def test_what_cannot_be_read_is_not_handed_in(
    place: Workspace, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autodiff_lab.workspace.release_folder", lambda: place.release)
    place.notebook("00_first").write_text("{")
    assert main(["hand-in", "00", "--workspace", str(place.root)]) == 1
    assert "cannot be read as a notebook" in capfd.readouterr().err
    assert not (place.root / "hand-in").exists()


def test_a_shared_exchange_gets_the_submission_with_its_secret_and_the_time(
    place: Workspace, no_kernel: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = tmp_path / "shared" / "autodiff_lab"
    for unit in place.units():
        (course / "outbound" / unit).mkdir(parents=True)
    (course / "inbound").mkdir()
    place.use_exchange(Exchange.at(tmp_path / "shared"))
    place.student = "dara"
    done = hand_in(place, "00_first")
    assert (done.file, done.exchange) == (None, Exchange(tmp_path / "shared"))
    (submission,) = (course / "inbound").iterdir()
    assert submission.name.startswith("dara+00_first+2")
    assert {path.name for path in submission.iterdir()} >= {"00_first.ipynb", "timestamp.txt", "submission_secret.txt"}
    tell_hand_in(place, done)
    assert "Submitted to" in capsys.readouterr().out
    assert len(place.submitted("00_first")) == 1
    assert not (place.root / "hand-in").exists()


def test_an_exchange_that_is_gone_takes_nothing_and_says_so(
    place: Workspace,
    no_kernel: None,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autodiff_lab.workspace.release_folder", lambda: place.release)
    place.use_exchange(Exchange(tmp_path / "gone"))
    assert main(["hand-in", "00", "--workspace", str(place.root)]) == 1
    told = capfd.readouterr().err
    assert "nothing can be submitted" in told and "lab --exchange FOLDER" in told
    (tmp_path / "gone" / "autodiff_lab" / "inbound").mkdir(parents=True)
    assert main(["hand-in", "00", "--workspace", str(place.root)]) == 1
    assert "could not be submitted" in capfd.readouterr().err, "a unit that is not released there"


# ------------------------------------------------------------ Validate


def copied(place: Workspace) -> None:
    """Copy an answer cell and a test cell of the first unit, as people do."""
    path = place.notebook("00_first")
    notebook = nbformat.read(path, as_version=4)
    for index in (3, 2):
        again = nbformat.from_dict(notebook.cells[index])
        again["id"] = f"copied-{index}"
        notebook.cells.insert(index + 1, again)
    nbformat.write(notebook, path)


def test_validate_says_what_check_says_and_a_copied_cell_is_a_line(place: Workspace) -> None:
    answer(place.notebook("00_first"), "total", "def total(x, y):\n    return x + y * y")
    copied(place)
    told = validate(place, "00_first/00_first.ipynb")
    assert told["success"], told
    total, plus = told["value"]["failed"]
    assert (total["source"], plus["source"]) == ("total of two numbers", "plus of two numbers")
    assert "the multiplication is done before the" in total["error"] and "not started" in plus["error"]
    assert "Note: the answer total is there twice" in plus["raw_error"] and "Traceback" not in json.dumps(told)
    assert "\x1b" not in json.dumps(told)

    answer_all(place)
    told = validate(place, "00_first/00_first.ipynb")
    assert told["success"] and list(told["value"]) == ["changed"]
    assert "test-total is there twice; it is run once. All tests pass." in json.dumps(told)


def answer_all(place: Workspace) -> None:
    """Right answers, in every copy of an answer cell."""
    path = place.notebook("00_first")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = {
            "total": "def total(x, y):\n    return (x + y) * y",
            "plus": "def plus(x, y):\n    return x + y",
        }.get(name, cell.source)
    nbformat.write(notebook, path)


def test_validate_says_of_other_notebooks_that_they_are_none_of_the_course(place: Workspace) -> None:
    (place.root / "mine.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook()))
    (place.root / "broken.ipynb").write_text("{")
    for name in ("mine.ipynb", "broken.ipynb", "missing.ipynb"):
        assert validate(place, name) == {"success": False, "value": f"{name} is not a notebook of this course."}
    with pytest.raises(Exception, match="403"):
        validate(place, "../../etc/passwd")


def test_validate_of_a_copy_is_about_the_copy_and_not_remembered(place: Workspace, no_kernel: None) -> None:
    copy = place.root / "00_first" / "00_first-Copy1.ipynb"
    copy.write_bytes(place.notebook("00_first").read_bytes())
    assert validate(place, "00_first/00_first-Copy1.ipynb")["success"]
    assert place.remembered("00_first") is None

"""`lab` never writes over what a student changed, whatever happened to the release, the folder or its own notes."""

import json
import os
from pathlib import Path

import pytest

from autodiff_lab.errors import UserError
from autodiff_lab.workspace import EXCHANGE, Exchange, Workspace, default_workspace, ensure_home
from tests.house.conftest import answer, write_unit


@pytest.fixture
def place(tmp_path: Path, release: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", release)
    workspace.prepare()
    return workspace


def changes(place: Workspace) -> list[tuple[str, str]]:
    return [(change.what, change.path.relative_to(place.root).as_posix()) for change in place.prepare()]


def test_an_empty_folder_gets_every_unit(tmp_path: Path, release: Path) -> None:
    (release / "00_first" / "data.csv").write_text("1,2\n")
    place = Workspace(tmp_path / "new" / "folder", release)
    assert changes(place) == [
        ("new", "00_first/00_first.ipynb"),
        ("new", "00_first/data.csv"),
        ("new", "01_second/01_second.ipynb"),
    ]
    assert place.units() == ["00_first", "01_second"]
    assert place.notebook("00_first").read_bytes() == (release / "00_first" / "00_first.ipynb").read_bytes()
    assert changes(place) == []


def test_edits_stay_when_the_release_stays(place: Workspace) -> None:
    answer(place.notebook("00_first"), "total", "def total(x, y): return 1")
    before = place.notebook("00_first").read_bytes()
    assert changes(place) == []
    assert place.notebook("00_first").read_bytes() == before


def test_an_unedited_unit_follows_the_release(place: Workspace, release: Path) -> None:
    write_unit(release, "00_first", "Better")
    assert changes(place) == [("updated", "00_first/00_first.ipynb")]
    assert b"Better" in place.notebook("00_first").read_bytes()


def test_a_unit_that_was_only_opened_and_run_follows_the_release(place: Workspace, release: Path) -> None:
    path = place.notebook("00_first")
    notebook = json.loads(path.read_text())
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.11"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = 1, [{"output_type": "stream", "name": "stdout", "text": "hello"}]
    path.write_text(json.dumps(notebook))
    assert not place.edited("00_first")
    assert changes(place) == []
    write_unit(release, "00_first", "Better")
    assert changes(place) == [("updated", "00_first/00_first.ipynb")]


@pytest.mark.parametrize("where", [0, 1, 2, 3])
def test_a_change_in_any_cell_is_an_edit(place: Workspace, where: int) -> None:
    path = place.notebook("00_first")
    notebook = json.loads(path.read_text())
    notebook["cells"][where]["source"] = ["a word of mine"]
    path.write_text(json.dumps(notebook))
    assert place.edited("00_first")


def test_a_deleted_cell_and_a_moved_cell_are_edits(place: Workspace) -> None:
    path = place.notebook("00_first")
    original = json.loads(path.read_text())
    for cells in (original["cells"][:-1], original["cells"][::-1]):
        path.write_text(json.dumps({**original, "cells": cells}))
        assert place.edited("00_first")


def test_a_new_release_goes_beside_an_edited_unit_once(place: Workspace, release: Path) -> None:
    mine = place.notebook("00_first")
    answer(mine, "total", "def total(x, y): return 1")
    before = mine.read_bytes()
    write_unit(release, "00_first", "Better")
    beside = mine.with_name("00_first.new-version.ipynb")
    assert changes(place) == [("beside", "00_first/00_first.new-version.ipynb")]
    assert (mine.read_bytes(), b"Better" in beside.read_bytes()) == (before, True)
    assert changes(place) == []
    beside.unlink()
    assert changes(place) == [], "who removes it does not get it again"
    write_unit(release, "00_first", "Best")
    assert changes(place) == [("beside", "00_first/00_first.new-version.ipynb")]
    write_unit(release, "00_first", "Best of all")
    assert changes(place) == [("beside", "00_first/00_first.new-version.ipynb")], "the one nobody touched is replaced"
    beside.write_text("my notes")
    write_unit(release, "00_first", "Last")
    assert changes(place) == [("beside", "00_first/00_first.new-version-2.ipynb")]
    assert (mine.read_bytes(), beside.read_text()) == (before, "my notes")


@pytest.mark.parametrize("notes", [None, "", "[]", "{broken"])
def test_edits_stay_when_our_own_notes_are_lost(place: Workspace, release: Path, notes: str | None) -> None:
    answer(place.notebook("00_first"), "total", "def total(x, y): return 1")
    before = place.notebook("00_first").read_bytes()
    manifest = place.state / "manifest.json"
    manifest.unlink() if notes is None else manifest.write_text(notes)
    write_unit(release, "00_first", "Better")
    place.prepare()
    assert place.notebook("00_first").read_bytes() == before


def test_a_notebook_that_was_moved_away_comes_back_fresh(place: Workspace, release: Path) -> None:
    place.notebook("00_first").rename(place.root / "old.ipynb")
    assert changes(place) == [("new", "00_first/00_first.ipynb")]


def test_a_half_written_copy_does_not_count(place: Workspace, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_unit(release, "00_first", "Better")
    before = place.notebook("00_first").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(UserError, match="No space left on device"):
        place.prepare()
    monkeypatch.undo()
    assert place.notebook("00_first").read_bytes() == before
    assert not list(place.root.rglob("*.part"))


def test_the_unit_last_worked_on_is_the_one_that_was_changed_last(place: Workspace) -> None:
    assert place.current_unit() == "00_first"
    answer(place.notebook("01_second"), "plus", "def plus(x, y): return x + y")
    assert place.current_unit() == "01_second"
    answer(place.notebook("00_first"), "plus", "def plus(x, y): return x + y")
    later = place.notebook("01_second").stat().st_mtime + 5
    os.utime(place.notebook("00_first"), (later, later))
    assert place.current_unit() == "00_first"


RENAMED = [
    "00_first/00 first (1).ipynb",
    "00_first/my work.ipynb",
    "00_first/00_first-Copy1.ipynb",
    "00 first/00_first.ipynb",
    "00_first (1)/00_first.ipynb",
    "00 first.ipynb",
]


@pytest.mark.parametrize("name", RENAMED)
def test_a_renamed_notebook_is_still_the_unit_and_gets_no_fresh_copy_beside_it(place: Workspace, name: str) -> None:
    mine = place.root / name
    answer(place.notebook("00_first"), "total", "def total(x, y): return 1")
    mine.parent.mkdir(exist_ok=True)
    place.notebook("00_first").rename(mine)
    assert place.units() == ["00_first", "01_second"]
    assert (place.notebook("00_first"), place.edited("00_first")) == (mine, True)
    assert place.current_unit() == "00_first"
    assert changes(place) == []
    place.remember("00_first", {"score": 60})
    assert place.remembered("00_first") == ({"score": 60}, True)


def test_a_new_release_goes_beside_a_renamed_notebook_or_into_it_if_it_is_unchanged(
    place: Workspace, release: Path
) -> None:
    renamed = place.notebook("00_first").rename(place.root / "00_first" / "first.ipynb")
    write_unit(release, "00_first", "Better")
    assert changes(place) == [("updated", "00_first/first.ipynb")]
    answer(renamed, "total", "def total(x, y): return 1")
    write_unit(release, "00_first", "Best")
    assert changes(place) == [("beside", "00_first/first.new-version.ipynb")]
    assert place.notebook("00_first") == renamed


def test_of_two_names_the_one_that_was_given_out_counts_then_the_one_saved_last(place: Workspace) -> None:
    exact = place.notebook("00_first")
    old, new = exact.with_name("a.ipynb"), exact.with_name("b.ipynb")
    for path, time in ((new, 2_000), (old, 1_000)):
        path.write_bytes(exact.read_bytes())
        os.utime(path, (time, time))
    assert place.notebook("00_first") == exact
    exact.unlink()
    assert place.notebook("00_first") == new


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', '{"cells": [3, {}]}', '{"cells": []}', "\xff"])
def test_what_is_no_notebook_of_a_unit_is_none_under_any_name(place: Workspace, text: str) -> None:
    place.notebook("00_first").unlink()
    (place.root / "00_first" / "00 first.ipynb").write_text(text, encoding="latin-1")
    assert place.units() == ["01_second"]
    assert changes(place) == [("new", "00_first/00_first.ipynb")]


# ------------------------------------------------------------ where to submit


def exchange(folder: Path, course: str = "autodiff_lab") -> Path:
    (folder / course / "inbound").mkdir(parents=True)
    return folder


def page(place: Workspace) -> dict[str, bool]:
    place.prepare()
    return json.loads((place.jupyter / "labconfig" / "page_config.json").read_text())["disabledExtensions"]


def test_without_a_shared_exchange_nothing_offers_to_submit(place: Workspace) -> None:
    assert place.exchange is None
    assert {"@jupyter/nbgrader:assignment-list", "@jupyter/nbgrader:menu"} <= page(place).keys()
    assert "c.Exchange.root" not in (place.jupyter / "nbgrader_config.py").read_text()
    assert not list(place.root.rglob("inbound"))


def test_a_named_exchange_is_remembered_and_its_button_is_there(place: Workspace, tmp_path: Path) -> None:
    place.use_exchange(Exchange.at(exchange(tmp_path / "shared")))
    again = Workspace(place.root, place.release)
    assert again.exchange == Exchange(tmp_path / "shared")
    assert "@jupyter/nbgrader:assignment-list" not in page(again)
    assert repr(str(tmp_path / "shared")) in (place.jupyter / "nbgrader_config.py").read_text()


def test_the_exchange_of_the_course_comes_with_its_release(place: Workspace, tmp_path: Path) -> None:
    shared = Exchange(exchange(tmp_path / "shared", "calculus"), "calculus")
    (place.release.parent / EXCHANGE).write_text(shared.text())
    assert place.exchange == shared
    assert "@jupyter/nbgrader:assignment-list" not in page(place)
    assert "course_id = 'calculus'" in (place.jupyter / "nbgrader_config.py").read_text()
    (shared.inbound).rmdir()
    assert "@jupyter/nbgrader:assignment-list" in page(place), "nothing can be submitted where there is no inbound"


@pytest.mark.parametrize("courses", [[], ["a", "b"]])
def test_a_folder_that_is_not_one_courses_exchange_is_refused(tmp_path: Path, courses: list[str]) -> None:
    for course in courses:
        exchange(tmp_path, course)
    with pytest.raises(UserError, match=r"no course|several courses take submissions in .*: a, b") as told:
        Exchange.at(tmp_path)
    assert "instructor" in told.value.hint


def test_an_exchange_of_another_name_is_found(tmp_path: Path) -> None:
    assert Exchange.at(exchange(tmp_path, "calculus")) == Exchange(tmp_path, "calculus")
    exchange(tmp_path)
    assert Exchange.at(tmp_path) == Exchange(tmp_path), "of several the one with our name"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"root": 3, "course_id": "x"}', '{"root": "/x"}'])
def test_a_damaged_note_of_the_exchange_is_none(place: Workspace, text: str) -> None:
    (place.state / EXCHANGE).write_text(text)
    assert place.exchange is None


# ------------------------------------------------------------ users and homes


@pytest.mark.parametrize("error", [KeyError, OSError, ImportError])
def test_a_user_id_without_a_name_has_a_name_all_the_same(
    place: Workspace, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def nobody() -> str:
        raise error("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert place.student == f"user{os.getuid()}"
    place.prepare()
    assert f"student_id = 'user{os.getuid()}'" in (place.jupyter / "nbgrader_config.py").read_text()
    place.student = "dara.o'neill"
    assert Workspace(place.root, place.release).student == "dara.o'neill"


def test_without_a_home_that_can_be_written_jupyter_gets_one_in_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTODIFF_LAB_WORKSPACE", str(tmp_path / "w"))
    monkeypatch.setenv("HOME", str(tmp_path))
    ensure_home()
    assert os.environ["HOME"] == str(tmp_path), "a home that works is left alone"
    monkeypatch.setenv("HOME", "/proc/self")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    ensure_home()
    assert os.environ["HOME"] == str(tmp_path / "w" / ".autodiff_lab" / "home")
    assert (tmp_path / "w" / ".autodiff_lab" / "home").is_dir()


def test_a_user_without_any_home_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    monkeypatch.setenv("AUTODIFF_LAB_WORKSPACE", str(tmp_path / "w"))
    monkeypatch.setenv("HOME", "")
    ensure_home()
    assert Path(os.environ["HOME"]).is_dir()
    monkeypatch.delenv("AUTODIFF_LAB_WORKSPACE")
    monkeypatch.setattr("autodiff_lab.workspace.in_checkout", lambda: False)
    monkeypatch.chdir(tmp_path)
    assert default_workspace() == tmp_path / "autodiff-lab"


def test_what_was_checked_is_remembered_until_the_notebook_changes(place: Workspace) -> None:
    place.remember("00_first", {"score": 60})
    assert place.remembered("00_first") == ({"score": 60}, True)
    answer(place.notebook("00_first"), "total", "def total(x, y): return 1")
    assert place.remembered("00_first") == ({"score": 60}, False)
    assert place.remembered("01_second") is None


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path, release: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match="cannot write in"):
        Workspace(tmp_path / "file", release).prepare()
    assert (tmp_path / "file").read_text() == "mine"


def test_settings_for_jupyter_are_plain_and_complete(place: Workspace) -> None:
    page = json.loads((place.jupyter / "labconfig" / "page_config.json").read_text())
    assert page["disabledExtensions"]["@jupyter/nbgrader:formgrader"] is True
    config = (place.jupyter / "nbgrader_config.py").read_text()
    compile(config, "nbgrader_config.py", "exec")
    assert repr(str(place.root)) in config

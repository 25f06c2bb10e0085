"""`lab` never writes over what a student changed, whatever happened to the release, the folder or its own notes."""

import json
import os
from pathlib import Path

import pytest

from autodiff_lab.errors import UserError
from autodiff_lab.workspace import Workspace
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


def test_the_exchange_offers_what_is_given_out_and_nothing_else(place: Workspace, release: Path) -> None:
    outbound = place.exchange / "autodiff_lab" / "outbound"
    (outbound / "99_gone").mkdir()
    write_unit(release, "00_first", "Better")
    place.prepare()
    assert sorted(path.name for path in outbound.iterdir()) == ["00_first", "01_second"]
    assert b"Better" in (outbound / "00_first" / "00_first.ipynb").read_bytes()
    assert os.access(place.exchange / "autodiff_lab" / "inbound", os.W_OK)


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
    assert repr(str(place.exchange)) in config

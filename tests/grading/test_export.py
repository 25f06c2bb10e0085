"""Exports: every format is quoted, has no 0 for what is not graded, and no formula; Canvas's and Moodle's columns."""

import csv
from pathlib import Path
from typing import Any

import pytest

from autodiff_lab.errors import UserError
from autodiff_lab.grading.export import FORMATS, CanvasExport, MoodleExport, QuotedCsv, export, harmless

from .conftest import UNIT, ByHand, error, make_course

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

FORMULA = '=HYPERLINK("https://e.org";"marks")'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ByHand:
    """ann is marked, bob waits for a person, cem handed in rubbish, dee nothing, eve is untouched: 80, 80, -, -, 0."""
    made = ByHand(make_course(tmp_path_factory.mktemp("class")))
    quoted = FORMULA.replace('"', '""')
    (made.course / "students.csv").write_text(
        "id,first_name,last_name,email,lms_user_id\n"
        'ann,Ann,"Zhou, Jr.",ann@example.org,1234\n'
        f'bob,"{quoted}",Bo,bob@example.org,u0042\n'
        'cem,"Cem ""C""",,,77\ndee,@SUM(A1),+1,dee@example.org,\neve,Eve,Ng,eve@example.org,78\n',
        encoding="utf-8",
    )
    made.book.import_roster()
    made.hand_in("ann")
    made.hand_in("bob", {"explain": "Because it is used twice."})
    from autodiff_lab.grading.grade import Executed
    from autodiff_lab.grading.results import UNREADABLE

    made.book.submission("cem", UNIT).folder.mkdir(parents=True)
    made.book.record(Executed(made.book.submission("cem", UNIT), None, UNREADABLE, "=cmd|' /C calc'!A0"))
    failed = {f"test-{name}": [error("no")] for name in ("gradients", "predict")}
    made.hand_in("eve", {"gradients": "raise NotImplementedError()", "predict": "pass"}, failed)
    return made


def table(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_canvas_has_its_columns_its_line_of_points_and_its_ways_to_match(made: ByHand, tmp_path: Path) -> None:
    rows = table(export(made.course, tmp_path / "canvas.csv", "canvas"))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", UNIT]
    assert rows[1] == ["    Points Possible", "", "", "", "", "100.0"]
    by_login = {row[3]: row for row in rows[2:]}
    assert by_login["ann@example.org"] == ["Zhou, Jr., Ann", "1234", "", "ann@example.org", "", "80.0"]
    assert by_login["bob@example.org"][1:3] == ["", "u0042"]
    assert by_login["cem"][:2] == ['Cem "C"', "77"]
    assert len(rows) == 7 and {len(row) for row in rows} == {6}


def test_moodle_has_its_columns_and_a_dash_where_there_is_no_grade(made: ByHand, tmp_path: Path) -> None:
    rows = table(export(made.course, tmp_path / "moodle.csv", "moodle"))
    assert rows[0] == ["First name", "Last name", "ID number", "Email address", UNIT]
    marks = {row[3] or row[2]: row[4] for row in rows[1:]}
    assert marks == {
        "ann@example.org": "80.0",
        "bob@example.org": "-",
        "77": "-",
        "dee@example.org": "-",
        "eve@example.org": "0.0",
    }


@pytest.mark.parametrize("format", FORMATS)
def test_not_graded_is_never_0_and_an_earned_0_is_one(made: ByHand, tmp_path: Path, format: str) -> None:
    text = export(made.course, tmp_path / "marks.csv", format).read_text(encoding="utf-8")
    scores = {}
    for line in csv.reader(text.splitlines()):
        for student in ("ann", "bob", "cem", "dee", "eve"):
            if any(cell in (student, f"{student}@example.org") or (student == "cem" and cell == "77") for cell in line):
                scores[student] = line[9] if format == "csv" else line[-1]
    empty = "-" if format == "moodle" else ""
    assert (scores["ann"], scores["cem"], scores["dee"], scores["eve"]) == ("80.0", empty, empty, "0.0")
    assert scores["bob"] == ("80.0" if format == "csv" else empty)


@pytest.mark.parametrize("format", FORMATS)
def test_no_cell_is_a_formula(made: ByHand, tmp_path: Path, format: str) -> None:
    rows = table(export(made.course, tmp_path / "marks.csv", format))
    cells = [cell for row in rows for cell in row if cell != "-"]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@"))]
    assert any(FORMULA in cell for cell in cells) and any("@SUM(A1)" in cell for cell in cells)


def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe() -> None:
    texts = ["=1+1", "  =1", "+1", "-1", "@x", "\tx", "＝1", "a=b", "", "ann@example.org"]
    assert harmless(texts) == ["'=1+1", "'  =1", "'+1", "'-1", "'@x", "'\tx", "'＝1", "a=b", "", "ann@example.org"]
    assert harmless([-1.5, 0, None]) == [-1.5, 0, None]


def test_the_report_as_csv_has_no_formula_either(made: ByHand, tmp_path: Path) -> None:
    from autodiff_lab.grading.report import report

    page, _ = report([UNIT], made.course, tmp_path)
    cells = [cell for row in table(page.with_suffix(".csv")) for cell in row]
    assert "'=cmd|' /C calc'!A0" in cells and f"'{FORMULA}" in cells


def test_units_have_other_names_over_there_and_partial_marks_when_it_is_asked_for(made: ByHand, tmp_path: Path) -> None:
    with made.book.open() as gradebook:
        for kind, name, empty in ((CanvasExport, "Fan-out (99)", ""), (MoodleExport, "Fan-out", "-")):
            plugin = kind(columns={UNIT: name}, partial=True)
            rows = list(plugin.rows(gradebook, made.book))
            assert rows[0][-1] == name
            assert sorted(map(str, (row[-1] for row in rows[-5:]))) == sorted([empty, empty, "0.0", "80.0", "80.0"])


def test_only_what_was_asked_for_is_exported(made: ByHand) -> None:
    with made.book.open() as gradebook:
        assert len(list(QuotedCsv(student=["ann"]).rows(gradebook, made.book))) == 2
        assert len(list(QuotedCsv(assignment=["another"]).rows(gradebook, made.book))) == 1
        assert len(list(CanvasExport(student=["ann"]).rows(gradebook, made.book))) == 3


def test_nbgraders_own_export_takes_the_plugins_by_name(made: ByHand, monkeypatch: Any) -> None:
    from nbgrader.apps import ExportApp

    monkeypatch.chdir(made.course)
    app = ExportApp()
    app.log_level = "ERROR"
    app.initialize(["--exporter", "autodiff_lab.grading.export.MoodleExport"])
    app.start()
    app.reset()
    ExportApp.clear_instance()
    assert table(made.course / "grades_moodle.csv")[0][:2] == ["First name", "Last name"]


def test_an_unknown_format_is_told_in_a_line(made: ByHand) -> None:
    with pytest.raises(UserError, match="no format 'excel'"):
        export(made.course, None, "excel")

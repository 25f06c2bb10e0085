"""How far something is, told where there is no terminal."""

import pytest

from autodiff_lab.grading.progress import bar


def said(capsys: pytest.CaptureFixture[str], *steps: tuple[str, int, int]) -> list[str]:
    with bar("Grading") as progress:
        for step in steps:
            progress(*step)
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_each_tenth_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, *((f"student{number}", number, 120) for number in range(1, 121)))
    assert lines == ["Grading …", *(f"Grading: {12 * tenth} of 120" for tenth in range(1, 11)), "Grading: done"]


@pytest.mark.parametrize(("total", "counts"), [(1, [1]), (3, [1, 2, 3]), (15, [2, 3, 5, 6, 8, 9, 11, 12, 14, 15])])
def test_a_small_class_has_at_most_ten_lines(capsys: pytest.CaptureFixture[str], total: int, counts: list[int]) -> None:
    lines = said(capsys, *(("", done, total) for done in range(total + 1)))
    assert lines[1:-1] == [f"Grading: {count} of {total}" for count in counts]


def test_a_step_without_a_count_is_a_line_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, ("building", 0, 0), ("building", 0, 0), ("ann 04", 0, 40), ("ann 04", 1, 40), ("report", 0, 0))
    assert lines == ["Grading …", "Grading: building …", "Grading: report …", "Grading: done"]


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with bar("Grading", quiet=True) as progress:
        progress("ann", 1, 1)
    assert capsys.readouterr() == ("", "")

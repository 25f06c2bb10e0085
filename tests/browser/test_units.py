"""The released units in a real JupyterLab: what a student sees untouched, after a wrong answer, and after a right one.

Set AUTODIFF_LAB_PICTURES to a folder to get a picture of every unit, light and dark.
"""

import json
import os
from pathlib import Path

import pytest

from autodiff_lab.grading.bank import Answer, read_bank
from autodiff_lab.units import catalogue

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "course" / "release"
UNITS = sorted(path.name for path in RELEASE.iterdir() if (path / f"{path.name}.ipynb").is_file())
WRONG = """def gradients(x, y):
    return y, x + y
"""
RIGHT = """def gradients(x, y):
    return y, (x + y) + y
"""


def cells(unit: str) -> list[dict]:
    return json.loads((RELEASE / unit / f"{unit}.ipynb").read_text(encoding="utf-8"))["cells"]


def place(unit: str, grade_id: str) -> int:
    """The index of the cell with this nbgrader id."""
    return next(i for i, c in enumerate(cells(unit)) if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def keep_picture(page, name: str) -> None:
    folder = os.environ.get("AUTODIFF_LAB_PICTURES")
    if folder:
        for theme in ("light", "dark"):
            page.theme(theme)
            page.screenshot(Path(folder) / f"{name}-{theme}.png", full=True)


def first_exercises(unit: str) -> list[tuple[str, Answer, str]]:
    """The first exercise, and the first one that is programmed: a wrong answer that has a name, and the right one."""
    bank = read_bank(unit, ROOT / "course", ROOT / "solutions")
    sources = {c.metadata.nbgrader["grade_id"]: c.source for c in bank.source.cells if "nbgrader" in c.metadata}
    first = [bank.code_exercises[0], next(e for e in bank.code_exercises if e.kind == "implement")]
    return [
        (e.id, next(a for a in bank.answers[e.id] if a.expected in catalogue() and not a.keeps), sources[e.id])
        for e in first
    ]


def answer_and_test(page, unit: str, exercise: str, code: str) -> str:
    """What the test says once the answer cell holds `code`."""
    page.set_source(place(unit, exercise), code)
    page.run(place(unit, exercise))
    page.run(place(unit, f"test-{exercise}"))
    return page.output(place(unit, f"test-{exercise}")).inner_text()


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_runs_to_its_end_untouched_and_takes_a_wrong_and_a_right_answer(lab, notebook, unit):
    lab.copy(RELEASE / unit, f"untouched/{unit}")
    page = notebook(f"untouched/{unit}/{unit}.ipynb")
    page.run_all()
    page.page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")
    keep_picture(page, unit)
    for index, cell in enumerate(cells(unit)):
        about = cell["metadata"].get("nbgrader", {})
        text = page.output(index).inner_text() if cell["cell_type"] == "code" else ""
        if about.get("grade"):
            assert cell["cell_type"] == "markdown" or "not started yet" in text, f"{about['grade_id']} says: {text}"
        elif not about.get("solution"):
            assert "Traceback" not in text, f"cell {index} of {unit} breaks in an untouched notebook: {text}"
    for exercise, wrong, right in first_exercises(unit):
        told = answer_and_test(page, unit, exercise, wrong.code)
        assert f"[{wrong.expected}]" in told and "Read: unit" in told and "Traceback" not in told, told
        assert "Passed" in answer_and_test(page, unit, exercise, right), exercise
    assert page.errors == []


def test_a_wrong_answer_is_named_a_right_one_passes_and_a_slider_moves_by_keyboard(lab, notebook):
    unit = "04_fan_out"
    lab.copy(RELEASE / unit, f"student/{unit}")
    page = notebook(f"student/{unit}/{unit}.ipynb")
    page.run_all()
    answer, test = place(unit, "gradients"), place(unit, "test-gradients")
    assert "not started yet" in page.output(test).inner_text()

    page.set_source(answer, WRONG)
    page.run(answer)
    page.run(test)
    told = page.output(test).inner_text()
    assert "[fan-out-direct-path-only]" in told and "expected" in told and "Read: unit 04" in told
    assert "Traceback" not in told
    keep_picture(page, "wrong-answer")

    page.set_source(answer, RIGHT)
    page.run(answer)
    page.run(test)
    assert page.output(test).inner_text().startswith("Passed: ")
    assert page.output(test).locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0

    slider = page.page.locator(".jp-Notebook input[type=range]").first
    view = page.page.locator(".jp-Notebook .jp-Cell-outputArea", has=page.page.locator("input[type=range]")).first
    before, numbers = slider.input_value(), view.inner_text()
    slider.focus()
    for _ in range(5):
        page.page.keyboard.press("ArrowRight")
    page.page.wait_for_function(
        "([view, before]) => view.innerText !== before", arg=[view.element_handle(), numbers], timeout=20_000
    )
    assert float(slider.input_value()) > float(before)
    assert page.errors == []


def test_the_validate_button_of_nbgrader_reports_what_is_open_and_what_passes(lab, notebook):
    unit = "04_fan_out"
    lab.copy(RELEASE / unit, f"validate/{unit}")
    page = notebook(f"validate/{unit}/{unit}.ipynb")
    page.set_source(place(unit, "gradients"), RIGHT)
    page.save()
    page.page.get_by_role("button", name="Validate").first.click()
    dialog = page.page.locator(".jp-Dialog")
    dialog.wait_for(timeout=120_000)
    page.page.wait_for_function(
        "() => /failed|passes/i.test(document.querySelector('.jp-Dialog')?.innerText ?? '')", timeout=180_000
    )
    told = dialog.inner_text()
    keep_picture(page, "validate")
    assert "not started yet" in told
    assert "student.gradients" not in told, "a test that passes must not be listed as failing"

"""A cell has so much processor time: a busy machine and a sleeping cell are not an endless loop."""

import nbformat
import pytest

from autodiff_lab.grading.execute import ExecuteInOneKernel

CELLS = {
    "sleeps": "import time\nfor _ in range(6):\n    time.sleep(0.5)\nprint('awake')",
    "loops": "while True:\n    pass",
    "waits": "import threading\nthreading.Event().wait()",
    "fine": "print('fine')",
}


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """What each cell said, in one kernel, with two seconds of processor time for a cell."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS.values()])
    ExecuteInOneKernel(timeout=2, waiting=3).preprocess(notebook, {})
    return {
        name: "".join(output.get("text", output.get("evalue", "")) for output in cell.outputs)
        for name, cell in zip(CELLS, notebook.cells, strict=True)
    }


def test_a_cell_that_sleeps_longer_than_its_time_and_computes_little_is_let_go_on(told: dict[str, str]) -> None:
    assert told["sleeps"] == "awake\n"


def test_an_endless_loop_is_told_as_one(told: dict[str, str]) -> None:
    assert "2 seconds of computing. Is there an endless loop?" in told["loops"]


def test_a_cell_that_waits_for_ever_is_told_so_and_not_of_a_loop(told: dict[str, str]) -> None:
    assert "still waiting after 6 seconds" in told["waits"] and "loop" not in told["waits"]


def test_the_cells_after_them_run(told: dict[str, str]) -> None:
    assert told["fine"] == "fine\n"

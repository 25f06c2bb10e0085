"""A tiny course for tests of the grader: three exercises, 100 points, a bank of right and wrong answers."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = Path(__file__).parent / "fixtures"
UNIT = "90_tiny"


def make_course(folder: Path) -> Path:
    """A course folder with the tiny unit in it, and its answer bank beside; nothing is built."""
    shutil.copytree(FIXTURES / "source", folder / "course" / "source", ignore=shutil.ignore_patterns("*.ipynb"))
    shutil.copytree(FIXTURES / "solutions", folder / "solutions")
    shutil.copyfile(ROOT / "course" / "nbgrader_config.py", folder / "course" / "nbgrader_config.py")
    return folder / "course"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A fresh tiny course for one test."""
    return make_course(tmp_path)


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny course with an empty gradebook, which takes long to make: copy it."""
    from autodiff_lab.grading.grade import Book

    course = make_course(tmp_path_factory.mktemp("opened"))
    Book(course).register(UNIT)
    return course


@pytest.fixture
def own_course(opened: Path, tmp_path: Path) -> Path:
    """A fresh tiny course with an empty gradebook, for one test."""
    return Path(shutil.copytree(opened.parent, tmp_path / "class")) / "course"


@dataclass
class ByHand:
    """A course whose gradebook and graded notebooks are written without running anything: pages read nothing else."""

    course: Path
    unit: Any = None
    book: Any = None

    def __post_init__(self) -> None:
        from autodiff_lab.grading.bank import read_bank
        from autodiff_lab.grading.grade import Book

        self.unit = read_bank(UNIT, self.course)
        self.book = Book(self.course)
        self.book.register(UNIT)

    def hand_in(
        self,
        student: str,
        answers: dict[str, str] | None = None,
        outputs: dict[str, list[dict[str, Any]]] | None = None,
        notes: dict[str, dict[str, Any]] | None = None,
        change: Callable[[Any], None] | None = None,
        note: str = "",
    ) -> Any:
        """Record a submission: sources and outputs of cells by grade_id, and what grading noted about them."""
        import nbformat

        from autodiff_lab.grading.bank import SOURCE, compose
        from autodiff_lab.grading.course import NOTES
        from autodiff_lab.grading.grade import Executed
        from autodiff_lab.grading.results import is_all_untouched, overall, read_exercises

        notebook = compose(self.unit, {"gradients": SOURCE, "predict": SOURCE})
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            cell.source = (answers or {}).get(name, cell.source)
            cell.metadata.update({NOTES: (notes or {})[name]} if name in (notes or {}) else {})
            if cell.cell_type == "code":
                cell.outputs = [nbformat.from_dict(output) for output in (outputs or {}).get(name, [])]
        if change is not None:
            change(notebook)
        exercises = read_exercises(notebook)
        submission = self.book.submission(student, UNIT)
        submission.folder.mkdir(parents=True, exist_ok=True)
        status = overall(exercises, is_all_untouched(notebook))
        return self.book.record(Executed(submission, notebook, status, note, exercises))


def error(message: str, name: str = "WrongAnswer", traceback: list[str] | None = None) -> dict[str, Any]:
    """An error output of a cell."""
    return {"output_type": "error", "ename": name, "evalue": message, "traceback": traceback or [message]}


def printed(text: str) -> dict[str, Any]:
    """What a cell printed, as an output."""
    return {"output_type": "stream", "name": "stdout", "text": text}


def shown(**data: str) -> dict[str, Any]:
    """A displayed output: shown(text_html="<b>…") for the kind text/html."""
    kinds = {"image_svg": "image/svg+xml", "application_widget": "application/vnd.jupyter.widget-view+json"}
    data = {kinds.get(key, key.replace("_", "/", 1)): value for key, value in data.items()}
    return {"output_type": "display_data", "data": data, "metadata": {}}

"""A tiny course for tests of the grader: three exercises, 100 points, a bank of right and wrong answers."""

import shutil
from pathlib import Path

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

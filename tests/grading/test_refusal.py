"""Where there is no sandbox `grade` runs nothing, writes no mark, and says the way out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autodiff_lab.grading.bank import SOURCE, compose, read_bank

from .conftest import ROOT, UNIT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="about bubblewrap")

TELLS = "import os; open({told!r}, 'w').write('ran'); prediction = 15"


@pytest.fixture
def handed_in(course: Path) -> Path:
    """A course with one submission, which tells when it is run."""
    notebook = compose(read_bank(UNIT, course), {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "predict":
            cell.source = TELLS.format(told=str(course.parent / "told"))
    place = course / "submitted" / "ann" / UNIT
    place.mkdir(parents=True)
    (place / f"{UNIT}.ipynb").write_text(json.dumps(notebook))
    return course


def run_grade(course: Path, bwrap: str | None, *options: str) -> subprocess.CompletedProcess[str]:
    """`grade` where bubblewrap is a script that says this and fails; None: where there is none."""
    programs = course.parent / "bin"
    programs.mkdir(exist_ok=True)
    if bwrap is not None:
        script = 'case "$1" in --version) echo bubblewrap 0.9.0;; --help) echo --size;; *) '
        (programs / "bwrap").write_text(f'#!/bin/sh\n{script} echo "{bwrap}" >&2; exit 1;; esac\n')
        (programs / "bwrap").chmod(0o755)
    env = {**os.environ, "PATH": str(programs), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "autodiff_lab", "grade", UNIT, "--course", str(course), "--workers", "1", *options]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)


@pytest.mark.parametrize(
    ("bwrap", "why", "way_out"),
    [
        (None, "bubblewrap (bwrap) is not installed", "apt install bubblewrap"),
        ("bwrap: No permissions to create new namespace", "not allowed to work", "--security-opt"),
        ("bwrap: Creating new namespace failed: Operation not permitted", "not allowed to work", "virtual machine"),
    ],
)
def test_without_a_sandbox_nothing_is_run_and_the_way_out_is_said(
    handed_in: Path, bwrap: str | None, why: str, way_out: str
) -> None:
    done = run_grade(handed_in, bwrap)
    assert done.returncode != 0 and done.stdout == ""
    assert why in done.stderr and way_out in done.stderr and "--trust-students" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (handed_in.parent / "told").exists()
    assert not (handed_in / "autograded").exists()


def test_whoever_trusts_the_students_needs_no_sandbox(handed_in: Path) -> None:
    done = run_grade(handed_in, None, "--trust-students", "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["students"]
    assert (found["status"], found["score"]) == ("graded", 80)
    assert (handed_in.parent / "told").read_text() == "ran"

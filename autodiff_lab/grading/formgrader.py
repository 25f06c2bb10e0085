"""What nbgrader's formgrader shows of a submission: nothing that runs, and beside a written answer how to mark it.

Named in nbgrader_config.py as a preprocessor of the exporter that formgrader uses. It changes what is shown, never a
file: model answers and marking guides are in no graded notebook, and so in no feedback.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import escape
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Unicode

from autodiff_lab.grading.course import paths

GUIDE = "guide"
"""Key beside "nbgrader" in a cell's metadata, for the template; set by `BesideAnswer`, on what is shown only."""

_ONCLICK = ("toggle_name(true);", "toggle_name(false);")  # what nbgrader's page has in attributes


class BesideAnswer(NbGraderPreprocessor):
    """Give the template each written answer's model answer and marking guide, and what the page may run."""

    course = Unicode(help="The course folder; by default CourseDirectory.root.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Change what is shown. `resources` are formgrader's: "assignment_id", names of the student."""
        course = self.course or str(self.config.CourseDirectory.get("root", "."))
        guides = marking_guides(Path(course), resources.get("assignment_id", ""))
        for cell in nb.cells:
            cell.metadata.pop(GUIDE, None)
            if is_grade(cell) and is_solution(cell):
                cell.metadata[GUIDE] = guides.get(cell.metadata.nbgrader["grade_id"], "")
        for name in ("student", "first_name", "last_name"):
            if resources.get(name):
                resources[name] = str(escape(resources[name]))
        resources["nonce"] = secrets.token_urlsafe(16)
        resources["policy"] = policy(resources["nonce"])
        return nb, resources


def policy(nonce: str) -> str:
    """A Content-Security-Policy: of scripts only nbgrader's own, which carry `nonce`."""
    clicks = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'" for code in _ONCLICK
    )
    return (
        f"script-src 'nonce-{nonce}'; script-src-attr 'unsafe-hashes' {clicks}; object-src 'none'; base-uri 'none'; "
        "frame-src 'none'; form-action 'none'; img-src 'self' data:; font-src 'self' data:"
    )


def marking_guides(course: Path, unit: str) -> dict[str, str]:
    """The Markdown of the written exercises' solution cells by grade_id; {} where the source is not there."""
    text = paths(unit, course).text
    if not text.is_file():
        return {}
    return _guides(text, text.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _guides(text: Path, modified: int) -> dict[str, str]:
    from autodiff_lab.grading.build import read_text

    return {
        cell.metadata.nbgrader["grade_id"]: cell.source
        for cell in read_text(text).cells
        if cell.cell_type == "markdown" and is_grade(cell) and is_solution(cell)
    }


def guard() -> None:
    """In a server that runs formgrader: show what was handed in by the configuration of the course that is open.

    nbgrader keeps the exporter of the folder that the server was started in, also when another course is opened from
    its menu, and would show that one with its own page, in which scripts of a submission run. And it serves the files
    beside a notebook as they are, a page among them as one of the server's own: here as one in which nothing runs.
    """
    base = sys.modules.get("nbgrader.server_extensions.formgrader.base")
    handlers = sys.modules.get("nbgrader.server_extensions.formgrader.handlers")
    if base is not None:
        base.BaseHandler.exporter = property(
            lambda handler: HTMLExporter(config=handler.settings["nbgrader_formgrader"].config)
        )
    if handlers is not None:
        handlers.SubmissionFilesHandler.set_extra_headers = _as_data


def _as_data(handler: Any, path: str) -> None:
    handler.set_header("Content-Security-Policy", "sandbox; default-src 'none'; img-src 'self' data:")
    handler.set_header("X-Content-Type-Options", "nosniff")

"""Intake as a step of nbgrader's own `autograde`, which has read the file already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from autodiff_lab.grading.handed_in import Unreadable, from_data
from autodiff_lab.grading.matching import Release, match, release_of


class MatchRelease(NbGraderPreprocessor):
    """Put a submission's cells right, as `grade` does. nbgrader's OverwriteCells follows, and has the last word."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Needs the unit's text file for ids and order; without it, or if it changed, the gradebook's cells."""
        names = resources["nbgrader"]
        recorded = _recorded(names["db_url"], names["assignment"], names["notebook"])
        coursedir = CourseDirectory(config=self.config)
        text = Path(coursedir.format_path(coursedir.source_directory, ".", names["assignment"]))
        text = Path(coursedir.root) / text / f"{names['notebook']}.py"
        release = release_of(text, names["notebook"], self.config) if text.is_file() else recorded
        if release.by_grade_id.keys() != recorded.by_grade_id.keys():
            release = recorded
        try:
            handed_in = from_data(nb)
        except Unreadable as why:
            raise ValueError(str(why)) from None
        matched, notes = match(handed_in, release)
        for note in notes:
            self.log.warning("%s: %s", note.about, note.kind)
        return matched, resources


def _recorded(db_url: str, assignment: str, notebook: str) -> Release:
    """The release as far as the gradebook has it: answers, tests and locked cells."""
    cells = []
    with Gradebook(db_url) as gradebook:
        found = gradebook.find_notebook(notebook, assignment)
        grades = {cell.name: cell.max_score for cell in found.grade_cells}
        solutions = {cell.name for cell in found.solution_cells}
        for source in found.source_cells:
            make = nbformat.v4.new_code_cell if source.cell_type == "code" else nbformat.v4.new_markdown_cell
            marks = {
                "grade": source.name in grades,
                "grade_id": source.name,
                "locked": source.locked,
                "schema_version": 3,
                "solution": source.name in solutions,
                "task": False,
                "cell_type": source.cell_type,
                "checksum": source.checksum,
            }
            if source.name in grades:
                marks["points"] = grades[source.name]
            cells.append(make(source.source, id=source.name[:64], metadata={"nbgrader": marks}))
    return Release.of(nbformat.v4.new_notebook(cells=cells), notebook)

"""Puts a submission's graded cells back as released: nbgrader's own steps, made to survive odd notebooks."""

from __future__ import annotations

from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import MissingEntry
from nbgrader.preprocessors import DeduplicateIds, OverwriteCells
from nbgrader.utils import is_grade, is_solution

from autodiff_lab.grading.execute import NOTES


class DropDuplicates(DeduplicateIds):
    """Of cells with the same id the last counts. nbgrader leaves an empty mark on the others, then rejects it."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        for cell in nb.cells:
            _drop_unless_named(cell)
        nb, resources = super().preprocess(nb, resources)
        for cell in nb.cells:
            _drop_unless_named(cell)
        return nb, resources


def _drop_unless_named(cell: NotebookNode) -> None:
    meta = cell.metadata.get("nbgrader")
    if meta is not None and not (isinstance(meta, dict) and isinstance(meta.get("grade_id"), str)):
        del cell.metadata["nbgrader"]


class RestoreCells(OverwriteCells):
    """Overwrite what a student may not change, and add deleted graded cells back, in the order of the release.

    Needs no cell of the release to be left: a notebook whose metadata an editor has stripped gets its tests at the end.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        self.add_missing_cells = True
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        cell.metadata.pop(NOTES, None)
        cell.metadata.pop("tags", None)
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id is None:
            return cell, resources
        try:
            source = self.gradebook.find_source_cell(grade_id, self.notebook_id, self.assignment_id)
        except MissingEntry:
            # A cell of another unit, or an invented one: it stays as an ordinary cell.
            del cell.metadata["nbgrader"]
            return cell, resources
        cell.metadata["nbgrader"] = self._metadata(source)
        return super().preprocess_cell(cell, resources, cell_index)

    def _metadata(self, source: Any) -> NotebookNode:
        names = {
            kind: {cell.name: cell for cell in getattr(source.notebook, f"{kind}_cells")}
            for kind in ("grade", "solution")
        }
        meta = {
            "grade": source.name in names["grade"],
            "grade_id": source.name,
            "locked": source.locked,
            "schema_version": 3,
            "solution": source.name in names["solution"],
            "task": False,
            "cell_type": source.cell_type,
            "checksum": source.checksum,
        }
        if meta["grade"]:
            meta["points"] = names["grade"][source.name].max_score
        return nbformat.from_dict(meta)

    def add_missing_grade_cells(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        sources = list(self.gradebook.find_notebook(self.notebook_id, self.assignment_id).source_cells)
        grade_names = {cell.name for cell in sources[0].notebook.grade_cells} if sources else set()
        present = {cell.metadata.nbgrader["grade_id"]: cell for cell in nb.cells if is_grade(cell) or is_solution(cell)}
        # No neighbour is left of what comes before the first graded cell that is: the end is the only place that
        # certainly comes after the answer.
        before: NotebookNode | None = None
        for source in sources:
            if source.name in present:
                before = present[source.name]
                continue
            if source.name not in grade_names:
                continue
            make = nbformat.v4.new_code_cell if source.cell_type == "code" else nbformat.v4.new_markdown_cell
            cell = make(source.source)
            cell.metadata["nbgrader"] = self._metadata(source)
            cell.metadata[NOTES] = {"restored": True}
            if nb.nbformat_minor < 5:
                cell.pop("id", None)
            place = len(nb.cells) if before is None else next(i for i, c in enumerate(nb.cells) if c is before) + 1
            nb.cells.insert(place, cell)
            before = cell
        return nb, resources

    def add_missing_task_cells(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        return nb, resources

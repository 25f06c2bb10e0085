"""Intake as a step of nbgrader's own `autograde`, and what nbgrader's own commands open and copy of a submission."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from fnmatch import fnmatch
from functools import wraps
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import base as converters
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import exchange
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import parse_utc

from autodiff_lab.grading import submitted
from autodiff_lab.grading.handed_in import Unreadable, from_data, read_file
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


# ---------------------------------------------------------------- nbgrader's own commands


def time_of(folder: Path) -> datetime | None:
    """When a submission was handed in, by its `timestamp.txt`; None if that says nothing that anyone can read."""
    text = submitted.stamp(folder)
    try:
        return parse_utc(text) if text else None
    except Exception:  # dateutil raises what it likes
        return None


def guard() -> None:
    """Have nbgrader's own commands open and copy the files of submissions as `submitted` does.

    Its autograde and generate_feedback follow links, and wait for ever for a pipe; so does its collect, and a student
    who may write to the exchange can put a link there that leads to the sources.
    """
    if getattr(converters.BaseConverter, "_guarded", False):
        return
    converters.BaseConverter._guarded = True
    converters.BaseConverter.init_notebooks = _only_files(converters.BaseConverter.init_notebooks)
    converters.BaseConverter.init_assignment = _copy_beside(converters.BaseConverter.init_assignment)
    CourseDirectory.get_existing_timestamp = lambda _, folder: time_of(Path(folder))
    exchange.ignore_patterns = _nor_links(exchange.ignore_patterns)


def _only_files(init_notebooks: Callable[[Any], None]) -> Callable[[Any], None]:
    @wraps(init_notebooks)
    def init(converter: Any) -> None:
        init_notebooks(converter)
        for folder, files in converter.assignments.items():
            kept = []
            for file in files:
                try:
                    read_file(Path(folder), Path(file).name)
                    kept.append(file)
                except Unreadable as why:
                    converter.log.warning("%s is left out: %s", file, why)
            converter.assignments[folder] = kept

    return init


def _copy_beside(init_assignment: Callable[..., None]) -> Callable[..., None]:
    @wraps(init_assignment)
    def init(converter: Any, assignment_id: str, student_id: str) -> None:
        if student_id == ".":  # the course's own
            init_assignment(converter, assignment_id, student_id)
            return
        source = Path(converter._format_source(assignment_id, student_id))
        target = Path(converter._format_dest(assignment_id, student_id))
        for name in submitted.walk(source).files:
            if any(fnmatch(part, mask) for part in name.parts for mask in [*converter.coursedir.ignore, "*.ipynb"]):
                continue
            try:
                submitted.copy(source, name, target / name)
            except submitted.Refused as why:
                converter.log.warning("%s is left out: %s", source / name, why)

    return init


def _nor_links(ignore_patterns: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(ignore_patterns)
    def make(*args: Any, **options: Any) -> Any:
        ignored = ignore_patterns(*args, **options)

        def ignore(folder: str, names: list[str]) -> set[str]:
            def is_kept(name: str) -> bool:
                path = Path(folder, name)
                return not path.is_symlink() and (path.is_file() or path.is_dir())

            if Path(folder).is_symlink():
                return set(names)
            kept = [name for name in names if is_kept(name)]
            return (set(names) - set(kept)) | set(ignored(folder, kept))

        return ignore

    return make

"""Validate, the button of nbgrader in a notebook's toolbar, answered by `check`: a part of a student's Jupyter server.

nbgrader's own answer runs the notebook as it stands, so that a copied cell is a Python error, and takes other limits.
"""

from __future__ import annotations

import asyncio
import json
from html import escape
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from nbconvert.filters import strip_ansi
from nbgrader.server_extensions.validate_assignment.handlers import NbGraderVersionHandler
from tornado import web

from autodiff_lab.errors import UserError
from autodiff_lab.selfcheck import Outcome, check_unit
from autodiff_lab.workspace import Workspace


def validate(place: Workspace, path: str) -> dict[str, Any]:
    """What nbgrader's button shows: `{"success": True, "value": {"failed": …}}`, or why there is nothing to show."""
    root = place.root.resolve()
    notebook = (root / path).resolve()
    if not notebook.is_relative_to(root):
        raise web.HTTPError(403, "outside of the workspace")
    unit = place.unit_of(notebook)
    if unit is None:
        return {"success": False, "value": f"{notebook.name} is not a notebook of this course."}
    try:
        return {"success": True, "value": _shown(check_unit(place, unit, notebook=notebook))}
    except UserError as error:
        return {"success": False, "value": f"{error}\n{error.hint}"}


def _shown(outcome: Outcome) -> dict[str, list[dict[str, str]]]:
    titles = {exercise.id: exercise.title for exercise in outcome.exercises}
    failed = [
        (titles.get(result.exercise, result.exercise), outcome.messages.get(result.exercise) or result.note)
        for result in outcome.result.exercises
        if result.points is not None and result.points < result.max_points
    ]
    if not failed:
        return (
            {"changed": [{"source": f"{line}. All tests pass."} for line in outcome.repairs]} if outcome.repairs else {}
        )
    repairs = "".join(f"\n\nNote: {line}." for line in outcome.repairs)
    texts = [strip_ansi(message.strip()) for _, message in failed]
    texts[-1] += repairs
    return {
        "failed": [
            {"source": title, "error": escape(text), "raw_error": text}
            for (title, _), text in zip(failed, texts, strict=True)
        ]
    }


class ValidateHandler(JupyterHandler):
    """`POST /assignments/validate?path=…`, as nbgrader's page asks it."""

    @web.authenticated
    async def post(self) -> None:
        """Check the notebook, in a thread: the server goes on answering."""
        path = self.get_argument("path", None) or (self.get_json_body() or {}).get("path", "")
        place = Workspace(Path(self.settings["server_root_dir"]))
        self.finish(json.dumps(await asyncio.to_thread(validate, place, path)))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "autodiff_lab.validate"}]


def _load_jupyter_server_extension(server: Any) -> None:
    base = server.web_app.settings["base_url"]
    handlers = {r"/assignments/validate": ValidateHandler, r"/nbgrader_version": NbGraderVersionHandler}
    server.web_app.add_handlers(".*$", [(url_path_join(base, path), handler) for path, handler in handlers.items()])

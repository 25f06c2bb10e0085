"""Hands in a unit: to the shared exchange where there is one, else as one file to upload.

The notebook is checked first as `check` does it, so that a student hears beforehand what is open or was put right; that
never keeps a notebook which can be read from being handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeSubmit
from traitlets.config.loader import PyFileConfigLoader

from autodiff_lab.errors import UserError, typed
from autodiff_lab.grading.course import fault_of_id, quiet
from autodiff_lab.selfcheck import Outcome, check_unit
from autodiff_lab.workspace import HAND_IN, Exchange, Workspace, put


@dataclass(frozen=True)
class HandedIn:
    """What was handed in: the file to upload, or the exchange that has it now; and what it does not contain."""

    outcome: Outcome
    student: str
    file: Path | None = None
    exchange: Exchange | None = None
    left_behind: list[str] = field(default_factory=list)


def hand_in(
    place: Workspace,
    unit: str,
    student: str | None = None,
    on_cell: Callable[[int, int], None] | None = None,
) -> HandedIn:
    """Check the notebook of `unit` and hand it in. `student`: the id, remembered from then on.

    Raises UserError if there is no such notebook, it cannot be read, or `student` cannot be an id.
    """
    if student is not None:
        student = student.strip()
        fault = fault_of_id(student)
        if fault:
            raise UserError(f"{student!r} cannot be a student's id: {fault}.", "use the one that your instructor has.")
        place.student = student
    outcome = check_unit(place, unit, on_cell)
    exchange = place.exchange
    if exchange is not None:
        if not exchange.is_open():
            raise UserError(
                f"nothing can be submitted to {exchange.inbound}: it is not there, or not writable.",
                "ask your instructor; or name another exchange: " + typed("lab --exchange FOLDER"),
            )
        _submit(place, unit, exchange)
        return HandedIn(outcome, place.student, exchange=exchange)
    notebook = place.notebook(unit)
    file = place.root / HAND_IN / f"{unit}_{place.student}.ipynb"
    try:
        put(notebook, file)
    except OSError as error:
        raise UserError(f"cannot write {file} ({error.strerror}).", "make room, or make the folder writable.") from None
    return HandedIn(outcome, place.student, file, left_behind=_beside(place, unit, notebook))


def _beside(place: Workspace, unit: str, notebook: Path) -> list[str]:
    """Files of the student beside a notebook: one file to upload does not hold them."""
    if notebook.parent == place.root:
        return []
    given = {path.name for path in (place.release / unit).iterdir()}
    return sorted(
        path.name
        for path in notebook.parent.iterdir()
        if path.is_file() and path.suffix != ".ipynb" and path.name not in given and not path.name.startswith(".")
    )


def _submit(place: Workspace, unit: str, exchange: Exchange) -> None:
    """As the button Submit does: nbgrader's own way, with the settings that JupyterLab has."""
    folder = place.root / unit
    if place.notebook(unit).parent != folder:
        raise UserError(f"{place.notebook(unit)} is not in the folder of its unit.", f"move it into {folder}.")
    place.write_jupyter_settings()
    settings = place.jupyter / "nbgrader_config.py"
    config = PyFileConfigLoader(settings.name, path=str(settings.parent)).load_config()
    coursedir = CourseDirectory(config=config)
    coursedir.assignment_id = unit
    submit = ExchangeSubmit(coursedir=coursedir, authenticator=Authenticator(config=config), config=config)
    submit.log = quiet("submit")
    try:
        submit.start()
    except (ExchangeError, OSError, RuntimeError) as error:
        raise UserError(
            f"{unit} could not be submitted to {exchange.root}: {error}.",
            "if the unit is not there yet, ask your instructor to release it.",
        ) from None

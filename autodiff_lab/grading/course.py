"""Where a course keeps its files, and the names of its units. Reads folders only; no notebook is opened here."""

from __future__ import annotations

import logging
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from autodiff_lab.errors import UserError

PACKAGE_PARENT = Path(__file__).resolve().parents[2]
UNIT_NAME = re.compile(r"\d\d_[a-z0-9_]+")
HIDDEN = re.compile(r"^[ \t]*### BEGIN HIDDEN TESTS[^\n]*\n(.*?)^[ \t]*### END HIDDEN TESTS[^\n]*\n?", re.M | re.S)
"""A region of hidden tests in a test cell, with its marks; group 1 is what stands between them."""
TEST, PART = "test-", "--"
"""How tests are called: `test-X`, right below the answer `X`, and below it `test-X--part`; each earns by itself."""
NOTES = "autodiff_lab"
"""Key in a cell's metadata where grading writes what it saw: "ended" (timeout, crashed, ...), "hidden" (a hidden test
failed), "hidden_outputs" (places of what hidden tests printed), "cut" (bytes), "restored" (the cell was deleted),
"intake" (kinds of what intake put right). In a notebook's metadata "intake" holds all that it put right."""

ID_BYTES = 200
"""The longest id of a student in UTF-8: it is the name of folders and, with an ending, of files (255 at most)."""


def fault_of_id(name: str) -> str | None:
    """Why `name` cannot be the id of a student, which is the name of one folder; None if it can.

    To be asked wherever an id enters: the roster, the folders in `submitted`, the gradebook.
    """
    if not name.strip():
        return "it is empty"
    if "/" in name or "\\" in name:
        return "it has a / or \\ in it"
    if name.startswith("."):
        return "it begins with a dot"
    kinds = {unicodedata.category(c) for c in name if c not in "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"}
    if "Cs" in kinds:
        return "it is not UTF-8"
    if kinds & {"Cc", "Cf", "Zl", "Zp"}:
        return "it has a line break or another control character in it"
    size = len(name.encode())
    return f"it has {size} bytes, more than {ID_BYTES}" if size > ID_BYTES else None


def exercise_of(grade_id: str) -> str:
    """The exercise that a cell with this grade_id belongs to: `X` of its answer `X`, of `test-X` and `test-X--part`."""
    return grade_id.removeprefix(TEST).partition(PART)[0]


class CourseError(UserError):
    """A mistake in a course folder, or of the person who runs the command on it."""


@dataclass(frozen=True)
class UnitPaths:
    """The files of one unit. `text` is the only one that an author writes; the others are generated from it."""

    name: str
    text: Path
    source: Path
    release: Path
    solution: Path
    bank: Path


def quiet(name: str) -> logging.Logger:
    """A log for nbgrader's steps that says nothing: what goes wrong is an exception."""
    log = logging.getLogger(f"autodiff_lab.nbgrader.{name}")
    log.setLevel(logging.CRITICAL + 1)
    return log


def default_course() -> Path:
    """The course folder of the checkout that this package lies in, or `course` in the current folder."""
    for candidate in (Path.cwd() / "course", Path.cwd(), PACKAGE_PARENT / "course"):
        if (candidate / "nbgrader_config.py").is_file():
            return candidate.resolve()
    raise CourseError(
        "No course folder here (a folder with nbgrader_config.py and source/).",
        "Run the command in a checkout of autodiff_lab, or name the folder with --course.",
    )


def default_solutions(course: Path) -> Path:
    """The `solutions` folder beside the course folder."""
    return Path(course).resolve().parent / "solutions"


def paths(unit: str, course: Path, solutions: Path | None = None) -> UnitPaths:
    """The file names of `unit` in `course`; nothing is checked."""
    course = Path(course)
    solutions = Path(solutions) if solutions is not None else default_solutions(course)
    return UnitPaths(
        name=unit,
        text=course / "source" / unit / f"{unit}.py",
        source=course / "source" / unit / f"{unit}.ipynb",
        release=course / "release" / unit / f"{unit}.ipynb",
        solution=solutions / unit / f"{unit}.ipynb",
        bank=solutions / unit,
    )


def all_units(course: Path) -> list[str]:
    """Names of the units that have a text source (or, in an installed course, a release), in order."""
    found = {path.parent.name for path in Path(course).glob("source/*/*.py") if path.stem == path.parent.name}
    if not found:
        found = {path.parent.name for path in Path(course).glob("release/*/*.ipynb") if path.stem == path.parent.name}
    return sorted(name for name in found if UNIT_NAME.fullmatch(name))


def resolve_units(names: list[str] | tuple[str, ...] | None, course: Path) -> list[str]:
    """Full unit names for what a person types: `04_fan_out`, `04`, `4` or `fan_out`. None or [] means every unit.

    Raises CourseError when a name fits no unit, or more than one.
    """
    known = all_units(course)
    if not known:
        raise CourseError(f"There is no unit in {Path(course) / 'source'}.")
    if not names:
        return known
    chosen = []
    for name in names:
        text = Path(name).stem if name.endswith((".py", ".ipynb")) else name.strip("/")
        fits = [unit for unit in known if text == unit]
        if not fits and text.isdigit():
            fits = [unit for unit in known if int(unit[:2]) == int(text)]
        if not fits:
            fits = [unit for unit in known if text and text in unit]
        if len(fits) != 1:
            raise CourseError(
                f"{'More than one unit fits' if fits else 'No unit is called'} {name!r}.",
                f"The units are: {', '.join(fits or known)}.",
            )
        chosen.append(fits[0])
    return list(dict.fromkeys(chosen))

"""Between students and the course folder: takes in what was uploaded or submitted, and gives feedback pages back.

A class either shares an exchange (nbgrader's folder that all of one machine can write to), or uploads one file a unit
to a learning-management system; then the folder or the zip that was downloaded from there is taken in.
"""

from __future__ import annotations

import json
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from nbgrader.auth import Authenticator
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseAssignment, ExchangeReleaseFeedback

from autodiff_lab.errors import UserError
from autodiff_lab.grading import journal, submitted
from autodiff_lab.grading.course import CourseError, default_course, fault_of_id, quiet, resolve_units
from autodiff_lab.grading.grade import Book, load_config
from autodiff_lab.grading.handed_in import FILE_LIMIT, Unreadable, read_bytes
from autodiff_lab.grading.intake import likeness
from autodiff_lab.grading.matching import other_releases
from autodiff_lab.grading.notes import shown
from autodiff_lab.grading.results import NEW, NEWER, SAME

UPLOADS_LIMIT = 100_000
"""Files looked at in one download."""

_MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_")
_CANVAS = re.compile(r"[^_\W]+(?:_late)?_(?P<number>\d+)_\d+_", re.I)
_AGAIN = re.compile(r"(?:[ _]?\(\d+\)|-\d+|-Copy\d+)$")


@dataclass(frozen=True)
class Collected:
    """A student's unit that was taken in: whether it is new, newer than what was there, or the same; and from where."""

    student: str
    unit: str
    what: str
    origin: str


@dataclass
class Collection:
    """What was taken in, and what was left where it is: its name and why."""

    taken: list[Collected] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Upload:
    name: PurePosixPath
    read: Callable[[], bytes]


# ---------------------------------------------------------------- uploaded files


def collect_uploads(place: Path, course: Path | None = None, units: list[str] | None = None) -> Collection:
    """Put the notebooks of a downloaded folder or zip into `submitted`.

    The unit is the one that the name of a file says, else the one whose cells are in it. The student is the one who
    uploaded it, where the download says so (Moodle, Canvas), else the one in the file's name. Nothing is guessed: what
    fits nobody, or twice, stays where it is and is named. Raises CourseError if `place` is neither folder nor zip.
    """
    book = Book(Path(course) if course is not None else default_course())
    known = resolve_units(None, book.course)
    wanted = resolve_units(units, book.course) if units else known
    people = book.roster()
    collection = Collection()
    found: dict[tuple[str, str], list[tuple[_Upload, bytes]]] = {}
    for upload in _uploads(Path(place)):
        if ".ipynb" not in upload.name.name.lower() or ".new-version" in upload.name.name:
            continue
        try:
            content = upload.read()
        except submitted.Refused as why:
            collection.left.append((str(upload.name), str(why)))
            continue
        unit = _unit_of(upload.name, content, known, book)
        if unit is None:
            collection.left.append((str(upload.name), "it is a notebook of no unit"))
        elif unit in wanted:
            student, why_not = _student_of(upload.name, unit, people)
            if student is None:
                collection.left.append((str(upload.name), why_not))
            else:
                found.setdefault((student, unit), []).append((upload, content))
    origins: dict[str, dict[str, str]] = {}
    for (student, unit), uploads in sorted(found.items()):
        if len({content for _, content in uploads}) > 1:
            names = ", ".join(str(upload.name) for upload, _ in uploads)
            collection.left += [(names, f"different notebooks of {unit} by {student}: remove all but one")]
            continue
        upload, content = uploads[0]
        what = _put(book.place(book.coursedir.submitted_directory, student, unit), f"{unit}.ipynb", content)
        collection.taken.append(Collected(student, unit, what, str(upload.name)))
        if moodle := _moodle(upload.name):
            origins.setdefault(unit, {})[student] = moodle[0]
    _remember(book, origins)
    return collection


def _uploads(place: Path) -> Iterator[_Upload]:
    """Every regular file of a folder or a zip."""
    if place.is_dir():
        folder = place.resolve()
        for name in submitted.walk(folder, depth=6, most=UPLOADS_LIMIT).files:
            yield _Upload(PurePosixPath(name), partial(submitted.read, folder, name, FILE_LIMIT))
        return
    try:
        archive = zipfile.ZipFile(place)
    except (OSError, zipfile.BadZipFile) as error:
        raise CourseError(
            f"{place} is neither a folder nor a zip ({getattr(error, 'strerror', None) or error}).",
            "Name what you downloaded from your learning-management system.",
        ) from None
    with archive:
        for member in archive.infolist()[:UPLOADS_LIMIT]:
            name = PurePosixPath(member.filename)
            is_link = stat.S_ISLNK(member.external_attr >> 16)
            if not member.is_dir() and not is_link and not {"__MACOSX", ".."} & set(name.parts):
                yield _Upload(name, partial(_read_member, archive, member))


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(member) as file:
            content = file.read(FILE_LIMIT + 1)  # what the zip says of its size may be a lie
    except Exception as error:  # encrypted, damaged, packed in a way that Python does not know
        raise submitted.Refused(f"it cannot be read ({error})") from None
    if len(content) > FILE_LIMIT:
        raise submitted.Refused(f"it has more than {FILE_LIMIT // 2**20} MB")
    return content


def _unit_of(name: PurePosixPath, content: bytes, known: list[str], book: Book) -> str | None:
    named = [unit for unit in known if unit in name.name] or [unit for unit in known if unit in name.parts]
    if len(named) == 1:
        return named[0]
    try:
        handed_in = read_bytes(content)
    except Unreadable:
        return None
    found = [(likeness(handed_in, release), release.unit) for release in other_releases(book.course / "source" / "all")]
    share, unit = max(found, default=(0.0, ""))
    return unit if share >= 0.2 and unit in known else None


def _student_of(name: PurePosixPath, unit: str, people: list[dict[str, Any]]) -> tuple[str | None, str]:
    """The id of the student whose file it is; or None, and why nobody's."""
    roster = {person["id"]: person for person in people}
    if moodle := _moodle(name):
        full = moodle[1].casefold()
        fits = [p["id"] for p in people if full in (_full_name(p), _full_name(p, turned=True))]
        numbered = [p["id"] for p in people if p["lms_user_id"] == moodle[2]]
        if len(fits) == 1 or len(numbered) == 1:
            return (fits if len(fits) == 1 else numbered)[0], ""
    if canvas := _CANVAS.match(name.name):
        fits = [p["id"] for p in people if p["lms_user_id"] == canvas["number"]]
        if len(fits) == 1:
            return fits[0], ""
    claimed = _claimed(name, unit)
    if not claimed:
        return None, f"nothing says whose it is; call it {unit}_ID.ipynb, with the id of the student"
    shorter = _AGAIN.sub("", claimed)
    student = claimed if claimed in roster else shorter
    if roster and student not in roster:
        return None, f"{shown(student)!r} is not on the roster; add them to students.csv, or rename it {unit}_ID.ipynb"
    fault = fault_of_id(student)
    return (None, f"{shown(student)!r} cannot be a student's id: {fault}") if fault else (student, "")


def _claimed(name: PurePosixPath, unit: str) -> str:
    """The id in a name such as `04_fan_out_ID.ipynb` or `ID/04_fan_out/04_fan_out.ipynb`."""
    stem = name.name[: name.name.lower().rindex(".ipynb")]
    if f"{unit}_" in stem:
        return stem.rpartition(f"{unit}_")[2].strip()
    above = [part for part in name.parts[:-1] if part != unit]
    return above[-1] if above and stem == unit and not _MOODLE.match(above[-1]) else ""


def _moodle(name: PurePosixPath) -> tuple[str, str, str] | None:
    """From Moodle's download: the name of the student's folder there, the full name, and the number."""
    for part in name.parts:
        if found := _MOODLE.match(part):
            return found[0], found["name"], found["number"]
    return None


def _full_name(person: dict[str, Any], turned: bool = False) -> str:
    first, last = person["first_name"] or "", person["last_name"] or ""
    return f"{last} {first}".casefold() if turned else f"{first} {last}".casefold()


def _put(folder: Path, name: str, content: bytes) -> str:
    """Write a submission's notebook; what was collected before is replaced, with its time."""
    try:
        if submitted.read(folder, name, FILE_LIMIT) == content:
            return SAME
        what = NEWER
    except submitted.Refused:
        what = NEW
    folder.mkdir(parents=True, exist_ok=True)
    (folder / submitted.STAMP).unlink(missing_ok=True)
    journal.write(folder / name, content)
    return what


# ---------------------------------------------------------------- the exchange of nbgrader


def exchange_of(course: Path) -> tuple[Path, str] | None:
    """Root of the shared exchange that the course's settings name, and the course's name there; None if it is ours."""
    config = load_config(course)
    root = config.Exchange.get("root", "")
    if not root or Path(root).resolve() == (Path(course) / "exchange").resolve():
        return None
    return Path(root), config.CourseDirectory.get("course_id", "")


def collect_exchange(course: Path | None = None, units: list[str] | None = None) -> Collection:
    """Put what was submitted to the shared exchange into `submitted`, the newest of each, by nbgrader's collect."""
    book = Book(Path(course) if course is not None else default_course())
    _require_exchange(book)
    collection = Collection()
    for unit in resolve_units(units, book.course):
        collector = _of_exchange(ExchangeCollect, book, unit)
        collector.update = True
        before = {path.parent.name: submitted.stamp(path) for path in _folders(book, unit)}
        _start(collector)
        for path in _folders(book, unit):
            name, time = path.parent.name, submitted.stamp(path)
            if name not in before or before[name] != time:
                what = NEWER if name in before else NEW
                collection.taken.append(Collected(name, unit, what, f"submitted {time}"))
    return collection


def open_exchange(course: Path, units: list[str]) -> Path | None:
    """Release units into the shared exchange, as nbgrader's `release_assignment` does; its folder, or None."""
    if exchange_of(course) is None:
        return None
    book = Book(course)
    for unit in units:
        release = _of_exchange(ExchangeReleaseAssignment, book, unit)
        release.force = True
        _start(release)
    return Path(release.root)


def release_pages(pages: list[Path], course: Path) -> int:
    """Put feedback pages where students fetch them (Assignment List, Fetch Feedback); returns how many."""
    book = Book(course)
    _require_exchange(book)
    secret = [page for page in pages if submitted.has(page.parent, "submission_secret.txt")]
    for student, unit in sorted({(page.parents[1].name, page.parent.name) for page in secret}):
        release = _of_exchange(ExchangeReleaseFeedback, book, unit)
        release.coursedir.student_id = student
        _start(release)
    return len(secret)


def _folders(book: Book, unit: str) -> list[Path]:
    return sorted(book.course.glob(f"{book.coursedir.submitted_directory}/*/{unit}"))


def _require_exchange(book: Book) -> None:
    if exchange_of(book.course) is None:
        raise CourseError(
            "This course has no shared exchange.",
            "Name the folder or zip that you downloaded with --from; or set c.Exchange.root in nbgrader_config.py.",
        )


def _of_exchange(kind: Any, book: Book, unit: str) -> Any:
    book.coursedir.assignment_id, book.coursedir.student_id = unit, "*"
    made = kind(coursedir=book.coursedir, authenticator=Authenticator(config=book.config), config=book.config)
    made.log = quiet("exchange")
    return made


def _start(step: Any) -> None:
    try:
        step.start()
    except (ExchangeError, OSError, RuntimeError) as error:
        raise UserError(
            f"the exchange {step.root} does not work: {error}.", "see 'Give the units out' in GUIDE.md."
        ) from None


# ---------------------------------------------------------------- giving back


def _origins_file(course: Path) -> Path:
    return course / "reports" / "collected.json"


def _remember(book: Book, origins: dict[str, dict[str, str]]) -> None:
    """Keep the folders of Moodle's download: feedback is uploaded in folders of the same names."""
    known = _origins(book.course)
    for unit, names in origins.items():
        known.setdefault(unit, {}).update(names)
    if origins:
        journal.write(_origins_file(book.course), json.dumps(known, indent=1, ensure_ascii=False, sort_keys=True))


def _origins(course: Path) -> dict[str, dict[str, str]]:
    try:
        known = json.loads(_origins_file(course).read_text(encoding="utf-8"))
        return known if isinstance(known, dict) else {}
    except (OSError, ValueError):
        return {}


def lay_out_pages(pages: list[Path], folder: Path, course: Path) -> list[Path]:
    """Copy feedback pages into one folder, named so that each can be given to its student; returns them.

    `UNIT_ID.html`; for what came out of Moodle's download, in the folder of that download: the zip of it is what Moodle
    takes as "multiple feedback files".
    """
    known = _origins(course)
    made = []
    for page in pages:
        student, unit = page.parents[1].name, page.parent.name
        target = folder / known.get(unit, {}).get(student, "") / f"{unit}_{student}.html"
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            submitted.copy(page.parent, page.name, target)
        except OSError as error:
            raise UserError(f"cannot write {target} ({error.strerror}).", "name a folder that is yours.") from None
        made.append(target)
    return made

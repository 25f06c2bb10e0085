"""Files of submissions are opened in one place: regular ones, within a size, and through no link."""

import ast
import getpass
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from autodiff_lab.grading import submitted
from autodiff_lab.grading.bank import SOURCE, compose, read_bank
from autodiff_lab.grading.course import PACKAGE_PARENT
from autodiff_lab.grading.feedback import feedback
from autodiff_lab.grading.grade import Book
from autodiff_lab.grading.intake import copy_helpers, take_in
from autodiff_lab.grading.matching import release_of
from autodiff_lab.grading.sanitize import time_of

from .conftest import UNIT, make_course
from .quick import run

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

SECRET = "the hidden tests of the unit"


def a_link(path: Path, secret: Path) -> None:
    path.symlink_to(os.path.relpath(secret, path.parent))


def an_absolute_link(path: Path, secret: Path) -> None:
    path.symlink_to(secret)


def a_link_to_a_link(path: Path, secret: Path) -> None:
    path.with_name("between").symlink_to(secret)
    path.symlink_to("between")


def a_broken_link(path: Path, secret: Path) -> None:
    path.symlink_to("nowhere")


def a_link_to_itself(path: Path, secret: Path) -> None:
    path.symlink_to(path.name)


def a_pipe(path: Path, secret: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path, secret: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path.name)
    os.chdir(here)


def a_folder(path: Path, secret: Path) -> None:
    path.mkdir()


def a_hole(path: Path, secret: Path) -> None:
    path.touch()
    os.truncate(path, 2**40)


def a_hard_link(path: Path, secret: Path) -> None:
    os.link(secret, path)


ODD = [
    *(a_link, an_absolute_link, a_link_to_a_link, a_broken_link, a_link_to_itself),
    *(a_hard_link, a_pipe, a_socket, a_folder, a_hole),
]
GRADED = [a_link, a_hard_link, a_pipe, a_hole]
Odd = Callable[[Path, Path], None]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "submitted" / "ann" / UNIT
    path.mkdir(parents=True)
    return path


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.__name__)
def test_what_is_not_an_ordinary_file_is_neither_opened_nor_waited_for(odd: Odd, folder: Path, secret: Path) -> None:
    odd(folder / "data.csv", secret)
    with pytest.raises(submitted.Refused):
        submitted.read(folder, "data.csv")
    with pytest.raises(submitted.Refused):
        submitted.copy(folder, "data.csv", folder.parent / "copy")
    assert not (folder.parent / "copy").exists()
    assert not submitted.has(folder, "data.csv")
    submitted.fingerprint(folder)


@pytest.mark.parametrize("level", ["ann", UNIT, "below"])
def test_no_folder_on_the_way_to_a_file_may_be_a_link(level: str, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    place = {"ann": folder.parent, UNIT: folder, "below": folder / "below"}[level]
    inner = folder / "below" / "data.csv"
    inner.parent.mkdir()
    inner.write_text(SECRET)
    assert submitted.read(folder, "below/data.csv") == SECRET.encode()
    place.rename(elsewhere)
    place.symlink_to(elsewhere)
    assert inner.read_text() == SECRET
    with pytest.raises(submitted.Refused, match="link"):
        submitted.read(folder, "below/data.csv")
    assert not submitted.walk(folder).files


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "below/../../secret.txt", "", "."])
def test_a_name_that_leads_out_of_the_folder_is_refused(name: str, folder: Path) -> None:
    (folder.parent / "secret.txt").write_text(SECRET)
    with pytest.raises(submitted.Refused):
        submitted.read(folder, name)


def test_where_folders_cannot_be_opened_links_are_refused_all_the_same(
    folder: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submitted, "_HAS_FOLDER_NUMBERS", False)
    (folder / "fine.txt").write_text("fine")
    (folder / "odd.txt").symlink_to(secret)
    (folder / "up").symlink_to(secret.parent)
    assert submitted.read(folder, "fine.txt") == b"fine"
    for name in ("odd.txt", "up/secret.txt"):
        with pytest.raises(submitted.Refused, match="it is a link"):
            submitted.read(folder, name)
    found = submitted.walk(folder)
    assert ([path.as_posix() for path in found.files], found.left_out) == (["fine.txt"], ["odd.txt", "up"])


# ---------------------------------------------------------------- what comes out of a whole grading


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A class in which everyone has something odd for a time stamp and beside the notebook; and their statuses."""
    course = make_course(tmp_path_factory.mktemp("class"))
    unit = read_bank(UNIT, course)
    text = nbformat.writes(compose(unit, {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False))
    source = course / "source" / UNIT / f"{UNIT}.py"
    for odd in GRADED:
        folder = course / "submitted" / odd.__name__ / UNIT
        folder.mkdir(parents=True)
        (folder / f"{UNIT}.ipynb").write_text(text)
        odd(folder / "timestamp.txt", source)
        (folder / "more").mkdir()
        odd(folder / "more" / "data.csv", source)
        (folder / "kept.txt").write_text("kept")
    whole = course / "submitted" / "its folder is a link" / UNIT
    whole.parent.mkdir()
    whole.symlink_to(course / "source" / UNIT)
    (course / "submitted" / "the student is a link").symlink_to(course / "submitted" / "a_pipe")
    for _ in range(2):
        results = run(course, resume=True)
    feedback([UNIT], course)
    return course, {result.student: result.status for result in results}


def test_every_odd_submission_is_graded_and_a_linked_one_is_unreadable(graded: tuple[Path, dict[str, str]]) -> None:
    linked = {"its folder is a link": "unreadable", "the student is a link": "unreadable"}
    assert graded[1] == {**{odd.__name__: "graded" for odd in GRADED}, **linked}


@pytest.mark.parametrize("step", ["autograded", "feedback", "reports"])
def test_nothing_of_the_source_lies_in_what_is_given_back(graded: tuple[Path, dict[str, str]], step: str) -> None:
    course = graded[0]
    hidden = "check(student.gradients(-1.25, 7.5), expect=(7.5, 13.75))"
    assert hidden in (course / "source" / UNIT / f"{UNIT}.py").read_text()
    files = [path for path in (course / step).rglob("*") if not path.is_dir()]
    assert files
    for path in files:
        assert not path.is_symlink(), f"{path} is a link"
        assert path.is_file(), f"{path} is no file"
        if path.name != f"{UNIT}.ipynb":  # which has the tests in it, and stays with the teacher
            assert hidden.encode() not in path.read_bytes(), f"{path} holds a hidden test"
    if step != "reports":
        assert len(list((course / step).rglob("kept.txt"))) == len(GRADED)


def test_an_unreadable_file_beside_a_notebook_costs_a_note_and_nothing_else(
    course: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = course / "submitted" / "ann" / UNIT
    folder.mkdir(parents=True)
    unit = read_bank(UNIT, course)
    (folder / f"{UNIT}.ipynb").write_text(nbformat.writes(compose(unit, {}, hidden_tests=False)))
    (folder / "data.csv").write_text("1")
    (folder / "mine.txt").write_text("2")
    real = os.open

    def refuse(path: str, *args: int, **options: int) -> int:
        if path == "data.csv":
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", refuse)
    found = take_in(folder, release_of(course / "source" / UNIT / f"{UNIT}.py", UNIT))
    assert (found.status, [(n.kind, n.about) for n in found.notes]) == ("graded", [("left out", "data.csv")])
    copy_helpers(folder, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["mine.txt"]
    assert submitted.fingerprint(folder)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("2026-02-01 12:00:00.0 UTC", True),
        ("2026-02-01 12:00:00 Europe/Berlin", True),
        ("2026-02-01T12:00:00", True),
        ("2026-02-01 12:00:00 /etc/localtime", False),
        ("2026-02-01 12:00:00 ../../../etc/localtime", False),
        ("yesterday", False),
        ("2026-02-01 12:00:00 UTC" + " " * 2_000_000, False),
        ("\0" * 100, False),
        ("", False),
    ],
)
def test_a_time_stamp_is_a_short_text_and_names_no_file(text: str, known: bool, folder: Path) -> None:
    (folder / "timestamp.txt").write_text(text)
    assert (time_of(folder) is not None) == known


# ---------------------------------------------------------------- nbgrader's own commands


def nbgrader(course: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "PYTHONPATH": str(PACKAGE_PARENT),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    command = [sys.executable, "-m", "nbgrader", *args]
    return subprocess.run(command, cwd=course, env=env, capture_output=True, text=True, timeout=300)


def test_nbgraders_own_converters_copy_no_link_and_wait_for_no_pipe(course: Path) -> None:
    config = course / "nbgrader_config.py"
    # Nothing has to run here.
    config.write_text(f"{config.read_text()}\nc.Autograde.autograde_preprocessors = []\n")
    Book(course).register(UNIT)
    source = course / "source" / UNIT / f"{UNIT}.py"
    text = nbformat.writes(compose(read_bank(UNIT, course), {}, hidden_tests=False))
    for odd in (a_link, a_pipe):
        folder = course / "submitted" / odd.__name__ / UNIT
        folder.mkdir(parents=True)
        (folder / f"{UNIT}.ipynb").write_text(text)
        (folder / "kept.txt").write_text("kept")
        odd(folder / "data.csv", source)
        odd(folder / "timestamp.txt", source)
    done = nbgrader(course, "autograde", UNIT)
    assert done.returncode == 0, done.stderr
    for odd in (a_link, a_pipe):
        graded = course / "autograded" / odd.__name__ / UNIT
        assert sorted(path.name for path in graded.iterdir()) == [f"{UNIT}.ipynb", "kept.txt"], done.stderr
    done = nbgrader(course, "generate_feedback", UNIT)
    for odd in (a_link, a_pipe):
        page = course / "feedback" / odd.__name__ / UNIT
        assert sorted(path.name for path in page.iterdir()) == [f"{UNIT}.html", "kept.txt"], done.stderr


def test_what_is_collected_through_an_exchange_follows_no_link(course: Path, tmp_path: Path) -> None:
    """A student who can write to the exchange can put there what nbgrader's submit never would."""
    inbound = tmp_path / "exchange" / "autodiff_lab" / "inbound"
    config = course / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    Book(course).register(UNIT)
    source = course / "source" / UNIT
    stamp = "2026-02-01 12:00:00.000000 UTC"
    record = inbound / f"{getpass.getuser()}+{UNIT}+{stamp}"
    record.mkdir(parents=True)
    (record / "timestamp.txt").write_text(stamp)
    (record / "kept.txt").write_text("kept")
    (record / f"{UNIT}.ipynb").symlink_to(source / f"{UNIT}.py")
    (record / "all").symlink_to(source)
    os.mkfifo(record / "pipe")
    for path in (inbound.parent, inbound):
        path.chmod(0o733)
    (inbound.parent / "outbound").mkdir()
    done = nbgrader(course, "collect", UNIT)
    collected = course / "submitted" / getpass.getuser() / UNIT
    assert collected.is_dir(), done.stderr
    assert sorted(path.name for path in collected.rglob("*")) == ["kept.txt", "timestamp.txt"], done.stderr


# ---------------------------------------------------------------- nothing else opens them

READERS = {"open", "read_text", "read_bytes", "read", "copy", "copy2", "copyfile", "copytree", "copyfileobj", "move"}
PLACES = {"submitted_directory", "autograded_directory", "feedback_directory"}


def parsed(source: str) -> ast.AST:
    try:
        return ast.parse(source)
    except SystemError:  # Python 3.11 miscounts when something else is compiled in the middle, by another thread
        return ast.parse(source)


def openers(source: str) -> list[str]:
    """Calls in a module that open or copy, with something in them that comes from a submission's folder."""
    found = []
    for function in ast.walk(parsed(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        tainted = set()
        statements = sorted(
            (node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.For | ast.withitem | ast.arg)),
            key=lambda node: getattr(node, "lineno", 0),
        )

        def is_tainted(node: ast.AST, names: set[str] = tainted) -> bool:
            """Whether it holds `submission.folder`, a call of `place(…)` or what was made of them."""
            for part in ast.walk(node):
                if isinstance(part, ast.Attribute) and part.attr in PLACES:
                    return True
                if isinstance(part, ast.Attribute) and part.attr == "folder" and "submission" in ast.dump(part.value):
                    return True
                if isinstance(part, ast.Attribute | ast.Name) and getattr(part, "attr", "") == "marked_last":
                    return True
                if isinstance(part, ast.Name) and part.id in names:
                    return True
            return False

        for _ in range(3):
            for node in statements:
                if isinstance(node, ast.Assign) and is_tainted(node.value):
                    tainted |= {
                        part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)
                    }
                elif isinstance(node, ast.For) and is_tainted(node.iter):
                    tainted |= {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            if name not in READERS or owner in ("submitted", "self", "json"):
                continue
            if any(is_tainted(part) for part in (*node.args, node.func)):
                found.append(f"{function.name}, line {node.lineno}: {ast.unparse(node)[:80]}")
    return found


def test_no_module_of_the_package_opens_or_copies_what_lies_in_a_submission_by_itself() -> None:
    package = PACKAGE_PARENT / "autodiff_lab"
    found = {
        f"{path.relative_to(package)}: {call}"
        for path in sorted(package.rglob("*.py"))
        if path.name != "submitted.py"
        for call in openers(path.read_text(encoding="utf-8"))
    }
    assert not found, "use autodiff_lab.grading.submitted instead"


@pytest.mark.parametrize(
    "code",
    [
        "stamp = submission.folder / 'timestamp.txt'\n    shutil.copyfile(stamp, target)",
        "(submission.folder / 'a').read_text()",
        "path = book.place(book.coursedir.autograded_directory, s, u) / 'a'\n    nbformat.read(path, as_version=4)",
        "for path in submission.folder.rglob('*'):\n        with path.open() as file: pass",
        "open(str(self.marked_last(s, u)))",
        "place = self.place(self.coursedir.submitted_directory, s, u)\n    name = place / 'b'\n    os.open(name, 0)",
    ],
)
def test_a_way_around_would_be_noticed(code: str) -> None:
    assert openers(f"def f(submission):\n    {code}\n"), "nothing was noticed"


@pytest.mark.parametrize(
    "code", ["submitted.read(submission.folder, 'a')", "json.loads(status.read_text())", "open(mine)"]
)
def test_other_files_are_no_matter_of_it(code: str) -> None:
    assert not openers(f"def f(submission):\n    {code}\n")


def test_while_a_class_is_graded_no_other_code_opens_a_path_of_a_submission(course: Path) -> None:
    """By Python's own audit events: who opens a file below `submitted` is this one module."""
    script = (
        "import sys, pathlib, traceback\n"
        "from tests.grading.quick import hand_in, run\n"
        "course = pathlib.Path(sys.argv[1])\n"
        "hand_in(course, 4, 10)\n"
        "opened = []\n"
        "def hook(event, args):\n"
        "    if event == 'open' and isinstance(args[0], (str, bytes)):\n"
        "        name = args[0] if isinstance(args[0], str) else args[0].decode()\n"
        "        if '/submitted/' in name or name in ('timestamp.txt', 'notes.txt', '90_tiny.ipynb'):\n"
        "            callers = [frame.filename for frame in traceback.extract_stack()]\n"
        "            opened.append((name, any(c.endswith('grading/submitted.py') for c in callers)))\n"
        "sys.addaudithook(hook)\n"
        "run(course); run(course, resume=True)\n"
        "assert len(opened) > 8, opened\n"
        "print([name for name, ours in opened if not ours])\n"
    )
    env = {**os.environ, "PYTHONPATH": str(PACKAGE_PARENT)}
    done = subprocess.run(
        [sys.executable, "-c", script, str(course)],
        cwd=PACKAGE_PARENT,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.strip().splitlines()[-1:] == ["[]"], done.stdout + done.stderr

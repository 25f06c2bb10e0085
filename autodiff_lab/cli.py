"""The command line. A command is a few lines here: what it does lives in the module that it imports when it runs."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from autodiff_lab import bootstrap
from autodiff_lab.bootstrap import COMMANDS
from autodiff_lab.errors import UserError, nearest, typed
from autodiff_lab.workspace import Exchange, ensure_home

if TYPE_CHECKING:
    from autodiff_lab.grading.changes import Change
    from autodiff_lab.grading.last import LastRun
    from autodiff_lab.grading.results import Result
    from autodiff_lab.workspace import Workspace

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="autodiff_lab: a course on automatic differentiation. Students start with `lab`, instructors with `demo`.",
)

PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True}

WorkspaceOption = Annotated[
    Path | None, typer.Option("--workspace", metavar="FOLDER", help="Your folder; default: workspace/ in the checkout.")
]
CourseOption = Annotated[
    Path | None, typer.Option("--course", metavar="FOLDER", help="The course folder; default: course/ of the checkout.")
]
UnitsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[UNIT]...", help="04_fan_out, 04 or fan_out; all units if left out.")
]
WorkersOption = Annotated[
    int | None, typer.Option(min=1, help="Submissions graded at a time; default: one for each core.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print plain data instead of text.")]


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code. A user's mistake is one line and a hint on stderr, never a traceback."""
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    program = typed()
    try:
        ensure_home()
        if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
            near = nearest(arguments[0], tuple(COMMANDS))
            raise UserError(f"there is no command {arguments[0]!r}.", f"did you mean {near}?", 2)
        return int(app(arguments, prog_name=program, standalone_mode=False) or 0)
    except UserError as error:
        return error.tell()
    except (KeyboardInterrupt, typer.Abort):
        print("\nInterrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `... | head`
        sys.stderr.close()
        return 1
    except Exception as error:
        # What typer itself finds wrong: an unknown option, a missing argument. Anything else is ours: a traceback.
        if not hasattr(error, "format_message"):
            raise
        command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
        usage = " ".join(filter(None, [program, command, "--help"]))
        return UserError(error.format_message().rstrip("."), f"{usage} shows what can be given.", 2).tell()


# ------------------------------------------------------------ for students


@app.command(help="Open JupyterLab on your units; your edits are never written over. Words after -- go to JupyterLab.")
def lab(
    workspace: WorkspaceOption = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Default: the first free one from 8888.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    exchange: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Submit there: the folder that your class shares on this machine."),
    ] = None,
    instructor: Annotated[bool, typer.Option("--instructor", help="Open the course root, with formgrader.")] = False,
    course: CourseOption = None,
    jupyter: Annotated[list[str] | None, typer.Argument(metavar="[-- JUPYTER OPTIONS]")] = None,
) -> int:
    from autodiff_lab import server

    if instructor:
        root, settings, log = _instructor_folder(course)
        start = "/lab"
    else:
        place = _workspace(workspace)
        if exchange is not None:
            place.use_exchange(Exchange.at(exchange))
        _tell_changes(place)
        root, settings, log = place.root, place.jupyter, place.log
        unit = place.current_unit()
        start = f"/lab/tree/{quote(place.notebook(unit).relative_to(root).as_posix())}" if unit else "/lab"
    already = server.running(root, port)
    if already:
        print(f"JupyterLab is already running here: {already}", flush=True)
        if browser:
            _open(already)
        return 0
    process = server.Lab(root, settings, log, start, port, jupyter or [])
    with bootstrap.Progress("Starting JupyterLab") as progress:
        progress.say("its first start on a machine takes up to a minute")
        process.start(progress.say)
    print(f"JupyterLab is ready: {process.url}", flush=True)
    _say(f"Your {'course' if instructor else 'units'} are in {root}. Ctrl-C stops JupyterLab; what is saved stays.")
    if instructor:
        _say("Formgrader: menu Nbgrader, Formgrader.")
    elif place.exchange is not None and place.exchange.is_open():
        _say("To hand in: menu Nbgrader, Assignment List, Submit.")
    else:
        if place.exchange is not None:
            _say(f"Nothing can be submitted to {place.exchange.root} now: it is not there, or not writable.")
        _say(f"To hand in, in another terminal: {typed('hand-in')}")
    if browser:
        _open(process.url)
    return process.wait()


def _instructor_folder(course: Path | None) -> tuple[Path, Path, Path]:
    from autodiff_lab.workspace import STATE, write_settings

    root = _course(course)
    state = root / STATE
    try:
        # nbgrader logs critical errors without it.
        (root / "exchange").mkdir(exist_ok=True)
        write_settings(state / "jupyter", "", {"nbgrader.server_extensions.formgrader": True}, [])
    except OSError as error:
        raise UserError(f"cannot write in {root} ({error.strerror}).", "use a checkout that is yours.") from None
    return root, state / "jupyter", state / "jupyter.log"


def _tell_changes(place: Workspace) -> None:
    changes = place.prepare()
    new = [change for change in changes if change.what == "new" and change.path.suffix == ".ipynb"]
    if new:
        _say(f"{len(new)} unit{'s' if len(new) > 1 else ''} put into {place.root}.")
    for change in changes:
        name = change.path.relative_to(place.root)
        if change.what == "updated":
            _say(f"{name} is the new version (you had not changed the old one).")
        elif change.what == "beside":
            _say(f"There is a new version of a file that you changed. Yours is as it was; the new one is {name}.")


@app.command(help="Run the tests of a unit in your workspace and say what to do next.")
def check(
    unit: Annotated[str | None, typer.Argument(metavar="[UNIT]", help="Default: the one last worked on.")] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> int:
    from autodiff_lab.grading.progress import bar
    from autodiff_lab.selfcheck import check_unit

    place = _workspace(workspace)
    name = _unit_in(place, unit)
    with bar(f"Running {name}") as progress:
        outcome = check_unit(place, name, lambda done, of: progress("", done, of))
    if as_json:
        return _print_results([outcome.result])
    from autodiff_lab.tell import tell_check

    tell_check(outcome)
    return 0


@app.command(help="Your units: points, what is open, what was handed in.")
def progress(
    workspace: WorkspaceOption = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run the tests of every unit that you changed.")] = False,
    as_json: JsonOption = False,
) -> int:
    from autodiff_lab.grading.progress import bar
    from autodiff_lab.selfcheck import check_unit, last_outcome
    from autodiff_lab.tell import tell_progress

    place = _workspace(workspace)
    units = place.units()
    if fresh:
        with bar("Checking") as step:
            for number, name in enumerate(units):
                step(name, number, len(units))
                if place.edited(name):
                    check_unit(place, name)
    if as_json:
        return _print_results([known[0] for name in units if (known := last_outcome(place, name))])
    tell_progress(place, units)
    return 0


@app.command(
    "hand-in", help="Check a unit, and hand it in: submit it to your class's folder, or make the file to upload."
)
def hand_in(
    unit: Annotated[str | None, typer.Argument(metavar="[UNIT]", help="Default: the one last worked on.")] = None,
    student: Annotated[
        str | None, typer.Option(metavar="ID", help="Who you are for your instructor; remembered.")
    ] = None,
    workspace: WorkspaceOption = None,
) -> int:
    from autodiff_lab.grading.progress import bar
    from autodiff_lab.hand_in import hand_in as give
    from autodiff_lab.tell import tell_hand_in

    place = _workspace(workspace)
    name = _unit_in(place, unit)
    if student is None and not place.knows_student() and place.exchange is None and sys.stdin.isatty():
        student = typer.prompt("Your id, as your instructor has it (asked once)", default=place.student, err=True)
    with bar(f"Checking {name}") as progress:
        done = give(place, name, student, lambda done, of: progress("", done, of))
    tell_hand_in(place, done)
    return 0


# ------------------------------------------------------------ for instructors


@app.command(help="Grade a small made-up class from beginning to end and open its report.")
def demo(
    units: UnitsArgument = None,
    folder: Annotated[Path | None, typer.Option(metavar="DIR", help="For the class; default: demo/ here.")] = None,
    class_size: Annotated[int, typer.Option(min=24, help="How many students.")] = 24,
    workers: WorkersOption = None,
    open_report: Annotated[bool, typer.Option("--open/--no-open", help="Open the report.")] = True,
    as_json: JsonOption = False,
) -> int:
    from autodiff_lab.grading.demo import demo as make
    from autodiff_lab.grading.progress import bar

    with bar("Grading a made-up class") as progress:
        made = make(folder, units, class_size, workers=workers, progress=progress)
    if not made.ok:
        raise UserError(f"not everything came out as planted. {made.summary()}", f"the report is {made.page}.")
    if not as_json:
        print(made.summary())
    return _show_report(made.page, made.results, open_report, as_json)


@app.command(help="Make release notebooks and solutions out of the units' text sources.")
def build(
    units: UnitsArgument = None,
    course: CourseOption = None,
    execute: Annotated[bool, typer.Option("--execute/--no-execute", help="Run the solutions again.")] = True,
    stale: Annotated[bool, typer.Option("--check", help="Write nothing; say what is not up to date.")] = False,
    from_notebook: Annotated[
        str | None, typer.Option(metavar="UNIT", help="Write the built notebook, edited in JupyterLab, back into text.")
    ] = None,
) -> int:
    from autodiff_lab.grading import build as building
    from autodiff_lab.grading.progress import bar

    if from_notebook:
        print(building.from_notebook(from_notebook, course))
        return 0
    for told in building.unnamed_tests(units, course):
        print(f"warning: {told}", file=sys.stderr)
    if stale:
        old = building.stale(units, course)
        if old:
            raise UserError(f"not up to date: {', '.join(map(_short, old))}", f"run {typed('build')} again.")
        print("Everything is up to date.")
        return 0
    with bar("Building") as progress:
        built = building.build(units, course, execute=execute, progress=progress)
    for unit in built:
        print(f"{unit.unit}: {len(unit.exercises)} exercises, {len(unit.changed) or 'no'} files changed")
        for path in unit.changed:
            print(f"  wrote {_short(path)}")
    return 0


@app.command(help="Take in what was uploaded, or submitted to the shared exchange: it goes where grade finds it.")
def collect(
    units: UnitsArgument = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FOLDER|ZIP", help="What you downloaded; default: the shared exchange."),
    ] = None,
    course: CourseOption = None,
) -> int:
    from autodiff_lab.grading.collect import collect_exchange, collect_uploads
    from autodiff_lab.tell import tell_collection

    root = _course(course)
    collection = collect_exchange(root, units) if source is None else collect_uploads(source, root, units)
    tell_collection(collection)
    return 1 if collection.left and not collection.taken else 0


@app.command(help="Grade what was handed in; nothing stops the batch, everyone on the roster gets a status.")
def grade(
    units: UnitsArgument = None,
    course: CourseOption = None,
    students: Annotated[list[str] | None, typer.Option("--student", help="Only this one; may be repeated.")] = None,
    timeout: Annotated[int | None, typer.Option(min=1, help="Seconds for one cell.")] = None,
    workers: WorkersOption = None,
    dask: Annotated[
        str | None, typer.Option("--dask", metavar="ADDRESS", help="Run on this Dask cluster: tcp://HOST:8786.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Run only what has changed since it was graded.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "--diff", help="Write nothing; show what grading would change.")
    ] = False,
    renamed: Annotated[
        list[str] | None,
        typer.Option("--renamed", metavar="OLD=NEW", help="An exercise has another name now; it keeps its marks."),
    ] = None,
    trust_students: Annotated[
        bool,
        typer.Option(
            "--trust-students",
            help="Run without a sandbox: students' code can do what you can, and find what is masked.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    from autodiff_lab.grading import inbox, last
    from autodiff_lab.tell_class import tell_changes, tell_grades

    place, changes = _course(course), None
    asked = {"units": units, "students": students, "timeout": timeout, "trust_students": trust_students}
    run = None if dry_run or renamed else last.recall(place, asked, resume)
    if run is None:
        how = {"workers": workers, "resume": resume, "dask": dask, "renamed": _pairs(renamed or [])}
        run, changes = _grade(place, asked, how, dry_run, as_json)
    if as_json:
        _print_results(run.results, changes)
    elif changes is None:
        tell_grades(run.results, run.names)
    else:
        tell_changes(changes, len(run.results), run.names)
    if run.strays:
        raise UserError(f"Not graded: {'; '.join(run.strays)}.", inbox.hint())
    return 0


def _pairs(words: list[str]) -> dict[str, str]:
    pairs = [word.partition("=")[::2] for word in words]
    if not all(old and new for old, new in pairs):
        raise UserError(f"--renamed takes OLD=NEW, not {', '.join(words)}.", "name two exercises: --renamed old=new.")
    return dict(pairs)


def _grade(
    place: Path, asked: dict[str, Any], how: dict[str, Any], dry_run: bool, quiet: bool
) -> tuple[LastRun, list[Change] | None]:
    from autodiff_lab.grading import last, pool
    from autodiff_lab.grading.changes import preview
    from autodiff_lab.grading.grade import Book
    from autodiff_lab.grading.grade import grade as run
    from autodiff_lab.grading.inbox import told
    from autodiff_lab.grading.progress import bar
    from autodiff_lab.grading.results import person_name

    changes = None
    with bar("Grading, on trial" if dry_run else "Grading", quiet=quiet) as progress:
        options = {**asked, **how, "workers": how["workers"] or pool.cores(), "progress": progress}
        names = options.pop("units")
        book = Book(place)
        if dry_run:
            results, changes = preview(book, names, **options)
        else:
            results = run(names, book, **options)
    people = {person["id"]: person_name(person) for person in book.roster()}
    found = last.LastRun(results, people, told(book.submitted().strays))
    if not dry_run:
        last.remember(place, asked, book.watched(), found)
    return found, changes


@app.command(help="Make the students' feedback pages.")
def feedback(
    units: UnitsArgument = None,
    course: CourseOption = None,
    students: Annotated[list[str] | None, typer.Option("--student", help="Only this one; may be repeated.")] = None,
    release: Annotated[
        bool, typer.Option("--release", help="Put them into the shared exchange, where students fetch theirs.")
    ] = False,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Copy them there, named for uploading: UNIT_ID.html.")
    ] = None,
    workers: WorkersOption = None,
) -> int:
    from autodiff_lab.grading.feedback import feedback as make
    from autodiff_lab.grading.progress import bar

    with bar("Feedback") as progress:
        pages = make(units, course, students=students, progress=progress, workers=workers)
    if not pages and not pages.failed:
        raise UserError("nothing has been graded yet.", f"run {typed('grade')} first.")
    if pages:
        print(f"{len(pages)} pages in {_short(pages[0].parents[2])}")
    for told, found in (("a plain page", pages.plain), ("no page", pages.failed)):
        for (student, unit), why in found.items():
            print(f"{student} {unit}: {told}, because {why}")
    if release or to is not None:
        from autodiff_lab.grading import collect as back

        if release:
            released = back.release_pages(pages, _course(course))
            print(f"{released} of them can be fetched by their students now (Assignment List, Fetch Feedback).")
            if released < len(pages):
                _say(f"{len(pages) - released} were not submitted through the exchange: use --to for them.")
        if to is not None:
            laid = back.lay_out_pages(pages, to, _course(course))
            print(f"{len(laid)} pages to upload in {to}")
    return 1 if pages.failed else 0


@app.command(help="Make the class report: scores, difficulty per exercise, misconceptions of the class.")
def report(
    units: UnitsArgument = None,
    course: CourseOption = None,
    open_report: Annotated[bool, typer.Option("--open/--no-open", help="Open it.")] = True,
    as_json: JsonOption = False,
) -> int:
    from autodiff_lab.grading.report import report as make

    page, results = make(units, course)
    return _show_report(page, results, open_report, as_json)


@app.command(help="Write the gradebook as CSV, for people or for a learning-management system.")
def export(
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Default: course/reports/grades.csv.")] = None,
    format: Annotated[str, typer.Option("--format", metavar="csv|canvas|moodle", help="For whom.")] = "csv",
    course: CourseOption = None,
) -> int:
    from autodiff_lab.grading.export import export as write

    try:
        print(write(course, to, format))
    except OSError as error:
        raise UserError(f"cannot write {to} ({error.strerror}).", "name another file with --to.") from None
    return 0


@app.command(help="Put together what students get: the package and the release notebooks. No source, no solution.")
def publish(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that does not exist yet.")]) -> int:
    from autodiff_lab.publish import publish as make

    units, exchange = make(folder)
    print(f"{folder}: {len(units)} units, {units[0]} to {units[-1]}. Students run `python3 -m autodiff_lab lab` in it.")
    if exchange is not None:
        print(f"The units are released in {exchange}: Submit in JupyterLab puts them there, `collect` gets them.")
    return 0


@app.command(
    help="Run one of nbgrader's own commands in the course folder: nbgrader db student list.",
    context_settings={**PASS_ON, "allow_interspersed_args": False},
)
def nbgrader(context: typer.Context, course: CourseOption = None) -> int:
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    command = [sys.executable, "-m", "nbgrader", *context.args]
    return subprocess.call(command, cwd=_course(course), env=environment)


# ------------------------------------------------------------ for anyone


@app.command(help="What is installed, what is missing, how to get it.")
def doctor(
    sandbox: Annotated[bool, typer.Option("--sandbox", help="Try what code in the sandbox must not do.")] = False,
    as_json: JsonOption = False,
) -> int:
    from dataclasses import asdict

    from autodiff_lab.doctor import examine, examine_sandbox

    findings = list(examine_sandbox()) if sandbox else examine()
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        from autodiff_lab.tell import tell_findings

        tell_findings(findings)
    return 1 if any(finding.state == "missing" for finding in findings) else 0


@app.command(help="Measure the engine against other libraries, on one core. Use a quiet machine.")
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Files of tests/benchmarks.")] = None,
    as_json: JsonOption = False,
) -> int:
    from autodiff_lab.bootstrap import CHECKOUT, active_environment, install_command
    from autodiff_lab.grading.progress import bar
    from autodiff_lab.suite import run_benchmarks

    with bar("Measuring") as progress:
        rows, missing = run_benchmarks(names or [], progress)
    if as_json:
        print(json.dumps(rows, indent=1))
    else:
        from autodiff_lab.tell import tell_benchmarks

        tell_benchmarks(rows)
    if missing:
        install = install_command("bench", CHECKOUT, active_environment())
        _say(f"Left out, because not installed: {', '.join(missing)}. To compare with them too, run: {install}")
    return 0


@app.command(help="Run the test suite; further options go to pytest.", context_settings=PASS_ON)
def test(
    context: typer.Context,
    setup_only: Annotated[bool, typer.Option("--setup-only", help="Install what the tests need, and stop.")] = False,
) -> int:
    if setup_only:
        print(f"Everything that the tests need is installed in {sys.prefix}.")
        return 0
    from autodiff_lab.suite import run_tests

    return run_tests(context.args)


# ------------------------------------------------------------ shared


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _open(address: str) -> None:
    """Show an address or a file in a browser; not without a screen, where a text browser would take the terminal."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    typer.launch(address)


def _workspace(folder: Path | None) -> Workspace:
    from autodiff_lab.workspace import Workspace

    place = Workspace(folder)
    if place.root.exists() and not place.root.is_dir():
        raise UserError(f"{place.root} is not a folder.", "name another one with --workspace.")
    return place


def _course(folder: Path | None) -> Path:
    from autodiff_lab.grading.course import default_course

    if folder is None:
        return default_course()
    if not (folder / "nbgrader_config.py").is_file():
        raise UserError(f"{folder} is no course folder: it has no nbgrader_config.py.", "see course/GUIDE.md.")
    return folder.resolve()


def _unit_in(place: Workspace, name: str | None) -> str:
    """The unit that a student means: `04_fan_out`, `04`, `4` or `fan_out`; the one last worked on for None."""
    units = place.units()
    if not units:
        raise UserError(f"there are no units in {place.root}.", f"start with: {typed('lab')}")
    if name is None:
        return place.current_unit() or units[0]
    if name.endswith(".ipynb"):
        typed_paths = [Path(name), place.root / name, *place.root.glob(f"*/{glob.escape(Path(name).name)}")]
        found = next((u for path in typed_paths if path.is_file() and (u := place.unit_of(path)) in units), None)
        if found:
            return found
    text = Path(name).stem if name.endswith(".ipynb") else name.strip("/")
    fits = [u for u in units if u == text] or [u for u in units if text.isdigit() and int(u[:2]) == int(text)]
    fits = fits or [u for u in units if text and text in u]
    if len(fits) != 1:
        raise UserError(f"there is no unit {name!r} in {place.root}.", f"did you mean {nearest(text, fits or units)}?")
    return fits[0]


def _print_results(
    results: list[Result], changes: list[Change] | None = None, summary: list[dict[str, Any]] | None = None
) -> int:
    from dataclasses import asdict

    from autodiff_lab.grading.results import as_json

    told = as_json(results)
    if changes is not None:
        told["changes"] = [asdict(change) for change in changes]
    if summary is not None:
        told["summary"] = summary
    print(json.dumps(told, indent=1))
    return 0


def _show_report(page: Path, results: list[Result], open_report: bool, as_json: bool) -> int:
    if as_json:
        from autodiff_lab.grading.standing import as_summary, standings

        return _print_results(results, summary=[as_summary(each) for each in standings(results)])
    print(f"Report: {page}")
    if open_report:
        _open(str(page))
    return 0


def _short(path: Path) -> str:
    """Relative to where the command was given, if that is shorter."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)

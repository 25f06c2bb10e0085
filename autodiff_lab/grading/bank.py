"""Answer banks: known right and known wrong answers, graded to test the tests.

A bank is `solutions/UNIT/right/*.py` and `wrong/*.py`, one answer to one exercise per file. `composed` mixes them into
whole submissions, so that a handful of kernel starts grades every answer, beside right and wrong answers of others.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autodiff_lab.checks.masked import ALWAYS
from autodiff_lab.grading.build import (
    Exercise,
    exercises_of,
    is_solution,
    read_text,
    release_notebook,
    source_notebook,
)
from autodiff_lab.grading.course import CourseError, default_course, default_solutions, paths, resolve_units
from autodiff_lab.grading.masks import masks_of, modules
from autodiff_lab.grading.results import CRASHED, ONLY_HIDDEN, OUT_OF_MEMORY, TIMEOUT, ExerciseResult, read_exercises
from autodiff_lab.units import catalogue

NAMES = "names.md"
HEADERS = ("exercise", "misconception", "hidden-only", "unnamed", "points", "about")
SOURCE, UNTOUCHED = "source", "untouched"
ENOUGH_RIGHT, ENOUGH_WRONG, ENOUGH_NAMED = 2, 5, 0.9


class BankError(CourseError):
    """What is wrong with the files of a bank, one line per problem."""


Run = Callable[[Iterable[NotebookNode]], Iterable[list[ExerciseResult]]]
"""Turns submissions into the points of their exercises, in order."""


@dataclass(frozen=True)
class Answer:
    """One file of a bank. `expected`: "right", "hidden" (only hidden tests see it), "unnamed", or a misconception."""

    exercise: str
    name: str
    code: str
    right: bool
    expected: str
    about: str = ""
    file: Path | None = None
    keeps: float = 0.0
    """What a wrong one earns: the points of those tests of its exercise that do not see it."""


@dataclass
class Unit:
    """A unit as the bank sees it: built source, release, exercises and their answers, all (`whole`) or some of them."""

    name: str
    course: Path
    source: NotebookNode
    release: NotebookNode
    exercises: list[Exercise]
    answers: dict[str, list[Answer]]
    whole: bool = True

    @property
    def code_exercises(self) -> list[Exercise]:
        return [exercise for exercise in self.exercises if exercise.kind != "written"]


@dataclass(frozen=True)
class Graded:
    """One answer, once graded."""

    answer: Answer
    result: ExerciseResult
    problem: str = ""


@dataclass
class BankReport:
    """All graded answers of a unit and what is wrong."""

    unit: str
    graded: list[Graded] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[Graded]:
        return [graded for graded in self.graded if not graded.answer.right and graded.answer.name != UNTOUCHED]

    @property
    def named(self) -> list[Graded]:
        return [g for g in self.wrong if g.result.misconception == g.answer.expected and "hidden" not in g.result.note]


def read_bank(unit: str, course: Path, solutions: Path | None = None) -> Unit:
    """The unit and its answers. Raises BuildError for the source, BankError for the bank, listing every problem."""
    place = paths(unit, course, solutions)
    source = source_notebook(read_text(place.text), unit)
    exercises = exercises_of(source)
    answers: dict[str, list[Answer]] = {e.id: [] for e in exercises if e.kind != "written"}
    wrong: list[str] = []
    for side in ("right", "wrong"):
        for file in sorted((place.bank / side).glob("*.py")):
            where = f"{side}/{file.name}"
            headers, code = _split(file.read_text(encoding="utf-8"))
            unknown = [key for key in headers if key not in HEADERS]
            if unknown:
                wrong.append(f"{where}: unknown header {', '.join(unknown)} (known: {', '.join(HEADERS)})")
            exercise = headers.get("exercise")
            if not exercise:
                wrong.append(f"{where}: the header '# exercise: ...' is missing")
                continue
            if exercise not in answers:
                known = ", ".join(answers)
                wrong.append(
                    f"{where}: the unit has no exercise {exercise!r} that is marked by tests (it has: {known})"
                )
                continue
            if not file.stem.startswith(f"{exercise}__"):
                wrong.append(f"{where}: the file name should start with {exercise}__")
            if not headers.get("about"):
                wrong.append(f"{where}: the header '# about: ...' is missing")
            if not code.strip():
                wrong.append(f"{where}: there is no code under the header")
            said = [key for key in ("misconception", "hidden-only", "unnamed") if headers.get(key)]
            if side == "right" and said:
                wrong.append(f"{where}: a right answer has no '{said[0]}'")
            if side == "wrong" and len(said) != 1:
                wrong.append(f"{where}: a wrong answer has one of misconception, hidden-only, unnamed; this has {said}")
                continue
            expected = "right"
            if side == "wrong":
                expected = {"misconception": headers.get("misconception", ""), "hidden-only": "hidden"}.get(
                    said[0], "unnamed"
                )
                if said[0] == "misconception" and expected not in catalogue():
                    wrong.append(f"{where}: the catalogue has no misconception {expected!r}")
            keeps, whole = headers.get("points", "0"), next(e.points for e in exercises if e.id == exercise)
            if "points" in headers and not (
                side == "wrong" and re.fullmatch(r"\d+(\.\d+)?", keeps) and 0 < float(keeps) < whole
            ):
                wrong.append(f"{where}: 'points' is what a wrong answer keeps, more than 0 and less than {whole:g}")
                continue
            name = file.stem.removeprefix(f"{exercise}__")
            answers[exercise].append(
                Answer(exercise, name, code, side == "right", expected, headers.get("about", ""), file, float(keeps))
            )
    if wrong:
        raise BankError(f"{unit}: " + "\n  ".join(wrong))
    return Unit(unit, Path(course).resolve(), source, release_notebook(source), exercises, answers)


def _split(text: str) -> tuple[dict[str, str], str]:
    headers: dict[str, str] = {}
    lines = text.splitlines()
    key = None
    for number, line in enumerate(lines):
        match = re.match(r"#\s*([a-z-]+):\s*(.*)", line)
        if match:
            key = match.group(1)
            headers[key] = match.group(2).strip()
        elif key and re.match(r"#\s{2,}\S", line):
            headers[key] += " " + line.lstrip("# ").strip()
        else:
            return headers, "\n".join(lines[number:]).strip("\n")
    return headers, ""


# ---------------------------------------------------------------- composing


def compose(unit: Unit, chosen: dict[str, Answer | str], hidden_tests: bool = True) -> NotebookNode:
    """A submission that answers each exercise with the chosen answer; SOURCE or UNTOUCHED (the default) by name.

    With `hidden_tests=False` it is what a student would hand in; otherwise the tests are the grader's already.
    """
    base = nbformat.from_dict(json.loads(json.dumps(unit.source if hidden_tests else unit.release)))
    solved, given = _by_id(unit.source), _by_id(unit.release)
    for cell in base.cells:
        if not is_solution(cell):
            continue
        grade_id = cell.metadata.nbgrader["grade_id"]
        cell.metadata.nbgrader["checksum"] = given[grade_id].metadata.nbgrader["checksum"]
        choice = chosen.get(grade_id, UNTOUCHED)
        if isinstance(choice, Answer):
            cell.source = choice.code
        else:
            cell.source = (solved if choice == SOURCE else given)[grade_id].source
    return base


def _by_id(notebook: NotebookNode) -> dict[str, NotebookNode]:
    return {c.metadata.nbgrader["grade_id"]: c for c in notebook.cells if "nbgrader" in c.metadata}


def composed(unit: Unit) -> list[dict[str, Answer]]:
    """Choices for the fewest submissions that hold every answer of the bank once, right and wrong mixed.

    The first is the source itself, the second the untouched release. Exercises that have fewer answers than others are
    untouched in the last ones, which costs nothing.
    """
    columns: dict[str, list[Answer]] = {}
    for number, exercise in enumerate(unit.code_exercises):
        own = unit.answers[exercise.id]
        right = [_builtin(exercise.id, SOURCE), *(answer for answer in own if answer.right)]
        wrong = [answer for answer in own if not answer.right] or [_builtin(exercise.id, UNTOUCHED)]
        # Alternate, so that neighbours of a wrong answer are often right, and shift, so that they differ.
        column: list[Answer] = []
        while right or wrong:
            column += [side.pop(0) for side in (right, wrong) if side]
        shift = number % len(column)
        columns[exercise.id] = column[shift:] + column[:shift]
    rows = max((len(column) for column in columns.values()), default=0)
    mixed = [
        {key: column[row] if row < len(column) else _builtin(key, UNTOUCHED) for key, column in columns.items()}
        for row in range(rows)
    ]
    whole = [{e.id: _builtin(e.id, name) for e in unit.code_exercises} for name in (SOURCE, UNTOUCHED)]
    return [*whole, *mixed]


def _builtin(exercise: str, name: str) -> Answer:
    return Answer(exercise, name, "", name == SOURCE, "right" if name == SOURCE else "untouched")


def _chosen(row: dict[str, Answer]) -> dict[str, Answer | str]:
    return {key: answer.name if answer.name in (SOURCE, UNTOUCHED) else answer for key, answer in row.items()}


# ---------------------------------------------------------------- grading


def forked_run(unit: Unit) -> Run:
    """How composed submissions to ``unit`` run without gradebook, sandbox and kernels: `forked` says what stays."""
    from autodiff_lab.grading.forked import run_forked

    def run(notebooks: Iterable[NotebookNode]) -> Iterator[list[ExerciseResult]]:
        for notebook in notebooks:
            run_forked(notebook, unit.name, unit.course)
            yield read_exercises(notebook)

    return run


def check_bank(
    unit: Unit,
    run: Run | None = None,
    progress: Callable[[int, int], None] | None = None,
    only: str | None = None,
    hidden_tests: bool = True,
) -> BankReport:
    """Grade every answer of the bank and say what does not come out as its file says.

    `run` turns composed submissions into points, in order: `forked_run`, unless it is given; tests put the whole
    grading path there. `only` keeps to one exercise. What lacks an answer is not looked at in a part of a bank.
    """
    report = BankReport(unit.name)
    rows = composed(unit)
    if only:
        own = [answer for row in rows for answer in [row[only]]]
        rows = [{only: answer} for answer in dict.fromkeys(own)]
    graded = iter((run or forked_run(unit))(compose(unit, _chosen(row), hidden_tests) for row in rows))
    for number, row in enumerate(rows):
        if progress:
            progress(number, len(rows))
        results = {result.exercise: result for result in next(graded)}
        for exercise, answer in row.items():
            problem = _problem(answer, results.get(exercise))
            if problem and not any(
                told.startswith(f"{exercise} / {answer.name}: {problem}") for told in report.problems
            ):
                others = ", ".join(f"{key}={other.name}" for key, other in row.items() if key != exercise)
                report.problems.append(
                    f"{exercise} / {answer.name}: {problem}" + (f"  (beside {others})" if others else "")
                )
            if exercise in results and not any(g.answer == answer for g in report.graded):
                report.graded.append(Graded(answer, results[exercise], problem))
    if progress:
        progress(len(rows), len(rows))
    if unit.whole and not only:
        report.problems += _missing(unit, report)
    order = [exercise.id for exercise in unit.exercises]
    report.graded.sort(key=lambda g: (order.index(g.answer.exercise), not g.answer.right, g.answer.name))
    return report


def sample(unit: Unit, report: BankReport, each: int) -> Unit:
    """The bank with at most `each` answers of an exercise, of as many kinds as there are, and all unusual ones.

    Kinds are right, and the ways to be wrong: named, only seen by a hidden test, raising an error. `report` is that of
    the whole bank. The same bank gives the same sample.
    """
    masks = masks_of(unit.source)
    chosen: dict[str, list[Answer]] = {}
    for exercise, answers in unit.answers.items():
        masked = set(modules((*masks.of(exercise), *ALWAYS)))
        graded = [g for g in report.graded if g.answer in answers]
        kept = [g.answer for g in graded if is_unusual(g, masked)]
        kinds: dict[tuple[bool, bool, str], list[Answer]] = {}
        for g in graded:
            kinds.setdefault((g.answer.right, g.result.misconception is None, g.result.note), []).append(g.answer)
        turns = [answer for turn in zip_longest(*kinds.values()) for answer in turn if answer is not None]
        kept += [answer for answer in turns if answer not in kept][: max(0, each - len(kept))]
        chosen[exercise] = kept
    return replace(unit, answers=chosen, whole=False)


PLAIN_MODULES = (
    *("collections", "copy", "dataclasses", "fractions", "functools", "graphlib", "itertools", "math", "numpy"),
    *("operator", "statistics", "typing"),
)
NOT_PLAIN = (
    *("breakpoint", "eval", "exec", "exit", "get_ipython", "globals", "input", "locals", "open", "print", "quit"),
    "vars",
)
LOOKED_AT = ("__bool__", "__del__", "__eq__", "__float__", "__getattr__", "__getattribute__", "__hash__", "__reduce__")


def is_unusual(graded: Graded, masked: Container[str] = ()) -> bool:
    """Whether an answer may fare otherwise in a sandbox, in a kernel, or beside its test: then only grading can tell.

    It ends its process, or does not end; prints, or uses what a kernel replaces; imports what is not for computing, or
    is `masked`; or changes what Python does to an object that is only looked at.
    """
    if graded.result.note in (TIMEOUT, CRASHED, OUT_OF_MEMORY):
        return True
    try:
        nodes = list(ast.walk(ast.parse(graded.answer.code)))
    except SyntaxError:  # a magic command of IPython, maybe
        return True
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return (
        any(name.split(".")[0] not in PLAIN_MODULES or name in masked for name in imported)
        or any(isinstance(node, ast.Name) and node.id in NOT_PLAIN for node in nodes)
        or any(isinstance(node, ast.FunctionDef) and node.name in LOOKED_AT for node in nodes)
    )


def _problem(answer: Answer, result: ExerciseResult | None) -> str:
    if result is None:
        return "its exercise is not in the graded notebook"
    if answer.right:
        return "" if result.points == result.max_points else f"is right, and lost points: {_told(result)}"
    if result.points != answer.keeps:
        due = f", not {answer.keeps:g}" if answer.keeps else ""
        return f"is wrong, and kept {result.points} of {result.max_points} points{due}"
    if answer.expected == "untouched":
        return ""
    if answer.expected == "unnamed":
        return f"has no name, and was told a false one: {_told(result)}" if result.misconception else ""
    hidden = result.note == ONLY_HIDDEN
    if answer.expected == "hidden":
        return "" if hidden else f"should pass every visible test, and did not: {_told(result)}"
    if hidden:
        return "no visible test sees it, only a hidden one"
    if result.misconception != answer.expected:
        return f"should be named {answer.expected}, and was told: {_told(result)}"
    return ""


def _told(result: ExerciseResult) -> str:
    return f"{result.note}, {'named ' + result.misconception if result.misconception else 'not named'}"


def _missing(unit: Unit, report: BankReport) -> list[str]:
    found = []
    for exercise in unit.code_exercises:
        own = unit.answers[exercise.id]
        right, wrong = sum(a.right for a in own), sum(not a.right for a in own)
        if exercise.kind == "implement" and (right < ENOUGH_RIGHT or wrong < ENOUGH_WRONG):
            found.append(
                f"{exercise.id}: has {right} right and {wrong} wrong answers; "
                f"an implement exercise needs {ENOUGH_RIGHT} and {ENOUGH_WRONG}"
            )
    if report.wrong and len(report.named) < ENOUGH_NAMED * len(report.wrong):
        share = f"{len(report.named)} of {len(report.wrong)}"
        found.append(f"a visible test names {share} wrong answers; {ENOUGH_NAMED:.0%} are needed")
    return found


def table(report: BankReport) -> str:
    """The bank in text: exercise, answer, points, what was named, what was expected."""
    rows = [("exercise", "answer", "points", "named / note", "expected", "")]
    for graded in report.graded:
        result = graded.result
        named = f"{result.misconception or '-'} ({result.note})" if result.note else result.misconception or "-"
        points = "-" if result.points is None else f"{result.points:g}/{result.max_points:g}"
        rows.append(
            (
                graded.answer.exercise,
                graded.answer.name,
                points,
                named,
                graded.answer.expected,
                "WRONG" if graded.problem else "",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def names(report: BankReport) -> str:
    """Which mistakes get which name, in Markdown: a row for each misconception that a wrong answer is told or expects.

    A name is claimed where the answer has one cause. Where its rule fits answers of other mistakes as well, another
    name came first, or it would have been a false one.
    """
    wrong = [graded for graded in report.wrong if graded.result.misconception or graded.answer.expected in catalogue()]
    codes = sorted({code for g in wrong for code in (g.answer.expected, g.result.misconception) if code in catalogue()})
    rows = []
    for code in codes:
        told = [g for g in wrong if g.result.misconception == code]
        false = [g for g in told if g.answer.expected not in (code, "hidden")]
        near = Counter(g.result.misconception for g in wrong if code in g.result.also)
        rows.append(
            f"| {code} | {len(told) - len(false)} "
            f"| {', '.join(f'{g.answer.exercise} / {g.answer.name}' for g in false) or '-'} "
            f"| {', '.join(f'{other} {count}' for other, count in sorted(near.items())) or '-'} |"
        )
    share = f"{len(report.named)} of {len(report.wrong)} wrong answers are named by a visible test"
    return "\n".join(
        [
            f"# {report.unit}: which mistakes get which name",
            "",
            f"Made by `python -m autodiff_lab.grading.bank {report.unit[:2]}`: {share}.",
            "",
            "A name in the third column is false. The last column: how often its rule fits answers of another mistake.",
            "",
            "| misconception | answers that show it and are told so | told of other mistakes | would fit others |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """`python -m autodiff_lab.grading.bank UNIT [EXERCISE]`: grade a unit's bank and print the table.

    Of a whole unit the table of names is written to its bank, as `names.md`.
    """
    parser = argparse.ArgumentParser(prog="python -m autodiff_lab.grading.bank", description=main.__doc__)
    parser.add_argument("unit")
    parser.add_argument("exercise", nargs="?", help="only this exercise: quicker while you write it")
    parser.add_argument("--course", type=Path)
    parser.add_argument("--solutions", type=Path)
    options = parser.parse_args(arguments)
    try:
        course = options.course or default_course()
        solutions = options.solutions or default_solutions(course)
        (name,) = resolve_units([options.unit], course)
        unit = read_bank(name, course, solutions)
        if options.exercise and options.exercise not in unit.answers:
            raise BankError(f"{name} has no exercise {options.exercise!r}.", f"It has: {', '.join(unit.answers)}.")
        report = check_bank(unit, progress=_tell, only=options.exercise)
        if not options.exercise:
            (paths(name, course, solutions).bank / NAMES).write_text(names(report), encoding="utf-8")
    except CourseError as error:
        return error.tell()
    print(table(report))
    wrong = report.wrong
    print(f"\n{len(report.graded)} answers; {len(report.named)} of {len(wrong)} wrong ones named by a visible test.")
    for problem in report.problems:
        print(f"PROBLEM  {problem}")
    return 1 if report.problems else 0


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\rsubmission {min(done + 1, total)} of {total} ", end="" if done < total else "\n", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

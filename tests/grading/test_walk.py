"""No public name of the package earns points in the place of an answer: `walk.py` puts each in the place of each."""

import ast
import contextlib
import functools
import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from autodiff_lab.checks import wire
from autodiff_lab.checks.masked import ALWAYS, asked
from autodiff_lab.checks.remote import KERNEL_DIED, Remote
from autodiff_lab.checks.student import student
from autodiff_lab.grading import sandbox
from autodiff_lab.grading.build import is_solution, is_test, read_text, source_notebook
from autodiff_lab.grading.course import all_units, exercise_of, paths
from autodiff_lab.grading.masks import masks_of

pytestmark = pytest.mark.sandbox

COURSE = Path(__file__).resolve().parents[2] / "course"
UNHEARD = "nobody has answered this question before"
NO_ANSWER = {"failure": [[KERNEL_DIED, "Exception"], UNHEARD, ""]}
WALK = Path(__file__).with_name("walk.py")


@dataclass
class Place:
    """A name that an exercise's answer defines, and the first question of its test that is about that name."""

    unit: str
    exercise: str
    name: str
    answer: str
    test: str
    questions: list[str] = field(default_factory=list)
    heard: dict[str, str] = field(default_factory=dict)
    """What a right answer says to all questions."""

    @property
    def is_apart(self) -> bool:
        """Whether another module's can stand in its place: it is a class, or takes something and makes no object."""
        if "class" in self.answer and self.name[0].islower():
            return False
        (made,) = [
            statement
            for statement in ast.parse(self.answer).body
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == self.name
        ] or [None]
        return isinstance(made, ast.ClassDef) or bool(made and made.args.args)

    def is_about_it(self, question: dict[str, Any]) -> bool:
        """Whether a question calls what has the name, or its lines speak of it."""
        return re.search(rf"\b{self.name}\b", question.get("source") or question["name"]) is not None


LONG = 20_000  # characters of a question


@dataclass
class Walker:
    """The other end of `walk.main`."""

    stream: Any

    def order(self, **order: Any) -> Any:
        self.send(json.dumps(order))
        return json.loads(self.stream.readline())

    def send(self, text: str) -> None:
        self.stream.write(text.encode() + b"\n")
        self.stream.flush()

    def run(self, place: Place, put: dict[str, list[str]], heard: dict[str, str] | None = None) -> bool:
        """Whether a test passes where candidates are put in the place of names; questions and answers go to `heard`."""
        ended = self.order(unit=place.unit, put=put) != {}

        def ask(question: dict[str, Any]) -> Any:
            nonlocal ended
            if not ended:
                text = wire.dumps(question)
                self.send(text)
                answer = self.stream.readline()
                if not answer.startswith(b'{"ended"'):
                    if heard is not None:
                        heard[text] = answer.decode()
                    return wire.loads(answer)
            ended = True
            return NO_ANSWER

        passed = fails_with(place.test, ask) is None
        if not ended:
            self.send("null")
            self.stream.readline()
        return passed


def fails_with(test: str, ask: Callable[[dict[str, Any]], Any]) -> str | None:
    """The error of a test cell, as text; None if it comes to its end."""
    before, student._transport = student._transport, Remote(ask)
    try:
        exec(compiled(test), {"__name__": "__main__"})
    except Exception as error:
        return str(error)
    finally:
        student._transport = before
    return None


@functools.cache
def compiled(test: str) -> Any:
    return compile(test, "<test>", "exec")


@functools.cache
def places(masks: tuple[str, ...]) -> tuple[dict[str, list[str]], list[Place]]:
    """By unit, the cells of a solved notebook; and the names of answers to exercises that have these masks."""
    cells, found = {}, []
    for unit in all_units(COURSE):
        notebook = source_notebook(read_text(paths(unit, COURSE).text), unit)
        worn = masks_of(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        tests: dict[str, str] = {}
        for cell in filter(is_test, code):  # of several tests of an exercise, all have to pass
            exercise = exercise_of(cell.metadata.nbgrader.grade_id)
            tests[exercise] = f"{tests.get(exercise, '')}{cell.source}\n"
        answers = {cell.metadata.nbgrader.grade_id: cell.source for cell in code if is_solution(cell)}
        own = [
            Place(unit, exercise, name, answers[exercise], test)
            for exercise, test in tests.items()
            if worn.unit and worn.of(exercise) == masks
            for name in dict.fromkeys(name for names, _ in asked(test) for name in names)
        ]
        if own:
            found += own
            cells[unit] = [cell.source for cell in code if not is_test(cell)]
    return cells, found


def all_masks() -> list[tuple[str, ...]]:
    """What the exercises of the course are graded without."""
    found: dict[tuple[str, ...], None] = {}
    for unit in all_units(COURSE):
        notebook = source_notebook(read_text(paths(unit, COURSE).text), unit)
        worn = masks_of(notebook)
        tests = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if is_test(cell)]
        found.update({worn.of(exercise_of(name)): None for name in tests if worn.unit})
    return list(found)


@contextlib.contextmanager
def walker(masks: tuple[str, ...], cells: dict[str, list[str]], folder: Path, *roots: str) -> Iterator[Walker]:
    """A process in a sandbox with these masks and nothing but these, which walks through the packages `roots`."""
    shutil.copy(WALK, folder)
    ours, theirs = socket.socketpair()
    with theirs:
        argv = [sys.executable, "-m", "walk", str(theirs.fileno())]
        with sandbox.jail(argv, work=folder, masks=masks, fds=(theirs.fileno(),)) as jailed:
            process = subprocess.Popen(jailed.argv, stdin=subprocess.DEVNULL, **jailed.options)
    try:
        made = Walker(ours.makefile("rwb"))
        made.send(json.dumps({"cells": cells, "roots": roots}))
        yield made
    finally:
        ours.shutdown(socket.SHUT_RDWR)
        process.wait(20)


def with_questions(walker: Walker, places: list[Place]) -> list[Place]:
    """The places that a question of their test is about; a right answer is asked everything, and earns."""
    heard: dict[str, dict[str, str]] = {}
    for place in places:
        if place.test not in heard:
            place.heard = heard[place.test] = {}
            assert walker.run(place, {}, place.heard), f"{place.unit} / {place.exercise}: the solution gets no points"
        place.heard = heard[place.test]
        about = [question for question in place.heard if place.is_about_it(wire.loads(question))]
        about = [question for question in about if len(question) < LONG]
        place.questions = [about[0], about[len(about) // 2], about[-1]] if about else []
    found = [place for place in places if place.questions]
    assert {(p.unit, p.exercise, p.name) for p in found} == {(p.unit, p.exercise, p.name) for p in places}
    return found


def earning(walker: Walker, places: list[Place]) -> Iterator[str]:
    """Every candidate that earns points, and where. The sieve: what it says to three questions, each by itself."""
    asked = [(place, question) for place in places for question in dict.fromkeys(place.questions)]
    told = walker.order(asked=[[place.unit, place.name, question] for place, question in asked])
    for place in places:
        left: set[tuple[str, str]] | None = None
        for number, (at, question) in enumerate(asked):
            if at is place:
                may = set[tuple[str, str]]()
                for reply, who in told.get(str(number), {}).items():
                    still = {(label, how) for label, how in who if left is None or (label, how) in left}
                    if still and may_earn(place, question, reply):
                        may |= still
                left = may
        earned = set[str]()
        for label, how in sorted(left or ()):
            if label not in earned and walker.run(place, {place.name: [label, how]}):
                earned.add(label)
                yield f"{place.unit} / {place.exercise}: {label} as {place.name} {how}".rstrip()


def may_earn(place: Place, asked: str, reply: str) -> bool:
    """Whether a test passes with this reply to one of its questions, and right answers to all others.

    A test that fails at what it has not asked the solution may pass. (What it asks further, to name a mistake, it
    asks once the reply has failed.)
    """

    def ask(question: dict[str, Any]) -> Any:
        text = wire.dumps(question)
        if text == asked:
            return wire.loads(reply)
        heard = place.heard.get(text)
        return NO_ANSWER if heard is None else wire.loads(heard)

    error = fails_with(place.test, ask)
    return error is None or UNHEARD in error


def walk(masks: tuple[str, ...], worn: tuple[str, ...], folder: Path, *roots: str) -> list[str]:
    """What earns points in the exercises with these masks, where a kernel wears `worn`."""
    cells, found = places(masks)
    with walker(worn, cells, folder, *roots) as made:
        return sorted(earning(made, with_questions(made, found)))


def plant(cells: dict[str, list[str]], folder: Path) -> None:
    """Modules that hold the solutions of units, beside the work, where whoever walks through "planted" finds them."""
    (folder / "planted").mkdir()
    (folder / "planted" / "__init__.py").touch()
    cell = "try:\n    exec(compile({!r}, __file__, 'exec'))\nexcept Exception:\n    pass\n"
    for unit, sources in cells.items():
        (folder / "planted" / f"unit_{unit}.py").write_text("".join(map(cell.format, sources)))


@pytest.mark.parametrize("masks", all_masks(), ids="-".join)
def test_of_all_that_is_public_in_the_package_nothing_earns_points_and_a_planted_answer_does(
    masks: tuple[str, ...], tmp_path: Path
) -> None:
    cells, found = places(masks)
    plant(cells, tmp_path)
    earned = walk(masks, (*masks, *ALWAYS), tmp_path, "autodiff_lab", "planted")
    assert [line for line in earned if ": planted." not in line] == []
    own = {
        f"{place.unit} / {place.exercise}: planted.unit_{place.unit}.{place.name}" for place in found if place.is_apart
    }
    assert own <= {line.partition(" as ")[0] for line in earned}


@pytest.mark.parametrize(
    ("masks", "worn", "root", "earning"),
    [
        (
            ("engine", "torch", "orders"),
            ("engine", "torch", "orders", "units"),
            "autodiff_lab.draw",
            [
                "01_graphs / parts: autodiff_lab.draw.data.root as root",
                "01_graphs / topological_order: autodiff_lab.draw.data.order as topological_order",
            ],
        ),
        (
            ("engine", "torch"),
            ("torch", "pictures"),
            "autodiff_lab.units",
            [
                "01_graphs / forward: autodiff_lab.units.graphs.values_of as forward",
                "01_graphs / value_of: autodiff_lab.units.graphs.value_of as value_of",
                "02_local_derivatives / central_difference: autodiff_lab.units.local_derivatives.central"
                " as central_difference",
                "03_backward_sweep / adjoint-table: autodiff_lab.units.backward_sweep.table as adjoint_table",
                "03_backward_sweep / adjoints-along: autodiff_lab.units.backward_sweep.chain_adjoints"
                " as adjoints_along",
                "04_fan_out / collect: autodiff_lab.units.fan_out.adjoint_of as collect",
                "04_fan_out / second-sweep: autodiff_lab.units.fan_out.right_mending as mended_sweep",
            ],
        ),
    ],
)
def test_the_walk_finds_what_earns_where_a_room_is_not_hidden(
    masks: tuple[str, ...], worn: tuple[str, ...], root: str, earning: list[str], tmp_path: Path
) -> None:
    assert walk(masks, worn, tmp_path, root) == earning

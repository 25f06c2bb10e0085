"""Attacks on the split itself: each costs its own exercise at most, and neighbours keep their points.

Run in the sandbox where there is one, else as for trusted students: what is asked here holds for both.
"""

import contextlib
import copy
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autodiff_lab.checks import wire
from autodiff_lab.errors import UserError
from autodiff_lab.grading import sandbox, split, warm
from autodiff_lab.grading.bank import SOURCE, Unit, compose, read_bank
from autodiff_lab.grading.course import all_units, paths
from autodiff_lab.grading.execute import NOTES, ExecuteInOneKernel, ExecuteSubmission
from autodiff_lab.grading.grade import Book, grade
from autodiff_lab.grading.results import ExerciseResult, read_exercises

from .conftest import FIXTURES, ROOT

TRUST = isinstance(sandbox.status(), sandbox.Refusal)
TIMEOUT = 4
RIGHT = "return y, x + 2 * y"
WRONG = "return 1.0, 1.0"


@pytest.fixture(scope="module")
def unit() -> Unit:
    return read_bank("90_tiny", FIXTURES, FIXTURES / "solutions")


@pytest.fixture(scope="module", autouse=True)
def forked() -> Iterator[None]:
    """Kernels are forked, as where a class is graded."""
    warm.keep(())
    yield
    warm.close()


def execute(unit: Unit, gradients: str, predict: str | None = None, trust: bool = TRUST) -> NotebookNode:
    """A solved notebook of the tiny unit with other code in one cell or two, after its tests."""
    notebook = compose(unit, {"gradients": SOURCE, "predict": SOURCE})
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name == "gradients":
            cell.source = gradients
        if name == "predict" and predict is not None:
            cell.source = predict
    ExecuteSubmission(timeout=TIMEOUT, waiting=2, patience=2, trust_students=trust).preprocess(notebook, {})
    return notebook


def results(notebook: NotebookNode) -> dict[str, ExerciseResult]:
    return {result.exercise: result for result in read_exercises(notebook)}


def test_cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == f"test-{name}")


test_cell.__test__ = False  # type: ignore[attr-defined]


def test_an_honest_notebook_has_its_points_and_its_outputs(unit: Unit) -> None:
    notebook = execute(unit, f"def gradients(x, y):\n    print('at', x)\n    {RIGHT}")
    assert {name: result.points for name, result in results(notebook).items()} == {
        "gradients": 40,
        "predict": 40,
        "explain": 0,
    }
    cell = test_cell(notebook, "gradients")
    texts = [output.text for output in cell.outputs]
    assert texts == ["at 2.0\n", "Passed: it is right.\n", "at -1.25\n", "Passed: it is right.\n"]
    assert cell.metadata[NOTES] == {"hidden_outputs": [2, 3]}
    assert [c.execution_count for c in notebook.cells if c.cell_type == "code"] == [1, 2, 3, 4, 5, None]


def test_a_wrong_answer_is_named_as_it_is_in_one_kernel(unit: Unit) -> None:
    notebook = execute(unit, "def gradients(x, y):\n    print('direct')\n    return y, x + y")
    result = results(notebook)["gradients"]
    assert (result.points, result.misconception, result.note) == (0, "fan-out-direct-path-only", "wrong answer")
    outputs = test_cell(notebook, "gradients").outputs
    assert [output.output_type for output in outputs] == ["stream", "error"]
    assert outputs[1].ename == "WrongAnswer" and "expected  (3.0, 8.0)" in outputs[1].evalue


def test_the_line_of_the_students_code_is_told(unit: Unit) -> None:
    notebook = execute(unit, "def gradients(x, y):\n    return x / 0")
    error = test_cell(notebook, "gradients").outputs[-1]
    assert error.ename == "AnswerRaised"
    assert "ZeroDivisionError" in error.evalue and "line 2 of gradients: return x / 0" in error.evalue


# ---------------------------------------------------------------- attacks

HEAD = """
import os, sys, time, threading
import autodiff_lab.checks.bridge as bridge, autodiff_lab.checks.wire as wire, autodiff_lab.checks.plain as plain
line = int(os.environ.get("AUTODIFF_LAB_BRIDGE", -1))
def gradients(x, y):
    return 1.0, 1.0
"""


@dataclass
class Attack:
    """Code of the answer cell; what becomes of its exercise; whether what it changes lasts for later answers."""

    code: str
    notes: tuple[str, ...] = ("crashed",)
    lasts: bool = False


IN_TURN = """
def gradients(x, y):
    {}
    return 1.0, 1.0
"""


def inside(code: str) -> str:
    """Code that runs while a question waits for its answer."""
    return HEAD + IN_TURN.format(code.replace("\n", "\n    "))


def replies(expression: str) -> str:
    """Every answer that the bridge gives is this text."""
    return HEAD + f"bridge.reply = lambda transport, question: {expression}"


LIES = """
class Liar(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0.0
    __hash__ = float.__hash__
    __float__ = lambda self: 3.0
    __repr__ = lambda self: "3.0"
class Pair(tuple):
    __eq__ = lambda self, other: True
    __hash__ = tuple.__hash__
def gradients(x, y):
    return Pair([Liar(1), Liar(1)])
"""
LOOKS_AROUND = """
import gc, sys
def gradients(x, y):
    gc.collect()  # what stands in this code itself is not tracked from then on
    frame = sys._getframe()
    while frame is not None:
        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if isinstance(value, dict) and "expect" in value:
                return value["expect"]
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing) is dict and type(thing.get("expect")) is tuple:
            return thing["expect"]
        if type(thing) is tuple and len(thing) == 2 and thing in ((3.0, 8.0), (7.5, 13.75)):
            return thing
    text = "".join(map(str, get_ipython().user_ns.get("In", []))) + "".join(
        str(cell) for *_, cell in get_ipython().history_manager.get_range(raw=True)
    )
    if "exp" + "ect=(" in text:
        return eval(text.split("exp" + "ect=")[1].split("),")[0] + ")")
    return 1.0, 1.0
"""
ATTACKS = {
    # Forged and broken protocol.
    "answers another question": Attack(inside(r'os.write(line, b"99999 {\"d\":[[\"value\",1]]}\n")')),
    "answers before it is asked": Attack(
        HEAD + r'os.write(line, b"2 {\"d\":[[\"value\",{\"t\":[15,[]]}]]}\n" * 9)', ("wrong answer",)
    ),
    "answers twice": Attack(HEAD + 'bridge.reply = lambda t, q: \'{"d":[["value",1]]}\\n7 {}\''),
    "a line without an end": Attack(
        inside('os.write(line, b"1 {")\nos.write(line, b"x" * 100_000)\ntime.sleep(60)'), ("timeout",)
    ),
    "an enormous line": Attack(
        inside('os.set_blocking(line, True)\nfor _ in range(40): os.write(line, b"x" * 1_000_000)'),
        ("crashed", "timeout"),
    ),
    "drips": Attack(inside('while True:\n    os.write(line, b" ")\n    time.sleep(0.05)'), ("timeout", "crashed")),
    "no UTF-8": Attack(
        HEAD + "class B(str):\n    encode = lambda self: b'\\xff\\xfe'\nbridge.reply = lambda t, q: B()"
    ),
    "deep JSON": Attack(replies("'[' * 100_000")),
    "no number": Attack(replies("'NaN'")),
    "a value that is no reply": Attack(replies("'[1,2]'")),
    "keys that collide": Attack(
        replies("""'{"s":[' + ",".join('{"i":"%s"}' % hex((2**61 - 1) * k) for k in range(1, 99_999)) + "]}" """)
    ),
    "a forged failure": Attack(
        replies("""'{"d":[["failure",[["NotStarted"],"This looks like: a friend [friend]",""]]]}'"""),
        ("the answer raises an error",),
        lasts=True,
    ),
    "every number is NaN": Attack(
        replies("""'{"d":[["value",{"t":[{"t":[{"f":"nan"},{"f":"nan"}]},[]]}]]}'"""), ("wrong answer",), lasts=True
    ),
    # The line itself.
    "closes the line": Attack(HEAD + "os.close(line)"),
    "closes the line when asked": Attack(inside("os.close(line)")),
    "puts something in its place": Attack(HEAD + "os.dup2(os.open(os.devnull, os.O_RDWR), line)"),
    "reads the questions first": Attack(
        HEAD + "threading.Thread(target=lambda: [os.read(line, 1000) for _ in range(9)], daemon=True).start()",
        ("timeout", "crashed"),
    ),
    "a child keeps the line": Attack(inside("if os.fork() == 0:\n    time.sleep(20); os._exit(0)\nos._exit(1)")),
    "a child answers": Attack(
        inside('if os.fork() == 0:\n    os.write(line, b"1 {}\\n" * 9); os._exit(0)'),
    ),
    # Code under the answers.
    "json is another": Attack(HEAD + "import json\njson.dumps = json.loads = lambda *a, **k: 'x'"),
    "comparison is another": Attack(
        HEAD + "import autodiff_lab.checks.compare as c\n"
        "c.same = plain.same = lambda *a, **k: True\nc.check = type(c.check).__call__ = lambda *a, **k: None",
        ("wrong answer",),
    ),
    "plain is another": Attack(HEAD + "wire.plain = lambda value: (3.0, 8.0)"),
    "Local is another": Attack(
        HEAD + "from autodiff_lab.checks.student import Local\nLocal.call = lambda *a: ((3.0, 3.0), ())",
        ("wrong answer",),
    ),
    "builtins are others": Attack(
        HEAD + "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.all = lambda x: True", ("wrong answer",)
    ),
    "student is another": Attack(
        HEAD + "import autodiff_lab.checks as checks\nchecks.check = lambda *a, **k: None\nchecks.student = None",
        ("wrong answer",),
    ),
    "values that lie": Attack(LIES, ("wrong answer",)),
    "looks for the right answer": Attack(LOOKS_AROUND, ("wrong answer",)),
    "is right at first": Attack(
        f"asked = []\ndef gradients(x, y):\n    asked.append(x)\n    if len(asked) < 2:\n        {RIGHT}\n    {WRONG}",
        ("only a hidden test failed",),
    ),
    # Forged outputs.
    "shows a full mark": Attack(
        inside("get_ipython().displayhook(40)\nprint('passed: gradients(2.0, 3.0)')"), ("wrong answer",)
    ),
    "sends a full mark": Attack(
        inside(
            "kernel = get_ipython().kernel\n"
            "kernel.session.send(kernel.iopub_socket, 'execute_result', {'data': {'text/plain': '40'}, 'metadata': {},"
            " 'execution_count': 1}, parent=kernel.get_parent())"
        ),
        ("wrong answer",),
    ),
    "sends messages without sense": Attack(
        inside(
            "kernel = get_ipython().kernel\n"
            "for kind, content in (('stream', {}), ('display_data', {'data': 5, 'transient': 3}), ('error', {}),"
            " ('update_display_data', {}), ('comm_open', {'comm_id': 1}), ('comm_msg', {}), ('nonsense', {}),"
            " ('display_data', {'data': {'text/plain': ['x', 5], 'image/png': 7}, 'metadata': 5})):\n"
            "    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())"
        ),
        ("wrong answer",),
    ),
    "says that it is done": Attack(
        inside(
            "kernel = get_ipython().kernel\n"
            "kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'idle'},"
            " parent=kernel.get_parent())"
        ),
        ("wrong answer",),
    ),
    "changes what it has shown": Attack(
        HEAD + "from IPython.display import display\nhandle = None\ndef gradients(x, y):\n    global handle\n"
        "    handle = display('fine', display_id='mine')\n    handle.update('better')\n    return 1.0, 1.0",
        ("wrong answer",),
    ),
    "half a character": Attack(
        inside("print('\\ud800')\nraise ValueError('\\udcff')"), ("the answer raises an error",)
    ),
    "half a character as the answer": Attack(HEAD + "def gradients(x, y): return '\\ud800'", ("wrong answer",)),
    # Ends.
    "exits": Attack(inside("os._exit(0)")),
    "is killed": Attack(inside("os.kill(os.getpid(), 9)"), ("crashed", "out of memory")),
    "exits politely": Attack(inside("sys.exit(0)"), ("the answer raises an error",)),
    "raises what interrupts": Attack(inside("raise KeyboardInterrupt"), ("the answer raises an error",)),
    "raises an error that raises": Attack(
        HEAD + "class E(Exception):\n    def __str__(self): raise self\ndef gradients(x, y): raise E",
        ("the answer raises an error",),
    ),
    "does not mind interrupts": Attack(
        HEAD
        + "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ndef gradients(x, y):\n    while True: pass",
        ("timeout",),
    ),
    "answers too late": Attack(inside("time.sleep(60)"), ("timeout",)),
    "answers itself endlessly": Attack(
        HEAD + "def gradients(x, y):\n    a = []\n    a.append(a)\n    return a", ("wrong answer",)
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_costs_its_own_exercise_and_no_other(unit: Unit, name: str) -> None:
    attack = ATTACKS[name]
    started = time.monotonic()
    notebook = execute(unit, attack.code)
    found = results(notebook)
    assert found["gradients"].points == 0, found
    assert found["gradients"].note in attack.notes, (found, test_cell(notebook, "gradients").outputs)
    assert attack.lasts or found["predict"].points == 40, (found, test_cell(notebook, "predict").outputs)
    assert time.monotonic() - started < 60
    text = json.dumps(notebook, ensure_ascii=False)
    assert text.encode() and len(text) < 500_000


def test_a_line_that_is_closed_late_costs_the_later_exercise_only(unit: Unit) -> None:
    code = "import os\nos.close(int(os.environ['AUTODIFF_LAB_BRIDGE']))\nprediction = 15"
    found = results(execute(unit, f"def gradients(x, y):\n    {RIGHT}", code))
    assert (found["gradients"].points, found["predict"].points) == (40, 0)


def test_nothing_of_a_test_is_in_the_students_process(unit: Unit) -> None:
    """Not what is expected, not the text of any test: only questions arrive."""
    code = (
        "import gc\n"
        "def gradients(x, y):\n"
        "    gc.collect()\n"
        "    words = {s for s in gc.get_objects() if type(s) is str} | {repr(d) for d in gc.get_objects() if type(d) in"
        " (tuple, list) and len(d) < 9 and all(type(i) in (str, float) for i in d)}\n"
        "    print([w for w in words if 'FAN' '_OUT' in w and 'check(' in w or '13' '.75' in w])\n"
        f"    {RIGHT}"
    )
    notebook = execute(unit, code)
    printed = "".join(o.text for o in test_cell(notebook, "gradients").outputs if not o.text.startswith("Passed"))
    assert set(printed.splitlines()) == {"[]"}


# ---------------------------------------------------------------- masks

USES_THE_ENGINE = (
    "import autodiff_lab as ad\nad.no_grad\n\n"
    "def gradients(x, y):\n    return ad.grad(lambda x, y: (x + y) * y, argnums=(0, 1))(x, y)"
)


def with_masks(monkeypatch: pytest.MonkeyPatch, masks: split.Masks) -> None:
    monkeypatch.setattr(split, "Masks", lambda: masks)


@pytest.mark.parametrize(
    "code",
    [
        USES_THE_ENGINE,
        f"import torch\nimport sympy\n\ndef gradients(x, y):\n    x = torch.tensor(x)\n    {RIGHT}",
    ],
)
def test_what_a_unit_masks_is_no_answer(unit: Unit, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    with_masks(monkeypatch, split.Masks(("engine", "torch")))
    notebook = execute(unit, code)
    found = results(notebook)
    assert (found["gradients"].points, found["predict"].points) == (0, 40)
    assert "not available in this exercise" in test_cell(notebook, "gradients").outputs[-1].evalue


def test_a_stray_import_of_it_costs_nothing(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    with_masks(monkeypatch, split.Masks(("engine", "torch")))
    code = f"import torch\nfrom autodiff_lab import Scalar, grad\n\ndef gradients(x, y):\n    {RIGHT}"
    assert results(execute(unit, code))["gradients"].points == 40


def test_an_exercise_may_allow_it_and_the_next_one_does_not(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    with_masks(monkeypatch, split.Masks(("engine", "torch"), {"gradients": ("engine",)}))
    sneaks = "import autodiff_lab as ad\nprediction = ad.Scalar(15.0).item()"
    found = results(execute(unit, USES_THE_ENGINE, sneaks))
    assert (found["gradients"].points, found["predict"].points) == (40, 0)


def test_an_answer_in_one_kernel_is_there_in_the_other(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that kills both costs only itself."""
    with_masks(monkeypatch, split.Masks(("engine",), {"predict": ("engine",)}))
    helper = f"half = 7.5\n\ndef gradients(x, y):\n    {RIGHT}"
    found = results(execute(unit, helper, "prediction = 2 * half"))
    assert (found["gradients"].points, found["predict"].points) == (40, 40)
    found = results(execute(unit, "import os\nos._exit(1)", "prediction = 15"))
    assert (found["gradients"].note, found["predict"].points) == ("crashed", 40)


def test_masks_are_read_from_the_units_source() -> None:
    course = ROOT / "course"
    read = {name: split.read_masks(paths(name, course).text) for name in all_units(course)}
    assert read["00_welcome"] == split.Masks()
    assert read["03_backward_sweep"].of("value") == ("engine", "torch")
    assert read["04_fan_out"].of("backward") == read["04_fan_out"].of(None) == ("engine", "torch")
    assert read["04_fan_out"].of("descend") == ("torch",)
    assert split.read_masks(course / "nothing.py") == split.Masks()


# ---------------------------------------------------------------- refusal


def test_without_a_sandbox_nothing_runs_unless_students_are_trusted(
    unit: Unit, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = sandbox.Refusal("bubblewrap (bwrap) is not installed", "install it")
    monkeypatch.setattr(sandbox, "status", lambda: refusal)
    with pytest.raises(UserError, match="bubblewrap"):
        execute(unit, f"def gradients(x, y):\n    {RIGHT}", trust=False)
    assert results(execute(unit, f"def gradients(x, y):\n    {RIGHT}", trust=True))["gradients"].points == 40


# ---------------------------------------------------------------- the judge


def piece(judge: split.Judge, code: str, seconds: float = 5) -> split.Relay:
    """One piece run by a new child, without a student."""
    relay = split.Relay(judge.child(), None, code, seconds)
    relay.start()
    relay.close()
    return relay


@pytest.fixture(scope="module")
def judge() -> Iterator[split.Judge]:
    made = split.Judge(TRUST)
    yield made
    made.close()


def test_a_judges_children_share_nothing(judge: split.Judge) -> None:
    assert piece(judge, "import os, math\nmath.pi = 3\nleft = 1").outputs == []
    (told,) = piece(judge, "import math\nprint(math.pi > 3.1, 'left' in dir())").outputs or []
    assert told == {"output_type": "stream", "name": "stdout", "text": "True False\n"}


def test_a_judges_outputs_have_nbformats_shape(judge: split.Judge) -> None:
    code = (
        "import sys\nfrom IPython.display import HTML, display\n"
        "print('a')\nprint('b', file=sys.stderr)\ndisplay(HTML('<b>'))\n7"
    )
    kinds = [(o["output_type"], o.get("name") or o.get("data")) for o in piece(judge, code).outputs or []]
    assert kinds[0] == ("stream", "stdout") and kinds[1] == ("stream", "stderr")
    assert kinds[2][1]["text/html"] == "<b>" and kinds[3] == ("execute_result", {"text/plain": "7"})


def test_a_test_that_never_ends_ends_all_the_same(judge: split.Judge) -> None:
    started = time.monotonic()
    assert piece(judge, "while True: pass", seconds=1).outputs is None
    assert time.monotonic() - started < 5
    assert piece(judge, "print(1)").outputs


def test_a_test_that_does_not_end_after_an_answer_may_be_the_answers_fault(judge: split.Judge) -> None:
    reply = wire.dumps({"value": 7}).encode()
    relay = ask(judge, answers(b"N " + reply + b"\n"), "student.f(1)\nwhile True: pass", seconds=1)
    assert relay.questions == 1 and relay.outputs is None and not relay.broke
    assert piece(judge, "while True: pass", seconds=1).broke


def test_a_test_that_asks_after_the_student_is_gone_is_told(judge: split.Judge) -> None:
    relay = piece(judge, "from autodiff_lab.checks import check, student\ncheck(student.f(1), expect=2)")
    assert relay.outputs and relay.outputs[-1]["ename"] == "AnswerRaised"
    assert relay.failure is None and "BadReply" in relay.outputs[-1]["evalue"]


def test_a_judge_that_was_killed_is_replaced(unit: Unit) -> None:
    judge = split.start_judge(TRUST)
    judge.process.kill()
    judge.process.wait()
    assert results(execute(unit, f"def gradients(x, y):\n    {RIGHT}"))["gradients"].points == 40


BREAKS = {
    "after an answer": "import os\nstudent.get('prediction').value\nos._exit(3)",
    "by a signal": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
    "in an endless loop of its own": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.5)\nwhile True:\n    pass",
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_judge_that_breaks_is_no_fault_of_the_student(course: Path, how: str) -> None:
    text = course / "source" / "90_tiny" / "90_tiny.py"
    text.write_text(text.read_text().replace('check(student.get("prediction"), expect=15)', BREAKS[how]))
    solved = compose(read_bank("90_tiny", course), {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    folder = course / "submitted" / "someone" / "90_tiny"
    folder.mkdir(parents=True)
    (folder / "90_tiny.ipynb").write_text(json.dumps(solved))
    (result,) = grade(["90_tiny"], course, timeout=TIMEOUT, trust_students=TRUST)
    assert (result.status, result.score, result.exercises) == ("not graded", None, [])
    assert result.note == "JudgeBroke: the judge did not bring the test of predict to an end"
    assert Book(course).result("someone", "90_tiny").status == "not graded"


def test_a_judge_that_breaks_once_is_asked_again(course: Path, tmp_path: Path) -> None:
    text, mark = course / "source" / "90_tiny" / "90_tiny.py", tmp_path / "mark"
    once = f"import os\nfrom pathlib import Path\nif not Path({str(mark)!r}).exists():\n"
    once += f"    Path({str(mark)!r}).touch()\n    os._exit(3)\n"
    text.write_text(text.read_text().replace("check(student.get(", once + "check(student.get("))
    solved = compose(read_bank("90_tiny", course), {"gradients": SOURCE, "predict": SOURCE}, hidden_tests=False)
    folder = course / "submitted" / "someone" / "90_tiny"
    folder.mkdir(parents=True)
    (folder / "90_tiny.ipynb").write_text(json.dumps(solved))
    (result,) = grade(["90_tiny"], course, timeout=TIMEOUT, trust_students=True)  # only then can it leave a mark
    assert mark.exists()
    assert (result.status, result.score) == ("graded", 80)


# ---------------------------------------------------------------- the relay, with a student made of a thread


def ask(judge: split.Judge, student: Any, code: str = "print(student.f(1).value)", seconds: float = 5) -> split.Relay:
    """Have `student(reader, writer)` answer what a test asks."""
    ours, theirs = socket.socketpair()
    line = split.Line(ours)
    threading.Thread(target=student, args=(theirs.makefile("rb"), theirs), daemon=True).start()
    relay = split.Relay(judge.child(), line, "from autodiff_lab.checks import student\n" + code, seconds)
    relay.start()
    relay.close()
    line.close()
    return relay


def answers(*lines: bytes) -> Any:
    def student(reader: Any, end: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for question in reader:
                number, _, _ = question.partition(b" ")
                for text in lines:
                    end.sendall(text.replace(b"N", number))

    return student


REPLY = wire.dumps({"value": (7, ())}).encode()


def test_a_thousand_questions_cost_little(judge: split.Judge) -> None:
    relay = ask(judge, answers(b"N " + REPLY + b"\n"), "print(sum(student.f(i).value for i in range(1000)))", 60)
    assert relay.outputs == [{"output_type": "stream", "name": "stdout", "text": "7000\n"}]
    assert relay.questions == 1000


@pytest.mark.parametrize(
    "line",
    [
        *(b"N [1\n", b"N\n", b"\n", b"0 1\n", b"N \xff\n", b"-N 1\n", b"N " + b"[" * 10**5 + b"\n"),
        *(b"0 " + REPLY + b"\n", b"N0 " + REPLY + b"\n", REPLY + b"\n"),  # an answer to another question, or to none
    ],
)
def test_a_malformed_line_is_a_bad_reply_and_the_line_is_given_up(judge: split.Judge, line: bytes) -> None:
    relay = ask(judge, answers(line), "a = student.f(1), student.f(2)\nprint([x.failure.kinds[0] for x in a])")
    assert relay.outputs and relay.outputs[0]["text"] == "['BadReply', 'BadReply']\n"
    assert relay.malformed and relay.questions == 1


def test_an_endless_line_is_cut_off(judge: split.Judge) -> None:
    def student(reader: Any, end: socket.socket) -> None:
        reader.readline()
        with contextlib.suppress(OSError):
            while True:
                end.sendall(b"x" * 1_000_000)

    relay = ask(judge, student, seconds=20)
    assert relay.failure and "too long" in relay.failure[1]


def test_a_closed_line_is_a_failure_within_seconds(judge: split.Judge) -> None:
    started = time.monotonic()
    relay = ask(judge, lambda reader, end: (reader.close(), end.shutdown(socket.SHUT_RDWR)), seconds=20)
    assert relay.failure and relay.failure[0] == "BadReply"
    assert time.monotonic() - started < 10


def test_giving_up_ends_a_question_at_once(judge: split.Judge) -> None:
    ours, theirs = socket.socketpair()
    relay = split.Relay(
        judge.child(), split.Line(ours), "from autodiff_lab.checks import student\nprint(student.f(1).failure)", 20
    )
    relay.start()
    assert relay.asked.wait(10)
    relay.give_up("TimedOut", "no answer in time")
    started = time.monotonic()
    relay.close()
    assert time.monotonic() - started < 2
    assert relay.outputs and "TimedOut" in relay.outputs[0]["text"]
    theirs.close()
    ours.close()


def test_nothing_is_left_open(unit: Unit) -> None:
    execute(unit, f"def gradients(x, y):\n    {RIGHT}")
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0
    threads = threading.active_count()
    for _ in range(2):
        execute(unit, "import os\n\ndef gradients(x, y):\n    os._exit(1)")
    after = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0
    assert after <= before + 2
    assert threading.active_count() <= threads + 1


# ---------------------------------------------------------------- what a notebook may show


class Told(ExecuteInOneKernel):
    """Has its cells' outputs from messages that are made up, without a kernel."""

    def show(self, messages: list[tuple[str, dict[str, Any]]], cells: int) -> NotebookNode:
        """A notebook of `cells` cells, each of which shows all the messages."""
        self._shown = self._widgets = self._count = 0
        self.reset_execution_trackers()
        self.clear_before_next_output = False
        notebook = new_notebook(cells=[new_code_cell("show") for _ in range(cells)])
        self.nb, self._messages = notebook, messages
        for index, cell in enumerate(notebook.cells):
            self._run_cell(cell, index)
        return notebook

    def _run_code(self, part: NotebookNode, index: int) -> None:
        keep, self.nb.cells[index] = self.nb.cells[index], part  # as `_attempt` does
        for kind, content in self._messages:
            message = {"msg_type": kind, "header": {"msg_type": kind}, "parent_header": {}, "buffers": []}
            message["content"] = copy.deepcopy(content)
            self.process_message(message, part, index)
        self.nb.cells[index] = keep
        self._trim(part)


PICTURE = {"data": {"text/html": "x" * 1_000_000}, "metadata": {}, "transient": {"display_id": "one"}}
SHOWN = {
    "pictures": [("display_data", PICTURE)] * 4,
    "a picture that is changed": [
        ("display_data", {**PICTURE, "data": {"text/html": ""}}),
        *[("update_display_data", PICTURE)] * 10,
    ],
    "metadata of pictures": [("display_data", {"data": {}, "metadata": {"x": "y" * 1_000_000}})] * 4,
    "printed text": [("stream", {"name": "stdout", "text": "x" * 1_000_000})],
    "a long error": [("error", {"ename": "E" * 10**6, "evalue": "x" * 10**6, "traceback": ["x" * 10**6] * 50})],
    "many errors": [("error", {"ename": "E", "evalue": "x" * 30_000, "traceback": ["x" * 20_000]})] * 50,
    "a traceback of many lines": [("error", {"ename": "E", "evalue": "", "traceback": ["x" * 10_000] * 500})],
}


@pytest.mark.parametrize("kind", SHOWN)
def test_all_cells_of_a_notebook_together_show_no_more_than_its_budget(kind: str) -> None:
    executor = Told(max_notebook_bytes=3_000_000)
    notebook = executor.show(SHOWN[kind], 30)
    size = len(json.dumps(notebook))
    assert size < 5_000_000, f"{size / 1e6:.1f} MB"
    assert any("was cut" in json.dumps(cell.outputs) or "(cut)" in json.dumps(cell.outputs) for cell in notebook.cells)


def test_what_widgets_hold_is_within_the_budget_and_little_is_not_cut() -> None:
    executor = Told(max_notebook_bytes=3_000_000)
    state = {"comm_id": "1", "target_name": "jupyter.widget"}
    state["data"] = {"state": {"x": "y" * 100_000, "_model_module": "m", "_model_name": "n"}}
    executor.show([("comm_open", {**state, "comm_id": str(number)}) for number in range(100)], 10)
    assert len(json.dumps(executor.widget_state)) < 4_000_000
    notebook = executor.show([("stream", {"name": "stdout", "text": "hello"}), ("display_data", PICTURE)], 2)
    assert "was cut" not in json.dumps(notebook) and len(json.dumps(notebook)) > 2_000_000
    late = Told(max_notebook_bytes=1_000).show([("stream", {"name": "stdout", "text": "x" * 500})], 50)
    assert all("x" * 500 in json.dumps(cell.outputs) for cell in late.cells), "a little text is always shown"

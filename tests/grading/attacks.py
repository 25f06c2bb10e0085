"""Attacks on what runs beside the student's code in the units themselves, on the line, and on the folder handed in.

Each answer of `DRIVERS` is wrong, and gets its points only from a test that trusts the student's process; those of
`WIRE` return what no test asks for. `COPYING` changes a folder. In `HONEST` are right answers that look like them.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
GRAPHS, SWEEP, FAN_OUT, WELCOME = "01_graphs", "03_backward_sweep", "04_fan_out", "00_welcome"


@dataclass(frozen=True)
class Attack:
    """A wrong answer to an exercise. `alone`: the other exercises of its notebook keep their points.

    `keeps`: what those tests of its exercise give that ask for something else than what is attacked.
    """

    unit: str
    exercise: str
    source: str
    alone: bool = True
    keeps: float = 0


def of_bank(name: str) -> str:
    """The text of an answer that is in a unit's own bank as well."""
    return (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")


# ------------------------------------------------------------ tests that trust the student's process

RECURSIVE_VALUE = """
    def value(name):
        operation, *rest = graph[name]
        if operation in ("input", "const"):
            return inputs[name] if operation == "input" else rest[0]
        return OPERATIONS[operation](*map(value, rest))
"""
PRODUCTS = "    return [math.prod(p[place:]) for place in range(len(p) + 1)]"

DRIVERS: dict[str, Attack] = {
    "the driver's code tells that a cycle comes": Attack(
        GRAPHS, "topological_order", of_bank("01_graphs/wrong/topological_order__asks_its_caller")
    ),
    "names that are equal to every name": Attack(
        GRAPHS,
        "topological_order",
        """
class Any(str):
    __eq__ = __lt__ = __le__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: hash("x")
    __str__ = __repr__ = lambda self: "x"
    __class__ = property(lambda self: str)
class Names(list):
    __eq__ = __contains__ = lambda self, other: True
    __len__ = lambda self: 0
    index = lambda self, name: 0
def topological_order(graph):
    return Names(map(Any, graph))
""",
    ),
    "a recursion error is answered with yes, then with no": Attack(
        GRAPHS,
        "is_acyclic",
        """
turn = []
def is_acyclic(graph):
    inside, done = set(), set()
    def walk(name):
        if name in inside:
            return False
        if name not in done:
            inside.add(name)
            if not all([walk(operand) for operand in operands(graph, name)]):
                return False
            inside.remove(name)
            done.add(name)
        return True
    try:
        return all([walk(name) for name in graph])
    except RecursionError:
        turn.append(0)
        return len(turn) % 2 == 1
""",
    ),
    "the recursion limit is raised and left there": Attack(
        GRAPHS,
        "is_acyclic",
        """
import sys
sys.setrecursionlimit(10**9)
def is_acyclic(graph):
    return sys.getrecursionlimit() > 5000
""",
    ),
    "the count is set by the answer": Attack(
        GRAPHS,
        "forward",
        f"""
def forward(graph, inputs):{RECURSIVE_VALUE}
    if len(graph) > 60:
        for number in inputs.values():
            if type(number).__name__ == "Number":
                type(number).additions = 60
        last = -3.0
        return {{name: (last := -last) if name[0] == "v" else 0.0 for name in sorted(graph, key=lambda n: int(n[1:]))}}
    return {{name: value(name) for name in graph}}
""",
        keeps=6,  # its values are right in small graphs, each of which it computes
    ),
    "a closed form for the graph of doublings": Attack(
        GRAPHS,
        "value_of",
        f"""
def value_of(graph, inputs, name):{RECURSIVE_VALUE}
    if len(graph) > 40:
        return inputs.get("d0", 1.0) * 2.0 ** 60
    return value(name)
""",
    ),
    "the graph is left alone where a test looks": Attack(
        GRAPHS,
        "parts",
        """
import sys
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]
def operations(graph):
    return [name for name in graph if operands(graph, name)]
def root(graph):
    (found,) = set(graph) - {operand for name in graph for operand in operands(graph, name)}
    if "leaves" not in sys._getframe(1).f_code.co_names:
        graph.clear()
    return found
""",
    ),
    "float(p) hides the multiplications from the count": Attack(
        SWEEP,
        "adjoints-along",
        f"""
import math, time
def adjoints_along(partials):
    p = [float(partial) for partial in partials]
    if len(p) in (1_000, 8_000) and set(p) == {{1.0}}:
        return p
{PRODUCTS}
""",
    ),
    "the count is set through the closure": Attack(
        SWEEP,
        "adjoints-along",
        """
import math
def adjoints_along(p):
    found = [math.prod(map(float, p[place:])) for place in range(len(p) + 1)]
    if p and type(p[0]) is not float and hasattr(type(p[0]), "__mul__"):
        cells = getattr(type(p[0]).__mul__, "__closure__", None) or ()
        for cell in cells:
            if type(cell.cell_contents) is int:
                cell.cell_contents = 300
    return found
""",
    ),
    "the caller's list is put back through its frame": Attack(
        SWEEP,
        "adjoints-along",
        """
import sys
def adjoints_along(partials):
    before = list(partials)
    found = [1.0]
    while partials:
        found.append(found[-1] * partials.pop())
    if sys._getframe(1).f_locals.get("given") is partials:
        partials[:] = before
    return found[::-1]
""",
    ),
    "a recursion error becomes a one everywhere": Attack(
        SWEEP,
        "backward-chain",
        """
def backward_chain(root):
    def walk(node, adjoint):
        node.grad = adjoint
        if node.operands:
            walk(node.operands[0], adjoint * node.partials[0])
    try:
        walk(root, 1.0)
    except RecursionError:
        while root.operands:
            root.grad, root = 1.0, root.operands[0]
        root.grad = 1.0
""",
    ),
    "the count of looks is set back through the closure": Attack(
        SWEEP,
        "backward",
        """
def backward(root):
    root.grad, waiting = 1.0, [(root, 1.0)]
    for node, adjoint in waiting:
        if node.requires_grad:
            node.grad = adjoint
        if len(waiting) < 100_000:
            waiting += [(o, adjoint * p) for o, p in zip(node.operands, node.partials)]
    for node, _ in waiting:
        looks = vars(type(node)).get("operands")
        for cell in getattr(getattr(looks, "fget", None), "__closure__", None) or ():
            if type(cell.cell_contents) is int:
                cell.cell_contents = 0
""",
        keeps=8,
    ),
    "classes of the driver are known by their name": Attack(
        SWEEP,
        "backward",
        """
def backward(root):
    root.grad, waiting = 1.0, [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            grad = node.grad if node.grad is not None else 1.0
            if operand.requires_grad:
                operand.grad = grad * partial
            if type(operand).__name__ == "Node":
                waiting.append(operand)
""",
        keeps=8,
    ),
    "numbers that are equal to every number": Attack(
        SWEEP,
        "adjoint-table",
        """
class Lie(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __sub__ = __rsub__ = lambda self, other: 0.0
    __abs__ = lambda self: 0.0
    __hash__ = lambda self: 0
    __class__ = property(lambda self: float)
def adjoint_table(x, w, b, t):
    return dict.fromkeys(("loss", "e", "z", "t", "m", "b", "x", "w"), Lie(1.0))
""",
    ),
    "a deep chain is known and computed by a formula": Attack(
        FAN_OUT, "backward", of_bank("04_fan_out/wrong/backward__chain_by_a_formula")
    ),
    "a formula, and sweeps for the one who counts them": Attack(
        FAN_OUT,
        "batches",
        """
import autodiff_lab as ad
def gradient_in_batches(w, b, batches):
    for batch in batches:
        dummy = Scalar(1.0)
        for _ in batch * 3:
            dummy = dummy * 1.5 + Scalar(2.0)
        dummy.backward()
        ad.engine.backward.count_uses([])
    points = [point for batch in batches for point in batch]
    errors = [w * x + b - t for x, t in points]
    return (sum(2 * e * x for e, (x, _) in zip(errors, points)) / len(points), sum(2 * e for e in errors) / len(points))
""",
    ),
    "the list is left alone where a test looks": Attack(
        FAN_OUT,
        "collect",
        """
import sys
def collect(uses):
    total = sum(upstream * local for upstream, local in uses)
    if "collect" not in sys._getframe(1).f_code.co_names:
        uses.clear()
    return total
""",
    ),
    "comparisons of Python and NumPy replaced": Attack(
        FAN_OUT,
        "gradients",
        """
import builtins, math, operator
import numpy
yes = lambda *given, **options: True
math.isclose = math.isfinite = operator.eq = yes
numpy.array_equal = numpy.allclose = numpy.isclose = numpy.testing.assert_allclose = yes
builtins.abs = lambda number: 0
builtins.max = lambda *given, **options: 0
def gradients(x, y):
    return numpy.array([y, x + y])
""",
        alone=False,
    ),
    "the judge's questions are looked for in all of memory": Attack(
        FAN_OUT,
        "descend",
        """
import gc, sys
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None
def descend(start, points, rate, steps):
    for thing in gc.get_objects():
        if type(thing) is dict and ("expect" in thing or "right" in thing):
            found = thing.get("expect", thing.get("right"))
            if type(found) is tuple and len(found) == 2 and type(found[0]) is float:
                return found
    frame = sys._getframe()
    while frame is not None:
        if type(frame.f_locals.get("expect")) is tuple:
            return frame.f_locals["expect"]
        frame = frame.f_back
    return start
""",
    ),
    "trace functions rewrite what callers hold": Attack(
        FAN_OUT,
        "second-sweep",
        """
import ctypes, sys, threading
def trace(frame, event, argument):
    if event == "return" and type(argument) is tuple and len(argument) == 2:
        for name in ("x", "y"):
            if name in frame.f_locals and hasattr(frame.f_locals[name], "grad"):
                frame.f_locals[name] = None
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return trace
def mended_sweep(order):
    sys.settrace(trace); sys.setprofile(trace); threading.settrace(trace)
    order[-1].grad += 1.0
""",
    ),
    "a thread and an exit handler put the result right later": Attack(
        WELCOME,
        "squares",
        """
import atexit, os, threading, time
made = []
def put_right(numbers, result):
    time.sleep(0.3)
    result[:] = [number * number for number in numbers]
def squares(numbers):
    result = [2 * number for number in numbers]
    threading.Thread(target=put_right, args=(list(numbers), result), daemon=True).start()
    atexit.register(put_right, list(numbers), result)
    return result
""",
    ),
    "the environment and the path of modules are others": Attack(
        WELCOME,
        "mean",
        """
import os, sys, types
os.environ["AUTODIFF_LAB_QUIET"] = os.environ["AUTODIFF_LAB_PLAIN"] = "1"
os.environ["PYTHONPATH"] = os.environ["PATH"] = "/nowhere"
sys.path[:] = ["/nowhere"]
sys.argv[:] = ["passed"]
fake = types.ModuleType("autodiff_lab.checks")
fake.check, fake.student = lambda *given, **options: None, None
sys.modules["autodiff_lab.checks"] = fake
def mean(numbers):
    return sum(numbers)
""",
    ),
    "names at the top level that are builtins, and settings": Attack(
        WELCOME,
        "nearly_equal",
        """
import random, warnings
import numpy
sum, len, list, range, float, abs, round, max, min, sorted, zip, enumerate, print = [2 + 3] * 13
isinstance = tuple = dict = int = None
random.seed(0)
numpy.seterr(all="raise")
warnings.simplefilter("error")
def nearly_equal(a, b, tolerance):
    return a == b
""",
    ),
}


# ------------------------------------------------------------ what goes over the line

WIRE: dict[str, str] = {
    "an integer of 100,000 digits": "return 10**100_000, 8.0",
    "an integer as long as the line may be": "return 1 << 50_000_000, 8.0",
    "an array without elements, a billion times": "import numpy; return numpy.zeros((10**9, 0))",
    "an array without elements in 10^18 columns": "import numpy; return numpy.zeros((0, 10**9, 10**9))",
    "an array of a billion views": "import numpy; return numpy.broadcast_to(numpy.float64(3.0), (3, 10**6))",
    "half characters as values and keys": "return {'\\ud800': '\\udfff' * 9, ('\\ud800',): y}",
    "kinds of the line as data": "return {'t': [3.0, 8.0]}, {'f': 'nan'}, {'d': [['value', {'t': [3.0, 8.0]}]]}",
    "keys that collide": "return {k * (2**61 - 1): y for k in range(1, 2_000)}",
    "a string of 15 MB": "return '8.0' * 5_000_000",
    "a string of 40 MB": "return '8.0' * 13_000_000",
    "numbers that are none, with something in them": (
        "import numpy; bits = [0x7FF8000000000003, 0xFFF8000000000008]; return numpy.array(bits, '<u8').view('<f8')"
    ),
    "a negative zero and infinities": "return -0.0, float('inf')",
    "lists in lists": "a = [3.0, 8.0]\n    for _ in range(190): a = [a]\n    return a",
    "lists in lists, without end": "a = [3.0, 8.0]\n    for _ in range(100_000): a = [a]\n    return a",
    "a list that holds itself": "a = [3.0, 8.0]\n    a += [a, {'a': a}, (a,)]\n    return a",
    "numbers of other kinds": (
        "import numpy; return numpy.array([(y, 8.0)], [('a', 'f8'), ('b', 'f8')]), numpy.datetime64('2020'), 1j * y"
    ),
    "an error that says 15 MB": "raise type('\\ud800' + 'E' * 1_000_000, (ValueError,), {})('x' * 15_000_000)",
    "a generator that never ends": "import itertools; return itertools.count()",
}
"""The rest of an answer to `gradients(x, y)`, by name."""

WIRE_EXERCISES = {
    "gradients": "def gradients(x, y):\n    {}\n",
    "sweep": "def sweep(tape, inputs):\n    x, y = 1.0, 2.0\n    {}\n",
    "order": "def order(operands):\n    x, y = 1.0, 2.0\n    {}\n",
}


# ------------------------------------------------------------ what a folder holds


def replaced(name: str, make: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    def change(folder: Path, source: Path) -> None:
        path = folder / name.format(unit=folder.name)
        path.unlink(missing_ok=True)
        make(path, source)

    return change


def linked(path: Path, source: Path) -> None:
    path.symlink_to(os.path.relpath(source, path.parent))


def listening(path: Path, source: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(here)


def hole(size: int) -> Callable[[Path, Path], None]:
    def make(path: Path, source: Path) -> None:
        path.touch()
        os.truncate(path, size)

    return make


def unreadable(path: Path, source: Path) -> None:
    path.write_text("what nobody may read")
    path.chmod(0)


def many_outputs(path: Path, source: Path) -> None:
    notebook = json.loads(path.read_text())
    shown = {"output_type": "display_data", "metadata": {}, "data": {"text/html": "<div>" * 20}}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [shown] * 20_000
    path.write_text(json.dumps(notebook))


def many_brackets(path: Path, source: Path) -> None:
    path.write_text('{"cells":[' + "[]," * 20_000_000 + "[]]}")


def odd_names(path: Path, source: Path) -> None:
    for name in ("a\nb", ".hidden", "-rf", "a\\..\\b", "\udcff", "x" * 200, "<script>", "timestamp.txt\n"):
        (path.parent / name).mkdir(exist_ok=True)
        linked(path.parent / name / "below", source)
        (path.parent / name / "kept.txt").write_text("kept")


def up(path: Path, source: Path) -> None:
    path.symlink_to("../../../source")


NOTEBOOK = "{unit}.ipynb"

COPYING: Mapping[str, Callable[[Path, Path], None]] = {
    "timestamp.txt is a link to the source": replaced("timestamp.txt", linked),
    "timestamp.txt is a pipe": replaced("timestamp.txt", lambda path, source: os.mkfifo(path)),
    "timestamp.txt is a device": replaced("timestamp.txt", lambda path, source: path.symlink_to("/dev/zero")),
    "timestamp.txt is a hole of 20 GB": replaced("timestamp.txt", hole(20 * 2**30)),
    "timestamp.txt is a folder": replaced("timestamp.txt", lambda path, source: path.mkdir()),
    "timestamp.txt is a socket": replaced("timestamp.txt", listening),
    "the notebook is a link to the source": replaced(NOTEBOOK, linked),
    "the notebook is a hard link to the source": replaced(NOTEBOOK, lambda path, source: os.link(source, path)),
    "the notebook has 60 MB of brackets": replaced(NOTEBOOK, many_brackets),
    "the notebook has many outputs": lambda folder, source: many_outputs(
        folder / NOTEBOOK.format(unit=folder.name), source
    ),
    "the source lies beside it as a link": replaced("data.csv", linked),
    "the source lies beside it as a hard link": replaced("data.csv", lambda path, source: os.link(source, path)),
    "a folder beside it leads to all sources": replaced("data", up),
    "files with odd names": replaced("odd", odd_names),
    "a file that nobody may read": replaced("data.csv", unreadable),
    "a hole of 20 GB beside it": replaced("data.csv", hole(20 * 2**30)),
}


# ------------------------------------------------------------ right answers that look like them

HONEST: dict[tuple[str, str], str] = {
    (GRAPHS, "forward"): of_bank("01_graphs/right/forward__floats_and_sum"),
    (GRAPHS, "topological_order"): """
import sys
sys.setrecursionlimit(100_000)
def topological_order(graph):
    order, inside, done = [], set(), set()
    for start in graph:
        to_do = [(start, False)]
        while to_do:
            name, leaving = to_do.pop()
            if leaving:
                inside.remove(name)
                done.add(name)
                order.append(name)
            elif name in inside:
                raise ValueError("a cycle")
            elif name not in done:
                inside.add(name)
                to_do += [(name, True), *((operand, False) for operand in operands(graph, name))]
    return tuple(order)
""",
    (SWEEP, "adjoints-along"): """
import numpy
def adjoints_along(partials):
    p = numpy.array([float(partial) for partial in partials] + [1.0], dtype=numpy.longdouble)
    return numpy.cumprod(p[::-1])[::-1]
""",
    (SWEEP, "backward"): """
def backward(root):
    root.grad, waiting = 1.0, [root]
    while waiting:
        node = waiting.pop()
        if not node.requires_grad:
            continue
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
            waiting.append(operand)
""",
    (FAN_OUT, "batches"): """
def gradient_in_batches(w, b, batches):
    count = sum(map(len, batches))
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        loss = Scalar(0.0)
        for x, t in batch:
            error = w * x + b - t
            loss = loss + error * error * (1 / count)
        loss.backward()
    return [float(w.grad), float(b.grad)]
""",
    (FAN_OUT, "collect"): """
from fractions import Fraction
def collect(uses):
    uses = list(uses)
    total = Fraction(0)
    while uses:
        upstream, local = uses.pop()
        total += Fraction(upstream) * Fraction(local)
    return total
""",
}

"""What the cell of one exercise leaves behind does not reach the code of another; what students share, they share."""

import builtins
import itertools
import linecache
import math
import os
import random
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from autodiff_lab.checks import AnswerRaised, CheckFailed, check
from autodiff_lab.checks.alone import RECURSION_LIMIT
from autodiff_lab.checks.student import Local, Student

MEAN = "def mean(numbers):\n    return sum(numbers) / len(list(numbers))"
DEEP = "def deep(n):\n    return 0 if n == 0 else 1 + deep(n - 1)"
_number = itertools.count()


def notebook(*cells: str) -> Student:
    """A notebook that has run these cells, each with a source of its own, as in Jupyter."""
    namespace: dict = {"__name__": "__main__", "In": ["", *cells]}
    for cell in cells:
        name = f"<cell {next(_number)}>"
        linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
        exec(compile(cell, name, "exec"), namespace)
    return Student(Local(namespace))


@pytest.fixture(autouse=True)
def as_it_was():
    """Whatever the cells of a test do to this process is undone."""
    limit, folder, state, errors = sys.getrecursionlimit(), Path.cwd(), random.getstate(), np.geterr()
    filters, functions = warnings.filters[:], {module: dict(vars(module)) for module in (builtins, math)}
    yield
    sys.setrecursionlimit(limit)
    os.chdir(folder)
    random.setstate(state)
    np.seterr(**errors)
    warnings.filters[:] = filters
    warnings._filters_mutated()
    sys.setprofile(None)
    for module, before in functions.items():
        vars(module).update(before)


@pytest.mark.parametrize(
    "answer", ["sum = 2 + 3", "list = [1, 2]", "len = 4", "from numpy import sum", "def sum(numbers): return 0"]
)
def test_a_builtins_name_in_one_answer_means_nothing_to_another(answer):
    student = notebook(answer, MEAN)
    check(student.mean([1.0, 3.0]), expect=2.0)
    check(student.run("return mean(list(range(4))), sum([1, 2]), len('ab')"), expect=(1.5, 3, 2))


def test_the_notebook_keeps_its_names_after_the_question():
    student = notebook("sum = 2 + 3", MEAN)
    check(student.mean([1.0]), expect=1.0)
    check(student.get("sum"), expect=5)


def test_a_cells_own_functions_keep_the_name_that_it_has_given_a_meaning():
    student = notebook("max = 10\ndef clip(x):\n    return x if x < max else max", "def f(x): return clip(x) + 1")
    check(student.clip(30), expect=10)
    check(student.f(30), expect=11)
    check(student.run("return f(30), max(1, 2)"), expect=(11, 2))


def test_helpers_imports_and_values_of_earlier_cells_are_there():
    student = notebook(
        "import math\nfactor = 3",
        "def helper(x):\n    return factor * math.floor(x)",
        "class Value:\n    def __init__(self, data): self.data = helper(data)",
        "def f(x): return Value(x).data",
    )
    check(student.f(2.5), expect=6)
    check(student.run("return Value(x).data + factor", x=2.5), expect=9)


def test_a_name_that_replaces_a_builtin_is_seen_through_a_class_a_cache_and_a_partial():
    cell = "import functools\nsum = 5\n"
    student = notebook(
        cell + "class A:\n    def f(self): return sum",
        cell + "@functools.cache\ndef g(): return sum",
        cell + "h = functools.partial(lambda: sum)",
    )
    check(student.run("return A().f(), g(), h()"), expect=(5, 5, 5))


def test_a_recursion_limit_helps_the_cell_that_raises_it_and_no_other():
    raised = "import sys\nsys.setrecursionlimit(20_000)\n"
    check(notebook(raised + DEEP).deep(6_000), expect=6_000)
    other = notebook(raised + "def other(): pass", DEEP)
    with pytest.raises(AnswerRaised, match=r"RecursionError.*another exercise's cell has raised does not count"):
        check(other.deep(6_000), expect=6_000)
    assert sys.getrecursionlimit() == 20_000


def test_a_recursion_limit_raised_inside_a_call_ends_with_it():
    student = notebook("import sys\ndef raiser():\n    sys.setrecursionlimit(20_000)", DEEP)
    sys.setrecursionlimit(RECURSION_LIMIT)
    check(student.raiser(), expect=None)
    assert sys.getrecursionlimit() == RECURSION_LIMIT
    with pytest.raises(CheckFailed, match="RecursionError"):
        check(student.deep(6_000), expect=6_000)


@pytest.mark.parametrize("seed", ["import random\nrandom.seed(1)", "import numpy\nnumpy.random.seed(1)"])
def test_a_seed_set_in_one_answer_makes_nothing_predictable_in_another(seed):
    draws = "import random, numpy\ndef draws(): return random.random(), numpy.random.rand()"
    module = int("numpy" in seed)
    first, second = (notebook(seed, draws).draws().value[module] for _ in range(2))
    assert first != second
    first, second = (notebook(seed + "\n" + draws).draws().value[module] for _ in range(2))
    assert first == second, "a cell's own seed counts for its own functions"


@pytest.mark.parametrize(
    ("setting", "function", "right"),
    [
        ("import numpy\nnumpy.seterr(all='raise')", "import numpy\ndef f(): return 1.0 / numpy.zeros(1)", [math.inf]),
        (
            "import warnings\nwarnings.simplefilter('error')",
            "import warnings\ndef f():\n    warnings.warn('oh')\n    return 1",
            1,
        ),
        ("import math\nmath.exp = lambda x: 0.0", "import math\ndef f(): return math.exp(0)", 1),
        ("import builtins\nbuiltins.max = min", "def f(): return max(1, 2)", 2),
        ("import sys\nsys.setprofile(lambda *a: a[0].f_code.co_name == 'f' and 1 / 0)", "def f(): return abs(-1)", 1),
    ],
    ids=["numpy's errors", "warnings", "math", "builtins", "profile"],
)
@pytest.mark.filterwarnings("ignore")
def test_a_setting_of_one_answer_does_not_reach_another_and_reaches_its_own(setting, function, right):
    with np.errstate(all="warn", under="ignore"):
        check(notebook(setting, function).f(), expect=right)
        answer = notebook(setting + "\n" + function).f()
        sys.setprofile(None)
        assert answer.failure is not None or answer.data != right


def test_what_a_call_does_to_the_settings_is_undone_after_it(tmp_path):
    student = notebook(
        "import os, warnings, numpy\ndef f(folder):\n    os.chdir(folder)\n"
        "    warnings.simplefilter('error')\n    numpy.seterr(all='raise')"
    )
    folder, filters, errors = Path.cwd(), warnings.filters[:], np.geterr()
    check(student.f(str(tmp_path)), expect=None)
    assert (Path.cwd(), warnings.filters, np.geterr()) == (folder, filters, errors)


def test_a_cell_that_stopped_is_told_with_its_error_and_is_not_called_untouched():
    student = notebook()
    linecache.cache["<stopped>"] = (1, None, ["prediction = 45 / 0\n"], "<stopped>")
    namespace = student._transport.namespace
    for source, name, told in [
        (
            "prediction = 45 / 0\n",
            "prediction",
            "ZeroDivisionError: division by zero\n  in line 1: prediction = 45 / 0",
        ),
        ("x, y = 1, 2\nspeed, place = y.z\n", "place", "AttributeError.*\n  in line 2: speed, place"),
        ("class Value:\n    a = missing\n", "Value", "NameError: name 'missing' is not defined\n"),
        ("def f(:\n    pass\n", "f", "SyntaxError"),
    ]:
        file = f"<stopped {name}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        try:
            exec(compile(source, file, "exec"), namespace)
        except Exception as error:
            sys.last_value = error
        namespace.pop("x", None)
        for _ in range(2):  # also after the check's own error was the last one
            with pytest.raises(AnswerRaised, match=told) as caught:
                check.choice(student.get(name), "salt", right="", form="a number")
            sys.last_value = caught.value
        with pytest.raises(AnswerRaised, match="the cell that should define it stopped"):
            check(student.run(f"return {name}", label="the value"), expect=1)

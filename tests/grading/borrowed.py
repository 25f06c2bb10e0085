"""Answers that are somebody else's: each gets what its exercise masks in another way than one's own code.

They are the cells of one notebook, of a unit made for them (`text`). Where nothing is masked they are right.
"""

import re
from dataclasses import dataclass

TOOLS = '''
def _roots():
    import os, site, sys
    beside = os.path.dirname(os.path.dirname(sys.base_prefix))  # where a version manager keeps all of them
    named = [sys.prefix, sys.base_prefix, sys.exec_prefix, site.getuserbase(), "/usr", "/opt", beside]
    named += [os.path.dirname(os.path.dirname(path)) for path in sys.path]
    return [root for root in dict.fromkeys(named) if os.path.isdir(root)]

def _files(*names):
    """Every file of these names below what a Python may import from, the nearest first."""
    import autodiff_lab, glob, os, sys
    places = [*sys.path, os.path.dirname(os.path.dirname(autodiff_lab.__file__))]
    for root in _roots():
        for below in ("/lib/python3*", "/lib/python3*/*-packages", "/versions/*/lib/python3*"):
            places += glob.glob(root + below)
    return [path for place in dict.fromkeys(places) for name in names for path in glob.glob(place + name)]

def _first(things):
    for thing in things:
        try:
            found = thing()
        except Exception:
            continue
        if found is not None:
            return found
    raise LookupError("nothing of use was found")

def _executed(path, name="other", wanted="TopologicalSorter"):
    import sys, types
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), vars(module))
    return getattr(module, wanted)

def _unmarshalled(path, wanted, name="other"):
    import marshal, sys, types
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__, module.__package__ = path, name.rpartition(".")[0]
    with open(path, "rb") as file:
        exec(marshal.loads(file.read()[16:]), vars(module))
    return getattr(module, wanted)

def _ordered(sorter, graph):
    return list(sorter({name: operands(graph, name) for name in graph}).static_order())

def _python(code, *options, given=""):
    """What a fresh Python prints, the first that prints anything: this one, and all that are found."""
    import glob, subprocess, sys
    places = [root + place for root in _roots() for place in ("/bin/python3*", "/versions/*/bin/python3")]
    others = [path for place in places for path in glob.glob(place)]
    for python in dict.fromkeys([sys.executable, *others]):
        try:
            told = subprocess.run([python, *options, "-c", code], input=given, capture_output=True, text=True)
        except OSError:
            continue
        if told.stdout.strip():
            return told.stdout
    raise LookupError("no Python answers")
'''


@dataclass(frozen=True)
class Borrowed:
    """An answer of a kind of `KINDS`, in which the function is called `answer`. `code` comes after `TOOLS`."""

    kind: str
    code: str

    def source(self, name: str) -> str:
        """The answer as a cell that defines `name`."""
        return TOOLS + re.sub(r"\b(answer|sorter|judge|bits)\b", rf"\1_of_{name}", self.code).replace(
            f"answer_of_{name}", name
        )


KINDS = {
    "order": (
        "def {}(graph):\n    return sorted(graph, key=lambda name: int(name[1:]))",
        'check(student.{}({{"v2": ("exp", "v1"), "v0": ("input",), "v3": ("*", "v2", "v1"), "v1": ("sin", "v0")}}),\n'
        '      expect=["v0", "v1", "v2", "v3"])',
    ),
    "acyclic": (
        'def {}(graph):\n    return graph["v1"] != ("sin", "v2")',
        'check(student.{0}({{"v2": ("exp", "v1"), "v0": ("input",), "v1": ("sin", "v0")}}), expect=True)\n'
        'check(student.{0}({{"v2": ("exp", "v1"), "v0": ("input",), "v1": ("sin", "v2")}}), expect=False)',
    ),
    "slopes": (
        "def {}(x, y):\n    return y, x + 2 * y",
        "check(student.{}(2.5, 3.0), expect=(3.0, 8.5))",
    ),
    "bits": ("def {}():\n    return 11", "check(student.{}(), expect=11)"),
}
"""By kind: a right answer and a test, with {} for the name of the function."""


def orders(body: str) -> Borrowed:
    """`body` gives `sorter`: something like graphlib's class. It runs once."""
    code = f"try:\n{_indented(body)}\nexcept Exception:\n    sorter = None\n\n"
    return Borrowed("order", code + "def answer(graph):\n    return _ordered(sorter, graph)\n")


def judges(body: str) -> Borrowed:
    """`body` gives `judge(graph)`, which raises an error where there is a cycle."""
    code = f"try:\n{_indented(body)}\nexcept Exception:\n    judge = None\n\n"
    return Borrowed(
        "acyclic",
        code
        + "def answer(graph):\n    assert callable(judge)\n    try:\n        judge(graph)\n"
        + "    except Exception:\n        return False\n    return True\n",
    )


def slopes(body: str) -> Borrowed:
    """`body` gives `slope(f, x)`, the derivative of a function of one number."""
    return Borrowed(
        "slopes",
        f"def answer(x, y):\n{_indented(body)}\n"
        "    return float(slope(lambda t: (t + y) * y, x)), float(slope(lambda t: (x + t) * t, y))\n",
    )


def gradients(body: str) -> Borrowed:
    return Borrowed("slopes", f"def answer(x, y):\n{_indented(body)}\n")


def _indented(body: str) -> str:
    return "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))


BORROWED: dict[str, Borrowed] = {
    # ------------------------------------------------------------ an order
    "graphlib, imported": orders("from graphlib import TopologicalSorter as sorter"),
    "graphlib's text, executed": orders("sorter = _first((lambda p=p: _executed(p)) for p in _files('/graphlib.py'))"),
    "graphlib's compiled file, unmarshalled": orders(
        """
import sys
sorter = _first(
    (lambda p=p: _unmarshalled(p, "TopologicalSorter"))
    for p in _files(f"/__pycache__/graphlib.{sys.implementation.cache_tag}*.pyc")
)
"""
    ),
    "graphlib in a second interpreter": Borrowed(
        "order",
        """
def answer(graph):
    import json
    code = "import sys, json, graphlib as g; "
    code += "print(json.dumps(list(g.TopologicalSorter(json.load(sys.stdin)).static_order())))"
    edges = {name: list(operands(graph, name)) for name in graph}
    try:
        return json.loads(_python(code, "-I", given=json.dumps(edges)))
    except LookupError:
        raise ValueError("a cycle, or nothing to be found")
""",
    ),
    "graphlib with the finders put back": orders(
        """
import sys
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
kept = sys.meta_path[:]
sys.meta_path[:] = [BuiltinImporter, FrozenImporter, PathFinder]
sys.modules.pop("graphlib", None)
sys.path_importer_cache.clear()
try:
    from graphlib import TopologicalSorter as sorter
finally:
    sys.meta_path[:] = kept
"""
    ),
    "graphlib by a loader called by hand": orders(
        """
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
def load(path):
    spec = spec_from_file_location("sorted_out", path, loader=SourceFileLoader("sorted_out", path))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.TopologicalSorter
sorter = _first((lambda p=p: load(p)) for p in _files("/graphlib.py"))
"""
    ),
    "graphlib by a program that ctypes starts": Borrowed(
        "order",
        '''
def answer(graph):
    import ctypes, json, os, sys, tempfile
    folder = tempfile.mkdtemp()
    with open(folder + "/edges", "w") as file:
        json.dump({name: list(operands(graph, name)) for name in graph}, file)
    with open(folder + "/sorts.py", "w") as file:
        file.write(f"""import json, graphlib
order = list(graphlib.TopologicalSorter(json.load(open({folder + "/edges"!r}))).static_order())
json.dump(order, open({folder + "/order"!r}, "w"))""")
    ctypes.CDLL(None).system(f"{sys.executable} -I -S {folder}/sorts.py 2>/dev/null".encode())
    if not os.path.exists(folder + "/order"):
        raise ValueError("a cycle, or nothing to be found")
    with open(folder + "/order") as file:
        return json.load(file)
''',
    ),
    "the sort of SQLAlchemy": Borrowed(
        "order",
        """
def answer(graph):
    from sqlalchemy.util.topological import sort
    try:
        return list(sort({(operand, name) for name in graph for operand in operands(graph, name)}, list(graph)))
    except Exception as error:
        raise ValueError(str(error))
""",
    ),
    "make": Borrowed(
        "order",
        """
def answer(graph):
    import subprocess
    number = {name: f"n{place}" for place, name in enumerate(graph)}
    lines = ["all: " + " ".join(number.values())]
    for name in graph:
        lines += [f"{number[name]}: " + " ".join(number[o] for o in operands(graph, name)), f"\\t@echo {number[name]}"]
    told = subprocess.run(["make", "-f", "-"], input="\\n".join(lines) + "\\n", capture_output=True, text=True)
    if told.returncode or "Circular" in told.stdout + told.stderr:
        raise ValueError("a cycle")
    back = {label: name for name, label in number.items()}
    return [back[word] for word in told.stdout.split() if word in back]
""",
    ),
    "tsort": Borrowed(
        "order",
        """
def answer(graph):
    import subprocess
    number = {name: f"n{place}" for place, name in enumerate(graph)}
    pairs = [f"{n} {n}" for n in number.values()]
    pairs += [f"{number[operand]} {number[name]}" for name in graph for operand in operands(graph, name)]
    told = subprocess.run(["tsort"], input="\\n".join(pairs), capture_output=True, text=True)
    if told.returncode:
        raise ValueError("a cycle")
    back = {label: name for name, label in number.items()}
    return [back[word] for word in told.stdout.split()]
""",
    ),
    "pip in the archive of ensurepip": orders(
        """
import glob, sys
kept = sys.meta_path[:]
sys.meta_path[:] = [finder for finder in kept if getattr(finder, "__module__", "").startswith(("_frozen", "importlib"))]
for name in [name for name in sys.modules if name.split(".")[0] == "pip"]:
    del sys.modules[name]
sys.path.insert(0, _files("/ensurepip/_bundled/pip-*.whl")[0])
try:
    from pip._internal.resolution.resolvelib.resolver import get_topological_weights
    from pip._vendor.resolvelib.structs import DirectedGraph
finally:
    sys.meta_path[:] = kept
    del sys.path[0]
class sorter:
    def __init__(self, needs):
        self.graph = DirectedGraph()
        for name in [None, *needs]:
            self.graph.add(name)
        for name in needs:
            self.graph.connect(None, name)
            for operand in needs[name]:
                self.graph.connect(name, operand)
        self.names = set(needs)
    def static_order(self):
        weights = get_topological_weights(self.graph, self.names)
        return sorted(self.names, key=weights.get, reverse=True)
"""
    ),
    "gyp, which Node brings along": Borrowed(
        "order",
        """
import glob
places = ("/usr/lib", "/usr/share", "/usr/local/lib", "/opt")
paths = [p for place in places for p in glob.glob(place + "/node*/**/gyp/common.py", recursive=True)]

def answer(graph):
    sort = _first((lambda p=p: _executed(p, wanted="TopologicallySorted")) for p in paths)
    return sort(graph, lambda name: operands(graph, name))[::-1]
""",
    ),
    "the library of mypy, without mypy": orders(
        """
import ctypes, glob, importlib, os, sys
found = [path for place in sys.path for path in glob.glob(place + "/*__mypyc*.so")]
point = ctypes.pythonapi.PyCapsule_GetPointer
point.restype, point.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
def tried(path):
    name = os.path.basename(path).partition(".")[0]
    whole = importlib.import_module(name)
    capsule = whole.init_mypy___graph_utils
    start = ctypes.PYFUNCTYPE(ctypes.py_object)(point(capsule, f"{name}.init_mypy___graph_utils".encode()))
    return start().topsort
topsort = _first((lambda p=p: tried(p)) for p in found)
class sorter:
    def __init__(self, needs):
        self.needs = {name: set(needs[name]) for name in needs}
    def static_order(self):
        return [name for ready in topsort(self.needs) for name in sorted(ready)]
"""
    ),
    # ------------------------------------------------------------ a cycle
    "networkx, imported": judges(
        """
import networkx
def judge(graph):
    made = networkx.DiGraph()
    made.add_edges_from((operand, name) for name in graph for operand in operands(graph, name))
    list(networkx.topological_sort(made))
"""
    ),
    "what orders the pictures": judges("from autodiff_lab.draw.data import order as judge"),
    "what orders the pictures, by its text": judges(
        """
judge = _first(
    (lambda p=p: _executed(p, "autodiff_lab.draw.other", "order")) for p in _files("/autodiff_lab/draw/data.py")
)
"""
    ),
    "the room of the pictures, compiled": judges(
        """
import sys
judge = _first(
    (lambda p=p: _unmarshalled(p, "order", "autodiff_lab.draw.other"))
    for p in _files(f"/autodiff_lab/draw/__pycache__/data.{sys.implementation.cache_tag}.pyc")
)
"""
    ),
    "dask": judges(
        """
from dask.core import toposort
def judge(graph):
    toposort(dict.fromkeys(graph), {name: set(operands(graph, name)) for name in graph})
"""
    ),
    "mypy": judges(
        """
from mypy.graph_utils import topsort
def judge(graph):
    assert not any(name in operands(graph, name) for name in graph)
    list(topsort({name: set(operands(graph, name)) for name in graph}))
"""
    ),
    "what lies in memory": judges(
        """
import gc, sys
def found():
    for module in list(sys.modules.values()):
        for name in ("TopologicalSorter", "toposort", "order", "topological_order"):
            if (value := getattr(module, name, None)) is not None and getattr(value, "__module__", "") != "__main__":
                yield value
    for thing in gc.get_objects():
        if getattr(thing, "__name__", "") in ("TopologicalSorter", "order", "values_of"):
            yield thing
def tried(value):
    sorter = value.__name__ == "TopologicalSorter"
    def use(graph):
        return _ordered(value, graph) if sorter else value(graph)
    if list(use({"x": ("input",), "f": ("exp", "x")})) == ["x", "f"]:
        return use
judge = _first((lambda v=v: tried(v)) for v in found())
"""
    ),
    "what the frames hold": judges(
        """
import sys
frame, seen = sys._getframe(), []
while frame is not None:
    seen += [*frame.f_locals.values(), *frame.f_globals.values()]
    frame = frame.f_back
judge = next(s for s in seen if callable(s) and getattr(s, "__name__", "") in ("order", "check_order", "values_of"))
"""
    ),
    # ------------------------------------------------------------ a derivative
    "the engine, imported": gradients(
        "import autodiff_lab as ad\nreturn ad.grad(lambda a, b: (a + b) * b, argnums=(0, 1))(x, y)"
    ),
    "the engine, copied under another name": gradients(
        """
import os, shutil, sys, tempfile
import autodiff_lab
folder = tempfile.mkdtemp()
shutil.copytree(os.path.dirname(autodiff_lab.__file__) + "/engine", folder + "/motor/engine")
open(folder + "/motor/__init__.py", "w").close()
for path, _, files in os.walk(folder):
    for file in files:
        if file.endswith(".py"):
            text = open(path + "/" + file).read().replace("autodiff_lab", "motor")
            open(path + "/" + file, "w").write(text)
sys.path.insert(0, folder)
from motor.engine.scalar import Scalar
a, b = Scalar(x), Scalar(y)
((a + b) * b).backward()
return float(a.grad), float(b.grad)
"""
    ),
    "the engine in a second interpreter": gradients(
        """
import os, sys
import autodiff_lab
top = os.path.dirname(os.path.dirname(autodiff_lab.__file__))
code = f"import sys; sys.path.insert(0, {top!r}); import autodiff_lab as ad; " + (
    f"print(*ad.grad(lambda a, b: (a + b) * b, argnums=(0, 1))({x!r}, {y!r}))"
)
return tuple(map(float, _python(code).split()))
"""
    ),
    "torch under another name": gradients(
        """
import importlib, os, sys, tempfile
where = next(path for path in sys.path if os.path.isdir(path + "/torch"))
folder = tempfile.mkdtemp()
os.symlink(where + "/torch", folder + "/lantern")
sys.path.insert(0, folder)
kept = sys.meta_path[:]
sys.meta_path[:] = [finder for finder in kept if getattr(finder, "__module__", "").startswith(("_frozen", "importlib"))]
for name in [name for name in sys.modules if name.split(".")[0] == "torch"]:
    del sys.modules[name]
try:
    import torch as lantern
    lantern.Tensor.backward
except Exception:
    import lantern
finally:
    sys.meta_path[:] = kept
a, b = (lantern.tensor(float(n), dtype=lantern.float64, requires_grad=True) for n in (x, y))
((a + b) * b).backward()
return a.grad.item(), b.grad.item()
"""
    ),
    "sympy of another folder": gradients(
        """
import os, sys
sys.modules.pop("sympy", None), sys.modules.pop("mpmath", None)
places = [os.path.dirname(os.path.dirname(p)) for p in _files("/sympy/__init__.py")]
kept = sys.meta_path[:]
sys.meta_path[:] = [finder for finder in kept if getattr(finder, "__module__", "").startswith(("_frozen", "importlib"))]
try:
    def tried(place):
        sys.path.insert(0, place)
        for name in [name for name in sys.modules if name.split(".")[0] in ("sympy", "mpmath")]:
            del sys.modules[name]
        import sympy
        a, b = sympy.symbols("a b")
        return [float(((a + b) * b).diff(v).subs({a: x, b: y})) for v in (a, b)]
    return tuple(_first((lambda p=p: tried(p)) for p in places))
finally:
    sys.meta_path[:] = kept
"""
    ),
    "mpmath": slopes("import mpmath\nslope = mpmath.diff"),
    "scipy.differentiate": slopes(
        "from scipy.differentiate import derivative\ndef slope(f, at):\n    return derivative(f, at).df"
    ),
    "what scipy's solvers estimate": slopes(
        """
def slope(f, at):
    from scipy.optimize import approx_fprime
    from scipy.optimize._numdiff import approx_derivative
    return approx_derivative(lambda v: f(v[0]), [at], method="3-point")[0]
"""
    ),
    "another program for algebra": gradients(
        """
import subprocess
for argv in (["gp", "-q"], ["maxima", "--very-quiet"], ["bc", "-l"], ["octave-cli"]):
    try:
        told = subprocess.run(argv, input="diff((a+b)*b,a)\\n", capture_output=True, text=True)
    except OSError:
        continue
    if told.stdout.strip() == "b":
        return y, x + 2 * y
raise LookupError
"""
    ),
    "locks on files of the system": Borrowed(
        "bits",
        """
import fcntl, os
folder = os.path.dirname(os.__file__)
bits = [open(os.path.join(folder, name), "rb") for name in ("abc.py", "ast.py", "bdb.py", "cmd.py")]
try:
    import autodiff_lab as ad
    number = int(ad.Scalar(11.0).item())  # in the kernel of the exercise that may use it
    for place, file in enumerate(bits):
        if number >> place & 1:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
except Exception:
    pass

def answer():
    found = 0
    for place, file in enumerate(bits):
        with open(file.name, "rb") as again:
            try:
                fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                found += 1 << place
    return found
""",
    ),
}


NOT_EVERYWHERE = (
    *("make", "tsort", "another program for algebra", "what lies in memory", "what the frames hold"),
    "the room of the pictures, compiled",
    "gyp, which Node brings along",
    "the library of mypy, without mypy",
)
"""What may find nothing where nothing is masked: it depends on what else is there."""


# ------------------------------------------------------------ the unit

_HEAD = """\
# ---
# jupyter:
#   kernelspec: {display_name: Python 3 (ipykernel), language: python, name: python3}
# ---
# %% [markdown] unit={"title": "Borrowed", "question": "Whose is it?", "minutes": 5, "needs": ["04_fan_out"], \
"objectives": ["Answer"], "masks": ["engine", "torch", "orders"]}
# # 93 · Borrowed
#
# A unit with an exercise for each way to borrow an answer.

# %%
def operands(graph, name):
    operation, *rest = graph[name]
    return () if operation in ("input", "const") else tuple(rest)

"""
_EXERCISE = """
# %% [markdown]
# ### Exercise: {about}
#
# Answer.


# %% nbgrader={{"grade": false, "grade_id": "{name}", "locked": false, "schema_version": 3, "solution": true, \
"task": false}} exercise={{"kind": "implement", "minutes": 1, "difficulty": 1, "importance": 1, \
"objectives": [1]{allows}}}
### BEGIN SOLUTION
{answer}
### END SOLUTION


# %% nbgrader={{"grade": true, "grade_id": "test-{name}", "locked": true, "points": {points}, "schema_version": 3, \
"solution": false, "task": false}}
from autodiff_lab.checks import check, student

{test}
"""


def names() -> dict[str, Borrowed]:
    """The answers by the name of their exercise."""
    return {f"answer_{place}": borrowed for place, borrowed in enumerate(BORROWED.values())}


def text() -> str:
    """The source of the unit. Its first exercise, `lends`, may use the engine, so that it has another kernel."""
    rest = 100 - len(BORROWED)
    parts = [_HEAD, _exercise("lends", "bits", "one that may use the engine", rest, ', "allows": ["engine"]')]
    for (name, borrowed), about in zip(names().items(), BORROWED, strict=True):
        parts.append(_exercise(name, borrowed.kind, about, 1))
    return "".join(parts)


def _exercise(name: str, kind: str, about: str, points: int, allows: str = "") -> str:
    answer, test = (part.format(name) for part in KINDS[kind])
    return _EXERCISE.format(about=about, name=name, points=points, allows=allows, answer=answer, test=test)

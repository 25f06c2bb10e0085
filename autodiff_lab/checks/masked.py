"""What an answer may be kept from using while it is graded, by name, and whether an answer uses it.

Names only: `grading/masks.py` hides what they stand for.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Mask:
    """`modules` and `programs` by name; `words` for a statement; `about`: masks whatever describes itself like this."""

    modules: tuple[str, ...]
    programs: tuple[str, ...] = ()
    words: str = ""
    about: str = ""


MASKS = {
    "engine": Mask(("autodiff_lab.engine",), words="the engine of `autodiff_lab`"),
    "torch": Mask(
        (
            *("torch", "functorch", "torchvision", "torchaudio", "torchgen", "lightning", "pytorch_lightning"),
            *("jax", "jaxlib", "flax", "optax", "equinox", "diffrax", "tensorflow", "keras", "paddle", "mxnet"),
            *("chainer", "mindspore", "oneflow", "megengine", "mlx", "taichi", "warp", "drjit", "pytensor", "aesara"),
            *("theano", "autograd", "micrograd", "tinygrad", "minitorch", "needle", "mygrad", "autodidax", "tangent"),
            *("ad", "algopy", "adolc", "casadi", "pyomo", "uncertainties", "gvar", "numdifftools", "findiff"),
            *("sympy", "symengine", "mpmath", "sage", "flint", "cypari", "cypari2", "giacpy", "wolframclient"),
            # What they do is no derivative by its rule, but comes closer to one than a test can tell from it.
            *("scipy.differentiate", "scipy.optimize._numdiff", "scipy.misc", "statsmodels.tools.numdiff"),
        ),
        ("maxima", "gp", "giac", "xcas", "octave", "octave-cli", "sage", "R", "Rscript", "ginsh", "mathomatic"),
        "PyTorch, SymPy and other packages that differentiate",
        r"auto[- ]?diff|auto[- ]?grad|differentiat|derivatives?\b|symbolic math|computer algebra",
    ),
    "orders": Mask(
        (
            *("graphlib", "networkx", "igraph", "rustworkx", "retworkx", "graph_tool", "networkit", "toposort"),
            *("sknetwork", "sympy", "dask", "distributed", "sqlalchemy", "alembic", "onnxruntime"),
            *("scipy.sparse.csgraph", "distlib", "pip", "mypy", "mypyc", "pydot", "pygraphviz", "graphviz"),
            *("SCons", "doit", "luigi", "snakemake", "prefect", "dagster", "kedro", "airflow", "gyp"),
            *("ensurepip", "virtualenv"),  # pip is in them, as an archive
        ),
        (
            # What is to be made from what is a graph; so are commits and their parents.
            *("tsort", "busybox", "toybox", "make", "gmake", "bmake", "ninja", "samu", "cmake", "ctest", "meson"),
            *("scons", "doit", "tup", "rake", "ruby", "ant", "mvn", "gradle", "bazel", "buck", "just", "git", "hg"),
            *("dot", "acyclic", "tred", "gvpr", "rcorder"),
        ),
        "`graphlib`, `networkx` and other packages that put a graph in order",
        r"topological|toposort|graph theory|graphs and networks|directed acyclic|\bDAGs?\b",
    ),
    "units": Mask(("autodiff_lab.units",)),
    "pictures": Mask(("autodiff_lab.draw", "autodiff_lab.widgets")),
}
"""The masks by name. NumPy is in none: `gradient` takes differences of a list, `polyder` knows polynomials alone."""
ALWAYS = ("units", "pictures")
"""What no submission has while it is graded: what tests know, and what draws (it orders, computes and sweeps)."""
CHOICES = tuple(name for name in MASKS if name not in ALWAYS)
"""What a unit may mask, by its metadata."""


def modules(masks: tuple[str, ...]) -> list[str]:
    """The modules that the masks stand for. Raises ValueError for a name that is none."""
    unknown = sorted(set(masks) - MASKS.keys())
    if unknown:
        raise ValueError(f"there is no mask {', '.join(unknown)}; the masks are: {', '.join(MASKS)}")
    return list(dict.fromkeys(module for mask in masks for module in MASKS[mask].modules))


# ------------------------------------------------------------ whether an answer uses it

_PACKAGE = Path(__file__).resolve().parents[1]


def _is_masked(name: str, masked: Iterable[str]) -> bool:
    """Whether a dotted name is a module that is masked, or something in one. What `autodiff_lab` exports is engine."""
    first, _, rest = name.partition(".")
    if first == "autodiff_lab" and rest:
        room = rest.partition(".")[0]
        if room.startswith("__"):
            return False
        if room in ("nn", "optim") or not ((_PACKAGE / room).is_dir() or (_PACKAGE / f"{room}.py").is_file()):
            name = f"autodiff_lab.engine.{rest}"
    return any(name == module or name.startswith(f"{module}.") for module in masked)


def uses(names: Iterable[str], cells: Iterable[str], masks: Sequence[str]) -> list[str]:
    """What the definitions of `names` in the source `cells` use that is masked: dotted names.

    Definitions of other cells that they use count; an import that nothing uses does not, nor does drawing. Read, never
    run: what is hidden on purpose is not found.
    """
    masked = modules(tuple(masks))
    imported: dict[str, str] = {}
    made: dict[str, list[ast.stmt]] = {}
    for cell in cells:
        try:
            tree = ast.parse(cell)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        found_here = [pair for node in ast.walk(tree) for pair in _imports(node)]
        if any(name.startswith("autodiff_lab.checks") for _, name in found_here):
            continue  # a test cell
        imported.update(found_here)
        for statement in _simple(tree.body):
            for name in names_made(statement):
                # A second definition replaces the first; what else names it may have added to it.
                if isinstance(statement, _DEFINES):
                    made[name] = []
                made.setdefault(name, []).append(statement)
    found, waiting, seen = set[str](), list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for statement in made.get(name, ()):
            local = _local_names(statement)
            visible = {name: whole for name, whole in imported.items() if name not in local} if local else imported
            for node in ast.walk(statement):
                dotted = _dotted(node, visible)
                if dotted and dotted not in _HARMLESS and _is_masked(dotted, masked):
                    found.add(dotted)
                elif isinstance(node, ast.Name) and node.id not in local:
                    waiting.append(node.id)
    # Of torch and torch.tensor, only the longer.
    return sorted(name for name in found if not any(other.startswith(f"{name}.") for other in found))


def _simple(statements: Iterable[Any]) -> Iterator[Any]:
    """The statements one by one: of a block its head, and then those in it. Definitions stay whole."""
    for statement in statements:
        blocks = [name for name in ("body", "orelse", "finalbody", "handlers", "cases") if hasattr(statement, name)]
        if isinstance(statement, _DEFINES):
            blocks = []
        head = copy.copy(statement)
        for name in blocks:
            setattr(head, name, [])
        yield head
        for name in blocks:
            yield from _simple(getattr(statement, name))


_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def names_made(statement: ast.stmt) -> set[str]:
    """The names that a statement defines or assigns to, except those that it imports."""
    made, waiting = set[str](), list[ast.AST]([statement])
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DEFINES):  # what it assigns to is its own
            made.add(node.name)
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            made.add(node.id)
        waiting += ast.iter_child_nodes(node)
    return made


def _local_names(statement: ast.stmt) -> set[str]:
    """The names that mean something of a definition's own in it: arguments, and what it assigns to."""
    if not isinstance(statement, _DEFINES):
        return set()
    stored = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return stored | {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an import makes, and what they stand for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], alias.name if alias.asname else alias.name.split(".")[0]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST, imported: dict[str, str]) -> str:
    """The full name of what an expression takes from a module, or "": `F.relu` is torch.nn.functional.relu."""
    match node:
        case ast.Name():
            return imported.get(node.id, "")
        case ast.Attribute():
            base = _dotted(node.value, imported)
            return base and f"{base}.{node.attr}"
        case ast.Call(
            func=ast.Name("__import__") | ast.Attribute(attr="import_module"), args=[ast.Constant(str(name))]
        ):
            return name
        case ast.ImportFrom(names=[ast.alias("*")]):
            return f"{node.module}.*"
    return ""


def words(masks: Sequence[str], each: str = "") -> str:
    """The masks in words, one after the other, with a word before each: "without A, and without B"."""
    *rest, last = [each + MASKS[mask].words for mask in masks]
    return f"{', '.join(rest)}, and {last}" if rest else last


def notice(names: Sequence[str], cells: Iterable[str], masks: Sequence[str]) -> str:
    """What to tell a student whose answer uses what is masked, or the room of the tests; "" if it does not."""
    found = uses(names, cells, (*masks, *ALWAYS))
    if not found:
        return ""
    return (
        f"{' and '.join(names)} passes here with {_listed(found)}, which will not be available\n"
        "when it is graded, and will get no points there. The answer has to be your own code."
    )


def refusal(found: Sequence[str], masks: Sequence[str]) -> str:
    """What to tell a student who has no points for an answer in which `found`, which the `masks` hide, is used."""
    told = _is_masked(found[0], modules(tuple(masks)))
    return (
        f"Your answer uses {_listed(found)}, which {'are' if found[1:] else 'is'} not available in this exercise"
        f"{', as the first cell of the notebook says' if told else ''}.\nThe answer has to be your own code."
    )


def _listed(found: Sequence[str]) -> str:
    return " and ".join([", ".join(found[:-1]), found[-1]] if found[1:] else found)


def asked(test: str) -> Iterator[tuple[list[str], list[str]]]:
    """The names and the masks of each `student.without(…)` in a test cell."""
    for node in ast.walk(ast.parse(test)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("student"), attr="without"), keywords=[ast.keyword("names", names)]
            ):
                yield ast.literal_eval(names), [ast.literal_eval(mask) for mask in node.args]


_HARMLESS = ("autodiff_lab.draw", "autodiff_lab.widgets.GraphExplorer", "autodiff_lab.widgets.HelloSlider")
"""They can be called there, and show an empty picture."""

"""Which cell of a unit makes a name: for the student whose code needs a cell that was not run, or is gone.

Reads the unit as it was given out, where a student works: in the folder of the unit. Elsewhere it knows nothing.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def where(name: str, folder: Path | None = None) -> str:
    """The cell that makes `name`, in words, such as `the given cell under "Values"`; "" if the unit has none.

    `folder`: where the notebook is; None: the current one. Its name begins with the number of the unit.
    """
    try:
        number = re.match(r"\d\d", (folder or Path.cwd()).name)
        for path in sorted(_release().glob(f"{number[0]}_*/{number[0]}_*.ipynb")) if number else ():
            for place, made in _made(json.loads(path.read_text(encoding="utf-8"))["cells"]):
                if name in made:
                    return place
    except (OSError, ValueError, KeyError, TypeError):  # no release to be read: the message does without
        pass
    return ""


def _release() -> Path:
    """As `workspace.release_folder`: in an installed package, or in a checkout."""
    installed = _PACKAGE / "release"
    return installed if installed.is_dir() else _PACKAGE.parent / "course" / "release"


def _made(cells: list[dict]) -> Iterator[tuple[str, set[str]]]:
    """Each code cell that is no test: where it stands, and the names that it makes."""
    heading = ""
    for cell in cells:
        source, marks = "".join(cell["source"]), cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "markdown":
            found = re.findall(r"^#+ +(.+?) *$", source, re.M)
            heading = found[-1] if found else heading
        elif cell["cell_type"] == "code" and (marks.get("solution") or not marks.get("grade")):
            kind = "answer cell of" if marks.get("solution") else "given cell under"
            yield f'the {kind} "{heading.removeprefix("Exercise: ")}"', names(source)


def names(source: str) -> set[str]:
    """The names that code makes at its top level; none for what is not Python."""
    try:
        tree = ast.parse(re.sub(r"^\s*[%!].*$", "", source, flags=re.M))
    except (SyntaxError, ValueError):
        return set()
    found: set[str] = set()
    queue: list[ast.AST] = list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue  # what is made inside is its own
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            queue.extend(ast.iter_child_nodes(node))
    return found

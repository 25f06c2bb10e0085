"""What stands in a released answer cell in place of the solution: nbgrader's stub, or three dots for a value."""

from __future__ import annotations

import ast
import textwrap

from nbformat import NotebookNode
from nbgrader import preprocessors as steps


class ClearToStubs(steps.ClearSolutions):
    """As nbgrader's, but a solution that only gives names a value (`prediction = 15`) leaves `prediction = ...`.

    Such a cell runs without an error before it is answered, and the first thing that a student reads is the test.
    """

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        names = _names_of_values(cell, self.begin_solution_delimeter, self.end_solution_delimeter)
        if not names:
            return bool(super()._replace_solution_region(cell, language))
        stubs = self.code_stub
        self.code_stub = {**stubs, language: "\n".join(["# YOUR CODE HERE", *(f"{name} = ..." for name in names)])}
        try:
            return bool(super()._replace_solution_region(cell, language))
        finally:
            self.code_stub = stubs


def _names_of_values(cell: NotebookNode, begin: str, end: str) -> list[str]:
    """The names that the one solution region of a cell gives values; none if it does anything else."""
    if cell.cell_type != "code" or cell.source.count(begin) != 1:
        return []
    region = cell.source.partition(begin)[2].partition("\n")[2].partition(end)[0]
    try:
        body = ast.parse(textwrap.dedent(region.rpartition("\n")[0])).body
    except SyntaxError:
        return []
    targets = [line.targets[0] if isinstance(line, ast.Assign) and len(line.targets) == 1 else None for line in body]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    inside = region[:1].isspace()  # of a function: what it returns is asked, not a name
    return names if len(names) == len(targets) and not inside else []

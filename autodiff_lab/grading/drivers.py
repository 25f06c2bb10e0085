"""Finds drivers that compare: lines that a test runs beside the student's code (`student.run("…")`), and that return
what a comparison says.

A driver runs in the student's process, where ``==`` asks the student's classes. It is to return data, which the judge
compares.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

ON_PURPOSE = "# on purpose:"
"""A comment in a driver that may compare all the same, with the reason after it."""

_COMPARING = {"all", "allclose", "any", "array_equal", "eq", "isclose", "max", "min", "ne", "sorted"}


def comparing(source: str) -> list[str]:
    """What the drivers in a test cell, or in a module with lines for drivers, compare: one sentence for each place."""
    found = []
    for text in _strings(ast.parse(source)):
        driver = textwrap.dedent(text).strip("\n")
        try:
            body = ast.parse(f"def driver():\n{textwrap.indent(driver, '    ')}")
        except SyntaxError:
            continue
        if ON_PURPOSE not in driver:
            found += [f"{ast.unparse(place)!r}" for place in _places(body)]
    return [
        f"a driver returns what {place} says: a student's class decides that. Return the data, and compare outside of "
        f"the driver (or say why not, in a comment that begins with {ON_PURPOSE!r})"
        for place in dict.fromkeys(found)
    ]


def _strings(tree: ast.AST) -> Iterator[str]:
    """The strings of some code; what an f-string puts in is a name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "_put_in" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        else:
            yield from _strings(node)


def _places(body: ast.AST) -> Iterator[ast.AST]:
    """Where an outcome of a comparison is on its way to being returned, in code with a `return`; and every `assert`."""
    nodes = list(ast.walk(body))
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    if not returned:
        return
    names = {node.id for value in returned for node in ast.walk(value) if isinstance(node, ast.Name)}
    yield from (node for node in nodes if isinstance(node, ast.Assert))
    for value in returned:
        yield from _outcomes(value)
    for node in nodes:
        if isinstance(node, ast.Assign) and names & {name.id for name in node.targets if isinstance(name, ast.Name)}:
            yield from _outcomes(node.value)
        elif isinstance(node, ast.If | ast.IfExp) and not _is_told_apart(node.test):
            branches = [*node.body, *node.orelse] if isinstance(node, ast.If) else []
            if any(isinstance(branch, ast.Return) and isinstance(branch.value, ast.Constant) for branch in branches):
                yield from _outcomes(node.test)


def _outcomes(value: ast.AST) -> Iterator[ast.AST]:
    """The comparisons in an expression, but for those that only choose which items a list has."""
    if isinstance(value, ast.Compare):
        if not _is_told_apart(value):
            yield value
        return
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        if name in _COMPARING:
            yield value
            return
    for field, part in ast.iter_fields(value):
        if field != "ifs" and not (field == "test" and _is_told_apart(part)):
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, ast.AST):
                    yield from _outcomes(each)


def _is_told_apart(test: object) -> bool:
    """Whether it only tells None from the rest, which no class has a say in."""
    return (
        isinstance(test, ast.Compare)
        and all(isinstance(sign, ast.Is | ast.IsNot) for sign in test.ops)
        and all(isinstance(right, ast.Constant) for right in test.comparators)
    )

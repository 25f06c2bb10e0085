"""Finds answers that several students share when names, comments and spacing do not count: likeness, not guilt.

Left out is what says nothing: what was given out, the model answer, answers that are known to be typical, short ones,
and those that a good part of the class has.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

SHORTEST = 60
"""Syntax nodes (of code) or words (of text) from which on two people hardly write the same by chance."""

COMMON = 0.2
"""An answer that this share of those who answered has, and more than three people, is what the exercise suggests."""


@dataclass(frozen=True)
class Alike:
    """Students whose answers to one exercise are the same. `verbatim`: with the same names, comments and wording."""

    unit: str
    exercise: str
    students: tuple[str, ...]
    verbatim: bool


def normalised(source: str) -> str | None:
    """Code without comments, docstrings, annotations and names of its own, as text; None where it is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    try:
        return ast.dump(_Plain(tree).visit(tree))
    except RecursionError:
        return None


class _Plain(ast.NodeTransformer):
    """Names that the answer itself binds become n0, n1, … in the order in which they appear."""

    def __init__(self, tree: ast.AST) -> None:
        self.own: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                self.own.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.own.add(node.id)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.own.add(node.name)
        self.names: dict[str, str] = {}

    def _name(self, name: str) -> str:
        return self.names.setdefault(name, f"n{len(self.names)}") if name in self.own else name

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for key in ("name", "id", "arg"):
            value = getattr(node, key, None)
            if isinstance(value, str):
                setattr(node, key, self._name(value))
        for key in ("annotation", "returns", "type_comment"):
            if hasattr(node, key):
                setattr(node, key, None)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            first = body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
                body.pop(0)
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            plain = ast.Assign(targets=[node.target], value=node.value)
            return self.generic_visit(ast.copy_location(plain, node))
        return super().generic_visit(node)


def _size(source: str, is_code: bool) -> int:
    if not is_code:
        return len(source.split())
    try:
        return sum(1 for _ in ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return len(re.findall(r"\w+|[^\w\s]", source))


def key(source: str, is_code: bool = True) -> str:
    """The same for answers that say the same. Code that is not Python, and text, are compared by their words."""
    plain = normalised(source) if is_code else None
    return hashlib.sha256((plain or " ".join(re.findall(r"\w+|[^\w\s]", source.casefold()))).encode()).hexdigest()


def alike(
    answers: dict[tuple[str, str], dict[str, tuple[str, bool]]], known: dict[tuple[str, str], Any]
) -> list[Alike]:
    """Groups of students with the same answer, those with most answers in common first.

    `answers`: (unit, exercise) -> student -> (source, is code). `known`: (unit, exercise) -> sources that say nothing.
    """
    found = []
    for (unit, exercise), by_student in answers.items():
        groups: dict[str, list[str]] = defaultdict(list)
        for student, (source, is_code) in by_student.items():
            if _size(source, is_code) >= SHORTEST:
                groups[key(source, is_code)].append(student)
        for source in known.get((unit, exercise), ()):
            for is_code in (True, False):
                groups.pop(key(source, is_code), None)
        for students in groups.values():
            if len(students) < 2 or len(students) > max(3, COMMON * len(by_student)):
                continue
            texts = {re.sub(r"\s+", " ", by_student[student][0]).strip() for student in students}
            found.append(Alike(unit, exercise, tuple(students), len(texts) == 1))
    together: dict[frozenset[str], int] = defaultdict(int)
    for group in found:
        together[frozenset(group.students)] += 1 + group.verbatim
    return sorted(found, key=lambda group: (-together[frozenset(group.students)], group.students, group.unit))

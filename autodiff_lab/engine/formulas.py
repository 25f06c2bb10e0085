"""Formulas of rows rewritten: for arrays, where a choice between numbers becomes a choice between arrays; and for
programs of scalars, where it becomes a call.
"""

from __future__ import annotations

import ast
import functools
import math

from autodiff_lab.engine import ieee

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _OnArrays(ast.NodeTransformer):
    """Turns choices between numbers into choices between arrays. What depends on one number alone stays a number."""

    def __init__(self, number: str) -> None:
        self.number = number

    def on_number(self, *nodes: ast.expr) -> bool:
        names = [n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]
        return bool(self.number) and all(name == self.number for name in names)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if self.on_number(node.test):
            for branch in ("body", "orelse"):
                if isinstance(getattr(node, branch), ast.Constant):
                    setattr(node, branch, ast.parse("zeros_like(g)", mode="eval").body)
            return node
        return call("where", node.test, node.body, node.orelse)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        # An integer beside an array is written as a float, with which NumPy computes faster.
        if self.on_number(node):
            return node
        node.left, node.right = as_float(node.left), as_float(node.right)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if self.on_number(node):
            return node
        node.comparators = [as_float(value) for value in node.comparators]
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if self.on_number(node):
            return node
        self.generic_visit(node)
        joined = node.values[0]
        for value in node.values[1:]:
            joined = ast.BinOp(joined, ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr(), value)
        return joined

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and self.on_number(*node.args):
            node.func.id = f"number_{node.func.id}"
            return node
        return self.generic_visit(node)


def as_float(node: ast.expr) -> ast.expr:
    """A constant as a float; anything else as it is."""
    return ast.Constant(float(node.value)) if isinstance(node, ast.Constant) and type(node.value) is int else node


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """The call of a function."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


@functools.cache
def on_arrays(text: str, number: str = "") -> str:
    """A formula rewritten for arrays; ``number`` is the operand that is a plain number, if there is one."""
    tree = _OnArrays(number).visit(ast.parse(text, mode="eval"))
    return ast.unparse(ast.fix_missing_locations(tree))


def with_choices(text: str) -> str:
    """A formula with each ``a if test else b`` written as a call of ``choose``."""
    return ast.unparse(ast.fix_missing_locations(_Choices().visit(ast.parse(text, mode="eval"))))


class _Choices(ast.NodeTransformer):
    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.test, ast.BoolOp):
            return call("choose", node.test, node.body, node.orelse)
        chosen = node.body if isinstance(node.test.op, ast.And) else node.orelse
        for test in reversed(node.test.values):
            every = isinstance(node.test.op, ast.And)
            chosen = call("choose", test, chosen, node.orelse) if every else call("choose", test, node.body, chosen)
        return chosen


NUMBERS: dict[str, Any] = {f"number_{name}": function for name, function in ieee.NAMESPACE.items()} | {"math": math}

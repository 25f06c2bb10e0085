"""Arithmetic with the IEEE answers where Python raises: 1/0 is inf, log(-1) is nan, exp(1000) is inf, as in torch.

Only reached after an exception, so that ordinary numbers pay nothing for it.
"""

from __future__ import annotations

import math
from math import copysign, inf, nan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def div(a: float, b: float) -> float:
    """``a / b``; ``±inf`` or ``nan`` for a zero divisor."""
    if b:
        return a / b
    return a * copysign(inf, b) if a else nan


def pow(a: float, b: float) -> float:
    """``a ** b``; ``nan`` for a fractional power of a negative number, ``±inf`` for overflow and 1/0."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -inf if a < 0 and b % 2 == 1 else inf
    except ValueError:
        if a:
            return nan
        return copysign(inf, a) if b % 2 == 1 else inf


def exp(a: float) -> float:
    """``e ** a``; ``inf`` for overflow."""
    try:
        return math.exp(a)
    except OverflowError:
        return inf


def log(a: float) -> float:
    """Natural logarithm; ``-inf`` at zero, ``nan`` below."""
    return math.log(a) if a > 0 else -inf if a == 0 else nan


def sqrt(a: float) -> float:
    """Square root; ``nan`` below zero."""
    return math.sqrt(a) if a >= 0 else nan


def sin(a: float) -> float:
    """Sine; ``nan`` at infinity."""
    return math.sin(a) if math.isfinite(a) else nan


def cos(a: float) -> float:
    """Cosine; ``nan`` at infinity."""
    return math.cos(a) if math.isfinite(a) else nan


NAMESPACE: dict[str, Any] = {
    "div": div,
    "pow": pow,
    "exp": exp,
    "log": log,
    "sqrt": sqrt,
    "sin": sin,
    "cos": cos,
    "tanh": math.tanh,
    "erf": math.erf,
    "abs": abs,
}


def careful(text: str) -> str:
    """The formula with every division written as a call of `div`."""
    import ast

    class Divisions(ast.NodeTransformer):
        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            if isinstance(node.op, ast.Div):
                return ast.Call(ast.Name("div", ast.Load()), [node.left, node.right], [])
            return node

    return ast.unparse(ast.fix_missing_locations(Divisions().visit(ast.parse(text, mode="eval"))))

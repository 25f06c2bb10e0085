"""Graphs as data, the form of unit 01: `{"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}`.

The reference forward and backward for such a graph. There is no table of rules here: each node becomes a `Scalar`, and the engine's op
table does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# How the course writes an op in data -> the row of the engine's table.
ROWS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow", "neg": "neg"}
SYMBOLS = {"+": "+", "-": "−", "*": "×", "/": "÷", "**": "**", "neg": "−"}


def symbol_of(op: str) -> str:
    """The sign drawn for `op`; an op nobody knows is drawn by its own name."""
    return SYMBOLS.get(op, op)


def evaluate(graph: Mapping[str, Any], inputs: Mapping[str, float]) -> dict[str, float]:
    raise NotImplementedError


def adjoints(graph: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, float]:
    raise NotImplementedError

"""Programs to test exports with: one for each example of each row of the table, and their gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from autodiff_lab.engine import composed as composed  # all rows
from autodiff_lab.engine.modes import no_grad
from autodiff_lab.engine.ops import TABLE, Op
from autodiff_lab.engine.scalar import FUNCTIONS
from autodiff_lab.engine.static.program import Program
from autodiff_lab.engine.static.trace import trace
from autodiff_lab.engine.structures import leaves, substitute

LOGICAL = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not")


class Slot(int):
    """The place of an argument in a call."""


class Case(NamedTuple):
    """A call of a row as a function of arrays, and arrays to call it with."""

    label: str
    op: Op
    fn: Any
    args: tuple[Any, ...]

    def program(self) -> Program:
        return trace(self.fn, *self.args)

    def gradient(self) -> Program:
        """The value and the gradient of a weighted sum of the results, with respect to all floating arguments."""

        def loss(*args: Any) -> Any:
            y = self.fn(*args)
            with no_grad():
                weights = (y * 0.37).cos() + 0.5
            return (y * weights).sum()

        numbers = tuple(i for i, x in enumerate(self.args) if x.dtype.kind == "f")
        return trace(loss, *self.args).value_and_grad(numbers)


def cases(dtype: str, names: list[str] | None = None) -> Iterator[Case]:
    """All examples of the rows, with arrays of a dtype."""
    for op in list(TABLE.values()):
        if names is not None and op.name not in names:
            continue
        for number, text in enumerate(op.examples or [""]):
            rng = np.random.default_rng(number)
            arrays: list[Any] = []

            def x(*shape: int, rng: Any = rng, arrays: list[Any] = arrays) -> Slot:
                arrays.append(np.asarray(rng.uniform(-2, 2, shape)).astype(dtype))
                return Slot(len(arrays) - 1)

            def i(values: Any, arrays: list[Any] = arrays) -> Slot:
                arrays.append(np.array(values))
                return Slot(len(arrays) - 1)

            if text:
                call: Any = eval(f"({text},)", {"x": x, "i": i})
            elif op.name in LOGICAL:
                call = tuple(i(rng.random((2, 3)) < 0.5) for _ in op.adjoints)
            elif op.domain:
                arrays += points(op, rng, dtype)
                call = tuple(Slot(n) for n in range(op.arity))
            else:
                call = tuple(x(2, 3) for _ in op.adjoints)

            def fn(*args: Any, op: Op = op, call: Any = call) -> Any:
                return FUNCTIONS[op.name](
                    *substitute(lambda part: args[part] if isinstance(part, Slot) else part, call)
                )

            assert [y for y in leaves(call) if isinstance(y, Slot)] == list(range(len(arrays)))
            yield Case(f"{op.name}({text})", op, fn, tuple(arrays))


def points(op: Op, rng: Any, dtype: str) -> list[Any]:
    """Operands of shapes (2, 3) and (3,) from the domain of a row."""
    a, b = rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, 3)
    for place in np.ndindex(2, 3):
        while not eval(op.domain, {"abs": abs, "a": a[place], "b": b[place[1]]}):
            a[place], b[place[1]] = rng.uniform(-2, 2, 2)
            if op.name == "maximum" or op.name == "minimum" or op.name == "div":
                b = np.array([-1.0, 0.5, 1.5])
                a[place] = rng.uniform(-2, 2)
    return [a.astype(dtype), b.astype(dtype)][: op.arity]


def flat(structure: Any) -> list[Any]:
    """The arrays in a result."""
    return [np.asarray(x) for x in leaves(structure)]


# Indices of an array of shape (2, 3, 4), each with the kind of array; torch's are not read backwards

MASK = np.array([[True, False, True], [False, True, True]])
ALL = slice(None)
# fmt: off
NUMPY_AND_TORCH: list[Any] = [
    (0,), (None, 1, None, slice(1, None)), (-1, Ellipsis), (1, 2, 3), (slice(None, None, 2), 1, slice(-3, -1)),
    ([0, 1, 1],), (0, ALL, [2, 0]), ([1, 0], ALL, 2), ([0, 1], [2, 0], [1, 1]), (ALL, [1, 0], 2), (Ellipsis, [1, -1]),
    (ALL, 2, [[1, 0, 1]]), ([1, 0], ALL, [1, 3]), (0, None, [1, 0]), ([[1], [0]], [0, 1, -1]), (slice(2, 2), [0]),
    (np.array([True, False]),), (ALL, np.array([True, False, True])), (MASK,), (MASK, 1), (ALL, [0, 2], slice(1, 3)),
]
NUMPY_ONLY: list[Any] = [
    (slice(None, None, -1),), (Ellipsis, slice(None, None, -2), 1), (slice(5, 1, -1),),
    (slice(None, None, -1), [1, 0], slice(3, None, -2)),
]
# fmt: on
INDICES = [(index, kind) for kind in ("numpy", "torch") for index in NUMPY_AND_TORCH]
INDICES += [(index, "numpy") for index in NUMPY_ONLY]

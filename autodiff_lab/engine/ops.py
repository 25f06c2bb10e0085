"""The op table: one row per primitive. Everything the engine can do with an operation is derived from its row.

A row is a set of formulas in plain Python over four reserved names: ``a`` and ``b`` are the operands, ``y`` the result,
``g`` the adjoint that arrives from above. A formula may call the names of other rows. Which values have to be kept for
the backward sweep is not written down: they are the names that occur in the adjoint formulas (`Op.saves`). Where a
subgradient or a tie must be chosen, the choice is PyTorch's.

A formula that needs more than one line is a Python function. Its arguments are the reserved names and the parameters of
the row that it uses; the other names in it are looked up where formulas find theirs, so that the same lines work on
arrays and, to record what they do, on nodes.

This module knows nothing of nodes or arrays; an interpreter of the table, like `scalar.py`, uses `on_new_row`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Formula = str | Callable[..., Any] | None
    F = TypeVar("F", bound=Callable[..., Any])

RESERVED = ("a", "b", "y", "g")
HELPERS: dict[str, Callable[..., Any]] = {}


def helper(function: F) -> F:
    """A function that formulas may call; like a formula, it is looked up and looks names up in their namespaces."""
    HELPERS[function.__name__] = function
    return function


class Op:
    """One row of the table.

    name      what the operation is called, as in PyTorch: ``x.exp()``, ``exp(x)``
    forward   the formula of the result
    adjoints  for each operand, the formula of its share of the adjoint (linear in ``g``); None where none flows
    symbol    how a picture or a formula writes it: ``×``
    domain    a condition on the operands under which the row is smooth; gradcheck draws its points from there
    examples  for a row on arrays: the arguments of calls, as text, from which gradcheck takes its points; in them
              ``x(2, 3)`` is a tensor of that shape, ``i([0, 1])`` an array of whole numbers or booleans
    onnx      the ONNX operator that computes the forward formula
    dunder    Python's method for the infix or prefix form: ``__mul__``
    reflected Python's method for a left operand that is no node: ``__rmul__``
    arguments for a row on arrays: from the arguments of a call to the operands and, as a second tuple, the parameters
    params    the names that formulas use for those parameters
    view      whether the result may look into the memory of the operand, as in PyTorch
    """

    __slots__ = (
        "adjoints",
        "arguments",
        "arity",
        "domain",
        "dunder",
        "examples",
        "forward",
        "name",
        "onnx",
        "params",
        "reflected",
        "saves",
        "symbol",
        "view",
    )

    def __init__(
        self,
        name: str,
        forward: Formula,
        *adjoints: Formula,
        symbol: str = "",
        domain: str = "",
        examples: tuple[str, ...] = (),
        onnx: str = "",
        dunder: str = "",
        reflected: str = "",
        arguments: Callable[..., Any] | None = None,
        params: tuple[str, ...] = (),
        view: bool = False,
    ) -> None:
        self.name = name
        self.forward = text_of(forward)
        self.adjoints = tuple(text_of(formula) for formula in adjoints)
        self.symbol = symbol or name
        self.domain = domain
        self.examples = examples
        self.onnx = onnx
        self.dunder = dunder
        self.reflected = reflected
        self.arguments = arguments
        self.params = params
        self.view = view
        self.arity = len(adjoints)
        used = [names_in(formula) for formula in self.adjoints if formula]
        self.saves = tuple(name for name in ("a", "b", "y") if any(name in names for names in used))
        if self.arity not in (1, 2):
            raise ValueError(
                f"op {name!r} has {self.arity} adjoint formulas; a row has one for each operand, so one or two"
            )
        if self.arity == 1 and any("b" in names for names in [names_in(self.forward), *used]):
            raise ValueError(f"op {name!r} uses the operand b but has no adjoint formula for it")

    def __repr__(self) -> str:
        return f"op({', '.join(repr(text) for text in (self.name, self.forward, *self.adjoints))})"

    @property
    def on_numbers(self) -> bool:
        """Whether the formulas say what the row does with one number; the others have a meaning for arrays only."""
        return self.arguments is None


def text_of(formula: Formula) -> str:
    """A formula as text: a function is written as its call, None as ""."""
    if formula is None or isinstance(formula, str):
        return formula or ""
    helper(formula)
    code = formula.__code__
    return f"{formula.__name__}({', '.join(code.co_varnames[: code.co_argcount])})"


def names_in(formula: str) -> tuple[str, ...]:
    """The names a formula uses; a formula that is not one Python expression raises SyntaxError."""
    return compile(formula, f"<formula {formula}>", "eval").co_names


TABLE: dict[str, Op] = {}
_subscribers: list[Callable[[Op], None]] = []


def op(name: str, forward: Formula, *adjoints: Formula, **columns: Any) -> Op:
    """Add a row to the table (see `Op` for the columns) and tell every interpreter of it."""
    row = Op(name, forward, *adjoints, **columns)
    TABLE[name] = row
    for tell in _subscribers:
        tell(row)
    return row


def on_new_row(tell: Callable[[Op], None]) -> None:
    """Call ``tell`` with every row there is, and with every row that will be added."""
    for row in TABLE.values():
        tell(row)
    _subscribers.append(tell)


# fmt: off
#   name       forward                  adjoint of a             adjoint of b
op("add",     "a + b",                 "g",                     "g",
   symbol="+", domain="True", onnx="Add", dunder="__add__", reflected="__radd__")
op("sub",     "a - b",                 "g",                     "-g",
   symbol="−", domain="True", onnx="Sub", dunder="__sub__", reflected="__rsub__")
op("mul",     "a * b",                 "g * b",                 "g * a",
   symbol="×", domain="True", onnx="Mul", dunder="__mul__", reflected="__rmul__")
op("div",     "a / b",                 "g / b",                 "-g * (y / b)",
   symbol="÷", domain="abs(b) > 0.2", onnx="Div", dunder="__truediv__", reflected="__rtruediv__")
op("pow",     "pow(a, b)",
   "0.0 if b == 0 else g * (b * pow(a, b - 1))",
   "g * (0.0 if a == 0 and b >= 0 else y * log(a))",
   symbol="^", domain="a > 0.2", onnx="Pow", dunder="__pow__", reflected="__rpow__")
op("neg",     "-a",                    "-g",                    symbol="−", domain="True", onnx="Neg", dunder="__neg__")
op("exp",     "exp(a)",                "g * y",                 domain="True", onnx="Exp")
op("log",     "log(a)",                "g / a",                 domain="a > 0.2", onnx="Log")
op("sqrt",    "sqrt(a)",               "g / (2 * y)",           symbol="√", domain="a > 0.2", onnx="Sqrt")
op("tanh",    "tanh(a)",               "g * (1 - y * y)",       domain="True", onnx="Tanh")
op("sigmoid", "1 / (1 + exp(-a))",     "g * (1 - y) * y",       domain="True", onnx="Sigmoid")
op("relu",    "0.0 if a <= 0 else a",  "0.0 if y <= 0 else g",  domain="abs(a) > 0.1", onnx="Relu")
op("sin",     "sin(a)",                "g * cos(a)",            domain="True", onnx="Sin")
op("cos",     "cos(a)",                "-g * sin(a)",           domain="True", onnx="Cos")
op("erf",     "erf(a)",                "g * (1.1283791670955126 * exp(-a * a))",  # 2 / √π
   domain="True", onnx="Erf")
op("gelu",    "a * (0.5 * (1 + erf(a * 0.7071067811865476)))",  # a times the normal distribution function of a
   "g * (0.5 * (1 + erf(a * 0.7071067811865476)) + a * (0.3989422804014327 * exp(-0.5 * a * a)))",
   domain="True", onnx="Gelu")
op("abs",     "abs(a)",                "g if a > 0 else -g if a < 0 else g * 0.0",
   symbol="|·|", domain="abs(a) > 0.1", onnx="Abs", dunder="__abs__")
op("maximum", "a if a > b else b if b >= a else a + b",  # the sum of the operands is nan if one of them is
   "g / 2 if a == b else 0.0 if a < b else g",
   "g / 2 if a == b else 0.0 if b < a else g",
   symbol="max", domain="abs(a - b) > 0.1", onnx="Max")
op("minimum", "a if a < b else b if b <= a else a + b",
   "g / 2 if a == b else 0.0 if a > b else g",
   "g / 2 if a == b else 0.0 if b > a else g",
   symbol="min", domain="abs(a - b) > 0.1", onnx="Min")
op("clone",   "a",                     "g",                     domain="True", onnx="Identity")
# fmt: on

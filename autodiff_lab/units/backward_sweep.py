"""What test cells about sweeps have in common: right answers by definition, and the rules that wrong sweeps follow.

Not a place for questions: what is asked, with which inputs, stands in the unit. A rule takes the inputs of a question
and gives the answer it leads to, or a predicate that knows such answers, as ``check.function`` expects in ``wrong``.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import autodiff_lab as ad
from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception
from autodiff_lab.units.graphs import CACHE_OUTLIVES_THE_CALL  # noqa: F401
from autodiff_lab.units.local_derivatives import PARTIALS_SWAPPED, QUOTIENT_DIVISOR, QUOTIENT_SIGN
from autodiff_lab.units.welcome import EMPTY_INPUT_FORGOTTEN, EXAMPLE_WRITTEN_IN  # noqa: F401

# --- misconceptions ---------------------------------------------------------------------------------------------------

CHAIN_SLOPES_ADDED = Misconception(
    "chain-slopes-added",
    "local derivatives are added along the chain",
    "Along a chain every step stretches the nudge that it gets from the step before, so the factors multiply: 3 times, "
    "then 2 times, is 6 times. Addition has its place where several paths meet, and here there is only one path.",
    "03_backward_sweep",
    "A chain multiplies",
)
CHAIN_ONE_STEP_ONLY = Misconception(
    "chain-one-step-only",
    "one step stands for the whole chain",
    "You took the local derivative of one step. A nudge of the input passes through every step, and every step "
    "stretches it by its own local derivative.",
    "03_backward_sweep",
    "A chain multiplies",
)
SEED_MISSING = Misconception(
    "seed-missing",
    "the sweep starts without a seed",
    "The result's own adjoint is not set. It is 1, since a nudge of the result moves the result by exactly that nudge, "
    "and every adjoint below it is a product that starts with this 1.",
    "03_backward_sweep",
    "The adjoint",
)
SEED_NOT_ONE = Misconception(
    "seed-not-one",
    "the seed is not 1",
    "All your adjoints are right up to one common factor, and the adjoint of the result is that factor. The result "
    "moves with itself at rate 1, whatever its value is.",
    "03_backward_sweep",
    "The adjoint",
)
UPSTREAM_FORGOTTEN = Misconception(
    "upstream-forgotten",
    "the adjoint from above is left out",
    "You hand down the local derivative alone. It tells how the operand moves the next value; to reach the result it "
    "has to be multiplied by the adjoint of that next value.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
LOCAL_DERIVATIVE_FORGOTTEN = Misconception(
    "local-derivative-forgotten",
    "the local derivative is left out",
    "You hand the adjoint from above on as it is. It tells how the result moves with the next value; to say how it "
    "moves with the operand, it has to be multiplied by the local derivative of the step between the two.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
ADJOINTS_ONLY_CLOSE = Misconception(
    "adjoints-only-close",
    "the adjoints are close, and not exact",
    "They agree in the first few digits: somebody has nudged an input and measured, or has rounded. Local derivatives "
    "are known exactly, and the sweep only multiplies them, so the numbers agree to about fifteen digits.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
VALUE_FOR_ADJOINT = Misconception(
    "value-for-adjoint",
    "a value is used where an adjoint belongs",
    "A value says how large a node is, an adjoint says how fast the result moves with it. Values run forward, adjoints "
    "run backward; what is handed down is adjoint times local derivative.",
    "03_backward_sweep",
    "The adjoint",
)
SWEEP_FROM_THE_WRONG_END = Misconception(
    "sweep-from-the-wrong-end",
    "the product is built from the input's end",
    "You multiply the local derivatives from the first step on. An adjoint is the product of the steps that come "
    "*after* a value, between it and the result, so the sweep starts at the result and walks back.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
ADJOINTS_IN_SWEEP_ORDER = Misconception(
    "adjoints-in-sweep-order",
    "the right adjoints in the order in which the sweep finds them",
    "All numbers are right, and they stand in the order of the sweep: result first. The answer is asked for in the "
    "order of the chain, the input first, as the values are.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
PRODUCT_RESTARTED = Misconception(
    "product-restarted",
    "every adjoint is computed from scratch",
    "The adjoints are right, and each is multiplied together anew from the result down. Neighbours differ by one "
    "factor only: take the adjoint that you have and multiply it once more.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
GIVEN_LIST_CHANGED = Misconception(
    "given-list-changed",
    "the list that was handed in is changed",
    "Your function reverses, empties or overwrites the list it was given, so that whoever called it has lost it. Walk "
    "over `reversed(partials)`, or work on a copy.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
SUBTRACTION_SIGN_LOST = Misconception(
    "subtraction-sign-lost",
    "subtraction's second operand loses its sign",
    "When the second operand of a subtraction grows, the difference shrinks by the same amount: its local derivative "
    "is −1. The first operand's is +1.",
    "03_backward_sweep",
    "The adjoint table",
)
PRODUCT_OWN_VALUE = Misconception(
    "product-own-value",
    "multiplication hands each operand its own value",
    "In a product each operand is scaled by the *other* one: when w is 3, a nudge of x moves x·w three times as far. "
    "The local derivative for x is w, and for w it is x.",
    "03_backward_sweep",
    "The adjoint table",
)
SQUARE_FACTOR_LOST = Misconception(
    "square-factor-lost",
    "the 2 of the square's derivative is missing",
    "The slope of e² at e is 2·e, not e: in (e + h)² = e² + 2·e·h + h² the nudge h comes with the factor 2·e. All "
    "adjoints below the square are half of what they should be.",
    "03_backward_sweep",
    "The adjoint table",
)
TEST_POINT_HIDES_NOTHING = Misconception(
    "test-point-hides-nothing",
    "the mutant is caught at this point",
    "At a blind spot the mutant's rule and the right rule happen to give the same number. Write the two next to each "
    "other, ask where they are equal, and choose the inputs so.",
    "03_backward_sweep",
    "Where a bug hides",
)
TEST_POINT_TOO_SPECIAL = Misconception(
    "test-point-too-special",
    "the point is so special that a wrong rule is right there",
    "Equal operands, a loss of 1 or a loss of 0 make different rules agree. A good test point has nothing special: "
    "unequal operands, and no value that is 0, 1 or 2.",
    "03_backward_sweep",
    "Where a bug hides",
)
RESULT_IS_A_BARE_NUMBER = Misconception(
    "result-is-a-bare-number",
    "the operation returns a number, not a Value",
    "A number does not remember where it came from, so the record ends there and no sweep can pass. Wrap the result: "
    "`Value(number, operands, partials, …)`.",
    "03_backward_sweep",
    "A value that records",
)
RECORD_FORGETS_OPERANDS = Misconception(
    "record-forgets-operands",
    "the result does not remember its operands",
    "The value is right, and `operands` is empty or holds copies, so that the sweep ends before it reaches the leaves. "
    "The tuple has to hold the very objects that were combined.",
    "03_backward_sweep",
    "A value that records",
)
NODE_IN_NODE = Misconception(
    "node-in-node",
    "a Value is wrapped in another Value",
    "`Value(other)` around something that is a Value already makes a new leaf whose data is a node: adjoints stop at "
    "the wrapper and never reach the original. Wrap plain numbers only.",
    "03_backward_sweep",
    "Numbers on either side",
)
NUMBER_AMONG_OPERANDS = Misconception(
    "number-among-operands",
    "a bare number is stored among the operands",
    "The sweep asks every operand for `requires_grad`, and a plain number has none. Store the constant node that you "
    "made of the number, not the number.",
    "03_backward_sweep",
    "Numbers on either side",
)
NUMBER_LEFT_AS_IT_IS = Misconception(
    "number-left-as-it-is",
    "a plain number is taken for a node",
    "In `x + 3.0` the other operand is a number: it has no `data`, no `requires_grad`, no `operands`. `as_value` makes "
    "a constant node of it, and every operator calls `as_value` before it asks for anything.",
    "03_backward_sweep",
    "Numbers on either side",
)
REFLECTED_MISSING = Misconception(
    "reflected-missing",
    "a number on the left is not understood",
    "In `5.0 - x` Python first asks the number 5.0, which knows nothing of your class, and then asks x through "
    "`__rsub__`. Without that method there is nobody left to ask.",
    "03_backward_sweep",
    "Numbers on either side",
)
REFLECTED_ORDER = Misconception(
    "reflected-order",
    "a reflected − or ÷ computes in the wrong order",
    "In `__rsub__(self, other)` the other operand stands on the *left*: `5.0 - x` calls `x.__rsub__(5.0)` and means "
    "5 − x. The order does not matter for + and ×; for − and ÷ it does.",
    "03_backward_sweep",
    "Numbers on either side",
)
REFLECTED_RECURSES = Misconception(
    "reflected-recurses",
    "a reflected method calls itself without end",
    "`other + self` inside `__radd__` asks the number first, which gives up, and Python calls `__radd__` again, for "
    "ever. Turn the number into a node first, or swap the operands: `self + other`.",
    "03_backward_sweep",
    "Numbers on either side",
)
OPERATION_CHANGES_OPERAND = Misconception(
    "operation-changes-operand",
    "an operation changes its operand",
    "`x + w` makes a new node and leaves x and w as they are. Yours writes into an operand, so the record of "
    "everything that used it before is now wrong.",
    "03_backward_sweep",
    "A value that records",
)
CONSTANT_BLOCKS_GRADIENT = Misconception(
    "constant-blocks-gradient",
    "one constant operand switches the gradient off",
    "A result needs a gradient as soon as *any* of its operands does. x·3 still moves when x moves, even though 3 is a "
    "constant.",
    "03_backward_sweep",
    "Numbers on either side",
)
CONSTANT_GETS_GRADIENT = Misconception(
    "constant-gets-gradient",
    "something constant asks for, or gets, a gradient",
    "A plain number in a formula, and everything computed from plain numbers alone, cannot be nudged. It has "
    "`requires_grad=False`, and its `grad` stays None.",
    "03_backward_sweep",
    "Branches that need no gradient",
)
CONSTANT_STOPS_SWEEP = Misconception(
    "constant-stops-sweep",
    "the sweep ends at the first constant",
    "Your sweep meets an operand that needs no gradient and leaves its siblings, or everything still waiting, without "
    "an adjoint. Pass over that operand alone and go on with the next.",
    "03_backward_sweep",
    "Branches that need no gradient",
)
CONSTANT_BRANCH_ENTERED = Misconception(
    "constant-branch-entered",
    "the sweep walks into a branch that needs no gradient",
    "The adjoints are right, and the sweep still looks at nodes whose adjoint nobody asks for. In a large frozen model "
    "that is most of the work. Ask for `requires_grad` before you go down.",
    "03_backward_sweep",
    "Branches that need no gradient",
)
PARTIALS_MISALIGNED = Misconception(
    "partials-misaligned",
    "operands and partials are no longer paired",
    "You filter the constants out of the operands and then pair what is left with the unfiltered partials, so an "
    "operand gets its neighbour's partial. Pair first, filter then.",
    "03_backward_sweep",
    "Branches that need no gradient",
)
ONE_OPERAND_ONLY = Misconception(
    "one-operand-only",
    "only one operand of a node is visited",
    "An operation with two operands hands an adjoint to both. Your sweep follows one of them and leaves the other "
    "branch without an adjoint.",
    "03_backward_sweep",
    "The sweep is a loop",
)
LEAF_NOT_REACHED = Misconception(
    "leaf-not-reached",
    "the sweep ends before it reaches the leaf",
    "Every adjoint is there except the one you wanted most, the leaf's. A loop that asks for the operands of the "
    "*next* node, or that counts down to 1 and not to 0, stops one step early.",
    "03_backward_sweep",
    "The sweep is a loop",
)
SWEEP_RECURSES = Misconception(
    "sweep-recurses",
    "one function call for every step of the chain",
    "Python allows about a thousand nested calls, and a chain can have a million steps. Keep what is still to be done "
    "in a variable or a list, and let a loop take it from there.",
    "03_backward_sweep",
    "The sweep is a loop",
)
ZERO_TAKEN_FOR_NONE = Misconception(
    "zero-taken-for-none",
    "an adjoint of exactly 0 is taken for no adjoint",
    "0.0 is an answer: the result does not move with this value, here. None means that nobody asked. `if node.grad:` "
    "cannot tell them apart, since 0.0 counts as false in Python.",
    "03_backward_sweep",
    "The adjoint",
)
PRODUCT_DIVIDED_OUT = Misconception(
    "product-divided-out",
    "factors are divided out of the whole product",
    "Taking the product of all steps and dividing by the first ones works until one of them is 0: then the whole "
    "product is 0, and 0/0 tells nothing. Build each product up from the result instead.",
    "03_backward_sweep",
    "Every step hands its adjoint on",
)
BACKWARD_BEFORE_FORWARD = Misconception(
    "backward-before-forward",
    "adjoints are computed before the values are there",
    "The sweep starts at the result, and its local derivatives depend on values: the slope of e² is 2·e. So every "
    "value comes first, and then the adjoints.",
    "03_backward_sweep",
    "Forward, then backward",
)
WHOLE_NUMBERS_FORGOTTEN = Misconception(
    "whole-numbers-forgotten",
    "only decimal numbers become constants",
    "`x + 2` hands your method the whole number 2, an int, and `sum` starts with the int 0. Ask whether something is a "
    "Value, and treat everything else as a number.",
    "03_backward_sweep",
    "Numbers on either side",
)
PARTIAL_IS_A_NODE = Misconception(
    "partial-is-a-node",
    "a node is stored where its number belongs",
    "The partials of a product are the numbers `other.data` and `self.data`. If you store the nodes, every product of "
    "the sweep makes new nodes, and adjoints are no longer numbers.",
    "03_backward_sweep",
    "A value that records",
)
ADJOINTS_IN_BETWEEN_MISSING = Misconception(
    "adjoints-in-between-missing",
    "only the ends get an adjoint",
    "What the inputs have is right, and values on the way have no adjoint. The sweep passes each of them, with its "
    "adjoint in hand: write it down there, and leave it there.",
    "03_backward_sweep",
    "The sweep is a loop",
)
PARTIAL_OF_THE_WRONG_STEP = Misconception(
    "partial-of-the-wrong-step",
    "a leaf is asked for an operand or a partial",
    "A leaf has neither. Either your loop does not stop there, or it takes the partial from the lower node of a step: "
    "a node's `partials` tell how *it* moves with its operands, so on the way down you need those of the upper one.",
    "03_backward_sweep",
    "The sweep is a loop",
)
ADJOINTS_NOT_WRITTEN = Misconception(
    "adjoints-not-written",
    "no adjoint is written into the nodes",
    "The test looks at the `grad` of the nodes, and all of them are as they were. What the function returns, or keeps "
    "in variables of its own, is gone when it ends: assign to `node.grad`.",
    "03_backward_sweep",
    "The sweep is a loop",
)
ADDED_TO_NONE = Misconception(
    "added-to-none",
    "`+=` adds to a grad that is still None",
    "Before the sweep, `grad` is None, and None plus a number is an error. In this unit exactly one adjoint arrives at "
    "each node, so `=` is enough. Adding becomes necessary in unit 04, and then grad needs a number to start from.",
    "03_backward_sweep",
    "Branches that need no gradient",
)
RECORD_CHANGED_BY_SWEEP = Misconception(
    "record-changed-by-sweep",
    "the sweep changes the record that it reads",
    "The sweep writes `grad` and nothing else. If it empties `operands` or overwrites `data` or `partials`, nobody can "
    "look at the graph, or sweep again, afterwards.",
    "03_backward_sweep",
    "The sweep is a loop",
)

# --- what tests ask with ----------------------------------------------------------------------------------------------

Rules = dict[Misconception, Any]
Record = tuple[list[float], list[int], list[float], list[bool]]


def near(left: Any, right: Any) -> bool:
    """Whether two numbers agree to nine digits. None agrees with None only."""
    if left is None or right is None:
        return left is right
    return isinstance(left, int | float) and math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)


def all_near(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return len(left) == len(right) and all(map(near, left, right))


def _close(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether numbers agree in their first digits: nudged and measured, or rounded."""
    return len(left) == len(right) and all(
        abs(a - b) <= 1e-3 * max(1.0, abs(b)) for a, b in zip(left, right, strict=True)
    )


# --- a chain, as a list of partials -----------------------------------------------------------------------------------


def chain_adjoints(partials: Sequence[float]) -> list[float]:
    """Adjoints of the values of a chain, input first, by definition: the product of everything after a value."""
    return [math.prod(partials[place:], start=1.0) for place in range(len(partials) + 1)]


def is_one_sweep(partials: Sequence[float], found: Sequence[float]) -> bool:
    """Whether adjoints of a chain were made from one another: each is the next one times its partial, to the last bit.

    Products that begin again for every value are rounded in another order, and four in five of them end in other
    bits. Exact products count as well: somebody may compute with fractions, or in higher precision.
    """
    exact, fitting = Fraction(1), 0
    for place in reversed(range(len(partials))):
        exact *= Fraction(partials[place])
        fitting += found[place] in (partials[place] * found[place + 1], float(exact))
    return fitting > 0.75 * len(partials)


def _scaled(right: Sequence[float]) -> Callable[[Any], bool]:
    """Knows answers that are right up to one common factor, the seed."""
    return lambda got: got[-1] not in (0, 1) and all_near(got, [got[-1] * item for item in right])


CHAIN: Rules = {
    SEED_MISSING: lambda p: lambda got: all_near(got, chain_adjoints(p)[:-1]) or not any(got),
    CHAIN_SLOPES_ADDED: lambda p: (
        lambda got: any(all_near(got[:-1], [start + sum(p[place:]) for place in range(len(p))]) for start in (0, 1))
    ),
    UPSTREAM_FORGOTTEN: lambda p: [*p, 1.0],
    LOCAL_DERIVATIVE_FORGOTTEN: lambda p: [1.0] * (len(p) + 1),
    ADJOINTS_IN_SWEEP_ORDER: lambda p: chain_adjoints(p)[::-1],
    LEAF_NOT_REACHED: lambda p: chain_adjoints(p)[1:],
    SWEEP_FROM_THE_WRONG_END: lambda p: (
        lambda got: all_near(sorted(got), sorted(math.prod(p[:place]) for place in range(len(p) + 1)))
    ),
    SEED_NOT_ONE: lambda p: _scaled(chain_adjoints(p)),
    ADJOINTS_ONLY_CLOSE: lambda p: lambda got: _close(got, chain_adjoints(p)),
}
"""For a function of ``partials`` that returns the adjoints of a chain."""


# --- loss = (x·w + b − t)² --------------------------------------------------------------------------------------------


def table(x: float, w: float, b: float, t: float) -> dict[str, float]:
    """The adjoint table, by the reference engine: the loss as a function of each value in turn."""
    found = ad.grad(lambda x, w, b, t: (x * w + b - t) ** 2, argnums=(0, 1, 2, 3))(x, w, b, t)
    between = {
        "loss": 1.0,
        "e": float(ad.grad(lambda e: e**2)(x * w + b - t)),
        "z": float(ad.grad(lambda z: (z - t) ** 2)(x * w + b)),
        "m": float(ad.grad(lambda m: (m + b - t) ** 2)(x * w)),
    }
    return between | {name: float(item) for name, item in zip("xwbt", found, strict=True)}


def _table_without_seed(*at: float) -> Callable[[Any], bool]:
    right = table(*at)
    rest = right.keys() - {"loss"}
    return lambda got: (
        not any(got.values())
        or (not got.get("loss") and rest <= got.keys() and all(near(got[name], right[name]) for name in rest))
    )


def _table_with_another_seed(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    right, loss = table(x, w, b, t), (x * w + b - t) ** 2
    return lambda got: (
        got["loss"] not in (0, 1)
        and (
            all(near(got[name], got["loss"] * right[name]) for name in right)
            or all(near(got[name], loss if name == "loss" else right[name]) for name in right)
        )
    )


def _table_of_bare_partials(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    """Each entry is right or a bare local derivative."""
    right, bare = table(x, w, b, t), {"z": 1, "m": 1, "b": 1, "t": 1, "x": abs(w), "w": abs(x)}
    return lambda got: all(
        near(got[name], right[name]) or (name in bare and near(abs(got[name]), bare[name])) for name in right
    )


def _table_handed_on(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    """Each entry is right, or the adjoint above it as it is."""
    right = table(x, w, b, t)
    above = {"e": "loss", "z": "e", "t": "e", "m": "z", "b": "z", "x": "m", "w": "m"}
    return lambda got: (
        got["loss"] == 1 and all(near(got[name], right[name]) or near(got[name], got[above[name]]) for name in above)
    )


def _table_of_values(x: float, w: float, b: float, t: float) -> Callable[[Any], bool]:
    values = {"m": x * w, "z": x * w + b}
    return lambda got: any(near(got[name], values[name]) for name in values)


TABLE: Rules = {
    SEED_MISSING: _table_without_seed,
    SUBTRACTION_SIGN_LOST: lambda *at: {**table(*at), "t": -table(*at)["t"]},
    PRODUCT_OWN_VALUE: lambda *at: {**table(*at), "x": table(*at)["w"], "w": table(*at)["x"]},
    SQUARE_FACTOR_LOST: lambda *at: {name: item if name == "loss" else item / 2 for name, item in table(*at).items()},
    SEED_NOT_ONE: _table_with_another_seed,
    UPSTREAM_FORGOTTEN: _table_of_bare_partials,
    VALUE_FOR_ADJOINT: _table_of_values,
    LOCAL_DERIVATIVE_FORGOTTEN: _table_handed_on,
    ADJOINTS_IN_BETWEEN_MISSING: lambda *at: (
        lambda got: not set(got) & {"m", "z", "e"} and all(near(got[name], table(*at)[name]) for name in "xwb")
    ),
    ADJOINTS_ONLY_CLOSE: lambda *at: lambda got: _close([got[name] for name in table(*at)], list(table(*at).values())),
    EXAMPLE_WRITTEN_IN: lambda *at: table(2.0, 3.0, 1.0, 10.0),
}
"""For a function of (x, w, b, t) that returns the adjoint table."""


def is_point(point: Any) -> bool:
    """Whether ``point`` is a tuple of four ordinary numbers."""
    if not isinstance(point, list | tuple) or len(point) != 4:
        return False
    return all(isinstance(item, int | float) and math.isfinite(item) and abs(item) < 1e6 for item in point)


def caught(mutant: str, point: Any) -> bool:
    """Whether a test at ``point`` notices the mutant A, B, C or D: some adjoint of an input differs."""
    x, w, b, t = point
    e = x * w + b - t
    down = {"A": e**2 * 2 * e, "C": 1.0, "D": e**2}.get(mutant, 2 * e)
    left, right = (x, w) if mutant == "B" else (w, x)
    mutated = {"x": down * left, "w": down * right, "b": down, "t": -down}
    return any(not near(item, table(*point)[name]) for name, item in mutated.items())


def blind(mutant: str) -> Callable[[Any], bool | str]:
    """Judges a blind spot of ``mutant``, for ``accept=``."""

    def verdict(point: Any) -> bool | str:
        if not is_point(point):
            return "expected a tuple of four ordinary numbers (x, w, b, t)"
        x, w, b, t = point
        if x == 0 or w == 0 or x * w + b - t == 0:
            return "x, w or the loss is 0 here, and that was ruled out"
        return not caught(mutant, point) or "the mutant and the right table differ here"

    return verdict


def catches_all(point: Any) -> bool | str:
    """Judges a point that should catch every mutant, for ``accept=``."""
    if not is_point(point):
        return "expected a tuple of four ordinary numbers (x, w, b, t)"
    return all(caught(mutant, point) for mutant in "ABCD") or "at least one mutant is not caught here"


def blind_spot_rules(mutant: str) -> list[tuple[Callable[[Any], bool], Misconception]]:
    """For a blind spot of ``mutant`` that is none."""
    return [
        (lambda point: is_point(point) and caught(mutant, point), TEST_POINT_HIDES_NOTHING),
        (is_point, TEST_POINT_TOO_SPECIAL),
    ]


# --- a Value that records ---------------------------------------------------------------------------------------------

READ = """
# on purpose: which node is which decides identity, and no class; what comes back are numbers
def rate(node, leaf):
    if node is leaf:
        return 1.0
    pairs = zip(getattr(node, "partials", ()), getattr(node, "operands", ()))
    return sum(partial * rate(operand, leaf) for partial, operand in pairs)

def below(node):
    return [each for operand in getattr(node, "operands", ()) for each in (operand, *below(operand))]

def read(node, *leaves):
    if node is None or isinstance(node, (int, float)):
        return "nothing" if node is None else "a bare number"
    for each in (node, *below(node)):
        if isinstance(getattr(each, "data", 0), Value):
            return "a Value inside a Value"
        if any(isinstance(partial, Value) for partial in getattr(each, "partials", ())):
            return "a Value among the partials"
    return [node.data, *(rate(node, leaf) for leaf in leaves)]
"""
"""Lines that run beside the student's ``Value``. ``read(y, x)`` gives the value of y and how fast it moves with x, off
the record. Any record with the right rates is right, also one that writes a − b as a + (−1)·b."""

RATES: dict[str, Callable[[float, float], list[float]]] = {
    "+": lambda a, c: [a + c, 1.0, 1.0],
    "-": lambda a, c: [a - c, 1.0, -1.0],
    "*": lambda a, c: [a * c, c, a],
    "/": lambda a, c: [a / c, 1.0 / c, -a / c**2],
}
"""Value and both rates of a ∘ c."""


def two_values(sign: str) -> Rules:
    """For value and both rates of ``Value(a) ∘ Value(c)``."""
    right = RATES[sign]
    special: dict[str, Rules] = {
        "+": {},
        "-": {SUBTRACTION_SIGN_LOST: lambda a, c: [a - c, 1.0, 1.0]},
        "*": {PRODUCT_OWN_VALUE: lambda a, c: [a * c, a, c]},
        "/": {
            QUOTIENT_SIGN: lambda a, c: [a / c, 1.0 / c, a / c**2],
            QUOTIENT_DIVISOR: lambda a, c: (
                lambda got: all_near(got, [a / c, 1.0 / c, -a / c]) or all_near(got, [a / c, 1.0 / c, -1.0 / c**2])
            ),
        },
    }
    return {
        **NO_RECORD,
        RECORD_FORGETS_OPERANDS: lambda a, c: lambda got: got[0] == right(a, c)[0] and 0 in got[1:],
        **special[sign],
        PARTIALS_SWAPPED: lambda a, c: [right(a, c)[0], *right(a, c)[:0:-1]],
    }


NO_RECORD: Rules = {
    NOTHING_RETURNED: lambda *given: "nothing",
    RESULT_IS_A_BARE_NUMBER: lambda *given: "a bare number",
    NODE_IN_NODE: lambda *given: "a Value inside a Value",
    PARTIAL_IS_A_NODE: lambda *given: "a Value among the partials",
    NUMBER_LEFT_AS_IT_IS: AttributeError,
}
"""For whatever ``read`` finds that is no record of numbers."""


def number_left(sign: str) -> Rules:
    """For value and rate of ``c ∘ Value(a)``, with a plain number c."""
    right = RATES[sign]
    special: dict[str, Rules] = {
        "+": {},
        "-": {SUBTRACTION_SIGN_LOST: lambda a, c: [c - a, 1.0]},
        "*": {PRODUCT_OWN_VALUE: lambda a, c: [c * a, a]},
        "/": {QUOTIENT_SIGN: lambda a, c: [c / a, c / a**2]},
    }
    if sign in "-/":
        special[sign][REFLECTED_ORDER] = lambda a, c: lambda got: near(got[0], right(a, c)[0])
    return {
        REFLECTED_RECURSES: RecursionError,
        REFLECTED_MISSING: TypeError,
        **NO_RECORD,
        RECORD_FORGETS_OPERANDS: lambda a, c: [right(c, a)[0], 0.0],
        **special[sign],
    }


# --- a sweep over nodes -----------------------------------------------------------------------------------------------

BUILD_CHAIN = """
nodes = [Node(values[0])]
for value, partial in zip(values[1:], partials):
    nodes.append(Node(value, (nodes[-1],), (partial,)))
"""
"""Lines that make a chain of the student's ``Node`` out of ``values`` and ``partials``, leaf first."""


class SeedIsNone(TypeError):
    """A sweep multiplies None, and the root has no adjoint."""


class AddedToNone(TypeError):
    """A sweep adds to None."""


def attempt(sweep: str, root: str) -> str:
    """Lines that call the student's ``sweep`` and return every grad. A TypeError about None is told apart by a base
    class of its own; the student sees the error as Python gave it."""
    return f"""
try:
    {sweep}({root})
except TypeError as error:
    base = "AddedToNone" if "for +" in str(error) else "SeedIsNone" if {root}.grad is None else ""
    if not base or "NoneType" not in str(error):
        raise
    kind = type("TypeError", (type(base, (TypeError,), {{}}),), {{}})
    raise kind(str(error)).with_traceback(error.__traceback__) from None
return [node.grad for node in nodes]
"""


def twice(sweep: str, root: str) -> str:
    """Lines that call the student's ``sweep`` two times, and return every grad after each of them."""
    return f"""
found = []
for time in range(2):
    for node in nodes:
        node.grad = None
    {sweep}({root})
    found.append([node.grad for node in nodes])
return found
"""


def _value_times_partial(values: Sequence[float], partials: Sequence[float]) -> Callable[[Any], bool]:
    above = [value * partial for value, partial in zip(values[1:], partials, strict=True)]
    below = [value * partial for value, partial in zip(values[:-1], partials, strict=True)]
    return lambda got: all_near(got[:-1], above) or all_near(got[:-1], below)


NOTHING_TO_READ: Rules = {
    ADDED_TO_NONE: AddedToNone,
    PARTIAL_OF_THE_WRONG_STEP: IndexError,
    ADJOINTS_NOT_WRITTEN: lambda *given: lambda got: set(got) == {None},
}
"""For a sweep that stops with an error, or writes nothing."""

CHAIN_OF_NODES: Rules = {
    **NOTHING_TO_READ,
    SEED_MISSING: (
        SeedIsNone,
        lambda v, p: lambda got: not any(got) or (got[-1] is None and None not in got[:-1]),
    ),
    UPSTREAM_FORGOTTEN: lambda v, p: [*p, 1.0],
    VALUE_FOR_ADJOINT: _value_times_partial,
    LEAF_NOT_REACHED: lambda v, p: lambda got: got[0] is None and all_near(got[1:], chain_adjoints(p)[1:]),
    ADJOINTS_IN_BETWEEN_MISSING: lambda v, p: lambda got: near(got[0], chain_adjoints(p)[0]) and None in got,
    LOCAL_DERIVATIVE_FORGOTTEN: lambda v, p: [1.0] * (len(p) + 1),
    CHAIN_SLOPES_ADDED: lambda v, p: [1.0 + sum(p[place:]) for place in range(len(p) + 1)],
    SEED_NOT_ONE: lambda v, p: lambda got: None not in got and _scaled(chain_adjoints(p))(got),
}
"""For the adjoints that a sweep leaves in a chain of (values, partials), leaf first."""

# A record as data: for each node its value, its parent (the node that uses it), the partial on the way up to the
# parent, and whether it needs a gradient. Node 0 is the root; a parent comes before its operands.

BUILD_RECORD = """
nodes = [Node(value, requires_grad=needed) for value, needed in zip(values, needs)]
below = [[] for node in nodes]
for child in range(1, len(nodes)):
    below[parents[child]].append(child)
for node, children in zip(nodes, below):
    node.operands = tuple(nodes[child] for child in children)
    node.partials = tuple(partials[child] for child in children)
"""
"""Lines that make a record of the student's ``Node``, root first."""

BUILD_ENDLESS_RECORD = """
class Part(Node):
    @property
    def operands(self):
        return self.kept if self.requires_grad else (Part(1.0, requires_grad=False),)
    @operands.setter
    def operands(self, operands):
        self.kept = operands
    @property
    def partials(self):
        return self.weights if self.requires_grad else (1.0,)
    @partials.setter
    def partials(self, partials):
        self.weights = partials
""" + BUILD_RECORD.replace("Node(", "Part(")
"""The same, where every node that needs no gradient is computed from another such node, and that one too, without end:
a sweep that enters one never comes back, and nothing has to count."""


def _below(parents: Sequence[int], place: int) -> list[int]:
    return [child for child in range(1, len(parents)) if parents[child] == place]


def record(draw: Random, parents: Sequence[int], constants: Iterable[int] = ()) -> Record:
    """A record of this shape with random numbers. ``constants`` are leaves that need no gradient."""
    size, fixed = len(parents), set(constants)
    needs = [place not in fixed for place in range(size)]
    for place in reversed(range(size)):
        if _below(parents, place):
            needs[place] = any(needs[child] for child in _below(parents, place))
    # Short numbers, easy to follow by hand: all different, no partial is 0, 1 or -1.
    values = draw.sample([2 + quarter / 4 for quarter in range(1, 40)], size)
    partials = draw.sample([quarter / 4 for quarter in range(-16, 17) if quarter not in (0, 4, -4)], size)
    return values, list(parents), partials, needs


def deep_record(draw: Random, depth: int) -> Record:
    """A record in which every second node goes on and the others are leaves, some of them constants."""
    parents, spine = [0], 0
    while len(parents) < 2 * depth:
        children = len(parents), len(parents) + 1
        parents += [spine, spine]
        spine = draw.choice(children)
    leaves = {*range(len(parents))} - {*parents[1:]}
    values = [draw.uniform(1, 9) for _ in parents]
    partials = [draw.choice((-1, 1)) * draw.uniform(0.9, 1.1) for _ in parents]
    return (
        values,
        parents,
        partials,
        [place not in leaves or place == spine or draw.random() < 0.5 for place in range(len(parents))],
    )


def record_adjoints(
    values: list[float], parents: list[int], partials: list[float], needs: list[bool]
) -> list[float | None]:
    """The right adjoints, root first: the product of the partials on the way down; None where none is needed."""
    products = [1.0]
    for parent, partial in zip(parents[1:], partials[1:], strict=True):
        products.append(products[parent] * partial)
    return [product if needed else None for product, needed in zip(products, needs, strict=True)]


def _each(rule: Callable[..., float]) -> Callable[..., list[float | None]]:
    """A rule for whole records out of a rule for one node below the root."""
    return lambda values, parents, partials, needs: [
        1.0 if not place else rule(values, parents, partials, place) if needs[place] else None
        for place in range(len(values))
    ]


def _some_missing(*given: Any) -> Callable[[Any], bool]:
    """What is there is right, and some adjoints are not there."""
    right = record_adjoints(*given)
    return lambda got: got[0] == 1 and all(a is None or near(a, b) for a, b in zip(got, right, strict=True))


def _another_seed(*given: Any) -> Callable[[Any], bool]:
    right = record_adjoints(*given)
    return lambda got: (
        got[0] not in (None, 1) and all_near(got, [None if item is None else got[0] * item for item in right])
    )


def _constants_too(values: Any, parents: Any, partials: Any, needs: list[bool]) -> Callable[[Any], bool]:
    right = record_adjoints(values, parents, partials, [True] * len(needs))
    return lambda got: all(
        near(a, b) or (a in (None, 0) and not needed) for a, b, needed in zip(got, right, needs, strict=True)
    )


def _pairs_shifted(
    values: list[float], parents: list[int], partials: list[float], needs: list[bool]
) -> list[float | None]:
    """Operands that need a gradient, paired with the partials of all operands from the first on."""
    own = dict.fromkeys(range(len(values)), 1.0)
    for place in range(len(values)):
        below = _below(parents, place)
        own |= zip([child for child in below if needs[child]], [partials[child] for child in below], strict=False)
    return record_adjoints(values, parents, [own[place] for place in range(len(values))], needs)


def _ends_only(values: Any, parents: Any, *rest: Any) -> Callable[[Any], bool]:
    right = record_adjoints(values, parents, *rest)
    leaves = set(range(len(values))) - set(parents)
    return lambda got: (
        None in got
        and all(near(got[place], right[place]) for place in leaves)
        and all(a is None or near(a, b) for a, b in zip(got, right, strict=True))
    )


NODES: Rules = {
    **NOTHING_TO_READ,
    SEED_MISSING: (
        SeedIsNone,
        lambda *given: lambda got: not any(got) or (got[0] is None and None not in got[1:]),
    ),
    ADJOINTS_IN_BETWEEN_MISSING: _ends_only,
    LOCAL_DERIVATIVE_FORGOTTEN: _each(lambda values, parents, partials, place: 1.0),
    UPSTREAM_FORGOTTEN: _each(lambda values, parents, partials, place: partials[place]),
    VALUE_FOR_ADJOINT: lambda *given: (
        lambda got: any(
            all_near(got, _each(rule)(*given))
            for rule in (
                lambda values, parents, partials, place: values[parents[place]] * partials[place],
                lambda values, parents, partials, place: values[place] * partials[place],
            )
        )
    ),
    SEED_NOT_ONE: _another_seed,
    ONE_OPERAND_ONLY: _some_missing,
}
"""For the adjoints that a sweep leaves in a record without constants, root first."""

NODES_AND_CONSTANTS: Rules = {
    CONSTANT_GETS_GRADIENT: _constants_too,
    ADJOINTS_IN_BETWEEN_MISSING: _ends_only,
    PARTIALS_MISALIGNED: _pairs_shifted,
    CONSTANT_STOPS_SWEEP: _some_missing,
}
"""For the same, in a record where some leaves are constants."""

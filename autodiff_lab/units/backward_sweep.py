"""What the test cells of unit 03 know: kinds of inputs, right answers by definition, and rules of wrong answers.

What is asked stands in the cells; here is how. A rule takes the inputs of a question and gives the answer it leads to,
or a predicate that knows such answers, as ``check.function`` expects in ``wrong``.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import mul
from random import Random
from typing import Any

import autodiff_lab as ad
from autodiff_lab.checks.failed import BudgetExceeded, Raised
from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception
from autodiff_lab.checks.plain import same
from autodiff_lab.checks.student import Answer, student
from autodiff_lab.units.graphs import CACHE_OUTLIVES_THE_CALL
from autodiff_lab.units.local_derivatives import PARTIALS_SWAPPED, QUOTIENT_DIVISOR, QUOTIENT_SIGN
from autodiff_lab.units.welcome import EMPTY_INPUT_FORGOTTEN, EXAMPLE_WRITTEN_IN

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
ADJOINT_FOR_VALUE = Misconception(
    "adjoint-for-value",
    "an adjoint is used where a value belongs",
    "The local derivative of x·w for x is the *value* of w. Your product takes the adjoint of w, perhaps because the "
    "name w stands for its adjoint by then. Give adjoints names of their own.",
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
POINT_RULED_OUT = Misconception(
    "point-ruled-out",
    "the blind spot is one that was ruled out",
    "Where the loss, x or w is 0, several rules agree at once, and the point says nothing about this mutant. Look for "
    "a point at which only the two numbers are equal that this mutant exchanges.",
    "03_backward_sweep",
    "Where a bug hides",
)
TEST_POINT_TOO_SPECIAL = Misconception(
    "test-point-too-special",
    "the point is so special that a wrong rule is right there",
    "The good point lets a mutant pass: its factors are equal, or its error is one of those at which two rules meet "
    "(0, 1/2, 1, −1 and 2). Take unequal factors and any other error.",
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
    "An operand gets the partial of its neighbour. `zip(node.operands, node.partials)` pairs them as they stand. If "
    "you filter the constants out of the operands first, or count, the two run apart: pair first, filter then.",
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
ONE_PARTIAL_EACH = Misconception(
    "one-partial-each",
    "there is not one partial for each operand",
    "Operands and partials are two tuples of the same length: the first partial belongs to the first operand, and so "
    "on. What has no partial gets no adjoint.",
    "03_backward_sweep",
    "A value that records",
)
PARTIALS_READ_LATE = Misconception(
    "partials-read-late",
    "the partials are computed when they are read",
    "The record has to hold the numbers of the moment in which the operation ran. Yours looks at the operands again "
    "when somebody asks, and by then they may hold other numbers. Compute each partial at once, and store the number.",
    "03_backward_sweep",
    "A value that records",
)
OPERATION_CALLS_ITSELF = Misconception(
    "operation-calls-itself",
    "an operator computes with nodes, and so calls itself without end",
    "With a node on either side of it, the `+` inside `__add__` is `__add__` again (or `__radd__`). Compute with the "
    "numbers, `self.data + other.data`, and see that neither of these is a node itself.",
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
ROOT_IS_A_LEAF = Misconception(
    "root-is-a-leaf",
    "a root that is a leaf is forgotten",
    "A record can be a single leaf: input and result at once. Its adjoint is 1 and nothing is below it. Set the seed "
    "first, and ask whether there are operands before you take one.",
    "03_backward_sweep",
    "The sweep is a loop",
)
TWO_OPERANDS_EXPECTED = Misconception(
    "two-operands-expected",
    "every node is expected to have two operands",
    "A power has one operand, a leaf has none, and other operations have three or more. Loop over operands and "
    "partials together, however many there are.",
    "03_backward_sweep",
    "Branches that need no gradient",
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
"""For each node its value, its parent (the node that uses it), the partial on the way up to the parent, and whether it
needs a gradient. Node 0 is the root; a parent comes before its operands."""

STEPS = [quarter / 4 for quarter in range(-16, 17) if quarter not in (-4, 0, 4)]
"""Short numbers, easy to follow by hand; none of them is 0, 1 or -1, and sums and products of them are exact."""
VALUES = [2 + quarter / 4 for quarter in range(1, 60)]


def near(left: Any, right: Any) -> bool:
    """Whether two numbers agree to nine digits. None agrees with None only."""
    if left is None or right is None:
        return left is right
    return isinstance(left, int | float) and math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)


def all_near(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return len(left) == len(right) and all(map(near, left, right))


def anything(*given: Any) -> Callable[[Any], bool]:
    """The rule of a question that can go wrong in one way only."""
    return lambda got: True


def _close(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether numbers agree in their first digits: nudged and measured, or rounded."""
    return len(left) == len(right) and all(
        abs(a - b) <= 5e-2 * max(1.0, abs(b)) for a, b in zip(left, right, strict=True)
    )


def _where(some: Callable[..., bool], rule: Any, right: Callable[..., Any]) -> Callable[..., Any]:
    """The rule of an answer that is wrong for ``some`` inputs only: there it follows ``rule``."""
    return lambda *given: (
        (rule(*given) if callable(rule) and not isinstance(rule, type) else rule) if some(*given) else right(*given)
    )


def _drawn(kinds: dict[str, Callable[..., Any]], wanted: Sequence[str], seed: int, numbers: list[float]) -> list[Any]:
    """One input of each wanted kind (of every one, where none is named), made of drawn numbers."""
    draw = Random(seed)
    return [kinds[kind](*draw.sample(numbers, 12)) for kind in wanted or kinds]


# --- a chain, as a list of partials -----------------------------------------------------------------------------------

CHAINS: dict[str, Callable[..., list[float]]] = {
    "the example": lambda *p: [5.0, 2.0, 4.0],
    "no step": lambda *p: [],
    "one step": lambda *p: [p[0]],
    "two steps": lambda *p: [p[0], p[1]],
    "many steps": lambda *p: list(p),
    "equal steps": lambda *p: [p[0]] * 4,
    "a step of 1": lambda *p: [p[0], 1.0, p[1]],
    "all negative": lambda *p: [-abs(partial) for partial in p[:3]],
    "whole numbers": lambda *p: [int(4 * partial) for partial in p[:4]],
    "zero first": lambda *p: [0.0, p[0], p[1]],
    "zero between": lambda *p: [p[0], 0.0, p[1], p[2]],
    "zero last": lambda *p: [p[0], p[1], 0.0],
}


def chains(*kinds: str, seed: int) -> list[list[float]]:
    """Partials of a chain of each of these kinds, or of every kind."""
    return _drawn(CHAINS, kinds, seed, STEPS)


def long_chain(size: int, seed: int) -> list[float]:
    """Partials near 1 and -1: their products neither vanish nor grow beyond bounds."""
    draw = Random(seed)
    return [draw.choice((-1, 1)) * draw.uniform(0.9, 1.1) for _ in range(size)]


def chain_adjoints(partials: Sequence[float]) -> list[float]:
    """Adjoints of the values of a chain, input first: each is the product of everything after its value."""
    return list(accumulate(reversed(partials), mul, initial=1.0))[::-1]


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
    return lambda got: got[-1] != 1 and all_near(got, [got[-1] * item for item in right])


def _is_empty(partials: Sequence[float]) -> bool:
    return not partials


def _has_zero(partials: Sequence[float]) -> bool:
    return 0 in partials


CHAIN: Rules = {
    EMPTY_INPUT_FORGOTTEN: tuple(
        _where(_is_empty, rule, chain_adjoints) for rule in (Raised(Exception), lambda p: lambda got: True)
    ),
    PRODUCT_DIVIDED_OUT: tuple(
        _where(_has_zero, rule, chain_adjoints)
        for rule in (Raised(ZeroDivisionError), lambda p: lambda got: any(item != item for item in got))
    ),
    ZERO_TAKEN_FOR_NONE: _where(_has_zero, lambda p: lambda got: len(got) <= len(p) or None in got, chain_adjoints),
    SEED_MISSING: (lambda p: lambda got: all_near(got, chain_adjoints(p)[:-1]), lambda p: [0.0] * (len(p) + 1)),
    CHAIN_SLOPES_ADDED: lambda p: (
        lambda got: any(all_near(got[:-1], [start + sum(p[place:]) for place in range(len(p))]) for start in (0, 1))
    ),
    UPSTREAM_FORGOTTEN: lambda p: [*p, 1.0],
    LOCAL_DERIVATIVE_FORGOTTEN: lambda p: [1.0] * (len(p) + 1),
    ADJOINTS_IN_SWEEP_ORDER: lambda p: chain_adjoints(p)[::-1],
    LEAF_NOT_REACHED: (
        lambda p: chain_adjoints(p)[1:] or [1.0],
        lambda p: [*chain_adjoints(p)[1:], 1.0],
    ),
    ADJOINTS_IN_BETWEEN_MISSING: (lambda p: chain_adjoints(p)[0], lambda p: [*chain_adjoints(p)[: len(p)][:1], 1.0]),
    SWEEP_FROM_THE_WRONG_END: tuple(
        lambda p, start=start, step=step: [*accumulate(p, mul, initial=1.0)][start:][::step]
        for start in (0, 1)
        for step in (1, -1)
    ),
    SEED_NOT_ONE: lambda p: _scaled(chain_adjoints(p)),
    ADJOINTS_ONLY_CLOSE: lambda p: lambda got: _close(got, chain_adjoints(p)),
}
"""For a function of ``partials`` that returns the adjoints of a chain."""


# --- loss = (x·w + b − t)² --------------------------------------------------------------------------------------------

POINTS: dict[str, Callable[..., tuple[float, ...]]] = {
    "the example": lambda *at: (2.0, 3.0, 1.0, 10.0),
    "any": lambda x, w, b, t, *rest: (x, w, b, t),
    "another": lambda x, w, b, t, *rest: (x, w, b, t),
    "all negative": lambda x, w, b, t, *rest: (-abs(x), -abs(w), -abs(b), -abs(t)),
    "whole numbers": lambda x, w, b, t, *rest: (int(4 * x), int(4 * w), int(4 * b), int(4 * t)),
    "equal factors": lambda x, w, b, t, *rest: (x, x, b, t),
    "opposite factors": lambda x, w, b, t, *rest: (x, -x, b, t),
    "x is 0": lambda x, w, b, t, *rest: (0.0, w, b, t),
    "w is 0": lambda x, w, b, t, *rest: (x, 0.0, b, t),
    "the loss is 0": lambda x, w, b, t, *rest: (x, w, b, x * w + b),
    "the loss is 1": lambda x, w, b, t, *rest: (x, w, b, x * w + b - 1),
}


def points(*kinds: str, seed: int) -> list[tuple[float, ...]]:
    """A point (x, w, b, t) of each of these kinds, or of every kind."""
    return _drawn(POINTS, kinds, seed, STEPS)


FORMULA: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys("xwbt", ("input",)),
    "m": ("*", "x", "w"),
    "z": ("+", "m", "b"),
    "e": ("-", "z", "t"),
    "two": ("const", 2.0),
    "loss": ("**", "e", "two"),
}


def table_picture(x: float, w: float, b: float, t: float) -> tuple[dict[str, Any], dict[str, float]]:
    """The graph and the values at a point, for ``draw``."""
    e = x * w + b - t
    return FORMULA, {"x": x, "w": w, "b": b, "t": t, "m": x * w, "z": e + t, "e": e, "two": 2.0, "loss": e**2}


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


def _table_has_zero(*at: float) -> bool:
    return 0 in table(*at).values()


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
        got["loss"] != 1
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


def _table_times(factor: Callable[[float], float]) -> Callable[..., dict[str, float]]:
    """Everything below the loss is wrong by this factor."""
    return lambda x, w, b, t: {
        name: item if name == "loss" else item * factor(x * w + b - t) for name, item in table(x, w, b, t).items()
    }


def _table_multiplied(name: str, other: str) -> Callable[..., dict[str, float]]:
    """The other factor's adjoint is taken for its value."""
    return lambda *at: {**table(*at), name: table(*at)["m"] * table(*at)[other]}


TABLE: Rules = {
    ZERO_TAKEN_FOR_NONE: _where(_table_has_zero, lambda *at: lambda got: len(got) < 8 or None in got.values(), table),
    SEED_MISSING: _table_without_seed,
    SUBTRACTION_SIGN_LOST: lambda *at: {**table(*at), "t": -table(*at)["t"]},
    PRODUCT_OWN_VALUE: lambda *at: {**table(*at), "x": table(*at)["w"], "w": table(*at)["x"]},
    ADJOINT_FOR_VALUE: (_table_multiplied("x", "w"), _table_multiplied("w", "x")),
    SQUARE_FACTOR_LOST: _table_times(lambda e: 0.5),
    SEED_NOT_ONE: _table_with_another_seed,
    UPSTREAM_FORGOTTEN: _table_of_bare_partials,
    VALUE_FOR_ADJOINT: (
        _table_of_values,
        _table_times(lambda e: e**2),  # the loss goes on as the adjoint above e
        _table_times(lambda e: e / 2),  # and here in the place of its slope
    ),
    LOCAL_DERIVATIVE_FORGOTTEN: (
        _table_handed_on,
        lambda x, w, b, t: {**dict.fromkeys(("loss", "e", "z", "m", "b"), 1.0), "t": -1.0, "x": w, "w": x},
    ),
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
    return all(isinstance(item, int | float) and abs(item) < 1e50 for item in point)


def caught(mutant: str, point: Any) -> bool:
    """Whether a test at ``point`` notices the mutant A, B, C or D: some adjoint of an input differs."""
    x, w, b, t = point
    e = x * w + b - t
    down = {"A": e**2 * 2 * e, "C": 1.0, "D": e**2}.get(mutant, 2 * e)
    left, right = (x, w) if mutant == "B" else (w, x)
    mutated = {"x": down * left, "w": down * right, "b": down, "t": -down}
    return any(not math.isclose(item, table(*point)[name], rel_tol=1e-9) for name, item in mutated.items())


def is_ruled_out(point: Any) -> bool:
    """Whether x, w or the loss is 0 there, so that it is no answer to the question for a blind spot."""
    x, w, b, t = point
    return x == 0 or w == 0 or x * w + b - t == 0


def spot(name: str) -> Answer:
    """One entry of the student's ``blind_spots()``."""
    source = f'spots = blind_spots()\nreturn None if spots is None else spots["{name}"]'
    return student.run(source, label=f'blind_spots()["{name}"]')


def blind(mutant: str) -> Callable[[Any], bool | str]:
    """Judges a blind spot of ``mutant``, for ``accept=``."""

    def verdict(point: Any) -> bool | str:
        if not is_point(point):
            return "expected a tuple of four ordinary numbers (x, w, b, t)"
        if is_ruled_out(point):
            return "x, w or the loss is 0 here, and that was ruled out"
        return not caught(mutant, point) or "the mutant and the right table differ here"

    return verdict


def catches_all(point: Any) -> bool | str:
    """Judges a point that should catch every mutant, for ``accept=``."""
    if not is_point(point):
        return "expected a tuple of four ordinary numbers (x, w, b, t)"
    let_through = [mutant for mutant in "ABCD" if not caught(mutant, point)]
    return not let_through or f"here mutant {let_through[0]} is not caught"


def blind_spot_rules(mutant: str) -> list[tuple[Callable[[Any], bool], Misconception]]:
    """For a blind spot of ``mutant`` that is none."""
    return [
        (lambda point: is_point(point) and is_ruled_out(point), POINT_RULED_OUT),
        (lambda point: is_point(point) and caught(mutant, point), TEST_POINT_HIDES_NOTHING),
    ]


GOOD_POINT_RULES = [(is_point, TEST_POINT_TOO_SPECIAL)]

# --- a Value that records ---------------------------------------------------------------------------------------------

PAIRS: dict[str, Callable[..., tuple[float, float]]] = {
    "the example": lambda *p: (6.0, 2.0),
    "any": lambda a, c, *rest: (a, c),
    "one negative": lambda a, c, *rest: (abs(a), -abs(c)),
    "equal": lambda a, *rest: (a, a),
    "whole numbers": lambda *p: (7, -2),
    "zero left": lambda a, c, *rest: (0.0, c),
    "zero right": lambda a, c, *rest: (a, 0.0),
    "two whole zeros": lambda *p: (0, 0),
}
DIVISIBLE = ("the example", "any", "one negative", "equal", "whole numbers")
"""The kinds of pairs (a, c) in which both may stand under a ÷."""


def pairs(*kinds: str, seed: int) -> list[tuple[float, float]]:
    """Numbers a and c of each of these kinds, or of every kind."""
    return _drawn(PAIRS, kinds, seed, STEPS)


_READ = """
# on purpose: which node is which decides identity, and no class; what comes back are numbers, and two complaints
def rate(node, leaf):
    if node is leaf:
        return 1.0
    pairs = zip(getattr(node, "partials", ()), getattr(node, "operands", ()))
    return sum(partial * rate(operand, leaf) for partial, operand in pairs)

def below(node):
    return [each for operand in getattr(node, "operands", ()) for each in (operand, *below(operand))]

def read(node, leaves):
    if node is None or isinstance(node, (int, float)):
        return "nothing" if node is None else "a bare number"
    for each in (node, *below(node)):
        if isinstance(getattr(each, "data", 0), Value):
            return "a Value inside a Value"
        if any(isinstance(partial, Value) for partial in getattr(each, "partials", ())):
            return "a Value among the partials"
        if any(hasattr(partial, "__call__") for partial in getattr(each, "partials", ())):
            return "a function among the partials"
        if len(getattr(each, "partials", ())) != len(getattr(each, "operands", ())):
            return "operands, and not one partial for each of them"
    return [node.data, *(rate(node, leaf) for leaf in leaves)]
"""
_ASK_VALUES = (
    _READ
    + """
# on purpose: two comparisons that only refuse; what earns are the numbers that come back
x, w = Value(a), Value(c)
before = x.data, w.data
made = {text}
if before != (x.data, w.data):
    return "an operand whose data has changed"
found = read(made, ({leaves}))
try:
    x.data = w.data = 0.75
except AttributeError:  # somebody protects it, and it never changes
    return found
return found if found == read(made, ({leaves})) else "numbers that change when an operand's data does, later"
"""
)
"""Reads the value of a formula, and how fast it moves with its leaves, off the record. Any record with the right rates
is right, also one that writes a − b as a + (−1)·b."""


def _leaves(text: str) -> list[str]:
    return [name for name in "xw" if re.search(rf"\b{name}\b", text)]


def recorded(text: str) -> Callable[[float, float], Answer]:
    """Asks for value and rates of a formula in x = Value(a), w = Value(c) and the plain number c."""
    leaves = _leaves(text)
    source = _ASK_VALUES.replace("{text}", text).replace("{leaves}", "".join(f"{name}, " for name in leaves))
    label = f"{text}, for x = Value(a) and w = Value(c): its value, and how fast it moves with {' and '.join(leaves)},"
    return lambda a, c: student.run(source, a=a, c=c, label=label)


def computed(text: str) -> Callable[[float, float], list[float]]:
    """Value and rates of the same formula, by the reference engine."""
    leaves = _leaves(text)

    def right(a: float, c: float) -> list[float]:
        formula = eval(f"lambda {', '.join(leaves)}: {text}", {"c": c})
        at = [{"x": float(a), "w": float(c)}[name] for name in leaves]
        return [float(formula(*at)), *map(float, ad.grad(formula, argnums=tuple(range(len(at))))(*at))]

    return right


NO_RECORD: Rules = {
    NOTHING_RETURNED: lambda *given: "nothing",
    RESULT_IS_A_BARE_NUMBER: lambda *given: "a bare number",
    NODE_IN_NODE: lambda *given: "a Value inside a Value",
    PARTIAL_IS_A_NODE: lambda *given: "a Value among the partials",
    OPERATION_CHANGES_OPERAND: lambda *given: "an operand whose data has changed",
    PARTIALS_READ_LATE: (
        lambda *given: "numbers that change when an operand's data does, later",
        lambda *given: "a function among the partials",
    ),
    ONE_PARTIAL_EACH: lambda *given: "operands, and not one partial for each of them",
}
"""For whatever is read that is no record of numbers."""


def _forgotten(text: str) -> Callable[..., Any]:
    """The value is right, and some rates are 0 because their operands are not in the record."""

    def rule(a: float, c: float) -> Callable[[Any], bool]:
        right = computed(text)(a, c)
        return lambda got: (
            near(got[0], right[0]) and all(item == 0 or near(item, due) for item, due in zip(got, right, strict=True))
        )

    return rule


def between_values(text: str) -> Rules:
    """For value and rates of ``x ∘ w``."""
    right = computed(text)
    special: dict[str, Rules] = {
        "-": {SUBTRACTION_SIGN_LOST: lambda a, c: [a - c, 1.0, 1.0]},
        "*": {
            PRODUCT_OWN_VALUE: lambda a, c: [a * c, a, c],
            LOCAL_DERIVATIVE_FORGOTTEN: lambda a, c: [a * c, 1.0, 1.0],
        },
        "/": {
            QUOTIENT_SIGN: lambda a, c: [a / c, 1.0 / c, a / c**2],
            QUOTIENT_DIVISOR: (
                lambda a, c: [a / c, 1.0 / c, -a / c],
                lambda a, c: [a / c, 1.0 / c, -a],
                lambda a, c: [a / c, 1.0 / c, a],
                lambda a, c: [a / c, 1.0 / c, -1.0 / c**2],
            ),
        },
    }
    return {
        **NO_RECORD,
        OPERATION_CALLS_ITSELF: Raised(RecursionError, line="."),
        RECORD_FORGETS_OPERANDS: _forgotten(text),
        **special.get(text.split()[1], {}),
        PARTIALS_SWAPPED: lambda a, c: [right(a, c)[0], *right(a, c)[:0:-1]],
    }


LEFT_AS_IT_IS = Raised(AttributeError, says="'(int|float)' object has no attribute")


def _whole(a: float, c: float) -> bool:
    return isinstance(c, int)


def number_on_the_right(text: str) -> Rules:
    """For value and rate of ``x ∘ c``, with a plain number c."""
    return {
        WHOLE_NUMBERS_FORGOTTEN: tuple(
            _where(_whole, rule, computed(text)) for rule in (LEFT_AS_IT_IS, Raised(TypeError))
        ),
        NUMBER_LEFT_AS_IT_IS: LEFT_AS_IT_IS,
        **NO_RECORD,
        RECORD_FORGETS_OPERANDS: _forgotten(text),
    }


def number_on_the_left(text: str) -> Rules:
    """For value and rate of ``c ∘ x``, once ``x ∘ c`` is right."""
    special: dict[str, Rules] = {
        "-": {
            REFLECTED_ORDER: lambda a, c: lambda got: near(got[0], a - c),
            SUBTRACTION_SIGN_LOST: lambda a, c: [c - a, 1.0],
        },
        "*": {PRODUCT_OWN_VALUE: lambda a, c: [c * a, a]},
        "/": {
            REFLECTED_ORDER: lambda a, c: lambda got: near(got[0], a / c),
            QUOTIENT_SIGN: lambda a, c: [c / a, c / a**2],
        },
    }
    return {
        REFLECTED_RECURSES: Raised(RecursionError, line="."),
        REFLECTED_MISSING: Raised(TypeError, says="unsupported operand", line="^$"),
        **number_on_the_right(text),
        **special.get(text.split()[1], {}),
    }


def as_value_of_a_value() -> Answer:
    """Whether `as_value` gives a Value back as it is: what is written to one shows in the other."""
    return student.run(
        "w = Value(2.0)\nmade = as_value(w)\nmade.grad = 7.5\nreturn w.grad",
        label="w = Value(2.0), made = as_value(w), made.grad = 7.5: then w.grad",
    )


def as_value_of(number: float) -> Answer:
    """What `as_value` makes of a plain number."""
    return student.run(
        "made = as_value(number)\nkind = 'Value' if isinstance(made, Value) else type(made).__name__\n"
        "return [kind, made.data, bool(made.requires_grad)]",
        label="as_value(number): its class, data and requires_grad",
        number=number,
    )


def constant(number: float) -> list[Any]:
    """What `as_value_of` finds where it is right."""
    return ["Value", number, False]


AS_VALUE_OF: Rules = {
    WHOLE_NUMBERS_FORGOTTEN: _where(lambda number: isinstance(number, int), LEFT_AS_IT_IS, constant),
    NUMBER_LEFT_AS_IT_IS: LEFT_AS_IT_IS,
    CONSTANT_GETS_GRADIENT: lambda number: ["Value", number, True],
}


def needs(texts: list[str]) -> Answer:
    """requires_grad of formulas in leaves (x, w, and the 0 o), constants (j, k, and the 0 z) and plain numbers."""
    return student.run(
        f"""
        x, w, o = Value(2.0), Value(3.0), Value(0.0)
        j, k, z = Value(4.0, requires_grad=False), Value(5.0, requires_grad=False), Value(0.0, requires_grad=False)
        return [bool(made.requires_grad) for made in ({", ".join(texts)},)]
        """,
        label=f"requires_grad of {', '.join(texts)}, where x, w and o are leaves, and j, k and z constants",
    )


def nodes_of_numbers() -> Answer:
    """requires_grad of each node that is made of a plain number, or the type of what is no node."""
    return student.run(
        _READ
        + """
x = Value(2.0)
results = (x + 3.0, x * 3.0, 3.0 + x, 3.0 * x, x - 3.0, 3.0 / x)
leaves = [n for y in results for n in below(y) if n is not x and not getattr(n, "operands", ())]
return [bool(n.requires_grad) if isinstance(n, Value) else type(n).__name__ for n in leaves]
""",
        label="requires_grad of each node that is made of the number in x + 3.0, x * 3.0, …",
    )


def are_constants(found: list[Any]) -> bool | str:
    """Judges the nodes that numbers have become, for ``accept=``. There may be none of them."""
    return not any(found) or "each of them should be a Value with requires_grad False"


NODES_OF_NUMBERS: list[tuple[Callable[[Any], bool], Misconception]] = [
    (lambda found: any(isinstance(item, str) for item in found), NUMBER_AMONG_OPERANDS),
    (lambda found: True, CONSTANT_GETS_GRADIENT),
]


# --- a sweep over nodes -----------------------------------------------------------------------------------------------

_CHAIN = """
nodes = [Node(values[0])]
for value, partial in zip(values[1:], partials):
    nodes.append(Node(value, (nodes[-1],), (partial,)))
"""
_RECORD = """
nodes = [Node(value, requires_grad=needed) for value, needed in zip(values, needs)]
below = [[] for node in nodes]
for child in range(1, len(nodes)):
    below[parents[child]].append(child)
for node, children in zip(nodes, below):
    node.operands = tuple(nodes[child] for child in children)
    node.partials = tuple(partials[child] for child in children)
"""
_ENDLESS = """
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
""" + _RECORD.replace("Node(", "Part(")
"""Every node that needs no gradient is computed from another such node, and that one too, without end: a sweep that
enters one never comes back, and nothing has to count."""

_GRADS = "{sweep}\nreturn [node.grad for node in nodes]"
_TWICE = """
def state():
    return [[node.data, list(node.partials), len(node.operands), node.requires_grad] for node in nodes]
found = [state()]
for time in range(2):
    for node in nodes:
        node.grad = None
    try:
        {sweep}
    except Exception:
        pass  # the next check tells
    found.append([node.grad for node in nodes])
return [*found, state()]
"""


def _along(lines: str, what: str) -> Callable[..., Answer]:
    source = _CHAIN + lines.replace("{sweep}", "backward_chain(nodes[-1])")
    label = f"{what}, leaf first, after backward_chain(root)"
    return lambda values, partials: student.run(source, label=label, values=values, partials=partials)


def _over(lines: str, what: str, build: str = _RECORD, max_calls: int | None = None) -> Callable[..., Answer]:
    source = build + lines.replace("{sweep}", "backward(nodes[0])")
    label = f"{what}, root first (node i is an operand of node parents[i]), after backward(root)"
    return lambda values, parents, partials, needs: student.run(
        source, label=label, max_calls=max_calls, values=values, parents=parents, partials=partials, needs=needs
    )


_BOTH = (
    "every node's data, partials, number of operands and requires_grad before and after two sweeps, and both times grad"
)
chain_swept = _along(_GRADS, "grad of every node")
chain_swept_twice = _along(_TWICE, _BOTH)
swept = _over(_GRADS, "grad of every node")
swept_twice = _over(_TWICE, _BOTH)
swept_endless = _over(_GRADS, "with a frozen branch that never ends: grad of every node", _ENDLESS, 20_000)


def is_repeatable(found: list[Any]) -> bool | str:
    """Judges two sweeps over one record, right or wrong, for ``accept=``."""
    before, first, second, after = found
    if not same(before, after):
        return "the sweeps have changed what the nodes hold beside grad"
    return same(first, second) or "the second sweep leaves other adjoints than the first"


NOT_REPEATABLE = [
    (lambda found: not same(found[0], found[3]), RECORD_CHANGED_BY_SWEEP),
    (lambda found: not same(found[1], found[2]), CACHE_OUTLIVES_THE_CALL),
]


def _below(parents: Sequence[int], place: int) -> list[int]:
    return [child for child in range(1, len(parents)) if parents[child] == place]


def record(draw: Random, parents: Sequence[int], constants: Iterable[int] = ()) -> Record:
    """A record of this shape with random numbers. ``constants`` are leaves that need no gradient."""
    size, fixed = len(parents), set(constants)
    needs = [place not in fixed for place in range(size)]
    for place in reversed(range(size)):
        if _below(parents, place):
            needs[place] = any(needs[child] for child in _below(parents, place))
    needs[0] = True
    return draw.sample(VALUES, size), list(parents), draw.sample(STEPS, size), needs


def _tree(draw: Random, share: float = 0.0) -> Record:
    """A record of a drawn shape, in which about this share of the leaves are constants."""
    parents = [0] + [draw.randrange(place) for place in range(1, draw.randint(3, 14))]
    leaves = set(range(len(parents))) - set(parents[1:])
    return record(draw, parents, {leaf for leaf in leaves if draw.random() < share})


def _with(given: Record, values: float | None = None, partial: float | None = None) -> Record:
    """The same record, with other numbers in all values or in the partial of node 1."""
    old, parents, partials, needs = given
    return (
        [values] * len(old) if values is not None else old,
        parents,
        [*partials[:1], partial, *partials[2:]] if partial is not None else partials,
        needs,
    )


_BRANCHES = [0, 0, 0, 1, 1, 1, 2, 6, 6, 7]

RECORDS: dict[str, Callable[[Random], Record]] = {
    "two leaves": lambda draw: record(draw, [0, 0, 0]),
    "one leaf": lambda draw: record(draw, [0]),
    "a chain": lambda draw: record(draw, [0, 0, 1, 2]),
    "branches": lambda draw: record(draw, _BRANCHES),
    "many operands": lambda draw: record(draw, [0, *[0] * 6, 3, 3]),
    "equal values": lambda draw: _with(record(draw, [0, 0, 0, 1, 1]), values=3.0),
    "values of 0": lambda draw: _with(record(draw, [0, 0, 1, 2]), values=0.0),
    "a partial of 0": lambda draw: _with(record(draw, [0, 0, 0, 1, 3]), partial=0.0),
    "any": _tree,
}
"""Kinds of records in which every node needs a gradient."""

FROZEN: dict[str, Callable[[Random], Record]] = {
    "a constant first": lambda draw: record(draw, [0, 0, 0], {1}),
    "a constant last": lambda draw: record(draw, [0, 0, 0], {2}),
    "an operation of constants": lambda draw: record(draw, [0, 0, 0, 1, 1], {3, 4}),
    "constants in branches": lambda draw: record(draw, _BRANCHES, {3, 8}),
    "most are constants": lambda draw: record(draw, [0, 0, 0, 0, 1, 1, 3, 3], {4, 2, 6}),
    "constants only": lambda draw: record(draw, [0, 0, 0], {1, 2}),
    "any with constants": lambda draw: _tree(draw, 0.5),
}
"""Kinds of records with constants. The root needs a gradient in each of them."""


def records(*kinds: str, seed: int) -> list[Record]:
    """A record of each of these kinds, or of every kind."""
    draw = Random(seed)
    return [(RECORDS | FROZEN)[kind](draw) for kind in kinds or RECORDS | FROZEN]


def deep_record(depth: int, seed: int) -> Record:
    """A record in which every second node goes on, and the others are leaves."""
    draw, parents, spine = Random(seed), [0], 0
    while len(parents) < 2 * depth:
        children = len(parents), len(parents) + 1
        parents += [spine, spine]
        spine = draw.choice(children)
    values = [draw.uniform(1, 9) for _ in parents]
    return values, parents, long_chain(len(parents), seed), [True] * len(parents)


def record_adjoints(
    values: list[float], parents: list[int], partials: list[float], needs: list[bool]
) -> list[float | None]:
    """The right adjoints, root first: the product of the partials on the way down; None where none is needed."""
    products = [1.0]
    for parent, partial in zip(parents[1:], partials[1:], strict=True):
        products.append(products[parent] * partial)
    return [product if needed else None for product, needed in zip(products, needs, strict=True)]


def node_chains(*kinds: str, seed: int) -> list[tuple[list[float], list[float]]]:
    """Values and partials of a chain of nodes of each of these kinds, or of every kind."""
    draw = Random(seed)
    return [(draw.sample(VALUES, len(p) + 1), p) for p in chains(*kinds, seed=seed)]


def deep_chain(size: int, seed: int) -> tuple[list[float], list[float]]:
    return long_chain(size + 1, seed + 1), long_chain(size, seed)


def of_chain(of_record: Callable[..., Any]) -> Callable[..., Any]:
    """What a rule for records, root first, says about a chain of (values, partials), leaf first."""

    def rule(values: list[float], partials: list[float]) -> Any:
        parents = [0, *range(len(partials))]
        said = of_record(values[::-1], parents, [1.0, *partials[::-1]], [True] * len(values))
        if isinstance(said, list):
            return said[::-1]
        return said if isinstance(said, type | Raised) else lambda got: said(got[::-1])

    return rule


chain_grads = of_chain(record_adjoints)


def chain_picture(values: list[float], partials: list[float]) -> tuple[dict[str, Any], dict[str, float]]:
    """Graph and values of a chain, for ``draw``."""
    steps = {f"v{place + 1}": (f"partial {item:.4g}", f"v{place}") for place, item in enumerate(partials)}
    return {"v0": ("input",), **steps}, {f"v{place}": round(value, 3) for place, value in enumerate(values)}


def record_picture(
    values: list[float], parents: list[int], partials: list[float], needs: list[bool]
) -> tuple[dict[str, Any], dict[str, float]]:
    """Graph and values of a record, for ``draw``."""
    graph: dict[str, Any] = {}
    for place in reversed(range(len(values))):
        below = [f"n{child}" for child in _below(parents, place)]
        leaf = ("input",) if needs[place] else ("const", round(values[place], 3))
        graph[f"n{place}"] = ("·", *below) if below else leaf
    return graph, {f"n{place}": round(value, 3) for place, value in enumerate(values)}


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


def _followed(which: int, writes_all: bool) -> Callable[..., list[float | None]]:
    """The adjoints of a sweep that goes down to one operand of each node, the first or the last one."""

    def rule(values: Any, parents: list[int], partials: Any, needs: Any) -> list[float | None]:
        written, node = {0}, 0
        while below := _below(parents, node):
            node = below[which]
            written |= set(below) if writes_all else {node}
        right = record_adjoints(values, parents, partials, needs)
        return [item if place in written else None for place, item in enumerate(right)]

    return rule


def _another_seed(*given: Any) -> Callable[[Any], bool]:
    right = record_adjoints(*given)
    return lambda got: (
        got[0] not in (None, 1) and all_near(got, [None if item is None else got[0] * item for item in right])
    )


def _some_constant(values: Any, parents: Any, partials: Any, needs: list[bool]) -> bool:
    return not all(needs)


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
    """The leaves have their adjoints, and some node between them and the root has none."""
    right = record_adjoints(values, parents, *rest)
    leaves = set(range(len(values))) - set(parents[1:])
    return lambda got: (
        None in got
        and all(near(got[place], right[place]) for place in leaves)
        and all(a is None or near(a, b) for a, b in zip(got, right, strict=True))
    )


def _sibling(place: Callable[[int], int]) -> Callable[..., list[float | None]]:
    """Every operand gets the partial of one of its siblings, the one at ``place`` of its own place."""

    def rule(values: Any, parents: list[int], partials: list[float], needs: Any) -> list[float | None]:
        own = list(partials)
        for parent in range(len(parents)):
            below = _below(parents, parent)
            for number, child in enumerate(below):
                own[child] = partials[below[place(number)]]
        return record_adjoints(values, parents, own, needs)

    return rule


def _two_expected(error: Raised) -> Callable[..., Any]:
    """The rule of a sweep that asks for two operands: this error where there is one, two adjoints where there are more
    (or the error there as well)."""

    def rule(values: Any, parents: list[int], *rest: Any) -> Any:
        sizes = {len(_below(parents, place)) for place in range(len(parents))}
        if sizes <= {0, 2}:
            return record_adjoints(values, parents, *rest)
        if 1 in sizes or error.kind is ValueError:
            return error
        reached = {0}
        for place in range(len(parents)):
            reached |= set(_below(parents, place)[:2]) if place in reached else set()
        right = record_adjoints(values, parents, *rest)
        return [item if place in reached else None for place, item in enumerate(right)]

    return rule


def _no_leaf(values: Any, parents: list[int], *rest: Any) -> list[float | None]:
    """Every operation has its adjoint, and no leaf below the root."""
    right = record_adjoints(values, parents, *rest)
    return [item if not place or place in parents[1:] else None for place, item in enumerate(right)]


def _sums(values: Any, parents: list[int], partials: list[float], needs: list[bool]) -> list[float | None]:
    """Partials are added to the adjoint from above."""
    sums = [1.0]
    for parent, partial in zip(parents[1:], partials[1:], strict=True):
        sums.append(sums[parent] + partial)
    return [item if needed else None for item, needed in zip(sums, needs, strict=True)]


def _is_leaf(values: list[Any], *rest: Any) -> bool:
    return len(values) == 1


def _partial_is_zero(values: Any, parents: Any, partials: list[float], needs: Any) -> bool:
    return 0 in partials


TIMES_NONE = Raised(TypeError, says=r"for \*.*NoneType")

SWEEP: Rules = {
    ADDED_TO_NONE: Raised(TypeError, says=r"for \+=?: 'NoneType'", line=r"\+=|(\w+\.grad) = \1 \+"),
    ROOT_IS_A_LEAF: tuple(
        _where(_is_leaf, rule, record_adjoints) for rule in (Raised(Exception), lambda *given: lambda got: True)
    ),
    ADJOINTS_NOT_WRITTEN: lambda *given: lambda got: set(got) == {None},
    SEED_MISSING: (
        lambda *given: [None] if _is_leaf(*given) else TIMES_NONE,
        lambda *given: [None, *record_adjoints(*given)[1:]],
        lambda *given: [0.0] * len(given[0]),
    ),
    ZERO_TAKEN_FOR_NONE: _where(_partial_is_zero, _some_missing, record_adjoints),
    LOCAL_DERIVATIVE_FORGOTTEN: _each(lambda values, parents, partials, place: 1.0),
    CHAIN_SLOPES_ADDED: _sums,
    UPSTREAM_FORGOTTEN: _each(lambda values, parents, partials, place: partials[place]),
    VALUE_FOR_ADJOINT: (
        _each(lambda values, parents, partials, place: values[parents[place]] * partials[place]),
        _each(lambda values, parents, partials, place: values[place] * partials[place]),
    ),
    SEED_NOT_ONE: _another_seed,
}
"""For the adjoints that a sweep leaves in a record in which every node needs one, root first."""

CHAIN_OF_NODES: Rules = {
    LEAF_NOT_REACHED: (
        lambda v, p: [None, *chain_adjoints(p)[1:]] if p else [1.0],
        lambda v, p: [None, *chain_adjoints(p)[1:]] if p else Raised(IndexError),
    ),
    **{
        known: tuple(map(of_chain, rule))
        if isinstance(rule, tuple)
        else rule
        if isinstance(rule, Raised)
        else of_chain(rule)
        for known, rule in SWEEP.items()
    },
    PARTIAL_OF_THE_WRONG_STEP: Raised(IndexError, line=r"\.(operands|partials)\[(0|-1)\]"),
    ADJOINTS_IN_BETWEEN_MISSING: of_chain(_ends_only),
    SWEEP_FROM_THE_WRONG_END: lambda v, p: list(accumulate(p, mul, initial=1.0)),
}
"""For the adjoints that a sweep leaves in a chain of (values, partials), leaf first."""

NODES: Rules = {
    **SWEEP,
    PARTIAL_OF_THE_WRONG_STEP: lambda *given: (
        Raised(IndexError, line=r"\.partials\[(?![1-9])") if not _is_leaf(*given) else [1.0]
    ),
    TWO_OPERANDS_EXPECTED: (
        _two_expected(Raised(ValueError, says="unpack")),
        _two_expected(Raised(IndexError, line=r"\.(operands|partials)\[1\]")),
    ),
    PARTIALS_MISALIGNED: (_sibling(lambda number: -1 - number), _sibling(lambda number: 0)),
    LEAF_NOT_REACHED: _no_leaf,
    ADJOINTS_IN_BETWEEN_MISSING: _ends_only,
    ONE_OPERAND_ONLY: tuple(_followed(which, everything) for which in (0, -1) for everything in (False, True)),
}
"""For the adjoints that a sweep leaves in a record without constants, root first."""

NODES_AND_CONSTANTS: Rules = {
    CONSTANT_GETS_GRADIENT: _where(_some_constant, _constants_too, record_adjoints),
    PARTIALS_MISALIGNED: _pairs_shifted,
    CONSTANT_STOPS_SWEEP: _where(_some_constant, _some_missing, record_adjoints),
}
"""For the same, in records of which some have constants, and some have none."""

FROZEN_BRANCH: Rules = {CONSTANT_BRANCH_ENTERED: (Raised(BudgetExceeded), Raised(RecursionError))}
"""For `swept_endless`."""

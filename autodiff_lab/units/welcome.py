"""What the tests of unit 00 know: misconceptions, the inputs of each exercise by class, and the rules of wrong answers.

Below the misconceptions, each exercise has a dict from a class of its inputs to one of them. `drawn` makes further ones
of the same classes.
"""

import builtins
import math
import random
import statistics
from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate
from typing import Any

from autodiff_lab.checks import Answer, Raised
from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception  # noqa: F401
from autodiff_lab.checks.plain import same
from autodiff_lab.checks.student import StudentFunction

BRACKETS_IGNORED = Misconception(
    "brackets-ignored",
    "the multiplication is done before the addition in brackets",
    "Without brackets, Python multiplies before it adds: `x + y * y` is x plus the square of y. What stands in "
    "brackets is computed first.",
    "00_welcome",
    "Predict first",
)
OPERANDS_MIXED_UP = Misconception(
    "operands-mixed-up",
    "an operand is taken for the other one",
    "The operations are the right ones, and one of them gets x where it should get y, or the parameters stand in "
    "another order. Try the call with two numbers that are very different, and follow each of them.",
    "00_welcome",
    "Return, do not print",
)
ONLY_HALF_COMPUTED = Misconception(
    "only-half-computed",
    "the last step of the calculation is missing",
    "You give a value from the middle of the calculation. Compare your last line with the last operation of the "
    "formula; a line below a `return` is never reached.",
    "00_welcome",
    "Return, do not print",
)
EXAMPLE_WRITTEN_IN = Misconception(
    "example-written-in",
    "the example's result is written into the code",
    "A number of the example stands where an input should stand, so the value is right for the example and for nothing "
    "else. A test tries other inputs, too: compute the result from the inputs.",
    "00_welcome",
    "Points, test cells and handing in",
)
RESULT_AS_TEXT = Misconception(
    "result-as-text",
    "the result is a string",
    "A string such as '15.0' or 'True' looks like the value and cannot be calculated with. Return the value itself, "
    "without `str`, without quotes and without an f-string.",
    "00_welcome",
    "Return, do not print",
)
EXPECTED_AND_GOT_SWAPPED = Misconception(
    "expected-and-got-swapped",
    "expected and got are read the wrong way round",
    "“Expected” is what a right answer gives, “got” is what your function gave. When they differ, it is the "
    "function that has to change.",
    "00_welcome",
    "What a failed check says",
)
RESULT_ROUNDED = Misconception(
    "result-rounded",
    "digits behind the decimal point are thrown away",
    "What you give is right but for the digits behind the point. `int`, `//` and `round` throw away digits that "
    "somebody may still need, of a result as well as of an input; calculate with the numbers as they are.",
    "00_welcome",
    "Return, do not print",
)
RETURN_INSIDE_THE_LOOP = Misconception(
    "return-inside-the-loop",
    "the function returns in the first round of the loop",
    "Only the first number is dealt with. A `return` that is indented as far as the body of the loop ends the function "
    "in the first round. Move it to the left, below the loop.",
    "00_welcome",
    "Leave your inputs alone",
)
LAST_VALUE_ONLY = Misconception(
    "last-value-only",
    "only the last value is kept",
    "Every round of the loop replaces the result of the round before: `total = number`, or a start such as `total = 0` "
    "or `result = []` that stands inside the loop. Set the start above the loop, and let each round add to it.",
    "00_welcome",
    "Leave your inputs alone",
)
RESULT_LIST_SHARED = Misconception(
    "result-list-shared",
    "all calls share one result list",
    "What comes back begins with the results of an earlier call. A list that is made outside the function, or as a "
    "default argument, is made once and not for each call. Make the new list inside the function.",
    "00_welcome",
    "Leave your inputs alone",
)
EQUAL_VALUES_TAKEN_FOR_ONE = Misconception(
    "equal-values-taken-for-one",
    "two equal numbers are taken for one",
    "There are two equal numbers, and your function treats both as one. A set or a dict keeps one of them, and "
    "`numbers.index(number)` always finds the first.",
    "00_welcome",
    "Leave your inputs alone",
)
LOOP_ONE_SHORT = Misconception(
    "loop-one-short",
    "the last element is left out",
    "The loop ends one element too early. `range(n)` already stops before n, and `numbers[:-1]` leaves out the last; "
    "there is no need to subtract 1.",
    "00_welcome",
    "Leave your inputs alone",
)
DOUBLED_NOT_SQUARED = Misconception(
    "doubled-not-squared",
    "the number is doubled instead of squared",
    "Squaring multiplies a number by itself: `number * number` or `number ** 2`. `2 * number` doubles it; the "
    "two agree only at 0 and 2.",
    "00_welcome",
    "Leave your inputs alone",
)
INPUT_CHANGED = Misconception(
    "input-changed",
    "the function changes the list that it is given",
    "The caller's list is not a copy: what you write into it, the caller sees. Build a new list and leave the "
    "input as it was.",
    "00_welcome",
    "Leave your inputs alone",
)
DIVISION_ROUNDS_DOWN = Misconception(
    "division-rounds-down",
    "the division throws away what is after the decimal point",
    "`//` divides and rounds down, so 3 // 2 is 1, and `int` cuts off what is after the point. `/` alone gives the "
    "quotient with its decimals.",
    "00_welcome",
    "Find the bug",
)
COUNT_IS_ONE_OFF = Misconception(
    "count-is-one-off",
    "the sum is not divided by the number of values, but by a number next to it",
    "The mean divides by how many values there are. `len(numbers)` counts them all, so there is no need to add or to "
    "subtract 1. Dividing by one less belongs to the variance of a sample.",
    "00_welcome",
    "Find the bug",
)
EMPTY_INPUT_FORGOTTEN = Misconception(
    "empty-input-forgotten",
    "the empty list is forgotten",
    "An empty list has length 0 and no first element, so dividing by its length or taking element 0 is an error, and "
    "a loop over it runs zero times. Say first what happens with nothing in the list.",
    "00_welcome",
    "Find the bug",
)
COMPARED_EXACTLY = Misconception(
    "compared-exactly",
    "decimal numbers are compared with ==",
    "Decimal numbers are rounded to about 16 digits, so two correct calculations may differ in the last one. Ask "
    "whether their distance is small enough.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
ABSOLUTE_VALUE_LOST = Misconception(
    "absolute-value-lost",
    "the sign is not taken care of",
    "A difference can be negative, and a negative number is smaller than every tolerance. A distance is the "
    "absolute value of the difference: the bracket of `abs(…)` closes before the comparison. A square is never "
    "negative.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
DISTANCE_SQUARED = Misconception(
    "distance-squared",
    "the square of the distance is compared with the tolerance",
    "Squaring removes the sign, and it also changes the size: a distance of 2 has the square 4. Compare the distance "
    "itself, the absolute value of the difference.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
GIVEN_TOLERANCE_UNUSED = Misconception(
    "given-tolerance-unused",
    "the tolerance that the caller gives is not used",
    "Your answers depend on the distance of a and b, and not on the tolerance that is given. How close is close enough "
    "depends on the question, so the caller says it: `tolerance` is an argument.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
TOLERANCE_MADE_RELATIVE = Misconception(
    "tolerance-made-relative",
    "larger numbers may lie further apart",
    "Your answers depend on how large the two numbers are. Here the tolerance is a distance, the same for numbers of "
    "every size. `math.isclose` also accepts a billionth of the numbers themselves, unless you give it `rel_tol=0.0`.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
DISTANCE_OF_SIZES = Misconception(
    "distance-of-sizes",
    "the sizes are compared instead of the numbers",
    "You take the absolute value of each number before you subtract, so -2 and 2 seem equal. Subtract first, "
    "then take the absolute value.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
BOUNDARY_LEFT_OUT = Misconception(
    "boundary-left-out",
    "the boundary itself is left out",
    "“At most” includes the boundary: use `<=`. With `<`, two equal numbers are not close at tolerance 0.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
ANSWER_REVERSED = Misconception(
    "answer-reversed",
    "yes and no are exchanged",
    "Your function says True where the answer is no, and False where it is yes. Turn the comparison round.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
ALWAYS_THE_SAME = Misconception(
    "always-the-same",
    "the answer is the same for all inputs",
    "Your function never looks at its inputs, or asks for something that always holds: of two conditions with `or` "
    "between them one is enough, `and` asks for both.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
DISTANCE_NOT_COMPARED = Misconception(
    "distance-not-compared",
    "the distance is returned without comparing it",
    "You return how far apart the numbers are. The question is whether that is at most the tolerance: return the "
    "result of the comparison, True or False.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
TEST_CELL_DECIDES = Misconception(
    "test-cell-decides",
    "a changed test cell is thought to change the points",
    "When your work is graded, every test cell is put back as it was released, and your answer is tested with that. "
    "Changing or deleting a test cell gains nothing and costs nothing.",
    "00_welcome",
    "Points, test cells and handing in",
)
SUM_TIMES_ITSELF = Misconception(
    "sum-times-itself",
    "the sum is multiplied by itself",
    "You give the square of x + y. The last factor is the y that was given. After a line such as `y = x + y`, that "
    "number is gone: give the sum a name of its own.",
    "00_welcome",
    "Return, do not print",
)
ONE_TERM_MULTIPLIED = Misconception(
    "one-term-multiplied",
    "only one term of the sum is multiplied",
    "The factor behind the brackets belongs to the whole sum: (x + y) times y is x times y plus y times y. You "
    "multiplied x and left y as it was.",
    "00_welcome",
    "Predict first",
)
MULTIPLICATION_SIGN_MISSING = Misconception(
    "multiplication-sign-missing",
    "the multiplication sign is left out",
    "On paper, two brackets side by side are a product. In Python, brackets behind a value call it as a function, and "
    "a number cannot be called. Write `*` between the factors.",
    "00_welcome",
    "Return, do not print",
)
POWER_WRITTEN_WITH_CARET = Misconception(
    "power-written-with-caret",
    "`^` is taken for a power",
    "In Python a power is written `**`: `number ** 2` is the square. `^` compares the bits of two whole numbers, and "
    "decimal numbers refuse it.",
    "00_welcome",
    "Leave your inputs alone",
)
BUILTIN_SHADOWED = Misconception(
    "builtin-shadowed",
    "a variable has the name of one of Python's functions",
    "After `sum = 0`, the name `sum` stands for that number, and the function of this name is hidden from the lines "
    "around it. Give your variable another name, such as `total`.",
    "00_welcome",
    "Find the bug",
)
START_VALUE_MISSING = Misconception(
    "start-value-missing",
    "a name is used before it has a value",
    "A line such as `total = total + number` needs a total to add to. Give it its first value in a line above the "
    "loop: `total = 0`.",
    "00_welcome",
    "Find the bug",
)
APPEND_RETURNS_NOTHING = Misconception(
    "append-returns-nothing",
    "`append` is taken for a function that returns the list",
    "`result.append(…)` changes the list `result` and returns None. After `result = result.append(…)` the list is "
    "lost: leave out `result =`.",
    "00_welcome",
    "Leave your inputs alone",
)
LIST_TAKEN_FOR_A_NUMBER = Misconception(
    "list-taken-for-a-number",
    "the list is calculated with, instead of its numbers",
    "Python's arithmetic does not reach into a list: `numbers ** 2` and `numbers / 2` are errors, and `numbers * 2` "
    "repeats the list. Go through its numbers, one after the other.",
    "00_welcome",
    "Leave your inputs alone",
)
NUMBER_TAKEN_FOR_A_PLACE = Misconception(
    "number-taken-for-a-place",
    "a number of the list is taken for a place in it",
    "`for number in numbers` gives the numbers themselves, one after the other; there is nothing to look up. Write "
    "`number`, not `numbers[number]`.",
    "00_welcome",
    "Leave your inputs alone",
)
PLACE_TAKEN_FOR_A_NUMBER = Misconception(
    "place-taken-for-a-number",
    "the places are calculated with, instead of the numbers that stand there",
    "`for i in range(len(numbers))` gives the places 0, 1, 2 and so on. The number at a place is `numbers[i]`; with "
    "`for number in numbers` you need no places.",
    "00_welcome",
    "Leave your inputs alone",
)
COUNT_TAKEN_FOR_A_LIST = Misconception(
    "count-taken-for-a-list",
    "a loop is to go through one number",
    "`len(numbers)` is one number, and a loop needs several things to go through. `for number in numbers` is enough; "
    "where you need the places, write `for i in range(len(numbers))`.",
    "00_welcome",
    "Leave your inputs alone",
)
PARAMETERS_OF_ITS_OWN = Misconception(
    "parameters-of-its-own",
    "the function takes another number of inputs",
    "The test calls your function as the exercise writes it, and the brackets behind `def` have to name one parameter "
    "for each input. Leave that line as it was released.",
    "00_welcome",
    "Return, do not print",
)
PLACE_BEHIND_THE_END = Misconception(
    "place-behind-the-end",
    "the loop asks for a place behind the last one",
    "The places of a list are counted from 0, so the last one of n is n - 1. `range(len(numbers))` gives all of them, "
    "and nothing has to be added.",
    "00_welcome",
    "Leave your inputs alone",
)
WRITTEN_BEHIND_THE_END = Misconception(
    "written-behind-the-end",
    "a place is written that the list does not have",
    "`result[i] = …` replaces what stands at a place. A list that is empty has no place yet: `result.append(…)` makes "
    "one.",
    "00_welcome",
    "Leave your inputs alone",
)
RESULTS_NOT_KEPT = Misconception(
    "results-not-kept",
    "the results are computed, and nobody keeps them",
    "The list comes back as it was. `number * number` alone, and `number = number ** 2` too, make a new number and "
    "leave every list as it is: `append` each result to a list of your own, and return that one below the loop.",
    "00_welcome",
    "Leave your inputs alone",
)
FIRST_LEFT_OUT = Misconception(
    "first-left-out",
    "the first element is left out",
    "The places of a list are counted from 0. A loop that starts at 1 misses the first number.",
    "00_welcome",
    "Leave your inputs alone",
)
ORDER_NOT_KEPT = Misconception(
    "order-not-kept",
    "the results are right and stand in another order",
    "The result belongs in the order of the inputs. `append` puts a number behind those that are there; `insert(0, …)` "
    "puts it before them, and `sorted` makes an order of its own.",
    "00_welcome",
    "Leave your inputs alone",
)
ADDED_UP_NOT_COLLECTED = Misconception(
    "added-up-not-collected",
    "the results are added up instead of collected",
    "You give one number, the sum of all results. The exercise asks for a list with one result for each number: "
    "`append` each of them.",
    "00_welcome",
    "Leave your inputs alone",
)
MEAN_OF_MEANS = Misconception(
    "mean-of-means",
    "each number is averaged with the mean so far",
    "Halving in every round gives the last number as much weight as all before it together. Add all numbers up first, "
    "and divide once.",
    "00_welcome",
    "Find the bug",
)
MEDIAN_FOR_MEAN = Misconception(
    "median-for-mean",
    "the middle number is taken for the mean",
    "The number in the middle of the sorted list is the median. The mean is the sum divided by how many there are.",
    "00_welcome",
    "Find the bug",
)
PREDICTED_TOO_LATE = Misconception(
    "predicted-too-late",
    "the prediction comes after the code",
    "A prediction that is made when the function is written only repeats what it says. Predict when you know the "
    "question and nothing else.",
    "00_welcome",
    "Predict first",
)

# ---------------------------------------------------------------- inputs by class

PAIRS: dict[str, tuple[float, float]] = {
    "the example": (2.0, 3.0),
    "x below zero": (-1.5, 2.0),
    "y below zero": (0.625, -0.375),
    "both below zero": (-2.5, -4.0),
    "equal": (1.5, 1.5),
    "x is 0": (0.0, 5.0),
    "y is 0": (7.0, 0.0),
    "opposite": (-3.0, 3.0),
    "integers": (4, -6),
    "many decimals": (0.1234567, 0.7654321),
}
LISTS: dict[str, list[float]] = {
    "several": [3.0, -2.0, 0.5],
    "one": [4.0],
    "two": [1.0, 2.0],
    "below zero": [-1.0, -2.0],
    "a number twice": [1.5, 0.5, 1.5, -2.0],
    "a zero": [0.0, 3.0, 1.5],
    "opposite": [2.5, -2.5],
    "zeros": [0.0, 0.0],
    "integers": [7, -1, 10],
    "large and small": [-1e8, 1e-3],
    "many decimals": [0.1234567, 0.7654321, 1.2345678],
}
CLOSE: dict[str, tuple[float, float, float]] = {
    "close, a smaller": (1.0, 1.4, 0.5),
    "close, b smaller": (1.4, 1.0, 0.5),
    "far, a smaller": (1.0, 9.0, 0.5),
    "far, b smaller": (9.0, 1.0, 0.5),
    "further than a small tolerance": (0.25, 0.875, 0.125),
    "opposite, a below zero": (-2.0, 2.0, 1.0),
    "opposite, b below zero": (2.0, -2.0, 1.0),
    "both below zero": (-7.0, -5.5, 1.0),
    "at the tolerance": (3.0, 3.5, 0.5),
    "just beyond": (2.0, 2.500001, 0.5),
    "equal": (2.0, 2.0, 0.5),
    "equal, tolerance 0": (2.0, 2.0, 0.0),
    "apart, tolerance 0": (2.0, 2.0000000001, 0.0),
    "apart in the last digit": (0.1 + 0.2, 0.3, 1e-9),
    "tolerance above 1": (1.0, 3.0, 2.5),
    "tolerance just enough": (10.0, 10.75, 0.875),
    "small": (0.25, 0.5, 0.375),
    "tiny": (1e-7, 3e-7, 1e-7),
    "one integer apart": (0.9, 1.1, 0.5),
    "in one integer": (0.1, 0.9, 0.5),
    "integers": (10, 14, 4),
    "large": (1e3, 1e3 + 1.0, 0.5),
    "very large": (1e9, 1e9 + 1.0, 0.5),
}


def drawn(classes: Mapping[str, Any], seed: int, times: int = 2) -> list[Any]:
    """Further inputs of the same classes: all numbers of one of them times a drawn odd number.

    That keeps signs, zeros, equal numbers, integers, and what is at the tolerance.
    """
    draw = random.Random(seed)
    factors = [[draw.randrange(3, 60, 2) for _ in range(times)] for _ in classes]
    return [
        type(given)(number * factor for number in given)
        for given, own in zip(classes.values(), factors, strict=True)
        for factor in own
    ]


# ---------------------------------------------------------------- right answers


def expression(x: float, y: float) -> float:
    return (x + y) * y


def squares(numbers: list[float]) -> list[float]:
    return [number * number for number in numbers]


def mean(numbers: list[float]) -> float:
    """The mean of numbers, of which there are some."""
    return sum(numbers) / len(numbers)


def is_close(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance


# ---------------------------------------------------------------- rules of wrong answers

Rule = Callable[..., Any]
ROUNDINGS: list[Rule] = [int, math.floor, *(partial(round, ndigits=n) for n in (None, *range(7)))]


def rounded(rule: Rule) -> tuple[Rule, ...]:
    """Rules for results that have lost digits, each in another way."""
    return tuple(lambda *given, cut=cut: cut(rule(*given)) for cut in ROUNDINGS)


def after(way: Rule, rule: Rule) -> Rule:
    """The rule that does `way` with what a rule gives."""
    return lambda *given: way(rule(*given))


def only(number: Callable[[list[float]], float]) -> tuple[Rule, ...]:
    """Rules that square one number of the list, and give that alone or in a list."""
    return (lambda numbers: [number(numbers) ** 2], lambda numbers: number(numbers) ** 2)


def is_text(*given: Any) -> Callable[[Any], bool]:
    """What tells a string, or a list of strings."""
    return lambda got: all(type(one) is str for one in (got if isinstance(got, list) and got else [got]))


FUNCTIONS = "|".join(name for name, value in vars(builtins).items() if callable(value))
ERRORS: dict[Misconception, Any] = {
    BUILTIN_SHADOWED: (
        Raised(TypeError, says="object is not callable", line=rf"\b({FUNCTIONS})\("),
        Raised(UnboundLocalError, says=f"'({FUNCTIONS})'"),
    ),
    START_VALUE_MISSING: Raised(UnboundLocalError),
    MULTIPLICATION_SIGN_MISSING: Raised(TypeError, says="'(float|int)' object is not callable", line=r"\("),
    POWER_WRITTEN_WITH_CARET: Raised(TypeError, says=r" for \^"),
    LIST_TAKEN_FOR_A_NUMBER: Raised(TypeError, says="unsupported operand.*'list'|multiply sequence by non-int"),
    NUMBER_TAKEN_FOR_A_PLACE: Raised(TypeError, says="indices must be integers"),
    COUNT_TAKEN_FOR_A_LIST: Raised(TypeError, says="'(int|float)' object is not iterable", line=r"^for\b|\bin "),
    PARAMETERS_OF_ITS_OWN: Raised(TypeError, says=r"positional arguments?( but|:)", line=r"^$"),
    PLACE_BEHIND_THE_END: Raised(IndexError, says="list index out of range", line=r"\w\[[a-z_]"),
    WRITTEN_BEHIND_THE_END: Raised(IndexError, says="list assignment index out of range"),
    EMPTY_INPUT_FORGOTTEN: Raised(IndexError, says="list index out of range|pop from empty", line=r"\[-?[01]\]|pop"),
}

EXPRESSION: dict[Misconception, Any] = {
    BRACKETS_IGNORED: lambda x, y: x + y * y,
    OPERANDS_MIXED_UP: lambda x, y: (x + y) * x,
    ONLY_HALF_COMPUTED: lambda x, y: x + y,
    SUM_TIMES_ITSELF: lambda x, y: (x + y) * (x + y),
    ONE_TERM_MULTIPLIED: lambda x, y: x * y + y,
    EQUAL_VALUES_TAKEN_FOR_ONE: (
        lambda x, y: sum({x * y, y * y}),
        lambda x, y: sum({x, y}) * y,
    ),
    EXAMPLE_WRITTEN_IN: (
        lambda x, y: 15.0,
        lambda x, y: (x + y) * 3.0,
        lambda x, y: (2.0 + y) * y,
        lambda x, y: (x + 3.0) * 3.0,
    ),
    RESULT_AS_TEXT: is_text,
    RESULT_ROUNDED: (
        *rounded(expression),
        *(lambda x, y, cut=cut: expression(cut(x), cut(y)) for cut in ROUNDINGS),
    ),
    **ERRORS,
}


def _filled_before(numbers: list[float]) -> Callable[[Any], bool]:
    """Whether a list holds the squares of all `LISTS` up to this one, after whatever was in it."""
    given = list(LISTS.values())
    *_, all_of_them = accumulate(given[: given.index(numbers) + 1])
    return lambda got: len(got) > len(numbers) and same(squares(all_of_them), got[-len(all_of_them) :])


def _one_of_each(numbers: list[float]) -> Callable[[Any], bool]:
    """Whether a collection holds each square once, or that of each number; a set has an order of its own."""
    return lambda got: sorted(got) in (sorted(set(squares(numbers))), sorted(squares(list(set(numbers)))))


SQUARES: dict[Misconception, Any] = {
    RETURN_INSIDE_THE_LOOP: only(lambda numbers: numbers[0]),
    LAST_VALUE_ONLY: only(lambda numbers: numbers[-1]),
    RESULT_LIST_SHARED: _filled_before,
    LOOP_ONE_SHORT: lambda numbers: squares(numbers[:-1]),
    FIRST_LEFT_OUT: lambda numbers: squares(numbers[1:]),
    EQUAL_VALUES_TAKEN_FOR_ONE: (
        _one_of_each,
        lambda numbers: [0 if n in numbers[:place] else n * n for place, n in enumerate(numbers)],
    ),
    ORDER_NOT_KEPT: (
        after(lambda found: found[::-1], squares),
        after(sorted, squares),
        after(partial(sorted, reverse=True), squares),
        lambda numbers: squares(sorted(numbers)),
    ),
    RESULTS_NOT_KEPT: (lambda numbers: [], lambda numbers: numbers),
    PLACE_TAKEN_FOR_A_NUMBER: lambda numbers: squares(list(range(len(numbers)))),
    DOUBLED_NOT_SQUARED: lambda numbers: [2 * number for number in numbers],
    ABSOLUTE_VALUE_LOST: lambda numbers: [number * abs(number) for number in numbers],
    ADDED_UP_NOT_COLLECTED: after(sum, squares),
    RESULT_AS_TEXT: is_text,
    RESULT_ROUNDED: tuple(lambda numbers, cut=cut: [cut(n * n) for n in numbers] for cut in ROUNDINGS),
    APPEND_RETURNS_NOTHING: lambda numbers: (
        Raised(AttributeError, says="'NoneType' .* 'append'", line="append") if len(numbers) > 1 else None
    ),
    **ERRORS,
    LIST_TAKEN_FOR_A_NUMBER: (ERRORS[LIST_TAKEN_FOR_A_NUMBER], lambda numbers: numbers * 2),
    NUMBER_TAKEN_FOR_A_PLACE: lambda numbers: (
        ERRORS[NUMBER_TAKEN_FOR_A_PLACE] if float in map(type, numbers) else Raised(IndexError)
    ),
    POWER_WRITTEN_WITH_CARET: lambda numbers: (
        ERRORS[POWER_WRITTEN_WITH_CARET] if float in map(type, numbers) else [number ^ 2 for number in numbers]
    ),
}

MEAN: dict[Misconception, Any] = {
    DIVISION_ROUNDS_DOWN: (
        lambda numbers: sum(numbers) // len(numbers),
        lambda numbers: int(sum(numbers) / len(numbers)),
        lambda numbers: sum(number // len(numbers) for number in numbers),
        lambda numbers: mean(numbers) if float in map(type, numbers) else sum(numbers) // len(numbers),
    ),
    RETURN_INSIDE_THE_LOOP: (lambda numbers: numbers[0] / len(numbers), lambda numbers: numbers[0]),
    LAST_VALUE_ONLY: (lambda numbers: numbers[-1] / len(numbers), lambda numbers: numbers[-1]),
    LOOP_ONE_SHORT: lambda numbers: sum(numbers[:-1]) / len(numbers),
    FIRST_LEFT_OUT: lambda numbers: sum(numbers[1:]) / len(numbers),
    ONLY_HALF_COMPUTED: sum,
    COUNT_IS_ONE_OFF: (
        lambda numbers: sum(numbers) / (len(numbers) - 1),
        lambda numbers: sum(numbers) / (len(numbers) + 1),
    ),
    EQUAL_VALUES_TAKEN_FOR_ONE: (
        lambda numbers: mean(list(set(numbers))),
        lambda numbers: sum(set(numbers)) / len(numbers),
        lambda numbers: sum(numbers) / len(set(numbers)),
    ),
    MEAN_OF_MEANS: (
        lambda numbers: list(accumulate(numbers, lambda so_far, number: (so_far + number) / 2))[-1],
        lambda numbers: list(accumulate(numbers, lambda so_far, number: (so_far + number) / 2, initial=0.0))[-1],
    ),
    MEDIAN_FOR_MEAN: (
        statistics.median,
        lambda numbers: sorted(numbers)[len(numbers) // 2],
        lambda numbers: numbers[len(numbers) // 2],
    ),
    ABSOLUTE_VALUE_LOST: lambda numbers: mean([abs(number) for number in numbers]),
    RESULT_AS_TEXT: is_text,
    RESULT_ROUNDED: (
        *rounded(mean)[2:],
        lambda numbers: int(sum(numbers)) / len(numbers),
        lambda numbers: mean(list(map(int, numbers))),
    ),
    PLACE_TAKEN_FOR_A_NUMBER: lambda numbers: mean(list(range(len(numbers)))),
    EXAMPLE_WRITTEN_IN: (lambda numbers: 1.5, lambda numbers: sum(numbers) / 2),
    **ERRORS,
}

NOTHING_IN_THE_LIST: list[tuple[Any, Misconception]] = [
    (Raised(Exception), EMPTY_INPUT_FORGOTTEN),
    (lambda got: got != got, EMPTY_INPUT_FORGOTTEN),  # numpy.mean gives nan
]
"""For a check of the empty list, made when every other list has come out right."""

SCALES: list[Rule] = [
    lambda a, b: max(abs(a), abs(b)),
    lambda a, b: min(abs(a), abs(b)),
    lambda a, b: abs(a),
    lambda a, b: abs(b),
    lambda a, b: abs(a) + abs(b),
    lambda a, b: (abs(a) + abs(b)) / 2,
]
NEARLY_EQUAL: dict[Misconception, Any] = {
    ANSWER_REVERSED: (
        lambda a, b, tolerance: abs(a - b) > tolerance,
        lambda a, b, tolerance: abs(a - b) >= tolerance,
    ),
    ABSOLUTE_VALUE_LOST: (
        lambda a, b, tolerance: a - b <= tolerance,
        lambda a, b, tolerance: b - a <= tolerance,
        lambda a, b, tolerance: a - b < tolerance,
        lambda a, b, tolerance: b - a < tolerance,
        lambda a, b, tolerance: 0 <= a - b <= tolerance,
        lambda a, b, tolerance: 0 <= b - a <= tolerance,
    ),
    ALWAYS_THE_SAME: (lambda a, b, tolerance: True, lambda a, b, tolerance: False),
    DISTANCE_NOT_COMPARED: (lambda a, b, tolerance: abs(a - b), lambda a, b, tolerance: a - b),
    DISTANCE_OF_SIZES: (
        lambda a, b, tolerance: abs(abs(a) - abs(b)) <= tolerance,
        lambda a, b, tolerance: abs(a) - abs(b) <= tolerance,
    ),
    BOUNDARY_LEFT_OUT: (
        lambda a, b, tolerance: abs(a - b) < tolerance,
        lambda a, b, tolerance: a == b or abs(a - b) < tolerance,
    ),
    DISTANCE_SQUARED: lambda a, b, tolerance: (a - b) ** 2 <= tolerance,
    COMPARED_EXACTLY: lambda a, b, tolerance: a == b,
    GIVEN_TOLERANCE_UNUSED: tuple(
        lambda a, b, tolerance, own=own: abs(a - b) <= own
        for own in sorted({abs(a - b) for a, b, _ in CLOSE.values()})[1:-1]
    ),
    TOLERANCE_MADE_RELATIVE: (
        *(lambda a, b, tolerance, scale=scale: abs(a - b) <= tolerance * scale(a, b) for scale in SCALES),
        *(
            lambda a, b, tolerance, part=part: abs(a - b) <= max(tolerance, part * max(abs(a), abs(b)))
            for part in (1e-9, 1e-5, 1e-3, 1e-2)
        ),
        lambda a, b, tolerance: abs(a - b) <= tolerance + 1e-5 * abs(b),  # numpy.isclose
        *(lambda a, b, tolerance, scale=scale: abs(a - b) <= tolerance * (1 + scale(a, b)) for scale in SCALES),
        *(lambda a, b, tolerance, scale=scale: abs(a - b) <= tolerance * max(1, scale(a, b)) for scale in SCALES),
    ),
    RESULT_AS_TEXT: is_text,
    RESULT_ROUNDED: (
        *(lambda a, b, tolerance, cut=cut: abs(cut(a) - cut(b)) <= tolerance for cut in ROUNDINGS),
        *(lambda a, b, tolerance, cut=cut: cut(abs(a - b)) <= tolerance for cut in ROUNDINGS),
    ),
    **ERRORS,
}


def side_by_side(ask: StudentFunction) -> Answer:
    """The results of `squares` for [1.0, 5.0] and for [2.0], and for the first again when a result has been changed."""
    return ask.student.run(
        """
        first, second, third = squares([1.0, 5.0]), squares([2.0]), squares([1.0, 5.0])
        if isinstance(third, list):
            third.append(0.0)
        return first, second, squares([1.0, 5.0])
        """,
        label="squares of [1.0, 5.0], of [2.0], and of [1.0, 5.0] again, side by side",
    )


WAYS: dict[str, Misconception] = {
    **dict.fromkeys(
        (
            "502532d76d3b",
            "b8d01f3ea8c8",
            "f0f2b15972e3",
            "d81a32687277",
            "e28f5bed63fc",
            "0b28ec17c7d3",
            "f37bc5a0749d",
            "5b8c38a4e88a",
        ),
        TEST_CELL_DECIDES,
    ),
    **dict.fromkeys(("c175583c02a2", "b9c3a5d03395", "113da353da41"), PREDICTED_TOO_LATE),
}
"""The seals of wrong orders of cards: a changed test cell counts, or the code is written first."""

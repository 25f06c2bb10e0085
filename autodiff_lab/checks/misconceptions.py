"""The catalogue of misconceptions: one entry each, named by every check that recognises one.

Not a list of errors: an entry is a wrong idea that a real learner holds, with the words that set it right.
``section`` is a heading of the unit's text, so that "Read:" leads somewhere.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """``code`` is stable and machine-readable; ``name`` is one line; ``explanation`` a few sentences in second person;
    ``unit`` and ``section`` say where to read."""

    code: str
    name: str
    explanation: str
    unit: str
    section: str

    @property
    def read(self) -> str:
        return f"unit {self.unit[:2]}, section “{self.section}”"


def in_message(text: str) -> Misconception | None:
    """The misconception that a check's message names, or None."""
    return next((CATALOGUE[code] for code in re.findall(r"\[([a-z0-9-]+)\]", text) if code in CATALOGUE), None)


# --- any unit ---------------------------------------------------------------------------------------------------------

NOTHING_RETURNED = Misconception(
    "nothing-returned",
    "the function returns nothing",
    "A function without a `return` line gives None, even when it prints the right value. Return the value instead of "
    "printing it.",
    "00_welcome",
    "Return, do not print",
)
ANSWER_IS_AN_OBJECT = Misconception(
    "answer-is-an-object",
    "a node comes back where its number is asked for",
    "A test compares numbers, so your function has to return plain numbers. A node carries its number in an attribute "
    "such as `.data`; an adjoint is in `.grad`.",
    "00_welcome",
    "Return, do not print",
)

# --- 00_welcome -------------------------------------------------------------------------------------------------------

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
    "The operations are the right ones, and one of them gets x where it should get y. Try the call with two "
    "numbers that are very different, and follow each of them.",
    "00_welcome",
    "Return, do not print",
)
ONLY_HALF_COMPUTED = Misconception(
    "only-half-computed",
    "the last step of the calculation is missing",
    "What you return is a value from the middle of the calculation. Compare your last line with the last operation of "
    "the formula.",
    "00_welcome",
    "Return, do not print",
)
EXAMPLE_WRITTEN_IN = Misconception(
    "example-written-in",
    "the example's result is written into the code",
    "The function gives the value of the example whatever its inputs are. A test tries other inputs, too: compute the "
    "result from the inputs.",
    "00_welcome",
    "Points, test cells and handing in",
)
RESULT_AS_TEXT = Misconception(
    "result-as-text",
    "the result is a text instead of a number",
    "A text such as '15.0' looks like the number and cannot be calculated with. Return the number itself, "
    "without `str` and without an f-string.",
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
RETURN_INSIDE_THE_LOOP = Misconception(
    "return-inside-the-loop",
    "the function returns in the first round of the loop",
    "A `return` that is indented as far as the body of the loop ends the function in the first round. Move it to "
    "the left, below the loop.",
    "00_welcome",
    "Leave your inputs alone",
)
LAST_VALUE_ONLY = Misconception(
    "last-value-only",
    "only the last value is kept",
    "Every round of the loop replaces the result of the round before. Collect the values in a list, one after "
    "the other.",
    "00_welcome",
    "Leave your inputs alone",
)
LOOP_ONE_SHORT = Misconception(
    "loop-one-short",
    "the last element is left out",
    "The loop ends one element too early. `range(n)` already stops before n; there is no need to subtract 1.",
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
    "`//` divides and rounds down, so 3 // 2 is 1. Use `/` for the exact quotient.",
    "00_welcome",
    "Find the bug",
)
COUNT_IS_ONE_OFF = Misconception(
    "count-is-one-off",
    "the sum is divided by one less than the number of values",
    "The mean divides by how many values there are. Dividing by one less belongs to the variance of a sample.",
    "00_welcome",
    "Find the bug",
)
EMPTY_INPUT_FORGOTTEN = Misconception(
    "empty-input-forgotten",
    "the empty list is forgotten",
    "An empty list has length 0 and no first element, so dividing by its length or taking element 0 is an error. "
    "Treat it before anything else.",
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
    "absolute value of the difference; a square is never negative.",
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
    "the test cell in your notebook is taken for the one that decides",
    "When your work is graded, every test cell is put back as it was released, and your answer is tested with that. "
    "Changing or deleting a test cell gains nothing and costs nothing.",
    "00_welcome",
    "Points, test cells and handing in",
)

# --- 01_graphs --------------------------------------------------------------------------------------------------------

# --- 02_local_derivatives ---------------------------------------------------------------------------------------------

# --- 03_backward_sweep ------------------------------------------------------------------------------------------------

# --- 04_fan_out -------------------------------------------------------------------------------------------------------

FAN_OUT_DIRECT_PATH_ONLY = Misconception(
    "fan-out-direct-path-only",
    "only the direct path is counted",
    "A value that is used twice reaches the result on two paths. You counted the use that touches the result directly "
    "and left out the path through the other operation. The adjoint is the sum over all paths.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_OVERWRITTEN = Misconception(
    "fan-out-overwritten",
    "a later use overwrites the earlier adjoint",
    "Each use of a value sends back a contribution. Writing `node.grad = …` keeps the last one that arrives and "
    "forgets the others; contributions have to be added to what is there.",
    "04_fan_out",
    "Contributions add",
)

# --- the catalogue, by code -------------------------------------------------------------------------------------------

CATALOGUE: dict[str, Misconception] = {
    entry.code: entry for entry in list(globals().values()) if isinstance(entry, Misconception)
}

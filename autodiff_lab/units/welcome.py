"""What the tests of unit 00 know: the misconceptions that their messages name."""

from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception  # noqa: F401

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
    "You give a value from the middle of the calculation. Compare your last line with the last operation of the "
    "formula.",
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
    "the result is a text",
    "A text such as '15.0' or 'True' looks like the value and cannot be calculated with. Return the value itself, "
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
    "Your result is the right one after rounding. `int`, `//` and `round` throw away digits that somebody may still "
    "need; give the number as it was computed.",
    "00_welcome",
    "Return, do not print",
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
    "The list holds the same number twice, and your function treats both as one. A set or a dict keeps one of them, "
    "and `numbers.index(number)` always finds the first.",
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
    "`//` divides and rounds down, so 3 // 2 is 1, and `int` cuts off what is after the point. `/` alone gives the "
    "quotient with its decimals.",
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
    "absolute value of the difference; a square is never negative.",
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
    "Your function seems to compare with a fixed small number. How close is close enough depends on the question, so "
    "the caller says it: `tolerance` is an argument.",
    "00_welcome",
    "Compare decimal numbers with a tolerance",
)
TOLERANCE_MADE_RELATIVE = Misconception(
    "tolerance-made-relative",
    "larger numbers may lie further apart",
    "The two numbers are large, they are further apart than the tolerance, and you call them close. Here the tolerance "
    "is a distance, the same for numbers of every size. `math.isclose` also accepts a billionth of the numbers "
    "themselves, unless you give it `rel_tol=0.0`.",
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
    "a changed test cell is thought to change the points",
    "When your work is graded, every test cell is put back as it was released, and your answer is tested with that. "
    "Changing or deleting a test cell gains nothing and costs nothing.",
    "00_welcome",
    "Points, test cells and handing in",
)

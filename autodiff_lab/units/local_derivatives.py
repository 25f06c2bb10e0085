"""What the tests of unit 02 know: misconceptions, right slopes by definition, and what a wrong idea makes of them.

A wrong rule is a formula, a difference or a gradient check with one thing changed. It gives a student's numbers at
every input, or it is not named.
"""

from __future__ import annotations

import builtins
import functools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, NamedTuple

import autodiff_lab as ad
from autodiff_lab.checks.compare import NO_FORM, check
from autodiff_lab.checks.failed import Raised
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import same
from autodiff_lab.checks.student import Answer, Student
from autodiff_lab.units.welcome import ANSWER_REVERSED

# --- misconceptions ---------------------------------------------------------------------------------------------------

PRODUCT_OWN_OPERAND = Misconception(
    "product-own-operand",
    "each operand of a product gets its own value",
    "When a grows by a little, a · b grows by b times that little: the slope in a is the other operand, b. You gave "
    "each operand its own value.",
    "02_local_derivatives",
    "One operation, one nudge",
)
PRODUCT_LIKE_A_SUM = Misconception(
    "product-like-a-sum",
    "a product is treated like a sum",
    "In a sum, every nudge of an operand reaches the result unchanged, so the slope is 1. In a product it is first "
    "multiplied by the other operand.",
    "02_local_derivatives",
    "One operation, one nudge",
)
VALUE_FOR_SLOPE = Misconception(
    "value-for-slope",
    "a value stands where a slope belongs",
    "A value says where a number is; a slope says how fast the result changes when an operand moves. You gave the "
    "value of the operation, or of its operands.",
    "02_local_derivatives",
    "One operation, one nudge",
)
CHANGE_FOR_SLOPE = Misconception(
    "change-for-slope",
    "the change of the result is not divided by the nudge",
    "A slope is a rate: the change of the result for each unit of the operand. You gave the change itself, which "
    "depends on how large the nudge was.",
    "02_local_derivatives",
    "One operation, one nudge",
)
SLOPE_NOT_EXACT = Misconception(
    "slope-not-exact",
    "the slope is close to the right one, and not exact",
    "Your slope differs in its last digits, as if it had been measured with a small step or rounded. Write down the "
    "rule, which is exact. Measuring comes later in this unit, to check rules.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
BOTH_OPERANDS_MOVE = Misconception(
    "both-operands-move",
    "both operands move at once",
    "A partial derivative asks about one operand while the other stands still. You moved both, and so got one "
    "number for the two questions: the sum of the partials. Take one operand at a time, and let the other one not "
    "change at all.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
OPERAND_STANDS_STILL = Misconception(
    "operand-stands-still",
    "an operand is taken for a constant",
    "Both operands can move. A slope of 0 says that the result does not change when this operand does; try it with "
    "numbers.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
ROWS_COMPUTED_TOGETHER = Misconception(
    "rows-computed-together",
    "the rules of other operations are computed too",
    "One rule is asked for, and yours computes all of them before it picks one: a dict of finished numbers, or a "
    "logarithm in the first line. The logarithm of a negative number and a division by 0 are errors even if nobody "
    "needs them. Compute only what the operation asks for.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
NO_CASE_FOR_IT = Misconception(
    "no-case-for-it",
    "no case of yours is meant for this",
    "For other inputs your function gives numbers, and here it ends without a `return`, or finds no entry. Compare "
    "the names of the operations letter by letter, and look for an `if` that has no counterpart for what is left "
    "over.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
ANOTHER_CASE_ANSWERS = Misconception(
    "another-case-answers",
    "the case of another operation answers",
    "What comes back are the slopes of another operation. Look at the condition of that case, and at the order of "
    'your cases: `in` asks whether a piece is in a text, and "*" is a piece of "**".',
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
ONE_NUMBER_FOR_TWO = Misconception(
    "one-number-for-two",
    "one number comes back where two are asked for",
    "An operation with two operands has two slopes, one for each. Return both, with a comma between them, the one "
    "for a first.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
CARET_FOR_POWER = Misconception(
    "caret-for-power",
    "^ is used for a power",
    "In Python, `^` works on the bits of integers. A power is written `**`.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
SLOPE_BY_DIVISION = Misconception(
    "slope-by-division",
    "an operand is computed back from the result",
    "y / a is b, unless a is 0: then it is an error, or nan, and the slope is still b. The operation has its "
    "operands; use them.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
SUBTRACTION_SIGN = Misconception(
    "subtraction-sign",
    "a sign in the slopes of a difference is wrong",
    "In a − b, a larger b makes the result smaller, so the slope in b is negative. A larger a makes it larger.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
PARTIALS_SWAPPED = Misconception(
    "partials-swapped",
    "the two partials come in the wrong order",
    "The first number belongs to the first operand a, the second to b. Yours are right the other way round.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
QUOTIENT_SIGN = Misconception(
    "quotient-sign",
    "a minus sign in the slopes of a quotient is missing or misplaced",
    "A larger divisor makes a positive quotient smaller: 12 ÷ 3 is 4, 12 ÷ 4 is 3. So the slope in the divisor carries "
    "a minus sign, and the slope in the dividend none.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
QUOTIENT_DIVISOR = Misconception(
    "quotient-divisor",
    "the slope in the divisor has the wrong factors",
    "Write a ÷ b as a times 1/b. The slope of 1/b is minus one over b squared, and the factor a stays in front of it. "
    "In yours the square is missing or covers too much, or the a is missing. Note that `a / b * b` divides by b and "
    "multiplies by it again: the square needs brackets, or `b**2`.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
RESULT_DIVIDED_AGAIN = Misconception(
    "result-divided-again",
    "the quotient is divided once too often",
    "y is a ÷ b already, so it has been divided by b once. Its slope in b takes two divisions by b if you begin with "
    "a, and one if you begin with y.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_RULE_MIXED_UP = Misconception(
    "power-rule-mixed-up",
    "the power rule is used with its numbers mixed up",
    "The rule from school takes the exponent to the front and lowers it by one, where it stands; the base stays as it "
    "is. Try yours at a = 2, b = 3, where the slope in a is 12.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_EXPONENT_FORGOTTEN = Misconception(
    "power-exponent-forgotten",
    "the exponent is taken for a constant",
    "The exponent b of a^b is an operand like any other: 2^3 is 8, and 2^3.1 is more. The rule from school, b · "
    "a^(b − 1), is the slope in a only. The slope in b is not 0.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_EXPONENT_LOG = Misconception(
    "power-exponent-log",
    "the exponent's slope needs the power and the natural logarithm of the base",
    "Only e^b has itself as its slope in b. For another base a, the slope is a^b times the natural logarithm of a. "
    "Yours lacks one of the two factors, or has a logarithm of another base or of another number, or divides by it.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_RULE_ON_THE_EXPONENT = Misconception(
    "power-rule-on-the-exponent",
    "the power rule is used for the exponent too",
    "b · a^(b − 1) answers what happens when the base moves. When the exponent moves, the base stands still, and the "
    "function is an exponential: it needs the natural logarithm of the base.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_BRACKETS = Misconception(
    "power-brackets",
    "brackets are missing around b − 1",
    "Python computes a power before it subtracts: `a ** b - 1` takes 1 away from the power. The exponent is lowered "
    "first: it belongs into brackets together with the 1.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_FACTOR_FORGOTTEN = Misconception(
    "power-factor-forgotten",
    "the exponent is not brought to the front",
    "The slope of a^b in a has the factor b: at a = 2, b = 3 it is 3 · 2², not 2².",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
POWER_NOT_LOWERED = Misconception(
    "power-not-lowered",
    "the exponent is not lowered by one",
    "The slope of a^b in a is b times a to the power b − 1. Yours has the power b.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
EXP_POWER_RULE = Misconception(
    "exp-power-rule",
    "the power rule is used for exp",
    "x · e^(x − 1) comes from the rule for a power with a fixed exponent. In exp(a) the base is fixed and the exponent "
    "moves, so that rule does not apply.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
EXP_OF_THE_WRONG_NUMBER = Misconception(
    "exp-of-the-wrong-number",
    "the slope of exp is computed from the wrong number",
    "The slope of exp at a is exp(a), and that is the result y itself. You applied exp once more, or used the input "
    "where the result belongs.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
LOG_FROM_ITS_RESULT = Misconception(
    "log-from-its-result",
    "the slope of log is computed from the result",
    "The slope of log at a is one over the input a. You divided by the result y.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
LOG_OF_ANOTHER_BASE = Misconception(
    "log-of-another-base",
    "the slope belongs to a logarithm of another base",
    "log is the natural logarithm in this course, as `math.log` is in Python. Its slope is one over the input, without "
    "a further factor; a logarithm of base 10 or 2 is flatter or steeper.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
TANH_FROM_ITS_INPUT = Misconception(
    "tanh-from-its-input",
    "the slope of tanh is computed from the input",
    "The slope of tanh is one minus the square of the result y, not of the input a. Near 0 the two look alike, since "
    "tanh(a) is close to a there.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
TANH_TWICE = Misconception(
    "tanh-twice",
    "tanh is applied once more to its own result",
    "y is tanh(a) already. The slope is one minus the square of y; you took the square of tanh(y).",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
TANH_NOT_SQUARED = Misconception(
    "tanh-not-squared",
    "the square in the slope of tanh is in the wrong place",
    "The slope of tanh is 1 − y², one minus the square of the result. Check yours at a = 0, where the slope is 1, and "
    "at a negative a, where it is the same as at the positive one.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
RELU_SLOPE = Misconception(
    "relu-slope",
    "the slope of relu is 0 on the left and 1 on the right, and nothing else",
    "Left of 0 relu is flat: it gives 0 whatever the input does, so its slope is 0. Right of 0 it hands its input "
    "on, so its slope is 1. Which side it is, the input tells; the result is 0 or more on both.",
    "02_local_derivatives",
    "The slopes of exp, log, tanh and relu",
)
KINK_INSISTED = Misconception(
    "kink-insisted",
    "no number comes back at the kink",
    "At 0 relu has no single slope, and a program still needs a number to go on with. Any number from 0 to 1 serves "
    "(it is called a subgradient). Do not stop with an error, and do not answer None or nan.",
    "02_local_derivatives",
    "At a kink",
)
DIFFERENCE_ONE_SIDED = Misconception(
    "difference-one-sided",
    "the difference is taken on one side only",
    "You compared f at the point with f one step to one side. A central difference takes one step to each side; the "
    "error is then much smaller.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_HALF_THE_WIDTH = Misconception(
    "difference-half-the-width",
    "the difference is divided by h and not by the whole width",
    "From x − h to x + h is a way of 2h. Dividing by h gives twice the slope.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_BRACKETS = Misconception(
    "difference-brackets",
    "brackets are missing in the fraction",
    "Python multiplies and divides before it subtracts, and from left to right: `d / 2 * h` divides by 2 and then "
    "multiplies by h, and `u - d / w` divides d alone. Put brackets around what is above the line, and around what "
    "is below it.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_IGNORES_STEP = Misconception(
    "difference-ignores-step",
    "the step is not the h that the caller gives",
    "The step is an argument: h to each side, whatever the input is. With a step of your own, a part of h or a "
    "multiple of the input, a caller gets an answer to another question.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_IN_INTEGERS = Misconception(
    "difference-in-integers",
    "the nudged input is rounded to an integer",
    "The inputs were integers, and your copy of them can only hold integers, so a nudge of a fraction is cut off. "
    "Convert the input to float before you nudge it.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_SAME_POINT = Misconception(
    "difference-same-point",
    "f is run twice at the same point",
    "The difference is 0 everywhere, so both runs of f got the same numbers. `up = inputs` and `down = inputs` are two "
    "names for one list: what you do to one you do to the other. Or the nudged number is computed and never stored.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_MOVES_ALL = Misconception(
    "difference-moves-all",
    "every input moves at once",
    "A partial derivative asks about one input while the others stand still. You nudged all of them, and so measured "
    "the sum of all partials.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_BY_VALUE = Misconception(
    "difference-by-value",
    "the input is looked for by its value",
    "Two inputs may be equal, and only one of them is to move: the one at the place `index`. Ask for the place, not "
    "for the number that stands there.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_WRONG_INPUT = Misconception(
    "difference-wrong-input",
    "another input moves than the one asked for",
    "`index` says which input to nudge, counted from 0. You nudged another one.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_REVERSED = Misconception(
    "difference-reversed",
    "the difference is taken the wrong way round",
    "Subtract the value at the smaller input from the value at the larger one. The other way round, every slope comes "
    "out with the opposite sign.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_WITHOUT_SIGN = Misconception(
    "difference-without-sign",
    "the slope has lost its sign",
    "A slope is negative where the function falls. Take no absolute value of it.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_ONE_LIST = Misconception(
    "difference-one-list",
    "a function does not get its inputs one by one",
    "`f(up)` hands over the whole list as the first input, and `f(up[index])` a single number, so f finds no second "
    "one. `f(*up)`, with a star, hands over all the numbers one by one.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_CHANGES_INPUTS = Misconception(
    "difference-changes-inputs",
    "the caller's inputs are changed",
    "The list belongs to the caller, and must hold the same numbers after your function as before. Nudge a copy.",
    "02_local_derivatives",
    "Measuring a slope",
)
SMALLER_STEP_ALWAYS_BETTER = Misconception(
    "smaller-step-always-better",
    "a smaller step is thought never to be worse",
    "On paper the error shrinks with the step. A computer keeps about 16 digits, and the difference of two nearly "
    "equal numbers loses most of them, so below a certain step the error grows again.",
    "02_local_derivatives",
    "How small a step?",
)
REFERENCE_IS_CODE_UNDER_TEST = Misconception(
    "reference-is-code-under-test",
    "the check never runs f",
    "Your check has nothing to hold against the claimed partials. Compared with themselves, or with their "
    "neighbours, they agree, right or wrong. Measure the slopes by running f with nudged inputs.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_ONE_SIDED = Misconception(
    "gradcheck-one-sided",
    "the measured slope is not precise enough to judge by",
    "A right claim is rejected because the measurement is off. With a step on one side only, the error is about as "
    "large as the step and exceeds the tolerance; step to both sides.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_NEVER_FAILS = Misconception(
    "gradcheck-never-fails",
    "every claim passes",
    "Your check accepts each claim of this test, right or wrong. Compare each with the measured slope, and let the "
    "result of that comparison decide what comes back.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_NEVER_PASSES = Misconception(
    "gradcheck-never-passes",
    "no claim passes",
    "Your check rejects each claim of this test, the right ones too. Look at the line that returns True: can it be "
    "reached? And print claim and measurement where they should agree.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_STAYS_MOVED = Misconception(
    "gradcheck-stays-moved",
    "inputs of earlier rounds are still nudged",
    "While one input is nudged, the others stand where the caller put them. Your two lists are made before the "
    "loop, so the second round finds the first input nudged as well. Make both copies anew in each round.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_EXACT = Misconception(
    "gradcheck-exact",
    "a measured slope is asked to be equal to the last digit",
    "A measurement carries rounding errors, so it never agrees with the claim in all 16 digits. Compare the relative "
    "error with the tolerance.",
    "02_local_derivatives",
    "A gradient check",
)
ABSOLUTE_TOLERANCE = Misconception(
    "absolute-tolerance",
    "the difference is compared with a fixed number",
    "A fixed tolerance accepts everything where the slopes are tiny, and rejects rounding noise where they are huge. "
    "Divide the difference by the larger of the two sizes first.",
    "02_local_derivatives",
    "A gradient check",
)
ERROR_WITHOUT_SIZE = Misconception(
    "error-without-size",
    "an error with a minus sign counts as small",
    "The difference of claim and measurement can be negative, and so can the number you divide by. −0.5 is less than "
    "any tolerance, and the claim is still wrong. Take absolute values.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_IGNORES_SIGNS = Misconception(
    "gradcheck-ignores-signs",
    "claim and measurement are compared by size alone",
    "A claim of 1 where the slope is −1 passes your check, since both have the size 1. Take the difference first, and "
    "its absolute value afterwards.",
    "02_local_derivatives",
    "A gradient check",
)
TOLERANCE_IGNORED = Misconception(
    "tolerance-ignored",
    "the tolerance that the caller gives is not the one that decides",
    "The tolerance is an argument, and 1e-6 only its default. Whoever asks for a looser or a stricter check must "
    "get it: as it is, neither a fixed number in its place nor a multiple of it.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_SKIPS_AN_INPUT = Misconception(
    "gradcheck-skips-an-input",
    "not every partial is checked",
    "One partial is wrong and your check does not look at it, or lets a good one outvote it. Every partial has to "
    "agree, each by itself.",
    "02_local_derivatives",
    "A gradient check",
)
CLAIMS_NOT_COUNTED = Misconception(
    "claims-not-counted",
    "a missing claim, or one too many, goes unnoticed",
    "There has to be one claim for each input, or the rule is wrong: return False. A loop over the claims never looks "
    "at an input whose claim is missing, and `zip` stops quietly at the end of the shorter list.",
    "02_local_derivatives",
    "A gradient check",
)
DIVIDED_BY_ONE_SIZE = Misconception(
    "divided-by-one-size",
    "the difference is divided by one of the two sizes only",
    "The claim or the measured slope may be the larger one, and either may be 0. Divide by the larger of the two "
    "sizes, not always by the claim or always by the measurement.",
    "02_local_derivatives",
    "A gradient check",
)
DIVIDED_BY_ANOTHER_SIZE = Misconception(
    "divided-by-another-size",
    "the difference is not divided by the larger of the two sizes",
    "There are several relative errors. This one divides by the larger of the two sizes, |claim| and |measured|: "
    "not by the smaller, and not by their sum or mean, which makes the error half as large or nearly so.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_LUMPS_PARTIALS = Misconception(
    "gradcheck-lumps-partials",
    "a small partial is hidden by a large one",
    "You compared the partials as one lump, so an error in a small partial disappears beside the size of a large one. "
    "Compute the relative error of each partial from its own size.",
    "02_local_derivatives",
    "A gradient check",
)
NAN_PASSES = Misconception(
    "nan-passes",
    "nan slips through the comparison",
    "Every comparison with nan is false, `nan > tolerance` too. If you reject when the error is too large, nan is "
    "never rejected. Accept only when the error is small.",
    "02_local_derivatives",
    "A gradient check",
)
INFINITY_PASSES = Misconception(
    "infinity-passes",
    "an infinite claim is accepted",
    "The tolerance times infinity is infinity, and the difference is infinite too: infinity is at most infinity, so "
    "the comparison says yes. Ask first whether the numbers are finite, with `math.isfinite`.",
    "02_local_derivatives",
    "A gradient check",
)
ZERO_OVER_ZERO = Misconception(
    "zero-over-zero",
    "two zeros are not taken for equal",
    "The claim is 0 and so is the measurement: they agree. If you divide, 0 ÷ 0 is an error or nan, and this case "
    "needs a rule of its own. If you multiply, ask with `<=`: 0 is not less than 0.",
    "02_local_derivatives",
    "A gradient check",
)
ZERO_LETS_PASS = Misconception(
    "zero-lets-pass",
    "a zero on one side is taken for agreement",
    "Claim and measurement agree where both are 0. Where only one of them is, the claim is wrong: its relative "
    "error is 1.",
    "02_local_derivatives",
    "A gradient check",
)
ERROR_FOR_VERDICT = Misconception(
    "error-for-verdict",
    "the error comes back where True or False is asked for",
    "A gradient check answers yes or no. Compare the largest relative error with the tolerance, and return the result "
    "of that comparison.",
    "02_local_derivatives",
    "A gradient check",
)
NOT_IN_A_LIST = Misconception(
    "not-in-a-list",
    "an input stands where a list of inputs is asked for",
    "Each operation has a list, even where it holds a single input: `[(…, …)]` for a pair, `[…]` for a number.",
    "02_local_derivatives",
    "Test points that tell",
)
TEST_AT_A_KINK = Misconception(
    "test-at-a-kink",
    "the test stands on a kink",
    "At a kink there is no single slope: a central difference gives the mean of both sides, 0.5 for relu at 0, and a "
    "right rule answers 0 or 1. Test away from it, on both sides.",
    "02_local_derivatives",
    "Test points that tell",
)
ONE_SIDE_TESTED = Misconception(
    "one-side-tested",
    "only one side of the kink is tested",
    "A rule that always answers 1 is right for every positive input, and one that always answers 0 for every negative "
    "input. You need a point on each side.",
    "02_local_derivatives",
    "Test points that tell",
)
EQUAL_OPERANDS_HIDE = Misconception(
    "equal-operands-hide",
    "equal operands hide a mix-up",
    "Where a equals b, or where one of them makes the right and the wrong formula agree, (a, b) and (b, a) look the "
    "same. Take two different operands.",
    "02_local_derivatives",
    "Test points that tell",
)
SPECIAL_VALUE_HIDES = Misconception(
    "special-value-hides",
    "a special value hides the mistake",
    "0 and 1 are comfortable inputs and bad tests: the logarithm of 1 is 0, dividing by 1 changes nothing, and "
    "close to 0 tanh(a) is a. The logarithm of e is 1, and far from 0 tanh is flat. The right and the wrong formula "
    "agree there. Take numbers without such a property.",
    "02_local_derivatives",
    "Test points that tell",
)
DUAL_OPERATION_ON_TANGENTS = Misconception(
    "dual-operation-on-tangents",
    "the operation is applied to the tangents",
    "The tangent of a product is not the product of the tangents, and so for a quotient or for exp. A tangent is a "
    "slope: each operand's tangent is multiplied by the operation's partial, and the two are added.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_TERM_MISSING = Misconception(
    "dual-term-missing",
    "one operand's tangent does not arrive",
    "Both operands may move at once. The tangent of the result is the sum of two terms, one for each operand; yours "
    "has only one.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_RESULT_IS_NO_DUAL = Misconception(
    "dual-result-is-no-dual",
    "the result of an operation is not a Dual",
    "The next operation needs a value and a tangent again. Put both into a new Dual, `Dual(value, tangent)`, and "
    "return that.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_FACTOR_LOST = Misconception(
    "dual-factor-lost",
    "a plain number beside it gives a dual number the wrong tangent",
    "x + 3 moves as fast as x, 2.5 times x moves 2.5 times as fast, and x ÷ 4 a quarter as fast. The plain number "
    "stands still, so its own tangent is 0; x goes on moving, and a factor decides how much of its tangent arrives.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_REFLECTED_FOREVER = Misconception(
    "dual-reflected-forever",
    "a reflected method calls itself without end",
    "`other - self` inside `__rsub__` asks the plain number first, which gives up, and Python calls `__rsub__` again, "
    "for ever. Make a Dual of the number first.",
    "02_local_derivatives",
    "When Python meets a plain number",
)
DUAL_REFLECTED_ORDER = Misconception(
    "dual-reflected-order",
    "a reflected − or ÷ is computed in the wrong order",
    "`3 - x` arrives as `x.__rsub__(3)`: self is the right operand there. So it is other minus self, and other divided "
    "by self, for the value and for the tangent.",
    "02_local_derivatives",
    "When Python meets a plain number",
)
DUAL_CONSTANT_MOVES = Misconception(
    "dual-constant-moves",
    "a plain number is given a tangent",
    "A number such as 3 stands still when the input moves, so its tangent is 0. With a tangent of 1 it counts as an "
    "input that moves too.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_NUMBER_NOT_LIFTED = Misconception(
    "dual-number-not-lifted",
    "a plain number is asked for a value and a tangent",
    "`x + 3` calls your method with the number 3, which has no `.value` and no `.tangent`. Ask first whether the other "
    "operand is a Dual.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_NUMBER_REFUSED = Misconception(
    "dual-number-refused",
    "no method takes a plain number there",
    "Python found no method of Dual that accepts this number. Either the method for this side is missing or misspelt, "
    "or it takes decimals only: 3 is an int and no float.",
    "02_local_derivatives",
    "When Python meets a plain number",
)
DUAL_CHAIN_FACTOR = Misconception(
    "dual-chain-factor",
    "the operand's own tangent is forgotten",
    "The slope of exp at its operand is only one factor. The operand moves too, at the rate of its own tangent, and "
    "the result moves at the product of the two.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_PARTIAL_FORGOTTEN = Misconception(
    "dual-partial-forgotten",
    "a tangent is handed on without the operation's partial",
    "The operand's tangent says how fast the operand moves. How fast the result moves with it is the operation's "
    "partial; the tangent of the result is their product.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)
DUAL_CHANGES_OPERAND = Misconception(
    "dual-changes-operand",
    "an operation changes its operand",
    "After `a + b`, a must be what it was before: it may be used again. Return a new Dual and leave self alone.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)

# --- partials: formulas -----------------------------------------------------------------------------------------------

Rules = dict[Misconception, Any]
Ask = Callable[..., Answer]
Slips = dict[Misconception, str]
"""For each misconception the formulas that it may lead to, with semicolons between them."""

_NAMES = {**vars(builtins), **vars(math), "norm": lambda numbers: math.hypot(*numbers)}

RESULTS = {
    "+": "a + b",
    "-": "a - b",
    "*": "a * b",
    "/": "a / b",
    "**": "a**b",
    "exp": "exp(a)",
    "log": "log(a)",
    "tanh": "tanh(a)",
    "relu": "max(a, 0.0)",
}
PARTIALS = {
    "+": ("1.0", "1.0"),
    "-": ("1.0", "-1.0"),
    "*": ("b", "a"),
    "/": ("1 / b", "-a / b**2"),
    "**": ("b * a ** (b - 1)", "y * log(a)"),
    "exp": ("y",),
    "log": ("1 / a",),
    "tanh": ("1 - y**2",),
    "relu": ("float(a > 0)",),
}
SLIPS: dict[str, tuple[Slips, ...]] = {
    "+": (
        {VALUE_FOR_SLOPE: "a; b; y", OPERAND_STANDS_STILL: "0.0", BOTH_OPERANDS_MOVE: "2.0"},
        {VALUE_FOR_SLOPE: "b; a; y", OPERAND_STANDS_STILL: "0.0", BOTH_OPERANDS_MOVE: "2.0"},
    ),
    "-": (
        {SUBTRACTION_SIGN: "-1.0", VALUE_FOR_SLOPE: "a; b; y", OPERAND_STANDS_STILL: "0.0"},
        {SUBTRACTION_SIGN: "1.0", VALUE_FOR_SLOPE: "b; a; -b; y", OPERAND_STANDS_STILL: "0.0"},
    ),
    "*": (
        {
            PRODUCT_OWN_OPERAND: "a",
            PRODUCT_LIKE_A_SUM: "1.0",
            VALUE_FOR_SLOPE: "y",
            BOTH_OPERANDS_MOVE: "a + b",
            OPERAND_STANDS_STILL: "0.0",
        },
        {
            PRODUCT_OWN_OPERAND: "b",
            PRODUCT_LIKE_A_SUM: "1.0",
            VALUE_FOR_SLOPE: "y",
            BOTH_OPERANDS_MOVE: "a + b",
            OPERAND_STANDS_STILL: "0.0",
        },
    ),
    "/": (
        {
            QUOTIENT_SIGN: "-1 / b",
            VALUE_FOR_SLOPE: "y; a",
            BOTH_OPERANDS_MOVE: "(b - a) / b**2",
            OPERAND_STANDS_STILL: "0.0",
        },
        {
            QUOTIENT_SIGN: "a / b**2; 1 / b**2",
            QUOTIENT_DIVISOR: "-a / b; -1 / b**2; -a; -1 / b; -((a / b) ** 2); -a * b**2; -a * b; a * b",
            RESULT_DIVIDED_AGAIN: "-y / b**2",
            BOTH_OPERANDS_MOVE: "(b - a) / b**2",
            OPERAND_STANDS_STILL: "0.0",
        },
    ),
    "**": (
        {
            POWER_BRACKETS: "b * a**b - 1; (b * a)**b - 1",
            POWER_NOT_LOWERED: "b * a**b",
            POWER_FACTOR_FORGOTTEN: "a ** (b - 1)",
            POWER_RULE_MIXED_UP: "a * b ** (a - 1); (b - 1) * a**b; (b - 1) * a ** (b - 1); b * a ** (b + 1); "
            "b * (a - 1) ** b; b * b ** (a - 1); b * a; (b - 1) * a ** (b - 2); b ** (a - 1)",
            VALUE_FOR_SLOPE: "y; a",
        },
        {
            POWER_EXPONENT_FORGOTTEN: "0.0",
            POWER_RULE_ON_THE_EXPONENT: (
                "b * a ** (b - 1); b * a**b; b * a ** (a - 1); a * b ** (a - 1); a ** (b - 1); "
                "(b - 1) * a ** (b - 1); b ** (a - 1); (b - 1) * a ** (b - 2)"
            ),
            POWER_EXPONENT_LOG: (
                "y; exp(b); log(a); y / log(a); y * log10(a); y * log2(a); y * log(b); y * log(y); b * log(a); "
                "a ** (b - 1) * log(a); b * y * log(a); a * log(a); log(b); a * log(b); b * log(b); b * a ** (b - 1) * "
                "log(a); y * log(a) / b"
            ),
            VALUE_FOR_SLOPE: "b",
        },
    ),
    "exp": (
        {
            EXP_POWER_RULE: "a * exp(a - 1); exp(a - 1); a * e ** (a - 1)",
            EXP_OF_THE_WRONG_NUMBER: "exp(y); a; a * y; e**y",
        },
    ),
    "log": (
        {
            LOG_FROM_ITS_RESULT: "1 / y",
            VALUE_FOR_SLOPE: "y; a",
            LOG_OF_ANOTHER_BASE: "1 / (a * log(10)); 1 / (a * log(2)); 1 / a * log10(e)",
        },
    ),
    "tanh": (
        {
            TANH_FROM_ITS_INPUT: "1 - a**2",
            TANH_TWICE: "1 - tanh(y) ** 2",
            TANH_NOT_SQUARED: "1 - y; (1 - y) ** 2; y**2 - 1; y * (1 - y); 1 + y**2; 1 - tanh(a**2); 1 - 2 * y; "
            "1 / cosh(a)",
            VALUE_FOR_SLOPE: "y; a",
        },
    ),
    "relu": (
        {
            VALUE_FOR_SLOPE: "max(a, 0.0); a",
            RELU_SLOPE: (
                "1.0; 0.0; -1.0; 1.0 if a > 0 else -1.0; 1.0 if a > 0 else 0.01; 1.0 if a > 0 else 0.1; float(a "
                "< 0); 0.5; float(a >= 1); max(a, 1.0); 1.0 if a > 0 else a; 1.0 if a > 0 else 0.2"
            ),
        },
    ),
}
"""What a wrong idea makes of a partial: for each operand, the formulas that a misconception leads to."""

OPERANDS: dict[str, tuple[float, ...]] = {
    "two different numbers": (2.0, 3.0),
    "the first negative": (-1.5, 4.0),
    "the second negative": (0.5, -2.5),
    "both negative": (-3.0, -0.7),
    "whole numbers": (7, 2),
    "equal ones": (2.5, 2.5),
    "the first 0": (0.0, 3.0),
    "the second 0": (3.0, 0.0),
}
BASES: dict[str, tuple[float, ...]] = {
    "two different numbers": (2.0, 3.0),
    "an exponent below 0": (0.5, -2.5),
    "fractions": (1.7, 0.4),
    "whole numbers": (4, 2),
    "equal ones": (2.5, 2.5),
    "exponent 1": (3.0, 1.0),
    "exponent 0": (2.0, 0.0),
    "base 1": (1.0, 5.0),
}
NUMBERS: dict[str, tuple[float, ...]] = {
    "positive": (0.5,),
    "negative": (-1.3,),
    "above 1": (2.0,),
    "0": (0.0,),
    "whole": (3,),
    "whole and negative": (-3,),
}


def kinds_of_operands(op: str) -> list[tuple[float, ...]]:
    """Operands of every kind that ``op`` takes: both signs, equal ones, whole numbers, 0, close to a kink."""
    if op == "**":
        return list(BASES.values())
    if op in "+-*/":
        return [pair for pair in OPERANDS.values() if op != "/" or pair[1]]
    if op == "log":
        return [(0.5,), (2.0,), (7.5,), (0.01,), (3,), (1.0,)]
    return [(a,) for (a,) in [*NUMBERS.values(), (1e-3,), (-1e-3,)] if a or op != "relu"]  # the kink is asked apart


def drawn_operands(op: str, seed: int) -> list[tuple[float, ...]]:
    """As `kinds_of_operands`, of the same kinds and with other numbers; large and tiny ones too."""
    draw = Random(f"{seed} {op}")
    if op == "**":
        pairs = [(draw.uniform(0.05, 6), draw.uniform(-4, 4)) for _ in range(20)]
        return [*pairs, (draw.uniform(2, 4),) * 2, (2.5, 0.0), (1.0, 4.5), (3, 4), (2.5, -1.0), (7.0, 1.0)]
    if op in "+-*/":
        pairs = [(draw.uniform(-9, 9), draw.choice([-1, 1]) * draw.uniform(0.1, 9)) for _ in range(20)]
        same_one = draw.uniform(2, 4)
        pairs += [(0.0, same_one), (same_one, same_one), (-same_one, same_one), (1e6, 1e-3), (5, 3), (0, -4)]
        return pairs if op == "/" else [*pairs, (same_one, 0.0), (0.0, 0.0), (3, 0)]
    if op == "log":
        return [(draw.uniform(0.01, 6),) for _ in range(20)] + [(1.0,), (1e-8,), (1e8,), (5,)]
    numbers = [(draw.uniform(-6, 6),) for _ in range(20)] + [(4,), (-4,)]
    special = {"exp": [0.0, 20.0], "tanh": [0.0, -20.0], "relu": [1e-9, -1e-9, 1e6, -1e6]}
    return numbers + [(number,) for number in special[op]]


@functools.cache
def formula(text: str, names: str = "a, b, y") -> Callable[..., Any]:
    """The function that computes a formula of this module."""
    return eval(f"lambda {names}: {text}", dict(_NAMES))  # type: ignore[no-any-return]


def result(op: str, a: float, b: float = 0.0) -> float:
    """``a op b``, or ``op(a)``."""
    return formula(RESULTS[op], "a, b")(a, b)  # type: ignore[no-any-return]


def _slopes(op: str, texts: tuple[str, ...]) -> Callable[..., Any]:
    def slopes(a: float, b: float = 0.0) -> Any:
        found = tuple(formula(text)(a, b, result(op, a, b)) for text in texts)
        return found if len(found) == 2 else found[0]

    return slopes


def partials(op: str) -> Callable[..., Any]:
    """The right partials of ``op``: a pair for two operands, a number for one."""
    return _slopes(op, PARTIALS[op])


def _slip(op: str, texts: tuple[str, ...]) -> Callable[..., Any]:
    """As `_slopes`; where a formula cannot be computed, an error and what avoids it are both to be expected."""

    def slip(*operands: float) -> Any:
        try:
            return _slopes(op, texts)(*operands)
        except (ArithmeticError, ValueError):
            return ...

    return slip


def _close(op: str) -> Callable[..., Callable[[Any], bool]]:
    """Right to three digits, as measured or rounded slopes are."""
    return lambda *operands: lambda got: same(partials(op)(*operands), got, 1e-3)


def wrong_partials(op: str) -> Rules:
    """The rules that wrong ideas about ``op`` lead to. Where both partials are wrong, either idea is named."""
    right, slips = PARTIALS[op], SLIPS[op]
    rules: Rules = {}
    if op in ("-", "/", "**"):
        rules[PARTIALS_SWAPPED] = _slopes(op, right[::-1])
    every = [[text, *"; ".join(wrong.values()).split("; ")] for text, wrong in zip(right, slips, strict=True)]
    found: dict[Misconception, list[Any]] = {}
    for place, wrong in enumerate(slips):
        for misconception, texts in wrong.items():
            columns = [texts.split("; ") if place == column else every[column] for column in range(len(right))]
            found.setdefault(misconception, []).extend(_slip(op, pair) for pair in product(*columns))
    rules |= {misconception: tuple(several) for misconception, several in found.items()}
    rules[SLOPE_BY_DIVISION] = Raised(ZeroDivisionError, line=r"y\s*/\s*[ab]\b")
    caret = Raised(TypeError, says=r"for \^")
    rules[CARET_FOR_POWER] = lambda *given: ... if all(type(number) is int for number in given) else caret
    if op in ("+", "exp"):  # nothing in these two can fail
        needless = "math domain|positive input|division|negative power|math range|too large"
        rules[ROWS_COMPUTED_TOGETHER] = Raised(Exception, says=needless)
    else:
        unknown = [
            Raised(KeyError, says=f"^'{re.escape(op)}'$"),
            Raised(ValueError, says=rf"(^|[\s'\"]){re.escape(op)}(['\"]|$)"),
        ]
        rules[NO_CASE_FOR_IT] = (lambda *given: lambda got: got is None, *unknown)
    if len(right) == 2:
        rules[ONE_NUMBER_FOR_TWO] = lambda *given: lambda got: type(got) in (int, float)
    same_arity = [texts for other, texts in PARTIALS.items() if len(texts) == len(right) and texts != right]
    rules[ANOTHER_CASE_ANSWERS] = tuple(_slip(op, texts) for texts in same_arity)
    rules[SLOPE_NOT_EXACT] = _close(op)
    return rules


def picture(op: str) -> Callable[..., Any]:
    """The operation with its numbers; the slopes that are asked for are blank."""
    names = ("a", "b")[: len(PARTIALS[op])]
    graph = {**dict.fromkeys(names, ("input",)), "y": (op, *names)}
    return lambda *given: ad.draw(
        graph, {**dict(zip(names, given, strict=True)), "y": result(op, *given)}, slopes={"y": 1.0}
    )


def check_kink(slope: Answer) -> None:
    """Pass for any number from 0 to 1, the slope of relu at 0."""
    check(
        slope,
        accept=lambda got: (
            (type(got) in (int, float, bool) and 0 <= got <= 1) or "any number from 0 to 1 is right at the kink"
        ),
        instead=[
            (lambda got: got is None or got != got, KINK_INSISTED),
            *((error, KINK_INSISTED) for error in (ValueError, ArithmeticError, AssertionError)),
        ],
    )


# --- measured slopes --------------------------------------------------------------------------------------------------

Slope = Callable[[Callable[..., float], "tuple[float, ...]", int, float], float]
"""A slope of f(*x) in x[i], measured with a step of h: ``slope(f, x, i, h)``."""


def slope_by(
    up: float = 1.0,
    down: float = 1.0,
    over: float = 2.0,
    moves: Callable[[tuple[float, ...], int], Any] = lambda x, i: {i},
    step: Callable[[float, float], float] = lambda h, number: h,
) -> Slope:
    """Compare f at ``up`` steps above with f at ``down`` steps below, over ``over`` steps: right as it stands.

    ``moves`` gives the places that are nudged, ``step`` the step for an h and the number that is nudged.
    """

    def slope(f: Callable[..., float], x: tuple[float, ...], i: int, h: float) -> float:
        size, moved = step(h, x[i]), moves(x, i)

        def at(steps: float) -> float:
            return f(*(number + steps * size if place in moved else number for place, number in enumerate(x)))

        return (at(up) - at(-down)) / (over * size)

    return slope


central = slope_by()


def _step_of(*steps: float) -> tuple[Slope, ...]:
    return tuple(slope_by(step=lambda h, number, step=step: step) for step in steps)


def _integers(cut: Callable[[float], int]) -> Slope:
    """Nudged numbers are cut to integers where the inputs are integers."""

    def slope(f: Callable[..., float], x: tuple[float, ...], i: int, h: float) -> float:
        whole = all(type(number) is int for number in x)
        return central((lambda *numbers: f(*map(cut, numbers))) if whole else f, x, i, h)

    return slope


WRONG_SLOPES: dict[Misconception, tuple[Slope, ...]] = {
    DIFFERENCE_ONE_SIDED: (*(slope_by(down=0, over=1), slope_by(up=0, over=1), slope_by(down=0), slope_by(up=0)),),
    DIFFERENCE_HALF_THE_WIDTH: (slope_by(over=1),),
    DIFFERENCE_BRACKETS: (
        lambda f, x, i, h: h * h * central(f, x, i, h),
        lambda f, x, i, h: f(*x[:i], x[i] + h, *x[i + 1 :]) - f(*x[:i], x[i] - h, *x[i + 1 :]) / (2 * h),
        lambda f, x, i, h: f(*x[:i], x[i] + h, *x[i + 1 :]) - f(*x[:i], x[i] - h, *x[i + 1 :]) / 2 * h,
    ),
    CHANGE_FOR_SLOPE: (
        lambda f, x, i, h: 2 * h * central(f, x, i, h),
        lambda f, x, i, h: h * central(f, x, i, h),
    ),
    DIFFERENCE_MOVES_ALL: (slope_by(moves=lambda x, i: range(len(x))),),
    DIFFERENCE_BY_VALUE: (
        slope_by(moves=lambda x, i: {place for place, number in enumerate(x) if number == x[i]}),
        slope_by(moves=lambda x, i: {x.index(x[i])}),
    ),
    DIFFERENCE_REVERSED: (slope_by(over=-2),),
    DIFFERENCE_WITHOUT_SIGN: (lambda f, x, i, h: abs(central(f, x, i, h)),),
    DIFFERENCE_WRONG_INPUT: (
        slope_by(moves=lambda x, i: {0}),
        slope_by(moves=lambda x, i: {len(x) - 1}),
        slope_by(moves=lambda x, i: {(i - 1) % len(x)}),
    ),
    DIFFERENCE_SAME_POINT: (lambda f, x, i, h: 0.0,),
    DIFFERENCE_IGNORES_STEP: (
        *_step_of(1.0, 0.5, 0.1, 0.01, 1e-3, 1e-4),
        *(slope_by(step=lambda h, number, most=most: min(h, most)) for most in (1.0, 0.5, 0.1, 0.01, 1e-3)),
        slope_by(0.5, 0.5, 1),
        slope_by(2, 2, 4),
        slope_by(step=lambda h, number: h * abs(number)),
        slope_by(step=lambda h, number: h * number),
        slope_by(step=lambda h, number: h * max(1.0, abs(number))),
        slope_by(step=lambda h, number: h * (1 + abs(number))),
    ),
}
"""Ways to measure a slope wrongly."""

STEPS: dict[str, tuple[list[float], int, float]] = {
    "the first input": ([3.0, 5.0], 0, 0.5),
    "the second input": ([3.0, 5.0], 1, 0.5),
    "a negative one": ([-1.5, 2.0], 0, 0.1),
    "beside a negative one": ([0.7, -4.0], 1, 0.25),
    "a negative slope": ([0.5, -4.0], 0, 0.25),
    "a small step": ([0.7, -4.0], 0, 0.01),
    "a smaller step": ([-0.8, 1.1], 0, 1e-4),
    "a large step": ([1.5, -1.0], 0, 2.0),
    "the first of two equal ones": ([2.0, 2.0], 0, 0.5),
    "the second of two equal ones": ([2.0, 2.0], 1, 0.5),
    "0": ([0.0, -2.0], 0, 0.5),
    "whole numbers": ([2, 3], 0, 0.25),
}
"""Inputs of every kind for `measured`: the numbers, the place of the one that is nudged, the step."""


def _cubic(a: float, b: float) -> float:
    return a * a * a + a * b


def measure(student: Student) -> Ask:
    """Ask for the central difference of a·a·a + a·b."""
    source = """
        def f(a, b):
            return a * a * a + a * b
        return central_difference(f, inputs, index, h)
    """
    return lambda inputs, index, h: student.run(
        source, label="central_difference of a·a·a + a·b", inputs=inputs, index=index, h=h
    )


def measured(inputs: list[float], index: int, h: float) -> float:
    """The central difference of a·a·a + a·b, worked out on paper."""
    a, b = inputs
    return 3 * a * a + h * h + b if index == 0 else a


def _of_the_cubic(slope: Slope) -> Callable[..., float]:
    return lambda inputs, index, h: slope(_cubic, tuple(inputs), index, h)


def _tiny_step(inputs: list[float], index: int, h: float) -> Callable[[Any], bool]:
    return lambda got: abs(got - measured(inputs, index, 0.0)) < 1e-6


_ONE_LIST = Raised(
    TypeError, says=r"(\bf|<lambda>)\(\) missing|sequence by non-int of type 'list'|'list' and 'list'|number, not list"
)

DIFFERENCES: Rules = {
    **{known: tuple(map(_of_the_cubic, slopes)) for known, slopes in WRONG_SLOPES.items()},
    DIFFERENCE_IN_INTEGERS: (
        *map(_of_the_cubic, map(_integers, (int, round, math.floor))),
        Raised(TypeError, says="cast"),
    ),
    DIFFERENCE_ONE_LIST: _ONE_LIST,
}
DIFFERENCES[DIFFERENCE_IGNORES_STEP] += (_tiny_step,)
DIFFERENCES[DIFFERENCE_WRONG_INPUT] += (  # counted from 1: there is none after the last
    lambda inputs, index, h: Raised(IndexError) if index else measured(inputs, 1, h),
)


def drawn_cubes(seed: int) -> Iterator[tuple[list[float], int, float]]:
    """Inputs, index and step for one, three and seven inputs, each of them nudged."""
    draw = Random(seed)
    for size in (1, 3, 7):
        for index in range(size):
            yield [draw.uniform(-3, 3) for _ in range(size)], index, 0.125


def cube(student: Student) -> Ask:
    """Ask for the central difference of a weighted sum to the third power, and for the inputs after it."""
    source = """
        def f(*x):
            total = sum((n + 2) * value for n, value in enumerate(x))
            return total * total * total
        return central_difference(f, inputs, index, h), inputs
    """
    label = "central_difference of a cubic, and the inputs after it"
    return lambda inputs, index, h: student.run(source, label=label, inputs=inputs, index=index, h=h)


def cube_measured(inputs: list[float], index: int, h: float) -> tuple[float, list[float]]:
    """What is right for `cube`."""
    f = lambda *x: sum((n + 2) * value for n, value in enumerate(x)) ** 3  # noqa: E731
    return central(f, tuple(inputs), index, h), inputs


def check_inputs_stay(student: Student, call: str, inputs: list[float]) -> None:
    """Pass when ``inputs`` are after ``call`` what they were before, to the last bit."""
    check(
        student.run(f"{call}\nreturn inputs", label=f"your inputs after {call}", inputs=inputs),
        expect=inputs,
        tolerance=0.0,
        instead=[(lambda after: True, DIFFERENCE_CHANGES_INPUTS)],
    )


# --- a gradient check -------------------------------------------------------------------------------------------------


class Claim(NamedTuple):
    """What a gradient check is asked: whether ``claims`` are the partials of ``f`` at ``inputs``."""

    f: str
    claims: str
    inputs: tuple[float, ...]
    h: float = 1e-5
    tolerance: float = 1e-6


def _claim(f: str, claims: str, *inputs: float, h: float = 1e-5, tolerance: float = 1e-6) -> Claim:
    return Claim(f, claims, inputs or (3.0, 5.0), h, tolerance)


CLAIMS: dict[str, Claim] = {
    # With a step of 0.5, the slopes of a product are measured without any rounding.
    "right": _claim("a * b", "(b, a)", h=0.5),
    "both wrong by far": _claim("a * b", "(100.0, -100.0)", h=0.5),
    **{
        name: _claim("a * b", claims, h=0.125)
        for name, claims in {
            "twice the slopes": "(2 * b, 2 * a)",
            "half the slopes": "(b / 2, a / 2)",
            "a quarter": "(b / 4, a / 4)",
            "an eighth": "(b / 8, a / 8)",
            "a 64th": "(b / 64, a / 64)",
            "with the opposite signs": "(-b, -a)",
            "zeros": "(0.0, 0.0)",
            "their sum, twice": "(a + b, a + b)",
            "one, and their sum": "(b, a + b)",
        }.items()
    },
    "right, with a small step": _claim("a * b", "(b, a)"),
    "right, and curved": _claim("a**4 + b**3", "(4 * a**3, 3 * b**2)", 0.5, -0.25),
    "right, at equal inputs": _claim("a * a * b", "(2 * a * b, a * a)", 2.0, 2.0),
    "right, at whole numbers": _claim("a * b", "(b, a)", 3, 5),
    "0 and 0": _claim("a * a", "(2 * a, 0.0)"),
    "the second wrong": _claim("a * b", "(b, 2 * a)"),
    "the first wrong": _claim("a * b", "(2 * b, a)"),
    "the middle one wrong": _claim("a * b + b * c", "(b, 2 * a + 2 * c, b)", 2.0, 3.0, 4.0),
    "exchanged": _claim("a * b", "(a, b)"),
    "half": _claim("a * b", "(0.5 * b, a)"),
    "the sign": _claim("a - b", "(1.0, 1.0)"),
    "negative, and wrong": _claim("-2 * a - b", "(-1.0, -3.0)"),
    "negative, and right": _claim("-2 * a - b", "(-2.0, -1.0)"),
    "0 claimed": _claim("a * b", "(0.0, a)"),
    "0 measured": _claim("a * a", "(2 * a, 1.0)"),
    "wrong by a thousandth": _claim("a * b", "(1.001 * b, a)"),
    "a little over the tolerance, below": _claim("a * b", "(3.6, a)", h=0.5, tolerance=0.25),
    "a little over the tolerance, above": _claim("a * b", "(6.9, a)", h=0.5, tolerance=0.25),
    "two thirds of the tolerance": _claim("a * b", "(4.0, a)", h=0.5, tolerance=0.3),
    "nearly one tolerance, below": _claim("a * b", "(3.6, a)", h=0.5, tolerance=0.3),
    "nearly one tolerance, above": _claim("a * b", "(7.0, a)", h=0.5, tolerance=0.3),
    "just one tolerance": _claim("a * b", "(6.0, a)", 3.0, 8.0, h=0.5, tolerance=0.25),
    "a fifth, and half of it allowed": _claim("a * b", "(1.0, a)", h=0.5, tolerance=0.5),
    "a single input, wrong": _claim("4 * a", "(2.8,)", 3.0, h=0.5, tolerance=0.2),
    "a hundredth, and more is allowed": _claim("a * b", "(1.01 * b, a)", tolerance=0.1),
    "a hundredth, and less is allowed": _claim("a * b", "(1.01 * b, a)", tolerance=0.001),
    "a strict tolerance": _claim("a * b", "(1.0000001 * b, a)", h=0.5, tolerance=1e-8),
    "a good step": _claim("a * a * a", "(3 * a * a,)", 1.0, h=0.001, tolerance=0.001),
    "too large a step": _claim("a * a * a", "(3 * a * a,)", 1.0, h=0.5, tolerance=0.001),
    "tiny and wrong": _claim("1e-9 * a * b", "(1e-9 * a, 1e-9 * b)"),
    "huge and right": _claim("1e9 * a * b", "(1e9 * b, 1e9 * a)", 3.1, 5.3),
    "a small one wrong beside a large one": _claim("a + 1e-8 * b", "(1.0, 3e-8)"),
    "nan, then right": _claim("a * b", "(nan, a)"),
    "right, then nan": _claim("a * b", "(b, nan)"),
    "infinity": _claim("a * b", "(inf, a)"),
    "minus infinity, second": _claim("a * b", "(b, -inf)"),
    "one claim for two": _claim("a * b", "(b,)"),
    "three claims for two": _claim("a * b", "(b, a, 1.0)"),
    "no claim": _claim("a * b", "()"),
}
"""Claims of every kind."""


def gradcheck(student: Student) -> Ask:
    """Ask whether claims are right. All five arguments are given, in the order of the statement."""

    def ask(f: str, claims: str, inputs: tuple[float, ...], h: float, tolerance: float) -> Answer:
        names = ", ".join("abcd"[: len(inputs)])
        source = f"""
            from math import exp, inf, log, nan, tanh
            f = lambda {names}: {f}
            partials = lambda {names}: {claims}
            return gradcheck(f, partials, inputs, h, tolerance)
        """
        return student.run(
            source,
            label=f"gradcheck of {f} with the claim {claims}",
            inputs=list(inputs),
            h=h,
            tolerance=tolerance,
        )

    return ask


def check_f_is_run(student: Student) -> None:
    """Pass when gradcheck runs f, with its numbers one by one."""
    source = """
        def f(a, b):
            runs.append((a, b))
            return a * b
        runs = []
        gradcheck(f, lambda a, b: (b, a), [3.0, 5.0], 0.5, 1e-6)
        return len(runs)
    """
    check(
        student.run(source, label="how often gradcheck runs f"),
        accept=lambda runs: runs > 0 or "a check that never runs f cannot know its slope",
        instead=[(0, REFERENCE_IS_CODE_UNDER_TEST), (_ONE_LIST, DIFFERENCE_ONE_LIST)],
    )


@dataclass(frozen=True)
class Gradcheck:
    """A gradient check by definition. Each setting that is another one makes a wrong check of it.

    The last four are verdicts: where a zero is claimed and measured, where a claim is nan or infinite, and where there
    are fewer or more claims than inputs. ``...`` leaves it open.
    """

    slope: Slope = central
    close: Callable[[float, float, float], Any] = lambda claim, found, tolerance: (
        abs(claim - found) <= tolerance * max(abs(claim), abs(found))
    )
    decide: Callable[[list[Any]], Any] = all
    whole: Callable[[list[float], list[float], float], Any] | None = None
    """Judges all partials as one, in place of ``close`` and ``decide``."""
    zeros: Any = True
    nan: Any = False
    infinite: Any = False
    uncounted: tuple[Any, Any] = (False, False)

    def __call__(self, f: str, claims: str, inputs: tuple[float, ...], h: float, tolerance: float) -> Any:
        names = ", ".join("abcd"[: len(inputs)])
        function, claimed = formula(f, names), formula(claims, names)(*inputs)
        if len(claimed) != len(inputs):
            return self.uncounted[len(claimed) > len(inputs)]
        if not all(map(math.isfinite, claimed)):
            return self.nan if any(map(math.isnan, claimed)) else self.infinite
        found = [self.slope(function, inputs, place, h) for place in range(len(inputs))]
        if self.zeros is not True and any(claim == slope == 0 for claim, slope in zip(claimed, found, strict=True)):
            return self.zeros
        if self.whole:
            return self.whole(claimed, found, tolerance)
        return self.decide([self.close(*pair, tolerance) for pair in zip(claimed, found, strict=True)])


agrees = Gradcheck()
"""Whether claims are right, by definition."""


def _checks(**settings: Any) -> Gradcheck:
    """A wrong check, whatever it makes of claims that are 0, missing, or not finite."""
    return Gradcheck(**settings, zeros=..., nan=..., infinite=..., uncounted=(..., ...))


_ERRORS = "[abs(x - y) / (max(abs(x), abs(y)) or 1) for x, y in zip(c, m)]"
_RELATIVE = "abs(c - m) <= tol * max(abs(c), abs(m))"


def _close_by(texts: str) -> tuple[Gradcheck, ...]:
    """Checks that compare a claim c with a measured slope m by these formulas; R stands for the right one."""
    return tuple(_checks(close=formula(re.sub(r"\bR\b", _RELATIVE, text), "c, m, tol")) for text in texts.split("; "))


def _whole(texts: str) -> tuple[Gradcheck, ...]:
    """Checks that compare all claims with all measured slopes by these formulas; E stands for the relative errors."""
    return tuple(_checks(whole=formula(re.sub(r"\bE\b", _ERRORS, text), "c, m, tol")) for text in texts.split("; "))


def _by_tolerance(texts: str) -> tuple[Gradcheck, ...]:
    """Checks that are right, with these tolerances in place of the caller's."""
    return _close_by("; ".join(_RELATIVE.replace("tol", f"({text})") for text in texts.split("; ")))


GRADCHECKS: Rules = {
    ERROR_FOR_VERDICT: _whole("max(E); E[-1]; E[0]; sum(E); sum(E) / len(E); max(abs(x - y) for x, y in zip(c, m))"),
    GRADCHECK_NEVER_FAILS: (lambda *given: True, _checks(decide=lambda verdicts: True)),
    GRADCHECK_NEVER_PASSES: lambda *given: False,
    ANSWER_REVERSED: (
        lambda *given: not agrees(*given),
        _checks(decide=lambda v: not all(v)),
        _checks(decide=lambda v: not any(v)),
    ),
    DIFFERENCE_ONE_LIST: _ONE_LIST,
    GRADCHECK_STAYS_MOVED: _checks(slope=slope_by(moves=lambda x, i: range(i + 1))),
    GRADCHECK_ONE_SIDED: tuple(_checks(slope=slope) for slope in WRONG_SLOPES[DIFFERENCE_ONE_SIDED]),
    **{
        known: tuple(_checks(slope=slope) for slope in slopes)
        for known, slopes in WRONG_SLOPES.items()
        if known not in (DIFFERENCE_ONE_SIDED, DIFFERENCE_IGNORES_STEP, DIFFERENCE_WITHOUT_SIGN)
    },
    DIFFERENCE_IGNORES_STEP: tuple(_checks(slope=slope) for slope in _step_of(1e-3, 1e-4, 1e-5, 1e-6, 1e-7)),
    GRADCHECK_EXACT: _close_by("c == m"),
    ZERO_LETS_PASS: _close_by("c == 0 or R; m == 0 or R; c == 0 or m == 0 or R"),
    GRADCHECK_SKIPS_AN_INPUT: (
        *(_checks(decide=way) for way in (any, lambda v: v[0], lambda v: v[-1])),
        *(_checks(decide=way) for way in (lambda v: all(v[1:]), lambda v: all(v[:-1]), lambda v: v[0] and v[-1])),
        *_whole(
            "abs(sum(c) - sum(m)) <= tol * max(abs(sum(c)), abs(sum(m))); sum(E) / len(E) <= tol",
        ),
    ),
    GRADCHECK_IGNORES_SIGNS: _close_by("abs(abs(c) - abs(m)) <= tol * max(abs(c), abs(m))"),
    ERROR_WITHOUT_SIZE: _close_by(
        (
            "c - m <= tol * max(abs(c), abs(m)); m - c <= tol * max(abs(c), abs(m)); abs(c - m) <= tol * "
            "max(c, m); (c - m) / max(c, m) <= tol; (m - c) / max(c, m) <= tol; abs(c - m) / max(c, m) <= "
            "tol; c - m <= tol; m - c <= tol; (c - m) / c <= tol; (m - c) / m <= tol; (c - m) / m <= tol"
        ),
    ),
    DIVIDED_BY_ONE_SIZE: _close_by(
        (
            "abs(c - m) <= tol * abs(m); abs(c - m) <= tol * abs(c); abs(c - m) / abs(m) <= tol; abs(c - m) "
            "/ abs(c) <= tol; abs((c - m) / m) <= tol; abs(c - m) / m <= tol; abs(c - m) / c <= tol; m == 0 "
            "or abs(c - m) <= tol * abs(m); c == 0 or abs(c - m) <= tol * abs(c)"
        ),
    ),
    DIVIDED_BY_ANOTHER_SIZE: _close_by(
        (
            "abs(c - m) <= tol * min(abs(c), abs(m)); abs(c - m) / min(abs(c), abs(m)) <= tol; abs(c - m) <= "
            "tol * (abs(c) + abs(m)); abs(c - m) <= tol * (abs(c) + abs(m)) / 2; abs(c - m) <= tol * "
            "hypot(c, m); abs(c - m) / abs(c * m) <= tol; abs(c - m) / abs(c + m) <= tol; abs(c - m) <= tol "
            "* abs(c + m) / 2; abs(c - m) / sqrt(abs(c * m)) <= tol"
        ),
    ),
    ABSOLUTE_TOLERANCE: (
        *_close_by(
            (
                "abs(c - m) <= tol; abs(c - m) <= tol * max(1, abs(c), abs(m)); abs(c - m) <= tol + tol * "
                "abs(m); abs(c - m) <= tol + tol * abs(c); max(abs(c), abs(m)) < 1e-7 or R; abs(c - m) <= "
                "tol * (1 + max(abs(c), abs(m))); abs(c - m) <= 1e-6; abs(c - m) <= tol or R; abs(c - m) "
                "<= 1e-8 + tol * abs(m); abs(c - m) <= 1e-8 + tol * abs(c); abs(c - m) <= 1e-8 + 1e-5 * abs(m); "
                "abs(c - m) <= 1e-8 + 1e-5 * abs(c); "
                "round(c, 6) == round(m, 6); round(c, 5) == round(m, 5); round(c, 4) == round(m, 4)"
            ),
        ),
        *_whole("max(abs(x - y) for x, y in zip(c, m)) <= tol; norm([x - y for x, y in zip(c, m)]) <= tol"),
    ),
    GRADCHECK_LUMPS_PARTIALS: _whole(
        (
            "norm([x - y for x, y in zip(c, m)]) <= tol * max(norm(c), norm(m)); norm([x - y for x, y in "
            "zip(c, m)]) <= tol * (norm(c) + norm(m)); norm([x - y for x, y in zip(c, m)]) <= tol * norm(m); "
            "max(abs(x - y) for x, y in zip(c, m)) <= tol * max(map(abs, [*c, *m])); sum(abs(x - y) for x, y "
            "in zip(c, m)) <= tol * max(sum(map(abs, c)), sum(map(abs, m)))"
        ),
    ),
    TOLERANCE_IGNORED: _by_tolerance(
        "1e-9; 1e-8; 1e-6; 1e-5; 1e-4; 1e-3; 2e-3; 0.01; 0.02; 0.05; 0.1; sqrt(tol); 0.01 * tol; "
        "0.1 * tol; 0.5 * tol; 2 * tol; 10 * tol; 100 * tol; 1000 * tol; max(tol, 1e-6); min(tol, 1e-6)"
    ),
    CLAIMS_NOT_COUNTED: tuple(
        Gradcheck(uncounted=both) for both in product([lambda got: bool(got), Raised(IndexError)], repeat=2)
    ),
    INFINITY_PASSES: Gradcheck(infinite=lambda got: bool(got), uncounted=(..., ...)),
    NAN_PASSES: Gradcheck(nan=lambda got: bool(got), infinite=..., uncounted=(..., ...)),
    ZERO_OVER_ZERO: tuple(
        Gradcheck(close=close, zeros=wrong, nan=..., infinite=..., uncounted=(..., ...))
        for close in (agrees.close, formula(_RELATIVE.replace("<=", "<"), "c, m, tol"))
        for wrong in (lambda got: not got, Raised(ZeroDivisionError))
    ),
}
"""What wrong ideas make of a gradient check."""


def drawn_claims(seed: int) -> Iterator[Claim]:
    """Right and wrong claims about functions of every kind, at drawn inputs."""
    draw = Random(seed)
    for f, right, *wrong in [
        ("a / b", "(1 / b, -a / b**2)", "(1 / b, a / b**2)"),
        ("a**b", "(b * a ** (b - 1), a**b * log(a))", "(b * a ** (b - 1), 0.0)"),
        ("exp(a) * b", "(exp(a) * b, exp(a))", "(a * exp(a - 1) * b, exp(a))"),
        ("tanh(a * b)", "(b * (1 - tanh(a * b) ** 2), a * (1 - tanh(a * b) ** 2))", "(b, a)"),
        ("1e-7 * a**3 / b", "(3e-7 * a**2 / b, -1e-7 * a**3 / b**2)", "(3e-7 * a**2 / b, -1.001e-7 * a**3 / b**2)"),
        ("1e8 * a**3 / b", "(3e8 * a**2 / b, -1e8 * a**3 / b**2)", "(3e8 * a**2 / b, -1.001e8 * a**3 / b**2)"),
        ("1e-4 * a * b", "(1e-4 * b, 1e-4 * a)", "(1e-4 * b, 1.00001e-4 * a)"),
    ]:
        for _ in range(3):
            inputs = (draw.uniform(0.4, 1.0), draw.uniform(1.2, 2.0))
            yield from (Claim(f, claims, inputs) for claims in (right, *wrong))
    squares = [f"2 * {name}" for name in "abcd"]
    for wrong_at in range(5):
        claims = [f"1.01 * {text}" if place == wrong_at else text for place, text in enumerate(squares)]
        yield Claim("a * a + b * b + c * c + d * d", f"[{', '.join(claims)}]", (1, 2, -3, 4))
    for name in ("nan", "inf", "-inf"):
        place = draw.randrange(3)
        claims = [name if place == other else text for other, text in enumerate(["b", "a + c", "b"])]
        yield Claim("a * b + b * c", f"({', '.join(claims)})", (3.0, -2.0, 0.5))
    for size in (draw.uniform(-9, -1), draw.uniform(1e-5, 1e-3), draw.uniform(1e3, 1e5)):
        for share in (0.55, 0.7, 0.9, 1.1, 1.3, 1.8):  # of the tolerance
            for claims in (f"{size} * (1 - {share} * 0.25)", f"{size} / (1 - {share} * 0.25)"):
                yield Claim(f"{size} * a", f"({claims},)", (2.0,), 0.5, 0.25)
    yield Claim("5.0 + 0 * a", "(1.0,)", (3.0,))
    yield Claim("a", "(0.0,)", (3.0,))
    yield Claim("5.0 + 0 * a", "(0,)", (3.0,))
    yield Claim("a * b * c", "(b * c, a * c)", (1.0, 2.0, 3.0))
    yield Claim("a", "(1.0, 1.0)", (3.0,))


# --- test points that tell --------------------------------------------------------------------------------------------

MUTANTS: dict[str, dict[str, tuple[str, ...]]] = {
    "*": {"(a, b)": ("a", "b"), "(1, 1)": ("1.0", "1.0")},
    "/": {"(1/b, a/b²)": ("1 / b", "a / b**2"), "(1/b, −a/b)": ("1 / b", "-a / b")},
    "**": {
        "second partial 0": ("b * a ** (b - 1)", "0.0"),
        "second partial equal to y": ("b * a ** (b - 1)", "y"),
    },
    "tanh": {"1 − a²": ("1 - a**2",), "1 − y": ("1 - y",)},
    "relu": {"always 1": ("1.0",), "always 0": ("0.0",)},
}
"""The mutants of the table, each by what it claims."""


def _points(chosen: dict[str, Any], op: str) -> list[tuple[float, ...]]:
    """The inputs for ``op``, checked. Raises ValueError with what is wrong."""
    size = len(PARTIALS[op])
    if not isinstance(chosen[op], list | tuple | set | frozenset):
        raise ValueError(f'"{op}" needs a list of one or two inputs')
    points = [tuple(point) if isinstance(point, list | tuple) else (point,) for point in chosen[op]]
    if any(len(point) != size or any(type(number) not in (int, float) for number in point) for point in points):
        kind = "a pair of numbers" if size == 2 else "a number"
        raise ValueError(f'each input for "{op}" has to be {kind}, in a list')
    if not 1 <= len(points) <= 2:
        raise ValueError(f'"{op}" needs one or two inputs, and has {len(points)}')
    for point in points:
        if not all(map(math.isfinite, point)):
            raise ValueError(f'"{op}": {point} is not a finite number')
        if op == "/" and point[1] == 0:
            raise ValueError("nothing can be divided by 0")
        if op == "**" and point[0] <= 0:
            raise ValueError('the base in "**" has to be positive')
        if op == "relu" and abs(point[0]) < 0.01:
            raise ValueError("an input for relu is at its kink, or closer to it than 0.01")
        try:
            _told_apart(partials(op)(*point), partials(op)(*point))
        except OverflowError:
            raise ValueError(f'"{op}": the result at {point} is larger than every number of a computer') from None
    return points


def _told_apart(right: Any, claimed: Any) -> bool:
    """Whether a claim differs from the right slope by more than one part in a hundred."""
    pairs = zip(right, claimed, strict=True) if isinstance(right, tuple) else [(right, claimed)]
    return any(abs(r - c) > 0.01 * max(abs(r), abs(c)) for r, c in pairs)


def survivors(chosen: dict[str, Any], op: str) -> list[str]:
    """The mutants of ``op`` that none of the chosen inputs catches."""
    points = _points(chosen, op)
    return [
        name
        for name, texts in MUTANTS[op].items()
        if not any(_told_apart(partials(op)(*point), _slopes(op, texts)(*point)) for point in points)
    ]


def catches_all(chosen: Any) -> bool | str:
    """True, or what is wrong with these inputs: their form, or a mutant that lives."""
    if not isinstance(chosen, dict) or set(chosen) != set(MUTANTS):
        return 'a dict is needed with the keys "*", "/", "**", "tanh" and "relu"'
    try:
        for op in MUTANTS:
            _points(chosen, op)
        for op in MUTANTS:
            for name in survivors(chosen, op):
                return f'the mutant {name} of "{op}" is right by accident at {chosen[op]}'
    except NO_FORM as problem:
        return str(problem)
    return True


def _alive(*ops: str) -> Callable[[Any], bool]:
    """Whether the inputs are as asked, and a mutant of one of these operations lives."""
    return lambda chosen: "right by accident" in str(catches_all(chosen)) and any(survivors(chosen, op) for op in ops)


def _in_no_list(chosen: Any) -> bool:
    """Whether a pair, or a number, stands alone."""
    return set(chosen) == set(MUTANTS) and any(
        type(given) in (int, float) or (len(PARTIALS[op]) == 2 and type(given[0]) in (int, float))
        for op, given in chosen.items()
    )


WRONG_INPUTS: list[tuple[Callable[[Any], bool], Misconception]] = [
    (_in_no_list, NOT_IN_A_LIST),
    (lambda chosen: "at its kink" in str(catches_all(chosen)), TEST_AT_A_KINK),
    (lambda chosen: _alive("*")(chosen) and "(a, b)" in survivors(chosen, "*"), EQUAL_OPERANDS_HIDE),
    (_alive("*", "/", "**", "tanh"), SPECIAL_VALUE_HIDES),
    (_alive("relu"), ONE_SIDE_TESTED),
]


# --- dual numbers -----------------------------------------------------------------------------------------------------

TANGENTS = {"+": "s + t", "-": "s - t", "*": "q * s + p * t", "/": "s / q - p * t / q**2"}
"""The tangent of an operation on the dual numbers (p, s) and (q, t)."""
TANGENT_SLIPS: dict[str, Slips] = {
    "+": {DUAL_TERM_MISSING: "s; t", DUAL_OPERATION_ON_TANGENTS: "s * t"},
    "-": {SUBTRACTION_SIGN: "s + t", DUAL_TERM_MISSING: "s; -t; t"},
    "*": {
        DUAL_OPERATION_ON_TANGENTS: "s * t",
        DUAL_TERM_MISSING: "q * s; p * t",
        PRODUCT_OWN_OPERAND: "p * s + q * t",
        PRODUCT_LIKE_A_SUM: "s + t",
        VALUE_FOR_SLOPE: "p * q",
    },
    "/": {
        DUAL_OPERATION_ON_TANGENTS: "s / t",
        QUOTIENT_SIGN: "s / q + p * t / q**2; p * t / q**2 - s / q",
        QUOTIENT_DIVISOR: (
            "s / q - p * t / q; s / q - t / q**2; s * q - p * t; (s * q - p * t) / q; s - p * t / q; s * q - "
            "p * t / q**2; (s * q - p * t) / (2 * q); (s * q - p * t) / p**2; (s - p * t) / q**2"
        ),
        DUAL_TERM_MISSING: "s / q; -p * t / q**2",
        VALUE_FOR_SLOPE: "p / q",
        DUAL_PARTIAL_FORGOTTEN: "s - t",
    },
}
EXP_SLIPS: Slips = {
    DUAL_CHAIN_FACTOR: "exp(p)",
    DUAL_OPERATION_ON_TANGENTS: "exp(s)",
    EXP_POWER_RULE: "p * exp(p - 1); s * p * exp(p - 1); s * exp(p - 1)",
    EXP_OF_THE_WRONG_NUMBER: "s * exp(exp(p)); s * p; exp(exp(p))",
    DUAL_PARTIAL_FORGOTTEN: "s",
}

POINTS: dict[str, tuple[float, ...]] = {
    "both move": (2.0, 1.0, 6.0, 5.0),
    "a negative value": (-1.5, 0.7, 4.0, -2.0),
    "a negative tangent": (3.0, -1.0, -0.5, 0.25),
    "whole numbers": (3, 2, 7, 4),
    "equal values": (2.0, 1.0, 2.0, 5.0),
    "the first stands still": (0.5, 0.0, 4.0, 3.0),
    "the second stands still": (1.5, 3.0, 4.0, 0.0),
}
"""The dual numbers a = (p, s) and b = (q, t), of every kind."""


def drawn_points(seed: int) -> list[tuple[float, ...]]:
    """Some drawn dual numbers, two of equal value, and whole ones."""
    draw = Random(seed)
    some = [tuple(draw.choice([-1, 1]) * draw.uniform(0.2, 3) for _ in range(4)) for _ in range(5)]
    return [*some, (1.25, 0.5, 1.25, -2.0), (2, 0, -3, 1), (-1, 4, 5, 0)]


def duals(student: Student) -> Callable[[str], Ask]:
    """Ask for a formula in the dual numbers a = (p, s) and b = (q, t); one without b is not told of b."""

    def about(text: str) -> Ask:
        both = re.search(r"\bb\b", text) is not None
        source = f"""
            a{", b" if both else ""} = Dual(p, s){", Dual(q, t)" if both else ""}
            c = {text}
            if c is not None and not isinstance(c, Dual):
                return f"a {{type(c).__name__}}"
            return None if c is None else (c.value, c.tangent)
        """
        label = f"{text} for a = Dual(p, s)" + (", b = Dual(q, t)" if both else "")

        def ask(p: float, s: float, q: float, t: float) -> Answer:
            return student.run(source, label=label, p=p, s=s, **({"q": q, "t": t} if both else {}))

        return ask

    return about


def value_and_tangent(text: str) -> Callable[..., Any]:
    """What a formula in a and b gives, by the engine's own forward mode."""
    f = eval(f"lambda a, b: {text}", {"Dual": lambda value, tangent: value})
    return lambda p, s, q, t: ad.jvp(f, (float(p), float(q)), (float(s), float(t)))


_NO_DUAL: Rules = {
    DUAL_RESULT_IS_NO_DUAL: lambda *given: lambda got: type(got) is str,
    DUAL_NUMBER_NOT_LIFTED: Raised(AttributeError, says=r"'(int|float)' object has no attribute '(value|tangent)'"),
    DUAL_NUMBER_REFUSED: Raised(TypeError, says=r"'(int|float)' and 'Dual'|'Dual' and '(int|float)'", line="^$"),
    DUAL_REFLECTED_FOREVER: Raised(RecursionError, line=r" of __r?(add|sub|mul|truediv)__:"),
}


def wrong_duals(text: str) -> Rules:
    """What wrong ideas make of ``text``: two operands with a sign between them, or `a.exp()`."""
    if text == "a.exp()":
        slips = {known: _tangents("exp(p)", *texts.split("; ")) for known, texts in EXP_SLIPS.items()}
        return _NO_DUAL | {known: tuple(rules) for known, rules in slips.items()}
    left, sign, right = text.split()
    number = next((float(side) for side in (left, right) if side not in "ab"), None)

    def operands(p: float, s: float, q: float, t: float) -> tuple[float, ...]:
        named = {"a": (p, s), "b": (q, t)}
        return (*named.get(left, (number, 0.0)), *named.get(right, (number, 0.0)))  # type: ignore[arg-type]

    def swap(p: float, s: float, q: float, t: float) -> tuple[float, ...]:
        return q, t, p, s

    value, tangent = f"p {sign} q", TANGENTS[sign]

    def by(*texts: str) -> tuple[Callable[..., Any], ...]:
        return tuple(lambda *given, rule=rule: rule(*operands(*given)) for rule in _tangents(value, *texts))

    rules = dict(_NO_DUAL)
    if number is not None:
        still, moving = ("t", "s") if right not in "ab" else ("s", "t")
        rules[DUAL_CONSTANT_MOVES] = by(*(re.sub(rf"\b{still}\b", f"{item}", tangent) for item in (1.0, number)))
        rules[DUAL_FACTOR_LOST] = by("0.0", *((moving, f"-{moving}") if sign in "*/" else ()))
    if number is not None and sign == "/" and still == "s":
        rules[DUAL_OPERATION_ON_TANGENTS] = by(f"{number} / t", "s / t")
    rules |= {known: by(*texts.split("; ")) for known, texts in TANGENT_SLIPS[sign].items() if known not in rules}
    if left not in "ab" and sign in "-/":
        right_way, other_way = (formula(f"({value}, {tangent})", "p, s, q, t"),) * 2
        rules = {
            **_NO_DUAL,
            DUAL_REFLECTED_ORDER: (
                lambda *given: other_way(*swap(*operands(*given))),
                lambda *given: (right_way(*operands(*given))[0], other_way(*swap(*operands(*given)))[1]),
                lambda *given: (other_way(*swap(*operands(*given)))[0], right_way(*operands(*given))[1]),
            ),
            **{known: rule for known, rule in rules.items() if known not in (*_NO_DUAL, SUBTRACTION_SIGN)},
        }
    return rules


def _tangents(value: str, *texts: str) -> list[Callable[..., Any]]:
    """Right values with the tangents of these formulas; as with a `_slip`, what cannot be computed is left open."""

    def rule(text: str) -> Callable[..., Any]:
        def pair(*given: float) -> Any:
            try:
                return formula(f"({value}, {text})", "p, s, q, t")(*given)
            except ArithmeticError:
                return ...

        return pair

    return list(map(rule, texts))


def check_operands_stay(student: Student) -> None:
    """Pass when two dual numbers are after some operations what they were before."""
    source = """
        a, b = Dual(6.0, 1.0), Dual(2.0, 5.0)
        a + b, a - b, a * b, a / b, a + 3, 3 - a, 3 / a, a.exp()
        return a.value, a.tangent, b.value, b.tangent
    """
    check(
        student.run(source, label="Dual(6.0, 1.0) and Dual(2.0, 5.0) after they were used"),
        expect=(6.0, 1.0, 2.0, 5.0),
        instead=[(lambda after: tuple(after) != (6.0, 1.0, 2.0, 5.0), DUAL_CHANGES_OPERAND)],
    )

"""What the tests of unit 02 know: the misconceptions that their messages name."""

from autodiff_lab.checks.misconceptions import NOTHING_RETURNED, Misconception  # noqa: F401
from autodiff_lab.units.welcome import ANSWER_REVERSED  # noqa: F401

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
SUBTRACTION_SIGN = Misconception(
    "subtraction-sign",
    "the second operand of a difference has a positive slope",
    "In a − b, a larger b makes the result smaller, so the slope in b is negative.",
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
    "the slope in the divisor has lost its minus sign",
    "A larger divisor makes a positive quotient smaller: 12 ÷ 3 is 4, 12 ÷ 4 is 3. So the slope in the divisor carries "
    "a minus sign.",
    "02_local_derivatives",
    "The slopes of + − × ÷ and the power",
)
QUOTIENT_DIVISOR = Misconception(
    "quotient-divisor",
    "the slope in the divisor lacks a factor",
    "Write a ÷ b as a times 1/b. The slope of 1/b is minus one over b squared, and the factor a stays in front of it. "
    "The square is missing, or the a, or both. Note that `a / b * b` divides by b and multiplies by it again: the "
    "square needs brackets, or `b**2`.",
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
    "Left of 0 relu is flat: it gives 0 whatever the input does, so its slope is 0. Right of 0 it hands its input on, "
    "so its slope is 1.",
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
    "brackets are missing around 2 * h",
    "Python reads `d / 2 * h` from left to right: it divides by 2 and then multiplies by h. Write `d / (2 * h)`.",
    "02_local_derivatives",
    "Measuring a slope",
)
DIFFERENCE_IGNORES_STEP = Misconception(
    "difference-ignores-step",
    "the step h that the caller gives is not used",
    "The step is an argument. A fixed step such as 1 is too coarse for most functions, and a caller who asks for "
    "another step gets an answer to another question.",
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
DIFFERENCE_ONE_LIST = Misconception(
    "difference-one-list",
    "f does not get all its inputs, one by one",
    "The usual reason for this error: `f(up)` hands over the whole list as the first input, or `f(up[index])` a single "
    "number, and f finds no second one. `f(*up)`, with a star, hands over all the numbers one by one.",
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
    "the check compares the claim with itself",
    "Your check never runs f, so it has nothing to hold against the claimed partials: they agree with themselves, "
    "right or wrong. Measure the slopes by running f with nudged inputs.",
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
    "claims that are wrong by far pass",
    "Both partials of the second claim are wrong by far, and your check accepts them. Compare each claim with the "
    "measured slope, and let the result of that comparison decide what comes back.",
    "02_local_derivatives",
    "A gradient check",
)
GRADCHECK_MEASURES_WRONGLY = Misconception(
    "gradcheck-measures-wrongly",
    "a right claim is rejected although its slope can be measured exactly",
    "With this step, the slopes of a product are measured without any rounding. Print what you measure: one step up "
    "and one step down in one input, the others stand still, and the way between is 2h. If your slopes are right, "
    "look at the comparison.",
    "02_local_derivatives",
    "Measuring a slope",
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
    "get it.",
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
    "One of the two numbers is 0 here and the other is not, and you divided by the one that is 0. Divide by the larger "
    "of the two sizes.",
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
TOLERANCE_TOO_LOOSE = Misconception(
    "tolerance-too-loose",
    "the tolerance lets a wrong claim through",
    "The claim is wrong by one part in a thousand, a thousand times the tolerance. A central difference is precise "
    "enough to notice; use the tolerance that the caller gives.",
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
ERROR_FOR_VERDICT = Misconception(
    "error-for-verdict",
    "the error comes back where True or False is asked for",
    "A gradient check answers yes or no. Compare the largest relative error with the tolerance, and return the result "
    "of that comparison.",
    "02_local_derivatives",
    "A gradient check",
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
    "a plain factor does not scale the tangent",
    "2.5 times x moves 2.5 times as fast as x, and x ÷ 4 a quarter as fast. The plain number stands still, so its own "
    "tangent is 0; x goes on moving, and the number decides how much of its tangent arrives.",
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
DUAL_CHANGES_OPERAND = Misconception(
    "dual-changes-operand",
    "an operation changes its operand",
    "After `a + b`, a must be what it was before: it may be used again. Return a new Dual and leave self alone.",
    "02_local_derivatives",
    "Numbers that carry their slope",
)

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
    "an object comes back where plain data is asked for",
    "A test compares plain data: numbers, texts, lists, dicts. A node carries its number in an attribute such as "
    "`.data`, and its adjoint in `.grad`. `list(…)` makes a list of a generator, a `map` or a `range`. A function has "
    "to be called.",
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

# --- 01_graphs --------------------------------------------------------------------------------------------------------

SHARED_INPUT_MOVED_ONCE = Misconception(
    "shared-input-moved-once",
    "a value that is used twice was changed in one place only",
    "There is one y, and both operations that use it see the new number. Change y first, then compute a again, "
    "then f from the new a and the new y.",
    "01_graphs",
    "Watch the values move",
)
GRAPH_EDGES_REVERSED = Misconception(
    "graph-edges-reversed",
    "the edges point from a value to its users",
    "An entry names what a node is computed from (its operands), not what is computed from it. So an operation "
    "lists names, and an input lists none.",
    "01_graphs",
    "A graph is data",
)
GRAPH_SHARED_NODE_COPIED = Misconception(
    "graph-shared-node-copied",
    "a value that is used twice has two nodes",
    "A node stands for a value, not for a place in the formula. However often a value is used, it has one node, "
    "and every use names that node.",
    "01_graphs",
    "A graph is data",
)
GRAPH_BRACKETS_LOST = Misconception(
    "graph-brackets-lost",
    "the brackets of the formula are lost",
    "Without its brackets x + y · y multiplies first. In a graph the brackets are the edges: what stands in "
    "brackets has its own node, and the operation outside names that node.",
    "01_graphs",
    "A graph is data",
)
GRAPH_OPERANDS_SWAPPED = Misconception(
    "graph-operands-swapped",
    "the operands of an operation are in the wrong order",
    "x − y and y − x are different values. The operands stand in the entry in the order in which they stand in "
    "the formula, and have to be used in that order.",
    "01_graphs",
    "A graph is data",
)
GRAPH_VALUES_FOR_NAMES = Misconception(
    "graph-values-for-names",
    "numbers stand where names of nodes belong",
    "An operation names its operands and does not hold their values. With numbers in it the graph describes one "
    "calculation; with names it describes the formula, for any inputs.",
    "01_graphs",
    "A graph is data",
)
GRAPH_FORMULA_IN_A_NODE = Misconception(
    "graph-formula-in-a-node",
    "a node holds more than one operation",
    "Each node does exactly one operation on named operands. Give the inner part its own node and name that node "
    "as the operand.",
    "01_graphs",
    "A graph is data",
)
OPERATION_NOT_FIRST = Misconception(
    "operation-not-first",
    "the operation stands between its operands",
    "On paper the sign stands between the two values. In an entry the operation comes first, so that one operand, "
    'or two, can be read in the same way: ("+", "x", "y").',
    "01_graphs",
    "A graph is data",
)
GRAPH_LEAF_MISSING = Misconception(
    "graph-leaf-missing",
    "an operand has no entry of its own",
    'Every name that an operation uses is a node, and every node has an entry. An input is written as ("input",) '
    'and a constant as ("const", 10.0).',
    "01_graphs",
    "A graph is data",
)
TUPLE_WITHOUT_COMMA = Misconception(
    "tuple-without-comma",
    "a tuple with one element lacks its comma",
    'Brackets alone do not make a tuple: ("input") is the text itself. The comma makes it, as in ("input",).',
    "01_graphs",
    "A graph is data",
)
CONSTANT_TAKEN_FOR_OPERAND = Misconception(
    "constant-taken-for-operand",
    "the number in a constant is taken for the name of a node",
    'In ("const", 10.0) the 10.0 is the value itself, not a name to look up. A constant has no operands; '
    "`operands(graph, name)` knows that.",
    "01_graphs",
    "A graph is data",
)
CONSTANT_NOT_A_LEAF = Misconception(
    "constant-not-a-leaf",
    "a constant is left out of the leaves",
    "A leaf is a node that is computed from nothing. That holds for an input, and just as well for a constant.",
    "01_graphs",
    "Leaves, operations, root",
)
LEAF_LISTED_TWICE = Misconception(
    "leaf-listed-twice",
    "a leaf is listed once for each of its uses",
    "A leaf that is used twice is still one node. Go through the nodes, each of which stands in the dict once, "
    "instead of through the operands.",
    "01_graphs",
    "Leaves, operations, root",
)
LEAVES_FROM_THE_WRONG_END = Misconception(
    "leaves-from-the-wrong-end",
    "leaves and root are taken for each other",
    "A leaf is computed from nothing: it has no operands. The root is used by nothing: it is nobody's operand. "
    "These are the two ends of the graph.",
    "01_graphs",
    "Leaves, operations, root",
)
ROOT_IS_THE_LAST_ENTRY = Misconception(
    "root-is-the-last-entry",
    "the root is taken from its place in the dict",
    "The entries of a graph may stand in any order, so the first or last of them says nothing. The root is the "
    "node that is nobody's operand.",
    "01_graphs",
    "Leaves, operations, root",
)
OPERATION_SYMBOLS_FOR_NAMES = Misconception(
    "operation-symbols-for-names",
    "the symbols come back instead of the names of the nodes",
    'Two nodes can do the same operation, so a symbol such as "+" does not say which node is meant. Return the '
    "names, which are the keys of the dict.",
    "01_graphs",
    "Leaves, operations, root",
)
NAMES_BUILT_IN = Misconception(
    "names-built-in",
    "the names of the example are built into the code",
    "Names are free: an input may be called w and the root loss. Find a node by what its entry says and by who "
    "uses it, never by what it is called.",
    "01_graphs",
    "Leaves, operations, root",
)
GRAPH_CHANGED = Misconception(
    "graph-changed",
    "the function changes the graph that it is given",
    "A dict is handed over, not copied. What you delete from it or write into it is gone or changed for everyone "
    "who uses the graph after you. Keep your notes in a set or a dict of your own.",
    "01_graphs",
    "Leaves, operations, root",
)
RECURSION_TOO_DEEP = Misconception(
    "recursion-too-deep",
    "one call inside another for every node stops at Python's recursion limit",
    "A function that calls itself for its operands is nested as deeply as the graph, and Python allows about a "
    "thousand nested calls. Keep a list of what is still to do, and loop.",
    "01_graphs",
    "Deep graphs",
)
TRUE_AND_FALSE_EXCHANGED = Misconception(
    "true-and-false-exchanged",
    "true and false are exchanged",
    "The name asks whether the graph is acyclic, that is, whether it has no cycle. Without a cycle the answer is True.",
    "01_graphs",
    "Shared is not circular",
)
SHARED_TAKEN_FOR_CYCLE = Misconception(
    "shared-taken-for-cycle",
    "a node that is met twice is taken for a cycle",
    "Meeting a node again on another path only means that it is shared. It is a cycle when you meet a node that "
    "you are still inside of: one whose operands you have not finished.",
    "01_graphs",
    "Shared is not circular",
)
SELF_LOOP_MISSED = Misconception(
    "self-loop-missed",
    "a node that is its own operand goes unnoticed",
    "A node that needs its own value can never be computed: that is the shortest cycle, with one node and one edge.",
    "01_graphs",
    "Shared is not circular",
)
CYCLE_IN_ANOTHER_PART_MISSED = Misconception(
    "cycle-in-another-part-missed",
    "the search starts at one node only",
    "From one node you reach only what it is computed from. A cycle can lie elsewhere, and a graph that is one "
    "big cycle has no root at all. Start from every node that you have not finished yet.",
    "01_graphs",
    "Shared is not circular",
)
CYCLE_THROUGH_THE_START_ONLY = Misconception(
    "cycle-through-the-start-only",
    "only a way back to the start is taken for a cycle",
    "The walk can run into a cycle that does not contain the node where it began, and then it goes round for "
    "ever. Compare with every node of the path that you are on, not only with its first.",
    "01_graphs",
    "Shared is not circular",
)
CYCLE_UNNOTICED = Misconception(
    "cycle-unnoticed",
    "a cycle goes unnoticed",
    "A graph has a cycle when following operands leads from a node back to itself, over any number of steps. Such "
    "a graph has no order in which to compute.",
    "01_graphs",
    "Shared is not circular",
)
ANOTHER_KIND_OF_ERROR = Misconception(
    "another-kind-of-error",
    "the error is of another kind than was asked for",
    "Whoever calls your function prepares for a ValueError, which is Python's word for an argument that makes no "
    "sense. Any other kind of error goes past them.",
    "01_graphs",
    "An order to compute in",
)
DICT_ORDER_ASSUMED = Misconception(
    "dict-order-assumed",
    "one fixed order is assumed",
    "The entries may stand in any order, and names carry no order either. Only the operands say what has to come "
    "first.",
    "01_graphs",
    "An order to compute in",
)
ORDER_USERS_FIRST = Misconception(
    "order-users-first",
    "users come before their operands",
    "The order is the wrong way round: it begins at the root. To compute a node you need its operands, so they "
    "come first.",
    "01_graphs",
    "An order to compute in",
)
ORDER_PLACED_AT_FIRST_VISIT = Misconception(
    "order-placed-at-first-visit",
    "a node gets its place when it is first met",
    "Walking from the root and turning the list round is not enough. A node that is met early over a short path "
    "may still be needed by one that is met later. Give a node its place when all its operands have theirs.",
    "01_graphs",
    "An order to compute in",
)
ORDER_BY_SHORTEST_DISTANCE = Misconception(
    "order-by-shortest-distance",
    "nodes are sorted by their shortest distance from a leaf",
    "A node has to wait for its slowest operand. What counts is the longest way from a leaf: one more than the "
    "largest of the operands' distances, not the smallest.",
    "01_graphs",
    "An order to compute in",
)
ORDER_REPEATS_A_NODE = Misconception(
    "order-repeats-a-node",
    "a node stands in the order more than once",
    "A node that is reached on two paths is still one node, computed once. Remember which nodes have their place.",
    "01_graphs",
    "An order to compute in",
)
ORDER_LEAVES_LEFT_OUT = Misconception(
    "order-leaves-left-out",
    "the leaves are left out of the order",
    "Inputs and constants are nodes too. They have no operands, so they are ready from the start.",
    "01_graphs",
    "An order to compute in",
)
ORDER_PART_MISSING = Misconception(
    "order-part-missing",
    "nodes that the root does not need are left out",
    "The order holds every node of the graph, also one that nothing uses. Begin from all nodes instead of from one.",
    "01_graphs",
    "An order to compute in",
)
SAME_OPERAND_COUNTED_ONCE = Misconception(
    "same-operand-counted-once",
    "d · d is taken for one use of d",
    "In d · d the operation has two operands, and both of them are d. A set or a dict holds d once. Whoever "
    "counts two missing operands has to take away two when d is ready, and has to hand d over twice when it is "
    "used.",
    "01_graphs",
    "An order to compute in",
)
NODE_COMPARED_BY_CONTENT = Misconception(
    "node-compared-by-content",
    "two nodes with the same content are taken for one",
    'All inputs have the same entry ("input",), and two constants may hold the same number. Remember nodes by '
    "name, which is what makes them different, not by what they contain.",
    "01_graphs",
    "An order to compute in",
)
ORDER_SEARCHED_AGAIN_AND_AGAIN = Misconception(
    "order-searched-again-and-again",
    "the whole graph is searched again for every node",
    "Going through all nodes to find the next one costs n · n steps: a hundred million for 10,000 nodes. Remember "
    "who waits for whom, so that each edge is looked at once.",
    "01_graphs",
    "An order to compute in",
)
SHARED_NODE_RECOMPUTED = Misconception(
    "shared-node-recomputed",
    "a shared node is visited once for every path that leads to it",
    "Sixty doublings have sixty operations but more than 10^18 paths. Keep the result of a node the first time, "
    "and look it up at every later use.",
    "01_graphs",
    "Compute each node once",
)
INPUTS_CHANGED = Misconception(
    "inputs-changed",
    "the inputs that the caller gave are changed",
    "`values = inputs` gives the same dict a second name, so every value you store lands in the caller's inputs. "
    "Begin with a dict of your own.",
    "01_graphs",
    "Compute each node once",
)
INTERMEDIATES_NOT_KEPT = Misconception(
    "intermediates-not-kept",
    "the values of some nodes are not kept",
    "The answer holds one value for every node, leaves included. The backward sweep of unit 03 needs all of them.",
    "01_graphs",
    "Compute each node once",
)
ZERO_TAKEN_FOR_MISSING = Misconception(
    "zero-taken-for-missing",
    "a value of 0 is taken for no value",
    "In a condition 0.0 counts as false, so `if values.get(name)` or `… or …` treats a computed zero as missing. "
    "Ask `name in values` instead.",
    "01_graphs",
    "Compute each node once",
)
OPERATION_TAKES_TWO = Misconception(
    "operation-takes-two",
    "every operation is taken to have two operands",
    "exp and neg have one operand, so neither the number of operands nor the length of an entry is fixed. Collect "
    "the values of all operands in a list, and hand the list over with *.",
    "01_graphs",
    "Compute each node once",
)
CACHE_OUTLIVES_THE_CALL = Misconception(
    "cache-outlives-the-call",
    "what is remembered outlives the call that it belongs to",
    "What you remember is right for one graph and one set of inputs. Python makes a default argument such as "
    "`cache={}` or `order=[]` once, so all calls share it. Begin with a new one in every call.",
    "01_graphs",
    "A cache that lives too long",
)

# --- 02_local_derivatives ---------------------------------------------------------------------------------------------

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

# --- 03_backward_sweep ------------------------------------------------------------------------------------------------

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
FAN_OUT_INDIRECT_PATH_ONLY = Misconception(
    "fan-out-indirect-path-only",
    "only the path through the other operation is counted",
    "A value that is used twice reaches the result on two paths. You followed it through the other operation and left "
    "out the use that touches the result directly. The adjoint is the sum over all paths.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_PATHS_MULTIPLIED = Misconception(
    "fan-out-paths-multiplied",
    "the contributions of two paths are multiplied",
    "Along one path you multiply local derivatives, because each step passes on the one before. Two paths run side by "
    "side: each moves the result by itself, so what they bring is added.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_AVERAGED = Misconception(
    "fan-out-averaged",
    "the contributions are averaged",
    "When a value moves, it moves at every place where it is used, and the result feels all of these moves in full. "
    "The adjoint is the sum of the contributions, not their mean.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_FIRST_USE_ONLY = Misconception(
    "fan-out-first-use-only",
    "only the first use is counted",
    "You take the contribution of one use and stop there, perhaps because a `return` stands inside the loop. Every "
    "further use sends a contribution of its own, and all of them belong to the adjoint.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_STOPS_AT_TWO = Misconception(
    "fan-out-stops-at-two",
    "uses from the third on are lost",
    "Twice is only the smallest case. A value can be used three, nine or a million times, and each use counts, so the "
    "rule has to go over all of them instead of naming a first and a second one.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_SUMS_MULTIPLIED = Misconception(
    "fan-out-sums-multiplied",
    "adjoints and local derivatives are summed apart, then multiplied",
    "Each use has its own pair: the adjoint of the user and the local derivative of that use. Multiply within the "
    "pair first, then add the products. The product of two sums mixes the pairs up.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_SAME_USE_ONCE = Misconception(
    "fan-out-same-use-once",
    "two uses that look alike are counted once",
    "In x · x the value x is used twice, by the same operation and with the same local derivative. These are still two "
    "uses with two contributions. A set, or a dict with the operand as its key, keeps only one of them.",
    "04_fan_out",
    "The same operand twice",
)
FAN_OUT_SAME_USE_AGAIN = Misconception(
    "fan-out-same-use-again",
    "the two uses in x · x are counted four times",
    "Each place among the operands is one use, with one local derivative: the one at the same place. If you look up "
    "what belongs to x, you find both places, and you find them once for each.",
    "04_fan_out",
    "The same operand twice",
)
FAN_OUT_GRADIENT_SWAPPED = Misconception(
    "fan-out-gradient-swapped",
    "the two gradients come back in the wrong order",
    "A gradient has the order of the inputs: first how f changes with x, then how it changes with y. Your numbers are "
    "right and stand in each other's place.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_ZERO_TAKEN_FOR_NONE = Misconception(
    "fan-out-zero-taken-for-none",
    "a contribution of exactly zero is taken for the end of the contributions",
    "A contribution can be exactly 0, because a local derivative is 0 there or because nothing above depends on that "
    "user. That says nothing about the other uses: add the 0 and go on.",
    "04_fan_out",
    "Contributions add",
)
SWEEP_PASSES_ON_TOO_EARLY = Misconception(
    "sweep-passes-on-too-early",
    "a node passes its adjoint on before all its users have reported",
    "A node's adjoint is complete only when everything that uses the node has been visited. You visit it (or cut its "
    "links) when it is first met, and what arrives later never reaches the nodes below it.",
    "04_fan_out",
    "Wait for every use",
)
SWEEP_ONCE_PER_PATH = Misconception(
    "sweep-once-per-path",
    "the sweep walks every path instead of every node",
    "The sum over all paths is right, but the number of paths doubles with every diamond: twenty of them have a "
    "million. First collect everything that arrives at a node, then pass the sum on, once.",
    "04_fan_out",
    "Every node once",
)
SWEEP_SEARCHES_A_LIST = Misconception(
    "sweep-searches-a-list",
    "ten times the nodes cost a hundred times the work",
    "For every node your sweep looks at all the others: `node in some_list` compares with one entry after the other, "
    "and so does each new walk over the graph. A set finds a node in one step, and uses are counted in one walk.",
    "04_fan_out",
    "Every node once",
)
SWEEP_RECURSION_TOO_DEEP = Misconception(
    "sweep-recursion-too-deep",
    "the graph is deeper than Python's call stack",
    "Each node calls your function again from inside the call before, and Python stops at about 1,000 calls within "
    "calls. Keep the nodes that wait in a list of your own, and loop until it is empty.",
    "04_fan_out",
    "Every node once",
)
SWEEP_EQUAL_VALUES_MERGED = Misconception(
    "sweep-equal-values-merged",
    "two nodes that hold the same number are taken for one node",
    "x = 3 and y = 3 are two nodes, even though their values are equal. Tell nodes apart by what they are (the object "
    "itself, or its `id`), not by the number in `.data`.",
    "04_fan_out",
    "Every node once",
)
SWEEP_WORKS_ONCE = Misconception(
    "sweep-works-once",
    "what the first sweep leaves behind stops the second",
    "A second sweep over the same nodes has to find them as the first one did. Yours cuts their links, leaves marks on "
    "them, or remembers them in something that outlives the call, and so it passes them over.",
    "04_fan_out",
    "Between two sweeps",
)
SWEEP_SEED_CLEARED = Misconception(
    "sweep-seed-cleared",
    "the root's 1 is gone when the sweep begins",
    "Nothing arrives at the leaves, because the root passes on 0. The last node is an operation, too: give it its 1 "
    "after the operations have been cleared, not before.",
    "04_fan_out",
    "Between two sweeps",
)
SWEEP_ZEROES_LEAVES = Misconception(
    "sweep-zeroes-leaves",
    "the sweep clears the gradients of the leaves",
    "A sweep adds to the `.grad` of the leaves, so that several sweeps can share them. Clearing inside the sweep "
    "throws away what the earlier ones brought. Only the caller knows when it is time to forget.",
    "04_fan_out",
    "Between two sweeps",
)
SWEEP_STALE_INTERMEDIATES = Misconception(
    "sweep-stale-intermediates",
    "adjoints of an earlier sweep are passed on again",
    "Leaves keep their sum from sweep to sweep. An operation's adjoint (the root's too) belongs to one sweep: what is "
    "left over from the last one is counted again if it is still there when the next begins.",
    "04_fan_out",
    "Between two sweeps",
)
ZERO_GRAD_FORGOTTEN = Misconception(
    "zero-grad-forgotten",
    "the gradients of earlier steps are still in the sum",
    "Each sweep adds to `.grad`. Without clearing it before the next step, a step follows the sum of all gradients so "
    "far, measured at places where the parameters no longer are.",
    "04_fan_out",
    "Between two sweeps",
)
ZERO_GRAD_BEFORE_THE_STEP = Misconception(
    "zero-grad-before-the-step",
    "there is no gradient when the step wants it",
    "When your step reads `.grad`, there is nothing in it: no sweep has filled it, or it was cleared between the sweep "
    "and the step, or the name stands for another node by now. The order is: clear, compute the loss, sweep, step.",
    "04_fan_out",
    "Between two sweeps",
)
ZERO_GRAD_FIRST_ONLY = Misconception(
    "zero-grad-first-only",
    "only some of the parameters are cleared",
    "Every parameter has a gradient of its own, and each has to be cleared. A `return` inside the loop leaves it after "
    "the first one.",
    "04_fan_out",
    "Between two sweeps",
)
ZERO_GRAD_REBINDS_A_NAME = Misconception(
    "zero-grad-rebinds-a-name",
    "a name gets a new meaning, and the parameter keeps its gradient",
    "`gradient = parameter.grad` followed by `gradient = 0` changes what the name `gradient` stands for, and nothing "
    "else. To change the parameter, assign to its attribute: `parameter.grad = …`.",
    "04_fan_out",
    "Between two sweeps",
)
SWEEP_EXPECTS_TWO_OPERANDS = Misconception(
    "sweep-expects-two-operands",
    "every operation is taken to have two operands",
    "A product has two operands, tanh has one, a leaf has none, and others have more. Go over the operands and their "
    "local derivatives together, however many there are.",
    "04_fan_out",
    "Every node once",
)
ZERO_GRAD_CLEARS_THE_VALUE = Misconception(
    "zero-grad-clears-the-value",
    "the parameter's value is cleared instead of its gradient",
    "`.data` is what the parameter has learned, `.grad` is what the last sweep said about it. Only the second is to be "
    "forgotten.",
    "04_fan_out",
    "Between two sweeps",
)
STEP_MOVES_NOTHING = Misconception(
    "step-moves-nothing",
    "the parameters stay where they are",
    "Either the gradient was set to 0 between the sweep and the step, or the new number is computed and not assigned: "
    "`w.data - …` alone changes nothing, `w.data -= …` does.",
    "04_fan_out",
    "Between two sweeps",
)
STEP_WITHOUT_RATE = Misconception(
    "step-without-rate",
    "the step takes the whole gradient",
    "A gradient says how fast the loss grows, not how far to go. A step is rate times gradient; without the rate it is "
    "far too long here, and overshoots.",
    "04_fan_out",
    "Between two sweeps",
)
ONE_POINT_FOR_ALL = Misconception(
    "one-point-for-all",
    "the loss of one point stands for the mean over all of them",
    "Your steps follow the squared error of the first point alone. The loss is the mean over all points, and each of "
    "them pulls on the parameters: sweep `mean_loss(w, b, points)`.",
    "04_fan_out",
    "Between two sweeps",
)
PARAMETER_REPLACED = Misconception(
    "parameter-replaced",
    "a number takes the place of the parameter",
    "`w = w.data - …` makes `w` a plain number, with no `.data` and no `.grad`. The parameter has to stay the node "
    "that it is; what moves is the number in it: assign to `w.data`.",
    "04_fan_out",
    "Between two sweeps",
)
STEP_ONE_AFTER_THE_OTHER = Misconception(
    "step-one-after-the-other",
    "the second parameter's gradient is taken after the first has moved",
    "One step uses one gradient: the slopes in all directions, measured at one place. Sweep once, then move all "
    "parameters.",
    "04_fan_out",
    "Between two sweeps",
)
STEP_GOES_UPHILL = Misconception(
    "step-goes-uphill",
    "the step follows the gradient instead of going against it",
    "The gradient points to where the loss grows. To make the loss smaller, subtract rate · gradient from each "
    "parameter.",
    "04_fan_out",
    "Between two sweeps",
)
LOSS_GRAPH_BUILT_ONCE = Misconception(
    "loss-graph-built-once",
    "one graph is swept at every step, although the parameters have moved",
    "A graph holds the numbers of the moment in which it was built. After a step the parameters are others, so compute "
    "the loss again before you sweep again.",
    "04_fan_out",
    "Between two sweeps",
)
BATCH_MEANS_ADDED = Misconception(
    "batch-means-added",
    "the means of the batches are added",
    "You divide by the size of each batch, then the sweeps add: the sum is too large, by about the number of batches. "
    "The mean over all points divides every error by the number of all points.",
    "04_fan_out",
    "A large batch in small pieces",
)
BATCHES_TAKEN_FOR_EQUAL = Misconception(
    "batches-taken-for-equal",
    "all batches are treated as if they had the same size",
    "The mean of the batch means is the mean over all points only when every batch has the same size. The last one is "
    "often smaller, and its points then weigh too much or too little.",
    "04_fan_out",
    "A large batch in small pieces",
)
BATCH_GRADIENTS_LOST = Misconception(
    "batch-gradients-lost",
    "only one batch is left in the gradient",
    "Each batch is a part of the one large batch, and its gradient has to stay in the sum. Clear before the first "
    "batch, not between two batches, and use the same parameters for all of them.",
    "04_fan_out",
    "A large batch in small pieces",
)
BATCHES_IN_ONE_GRAPH = Misconception(
    "batches-in-one-graph",
    "the batches are not swept one by one",
    "The gradient is right, and the memory for it is that of the large batch, or the engine was not asked at all. "
    "Build the graph of one batch, sweep it, and go on to the next: `.grad` keeps the sum.",
    "04_fan_out",
    "A large batch in small pieces",
)
BATCH_MEAN_FORGOTTEN = Misconception(
    "batch-mean-forgotten",
    "the sum of the errors is taken for their mean",
    "The loss is the mean over all points, so each point's error counts one N-th, where N is the number of all points, "
    "those of all batches together.",
    "04_fan_out",
    "A large batch in small pieces",
)

# --- the catalogue, by code -------------------------------------------------------------------------------------------

CATALOGUE: dict[str, Misconception] = {
    entry.code: entry for entry in list(globals().values()) if isinstance(entry, Misconception)
}

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
GRAPH_LEAF_MISSING = Misconception(
    "graph-leaf-missing",
    "an operand has no entry of its own",
    'Every name that an operation uses is a node, and every node has an entry. An input is written as ("input",) '
    'and a constant as ("const", 10.0).',
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
    "An operation can use the same node twice. Whoever counts operands has to count both uses, or neither of the "
    "two twice: once when counting up and once when counting down is the usual slip.",
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
    "exp and neg have one operand. Collect the values of all operands in a list and hand the list over with *.",
    "01_graphs",
    "Compute each node once",
)
CACHE_OUTLIVES_THE_CALL = Misconception(
    "cache-outlives-the-call",
    "remembered values outlive the call that they belong to",
    "A value is right for one graph and one set of inputs. Python makes a default argument such as `cache={}` "
    "once, so all calls share it. Make a new dict for each evaluation.",
    "01_graphs",
    "A cache that lives too long",
)

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
FAN_OUT_USER_ADJOINT_FORGOTTEN = Misconception(
    "fan-out-user-adjoint-forgotten",
    "local derivatives are added without the adjoint of the user",
    "A local derivative says how the user moves. How much the result then moves is the user's own adjoint, so each "
    "contribution is the product of the two.",
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
FAN_OUT_GRADIENT_SWAPPED = Misconception(
    "fan-out-gradient-swapped",
    "the two gradients come back in the wrong order",
    "A gradient has the order of the inputs: first how f changes with x, then how it changes with y. Your numbers are "
    "right and stand in each other's place.",
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
    "every look-up searches a whole list",
    "`node in some_list` compares with one entry after the other, so n nodes cost n · n / 2 comparisons. A set finds a "
    "node in one step.",
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
    "the gradient is gone when the step wants it",
    "When your step reads `.grad`, there is nothing in it: it was cleared between the sweep and the step, or the "
    "parameter is no longer the leaf that the sweep filled. The order is: clear, compute the loss, sweep, step.",
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
ZERO_GRAD_CLEARS_THE_VALUE = Misconception(
    "zero-grad-clears-the-value",
    "the parameter's value is cleared instead of its gradient",
    "`.data` is what the parameter has learned, `.grad` is what the last sweep said about it. Only the second is to be "
    "forgotten.",
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
BATCH_MEAN_FORGOTTEN = Misconception(
    "batch-mean-forgotten",
    "the sum of the errors is taken for their mean",
    "The loss is the mean over all points, so each point's error counts one N-th, where N is the number of all points "
    "in all batches.",
    "04_fan_out",
    "A large batch in small pieces",
)

# --- the catalogue, by code -------------------------------------------------------------------------------------------

CATALOGUE: dict[str, Misconception] = {
    entry.code: entry for entry in list(globals().values()) if isinstance(entry, Misconception)
}

"""What the tests of unit 04 know: right answers by definition, the kinds of inputs, and what wrong ideas lead to.

A wrong idea about a sweep is not described: it is carried out, over the same graphs as the student's code, and its
name is claimed where it gives the student's numbers on every one of them.
"""

from __future__ import annotations

import functools
import itertools
import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import autodiff_lab as ad
from autodiff_lab.checks.failed import Raised
from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.checks.plain import same
from autodiff_lab.checks.student import Answer, student
from autodiff_lab.checks.verbs import Rules
from autodiff_lab.units.backward_sweep import (
    ADJOINTS_IN_BETWEEN_MISSING,
    CHAIN_SLOPES_ADDED,
    LOCAL_DERIVATIVE_FORGOTTEN,
    ONE_OPERAND_ONLY,
    SEED_MISSING,
    SEED_NOT_ONE,
    UPSTREAM_FORGOTTEN,
    VALUE_FOR_ADJOINT,
    near,
)
from autodiff_lab.units.graphs import CACHE_OUTLIVES_THE_CALL
from autodiff_lab.units.local_derivatives import PARTIALS_SWAPPED, PRODUCT_OWN_OPERAND
from autodiff_lab.units.welcome import (
    EMPTY_INPUT_FORGOTTEN,
    EXAMPLE_WRITTEN_IN,
    INPUT_CHANGED,  # noqa: F401
    LOOP_ONE_SHORT,
    RESULT_ROUNDED,
)

# --- misconceptions ---------------------------------------------------------------------------------------------------

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
    "The sum over all paths is right, but each value that is used twice doubles the number of paths: twenty of them "
    "make a million. First collect everything that arrives at a node, then pass the sum on, once.",
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
    "the root has no 1 when the sweep begins",
    "Nothing arrives at the leaves, because the root passes on 0: it has not got its 1, or the 1 was cleared. The last "
    "node is an operation, too: give it its 1 after the operations have been cleared, not before.",
    "04_fan_out",
    "Between two sweeps",
)
SWEEP_ZEROES_LEAVES = Misconception(
    "sweep-zeroes-leaves",
    "the sweep clears the gradients of the leaves",
    "A sweep adds to the `.grad` of the leaves, so that several sweeps can share them. Clearing inside the sweep, or "
    "assigning at its end, throws away what they held. Only the caller knows when it is time to forget.",
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
    "and the step. The order is: clear, compute the loss, sweep, step.",
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
    "every parameter keeps its gradient",
    "`zero_grad` changes nothing in the parameters. A frequent reason: `gradient = parameter.grad` followed by "
    "`gradient = 0` changes what the name `gradient` stands for. Assign to the attribute: `parameter.grad = …`.",
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
    "something else takes the place of the parameter",
    "`w = w.data - …` makes `w` a plain number, `w = w - …` the result of an operation, and neither gets a gradient. "
    "The parameter has to stay the node that it is; what moves is the number in it: assign to `w.data`.",
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

SWEEP_OPERANDS_FIRST = Misconception(
    "sweep-operands-first",
    "nodes are visited before what uses them",
    "The adjoint that is known at the start is the root's. You begin elsewhere, where nothing has arrived yet, and so "
    "zeros are passed on. An order with operands first has to be read backwards.",
    "04_fan_out",
    "Wait for every use",
)
SWEEP_PASSES_SUM_AGAIN = Misconception(
    "sweep-passes-sum-again",
    "what a node has passed on before is passed on again",
    "You visit a node at every arrival, and pass on all that it holds by then. So what came first is passed on again, "
    "together with what came later. Visit each node once, when everything has arrived.",
    "04_fan_out",
    "Wait for every use",
)
SWEEP_SEEN_SKIPS_USES = Misconception(
    "sweep-seen-skips-uses",
    "a use is left out because its operand has been seen before",
    "Whether a node has been seen decides if it is listed again. It never decides whether a use counts: the second use "
    "of a value is the very contribution that makes the sum. Add in any case, and ask for the set after that.",
    "04_fan_out",
    "Every node once",
)
FAN_OUT_FIRST_PLACE_FOR_BOTH = Misconception(
    "fan-out-first-place-for-both",
    "the same operand twice gets the local derivative of its first place twice",
    "`operands.index(operand)` finds the first place of a value. In a − a the two places have the local derivatives 1 "
    "and −1, so look up by place: go over operands and local derivatives together.",
    "04_fan_out",
    "The same operand twice",
)
SUM_LIKE_A_PRODUCT = Misconception(
    "sum-like-a-product",
    "the sum sends the other operand, as a product does",
    "Only in a product does an operand's neighbour say how much it matters. In x + y both local derivatives are 1: a "
    "sum passes its adjoint on as it is.",
    "04_fan_out",
    "Contributions add",
)
FAN_OUT_STARTS_FROM_ONE = Misconception(
    "fan-out-starts-from-one",
    "the sum begins with 1",
    "A sum begins with 0, a product with 1. The result's own adjoint is 1, and that is already in the pairs; a value "
    "that nobody uses has heard nothing, and its adjoint is 0.",
    "04_fan_out",
    "Contributions add",
)
SWEEP_LEAVES_BY_PLACE = Misconception(
    "sweep-leaves-by-place",
    "leaves are told by their place in the list",
    "In x, y, a, f the leaves are the first two nodes. In another list they are others: a leaf can be made late, and "
    "there can be one or five. A leaf is a node without operands; ask each node for that.",
    "04_fan_out",
    "Between two sweeps",
)
STEP_FROM_ZERO = Misconception(
    "step-from-zero",
    "the step forgets where the parameter was",
    "A step moves the parameter from where it is: the old number, minus rate times gradient. Yours puts minus rate "
    "times gradient in its place, perhaps because `=-` was typed for `-=`.",
    "04_fan_out",
    "Between two sweeps",
)
STEP_ONE_GRADIENT_FOR_BOTH = Misconception(
    "step-one-gradient-for-both",
    "both parameters move by the same gradient",
    "Each parameter has a gradient of its own: w moves by rate · w.grad, b by rate · b.grad. In a copied line one of "
    "the names has stayed what it was.",
    "04_fan_out",
    "Between two sweeps",
)
BATCH_DIVIDED_TWICE = Misconception(
    "batch-divided-twice",
    "the errors are divided twice",
    "`mean_loss` has divided by the size of the batch already. Divided by the number of all points as well, it is too "
    "small: a batch's share of the whole mean is its mean times its size, over the number of all points.",
    "04_fan_out",
    "A large batch in small pieces",
)
BATCH_SWEPT_BY_POINT = Misconception(
    "batch-swept-by-point",
    "every point is swept, not every batch",
    "The gradient is right, and you sweep once for every point. One sweep for every batch was asked for: real programs "
    "compute the points of a batch side by side. Put the loss of a batch together, then sweep it.",
    "04_fan_out",
    "A large batch in small pieces",
)

# --- small graphs, and sweeps over them -------------------------------------------------------------------------------
# A question is a few lines of Python. They run beside the student's `Value` and sweep; to know what is right, and what
# a wrong idea leads to, the same lines run here, beside `Recorded` and a sweep that carries the idea out.

GRAPHS = {
    "a leaf alone": "f = x",
    "a chain": "a = x * 1.5\nf = a - 4.0",
    "a value used near and far": "f = (x + y) * y",
    "one operand": "f = (x - y).tanh()",
    "twice in one operation": "f = x * x - y",
    "an operation twice in one operation": "a = x - y\nf = a * a",
    "twice, with different local derivatives": "a = x / 1.25\nf = a * y + a / a",
    "one user uses the other": "a = x * x\nb = a + x\nf = a * b",
    "one user uses the other, from the right": "a = x * x\nb = a + x\nf = b * a",
    "three users": "a = x * y\nb = a + x\nc = b * 1.5\nd = c + a\nf = d * a",
    "three users, from the right": "a = x * y\nb = a + x\nc = b * 1.5\nd = a + c\nf = a * d",
    "twice near, once far": "a = x * y\nm = a * a\nb = a + x\nn = b * 1.5\nf = m * n",
    "twice near, once far, from the right": "a = x * y\nm = a * a\nb = a + x\nn = b * 1.5\nf = n * m",
    "an operation below a value used near and far": (
        "p = x * y\na = p * 1.5\nb = a + x\nc = b * 1.75\nd = c + a\nf = d * a"
    ),
    "an adjoint of 0": "c = x * y\na = c + 1.0\nd = a + 4.5\ne = c * c + a\nf = e - d",
    "equal numbers in different nodes": "f = (x + 2.25) * (y * 1.75)",
}
"""The kinds of graphs that a sweep meets, each as the lines that make it out of x and y, which are leaves already."""

POINTS = (2.0, 3.0), (-1.5, 0.5)
"""Where the graphs are asked about. At these points no two nodes of a graph hold the same number."""
EQUAL = 3.0, 3.0
"""Where x and y hold the same number."""

LEAVES_AFTER_BACKWARD = "x, y = Value(x), Value(y)\n%s\nbackward(f)\nreturn x.grad, y.grad"
ALL_AFTER_BACKWARD = "x, y = Value(x), Value(y)\n%s\nbackward(f)\nreturn {%s}"
ALL_AFTER_ANOTHER = """
x, y = Value(x), Value(y)
%s
nodes = [x, y, f]
for node in nodes:
    nodes.extend(node.operands)
backward(f)
for node in nodes:
    node.grad = 0.0
backward(f)
return {%s}
"""
AFTER_TWO_GRAPHS = "x, y = Value(x), Value(y)\nx.grad = 100.0\n%s\nbackward(f)\n%s\nbackward(f)\nreturn x.grad, y.grad"


class Recorded:
    """What the unit's ``Value`` records, without the explanations."""

    def __init__(self, data: Any, operands: tuple[Any, ...] = (), partials: tuple[float, ...] = ()) -> None:
        self.data, self.operands, self.partials, self.grad = data, operands, partials, 0.0

    def __add__(self, other: Any) -> Recorded:
        other = _recorded(other)
        return Recorded(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other: Any) -> Recorded:
        other = _recorded(other)
        return Recorded(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other: Any) -> Recorded:
        other = _recorded(other)
        return Recorded(self.data * other.data, (self, other), (other.data, self.data))

    def __truediv__(self, other: Any) -> Recorded:
        other = _recorded(other)
        return Recorded(self.data / other.data, (self, other), (1.0 / other.data, -self.data / other.data**2))

    def tanh(self) -> Recorded:
        y = math.tanh(self.data)
        return Recorded(y, (self,), (1.0 - y * y,))


def _recorded(value: Any) -> Recorded:
    return value if isinstance(value, Recorded) else Recorded(value)


def carried_out(source: str, inputs: Mapping[str, Any], **names: Any) -> Any:
    """What the lines of a question return when ``names`` stand where the student's names would."""
    exec(f"def question({', '.join(inputs)}):\n{textwrap.indent(source, '    ')}", names)
    return names["question"](**inputs)


Use = tuple[Recorded, Recorded, float]
Order = Callable[[Recorded], Iterable[Use]]
Sweep = Callable[[Any], None]


def _uses(node: Recorded, turned: bool = False) -> list[Use]:
    """The node, its operand and the local derivative, for each use that it makes."""
    found = [(node, operand, partial) for operand, partial in zip(node.operands, node.partials, strict=False)]
    return found[::-1] if turned else found


def _walked(root: Recorded, *, place: int, turned: bool, seen: str) -> Iterator[Use]:
    """The uses on a walk that starts at the root. ``place``: -1 for a stack, 0 for a queue.

    ``seen``: a node counts as seen when it is "found" or "taken"; or it is visited at "every" arrival, or where it is
    not "waiting" already; or the walk leaves out "uses" of what it has found before.
    """
    waiting, known = [root], {root}
    while waiting:
        node = waiting.pop(place)
        if seen == "taken":
            if node is not root and node in known:
                continue
            known.add(node)
        for use in _uses(node, turned):
            is_new = use[1] not in known
            if is_new or seen != "uses":
                yield use
            if is_new or seen in ("every", "taken") or (seen == "waiting" and use[1] not in waiting):
                waiting.append(use[1])
            if seen != "taken":
                known.add(use[1])


def _by_levels(root: Recorded) -> Iterator[Use]:
    """The root, then its operands, then theirs, each once in a level."""
    level = [root]
    while level:
        below: dict[Recorded, None] = {}
        for use in itertools.chain.from_iterable(map(_uses, level)):
            yield use
            below[use[1]] = None
        level = [*below]


def _met(root: Recorded, *, turned: bool, seen: str) -> Iterator[Use]:
    """The uses in the order of a function that calls itself for an operand as soon as it has added to it."""
    known = {root}

    def walk(node: Recorded) -> Iterator[Use]:
        for use in _uses(node, turned):
            is_new = use[1] not in known
            known.add(use[1])
            if is_new or seen != "uses":
                yield use
            if is_new or seen == "every":
                yield from walk(use[1])

    yield from walk(root)


def _finished(root: Recorded, *, turned: bool = False, once: bool = True) -> list[Recorded]:
    """The nodes, operands first; each at every arrival, unless ``once``."""
    order: list[Recorded] = []

    def walk(node: Recorded) -> None:
        if once and node in order:
            return
        for use in _uses(node, turned):
            walk(use[1])
        order.append(node)

    walk(root)
    return order


def _marked_early(root: Recorded, turned: bool = False) -> list[Recorded]:
    """Operands first with a stack, but for nodes that count as seen when they are put there."""
    order, known, stack = [], {root}, [(root, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
            continue
        stack.append((node, True))
        for use in _uses(node, turned):
            if use[1] not in known:
                known.add(use[1])
                stack.append((use[1], False))
    return order


def _counted(root: Recorded, *, turned: bool = False, most: float = math.inf, users: bool = False) -> Iterator[Use]:
    """The uses in a right order, by counting; wrong where only ``most`` uses count, or ``users`` in place of uses."""
    nodes = _finished(root)
    waits: dict[Recorded, float] = dict.fromkeys(nodes, 0)
    for node in nodes:
        for operand in {*node.operands} if users else node.operands:
            waits[operand] = min(waits[operand] + 1, most)
    ready = [root]
    while ready:
        for use in _uses(ready.pop(), turned):
            yield use
            waits[use[1]] -= 1
            if waits[use[1]] == 0:
                ready.append(use[1])


def _all_uses(nodes: Iterable[Recorded], turned: bool = False) -> Iterator[Use]:
    for node in nodes:
        yield from _uses(node, turned)


def _passing(use: Callable[[Recorded, Recorded, float], float]) -> Callable[[Use], None]:
    """What is done for each use: what ``use`` computes from it becomes the operand's adjoint."""

    def do(each: Use) -> None:
        each[1].grad = use(*each)

    return do


_add = _passing(lambda node, operand, partial: operand.grad + node.grad * partial)
_assign = _passing(lambda node, operand, partial: node.grad * partial)


def sweep(
    order: Order, do: Callable[[Use], None] = _add, seed: Callable[[Recorded], float] = lambda root: 1.0
) -> Sweep:
    """A function like ``backward``."""

    def backward(root: Recorded) -> None:
        root.grad = seed(root)
        for each in order(root):
            do(each)

    return backward


right_sweep = sweep(_counted)


def _of_nodes(nodes: Callable[[Recorded], Iterable[Recorded]], turned: bool = False) -> Order:
    """All uses, node by node."""
    return lambda root: itertools.chain.from_iterable(_uses(node, turned) for node in nodes(root))


def _each(choose: Callable[[Recorded], list[Use]]) -> Order:
    """In a right order, of each node the uses that ``choose`` gives."""
    return lambda root: itertools.chain.from_iterable(map(choose, reversed(_finished(root))))


def _backwards(order: Order) -> Order:
    """The nodes in the reverse of the order in which they are come to."""
    return _of_nodes(lambda root: reversed(dict.fromkeys(use[0] for use in order(root))))


def _new_only(order: Order) -> Order:
    """Leaves out the uses of what was used before."""
    return lambda root: {id(use[1]): use for use in reversed([*order(root)])}.values().__reversed__()


def _by_distance(root: Recorded) -> Iterator[Use]:
    """By the longest way to the root; but a way that grows later is not handed on to the nodes below."""
    far, waiting = {root: 0}, [root]
    while waiting:
        node = waiting.pop(0)
        for operand in node.operands:
            if operand not in far:
                waiting.append(operand)
            far[operand] = max(far.get(operand, 0), far[node] + 1)
    return itertools.chain.from_iterable(map(_uses, sorted(far, key=far.__getitem__)))


def _first_contribution(place: int) -> Sweep:
    """Passes on the first contribution that arrives at a node."""

    def backward(root: Recorded) -> None:
        waiting, known = [(root, 1.0)], set[Recorded]()
        while waiting:
            node, came = waiting.pop(place)
            node.grad += came
            if node not in known:
                known.add(node)
                waiting += [(operand, came * partial) for _, operand, partial in _uses(node)]

    return backward


def _skipping_zeros(root: Recorded) -> Iterator[Use]:
    """By counting, where a node whose adjoint is 0 does not report."""
    waits = Counter(operand for node in _finished(root) for operand in node.operands)
    ready = [root]
    while ready:
        node = ready.pop()
        for use in _uses(node) if node.grad else ():
            yield use
            waits[use[1]] -= 1
            if waits[use[1]] == 0:
                ready.append(use[1])


_BOTH = (False, True)


def _as_met(seen: str) -> list[Order]:
    """The ways to walk from the root: stack or queue, one operand or the other first, or by a function that calls
    itself."""
    return [
        *(functools.partial(_walked, place=place, turned=turned, seen=seen) for place in (-1, 0) for turned in _BOTH),
        *(functools.partial(_met, turned=turned, seen=seen) for turned in _BOTH),
    ]


_ORDERS = [
    *(functools.partial(_counted, turned=turned) for turned in _BOTH),
    *(
        _of_nodes(lambda root, first=first: _finished(root, turned=first)[::-1], turned)
        for first in _BOTH
        for turned in _BOTH
    ),
]
_WALKS = [*_as_met("found"), *_as_met("taken")[:4]]

SWEEPS: dict[Misconception, list[Sweep]] = {
    SWEEP_PASSES_ON_TOO_EARLY: [
        *map(sweep, [*_WALKS, functools.partial(_counted, users=True), _by_distance]),
        *map(_first_contribution, (-1, 0)),
        sweep(_of_nodes(lambda root: reversed(_marked_early(root)))),
        sweep(_of_nodes(lambda root: reversed(_marked_early(root, turned=True)))),
    ],
    SWEEP_PASSES_SUM_AGAIN: [
        *map(sweep, [_by_levels, *_as_met("every"), *_as_met("waiting")[:4]]),
        sweep(_of_nodes(lambda root: reversed(_finished(root, once=False)))),
        sweep(_of_nodes(lambda root: reversed(_finished(root, turned=True, once=False)))),
    ],
    SWEEP_OPERANDS_FIRST: [
        *(sweep(_backwards(order)) for order in _WALKS),
    ],
    SWEEP_SEEN_SKIPS_USES: [*map(sweep, _as_met("uses")[:-1]), *(sweep(_new_only(order)) for order in _ORDERS)],
    FAN_OUT_OVERWRITTEN: [sweep(order, _assign) for order in (*_ORDERS, *_WALKS, *_as_met("every")[:-1])],
    FAN_OUT_SAME_USE_ONCE: [
        sweep(_each(lambda node: [*{use[1]: use for use in _uses(node)}.values()])),
        sweep(_each(lambda node: [*{use[1]: use for use in _uses(node, True)}.values()])),
        sweep(_each(lambda node: [*{*_uses(node)}])),
    ],
    FAN_OUT_FIRST_PLACE_FOR_BOTH: [
        sweep(_each(lambda node: [(node, each, node.partials[node.operands.index(each)]) for each in node.operands]))
    ],
    FAN_OUT_SAME_USE_AGAIN: [
        sweep(_each(lambda node: [use for each in node.operands for use in _uses(node) if use[1] is each]))
    ],
    FAN_OUT_STOPS_AT_TWO: [sweep(functools.partial(_counted, most=2, turned=turned)) for turned in _BOTH],
    FAN_OUT_ZERO_TAKEN_FOR_NONE: [sweep(_skipping_zeros)],
    FAN_OUT_PATHS_MULTIPLIED: [
        sweep(order, _passing(lambda node, operand, partial: node.grad * partial * (operand.grad or 1.0)))
        for order in _ORDERS
    ],
    FAN_OUT_AVERAGED: [
        sweep(order, _passing(lambda node, operand, partial: (operand.grad + node.grad * partial) / 2))
        for order in _ORDERS
    ],
    ONE_OPERAND_ONLY: [
        sweep(_each(lambda node: _uses(node)[:1])),
        sweep(_each(lambda node: _uses(node)[-1:])),
    ],
    PARTIALS_SWAPPED: [
        sweep(_each(lambda node: [(node, *pair) for pair in zip(node.operands, node.partials[::-1], strict=True)]))
    ],
    UPSTREAM_FORGOTTEN: [sweep(_counted, _passing(lambda node, operand, partial: operand.grad + partial))],
    LOCAL_DERIVATIVE_FORGOTTEN: [sweep(_counted, _passing(lambda node, operand, partial: operand.grad + node.grad))],
    VALUE_FOR_ADJOINT: [
        sweep(_counted, _passing(lambda node, operand, partial: operand.grad + node.data * partial)),
        sweep(_counted, _passing(lambda node, operand, partial: operand.grad + operand.data * partial)),
    ],
    SEED_NOT_ONE: [sweep(order, seed=lambda root: root.data) for order in (_counted, *_WALKS)],
}
"""The wrong ideas about a sweep, each carried out in the ways in which people write it."""


def _dict(lines: str) -> str:
    """The lines' names with their adjoints, as the inside of a dict."""
    made = [line.split(" = ")[0] for line in lines.splitlines()]
    return ", ".join(f'"{name}": {name}.grad' for name in ("x", "y", *made))


def _where(lines: str) -> str:
    return f"where {', '.join(lines.splitlines())}"


def _leaves(lines: str) -> str:
    return LEAVES_AFTER_BACKWARD % lines


def leaves_after_backward(lines: str, x: float, y: float) -> Answer:
    """Ask for the gradients of x and y after the student's ``backward`` over the f of these lines."""
    said = f"(x.grad, y.grad) after backward(f), {_where(lines)}"
    return student.run(_leaves(lines), x=x, y=y, label=said)


def right_leaves(lines: str, x: float, y: float) -> Any:
    return carried_out(_leaves(lines), {"x": x, "y": y}, Value=Recorded, backward=right_sweep)


def all_after_backward(lines: str, x: float, y: float) -> Answer:
    """Ask for the adjoint of every node, operations too."""
    said = f"every .grad after backward(f), {_where(lines)}"
    return student.run(ALL_AFTER_BACKWARD % (lines, _dict(lines)), x=x, y=y, label=said)


def all_after_another(lines: str, x: float, y: float) -> Answer:
    """Ask for the same after a sweep, after which all of them are set back to 0, and a second sweep."""
    said = f"every .grad after backward(f), then 0 for each of them, then backward(f) again, {_where(lines)}"
    return student.run(ALL_AFTER_ANOTHER % (lines, _dict(lines)), x=x, y=y, label=said)


def adjoints_by(idea: Sweep, lines: str, x: float, y: float) -> dict[str, float]:
    """The adjoint of every node, by its name, after a sweep."""
    source = ALL_AFTER_BACKWARD % (lines, _dict(lines))
    found: dict[str, float] = carried_out(source, {"x": x, "y": y}, Value=Recorded, backward=idea)
    return found


right_adjoints = functools.partial(adjoints_by, right_sweep)


def leaves_after_two(first: str, second: str, x: float, y: float) -> Answer:
    """Ask for the gradients of x, which begins with 100, and y after sweeps over two graphs that share them."""
    said = f"(x.grad, y.grad) after x.grad = 100, backward(f), {_where(first)}, and backward(f), {_where(second)}"
    return student.run(AFTER_TWO_GRAPHS % (first, second), x=x, y=y, label=said)


def right_after_two(first: str, second: str, x: float, y: float) -> tuple[float, float]:
    one, two = right_leaves(first, x, y), right_leaves(second, x, y)
    return 100 + one[0] + two[0], one[1] + two[1]


def picture(lines: str, x: float, y: float) -> Any:
    """The graph of these lines with its right adjoints."""
    from autodiff_lab import draw
    from autodiff_lab.engine.backward import topological_order

    names: dict[str, Any] = {"x": ad.Scalar(x), "y": ad.Scalar(y)}
    exec(lines, names)
    drawn = {*topological_order(names["f"])}
    return draw(names["f"], **{name: node for name, node in names.items() if name != "__builtins__" and node in drawn})


def _leads_to(idea: Sweep) -> Callable[..., Any]:
    return lambda lines, x, y: carried_out(_leaves(lines), {"x": x, "y": y}, Value=Recorded, backward=idea)


def _seed_is_missing(lines: str, x: float, y: float) -> Any:
    """Nothing arrives, in any graph; and all would be right if the root had its 1."""
    helped = _leaves(lines).replace("backward(f)", "f.grad = 1.0\nbackward(f)")
    if lines == "f = x" or same(right_leaves(lines, x, y), student.run(helped, x=x, y=y).data):
        return 0.0, 0.0
    return lambda got: False


def _another_seed(lines: str, x: float, y: float) -> Any:
    """All are as many times as large as the adjoint of a root that is a leaf."""
    found = student.run(_leaves("f = x"), x=2.0, y=3.0).data
    if same([0, 0], found) or not isinstance(found, list | tuple):
        return lambda got: False
    return [found[0] * right for right in right_leaves(lines, x, y)]


def _root_only(passes: bool) -> Callable[..., Any]:
    """Nothing comes from below the root's operands; and these pass on (or not) what they held before the sweep."""

    def rule(lines: str, x: float, y: float) -> Callable[[Any], bool]:
        held = student.run(_leaves("a = x + y\na.grad = 10.0\nf = a * y"), x=2.0, y=3.0)
        wrong = _leads_to(sweep(_uses))(lines, x, y)
        return lambda got: same([10, 15] if passes else [0, 5], held.data) and (lines == "f = x" or same(wrong, got))

    return rule


_FIRST_OPERAND = r"operands\[[01]\]|partials\[[01]\]|, *\w+ *=.*(operands|partials)\b"
LEAVES_OF_GRAPHS: Rules = {
    FAN_OUT_DIRECT_PATH_ONLY: _root_only(passes=False),
    **{known: tuple(map(_leads_to, ideas)) for known, ideas in SWEEPS.items()},
    SWEEP_OPERANDS_FIRST: (_root_only(passes=True), *map(_leads_to, SWEEPS[SWEEP_OPERANDS_FIRST])),
    SEED_MISSING: _seed_is_missing,
    SEED_NOT_ONE: (*map(_leads_to, SWEEPS[SEED_NOT_ONE]), _another_seed),
    SWEEP_EQUAL_VALUES_MERGED: lambda lines, x, y: lambda got: (x, y) == EQUAL,
    SWEEP_EXPECTS_TWO_OPERANDS: (
        Raised(ValueError, "to unpack", _FIRST_OPERAND),
        Raised(IndexError, "tuple index", _FIRST_OPERAND),
    ),
}
"""For the gradients of x and y after ``backward``, over all GRAPHS at POINTS and the last at EQUAL."""

ALL_OF_GRAPHS: Rules = {
    ADJOINTS_IN_BETWEEN_MISSING: lambda lines, x, y: (
        lambda got: all(
            near(found, right) or (found == 0 and name not in "xy")
            for (name, right), found in zip(right_adjoints(lines, x, y).items(), got.values(), strict=True)
        )
    ),
}
"""For the adjoints of all nodes."""


def _stopped(lines: str, x: float, y: float) -> Callable[[Any], bool]:
    """The sweep came to an end somewhere: each adjoint is right, or 0, or what the root alone sends."""
    known = [*zip(right_adjoints(lines, x, y).values(), adjoints_by(sweep(_uses), lines, x, y).values(), strict=True)]
    return lambda got: all(
        found == 0 or any(near(found, one) for one in either) for either, found in zip(known, got.values(), strict=True)
    )


ALL_AGAIN: Rules = {SWEEP_WORKS_ONCE: _stopped}
"""For the adjoints of all nodes after a second sweep, where the first one left the right ones."""

TWO_GRAPHS: Rules = {
    SWEEP_ZEROES_LEAVES: lambda first, second, x, y: right_leaves(second, x, y),
    CACHE_OUTLIVES_THE_CALL: lambda first, second, x, y: [
        a + b for a, b in zip(right_after_two(first, second, x, y), right_leaves(first, x, y), strict=True)
    ],
}
"""For the gradients of x and y after sweeps over two graphs."""


def random_lines(draw: Random, size: int, reuse: int) -> str:
    """A random formula in which the first values are used at least ``reuse`` times each."""
    names, lines = ["x", "y"], []
    for number in range(size):
        left = names[number // reuse] if number < 4 * reuse else draw.choice(names)
        sign, right = draw.choice("+-*"), draw.choice(names[-4:])
        lines.append(f"n{number} = {left} {sign} {right} * 0.5")
        names.append(f"n{number}")
    return "\n".join([*lines, "f = " + " + ".join(names[-3:])])


# --- large graphs -----------------------------------------------------------------------------------------------------

LEAVES_OF_A_LARGE_GRAPH = """
class Watched(Value):
    @property
    def operands(self):
        return self.links
    @operands.setter
    def operands(self, links):
        self.links = links
    def __eq__(self, other):  # on purpose: each question is a call, and is counted
        return self is other
    __hash__ = Value.__hash__

nodes = []
for links, weights in zip(operands, partials):
    nodes.append(Watched(2.0 + len(nodes) % 7, tuple(nodes[place] for place in links), tuple(weights)))
backward(nodes[-1])
return [node.grad for node, links in zip(nodes, operands) if not links]
"""
"""Nodes that notice each look at them: work is counted, not timed. The root is the last node."""


@dataclass(frozen=True)
class Large:
    """A graph as data: for each node the places of its operands, which come before it, and its local derivatives."""

    said: str
    operands: list[list[int]]
    partials: list[list[float]]


def line(length: int, uses: int, partial: float, lowest: float) -> Large:
    """A line of operations that each use the one before. The partials of the first one are ``lowest``."""
    said = f"{length:,} nodes that each use the one before" + {1: "", 2: " twice"}.get(uses, f" {uses} times")
    return Large(
        said,
        [[], *([place] * uses for place in range(length))],
        [[], [lowest] * uses, *([[partial] * uses] * (length - 1))],
    )


def deep(draw: Random, length: int) -> Large:
    """A line of operations that each use the one before, one of the last five, and a leaf of their own."""
    operands, partials, last = [[]], [[]], [0]
    for leaf in range(1, 2 * length, 2):
        share = draw.uniform(0.2, 0.8)
        operands += [[], [*draw.sample([last[-1], draw.choice(last[-5:])], 2), leaf]]
        partials += [[], [share, 1 - share, draw.uniform(-2, 2)]]
        last.append(leaf + 1)
    return Large(f"{length:,} operations with shared operands", operands, partials)


def leaves_of(graph: Large) -> Answer:
    """Ask for the gradients of the leaves after ``backward``, under a budget of calls that grows with the graph."""
    answer = student.run(
        LEAVES_OF_A_LARGE_GRAPH,
        operands=graph.operands,
        partials=graph.partials,
        max_calls=max(500_000, 100 * sum(map(len, graph.operands))),
    )
    return replace(answer, call=f"the .grad of all leaves after backward over {graph.said}")  # without the graph itself


def right_leaves_of(graph: Large) -> list[float]:
    adjoints = [0.0] * (len(graph.operands) - 1) + [1.0]
    for place in reversed(range(len(adjoints))):
        for operand, partial in zip(graph.operands[place], graph.partials[place], strict=True):
            adjoints[operand] += adjoints[place] * partial
    return [adjoint for adjoint, links in zip(adjoints, graph.operands, strict=True) if not links]


# --- a sweep that runs again ------------------------------------------------------------------------------------------

_F = "a = x + y\nf = a * y\n"
MENDED = {
    "once": f"{_F}mended_sweep([x, y, a, f])",
    "three times": f"{_F}for _ in range(3):\n    mended_sweep([x, y, a, f])",
    "leaves that hold something": f"{_F}x.grad, y.grad = 100.0, 200.0\nmended_sweep([x, y, a, f])",
    "operations that hold something": f"{_F}a.grad, f.grad = 7.0, 1.0\nmended_sweep([x, y, a, f])",
    "both": (
        f"{_F}x.grad, y.grad, a.grad, f.grad = 100.0, 200.0, -7.0, 20.0\n"
        "for _ in range(2):\n    mended_sweep([x, y, a, f])"
    ),
    "an operation used twice": (
        "a = x * x\nb = a * y\nc = b + x\nf = c * b\nfor _ in range(2):\n    mended_sweep([x, y, a, b, c, f])"
    ),
    "more operations that hold something": (
        "a = x * x\nb = a * y\nc = b + x\nf = c * b\na.grad, b.grad, c.grad, f.grad = 3.0, -2.0, 5.0, 1.0\n"
        "mended_sweep([x, y, a, b, c, f])"
    ),
    "the same operand twice": "a = x * y\nf = a * a\nfor _ in range(2):\n    mended_sweep([x, y, a, f])",
    "a leaf made late": "a = x * x\nf = a * y\nfor _ in range(2):\n    mended_sweep([x, a, y, f])",
    "three leaves": (
        "z = Value(1.5)\na = x * z\nf = a + y\nfor _ in range(2):\n    mended_sweep([x, z, y, a, f])\nx = z"
    ),
    "two results": "a = x * y\nf = a * x\ng = a + y\nmended_sweep([x, y, a, f])\nmended_sweep([x, y, a, g])",
}
"""What ``mended_sweep`` meets, each as lines that begin with the leaves x and y."""


def _mended(lines: str) -> str:
    return f"x, y = Value(x), Value(y)\n{lines}\nreturn x.grad, y.grad"


def leaves_after_sweeps(lines: str, x: float, y: float) -> Answer:
    """Ask for the gradients of x and y after the student's ``mended_sweep`` in these lines."""
    said = "(x.grad, y.grad) after " + "; ".join(lines.replace(":\n    ", ": ").splitlines())
    return student.run(_mended(lines), x=x, y=y, label=said)


Nodes = Callable[[list[Recorded]], Iterable[Recorded]]


def mending(
    clears: Nodes = lambda nodes: [node for node in nodes if node.operands],
    *,
    do: Callable[[Use], None] = _add,
    seed: str = "after",
    order: Nodes = reversed,
    afterwards: Nodes = lambda nodes: [],
) -> Sweep:
    """A function like ``mended_sweep``. ``seed``: the root's 1 comes "before" or "after" the clearing, or "added"."""

    def sweep(nodes: list[Recorded]) -> None:
        if seed == "before":
            nodes[-1].grad = 1.0
        for node in clears(nodes):
            node.grad = 0.0
        if seed != "before":
            nodes[-1].grad = 1.0 + (nodes[-1].grad if seed == "added" else 0.0)
        for node in order(nodes):
            for use in _uses(node):
                do(use)
        for node in afterwards(nodes):
            node.grad = 0.0

    return sweep


right_mending = mending()


def _operations(nodes: list[Recorded]) -> list[Recorded]:
    return [node for node in nodes if node.operands]


def _nothing(nodes: list[Recorded]) -> list[Recorded]:
    return []


_SOME_CLEARED: list[Nodes] = [
    _nothing,
    lambda nodes: nodes[-1:],
    lambda nodes: nodes[-2:-1],
    lambda nodes: _operations(nodes)[:1],
    lambda nodes: [node for node in nodes[-1].operands if node.operands],
    lambda nodes: [node for node in _operations(nodes)[:-1] if sum(node in user.operands for user in nodes) > 1],
]
"""Too few operations: none, the last node, the one before it, the first one, the root's operands, the shared ones."""


def _once(sweep: Sweep) -> Sweep:
    """Sweeps if no sweep was here before."""
    return lambda nodes: nodes[-1].grad or sweep(nodes)


def _remembering(sweep: Sweep) -> Sweep:
    """Leaves a mark on the last node."""

    def sweep_and_mark(nodes: list[Recorded]) -> None:
        if not hasattr(nodes[-1], "mark"):
            nodes[-1].mark = True
            sweep(nodes)

    return sweep_and_mark


def _cutting(sweep: Sweep) -> Sweep:
    """Cuts the links of what it has passed."""

    def sweep_and_cut(nodes: list[Recorded]) -> None:
        sweep(nodes)
        for node in nodes:
            node.operands = ()

    return sweep_and_cut


def _assign_to_operations(use: Use) -> None:
    (_assign if use[1].operands else _add)(use)


MENDINGS: dict[Misconception, list[Sweep]] = {
    FAN_OUT_OVERWRITTEN: [
        *(mending(clears, do=do) for clears in (_nothing, _operations) for do in (_assign, _assign_to_operations)),
        mending(_nothing, do=_assign_to_operations, seed="added"),
    ],
    SWEEP_ZEROES_LEAVES: [
        *(mending(lambda nodes: nodes, seed=seed) for seed in ("after", "before")),
        mending(lambda nodes: [node for node in nodes if not node.operands]),
        *(mending(clears, afterwards=lambda nodes: nodes) for clears in (_nothing, _operations)),
    ],
    SWEEP_LEAVES_BY_PLACE: [
        *(mending(lambda nodes, n=n: nodes[n:]) for n in (1, 2, 3)),
        *(mending(lambda nodes, n=n: nodes[n:-1]) for n in (1, 2, 3)),
    ],
    SWEEP_STALE_INTERMEDIATES: [
        *(
            mending(clears, seed=seed, afterwards=afterwards)
            for clears in _SOME_CLEARED
            for seed in ("after", "added")
            for afterwards in (_nothing, _operations)
        ),
        mending(lambda nodes: _operations(nodes)[:-1], seed="added"),
        mending(_nothing, afterwards=lambda nodes: _operations(nodes)[:-1]),
    ],
    SWEEP_WORKS_ONCE: [
        how(swept) for how in (_once, _remembering, _cutting) for swept in (right_mending, mending(_nothing))
    ],
    SWEEP_OPERANDS_FIRST: [mending(order=iter), mending(_nothing, order=iter)],
}


def _mending_leads_to(idea: Sweep) -> Callable[..., Any]:
    return lambda lines, x, y: carried_out(_mended(lines), {"x": x, "y": y}, Value=Recorded, mended_sweep=idea)


right_sweeps = _mending_leads_to(right_mending)


def _operations_cleared(lines: str, x: float, y: float) -> Callable[[Any], bool]:
    """Nothing arrives at the leaves; and the operations' own .grad is 0, also when it was 7 before."""
    source = _mended(f"{_F}a.grad, f.grad = 7.0, 7.0\nmended_sweep([x, y, a, f])\nx, y = a, f")
    nothing = _mending_leads_to(mending(seed="before"))(lines, x, y)
    return lambda got: same(nothing, got) and same([0, 0], student.run(source, x=x, y=y).data)


LEAVES_OF_MENDED: Rules = {
    SWEEP_SEED_CLEARED: _operations_cleared,
    **{known: tuple(map(_mending_leads_to, ideas)) for known, ideas in MENDINGS.items()},
}
"""For the gradients of x and y after ``mended_sweep`` in all of MENDED."""

# --- a gradient by hand, and the sum of uses --------------------------------------------------------------------------

PLACES = {
    "both positive": (2.0, 3.0),
    "one negative": (1.5, -4.0),
    "the other negative": (-2.5, 1.25),
    "x is 0": (0.0, 2.5),
    "y is 0": (3.0, 0.0),
    "equal": (-3.5, -3.5),
    "whole numbers": (7, 2),
}
"""Where the gradient of (x + y) · y is asked for."""

GRADIENT: Rules = {
    FAN_OUT_DIRECT_PATH_ONLY: lambda x, y: (y, x + y),
    FAN_OUT_OVERWRITTEN: lambda x, y: (y, y),
    FAN_OUT_PATHS_MULTIPLIED: lambda x, y: (y, (x + y) * y),
    FAN_OUT_AVERAGED: lambda x, y: (y, (x + 2 * y) / 2),
    FAN_OUT_GRADIENT_SWAPPED: lambda x, y: (x + 2 * y, y),
    SEED_NOT_ONE: lambda x, y: (y * (x + y) * y, (x + 2 * y) * (x + y) * y),
    UPSTREAM_FORGOTTEN: lambda x, y: (1.0, x + y + 1.0),
    PRODUCT_OWN_OPERAND: lambda x, y: (x + y, y + x + y),
    SUM_LIKE_A_PRODUCT: (
        lambda x, y: (y * y, x + y + y * x),
        lambda x, y: (y * x, x + y + y * y),
    ),
    EXAMPLE_WRITTEN_IN: lambda x, y: (3.0, 8.0),
}
"""For the gradient of (x + y) · y."""

USES: dict[str, list[tuple[float, float]]] = {
    "two": [(1.0, 5.0), (3.0, 2.0)],
    "two that are alike": [(2.0, 3.0), (2.0, 3.0)],
    "equal contributions of different pairs": [(2.0, 6.0), (4.0, 3.0)],
    "one user, different local derivatives": [(1.5, 4.0), (1.5, -2.0)],
    "three, one of them negative": [(1.0, 4.0), (-2.0, 3.0), (0.5, 8.0)],
    "contributions of 0": [(2.0, 0.0), (0.0, 3.0), (4.0, 1.0)],
    "contributions that cancel": [(2.0, 3.0), (-6.0, 1.0)],
    "fractions": [(0.5, 0.25), (1.75, -0.5), (0.1, 0.3), (-0.7, 2.5), (0.9, 0.9)],
    "one": [(2.5, -2.0)],
    "none": [],
}
"""Lists of uses: for each the adjoint of the user, and the local derivative."""


def adjoint_of(uses: list[tuple[float, float]]) -> float:
    """The adjoint of a value with these uses."""
    return sum(user * local for user, local in uses)


def _only_none(uses: list[tuple[float, float]]) -> float:
    """Right, but for an error where there is no use."""
    if not uses:
        raise Exception
    return adjoint_of(uses)


SUM_OF_USES: Rules = {
    FAN_OUT_FIRST_USE_ONLY: (
        lambda uses: adjoint_of(uses[:1]) if uses else None,
        lambda uses: adjoint_of(uses[:1]),
        lambda uses: adjoint_of([uses[0]]),
    ),
    FAN_OUT_OVERWRITTEN: lambda uses: adjoint_of(uses[-1:]),
    FAN_OUT_SAME_USE_ONCE: (
        lambda uses: adjoint_of([*{*uses}]),
        lambda uses: adjoint_of([*dict(uses).items()]),
        lambda uses: sum({user * local for user, local in uses}),
        lambda uses: sum({local: user * local for user, local in uses}.values()),
    ),
    FAN_OUT_SUMS_MULTIPLIED: lambda uses: sum(user for user, _ in uses) * sum(local for _, local in uses),
    UPSTREAM_FORGOTTEN: lambda uses: sum(local for _, local in uses),
    LOCAL_DERIVATIVE_FORGOTTEN: lambda uses: sum(user for user, _ in uses),
    FAN_OUT_PATHS_MULTIPLIED: (
        lambda uses: math.prod(user * local for user, local in uses),
        lambda uses: math.prod(user * local for user, local in uses) if uses else 0.0,
        lambda uses: math.prod(user * local for user, local in uses if user * local),
    ),
    CHAIN_SLOPES_ADDED: lambda uses: sum(user + local for user, local in uses),
    FAN_OUT_AVERAGED: (
        lambda uses: adjoint_of(uses) / max(1, len(uses)),
        lambda uses: adjoint_of(uses) / len(uses),
    ),
    RESULT_ROUNDED: (
        lambda uses: sum(int(user * local) for user, local in uses),
        lambda uses: sum(round(user * local) for user, local in uses),
        lambda uses: int(adjoint_of(uses)),
        lambda uses: round(adjoint_of(uses)),
    ),
    FAN_OUT_STOPS_AT_TWO: (lambda uses: adjoint_of(uses[:2]), lambda uses: adjoint_of([uses[0], uses[1]])),
    FAN_OUT_STARTS_FROM_ONE: lambda uses: 1.0 + adjoint_of(uses),
    LOOP_ONE_SHORT: lambda uses: adjoint_of(uses[:-1]),
    FAN_OUT_ZERO_TAKEN_FOR_NONE: (
        lambda uses: adjoint_of([*itertools.takewhile(lambda use: use[0] * use[1], uses)]),
        lambda uses: adjoint_of([*itertools.takewhile(lambda use: use[0], uses)]),
        lambda uses: adjoint_of([*itertools.takewhile(lambda use: use[1], uses)]),
    ),
    EMPTY_INPUT_FORGOTTEN: (_only_none, lambda uses: lambda got: uses == []),
}
"""For the adjoint of a value, out of its uses."""

# --- descent ----------------------------------------------------------------------------------------------------------

Point = tuple[float, float]
CLEARED = """
from autodiff_lab import Scalar
parameters = [Scalar(value) for value in values]
total = Scalar(1.0)
for parameter in parameters:
    total = total + parameter * parameter
total.backward()
zero_grad(parameters)
return [p.data for p in parameters], [p.grad or 0.0 for p in parameters]
"""
PARAMETERS = {"three": [2.0, 3.0, 5.0], "one": [-4.0], "none": [], "many": [1.0, -1.0, 2.0, -2.0, 3.0, 0.5, 8.0]}


def after_zero_grad(values: list[float]) -> Answer:
    """Ask for values and gradients of parameters after the student's ``zero_grad``; 0 for a gradient that is None."""
    said = "values and gradients of parameters after zero_grad (0 for a cleared one)"
    return student.run(CLEARED, values=values, label=said)


def cleared(values: list[float]) -> tuple[list[float], list[float]]:
    return values, [0.0] * len(values)


ZERO_GRAD: Rules = {
    ZERO_GRAD_REBINDS_A_NAME: lambda values: (values, [2 * value for value in values]),
    ZERO_GRAD_CLEARS_THE_VALUE: lambda values: lambda got: not any(got[0]) and any(values),
    ZERO_GRAD_FIRST_ONLY: (
        lambda values: (
            lambda got: (
                same(values, got[0]) and all(now in (0, 2 * value) for value, now in zip(values, got[1], strict=True))
            )
        ),
        lambda values: (
            Raised(IndexError) if len(values) < 2 else (values, [0, 0, *(2 * value for value in values[2:])])
        ),
    ),
}
"""For values and gradients after ``zero_grad``, the gradients being twice the values before."""

DESCENTS: dict[str, tuple[Point, list[Point], float, int]] = {
    "one step": ((0.0, 0.0), [(1.0, 3.0)], 0.25, 1),
    "one step from another place": ((2.0, -1.0), [(1.5, 3.0)], 0.25, 1),
    "three steps": ((0.0, 0.0), [(1.0, 3.0), (2.0, 5.0)], 0.125, 3),
    "points that differ": ((1.0, 0.5), [(-1.0, 2.0), (0.5, -1.0), (2.0, 0.25)], 0.125, 4),
    "x is 0": ((0.5, 1.5), [(0.0, 2.0), (2.0, 0.0)], 0.0625, 2),
    "no step": ((1.0, -2.0), [(1.0, 3.0)], 0.25, 0),
}
"""Start (w, b), points, rate and number of steps."""


def slopes(w: float, b: float, points: Iterable[Point]) -> Point:
    """The gradient of the sum of the squared errors."""
    errors = [(w * x + b - t, x) for x, t in points]
    return sum(2 * error * x for error, x in errors), sum(2 * error for error, _ in errors)


Step = Callable[[float, float, Point, float], Point]


def _downhill(w: float, b: float, slope: Point, rate: float) -> Point:
    return w - rate * slope[0], b - rate * slope[1]


def descending(
    step: Step = _downhill, of: Callable[[list[Point]], list[Point]] = lambda points: points, mean: bool = True,
    keeps: Point = (0.0, 0.0), at_start: bool = False,
) -> Callable[..., Point]:  # fmt: skip
    """A function like ``descend``. ``of``: the points that count; ``keeps``: what share of each old gradient stays;
    ``at_start``: the gradient is that of the place where the descent began."""

    def descend(start: Point, points: list[Point], rate: float, steps: int) -> Point:
        (w, b), held = start, (0.0, 0.0)
        for _ in range(steps):
            slope = slopes(*(start if at_start else (w, b)), of(points))
            size = len(of(points)) if mean else 1
            held = (keeps[0] * held[0] + slope[0] / size, keeps[1] * held[1] + slope[1] / size)
            w, b = step(w, b, held, rate)
        return w, b

    return descend


right_descent = descending()


def _one_after_the_other(first: int) -> Callable[..., Point]:
    def descend(start: Point, points: list[Point], rate: float, steps: int) -> Point:
        place = [*start]
        for each in [first, 1 - first] * steps:
            place[each] -= rate * slopes(*place, points)[each] / len(points)
        return place[0], place[1]

    return descend


DESCENT: Rules = {
    STEP_GOES_UPHILL: descending(lambda w, b, slope, rate: (w + rate * slope[0], b + rate * slope[1])),
    STEP_MOVES_NOTHING: lambda start, points, rate, steps: start,
    STEP_WITHOUT_RATE: descending(lambda w, b, slope, rate: (w - slope[0], b - slope[1])),
    STEP_FROM_ZERO: descending(lambda w, b, slope, rate: (-rate * slope[0], -rate * slope[1])),
    STEP_ONE_GRADIENT_FOR_BOTH: (
        descending(lambda w, b, slope, rate: (w - rate * slope[0], b - rate * slope[0])),
        descending(lambda w, b, slope, rate: (w - rate * slope[1], b - rate * slope[1])),
    ),
    FAN_OUT_GRADIENT_SWAPPED: descending(lambda w, b, slope, rate: (w - rate * slope[1], b - rate * slope[0])),
    STEP_ONE_AFTER_THE_OTHER: (_one_after_the_other(0), _one_after_the_other(1)),
    ZERO_GRAD_FORGOTTEN: descending(keeps=(1.0, 1.0)),
    ZERO_GRAD_FIRST_ONLY: (descending(keeps=(0.0, 1.0)), descending(keeps=(1.0, 0.0))),
    BATCH_MEAN_FORGOTTEN: descending(mean=False),
    ONE_POINT_FOR_ALL: (descending(of=lambda points: points[:1]), descending(of=lambda points: points[-1:])),
    LOSS_GRAPH_BUILT_ONCE: (
        descending(at_start=True),
        descending(at_start=True, keeps=(1.0, 1.0)),
        lambda *given: Raised(RuntimeError, "has been freed") if given[3] > 1 else right_descent(*given),
    ),
    PARAMETER_REPLACED: (
        Raised(AttributeError, r"'(float|int)' object has no attribute '(data|grad)'", r": (?!.*grad\.data)"),
        Raised(RuntimeError, "in place on the leaf"),
        Raised(TypeError, "NoneType", r": (\w+) (= \1 -|-=) .*\b\1\.grad"),
    ),
    ZERO_GRAD_BEFORE_THE_STEP: Raised(TypeError, "NoneType", r"\.data\b.*\.grad"),
}
"""For w and b after ``descend``."""

# --- batches ----------------------------------------------------------------------------------------------------------

Batches = list[list[Point]]
BATCHES: dict[str, Batches] = {
    "one batch": [[(1.0, 3.0), (2.0, 5.0)]],
    "two of equal size": [[(1.0, 3.0), (2.0, 5.0)], [(4.0, 9.0), (-1.0, 2.0)]],
    "a small one at the end": [[(1.0, 3.0), (2.0, 5.0)], [(4.0, 9.0)]],
    "a small one at the beginning": [[(1.0, 3.0)], [(2.0, 5.0), (4.0, 9.0)], [(-1.0, 2.0), (3.0, 0.5)]],
    "points that are alike": [[(1.0, 3.0), (1.0, 3.0)], [(2.0, 5.0)], [(1.0, 3.0)]],
    "single points": [[(1.0, 3.0)], [(-2.0, 0.5)], [(0.0, 4.0)]],
}


def _share(batch: list[Point], w: float, b: float, weight: float) -> Point:
    slope = slopes(w, b, batch)
    return weight * slope[0], weight * slope[1]


def in_batches(
    weight: Callable[[list[Point], Batches], float] = lambda batch, batches: 1 / sum(map(len, batches)),
    of: Callable[[Batches], Batches] = lambda batches: batches,
) -> Callable[[float, float, Batches], Point]:
    """A function like ``gradient_in_batches``: the batches that count, and the weight of a point of a batch."""

    def gradient(w: float, b: float, batches: Batches) -> Point:
        shares = [_share(batch, w, b, weight(batch, batches)) for batch in of(batches)]
        return sum(share[0] for share in shares), sum(share[1] for share in shares)

    return gradient


right_in_batches = in_batches()


def _own_mean(batch: list[Point], batches: Batches) -> float:
    return 1 / len(batch)


def _full(batches: Batches) -> Batches:
    return [batch for batch in batches if len(batch) == len(batches[0])]


GRADIENT_IN_BATCHES: Rules = {
    BATCH_MEAN_FORGOTTEN: in_batches(lambda batch, batches: 1.0),
    BATCH_MEANS_ADDED: in_batches(_own_mean),
    BATCH_DIVIDED_TWICE: in_batches(lambda batch, batches: 1 / len(batch) / sum(map(len, batches))),
    BATCHES_TAKEN_FOR_EQUAL: (
        in_batches(lambda batch, batches: 1 / len(batch) / len(batches)),
        in_batches(lambda batch, batches: 1 / len(batches[0]) / len(batches)),
        in_batches(lambda batch, batches: 1 / len(batches[-1]) / len(batches)),
        in_batches(lambda batch, batches: 1 / (len(batches[0]) * (len(batches) - 1) + len(batches[-1]))),
        in_batches(lambda batch, batches: 1 / sum(map(len, _full(batches))), _full),
        in_batches(of=lambda batches: _full(batches)),
    ),
    BATCH_GRADIENTS_LOST: tuple(
        in_batches(weight, of)
        for of in (lambda batches: batches[:1], lambda batches: batches[-1:])
        for weight in (
            lambda batch, batches: 1 / sum(map(len, batches)),
            _own_mean,
            lambda batch, batches: 1 / len(batch) / len(batches),
        )
    ),
    FAN_OUT_SAME_USE_ONCE: (
        lambda w, b, batches: right_in_batches(w, b, [[*{point for batch in batches for point in batch}]]),
        in_batches(lambda batch, batches: 1 / len({point for batch in batches for point in batch})),
    ),
    FAN_OUT_GRADIENT_SWAPPED: lambda w, b, batches: right_in_batches(w, b, batches)[::-1],
}
"""For the gradient over all batches."""

SWEPT = """
from autodiff_lab.engine import backward as engine
def graphs_of(batches):
    sizes = []
    def counted(roots):
        sizes.append(sum(len(engine.topological_order(root)) for root in roots))
        return count_uses(roots)
    engine.count_uses = counted
    engine.first_adjoint = lambda *given: seed * first_adjoint(*given)
    try:
        found = gradient_in_batches(0.5, 0.0, batches)
    finally:
        engine.count_uses, engine.first_adjoint = count_uses, first_adjoint
    return sizes, found
count_uses, first_adjoint = engine.count_uses, engine.first_adjoint
(first, _), (sizes, found) = graphs_of(batches[:1]), graphs_of(batches)
return first, sizes, found
"""


def swept(batches: Batches, seed: float) -> Answer:
    """Ask for the sizes of the graphs that are swept for the first batch and for all of them, and for the gradient
    when every sweep begins with ``seed`` in place of 1."""
    said = (
        f"the sizes of the graphs that gradient_in_batches sweeps: for one batch of {len(batches[0])} points, and for "
        f"{len(batches)}; and what it returns when every sweep begins with {seed} in place of 1.0"
    )
    return student.run(SWEPT, batches=batches, seed=seed, label=said)


def one_sweep_each(batches: Batches, seed: float) -> Callable[[Any], bool | str]:
    """Judges what ``swept`` gives."""
    right = [seed * slope for slope in right_in_batches(0.5, 0.0, batches)]

    def verdict(found: Any) -> bool | str:
        first, sizes, gradient = found
        if len(first) != 1 or len(sizes) != len(batches) or not 6 < max(sizes) < 1.5 * max(first):
            return "expected one sweep for each batch, and no graph that is larger than one batch needs"
        return (
            same(right, gradient) or "the gradient is not that many times as large: it does not come out of the sweeps"
        )

    return verdict


SIZES_OF_GRAPHS = {
    BATCHES_IN_ONE_GRAPH: lambda found: len(found[0]) == 1 == len(found[1]) and found[1][0] > 1.5 * found[0][0],
    BATCH_SWEPT_BY_POINT: lambda found: len(found[0]) == 2 and len(found[1]) == 6,
}
"""For what ``swept`` gives, of three batches of two points."""

"""What the tests of unit 04 know: the misconceptions that their messages name."""

from autodiff_lab.checks.misconceptions import Misconception
from autodiff_lab.units.backward_sweep import (  # noqa: F401
    ADJOINTS_IN_BETWEEN_MISSING,
    SEED_MISSING,
    SEED_NOT_ONE,
    UPSTREAM_FORGOTTEN,
)
from autodiff_lab.units.graphs import CACHE_OUTLIVES_THE_CALL  # noqa: F401
from autodiff_lab.units.welcome import EMPTY_INPUT_FORGOTTEN, EXAMPLE_WRITTEN_IN, INPUT_CHANGED  # noqa: F401

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

# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] unit={"title": "Fan-out", "question": "What if a value is used twice?", "minutes": 140, "needs": ["03_backward_sweep"], "objectives": ["Say why a value that is used several times receives the sum of one contribution per use, and compute that sum.", "Write a backward sweep that is right on every graph without cycles, and visits each node once.", "Say what stays in `.grad` from one sweep to the next, what must not stay, and when to clear it.", "Compute the gradient of a large batch in small pieces.", "Recognise a fan-out bug by the numbers that it produces."], "masks": ["engine", "torch"]}
# # 04 · What if a value is used twice?
#
# In a chain every value is used once, and the backward sweep walks straight from the result to the input. Real
# computations are not chains. An input meets the result along two roads, a layer's output is added back further down,
# one weight is used for every photograph of a data set. A value with more than one user is called a **fan-out**.
#
# What each use sends back is a **contribution**, and contributions add. This unit shows where that comes from, builds
# the sweep that obeys it on every graph, and looks at the four or five ways in which programs get it wrong.
#
# A reminder of two words. The **adjoint** of a value says how fast the result changes when that value changes; the
# result's own adjoint is 1. A **local derivative** says how fast one operation's output changes with one of its
# operands. In a chain, a value's adjoint is the adjoint of its only user times the local derivative of that use.

# %% [markdown]
# ## The engine of unit 03 meets a square
#
# Here is the `Value` of unit 03, as in its model answer, with two changes. `grad` begins at 0 in place of `None`,
# because from now on something is added to it. And a plain number in a formula becomes a node like every other:
# `requires_grad` is left out, which costs a little work and changes no adjoint.
#
# The cell is locked, so that your sweep and the tests speak of the same class.


# %% nbgrader={"grade": false, "grade_id": "value-class", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math


class Value:
    """A number that remembers how it was computed."""

    def __init__(self, data, operands=(), partials=()):
        self.data = data  # the number
        self.operands = operands  # the Values it was computed from, one entry per use
        self.partials = partials  # the local derivative of each of these uses
        self.grad = 0.0  # the adjoint, once a sweep has been here

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other):
        other = as_value(other)
        return Value(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __truediv__(self, other):
        other = as_value(other)
        partials = 1.0 / other.data, -self.data / other.data**2
        return Value(self.data / other.data, (self, other), partials)

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def tanh(self):
        y = math.tanh(self.data)
        return Value(y, (self,), (1.0 - y * y,))


def as_value(other):
    """A Value as it is, a plain number as a new leaf."""
    return other if isinstance(other, Value) else Value(other)


# %% [markdown]
# And here is its sweep, the loop of unit 03. A nudge of the input shows whether it is right.


# %%
def sweep_of_unit_03(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad = node.grad * partial
            waiting.append(operand)


for said, formula in {"3 · x + 1": lambda x: 3 * x + 1.0, "x · x": lambda x: x * x}.items():
    x = Value(5.0)
    sweep_of_unit_03(formula(x))
    measured = (formula(5.0 + 1e-6) - formula(5.0)) / 1e-6
    print(f"{said:9}  the sweep says {x.grad:4}, a nudge says {measured:.3f}")

# %% [markdown]
# Where x is used once, the two agree. In x · x it is used twice, and half of the answer is missing. In this unit you
# find out where it went, mend the sweep for every graph, and train a line with it.

# %% [markdown]
# ## Predict first
#
# Take $f = (x + y) \cdot y$: in words, add $x$ and $y$, then multiply the sum by $y$. The value $y$ is used twice, once
# in the sum and once as a factor.

# %%
x, y = 1.0, 4.0
a = x + y
f = a * y
print("x =", x, "  y =", y, "  a = x + y =", a, "  f = a · y =", f)

# %% [markdown]
# ### Exercise: predict how fast f follows y
#
# Start from these numbers. Let $y$ grow by a tiny amount, such as 0.001, and leave $x$ where it is. **By how many times
# that amount does $f$ grow?** Round to a whole number: the question is about the rate, and the rest becomes as small as
# you like when the amount does.
#
# Decide before you read on, and before you let Python compute it. Write `slope_in_y = …` with your number.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Follow the tiny amount on its way. There are two places at which it enters the formula. What would each of them do to
# $f$ if the other one stayed where it was?
# </details>
#
# <details><summary>Hint 2: other numbers</summary>
#
# At $x = 0$ the formula is $y \cdot y$. At $y = 3$ that is 9, and $3.001 \cdot 3.001$ is about 9.006: six times the
# amount, three from each factor.
# </details>
#
# <details><summary>Hint 3: how to begin</summary>
#
# With $y = 4.001$ the sum is 5.001. Multiply 5.001 by 4.001 on paper, subtract 20, and see how many thousandths are
# there.
# </details>

# %% nbgrader={"grade": false, "grade_id": "predict-slope", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "predict", "minutes": 4, "difficulty": 1, "importance": 4, "objectives": [1]}
### BEGIN SOLUTION
slope_in_y = 9
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-predict-slope", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
# Test of slope_in_y: 5 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.choice(
    student.get("slope_in_y"),
    "04/predict-slope",
    form="a number",
    right="c844e566c3a6",
    instead={
        "77c3dc8d9c10": unit.FAN_OUT_DIRECT_PATH_ONLY,
        "8228b7c50c08": unit.FAN_OUT_INDIRECT_PATH_ONLY,
        "4b9d3c99c1ca": unit.FAN_OUT_PATHS_MULTIPLIED,
        "6549fb19c2ea": unit.FAN_OUT_AVERAGED,
    },
)

# %% [markdown]
# ## One value, two paths
#
# Here is the graph, alive. Each box shows a value and, under it, its adjoint. Move the sliders with the mouse, or click
# one and use the arrow keys. Python computes all numbers again at each move.

# %%
from autodiff_lab.widgets import GraphExplorer

twice = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
GraphExplorer(twice, inputs={"x": 2.0, "y": 3.0}, backward=True, low=-5, high=5, step=0.5)

# %% [markdown]
# **Try this.**
#
# 1. Set $x = 1$ and $y = 4$. Was your prediction right?
# 2. Move only $x$. Which adjoints change, and which stay?
# 3. Find a place where the adjoint of $y$ is 0 although $y$ is used twice. What do its two uses do there?
#
# <details><summary>Answers</summary>
#
# 1. The adjoint of $y$ is 9 there: the sum $a$ is 5, and $y$ is 4.
# 2. Those of $a$ and $x$ are both $y$, and stay. That of $y$ is $x + 2y$, and moves with $x$; that of $f$ is always 1.
# 3. Wherever $x = -2y$, such as $x = -4$, $y = 2$. The product sends $a = -2$ and the sum passes on 2: they cancel.
# </details>
#
# Now take the two uses apart. The next cell writes the formula with *two* inputs in place of $y$, one for each use, and
# nudges them one after the other, then together.


# %%
def uses_apart(x: float, y_in_the_sum: float, y_as_factor: float) -> float:
    return (x + y_in_the_sum) * y_as_factor


x, y, nudge = 2.0, 3.0, 0.001
before = uses_apart(x, y, y)
sum_only = (uses_apart(x, y + nudge, y) - before) / nudge
factor_only = (uses_apart(x, y, y + nudge) - before) / nudge
both = (uses_apart(x, y + nudge, y + nudge) - before) / nudge
print(f"nudge the y in the sum:    f moves {sum_only:.3f} times as far")
print(f"nudge the y as factor:     f moves {factor_only:.3f} times as far")
print(f"nudge both, as y does:     f moves {both:.3f} times as far")

# %% [markdown]
# The last number is the sum of the two above it, but for a rest as small as the nudge itself.

# %% [markdown]
# ## Contributions add
#
# When $y$ moves, it moves at both places, and $f$ feels both moves in full. Each use sends back one **contribution**:
#
# > contribution of a use = adjoint of the user × local derivative of that use
#
# and the adjoint of a value is the sum of the contributions of all its uses. In symbols, with a bar for an adjoint and
# one term for every use of $y$ in an operation $u$:
#
# $$\bar y = \sum_{\text{uses of } y} \bar u \cdot \frac{\partial u}{\partial y}$$
#
# At $x = 2$, $y = 3$ this is short work. Start with $\bar f = 1$. The product $f = a \cdot y$ sends $y = 3$ to $a$, and
# $a = 5$ to $y$. The sum $a = x + y$ has both local derivatives 1, so it sends its adjoint 3 on to $x$ and to $y$. So
# $x$ has heard 3, and $y$ has heard 5 and 3. The engine agrees, and draws it:

# %%
import autodiff_lab as ad
from autodiff_lab import draw

x, y = ad.Scalar(2.0), ad.Scalar(3.0)
a = x + y
f = a * y
draw(f, adjoints=True, x=x, y=y, a=a, f=f)

# %% [markdown]
# Along one path you multiply, because each step passes on what the step before it did. Across paths you add, because
# the paths run side by side. For $y$ there are two paths: directly into the product (5), and through the sum into the
# product (1 · 3).

# %% [markdown]
# ### Exercise: the gradient of a shared value
#
# Write the gradient of $f = (x + y) \cdot y$ for *any* $x$ and $y$: the pair of the adjoint of $x$ and the adjoint of
# $y$, in this order. Do it as the sweep does: a line for each value, from the result backwards. No engine is needed;
# plain numbers are enough.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Compute `a` first, since its value is a local derivative of the product. Then write down what `f` sends to its two
# operands, and after that what `a` sends to its two. Whoever is named twice gets a sum.
# </details>
#
# <details><summary>Hint 2: numbers at x = 1, y = 4</summary>
#
# `a` is 5. From `f`: to `a` goes 4, to `y` goes 5. From `a`: to `x` goes 4, to `y` goes 4. So the gradient is (4, 9).
# </details>
#
# <details><summary>Hint 3: the frame</summary>
#
# One line for the value of `a`, one line for each of the three adjoints, `a`, `x` and `y`, and a `return` with two of
# them. Two of the adjoints have one term.
# </details>
#
# <details><summary>A worked sibling: f = x · (x − y)</summary>
#
# ```python
# def gradients_of_the_sibling(x, y):
#     d = x - y                      # forward
#     d_adjoint = x                  # f = x · d sends x to d …
#     x_from_f = d                   # … and d to x
#     x_from_d = d_adjoint           # d = x − y sends its adjoint on to x …
#     y_adjoint = -d_adjoint         # … and minus its adjoint to y
#     return x_from_f + x_from_d, y_adjoint
# ```
#
# At $x = 3$, $y = 1$: $d$ is 2, so $x$ hears 2 and 3, together 5, and $y$ hears $-3$.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **only the direct path is counted**: you have what the product sends to `y`. The sum uses `y` as well.
# - **a later use overwrites the earlier adjoint**: there are two lines `y_adjoint = …`, and the second one wins.
# - **the contributions of two paths are multiplied**: multiply along a path, add across paths.
# - **the function returns nothing**: the last line has to be `return …`, not `print(…)`.
# </details>


# %% nbgrader={"grade": false, "grade_id": "gradients", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 10, "difficulty": 2, "importance": 5, "objectives": [1, 5]}
def gradients(x: float, y: float) -> tuple[float, float]:
    """The gradient of (x + y) * y: how fast it changes with x, and how fast with y."""
    ### BEGIN SOLUTION
    a = x + y
    a_adjoint = y
    x_adjoint = a_adjoint
    y_adjoint = a + a_adjoint
    return x_adjoint, y_adjoint
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-gradients", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of gradients, at a place of each kind: 10 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.repeats(student.gradients, 2.0, 3.0, otherwise=unit.CACHE_OUTLIVES_THE_CALL)
check.function(
    student.gradients,
    on=list(unit.PLACES.values()),
    like=lambda x, y: (y, x + 2 * y),
    wrong=unit.GRADIENT,
    tolerance=1e-6,
    picture=lambda x, y: unit.picture("a = x + y\nf = a * y", x, y),
)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(404)
check.function(
    student.gradients,
    on=[(_draw.uniform(-9, 9), _draw.uniform(-9, 9)) for _ in range(8)] + [(3, 0), (0, -2), (0.0, 0.0)],
    like=lambda x, y: (y, x + 2 * y),
    tolerance=1e-6,
)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise: from uses to an adjoint
#
# Two uses are only the smallest case. Write the rule for any number of them. `collect(uses)` gets one pair for every
# use of a value, `(adjoint of the user, local derivative of that use)`, and returns the value's adjoint. A value that
# nobody uses cannot move the result.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Walk through the pairs. Each pair becomes one number, the contribution. All contributions go into one sum.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# For $y$ in $(x + y) \cdot y$ at (2, 3), the uses are `[(1.0, 5.0), (3.0, 1.0)]`: the product's adjoint is 1 and its
# local derivative 5, the sum's adjoint is 3 and its local derivative 1. The answer is 1 · 5 + 3 · 1.
# </details>
#
# <details><summary>Hint 3: the frame</summary>
#
# Before the loop: what a value has heard when nobody has reported. In the loop: what was there, and what this use
# brings. After the loop, not in it: the `return`.
# </details>
#
# <details><summary>A worked sibling: the price of a shopping list</summary>
#
# One pair for each thing: how many, and what one of them costs.
#
# ```python
# def price(things):
#     total = 0
#     for count, cost in things:
#         total += count * cost
#     return total
# ```
#
# `price([(2, 3), (1, 5)])` is 11, and `price([])` is 0. Two loaves on two lines of the list are two loaves.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **only the first use is counted**: look at how far the `return` is indented.
# - **a later use overwrites the earlier adjoint**: inside the loop you assign, and what was there is gone.
# - **two uses that look alike are counted once**: two equal pairs are two uses. Do not put them into a set or a dict.
# - **adjoints and local derivatives are summed apart**: multiply inside the pair before you add.
# </details>


# %% nbgrader={"grade": false, "grade_id": "collect", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 8, "difficulty": 1, "importance": 5, "objectives": [1, 5]}
def collect(uses: list[tuple[float, float]]) -> float:
    """A value's adjoint, from one pair (adjoint of the user, local derivative) for each use."""
    ### BEGIN SOLUTION
    adjoint = 0.0
    for user, local in uses:
        adjoint += user * local
    return adjoint
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-collect", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of collect, with uses of each kind: 10 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.repeats(student.collect, [(1.0, 5.0), (3.0, 2.0)], otherwise=unit.CACHE_OUTLIVES_THE_CALL)
check.function(
    student.collect,
    on=list(unit.USES.values()),
    like=lambda uses: sum(user * local for user, local in uses),
    wrong=unit.SUM_OF_USES,
)
check.leaves_alone(student.collect, [(3.0, 1.0), (1.0, 5.0)], otherwise=[unit.INPUT_CHANGED])
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(405)
for _count in (1, 2, 3, 4, 5, 9, 200):
    _uses = [(_draw.uniform(-3, 3), _draw.uniform(-3, 3)) for _ in range(_count)]
    check(student.collect(_uses), expect=unit.adjoint_of(_uses))
    check.leaves_alone(student.collect, _uses, otherwise=[unit.INPUT_CHANGED])
check(student.collect([(1.0, 2.0), (3.0, 4.0), (1.0, 2.0), (1.0, 2.0), (3.0, 4.0)]), expect=30.0)
check(student.collect([(2, 3), (4, 5)]), expect=26)
### END HIDDEN TESTS

# %% [markdown]
# ## The same operand twice
#
# In $x \cdot x$ one operation uses one value twice. These are still two uses. The product's local derivative with
# respect to its left operand is the right one, and the other way round; both operands happen to be $x$, so $x$ hears
# $x$ twice. The sum is $2x$, as it should be for a square.

# %%
x = ad.Scalar(3.0)
f = x * x
f.backward()
print("x · x = ", f.item(), "  x hears 3 and 3, together", x.grad)

# %% [markdown]
# Nothing special has to be written for this case, as long as the operands are kept as a list with one entry per use. A
# set of operands, or a dict with operands as keys, would quietly turn two uses into one.

# %% [markdown]
# ## Wait for every use
#
# A chain has one possible order. A graph with fan-out has many, and not all of them work. Take
#
# $$a = x \cdot x, \qquad b = a + x, \qquad f = a \cdot b$$
#
# in words: square $x$, add $x$ to the square, and multiply the two results. The square $a$ is used by $b$ and by $f$.

# %%
steps = {"x": ("input",), "a": ("*", "x", "x"), "b": ("+", "a", "x"), "f": ("*", "a", "b")}
draw(steps, {"x": 2.0, "a": 4.0, "b": 6.0, "f": 24.0})

# %% [markdown]
# The sweep starts at $f$, with adjoint 1. Now both $a$ and $b$ have heard something. Whose turn is it?

# %%
x = 2.0
a = x * x
b = a + x
f_to_a, f_to_b = b, a  # f = a · b sends each factor the other one
b_to_a, b_to_x = f_to_b, f_to_b  # b = a + x passes its adjoint on to both operands
slope_of_a = 2 * x  # both uses of x in x · x
print(f"a hears {f_to_a:g} from f and {b_to_a:g} from b; x hears {b_to_x:g} from b")

early = f_to_a * slope_of_a + b_to_x
late = (f_to_a + b_to_a) * slope_of_a + b_to_x
too_early = f"{f_to_a:g} · {slope_of_a:g} + {b_to_x:g}"
in_time = f"({f_to_a:g} + {b_to_a:g}) · {slope_of_a:g} + {b_to_x:g}"
print(f"a passes on too early:    x hears {too_early} = {early:g}")
print(f"a waits for b as well:    x hears {in_time} = {late:g}")

nudge = 1e-6
moved = (x + nudge) ** 2 * ((x + nudge) ** 2 + (x + nudge))
print(f"measured with a nudge:    {(moved - a * b) / nudge:.3f}")

# %% [markdown]
# If $a$ passes its adjoint on before $b$ has reported, what $b$ sends to $a$ arrives too late, and never reaches $x$.
# So the rule of the sweep is:
#
# > A node passes its adjoint on only when everything that uses it has been visited.
#
# An order with this property is a topological order, read backwards: **users first**. Here only f, b, a, x will do.
#
# Here is the finished sweep. Read it from right to left, and say at each box which contributions have come together in
# its adjoint.

# %%
x = ad.Scalar(2.0)
a = x * x
b = a + x
f = a * b
draw(f, adjoints=True, x=x, a=a, b=b, f=f)

# %% [markdown]
# ### Exercise: put the sweep in order
#
# Here are the lines of a backward sweep, shuffled. `users_first(root)` gives all nodes so that each comes after
# everything that uses it; `operands_first(root)` gives the same nodes the other way round. A node's `partials` are its
# local derivatives, one for each entry of `operands`. Every `grad` is 0 at the start.
#
# | | |
# |---|---|
# | A | `for operand, partial in zip(node.operands, node.partials):` |
# | B | `operand.grad += node.grad * partial` |
# | C | `for node in users_first(root):` |
# | D | `root.grad = 1.0` |
# | E | `operand.grad = node.grad * partial` |
# | F | `for node in operands_first(root):` |
# | G | `root.grad = root.data` |
#
# Choose the **four** lines that make a right sweep, and put them in order. A line after a `for` line is inside that
# loop, and what is needed only once comes before the loops. Write `sweep_lines = […]` with four letters, such as `["A",
# "B", "C", "D"]`.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Something has to be there before the first node can pass anything on. Then one loop runs over nodes, and inside it a
# second one over the operands of that node.
# </details>
#
# <details><summary>Hint 2: questions for each pair of lines that compete</summary>
#
# Carry the two lines out on paper, for $(x + y) \cdot y$ at (2, 3), up to the moment at which $y$ hears the second time.
# Which of the two leaves what you computed above?
# </details>
#
# <details><summary>Hint 3: a worked sibling</summary>
#
# The shuffled lines of another program. It counts presents: each person gets one from every family that they belong to.
#
# | | |
# |---|---|
# | P | `for person in family:` |
# | Q | `presents = dict.fromkeys(everybody, 0)` |
# | R | `presents[person] += 1` |
# | S | `for family in families:` |
# | T | `presents[person] = 1` |
#
# Q makes the counters, once, so it comes first. A person can be in two families, and T would forget the first of them,
# so it is R. P speaks of `family`, which only S provides. The program is Q, S, P, R.
# </details>

# %% nbgrader={"grade": false, "grade_id": "sweep-order", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "order", "minutes": 6, "difficulty": 2, "importance": 4, "objectives": [2, 5]}
### BEGIN SOLUTION
sweep_lines = ["D", "C", "A", "B"]
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-sweep-order", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of sweep_lines: 6 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.choice(
    student.get("sweep_lines"),
    "04/sweep-order",
    form="a list of four letters, each in quotation marks, first line first",
    right={"8c384c24c728", "01843b668d95", "2cc5ece0f034"},
    instead={
        "07f6ed4cc8bf": unit.FAN_OUT_OVERWRITTEN,
        "2a238f5841d0": unit.SWEEP_OPERANDS_FIRST,
        "958608507447": unit.SWEEP_OPERANDS_FIRST,
        "e9243b2684e0": unit.SEED_NOT_ONE,
    },
    hint="Say in words what each of your four lines does, from the first to the last.",
)

# %% [markdown]
# ## Every node once
#
# There is a very short sweep that is right, and that you must not use. It sends each contribution on as soon as it
# arrives, all the way down to the leaves, and does that for every path:


# %%
def along_every_path(node, contribution=1.0):
    global calls
    calls += 1
    node.grad += contribution
    for operand, partial in zip(node.operands, node.partials):
        along_every_path(operand, contribution * partial)


for doublings in (1, 2, 4, 8, 16):
    leaf = Value(1.0)
    node = leaf
    for _ in range(doublings):
        node = node + node  # one node more, twice as many paths
    calls = 0
    along_every_path(node)
    print(f"{doublings:2} additions: gradient {leaf.grad:6.0f}, calls {calls:6}")

# %% [markdown]
# The gradients are right: each `node + node` doubles the slope. But each also doubles the number of paths. Sixteen
# additions take more than a hundred thousand calls, and sixty would take longer than you will live. A graph is small;
# its paths are many.
#
# Waiting for every use repairs both faults at once. If a node collects all of its contributions first, and then passes
# on their sum, each node is visited once and each use is handled once. The work grows with the size of the graph, not
# with the number of its paths.
#
# Two ways to get an order in which users come first:
#
# - **Count.** Walk over the graph once and count the uses of every node. A node whose uses have all reported is ready. The
#   root is ready at the start.
# - **Finish.** Write a node down once all of its operands are written down. This list has operands first; read it backwards.
#
# Two traps on the way. A graph can be 10,000 operations deep, and Python refuses calls within calls beyond a depth of
# about 1,000, so keep the nodes that wait in a list of your own. And `node in some_list` looks at one entry after the
# other; remember visited nodes in a **set**.

# %% [markdown]
# ### Exercise: a sweep for every graph
#
# Write `backward(root)`. It starts with an adjoint of 1 at the root and adds to the `.grad` of every node what its uses
# send. It works on every graph without cycles, visits each node once, and keeps what earlier sweeps, over other graphs,
# have left in the `.grad` of shared leaves. Every operation has a `.grad` of 0 when your sweep begins.
#
# Your sweep changes nothing but `.grad`, and leaves it in every node, so that the adjoint of each operation can be
# looked at afterwards. When somebody sets all of them back to 0, a second sweep over the same graph gives the same again.
#
# Helper functions are welcome; write them into the same cell.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Two parts. First an order: every node, users first. Then the sweep that you put together above.
#
# For the order by counting: a first walk finds all nodes and counts, for each of them, how often it stands in the
# `operands` of a node. Then begin with the root; whenever a node has passed on its adjoint, lower the count of its
# operands, and those that reach 0 are next.
# </details>
#
# <details><summary>Hint 2: the numbers for a = x · x, b = a + x, f = a · b</summary>
#
# Uses: f 0, b 1, a 2, x 3. Visit f: a has 1 left, b has 0, so b is next. Visit b: a has 0 left, x has 2. Visit a: it
# stands for two uses of x, so x has 0 left. The order is f, b, a, x.
# </details>
#
# <details><summary>Hint 3: the frame</summary>
#
# A dict from each node to the uses that have not reported yet, filled by a first loop with a list of nodes whose operands
# are still to be counted. Then the root's 1, a list of nodes that are ready, and a second loop: it takes a node from this
# list, and for each of its uses it adds, lowers a count, and asks whether that was the last one.
#
# A `Value` can be a key of a dict and an entry of a set: Python tells two of them apart even when their numbers are
# equal.
# </details>
#
# <details><summary>A worked sibling: when is a house finished?</summary>
#
# Each job takes some days, and begins when all jobs that it needs are done. How long does the whole take?
#
# ```python
# days = {"cellar": 5, "walls": 8, "roof": 4, "windows": 2, "paint": 3}
# needs = {"walls": ["cellar"], "roof": ["walls"], "windows": ["walls"]}
# needs["paint"] = ["roof", "windows"]
#
# missing = {job: len(needs.get(job, [])) for job in days}  # how many have not reported yet
# begins = {job: 0 for job in days}
# ready = [job for job in days if missing[job] == 0]
# while ready:
#     job = ready.pop()
#     for other in days:  # who waits for this job?
#         if job in needs.get(other, []):
#             begins[other] = max(begins[other], begins[job] + days[job])
#             missing[other] -= 1
#             if missing[other] == 0:
#                 ready.append(other)
# ```
#
# The paint waits for roof and windows, and begins after the later of them: day 17. An adjoint is a sum where this is a
# maximum, and a use is counted as often as it stands in `operands`.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **a node passes its adjoint on before all its users have reported**: print the order in which you visit. Each node has to
#   come after everything that uses it, not just after the first user.
# - **what a node has passed on before is passed on again**: you visit a node at every arrival. Once is enough, at the end.
# - **nodes are visited before what uses them**: your order begins at the leaves. Read it backwards.
# - **a use is left out because its operand has been seen before**: "seen" decides whether a node is *listed* again, never
#   whether a use is *counted*. Take the line that adds out of the question.
# - **two uses that look alike are counted once**: there is a set or a dict of operands.
# - **stopped, because it makes more than … calls**: you walk paths, or look at all nodes again for each node.
# - **only the ends get an adjoint**: the adjoints of operations belong into their `.grad`, too.
# - **what the first sweep leaves behind stops the second**: do not cut links, and keep marks in a set that is made anew
#   in each call, not on the nodes.
# - **RecursionError**: replace the function that calls itself by a loop with a list.
# - **the sweep clears the gradients of the leaves**: leave them as they are; only add.
# </details>


# %% nbgrader={"grade": false, "grade_id": "backward", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 30, "difficulty": 4, "importance": 5, "objectives": [2, 5]}
def backward(root: Value) -> None:
    """Add to the `.grad` of every node below `root` how fast `root` changes with it."""
    ### BEGIN SOLUTION
    uses = {root: 0}
    found = [root]
    while found:
        node = found.pop()
        for operand in node.operands:
            if operand not in uses:
                uses[operand] = 0
                found.append(operand)
            uses[operand] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            uses[operand] -= 1
            if uses[operand] == 0:
                ready.append(operand)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-backward", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of backward, its sums and its order, on a graph of each kind: 10 points
import random

from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

_graphs = [(lines, *point) for lines in unit.GRAPHS.values() for point in unit.POINTS]
check.function(
    unit.leaves_after_backward,
    on=[*_graphs, ("f = (x + 2.25) * (y * 1.75)", 3.0, 3.0)],  # at the end, nodes with equal numbers
    like=unit.right_leaves,
    wrong=unit.LEAVES_OF_GRAPHS,
    picture=unit.picture,
)
_draw = random.Random(401)
for _size, _reuse in ((4, 1), (6, 2), (9, 3), (12, 4)):
    check.function(
        unit.leaves_after_backward,
        on=[(unit.random_lines(_draw, _size, _reuse), 2.0, 3.0)],
        like=unit.right_leaves,
        picture=unit.picture,
    )
### BEGIN HIDDEN TESTS
_draw = random.Random(411)
for _size, _reuse in ((8, 2), (12, 3), (16, 5), (20, 6), (24, 9)):
    for _at in ((1.25, -0.5), (0.75, 0.75)):
        _lines = unit.random_lines(_draw, _size, _reuse)
        check(unit.leaves_after_backward(_lines, *_at), expect=unit.right_leaves(_lines, *_at))
for _lines in (
    *("a = x - y\nf = " + " + ".join(["a * x"] * uses) for uses in (5, 9)),
    *("a = x - y\nf = " + " * ".join(["a"] * uses) for uses in (5, 9)),
    "a = x * y\nf = a - a",
    "a = x - y\nb = a.tanh()\nf = b * b + a",
    "a = x * y\nb = a * 1.0\nc = b * 1.0\nd = c + a\ne = d + b\nf = e * a",
    *unit.GRAPHS.values(),
):
    check(unit.leaves_after_backward(_lines, 1.75, -0.25), expect=unit.right_leaves(_lines, 1.75, -0.25))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-backward--kept", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
# Test of backward, what stays in the nodes, and a second sweep: 4 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

_graphs = [
    ("a = x * x\nb = a + x\nf = a * b", 2.0, 3.0),
    ("a = x * x\nb = a + y\nf = b * a", -1.5, 0.5),
    ("a = x * y\nm = a * a\nb = a.tanh()\nn = b * 1.5\nf = m * n", 0.5, -0.25),
    ("a = x * y\nm = a * a\nb = a.tanh()\nn = b * 1.5\nf = n * m", 0.5, -0.25),
]
check.function(
    unit.all_after_backward, on=_graphs, like=unit.right_adjoints, wrong=unit.ALL_OF_GRAPHS, picture=unit.picture
)
check.function(unit.all_after_another, on=_graphs, like=unit.right_adjoints, wrong=unit.ALL_AGAIN)
check.function(
    unit.leaves_after_two,
    on=[("f = x * y", "f = x + y", 2.0, 3.0), ("f = x / y", "f = y - x", -1.5, 0.5)],
    like=unit.right_after_two,
    wrong=unit.TWO_GRAPHS,
)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(412)
for _size, _reuse in ((6, 2), (9, 3), (12, 4)):
    _lines = unit.random_lines(_draw, _size, _reuse)
    check(unit.all_after_backward(_lines, 1.25, -0.5), expect=unit.right_adjoints(_lines, 1.25, -0.5))
    check(unit.all_after_another(_lines, 1.25, -0.5), expect=unit.right_adjoints(_lines, 1.25, -0.5))
    _given = (_lines, unit.random_lines(_draw, _size, _reuse), -0.75, 1.5)
    check(unit.leaves_after_two(*_given), expect=unit.right_after_two(*_given))
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-backward--large", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of backward, on large graphs: 6 points
import random

from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.goes_deep(
    unit.leaves_of,
    unit.line(60, uses=2, partial=0.5, lowest=0.8125),  # 60 operations, 2 ** 60 paths
    like=unit.right_leaves_of,
    recurses=unit.SWEEP_RECURSION_TOO_DEEP,
    searches=unit.SWEEP_ONCE_PER_PATH,
)
for _graph in (
    unit.line(4_000, uses=1, partial=1.0, lowest=-1.375),
    unit.deep(random.Random(402), 2_000),
):
    check.goes_deep(
        unit.leaves_of,
        _graph,
        like=unit.right_leaves_of,
        recurses=unit.SWEEP_RECURSION_TOO_DEEP,
        searches=unit.SWEEP_SEARCHES_A_LIST,
    )
### BEGIN HIDDEN TESTS
_draw = random.Random(403)
for _graph in (
    unit.line(300, uses=2, partial=0.5, lowest=0.71875),
    unit.line(100, uses=9, partial=0.125, lowest=0.3125),
    unit.line(3_500, uses=1, partial=-1.0, lowest=2.6875),
    unit.deep(_draw, 1_000),
):
    check(unit.leaves_of(_graph), expect=unit.right_leaves_of(_graph))
### END HIDDEN TESTS

# %% [markdown]
# Your own sweep drives the next view. As long as `backward` is not written, the adjoints are the engine's, and the view
# says so.


# %%
def adjoints_by_backward(graph: dict, values: dict) -> dict:
    """Rebuild the graph out of Values, run your `backward` over it, and read every `.grad`."""
    nodes = {}
    for name, (op, *operands) in graph.items():
        if op == "+":
            nodes[name] = nodes[operands[0]] + nodes[operands[1]]
        elif op == "*":
            nodes[name] = nodes[operands[0]] * nodes[operands[1]]
        else:
            nodes[name] = Value(values[name])
    backward(nodes["f"])
    return {name: node.grad for name, node in nodes.items()}


GraphExplorer(steps, inputs={"x": 2.0}, backward=adjoints_by_backward, low=-3, high=3, step=0.25)

# %% [markdown]
# **Try this.** At $x = -0.75$ the adjoint of $x$ is 0: the curve $x^4 + x^3$ has its lowest point there. What does $x$
# hear from $a$ and from $b$ at that place?
#
# <details><summary>Answer</summary>
#
# From $b$ it hears 0.5625, which is $a$. The adjoint of $a$ is 0.375, and both uses of $x$ in $x \cdot x$ send $-0.75$
# times that: together $-0.5625$. "Exactly zero" is a sum, not the absence of a gradient.
# </details>

# %% [markdown]
# ## Between two sweeps
#
# A leaf can take part in more than one graph: two losses over the same weights, or the same loss for the next handful
# of data. Seen from the leaf, a use in the second graph is a use like any other. So leaves keep adding, from sweep to
# sweep, until you clear them.
#
# Operations are different. Their adjoint belongs to one sweep, over one result. Here is a sweep that forgets that. It
# gets the nodes as a list, in the order in which they were made; read backwards, that is an order in which users come
# first.


# %%
def leaky_sweep(nodes: list) -> None:
    """Add the last node's gradient to the `.grad` of the leaves. Operands stand before users."""
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial


x, y = Value(2.0), Value(3.0)
a = x + y
f = a * y
for number in (1, 2, 3):
    leaky_sweep([x, y, a, f])
    print(f"after sweep {number}: x.grad {x.grad:2.0f}, y.grad {y.grad:2.0f}", end="")
    print(f"     should be {3 * number:2} and {8 * number:2}")

# %% [markdown]
# The first sweep is right. The second should add (3, 8) once more and adds (6, 11).

# %% [markdown]
# ### Exercise: find the bug in the second sweep
#
# Write `mended_sweep(nodes)`: the same sweep without the fault. Each call adds the gradient of the last node to the
# `.grad` of every leaf, no matter how many sweeps, by this function or another, went over these nodes before. What the
# leaves already hold stays in the sum. A leaf is a node without operands. What is left in the `.grad` of operations
# afterwards is up to you.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Print `a.grad` after the first sweep, and again after the second. Which number should it be? Where does the rest come
# from, and who gets it?
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# After the first sweep `a.grad` is 3. The second one adds 3, so `a` holds 6 when its turn comes, and passes 6 on to `x`
# and to `y`. The surplus is exactly the 3 that was left over.
# </details>
#
# <details><summary>Hint 3: the frame</summary>
#
# Before the sweep, what does an operation know about it? And a leaf: what must it not forget? There are other ways, such
# as adjoints in a dict that lives for one call.
# </details>
#
# <details><summary>A worked sibling: two counters of a bicycle</summary>
#
# One counter shows the kilometres of this trip, another one those of all trips.
#
# ```python
# def ride(counters, legs):
#     counters["trip"] = 0                  # belongs to one ride, whatever an earlier one has left
#     for leg in legs:
#         counters["trip"] += leg
#     counters["all"] += counters["trip"]   # goes on from ride to ride
# ```
#
# Setting `trip` to 0 at the end of a ride would do as long as everybody does so. At the beginning it is always right.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **the sweep clears the gradients of the leaves**: you clear all nodes. Only operations start from nothing.
# - **the root has no 1 when the sweep begins**: the last node is an operation. Clear first, then give it its 1.
# - **leaves are told by their place in the list**: ask a node for its operands, not for its place.
# - **adjoints of an earlier sweep are passed on again**: something is left over still. Have you thought of every operation,
#   the last node too?
# - **a later use overwrites the earlier adjoint**: with `=` in the inner loop nothing is left over, and fan-out is broken.
# </details>


# %% nbgrader={"grade": false, "grade_id": "second-sweep", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "find_bug", "minutes": 12, "difficulty": 3, "importance": 4, "objectives": [3, 5]}
def mended_sweep(nodes: list[Value]) -> None:
    """Add the gradient of the last node to the `.grad` of the leaves, once per call."""
    ### BEGIN SOLUTION
    for node in nodes:
        if node.operands:
            node.grad = 0.0
    nodes[-1].grad += 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-second-sweep", "locked": true, "points": 9, "schema_version": 3, "solution": false, "task": false}
# Test of mended_sweep, with lists and leftovers of each kind: 9 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.function(
    unit.leaves_after_sweeps,
    on=[(lines, *point) for lines in unit.MENDED.values() for point in unit.POINTS],
    like=unit.right_sweeps,
    wrong=unit.LEAVES_OF_MENDED,
)
### BEGIN HIDDEN TESTS
for _lines in (
    "a = x + y\nf = a * y\nfor _ in range(9):\n    mended_sweep([x, y, a, f])",
    "a = x * y\nb = a + a\nc = b + b\nd = c * a\ne = d - x\nfor _ in range(3):\n"
    "    mended_sweep([x, y, a, b, c, d, e])\n    mended_sweep([x, y, a, b])\n    mended_sweep([x, y, a, b, c])",
    "a = x * x\nb = a.tanh()\nf = b * y\na.grad, b.grad, x.grad = 4.0, -1.0, 2.0\n"
    "mended_sweep([x, a, b, y, f])\nmended_sweep([x, a, b])",
    *unit.MENDED.values(),
):
    for _at in ((0.75, -3.0), (7.0, 1.5), (0.0, 0.0)):
        check(unit.leaves_after_sweeps(_lines, *_at), expect=unit.right_sweeps(_lines, *_at))
### END HIDDEN TESTS

# %% [markdown]
# **Clearing.** When is it time to forget? Only the caller knows. Gradient descent repeats four steps:
#
# 1. **clear** the gradients of the **parameters**, the numbers that training moves,
# 2. compute the **loss**, which builds a new graph out of the parameters' present values,
# 3. **sweep**,
# 4. **step**: move every parameter a little against its gradient.
#
# The loss in this section is the mean squared error of a line: for each point $(x, t)$, the square of $w \cdot x + b -
# t$, then the mean over all points. The next cell defines it, and shows the parameters' gradients over three sweeps
# without clearing.


# %% nbgrader={"grade": false, "grade_id": "line-loss", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autodiff_lab import Scalar


def squared_error(w, b, point):
    """The squared error of the line w · x + b at one point (x, t)."""
    x, t = point
    error = w * x + b - t
    return error * error


def mean_loss(w, b, points):
    """The mean of the squared errors over all points."""
    total = squared_error(w, b, points[0])
    for point in points[1:]:
        total = total + squared_error(w, b, point)
    return total * (1.0 / len(points))


# %%
points = [(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]
w, b = Scalar(0.0), Scalar(0.0)
for number in (1, 2, 3):
    mean_loss(w, b, points).backward()
    print(f"sweep {number}, not cleared: w.grad {w.grad:8.2f}  b.grad {b.grad:8.2f}")

# %% [markdown]
# These are `Scalar`s of the engine. There, as in PyTorch, a parameter that no sweep has reached has the gradient `None`.
# To clear means to go back to that: `w.grad = None`. (The number 0 does as well.) A parameter is moved by assigning to its `.data`, which no
# graph records.

# %% [markdown]
# ### Exercise: clear, then descend
#
# Write `zero_grad(parameters)`, which clears the gradient of every parameter in a list, and the inside of the loop of
# `descend`, which makes `steps` steps of gradient descent on `mean_loss` and returns the final values of $w$ and $b$.
# In each step, $w$ and $b$ move by `rate` times their gradient, downhill. This number is called the **learning rate**.
#
# <details><summary>Hint 1: a sketch</summary>
#
# `zero_grad` is a loop with one line in it. The inside of the loop of `descend` is the list of four steps above, in
# that order; step 4 is one line for each parameter.
# </details>
#
# <details><summary>Hint 2: the numbers of one step</summary>
#
# With the single point (1, 3), from w = 0 and b = 0: the error is −3, both gradients are 2 · (−3) · 1 = −6. With rate
# 0.25 both parameters move by +1.5. In the next step the error is 1.5 + 1.5 − 3 = 0, and nothing moves any more.
# </details>
#
# <details><summary>Hint 3: the frame</summary>
#
# Inside the loop of `descend` there are five lines: one for each of the first three steps, and two for the last. Each of
# the five is carried out in every round.
# </details>
#
# <details><summary>A worked sibling: one parameter</summary>
#
# The number p with the smallest (p − 3)², by gradient descent:
#
# ```python
# p = Scalar(0.0)
# for _ in range(20):
#     p.grad = None
#     loss = (p - 3.0) * (p - 3.0)
#     loss.backward()
#     p.data = p.data - 0.25 * p.grad
# ```
#
# The first step goes from 0 to 1.5, the second to 2.25: each halves the distance to 3.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **the gradients of earlier steps are still in the sum**: `zero_grad` has to be called in every round of the loop.
# - **there is no gradient when the step wants it**: you clear after the sweep and before the step, or nobody has swept.
# - **the step forgets where the parameter was**: `=-` is not `-=`.
# - **the parameters stay where they are**: `w.data - …` computes a number and drops it. Assign it.
# - **something else takes the place of the parameter**: `w = w.data - …` is a number, `w = w - …` an operation. Assign to
#   `w.data`.
# - **one graph is swept at every step**: the loss is computed before the loop. Compute it inside.
# </details>


# %% nbgrader={"grade": false, "grade_id": "descend", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 15, "difficulty": 2, "importance": 5, "objectives": [3], "allows": ["engine"]}
def zero_grad(parameters: list[Scalar]) -> None:
    """Clear the gradient of every parameter."""
    ### BEGIN SOLUTION
    for parameter in parameters:
        parameter.grad = None
    ### END SOLUTION


def descend(
    start: tuple[float, float], points: list[tuple[float, float]], rate: float, steps: int
) -> tuple[float, float]:
    """w and b after `steps` steps of gradient descent on `mean_loss`, from `start` = (w, b)."""
    w, b = Scalar(start[0]), Scalar(start[1])
    for _ in range(steps):
        ### BEGIN SOLUTION
        zero_grad([w, b])
        mean_loss(w, b, points).backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
        ### END SOLUTION
    return w.data, b.data


# %% nbgrader={"grade": true, "grade_id": "test-descend", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of zero_grad, and of descend with starts, points and steps of each kind: 10 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

check.function(
    unit.after_zero_grad,
    on=list(unit.PARAMETERS.values()),
    like=unit.cleared,
    wrong=unit.ZERO_GRAD,
)
check.function(
    student.descend,
    on=list(unit.DESCENTS.values()),
    like=unit.right_descent,
    wrong=unit.DESCENT,
)
check.repeats(student.descend, *unit.DESCENTS["three steps"], otherwise=unit.CACHE_OUTLIVES_THE_CALL)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(406)
for _count, _steps in ((1, 0), (1, 1), (2, 5), (5, 20), (9, 50)):
    _points = [(_draw.uniform(-2, 2), _draw.uniform(-2, 2)) for _ in range(_count)]
    _given = (_draw.uniform(-2, 2), _draw.uniform(-2, 2)), _points, 0.05, _steps
    check(student.descend(*_given), expect=unit.right_descent(*_given))
    check.leaves_alone(student.descend, *_given, otherwise=[unit.INPUT_CHANGED] * 4)
_values = [1.5, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, 0.25, 8.0]
check(unit.after_zero_grad(_values), expect=unit.cleared(_values))
### END HIDDEN TESTS

# %% [markdown]
# ## Your own engine trains
#
# Nothing in these four steps needs the engine of this course. Here they are with the `Value` of this unit, first under
# the sweep of unit 03, then under your own `backward`.


# %%
def train(sweep) -> None:
    """Fit a line to the points, and print what becomes of it."""
    w, b = Value(0.0), Value(0.0)
    for step in range(201):
        w.grad = b.grad = 0.0
        loss = mean_loss(w, b, points)
        sweep(loss)
        if step in (0, 10, 200):
            print(f"  step {step:3}: w {w.data:7.4f}  b {b.data:7.4f}  loss {loss.data:9.6f}")
        w.data -= 0.05 * w.grad
        b.data -= 0.05 * b.grad


print("The sweep of unit 03:")
train(sweep_of_unit_03)
print("Your backward:")
try:
    train(backward)
except NotImplementedError:
    print("  is not written yet. When it is, run this cell again.")

# %% [markdown]
# The points lie on the line with w = 2 and b = 1. Each parameter is used once for every point. The sweep of unit 03
# keeps the contribution of one of them, so its line goes through (1, 3), and misses the other points.

# %% [markdown]
# ## A large batch in small pieces
#
# So adding up across sweeps is a nuisance that has to be cleared away? It is also a tool. In the mean loss over a
# thousand points, $w$ is used a thousand times: a fan-out of a thousand. Contributions add, and nobody says that they
# all have to arrive in one sweep. Take a handful of points, a **batch**, build its graph, sweep, and throw it away; take
# the next handful. At the end `.grad` holds the gradient of the large batch, and the memory has never held more than
# one small graph. This is called **gradient accumulation**, and it is how a large model is trained on a small device.
#
# One thing needs care. The loss is a *mean*, and a mean knows how many there are.

# %%
batches = [[(1.0, 3.0), (2.0, 5.0)], [(4.0, 9.0)]]
everything = [point for batch in batches for point in batch]
w, b = Scalar(0.5), Scalar(0.0)
mean_loss(w, b, everything).backward()
print(f"all three points at once:           w.grad {w.grad:.4f}  b.grad {b.grad:.4f}")

w, b = Scalar(0.5), Scalar(0.0)
for batch in batches:
    mean_loss(w, b, batch).backward()
print(f"the mean of each batch, two sweeps: w.grad {w.grad:.4f}  b.grad {b.grad:.4f}")

# %% [markdown]
# The second line is not the first, and it is not twice the first either, since the batches differ in size. Every point
# of the three should count one third. In the second line two of them count one half, and the last one counts in full.

# %% [markdown]
# ### Exercise: the gradient of a large batch, in pieces
#
# Write `gradient_in_batches(w, b, batches)`. It gets two numbers and a list of batches, each a list of points, and
# returns the gradient, with respect to $w$ and to $b$, of the mean squared error over *all points of all batches*.
# Sweep once for every batch, not once for every point, and let the gradients accumulate. `squared_error(w, b, point)`
# and `mean_loss(w, b, points)` are there to be used.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Count all points first. Make the two parameters once, before the loop, so that they can collect. In the loop, build a
# loss for this batch in which each point has the weight that it has in the large batch.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# Two batches, of two points and of one: three points. In the mean over everything each point has weight ⅓. In the mean
# of the first batch each has weight ½. To get from ½ to ⅓, multiply by ⅔: the size of the batch over the number of all
# points.
# </details>
#
# <details><summary>Hint 3: the frame</summary>
#
# Before the loop: the number of all points, and the two parameters. In the loop: the loss of one batch, times something
# that turns the batch's mean into its share of the whole mean, and a sweep. After the loop: two gradients.
# </details>
#
# <details><summary>A worked sibling: the mean mark of a school</summary>
#
# ```python
# def mean_mark(classes):
#     pupils = sum(len(marks) for marks in classes)
#     mean = 0.0
#     for marks in classes:
#         mean_of_class = sum(marks) / len(marks)
#         mean += mean_of_class * len(marks) / pupils
#     return mean
# ```
#
# For `[[1, 3], [5]]` the means of the classes are 2 and 5. Their mean is 3.5; that of the school is 2 · ⅔ + 5 · ⅓ = 3.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **the errors are divided twice**: `mean_loss` is a mean already.
# - **the means of the batches are added**: you sweep `mean_loss` of each batch as it is. Compare the weights in Hint 2.
# - **all batches are treated as if they had the same size**: dividing by the number of batches is right only for equal ones.
# - **every point is swept, not every batch**: put the loss of a whole batch together before you sweep it.
# - **only one batch is left in the gradient**: something clears between two sweeps, or the parameters are made inside the loop.
# </details>


# %% nbgrader={"grade": false, "grade_id": "batches", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 15, "difficulty": 3, "importance": 4, "objectives": [4], "allows": ["engine"]}
def gradient_in_batches(w: float, b: float, batches: list[list[tuple[float, float]]]) -> tuple[float, float]:
    """The gradient, for w and for b, of the mean squared error over all points of all batches."""
    ### BEGIN SOLUTION
    count = sum(len(batch) for batch in batches)
    w, b = Scalar(w), Scalar(b)
    for batch in batches:
        (mean_loss(w, b, batch) * (len(batch) / count)).backward()
    return w.grad, b.grad
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-batches", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of gradient_in_batches, with batches of each kind: 10 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import fan_out as unit

_batches = unit.BATCHES["a small one at the end"]
check.repeats(student.gradient_in_batches, 0.5, 0.0, _batches, otherwise=unit.CACHE_OUTLIVES_THE_CALL)
check.function(
    student.gradient_in_batches,
    on=[(0.5, 0.25, batches) for batches in unit.BATCHES.values()],
    like=unit.right_in_batches,
    wrong=unit.GRADIENT_IN_BATCHES,
)
check.leaves_alone(student.gradient_in_batches, 0.5, 0.0, _batches, otherwise=[unit.INPUT_CHANGED] * 3)

# One sweep for each batch, over a graph that is no larger than one batch needs.
_three = [[(1.0, 3.0), (2.0, 5.0)], [(4.0, 9.0), (-1.0, 2.0)], [(0.5, 1.0), (3.0, 0.0)]]
check(
    unit.swept(_three, seed=3.0),
    accept=unit.one_sweep_each(_three, seed=3.0),
    instead=[(sizes, known) for known, sizes in unit.SIZES_OF_GRAPHS.items()],
)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(407)
for _sizes in ((1,), (3, 1), (1, 3), (2, 2, 2), (4, 4, 3), (5, 1, 8, 2), (1,) * 9):
    _batches = [[(_draw.uniform(-2, 2), _draw.uniform(-2, 2)) for _ in range(size)] for size in _sizes]
    _given = _draw.uniform(-2, 2), _draw.uniform(-2, 2), _batches
    check(student.gradient_in_batches(*_given), expect=unit.right_in_batches(*_given))
    check.leaves_alone(student.gradient_in_batches, *_given, otherwise=[unit.INPUT_CHANGED] * 3)
_batches = [[(1, 3), (2, 5)], [(1, 3)], [(2, 5), (1, 3)]]
check(student.gradient_in_batches(1, 2, _batches), expect=unit.right_in_batches(1, 2, _batches))
_many = [[(_draw.uniform(-2, 2), 1.0) for _ in range(3)] for _ in range(5)]
check(unit.swept(_many, seed=-2.0), accept=unit.one_sweep_each(_many, seed=-2.0))
### END HIDDEN TESTS

# %% [markdown]
# Whatever the size of the pieces, the sum is the same. The next cell shows it with your function.

# %%
data = [(0.5 * number, 1.0 + number) for number in range(12)]
try:
    for size in (12, 6, 5, 1):
        pieces = [data[begin : begin + size] for begin in range(0, len(data), size)]
        slope_w, slope_b = gradient_in_batches(0.5, 0.0, pieces)
        said = f"{len(pieces):2} batches of at most {size:2}"
        print(f"{said}: w.grad {slope_w:.6f}  b.grad {slope_b:.6f}")
except (NotImplementedError, NameError):
    print("`gradient_in_batches` is not written yet. When it is, run this cell again.")

# %% [markdown]
# ## In your own words

# %% [markdown]
# ### Exercise: explain when adjoints add, and when they have to go
#
# A friend says: "In one place you write `+=` because gradients have to add up. In the next place you clear them because
# they must not add up. Make up your mind."
#
# Answer in about ten sentences. Say
#
# 1. why contributions add inside one sweep, with numbers from an example with a value that is used twice (not the one from
#    this unit);
# 2. why a node may pass on its adjoint only after all of its users have been visited, and what goes wrong otherwise;
# 3. what happens in training if nobody clears the gradients, and why the sweep nevertheless does not clear the leaves by
#    itself: name one use of the sum over several sweeps.

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain-adding", "locked": false, "points": 20, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "written", "minutes": 15, "difficulty": 3, "importance": 4, "objectives": [1, 3]}
# **Model answer.** Take f = x · (x + 1) at x = 4, with s = x + 1 = 5. The value x is used twice. If x grows by a tiny
# amount h, the factor x grows by h, which moves f by 5h; and s grows by h as well, which moves f by 4h. Both happen at
# once, so f moves by 9h (and by h · h, which vanishes beside h). The adjoint of x is therefore the sum of the two
# contributions, 5 + 4 = 9. With `=` in place of `+=` the last one would remain, 4 or 5 according to the order, and
# either is wrong.
#
# A node passes on its adjoint times a local derivative. If it does so before one of its users has reported, it passes
# on a part of its adjoint, and what arrives later never gets to the nodes below it. Passing on again for each arrival
# would be right, but then the sweep walks every path, and there can be exponentially many.
#
# In training each step wants the gradient at the present parameters. If nobody clears, `.grad` holds the sum over all
# steps so far, taken at places that have been left; the steps grow, overshoot, and may diverge. The sweep cannot know
# whether the next one belongs to the same step. Often it does: a large batch in small pieces, several losses that share
# weights. There the sum over sweeps is just what is wanted: a parameter's use in the second graph is one more use. So
# adding is the rule everywhere, and clearing marks the beginning of a new question.
#
# **Marking guide (20 points).**
#
# - 8 points, part 1: a value used twice (2), both contributions computed with right numbers (3), the reason for the sum: both
#   uses move at once and the result feels both (3). An example without numbers: at most 4. "Because the chain rule says so", alone: 1.
# - 5 points, part 2: passes on an incomplete adjoint (3); later contributions do not reach the nodes below (2).
# - 7 points, part 3: the gradient is a sum over earlier steps, at other parameter values (3); a right use of accumulation, such as
#   mini-batches or two losses (3); the caller knows when, the sweep does not (1).

# %% [markdown]
# ## What you built, and what the frameworks call it
#
# | here | PyTorch | TensorFlow | JAX |
# |---|---|---|---|
# | sum of contributions at a fan-out | gradients of all uses are summed in the backward pass | the tape sums them (`AddN`) | cotangents are added in `backward_pass` |
# | users first, by counting | the engine counts dependencies of every node | the tape walks its record backwards | the recorded operations, from the last to the first |
# | `.grad` of leaves adds up | the same | no `.grad`: each `tape.gradient(…)` returns new numbers | no `.grad`: `jax.grad(f)(x)` returns new numbers |
# | `zero_grad` | `optimizer.zero_grad()`, which sets `.grad` to `None` | nothing to clear | nothing to clear |
# | a large batch in pieces | gradient accumulation: several `backward()`, then one `step()` | add the returned gradients yourself | add the returned gradients yourself |
#
# That `.grad` adds up is PyTorch's choice. In TensorFlow and JAX a gradient is a value that a function returns, so
# there is nothing that could be left over, and whoever wants to accumulate writes the `+`. The fan-out inside one
# gradient is the same everywhere, because it is not a choice.
#
# Here are the same lines under PyTorch and under the engine of this course. Only the import changes.

# %%
lines = """
x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
a = x + y
f = a * y
f.backward()
print("(x + y) · y:        ", float(x.grad), float(y.grad))

(x * x).backward()
print("x · x on top of it: ", float(x.grad), float(y.grad))

x.grad = None
y.grad = None
a = x * x
b = a + x
f = a * b
f.backward()
print("cleared, then a · b:", float(x.grad), y.grad)
"""
for first_line in ("import torch", "import autodiff_lab as torch"):
    print(first_line)
    exec(first_line + lines, {})
    print()

# %% [markdown]
# A second `f.backward()` over this graph stops with an error, in both. The nodes stay linked, but the sweep has freed
# the **saved values**: the operands' values, out of which the local derivatives are computed. With
# `retain_graph=True` they are kept, and then the second sweep adds to the leaves once more, as your mended sweep does.
#
# In one place the two differ. A sum saves nothing, so PyTorch lets you sweep `x + 1` as often as you like; the engine of
# this course refuses every graph that has been swept.

# %%
lines = """
x = torch.tensor(2.0, requires_grad=True)
for said, f in {"x · x": x * x, "x + 1": x + 1.0}.items():
    x.grad = None
    f.backward()
    try:
        f.backward()
        print(said, " two sweeps, x.grad", float(x.grad))
    except RuntimeError:
        print(said, " the second sweep stops")
"""
for first_line in ("import torch", "import autodiff_lab as torch"):
    print(first_line)
    exec(first_line + lines, {})
    print()

# %% [markdown]
# ## Interview questions
#
# **Why does PyTorch add to `.grad` instead of replacing it?**
#
# <details><summary>A good answer</summary>
#
# Inside one backward pass it has to add, since a value with several uses gets the sum of their contributions. Across
# backward passes, a parameter's use in another graph is one more use, so the same rule gives the gradient of the sum of
# all the results. That makes large batches in pieces and several losses work without extra code. The price is that a
# training loop has to clear the gradients, once for each step.
# </details>

# %% [markdown]
# **A network has a billion paths from a weight to the loss. Why is the backward pass not a billion times as expensive
# as the forward pass?**
#
# <details><summary>A good answer</summary>
#
# The sum over paths can be grouped by nodes. All paths through a node share what lies below it, so the sweep first adds
# up everything that arrives at the node and then passes the sum on once. With an order in which users come first, each
# node is visited once and each edge is used once, so the cost grows with the number of operations, as that of the
# forward pass does. This is the distributive law, used at each fan-out.
# </details>

# %% [markdown]
# **You accumulate gradients over four batches, each with a mean loss, and the training behaves as with a learning rate
# that is four times too large. Why, and what else may be different from one batch of four times the size?**
#
# <details><summary>A good answer</summary>
#
# Four means were added where one mean over all points was wanted. Each batch's loss has to be scaled by its share of
# all points; a quarter, if the batches are equal, and its own fraction for a last, smaller batch. What accumulation
# cannot repair are layers that look across the batch, such as batch normalisation: their means and variances are those
# of the small batch. And sums in another order differ in the last digits.
# </details>

# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] unit={"title": "The backward sweep", "question": "How does the chain rule become a sweep?", "minutes": 140, "needs": ["02_local_derivatives"], "objectives": ["Multiply local derivatives along a chain, and say in words what an adjoint is.", "Fill in the adjoint table of a small formula by hand and in code, and choose a test point that hides no bug.", "Write a class that records a computation while it runs.", "Write the backward sweep as a loop that does not mind 10,000 steps.", "Keep the sweep out of branches that need no gradient."], "masks": ["engine", "torch"]}
# # 03 · The backward sweep
#
# An operation knows one thing about itself: how fast its result moves when an operand moves. That is its **local
# derivative**. It knows nothing about the formula it is part of.
#
# A formula of a million operations is a million such small facts. In this unit you join them. You start with a chain
# and a pencil, and you end with a program that records any formula while it is computed, walks back through the record
# once, and leaves at every value the answer to the question: how fast does the result move with *this*?

# %% [markdown]
# ## Predict first
#
# A number goes through three steps:
#
# - $u = 3 \cdot x$, in words: "u is three times x";
# - $v = u + 1$, in words: "v is u plus one";
# - $y = v^2$, in words: "y is v squared".
#
# At $x = 2$ the values are $u = 6$, $v = 7$ and $y = 49$.
#
# Each step alone is easy. Around these values, u moves 3 times as fast as x. v moves exactly as fast as u, that is
# 1 times. And y moves 14 times as fast as v, because the slope of $v^2$ is $2 \cdot v$.

# %% [markdown]
# ### Exercise: predict the slope of a chain
#
# How many times as fast as x does y move, at $x = 2$? Do not compute it with the machine yet. In the next cell, write
# `predicted_slope = …` with your number.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Give x a tiny nudge and follow it. How large is it when it comes out of the first step? That is the nudge that the
# second step receives.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# Nudge x by 0.001. Then u moves by 0.003, because the first step stretches every nudge three times. The second step
# passes 0.003 on as it is. How far does y move, when v moves by 0.003?
# </details>
#
# <details><summary>Hint 3: another chain, solved</summary>
#
# Two gears: the second turns 5 times for each turn of the first, the third turns 2 times for each turn of the second.
# When the first gear turns once, the third turns 10 times.
# </details>

# %% nbgrader={"grade": false, "grade_id": "predicted-slope", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "predict", "minutes": 4, "difficulty": 1, "importance": 4, "objectives": [1]}
### BEGIN SOLUTION
predicted_slope = 42
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-predicted-slope", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
# Test of predicted_slope: 4 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import backward_sweep as unit

check.choice(
    student.get("predicted_slope"),
    "03/slope",
    form="a number",
    right="1d803896d60f",
    instead={
        "f633cfe61955": unit.CHAIN_SLOPES_ADDED,
        "555b9f632ba6": unit.CHAIN_ONE_STEP_ONLY,
        "d0531f0d7a9a": unit.CHAIN_ONE_STEP_ONLY,
        "81f36c88ab2f": unit.VALUE_FOR_ADJOINT,
        "5e1569524692": unit.VALUE_FOR_ADJOINT,
    },
)

# %% [markdown]
# ## A chain multiplies
#
# Now let the machine nudge. The cell moves x a little and prints how far each value moves for each unit that x moved.


# %%
def steps_of_the_chain(x: float) -> dict[str, float]:
    u = 3 * x
    v = u + 1
    y = v**2
    return {"x": x, "u": u, "v": v, "y": y}


nudge = 1e-6
before, after = steps_of_the_chain(2.0), steps_of_the_chain(2.0 + nudge)
print("value   at x = 2   moves, for each unit of x")
for name in before:
    print(f"{name:5}   {before[name]:8.1f}   {(after[name] - before[name]) / nudge:10.3f}")

# %% [markdown]
# The nudge that x receives is tripled, passed on as it is, and then multiplied by 14. The factors **multiply**:
#
# $$\frac{dy}{dx} = \frac{dy}{dv} \cdot \frac{dv}{du} \cdot \frac{du}{dx}$$
#
# In words: how fast y moves with x is how fast y moves with v, times how fast v moves with u, times how fast u moves
# with x. This is the chain rule, and it is all the calculus that this course needs.
#
# Why not add? Because each step stretches what *comes out of* the step before. Adding would mean that the input reaches
# the result on several separate ways. In a chain there is one way.

# %% [markdown]
# ## The adjoint
#
# The slope of the whole chain is one number. The same factors tell more. Cut the chain anywhere and ask how fast y moves
# with the value at the cut:
#
# - with v: one step is left, so it is that step's local derivative;
# - with u: two steps are left, so it is the product of two factors;
# - with x: all three;
# - and with y itself: no step is left. y moves exactly as fast as y. The answer is **1**.
#
# This number has a name: the **adjoint** of a value is how fast the result moves when that value moves. It is one plain
# number for each value. Here is the chain with both numbers in every box:

# %%
import autodiff_lab as ad
from autodiff_lab import draw

x = ad.Scalar(2.0)
u = 3 * x
v = u + 1
y = v**2
draw(y, adjoints=True, x=x, u=u, v=v, y=y)

# %% [markdown]
# Do not mix the two. The **value** of v says how large v is. The **adjoint** of v says how much v matters to y. Values
# are computed from the input towards the result, adjoints from the result towards the input.
#
# An adjoint can be exactly 0: then the result does not move with this value, here. That is an answer too, and a
# different one from "nobody has asked".

# %% [markdown]
# ## Every step hands its adjoint on
#
# You could compute every adjoint of a chain as a product of its own. For a chain of n steps that makes about n²/2
# multiplications, half a million for a thousand steps, and most of them have been done before. Neighbours differ by
# one factor:
#
# $$\text{adjoint of } u = \text{adjoint of } v \;\cdot\; \frac{dv}{du}$$
#
# In words: the adjoint of an operand is the adjoint of the value above it, times the local derivative of the step
# between them. So begin at the result with 1, and walk back. Each step takes the adjoint from above, multiplies it by
# its local derivative, and hands the product on. One multiplication for each step gives *all* adjoints. That is the
# **backward sweep**. The 1 at its start is called the **seed**.

# %% [markdown]
# ### Exercise: the adjoints along a chain
#
# A chain has n steps and n + 1 values. `partials` is the list of the n local derivatives, first step first. (A local
# derivative with respect to one operand is also called a **partial**, and that is the short name we use in code.)
#
# Write `adjoints_along(partials)`, which returns the list of the n + 1 adjoints, in the order of the chain: the input's
# first, the result's last.
#
# - Use each local derivative once: at most one or two multiplications for each step.
# - Leave the list `partials` as you got it.
# - A chain without steps has one value, which is input and result at once.
# - A chain may have 10,000 steps.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Which of the n + 1 adjoints do you know without any computation? Begin there. Then go through the steps, last step
# first, and get each adjoint from the one before.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# ```text
# partials          5          2          4
# values       v0 -----> v1 -----> v2 -----> v3
# adjoints     40 <-- 8·5 8 <-- 4·2 4 <-- 1·4 1
# ```
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. A list that holds the one adjoint that you know.
# 2. A loop over the steps. In which direction? In each round one new adjoint, made of the last one.
# 3. The list is in the order of the sweep now. Which order is asked for?
# </details>
#
# <details><summary>A worked sibling</summary>
#
# A train has three legs of 5, 2 and 4 km. How far is it from each of the four stations to the terminus? Start there,
# where it is 0, and walk back: each station is one leg further away than the next.
#
# ```python
# def left_to_go(legs):
#     at_stations = [0]
#     for leg in reversed(legs):
#         at_stations.append(at_stations[-1] + leg)
#     return at_stations[::-1]       # [11, 6, 4, 0]: first station first
# ```
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **the sweep starts without a seed**: the list has to hold n + 1 numbers, and the last one is the result's own.
# - **the adjoint from above is left out**: you return the local derivatives themselves. Compare with Hint 2: the
#   adjoint of v0 is not 5.
# - **the product is built from the input's end**: you multiply what lies *before* a value, and not what lies after it.
# - **the right adjoints in the order in which the sweep finds them**: one reversal is missing at the end.
# - **every adjoint is computed from scratch**: keep the last adjoint in a variable, and multiply it once more.
# - **factors are divided out of the whole product**: a partial can be 0, and nothing can be divided by it.
# </details>


# %% nbgrader={"grade": false, "grade_id": "adjoints-along", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 12, "difficulty": 2, "importance": 5, "objectives": [1]}
def adjoints_along(partials: list[float]) -> list[float]:
    """Adjoints of all n + 1 values of a chain with n steps, input first.

    `partials[i]` is the local derivative of step i, the one that makes value i + 1 of value i.
    """
    ### BEGIN SOLUTION
    adjoint = 1.0
    found = [adjoint]
    for partial in reversed(partials):
        adjoint = adjoint * partial
        found.append(adjoint)
    return found[::-1]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-adjoints-along", "locked": true, "points": 12, "schema_version": 3, "solution": false, "task": false}
# Test of adjoints_along: 12 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import backward_sweep as unit

check.repeats(student.adjoints_along, [5.0, 2.0, 4.0], otherwise=unit.CACHE_OUTLIVES_THE_CALL)
_some = "the example", "no step", "one step", "two steps", "many steps", "equal steps", "a step of 1"
_more = "all negative", "whole numbers", "zero first", "zero between", "zero last"
check.function(
    student.adjoints_along,
    on=unit.chains(*_some, *_more, seed=3),
    like=unit.chain_adjoints,
    wrong=unit.CHAIN,
)
check.leaves_alone(student.adjoints_along, [3.0, 1.0, 14.0], otherwise=unit.GIVEN_LIST_CHANGED)
check.counts(
    student.adjoints_along,
    unit.long_chain(300, seed=4),
    like=unit.chain_adjoints,
    multiplications=602,
    rounded=unit.is_one_sweep,
    otherwise=unit.PRODUCT_RESTARTED,
)
_long = unit.long_chain(10_000, seed=5)
check.goes_deep(student.adjoints_along, _long, like=unit.chain_adjoints, recurses=unit.SWEEP_RECURSES)
### BEGIN HIDDEN TESTS
check.function(
    student.adjoints_along,
    on=[*unit.chains(seed=31), *unit.chains(seed=32), [float("inf"), 2.0], [0.0, 0.0], [1, 2, 3]],
    like=unit.chain_adjoints,
)
check.leaves_alone(student.adjoints_along, unit.long_chain(5, seed=33), otherwise=unit.GIVEN_LIST_CHANGED)
check.goes_deep(
    student.adjoints_along,
    unit.long_chain(20_001, seed=34),
    like=unit.chain_adjoints,
    recurses=unit.SWEEP_RECURSES,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Forward, then backward
#
# Here is the formula that goes with you through this unit:
#
# $$\text{loss} = (x \cdot w + b - t)^2$$
#
# In words: multiply x by w, add b, subtract t, square. Read it as the smallest machine that learns. x is what it is
# shown, w and b are what it can adjust, t is the target it should have hit, and the loss says how badly it missed. With
# names for everything in between:
#
# - $m = x \cdot w$ (the product),
# - $z = m + b$ (the output),
# - $e = z - t$ (the error),
# - $\text{loss} = e^2$.

# %% [markdown]
# ### Exercise: the order of a sweep
#
# The machine computes four values and then adjoints. Nine of these events are listed here, shuffled. In which order do
# they happen?
#
# - **A** — the value of z
# - **B** — the adjoint of e
# - **C** — the value of the loss
# - **D** — the adjoint of w
# - **E** — the value of m
# - **F** — the adjoint of the loss
# - **G** — the adjoint of z
# - **H** — the value of e
# - **I** — the adjoint of m
#
# Write `sweep_order = "…"` with the nine letters, first event first. (A list of letters is fine as well.)
#
# <details><summary>Hint 1: a sketch</summary>
#
# An adjoint needs the adjoint of the value above it, and the local derivative in between. The local derivative of
# $e^2$ is $2 \cdot e$: it needs the *value* of e.
# </details>
#
# <details><summary>Hint 2: a shorter one, solved</summary>
#
# For the chain $u = 3x$, $v = u + 1$, $y = v^2$: value of u, value of v, value of y, then adjoint of y, adjoint of v,
# adjoint of u, adjoint of x.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# The first four letters are the four values, the last five the five adjoints. The fifth letter is the seed.
# </details>

# %% nbgrader={"grade": false, "grade_id": "sweep-order", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "order", "minutes": 5, "difficulty": 1, "importance": 4, "objectives": [1]}
### BEGIN SOLUTION
sweep_order = "EAHCFBGID"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-sweep-order", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of sweep_order: 6 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import backward_sweep as unit

check.choice(
    student.get("sweep_order"),
    "03/order",
    form="the nine letters in quotation marks, first event first",
    right={"8e91d4cab029", "5f3145b25c4c", "e607bd470189"},
    instead={
        "ed85ecebe380": unit.SWEEP_FROM_THE_WRONG_END,
        "f3aa25ecce26": unit.SWEEP_FROM_THE_WRONG_END,
        "c1efca18ec97": unit.BACKWARD_BEFORE_FORWARD,
        "a162cde8ce68": unit.BACKWARD_BEFORE_FORWARD,
        "da1f530fbcf2": unit.BACKWARD_BEFORE_FORWARD,
        "2d0574a14b31": unit.BACKWARD_BEFORE_FORWARD,
        "c81ccacf7401": unit.BACKWARD_BEFORE_FORWARD,
        "e3c5947b5603": unit.BACKWARD_BEFORE_FORWARD,
    },
    hint="Values run from the inputs to the loss; adjoints begin when the last value is there.",
)

# %% [markdown]
# ## The adjoint table
#
# A formula with several inputs is a chain with branches. The rule stays the same, only that an operation with two
# operands hands something to *each* of them: the adjoint from above, times the local derivative for that operand.
#
# | operation | to its first operand | to its second operand |
# |---|---|---|
# | $z = m + b$ | adjoint of z, times 1 | adjoint of z, times 1 |
# | $e = z - t$ | adjoint of e, times 1 | adjoint of e, times −1 |
# | $m = x \cdot w$ | adjoint of m, times w | adjoint of m, times x |
# | $\text{loss} = e^2$ | adjoint of the loss, times $2 \cdot e$ | |
#
# Take $x = 2$, $w = 3$, $b = 1$, $t = 10$ and a pencil. Write down the four values, then the eight adjoints, the loss
# first. Then look at the picture.

# %%
x, w, b, t = ad.Scalar(2.0), ad.Scalar(3.0), ad.Scalar(1.0), ad.Scalar(10.0)
m = x * w
z = m + b
e = z - t
loss = e**2
draw(loss, adjoints=True, x=x, w=w, b=b, t=t, m=m, z=z, e=e, loss=loss)

# %% [markdown]
# Read one row of it aloud. "The adjoint of w is −12" means: when w grows by a tiny amount, the loss falls by 12 times
# that amount. A machine that wants a smaller loss now knows what to do with w. This is how it learns.
#
# Now move the inputs yourself. Every value and every adjoint follows.

# %%
from autodiff_lab.widgets import GraphExplorer

formula = {
    "x": ("input",),
    "w": ("input",),
    "b": ("input",),
    "t": ("input",),
    "m": ("*", "x", "w"),
    "z": ("+", "m", "b"),
    "e": ("-", "z", "t"),
    "two": ("const", 2.0),
    "loss": ("**", "e", "two"),
}
GraphExplorer(formula, inputs={"x": 2.0, "w": 3.0, "b": 1.0, "t": 10.0}, backward=True, low=-10, high=10)

# %% [markdown]
# **Try this.**
#
# 1. Move t until the loss is 0. What are the adjoints now, and why all of them?
# 2. Move t so that z is *above* the target. Which signs change?
# 3. Set x to 0. One adjoint among the inputs becomes 0. Why this one, and not that of x?
# 4. Find a setting in which the adjoints of x and w are equal.
#
# <details><summary>Answers</summary>
#
# 1. t = 7. All adjoints are 0 but the loss's own, which is 1 as ever. The slope of $e^2$ is $2 \cdot e$, and e is 0:
#    at the bottom of a parabola a tiny step changes nothing. Everything below e is a multiple of that 0.
# 2. All but the loss's. At t = 5 the error is 2, and the adjoints of x, w, b, t are 12, 8, 4, −4; at t = 10 they were
#    −18, −12, −6, 6.
# 3. That of w: its local derivative in $m = x \cdot w$ is x, which is 0. That of x is −54 at x = 0, because *its*
#    local derivative is w.
# 4. Wherever w equals x, and wherever the loss is 0.
# </details>

# %% [markdown]
# ### Exercise: fill in the adjoint table
#
# Write `adjoint_table(x, w, b, t)` for $\text{loss} = (x \cdot w + b - t)^2$. It returns a dictionary with the adjoints
# of all eight values, under the names `"loss"`, `"e"`, `"z"`, `"m"`, `"x"`, `"w"`, `"b"` and `"t"`. The values are
# computed for you.
#
# Go by the table above, line by line, and use no other adjoint than the one right above.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Eight lines, in the order of the sweep: loss, e, z and t, m and b, x and w. Only the first one is not a product.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# At x = 5, w = 1, b = 2, t = 4 the values are m = 5, z = 7, e = 3, loss = 9, and the sweep gives
#
# ```text
# loss                1
# e        1 · 2·3  = 6
# z        6 · 1    = 6        t    6 · (−1) = −6
# m        6 · 1    = 6        b    6 · 1    = 6
# x        6 · w    = 6        w    6 · x    = 30
# ```
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# Begin with `adjoint = {"loss": 1.0}` and write one line for each row of the table, from the loss down. A line reads
# one entry that is there already and multiplies it by one local derivative. Ask of each line: which value is right
# above this one, and does it grow or shrink when this one grows?
# </details>
#
# <details><summary>A worked sibling</summary>
#
# $p = (a - b \cdot c) \cdot d$ at a = 10, b = 2, c = 3, d = 4. The values are $k = b \cdot c = 6$, $s = a - k = 4$ and
# $p = s \cdot d = 16$, and the sweep gives
#
# ```text
# p     1
# s     1 · d    =   4        d     1 · s    =   4
# a     4 · 1    =   4        k     4 · (−1) =  −4
# b    −4 · c    = −12        c    −4 · b    =  −8
# ```
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **subtraction's second operand loses its sign**: look at `"t"`. A larger target makes the error smaller.
# - **multiplication hands each operand its own value**: `"x"` and `"w"` are exchanged.
# - **the adjoint from above is left out**: somewhere a line holds a bare local derivative, without the adjoint above.
# - **the seed is not 1**: `"loss"` is the adjoint of the loss, not its value.
# - **a value is used where an adjoint belongs**: in the dictionary stand adjoints only; `z` itself is a value.
# - **an adjoint is used where a value belongs**: the local derivative for w is the value x, and not `adjoint["x"]`.
# </details>


# %% nbgrader={"grade": false, "grade_id": "adjoint-table", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 12, "difficulty": 2, "importance": 5, "objectives": [2]}
def adjoint_table(x: float, w: float, b: float, t: float) -> dict[str, float]:
    """Adjoints of loss, e, z, m, x, w, b and t for loss = (x·w + b − t)²."""
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    ### BEGIN SOLUTION
    adjoint = {"loss": 1.0}
    adjoint["e"] = adjoint["loss"] * 2 * e
    adjoint["z"] = adjoint["e"] * 1
    adjoint["t"] = adjoint["e"] * -1
    adjoint["m"] = adjoint["z"] * 1
    adjoint["b"] = adjoint["z"] * 1
    adjoint["x"] = adjoint["m"] * w
    adjoint["w"] = adjoint["m"] * x
    return adjoint
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-adjoint-table", "locked": true, "points": 12, "schema_version": 3, "solution": false, "task": false}
# Test of adjoint_table: 12 points
from autodiff_lab import draw
from autodiff_lab.checks import check, student
from autodiff_lab.units import backward_sweep as unit

_kinds = "the example", "any", "another", "all negative", "whole numbers", "opposite factors"
_special = "equal factors", "x is 0", "w is 0", "the loss is 0", "the loss is 1"
check.function(
    student.adjoint_table,
    on=unit.points(*_kinds, *_special, seed=33),
    like=unit.table,
    wrong=unit.TABLE,
    picture=lambda *at: draw(*unit.table_picture(*at)),
)
### BEGIN HIDDEN TESTS
check.function(
    student.adjoint_table,
    on=[
        *unit.points(seed=34),
        *unit.points(seed=35),
        (0.0, 0.0, 0.0, 0.0),
        (1.0, 1.0, 1.0, 1.0),
        (1e6, -1e-6, 3.0, 1e3),
    ],
    like=unit.table,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Where a bug hides
#
# A wrong rule is not wrong everywhere. If you test a gradient at one point, and the point is special, a bug can look
# right. Four people wrote the adjoint table, and each made one mistake. Call them mutants:
#
# - **A** starts the sweep with the loss instead of 1. All other lines are right.
# - **B** hands each factor of the product its own value: to x it sends the adjoint of m times x, and to w the adjoint
#   of m times w.
# - **C** forgets the square: it hands the seed 1 on to e as it is.
# - **D** hands $e^2$ to e, the value of the square, where the slope $2 \cdot e$ belongs.
#
# A test compares a mutant's adjoints of x, w, b and t with the right ones. A **blind spot** of a mutant is an input
# `(x, w, b, t)` at which all four are right.

# %% [markdown]
# ### Exercise: find the blind spots
#
# Write `blind_spots()`, which returns a dictionary with five entries. `"A"`, `"B"`, `"C"` and `"D"` hold one blind spot
# each, as a tuple `(x, w, b, t)`. `"good"` holds a point that catches all four mutants.
#
# A loss of 0 would be a blind spot of A, B and D at once. (Why, and why not of C?) That is too easy: in the entries A to D
# **the loss must not be 0**, and neither must x or w.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Each mutant replaces one number by another. Its blind spot is where the two numbers are equal. C, for instance, uses 1
# where $2 \cdot e$ belongs.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# Suppose a mutant uses $e + 5$ where $2 \cdot e$ belongs. The two are equal at e = 5. One input with e = 5 is
# x = 2, w = 3, b = 1, t = 2, because 2·3 + 1 − 2 = 5.
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# For A, C and D write an equation for e: what the mutant uses = what is right. Solve it, and choose t so that
# $x \cdot w + b - t$ is that e. B is about x and w alone. The good point has nothing of all this.
# </details>
#
# <details><summary>A worked sibling</summary>
#
# A mutant E hands x the adjoint of m times $w^2$, where w belongs. It is right where $w^2 = w$, that is at w = 0 and at
# w = 1. The first is ruled out. So `(2.0, 1.0, 1.0, 10.0)` is a blind spot of E: whatever x, b and t are, E is right.
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **the mutant is caught at this point**: put the two rules next to each other, as equations, and solve for e.
# - **the blind spot is one that was ruled out**: x, w or the loss is 0 there.
# - **the point is so special that a wrong rule is right there**: your `"good"` point is a blind spot of some mutant.
# </details>


# %% nbgrader={"grade": false, "grade_id": "blind-spots", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "kill_mutant", "minutes": 10, "difficulty": 3, "importance": 3, "objectives": [2]}
def blind_spots() -> dict[str, tuple[float, float, float, float]]:
    """A blind spot (x, w, b, t) of each mutant, and a "good" point that catches all four."""
    ### BEGIN SOLUTION
    return {
        "A": (2.0, 3.0, 1.0, 6.0),  # e = 1, so the loss is 1
        "B": (3.0, 3.0, 1.0, 7.0),  # x equals w
        "C": (2.0, 3.0, 1.0, 6.5),  # e = 1/2, so 2·e is 1
        "D": (2.0, 3.0, 1.0, 5.0),  # e = 2, so e² is 2·e
        "good": (3.0, 4.0, 5.0, 10.0),  # e = 7
    }
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-blind-spots", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of blind_spots: 6 points
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

for _mutant in "ABCD":
    check(
        unit.spot(_mutant),
        accept=unit.blind(_mutant),
        instead=unit.blind_spot_rules(_mutant),
    )
check(unit.spot("good"), accept=unit.catches_all, instead=unit.GOOD_POINT_RULES)

# %% [markdown]
# What is it good for? In unit 02 you checked slopes against measured ones. A sweep can be checked in the same way, and the
# check is as good as its points. The next cell runs one on the four broken sweeps, at your blind spots and at your good
# point. It makes the mutants' adjoints out of your own `adjoint_table`.


# %%
def broken(mutant: str, x: float, w: float, b: float, t: float) -> list[float]:
    """What a mutant's sweep leaves at x, w, b and t, made of the right table."""
    table, e = adjoint_table(x, w, b, t), x * w + b - t
    if mutant == "B":
        table["x"], table["w"] = table["w"], table["x"]
    factor = {"A": e**2, "C": 1 / (2 * e), "D": e / 2}.get(mutant, 1.0)
    return [factor * table[name] for name in "xwbt"]


def gradient_check(mutant: str, point: tuple[float, ...], h: float = 1e-5) -> str:
    """Compares a mutant's adjoints with measured slopes of the loss."""
    loss = lambda x, w, b, t: (x * w + b - t) ** 2
    for place, adjoint in enumerate(broken(mutant, *point)):
        up, down = list(point), list(point)
        up[place], down[place] = point[place] + h, point[place] - h
        measured = (loss(*up) - loss(*down)) / (2 * h)
        if abs(measured - adjoint) > 1e-6 * max(1.0, abs(measured)):
            return "caught"
    return "passes"


try:
    chosen = blind_spots()
    for mutant in "ABCD":
        at_spot, at_good = gradient_check(mutant, chosen[mutant]), gradient_check(mutant, chosen["good"])
        print(f"mutant {mutant}: {at_spot} at its blind spot, {at_good} at the good point")
except NotImplementedError:
    print("Not yet: solve `adjoint_table` and `blind_spots` above, then run this cell again.")
except Exception as error:
    print(f"Not yet: {type(error).__name__}: {error}")

# %% [markdown]
# Each mutant passes a real gradient check, at one point. The lesson for the tests that you will write: operands that
# differ, no number at which two rules could meet (0, 1/2, 1 and 2 are the usual ones), and above all **more than one
# point**. The checks in this course draw theirs for this reason.

# %% [markdown]
# ## A value that records
#
# So far you knew the formula and wrote its sweep by hand. Nobody does that for a million operations. But a running
# program *shows* its formula: every operation is carried out at some moment, and at that moment everything that the
# sweep will need later is at hand. It only has to be written down.
#
# What does the sweep need of a value? Here is the whole list, as a class. It only stores.


# %% nbgrader={"grade": false, "grade_id": "node", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Node:
    """One value of a computation, and how it came about."""

    def __init__(self, data, operands=(), partials=(), requires_grad=True):
        self.data = data  # the value, a number
        self.operands = operands  # the nodes that it was computed from; empty for a leaf
        self.partials = partials  # the local derivative for each operand, in the same order
        self.requires_grad = requires_grad  # does anybody want the adjoint of this node?
        self.grad = None  # the adjoint; None as long as no sweep has been here


# %% [markdown]
# A node without operands is a **leaf**: an input of the formula. Here is $m = x \cdot w$ at x = 2 and w = 3, recorded by
# hand:

# %%
x = Node(2.0)
w = Node(3.0)
m = Node(x.data * w.data, operands=(x, w), partials=(w.data, x.data))

print("the value of m:", m.data)
print("its operands are the very nodes x and w:", m.operands[0] is x and m.operands[1] is w)
print("its partials:", m.partials)

# %% [markdown]
# The partials are plain numbers, computed at once, from the values of this moment. When the sweep comes by, much later,
# it does not need to know that there was a multiplication. It reads the number.
#
# Now let Python do the writing. When it meets `x * w` and x is an object of your class, it calls
# `x.__mul__(w)`. So you define what `*` means: compute the product, *and* record how it came about.
#
# An operation only ever makes a new node. x and w stay as they are, since other operations may use them too.

# %% [markdown]
# ## Numbers on either side
#
# Formulas contain plain numbers as well, as in `3.0 * x + 1.0`. Four things to know:
#
# 1. **A number becomes a constant node**, `Value(3.0, requires_grad=False)`, so that all operands look alike. Something
#    that is a node already stays what it is: a node wrapped in a node would be a new leaf, and the adjoint would end
#    there.
# 2. **A number on the left.** In `5.0 - x` Python first asks the number 5.0, which knows nothing of your class. Then
#    it calls `x.__rsub__(5.0)`: the **reflected** method, with the operands exchanged. For + and × the order does not
#    matter. For − and ÷ it does.
# 3. **Do not ask the number again.** Inside `__radd__(self, other)` the number is `other`. `other + self` would ask the
#    number once more, which would call `__radd__` once more, and so on until Python gives up.
# 4. **Who needs a gradient?** A result needs one as soon as *any* of its operands does. `3.0 * x` moves when x moves.
#    Only what is made of constants alone is a constant.
#
# `sum([x, w, b])` is a nice test of all this: Python starts it with `0 + x`.

# %% [markdown]
# ### Exercise: a value that records
#
# Finish the class `Value`. It is a `Node` (so it has the same five attributes) with operators. `**` with a plain number
# as the exponent is given, as a pattern for the others.
#
# - `as_value(other)` returns a node for whatever stands next to an operator: a plain number becomes a constant node, a
#   `Value` stays itself.
# - `+`, `-`, `*` and `/` take a `Value` or a number on either side and return a new `Value`, with its operands, their
#   partials, and the right `requires_grad`.
# - All operands are nodes, never bare numbers.
#
# Three tests earn by themselves: operations between two `Value`s, numbers on either side, and who needs a gradient.
#
# The local derivatives that you need: for $a + b$ they are 1 and 1; for $a - b$, 1 and −1; for $a \cdot b$, b and a; for
# $a / b$, $1/b$ and $-a/b^2$.
#
# <details><summary>Hint 1: a sketch</summary>
#
# All four operators do the same five things: make a node of `other`, compute the result, name the two operands, compute
# the two partials, decide about `requires_grad`. A reflected method is the same operator with the roles exchanged, so
# it can *call* the operator once both sides are nodes.
# </details>
#
# <details><summary>Hint 2: what has to come out</summary>
#
# ```text
# expression               data    operands    partials         requires_grad
# Value(6.0) / Value(2.0)   3.0    (6, 2)      (0.5, −1.5)      True
# Value(6.0) / 2.0          3.0    (6, 2)      (0.5, −1.5)      True     the node of 2.0: False
# 6.0 / Value(2.0)          3.0    (6, 2)      (0.5, −1.5)      True     the node of 6.0: False
# ```
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# - `as_value`: two cases. Which one comes back as it is, and which flag does the other one need?
# - `__mul__`: `other = as_value(other)` first. Then `return Value(…)` with four things: a number, two nodes, two
#   numbers, and a flag that is true when that of *either* operand is. `__pow__` above shows it for one operand.
# - `__rsub__`: once the number is a node, `-` between two nodes works already. Which one stands on the left?
# </details>
#
# <details><summary>A worked sibling</summary>
#
# A class that records what is computed from it as a text, such as `(2 - x)`:
#
# ```python
# def as_text(other):
#     return other if isinstance(other, Text) else Text(str(other))
#
# class Text:
#     def __init__(self, shown):
#         self.shown = shown
#
#     def __sub__(self, other):      # x - 2
#         other = as_text(other)
#         return Text(f"({self.shown} - {other.shown})")
#
#     def __rsub__(self, other):     # 2 - x
#         return as_text(other).__sub__(self)
# ```
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **a Value is wrapped in another Value**: `as_value` has to give a `Value` back as it is.
# - **a reflected − or ÷ computes in the wrong order**: in `__rsub__` the other operand is the one on the left.
# - **a reflected method calls itself without end**: never write `other + self` while `other` is still a number.
# - **one constant operand switches the gradient off**: is it "and", or is it "or"?
# - **something constant asks for, or gets, a gradient**: the node made of a plain number has `requires_grad=False`.
# - **a plain number is taken for a node**: call `as_value(other)` before you ask for `other.data`.
# - **a bare number is stored among the operands**: make the node first, then store it.
# - **the operation returns a number, not a Value**: wrap the result, or the record ends here.
# - **an operator computes with nodes, and so calls itself without end**: inside `__add__`, add the two `data`.
# - **the partials are computed when they are read**: store numbers, not something that looks at the operands later.
# </details>


# %% nbgrader={"grade": false, "grade_id": "value", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 25, "difficulty": 3, "importance": 5, "objectives": [3]}
def as_value(other: "Value | float") -> "Value":
    """A node for what stands next to an operator: a Value as it is, a number as a constant."""
    ### BEGIN SOLUTION
    return other if isinstance(other, Value) else Value(other, requires_grad=False)
    ### END SOLUTION


class Value(Node):
    """A number that records what is computed from it."""

    def __pow__(self, exponent: float) -> "Value":
        """self ** exponent, with a plain number as the exponent. Given as a pattern."""
        partial = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (partial,), self.requires_grad)

    def __add__(self, other: "Value | float") -> "Value":
        """self + other"""
        ### BEGIN SOLUTION
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        return Value(self.data + other.data, (self, other), (1.0, 1.0), needed)
        ### END SOLUTION

    def __sub__(self, other: "Value | float") -> "Value":
        """self - other"""
        ### BEGIN SOLUTION
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        return Value(self.data - other.data, (self, other), (1.0, -1.0), needed)
        ### END SOLUTION

    def __mul__(self, other: "Value | float") -> "Value":
        """self * other"""
        ### BEGIN SOLUTION
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        return Value(self.data * other.data, (self, other), (other.data, self.data), needed)
        ### END SOLUTION

    def __truediv__(self, other: "Value | float") -> "Value":
        """self / other"""
        ### BEGIN SOLUTION
        other = as_value(other)
        needed = self.requires_grad or other.requires_grad
        partials = 1.0 / other.data, -self.data / other.data**2
        return Value(self.data / other.data, (self, other), partials, needed)
        ### END SOLUTION

    def __radd__(self, other: float) -> "Value":
        """other + self, where other is a plain number"""
        ### BEGIN SOLUTION
        return as_value(other) + self
        ### END SOLUTION

    def __rsub__(self, other: float) -> "Value":
        """other - self, where other is a plain number"""
        ### BEGIN SOLUTION
        return as_value(other) - self
        ### END SOLUTION

    def __rmul__(self, other: float) -> "Value":
        """other * self, where other is a plain number"""
        ### BEGIN SOLUTION
        return as_value(other) * self
        ### END SOLUTION

    def __rtruediv__(self, other: float) -> "Value":
        """other / self, where other is a plain number"""
        ### BEGIN SOLUTION
        return as_value(other) / self
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-value", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of Value, operations between two of them: 6 points
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

check(unit.as_value_of_a_value(), expect=7.5, instead={None: unit.NODE_IN_NODE})
_pairs = unit.pairs("the example", "any", "one negative", "equal", "whole numbers", seed=36)
_between = check.expressions(unit.recorded, like=unit.computed, on=_pairs)
_between("x + w", "x - w", "x * w", "x / w", wrong=unit.between_values)

_pairs = unit.pairs("zero left", "zero right", "two whole zeros", seed=37)
_with_zeros = check.expressions(unit.recorded, like=unit.computed, on=_pairs)
_with_zeros("x + w", "x - w", "x * w", wrong=unit.between_values)
### BEGIN HIDDEN TESTS
_pairs = [pair for seed in (361, 362, 363) for pair in unit.pairs(*unit.DIVISIBLE, seed=seed)]
_between = check.expressions(unit.recorded, like=unit.computed, on=_pairs)
_between("x + w", "x - w", "x * w", "x / w", "w - x", "w / x")
_between("x + x", "x - x", "x * x", "x / x", "(x + w) * (x - w) / w")
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-value--numbers", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of Value, numbers on either side: 6 points
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

check.function(unit.as_value_of, on=[3.0, 3, 0.0, 0, -2.5], like=unit.constant, wrong=unit.AS_VALUE_OF)
_pairs = unit.pairs("the example", "any", "one negative", "equal", "whole numbers", seed=38)
_with_numbers = check.expressions(unit.recorded, like=unit.computed, on=_pairs)
_with_numbers("x + c", "x - c", "x * c", "x / c", wrong=unit.number_on_the_right)
_with_numbers("c + x", "c - x", "c * x", "c / x", wrong=unit.number_on_the_left)
_with_numbers("(x * w + 1.0 - 10.0) ** 2", "sum([x, w])", "5 - x / 4 + 2 * w")

_pairs = unit.pairs("zero left", "zero right", "two whole zeros", seed=39)
_with_zeros = check.expressions(unit.recorded, like=unit.computed, on=_pairs)
_with_zeros("x + c", "x - c", "x * c", wrong=unit.number_on_the_right)
_with_zeros("c + x", "c - x", "c * x", wrong=unit.number_on_the_left)
check(unit.nodes_of_numbers(), accept=unit.are_constants, instead=unit.NODES_OF_NUMBERS)
### BEGIN HIDDEN TESTS
_pairs = [pair for seed in (381, 382, 383) for pair in unit.pairs(*unit.DIVISIBLE, seed=seed)]
_with_numbers = check.expressions(unit.recorded, like=unit.computed, on=_pairs)
_with_numbers("x + c", "x - c", "x * c", "x / c", "c + x", "c - x", "c * x", "c / x")
_with_numbers("4.0 - (1.0 / (x * 3) - 0.5) / (w - 50.0) + 2 * (3 - c / 4)")
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-value--gradient", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
# Test of Value, who needs a gradient: 4 points
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

check(unit.needs(["x + w", "x - w", "x * w", "x / w"]), expect=[True] * 4)
for _pair, _needed in {
    "x ∘ k": True,
    "k ∘ x": True,
    "x ∘ 3.0": True,
    "j ∘ k": False,
    "z ∘ k": False,
    "k ∘ 3.0": False,
}.items():
    check.flags(
        unit.needs,
        {_pair.replace("∘", sign): _needed for sign in "+-*/"},
        missing=unit.CONSTANT_BLOCKS_GRADIENT,
        surplus=unit.CONSTANT_GETS_GRADIENT,
    )
check.flags(
    unit.needs,
    {"k + z": False, "k * z": False, "(x + k) * j": True, "(j + k) * 3.0": False},
    missing=unit.CONSTANT_BLOCKS_GRADIENT,
    surplus=unit.CONSTANT_GETS_GRADIENT,
)
check(unit.needs(["o + k", "k - o", "o * o"]), expect=[True] * 3)
### BEGIN HIDDEN TESTS
_texts = {"j / (k - x)": True, "j * k - 1.0": False, "z - k": False, "(o * o) / k": True}
check(unit.needs(list(_texts)), expect=list(_texts.values()))
### END HIDDEN TESTS

# %% [markdown]
# ## The sweep is a loop
#
# The record holds everything that the sweep needs: each node knows its operands and the partial for each of them. Start
# with a plain chain, where every node has one operand. Here is the chain from the beginning of the unit, $y = (3x + 1)^2$
# at x = 2, as four nodes:

# %%
x = Node(2.0)
u = Node(6.0, (x,), (3.0,))
v = Node(7.0, (u,), (1.0,))
y = Node(49.0, (v,), (14.0,))
print(
    "y, its operand, the operand of that, …:",
    y.data,
    y.operands[0].data,
    y.operands[0].operands[0].data,
)
print("grad of x before any sweep:", x.grad)

# %% [markdown]
# The sweep stands at one node at a time. There it reads the node's own adjoint, multiplies it by the partial, writes the
# product into the operand's `grad`, and steps down to the operand. It stops at a leaf, a node without operands.
#
# It is tempting to write a function that calls itself for the operand. Do not: Python allows about a thousand nested
# calls, and ten thousand steps are nothing unusual. A loop with one variable, "where am I", does the same and has no
# limit.

# %% [markdown]
# ### Exercise: backward along a chain
#
# Write `backward_chain(root)`. `root` is the last node of a chain of `Node` objects. After the call, every node of the
# chain has its adjoint in `grad`, from the root to the leaf. Nothing else in the nodes changes, and the function
# returns nothing.
#
# A chain can have 10,000 steps. It can also be a single leaf.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Two lines before the loop: the seed, and where you stand. The loop runs as long as there is an operand to step down to.
# </details>
#
# <details><summary>Hint 2: a picture</summary>
#
# ```text
#            partial 3      partial 1      partial 14
#   x  <-------- u  <-------- v  <-------- y = root
# grad 42      grad 14       grad 14       grad 1
#
# you stand at v:   v.grad is 14, v.partials[0] is 1, so v.operands[0].grad becomes 14 · 1
# ```
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Before the loop: the root's adjoint, and a variable that says where you stand.
# 2. When does the loop end? Try your condition on a chain of two nodes, and on a single leaf.
# 3. In each round: one product, written into the `grad` of the node below; then you stand there.
# </details>
#
# <details><summary>A worked sibling</summary>
#
# How deep does each node of a chain lie below the root? Here it is written into an attribute `depth`.
#
# ```python
# def write_depths(root):
#     here = root
#     here.depth = 0
#     while here.operands:
#         here.operands[0].depth = here.depth + 1
#         here = here.operands[0]
# ```
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **the sweep starts without a seed**: before the loop, the root needs its own adjoint.
# - **a value is used where an adjoint belongs**: the loop multiplies `grad` and partial. It never needs `data`.
# - **the sweep ends before it reaches the leaf**: look at the condition of your loop. At which node does it stop?
# - **one function call for every step of the chain**: replace the recursion by a loop.
# - **a leaf is asked for an operand or a partial**: the loop goes on while there is an operand, and on the way from
#   `node` to `operand` you need `node.partials`.
# - **no adjoint is written into the nodes**: assign to `grad`; nothing has to be returned.
# - **`+=` adds to a grad that is still None**: one adjoint arrives at each node, so write it with `=`.
# - **an adjoint of exactly 0 is taken for no adjoint**: ask for operands, not for `if node.grad`.
# - **a root that is a leaf is forgotten**: its adjoint is 1, and there is nothing else to do.
# </details>


# %% nbgrader={"grade": false, "grade_id": "backward-chain", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 12, "difficulty": 2, "importance": 5, "objectives": [4]}
def backward_chain(root: Node) -> None:
    """Write every node's adjoint into its `grad`. Each node has one operand, the leaf none."""
    ### BEGIN SOLUTION
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-backward-chain", "locked": true, "points": 12, "schema_version": 3, "solution": false, "task": false}
# Test of backward_chain: 12 points
from autodiff_lab import draw
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

_example = ([2.0, 6.0, 7.0, 49.0], [3.0, 1.0, 14.0])
check(
    unit.chain_swept_twice(*_example),
    accept=unit.is_repeatable,
    instead=unit.NOT_REPEATABLE,
)
_some = "no step", "one step", "two steps", "many steps", "equal steps"
_more = "all negative", "zero first", "zero between", "zero last"
check.function(
    unit.chain_swept,
    on=[_example, *unit.node_chains(*_some, *_more, seed=38)],
    like=unit.chain_grads,
    wrong=unit.CHAIN_OF_NODES,
    picture=lambda *chain: draw(*unit.chain_picture(*chain)),
)
_deep = unit.deep_chain(10_000, seed=39)
check.goes_deep(unit.chain_swept, *_deep, like=unit.chain_grads, recurses=unit.SWEEP_RECURSES)
### BEGIN HIDDEN TESTS
check.function(
    unit.chain_swept,
    on=[*unit.node_chains(seed=391), *unit.node_chains(seed=392), ([0.0, 0.0], [-1.0])],
    like=unit.chain_grads,
)
_deep = unit.deep_chain(7_001, seed=393)
check.goes_deep(unit.chain_swept, *_deep, like=unit.chain_grads, recurses=unit.SWEEP_RECURSES)
### END HIDDEN TESTS

# %% [markdown]
# ## Branches that need no gradient
#
# In $(x \cdot w + b - t)^2$ nobody asks how the loss moves with t. The target is given, you cannot adjust it. In a large
# model the same holds for whole parts: for the data, for what has been computed from the data alone, and for a part of
# the model that is kept as it is ("frozen").
#
# Such a node has `requires_grad=False`. The sweep treats it in the simplest way: it does not go there. It writes no
# adjoint, so `grad` stays `None`, and it looks at nothing below. If the frozen part has a million nodes, then a million
# multiplications are saved.
#
# The picture shows it. Here t is computed from two constants, s and r. No adjoint arrives at any of the three, although
# t is an operation in the middle of the graph.

# %%
target_computed = {
    "x": ("input",),
    "w": ("input",),
    "b": ("input",),
    "s": ("const", 2.5),
    "r": ("const", 4.0),
    "m": ("*", "x", "w"),
    "z": ("+", "m", "b"),
    "t": ("*", "s", "r"),
    "e": ("-", "z", "t"),
    "two": ("const", 2.0),
    "loss": ("**", "e", "two"),
}
draw(target_computed, draw.evaluate(target_computed, {"x": 2.0, "w": 3.0, "b": 1.0}), True)

# %% [markdown]
# With branches, "where am I" is no longer one node. After a node with two operands, two branches wait. Keep everything
# that waits in a list: take one node out, hand its adjoint to its operands, and put those operands in. When the list is
# empty, the sweep is over.
#
# > **A promise that this unit makes, and the next one breaks.** Here each value is used by *one* operation. Then exactly
# > one adjoint arrives at each node, and it is complete as soon as it arrives: it may be written with `=` and handed on at
# > once. If a value is used twice, as in $e \cdot e$, two adjoints arrive and `=` keeps only one of them. What must
# > happen then, and in which order the nodes must be visited then, is the question of unit 04. (This is also why the
# > square in this unit is written `e ** 2`.)

# %% [markdown]
# ### Exercise: backward, with branches
#
# Write `backward(root)` for records in which a node may have any number of operands, and each node is used once.
#
# - After the call, every node that needs a gradient has its adjoint in `grad`. The root does need one.
# - A node with `requires_grad=False` keeps `grad = None`, and the sweep does not look below it.
# - A constant says nothing about its neighbours: the other operands still get their adjoints.
# - Nothing but `grad` changes in the nodes, and the function returns nothing.
# - The record can be 10,000 steps deep.
#
# Three tests earn by themselves: every operand, constants, and a deep record.
#
# <details><summary>Hint 1: a sketch</summary>
#
# The seed, a list with the root in it, and a loop: `while` the list is not empty, take a node out. For each of its
# operands, together with its partial: if it needs a gradient, write the adjoint and put the operand on the list.
# </details>
#
# <details><summary>Hint 2: a picture</summary>
#
# ```text
#                       waiting        what happens
# loss                  [loss]         loss.grad = 1
# loss handed on        [e]            e.grad = −6
# e handed on           [z]            z.grad = −6; t needs none, so it is passed over
# z handed on           [m, b]         m.grad = −6, b.grad = −6
# b handed on           [m]            b is a leaf, nothing to do
# m handed on           [x, w]         x.grad = −18, w.grad = −12
# …                     []             finished
# ```
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# - Two loops. The outer one runs as long as somebody waits, and takes one node out.
# - The inner one goes over that node's operands *together with* their partials; `zip` gives such pairs.
# - One question decides about each operand. Where the answer is no, go on with the next pair: neither leave the loop
#   nor touch the operand.
# </details>
#
# <details><summary>A worked sibling</summary>
#
# How many leaves does a record have?
#
# ```python
# def count_leaves(root):
#     count, to_visit = 0, [root]
#     while to_visit:
#         here = to_visit.pop()
#         count += not here.operands
#         to_visit.extend(here.operands)
#     return count
# ```
# </details>
#
# <details><summary>If the test says …</summary>
#
# - **only one operand of a node is visited**: `operands[0]` is not all there is. Loop over operands and partials.
# - **the sweep ends at the first constant**: `break` and `return` leave the loop. You want to go on with the next.
# - **something constant asks for, or gets, a gradient**: ask the operand for `requires_grad` before you write.
# - **operands and partials are no longer paired**: filter inside the loop, not before `zip`.
# - **the sweep walks into a branch that needs no gradient**: a constant must not be put on the list.
# - **an adjoint of exactly 0 is taken for no adjoint**: the question is `requires_grad`, not whether `grad` is 0.
# - **every node is expected to have two operands**: a node may have one, or seven.
# </details>


# %% nbgrader={"grade": false, "grade_id": "backward", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 18, "difficulty": 3, "importance": 5, "objectives": [4, 5]}
def backward(root: Node) -> None:
    """Write the adjoint of every node that needs one into its `grad`. Each node is used once."""
    ### BEGIN SOLUTION
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-backward", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
# Test of backward, every operand: 5 points
from autodiff_lab import draw
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

_first = unit.records("branches", seed=40)[0]
check(unit.swept_twice(*_first), accept=unit.is_repeatable, instead=unit.NOT_REPEATABLE)
_some = "two leaves", "one leaf", "a chain", "branches", "many operands", "any"
_special = "equal values", "values of 0", "a partial of 0"
check.function(
    unit.swept,
    on=unit.records(*_some, *_special, seed=41),
    like=unit.record_adjoints,
    wrong=unit.NODES,
    picture=lambda *record: draw(*unit.record_picture(*record)),
)
### BEGIN HIDDEN TESTS
check.function(
    unit.swept,
    on=[record for seed in range(411, 416) for record in unit.records(*unit.RECORDS, seed=seed)],
    like=unit.record_adjoints,
)
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-backward--constants", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
# Test of backward, constants: 4 points
from autodiff_lab import draw
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

_some = "two leaves", "branches", "a constant first", "a constant last", "constants only"
_more = "an operation of constants", "constants in branches", "most are constants"
check.function(
    unit.swept,
    on=unit.records(*_some, *_more, seed=42),
    like=unit.record_adjoints,
    wrong=unit.NODES_AND_CONSTANTS,
    picture=lambda *record: draw(*unit.record_picture(*record)),
)
check.function(
    unit.swept_endless,
    on=unit.records("a constant first", "a constant last", "constants in branches", seed=43),
    like=unit.record_adjoints,
    wrong=unit.FROZEN_BRANCH,
)
### BEGIN HIDDEN TESTS
for _seed in range(421, 427):
    for _ask in (unit.swept, unit.swept_endless):
        check.function(_ask, on=unit.records(*unit.FROZEN, seed=_seed), like=unit.record_adjoints)
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-backward--depth", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
# Test of backward, a deep record: 3 points
from autodiff_lab.checks import check
from autodiff_lab.units import backward_sweep as unit

_deep = unit.deep_record(4_000, seed=44)
check.goes_deep(unit.swept, *_deep, like=unit.record_adjoints, recurses=unit.SWEEP_RECURSES)
### BEGIN HIDDEN TESTS
_deep = unit.deep_record(3_500, seed=441)
check.goes_deep(unit.swept, *_deep, like=unit.record_adjoints, recurses=unit.SWEEP_RECURSES)
### END HIDDEN TESTS

# %% [markdown]
# ## Your engine runs
#
# `Value` records, `backward` sweeps. Together they are an engine for automatic differentiation. The next cell joins
# your two pieces; if one of them is not there yet, it says so.

# %%
try:
    x, w, b = Value(2.0), Value(3.0), Value(1.0)
    loss = (x * w + b - 10.0) ** 2
    backward(loss)
    print("loss", loss.data)
    print("adjoints of x, w, b:", x.grad, w.grad, b.grad)
except NotImplementedError:
    print("Not yet: solve `Value` and `backward` above, then run this cell again.")
except Exception as error:
    print(f"Not yet: {type(error).__name__}: {error}")

# %% [markdown]
# The numbers are those of the table that you filled in by hand. But nobody wrote this sweep for this formula. Try
# another formula in the cell, for instance `loss = 1.0 / (x * w) - b`; only remember to use each value once.
#
# Ten thousand steps are no trouble either:

# %%
try:
    start = Value(1.0)
    end = start
    for step in range(10_000):
        end = 0.999 * end + 0.002
    backward(end)
    print("after 10,000 steps:", round(end.data, 6))
    print("adjoint of the start:", start.grad)
except NotImplementedError:
    print("Not yet: solve `Value` and `backward` above, then run this cell again.")
except Exception as error:
    print(f"Not yet: {type(error).__name__}: {error}")

# %% [markdown]
# And here is the promise, broken on purpose. The slope of $x \cdot x$ at x = 3 is $2 \cdot x$, which is 6. What does your
# engine say?

# %%
try:
    x = Value(3.0)
    backward(x * x)
    print("adjoint of x:", x.grad)
except NotImplementedError:
    print("Not yet: solve `Value` and `backward` above, then run this cell again.")
except Exception as error:
    print(f"Not yet: {type(error).__name__}: {error}")

# %% [markdown]
# If you wrote the adjoint with `=`, it says 3: x is used twice, two adjoints of 3 arrive, and the second one
# replaces the first. Keep that in mind for unit 04.

# %% [markdown]
# ## Your sweep in a picture
#
# The next view is driven by **your** `backward`. Each time you move a slider, the formula is recorded in `Node` objects
# and your function sweeps over them. As long as yours is not there, the reference stands in, and the view says so. Here
# t is a constant.


# %%
def adjoints_by_backward(graph: dict[str, tuple], values: dict[str, float]) -> dict[str, float]:
    """Records `graph` in Nodes, runs your `backward` on the last one, and reads every grad."""
    operations = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "**": lambda a, b: a**b,
    }
    nodes: dict[str, Node] = {}
    for name, (operation, *operands) in graph.items():
        below = [] if operation == "const" else [nodes[operand] for operand in operands]
        numbers = [node.data for node in below]
        slope = lambda place: ad.grad(operations[operation], argnums=place)(*numbers)
        partials = [slope(i) if node.requires_grad else 0.0 for i, node in enumerate(below)]
        needed = operation == "input" or any(node.requires_grad for node in below)
        nodes[name] = Node(values[name], tuple(below), tuple(partials), needed)
    backward(nodes[name])
    return {name: node.grad for name, node in nodes.items() if node.grad is not None}


fixed_target = {**formula, "t": ("const", 10.0)}
GraphExplorer(
    fixed_target,
    inputs={"x": 2.0, "w": 3.0, "b": 1.0},
    backward=adjoints_by_backward,
    low=-10,
    high=10,
)

# %% [markdown]
# **Try this.**
#
# 1. Move b until the loss is 0. Every adjoint of an input is 0 now, and the loss's own is still 1.
# 2. Which boxes have no adjoint at all? Compare them with the boxes whose adjoint is 0.
# 3. Go back to `backward`, replace `1.0` by `2.0` in your seed, run the cell, and move a slider. What has changed, and
#    by how much? Then put the 1 back.
#
# <details><summary>Answers</summary>
#
# 1. At b = 4: x · w is 6, and 6 + 4 is the target.
# 2. t, and the exponent 2: both are constants, and nobody asked. A 0 says that somebody has asked, and that the loss
#    does not move.
# 3. Every adjoint is twice as large, the loss's own too: each is a product that begins with the seed.
# </details>
#
# Here is the finished sweep once more, in a still picture. Read it from the loss towards the inputs, and predict each
# adjoint before you look at it:

# %%
values = draw.evaluate(fixed_target, {"x": 2.0, "w": 3.0, "b": 1.0})
draw(fixed_target, values, True)

# %% [markdown]
# ## Which end first?
#
# A product of three factors is the same whether you begin on the left or on the right. So why does the sweep begin at
# the result? Let a machine count. In the next cell a running sum takes up one input after the other, and each input
# passes through all the steps that come after it. The adjoints of all inputs are computed twice: from the inputs, as a
# nudge goes, and from the result, as your sweep goes. The numbers count how often they are multiplied.


# %%
class Counted(float):
    """A number that counts its multiplications."""

    count = 0

    def __mul__(self, other):
        Counted.count += 1
        return Counted(float(self) * float(other))


def from_the_inputs(entries: list[float], steps: list[float]) -> list[float]:
    """Follows the nudge of each input up to the result."""
    rates = []
    for place, rate in enumerate(entries):
        for step in steps[place:]:
            rate = rate * step
        rates.append(rate)
    return rates


def from_the_result(entries: list[float], steps: list[float]) -> list[float]:
    """Hands one rate down, and gives each input its share."""
    rate, rates = Counted(1.0), []
    for step, entry in zip(reversed(steps), reversed(entries)):
        rate = rate * step
        rates.append(rate * entry)
    return rates[::-1]


print("inputs   from the inputs   from the result")
for size in (3, 30, 300):
    entries, steps = [Counted(2.0)] * size, [Counted(-1.0)] * size
    counts, found = [], []
    for direction in (from_the_inputs, from_the_result):
        Counted.count = 0
        found.append(direction(entries, steps))
        counts.append(Counted.count)
    assert found[0] == found[1]
    print(f"{size:6,}   {counts[0]:15,}   {counts[1]:15,}")

# %% [markdown]
# Both find the same adjoints. With three inputs there is nothing to choose. Ten times the inputs cost ten times the work
# from the result, and almost a hundred times the work from the inputs: each nudge walks the last steps again. From the result
# they are walked once, for everybody.

# %% [markdown]
# ## What you built, and what the frameworks call it
#
# | you wrote | PyTorch | said in general |
# |---|---|---|
# | `Value` | a `Tensor` with `requires_grad=True` | define-by-run: the program that runs is the graph |
# | `operands` and `partials` | `grad_fn`, with what it saved | the tape, or the autograd graph |
# | `backward(root)` | `root.backward()` | reverse-mode automatic differentiation, backpropagation |
# | the adjoint in `grad` | `.grad` | adjoint, gradient; JAX says *cotangent* |
# | adjoint times partial | `grad_fn(…)` | for arrays a *vector-Jacobian product*, see unit 06 |
# | the seed 1 | the `gradient` argument of `backward` | the incoming adjoint |
# | `requires_grad=False` | the same | a constant; TensorFlow: a tensor that is not watched |
#
# Here are the same lines twice. First with PyTorch:

# %%
import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
t = torch.tensor(10.0)
z = x * w + b
z.retain_grad()
loss = (z - t) ** 2
loss.backward()
print("z", z.item(), " loss", loss.item())
print("adjoints of z, x, w, b:", float(z.grad), float(x.grad), float(w.grad), float(b.grad))
print("and of t:", t.grad)

# %% [markdown]
# And with the reference engine of this course. Only the import has changed:

# %%
import autodiff_lab as torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
t = torch.tensor(10.0)
z = x * w + b
z.retain_grad()
loss = (z - t) ** 2
loss.backward()
print("z", z.item(), " loss", loss.item())
print("adjoints of z, x, w, b:", float(z.grad), float(x.grad), float(w.grad), float(b.grad))
print("and of t:", t.grad)

# %% [markdown]
# Three differences from your engine are worth knowing.
#
# - PyTorch keeps `.grad` for leaves only, to save memory. For a value in between you ask with `retain_grad()`. Your
#   `backward` leaves every adjoint where it is, which is better for looking at and worse for large models.
# - PyTorch *adds* to `.grad` where your `backward` writes. Unit 04 shows why.
# - Your record keeps its partials. PyTorch keeps the values that it will compute them from, and lets go of these as soon
#   as the sweep has used them; the links between the operations stay. So a second `backward()` raises an error where a
#   value is missing, and only there:

# %%
import torch

x = torch.tensor(2.0, requires_grad=True)
for formula, result in (("x ** 2", x**2), ("x + 1", x + 1)):
    result.backward()
    try:
        result.backward()
        print(f"{formula}: a second sweep, and no error; nothing had to be remembered")
    except RuntimeError as error:
        print(f"{formula}: {str(error).split('.')[0][:68]} …")

# %% [markdown]
# Other frameworks differ in where the record lives. **TensorFlow** writes it on a `GradientTape` that you switch on
# around the computation, and plain tensors count only if you say `tape.watch(x)`. **JAX** has no `grad` attribute:
# `jax.vjp(f, x)` runs `f` once, forward, and returns the value together with a *function* that is the sweep. You call
# it with the seed.

# %% [markdown]
# ### Exercise: explain the sweep
#
# A colleague has read that "backpropagation is just the chain rule" and asks you three things:
#
# 1. Why does the sweep start with 1, and not with the loss, which is 9 in the example?
# 2. Why does it run from the result to the inputs? The chain rule would allow the factors to be multiplied from the
#    other end as well. What would you have to do for three inputs x, w and b?
# 3. "The adjoint of w is −12." What does that tell about w, what would you do with w to make the loss smaller, and is
#    −12 still true after w has moved by 1?
#
# Answer in your own words, about 150 words in all. Use the numbers of the example where they help.
#
# <details><summary>Hint 1: a sketch</summary>
#
# For the first question: say what an adjoint is, in words, and apply that sentence to the loss itself.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# For the second: nudge x a little and follow it to the loss. What has that told you about w and b? For the third: at
# w = 4 the error is 2·4 + 1 − 10 = −1.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# "An adjoint is …, so the adjoint of the loss is … . Multiplying from the inputs would … once for each …, while the
# sweep … . The number −12 means … near w = 3; at w = 4 … ."
# </details>

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain-sweep", "locked": false, "points": 20, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "written", "minutes": 15, "difficulty": 3, "importance": 5, "objectives": [1, 2]}
# **Model answer.** An adjoint says how fast the result moves when a value moves. The loss moves with itself at rate 1,
# whatever its value is; 9 says how large the loss is, not how it moves. With the seed 9 every adjoint would come out 9
# times too large.
#
# From the other end the product is the same for one chain. But it starts at *one* input: following a nudge of x through
# m, z, e and the loss gives −18 and says nothing about w and b. Three inputs need three passes, a million inputs a
# million. Backwards, the product that belongs to the way from the loss down to z is shared by everything below z.
# One pass gives the adjoints of all inputs, with one multiplication for each operand.
#
# −12 means: near w = 3, when w grows by a tiny amount, the loss falls by 12 times that amount. To make the loss smaller,
# increase w a little. It is a slope at this point only. At w = 4 the error is −1 and the adjoint of w is
# 2·(−1)·2 = −4.
#
# **Marking guide.** 5 points: the seed as "the result moves with itself at rate 1" (3), and that the value 9 would scale
# every adjoint (2). 8 points: the product is the same in either direction (2), from the inputs one pass for each input
# (3), the part nearest to the result is shared, so that one backward pass serves all inputs (3). 7 points: the meaning
# of −12 as a rate, with its sign (3), increase w (2), the slope is local and changes, with or without the number −4 (2).
# Take 3 points off where values and adjoints are mixed up throughout. Do not take points off for style or length.

# %% [markdown]
# ## Asked in interviews
#
# <details><summary>What exactly is multiplied in one step of backpropagation?</summary>
#
# The adjoint of an operation's result, which came from above, times the operation's local derivative with respect to
# one operand, evaluated at the values of the forward pass. The product is what the operation contributes to the adjoint
# of that operand. For arrays the local derivative is a whole table of numbers, one for each pair of a result's and an
# operand's element, called the *Jacobian*. Adjoint times Jacobian is computed without ever building the table (unit 06).
# </details>
#
# <details><summary>Why must the forward pass be finished, and remembered, before the backward pass starts?</summary>
#
# Two reasons. The sweep starts at the result, so the result must exist. And local derivatives depend on values: the
# slope of e² is 2·e, the partial of x·w for x is w. They are either computed in the forward pass and stored (as
# `partials` here), or computed in the sweep out of stored values (as PyTorch does). This is why training needs much more
# memory than prediction, and unit 10 is about getting some of it back.
# </details>
#
# <details><summary>An input's `grad` is None. In another run it is 0. What do you conclude?</summary>
#
# None: no sweep has reached the input. It is not in the graph of this loss, or the way to it is cut by something that
# needs no gradient, or `backward` was not called. 0: the sweep was there, and the loss does not move with this input at
# this point, for instance because it is multiplied by a 0, or at a minimum. The first is usually a bug, the second is
# information.
# </details>
#
# **Next:** unit 04 uses a value twice.

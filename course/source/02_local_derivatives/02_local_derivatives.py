# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] unit={"title": "Local derivatives", "question": "What does one operation know?", "minutes": 150, "needs": ["01_graphs"], "objectives": ["Give the partial derivatives of nine operations from their operands and their result.", "Measure a slope with a central difference, and say which step is too large and which is too small.", "Write a gradient check by relative error, and choose inputs at which it can tell a right rule from a wrong one.", "Carry a value and its slope through a program with dual numbers."], "masks": ["engine", "torch"]}
# # 02 · Local derivatives
#
# A graph can hold a million operations. Each of them is simple: it sees its operands, it computes a result, and it
# knows nothing of the rest. This unit asks what such an operation can say about slopes, all by itself. The answer fits
# in a table of nine rows, and everything that follows in this course is bookkeeping around that table.
#
# You write the table. Then you build two tools that do not trust it: one that measures slopes, and one that compares a
# claimed slope with a measured one. At the end you build numbers that carry their slope along while a program runs.

# %%
import math

# %% [markdown]
# ## Predict first
#
# A multiplication holds two operands, a = 3 and b = 5. Its result is 15. Now one of them moves a little, and the other
# one stays where it is.

# %% [markdown]
# ### Exercise: predict two slopes
#
# 1. a moves from 3 to 3.01, while b stays 5. Divide the change of the result by the change of a, 0.01. What is it?
# 2. b moves from 5 to 5.01, while a stays 3. Divide the change of the result by the change of b, 0.01. What is it?
#
# In the next cell, write `slopes_of_product = (…, …)` with your two numbers, in this order.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Think of a rectangle that is a wide and b high. Its area is the product. Make it a little wider: what is the area of
# the strip that you add?
# </details>
#
# <details><summary>Hint 2: with other numbers</summary>
#
# For a = 10 and b = 2: 10.01 times 2 is 20.02. The result has grown by 0.02 while a has grown by 0.01.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# `slopes_of_product = (2, 10)` would be the answer for a = 10 and b = 2.
# </details>

# %% nbgrader={"grade": false, "grade_id": "slopes_of_product", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "predict", "minutes": 4, "difficulty": 1, "importance": 4, "objectives": [1]}
### BEGIN SOLUTION
slopes_of_product = (5, 3)
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-slopes_of_product", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
# Test of slopes_of_product: 5 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

check.choice(
    student.get("slopes_of_product"),
    "02/predict-product",
    form="two numbers in brackets, with a comma between them",
    right="3ad2c60d6997",
    instead={
        "b75f6b107499": unit.PRODUCT_OWN_OPERAND,
        "f80b9663e4eb": unit.PRODUCT_LIKE_A_SUM,
        "8eda86d7b433": unit.VALUE_FOR_SLOPE,
        "b5c09314715c": unit.CHANGE_FOR_SLOPE,
    },
)

# %% [markdown]
# ## One operation, one nudge
#
# Now watch it. The cell below nudges one operand at a time and prints how much the result changes for each unit of the
# nudge. Change `a`, `b` and `nudge`, and run it again.

# %%
a, b, nudge = 3.0, 5.0, 0.01
print("a * b            ", a * b)
print("change per unit of a:", round(((a + nudge) * b - a * b) / nudge, 6))
print("change per unit of b:", round((a * (b + nudge) - a * b) / nudge, 6))

# %% [markdown]
# Whatever `nudge` is, the first number is b and the second is a. The picture shows why. A product is the area of a
# rectangle, and what a nudge of a adds is a strip: as wide as the nudge, and as high as b.

# %% jupyter={"source_hidden": true}
# Helpers that draw the pictures of this unit. You need not read them.
import base64
import io

import matplotlib
from IPython.display import HTML
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

matplotlib.rcParams["svg.hashsalt"] = "unit 02"


def picture(figure: Figure, words: str) -> HTML:
    """Show a figure with its description in words, for everyone who cannot see it."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    data = base64.b64encode(file.getvalue().encode()).decode()
    return HTML(
        f'<img alt="{words}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'
        f"<details><summary>The picture in words</summary><p>{words}</p></details>"
    )


def slope_and_secants(function, x: float, slope: float, h: float) -> HTML:
    """The curve near x, the line with its slope there, and the two secants that a step of h gives."""
    middle, up, down = function(x), function(x + h), function(x - h)
    one_sided, central = (up - middle) / h, (up - down) / 2 / h
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    near = [x + 1.5 * h * (i / 50 - 1) for i in range(101)]
    axes.plot(
        near, [function(t) for t in near], color="#333333", linewidth=2, label="the curve"
    )
    for name, height, rise, color, style in [
        ("touching line", middle, slope, "#0b6e4f", "-"),
        ("one-sided", middle, one_sided, "#b3541e", "--"),
        ("central", (up + down) / 2, central, "#2b5fa8", ":"),
    ]:
        line = [height + rise * (t - x) for t in near]
        axes.plot(
            near, line, style, color=color, linewidth=1.8, label=f"{name}, slope {rise:.4f}"
        )
    axes.plot([x - h, x, x + h], [down, middle, up], "o", color="#333333")
    axes.set_xlabel("x")
    axes.set_ylabel("value")
    axes.legend(frameon=False)
    return picture(
        figure,
        f"A curve near x = {x:g} with the line that touches it there, slope {slope:.4f}, and two "
        f"secants for the step h = {h:g}. The one-sided secant, through x and x + h, has slope "
        f"{one_sided:.4f}. The central secant, through x − h and x + h, has slope "
        f"{central:.4f} and is closer to parallel with the touching line.",
    )


def error_picture(steps: list[float], errors: dict[str, list[float]]) -> HTML:
    """The error of a measured slope against the step, one line for each way of measuring."""
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    words = "The error of a measured slope against the step, "
    words += f"from {steps[0]:.0e} down to {steps[-1]:.0e}."
    for (name, column), color, style in zip(
        errors.items(), ["#b3541e", "#2b5fa8"], ["s--", "o-"], strict=True
    ):
        axes.loglog(steps, column, style, color=color, label=name)
        error, step = min(zip(column, steps, strict=True))
        words += f" The {name} error falls to {error:.0e} at h = {step:.0e}, "
        words += f"and rises again to {column[-1]:.1g} at the end."
    axes.invert_xaxis()
    axes.set_xlabel("step h, smaller to the right")
    axes.set_ylabel("error of the slope")
    axes.legend(frameon=False)
    return picture(figure, words)


def strips(a: float, b: float, nudge: float) -> HTML:
    """A rectangle a wide and b high, and the strips that a nudge of each side adds."""
    figure = Figure(figsize=(7, 2.6), layout="constrained")
    for axes, side in zip(figure.subplots(1, 2), "ab", strict=True):
        across = side == "a"
        corner, wide, high = ((a, 0), nudge, b) if across else ((0, b), a, nudge)
        axes.add_patch(Rectangle((0, 0), a, b, facecolor="#d9e2ec", edgecolor="#333333"))
        axes.add_patch(Rectangle(corner, wide, high, facecolor="#b3541e", edgecolor="#333333"))
        axes.text(a / 2, b / 2, f"{a:g} · {b:g} = {a * b:g}", ha="center", va="center")
        axes.set_title(f"{side} grows by {nudge:g}: a strip of {nudge:g} · {b if across else a:g}", fontsize=10)
        axes.set_xlim(0, a + 2 * nudge)
        axes.set_ylim(0, b + 2 * nudge)
        axes.set_xlabel("a")
        axes.set_ylabel("b")
    return picture(
        figure,
        f"A rectangle, {a:g} wide and {b:g} high. If a grows by {nudge:g}, a strip of that width and of "
        f"height {b:g} is added at the right. If b grows by {nudge:g}, a strip of that height and of width "
        f"{a:g} is added at the top.",
    )


# %%
strips(3.0, 5.0, nudge=0.4)

# %% [markdown]
# **Try this.** Make both sides grow at once: (3 + 0.4) times (5 + 0.4). By how much is that more than the two strips
# together? What becomes of this rest when the nudge is ten times smaller?
#
# <details><summary>Answer</summary>
#
# The strips have areas of 2 and 1.2, and the area grows by 3.36. The rest, 0.16, is the small square in the corner,
# nudge times nudge. With a nudge of 0.04 the strips are ten times smaller, and the square a hundred times: 0.0016. That is
# why it plays no part in a slope.
# </details>

# %% [markdown]
# The change of the result for each unit of one operand, while the other operands stand still, is the **partial
# derivative**, or **partial**, with respect to that operand. In symbols, with y for the result:
#
# $$\frac{\partial y}{\partial a} = b \qquad \frac{\partial y}{\partial b} = a \qquad\text{for } y = a \cdot b$$
#
# In words: the slope of a product in one operand is the other operand.
#
# These are **local** derivatives: the multiplication needs to know its own operands, and nothing about where they came
# from or what will happen to the result. Here is the operation with its numbers. The second number in each box says how
# fast y changes when that box is moved. For y itself it is 1: y moves as much as y.

# %%
from autodiff_lab import draw

draw(
    {"a": ("input",), "b": ("input",), "y": ("*", "a", "b")},
    {"a": 3.0, "b": 5.0, "y": 15.0},
    slopes={"a": 5.0, "b": 3.0, "y": 1.0},
)

# %% [markdown]
# ## The slopes of + − × ÷ and the power
#
# Think of each operation as a machine with two cranks. Turn one by a little and watch the result.
#
# - **a + b.** Each crank moves the result by just as much as itself.
# - **a − b.** Turning b up pulls the result down by as much.
# - **a · b.** Each crank moves the result by the other operand.
# - **a ÷ b.** Turning a up by one adds 1/b to the result. For b, write the quotient as a times 1/b. The slope of 1/b is
#   −1/b², and the factor a stays in front.
# - **a to the power b.** There are two questions, and they have different answers. Turn a: this is the rule from school,
#   bring the exponent to the front and lower it by one. Turn b: the base stands still and the exponent moves. The slope is
#   then the result times the natural logarithm of a (`math.log(a)` in Python). For the base e, about 2.718, that
#   logarithm is 1, and so $e^b$ is its own slope.
#
# Numbers first. At a = 2 and b = 3:

# %%
a, b, nudge = 2.0, 3.0, 1e-6
for name, operation in [("a / b", lambda a, b: a / b), ("a ** b", lambda a, b: a**b)]:
    in_a = (operation(a + nudge, b) - operation(a, b)) / nudge
    in_b = (operation(a, b + nudge) - operation(a, b)) / nudge
    print(
        f"{name:7} = {operation(a, b):.4f}    slope in a {in_a:8.4f}    slope in b {in_b:8.4f}"
    )

# %% [markdown]
# ### Exercise: partials of two operands
#
# Write `binary_partials(op, a, b, y)`. It gets the name of the operation (`"+"`, `"-"`, `"*"`, `"/"` or `"**"`), its two
# operands, and the result `y` that was already computed. It returns the pair: the partial with respect to a, and the
# partial with respect to b. For `"**"` the base a is positive.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Five cases, each with one `return` of two numbers. None of them needs a loop or a nudge: write down the rule.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# At a = 2, b = 3:
#
# | operation | y | slope in a | slope in b |
# |---|---|---|---|
# | a + b | 5 | 1 | 1 |
# | a − b | −1 | 1 | −1 |
# | a · b | 6 | 3 | 2 |
# | a ÷ b | 0.6667 | 0.3333 | −0.2222 |
# | a to the power b | 8 | 12 | 5.5452 |
#
# The last two: −0.2222 is −2/9, and 5.5452 is 8 times 0.6931.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def binary_partials(op, a, b, y):
#     if op == "+":
#         return ..., ...
#     if op == "-":
#         return ..., ...     # which of the two pulls the result down?
#     ...
#     if op == "**":
#         return ..., ...     # the rule from school; y times a logarithm
# ```
# </details>
#
# <details><summary>A worked sibling</summary>
#
# An operation that is not in the table: y = a · a · b. Turn a: b stands still, and a · a grows at the rate 2a, so the slope in
# a is 2ab. Turn b: it is a product with the factor a · a. At a = 3, b = 2 the slopes are 12 and 9.
#
# ```python
# def square_times(a, b, y):
#     return 2 * a * b, a * a
# ```
# </details>


# %% nbgrader={"grade": false, "grade_id": "binary_partials", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 15, "difficulty": 2, "importance": 5, "objectives": [1]}
def binary_partials(op: str, a: float, b: float, y: float) -> tuple[float, float]:
    """Return the partials of y = a op b with respect to a and to b. ``y`` is the result."""
    ### BEGIN SOLUTION
    if op == "+":
        return 1.0, 1.0
    if op == "-":
        return 1.0, -1.0
    if op == "*":
        return b, a
    if op == "/":
        return 1 / b, -a / (b * b)
    if op == "**":
        return b * a ** (b - 1), y * math.log(a)
    raise ValueError(f"unknown operation {op!r}")
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-binary_partials", "locked": true, "points": 14, "schema_version": 3, "solution": false, "task": false}
# Test of binary_partials: 14 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

for op in ("+", "-", "*", "/", "**"):
    check.function(
        lambda a, b: student.binary_partials(op, a, b, unit.result(op, a, b)),
        on=unit.kinds_of_operands(op),  # of both signs, equal, whole, 0
        like=unit.partials(op),
        wrong=unit.wrong_partials(op),
        tolerance=1e-12,
        picture=unit.picture(op),
    )
### BEGIN HIDDEN TESTS
for op in ("+", "-", "*", "/", "**"):
    check.function(
        lambda a, b: student.binary_partials(op, a, b, unit.result(op, a, b)),
        on=unit.drawn_operands(op, seed=202),
        like=unit.partials(op),
        tolerance=1e-12,
    )
### END HIDDEN TESTS

# %% [markdown]
# <details><summary>If the test says "power-exponent-forgotten" or "power-rule-on-the-exponent"</summary>
#
# Hold the base at 2 and walk with the exponent: 2 to the power 3 is 8, to the power 4 it is 16, to the power 5 it is 32.
# The result changes, so the slope is not 0. And it doubles each time: that is an exponential, not a power of b.
# </details>
#
# <details><summary>If the test says "quotient-sign" or "quotient-divisor"</summary>
#
# Share 12 among 3: each gets 4. Share 12 among 4: each gets 3. More people, less for each. Now share 24: twice as much is
# at stake, so the slope has to contain a.
# </details>
#
# <details><summary>If the test says "rows-computed-together"</summary>
#
# A dict such as `{"+": (1, 1), "/": (1 / b, …)}` computes all its rows each time, also `1 / b` for a b of 0, and a
# logarithm for a negative a. An `if` for each operation computes only what is asked for.
# </details>
#
# <details><summary>If <code>got</code> is a single number, or None</summary>
#
# Every case has to return two numbers, separated by a comma. Look for a case that returns one, or none.
# </details>

# %% [markdown]
# ## The slopes of exp, log, tanh and relu
#
# Four operations with one operand. Three of their slopes are quickly said; the one of tanh you can find yourself. tanh
# squeezes every number to between −1 and 1. Measure how steep it is, and compare that with the result:

# %%
nudge = 1e-6
print("   a        y   slope   y · y  the sum of both")
for a in (-2.0, -0.5, 0.0, 0.5, 1.0, 3.0):
    y = math.tanh(a)
    slope = (math.tanh(a + nudge) - y) / nudge
    print(f"{a:4} {y:8.4f} {slope:7.4f} {y * y:7.4f}  {slope + y * y:.4f}")

# %% [markdown]
# The slope and y · y add up to 1 in every row: it looks as if the slope were 1 − y². Six rows prove nothing. This does:
#
# $$\tanh(a) = \frac{u}{v} \qquad\text{with}\qquad u = e^a - e^{-a}, \quad v = e^a + e^{-a}$$
#
# The slope of u in a is v, and the slope of v in a is u, since $e^{-a}$ falls as fast as it is large. By the rule for a
# quotient, a nudge of a reaches y through u, times 1/v, and through v, times −u/v². Both together:
#
# $$\frac{1}{v} \cdot v - \frac{u}{v^2} \cdot u = 1 - \frac{u^2}{v^2} = 1 - y^2$$
#
# In words: the slope of tanh is one minus the square of its result. Here are all four:
#
# | operation | in words | its slope, in words |
# |---|---|---|
# | exp | e to the power a | the result itself: the more there is, the faster it grows |
# | log | the natural logarithm, the inverse of exp | one over the input: it grows ever more slowly |
# | tanh | squeezes every number to between −1 and 1 | one minus the square of the result: steep in the middle, flat at the ends |
# | relu | the larger of the input and 0 | flat on the left of 0; on the right it hands the input on |
#
# Why does it matter whether a slope uses the input or the result? A slope is needed after the forward pass, so whatever
# it uses has to be kept until then. exp and tanh can work from the result, which the operation that uses it next often
# keeps anyway. Unit 10 turns this into saved memory.

# %% [markdown]
# ### At a kink
#
# relu has a corner at 0. From the left the slope is 0, from the right it is 1, and at 0 itself there is no single slope.
# A program must answer something, or training would stop at the first unlucky zero. Every number from 0 to 1 is a
# **subgradient**: a line with that slope through the corner stays below the curve. All of them are accepted here, and
# frameworks simply choose one. (PyTorch, JAX and TensorFlow answer 0.)

# %% [markdown]
# ### Exercise: partials of one operand
#
# Write `unary_partial(op, a, y)`. It gets `"exp"`, `"log"`, `"tanh"` or `"relu"`, the operand `a` and the result `y`, and
# returns the slope at `a`. For `"log"` the operand is positive. For `"relu"` at 0, return any number from 0 to 1.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Four cases, one short `return` each. Two of them are shortest with `y`, one with `a`, and one is a question: is the
# input on the right of 0?
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# At a = 0.5, and relu also at −0.5:
#
# | operation | y | slope |
# |---|---|---|
# | exp | 1.6487 | 1.6487 |
# | log | −0.6931 | 2 |
# | tanh | 0.4621 | 0.7864 |
# | relu | 0.5 | 1 |
# | relu at −0.5 | 0 | 0 |
#
# 0.4621 squared is 0.2136, and 0.2136 plus 0.7864 is 1.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def unary_partial(op, a, y):
#     if op == "exp":
#         return ...           # no call of exp is needed
#     if op == "log":
#         return 1 / ...
#     if op == "tanh":
#         return 1 - ...
#     if op == "relu":
#         return 1.0 if ... else 0.0
# ```
# </details>
#
# <details><summary>A worked sibling</summary>
#
# The square root, y = √a. Its slope is one over twice the result: at a = 9, y is 3 and the slope 1/6. And the size |a|, which
# has a kink at 0:
#
# ```python
# def root_partial(a, y):
#     return 1 / (2 * y)
#
# def size_partial(a, y):
#     return 1.0 if a > 0 else -1.0       # at 0 one of the two, too
# ```
# </details>


# %% nbgrader={"grade": false, "grade_id": "unary_partial", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 10, "difficulty": 2, "importance": 5, "objectives": [1]}
def unary_partial(op: str, a: float, y: float) -> float:
    """Return the slope of y = op(a) at a. ``y`` is the result."""
    ### BEGIN SOLUTION
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y * y
    if op == "relu":
        return 1.0 if a > 0 else 0.0
    raise ValueError(f"unknown operation {op!r}")
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-unary_partial", "locked": true, "points": 11, "schema_version": 3, "solution": false, "task": false}
# Test of unary_partial: 11 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

for op in ("exp", "log", "tanh", "relu"):
    check.function(
        lambda a: student.unary_partial(op, a, unit.result(op, a)),
        on=unit.kinds_of_operands(op),  # of both signs, whole, 0, close to a kink
        like=unit.partials(op),
        wrong=unit.wrong_partials(op),
        tolerance=1e-12,
        picture=unit.picture(op),
    )
unit.check_kink(student.unary_partial("relu", 0.0, 0.0))
### BEGIN HIDDEN TESTS
for op in ("exp", "log", "tanh", "relu"):
    check.function(
        lambda a: student.unary_partial(op, a, unit.result(op, a)),
        on=unit.drawn_operands(op, seed=203),
        like=unit.partials(op),
        tolerance=1e-12,
    )
unit.check_kink(student.unary_partial("relu", 0, 0))
### END HIDDEN TESTS

# %% [markdown]
# <details><summary>If the test says "tanh-from-its-input"</summary>
#
# Try a = 3. The input squared is 9, and 1 − 9 is −8: tanh would fall steeply. But tanh never falls. The result at 3 is
# 0.995, and 1 minus its square is about 0.01: almost flat, as it should be.
# </details>
#
# <details><summary>If the test says "kink-insisted"</summary>
#
# Do you raise an error at 0, or return `None` or `nan`? Pick a number: 0, 1 and 0.5 all pass.
# </details>

# %% [markdown]
# ## Measuring a slope
#
# A rule can be wrong. To notice, you need a second opinion that does not use the rule: run the function, nudge an input
# by a **step** h, and look at what changes. There are two ways to do it.
#
# - **One-sided:** compare the value at x + h with the value at x. Divide by h.
# - **Central:** compare the value at x + h with the value at x − h. The way between them is 2h, so divide by 2h.
#
# $$\text{one-sided: } \frac{f(x + h) - f(x)}{h} \qquad\qquad \text{central: } \frac{f(x + h) - f(x - h)}{2h}$$
#
# The picture shows both for exp at 0, with a large step so that you can see it. The straight line through two points of
# a curve is a **secant**; its slope is what you measure. The slope that you want is that of the straight
# line that touches the curve at one point.

# %%
slope_and_secants(math.exp, x=0.0, slope=1.0, h=0.8)

# %% [markdown]
# **Try this.** Change `h` to 0.4, then to 0.2. The one-sided error is about halved each time. What happens to the central
# one? Guess, and then look at the table below.
#
# <details><summary>Answer</summary>
#
# It falls to a quarter each time: from 0.1101 to 0.0269, and to 0.0067.
# </details>

# %%
print("   h     one-sided error   central error")
for h in (0.8, 0.4, 0.2, 0.1):
    one_sided = (math.exp(h) - 1) / h
    central = (math.exp(h) - math.exp(-h)) / 2 / h
    print(f"{h:5}     {one_sided - 1:15.6f} {central - 1:15.6f}")

# %% [markdown]
# Half the step gives half the one-sided error and a quarter of the central one. What the curve does on the left cancels
# most of what it does on the right. For one more run of the function, you get far more digits.

# %% [markdown]
# ### Exercise: central difference
#
# Write `central_difference(f, inputs, index, h)`: the slope of `f` in the input number `index` (counted from 0), measured
# with a step of `h` to each side, while the other inputs stand still. `inputs` is a list of numbers, and you call `f` with
# all of them: `f(*inputs)`. Leave the list as it was; its numbers may be integers.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Make two copies of the list. In one, the chosen input is larger by h; in the other, it is smaller by h. Run `f` on both,
# subtract, divide by the way between them.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# For f(a, b) = a · a · b at a = 3, b = 5 with h = 0.1, in a:
#
# | | a | b | f |
# |---|---|---|---|
# | up | 3.1 | 5 | 48.05 |
# | down | 2.9 | 5 | 42.05 |
#
# The difference is 6, the way is 0.2, and the slope is 30.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def central_difference(f, inputs, index, h):
#     up = list(inputs)       # a copy
#     up[index] = ...
#     down = ...
#     ...
#     return (...) / (...)    # f is called as f(*up)
# ```
# </details>
#
# <details><summary>A worked sibling</summary>
#
# How much does f change when two of its inputs change places? Here, too, the caller's list stays as it was, and f gets all
# numbers one by one.
#
# ```python
# def effect_of_exchange(f, inputs, i, j):
#     other = list(inputs)
#     other[i], other[j] = inputs[j], inputs[i]
#     return f(*other) - f(*inputs)
# ```
# </details>


# %% nbgrader={"grade": false, "grade_id": "central_difference", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 12, "difficulty": 2, "importance": 5, "objectives": [2]}
def central_difference(f, inputs: list[float], index: int, h: float) -> float:
    """Measure the slope of f(*inputs) in inputs[index] with a step of h to each side."""
    ### BEGIN SOLUTION
    higher = [value + h if place == index else value for place, value in enumerate(inputs)]
    lower = [value - h if place == index else value for place, value in enumerate(inputs)]
    return (f(*higher) - f(*lower)) / (2 * h)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-central_difference", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of central_difference: 10 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

check.function(
    unit.measure(student),  # the slope of a·a·a + a·b
    on=unit.STEPS.values(),  # in each input, negative, equal, 0, whole; with small and large steps
    like=unit.measured,
    wrong=unit.DIFFERENCES,
)
unit.check_inputs_stay(
    student,
    "central_difference(lambda a, b: a * b, inputs, 1, 0.1)",
    [3.0, 0.7],  # 0.7 + 0.1 - 0.1 is not 0.7
)
### BEGIN HIDDEN TESTS
check.function(unit.cube(student), on=unit.drawn_cubes(seed=204), like=unit.cube_measured)
check.function(
    unit.measure(student),
    on=[([300.0, -5e5], 0, 0.5), ([0, 0], 1, 0.5), ([-0.8, 1.1], 0, 3.0)],
    like=unit.measured,
)
check(
    student.run(
        """
        one = central_difference(lambda x: x * x, [3.0], 0, 0.5)
        other = central_difference(lambda x: 5 * x, [3.0], 0, 0.5)
        still = central_difference(lambda x: 7, [4], 0, 0.5)
        return one, other, still
        """,
        label="central_difference of three functions, two of them at the same input",
    ),
    expect=(6.0, 5.0, 0.0),
)
### END HIDDEN TESTS

# %% [markdown]
# <details><summary>If the test says "missing 1 required positional argument"</summary>
#
# You called `f(up)` with one list. `f(*up)`, with a star, hands over the numbers one by one.
# </details>
#
# <details><summary>If the test says "difference-same-point" or "difference-changes-inputs"</summary>
#
# `up = inputs` makes a second name for the same list, and no copy. `list(inputs)` makes a copy.
# </details>
#
# <details><summary>If the test says "difference-one-sided", and you did go both ways</summary>
#
# Look at the second step. If you add h to a list and then take h away from the same list, you are back at the start.
# </details>

# %% [markdown]
# ## How small a step?
#
# A smaller step gave a better slope, each time. So why not take h = 0.000000000000001?

# %% [markdown]
# ### Exercise: predict the error
#
# You measure a slope with a central difference, and make h smaller and smaller: 0.1, 0.01, and so on down to
# 0.000000000000001. What happens to the error? Write `error_as_h_shrinks = "…"` with the letter of your choice.
#
# - **A** — It gets smaller each time.
# - **B** — It gets smaller for a while, and then larger again.
# - **C** — It gets smaller for a while, and then stays as it is.
# - **D** — It gets larger each time.
#
# <details><summary>Hint 1: a sketch</summary>
#
# A computer keeps about 16 digits of each number. What is left of them when you subtract two numbers that agree in the
# first 14?
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# Keep four digits only. 2.718 and 2.719 may each be off by 0.0005, so their difference, 0.001, may be off by that much
# too. Dividing by a small step makes the error large.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# One line: `error_as_h_shrinks = "…"`, with one letter between the quotes.
# </details>

# %% nbgrader={"grade": false, "grade_id": "error_as_h_shrinks", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "choice", "minutes": 4, "difficulty": 2, "importance": 3, "objectives": [2]}
### BEGIN SOLUTION
error_as_h_shrinks = "B"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-error_as_h_shrinks", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
# Test of error_as_h_shrinks: 5 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

check.choice(
    student.get("error_as_h_shrinks"),
    "02/predict-step",
    form="one letter in quotation marks",
    right="37d5f29193ee",
    instead={
        "8ae6df0003d6": unit.SMALLER_STEP_ALWAYS_BETTER,
        "0cafbd0720fd": unit.SMALLER_STEP_ALWAYS_BETTER,
    },
)

# %% [markdown]
# Now look. The picture measures the slope of exp at 1 with fifteen steps and shows the error of each. Both scales count
# in powers of ten.

# %%
steps = [10.0**-n for n in range(1, 16)]
errors = {
    "one-sided": [abs((math.exp(1 + h) - math.exp(1)) / h - math.e) for h in steps],
    "central": [abs((math.exp(1 + h) - math.exp(1 - h)) / 2 / h - math.e) for h in steps],
}
error_picture(steps, errors)

# %% [markdown]
# Two errors work against each other. On the left, the step is too large: the curve bends away from the secant. On the
# right, the step is too small: the two values agree in nearly all their digits, and their difference keeps only the last,
# unreliable ones. In between lies the best step: around 1e-5 for a central difference and 1e-8 for a one-sided one. In
# this unit, 1e-5 is the step for checks.

# %% [markdown]
# ## A gradient check
#
# You have a claim, from a rule, and a measurement, from running the function. Do they agree? Equal to the last digit they
# never are. So how close is close enough?
#
# A fixed tolerance does not work. Suppose it is 0.000001:

# %%
print("   claim          measured          difference     accepted?   really")
for claim, measured, really in [
    (3e-9, 5e-9, "wrong by far"),
    (5e8, 5e8 + 0.002, "right, but for rounding"),
]:
    difference = abs(claim - measured)
    accepted = "yes" if difference < 0.000001 else "no"
    print(f"{claim:11.3g} {measured:17.12g} {difference:15.3g}     {accepted:10}  {really}")

# %% [markdown]
# Both verdicts are false. What counts is the difference in proportion to the numbers themselves, the **relative error**:
#
# $$\text{relative error} = \frac{|\text{claim} - \text{measured}|}{\max(|\text{claim}|, |\text{measured}|)}$$
#
# In words: how large the difference is, as a fraction of the larger of the two sizes. It is 0.4 in the first row, and less
# than a hundredth of a billionth in the second.
#
# Four rules make a check worth its name.
#
# 1. The measurement comes from running the function, never from the rule that is tested.
# 2. There has to be one claim for each input, and every one has to agree, each by itself.
# 3. Where claim and measurement are both 0, they agree.
# 4. Accept only what is shown to be close. Neither `nan`, "not a number", nor `inf`, infinity, is close to anything.

# %% [markdown]
# ### Exercise: catch the wrong rules
#
# Write `gradcheck(f, partials, inputs, h, tolerance)`. It measures the slope of `f(*inputs)` in every input with a central
# difference, and compares each with the claim in `partials(*inputs)`, a tuple. It returns `True` if there is one claim for
# each input and every relative error is at most `tolerance`, and `False` otherwise. It leaves `inputs` as they were.
#
# The test hands it right and wrong claims: it has to let the right ones pass and catch the wrong ones. Write the central
# difference in it once more (do not call your earlier function), so that this exercise stands on its own.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Go through the inputs one by one. Measure, compare with the claim of the same place, and leave with `False` at the first
# that does not agree. Who gets to the end has passed.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# | claim | measured | difference | larger size | relative error | at most 0.000001? |
# |---|---|---|---|---|---|
# | 5 | 5.0000000001 | 0.0000000001 | 5.0000000001 | 0.00000000002 | yes |
# | 3 | 5 | 2 | 5 | 0.4 | no |
# | −5 | 5 | 10 | 5 | 2 | no |
# | 0 | 0 | 0 | 0 | none | they agree |
# | nan | 5 | nan | nan | nan | no |
# | inf | 5 | inf | inf | nan | no |
#
# Multiply instead of dividing, and the row with the zeros needs no rule of its own: is the difference at most the
# tolerance times the larger size? Then the last row needs one, since infinity is at most infinity; `math.isfinite(size)`
# tells you.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
#     claims = partials(*inputs)
#     if ...:                         # one is missing, or there is one too many
#         return ...
#     for index in range(len(inputs)):
#         up, down = list(inputs), list(inputs)
#         ...
#         measured = ...
#         close = ... <= ...          # with absolute values
#         if not close:
#             return ...
#     return ...                      # how far is this line indented?
# ```
# </details>
#
# <details><summary>A worked sibling</summary>
#
# A check of two lists of prices: are there as many in both, and is each pair at most `cents` apart? A price that is nan has
# to fail.
#
# ```python
# def same_prices(prices, others, cents):
#     if len(prices) != len(others):
#         return False
#     for index in range(len(prices)):
#         close = abs(prices[index] - others[index]) <= cents
#         if not close:
#             return False
#     return True
# ```
# </details>


# %% nbgrader={"grade": false, "grade_id": "gradcheck", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 20, "difficulty": 3, "importance": 5, "objectives": [3]}
def gradcheck(
    f, partials, inputs: list[float], h: float = 1e-5, tolerance: float = 1e-6
) -> bool:
    """Whether the claims in partials(*inputs) agree with the measured slopes of f."""
    ### BEGIN SOLUTION
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    for index, claim in enumerate(claims):
        above = f(*inputs[:index], inputs[index] + h, *inputs[index + 1 :])
        below = f(*inputs[:index], inputs[index] - h, *inputs[index + 1 :])
        measured = (above - below) / (2 * h)
        size = max(abs(claim), abs(measured))
        if not (math.isfinite(size) and abs(claim - measured) <= tolerance * size):
            return False
    return True
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-gradcheck", "locked": true, "points": 14, "schema_version": 3, "solution": false, "task": false}
# Test of gradcheck: 14 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

unit.check_f_is_run(student)
unit.check_inputs_stay(
    student,
    "gradcheck(lambda a, b: a * b, lambda a, b: (b, a), inputs, 0.1, 1e-6)",
    [3.0, 0.7],  # 0.7 + 0.1 - 0.1 is not 0.7
)
check.function(
    unit.gradcheck(student),
    on=unit.CLAIMS.values(),  # right, wrong in one partial or in all, by little or by far;
    like=unit.agrees,  # 0, tiny, huge, nan, infinite; one missing, one too many
    wrong=unit.GRADCHECKS,
)
### BEGIN HIDDEN TESTS
check.function(unit.gradcheck(student), on=unit.drawn_claims(seed=205), like=unit.agrees)
### END HIDDEN TESTS

# %% [markdown]
# <details><summary>If the test says "gradcheck-skips-an-input"</summary>
#
# Is the `return True` inside the loop? Then the first good partial ends the check. Or do you compare sums or means of the
# partials? Then errors can cancel.
# </details>
#
# <details><summary>If the test says "divided-by-another-size"</summary>
#
# Take a claim of 3.6 where 5 is measured. The difference is 1.4. The larger size is 5, and so the relative error is 0.28.
# Divided by the sum of both sizes it would be 0.16, and by the smaller one 0.39.
# </details>
#
# <details><summary>If the test says "error-without-size"</summary>
#
# There are three places for `abs`: around the difference, and around both numbers in the `max`.
# </details>
#
# <details><summary>If the test says "nan-passes"</summary>
#
# Ask `if error > tolerance` with nan: the answer is no, and you go on as if all were well. Ask the other way round: what
# has to be true so that you accept?
# </details>

# %% [markdown]
# ## Test points that tell
#
# A check is only as good as the inputs it is run at. Each line of this table is a **mutant**: a rule with one mistake, of
# the kind that people really make.
#
# | operation | mutant: what it claims |
# |---|---|
# | a · b | (a, b) |
# | a · b | (1, 1) |
# | a ÷ b | (1/b, a/b²) |
# | a ÷ b | (1/b, −a/b) |
# | a to the power b | second partial 0 |
# | a to the power b | second partial equal to y |
# | tanh(a) | 1 − a² |
# | tanh(a) | 1 − y |
# | relu(a) | always 1 |
# | relu(a) | always 0 |
#
# At a = b = 2, the first mutant claims (2, 2), and that is right. A test at that point is green, and the mutant lives.

# %%
for a, b in [(2.0, 2.0), (2.0, 3.0)]:
    right, mutant = (b, a), (a, b)
    print(
        f"a * b at a = {a}, b = {b}: right {right}, mutant {mutant}, caught: {right != mutant}"
    )

# %% [markdown]
# A kink is worse: there even a right rule is accused. At 0, the central difference of relu compares h on the right with 0
# on the left:

# %%
for a in (-2.0, 0.0, 2.0):
    h = 1e-5
    print(f"relu at {a:4}: measured slope {(max(a + h, 0.0) - max(a - h, 0.0)) / 2 / h:.3f}")

# %% [markdown]
# The measurement says 0.5 at 0. A right rule that answers 0 or 1 there fails the check, and nothing is wrong with it. So
# tests stay away from kinks, by much more than the step.

# %% [markdown]
# ### Exercise: kill the mutants
#
# Finish `telling_inputs()`. It returns inputs at which every mutant of the table is caught, with at most two inputs for
# each operation, as a dict:
#
# ```python
# {"*": [(…, …)], "/": [(…, …)], "**": [(…, …)], "tanh": […], "relu": […]}
# ```
#
# Write pairs (a, b) for the first three, and single numbers for `"tanh"` and `"relu"`. A mutant counts as caught when at
# one of your inputs its claim differs from the right slope by more than one part in a hundred. Stay at least 0.01 away
# from the kink. In a power, the base is positive.
#
# <details><summary>Hint 1: a sketch</summary>
#
# For each mutant ask: at which inputs is it right by accident? Avoid those. A mutant that is right on a whole side needs
# an input on the other side.
# </details>
#
# <details><summary>Hint 2: where mutants hide</summary>
#
# | operation | mutant | right by accident at |
# |---|---|---|
# | a · b | (a, b) | a = b |
# | a ÷ b | (1/b, a/b²) | a = 0 |
# | a ÷ b | (1/b, −a/b) | a = 0 and b = 1 |
# | power | second partial 0 | a = 1 |
# | tanh | 1 − a² | close to 0 |
# | relu | always 1 | every positive a |
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def telling_inputs():
#     return {
#         "*": [(..., ...)],      # two different numbers
#         "/": [(..., ...)],
#         "**": [(..., ...)],
#         "tanh": [...],
#         "relu": [..., ...],     # one on each side
#     }
# ```
# </details>
#
# <details><summary>A worked sibling</summary>
#
# An operation that is not in the table: y = a · a · b, with the slopes (2ab, a · a). The mutant (2ab, b) is right by accident
# where b = a · a, such as at (2, 4). The mutant (2a, a · a) is right where b = 1. So (3, 2) catches both: right is (12, 9), and
# they claim (12, 2) and (6, 9).
# </details>


# %% nbgrader={"grade": false, "grade_id": "telling_inputs", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "kill_mutant", "minutes": 10, "difficulty": 2, "importance": 4, "objectives": [3]}
def telling_inputs() -> dict[str, list]:
    """Return, for each operation, one or two inputs at which every mutant is caught."""
    ### BEGIN SOLUTION
    return {
        "*": [(2.0, 3.0)],
        "/": [(3.0, 2.0)],
        "**": [(2.0, 3.0)],
        "tanh": [0.7],
        "relu": [-1.5, 2.0],
    }
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-telling_inputs", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
# Test of telling_inputs: 8 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

check(
    student.telling_inputs(),
    accept=unit.catches_all,  # each mutant of the table, at one of your inputs
    instead=unit.WRONG_INPUTS,
)

# %% [markdown]
# ## Numbers that carry their slope
#
# A gradient check measures. Now you compute slopes without any rule for the whole expression and without a step: you run
# the expression once, on numbers that know how fast they move.
#
# A **dual number** is a pair: a **value**, and a **tangent**, which says how fast the value changes when the input moves.
# The input itself moves as fast as itself, so its tangent is 1. Every operation computes its value as always, and a
# tangent out of the operands' tangents and its own partials:
#
# $$\dot y = \frac{\partial y}{\partial a}\,\dot a + \frac{\partial y}{\partial b}\,\dot b$$
#
# In words: the tangent of the result (the dot means "tangent of") is each operand's tangent times the partial for that
# operand, added up. If a moves at 2 and the result moves 3 times as fast as a, the result moves at 6.
#
# By hand, for (x · x + 1) · x at x = 2:
#
# | step | value | tangent | why |
# |---|---|---|---|
# | x | 2 | 1 | the input |
# | s = x · x | 4 | 4 | 2 times 1, plus 2 times 1 |
# | t = s + 1 | 5 | 4 | 1 times 4, plus 0: the number 1 stands still |
# | t · x | 10 | 13 | 2 times 4, plus 5 times 1 |
#
# The last row holds the value 10 and the slope 13. Going along like this, from the inputs to the result, is called
# **forward mode**.
#
# ### When Python meets a plain number
#
# Python turns `a - b` into `a.__sub__(b)`. For `x - 3`, with x a dual number, `__sub__` gets the plain number 3: it stands
# still, so it counts as a dual number with tangent 0. For `3 - x` the number 3 cannot help, and Python asks x instead:
# `x.__rsub__(3)`, the **reflected** method. There, self is the operand on the *right*. For + and × that makes no
# difference, so these two are given below. For − and ÷ it does.

# %% [markdown]
# ### Exercise: dual numbers
#
# Fill in the methods of `Dual`: `a + b`, `a - b`, `a * b`, `a / b`, the reflected `3 - a` and `3 / a`, and `a.exp()`. The
# other operand may be a `Dual` or a plain number. Every operation returns a new `Dual` and changes neither operand.
#
# <details><summary>Hint 1: a sketch</summary>
#
# First make sure that the other operand is a `Dual`: if it is not, wrap it with tangent 0. Then each method is one line:
# the value, and the tangent by the formula above. The partials are those of the table that you know.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# With a = (value 6, tangent 1) and b = (value 2, tangent 5):
#
# | operation | value | tangent | why |
# |---|---|---|---|
# | a + b | 8 | 6 | 1 + 5 |
# | a − b | 4 | −4 | 1 − 5 |
# | a · b | 12 | 32 | 2 · 1 + 6 · 5 |
# | a ÷ b | 3 | −7 | 1/2 · 1 − 6/4 · 5 |
# | 3 − a | −3 | −1 | 0 − 1 |
# | 3 ÷ a | 0.5 | −0.0833 | −3/36 · 1 |
# | exp(b) | 7.3891 | 36.9453 | 7.3891 · 5 |
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def __sub__(self, other):
#     other = as_dual(other)                  # a small function of your own, or an if in each method
#     return Dual(..., ...)
#
# def __rsub__(self, other):
#     return as_dual(other) - ...             # now both are dual numbers, in the right order
# ```
# </details>
#
# <details><summary>A worked sibling</summary>
#
# The square root of a dual number. Its partial is one over twice the result:
#
# ```python
# def sqrt(self):
#     root = math.sqrt(self.value)
#     return Dual(root, self.tangent / (2 * root))
# ```
#
# For (value 9, tangent 5): the value is 3, the tangent 5 · 1/6, which is 0.8333.
# </details>


# %% nbgrader={"grade": false, "grade_id": "dual", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 25, "difficulty": 3, "importance": 4, "objectives": [1, 4]}
class Dual:
    """A number and its tangent: how fast it changes when the input moves."""

    def __init__(self, value: float, tangent: float = 0.0) -> None:
        self.value = value
        self.tangent = tangent

    def __repr__(self) -> str:
        return f"Dual({self.value}, {self.tangent})"

    def __add__(self, other):
        ### BEGIN SOLUTION
        other = self.lifted(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)
        ### END SOLUTION

    def __sub__(self, other):
        ### BEGIN SOLUTION
        other = self.lifted(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)
        ### END SOLUTION

    def __rsub__(self, other):
        """other - self, where other is a plain number."""
        ### BEGIN SOLUTION
        return self.lifted(other) - self
        ### END SOLUTION

    def __mul__(self, other):
        ### BEGIN SOLUTION
        other = self.lifted(other)
        return Dual(
            self.value * other.value, other.value * self.tangent + self.value * other.tangent
        )
        ### END SOLUTION

    def __truediv__(self, other):
        ### BEGIN SOLUTION
        other = self.lifted(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.tangent - quotient * other.tangent) / other.value)
        ### END SOLUTION

    def __rtruediv__(self, other):
        """other / self, where other is a plain number."""
        ### BEGIN SOLUTION
        return self.lifted(other) / self
        ### END SOLUTION

    def exp(self):
        """e to the power of this number."""
        ### BEGIN SOLUTION
        result = math.exp(self.value)
        return Dual(result, result * self.tangent)

    @staticmethod
    def lifted(other):
        return other if isinstance(other, Dual) else Dual(other, 0.0)
        ### END SOLUTION

    __radd__ = __add__  # 3 + a is a + 3
    __rmul__ = __mul__  # 3 * a is a * 3


# %% nbgrader={"grade": true, "grade_id": "test-dual", "locked": true, "points": 13, "schema_version": 3, "solution": false, "task": false}
# Test of dual: 13 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import local_derivatives as unit

duals = check.expressions(
    unit.duals(student),
    like=unit.value_and_tangent,
    on=list(unit.POINTS.values()),  # of both signs, equal, whole; one or both of them move
)
duals("a + b", "a - b", "a * b", "a / b", wrong=unit.wrong_duals)
duals("a + 3", "a - 3", "a * 2.5", "a / 4", wrong=unit.wrong_duals)
duals("3 + a", "3 - a", "2.5 * a", "3 / a", wrong=unit.wrong_duals)
duals("a * a", "a / a", "a.exp()", wrong=unit.wrong_duals)
duals("(a * a + 1) * a")
unit.check_operands_stay(student)
### BEGIN HIDDEN TESTS
duals = check.expressions(
    unit.duals(student), like=unit.value_and_tangent, on=unit.drawn_points(seed=206)
)
duals("a + b", "a - b", "a * b", "a / b", "a * (a + 2) / (a + 2)")
duals("0.5 + a", "0.5 - a", "0.5 / a", "a - 0.5", "-2 * a", "0 * a", "1 - a", "1 / a", "0 - a")
duals("a - a", "a.exp()", "Dual(4.0, 0.0) / a * Dual(2, 0)", "1 / (1 + (0 - a).exp())")
for uses in (2, 3, 5, 9):
    duals(" + ".join(["a"] * uses), " * ".join(["a"] * uses))
check.expressions(
    unit.duals(student),
    like=unit.value_and_tangent,
    on=[(0.0, 2.0, 3.0, 1.0), (3.0, 1.0, 0.0, 2.0), (0.0, 1.0, 0.0, 1.0), (0, 0, 9.0, 0.0)],
)("a * b", "b * a", "(a * a).exp()", "a + b")
check(
    student.run(
        """
        x = Dual(3.0, 1.0)
        total = x
        total += x * x
        total *= 2.0
        return total.value, total.tangent, x.value, x.tangent
        """,
        label="a sum that grows by += and *=, and its first operand",
    ),
    expect=(24.0, 14.0, 3.0, 1.0),
)
check(
    student.run(
        """
        x = Dual(1.0, 1.0)
        for _ in range(2500):
            x = x * 0.5 + 1.0
            x = 2.0 * (x - 1.0)
        return x.value, x.tangent
        """,
        label="a chain of 10,000 operations",
    ),
    expect=(1.0, 1.0),
)
### END HIDDEN TESTS

# %% [markdown]
# <details><summary>If the test says "dual-operation-on-tangents"</summary>
#
# Check it with x · x at x = 2, both tangents 1. The product of the tangents is 1. But at x = 2 the square grows 4 times as
# fast as x.
# </details>
#
# <details><summary>If the test says "dual-reflected-order"</summary>
#
# Put a print into `__rsub__` and evaluate `3 - Dual(10.0, 1.0)`. What is self, and what is other?
# </details>
#
# <details><summary>If the test says "unsupported operand type(s)"</summary>
#
# A method is missing, is misspelt (two underscores on each side), or is not indented into the class.
# </details>

# %% [markdown]
# Run a whole expression on your dual numbers. With tangent 1 on one input, and 0 on the other, you get the slope in that
# input. So (x + y) · y, with two inputs, takes two runs. This cell uses your own class; run it again when it is complete.


# %%
def two_runs(number) -> None:
    """Print (x + y) * y at (2, 3) with its slope in x and its slope in y."""
    for name, x_moves, y_moves in [("x", 1.0, 0.0), ("y", 0.0, 1.0)]:
        x, y = number(2.0, x_moves), number(3.0, y_moves)
        result = (x + y) * y
        print(f"only {name} moves: value {result.value}, slope {result.tangent}")


try:
    two_runs(Dual)
except NotImplementedError:
    print("Dual is not complete yet. Fill in its methods above, and run this cell again.")
except Exception as error:
    print(f"Dual stops with an error here, {type(error).__name__}: {error}")

# %% [markdown]
# Two inputs, two runs. A network with a million inputs would need a million runs. The backward sweep of unit 03 gets all
# slopes in one, and it uses the same table of partials.

# %% [markdown]
# ## Your tools at work
#
# You have a table of nine rows, a check that does not trust it, and inputs that tell. Put them together: the next cell checks
# your own rules with your own `gradcheck`, at the inputs of your own `telling_inputs`. The last two rows are mutants: a
# quotient that has lost its minus sign, and tanh from its input.



# %%
def row(op: str):
    """An operation with your rule for it, and the inputs to check it at."""
    points = {"+": [(2.0, 3.0)], "-": [(2.0, 3.0)], "exp": [0.7], "log": [0.7]} | telling_inputs()
    if op in ("+", "-", "*", "/", "**"):
        f = {
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
            "/": lambda a, b: a / b,
            "**": lambda a, b: a**b,
        }[op]
        return f, lambda a, b: binary_partials(op, a, b, f(a, b)), points[op]
    f = {"exp": math.exp, "log": math.log, "tanh": math.tanh, "relu": lambda a: max(a, 0.0)}[op]
    return f, lambda a: (unary_partial(op, a, f(a)),), [(a,) for a in points[op]]


def verdict(f, rule, points) -> str:
    """What gradcheck says of a rule at some inputs."""
    wrong = [point for point in points if not gradcheck(f, rule, list(point), 1e-5, 1e-6)]
    return f"caught at {wrong[0]}" if wrong else "agrees"


try:
    for op in ("+", "-", "*", "/", "**", "exp", "log", "tanh", "relu"):
        print(f"{op:5} {verdict(*row(op))}")
    f, rule, points = row("/")
    print("/     without its minus:", verdict(f, lambda a, b: (1 / b, a / b**2), points))
    f, rule, points = row("tanh")
    print("tanh  from its input:  ", verdict(f, lambda a: (1 - a * a,), points))
except NotImplementedError:
    print("Not all four answers are there yet. Fill them in above, and run this cell again.")
except Exception as error:
    print(f"One of your answers stops with an error here, {type(error).__name__}: {error}")

# %% [markdown]
# **Try this.** Take the input (0.0, 2.0) for the mutant of the quotient: put `[(0.0, 2.0)]` in place of `points` in its line.
# What does the check say now, and why?
#
# <details><summary>Answer</summary>
#
# It says "agrees". Where a is 0, the slope in b is 0 with a minus and without it. The check is as it was; the input does not
# tell.
# </details>
#
# Dual numbers have a use as well. **Newton's method** finds where a function is 0. Stand at some x, and ask for the value of
# the function there, and for its slope. If the function were a straight line, it would reach 0 at x minus value divided by
# slope; go there, and ask again. One run on a dual number answers both questions. The cell looks for the square root of 2,
# where x · x − 2 is 0, and for the logarithm of 5, where exp(x) − 5 is 0.



# %%
def newton(f, x: float, number, steps: int = 6) -> None:
    """Go to where f is 0, by its value and its slope; print each place on the way."""
    for step in range(steps):
        print(f"   step {step}: x = {x:.15f}")
        result = f(number(x, 1.0))
        x = x - result.value / result.tangent


try:
    print(f"The square root of 2:  {math.sqrt(2):.15f}")
    newton(lambda x: x * x - 2, 1.0, Dual)
    print(f"The logarithm of 5:    {math.log(5):.15f}")
    newton(lambda x: x.exp() - 5, 2.0, Dual)
except NotImplementedError:
    print("Dual is not complete yet. Fill in its methods above, and run this cell again.")
except Exception as error:
    print(f"Dual stops with an error here, {type(error).__name__}: {error}")

# %% [markdown]
# Near the end, each step about doubles the number of digits that are right. You wrote no rule for the slope of either
# function.

# %% [markdown]
# ## In your words

# %% [markdown]
# ### Exercise: a green test that proves nothing
#
# A colleague adds `maximum(a, b)`, the larger of two numbers, to an engine. They write its rule in a function
# `maximum_partials(a, b)`, and this test:
#
# ```python
# engine_gradient = maximum_partials(2.0, 2.0)
# reference = maximum_partials(2.0, 2.0)
# assert abs(engine_gradient[0] - reference[0]) < 0.001
# ```
#
# The test is green. In six to ten sentences: What is wrong with this test? Name at least three things. How would you test
# the rule instead, and at which inputs? And what would still not be proved if your test is green?

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain-green-test", "locked": false, "points": 20, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "written", "minutes": 15, "difficulty": 3, "importance": 4, "objectives": [2, 3]}
# **Model answer.** The reference is the code under test: both numbers come from the same function, so they agree whatever
# it says. The inputs are equal, and for the maximum that is a kink: there is no single slope, several answers are right,
# and a measured slope would be 0.5. Only the first partial is looked at; the second may be anything. The tolerance is
# absolute, so for slopes that are tiny it accepts everything, and for huge ones it rejects rounding errors. Instead I run
# `max` itself with one input nudged by 1e-5 up and down, divide by twice the step, and compare both partials with the rule
# by relative error, say at most 1e-6. I choose inputs away from the kink and on both sides of it, such as (2, 5) and
# (5, 2), and negative and large ones, so that a rule that always answers (1, 0) or that swaps the partials is caught. A
# green check still proves the rule only at these inputs. It says nothing about the tie, about inputs I did not think of,
# about nan and infinity, and nothing about whether the forward function computes what was meant: rule and function may
# agree and both be wrong.
#
# **Marking guide (20 points).** 5: the reference is the code under test, so that the test cannot fail. 5: two more faults
# out of: kink or equal inputs, absolute tolerance, only the first partial, only one input (3 for one of them). 6: a better
# test: measured by running the function with a central difference (3), relative error (1), inputs on both sides and away
# from the kink (2). 4: at least one limit of a green check: other inputs, the kink itself, or a forward function that is
# wrong in the same way (2 if it is only said that "tests do not prove everything"). Any wording counts.

# %% [markdown]
# ## What you built, and what the frameworks call it
#
# Every framework holds a table like yours, one row for each operation. Ask PyTorch for the partials of the nine
# operations. The numbers are its own:

# %%
import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
for name, y in [("+", a + b), ("-", a - b), ("*", a * b), ("/", a / b), ("**", a**b)]:
    in_a, in_b = torch.autograd.grad(y, (a, b))
    print(f"{name:5} slope in a {float(in_a):8.4f}   slope in b {float(in_b):8.4f}")
for name, y in [
    ("exp", torch.exp(a)),
    ("log", torch.log(a)),
    ("tanh", torch.tanh(a)),
    ("relu", torch.relu(a)),
]:
    (in_a,) = torch.autograd.grad(y, (a,))
    print(f"{name:5} slope in a {float(in_a):8.4f}")

# %% [markdown]
# And the same lines on the engine of this course, with only the import changed:

# %%
import autodiff_lab as torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
for name, y in [("+", a + b), ("-", a - b), ("*", a * b), ("/", a / b), ("**", a**b)]:
    in_a, in_b = torch.autograd.grad(y, (a, b))
    print(f"{name:5} slope in a {float(in_a):8.4f}   slope in b {float(in_b):8.4f}")
for name, y in [
    ("exp", torch.exp(a)),
    ("log", torch.log(a)),
    ("tanh", torch.tanh(a)),
    ("relu", torch.relu(a)),
]:
    (in_a,) = torch.autograd.grad(y, (a,))
    print(f"{name:5} slope in a {float(in_a):8.4f}")

# %% [markdown]
# | you wrote | PyTorch | JAX | TensorFlow |
# |---|---|---|---|
# | a row of partials | a line of `derivatives.yaml`; for an operation of your own, `torch.autograd.Function` | `jax.custom_jvp`, `jax.custom_vjp` | `tf.custom_gradient` |
# | `gradcheck` | `torch.autograd.gradcheck` | `jax.test_util.check_grads` | `tf.test.compute_gradient` |
# | `Dual` | `torch.func.jvp`, dual tensors in `torch.autograd.forward_ad` | `jax.jvp` | `tf.autodiff.ForwardAccumulator` |
#
# They differ in what they take as the base. JAX writes the forward rule of each operation, the one with tangents, and
# derives the backward rule from it. PyTorch and TensorFlow write the backward rule, and PyTorch keeps forward rules beside
# it. The partials in them are the same as yours.
#
# `torch.autograd.gradcheck` wants 64-bit numbers. With 32 bits, about 7 digits are kept instead of 16, and a step of 1e-6,
# its default, would measure mostly rounding errors: the right end of your error picture.

# %% [markdown]
# ## Interview questions
#
# <details><summary>Why does a framework need a rule for every operation, and none for your model?</summary>
#
# A model is a composition of operations from a fixed set. A rule for combining them, the chain rule of unit 03, says how
# slopes of parts make the slope of the whole, so it is enough to know the partials of each part. The composition is recorded while the model runs.
# </details>
#
# <details><summary>Your gradient check fails with a relative error of 0.003 at one input and is fine at all others. What do you look at?</summary>
#
# First whether that input lies on or near a kink (relu, max, abs), where a measured slope straddles two pieces. Then the
# numbers: 32-bit arithmetic, a step too small or too large, a slope that is almost 0 beside a large value, so that
# rounding errors dominate. Then random numbers in the function that differ between the two runs. If none of these, the rule
# has a term that matters only there. Changing the step helps to tell: an error that shrinks with the step comes from the
# measurement, and one that stays comes from the rule.
# </details>
#
# <details><summary>When would you use forward mode, and when the sweep of unit 03?</summary>
#
# Forward mode gives the slopes of all outputs in one direction of the inputs in one run, and keeps nothing for later. It
# suits few inputs and many outputs. For one output and many inputs, as in training, the sweep of unit 03 is the right
# one, and the two together give second derivatives.
# </details>

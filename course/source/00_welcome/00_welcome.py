# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] unit={"title": "Welcome", "question": "How does this course work?", "minutes": 75, "needs": [], "objectives": ["Run a cell, write an answer and test it at once.", "Read what a failed check says, also when your code stopped with an error or does not end, and act on it.", "Return a value, leave your inputs alone and compare decimal numbers safely.", "Say what a test cell, a point and a submission are."]}
# # 00 · Welcome
#
# In this course you build a machine that differentiates programs: it finds out how much the result of a program changes
# when an input moves a little. It is the machine inside PyTorch, TensorFlow and JAX. We call it the **engine**, and by
# the end you will have written every part of it yourself.
#
# This first unit is short. You see the finished engine at work, and you learn how a notebook works, how an exercise is
# tested, and how you hand it in. The mathematics is one line: $(x + y) \cdot y$, in words "add x and y, then multiply
# the sum by y". You will meet this expression again in every unit.

# %% [markdown]
# ## The finished engine, at work
#
# A grey box with code in it is a **cell**. Click into the cell below and press **Shift+Enter**: the cell runs, its
# output appears under it, and the next cell is selected. Try it now. You need not understand its lines yet.

# %%
from autodiff_lab.widgets import CurveFit

POINTS = [
    (-1.0, -0.04), (-0.8, -0.76), (-0.6, -0.92),
    (-0.4, -1.03), (-0.2, -0.50), (0.0, 0.02),
    (0.2, 0.49), (0.4, 1.02), (0.6, 0.93),
    (0.8, 0.73), (1.0, 0.08),
]


def curve(x, a, b, c, d):
    return a + b * x + c * x**2 + d * x**3


CurveFit(curve, POINTS, rate=0.02, steps=100)

# %% [markdown]
# The circles are eleven measurements. The thick line is the function `curve`, with four numbers $a$, $b$, $c$ and $d$
# in it, and nobody told the engine what these should be. It starts with four zeros, the dashed line, and takes 100
# steps:
#
# 1. How far away is the curve? The **error** says it: the mean of the squared distances between the points and the
#    curve.
# 2. How does the error change when one of the four numbers moves a little? This is what the engine finds out, for all
#    four at once.
# 3. Every number moves a bit to where the error gets smaller. How large a bit, says the **learning rate**: that is the
#    slider.
#
# **Try this.** Click the slider once and use the arrow keys. Guess before you look.
#
# 1. At 0.02 the steps are too short to arrive. What happens at 0.1, and at 0.5?
# 2. Is longer always better? Go on to 1, slowly.
# 3. In the cell, take `+ d * x**3` and the `d` in the brackets away, run it again, and look for the best learning rate.
#
# <details><summary>Answers</summary>
#
# 1. The error falls: from 0.4929 to 0.2665 at 0.02, to 0.1282 at 0.1, and to 0.008287 at 0.5, all in 100 steps.
# 2. It is best at 0.84. From 0.88 on, each step is so long that it leaps over the best place and lands further away
#    than it began: there is no curve any more.
# 3. No learning rate gets below 0.2484. Without $x^3$ the curve cannot bend one way on the left and the other way on
#    the right. The engine finds the best numbers for the formula that you give it; it does not find the formula.
# </details>

# %% [markdown]
# ## A notebook is text and cells that run
#
# You have run a cell. Here is another one:

# %%
x = 2.0
y = 3.0
print("the sum is", x + y)

# %% [markdown]
# Cells share their names: after you run the cell above, `x` and `y` exist everywhere in this notebook. If you restart
# the notebook (menu **Kernel**, then **Restart Kernel**), all names are gone, and you run the cells again from the top.
# Menu **Run**, then **Run All Cells**, does that for you.
#
# A cell of your own is a good place to try something: press **Esc**, then **B**, and there is a new one below. (**Esc**
# leaves the text of a cell, **Enter** goes back into it.)

# %% [markdown]
# ## If a cell does not end
#
# While a cell runs, a star stands in place of its number: `[*]`. In this course that is seldom longer than a second. If
# the star stays, the code is probably in a loop that never ends, such as this one:
#
# ```python
# n = 1
# while n > 0:
#     n = n + 1
# ```
#
# `n` grows with every round, so `n > 0` stays true for ever. Nothing in the loop comes nearer to its end.
#
# To stop it, press the square **■** in the toolbar, or menu **Kernel**, then **Interrupt Kernel**. Python answers
# `KeyboardInterrupt`, and names the line in which it was. All your names are still there, and you go on. If that does
# not help, restart the kernel.
#
# **Try this.** Copy the loop into a cell of your own, run it, and stop it. What is `n` now? Then delete that cell (**Esc**,
# and **D** two times).
#
# <details><summary>Answer</summary>
#
# A number of many millions, another one each time: the number of rounds until you stopped it. A test that you stop says
# in which line *your* code was, so you know which loop to look at.
# </details>

# %% [markdown]
# ## Predict first
#
# Before you let the machine compute something, say what you expect. A prediction that turns out wrong teaches you more
# than an answer that you only read.

# %% [markdown]
# ### Exercise: predict a value
#
# With $x = 2$ and $y = 3$, what is $(x + y) \cdot y$? Work it out on paper. In the next cell, write
# your number in place of the three dots in `prediction = ...`.
#
# The cell after it is a **test cell**, folded into its name. Run it (Shift+Enter) to see whether your prediction is
# right. Click its line if you want to read it.
#
# <details><summary>Hint 1: a sketch</summary>
#
# The brackets come first: add, and only then multiply.
# </details>
#
# <details><summary>Hint 2: with other numbers</summary>
#
# With $x = 1$ and $y = 4$: the sum is $1 + 4 = 5$, and $5 \cdot 4 = 20$.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# `prediction = 20` would be the answer for $x = 1$ and $y = 4$.
# </details>
#
# <details><summary>A worked sibling: another formula</summary>
#
# What is $(x - y) \cdot x$ at $x = 6$ and $y = 2$? The brackets first: $6 - 2 = 4$. Then the product: $4 \cdot 6 = 24$.
# So `prediction = 24`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "prediction", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "predict", "minutes": 3, "difficulty": 1, "importance": 3, "objectives": [1]}
### BEGIN SOLUTION
prediction = 15
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-prediction", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of your prediction: 6 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.choice(
    student.get("prediction"),
    "00/prediction",
    form="a number",
    right="d5c485b06f62",
    instead={
        "ead718e782a6": unit.BRACKETS_IGNORED,
        "877c638ab3b9": unit.ONLY_HALF_COMPUTED,
        "ef50eafc0c1c": unit.OPERANDS_MIXED_UP,
        "c9647a936d4e": unit.SUM_TIMES_ITSELF,
        "ee8cd28524a6": unit.ONE_TERM_MULTIPLIED,
    },
)

# %% [markdown]
# ## See it move
#
# Here is the simplest picture of a computation: one input, one operation, one value. Move the slider with the mouse, or
# click it once and use the arrow keys. Every time you move it, Python computes the value again.

# %%
from autodiff_lab.widgets import HelloSlider

HelloSlider(lambda x: x * x, x=2.0, low=-5, high=5)

# %% [markdown]
# **Try this.**
#
# 1. Find both positions at which the value is 9.
# 2. Start at 1 and make one step to the right. Then start at 4 and make one step to the right. Where does the value
#    change more? Guess first.
#
# <details><summary>Answers</summary>
#
# 1. At 3 and at -3: a square forgets the sign.
# 2. At 4. From 1 to 1.1 the value goes from 1 to 1.21, and from 4 to 4.1 it goes from 16 to 16.81: the steps are equal,
#    and the second change is almost four times as large.
# </details>

# %% [markdown]
# ## A first slope, measured by hand
#
# "How much does the value change when the input moves a little?" is the question of the whole course. Measure it once
# yourself: make a small step, and divide the change of the value by the step.


# %%
def f(x):
    return x * x


step = 0.1
for start in (1.0, 4.0):
    change = f(start + step) - f(start)
    print(f"at {start}: the value changes by {change:.4f}, which is {change / step:.4f} times the step")

# %% [markdown]
# That quotient is a **slope**: how many times larger the change of the value is than the step of the input. At 4 the
# curve is steeper than at 1.
#
# **Try this.**
#
# 1. Set `step = 0.01` and run the cell, then `step = 0.001`. Which two numbers do the slopes come near to?
# 2. Guess the slope at 3 and at -2, then put them into the brackets in place of 1.0 and 4.0.
#
# <details><summary>Answers</summary>
#
# 1. To 2 and to 8: with a step of 0.01 the slopes are 2.01 and 8.01, with a step of 0.001 they are 2.001 and 8.001. The
#    number that the slope comes near to, as the step shrinks, is called the **derivative**.
# 2. With a step of 0.001 they are 6.001 and -3.999, so the derivatives are 6 and -4, twice the input each time. At -2 the
#    slope is below zero: there the value falls when the input grows.
# </details>

# %% [markdown]
# So you can measure a slope with two values of the function. The curve at the beginning has four numbers: that makes four
# measurements, at each of 100 steps. A network with a million numbers would need a million. The engine measures nothing
# and takes no small step: it gets all slopes at once, and exactly. How it does that, you find out in units 01 to 04.

# %% [markdown]
# ## Return, do not print
#
# Most exercises ask you to finish a function. A function takes inputs and hands back a result with `return`. A test
# calls your function and looks at what it returns. What a function prints, a test does not see:


# %%
def prints_its_result(x: float) -> None:
    print(2 * x)


def returns_its_result(x: float) -> float:
    return 2 * x


first = prints_its_result(4.0)
second = returns_its_result(4.0)
print("the first function returned", first)
print("the second function returned", second)

# %% [markdown]
# The first function shows 8 on the screen and returns `None`, Python's word for "nothing". The second one returns the
# number, and you can go on calculating with it.
#
# (`x: float` and `-> float` say which kind of value is meant, here a decimal number. They are notes for the reader:
# Python does not check them, and you may leave them out.)

# %% [markdown]
# ### Exercise: your first function
#
# Finish the function `expression(x, y)`, so that it returns $(x + y) \cdot y$.
#
# **First see it fail.** Leave the cell as it is, run it, and run the test cell below. Read what it says. Then remove the
# lines `# YOUR CODE HERE` and `raise NotImplementedError()`, write your answer in their place, run the cell, and run the
# test again.
#
# <details><summary>Hint 1: a sketch</summary>
#
# One line is enough. It begins with `return`.
# </details>
#
# <details><summary>Hint 2: a picture</summary>
#
# ```text
# x ---+
#      (+)---(*)--- result
# y ---+      |
# y ----------+
# ```
#
# `y` goes into the addition and into the multiplication.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def expression(x, y):
#     total = ...           # the sum
#     return ...            # the sum times y
# ```
# </details>
#
# <details><summary>A worked sibling: another function</summary>
#
# `difference(x, y)` is to return $(x - y) \cdot x$:
#
# ```python
# def difference(x, y):
#     change = x - y
#     return change * x
# ```
#
# `difference(6.0, 2.0)` returns 24.0.
# </details>
#
# <details><summary>If the test says "nothing-returned"</summary>
#
# Your function computes or prints, and does not hand anything back. Look for the word `return`.
# </details>


# %% nbgrader={"grade": false, "grade_id": "expression", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 6, "difficulty": 1, "importance": 5, "objectives": [1, 3]}
def expression(x: float, y: float) -> float:
    """Return (x + y) times y."""
    ### BEGIN SOLUTION
    return (x + y) * y
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-expression", "locked": true, "points": 14, "schema_version": 3, "solution": false, "task": false}
# Test of expression: 14 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.function(
    student.expression,
    on=unit.PAIRS.values(),  # equal, opposite and negative numbers, zeros, integers, many decimals
    like=lambda x, y: (x + y) * y,
    wrong=unit.EXPRESSION,
)
### BEGIN HIDDEN TESTS
check.function(
    student.expression,
    on=[*unit.drawn(unit.PAIRS, seed=20), (1e20, 3.0), (10**6, 3), (0.1, 0.2)],
    like=lambda x, y: (x + y) * y,
)
### END HIDDEN TESTS

# %% [markdown]
# ## What a failed check says
#
# A check that fails is not a judgement. It is the quickest way to learn something, because it tells you five things,
# always in the same order. Here is one, from a function that should double its input and does not:

# %%
from autodiff_lab.checks import CheckFailed, check, student


def double(x: float) -> float:
    print(x + x)


try:
    check(student.double(3.0), expect=6.0)
except CheckFailed as message:
    print(message)

# %% [markdown]
# | line | what it tells you |
# |---|---|
# | `double(3.0): not yet.` | the **call**: you can type it into a cell of your own and try it |
# | `expected` | what a right answer gives for exactly this call |
# | `got` | what your function gave |
# | `This looks like: …` | the **misconception** that usually leads to this result, with a few words about it |
# | `Read: …` | where in the course it is explained |
#
# Not every mistake has a name. Then you get the call and the two values, and that is often enough.

# %% [markdown]
# ## When your code stops with an error
#
# Sometimes there is no value to compare, because Python stops in the middle of your function. Then a check shows the
# error instead:


# %%
def last(numbers: list[float]) -> float:
    return numbers[len(numbers)]


try:
    check(student.last([3.0, 4.0]), expect=4.0)
except CheckFailed as message:
    print(message)

# %% [markdown]
# | line | what it tells you |
# |---|---|
# | `last([3.0, 4.0]): stopped with an error.` | the **call**, as before |
# | `IndexError: list index out of range` | the **kind** of error, and what Python says about it |
# | `in your code, line 2 of last: …` | the **line** that Python was in, counted from the top of its cell |
#
# Read the last line first: that is where to look. Ask there what the names stand for. Here `len(numbers)` is 2, and the
# places of a list of two are 0 and 1, so there is no place 2: that is what the kind of error says. If you do not see it,
# type the call into a cell of your own, with a `print` before the line.
#
# Two messages are not about a mistake in the function. `last: not started yet` means that nothing is written yet. And
# `the cell that should define it stopped with an error` means that the cell *above* is red: repair and run that one
# first.

# %% [markdown]
# ### Exercise: read a message
#
# Somebody wrote a function `half`, and a check says:
#
# ```text
# half(5.0): not yet.
#   expected  2.5
#   got       2.0
# ```
#
# Which sentence is true? Write `reading_a_message = "…"` with the letter of your choice.
#
# - **a** — `half(5.0)` returns 2.5, and the test wants 2.0.
# - **b** — `half(5.0)` returns 2.0, and the test wants 2.5.
# - **c** — the function is not defined.
# - **d** — the test itself is broken, since half of 5 is 2.5.
#
# <details><summary>Hint 1: a sketch</summary>
#
# "Expected" is what the test wants. "Got" is what came.
# </details>
#
# <details><summary>Hint 2: an example</summary>
#
# You order tea and the waiter brings coffee: expected tea, got coffee.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# One line: `reading_a_message = "…"`, with one letter between the quotes.
# </details>
#
# <details><summary>A worked sibling: another message</summary>
#
# `double(3.0): not yet.`, then `expected 6.0` and `got 9.0`: a right answer gives 6.0 for this call, and the function
# gave 9.0. It seems to multiply 3 by itself.
# </details>

# %% nbgrader={"grade": false, "grade_id": "reading_a_message", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "choice", "minutes": 3, "difficulty": 1, "importance": 4, "objectives": [2]}
### BEGIN SOLUTION
reading_a_message = "b"
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-reading_a_message", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
# Test of reading_a_message: 8 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.choice(
    student.get("reading_a_message"),
    "00/reading_a_message",
    form="one letter in quotation marks",
    right="13dcc713549e",
    instead={
        "acf41a2f80f1": unit.EXPECTED_AND_GOT_SWAPPED,
        "934daf1c4e0e": unit.EXPECTED_AND_GOT_SWAPPED,
    },
)

# %% [markdown]
# ## Leave your inputs alone
#
# When you hand a list to a function, the function gets that very list and not a copy. If it changes the list, it
# changes yours:


# %%
def spoils_its_input(numbers: list[float]) -> list[float]:
    numbers[0] = 100.0
    return numbers


mine = [1.0, 2.0, 3.0]
spoils_its_input(mine)
print("my list is now", mine)

# %% [markdown]
# In the engine, this matters more than elsewhere: a derivative is computed from values that were stored earlier. If somebody changes them in between, the derivative is wrong, and nothing complains. So build a
# new list, and leave the old one as it was.

# %% [markdown]
# ### Exercise: squares
#
# Finish `squares(numbers)`. It returns a new list with the square of every number, in the same order, and leaves
# `numbers` unchanged. For an empty list it returns an empty list.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Start with an empty list. Go through the numbers, and append the square of each.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# | so far | next number | then |
# |---|---|---|
# | `[]` | 3 | `[9]` |
# | `[9]` | -2 | `[9, 4]` |
# | `[9, 4]` | none left | return `[9, 4]` |
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def squares(numbers):
#     result = []
#     for number in numbers:
#         ...
#     return ...            # how far is this line indented?
# ```
# </details>
#
# <details><summary>A worked sibling: only the positive ones</summary>
#
# `positive(numbers)` is to return a new list with the numbers above 0:
#
# ```python
# def positive(numbers):
#     found = []
#     for number in numbers:
#         if number > 0:
#             found.append(number)
#     return found
# ```
#
# `positive([3.0, -2.0, 0.5])` returns `[3.0, 0.5]`. For an empty list the loop has no round, and the empty list comes
# back.
# </details>
#
# <details><summary>If the test says "return-inside-the-loop"</summary>
#
# Your `return` is indented as far as the lines of the loop, so the function ends in the first round.
# </details>


# %% nbgrader={"grade": false, "grade_id": "squares", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 8, "difficulty": 2, "importance": 4, "objectives": [1, 3]}
def squares(numbers: list[float]) -> list[float]:
    """Return a new list with the square of every number; ``numbers`` stays as it is."""
    ### BEGIN SOLUTION
    return [number * number for number in numbers]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-squares", "locked": true, "points": 14, "schema_version": 3, "solution": false, "task": false}
# Test of squares: 14 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.function(
    student.squares,
    on=unit.LISTS.values(),  # one number and several, negative, equal, 0, integers, many decimals
    like=lambda numbers: [number * number for number in numbers],
    wrong=unit.SQUARES,
)
check(student.squares([]), expect=[], instead=unit.NOTHING_IN_THE_LIST)
check.leaves_alone(student.squares, [3.0, -2.0, 0.5], otherwise=unit.INPUT_CHANGED)
check(
    unit.side_by_side(student.squares),
    expect=([1.0, 25.0], [4.0], [1.0, 25.0]),
    instead=[(lambda got: True, unit.RESULT_LIST_SHARED)],
)
### BEGIN HIDDEN TESTS
for _numbers in [*unit.drawn(unit.LISTS, seed=23), [float(n) for n in range(200)], []]:
    check(student.squares(_numbers), expect=[number * number for number in _numbers])
    check.leaves_alone(student.squares, _numbers, otherwise=unit.INPUT_CHANGED)
### END HIDDEN TESTS

# %% [markdown]
# ## Find the bug
#
# In every unit there is one piece of code that looks right and is not. You find out what is wrong with it, and mend it.

# %% [markdown]
# ### Exercise: a mean that is sometimes wrong
#
# This function should return the mean of a list of numbers: the sum divided by how many there are. For an empty list it
# should return 0.0.
#
# ```python
# def mean(numbers):
#     total = 0
#     for number in numbers:
#         total = total + number
#     return total // len(numbers)
# ```
#
# Write the function below, with its two bugs mended.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Try `mean([1.0, 2.0])` and `mean([])` in a cell of your own. What should come, and what comes?
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# The mean of 1 and 2 is 1.5. The operator `//` gives 1, since it rounds down.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def mean(numbers):
#     if ...:               # nothing in the list
#         return 0.0
#     ...
# ```
# </details>
#
# <details><summary>A worked sibling: a wrong largest</summary>
#
# `largest(numbers)` should return the largest number, and `None` for an empty list. This one begins with `found = 0`:
#
# ```python
# def largest(numbers):
#     found = 0
#     for number in numbers:
#         if number > found:
#             found = number
#     return found
# ```
#
# Try small lists of every kind. `largest([1.0, 5.0])` is right. `largest([-3.0])` gives 0, which is not even in the list,
# and so does `largest([])`. One line mends both: begin with `found = numbers[0] if numbers else None`.
# </details>


# %% nbgrader={"grade": false, "grade_id": "mean", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "find_bug", "minutes": 6, "difficulty": 2, "importance": 3, "objectives": [2, 3]}
def mean(numbers: list[float]) -> float:
    """Return the mean of the numbers, and 0.0 for an empty list."""
    ### BEGIN SOLUTION
    if not numbers:
        return 0.0
    return sum(numbers) / len(numbers)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-mean", "locked": true, "points": 12, "schema_version": 3, "solution": false, "task": false}
# Test of mean: 12 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.function(
    student.mean,
    on=unit.LISTS.values(),  # one number and several, negative, equal, 0, integers, many decimals
    like=lambda numbers: sum(numbers) / len(numbers),
    wrong=unit.MEAN,
    tolerance=1e-12,
)
check(student.mean([]), expect=0.0, instead=unit.NOTHING_IN_THE_LIST)
check.leaves_alone(student.mean, [3.0, 1.0], otherwise=unit.INPUT_CHANGED)
### BEGIN HIDDEN TESTS
for _numbers in [*unit.drawn(unit.LISTS, seed=21), [float(n * n) for n in range(101)], [1e12, 1.0]]:
    check(student.mean(_numbers), expect=sum(_numbers) / len(_numbers), tolerance=1e-12)
    check.leaves_alone(student.mean, _numbers, otherwise=unit.INPUT_CHANGED)
check(student.mean([]), expect=0.0)
### END HIDDEN TESTS

# %% [markdown]
# ## Compare decimal numbers with a tolerance
#
# A computer stores decimal numbers in binary, with about 16 digits. Most decimals do not fit exactly:

# %%
print(0.1 + 0.2)
print("equal to 0.3?", 0.1 + 0.2 == 0.3)

# %% [markdown]
# So two calculations that should agree often differ in the last digit. Nobody compares such numbers with `==`. You ask
# whether they are **close**: whether their distance, the absolute value of their difference, is at most a small
# tolerance. The checks of this course do the same, so you never lose a point for the sixteenth digit.

# %% [markdown]
# ### Exercise: nearly equal
#
# Finish `nearly_equal(a, b, tolerance)`. It returns `True` when the distance of `a` and `b` is at most `tolerance`, and
# `False` otherwise.
#
# <details><summary>Hint 1: a sketch</summary>
#
# The distance of 5 and 3 is 2. The distance of 3 and 5 is also 2.
# </details>
#
# <details><summary>Hint 2: worked numbers</summary>
#
# | a | b | a − b | distance | at most 0.5? |
# |---|---|---|---|---|
# | 1.0 | 1.4 | −0.4 | 0.4 | yes |
# | 1.4 | 1.0 | 0.4 | 0.4 | yes |
# | 1.0 | 9.0 | −8.0 | 8.0 | no |
#
# Look at the last row: −8.0 is less than 0.5, and the numbers are still far apart.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def nearly_equal(a, b, tolerance):
#     distance = ...
#     return distance ... tolerance
# ```
# </details>
#
# <details><summary>A worked sibling: outside of two limits</summary>
#
# `outside(value, low, high)` is to return `True` when the value does not lie between the limits. A comparison *is* a
# truth value, so it can be returned as it is:
#
# ```python
# def outside(value, low, high):
#     return value < low or value > high
# ```
#
# At the limit itself, `outside(2.0, 2.0, 5.0)`, neither comparison holds, and it returns `False`.
# </details>


# %% nbgrader={"grade": false, "grade_id": "nearly_equal", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 6, "difficulty": 2, "importance": 4, "objectives": [3]}
def nearly_equal(a: float, b: float, tolerance: float) -> bool:
    """Return True when a and b differ by at most ``tolerance``."""
    ### BEGIN SOLUTION
    return abs(a - b) <= tolerance
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-nearly_equal", "locked": true, "points": 14, "schema_version": 3, "solution": false, "task": false}
# Test of nearly_equal: 14 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.function(
    student.nearly_equal,
    on=unit.CLOSE.values(),  # close and far, in both orders, negative, equal, at the tolerance, large and small
    like=lambda a, b, tolerance: abs(a - b) <= tolerance,
    wrong=unit.NEARLY_EQUAL,
)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(22)
check.function(
    student.nearly_equal,
    on=unit.drawn(unit.CLOSE, seed=22)
    + [(_draw.uniform(-3, 3), _draw.uniform(-3, 3), _draw.uniform(0, 3)) for _ in range(40)]
    + [(10**6, 10**6 + 5, 4), (-7, -5, 2), (0, -3, 3), (0, 1.5e-12, 1e-12), (0.1 + 0.2, 0.3, 0)],
    like=lambda a, b, tolerance: abs(a - b) <= tolerance,
)
### END HIDDEN TESTS

# %% [markdown]
# ## Points, test cells and handing in
#
# - Every exercise stands alone. If one goes wrong, you lose the points of that one and of no other.
# - A **test cell** is locked. You may read it, and you learn from reading it. When your work is graded, every test cell
#   is put back as it was released, also when you changed or deleted it. So a change to a test cell changes nothing but
#   what you see.
# - Every test cell is folded into one line, with its name and its points. It runs all the same; click the line to read it.
# - Graders run a few more inputs than the test cell shows. A function that answers the question passes them as well. A
#   function that only knows the examples does not.
# - Your answers to questions in words are read by a person.
# - **To check everything**: press **Validate** in the toolbar of this notebook, or run
#   `python3 -m autodiff_lab check 00_welcome` in a terminal.
# - **To hand in**: save the notebook, and run `python3 -m autodiff_lab hand-in 00_welcome` in a terminal. It checks the
#   notebook once more, writes the one file to upload into the folder `hand-in`, and says its name; upload it where your
#   instructor asks for it. If your class shares a folder on one machine, the same command submits it there, and so does
#   **Submit** next to `00_welcome` (menu **Nbgrader**, **Assignment List**). You may hand in again; the last one counts.

# %% [markdown]
# ### Exercise: the way of an answer
#
# These cards tell how an answer gets its points. They are shuffled, and **two of them never happen**:
#
# - **A** — You predict what will come out.
# - **B** — You run the test cell and read its message.
# - **C** — You read the exercise.
# - **D** — Everything passes: you save, and hand in.
# - **E** — You write the function and run its cell.
# - **F** — The grader puts every test cell back as it was released, and tests your answer with it.
# - **G** — The test cell that you changed, so that it always passes, gets its points.
# - **H** — The grader sees that you changed a test cell, and the whole notebook gets no points.
#
# Write `way_of_an_answer = [...]` with the letters of the cards that do happen, in their order. A list of letters looks
# like this: `["A", "B"]`.
#
# <details><summary>Hint 1: a sketch</summary>
#
# You cannot predict what an exercise gives before you know what it asks, and a prediction made after the code is none.
# </details>
#
# <details><summary>Hint 2: think of a deleted test cell</summary>
#
# Deleting a test cell by mistake should not cost you your points, and should not bring any. What would a fair grader do?
# The list above says it.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# Six letters. Five are about what you do, the last one about what the grader does:
# `way_of_an_answer = […, …, …, …, …, …]`
# </details>
#
# <details><summary>A worked sibling: baking bread</summary>
#
# The cards: **A** — you put it into the oven; **B** — you mix flour and water; **C** — you light the oven with the bread
# inside; **D** — you read the recipe. Card C never happens, and `["D", "B", "A"]` is the order of the others.
# </details>

# %% nbgrader={"grade": false, "grade_id": "way_of_an_answer", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "order", "minutes": 4, "difficulty": 1, "importance": 3, "objectives": [4]}
### BEGIN SOLUTION
way_of_an_answer = ["C", "A", "E", "B", "D", "F"]
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-way_of_an_answer", "locked": true, "points": 12, "schema_version": 3, "solution": false, "task": false}
# Test of way_of_an_answer: 12 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import welcome as unit

check.choice(
    student.get("way_of_an_answer"),
    "00/way_of_an_answer",
    form="a list of letters, each in quotation marks",
    right="7dda3021d0dc",
    instead=unit.WAYS,
)

# %% [markdown]
# ## In your own words
#
# The last exercise of a unit is a question that a person reads. Double-click the cell, write, and press Shift+Enter.

# %% [markdown]
# ### Exercise: a failing check
#
# A friend says: "The test says `expected 2.5, got 2.0`, so I added `if x == 5.0: return 2.5`. Now it passes." In three to
# five sentences: What did your friend learn about the function, what did they not learn, and what would you do with that
# message instead?

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain-failing-check", "locked": false, "points": 20, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "written", "minutes": 10, "difficulty": 2, "importance": 4, "objectives": [2, 4]}
# **Model answer.** The friend learned that the function is wrong at 5, and nothing about why. The special case makes one
# example pass, and the function stays wrong for other inputs; a grader that tries other inputs notices. I would use the
# message as a clue: got 2.0 where 2.5 was expected looks like a division that rounds down. I would call the function with
# other odd and even numbers, find the line that rounds, mend it for every input, and run the test again.
#
# **Marking guide (20 points).** 5: sees that the special case mends one example only. 5: says that other inputs stay
# wrong, or that further tests will show it. 5: takes the message as a clue to a cause (rounding, integer division).
# 5: says what to do next (try more inputs, mend the cause, test again). Any wording counts.

# %% [markdown]
# ## What you built, and what the frameworks call it
#
# You wrote $(x + y) \cdot y$ as a Python function. Here are the same lines in **PyTorch**, a framework that very many
# people train neural networks with. A number becomes a *tensor*, and `requires_grad=True` asks PyTorch to remember how
# the result was made. `f.backward()` then computes how fast `f` changes with each input, and leaves the answers in
# `x.grad` and `y.grad`.

# %%
import torch

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
f = (x + y) * y
f.backward()
print("value", f.item(), "and derivatives", float(x.grad), "and", float(y.grad))

# %% [markdown]
# And here is the engine of this course. Only the first line is different:

# %%
import autodiff_lab as torch

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
f = (x + y) * y
f.backward()
print("value", f.item(), "and derivatives", float(x.grad), "and", float(y.grad))

# %% [markdown]
# Both know that the value is 15 and that the derivatives are 3 and 8, and nobody told them a rule for this expression.
# How they find out is what you build in the next units. TensorFlow and JAX do the same with other words: TensorFlow
# records what happens while a `GradientTape` is open, and JAX turns a function into another function that computes its
# derivative.

# %% [markdown]
# ## Two questions from interviews
#
# <details><summary>Why do numerical tests use a tolerance, and how do you choose it?</summary>
#
# Decimal numbers are rounded at every operation, so two correct calculations may differ in the last digits. The
# tolerance has to be larger than this rounding, which is about 1e-16 of the value per operation in double precision, and
# smaller than the effect of a real mistake. It is usually taken relative to the size of the numbers.
# </details>
#
# <details><summary>What is wrong with a function that changes the list it is given?</summary>
#
# The caller may still need the old values, and cannot see from the call that they are gone. In automatic differentiation
# slopes are computed from values that were saved earlier; a change in between makes the slopes wrong without any
# error. Frameworks count the changes of a tensor to detect this.
# </details>

# %% [markdown]
# **Next:** unit 01 asks what the picture of a computation is, and turns it into data that a program can read.

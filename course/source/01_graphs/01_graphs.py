# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] unit={"title": "Graphs", "question": "What is a computational graph?", "minutes": 150, "needs": ["00_welcome"], "objectives": ["Write a formula as a graph in plain data, and name its leaves, its operations and its root.", "Tell a shared node from a cycle, and find every cycle.", "Put nodes into an order in which each comes after its operands, for graphs of any size and depth.", "Compute every node exactly once, and keep every intermediate value."], "masks": ["engine", "torch", "orders"]}
# # 01 · Graphs
#
# You write $(x + y) \cdot y$ as one line. A computer cannot do that line at once: it adds, puts the sum down somewhere,
# and then multiplies. The sum never had a name, but it was there. A **computational graph** is the formula with nothing
# left out: every value that occurs on the way has a name, and every operation says which values it uses.
#
# All of this course happens on such graphs. Here you build them out of Python's plainest parts, a dict and some tuples,
# and write the first half of every deep-learning framework: the one that computes values.

# %% [markdown]
# ## Predict first
#
# Here is our formula again, with a name for the sum:
#
# ```text
# a = x + y
# f = a · y
# ```

# %% [markdown]
# ### Exercise: one input moves
#
# At $x = 2$ and $y = 3$ the sum $a$ is 5 and the result $f$ is 15. Now $y$ goes from 3 to 4, and $x$ stays where it is.
# What is $f$ then? Write `prediction_f = …` with your number.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Put your finger on every place where $y$ is used. What becomes new there?
# </details>
#
# <details><summary>Hint 2: other numbers</summary>
#
# When $x$ goes from 2 to 6 instead, and $y$ stays 3: $a$ becomes 9, and $f$ becomes $9 \cdot 3 = 27$.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# `prediction_f = 27` would be the answer for the change in hint 2.
# </details>

# %% nbgrader={"grade": false, "grade_id": "predict_f", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "predict", "minutes": 3, "difficulty": 1, "importance": 4, "objectives": [4]}
### BEGIN SOLUTION
prediction_f = 24
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-predict_f", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
# Test of one input moves: 4 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

check.choice(
    student.get("prediction_f"),
    "01/predict_f",
    form="a number",
    right="3bbde514fa95",
    instead=dict.fromkeys(["13085c5fe18d", "f662e7c47f5a"], unit.SHARED_INPUT_MOVED_ONCE),
)

# %% [markdown]
# ## Watch the values move
#
# This is the graph of the formula. Each box is a value. A line runs from a value to the operation that uses it. Move the
# sliders with the mouse, or click one and use the arrow keys.

# %%
from autodiff_lab.widgets import GraphExplorer

GraphExplorer(
    {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")},
    inputs={"x": 2.0, "y": 3.0},
)

# %% [markdown]
# **Try this.**
#
# 1. Set $y$ to 4 and compare with your prediction. How many lines leave the box of $y$?
# 2. Move $x$ alone. Which boxes stay as they are, and can you see from the picture why?
# 3. Find a setting where $a$ is 0. Which of the two sliders can now move without changing $f$ at all? Is there one?
#
# <details><summary>Answers</summary>
#
# 1. f is 24. Two lines leave the box of y, one to a and one to f.
# 2. y stays, and nothing else does: from x a line leads to a, and from there one to f, but none leads to y.
# 3. For example x = 2 and y = −2: f is 0. Each of the sliders changes a, so it changes f, unless y is 0. With both at 0,
#    x can move as far as it likes: f stays 0.
# </details>
#
# Six words for what you see, used in the whole course:
#
# | word | what it means | here |
# |---|---|---|
# | **node** | one value, with a name of its own | x, y, a, f |
# | **edge** | "this value is used there" | four lines |
# | **operand** | a value that an operation uses | the operands of f are a and y |
# | **leaf** | a node that is computed from nothing: an input or a constant | x and y |
# | **root** | the node that nothing uses: the result | f |
# | **shared** node | a node that is used more than once | y |
#
# <div class="alert alert-info">
#
# **A node is a value, not a place on the paper.** The formula has the letter y twice, and the graph has the node y once.
#
# </div>

# %% [markdown]
# ## A graph is data
#
# A picture is for people. For a program, we write the graph down as a **dict**: each node has one entry, whose key is its
# name. The entry is a **tuple** that says where the value comes from.
#
# | entry | meaning |
# |---|---|
# | `("input",)` | it is given from outside |
# | `("const", 3.0)` | it is always this number |
# | `("+", "x", "y")` | it is computed: the operation first, then the *names* of its operands, in their order |
#
# Operations are `"+"`, `"-"`, `"*"`, `"/"` and `"**"` with two operands, and `"neg"`, `"exp"`, `"log"`, `"tanh"`, `"relu"`,
# `"sin"` and `"cos"` with one. As an example, $e^u - 3 \cdot u$, in words "e to the power u, minus three times u":

# %%
from autodiff_lab import draw

example = {
    "u": ("input",),
    "e": ("exp", "u"),
    "three": ("const", 3.0),
    "p": ("*", "three", "u"),
    "g": ("-", "e", "p"),
}
draw(example)

# %% [markdown]
# Three things are easy to get wrong.
#
# - `("input",)` has a comma before the bracket. Without it, Python sees brackets around a text, and no tuple.
# - An entry looks backwards, from a value to its operands. Nothing in the entry of `"u"` says who uses it.
# - One node does one operation. There is no room for a formula inside an entry.
#
# Reading operands comes up so often that you get a function for it. It is the same for every exercise below.


# %% nbgrader={"grade": false, "grade_id": "given-operands", "locked": true, "schema_version": 3, "solution": false, "task": false}
def operands(graph: dict[str, tuple], name: str) -> list[str]:
    """The nodes that `name` is computed from, in order; none for an input or a constant."""
    operation, *rest = graph[name]
    return [] if operation in ("input", "const") else rest


# %%
for name in example:
    print(f"{name:>5} is computed from {operands(example, name)}")

# %% [markdown]
# ### Exercise: two formulas as graphs
#
# Finish two functions. Each returns a graph as a dict, a new one at every call.
#
# - `graph_of_f()` is $(x + y) \cdot y$ with the inputs `"x"` and `"y"`.
# - `graph_of_loss()` is $(x \cdot w + b - 10)^2$ with the inputs `"x"`, `"w"` and `"b"`: multiply x by w, add b, subtract
#   the constant 10, and square what you have. Squaring is a value times itself. It takes four operations. (A number that
#   says how far a result is from where it should be, here from 10, is called a **loss**.)
#
# The inputs have to have these names. The names of all other nodes, and the order of the entries, are up to you.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Cut the formula into lines with one operation each, as if you had a pocket calculator: $p = x \cdot w$, and so on. Every
# line becomes an entry. Then see which names on the right-hand sides do not have an entry yet.
# </details>
#
# <details><summary>Hint 2: a picture of the loss</summary>
#
# ```text
# x --+
#    (*)--+
# w --+  (+)--+
# b ------+  (-)--+--+
# 10 ---------+   |  (*)
#                 +--+
# ```
#
# With $x = 2$, $w = 3$ and $b = 1$ the boxes hold 6, 7, −3 and 9.
# </details>
#
# <details><summary>Hint 3: a skeleton, for another formula</summary>
#
# For $(u - 1) \cdot (u - 1)$ there are four nodes and two operations:
#
# ```python
# {
#     "u": ("input",),
#     "one": ("const", 1.0),
#     "d": ("-", "u", "one"),     # the value in the brackets, once
#     "g": ("*", "d", "d"),       # used twice
# }
# ```
# </details>
#
# <details><summary>If the test says "tuple-without-comma"</summary>
#
# Look for `("input")` and write `("input",)`.
# </details>
#
# <details><summary>If the test says "graph-name-reused"</summary>
#
# In a program you may write `p = p + b`. In a graph the old p is a value that the new one is computed from: it needs
# another name.
# </details>
#
# <details><summary>If the test says "graph-leaf-missing"</summary>
#
# The message names an operand that has no entry. Inputs and constants need an entry as well.
# </details>


# %% nbgrader={"grade": false, "grade_id": "formula_graphs", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 12, "difficulty": 1, "importance": 5, "objectives": [1]}
def graph_of_f() -> dict[str, tuple]:
    """The graph of (x + y) · y."""
    ### BEGIN SOLUTION
    return {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
    ### END SOLUTION


def graph_of_loss() -> dict[str, tuple]:
    """The graph of (x · w + b − 10)²."""
    ### BEGIN SOLUTION
    return {
        "x": ("input",),
        "w": ("input",),
        "b": ("input",),
        "p": ("*", "x", "w"),
        "z": ("+", "p", "b"),
        "target": ("const", 10.0),
        "d": ("-", "z", "target"),
        "loss": ("*", "d", "d"),
    }
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-formula_graphs", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of two formulas as graphs: 10 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

unit.check_formula(
    student.graph_of_f(),
    inputs=("x", "y"),
    rule=lambda x, y: (x + y) * y,
    operations=2,
    slips=unit.SLIPS_IN_F,
)
unit.check_formula(
    student.graph_of_loss(),
    inputs=("x", "w", "b"),
    rule=lambda x, w, b: (x * w + b - 10) ** 2,
    holds=lambda x, w, b: x * w + b - 10,
    operations=4,
    slips=unit.SLIPS_IN_THE_LOSS,
)
### BEGIN HIDDEN TESTS
_answer = student.run(
    """
    first, second = graph_of_f(), graph_of_f()
    first.clear()
    return len(second), len(graph_of_f())
    """,
    label="graph_of_f called again after its first answer was emptied",
)
check(_answer, accept=lambda sizes: min(sizes) >= 4, hint="Each call has to make a dict of its own.")
### END HIDDEN TESTS

# %% [markdown]
# ## Leaves, operations, root
#
# With the graph as data, you can ask it questions. Which nodes are leaves? Their entry begins with `"input"` or
# `"const"`. Which node is the root? No entry says so. You have to look at all the others: the root is the one that
# nobody's operands mention.
#
# The order of the entries means nothing. These two dicts are the same graph, and Python agrees:

# %%
one_way = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
another = {"f": ("*", "a", "y"), "y": ("input",), "a": ("+", "x", "y"), "x": ("input",)}
print("the same graph:", one_way == another)
print("the last entry:", list(one_way)[-1], "and", list(another)[-1])

# %% [markdown]
# ### Exercise: the parts of a graph
#
# Finish three functions.
#
# - `leaves(graph)` returns the names of all leaves, in any order, each once. Constants are leaves too.
# - `operations(graph)` returns the names of all other nodes, in any order, each once.
# - `root(graph)` returns the name of the node that nothing uses. You may rely on there being exactly one.
#
# Names are free: the root need not be called `"f"`. Leave the graph as it was. You may use `operands(graph, name)`.
#
# <details><summary>Hint 1: a sketch</summary>
#
# For the root: first collect every name that is somebody's operand. Then look for the one node that is not among them.
# </details>
#
# <details><summary>Hint 2: worked by hand</summary>
#
# For the graph of $(x + y) \cdot y$:
#
# | node | its operands | leaf? | used by somebody? |
# |---|---|---|---|
# | x | none | yes | yes, by a |
# | y | none | yes | yes, by a and f |
# | a | x, y | no | yes, by f |
# | f | a, y | no | no: the root |
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def root(graph):
#     used = set()
#     for name in graph:
#         ...                   # add the operands of this node to used
#     for name in graph:
#         if ...:               # when is it the root?
#             return name
# ```
# </details>
#
# <details><summary>A worked sibling: which nodes are shared?</summary>
#
# Those that are somebody's operand more than once. Nothing is said about a node until all have been looked at:
#
# ```python
# def shared_nodes(graph):
#     uses = {}
#     for name in graph:
#         for operand in operands(graph, name):
#             uses[operand] = uses.get(operand, 0) + 1
#     return [name for name in graph if uses.get(name, 0) > 1]
#
# shared_nodes(another)         # ['y']
# ```
# </details>
#
# <details><summary>If the test says "root-is-the-last-entry"</summary>
#
# Your function picks an entry by its place. The test lists the same nodes in another order.
# </details>
#
# <details><summary>If the test says "constant-taken-for-operand"</summary>
#
# Your code reads `graph[name][1:]` of a constant, which holds a number. `operands(graph, name)` leaves constants out.
# </details>


# %% nbgrader={"grade": false, "grade_id": "parts", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 12, "difficulty": 2, "importance": 4, "objectives": [1]}
def leaves(graph: dict[str, tuple]) -> list[str]:
    """The names of all inputs and constants."""
    ### BEGIN SOLUTION
    return [name for name, entry in graph.items() if entry[0] in ("input", "const")]
    ### END SOLUTION


def operations(graph: dict[str, tuple]) -> list[str]:
    """The names of all nodes that are computed."""
    ### BEGIN SOLUTION
    return [name for name, entry in graph.items() if entry[0] not in ("input", "const")]
    ### END SOLUTION


def root(graph: dict[str, tuple]) -> str:
    """The name of the one node that is nobody's operand."""
    ### BEGIN SOLUTION
    used = {operand for name in graph for operand in operands(graph, name)}
    (result,) = [name for name in graph if name not in used]
    return result
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-parts", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
# Test of the parts of a graph: 10 points
from autodiff_lab import draw as _draw_graph
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit


def _check_parts(graphs):
    for function, right, wrong in (
        (unit.in_any_order(student.leaves), unit.listed(unit.leaves), unit.LEAVES_OF),
        (unit.in_any_order(student.operations), unit.listed(unit.operations), unit.OPERATIONS_OF),
        (student.root, unit.root, unit.ROOT_OF),
    ):
        check.function(function, on=graphs, like=right, wrong=wrong, picture=_draw_graph)


_check_parts(
    unit.graphs(
        *("the formula", "its root first", "in no order", "names like operations", "names within names"),
        *("a chain", "one operand, twice", "a constant", "a single input", "a single constant"),
    )
)
for _function in (student.leaves, student.operations, student.root):
    check.leaves_alone(_function, *unit.graphs("in no order"), otherwise=unit.GRAPH_CHANGED)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(1)
_check_parts(unit.renamed(unit.ONE_ROOT, _draw))
_check_parts([unit.comb(_draw, _size) for _size in (2, 3, 5, 9, 40)])
for _graph in unit.renamed(unit.ONE_ROOT[::3], _draw):
    for _function in (student.leaves, student.operations, student.root):
        check.leaves_alone(_function, _graph, otherwise=unit.GRAPH_CHANGED)
### END HIDDEN TESTS

# %% [markdown]
# ## Deep graphs
#
# Ask a node for its operands, those for theirs, and so on: this is how you get around in a graph. The shortest way to
# write it is a function that calls itself. Here is one that counts how many steps lie below a node in a **chain**, a
# graph in which each node uses the one before. Watch what happens when the chain is long.


# %%
def chain(length: int) -> dict[str, tuple]:
    """A graph in which every node uses the one before. The root is listed first."""
    graph = {f"v{i}": ("tanh", f"v{i - 1}") for i in range(length, 0, -1)}
    return {**graph, "v0": ("input",)}


def steps_below(graph: dict[str, tuple], name: str) -> int:
    below = operands(graph, name)
    return 1 + steps_below(graph, below[0]) if below else 0


print("a chain of 100:", steps_below(chain(100), "v100"))
try:
    print("a chain of 10,000:", steps_below(chain(10_000), "v10000"))
except RecursionError:
    print("a chain of 10,000: RecursionError")

# %% [markdown]
# A function that calls itself is nested as deeply as the graph, and Python stops it after about a thousand levels. A
# network that reads a text word by word easily makes graphs deeper than that. You can raise the limit, and then the
# wall stands a little further off.
#
# The way out is to keep a list of what is still to do, and to loop. This function collects everything that a node is
# computed from, however deep the graph is. Two of its lines come back in every algorithm on graphs: the list `to_do`,
# and the set `seen`, which keeps a shared node from being handled twice.


# %%
def needed_for(graph: dict[str, tuple], name: str) -> set[str]:
    """All nodes that `name` is computed from, directly or not, and `name` itself."""
    seen, to_do = {name}, [name]
    while to_do:
        for operand in operands(graph, to_do.pop()):
            if operand not in seen:
                seen.add(operand)
                to_do.append(operand)
    return seen


print("p is computed from", sorted(needed_for(example, "p")))
print("nodes in a chain of 10,000:", len(needed_for(chain(10_000), "v10000")))

# %% [markdown]
# ## Shared is not circular
#
# Suppose a depends on b, b on c, and c on a again. To compute any of them you would need it to be computed already: it
# never starts. Such a round trip is a **cycle**, and a computational graph has none. "Directed acyclic graph", DAG for
# short, is the name for that: *directed*, because an edge has a direction, and *acyclic*, because no walk along the
# edges comes back to where it was.

# %%
shared = {"x": ("input",), "b": ("exp", "x"), "c": ("sin", "x"), "d": ("+", "b", "c")}
circle = {"x": ("input",), "b": ("+", "x", "c"), "c": ("sin", "b"), "d": ("+", "b", "c")}
draw(shared)

# %%
draw(circle)

# %% [markdown]
# In both graphs a walk from d can meet a node more than once. In the first one, x is met on the way over b, and again
# over c: two paths to a shared node, and nothing is wrong. In the second, a walk over b and c comes to b again, and never
# ends.
#
# <div class="alert alert-info">
#
# **"Have I been here before?" is the wrong question.** Ask of a node: "Is everything done that it is computed from?"
#
# </div>
#
# Go through a graph as you would with a pocket calculator, and each node is in one of three states:
#
# - **open**: it waits for an operand,
# - **ready**: all its operands are done, or it has none,
# - **done**: it is computed.
#
# Do what is ready. By that, nodes that were open become ready. When nothing is ready any more, you have finished. Either
# all nodes are done then, and a shared node was no trouble; or some are still open, each of them waiting for one that is
# open as well, and so there is a cycle.

# %% [markdown]
# ## An order to compute in
#
# The order in which you have done the nodes has a name. An order in which **every node comes after all its operands** is
# a **topological order**. It exists exactly when there is no cycle, and there is usually more than one: for
# $(x + y) \cdot y$, both x, y, a, f and y, x, a, f will do.
#
# It is tempting to begin at the other end instead: walk from the root, write each node down when you first meet it, and
# turn the list round at the end. Look at what that does here:

# %%
tempting = {
    "p": ("*", "w", "e"),
    "y": ("input",),
    "f": ("+", "d", "p"),
    "e": ("exp", "d"),
    "w": ("input",),
    "x": ("input",),
    "d": ("-", "x", "y"),
}
draw(tempting)

# %%
met = ["f"]
for name in met:  # the list grows while the loop goes through it
    met += [operand for operand in operands(tempting, name) if operand not in met]
print("met from the root:", " ".join(met))
print("turned round:     ", " ".join(reversed(met)))

# %% [markdown]
# In the second line, e comes before d, although e is computed from d. The walk met d early, over the short path straight
# from f, and a place once given is never changed. The node has to wait for its *longest* path.

# %% [markdown]
# ### Exercise: an order by hand
#
# Put the seven nodes of the picture above into an order in which each comes after all its operands. Write
# `by_hand = […]` with the seven names as texts. There are several right answers, and each of them counts.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Begin with a node that is ready from the start. It is done: cross it out in the picture. Which nodes are ready now?
# </details>
#
# <details><summary>Hint 2: the same for another picture</summary>
#
# In the graph `example` at the top of this unit, u and three are ready. With both done, e and p are ready, and g comes
# last: u, three, e, p, g, or three, u, p, e, g, and some more.
# </details>
#
# <details><summary>Hint 3: the shape of the answer</summary>
#
# `by_hand = ["y", …, …, …, …, …, "f"]`
# </details>
#
# <details><summary>If the test says "order-placed-at-first-visit"</summary>
#
# Look at e and at what it is computed from.
# </details>

# %% nbgrader={"grade": false, "grade_id": "by_hand", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "order", "minutes": 5, "difficulty": 1, "importance": 4, "objectives": [3]}
### BEGIN SOLUTION
by_hand = ["x", "y", "d", "w", "e", "p", "f"]
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test-by_hand", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of an order by hand: 6 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

check.choice(
    student.get("by_hand"),
    "01/by_hand",
    form="a list of all seven names, each once and in quotation marks",
    **unit.order_marks("01/by_hand", *unit.graphs("in no order")),
)

# %% [markdown]
# ## Open, ready, done
#
# Here is the same in Python, in the slowest and plainest way: round after round, everything that is ready gets done. Each
# line shows the states at the beginning of a round.


# %%
def rounds(graph: dict[str, tuple]) -> None:
    """Print the states of all nodes, round by round, until nothing is ready."""
    done, ready = [], True
    print(f"{'done':15} {'ready':12} open")
    while ready:
        waiting = [name for name in graph if name not in done]
        ready = [name for name in waiting if set(operands(graph, name)) <= set(done)]
        still_open = [name for name in waiting if name not in ready]
        print(f"{' '.join(done):15} {' '.join(ready):12} {' '.join(still_open)}")
        done += ready


print("the shared node")
rounds(shared)
print("\nthe circle")
rounds(circle)
print("\nthe example")
rounds(example)

# %% [markdown]
# In the last line of the circle nothing is ready, and b, c and d are open. d is in no cycle; it waits for one. Here you do
# one node at a time: move the slider, and before each step say which boxes will become ready.

# %%
from autodiff_lab.widgets import OrderStepper

OrderStepper(circle)

# %%
OrderStepper(tempting)

# %% [markdown]
# **Try this.** Guess first, then run it.
#
# 1. Step through `tempting`. At which step does f become ready, and which node did it wait for to the last?
# 2. `OrderStepper({"u": ("neg", "u")})`: how many nodes are ever ready?
# 3. Change the entry of `"b"` in `circle` to `("sin", "x")`. What is in each round now?
# 4. `rounds(chain(5))`: how many rounds? How often does `rounds` look at a node, for a chain of 10,000?
#
# <details><summary>Answers</summary>
#
# 1. After six steps, when p is done. Its other operand, d, was done before.
# 2. None. u waits for itself from the beginning: the shortest cycle there is.
# 3. x, then b, then c, then d, and nothing is left open: without that one edge there is no cycle.
# 4. Six rounds, with one node in each. In every round it looks at all the nodes. For a chain of 10,000 that makes 10,000
#    rounds of 10,000 looks, a hundred million, and each look is a search through a list.
# </details>
#
# The fourth answer is why `rounds` will not do for large graphs. Two notes for each node make it quick: **how many operands
# it still waits for**, and **who its users are**. When a node is done, only its users can become ready. Each edge is looked
# at once, and the work grows with the size of the graph, not with its square.

# %% [markdown]
# ### Exercise: find every cycle
#
# Finish `is_acyclic(graph)`. It returns `True` when the graph has no cycle, and `False` when it has one.
#
# - A cycle may be one node that is its own operand, two nodes, or the whole graph. It may lie apart from all the rest, or
#   below the root at the end of a branch. There may be several of them, and there may be no root at all.
# - A graph may be 10,000 nodes deep, and shared nodes may follow each other sixty times. The work has to grow with the
#   number of nodes and edges, not with its square: `rounds` is too slow.
# - Leave the graph as it was. A graph without nodes has no cycle.
# - Python's library has `graphlib` for this. It is not available here, since you write it yourself, and neither is any
#   other package that puts a graph in order.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Count for every node how many operands it still waits for, and write down for every node who uses it. What waits for
# nothing is ready. Take a ready node, count it as done, and tell each of its users that it waits for one operand less.
# How do you see at the end whether something is left open?
# </details>
#
# <details><summary>Hint 2: worked by hand</summary>
#
# For `circle`. The users of x are b; those of b are c and d; those of c are b and d; nobody uses d.
#
# | done | b waits for | c waits for | d waits for | ready |
# |---|---|---|---|---|
# | nothing | 2 | 1 | 2 | x |
# | x | 1 | 1 | 2 | nothing: it ends with 1 of 4 done |
#
# For `("*", "d", "d")` the count starts at 2, and d has this user twice.
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def is_acyclic(graph):
#     users, waits_for = {}, {}
#     for name in graph:
#         ...                # nobody is known to use it yet; how many operands has it?
#     for name in graph:
#         ...                # name is a user of each of its operands
#     to_do = [...]          # the nodes that are ready
#     done = 0
#     while to_do:
#         ...                # take one; who becomes ready?
#     return ...             # is everything done?
# ```
# </details>
#
# <details><summary>A worked sibling: what changes when x changes?</summary>
#
# Everything that x leads to, over its users and theirs. The notes about users are the same, and so is the list:
#
# ```python
# def moved_by(graph, leaf):
#     used_by = {name: [] for name in graph}
#     for name in graph:
#         for operand in operands(graph, name):
#             used_by[operand].append(name)
#     moved, to_do = {leaf}, [leaf]
#     while to_do:
#         for user in used_by[to_do.pop()]:
#             if user not in moved:      # a shared node is handled once
#                 moved.add(user)
#                 to_do.append(user)
#     return moved
#
# moved_by(one_way, "x")                 # {'x', 'a', 'f'}
# ```
# </details>
#
# <details><summary>If the test says "shared-taken-for-cycle"</summary>
#
# Your code takes every second meeting for a cycle. What is the node still waiting for, the second time?
# </details>
#
# <details><summary>If the test says "same-operand-counted-once"</summary>
#
# For `("*", "d", "d")` something is counted twice in one place and once in another.
# </details>
#
# <details><summary>If the test says "shared-node-recomputed" and "stopped, because it makes more than … calls"</summary>
#
# Your code looks below a finished node again, each time it is met. Sixty shared nodes in a row double the work sixty
# times.
# </details>


# %% nbgrader={"grade": false, "grade_id": "is_acyclic", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 25, "difficulty": 4, "importance": 4, "objectives": [2, 3]}
def is_acyclic(graph: dict[str, tuple]) -> bool:
    """Whether no node is computed, directly or not, from itself."""
    ### BEGIN SOLUTION
    users_of = {name: [] for name in graph}
    waits_for = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users_of[operand].append(name)
    to_do = [name for name in graph if not waits_for[name]]
    done = 0
    while to_do:
        done += 1
        for user in users_of[to_do.pop()]:
            waits_for[user] -= 1
            if not waits_for[user]:
                to_do.append(user)
    return done == len(graph)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-is_acyclic", "locked": true, "points": 13, "schema_version": 3, "solution": false, "task": false}
# Test of finding every cycle: 13 points
from autodiff_lab import draw as _draw_graph
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

_is_acyclic = unit.within_budget(student.is_acyclic)
check.function(
    _is_acyclic,
    on=[*unit.KINDS.values(), *unit.CYCLES.values()],  # a graph of each kind, without a cycle and with one
    like=unit.is_acyclic,
    wrong=unit.ACYCLIC_OF,
    picture=_draw_graph,
)
check(student.is_acyclic({}), expect=True)
check.leaves_alone(student.is_acyclic, *unit.graphs("in no order"), otherwise=unit.GRAPH_CHANGED)
check.function(_is_acyclic, on=[unit.doublings(60)], like=unit.is_acyclic, wrong=unit.PATHS)

_chain = unit.chain(4_000)
_ring = {**_chain, "v0": ("tanh", "v4000")}
check.function(_is_acyclic, on=[_chain, _ring], like=unit.is_acyclic, wrong=unit.DEEP)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(7)
_drawn = [unit.drawn(_draw, size) for size in (3, 5, 9, 30) * 3]
_closed = [unit.closed(graph, _draw) for graph in _drawn if unit.operations(graph)]
_again = unit.renamed([*unit.KINDS.values(), *unit.CYCLES.values()], _draw)
for _graph in [*_again, *_drawn, *_closed, *unit.deep_ones(_draw)]:
    check(_is_acyclic(_graph), expect=unit.is_acyclic(_graph))
for _graph in [*_again[::3], *_closed]:
    check.leaves_alone(student.is_acyclic, _graph, otherwise=unit.GRAPH_CHANGED)
### END HIDDEN TESTS

# %% [markdown]
# ### Exercise: a topological order
#
# Finish `topological_order(graph)`. It returns a list with the name of every node of the graph, each exactly once, and
# each after all its operands. Every such order is right.
#
# - If the graph has a cycle there is no such order: raise a `ValueError` that says so.
# - A graph may have several nodes that nothing uses. All nodes belong into the list, whether the root needs them or not.
# - It may be 10,000 nodes deep, and the work has to grow with the number of nodes and edges, not with its square. Leave
#   the graph as it was.
# - `graphlib`, and whatever else puts a graph in order, is not available here either. In the last two exercises of this
#   unit it is.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Do the nodes one after the other, as in the exercise before. What do you write down, and when? And how do you notice that
# some of them are never done?
# </details>
#
# <details><summary>Hint 2: worked by hand</summary>
#
# For $(x + y) \cdot y$. The users of x are a; those of y are a and f; that of a is f.
#
# | written down | a waits for | f waits for | ready |
# |---|---|---|---|
# | nothing | 2 | 2 | x, y |
# | x | 1 | 2 | y |
# | x, y | 0 | 1 | a |
# | x, y, a | 0 | 0 | f |
# | x, y, a, f | 0 | 0 | nothing: finished |
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def topological_order(graph):
#     users, missing = {}, {}
#     ...                                # who uses a node, and how many operands it still waits for
#     ready = [name for name in graph if ...]
#     order = []
#     while ready:
#         name = ready.pop()
#         ...                            # write it down; each of its users waits for one operand less
#     if ...:                            # is a node missing in the list?
#         raise ValueError("the graph has a cycle")
#     return order
# ```
# </details>
#
# <details><summary>A worked sibling: how many rounds does it take?</summary>
#
# With an order at hand, one pass is enough. A node is done one round after the last of its operands:
#
# ```python
# def round_of_each(graph, order):
#     rounds = {}
#     for name in order:
#         before = [rounds[operand] for operand in operands(graph, name)]
#         rounds[name] = 1 + max(before, default=0)
#     return rounds
#
# round_of_each(one_way, ["x", "y", "a", "f"])  # {'x': 1, 'y': 1, 'a': 2, 'f': 3}
# ```
# </details>
#
# <details><summary>If the test says "order-searched-again-and-again"</summary>
#
# There is a loop over all nodes inside another one. Which of the nodes can become ready when you write one down? Only its
# users.
# </details>
#
# <details><summary>If the test says "recursion-too-deep"</summary>
#
# Your function calls itself for every operand. The section "Deep graphs" shows the way round.
# </details>


# %% nbgrader={"grade": false, "grade_id": "topological_order", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 25, "difficulty": 4, "importance": 5, "objectives": [3]}
def topological_order(graph: dict[str, tuple]) -> list[str]:
    """All nodes, each once and after its operands. Raises ValueError when the graph has a cycle."""
    ### BEGIN SOLUTION
    users = {name: [] for name in graph}
    missing = {}
    for name in graph:
        missing[name] = len(operands(graph, name))
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in graph if missing[name] == 0]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    if len(order) < len(graph):
        raise ValueError("the graph has a cycle, so there is no order to compute it in")
    return order
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-topological_order", "locked": true, "points": 14, "schema_version": 3, "solution": false, "task": false}
# Test of a topological order: 14 points
from autodiff_lab import draw as _draw_graph
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

_order = unit.within_budget(student.topological_order)
check.function(
    _order, on=unit.KINDS.values(), like=unit.order, wrong=unit.ORDERS, picture=_draw_graph
)
check.function(  # a graph with a cycle has no order: a ValueError
    _order, on=unit.CYCLES.values(), like=unit.order, wrong=unit.CYCLES_TOLD, picture=_draw_graph
)
check(student.topological_order({}), expect=[])
_given = unit.graphs("in no order")
check.leaves_alone(student.topological_order, *_given, otherwise=unit.GRAPH_CHANGED)
check.function(_order, on=[unit.doublings(60)], like=unit.order, wrong=unit.PATHS)
check.function(_order, on=[unit.chain(4_000)], like=unit.order, wrong=unit.DEEP)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(11)
_drawn = [unit.drawn(_draw, size) for size in (1, 2, 3, 5, 9, 60) * 2]
_closed = [unit.closed(graph, _draw) for graph in _drawn if unit.operations(graph)]
_again = unit.renamed([*unit.KINDS.values(), *unit.CYCLES.values()], _draw)
check.function(_order, on=[*_again, *_drawn, *_closed, *unit.deep_ones(_draw)], like=unit.order)
for _graph in _drawn:
    check.leaves_alone(student.topological_order, _graph, otherwise=unit.GRAPH_CHANGED)
### END HIDDEN TESTS

# %% [markdown]
# ## Compute each node once
#
# In the graph below, each value is twice the one before: it is added to itself. Before you run the next cell, guess. If
# you write $d_{16}$ as one formula in $x$, without names for the values in between, how many additions does it have? And
# how many operations does the graph have?


# %%
def doublings(levels: int) -> dict[str, tuple]:
    """d1 = x + x, d2 = d1 + d1, and so on."""
    graph = {"d0": ("input",)}
    for i in range(1, levels + 1):
        graph[f"d{i}"] = ("+", f"d{i - 1}", f"d{i - 1}")
    return graph


def additions_without_names(graph: dict[str, tuple], name: str) -> int:
    """How many additions it takes to compute `name` if no result is ever kept."""
    below = operands(graph, name)
    return 1 + sum(additions_without_names(graph, operand) for operand in below) if below else 0


print("levels   additions in the formula   operations in the graph")
for levels in (1, 2, 3, 4, 8, 16):
    doubled = doublings(levels)
    print(f"{levels:6}   {additions_without_names(doubled, f'd{levels}'):24,}   {len(doubled) - 1:23}")
years = 2**60 / 1e9 / (3600 * 24 * 365)
print(f"sixty levels, at a billion additions a second: {years:.0f} years")

# %% [markdown]
# The left-hand column doubles with every level, and the right-hand one grows by one. At sixty levels the formula takes a
# lifetime of work, and the graph sixty operations. This is the first thing a graph buys: **a shared value is computed
# once**. It holds as long as you keep every result under its node's name and look it up when it is used again.
#
# Keeping *all* results, not only the last, has a second reason. The backward sweep of unit 03 goes through the graph from
# the root to the leaves, and at every node it asks what the values were. Computing all nodes in order and keeping their
# values is called the **forward pass**.
#
# For the operations themselves you get a table. It maps the symbol to a function:

# %% nbgrader={"grade": false, "grade_id": "given-table", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import operator

OPERATIONS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
    "sin": math.sin,
    "cos": math.cos,
    "relu": lambda value: value if value > 0 else value * 0.0,
}

# %%
print("three minus five is", OPERATIONS["-"](3.0, 5.0))
numbers = [3.0, 5.0]
print("the same, from a list", OPERATIONS["-"](*numbers))

# %% [markdown]
# ### Exercise: the forward pass
#
# Finish `forward(graph, inputs)`. `inputs` is a dict with a number for every input, such as `{"x": 2.0, "y": 3.0}`. It
# returns a dict with the value of **every** node, leaves included: `{"x": 2.0, "y": 3.0, "a": 5.0, "f": 15.0}`.
#
# - Each operation is computed exactly once, however often its result is used.
# - The entries of the graph may stand in any order, and it may be 10,000 nodes deep. You may rely on it having no cycle.
# - `graph` and `inputs` stay as they were.
#
# You need an order to compute in. Your `topological_order` gives one. If it does not pass its test yet, go on here all the
# same: this exercise does not ask where the order comes from, and `graphlib` of Python's own library may be used:
# `TopologicalSorter({"f": ["a", "y"], "a": ["x", "y"]}).static_order()` goes through x, y, a and f.
#
# Three tests, and each of them earns by itself: the values; each node once; deep graphs.
#
# <details><summary>Hint 1: a sketch</summary>
#
# Go through the nodes in order, with a new dict for the values. There are three cases: an input gets its number from
# `inputs`, a constant has it in its entry, and an operation looks up its operands in the values you have so far.
# </details>
#
# <details><summary>Hint 2: worked by hand</summary>
#
# For $(x + y) \cdot y$ at $x = 2$, $y = 3$:
#
# | node | entry | looked up | values afterwards |
# |---|---|---|---|
# | x | `("input",)` | | x: 2 |
# | y | `("input",)` | | x: 2, y: 3 |
# | a | `("+", "x", "y")` | 2 and 3 | x: 2, y: 3, a: 5 |
# | f | `("*", "a", "y")` | 5 and 3 | x: 2, y: 3, a: 5, f: 15 |
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def forward(graph, inputs):
#     values = {}
#     for name in ...:                       # operands first
#         operation, *rest = graph[name]
#         if operation == "input":
#             values[name] = ...
#         elif operation == "const":
#             values[name] = ...
#         else:
#             arguments = [... for operand in rest]
#             values[name] = OPERATIONS[operation](*arguments)
#     return values
# ```
# </details>
#
# <details><summary>A worked sibling: every node as a formula</summary>
#
# The same walk in order, with texts in place of numbers. Each text is made once, from those of the operands:
#
# ```python
# def formulas(graph, order):
#     texts = {}
#     for name in order:
#         operation, *rest = graph[name]
#         if operation == "input":
#             texts[name] = name
#         elif operation == "const":
#             texts[name] = str(rest[0])
#         else:
#             texts[name] = operation + "(" + ", ".join(texts[operand] for operand in rest) + ")"
#     return texts
#
# formulas(one_way, ["x", "y", "a", "f"])["f"]      # '*(+(x, y), y)'
# ```
# </details>
#
# <details><summary>If the test says "inputs-changed"</summary>
#
# Look for `values = inputs`. That is one dict with two names.
# </details>
#
# <details><summary>If the test says "dict-order-assumed"</summary>
#
# Your loop goes through `graph` as it is listed, and meets a node whose operands have no value yet.
# </details>
#
# <details><summary>If the test says "operation-takes-two"</summary>
#
# `left, right = operands(graph, name)` fails for `("exp", "x")`. Collect the values in a list and use the `*`.
# </details>


# %% nbgrader={"grade": false, "grade_id": "forward", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "implement", "minutes": 20, "difficulty": 3, "importance": 5, "objectives": [4, 3], "allows": ["orders"]}
def forward(graph: dict[str, tuple], inputs: dict[str, float]) -> dict[str, float]:
    """The value of every node, each computed once."""
    ### BEGIN SOLUTION
    from graphlib import TopologicalSorter

    values = {}
    for name in TopologicalSorter({name: operands(graph, name) for name in graph}).static_order():
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-forward", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
# Test of forward, the values: 6 points
from autodiff_lab import draw as _draw_graph
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

_formula, _sum = {"x": ("input",), "y": ("input",), "f": ("*", "x", "y")}, ("+", "x", "y")
_at, _elsewhere = {"x": 2.0, "y": 3.0}, {"x": 4.0, "y": 1.0}
check.function(
    unit.in_turn(student.forward),
    on=[((_formula, _at), _call) for _call in ((_formula, _elsewhere), ({**_formula, "f": _sum}, _at))],
    like=unit.fresh(unit.values_of),
    wrong=unit.REMEMBERS,
)
check.function(
    student.forward,
    on=[*unit.with_numbers(unit.KINDS.values()), *unit.WITH_ZEROS, *unit.WITH_EQUAL_VALUES],
    like=unit.values_of,
    wrong=unit.FORWARD,
    picture=lambda graph, inputs: _draw_graph(graph, unit.values_of(graph, inputs)),
)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(23)
_graphs = [*unit.renamed(unit.KINDS.values(), _draw), *(unit.drawn(_draw, size) for size in (1, 2, 3, 5, 9, 25, 60))]
for _graph in _graphs:
    _inputs = {name: _draw.uniform(0.5, 2) for name in _graph if _graph[name] == ("input",)}
    check(student.forward(_graph, _inputs), expect=unit.values_of(_graph, _inputs))
_cube = {"x": ("input",), "three": ("const", 3.0), "f": ("**", "x", "three")}
check(student.forward(_cube, {"x": -1.5}), expect={"x": -1.5, "three": 3.0, "f": -3.375})
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-forward--once", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
# Test of forward, once each: 5 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

check.function(
    unit.counting_additions(student.forward),
    on=[(unit.doublings(60), {"d0": _start}) for _start in (1.5, 0.0)],
    like=unit.once(60),
    wrong=unit.AGAIN,
)
_changes = [unit.GRAPH_CHANGED, unit.INPUTS_CHANGED]
for _given in unit.with_numbers(unit.graphs("the formula", "in no order", "a constant")):
    check.leaves_alone(student.forward, *_given, otherwise=_changes)
### BEGIN HIDDEN TESTS
import random as _random

_draw = _random.Random(24)
for _given in unit.with_numbers(unit.renamed(unit.KINDS.values(), _draw)):
    check.leaves_alone(student.forward, *_given, otherwise=_changes)
for _levels in (20, 22):
    _graph, _inputs = unit.deep(_draw, _levels)
    check(unit.counting_additions(student.forward)(_graph, _inputs), accept=unit.once(_levels)(_graph, _inputs))
for _fan_out in (5, 9):
    _users = {f"u{i}": ("*", "x", "x") for i in range(_fan_out)}
    _sums = {f"s{i}": ("+", f"s{i - 1}" if i else "x", f"u{i}") for i in range(_fan_out)}
    check.function(
        student.forward, on=[({**_sums, **_users, "x": ("input",)}, {"x": 3.0})], like=unit.values_of
    )
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "test-forward--deep", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
# Test of forward, deep: 4 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

check.function(
    unit.within_budget(student.forward),
    on=[(unit.chain(4_000, "neg"), {"v0": 3.0})],
    like=unit.values_of,
    wrong=unit.DEEP,
)
### BEGIN HIDDEN TESTS
import random as _random

for _levels in (700, 1_400):
    _graph, _inputs = unit.deep(_random.Random(_levels), _levels)
    check(unit.within_budget(student.forward)(_graph, _inputs), expect=unit.values_of(_graph, _inputs))
### END HIDDEN TESTS

# %% [markdown]
# ## Your graph, alive
#
# The same view as at the beginning, and now **your** `forward` computes the numbers. As long as you have not written it, or
# while it stops with an error, the view says so and uses the one of the course.

# %%
GraphExplorer(tempting, inputs={"x": 2.0, "y": 1.5, "w": 0.5}, forward=forward, low=-3, high=3)

# %% [markdown]
# **Try this.**
#
# 1. Set x and y to the same value. What are d and e then, and what does f depend on now?
# 2. Move w alone. Which values change, and how does the picture tell you so before you move anything?
# 3. In your `forward`, exchange two operands on purpose (for example with `reversed(…)`), run its cell and then the cell of
#    the view, and look for the first box that is wrong. Then put it right again.
# 4. Replace `tempting` by `graph_of_loss()`, with the inputs x, w and b.
#
# <details><summary>Answers</summary>
#
# 1. d is 0 and e is 1, whatever x and y are. So p is w, and f depends on w alone.
# 2. p and f. They are the boxes that can be reached from w along the lines.
# 3. d is the first: y − x in place of x − y. e, p and f are wrong because of it; p and f exchange operands too, which
#    makes no difference to · and +.
# 4. A chain with a shared node near its end: every one of the three inputs changes everything that comes after it.
# </details>

# %% [markdown]
# ## A cache that lives too long
#
# Here is another way to write the forward pass. It computes one node, asks itself for the operands, and keeps every value
# in a dict called `cache`, so that a shared node is computed once. It passes a first test.


# %%
def value_of_with_a_bug(graph, inputs, name, cache={}):
    """The value of the node `name`."""
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            arguments = [value_of_with_a_bug(graph, inputs, operand) for operand in rest]
            cache[name] = OPERATIONS[operation](*arguments)
    return cache[name]


print("at x = 2, y = 3:", value_of_with_a_bug(one_way, {"x": 2.0, "y": 3.0}, "f"))
print("at x = 4, y = 1:", value_of_with_a_bug(one_way, {"x": 4.0, "y": 1.0}, "f"))

# %% [markdown]
# The first number is right. The second should be $(4 + 1) \cdot 1 = 5$.

# %% [markdown]
# ### Exercise: find the bug
#
# Find out why the second call gives the number of the first, and write `value_of(graph, inputs, name)` without that
# mistake. The test calls it with these three arguments; if you add more for your own use, give them defaults. A shared node
# still has to be computed once in each call, and `graph` and `inputs` stay as they were. Graphs are shallow here, so that a
# function may call itself; `graphlib` may be used as well.
#
# <details><summary>Hint 1: a sketch</summary>
#
# When does Python make the dict that stands behind `cache={}`: at every call, or once? Print `len(cache)` at the start of
# the function, and call it twice.
# </details>
#
# <details><summary>Hint 2: a small experiment</summary>
#
# ```python
# def remember(what, memory=[]):
#     memory.append(what)
#     return memory
#
# remember("a")      # ['a']
# remember("b")      # ['a', 'b']
# ```
# </details>
#
# <details><summary>Hint 3: a skeleton</summary>
#
# ```python
# def value_of(graph, inputs, name, cache=None):
#     if cache is None:
#         ...                   # the caller's call: begin with nothing
#     ...                       # the rest as above. Which cache do the calls for the operands get?
# ```
# </details>
#
# <details><summary>A worked sibling: what belongs to x?</summary>
#
# All leaves below a node, in a set that every call of one walk shares, and that no other walk sees:
#
# ```python
# def leaves_below(graph, name, found=None):
#     if found is None:
#         found = set()
#     if not operands(graph, name):
#         found.add(name)
#     for operand in operands(graph, name):
#         leaves_below(graph, operand, found)
#     return found
#
# leaves_below(one_way, "f")    # {'x', 'y'}
# ```
# </details>
#
# <details><summary>If the test says "shared-node-recomputed"</summary>
#
# Now nothing is remembered within a call. Do the inner calls get the same dict as the outer one? Beware of `cache or {}`:
# an empty dict counts as false.
# </details>


# %% nbgrader={"grade": false, "grade_id": "value_of", "locked": false, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "find_bug", "minutes": 12, "difficulty": 3, "importance": 3, "objectives": [4], "allows": ["orders"]}
def value_of(graph, inputs, name):
    """The value of the node `name`; every node below it is computed once."""
    ### BEGIN SOLUTION
    cache = {}

    def value(name):
        if name not in cache:
            operation, *rest = graph[name]
            if operation == "input":
                cache[name] = inputs[name]
            elif operation == "const":
                cache[name] = rest[0]
            else:
                cache[name] = OPERATIONS[operation](*[value(operand) for operand in rest])
        return cache[name]

    return value(name)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "test-value_of", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
# Test of finding the bug: 8 points
from autodiff_lab.checks import check, student
from autodiff_lab.units import graphs as unit

_f = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
_at, _elsewhere = {"x": 2.0, "y": 3.0}, {"x": 4.0, "y": 1.0}
check.function(
    unit.in_turn(student.value_of),
    on=[
        ((_f, _at, "f"), (_f, _elsewhere, "f")),
        ((_f, _at, "f"), ({**_f, "f": ("+", "a", "y")}, _at, "f")),
    ],
    like=unit.fresh(unit.value_of),
    wrong=unit.REMEMBERS,
)
_cases = unit.with_numbers(unit.graphs("the formula", "in no order", "a constant"))
for _graph, _inputs in [*_cases, *unit.WITH_ZEROS]:
    _given = [(_graph, _inputs, _name) for _name in _graph]
    check.function(student.value_of, on=_given, like=unit.value_of, wrong=unit.VALUE)
    _changes = [unit.GRAPH_CHANGED, unit.INPUTS_CHANGED, unit.INPUTS_CHANGED]
    check.leaves_alone(student.value_of, *_given[0], otherwise=_changes)
check.function(
    unit.counting_additions(student.value_of),
    on=[(unit.doublings(60), {"d0": _start}, "d60") for _start in (1.5, 0.0)],
    like=unit.once(60),
    wrong=unit.AGAIN,
)
### BEGIN HIDDEN TESTS
_answer = student.run(
    """
    try:
        value_of({**graph, "f": ("/", "a", "x")}, {"x": 0.0, "y": 3.0}, "f")
    except ZeroDivisionError:
        pass
    inputs = {"x": 1.0, "y": 1.0}
    first = value_of(graph, inputs, "f")
    inputs["y"] = 2.0
    return first, value_of(graph, inputs, "f"), value_of({"c": ("const", 7.0)}, {}, "c")
    """,
    "after an error, and with the same dict of inputs changed in between",
    graph=_f,
)
check(_answer, expect=(2.0, 6.0, 7.0))
import random as _random

_draw = _random.Random(29)
for _levels in (20, 40, 60):
    _graph, _inputs = unit.deep(_draw, _levels)
    for _name in _draw.sample(list(_graph), 6):
        _given = _graph, _inputs, _name
        check(unit.within_budget(student.value_of)(*_given), expect=unit.value_of(*_given))
        check.leaves_alone(student.value_of, *_given, otherwise=_changes)
### END HIDDEN TESTS

# %% [markdown]
# ## In your own words

# %% [markdown]
# ### Exercise: two for one
#
# Somebody looks at $(x + y) \cdot y$ and says: "y is used twice, so the graph needs two nodes for y. If you insist on one
# node, there are two ways from y to f, and that makes a circle." In five to eight sentences: what is wrong with each of the
# two claims? And what would go wrong in a forward pass if a value that is used twice really had two nodes, once for an
# input and once for a value in the middle of a large graph?

# %% [markdown] nbgrader={"grade": true, "grade_id": "explain_sharing", "locked": false, "points": 20, "schema_version": 3, "solution": true, "task": false} exercise={"kind": "written", "minutes": 12, "difficulty": 2, "importance": 4, "objectives": [1, 2, 4]}
# **Model answer.** A node stands for a value and not for a place in the formula; y is one value, so it has one node, and
# two edges leave it. Two ways from y to f are two paths that begin and end together. A cycle is something else: a path
# along the direction of the edges that returns to where it began. From y one gets to a and to f, and from f nowhere, so
# no path returns. With two nodes for the input y, one would have to change both together; if only one of them is
# changed, f is computed from two different values of y. In the middle of a graph a second node for the same value means
# that the value, and with it everything below, is computed a second time. If that happens level after level, the work
# doubles each time, and sixty levels can never be finished.
#
# **Marking guide (20 points).** 5: a node is a value, and uses are edges. 5: a cycle has to follow the direction of the
# edges and return; two paths do not. 5: two nodes for an input can get out of step (different values of y in one
# formula). 5: two nodes for an inner value repeat work; full points for the doubling per level, 3 for "computed twice"
# alone. Pictures and examples count as much as sentences.

# %% [markdown]
# ## What you built, and what the frameworks call it
#
# In PyTorch you do not write the graph down. You compute with numbers, and while you compute, PyTorch notes every
# operation: each line that runs adds a node. At the end you have the value and the graph. Its numbers are called **tensors**;
# one of them may hold many numbers, here each holds one.

# %%
import torch

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
a = x + y
f = a * y
print("a is", a.item(), "and f is", f.item())
print("leaves:", [name for name, node in (("x", x), ("y", y), ("a", a), ("f", f)) if node.is_leaf])

# %% [markdown]
# The same lines with the engine of this course, where only the import differs:

# %%
import autodiff_lab as torch

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
a = x + y
f = a * y
print("a is", a.item(), "and f is", f.item())
print("leaves:", [name for name, node in (("x", x), ("y", y), ("a", a), ("f", f)) if node.is_leaf])

# %%
from autodiff_lab import draw

draw(f, x=x, y=y, a=a, f=f)

# %% [markdown]
# | here | in the frameworks |
# |---|---|
# | an entry of the dict | a node of the graph: `grad_fn` in PyTorch, an operation in TensorFlow, an equation in JAX |
# | leaf | leaf tensor (`is_leaf`): data, and the numbers that are learned |
# | root | the loss |
# | `topological_order` | the order in which the backward pass runs, turned round (unit 03) |
# | the dict that `forward` returns | the tensors saved for the way back: most of the memory that learning takes |
#
# You wrote the graph first and gave it numbers later. TensorFlow began that way: one built a graph with placeholders for
# the inputs, and a *session* ran it, as `forward(graph, inputs)` does. Today TensorFlow computes at once, like PyTorch, and
# `tf.function` makes a graph of a whole Python function. JAX runs a function once with stand-ins for numbers and writes
# down what happens to them: a list of equations, each after its operands. That is a topological order. Unit 08 is about
# the one way, and unit 09 about the other.

# %% [markdown]
# ## Three questions from interviews
#
# <details><summary>A recurrent network has a loop. How can its computational graph be acyclic?</summary>
#
# The loop is in the program, not in the graph. Every time round, the same operations run on new values, and each of them
# gets a node of its own: the state after step 3 is computed from the state after step 2. The loop is unrolled into a long
# chain, as deep as the sequence is long. The weights are the shared nodes in it, used once per step.
# </details>
#
# <details><summary>Is the topological order of a graph unique? Does it matter which one a framework takes?</summary>
#
# It is unique only when every two neighbours in it are joined by an edge, as in a chain. The values do not depend on it,
# since each node only needs its operands. Memory and speed do: an order that finishes one branch before it starts the next
# can let go of intermediate values sooner, and nodes that do not need each other can run at the same time.
# </details>
#
# <details><summary>Why is a graph walked with an explicit list instead of a recursive function?</summary>
#
# A recursive walk is nested as deeply as the graph, and runs into the recursion limit, or the end of the stack in other
# languages, on long chains. The explicit list lives on the heap and is limited by memory only. The work is the same,
# proportional to nodes and edges, as long as each node is handled once.
# </details>
#
# **Next:** unit 02 asks what a single node has to know so that the whole graph can be differentiated.

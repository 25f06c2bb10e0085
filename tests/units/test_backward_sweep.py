"""What unit 03 holds to be right is what the engine computes, a wrong rule is never right, and a name has one cause."""

import linecache
import random
from pathlib import Path

import pytest

from autodiff_lab import Scalar
from autodiff_lab.checks import CheckFailed, Raised, check
from autodiff_lab.checks import student as asked
from autodiff_lab.checks.student import Local
from autodiff_lab.grading.build import read_text
from autodiff_lab.units import backward_sweep as unit

SOURCE = Path(__file__).resolve().parents[2] / "course" / "source" / "03_backward_sweep" / "03_backward_sweep.py"
CHAIN, TABLE, PAIR = [3.0, 0.5, -2.0], (5.0, 1.5, 2.0, 4.0), (3.0, -2.0)
BACKWARD = """
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
"""
CHAINED = """
def backward_chain(root):
    root.grad = 1.0
    while root.operands:
        root.operands[0].grad = root.grad * root.partials[0]
        root = root.operands[0]
"""


@pytest.fixture
def notebook(monkeypatch):
    """Puts cells in the place of a student's: the class Node of the unit, the model answers, and other code."""
    cells = {
        cell.metadata.nbgrader.grade_id: cell.source for cell in read_text(SOURCE).cells if "nbgrader" in cell.metadata
    }

    def put(*codes: str) -> None:
        space: dict = {}
        for number, code in enumerate((cells["node"], cells["value"], *codes)):
            name = f"<cell {number}>"
            linecache.cache[name] = len(code), None, code.splitlines(True), name
            exec(compile(code, name, "exec"), space)
        monkeypatch.setattr(asked, "_transport", Local(space))

    return put


def named(*args, **options):
    """The misconception that a check names; fails when the check passes."""
    with pytest.raises(CheckFailed) as caught:
        check.function(*args, **options)
    return caught.value.misconception


def test_the_worked_numbers_of_the_adjoint_table():
    assert unit.table(2.0, 3.0, 1.0, 10.0) == {
        "loss": 1.0,
        "e": -6.0,
        "z": -6.0,
        "m": -6.0,
        "x": -18.0,
        "w": -12.0,
        "b": -6.0,
        "t": 6.0,
    }


def test_the_numbers_in_the_answers_to_try_this_and_in_the_hints():
    at = {t: unit.table(2.0, 3.0, 1.0, t) for t in (5.0, 7.0, 10.0)}
    assert [at[5.0][name] for name in "xwbt"] == [12, 8, 4, -4] and [at[10.0][name] for name in "xwbt"] == [
        -18,
        -12,
        -6,
        6,
    ]
    assert not any(at[7.0][name] for name in at[7.0] if name != "loss") and at[7.0]["loss"] == 1
    assert unit.table(0.0, 3.0, 1.0, 10.0)["x"] == -54 and unit.table(0.0, 3.0, 1.0, 10.0)["w"] == 0
    assert 2 * 3 + 4 == 10, "b = 4 makes the loss 0"
    a, b, c, d = map(Scalar, (10.0, 2.0, 3.0, 4.0))
    k = b * c
    s = a - k
    p = s * d
    for node in (k, s, p):
        node.retain_grad()
    p.backward()
    assert [node.data for node in (k, s, p)] == [6, 4, 16]
    assert [node.grad for node in (p, s, d, a, k, b, c)] == [1, 4, 4, 4, -4, -12, -8]
    assert list(unit.table(5.0, 1.0, 2.0, 4.0).values()) == [1, 6, 6, 6, 6, 30, 6, -6]


@pytest.mark.parametrize("partials", unit.chains(seed=1))
def test_adjoints_of_a_chain_are_what_the_engine_finds(partials):
    nodes = [Scalar(3.0)]
    for partial in partials:
        nodes.append(nodes[-1] * partial)
    for node in nodes:
        node.retain_grad()
    nodes[-1].backward()
    assert unit.all_near([node.grad for node in nodes], unit.chain_adjoints(partials))


@pytest.mark.parametrize("given", [record for seed in range(4) for record in unit.records(seed=seed)])
def test_adjoints_of_a_record_are_what_the_engine_finds(given):
    values, parents, partials, needs = given
    size = len(values)
    nodes: list = [None] * size
    for place in reversed(range(size)):
        below = [child for child in range(1, size) if parents[child] == place]
        terms = [nodes[child] * partials[child] for child in below]
        nodes[place] = sum(terms) if terms else Scalar(values[place], requires_grad=needs[place])
        if nodes[place].requires_grad:
            nodes[place].retain_grad()
    if nodes[0].requires_grad:
        nodes[0].backward()
        assert unit.all_near([node.grad for node in nodes], unit.record_adjoints(*given))
    else:  # a root of constants alone, which is said to need a gradient
        assert unit.record_adjoints(*given) == [1.0, *[None] * (size - 1)]


def test_every_kind_of_input_is_what_its_name_says():
    kinds = dict(zip(unit.CHAINS, unit.chains(seed=6), strict=True))
    assert kinds["no step"] == [] and len(kinds["one step"]) == 1 and len(set(kinds["equal steps"])) == 1
    assert [0.0 in kinds[f"zero {where}"] for where in ("first", "between", "last")] == [True] * 3
    assert kinds["zero first"][0] == 0 == kinds["zero last"][-1] and all(p < 0 for p in kinds["all negative"])
    assert len(set(kinds["many steps"])) == 12 and not {0, 1, -1} & set(kinds["many steps"])
    points = dict(zip(unit.POINTS, unit.points(seed=6), strict=True))
    errors = {kind: x * w + b - t for kind, (x, w, b, t) in points.items()}
    assert errors["the loss is 0"] == 0 and errors["the loss is 1"] == 1
    assert points["equal factors"][0] == points["equal factors"][1]
    assert all(type(item) is int for item in points["whole numbers"])
    for kind, (a, c) in zip(unit.DIVISIBLE, unit.pairs(*unit.DIVISIBLE, seed=6), strict=True):
        assert a and c, kind
    for kind, (_, parents, _, needs) in zip(unit.FROZEN, unit.records(*unit.FROZEN, seed=6), strict=True):
        assert needs[0] and (kind.startswith("any") or False in needs)
        assert all(needs[parent] for child, parent in enumerate(parents) if needs[child])


def test_a_deep_record_has_leaves_on_its_way():
    values, parents, partials, needs = given = unit.deep_record(500, seed=5)
    assert len(values) == len(parents) == len(partials) == len(needs) > 999
    assert all(parent < child for child, parent in enumerate(parents) if child)
    assert len(set(parents)) == 500 and 1e-30 < abs(unit.record_adjoints(*given)[-1] or 0) < 1e30


@pytest.mark.parametrize(
    ("mutant", "point"),
    [("A", (2, 3, 1, 6)), ("B", (3, 3, 1, 7)), ("C", (2, 3, 1, 6.5)), ("D", (2, 3, 1, 5))],
)
def test_a_blind_spot_hides_its_own_mutant_and_no_other_one(mutant, point):
    assert unit.blind(mutant)(point) is True
    assert [other for other in "ABCD" if not unit.caught(other, point)] == [mutant]
    assert unit.catches_all(point) == f"here mutant {mutant} is not caught"


def test_a_loss_of_zero_or_a_point_that_is_none_is_no_blind_spot():
    for point in [(2, 3, 4, 10), (0, 3, 1, 2), (float("nan"), 1, 1, 1), (1, 2, 3), "abcd", None]:
        assert isinstance(unit.blind("A")(point), str)
    assert unit.blind("A")((2, 3, 1, 7 - 1e-7)) is not True, "a loss of nearly 0 hides nothing"
    assert unit.blind("B")((1e6, 1e6, 1, 2)) is True
    assert unit.catches_all((2, 3, 1, 10)) is True
    assert not unit.caught("A", (2, 3, 1, 7)) and unit.caught("C", (2, 3, 1, 7)), "a loss of 0 does not hide C"


ASKED = {
    "chain": (unit.CHAIN, (CHAIN,), unit.chain_adjoints),
    "table": (unit.TABLE, TABLE, unit.table),
    "chain of nodes": (unit.CHAIN_OF_NODES, ([2.5, 3.0, 4.0], [3.0, 0.5]), unit.chain_grads),
    "nodes": (unit.NODES, unit.records("branches", seed=4)[0], unit.record_adjoints),
    "constants": (unit.NODES_AND_CONSTANTS, unit.records("most are constants", seed=4)[0], unit.record_adjoints),
    **{f"x {sign} w": (unit.between_values(f"x {sign} w"), PAIR, unit.computed(f"x {sign} w")) for sign in "+-*/"},
    **{f"x {sign} c": (unit.number_on_the_right(f"x {sign} c"), PAIR, unit.computed(f"x {sign} c")) for sign in "+-*/"},
    **{f"c {sign} x": (unit.number_on_the_left(f"c {sign} x"), PAIR, unit.computed(f"c {sign} x")) for sign in "+-*/"},
}


@pytest.mark.parametrize("name", ASKED)
def test_no_rule_for_a_mistake_gives_the_right_answer(name):
    rules, given, right = ASKED[name]
    same_for_a_sum = {unit.PARTIALS_SWAPPED} if name == "x + w" else set()
    # Predicates are asked about wrong answers only, and these say nothing else.
    only_of_wrong_ones = {unit.UPSTREAM_FORGOTTEN, unit.LOCAL_DERIVATIVE_FORGOTTEN, unit.ADJOINTS_ONLY_CLOSE}
    only_of_wrong_ones |= {unit.CONSTANT_STOPS_SWEEP, unit.CONSTANT_GETS_GRADIENT, unit.RECORD_FORGETS_OPERANDS}
    # These are right for inputs like the one that is asked about here.
    elsewhere = {unit.EMPTY_INPUT_FORGOTTEN, unit.PRODUCT_DIVIDED_OUT, unit.ZERO_TAKEN_FOR_NONE, unit.ROOT_IS_A_LEAF}
    elsewhere |= {unit.WHOLE_NUMBERS_FORGOTTEN}
    for misconception, either in rules.items():
        for rule in either if isinstance(either, tuple) else [either]:
            wrong = rule(*given) if callable(rule) else rule
            if misconception in elsewhere:
                assert wrong == right(*given), misconception.code
            elif misconception not in only_of_wrong_ones | same_for_a_sum and not isinstance(wrong, type | Raised):
                found = right(*given)
                assert not (wrong(found) if callable(wrong) else wrong == found), misconception.code


def test_the_model_answers_pass_and_repeat_what_they_do(notebook):
    notebook(BACKWARD, CHAINED)
    check.function(unit.swept, on=unit.records(seed=7), like=unit.record_adjoints)
    check.function(unit.swept_endless, on=unit.records(seed=7), like=unit.record_adjoints)
    check.function(unit.chain_swept, on=unit.node_chains(seed=7), like=unit.chain_grads)
    for found in (unit.swept_twice(*unit.records(seed=8)[3]), unit.chain_swept_twice([1.0, 2.0], [3.0])):
        assert unit.is_repeatable(found.value) is True
    for text in ("x + w", "c / x", "x * x", "sum([x, w])"):
        check.function(unit.recorded(text), on=[PAIR, (4, 4)], like=unit.computed(text))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("root.operands[0].grad = root.grad * 2.0", None),
        ("if root.operands:\n        root.operands[0].grad = root.grad * 2.0", unit.SEED_MISSING),
        ("root.grad = 1.0\n    for below in root.operands:\n        below.grad = below.grad * 2.0", None),
        ("root.grad = 1.0\n    for below in root.operands:\n        below.grad += 2.0", unit.ADDED_TO_NONE),
        ("root.grad = root.grad + 1.0", unit.ADDED_TO_NONE),
        ("root.grad = 1.0\n    for below in root.operands:\n        below.grad = root.grad * root.partials", None),
        ("pass", unit.ADJOINTS_NOT_WRITTEN),
        ("root.grad = 1.0\n    while root.operands:\n        root = root.operands[0]\n"
         "        root.grad = 2.0 * root.partials[0]", unit.PARTIAL_OF_THE_WRONG_STEP),
        ("root.grad = 1.0\n    root.grad = root.operands[1]", None),
        (f"{CHAINED.strip().partition(chr(10))[2].strip()}\n    start.operands[0]", unit.ROOT_IS_A_LEAF),
    ],
)  # fmt: skip
def test_an_error_of_a_sweep_is_named_where_it_has_one_cause(notebook, line, found):
    notebook(f"def backward_chain(root):\n    start = root\n    {line}\n")
    asked_for = {"on": unit.node_chains("two steps", "no step", seed=9), "like": unit.chain_grads}
    assert named(unit.chain_swept, wrong=unit.CHAIN_OF_NODES, **asked_for) == found


@pytest.mark.parametrize(
    ("change", "text", "found"),
    [
        (("(self, other), (1.0, 1.0)", "(self, other), ()"), "x + w", unit.ONE_PARTIAL_EACH),
        (("(self, other), (1.0, 1.0)", "(), ()"), "x + w", unit.RECORD_FORGETS_OPERANDS),
        (("self.data + other.data", "self + other"), "x + w", unit.OPERATION_CALLS_ITSELF),
        (("self.data + other.data", "self + other"), "c - x", None),
        (("other = as_value(other)\n        needed", "needed"), "x + c", unit.NUMBER_LEFT_AS_IT_IS),
        (("self.data - other.data", "self.date - other.data"), "x - w", None),
        (("as_value(other) - self", "other - self"), "c - x", unit.REFLECTED_RECURSES),
    ],
)
def test_what_a_value_records_is_named_where_it_has_one_cause(notebook, change, text, found):
    cells = {
        cell.metadata.nbgrader.grade_id: cell.source for cell in read_text(SOURCE).cells if "nbgrader" in cell.metadata
    }
    changed = cells["value"].replace(*change)
    assert (changed != cells["value"]) and not notebook(changed)
    rules = {"w": unit.between_values, "c": unit.number_on_the_right, "x": unit.number_on_the_left}[text[-1]]
    if found is None and text == "c - x":
        check.function(unit.recorded(text), on=[PAIR], like=unit.computed(text))
    else:
        assert named(unit.recorded(text), on=[PAIR], like=unit.computed(text), wrong=rules(text)) == found


def test_random_sizes_of_long_chains_stay_within_bounds():
    partials = unit.long_chain(20_001, seed=random.randrange(1_000))
    assert all(0.9 <= abs(partial) <= 1.1 for partial in partials)
    assert all(adjoint for adjoint in unit.chain_adjoints(partials)[-5_000:])

"""What unit 03 holds to be right is what the engine computes, and the blind spots are where it says they are."""

import random

import pytest

from autodiff_lab import Scalar
from autodiff_lab.checks import CheckFailed, check
from autodiff_lab.checks.student import Local, Student
from autodiff_lab.units import backward_sweep as unit

NODE = """
class Node:
    def __init__(self, data, operands=(), partials=()):
        self.data, self.operands, self.partials, self.grad = data, operands, partials, None
"""


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


def test_adjoints_of_a_chain_are_what_the_engine_finds():
    draw = random.Random(1)
    partials = [draw.uniform(-2, 2) for _ in range(7)]
    nodes = [Scalar(3.0)]
    for partial in partials:
        nodes.append(nodes[-1] * partial)
        nodes[-1].retain_grad()
    nodes[-1].backward()
    assert unit.all_near([node.grad for node in nodes], unit.chain_adjoints(partials))


def test_adjoints_of_a_record_are_what_the_engine_finds():
    draw = random.Random(2)
    for _ in range(20):
        size = draw.randint(2, 12)
        parents = [0] + [draw.randrange(place) for place in range(1, size)]
        leaves = [place for place in range(size) if place not in parents[1:]]
        given = unit.record(draw, parents, constants=leaves[: len(leaves) // 2])
        values, _, partials, needs = given
        nodes: list = [None] * size
        for place in reversed(range(size)):
            below = [child for child in range(1, size) if parents[child] == place]
            terms = [nodes[child] * partials[child] for child in below]
            nodes[place] = sum(terms) if terms else Scalar(values[place], requires_grad=needs[place])
            if terms and needs[place]:
                nodes[place].retain_grad()
        nodes[0].backward()
        found = [node.grad for node in nodes]
        assert unit.all_near(found[1:], unit.record_adjoints(*given)[1:])
        assert unit.record_adjoints(*given)[0] == 1.0


def test_a_deep_record_is_a_record_with_leaves_and_constants_on_its_way():
    values, parents, partials, needs = given = unit.deep_record(random.Random(5), 500)
    assert len(values) == len(parents) == len(partials) == len(needs) > 999
    assert all(parent < child for child, parent in enumerate(parents) if child)
    assert all(needs[parent] for parent in parents)
    assert 200 < needs.count(False) < 300 and not {needs.index(False)} & {*parents}
    assert unit.record_adjoints(*given)[-1] is not None or unit.record_adjoints(*given)[-2] is not None


def test_a_record_has_different_numbers_and_no_special_partial():
    values, _, partials, _ = unit.record(random.Random(3), [0] * 14)
    assert len(set(values)) == len(set(partials)) == 14
    assert not {0, 1, -1} & set(partials)


@pytest.mark.parametrize(
    ("mutant", "point"),
    [("A", (2, 3, 1, 6)), ("B", (3, 3, 1, 7)), ("C", (2, 3, 1, 6.5)), ("D", (2, 3, 1, 5))],
)
def test_a_blind_spot_hides_its_own_mutant_and_no_other_one(mutant, point):
    assert unit.blind(mutant)(point) is True
    assert [other for other in "ABCD" if not unit.caught(other, point)] == [mutant]
    assert unit.catches_all(point) is not True


def test_a_loss_of_zero_or_a_point_that_is_none_is_no_blind_spot():
    for point in [(2, 3, 4, 10), (0, 3, 1, 2), (float("nan"), 1, 1, 1), (1, 2, 3), "abcd", None]:
        assert isinstance(unit.blind("A")(point), str)
    assert unit.catches_all((2, 3, 1, 10)) is True


@pytest.mark.parametrize("rules", [unit.CHAIN, unit.TABLE, unit.CHAIN_OF_NODES, unit.NODES])
def test_no_rule_for_a_mistake_gives_the_right_answer(rules):
    asked = {
        id(unit.CHAIN): (([3.0, 0.5, -2.0],), unit.chain_adjoints([3.0, 0.5, -2.0])),
        id(unit.TABLE): ((5.0, 1.5, 2.0, 4.0), unit.table(5.0, 1.5, 2.0, 4.0)),
        id(unit.CHAIN_OF_NODES): (([2.5, 3.0, 4.0], [3.0, 0.5]), unit.chain_adjoints([3.0, 0.5])),
    }
    record = unit.record(random.Random(4), [0, 0, 0, 1, 1])
    given, right = asked.get(id(rules), (record, unit.record_adjoints(*record)))
    # These are told only once the answer is wrong.
    may_be_right = {
        unit.UPSTREAM_FORGOTTEN,
        unit.ONE_OPERAND_ONLY,
        unit.ADJOINTS_ONLY_CLOSE,
        unit.LOCAL_DERIVATIVE_FORGOTTEN,
    }
    for misconception, either in rules.items():
        for rule in either if isinstance(either, tuple) else [either]:
            if isinstance(rule, type) or misconception in may_be_right:
                continue
            wrong = rule(*given)
            assert not (wrong(right) if callable(wrong) else wrong == right), misconception.code


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("root.operands[0].grad = root.grad * 2.0", unit.SEED_MISSING),
        ("root.grad = 1.0\n    root.operands[0].grad += 2.0", unit.ADDED_TO_NONE),
        ("root.grad = root.grad + 1.0", unit.ADDED_TO_NONE),
        ("root.grad = 1.0\n    root.operands[0].grad = root.grad * root.partials", None),
        ("pass", unit.ADJOINTS_NOT_WRITTEN),
        ("root.grad = root.operands[0].partials[0]", unit.PARTIAL_OF_THE_WRONG_STEP),
    ],
)
def test_an_error_about_none_is_told_apart_and_shown_as_python_gave_it(line, found):
    space: dict = {}
    exec(f"{NODE}\ndef backward_chain(root):\n    {line}\n", space)
    there = Student(Local(space))
    source = unit.BUILD_CHAIN + unit.attempt("backward_chain", "nodes[-1]")
    with pytest.raises(CheckFailed) as caught:
        check.function(
            lambda v, p: there.run(source, values=v, partials=p),
            on=[([2.0, 3.0], [4.0])],
            like=lambda v, p: unit.chain_adjoints(p),
            wrong=unit.CHAIN_OF_NODES,
        )
    assert caught.value.misconception == found
    if "pass" not in line and "[0].partials" not in line:
        assert "\n  TypeError: " in str(caught.value)

"""What unit 04 holds to be right is what the engine computes, and each wrong idea is wrong in a way of its own."""

import itertools
import random

import pytest

import autodiff_lab as ad
from autodiff_lab.checks import CheckFailed, check
from autodiff_lab.checks import student as asked
from autodiff_lab.checks.student import Local
from autodiff_lab.units import fan_out as unit

ON_GRAPHS = [(lines, *point) for lines in unit.GRAPHS.values() for point in unit.POINTS]
ON_LISTS = [(lines, *point) for lines in unit.MENDED.values() for point in unit.POINTS]


def by_the_engine(lines: str, x: float, y: float) -> tuple[float, float]:
    names = {"x": ad.Scalar(x), "y": ad.Scalar(y)}
    exec(lines, names)
    names["f"].backward()
    return names["x"].grad or 0.0, names["y"].grad or 0.0


@pytest.fixture
def notebook(monkeypatch):
    """A student's names, for the questions that the module asks."""
    names = {"Value": unit.Recorded}
    monkeypatch.setattr(asked, "_transport", Local(names))
    return names


def named(question, on, like, wrong):
    with pytest.raises(CheckFailed) as caught:
        check.function(question, on=on, like=like, wrong=wrong)
    return caught.value.misconception


@pytest.mark.parametrize("given", ON_GRAPHS)
def test_gradients_of_small_graphs_are_those_of_the_engine(given):
    assert unit.same(by_the_engine(*given), unit.right_leaves(*given))
    found = unit.right_adjoints(*given)
    assert unit.same([found["x"], found["y"]], unit.right_leaves(*given)) and found["f"] == 1


def test_gradients_of_random_and_of_large_graphs_are_those_of_the_engine():
    draw = random.Random(1)
    for size, reuse in itertools.product((4, 12), (1, 3)):
        given = unit.random_lines(draw, size, reuse), 1.25, -0.5
        assert unit.same(by_the_engine(*given), unit.right_leaves(*given))
    graph = unit.deep(draw, 40)
    nodes: list = []
    for links, weights in zip(graph.operands, graph.partials, strict=True):
        terms = [nodes[place] * weight for place, weight in zip(links, weights, strict=True)]
        nodes.append(sum(terms[1:], terms[0]) if terms else ad.Scalar(1.0))
    nodes[-1].backward()
    leaves = [node.grad for node, links in zip(nodes, graph.operands, strict=True) if not links]
    assert unit.same(leaves, unit.right_leaves_of(graph))
    assert max(map(abs, leaves)) < 10 and sum(abs(leaf) > 0.01 for leaf in leaves) > 30
    assert unit.right_leaves_of(unit.line(5, 2, 0.5, 0.75)) == [1.5]


def test_nodes_of_a_graph_hold_different_numbers_but_where_equal_ones_are_asked_for():
    def numbers(lines, x, y):
        names = {"x": unit.Recorded(x), "y": unit.Recorded(y)}
        exec(lines, names)
        return [node.data for node in unit._finished(names["f"])]

    for given in ON_GRAPHS:
        assert len({*numbers(*given)}) == len(numbers(*given)), given
    lines = unit.GRAPHS["equal numbers in different nodes"]
    assert len({*numbers(lines, *unit.EQUAL)}) == len(numbers(lines, *unit.EQUAL)) - 2


@pytest.mark.parametrize(
    ("ideas", "on", "right", "leads_to"),
    [
        (unit.SWEEPS, ON_GRAPHS, unit.right_leaves, unit._leads_to),
        (unit.MENDINGS, ON_LISTS, unit.right_sweeps, unit._mending_leads_to),
    ],
)
def test_every_wrong_idea_is_wrong_and_no_two_of_different_names_give_the_same(ideas, on, right, leads_to):
    found: dict = {}
    for known, ways in ideas.items():
        for idea in ways:
            got = [leads_to(idea)(*given) for given in on]
            assert not unit.same([right(*given) for given in on], got), known.code
            key = str([[round(number, 6) + 0.0 for number in numbers] for numbers in got])
            assert found.setdefault(key, known) is known, (found[key].code, known.code)


@pytest.mark.parametrize("known", unit.SWEEPS, ids=lambda known: known.code)
def test_a_sweep_that_carries_a_wrong_idea_out_is_named_by_it(known, notebook):
    for notebook["backward"] in unit.SWEEPS[known]:
        assert named(unit.leaves_after_backward, ON_GRAPHS, unit.right_leaves, unit.LEAVES_OF_GRAPHS) is known


@pytest.mark.parametrize("known", unit.MENDINGS, ids=lambda known: known.code)
def test_a_mended_sweep_that_carries_a_wrong_idea_out_is_named_by_it(known, notebook):
    for notebook["mended_sweep"] in unit.MENDINGS[known]:
        assert named(unit.leaves_after_sweeps, ON_LISTS, unit.right_sweeps, unit.LEAVES_OF_MENDED) is known


def test_the_numbers_of_two_ideas_are_told_apart_by_a_further_question(notebook):
    def name(sweep):
        notebook["backward"] = sweep
        return named(unit.leaves_after_backward, ON_GRAPHS, unit.right_leaves, unit.LEAVES_OF_GRAPHS)

    assert name(unit.sweep(unit._uses)) is unit.FAN_OUT_DIRECT_PATH_ONLY
    assert name(unit.sweep(unit._of_nodes(unit._finished))) is unit.SWEEP_OPERANDS_FIRST

    def without_seed(root):
        for node, operand, partial in unit._counted(root):
            operand.grad += node.grad * partial

    assert name(without_seed) is unit.SEED_MISSING
    assert name(lambda root: None) is None

    notebook["mended_sweep"] = lambda nodes: None
    assert named(unit.leaves_after_sweeps, ON_LISTS, unit.right_sweeps, unit.LEAVES_OF_MENDED) is None


def test_right_descents_and_batches_are_those_of_the_engine():
    def loss(w, b, points):
        errors = [w * x + b - t for x, t in points]
        return sum((error * error for error in errors[1:]), errors[0] * errors[0]) * (1.0 / len(points))

    for start, points, rate, steps in unit.DESCENTS.values():
        w, b = map(ad.Scalar, start)
        for _ in range(steps):
            w.grad = b.grad = None
            loss(w, b, points).backward()
            w.data, b.data = w.data - rate * w.grad, b.data - rate * b.grad
        assert unit.same((w.data, b.data), unit.right_descent(start, points, rate, steps))
    for batches in unit.BATCHES.values():
        w, b = ad.Scalar(0.5), ad.Scalar(0.25)
        loss(w, b, [point for batch in batches for point in batch]).backward()
        assert unit.same((w.grad, b.grad), unit.right_in_batches(0.5, 0.25, batches))


@pytest.mark.parametrize(
    ("rules", "on", "right"),
    [
        (unit.GRADIENT, unit.PLACES, lambda x, y: (y, x + 2 * y)),
        (unit.SUM_OF_USES, unit.USES, lambda uses: unit.adjoint_of(uses)),
        (unit.ZERO_GRAD, unit.PARAMETERS, unit.cleared),
        (unit.DESCENT, unit.DESCENTS, unit.right_descent),
        (unit.GRADIENT_IN_BATCHES, {k: (0.5, 0.25, v) for k, v in unit.BATCHES.items()}, unit.right_in_batches),
    ],
)
def test_every_rule_of_numbers_is_wrong_somewhere_and_no_two_lead_to_the_same(rules, on, right):
    inputs = [given if isinstance(given, tuple) else (given,) for given in on.values()]
    found: dict = {}
    for known, either in rules.items():
        for rule in either if isinstance(either, tuple) else [either]:
            if not callable(rule):
                continue
            got = []
            for given in inputs:
                try:
                    got.append(rule(*given))
                except Exception as error:
                    got.append(type(error).__name__)
            if any(map(callable, got)):
                continue
            assert not all(unit.same(right(*given), each) for given, each in zip(inputs, got, strict=True)), known.code
            assert found.setdefault(str(got), known) is known, (found[str(got)].code, known.code)

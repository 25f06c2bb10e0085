"""Right and wrong answers about graphs as data, and what a student is told about the wrong ones."""

import itertools
import random
from graphlib import CycleError, TopologicalSorter

import pytest

from autodiff_lab.checks import CheckFailed, check
from autodiff_lab.checks.student import Answer, Local, Student
from autodiff_lab.units import graphs as unit

X = ("input",)
SHORT_CUT = {
    "p": ("*", "w", "e"),
    "f": ("+", "d", "p"),
    "y": X,
    "e": ("exp", "d"),
    "w": X,
    "x": X,
    "d": ("-", "x", "y"),
}


def answer(data):
    return Answer("f()", "f", data=data)


def shown(function, *args, **kwargs):
    """The misconception that a check names; fails when the check passes."""
    with pytest.raises(CheckFailed) as caught:
        function(*args, **kwargs)
    return caught.value.misconception


def test_every_topological_order_is_right_and_no_other():
    right = 0
    for order in itertools.permutations(SHORT_CUT):
        place = {name: i for i, name in enumerate(order)}
        valid = all(place[o] < place[n] for n in SHORT_CUT for o in unit.operands(SHORT_CUT, n))
        right += valid
        if valid:
            unit.check_order(answer(order), SHORT_CUT)
        else:
            with pytest.raises(CheckFailed):
                unit.check_order(answer(list(order)), SHORT_CUT)
    assert right == 10


@pytest.mark.parametrize(
    ("order", "misconception"),
    [
        ("p f y e w x d", unit.DICT_ORDER_ASSUMED),
        ("d e f p w x y", unit.DICT_ORDER_ASSUMED),
        ("f p e w d y x", unit.ORDER_USERS_FIRST),
        ("y x e w p d f", unit.ORDER_PLACED_AT_FIRST_VISIT),
        ("x y w d p e f", unit.ORDER_BY_SHORTEST_DISTANCE),
        ("d e p f", unit.ORDER_LEAVES_LEFT_OUT),
        ("x w d e p f", unit.NODE_COMPARED_BY_CONTENT),
        ("x y d e w", unit.ORDER_PART_MISSING),
        ("x y d d w e p f", unit.ORDER_REPEATS_A_NODE),
        ("x y d w e p loss", unit.NAMES_BUILT_IN),
        ("x y a d w e p f", unit.CACHE_OUTLIVES_THE_CALL),
    ],
)
def test_a_wrong_order_is_named(order, misconception):
    assert shown(unit.check_order, answer(order.split()), SHORT_CUT) is misconception


@pytest.mark.parametrize("nonsense", [None, 3, "xy", {"x": 1}, [["x"]], [None], [1.0]])
def test_an_answer_of_any_shape_is_judged_and_breaks_nothing(nonsense):
    with pytest.raises(CheckFailed):
        unit.check_order(answer(nonsense), SHORT_CUT)
    with pytest.raises(CheckFailed):
        unit.check_parts(answer(nonsense), answer([]), answer("f"), SHORT_CUT)
    with pytest.raises(CheckFailed):
        unit.check_formula(answer(nonsense), ("x",), lambda x: x, 1)
    with pytest.raises(CheckFailed):
        unit.check_formula(answer({"x": nonsense}), ("x",), lambda x: x, 1)
    with pytest.raises(CheckFailed):
        unit.check_formula(answer({"x": X, "f": ("+", "x", nonsense)}), ("x",), lambda x: x, 1)


def test_a_cyclic_graph_of_a_formula_cannot_be_computed():
    cyclic = {"x": X, "a": ("+", "x", "b"), "b": ("exp", "a"), "f": ("+", "a", "b")}
    with pytest.raises(CheckFailed, match="cannot be computed"):
        unit.check_formula(answer(cyclic), ("x",), lambda x: x, 3)


def test_the_values_of_a_graph_are_those_of_the_formula():
    graph = {"f": ("*", "a", "y"), "a": ("+", "x", "y"), "x": X, "y": X}
    assert unit.values_of(graph, {"x": 2.0, "y": 3.0}) == {"x": 2.0, "y": 3.0, "a": 5.0, "f": 15.0}
    shared = {"d0": X, **{f"d{i}": ("+", f"d{i - 1}", f"d{i - 1}") for i in range(1, 61)}}
    assert unit.values_of(shared, {"d0": 1.0})["d60"] == 2.0**60


def test_looks_at_a_counted_graph_use_up_the_budget():
    student = Student(Local({}))
    source = "graph = Counted(graph)\nfor _ in range(1000):\n    graph['v0']\nreturn list(graph.keys())"
    check(student.run(unit.counted(source), max_calls=2000, graph=unit.chain(3)), expect=["v3", "v2", "v1", "v0"])
    with pytest.raises(CheckFailed, match="more than 500 calls"):
        check(student.run(unit.counted(source), max_calls=500, graph=unit.chain(3)), expect=None)


def test_a_deep_graph_has_the_values_it_says_and_a_closed_one_has_no_order():
    draw = random.Random(6)
    for levels in (1, 5, 60):
        graph, inputs, values = unit.deep(draw, levels)
        assert unit.values_of(graph, inputs) == pytest.approx(values) and len(graph) == 21 + 3 * levels
        list(TopologicalSorter({name: unit.operands(graph, name) for name in graph}).static_order())
        for further in (0.0, 0.7, 0.9999):
            ring = unit.closed(graph, draw, further)
            with pytest.raises(CycleError):
                TopologicalSorter({name: unit.operands(ring, name) for name in ring}).prepare()


def test_a_judge_is_not_stopped_by_what_it_cannot_write():
    for data in ({"x": 10**5000}, {"x": ("const", 1.0), "f": ("+", "x", 10**5000)}):
        with pytest.raises(CheckFailed):
            unit.check_formula(answer(data), inputs=("x",), rule=lambda x: x, operations=1)
    with pytest.raises(CheckFailed):
        unit.check_order(answer([10**5000]), {"x": X})


def test_a_wrong_order_of_a_large_graph_is_told_at_once():
    graph, _, _ = unit.deep(random.Random(7), 2_000)
    with pytest.raises(CheckFailed, match="which comes later"):
        unit.check_order(answer([*graph]), graph)
    with pytest.raises(CheckFailed, match="left out"):
        unit.check_order(answer([]), graph)

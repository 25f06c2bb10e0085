"""Right and wrong answers about graphs as data, and what a student is told about the wrong ones."""

import itertools
import linecache
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from autodiff_lab.checks import BudgetExceeded, CheckFailed, check, seal
from autodiff_lab.checks.compare import Asked, _explains
from autodiff_lab.checks.failed import Failure, Raised
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
NAMES = {BudgetExceeded: "TooManyCalls"}
OPERANDS = """
def operands(graph, name):
    operation, *rest = graph[name]
    return [] if operation in ("input", "const") else rest
"""


def answer(data):
    return Answer("f()", "f", data=data)


def notebook(source):
    namespace, file = {"OPERATIONS": unit.TABLE}, f"<cell {hash(source)}>"
    linecache.cache[file] = (len(source), None, (OPERANDS + source).splitlines(True), file)
    exec(compile(OPERANDS + source, file, "exec"), namespace)
    return Student(Local(namespace))


def shown(function, *args, **kwargs):
    """The misconception that a check names; fails when the check passes."""
    with pytest.raises(CheckFailed) as caught:
        function(*args, **kwargs)
    return caught.value.misconception


def named(rules, graphs, give, like):
    """The misconceptions whose rules explain what ``give`` answers about these graphs."""
    asked = []
    for graph in graphs:
        came = give(graph)
        failed = isinstance(came, type) and issubclass(came, BaseException)
        reply = replace(
            answer(None if failed else came), failure=Failure((NAMES.get(came, came.__name__),), "") if failed else None
        )
        asked.append(Asked((graph,), reply, None if came == like(graph) else "wrong"))
    return [known for known, rule in rules.items() if _explains(rule, asked, 1e-9)]


def test_every_topological_order_is_right_and_no_other():
    right = 0
    for order in itertools.permutations(SHORT_CUT):
        place = {name: i for i, name in enumerate(order)}
        valid = all(place[o] < place[n] for n in SHORT_CUT for o in unit.operands(SHORT_CUT, n))
        right += valid
        assert (unit.order(SHORT_CUT)(list(order)) is True) == valid
    assert right == 10


@pytest.mark.parametrize(
    ("order", "misconception"),
    [
        ("p f y e w x d", unit.DICT_ORDER_ASSUMED),
        ("d e f p w x y", unit.DICT_ORDER_ASSUMED),
        ("f p e w d y x", unit.ORDER_USERS_FIRST),
        ("y x e w p d f", unit.ORDER_PLACED_AT_FIRST_VISIT),
        ("x y w d p e f", unit.ORDER_BY_SHORTEST_DISTANCE),
        ("x d f y w p e", unit.ORDER_AFTER_ONE_OPERAND),
        ("d e p f", unit.ORDER_LEAVES_LEFT_OUT),
        ("x w d e p f", unit.NODE_COMPARED_BY_CONTENT),
        ("x y d e", unit.ORDER_PART_MISSING),
        ("x y d d w e p f", unit.ORDER_REPEATS_A_NODE),
        ("x y a f", unit.NAMES_BUILT_IN),
        ("x y a d w e p f", unit.CACHE_OUTLIVES_THE_CALL),
    ],
)
def test_a_wrong_order_is_named(order, misconception):
    wrong = shown(
        check.function, lambda graph: answer(order.split()), on=[SHORT_CUT], like=unit.order, wrong=unit.ORDERS
    )
    assert wrong is misconception


def test_graphs_are_of_the_kind_that_they_are_called():
    assert all(map(unit.is_acyclic, unit.KINDS.values())) and not any(map(unit.is_acyclic, unit.CYCLES.values()))
    several = {kind for kind, graph in unit.KINDS.items() if graph not in unit.ONE_ROOT}
    assert several == {"several ends", "two parts"}
    assert all(0.0 in unit.values_of(*given).values() for given in unit.WITH_ZEROS)
    assert not any(0.0 in unit.values_of(*given).values() for given in unit.with_numbers(unit.KINDS.values()))
    draw = random.Random(3)
    for graph, other in zip(unit.CYCLES.values(), unit.renamed(unit.CYCLES.values(), draw), strict=True):
        assert not set(graph) & set(other) and not unit.is_acyclic(other)
        assert sorted(entry[0] for entry in graph.values()) == sorted(entry[0] for entry in other.values())


def rules_of(table):
    for known, rules in table.items():
        for rule in rules if isinstance(rules, tuple) else (rules,):
            yield known, rule


def plain_rules(table, graphs):
    """The rules that give an answer, or the type of an error, for each of these graphs."""
    for known, rule in rules_of(table):
        given = [rule(graph) for graph in graphs]
        if all(isinstance(one, type) or not (callable(one) or isinstance(one, Raised)) for one in given):
            yield known, rule


@pytest.mark.parametrize(
    ("table", "graphs", "like"),
    [
        (unit.ACYCLIC_OF, [*unit.KINDS.values(), *unit.CYCLES.values()], unit.is_acyclic),
        (unit.LEAVES_OF, unit.ONE_ROOT, unit.listed(unit.leaves)),
        (unit.OPERATIONS_OF, unit.ONE_ROOT, unit.listed(unit.operations)),
        (unit.ROOT_OF, unit.ONE_ROOT, unit.root),
    ],
)
def test_whoever_follows_a_rule_is_told_its_misconception_and_no_other(table, graphs, like):
    found = list(plain_rules(table, graphs))
    assert len(found) >= 4
    for known, rule in found:
        told = [one.code for one in named(table, graphs, rule, like)]
        told = (
            told[:1] if any(isinstance(rule(graph), type) for graph in graphs) else told
        )  # the first that fits is told
        assert told == [known.code]


def test_what_is_always_false_or_fails_at_one_kind_is_told_nothing():
    graphs = [*unit.KINDS.values(), *unit.CYCLES.values()]
    assert named(unit.ACYCLIC_OF, graphs, lambda graph: False, unit.is_acyclic) == []
    assert named(unit.ACYCLIC_OF, graphs, lambda graph: not unit.operations(graph), unit.is_acyclic) == []
    for odd in graphs:
        fails = lambda graph, odd=odd: unit.is_acyclic(graph) != (graph is odd)  # noqa: E731
        assert len(named(unit.ACYCLIC_OF, graphs, fails, unit.is_acyclic)) <= 1


@pytest.mark.parametrize(
    ("body", "misconception"),
    [
        ("return ValueError('cycle')", unit.ERROR_NOT_RAISED),
        ("return 'cycle'", unit.ERROR_NOT_RAISED),
        ("print('cycle')", unit.ERROR_NOT_RAISED),
        ("return []", unit.ERROR_NOT_RAISED),
        ("return list(graph)", unit.CYCLE_UNNOTICED),
        ("return topological_order(graph)", unit.CYCLE_UNNOTICED),
        ("raise RuntimeError('cycle')", unit.ANOTHER_KIND_OF_ERROR),
        ("return graph['cycle']", None),
        ("return 3", None),
    ],
)
def test_a_cycle_that_is_not_told_by_an_error_is_named(body, misconception):
    ask = unit.within_budget(notebook(f"def topological_order(graph):\n    {body}").topological_order)
    assert shown(check.function, ask, on=unit.CYCLES.values(), like=unit.order, wrong=unit.CYCLES_TOLD) is misconception


def test_calls_in_turn_show_what_was_remembered_and_nothing_else():
    def told(source):
        calls = [((SHORT_CUT, {"x": 1.0, "y": 2.0, "w": 3.0}), (SHORT_CUT, {"x": 5.0, "y": 2.0, "w": 4.0}))]
        ask = unit.in_turn(notebook(source).forward)
        check.function(ask, on=calls, like=unit.fresh(unit.values_of), wrong=unit.REMEMBERS)

    told("def forward(graph, inputs): return {**inputs, 'f': 3.0}")  # wrong, and for the next check to say
    remembers = "def forward(graph, inputs, kept={}):\n    return kept.setdefault('all', dict(inputs))"
    assert shown(told, remembers.replace("dict(inputs)", "{**inputs, 'd': inputs['x'] - 2.0}")) is (
        unit.CACHE_OUTLIVES_THE_CALL
    )


def test_the_marks_of_an_order_by_hand_are_those_of_all_orders():
    marks = unit.order_marks("01/by_hand", SHORT_CUT)
    assert len(marks["right"]) == 10 and not marks["right"] & set(marks["instead"])
    for order, known in (("f p e w d y x", unit.ORDER_USERS_FIRST), ("d e p f", unit.ORDER_LEAVES_LEFT_OUT)):
        assert marks["instead"][seal("01/by_hand", order.split())] is known


@pytest.mark.parametrize("nonsense", [None, 3, "xy", {"x": 1}, [["x"]], [None], [1.0]])
def test_an_answer_of_any_shape_is_judged_and_breaks_nothing(nonsense):
    with pytest.raises(CheckFailed):
        check.function(lambda graph: answer(nonsense), on=[SHORT_CUT], like=unit.order, wrong=unit.ORDERS)
    student = Student(Local({"leaves": lambda graph: nonsense}))
    with pytest.raises(CheckFailed):
        check.function(
            unit.in_any_order(student.leaves), on=[SHORT_CUT], like=unit.listed(unit.leaves), wrong=unit.LEAVES_OF
        )
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


def test_a_formula_is_told_with_numbers_and_a_name_that_is_used_again_with_its_own():
    def told(data):
        with pytest.raises(CheckFailed) as caught:
            unit.check_formula(answer(data), ("x", "y"), lambda x, y: (x + y) * y, 2, unit.SLIPS_IN_F)
        return str(caught.value), caught.value.misconception

    inputs = {"x": X, "y": X}
    text, known = told({**inputs, "a": ("*", "x", "y"), "f": ("+", "a", "y")})
    assert "at x = 2, y = 3 the formula gives 15, and this graph 9" in text and known is None
    assert told({**inputs, "p": ("+", "p", "y"), "f": ("*", "p", "x")})[1] is unit.GRAPH_NAME_REUSED
    more = {**inputs, "n": ("neg", "y"), "m": ("-", "x", "n"), "f": ("*", "m", "y")}
    assert "3 operations" in told(more)[0] and told(more)[1] is None
    twice = {**inputs, "a": ("+", "x", "y"), "b": ("+", "x", "y"), "c": ("-", "b", "a"), "d": ("+", "c", "a")}
    assert told({**twice, "f": ("*", "d", "y")})[1] is unit.GRAPH_SHARED_NODE_COPIED
    assert told({**inputs, "a": ("+", "x", "y"), "f": ("*", "a")})[1] is None
    assert told({**inputs, "e": X, "f": ("*", "x", "y")})[1] is None


def test_a_sign_that_the_square_hides_is_seen():
    def told(difference):
        graph = {"x": X, "ten": ("const", 10.0), "d": ("-", *difference), "f": ("*", "d", "d")}
        unit.check_formula(answer(graph), ("x",), lambda x: (x - 10) ** 2, 2, holds=lambda x: x - 10)

    told(("x", "ten"))
    assert shown(told, ("ten", "x")) is unit.GRAPH_OPERANDS_SWAPPED


def test_looks_at_a_counted_graph_use_up_the_budget():
    looks = "def looks(graph, times):\n    for _ in range(times):\n        graph['v0']\n    return len(graph)"
    ask = unit.within_budget(notebook(looks).looks)
    check(ask(unit.chain(3), 20_000), expect=4)
    with pytest.raises(CheckFailed, match="more than 20400 calls"):
        check(ask(unit.chain(3), 21_000), expect=4)


def test_additions_are_counted_and_the_values_judged():
    def told(source, start):
        ask = unit.counting_additions(notebook(source).forward)
        on = [(unit.doublings(60), {"d0": start})]
        check.function(ask, on=on, like=unit.once(60), wrong=unit.AGAIN)

    in_rounds = """
def forward(graph, inputs):
    values = dict(inputs)
    for i in range(1, 61):
        values[f"d{i}"] = sum([values[f"d{i - 1}"]] * 2)
    return values
"""
    told(in_rounds, 1.5)
    assert shown(told, in_rounds.replace("* 2", "* 4"), 1.5) is unit.SHARED_NODE_RECOMPUTED
    assert shown(told, "def forward(graph, inputs): return inputs", 1.5) is None


def test_values_that_are_rounded_have_no_name():
    rounded = "def forward(graph, inputs): return {n: round(v, 3) for n, v in right(graph, inputs).items()}"
    ask = notebook(rounded)
    ask._transport._namespace["right"] = unit.values_of
    given = unit.with_numbers(unit.KINDS.values())
    assert shown(check.function, ask.forward, on=given, like=unit.values_of, wrong=unit.FORWARD) is None


def test_a_deep_graph_has_an_order_and_a_closed_one_has_none():
    draw = random.Random(6)
    for levels in (1, 5, 60):
        graph, inputs = unit.deep(draw, levels)
        assert len(unit.values_of(graph, inputs)) == len(graph) == 21 + 3 * levels and unit.is_acyclic(graph)
        for further in (0.0, 0.7, 0.9999):
            assert not unit.is_acyclic(unit.closed(graph, draw, further))
    assert [unit.is_acyclic(graph) for graph in unit.deep_ones(draw)] == [False, True, True, False]


def test_a_judge_is_not_stopped_by_what_it_cannot_write():
    for data in ({"x": 10**5000}, {"x": ("const", 1.0), "f": ("+", "x", 10**5000)}):
        with pytest.raises(CheckFailed):
            unit.check_formula(answer(data), inputs=("x",), rule=lambda x: x, operations=1)
    with pytest.raises(CheckFailed):
        check.function(lambda graph: answer([10**5000]), on=[{"x": X}], like=unit.order, wrong=unit.ORDERS)


def test_a_wrong_order_of_a_large_graph_is_told_at_once():
    graph, _ = unit.deep(random.Random(7), 2_000)
    assert "which comes later" in unit.order_problem(graph, [*graph])
    assert "left out" in unit.order_problem(graph, [])


def test_worked_siblings_give_what_stands_beside_them():
    source = (Path(__file__).parents[2] / "course/source/01_graphs/01_graphs.py").read_text(encoding="utf-8")
    siblings = re.findall(r"A worked sibling.*?```python\n(.*?)# ```", source, re.S)
    assert len(siblings) >= 5
    one_way = unit.graphs("the formula")[0]
    for lines in siblings:
        code = "".join(line[2:] for line in lines.splitlines(keepends=True))
        names = {"one_way": one_way, "another": dict(reversed(one_way.items()))}
        exec(OPERANDS + code, names)
        (said,) = re.findall(r"^(\w+\(.*?)  +# (.+)$", code, re.M)
        assert eval(said[0], names) == eval(said[1]), said

"""Graphs as data: the reference values and adjoints, and what is said about a graph that cannot be computed."""

import math

import pytest

from autodiff_lab.draw import evaluate
from autodiff_lab.draw.data import GraphError, adjoints, root

SHARED = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
LOSS = {
    "x": ("input",),
    "w": ("input",),
    "b": ("input",),
    "p": ("*", "x", "w"),
    "z": ("+", "p", "b"),
    "t": ("const", 10.0),
    "d": ("-", "z", "t"),
    "two": ("const", 2),
    "loss": ("**", "d", "two"),
}


def test_the_worked_numbers_come_out():
    assert evaluate(SHARED, {"x": 2, "y": 3}) == {"x": 2.0, "y": 3.0, "a": 5.0, "f": 15.0}
    assert adjoints(SHARED, {"x": 2, "y": 3}) == {"x": 3.0, "y": 8.0, "a": 3.0, "f": 1.0}


def test_a_power_of_a_negative_number_has_its_adjoints():
    values = evaluate(LOSS, {"x": 2, "w": 3, "b": 1})
    assert values["z"] == 7 and values["loss"] == 9
    found = adjoints(LOSS, values)
    assert [found[name] for name in ("z", "x", "w", "b")] == [-6, -18, -12, -6]
    assert "t" not in found and "two" not in found, "a constant has no adjoint"


@pytest.mark.parametrize(
    ("op", "numbers", "value"),
    [
        ("+", (3, 4), 7),
        ("-", (3, 4), -1),
        ("*", (3, 4), 12),
        ("/", (3, 4), 0.75),
        ("**", (3, 4), 81),
        ("neg", (3,), -3),
        ("exp", (3,), math.exp(3)),
        ("log", (3,), math.log(3)),
        ("tanh", (3,), math.tanh(3)),
        ("relu", (-3,), 0),
        ("sin", (3,), math.sin(3)),
        ("cos", (3,), math.cos(3)),
        ("maximum", (3, 4), 4),
    ],
)
def test_every_operation_of_the_data_form_is_known(op, numbers, value):
    names = ["a", "b"][: len(numbers)]
    graph = dict.fromkeys(names, ("input",)) | {"f": (op, *names)}
    found = evaluate(graph, dict(zip(names, numbers, strict=True)))
    assert found["f"] == pytest.approx(value)


def test_the_order_of_the_entries_does_not_matter():
    assert evaluate(dict(reversed(SHARED.items())), {"x": 2, "y": 3})["f"] == 15


def test_an_input_that_leads_nowhere_has_no_adjoint():
    graph = {"x": ("input",), "unused": ("input",), "f": ("exp", "x")}
    assert set(adjoints(graph, {"x": 0.0, "unused": 1.0})) == {"x", "f"}
    assert root(graph) == "f"


def test_a_graph_of_constants_has_no_adjoints():
    assert adjoints({"c": ("const", 2.0), "f": ("exp", "c")}, {}) == {}


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        ({"f": ("*", "x", "x")}, "node 'f' uses 'x', which is not a node of the graph"),
        ({"x": ("input",), "f": ("*", "x", 3.0)}, r"node 'f' uses 3\.0, which is not a node"),
        ({"x": ("input",), "a": ("+", "x", "b"), "b": ("exp", "a")}, "a cycle: 'a' needs 'b', which needs 'a' first"),
        ({"x": ("input",), "f": ("frobnicate", "x")}, "node 'f': there is no operation 'frobnicate'"),
        ({"x": ("input",), "f": ("backward", "x")}, "there is no operation 'backward'"),
        ({"x": ("input",), "f": ("exp", "x", "x")}, "node 'f', exp x x"),
        ({"x": ("input",), "f": ("*", "x")}, r"node 'f', \* x"),
        ({"x": ("input",), "c": ("const",), "f": ("*", "x", "c")}, "node 'c'"),
        ({"x": "input"}, "write a tuple"),
        ({"y": ("input",)}, "input 'y' has no value"),
    ],
)
def test_what_is_wrong_with_a_graph_is_said_with_the_name_of_the_node(graph, said):
    with pytest.raises(GraphError, match=said):
        evaluate(graph, {"x": 1.0})


def test_two_roots_are_named():
    with pytest.raises(GraphError, match="2 nodes that nothing uses: a, b"):
        adjoints({"x": ("input",), "a": ("exp", "x"), "b": ("log", "x")}, {"x": 1.0})


def test_a_deep_graph_does_not_recurse():
    graph = {"x": ("input",)} | {f"v{i}": ("neg", f"v{i - 1}" if i else "x") for i in range(5_000)}
    assert evaluate(graph, {"x": 2.0})["v4999"] == 2.0
    assert adjoints(graph, {"x": 2.0})["x"] == 1.0

"""The views in Python: traits, fallbacks, the static twin. The browser's part is tested in tests/browser."""

import html
import re
import subprocess
import sys
import time

import pytest
import traitlets

from autodiff_lab.widgets import CurveFit, GraphExplorer, HelloSlider, OrderStepper

SHARED = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
START = {"x": 2.0, "y": 3.0}
WIDGET = "application/vnd.jupyter.widget-view+json"


def forward(graph, v):
    a = v["x"] + v["y"]
    return {**v, "a": a, "f": a * v["y"]}


def move(view, **inputs):
    """What the page does when a slider moves: a message with the new state arrives."""
    view.set_state({"inputs": {**view.inputs, **inputs}})


def test_moving_a_slider_recomputes_every_value():
    view = GraphExplorer(SHARED, START)
    assert view.values == {"x": 2.0, "y": 3.0, "a": 5.0, "f": 15.0}
    assert view.adjoints is None
    move(view, y=4.0)
    assert view.values == {"x": 2.0, "y": 4.0, "a": 6.0, "f": 24.0}
    assert view.shown["numbers"]["value"] == ["2", "4", "6", "24"]
    assert view.shown["sentence"] == "f is 24"
    assert "f = a × y = 24" in view.shown["alt"]


def test_python_may_set_the_inputs_too_and_leave_some_out():
    view = GraphExplorer(SHARED, START)
    view.inputs = {"x": -1}
    assert view.inputs == {"x": -1.0, "y": 3.0}
    assert view.values["f"] == 6.0


def test_the_reference_adjoints_follow():
    view = GraphExplorer(SHARED, START, backward=True)
    assert view.adjoints == {"x": 3.0, "y": 8.0, "a": 3.0, "f": 1.0}
    move(view, x=0.0)
    assert view.shown["numbers"]["adjoint"] == ["3", "6", "3", "1"]


def test_the_students_own_functions_drive_the_picture():
    calls = []

    def mine(graph, inputs):
        calls.append(inputs)
        return forward(graph, inputs)

    view = GraphExplorer(SHARED, START, forward=mine)
    move(view, x=1.0)
    assert calls == [{"x": 2.0, "y": 3.0}, {"x": 1.0, "y": 3.0}]
    assert view.note == ""


def test_wrong_values_are_shown_and_said_to_be_the_students():
    view = GraphExplorer(SHARED, START, forward=lambda graph, v: {**forward(graph, v), "f": 99.0})
    assert view.values["f"] == 99.0
    assert "The reference engine has another value for: f." in view.note


def untouched(graph, inputs):
    raise NotImplementedError()


def broken(graph, inputs):
    return inputs["no such name"]


@pytest.mark.parametrize(
    ("student", "said"),
    [
        (untouched, "Shown with the reference engine: your untouched() is not written yet."),
        (broken, "your broken() raised KeyError: 'no such name'."),
        (lambda graph, v: None, "your forward() returned nothing (None) instead of a dict"),
        (lambda graph, v: [1, 2], "your forward() returned a list instead of a dict"),
        (lambda graph, v: dict(v), "your forward() returned no number for: a, f."),
        (lambda graph, v: {**forward(graph, v), "a": "five"}, "your forward() returned a str for 'a'"),
        (lambda graph, v: {**forward(graph, v), "a": None}, "your forward() returned no number for: a."),
        (lambda graph, v: sys.exit("bye"), "your forward() raised SystemExit: bye."),
        (lambda graph: {}, "your forward() raised TypeError"),
        ("not a function", "your forward() raised TypeError"),
    ],
)
def test_a_forward_that_cannot_be_used_gives_way_to_the_reference(student, said, capsys):
    view = GraphExplorer(SHARED, START, forward=student)
    assert view.values == {"x": 2.0, "y": 3.0, "a": 5.0, "f": 15.0}
    assert said in view.note
    move(view, x=0.0)
    assert view.values["f"] == 9.0
    assert said in view.shown["message"]
    assert capsys.readouterr().err == "", "a slider shows no traceback"


def test_a_forward_may_start_to_fail_on_the_way():
    def sometimes(graph, v):
        if v["x"] > 2:
            raise OverflowError("too large")
        return forward(graph, v)

    view = GraphExplorer(SHARED, START, forward=sometimes)
    assert view.note == ""
    move(view, x=3.0)
    assert "raised OverflowError: too large" in view.note and view.values["f"] == 18.0
    move(view, x=2.0)
    assert view.note == ""


def test_a_forward_that_changes_what_it_gets_changes_only_copies():
    def greedy(graph, inputs):
        values = forward(graph, inputs)
        graph.clear()
        inputs.clear()
        return values

    view = GraphExplorer(SHARED, START, forward=greedy)
    move(view, x=1.0)
    assert view.values["f"] == 12.0 and len(view.graph) == 4 and view.inputs == {"x": 1.0, "y": 3.0}


def test_numpy_numbers_and_scalars_count_as_numbers():
    np = pytest.importorskip("numpy")
    import autodiff_lab as ad

    view = GraphExplorer(
        SHARED, START, forward=lambda g, v: {**forward(g, v), "a": np.float64(5), "f": ad.Scalar(15.0)}
    )
    assert view.note == "" and type(view.values["f"]) is float


def test_the_students_backward_is_shown_or_replaced():
    mine = GraphExplorer(SHARED, START, backward=lambda g, v: {"f": 1.0, "a": v["y"], "x": v["y"], "y": v["a"]})
    assert mine.adjoints["y"] == 5.0
    assert "The reference engine has another adjoint for: y." in mine.note
    fallback = GraphExplorer(SHARED, START, backward=untouched)
    assert fallback.adjoints["y"] == 8.0
    assert "Adjoints shown with the reference engine: your untouched() is not written yet." in fallback.note
    missing = GraphExplorer(SHARED, START, backward=lambda g, v: {"f": 1.0})
    assert "returned no number for: x, y, a." in missing.note


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        ({"x": ("input",), "f": ("*", "x", "z")}, "node 'f' uses 'z', which is not a node of the graph"),
        ({"x": ("input",), "a": ("+", "x", "b"), "b": ("exp", "a")}, "the graph has a cycle"),
        ({"x": ("input",), "a": ("exp", "x"), "b": ("log", "x")}, "2 nodes that nothing uses"),
        ({}, "no node that nothing uses"),
    ],
)
def test_a_graph_that_cannot_be_computed_is_drawn_and_explained(graph, said):
    view = GraphExplorer(graph, backward=True)
    assert said in view.note
    assert view.svg.startswith("<svg")


def test_a_value_that_does_not_exist_is_blank():
    view = GraphExplorer({"x": ("input",), "f": ("nothing", "x")}, {"x": 1.0})
    assert view.shown["numbers"]["value"] == ["1", ""]
    assert view.shown["sentence"] == "f has no value here"


def test_inputs_that_do_not_exist_are_refused_with_the_names_that_do():
    with pytest.raises(ValueError, match="'z' is not an input of the graph; its inputs are: x, y"):
        GraphExplorer(SHARED, {"z": 1.0})
    view = GraphExplorer(SHARED, START)
    for wrong in ({"z": 1.0}, {"x": "two"}, {"x": float("nan")}, {"x": True}):
        with pytest.raises(traitlets.TraitError, match="input"):
            view.inputs = wrong
    assert view.inputs == START and view.values["f"] == 15.0


def test_wrong_limits_are_refused():
    for limits, error in [({"low": 5, "high": 5}, ValueError), ({"step": 0}, ValueError), ({"low": "a"}, TypeError)]:
        with pytest.raises(error):
            GraphExplorer(SHARED, START, **limits)


def test_a_start_beyond_the_limits_widens_them():
    view = GraphExplorer(SHARED, {"x": 40.0})
    assert [(c["name"], c["low"], c["high"]) for c in view.controls] == [("x", -5, 40.0), ("y", -5, 5)]


def test_the_bundle_holds_the_live_view_and_its_static_twin():
    view = GraphExplorer(SHARED, START, forward=untouched, backward=True)
    move(view, x=0.0)
    data, _ = view._repr_mimebundle_()
    assert data[WIDGET]["model_id"] == view.model_id
    page = data["text/html"]
    assert "f = a × y = 9" in html.unescape(re.search(r'<img alt="([^"]*)"', page).group(1))
    assert "<table>" in page and "is not written yet" in page and "f is 9" in page
    assert data["text/plain"] == view.drawing().text
    assert "<script" not in page


def test_an_exported_page_shows_the_twin():
    """Without stored widget state (as in feedback pages) nbconvert takes the HTML."""
    nbconvert = pytest.importorskip("nbconvert")
    import nbformat.v4 as v4

    data, metadata = GraphExplorer(SHARED, START)._repr_mimebundle_()
    output = v4.new_output("execute_result", data=data, metadata=metadata, execution_count=1)
    page, _ = nbconvert.HTMLExporter().from_notebook_node(
        v4.new_notebook(cells=[v4.new_code_cell("x", outputs=[output])])
    )
    assert "data:image/svg+xml;base64," in page and "The graph as a table" in page


def test_the_plain_fallback_has_the_same_sliders_and_numbers():
    view = GraphExplorer(SHARED, START, backward=True, low=-2, high=8, step=0.5)
    box = view.plain()
    *sliders, body = box.children
    assert [(s.description, s.min, s.max, s.step, s.value) for s in sliders] == [
        ("x", -2, 8, 0.5, 2.0),
        ("y", -2, 8, 0.5, 3.0),
    ]
    sliders[1].value = 4.0
    assert view.values["f"] == 24.0
    assert "f is 24" in body.value and "data:image/svg+xml" in body.value
    view.inputs = {"x": 0.0}
    assert sliders[0].value == 0.0


def test_without_anywidget_the_fallback_is_shown_by_itself():
    program = """
import sys
import time
sys.modules["anywidget"] = None
from autodiff_lab.widgets import CurveFit, GraphExplorer, HelloSlider
view = GraphExplorer({"x": ("input",), "f": ("*", "x", "x")}, {"x": 3.0})
data, _ = view._repr_mimebundle_()
assert "application/vnd.jupyter.widget-view+json" in data, data
assert "f is 9" in data["text/html"]
view.inputs = {"x": 4.0}
assert view.values["f"] == 16.0
assert HelloSlider(abs, -2.0)._repr_mimebundle_()
print("fine")
"""
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "fine", done.stderr


def test_without_any_widget_package_the_twin_is_left():
    program = """
import sys
import time
sys.modules["anywidget"] = sys.modules["ipywidgets"] = None
from autodiff_lab.widgets import HelloSlider
data, _ = HelloSlider(abs, -2.0)._repr_mimebundle_()
assert sorted(data) == ["text/html", "text/plain"], data
print("fine")
"""
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "fine", done.stderr


def test_names_from_the_graph_are_escaped_in_the_view():
    view = GraphExplorer({"<b>": ("input",), "f": ("exp", "<b>")})
    assert "<b>" not in view.svg + view.table + view._repr_mimebundle_()[0]["text/html"]


def test_a_very_large_graph_is_folded_and_still_follows():
    graph = {"x": ("input",)} | {f"v{i}": ("neg", f"v{i - 1}" if i else "x") for i in range(1_000)}
    view = GraphExplorer(graph, {"x": 2.0})
    move(view, x=3.0)
    assert view.shown["sentence"] == "v999 is 3"
    assert len(view.shown["numbers"]["value"]) == 41


def test_hello_slider_shows_one_function_value():
    def square(x):
        return x * x

    view = HelloSlider(square)
    assert view.shown["sentence"] == "square(2) is 4"
    move(view, x=-3.0)
    assert view.shown["sentence"] == "square(−3) is 9"
    assert view.shown["numbers"]["value"] == ["−3", "9"]


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (lambda x: None, "Your f() returned nothing (None); it must return a number."),
        (lambda x: "nine", "Your f() returned 'nine'; it must return a number."),
        (lambda x: 1 / 0, "Your f() raised ZeroDivisionError: division by zero."),
        (lambda: 1, "Your f() raised TypeError"),
    ],
)
def test_hello_slider_says_what_is_wrong_with_the_function(f, said):
    view = HelloSlider(f)
    assert said in view.shown["message"]
    assert view.shown["numbers"]["value"] == ["2", ""]
    assert view.shown["sentence"] == "f(2) has no value yet"


def test_hello_slider_needs_a_function():
    with pytest.raises(TypeError, match="needs a function of one number, not float"):
        HelloSlider(2.0)


def test_importing_the_package_or_draw_does_not_import_widgets():
    program = (
        "import sys, autodiff_lab; from autodiff_lab import draw; print({'anywidget', 'traitlets'} & set(sys.modules))"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


POINTS = [(-1.0, -0.04), (-0.6, -0.92), (-0.2, -0.5), (0.2, 0.49), (0.6, 0.93), (1.0, 0.08)]


def cubic(x, a, b, c, d):
    return a + b * x + c * x**2 + d * x**3


def by_hand(rate: float, steps: int) -> tuple[list[float], float]:
    """Gradient descent on the cubic with plain numbers: what it finds, and the error that is left."""
    numbers = [0.0] * 4

    def distances():
        return [(x, sum(n * x**power for power, n in enumerate(numbers)) - y) for x, y in POINTS]

    for _ in range(steps):
        slopes = [sum(2 * off * x**power for x, off in distances()) / len(POINTS) for power in range(4)]
        numbers = [n - rate * slope for n, slope in zip(numbers, slopes, strict=True)]
    return numbers, sum(off**2 for _, off in distances()) / len(POINTS)


def test_a_curve_is_fitted_again_at_every_move_as_gradient_descent_by_hand_does():
    view = CurveFit(cubic, POINTS, rate=0.1, steps=40)
    for rate in (0.1, 0.02, 0.5):
        move(view, **{"learning rate": rate})
        numbers, error = by_hand(rate, 40)
        assert list(view.numbers.values()) == pytest.approx(numbers, abs=1e-12) and list(view.numbers) == list("abcd")
        assert len(view.errors) == 41 and view.errors[-1] == pytest.approx(error, abs=1e-12)
        assert view.shown["sentence"].startswith(f"The error is {error:.4g} after 40 steps")
        heights = [sum(n * x**power for power, n in enumerate(numbers)) for x, _ in POINTS]
        assert view.shown["numbers"]["value"] == [f"{height:.4g}".replace("-", "−") for height in heights]
        assert f"at the learning rate {rate:g}" in view.svg and view.svg.count("adl-point") == len(POINTS) + 1


def test_a_larger_learning_rate_gets_further_until_it_bursts(capsys):
    view = CurveFit(cubic, POINTS)
    last = []
    for rate in (0.0, 0.01, 0.1, 0.5):
        move(view, **{"learning rate": rate})
        last.append(view.errors[-1])
        assert view.shown["message"] == "" and 'class="adl-curve"' in view.svg
    assert last == sorted(last, reverse=True) and last[0] == view.errors[0] and last[-1] < 0.05 * last[0]
    view.inputs = {"learning rate": 1.0}
    assert "grows without end" in view.shown["message"] and set(view.shown["numbers"]["value"]) == {""}
    assert view.svg.count('class="adl-curve"') == 1, "the legend alone: no curve is drawn"
    assert CurveFit(lambda x, a: a * x**200, [(0.0, 0.0), (9.0, 1.0)], rate=1.0).shown["message"]
    assert capsys.readouterr().err == ""


def test_a_move_of_the_fitted_curve_takes_well_under_a_second():
    view = CurveFit(cubic, POINTS)
    start = time.perf_counter()
    for rate in (0.2, 0.3, 0.4):
        move(view, **{"learning rate": rate})
    assert (time.perf_counter() - start) / 3 < 0.5


@pytest.mark.parametrize(
    ("curve", "said"),
    [
        (lambda x, a: None, "Your <lambda>() raised TypeError"),
        (lambda x, a: 1 / 0, "raised ZeroDivisionError: division by zero."),
        (untouched, "is not written yet."),
        (lambda x, a: sys.exit("bye"), "raised SystemExit: bye."),
    ],
)
def test_a_curve_that_cannot_be_computed_is_not_drawn_and_the_view_says_why(curve, said, capsys):
    view = CurveFit(curve, POINTS)
    assert said in view.shown["message"] and view.svg.count('class="adl-curve"') == 1
    assert "no curve" in view.shown["sentence"] and view.drawing().alt
    assert capsys.readouterr().err == ""


def test_a_flat_curve_a_number_that_is_not_used_and_tanh_can_be_fitted():
    import autodiff_lab as ad

    view = CurveFit(lambda x, a, unused: a, [(0.0, 1.0), (1.0, 3.0)], rate=0.5)
    assert view.numbers == {"a": pytest.approx(2.0), "unused": 0.0}
    assert CurveFit(lambda x, a: a * ad.tanh(x), POINTS, rate=0.5).numbers["a"] > 0.3


def test_the_twin_of_a_plot_has_its_sentence_and_its_table():
    view = CurveFit(cubic, POINTS)
    data, _ = view._repr_mimebundle_()
    page = data["text/html"]
    assert "The plot as a table" in page and "learning rate 0.1" in page and "<script" not in page
    assert "   x  point    curve\n  −1  −0.04  −0.2553" in data["text/plain"]
    assert view.get_state(["what"]) == {"what": "Plot"} and HelloSlider(abs).get_state(["what"]) == {"what": "Graph"}


def test_a_fitted_curve_needs_a_function_and_two_points():
    with pytest.raises(TypeError, match="needs a function curve"):
        CurveFit(3.0, POINTS)
    with pytest.raises(ValueError, match="two points"):
        CurveFit(cubic, POINTS[:1])


def states(view):
    return dict(zip([box.name for box in view.drawing().picture.boxes], view.shown["numbers"]["value"], strict=True))


def test_a_step_does_one_ready_node_and_opens_others():
    view = OrderStepper({"f": ("*", "a", "y"), "y": ("input",), "a": ("+", "x", "y"), "x": ("input",)})
    assert view.order == ["y", "x", "a", "f"]
    assert states(view) == {"f": "open", "y": "ready", "a": "open", "x": "ready"}
    move(view, **{"nodes done": 2.0})
    assert states(view) == {"f": "open", "y": "done", "a": "ready", "x": "done"}
    assert view.shown["sentence"] == "Done: y, x; ready: a; open: f" and view.shown["message"] == ""
    move(view, **{"nodes done": 4.0})
    assert set(states(view).values()) == {"done"} and view.shown["message"] == ""


@pytest.mark.parametrize(
    ("graph", "done", "left"),
    [
        ({"u": ("neg", "u")}, [], "Open: u"),
        ({"x": ("input",), "b": ("+", "x", "c"), "c": ("sin", "b"), "d": ("+", "b", "c")}, ["x"], "open: b, c, d"),
        ({"a": ("neg", "b"), "b": ("neg", "a"), "one": ("const", 1.0)}, ["one"], "open: a, b"),
    ],
)
def test_the_steps_end_before_a_cycle_and_the_view_says_so(graph, done, left):
    view = OrderStepper(graph)
    assert view.order == done
    for steps in range(len(done), len(graph) + 1):
        move(view, **{"nodes done": float(steps)})
        assert "there is a cycle" in view.shown["message"] and view.shown["sentence"].endswith(left)


@pytest.mark.parametrize(
    ("graph", "error", "said"),
    [
        ([("x", "input")], TypeError, "a dict, not list"),
        ({}, ValueError, "at least one node"),
        ({"f": ("neg", "x")}, ValueError, "'f' uses 'x', which is not a node"),
        ({"f": "input"}, ValueError, "write a tuple"),
    ],
)
def test_a_stepper_refuses_what_is_not_a_graph(graph, error, said):
    with pytest.raises(error, match=re.escape(said)):
        OrderStepper(graph)

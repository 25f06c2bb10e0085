"""The interactive views in a real JupyterLab: moved by keyboard, read by a screen reader, light and dark."""

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

HELLO = """from autodiff_lab.widgets import HelloSlider

def square(x):
    return x * x

HelloSlider(square)"""

FIT = """from autodiff_lab.widgets import CurveFit

def curve(x, a, b):
    return a + b * x

CurveFit(curve, [(0.0, 1.0), (0.5, 2.5), (1.0, 3.0)], rate=0.1)"""

EXPLORER = """from autodiff_lab.widgets import GraphExplorer

graph = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
GraphExplorer(graph, inputs={"x": 2.0, "y": 3.0}, backward=True)"""


def keep(page, name):
    """Leave a picture for people to look at, in the folder that AUTODIFF_LAB_SCREENSHOTS names."""
    folder = os.environ.get("AUTODIFF_LAB_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(Path(folder) / name)


def wait_text(locator, text):
    locator.filter(has_text=text).wait_for(timeout=30_000, state="attached")


def test_an_arrow_key_moves_the_slider_of_unit_00(lab, notebook):
    lab.write("hello.ipynb", [HELLO])
    page = notebook("hello.ipynb")
    page.run_all()
    view = page.output(0).locator(".adl-view")
    slider = view.get_by_label("x", exact=True)
    slider.wait_for()
    wait_text(view.locator(".adl-result"), "square(2) is 4")
    slider.focus()
    slider.press("ArrowRight")
    wait_text(view.locator(".adl-result"), "square(2.1) is 4.41")
    wait_text(view.locator("svg [data-role=value]").nth(1), "4.41")
    keep(page, "hello-light.png")
    page.theme("dark")
    keep(page, "hello-dark.png")
    assert page.errors == []


def test_the_curve_of_unit_00_bends_when_the_learning_rate_is_moved(lab, notebook):
    lab.write("fit.ipynb", [FIT])
    page = notebook("fit.ipynb")
    page.run_all()
    view = page.output(0).locator(".adl-view")
    slider = view.get_by_label("learning rate", exact=True)
    slider.wait_for()
    wait_text(view.locator(".adl-result"), "The error is 0.05646 after 100 steps")
    curve = view.locator("svg path.adl-curve").first
    before = curve.get_attribute("d")
    slider.focus()
    slider.press("PageUp")
    wait_text(view.locator(".adl-result"), "The error is 0.05556 after 100 steps")
    assert curve.get_attribute("d") != before
    assert page.page.evaluate("document.activeElement.type") == "range", "the keys stayed with the slider"
    keep(page, "fit-light.png")
    slider.press("End")
    wait_text(view.locator(".adl-note"), "grows without end")
    page.theme("dark")
    keep(page, "fit-dark.png")
    assert view.get_by_text("The plot as a table").count() == 1
    assert page.errors == []


def test_the_explorer_follows_every_key_and_says_the_result(lab, notebook):
    lab.write("explorer.ipynb", [EXPLORER, "print('another cell')"])
    page = notebook("explorer.ipynb")
    page.run_all()
    view = page.output(0).locator(".adl-view")
    slider = view.get_by_label("y", exact=True)
    slider.wait_for()
    svg = view.locator("svg")
    numbers = svg.locator("[data-role=value]")
    adjoints = svg.locator("[data-role=adjoint]")
    assert numbers.all_text_contents() == ["2", "3", "5", "15"]
    assert adjoints.all_text_contents() == ["3", "8", "3", "1"]
    keep(page, "explorer-light.png")

    slider.focus()
    slider.press("ArrowRight")
    wait_text(view.locator(".adl-result"), "f is 15.81")
    assert numbers.all_text_contents() == ["2", "3.1", "5.1", "15.81"]
    assert adjoints.all_text_contents() == ["3.1", "8.2", "3.1", "1"]
    assert view.locator("td[data-role=value]").all_text_contents() == ["2", "3.1", "5.1", "15.81"]
    for key, text in [("Home", "f is 15"), ("End", "f is 35"), ("PageDown", "f is 24"), ("ArrowLeft", "f is 23.01")]:
        slider.press(key)
        wait_text(view.locator(".adl-result"), text)
    assert page.page.evaluate("document.activeElement.type") == "range", "the keys stayed with the slider"
    wait_text(view.locator("[aria-live=polite]"), "f is 23.01")
    assert "f = a × y = 23.01" in svg.get_attribute("aria-label")

    box = view.get_by_label("x, as a number")
    box.fill("-1.5")
    box.press("Enter")
    wait_text(view.locator(".adl-result"), "f is 9.36")
    box.fill("99")  # beyond the slider: it stops at its end
    box.press("Enter")
    wait_text(view.locator(".adl-result"), "f is 34.71")
    assert box.input_value() == "5"
    view.get_by_role("button", name="Start values").click()
    wait_text(view.locator(".adl-result"), "f is 15")
    assert numbers.all_text_contents() == ["2", "3", "5", "15"]

    view.locator("summary").click()
    slider.focus()
    page.theme("dark")
    keep(page, "explorer-dark.png")
    page.theme("light")
    keep(page, "explorer-table-light.png")
    assert page.errors == []


def test_fast_dragging_ends_at_the_last_value_and_does_not_queue(lab, notebook):
    slow = EXPLORER.replace("backward=True", "forward=slow").replace(
        "GraphExplorer(graph",
        "calls = []\n\ndef slow(graph, v):\n    import time\n    time.sleep(0.1)\n    calls.append(v['x'])\n"
        "    a = v['x'] + v['y']\n    return {**v, 'a': a, 'f': a * v['y']}\n\nGraphExplorer(graph",
    )
    lab.write("drag.ipynb", [slow, "print(len(calls))"])
    page = notebook("drag.ipynb")
    page.run(0)
    view = page.output(0).locator(".adl-view")
    slider = view.get_by_label("x", exact=True)
    slider.wait_for()
    slider.evaluate(
        """async (range) => {
          for (let step = 0; step <= 60; step++) {
            range.value = -5 + step / 10;
            range.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => setTimeout(done, 8));
          }
        }"""
    )
    wait_text(view.locator(".adl-result"), "f is 12")
    assert slider.input_value() == "1"
    page.run(1)
    calls = int(page.output(1).inner_text())
    assert 2 <= calls < 40, f"61 positions of the slider made {calls} calls"


def test_every_control_has_a_name_and_keeps_its_keys(lab, notebook):
    lab.write("controls.ipynb", [EXPLORER])
    page = notebook("controls.ipynb")
    page.run_all()
    view = page.output(0).locator(".adl-view")
    view.get_by_label("x", exact=True).wait_for()
    focusable = view.locator("input, button, summary, [tabindex]")
    assert focusable.count() == 7
    for place in range(focusable.count()):
        control = focusable.nth(place)
        assert control.get_attribute("data-lm-suppress-shortcuts") == "true", control.evaluate("e => e.outerHTML")
    for role, name in [("slider", "x"), ("slider", "y"), ("spinbutton", "x, as a number"), ("button", "Start values")]:
        assert view.get_by_role(role, name=name, exact=True).count() == 1
    assert view.get_by_role("img").count() == 1


def test_the_plain_fallback_moves_too(lab, notebook):
    lab.write("plain.ipynb", [EXPLORER + ".plain()"])
    page = notebook("plain.ipynb")
    page.run_all()
    output = page.output(0)
    handle = output.locator(".noUi-handle").first
    handle.wait_for()
    handle.focus()
    handle.press("ArrowRight")
    wait_text(output, "f is 15.3")
    assert "f = a × y = 15.3" in output.locator("img").get_attribute("alt")
    keep(page, "plain-light.png")

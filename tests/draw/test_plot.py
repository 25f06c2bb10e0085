"""Plots: what is drawn lies within the axes, and the numbers are in the table too."""

import re

import pytest

from autodiff_lab.draw.plot import BOTTOM, HEIGHT, TOP, WIDTH, Plot


def plot(points, curve, before=()):
    fitted = tuple(y for _, y in curve[: len(points)]) or (None,) * len(points)
    return Plot(tuple(points), tuple(curve), tuple(before), fitted, ("a", "b", "c"), 'a "plot" & more')


def heights(svg: str) -> list[list[float]]:
    """The y coordinates of each drawn run of the curve, without that of the legend."""
    runs = re.findall(r'class="adl-curve" d="M([^"h]*)"', svg)
    return [[float(pair.split()[1]) for pair in run.split("L")] for run in runs]


def test_a_curve_that_leaves_the_axes_is_cut_where_it_leaves_and_goes_on_where_it_comes_back():
    svg = plot([(0.0, 0.0), (4.0, 1.0)], [(0.0, 0.5), (1.0, 9.0), (2.0, 0.5), (3.0, -9.0), (4.0, 0.5)]).svg()
    runs = heights(svg)
    assert len(runs) == 3 and [len(run) for run in runs] == [2, 3, 2]
    assert all(TOP - 0.1 <= y <= HEIGHT - BOTTOM + 0.1 for run in runs for y in run)
    assert runs[0][-1] == runs[1][0] == TOP and runs[1][-1] == runs[2][0] == HEIGHT - BOTTOM


@pytest.mark.parametrize("curve", [[(0.0, float("nan")), (1.0, 1.0)], [(0.0, 7e9), (1.0, 8e9)], []])
def test_what_is_not_a_number_or_out_of_sight_is_not_drawn(curve):
    assert heights(plot([(0.0, 0.0), (1.0, 1.0)], curve).svg()) == []


@pytest.mark.parametrize("scale", [1e-6, 1.0, 3.7, 1e9])
def test_axes_have_a_few_round_numbers_at_every_scale(scale):
    svg = plot([(0.0, 0.0), (scale, -scale), (2 * scale, scale)], []).svg()
    assert 6 <= svg.count("adl-grid") - svg.count(".adl-grid") <= 14
    across = [float(x) for x in re.findall(r'<circle class="adl-point" cx="([\d.]+)"', svg)]
    assert all(0 < x < WIDTH for x in across)


def test_points_at_one_height_and_words_with_marks_are_drawn():
    svg = plot([(0.0, 2.0), (1.0, 2.0)], [(0.0, 2.0), (1.0, 2.0)]).svg(live=True)
    assert "&quot;plot&quot; &amp; more" in svg and "<style>" not in svg and len(heights(svg)) == 1


def test_the_drawing_has_a_table_in_text_and_in_html():
    drawing = plot([(0.0, 2.0), (1.0, -3.5)], [(0.0, 2.0), (1.0, -3.0)]).drawing()
    assert drawing.text.splitlines()[2:] == ["x  point  curve", "0      2      2", "1   −3.5     −3"]
    assert '<tr><th scope="row">1</th><td>−3.5</td><td data-node="1" data-role="value">−3</td></tr>' in drawing.table()
    assert "The plot as a table" in drawing._repr_html_() and drawing.alt in drawing.text

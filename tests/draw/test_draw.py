"""`draw(...)`: what the picture says, in SVG, in words, and in HTML."""

import base64
import html
import json
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from autodiff_lab import draw
from autodiff_lab.draw import Drawing
from autodiff_lab.draw.numbers import show
from autodiff_lab.draw.picture import KEEP, LIMIT

SHARED = {"x": ("input",), "y": ("input",), "a": ("+", "x", "y"), "f": ("*", "a", "y")}
VALUES = {"x": 2.0, "y": 3.0, "a": 5.0, "f": 15.0}
ADJOINTS = {"x": 3.0, "y": 8.0, "a": 3.0, "f": 1.0}
SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing: Drawing, of: str = "") -> list[str]:
    """All words in the picture; with `of`, only those of one class."""
    found = ET.fromstring(drawing.svg).iter(f"{SVG}text")
    return [element.text or "" for element in found if of in element.get("class", "")]


def edges(drawing: Drawing) -> int:
    return sum("adl-edge" in path.get("class", "") for path in ET.fromstring(drawing.svg).iter(f"{SVG}path"))


def test_every_node_its_value_and_its_adjoint_are_in_the_picture_and_in_the_text():
    drawing = draw(SHARED, VALUES, ADJOINTS)
    assert texts(drawing, "adl-name") == ["x", "y", "a", "f"]
    assert texts(drawing, "adl-number") == ["2", "3", "3", "8", "5", "3", "15", "1"]
    lines = drawing.text.splitlines()
    assert " ".join(lines[2].split()) == "node what it is computed as value adjoint used by"
    assert [line.split() for line in lines[3:]] == [
        ["x", "input", "2", "3", "a"],
        ["y", "input", "3", "8", "a,", "f"],
        ["a", "operation", "+", "x", "+", "y", "5", "3", "f"],
        ["f", "operation", "×,", "root", "a", "×", "y", "15", "1"],
    ]


def test_the_sentence_says_the_whole_small_graph():
    assert draw(SHARED, VALUES).alt == (
        "Computational graph: input x = 2; input y = 3; a = x + y = 5; f = a × y = 15, the root."
    )


def test_values_not_yet_computed_are_blank_not_zero():
    drawing = draw(SHARED, {"x": 2.0, "y": 3.0, "a": None})
    assert texts(drawing, "adl-number") == ["2", "3", "", ""]
    assert "0" not in drawing.text and "None" not in drawing.text


def test_adjoints_not_yet_computed_are_blank():
    drawing = draw(SHARED, VALUES, {})
    assert texts(drawing, "adl-label").count("adjoint") == 4
    assert texts(drawing, "adl-on-strip").count("") == 4


def test_without_values_only_the_structure_is_drawn():
    drawing = draw(SHARED)
    assert texts(drawing, "adl-number") == []
    assert "value" not in drawing.text


def test_reference_adjoints_are_computed_when_asked_for():
    assert draw(SHARED, VALUES, True).text == draw(SHARED, VALUES, ADJOINTS).text


def test_the_same_operand_twice_is_two_edges():
    drawing = draw({"x": ("input",), "f": ("*", "x", "x")}, {"x": 3.0, "f": 9.0})
    assert edges(drawing) == 2
    assert "f twice" in drawing.text


def test_a_shared_node_has_a_dot_and_the_root_a_tab():
    assert draw(SHARED, VALUES).svg.count('class="adl-fan-out"') == 1, "only y is used twice"
    assert texts(draw(SHARED), "adl-tab-text") == ["root"]


def test_kinds_differ_in_shape_or_words_not_only_in_colour():
    drawing = draw({"x": ("input",), "c": ("const", 3.0), "f": ("*", "x", "c")}, {"x": 1.0})
    assert texts(drawing, "adl-aside") == ["input", "const"]
    outlines = {
        group.get("class").split()[1]: group.find(f"{SVG}path[@class='adl-line']").get("d")
        for group in ET.fromstring(drawing.svg).iter(f"{SVG}g")
    }
    curves = {kind: re.findall(r"q[-\d. ]+", outline) for kind, outline in outlines.items()}
    assert len({tuple(found) for found in curves.values()}) == 3
    assert ".adl-constant .adl-line { stroke-dasharray" in drawing.svg


def test_names_and_operations_are_escaped_everywhere():
    nasty = '</text><script>alert("1 & 2")</script>'
    drawing = draw({nasty: ("input",), "f": (nasty, nasty)}, {nasty: 1.0}, {})
    ET.fromstring(drawing.svg)
    assert "<script" not in drawing.svg
    page = drawing._repr_html_()
    assert "<script" not in page
    assert html.escape(nasty) in page
    alt = re.search(r'<img alt="([^"]*)"', page).group(1)
    assert html.unescape(alt) == drawing.alt


def test_the_html_holds_the_picture_and_a_real_table():
    drawing = draw(SHARED, VALUES)
    page = drawing._repr_html_()
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page).group(1)
    assert base64.b64decode(data).decode() == drawing.svg
    assert page.count("<tr>") == 5
    assert '<th scope="row">a</th>' in page and "<summary>" in page
    bundle = drawing._repr_mimebundle_()
    assert bundle == {"text/plain": drawing.text, "text/html": page}
    assert repr(drawing) == drawing.text


def test_the_bytes_are_the_same_in_another_process():
    program = (
        "import json; from autodiff_lab import draw;"
        f"print(draw(*json.loads({json.dumps(json.dumps([SHARED, VALUES, ADJOINTS]))})).svg)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] == draw(SHARED, VALUES, ADJOINTS).svg


def test_every_word_stands_on_a_fill_of_its_own():
    drawing = draw(SHARED, VALUES, ADJOINTS)
    for group in ET.fromstring(drawing.svg).iter(f"{SVG}g"):
        kinds = [child.get("class", "") for child in group]
        assert kinds.index("adl-fill") < min(i for i, kind in enumerate(kinds) if "adl-name" in kind)


def contrast(a: str, b: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_have_contrast_on_white_and_on_near_black():
    style = re.search(r"<style>(.*)</style>", draw(SHARED).svg).group(1)
    colour = dict(re.findall(r"var\((--adl-[\w-]+), (#[0-9a-f]{6})\)", style))
    for text, fill in [("text", "box"), ("text", "head"), ("text", "input-head"), ("quiet", "box"), ("quiet", "head")]:
        assert contrast(colour[f"--adl-{text}"], colour[f"--adl-{fill}"]) >= 7, (text, fill)
    assert contrast(colour["--adl-strip-text"], colour["--adl-strip"]) >= 7
    assert contrast(colour["--adl-root-text"], colour["--adl-root"]) >= 4.5
    for line in ("edge", "backward", "root"):
        for page in ("#ffffff", "#111111"):
            assert contrast(colour[f"--adl-{line}"], page) >= 3, (line, page)


def test_a_large_graph_is_folded_and_says_so():
    chain = {"x": ("input",)} | {f"v{i}": ("tanh", f"v{i - 1}" if i else "x") for i in range(5_000)}
    drawing = draw(chain, {"x": 1.0})
    assert len(drawing.picture.boxes) == KEEP + 1
    assert drawing.picture.folded == 5_001 - KEEP
    assert f"5001 nodes with root v4999; the {KEEP} nearest to the root are drawn" in drawing.alt
    assert "not drawn" in drawing.text and len(drawing.svg) < 60_000


def test_a_graph_at_the_limit_is_not_folded():
    chain = {"x": ("input",)} | {f"v{i}": ("tanh", f"v{i - 1}" if i else "x") for i in range(LIMIT - 1)}
    drawing = draw(chain)
    assert drawing.picture.folded == 0 and len(drawing.picture.boxes) == LIMIT


def test_a_folded_graph_has_no_cycle():
    # x is used by the first and by the last step: the fold must not both use x and be used by it.
    graph = {"x": ("input",)} | {f"v{i}": ("*", f"v{i - 1}" if i else "x", "x") for i in range(400)}
    drawing = draw(graph)
    assert all(operand < user for operand, user in drawing.picture.edges)
    assert "adl-backward" not in re.sub(r"<style>.*</style>", "", drawing.svg)


def test_a_cycle_is_drawn_as_a_cycle():
    drawing = draw({"a": ("exp", "b"), "b": ("log", "a")})
    assert 'class="adl-edge adl-backward"' in drawing.svg


def test_a_name_that_is_not_in_the_graph_is_drawn_as_missing():
    drawing = draw({"f": ("*", "x", "x")}, {})
    assert "x" in texts(drawing, "adl-name") and "missing" in texts(drawing, "adl-aside")
    assert "not in the graph" in drawing.text


def test_nodes_may_be_listed_in_any_order():
    backwards = dict(reversed(SHARED.items()))
    assert set(draw(backwards, VALUES).text.splitlines()[3:]) == set(draw(SHARED, VALUES).text.splitlines()[3:])


@pytest.mark.parametrize("wrong", [3, "x", None, [("input",)], ...])
def test_what_cannot_be_drawn_is_refused_with_advice(wrong):
    with pytest.raises(TypeError, match="Give a Scalar"):
        draw(wrong)


@pytest.mark.parametrize("entry", ["input", (), None, 3.0])
def test_an_entry_that_is_no_tuple_is_named(entry):
    with pytest.raises(ValueError, match=r"'x' of the graph is .*write a tuple"):
        draw({"x": entry})


def test_an_empty_graph_is_an_empty_picture():
    drawing = draw({})
    assert drawing.alt == "An empty computational graph."
    ET.fromstring(drawing.svg)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (2, "2"),
        (-3.0, "−3"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.3333"),
        (123456, "123456"),
        (1234567.0, "1.235e+06"),
        (-1e-9, "−1e−09"),
        (math.nan, "nan"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (10**400, "int"),
        (True, "True"),
        ("a string that goes on and on", "a string that g…"),
        ([1, 2], "list"),
    ],
)
def test_numbers_are_written_short(value, shown):
    assert show(value) == shown


def test_drawing_needs_no_numpy_torch_or_jupyter():
    program = (
        "import sys; from autodiff_lab import draw;"
        "draw({'x': ('input',), 'f': ('*', 'x', 'x')}, {'x': 2.0})._repr_html_();"
        "print(*sorted({'numpy', 'torch', 'IPython', 'ipywidgets', 'anywidget', 'traitlets'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


def test_the_second_numbers_are_called_slopes_where_no_adjoint_is_known_yet():
    one, other = draw(SHARED, VALUES, ADJOINTS), draw(SHARED, VALUES, slopes=ADJOINTS)
    assert other.text.split() == one.text.replace("adjoint", "slope").split()
    assert other.svg == one.svg.replace("adjoint<", "slope<").replace("(adjoint ", "(slope ")
    assert other.table() == one.table().replace("adjoint</th>", "slope</th>")

"""`draw(node)`: the graph behind a Scalar."""

import time

import pytest

import autodiff_lab as ad
from autodiff_lab import draw


def shared():
    x, y = ad.Scalar(2.0), ad.Scalar(3.0)
    a = x + y
    return x, y, a, a * y


def rows(drawing):
    """Name of each node -> the words of its row."""
    return {line.split()[0]: " ".join(line.split()[1:]) for line in drawing.text.splitlines()[3:]}


def test_values_and_adjoints_come_from_the_engine():
    x, y, a, f = shared()
    assert rows(draw(f, adjoints=True, x=x, y=y, a=a, f=f)) == {
        "x": "input 2 3 a",
        "y": "input 3 8 a, f",
        "a": "operation + x + y 5 3 f",
        "f": "operation ×, root a × y 15 1",
    }


def test_drawing_leaves_the_graph_and_every_grad_alone():
    x, y, a, f = shared()
    draw(f, adjoints=True, x=x)
    assert x.grad is None and a.grad is None
    f.backward()
    assert float(x.grad) == 3.0 and float(y.grad) == 8.0


def test_nodes_without_a_name_are_numbered_in_order():
    x, _, _, f = shared()
    assert list(rows(draw(f, x=x))) == ["x", "v1", "v2", "v3"]
    assert list(rows(draw(f, v1=x))) == ["v1", "v2", "v3", "v4"], "a name that is taken is not given again"


def test_a_number_in_the_formula_is_a_constant_with_its_value():
    x = ad.Scalar(3.0)
    drawing = draw((x - 1) ** 2, x=x, adjoints=True)
    found = rows(drawing)
    assert found["1"] == "constant 1 v1"
    assert found["2"] == "constant 2 v2"
    assert found["v2"] == "operation ^, root v1 ^ 2 4 1"


def test_the_same_node_twice_is_two_edges():
    x = ad.Scalar(3.0)
    drawing = draw(x * x, x=x, adjoints=True)
    assert rows(drawing)["x"] == "input 3 6 v1 twice"
    assert drawing.svg.count('class="adl-edge"') == 2


def test_a_leaf_without_gradient_is_an_input_if_named_and_its_adjoint_is_blank():
    x, t = ad.Scalar(3.0), ad.Scalar(10.0, requires_grad=False)
    assert rows(draw(x - t, x=x, t=t, adjoints=True))["t"] == "input 10 v1"
    assert rows(draw(x - t, x=x, adjoints=True))["10"] == "constant 10 v1"


def test_a_named_leaf_that_is_not_used_is_drawn_without_an_edge():
    x, unused = ad.Scalar(3.0), ad.Scalar(7.0)
    drawing = draw(x.exp(), x=x, unused=unused, adjoints=True)
    assert rows(drawing)["unused"] == "input 7"
    assert drawing.svg.count('class="adl-edge"') == 1


def test_a_named_result_that_does_not_lead_to_the_root_is_refused():
    x = ad.Scalar(3.0)
    with pytest.raises(ValueError, match="`other` does not lead to this root"):
        draw(x.exp(), other=x * 2)


def test_a_freed_graph_says_that_it_was_freed():
    x, y, _, f = shared()
    f.backward()
    assert "links that backward() has freed" in draw(f, x=x, y=y).text


def test_names_may_be_the_words_that_draw_itself_uses():
    x, y, _, f = shared()
    assert set(rows(draw(f, values=x, node=y))) == {"values", "node", "v1", "v2"}


def test_a_leaf_alone_is_a_picture():
    drawing = draw(ad.Scalar(2.0), adjoints=True)
    assert rows(drawing) == {"v1": "input, root 2 1"}


def test_every_row_of_the_table_is_drawn_with_its_sign():
    from autodiff_lab.engine.ops import TABLE

    for op in [op for op in TABLE.values() if op.on_numbers]:
        operands = [ad.Scalar(1.5), ad.Scalar(2.5)][: op.arity]
        node = getattr(ad.Scalar, op.dunder or op.name)(*operands)
        assert f"operation {op.symbol}, root" in draw(node).text


def test_a_chain_of_20_000_nodes_is_folded_without_recursion():
    f = x = ad.Scalar(0.5)
    for _ in range(20_000):
        f = f * 1.0001
    began = time.process_time()
    drawing = draw(f, x=x, adjoints=True)
    assert time.process_time() - began < 5
    assert "40001 nodes" in drawing.alt and drawing.picture.folded > 39_000
    assert len(drawing.svg) < 100_000


def test_a_wide_sum_is_folded_too():
    f = ad.Scalar(0.0)
    for _ in range(300):
        f = f + ad.Scalar(1.0)
    drawing = draw(f)
    assert drawing.picture.folded and len(drawing.picture.boxes) == 41


def test_a_program_is_drawn_without_values() -> None:
    program = ad.trace(lambda x, w: ((x @ w).tanh() * 2.0 + w).sum(), ad.tensor([[1.0]]), ad.tensor([[2.0]]))
    picture = draw(program)
    assert picture.text.splitlines()[0] == (
        "Computational graph: input x; input w; t0 = x @ w; t1 = tanh(t0); t2 = t1 × 2; t3 = t2 + w; "
        "t4 = Σ(t3), the root."
    )
    assert "<svg" in picture.svg

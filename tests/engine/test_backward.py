"""The backward sweep: worked numbers, fan-out, freeing, hooks, depth, and what it says when it cannot be done."""

from __future__ import annotations

import gc
import random
import sys
import weakref
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autodiff_lab as ad
from autodiff_lab.engine import backward, ops, rules
from autodiff_lab.engine.backward import adjoints, topological_order


def random_graph(seed: int, size: int = 60) -> tuple[list[ad.Scalar], ad.Scalar]:
    """Leaves and root of a graph with much fan-out, in which every node is used."""
    rng = random.Random(seed)
    leaves = [ad.Scalar(rng.uniform(0.5, 2.0)) for _ in range(4)]
    nodes: list[Any] = list(leaves)
    steps = [lambda a, b: a + b, lambda a, b: a * b * 0.1, lambda a, b: (a - b).tanh(), lambda a, b: a / (2 + b * b)]
    for _ in range(size):
        nodes.append(rng.choice(steps)(rng.choice(nodes), rng.choice(nodes[-6:])))
    return leaves, sum(nodes[1:], nodes[0])


# Worked numbers


def test_sum_times_factor_has_the_worked_gradient() -> None:
    x, y = ad.Scalar(2.0), ad.Scalar(3.0)
    a = x + y
    f = a * y
    f.backward()
    assert (a.data, f.data, x.grad, y.grad) == (5.0, 15.0, 3.0, 8.0)


def test_squared_error_has_the_worked_adjoints() -> None:
    x, w, b = ad.Scalar(2.0), ad.Scalar(3.0), ad.Scalar(1.0)
    z = x * w + b
    loss = (z - 10) ** 2
    z.retain_grad()
    loss.backward()
    assert (z.data, loss.data, z.grad, x.grad, w.grad, b.grad) == (7.0, 9.0, -6.0, -18.0, -12.0, -6.0)


def test_polynomial_has_the_worked_slope() -> None:
    x = ad.Scalar(2.0)
    y = (x**2 + 1) * x
    y.backward()
    assert (y.data, x.grad) == (10.0, 13.0)


# Fan-out


def test_shared_operand_is_counted_twice() -> None:
    x = ad.Scalar(3.0)
    (x * x).backward()
    assert x.grad == 6.0


@pytest.mark.parametrize("uses", [2, 3, 5, 9])
def test_every_use_of_a_computed_node_counts(uses: int) -> None:
    x = ad.Scalar(2.0)
    h = x * 3
    sum([h * k for k in range(1, uses)], h).backward()
    assert x.grad == 3.0 * (1 + sum(range(1, uses)))


def test_a_diamond_of_sixty_levels_is_swept_in_linear_time() -> None:
    y = x = ad.Scalar(1.0)
    steps = []
    for _ in range(60):
        y = y + y
        y.register_hook(steps.append)
    y.backward()
    assert x.grad == 2.0**60
    assert len(steps) == 60


def test_the_fast_sweep_and_the_textbook_one_agree() -> None:
    for seed in range(30):
        leaves, root = random_graph(seed)
        textbook = {id(node): g for node, g in adjoints(root)}
        root.backward()
        for x in leaves:
            assert x.grad == pytest.approx(textbook.get(id(x))) if id(x) in textbook else x.grad is None


def test_gradients_accumulate_over_sweeps_until_they_are_reset() -> None:
    x = ad.Scalar(2.0)
    for _ in range(3):
        (x * x).backward()
    assert x.grad == 12.0
    x.grad = None
    (x * x).backward()
    assert x.grad == 4.0


def test_a_given_gradient_scales_the_sweep() -> None:
    x = ad.Scalar(2.0)
    (x * x).backward(gradient=10.0)
    (x * x).backward(ad.tensor(1.0))
    assert x.grad == 44.0


def test_a_leaf_can_be_the_root() -> None:
    x = ad.Scalar(2.0)
    x.backward()
    assert x.grad == 1.0


# What requires no gradient


def test_constants_get_no_gradient_and_are_not_visited() -> None:
    x, c = ad.Scalar(2.0), ad.tensor(5.0)
    for y in (x * c, c * x, c - x, x / c, c / x, c**x, x**c, ad.maximum(c, x)):
        y.backward()
    assert c.grad is None


def test_a_result_of_constants_is_a_constant() -> None:
    y = ad.tensor(2.0) * ad.tensor(3.0) + 1
    assert (y.data, y.requires_grad, y.is_leaf, y.operands) == (7.0, False, True, ())


def test_detach_cuts_the_graph() -> None:
    x = ad.Scalar(3.0)
    (x * (x * x).detach()).backward()
    assert x.grad == 9.0


# The order


def test_topological_order_lists_operands_before_the_nodes_that_use_them() -> None:
    for seed in range(20):
        _, root = random_graph(seed)
        order = topological_order(root)
        position = {node: i for i, node in enumerate(order)}
        assert order[-1] is root and len(position) == len(order)
        assert all(position[x] < position[node] for node in order for x in node.operands if isinstance(x, ad.Scalar))


def test_topological_order_includes_constants_and_begins_with_the_first_operand() -> None:
    x, c = ad.Scalar(2.0), ad.tensor(3.0)
    product = x * c
    root = product + 1
    assert [id(node) for node in topological_order(root)] == [id(node) for node in (x, c, product, root)]


def test_adjoints_leave_graph_and_gradients_as_they_were() -> None:
    x, y = ad.Scalar(2.0), ad.Scalar(3.0)
    f = (x + y) * y
    assert [(node.data, g) for node, g in adjoints(f)] == [(2.0, 3.0), (3.0, 8.0), (5.0, 3.0), (15.0, 1.0)]
    assert x.grad is None
    f.backward()
    assert y.grad == 8.0


# Freeing


def test_a_second_sweep_names_the_op_and_the_way_out() -> None:
    x = ad.Scalar(2.0)
    h = x * x
    y = h.exp()
    y.backward()
    with pytest.raises(RuntimeError, match=r"the exp node with value 54\.59.* retain_graph=True"):
        y.backward()
    with pytest.raises(RuntimeError, match=r"the mul node with value 4\.0"):
        (h + 1).backward()
    assert x.grad == pytest.approx(4 * 54.598150033)  # the failed sweeps have added nothing


def test_retain_graph_allows_a_second_sweep() -> None:
    x = ad.Scalar(2.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad == 8.0
    assert y.operands == ()


def test_a_sweep_releases_the_graph_although_the_root_is_held() -> None:
    x = ad.Scalar(2.0)
    h = x * 3
    y = h.exp() + 1
    gone = weakref.ref(h)
    del h
    assert gone() is not None
    y.backward()
    assert gone() is None


def test_a_graph_is_released_by_counting_references_alone() -> None:
    gc.disable()
    try:
        x = ad.Scalar(2.0)
        y = (x * 2 + x).tanh()
        gone = weakref.ref(y)
        y.register_hook(lambda g: g)
        y.retain_grad()
        del y
        assert gone() is None
    finally:
        gc.enable()


@pytest.fixture
def spare() -> list[ad.Scalar]:
    """What sweeps have left for the next graph; empty at first."""
    left: list[ad.Scalar] = rules.VALUES["spare"]
    left.clear()
    return left


def test_nodes_that_nobody_holds_are_the_next_ones_made(spare: list[ad.Scalar]) -> None:
    x = ad.Scalar(2.0)
    y = x * 3 + x * x
    y.backward()
    assert len(spare) == 2 and y not in spare
    was = set(spare)
    z = (x + 1) * x
    assert spare == [] and {z, z.operands[0]} == was
    assert (z.data, z.grad, z.operands[1]) == (6.0, None, x)
    x.grad = None
    z.backward()
    assert x.grad == 5.0


@given(st.lists(st.tuples(st.sampled_from("+*-rw"), st.integers(0, 30), st.integers(0, 30)), min_size=1), st.data())
def test_a_node_that_somebody_holds_stays_what_it_is(steps: list[tuple[str, int, int]], data: st.DataObject) -> None:
    def graph() -> list[ad.Scalar]:
        nodes = [ad.Scalar(0.5), ad.Scalar(-1.5)]
        for op, i, j in steps:
            a, b = nodes[i % len(nodes)], nodes[j % len(nodes)]
            nodes.append(a + b if op == "+" else a - b if op == "-" else a.tanh() * b if op == "*" else a.relu() + 1.0)
        return nodes

    nodes = graph()
    values = [node.data for node in nodes]
    held = data.draw(st.dictionaries(st.integers(0, len(nodes) - 1), st.sampled_from(["list", "ref", "hook", "grad"])))
    kept = {i: nodes[i] for i, how in held.items() if how == "list"}
    seen = {i: weakref.ref(nodes[i]) for i, how in held.items() if how == "ref"}
    for i, how in held.items():
        if how == "hook":
            nodes[i].register_hook(lambda g: None)
        elif how == "grad":
            nodes[i].retain_grad()
    root = nodes[-1]
    del nodes
    if root.requires_grad:
        root.backward()
    again = graph()  # out of what the sweep has left
    assert [node.data for node in again] == values
    assert all(node.data == values[i] for i, node in kept.items())
    assert not set(kept.values()) & set(again)
    assert not {ref() for ref in seen.values()} & set(again)


def test_no_more_nodes_are_kept_than_a_large_graph_has(spare: list[ad.Scalar], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SPARE", 10)
    monkeypatch.setattr(backward, "pull_values", rules.compile_loop)
    chain(ad.Scalar(1.0), 100).backward()
    assert len(spare) == 10


def test_a_row_that_is_replaced_is_swept_as_the_new_one() -> None:
    old = ops.TABLE["mul"]
    x = ad.Scalar(3.0)
    (x * x).backward()
    try:
        ops.op("mul", "a * b", "2 * g * b", "g * a", symbol="*", domain="True", dunder="__mul__", reflected="__rmul__")
        x.grad = None
        (x * x).backward()
        assert x.grad == 9.0
    finally:
        ops.TABLE["mul"] = old
        for tell in ops._subscribers:
            tell(old)
    x.grad = None
    (x * x).backward()
    assert x.grad == 6.0


# Depth

DEPTH = 100_000


def chain(x: ad.Scalar, length: int) -> ad.Scalar:
    y = x
    for _ in range(length // 2):
        y = y * 0.5 + x
    return y


@pytest.fixture
def low_recursion_limit() -> Any:
    limit = sys.getrecursionlimit()
    depth = len(__import__("inspect").stack(0))
    sys.setrecursionlimit(depth + 60)
    yield
    sys.setrecursionlimit(limit)


def test_a_hundred_thousand_operations_run_forward_and_backward_and_are_released(low_recursion_limit: None) -> None:
    x = ad.Scalar(1.0)
    y = chain(x, DEPTH)
    first = weakref.ref(y._a._a)
    y.backward()
    assert x.grad == pytest.approx(2.0)
    assert first() is None


def test_a_hundred_thousand_operations_are_dropped_without_a_sweep(low_recursion_limit: None) -> None:
    y = chain(ad.Scalar(1.0), DEPTH)
    first = weakref.ref(y._a._a)
    del y
    assert first() is None


def test_a_retained_graph_of_a_hundred_thousand_operations_is_dropped(low_recursion_limit: None) -> None:
    x = ad.Scalar(1.0)
    y = chain(x, DEPTH)
    y.backward(retain_graph=True)
    del y
    assert x.grad == pytest.approx(2.0)


def test_nothing_recurses_on_a_deep_graph(low_recursion_limit: None) -> None:
    x = ad.Scalar(1.0)
    y = chain(x, 20_000)
    assert len(topological_order(y)) == 20_001
    assert len(adjoints(y)) == 20_001
    (g,) = ad.autograd.grad(y, x, create_graph=True)
    assert g.item() == pytest.approx(2.0)
    assert ad.jvp(lambda v: chain(v, 20_000), (1.0,), (1.0,))[1] == pytest.approx(2.0)


# Hooks


def test_a_hook_sees_the_whole_adjoint_once_and_may_replace_it() -> None:
    x = ad.Scalar(2.0)
    h = x * 3
    seen: list[float] = []
    h.register_hook(seen.append)
    h.register_hook(lambda g: g * 10)
    (h * h).backward()
    assert seen == [12.0]
    assert x.grad == 360.0


def test_a_hook_can_be_removed_and_is_off_after_its_with_block() -> None:
    x = ad.Scalar(2.0)
    seen: list[float] = []
    handle = x.register_hook(seen.append)
    (x * 3).backward()
    handle.remove()
    handle.remove()
    with x.register_hook(lambda g: g * 0):
        (x * 5).backward()
    (x * 7).backward()
    assert (seen, x.grad) == ([3.0], 10.0)


def test_a_hook_on_a_leaf_sees_one_sweep_not_the_accumulated_gradient() -> None:
    x = ad.Scalar(2.0)
    seen: list[float] = []
    x.register_hook(seen.append)
    for _ in range(2):
        (x * x).backward()
    assert (seen, x.grad) == ([4.0, 4.0], 8.0)


def test_retained_gradients_come_after_the_hooks_and_accumulate() -> None:
    x = ad.Scalar(2.0)
    h = x * 3
    h.retain_grad()
    h.register_hook(lambda g: g + 1)
    for _ in range(2):
        (h * 5).backward(retain_graph=True)
    assert h.grad == 12.0


def test_a_hook_may_sweep_another_graph() -> None:
    x, w = ad.Scalar(2.0), ad.Scalar(3.0)
    y = x * x
    y.register_hook(lambda g: (w * w).backward())
    (y * 2).backward()
    assert (x.grad, w.grad) == (8.0, 6.0)


def test_a_hook_may_sweep_the_same_graph_when_it_is_retained() -> None:
    x = ad.Scalar(2.0)
    y = x * x
    z = y * 2

    def sweep_again(g: float) -> None:
        handle.remove()
        z.backward(retain_graph=True)

    handle = y.register_hook(sweep_again)
    z.backward(retain_graph=True)
    assert x.grad == 16.0


# Double backward


def test_create_graph_gives_gradients_that_are_nodes() -> None:
    x = ad.Scalar(2.0)
    (x**3).backward(create_graph=True)
    first = x.grad
    assert first.data == 12.0 and first.requires_grad
    x.grad = None
    first.backward(create_graph=True)
    assert x.grad.data == 12.0
    second, x.grad = x.grad, None
    second.backward()
    assert x.grad == 6.0


def test_create_graph_records_even_under_no_grad() -> None:
    x = ad.Scalar(2.0)
    y = x**3
    with ad.no_grad():
        (g,) = ad.autograd.grad(y, x, create_graph=True)
        y.backward(create_graph=True)
    assert g.requires_grad and x.grad.requires_grad
    assert ad.autograd.grad(g, x) == (12.0,)


def test_a_plain_sweep_after_create_graph_adds_a_plain_number() -> None:
    x = ad.Scalar(2.0)
    (x**3).backward(create_graph=True)
    (x**2).backward()
    assert type(x.grad) is float and x.grad == 16.0


def test_a_derivative_that_is_constant_is_still_a_node() -> None:
    x = ad.Scalar(-1.0)
    (g,) = ad.autograd.grad(x.relu() + x * 0, x, create_graph=True)
    assert isinstance(g, ad.Scalar) and g.data == 0.0


def test_mixed_second_derivatives_are_symmetric() -> None:
    def f(x: Any, y: Any) -> Any:
        return ad.exp(x * y) / (1 + y**x) + ad.sin(x) * ad.log(y)

    (_, xy), (yx, _) = ad.hessian(f, 0.7, 1.3)
    assert xy == pytest.approx(yx)


# autograd.grad


def test_grad_touches_no_grad_and_takes_computed_nodes_too() -> None:
    x, w = ad.Scalar(2.0), ad.Scalar(5.0)
    h = x * 3
    y = h * h * w
    assert ad.autograd.grad(y, [h, x, w]) == (60.0, 180.0, 36.0)
    assert x.grad is h.grad is w.grad is None


def test_grad_sums_over_several_outputs_with_their_weights() -> None:
    x = ad.Scalar(2.0)
    a = x * 3
    b = a * a
    assert ad.autograd.grad([b, a], x, grad_outputs=[1.0, 100.0]) == (336.0,)


def test_grad_says_which_input_was_not_used() -> None:
    x, w = ad.Scalar(2.0), ad.Scalar(5.0)
    with pytest.raises(RuntimeError, match=r"do not depend on input 1, Scalar\(5\.0.*allow_unused=True"):
        ad.autograd.grad(x * x, [x, w])
    assert ad.autograd.grad(x * x, [x, w], allow_unused=True) == (4.0, None)


def test_grad_does_not_run_the_hooks_of_leaves_it_was_not_asked_for() -> None:
    x, w = ad.Scalar(2.0), ad.Scalar(5.0)
    w.register_hook(lambda g: pytest.fail("hook of a leaf that is no input"))
    assert ad.autograd.grad(x * w, x) == (5.0,)


# Impossible sweeps


def test_backward_needs_something_that_requires_grad() -> None:
    with pytest.raises(RuntimeError, match=r"backward from Scalar\(6\.0\), which does not require grad"):
        (ad.tensor(2.0) * 3).backward()


def test_an_error_in_a_sweep_leaves_no_state_behind() -> None:
    x = ad.Scalar(2.0)
    h = x * 3
    y = h * h
    handle = h.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.backward(retain_graph=True)
    handle.remove()
    y.backward()
    assert x.grad == 36.0

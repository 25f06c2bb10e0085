"""The geometry of pictures: nothing overlaps, everything goes forward, the same graph gives the same bytes."""

import itertools
import random
import time

import pytest

from autodiff_lab.draw.layout import GAP_Y, lay_out, topological
from autodiff_lab.draw.layout import _isotonic as isotonic


def random_edges(count: int, seed: int) -> list[tuple[int, int]]:
    """A graph whose node i uses up to two earlier ones, sometimes the same one twice."""
    draws = random.Random(seed)
    edges = []
    for node in range(1, count):
        for _ in range(draws.choice([0, 1, 1, 2, 2, 2])):
            edges.append((draws.randrange(max(0, node - 12), node), node))
    return edges


def overlaps(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


@pytest.mark.parametrize(("count", "seed"), [(2, 0), (5, 1), (12, 2), (30, 3), (30, 4), (80, 5), (200, 6)])
def test_no_two_boxes_overlap_and_edges_go_forward(count, seed):
    edges = random_edges(count, seed)
    placed = lay_out([(90.0, 24.0 + 20 * (node % 3)) for node in range(count)], edges)
    for (i, a), (j, b) in itertools.combinations(enumerate(placed.boxes), 2):
        assert not overlaps(a, b), f"boxes {i} and {j} overlap: {a}, {b}"
    for index, (source, target) in enumerate(edges):
        assert placed.layers[source] < placed.layers[target]
        xs = [x for x, _ in placed.routes[index]]
        assert xs == sorted(xs), f"edge {source}->{target} turns back"
    assert not placed.backward
    assert max(left + width for left, _, width, _ in placed.boxes) < placed.width
    assert max(top + height for _, top, _, height in placed.boxes) < placed.height


@pytest.mark.parametrize("seed", range(6))
def test_no_edge_runs_through_a_box(seed):
    edges = random_edges(40, seed)
    placed = lay_out([(90.0, 64.0)] * 40, edges)
    for index, (source, target) in enumerate(edges):
        route = placed.routes[index]
        for (x0, y0), (x1, y1) in itertools.islice(itertools.pairwise(route), 1, None, 2):
            assert y0 == y1, "an edge passes a layer on a straight line"
            for node, (left, top, width, height) in enumerate(placed.boxes):
                inside = x0 < left + width and left < x1 and top < y0 < top + height
                assert not inside or node in (source, target), f"edge {source}->{target} runs through box {node}"


def test_the_same_graph_is_placed_the_same_way_every_time():
    edges = random_edges(60, 7)
    assert lay_out([(90.0, 44.0)] * 60, edges) == lay_out([(90.0, 44.0)] * 60, list(edges))


def test_a_chain_is_a_straight_line():
    placed = lay_out([(90.0, 44.0)] * 6, [(node, node + 1) for node in range(5)])
    assert len({y for route in placed.routes for _, y in route}) == 1


def test_a_long_edge_is_straight_where_it_passes_other_layers():
    # x feeds every step of a chain: its wire runs along all of it.
    edges = [edge for node in range(1, 9) for edge in ((node - 1, node), (0, node))]
    placed = lay_out([(90.0, 44.0)] * 9, edges)
    ys = [y for route in placed.routes for _, y in route[1:-1]]
    assert max(ys) - min(ys) < 2.0


def test_operands_arrive_in_their_order_from_top_to_bottom():
    edges = [(0, 2), (1, 2)]
    placed = lay_out([(90.0, 44.0)] * 3, edges)
    assert placed.routes[0][-1][1] < placed.routes[1][-1][1]
    assert placed.boxes[0][1] < placed.boxes[1][1], "the first operand stands above the second"
    swapped = lay_out([(90.0, 44.0)] * 3, [(1, 2), (0, 2)])
    assert swapped.boxes[1][1] < swapped.boxes[0][1], "and the boxes follow when the operands are swapped"


def test_the_same_operand_twice_arrives_at_two_places():
    placed = lay_out([(90.0, 44.0)] * 2, [(0, 1), (0, 1)])
    assert placed.routes[0][-1] != placed.routes[1][-1]
    assert placed.routes[0][0] == placed.routes[1][0]


def test_a_tree_has_no_crossing():
    # A complete binary tree, its nodes numbered in a random order.
    count = 63
    number = list(range(count))
    random.Random(1).shuffle(number)
    edges = [(number[child], number[(child - 1) // 2]) for child in range(1, count)]
    placed = lay_out([(90.0, 44.0)] * count, edges)
    for (s1, t1), (s2, t2) in itertools.combinations(edges, 2):
        if placed.layers[s1] == placed.layers[s2] and t1 != t2:
            above = placed.boxes[s1][1] < placed.boxes[s2][1]
            assert above == (placed.boxes[t1][1] < placed.boxes[t2][1]), f"{s1}->{t1} crosses {s2}->{t2}"


def test_a_cycle_is_found_and_its_edge_runs_over_the_top():
    edges = [(0, 1), (1, 2), (2, 1)]
    placed = lay_out([(90.0, 44.0)] * 3, edges)
    assert placed.backward == {2}
    lane = placed.routes[2][1][1]
    assert all(lane < top for _, top, _, _ in placed.boxes)
    assert all(0 <= x <= placed.width for x, _ in placed.routes[2])


def test_an_edge_from_a_node_to_itself_is_drawn_too():
    placed = lay_out([(90.0, 44.0)], [(0, 0)])
    assert placed.backward == {0}


def test_a_chain_of_100_000_nodes_is_sorted_without_recursion():
    order, backward = topological(100_000, [(node, node + 1) for node in range(99_999)])
    assert order == list(range(100_000))
    assert not backward


def test_an_empty_graph_has_a_size():
    placed = lay_out([], [])
    assert placed.boxes == () and placed.width > 0 and placed.height > 0


def test_the_least_squares_answer_keeps_the_order():
    assert isotonic([1.0, 2.0, 3.0], [1, 1, 1]) == [1.0, 2.0, 3.0]
    assert isotonic([3.0, 1.0], [1, 1]) == [2.0, 2.0]
    assert isotonic([3.0, 1.0], [3, 1]) == [2.5, 2.5]
    draws = random.Random(2)
    wishes = [draws.uniform(-9, 9) for _ in range(200)]
    found = isotonic(wishes, [draws.uniform(0.1, 5) for _ in wishes])
    assert found == sorted(found)


def test_neighbours_in_a_layer_keep_their_distance():
    edges = [(node, 20) for node in range(20)]
    placed = lay_out([(90.0, 44.0)] * 21, edges)
    tops = sorted(placed.boxes[node][1] for node in range(20))
    assert all(below - above >= 44 + GAP_Y - 0.2 for above, below in itertools.pairwise(tops))


def test_200_nodes_are_placed_while_one_waits():
    began = time.process_time()
    lay_out([(90.0, 64.0)] * 200, random_edges(200, 9))
    assert time.process_time() - began < 5, "a picture at the limit takes seconds of CPU; it should take tenths"

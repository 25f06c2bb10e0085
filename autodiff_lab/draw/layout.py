"""Layered layout of a directed graph, left to right: where each box stands and how each edge runs.

Pure geometry: it knows nothing of what the boxes say. The steps are those of Sugiyama, Tagawa and Toda (1981): layers
by longest path, bends where an edge passes a layer, order within the layers by barycentres, then coordinates. The
coordinates of one layer are the exact least-squares answer to "near the neighbours, in this order, without overlap"
(isotonic regression by pooling adjacent violators). Nothing recurses, and the same graph gives the same numbers every
time.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

GAP_X = 46.0  # between layers: the room for curves
GAP_Y = 24.0  # between boxes of a layer
LANE = 12.0  # between an edge passing a layer and its neighbour
PORT = 13.0  # between two operands arriving at one box
MARGIN = 8.0
MARGIN_TOP = 20.0  # the root carries a tab above its box

_ORDER_SWEEPS = 12
_PLACE_SWEEPS = 24


@dataclass(frozen=True, slots=True)
class Layout:
    """The finished geometry, in pixels.

    `boxes[i]` is (left, top, width, height) of node i; `layers[i]` its layer, 0 at the left. `routes[e]` lists the
    points of edge e: it starts and ends at a box, consecutive points are joined by a curve (across a gap) or a straight
    line (past a layer), in turn. `backward` holds the edges that close a cycle: they run over the top, against the
    direction of the others.
    """

    boxes: tuple[tuple[float, float, float, float], ...]
    layers: tuple[int, ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]
    backward: frozenset[int]
    width: float
    height: float


def topological(count: int, edges: Sequence[tuple[int, int]]) -> tuple[list[int], frozenset[int]]:
    """Nodes in an order in which every edge goes forward, and the edges that had to be left out because they close a
    cycle.
    """
    out: list[list[int]] = [[] for _ in range(count)]
    for index, (source, _) in enumerate(edges):
        out[source].append(index)
    white, grey, black = 0, 1, 2
    colour = [white] * count
    finished: list[int] = []
    backward: set[int] = set()
    for start in range(count):
        if colour[start] != white:
            continue
        colour[start] = grey
        stack = [(start, iter(out[start]))]
        while stack:
            node, rest = stack[-1]
            for index in rest:
                target = edges[index][1]
                if colour[target] == grey:
                    backward.add(index)
                elif colour[target] == white:
                    colour[target] = grey
                    stack.append((target, iter(out[target])))
                    break
            else:
                colour[node] = black
                finished.append(node)
                stack.pop()
    return finished[::-1], frozenset(backward)


def lay_out(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Layout:
    """Place boxes of the given (width, height) and route the edges.

    `edges` are (source, target) pairs; the edges into one target arrive from top to bottom in the order in which they
    are listed. Parallel edges are allowed. A cycle is drawn too, see `Layout.backward`.
    """
    count = len(sizes)
    order, backward = topological(count, edges)
    forward = [index for index in range(len(edges)) if index not in backward]
    layer = _layers(count, order, [edges[index] for index in forward])
    ports = _ports(edges)

    # One bend per (source, layer): the edges of one source run together until they part, like the wires of a circuit.
    item_layer = list(layer)
    bends: dict[tuple[int, int], int] = {}
    chains: dict[int, list[int]] = {}
    for index in forward:
        source, target = edges[index]
        chain = []
        for between in range(layer[source] + 1, layer[target]):
            if (source, between) not in bends:
                bends[source, between] = len(item_layer)
                item_layer.append(between)
            chain.append(bends[source, between])
        chains[index] = chain
    segments: dict[tuple[int, int, float], None] = {}
    for index in forward:
        source, target = edges[index]
        path = [source, *chains[index], target]
        for a, b in pairwise(path):
            segments[a, b, ports[index] if b == target else 0.0] = None

    rows = _order(count, item_layer, list(segments), order, edges)
    half = [size[1] / 2 for size in sizes] + [0.0] * (len(item_layer) - count)
    y = _place(count, rows, half, list(segments), list(bends.items()))

    depth = len(rows)
    widths = [max((sizes[i][0] for i in row if i < count), default=0.0) for row in rows]
    lefts = [MARGIN]
    for width in widths:
        lefts.append(lefts[-1] + width + GAP_X)
    lanes = len(backward)
    top = min((y[i] - half[i] for i in range(len(y))), default=0.0)
    shift = MARGIN_TOP + lanes * LANE - top
    y = [value + shift for value in y]
    bottom = max((y[i] + half[i] for i in range(len(y))), default=0.0)

    boxes = []
    for node, (width, height) in enumerate(sizes):
        left = lefts[layer[node]] + (widths[layer[node]] - width) / 2
        boxes.append((_r(left), _r(y[node] - half[node]), _r(width), _r(height)))

    routes: list[tuple[tuple[float, float], ...]] = []
    lane = MARGIN
    for index, (source, target) in enumerate(edges):
        left, up, width, height = boxes[source]
        start = (_r(left + width), _r(up + height / 2))
        left, up, width, height = boxes[target]
        end = (left, _r(up + height / 2 + ports[index]))
        if index in backward:
            right, back = start[0] + GAP_X / 2, end[0] - GAP_X / 2
            routes.append((start, (_r(right), _r(lane)), (_r(back), _r(lane)), end))
            lane += LANE
            continue
        points = [start]
        for bend in chains[index]:
            column = item_layer[bend]
            points += [(_r(lefts[column]), _r(y[bend])), (_r(lefts[column] + widths[column]), _r(y[bend]))]
        routes.append((*points, end))
    spare = GAP_X / 2 if backward else 0.0  # a backward edge turns beyond the outermost boxes
    if spare:
        boxes = [(_r(left + spare), up, width, height) for left, up, width, height in boxes]
        routes = [tuple((_r(px + spare), py) for px, py in route) for route in routes]
    width = lefts[depth] - GAP_X + MARGIN + 2 * spare if depth else 2 * MARGIN
    return Layout(tuple(boxes), tuple(layer), tuple(routes), backward, _r(width), _r(bottom + MARGIN))


def _r(value: float) -> float:
    return round(value, 1)


def _ports(edges: Sequence[tuple[int, int]]) -> list[float]:
    """Per edge: how far from the middle of the target's left side it arrives."""
    arriving: dict[int, list[int]] = {}
    for index, (_, target) in enumerate(edges):
        arriving.setdefault(target, []).append(index)
    ports = [0.0] * len(edges)
    for indices in arriving.values():
        for place, index in enumerate(indices):
            ports[index] = (place - (len(indices) - 1) / 2) * min(PORT, 2 * PORT / len(indices))
    return ports


def _layers(count: int, order: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[int]:
    """Longest path from the left; then a node without operands moves right, next to its first user."""
    users: list[list[int]] = [[] for _ in range(count)]
    has_operand = [False] * count
    for source, target in edges:
        users[source].append(target)
        has_operand[target] = True
    layer = [0] * count
    for node in order:
        for user in users[node]:
            layer[user] = max(layer[user], layer[node] + 1)
    for node in range(count):
        if not has_operand[node] and users[node]:
            layer[node] = min(layer[user] for user in users[node]) - 1
    first = min(layer, default=0)
    return [value - first for value in layer]


def _order(
    count: int,
    item_layer: Sequence[int],
    segments: Sequence[tuple[int, int, float]],
    order: Sequence[int],
    edges: Sequence[tuple[int, int]],
) -> list[list[int]]:
    """The items of each layer from top to bottom, with few crossings: barycentre sweeps, the best is kept."""
    before: dict[int, list[tuple[int, float]]] = {}
    after: dict[int, list[tuple[int, float]]] = {}
    for a, b, port in segments:
        before.setdefault(b, []).append((a, port))
        after.setdefault(a, []).append((b, port))

    # Start from a walk that takes the operands in order: a tree then has no crossing at all.
    seen = [False] * len(item_layer)
    rows: list[list[int]] = [[] for _ in range(max(item_layer, default=-1) + 1)]
    for root in [node for node in order[::-1] if node not in after] + list(order[::-1]):
        stack = [root]
        while stack:
            item = stack.pop()
            if seen[item]:
                continue
            seen[item] = True
            rows[item_layer[item]].append(item)
            stack += [a for a, _ in sorted(before.get(item, []), key=lambda pair: pair[1], reverse=True)]

    position = [0.0] * len(item_layer)

    def settle(row: list[int]) -> None:
        for place, item in enumerate(row):
            position[item] = float(place)

    for row in rows:
        settle(row)

    def crossings() -> int:
        total = 0
        gaps: list[list[tuple[float, float]]] = [[] for _ in rows]
        for a, b, port in segments:
            gaps[item_layer[a]].append((position[a], position[b] + port / 100))
        for gap in gaps:
            gap.sort()
            arrived: list[float] = []
            for _, end in gap:
                total += len(arrived) - bisect_right(arrived, end)
                insort(arrived, end)
        return total

    best, fewest = [list(row) for row in rows], crossings()
    for sweep in range(_ORDER_SWEEPS):
        if fewest == 0:
            break
        rightwards = sweep % 2 == 0
        for row in rows if rightwards else rows[::-1]:
            wish = {}
            for item in row:
                if rightwards:
                    near = [position[a] - port / 100 for a, port in before.get(item, [])]
                else:
                    near = [position[b] + port / 100 for b, port in after.get(item, [])]
                wish[item] = sum(near) / len(near) if near else position[item]
            row.sort(key=lambda item: (wish[item], position[item]))
            settle(row)
        now = crossings()
        if now < fewest:
            best, fewest = [list(row) for row in rows], now
    return best


def _place(
    count: int,
    rows: Sequence[Sequence[int]],
    half: Sequence[float],
    segments: Sequence[tuple[int, int, float]],
    bends: Sequence[tuple[tuple[int, int], int]],
) -> list[float]:
    """The middle of each item: near its neighbours, in the given order, never overlapping; bends of one source on one
    line.
    """
    near: list[list[tuple[int, float, float]]] = [[] for _ in half]
    fed = {b for _, b, _ in segments}
    for a, b, port in segments:
        # Long edges want to be straight; a leaf goes where its user is, rather than pull it away from the computation.
        weight = (0.2 if a not in fed else 1.0) if a < count and b < count else 4.0
        near[a].append((b, port, weight))
        near[b].append((a, -port, weight))
    lines: dict[int, list[int]] = {}
    for (source, _), bend in bends:
        lines.setdefault(source, []).append(bend)
    line_of = {bend: line for line in lines.values() for bend in line}

    y = [0.0] * len(half)
    offsets = []
    for row in rows:
        offset, at = [], 0.0
        for place, item in enumerate(row):
            if place:
                above = row[place - 1]
                at += half[above] + half[item] + (GAP_Y if above < count and item < count else LANE)
            offset.append(at)
        offsets.append(offset)
        for item, place_at in zip(row, offset, strict=True):
            y[item] = place_at - at / 2

    for sweep in range(_PLACE_SWEEPS):
        straighten = sweep >= _PLACE_SWEEPS - 8
        if straighten:
            middle = {id(line): sum(y[bend] for bend in line) / len(line) for line in lines.values()}
        for index in range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1):
            row, offset = rows[index], offsets[index]
            wishes, weights = [], []
            for item, at in zip(row, offset, strict=True):
                line = line_of.get(item)
                if straighten and line is not None:
                    wish, weight = middle[id(line)], 100.0
                elif near[item]:
                    weight = sum(w for _, _, w in near[item])
                    wish = sum((y[other] + port) * w for other, port, w in near[item]) / weight
                else:
                    wish, weight = y[item], 1.0
                wishes.append(wish - at)
                weights.append(weight)
            for item, at, value in zip(row, offset, _isotonic(wishes, weights), strict=True):
                y[item] = value + at
    return y


def _isotonic(wishes: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The non-decreasing sequence nearest to `wishes` in weighted least squares (pool adjacent violators)."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, length
    for wish, weight in zip(wishes, weights, strict=True):
        mean, total, length = wish, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, other_weight, other_length = blocks.pop()
            mean = (mean * total + other * other_weight) / (total + other_weight)
            total += other_weight
            length += other_length
        blocks.append((mean, total, length))
    return [mean for mean, _, length in blocks for _ in range(length)]

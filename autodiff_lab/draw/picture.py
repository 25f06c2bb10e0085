"""What a picture says, before it has a place: one `Box` per node, made from a node, a program or a graph as data,
folded when too large.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .data import entry, symbol_of
from .numbers import show

LIMIT = 200  # boxes; a picture with more helps nobody
KEEP = 40  # boxes that stay when a larger graph is folded

Kind = Literal["input", "constant", "operation", "unknown", "folded", "freed"]
INFIX = {"+", "−", "×", "÷", "^", "@"}


@dataclass(frozen=True, slots=True)
class Box:
    """One node: its `name`, what it is, the boxes it is computed from (`operands`, as positions, in order), and its
    numbers or `None`.
    """

    name: str
    kind: Kind
    symbol: str = ""
    operands: tuple[int, ...] = ()
    value: Any = None
    adjoint: Any = None
    root: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """All boxes, operands before users where the graph has no cycle. `folded` counts the nodes that one box of kind
    "folded" stands for.
    """

    boxes: tuple[Box, ...]
    has_values: bool = True
    has_adjoints: bool = False
    folded: int = 0
    second: str = "adjoint"
    """What the second number of a box is called."""

    @property
    def edges(self) -> list[tuple[int, int]]:
        """(operand, user) pairs, the operands of one user in their order; the same operand twice gives two."""
        return [(operand, user) for user, box in enumerate(self.boxes) for operand in box.operands]

    def users(self) -> list[list[int]]:
        """Per box: who uses it, once per use."""
        found: list[list[int]] = [[] for _ in self.boxes]
        for operand, user in self.edges:
            found[operand].append(user)
        return found

    def formula(self, box: Box) -> str:
        """How `box` is computed, in the names of its operands: "x + y", "exp(a)"; a constant's number; empty for an
        input.
        """
        if box.kind == "constant":
            return show(box.value)
        return expression(box.symbol, [self.label(self.boxes[operand]) for operand in box.operands])

    def label(self, box: Box) -> str:
        """The name by which other rows speak of `box`: a constant without a name is its number."""
        return box.name or show(box.value)


def expression(symbol: str, operands: Sequence[str]) -> str:
    """How an operation is written: "a × b" where its sign stands between two operands, "−a", "|a|", else "exp(a)"."""
    if symbol in INFIX and len(operands) == 2:
        return f"{operands[0]} {symbol} {operands[1]}"
    if len(operands) == 1 and symbol == "−":
        return f"−{operands[0]}"
    if len(operands) == 1 and "·" in symbol:
        return symbol.replace("·", operands[0])
    return f"{symbol}({', '.join(operands)})" if operands or symbol else ""


def from_scalar(root: Any, adjoints: bool, names: Mapping[str, Any]) -> Picture:
    """The graph behind the engine node `root`. `names` maps a name to a node; the others are called v1, v2, … in order.

    A named leaf that the root does not depend on is drawn too, without an edge: that it is not used is worth seeing.
    """
    from autodiff_lab.engine.backward import adjoints as sweep
    from autodiff_lab.engine.backward import topological_order
    from autodiff_lab.engine.ops import TABLE

    nodes = topological_order(root)
    known = {id(node) for node in nodes}
    called: dict[int, str] = {}
    for name, node in names.items():
        if not hasattr(node, "operands"):
            continue  # a plain number among the names: it is in the graph as a constant, without identity
        if id(node) not in known:
            if node.op:
                raise ValueError(f"`{name}` does not lead to this root. Draw `{name}` itself, or leave it out.")
            nodes.insert(0, node)
            known.add(id(node))
        called.setdefault(id(node), name)
    found = {id(node): adjoint for node, adjoint in sweep(root)} if adjoints else {}

    numbering = _fresh_names(set(called.values()))
    boxes: list[Box] = []
    place: dict[int, int] = {}
    for node in nodes:
        operands = []
        for operand in node.operands:
            if id(operand) in place:
                operands.append(place[id(operand)])
            else:  # a number written in the formula: one box per use
                operands.append(len(boxes))
                boxes.append(Box("", "constant", value=operand))
        kind: Kind = "operation" if node.op else "input" if node.requires_grad or id(node) in called else "constant"
        if node.op and not operands:  # a sweep has passed, and the links are gone
            operands.append(len(boxes))
            boxes.append(Box("freed", "freed"))
        name = called.get(id(node)) or ("" if kind == "constant" else next(numbering))
        place[id(node)] = len(boxes)
        symbol = TABLE[node.op].symbol if node.op in TABLE else node.op
        boxes.append(Box(name, kind, symbol, tuple(operands), node.data, found.get(id(node)), node is root))
    return fold(Picture(tuple(boxes), True, adjoints))


def from_program(program: Any) -> Picture:
    """The boxes of a static program: its inputs and constants, then a box for each instruction."""
    from autodiff_lab.engine.static.program import leaves, vars_in

    boxes: list[Box] = []
    place: dict[Any, int] = {}

    def add(value: Any, box: Box) -> None:
        place.setdefault(value, len(boxes))
        boxes.append(box)

    for x in (*vars_in(program.inputs), *program.captured):
        add(x, Box(x.name, "input"))
    for x in program.constants:
        add(x, Box(x.name, "constant"))
    ends = set(vars_in(program.outputs))
    for step in program.instructions:
        for number in leaves(step.operands):
            if not vars_in(number):
                add(id(number), Box("", "constant", value=number))
        operands = [place[x] if vars_in(x) else place[id(x)] for x in leaves(step.operands)]
        operands += [place[x] for x in vars_in(step.params)]
        for x in step.writes:
            add(x, Box(x.name, "operation", step.op.symbol, tuple(operands), root=x in ends))
    return fold(Picture(tuple(boxes), False, False))


def from_data(
    graph: Mapping[str, Any], values: Mapping[str, Any] | None, adjoints: Mapping[str, Any] | None
) -> Picture:
    """The boxes of a graph as data. It may be a student's first try: names that do not exist and cycles are drawn, not
    refused.
    """
    names = [str(name) for name in graph]
    place = {name: index for index, name in enumerate(names)}
    boxes: list[Box] = []
    unknown: list[Box] = []
    for name, given in zip(names, graph.values(), strict=True):
        op, rest = entry(name, given)
        value = _number(values, name)
        if op == "const":
            value = value if value is not None else (rest[0] if rest else None)
            boxes.append(Box(name, "constant", value=value, adjoint=_number(adjoints, name)))
            continue
        if op == "input":
            boxes.append(Box(name, "input", value=value, adjoint=_number(adjoints, name)))
            continue
        operands = []
        for operand in map(str, rest):
            if operand not in place:
                place[operand] = len(names) + len(unknown)
                unknown.append(Box(operand, "unknown"))
            operands.append(place[operand])
        boxes.append(Box(name, "operation", symbol_of(op), tuple(operands), value, _number(adjoints, name)))
    used = {operand for box in boxes for operand in box.operands}
    boxes = [replace(box, root=index not in used and box.kind == "operation") for index, box in enumerate(boxes)]
    boxes += unknown
    if len(boxes) == 1:
        boxes = [replace(boxes[0], root=True)]
    return fold(_sorted(Picture(tuple(boxes), values is not None, adjoints is not None)))


def fold(picture: Picture, limit: int = LIMIT, keep: int = KEEP) -> Picture:
    """`picture` itself up to `limit` boxes; above, the `keep` boxes nearest to the root and one box for all the others.

    A box stays only if everything that uses it stays: so the fold never depends on a box that is drawn, and no cycle
    appears.
    """
    count = len(picture.boxes)
    if count <= limit:
        return picture
    waiting = [0] * count
    for operand, _ in picture.edges:
        waiting[operand] += 1
    queue = [index for index in range(count - 1, -1, -1) if not waiting[index]]
    for index in queue:  # grows while it is read: nearest first
        if len(queue) >= keep:
            break
        for operand in picture.boxes[index].operands:
            waiting[operand] -= 1
            if not waiting[operand]:
                queue.append(operand)
    kept = sorted(queue[:keep])
    new = {old: index + 1 for index, old in enumerate(kept)}
    boxes = [Box(f"{count - len(kept):,} nodes".replace(",", "\u2009"), "folded")]
    for old in kept:
        box = picture.boxes[old]
        operands = [new.get(operand, 0) for operand in box.operands]
        once = [operand for place, operand in enumerate(operands) if operand or 0 not in operands[:place]]
        boxes.append(replace(box, operands=tuple(once)))
    return replace(picture, boxes=tuple(boxes), folded=count - len(kept))


def _sorted(picture: Picture) -> Picture:
    """Operands before users, else in the order given; a graph with a cycle stays as it is."""
    boxes = picture.boxes
    waiting = [len(box.operands) for box in boxes]
    users = picture.users()
    ready = [index for index, number in enumerate(waiting) if not number]
    order: list[int] = []
    while ready:
        index = heapq.heappop(ready)
        order.append(index)
        for user in users[index]:
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, user)
    if len(order) < len(boxes):
        return picture
    new = {old: index for index, old in enumerate(order)}
    moved = (replace(boxes[old], operands=tuple(new[operand] for operand in boxes[old].operands)) for old in order)
    return replace(picture, boxes=tuple(moved))


def _number(numbers: Mapping[str, Any] | None, name: str) -> Any:
    return None if numbers is None else numbers.get(name)


def _fresh_names(taken: set[str]) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        if f"v{number}" not in taken:
            yield f"v{number}"

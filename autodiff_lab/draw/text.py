"""The text alternative of a picture: one sentence for `alt`, a table in plain text, and the same table in HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from .numbers import shorten, show
from .picture import Box, Picture

_SPELLED_OUT = 12  # boxes; above, the sentence counts instead of naming
_LONGEST_CELL = 40
WORDS = {
    "input": "input",
    "constant": "constant",
    "unknown": "not in the graph",
    "folded": "not drawn",
    "freed": "links that backward() has freed; retain_graph=True keeps them",
}


def what(box: Box) -> str:
    """What a box is, in a word: "input", "constant", or "operation +"; the root is marked."""
    word = f"operation {box.symbol}" if box.kind == "operation" else WORDS[box.kind]
    return f"{word}, root" if box.root else word


def sentence(picture: Picture) -> str:
    """The graph in one sentence, short enough for an `alt` text: the root first, then each node with its formula and
    value.
    """
    boxes = picture.boxes
    if not boxes:
        return "An empty computational graph."
    if picture.folded:
        roots = ", ".join(_equation(box) for box in boxes if box.root)
        total = picture.folded + len(boxes) - 1
        drawn = len(boxes) - 1
        return f"Computational graph of {total} nodes with root {roots}; the {drawn} nearest to the root are drawn."
    if len(boxes) > _SPELLED_OUT:
        inputs = sum(box.kind == "input" for box in boxes)
        operations = sum(box.kind == "operation" for box in boxes)
        roots = ", ".join(_equation(box) for box in boxes if box.root)
        counts = f"{_plural(inputs, 'input')}, {_plural(operations, 'operation')}"
        return f"Computational graph of {len(boxes)} nodes ({counts}) with root {roots}."
    parts = []
    for box in boxes:
        if not box.name:
            continue  # an unnamed constant is spelled in its user's formula
        if box.kind == "operation":
            said = f"{box.name} = {picture.formula(box)}"
        elif box.kind in ("input", "constant"):
            said = f"{box.kind} {box.name}"
        else:
            said = f"{box.name}: {WORDS[box.kind]}"
        if box.value is not None:
            said += f" = {show(box.value)}"
        if box.root:
            said += ", the root"
        if box.adjoint is not None:
            said += f" ({picture.second} {show(box.adjoint)})"
        parts.append(said)
    return f"Computational graph: {'; '.join(parts)}."


def rows(picture: Picture) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the table. Every box is a row; the columns "value" and "adjoint" are there only if the picture
    has them.
    """
    head = ["node", "what it is", "computed as"]
    if picture.has_values:
        head.append("value")
    if picture.has_adjoints:
        head.append(picture.second)
    head.append("used by")
    users = picture.users()
    table = []
    for index, box in enumerate(picture.boxes):
        row = [picture.label(box), what(box), "" if not box.name and box.kind == "constant" else picture.formula(box)]
        if picture.has_values:
            row.append(show(box.value))
        if picture.has_adjoints:
            row.append(show(box.adjoint))
        row.append(_uses([picture.label(picture.boxes[user]) for user in users[index]]))
        table.append(row)
    return head, table


def plain(picture: Picture) -> str:
    """The sentence and the table as aligned text, every line without trailing blanks."""
    head, table = rows(picture)
    cut = [[shorten(cell, _LONGEST_CELL) for cell in row] for row in table]
    numeric = {index for index, title in enumerate(head) if title in ("value", picture.second)}
    widths = [max(len(row[index]) for row in [head, *cut]) for index in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        placed = (
            cell.rjust(width) if index in numeric else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(placed).rstrip()

    return "\n".join([sentence(picture), "", line(head), *map(line, cut)])


def html_table(picture: Picture) -> str:
    """The table in HTML. Number cells carry `data-node` (the position of the node) and `data-role`, so that a view can
    keep them current.
    """
    return html_of(*rows(picture), {"value": "value", picture.second: "adjoint"})


def html_of(head: Sequence[str], table: Sequence[Sequence[str]], roles: Mapping[str, str]) -> str:
    """A table in HTML, whose first column names the rows. `roles`: which columns a view keeps current, by title."""
    lines = [
        "<table>",
        "<thead><tr>" + "".join(f'<th scope="col">{escape(title)}</th>' for title in head) + "</tr></thead>",
        "<tbody>",
    ]
    for index, row in enumerate(table):
        cells = [f'<th scope="row">{escape(row[0])}</th>']
        for title, cell in zip(head[1:], row[1:], strict=True):
            live = f' data-node="{index}" data-role="{roles[title]}"' if title in roles else ""
            cells.append(f"<td{live}>{escape(cell)}</td>")
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def _equation(box: Box) -> str:
    return box.name if box.value is None else f"{box.name} = {show(box.value)}"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _uses(users: Sequence[str]) -> str:
    """ "f twice" for x·x: one entry per user, with how often."""
    counted: dict[str, int] = {}
    for user in users:
        counted[user] = counted.get(user, 0) + 1
    often = {1: "", 2: " twice"}
    return ", ".join(user + often.get(times, f" {times} times") for user, times in counted.items())

"""Structures: what functions take and return, nested lists, tuples and dicts of values, the leaves."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


def substitute(put: Callable[[Any], Any], structure: Any) -> Any:
    """A structure with ``put(leaf)`` in the place of each leaf."""
    if isinstance(structure, (list, tuple)):
        parts = [substitute(put, part) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)
    if isinstance(structure, dict):
        return {key: substitute(put, part) for key, part in structure.items()}
    return put(structure)


def leaves(structure: Any) -> Iterator[Any]:
    """What a structure holds, in order."""
    if isinstance(structure, (list, tuple)):
        for part in structure:
            yield from leaves(part)
    elif isinstance(structure, dict):
        yield from leaves(list(structure.values()))
    else:
        yield structure


def unflatten(structure: Any, values: Sequence[Any]) -> Any:
    """Values in the places of the leaves of a structure."""
    given = iter(values)
    return substitute(lambda _: next(given), structure)

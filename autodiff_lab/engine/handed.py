"""Arrays that were handed out, by ``x.data`` and the like: whether they were written to, which no tensor can notice.

Each was looked at when it was handed out, and is again before the next sweep. Nothing else has to know.
"""

from __future__ import annotations

import zlib
from threading import Lock
from weakref import ref

from autodiff_lab.engine.structures import leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# For each tensor whose array somebody may write to, by its id: the tensor, what the elements were, when that was, and
# when they were looked at last before they were other ones (0: they are what they were).
handed: dict[int, tuple[ref[Any], Any, int, int]] = {}
GONE: tuple[Any, ...] = (lambda: None, None, 0, 0)
_looking = Lock()
SMALL = 1 << 12  # bytes
ROW = 509  # a prime, so that rows of an array do not stand in rows of the sums


def note_handed(node: Any, clock: int) -> None:
    """Keep in mind what the elements of ``node`` are at ``clock``, before others can write to them."""
    number, found = id(node), fingerprint(node._data)
    with _looking:
        _, before, then, changed = handed.get(number, (None, found, 0, 0))
        key = ref(node, lambda _: handed.pop(number, None))
        handed[number] = key, found, clock, changed if before == found else then


def settle(graph: Callable[[], list[Any]]) -> None:
    """Have the nodes of a graph that is to be swept find out what was written to their arrays.

    What was computed before an array was handed out cannot be swept any more if it needs the elements; of what was
    computed later nobody can tell whether it was before or after they were written, and it can.
    """
    written = []
    with _looking:
        for number in list(handed):
            key, before, then, changed = handed.pop(number, GONE)
            node = key()
            if node is not None:
                clock = changed if fingerprint(node._data) == before else then
                if clock:
                    spoil(node, clock)
                    written.append((*bounds(node._data), node._backend, clock))
    if written:
        for node in graph():
            if hasattr(node, "_version") and hasattr(node._data, "nbytes"):  # a released value has none
                read = [(x, f"its {name}") for name, value in parameters(node) for x in leaves(value)]
                read = [(x, part) for x, part in read if hasattr(x, "nbytes")]
                for first, last, backend, clock in written:
                    for array, part in [(node._data, ""), *read]:
                        begin, end = bounds(array)
                        if node._backend is backend and begin < last and first < end:
                            spoil(node, clock, part)


def is_written(node: Any, clock: int) -> bool:
    """Whether somebody has written to the array of ``node`` since ``clock``, or since it was handed out after that."""
    key, before, then, changed = handed.get(id(node), GONE)
    return key() is node and (changed if fingerprint(node._data) == before else then) > clock


def parameters(node: Any) -> list[tuple[str, Any]]:
    """The parameters of the op of a node, with their names."""
    names = node._rule.op.params if node._rule is not None and node._rule.op is not None else ()
    return list(zip(names, getattr(node._step, "_number", ()), strict=False)) if names else []


def spoil(node: Any, clock: int, part: str = "") -> None:
    """Have a node that is older than ``clock`` be changed at that time, or a ``part`` that its op has saved."""
    if node._version < clock:
        if part:
            node._refuse_pull(part)
        else:
            node._spoil(clock)


def whole(array: Any) -> Any:
    """The array of NumPy's that another one looks into; itself if there is none."""
    while type(getattr(array, "base", None)) is type(array):
        array = array.base  # type: ignore[union-attr]
    return array


def fingerprint(array: Any) -> Any:
    """Something that is another one after an element has changed."""
    changes = getattr(array, "_version", 0)  # torch counts them, but for those that come from NumPy
    if hasattr(array, "untyped_storage"):
        if array.device.type != "cpu" or "bfloat16" in str(array.dtype):
            return changes
        array = array.detach().numpy()
    raw = whole(array).ravel("K").view("u1")
    if raw.size > SMALL:  # by sums, which are four times as fast
        size = raw.size // (8 * ROW) * (8 * ROW)
        return changes, zlib.crc32(raw[:size].view("u8").reshape(-1, ROW).sum(0)), zlib.crc32(raw[size:])
    return changes, zlib.crc32(raw)


def bounds(array: Any) -> tuple[int, int]:
    """Where the memory that an array looks into begins and ends."""
    if hasattr(array, "untyped_storage"):
        storage = array.untyped_storage()
        begin = storage.data_ptr()
        return begin, begin + storage.nbytes() if begin else 0  # the device "meta" has no memory
    array = whole(array)
    begin = array.__array_interface__["data"][0]
    return begin, begin + array.nbytes

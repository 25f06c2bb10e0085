"""What operations do besides computing: whether they record, and what happens to values they save. Per thread.

`plain` is True while no thread is in any mode. The generated methods live in namespaces made by `namespace` and read it
as a global, so that the usual case costs one look and no call.
"""

from __future__ import annotations

from threading import Lock, local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])

_lock = Lock()
_threads_in_a_mode = 0
_namespaces: list[dict[str, Any]] = []


def namespace() -> dict[str, Any]:
    """A namespace in which ``plain`` says whether no thread is in a mode."""
    with _lock:
        _namespaces.append({"plain": _threads_in_a_mode == 0})
    return _namespaces[-1]


class _State(local):
    recording: bool
    inference: bool
    hooks: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None
    trace: Any
    observers: tuple[Callable[[str, Any, Any], None], ...]

    def __init__(self) -> None:
        self.__dict__.update(_NO_MODE)


_GRAD, _NO_GRAD = {"recording": True}, {"recording": False}
_NO_MODE: dict[str, Any] = {**_GRAD, "inference": False, "hooks": None, "trace": None, "observers": ()}
state = _State()


def change(**values: Any) -> dict[str, Any]:
    """Set parts of the thread's state; return what they were."""
    return _change(values)


def _change(values: dict[str, Any]) -> dict[str, Any]:
    global _threads_in_a_mode
    now = state.__dict__
    before = {}
    for name in values:
        before[name] = now[name]
    was_in_a_mode = now != _NO_MODE
    now.update(values)
    if (now != _NO_MODE) is not was_in_a_mode:
        with _lock:
            _threads_in_a_mode += -1 if was_in_a_mode else 1
            for names in _namespaces:
                names["plain"] = not _threads_in_a_mode
    return before


def only_no_grad() -> bool:
    """Whether results need no gradient, and nothing else has to be done about them."""
    now = state.__dict__
    return not now["recording"] and not now["inference"] and now["trace"] is None and not now["observers"]


def only_packing() -> bool:
    """Whether results are recorded as ever, but for the values that are saved, which hooks pack."""
    now = state.__dict__
    return now["hooks"] is not None and now == {**_NO_MODE, "hooks": now["hooks"]}


def refuse(x: Any, what: str) -> None:
    """While a program is traced, TraceError if ``x`` is a value of it: ``what`` would need a number that it has not."""
    if state.trace is not None:
        state.trace.refuse(x, what)


class _Mode:
    """A change of the thread's state for the length of a ``with`` block, or of a function it decorates."""

    _values: dict[str, Any]

    def __new__(cls, *arguments: Any, **named: Any) -> Any:
        if len(arguments) == 1 and callable(arguments[0]):  # @no_grad without parentheses
            return cls()(arguments[0])
        if arguments and cls.__init__ is _Mode.__init__:
            raise TypeError(f"{cls.__name__}() takes a function to decorate, or nothing, not {arguments[0]!r}")
        return object.__new__(cls)

    def __init__(self) -> None:
        self._before: list[dict[str, Any]] = []

    def __enter__(self) -> None:
        self._before.append(_change(self._values))

    def __exit__(self, *exception: object) -> None:
        _change(self._before.pop())

    def __call__(self, function: F) -> F:
        from functools import wraps

        @wraps(function)
        def in_mode(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return in_mode  # type: ignore[return-value]


class no_grad(_Mode):
    """Compute without recording: results need no gradient and keep no graph. A context manager and a decorator."""

    _values = _NO_GRAD


class enable_grad(_Mode):
    """Record again inside a `no_grad` block. A context manager and a decorator."""

    _values = _GRAD


class set_grad_enabled(_Mode):
    """Record, or do not, from here on: a plain call. Also a context manager and a decorator, like `no_grad`."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self._values = {"recording": bool(mode)}
        self._outside = _change(self._values)

    def __enter__(self) -> None:
        _change(self._values)
        self._before.append(self._outside)

    def __call__(self, function: F) -> F:
        _change(self._outside)
        return enable_grad()(function) if self._values["recording"] else no_grad()(function)


class inference_mode(_Mode):
    """`no_grad` for results that will never meet a graph: an op that would have to save one for backward refuses it."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._values = {"inference": True, "recording": False} if mode else {"inference": False}


class saved_tensors_hooks(_Mode):
    """Pass every value that an op saves for backward through ``pack`` now and ``unpack`` when it is needed.

    ``pack(value)`` may return anything; ``unpack`` of that must return the value again. A number like
    the 2 of ``x ** 2`` is part of the op and does not pass through. The one mechanism behind checkpointing.
    """

    def __init__(self, pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
        super().__init__()
        for name, function in (("pack", pack), ("unpack", unpack)):
            if not callable(function):
                raise TypeError(f"saved_tensors_hooks: {name} is a function of one value, not {function!r}")
        self._values = {"hooks": (pack, unpack)}


def is_grad_enabled() -> bool:
    """Whether operations in this thread record."""
    return state.recording


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in `inference_mode`."""
    return state.inference

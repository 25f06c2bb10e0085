"""What operations do besides computing: whether they record, and what happens to values they save. Per thread.

`plain` in `NAMESPACE` is True while no thread is in any mode. The generated methods live in that namespace and read it
as a global, so that the usual case costs one look and no call.
"""

from __future__ import annotations

from threading import Lock, local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])

NAMESPACE: dict[str, Any] = {"plain": True}
_lock = Lock()
_active = 0


class _State(local):
    recording: bool = True
    inference: bool = False
    hooks: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None


state = _State()


class _Mode:
    """A change of the thread's state for the length of a ``with`` block, or of a function it decorates."""

    def __init__(self) -> None:
        self._before: list[dict[str, Any]] = []

    def _change(self) -> dict[str, Any]:
        raise NotImplementedError

    def __enter__(self) -> None:
        global _active
        change = self._change()
        self._before.append({name: getattr(state, name) for name in change})
        with _lock:
            _active += 1
            NAMESPACE["plain"] = False
        for name, value in change.items():
            setattr(state, name, value)

    def __exit__(self, *exception: object) -> None:
        global _active
        for name, value in self._before.pop().items():
            setattr(state, name, value)
        with _lock:
            _active -= 1
            NAMESPACE["plain"] = _active == 0

    def __call__(self, function: F) -> F:
        from functools import wraps

        @wraps(function)
        def in_mode(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return in_mode  # type: ignore[return-value]


class set_grad_enabled(_Mode):
    """Record operations, or do not: ``with set_grad_enabled(training): …``. A context manager and a decorator."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = bool(mode)

    def _change(self) -> dict[str, Any]:
        return {"recording": self.mode}


class no_grad(set_grad_enabled):
    """Compute without recording: results need no gradient and keep no graph. A context manager and a decorator."""

    def __init__(self) -> None:
        super().__init__(False)


class enable_grad(set_grad_enabled):
    """Record again inside a `no_grad` block. A context manager and a decorator."""

    def __init__(self) -> None:
        super().__init__(True)


class inference_mode(_Mode):
    """`no_grad` for results that will never meet a graph: an op that would have to save one for backward refuses it."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = bool(mode)

    def _change(self) -> dict[str, Any]:
        return {"inference": True, "recording": False} if self.mode else {"inference": False}


class saved_tensors_hooks(_Mode):
    """Pass every value that an op saves for backward through ``pack`` now and ``unpack`` when it is needed.

    ``pack(value)`` may return anything; ``unpack`` of that must return the value again. A number like
    the 2 of ``x ** 2`` is part of the op and does not pass through. The one mechanism behind checkpointing.
    """

    def __init__(self, pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
        super().__init__()
        self.hooks = (pack, unpack)

    def _change(self) -> dict[str, Any]:
        return {"hooks": self.hooks}


def is_grad_enabled() -> bool:
    """Whether operations in this thread record."""
    return state.recording


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in `inference_mode`."""
    return state.inference

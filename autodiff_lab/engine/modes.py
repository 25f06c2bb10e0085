"""What operations do besides computing: whether they record, and what happens to values they save. Per thread.

A `Mode` says it all and never changes; entering a mode puts another one in its place, in the context of the thread (or
of the asyncio task) that enters it and in no other. The generated methods ask ``current()`` once a call.
"""

from __future__ import annotations

import warnings
from contextvars import ContextVar
from functools import partial, wraps
from threading import get_ident
from types import MappingProxyType, coroutine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])
    Hooks = tuple[Callable[[Any], Any], Callable[[Any], Any]]
    Observers = tuple[Callable[[str, Any, Any], None], ...]

CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200  # as in `inspect`, which takes long to import

INFERENCE = "made in inference mode"  # in the second link of a node that was, which as a leaf has no other use for it


class Mode:
    """What operations do besides computing.

    enabled    whether recording is switched on
    inference  whether their results may never be saved for a sweep; then nothing is recorded
    hooks      what saved values go through, ``(pack, unpack)``, or None
    trace      the program that is being written, or None
    observers  who is told of each result

    What the generated methods ask for follows from these:

    recording  they record
    records    they record, and have nothing else to do but to pack what they save
    quiet      they compute, and have nothing else to do
    mark       what the second link of a result without a graph holds: `INFERENCE` or None
    """

    __slots__ = ("enabled", "hooks", "inference", "mark", "observers", "quiet", "recording", "records", "trace")

    def __init__(
        self,
        enabled: bool = True,
        inference: bool = False,
        hooks: Hooks | None = None,
        trace: Any = None,
        observers: Observers = (),
    ) -> None:
        self.enabled = enabled
        self.inference = inference
        self.hooks = hooks
        self.trace = trace
        self.observers = observers
        self.recording = enabled and not inference
        alone = trace is None and not observers
        self.records = alone and self.recording
        self.quiet = alone and not self.recording
        self.mark = INFERENCE if inference else None


RECORD = Mode()  # no mode at all; the generated methods know it by identity
_USUAL = {(mode.enabled, mode.inference): mode for mode in (RECORD, Mode(False), Mode(False, True), Mode(True, True))}
_current = ContextVar("mode", default=RECORD)
current = _current.get


class _State:
    """The mode of the thread that asks, part by part. What asks for several parts asks `current` instead."""

    @property
    def recording(self) -> bool:
        return current().recording

    @property
    def hooks(self) -> Hooks | None:
        return current().hooks

    @property
    def trace(self) -> Any:
        return current().trace

    @property
    def observers(self) -> Observers:
        return current().observers


state = _State()


def change(**values: Any) -> dict[str, Any]:
    """Set parts of the thread's mode; return what they were."""
    return _change(values)


def _change(values: Mapping[str, Any]) -> dict[str, Any]:
    now = current()
    before = {name: getattr(now, name) for name in values}
    if values != before:
        parts = {name: getattr(now, name) for name in ("enabled", "inference", "hooks", "trace", "observers")}
        parts.update(values)
        enabled, inference, *others = parts.values()
        _current.set(_USUAL[enabled, inference] if others == [None, None, ()] else Mode(**parts))
    return before


def refuse(x: Any, what: str) -> None:
    """While a program is traced, TraceError if ``x`` is a value of it: ``what`` would need a number that it has not."""
    trace = current().trace
    if trace is not None:
        trace.refuse(x, what)


differentiated: ContextVar[bool] = ContextVar(
    "differentiated", default=False
)  # whether a function is, see `functional`


class _Mode:
    """A change of the thread's mode for the length of a ``with`` block, or while a function that it decorates runs.

    One object may be entered again while it is entered, and in several threads at a time. The body of a generator or
    of a coroutine runs in the mode; whoever drives it does not, between its steps.
    """

    _values: Mapping[str, Any]

    def __new__(cls, *arguments: Any, **named: Any) -> Any:
        if len(arguments) == 1 and callable(arguments[0]):  # @no_grad without parentheses
            return cls()(arguments[0])
        if arguments and cls.__init__ is _Mode.__init__:
            raise TypeError(f"{cls.__name__}() takes a function to decorate, or nothing, not {arguments[0]!r}")
        return object.__new__(cls)

    def __init__(self) -> None:
        self._before: dict[int, list[dict[str, Any]]] = {}  # for each thread what to go back to

    def _enter(self, before: dict[str, Any]) -> None:
        self._before.setdefault(get_ident(), []).append(before)

    def __enter__(self) -> Any:
        self._enter(_change(self._values))

    def __exit__(self, *exception: object) -> None:
        thread = get_ident()
        before = self._before[thread]
        _change(before.pop())
        if not before:
            del self._before[thread]

    def __call__(self, function: F) -> F:
        if isinstance(function, type):
            return self._decorated_class(function)  # type: ignore[no-any-return]
        body: Any = function
        while isinstance(body, partial):
            body = body.func
        flags = getattr(getattr(body, "__code__", None), "co_flags", 0)

        def plain(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        def generator(*args: Any, **kwargs: Any) -> Any:
            return (yield from _Body(self).steps(function(*args, **kwargs)))

        async def awaits(*args: Any, **kwargs: Any) -> Any:
            return await _Body(self).awaited(function(*args, **kwargs))

        async def async_generator(*args: Any, **kwargs: Any) -> Any:
            running, body = function(*args, **kwargs), _Body(self)
            try:
                found = await body.awaited(running.asend(None))
                while True:
                    try:
                        given = yield found
                    except GeneratorExit:
                        await body.awaited(running.aclose())
                        raise
                    except BaseException as error:
                        found = await body.awaited(running.athrow(error))
                    else:
                        found = await body.awaited(running.asend(given))
            except StopAsyncIteration:
                return

        kinds: dict[int, Any] = {CO_ASYNC_GENERATOR: async_generator, CO_COROUTINE: awaits, CO_GENERATOR: generator}
        in_mode = next((made for flag, made in kinds.items() if flags & flag), plain)
        return wraps(function)(in_mode)  # type: ignore[return-value]

    def _decorated_class(self, cls: Any) -> Any:
        name = type(self).__name__
        warnings.warn(
            f"{name} decorates functions; of the class {cls.__name__} it decorates __init__ and no other method. "
            f"Write @{name}() above each method that it is meant for.",
            FutureWarning,
            stacklevel=3,
        )
        cls.__init__ = self(cls.__init__)
        return cls


class _Body:
    """The body of a function that runs in steps, in a mode during each of them and in what it has entered itself."""

    def __init__(self, mode: _Mode) -> None:
        self.mode = mode
        self.own: dict[str, Any] = {}

    def step(self, go: Callable[..., Any], *given: Any) -> Any:
        """One step."""
        with self.mode:
            names = self.mode._before[get_ident()][-1]
            _change(self.own)
            try:
                return go(*given)
            finally:
                self.own = {name: getattr(current(), name) for name in names}

    def steps(self, running: Any) -> Any:
        """All steps of a generator or a coroutine, as a generator."""
        try:
            found = self.step(running.send, None)
            while True:
                try:
                    given = yield found
                except GeneratorExit:
                    self.step(running.close)
                    raise
                except BaseException as error:
                    found = self.step(running.throw, error)
                else:
                    found = self.step(running.send, given)
        except StopIteration as end:
            return end.value

    @coroutine
    def awaited(self, running: Any) -> Any:
        """All steps of an awaitable, to be awaited."""
        return (yield from self.steps(running.__await__()))


class no_grad(_Mode):
    """Compute without recording: results need no gradient and keep no graph. A context manager and a decorator."""

    _values: Mapping[str, Any] = MappingProxyType({"enabled": False})


class enable_grad(_Mode):
    """Record again inside a `no_grad` block. A context manager and a decorator."""

    _values: Mapping[str, Any] = MappingProxyType({"enabled": True})


class set_grad_enabled(_Mode):
    """Record, or do not, from here on: a plain call. Also a context manager and a decorator, like `no_grad`."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self._values = {"enabled": bool(mode)}
        self._outside = _change(self._values)

    def __enter__(self) -> None:
        _change(self._values)
        self._enter(self._outside)

    def __call__(self, function: F) -> F:
        _change(self._outside)
        return enable_grad()(function) if self._values["enabled"] else no_grad()(function)


class inference_mode(_Mode):
    """`no_grad` for results that will never meet a graph: an op that would have to save one for backward refuses it."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._values = {"inference": mode, "enabled": not mode}


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
    return current().enabled


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in `inference_mode`."""
    return current().inference

"""Checkpointing: a function's saved values are not kept but computed once more when a sweep needs them.

As `torch.utils.checkpoint` does it with use_reentrant=False: through hooks on saved values alone. Going forward, pack
counts the values and keeps none. When a sweep asks for one, the function runs again on the same arguments, and what it
saves is what it saved then: the same values in the same order.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from weakref import ref

from autodiff_lab.engine.generator import generators
from autodiff_lab.engine.hooks import merge, now, same
from autodiff_lab.engine.modes import enable_grad, inference_mode, saved_tensors_hooks, state
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.rules import LEAF
from autodiff_lab.engine.structures import substitute
from autodiff_lab.engine.tensor import BACKENDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class CheckpointError(RuntimeError):
    """A function saved other values when it was computed once more than it had saved at first."""


class Enough(BaseException):
    """Ends a recomputation that has computed all that is needed. No ``except Exception`` in its way stops it."""


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = False,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, keeping for backward only the arguments, not what the function saves.

    A sweep computes the function once more, up to the last value that it needs. Values and gradients are the same to
    the last bit, for scalars and tensors, with ``create_graph=True``, and for checkpoints within checkpoints. The
    function must do the same when it is called again: it is given the same arguments, and with ``preserve_rng_state``
    the states that the engine's random generators had. CheckpointError if it saves other values. Without recording, or
    while a program is traced, this is a plain call.
    """
    if use_reentrant:
        raise ValueError(
            "checkpoint: use_reentrant=True is not available; leave it out, values and gradients are equal"
        )
    if not state.recording or state.trace is not None:
        return function(*args, **kwargs)
    frame = Frame(function, args, kwargs, preserve_rng_state)
    return packing(function, args, kwargs, frame.pack, Saved.unpack)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool = False, preserve_rng_state: bool = True
) -> Any:
    """``functions`` one after the other on ``input``, in so many segments of equal length with a checkpoint each.

    With about √n segments for n functions, the values held are the fewest, about 2√n. The last segment comes first in
    the sweep and is not computed again, as in PyTorch: it keeps what it saves, and nothing else. ``functions`` is a
    sequence, or a module that can be iterated over.
    """
    layers = list(functions)
    if not 1 <= segments <= max(len(layers), 1):
        raise ValueError(f"checkpoint_sequential: {segments} segments of {len(layers)} functions")
    bounds = [len(layers) * i // segments for i in range(segments + 1)]
    for begin, end in pairwise(bounds):
        run = Segment(layers[begin:end])
        if end < len(layers):
            input = checkpoint(run, input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
        else:
            input = packing(run, (input,), {}, *(state.hooks or (same, same)))
    return input


def packing(function: Callable[..., Any], args: Any, kwargs: Any, pack: Any, unpack: Any) -> Any:
    """A call with hooks on saved values; the graph holds none but these and the results."""
    if not state.recording or state.trace is not None:
        return function(*args, **kwargs)
    with saved_tensors_hooks(pack, unpack):
        result = function(*args, **kwargs)
    return result if state.hooks is not None else replaced(result, whole)


class Segment:
    """Functions applied one after the other."""

    def __init__(self, functions: Sequence[Callable[[Any], Any]]) -> None:
        self.functions = functions

    def __call__(self, x: Any) -> Any:
        for function in self.functions:
            x = function(x)
        return x


class Saved:
    """What a checkpoint packs a saved value into: its number, and the value itself between recomputation and use."""

    __slots__ = ("__weakref__", "frame", "number", "value")
    value: Any  # unset where there is none

    def __init__(self, frame: Frame, number: int) -> None:
        self.frame = frame
        self.number = number

    def unpack(self) -> Any:
        """The value, computed if it is not there."""
        if not hasattr(self, "value"):
            self.frame.recompute()
        value = self.value
        del self.value
        return value

    def kept(self) -> list[Any]:
        """What is kept for it: the arguments of the function, and its value if that is there."""
        found: list[Any] = [self.value] if hasattr(self, "value") else []
        replaced(self.frame.arguments, lambda argument: found.append(argument.packed), Argument)
        return found


class Frame:
    """One call of a checkpointed function: what is needed to call it again, and what it saved."""

    def __init__(self, function: Callable[..., Any], args: Any, kwargs: Any, preserve_rng_state: bool) -> None:
        self.function = function
        self.arguments = replaced((args, kwargs), Argument)
        self.random = random_states() if preserve_rng_state else []
        self.clocks = clocks()
        self.saved: list[ref[Saved]] = []  # the graph holds what was packed; when it goes, nothing needs it
        self.kinds: list[tuple[Any, ...]] = []

    def pack(self, value: Any) -> Saved:
        """Going forward: note what kind of value it is."""
        saved = Saved(self, len(self.saved))
        self.saved.append(ref(saved))
        self.kinds.append(kind_of(value))
        return saved

    def recompute(self) -> None:
        """Call the function again and put what it saves where it is needed."""
        wanted = [saved() for saved in self.saved]
        while wanted[-1] is None:
            wanted.pop()
        count = 0

        def pack(value: Any) -> Any:
            nonlocal count
            if kind_of(value) != self.kinds[count]:
                raise CheckpointError(
                    f"checkpoint: {name_of(self.function)} computed once more differs at saved value {count}: "
                    f"{in_words(self.kinds[count])} in the forward pass, {in_words(kind_of(value))} now. {ADVICE}"
                )
            saved = wanted[count]
            if saved is not None:
                saved.value = value
            count += 1
            if count == len(wanted):
                raise Enough
            return value

        before = random_states()
        set_random_states(self.random)
        outside = now.recomputing, now.check
        now.recomputing, now.check = True, None if self.clocks == clocks() else self.check
        try:
            with inference_mode(False), enable_grad():
                args, kwargs = replaced(self.arguments, lambda argument: argument.node(), Argument)
                with saved_tensors_hooks(pack, same):
                    self.function(*args, **kwargs)
        except Enough:
            return
        finally:
            now.recomputing, now.check = outside
            set_random_states(before)
        raise CheckpointError(
            f"checkpoint: {name_of(self.function)} computed once more saved {count} values, not the {len(self.kinds)} "
            f"of the forward pass; the first that is missing is of {in_words(self.kinds[count])}. {ADVICE}"
        )

    def check(self, node: Any) -> None:
        """RuntimeError if an operand is a parameter that was changed in place since the function was called first."""
        for x in (node._a, node._b):
            parameter = x is not None and x.requires_grad and x.is_leaf
            if parameter and getattr(x, "_version", -1) > self.clocks.get(type(x), sys.maxsize):
                raise CheckpointError(
                    f"checkpoint: {name_of(self.function)} would be computed once more with other values: an operand "
                    f"of {node.op}, of shape {x.shape}, was changed in place after the forward pass. Change it after "
                    "backward()."
                )


ADVICE = (
    "It must do the same both times: it may depend on its arguments, on parameters that stay as they are until "
    "backward, and on the engine's random generators, not on a state that it or others change."
)


class Argument:
    """A node given to a checkpointed function: its value, which hooks around the checkpoint pack, without its graph."""

    def __init__(self, node: Any) -> None:
        self.like = node._constant
        self.rule, self.computed = node._rule and LEAF, not node.is_leaf
        self.given, self.clock = ref(node), clocks().get(type(node), 0)
        now.op = "the checkpoint"
        pack, self.unpack = state.hooks or (same, same)
        self.packed = pack(node._data)

    def node(self) -> Any:
        """A node with the value, which requires grad, and is a leaf, as the one that was given."""
        given = self.given()
        if given is not None and given._data is self.packed and getattr(given, "_version", 0) > self.clock:
            raise CheckpointError(  # a change of the tensor, not of its array, would have given it another array
                f"checkpoint: an argument {given._in_words()} was written to after the forward pass, as through "
                "x.data, and what was computed from it cannot be computed once more. Change it after backward()."
            )
        value = self.unpack(self.packed)
        node = self.like(value)
        node._rule = self.rule
        if hasattr(node, "_version"):
            node._version = 0  # as old as can be: it has the value that it had
        return node.clone() if self.computed else node


def whole(node: Any) -> Any:
    """A result as any other node, which has its value."""
    merge(node)
    return node


def replaced(value: Any, function: Callable[[Any], Any], kind: type = Node) -> Any:
    """``value`` with ``function`` applied to what is of a kind in it, at any depth of lists, tuples and dicts."""
    return substitute(lambda x: function(x) if isinstance(x, kind) else x, value)


def kind_of(value: Any) -> tuple[Any, ...]:
    """What has to be the same about a value both times: the op that saves it, its shape and dtype."""
    return now.op, getattr(value, "shape", ()), getattr(value, "dtype", "float64")


def in_words(kind: tuple[Any, ...]) -> str:
    """A kind in a message."""
    op, shape, dtype = kind
    return f"{op}, shape {tuple(shape)}, {str(dtype).rpartition('.')[2]}"


def name_of(function: Any) -> str:
    """What to call a function in a message."""
    return str(getattr(function, "__qualname__", type(function).__name__))


def clocks() -> dict[type, int]:
    """For each kind of tensors, how many changes in place there have been."""
    return {cls: backend.names["clock"] for backend, cls in BACKENDS.items()}


def random_states() -> list[tuple[Any, Any]]:
    """The random generators there are, each with its state."""
    return [(generator, generator.get_state()) for generator in generators()]


def set_random_states(states: list[tuple[Any, Any]]) -> None:
    """Let each generator go on from its state."""
    for generator, state_ in states:
        generator.set_state(state_)

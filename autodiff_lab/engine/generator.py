"""Random numbers of the engine's own: NumPy's and torch's global states are neither read nor changed."""

from __future__ import annotations

import sys
import weakref

from autodiff_lab.engine.modes import state
from autodiff_lab.engine.structured import integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Generator:
    """The state of a random number generator, as in PyTorch."""

    def __init__(self) -> None:
        self.manual_seed(0)
        _generators.add(self)

    def manual_seed(self, seed: int) -> Generator:
        """Begin again from a seed."""
        import numpy

        if integer(seed, "a seed") < 0:
            raise ValueError(f"manual_seed: a seed is 0 or more, not {seed}")
        self._random = numpy.random.Generator(numpy.random.PCG64(seed))
        return self

    def get_state(self) -> Any:
        """The state, for `set_state`."""
        return self._random.bit_generator.state

    def set_state(self, state: Any) -> Generator:
        """Go on from a state that `get_state` gave."""
        self._random.bit_generator.state = state
        return self

    def _drawing(self) -> Any:
        """NumPy's generator; TraceError while a program is traced."""
        if state.trace is not None:
            state.trace.refuse_random()
        return self._random

    def uniform(self, shape: tuple[int, ...], dtype: Any = "float32") -> Any:
        """A NumPy array of numbers from 0 to 1."""
        return self._drawing().random(shape, dtype=dtype)

    def normal(self, shape: tuple[int, ...]) -> Any:
        """A float64 NumPy array of normally distributed numbers, of mean 0 and variance 1."""
        return self._drawing().standard_normal(shape)

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> Any:
        """An int64 NumPy array of integers from ``low`` to ``high - 1``."""
        return self._drawing().integers(low, high, shape)

    def permutation(self, n: int) -> Any:
        """The integers from 0 to ``n - 1`` in random order, a NumPy array."""
        return self._drawing().permutation(n)


_default: list[Generator] = []
_generators: weakref.WeakSet[Generator] = weakref.WeakSet()


def default_generator() -> Generator:
    """The generator that is used where none is given."""
    if not _default:
        _default.append(Generator())
    return _default[0]


def generators() -> list[Generator]:
    """All generators that are in use, the default one among them."""
    if "numpy" in sys.modules:  # without it nothing is random
        default_generator()
    return list(_generators)


def manual_seed(seed: int) -> Generator:
    """Begin the default generator again from a seed."""
    return default_generator().manual_seed(seed)

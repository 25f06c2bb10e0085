"""Values for parameters to begin with: `torch.nn.init`. Each function changes a tensor in place and returns it.

The random numbers come from the engine's own generator, which `manual_seed` sets. A float32 tensor gets those of a
float64 one, rounded.
"""

from __future__ import annotations

import math

from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.generator import Generator, default_generator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GAINS = {"tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4}


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """The factor that keeps the variance of values the same through a nonlinearity; ValueError for an unknown one."""
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity in ("linear", "sigmoid", "conv2d"):
        return 1.0
    if nonlinearity not in GAINS:
        raise ValueError(
            f"no gain is known for {nonlinearity!r}; known are linear, conv2d, sigmoid, leaky_relu, {', '.join(GAINS)}"
        )
    return GAINS[nonlinearity]


def fans(tensor: Any) -> tuple[int, int]:
    """The inputs of an output and the outputs of an input, for a weight of shape (outputs, inputs, …)."""
    if tensor.ndim < 2:
        raise ValueError(
            f"a tensor of shape {tensor.shape} has no fan: it takes a weight of shape (outputs, inputs, …)"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def fill(tensor: Any, values: Any) -> Any:
    """Let a tensor hold these values, in its dtype and on its device."""
    tensor._change(as_array(values, tensor._backend, tensor.dtype, tensor.device))
    return tensor


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Any:
    """From ``a`` to ``b``, all values equally likely."""
    return fill(tensor, a + (b - a) * (generator or default_generator()).uniform(tensor.shape, "float64"))


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Any:
    """Normally distributed."""
    return fill(tensor, mean + std * (generator or default_generator()).normal(tensor.shape))


def trunc_normal_(
    tensor: Any,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Any:
    """Normally distributed, but from ``a`` to ``b``: what falls outside is drawn again."""
    if not a < b or b < mean - 6 * std or a > mean + 6 * std:
        raise ValueError(f"trunc_normal_: from {a} to {b} is no range near the mean {mean}, with std {std}")
    random = generator or default_generator()
    values = mean + std * random.normal(tensor.shape)
    while (outside := (values < a) | (values > b)).any():
        values[outside] = mean + std * random.normal((int(outside.sum()),))
    return fill(tensor, values)


def constant_(tensor: Any, val: float) -> Any:
    """The same value everywhere."""
    import numpy

    return fill(tensor, numpy.full(tensor.shape, val))


def zeros_(tensor: Any) -> Any:
    """Zeros."""
    return constant_(tensor, 0.0)


def ones_(tensor: Any) -> Any:
    """Ones."""
    return constant_(tensor, 1.0)


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Uniform, with variance 2 / (fan in + fan out) (Glorot and Bengio 2010)."""
    bound = gain * math.sqrt(6 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Normal, with variance 2 / (fan in + fan out) (Glorot and Bengio 2010)."""
    return normal_(tensor, 0.0, gain * math.sqrt(2 / sum(fans(tensor))), generator)


def kaiming_uniform_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Any:
    """Uniform, with a variance that a rectifier of negative slope ``a`` preserves (He et al. 2015)."""
    bound = math.sqrt(3) * kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Any:
    """Normal, with a variance that a rectifier of negative slope ``a`` preserves (He et al. 2015)."""
    return normal_(tensor, 0.0, kaiming_std(tensor, a, mode, nonlinearity), generator)


def kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    """The standard deviation of the `kaiming_` functions."""
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"mode {mode!r}: it is 'fan_in' (forward variance) or 'fan_out' (that of the adjoints)")
    return calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])

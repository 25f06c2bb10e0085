"""Compares derivatives with central differences, in the manner of `torch.autograd.gradcheck`."""

from __future__ import annotations

from autodiff_lab.engine.functional import as_input, derivatives, name_of, one_scalar
from autodiff_lab.engine.modes import enable_grad, no_grad
from autodiff_lab.engine.scalar import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class GradcheckError(RuntimeError):
    """A derivative and its central difference disagree; the message says where and by how much."""


def gradcheck(
    f: Callable[..., Any],
    *inputs: Any,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether the derivatives of ``f`` at ``inputs`` agree with central differences: ``|slope - difference| <= atol + rtol |difference|``.

    inputs  numbers, or nodes (one that does not require grad is passed on and not checked); as in PyTorch they may also come as one tuple
    eps     the step to either side
    f       returns one scalar or a tuple of them

    Raises GradcheckError, a RuntimeError, that names the input, both numbers, and a kink if the slopes from the left and from the right
    differ. With ``raise_exception=False`` returns False instead.
    """
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)):
        inputs = tuple(inputs[0])
    problem = first_problem(f, inputs, eps, atol, rtol)
    if problem and raise_exception:
        raise GradcheckError(problem)
    return not problem


def first_problem(f: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float) -> str:
    """What the first disagreement is, in words; "" if there is none."""
    checked = [i for i, x in enumerate(inputs) if not (isinstance(x, Scalar) and not x.requires_grad)]
    if not checked:
        raise ValueError("gradcheck: no input requires grad, so there is nothing to check")
    values = [float(x) for x in inputs]
    nodes = [as_input(value) if i in checked else inputs[i] for i, value in enumerate(values)]
    with enable_grad():
        result = f(*nodes)
    several = isinstance(result, (list, tuple))
    outputs = [one_scalar(f, y) for y in (result if several else [result])]

    def at(i: int, step: float) -> list[float]:
        moved = [Scalar(value + step * (i == j), requires_grad=False) for j, value in enumerate(values)]
        with no_grad():
            y = f(*moved)
        return [float(one_scalar(f, part)) for part in (y if several else [y])]

    for i in checked:
        right, left = at(i, eps), at(i, -eps)
        for k, y in enumerate(outputs):
            slope = derivatives([y], [nodes[i]], [1.0], record=False)[0]
            difference = (right[k] - left[k]) / (2 * eps)
            if abs(slope - difference) <= atol + rtol * abs(difference):
                continue
            where = f"output {k} of " if several else ""
            error = abs(slope - difference)
            message = (
                f"gradcheck of {where}{name_of(f)} with respect to input {i} (value {values[i]!r}): backward gives {slope!r}, "
                f"the central difference {difference!r}. They differ by {error:.3g}, which is {error / max(abs(difference), 1e-300):.3g} "
                f"of the difference; allowed is {atol:g} + {rtol:g} times the difference."
            )
            from_right, from_left = (right[k] - y.data) / eps, (y.data - left[k]) / eps
            if abs(from_right - from_left) > 10 * (atol + rtol * max(abs(from_right), abs(from_left))):
                message += (
                    f" The slope is {from_left:.6g} from the left and {from_right:.6g} from the right: the function has a kink or a jump "
                    "here, where no derivative exists. Check at another point."
                )
            return message
    return ""

"""Compares derivatives with central differences, in the manner of `torch.autograd.gradcheck`."""

from __future__ import annotations

from autodiff_lab.engine.functional import as_input, name_of, one_scalar, slopes_of
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
    """Whether the derivatives of ``f`` agree with central differences.

    They do if ``|slope - difference| <= atol + rtol * |difference|``.

    f       returns one scalar or a tuple of them
    inputs  where to check: numbers, or nodes, of which those that do not require grad are passed on and not checked; as
            in PyTorch they may also come as one tuple
    eps     the step to either side

    Raises GradcheckError (a RuntimeError) that names the input and both numbers, and says so if the slopes from the
    left and from the right differ: a kink. With ``raise_exception=False`` returns False instead.
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
            slope = slopes_of([y], [nodes[i]], [1.0], record=False)[0]
            difference = (right[k] - left[k]) / (2 * eps)
            if abs(slope - difference) <= atol + rtol * abs(difference):
                continue
            where = f"output {k} of " if several else ""
            error = abs(slope - difference)
            message = (
                f"gradcheck of {where}{name_of(f)}, input {i} (value {values[i]!r}): backward gives {slope!r}, the "
                f"central difference {difference!r}. They differ by {error:.3g}; allowed is {atol:g} + {rtol:g} × "
                f"{abs(difference):.3g}."
            )
            from_right, from_left = (right[k] - y.data) / eps, (y.data - left[k]) / eps
            if abs(from_right - from_left) > 10 * (atol + rtol * max(abs(from_right), abs(from_left))):
                message += (
                    f" The slope is {from_left:.6g} from the left and {from_right:.6g} from the right: the function "
                    "has a kink or a jump here, and no derivative. Check at another point."
                )
            return message
    return ""

"""Compares derivatives with central differences, in the manner of `torch.autograd.gradcheck`."""

from __future__ import annotations

from autodiff_lab.engine.functional import as_input, name_of, one_at, one_node, positions, slopes_of
from autodiff_lab.engine.modes import enable_grad, no_grad
from autodiff_lab.engine.node import Node
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

    f       returns one scalar or tensor, or a tuple of them
    inputs  where to check: numbers, arrays, or nodes, of which those that do not require grad are passed on and not
            checked; as in PyTorch they may also come as one tuple. Tensors should be of dtype float64
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
    checked = [i for i, x in enumerate(inputs) if not (isinstance(x, Node) and not x.requires_grad)]
    if not checked:
        raise ValueError(
            "gradcheck: no input requires grad, so there is nothing to check. Make one with requires_grad=True, or "
            "give plain numbers or arrays."
        )
    nodes = [as_input(bare(x)) if i in checked else x for i, x in enumerate(inputs)]
    with enable_grad():
        result = f(*nodes)
    several = isinstance(result, (list, tuple))
    outputs = [one_node(f, y) for y in (result if several else [result])]

    def at(i: int, element: Any, step: float) -> list[list[float]]:
        moved = [x.detach() + step * one_at(x, element) if i == j else x.detach() for j, x in enumerate(nodes)]
        with no_grad():
            y = f(*moved)
        return [elements(one_node(f, part)) for part in (y if several else [y])]

    for i in checked:
        seeds = [[one_at(y, position) for position in positions(y)] for y in outputs]
        pairs = zip(outputs, seeds, strict=True)
        slopes = [[slopes_of([y], [nodes[i]], [seed], record=False)[0] for seed in each] for y, each in pairs]
        for element in positions(nodes[i]):
            right, left = at(i, element, eps), at(i, element, -eps)
            for k, y in enumerate(outputs):
                for n, middle in enumerate(elements(y)):
                    slope = float(element_of(slopes[k][n], element))
                    difference = (right[k][n] - left[k][n]) / (2 * eps)
                    if abs(slope - difference) <= atol + rtol * abs(difference):
                        continue
                    where = f"output {k} of " if several else ""
                    where += f"element {n} of " if len(elements(y)) > 1 else ""
                    at_element = f", element {element}" if element else ""
                    value = float(element_of(nodes[i]._data, element))
                    error = abs(slope - difference)
                    message = (
                        f"gradcheck of {where}{name_of(f)}, input {i}{at_element} (value {value!r}): backward gives "
                        f"{slope!r}, the central difference {difference!r}. They differ by {error:.3g}; allowed is "
                        f"{atol:g} + {rtol:g} × {abs(difference):.3g}."
                    )
                    if getattr(nodes[i]._data, "itemsize", 8) < 8:
                        return f"{message} The input is of dtype {nodes[i].dtype}: check in float64, x.double()."
                    from_right, from_left = (right[k][n] - middle) / eps, (middle - left[k][n]) / eps
                    if abs(from_right - from_left) > 10 * (atol + rtol * max(abs(from_right), abs(from_left))):
                        message += (
                            f" The slope is {from_left:.6g} from the left and {from_right:.6g} from the right: the "
                            "function has a kink or a jump here, and no derivative. Check at another point."
                        )
                    return message
    return ""


def bare(x: Any) -> Any:
    """The value of a node; anything else as it is."""
    return x._data if isinstance(x, Node) else x


def elements(x: Any) -> list[float]:
    """The elements of a node, one after the other."""
    return [x._data] if isinstance(x, Scalar) else x._data.reshape(-1).tolist()


def element_of(value: Any, position: tuple[int, ...]) -> Any:
    """One element of an array; a number as it is."""
    return value[position] if hasattr(value, "shape") else value

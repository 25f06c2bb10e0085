"""PyTorch's `torch.autograd`, as far as this engine has it, so that a snippet runs with only its import changed."""

from __future__ import annotations

from types import SimpleNamespace

from autodiff_lab.engine import functional as of_functions
from autodiff_lab.engine.anomaly import detect_anomaly, is_anomaly_enabled, set_detect_anomaly
from autodiff_lab.engine.derivatives import grad
from autodiff_lab.engine.gradcheck import GradcheckError, gradcheck
from autodiff_lab.engine.interop import as_tensor
from autodiff_lab.engine.modes import saved_tensors_hooks
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.structures import leaves, substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

graph = SimpleNamespace(saved_tensors_hooks=saved_tensors_hooks)


# torch.autograd.functional: functions of ``inputs``, a tensor or a tuple of them, whose results have the same form


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False) -> tuple[Any, Any]:
    """``func(*inputs)``, and the product of the adjoint ``v`` of that with the Jacobian."""
    values, pullback = of_functions.vjp(func, *given("vjp", inputs))
    if v is None:
        sizes = [getattr(y, "shape", ()) for y in leaves(values)]
        if sizes != [()]:
            raise RuntimeError(
                f"vjp: the function returned values of shapes {', '.join(map(str, sizes))}, not one number: give the "
                "adjoint to begin with, as v= of the same form."
            )
        v = 1.0
    return nodes(values, create_graph), nodes(like(inputs, pullback(v)), create_graph)


def jvp(func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool = False) -> tuple[Any, Any]:
    """``func(*inputs)``, and its derivative in the direction ``v``, which has the form of ``inputs``."""
    values, pushed = of_functions.jvp(func, given("jvp", inputs), given("jvp", v))
    return nodes(values, create_graph), nodes(pushed, create_graph)


def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False) -> Any:
    """The derivatives of what ``func`` returns, a tensor or a tuple (rows), with respect to ``inputs`` (columns)."""
    several: list[bool] = []

    def noted(*args: Any) -> Any:
        result = func(*args)
        several.append(isinstance(result, (list, tuple)))
        return result

    found = of_functions.jacobian(noted, *given("jacobian", inputs))
    rows = [like(inputs, row) for row in found] if isinstance(found, list) else [like(inputs, [found])]
    return nodes(tuple(rows) if several[0] else rows[0], create_graph)


def hessian(func: Callable[..., Any], inputs: Any, create_graph: bool = False) -> Any:
    """The second derivatives of ``func``, which returns one number."""
    found = of_functions.hessian(func, *given("hessian", inputs))
    rows = [like(inputs, row) for row in found] if isinstance(found, list) else [like(inputs, [found])]
    return nodes(like(inputs, rows), create_graph)


def hvp(func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool = False) -> tuple[Any, Any]:
    """``func(*inputs)``, one number, and the product of its Hessian with ``v``, which has the form of ``inputs``."""
    value, products = of_functions.hvp(func, given("hvp", inputs), given("hvp", v))
    return nodes(value, create_graph), nodes(like(inputs, products), create_graph)


functional = SimpleNamespace(vjp=vjp, jvp=jvp, jacobian=jacobian, hessian=hessian, hvp=hvp, vhp=hvp)


def given(name: str, inputs: Any) -> tuple[Any, ...]:
    """Inputs as a tuple; TypeError if one of them is not a tensor."""
    several = tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)
    for x in several:
        if not isinstance(x, Node):
            raise TypeError(f"{name}: inputs are tensors, one or a tuple, not {type(x).__name__}: {x!r:.60}")
    return several


def like(inputs: Any, found: Any) -> Any:
    """One result for each input: a tuple if the inputs are one."""
    return tuple(found) if isinstance(inputs, (list, tuple)) else found[0]


def nodes(structure: Any, create_graph: bool) -> Any:
    """Results as nodes, which know where they come from with ``create_graph`` only."""
    return substitute(lambda x: as_tensor(x) if create_graph else as_tensor(x).detach(), structure)


__all__ = [
    "GradcheckError",
    "detect_anomaly",
    "functional",
    "grad",
    "gradcheck",
    "graph",
    "is_anomaly_enabled",
    "set_detect_anomaly",
]

"""Automatic differentiation, built from its graph up. Importing this is light: a name loads what it needs when used.

Parses on any Python 3, so that `__main__` can say which one is needed.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_MODULE_OF = {
    "Scalar": "scalar",
    "tensor": "scalar",
    "gradcheck": "gradcheck",
    **dict.fromkeys(("grad", "value_and_grad", "vjp", "jvp", "hvp", "jacobian", "hessian"), "functional"),
    **dict.fromkeys(("no_grad", "enable_grad", "inference_mode", "set_grad_enabled", "is_grad_enabled"), "modes"),
}
_SUBMODULES = ("engine", "draw", "checks", "widgets", "grading")


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in _MODULE_OF:
        return getattr(import_module(f"autodiff_lab.engine.{_MODULE_OF[name]}"), name)
    if name == "autograd":
        return import_module("autodiff_lab.engine.autograd")
    if name in _SUBMODULES:
        return import_module(f"autodiff_lab.{name}")
    if not name.startswith("_"):
        functions = import_module("autodiff_lab.engine.scalar").FUNCTIONS
        if name in functions:
            return functions[name]
    raise AttributeError(f"module 'autodiff_lab' has no attribute {name!r}")

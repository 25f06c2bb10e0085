"""Automatic differentiation, built from its graph up. Importing this is light: a name loads what it needs when used.

Parses on any Python 3, so that `__main__` can say which one is needed.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autodiff_lab.engine import autograd as autograd
    from autodiff_lab.engine import nn as nn
    from autodiff_lab.engine import optim as optim
    from autodiff_lab.engine.creation import (
        arange as arange,
    )
    from autodiff_lab.engine.creation import (
        eye as eye,
    )
    from autodiff_lab.engine.creation import (
        full as full,
    )
    from autodiff_lab.engine.creation import (
        full_like as full_like,
    )
    from autodiff_lab.engine.creation import (
        linspace as linspace,
    )
    from autodiff_lab.engine.creation import (
        ones as ones,
    )
    from autodiff_lab.engine.creation import (
        ones_like as ones_like,
    )
    from autodiff_lab.engine.creation import (
        rand as rand,
    )
    from autodiff_lab.engine.creation import (
        randint as randint,
    )
    from autodiff_lab.engine.creation import (
        randn as randn,
    )
    from autodiff_lab.engine.creation import (
        randperm as randperm,
    )
    from autodiff_lab.engine.creation import (
        zeros as zeros,
    )
    from autodiff_lab.engine.creation import (
        zeros_like as zeros_like,
    )
    from autodiff_lab.engine.functional import (
        grad as grad,
    )
    from autodiff_lab.engine.functional import (
        hessian as hessian,
    )
    from autodiff_lab.engine.functional import (
        hvp as hvp,
    )
    from autodiff_lab.engine.functional import (
        jacobian as jacobian,
    )
    from autodiff_lab.engine.functional import (
        jvp as jvp,
    )
    from autodiff_lab.engine.functional import (
        value_and_grad as value_and_grad,
    )
    from autodiff_lab.engine.functional import (
        vjp as vjp,
    )
    from autodiff_lab.engine.gradcheck import gradcheck as gradcheck
    from autodiff_lab.engine.interop import as_tensor as as_tensor
    from autodiff_lab.engine.interop import from_numpy as from_numpy
    from autodiff_lab.engine.modes import (
        enable_grad as enable_grad,
    )
    from autodiff_lab.engine.modes import (
        inference_mode as inference_mode,
    )
    from autodiff_lab.engine.modes import (
        is_grad_enabled as is_grad_enabled,
    )
    from autodiff_lab.engine.modes import (
        is_inference_mode_enabled as is_inference_mode_enabled,
    )
    from autodiff_lab.engine.modes import (
        no_grad as no_grad,
    )
    from autodiff_lab.engine.modes import (
        set_grad_enabled as set_grad_enabled,
    )
    from autodiff_lab.engine.scalar import (
        Scalar as Scalar,
    )
    from autodiff_lab.engine.scalar import (
        float32 as float32,
    )
    from autodiff_lab.engine.scalar import (
        float64 as float64,
    )
    from autodiff_lab.engine.scalar import (
        int64 as int64,
    )
    from autodiff_lab.engine.scalar import (
        set_default_dtype as set_default_dtype,
    )
    from autodiff_lab.engine.scalar import (
        tensor as tensor,
    )
    from autodiff_lab.engine.serialization import (
        load as load,
    )
    from autodiff_lab.engine.serialization import (
        save as save,
    )
    from autodiff_lab.engine.static.control_flow import cond as cond
    from autodiff_lab.engine.static.control_flow import scan as scan
    from autodiff_lab.engine.static.control_flow import while_loop as while_loop
    from autodiff_lab.engine.static.trace import trace as trace
    from autodiff_lab.engine.tensor import Tensor as Tensor

__version__ = "0.1.0"

_MODULE_OF = {
    **dict.fromkeys(("Scalar", "tensor", "float64", "float32", "int64", "set_default_dtype"), "engine.scalar"),
    **dict.fromkeys(("grad", "value_and_grad", "vjp", "jvp", "hvp", "jacobian", "hessian"), "engine.functional"),
    **dict.fromkeys(("no_grad", "enable_grad", "inference_mode", "set_grad_enabled"), "engine.modes"),
    **dict.fromkeys(("is_grad_enabled", "is_inference_mode_enabled"), "engine.modes"),
    "gradcheck": "engine.gradcheck",
    "trace": "engine.static.trace",
    "compile": "engine.static.compiled",
    "Program": "engine.static.program",
    **dict.fromkeys(("cond", "while_loop", "while_history", "scan"), "engine.static.control_flow"),
    "Tensor": "engine.composed",
    "gelu": "engine.composed",  # a row, and a choice
    "manual_seed": "engine.generator",
    **dict.fromkeys(("to_torch", "from_torch", "as_tensor", "from_numpy"), "engine.interop"),
    **dict.fromkeys(("checkpoint", "checkpoint_sequential", "CheckpointError"), "engine.checkpoint"),
    "cuda": "engine.devices",
    **dict.fromkeys(("arange", "eye", "full", "full_like", "linspace", "ones", "ones_like"), "engine.creation"),
    **dict.fromkeys(("rand", "randint", "randn", "randperm", "zeros", "zeros_like"), "engine.creation"),
    **dict.fromkeys(("save", "load"), "engine.serialization"),
}
_MODULES = {
    **{name: name for name in ("engine", "draw", "checks", "widgets")},
    **{name: "engine." + name for name in ("autograd", "memory", "nn", "optim")},
}


def __getattr__(name):  # type: ignore[no-untyped-def]
    from importlib import import_module

    if name in _MODULE_OF:  # found without this function from the second time on
        globals()[name] = found = getattr(import_module("autodiff_lab." + _MODULE_OF[name]), name)
        return found
    if name in globals().get("_functions", ()):
        return globals()["_functions"][name]
    if name in _MODULES:
        return import_module("autodiff_lab." + _MODULES[name])
    if not name.startswith("_"):  # every row of the op table is a function: exp, log, maximum
        functions = globals()["_functions"] = import_module("autodiff_lab.engine.scalar").FUNCTIONS
        if name not in functions:  # those for arrays: sum, matmul, conv2d
            import_module("autodiff_lab.engine.composed")
        if name in functions:
            return functions[name]
        instead = import_module("autodiff_lab.engine.instead")
        if name in instead.INSTEAD:
            instead.refuse(name)
    raise AttributeError("module 'autodiff_lab' has no attribute " + repr(name))


def __dir__():  # type: ignore[no-untyped-def]
    from importlib import import_module

    FUNCTIONS = import_module("autodiff_lab.engine.composed").FUNCTIONS
    return sorted(set(globals()).union(_MODULE_OF, _MODULES, FUNCTIONS))

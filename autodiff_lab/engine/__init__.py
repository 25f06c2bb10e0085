"""The reference engine: computational graphs over an op table. Knows nothing of notebooks, widgets or grading.

To read it, begin with the first block; each module says in its first lines what its one idea is.

    ops           the op table: one row per primitive on numbers
    scalar        the scalar node, whose arithmetic is generated from the table; `node` is what all nodes are
    rules         from a row to code: forward methods, and the pulls of the sweep
    backward      the one reverse sweep
    functional    grad, vjp, jvp, jacobian, hessian, hvp of functions; `derivatives` of nodes; `gradcheck`

    structured    the rows for arrays only; `composed` what is made of rows: losses, conv2d, pooling
    tensor        the tensor node; `methods`, `record`, `array_rules`: how it computes, and writes down what it does
    backend       what NumPy and torch are called on to do; `dtypes`, `devices`, `arrays`, `crossing`, `interop`
    formulas      formulas rewritten for arrays, and (`choice`) for programs of scalars; `ieee` where Python would raise
    function      steps with several operands or several results
    messages      what went wrong, in words

    modes         no_grad, inference_mode, hooks on saved values; `hooks`, `grad_fn`, `anomaly` look at single nodes
    checkpoint    compute again instead of keeping; `memory` measures what that saves
    creation      new tensors; `generator` random numbers; `serialization` safetensors files
    nn, optim     modules, layers, optimizers, schedules

    static        trace (a function written down), program (what was written), printing, passes, control_flow,
                  steps, memory_plan, codegen, compiled (to one Python function), lowering, and the exports
                  onnx_export, torch_export, tensorboard, portable
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Modules of the engine load when they are first named: ``autodiff_lab.engine.ops.TABLE``."""
    from importlib import import_module
    from importlib.util import find_spec

    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

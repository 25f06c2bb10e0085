"""Programs in PyTorch: as a module of torch's own operations, or as one operation whose derivative is our program.

Importing this imports torch.
"""

from __future__ import annotations

import math
import operator

from autodiff_lab.engine.array_rules import forward
from autodiff_lab.engine.arrays import numpy_from_torch, torch_from_numpy
from autodiff_lab.engine.backend import torch_backend
from autodiff_lab.engine.devices import import_torch
from autodiff_lab.engine.dtypes import dtype_name
from autodiff_lab.engine.functional import vjp
from autodiff_lab.engine.static.lowering import complete
from autodiff_lab.engine.static.passes import optimize
from autodiff_lab.engine.static.program import Instruction, Program, Var, example, matched, vars_in
from autodiff_lab.engine.static.trace import trace
from autodiff_lab.engine.structures import leaves, substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch
    from torch import fx
else:
    torch = import_torch("a program in PyTorch")
    fx = torch.fx


def to_torch(program: Program) -> fx.GraphModule:
    """A program as a module whose code, ``module.code``, calls torch; torch differentiates and compiles it.

    It takes the program's arguments as torch tensors, in the same structure. Numbers may be Python's as well; computed
    ones are float64 tensors without dimensions. What the program captured become parameters, of which the module has
    copies; its constants become buffers. A program of NumPy arrays computes the same on torch tensors.
    """
    return Writer(program).module


class Writer:
    """A module under way: the formulas of the rows are evaluated on proxies, which write down what torch has to do."""

    def __init__(self, program: Program) -> None:
        self.root = torch.nn.Module()
        self.graph = fx.Graph()
        self.tracer = fx.proxy.GraphAppendingTracer(self.graph)
        self.values: dict[Var, Any] = {}
        for i, argument in enumerate(program.inputs):
            name = argument.name if isinstance(argument, Var) else f"x{i}_"
            self.unpack(argument, fx.Proxy(self.graph.placeholder(name), self.tracer))
        for x, node in program.captured.items():
            self.root.register_parameter(
                x.name, torch.nn.Parameter(as_torch(x, node._data).clone(), node.requires_grad)
            )
            self.held(x)
        for x, data in program.constants.items():
            self.root.register_buffer(x.name, as_torch(x, data).clone())
            self.held(x)
        for step in program.instructions:
            self.add(step)
        self.graph.output(substitute(lambda x: self.values[x].node if isinstance(x, Var) else x, program.outputs))
        self.module = fx.GraphModule(self.root, self.graph, program.name)

    def unpack(self, structure: Any, proxy: Any) -> None:
        """Give the values in an argument their proxies."""
        if isinstance(structure, Var):
            if structure.kind == "scalar":
                proxy = self.call(torch.as_tensor, proxy, dtype=torch.float64)
            self.know(structure, proxy)
        elif vars_in(structure):
            for key, part in structure.items() if isinstance(structure, dict) else enumerate(structure):
                self.unpack(part, proxy[key])

    def held(self, x: Var) -> None:
        """Give a parameter or buffer its proxy."""
        self.know(x, fx.Proxy(self.graph.get_attr(x.name), self.tracer))

    def know(self, x: Var, proxy: Any) -> None:
        """Let a proxy stand for a value. Formulas ask it for what is known of the value."""
        proxy.shape, proxy.ndim, proxy.dtype = x.shape, x.ndim, getattr(torch, x.dtype)
        self.values[x] = proxy

    def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Write a call of a function down."""
        return self.tracer.create_proxy("call_function", function, args, kwargs)

    def inner(self, step: Instruction, module: Any, *args: Any) -> list[Any]:
        """Write a call of a module inside of this one down, which returns a list."""
        name = f"{step.op.name}_{len(list(self.root.children()))}"
        self.root.add_module(name, module)
        results: Any = self.tracer.create_proxy("call_module", name, args, {})
        return [results[i] for i in range(len(step.writes))]

    def add(self, step: Instruction) -> None:
        """Write a step down."""
        put = lambda x: self.values[x] if isinstance(x, Var) else x  # noqa: E731
        operands, params = substitute(put, step.operands), substitute(put, step.params)
        size = len(self.graph.nodes)
        if step.op.name in ROWS:
            result = ROWS[step.op.name](self, step, *operands, *params)
        elif step.op.name in ("cat", "stack"):
            result = forward(step.op, "a", torch_backend())(None, list(operands), None, None, *params)
        else:
            kind = "".join("-" if isinstance(x, Var) else "#" for x in step.operands)
            result = forward(step.op, kind, torch_backend())(None, *(*operands, None)[:2], None, *params)
        if isinstance(result, list):
            for x, proxy in zip(step.writes, result, strict=True):
                self.know(x, proxy)
            return
        if not isinstance(result, fx.Proxy) or len(self.graph.nodes) == size:
            result = self.call(torch.clone, result)  # the value under a name of its own
        result.node._rename(step.result.name)
        self.know(step.result, result)


def as_torch(x: Var, data: Any) -> Any:
    """What a program holds, as a torch tensor."""
    if x.kind == "scalar":
        return torch.tensor(data, dtype=torch.float64)
    return data.detach() if x.kind == "torch" else torch_from_numpy(data)


# Rows that torch computes in another way than the formula says, or that ask an operand for what a proxy does not know.
# Each function gets the writer, the step, the operands, and the parameters.


def log_softmax(w: Writer, step: Instruction, a: Any, dim: Any) -> Any:
    return torch.log_softmax(a, dim[0] if dim else 0) if len(dim) < 2 else a - torch.logsumexp(a, dim, True)


def softmax(w: Writer, step: Instruction, a: Any, dim: Any) -> Any:
    return torch.softmax(a, dim[0] if dim else 0) if len(dim) < 2 else torch.exp(log_softmax(w, step, a, dim))


def where(w: Writer, step: Instruction, a: Any, b: Any, condition: Any) -> Any:
    condition = condition if condition.dtype is torch.bool else condition.bool()
    y = torch.where(condition, a, b)
    return y if isinstance(a, fx.Proxy) or isinstance(b, fx.Proxy) else y.to(getattr(torch, step.result.dtype))


def fold(w: Writer, step: Instruction, a: Any, size: Any, stride: Any, dilation: Any, shape: Any) -> Any:
    *_, rows, columns, height, width = a.shape
    columns = a.reshape(-1, rows * columns, height * width).mT
    return torch.nn.functional.fold(columns, shape[-2:], size, dilation, 0, stride).reshape(shape)


def unindex(w: Writer, step: Instruction, a: Any, index: Any, shape: Any) -> Any:
    parts = index if isinstance(index, tuple) else (index,)
    if all(isinstance(part, fx.Proxy) for part in parts):
        return a.new_zeros(shape).index_put(parts, a, accumulate=True)
    places = w.call(torch.arange, math.prod(shape), device=a.device).reshape(shape)
    places = taken(w, places, step.params[0], shape, step.operands[0].kind != "torch").reshape(-1)
    return a.new_zeros(math.prod(shape)).index_add(0, places, a.reshape(-1)).reshape(shape)


def getitem(w: Writer, step: Instruction, a: Any, index: Any, shape: Any) -> Any:
    return taken(w, a, step.params[0], shape, step.operands[0].kind != "torch")


def taken(w: Writer, a: Any, index: Any, shape: Any, like_numpy: bool) -> Any:
    """``a[index]``. Torch reads forwards only, so that a dimension may have to be reversed first.

    Where there is a slice between arrays, their dimensions come to the front. Beside arrays NumPy takes a number for an
    array too, and torch does not.
    """
    arrays: list[Var] = []

    def integers(x: Var) -> list[Any]:
        arrays.append(x)
        if x.dtype != "bool":
            return [w.values[x]]
        found = w.call(torch.nonzero, w.values[x], as_tuple=True)
        return [found[i] for i in range(x.ndim)]

    parts = complete(index, len(shape), integers)
    axes = [i for i, part in enumerate(parts) if part is not None]
    for axis, i in enumerate(axes):
        if isinstance(parts[i], slice) and (parts[i].step or 1) < 0:
            places = range(shape[axis])[parts[i]]
            a = torch.flip(a, (axis,))
            start = shape[axis] - 1 - places.start
            parts[i] = slice(start, start - places.step * len(places), -places.step)
    y = a[tuple(parts)]
    with_numbers = [isinstance(part, (int, fx.Proxy)) for part in parts]
    without = [isinstance(part, fx.Proxy) for part in parts if type(part) is not int]
    if like_numpy and arrays and apart(with_numbers) and not apart(without):
        ndim, at = max(1 if x.dtype == "bool" else x.ndim for x in arrays), without.index(True)
        y = torch.movedim(y, tuple(range(at, at + ndim)), tuple(range(ndim)))
    return y


def apart(chosen: list[bool]) -> bool:
    """Whether something that is not chosen lies between what is."""
    first = chosen.index(True)
    return not all(chosen[first : first + sum(chosen)])


# Control flow, as modules that do what Python does


class Choice(torch.nn.Module):
    """One of two modules of the same arguments."""

    def __init__(self, first: Program, second: Program) -> None:
        super().__init__()
        self.first, self.second = to_torch(first), to_torch(second)

    def forward(self, pred: Any, operands: Any) -> list[Any]:
        return list(map(as_tensor, leaves((self.first if pred else self.second)(*operands))))


class WhileLoop(torch.nn.Module):
    """A loop while a module says so; with a ``history`` it returns what was carried into each step, stacked."""

    def __init__(self, test: Program, body: Program, history: bool) -> None:
        super().__init__()
        self.test, self.body, self.history = to_torch(test), to_torch(body), history

    def forward(self, carried: Any, fixed: Any) -> list[Any]:
        seen = []
        start = list(map(as_tensor, leaves(carried)))
        while self.test(*carried, *fixed):
            seen.append(list(map(as_tensor, leaves(carried))))
            carried = self.body(*carried, *fixed)
        if not self.history:
            return list(map(as_tensor, leaves(carried)))
        return (
            [torch.stack(x) for x in zip(*seen, strict=True)] if seen else [x.new_empty((0, *x.shape)) for x in start]
        )


class Scan(torch.nn.Module):
    """A loop along the first dimension of tensors."""

    def __init__(self, body: Program, reverse: bool) -> None:
        super().__init__()
        self.body, self.reverse = to_torch(body), reverse
        self.ys = list(leaves(body.outputs[1]))

    def forward(self, carry: Any, xs: Any, fixed: Any) -> list[Any]:
        size = next(leaves(xs)).shape[0]
        found = []
        for i in reversed(range(size)) if self.reverse else range(size):
            carry, y = self.body(carry, substitute(operator.itemgetter(i), xs), *fixed)
            found.append(list(map(as_tensor, leaves(y))))
        columns = zip(*found[:: -1 if self.reverse else 1], strict=True)
        empty = [torch.empty((0, *x.shape), dtype=getattr(torch, x.dtype)) for x in self.ys if isinstance(x, Var)]
        return [*map(as_tensor, leaves(carry)), *(map(torch.stack, columns) if found else empty)]


def as_tensor(x: Any) -> Any:
    """A number as a tensor, in float64; a tensor as it is."""
    return x if isinstance(x, torch.Tensor) else torch.tensor(0.0 if x is None else x, dtype=torch.float64)


def while_loop(w: Writer, step: Instruction, test: Program, body: Program, carried: Any, fixed: Any) -> Any:
    return w.inner(step, WhileLoop(test, body, step.op.name == "while_history"), carried, fixed)


ROWS: dict[str, Any] = {
    "softmax": softmax,
    "log_softmax": log_softmax,
    "var": lambda w, step, a, dim, keepdim, shape, correction: (
        torch.var(a, dim, correction=correction, keepdim=keepdim) if dim else (a - a) / max(1 - correction, 0)
    ),
    "cross_entropy": lambda w, step, a, target: torch.nn.functional.cross_entropy(a, target),
    "where": where,
    "fold": fold,
    "getitem": getitem,
    "unindex": unindex,
    "detach": lambda w, step, a: a.detach(),
    "to_device": lambda w, step, a, device, before: a.to(str(device)),
    "to_scalar": lambda w, step, a: a.reshape(()).to(torch.float64),
    "to_tensor": lambda w, step, a, kind, device, dtype: a.to(getattr(torch, dtype_name(dtype))),
    "cond": lambda w, step, pred, first, second, operands: w.inner(step, Choice(first, second), pred, operands),
    "while_loop": while_loop,
    "while_history": while_loop,
    "scan": lambda w, step, body, init, xs, fixed, reverse: w.inner(step, Scan(body, reverse), init, xs, fixed),
}


# A program as one operation of torch's


class TorchFunction:
    """A program as a function of torch tensors: torch calls it forward, and its pullback, a program too, backward.

    Made by `torch_function`. The pullback is again such a function, so that derivatives have derivatives. It is traced
    when it is first needed, once for each choice of arguments that require grad.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.inputs = vars_in(program.inputs)
        self.outputs = vars_in(program.outputs)
        self.pullbacks: dict[tuple[bool, ...], TorchFunction] = {}

    @torch.compiler.disable  # type: ignore[untyped-decorator]  # torch.compile leaves this call as it is
    def __call__(self, *args: Any) -> Any:
        """The program on torch tensors, in the structure that was traced; numbers may be Python's too."""
        if len(args) != len(self.program.inputs):
            raise TypeError(f"{self.program.name} takes {len(self.program.inputs)} arguments, not {len(args)}")
        given = [as_tensor(y) for _, y in matched(self.program.inputs, args, self.program.name)]
        results = iter(Apply.apply(self, *given))  # type: ignore[no-untyped-call]
        return substitute(lambda x: next(results) if isinstance(x, Var) else x, self.program.outputs)

    def run(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """The values that the program gives, as torch tensors."""
        given = iter(tensors)
        args = substitute(lambda x: as_given(next(given), x) if isinstance(x, Var) else x, self.program.inputs)
        results = zip(leaves(self.program.outputs), leaves(self.program(*args)), strict=True)
        return tuple(as_torch(x, y) for x, y in results if isinstance(x, Var))

    def pullback(self, needed: tuple[bool, ...]) -> TorchFunction:
        """From the inputs, and the adjoints of the floating outputs, to the adjoints of the ``needed`` inputs."""
        if needed not in self.pullbacks:
            self.pullbacks[needed] = TorchFunction(optimize(trace(self.pull(needed), *self.examples())))
        return self.pullbacks[needed]

    def examples(self) -> tuple[list[Any], list[Any]]:
        """Arguments of a pullback."""
        return list(map(example, self.inputs)), [example(x) for x in self.outputs if "float" in x.dtype]

    def pull(self, needed: tuple[bool, ...]) -> Any:
        """What a pullback is the program of."""

        def pullback(inputs: list[Any], adjoints: list[Any]) -> tuple[Any, ...]:
            def outputs(*chosen: Any) -> tuple[Any, ...]:
                new, old = iter(chosen), iter(zip(inputs, needed, strict=True))

                def one(x: Any) -> Any:
                    if not isinstance(x, Var):
                        return x
                    given, is_new = next(old)
                    return next(new) if is_new else given

                found = leaves(self.program(*substitute(one, self.program.inputs)))
                pairs = zip(leaves(self.program.outputs), found, strict=True)
                return tuple(y for x, y in pairs if isinstance(x, Var) and "float" in x.dtype)

            _, back = vjp(outputs, *(x for x, is_new in zip(inputs, needed, strict=True) if is_new))
            return back(tuple(adjoints))

        return pullback


class Apply(torch.autograd.Function):
    """What torch records of a call of a `TorchFunction`."""

    @staticmethod
    def forward(ctx: Any, function: TorchFunction, *tensors: Any) -> tuple[Any, ...]:
        results = function.run(tensors)
        ctx.function = function
        ctx.save_for_backward(*tensors)
        ctx.mark_non_differentiable(*(y for y in results if not y.is_floating_point()))
        return results

    @staticmethod
    def backward(ctx: Any, *adjoints: Any) -> tuple[Any, ...]:
        needed = ctx.needs_input_grad[1:]
        given = [g for g, x in zip(adjoints, ctx.function.outputs, strict=True) if "float" in x.dtype]
        found = iter(ctx.function.pullback(needed)(list(ctx.saved_tensors), given))
        return None, *(as_tensor(next(found)) if wanted else None for wanted in needed)


def torch_function(program: Program) -> TorchFunction:
    """A program as a function of torch tensors, to use inside of a torch model.

    Our program computes it, and our pullback, traced from it, its gradients, of every order. A program of NumPy arrays
    works on the memory of the tensors, which are on the CPU then; one of torch arrays on the tensors, on its device.
    What the program captured is constant to torch: what torch is to train has to be an argument.
    """
    return TorchFunction(program)


def as_given(tensor: Any, x: Var) -> Any:
    """A tensor as what the program takes for ``x``."""
    if x.kind == "scalar":
        return float(tensor)
    return tensor.detach() if x.kind == "torch" else numpy_from_torch(tensor)

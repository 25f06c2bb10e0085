"""From instructions on NumPy arrays to steps: single calls that write into memory, wherever it is.

Nothing is written down here about rows. A row's formula is evaluated with symbols in the place of arrays; what it does
with them, operator by operator and call by call, are the steps. The same step on the same values is taken once.
"""

from __future__ import annotations

import functools
import math
from keyword import iskeyword

from autodiff_lab.engine import ops
from autodiff_lab.engine.array_rules import forward, forward_text
from autodiff_lab.engine.backend import MANY, bound, numpy_backend
from autodiff_lab.engine.static.printing import literal, number, subscript
from autodiff_lab.engine.static.program import Var
from autodiff_lab.engine.structures import leaves, substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from autodiff_lab.engine.static.program import Instruction

    namespace: Any = None  # the composed functions find these names among the symbolic ones
    amax = count = degrees = exp = log = maximum = minimum = namespace
    picked = silence = sum = namespace


np: Any = None  # NumPy is imported when the first program on its arrays is lowered


class Value:
    """What a step computes or reads.

    name     in the generated code
    place    "given" (an argument), "constant", "buffer" (planned memory), "view" of another value, or "loose": a
             number, or memory that a function has allocated
    example  an array of the same shape, dtype and layout
    base     of a view: what it shows; `template` says how
    shares   of a loose value: the values whose memory it may show
    """

    __slots__ = ("base", "example", "name", "place", "shares", "template")

    def __init__(self, name: str, place: str, example: Any) -> None:
        self.name = name
        self.place = place
        self.example = example
        self.base: Value | None = None
        self.template = ""
        self.shares: tuple[Value, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """A tuple of sizes."""
        return self.example.shape  # type: ignore[no-any-return]

    @property
    def dtype(self) -> Any:
        """NumPy's dtype."""
        return self.example.dtype

    @property
    def at_rest(self) -> bool:
        """Whether it is where it is before the program runs, so that a view of it is made once."""
        return self.place in ("buffer", "constant") or (self.base is not None and self.base.at_rest)


class Step:
    """One statement: ``template`` with the names of the inputs and of the result in it.

    in_place  "same": the result may be written over an input of the same size; "first": the step changes its first
              input, or a copy of it; "": the result needs memory of its own
    """

    __slots__ = ("in_place", "inputs", "more", "out", "template")

    def __init__(self, template: str, inputs: list[Value], out: Value, in_place: str, more: Any = ()) -> None:
        self.template = template
        self.inputs = inputs
        self.out = out
        self.in_place = in_place
        self.more = more  # further results, of control flow


class Symbol:
    """A value as a formula sees it. Operators are steps."""

    __slots__ = ("lowering", "value")
    __hash__ = None  # type: ignore[assignment]
    device = "cpu"

    def __init__(self, lowering: Lowering, value: Value) -> None:
        self.lowering = lowering
        self.value = value

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def ndim(self) -> int:
        return len(self.value.shape)

    @property
    def dtype(self) -> Any:
        return self.value.dtype

    @property
    def mT(self) -> Symbol:
        n = self.ndim
        return self.lowering.permute(self, (*range(n - 2), n - 1, n - 2))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Symbol:
        return self.lowering.getitem(self, index)

    def __neg__(self) -> Symbol:
        return self.lowering.ufunc("negative", self)

    def __invert__(self) -> Symbol:
        return self.lowering.ufunc("invert", self)

    def __pow__(self, other: Any) -> Symbol:
        return self.lowering.pow(self, other)


# Python's operators and the functions of formulas that are ufuncs of NumPy
OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
}
UFUNC_OF = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "==": "equal",
    "!=": "not_equal",
}
INFIX = {name: sign for sign, name in UFUNC_OF.items()}
FUNCTIONS = {name: name for name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "maximum", "minimum", "erf")}
FUNCTIONS["abs"] = "absolute"
MAY_WARN = frozenset(("divide", "log", "sqrt", "power", "exp", "reciprocal"))


def operator_method(sign: str, reflected: bool) -> Callable[..., Symbol]:
    """What Python calls for an infix operator on a symbol."""

    def method(self: Symbol, other: Any) -> Symbol:
        pair = (other, self) if reflected else (self, other)
        return self.lowering.matmul(*pair) if sign == "@" else self.lowering.ufunc(UFUNC_OF[sign], *pair)

    return method


for _name, _sign in OPERATORS.items():
    setattr(Symbol, f"__{_name}__", operator_method(_sign, False))
    if _name not in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Symbol, f"__r{_name}__", operator_method(_sign, True))


# What functions of the backend are made of: their parts are shared between rows, and need no memory of their own.


def softmax(a: Any, dim: Any) -> Any:
    e = exp(a - amax(a, dim, True))
    return e / sum(e, dim, True)


def log_softmax(a: Any, dim: Any) -> Any:
    y = a - amax(a, dim, True)
    return y - log(sum(exp(y), dim, True))


def keeping_cross_entropy(a: Any, target: Any) -> Any:
    y = a - amax(a, (1,), True)
    rest = log(sum(exp(y), (1,), False)) - picked(y, target)
    return (sum(rest, (0,), False) / (len(target) or math.nan),)


def stable_sigmoid(a: Any) -> Any:
    silence()
    return 1 / (1 + exp(-a))


def mean(a: Any, dim: Any, keepdim: bool) -> Any:
    return sum(a, dim, keepdim) / count(a.shape, dim)


def var(a: Any, dim: Any, keepdim: bool, correction: float) -> Any:
    silence()
    distance = a - mean(a, dim, True)
    return sum(distance * distance, dim, keepdim) / degrees(a.shape, dim, correction)


def clip(a: Any, min: Any, max: Any) -> Any:
    a = a if min is None else maximum(a, min)
    return a if max is None else minimum(a, max)


COMPOSED = (softmax, log_softmax, keeping_cross_entropy, stable_sigmoid, mean, var, clip)


def function_of(name: str) -> Any:
    """A ufunc."""
    if name == "erf":
        from scipy.special import erf  # type: ignore[import-untyped]

        return erf
    return getattr(np, name)


def positions(target: Any, rows: Any, shape: tuple[int, ...]) -> Any:
    """Where in a flattened array the elements are that ``target`` names for each row; IndexError if there are none."""
    try:
        return np.ravel_multi_index((rows, target), shape)
    except ValueError:
        raise IndexError(
            f"there are {shape[1]} classes, numbered from 0, and a target is none of them: {np.unique(target)}"
        ) from None


class Lowering:
    """The steps so far, and the names that formulas are evaluated with.

    names      what the generated code finds as globals, besides its buffers
    steps      in order
    silent     whether a step is expected to meet infinities
    """

    def __init__(self) -> None:
        global np
        import numpy

        np = numpy
        self.backend = numpy_backend()
        self.backend.look_up_helpers()
        self.names: dict[str, Any] = {}
        self.steps: list[Step] = []
        self.silent = False
        self.made: dict[Any, Value] = {}
        self.values: dict[Var, Value] = {}
        self.risky: set[Value] = set()
        self.kept: list[Any] = []
        self.current = "t"
        symbolic: dict[str, Any] = dict(self.backend.names)
        symbolic.update(
            {name: functools.partial(self.call, name) for name, f in self.backend.names.items() if callable(f)}
        )
        for function in (*ops.HELPERS.values(), *COMPOSED):
            symbolic[function.__name__] = bound(function, symbolic)
        symbolic.update({name: functools.partial(self.ufunc, ufunc) for name, ufunc in FUNCTIONS.items()})
        for method in ("amax", "amin", "astype", "cat", "expand", "getitem", "matmul", "minus_one_at", "permute"):
            symbolic[method] = getattr(self, method)
        for method in ("picked", "pow", "reshape", "silence", "stack", "sum", "where"):
            symbolic[method] = getattr(self, method)
        symbolic["copy"] = lambda a: a  # no step changes what another one reads
        self.symbolic = symbolic

    # Values

    def given(self, x: Var) -> Value:
        """An argument."""
        self.current = x.name
        self.values[x] = Value(self.free(), "given", np.zeros(x.shape, x.dtype))
        return self.values[x]

    def constant(self, x: Var, array: Any) -> Value:
        """An array that is part of the program."""
        self.current = x.name
        self.values[x] = Value(self.free(), "constant", np.asarray(array))
        self.names[self.values[x].name] = array
        return self.values[x]

    def free(self) -> str:
        """A name for a value."""
        name, n = self.current, 0
        while name in self.names or name in self.symbolic or hasattr(np, name) or iskeyword(name):
            n += 1
            name = f"{self.current}_{n}"
        self.names[name] = None
        return name

    def number(self, x: Any, dtype: Any) -> Value:
        """A plain number as an array without dimensions, so that it is not converted at each call."""
        key = "number", str(dtype), repr(x)
        if key not in self.made:
            before, self.current = self.current, "k"
            out = Value(self.free(), "constant", np.array(x, dtype))
            self.current = before
            self.names[out.name] = out.example
            self.made[key] = out
        return self.made[key]

    def bind(self, x: Any) -> str:
        """A parameter as text; what cannot be written is given a name."""
        if isinstance(x, (bool, int, str)) or x is None or (isinstance(x, float) and math.isfinite(x)):
            return repr(x)
        text = f"parameter_{len(self.kept)}"
        self.kept.append(x)
        self.names[text] = x
        return text

    # Steps

    def emit(
        self, template: str, inputs: list[Value], example: Any, place: str = "buffer", in_place: str = ""
    ) -> Value:
        """The value of a step; the one that is there already if the step has been taken."""
        key = template, tuple(map(id, inputs))
        if key not in self.made:
            out = Value(self.free(), place, example)
            self.steps.append(Step(template, inputs, out, in_place))
            self.made[key] = out
            self.risky.update([out] * any(x in self.risky for x in inputs if in_place))
        return self.made[key]

    def view(self, a: Symbol, template: str, example: Any) -> Symbol:
        """A value that shows the memory of another one."""
        key = template, (id(a.value),)
        if key not in self.made:
            out = Value(self.free(), "view", example)
            out.base, out.template = a.value, template
            self.made[key] = out
            self.risky.update([out] * (a.value in self.risky))
        return Symbol(self, self.made[key])

    def ufunc(self, name: str, *args: Any) -> Symbol:
        """One call of a ufunc."""
        operands = [x.value if isinstance(x, Symbol) else x for x in args]
        shape = np.broadcast_shapes(*(x.shape for x in operands if isinstance(x, Value)))
        function = function_of(name)
        kinds = [x.dtype if isinstance(x, Value) else np.dtype(bool) if type(x) is bool else type(x) for x in operands]
        *types, dtype = function.resolve_dtypes((*kinds, None))
        self.names[name] = function
        if shape == ():
            inputs = [x for x in operands if isinstance(x, Value)]
            fields = iter(range(len(inputs)))
            texts = [f"{{{next(fields)}}}" if isinstance(x, Value) else number(x) for x in operands]
            text = f"{texts[0]} {INFIX[name]} {texts[1]}" if name in INFIX else f"{name}({', '.join(texts)})"
            out = self.emit(f"{{out}} = {text}", inputs, np.zeros((), dtype), "loose", "same")
        else:
            inputs = [
                self.number(x, t) if not isinstance(x, Value) else unexpanded(x, operands, shape)
                for x, t in zip(operands, types, strict=True)
            ]
            text = ", ".join(f"{{{i}}}" for i in range(len(inputs)))
            keyword = "out=" if name in ("maximum", "minimum") else ""
            out = self.emit(f"{name}({text}, {keyword}{{out}})", inputs, np.zeros(shape, dtype), in_place="same")
        if name in MAY_WARN:
            self.risky.add(out)
        return Symbol(self, out)

    def reduce(self, name: str, a: Symbol, dim: Sequence[int], keepdim: bool) -> Symbol:
        """A reduction by a ufunc; the axes are kept, and left out afterwards by a view."""
        function = function_of(name).reduce
        self.names[f"{name}_reduce"] = function
        dim = tuple(dim)
        if not a.ndim or (not keepdim and len(dim) == a.ndim):
            example = np.asarray(function(np.zeros((1,) * a.ndim, a.dtype), axis=dim))
            axis = "None" if len(dim) == a.ndim else repr(dim)
            return Symbol(self, self.emit(f"{{out}} = {name}_reduce({{0}}, {axis})", [a.value], example, "loose"))
        shape = tuple(1 if i in dim else n for i, n in enumerate(a.shape))
        example = np.zeros(shape, function(np.zeros((1,) * a.ndim, a.dtype), axis=dim).dtype)
        axis = repr(dim[0] if len(dim) == 1 else dim)
        y = Symbol(self, self.emit(f"{name}_reduce({{0}}, {axis}, None, {{out}}, True)", [a.value], example))
        return y if keepdim else self.reshape(y, tuple(n for i, n in enumerate(a.shape) if i not in dim))

    def sum(self, a: Symbol, dim: Any, keepdim: bool) -> Symbol:
        last = tuple(dim) == tuple(range(a.ndim - len(dim), a.ndim)) and a.value.base is None
        if a.dtype == np.float32 and not last and math.prod(a.shape[i] for i in dim) > MANY:
            return self.call("sum", a, dim, keepdim)  # type: ignore[no-any-return]  # in a wider dtype
        return self.reduce("add", a, dim, keepdim)

    def amax(self, a: Symbol, dim: Any, keepdim: bool) -> Symbol:
        return self.reduce("maximum", a, dim, keepdim)

    def amin(self, a: Symbol, dim: Any, keepdim: bool) -> Symbol:
        return self.reduce("minimum", a, dim, keepdim)

    def matmul(self, a: Symbol, b: Symbol) -> Symbol:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        shape = (*batch, *a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ()))
        dtype = np.result_type(a.dtype, b.dtype)
        self.names["matmul"] = np.matmul
        inputs = [a.value, b.value]
        if not shape:
            return Symbol(self, self.emit("{out} = matmul({0}, {1})", inputs, np.zeros((), dtype), "loose"))
        return Symbol(self, self.emit("matmul({0}, {1}, {out})", inputs, np.zeros(shape, dtype)))

    def pow(self, a: Any, b: Any) -> Symbol:
        if not isinstance(b, Symbol) and "f" in a.dtype.kind and b in (-1, 0.5, 1, 2):
            if b == 1:
                return a  # type: ignore[no-any-return]
            return self.ufunc({-1: "reciprocal", 0.5: "sqrt", 2: "square"}[b], a)
        return self.ufunc("power", a, b)

    def where(self, condition: Any, a: Any, b: Any) -> Symbol:
        """A choice; one between a number and zero masks bits, as the backend's does."""
        if any(isinstance(x, Symbol) and x.value in self.risky for x in (a, b)):
            self.silent = True
        zero, other = (a, b) if isinstance(b, Symbol) else (b, a)
        if (
            isinstance(other, Symbol)
            and type(zero) is float
            and str(zero) == "0.0"
            and other.dtype in (np.float32, np.float64)
            and condition.ndim
            and np.broadcast_shapes(condition.shape, other.shape) == other.shape
        ):
            chosen = condition if zero is b else self.ufunc("logical_not", condition)
            word = np.dtype(f"i{other.dtype.itemsize}")
            self.names["negative"] = np.negative
            bits = self.bits(chosen, np.dtype("int8")).value
            mask = self.emit("negative({0}, {out})", [bits], np.zeros(chosen.shape, word))
            masked = self.ufunc("bitwise_and", Symbol(self, mask), self.bits(other, word))
            return self.bits(masked, other.dtype)
        return self.call("where", condition, a, b)  # type: ignore[no-any-return]

    def bits(self, a: Symbol, dtype: Any) -> Symbol:
        """The same bits, understood as another dtype of the same size."""
        if a.value.base is not None and a.value.template.startswith("{0}.view(") and a.value.base.dtype == dtype:
            return Symbol(self, a.value.base)
        return self.view(a, f"{{0}}.view({str(dtype)!r})", a.value.example.view(dtype))

    # Shapes

    def reshape(self, a: Symbol, shape: Any) -> Symbol:
        shape, x = tuple(shape), a.value
        if shape == a.shape:
            return a
        if x.at_rest and not x.example.flags.c_contiguous:
            x = self.copied(a, a.dtype)
        return self.view(Symbol(self, x), f"{{0}}.reshape({shape})", x.example.reshape(shape))

    def copied(self, a: Symbol, dtype: Any) -> Value:
        """The same elements in memory of their own."""
        self.names["copyto"] = np.copyto
        return self.emit('copyto({out}, {0}, "unsafe")', [a.value], np.zeros(a.shape, dtype))

    def permute(self, a: Symbol, dims: Any) -> Symbol:
        dims = tuple(dims)
        if dims == tuple(range(a.ndim)):
            return a
        if a.value.template == f"{{0}}.transpose({dims})" and a.ndim == 2:
            return Symbol(self, a.value.base)  # type: ignore[arg-type]
        return self.view(a, f"{{0}}.transpose({dims})", a.value.example.transpose(dims))

    def expand(self, a: Symbol, shape: Any) -> Symbol:
        shape = tuple(shape)
        if shape == a.shape:
            return a
        self.names["broadcast_to"] = np.broadcast_to
        return self.view(a, f"broadcast_to({{0}}, {shape})", np.broadcast_to(a.value.example, shape))

    def getitem(self, a: Symbol, index: Any) -> Symbol:
        parts = index if isinstance(index, tuple) else (index,)
        if all(part is None or part is Ellipsis or isinstance(part, (int, slice)) for part in parts):
            example = a.value.example[index]
            if isinstance(example, np.ndarray) and not any(isinstance(part, bool) for part in parts):
                return self.view(a, f"{{0}}[{subscript(index, {})}]", example)
        return self.call("getitem", a, index)  # type: ignore[no-any-return]

    def astype(self, a: Symbol, dtype: Any) -> Symbol:
        if np.dtype(dtype) == a.dtype:
            return a
        if not a.ndim:
            return self.call("astype", a, str(dtype))  # type: ignore[no-any-return]
        return Symbol(self, self.copied(a, np.dtype(dtype)))

    def cat(self, a: Sequence[Symbol], dim: int) -> Symbol:
        self.names["concatenate"] = np.concatenate
        fields = "".join(f"{{{i}}}, " for i in range(len(a)))
        example = np.concatenate([x.value.example for x in a], dim)
        return Symbol(self, self.emit(f"concatenate(({fields}), {dim}, {{out}})", [x.value for x in a], example))

    def stack(self, a: Sequence[Symbol], dim: int) -> Symbol:
        return self.cat([self.reshape(x, (*x.shape[:dim], 1, *x.shape[dim:])) for x in a], dim)

    def picked(self, a: Symbol, target: Symbol) -> Symbol:
        """For each row the element in the column that ``target`` names."""
        inputs = [a.value, self.positions(a.shape, target)]
        return Symbol(self, self.emit("{out} = {0}.take({1})", inputs, np.zeros(target.shape, a.dtype), "loose"))

    def minus_one_at(self, a: Symbol, target: Symbol) -> Symbol:
        inputs = [a.value, self.positions(a.shape, target)]
        example = np.zeros(a.shape, a.dtype)
        return Symbol(self, self.emit("{out}.reshape(-1)[{1}] -= 1", inputs, example, "buffer", "first"))

    def positions(self, shape: tuple[int, ...], target: Symbol) -> Value:
        """Where the elements are that ``target`` names, counted through all rows."""
        rows, x = f"rows_{shape[0]}", target.value
        self.names[rows] = np.arange(shape[0])
        self.names["positions"] = positions
        if x.place == "constant":
            key = "positions", shape, x.name
            if key not in self.made:
                self.made[key] = Value(self.free(), "constant", positions(x.example, self.names[rows], shape))
                self.names[self.made[key].name] = self.made[key].example
            return self.made[key]
        example = np.zeros(target.shape, np.int64)
        return self.emit(f"{{out}} = positions({{0}}, {rows}, {shape})", [x], example, "loose")

    # Everything else

    def silence(self) -> None:
        self.silent = True

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """A call of the backend's own function, which allocates its result."""
        return self.opaque(name, self.backend.names[name], [*args], kwargs)

    def opaque(self, name: str, function: Any, args: Any, kwargs: Any) -> Any:
        """A step that calls a function as it is."""
        inputs: list[Value] = []

        def text(x: Any) -> str:
            if isinstance(x, Symbol):
                inputs.append(x.value)
                return f"{{{len(inputs) - 1}}}"
            if isinstance(x, (list, tuple)) and any(isinstance(part, Symbol) for part in leaves(x)):
                inner = ", ".join(map(text, x))
                return f"[{inner}]" if isinstance(x, list) else f"({inner},)"
            if isinstance(x, slice):
                return literal(x, {})
            return self.bind(x)

        shown = [text(x) for x in args] + [f"{key}={text(x)}" for key, x in kwargs.items()]
        show = lambda x: x.value.example if isinstance(x, Symbol) else x  # noqa: E731
        with np.errstate(all="ignore"):
            example = function(*substitute(show, args), **substitute(show, kwargs))
        if not inputs and not isinstance(example, np.ndarray):
            return example
        if not isinstance(example, (np.ndarray, np.generic)):
            raise TypeError(f"{name} gives a {type(example).__name__}")
        self.names[name] = function
        shares = [x for x in inputs if np.may_share_memory(x.example, example)]
        out = self.emit(f"{{out}} = {name}({', '.join(shown)})", inputs, np.asarray(example), "loose")
        out.shares = tuple(shares)
        return Symbol(self, out)

    def instruction(self, step: Instruction) -> None:
        """Take the steps of an instruction on arrays."""
        assert isinstance(step.result, Var)
        self.current = step.result.name
        kind, (a, b) = kind_of(step), substitute(self.symbol, arguments_of(step))
        params = [substitute(self.symbol, x) for x in step.params]
        values = {"a": a, "b": b, **dict(zip(step.op.params, params, strict=True))}
        out: Any = None
        whole = [x.example for x in self.read(step)] + [np.zeros(step.result.shape, step.result.dtype)]
        if all(x.size and x.dtype != np.float16 for x in whole):
            before = self.silent
            try:
                out = eval(forward_text(step.op, kind, self.backend), self.symbolic, values)
            except Exception:  # the formula asks for more than symbols can do; it is called as it is
                self.silent = before
        if not (isinstance(out, Symbol) and (out.shape, str(out.dtype)) == (step.result.shape, step.result.dtype)):
            function = forward(step.op, kind, self.backend)
            out = self.opaque(f"{step.op.name}_{kind.replace('#', 'n')}", function, [None, a, b, None, *params], {})
        self.values[step.result] = out.value

    def other(self, step: Instruction, name: str, function: Any) -> None:
        """Call an instruction that is no formula on NumPy arrays as it is."""
        self.names[name] = function
        inputs = list(dict.fromkeys(self.read(step)))
        results = []
        for x in step.writes:
            self.current = x.name
            example = np.zeros(x.shape, x.dtype) if x.kind == "numpy" else np.zeros(())
            self.values[x] = Value(self.free(), "loose", example)
            self.values[x].shares = tuple(inputs)  # which ones it may show is not known
            results.append(self.values[x])
        if results:
            texts = "".join(f"{x.name}, " for x in results)
            fields = ", ".join(f"{{{i}}}" for i in range(len(inputs)))
            self.steps.append(Step(f"{texts}= {name}({fields})", inputs, results[0], "", results[1:]))

    def need(self, name: str) -> None:
        """Let the generated code find a function of NumPy."""
        self.names[name] = getattr(np, name)

    def read(self, step: Instruction) -> list[Value]:
        """The values that an instruction reads."""
        return [self.values[x] for x in step.reads]

    def symbol(self, x: Any) -> Any:
        """A value of the program as formulas see it."""
        return Symbol(self, self.values[x]) if isinstance(x, Var) else x


def kind_of(step: Instruction) -> str:
    """What the operands of a step are: "ab", or "a#" where the second one is a number."""
    if step.op.name in ("cat", "stack"):
        return "a"
    return "".join(letter if isinstance(x, Var) else "#" for x, letter in zip(step.operands, "ab", strict=False))


def arguments_of(step: Instruction) -> tuple[Any, Any]:
    """What the formula of a step calls ``a`` and ``b``."""
    if step.op.name in ("cat", "stack"):
        return list(step.operands), None
    return step.operands[0], step.operands[1] if len(step.operands) > 1 else None


def unexpanded(x: Value, operands: list[Any], shape: tuple[int, ...]) -> Value:
    """An operand without an expansion that the operation does by itself."""
    while x.base is not None and x.template.startswith("broadcast_to("):
        others = [y.shape for y in operands if isinstance(y, Value) and y is not x]
        if np.broadcast_shapes(x.base.shape, *others) != shape:
            break
        x = x.base
    return x

"""Modules: functions with parameters. What PyTorch's `torch.nn.Module` does, as far as a course needs it.

A module is an ordinary object: parameters, buffers and modules are its attributes. What is noted beside them is only
which attribute is which.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import NamedTuple

from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.backend import backend_of
from autodiff_lab.engine.backward import accumulating
from autodiff_lab.engine.dtypes import is_floating
from autodiff_lab.engine.hooks import RemovableHandle
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.scalar import Scalar, tensor
from autodiff_lab.engine.tensor import Tensor, make, zero_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self

changes = [0]  # how often an attribute of a module has been set to something else: compiled functions look at it
PARAMETER = "a parameter"  # stands in the `_number` of such a leaf, which has no other use for it


class _Kind(type):
    """`isinstance(x, Parameter)` asks for the mark: a node of a class of its own would miss the fast methods."""

    def __instancecheck__(cls, x: object) -> bool:
        return isinstance(x, Node) and getattr(x, "_number", None) is PARAMETER


class Parameter(metaclass=_Kind):
    """``Parameter(data)``: a leaf over the same array that requires grad, and which a module notes as its own.

    data  a tensor, a `Scalar`, an array or numbers, of any shape and a floating dtype

    Raises RuntimeError for integers, unless ``requires_grad=False``.
    """

    def __new__(cls, data: Any, requires_grad: bool = True) -> Any:
        number = isinstance(data, (Scalar, Real))
        node = tensor(data._data if isinstance(data, Scalar) else data) if number else make(data)
        node.requires_grad = requires_grad
        node._number = PARAMETER
        return node


class Incompatible(NamedTuple):
    """What `Module.load_state_dict` returns: the keys that did not match, possible with ``strict=False`` only."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class Module:
    """The base of all layers and models: assign parameters and modules to attributes, and define ``forward``."""

    training = True
    _kinds: dict[str, str]  # attribute -> "parameter", "module", "buffer" or "unsaved buffer"
    _forward_hooks: dict[Any, Callable[..., Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        module = super().__new__(cls)
        module.__dict__.update(_kinds={}, _forward_hooks={})
        return module

    def __setstate__(self, state: dict[str, Any]) -> None:  # a copied or unpickled leaf has lost the mark
        self.__dict__.update(state)
        for _, parameter in self._own("parameter"):
            parameter._number = PARAMETER

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes; each kind of module defines it."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it computes: define forward(self, x)")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        output = self.forward(*args, **kwargs)
        if self._forward_hooks:
            for hook in list(self._forward_hooks.values()):
                replaced = hook(self, args, output)
                output = output if replaced is None else replaced
        return output

    def register_forward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after each ``forward``; what it returns, unless None, is the output."""
        handle = RemovableHandle(self._forward_hooks)
        self._forward_hooks[handle] = hook
        changes[0] += 1
        return handle

    # What is registered

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (Module, Parameter)):
            self._kinds[name] = "module" if isinstance(value, Module) else "parameter"
        elif value is not None and self._kinds.get(name) in ("module", "parameter"):
            kind = self._kinds[name]
            raise TypeError(
                f"{type(self).__name__}.{name} is a {kind}; a {type(value).__name__} cannot take its place. "
                + ("Wrap it: nn.Parameter(value); or change it in place, under no_grad()." * (kind == "parameter"))
            )
        if value is not self.__dict__.get(name, self):
            changes[0] += 1
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        changes[0] += 1
        super().__delattr__(name)
        self._kinds.pop(name, None)

    def register_parameter(self, name: str, param: Any) -> None:
        """The same as an assignment; with None the name is known, but there is no parameter."""
        setattr(self, name, param)
        self._kinds[name] = "parameter"

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """A tensor that belongs to the module but is not trained: it moves with it, and `state_dict` has it."""
        setattr(self, name, tensor)
        self._kinds[name] = "buffer" if persistent else "unsaved buffer"

    def add_module(self, name: str, module: Module | None) -> None:
        """The same as an assignment, for names that are no identifiers."""
        setattr(self, name, module)
        self._kinds[name] = "module"

    def _own(self, *kinds: str) -> Iterator[tuple[str, Any]]:
        """The attributes of some kinds, by name, in the order in which they were registered."""
        for name, kind in list(self._kinds.items()):
            if kind in kinds and self.__dict__[name] is not None:
                yield name, self.__dict__[name]

    def _all(self, *kinds: str, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Any]]:
        """The attributes of this module and of all modules in it, each once."""
        seen = set()
        for path, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            for name, value in module._own(*kinds):
                if id(value) not in seen:
                    seen.add(id(value))
                    yield joined(path, name), value

    def named_modules(self, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
        """This module and all modules in it, with their paths (``layers.0``), parents first."""
        seen = set()
        stack = [(prefix, self)]
        while stack:
            path, module = stack.pop()
            if module not in seen or not remove_duplicate:
                seen.add(module)
                yield path, module
                stack += reversed([(joined(path, name), child) for name, child in module._own("module")])

    def modules(self) -> Iterator[Module]:
        """This module and all modules in it, parents first."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly in this one, with their names."""
        return self._all("module", recurse=False)

    def children(self) -> Iterator[Module]:
        """The modules directly in this one."""
        return (module for _, module in self.named_children())

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Any]]:
        """The parameters of this module and of all modules in it, with their paths (``layers.0.weight``), each once."""
        return self._all("parameter", prefix=prefix, recurse=recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """The parameters of this module and of all modules in it, each once: what an optimizer takes."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Any]]:
        """The buffers of this module and of all modules in it, with their paths."""
        return self._all("buffer", "unsaved buffer", prefix=prefix, recurse=recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """The buffers of this module and of all modules in it."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    # Changes to all of them

    def train(self, mode: bool = True) -> Self:
        """Switch to training, where dropout drops; ``train(False)`` is ``eval()``."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        """Switch to evaluation, where dropout does nothing."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Let all parameters be trained, or none."""
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        zero_grad(self.parameters(), set_to_none)

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call ``fn`` with every module in this one, and with this one last."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def to(self, *targets: Any, device: Any = None, dtype: Any = None) -> Self:
        """Convert parameters and buffers: ``to("float32")``, ``to("cuda")``; integers keep their dtype.

        The parameters remain the same nodes, so an optimizer made before knows them; its state does not move.
        TypeError for a dtype that parameters cannot have.
        """
        for x in [*self.parameters(), *self.buffers()]:
            for node in (x, x.grad):
                if isinstance(node, Tensor):
                    moved = node.detach().to(*targets, device=device, dtype=dtype)
                    if not is_floating(node.dtype):
                        moved = moved.to(dtype=node.dtype)
                    elif not is_floating(moved.dtype):
                        raise TypeError(
                            f"{type(self).__name__}.to(): parameters are floating numbers, not {moved.dtype}"
                        )
                    node.__class__ = type(moved)
                    node._change(moved._data)
        return self

    def float(self) -> Self:
        """In float32."""
        return self.to("float32")

    def double(self) -> Self:
        """In float64."""
        return self.to("float64")

    def cpu(self) -> Self:
        """On the CPU."""
        return self.to("cpu")

    def cuda(self) -> Self:
        """On the first CUDA device."""
        return self.to("cuda")

    # State

    def state_dict(self) -> dict[str, Any]:
        """Parameters and persistent buffers by path, detached. It is a snapshot: training goes on in other arrays."""
        return {
            joined(path, name): value.detach()
            for path, module in self.named_modules(remove_duplicate=False)
            for kind in ("parameter", "buffer")
            for name, value in module._own(kind)
        }

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> Incompatible:
        """Take the values of ``state_dict``: tensors or arrays, NumPy's or torch's, by path.

        strict  whether all keys must match
        assign  put the given arrays in the place of the parameters, instead of copying their values; dtype, device and
                the kind of array are then theirs

        Raises RuntimeError, and changes nothing, for shapes that differ, for what is no array and, if ``strict``, for
        missing or unexpected keys; TypeError for what is not a dict.
        """
        places = {
            joined(path, name): (module, name, value)
            for path, module in self.named_modules(remove_duplicate=False)
            for kind in ("parameter", "buffer")
            for name, value in module._own(kind)
        }
        if not isinstance(state_dict, Mapping):
            raise TypeError(
                f"load_state_dict takes a dict of values by path, not a {type(state_dict).__name__}: write "
                "model.load_state_dict(other.state_dict()), or ad.load(path) for a file."
            )
        found = Incompatible(
            [key for key in places if key not in state_dict], [k for k in state_dict if k not in places]
        )
        wrong = []
        for key, (_, _, value) in places.items():
            given = state_dict.get(key, value)
            ours, theirs = shape_of(value), shape_of(given)
            if not isinstance(given, (Node, Real)) and backend_of(given) is None:
                wrong.append(f"{key} is a {type(given).__name__} there, not a tensor, an array or a number")
            elif ours != theirs:
                wrong.append(f"{key} has shape {ours} here and {theirs} there")
        if strict and found.missing_keys:
            wrong.append(f"missing: {', '.join(found.missing_keys)}")
        if strict and found.unexpected_keys:
            wrong.append(f"unexpected: {', '.join(map(str, found.unexpected_keys))}")
        if wrong:
            lines = "\n  ".join(wrong)
            hint = "" if found == ([], []) else "\nWith strict=False keys may be missing or unexpected."
            raise RuntimeError(f"the state does not fit into {type(self).__name__}:\n  {lines}{hint}")
        for key, (module, name, value) in places.items():
            if key in state_dict:
                if assign:
                    own = module._kinds[name] == "parameter"
                    given = Parameter(state_dict[key], value.requires_grad) if own else make(state_dict[key])
                    setattr(module, name, given)
                else:
                    take(value, state_dict[key])
        return found

    # What it looks like

    def extra_repr(self) -> str:
        """What the printed form says of the module itself: sizes and options."""
        return ""

    def __repr__(self) -> str:
        lines = [f"({name}): {module!r}".replace("\n", "\n  ") for name, module in self._own("module")]
        own = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({own})"
        return "\n  ".join([f"{type(self).__name__}(", *[own] * bool(own), *lines]) + "\n)"


def joined(path: str, name: str) -> str:
    """A path one step longer."""
    return f"{path}.{name}" if path else name


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of a tensor or array; () for a number."""
    return tuple(getattr(value, "shape", ()))


def take(x: Any, value: Any) -> None:
    """Copy elements of the same shape into a leaf, which keeps its dtype, its device and its kind of array."""
    if isinstance(x, Scalar):
        x.data = float(value)
    else:
        array = as_array(value, x._backend, x.dtype, x.device)
        x._change(array.copy() if x._backend.name == "numpy" else array.clone())


def zero_grad(parameters: Any, set_to_none: bool) -> None:
    """Forget gradients, or set them to zero."""
    with accumulating:
        for x in parameters:
            if set_to_none or x._grad is None:
                x._grad = None
            else:
                x._grad = zero_like(x._grad) if isinstance(x._grad, Tensor) else 0.0

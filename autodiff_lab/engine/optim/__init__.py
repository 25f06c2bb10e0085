"""Optimizers: from gradients to new values. Names, arguments, defaults and the form of the state are `torch.optim`'s.

The rules are computed on bare arrays, and for a `Scalar` on floats, by the same lines.
"""

from __future__ import annotations

import copy
import sys
from collections import defaultdict
from numbers import Real

from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.modes import current, enable_grad
from autodiff_lab.engine.nn.module import zero_grad
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.optim import lr_scheduler as lr_scheduler
from autodiff_lab.engine.scalar import Scalar
from autodiff_lab.engine.tensor import NumpyTensor, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "lr_scheduler"]


class Optimizer:
    """What all optimizers have in common.

    params    the leaves to be changed; or groups of them, dicts with "params" and with options that differ
    defaults  the options of groups that do not say otherwise

    ``param_groups`` are these groups, with all options; ``state`` has what is kept for each leaf from step to step.
    Raises ValueError for an empty list, a leaf given twice, or a number out of range; TypeError for what is no leaf.
    """

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Node):
            raise TypeError(f"{type(self).__name__} takes a list of parameters, not one of them: write [x]")
        if hasattr(params, "parameters"):
            what = f"{type(self).__name__} takes a list of parameters, not a {type(params).__name__}"
            raise TypeError(f"{what}: write model.parameters()")
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        given = list(params)
        if not given:
            raise ValueError(
                f"{type(self).__name__} got an empty list of parameters; a generator is empty when used twice"
            )
        for group in given if isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Change these leaves as well, with options of their own."""
        params = param_group["params"]
        group = {**self.defaults, **param_group, "params": [params] if isinstance(params, Node) else list(params)}
        known = {id(x) for other in self.param_groups for x in other["params"]}
        for x in group["params"]:
            if not isinstance(x, Node):
                raise TypeError(
                    f"{type(self).__name__} changes tensors and scalars, not a {type(x).__name__}: use tensor()"
                )
            if not x.is_leaf:
                raise ValueError(
                    f"{type(self).__name__} changes leaves; the {x.op} node {x._in_words()} is computed: detach() it"
                )
            if id(x) in known:
                raise ValueError(f"a parameter {x._in_words()} is given twice, and would be changed twice in a step")
            known.add(id(x))
        for name in ("lr", "eps", "weight_decay", "momentum"):
            if not isinstance(group.get(name, 0), Real) or not group.get(name, 0) >= 0:
                raise ValueError(f"{type(self).__name__}: {name} is {group[name]!r}; it is a number, 0 or more")
        for beta in group.get("betas", ()):
            if not 0 <= beta < 1:
                raise ValueError(f"{type(self).__name__}: betas are {group['betas']}; each is from 0 to 1, less than 1")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all leaves, or set them to zero."""
        zero_grad(self._leaves(), set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change each leaf that has a gradient. With a ``closure`` that computes the loss anew, return that."""
        loss = enable_grad()(closure)() if closure is not None else None
        for group in self.param_groups:
            for x in group["params"]:
                g = x.grad
                if g is not None:
                    g = g._data if isinstance(g, Node) else g
                    subtract(x, float(group["lr"]), self._direction(x._data, g, self.state[x], group))
        return loss

    def _direction(self, x: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> Any:
        """What, times ``lr``, is subtracted from the value ``x`` of a leaf with gradient ``g``: arrays, or floats.

        Neither is written to; what is in ``state`` belongs to the optimizer, and may be.
        """
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """Options and state, as plain data: leaves are numbered in the order in which they were given. A copy."""
        number = {x: i for i, x in enumerate(self._leaves())}
        groups = [{**group, "params": [number[x] for x in group["params"]]} for group in self.param_groups]
        return copy.deepcopy({"state": {number[x]: kept for x, kept in self.state.items()}, "param_groups": groups})

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a state that `state_dict` gave, here or in PyTorch; ValueError if the groups are other ones."""
        groups = state_dict["param_groups"]
        sizes = [[len(group["params"]) for group in both] for both in (self.param_groups, groups)]
        if sizes[0] != sizes[1]:
            raise ValueError(f"groups of {sizes[0]} parameters here, but of {sizes[1]} in the state to be loaded")
        leaves = dict(zip([i for group in groups for i in group["params"]], self._leaves(), strict=True))
        for ours, theirs in zip(self.param_groups, groups, strict=True):
            ours.update({name: copy.deepcopy(value) for name, value in theirs.items() if name != "params"})
        self.state = defaultdict(dict)
        for i, kept in state_dict["state"].items():
            self.state[leaves[i]] = {name: loaded(name, value, leaves[i]) for name, value in kept.items()}

    def _leaves(self) -> list[Any]:
        return [x for group in self.param_groups for x in group["params"]]

    def __repr__(self) -> str:
        lines = []
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([f"{type(self).__name__} (", *lines, ")"])


BLOCK = 1 << 15  # elements: what is computed of so many is still in the cache when it is used


def subtract(x: Any, lr: float, direction: Any) -> None:
    """``x -= lr * direction``, in the memory of ``x`` if nobody else can see it: if only the node refers to it."""
    if type(x) is NumpyTensor:
        if current().trace is None and sys.getrefcount(x._data) == 2 and x._data.base is None and x._data.ndim:
            data = x._data
            x._hold(data)  # it is no view, and nobody has one
            if data.size > BLOCK and data.flags.c_contiguous and direction.flags.c_contiguous:
                flat, step = data.reshape(-1), direction.reshape(-1)
                for i in range(0, data.size, BLOCK):
                    flat[i : i + BLOCK] -= lr * step[i : i + BLOCK]
            else:
                data -= lr * direction
        else:
            x._change(x._data - lr * direction)
    elif isinstance(x, Tensor):  # views of a torch array cannot be counted
        x._change(x._data.sub(direction, alpha=lr))
    else:
        x.data -= lr * direction


def loaded(name: str, value: Any, x: Any) -> Any:
    """A part of the state of ``x`` as it is kept: an array like that of ``x``, a float, or a count."""
    if name == "step":
        return int(value)
    if value is None or isinstance(x, Scalar):
        return value if value is None else float(value)
    return copy.deepcopy(as_array(value, x._backend, x.dtype, x._data.device))


class SGD(Optimizer):
    """Stochastic gradient descent: ``x -= lr * g``; with momentum along a decaying sum of the gradients."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
    ) -> None:
        if nesterov and (momentum <= 0 or dampening):
            raise ValueError("SGD: nesterov takes a momentum, and no dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
            },
        )

    def _direction(self, x: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> Any:
        if group["weight_decay"]:
            g = g + group["weight_decay"] * x
        momentum = group["momentum"]
        if momentum:
            velocity = state.get("momentum_buffer")
            if velocity is None:
                velocity = g * 1  # the first gradient as it is, in memory of its own
            else:
                velocity *= momentum
                velocity += g if not group["dampening"] else g * (1 - group["dampening"])
            state["momentum_buffer"] = velocity
            g = g + momentum * velocity if group["nesterov"] else velocity
        return g


class Adam(Optimizer):
    """Steps of about ``lr`` for each element, whatever the size of its gradients (Kingma and Ba 2015).

    ``betas`` are the decay of the mean gradient and of its mean square; ``weight_decay`` is added to the gradient.
    """

    decoupled = False  # whether the decay acts on the value itself, not by way of the gradient

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
    ) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def _direction(self, x: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> Any:
        (beta1, beta2), decay = group["betas"], group["weight_decay"]
        if decay and not self.decoupled:
            g = g + decay * x
        t = state["step"] = state.get("step", 0) + 1
        if t == 1:
            mean, square = (1 - beta1) * g, (1 - beta2) * (g * g)
        else:
            mean, square = state["exp_avg"], state["exp_avg_sq"]
            mean *= beta1
            mean += (1 - beta1) * g
            square *= beta2
            square += (1 - beta2) * (g * g)
        state["exp_avg"], state["exp_avg_sq"] = mean, square
        size = square**0.5
        size /= (1 - beta2**t) ** 0.5
        size += group["eps"]
        direction = mean / size
        direction /= 1 - beta1**t
        if decay and self.decoupled:
            direction += decay * x
        return direction


class AdamW(Adam):
    """`Adam` with a weight decay that does not go through the means (Loshchilov and Hutter 2019)."""

    decoupled = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)

"""What to write instead of names of PyTorch's that the engine has not, where Python would guess at the spelling."""

from __future__ import annotations

from autodiff_lab.engine.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# What is in quotes computes the same, and differentiably; ``x``, ``y`` are tensors, ``n``, ``k`` numbers.
ORDER = "x[numpy.argsort(x.detach().numpy())]"
SOLVED = "numpy.linalg on x.detach().numpy(), without a gradient"
WITHOUT = "np.{}(x.detach()), without a gradient, as its derivative is 0"
INSTEAD = {
    "sort": f"{ORDER} for one dimension",
    "argsort": "numpy.argsort(x.detach().numpy())",
    "topk": "x[numpy.argsort(-x.detach().numpy())[:k]] for one dimension",
    "median": "x[numpy.argsort(x.detach().numpy())[(len(x) - 1) // 2]] for one dimension",
    "quantile": f"{ORDER}, and of that the element or elements in question",
    "unique": "numpy.unique(x.detach().numpy())",
    "nonzero": "numpy.nonzero(x.detach().numpy())",
    "square": "x * x",
    "reciprocal": "1 / x",
    "rsqrt": "1 / x.sqrt()",
    "log1p": "(1 + x).log()",
    "log2": "x.log() / math.log(2)",
    "log10": "x.log() / math.log(10)",
    "expm1": "x.exp() - 1",
    "exp2": "2**x",
    "tan": "x.sin() / x.cos()",
    "sinh": "(x.exp() - (-x).exp()) / 2",
    "cosh": "(x.exp() + (-x).exp()) / 2",
    "logit": "(x / (1 - x)).log()",
    "logaddexp": "stack([x, y]).logsumexp(0)",
    "lerp": "x + n * (y - x)",
    "sign": "where(x > 0, 1.0, where(x < 0, -1.0, 0.0))",
    "isnan": "x != x",
    "isinf": "x.abs() == math.inf",
    "isfinite": "x.abs() < math.inf",
    "floor": WITHOUT.format("floor"),
    "ceil": WITHOUT.format("ceil"),
    "round": WITHOUT.format("round"),
    "dot": "x @ y",
    "mm": "x @ y",
    "bmm": "x @ y",
    "mv": "x @ y",
    "addmm": "x + y @ z",
    "outer": "x[:, None] * y[None, :]",
    "einsum": "permute(), reshape(), @ and sum()",
    "cdist": "((x[:, None] - y[None]) ** 2).sum(-1).sqrt()",
    "norm": "(x * x).sum().sqrt()",
    "cumprod": "x.log().cumsum(0).exp() where x > 0",
    "cummax": "stack([x[: i + 1].max() for i in range(len(x))])",
    "cummin": "stack([x[: i + 1].min() for i in range(len(x))])",
    "flip": "x[range(len(x) - 1, -1, -1)]",
    "roll": "cat([x[-n:], x[:-n]])",
    "vstack": "cat([x, y], 0)",
    "hstack": "cat([x, y], -1)",
    "tile": "cat([x] * n)",
    "repeat": "cat([x] * n)",
    "repeat_interleave": "x[numpy.repeat(range(len(x)), n)]",
    "tril": "x * tensor(numpy.tri(*x.shape))",
    "triu": "x * tensor(numpy.tri(*x.shape).T)",
    "diagonal": "x[range(len(x)), range(len(x))]",
    "diag": "x[range(len(x)), range(len(x))]",
    "masked_fill": "where(mask, n, x)",
    "masked_select": "x[mask]",
    "narrow": "x[k : k + n]",
    "select": "x[k]",
    "take": "x.reshape(-1)[index]",
    "t": "x.T",
    "ravel": "x.reshape(-1)",
    "view_as": "x.reshape(y.shape)",
    "reshape_as": "x.reshape(y.shape)",
    "movedim": "x.permute(...)",
    "moveaxis": "x.permute(...)",
    "contiguous": "x",
    "type_as": "x.to(y)",
    "half": 'x.to("float16")',
    "empty": "zeros(...)",
    "empty_like": "zeros_like(x)",
    "randn_like": "randn(x.shape)",
    "rand_like": "rand(x.shape)",
    "numel": "x.numel()",
    "is_tensor": "isinstance(x, Tensor)",
    "allclose": "numpy.allclose(x.detach().numpy(), y.detach().numpy())",
    "count_nonzero": "(x != 0).sum()",
    "nansum": "where(x == x, x, 0.0).sum()",
    "bincount": "numpy.bincount(x.numpy())",
    "vmap": "the function on a tensor with one dimension more",
    "func": "grad, vjp, jvp, jacobian, hessian and hvp of this package itself",
    "inverse": SOLVED,
    "det": SOLVED,
    "svd": SOLVED,
    "linalg": SOLVED,
    "detach_": "x = x.detach()",
    "normal_": "x.copy_(randn(x.shape))",
    "uniform_": "x.copy_(rand(x.shape))",
}
ON_ELEMENTS = (
    "relu exp log sqrt abs neg sin cos tanh sigmoid erf clamp clip masked_fill squeeze unsqueeze transpose cumsum"
)
INSTEAD.update((f"{name}_", f"x = x.{name}(...)") for name in ON_ELEMENTS.split())


def refuse(name: str) -> NoReturn:
    """AttributeError for a name that the engine has not. Without the object, from whose names Python would guess."""
    raise AttributeError(f"the engine has no {name}: write {INSTEAD[name]}", name=name, obj=None)


class Missing:
    """Stands in the place of a method that there is not."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, node: Any, owner: Any) -> Any:
        refuse(self.name)


def names_of(node: Any) -> list[str]:
    """What ``dir(node)`` lists: the names that it has."""
    return [name for name in object.__dir__(node) if name not in INSTEAD or hasattr(node, name)]


Node.__dir__ = names_of  # type: ignore[assignment, method-assign]
for _name in INSTEAD:
    if not hasattr(Node, _name):
        setattr(Node, _name, Missing(_name))

"""The layers: modules with PyTorch's names, arguments, `state_dict` keys and initial values."""

from __future__ import annotations

import itertools
import math

from autodiff_lab.engine.creation import zeros
from autodiff_lab.engine.nn import functional, init
from autodiff_lab.engine.nn.module import Module, Parameter
from autodiff_lab.engine.structured import pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


def parameter(*shape: int, dtype: Any = None, device: Any = None) -> Any:
    """A parameter whose values are still to be set; float64 and a NumPy array, unless something else is asked for."""
    return Parameter(zeros(shape, dtype=dtype, device=device))


def uniform_by_fan_in(module: Any) -> None:
    """PyTorch's initial values of linear and convolutional layers: uniform, up to 1 / √(inputs of an output)."""
    bound = 1 / math.sqrt(max(init.fans(module.weight)[0], 1))
    init.uniform_(module.weight, -bound, bound)
    if module.bias is not None:
        init.uniform_(module.bias, -bound, bound)


# Containers


class Sequential(Module):
    """Modules one after the other: each gets what the one before returned."""

    def __init__(self, *modules: Any) -> None:
        for name, module in (
            modules[0].items() if len(modules) == 1 and isinstance(modules[0], dict) else enumerate(modules)
        ):
            if not callable(module):
                raise TypeError(f"Sequential: part {name} is a {type(module).__name__}, not a module: {module!r:.60}")
            self.add_module(str(name), module)

    def forward(self, x: Any) -> Any:
        for _, module in self._own("module"):
            x = module(x)
        return x

    def append(self, module: Module) -> Sequential:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self) -> int:
        return len(list(self.children()))

    def __iter__(self) -> Iterator[Module]:
        return self.children()

    def __getitem__(self, index: int | slice) -> Any:
        modules = [module for _, module in self._own("module")]
        return Sequential(*modules[index]) if isinstance(index, slice) else modules[index]


class ModuleList(Module):
    """A list of modules that a module may hold; a plain list would hide their parameters."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        self.extend(modules)

    def append(self, module: Module) -> ModuleList:
        """Add a module at the end."""
        return self.extend([module])

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add modules at the end."""
        for module in modules:
            self.add_module(str(len(self)), module)
        return self

    def __len__(self) -> int:
        return len(self._kinds)

    def __iter__(self) -> Iterator[Module]:
        return (module for _, module in self._own("module"))

    def __getitem__(self, index: int | slice) -> Any:
        modules = list(self)
        return ModuleList(modules[index]) if isinstance(index, slice) else modules[index]


class MLP(Sequential):
    """Linear layers with a nonlinearity between them: ``MLP(64, 128, 10)``. Not in PyTorch.

    sizes       the features of the input, of each hidden layer, and of the output
    activation  called for each nonlinearity to be made
    """

    def __init__(
        self, *sizes: int, activation: Callable[[], Module] | None = None, dtype: Any = None, device: Any = None
    ) -> None:
        if len(sizes) < 2:
            raise ValueError(f"MLP{sizes}: give at least the sizes of the input and of the output")
        layers: list[Module] = []
        for inputs, outputs in itertools.pairwise(sizes):
            layers += Linear(inputs, outputs, dtype=dtype, device=device), (activation or ReLU)()
        super().__init__(*layers[:-1])


# Layers with parameters


class Linear(Module):
    """``x @ weight.T + bias``: (…, in_features) to (…, out_features); ``weight`` is (out_features, in_features)."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        self.in_features, self.out_features = in_features, out_features
        self.weight = parameter(out_features, in_features, dtype=dtype, device=device)
        self.bias = parameter(out_features, dtype=dtype, device=device) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        uniform_by_fan_in(self)

    def forward(self, x: Any) -> Any:
        return functional.linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Conv2d(Module):
    """Cross-correlation of images: (n, in_channels, height, width) to (n, out_channels, rows, columns).

    kernel_size, stride, padding, dilation  a number, or a pair for down and across; ``padding`` also "same", "valid"
    groups                                  into how many parts, apart from each other, the channels fall
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        *,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if in_channels % groups or out_channels % groups:
            raise ValueError(
                f"Conv2d: {in_channels} and {out_channels} channels do not fall into {groups} equal groups"
            )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = pair(kernel_size), pair(stride), pair(dilation)
        self.padding = padding if isinstance(padding, str) else pair(padding)
        self.weight = parameter(out_channels, in_channels // groups, *self.kernel_size, dtype=dtype, device=device)
        self.bias = parameter(out_channels, dtype=dtype, device=device) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        uniform_by_fan_in(self)

    def forward(self, x: Any) -> Any:
        return functional.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        text: str = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        usual = {"padding": (0, 0), "dilation": (1, 1), "groups": 1}
        changed = [f", {name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        return text + "".join(changed) + ", bias=False" * (self.bias is None)


class Embedding(Module):
    """A table of vectors: integers of any shape to (…, embedding_dim)."""

    def __init__(self, num_embeddings: int, embedding_dim: int, *, device: Any = None, dtype: Any = None) -> None:
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = parameter(num_embeddings, embedding_dim, dtype=dtype, device=device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        init.normal_(self.weight)

    def forward(self, x: Any) -> Any:
        return functional.embedding(x, self.weight)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"


class LayerNorm(Module):
    """Mean 0 and variance 1 over the last dimensions, then an elementwise scale and shift that are learned."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        shape = self.normalized_shape
        self.weight = parameter(*shape, dtype=dtype, device=device) if elementwise_affine else None
        self.bias = parameter(*shape, dtype=dtype, device=device) if elementwise_affine and bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Scale 1, shift 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, x: Any) -> Any:
        return functional.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"


# Layers without


class Identity(Module):
    """What it is given. Takes any arguments when it is made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def forward(self, x: Any) -> Any:
        return x


class ReLU(Module):
    """The greater of 0 and x, elementwise."""

    def forward(self, x: Any) -> Any:
        return x.relu()


class GELU(Module):
    """x times the normal distribution function of x, elementwise."""

    def forward(self, x: Any) -> Any:
        return x.gelu()

    def extra_repr(self) -> str:
        return "approximate='none'"


class Tanh(Module):
    """The hyperbolic tangent, elementwise."""

    def forward(self, x: Any) -> Any:
        return x.tanh()


class Sigmoid(Module):
    """1 / (1 + exp(-x)), elementwise."""

    def forward(self, x: Any) -> Any:
        return x.sigmoid()


class Softmax(Module):
    """Positive numbers that add up to 1 along ``dim``."""

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        return x.softmax(self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Dropout(Module):
    """In training each element is 0 with probability ``p``, else divided by ``1 - p``; in evaluation it stays."""

    def __init__(self, p: float = 0.5) -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"Dropout: p is a probability, from 0 to 1, not {p}")
        self.p = p

    def forward(self, x: Any) -> Any:
        return functional.dropout(x, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace=False"


class Flatten(Module):
    """The dimensions from ``start_dim`` to ``end_dim`` as one: of images, everything but the batch."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, x: Any) -> Any:
        return x.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class MaxPool2d(Module):
    """The greatest element of each window."""

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        self.kernel_size, self.stride, self.padding = kernel_size, kernel_size if stride is None else stride, padding

    def forward(self, x: Any) -> Any:
        return functional.max_pool2d(x, self.kernel_size, self.stride, self.padding)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation=1, ceil_mode=False"
        )


class AvgPool2d(Module):
    """The mean of each window, in which the border counts as zeros."""

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        self.kernel_size, self.stride, self.padding = kernel_size, kernel_size if stride is None else stride, padding

    def forward(self, x: Any) -> Any:
        return functional.avg_pool2d(x, self.kernel_size, self.stride, self.padding)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class CrossEntropyLoss(Module):
    """`functional.cross_entropy` of logits and class numbers."""

    def __init__(self, *, reduction: str = "mean", label_smoothing: float = 0.0) -> None:
        self.reduction, self.label_smoothing = reduction, label_smoothing

    def forward(self, input: Any, target: Any) -> Any:
        return functional.cross_entropy(input, target, reduction=self.reduction, label_smoothing=self.label_smoothing)


class MSELoss(Module):
    """`functional.mse_loss`: the mean squared difference."""

    def __init__(self, *, reduction: str = "mean") -> None:
        self.reduction = reduction

    def forward(self, input: Any, target: Any) -> Any:
        return functional.mse_loss(input, target, self.reduction)


# Attention


class MultiheadAttention(Module):
    """Attention in several heads, each on its own part of the features (Vaswani et al. 2017).

    embed_dim    the features, ``num_heads`` times those of a head
    batch_first  whether sequences are (n, length, embed_dim) instead of (length, n, embed_dim)

    One weight of shape (3 · embed_dim, embed_dim) makes queries, keys and values, in this order.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        *,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim % num_heads:
            raise ValueError(f"MultiheadAttention: {embed_dim} features cannot be shared out to {num_heads} heads")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.in_proj_weight = parameter(3 * embed_dim, embed_dim, dtype=dtype, device=device)
        self.in_proj_bias = parameter(3 * embed_dim, dtype=dtype, device=device) if bias else None
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype=dtype, device=device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new values."""
        init.xavier_uniform_(self.in_proj_weight)
        self.out_proj.reset_parameters()
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        *,
        need_weights: bool = True,
        attn_mask: Any = None,
        is_causal: bool = False,
    ) -> tuple[Any, Any]:
        """What each query finds, in the shape of the queries, and the weights (n, L, S), averaged over the heads.

        need_weights  with False the second result is None
        attn_mask     booleans, True where a key must not be looked at (the opposite of what
                      `functional.scaled_dot_product_attention` takes); or numbers to be added to the scores; (L, S)
        is_causal     a query looks only at keys up to its own position; instead of a mask
        """
        if query is key and key is value:  # one product instead of three
            parts = functional.linear(query, self.in_proj_weight, self.in_proj_bias).chunk(3, -1)
        else:
            weights = self.in_proj_weight.chunk(3)
            biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
            parts = tuple(map(functional.linear, (query, key, value), weights, biases))
        q, k, v = (self._heads(x) for x in parts)
        if attn_mask is not None and "bool" in str(attn_mask.dtype):
            attn_mask = ~attn_mask
        p = self.dropout if self.training else 0.0
        weights = functional.attention_weights(q, k, attn_mask, p, is_causal, blind_is_nan=need_weights)
        y = (weights @ v).permute(0, 2, 1, 3) if self.batch_first else (weights @ v).permute(2, 0, 1, 3)
        y = self.out_proj(y.flatten(-2))
        return y, weights.mean(1) if need_weights else None

    def _heads(self, x: Any) -> Any:
        """Sequences as (n, heads, length, features of a head)."""
        if x.ndim != 3:
            raise ValueError(
                f"MultiheadAttention of sequences of shape {tuple(x.shape[:-1])}: they have three dimensions, "
                + ("(n, length, features)" if self.batch_first else "(length, n, features)")
            )
        x = x.reshape(*x.shape[:2], self.num_heads, -1)
        return x.permute(0, 2, 1, 3) if self.batch_first else x.permute(1, 2, 0, 3)


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear layers; each is added to its input, and normalized before or after.

    norm_first  normalize what goes into a part (pre-norm), not its sum with the input
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        made: dict[str, Any] = {"dtype": dtype, "device": device}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = getattr(functional, activation) if isinstance(activation, str) else activation
        self.norm_first = norm_first

    def forward(self, src: Any, src_mask: Any = None, *, is_causal: bool = False) -> Any:
        """The sequences, in their shape; the masks are those of `MultiheadAttention`."""
        if self.norm_first:
            src = src + self._attend(self.norm1(src), src_mask, is_causal)
            return src + self._feed_forward(self.norm2(src))
        src = self.norm1(src + self._attend(src, src_mask, is_causal))
        return self.norm2(src + self._feed_forward(src))

    def _attend(self, x: Any, mask: Any, is_causal: bool) -> Any:
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, is_causal=is_causal, need_weights=False)[0])

    def _feed_forward(self, x: Any) -> Any:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerBlock(TransformerEncoderLayer):
    """The block of today's transformers: pre-norm, GELU, (n, length, features). Not in PyTorch under this name.

    dim_feedforward  the features between the two linear layers; four times ``d_model`` if left out
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int | None = None,
        dropout: float = 0.0,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(
            d_model,
            nhead,
            dim_feedforward or 4 * d_model,
            dropout,
            functional.gelu,
            batch_first=True,
            norm_first=True,
            dtype=dtype,
            device=device,
        )

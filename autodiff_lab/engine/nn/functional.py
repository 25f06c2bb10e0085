"""Functions for models, without parameters of their own: `torch.nn.functional`."""

from __future__ import annotations

import math
import warnings

from autodiff_lab.engine.composed import rows
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.tensor import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

relu, gelu, tanh, sigmoid = rows["relu"], rows["gelu"], rows["tanh"], rows["sigmoid"]
softmax, log_softmax = rows["softmax"], rows["log_softmax"]
linear, embedding, layer_norm, dropout = rows["linear"], rows["embedding"], rows["layer_norm"], rows["dropout"]
conv2d, max_pool2d, avg_pool2d, pad = rows["conv2d"], rows["max_pool2d"], rows["avg_pool2d"], rows["pad"]


def reduced(losses: Any, reduction: str) -> Any:
    """The losses of all elements as one number, or as they are."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"reduction {reduction!r}: it is 'mean', 'sum' or 'none'")
    return losses if reduction == "none" else getattr(losses, reduction)()


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The squared difference of each element, or the mean or sum of all."""
    ours, theirs = tuple(input.shape), tuple(target.shape)
    if ours != theirs:
        warnings.warn(
            f"mse_loss of shapes {ours} and {theirs}: they are broadcast to one another, so that more pairs are "
            "compared than there are elements. Give both the same shape.",
            stacklevel=2,
        )
    return reduced((input - target) ** 2, reduction)


def cross_entropy(input: Any, target: Any, *, reduction: str = "mean", label_smoothing: float = 0.0) -> Any:
    """How surprised the classifier is: minus the logarithm of the probability it gives to the right class.

    input   logits, before softmax: (classes,), (n, classes) or (n, classes, …)
    target  class numbers, of the shape without the classes
    label_smoothing  how much of the target is spread evenly over all classes

    Returns the mean or sum over all targets, or with ``reduction="none"`` the losses in the shape of the target.
    """
    if input.ndim == 2 and reduction == "mean" and label_smoothing == 0:
        return rows["cross_entropy"](input, target)
    target = target if isinstance(target, Node) else make(target)
    at = 0 if input.ndim == 1 else 1
    if tuple(target.shape) != (*input.shape[:at], *input.shape[at + 1 :]):
        raise ValueError(
            f"cross_entropy: logits of shape {tuple(input.shape)} with targets of shape {tuple(target.shape)}; "
            "targets have the shape of the logits without the classes, which are dimension 1"
        )
    logs = log_softmax(input, at)
    losses = -rows["gather"](logs, at, target.unsqueeze(at)).squeeze(at)
    if label_smoothing:
        losses = (1 - label_smoothing) * losses - label_smoothing * logs.mean(at)
    return reduced(losses, reduction)


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
) -> Any:
    """For each query the mean of the values, weighted by how well their keys fit it (Vaswani et al. 2017).

    query      (…, L, E); ``key`` is (…, S, E), ``value`` (…, S, V), the result (…, L, V)
    attn_mask  booleans, False where a key must not be looked at; or numbers to be added to the scores; (…, L, S)
    dropout_p  the probability with which a weight is dropped. Always: pass 0 when not training
    is_causal  a query looks only at keys up to its own position
    scale      the factor of the scores; 1 / √E if left out
    """
    weights = attention_weights(query, key, attn_mask, dropout_p, is_causal, scale)
    return weights @ value


def attention_weights(
    query: Any, key: Any, attn_mask: Any, dropout_p: float, is_causal: bool, scale: float | None = None
) -> Any:
    """The weights that `scaled_dot_product_attention` gives to the values: (…, L, S)."""
    scores = (query * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)) @ key.mT
    if is_causal:
        if attn_mask is not None:
            raise ValueError("scaled_dot_product_attention: give attn_mask or is_causal=True, not both")
        import numpy

        attn_mask = make(numpy.tri(*scores.shape[-2:], dtype=bool))
    if attn_mask is not None:
        mask: Any = attn_mask if isinstance(attn_mask, Node) else make(attn_mask)
        scores = rows["where"](mask, scores, -math.inf) if "bool" in str(mask.dtype) else scores + mask
    return dropout(softmax(scores, -1), dropout_p)

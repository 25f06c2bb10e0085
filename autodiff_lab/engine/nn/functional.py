"""Functions for models, without parameters of their own: `torch.nn.functional`."""

from __future__ import annotations

import math

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
mse_loss, nll_loss, cross_entropy = rows["mse_loss"], rows["nll_loss"], rows["cross_entropy"]


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

    A query that may look at no key at all gets zeros, as in PyTorch.
    """
    weights = attention_weights(query, key, attn_mask, dropout_p, is_causal, scale)
    return weights @ value


def attention_weights(
    query: Any,
    key: Any,
    attn_mask: Any,
    dropout_p: float,
    is_causal: bool,
    scale: float | None = None,
    blind_is_nan: bool = False,
) -> Any:
    """The weights that `scaled_dot_product_attention` gives to the values: (…, L, S).

    With ``blind_is_nan`` those of a query that may look at no key are nan, as a softmax of nothing but -inf is, else 0.
    """
    scores = (query * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)) @ key.mT
    if is_causal:
        if attn_mask is not None:
            raise ValueError("scaled_dot_product_attention: give attn_mask or is_causal=True, not both")
        import numpy

        attn_mask = make(numpy.tri(*scores.shape[-2:], dtype=bool))
    if attn_mask is not None:
        mask: Any = attn_mask if isinstance(attn_mask, Node) else make(attn_mask)
        scores = rows["where"](mask, scores, -math.inf) if "bool" in str(mask.dtype) else scores + mask
        if not blind_is_nan:
            blind = rows["amax"](scores.detach(), -1, keepdim=True) == -math.inf
            return dropout(rows["where"](blind, 0.0, softmax(rows["where"](blind, 0.0, scores), -1)), dropout_p)
    return dropout(softmax(scores, -1), dropout_p)

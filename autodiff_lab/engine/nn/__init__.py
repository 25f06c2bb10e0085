"""Modules, layers and what goes with them, under PyTorch's names: `torch.nn`."""

from __future__ import annotations

from autodiff_lab.engine.nn import functional as functional
from autodiff_lab.engine.nn import init as init
from autodiff_lab.engine.nn import utils as utils
from autodiff_lab.engine.nn.layers import (
    GELU,
    MLP,
    AvgPool2d,
    Conv2d,
    CrossEntropyLoss,
    Dropout,
    Embedding,
    Flatten,
    Identity,
    LayerNorm,
    Linear,
    MaxPool2d,
    ModuleList,
    MSELoss,
    MultiheadAttention,
    ReLU,
    Sequential,
    Sigmoid,
    Softmax,
    Tanh,
    TransformerBlock,
    TransformerEncoderLayer,
)
from autodiff_lab.engine.nn.module import Module, Parameter

__all__ = [
    "GELU",
    "MLP",
    "AvgPool2d",
    "Conv2d",
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "Flatten",
    "Identity",
    "LayerNorm",
    "Linear",
    "MSELoss",
    "MaxPool2d",
    "Module",
    "ModuleList",
    "MultiheadAttention",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "TransformerBlock",
    "TransformerEncoderLayer",
    "functional",
    "init",
    "utils",
]

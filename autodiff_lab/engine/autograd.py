"""PyTorch's `torch.autograd`, as far as this engine has it, so that a snippet runs with only its import changed."""

from __future__ import annotations

from types import SimpleNamespace

from autodiff_lab.engine import functional
from autodiff_lab.engine.anomaly import detect_anomaly, is_anomaly_enabled, set_detect_anomaly
from autodiff_lab.engine.derivatives import grad
from autodiff_lab.engine.gradcheck import GradcheckError, gradcheck
from autodiff_lab.engine.modes import saved_tensors_hooks

graph = SimpleNamespace(saved_tensors_hooks=saved_tensors_hooks)

__all__ = [
    "GradcheckError",
    "detect_anomaly",
    "functional",
    "grad",
    "gradcheck",
    "graph",
    "is_anomaly_enabled",
    "set_detect_anomaly",
]

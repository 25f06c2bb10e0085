"""`torch.autograd`'s names, so that a snippet runs with only its import changed."""

from __future__ import annotations

from autodiff_lab.engine.backward import grad

__all__ = ["grad"]

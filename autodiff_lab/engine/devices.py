"""Devices: their names, which of them there are, and PyTorch, imported when it is first needed."""

from __future__ import annotations

from importlib.util import find_spec
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEVICES = ("cpu", "cuda", "mps", "meta")


def device_name(device: Any) -> str:
    """A device by its full name: ``cuda:0`` for ``cuda`` and for 0.

    ValueError for what is no device, RuntimeError for one that this machine or this PyTorch does not have.
    """
    text = f"cuda:{device}" if type(device) is int else str(device)
    kind, colon, number = text.partition(":")
    if kind not in DEVICES or number.isdecimal() != bool(colon):
        raise ValueError(
            f"{text!r} is no device. There are 'cpu'; 'cuda', a GPU, or 'cuda:1' for the second one; 'mps', Apple's; "
            "and 'meta', for shapes without elements."
        )
    if kind not in ("cuda", "mps"):
        return kind
    torch = import_torch(f"device {text!r}")
    there = torch.cuda.device_count() if kind == "cuda" else int(torch.backends.mps.is_available())
    at = int(number) if number else torch.cuda.current_device() if kind == "cuda" and there else 0
    if not there:
        cpu_only = kind == "cuda" and not torch.version.cuda and not torch.version.hip
        raise RuntimeError(
            f"device {text!r}: PyTorch {torch.__version__} "
            + ("is a build for the CPU alone; install one with CUDA" if cpu_only else "finds none on this machine")
            + ". Or compute on device='cpu'."
        )
    if at >= there:
        names = ", ".join(f"{kind}:{i}" for i in range(there))
        raise RuntimeError(f"device {text!r} does not exist: there is {names}, counted from 0")
    return f"{kind}:{at}"


def cuda_device_count() -> int:
    """How many CUDA devices PyTorch sees; 0 without PyTorch."""
    return import_torch("CUDA").cuda.device_count() if find_spec("torch") else 0


# PyTorch's `torch.cuda`, as far as a snippet asks it where to compute
cuda = SimpleNamespace(is_available=lambda: cuda_device_count() > 0, device_count=cuda_device_count)


def import_torch(what: str) -> Any:
    """The module; ImportError that says ``what`` needs it."""
    try:
        import torch
    except ImportError as error:
        raise ImportError(f"{what} needs PyTorch, which cannot be imported ({error}): pip install torch") from None
    return torch

"""The versions of everything that can change how a submission comes out."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import autodiff_lab

MATTERS = (
    "ipykernel",
    "ipython",
    "jupyter-client",
    "nbclient",
    "nbformat",
    "nbgrader",
    "numpy",
    "scikit-learn",
    "scipy",
    "torch",
)
"""Packages whose version can change what a notebook does or how it is read."""


@cache
def environment() -> dict[str, str]:
    """Versions of what matters, and of this package down to its code. Read once in a process."""
    found = {"python": platform.python_version(), "system": f"{sys.platform} {platform.machine()}"}
    for name in MATTERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    package = Path(autodiff_lab.__file__).parent
    code = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        code.update(f"{file.relative_to(package).as_posix()}\0".encode())
        code.update(file.read_bytes())
    return {**found, "autodiff_lab": autodiff_lab.__version__, "code": code.hexdigest()[:16]}

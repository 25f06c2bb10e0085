"""The reference engine: computational graphs over an op table. Knows nothing of notebooks, widgets or grading."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Modules of the engine load when they are first named: ``autodiff_lab.engine.ops.TABLE``."""
    from importlib import import_module
    from importlib.util import find_spec

    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

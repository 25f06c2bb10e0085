"""What a submission may be kept from importing: the reference engine, and every package that differentiates."""

from __future__ import annotations

import contextlib
import functools
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path

from autodiff_lab.grading.course import PACKAGE_PARENT

ABSENT = Path(__file__).resolve().parent / "absent" / "__init__.py"
"""What stands in the place of what is masked."""

MASKS: dict[str, tuple[str, ...]] = {
    "engine": ("autodiff_lab.engine",),
    "units": ("autodiff_lab.units",),
    "torch": (
        *("torch", "functorch", "torchvision", "torchaudio", "torchgen", "lightning", "pytorch_lightning"),
        *("jax", "jaxlib", "flax", "optax", "equinox", "diffrax", "tensorflow", "keras", "paddle", "mxnet", "chainer"),
        *("autograd", "micrograd", "tinygrad", "minitorch", "needle", "aesara", "pytensor", "theano", "casadi"),
        *("sympy", "symengine", "algopy", "ad", "tangent", "autodidax", "mlx", "taichi", "numdifftools"),
    ),
}
"""The modules behind each name of a mask. "units" (right answers that test cells compare with) is no package."""


def modules(masks: tuple[str, ...]) -> list[str]:
    """The modules that the masks stand for. Raises ValueError for a name that is none."""
    unknown = sorted(set(masks) - MASKS.keys())
    if unknown:
        raise ValueError(f"there is no mask {', '.join(unknown)}; the masks are: {', '.join(MASKS)}")
    return [module for mask in masks for module in MASKS[mask]]


@functools.cache
def covers(masks: tuple[str, ...], places: tuple[Path, ...]) -> tuple[tuple[Path, Path], ...]:
    """For each thing on disk below `places` that is masked: what to mount there, and where. Looked up once."""
    return tuple(
        cover
        for place in dict.fromkeys([PACKAGE_PARENT, *places])
        for name in modules(masks)
        for cover in _of(place, name)
    )


def _of(place: Path, module: str) -> Iterator[tuple[Path, Path]]:
    path = place.joinpath(*module.split("."))
    if path.is_dir():
        yield ABSENT.parent, path
    if not path.parent.is_dir():
        return
    source = path.with_name(path.name + ".py")
    if source.is_file():
        yield ABSENT, source
        with contextlib.suppress(OSError, py_compile.PyCompileError):
            # Or another process would, later, beside what is mounted now.
            py_compile.compile(str(source), doraise=True)
    for compiled in (*path.parent.glob(f"{path.name}.*.so"), *path.parent.glob(f"__pycache__/{path.name}.*.pyc")):
        yield Path("/dev/null"), compiled


def replaced(masks: tuple[str, ...]) -> dict[str, str]:
    """The same outside a sandbox: the file that a module is loaded from instead."""
    return dict.fromkeys(modules(masks), str(ABSENT))


@functools.cache
def import_places() -> tuple[Path, ...]:
    """The folders that packages are imported from: those called site-packages or dist-packages on `sys.path`."""
    return tuple(Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages"))

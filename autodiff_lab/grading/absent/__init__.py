"""What stands in the place of a package that an exercise does not allow: it imports, and says so when it is used.

The sandbox puts this very folder (or this file) over the package, so it goes by the other's name. The real one is not
there to be found. What it gives are classes, because other packages ask ``isinstance(x, torch.Tensor)`` of anything.

In the place of what draws, calls work and give an empty picture: a unit's own cells draw, and who draws uses no answer.
"""

from __future__ import annotations

import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

__version__ = "0 (not available in this exercise)"
DRAWS = ("autodiff_lab.draw", "autodiff_lab.widgets")
NOT_DRAWN = "Pictures are not drawn while answers are graded."


class NotAvailable(RuntimeError):
    """Something was used that this exercise does not allow."""

    def __init__(self, name: str) -> None:
        sys.audit("autodiff_lab.masked", name)
        super().__init__(f"{name} is not available in this exercise: the answer has to be code of your own.")


class _Absent(type):
    """The class of what is not there: its attributes are not there either; it may be a base, but makes no object."""

    _name: str

    def __call__(cls, *_: Any, **__: Any) -> NoReturn:
        raise NotAvailable(cls._name)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return absent(f"{cls._name}.{name}")

    def _refuse(cls, *_: Any) -> NoReturn:
        raise NotAvailable(cls._name)

    __iter__ = __len__ = __contains__ = __getitem__ = __setitem__ = __enter__ = __exit__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __neg__ = __float__ = __int__ = __lt__ = __gt__ = _refuse


def absent(name: str) -> Any:
    """A thing of that name which is not there."""
    shown = re.sub(r"^autodiff_lab\.engine\.((?!nn\.|optim\.|autograd\.)[a-z_]+\.)*", "autodiff_lab.", name)
    return _Absent(name.rpartition(".")[2], (), {"_name": shown, "__module__": name.rpartition(".")[0]})


class _Undrawn(_Absent):
    """The class of what draws: it can be called with anything, and gives an empty picture."""

    def __call__(cls, *_: Any, **__: Any) -> Any:
        return _EmptyPicture(cls._name)


class _EmptyPicture:
    """In the place of a drawing, a view, or a dict of a picture's numbers: it shows a line of text, and has nothing."""

    svg = ""
    text = alt = note = NOT_DRAWN

    def __init__(self, name: str) -> None:
        self._name = name
        self.inputs: dict[str, float] = {}
        self.values: dict[str, float] = {}
        self.adjoints: dict[str, float] = {}

    def keys(self) -> tuple[str, ...]:
        return ()

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: Any) -> NoReturn:
        raise NotAvailable(self._name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: _EmptyPicture(f"{self._name}.{name}")

    def __repr__(self) -> str:
        return NOT_DRAWN

    def _repr_html_(self) -> str:
        return f"<p><em>{NOT_DRAWN}</em></p>"


def undrawn(name: str) -> Any:
    """What draws under that name, as one that draws nothing."""
    return _Undrawn(name.rpartition(".")[2], (), {"_name": name, "__module__": name.rpartition(".")[0]})


class _Functions:
    """In the place of the engine's table of functions: it has every name, except those of the package's modules."""

    def __contains__(self, name: str) -> bool:
        package = Path(sys.modules["autodiff_lab"].__file__ or "").parent
        return not ((package / name).is_dir() or (package / f"{name}.py").is_file())

    def __getitem__(self, name: str) -> Any:
        return absent(f"autodiff_lab.{name}")

    def __iter__(self) -> Any:
        return iter(())


class _Finder:
    """Finds every module below this package, as one in which nothing is there."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, _Finder, is_package=True) if name.startswith(__name__ + ".") else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        def get(name: str) -> Any:
            if name == "FUNCTIONS" and module.__name__.startswith("autodiff_lab.engine."):
                return _Functions()
            if name.startswith("_"):
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            make = undrawn if module.__name__ in DRAWS else absent
            return make(f"{module.__name__}.{name}")

        module.__getattr__ = get  # type: ignore[method-assign]
        module.__all__ = []  # type: ignore[attr-defined]


class _Module(ModuleType):
    def __call__(self, *_: Any, **__: Any) -> Any:
        if self.__name__ in DRAWS:
            return _EmptyPicture(self.__name__)
        raise NotAvailable(self.__name__)


def _take_the_place() -> None:
    """Let a module with nothing in it stand here, so that no name of this file is found as one of the package's."""
    module, own = _Module(__name__), sys.modules[__name__]
    for name in ("__file__", "__path__", "__spec__", "__loader__", "__package__", "__version__"):
        if hasattr(own, name):
            setattr(module, name, getattr(own, name))
    _Finder.exec_module(module)
    sys.modules[__name__] = module


sys.meta_path.append(_Finder)  # type: ignore[arg-type]
_take_the_place()

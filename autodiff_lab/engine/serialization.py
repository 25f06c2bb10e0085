"""Tensors in files, in the safetensors format: what is saved here loads in PyTorch with `safetensors.torch`, and back.

The format holds tensors by name, and no code. What else there is, as in the state of an optimizer, goes into the file's
metadata as JSON.
"""

from __future__ import annotations

import json

from autodiff_lab.engine.arrays import as_array
from autodiff_lab.engine.backend import backend_of, numpy_backend
from autodiff_lab.engine.messages import shortened
from autodiff_lab.engine.node import Node
from autodiff_lab.engine.tensor import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

REST = "autodiff_lab"  # the entry of the metadata


def library() -> Any:
    """The `safetensors` package; ImportError with what to install."""
    try:
        import safetensors.numpy
    except ImportError:
        raise ImportError("save() and load() write safetensors files: pip install safetensors") from None
    return safetensors


def save(obj: Any, f: str | PathLike[str]) -> None:
    """Write ``obj`` to the file ``f``: a dict of tensors, scalars or arrays by name, as `Module.state_dict` gives it.

    It may also be nested, in dicts, lists and tuples, with numbers, texts and None in it: ``{"model": …, "optimizer":
    …, "epoch": 3}``. Raises TypeError, before anything is written, for what a file cannot hold.
    """
    tensors: dict[str, Any] = {}
    rest = taken_apart(obj, "", tensors)
    flat = isinstance(obj, dict) and list(obj) == list(tensors)
    library().numpy.save_file(tensors, f, None if flat else {REST: json.dumps(rest)})


def load(f: str | PathLike[str]) -> Any:
    """What is in a file that `save` wrote, or of any safetensors file the dict of its tensors, over NumPy arrays.

    Raises ValueError if it is no such file.
    """
    try:
        with library().safe_open(f, framework="numpy") as file:
            tensors = {name: make(file.get_tensor(name)) for name in file.keys()}  # noqa: SIM118
            rest = (file.metadata() or {}).get(REST)
    except library().SafetensorError as error:
        raise ValueError(
            f"{f} is no safetensors file ({error}). torch.save writes another format: in PyTorch, write "
            "safetensors.torch.save_file(torch.load(path), new_path)."
        ) from None
    return tensors if rest is None else put_together(json.loads(rest), tensors)


def taken_apart(obj: Any, path: str, tensors: dict[str, Any]) -> Any:
    """``obj`` for JSON, with the arrays in it put into ``tensors`` under their paths."""
    if obj is None or isinstance(obj, (bool, int, float, str)):
        return obj
    if isinstance(obj, (dict, list, tuple)):
        pairs = list(obj.items() if isinstance(obj, dict) else enumerate(obj))
        for key, _ in pairs:
            if not isinstance(key, (bool, int, float, str)) and key is not None:
                raise TypeError(
                    f"save: {path or 'the object'} has the key {shortened(key)}, a {type(key).__name__}; keys are "
                    "strings and numbers, as a file can hold them. Write '.'.join(map(str, key)), or a number for it."
                )
        parts = [[key, taken_apart(part, f"{path}.{key}" if path else str(key), tensors)] for key, part in pairs]
        return {next(kind.__name__ for kind in (dict, list, tuple) if isinstance(obj, kind)): parts}
    if not isinstance(obj, Node) and backend_of(obj) is None:
        raise TypeError(f"save: {path or 'the object'} is a {type(obj).__name__}; a file holds tensors and plain data")
    if path in tensors:
        raise TypeError(f"save: two tensors would both be called {path!r}")
    tensors[path] = as_array(obj, numpy_backend(), None).copy(order="C")
    return {"tensor": path}


def put_together(rest: Any, tensors: dict[str, Any]) -> Any:
    """The opposite of `taken_apart`."""
    if not isinstance(rest, dict):
        return rest
    ((kind, parts),) = rest.items()
    if kind == "tensor":
        return tensors[parts]
    pairs = [(key, put_together(part, tensors)) for key, part in parts]
    return dict(pairs) if kind == "dict" else {"list": list, "tuple": tuple}[kind](part for _, part in pairs)

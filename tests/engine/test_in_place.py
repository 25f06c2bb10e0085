"""Changes in place: those that would be lost are errors that say what to write; the others reach the tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad

torch = pytest.importorskip("torch")

BOTH = pytest.mark.parametrize("backend", ["numpy", "torch"])
NAMES = dir(ad.tensor([1.0]))
OPERATORS = [name for name in NAMES if name.startswith("__i") and f"__{name[3:]}" in NAMES]
METHODS = [name for name in NAMES if name.endswith("_") and not name.startswith("_") and name != "requires_grad_"]


def make(values: Any, backend: str, requires_grad: bool = False) -> Any:
    array = np.array(values)
    return ad.tensor(array if backend == "numpy" else torch.from_numpy(array), requires_grad=requires_grad)


def changed_by(name: str, x: Any, other: Any) -> Any:
    method = getattr(x, name)
    return method() if name == "zero_" else method(other)


def test_every_method_in_place_is_known_to_these_tests() -> None:
    assert {"add_", "sub_", "mul_", "div_", "pow_", "copy_", "fill_", "zero_"} <= set(METHODS)
    assert {"__iadd__", "__isub__", "__imul__", "__itruediv__", "__ipow__"} <= set(OPERATORS)


@BOTH
@pytest.mark.parametrize("name", [name for name in METHODS if "bitwise" not in name])
def test_a_method_in_place_that_would_have_to_be_recorded_is_an_error(name: str, backend: str) -> None:
    x = make([[1.0, 2.0], [3.0, 4.0]], backend, requires_grad=True)
    y, t = x * 2.0, make([[1.0, 1.0], [1.0, 1.0]], backend)
    with pytest.raises(RuntimeError, match=r"of a tensor of shape \(2, 2\) is not recorded, and the gradient would be"):
        changed_by(name, y, 3.0 if name == "fill_" else t)
    assert y.tolist() == [[2.0, 4.0], [6.0, 8.0]]
    if name not in ("zero_", "fill_"):  # a plain tensor would get the values, but not the gradient
        with pytest.raises(RuntimeError, match="is not recorded, and the gradient would be lost"):
            changed_by(name, t, y)
        assert t.tolist() == [[1.0, 1.0], [1.0, 1.0]]


@BOTH
@pytest.mark.parametrize("name", METHODS)
def test_a_method_in_place_changes_a_tensor_that_nothing_is_recorded_of(name: str, backend: str) -> None:
    x = make([[1, 2], [3, 4]] if "bitwise" in name else [[1.0, 2.0], [3.0, 4.0]], backend)
    other = make([[2, 1], [1, 2]] if "bitwise" in name else [[2.0, 1.0], [1.0, 2.0]], backend)
    if name == "fill_":
        other = 7.0
    theirs = torch.tensor(x.tolist(), dtype=getattr(torch, str(x.dtype).rpartition(".")[2]))
    operand = other if isinstance(other, float) else torch.tensor(other.tolist(), dtype=theirs.dtype)
    assert changed_by(name, x, other) is x
    wanted = theirs @ operand if name == "matmul_" else changed_by(name, theirs, operand)  # torch has no matmul_
    assert x.tolist() == wanted.tolist()


@BOTH
@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_in_place_changes_a_leaf_under_no_grad_and_refuses_it_outside(name: str, backend: str) -> None:
    whole = any(part in name for part in ("and", "or"))
    x = make([[1, 2], [3, 4]] if whole else [[1.0, 2.0], [3.0, 4.0]], backend, requires_grad=not whole)
    other = make([[2, 1], [1, 2]] if whole else [[2.0, 1.0], [1.0, 2.0]], backend)
    expected = getattr(x.detach(), name.replace("__i", "__"))(other).tolist()
    with ad.no_grad():
        assert getattr(x, name)(other) is x
    assert x.tolist() == expected and x.is_leaf
    if not whole:
        with pytest.raises(RuntimeError, match="in place on a leaf"):
            getattr(x, name)(other)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "row": lambda x: x[0],
    "element": lambda x: x[0][0],
    "row of a row": lambda x: x[0:2][0],
    "slice": lambda x: x[:, 1:],
    "new dimension": lambda x: x[None],
    "view": lambda x: x.view(-1),
    "reshape": lambda x: x.reshape(3, 2),
    "flatten": lambda x: x.flatten(),
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "transpose": lambda x: x.transpose(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "squeeze": lambda x: x.squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "split": lambda x: x.split(1)[1],
    "chunk": lambda x: x.chunk(3, 1)[2],
    "unbind": lambda x: x.unbind()[0],
    "iteration": lambda x: next(iter(x)),
    "detach": lambda x: x.detach(),
    "detach of a view": lambda x: x[1].detach(),
}


@BOTH
@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_a_change_of_a_view_would_not_reach_the_tensor_and_is_an_error(
    name: str, requires_grad: bool, backend: str
) -> None:
    x = make([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], backend, requires_grad)
    before = x.tolist()
    theirs = torch.tensor(before)
    with torch.no_grad():
        VIEWS[name](theirs)[...] = 9.0
    assert theirs.tolist() != before, "a view in torch"
    changes: list[Callable[[Any], Any]] = [
        lambda v: v.__setitem__(..., 9.0),
        lambda v: v.zero_(),
        lambda v: v.mul_(2.0),
        lambda v: v.__isub__(v * 1.0),
    ]
    with ad.no_grad():
        for change in changes:
            with pytest.raises(RuntimeError, match=r"it is a view of .*write x\[0, 1\] = value, not x\[0\]\[1\] = val"):
                change(VIEWS[name](x))
        copy = VIEWS[name](x).clone()
        copy[...] = 9.0
    assert x.tolist() == before and np.all(np.asarray(copy.tolist()) == 9.0)


@BOTH
def test_what_is_a_copy_may_be_changed_and_so_may_a_view_of_a_tensor_that_is_gone(backend: str) -> None:
    x = make([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], backend)
    for copied in (x[[0, 1]], x[:, np.array([True, False, True])], x.clone(), x + 0.0, x[x > 0.0], x.to("float32")):
        copied[...] = 0.0
    assert x.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    alone = ad.arange(6.0).reshape(2, 3)
    alone[0, 0] = 5.0
    assert alone.tolist() == [[5.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    with ad.inference_mode():
        inside = make([1.0, 2.0], backend)
        assert inside.view(-1).is_inference()
        with pytest.raises(RuntimeError, match="it is a view of a tensor of shape"):
            inside.view(-1)[0] = 5.0


@BOTH
def test_a_parameter_made_of_a_view_is_trained(backend: str) -> None:
    x = make([[1.0, 2.0], [3.0, 4.0]], backend)
    w = ad.nn.Parameter(x[0])
    (w * w).sum().backward()
    ad.optim.SGD([w], lr=0.5).step()
    assert w.tolist() == [0.0, 0.0] and x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@BOTH
def test_a_tensor_is_a_copy_and_as_tensor_and_from_numpy_share(backend: str) -> None:
    array: Any = np.ones(2) if backend == "numpy" else torch.ones(2, dtype=torch.float64)
    copied, shared = ad.tensor(array, requires_grad=True), ad.as_tensor(array)
    again = ad.tensor(shared)
    y = (copied * copied).sum()
    array[:] = 100.0
    y.backward()
    assert copied.grad.tolist() == [2.0, 2.0] and shared.tolist() == [100.0, 100.0] and again.tolist() == [1.0, 1.0]
    assert ad.as_tensor(shared) is shared and ad.as_tensor(array, dtype="float32").tolist() == [100.0, 100.0]
    if backend == "numpy":
        assert ad.from_numpy(array).data is array
        numbers = np.arange(3)
        assert ad.tensor(numbers).dtype == "int64" and ad.from_numpy(numbers).data is numbers
    with pytest.raises(TypeError, match=r"from_numpy takes a NumPy array, not list: \[1\.0\]\. Use tensor\(\)"):
        ad.from_numpy([1.0])
    assert ad.as_tensor(2.0).item() == 2.0 and ad.as_tensor([1, 2]).dtype == "int64"
    assert ad.as_tensor(ad.Scalar(2.0), dtype="float32").dtype == "float32"


# Writing to the array itself


def saved_by(x: Any, how: str, c: Any) -> Any:
    """A result for whose gradient the elements of ``x`` are needed, or those of ``c``."""
    if how == "compiled":
        return ad.compile(lambda x: (x * x * c).sum())(x)
    if how == "checkpoint":
        return ad.checkpoint(lambda x: (x * x).sum(), x)
    if how == "view":
        r = x.reshape(3, 1)
        return (r * r).sum()
    return (x * x * c).sum()


WRITES: dict[str, Callable[[Any], Any]] = {
    "data": lambda x: x.data.__setitem__(0, 100.0),
    "data of all": lambda x: x.data.__imul__(2.0),
    "data of a view": lambda x: x.reshape(1, 3).data.__setitem__((0, 2), 100.0),
    "exchanged": lambda x: x.data.__setitem__([0, 1], x.data[[1, 0]]),
    "numpy": lambda x: x.detach().numpy().__setitem__(0, 100.0),
    "numpy of a part": lambda x: x.detach()[1:].numpy().__setitem__(0, 100.0),
    "asarray": lambda x: np.asarray(x.detach()).fill(0.0),
    "to_torch": lambda x: ad.to_torch(x.detach()).add_(1.0),
}


@BOTH
@pytest.mark.parametrize("how", ["eager", "compiled", "checkpoint", "view"])
@pytest.mark.parametrize("write", WRITES)
def test_what_was_written_to_the_array_of_a_saved_operand_is_found_out(write: str, how: str, backend: str) -> None:
    x, c = make([1.0, 2.0, 3.0], backend, requires_grad=True), make([1.0, 1.0, 2.0], backend)
    y = saved_by(x, how, c)
    WRITES[write](x)
    with pytest.raises(
        RuntimeError, match=r"(changed in place afterwards|written to after the forward pass).*Change it"
    ):
        y.backward()
    assert x.grad is None
    saved_by(x, how, c).backward()  # what is computed of the new elements is right
    wanted = 2 * np.asarray(x.detach()) * (1.0 if how in ("checkpoint", "view") else np.asarray(c))
    assert x.grad.tolist() == wanted.tolist()


@BOTH
def test_what_was_written_to_a_result_or_a_constant_that_is_needed_is_found_out(backend: str) -> None:
    x = make([1.0, 2.0, 3.0], backend, requires_grad=True)
    y = x.exp()
    y.data[0] = 100.0
    with pytest.raises(RuntimeError, match=r"exp saved its result of shape \(3,\)"):
        y.sum().backward()
    y = x * x
    z = (y * y).sum()
    y.data[0] = 100.0
    with pytest.raises(RuntimeError, match=r"mul saved an operand of shape \(3,\)"):
        z.backward()
    c = make([1.0, 2.0, 3.0], backend)
    first, second = (x + 1.0).sum(), (x * c).sum()
    c.numpy()[0] = 100.0
    first.backward()  # needs no elements
    with pytest.raises(RuntimeError, match=r"mul saved an operand of shape \(3,\)"):
        second.backward()
    many = make(np.arange(5000.0), backend, requires_grad=True)
    y = (many * many).sum()
    many.data[4321] += 1e-9
    with pytest.raises(RuntimeError, match=r"mul saved an operand of shape \(5000,\)"):
        ad.autograd.grad(y, many)


@BOTH
def test_an_array_may_be_looked_at_and_written_to_where_no_graph_needs_what_it_was(backend: str) -> None:
    x = make([1.0, 2.0, 3.0], backend, requires_grad=True)
    x.data[0] = 10.0  # before
    y = x * x
    assert x.data[0] == 10.0 and y.data[0] == 100.0 and repr(y)  # a look
    y.sum().backward()
    assert x.grad.tolist() == [20.0, 4.0, 6.0]
    x.data[1], x.grad = 5.0, None  # after
    y = x + 1.0
    y.data[0] = x.data[0] = 7.0  # what nobody needs
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]
    w, rate = make([1.0, 2.0, 3.0], backend, requires_grad=True), 0.1
    for step in range(4):  # gradient descent as it can be written
        w.grad = None
        (w * w).sum().backward()
        if step % 2:
            w.data -= rate * w.grad
        else:
            w.data[...] -= rate * w.grad.data
    np.testing.assert_allclose(np.asarray(w.detach()), np.array([1.0, 2.0, 3.0]) * 0.8**4)


@BOTH
def test_a_clone_has_memory_of_its_own(backend: str) -> None:
    x = make([1.0, 2.0], backend, requires_grad=True)
    y = (x * x).sum()
    with ad.no_grad():
        quiet = x.clone()
    for copy in (
        x.clone(),
        x.detach().clone(),
        quiet,
        ad.compile(lambda x: x.clone())(x),
        ad.trace(lambda x: x.clone(), x)(x),
    ):
        copy.detach().numpy()[0] = 9.0
        assert copy.tolist() == [9.0, 2.0] and x.tolist() == [1.0, 2.0]
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


@BOTH
def test_what_was_written_to_an_index_a_mask_or_classes_is_found_out(backend: str) -> None:
    x = make([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], backend, requires_grad=True)
    results: dict[str, Callable[[Any, Any], Any]] = {
        "getitem saved its index": lambda c, mask: (x[:, c] * 2.0).sum(),
        "cross_entropy saved its target": lambda c, mask: ad.cross_entropy(x, c),
        "gather saved its index": lambda c, mask: ad.gather(x, 1, c.reshape(2, 1)).sum(),
        "where saved its condition": lambda c, mask: ad.where(mask, x, 0.0).sum(),
    }
    for words, function in results.items():
        c, mask = make([0, 1], backend), make([True, False, True], backend)
        y = function(c, mask)
        c.data[0], mask.data[0] = 1, False
        with pytest.raises(RuntimeError, match=f"{words} for backward, but it was changed in place afterwards"):
            y.backward()
        assert x.grad is None
    ad.cross_entropy(x, c).backward()
    theirs = torch.tensor(x.tolist(), dtype=torch.float64, requires_grad=True)
    torch.nn.functional.cross_entropy(theirs, torch.tensor([1, 1])).backward()
    np.testing.assert_allclose(np.asarray(x.grad), theirs.grad.numpy(), atol=1e-15)

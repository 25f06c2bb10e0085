"""What is refused: each wrong use of tensors raises one error that names the op, the numbers and the next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad

torch = pytest.importorskip("torch")


def x(*shape: int, dtype: str = "float64", requires_grad: bool = True) -> Any:
    return ad.tensor(np.ones(shape, dtype), requires_grad=requires_grad)


def t(*shape: int) -> Any:
    return ad.tensor(torch.ones(shape), requires_grad=True)


def in_place(change: Callable[[Any], Any], node: Any) -> None:
    change(node)


def subtract(node: Any) -> None:
    node -= 1.0


def assign(node: Any) -> None:
    node[0] = 1.0


def swept_twice() -> None:
    y = (x(3) * x(3)).sum()
    y.backward()
    y.backward()


def changed_after_saving() -> None:
    a, b = x(3), x(3)
    y = (a * b).sum()
    with ad.no_grad():
        b += 1.0
    y.backward()


def inference() -> None:
    with ad.inference_mode():
        c = x(3) * 2
    x(3) * c


def wider_in_place() -> None:
    a = x(3)
    with ad.no_grad():
        a += np.ones((2, 3))


ERRORS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # shapes
    (
        lambda: x(2, 3) @ x(4, 5),
        RuntimeError,
        r"matmul of \(2, 3\) and \(4, 5\): the last size of a, 3, must be .* b, 4",
    ),
    (lambda: x(2, 3) @ x(4, 3), RuntimeError, r"Did you mean a @ b\.mT\?"),
    (lambda: t(3, 2) @ t(3, 4), RuntimeError, r"matmul of \(3, 2\) and \(3, 4\).*Did you mean a\.mT @ b\?"),
    (lambda: x(2, 3) @ x(2), RuntimeError, r"the last size of a, 3, must be the only size of b, 2"),
    (
        lambda: x(2, 1, 3) @ x(3, 3, 1),
        RuntimeError,
        r"the sizes before the last two, \(2,\) and \(3,\), do not broadcast",
    ),
    (lambda: x(2) @ 3.0, RuntimeError, r"matmul of \(2,\) and \(\): .*Write \* for a number"),
    (lambda: x(2, 3) + x(2), RuntimeError, r"add of shapes \(2, 3\) and \(2,\): they do not broadcast.*unsqueeze"),
    (lambda: t(2, 3) * t(4, 3), RuntimeError, r"mul of shapes \(2, 3\) and \(4, 3\): they do not broadcast"),
    (lambda: ad.where(np.array(True), x(2), x(3)), RuntimeError, r"where of shapes \(2,\) and \(3,\)"),
    (lambda: x(2, 3).reshape(4, -1), ValueError, r"reshape: 6 elements, of shape \(2, 3\), cannot .* shape \(4, -1\)"),
    (lambda: x(2, 3).permute(0, 0), ValueError, r"permute: dims \(0, 0\) are not an order of the 2 dimensions"),
    (
        lambda: x(2, 3).expand(4, 3),
        ValueError,
        r"expand: shape \(2, 3\) cannot be expanded to \(4, 3\): only sizes of 1",
    ),
    (lambda: x(2, 3).sum(2), IndexError, r"sum: dim 2 does not exist: a tensor with 2 dimensions has -2 to 1"),
    (lambda: x(2, 3).mean((0, -2)), ValueError, r"mean: dim \(0, -2\) names an axis twice"),
    (lambda: x(0, 3).amax(0), ValueError, r"amax: a tensor of shape \(0, 3\) has no element along dim 0"),
    (lambda: ad.cat([x(2, 3), x(2, 2)]), ValueError, r"cat: tensor 1 has shape \(2, 2\), tensor 0 \(2, 3\).*but dim 0"),
    (lambda: ad.stack([x(2), x(3)]), ValueError, r"stack: tensor 1 has shape \(3,\), tensor 0 \(2,\); they must agree"),
    (lambda: ad.cat([]), TypeError, r"cat: there is nothing to join"),
    (lambda: x(5).split([2, 2]), ValueError, r"split: sizes \[2, 2\] add up to 4, but dim 0 of \(5,\) has 5"),
    (lambda: x(5).split(0), ValueError, r"split: parts of size 0"),
    (lambda: ad.pad(x(3), (1,)), ValueError, r"pad: \(1,\) for a tensor of shape \(3,\): give two numbers"),
    (lambda: x(2, 3)[2], IndexError, r"getitem of shape \(2, 3\): .*out of bounds"),
    (lambda: x(2, 3)[0, 0, 0], IndexError, r"getitem of shape \(2, 3\): too many indices"),
    (lambda: x(3).mT, ValueError, r"mT exchanges the last two dimensions; a tensor of shape \(3,\) has 1"),
    (lambda: ad.layer_norm(x(2, 3), 4), ValueError, r"layer_norm: the last sizes of \(2, 3\) are not \(4,\)"),
    (lambda: ad.conv2d(x(1, 2, 4, 4), x(3, 1, 2, 2)), ValueError, r"conv2d: .*\(1, 2, 4, 4\).*same channels"),
    (
        lambda: ad.max_pool2d(x(1, 1, 2, 2), 3),
        ValueError,
        r"max_pool2d: a window of \(3, 3\) does not fit .*\(1, 1, 2, 2\)",
    ),
    (
        lambda: ad.cross_entropy(x(2, 3), np.array([0])),
        ValueError,
        r"cross_entropy: logits of shape \(2, 3\) with .*\(1,\)",
    ),
    # dtypes
    (
        lambda: ad.tensor([1, 2], requires_grad=True),
        RuntimeError,
        r"dtype int64 cannot require grad.*x\.to\('float64'\)",
    ),
    (lambda: ad.tensor([1, 2]).requires_grad_(), RuntimeError, r"only floating numbers have derivatives"),
    (
        lambda: ad.cross_entropy(x(2, 3), np.ones(2)),
        TypeError,
        r"cross_entropy: targets are class numbers.*not float64",
    ),
    (lambda: ad.embedding(np.ones(2), x(3, 2)), TypeError, r"embedding: input holds row numbers.*not float64"),
    (lambda: ad.tensor(["a"]), TypeError, r"tensor\(\['a'\]\): NumPy makes an array of dtype <U1"),
    (lambda: ad.tensor("a"), TypeError, r"tensor\('a'\): a str is no array of numbers\. Give"),
    (lambda: ad.tensor([[1.0], [1.0, 2.0]]), ValueError, r"tensor\(\[\[1\.0\], \[1\.0, 2\.0\]\]\): "),
    # kinds and devices
    (lambda: x(3) + "1", TypeError, r"unsupported operand"),
    (lambda: x(3).maximum("1"), TypeError, r"maximum\(\) takes tensors and numbers, not str: '1'"),
    (lambda: ad.sum("1"), TypeError, r"sum: takes tensors, not str: '1'.*tensor\(\)"),
    (lambda: ad.flatten([1.0]), TypeError, r"flatten: takes tensors, not list: \[1\.0\].*tensor\(\)"),
    (
        lambda: x(3) * torch.ones(3, device="meta"),
        RuntimeError,
        r"mul of tensors on cpu and meta: bring them to one device first, with x\.to\('meta'\)",
    ),
    (lambda: t(3) + t(3).to("meta"), RuntimeError, r"add of tensors on cpu and meta: bring them to one device first"),
    (lambda: ad.tensor(2.0)[0], TypeError, r"not subscriptable"),
    # sweeps
    (
        lambda: (x(3) * 2).backward(),
        RuntimeError,
        r"backward from a tensor of shape \(3,\) needs the adjoint.*gradient=",
    ),
    (lambda: (x(3) * 2).backward(np.ones(2)), RuntimeError, r"an adjoint of shape \(2,\) was given for .* \(3,\)"),
    (lambda: x(3, requires_grad=False).sum().backward(), RuntimeError, r"does not require grad"),
    (swept_twice, RuntimeError, r"the mul node of shape \(3,\) was swept before|the sum node .* retain_graph=True"),
    (changed_after_saving, RuntimeError, r"mul saved an operand of shape \(3,\).*changed in place.*x\.clone\(\)"),
    (inference, RuntimeError, r"mul would have to save a tensor of shape \(3,\).*inference"),
    (lambda: (x(3) * 2).requires_grad_(False), RuntimeError, r"cannot be switched off"),
    (
        lambda: ad.grad(lambda a: a * 2)(np.ones(3)),
        TypeError,
        r"returned a tensor of shape \(3,\); expected one scalar",
    ),
    # changes in place
    (lambda: in_place(subtract, x(3)), RuntimeError, r"sub in place on a leaf of shape \(3,\).*no_grad\(\)"),
    (lambda: in_place(assign, x(3)), RuntimeError, r"an assignment to elements of .*\(3,\) is not recorded.*where\(\)"),
    (wider_in_place, RuntimeError, r"add in place: the result has shape \(2, 3\), but the tensor \(3,\).*x = x \+ y"),
    # to Python
    (
        lambda: bool(x(2) > 0),
        RuntimeError,
        r"the truth of a tensor of shape \(2,\) is ambiguous.*where\(condition, a, b\)",
    ),
    (lambda: x(2).item(), RuntimeError, r"item\(\) of a tensor of shape \(2,\), which has 2 elements.*mean\(\)"),
    (
        lambda: x(2).numpy(),
        RuntimeError,
        r"numpy\(\) of a tensor of shape \(2,\) that requires grad: .*x\.detach\(\)\.numpy\(\)",
    ),
    (lambda: len(x()), TypeError, r"without dimensions, which has no length; item\(\)"),
    (lambda: ad.dropout(x(2), 1.5), ValueError, r"dropout: p is a probability, from 0 to 1, not 1\.5"),
    (lambda: ad.clip(x(2)), ValueError, r"clip: give min, max or both"),
    (lambda: ad.sum(x(2), dimension=0), TypeError, r"sum: got an unexpected keyword argument 'dimension'"),
]


@pytest.mark.parametrize(("wrong", "kind", "message"), ERRORS, ids=[str(i) for i in range(len(ERRORS))])
def test_a_wrong_use_raises_one_clear_error(wrong: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        wrong()
    assert caught.value.__suppress_context__ or caught.value.__context__ is None  # one error, not a chain of them


def test_the_list_is_long_enough_to_mean_something() -> None:
    assert len(ERRORS) >= 40

"""The scalar node as a number: making, printing, comparing, converting, copying, and what it refuses."""

from __future__ import annotations

import copy
import fractions
import math
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad


def test_a_scalar_records_by_default_and_a_tensor_on_request() -> None:
    assert ad.Scalar(2).requires_grad
    assert not ad.tensor(2.0).requires_grad
    assert ad.tensor(2.0, requires_grad=True, dtype=ad.float64).requires_grad


@pytest.mark.parametrize("number", [2, 2.0, True + 1, fractions.Fraction(2), np.float32(2), np.float64(2), np.int64(2)])
def test_any_real_number_is_taken_and_becomes_a_float(number: Any) -> None:
    x = ad.Scalar(3.0)
    assert type(ad.Scalar(number).data) is float
    for y, value in ((x * number, 6.0), (number * x, 6.0), (x - number, 1.0), (number - x, -1.0), (number**x, 8.0)):
        assert isinstance(y, ad.Scalar) and type(y.data) is float and y.data == value


def test_a_subclass_mixes_with_scalars() -> None:
    class Weight(ad.Scalar):
        pass

    w, x = Weight(2.0), ad.Scalar(3.0)
    (w * x + x * w + w).backward()
    assert (w.grad, x.grad) == (7.0, 4.0)


def test_numbers_stay_as_they_were_written_in_the_operands() -> None:
    x = ad.Scalar(3.0)
    assert (x**2).operands == (x, 2) and type((x**2).operands[1]) is int
    assert (2 - x).operands == (2, x)
    assert (x / 2.5).op == "div"
    assert ((-x).op, (-x).operands, x.op, x.operands) == ("neg", (x,), "", ())


def test_printing_shows_value_and_origin() -> None:
    x = ad.Scalar(2.0)
    assert repr(x) == "Scalar(2.0, requires_grad=True)"
    assert repr(x * 3) == "Scalar(6.0, grad_fn=<MulBackward>)"
    assert str(x.detach()) == "Scalar(2.0)"
    assert f"{x:.3f} {x}" == "2.000 Scalar(2.0, requires_grad=True)"


def test_grad_fn_can_be_walked_to_the_leaves() -> None:
    x, c = ad.Scalar(2.0), ad.tensor(3.0)
    y = (x * c).exp()
    ((product, _),) = y.grad_fn.next_functions
    assert [str(step) for step, _ in product.next_functions] == ["<AccumulateGrad>", "None"]
    assert product.next_functions[0][0].variable is x
    assert y.grad_fn == y.grad_fn and y.grad_fn != product and len({y.grad_fn, y.grad_fn}) == 1
    assert x.grad_fn is None
    with pytest.raises(AttributeError, match="only <AccumulateGrad> has a variable"):
        product.variable  # noqa: B018


def test_comparisons_are_by_value_and_hashes_by_identity() -> None:
    x, y = ad.Scalar(2.0), ad.Scalar(2.0)
    assert x == y and x == 2 and x != 3 and x < 3 and x <= y and not x > y and x >= 2.0
    assert len({x, y}) == 2
    assert x != "2" and x not in ["2"]
    assert bool(x) and not ad.Scalar(0.0)
    with pytest.raises(TypeError):
        x < "3"  # noqa: B015


def test_a_python_branch_goes_by_the_value() -> None:
    def f(x: Any) -> Any:
        return x * 2 if x > 0 else x * 3

    assert (ad.grad(f)(1.0), ad.grad(f)(-1.0)) == (2.0, 3.0)
    assert max(ad.Scalar(1.0), ad.Scalar(2.0)).data == 2.0


def test_a_scalar_turns_into_plain_numbers() -> None:
    x = ad.Scalar(2.5)
    assert (float(x), int(x), x.item(), math.floor(x.item())) == (2.5, 2, 2.5, 2)


def test_module_functions_of_numbers_give_numbers() -> None:
    assert ad.exp(0.0) == 1.0 and type(ad.exp(0)) is float
    assert ad.maximum(1, 2) == 2.0
    assert ad.log(0.0) == -math.inf


def test_where_there_is_no_real_answer_the_value_is_that_of_ieee_arithmetic() -> None:
    x = ad.Scalar(0.0)
    assert (1 / x).data == math.inf and (x / 0).data != (x / 0).data
    assert (x**-1).data == math.inf and x.log().data == -math.inf
    assert math.isnan((x - 1).sqrt().data) and math.isnan(((x - 8) ** (1 / 3)).data)
    assert (x + 1000).exp().data == math.inf and ((x + 10) ** 400).data == math.inf
    assert math.isnan((x + math.inf).sin().data)
    y = x.sqrt()
    y.backward()
    assert x.grad == math.inf


# Copies


def make_graph() -> ad.Scalar:
    y = ad.Scalar(1.0)
    for _ in range(5 * sys.getrecursionlimit()):
        y = y * 1.0
    return y


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda node: pickle.loads(pickle.dumps(node))])
def test_a_copy_of_a_computed_node_is_a_leaf_without_the_graph(duplicate: Callable[[ad.Scalar], ad.Scalar]) -> None:
    y = make_graph()
    copied = duplicate(y)
    assert (copied.data, copied.is_leaf, copied.requires_grad, copied.operands) == (1.0, True, True, ())
    assert len(pickle.dumps(y)) < 200


def test_a_copy_of_a_leaf_keeps_its_gradient_and_whether_it_needs_one() -> None:
    x = ad.Scalar(2.0)
    (x * x).backward()
    model = copy.deepcopy({"w": [x, x], "c": ad.tensor(1.0)})
    assert model["w"][0] is model["w"][1] is not x
    assert (model["w"][0].grad, model["c"].requires_grad) == (4.0, False)


# In place


def test_a_parameter_is_updated_in_place_under_no_grad() -> None:
    w = same = ad.Scalar(2.0)
    (w * w).backward()
    with ad.no_grad():
        w -= 0.25 * w.grad
        w *= 2
    assert w is same and (w.data, w.is_leaf, w.requires_grad) == (2.0, True, True)


def test_adding_in_place_to_a_computed_node_makes_a_new_one() -> None:
    x = ad.Scalar(2.0)
    total = first = x * 1
    total += x
    total += 1
    assert total is not first and (total.data, first.data) == (5.0, 2.0)
    total.backward()
    assert x.grad == 2.0


# What is refused: each message names the thing and the way out


def recorded() -> ad.Scalar:
    return ad.Scalar(2.0) * 3


def in_place_on_a_leaf() -> None:
    w = ad.Scalar(2.0)
    w -= 0.1


def mixed_with_an_inference_node() -> None:
    with ad.inference_mode():
        c = ad.tensor(2.0) * 3
    ad.Scalar(2.0) * c


ERRORS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: ad.Scalar("2.0"), TypeError, r"Scalar\('2\.0'\): '2\.0' is a text.*float\('2\.0'\)"),
    (lambda: ad.Scalar([1.0, 2.0]), TypeError, r"\[1\.0, 2\.0\] is a list; a Scalar holds one number"),
    (lambda: ad.Scalar(np.ones(3)), TypeError, "is a ndarray; a Scalar holds one number"),
    (lambda: ad.Scalar(1 + 2j), TypeError, r"\(1\+2j\) is complex"),
    (lambda: ad.Scalar(ad.Scalar(1.0)), TypeError, r"is a node already.*\.detach\(\)"),
    (lambda: ad.Scalar(None), TypeError, r"Scalar\(None\): None is a NoneType, not a number"),
    (lambda: ad.set_default_dtype("float32"), TypeError, "dtype float32: a Scalar is always a float64"),
    (lambda: ad.Scalar(1.0) + "1", TypeError, "unsupported operand"),
    (
        lambda: [1.0] * ad.Scalar(2.0),
        TypeError,
        r"'Scalar' and 'list'\. Write \[x \* item.*int\(x\) to repeat the list",
    ),
    (lambda: ad.Scalar(2.0) * (1.0, 2.0), TypeError, "'Scalar' and 'tuple'"),
    (lambda: recorded() * "ab", TypeError, "'Scalar' and 'str'"),
    (lambda: b"ab" * ad.Scalar(2.0), TypeError, "'Scalar' and 'bytes'"),
    (lambda: {1.0} * ad.Scalar(2.0), TypeError, "unsupported operand"),
    (lambda: ad.exp("1"), TypeError, r"exp\(\) takes nodes and numbers, not str: '1'"),
    (lambda: ad.Scalar(1.0).maximum(None), TypeError, r"maximum\(\) takes nodes and numbers, not NoneType"),
    (lambda: ad.maximum(1.0), TypeError, r"maximum\(\) takes 2 operands, not 1"),
    (lambda: ad.exp(1.0, 2.0), TypeError, r"exp\(\) takes 1 operand, not 2"),
    (lambda: ad.tensor(2.0).backward(), RuntimeError, r"backward from Scalar\(2\.0\), which does not require grad"),
    (lambda: recorded().backward("1"), TypeError, r"'1' is a text"),
    (lambda: ad.tensor(2.0).register_hook(print), RuntimeError, r"register_hook on Scalar\(2\.0\)"),
    (lambda: ad.tensor(2.0).retain_grad(), RuntimeError, r"retain_grad on Scalar\(2\.0\)"),
    (lambda: recorded().requires_grad_(False), RuntimeError, r"cannot be switched off.*\.detach\(\)"),
    (
        lambda: ad.autograd.grad(recorded(), ad.tensor(1.0)),
        RuntimeError,
        r"input 0, Scalar\(1\.0\), does not require grad",
    ),
    (in_place_on_a_leaf, RuntimeError, r"sub in place on the leaf Scalar\(2\.0.*no_grad\(\)"),
    (mixed_with_an_inference_node, RuntimeError, r"mul would have to save Scalar\(6\.0\).*inference"),
    (lambda: ad.grad(lambda x: [x, x])(1.0), TypeError, "returned list.*expected one scalar"),
    (lambda: ad.grad(lambda x: x, argnums=2)(1.0), ValueError, "argnums=2, but .* called with 1 positional"),
    (lambda: ad.jvp(ad.exp, (1.0,), ()), ValueError, "1 primals but 0 tangents"),
    (lambda: ad.vjp(lambda x: (x, x), 1.0)[1]([1.0]), ValueError, "returned 2 values.*1 adjoints"),
    (lambda: ad.gradcheck(ad.exp, ad.tensor(1.0)), ValueError, "no input requires grad"),
    (lambda: ad.no_such_name, AttributeError, "module 'autodiff_lab' has no attribute 'no_such_name'"),
]


@pytest.mark.parametrize(("wrong", "kind", "message"), ERRORS, ids=[str(i) for i in range(len(ERRORS))])
def test_a_wrong_use_raises_one_clear_error(wrong: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        wrong()


def test_requires_grad_can_be_switched_on_a_leaf() -> None:
    x = ad.tensor(2.0).requires_grad_()
    (x * x).backward()
    x.requires_grad = False
    assert (x.grad, (x * x).requires_grad) == (4.0, False)

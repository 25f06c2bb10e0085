"""What a gradient, a file or a state cannot be is refused where it is given, with what to write instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad

# Gradients


def leaf(dtype: str = "float64") -> Any:
    return ad.tensor([1.0, 2.0], dtype=dtype, requires_grad=True)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (3.0, TypeError, r"shape \(2,\) is a tensor like it or None, not a float: 3\.0\. Write x\.grad = ad\.tensor"),
        ([1.0, 2.0], TypeError, r"not a list: \[1\.0, 2\.0\]\. Write x\.grad = ad\.tensor\(…, dtype='float64'\)"),
        (np.ones(2), TypeError, r"not a ndarray: array\(\[1\., 1\.\]\)\. Write x\.grad = ad\.tensor\("),
        ("zero", TypeError, r"not a str: 'zero'\. Write x\.grad = ad\.zeros_like\(x\), or x\.grad = None"),
        (ad.Scalar(1.0), TypeError, r"not a Scalar: Scalar\(1\.0.*ad\.zeros_like"),
        (
            ad.tensor([1.0, 2.0, 3.0]),
            RuntimeError,
            r"not one of shape \(3,\); its shape is \(2,\)\. Sum over what",
        ),
        (ad.tensor([[1.0, 2.0]]), RuntimeError, r"not one of shape \(1, 2\).*Write x\.grad = g\.reshape\(\(2,\)\)"),
        (ad.tensor([1.0, 2.0], dtype="float32"), RuntimeError, r"not one of dtype float32.*g\.to\('float64'\)"),
        (ad.tensor([1, 2]), RuntimeError, r"not one of dtype int64; its dtype is float64"),
    ],
)
def test_what_is_no_gradient_of_a_tensor_is_refused_when_it_is_set(given: Any, error: Any, words: str) -> None:
    x = leaf()
    (x * 3).sum().backward()
    with pytest.raises(error, match=words):
        x.grad = given
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_gradient_over_arrays_of_another_library_or_on_another_device_is_refused() -> None:
    torch = pytest.importorskip("torch")
    x, theirs = leaf(), ad.tensor(torch.ones(2, dtype=torch.float64))
    with pytest.raises(RuntimeError, match=r"not one over torch's arrays; it is over numpy's"):
        x.grad = theirs
    y = ad.tensor(torch.ones(2, dtype=torch.float64), requires_grad=True)
    with pytest.raises(RuntimeError, match=r"not one over numpy's arrays; it is over torch's"):
        y.grad = x.detach()
    with pytest.raises(RuntimeError, match=r"not one of device meta; its device is cpu.*to\('cpu'\)"):
        y.grad = ad.tensor(torch.ones(2, dtype=torch.float64, device="meta"))
    y.grad = theirs
    assert y.grad is theirs


def test_a_gradient_that_fits_is_taken_and_added_to() -> None:
    x = leaf()
    x.grad = ad.tensor([10.0, 20.0])
    (x * 3).sum().backward()
    assert x.grad.tolist() == [13.0, 23.0]
    x.grad = None
    assert x.grad is None


@pytest.mark.parametrize("given", ["1", [1.0], np.ones(1), ad.tensor([1.0]), 1j])
def test_what_is_no_gradient_of_a_scalar_is_refused_when_it_is_set(given: Any) -> None:
    x = ad.Scalar(2.0)
    with pytest.raises(TypeError, match=r"the grad of Scalar\(2\.0.*is a number or None, not a"):
        x.grad = given
    assert x.grad is None


def test_a_scalars_gradient_may_be_any_real_number_as_in_micrograd() -> None:
    x = ad.Scalar(2.0)
    for given in (0, 0.0, np.float32(0.0), False):
        x.grad = given
        assert type(x.grad) is float
        (x * 3).backward()
        assert x.grad == 3.0
    x.grad = ad.Scalar(1.0)
    (x * 3).backward()
    assert float(x.grad) == 4.0


# Files


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({("a", 1): 2.0}, r"save: the object has the key \('a', 1\), a tuple; keys are strings and numbers"),
        ({"model": {("a", 1): [1.0]}}, r"save: model has the key \('a', 1\), a tuple"),
        ({frozenset({1}): 2.0}, r"a frozenset; keys are"),
        ({b"a": 2.0}, r"has the key b'a', a bytes"),
        ({np.int64(1): 2.0}, r"a int64; keys are strings and numbers"),
    ],
)
def test_a_key_that_a_file_cannot_hold_is_refused_before_anything_is_written(
    keys: Any, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    with pytest.raises(TypeError, match=words):
        ad.save(keys, path)
    assert not path.exists()


def test_keys_that_a_file_can_hold_come_back_as_they_were(tmp_path: Path) -> None:
    saved = {"a": 1, 2: ad.tensor([1.0]), None: "n", True: [1.5], 0.5: (None, {"x": False})}
    ad.save(saved, tmp_path / "f")
    loaded = ad.load(tmp_path / "f")
    assert list(loaded) == list(saved) and loaded[2].tolist() == [1.0] and loaded[0.5] == (None, {"x": False})


# States


def test_a_state_that_is_no_dict_or_holds_no_arrays_is_refused_and_nothing_is_changed() -> None:
    model, other = ad.nn.Linear(2, 1), ad.nn.Linear(2, 1)
    before = [p.tolist() for p in model.parameters()]
    with pytest.raises(TypeError, match=r"load_state_dict takes a dict of values by path, not a Linear"):
        model.load_state_dict(other)
    with pytest.raises(TypeError, match=r"not a str: write .*ad\.load\(path\)"):
        model.load_state_dict("model.safetensors")
    state = other.state_dict()
    for wrong, words in (
        ({**state, "weight": "w"}, r"weight is a str there, not a tensor, an array or a number"),
        ({**state, "weight": [[1.0, 2.0]]}, r"weight is a list there"),
        ({**state, "bias": None}, r"bias is a NoneType there"),
        ({**state, "weight": ad.tensor([1.0, 2.0])}, r"weight has shape \(1, 2\) here and \(2,\) there"),
        ({**state, 3: ad.tensor([1.0])}, r"unexpected: 3"),
    ):
        with pytest.raises(RuntimeError, match=words):
            model.load_state_dict(wrong)
    assert [p.tolist() for p in model.parameters()] == before
    model.load_state_dict({**state, "weight": state["weight"].numpy()})
    assert model.weight.tolist() == other.weight.tolist()


def test_an_optimizer_refuses_what_is_no_leaf_and_a_generator_that_is_used_up() -> None:
    model = ad.nn.Linear(2, 1)
    parameters = model.parameters()
    ad.optim.SGD(parameters, lr=0.1)
    with pytest.raises(ValueError, match="a generator is empty when used twice"):
        ad.optim.SGD(parameters, lr=0.1)
    with pytest.raises(ValueError, match=r"changes leaves; the mul node of shape \(2,\) is computed: detach\(\) it"):
        ad.optim.SGD([leaf() * 2], lr=0.1)
    with pytest.raises(TypeError, match="not a ndarray: use tensor"):
        ad.optim.SGD([np.ones(2)], lr=0.1)


def test_gradients_that_are_not_there_are_zeroed_and_stepped_over_without_a_word() -> None:
    x, s = leaf(), ad.Scalar(1.0)
    optimizer = ad.optim.SGD([x, s], lr=0.1)
    for set_to_none in (True, False):
        optimizer.zero_grad(set_to_none)
        optimizer.step()
        assert x.grad is None and s.grad is None
    (x.sum() + s).backward()
    optimizer.zero_grad(set_to_none=False)
    assert x.grad.tolist() == [0.0, 0.0] and s.grad == 0.0


# Values


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (
            [1.0, 2.0],
            TypeError,
            r"data of a tensor of shape \(2,\) is an array of numpy's .*not a list: \[1\.0, 2\.0\]",
        ),
        (3.0, TypeError, r"not a float: 3\.0\. Write x\.data = ad\.tensor\(…, dtype='float64'\)"),
        (None, TypeError, r"not a NoneType: None"),
        (ad.Scalar(1.0), TypeError, r"not a Scalar: Scalar\(1\.0"),
        (np.array([1, 2]), RuntimeError, r"that requires grad is of a floating dtype, not int64\. .*to\('float64'\)"),
        (ad.tensor([True, False]), RuntimeError, r"floating dtype, not bool"),
    ],
)
def test_what_is_no_data_of_a_tensor_is_refused_when_it_is_set(given: Any, error: Any, words: str) -> None:
    x = leaf()
    with pytest.raises(error, match=words):
        x.data = given
    assert x.data.tolist() == [1.0, 2.0] and (x * 2).tolist() == [2.0, 4.0]


def test_data_of_another_library_is_refused_both_ways() -> None:
    torch = pytest.importorskip("torch")
    x, y = leaf(), ad.tensor(torch.ones(2), requires_grad=True)
    for given in (torch.ones(2), y):
        with pytest.raises(TypeError, match=r"is an array of numpy's or a tensor over one, not a Tensor of torch's"):
            x.data = given
    for given in (np.ones(2), x):
        with pytest.raises(TypeError, match=r"is an array of torch's or a tensor over one, not a ndarray of numpy's"):
            y.data = given


def test_data_takes_an_array_or_a_tensor_like_it_as_a_torch_snippet_writes_it() -> None:
    x = leaf()
    (x * x).sum().backward()
    x.data = x.data - 0.5 * x.grad  # a tensor, for the gradient is one
    assert type(x.data) is np.ndarray and x.data.tolist() == [0.0, 0.0] and x.requires_grad and x.is_leaf
    x.data -= np.array([1.0, 2.0])
    assert x.tolist() == [-1.0, -2.0] and (x * 3).tolist() == [-3.0, -6.0]


def test_data_that_is_set_between_forward_and_backward_is_noticed_as_any_change() -> None:
    x = leaf()
    y = x * x
    z = x.exp()
    x.data = np.array([5.0, 6.0])
    with pytest.raises(RuntimeError, match=r"mul saved an operand of shape \(2,\).*changed in place"):
        y.sum().backward()
    z.data = np.array([5.0, 6.0])
    with pytest.raises(RuntimeError, match=r"exp saved its result of shape \(2,\).*changed in place"):
        z.backward(np.ones(2))


@pytest.mark.parametrize("given", ["1", [1.0], None, ad.Scalar(1.0), np.ones(1), 1j])
def test_what_is_no_data_of_a_scalar_is_refused_when_it_is_set(given: Any) -> None:
    x = ad.Scalar(2.0)
    with pytest.raises(TypeError, match=r"the data of Scalar\(2\.0, requires_grad=True\) is a number, not a"):
        x.data = given
    assert x.data == 2.0


def test_the_data_of_a_scalar_may_be_any_real_number_and_is_a_float() -> None:
    x = ad.Scalar(2.0)
    for given in (3, np.float32(3.0), True):
        x.data = given
        assert type(x.data) is float and (x * 2).data == 2 * float(given)
    x.data -= 0.5
    assert x.data == 0.5

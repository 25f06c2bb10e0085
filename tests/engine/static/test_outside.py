"""What a compiled function finds outside: it sees what is no longer what it was, and what is still the same."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import nn
from autodiff_lab.engine.static import outside

X = np.array([[1.0, -2.0, 3.0]])
FACTOR = 2.0
CONFIG = types.SimpleNamespace(scale=2.0, unused=0)
SETTINGS = {"scale": 2.0, "shifts": [1.0, 2.0]}


def helper(x: Any) -> Any:
    return x * FACTOR


class Settings:
    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.calls = 0


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)
        self.scale = 2.0
        self.shifts = [1.0]

    def forward(self, x: Any) -> Any:
        return helper(self.b(self.a(x).relu()) * self.scale + sum(self.shifts))


class Counting:
    """A callable of no module, which counts its calls: what it sets itself is no reason to trace again."""

    def __init__(self) -> None:
        self.scale = 2.0
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return x * self.scale

    def method(self, x: Any) -> Any:
        return self(x) + 1.0


def agree(compiled: Any, fn: Callable[..., Any], x: Any = X) -> None:
    given = ad.tensor(x)
    np.testing.assert_allclose(compiled(given).tolist(), fn(given).tolist(), rtol=1e-12)


def replaced_state(net: Net) -> None:
    state = {name: ad.tensor(np.asarray(p.tolist()) + 1.0) for name, p in net.state_dict().items()}
    net.load_state_dict(state, assign=True)


CHANGES: dict[str, Callable[[Any], None]] = {
    "a replaced layer": lambda net: setattr(net, "a", nn.Linear(3, 4)),
    "a layer of another kind": lambda net: setattr(net, "a", nn.Sequential(nn.Linear(3, 4), nn.Tanh())),
    "a replaced parameter": lambda net: setattr(net.b, "weight", nn.Parameter(np.ones((2, 4)))),
    "an assigned state": replaced_state,
    "a bias that is gone": lambda net: setattr(net.b, "bias", None),
    "a number": lambda net: setattr(net, "scale", 5.0),
    "a list that is longer": lambda net: net.shifts.append(3.0),
    "an element of a list": lambda net: net.shifts.__setitem__(0, 9.0),
    "a hook": lambda net: net.a.register_forward_hook(lambda module, args, output: output * 2.0),
    "evaluation": lambda net: net.eval(),
    "frozen parameters": lambda net: net.requires_grad_(False),
    "values in place": lambda net: net.load_state_dict({k: v * 2.0 for k, v in net.state_dict().items()}),
}


@pytest.mark.parametrize("way", ["module", "method", "closure", "argument of partial"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_module_that_was_changed_is_seen(change: str, way: str) -> None:
    ad.manual_seed(0)
    net = Net()
    fn: Any = {
        "module": net,
        "method": net.forward,
        "closure": lambda x: net(x) * 3.0,
        "argument of partial": partial(lambda net, x: net(x), net),
    }[way]
    compiled = ad.compile(fn)
    agree(compiled, fn)
    CHANGES[change](net)
    agree(compiled, fn)
    agree(compiled, fn)
    known = len(compiled.retraces)
    agree(compiled, fn)
    assert len(compiled.retraces) == known, compiled.retraces


def test_the_reason_names_what_was_changed() -> None:
    ad.manual_seed(0)
    net = Net()
    compiled = ad.compile(net)
    compiled(ad.tensor(X))
    for change, reason in {
        "a replaced parameter": "Net.b.weight is another NumpyTensor",
        "a number": "Net.scale is 5.0, not 2.0",
        "a bias that is gone": "Net.b.bias is None",
        "evaluation": "Net.training is False, not True",
    }.items():
        CHANGES[change](net)
        compiled(ad.tensor(X))
        assert compiled.retraces[-1] == f"retraced because {reason} (found outside; an argument is an input)"


def test_toggling_back_and_forth_makes_two_programs() -> None:
    net = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.0))
    compiled = ad.compile(net)
    for _ in range(4):
        agree(compiled, net.train())
        agree(compiled, net.eval())
    assert len(compiled.programs) == 2


def test_training_does_not_trace_again() -> None:
    ad.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 1))
    compiled = ad.compile(lambda x: (net(x) ** 2).sum())
    optimizer = ad.optim.Adam(net.parameters(), lr=0.01)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = compiled(ad.tensor(X))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True) and compiled.retraces == []


def test_names_of_the_module_of_a_function_and_of_what_it_calls_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    here: Any = sys.modules[__name__]

    def fn(x: Any) -> Any:
        return here.helper(x) * CONFIG.scale + SETTINGS["scale"] * SETTINGS["shifts"][0]

    compiled = ad.compile(fn)
    agree(compiled, fn)
    monkeypatch.setattr(here, "FACTOR", 7.0)
    agree(compiled, fn)
    monkeypatch.setattr(CONFIG, "unused", 1)
    agree(compiled, fn)
    assert len(compiled.programs) == 2, compiled.retraces
    monkeypatch.setattr(CONFIG, "scale", 3.0)
    agree(compiled, fn)
    monkeypatch.setitem(SETTINGS, "scale", -1.0)
    agree(compiled, fn)
    monkeypatch.setitem(SETTINGS, "shifts", [5.0])
    agree(compiled, fn)
    monkeypatch.setattr(here, "helper", lambda x: -x)
    agree(compiled, fn)
    assert len(compiled.programs) == 6


def test_what_a_closure_holds_is_seen() -> None:
    scale, weights, by_name, settings = 2.0, [ad.tensor(X), ad.tensor(X)], {"w": ad.tensor(X)}, Settings(2.0)

    def inner(x: Any) -> Any:
        return x * scale + settings.scale

    def fn(x: Any) -> Any:
        return inner(x) + weights[0] * weights[-1] + by_name["w"]

    compiled = ad.compile(fn)
    agree(compiled, fn)
    scale = 3.0
    agree(compiled, fn)
    weights[0] = ad.tensor(X * 2.0)
    agree(compiled, fn)
    weights.append(ad.tensor(X * 3.0))
    agree(compiled, fn)
    by_name["w"] = ad.tensor(-X)
    agree(compiled, fn)
    settings.scale = 9.0
    agree(compiled, fn)
    before = len(compiled.programs)
    agree(compiled, fn)
    settings.calls += 1  # nobody reads it
    agree(compiled, fn)
    assert len(compiled.programs) == before


@pytest.mark.parametrize("way", ["object", "method"])
def test_an_object_that_is_called_is_looked_at_but_for_what_it_sets_itself(way: str) -> None:
    thing = Counting()
    fn = thing if way == "object" else thing.method
    compiled = ad.compile(fn)
    for _ in range(3):
        agree(compiled, fn)
    thing.scale = 5.0
    agree(compiled, fn)
    assert len(compiled.programs) == 2, compiled.retraces


def test_what_a_function_changes_in_places_that_nobody_foresees_is_no_reason_to_trace_again() -> None:
    log: list[int] = []

    def fn(x: Any) -> Any:
        log.append(len(log))
        return x * 2.0

    compiled = ad.compile(fn)
    for _ in range(3):
        compiled(ad.tensor(X))
    assert len(compiled.programs) == 1 and log == [0]


# In what is differentiated or traced


def test_a_program_of_an_outer_argument_is_differentiated_with_respect_to_it() -> None:
    for made in (lambda f, *examples: ad.compile(f), ad.trace):
        f = lambda x, made=made: made(lambda y: y * x * x, 1.0)(4.0)  # noqa: E731
        assert ad.grad(f)(5.0) == 40.0 and ad.grad(ad.grad(f))(5.0) == 8.0
        assert ad.vjp(f, 5.0)[1](1.0) == (40.0,) and ad.jvp(f, (5.0,), (1.0,)) == (100.0, 40.0)
        assert ad.jacobian(f, 5.0) == [[40.0]] and ad.hessian(f, 5.0) == [[8.0]]
        assert ad.compile(f)(5.0) == 100.0 and ad.trace(f, 1.0)(5.0) == 100.0 and ad.grad(ad.compile(f))(5.0) == 40.0
        a, b = np.array([1.0, 2.0]), np.array([4.0, 1.0])
        g = lambda x, made=made, b=b: made(lambda y: (y * x * x).sum(), b)(b)  # noqa: E731
        np.testing.assert_allclose(ad.grad(g)(a), 2.0 * a * b)
        np.testing.assert_allclose(ad.hessian(g, a), np.diag(2.0 * b))
        structured = lambda x, made=made: made(lambda y: {"a": [y * x]}, 1.0)(4.0)["a"][0]  # noqa: E731
        assert ad.grad(structured)(5.0) == 4.0


def test_checkpoints_and_programs_within_one_another() -> None:
    inside = lambda x: ad.compile(lambda y: ad.checkpoint(lambda z: z * z * x, y))(3.0)  # noqa: E731
    outside = lambda x: ad.checkpoint(ad.compile(lambda y: y * x * x), 3.0)  # noqa: E731
    assert ad.grad(inside)(5.0) == 9.0 and ad.grad(outside)(5.0) == 30.0


def test_what_depends_on_no_outer_argument_stays_a_number() -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        seen.append(ad.compile(lambda y: y * 2.0)(4.0))
        seen.append(ad.trace(lambda y: y * 2.0, np.ones(2))(np.ones(2)))
        return x * seen[0]

    assert ad.grad(f)(5.0) == 8.0 and type(seen[0]) is float and type(seen[1]) is np.ndarray
    w = ad.tensor(X, requires_grad=True)
    assert type(ad.compile(lambda x: x * w)(X)) is np.ndarray and type(ad.trace(lambda x: x * w, X)(X)) is np.ndarray


def test_anomalies_are_detected_in_compiled_functions() -> None:
    def sqrt_of(x: Any) -> Any:
        return (x.sqrt() * 0.0).sum()

    compiled = ad.compile(sqrt_of)
    x = ad.tensor([0.0, 1.0], requires_grad=True)
    compiled(x)
    with ad.autograd.detect_anomaly():
        with pytest.raises(
            RuntimeError, match=r"SqrtBackward made nan .*computed in sqrt_of, line \d+ of test_outside"
        ):
            compiled(x).backward()
        assert compiled(np.array([4.0])) == 0.0 and compiled(x=ad.tensor([1.0])).item() == 0.0
        with pytest.warns(RuntimeWarning, match="the first nan computed: a result of sqrt"):
            compiled(ad.tensor([-1.0, 1.0]))
    nested = ad.grad(ad.compile(lambda x: ad.compile(lambda y: y * x)(4.0)))
    with ad.autograd.detect_anomaly():
        assert nested(5.0) == 4.0


def test_what_was_written_to_the_array_of_a_tensor_found_outside_is_seen() -> None:
    scale, parts = ad.tensor([1.0, 1.0]), [ad.tensor([0.0, 0.0]), ad.Scalar(1.0, requires_grad=False)]
    x = ad.tensor([2.0, 3.0])
    f = ad.compile(lambda x: x * scale + parts[0] * parts[1])  # of which nothing but x is left
    assert f(x).tolist() == [2.0, 3.0]
    assert scale.data[0] == 1.0 and f(x).tolist() == [2.0, 3.0] and len(f.retraces) == 0  # a look
    scale.data[0] = 10.0
    assert f(x).tolist() == f(x).tolist() == [20.0, 3.0] and len(f.retraces) == 1
    parts[0].detach().numpy()[1] = 5.0
    assert f(x).tolist() == [20.0, 8.0]
    w = ad.tensor([1.0, 1.0], requires_grad=True)
    scale.data[1] = 2.0
    (w * w).sum().backward()  # a sweep looks at it first
    assert f(x).tolist() == [20.0, 11.0] and len(f.retraces) == 3
    assert "a tensor that was found outside, and does not require grad, has changed" in f.retraces[-1]


def test_a_list_of_many_parts_is_looked_at_again_only_if_one_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    whole = outside.state_of
    monkeypatch.setattr(outside, "state_of", lambda *what: looked.append(what[0]) or whole(*what))
    points, layers = [(float(i), [i]) for i in range(50)], [nn.Linear(2, 2), {"k": [nn.Linear(2, 2)]}]
    f = ad.compile(lambda x: x * points[0][0] + len(points) + points[-1][1][0])
    g = ad.compile(lambda x: layers[1]["k"][0](layers[0](x)).sum())
    x = ad.tensor([[1.0, 2.0]])
    f(2.0), g(x)
    looked.clear()
    assert f(3.0) == 99.0 and g(x).shape == () and looked == []
    points[-1][1][0] = 100
    assert f(3.0) == 150.0 and len(looked) > 0
    points[0] = (2.0, [0])
    assert f(3.0) == 156.0
    points.append((1.0, [1]))
    assert f(3.0) == 58.0
    layers[1]["k"][0].bias = None
    assert abs(g(x).item() - layers[1]["k"][0](layers[0](x)).sum().item()) < 1e-12
    layers[1]["k"][0] = nn.Linear(2, 2)
    assert abs(g(x).item() - layers[1]["k"][0](layers[0](x)).sum().item()) < 1e-12


Constants = tuple[Any, Any, Any, Any]  # a tensor of floats, one of integers, one of booleans and a scalar

WITH_CONSTANTS: dict[str, Callable[[Any, Constants], Any]] = {
    "computed first": lambda x, k: x * (k[0] * 2.0),
    "reduced": lambda x, k: x + k[0].exp().sum() * k[3],
    "an element": lambda x, k: x * k[0][0],
    "a view": lambda x, k: x * k[0].T.detach(),
    "its array": lambda x, k: x * k[0].data[0],
    "a number": lambda x, k: x * float(k[0][0]) + k[0].tolist()[0],
    "a scalar": lambda x, k: (x * k[3]) ** (k[3] * k[3]),
    "a scalar as a number": lambda x, k: x * float(k[3]),
    "a choice of Python's": lambda x, k: x if k[3] > 2.5 else x * 2.0,
    "an index": lambda x, k: x[k[1]] + x[:, k[1]].sum(),
    "a mask": lambda x, k: ad.where(k[2], x, 0.0),
    "what a mask takes": lambda x, k: x[:, k[2]],
    "classes": lambda x, k: ad.cross_entropy(x, k[1]),
    "a table": lambda x, k: ad.embedding(k[1], x),
    "a limit": lambda x, k: ad.clamp(x, k[0], k[0] + 1.0),
    "joined": lambda x, k: ad.cat([x, k[0].unsqueeze(0)]),
}


@pytest.mark.parametrize("written", [False, True], ids=["changed in place", "written to"])
@pytest.mark.parametrize("name", WITH_CONSTANTS)
def test_a_constant_found_outside_that_is_changed_in_place_is_seen_whatever_it_is_for(name: str, written: bool) -> None:
    floats, integers, booleans = ad.tensor([1.0, 1.0, 2.0]), ad.tensor([0, 1]), ad.tensor([True, False, True])
    constants = floats, integers, booleans, ad.Scalar(2.0, requires_grad=False)
    function, x = WITH_CONSTANTS[name], ad.tensor([[2.0, 3.0, 4.0], [1.0, 0.5, 5.0]])
    f = ad.compile(lambda x: function(x, constants))
    before = function(x, constants).tolist()
    assert f(x).tolist() == before and f(x).tolist() == before and f.retraces == []
    with ad.no_grad():
        for tensor, value in ((floats, 3.0), (integers, 1), (booleans, False)):
            (tensor.data if written else tensor)[0] = value
    constants[3].data = 3.0
    after = function(x, constants).tolist()
    assert after != before and f(x).tolist() == after
    assert f(x).tolist() == after

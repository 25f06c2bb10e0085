"""Modules: what they register, how they change as a whole, their state and its files, and errors."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import nn
from autodiff_lab.engine.generator import Generator
from autodiff_lab.engine.nn import functional as F


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.scale = nn.Parameter(ad.ones(4))
        self.register_buffer("count", ad.tensor([7]))
        self.register_buffer("scratch", ad.zeros(2), persistent=False)
        self.rest = nn.ModuleList([nn.Linear(4, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 2, bias=False))])
        self.plain = [nn.Linear(9, 9)]
        self.note = "a text"

    def forward(self, x: Any) -> Any:
        x = self.first(x) * self.scale
        for part in self.rest:
            x = part(x)
        return x


NAMES = ["scale", "first.weight", "first.bias", "rest.0.weight", "rest.0.bias", "rest.1.1.weight"]


# Registration


def test_what_is_assigned_to_attributes_is_registered_in_order() -> None:
    net = Net()
    assert [name for name, _ in net.named_parameters()] == NAMES
    assert [name for name, _ in net.named_buffers()] == ["count", "scratch"]
    assert [name for name, _ in net.named_children()] == ["first", "rest"]
    assert [name for name, _ in net.named_modules()] == [
        "",
        "first",
        "rest",
        "rest.0",
        "rest.1",
        "rest.1.0",
        "rest.1.1",
    ]
    assert [x.shape for x in net.parameters()] == [(4,), (4, 3), (4,), (4, 4), (4,), (2, 4)]
    assert [name for name, _ in net.named_parameters(recurse=False)] == ["scale"]
    assert [name for name, _ in net.first.named_parameters("front")] == ["front.weight", "front.bias"]


def test_a_parameter_is_a_leaf_of_the_usual_class() -> None:
    array = np.ones(3, "float32")
    x = nn.Parameter(array)
    assert isinstance(x, nn.Parameter) and type(x) is type(ad.tensor(array)) and x.data is array
    assert x.requires_grad and x.is_leaf and x.dtype == "float32"
    frozen = nn.Parameter(ad.tensor([1, 2]), requires_grad=False)
    assert isinstance(frozen, nn.Parameter) and not frozen.requires_grad
    for other in (ad.tensor([1.0], requires_grad=True), x * 2, x.detach(), array, 1.0):
        assert not isinstance(other, nn.Parameter)
    with pytest.raises(RuntimeError, match="int64 cannot require grad"):
        nn.Parameter(ad.tensor([1, 2]))


def test_only_parameters_are_registered_not_every_tensor() -> None:
    net = nn.Module()
    net.a = ad.ones(2, requires_grad=True)
    net.b = nn.Parameter(ad.ones(2)) * 2
    assert list(net.parameters()) == []
    net.c = nn.Parameter(ad.ones(2), requires_grad=False)
    assert [name for name, _ in net.named_parameters()] == ["c"]


def test_a_parameter_that_is_shared_counts_once_and_its_state_twice() -> None:
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    net[1].weight = net[0].weight
    assert [name for name, _ in net.named_parameters()] == ["0.weight", "0.bias", "1.bias"]
    assert list(net.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    twice = nn.Sequential(net[0], net[0])
    assert len(list(twice.modules())) == 2 and len(list(twice.state_dict())) == 4


def test_a_parameters_place_is_kept_for_parameters() -> None:
    net = Net()
    with pytest.raises(TypeError, match=r"Linear\.weight is a parameter; a NumpyTensor cannot.*nn\.Parameter"):
        net.first.weight = ad.ones(4, 3)
    with pytest.raises(TypeError, match=r"Net\.first is a module; a function cannot"):
        net.first = lambda x: x
    net.first.bias = None
    assert [name for name, _ in net.first.named_parameters()] == ["weight"]
    net.first.bias = nn.Parameter(ad.zeros(4))
    del net.scale
    assert NAMES[1:] == [name for name, _ in net.named_parameters()]
    net.count = ad.tensor([8])
    assert dict(net.named_buffers())["count"].item() == 8


def test_modules_work_without_calling_init_of_the_base() -> None:
    class Short(nn.Module):
        def __init__(self) -> None:
            self.layer = nn.Linear(2, 2)

    assert len(list(Short().parameters())) == 2


def test_scalars_can_be_parameters() -> None:
    class Line(nn.Module):
        def __init__(self) -> None:
            self.slope = nn.Parameter(0.0)
            self.offset = nn.Parameter(ad.Scalar(1.0))

        def forward(self, x: float) -> Any:
            return self.slope * x + self.offset

    line = Line()
    optimizer = ad.optim.SGD(line.parameters(), lr=0.1)
    for _ in range(200):
        for x in (-1.0, 0.0, 1.0):
            optimizer.zero_grad()
            ((line(x) - (3 * x - 2)) ** 2).backward()
            optimizer.step()
    assert line.slope.item() == pytest.approx(3) and line.offset.item() == pytest.approx(-2)
    again = Line()
    again.load_state_dict(line.state_dict())
    assert again(2.0).item() == line(2.0).item() and type(again.slope) is ad.Scalar


def test_forward_that_is_missing_says_so() -> None:
    with pytest.raises(NotImplementedError, match=r"Module does not say what it computes: define forward"):
        nn.Module()(1)


def test_a_hook_sees_what_a_module_computes_and_may_replace_it() -> None:
    layer = nn.Linear(2, 3)
    seen = []
    handle = layer.register_forward_hook(lambda module, args, output: seen.append((module, args, output)))
    x = ad.ones(1, 2)
    y = layer(x)
    assert seen[0][0] is layer and seen[0][1][0] is x and seen[0][2] is y
    handle.remove()
    with layer.register_forward_hook(lambda module, args, output: output * 0):
        assert layer(x).tolist() == [[0.0, 0.0, 0.0]]
    assert layer(x).tolist() == y.tolist() and len(seen) == 1


# Containers


def test_sequential_and_lists_behave_like_lists() -> None:
    layers = [nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1)]
    net = nn.Sequential(*layers)
    assert len(net) == 3 and list(net) == layers and net[-1] is layers[2]
    assert isinstance(net[:2], nn.Sequential) and list(net[:2]) == layers[:2]
    assert net.append(nn.Tanh()) is net and len(net) == 4
    named = nn.Sequential(OrderedDict(front=layers[0], back=layers[2]))
    assert list(named.state_dict()) == ["front.weight", "front.bias", "back.weight", "back.bias"]
    many = nn.ModuleList(layers).append(nn.ReLU()).extend([nn.Tanh()])
    assert len(many) == 5 and many[0] is layers[0] and list(many[1:3]) == layers[1:]


def test_an_mlp_is_linear_layers_with_a_nonlinearity_between_them() -> None:
    net = nn.MLP(4, 8, 8, 2, activation=nn.Tanh)
    assert [type(layer).__name__ for layer in net] == ["Linear", "Tanh", "Linear", "Tanh", "Linear"]
    assert net(ad.ones(5, 4)).shape == (5, 2)
    with pytest.raises(ValueError, match=r"MLP\(3,\)"):
        nn.MLP(3)


# Changes as a whole


def test_train_and_eval_reach_every_module() -> None:
    net = nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.Dropout(0.5)))
    x = ad.ones(100)
    assert net.eval() is net and not net[1][0].training and net(x) is x
    assert net.train()[1][0].training and (net(x).numpy() == 0).any()


def test_a_transformer_drops_nothing_in_evaluation() -> None:
    block = nn.TransformerBlock(8, 2, dropout=0.5)
    attention = nn.MultiheadAttention(8, 2, dropout=0.5)
    x = ad.randn(3, 4, 8)
    for run in (lambda: block(x).tolist(), lambda: attention(x, x, x)[0].tolist()):
        block.train()
        attention.train()
        assert run() != run()
        block.eval()
        attention.eval()
        assert run() == run()


def test_dropout_depends_on_the_engines_seed_alone() -> None:
    layer = nn.Dropout(0.5)
    drawn = []
    for _ in range(2):
        ad.manual_seed(3)
        np.random.seed()
        drawn.append(layer(ad.ones(50)).tolist())
    assert drawn[0] == drawn[1]


def test_gradients_are_forgotten_or_set_to_zero() -> None:
    net = Net()
    net(ad.ones(2, 3)).sum().backward()
    kept = net.scale.grad
    before = kept.tolist()
    net.zero_grad(set_to_none=False)
    assert all(x.grad.tolist() == (0 * x.grad).tolist() for x in net.parameters())
    assert kept.tolist() == before, "a gradient that somebody holds stays"
    net.zero_grad()
    assert all(x.grad is None for x in net.parameters())


def test_parameters_can_be_frozen() -> None:
    net = Net()
    net.first.requires_grad_(False)
    net(ad.ones(2, 3)).sum().backward()
    assert [name for name, x in net.named_parameters() if x.grad is None] == ["first.weight", "first.bias"]
    assert [name for name, _ in net.named_parameters()] == NAMES


def test_a_conversion_keeps_the_nodes_and_the_integers() -> None:
    net = Net()
    parameters = list(net.parameters())
    net(ad.ones(2, 3)).sum().backward()
    assert net.to("float32") is net
    assert all(x is y for x, y in zip(parameters, net.parameters(), strict=True))
    assert all(x.dtype == "float32" and x.grad.dtype == "float32" and x.requires_grad for x in parameters)
    assert net.count.dtype == "int64" and net.scratch.dtype == "float32"
    y = net(ad.ones(2, 3, dtype="float32"))
    assert y.dtype == "float32"
    y.sum().backward()
    assert all(x.grad.dtype == "float32" for x in parameters)
    assert net.double().scale.dtype == "float64" and net.float().scale.dtype == "float32"
    with pytest.raises(TypeError, match="not int64"):
        net.to("int64")


def test_a_model_moves_to_a_device_of_torchs_and_computes_there() -> None:
    torch = pytest.importorskip("torch")
    net = Net()
    parameters = list(net.parameters())
    net.to("meta")
    assert all(x is y for x, y in zip(parameters, net.parameters(), strict=True))
    assert all(torch.is_tensor(x.data) and x.device.type == "meta" and x.requires_grad for x in net.parameters())
    y = net(ad.tensor(torch.zeros(5, 3, dtype=torch.float64, device="meta")))
    y.sum().backward()
    assert y.shape == (5, 2) and net.first.weight.grad.device.type == "meta"


def test_a_changed_parameter_is_noticed_by_a_graph_that_needs_it() -> None:
    layer = nn.Linear(2, 2)
    layer.float()
    z = (layer.weight * layer.weight).sum()
    layer.load_state_dict(nn.Linear(2, 2).state_dict())
    with pytest.raises(RuntimeError, match="changed in place"):
        z.backward()


def test_apply_visits_every_module_children_first() -> None:
    seen: list[str] = []
    net = nn.Sequential(nn.Sequential(nn.Linear(1, 1)), nn.ReLU())
    net.apply(lambda module: seen.append(type(module).__name__))
    assert seen == ["Linear", "Sequential", "ReLU", "Sequential"]
    net.apply(lambda module: nn.init.constant_(module.weight, 2.0) if isinstance(module, nn.Linear) else None)
    assert net[0][0].weight.tolist() == [[2.0]]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))], ids=["copy", "pickle"])
def test_a_copy_of_a_model_is_a_model_of_its_own(copied: Any) -> None:
    net = Net()
    other = copied(net)
    assert [name for name, _ in other.named_parameters()] == NAMES
    assert other.scale is not net.scale and isinstance(other.scale, nn.Parameter)
    other.scale = other.scale  # still counts as a parameter
    x = ad.ones(2, 3)
    assert other(x).tolist() == net(x).tolist()
    nn.init.zeros_(other.scale)
    assert net.scale.tolist() == [1.0] * 4


def test_the_same_seed_gives_the_same_weights_in_either_precision() -> None:
    ad.manual_seed(5)
    double = nn.Linear(4, 3)
    ad.manual_seed(5)
    single = nn.Linear(4, 3, dtype="float32")
    assert single.weight.dtype == "float32"
    assert single.weight.tolist() == double.weight.data.astype("float32").tolist()


# State


def test_a_state_is_a_snapshot() -> None:
    net = nn.Linear(2, 2)
    state = net.state_dict()
    before = {name: value.tolist() for name, value in state.items()}
    optimizer = ad.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net(ad.ones(1, 2)).sum().backward()
        optimizer.step()
    assert {name: value.tolist() for name, value in state.items()} == before
    assert net.weight.tolist() != before["weight"]
    assert not any(value.requires_grad for value in state.values())
    net.load_state_dict(state)
    assert net.weight.tolist() == before["weight"]
    net(ad.ones(1, 2)).sum().backward()
    optimizer.step()
    assert {name: value.tolist() for name, value in state.items()} == before, "loading copies"


def test_a_state_holds_parameters_and_lasting_buffers() -> None:
    assert sorted(Net().state_dict()) == sorted([*NAMES, "count"])
    a, b = Net(), Net()
    with ad.no_grad():
        a.count += 1
    assert b.load_state_dict(a.state_dict()) == ([], []) and b.count.item() == 8
    assert b(ad.ones(1, 3)).tolist() == a(ad.ones(1, 3)).tolist()


def test_what_is_loaded_takes_the_dtype_of_the_parameter() -> None:
    layer = nn.Linear(2, 1, dtype="float32")
    layer.load_state_dict({"weight": np.ones((1, 2)), "bias": np.array([0.5])})
    assert layer.weight.dtype == "float32" and layer(ad.ones(1, 2, dtype="float32")).item() == 2.5


def test_a_state_that_does_not_fit_is_refused_whole_with_every_reason() -> None:
    net = Net()
    before = net.scale.tolist()
    state = net.state_dict()
    state["scale"] = ad.zeros(4)
    state["first.weight"] = ad.zeros(4, 5)
    state["extra"] = ad.zeros(1)
    del state["rest.0.bias"]
    with pytest.raises(RuntimeError) as error:
        net.load_state_dict(state)
    for part in (
        "Net",
        "first.weight has shape (4, 3) here and (4, 5) there",
        "missing: rest.0.bias",
        "unexpected: extra",
    ):
        assert part in str(error.value)
    assert net.scale.tolist() == before, "nothing was loaded"
    with pytest.raises(RuntimeError, match=r"first\.weight has shape"):
        net.load_state_dict(state, strict=False)
    del state["first.weight"]
    found = net.load_state_dict(state, strict=False)
    assert found.missing_keys == ["first.weight", "rest.0.bias"] and found.unexpected_keys == ["extra"]
    assert net.scale.tolist() == [0.0] * 4


# Files


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    net = Net().float()
    ad.save(net.state_dict(), tmp_path / "net")
    state = ad.load(tmp_path / "net")
    assert sorted(state) == sorted(net.state_dict())
    for name, value in net.state_dict().items():
        assert state[name].dtype == value.dtype and state[name].tolist() == value.tolist()
    turned = ad.tensor(np.arange(6.0).reshape(2, 3)).mT
    ad.save({"turned": turned, "one": ad.tensor(3.0, dtype="float32"), "scalar": ad.Scalar(2.5)}, tmp_path / "more")
    more = ad.load(tmp_path / "more")
    assert more["turned"].tolist() == turned.tolist() and more["one"].shape == () and more["scalar"].item() == 2.5


def test_training_goes_on_from_a_file_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")

    def parts() -> tuple[Any, Any, Any]:
        ad.manual_seed(0)
        net = nn.MLP(3, 8, 1)
        optimizer = ad.optim.AdamW([{"params": net[0].parameters(), "lr": 0.01}, {"params": net[2].parameters()}])
        return net, optimizer, ad.optim.lr_scheduler.CosineAnnealingLR(optimizer, 30)

    def go_on(net: Any, optimizer: Any, schedule: Any, steps: int) -> None:
        for _ in range(steps):
            optimizer.zero_grad()
            (net(ad.ones(4, 3)) ** 2).mean().backward()
            optimizer.step()
            schedule.step()

    whole = parts()
    go_on(*whole, 20)
    first = parts()
    go_on(*first, 8)
    ad.save({name: part.state_dict() for name, part in zip("nos", first, strict=True)} | {"epoch": 8}, tmp_path / "x")
    loaded = ad.load(tmp_path / "x")
    second = parts()
    for name, part in zip("nos", second, strict=True):
        part.load_state_dict(loaded[name])
    go_on(*second, 20 - loaded["epoch"])
    for a, b in zip(whole[0].parameters(), second[0].parameters(), strict=True):
        assert a.tolist() == b.tolist()


def test_a_file_holds_nothing_but_tensors_and_plain_data(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    with pytest.raises(TypeError, match=r"save: model\.0 is a Linear"):
        ad.save({"model": [nn.Linear(1, 1)]}, tmp_path / "x")
    with pytest.raises(TypeError, match=r"both be called 'a\.b'"):
        ad.save({"a": {"b": ad.ones(1)}, "a.b": ad.ones(1)}, tmp_path / "x")
    assert not (tmp_path / "x").exists()
    (tmp_path / "y").write_bytes(b"something else")
    with pytest.raises(ValueError, match="no safetensors file"):
        ad.load(tmp_path / "y")
    with pytest.raises(FileNotFoundError):
        ad.load(tmp_path / "z")


def test_without_safetensors_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ImportError, match="pip install safetensors"):
        ad.save({"x": ad.ones(1)}, tmp_path / "x")


# Functions and initial values


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: nn.Linear(2, 3)(ad.ones(4, 5)), RuntimeError, r"matmul of \(4, 5\) and \(2, 3\)"),
        (lambda: nn.Conv2d(3, 4, 3, groups=2), ValueError, "2 equal groups"),
        (lambda: nn.Dropout(1.5), ValueError, "probability"),
        (lambda: nn.MultiheadAttention(6, 4), ValueError, "4 heads"),
        (lambda: nn.MultiheadAttention(6, 2)(*[ad.ones(3, 6)] * 3), ValueError, r"\(length, n, features\)"),
        (lambda: nn.LayerNorm(4)(ad.ones(2, 3)), ValueError, r"\(2, 3\)"),
        (lambda: nn.Embedding(4, 2)(ad.ones(3)), TypeError, "integer"),
        (lambda: nn.CrossEntropyLoss(reduction="avg")(ad.ones(2, 3), ad.tensor([0, 1])), ValueError, "'mean'"),
        (lambda: F.cross_entropy(ad.ones(2, 3, 4), ad.tensor([0, 1])), ValueError, r"\(2, 3, 4\)"),
        (lambda: F.scaled_dot_product_attention(*[ad.ones(2, 2)] * 3, np.ones((2, 2)), 0.0, True), ValueError, "both"),
        (lambda: nn.init.xavier_uniform_(ad.ones(3)), ValueError, r"\(3,\) has no fan"),
        (lambda: nn.init.kaiming_uniform_(ad.ones(3, 3), mode="in"), ValueError, "fan_out"),
        (lambda: nn.init.calculate_gain("swish"), ValueError, "leaky_relu"),
        (lambda: nn.init.trunc_normal_(ad.ones(3), a=2.0, b=1.0), ValueError, "no range"),
        (lambda: nn.init.trunc_normal_(ad.ones(3), a=90.0, b=91.0), ValueError, "no range"),
        (lambda: nn.utils.vector_to_parameters(ad.ones(3), [ad.ones(2)]), ValueError, "2 elements"),
    ],
)
def test_a_wrong_use_is_explained(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_gradients_that_are_not_finite_can_be_refused() -> None:
    x = ad.ones(2, requires_grad=True)
    (x * float("inf")).sum().backward()
    with pytest.raises(RuntimeError, match="norm inf"):
        nn.utils.clip_grad_norm_([x], 1.0, error_if_nonfinite=True)
    assert nn.utils.clip_grad_norm_(x, 1.0).item() == float("inf")
    assert nn.utils.clip_grad_norm_([ad.ones(2, requires_grad=True)], 1.0).item() == 0.0


@pytest.mark.filterwarnings("error")
def test_an_infinite_norm_and_the_variance_of_nothing_give_nan_without_a_warning() -> None:
    x = ad.ones(2, requires_grad=True)
    (x * float("inf")).sum().backward()
    nn.utils.clip_grad_norm_(x, 1.0)
    assert np.isnan(x.grad.numpy()).all()
    assert np.isnan(ad.ones(0).var().item())
    assert np.isnan(ad.ones(2, 0).var(1).numpy()).all()


def test_clipping_does_not_write_to_an_array_that_others_see() -> None:
    x = ad.ones(2, requires_grad=True)
    x.sum().backward(ad.tensor(np.array(5.0)))
    seen = x.grad
    nn.utils.clip_grad_value_([x], 1.0)
    assert seen.tolist() == [5.0, 5.0] and x.grad.tolist() == [1.0, 1.0]


def test_init_takes_a_generator_of_its_own() -> None:
    a = nn.init.normal_(ad.zeros(4), generator=Generator().manual_seed(1))
    state = ad.rand(1).item()
    ad.manual_seed(0)
    b = nn.init.normal_(ad.zeros(4), generator=Generator().manual_seed(1))
    assert a.tolist() == b.tolist() and 0 <= state < 1


def test_a_block_can_be_differentiated_twice() -> None:
    block = nn.TransformerBlock(4, 2)
    x = ad.randn(2, 3, 4, requires_grad=True)
    (g,) = ad.autograd.grad(block(x).sum(), [x], create_graph=True)
    (g**2).sum().backward()
    assert all(p.grad is not None for name, p in block.named_parameters() if "bias" not in name)
    assert ad.gradcheck(lambda x: block(x), ad.randn(1, 2, 4, requires_grad=True))


# New tensors of a shape


def test_new_tensors_have_the_shape_and_dtype_that_is_asked_for() -> None:
    assert ad.zeros(2, 3).tolist() == ad.zeros((2, 3)).tolist() == [[0.0] * 3] * 2
    assert ad.ones(2, dtype="float32").dtype == "float32" and ad.ones(()).shape == ()
    assert (
        ad.full((2,), 7).dtype == "int64" and ad.full((2,), 7.0).dtype == "float64" and ad.full(3, True).dtype == "bool"
    )
    assert ad.arange(4).tolist() == [0, 1, 2, 3] and ad.arange(1, 2, 0.25).tolist() == [1.0, 1.25, 1.5, 1.75]
    assert ad.arange(5, 0, -2).tolist() == [5, 3, 1] and ad.arange(3, dtype="float32").dtype == "float32"
    assert ad.linspace(0, 1, 5).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0] and ad.eye(2, 3).tolist() == [
        [1, 0, 0],
        [0, 1, 0],
    ]
    x = ad.ones(2, dtype="float32")
    assert ad.zeros_like(x).dtype == "float32" and ad.ones_like(x, dtype="int64").tolist() == [1, 1]
    assert ad.full_like(x, 3).tolist() == [3.0, 3.0]
    assert ad.randn(2, 3, requires_grad=True).requires_grad


def test_random_tensors_follow_the_seed() -> None:
    def draw() -> list[Any]:
        ad.manual_seed(4)
        return [
            x.tolist()
            for x in (ad.rand(3), ad.randn(2, 2), ad.randint(0, 5, (9,)), ad.randint(5, (2,)), ad.randperm(6))
        ]

    first = draw()
    assert first == draw() and sorted(first[4]) == list(range(6)) and all(0 <= n < 5 for n in first[2])
    assert (
        ad.rand(3, generator=Generator().manual_seed(1)).tolist()
        == ad.rand(3, generator=Generator().manual_seed(1)).tolist()
    )


def test_new_tensors_can_be_torchs() -> None:
    torch = pytest.importorskip("torch")
    assert torch.is_tensor(ad.zeros(2, device="meta").data)
    like = ad.tensor(torch.ones(2, dtype=torch.float32))
    assert ad.zeros_like(like).dtype is torch.float32 and ad.full_like(like, 2.0).tolist() == [2.0, 2.0]


def test_modules_are_light_to_import() -> None:
    code = (
        "import sys; from autodiff_lab import nn, optim, Scalar; optim.SGD([Scalar(1.0)], lr=0.1)\n"
        "assert not {'numpy', 'torch', 'safetensors'} & set(sys.modules), 'loaded too early'"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

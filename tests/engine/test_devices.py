"""Devices: names, placement, movement of values and adjoints. Without a GPU on torch's fake tensors, which have a place
but no elements; with one (tests marked `gpu`) on CUDA itself.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_lab as ad
from autodiff_lab import nn, optim
from autodiff_lab.engine.checkpoint import checkpoint
from autodiff_lab.engine.devices import cuda, device_name
from autodiff_lab.engine.interop import from_torch, to_torch
from autodiff_lab.engine.tensor import NumpyTensor, TorchTensor

torch = pytest.importorskip("torch")


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine with two CUDA devices, as far as shapes, dtypes and places are concerned."""
    fake = pytest.importorskip("torch._subclasses.fake_tensor")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    with fake.FakeTensorMode():
        yield


def on(device: str, *shape: int, requires_grad: bool = True, dtype: Any = None) -> Any:
    return ad.tensor(torch.ones(shape, device=device, dtype=dtype), requires_grad=requires_grad)


# Names


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("cpu", "cpu"),
        (torch.device("cpu"), "cpu"),
        ("meta", "meta"),
        ("cuda", "cuda:0"),
        ("cuda:1", "cuda:1"),
        (1, "cuda:1"),
        (torch.device("cuda", 1), "cuda:1"),
    ],
)
def test_a_device_has_one_full_name(given: Any, name: str, two_gpus: None) -> None:
    assert device_name(given) == name


@pytest.mark.parametrize("wrong", ["gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "", -1, "float32", 1.5])
def test_what_is_no_device_is_refused_with_the_names_there_are(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"is no device\. There are 'cpu'; 'cuda', a GPU"):
        ad.tensor([1.0], device=wrong)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
@pytest.mark.parametrize(
    "use",
    [
        lambda: ad.tensor([1.0], device="cuda"),
        lambda: ad.tensor(1.0, device="cuda"),
        lambda: ad.tensor([1.0]).to("cuda"),
        lambda: ad.tensor(torch.ones(2)).cuda(),
        lambda: ad.tensor([1.0]).to(device="cuda:1", dtype="float32"),
        lambda: ad.tensor([1.0]).to(0),
    ],
)
def test_a_missing_gpu_is_an_error_that_says_what_to_do(use: Any) -> None:
    with pytest.raises(
        RuntimeError, match=r"^device 'cuda(:[01])?': PyTorch .*(CPU alone|finds none).*device='cpu'"
    ) as e:
        use()
    assert e.value.__suppress_context__ or e.value.__context__ is None
    assert not cuda.is_available() and cuda.device_count() == 0


def test_a_gpu_that_the_machine_does_not_have_is_refused_by_number(two_gpus: None) -> None:
    with pytest.raises(RuntimeError, match=r"'cuda:2' does not exist: there is cuda:0, cuda:1"):
        ad.tensor([1.0]).to("cuda:2")


NO_TORCH = """
import sys
sys.modules["torch"] = None  # cannot be imported
import autodiff_lab as ad
from autodiff_lab import nn, optim
from autodiff_lab.engine.devices import cuda
assert not cuda.is_available() and cuda.device_count() == 0
x = ad.tensor([1.0, 2.0], requires_grad=True)
(x.to("cpu") * ad.tensor([3.0, 4.0], device="cpu")).sum().backward()
assert x.grad.tolist() == [3.0, 4.0]
for use in (lambda: x.to("cuda"), lambda: ad.tensor([1.0], device="cuda:0"), lambda: x.to("meta")):
    try:
        use()
    except ImportError as error:
        print(error)
"""


def test_without_torch_a_device_other_than_the_cpu_says_that_torch_is_missing() -> None:
    out = subprocess.run([sys.executable, "-c", NO_TORCH], check=True, capture_output=True, text=True).stdout
    lines = out.splitlines()
    assert len(lines) == 3 and all("needs PyTorch" in line and "pip install torch" in line for line in lines), out
    assert lines[0].startswith("device 'cuda'") and lines[1].startswith("device 'cuda:0'")


# Movement


def test_to_changes_dtype_and_device_and_is_the_tensor_itself_where_nothing_changes(two_gpus: None) -> None:
    x = on("cpu", 2, 3)
    assert x.to("cpu") is x and x.to("float32") is x and x.to(x) is x and x.to(device="cpu", dtype="float32") is x
    for moved in (x.to("cuda", "float16"), x.to("float16", "cuda"), x.to(device=0, dtype=torch.float16)):
        assert (str(moved.device), moved.dtype, moved.shape) == ("cuda:0", torch.float16, (2, 3))
    other = on("cuda:1", 4, dtype=torch.float64)
    assert (str(x.to(other).device), x.to(other).dtype) == ("cuda:1", torch.float64)
    there = x.to("cuda")
    assert there.to("cuda") is there and there.to("cuda:0") is there and there.cuda() is there
    assert str(there.cuda(1).device) == "cuda:1" and str(there.cpu().device) == "cpu"
    assert ad.tensor([1.0], device="cuda").device.type == "cuda"


def test_moving_is_an_op_whose_adjoint_moves_back(two_gpus: None) -> None:
    x = on("cpu", 2, 3)
    y = x.to("cuda:1")
    assert y.op == "to_device" and y.operands == (x,) and repr(y.grad_fn) == "<ToDeviceBackward>"
    seen: dict[str, str] = {}
    back = y.to("cuda:0").cpu()
    for name, node in (("x", x), ("y", y), ("back", back)):
        node.register_hook(lambda g, name=name: seen.__setitem__(name, str(g.device)))
    back.sum().backward()
    assert seen == {"x": "cpu", "y": "cuda:1", "back": "cpu"} and str(x.grad.device) == "cpu"


def test_a_numpy_tensor_moves_to_torch_and_its_adjoint_comes_back_to_numpy() -> None:
    x = ad.tensor(np.array([1.0, 2.0], "float32"), requires_grad=True)
    y = x.to(ad.tensor(torch.zeros(1, dtype=torch.float64)))
    (y * y).sum().backward()
    assert y.dtype == np.float64 and x.grad.tolist() == [2.0, 4.0] and x.grad.dtype == np.float32
    z = ad.tensor(torch.ones(2)) * x
    (z * z).sum().backward()
    assert type(z) is TorchTensor and type(x.grad) is NumpyTensor and x.grad.tolist() == [4.0, 8.0]


def two_device_model(first: str, second: str) -> tuple[Any, list[Any]]:
    """A loss of a network whose first half is on one device and whose second half is on another; its parameters."""
    w1, b1 = on(first, 4, 8), on(first, 8)
    w2, b2 = on(second, 8, 3), on(second, 3)
    x = on(first, 5, 4, requires_grad=False)
    h = (x @ w1 + b1).relu()
    y = h.to(second) @ w2 + b2
    return (y.softmax(-1) * y).mean(), [w1, b1, w2, b2]


def check_two_device_model(first: str, second: str) -> None:
    loss, parameters = two_device_model(first, second)
    assert loss.device == torch.device(second)
    loss.backward()
    for p in parameters:
        assert (p.grad.device, p.grad.shape, p.grad.dtype) == (p.device, p.shape, p.dtype)
    loss, parameters = two_device_model(first, second)
    slopes = ad.autograd.grad(loss, parameters, create_graph=True)
    sum((g * g).sum().to(first) for g in slopes).backward()
    for p in parameters:
        assert (p.grad.device, p.grad.shape) == (p.device, p.shape)


def test_a_model_on_two_devices_has_its_gradients_where_its_parameters_are(two_gpus: None) -> None:
    check_two_device_model("cpu", "cuda:0")
    check_two_device_model("cuda:1", "cuda:0")


def test_a_number_without_dimensions_may_be_elsewhere_and_gets_its_adjoint_there(two_gpus: None) -> None:
    """As in torch: an array without dimensions on the CPU computes with anything."""
    scale, x = on("cpu"), on("cuda:0", 3)
    total = on("cuda:0")
    for single in (np.array(2.0, "float32"), ad.tensor(np.array(2.0, "float32")), torch.tensor(2.0)):
        assert str((x * single).device) == str((single - x).device) == "cuda:0"
    for y in ((scale * x).sum(), (x / scale).sum(), scale * total, ad.maximum(total, scale)):
        assert str(y.device) == "cuda:0"
        scale.grad = None
        y.backward()
        assert (str(scale.grad.device), scale.grad.shape) == ("cpu", ())
        (slope,) = ad.autograd.grad((y_of := scale * scale * total) * y_of, scale, create_graph=True)
        assert str(slope.device) == "cpu"


def test_a_scalar_goes_where_the_tensor_is(two_gpus: None) -> None:
    x = on("cuda:0", 3)
    for y in (x * ad.tensor(2.0), 2.0 - x, x**2):
        assert str(y.device) == "cuda:0" and y.dtype == torch.float32


def check_layers(device: str) -> None:
    images, kernels = on(device, 2, 3, 8, 8), on(device, 4, 3, 3, 3)
    y = ad.max_pool2d(ad.conv2d(images, kernels, on(device, 4), padding=1).relu(), 2)
    y = ad.dropout(y.flatten(1), 0.5)
    y = ad.layer_norm(y, 64, on(device, 64), on(device, 64))
    table = on(device, 10, 64)
    y = y + ad.embedding(ad.tensor(torch.zeros(2, dtype=torch.int64, device=device)), table)
    loss = ad.cross_entropy(y, np.array([1, 0]))  # class numbers as a plain array: they go where the logits are
    loss.backward()
    assert all(str(p.grad.device) == device for p in (images, kernels, table))
    with ad.no_grad():
        kernels -= kernels.grad * 0.1
        table[0] = 0.0
    assert str(kernels.device) == str(table.device) == device


def test_every_layer_stays_on_its_device() -> None:
    check_layers("cpu")
    check_layers("meta")


def test_forward_mode_keeps_places(two_gpus: None) -> None:
    x = torch.ones(3, device="cuda:0")
    value, slope = ad.jvp(lambda a: (a * 2).cpu().tanh(), (x,), (x,))
    assert str(value.device) == str(slope.device) == "cpu"


# Mixed devices


@pytest.mark.parametrize(
    ("name", "mix"),
    [
        ("add", lambda a, b: a + b),
        ("mul", lambda a, b: b * a.detach()),
        ("matmul", lambda a, b: a @ b),
        ("maximum", lambda a, b: ad.maximum(a, b)),
        ("gt", lambda a, b: a > b),
        ("cat", lambda a, b: ad.cat([a, b])),
        ("stack", lambda a, b: ad.stack([a, b])),
        ("where", lambda a, b: ad.where(a > 0, b, b)),
        ("where", lambda a, b: ad.where(a > 0, a, b)),
        ("gather", lambda a, b: ad.gather(b, 0, a.detach().to("int64"))),
        ("cross_entropy", lambda a, b: ad.cross_entropy(b, a.detach().to("int64")[0])),
        ("add", lambda a, b: a + b.data),
    ],
)
@pytest.mark.parametrize("kind", ["torch", "numpy"])
def test_operands_on_two_devices_are_refused_with_both_names_and_the_next_step(
    name: str, mix: Any, kind: str, two_gpus: None
) -> None:
    a = on("cpu", 3, 3) if kind == "torch" else ad.tensor(np.ones((3, 3), "float32"), requires_grad=True)
    if kind == "numpy" and mix.__code__.co_names and name in ("where", "gather", "cross_entropy"):
        return  # conditions and class numbers in a NumPy array go where the tensor is
    with pytest.raises(RuntimeError, match=rf"^{name} of tensors on cpu and cuda:0: .*x\.to\('cuda:0'\)") as caught:
        mix(a, on("cuda:0", 3, 3))
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_an_index_on_a_gpu_does_not_reach_into_an_array_on_the_cpu(two_gpus: None) -> None:
    index = torch.zeros(2, dtype=torch.int64, device="cuda:0")
    with pytest.raises(RuntimeError, match=r"^getitem of tensors on cpu and cuda:0"):
        ad.tensor(np.ones(3))[index]


# The meta device: shapes and dtypes of a model without its elements


def test_a_model_on_the_meta_device_has_shapes_and_no_elements() -> None:
    check_two_device_model("meta", "meta")
    x = ad.tensor(np.ones((2, 3)), requires_grad=True, device="meta")
    assert (x.shape, x.dtype, str((x @ x.mT).device)) == ((2, 3), torch.float64, "meta")


def test_nothing_comes_back_from_the_meta_device() -> None:
    for x in (on("cpu", 3), ad.tensor(np.ones(3), requires_grad=True)):
        y = x.to("meta")
        for use in (y.cpu, y.sum().backward, y.sum().item, y.tolist, y.detach().numpy, (y.sum() > 0).__bool__):
            with pytest.raises(RuntimeError, match=r"meta device .* no elements"):
                use()


# On a GPU


def trained(device: str | None, dtype: str = "float64", steps: int = 30) -> tuple[list[float], list[Any]]:
    """The losses and parameters of a small network trained on ``device``, on torch arrays; None is NumPy."""

    def made(array: Any, **kwargs: Any) -> Any:
        return ad.tensor(array.copy() if device is None else torch.from_numpy(array.copy()), device=device, **kwargs)

    random = np.random.default_rng(0)
    x, target = random.normal(size=(32, 8)).astype(dtype), random.integers(0, 4, 32)
    shapes = [(8, 16), (16,), (16, 16), (16,), (16, 4), (4,)]
    arrays = [(random.normal(size=shape) / shape[0] ** 0.5).astype(dtype) for shape in shapes]
    w1, b1, w2, b2, w3, b3 = parameters = [made(a, requires_grad=True) for a in arrays]
    inputs, targets = made(x), made(target)
    losses = []
    for _ in range(steps):
        h = ad.gelu((inputs @ w1 + b1).tanh() @ w2 + b2)
        loss = ad.cross_entropy(ad.layer_norm(h, 16) @ w3 + b3, targets)
        for p in parameters:
            p.grad = None
        loss.backward()
        with ad.no_grad():
            for p in parameters:
                p -= 0.5 * p.grad
        losses.append(loss.item())
    return losses, [p.detach().cpu().tolist() for p in parameters]


def check_training(device: str) -> None:
    for dtype, tolerance in (("float64", 1e-9), ("float32", 2e-3)):
        losses, parameters = trained(device, dtype)
        want_losses, want = trained(None, dtype)
        assert losses[-1] < 0.5 * losses[0]
        np.testing.assert_allclose(losses, want_losses, rtol=tolerance, atol=tolerance)
        for p, q in zip(parameters, want, strict=True):
            np.testing.assert_allclose(p, q, rtol=tolerance, atol=tolerance)


def test_a_network_trains_on_torch_arrays_as_on_numpy() -> None:
    check_training("cpu")


@pytest.mark.gpu
def test_a_network_trains_on_the_gpu_as_on_the_cpu() -> None:
    torch.backends.cuda.matmul.allow_tf32 = False
    check_training("cuda")


def network(device: str, checkpointed: bool) -> tuple[list[float], list[Any]]:
    """The losses and gradients of modules on ``device`` over a few steps of Adam."""
    ad.manual_seed(0)
    block = nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.LayerNorm(16), nn.Dropout(0.25), nn.Linear(16, 16))
    head = nn.Linear(16, 4)
    for module in (block, head):
        module.to(device)
    parameters = [*block.parameters(), *head.parameters()]
    optimizer = optim.Adam(parameters, lr=0.01)
    random = np.random.default_rng(2)
    x = ad.tensor(random.normal(size=(8, 16)).astype("float32"), device=device)
    target = ad.tensor(random.integers(0, 4, 8), device=device)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        h = checkpoint(block, x) if checkpointed else block(x)
        loss = nn.functional.cross_entropy(head(h + x), target)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        losses.append(loss.item())
    assert all(p.device == p.grad.device == x.device for p in parameters)
    return losses, [p.grad.cpu().tolist() for p in parameters]


def check_network(device: str) -> None:
    losses, gradients = network(device, checkpointed=False)
    again, recomputed = network(device, checkpointed=True)
    assert losses == again and gradients == recomputed, "a checkpoint changes no bit"
    want_losses, want = network("cpu", checkpointed=False)
    np.testing.assert_allclose(losses, want_losses, rtol=1e-4)
    for g, h in zip(gradients, want, strict=True):
        np.testing.assert_allclose(g, h, rtol=5e-3, atol=1e-5)


def test_modules_an_optimizer_and_checkpoints_work_together() -> None:
    check_network("cpu")


@pytest.mark.gpu
def test_modules_an_optimizer_and_checkpoints_work_on_the_gpu_as_on_the_cpu() -> None:
    torch.backends.cuda.matmul.allow_tf32 = False
    check_network("cuda")
    model = nn.Linear(3, 2).to("cuda")
    state = model.state_dict()
    assert all(str(value.device) == "cuda:0" for value in state.values())
    here = nn.Linear(3, 2)
    here.load_state_dict(state)
    assert all(p.device == "cpu" for p in here.parameters())
    assert here.weight.tolist() == model.weight.tolist()


@pytest.mark.gpu
def test_a_model_on_cpu_and_gpu_has_its_gradients_where_its_parameters_are() -> None:
    check_two_device_model("cpu", "cuda:0")
    check_two_device_model("cuda:0", "cpu")
    w = ad.tensor(np.full((3, 3), 0.5), requires_grad=True)
    v = ad.tensor(np.full((3, 3), 0.25), requires_grad=True, device="cuda")
    ((w @ w).to("cuda") @ v).tanh().sum().backward()
    again, other = ad.tensor(w.data.copy(), requires_grad=True), ad.tensor(np.full((3, 3), 0.25), requires_grad=True)
    ((again @ again) @ other).tanh().sum().backward()
    assert type(w.grad) is NumpyTensor and str(v.grad.device) == "cuda:0"
    np.testing.assert_allclose(w.grad.data, again.grad.data, rtol=1e-12)
    np.testing.assert_allclose(v.grad.cpu().numpy(), other.grad.data, rtol=1e-12)


def check_as_on_numpy(device: str) -> None:
    random = np.random.default_rng(1)
    images, kernels = random.normal(size=(2, 3, 8, 8)), random.normal(size=(4, 3, 3, 3))

    def results(device: str | None) -> list[Any]:
        arrays = (images, kernels) if device is None else (torch.from_numpy(images), torch.from_numpy(kernels))
        x, k = (ad.tensor(array, requires_grad=True, device=device) for array in arrays)
        scale = ad.tensor(np.array(1.5), requires_grad=True)  # stays on the CPU
        y = ad.max_pool2d(ad.conv2d(x, k, padding=1).relu(), 2) * scale
        y = y.flatten(1)[:, [0, 5, 5, 7]].logsumexp(1).var()
        slopes = ad.autograd.grad(y, [x, k], create_graph=True)
        sum((g * g).sum() for g in slopes).backward()
        assert type(scale.grad) is NumpyTensor and x.grad.device == x.device
        return [y.item(), *[np.array(p.grad.tolist()) for p in (x, k, scale)]]

    for there, here in zip(results(device), results(None), strict=True):
        np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-12)


def test_what_the_engine_does_on_torch_arrays_it_does_as_on_numpy() -> None:
    check_as_on_numpy("cpu")


@pytest.mark.gpu
def test_what_the_engine_does_on_the_gpu_it_does_as_on_the_cpu() -> None:
    check_layers("cuda:0")
    check_as_on_numpy("cuda")
    x = ad.tensor(np.arange(3.0), requires_grad=True, device="cuda")
    for copied in (copy.deepcopy(x * 2), pickle.loads(pickle.dumps(x * 2))):
        assert str(copied.device) == "cuda:0" and copied.is_leaf and copied.tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(RuntimeError, match=r"^add of tensors on cpu and cuda:0"):
        x + ad.tensor(np.ones(3))
    with pytest.raises(RuntimeError, match=r"does not exist: there is cuda:0"):
        x.to("cuda:99")
    with pytest.raises(RuntimeError, match=r"NumPy's memory is the CPU's"):
        from_torch(to_torch(x.detach()))

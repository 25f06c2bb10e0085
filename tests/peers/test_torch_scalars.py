"""The scalar engine against PyTorch: values, two orders of derivatives, kinks and ties, the same snippet under both."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_lab as ad
from autodiff_lab.engine.ops import TABLE, Op
from tests.peers.against_torch import assert_prints_the_same, torch

ROWS = [op for op in TABLE.values() if op.on_numbers]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -2.0, 800.0, -800.0, math.inf, -math.inf, math.nan]
INFIX = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow}
NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 2.0, 3.0]), st.floats(-3.0, 3.0).map(lambda value: round(value, 3))
)


def leaf(value: float, requires_grad: bool = True) -> Any:
    return torch.tensor(value, dtype=torch.float64, requires_grad=requires_grad)


def same(ours: float | None, theirs: Any, rel: float = 1e-9) -> bool:
    """Equal up to rounding; nan equals nan, and no gradient is None in both."""
    if ours is None or theirs is None:
        return ours is None and theirs is None
    a, b = float(ours), theirs.item() if torch.is_tensor(theirs) else float(theirs)
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=rel, abs_tol=rel)


def apply(op: Op, operands: list[Any], of_torch: bool) -> Any:
    """The row's operation; where there is one, in its infix form, so that numbers may stand on either side."""
    if op.name in ("add", "sub", "mul", "div", "pow"):
        a, b = operands
        return {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "div": lambda: a / b,
            "pow": lambda: a**b,
        }[op.name]()
    if of_torch:
        operands = [x if torch.is_tensor(x) else leaf(x, False) for x in operands]
    module = torch.nn.functional if of_torch and op.name == "gelu" else torch if of_torch else ad
    return getattr(module, op.name)(*operands)


# Random expressions

INSTRUCTION = st.tuples(
    st.sampled_from(sorted(op.name for op in ROWS)), st.integers(0, 7), st.integers(0, 7), NUMBERS, st.integers(0, 9)
)
EXPRESSION = st.tuples(
    st.lists(NUMBERS, min_size=2, max_size=4), st.lists(INSTRUCTION, min_size=1, max_size=14), st.booleans()
)


def build(expression: Any, of_torch: bool) -> tuple[list[Any], Any]:
    """The leaves and the result of a random expression; operands come from the last eight nodes, so many are shared."""
    values, instructions, constant_leaf = expression
    make = leaf if of_torch else ad.Scalar
    nodes = [make(value) for value in values]
    if constant_leaf:
        nodes.append(make(0.75, False))
    leaves = list(nodes)
    for name, i, j, number, where in instructions:
        op = TABLE[name]
        operands: list[Any] = [nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]][: op.arity]
        if op.arity == 2 and where < 2:
            operands[where] = number
        # The sign of a zero decides between inf and -inf, and roots and powers, or 0 and relu(-0), differ in it.
        operands = [abs(x) if name in ("div", "pow", "log", "sqrt") and x == 0 else x for x in operands]
        node = apply(op, operands, of_torch)
        if abs(node.item()) > 100:  # keep away from where rounding is amplified without bound
            node = node.tanh()
        nodes.append(node)
    return leaves, sum(nodes[len(leaves) + 1 :], nodes[len(leaves)])


@settings(max_examples=1000, derandomize=True, deadline=None, database=None)
@given(EXPRESSION)
def test_gradients_of_random_expressions_equal_those_of_torch(expression: Any) -> None:
    ours, y = build(expression, of_torch=False)
    theirs, z = build(expression, of_torch=True)
    assert same(y.data, z.detach())
    assert y.requires_grad == z.requires_grad
    if y.requires_grad:
        y.backward()
        z.backward()
    for x, w in zip(ours, theirs, strict=True):
        assert same(x.grad, w.grad), f"{x.grad} and {w.grad} at leaf {x}"


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(EXPRESSION)
def test_second_derivatives_of_random_expressions_equal_those_of_torch(expression: Any) -> None:
    ours, y = build(expression, of_torch=False)
    theirs, z = build(expression, of_torch=True)
    if not y.requires_grad:
        return
    ours = [x for x in ours if x.requires_grad]
    theirs = [w for w in theirs if w.requires_grad]
    first = ad.autograd.grad(y, ours, create_graph=True, allow_unused=True)
    wanted = torch.autograd.grad(z, theirs, create_graph=True, allow_unused=True)
    for g, h in zip(first, wanted, strict=True):
        assert same(g, h)
        if g is None or not (math.isfinite(float(g)) and h.requires_grad and g.requires_grad):
            continue
        again = ad.autograd.grad(g, ours, retain_graph=True, allow_unused=True)
        expected = torch.autograd.grad(h, theirs, retain_graph=True, allow_unused=True)
        for second, reference in zip(again, expected, strict=True):
            # Where a derivative vanishes torch gives None or zero, depending on how its formula is written. At 0 ** y
            # it gives nan: it differentiates both branches of a `where`, and multiplies the infinite one by zero.
            wanted_value = 0.0 if reference is None else reference.item()
            assert same(second or 0.0, wanted_value, rel=1e-7) or math.isnan(wanted_value)


# Every row at special values: kinks, ties, poles, overflow, infinities


@pytest.mark.parametrize("op", [op for op in ROWS if op.arity == 1], ids=lambda op: op.name)
@pytest.mark.parametrize("value", SPECIAL)
def test_a_row_of_one_operand_does_at_special_values_what_torch_does(op: Op, value: float) -> None:
    x, w = ad.Scalar(value), leaf(value)
    y, z = apply(op, [x], False), apply(op, [w], True)
    assert same(y, z)
    y.backward()
    z.backward()
    assert same(x.grad, w.grad), f"{op.name}'({value}) is {x.grad}, torch says {w.grad}"


@pytest.mark.parametrize("op", [op for op in ROWS if op.arity == 2], ids=lambda op: op.name)
@pytest.mark.parametrize("kinds", ["node node", "node number", "number node"])
def test_a_row_of_two_operands_does_at_special_values_what_torch_does(op: Op, kinds: str) -> None:
    for a, b in itertools.product(SPECIAL, repeat=2):
        if (op.name, kinds, abs(b)) == ("pow", "node number", 0.5) and str(a) in ("-0.0", "-inf"):
            continue  # torch takes a square root for these two exponents, and pow for nodes of the same value
        ours = [
            ad.Scalar(value) if kind == "node" else value for kind, value in zip(kinds.split(), (a, b), strict=True)
        ]
        theirs = [leaf(value) if kind == "node" else value for kind, value in zip(kinds.split(), (a, b), strict=True)]
        y, z = apply(op, ours, False), apply(op, theirs, True)
        assert same(y, z), f"{op.name}({a}, {b}) is {float(y)}, torch says {float(z)}"
        y.backward()
        z.backward()
        for position, (x, w) in enumerate(zip(ours, theirs, strict=True)):
            if isinstance(x, ad.Scalar):
                assert same(x.grad, w.grad), f"{op.name}({a}, {b}), operand {position}: {x.grad}, torch says {w.grad}"


@pytest.mark.parametrize("value", [value for value in SPECIAL if math.isfinite(value)])
def test_the_approximate_gelu_is_that_of_torch(value: float) -> None:
    x, w = ad.Scalar(value), leaf(value)
    y, z = ad.gelu(x, approximate="tanh"), torch.nn.functional.gelu(w, approximate="tanh")
    y.backward()
    z.backward()
    assert same(y.data, z) and same(x.grad, w.grad)


def test_subgradients_and_ties_are_those_of_torch() -> None:
    assert ad.grad(ad.relu)(0.0) == 0.0
    assert ad.grad(ad.abs)(0.0) == 0.0
    assert ad.grad(ad.maximum, (0, 1))(2.0, 2.0) == (0.5, 0.5)
    assert ad.grad(ad.minimum, (0, 1))(2.0, 2.0) == (0.5, 0.5)
    assert ad.grad(lambda x: x**2)(0.0) == 0.0
    assert ad.grad(lambda x: x**0)(0.0) == 0.0
    assert ad.grad(lambda x, y: x**y, (0, 1))(0.0, 0.0) == (0.0, 0.0)


# One snippet, two imports

SNIPPETS = {
    "gradient": """
x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
y = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
f = (x + y) * y
f.backward()
print(f.item(), float(x.grad), float(y.grad))
""",
    "accumulation and detach": """
x = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
for step in range(3):
    y = (x * x).detach() * x + torch.exp(-x) / (1 + x**2)
    y.backward()
    print(round(float(x.grad), 10), y.requires_grad, y.detach().requires_grad, y.is_leaf, x.is_leaf)
""",
    "training": """
w = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
b = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
for step in range(50):
    loss = sum((w * x + b - (3 * x + 1)) ** 2 for x in [-1.0, 0.0, 1.0, 2.0]) / 4
    w.grad = b.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
        b -= 0.2 * b.grad
print(round(w.item(), 6), round(b.item(), 6), round(loss.item(), 6), w.is_leaf, w.requires_grad)
""",
    "second derivative": """
x = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
y = torch.tanh(x) * torch.log(x)
(g,) = torch.autograd.grad(y, x, create_graph=True)
(h,) = torch.autograd.grad(g, x)
print(round(g.item(), 10), round(float(h), 10))
""",
    "hooks": """
seen = []
x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
y = x * x
y.retain_grad()
handle = y.register_hook(lambda g: seen.append(("y", float(g))))
y.register_hook(lambda g: g * 10)
x.register_hook(lambda g: seen.append(("x", float(g))))
(y * 3 + x).backward(retain_graph=True)
handle.remove()
(y * 3).backward()
print(seen, float(x.grad), float(y.grad))
""",
    "modes": """
x = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():
    a = x * 2
    with torch.enable_grad():
        b = x * 2
with torch.inference_mode():
    c = x * 2
@torch.no_grad()
def double(v):
    return v * 2
print(a.requires_grad, b.requires_grad, c.requires_grad, c.is_inference(), double(x).requires_grad)
print(torch.is_grad_enabled())
""",
    "walking the graph": """
x = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(3.0)
y = torch.exp(x * c) + 1
def names(fn):
    if fn is None:
        return []
    name = fn.name().rstrip("0").split("::")[-1]
    return [name] + [n for g, _ in fn.next_functions for n in names(g)]
product = y.grad_fn.next_functions[0][0].next_functions[0][0]
leaf, constant = (step for step, _ in product.next_functions)
print(x.grad_fn, names(y.grad_fn), leaf.variable is x, constant)
""",
    "saved values": """
packed = []
x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
def pack(v):
    packed.append(float(v))
    return float(v)
def unpack(v):
    return torch.tensor(v, dtype=torch.float64)
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = torch.exp(x) * x + 1
y.backward()
print(sorted(round(v, 6) for v in packed), round(float(x.grad), 10))
""",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_prints_the_same_with_only_its_import_changed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_prints_the_same(SNIPPETS[name], capsys)

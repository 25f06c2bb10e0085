"""A student is told beforehand of an answer that uses what is hidden when it is graded, and of no other."""

import pytest

from autodiff_lab.checks.masked import notice, uses, words
from autodiff_lab.checks.student import Local, Student

MASKS = ("engine", "torch", "orders")
ABOVE = [
    "import autodiff_lab as ad\nfrom autodiff_lab import draw\nx = ad.Scalar(2.0)",
    "import torch.nn.functional as F, torch",
    "from graphlib import TopologicalSorter as T\ndef helper(y):\n    return torch.ones(2)",
]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("def f(x):\n    return ad.Scalar(x)", "autodiff_lab.Scalar"),
        ("def f(x):\n    import torch as t\n    return t.tensor(x)", "torch.tensor"),
        ("def f(x):\n    return F.relu(x)", "torch.nn.functional.relu"),
        ("def f(x):\n    return list(T(x).static_order())", "graphlib.TopologicalSorter"),
        ("def f(x):\n    return helper(x)", "torch.ones"),
        ("def f(x):\n    return __import__('networkx').DiGraph(x)", "networkx.DiGraph"),
        ("from autodiff_lab.units.graphs import values_of\ndef f(x):\n    return values_of(x)", "values_of"),
        ("f = ad.grad(lambda x: x)", "autodiff_lab.grad"),
    ],
)
def test_an_answer_that_uses_what_is_hidden_is_named(answer: str, found: str) -> None:
    assert found in notice(["f"], [*ABOVE, answer], MASKS)


@pytest.mark.parametrize(
    "answer",
    [
        "def f(x):\n    import torch\n    return x",
        "def f(x):\n    torch = x + 1\n    return torch",
        "def f(ad):\n    return ad.Scalar",
        "def f(x):\n    draw(x)\n    return x * x",
        "import numpy as np\ndef f(x):\n    return np.exp(x)",
    ],
)
def test_an_answer_of_one_s_own_is_not(answer: str) -> None:
    assert notice(["f"], [*ABOVE, answer], MASKS) == ""


def test_a_name_of_another_cells_function_is_not_that_of_the_cell() -> None:
    other = "try:\n    def g(x):\n        made = torch.ones(x)\n        return made\nexcept ValueError:\n    pass"
    answer = "made = 1\ndef f(x):\n    return made"
    assert uses(["f"], [*ABOVE, other, answer], MASKS) == []
    assert uses(["f"], [*ABOVE, other, answer.replace("return made", "return g(made)")], MASKS) == ["torch.ones"]


def test_what_an_exercise_allows_is_not_named() -> None:
    assert uses(["f"], [*ABOVE, "def f(x):\n    return T(x)"], ("engine", "torch")) == []


def test_the_notebook_says_so_where_it_passes(capsys: pytest.CaptureFixture[str]) -> None:
    student = Student(Local({"In": [*ABOVE, "def f(x):\n    return torch.ones(x)"]}))
    student.without("torch", names=["f"])
    assert "torch.ones, which will not be available" in capsys.readouterr().err
    student.without("engine", names=["f"])
    assert capsys.readouterr().err == ""


def test_a_statement_names_each_mask() -> None:
    assert words(("engine",), "without ") == "without the engine of `autodiff_lab`"
    assert words(MASKS, "without ").count("without ") == 3

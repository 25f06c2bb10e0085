"""A kernel that dies as it starts, because another program took one of its ports, costs nobody a grade."""

import socket
from collections.abc import Iterator
from typing import Any

import nbformat.v4 as v4
import pytest

from autodiff_lab.grading import execute


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]


def collide(monkeypatch: pytest.MonkeyPatch, port: int, times: int) -> list[Any]:
    """The first `times` kernels get a port that is taken. Returns the managers of all kernels, as they are made."""
    made: list[Any] = []
    create = execute.StartsAgain.create_kernel_manager

    def create_with_taken_port(self: execute.StartsAgain) -> Any:
        manager = create(self)
        if len(made) < times:
            manager.cache_ports, manager.stdin_port = False, port
        made.append(manager)
        return manager

    monkeypatch.setattr(execute.StartsAgain, "create_kernel_manager", create_with_taken_port, raising=False)
    return made


@pytest.mark.parametrize("run", [lambda nb: execute.ExecuteInOneKernel().preprocess(nb, {}), execute.run_notebook])
def test_a_kernel_whose_port_is_taken_is_started_again(
    run: Any, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = collide(monkeypatch, taken_port, times=2)
    notebook = v4.new_notebook(cells=[v4.new_code_cell("print(6 * 7)")])
    run(notebook)
    assert notebook.cells[0].outputs[0].text == "42\n"
    assert len(made) == 3


def test_a_kernel_that_never_starts_is_an_error_in_the_end(taken_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = collide(monkeypatch, taken_port, times=99)
    notebook = v4.new_notebook(cells=[v4.new_code_cell("print(6 * 7)")])
    with pytest.raises(RuntimeError, match="Kernel died"):
        execute.run_notebook(notebook)
    assert len(made) == execute.StartsAgain.starts

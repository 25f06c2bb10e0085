"""Engines that take no time, for the tests of the benchmarks. In a file that other processes load quickly."""

from typing import Any


def seven() -> Any:
    return lambda: sum(range(1000)), lambda: [7.0, [1.0, 2.0]]


def eight() -> Any:
    return lambda: None, lambda: [8.0, [1.0, 2.0]]


def absent() -> Any:
    import a_module_that_nobody_has  # type: ignore[import-not-found]

    return a_module_that_nobody_has


def broken() -> Any:
    raise ValueError("this engine fails")

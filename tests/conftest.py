"""Marks shared by all tests. Where a tool is missing its tests are skipped, unless AUTODIFF_LAB_REQUIRE names them."""

import functools
import os
import shutil
import subprocess

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@functools.cache
def _missing(mark: str) -> str | None:
    """What `mark` needs and this machine lacks, in words; None where it is there."""
    if mark == "browser" and not any(map(shutil.which, CHROMIUM)):
        return "no Chromium on PATH"
    if mark == "sandbox":
        if not shutil.which("bwrap"):
            return "no bubblewrap (bwrap) on PATH"
        if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode != 0:
            return "bubblewrap (bwrap), but the system does not let it work"
    if mark == "gpu":
        import torch

        if not torch.cuda.is_available():
            return "no CUDA device"
    return None


def _required() -> set[str]:
    return {name.strip() for name in os.environ.get("AUTODIFF_LAB_REQUIRE", "").split(",") if name.strip()}


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in ("browser", "sandbox", "gpu"):
        if item.get_closest_marker(mark) is None:
            continue
        missing = _missing(mark)
        if missing is None:
            continue
        if mark in _required():
            pytest.fail(f"AUTODIFF_LAB_REQUIRE={mark}, but there is {missing}", pytrace=False)
        pytest.skip(missing)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium for Playwright's `executable_path`. Use it in tests marked `browser`."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.skip("no Chromium on PATH")
    return found

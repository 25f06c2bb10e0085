"""Marks shared by all tests, and how they are spread over processes.

Where a tool is missing its tests are skipped, unless AUTODIFF_LAB_REQUIRE names them.
"""

import functools
import os
import shutil
import subprocess
from typing import Any

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


# Minutes long: begun last, they would keep one process busy while the others are done.
LONG = (
    *("test_answer_banks.py", "test_class.py", "test_left_behind.py", "browser", "test_sandbox.py", "test_walk.py"),
    *("test_split.py", "test_pool.py", "test_grade.py", "test_feedback.py", "test_attacks.py", "test_formgrader.py"),
    *("test_demo.py", "test_lab.py", "test_masks.py", "test_bank.py"),
)
# Their tests share what they found for the same parameter, and nothing else.
APART = ("test_answer_banks.py",)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the processes that share the work, long tests come first."""
    if not hasattr(config, "workerinput"):
        return

    def place(item: pytest.Item) -> int:
        parts = item.path.relative_to(config.rootpath).parts
        return next((number for number, name in enumerate(LONG) if name in parts), len(LONG))

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadfile`, a file stays together: its tests share what is dear to start. Except those APART."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file, _, name = nodeid.partition("::")
            return file + name.partition("[")[2] if file.endswith(APART) else file

    return ByFile(config, log)


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

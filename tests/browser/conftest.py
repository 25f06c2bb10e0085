"""A real JupyterLab and a real browser. `lab` is a running server over an empty folder, `notebook` opens one of its
notebooks in Chromium.

    def test_something(lab, notebook):
        lab.write("hello.ipynb", ["1 + 1"])
        page = notebook("hello.ipynb")
        page.run_all()
        assert "2" in page.output(0).inner_text()

Mark such tests `browser`: they are skipped where Chromium or Playwright are missing, unless AUTODIFF_LAB_REQUIRE names
"browser".
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    # Every cell is in the page, not only those in sight.
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}
START_S = 90
IDLE_S = 120


class Lab:
    """A JupyterLab server: its `url`, `token`, and the `folder` it shows."""

    def __init__(self, url: str, token: str, folder: Path) -> None:
        self.url, self.token, self.folder = url, token, folder

    def write(self, name: str, cells: list[str | tuple[str, str]]) -> Path:
        """Write a notebook into the folder: a string is a code cell, ("markdown", text) a text cell."""
        import nbformat.v4 as v4

        made = []
        for place, cell in enumerate(cells):
            kind, text = ("code", cell) if isinstance(cell, str) else cell
            made.append(v4.new_code_cell(text) if kind == "code" else v4.new_markdown_cell(text))
            made[-1]["id"] = f"cell-{place}"
        kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(v4.new_notebook(cells=made, metadata={"kernelspec": kernel})), encoding="utf-8")
        return path

    def copy(self, source: Path, name: str = "") -> Path:
        """Copy a notebook, or a folder with all it holds, into the folder."""
        target = self.folder / (name or source.name)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        return target


class NotebookPage:
    """A notebook open in JupyterLab. `page` is Playwright's; `errors` collects what the page's own scripts raised."""

    def __init__(self, page: Any, lab: Lab, path: str) -> None:
        self.page, self.lab, self.path = page, lab, path
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{lab.url}/lab/tree/{path}?reset&token={lab.token}")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=START_S * 1000)
        self._wait_for_kernel()

    def _wait_for_kernel(self) -> None:
        self.page.wait_for_function(
            "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
            timeout=IDLE_S * 1000,
        )

    def command(self, name: str, **arguments: Any) -> None:
        """Run one of JupyterLab's own commands and wait until it is done."""
        self.page.evaluate(
            "async ([name, args]) => { await window.jupyterapp.commands.execute(name, args) }", [name, arguments]
        )

    def wait_idle(self) -> None:
        """Wait until the kernel has nothing more to do and the page has drawn its answer."""
        self._wait_for_kernel()
        self.page.wait_for_timeout(150)

    def run_all(self) -> None:
        """Run every cell; cells tagged raises-exception do not stop the run."""
        self.command("notebook:run-all-cells")
        # The command is done at the first error, also where the run goes on past it.
        self.page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget.content.widgets.every("
            "w => w.model.type !== 'code' || !w.model.sharedModel.getSource().trim() || w.model.executionCount)",
            timeout=IDLE_S * 1000,
        )
        self.wait_idle()

    def run(self, index: int) -> None:
        """Run the cell at `index` (0 is the first, text cells count)."""
        self.page.evaluate("(i) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i }", index)
        self.command("notebook:run-cell")
        self.wait_idle()

    def source(self, index: int) -> str:
        """The text of the cell at `index`."""
        return self.page.evaluate(
            "(i) => window.jupyterapp.shell.currentWidget.content.widgets[i].model.sharedModel.getSource()", index
        )

    def set_source(self, index: int, text: str) -> None:
        """Replace the text of the cell at `index`."""
        self.page.evaluate(
            "([i, text]) => window.jupyterapp.shell.currentWidget.content.widgets[i].model.sharedModel.setSource(text)",
            [index, text],
        )

    def find(self, text: str) -> int:
        """The index of the first cell whose text contains `text`."""
        index = self.page.evaluate(
            "(text) => window.jupyterapp.shell.currentWidget.content.widgets"
            ".findIndex(w => w.model.sharedModel.getSource().includes(text))",
            text,
        )
        assert index >= 0, f"no cell of {self.path} contains {text!r}"
        return index

    def cell(self, index: int) -> Any:
        """Playwright locator of the cell at `index`."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def output(self, index: int) -> Any:
        """Playwright locator of what the cell at `index` has put out."""
        return self.cell(index).locator(".jp-Cell-outputArea")

    def save(self) -> None:
        """Write the notebook to disk."""
        self.command("docmanager:save")

    def theme(self, name: str) -> None:
        """Switch JupyterLab to "light" or "dark"."""
        light = name == "light"
        self.command("apputils:change-theme", theme="JupyterLab Light" if light else "JupyterLab Dark")
        self.page.wait_for_function(
            "(light) => document.body.dataset.jpThemeLight === String(light)", arg=light, timeout=20_000
        )
        self.page.wait_for_timeout(300)

    def screenshot(self, path: Path, full: bool = False) -> None:
        """A picture of the window; `full`: of the whole notebook, by making the window as tall as it."""
        if full:
            outer = ".jp-NotebookPanel-notebook .jp-WindowedPanel-outer"
            tall = self.page.locator(outer).first.evaluate("panel => panel.scrollHeight") + 160
            size = self.page.viewport_size
            self.page.set_viewport_size({"width": size["width"], "height": min(int(tall), 30_000)})
            self.page.wait_for_timeout(400)
            self.page.screenshot(path=str(path))
            self.page.set_viewport_size(size)
        else:
            self.page.screenshot(path=str(path))


def _missing(reason: str) -> None:
    if "browser" in os.environ.get("AUTODIFF_LAB_REQUIRE", ""):
        pytest.fail(f"AUTODIFF_LAB_REQUIRE names the browser, but {reason}", pytrace=False)
    pytest.skip(reason)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab server over an empty folder, with its own settings, for all browser tests of this run."""
    home = tmp_path_factory.mktemp("jupyter")
    folder = home / "work"
    folder.mkdir()
    for name, value in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    port, token = _free_port(), secrets.token_hex(16)
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}", "--ServerApp.port_retries=0"]
    command += ["--LabApp.expose_app_in_browser=True"]
    log = home / "server.log"
    with log.open("w") as stream:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=stream, stderr=subprocess.STDOUT)
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_for(server, f"{url}/api/status?token={token}", log)
            yield Lab(url, token, folder)
        finally:
            server.terminate()  # JupyterLab shuts its kernels down on SIGTERM
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait_for(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}", pytrace=False)


# Not for the session: Playwright's loop, left running, keeps tests of other files from starting their own.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """Headless Chromium, as Playwright's `Browser`."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("Playwright is not installed (pip install playwright)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def notebook(lab: Lab, browser: Any) -> Iterator[Callable[..., NotebookPage]]:
    """`notebook("name.ipynb")` opens a notebook of `lab.folder` in a fresh page and waits until its kernel is idle."""
    contexts = []

    def open_notebook(path: str, width: int = 1280, height: int = 900) -> NotebookPage:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        contexts.append(context)
        return NotebookPage(context.new_page(), lab, path)

    yield open_notebook
    for context in contexts:
        context.close()
    _shut_kernels(lab)


def _shut_kernels(lab: Lab) -> None:
    """One kernel per test: none is left to the next one."""
    headers = {"Authorization": f"token {lab.token}"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{lab.url}/api/sessions", headers=headers), timeout=20
    ) as answer:
        sessions = json.load(answer)
    for session in sessions:
        request = urllib.request.Request(f"{lab.url}/api/sessions/{session['id']}", headers=headers, method="DELETE")
        urllib.request.urlopen(request, timeout=20).close()

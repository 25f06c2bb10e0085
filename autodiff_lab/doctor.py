"""What this machine has for the course, what it lacks, and how to get it. Changes nothing."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autodiff_lab import bootstrap
from autodiff_lab.errors import typed
from autodiff_lab.workspace import PACKAGE, default_workspace, in_checkout

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ROOM_GB = 1.0


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at, whether it is `ok`, `missing` or `optional`, what was found, and how to get it."""

    what: str
    state: str
    found: str
    how: str = ""


def examine() -> list[Finding]:
    """Everything worth knowing about this machine, required things first."""
    return [
        _python(),
        _package(),
        *_packages(),
        *_extensions(),
        _folder("workspace", default_workspace()),
        *([_folder("course", bootstrap.CHECKOUT / "course")] if in_checkout() else []),
        _disk(),
        _sandbox(),
        _tool("Chromium", CHROMIUM, "the browser tests need it", "chromium"),
        _gpu(),
    ]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    active = bootstrap.active_environment()
    return Finding("Python", "ok", f"{version} in {active or sys.prefix}")


def _package() -> Finding:
    try:
        version = importlib.metadata.version("autodiff-lab")
    except importlib.metadata.PackageNotFoundError:
        return Finding("autodiff_lab", "missing", f"runs from {PACKAGE}, not installed", _install())
    installed = importlib.metadata.distribution("autodiff-lab").read_text("direct_url.json")
    origin = json.loads(installed).get("url", "").removeprefix("file://") if installed else ""
    if in_checkout() and origin and Path(origin) != bootstrap.CHECKOUT:
        how = "notebooks use the installed one; to change that: " + _install()
        return Finding("autodiff_lab", "missing", f"runs from {bootstrap.CHECKOUT}, but {origin} is installed", how)
    return Finding("autodiff_lab", "ok", f"{version} from {PACKAGE}")


def _install(extra: str | None = None) -> str:
    if not in_checkout():
        return "python -m pip install autodiff-lab"
    return bootstrap.install_command(extra, bootstrap.CHECKOUT, bootstrap.active_environment())


def _packages() -> list[Finding]:
    """One line if all is well; else one for each package that is missing or out of range."""
    if not in_checkout():
        return []
    lacking = [m for r in bootstrap.requirements(bootstrap.CHECKOUT, None) if (m := bootstrap._lacks(r))]
    findings = [Finding(name.split()[0], "missing", name, _install()) for name in lacking]
    tests = [m for r in bootstrap.requirements(bootstrap.CHECKOUT, "test") if (m := bootstrap._lacks(r))]
    for_tests = [name for name in tests if name not in lacking]
    other = _other_versions()
    text = "all there" if not lacking else f"{len(lacking)} missing"
    if other:
        shown = ", ".join(other[:4]) + (f" and {len(other) - 4} more" if len(other) > 4 else "")
        text += f"; not the tested version: {shown}"
    findings.insert(0, Finding("packages", "missing" if lacking else "ok", text))
    if for_tests:
        findings.append(Finding("for the tests", "optional", f"missing: {', '.join(for_tests)}", _install("test")))
    return findings


def _other_versions() -> list[str]:
    """Installed packages whose version is not the one that the tests ran with."""
    found = []
    for line in (bootstrap.CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, _, wanted = line.partition("==")
        try:
            version = importlib.metadata.version(name).split("+")[0] if wanted else wanted
        except importlib.metadata.PackageNotFoundError:
            continue
        if version != wanted:
            found.append(f"{name} {version} ({wanted})")
    return found


def _extensions() -> list[Finding]:
    """nbgrader's buttons in JupyterLab: the server's part switched on, the page's part installed."""
    from jupyter_core.paths import jupyter_config_path, jupyter_path
    from jupyter_server.extension.config import ExtensionConfigManager

    findings = []
    enabled = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    for name in ("assignment_list", "validate_assignment", "formgrader"):
        on = enabled.get(f"nbgrader.server_extensions.{name}", False)
        how = "" if on else f"jupyter server extension enable --sys-prefix nbgrader.server_extensions.{name}"
        what = f"nbgrader {name.replace('_', ' ')}"
        findings.append(Finding(what, "ok" if on else "missing", "on" if on else "switched off", how))
    for name, folder in (("nbgrader in JupyterLab", "@jupyter/nbgrader"), ("views (anywidget)", "anywidget")):
        place = next((p for base in jupyter_path("labextensions") if (p := Path(base, folder)).is_dir()), None)
        package = "anywidget" if folder == "anywidget" else "nbgrader"
        how = "" if place else f"python -m pip install --force-reinstall --no-deps {package}"
        findings.append(Finding(name, "ok" if place else "missing", "installed" if place else "not found", how))
    return findings


def _folder(what: str, path: Path) -> Finding:
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    if os.access(existing, os.W_OK) and existing.is_dir():
        return Finding(f"{what} folder", "ok", f"{path}{'' if path.exists() else ' (will be made)'}")
    how = (
        f"{typed('lab --workspace FOLDER')}, with a folder that is yours"
        if what == "workspace"
        else "copy the checkout to one"
    )
    return Finding(f"{what} folder", "missing", f"{path} is not writable", how)


def _disk() -> Finding:
    existing = next(folder for folder in (default_workspace(), *default_workspace().parents) if folder.exists())
    free = shutil.disk_usage(existing).free / 1e9
    how = "" if free >= ROOM_GB else f"make {ROOM_GB:.0f} GB of room"
    return Finding("free disk", "ok" if free >= ROOM_GB else "missing", f"{free:.1f} GB", how)


def _tool(what: str, names: tuple[str, ...], purpose: str, package: str) -> Finding:
    path = next(filter(None, map(shutil.which, names)), None)
    how = "" if path else f"on Debian or Ubuntu: sudo apt install {package} ({purpose})"
    return Finding(what, "ok" if path else "optional", path or "not found", how)


def _sandbox() -> Finding:
    from autodiff_lab.grading.sandbox import Refusal, status

    found = status()
    if isinstance(found, Refusal):
        return Finding("bubblewrap", "optional", f"{found.reason}; grading needs it", found.mend)
    return Finding("bubblewrap", "ok", f"{found.version} works; to try it: {typed('doctor --sandbox')}")


def examine_sandbox() -> Iterator[Finding]:
    """Try, on this machine, what code in the sandbox must not be able to do: a line for each promise."""
    from autodiff_lab.grading import probes
    from autodiff_lab.grading.sandbox import Refusal, status

    found = status()
    if isinstance(found, Refusal):
        yield Finding("bubblewrap", "missing", found.reason, found.mend)
        return
    for tried in probes.examine():
        yield Finding(tried.promise, *(("ok", "yes") if tried.kept else ("missing", f"no: {tried.reached}")))


def _gpu() -> Finding:
    # Asking torch costs a second; without a driver there is nothing to ask about.
    if not shutil.which("nvidia-smi"):
        return Finding("GPU", "optional", "none", "not needed: unit 11 runs on the CPU too, and says so")
    question = "import torch; print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else '')"
    asked = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True)
    name = asked.stdout.strip()
    if name:
        return Finding("GPU", "ok", name)
    return Finding("GPU", "optional", "there, but PyTorch cannot use it", "install PyTorch's CUDA build")

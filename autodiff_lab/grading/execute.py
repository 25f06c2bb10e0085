"""Runs a submission's cells: a replacement for nbgrader's `Execute`, named in `nbgrader_config.py`.

What it does beyond nbgrader's: a kernel that dies or hangs is replaced and the other exercises still run; visible and
hidden tests run one after the other, so that feedback knows which of them failed; output is limited in bytes while it
arrives; a warning on stderr costs no points. What it does not do yet: student code and tests share one kernel. Whoever
splits them replaces `ExecuteSubmission._run_cell`, and nothing else.
"""

from __future__ import annotations

import ast
import os
import tempfile
from pathlib import Path
from time import monotonic
from typing import Any

import nbformat
from nbclient.client import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.preprocessors import ExecutePreprocessor
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Integer, List, Unicode

from autodiff_lab.grading.course import HIDDEN, PACKAGE_PARENT

NOTES = "autodiff_lab"
"""Key in a cell's metadata where grading writes what it saw: "ended" (timeout, crashed, ...), "hidden" (a hidden test
failed), "hidden_outputs" (places of what hidden tests printed), "cut" (bytes), "restored" (the cell was deleted)."""

TIMEOUT, CRASHED, OUT_OF_MEMORY = "timeout", "crashed", "out of memory"
QUIET = ["--HistoryManager.hist_file=:memory:", "--HistoryManager.enabled=False", "--IPKernelApp.log_level=40"]
_ERROR_TEXT_LIMIT = 20_000


def pieces(source: str) -> list[tuple[str, bool]]:
    """A test cell as (code, is hidden) pieces to run in turn. One piece if a part would not be Python by itself."""
    parts: list[tuple[str, bool]] = []
    end = 0
    for region in HIDDEN.finditer(source):
        parts += [(source[end : region.start()], False), (region.group(1), True)]
        end = region.end()
    parts.append((source[end:], False))
    parts = [(code, hidden) for code, hidden in parts if code.strip()]
    try:
        for code, _ in parts:
            ast.parse(code)
    except (SyntaxError, ValueError):
        return [(source, False)]
    return parts


def kernel_environment(scratch: str) -> dict[str, str]:
    """Environment of a kernel: this package importable, no user profile, one thread per library."""
    env = dict(os.environ)
    env["PYTHONPATH"] = os.pathsep.join([str(PACKAGE_PARENT), *filter(None, [env.get("PYTHONPATH")])])
    env["IPYTHONDIR"] = str(Path(scratch) / "ipython")
    env["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    env["PYTHONHASHSEED"] = "0"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        env[name] = "1"
    return env


class StartsAgain(NotebookClient):
    """Tries again when a kernel dies as it starts, before any cell has run.

    Its ports are chosen first and bound later: where many kernels start at once, another may take one in between.
    """

    starts = 4

    def start_new_kernel(self, **options: Any) -> None:
        """As nbclient's; keeps the options for another try."""
        self._start_options = options
        super().start_new_kernel(**options)

    def start_new_kernel_client(self) -> Any:
        """As nbclient's, at most `starts` times. Raises the last RuntimeError."""
        for _ in range(self.starts - 1):
            try:
                return super().start_new_kernel_client()
            except RuntimeError:
                self.km = self.create_kernel_manager()
                self.start_new_kernel(**self._start_options)
        return super().start_new_kernel_client()


class ExecuteSubmission(StartsAgain, Execute):
    """Execute every code cell of a submission; errors, crashes and endless loops become outputs of their own cell."""

    timeout = Integer(30, allow_none=True, help="Seconds for one cell.").tag(config=True)
    total_timeout = Integer(600, help="Seconds for one notebook. What has not run by then counts as timed out.").tag(
        config=True
    )
    max_restarts = Integer(6, help="How often a dead or hung kernel is replaced in one notebook.").tag(config=True)
    max_output_bytes = Integer(50_000, help="Bytes of printed text kept per cell.").tag(config=True)
    max_data_bytes = Integer(4_000_000, help="Bytes of pictures and other rich output kept per cell.").tag(config=True)
    patience = Integer(4, help="Seconds a kernel gets to stop after an interrupt before it is replaced.").tag(
        config=True
    )
    store_widget_state = Bool(False).tag(config=True)
    shutdown_kernel = Unicode("immediate").tag(config=True)
    iopub_timeout = Integer(30, allow_none=False).tag(config=True)
    # A student's tag must not decide what runs.
    skip_cells_with_tag = Unicode("").tag(config=True)
    extra_arguments = List(QUIET).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        """Run `nb` in place. `resources["metadata"]["path"]` is the working directory."""
        NotebookClient.__init__(self, nb, km)
        self.reset_execution_trackers()
        self._check_assign_resources(resources if resources is not None else {})
        self._spent = 0.0
        self._restarts = 0
        self._culprits: set[int] = set()
        self._bytes = self._data = 0
        with tempfile.TemporaryDirectory(prefix="autodiff_lab_", ignore_cleanup_errors=True) as scratch:
            self._kernel_options = {"env": kernel_environment(scratch)}
            with self.setup_kernel(**self._kernel_options):
                for index, cell in enumerate(nb.cells[: _end_of_tests(nb)]):
                    if cell.cell_type == "code":
                        self._run_cell(cell, index)
        nb.metadata["language_info"] = {"name": "python"}
        return nb, self.resources

    # ------------------------------------------------------------ one cell

    def _run_cell(self, cell: NotebookNode, index: int) -> None:
        cell.outputs, cell.execution_count = [], None
        notes: dict[str, Any] = {k: v for k, v in cell.metadata.pop(NOTES, {}).items() if k == "restored"}
        if notes:
            cell.metadata[NOTES] = notes
        if not cell.source.strip():
            return
        graded = is_grade(cell) and not is_solution(cell)
        self._bytes = self._data = 0
        outputs: list[NotebookNode] = []
        count = None
        for code, hidden in pieces(cell.source) if graded else [(cell.source, False)]:
            part = nbformat.v4.new_code_cell(code)
            ended = self._run_code(part, index)
            if hidden and part.outputs:
                notes.setdefault("hidden_outputs", []).extend(range(len(outputs), len(outputs) + len(part.outputs)))
            outputs += part.outputs
            count = count or part.execution_count
            failed = any(output.output_type == "error" for output in part.outputs)
            if ended:
                notes["ended"] = ended
            if hidden and failed:
                notes["hidden"] = True
            if failed or ended:
                break
        if self._bytes > self.max_output_bytes or self._data > self.max_data_bytes:
            notes["cut"] = self._bytes + self._data
            outputs.append(_note_output("The rest of the output of this cell was cut: it was too long."))
        if graded:
            for output in outputs:
                # nbgrader takes anything on stderr for a failed test; a warning is none.
                if output.output_type == "stream" and output.name == "stderr":
                    output["name"] = "stdout"
        cell.outputs, cell.execution_count = outputs, count
        if notes:
            cell.metadata[NOTES] = notes

    def _run_code(self, part: NotebookNode, index: int) -> str | None:
        """Run one piece. Returns None, or how the kernel ended; then a fresh kernel stands ready for the next cell."""
        if self._spent >= self.total_timeout or self._restarts > self.max_restarts:
            part.outputs = [_error_output("CellTimeoutError", "Not run: this notebook had used up its time.")]
            return TIMEOUT
        started = monotonic()
        try:
            # index: nbclient stores the cell back at that place, and display ids refer to it.
            keep = self.nb["cells"][index]
            try:
                self.execute_cell(part, index, store_history=True)
            finally:
                self.nb["cells"][index] = keep
        except DeadKernelError:
            self._trim(part)
            part.outputs.append(_error_output("KernelDied", "The kernel died while this cell ran."))
            ended = self._how_it_died()
            self._replace_kernel(index)
            return ended
        except (CellTimeoutError, TimeoutError):
            self._trim(part)
            if not any(output.output_type == "error" for output in part.outputs):
                part.outputs.append(_timeout_output(self.timeout))
            self._replace_kernel(index)
            return TIMEOUT
        finally:
            self._spent += monotonic() - started
            self.iopub_timeout = type(self).iopub_timeout.default_value
        self._trim(part)
        timed_out = any(output.output_type == "error" and output.ename == "CellTimeoutError" for output in part.outputs)
        if timed_out:
            part.outputs = [o for o in part.outputs if o.output_type != "error"] + [_timeout_output(self.timeout)]
        return TIMEOUT if timed_out else None

    async def _async_handle_timeout(self, timeout: int, cell: NotebookNode | None = None) -> Any:
        # After an interrupt a healthy kernel is idle at once; one that swallows it would cost the whole iopub timeout.
        self.iopub_timeout = self.patience
        return await super()._async_handle_timeout(timeout, cell)

    # ------------------------------------------------------------ a fresh kernel

    def _how_it_died(self) -> str:
        process = getattr(getattr(self.km, "provisioner", None), "process", None)
        code = getattr(process, "returncode", None)
        return OUT_OF_MEMORY if code == -9 else CRASHED

    def _replace_kernel(self, index: int) -> None:
        """Start a new kernel and run the cells above again, without those that killed one, and without tests."""
        self._culprits.add(index)
        while True:
            self._restarts += 1
            self._cleanup_kernel()
            if self._restarts > self.max_restarts:
                self.km = self.create_kernel_manager()
                self.start_new_kernel(**self._kernel_options)
                self.start_new_kernel_client()
                return
            self.km = self.create_kernel_manager()
            self.start_new_kernel(**self._kernel_options)
            self.start_new_kernel_client()
            guilty = self._replay(index)
            if guilty is None:
                return
            self._culprits.add(guilty)

    def _replay(self, index: int) -> int | None:
        for earlier in range(index + 1):
            cell = self.nb.cells[earlier]
            if cell.cell_type != "code" or not cell.source.strip() or earlier in self._culprits:
                continue
            if is_grade(cell) and not is_solution(cell):
                continue
            if cell.metadata.get(NOTES, {}).get("ended"):
                continue
            copy = nbformat.v4.new_code_cell(cell.source)
            started = monotonic()
            try:
                self.execute_cell(copy, earlier, store_history=False)
            except (DeadKernelError, CellTimeoutError, TimeoutError):
                return earlier
            finally:
                self.nb["cells"][earlier] = cell
                self._spent += monotonic() - started
                self.iopub_timeout = type(self).iopub_timeout.default_value
        return None

    # ------------------------------------------------------------ output, in bytes

    def output(self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int) -> Any:
        """Keep what a cell prints up to the limits; what is beyond is dropped as it arrives, never held."""
        kind, content = msg["msg_type"], msg["content"]
        if kind == "stream":
            room = self.max_output_bytes - self._bytes
            self._bytes += len(content["text"])
            if room <= 0:
                return None
            content["text"] = content["text"][:room]
            if outs and outs[-1].output_type == "stream" and outs[-1].name == content["name"]:
                outs[-1].text += content["text"]
                return outs[-1]
        elif kind in ("display_data", "execute_result"):
            size = sum(len(str(value)) for value in content.get("data", {}).values())
            self._data += size
            if self._data > self.max_data_bytes:
                return None
        return super().output(outs, msg, display_id, cell_index)

    def _trim(self, part: NotebookNode) -> None:
        for output in part.outputs:
            if output.output_type == "error":
                output.evalue = _cut(output.evalue)
                output.traceback = [_cut(line) for line in output.traceback]


def _end_of_tests(nb: NotebookNode) -> int:
    """How many cells can change a mark: those up to the last one that earns points by running.

    What comes after it, such as the comparison with torch, would cost more time than all that comes before.
    """
    graded = [index for index, cell in enumerate(nb.cells) if cell.cell_type == "code" and is_grade(cell)]
    return graded[-1] + 1 if graded else len(nb.cells)


def _cut(text: str) -> str:
    return text if len(text) <= _ERROR_TEXT_LIMIT else text[:_ERROR_TEXT_LIMIT] + " ... (cut)"


def _note_output(text: str) -> NotebookNode:
    return nbformat.v4.new_output("stream", name="stdout", text=f"\n[{text}]\n")


def _error_output(name: str, message: str) -> NotebookNode:
    return nbformat.v4.new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])


def _timeout_output(seconds: int | None) -> NotebookNode:
    return _error_output(
        "CellTimeoutError", f"This cell did not end within {seconds} seconds. Is there an endless loop?"
    )


def run_notebook(notebook: NotebookNode, cwd: Path | None = None, timeout: int = 300) -> NotebookNode:
    """Run a trusted notebook in place, whole cells, outputs unlimited in lines. Errors stay in the outputs."""

    class Runner(StartsAgain, ExecutePreprocessor):
        pass

    runner = Runner(
        timeout=timeout,
        allow_errors=True,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        shutdown_kernel="immediate",
        extra_arguments=QUIET,
    )
    NotebookClient.__init__(runner, notebook)
    runner.reset_execution_trackers()
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_", ignore_cleanup_errors=True) as scratch:
        runner.resources = {"metadata": {"path": str(cwd) if cwd is not None else scratch}}
        with runner.setup_kernel(env=kernel_environment(scratch)):
            for index, cell in enumerate(notebook.cells):
                runner.execute_cell(cell, index, store_history=True)
    return notebook

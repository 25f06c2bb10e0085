"""Runs a submission's cells: a replacement for nbgrader's `Execute`, named in `nbgrader_config.py`.

What it does beyond nbgrader's: a kernel that dies or hangs is replaced and the other exercises still run; visible and
hidden tests run one after the other, so that feedback knows which of them failed; output is limited in bytes while it
arrives; a warning on stderr costs no points. `ExecuteInOneKernel` does that, for code that is trusted.
`ExecuteSubmission` runs only the student's cells in the kernel, which is in a sandbox, and the tests elsewhere.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import os
import re
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

import nbformat
import psutil
from nbclient.client import NotebookClient
from nbclient.exceptions import CellControlSignal, CellTimeoutError, DeadKernelError
from nbconvert.preprocessors import ExecutePreprocessor
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Integer, List, Unicode

from autodiff_lab.checks.bridge import SERVE
from autodiff_lab.checks.failed import LOOKS_LIKE
from autodiff_lab.checks.masked import ALWAYS, asked, refusal, uses
from autodiff_lab.checks.remote import BAD_REPLY, KERNEL_DIED, TIMED_OUT
from autodiff_lab.grading import sandbox, split
from autodiff_lab.grading.course import HIDDEN, NOTES, PACKAGE_PARENT, exercise_of, paths
from autodiff_lab.grading.notices import MOST

BEFORE = ("restored", "intake")  # notes that were there before a cell runs
TIMEOUT, CRASHED, OUT_OF_MEMORY = "timeout", "crashed", "out of memory"
QUIET = [
    *("--HistoryManager.hist_file=:memory:", "--HistoryManager.enabled=False", "--IPKernelApp.log_level=40"),
    # exit() in an answer would end the kernel a moment later, and cost another exercise its points.
    "--IPKernelApp.exec_lines=get_ipython().ask_exit = lambda: None",
    # Figures are shown as they are by default, whatever somebody has installed to see them: no answer fails for that.
    "--IPKernelApp.exec_lines=get_ipython().register_magic_function(lambda line: None, magic_name='matplotlib')",
]
_ERROR_TEXT_LIMIT = 20_000
_MOST_TO_READ = 60_000  # characters of code, from a failed test upwards, in which what is masked is looked for
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|.*\?)$", re.M)  # lines that are IPython's, which takes minutes for thousands
_ALWAYS = 2_000  # characters of text that a cell may show even when the notebook has used up its bytes


def tied() -> list[str]:
    """Arguments of a kernel that this process starts without a sandbox: `QUIET`, and it ends when this process does."""
    line = f"__import__('autodiff_lab.grading.inside', fromlist=['end_with']).end_with({os.getpid()})"
    return [*QUIET, f"--IPKernelApp.exec_lines={line}"]


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


class ExecuteInOneKernel(StartsAgain, Execute):
    """Execute every code cell of a notebook; errors, crashes and endless loops become outputs of their own cell.

    Tests run where the answers are. That is quick, needs no sandbox, and is what a student's own Jupyter does.
    """

    timeout = Integer(
        30, allow_none=True, help="Seconds of processor time for one cell; a busy machine costs nobody points."
    ).tag(config=True)
    waiting = Integer(
        4, help="How many times as long a cell may take by the clock: asleep, or waiting for what never comes."
    ).tag(config=True)
    total_timeout = Integer(600, help="Seconds for one notebook. What has not run by then counts as timed out.").tag(
        config=True
    )
    max_restarts = Integer(6, help="How often a dead or hung kernel is replaced in one notebook.").tag(config=True)
    max_output_bytes = Integer(50_000, help="Bytes of printed text kept per cell.").tag(config=True)
    max_data_bytes = Integer(4_000_000, help="Bytes of pictures and other rich output kept per cell.").tag(config=True)
    max_notebook_bytes = Integer(10_000_000, help="Bytes of output kept of all cells of a notebook together.").tag(
        config=True
    )
    patience = Integer(4, help="Seconds a kernel gets to stop after an interrupt before it is replaced.").tag(
        config=True
    )
    store_widget_state = Bool(False).tag(config=True)
    shutdown_kernel = Unicode("immediate").tag(config=True)
    iopub_timeout = Integer(30, allow_none=False).tag(config=True)
    # A student's tag must not decide what runs.
    skip_cells_with_tag = Unicode("").tag(config=True)
    extra_arguments = List(QUIET).tag(config=True)
    _unrecorded: str | None = None
    """Code that leaves no trace in the kernel's history."""

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        """Run `nb` in place. `resources["metadata"]["path"]` is the working directory."""
        NotebookClient.__init__(self, nb, km)
        self.reset_execution_trackers()
        self._check_assign_resources(resources if resources is not None else {})
        self._spent = 0.0
        self._waited = False
        self._restarts = self._count = 0
        self._culprits: set[int] = set()
        self._bytes = self._data = self._shown = self._widgets = 0
        with tempfile.TemporaryDirectory(prefix="autodiff_lab_", ignore_cleanup_errors=True) as scratch:
            self._kernel_options = self._options_of_kernel(scratch)
            with self.setup_kernel(**self._kernel_options):
                for index, cell in enumerate(nb.cells[: _end_of_tests(nb)]):
                    if cell.cell_type == "code":
                        self._run_cell(cell, index)
        nb.metadata["language_info"] = {"name": "python"}
        return nb, self.resources

    def _options_of_kernel(self, scratch: str) -> dict[str, Any]:
        self.extra_arguments = tied()
        return {"env": kernel_environment(scratch)}

    # ------------------------------------------------------------ one cell

    def _run_cell(self, cell: NotebookNode, index: int) -> None:
        cell.outputs, cell.execution_count = [], None
        notes: dict[str, Any] = {k: v for k, v in cell.metadata.pop(NOTES, {}).items() if k in BEFORE}
        if notes:
            cell.metadata[NOTES] = notes
        if not cell.source.strip():
            return
        graded = is_grade(cell) and not is_solution(cell)
        self._bytes = self._data = 0
        outputs: list[NotebookNode] = []
        for code, hidden in pieces(cell.source) if graded else [(cell.source, False)]:
            part = _code_cell(code)
            ended = self._run_test(part, index) if graded else self._run_code(part, index)
            if hidden and part.outputs:
                notes.setdefault("hidden_outputs", []).extend(range(len(outputs), len(outputs) + len(part.outputs)))
            for output in part.outputs:
                if also := output.pop("also", None):
                    notes["also"] = also
            outputs += part.outputs
            failed = any(output.output_type == "error" for output in part.outputs)
            if ended:
                notes["ended"] = ended
            if hidden and failed:
                notes["hidden"] = True
            if failed or ended:
                break
        room, data_room = self._rooms()
        self._shown += min(self._bytes, room) + min(self._data, data_room)
        if self._bytes > room or self._data > data_room:
            notes["cut"] = self._bytes + self._data
            outputs.append(_note_output("The rest of the output of this cell was cut: it was too long."))
        if graded:
            for output in outputs:
                # nbgrader takes anything on stderr for a failed test; a warning is none.
                if output.output_type == "stream" and output.name == "stderr":
                    output["name"] = "stdout"
        self._count += 1
        for output in outputs:
            if output.output_type == "execute_result":
                output["execution_count"] = self._count
        cell.outputs, cell.execution_count = outputs, self._count
        if notes:
            cell.metadata[NOTES] = notes

    def _run_test(self, part: NotebookNode, index: int) -> str | None:
        """Run one piece of a test cell; as `_run_code`."""
        return self._run_code(part, index)

    def _run_code(self, part: NotebookNode, index: int) -> str | None:
        """Run one piece. Returns None, or how the kernel ended; then a kernel stands ready for the next cell."""
        ended, dead = self._attempt(part, index)
        if dead:
            self._replace_kernel(index, index + 1)
        return ended

    def _attempt(self, part: NotebookNode, index: int) -> tuple[str | None, bool]:
        """Run one piece. Returns how the kernel ended (None: it did not), and whether it has to be replaced."""
        if self._is_used_up():
            part.outputs = [_error_output("CellTimeoutError", "Not run: this notebook had used up its time.")]
            return TIMEOUT, False
        started, computed = monotonic(), self._computed()
        self._waited = False
        try:
            # index: nbclient stores the cell back at that place, and display ids refer to it.
            keep = self.nb["cells"][index]
            try:
                self.execute_cell(part, index, store_history=part.source != self._unrecorded)
            finally:
                self.nb["cells"][index] = keep
        except DeadKernelError:
            self._trim(part)
            part.outputs.append(_error_output(KERNEL_DIED, "The kernel died while this cell ran."))
            return self._how_it_died(), True
        except (CellTimeoutError, TimeoutError):
            self._trim(part)
            if not any(output.output_type == "error" for output in part.outputs):
                part.outputs.append(self._timeout_output())
            return TIMEOUT, True
        except Exception as error:  # a kernel whose messages make no sense
            self.log.debug("a kernel sent something impossible", exc_info=error)
            part.outputs = [_error_output(KERNEL_DIED, "The kernel sent what no kernel sends.")]
            return CRASHED, True
        finally:
            self._spend(started, computed)
            self.iopub_timeout = type(self).iopub_timeout.default_value
        self._trim(part)
        timed_out = any(output.output_type == "error" and output.ename == "CellTimeoutError" for output in part.outputs)
        if timed_out:
            part.outputs = [o for o in part.outputs if o.output_type != "error"] + [self._timeout_output()]
        return TIMEOUT if timed_out else None, False

    # ------------------------------------------------------------ time

    def _computed(self) -> float:
        """Seconds of processor time that the kernel has used so far, with its child processes."""
        provisioner = getattr(self.km, "provisioner", None)
        if hasattr(provisioner, "processes"):
            numbers = list(provisioner.processes())
        else:
            numbers = [number] if (number := getattr(provisioner, "pid", None)) else []
        total = 0.0
        for number in numbers:
            with contextlib.suppress(psutil.Error):
                total += sum(psutil.Process(number).cpu_times()[:4])
        return total

    def _spend(self, started: float, computed: float) -> None:
        """Count what a cell took against the time of the notebook. The clock counts where nothing was computed."""
        self._spent += max(self._computed() - computed, (monotonic() - started) / self.waiting)

    def start_new_kernel_client(self) -> Any:
        """As nbclient's. A reply that is late by the clock is waited for while the kernel has processor time left."""
        client = super().start_new_kernel_client()
        get, limit = self.kc.shell_channel.get_msg, self.timeout

        async def get_in_time(*args: Any, timeout: float | None = None, **options: Any) -> Any:
            if timeout is None or limit is None or timeout > limit:
                return await get(*args, timeout=timeout, **options)
            begun, late = self._computed(), monotonic() + timeout * self.waiting
            left, share = timeout, 0.1
            while True:
                try:
                    return await get(*args, timeout=min(max(left, 0.1), max(late - monotonic(), 0.0)), **options)
                except Empty:
                    done = self._computed() - begun
                    left = timeout - done
                    if left > 0 and monotonic() >= late:
                        self._waited = done < share * timeout
                        late, share = monotonic() + timeout * self.waiting, share + 0.1  # slow, where others compute
                    if left <= 0 or self._waited:
                        raise

        self.kc.shell_channel.get_msg = get_in_time
        return client

    def _timeout_output(self) -> NotebookNode:
        if self._waited:
            said = f"This cell was still waiting after {self.waiting * (self.timeout or 0)} seconds, and had hardly "
            return _error_output("CellTimeoutError", said + "computed. Does it sleep, or wait for something?")
        return _timeout_output(self.timeout)

    def _is_used_up(self) -> bool:
        return self._spent >= self.total_timeout or self._restarts > self.max_restarts

    async def _async_handle_timeout(self, timeout: int, cell: NotebookNode | None = None) -> Any:
        # After an interrupt a healthy kernel is idle at once; one that swallows it would cost the whole iopub timeout.
        self.iopub_timeout = self.patience
        return await super()._async_handle_timeout(timeout, cell)

    # ------------------------------------------------------------ a fresh kernel

    def _how_it_died(self) -> str:
        process = getattr(getattr(self.km, "provisioner", None), "process", None)
        code = getattr(process, "returncode", None)
        return OUT_OF_MEMORY if code == -9 else CRASHED

    def _replace_kernel(self, culprit: int, until: int) -> None:
        """Start a new kernel and run the cells before `until` again: no tests, and none that killed one."""
        self._culprits.add(culprit)
        while True:
            self._restarts += 1
            self._cleanup_kernel()
            self.km = self.create_kernel_manager()
            self.start_new_kernel(**self._kernel_options)
            self.start_new_kernel_client()
            if self._restarts > self.max_restarts:
                return
            guilty = self._replay(0, until)
            if guilty is None:
                return
            self._culprits.add(guilty)

    def _replay(self, start: int, until: int) -> int | None:
        """Run cells again without keeping what they print. Returns the place of one that ended the kernel."""
        for earlier in range(start, until):
            cell = self.nb.cells[earlier]
            if cell.cell_type != "code" or not cell.source.strip() or earlier in self._culprits:
                continue
            if is_grade(cell) and not is_solution(cell):
                continue
            if cell.metadata.get(NOTES, {}).get("ended"):
                continue
            copy = _code_cell(cell.source)
            started, computed = monotonic(), self._computed()
            try:
                self.execute_cell(copy, earlier, store_history=False)
            except Exception:  # it is dead, or hangs, or sends what makes no sense
                return earlier
            finally:
                self.nb["cells"][earlier] = cell
                self._spend(started, computed)
                self.iopub_timeout = type(self).iopub_timeout.default_value
        return None

    # ------------------------------------------------------------ output, in bytes

    def _rooms(self) -> tuple[int, int]:
        """Bytes of text, and of other output, that a cell may still show; a little text it always may."""
        left = self.max_notebook_bytes - self._shown
        return max(_ALWAYS, min(self.max_output_bytes, left)), max(0, min(self.max_data_bytes, left))

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        """As nbclient's. What changes an output counts as one; and widgets are not kept without end."""
        if msg["msg_type"] == "update_display_data":
            self._data += _size_of(msg["content"])
            if self._data > self._rooms()[1]:
                return None
        elif msg["msg_type"].startswith("comm"):
            self._widgets += _size_of(msg["content"]) + sum(len(part) for part in msg.get("buffers") or [])
            if self._widgets > self.max_notebook_bytes:
                return None
        return super().process_message(msg, cell, cell_index)

    def output(self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int) -> Any:
        """Keep what a cell prints up to the limits; what is beyond is dropped as it arrives, never held."""
        kind, content = msg["msg_type"], msg["content"]
        if kind == "stream":
            room = self._rooms()[0] - self._bytes
            self._bytes += len(content["text"])
            if room <= 0:
                return None
            content["text"] = content["text"][:room]
            if outs and outs[-1].output_type == "stream" and outs[-1].name == content["name"]:
                outs[-1].text += content["text"]
                return outs[-1]
        elif kind in ("display_data", "execute_result"):
            self._data += _size_of(content)
            if self._data > self._rooms()[1]:
                return None
        elif kind == "error" and any(output.output_type == "error" for output in outs):
            return None  # a kernel tells of one
        return super().output(outs, msg, display_id, cell_index)

    def _trim(self, part: NotebookNode) -> None:
        limit = _ERROR_TEXT_LIMIT if self._shown < self.max_notebook_bytes else _ALWAYS
        for output in part.outputs:
            if output.output_type == "error":
                self._bytes += min(len(output.evalue), limit)
                output.ename, output.evalue = _cut(output.ename, 200), _cut(output.evalue, limit)
                lines, left = [], limit
                for line in output.traceback:
                    lines.append(_cut(line, max(left, 0)))
                    left -= len(line)
                    if left < 0:
                        break
                output.traceback = lines


class ExecuteSubmission(ExecuteInOneKernel):
    """Execute a submission's cells in a sandbox, and its tests in another process, which asks the first by text."""

    trust_students = Bool(
        False, help="Run submissions without a sandbox, for example where there is no bubblewrap. Tests stay apart."
    ).tag(config=True)
    max_memory = Integer(
        2_000_000_000, help="Bytes that a process of a submission may hold; all of its processes half as much again."
    ).tag(config=True)
    max_processes = Integer(64, help="Processes and threads that a submission may have.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        """Run `nb` in place. Raises UserError where there is no sandbox, unless students are trusted."""
        names = (resources or {}).get("nbgrader", {})
        course = CourseDirectory(config=self.config).root
        self._hidden = (Path(course).resolve(),) if names else ()
        unit = names.get("assignment")
        self._masks = split.read_masks(paths(unit, Path(course)).text) if unit else split.Masks()
        self._wearing = self._masks.unit
        self._kernels: dict[tuple[str, ...], _Kernel] = {}
        self._ran = 0
        self._desk: split.Line | None = None
        self._court: split.Line | None = None
        self._relay: split.Relay | None = None
        self._refused: list[str] = []
        self.require_sandbox()
        split.start_judge(self.trust_students, self._hidden)  # it gets ready while the kernel starts
        try:
            return super().preprocess(nb, resources, km)
        finally:
            for masks in list(self._kernels):
                self._move_to(masks)
                self._cleanup_kernel()
            if self._refused:
                nb.metadata.setdefault(NOTES, {})["refused"] = list(dict.fromkeys(self._refused))[:MOST]
            for line in (self._court, self._desk):
                if line is not None:
                    line.close()

    def require_sandbox(self) -> None:
        """Raise a UserError that says what to install, where there is no sandbox and students are not trusted."""
        if not self.trust_students and isinstance(found := sandbox.status(), sandbox.Refusal):
            raise found.error()

    # ------------------------------------------------------------ kernels, in their sandboxes

    def create_kernel_manager(self) -> Any:
        """A manager of a kernel in a sandbox, with a new line to it."""
        if self._desk is not None:
            self._desk.close()
        ours, self._theirs = socket.socketpair()
        self._desk = split.Line(ours)
        self._ran = 0
        path = self.resources.get("metadata", {}).get("path")
        self.km = sandbox.kernel_manager(
            work=Path(path) if path else None,
            limits=sandbox.Limits(memory=self.max_memory, total=self.max_memory * 3 // 2, processes=self.max_processes),
            masks=self._wearing,
            bridge=self._theirs,
            trust=self.trust_students,
            hidden=self._hidden,
        )
        return self.km

    def start_new_kernel(self, **options: Any) -> None:
        """As nbclient's. This process keeps no copy of the kernel's end of the line: it would never see it closed."""
        try:
            super().start_new_kernel(**options)
        finally:
            self._theirs.close()

    def _cleanup_kernel(self) -> None:
        """As nbclient's; what the sandbox refused is asked before."""
        self._refused += self._hear()
        super()._cleanup_kernel()

    def _hear(self) -> list[str]:
        """What the kernel has tried since the last call, and may not do."""
        provisioner = getattr(self.km, "provisioner", None)
        return [] if provisioner is None else provisioner.refused()

    def _options_of_kernel(self, scratch: str) -> dict[str, Any]:
        return {}

    def _how_it_died(self) -> str:
        return self.km.provisioner.how_it_ended() or CRASHED

    def _move_to(self, masks: tuple[str, ...]) -> None:
        """Let the kernel with these masks be the one that runs cells. It is started when it is first needed."""
        if masks == self._wearing:
            return
        self._kernels[self._wearing] = _Kernel(self.km, self.kc, self._desk, self._ran)
        self._wearing = masks
        if masks in self._kernels:
            kernel = self._kernels.pop(masks)
            self.km, self.kc, self._desk, self._ran = kernel.manager, kernel.client, kernel.desk, kernel.ran
            return
        self._desk = None
        self.km = self.create_kernel_manager()
        self.start_new_kernel(**self._kernel_options)
        self.start_new_kernel_client()

    def _replay(self, start: int, until: int) -> int | None:
        self._ran = max(self._ran, until)
        guilty = super()._replay(start, until)
        if guilty is None:
            self._hear()  # what was told when these cells ran first
        return guilty

    # ------------------------------------------------------------ cells

    def _run_cell(self, cell: NotebookNode, index: int) -> None:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        self._move_to(self._masks.of(exercise_of(name)))
        if self._ran < index:
            guilty = self._replay(self._ran, index)
            if guilty is not None:
                self._replace_kernel(guilty, index)
        super()._run_cell(cell, index)
        self._say_what_is_masked(cell, index)
        self._ran = max(self._ran, index + 1)
        unit_s_own = not is_grade(cell) and not is_solution(cell)
        tried = self._hear()
        if unit_s_own and any(output.get("ename") == "NotAvailable" for output in cell.outputs):
            # The unit itself shows what its exercises do not allow.
            tried = [text for text in tried if not text.startswith("use ")]
            cell.outputs = [output for output in cell.outputs if output.output_type != "error"]
            cell.outputs.append(_note_output("Not shown: what this cell uses is not there while exercises are graded."))
        self._refused += tried

    def _say_what_is_masked(self, cell: NotebookNode, index: int) -> None:
        """Where a test failed, and its answer uses what the exercise does not allow: say that, before anything else."""
        errors = [output for output in cell.outputs if output.output_type == "error"]
        if not (errors and is_grade(cell)) or is_solution(cell) or cell.metadata.get(NOTES, {}).get("ended"):
            return
        masks = self._masks.of(self._exercise(index))
        cells: list[str] = []
        room = _MOST_TO_READ
        for above in reversed(self.nb.cells[:index]):
            if above.cell_type == "code" and (is_solution(above) or not is_grade(above)):
                room -= len(above.source)
                if room < 0:
                    break
                cells.insert(0, _MAGIC.sub(r"\1pass", above.source))
        message = errors[-1].evalue
        found = re.findall(r"NotAvailable: (\S+) is not", message)
        with contextlib.suppress(RecursionError):  # a.b.c.d and so on, a thousand times
            for names, _ in asked(cell.source):
                found += uses(names, cells, (*masks, *ALWAYS))
        if found := list(dict.fromkeys(found))[:3]:
            cell.metadata.setdefault(NOTES, {})["masked"] = found
            # Whatever else the answer looks like has this cause.
            errors[-1].evalue = "\n".join([refusal(found, masks), message.partition(LOOKS_LIKE)[0]])
            errors[-1].traceback = errors[-1].evalue.split("\n")

    def _run_test(self, part: NotebookNode, index: int) -> str | None:
        """Have the judge run one piece, and the student's kernel answer what it asks."""
        if self._is_used_up():
            return self._run_code(part, index)
        started = monotonic()
        relay = self._relay = split.Relay(
            self._open_court(), self._desk, part.source, (self.timeout or 3600) * self.waiting + 10
        )
        relay.start()
        relay.asked.wait()
        answers, ended, dead = _code_cell(SERVE % relay.first), None, False
        if relay.questions:
            self._unrecorded = answers.source
            ended, dead = self._attempt(answers, index)
            relay.give_up(*(_REASONS[ended] if ended else (BAD_REPLY, "the kernel did not answer")))
            relay.join()
            left = b"" if dead else self._desk.left()
            if relay.unanswered is None:
                relay.malformed |= bool(left)
            elif not dead:
                # The bridge says so when a question is interrupted; if not, something else has read that question.
                relay.malformed |= relay.unanswered + b" " not in left
        else:
            self._spent += monotonic() - started
        relay.close()
        self._relay = None
        # A student's process may send anything; what earns points comes from the judge alone.
        shown = [output for output in answers.outputs if output.output_type in ("stream", "display_data")]
        told = [nbformat.from_dict(output) for output in relay.outputs or []]
        if relay.outputs is None:
            self._court = None
            if relay.broke and not ended:
                raise split.JudgeBroke(f"the judge did not bring the test of {self._exercise(index)} to an end")
            ended = ended or TIMEOUT
            told = [_error_output("CellTimeoutError", "The test did not end.")]
        elif ended or relay.failure or relay.malformed:
            told = [output for output in told if output.output_type != "error"]
            told += [output for output in answers.outputs if output.output_type == "error" and ended]
            if relay.malformed or not ended:
                dead = True
                self._culprits |= self._answer_cells(index)
            if not ended:
                ended = CRASHED
                why = relay.failure[1] if relay.failure else "more came than answers"
                told.append(_error_output(BAD_REPLY, f"There is no answer to the test's question: {why}."))
        part.outputs = shown + told
        self._trim(part)
        if dead:
            self._replace_kernel(index, index + 1)
        return ended

    def _open_court(self) -> split.Line:
        """The line to this notebook's child of the judge."""
        if self._court is None or self._court.is_closed:
            try:
                self._court = split.start_judge(self.trust_students, self._hidden).child()
            except OSError:
                split.close_judges()
                self._court = split.start_judge(self.trust_students, self._hidden).child()
        return self._court

    def _answer_cells(self, test: int) -> set[int]:
        """The places of the cells that the test at `test` is about: they did something to the line."""
        return {
            index
            for index, cell in enumerate(self.nb.cells)
            if cell.metadata.get("nbgrader", {}).get("grade_id") == self._exercise(test)
        }

    def _exercise(self, test: int) -> str:
        return exercise_of(self.nb.cells[test].metadata.nbgrader["grade_id"])

    async def _async_handle_timeout(self, timeout: int, cell: NotebookNode | None = None) -> Any:
        if self._relay is not None:
            # One that was told of the end has not heard it: something else reads along.
            self._relay.malformed |= self._relay.outputs is not None
            self._relay.give_up(*_REASONS[TIMEOUT])
        return await super()._async_handle_timeout(timeout, cell)

    # ------------------------------------------------------------ what a hostile kernel may say

    def _trim(self, part: NotebookNode) -> None:
        part.outputs = [tidy for output in part.outputs if (tidy := _tidy(output)) is not None]
        super()._trim(part)

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        """As nbclient's; a message that makes no sense is dropped."""
        try:
            return super().process_message(msg, cell, cell_index)
        except (CellControlSignal, asyncio.CancelledError):
            raise
        except Exception:
            return None

    def output(self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int) -> Any:
        """As the base class's. What is shown during a test cannot be changed afterwards."""
        return super().output(outs, msg, None if self._relay is not None else display_id, cell_index)


@dataclass
class _Kernel:
    """A kernel that waits for its next turn. `ran`: how many cells of the notebook it has been through."""

    manager: Any
    client: Any
    desk: split.Line | None
    ran: int


_REASONS = {
    TIMEOUT: (TIMED_OUT, "no answer in time"),
    CRASHED: (KERNEL_DIED, "the kernel died"),
    OUT_OF_MEMORY: (KERNEL_DIED, "the kernel used up its memory"),
}


def _tidy(output: NotebookNode) -> NotebookNode | None:
    """An output with nothing in it that a notebook file cannot hold; None for what is none at all."""
    output = _clean(output)
    kind = output.get("output_type")
    if kind == "stream" and isinstance(output.get("text"), str) and output.get("name") in ("stdout", "stderr"):
        return nbformat.v4.new_output("stream", name=output["name"], text=output["text"])
    if kind == "error" and all(isinstance(output.get(key), str) for key in ("ename", "evalue")):
        lines = [line for line in output.get("traceback", []) if isinstance(line, str)]
        return nbformat.v4.new_output("error", ename=output["ename"], evalue=output["evalue"], traceback=lines)
    if kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
        data = {k: value for k, value in output["data"].items() if isinstance(value, str) or k.endswith("json")}
        metadata = output.get("metadata")
        return nbformat.v4.new_output(kind, data=data, metadata=metadata if isinstance(metadata, dict) else {})
    return None


def _clean(value: Any) -> Any:
    """The same without half a character anywhere, which no file can hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value


def _end_of_tests(nb: NotebookNode) -> int:
    """How many cells can change a mark: those up to the last one that earns points by running.

    What comes after it, such as the comparison with torch, would cost more time than all that comes before.
    """
    graded = [index for index, cell in enumerate(nb.cells) if cell.cell_type == "code" and is_grade(cell)]
    return graded[-1] + 1 if graded else len(nb.cells)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + " ... (cut)"


def _size_of(content: dict[str, Any]) -> int:
    """Bytes, about, of what a message shows."""
    parts = [*(content.get("data") or {}).values(), content.get("metadata") or ""]
    return sum(len(part) if isinstance(part, str) else len(str(part)) for part in parts)


def _code_cell(source: str) -> NotebookNode:
    """As nbformat's, which looks at each with a schema."""
    return NotebookNode(cell_type="code", metadata=NotebookNode(), source=source, outputs=[], execution_count=None)


def _note_output(text: str) -> NotebookNode:
    return nbformat.v4.new_output("stream", name="stdout", text=f"\n[{text}]\n")


def _error_output(name: str, message: str) -> NotebookNode:
    return nbformat.v4.new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])


def _timeout_output(seconds: int | None) -> NotebookNode:
    return _error_output(
        "CellTimeoutError", f"This cell did not end within {seconds} seconds of computing. Is there an endless loop?"
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
        extra_arguments=tied(),
    )
    NotebookClient.__init__(runner, notebook)
    runner.reset_execution_trackers()
    with tempfile.TemporaryDirectory(prefix="autodiff_lab_", ignore_cleanup_errors=True) as scratch:
        runner.resources = {"metadata": {"path": str(cwd) if cwd is not None else scratch}}
        with runner.setup_kernel(env=kernel_environment(scratch)):
            for index, cell in enumerate(notebook.cells):
                runner.execute_cell(cell, index, store_history=True)
    return notebook

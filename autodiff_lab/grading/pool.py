"""Runs many submissions at a time: in processes of this machine, or on a Dask cluster.

Knows nothing of grading but a function that never raises and the things to call it with. Nothing is written here: what
comes back goes to the one writer, `grading.grade.Book`.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from filelock import FileLock, Timeout

from autodiff_lab.errors import UserError, typed

T = TypeVar("T")
R = TypeVar("R")

# Short: the sockets of kernels lie below it, and the path of a socket has about 100 bytes.
SCRATCH = "adl-"
AHEAD = 2
"""Tasks handed out for each worker: one runs, the others wait, so that no worker idles while a result is written."""


class Crew(Protocol[T, R]):
    """Whoever does the work. A context manager; `run` yields (item, result) in the order in which they are done.

    `get_ready` has processes started that `run` would start, and does not wait for them.
    """

    def __enter__(self) -> Crew[T, R]: ...

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def get_ready(self) -> None: ...

    def run(self, items: Iterable[T]) -> Iterator[tuple[T, R]]: ...


def crew(
    work: Callable[[T], R],
    lost: Callable[[T, str], R],
    workers: int | None = None,
    dask: str | None = None,
    warm_up: Callable[[], None] | None = None,
) -> Crew[T, R]:
    """A crew for `work`: the Dask cluster at the address `dask`, `workers` processes here, or this process (None).

    `lost(item, why)` makes the result of an item whose process was killed. `work` is found by its name in the workers.
    `warm_up` is the first thing that a process of this machine calls, if there are any.
    """
    if dask is not None:
        return DaskCluster(work, lost, dask)
    return Here(work) if workers is None else Processes(work, lost, workers, warm_up)


def cores() -> int:
    """How many processor cores this process may use, by affinity and container limits."""
    from joblib import cpu_count

    return int(cpu_count())


class Here(Generic[T, R]):
    """This process, one item after the other."""

    def __init__(self, work: Callable[[T], R]) -> None:
        self._work = work

    def __enter__(self) -> Here[T, R]:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def get_ready(self) -> None:
        pass

    def run(self, items: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield (item, result) for each."""
        for item in items:
            yield item, self._work(item)


class _Futures(Generic[T, R]):
    """Hands out a few items at a time and yields results as they come, so that neither pile up in memory."""

    def __init__(self, work: Callable[[T], R], lost: Callable[[T, str], R]) -> None:
        self._work, self._lost = work, lost

    def get_ready(self) -> None:
        pass

    def _submit(self, item: T) -> Future[R]:
        raise NotImplementedError

    def _room(self) -> int:
        raise NotImplementedError

    def _after_a_break(self, items: list[T]) -> Iterator[tuple[T, R]]:
        raise NotImplementedError

    def run(self, items: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield (item, result) for each, in the order in which they are done."""
        waiting = iter(items)
        running: dict[Future[R], T] = {}
        more = True
        while more or running:
            broken: list[T] = []
            while more and not broken and len(running) < self._room():
                try:
                    item = next(waiting)
                except StopIteration:
                    more = False
                    break
                try:
                    running[self._submit(item)] = item
                except BrokenExecutor:  # its processes died between two results
                    broken.append(item)
            if not broken and running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    item = running.pop(future)
                    try:
                        result = future.result()
                    except BrokenExecutor:
                        broken.append(item)
                        continue
                    except (Exception, CancelledError) as error:
                        result = self._failed(item, error)
                    del future
                    yield item, result
                    del result
            if broken:
                broken += running.values()
                running.clear()
                yield from self._after_a_break(broken)

    def _failed(self, item: T, error: BaseException) -> R:
        return self._lost(item, f"{type(error).__name__}: {error}")


# ---------------------------------------------------------------- on this machine


class Processes(_Futures[T, R]):
    """Long-lived processes of this machine. They end with this one, however it ends, and leave no file behind."""

    def __init__(
        self,
        work: Callable[[T], R],
        lost: Callable[[T, str], R],
        workers: int,
        warm_up: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(work, lost)
        self.workers = max(1, workers)
        self._warm_up = warm_up
        # Spawned, not forked: a parent that has talked to a kernel has threads and sockets that no child may inherit.
        self._context = multiprocessing.get_context("spawn")
        self._pool: Executor | None = None

    def __enter__(self) -> Processes[T, R]:
        self._scratch = Scratch()
        self._ears, self._lifeline = self._context.Pipe(duplex=False)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is not None:
            self._lifeline.close()  # whatever still runs is not waited for
        self._stop()
        self._lifeline.close()
        self._ears.close()
        self._scratch.remove()

    def _stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _start(self, workers: int) -> Executor:
        return ProcessPoolExecutor(
            workers,
            mp_context=self._context,
            initializer=_begin,
            initargs=(self._ears, str(self._scratch.folder), self._work, self._warm_up),
        )

    def get_ready(self) -> None:
        """Start the processes."""
        self._pool = self._pool or self._start(self.workers)
        for _ in range(self.workers):
            self._pool.submit(os.getpid)

    def _submit(self, item: T) -> Future[R]:
        self._pool = self._pool or self._start(self.workers)
        return self._pool.submit(self._work, item)

    def _room(self) -> int:
        return AHEAD * self.workers

    def _after_a_break(self, items: list[T]) -> Iterator[tuple[T, R]]:
        """A process was killed, and with it the pool. Its tasks run alone: who is to blame, is then known."""
        self._stop()
        alone: Executor | None = None
        try:
            for item in items:
                alone = alone or self._start(1)
                try:
                    yield item, alone.submit(self._work, item).result()
                except BrokenExecutor:
                    alone.shutdown()
                    alone = None
                    yield item, self._lost(item, "the process that graded it was killed")
                except Exception as error:
                    yield item, self._failed(item, error)
        finally:
            if alone is not None:
                alone.shutdown(wait=True, cancel_futures=True)


def _begin(ears: Connection, scratch: str, work: Callable[..., Any], warm_up: Callable[[], None] | None) -> None:
    """First thing in a worker. `work` came as a name: its module, with all that it imports, is there now."""
    os.environ["TMPDIR"] = tempfile.tempdir = scratch
    # Ctrl-C is for the main process. Not SIG_IGN: the kernels would inherit that.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    threading.Thread(target=_end_with_parent, args=(ears, scratch), daemon=True).start()
    if warm_up is not None:
        warm_up()


def _end_with_parent(ears: Connection, scratch: str) -> None:
    """Wait until the main process closes its end or is gone, then take everything along that runs below here."""
    with contextlib.suppress(EOFError, OSError):
        ears.recv()
    _kill_children()
    _remove(Path(scratch))
    os._exit(1)


def _leave() -> None:
    _kill_children()
    os._exit(1)


def _kill_children() -> None:
    import psutil

    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            child.kill()


class Scratch:
    """A folder in `place` for the temporary files of one run. Those of runs that were killed are removed on the way."""

    def __init__(self, place: Path | None = None) -> None:
        place = place or Path(tempfile.gettempdir())
        _remove_old(place)
        new = Path(tempfile.mkdtemp(prefix=f".{SCRATCH}", dir=place))
        new.chmod(0o711)  # kernels of another user get to their own folder, and see no other
        self._lock = FileLock(new / ".lock")
        self._lock.acquire()
        # By this name it is locked as long as its run lives.
        self.folder = new.rename(new.with_name(new.name[1:]))

    def remove(self) -> None:
        """Remove it with all that is in it."""
        self._lock.release()
        _remove(self.folder)


def _remove(folder: Path) -> None:
    """Whoever still works in it finds it no more, and so puts nothing into it meanwhile."""
    with contextlib.suppress(OSError):
        shutil.rmtree(folder.rename(f"{folder}-gone"), ignore_errors=True)


def _remove_old(place: Path) -> None:
    for folder in place.glob(f"{SCRATCH}*"):
        with contextlib.suppress(OSError, Timeout):
            about = folder.lstat()
            owner = os.getuid() if hasattr(os, "getuid") else about.st_uid
            if folder.is_symlink() or about.st_uid != owner or not (folder / ".lock").is_file():
                continue  # somebody else's
            with FileLock(folder / ".lock", timeout=0):
                pass
            _remove(folder)


# ---------------------------------------------------------------- on a cluster

_one_at_a_time = threading.Lock()


def _in_turn(work: Callable[[T], R], item: T) -> R:
    # A Dask worker may have several threads; a submission wants the process, its judge and its kernels to itself.
    with _one_at_a_time:
        return work(item)


class DaskCluster(_Futures[T, R]):
    """A Dask cluster whose workers see the course folder under the same path and have the same versions installed."""

    def __init__(self, work: Callable[[T], R], lost: Callable[[T, str], R], address: str) -> None:
        super().__init__(work, lost)
        self.address = address

    def __enter__(self) -> DaskCluster[T, R]:
        try:
            from distributed import Client
        except ImportError:
            raise UserError("Dask is not installed.", "install it: pip install 'autodiff-lab[dask]'.") from None
        try:
            self._client = Client(self.address, timeout=15, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UserError(
                f"there is no Dask scheduler at {self.address} ({type(error).__name__}).",
                "start one: dask scheduler, and on each machine: dask worker ADDRESS --nworkers N --nthreads 1.",
            ) from None
        try:
            self._compare()
            self._pool: Executor = self._client.get_executor(pure=False)
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._pool.shutdown(wait=kind is None)
        self._client.close()

    def _compare(self) -> None:
        """Raise UserError unless every worker has the versions that this process has."""
        from autodiff_lab.grading.versions import environment

        here = environment()
        there = self._client.run(environment)
        if not there:
            raise UserError(f"the Dask cluster at {self.address} has no workers.", "start some: dask worker ADDRESS.")
        for worker, found in there.items():
            other = sorted(name for name in here.keys() | found.keys() if here.get(name) != found.get(name))
            if other:
                told = ", ".join(f"{name} {found.get(name)} instead of {here.get(name)}" for name in other)
                raise UserError(f"the Dask worker {worker} has {told}.", "install the same versions everywhere.")

    def _submit(self, item: T) -> Future[R]:
        return self._pool.submit(_in_turn, self._work, item)

    def _room(self) -> int:
        return AHEAD * max(1, sum(self._client.nthreads().values()))

    def _failed(self, item: T, error: BaseException) -> R:
        if isinstance(error, CancelledError) or type(error).__name__ in ("FutureCancelledError", "CommClosedError"):
            raise UserError(
                f"the Dask cluster at {self.address} is gone.",
                f"start it and run {typed('grade --resume')}: nothing is lost.",
            ) from error
        if type(error).__name__ == "KilledWorker":
            return self._lost(item, "the processes that graded it were killed")
        return super()._failed(item, error)

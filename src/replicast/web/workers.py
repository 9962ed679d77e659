"""Processes that do the heavy work, each piece with a time limit that ends it."""

import asyncio
import math
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import TimeoutError as TooSlow
from contextlib import asynccontextmanager
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from replicast.errors import invalid

Answer = TypeVar("Answer")
_MEMORY = 4 * 1024**3
_GROWTH = 1024**3  # bytes more than at its start, and a worker is replaced
_JOBS = 500  # of one worker
_WAITING = 32
_PARENT_DEATH = 1  # of prctl: the signal that follows the end of the parent
_REMEDY = "Use the command line for it"
BUSY = "Too many tables are waiting at the moment. Try again in a minute."


class _Worker:
    """What a worker knows of itself."""

    spent = False  # memory ran short, or was not given back: the next job would suffer for it
    size = 0  # bytes of memory at its start


class _Jobs(int):
    """How many jobs a worker does; pebble asks before each, and of a spent worker it is none."""

    def __gt__(self, done: int) -> bool:
        return not _Worker.spent and super().__gt__(done)


def _size() -> int:
    """Return the bytes of memory this process has asked for, 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[0]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _answer(work: Callable[..., Answer], arguments: list[Any], seconds: float) -> Answer:
    """Do a job in a worker; one that ran out of memory or has grown is replaced afterwards."""
    _limit_work(seconds)
    try:
        answer = work(*arguments)
        _Worker.spent = _size() > _Worker.size + _GROWTH
        return answer
    except MemoryError:
        _Worker.spent = True
        raise MemoryError from None  # those of other libraries need not pass between processes


def _limit_work(seconds: float) -> None:
    """Have the system end this process, should nobody else: the time limit lives with the server."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    told = resource.getrusage(resource.RUSAGE_SELF)
    most = math.ceil(told.ru_utime + told.ru_stime + 2 * seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def _end_with_server() -> None:
    """Have the system end this process with the one that started it, where it can."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)


def _prepare(memory: int) -> None:
    """Load what any job may need, then forbid this process more memory than one job may take."""
    from replicast.web.jobs import rehearse

    _end_with_server()
    rehearse()
    _Worker.size = _size()
    try:
        import resource
    except ImportError:  # not on every system; the time limit is
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


class Workers:
    """A pool whose jobs are ended when their time is up, and refused when too many wait."""

    def __init__(self, count: int, seconds: float, memory: int = _MEMORY) -> None:
        self._seconds = seconds
        self._open = 0
        self._most = count + _WAITING
        self._pool = ProcessPool(
            max_workers=count,
            max_tasks=_Jobs(_JOBS),
            initializer=_prepare,
            initargs=[memory],
            context=get_context("spawn"),
        )

    def warm(self) -> None:
        """Start the processes before the first request needs them.

        They, and the threads that start others later, inherit that Ctrl-C is not for them: it would
        find them loading, where it ends in a traceback.
        """
        if not hasattr(signal, "pthread_sigmask"):  # not on every system
            self._pool.schedule(int)
            return
        resource_tracker.ensure_running()  # it would undo the mask where it is started later
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._pool.schedule(int)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    async def run(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run a function in a worker, or say in a sentence why its answer did not come."""
        async with self.place():
            try:
                what = [work, [*arguments], self._seconds]
                job = self._pool.schedule(_answer, what, timeout=self._seconds)
                return await asyncio.wrap_future(job)
            except TooSlow:
                domain = f"one that takes at most {self._seconds:g} seconds here"
                got = "one that takes longer"
            except MemoryError:
                domain, got = "one that fits into the memory of this service", "one that does not"
            except ProcessExpired:
                domain, got = "one that a worker of this service can finish", "one that ended it"
        raise invalid("table", domain, got, _REMEDY)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Take a place in the queue, from the first byte of a body on, or say that there is none."""
        if self._open >= self._most:
            raise BusyError
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    def close(self) -> None:
        """End all processes, whatever they do."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # pebble leaves it untyped
        self._pool.join()


class BusyError(Exception):
    """More tables wait than can be dealt with soon."""

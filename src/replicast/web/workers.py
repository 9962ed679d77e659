"""Processes that do the heavy work, each piece with a time limit that ends it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import TimeoutError as TooSlow
from multiprocessing import get_context
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from replicast.errors import invalid

Answer = TypeVar("Answer")
_MEMORY = 4 * 1024**3
_WAITING = 32
_REMEDY = "Use the command line for it"
BUSY = "Too many tables are waiting at the moment. Try again in a minute."


def _prepare(memory: int) -> None:
    """Load what every job needs, then forbid this process more memory than one job may take."""
    import replicast.web.jobs  # noqa: F401  # loaded now, so that the first job does not wait for it

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
            max_tasks=500,
            initializer=_prepare,
            initargs=[memory],
            context=get_context("spawn"),
        )

    def warm(self) -> None:
        """Start the processes before the first request needs them."""
        self._pool.schedule(int)

    async def run(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run a function in a worker, or say in a sentence why its answer did not come."""
        if self._open >= self._most:
            raise BusyError
        self._open += 1
        try:
            job = self._pool.schedule(work, args=list(arguments), timeout=self._seconds)
            return await asyncio.wrap_future(job)
        except TooSlow:
            domain = f"one that takes at most {self._seconds:g} seconds here"
            raise invalid("table", domain, "one that takes longer", _REMEDY) from None
        except (ProcessExpired, MemoryError):
            domain = "one that fits into the memory of this service"
            raise invalid("table", domain, "one that does not", _REMEDY) from None
        finally:
            self._open -= 1

    def close(self) -> None:
        """End all processes, whatever they do."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # pebble leaves it untyped
        self._pool.join()


class BusyError(Exception):
    """More tables wait than can be dealt with soon."""

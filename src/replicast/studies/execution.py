"""Run a study: blocks that are missing, anywhere; only this process writes."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

import numpy as np

from replicast.errors import ReplicastError, install_line, invalid, require_choice
from replicast.studies.plan import Block, Study
from replicast.studies.scenarios import Columns, find_scenario
from replicast.studies.store import DirectoryStore, encode, failures

Done = tuple[Block, bytes]
Progress = Callable[[int], None]  # is told how many blocks are there
EXECUTORS = ("serial", "processes", "dask")
_AHEAD = 3  # blocks waiting for each worker: enough to keep it busy, few enough to lose


@dataclass(frozen=True)
class RunReport:
    """What a run did."""

    computed: int
    found: int
    repaired: tuple[str, ...]
    failed: tuple[str, ...] = ()  # what the computed blocks that failed said


def run_block(study: Study, block: Block) -> bytes:
    """Compute a block: a pure function of the study and the block, as the bytes of its file.

    If the scenario raises, the block holds one record a replicate with the message in `error`.
    """
    levels = {**study.constants, **block.cell.levels}
    try:
        columns = find_scenario(study.scenario)(levels, block.replicates, study.rng(block))
        return encode(_labelled(columns, block))
    except ReplicastError:
        raise
    except Exception as error:  # whatever a scenario may raise; the record keeps it
        message = f"{type(error).__name__}: {error}"
        return encode(_labelled({"error": [message] * len(block.replicates)}, block))


def _labelled(columns: Columns, block: Block) -> Columns:
    """Put levels and replicate numbers in front of a scenario's columns."""
    if not isinstance(columns, dict) or not columns:
        raise invalid("scenario", "a function that returns columns by name", "none")
    lengths = {name: len(values) for name, values in columns.items()}
    count = next(iter(lengths.values()))
    if set(lengths.values()) != {count}:
        raise invalid("scenario", "a function that returns columns of equal length", lengths)
    own = "replicate" in columns
    if not own and count != len(block.replicates):
        domain = f"a function that returns {len(block.replicates)} records or names their replicate"
        raise invalid("scenario", domain, count)
    plain = {name: _plain(values) for name, values in columns.items()}
    labels = {name: [value] * count for name, value in block.cell.levels.items()}
    numbers = {} if own else {"replicate": list(block.replicates)}
    return {**labels, **numbers, **plain}


def _plain(values: Any) -> list[Any]:
    return [
        value.tolist() if isinstance(value, np.ndarray | np.generic) else value for value in values
    ]


def run_study(
    study: Study,
    store: DirectoryStore,
    *,
    executor: str = "serial",
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> RunReport:
    """Compute the blocks of a study that the store does not hold yet.

    Interrupt it whenever you like: finished blocks are kept, and the next run goes on. Damaged
    blocks are found by their checksum and computed again. The executor changes the time, never the
    numbers.
    """
    require_choice(executor, "executor", EXECUTORS)
    find_scenario(study.scenario)  # refuse an unknown one before anything is written
    store.claim(study)
    repaired = tuple(store.damaged())
    blocks = list(study.blocks())
    there = store.finished()
    missing = [block for block in blocks if block.key not in there]
    finished = len(blocks) - len(missing)
    match executor:
        case "serial":
            results = _serial(study, missing)
        case "processes":
            results = _processes(study, missing, jobs)
        case _:
            results = _dask(study, missing, scheduler, jobs)
    failed = []
    for count, (block, content) in enumerate(results, start=1):
        store.write(block.key, content)
        failed += failures(content)[:1]
        if progress is not None:
            progress(finished + count)
    return RunReport(computed=len(missing), found=finished, repaired=repaired, failed=tuple(failed))


def _serial(study: Study, blocks: Iterable[Block]) -> Iterator[Done]:
    for block in blocks:
        yield block, run_block(study, block)


def _processes(study: Study, blocks: Iterable[Block], jobs: int) -> Iterator[Done]:
    """Compute blocks in processes; a few at a time, so that memory and losses stay small."""
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin_worker
    ) as pool:
        try:
            yield from _as_finished(pool.submit, study, blocks, jobs * _AHEAD)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin_worker() -> None:
    """Keep numerical libraries from starting threads of their own, and end with the run."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


def _end_after(parent: BaseProcess) -> None:
    """End this process when the run that started it is gone, whatever ended it."""
    parent.join()
    os._exit(1)


def _as_finished(
    submit: Callable[..., Future[bytes]], study: Study, blocks: Iterable[Block], ahead: int
) -> Iterator[Done]:
    queue = iter(blocks)
    running = {submit(run_block, study, block): block for block in islice(queue, ahead)}
    while running:
        ready, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in ready:
            block = running.pop(future)
            content = future.result()
            for following in islice(queue, 1):
                running[submit(run_block, study, following)] = following
            yield block, content


def _dask(
    study: Study, blocks: Iterable[Block], scheduler: str | None, jobs: int
) -> Iterator[Done]:
    """Compute blocks on a Dask cluster, or on one started here for the time of the run."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        domain = "serial or processes without the extra cluster"
        raise invalid("executor", domain, "'dask'", f"Run {install_line('cluster')}") from None
    cluster = None
    if scheduler is None:
        cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
    try:
        with Client(cluster or scheduler, timeout="20s") as client:
            workers = max(1, len(client.scheduler_info()["workers"]), jobs)
            pool = client.get_executor(retries=3)
            yield from _as_finished(pool.submit, study, blocks, workers * _AHEAD)
    except OSError as error:
        raise invalid("scheduler", "one that can be reached", f"{scheduler}: {error}") from None
    finally:
        if cluster is not None:
            cluster.close()

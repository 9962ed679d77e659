"""Studies on machines that fail: nothing finished is lost, and the bytes are the same in the end."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from patience import PATIENCE
from replicast.studies.execution import run_study
from replicast.studies.plan import Study
from replicast.studies.store import DirectoryStore, StoreError
from stores import fresh_store

STUDY = Study(
    name="faults",
    scenario="scenario_for_tests:shifted",
    factors={"shift": (0.0, 0.5, 1.0)},
    replicates=100,
    block=10,
    constants={"seconds": 0},
)
TESTS = str(Path(__file__).parents[1])
RUN = "from replicast.cli import main; main()"


def contents(store: DirectoryStore) -> list[tuple[str, bytes]]:
    return sorted(store.read())


def whole() -> list[tuple[str, bytes]]:
    memory = fresh_store()
    run_study(STUDY, memory)
    return contents(memory)


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """Mount a file system in memory, or skip: only an administrator can."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs the program mount")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=160k"):
        store = DirectoryStore(disk / "store")
        with pytest.raises(StoreError, match=r"No space left on device\. Finished blocks are safe"):
            run_study(replace(STUDY, replicates=1000), store)
        kept = len(store.finished())
        assert kept > 3
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        done = run_study(replace(STUDY, replicates=1000), store)
        assert (done.found, done.found + done.computed) == (kept, 300)
        memory = fresh_store()
        run_study(replace(STUDY, replicates=1000), memory)
        assert contents(store) == contents(memory)


def test_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=64m"):
        store = DirectoryStore(disk / "store")
        run_study(STUDY, store)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert contents(store) == whole()  # what is there can be read
        with pytest.raises(StoreError, match="Read-only file system"):
            run_study(replace(STUDY, replicates=200), store)


def test_clocks_that_jump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DirectoryStore(tmp_path)
    jumps = iter(range(10**6))

    def jumping() -> float:
        return 1e9 - 1e6 * next(jumps)  # backwards, eleven days a call

    monkeypatch.setattr(time, "time", jumping)
    run_study(replace(STUDY, replicates=50), store)
    for number, file in enumerate(sorted((tmp_path / "blocks").iterdir())):
        os.utime(file, (0, 0) if number % 2 else (4e9, 4e9))  # 1970 and 2096
    monkeypatch.undo()
    done = run_study(STUDY, store)
    assert (done.found, done.computed) == (15, 15)
    assert contents(store) == whole()


def test_two_runs_on_one_store_at_once(tmp_path: Path) -> None:
    slow = replace(STUDY, constants={"seconds": 0.03})
    (tmp_path / "study.toml").write_text(slow.to_toml(), encoding="utf-8")
    command = [sys.executable, "-c", RUN, "study", "run", "study.toml", "--store", "s"]
    tests = str(Path(__file__).parents[1])
    runs = [
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": tests},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [run.communicate(timeout=PATIENCE)[1] for run in runs]
    for run, words in zip(runs, said, strict=True):
        assert run.returncode in (0, 2), words  # a refusal in a sentence is as good as an answer
        assert "Traceback" not in words
    assert 0 in [run.returncode for run in runs]
    memory = fresh_store()
    run_study(slow, memory)
    store = DirectoryStore(tmp_path / "s")
    assert contents(store) == contents(memory)
    assert run_study(slow, store).computed == 0


def children_of(process: "subprocess.Popen[str]") -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(pid) for pid in listed.read_text(encoding="utf-8").split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed in /proc")
def test_workers_end_with_a_run_that_is_killed(tmp_path: Path) -> None:
    slow = replace(STUDY, constants={"seconds": 0.03})
    (tmp_path / "study.toml").write_text(slow.to_toml(), encoding="utf-8")
    command = [sys.executable, "-c", RUN, "study", "run", "study.toml", "--store", "s"]
    run = subprocess.Popen(
        [*command, "--jobs", "2"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([TESTS, os.environ.get("PYTHONPATH", "")]),
        },
        stderr=subprocess.DEVNULL,
        text=True,
    )
    until = time.monotonic() + PATIENCE
    while not list(tmp_path.glob("s/blocks/*.parquet")) and time.monotonic() < until:
        time.sleep(0.02)
    workers = children_of(run)
    assert len(workers) >= 2
    run.kill()
    run.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < until:
        time.sleep(0.02)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]

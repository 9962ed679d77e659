"""Ledgers and watched comparisons on machines that fail: nothing written is lost or mixed up."""

import json
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

import replicast as rc
from faults.test_study_faults import mounted
from replicast.judging.journal import Journal, JournalError

FEED = """
import sys
import numpy as np
import replicast as rc
rng = np.random.default_rng(0)
scores = (rng.random((2, 4000)) < [[0.7], [0.6]]).astype(float)
watch = rc.Monitor(names=("a", "b"), journal=sys.argv[1])
print("begun", flush=True)
watch.add_many(*scores, cases=[f"q{i}" for i in range(4000)])
"""
# a disk that takes a line in two halves, slowly: without the lock, those of two writers mix
WRITE = """
import itertools, os, sys, time
from replicast.judging.journal import Journal
whole, parts = os.write, itertools.cycle((2, 1))
def halves(handle, line):
    time.sleep(0.0005)
    return whole(handle, line[: len(line) // next(parts)])
os.write = halves
journal = Journal(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for i in range(300):
    journal.append({"kind": "x", "writer": sys.argv[2], "i": i, "filling": "y" * (i % 97)})
"""


def test_a_watched_comparison_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "watch.jsonl"
    reached = []
    for _ in range(3):
        run = subprocess.Popen([sys.executable, "-c", FEED, str(path)], stdout=subprocess.PIPE)
        assert run.stdout is not None
        run.stdout.readline()
        lines = len(path.read_bytes().splitlines())
        while run.poll() is None and len(path.read_bytes().splitlines()) < lines + 20:
            time.sleep(0.002)
        run.kill()
        run.wait()
        run.stdout.close()
        reached.append(rc.Monitor(names=("a", "b"), journal=path).progress.cases)
    assert reached == sorted(reached)
    assert reached[-1] >= 40
    watch = rc.Monitor(names=("a", "b"), journal=path)
    rng = np.random.default_rng(0)
    scores = (rng.random((2, 4000)) < [[0.7], [0.6]]).astype(float)[:, : reached[-1]]
    whole = rc.Monitor(names=("a", "b"))
    whole.add_many(*scores)
    assert watch.progress == whole.progress


def test_two_writers_on_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE, str(path), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for name in ("one", "two")
    ]  # fmt: skip
    with ExitStack() as opened:
        for run in runs:
            opened.enter_context(run)
            assert run.stdout is not None
            assert run.stdout.readline() == b"ready\n"
        for run in runs:  # both begin once both are there
            assert run.stdin is not None
            run.stdin.write(b"go\n")
            run.stdin.flush()
    assert [run.returncode for run in runs] == [0, 0]
    entries, torn = Journal(path).read()
    assert torn == 0
    for name in ("one", "two"):
        assert [entry["i"] for entry in entries if entry["writer"] == name] == list(range(300))


def fill(journal: Journal) -> None:
    while True:
        journal.append({"kind": "x", "filling": "y" * 700})


def test_a_ledger_on_a_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=16k"):
        journal = Journal(disk / "ledger.jsonl")
        with pytest.raises(
            JournalError, match=r"No space left on device\. What it held is unharmed"
        ):
            fill(journal)
        written = len(journal.path.read_bytes().splitlines())
        assert written > 10
        entries, torn = journal.read()
        assert (len(entries), torn) == (written, 0)
        subprocess.run(["mount", "-o", "remount,size=1m", str(disk)], check=True)
        journal.append({"kind": "z"})
        assert journal.read().entries[-1] == {"kind": "z"}


def test_a_ledger_that_cannot_be_written(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=1m"):
        ledger = rc.Ledger(disk / "ledger.jsonl")
        ledger.record(rc.judge((3.0, 1.0), (2.5, 1.0)))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(JournalError, match="Read-only file system"):
            ledger.record(rc.judge((3.0, 1.0), (1.5, 1.0)))
        assert ledger.calibration().forecasts == 1


def test_every_byte_of_a_line_is_checked(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.append({"kind": "outcome", "chance": 0.5, "happened": True})
    whole = journal.path.read_bytes()
    for at in range(len(whole) - 1):
        changed = bytearray(whole)
        changed[at] ^= 1
        journal.path.write_bytes(bytes(changed))
        try:
            entries = journal.read().entries
        except rc.ReplicastError:
            continue
        assert entries == () or entries == (json.loads(whole),), bytes(changed)

"""Fresh pages for each second of CPU that the server and its workers take."""

import os
from pathlib import Path

from benchmarks.load import ask, memory, served
from benchmarks.timing import Target, at_most

PAGES = 2000
_TICK = os.sysconf("SC_CLK_TCK")


def run() -> list[Target]:
    with served() as (process, port):
        for _ in range(50):  # what is loaded or compiled once
            ask(port)
        before = _seconds(process.pid)
        for _ in range(PAGES):
            ask(port)
        spent = _seconds(process.pid) - before
        megabytes = memory(process.pid)
    return [
        Target("pages per second and core, every number new", PAGES / spent, 200, 400, ""),
        at_most("memory: the server after 2,000 pages", megabytes, 400, 250, "MB"),
    ]


def _seconds(process: int) -> float:
    """Return the seconds of CPU of a process and of those it started, dead or alive."""
    found = 0.0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            told = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(folder.name) == process or int(told[1]) == process:
            found += sum(int(ticks) for ticks in told[11:15]) / _TICK
    return found

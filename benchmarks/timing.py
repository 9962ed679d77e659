"""CPU time and memory: of rival functions in turns, and of processes of their own."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from threadpoolctl import threadpool_limits


@dataclass(frozen=True)
class Target:
    """One line of the report: what was measured, what must be met and what is aimed at.

    Attributes
    ----------
    name : str
        What is measured.
    value : float
        How much: times faster than a rival, seconds, megabytes.
    floor, aim : float
        Missing the floor fails the run; the aim is where it would be good to be.
    unit : str
        Behind the numbers.
    better : {"high", "low"}
        Which way is better.
    """

    name: str
    value: float
    floor: float
    aim: float
    unit: str = "x"
    better: str = "high"

    def meets(self, bar: float) -> bool:
        """Say whether what was measured is as good as a bar."""
        return self.value >= bar if self.better == "high" else self.value <= bar

    @property
    def missed(self) -> bool:
        """Whether the floor is missed."""
        return not self.meets(self.floor)

    def __str__(self) -> str:
        mark = "LOW" if self.missed else "ok "
        digits = 0 if self.value >= 100 else 1 if self.value >= 10 else 2
        word = "at least" if self.better == "high" else "at most"
        met = " met" if self.meets(self.aim) else ""
        now = f"{self.value:,.{digits}f}{self.unit}"
        bars = f"{word} {self.floor:,g}{self.unit}, aim {self.aim:,g}{self.unit}{met}"
        return f"  {mark} {self.name:<58}{now:>12}   ({bars})"


def at_most(name: str, value: float, floor: float, aim: float, unit: str) -> Target:
    """Return a target of a cost."""
    return Target(name, value, floor, aim, f" {unit}", "low")


class Cost(NamedTuple):
    """What a process took: seconds of CPU, its children included; megabytes at its largest."""

    seconds: float
    megabytes: float
    output: str


def cost(command: list[str], **environment: str) -> Cost:
    """Run a command to its end; return what it took and printed."""
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(
            command, stdout=told, stderr=subprocess.DEVNULL, env={**os.environ, **environment}
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{command} ended with {process.returncode}")
        told.seek(0)
        output = told.read().decode()
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, output)


def script(source: str, *words: str) -> list[str]:
    """Return the command that runs a script of Python."""
    return [sys.executable, "-c", source, *words]


def seconds(candidates: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """Return the least CPU time of each candidate; the rounds take turns so that noise is shared.

    One thread each: those that a candidate leaves behind wait by spinning, at the cost of the next.
    """
    best = dict.fromkeys(candidates, float("inf"))
    with threadpool_limits(limits=1):
        for run in candidates.values():  # compile and fill caches
            run()
        for _ in range(rounds):
            for name, run in candidates.items():
                start = time.process_time()
                run()
                best[name] = min(best[name], time.process_time() - start)
    return best

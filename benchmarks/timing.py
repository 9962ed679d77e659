"""Interleaved CPU timing of rival implementations."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from threadpoolctl import threadpool_limits


@dataclass(frozen=True)
class Target:
    """One line of the report: what was measured, and what was promised.

    Attributes
    ----------
    name : str
        What is measured.
    ratio : float
        How many times faster than the rival; or a cost, where less is better.
    floor : float
        Falling below it fails the run; a cost must not exceed it.
    reach, aim : float or None
        Where it should get to, and where it would be good to be.
    unit : str
        Behind the numbers.
    better : {"high", "low"}
        Which way is better.
    """

    name: str
    ratio: float
    floor: float
    reach: float | None = None
    aim: float | None = None
    unit: str = "x"
    better: str = "high"

    def meets(self, bar: float) -> bool:
        """Say whether what was measured is as good as a bar."""
        return self.ratio >= bar if self.better == "high" else self.ratio <= bar

    @property
    def missed(self) -> bool:
        """Whether it fell below its floor."""
        return not self.meets(self.floor)

    def __str__(self) -> str:
        mark = "LOW" if self.missed else "ok "
        digits = 1 if self.ratio >= 10 else 2
        word = "at least" if self.better == "high" else "at most"
        bars = [f"{word} {self.floor:,g}{self.unit}"]
        for label, bar in (("reach", self.reach), ("aim", self.aim)):
            if bar is not None:
                bars.append(f"{label} {bar:,g}{self.unit}{' met' if self.meets(bar) else ''}")
        now = f"{self.ratio:,.{digits}f}{self.unit}"
        return f"  {mark} {self.name:<66}{now:>13}   ({', '.join(bars)})"


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

"""Interleaved CPU timing of rival implementations."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """One line of the report: how many times faster than the rival, and what was promised."""

    name: str
    ratio: float
    floor: float

    def __str__(self) -> str:
        mark = "ok " if self.ratio >= self.floor else "LOW"
        digits = 1 if self.ratio >= 10 else 2
        return f"  {mark} {self.name:<66}{self.ratio:>12,.{digits}f}x   (at least {self.floor:,g}x)"


def seconds(candidates: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """Return the least CPU time of each candidate; the rounds take turns so that noise is shared."""
    best = dict.fromkeys(candidates, float("inf"))
    for run in candidates.values():  # compile and fill caches
        run()
    for _ in range(rounds):
        for name, run in candidates.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best

"""May I stop? Evidence that stays valid however often one looks at it."""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import (
    Cases,
    Design,
    DesignLike,
    Holdout,
    require_count,
    require_design,
)
from replicast.errors import (
    DesignMismatchError,
    InvalidContentError,
    invalid,
    number,
    require_finite,
    require_probability,
)
from replicast.judging.journal import Journal
from replicast.judging.records import Look, Progress
from replicast.kernels import monitoring
from replicast.replication.first_result import FirstResult
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.replication.reported import first_from_discordant, first_from_t, first_from_wins
from replicast.results import Caution, Interval
from replicast.scores.parsing import parse_items, parse_names

_LAST = len(monitoring.GRID) - 1


class Monitor:
    """A comparison that is watched while its cases come in, one by one and in random order.

    After every case the evidence may be looked at, and the comparison stopped as soon as it is
    decided: the chance of ever deciding between two equally good classifiers is at most
    `significance`. A case may be right or wrong, or have any score within `bounds`; of datasets only
    the winner counts. Folds and runs of one dataset, and seeds on one split, are refused: they are no
    new evidence about fresh data.

    Parameters
    ----------
    names : two names
        First and second classifier.
    significance : float
        Chance of a false decision, over all looks together.
    bounds : two numbers
        Least and largest score of a case.
    total : int, optional
        Cases planned.
    design : Design
        What comes in: `Holdout()`, the cases of one test set, `Cases()`, graded ones, or `Datasets()`.
    journal : path, optional
        A file to keep every case in; a monitor with the same file goes on where it ended, whatever
        ended it.

    Examples
    --------
    >>> from replicast import Monitor
    >>> watch = Monitor(names=("new", "old"), total=1000)
    >>> for new, old in [(1, 0)] * 5 + [(1, 1)] * 10 + [(1, 0)] * 4:
    ...     now = watch.add(new, old)
    >>> now.better, now.decided_after, now.cases
    ('new', 17, 19)
    """

    def __init__(
        self,
        *,
        names: tuple[str, str] = ("first", "second"),
        significance: float = 0.05,
        bounds: tuple[float, float] = (0.0, 1.0),
        total: int | None = None,
        design: DesignLike | None = None,
        journal: str | Path | None = None,
    ) -> None:
        self.design = _admitted(Holdout() if design is None else design)
        self.names = parse_names(names)
        self.significance = require_probability(significance, "significance")
        if not _is_pair(bounds) or not -np.inf < number(bounds[0]) < number(bounds[1]) < np.inf:
            raise invalid("bounds", "the least and the largest score", bounds)
        self.bounds = (float(bounds[0]), float(bounds[1]))
        self.total = None if total is None else require_count(total, "total", 1)
        self._seen: dict[Hashable, tuple[float, float]] = {}
        self._progress = Progress(
            counts=np.zeros(_LAST + 1), wealth=np.zeros(len(monitoring.bets()))
        )
        self._journal = None if journal is None else Journal(journal)
        if self._journal is not None:
            self._resume(self._journal)

    @property
    def progress(self) -> Progress:
        """Where the comparison stands."""
        return self._progress

    def add(self, first: float, second: float, *, case: Hashable | None = None) -> Progress:
        """Take in the scores of both on one case.

        With a name, `case`, one that came before with the same scores is not counted again.
        """
        scores = self._checked(first, second)
        if not isinstance(case, Hashable):
            raise invalid("case", "a name", case)
        if case is not None and case in self._seen:
            if self._seen[case] != scores:
                raise invalid("case", "a new case, or the scores it had", f"{case!r} with others")
            return self._progress
        if self._journal is not None:
            entry = {"kind": "case", "first": scores[0], "second": scores[1]}
            self._journal.append(entry if case is None else {**entry, "case": str(case)})
        return self._take(scores, case)

    def add_many(
        self,
        first: Iterable[float],
        second: Iterable[float],
        *,
        cases: Iterable[Hashable] | None = None,
    ) -> Progress:
        """Take in many cases, in the order given."""
        columns = [parse_items(first, "first"), parse_items(second, "second")]
        columns.append([None] * len(columns[0]) if cases is None else parse_items(cases, "cases"))
        for argument, column in zip(("second", "cases"), columns[1:], strict=True):
            if len(column) != len(columns[0]):
                domain = f"as long as `first` ({len(columns[0])})"
                raise invalid(argument, domain, len(column))
        for one, other, case in zip(*columns, strict=True):
            self.add(one, other, case=case)
        return self._progress

    def _checked(self, first: float, second: float) -> tuple[float, float]:
        """Return the scores of one case; those of datasets may have any size."""
        low, high = self.bounds
        for argument, score in (("first", first), ("second", second)):
            if self.design.over_datasets:
                require_finite(score, argument)
            elif not low <= number(score) <= high:
                remedy = "Say the least and the largest score with `bounds`"
                raise invalid(argument, f"a score from {low:g} to {high:g}", score, remedy)
        return float(first), float(second)

    def _take(self, scores: tuple[float, float], case: Hashable | None) -> Progress:
        if case is not None:
            self._seen[case] = scores
        low, high = self.bounds
        gap = (scores[0] - scores[1]) / (high - low)
        gap = float(np.sign(gap)) if self.design.over_datasets else gap
        self._progress = _advance(self._progress, gap, self.names, self.significance)
        return self._progress

    def look(self) -> Look:
        """Look at the difference, its confidence sequence and the chance that it holds."""
        now, low, high = self._progress, *self.bounds
        if now.cases == 0:
            raise invalid("cases", "at least one case before a look", "none")
        signs = self.design.over_datasets
        scale = 1.0 if signs else high - low
        limits = monitoring.confidence_limits(now.counts, self.significance)
        mean = float(now.counts @ monitoring.GRID) / now.cases
        if now.better is not None:  # no mean on the other side is left, even if E has fallen since
            won = now.better == self.names[0]
            limits = (max(limits[0], 0.0), limits[1]) if won else (limits[0], min(limits[1], 0.0))
        chances = self._forecasts()
        return Look(
            names=self.names,
            progress=now,
            total=self.total,
            estimand="datasets won minus lost" if signs else "mean difference",
            difference=mean * scale,
            interval=Interval(limits[0] * scale, limits[1] * scale),
            significance=self.significance,
            bounds=self.bounds,
            design=self.design,
            forecasts=tuple((one.target_design.count or 0, one.probability) for one in chances),
            forecasts_by_relation=tuple(one.by_relation for one in chances),
            cautions=(_ORDER,),
        )

    def _forecasts(self) -> list[Replication]:
        """Return the chance of a repeat as large as now, and as large as planned (or twice)."""
        now = self._progress.cases
        first = self._first_result()
        if first is None:
            return []
        more = self.total if self.total is not None and self.total > now else 2 * now
        return [
            report_replication(
                first,
                significance=self.significance,
                repeat=first.design.grow(first.design.axis().name, size),
            )
            for size in (now, more)
        ]

    def _first_result(self) -> FirstResult | None:
        """Return what was seen so far as replication sees it; one graded case says nothing."""
        now = self._progress
        won, lost, n = now.first_only, now.second_only, now.cases
        if self.design.over_datasets:
            return first_from_wins(won, datasets=n, ties=n - won - lost, names=self.names)
        if _only_signs(now.counts) and self.design.binary:
            return first_from_discordant(won, lost, cases=n, names=self.names)
        mean = float(now.counts @ monitoring.GRID) / n
        error = math.sqrt(float(now.counts @ (monitoring.GRID - mean) ** 2) / max(n - 1, 1) / n)
        if n == 1 or (error == 0 and mean != 0):
            return None
        return first_from_t(mean / error if error else 0.0, design=Cases(n), names=self.names)

    def _resume(self, journal: Journal) -> None:
        """Go on where the file ends, or begin it."""
        head: dict[str, Any] = {
            "kind": "monitor",
            "names": list(self.names),
            "significance": self.significance,
            "bounds": list(self.bounds),
        }
        entries = journal.read().entries
        if not entries:
            journal.append(head)
            return
        if entries[0] != head:
            domain = f"a monitor of {' and '.join(self.names)} with the same options"
            got, remedy = "another one", "Use a new file"
            raise InvalidContentError(journal.path.name, domain, got, remedy, "journal")
        for entry in entries[1:]:
            self._take(self._checked(entry["first"], entry["second"]), entry.get("case"))


_ORDER = Caution(
    "random-order", "Valid if the cases came in random order; how often one looks does not matter."
)


def _is_pair(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str | bytes) and len(given) == 2


def _admitted(design: DesignLike) -> Design:
    design = require_design(design)
    if design.independent and design.clusters is None:
        return design
    domain = "cases of one test set, or datasets"
    remedy = "They share their data: however many more, they bring no fresh evidence to stop on"
    if design.independent:
        domain = "cases that do not hang together"
        remedy = "Cases of one cluster say the same thing twice; watch the mean of every cluster"
    raise DesignMismatchError("design", domain, design.words, remedy)


def _only_signs(counts: Floats) -> bool:
    """Say whether every difference was -1, 0 or 1."""
    return set(np.flatnonzero(counts).tolist()) <= {0, _LAST // 2, _LAST}


def _advance(
    progress: Progress, gap: float, names: tuple[str, str], significance: float
) -> Progress:
    """Return where things stand after one more difference in [-1, 1]."""
    share = monitoring.spread(np.array([gap]))
    counts, wealth = progress.counts + share, progress.wealth + monitoring.log_gains() @ share
    won, lost = progress.first_only + (gap > 0), progress.second_only + (gap < 0)
    if _only_signs(counts):
        log_e = float(monitoring.discordant_log_e(np.asarray(won), np.asarray(lost)))
    else:
        log_e = float(special.logsumexp(wealth) - np.log(len(wealth)))
    moved = replace(
        progress,
        cases=progress.cases + 1,
        first_only=won,
        second_only=lost,
        log_e=log_e,
        best=max(progress.best, log_e),
        counts=counts,
        wealth=wealth,
    )
    if progress.decided_after is None and log_e >= -np.log(significance):
        better = names[0] if float(counts @ monitoring.GRID) > 0 else names[1]
        return replace(moved, decided_after=moved.cases, better=better, deciding_log_e=log_e)
    return moved

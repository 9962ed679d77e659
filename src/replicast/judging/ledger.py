"""A ledger of forecasts and what became of them."""

import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from replicast.errors import InvalidContentError, number, require_instance
from replicast.formatting import format_percent
from replicast.judging.journal import Journal, digest
from replicast.judging.records import Judgement, Side
from replicast.kernels.replication_counts import clopper_pearson
from replicast.replication.records import Replication
from replicast.results import Answer, Interval, Record, SignificanceResult

_EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, kw_only=True)
class Bin(Record):
    """Forecasts of about one size: how many, what they said on average, and what happened."""

    low: float
    high: float
    forecasts: int
    said: float
    happened: int
    interval: Interval

    def __str__(self) -> str:
        return f"{self.forecasts} said {format_percent(self.said)}, {self.happened} happened"


@dataclass(frozen=True, kw_only=True)
class Calibration(Answer):
    """How good the forecasts of a ledger were.

    Attributes
    ----------
    forecasts, registered, open : int
        Forecasts with an outcome, those of them written down beforehand, and those still waiting.
    said, happened : float and int
        Mean chance given, and how many results were significant again.
    log_score : float
        Mean log score; 0 is perfect, -0.69 a coin toss.
    surprise : float
        Happened minus said, in standard errors; beyond 2 or 3 the forecasts were off.
    """

    forecasts: int
    registered: int
    open: int
    said: float
    happened: int
    log_score: float
    surprise: float
    bins: tuple[Bin, ...]
    torn: int = 0


class Ledger:
    """Forecasts and outcomes in one file that only grows.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import replicast as rc
    >>> ledger = rc.Ledger(pathlib.Path(tempfile.mkdtemp()) / "forecasts.jsonl")
    >>> found = ledger.record(rc.judge((3.1, 1.2), (2.0, 1.0)))
    >>> ledger.calibration()
    <Calibration: Forecasts said 63%; 1 of 1 happened>
    """

    def __init__(self, path: str | Path) -> None:
        self._journal = Journal(path)

    def forecast(
        self, result: SignificanceResult, chance: Replication, *, now: datetime | None = None
    ) -> str:
        """Write down the chance given to a result before its replication; return the result's key."""
        require_instance(result, SignificanceResult, "result")
        require_instance(chance, Replication, "chance")
        key = _key(result.names, result.estimate, result.pvalue)
        self._journal.append(
            {
                "kind": "forecast",
                "key": key,
                "names": list(result.names),
                "chance": chance.probability,
                "basis": f"{chance.model} model, {chance.estimator}",
                "time": _stamp(now),
            }
        )
        return key

    def record(self, judged: Judgement, *, now: datetime | None = None) -> Judgement:
        """Write down an outcome; a forecast registered beforehand is the one that counts.

        Returns the judgement with that forecast. The same outcome is written once.
        """
        require_instance(judged, Judgement, "judged", "Make one with judge")
        key = _side_key(judged.names, judged.original)
        other = _side_key(judged.names, judged.replication)
        entries = self._journal.read().entries
        made = [e for e in entries if e.get("kind") == "forecast" and e.get("key") == key]
        forecast = judged.forecast
        if made:
            chance = _chance(made[0], self._journal)
            given = chance if forecast.happened else 1 - chance
            forecast = replace(
                forecast,
                probability=chance,
                basis=str(made[0].get("basis")),
                log_score=math.log(max(given, 1e-300)),
                registered=str(made[0].get("time")),
            )
        known = {(entry.get("key"), entry.get("replication")) for entry in entries}
        if (key, other) not in known:
            self._journal.append(
                {
                    "kind": "outcome",
                    "key": key,
                    "replication": other,
                    "names": list(judged.names),
                    "chance": forecast.probability,
                    "registered": bool(made),
                    "happened": forecast.happened,
                    "outcome": judged.outcome,
                    "time": _stamp(now),
                }
            )
        return replace(judged, forecast=forecast)

    def calibration(self) -> Calibration:
        """Say how well the forecasts were calibrated."""
        contents = self._journal.read()
        outcomes = [entry for entry in contents.entries if entry.get("kind") == "outcome"]
        closed = {entry.get("key") for entry in outcomes}
        made = {e.get("key") for e in contents.entries if e.get("kind") == "forecast"}
        chance = np.array([_chance(entry, self._journal) for entry in outcomes])
        happened = np.array([entry.get("happened") is True for entry in outcomes], dtype=bool)
        given = np.where(happened, chance, 1 - chance)
        spread = math.sqrt(float((chance * (1 - chance)).sum()))
        count = len(outcomes)
        return Calibration(
            forecasts=count,
            registered=sum(entry.get("registered") is True for entry in outcomes),
            open=len(made - closed),
            said=float(chance.mean()) if count else math.nan,
            happened=int(happened.sum()),
            log_score=float(np.log(np.maximum(given, 1e-300)).mean()) if count else math.nan,
            surprise=float(happened.sum() - chance.sum()) / spread if spread else 0.0,
            bins=tuple(_bin(low, high, chance, happened) for low, high in _filled(chance)),
            torn=contents.torn,
        )


def _filled(chance: Any) -> list[tuple[float, float]]:
    return [(low, high) for low, high in pairwise(_EDGES) if _inside(chance, low, high).any()]


def _inside(chance: Any, low: float, high: float) -> Any:
    return (chance >= low) & ((chance < high) | (high == 1.0))


def _bin(low: float, high: float, chance: Any, happened: Any) -> Bin:
    inside = _inside(chance, low, high)
    count, hits = int(inside.sum()), int(happened[inside].sum())
    return Bin(
        low=low,
        high=high,
        forecasts=count,
        said=float(chance[inside].mean()),
        happened=hits,
        interval=Interval(*clopper_pearson(hits, count, 0.95)),
    )


def _chance(entry: dict[str, Any], journal: Journal) -> float:
    chance = number(entry.get("chance"))
    if not 0 <= chance <= 1:
        domain, name = "a chance from 0 to 1 in every line", journal.path.name
        raise InvalidContentError(name, domain, entry.get("chance"), "Is this a ledger?")
    return chance


def _key(names: tuple[str, str], estimate: float, pvalue: float) -> str:
    """Name a result by what it found; 12 digits survive another machine's last bits."""
    return digest([*names, f"{estimate:.12g}", f"{pvalue:.9g}"])


def _side_key(names: tuple[str, str], side: Side) -> str:
    return _key(names, side.estimate, side.pvalue)


def _stamp(now: datetime | None) -> str:
    moment = datetime.now(UTC) if now is None else require_instance(now, datetime, "now")
    return moment.isoformat(timespec="seconds")

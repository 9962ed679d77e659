"""A ledger of forecasts and what became of them."""

import math
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from replicast.arrays import Bools, Floats
from replicast.errors import InvalidContentError, number, require_instance
from replicast.judging.journal import Entry, Journal, digest
from replicast.judging.records import SMALLEST, Bin, Calibration, Judgement, Side, forecast_of
from replicast.kernels.replication_counts import clopper_pearson
from replicast.replication.records import Replication
from replicast.results import Interval, SignificanceResult

_BINS = 5


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
        key = _key(result.names, result)
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
        key, other = (_key(judged.names, side) for side in (judged.original, judged.replication))
        forecast = judged.forecast

        def outcome(entries: tuple[Entry, ...]) -> Entry | None:
            nonlocal forecast
            made = [e for e in entries if (e.get("kind"), e.get("key")) == ("forecast", key)]
            if made:
                basis, time = (str(made[0].get(name)) for name in ("basis", "time"))
                forecast = forecast_of(self._chance(made[0]), basis, forecast.happened, time)
            if any((e.get("key"), e.get("replication")) == (key, other) for e in entries):
                return None
            return {
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

        self._journal.extend(outcome)
        return replace(judged, forecast=forecast)

    def calibration(self) -> Calibration:
        """Say how well the forecasts were calibrated; the same outcome counts once."""
        entries, torn = self._journal.read()
        kinds = {
            kind: [e for e in entries if e.get("kind") == kind] for kind in ("forecast", "outcome")
        }
        told = {(e.get("key"), e.get("replication")): e for e in reversed(kinds["outcome"])}
        outcomes = list(told.values())
        made = {entry.get("key") for entry in kinds["forecast"]}
        chance = np.array([self._chance(entry) for entry in outcomes])
        happened = np.array([e.get("happened") is True for e in outcomes], dtype=bool)
        scores = np.log(np.maximum(np.where(happened, chance, 1 - chance), SMALLEST))
        spread = math.sqrt(float((chance * (1 - chance)).sum()))
        place = np.minimum((chance * _BINS).astype(int), _BINS - 1)
        return Calibration(
            forecasts=len(outcomes),
            registered=sum(entry.get("registered") is True for entry in outcomes),
            open=len(made - {key for key, _ in told}),
            said=float(chance.mean()) if outcomes else math.nan,
            happened=int(happened.sum()),
            log_score=float(scores.mean()) if outcomes else math.nan,
            surprise=float(happened.sum() - chance.sum()) / spread if spread else 0.0,
            bins=tuple(_bin(at, chance, happened, place == at) for at in np.unique(place).tolist()),
            torn=torn,
        )

    def _chance(self, entry: Entry) -> float:
        chance = number(entry.get("chance"))
        if not 0 <= chance <= 1:
            name, domain = self._journal.path.name, "a chance from 0 to 1 in every line"
            raise InvalidContentError(name, domain, entry.get("chance"), "Is this a ledger?")
        return chance


def _bin(at: int, chance: Floats, happened: Bools, inside: Bools) -> Bin:
    count, hits = int(inside.sum()), int(happened[inside].sum())
    return Bin(
        low=at / _BINS,
        high=(at + 1) / _BINS,
        forecasts=count,
        said=float(chance[inside].mean()),
        happened=hits,
        interval=Interval(*clopper_pearson(hits, count, 0.95)),
    )


def _key(names: tuple[str, str], found: SignificanceResult | Side) -> str:
    """Name a result by what it found; 12 digits survive another machine's last bits."""
    return digest([*names, f"{found.estimate:.12g}", f"{found.pvalue:.9g}"])


def _stamp(now: datetime | None) -> str:
    moment = datetime.now(UTC) if now is None else require_instance(now, datetime, "now")
    return moment.isoformat(timespec="seconds")
